//! The table `alert_ranks`. Counting the alerts before a position reads the last rank before it, so it costs the same among ten
//! alerts and ten million.

use countersign_domain::{Event, Score, Severity};
use rusqlite::{Connection, OptionalExtension, params};

use super::reads::before;
use crate::{
    derive::ranks::{ranked_by, similar_scores},
    error::Result,
};

/// Adds the rank of an alert that was just appended.
pub(crate) fn add_alert(conn: &Connection, seq: u64, event: &Event) -> Result<()> {
    if let Some((severity, score)) = ranked_by(event) {
        conn.prepare_cached(INSERT_SQL)?.execute(params![seq, severity.as_str(), score.get()])?;
    }
    Ok(())
}

/// This is not an `INSERT … SELECT`, because SQLite would use a temporary table for one that reads the table it inserts into.
pub(super) const INSERT_SQL: &str = "INSERT OR FAIL INTO alert_ranks (seq, severity, score, nth)
     VALUES (?1, ?2, ?3, 1 + coalesce((SELECT nth FROM alert_ranks WHERE severity = ?2 AND score = ?3
       ORDER BY seq DESC LIMIT 1), 0))";

/// How many alerts before this position have this severity and a score that differs from this one by at most `within`.
pub(crate) fn similar(conn: &Connection, severity: Severity, score: Score, within: u8, before_seq: u64) -> Result<u64> {
    let until = before(Some(before_seq));
    let mut statement = conn.prepare_cached(LAST_SQL)?;
    let last = |score| statement.query_row(params![severity.as_str(), score, until], |row| row.get(0)).optional();
    let counts =
        similar_scores(score, within).map(last).map(|nth: rusqlite::Result<Option<u64>>| Ok(nth?.unwrap_or(0)));
    counts.sum()
}

/// One statement per score. A single statement for all scores needs a temporary table and takes twice the time.
const LAST_SQL: &str =
    "SELECT nth FROM alert_ranks WHERE severity = ?1 AND score = ?2 AND seq < ?3 ORDER BY seq DESC LIMIT 1";

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
        check_plan(INSERT_SQL, [one(), high(), one()], &["PRIMARY KEY (severity=? AND score=?)"]);
    }
}
