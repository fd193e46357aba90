//! Personal identification numbers issued by states. Each file defines one table row or several: how the number is written,
//! which check it must pass and which context words introduce it.
//!
//! To add a number:
//! 1. write its file, declare it here with `mod`, and add its row to `ALL`, whose length grows with it;
//! 2. add its type to `types.rs`, to `docs/inspectors.md` (a test compares the two) and to the dashboard's `finding-names.ts`;
//! 3. add a row to `tests/inspect/robustness.rs` if the number counts without a context word;
//! 4. raise `VERSION` in `lib.rs`, and add an entry to `CHANGELOG.md`.
//!
//! `docs/dev/add-an-inspector.md` says how to measure the result.
//!
//! | file | job |
//! |---|---|
//! | `check_digits` | check-digit arithmetic shared by several ids |
//! | `us_ssn` | US social security numbers, which also have detectors of their own |
//! | all others | one id each (`es_nif` has two), named after the country code and the id |

mod at_svnr;
mod be_nrn;
mod br_cpf;
mod ca_sin;
mod ch_ahv;
mod check_digits;
mod cn_rid;
mod de_tax_id;
mod es_nif;
mod fi_hetu;
mod fr_nir;
mod in_aadhaar;
mod in_pan;
mod it_fiscal_code;
mod kr_rrn;
mod mx_curp;
mod nl_bsn;
mod no_fnr;
mod pl_pesel;
mod pt_nif;
mod se_pnr;
mod sg_nric;
mod uk_nhs;
mod uk_nino;
mod us_itin;
mod us_ssn;

use std::ops::Range;
use std::sync::LazyLock;

use super::label;
use super::{ends_alone, hit, stands_alone, yes_no};
use crate::context::{
    AFTER_BYTES, BEFORE_BYTES, ContextWords, distance_after, distance_before, near, near_in_sentence,
};
use crate::finding::Hit;
use crate::scan::ScanAnchor;

/// The detectors that start from a label, currently those of social security numbers.
pub(super) fn anchors() -> Vec<ScanAnchor> {
    us_ssn::anchors()
}

/// Whether a word for a social security number occurs shortly before `at`.
pub(super) fn names_ssn(text: &str, at: usize) -> bool {
    distance_before(text, at, &us_ssn::ID.words, BEFORE_BYTES).is_some()
}

const ALL: [&Id; 28] = [
    &at_svnr::ID,
    &be_nrn::ID,
    &br_cpf::ID,
    &ca_sin::ID,
    &ch_ahv::ID,
    &cn_rid::ID,
    &de_tax_id::ID,
    &es_nif::DNI,
    &es_nif::NIE,
    &fi_hetu::ID,
    &fr_nir::ID,
    &in_aadhaar::ID,
    &in_pan::ID,
    &it_fiscal_code::ID,
    &kr_rrn::ID,
    &mx_curp::ID,
    &nl_bsn::ID,
    &no_fnr::ID,
    &pl_pesel::ID,
    &pt_nif::ID,
    &se_pnr::ID,
    &sg_nric::ID,
    &uk_nhs::ID,
    &uk_nino::ID,
    &us_itin::ID,
    &us_ssn::ID,
    &us_ssn::SPACED,
    &us_ssn::DOTTED,
];

struct Id {
    r#type: &'static str,
    detector: &'static str,
    /// The ways to write it: `9` is a digit, `A` a letter, `X` either; any other character is literal.
    shapes: &'static [&'static str],
    /// Checks the letters and digits, without separators and in upper case.
    valid: fn(&[u8]) -> bool,
    /// The check that `valid` makes, in words for a finding's explanation.
    rule: &'static str,
    words: ContextWords,
    /// The score of a number with one of `words` nearby. A score of 0 means that such a number is not reported.
    named: f64,
    /// The score without such a word, if the number has separators or letters.
    marked: f64,
    /// The score without such a word, if the number is only digits.
    bare: f64,
    /// Words that identify the number even if it fails `valid`. Used only for numbers without a check digit, whose
    /// rules cover little more than what has been issued so far.
    called: Option<ContextWords>,
}

