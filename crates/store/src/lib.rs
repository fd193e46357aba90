//! The durable event log: append-only, gapless, and hashed into a Merkle tree in the transaction that appends.
//!
//! The database is the truth. A caller is answered only after its commit is on disk; an agent's new events and its progress
//! share one transaction; delivery is only a hint that there is something to read.
//!
//! | file                | job                                                                            |
//! |---------------------|--------------------------------------------------------------------------------|
//! | `store.rs`, `store/` | the public store: says what each call promises, and passes it to a backend    |
//! | `derive/`           | which rows follow from an event (pure)                                         |
//! | `sqlite/`, `postgres/` | the backends: the store on SQLite and on Postgres                           |
//! | `job.rs`, `job_queue.rs` | the writer's jobs, as data, and those that wait                           |
//! | `heads.rs`, `newest.rs` | tell readers in this process that the log has grown                        |
//! | `events.rs`, `logs.rs`, `investigations.rs`, `operations.rs` | queries and their results             |
//! | `error.rs`          | the errors, as far as callers need to distinguish them                         |
//! | `leaf.rs`           | how an event becomes a leaf of the tree                                        |
//! | `ledger_head.rs`    | the tree's right edge and its seal                                             |
//! | `signer.rs`, `notes.rs` | the signing key and what it signs; the exact form of a signed checkpoint   |
//! | `check.rs`, `anchor.rs` | verification of any log, an exported one too                                |
//! | `verify/`           | verification of a database: what must hold between events and stored rows      |
//! | `data_dir.rs`       | the data directory and its lock                                                |
//! | `tables.rs`         | the tables, and rows that are copied from one database to another              |
//! | `restoring.rs`      | the files of a data directory that a restore replaces                          |
//! | `seams.rs`          | time and randomness, which callers pass in                                     |

mod anchor;
mod check;
mod data_dir;
mod derive;
mod error;
mod events;
mod heads;
mod investigations;
mod job;
mod job_queue;
mod leaf;
mod ledger_head;
mod logs;
mod newest;
mod notes;
mod operations;
mod postgres;
mod restoring;
mod seams;
mod signer;
mod sqlite;
mod store;
mod tables;
mod verify;

pub use anchor::{Anchor, public_key};
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
pub use store::{
    BULK_EVENTS_PER_COMMIT, ReportReader, SearchCheck, Store, StoreLocation, Threading, backup, export,
    prepare_database, restore, verify, verify_against, verify_file, verify_file_against, verify_search,
};
