//! Checks the table `alert_ranks` against the events.

use countersign_domain::{Event, EventType, Score, Severity};

use super::{
    erasures::{Erasures, event_at},
    records::StoredRecords,
};
use crate::{check::Check, derive::ranks::ranked_by, error::Result};

#[derive(Default)]
pub(super) struct RanksCheck {
    erasures: Erasures,
}

impl RanksCheck {
    pub(super) fn check(&self, records: &dyn StoredRecords, seq: u64, event: &Event, check: &mut Check) -> Result<()> {
        match ranked_by(event) {
            Some((severity, score)) => compare_row(records, seq, severity, score, check),
            None => Ok(()),
        }
    }

    /// Like `check`, for an event whose body was erased: the erasure's own event has severity and score. If it doesn't, nothing is
    /// known about the alert's rank.
    pub(super) fn check_erased(
        &mut self,
        records: &dyn StoredRecords,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type != Some(EventType::FraudAlertCreated) {
            return Ok(());
        }
        match self.erasures.rank_of(records, seq)? {
            Some(kept) => compare_row(records, seq, kept.severity, kept.score, check),
            None => Ok(()),
        }
    }

    /// Finds the rows that no event explains. Every other row has been checked, and agrees with the row of its alert.
    pub(super) fn find_strays(&mut self, records: &dyn StoredRecords, check: &mut Check) -> Result<()> {
        records.differing_ranks(&mut |seq, severity, score| {
            let Ok(seq) = u64::try_from(seq) else {
                check.find(None, None, UNEXPLAINED);
                return Ok(());
            };
            let alert = match event_at(records, seq)?.as_ref().and_then(ranked_by) {
                Some(alert) => Some(alert),
                None => self.erasures.rank_of(records, seq)?.map(|kept| (kept.severity, kept.score)),
            };
            if alert.is_none_or(|alert| (alert.0.as_str(), i64::from(alert.1.get())) != (severity, score)) {
                check.find(Some(seq), None, UNEXPLAINED);
            }
            Ok(())
        })
    }
}

/// Compares a row with the row before it, and not with a count of the events: an event that can't be read is a finding already,
/// and must not make all later ranks look wrong.
fn compare_row(
    records: &dyn StoredRecords,
    seq: u64,
    severity: Severity,
    score: Score,
    check: &mut Check,
) -> Result<()> {
    match records.rank(severity, score, seq)? {
        None => check.find(Some(seq), None, "is missing from the table alert_ranks"),
        Some(rank) if rank.nth != rank.previous.saturating_add(1) => {
            check.find(Some(seq), None, "does not match its row in the table alert_ranks");
        }
        Some(_) => {}
    }
    Ok(())
}

const UNEXPLAINED: &str = "the table alert_ranks has a row that no event explains";
