//! The vocabulary of Countersign: events and their payloads, and the types that they are made of.
//!
//! Pure: no I/O, no clock, no randomness, no async. Input from outside is parsed here into types that only hold valid
//! values, so that no other crate has to check it again.
//!
//! **The log**
//!
//! | file             | job                                                                             |
//! |------------------|---------------------------------------------------------------------------------|
//! | `event.rs`       | the types of events, their headers, and an event before and after it is stored   |
//! | `payload.rs`     | the payload of each type of event                                               |
//! | `ids.rs`         | identifiers                                                                     |
//! | `effects.rs`     | which events an agent must have produced once it has finished an event          |
//! | `dead_letter.rs` | the states of a dead letter                                                     |
//! | `agent.rs`       | the states of an agent                                                          |
//!
//! **Work on answers**
//!
//! | file             | job                                                                             |
//! |------------------|---------------------------------------------------------------------------------|
//! | `audit.rs`       | an audit: the inspectors' findings, joined with a model's verdict               |
//! | `risk.rs`        | the risk of an audited answer: score and status                                 |
//!
//! **Investigations**
//!
//! | file             | job                                                                             |
//! |------------------|---------------------------------------------------------------------------------|
//! | `transaction.rs` | a transaction, and the checks that it must pass                                 |
//! | `alert.rs`       | a fraud alert, and the checks that it must pass                                 |
//! | `signal.rs`      | what the detector measured about a transaction                                  |
//! | `severity.rs`    | fraud scores and severities                                                     |
//! | `investigation/` | the state machine of investigations                                             |
//! | `report.rs`      | the sections of a report                                                        |
//! | `evidence/`      | how strongly measurements support an alert                                      |
//! | `validation/`    | the faults of a report, and the score that follows from them                    |
//! | `revision.rs`    | what a reviewer's comment asks the writer to change                             |
//!
//! **People**
//!
//! | file             | job                                                                             |
//! |------------------|---------------------------------------------------------------------------------|
//! | `access.rs`      | roles, and the role that a route requires                                       |
//!
//! **Values**
//!
//! | file             | job                                                                             |
//! |------------------|---------------------------------------------------------------------------------|
//! | `time.rs`        | moments in UTC                                                                  |
//! | `money.rs`       | amounts and currencies                                                          |
//! | `text.rs`        | bounds on text and open JSON from outside                                       |
//! | `json.rs`        | fast serialisation of large values                                              |
//! | `object.rs`      | reading structs from JSON objects only                                          |

pub mod access;
pub mod agent;
pub mod alert;
pub mod audit;
pub mod dead_letter;
pub mod effects;
pub mod event;
pub mod evidence;
pub mod ids;
pub mod investigation;
pub mod json;
pub mod money;
mod object;
pub mod payload;
pub mod report;
pub mod revision;
pub mod risk;
pub mod severity;
pub mod signal;
pub mod text;
pub mod time;
pub mod transaction;
pub mod validation;

pub use access::Role;
pub use agent::AgentState;
pub use alert::Alert;
pub use audit::{Audit, AuditFinding, AuditedBy, FindingKind, StoredAudit};
pub use dead_letter::DeadLetterState;
pub use event::{Event, EventType, Header, NewEvent, StoredEvent};
pub use ids::{
    AlertId, CorrelationId, DeadLetterId, EventId, InvestigationId, KeyId, LogId, ReportId, TransactionId, UserId,
};
pub use investigation::{AlertState, State};
pub use money::{Currency, Money};
pub use report::Section;
pub use risk::{RiskScore, RiskStatus};
pub use severity::{Score, Severity};
pub use signal::{Signal, SignalName};
pub use time::Time;
pub use transaction::Transaction;

/// Invalid input, with the field at fault. The message never repeats the value, because it may be personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct Invalid {
    pub field: &'static str,
    pub reason: String,
}

impl Invalid {
    pub fn new(field: &'static str, reason: impl Into<String>) -> Self {
        Self { field, reason: reason.into() }
    }
}
