//! Delimiters around data in prompts. They are random for each call, so that the data can't contain them.

/// The bytes in hexadecimal.
pub(crate) fn marker(random: [u8; 16]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('0');
    random.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
