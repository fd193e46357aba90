//! Which of a provider's response headers are passed on to the caller.

use axum::http::{HeaderName, HeaderValue, header};
use countersign_config::Policy;
use countersign_inspect::inspect_pii;

use super::Headers;
use crate::json_parts::digits_identify;

const VALUE_BYTES_MAX: usize = 64;
/// Limits and waits have at most this many digits; account and phone numbers have more.
const DIGITS_MAX: usize = 8;

/// An enforced policy passes on only headers whose meaning and form are known: retry times, rate limits, and the provider's id of
/// the request. The model client has already dropped the headers about the connection.
pub(super) fn released(headers: Headers, policy: Policy) -> Headers {
    match policy.is_enforced() {
        true => {
            headers.into_iter().filter_map(|(name, value)| inspected(&name, value).map(|value| (name, value))).collect()
        }
        false => headers,
    }
}

fn inspected(name: &HeaderName, value: HeaderValue) -> Option<HeaderValue> {
    let text = value.to_str().ok()?;
    if *name == header::CONTENT_TYPE {
        let is_stream = text.starts_with("text/event-stream");
        return Some(HeaderValue::from_static(if is_stream { "text/event-stream" } else { "application/json" }));
    }
    let is_limit = ["x-ratelimit-", "anthropic-ratelimit-"].iter().any(|prefix| name.as_str().starts_with(prefix));
    let is_id = matches!(name.as_str(), "x-request-id" | "request-id");
    let is_known = *name == header::RETRY_AFTER || is_limit || is_id || name == "openai-processing-ms";
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b" .,:;=_-".contains(&byte);
    let is_plain = text.len() <= VALUE_BYTES_MAX && text.bytes().all(is_part) && inspect_pii(text).is_empty();
    // A date has more digits, but begins with the name of a weekday.
    let is_number =
        is_id || text.starts_with(|letter: char| letter.is_ascii_alphabetic()) || digits(text) <= DIGITS_MAX;
    (is_known && is_plain && is_number && !digits_identify(text)).then_some(value)
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &'static str, value: &'static str, expected: Option<&str>) {
        let passed = inspected(&HeaderName::from_static(name), HeaderValue::from_static(value));
        assert_eq!(passed.as_ref().map(|value| value.to_str().unwrap()), expected, "{name}: {value}");
    }

    #[test]
    fn only_known_headers_of_a_plain_form_pass() {
        check("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT", Some("Wed, 21 Oct 2026 07:28:00 GMT"));
        check("x-ratelimit-reset-tokens", "6m0s", Some("6m0s"));
        check("x-request-id", "req_011CSHoEeqs5C35K2UUqR7Fy", Some("req_011CSHoEeqs5C35K2UUqR7Fy"));
        check("content-type", "application/json; charset=utf-8; x=\"4111 1111 1111 1111\"", Some("application/json"));
        check("x-request-id", "4111 1111 1111 1111", None);
        check("x-request-id", "req_4111111111111111", None);
        check("retry-after", "2127365091", None);
        check("x-ratelimit-remaining-tokens", "149999", Some("149999"));
        check("x-ratelimit-note", "jo.doe@example.com", None);
        check("openai-organization", "acme", None);
        check("x-groq-region", "us", None);
    }
}
