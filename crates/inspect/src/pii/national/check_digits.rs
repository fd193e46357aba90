//! Check-digit arithmetic shared by several national ids. Digits are ASCII.

/// The weighted sum of the digits.
pub(super) fn weighted(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum()
}

/// Whether the last digit is correct by ISO 7064 MOD 11,10.
pub(super) fn mod_11_10(digits: &[u8]) -> bool {
    let Some((&check, body)) = digits.split_last() else { return false };
    let product = body.iter().fold(10, |product, digit| {
        let sum = (u32::from(digit.wrapping_sub(b'0')) + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    u32::from(check.wrapping_sub(b'0')) == (11 - product) % 10
}

/// Whether the last digit is correct by Verhoeff's algorithm.
pub(super) fn verhoeff(digits: &[u8]) -> bool {
    const PERMUTATIONS: [[u8; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let sum = digits.iter().rev().enumerate().fold(0, |sum, (place, digit)| {
        product(sum, PERMUTATIONS[place % 8][usize::from(digit.wrapping_sub(b'0') % 10)])
    });
    sum == 0
}

/// The product in the dihedral group D5: values below 5 are rotations, the others reflections.
fn product(a: u8, b: u8) -> u8 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b - 5) % 5,
        (false, true) => 5 + (a - b) % 5,
        (false, false) => (5 + a - b) % 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_numbers_pass_and_altered_ones_fail() {
        assert!(verhoeff(b"2363") && !verhoeff(b"2364") && !verhoeff(b"3263"));
        assert!(mod_11_10(b"07945") && !mod_11_10(b"07946"));
        assert_eq!(weighted(b"123", &[3, 2, 1]), 10);
    }
}