/// The score of a number that the text calls such an id, even if it was never issued.
const NAMED_SCORE: f64 = 0.9;

/// Words that mark bare digits as a different number, if they are nearer than the id's own words.
#[rustfmt::skip]
static OTHER: ContextWords = ContextWords::new(&[
    "order", "tracking", "invoice", "ticket", "reference", "ref", "case", "booking", "confirmation", "code", "account",
    "budget", "zip", "postcode", "serial", "phone", "fax", "tel", "version", "model", "item", "sku", "part", "product",
    "lot", "batch", "form", "catalogue", "catalog", "article", "artikel", "artikelnummer", "patent", "docket",
    "bestellung", "bestellnummer", "référence", "pedido", "commande", "ean", "upc", "isbn", "doi", "cas", "section",
    "contract",
]);
/// How far before a number such a word may start.
const OTHER_BYTES: usize = 32;
const COMPACT_BYTES_MAX: usize = 24;
const DIGITS_MAX: usize = 20;

/// One way to write an id. Shapes are indexed by the length of their first run of digits, because at the start of a number
/// only that length is known.
struct IdShape {
    id: &'static Id,
    written: &'static [u8],
    /// The number of characters before the first digit.
    lead: usize,
    /// The character after the first run of digits; `None` if the shape ends there.
    next: Option<u8>,
    is_bare: bool,
}

impl IdShape {
    /// A quick check of the bytes before and after the first run of digits.
    fn may_fit(&self, before: Option<u8>, next: Option<u8>) -> bool {
        (self.lead == 0 || before.is_some_and(|byte| is_written_as(byte, self.written[self.lead - 1])))
            && self.next.is_none_or(|wanted| next.is_some_and(|byte| is_written_as(byte, wanted)))
    }
}

fn is_written_as(byte: u8, wanted: u8) -> bool {
    match wanted {
        b'9' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_alphabetic(),
        b'X' => byte.is_ascii_alphanumeric(),
        mark => byte == mark,
    }
}

/// The shapes whose first run of digits has the same length.
struct Shapes {
    all: Vec<IdShape>,
    /// The bytes that may follow those digits. Most numbers are rejected by this alone.
    nexts: [bool; 256],
}

static BY_FIRST_RUN: LazyLock<[Shapes; DIGITS_MAX]> = LazyLock::new(|| {
    let mut table = [const { Shapes { all: Vec::new(), nexts: [false; 256] } }; DIGITS_MAX];
    for (id, shape) in ALL.into_iter().flat_map(|id| id.shapes.iter().map(move |shape| (id, shape.as_bytes()))) {
        let lead = shape.iter().take_while(|&&byte| byte != b'9').count();
        let digits = shape[lead..].iter().take_while(|&&byte| byte == b'9').count();
        if let Some(row) = table.get_mut(digits) {
            let next = shape.get(lead + digits).copied();
            for byte in 0..=u8::MAX {
                row.nexts[usize::from(byte)] |= next.is_none_or(|wanted| is_written_as(byte, wanted));
            }
            row.all.push(IdShape { id, written: shape, lead, next, is_bare: digits == shape.len() });
        }
    }
    table
});

/// `digit` is the offset of the first digit of a run of `length` digits.
pub(super) fn at(text: &str, digit: usize, length: usize, hits: &mut Vec<Hit>) {
    let Some(shapes) = BY_FIRST_RUN.get(length) else { return };
    let bytes = text.as_bytes();
    let before = digit.checked_sub(1).map(|before| bytes[before]);
    let next = bytes.get(digit + length).copied();
    if next.is_some_and(|next| !shapes.nexts[usize::from(next)]) {
        return;
    }
    for shape in shapes.all.iter().filter(|shape| shape.may_fit(before, next)) {
        hits.extend(judge(text, digit, shape));
    }
}

