//! What the numbering plans of the world say of a number, as the `phonelib` library has them.
//!
//! Nothing here reads text: the library is given at most sixteen digits, so that its work is bounded.

use phonelib::{ParseError, PhoneNumberType, detect_phone_number_type, extract_country, try_normalize_phone_number};

use super::number::DIGITS_MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// Its length fits and its range is in use, in this country or network.
    Valid(&'static str),
    /// Its length fits a plan that has no use for its range.
    Possible,
    Unknown,
}

/// `digits`: a country's calling code and what follows it.
pub(super) fn standing(digits: &[u8]) -> Standing {
    // Behind a zero the library would look for the code that dials abroad.
    if digits.len() > DIGITS_MAX || digits.first().is_none_or(|&first| first == b'0') {
        return Standing::Unknown;
    }
    let mut written = [b'+'; DIGITS_MAX + 1];
    written[1..=digits.len()].copy_from_slice(digits);
    let Ok(written) = str::from_utf8(&written[..=digits.len()]) else { return Standing::Unknown };
    match extract_country(written) {
        Some(country) if is_in_use(written) => Standing::Valid(country.name),
        Some(_) => Standing::Possible,
        // Only North America's plan tells more of what it refuses.
        None if digits[0] == b'1' && has_its_length(written) => Standing::Possible,
        None => Standing::Unknown,
    }
}

fn is_in_use(written: &str) -> bool {
    detect_phone_number_type(written).is_some_and(|kind| kind != PhoneNumberType::Unknown)
}

/// Ten digits behind the 1 as there should be, but no such area.
fn has_its_length(written: &str) -> bool {
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
    fn a_number_of_a_fitting_length_in_no_range_is_possible() {
        for number in ["19995550132", "14151550132", "351512345678"] {
            assert_eq!(standing(number.as_bytes()), Standing::Possible, "{number}");
        }
    }

    #[test]
    fn a_number_of_no_code_or_length_is_unknown() {
        for number in ["1415555", "04155550132", "999123456789", "45123456789", "", "4", "44", "12345678901234567"] {
            assert_eq!(standing(number.as_bytes()), Standing::Unknown, "{number}");
        }
    }
}
