//! From events to spans: one for each call to a model, and one for the exchange that they belong to, when it has ended.
//!
//! Names are those of OpenTelemetry's GenAI conventions, and ours begin with `countersign.`. A trace's id is the log's, so
//! either leads to the other. Of an event only what is named here is read: texts of queries and answers never get this far.

use countersign_domain::{
    CorrelationId, EventType, RiskStatus, StoredEvent,
    payload::{AnswerEnd, ModelCalled, Worker},
};
use serde::Deserialize;

use super::otlp::{Attribute, CLIENT, INTERNAL, Place, Span, SpanEvent};

/// What spans are made of.
pub(super) const TYPES: [EventType; 3] =
    [EventType::ModelCalled, EventType::AuditLogCreated, EventType::AnswerFailed];
const ROOT_NAME: &str = "countersign.answer";
const OK: &str = "ok";
/// Calls that an exchange makes. Others belong to an investigation, which has no span above them.
const OF_EXCHANGES: [&str; 3] = ["worker", "auditor", "gateway"];

#[derive(Deserialize)]
struct Audited {
    audit: Verdict,
    status: RiskStatus,
    worker: Option<Worker>,
}

#[derive(Deserialize)]
struct Verdict {
    risk_score: f64,
}

#[derive(Deserialize)]
struct Failed {
    end: AnswerEnd,
    model: Option<String>,
}

struct Made {
    span: Span,
    /// Of a call.
    purpose: Option<String>,
}

/// The spans of some consecutive events. What can't be read, or has been erased, gives none.
pub(super) fn spans(events: &[StoredEvent]) -> Vec<Span> {
    let mut made: Vec<Made> = Vec::with_capacity(events.len());
    for event in events {
        match EventType::parse(&event.event_type) {
            Some(EventType::ModelCalled) => made.extend(call(event)),
            Some(EventType::AuditLogCreated) => made.extend(audited(event)),
            Some(EventType::AnswerFailed) => failed(event, &mut made),
            _ => {}
        }
    }
    put_in_order(&mut made);
    made.into_iter().map(|made| made.span).collect()
}

/// Attempts of one call are recorded together, after the last: each ended before the next began.
fn put_in_order(made: &mut [Made]) {
    for index in (1..made.len()).rev() {
        let (earlier, later) = made.split_at_mut(index);
        let (Some(before), Some(after)) = (earlier.last_mut(), later.first()) else { continue };
        let is_same_call = before.purpose.is_some() && before.purpose == after.purpose;
        if is_same_call && before.span.trace_id == after.span.trace_id {
            before.span.move_before(&after.span);
        }
    }
}

fn call(event: &StoredEvent) -> Option<Made> {
    let call: ModelCalled = payload(event)?;
    let end = event.occurred_at.micros();
    let latency_micros = i64::try_from(call.latency_ms).unwrap_or(i64::MAX).saturating_mul(1_000);
    let trace = event.correlation_id.uuid().into_bytes();
    let parent = OF_EXCHANGES.contains(&call.purpose.as_str()).then(|| root_id(event.correlation_id));
    let place = Place { trace, span: last_half(event.event_id.uuid().into_bytes()), parent };
    let name = Attribute::bounded(&format!("chat {}", call.model));
    let mut span = Span::new(&place, CLIENT, name, end.saturating_sub(latency_micros), end);
    span.attributes = vec![
        Attribute::text("gen_ai.operation.name", "chat"),
        Attribute::text("gen_ai.provider.name", provider_name(&call.provider)),
        Attribute::text("gen_ai.request.model", &call.model),
        Attribute::text("countersign.purpose", &call.purpose),
        Attribute::whole("countersign.attempt", call.attempt.into()),
    ];
    let tokens = [("gen_ai.usage.input_tokens", call.input_tokens), ("gen_ai.usage.output_tokens", call.output_tokens)];
    let counted = tokens.into_iter().filter_map(|(key, tokens)| Some(Attribute::whole(key, tokens?)));
    span.attributes.extend(counted);
    let cost_usd = call.cost_usd.and_then(|cost| cost.parse::<f64>().ok()).filter(|cost| cost.is_finite());
    span.attributes.extend(cost_usd.map(|cost| Attribute::double("countersign.cost_usd", cost)));
    if call.outcome != OK {
        span.failed(&call.outcome);
    }
    Some(Made { span, purpose: Some(call.purpose) })
}

