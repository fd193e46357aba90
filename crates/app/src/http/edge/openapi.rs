//! Completes the OpenAPI document: adds to the handlers' own descriptions what all routes have in common.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::access::TABLE;
use crate::docs;

/// Errors that any route can return, besides those that it documents itself.
const COMMON_ERRORS: [(&str, &str); 6] = [
    ("400", "The request is invalid; `detail` says what is wrong and where"),
    ("401", "The key is missing, wrong, expired or revoked"),
    ("403", "The role, the origin or the host is not allowed"),
    ("429", "Too many requests; `Retry-After` says when to try again"),
    ("500", "The server failed; its log has the details under the request id"),
    ("503", "The server is overloaded or stopping, or the request timed out; `Retry-After` says when to try again"),
];

const TAGS: [(&str, &str); 12] = [
    ("Answers", "Ask the worker, and read the audits of its answers."),
    ("Gateway", "An OpenAI-compatible API; OpenAI's clients only need another base URL."),
    ("Intake", "Send transactions and alerts."),
    ("Investigations", "Read transactions and alerts, and work on investigations."),
    ("Reports", "Investigation reports, the source of each figure, and the supervisor's verdicts."),
    ("Reviews", "The review queue, and reviewers' decisions."),
    ("Events", "Read the event log, or follow it live."),
    ("Ledger", "Proofs that the log was not changed, which anyone can check."),
    ("Agents", "The agents' status, and events that they failed to process."),
    ("Keys", "Access keys and browser sessions."),
    ("Operation", "Health, metrics and settings."),
    ("Documentation", "This documentation, and the dashboard."),
];

const ABOUT: &str = "Countersign audits what AI agents write, and records what they do in an append-only, tamper-evident \
    log.\n\n\
    All errors have the same shape: `error`, `detail` and `status_code`; under `/v1` they have OpenAI's shape. Lists have \
    `items` and `next`. An optional query parameter with an empty value counts as absent. Times are RFC 3339 in UTC. Money is \
    decimal text with a currency.";

/// Schemas of responses to which later versions may add fields. The program itself refuses unknown fields in them, because it keeps a
/// stored audit of another version as it is; clients must accept them.
const OPEN_SCHEMAS: [&str; 3] = ["Audit", "AuditFinding", "Judge"];

/// The document and the page made from it. Both are rendered once, at the start.
pub(crate) struct Documents {
    pub(crate) openapi: Bytes,
    pub(crate) page: Bytes,
}

impl Documents {
    /// If no key is needed, the document says that the key is optional.
    pub(crate) fn new(collected: utoipa::openapi::OpenApi, needs_keys: bool) -> Self {
        let openapi = document(collected, needs_keys);
        Self { page: docs::render(&openapi).into(), openapi: openapi.to_string().into() }
    }
}

/// Completes the document collected from the handlers.
fn document(collected: utoipa::openapi::OpenApi, needs_keys: bool) -> Value {
    let mut document = serde_json::to_value(collected).unwrap_or_default();
    document["info"] = json!({
        "title": "Countersign",
        "version": env!("CARGO_PKG_VERSION"),
        "description": ABOUT,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    });
    document["tags"] =
        TAGS.iter().map(|(name, description)| json!({"name": name, "description": description})).collect();
    document["components"]["securitySchemes"] = json!({
        "key": {"type": "http", "scheme": "bearer", "description": "An access key, `cs_...`, created by `countersign keys create`"},
    });
    for name in OPEN_SCHEMAS {
        if let Some(schema) = document["components"]["schemas"].get_mut(name).and_then(Value::as_object_mut) {
            schema.remove("additionalProperties");
        }
    }
    for (pattern, methods) in TABLE {
        for (method, required) in *methods {
            // The dashboard's pages are in the table but not in the document.
            let path = document["paths"].get_mut(*pattern);
            let operation = path.and_then(|path| path.get_mut(method.as_str().to_ascii_lowercase()));
            if let Some(operation) = operation.and_then(Value::as_object_mut) {
                operation.insert("operationId".into(), operation_id(method.as_str(), pattern).into());
                complete(operation, required.as_str(), needs_keys, pattern.starts_with("/v1/"));
            }
        }
    }
    document
}

/// Handlers of different resources share names such as `list`, but clients generated from the document need unique ids.
fn operation_id(method: &str, pattern: &str) -> String {
    let words = pattern.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

/// Allows an empty value for every optional query parameter; it counts as absent. Plain text parameters allow it anyway.
fn allow_empty(parameter: &mut Value) {
    let is_text =
        parameter["schema"].get("type").is_some_and(|kind| kind == "string" || kind == &json!(["string", "null"]))
            && ["format", "enum", "pattern"].iter().all(|bound| parameter["schema"].get(*bound).is_none());
    if parameter["in"] == "query" && parameter["required"] != true && !is_text {
        let schema = parameter["schema"].take();
        parameter["schema"] = json!({"anyOf": [schema, {"type": "string", "maxLength": 0}]});
    }
}

fn complete(operation: &mut Map<String, Value>, required_role: &str, needs_keys: bool, is_gateway: bool) {
    operation.insert("x-least-role".into(), required_role.into());
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        allow_empty(parameter);
    }
    let security = match (required_role, needs_keys) {
        ("none", _) => json!([]),
        (_, true) => json!([{"key": []}]),
        (_, false) => json!([{}, {"key": []}]),
    };
    operation.insert("security".into(), security);
    let responses = operation.entry("responses").or_insert_with(|| json!({}));
    let shape = match is_gateway {
        true => json!({"type": "object", "properties": {"error": {"type": "object", "properties": {
            "message": {"type": "string"}, "type": {"type": "string"},
            "code": {"type": ["string", "null"]}, "param": {"type": ["string", "null"]},
        }}}}),
        false => json!({"$ref": "#/components/schemas/ErrorBody"}),
    };
    for (status, description) in COMMON_ERRORS {
        if responses.get(status).is_none() {
            responses[status] = json!({
                "description": description,
                "content": {"application/json": {"schema": shape}},
            });
        }
    }
}
