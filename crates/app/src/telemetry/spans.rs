//! Turns events into spans: one for each call to a model, and one for the exchange that the calls belong to, once it has ended.
//!
//! Names follow OpenTelemetry's GenAI conventions; our own begin with `countersign.`. A trace has its audit log's id, so that
//! each can be found from the other. Only the fields named here are read from an event, so queries and answers are never sent.

use countersign_domain::{
    CorrelationId, EventType, RiskStatus, StoredEvent,
    payload::{AnswerEnd, ModelCalled, Worker},
};
use serde::Deserialize;

use super::otlp::{Attribute, CLIENT, INTERNAL, Span, SpanEvent, SpanIds};

/// The events that spans are made from.
pub(super) const TYPES: [EventType; 3] = [EventType::ModelCalled, EventType::AuditLogCreated, EventType::AnswerFailed];
const ROOT_NAME: &str = "countersign.answer";
const OK: &str = "ok";
/// The purposes of calls that belong to an exchange. Other calls belong to an investigation, which has no span of its own.
const EXCHANGE_PURPOSES: [&str; 3] = ["worker", "auditor", "gateway"];

#[derive(Deserialize)]
struct AuditedPayload {
    audit: AuditScore,
    status: RiskStatus,
    worker: Option<Worker>,
}

#[derive(Deserialize)]
struct AuditScore {
    risk_score: f64,
}

#[derive(Deserialize)]
struct FailedPayload {
    end: AnswerEnd,
    model: Option<String>,
}

struct MadeSpan {
    span: Span,
    /// The call's purpose. `None` for an exchange.
    purpose: Option<String>,
}

/// The spans of consecutive events. Events that are unreadable or erased produce no span.
pub(super) fn spans(events: &[StoredEvent]) -> Vec<Span> {
    let mut made: Vec<MadeSpan> = Vec::with_capacity(events.len());
    for event in events {
        match EventType::parse(&event.event_type) {
            Some(EventType::ModelCalled) => made.extend(call_span(event)),
            Some(EventType::AuditLogCreated) => made.extend(audit_span(event)),
            Some(EventType::AnswerFailed) => add_failure(event, &mut made),
            _ => {}
        }
    }
    put_in_order(&mut made);
    made.into_iter().map(|made| made.span).collect()
}

/// Attempts of one call are recorded together, after the last one. Each must end before the next begins.
fn put_in_order(made: &mut [MadeSpan]) {
    for index in (1..made.len()).rev() {
        let (earlier, later) = made.split_at_mut(index);
        let (Some(before), Some(after)) = (earlier.last_mut(), later.first()) else { continue };
        let is_same_call = before.purpose.is_some() && before.purpose == after.purpose;
        if is_same_call && before.span.trace_id == after.span.trace_id {
            before.span.move_before(&after.span);
        }
    }
}

fn call_span(event: &StoredEvent) -> Option<MadeSpan> {
    let call: ModelCalled = payload(event)?;
    let end = event.occurred_at.micros();
    let latency_micros = i64::try_from(call.latency_ms).unwrap_or(i64::MAX).saturating_mul(1_000);
    let trace = event.correlation_id.uuid().into_bytes();
    let parent = EXCHANGE_PURPOSES.contains(&call.purpose.as_str()).then(|| root_id(event.correlation_id));
    let ids = SpanIds { trace, span: last_half(event.event_id.uuid().into_bytes()), parent };
    let name = Attribute::bounded(&format!("chat {}", call.model));
    let mut span = Span::new(&ids, CLIENT, name, end.saturating_sub(latency_micros), end);
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
        span.mark_failed(&call.outcome);
    }
    Some(MadeSpan { span, purpose: Some(call.purpose) })
}

fn audit_span(event: &StoredEvent) -> Option<MadeSpan> {
    let AuditedPayload { audit, status, worker } = payload(event)?;
    let mut span = exchange_span(event);
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
    Some(MadeSpan { span, purpose: None })
}

