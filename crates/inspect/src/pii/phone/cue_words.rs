//! Words that indicate a phone number, and words that indicate a different number.

use std::ops::Range;

use crate::context::{ContextWords, distance_after, distance_before};

/// Words that say that the number next to them can be called.
#[rustfmt::skip]
static STRONG: ContextWords = ContextWords::new(&[
    "phone", "phones", "telephone", "tel", "mobile", "cell", "cellphone", "fax", "whatsapp", "landline", "hotline",
    "pager", "phone number", "cell number", "call me", "call us", "call him", "call her", "call them", "text me",
    "my number", "his number", "her number", "your number", "ring me", "reach me", "reach us", "reach him",
    "reach her", "reached at", "reached on", "contact me", "contact us", "new number", "sms to", "text to", "telefon",
    "telefono", "teléfono", "telefone", "téléphone", "handy", "mobil", "móvil", "celular", "portable", "gsm",
    "телефон", "电话", "手机", "電話", "전화", "тел", "Тел", "tlf", "cellulare", "fone", "telefoon", "mobiel", "telefonnummer",
    "handynummer", "rufnummer", "rufen sie mich", "携帯",
]);
/// Words directly before a number that is not a phone number, whatever its form.
#[rustfmt::skip]
static CODES: ContextWords = ContextWords::new(&[
    "isbn-10", "isbn-13", "isbn", "issn", "ean", "gtin", "upc", "doi", "cas", "sku", "imei", "serial", "part no",
    "part number", "item no", "order no",
]);

/// Whether the word directly before the number names it as a code.
pub(super) fn is_code(text: &str, start: usize) -> bool {
    distance_before(text, start, &CODES, CODE_BYTES).is_some_and(|gap| gap <= 3)
}

/// Words after a number that name what it counts: "1234567 units".
#[rustfmt::skip]
static COUNTED: ContextWords = ContextWords::new(&[
    "units", "people", "users", "customers", "times", "dollars", "euros", "copies", "devices", "calls", "minutes",
    "hours", "days", "km", "miles", "subscribers", "votes", "items", "downloads", "records", "lines", "employees",
    "tons", "tonnes", "phones", "pieces",
]);
/// Words that only support a number in a plausible form.
#[rustfmt::skip]
static WEAK: ContextWords = ContextWords::new(&[
    "call", "calls", "called", "contact", "reach", "text", "sms", "dial", "ring", "desk", "office", "voicemail",
    "callback", "helpline",
]);
/// Words that make any digits a phone number, but only directly before them.
#[rustfmt::skip]
static ADJACENT: ContextWords = ContextWords::new(&[
    "call", "dial", "ring", "text", "sms", "contact", "desk", "office", "home", "work", "mob", "ph", "t", "p", "m",
    "f", "o", "c", "h", "w",
]);
/// Words that indicate a different number, if they are nearer than the word for a phone.
#[rustfmt::skip]
static OTHER: ContextWords = ContextWords::new(&[
    "order", "tracking", "invoice", "ticket", "reference", "ref", "case", "booking", "confirmation", "code",
    "account", "acct", "zip", "postcode", "room", "isbn", "serial", "id", "pin", "card", "policy", "population",
    "year", "version", "model",
]);
/// Limits on distances: how far before a number a strong word and a weak word may start, and how far after it either may
/// end within the same sentence.
const STRONG_BEFORE_BYTES: usize = 44;
const WEAK_BEFORE_BYTES: usize = 40;
const AFTER_BYTES: usize = 20;
const ADJACENT_BYTES: usize = 10;
const COUNTED_BYTES: usize = 16;
const CODE_BYTES: usize = 14;
const VERBS: [&str; 5] = ["call", "dial", "ring", "text", "sms"];

/// Whether a strong word belongs to the number. If `is_certain`, the form alone is enough, so a word for a different
/// number nearby is ignored.
pub(super) fn has_strong_word(text: &str, range: &Range<usize>, is_certain: bool) -> bool {
    if follows(text, range.end, &STRONG) {
        return true;
    }
    match distance_before(text, range.start, &STRONG, STRONG_BEFORE_BYTES) {
        Some(before) => {
            is_certain || distance_before(text, range.start, &OTHER, before).is_none() && !is_count(text, range.end)
        }
        None => has_adjacent_word(text, range.start),
    }
}

/// Whether a strong word occurs shortly before the number.
pub(super) fn is_named(text: &str, start: usize) -> bool {
    distance_before(text, start, &STRONG, STRONG_BEFORE_BYTES).is_some()
}

fn is_count(text: &str, end: usize) -> bool {
    distance_after(text, end, &COUNTED, COUNTED_BYTES).is_some_and(|gap| gap == 1)
}

/// Matches `Call 467 3395`, `T: 467 3395`. Only a verb may omit the colon.
fn has_adjacent_word(text: &str, start: usize) -> bool {
    let Some(gap) = distance_before(text, start, &ADJACENT, ADJACENT_BYTES) else { return false };
    let (before, gap) = text.as_bytes()[..start].split_at(start - gap);
    let verb = VERBS.iter().any(|verb| {
        before.len().checked_sub(verb.len()).is_some_and(|from| before[from..].eq_ignore_ascii_case(verb.as_bytes()))
    });
    gap.len() <= 3 && (gap.contains(&b':') || (verb && gap == b" "))
}

pub(super) fn has_weak_word(text: &str, range: &Range<usize>) -> bool {
    match distance_before(text, range.start, &WEAK, WEAK_BEFORE_BYTES) {
        // A key such as `{"text": "…"}` does not describe its value.
        Some(before) if text[range.start - before..].starts_with("\":") => false,
        Some(before) => distance_before(text, range.start, &OTHER, before).is_none(),
        None => follows(text, range.end, &WEAK),
    }
}

/// Whether one of these words follows in the same sentence.
fn follows(text: &str, end: usize, words: &ContextWords) -> bool {
    distance_after(text, end, words, AFTER_BYTES)
        .is_some_and(|gap| !text.as_bytes()[end..end + gap].iter().any(|byte| b"\n.!?;".contains(byte)))
}
