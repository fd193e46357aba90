//! Transactions: accepting one or many, each exactly once, and listing them.

use std::{cell::Cell, fmt};

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use bytes::Bytes;
use countersign_domain::{EventId, InvestigationId, NewEvent, StoredEvent, Time, Transaction, UserId};
use countersign_store::{Ingested, Seams, TransactionQuery};
use serde::{
    Serialize,
    de::{DeserializeSeed, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::investigations;
use crate::{
    http::edge::{
        App,
        body::RequestBody,
        error::{ApiError, Result},
        json::{self, Json},
        query::{Page, PageParams, Params},
        run_detached,
    },
    json_errors,
};

const PRODUCER: &str = "api";
/// Parsing a larger body takes so long that it is done on a blocking thread.
const INLINE_BYTES_MAX: usize = 256 * 1024;
const CONFLICT: &str = "transaction_id: already exists with different content";
/// The response to nearly every request.
const ONE_ACCEPTED: &str = r#"{"accepted":1,"duplicates":0,"rejected":[]}"#;

/// The outcome for the transactions in a request.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub(super) struct Intake {
    /// The number of transactions stored by this request.
    accepted: usize,
    /// The number of transactions that had been stored before, with the same content.
    duplicates: usize,
    /// The transactions that were not stored.
    rejected: Vec<Rejected>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
struct Rejected {
    /// Index in the request's array, from 0.
    index: usize,
    /// What is wrong.
    detail: String,
}

/// One transaction or an array of them.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub(super) enum OneOrMany {
    One(Box<Transaction>),
    Many(Vec<Transaction>),
}

/// Send transactions
///
/// Accepts one object or an array. A transaction is stored exactly once by its `transaction_id`; sending it again changes nothing.
/// In an array, invalid rows are reported and the others are stored. A row is also invalid if its id already exists with
/// different content. The response is sent once all accepted transactions are on disk.
#[utoipa::path(post, path = "/api/transactions", tag = "Intake",
    request_body(content = OneOrMany, description = "By default at most 10,000 rows and 16 MiB"),
    responses(
        (status = 202, description = "The outcome", body = Intake),
        (status = 409, description = "A single object whose id already exists with different content", body = super::ErrorBody),
        (status = 413, description = "Too many bytes or rows", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(State(app): State<App>, params: Params, headers: HeaderMap, body: Body) -> Result<Response> {
    params.finish()?;
    let limits = &app.config.limits;
    let body = app.bodies.read(&headers, body, limits.transactions_bytes_max).await?;
    let (post, _body) = read(&app, body).await?;
    match post {
        PostedTransactions::One(event) => store_one(&app, *event).await,
        PostedTransactions::Many { events, indexes, rejected } => store_many(&app, events, &indexes, rejected).await,
    }
}

/// The content of a request, ready for the store.
enum PostedTransactions {
    One(Box<NewEvent>),
    Many {
        events: Vec<NewEvent>,
        /// The index of each event in the array.
        indexes: Vec<usize>,
        rejected: Vec<Rejected>,
    },
}

/// Returns the body too, because its share of the memory budget must be held until the response.
async fn read(app: &App, body: RequestBody) -> Result<(PostedTransactions, RequestBody)> {
    let (seams, rows_max) = (app.store.seams().clone(), app.config.limits.transactions_per_post_max);
    if body.bytes.len() <= INLINE_BYTES_MAX {
        return Ok((PostedTransactions::parse(&body.bytes, &seams, rows_max)?, body));
    }
    let reading = tokio::task::spawn_blocking(move || (PostedTransactions::parse(&body.bytes, &seams, rows_max), body));
    let (post, body) = reading.await.map_err(|error| ApiError::Panicked(error.to_string()))?;
    Ok((post?, body))
}

impl PostedTransactions {
    fn parse(body: &Bytes, seams: &Seams, rows_max: usize) -> Result<Self> {
        let text = json::text(body)?;
        if !text.trim_ascii_start().starts_with('[') {
            let transaction = json::parse::<Transaction>(text)?.validated()?;
            return Ok(Self::One(Box::new(event_of(transaction, seams)?)));
        }
        let (mut events, mut indexes, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for (index, row) in split_array(text, rows_max)?.into_iter().enumerate() {
            match read_row(row.get()) {
                Ok(transaction) => {
                    events.push(event_of(transaction, seams)?);
                    indexes.push(index);
                }
                Err(detail) => rejected.push(Rejected { index, detail }),
            }
        }
        Ok(Self::Many { events, indexes, rejected })
    }
}

fn read_row(row: &str) -> Result<Transaction, String> {
    // Serde would accept an array of the fields' values.
    if !row.starts_with('{') {
        return Err("must be a JSON object".to_owned());
    }
    let transaction: Transaction = serde_json::from_str(row).map_err(|error| json_errors::explain_row(&error, row))?;
    transaction.validated().map_err(|invalid| invalid.to_string())
}

fn event_of(transaction: Transaction, seams: &Seams) -> Result<NewEvent> {
    let occurred_at = transaction.occurred_at;
    Ok(NewEvent::new(seams.event_id(), transaction, occurred_at, PRODUCER, seams.correlation_id())?)
}

async fn store_one(app: &App, event: NewEvent) -> Result<Response> {
    let taken = app.store.ingest(vec![event]).await?;
    match taken.first() {
        Some(Ingested::Accepted { .. }) => Ok(accepted_response(ONE_ACCEPTED)),
        Some(Ingested::Conflict { .. }) => Err(ApiError::Conflict(CONFLICT.into())),
        _ => Ok(accepted_response(serde_json::to_vec(&Intake { duplicates: 1, ..Default::default() })?)),
    }
}

async fn store_many(app: &App, events: Vec<NewEvent>, indexes: &[usize], rejected: Vec<Rejected>) -> Result<Response> {
    let mut intake = Intake { rejected, ..Default::default() };
    // The rows are stored in several commits. All of them must be stored even if the caller disconnects.
    let store = app.store.clone();
    let taken = run_detached(async move { Ok(store.ingest(events).await?) }).await?;
    for (taken, index) in taken.into_iter().zip(indexes) {
        match taken {
            Ingested::Accepted { .. } => intake.accepted += 1,
            Ingested::Duplicate { .. } => intake.duplicates += 1,
            Ingested::Conflict { .. } => {
                intake.rejected.push(Rejected { index: *index, detail: CONFLICT.to_owned() });
            }
        }
    }
    intake.rejected.sort_by_key(|rejected| rejected.index);
    Ok(accepted_response(serde_json::to_vec(&intake)?))
}

fn accepted_response(body: impl Into<Body>) -> Response {
    let mut response = json::response(body);
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// Splits the array into its elements without parsing them, so that an invalid row doesn't affect the others.
fn split_array(text: &str, rows_max: usize) -> Result<Vec<&RawValue>> {
    let is_over = Cell::new(false);
    let mut reader = serde_json::Deserializer::from_str(text);
    let rows = BoundedArray { rows_max, is_over: &is_over }.deserialize(&mut reader);
    if is_over.get() {
        let detail = format!("the array holds more than {rows_max} transactions; send it in parts");
        return Err(ApiError::TooLarge(detail));
    }
    let whole = rows.and_then(|rows| reader.end().map(|()| rows));
    whole.map_err(|error| ApiError::bad_request(json_errors::explain(&error, text)))
}

/// Reads an array and stops at a maximum number of rows: sixteen megabytes can contain eight million zeros.
struct BoundedArray<'a> {
    rows_max: usize,
    is_over: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for BoundedArray<'_> {
    type Value = Vec<&'de RawValue>;
    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for BoundedArray<'_> {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of transactions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(row) = rows.next_element()? {
            if found.len() == self.rows_max {
                self.is_over.set(true);
                return Err(serde::de::Error::custom("too many rows"));
            }
            found.push(row);
        }
        Ok(found)
    }
}

/// A transaction in a list.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct TransactionRow {
    #[serde(flatten)]
    transaction: Transaction,
    #[serde(flatten)]
    place: TransactionPlace,
}

/// The position of a transaction in the log.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct TransactionPlace {
    seq: u64,
    recorded_at: Time,
    event_id: EventId,
}

