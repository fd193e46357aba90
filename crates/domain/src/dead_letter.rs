//! The states of a dead letter: an event that an agent gave up on, which may be replayed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Invalid, payload::DeadLetterChange};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeadLetterState {
    /// The agent gave up, and no replay has been requested.
    Dead,
    /// A replay was requested and isn't finished.
    Replaying,
    /// A replay succeeded.
    Replayed,
}

impl DeadLetterState {
    pub const ALL: [Self; 3] = [Self::Dead, Self::Replaying, Self::Replayed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dead => "dead",
            Self::Replaying => "replaying",
            Self::Replayed => "replayed",
        }
    }

    /// The state that a change leads to.
    pub const fn after(change: DeadLetterChange) -> Self {
        match change {
            DeadLetterChange::ReplayRequested => Self::Replaying,
            DeadLetterChange::Replayed => Self::Replayed,
            DeadLetterChange::Released => Self::Dead,
        }
    }
}

impl fmt::Display for DeadLetterState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DeadLetterState {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let known = Self::ALL.into_iter().find(|state| state.as_str() == text);
        known.ok_or_else(|| Invalid::new("state", "must be dead, replaying or replayed"))
    }
}
