//! Verifying a data directory, a backup or a bundle.

use std::{fs, path::Path};

use countersign_ledger::VerifyingKey;

use crate::{
    anchor::{self, Anchor, public_key},
    check::{Verification, VerificationFinding},
    data_dir::DataDir,
    error::{Result, StoreError},
    notes,
    sqlite::{self, SearchCheck, verify::LastCheckpoint},
};

/// Verifies the store of a data directory, which may be in use. `key` defaults to the directory's own public key.
pub fn verify(dir: &DataDir, key: Option<&VerifyingKey>, progress: &mut dyn FnMut(u64, u64)) -> Result<Verification> {
    verify_against(dir, key, &[], progress)
}

/// The same, with notes from outside the directory that the log must be consistent with.
pub fn verify_against(
    dir: &DataDir,
    key: Option<&VerifyingKey>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    if !dir.database().exists() {
        return Err(StoreError::Io {
            what: dir.database().display().to_string(),
            error: "there is no store here".into(),
        });
    }
    let key = key.cloned().map_or_else(|| public_key(dir), Ok)?;
    // Read before the note: a checkpoint is written outside the database first, so the note can only be newer.
    let in_database = sqlite::verify::newest_checkpoint(&dir.database())?;
    // Bytes that aren't text are not a note either, which the check will find.
    let note = fs::read(dir.checkpoint()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let last_checkpoint = note.as_deref().map_or(LastCheckpoint::Missing, LastCheckpoint::Note);
    let mut report = sqlite::verify::verify_database(&dir.database(), &key, &last_checkpoint, anchors, progress)?;
    let noted = note.and_then(|note| notes::open_exactly(&key, &note).ok()).map(|checkpoint| checkpoint.size);
    if let Some((noted, in_database)) = noted.zip(in_database).filter(|(noted, in_database)| noted < in_database) {
        let what = format!(
            "the last signed checkpoint beside the database is over {noted} events, but the database has one over {in_database}"
        );
        report.findings.push(VerificationFinding { seq: None, event_id: None, what });
        report.findings_total += 1;
    }
    report.put_first(anchor::key_findings(dir, &key));
    Ok(report)
}

/// Checks the search index against the log, and rebuilds it if it differs and no server has it open.
pub fn verify_search(dir: &DataDir) -> Result<SearchCheck> {
    sqlite::verify_search(dir)
}

/// Verifies an exported bundle or a backup with the public key alone.
pub fn verify_file(file: &Path, key: &VerifyingKey, progress: &mut dyn FnMut(u64, u64)) -> Result<Verification> {
    verify_file_against(file, key, &[], progress)
}

/// The same, with notes from outside the directory that the log must be consistent with.
pub fn verify_file_against(
    file: &Path,
    key: &VerifyingKey,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    if sqlite::is_database(file) {
        return sqlite::verify::verify_database(file, key, &LastCheckpoint::NotKept, anchors, progress);
    }
    super::bundle::verify_bundle(file, key, anchors, progress)
}
