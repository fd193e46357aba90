//! Masks ids from external systems. Senders use names, phone numbers and dates of birth in ids, so searching an id for personal
//! data is not enough: its parts are matched against an allow-list of random ids, groups of digits and known words. Every
//! other part is masked.
//!
//! An id always gives the same masked text, so a report can still refer to it.

use std::{collections::HashSet, sync::LazyLock};

use countersign_inspect::{identifiers, word_lists};

use super::{
    lexicon,
    opaque::is_network,
    span::{ID, MaskedSpan, NAME},
    token::{TextToken, plain},
};

/// The length of the shortest common digest: MD5 in hexadecimal.
const DIGEST_CHARS_MIN: usize = 32;
/// The maximum number of digits in a group that is harmless without a known word before it: fewer than any phone or
/// national number has.
const DIGITS_ALONE_MAX: usize = 8;
/// Longer numbers are always masked.
const DIGITS_MAX: usize = 20;

/// Whether an id is a UUID or a long hexadecimal digest, which only a program generates.
pub(super) fn is_random(id: &str) -> bool {
    let groups = id.split('-').map(str::len);
    is_digest(id) || groups.eq([8, 4, 4, 4, 12]) && id.split('-').all(is_hex)
}

/// Whether a text is a hexadecimal digest and nothing else.
pub(crate) fn is_digest(text: &str) -> bool {
    text.len() >= DIGEST_CHARS_MIN && is_hex(text)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Masks every part of an id that is not known to be harmless. `tokens` are those of `text`.
pub(super) fn spans(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    // Most senders number transactions with "tx-" and digits, which identify nothing outside the sender's system.
    if is_numbered(text) {
        return;
    }
    if is_network(text) {
        spans.push(MaskedSpan::new(0..text.len(), ID));
        return;
    }
    let parts: Vec<IdPart> = parts(text);
    initialled(text, &parts, spans);
    for part in &parts {
        if let Some(mask) = part.mask(text, tokens) {
            spans.push(MaskedSpan::new(part.start..part.end, mask));
        }
    }
    groups(text, &parts, spans);
    for finding in identifiers(text) {
        spans.push(MaskedSpan::new(byte_at(text, finding.start)..byte_at(text, finding.end), finding.r#type));
    }
}

/// `J.Q.Public`: masks a word after letters with dots, which is a name.
fn initialled(text: &str, parts: &[IdPart], spans: &mut Vec<MaskedSpan>) {
    for pair in parts.windows(2) {
        let is_letter = pair[0].end - pair[0].start == 1 && !pair[0].is_number(text);
        if is_letter && !pair[1].is_number(text) && &text[pair[0].end..pair[1].start] == "." {
            spans.push(MaskedSpan::new(pair[0].start..pair[1].end, NAME));
        }
    }
}

fn byte_at(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}

/// Whether an id is a transaction's prefix and a number: `tx-20311`.
fn is_numbered(text: &str) -> bool {
    const PREFIXES: &[&str] = &["tx", "txn", "trx", "transaction"];
    let Some((prefix, number)) = text.split_once(['-', '_']) else { return false };
    PREFIXES.contains(&prefix) && (1..=DIGITS_MAX).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
}

/// A run of letters and digits.
struct IdPart {
    start: usize,
    end: usize,
}

fn parts(text: &str) -> Vec<IdPart> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(skipped) = text[at..].find(char::is_alphanumeric) {
        let start = at + skipped;
        let end = text[start..].find(|letter: char| !letter.is_alphanumeric()).map_or(text.len(), |len| start + len);
        parts.push(IdPart { start, end });
        at = end;
    }
    parts
}

impl IdPart {
    fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }

    fn is_number(&self, text: &str) -> bool {
        self.text(text).bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether the part is the tail of a masked user id: `7731` in `***7731`.
    fn is_tail(&self, text: &str) -> bool {
        const TAIL_CHARS: usize = 4;
        text[..self.start].ends_with("***") && self.text(text).chars().count() <= TAIL_CHARS
    }

    /// The mask for this part. `None` if the part may stay. Groups of digits are handled together in `groups`.
    fn mask(&self, text: &str, tokens: &[TextToken]) -> Option<&'static str> {
        let part = self.text(text);
        if self.is_number(text) || looks_random(part) || self.is_tail(text) {
            return None;
        }
        if !part.is_ascii() {
            return Some(NAME);
        }
        if part.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let inside = tokens.iter().filter(|token| token.start >= self.start && token.end <= self.end);
            let is_known = inside.clone().all(|token| is_harmless_word(&token.plain)) || is_harmless_word(&plain(part));
            return if is_known { None } else { Some(NAME) };
        }
        let letters = part.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_joined = letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        let digits = part.len() - letters.len();
        let is_short = letters.len() == 1 && digits <= 4;
        if is_joined
            && (is_short || letters.len() > 1 && digits <= DIGITS_ALONE_MAX && is_prefix(&plain(letters)))
            && !reads_as_birth(&part[letters.len()..])
        {
            return None;
        }
        let names_somebody = part.split(|letter: char| letter.is_ascii_digit()).any(|run| run.len() > 3);
        Some(if names_somebody { NAME } else { ID })
    }
}

