//! Answers what the rules of verification ask about a database file.

use std::{borrow::Cow, collections::BTreeSet};

use countersign_domain::{EventId, EventType, InvestigationId, ReportId, Score, Severity};
use countersign_ledger::{Hash, NodeId};
use rusqlite::{Connection, OptionalExtension, Row, params, types::ValueRef};

use super::{bytes, walk};
use crate::{
    check::EachEvent,
    derive::{cases::COLUMNS, column::ColumnValue, event_row::EventTable},
    error::Result,
    ledger_head::LedgerHead,
    sqlite::{
        cases::{FIND_SQL, report_state_rows},
        columns,
        event_tables::{read_row, statements},
        ledger, reads, schema,
    },
    verify::records::{
        CaseRow, EachFinishedEvent, EachRow, NodeCount, Positions, RankRow, ReportRow, StoredRecords, TypedPayload,
    },
};

/// A database file, read through one connection.
pub(super) struct SqliteRecords<'a> {
    pub(super) conn: &'a Connection,
}

impl SqliteRecords<'_> {
    /// Calls `each` with every row that a statement selects.
    fn each<P: rusqlite::Params>(
        &self,
        sql: &str,
        values: P,
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            each(row)?;
        }
        Ok(())
    }

    /// Calls `each` with the values of every row that a statement selects.
    fn each_row(&self, sql: &str, each: &mut EachRow<'_>) -> Result<()> {
        self.each(sql, [], |row| each(&columns::values(row, row.as_ref().column_count())?))
    }
}

