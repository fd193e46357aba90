//! Finds the server's provider keys in what providers send back. The model client has already removed keys in plain text from the
//! bytes; this room finds keys that are disguised, encoded, or spread over strings and events.
//!
//! | file        | job                                             |
//! |-------------|-------------------------------------------------|
//! | `stream.rs` | keys that are spelt out over events of a stream |

mod stream;

use std::borrow::Cow;

use countersign_inspect::{hidden_texts, plain};
use countersign_llm::Secrets;

use crate::json_parts::{self, PartKind};

pub(crate) use stream::StreamKeyWatch;

/// Whether a text contains a provider's key that its bytes don't show: in another encoding, in disguise, encoded twice, or in parts
/// over several strings of a JSON text.
pub(crate) fn hides_provider_key(body: &str, secrets: &Secrets) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let mut joined = String::new();
    // A text that isn't JSON, such as an error page, is read as plain text.
    let _ = json_parts::visit(body, &mut |part| {
        if part.kind == PartKind::Text && (!part.is_in_label_field() || part.has_digits()) {
            joined.push_str(&part.text);
        }
    });
    let text = if joined.is_empty() { body } else { &joined };
    let shows_key = |text: &str| secrets.are_in(text) || secrets.are_traced_in(text);
    secrets.are_escaped_in(body)
        || secrets.are_traced_in(body)
        || shows_key(&without_disguise(text))
        || hidden_texts(text).iter().any(|text| shows_key(text))
}

/// The text with look-alike letters replaced by the letters that they imitate.
fn without_disguise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { plain(text) }
}
