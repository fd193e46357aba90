//! Builds a command that calls an operation, ready to paste into a shell.

use serde_json::Value;

use super::example;
use super::operation::Operation;
use super::schema::Schemas;

/// The address for documents that name no server.
const LOCAL: &str = "http://127.0.0.1:8080";

pub(super) fn command(operation: &Operation, openapi: &Value, schemas: Schemas) -> String {
    let address = format!("{}{}", server(openapi), target(operation, schemas));
    if operation.opens_websocket() {
        // curl can't show the messages of a WebSocket.
        return format!("websocat {}", quoted(&address.replacen("http", "ws", 1)));
    }
    let mut lines = vec![match operation.verb {
        "get" => format!("curl {}", quoted(&address)),
        "head" => format!("curl -I {}", quoted(&address)),
        verb => format!("curl -X {} {}", verb.to_uppercase(), quoted(&address)),
    }];
    if operation.needs_key(openapi) {
        lines.push("-H \"Authorization: Bearer $COUNTERSIGN_KEY\"".to_owned());
    }
    if let Some((media_type, content)) = operation.request_body() {
        lines.push(format!("-H {}", quoted(&format!("Content-Type: {media_type}"))));
        lines.push(format!("-d {}", quoted(&body(content, schemas))));
    }
    lines.join(" \\\n  ")
}

fn server(openapi: &Value) -> &str {
    let named = openapi["servers"][0]["url"].as_str().filter(|url| url.starts_with("http"));
    named.unwrap_or(LOCAL).trim_end_matches('/')
}

/// The path with the required query parameters. Parameters without an example appear by name, in capitals.
fn target(operation: &Operation, schemas: Schemas) -> String {
    let mut path = operation.path.to_owned();
    let mut query = Vec::new();
    for parameter in operation.parameters() {
        let Some(name) = parameter["name"].as_str() else { continue };
        let value = parameter_value(parameter, name, schemas);
        match parameter["in"].as_str() {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &value),
            Some("query") if parameter["required"] == true => query.push(format!("{name}={value}")),
            _ => {}
        }
    }
    // curl would interpret remaining braces as alternatives.
    path = path.replace(['{', '}'], "");
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

fn parameter_value(parameter: &Value, name: &str, schemas: Schemas) -> String {
    let schema = &parameter["schema"];
    let resolved = schemas.resolve(schema);
    let given = [&parameter["example"], &schema["example"], &resolved["example"], &resolved["enum"][0]];
    match given.into_iter().find(|value| !value.is_null()) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => name.to_uppercase(),
    }
}

fn body(content: &Value, schemas: Schemas) -> String {
    let given = [&content["example"], &content["examples"][0]].into_iter().find(|value| !value.is_null());
    let value = given.cloned().unwrap_or_else(|| example::of(schemas, &content["schema"]));
    match value {
        Value::String(text) => text,
        value => serde_json::to_string_pretty(&value).unwrap_or_default(),
    }
}

/// Quotes a text as one word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