fn audited(event: &StoredEvent) -> Option<Made> {
    let Audited { audit, status, worker } = payload(event)?;
    let mut span = root(event);
    span.attributes.push(Attribute::text("countersign.status", status.as_str()));
    if let Some(worker) = worker {
        span.attributes.push(Attribute::text("gen_ai.provider.name", provider_name(&worker.provider)));
        span.attributes.push(Attribute::text("gen_ai.response.model", &worker.model));
    }
    let result = vec![
        Attribute::text("gen_ai.evaluation.name", "risk"),
        Attribute::double("gen_ai.evaluation.score.value", audit.risk_score),
        Attribute::text("gen_ai.evaluation.score.label", status.as_str()),
    ];
    span.events.push(SpanEvent::new("gen_ai.evaluation.result", event.occurred_at.micros(), result));
    Some(Made { span, purpose: None })
}

/// A refused answer has been audited just before: its span is there already, and fails.
fn failed(event: &StoredEvent, made: &mut Vec<Made>) {
    let Some(Failed { end, model }) = payload(event) else { return };
    let mut span = root(event);
    if let Some(audited) = made.pop_if(|last| last.span.trace_id == span.trace_id && last.span.span_id == span.span_id) {
        span.attributes = audited.span.attributes;
        span.events = audited.span.events;
    } else if let Some((_, model)) = model.as_deref().and_then(|target| target.split_once('/')) {
        span.attributes.push(Attribute::text("gen_ai.request.model", model));
    }
    span.failed(end_name(end));
    made.push(Made { span, purpose: None });
}

fn root(event: &StoredEvent) -> Span {
    let log = event.correlation_id.uuid();
    let end_micros = event.occurred_at.micros();
    // An exchange's id is made when it begins, and says when that was.
    let start_micros = log.get_timestamp().map(|at| at.to_unix()).and_then(|(seconds, nanos)| {
        i64::try_from(seconds).ok()?.checked_mul(1_000_000)?.checked_add(i64::from(nanos / 1_000))
    });
    let place = Place { trace: log.into_bytes(), span: root_id(event.correlation_id), parent: None };
    let mut span = Span::new(&place, INTERNAL, ROOT_NAME, start_micros.unwrap_or(end_micros), end_micros);
    span.attributes = vec![Attribute::text("countersign.log_id", &log.to_string())];
    span
}

/// Known from the log's id alone: calls name their parent before it is written.
fn root_id(log: CorrelationId) -> [u8; 8] {
    last_half(log.uuid().into_bytes())
}

/// Random but for two bits, which keep it from being all zeros.
fn last_half([_, _, _, _, _, _, _, _, half @ ..]: [u8; 16]) -> [u8; 8] {
    half
}

fn payload<'a, T: Deserialize<'a>>(event: &'a StoredEvent) -> Option<T> {
    serde_json::from_str(event.payload.as_ref()?.get()).ok()
}

/// The conventions' name of a provider; those that they don't list are called as they are here.
fn provider_name(provider: &str) -> &str {
    if provider == "gemini" { "gcp.gemini" } else { provider }
}

fn end_name(end: AnswerEnd) -> &'static str {
    match end {
        AnswerEnd::Failed => "failed",
        AnswerEnd::Refused => "refused",
        AnswerEnd::Cancelled => "cancelled",
        AnswerEnd::Interrupted => "interrupted",
    }
}
