//! Spans in OTLP/HTTP's JSON encoding: ids in hex, times and integers as text, enums as numbers.

use data_encoding::HEXLOWER;
use serde::{Serialize, Serializer};

pub(super) const INTERNAL: u8 = 1;
pub(super) const CLIENT: u8 = 3;
const STATUS_ERROR: u8 = 2;
/// The span is sampled, and its parent is known to be from this process.
const FLAGS: u32 = 0x101;
/// Longer texts are truncated: those from outside, such as models' names, may be long.
const TEXT_CHARS_MAX: usize = 256;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Span {
    pub(super) trace_id: String,
    pub(super) span_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_span_id: Option<String>,
    flags: u32,
    name: String,
    kind: u8,
    #[serde(rename = "startTimeUnixNano", serialize_with = "as_nanos")]
    start_micros: i64,
    #[serde(rename = "endTimeUnixNano", serialize_with = "as_nanos")]
    end_micros: i64,
    pub(super) attributes: Vec<Attribute>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<SpanEvent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SpanEvent {
    #[serde(rename = "timeUnixNano", serialize_with = "as_nanos")]
    at_micros: i64,
    name: &'static str,
    attributes: Vec<Attribute>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Attribute {
    key: &'static str,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
enum Value {
    #[serde(rename = "stringValue")]
    Text(String),
    #[serde(rename = "intValue")]
    Whole(String),
    #[serde(rename = "doubleValue")]
    Double(f64),
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Status {
    code: u8,
}

/// The ids that place a span in its trace.
pub(super) struct SpanIds {
    pub(super) trace: [u8; 16],
    pub(super) span: [u8; 8],
    pub(super) parent: Option<[u8; 8]>,
}

impl Span {
    /// Times are in microseconds since 1970.
    pub(super) fn new(ids: &SpanIds, kind: u8, name: impl Into<String>, start_micros: i64, end_micros: i64) -> Self {
        Self {
            trace_id: HEXLOWER.encode(&ids.trace),
            span_id: HEXLOWER.encode(&ids.span),
            parent_span_id: ids.parent.map(|parent| HEXLOWER.encode(&parent)),
            flags: FLAGS,
            name: name.into(),
            kind,
            start_micros: start_micros.min(end_micros),
            end_micros,
            attributes: Vec::new(),
            events: Vec::new(),
            status: None,
        }
    }

    /// Moves the span to an earlier time, so that it ends before `next` begins.
    pub(super) fn move_before(&mut self, next: &Self) {
        let late_micros = (self.end_micros - next.start_micros).max(0);
        self.start_micros -= late_micros;
        self.end_micros -= late_micros;
    }

    /// Marks the span as failed, with the class of the error.
    pub(super) fn mark_failed(&mut self, error_type: &str) {
        self.attributes.push(Attribute::text("error.type", error_type));
        self.status = Some(Status { code: STATUS_ERROR });
    }
}

impl SpanEvent {
    pub(super) fn new(name: &'static str, at_micros: i64, attributes: Vec<Attribute>) -> Self {
        Self { at_micros, name, attributes }
    }
}

impl Attribute {
    pub(super) fn text(key: &'static str, text: &str) -> Self {
        Self { key, value: Value::Text(Self::bounded(text)) }
    }

    pub(super) fn bounded(text: &str) -> String {
        text.chars().take(TEXT_CHARS_MAX).collect()
    }

    pub(super) fn whole(key: &'static str, number: u64) -> Self {
        // The protocol's integers are signed.
        Self { key, value: Value::Whole(number.min(i64::MAX as u64).to_string()) }
    }

    pub(super) fn double(key: &'static str, number: f64) -> Self {
        Self { key, value: Value::Double(number) }
    }
}

fn as_nanos<S: Serializer>(micros: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&micros.saturating_mul(1_000).max(0))
}

/// The sender of the spans.
#[derive(Debug, Serialize)]
pub(super) struct Resource {
    attributes: Vec<Attribute>,
}

impl Resource {
    pub(super) fn new(service_name: &str) -> Self {
        let version = Attribute::text("service.version", env!("CARGO_PKG_VERSION"));
        Self { attributes: vec![Attribute::text("service.name", service_name), version] }
    }

    /// The body of a request with these spans.
    pub(super) fn request(&self, spans: &[Span]) -> serde_json::Result<Vec<u8>> {
        let scope = Scope { name: "countersign", version: env!("CARGO_PKG_VERSION") };
        let resource_spans = [ResourceSpans { resource: self, scope_spans: [ScopeSpans { scope, spans }] }];
        serde_json::to_vec(&Request { resource_spans })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    resource_spans: [ResourceSpans<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans<'a> {
    resource: &'a Resource,
    scope_spans: [ScopeSpans<'a>; 1],
}

#[derive(Serialize)]
struct ScopeSpans<'a> {
    scope: Scope,
    spans: &'a [Span],
}

#[derive(Serialize)]
struct Scope {
    name: &'static str,
    version: &'static str,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;

    #[test]
    fn a_request_is_encoded_as_the_protocol_requires() {
        let ids = SpanIds { trace: [1; 16], span: [0xab; 8], parent: Some([0; 8]) };
        let mut span = Span::new(&ids, CLIENT, "chat m", -5, 2_000_001);
        span.attributes = vec![Attribute::whole("n", u64::MAX), Attribute::double("d", 7.0)];
        span.events = vec![SpanEvent::new("e", 3, vec![Attribute::text("t", &"x".repeat(1_000))])];
        span.mark_failed("timeout");
        let request: Json = serde_json::from_slice(&Resource::new("bank").request(&[span]).unwrap()).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            request,
            json!({"resourceSpans": [{
                "resource": {"attributes": [
                    {"key": "service.name", "value": {"stringValue": "bank"}},
                    {"key": "service.version", "value": {"stringValue": version}},
                ]},
                "scopeSpans": [{"scope": {"name": "countersign", "version": version}, "spans": [{
                    "traceId": "01010101010101010101010101010101", "spanId": "abababababababab",
                    "parentSpanId": "0000000000000000", "flags": 257, "name": "chat m", "kind": 3,
                    "startTimeUnixNano": "0", "endTimeUnixNano": "2000001000",
                    "attributes": [
                        {"key": "n", "value": {"intValue": "9223372036854775807"}},
                        {"key": "d", "value": {"doubleValue": 7.0}},
                        {"key": "error.type", "value": {"stringValue": "timeout"}},
                    ],
                    "events": [{"timeUnixNano": "3000", "name": "e", "attributes": [
                        {"key": "t", "value": {"stringValue": "x".repeat(256)}},
                    ]}],
                    "status": {"code": 2},
                }]}],
            }]})
        );
    }
}
