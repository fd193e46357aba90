//! Cosignatures: a witness's statement that, at some time, a checkpoint was the largest consistent one that it had seen.
//!
//! `witness.rs` decides when to cosign. Only Ed25519 (`cosignature/v1`) is supported.

use std::fmt;

use ed25519_dalek::Signer;

use crate::named_key::{Algorithm, NamedKey, NamedSecret};
use crate::note::{Note, NoteSignature, signature_line};
use crate::{Checkpoint, LedgerError};

const TIME_BYTES: usize = 8;

/// Cosigns checkpoints. The secret is wiped when the key is dropped, and `Debug` does not show it.
pub struct WitnessSigningKey(NamedSecret);

/// Verifies the cosignatures of a [`WitnessSigningKey`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessKey(NamedKey);

/// A valid cosignature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosignature {
    /// The time of the cosignature, in seconds since 1970.
    pub time_s: u64,
    /// The note's signature line, with its newline.
    pub line: String,
}

impl WitnessSigningKey {
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, LedgerError> {
        NamedSecret::from_seed(name, Algorithm::Cosignature, seed).map(Self)
    }

    pub fn from_text(text: &str) -> Result<Self, LedgerError> {
        NamedSecret::from_text(text, Algorithm::Cosignature).map(Self)
    }

    /// The secret itself, as `PRIVATE+KEY+<name>+<key id>+<base64>`.
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    pub fn witness_key(&self) -> WitnessKey {
        WitnessKey(self.0.public.clone())
    }

    /// The cosignature of a note's text, extension lines included.
    pub fn cosign(&self, note: &str, time_s: u64) -> Result<Cosignature, LedgerError> {
        let note = Note::parse(note)?;
        Checkpoint::parse_body(note.text)?;
        let signature = self.0.secret.sign(message(note.text, time_s).as_bytes()).to_bytes();
        let timestamped = [&time_s.to_be_bytes()[..], &signature].concat();
        let line = signature_line(&self.0.public.name, self.0.public.key_id(), &timestamped);
        Ok(Cosignature { time_s, line })
    }
}

impl WitnessKey {
    /// Reads `<name>+<key id>+<base64>` of the cosignature type.
    pub fn parse(vkey: &str) -> Result<Self, LedgerError> {
        NamedKey::parse(vkey, Algorithm::Cosignature).map(Self)
    }

    pub fn to_vkey(&self) -> String {
        self.0.to_vkey()
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// This witness's newest cosignature on a note. An invalid one with its name is an error.
    pub fn cosignature_on(&self, note: &str) -> Result<Cosignature, LedgerError> {
        self.newest(&Note::parse(note)?)
    }

    /// This witness's cosignature in a response to a request with `note`. Lines by other keys are ignored.
    pub fn cosignature_in(&self, note: &str, answer: &str) -> Result<Cosignature, LedgerError> {
        let text = Note::parse(note)?.text;
        let answered = format!("{text}\n{answer}");
        let answered = Note::parse(&answered)?;
        if answered.text != text {
            return Err(LedgerError::BadNote("the response contains something other than signature lines"));
        }
        self.newest(&answered)
    }

    fn newest(&self, note: &Note<'_>) -> Result<Cosignature, LedgerError> {
        let lines = note.signatures.iter().filter(|line| self.0.is_key_of(line));
        let checked: Vec<_> = lines.map(|line| self.check(note.text, line)).collect::<Result<_, _>>()?;
        let newest = checked.into_iter().max_by_key(|cosignature| cosignature.time_s);
        newest.ok_or(LedgerError::BadNote("it has no cosignature by this witness"))
    }

    fn check(&self, text: &str, line: &NoteSignature<'_>) -> Result<Cosignature, LedgerError> {
        let (time, signature) = line.bytes.split_first_chunk::<TIME_BYTES>().ok_or(LedgerError::BadSignature)?;
        let time_s = u64::from_be_bytes(*time);
        if i64::try_from(time_s).is_err() {
            return Err(LedgerError::BadSignature);
        }
        self.0.verify(message(text, time_s).as_bytes(), signature)?;
        Ok(Cosignature { time_s, line: signature_line(line.name, line.key_id, &line.bytes) })
    }
}

/// The note with a cosignature added, which replaces an older one by the same key.
pub fn with_cosignature(note: &str, cosignature: &Cosignature) -> Result<String, LedgerError> {
    let parsed = Note::parse(note)?;
    let added = NoteSignature::parse(cosignature.line.trim_end_matches('\n'));
    let added = added.ok_or(LedgerError::BadNote("a signature line is malformed"))?;
    let others = parsed.signatures.iter().filter(|line| (line.name, line.key_id) != (added.name, added.key_id));
    let lines: String = others.map(|line| signature_line(line.name, line.key_id, &line.bytes)).collect();
    let merged = format!("{}\n{lines}{}", parsed.text, cosignature.line);
    Note::parse(&merged).map(|_| merged.clone())
}

/// The signed message: a header that no checkpoint can begin with, the time, and the note's text.
fn message(text: &str, time_s: u64) -> String {
    format!("cosignature/v1\ntime {time_s}\n{text}")
}

impl fmt::Debug for WitnessSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WitnessSigningKey").field("name", &self.0.public.name).finish_non_exhaustive()
    }
}
