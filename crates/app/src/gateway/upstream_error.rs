//! How much of a provider's error response is passed on to the caller.

use std::ops::Range;

use axum::http::header::CONTENT_ENCODING;
use bytes::Bytes;
use countersign_config::Policy;
use countersign_domain::RiskStatus;
use countersign_inspect::{Finding, inspect, mask_pii, risk_score};
use countersign_llm::Secrets;
use serde_json::json;

use super::{Headers, completion::spliced, headers, split_identifiers::SplitIdentifiers};
use crate::{
    json_parts::{self, PartKind},
    key_leaks::hides_provider_key,
};

/// An error that isn't JSON is cut to this length.
const TEXT_CHARS_MAX: usize = 2_000;

/// Passes the error on unchanged under `observe`, unless it contains a provider's key. Under `enforce`, every string is inspected:
/// personal data is masked even if the policy doesn't mask answers, because an error has no need for it, and a flagged error is
/// withheld. A compressed body can't be read. If the server has provider keys, the body may contain one, so it is withheld under
/// any policy.
pub(crate) fn released(headers: Headers, body: Bytes, policy: Policy, secrets: &Secrets) -> (Headers, Bytes) {
    let is_encoded = headers.iter().any(|(name, _)| *name == CONTENT_ENCODING);
    let headers =
        headers::released(headers, policy).into_iter().filter(|(name, _)| *name != CONTENT_ENCODING).collect();
    let body = if is_encoded && !secrets.is_empty() { withheld() } else { released_text(body, policy, secrets) };
    (headers, body)
}

/// The same for a body that isn't compressed.
pub(super) fn released_text(body: Bytes, policy: Policy, secrets: &Secrets) -> Bytes {
    let text = std::str::from_utf8(&body).ok();
    if text.is_some_and(|text| hides_provider_key(text, secrets)) {
        return withheld();
    }
    match text {
        _ if !policy.is_enforced() => body,
        Some(text) => inspected_json(text).map_or_else(withheld, Bytes::from),
        None => withheld(),
    }
}

/// Inspects every string and masks personal data. `None` if the body may not be shown.
fn inspected_json(text: &str) -> Option<String> {
    let (mut changes, mut may_be_shown): (Vec<(Range<usize>, String)>, bool) = (Vec::new(), true);
    let mut split = SplitIdentifiers::default();
    let visited = json_parts::visit(text, &mut |part| {
        split.add(&part);
        match (inspected(&part.text), part.kind) {
            (Some(masked), _) if masked == part.text => {}
            (Some(masked), PartKind::Text | PartKind::Number) => changes.push((part.bytes, json!(masked).to_string())),
            _ => may_be_shown = false,
        }
    });
    match visited {
        Ok(()) => {
            (may_be_shown && !split.is_found()).then(|| String::from_utf8(spliced(text.as_bytes(), changes)).ok())?
        }
        // An HTML page or plain text. Released bodies are labelled as JSON, so it is wrapped in JSON.
        Err(_) => inspected(text).map(|text| in_openai_shape(&text.chars().take(TEXT_CHARS_MAX).collect::<String>())),
    }
}

/// The text with personal data masked. `None` if it may not be shown at all.
fn inspected(text: &str) -> Option<String> {
    let findings = inspect(text);
    let (masked, visible): (Vec<_>, Vec<_>) = findings.into_iter().partition(Finding::is_maskable);
    let is_flagged = !visible.is_empty() && risk_score(&visible).status() == RiskStatus::Flagged;
    (!is_flagged).then(|| mask_pii(text, &masked).text)
}

/// A body that says only that there was an error.
pub(super) fn withheld() -> Bytes {
    in_openai_shape("the provider answered with an error whose text may not be shown").into()
}

fn in_openai_shape(message: &str) -> String {
    json!({"error": {"message": message, "type": "upstream_error", "code": null, "param": null}}).to_string()
}
