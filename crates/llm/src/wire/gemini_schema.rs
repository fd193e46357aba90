//! Translates JSON Schema to Gemini's subset: inlines references, turns null into `nullable`, and drops unknown keys.

use serde_json::{Map, Value, json};

/// Keys with the same meaning in Gemini's subset.
const KEPT: [&str; 13] = [
    "default",
    "description",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "nullable",
    "pattern",
    "propertyOrdering",
    "required",
    "title",
];
/// Gemini refuses schemas with any other format.
const FORMATS: [&str; 6] = ["date-time", "double", "enum", "float", "int32", "int64"];
/// Limits schemas that refer to themselves.
const DEPTH_MAX: u8 = 24;

pub(crate) fn translate(schema: &Value) -> Value {
    translate_part(schema, schema, 0)
}

fn translate_part(schema: &Value, root: &Value, depth: u8) -> Value {
    let Some(object) = schema.as_object().filter(|_| depth < DEPTH_MAX) else { return json!({}) };
    if let Some(pointer) = object.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        return root.pointer(pointer).map_or_else(|| json!({}), |found| translate_part(found, root, depth + 1));
    }
    let inner = |value: &Value| translate_part(value, root, depth + 1);
    let mut out: Map<String, Value> =
        object.iter().filter(|(key, _)| KEPT.contains(&key.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect();
    if let Some(format) = object.get("format").filter(|format| format.as_str().is_some_and(|f| FORMATS.contains(&f))) {
        out.insert("format".into(), format.clone());
    }
    add_type(object, &mut out);
    add_choices(object, &mut out);
    if let Some(properties) = object.get("properties").and_then(Value::as_object) {
        let properties = properties.iter().map(|(name, value)| (name.clone(), inner(value))).collect();
        out.insert("properties".into(), Value::Object(properties));
    }
    if let Some(items) = object.get("items") {
        out.insert("items".into(), inner(items));
    }
    if let Some(any) = object.get("anyOf").or_else(|| object.get("oneOf")).and_then(Value::as_array) {
        let is_null = |value: &&Value| value.get("type").and_then(Value::as_str) == Some("null");
        if any.iter().any(|value| is_null(&value)) {
            out.insert("nullable".into(), true.into());
        }
        out.insert("anyOf".into(), any.iter().filter(|value| !is_null(value)).map(inner).collect());
    }
    Value::Object(out)
}

fn add_type(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let names: Vec<&str> = match object.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if let Some(name) = names.iter().find(|name| **name != "null") {
        out.insert("type".into(), name.to_ascii_uppercase().into());
    }
    if names.contains(&"null") {
        out.insert("nullable".into(), true.into());
    }
}

/// Gemini only supports enumerations of strings.
fn add_choices(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let listed = object.get("enum").and_then(Value::as_array).cloned();
    let choices = listed.or_else(|| object.get("const").map(|only| vec![only.clone()])).unwrap_or_default();
    let names: Vec<Value> = choices.into_iter().filter(Value::is_string).collect();
    if !names.is_empty() {
        out.insert("enum".into(), names.into());
        out.insert("type".into(), "STRING".into());
    }
}
