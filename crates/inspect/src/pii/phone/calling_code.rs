//! Countries' calling codes, and how many digits may follow each: the numbering plans of E.164, in short.

/// Calling code, then the least and the most digits of a number behind it.
const CODES: &[(u16, u8, u8)] = &[
    (1, 10, 10),
    (7, 10, 10),
    (20, 8, 10),
    (27, 9, 9),
    (30, 10, 10),
    (31, 9, 11),
    (32, 8, 9),
    (33, 9, 9),
    (34, 9, 9),
    (36, 8, 9),
    (39, 6, 11),
    (40, 9, 9),
    (41, 9, 12),
    (43, 4, 13),
    (44, 9, 10),
    (45, 8, 8),
    (46, 7, 13),
    (47, 5, 8),
    (48, 9, 9),
    (49, 5, 14),
    (51, 8, 11),
    (52, 10, 11),
    (53, 6, 8),
    (54, 10, 11),
    (55, 10, 11),
    (56, 8, 9),
    (57, 8, 10),
    (58, 10, 10),
    (60, 7, 10),
    (61, 5, 10),
    (62, 7, 13),
    (63, 8, 11),
    (64, 8, 10),
    (65, 8, 8),
    (66, 8, 9),
    (81, 8, 13),
    (82, 8, 11),
    (84, 7, 10),
    (86, 5, 12),
    (90, 10, 10),
    (91, 10, 10),
    (92, 8, 11),
    (93, 9, 9),
    (94, 9, 9),
    (95, 7, 10),
    (98, 6, 10),
];

/// The hundreds of the three-digit codes, with the tens in use below each.
const LONG_CODES: [(u16, u16); 13] = [
    (210, 219),
    (220, 229),
    (230, 239),
    (240, 249),
    (250, 259),
    (260, 269),
    (290, 299),
    (350, 359),
    (370, 389),
    (420, 423),
    (500, 509),
    (590, 599),
    (670, 692),
];
const LONG_CODES_EAST: [(u16, u16); 4] = [(800, 808), (850, 888), (960, 977), (992, 998)];
const LONG_DIGITS_MIN: usize = 5;
const LONG_DIGITS_MAX: usize = 12;

/// Whether digits that follow a `+` are the number of some country by code and length.
pub(super) fn is_number(digits: &[u8]) -> bool {
    let code = |length: usize| {
        let code = digits.get(..length)?.iter().fold(0, |code, digit| code * 10 + u16::from(digit.wrapping_sub(b'0')));
        Some((code, digits.len() - length))
    };
    let short = [1, 2].into_iter().filter_map(code).any(|(code, rest)| {
        CODES
            .binary_search_by_key(&code, |row| row.0)
            .is_ok_and(|at| (usize::from(CODES[at].1)..=usize::from(CODES[at].2)).contains(&rest))
    });
    let long = code(3).is_some_and(|(code, rest)| {
        let known = LONG_CODES.iter().chain(&LONG_CODES_EAST).any(|&(first, last)| (first..=last).contains(&code));
        known && (LONG_DIGITS_MIN..=LONG_DIGITS_MAX).contains(&rest)
    });
    short || long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_known_code_and_a_length_that_fits() {
        for good in ["14155550132", "442079460958", "8613720051834", "3531234567", "96212345678"] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in ["1415555", "04155550132", "999123456789", "45123456789", "", "4"] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn the_codes_are_sorted() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
