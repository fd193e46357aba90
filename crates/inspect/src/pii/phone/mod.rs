//! Finds telephone numbers: reads them group by group, then judges their form and the words around them.
//!
//! Some forms count alone: a number with `+`, a North American number with separators or an extension, and a few
//! national forms that nothing else resembles. Any other number needs a context word: a weak one (`call`, `contact`)
//! for a plausible form, a strong one (`phone`, `mobile`, `call me at`) for any group of digits that is not clearly a
//! date, an amount or an address. A number with a country code is looked up in that country's numbering plan; if its
//! range is in use, its score is higher. Many numbers in real texts are in no known range (invented, mistyped, or in a
//! newly opened range), so those are found too, with less confidence.
//!
//! | file | job |
//! |---|---|
//! | `number` | reads a number's groups and classifies their form |
//! | `plan` | looks a number up in the numbering plans |
//! | `cue_words` | the words that indicate a phone number, or a different number |

mod cue_words;
mod number;
mod plan;

use std::ops::Range;

use self::cue_words::{has_strong_word, has_weak_word, is_code};
use self::number::{DIGITS_MAX, Number, PhoneForm, next_group, opening};
use super::{ends_alone, hit, stands_alone, yes_no};
use crate::finding::Hit;

const DIGITS_MIN: usize = 6;
/// A link to a chat; it ends in the phone number in international format.
const LINK: &str = "wa.me/";
const EXTENSION_DIGITS_MAX: usize = 6;

/// Checks a number whose first group has `length` digits and starts at `digit`.
pub(super) fn at(text: &str, digit: usize, length: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    // Reject early: most numbers are years, times and counts.
    if length < DIGITS_MIN && next_group(bytes, digit + length).is_none() || length > DIGITS_MAX {
        return None;
    }
    let opening = opening(bytes, digit);
    let start = digit - opening.len();
    let is_linked = text[..start].ends_with(LINK);
    if !stands_alone(text, start) && !is_linked {
        return None;
    }
    let opening = if is_linked { "+" } else { opening };
    let mut number = Number::read(bytes, digit, opening);
    if number.digits() < DIGITS_MIN || !(number.is_plausible() || has_strong_word(text, &(start..number.end()), false))
    {
        return None;
    }
    let mut best: Option<(PhoneForm, usize, usize)> = None;
    while number.digits() >= DIGITS_MIN {
        let end = number.end();
        let extension = extension(bytes, end);
        // Six digits in a row are more likely a code sent by phone than a phone number.
        let code = number.groups == 1 && number.digits() == DIGITS_MIN;
        if !code && ends_alone(bytes, end + extension) && !number.is_something_else() && !number.is_round() {
            let form = number.form(extension > 0);
            // A shorter number wins only if its score is higher: "415-555-0132 2 pm".
            if best.as_ref().is_none_or(|(best, ..)| (form.alone, form.weak) > (best.alone, best.weak)) {
                best = Some((form, end + extension, number.digits()));
            }
        }
        number.groups -= 1;
    }
    let (form, end, digits) = best?;
    judge(text, start..end, &form, digits)
}

/// Whether a word for a phone occurs shortly before `at`.
pub(super) fn is_named(text: &str, at: usize) -> bool {
    cue_words::is_named(text, at)
}

fn judge(text: &str, range: Range<usize>, form: &PhoneForm, digits: usize) -> Option<Hit> {
    let strong = has_strong_word(text, &range, form.alone >= 0.5);
    let score = match () {
        () if strong => form.weak.max(0.9),
        () if form.weak > form.alone && has_weak_word(text, &range) => form.weak,
        // A letterhead or a contact list has one number per line.
        () if form.alone >= 0.4 && fills_line(text, &range) => form.alone.max(0.55),
        () => form.alone,
    };
    if score == 0.0 || is_amount(text, &range) || is_code(text, range.start) {
        return None;
    }
    let standing = form.valid_in.map_or(String::new(), |owner| format!(", in a number range in use ({owner})"));
    let explanation = format!("{digits} digits {}{standing}; words for a phone nearby: {}", form.name, yes_no(strong));
    Some(hit("PHONE", "pii/phone", range, score, explanation))
}

