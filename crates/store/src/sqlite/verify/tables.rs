//! Checks keys, dead letters and erasures, and finds rows that belong to no event.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::EventType;
use rusqlite::{Row, types::ValueRef};

use super::{Verifier, position_exists, text};
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
    sqlite::columns::stored,
};

impl Verifier<'_> {
    /// Finds rows that belong to no event. Each statement has a snapshot of its own.
    pub(super) fn check_strays(&mut self) -> Result<()> {
        for table in ["event_bodies", "report_bodies"] {
            let sql = format!(
                "SELECT seq FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM event_log l WHERE l.seq = t.seq) LIMIT 10"
            );
            self.find_strays(&sql, table)?;
        }
        let histories = ("user_transactions", EventTable::TransactionIds.event_types());
        let tables = EventTable::ALL.map(|table| (table.name(), table.event_types()));
        for (table, types) in tables.into_iter().chain([histories]) {
            // Through the index, so that no header has to be read.
            let types: Vec<_> = types.iter().map(|event_type| format!("'{}'", event_type.as_str())).collect();
            let sql = format!(
                "SELECT seq FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM event_log l INDEXED BY event_log_by_type
                 WHERE l.event_type IN ({}) AND l.seq = t.seq) LIMIT 10",
                types.join(", ")
            );
            self.find_strays(&sql, table)?;
        }
        Ok(())
    }

    fn find_strays(&mut self, sql: &str, table: &str) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            self.check.find(
                u64::try_from(seq).ok(),
                None,
                format!("the table {table} has a row that no event explains"),
            );
        }
        Ok(())
    }

    pub(super) fn check_keys(&mut self) -> Result<()> {
        let sql = "SELECT id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at FROM access_keys";
        let expected = std::mem::take(&mut self.keys);
        self.compare_by_id(sql, "access_keys", expected, &BTreeSet::new())
    }

    pub(super) fn check_dead_letters(&mut self) -> Result<()> {
        let sql = "SELECT id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
                   FROM dead_letters";
        let mut expected = std::mem::take(&mut self.letters);
        let snapshot = self.conn.unchecked_transaction()?;
        // Letters that have changed since the start are left to the next verification.
        let since = "SELECT b.payload ->> '$.dead_letter_id' FROM event_log l JOIN event_bodies b ON b.seq = l.seq
                     WHERE l.event_type = ?1 AND l.seq >= ?2";
        let mut statement = snapshot.prepare(since)?;
        let mut rows = statement.query((EventType::DeadLetterChanged.as_str(), self.size))?;
        let mut changed = BTreeSet::new();
        while let Some(row) = rows.next()? {
            changed.insert(text(row.get_ref(0)?));
        }
        expected.retain(|id, _| !changed.contains(id));
        self.compare_by_id(sql, "dead_letters", expected, &changed)
    }

    /// Compares a small table both ways with the rows that its events lead to, except the rows with the ids in `except`. The
    /// first two columns are id and position.
    fn compare_by_id<const N: usize>(
        &mut self,
        sql: &str,
        table: &str,
        mut expected: BTreeMap<String, [ColumnValue<'static>; N]>,
        except: &BTreeSet<String>,
    ) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id = match row.get_ref(0)? {
                ValueRef::Text(_) => text(row.get_ref(0)?),
                _ => String::new(),
            };
            if except.contains(&id) {
                continue;
            }
            let seq = match row.get_ref(1)? {
                ValueRef::Integer(seq) => u64::try_from(seq).ok(),
                _ => None,
            };
            // Written since the start, so it is left to the next verification.
            if let Some(seq) = seq.filter(|seq| *seq >= self.size)
                && position_exists(self.conn, seq)?
            {
                expected.remove(&id);
                continue;
            }
            match expected.remove(&id) {
                Some(expected) if is_row(row, &expected)? => {}
                Some(expected) => {
                    self.check.find(seq_of(&expected), None, format!("does not match its row in the table {table}"));
                }
                None => self.check.find(seq, None, format!("the table {table} has a row that no event explains")),
            }
        }
        for row in expected.values() {
            self.check.find(seq_of(row), None, format!("is missing from the table {table}"));
        }
        Ok(())
    }

    /// Compares the table both ways with what PAYLOAD_ERASED events say.
    pub(super) fn check_erasures(&mut self) -> Result<()> {
        let mut expected = self.check.erased.clone();
        let mut statement = self.conn.prepare("SELECT seq, event_seq FROM erasures ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (seq, by): (u64, u64) = (row.get(0)?, row.get(1)?);
            if by >= self.size && !expected.contains_key(&seq) && position_exists(self.conn, by)? {
                self.check.excuse_missing_body(seq);
            } else if expected.remove(&seq) != Some(by) {
                self.check.find(Some(seq), None, "is marked as erased by an event that does not say so");
            }
        }
        for (seq, by) in expected {
            self.check.find(Some(seq), None, format!("event {by} says that it was erased, but it is not marked so"));
        }
        Ok(())
    }
}

fn is_row(row: &Row<'_>, expected: &[ColumnValue<'_>]) -> Result<bool> {
    for (column, expected) in expected.iter().enumerate() {
        if row.get_ref(column)? != stored(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn seq_of(row: &[ColumnValue<'_>]) -> Option<u64> {
    match row.get(1) {
        Some(ColumnValue::Integer(seq)) => u64::try_from(*seq).ok(),
        _ => None,
    }
}
