//! Finds cryptocurrency addresses by their checksums: Bitcoin's old format (base58) and new format (bech32), and
//! Ethereum's (mixed case by EIP-55). An Ethereum address in a single case has no checksum and needs a context word.

use std::ops::Range;

use sha2::{Digest, Sha256};
use sha3::Keccak256;

use super::hit;
use crate::context::{ContextWords, near, run, word_ends, word_starts};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

static WORDS: ContextWords = ContextWords::new(&[
    "wallet", "eth", "ethereum", "ether", "erc20", "usdt", "usdc", "crypto", "address", "send to", "bitcoin", "btc",
]);
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE58_BYTES_MIN: usize = 26;
const BASE58_BYTES_MAX: usize = 35;
const BECH32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const BECH32_BYTES_MIN: usize = 26;
const BECH32_BYTES_MAX: usize = 90;
const ETHEREUM_DIGITS: usize = 40;

pub(super) fn anchors() -> Vec<ScanAnchor> {
    let segwit = ["bc1", "tb1", "ltc1"].map(|prefix| (prefix.as_bytes().to_vec(), ScanCheck::Verify(bech32)));
    segwit.into_iter().chain([(b"0x".to_vec(), ScanCheck::Verify(ethereum))]).collect()
}

/// `start` is the offset of a digit with no letters or digits before it.
pub(super) fn base58_at(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    if !matches!(bytes[start], b'1' | b'3') || !bytes.get(start + 1).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let length = run(&bytes[start..], BASE58_BYTES_MAX + 1, |byte| byte.is_ascii_alphanumeric());
    let range = start..start + length;
    if !(BASE58_BYTES_MIN..=BASE58_BYTES_MAX).contains(&length) || !has_base58_checksum(&bytes[range.clone()]) {
        return None;
    }
    Some(hit("CRYPTO", "pii/crypto", range, 0.97, "a Base58 address with a valid checksum".into()))
}

fn has_base58_checksum(written: &[u8]) -> bool {
    let mut decoded = [0_u8; 25];
    for letter in written {
        let Some(digit) = BASE58.iter().position(|known| known == letter) else { return false };
        let mut carry = digit as u32;
        for byte in decoded.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = (carry & 0xFF) as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return false;
        }
    }
    let (body, checksum) = decoded.split_at(21);
    Sha256::digest(Sha256::digest(body)).starts_with(checksum)
}

fn bech32(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let length = run(&bytes[anchor.start..], BECH32_BYTES_MAX + 1, |byte| byte.is_ascii_alphanumeric());
    let range = anchor.start..anchor.start + length;
    let written = &bytes[range.clone()];
    let one_case = !(written.iter().any(u8::is_ascii_lowercase) && written.iter().any(u8::is_ascii_uppercase));
    let long_enough = (BECH32_BYTES_MIN..=BECH32_BYTES_MAX).contains(&length);
    if !long_enough || !one_case || !word_starts(text, range.start) || !word_ends(text, range.end) {
        return None;
    }
    let prefix = anchor.len() - 1;
    has_bech32_checksum(&written[..prefix], &written[prefix + 1..])
        .then(|| hit("CRYPTO", "pii/crypto", range, 0.97, "a Bech32 address with a valid checksum".into()))
}

fn has_bech32_checksum(prefix: &[u8], data: &[u8]) -> bool {
    let lower = |byte: &u8| byte.to_ascii_lowercase();
    let mut sum = 1_u32;
    let mut add = |value: u32| {
        const GENERATOR: [u32; 5] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3];
        let top = sum >> 25;
        sum = ((sum & 0x01FF_FFFF) << 5) ^ value;
        for (bit, coefficient) in GENERATOR.into_iter().enumerate() {
            sum ^= if top >> bit & 1 == 1 { coefficient } else { 0 };
        }
    };
    prefix.iter().map(lower).for_each(|letter| add(u32::from(letter >> 5)));
    add(0);
    prefix.iter().map(lower).for_each(|letter| add(u32::from(letter & 31)));
    for letter in data.iter().map(lower) {
        let Some(value) = BECH32.iter().position(|known| *known == letter) else { return false };
        add(value as u32);
    }
    // The first constant is that of bech32, the second that of bech32m.
    sum == 1 || sum == 0x2BC8_30A3
}

fn ethereum(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let length = run(&bytes[anchor.end..], ETHEREUM_DIGITS + 1, |byte| byte.is_ascii_hexdigit());
    let range = anchor.start..anchor.end + length;
    if length != ETHEREUM_DIGITS || !word_starts(text, range.start) || !word_ends(text, range.end) {
        return None;
    }
    let written = &bytes[anchor.end..range.end];
    let one_case = !(written.iter().any(u8::is_ascii_lowercase) && written.iter().any(u8::is_ascii_uppercase));
    let (score, how) = match () {
        () if !one_case && !has_eip55_checksum(written) => return None,
        () if !one_case => (0.95, "whose capital letters form a valid checksum"),
        () if near(text, &range, &WORDS) => {
            (0.7, "all in one case and so without a checksum; words for such an address nearby: yes")
        }
        () => (0.4, "all in one case and so without a checksum; words for such an address nearby: no"),
    };
    Some(hit("CRYPTO", "pii/crypto", range, score, format!("0x and forty hexadecimal digits, {how}")))
}

/// EIP-55: a letter is upper-case where the hash of the lower-case address has a nibble of at least 8.
fn has_eip55_checksum(written: &[u8]) -> bool {
    let hash = Keccak256::digest(written.to_ascii_lowercase());
    written.iter().enumerate().all(|(place, letter)| {
        let half = if place % 2 == 0 { hash[place / 2] >> 4 } else { hash[place / 2] & 15 };
        !letter.is_ascii_alphabetic() || letter.is_ascii_uppercase() == (half >= 8)
    })
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn an_address_with_its_checksum_is_found() {
        for address in [
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ] {
            check(&format!("to {address}, please"), &[("CRYPTO", address)]);
        }
    }

    #[test]
    fn an_address_with_a_wrong_checksum_is_not_found() {
        check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz", &[]);
        check("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5 wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", &[]);
    }

    #[test]
    fn an_address_in_a_single_case_needs_a_context_word() {
        let address = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
        check(&format!("wallet {address}"), &[("CRYPTO", address)]);
        check_uncertain(&format!("commit {address}"), &[("CRYPTO", address)]);
    }
}
