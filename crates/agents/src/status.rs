//! An agent as people see it.

use countersign_domain::{AgentState, Time};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct AgentStatus {
    pub name: String,
    pub state: AgentState,
    /// Orders agents that compete for the same threads.
    pub priority: i64,
    pub paused: bool,
    pub started_at: Time,
    pub heartbeat_at: Time,
    pub processed: u64,
    /// Failed attempts; each is retried before its event becomes a dead letter.
    pub failed: u64,
    pub dead_lettered: u64,
    /// Events of the log that the agent has not passed yet.
    pub lag: u64,
    /// Events that it is deciding about now.
    pub in_flight: u64,
    pub last_error: Option<String>,
}
