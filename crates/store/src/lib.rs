//! The durable event log: append-only, gapless, hashed into a Merkle tree in the very transaction that appends.
//!
//! The database is the truth. A caller is answered only after its commit is on disk; an agent's new events and its
//! progress share one transaction; delivery is only a hint that there is something to read.
//!
//! | file            | job                                                                  |
//! |-----------------|----------------------------------------------------------------------|
//! | `job.rs`        | work for the writer, as data                                         |
//! | `logs.rs`       | what can be asked about audit logs                                   |
//! | `investigations.rs` | what can be asked about histories, alerts, cases and reports     |
//! | `sqlite/`       | the store on SQLite: schema, writer, readers, ledger, verify, backup |
//! | `check.rs`      | checking a log event by event                                        |
//! | `anchor.rs`     | notes from outside, with which a log must be consistent              |
//! | `bundle.rs`     | the log as a file that anybody can check                             |
//! | `notes.rs`      | the one form of a signed checkpoint                                  |
//! | `signer.rs`     | the signing key, and the memory of the last checkpoint               |
//! | `data_dir.rs`   | the data directory and its lock                                      |
//! | `seams.rs`      | time and randomness, handed in                                       |

mod anchor;
mod bundle;
mod check;
mod data_dir;
mod error;
mod investigations;
mod job;
mod logs;
mod notes;
mod seams;
mod signer;
mod sqlite;

use std::{fs, path::Path};

use countersign_ledger::VerifyingKey;

use sqlite::verify::Outside;

pub use anchor::{Anchor, public_key};
pub use bundle::export;
pub use check::{Verification, VerificationFinding};
pub use data_dir::{DataDir, DirLock, write_durably};
pub use error::{Result, StoreError};
pub use investigations::{
    AlertEntry, AlertQuery, AlertRecord, CaseState, CustomerRecord, HistorySummary, InvestigationEntry,
    InvestigationQuery, LIST_MAX, LastVerdict, OpenReview, PriorAlert, PriorAlerts, RelatedAlerts, RelatedAlertsLimits,
    ReportEntry, ReportFile, ReportQuery, TransactionQuery, Validation,
};
pub use job::{AccessKey, Counts, DeadLetter, NewReport, Progress, RegistryEntry, Step, StepOutcome, Taken};
pub use logs::{Bucket, FoundLog, LogCursor, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery, TrendPoint};
pub use seams::{Clock, Entropy, Seams, SystemClock};
pub use sqlite::{
    BULK_TURN, Mode, SearchCheck, Snapshot, Store, backup,
    reads::{DeadLetterQuery, EventQuery, SealedBody, SealedEvent},
    restore,
};

/// Verifies the store of a data directory, which may be in use. `key` defaults to the directory's own public key.
pub fn verify(dir: &DataDir, key: Option<&VerifyingKey>, progress: &mut dyn FnMut(u64, u64)) -> Result<Verification> {
    verify_against(dir, key, &[], progress)
}

/// The same, with notes from outside that the log must be consistent with.
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
    // Before the note is read: it is written outside first, so the note can only be newer.
    let kept = sqlite::verify::newest_checkpoint(&dir.database())?;
    // Bytes that are no text are no note either; the check will say so.
    let note = fs::read(dir.checkpoint()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let outside = note.as_deref().map_or(Outside::Missing, Outside::Note);
    let mut report = sqlite::verify::verify_database(&dir.database(), &key, &outside, anchors, progress)?;
    let noted = note.and_then(|note| notes::open_exactly(&key, &note).ok()).map(|checkpoint| checkpoint.size);
    if let Some((noted, kept)) = noted.zip(kept).filter(|(noted, kept)| noted < kept) {
        let what = format!(
            "the last signed checkpoint beside the database is over {noted} events, but the database has one over {kept}"
        );
        report.findings.push(VerificationFinding { seq: None, event_id: None, what });
        report.findings_total += 1;
    }
    report.put_first(anchor::key_findings(dir, &key));
    Ok(report)
}

/// Checks the index of logs against the log, and makes it anew where it differs and no server has it open.
pub fn verify_search(dir: &DataDir) -> Result<SearchCheck> {
    sqlite::verify_search(dir)
}

/// Verifies an exported bundle or a backup with the public key alone.
pub fn verify_file(file: &Path, key: &VerifyingKey, progress: &mut dyn FnMut(u64, u64)) -> Result<Verification> {
    verify_file_against(file, key, &[], progress)
}

/// The same, with notes from outside that the log must be consistent with.
pub fn verify_file_against(
    file: &Path,
    key: &VerifyingKey,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    if sqlite::is_database(file) {
        return sqlite::verify::verify_database(file, key, &Outside::None, anchors, progress);
    }
    bundle::verify_bundle(file, key, anchors, progress)
}
