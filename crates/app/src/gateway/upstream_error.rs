//! What a caller gets of an error that a provider answered with.

use std::ops::Range;

use axum::http::header::CONTENT_ENCODING;
use bytes::Bytes;
use countersign_config::Policy;
use countersign_domain::RiskStatus;
use countersign_inspect::{inspect, mask_pii, risk_score};
use countersign_llm::Secrets;
use serde_json::json;

use super::{
    Headers,
    answer::spliced,
    headers,
    key_watch::is_hidden_in,
    split::Split,
    strings::{self, Kind},
};
use crate::answers::is_masked;

/// An error that isn't JSON is cut to this length.
const TEXT_CHARS_MAX: usize = 2_000;

/// The provider's own words where a policy is only observed. Under an enforced one every string is inspected: personal data is
/// masked whatever the policy says of answers, for an error needs none, and what is flagged is withheld. What can't be read, because
/// it is compressed, is withheld under any policy: it may hold a key.
pub(crate) fn released(headers: Headers, body: Bytes, policy: Policy, secrets: &Secrets) -> (Headers, Bytes) {
    let is_encoded = headers.iter().any(|(name, _)| *name == CONTENT_ENCODING);
    let headers =
        headers::released(headers, policy).into_iter().filter(|(name, _)| *name != CONTENT_ENCODING).collect();
    let body = if is_encoded && !secrets.is_empty() { withheld() } else { released_text(body, policy, secrets) };
    (headers, body)
}

/// The same for a text that is not compressed.
pub(super) fn released_text(body: Bytes, policy: Policy, secrets: &Secrets) -> Bytes {
    let text = std::str::from_utf8(&body).ok();
    if text.is_some_and(|text| is_hidden_in(text, secrets)) {
        return withheld();
    }
    match text {
        _ if !policy.is_enforced() => body,
        Some(text) => inspected_json(text).map_or_else(withheld, Bytes::from),
        None => withheld(),
    }
}

/// Every string inspected; `None` if it may not be shown.
fn inspected_json(text: &str) -> Option<String> {
    let (mut changes, mut is_fit): (Vec<(Range<usize>, String)>, bool) = (Vec::new(), true);
    let mut split = Split::default();
    let visited = strings::visit(text, &mut |token| {
        split.add(&token);
        match (inspected(&token.text), token.kind) {
            (Some(masked), _) if masked == token.text => {}
            (Some(masked), Kind::Text | Kind::Number) => changes.push((token.bytes, json!(masked).to_string())),
            _ => is_fit = false,
        }
    });
    match visited {
        Ok(()) => (is_fit && !split.is_found()).then(|| String::from_utf8(spliced(text.as_bytes(), changes)).ok())?,
        // An HTML page or plain text. Released bodies are labelled as JSON, so it is wrapped in JSON.
        Err(_) => inspected(text).map(|text| in_openai_shape(&text.chars().take(TEXT_CHARS_MAX).collect::<String>())),
    }
}

/// The text with personal data masked; `None` if it may not be shown at all.
fn inspected(text: &str) -> Option<String> {
    let findings = inspect(text);
    let (masked, visible): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_masked);
    let is_flagged = !visible.is_empty() && risk_score(&visible).status() == RiskStatus::Flagged;
    (!is_flagged).then(|| mask_pii(text, &masked).text)
}

/// Says only that there was an error.
pub(super) fn withheld() -> Bytes {
    in_openai_shape("the provider answered with an error whose text may not be shown").into()
}

fn in_openai_shape(message: &str) -> String {
    json!({"error": {"message": message, "type": "upstream_error", "code": null, "param": null}}).to_string()
}
