//! Masks names, addresses, numbers and other identifiers in free text from outside, in any field and language. Prose and
//! merchants' names keep the words that are known to be harmless, such as known towns and businesses.
//!
//! The paths are relative to the parent folder, `redact/`:
//!
//! | where              | finds                                                         |
//! |--------------------|---------------------------------------------------------------|
//! | `inspect` (crate)  | everything that an audit considers personal, even if in doubt |
//! | `birth.rs`         | dates of birth and ages                                       |
//! | `number.rs`        | numbers of accounts, cards and documents; coordinates         |
//! | `address/`         | streets and postcodes                                         |
//! | `person.rs`        | names: every word that is not on a list of harmless words     |
//! | `opaque.rs`        | handles, random ids and encoded text                          |
//! | `free_text/mod.rs` | scripts that the inspectors can't read, and escapes           |
//!
//! The rules for cities and ids are stricter. A city is kept only if it is the full name of a known town, and a part of an
//! id only if it has one of the harmless shapes in `reference.rs`.

use countersign_inspect::{Finding, Kind, inspect_personal, inspect_pii};

use super::{
    address, birth,
    clean::clean,
    lexicon::is_town,
    number, opaque,
    person::{self, FieldKind},
    reference,
    span::{self, CITY, MaskedSpan, NAME, TEXT},
    token::{TextToken, TokenShape, tokens},
};

/// The number of characters that are read beyond those shown, so that no match is cut off before it is recognised.
const CHARS_BEYOND: usize = 128;
/// The minimum score of a finding that is masked. The inspectors treat findings with lower scores as hints only.
const SCORE_MIN: f64 = 0.3;
/// The maximum length of a word. Longer ones are not ordinary words.
const WORD_CHARS_MAX: usize = 32;

/// At most `chars_max` characters of `text`, masked. `label` is the name of the field, which can say what its value is.
pub(super) fn masked(text: &str, label: Option<&str>, field_kind: FieldKind, chars_max: usize) -> String {
    masked_clean(&clean(text), label, field_kind, chars_max)
}

/// Like `masked`, for a text that is clean already.
pub(super) fn masked_clean(text: &str, label: Option<&str>, field_kind: FieldKind, chars_max: usize) -> String {
    let text = match text.char_indices().nth(chars_max + CHARS_BEYOND) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    match field_kind {
        FieldKind::City => return city(text, chars_max),
        // "dace" within a UUID is four hexadecimal digits, not a name.
        FieldKind::Id if reference::is_random(text) => return span::masked(text, Vec::new(), chars_max),
        _ => {}
    }
    let tokens = tokens(text);
    let mut spans = Vec::new();
    if field_kind == FieldKind::Id {
        reference::spans(text, &tokens, &mut spans);
        return span::masked(text, spans, chars_max);
    }
    if is_harmless(text, &tokens, field_kind) {
        return span::masked(text, spans, chars_max);
    }
    if is_encoded(text) {
        return format!("[{TEXT}]");
    }
    inspected(text, &tokens, field_kind, &mut spans);
    if let Some(label) = label {
        inspected_with_label(label, text, &mut spans);
    }
    birth::spans(text, &tokens, &mut spans);
    number::spans(text, &tokens, &mut spans);
    address::spans(text, &tokens, field_kind == FieldKind::Merchant, &mut spans);
    person::spans(text, &tokens, field_kind, &mut spans);
    opaque::spans(text, &tokens, field_kind, &mut spans);
    unreadable_words(text, &tokens, &mut spans);
    address::house_numbers(text, &tokens, &mut spans);
    span::masked(text, spans, chars_max)
}

/// A known town, possibly followed by its region and country after commas. Any other text is masked.
fn city(text: &str, chars_max: usize) -> String {
    const PARTS_MAX: usize = 3;
    let parts = || text.split(',').map(str::trim);
    let is_known = text.is_empty() || parts().count() <= PARTS_MAX && parts().all(is_town);
    if is_known { span::masked(text, Vec::new(), chars_max) } else { format!("[{CITY}]") }
}

/// Whether a text consists of ordinary words without digits, as most short texts do. Such a text contains nothing
/// personal.
fn is_harmless(text: &str, tokens: &[TextToken], field_kind: FieldKind) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphabetic() || b" _.,!?'-&".contains(&byte));
    let is_ordinary = |token: &TextToken| {
        let is_lower_case = token.shape == TokenShape::LowerCase;
        let known = match field_kind {
            FieldKind::Merchant => {
                token.own_lists.is_shop || token.lists.ordinary && (is_lower_case || !is_also_name(token))
            }
            _ => token.lists.ordinary && is_lower_case,
        };
        known && token.shape != TokenShape::Letter && !token.is_name()
    };
    let is_name_pair = |pair: &[TextToken]| pair[0].own_lists.is_first_name && pair[1].own_lists.is_last_name;
    is_plain && tokens.iter().all(is_ordinary) && !number::is_spelt(tokens) && !tokens.windows(2).any(is_name_pair)
}

