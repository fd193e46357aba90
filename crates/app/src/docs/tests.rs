//! Tests of the page for a document like the real one, and for hostile and malformed documents.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;

fn sample() -> Value {
    serde_json::from_str(include_str!("sample.json")).unwrap()
}

/// A copy of a document in which `change` was applied to every string, including keys.
fn with_strings(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| with_strings(item, change)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, field)| (key.clone(), with_strings(field, change)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn occurrences<'p>(page: &'p str, before: &str) -> Vec<&'p str> {
    page.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The visible text of a page, without tags and unescaped.
fn visible(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<').skip(1) {
        text.push_str(part.split_once('>').map_or("", |(_, text)| text));
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// The visible text of the section with this anchor.
fn inside(page: &str, anchor: &str) -> String {
    let start = page.find(&format!("id=\"{anchor}\"")).unwrap_or_else(|| panic!("no {anchor}"));
    visible(&format!("<{}", page[start..].split("</details>").next().unwrap()))
}

#[test]
fn every_operation_and_every_schema_appears_and_can_be_linked_to() {
    let (document, page) = (sample(), render(&sample()));
    let text = visible(&page);
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap().iter().filter(|(verb, _)| *verb != "parameters") {
            operations += 1;
            let anchor = anchor("op", &format!("{verb}{path}"));
            assert!(page.contains(&format!("id=\"{anchor}\"")) && page.contains(&format!("href=\"#{anchor}\"")));
            assert!(text.contains(operation["summary"].as_str().unwrap()));
            for response in operation["responses"].as_object().unwrap().values() {
                assert!(inside(&page, &anchor).contains(response["description"].as_str().unwrap()), "{path}");
            }
        }
    }
    assert_eq!(page.matches("<details class=\"operation\">").count(), operations);
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let part = inside(&page, &schema::anchor_of(name));
        for field in schema["properties"].as_object().into_iter().flatten().map(|(field, _)| field) {
            assert!(part.contains(field.as_str()), "{name}.{field}");
        }
    }
}

#[test]
fn every_link_has_exactly_one_target() {
    let page = render(&sample());
    let ids = occurrences(&page, " id=\"");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for target in occurrences(&page, " href=\"#") {
        assert!(ids.contains(&target), "{target}");
    }
}

#[test]
fn the_page_loads_only_its_stylesheet_and_needs_no_javascript_or_inline_styles() {
    let page = render(&sample());
    for forbidden in ["<script", "style=", "<style", "src=", "onclick", "javascript:", "@import", "<img", "<iframe"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    for address in occurrences(&page, " href=\"") {
        assert!(["#", "/api/"].iter().any(|start| address.starts_with(start)), "{address}");
    }
    assert_eq!(page.matches("<link").count(), 1);
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains("//"));
}

#[test]
fn hostile_text_anywhere_in_the_document_stays_text() {
    let attack = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`<b>`\u{0}\u{1b}";
    let tags = |page: &str| -> BTreeSet<String> {
        page.split('<').skip(1).map(|tag| tag.split([' ', '>', '\n']).next().unwrap_or_default().to_owned()).collect()
    };
    let document = with_strings(&sample(), &|text| format!("{text}{attack}"));
    let page = render(&document);
    assert_eq!(tags(&page).difference(&tags(&render(&sample()))).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains('\u{1b}') && !page.contains('\u{0}'));
    assert!(page.contains("&lt;script&gt;"));
}

#[test]
fn hostile_names_of_paths_schemas_and_fields_stay_text() {
    let name = "\"><script>x</script>";
    let document = json!({
        "info": { "title": name, "version": name, "description": name },
        "tags": [{ "name": name, "description": name }],
        "paths": { format!("/{name}"): { "get": {
            "tags": [name], "x-least-role": name,
            "parameters": [{ "name": name, "in": name, "schema": { "type": name, "format": name, "pattern": name } }],
            "requestBody": { "content": { name: { "schema": { "$ref": format!("#/components/schemas/{name}") } } } },
            "responses": { name: { "description": name, "headers": { name: {} }, "content": { name: { "schema": { "enum": [name] } } } } },
        } } },
        "components": { "schemas": { name: { "properties": { name: { "const": name, "default": name } }, "required": [name] } } },
    });
    let page = render(&document);
    assert!(!page.contains("<script"), "{page}");
    for anchor in occurrences(&page, " id=\"") {
        assert!(anchor.chars().all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c)), "{anchor}");
    }
}

#[test]
fn an_operation_shows_its_role_its_parameters_and_its_bodies() {
    let part = inside(&render(&sample()), "op-post.process-agent");
    for expected in [
        "Minimum role: agent",
        "the same key and another body are refused",
        "Idempotency-Key",
        "header",
        "string | null",
        "optional",
        "length at most 128",
        "What the person asked.",
        "user_query required",
        "x-countersign-log-id",
        "Finding[]",
        "application/json ErrorBody",
    ] {
        assert!(part.contains(expected), "{expected} in {part}");
    }
}