/// A refused answer was audited just before, so its span already exists. That span is marked as failed.
fn add_failure(event: &StoredEvent, made: &mut Vec<MadeSpan>) {
    let Some(FailedPayload { end, model }) = payload(event) else { return };
    let mut span = exchange_span(event);
    if let Some(audited) = made.pop_if(|last| last.span.trace_id == span.trace_id && last.span.span_id == span.span_id)
    {
        span.attributes = audited.span.attributes;
        span.events = audited.span.events;
    } else if let Some((_, model)) = model.as_deref().and_then(|target| target.split_once('/')) {
        span.attributes.push(Attribute::text("gen_ai.request.model", model));
    }
    span.mark_failed(end_name(end));
    made.push(MadeSpan { span, purpose: None });
}

fn exchange_span(event: &StoredEvent) -> Span {
    let log = event.correlation_id.uuid();
    let end_micros = event.occurred_at.micros();
    // An exchange's id is created when the exchange begins, and contains that time.
    let start_micros = log.get_timestamp().map(|at| at.to_unix()).and_then(|(seconds, nanos)| {
        i64::try_from(seconds).ok()?.checked_mul(1_000_000)?.checked_add(i64::from(nanos / 1_000))
    });
    let ids = SpanIds { trace: log.into_bytes(), span: root_id(event.correlation_id), parent: None };
    let mut span = Span::new(&ids, INTERNAL, ROOT_NAME, start_micros.unwrap_or(end_micros), end_micros);
    span.attributes = vec![Attribute::text("countersign.log_id", &log.to_string())];
    span
}

/// The id is derived only from the log's id, because calls name their parent before the parent is written.
fn root_id(log: CorrelationId) -> [u8; 8] {
    last_half(log.uuid().into_bytes())
}

/// The half is random except for two bits, which keep it from being all zeros.
fn last_half([_, _, _, _, _, _, _, _, half @ ..]: [u8; 16]) -> [u8; 8] {
    half
}

fn payload<'a, T: Deserialize<'a>>(event: &'a StoredEvent) -> Option<T> {
    serde_json::from_str(event.payload.as_ref()?.get()).ok()
}

/// The provider's name in the conventions. Providers that they don't list keep our name.
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

#[cfg(test)]
pub(super) mod tests {
    use countersign_domain::Time;
    use serde_json::{Value, json};

    use super::*;
    use crate::telemetry::otlp::Resource;

    /// An event ten seconds after 1970, of an exchange that began five seconds earlier.
    fn event(log: u8, event_type: EventType, at_ms: i64, payload: &Value) -> StoredEvent {
        let begun = Time::from_micros(5_000_000).unwrap();
        StoredEvent {
            seq: 0,
            event_id: countersign_domain::EventId::v7(begun, [at_ms.to_le_bytes()[0] ^ 0xff; 10]),
            event_type: event_type.as_str().to_owned(),
            occurred_at: Time::from_micros(10_000_000 + at_ms * 1_000).unwrap(),
            recorded_at: begun,
            producer: "test".to_owned(),
            correlation_id: CorrelationId::v7(begun, [log; 10]),
            causation_id: None,
            schema_version: 1,
            payload: Some(serde_json::value::to_raw_value(payload).unwrap()),
            metadata: None,
        }
    }

    pub(in crate::telemetry) fn called(
        log: u8,
        purpose: &str,
        attempt: u8,
        outcome: &str,
        latency_ms: u64,
    ) -> StoredEvent {
        let payload = json!({
            "purpose": purpose, "provider": "gemini", "model": "m", "attempt": attempt, "outcome": outcome,
            "input_tokens": 12, "cost_usd": "0.0125", "latency_ms": latency_ms
        });
        event(log, EventType::ModelCalled, attempt.into(), &payload)
    }

    fn audited(log: u8) -> StoredEvent {
        let payload = json!({
            "log_id": "01956b0c-2a40-7000-8000-000000000002", "query": "QUERY", "response": "RESPONSE",
            "status": "Flagged", "audit": {"risk_score": 8, "details": "DETAILS"}, "created_at": "2026-03-01T09:30:00Z",
            "worker": {"provider": "groq", "model": "llama", "latency_ms": 1}
        });
        event(log, EventType::AuditLogCreated, 20, &payload)
    }

    fn failed(log: u8) -> StoredEvent {
        let payload = json!({
            "log_id": "01956b0c-2a40-7000-8000-000000000002", "query": "QUERY", "partial_response": "RESPONSE",
            "end": "refused", "detail": "DETAILS", "failed_at": "2026-03-01T09:30:00Z", "model": "groq/vendor/llama"
        });
        event(log, EventType::AnswerFailed, 30, &payload)
    }

