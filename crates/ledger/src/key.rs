//! The Ed25519 keys that sign and open notes, under a name and in the encodings of C2SP signed-note.
//!
//! It makes no keys: the seed is passed in, so that the only source of randomness is the caller's. It knows one
//! algorithm; a note may carry signatures of others, and they count for nothing here.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine};
use ed25519_dalek::{Signature, Signer};

use crate::note::{KeyId, Note, is_key_name, signature_line};
use crate::{Checkpoint, LedgerError, sha256};

pub const KEY_NAME_BYTES_MAX: usize = 255;

const ED25519: u8 = 0x01;
const PRIVATE_PREFIX: &str = "PRIVATE+KEY+";

/// Signs checkpoints. The secret is wiped when the key is dropped, and `Debug` does not show it.
pub struct SigningKey {
    secret: ed25519_dalek::SigningKey,
    public: VerifyingKey,
}

/// Opens the notes that its secret half signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    name: String,
    key: ed25519_dalek::VerifyingKey,
}

impl SigningKey {
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, LedgerError> {
        let secret = ed25519_dalek::SigningKey::from_bytes(seed);
        let public = VerifyingKey::new(name, secret.verifying_key())?;
        Ok(Self { secret, public })
    }

    /// A note that attests the checkpoint as given. Only one whose origin is this key's name can be opened again.
    pub fn sign(&self, checkpoint: &Checkpoint) -> String {
        self.sign_text(&checkpoint.body())
    }

    pub fn verifying_key(&self) -> VerifyingKey {
        self.public.clone()
    }

    /// The secret itself, as `PRIVATE+KEY+<name>+<key id>+<base64>`.
    pub fn to_text(&self) -> String {
        let encoded = encode_key(&self.public.name, self.public.key_id(), self.secret.as_bytes());
        format!("{PRIVATE_PREFIX}{encoded}")
    }

    pub fn from_text(text: &str) -> Result<Self, LedgerError> {
        let encoded = text.strip_prefix(PRIVATE_PREFIX).ok_or(LedgerError::BadKey("it is not a private key"))?;
        let (name, key_id, seed) = decode_key(encoded)?;
        let key = Self::from_seed(name, &seed)?;
        key.public.expect_key_id(key_id)?;
        Ok(key)
    }

    fn sign_text(&self, text: &str) -> String {
        let signature = self.secret.sign(text.as_bytes()).to_bytes();
        let line = signature_line(&self.public.name, self.public.key_id(), &signature);
        format!("{text}\n{line}")
    }
}

impl VerifyingKey {
    /// Reads `<name>+<key id>+<base64>`.
    pub fn parse(vkey: &str) -> Result<Self, LedgerError> {
        let (name, key_id, public) = decode_key(vkey)?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(&public);
        let key = Self::new(name, key.map_err(|_| LedgerError::BadKey("it is not a point on the curve"))?)?;
        key.expect_key_id(key_id)?;
        Ok(key)
    }

    pub fn to_vkey(&self) -> String {
        encode_key(&self.name, self.key_id(), self.key.as_bytes())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The checkpoint in a note that this key signed.
    ///
    /// Signatures by other keys are ignored. A wrong signature in this key's name spoils the note even beside a right
    /// one, and so does an origin other than the key's name.
    pub fn open(&self, note: &str) -> Result<Checkpoint, LedgerError> {
        let checkpoint = Checkpoint::parse_body(self.open_text(note)?)?;
        if checkpoint.origin != self.name {
            return Err(LedgerError::BadNote("its origin is not the name of the key"));
        }
        Ok(checkpoint)
    }

    /// The text of a note, once this key's signature on it holds.
    fn open_text<'a>(&self, note: &'a str) -> Result<&'a str, LedgerError> {
        let note = Note::parse(note)?;
        let key_id = self.key_id();
        let mut is_signed = false;
        for line in note.signatures.iter().filter(|line| line.name == self.name && line.key_id == key_id) {
            self.verify(note.text, &line.bytes)?;
            is_signed = true;
        }
        if is_signed { Ok(note.text) } else { Err(LedgerError::BadNote("it has no signature by this key")) }
    }

    fn verify(&self, text: &str, signature: &[u8]) -> Result<(), LedgerError> {
        let signature = Signature::from_slice(signature).map_err(|_| LedgerError::BadSignature)?;
        // Strict, so that all verifiers agree on which signatures are valid.
        self.key.verify_strict(text.as_bytes(), &signature).map_err(|_| LedgerError::BadSignature)
    }

    fn new(name: &str, key: ed25519_dalek::VerifyingKey) -> Result<Self, LedgerError> {
        if !is_key_name(name) {
            return Err(LedgerError::BadKey("its name is empty or contains a space or a plus"));
        }
        if name.len() > KEY_NAME_BYTES_MAX {
            return Err(LedgerError::BadKey("its name is too long"));
        }
        if key.is_weak() {
            return Err(LedgerError::BadKey("anyone could sign for it"));
        }
        Ok(Self { name: name.to_owned(), key })
    }

    fn key_id(&self) -> KeyId {
        let named = [self.name.as_bytes(), b"\n", &[ED25519], self.key.as_bytes()].concat();
        let [a, b, c, d, ..] = *sha256(&named).as_bytes();
        [a, b, c, d]
    }

    fn expect_key_id(&self, key_id: &str) -> Result<(), LedgerError> {
        if key_id == hex(self.key_id()) { Ok(()) } else { Err(LedgerError::BadKey("its id is not that of the key")) }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("name", &self.public.name).finish_non_exhaustive()
    }
}

fn encode_key(name: &str, key_id: KeyId, key: &[u8; 32]) -> String {
    format!("{name}+{}+{}", hex(key_id), BASE64_STANDARD.encode([&[ED25519], &key[..]].concat()))
}

/// Takes `<name>+<key id>+<base64(0x01 || key)>` apart, leaving the name and the id to be checked.
fn decode_key(text: &str) -> Result<(&str, &str, [u8; 32]), LedgerError> {
    // The base64 may contain a plus, the fields before it may not.
    let mut fields = text.splitn(3, '+');
    let (Some(name), Some(key_id), Some(encoded)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(LedgerError::BadKey("it is not name+id+key"));
    };
    let decoded = BASE64_STANDARD.decode(encoded).map_err(|_| LedgerError::BadEncoding("base64"))?;
    match decoded.split_first() {
        Some((&ED25519, key)) => {
            let wrong = LedgerError::BadLength { expected_bytes: 32, actual_bytes: key.len() };
            Ok((name, key_id, key.try_into().map_err(|_| wrong)?))
        }
        _ => Err(LedgerError::BadKey("it is not an Ed25519 key")),
    }
}

fn hex(key_id: KeyId) -> String {
    format!("{:08x}", u32::from_be_bytes(key_id))
}

#[cfg(test)]
mod tests;