/// Whether the number fills a line of a longer text.
fn fills_line(text: &str, range: &Range<usize>) -> bool {
    let (before, after) = (text[..range.start].chars().next_back(), text[range.end..].chars().next());
    let edge = |letter: Option<char>| letter.is_none_or(|letter| matches!(letter, '\n' | '\r'));
    edge(before) && edge(after) && (before.is_some() || after.is_some())
}

/// Whether the number is an amount (after a currency or arithmetic sign, before a per cent sign) or a numeric HTML
/// entity.
fn is_amount(text: &str, range: &Range<usize>) -> bool {
    if text[..range.start].ends_with("&#") {
        return true;
    }
    let mut before = text[..range.start].chars().rev();
    let sign = before.next().filter(|letter| *letter != ' ').or_else(|| before.next());
    sign.is_some_and(|sign| "$€£¥₹=<>*^".contains(sign)) || text.as_bytes().get(range.end) == Some(&b'%')
}

/// The length of an extension (`x123` or ` ext. 123`) after a number, or 0.
fn extension(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    while at < end + 2 && matches!(bytes.get(at), Some(b' ' | b',')) {
        at += 1;
    }
    let Some(name) = ["extension", "ext.", "ext", "x"]
        .iter()
        .find(|name| bytes.get(at..at + name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes())))
    else {
        return 0;
    };
    at += name.len();
    at += usize::from(matches!(bytes.get(at), Some(b' ' | b':')));
    let digits = bytes[at..].iter().take(EXTENSION_DIGITS_MAX).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { at + digits - end }
}

#[cfg(test)]
mod tests {
    use crate::inspect;
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn an_international_number_is_found() {
        check("+44 20 7946 0958", &[("PHONE", "+44 20 7946 0958")]);
        check("Call +1 (415) 555-0132.", &[("PHONE", "+1 (415) 555-0132")]);
        check("(+49-30-901820)", &[("PHONE", "+49-30-901820")]);
        check("+33123456789", &[("PHONE", "+33123456789")]);
        check("https://wa.me/447911482365", &[("PHONE", "447911482365")]);
        check("+41 (0)44 668 18 00 is ours", &[("PHONE", "+41 (0)44 668 18 00")]);
        check("+(370) 87867980", &[("PHONE", "+(370) 87867980")]);
        check("or (+34) 912 345 678,", &[("PHONE", "(+34) 912 345 678")]);
        check("dial 001-212-555-0199", &[("PHONE", "001-212-555-0199")]);
    }

    #[test]
    fn a_north_american_number_with_separators_is_found() {
        check("(415) 555-0132", &[("PHONE", "(415) 555-0132")]);
        check("415-555-0132 or 1-212-555-0199", &[("PHONE", "415-555-0132"), ("PHONE", "1-212-555-0199")]);
        check("415.555.0132", &[("PHONE", "415.555.0132")]);
        check("phone 4155550132", &[("PHONE", "4155550132")]);
        check(
            "415-555-0132x4587 and 415.555.0132 ext. 12",
            &[("PHONE", "415-555-0132x4587"), ("PHONE", "415.555.0132 ext. 12")],
        );
    }

    #[test]
    fn a_national_number_needs_a_context_word() {
        check("Tel: 030 901 8200", &[("PHONE", "030 901 8200")]);
        check("030 901 8200", &[]);
        check("4155550132", &[]);
        check_uncertain("415 555 0132", &[("PHONE", "415 555 0132")]);
    }

    #[test]
    fn any_form_counts_with_a_strong_word() {
        for number in ["467 3395", "60-56-85-91", "99 577450", "9469 9966", "432 03 163", "(71) 4233-6306", "5551234"] {
            check(&format!("Phone:\n{number}\n\nE-mail"), &[("PHONE", number)]);
            check(&format!("You can call me at {number}, please"), &[("PHONE", number)]);
            check(&format!("{number}-Phone"), &[("PHONE", number)]);
        }
        check(
            "Call 4673395. T: 5551234, contact: 99 577450",
            &[("PHONE", "4673395"), ("PHONE", "5551234"), ("PHONE", "99 577450")],
        );
        check("He can be reached at 432 03 163 now", &[("PHONE", "432 03 163")]);
        check("Call the office at 99 577450", &[("PHONE", "99 577450")]);
        check("电话13712345678。", &[("PHONE", "13712345678")]);
    }