fn judge(text: &str, digit: usize, shape: &IdShape) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = digit.checked_sub(shape.lead)?;
    let end = start + shape.written.len();
    let written = bytes.get(start..end)?;
    // A bare shape has the length of the run of digits that selected it.
    if !shape.is_bare && !written.iter().zip(shape.written).all(|(byte, wanted)| is_written_as(*byte, *wanted)) {
        return None;
    }
    // A comma before a grouped number separates columns; before bare digits it may be a decimal comma.
    let is_column = !shape.is_bare && text[..start].ends_with(',');
    let is_alone = ends_alone(bytes, end) && (is_column || stands_alone(text, start));
    let is_glued_label = !is_alone && us_ssn::is_glued(text, start, end, shape.written)?;
    let mut compact = [0; COMPACT_BYTES_MAX];
    let mut count = 0;
    for byte in written.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        *compact.get_mut(count)? = byte.to_ascii_uppercase();
        count += 1;
    }
    let id = shape.id;
    let range = start..end;
    let bare = shape.is_bare;
    let is_near = |words| if bare { near_in_sentence(text, &range, words, &OTHER) } else { near(text, &range, words) };
    if !(id.valid)(&compact[..count]) {
        let is_called = id.called.as_ref().is_some_and(|words| {
            is_near(words) && is_same_sentence(text, &range, words) && !is_called_otherwise(text, start, &id.words)
        });
        let explanation = "words nearby call it such a number, although it was never issued".to_owned();
        return is_called.then(|| hit(id.r#type, id.detector, range, NAMED_SCORE, explanation));
    }
    let named = is_glued_label || is_near(&id.words);
    let score = match () {
        () if named => id.named,
        () if bare => id.bare,
        () => id.marked,
    };
    if score == 0.0 || id.called.is_some() && is_called_otherwise(text, start, &id.words) {
        return None;
    }
    let explanation = format!("{}; words for such a number nearby: {}", id.rule, yes_no(named));
    Some(hit(id.r#type, id.detector, range, score, explanation))
}

/// Whether a preceding word names a different kind of number: "Part no. 457-55-5462".
fn is_called_otherwise(text: &str, start: usize, words: &ContextWords) -> bool {
    let Some(gap) = distance_before(text, start, &OTHER, OTHER_BYTES) else { return false };
    let label_gap = distance_before(text, start, words, BEFORE_BYTES);
    let is_labelled = label_gap.is_some_and(|gap| !ends_sentence(&text[start - gap..start]));
    !is_labelled && label::names_number(text, start - gap, start)
}

/// Whether a label belongs to the same sentence or only punctuation separates it from the number:
/// "His SSN? 219-09-9999".
fn is_same_sentence(text: &str, range: &Range<usize>, words: &ContextWords) -> bool {
    let is_one_sentence = |between: &str| !ends_sentence(between);
    let before = distance_before(text, range.start, words, BEFORE_BYTES);
    let after = distance_after(text, range.end, words, AFTER_BYTES);
    before.is_some_and(|gap| is_one_sentence(&text[range.start - gap..range.start]))
        || after.is_some_and(|gap| is_one_sentence(&text[range.end..range.end + gap]))
}

/// Whether a sentence ends here and another begins. A full stop alone is not enough: it may belong to "no.".
fn ends_sentence(between: &str) -> bool {
    between
        .as_bytes()
        .windows(3)
        .any(|three| b".!?".contains(&three[0]) && three[1] == b' ' && three[2].is_ascii_uppercase())
}

/// The numeric value of a run of digits.
fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit.wrapping_sub(b'0') % 10))
}

/// Whether the digits can be a day and a month.
fn is_day(day: &[u8], month: &[u8]) -> bool {
    (1..=31).contains(&number(day)) && (1..=12).contains(&number(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_digits_and_fits_and_scores_fall_without_context() {
        for id in ALL {
            for shape in id.shapes {
                assert!(shape.contains('9') && shape.len() <= COMPACT_BYTES_MAX, "{shape}");
            }
            assert!(id.named >= 0.5 && id.named >= id.marked && id.marked >= id.bare, "{}", id.r#type);
        }
    }
}
