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
mod derive;
mod error;
mod events;
mod investigations;
mod job;
mod leaf;
mod ledger_head;
mod logs;
mod notes;
mod operations;
mod seams;
mod signer;
mod sqlite;
mod store;
mod verify;

pub use anchor::{Anchor, public_key};
pub use bundle::export;
pub use check::{Verification, VerificationFinding};
pub use data_dir::{DataDir, DirLock, write_durably};
pub use error::{Result, StoreError};
pub use events::{EventQuery, SealedBody, SealedEvent};
pub use investigations::{
    AlertEntry, AlertQuery, AlertRecord, CaseState, CustomerRecord, HistorySummary, InvestigationEntry,
    InvestigationQuery, LIST_MAX, LastVerdict, OpenReview, PriorAlert, PriorAlerts, RelatedAlerts, RelatedAlertsLimits,
    ReportEntry, ReportFile, ReportQuery, TransactionQuery, Validation,
};
pub use job::{Ingested, NewReport, Progress, Step, StepCounts, StepOutcome};
pub use logs::{Bucket, FoundLog, LogCursor, LogEntry, LogPage, LogQuery, LogStats, OpenState, StatsQuery, TrendPoint};
pub use operations::{AccessKey, DeadLetter, DeadLetterQuery, RegistryEntry};
pub use seams::{Clock, Entropy, Seams, SystemClock};
pub use sqlite::{SearchCheck, backup, restore};
pub use store::{BULK_TURN, Mode, Snapshot, Store};
pub use verify::{verify, verify_against, verify_file, verify_file_against, verify_search};
