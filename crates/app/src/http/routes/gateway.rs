//! The OpenAI-compatible routes. The guard gives their errors OpenAI's shape.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use countersign_config::Policy;
use countersign_llm::{Target, Usage};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::process_agent::{STATUS, add_log_id};
use crate::{
    answers::{AnswerError, AnswerRefusal, Exchange, PENDING},
    gateway::{self, ChatRequest, ChatRequestError, Headers, Opened, ROUTE, WholeAnswer},
    http::edge::{
        App,
        error::{ApiError, Result, SHOULD_RETRY},
        json,
        query::Params,
    },
    keys::Caller,
};

/// Create a chat completion
///
/// Accepts requests in OpenAI's format, including requests for streams, and records and audits the answers. A model without a
/// provider goes to the worker's provider, and `provider/model` goes to the named provider. Unknown fields are passed through
/// unchanged, unless an enforced policy masks or removes them. The response header `x-countersign-log-id` is the id of the record,
/// and `x-countersign-status` its verdict: `Safe`, `Warning`, `Flagged`, or `Pending` until the audit is finished.
#[utoipa::path(post, path = "/v1/chat/completions", tag = "Gateway",
    request_body(content = Object, description = "A chat completion request in OpenAI's format"),
    responses(
        (status = 200, description = "A chat completion, or a stream of its chunks", body = Object),
        (status = 400, description = "Not a chat request", body = Object),
        (status = 403, description = "The answer was refused because of its audit; the error's type is `countersign_refused`", body = Object),
        (status = 404, description = "No key is configured for the model's provider", body = Object),
        (status = 413, description = "Too many bytes", body = Object),
        (status = 502, description = "The provider can't be reached, or its response is not a chat completion", body = Object),
        (status = 504, description = "The provider took too long", body = Object),
    ),
)]
pub(super) async fn chat(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    params.finish()?;
    let body = app.read_body(&headers, body, app.config.limits.gateway_bytes_max).await?;
    let answers = &app.answers;
    let request = ChatRequest::read(&body.bytes, &answers.worker, |name| answers.models.has_provider(name))?;
    let policy = policy(&app, &request.model, &request.target, &caller);
    let ChatRequest { target, is_stream, query, body, .. } = request;
    let mut exchange = Exchange::new(app.store.seams(), ROUTE, caller.name(), query, target);
    exchange.note("policy", policy.to_json());
    let (log_id, stub) = (exchange.id.to_string(), exchange.stub());
    // Cancelled when this handler is dropped, which happens when the caller disconnects.
    let gone = CancellationToken::new();
    let _gone = gone.clone().drop_guard();
    if is_stream {
        let (shared, exchanges) = (answers.clone(), answers.clone());
        let opened =
            exchanges.run(stub, async move { gateway::open(&shared, exchange, body, policy, gone).await }).await;
        return Ok(match opened.ok_or_else(panicked_error)? {
            Ok(Opened::Whole(answer)) => whole_response(answer, &log_id),
            Ok(Opened::Stream { headers, events }) => stream_response(&log_id, headers, events),
            Err(error) => failed_response(error, &log_id),
        });
    }
    let shared = answers.clone();
    let completed =
        answers.run(stub, async move { gateway::complete(&shared, exchange, body, policy, gone).await }).await;
    Ok(match completed.ok_or_else(panicked_error)? {
        Ok(answer) => whole_response(answer, &log_id),
        Err(error) => failed_response(error, &log_id),
    })
}

/// The response to a failed exchange, with the id of its record.
fn failed_response(error: AnswerError, log_id: &str) -> Response {
    let mut response = ApiError::from(error).into_response();
    add_log_id(&mut response, log_id);
    response
}

fn panicked_error() -> ApiError {
    ApiError::Panicked("its exchange panicked".to_owned())
}

/// Looks up a policy by all names of the model: as the caller named it, with its provider, and without.
fn policy(app: &App, named: &str, target: &Target, caller: &Caller) -> Policy {
    let full = target.to_string();
    let models = [named, full.as_str(), &target.model];
    let policies = &app.answers.policies;
    match caller {
        Caller::Key { id, .. } if !policies.policies.is_empty() => {
            let name = app.keys.name_of(id).unwrap_or_default();
            policies.policy_for(&models, &[id.as_str(), &name])
        }
        _ => policies.policy_for(&models, &[]),
    }
}

