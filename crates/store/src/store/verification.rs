//! Verifying a store, a backup or a bundle.

use std::{fs, path::Path};

use countersign_ledger::VerifyingKey;

use super::{
    StoreLocation,
    backend::{BackupFile, on_database},
    bundle,
};
use crate::{
    anchor::{self, Anchor, public_key},
    check::{LastCheckpoint, Verification, VerificationFinding},
    error::Result,
    notes,
};

/// The result of comparing the search index with the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchCheck {
    /// There is no index yet. It is created when it is first needed.
    Missing,
    /// It agrees with the log up to this position.
    Matches { events: u64 },
    /// It differed, and was rebuilt.
    Rebuilt { why: String },
    /// It differs, but was not rebuilt, because a running server has it open.
    Differs { why: String },
}

/// Verifies a store, which may be in use, and changes nothing. Events that are appended meanwhile are not checked. `key`
/// defaults to the public key in the data directory.
pub fn verify(
    location: &StoreLocation,
    key: Option<&VerifyingKey>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    verify_against(location, key, &[], progress)
}

/// Like [`verify`], but the log must also be consistent with these notes from outside the data directory.
pub fn verify_against(
    location: &StoreLocation,
    key: Option<&VerifyingKey>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    location.check_exists()?;
    let dir = location.dir();
    let key = key.cloned().map_or_else(|| public_key(dir), Ok)?;
    // Read before the note: a checkpoint is written outside the database first, so the note can't be older.
    let in_database = on_database!(location, database => database.newest_checkpoint())?;
    // Bytes that aren't text are not a note either, which the check will find.
    let note = fs::read(dir.checkpoint()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let last_checkpoint = note.as_deref().map_or(LastCheckpoint::Missing, LastCheckpoint::Note);
    let mut report = on_database!(location, database => database.verify(&key, &last_checkpoint, anchors, progress))?;
    let noted = note.and_then(|note| notes::open_exactly(&key, &note).ok()).map(|checkpoint| checkpoint.size);
    if let Some((noted, in_database)) = noted.zip(in_database).filter(|(noted, in_database)| noted < in_database) {
        let what = format!(
            "the last signed checkpoint outside the database is over {noted} events, but the database has one over {in_database}"
        );
        report.findings.push(VerificationFinding { seq: None, event_id: None, what });
        report.findings_total += 1;
    }
    report.put_first(anchor::key_findings(dir, &key));
    Ok(report)
}

/// Checks the search index against the log, and rebuilds it if it differs and no server has it open.
pub fn verify_search(location: &StoreLocation) -> Result<SearchCheck> {
    on_database!(location, database => database.verify_search())
}

/// Verifies an exported bundle or a backup with the public key alone.
pub fn verify_file(file: &Path, key: &VerifyingKey, progress: &mut dyn FnMut(u64, u64)) -> Result<Verification> {
    verify_file_against(file, key, &[], progress)
}

/// Like [`verify_file`], but the log must also be consistent with these notes from elsewhere.
pub fn verify_file_against(
    file: &Path,
    key: &VerifyingKey,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    match BackupFile::recognize(file) {
        Some(backup) => backup.verify(key, anchors, progress),
        None => bundle::verify_bundle(file, key, anchors, progress),
    }
}
