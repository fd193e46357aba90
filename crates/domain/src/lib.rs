//! What Countersign talks about: events, ids, transactions, alerts, severity, risk, roles.
//!
//! Pure: no I/O, no clock, no randomness, no async. Everything that comes from outside is parsed here into types that
//! can't hold nonsense, so that the other rooms never check twice.

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

/// Input that can't be taken, with the field it concerns. The message never repeats the value: it may be personal data.
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
