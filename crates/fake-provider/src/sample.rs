//! A small JSON value that fits a schema, for callers that ask for structured output or for a tool's arguments.
//! It only supports the keywords that our callers use, and does not validate schemas.

use serde_json::{Map, Value, json};

const DEPTH_MAX: usize = 16;

pub(crate) fn sample(schema: &Value) -> Value {
    at_depth(schema, 0)
}

fn at_depth(schema: &Value, depth: usize) -> Value {
    if depth == DEPTH_MAX {
        return Value::Null;
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    if let Some(first) = schema["anyOf"].get(0) {
        return at_depth(first, depth + 1);
    }
    // Gemini writes types in capitals; a union is a list.
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object");
    match kind.to_ascii_lowercase().as_str() {
        "string" => json!("sample"),
        "integer" => json!(schema["minimum"].as_i64().unwrap_or(1)),
        "number" => json!(schema["minimum"].as_f64().unwrap_or(0.5)),
        "boolean" => json!(false),
        "array" => json!([at_depth(&schema["items"], depth + 1)]),
        "null" => Value::Null,
        _ => object(schema, depth),
    }
}

fn object(schema: &Value, depth: usize) -> Value {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, property)| (name.clone(), at_depth(property, depth + 1))).collect::<Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_gets_a_value_of_its_type() {
        let schema = json!({"type": "object", "properties": {
            "city": {"type": "string"}, "days": {"type": "integer", "minimum": 3}, "unit": {"enum": ["C", "F"]},
            "tags": {"type": "ARRAY", "items": {"type": "STRING"}}, "note": {"type": ["null", "string"]},
        }});
        let expected = json!({"city": "sample", "days": 3, "unit": "C", "tags": ["sample"], "note": null});
        assert_eq!(sample(&schema), expected);
    }

    #[test]
    fn a_deeply_nested_schema_is_cut_off() {
        let deep = (0..100).fold(json!({}), |inner, _| json!({"type": "array", "items": inner}));
        assert!(sample(&deep).to_string().len() < 64);
    }
}
