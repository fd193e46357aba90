//! What is stored for running the system: agents' registry entries and progress, dead letters, access keys.

use countersign_domain::{AgentState, DeadLetterId, DeadLetterState, EventId, KeyId, Role, Time};

/// An agent as the registry shows it. Written with heartbeats; its counts also with every step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryEntry {
    pub name: String,
    pub state: AgentState,
    pub priority: i64,
    pub paused: bool,
    pub started_at: Time,
    pub heartbeat_at: Time,
    pub processed: u64,
    pub failed: u64,
    pub dead_lettered: u64,
    pub lag: u64,
    pub last_error: Option<String>,
}

/// A key as it is stored: with only the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessKey {
    pub id: KeyId,
    pub name: String,
    pub role: Role,
    pub secret_sha256: String,
    pub created_at: Time,
    pub expires_at: Option<Time>,
    pub revoked_at: Option<Time>,
}

/// An event that an agent gave up on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub id: DeadLetterId,
    pub agent: String,
    pub event_seq: u64,
    pub event_id: EventId,
    pub event_type: String,
    pub attempts: u32,
    pub error: String,
    pub dead_lettered_at: Time,
    pub state: DeadLetterState,
}

/// Selects dead letters, newest first.
#[derive(Debug, Clone, Default)]
pub struct DeadLetterQuery {
    /// Only letters older than this one.
    pub before: Option<DeadLetterId>,
    pub agent: Option<String>,
    pub state: Option<DeadLetterState>,
    pub limit: usize,
}