fn whole_response(answer: WholeAnswer, log_id: &str) -> Response {
    let mut response = match answer {
        WholeAnswer::Delivered { status, headers, body, audit_status } => {
            let mut response = upstream_response(status, headers, body.into());
            response.headers_mut().insert(STATUS, HeaderValue::from_static(audit_status));
            response
        }
        WholeAnswer::UpstreamError { status, headers, body } => {
            let mut response = upstream_response(status, headers, body.into());
            response.headers_mut().insert(SHOULD_RETRY, HeaderValue::from_static("false"));
            response
        }
        WholeAnswer::Refused { refusal, audit_status } => refused_response(refusal, audit_status),
    };
    add_log_id(&mut response, log_id);
    response
}

fn upstream_response(status: u16, headers: Headers, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    response.headers_mut().extend(headers);
    response
}

fn refused_response(refusal: AnswerRefusal, audit_status: &'static str) -> Response {
    let error = serde_json::json!({"error": {
        "message": refusal.message(), "type": "countersign_refused", "code": refusal.code(), "param": null,
    }});
    let mut response = json::response(error.to_string());
    *response.status_mut() = StatusCode::FORBIDDEN;
    response.headers_mut().insert(STATUS, HeaderValue::from_static(audit_status));
    response
}

fn stream_response(log_id: &str, headers: Headers, events: mpsc::Receiver<Bytes>) -> Response {
    let body = stream::unfold(events, |mut events| async move {
        let event = events.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(event), events))
    });
    let mut response = upstream_response(200, headers, Body::from_stream(body));
    add_log_id(&mut response, log_id);
    response.headers_mut().insert(STATUS, HeaderValue::from_static(PENDING));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    // Tells proxies not to buffer the stream.
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// List models
///
/// Returns the models of the worker's provider.
#[utoipa::path(get, path = "/v1/models", tag = "Gateway", responses(
    (status = 200, description = "A list of models in OpenAI's format", body = Object),
))]
pub(super) async fn models(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
) -> Result<Response> {
    params.finish()?;
    let answers = &app.answers;
    let called = answers.models.get_models(&answers.worker.provider).await;
    let mut forwarded = called.result.map_err(AnswerError::Upstream)?;
    let body = forwarded.bytes().await.map_err(AnswerError::Upstream)?;
    let (status, headers) = (forwarded.status, std::mem::take(&mut forwarded.headers));
    let policy = policy(&app, &answers.worker.model, &answers.worker, &caller);
    let (headers, body) = gateway::released_response(headers, body, policy, answers.models.secrets());
    let outcome = forwarded.outcome();
    forwarded.finish(outcome, Usage::default());
    // A list that was withheld or can't be read is an upstream failure, whatever status the provider sent.
    let is_list = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&body)
        .is_ok_and(|fields| !fields.contains_key("error"));
    let status = if status == 200 && !is_list { 502 } else { status };
    Ok(match openai_list(&body).filter(|_| status == 200) {
        Some(list) => json::response(list),
        None => upstream_response(status, headers, body.into()),
    })
}

/// Puts a list into OpenAI's shape. `None` for a list that already has that shape, which is passed on unchanged.
fn openai_list(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct List {
        object: Option<serde::de::IgnoredAny>,
        data: Vec<Item>,
    }
    #[derive(Deserialize)]
    struct Item {
        id: String,
    }
    let list: List = serde_json::from_slice(body).ok().filter(|list: &List| list.object.is_none())?;
    let item =
        |item: &Item| serde_json::json!({"id": item.id, "object": "model", "created": 0, "owned_by": "provider"});
    Some(serde_json::json!({"object": "list", "data": list.data.iter().map(item).collect::<Vec<_>>()}).to_string())
}

impl From<ChatRequestError> for ApiError {
    fn from(error: ChatRequestError) -> Self {
        match error {
            ChatRequestError::NotConfigured(_) => Self::NotFound(error.to_string().into()),
            _ => Self::BadRequest(error.to_string().into()),
        }
    }
}
