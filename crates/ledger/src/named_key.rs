//! What all keys of signed notes have in common: a name, an id, an algorithm and a text form.
//!
//! The algorithm byte is part of the key id, so one Ed25519 key used for two kinds of signature has two ids.

use base64::prelude::{BASE64_STANDARD, Engine};
use ed25519_dalek::Signature;

use crate::note::{NoteKeyId, NoteSignature, is_key_name};
use crate::{LedgerError, sha256};

pub const KEY_NAME_BYTES_MAX: usize = 255;

const PRIVATE_PREFIX: &str = "PRIVATE+KEY+";

/// The signature types of C2SP signed-note that we create and verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// A log's signature over a note's text.
    Ed25519 = 0x01,
    /// A witness's cosignature, which covers a time as well as the text.
    Cosignature = 0x04,
}

impl Algorithm {
    /// Why a key with another algorithm is refused.
    fn mismatch(self) -> &'static str {
        match self {
            Self::Ed25519 => "it is not an Ed25519 key",
            Self::Cosignature => "it is not a witness's Ed25519 key",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedKey {
    pub(crate) name: String,
    pub(crate) algorithm: Algorithm,
    pub(crate) key: ed25519_dalek::VerifyingKey,
}

impl NamedKey {
    pub(crate) fn new(name: &str, algorithm: Algorithm, key: ed25519_dalek::VerifyingKey) -> Result<Self, LedgerError> {
        if !is_key_name(name) {
            return Err(LedgerError::BadKey("its name is empty or contains a space or a plus"));
        }
        if name.len() > KEY_NAME_BYTES_MAX {
            return Err(LedgerError::BadKey("its name is too long"));
        }
        if key.is_weak() {
            return Err(LedgerError::BadKey("it is a weak key: anyone could forge its signatures"));
        }
        Ok(Self { name: name.to_owned(), algorithm, key })
    }

    /// Reads `<name>+<key id>+<base64>`.
    pub(crate) fn parse(vkey: &str, algorithm: Algorithm) -> Result<Self, LedgerError> {
        let (name, key_id, public) = decode(vkey, algorithm)?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(&public);
        let key = Self::new(name, algorithm, key.map_err(|_| LedgerError::BadKey("it is not a point on the curve"))?)?;
        key.expect_key_id(key_id)?;
        Ok(key)
    }

    pub(crate) fn to_vkey(&self) -> String {
        encode(&self.name, self.key_id(), self.algorithm, self.key.as_bytes())
    }

    pub(crate) fn key_id(&self) -> NoteKeyId {
        let named = [self.name.as_bytes(), b"\n", &[self.algorithm as u8], self.key.as_bytes()].concat();
        let [a, b, c, d, ..] = *sha256(&named).as_bytes();
        [a, b, c, d]
    }

    /// Whether a signature line has this key's name and id. The signature itself is not checked.
    pub(crate) fn is_key_of(&self, line: &NoteSignature<'_>) -> bool {
        line.name == self.name && line.key_id == self.key_id()
    }

    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), LedgerError> {
        let signature = Signature::from_slice(signature).map_err(|_| LedgerError::BadSignature)?;
        // Strict verification, so that all verifiers agree on which signatures are valid.
        self.key.verify_strict(message, &signature).map_err(|_| LedgerError::BadSignature)
    }

    fn expect_key_id(&self, key_id: &str) -> Result<(), LedgerError> {
        if key_id == hex(self.key_id()) {
            Ok(())
        } else {
            Err(LedgerError::BadKey("its key id does not match the public key"))
        }
    }
}

/// A secret key with its public key. It is wiped when dropped.
pub(crate) struct NamedSecret {
    pub(crate) secret: ed25519_dalek::SigningKey,
    pub(crate) public: NamedKey,
}

impl NamedSecret {
    pub(crate) fn from_seed(name: &str, algorithm: Algorithm, seed: &[u8; 32]) -> Result<Self, LedgerError> {
        let secret = ed25519_dalek::SigningKey::from_bytes(seed);
        let public = NamedKey::new(name, algorithm, secret.verifying_key())?;
        Ok(Self { secret, public })
    }

    /// The secret itself, as `PRIVATE+KEY+<name>+<key id>+<base64>`.
    pub(crate) fn to_text(&self) -> String {
        let public = &self.public;
        let encoded = encode(&public.name, public.key_id(), public.algorithm, self.secret.as_bytes());
        format!("{PRIVATE_PREFIX}{encoded}")
    }

    pub(crate) fn from_text(text: &str, algorithm: Algorithm) -> Result<Self, LedgerError> {
        let encoded = text.strip_prefix(PRIVATE_PREFIX).ok_or(LedgerError::BadKey("it is not a private key"))?;
        let (name, key_id, seed) = decode(encoded, algorithm)?;
        let key = Self::from_seed(name, algorithm, &seed)?;
        key.public.expect_key_id(key_id)?;
        Ok(key)
    }
}

pub(crate) fn encode(name: &str, key_id: NoteKeyId, algorithm: Algorithm, key: &[u8; 32]) -> String {
    format!("{name}+{}+{}", hex(key_id), BASE64_STANDARD.encode([&[algorithm as u8], &key[..]].concat()))
}

/// Parses `<name>+<key id>+<base64(algorithm || key)>`. The caller must check the name and the id.
fn decode(text: &str, algorithm: Algorithm) -> Result<(&str, &str, [u8; 32]), LedgerError> {
    // The base64 may contain a plus; the fields before it may not.
    let mut fields = text.splitn(3, '+');
    let (Some(name), Some(key_id), Some(encoded)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(LedgerError::BadKey("it is not name+id+key"));
    };
    let decoded = BASE64_STANDARD.decode(encoded).map_err(|_| LedgerError::BadEncoding("base64"))?;
    match decoded.split_first() {
        Some((&byte, key)) if byte == algorithm as u8 => {
            let wrong = LedgerError::BadLength { expected_bytes: 32, actual_bytes: key.len() };
            Ok((name, key_id, key.try_into().map_err(|_| wrong)?))
        }
        _ => Err(LedgerError::BadKey(algorithm.mismatch())),
    }
}

fn hex(key_id: NoteKeyId) -> String {
    format!("{:08x}", u32::from_be_bytes(key_id))
}
