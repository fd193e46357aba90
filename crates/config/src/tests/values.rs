//! Checks of single values, for the tests of the files that parse them.

use crate::{settings::ValueKind, value::parse};

/// Checks that `text` is accepted, and that its value is shown as `shown`.
pub(crate) fn accepts(kind: ValueKind, text: &str, shown: &str) {
    assert_eq!(parse(kind, text).expect(text).to_string(), shown, "{text}");
}

/// Checks that `text` is refused for the reason `why`, with help.
pub(crate) fn refuses(kind: ValueKind, text: &str, why: &str) {
    let error = parse(kind, text).expect_err(text);
    assert!(error.wrong.contains(why), "{text}: {error:?}");
    assert!(!error.help.is_empty());
}
