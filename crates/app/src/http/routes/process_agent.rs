//! Asks the worker, and returns its answer together with the audit.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use countersign_domain::{LogId, RiskStatus, StoredAudit, Time, payload::AuditLogCreated};
use countersign_llm::CallError;
use serde::{Deserialize, Serialize};

use crate::{
    answers::{AnswerError, AuditedAnswer, Exchange, Idempotency, ROUTE},
    http::edge::{
        App,
        error::{ApiError, Result},
        json,
        query::Params,
    },
    keys::Caller,
};

const LOG_ID: HeaderName = HeaderName::from_static("x-countersign-log-id");
pub(super) const STATUS: HeaderName = HeaderName::from_static("x-countersign-status");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;

#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct Question {
    #[schema(example = "What is the capital of France?")]
    user_query: String,
}

/// An answer with its audit.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Answered {
    #[schema(value_type = String, format = Uuid)]
    log_id: LogId,
    query: String,
    #[schema(example = "The capital of France is Paris.")]
    worker_response: String,
    #[schema(value_type = countersign_domain::Audit)]
    audit: StoredAudit,
    status: RiskStatus,
    created_at: Time,
}

impl From<AuditLogCreated> for Answered {
    fn from(log: AuditLogCreated) -> Self {
        Self {
            log_id: log.log_id,
            query: log.query,
            worker_response: log.response,
            audit: log.audit,
            status: log.status,
            created_at: log.created_at,
        }
    }
}

/// Ask the worker, and have its answer audited
///
/// The answer is returned only when it and its audit are on disk. If the worker fails even after retries, the response is 500,
/// and the record says that there is no answer. If the auditor fails, the answer is at least a `Warning`.
///
/// For 24 hours, requests with the same `Idempotency-Key` header return the first result.
#[utoipa::path(post, path = "/process-agent", tag = "Answers", request_body = Question,
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters")),
    responses(
        (status = 200, description = "The answer with its audit", body = Answered),
        (status = 400, description = "The query is missing or empty", body = super::ErrorBody),
        (status = 409, description = "A request with the same idempotency key is under way", body = super::ErrorBody),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
        (status = 422, description = "The idempotency key was used with another body", body = super::ErrorBody),
        (status = 500, description = "The worker failed, or the answer could not be recorded", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    params.finish()?;
    let key = idempotency_key(&headers)?;
    let body = app.read_body(&headers, body, app.config.limits.query_bytes_max).await?;
    let text = json::text(&body.bytes)?;
    // Serde would also accept an array, and read its items as the fields in their order.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(ApiError::bad_request("the body must be one JSON object"));
    }
    let question: Question = json::parse(text)?;
    if question.user_query.trim().is_empty() {
        return Err(ApiError::bad_request("user_query: must not be empty"));
    }
    let caller = caller.name().to_owned();
    let idempotency = key.map(|key| Idempotency::new(&caller, ROUTE, &key, &body.bytes));
    let answers = app.answers.clone();
    let exchange = Exchange::new(app.store.seams(), ROUTE, &caller, question.user_query, answers.worker.clone());
    let (stub, failed_id) = (exchange.stub(), exchange.id.to_string());
    let asking = async move { answers.ask(exchange, idempotency).await };
    let answered = app.answers.run(stub, asking).await.ok_or(ApiError::Panicked("its exchange panicked".to_owned()))?;
    let AuditedAnswer { log, is_repeat } = match answered {
        Ok(answer) => answer,
        // The failure is recorded, so callers can look up its record.
        Err(error @ AnswerError::Worker { .. }) => {
            let mut response = ApiError::from(error).into_response();
            add_log_id(&mut response, &failed_id);
            return Ok(response);
        }
        Err(error) => return Err(error.into()),
    };
    let (log_id, status) = (log.log_id.to_string(), log.status);
    let mut response = json::response(serde_json::to_vec(&Answered::from(log))?);
    add_log_id(&mut response, &log_id);
    let headers = response.headers_mut();
    headers.insert(STATUS, HeaderValue::from_static(status.as_str()));
    if is_repeat {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Adds a header with the id of the exchange's record.
pub(super) fn add_log_id(response: &mut Response, log_id: &str) {
    if let Ok(log_id) = HeaderValue::from_str(log_id) {
        response.headers_mut().insert(LOG_ID, log_id);
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    match (keys.next(), keys.next()) {
        (None, _) => Ok(None),
        (Some(key), None) if is_valid_key(key) => Ok(key.to_str().ok().map(str::to_owned)),
        _ => Err(ApiError::bad_request("idempotency-key: must be one key of 1 to 255 visible ASCII characters")),
    }
}

fn is_valid_key(key: &HeaderValue) -> bool {
    (1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) && key.as_bytes().iter().all(u8::is_ascii_graphic)
}

impl From<AnswerError> for ApiError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Worker { target, error } => Self::Worker { target, error },
            AnswerError::Upstream(error) => Self::Upstream(error),
            AnswerError::NotACompletion => Self::Upstream(CallError::Malformed("not a chat completion".to_owned())),
            AnswerError::HoldsProviderKey => Self::Upstream(CallError::HoldsProviderKey),
            AnswerError::CallerGone | AnswerError::Stopping => {
                Self::Overloaded("the server is stopping; send the request again")
            }
            AnswerError::InFlight => Self::InProgress("a request with this idempotency key is still being answered"),
            AnswerError::IdempotencyKeyReused => {
                Self::Unprocessable("idempotency-key: was used in the last 24 hours with another body")
            }
            AnswerError::Withheld => Self::Forbidden("the answer was withheld by its policy".into()),
            AnswerError::NotRecorded(error) => Self::NotRecorded(error),
            AnswerError::Json(error) => error.into(),
        }
    }
}
