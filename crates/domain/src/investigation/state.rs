//! The states of investigations and alerts.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Invalid;

macro_rules! states {
    ($($(#[$meta:meta])* $name:ident, $field:literal { $($variant:ident = $wire:literal),* $(,)? })*) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(rename_all = "snake_case")]
        pub enum $name { $($variant),* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = Invalid;
            fn from_str(text: &str) -> Result<Self, Invalid> {
                let found = Self::ALL.iter().copied().find(|state| state.as_str() == text);
                found.ok_or_else(|| Invalid::new($field, concat!("must be one of", $(" ", $wire),*)))
            }
        })*
    };
}

states! {
    /// The state of an investigation.
    State, "status" {
        Open = "open", InReview = "in_review", Approved = "approved", SentBack = "sent_back", Disposed = "disposed",
    }
    /// The state of an alert. Alerts of low severity stay `recorded`.
    AlertState, "status" { Recorded = "recorded", Open = "open", Reported = "reported", Closed = "closed" }
}
