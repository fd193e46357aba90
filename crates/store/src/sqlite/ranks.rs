//! The place of each alert among those of the same severity and score: the table `alert_ranks`, what is counted by it, and
//! its check.
//!
//! A count as of a position is the last place before it, so that it costs the same among ten alerts and ten million.

use countersign_domain::{Alert, Event, EventType, Score, Severity};
use rusqlite::{Connection, OptionalExtension, params};

use super::{erasure_record::Erasures, reads::before};
use crate::{check::Check, error::Result};

/// Follows an event that was just appended.
pub(crate) fn follow(conn: &Connection, seq: u64, event: &Event) -> Result<()> {
    if let Event::FraudAlertCreated(alert) = event {
        let values = params![seq, alert.severity.as_str(), alert.score.get()];
        conn.prepare_cached(INSERT_SQL)?.execute(values)?;
    }
    Ok(())
}

/// Not a `SELECT`: from the table that it inserts into, SQLite would copy the row into a temporary one first.
pub(super) const INSERT_SQL: &str = "INSERT OR FAIL INTO alert_ranks (seq, severity, score, nth)
     VALUES (?1, ?2, ?3, 1 + coalesce((SELECT nth FROM alert_ranks WHERE severity = ?2 AND score = ?3
       ORDER BY seq DESC LIMIT 1), 0))";

/// How many alerts before this position have the severity and a score no further than `within` from this one.
pub(crate) fn similar(conn: &Connection, severity: Severity, score: Score, within: u8, before_seq: u64) -> Result<u64> {
    let scores = score.get().saturating_sub(within)..=score.get().saturating_add(within).min(100);
    let until = before(Some(before_seq));
    let mut statement = conn.prepare_cached(LAST_SQL)?;
    let last = |score| statement.query_row(params![severity.as_str(), score, until], |row| row.get(0)).optional();
    let counts = scores.map(last).map(|nth: rusqlite::Result<Option<u64>>| Ok(nth?.unwrap_or(0)));
    counts.sum()
}

/// Asked for each score by itself: all in one statement take a table to hold them, and twice the time.
const LAST_SQL: &str =
    "SELECT nth FROM alert_ranks WHERE severity = ?1 AND score = ?2 AND seq < ?3 ORDER BY seq DESC LIMIT 1";

/// The severity and score of an alert that can still be read.
pub(crate) fn read(conn: &Connection, seq: u64) -> Result<Option<(Severity, Score)>> {
    let sql = "SELECT b.payload FROM event_log l JOIN event_bodies b ON b.seq = l.seq
               WHERE l.seq = ?1 AND l.event_type = 'FRAUD_ALERT_CREATED'";
    let payload: Option<String> = conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?;
    let alert: Option<Alert> = payload.and_then(|payload| serde_json::from_str(&payload).ok());
    Ok(alert.map(|alert| (alert.severity, alert.score)))
}

/// What the table should hold.
#[derive(Default)]
pub(crate) struct Ranks {
    erasures: Erasures,
}

impl Ranks {
    pub(crate) fn expect(&self, conn: &Connection, seq: u64, event: &Event, check: &mut Check) -> Result<()> {
        match event {
            Event::FraudAlertCreated(alert) => compare_row(conn, seq, alert.severity, alert.score, check),
            _ => Ok(()),
        }
    }

    /// `expect` for an event whose body was erased: severity and score stand in the erasure's own event. Before there
    /// were ranks they were not kept, and such an alert has none.
    pub(crate) fn expect_forgotten(
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

    /// The rows that no event has made. Every other has been looked at, and its alert's row says the same.
    pub(crate) fn find_strays(&mut self, conn: &Connection, check: &mut Check) -> Result<()> {
        let mut statement = conn.prepare(STRAYS_SQL)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Ok(seq) = u64::try_from(row.get::<_, i64>(0)?) else {
                check.find(None, None, UNMADE);
                continue;
            };
            let made = match read(conn, seq)? {
                Some(made) => Some(made),
                None => self.erasures.rank_of(conn, seq)?.map(|kept| (kept.severity, kept.score)),
            };
            let (severity, score): (String, i64) = (row.get(1)?, row.get(2)?);
            if made.is_none_or(|made| (made.0.as_str(), i64::from(made.1.get())) != (severity.as_str(), score)) {
                check.find(Some(seq), None, UNMADE);
            }
        }
        Ok(())
    }
}

/// In the order of the log, because erasures are.
const STRAYS_SQL: &str = "SELECT r.seq, r.severity, r.score FROM alert_ranks r LEFT JOIN alerts a ON a.seq = r.seq
     WHERE a.severity IS NOT r.severity OR a.score IS NOT r.score ORDER BY r.seq";

/// Compares a row with the one before it, not with a count of the events: one that can't be read has been found already,
/// and must not make all that follow it look wrong.
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
            check.find(Some(seq), None, "reads differently in the table alert_ranks");
        }
        Some(_) => {}
    }
    Ok(())
}

const LAST_TWO_SQL: &str = "SELECT seq, nth FROM alert_ranks WHERE severity = ? AND score = ? AND seq <= ?
     ORDER BY seq DESC LIMIT 2";

const UNMADE: &str = "the table alert_ranks has a row that no event made";

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn a_rank_is_read_through_its_key() {
        let (high, one) = (|| Value::Text("high".into()), || Value::Integer(1));
        let key = "PRIMARY KEY (severity=? AND score=? AND seq<?)";
        check_plan(LAST_SQL, [high(), one(), one()], &[key]);
        check_plan(LAST_TWO_SQL, [high(), one(), one()], &[key]);
        check_plan(INSERT_SQL, [one(), high(), one()], &["PRIMARY KEY (severity=? AND score=?)"]);
    }
}
