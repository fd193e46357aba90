//! The signing key: creating and loading it, signing checkpoints with it, and keeping the last one outside the database.
//!
//! A database is never opened for writing if it is shorter than the last checkpoint, or if its root at the checkpoint's size is
//! not the signed one: it was rolled back, truncated or replaced, and further signatures would contradict earlier ones.

use std::{fs, io::ErrorKind};

use countersign_ledger::{Checkpoint, Hash, SigningKey, VerifyingKey};

use crate::{
    data_dir::{DataDir, write_durably},
    error::{Result, StoreError},
    seams::Entropy,
};

const ORIGIN_PREFIX: &str = "countersign/";
/// Hex digits of the fingerprint in an origin: 128 bits, so that nobody can find a second key with the same ones.
const ORIGIN_DIGITS: usize = 32;
/// Earlier versions named keys with this many random hex digits.
const EARLIER_ORIGIN_DIGITS: usize = 16;

/// Loads the key, or creates one at the first start.
pub(crate) fn load_or_create_key(dir: &DataDir, store_has_events: bool, entropy: &Entropy) -> Result<SigningKey> {
    let path = dir.key();
    if !path.exists() {
        if store_has_events {
            return Err(StoreError::Tampered(format!(
                "{} is missing, but the store holds events; put the key back, or restore a backup as a new log",
                path.display()
            )));
        }
        return create_key(dir, entropy);
    }
    let key = load_key(dir)?;
    if !has_valid_name(&key.verifying_key()) {
        return Err(StoreError::Tampered(format!(
            "{} signs for {}, which is the name of another key; put the right key back",
            path.display(),
            key.verifying_key().name()
        )));
    }
    if !dir.public_key().exists() {
        write_public_key(dir, &key)?;
    }
    Ok(key)
}

pub(crate) fn load_key(dir: &DataDir) -> Result<SigningKey> {
    check_permissions(dir)?;
    let path = dir.key();
    let text = fs::read_to_string(&path).map_err(StoreError::io(format!("{} can't be read", path.display())))?;
    Ok(SigningKey::from_text(text.trim())?)
}

/// A new key means a new log, because the key's name is the log's origin.
pub(crate) fn create_key(dir: &DataDir, entropy: &Entropy) -> Result<SigningKey> {
    let unnamed = SigningKey::from_seed("unnamed", &entropy.bytes())?;
    let key = unnamed.named(&origin_of(&unnamed.verifying_key()))?;
    write_durably(&dir.key(), format!("{}\n", key.to_text()).as_bytes(), true)?;
    write_public_key(dir, &key)?;
    Ok(key)
}

/// An origin contains half of the key's fingerprint, so that no other key can sign under the same name.
fn origin_of(key: &VerifyingKey) -> String {
    let fingerprint: String = key.fingerprint().to_hex().chars().take(ORIGIN_DIGITS).collect();
    format!("{ORIGIN_PREFIX}{fingerprint}")
}

/// Whether a key has a name that it may sign under: the one derived from its fingerprint, or one in the form of earlier versions.
/// Those names are random. Refusing them would stop nobody: a forger could as well make a new key with a derived name.
pub(crate) fn has_valid_name(key: &VerifyingKey) -> bool {
    let id = key.name().strip_prefix(ORIGIN_PREFIX).unwrap_or_default();
    let is_earlier = id.len() == EARLIER_ORIGIN_DIGITS && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_earlier || key.name() == origin_of(key)
}

fn write_public_key(dir: &DataDir, key: &SigningKey) -> Result<()> {
    write_durably(&dir.public_key(), format!("{}\n", key.verifying_key().to_vkey()).as_bytes(), false)
}

fn check_permissions(dir: &DataDir) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = dir.key();
        let describe = || format!("{} can't be read", path.display());
        let mode = fs::metadata(&path).map_err(StoreError::io(describe()))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(StoreError::Io {
                what: path.display().to_string(),
                error: format!("others may read the signing key (mode {:o}); run chmod 600 on it", mode & 0o777),
            });
        }
    }
    Ok(())
}

/// Signs the tree at a size, and writes the checkpoint to the data directory.
pub(crate) fn sign(dir: &DataDir, key: &SigningKey, size: u64, root: Hash) -> Result<String> {
    let note = key.sign(&Checkpoint { origin: key.verifying_key().name().to_owned(), size, root });
    write_durably(&dir.checkpoint(), note.as_bytes(), false)?;
    Ok(note)
}

/// The last signed checkpoint and its note, if there is one.
pub(crate) fn last_signed(dir: &DataDir, key: &VerifyingKey) -> Result<Option<(Checkpoint, String)>> {
    let Some(note) = last_note(dir)? else { return Ok(None) };
    let signed = key.open(&note).map_err(|error| not_genuine(dir, &error.to_string()))?;
    Ok(Some((signed, note)))
}

/// The note of the last signed checkpoint, unchecked.
pub(crate) fn last_note(dir: &DataDir) -> Result<Option<String>> {
    let path = dir.checkpoint();
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io(format!("{} can't be read", path.display()))(error)),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| not_genuine(dir, "it is not text"))
}

fn not_genuine(dir: &DataDir, why: &str) -> StoreError {
    StoreError::Tampered(format!("{}: {why}", dir.checkpoint().display()))
}

/// Compares a database of `size` events with the last signed checkpoint. `root_at` gives the root that its tree had at a size.
pub(crate) fn check_against_last_signed(
    signed: &Checkpoint,
    size: u64,
    root_at: impl FnOnce(u64) -> Result<Hash>,
) -> Result<()> {
    if size < signed.size {
        return Err(StoreError::Tampered(format!(
            "a checkpoint was signed over {} events, but the database holds {size}; it was rolled back or truncated \
             (if you restored a backup on purpose, use `countersign restore`, which declares a new log)",
            signed.size
        )));
    }
    let root = root_at(signed.size)?;
    if root != signed.root {
        return Err(StoreError::Tampered(format!(
            "the first {} events are not those that were signed (run `countersign verify` to find the first bad one)",
            signed.size
        )));
    }
    Ok(())
}
