//! Digits of every script.

/// The value of a decimal digit (general category Nd) of any script, 0 to 9. Other numerals (`½`, `Ⅳ`, `①`) are not decimal digits.
#[inline]
pub fn decimal_digit(letter: char) -> Option<u8> {
    let code = u32::from(letter);
    if letter.is_ascii() {
        return u8::try_from(code.checked_sub(0x30)?).ok().filter(|value| *value < 10);
    }
    let before = ZEROS.partition_point(|zero| *zero <= code);
    let zero = ZEROS.get(before.checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|value| *value < 10)
}

/// The ASCII digit that a character beyond ASCII stands for: a decimal digit of any script, or a single digit in a circle, in
/// brackets or with a comma. Superscripts and subscripts are not included, because `5²` is not read as 52.
pub fn ascii_digit(letter: char) -> Option<char> {
    /// The first and last of the characters for one, two and so on that have general category No.
    const ONES: [(u32, u32); 12] = [
        (0x1369, 0x1371),
        (0x19DA, 0x19DA),
        (0x2460, 0x2468),
        (0x2474, 0x247C),
        (0x24F5, 0x24FD),
        (0x2776, 0x277E),
        (0x2780, 0x2788),
        (0x278A, 0x2792),
        (0x10A40, 0x10A43),
        (0x10E60, 0x10E68),
        (0x11052, 0x1105A),
        (0x1D2E1, 0x1D2E9),
    ];
    if letter.is_ascii() {
        return None;
    }
    let code = u32::from(letter);
    if matches!(code, 0x24EA | 0x24FF | 0x1F10B | 0x1F10C) {
        return Some('0');
    }
    if code >= ONES[0].0
        && let Some((first, _)) = ONES.iter().find(|(first, last)| (*first..=*last).contains(&code))
    {
        return char::from_digit(code - first + 1, 10);
    }
    // Digits with a comma: zero to nine.
    let value = if let 0x1F101..=0x1F10A = code { code - 0x1F101 } else { u32::from(decimal_digit(letter)?) };
    char::from_digit(value, 10)
}

/// The zeros of the digits beyond ASCII; one to nine follow each. Ascending.
const ZEROS: [u32; 75] = [
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
    0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
    0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50,
    0x11D50, 0x11DA0, 0x11DE0, 0x11F50, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE, 0x1D7D8, 0x1D7E2,
    0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_of_every_script_have_their_value() {
        for (letter, value) in [('7', 7), ('٤', 4), ('४', 4), ('９', 9), ('𝟎', 0), ('𝟿', 9), ('\u{1FBF5}', 5)]
        {
            assert_eq!(decimal_digit(letter), Some(value), "{letter}");
        }
        for letter in ['a', ' ', '½', 'Ⅳ', '①', '五', '²', '/', ':'] {
            assert_eq!(decimal_digit(letter), None, "{letter}");
        }
    }

    #[test]
    fn decorated_digits_stand_for_ascii_ones() {
        for (letter, digit) in [('٤', '4'), ('①', '1'), ('⑼', '9'), ('⓪', '0'), ('❸', '3'), ('🄂', '1')] {
            assert_eq!(ascii_digit(letter), Some(digit), "{letter}");
        }
        for letter in ['4', 'a', '²', '⑩', '½'] {
            assert_eq!(ascii_digit(letter), None, "{letter}");
        }
    }

    #[test]
    fn the_zeros_ascend_and_no_two_overlap() {
        assert!(ZEROS.windows(2).all(|pair| pair[0] + 10 <= pair[1]));
    }

    proptest! {
        #[test]
        fn a_digit_is_numeric_and_below_ten(letter in any::<char>()) {
            if let Some(value) = decimal_digit(letter) {
                prop_assert!(value < 10);
                // The standard library's tables may be older than the list.
                prop_assert!(letter.is_numeric() || !letter.is_alphabetic());
            }
        }
    }
}
