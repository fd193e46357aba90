//! Checks the table `alert_ranks` against the events.

use countersign_domain::{Event, EventType, Score, Severity};
use rusqlite::{Connection, params};

use crate::{
    check::Check,
    derive::ranks::ranked_by,
    error::Result,
    sqlite::{erasures::Erasures, ranks},
};

#[derive(Default)]
pub(super) struct RanksCheck {
    erasures: Erasures,
}

impl RanksCheck {
    pub(super) fn check(&self, conn: &Connection, seq: u64, event: &Event, check: &mut Check) -> Result<()> {
        match ranked_by(event) {
            Some((severity, score)) => compare_row(conn, seq, severity, score, check),
            None => Ok(()),
        }
    }

    /// Like `check`, for an event whose body was erased: the erasure's own event has severity and score. If it doesn't, nothing is
    /// known about the alert's rank.
    pub(super) fn check_erased(
        &mut self,
        conn: &Connection,
        seq: u64,
        event_type: Option<EventType>,
        check: &mut Check,
    ) -> Result<()> {
        if event_type != Some(EventType::FraudAlertCreated) {
            return Ok(());
        }
        match self.erasures.rank_of(conn, seq)? {
            Some(kept) => compare_row(conn, seq, kept.severity, kept.score, check),
            None => Ok(()),
        }
    }

    /// Finds the rows that no event explains. Every other row has been checked, and agrees with the row of its alert.
    pub(super) fn find_strays(&mut self, conn: &Connection, check: &mut Check) -> Result<()> {
        let mut statement = conn.prepare(STRAYS_SQL)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Ok(seq) = u64::try_from(row.get::<_, i64>(0)?) else {
                check.find(None, None, UNEXPLAINED);
                continue;
            };
            let alert = match ranks::read(conn, seq)? {
                Some(alert) => Some(alert),
                None => self.erasures.rank_of(conn, seq)?.map(|kept| (kept.severity, kept.score)),
            };
            let (severity, score): (String, i64) = (row.get(1)?, row.get(2)?);
            if alert.is_none_or(|alert| (alert.0.as_str(), i64::from(alert.1.get())) != (severity.as_str(), score)) {
                check.find(Some(seq), None, UNEXPLAINED);
            }
        }
        Ok(())
    }
}

/// In the order of the log, because consecutive erased events often share an erasure.
const STRAYS_SQL: &str = "SELECT r.seq, r.severity, r.score FROM alert_ranks r LEFT JOIN alerts a ON a.seq = r.seq
     WHERE a.severity IS NOT r.severity OR a.score IS NOT r.score ORDER BY r.seq";

/// Compares a row with the row before it, and not with a count of the events: an event that can't be read is a finding already,
/// and must not make all later ranks look wrong.
fn compare_row(conn: &Connection, seq: u64, severity: Severity, score: Score, check: &mut Check) -> Result<()> {
    let mut statement = conn.prepare_cached(LAST_TWO_SQL)?;
    let rows = statement
        .query_map(params![severity.as_str(), score.get(), seq], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
    let is_here = |row: &&(i64, i64)| u64::try_from(row.0) == Ok(seq);
    let previous = rows.get(1).map_or(0, |(_, nth)| *nth);
    match rows.first().filter(is_here) {
        None => check.find(Some(seq), None, "is missing from the table alert_ranks"),
        Some((_, nth)) if *nth != previous.saturating_add(1) => {
            check.find(Some(seq), None, "does not match its row in the table alert_ranks");
        }
        Some(_) => {}
    }
    Ok(())
}

const LAST_TWO_SQL: &str = "SELECT seq, nth FROM alert_ranks WHERE severity = ? AND score = ? AND seq <= ?
     ORDER BY seq DESC LIMIT 2";

const UNEXPLAINED: &str = "the table alert_ranks has a row that no event explains";

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn a_rank_is_checked_through_its_key() {
        let values = [Value::Text("high".into()), Value::Integer(1), Value::Integer(1)];
        check_plan(LAST_TWO_SQL, values, &["PRIMARY KEY (severity=? AND score=? AND seq<?)"]);
    }
}
