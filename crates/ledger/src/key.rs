//! The Ed25519 keys that sign and open notes, under a name and in the encodings of C2SP signed-note.
//!
//! Key generation is up to the caller, who passes in the seed. Only one algorithm is supported; signatures of others on a note are
//! ignored.

use std::fmt;

use ed25519_dalek::Signer;

use crate::named_key::{Algorithm, NamedKey, NamedSecret};
use crate::note::{Note, signature_line};
use crate::{Checkpoint, Hash, LedgerError, sha256};

/// Signs checkpoints. The secret is wiped when the key is dropped, and `Debug` does not show it.
pub struct SigningKey(NamedSecret);

/// Verifies notes signed by a [`SigningKey`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyingKey(NamedKey);

impl SigningKey {
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, LedgerError> {
        NamedSecret::from_seed(name, Algorithm::Ed25519, seed).map(Self)
    }

    /// The same key with another name. A name may contain the key's fingerprint, so the fingerprint must be known first.
    pub fn named(&self, name: &str) -> Result<Self, LedgerError> {
        Self::from_seed(name, self.0.secret.as_bytes())
    }

    /// Signs a checkpoint. The note can only be opened if the checkpoint's origin is this key's name.
    pub fn sign(&self, checkpoint: &Checkpoint) -> String {
        self.sign_text(&checkpoint.body())
    }

    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.public.clone())
    }

    /// The secret itself, as `PRIVATE+KEY+<name>+<key id>+<base64>`.
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    pub fn from_text(text: &str) -> Result<Self, LedgerError> {
        NamedSecret::from_text(text, Algorithm::Ed25519).map(Self)
    }

    /// Signs the tree's state after a commit. A seal is not a note: it is stored with the tree and never published.
    pub fn seal(&self, size: u64, root: &Hash) -> [u8; 64] {
        self.0.secret.sign(&sealed_bytes(&self.0.public.name, size, root)).to_bytes()
    }

    fn sign_text(&self, text: &str) -> String {
        let signature = self.0.secret.sign(text.as_bytes()).to_bytes();
        let line = signature_line(&self.0.public.name, self.0.public.key_id(), &signature);
        format!("{text}\n{line}")
    }
}

impl VerifyingKey {
    /// Reads `<name>+<key id>+<base64>`.
    pub fn parse(vkey: &str) -> Result<Self, LedgerError> {
        NamedKey::parse(vkey, Algorithm::Ed25519).map(Self)
    }

    pub fn to_vkey(&self) -> String {
        self.0.to_vkey()
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// SHA-256 of the public key's 32 bytes. Unlike the key id, it is long enough to identify a key.
    pub fn fingerprint(&self) -> Hash {
        sha256(self.0.key.as_bytes())
    }

    /// Verifies a note and returns its checkpoint.
    ///
    /// Signatures by other keys are ignored. An invalid signature with this key's name is an error, even if there is also a valid
    /// one, and so is an origin other than the key's name.
    pub fn open(&self, note: &str) -> Result<Checkpoint, LedgerError> {
        let checkpoint = Checkpoint::parse_body(self.open_text(note)?)?;
        if checkpoint.origin != self.0.name {
            return Err(LedgerError::BadNote("its origin is not the name of the key"));
        }
        Ok(checkpoint)
    }

    /// Checks that the seal was made with this key, over this size and root.
    pub fn check_seal(&self, size: u64, root: &Hash, seal: &[u8]) -> Result<(), LedgerError> {
        self.0.verify(&sealed_bytes(&self.0.name, size, root), seal)
    }

    /// The note with this key's signature only.
    pub fn without_other_signatures(&self, note: &str) -> Result<String, LedgerError> {
        let text = self.open_text(note)?;
        let note = Note::parse(note)?;
        let own = note.signatures.iter().find(|line| self.0.is_key_of(line));
        let own = own.ok_or(LedgerError::BadNote("it has no signature by this key"))?;
        Ok(format!("{text}\n{}", signature_line(own.name, own.key_id, &own.bytes)))
    }

    /// The text of a note, if this key's signature on it is valid.
    fn open_text<'a>(&self, note: &'a str) -> Result<&'a str, LedgerError> {
        let note = Note::parse(note)?;
        let mut is_signed = false;
        for line in note.signatures.iter().filter(|line| self.0.is_key_of(line)) {
            self.0.verify(note.text.as_bytes(), &line.bytes)?;
            is_signed = true;
        }
        if is_signed { Ok(note.text) } else { Err(LedgerError::BadNote("it has no signature by this key")) }
    }
}

/// The message that a seal signs. It has a control character, which notes never have, so neither can pass for the other.
fn sealed_bytes(name: &str, size: u64, root: &Hash) -> Vec<u8> {
    [b"countersign ledger head\0", name.as_bytes(), b"\0", &size.to_be_bytes(), root.as_bytes().as_slice()].concat()
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("name", &self.0.public.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
