//! How many alerts are similar to a given one. Each alert has a rank: its place, counted from 1, among the alerts with the same
//! severity and score. So the number of such alerts before a position is the rank of the last one before it.

use std::ops::RangeInclusive;

use countersign_domain::{Event, Score, Severity};

/// What an alert is ranked by. `None` for other events.
pub(crate) fn ranked_by(event: &Event) -> Option<(Severity, Score)> {
    match event {
        Event::FraudAlertCreated(alert) => Some((alert.severity, alert.score)),
        _ => None,
    }
}

/// The scores that differ from this one by at most `within`.
pub(crate) fn similar_scores(score: Score, within: u8) -> RangeInclusive<u8> {
    score.get().saturating_sub(within)..=score.get().saturating_add(within).min(100)
}
