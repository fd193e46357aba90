//! The life of an agent, as every screen and the registry name it.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(rename_all = "UPPERCASE")]
pub enum AgentState {
    /// Reading its progress, picking up what an earlier run left.
    Init,
    /// Reading the log.
    Listen,
    /// Deciding about at least one event.
    Analyze,
    /// Committing what it decided.
    Emit,
    /// Nothing to do, or told to pause.
    Idle,
}

impl fmt::Display for AgentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Init => "INIT",
            Self::Listen => "LISTEN",
            Self::Analyze => "ANALYZE",
            Self::Emit => "EMIT",
            Self::Idle => "IDLE",
        })
    }
}