/// Whether a part mixes letters and digits as no person would, as in ULIDs and payment providers' ids.
fn looks_random(part: &str) -> bool {
    const ULID_CHARS: usize = 26;
    const CHARS_MIN: usize = 20;
    const HEX_CHARS_MIN: usize = 8;
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes = part.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_ulid = part.len() == ULID_CHARS && part.starts_with(|first| matches!(first, '0'..='7')) && changes >= 8;
    let is_mixed = part.len() >= CHARS_MIN && changes * 3 >= part.len() && digits >= 3;
    let has_single_letters = part.as_bytes().windows(2).all(|pair| pair.iter().any(u8::is_ascii_digit));
    let is_short_hex =
        part.len() <= 6 && is_hex(part) && has_single_letters && part.starts_with(|c: char| c.is_ascii_digit());
    if is_short_hex && digits >= 1 && digits < part.len() {
        return true;
    }
    let is_short_digest = part.len() >= HEX_CHARS_MIN && is_hex(part) && changes >= 4;
    is_plain && digits < part.len() && (is_ulid || is_mixed || is_short_digest) && (digits >= 2)
}

/// Whether a word is a usual prefix of ids, or an ordinary word that is not also a name.
pub(crate) fn is_harmless_word(word: &str) -> bool {
    let word = &plain(word);
    let lists = word_lists(word);
    let listed = lexicon::own_lists(word);
    let is_name = lists.first_name || lists.last_name || listed.is_first_name || listed.is_last_name;
    let is_ordinary = (lists.ordinary || listed.is_ordinary || listed.is_shop) && !is_name;
    word.len() == 1 || is_prefix(word) || is_ordinary
}

fn is_prefix(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| PREFIXES.split_whitespace().collect());
    WORDS.contains(word)
}

/// Masks groups of digits with single marks in between, such as social security numbers, network addresses and dates.
fn groups(text: &str, parts: &[IdPart], spans: &mut Vec<MaskedSpan>) {
    let mut at = 0;
    while at < parts.len() {
        let joins = |next: &usize| {
            *next == at || parts[*next].is_number(text) && parts[*next].start - parts[*next - 1].end == 1
        };
        if !parts[at].is_number(text) {
            at += 1;
            continue;
        }
        let len = (at..parts.len()).take_while(joins).count().max(1);
        let run = &parts[at..at + len];
        let before = at.checked_sub(1).map(|before| plain(parts[before].text(text)));
        if !is_harmless_number(text, run, before.as_deref()) {
            spans.push(MaskedSpan::new(run[0].start..run[len - 1].end, ID));
        }
        at += len;
    }
}

fn is_harmless_number(text: &str, run: &[IdPart], before: Option<&str>) -> bool {
    let digits: Vec<&str> = run.iter().map(|part| part.text(text)).collect();
    let lens: Vec<usize> = digits.iter().map(|group| group.len()).collect();
    let has_prefix = before.is_some_and(|before| before.len() > 1 && is_prefix(before));
    let total: usize = lens.iter().sum();
    if total > DIGITS_MAX || digits.iter().any(|group| reads_as_birth(group)) {
        return false;
    }
    match lens[..] {
        [len] => {
            let is_phone = digits[0].starts_with('0') && (9..=12).contains(&len);
            !is_phone && (has_prefix && !is_card(digits[0]) || len <= DIGITS_ALONE_MAX)
        }
        [_, _] => total <= DIGITS_ALONE_MAX || has_prefix && total <= 12 && !digits[0].starts_with('0'),
        [4, 2, 2] | [4, 2, 2, _] => is_recent_year(digits[0]) && total <= 16,
        _ => false,
    }
}