/// The transaction as it was sent, and its position in the log. `None` if it was erased.
pub(super) fn row(event: &StoredEvent) -> serde_json::Result<Option<Box<RawValue>>> {
    let place = TransactionPlace { seq: event.seq, recorded_at: event.recorded_at, event_id: event.event_id };
    event.payload.as_ref().map(|payload| json::joined(payload.get(), &place)).transpose()
}

/// List transactions, newest first
///
/// Lists transactions in order of arrival. A customer's transactions are listed once the detector has assessed them.
#[utoipa::path(get, path = "/api/transactions", tag = "Investigations", params(
    PageParams,
    ("user_id" = Option<UserId>, Query, description = "Only transactions of this customer"),
    ("investigation_id" = Option<InvestigationId>, Query,
        description = "Only transactions of the customer of this investigation"),
), responses(
    (status = 200, description = "A page of transactions", body = Page<TransactionRow>),
    (status = 404, description = "There is no investigation with this id", body = super::ErrorBody),
))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<Box<RawValue>>>> {
    let page = params.page()?;
    let user_id = investigations::customer(&app, &mut params).await?;
    let query = TransactionQuery { user_id, before: page.before()?, limit: page.limit + 1 };
    params.finish()?;
    let transactions = Page::going_back(app.store.transactions(query).await?, page.limit, |event| event.seq);
    Ok(Json(transactions.convert(|event| Ok(row(&event)?))?))
}
