//! Checks of single values, for the tests of the files that parse them.

use crate::{settings::ValueKind, value::parse};

/// `text` is accepted and shown as `shown`.
pub(crate) fn accepts(kind: ValueKind, text: &str, shown: &str) {
    assert_eq!(parse(kind, text).expect(text).to_string(), shown, "{text}");
}

/// `text` is refused for the reason `why`, with help.
pub(crate) fn refuses(kind: ValueKind, text: &str, why: &str) {
    let refusal = parse(kind, text).expect_err(text);
    assert!(refusal.wrong.contains(why), "{text}: {refusal:?}");
    assert!(!refusal.help.is_empty());
}
