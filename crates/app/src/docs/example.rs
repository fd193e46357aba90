//! Builds an example value for a schema, for the body of a request.

use serde_json::{Map, Value, json};

use super::schema::Schemas;

/// Deeper examples are unreadable. The limit also ends recursive schemas.
const DEPTH_MAX: usize = 6;

/// The document's own example, or else the smallest value with all required fields.
pub(super) fn of<'a>(schemas: Schemas<'a>, schema: &'a Value) -> Value {
    build(schemas, schema, &mut Vec::new())
}

/// `open` holds the names of the schemas being built, to stop at a recursive schema.
fn build<'a>(schemas: Schemas<'a>, schema: &'a Value, open: &mut Vec<&'a str>) -> Value {
    let Some(name) = schemas.name_of(schema) else { return unnamed(schemas, schema, open) };
    if open.contains(&name) || open.len() >= DEPTH_MAX {
        return Value::Null;
    }
    open.push(name);
    let value = schemas.get(name).map_or(Value::Null, |schema| unnamed(schemas, schema, open));
    open.pop();
    value
}

fn unnamed<'a>(schemas: Schemas<'a>, schema: &'a Value, open: &mut Vec<&'a str>) -> Value {
    let given = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["const"], &schema["enum"][0]];
    if let Some(given) = given.into_iter().find(|value| !value.is_null()) {
        return given.clone();
    }
    if let Some(choices) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        let first = choices.iter().find(|choice| choice["type"] != "null");
        return first.map_or(Value::Null, |choice| build(schemas, choice, open));
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| build(schemas, part, open));
        return Value::Object(parts.filter_map(|part| part.as_object().cloned()).flatten().collect());
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kind {
        Some("object") => object(schemas, schema, open),
        Some("array") => list(schemas, schema, open),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(true),
        Some("string") => json!(string(schema["format"].as_str().unwrap_or_default())),
        _ if schema["properties"].is_object() => object(schemas, schema, open),
        _ => Value::Null,
    }
}

fn object<'a>(schemas: Schemas<'a>, schema: &'a Value, open: &mut Vec<&'a str>) -> Value {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let mut example = Map::new();
    for (name, field) in fields.filter(|(name, _)| required.contains(&name.as_str())) {
        example.insert(name.clone(), build(schemas, field, open));
    }
    Value::Object(example)
}

fn list<'a>(schemas: Schemas<'a>, schema: &'a Value, open: &mut Vec<&'a str>) -> Value {
    if let Some(parts) = schema["prefixItems"].as_array() {
        return parts.iter().map(|part| build(schemas, part, open)).collect();
    }
    match build(schemas, &schema["items"], open) {
        Value::Null => json!([]),
        item => json!([item]),
    }
}

fn string(format: &str) -> &'static str {
    match format {
        "uuid" => "01920000-0000-7000-8000-000000000000",
        "date-time" => "2026-01-31T12:00:00Z",
        "date" => "2026-01-31",
        "uri" | "url" => "https://example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        _ => "text",
    }
}
