//! The OpenAPI document: what the handlers say about themselves, and what is true of all of them.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::access::TABLE;
use crate::docs;

/// Errors that any route can answer, beside those that it names itself.
const COMMON: [(&str, &str); 6] = [
    ("400", "The request is not as it must be; `detail` says what and where"),
    ("401", "The key is missing, wrong, expired or revoked"),
    ("403", "The role, the origin or the host is not allowed"),
    ("429", "Too many requests; `Retry-After` says when to try again"),
    ("500", "A failure on the server; its log has the details under the request id"),
    ("503", "Overloaded, stopping or out of time; `Retry-After` says when to try again"),
];

const TAGS: [(&str, &str); 12] = [
    ("Answers", "Asking the worker, and what the audits of its answers say."),
    ("Gateway", "For OpenAI's own clients, with another base URL."),
    ("Intake", "Sending transactions and alerts in."),
    ("Investigations", "Transactions, alerts and investigations, read and worked on."),
    ("Reports", "What the report agent wrote, where each figure comes from, and what the supervisor says."),
    ("Reviews", "What waits for a person, and what people decide."),
    ("Events", "The log of everything that happened, read or followed live."),
    ("Ledger", "Proofs that nothing was changed, for anybody to check."),
    ("Agents", "What the agents do, and what they gave up on."),
    ("Keys", "Who may call."),
    ("Operation", "Health, numbers and settings."),
    ("Documentation", "This API, described."),
];

const ABOUT: &str = "Countersign audits what AI agents write, and records what they do in an append-only, tamper-evident \
    log.\n\n\
    Errors have one shape: `error`, `detail` and `status_code`; under `/v1` they have OpenAI's. Lists are `items` and `next`. An optional query \
    parameter without a value counts as not given. Times are \
    RFC 3339 in UTC, money is decimal text with its currency.";

/// The document and the page made from it, both rendered once at the start.
pub(crate) struct Documents {
    pub(crate) openapi: Bytes,
    pub(crate) page: Bytes,
}

impl Documents {
    /// Where no key is needed, the document says that one may be left out.
    pub(crate) fn new(collected: utoipa::openapi::OpenApi, needs_keys: bool) -> Self {
        let openapi = document(collected, needs_keys);
        Self { page: docs::render(&openapi).into(), openapi: openapi.to_string().into() }
    }
}

/// Completes what was collected from the handlers. Where no key is needed, the document says that one may be left out.
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
        "key": {"type": "http", "scheme": "bearer", "description": "`cs_...`, made by `countersign keys create`"},
    });
    for (pattern, methods) in TABLE {
        for (method, least) in *methods {
            // The dashboard's pages are in the table and not in here.
            let path = document["paths"].get_mut(*pattern);
            let operation = path.and_then(|path| path.get_mut(method.as_str().to_ascii_lowercase()));
            if let Some(operation) = operation.and_then(Value::as_object_mut) {
                operation.insert("operationId".into(), operation_id(method.as_str(), pattern).into());
                complete(operation, least.as_str(), needs_keys, pattern.starts_with("/v1/"));
            }
        }
    }
    document
}

/// Handlers of different resources share names such as `list`; clients made from the document need one id for each.
fn operation_id(method: &str, pattern: &str) -> String {
    let words = pattern.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_").to_ascii_lowercase()
}

/// An optional query parameter without a value counts as not given, whatever its type.
fn may_be_empty(parameter: &mut Value) {
    let is_text =
        parameter["schema"].get("type").is_some_and(|kind| kind == "string" || kind == &json!(["string", "null"]))
            && ["format", "enum", "pattern"].iter().all(|bound| parameter["schema"].get(*bound).is_none());
    if parameter["in"] == "query" && parameter["required"] != true && !is_text {
        let schema = parameter["schema"].take();
        parameter["schema"] = json!({"anyOf": [schema, {"type": "string", "maxLength": 0}]});
    }
}

fn complete(operation: &mut Map<String, Value>, least: &str, needs_keys: bool, is_gateway: bool) {
    operation.insert("x-least-role".into(), least.into());
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        may_be_empty(parameter);
    }
    let security = match (least, needs_keys) {
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
    for (status, description) in COMMON {
        if responses.get(status).is_none() {
            responses[status] = json!({
                "description": description,
                "content": {"application/json": {"schema": shape}},
            });
        }
    }
}