/// Whether eight digits read as a date of birth: `19850312`, `12031985`.
fn reads_as_birth(group: &str) -> bool {
    let number = |from: usize, to: usize| group.get(from..to).and_then(|part| part.parse::<u32>().ok()).unwrap_or(99);
    let is_date = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    if group.len() != 8 {
        return false;
    }
    let is_old = |year: u32| (1900..2016).contains(&year);
    let year_of = |from: usize| group.get(from..from + 4).and_then(|part| part.parse::<u32>().ok()).unwrap_or_default();
    is_old(year_of(0)) && is_date(number(4, 6), number(6, 8))
        || is_old(year_of(4)) && (is_date(number(2, 4), number(0, 2)) || is_date(number(0, 2), number(2, 4)))
}

fn is_recent_year(group: &str) -> bool {
    group.parse::<u32>().is_ok_and(|year| (2016..2100).contains(&year))
}

/// Whether the digits pass the Luhn check of card numbers.
fn is_card(group: &str) -> bool {
    let sum = group.bytes().rev().enumerate().fold(0, |sum, (at, byte)| {
        let digit = u32::from(byte.saturating_sub(b'0'));
        let doubled = digit * 2;
        sum + if at % 2 == 0 { digit } else { doubled / 10 + doubled % 10 }
    });
    (13..=19).contains(&group.len()) && sum % 10 == 0
}

/// Words that systems put before a number.
const PREFIXES: &str = "
    bin tor pep odd low tx txn txns trx transaction transactions alert alerts alrt fraud case cases ref reference order orders ord ext external
    evt event events inv invoice pay payment payments pmt pi ch py cs sub req request job batch msg rule rules sig signal signals
    core bank card auth authorization capture refund chargeback dispute report rep rpt investigation session sess test demo
    sample seed load old new id ids no num nr uuid acct pos atm web app api v ver run trace span op item line entry doc file
    record rec row key hash sha md wire sepa ach swift card online branch channel src source dst in out credit debit dd so
    ddi mt fps chaps rtp swish ideal upi blik pix bot sys system queue q p s t a b c d e f x y z n k r i o u";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{span::masked, token::tokens};

    fn check(rows: &[(&str, &str)]) {
        for (id, expected) in rows {
            let mut found = Vec::new();
            spans(id, &tokens(id), &mut found);
            assert_eq!(masked(id, found, 200), *expected, "{id}");
        }
    }

    #[test]
    fn ids_that_programs_make_are_kept() {
        for id in [
            "alert-7f3a",
            "fraud-***ter2-1",
            "tx-1",
            "TXN-000481",
            "alert-2026-0301",
            "order_99-1845",
            "core:7731/x",
            "evt_2026-03-01_17",
            "case-48213",
            "fraud-9",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "pi_3MtwBwLkdIwHu7ix28a3tqPC",
            "ext-3f9a01bc",
            "20311",
            "a-b",
            "x1",
            "batch-2026-11-17-0042",
            "velocity-check-7",
            "wire.5521",
        ] {
            check(&[(id, id)]);
        }
    }

    #[test]
    fn parts_that_could_identify_a_person_are_masked() {
        check(&[
            ("alert-murungi-4", "alert-[NAME]-4"),
            ("MURUNGI", "[NAME]"),
            ("murungi81", "[NAME]"),
            ("joy-hill-3", "[NAME]-3"),
            ("219-09-9999", "[ID]"),
            ("case-219-09-9999", "case-[ID]"),
            ("198.51.100.23", "[ID]"),
            ("07911123456", "[ID]"),
            ("alert-07911123456", "alert-[ID]"),
            ("AL-19790524", "[NAME]-[ID]"),
            ("case-24051979", "case-[ID]"),
            ("24.05.1979", "[ID]"),
            ("SW1A1AA-2", "[ID]-2"),
            ("AA370071B", "[ID]"),
            ("order-4111111111111111", "order-[ID]"),
        ]);
    }

    #[test]
    fn a_digest_is_recognised_by_its_letters_and_length() {
        assert!(is_digest(&"a1".repeat(32)) && !is_digest("murungi") && !is_digest(&"g".repeat(64)));
    }
}