#[test]
fn types_are_short_expressions() {
    let check = |schema: Value, expected: &str| {
        let document =
            json!({ "components": { "schemas": { "Log": { "type": "object", "properties": { "id": {} } } } } });
        let mut page = Html::new();
        page.raw("<i>");
        Schemas::of(&document).type_of(&mut page, &schema, 0);
        assert_eq!(visible(&page.into_string()), expected, "{schema}");
    };
    check(json!({}), "any");
    check(json!({ "type": "string" }), "string");
    check(json!({ "type": "string", "format": "uuid" }), "string uuid");
    check(json!({ "type": ["integer", "null"], "format": "int64" }), "integer int64 | null");
    check(json!({ "enum": ["a", 1] }), "\"a\" | 1");
    check(json!({ "type": "array", "items": { "enum": ["a", "b"] } }), "(\"a\" | \"b\")[]");
    check(json!({ "type": "array", "items": { "$ref": "#/components/schemas/Log" } }), "Log[]");
    check(json!({ "type": "array", "items": { "type": "object", "properties": { "id": {} } } }), "Log[]");
    check(json!({ "type": "array", "items": false, "prefixItems": [{ "type": "string" }, {}] }), "[string, any]");
    check(json!({ "type": "object", "additionalProperties": { "type": "number" } }), "map of number");
    check(json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Gone" }] }), "null | Gone");
    check(json!({ "allOf": [{ "$ref": "#/components/schemas/Log" }, { "type": "object" }] }), "Log & object");
}

#[test]
fn a_command_can_be_pasted_into_a_shell() {
    let page = render(&sample());
    let check = |anchor: &str, expected: &str| {
        let part = inside(&page, anchor);
        assert_eq!(part.split_once("Example").unwrap().1, expected);
    };
    let key = "-H \"Authorization: Bearer $COUNTERSIGN_KEY\"";
    check("op-get.health", "curl 'http://127.0.0.1:8080/health'");
    check("op-get.api.live", "websocat 'ws://127.0.0.1:8080/api/live'");
    check("op-delete.api.logs.~id~", &format!("curl -X DELETE 'http://127.0.0.1:8080/api/logs/ID' \\\n  {key}"));
    check(
        "op-get.api.ledger.consistency",
        &format!("curl 'http://127.0.0.1:8080/api/ledger/consistency?from=FROM&to=184203' \\\n  {key}"),
    );
    check(
        "op-post.api.reports.~id~.reviews",
        &format!(
            "curl -X POST 'http://127.0.0.1:8080/api/reports/ID/reviews' \\\n  {key} \\\n  -H 'Content-Type: application/json' \\\n  \
             -d '{{\n  \"comment\": \"It'\\''s complete.\",\n  \"decision\": \"approve\"\n}}'"
        ),
    );
}

#[test]
fn recursive_schemas_are_rendered() {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let document = json!({
        "paths": { "/x": { "post": {
            "requestBody": { "content": { "application/json": { "schema": reference("A") } } },
            "responses": { "200": { "description": "", "content": { "application/json": { "schema": reference("Self") } } } },
        } } },
        "components": { "schemas": {
            "A": { "type": "object", "required": ["b", "more"], "properties": { "b": reference("B"), "more": { "type": "array", "items": reference("A") } } },
            "B": { "type": "object", "required": ["a"], "properties": { "a": reference("A") } },
            "Self": reference("Self"),
        } },
    });
    let page = render(&document);
    assert!(page.contains("id=\"schema-A\"") && page.contains("id=\"schema-Self\""));
    assert!(visible(&page).contains("\"a\": null"));
}

#[test]
fn deep_nesting_is_cut_off() {
    let mut schema = json!({ "type": "string" });
    for _ in 0..100 {
        schema = json!({ "type": "object", "required": ["x"], "properties": { "x": { "oneOf": [{ "type": "array", "items": schema }] } } });
    }
    let page = render(&json!({ "components": { "schemas": { "Deep": schema } } }));
    assert!(page.len() < 100_000);
}

#[test]
fn a_malformed_document_still_gives_a_page() {
    for odd in [json!(null), json!([]), json!("x"), json!(7), json!({}), json!([[{}]]), json!({ "x": { "get": [] } })] {
        assert!(render(&odd).ends_with("</html>\n"));
        let sample = sample();
        for key in sample.as_object().unwrap().keys() {
            let mut document = sample.clone();
            document[key] = odd.clone();
            assert!(render(&document).ends_with("</html>\n"));
        }
        let malformed = with_values(&sample, &odd, 0);
        assert!(render(&malformed).ends_with("</html>\n"));
    }
}

/// A copy of a document in which every leaf is replaced by `odd`.
fn with_values(value: &Value, odd: &Value, depth: usize) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| with_values(item, odd, depth + 1)).collect(),
        Value::Object(fields) if depth < 6 => fields
            .iter()
            .map(|(key, field)| (key.clone(), with_values(field, odd, depth + 1)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => odd.clone(),
    }
}
