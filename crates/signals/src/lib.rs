//! Transaction and history to four signals and a score. Pure, deterministic, no I/O, no clock.
//!
//! ```text
//! Users ──► History ──► Picture ──► amount, velocity, geography, rules ──► Assessment ──► Signals (when asked for)
//! ```
//!
//! `assess` measures and gives points; sentences and JSON are made only when somebody asks for them, as most transactions
//! fire nothing. Points of the four signals add up to the score, which is cut at 100 and says so. Where something was
//! "earlier", it has a lower seq and an `occurred_at` not later; what arrived since changes nothing.
//!
//! Refused here: learning from labels, converting currencies, looking at anybody else's transactions.

mod amount;
mod assessment;
mod detector;
mod geography;
mod history;
mod picture;
mod robust;
mod rules;
#[cfg(test)]
mod sample;
mod settings;
mod users;
mod velocity;
mod wording;

pub use assessment::Assessment;
pub use detector::Detector;
pub use history::{ENTRIES_MAX, History, SEEN_MAX};
pub use rules::{Rule, Rules, RulesError, Variable};
pub use settings::{AmountSettings, GeographySettings, Grade, Settings, VelocitySettings};
pub use users::Users;
