//! Delimiters around data in prompts. They are random for each call, so that the data can't contain them.

use data_encoding::HEXLOWER;

/// The bytes in hexadecimal.
pub(crate) fn marker(random: [u8; 16]) -> String {
    HEXLOWER.encode(&random)
}