    fn written(events: &[StoredEvent]) -> Vec<Value> {
        let request = Resource::new("test").request(&spans(events)).unwrap();
        let text = String::from_utf8(request.clone()).unwrap();
        for secret in ["QUERY", "RESPONSE", "DETAILS"] {
            assert!(!text.contains(secret), "{text}");
        }
        let request: Value = serde_json::from_slice(&request).unwrap();
        request["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
    }

    fn times_ms(span: &Value) -> (i64, i64) {
        let ms = |name: &str| span[name].as_str().unwrap().parse::<i64>().unwrap() / 1_000_000 - 10_000;
        (ms("startTimeUnixNano"), ms("endTimeUnixNano"))
    }

    #[test]
    fn spans_of_attempts_that_were_recorded_together_do_not_overlap() {
        let spans = written(&[
            called(1, "worker", 1, "timeout", 100),
            called(1, "worker", 2, "server_error", 10),
            called(1, "worker", 3, "ok", 50),
            called(1, "auditor", 4, "ok", 1_000),
            called(2, "auditor", 5, "ok", 1_000),
        ]);
        let times: Vec<_> = spans.iter().map(times_ms).collect();
        assert_eq!(times, [(-157, -57), (-57, -47), (-47, 3), (-996, 4), (-995, 5)]);
        let errors: Vec<_> = spans.iter().map(|span| span["status"]["code"].as_u64()).collect();
        assert_eq!(errors, [Some(2), Some(2), None, None, None]);
    }

    #[test]
    fn an_exchange_begins_at_its_ids_time_and_is_the_parent_of_its_calls() {
        let spans = written(&[called(1, "gateway", 1, "ok", 5), audited(1), called(1, "writer", 2, "ok", 5)]);
        let [call, root, other] = spans.as_slice() else { panic!("{spans:?}") };
        assert_eq!((times_ms(root), &root["parentSpanId"]), ((-5_000, 20), &Value::Null));
        assert_eq!((&call["parentSpanId"], &call["traceId"]), (&root["spanId"], &root["traceId"]));
        assert_eq!(other["parentSpanId"], Value::Null, "the call belongs to no exchange");
        assert_eq!(call["attributes"][1]["value"]["stringValue"], "gcp.gemini");
    }

    #[test]
    fn tokens_and_cost_of_a_call_are_numbers() {
        let text = written(&[called(1, "worker", 1, "ok", 0)])[0]["attributes"].to_string();
        assert!(text.contains(r#"{"key":"gen_ai.usage.input_tokens","value":{"intValue":"12"}}"#), "{text}");
        assert!(text.contains(r#"{"key":"countersign.cost_usd","value":{"doubleValue":0.0125}}"#), "{text}");
        assert!(!text.contains("output_tokens"), "the provider sent no count: {text}");
    }

    #[test]
    fn a_refused_answer_is_one_span_with_its_audit_and_its_failure() {
        let spans = written(&[audited(1), failed(1)]);
        let [root] = spans.as_slice() else { panic!("{spans:?}") };
        assert_eq!((times_ms(root).1, root["status"]["code"].as_u64()), (30, Some(2)));
        assert_eq!(root["events"][0]["attributes"][1]["value"]["doubleValue"], 8.0);
        let text = root.to_string();
        assert!(text.contains(r#""llama""#) && text.contains(r#""refused""#), "{text}");
        assert_eq!(written(&[audited(1), failed(2)]).len(), 2, "the failure of another exchange has a span of its own");
    }

    #[test]
    fn an_answer_that_failed_before_its_audit_names_the_model() {
        let spans = written(&[failed(1)]);
        assert!(spans[0].to_string().contains(r#"{"stringValue":"vendor/llama"}"#), "{spans:?}");
    }

    #[test]
    fn events_without_a_readable_payload_produce_no_span() {
        let mut erased = audited(1);
        erased.payload = None;
        let wrong = event(1, EventType::AuditLogCreated, 0, &json!({"status": "Fine"}));
        let other = event(1, EventType::AnswerRequested, 0, &json!({}));
        assert!(written(&[erased, wrong, other]).is_empty());
    }
}
