//! The states of an agent, as the registry and the dashboard show them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Invalid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(rename_all = "UPPERCASE")]
pub enum AgentState {
    /// Reading its progress and recovering the work of an earlier run.
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

impl AgentState {
    pub const ALL: [Self; 5] = [Self::Init, Self::Listen, Self::Analyze, Self::Emit, Self::Idle];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Init => "INIT",
            Self::Listen => "LISTEN",
            Self::Analyze => "ANALYZE",
            Self::Emit => "EMIT",
            Self::Idle => "IDLE",
        }
    }
}

impl fmt::Display for AgentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for AgentState {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let known = Self::ALL.into_iter().find(|state| state.as_str() == text);
        known.ok_or_else(|| Invalid::new("state", "is not a state of an agent"))
    }
}
