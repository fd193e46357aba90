//! The witness's routes. All its responses are public. `memory.rs` decides what it signs.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{RawQuery, State},
    http::{
        StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
    routing::{get, post},
};
use countersign_ledger::{AddCheckpoint, LedgerError, REQUEST_BYTES_MAX, Refusal};
use percent_encoding::percent_decode_str;
use tokio::time::timeout;

use super::memory::{CosignRefusal, WitnessMemory};
use crate::connections::Overload;

const TEXT: &str = "text/plain; charset=utf-8";
/// The content type of the size in a 409, as specified.
const SIZE: &str = "text/x.tlog.size";
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// While all connections are in use, only `/health` is answered.
pub(crate) const OVERLOAD: Overload = Overload { is_probe: |path| path == "/health", refuse: overloaded };

pub(crate) fn router(memory: Arc<WitnessMemory>) -> Router {
    Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/checkpoint", get(checkpoint))
        .route("/key", get(key))
        .route("/health", get(async || answer(StatusCode::OK, "ok\n")))
        .fallback(async || answer(StatusCode::NOT_FOUND, "nothing is here; see docs/ledger.md\n"))
        .with_state(memory)
}

/// The `add-checkpoint` request of C2SP tlog-witness: checks the consistency proof and responds with the cosignature.
async fn add_checkpoint(State(memory): State<Arc<WitnessMemory>>, body: Body) -> Response {
    let body = match timeout(BODY_WITHIN, to_bytes(body, REQUEST_BYTES_MAX)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return answer(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long or incomplete\n"),
        Err(_) => return answer(StatusCode::REQUEST_TIMEOUT, "the request took too long\n"),
    };
    let text = std::str::from_utf8(&body).map_err(|_| LedgerError::BadEncoding("UTF-8"));
    let request = match text.and_then(AddCheckpoint::parse) {
        Ok(request) => request,
        Err(error) => return answer(StatusCode::BAD_REQUEST, format!("{error}\n")),
    };
    // Write to disk on a blocking thread.
    match tokio::task::spawn_blocking(move || memory.add(&request)).await {
        Ok(Ok(cosignature)) => answer(StatusCode::OK, cosignature.line),
        Ok(Err(refused)) => refusal(&refused),
        Err(_) => answer(StatusCode::INTERNAL_SERVER_ERROR, "the request failed\n"),
    }
}

/// The last cosigned note of the log named by `?origin=`, cosigned again with the current time.
async fn checkpoint(State(memory): State<Arc<WitnessMemory>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let origin = query.strip_prefix("origin=").and_then(|origin| percent_decode_str(origin).decode_utf8().ok());
    let Some(origin) = origin else {
        return answer(StatusCode::BAD_REQUEST, "the parameter origin is missing: ?origin=ORIGIN\n");
    };
    match memory.last(&origin) {
        Some(Ok(note)) => answer(StatusCode::OK, note),
        Some(Err(error)) => {
            tracing::error!(%error, "could not refresh the cosignature on the last note");
            answer(StatusCode::INTERNAL_SERVER_ERROR, "the note could not be cosigned\n")
        }
        None => answer(StatusCode::NOT_FOUND, "this witness has not cosigned any checkpoint of this log\n"),
    }
}

async fn key(State(memory): State<Arc<WitnessMemory>>) -> Response {
    answer(StatusCode::OK, format!("{}\n", memory.key().to_vkey()))
}

fn overloaded(_: &str) -> Response {
    let text = "all connections are in use; try again\n";
    ([(RETRY_AFTER, "1")], answer(StatusCode::SERVICE_UNAVAILABLE, text)).into_response()
}

/// Chooses the statuses that the specification requires.
fn refusal(refused: &CosignRefusal) -> Response {
    let status = match refused {
        CosignRefusal::Malformed(_) | CosignRefusal::NotConsistent(Refusal::OldSizeTooLarge) => StatusCode::BAD_REQUEST,
        CosignRefusal::UnknownLog => StatusCode::NOT_FOUND,
        CosignRefusal::NotSigned(_) => StatusCode::FORBIDDEN,
        CosignRefusal::NotConsistent(Refusal::OtherSize { known_size } | Refusal::Fork { known_size }) => {
            return (StatusCode::CONFLICT, [(CONTENT_TYPE, SIZE)], format!("{known_size}\n")).into_response();
        }
        CosignRefusal::NotConsistent(Refusal::BadProof) => StatusCode::UNPROCESSABLE_ENTITY,
        CosignRefusal::NotStored(error) => {
            tracing::error!(%error, "could not store a checkpoint, so it was not cosigned");
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    answer(status, format!("{refused}\n"))
}

fn answer(status: StatusCode, text: impl Into<String>) -> Response {
    (status, [(CONTENT_TYPE, TEXT)], text.into()).into_response()
}