    #[test]
    fn an_unmistakable_form_counts_alone() {
        check("Ann Lee\n12 Main Street\n030 901 8200\n", &[("PHONE", "030 901 8200")]);
        check("062 400 37 52 or (09575) 844620", &[("PHONE", "062 400 37 52"), ("PHONE", "(09575) 844620")]);
        check("03.93.92.16.85 / (08) 8747 6301", &[("PHONE", "03.93.92.16.85"), ("PHONE", "(08) 8747 6301")]);
    }

    #[test]
    fn adjacent_numbers_are_found_separately() {
        check(r#"vec!["+12025550173", "+1 202 555 0174"]"#, &[("PHONE", "+12025550173"), ("PHONE", "+1 202 555 0174")]);
        check("Phone 467-3395 on 2024-01-15", &[("PHONE", "467-3395")]);
        check("call me: 415-555-0132 2 pm", &[("PHONE", "415-555-0132")]);
        check("Tel. 05421 68275 217", &[("PHONE", "05421 68275 217")]);
        check("Phone: 21 284 698 2548", &[("PHONE", "21 284 698 2548")]);
        check("[Call] Ann (010-12345678), Bo (13712345678)", &[("PHONE", "010-12345678"), ("PHONE", "13712345678")]);
    }

    fn score_and_explanation(text: &str) -> (f64, String) {
        let found = inspect(text).into_iter().find(|finding| finding.r#type == "PHONE").unwrap();
        (found.score, found.explanation)
    }

    #[test]
    fn a_number_in_a_range_in_use_scores_higher_than_other_numbers() {
        for (valid, owner, possible, unknown) in [
            ("+351 912 345 678", "Portugal", "+351 512 345 678", "+351912345678901"),
            ("+44 20 7946 0958", "United Kingdom", "+44 40 7946 0958", "+999 20 7946 0958"),
            ("+1 415 555 0132", "United States", "+1 999 555 0132", "+1 415 555 01324"),
        ] {
            let (surest, why) = score_and_explanation(valid);
            assert!(
                surest >= 0.9 && why.contains(&format!("in a number range in use ({owner})")),
                "{valid}: {surest}, {why}"
            );
            let (less, why) = score_and_explanation(possible);
            assert!((0.7..surest).contains(&less) && !why.contains("in use"), "{possible}: {less}, {why}");
            let (least, why) = score_and_explanation(unknown);
            assert!((0.5..less).contains(&least) && !why.contains("in use"), "{unknown}: {least}, {why}");
        }
        assert!(score_and_explanation("(415) 555-0132").0 > score_and_explanation("(999) 555-0132").0);
        assert!(score_and_explanation("(415) 555-0132").1.contains("in a number range in use (United States)"));
    }

    #[test]
    fn a_number_without_a_country_code_is_not_reported_as_in_use() {
        let (score, why) = score_and_explanation("Phone: 030 901 8200");
        assert!(score >= 0.9 && !why.contains("in use"), "{why}");
    }

    #[test]
    fn other_numbers_are_not_phone_numbers() {
        check("2024-01-15 10:20:30, 1,234,567.89 and 3.14159265", &[]);
        check("+0123456789 and a+12345678 and 115-555-0132", &[]);
        check("pages 100-200-3000", &[]);
        check("415-555-01321", &[]);
        check("My phone cost $123456 in 2019-2020, or 12.345678 times 2024-01-15", &[]);
        check("Call me about order 12345678. My phone bill has reference 87654321", &[]);
        check("Cell Biology, 1981-83, pp. 224-228 (1998)", &[]);
        check("Meeting ID: 884 567 321.\n\n[SMS] Order number: 202506071930. Time: 2025-10-03 15:20", &[]);
        check("my phone &#128547; broke; SMS: 123456 is your code", &[]);
        check("ISBN 0-306-40615-2", &[]);
        check("Phone sales reached 1234567 units. 0 800 000 000 000", &[]);
        check("phone 1998-2003, mobile at 10.20.30.40, tel 31.12.2024", &[]);
    }
}
