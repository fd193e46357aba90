//! United States social security numbers: area, group and serial rules; dashes or context words.

use super::{ends_alone, hit};
use crate::context::{near, run};
use crate::finding::Hit;

const WORDS: &[&str] = &["ssn", "ssns", "social security", "social sec", "taxpayer", "ss#", "soc sec"];
/// Printed in advertisements; never a person's.
const NEVER_ISSUED: [&[u8]; 2] = [b"078051120", b"219099999"];

pub(super) fn at(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let (digits, end, separator) = parts(bytes, start)?;
    if !ends_alone(bytes, end) || !issuable(&digits) {
        return None;
    }
    let range = start..end;
    let context = near(text, &range, WORDS);
    let score = match (separator, context) {
        (Some(b'-'), true) => 0.97,
        (Some(_), true) => 0.9,
        (None, true) => 0.8,
        (Some(b'-'), false) => 0.75,
        (Some(_), false) => 0.3,
        (None, false) => return None,
    };
    let words = if context { "yes" } else { "no" };
    let explanation = format!("three, two and four digits, each in the issued range; context words near: {words}");
    Some(hit("US_SSN", "pii/us_ssn", range, score, explanation))
}

fn parts(bytes: &[u8], start: usize) -> Option<([u8; 9], usize, Option<u8>)> {
    let digits_at = |at: usize| run(bytes.get(at..).unwrap_or_default(), 10, |byte| byte.is_ascii_digit());
    let (places, end, separator): ([usize; 3], _, _) = match digits_at(start) {
        9 => ([start, start + 3, start + 5], start + 9, None),
        3 => {
            let separator = *bytes.get(start + 3).filter(|byte| matches!(byte, b'-' | b' '))?;
            let whole =
                digits_at(start + 4) == 2 && bytes.get(start + 6) == Some(&separator) && digits_at(start + 7) == 4;
            whole.then_some(([start, start + 4, start + 7], start + 11, Some(separator)))?
        }
        _ => return None,
    };
    let mut digits = [0; 9];
    digits[..3].copy_from_slice(&bytes[places[0]..places[0] + 3]);
    digits[3..5].copy_from_slice(&bytes[places[1]..places[1] + 2]);
    digits[5..].copy_from_slice(&bytes[places[2]..places[2] + 4]);
    Some((digits, end, separator))
}

fn issuable(digits: &[u8; 9]) -> bool {
    let (area, group, serial) = (&digits[..3], &digits[3..5], &digits[5..]);
    area != b"000"
        && area != b"666"
        && area[0] != b'9'
        && group != b"00"
        && serial != b"0000"
        && !NEVER_ISSUED.contains(&digits.as_slice())
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_number_with_dashes_or_context_is_found() {
        check("536-90-4399", &[("US_SSN", "536-90-4399")]);
        check("Her SSN: 536904399.", &[("US_SSN", "536904399")]);
        check("social security 536 90 4399", &[("US_SSN", "536 90 4399")]);
    }

    #[test]
    fn a_number_that_was_never_issued_is_not_pii() {
        for number in ["000-12-3456", "666-12-3456", "912-12-3456", "536-00-4399", "536-90-0000", "078-05-1120"] {
            check(&format!("SSN {number}"), &[]);
        }
    }

    #[test]
    fn nine_digits_or_spaces_alone_do_not_count() {
        check("Invoice 536904399", &[]);
        check_uncertain("sizes 536 90 4399", &[("US_SSN", "536 90 4399")]);
        check("1536-90-4399 and 536-90-43991 and 536-90-4399-1", &[]);
    }
}
