//! Looks numbers up in the world's numbering plans, using the `phonelib` library.
//!
//! This module does not read text: the library receives at most sixteen digits, so its work is bounded.

use phonelib::{ParseError, PhoneNumberType, detect_phone_number_type, extract_country, try_normalize_phone_number};

use super::number::DIGITS_MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// The length fits and the range is in use, in this country or network.
    Valid(&'static str),
    /// The length fits a plan, but the range is not in use.
    Possible,
    Unknown,
}

/// `digits` is a calling code followed by the national number.
pub(super) fn standing(digits: &[u8]) -> Standing {
    // After a leading zero, the library would look for an international dialling prefix.
    if digits.len() > DIGITS_MAX || digits.first().is_none_or(|&first| first == b'0') {
        return Standing::Unknown;
    }
    let mut written = [b'+'; DIGITS_MAX + 1];
    written[1..=digits.len()].copy_from_slice(digits);
    let Ok(written) = str::from_utf8(&written[..=digits.len()]) else { return Standing::Unknown };
    match extract_country(written) {
        Some(country) if is_in_use(written) => Standing::Valid(country.name),
        Some(_) => Standing::Possible,
        // Only the North American plan reports why it rejects a number.
        None if digits[0] == b'1' && has_north_american_length(written) => Standing::Possible,
        None => Standing::Unknown,
    }
}

fn is_in_use(written: &str) -> bool {
    detect_phone_number_type(written).is_some_and(|kind| kind != PhoneNumberType::Unknown)
}

/// Whether ten digits follow the 1, although the area code or exchange does not exist.
fn has_north_american_length(written: &str) -> bool {
    let refused = try_normalize_phone_number(written).err();
    matches!(refused, Some(ParseError::InvalidAreaCode | ParseError::InvalidExchange))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_range_in_use_is_valid_in_its_country() {
        for (number, owner) in [
            ("14155550132", "United States"),
            ("16045550132", "Canada"),
            ("442079460958", "United Kingdom"),
            ("4402079460958", "United Kingdom"),
            ("8613720051834", "China"),
            ("351912345678", "Portugal"),
            ("390212345678", "Italy"),
            ("77012345678", "Kazakhstan"),
        ] {
            assert_eq!(standing(number.as_bytes()), Standing::Valid(owner), "{number}");
        }
    }

    #[test]
    fn a_number_with_a_valid_length_outside_every_range_is_possible() {
        for number in ["19995550132", "14151550132", "351512345678"] {
            assert_eq!(standing(number.as_bytes()), Standing::Possible, "{number}");
        }
    }

    #[test]
    fn a_number_with_an_unknown_code_or_length_is_unknown() {
        for number in ["1415555", "04155550132", "999123456789", "45123456789", "", "4", "44", "12345678901234567"] {
            assert_eq!(standing(number.as_bytes()), Standing::Unknown, "{number}");
        }
    }
}
