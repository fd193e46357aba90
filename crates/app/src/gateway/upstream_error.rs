//! What a caller gets of an error that a provider answered with.

use std::ops::Range;

use bytes::Bytes;
use countersign_domain::RiskStatus;
use countersign_inspect::{inspect, mask_pii, risk_score};
use countersign_llm::Secrets;
use serde_json::json;

use super::{
    answer::spliced,
    strings::{self, Kind},
};
use crate::{answers::is_masked, config::Policy};

/// The provider's own words where a policy is only observed. Under an enforced one every string is inspected: personal data is
/// masked whatever the policy says of answers, for an error needs none, and what is flagged is withheld.
pub(super) fn released(body: Bytes, policy: Policy, secrets: &Secrets) -> Bytes {
    if !policy.is_enforced() {
        return without_keys(body, secrets);
    }
    let Some(text) = std::str::from_utf8(&body).ok().filter(|text| !secrets.are_escaped_in(text)) else {
        return withheld();
    };
    let (mut changes, mut is_unfit): (Vec<(Range<usize>, String)>, bool) = (Vec::new(), false);
    let visited = strings::visit(text, &mut |token| match (inspected(&token.text), token.kind) {
        (Some(masked), _) if masked == token.text => {}
        (Some(masked), Kind::Text | Kind::Number) => changes.push((token.bytes, json!(masked).to_string())),
        _ => is_unfit = true,
    });
    match visited {
        Ok(()) if is_unfit => withheld(),
        Ok(()) if changes.is_empty() => body,
        Ok(()) => spliced(&body, changes).into(),
        Err(_) => inspected(text).map_or_else(withheld, Bytes::from),
    }
}

/// The body, unless a string in it is one of our keys behind escapes. One that is written plainly has been removed already.
pub(crate) fn without_keys(body: Bytes, secrets: &Secrets) -> Bytes {
    let holds_key = std::str::from_utf8(&body).is_ok_and(|text| secrets.are_escaped_in(text));
    if holds_key { withheld() } else { body }
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
    let message = "the provider answered with an error whose text may not be shown";
    json!({"error": {"message": message, "type": "upstream_error", "code": null, "param": null}}).to_string().into()
}
