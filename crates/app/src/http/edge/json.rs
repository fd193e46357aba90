//! JSON bodies of requests and responses.

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::{ApiError, Result};
use crate::json_errors::explain;

/// A response as JSON. Unlike axum's own type, it reports failures in our error shape.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => response(body),
            Err(error) => ApiError::from(error).into_response(),
        }
    }
}

/// A response whose body is already JSON text.
pub(crate) fn response(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The body as text. The whole body is checked, because serde skips the content of fields that it ignores.
pub(crate) fn text(body: &[u8]) -> Result<&str> {
    std::str::from_utf8(body)
        .map_err(|error| ApiError::bad_request(format!("the body is not valid UTF-8 at byte {}", error.valid_up_to())))
}

/// Parses a whole body.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| ApiError::bad_request(explain(&error, text)))
}

/// Parses a body that must be one object. Without the check, serde would accept an array of the fields' values.
pub(crate) fn object<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T> {
    let text = text(body)?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(ApiError::bad_request("the body must be one JSON object"));
    }
    parse(text)
}

/// Joins two objects into one. The first is copied as text, so that none of its numbers changes.
pub(crate) fn joined(object: &str, more: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
    let more = serde_json::to_string(more)?;
    let not_an_object = || serde::ser::Error::custom("only objects can be joined");
    let first = object.trim_ascii().strip_suffix('}').ok_or_else(not_an_object)?.trim_ascii_end();
    let second = more.strip_prefix('{').ok_or_else(not_an_object)?;
    let comma = if first.ends_with('{') || second.starts_with('}') { "" } else { "," };
    RawValue::from_string(format!("{first}{comma}{second}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_objects_become_one_and_no_number_changes() {
        let check = |object: &str, more: serde_json::Value, expected: &str| {
            assert_eq!(joined(object, &more).unwrap().get(), expected, "{object}");
        };
        check(r#"{"a":0.30000000000000004}"#, serde_json::json!({"b": 1}), r#"{"a":0.30000000000000004,"b":1}"#);
        check("{ }", serde_json::json!({"b": 1}), r#"{"b":1}"#);
        check("{\"a\":{}}\n", serde_json::json!({}), r#"{"a":{}}"#);
        assert!(joined("[1]", &serde_json::json!({})).is_err() && joined("{}", &1).is_err());
    }
}
