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
//! | `bundle.rs`     | the log as a file that anybody can check                             |
//! | `signer.rs`     | the signing key, and the memory of the last checkpoint               |
//! | `data_dir.rs`   | the data directory and its lock                                      |
//! | `seams.rs`      | time and randomness, handed in                                       |

mod bundle;
mod check;
mod data_dir;
mod error;
mod investigations;
mod job;
mod logs;
mod seams;
mod signer;
mod sqlite;

use std::{fs, path::Path};

use countersign_ledger::VerifyingKey;

use sqlite::verify::Outside;

pub use bundle::export;
pub use check::{Finding, Report};
pub use data_dir::{DataDir, DirLock, write_durably};
pub use error::{Result, StoreError};
pub use investigations::{
    AlertEntry, AlertQuery, CaseState, Correlated, CustomerRecord, HistorySummary, InvestigationEntry,
    InvestigationQuery, LIST_MAX, LastVerdict, OpenReview, PriorAlert, PriorAlerts, ReportEntry, ReportFile,
    ReportQuery, TransactionQuery, Validation,
};
pub use job::{AccessKey, Counts, DeadLetter, NewReport, Progress, RegistryEntry, Step, StepOutcome, Taken};
pub use logs::{Bucket, FoundLog, LogCursor, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery, TrendPoint};
pub use seams::{Clock, Entropy, Seams, SystemClock};
pub use sqlite::{
    BULK_TURN, Mode, Reading, Snapshot, Store, backup,
    reads::{DeadLetterQuery, EventQuery, SealedBody, SealedEvent},
    restore,
};

/// Verifies the store of a data directory, which may be in use. `key` defaults to the directory's own public key.
pub fn verify(dir: &DataDir, key: Option<&VerifyingKey>, progress: &mut dyn FnMut(u64, u64)) -> Result<Report> {
    if !dir.database().exists() {
        return Err(StoreError::Io {
            what: dir.database().display().to_string(),
            error: "there is no store here".into(),
        });
    }
    let own = || {
        let path = dir.public_key();
        let text = fs::read_to_string(&path).map_err(StoreError::io(format!("{} can't be read", path.display())))?;
        Ok::<_, StoreError>(VerifyingKey::parse(text.trim())?)
    };
    let key = key.cloned().map_or_else(own, Ok)?;
    // Bytes that are no text are no note either; the check will say so.
    let note = fs::read(dir.checkpoint()).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let outside = note.as_deref().map_or(Outside::Missing, Outside::Note);
    sqlite::verify::verify_database(&dir.database(), &key, &outside, progress)
}

/// Verifies an exported bundle or a backup with the public key alone.
pub fn verify_file(file: &Path, key: &VerifyingKey, progress: &mut dyn FnMut(u64, u64)) -> Result<Report> {
    if sqlite::is_database(file) {
        return sqlite::verify::verify_database(file, key, &Outside::None, progress);
    }
    bundle::verify_bundle(file, key, progress)
}
