//! Turns a transaction and its customer's history into four signals and a score. Pure and deterministic: no I/O, no clock.
//!
//! ```text
//! HistoryCache ──► History ──► CustomerSnapshot ──► amount, velocity, geography, rules ──► Assessment ──► Signals (on request)
//! ```
//!
//! | file                | job                                                                             |
//! |---------------------|---------------------------------------------------------------------------------|
//! | `detector.rs`       | the entry point: settings, rules and `assess`                                   |
//! | `history_cache.rs`  | the histories of recently active customers, in bounded memory                   |
//! | `history.rs`        | one customer's earlier transactions, packed                                     |
//! | `snapshot.rs`       | what was known about a customer at the moment of a transaction                  |
//! | `amount.rs`         | signal `amount_deviation`; `robust.rs` computes its median and spread           |
//! | `velocity.rs`       | signal `velocity_anomaly`                                                       |
//! | `geography.rs`      | signal `geographic_inconsistency`                                               |
//! | `rules/`            | signal `rule_flags`: rules in CEL                                               |
//! | `assessment.rs`     | the result: score and severity, and the signals on request                      |
//! | `settings.rs`       | thresholds, limits and points                                                   |
//! | `wording.rs`        | figures as the signals' sentences write them                                    |
//!
//! `assess` measures and gives points. Sentences and JSON are made only on request, because most transactions raise no alert.
//! The points of the four signals add up to the score, which is capped at 100. A transaction is "earlier" if it has a lower seq
//! and its `occurred_at` is not later, so transactions that arrived in the meantime change nothing.
//!
//! Not done here: learning from labels, converting currencies, looking at other customers' transactions.

mod amount;
mod assessment;
mod detector;
mod geography;
mod history;
mod history_cache;
mod robust;
mod rules;
#[cfg(test)]
mod sample;
mod settings;
mod snapshot;
mod velocity;
mod wording;

pub use assessment::Assessment;
pub use detector::Detector;
pub use history::{ENTRIES_MAX, FIRST_USES_MAX, History};
pub use history_cache::HistoryCache;
pub use rules::{Rule, Rules, RulesError, Variable};
pub use settings::{AmountSettings, DetectorSettings, GeographySettings, PointsCurve, VelocitySettings};