fn is_also_name(token: &TextToken) -> bool {
    token.own_lists.is_first_name || token.own_lists.is_last_name
}

/// Whether a text contains percent-encoding, entities or escapes, which the searches don't decode.
fn is_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_percent =
        |window: &[u8]| window[0] == b'%' && window[1].is_ascii_hexdigit() && window[2].is_ascii_hexdigit();
    bytes.windows(3).any(is_percent) || text.contains("&#") || text.contains("\\u") || text.contains("\\x")
}

fn inspected(text: &str, tokens: &[TextToken], field_kind: FieldKind, spans: &mut Vec<MaskedSpan>) {
    let findings = inspect_personal(text);
    if findings.is_empty() {
        return;
    }
    let bytes = ByteOffsets::of(text);
    let mentions_age = field_kind == FieldKind::Prose && tokens.iter().any(|token| token.is_one_of(AGES));
    for finding in findings.iter().filter(|finding| is_masked(finding, field_kind)) {
        if finding.r#type == "AGE" && !mentions_age {
            continue;
        }
        let (start, end) = (bytes.at(finding.start), bytes.at(finding.end));
        let mut inside = tokens.iter().filter(|token| token.start < end && token.end > start);
        if finding.r#type == "NRP" && inside.all(|token| token.own_lists.is_ordinary) {
            continue;
        }
        if finding.r#type != "PERSON" {
            spans.push(MaskedSpan::new(start..end, finding.r#type));
        } else if person::is_plausible(tokens, start, end, field_kind) {
            spans.push(MaskedSpan::new(start..end, NAME));
        }
    }
}

/// Words that show that a number is an age. Without one of them, it is an ordinary figure.
const AGES: &[&str] =
    &["age", "aged", "old", "years", "year", "yo", "alt", "jahre", "ans", "anos", "anni", "jaar", "lat"];

/// Inspects the text together with its label: `contact: 020 7946 0958` says more than the number alone.
fn inspected_with_label(label: &str, text: &str, spans: &mut Vec<MaskedSpan>) {
    let prefix = format!("{label}: ");
    let together = format!("{prefix}{text}");
    let findings = inspect_pii(&together);
    if findings.is_empty() {
        return;
    }
    let bytes = ByteOffsets::of(&together);
    for finding in findings.iter().filter(|finding| finding.kind == Kind::Pii && finding.score >= SCORE_MIN) {
        let (start, end) = (bytes.at(finding.start), bytes.at(finding.end));
        if end > prefix.len() && !identifies_nobody(finding) {
            spans.push(MaskedSpan::new(start.saturating_sub(prefix.len())..end - prefix.len(), finding.r#type));
        }
    }
}

fn is_masked(finding: &Finding, field_kind: FieldKind) -> bool {
    let in_prose = field_kind == FieldKind::Prose || !matches!(finding.r#type, "NRP" | "AGE");
    finding.kind == Kind::Pii && finding.score >= SCORE_MIN && !identifies_nobody(finding) && in_prose
}

/// Places, organisations, dates and titles don't identify a person. Dates of birth are searched for separately.
fn identifies_nobody(finding: &Finding) -> bool {
    matches!(finding.r#type, "LOCATION" | "ORGANIZATION" | "DATE_TIME" | "TITLE")
}

/// Masks words in scripts that the lists don't cover, and words that are too long for any language.
fn unreadable_words(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    for token in tokens {
        let word = &text[token.start..token.end];
        let is_long = word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX;
        if is_long && !is_hex(word) || word.chars().any(|letter| letter.is_alphabetic() && !person::is_latin(letter)) {
            spans.push(MaskedSpan::new(token.start..token.end, TEXT));
        }
    }
}

fn is_hex(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Converts the character offsets of findings to byte offsets.
struct ByteOffsets(Option<Vec<usize>>, usize);

impl ByteOffsets {
    fn of(text: &str) -> Self {
        let offsets = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self(offsets, text.len())
    }

    fn at(&self, chars: usize) -> usize {
        match &self.0 {
            None => chars.min(self.1),
            Some(offsets) => offsets.get(chars).copied().unwrap_or(self.1),
        }
    }
}

#[cfg(test)]
mod tests;
