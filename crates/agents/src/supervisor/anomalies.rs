//! Detects anomalies of investigations: many alerts of one customer within an hour, a score far from the customer's earlier
//! scores, or an alert that is not on record.

use countersign_domain::{
    StoredEvent, Time,
    payload::{AnomalyFlagged, InvestigationCreated, Level},
};
use countersign_store::Store;

use crate::runtime::{AgentDecision, AgentError};

/// This many alerts of one customer within [`BURST_WITHIN_S`], including the current one, are a burst.
const BURST_ALERTS: usize = 5;
const BURST_WITHIN_S: i64 = 3_600;
/// A score at least this many points from the median of the customer's earlier scores is an anomaly.
const FAR_POINTS: u8 = 40;
/// The minimum number of earlier scores to compute a median from.
const SCORES_MIN: usize = 5;
/// The maximum number of earlier alerts to compare with.
const EARLIER_ALERTS_MAX: usize = 50;

pub(super) async fn detect(
    store: &Store,
    event: &StoredEvent,
    investigation: InvestigationCreated,
) -> Result<Vec<AgentDecision>, AgentError> {
    let flagged_at = store.seams().now();
    let flag = |anomaly: &str, severity, description: String| {
        let investigation_id = investigation.investigation_id;
        let anomaly = anomaly.to_owned();
        AgentDecision::from(AnomalyFlagged { investigation_id, anomaly, severity, description, flagged_at })
    };
    let prior = store.prior_alerts(&investigation.alert_id, &investigation.user_id, EARLIER_ALERTS_MAX);
    let Some(prior) = prior.await? else {
        let description = "The alert that this investigation names is not on record.".to_owned();
        return Ok(vec![flag("investigation_without_alert", Level::High, description)]);
    };
    let times: Vec<_> = prior.newest.iter().map(|alert| alert.created_at).collect();
    let mut flagged = Vec::new();
    if let Some(count) = burst(&times, event.occurred_at) {
        let description = format!("{} alerts for this customer came within one hour.", number_as_read(count));
        flagged.push(flag("alert_burst", Level::Medium, description));
    }
    let scores: Vec<_> = prior.newest.iter().map(|alert| alert.score.get()).collect();
    if let Some(median) = median_far_from(&scores, investigation.risk_score.get()) {
        let description = format!(
            "The score of {} is {} points from {median}, the median of this customer's previous {} alerts.",
            investigation.risk_score.get(),
            investigation.risk_score.get().abs_diff(median),
            scores.len()
        );
        flagged.push(flag("score_far_from_history", Level::Low, description));
    }
    Ok(flagged)
}

/// The number of the customer's alerts in the hour before an investigation was opened, if they are a burst. Each investigation
/// reports it from the fifth alert on. Alerts of low severity count, but open no investigation.
fn burst(earlier: &[Time], opened_at: Time) -> Option<usize> {
    let from = opened_at.micros() - BURST_WITHIN_S * 1_000_000;
    let count = 1 + earlier.iter().filter(|at| at.micros() >= from).count();
    (count >= BURST_ALERTS).then_some(count)
}

/// The number of alerts as far as it is known: if all that were read are recent, there may be more.
fn number_as_read(count: usize) -> String {
    if count > EARLIER_ALERTS_MAX { format!("More than {EARLIER_ALERTS_MAX}") } else { count.to_string() }
}

/// The median of the earlier scores, if `score` is far from it.
fn median_far_from(earlier: &[u8], score: u8) -> Option<u8> {
    let mut sorted = earlier.to_vec();
    sorted.sort_unstable();
    let median = *sorted.get(sorted.len() / 2)?;
    (sorted.len() >= SCORES_MIN && score.abs_diff(median) >= FAR_POINTS).then_some(median)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_alerts_within_an_hour_are_a_burst() {
        let at = |minutes: i64| Time::from_micros(minutes * 60_000_000).unwrap();
        let opened_at = at(600);
        assert_eq!(burst(&[at(599), at(598), at(597)], opened_at), None);
        assert_eq!(burst(&[at(599), at(598), at(597), at(540)], opened_at), Some(5));
        assert_eq!(burst(&[at(599), at(598), at(597), at(539)], opened_at), None);
    }

    #[test]
    fn a_burst_beyond_what_was_read_is_not_given_a_number() {
        assert_eq!((number_as_read(50), number_as_read(51)), ("50".to_owned(), "More than 50".to_owned()));
    }

    #[test]
    fn a_score_is_far_from_a_history_that_is_long_enough() {
        assert_eq!(median_far_from(&[40, 45, 50, 42, 41], 95), Some(42));
        assert_eq!(median_far_from(&[40, 45, 50, 42, 41], 81), None);
        assert_eq!(median_far_from(&[40, 45, 50, 42], 95), None);
        assert_eq!(median_far_from(&[], 95), None);
    }
}
