//! SHA-256 in its roles in the log, with prefixes so that a leaf can't pass for a node.
//!
//! A `Hash` is public data. Comparisons are not constant-time, so don't use it for secrets.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest, Sha256};

use crate::LedgerError;

const LEAF_PREFIX: [u8; 1] = [0x00];
const NODE_PREFIX: [u8; 1] = [0x01];

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

/// The hash of a leaf's bytes: `SHA-256(0x00 || leaf)`.
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    digest(&[&LEAF_PREFIX, leaf])
}

/// The hash of two children: `SHA-256(0x01 || left || right)`.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    digest(&[&NODE_PREFIX, &left.0, &right.0])
}

/// The root of a tree without leaves: `SHA-256("")`.
pub fn empty_root() -> Hash {
    digest(&[])
}

/// A leaf's commitment to a body that it does not contain: `SHA-256(salt || payload || metadata)`.
///
/// The salt prevents guessing a short body after it was deleted. The boundary between payload and metadata is not hashed, so the
/// leaf must fix it.
pub fn body_commitment(salt: &[u8; 32], payload: &[u8], metadata: &[u8]) -> Hash {
    digest(&[salt, payload, metadata])
}

/// Plain SHA-256, for bytes that are not part of the tree.
pub fn sha256(bytes: &[u8]) -> Hash {
    digest(&[bytes])
}

/// A text with its SHA-256, which is computed once and always matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedText {
    text: String,
    hash: Hash,
}

impl HashedText {
    pub fn new(text: String) -> Self {
        Self { hash: sha256(text.as_bytes()), text }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn hash(&self) -> Hash {
        self.hash
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

impl Hash {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub fn from_slice(bytes: &[u8]) -> Result<Self, LedgerError> {
        let wrong = LedgerError::BadLength { expected_bytes: 32, actual_bytes: bytes.len() };
        bytes.try_into().map(Self).map_err(|_| wrong)
    }

    /// Lower-case hexadecimal.
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    pub fn from_hex(text: &str) -> Result<Self, LedgerError> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| LedgerError::BadEncoding("hex"))?;
        Self::from_slice(&bytes)
    }

    pub fn to_base64(&self) -> String {
        BASE64_STANDARD.encode(self.0)
    }

    /// Refuses missing padding and trailing bits, so that each hash has exactly one base64 form.
    pub fn from_base64(text: &str) -> Result<Self, LedgerError> {
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| LedgerError::BadEncoding("base64"))?;
        Self::from_slice(&bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn digest(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    Hash(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC_HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const ABC_BASE64: &str = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

    #[test]
    fn sha256_gives_the_published_digest_in_every_form() {
        let hash = sha256(b"abc");
        assert_eq!(hash.to_hex(), ABC_HEX);
        assert_eq!(format!("{hash} {hash:?}"), format!("{ABC_HEX} {ABC_HEX}"));
        assert_eq!(hash.to_base64(), ABC_BASE64);
        assert_eq!(Hash::from_hex(ABC_HEX), Ok(hash));
        assert_eq!(Hash::from_base64(ABC_BASE64), Ok(hash));
        assert_eq!(Hash::from_slice(hash.as_bytes()), Ok(hash));
    }

    #[test]
    fn a_body_commitment_is_the_digest_of_its_three_parts_in_order() {
        let salt = [9; 32];
        let joined = [&salt[..], b"payload", b"metadata"].concat();
        assert_eq!(body_commitment(&salt, b"payload", b"metadata"), sha256(&joined));
    }

    fn check_hex(text: &str, expected: LedgerError) {
        assert_eq!(Hash::from_hex(text), Err(expected), "{text}");
    }

    #[test]
    fn hex_of_another_length_or_alphabet_is_refused() {
        check_hex("", LedgerError::BadLength { expected_bytes: 32, actual_bytes: 0 });
        check_hex(&ABC_HEX[2..], LedgerError::BadLength { expected_bytes: 32, actual_bytes: 31 });
        check_hex(&format!("{ABC_HEX}00"), LedgerError::BadLength { expected_bytes: 32, actual_bytes: 33 });
        check_hex(&ABC_HEX[1..], LedgerError::BadEncoding("hex"));
        check_hex(&ABC_HEX.replace('b', "g"), LedgerError::BadEncoding("hex"));
        check_hex(&ABC_HEX.replace('b', "+"), LedgerError::BadEncoding("hex"));
        check_hex(&ABC_HEX.replace('b', "é"), LedgerError::BadEncoding("hex"));
    }

    fn check_base64(text: &str, expected: LedgerError) {
        assert_eq!(Hash::from_base64(text), Err(expected), "{text}");
    }

    #[test]
    fn base64_that_is_not_the_one_canonical_form_is_refused() {
        check_base64("AAAA", LedgerError::BadLength { expected_bytes: 32, actual_bytes: 3 });
        check_base64(ABC_BASE64.trim_end_matches('='), LedgerError::BadEncoding("base64"));
        check_base64(&ABC_BASE64.replace("Fa0=", "Fa1="), LedgerError::BadEncoding("base64"));
        check_base64(&ABC_BASE64.replace('/', "_"), LedgerError::BadEncoding("base64"));
        check_base64(&format!("{ABC_BASE64}\n"), LedgerError::BadEncoding("base64"));
    }
}