impl StoredRecords for SqliteRecords<'_> {
    fn schema_differences(&self) -> Result<Vec<String>> {
        schema::differences(self.conn)
    }

    /// SQLite's own check of the file: pages, and indexes against their tables.
    fn damage(&self, each: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
        self.each("PRAGMA integrity_check(10)", [], |row| match text(row.get_ref(0)?).as_ref() {
            "ok" => Ok(()),
            line => each(format!("the database file is damaged: {line}")),
        })
    }

    fn in_snapshot(&self, read: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        let _snapshot = self.conn.unchecked_transaction()?;
        read()
    }

    fn positions(&self) -> Result<Positions> {
        let sql = "SELECT min(seq), coalesce(max(seq) + 1, 0) FROM event_log";
        let read = |row: &Row<'_>| {
            Ok(Positions { first: row.get(0)?, end: u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0) })
        };
        Ok(self.conn.query_row(sql, [], read)?)
    }

    fn walk(&self, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
        walk(self.conn, size, each)
    }

    fn position_exists(&self, seq: u64) -> Result<bool> {
        Ok(self.conn.prepare_cached("SELECT 1 FROM event_log WHERE seq = ?1")?.exists([seq])?)
    }

    fn position_of(&self, id: EventId) -> Result<Option<u64>> {
        let sql = "SELECT seq FROM event_log WHERE event_id = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get(0)).optional()?)
    }

    fn payload(&self, seq: u64) -> Result<Option<TypedPayload>> {
        reads::payload(self.conn, seq)
    }

    fn metadata(&self, seq: u64) -> Result<Option<String>> {
        let sql = "SELECT metadata FROM event_bodies WHERE seq = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?)
    }

    fn heads(&self) -> Result<u64> {
        Ok(self.conn.query_row("SELECT count(*) FROM ledger_head", [], |row| row.get(0))?)
    }

    fn head(&self) -> Result<Option<LedgerHead>> {
        ledger::read_head(self.conn)
    }

    fn node(&self, node: NodeId) -> Result<Option<Hash>> {
        let sql = "SELECT hash FROM ledger_nodes WHERE level = ?1 AND idx = ?2";
        let read = |row: &Row<'_>| Ok(Hash::from_slice(bytes(row.get_ref(0)?)).ok());
        Ok(self.conn.prepare_cached(sql)?.query_row((node.level, node.index), read).optional()?.flatten())
    }

    fn node_count(&self) -> Result<NodeCount> {
        let sql = "SELECT (SELECT count(*) FROM ledger_nodes), coalesce((SELECT size FROM ledger_head), 0)";
        let read = |row: &Row<'_>| Ok(NodeCount { nodes: row.get(0)?, tree_size: row.get(1)? });
        Ok(self.conn.query_row(sql, [], read)?)
    }

    fn checkpoint_beyond_head(&self) -> Result<Option<u64>> {
        let sql = "SELECT max(size) FROM checkpoints WHERE size > (SELECT size FROM ledger_head)";
        Ok(self.conn.query_row(sql, [], |row| row.get(0))?)
    }

    fn checkpoints(&self, until: u64, each: &mut dyn FnMut(u64, &str) -> Result<()>) -> Result<()> {
        let sql = "SELECT size, note FROM checkpoints WHERE size <= ?1 ORDER BY size";
        self.each(sql, [until], |row| each(row.get(0)?, &text(row.get_ref(1)?)))
    }

    fn marks(&self, each: &mut dyn FnMut(&str, i64) -> Result<()>) -> Result<()> {
        self.each("SELECT agent, low FROM agent_progress", [], |row| each(&row.get::<_, String>(0)?, row.get(1)?))
    }

    fn mark_of(&self, agent: &str) -> Result<Option<i64>> {
        let sql = "SELECT low FROM agent_progress WHERE agent = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([agent], |row| row.get(0)).optional()?)
    }

    fn finished_events(&self, each: &mut EachFinishedEvent<'_>) -> Result<()> {
        let sql = "SELECT d.agent, d.seq, l.event_type FROM agent_done d LEFT JOIN event_log l ON l.seq = d.seq";
        self.each(sql, [], |row| {
            let (agent, event_type): (String, Option<String>) = (row.get(0)?, row.get(2)?);
            each(&agent, row.get(1)?, event_type.as_deref())
        })
    }

    fn row(&self, table: EventTable, seq: u64, read: &mut dyn FnMut(&[ColumnValue<'_>])) -> Result<bool> {
        read_row(self.conn, table, seq, read)
    }

    fn position_in(&self, table: EventTable, id: &str) -> Result<Option<i64>> {
        let sql = statements(table).find_seq;
        Ok(self.conn.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
    }

    fn report(&self, id: &ReportId) -> Result<Option<ReportRow>> {
        let sql = "SELECT seq, investigation_id, severity IS NOT NULL AND risk_score IS NOT NULL
                   FROM report_entries WHERE id = ?1";
        let read = |row: &Row<'_>| {
            Ok(ReportRow {
                seq: row.get(0)?,
                investigation_id: text(row.get_ref(1)?).into_owned(),
                is_rated: row.get(2)?,
            })
        };
        Ok(self.conn.prepare_cached(sql)?.query_row([id.as_str()], read).optional()?)
    }

    /// In one statement, so in one snapshot.
    fn strays(&self, table: &str, types: &[EventType], each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()> {
        let event = if types.is_empty() {
            "event_log l WHERE l.seq = t.seq".to_owned()
        } else {
            // Through the index, so that no header has to be read.
            let types: Vec<_> = types.iter().map(|event_type| format!("'{}'", event_type.as_str())).collect();
            let types = types.join(", ");
            format!("event_log l INDEXED BY event_log_by_type WHERE l.event_type IN ({types}) AND l.seq = t.seq")
        };
        let sql = format!("SELECT seq FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM {event}) LIMIT 10");
        self.each(&sql, [], |row| each(row.get(0)?))
    }

    fn history_user(&self, seq: u64) -> Result<Option<String>> {
        let sql = "SELECT user_id FROM user_transactions WHERE seq = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?)
    }

    fn rank(&self, severity: Severity, score: Score, seq: u64) -> Result<Option<RankRow>> {
        let mut statement = self.conn.prepare_cached(LAST_TWO_SQL)?;
        let mut rows = statement.query(params![severity.as_str(), score.get(), seq])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (newest, nth): (i64, i64) = (row.get(0)?, row.get(1)?);
        if u64::try_from(newest) != Ok(seq) {
            return Ok(None);
        }
        let previous = rows.next()?.map_or(Ok(0), |row| row.get(1))?;
        Ok(Some(RankRow { nth, previous }))
    }

    fn differing_ranks(&self, each: &mut dyn FnMut(i64, &str, i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT r.seq, r.severity, r.score FROM alert_ranks r LEFT JOIN alerts a ON a.seq = r.seq
                   WHERE a.severity IS NOT r.severity OR a.score IS NOT r.score ORDER BY r.seq";
        self.each(sql, [], |row| each(row.get(0)?, &row.get::<_, String>(1)?, row.get(2)?))
    }

    fn open_answers(&self, each: &mut dyn FnMut(&str, i64, &str) -> Result<()>) -> Result<()> {
        self.each("SELECT log_id, seq, state FROM open_answers", [], |row| {
            let (log_id, state): (String, String) = (row.get(0)?, row.get(2)?);
            each(&log_id, row.get(1)?, &state)
        })
    }

    fn case(&self, id: InvestigationId) -> Result<Option<CaseRow>> {
        let mut statement = self.conn.prepare_cached(FIND_SQL)?;
        let mut rows = statement.query([id.to_string()])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let values = columns::values(row, COLUMNS.len())?.into_iter().map(ColumnValue::into_owned).collect();
        let reports = report_state_rows(&row.get::<_, String>(COLUMNS.len())?)?;
        Ok(Some(CaseRow { seq: row.get(1)?, values, reports }))
    }

    fn cases(&self, each: &mut dyn FnMut(Option<InvestigationId>, i64) -> Result<()>) -> Result<()> {
        self.each("SELECT investigation_id, seq FROM case_states", [], |row| {
            let id = row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok());
            each(id, row.get(1)?)
        })
    }

    fn report_states_without_report(&self, each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT seq FROM report_states WHERE seq NOT IN (SELECT seq FROM report_entries)";
        self.each(sql, [], |row| each(row.get(0)?))
    }

    fn erased_by(&self, seq: u64) -> Result<Option<u64>> {
        let sql = "SELECT event_seq FROM erasures WHERE seq = ?1";
        Ok(self.conn.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?)
    }

    fn erasures(&self, each: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        self.each("SELECT seq, event_seq FROM erasures ORDER BY seq", [], |row| each(row.get(0)?, row.get(1)?))
    }

    fn dead_letters(&self, each: &mut EachRow<'_>) -> Result<()> {
        let sql = "SELECT id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
                   FROM dead_letters";
        self.each_row(sql, each)
    }

    fn dead_letters_changed_since(&self, seq: u64) -> Result<BTreeSet<String>> {
        let sql = "SELECT b.payload ->> '$.dead_letter_id' FROM event_log l JOIN event_bodies b ON b.seq = l.seq
                   WHERE l.event_type = ?1 AND l.seq >= ?2";
        let mut changed = BTreeSet::new();
        self.each(sql, (EventType::DeadLetterChanged.as_str(), seq), |row| {
            changed.insert(text(row.get_ref(0)?).into_owned());
            Ok(())
        })?;
        Ok(changed)
    }

    fn access_keys(&self, each: &mut EachRow<'_>) -> Result<()> {
        let sql = "SELECT id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at FROM access_keys";
        self.each_row(sql, each)
    }
}

/// The rank at a position and the one before it.
const LAST_TWO_SQL: &str = "SELECT seq, nth FROM alert_ranks WHERE severity = ? AND score = ? AND seq <= ?
     ORDER BY seq DESC LIMIT 2";

fn text(value: ValueRef<'_>) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes(value))
}

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
