//! Checks keys, dead letters and erasures, and finds rows that belong to no event.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::EventType;

use super::{
    Verifier,
    records::{EachRow, is_stored_as},
};
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
};

impl Verifier<'_> {
    /// Finds rows that belong to no event.
    pub(super) fn check_strays(&mut self) -> Result<()> {
        for table in ["event_bodies", "report_bodies"] {
            self.find_strays(table, &[])?;
        }
        for table in EventTable::ALL {
            self.find_strays(table.name(), table.event_types())?;
        }
        self.find_strays("user_transactions", EventTable::TransactionIds.event_types())
    }

    pub(super) fn check_own_tables(&mut self) -> Result<()> {
        self.records.own_differences(&mut |seq, what| {
            self.check.find(seq, None, what);
            Ok(())
        })
    }

    fn find_strays(&mut self, table: &str, types: &[EventType]) -> Result<()> {
        self.records.strays(table, types, &mut |seq| {
            let what = format!("the table {table} has a row that no event explains");
            self.check.find(u64::try_from(seq).ok(), None, what);
            Ok(())
        })
    }

    pub(super) fn check_keys(&mut self) -> Result<()> {
        let records = self.records;
        let expected = std::mem::take(&mut self.keys);
        self.compare_by_id("access_keys", expected, &BTreeSet::new(), |each| records.access_keys(each))
    }

    pub(super) fn check_dead_letters(&mut self) -> Result<()> {
        let records = self.records;
        let mut expected = std::mem::take(&mut self.letters);
        records.in_snapshot(&mut || {
            // Letters that have changed since the start are left to the next verification.
            let changed = records.dead_letters_changed_since(self.size)?;
            expected.retain(|id, _| !changed.contains(id));
            let expected = std::mem::take(&mut expected);
            self.compare_by_id("dead_letters", expected, &changed, |each| records.dead_letters(each))
        })
    }

    /// Compares a small table both ways with the rows that its events lead to, except the rows with the ids in `except`. The
    /// first two columns are id and position.
    fn compare_by_id<const N: usize>(
        &mut self,
        table: &str,
        mut expected: BTreeMap<String, [ColumnValue<'static>; N]>,
        except: &BTreeSet<String>,
        for_each_row: impl FnOnce(&mut EachRow<'_>) -> Result<()>,
    ) -> Result<()> {
        for_each_row(&mut |row| {
            let id = row.first().and_then(ColumnValue::as_text).unwrap_or_default();
            if except.contains(id) {
                return Ok(());
            }
            let seq = seq_of(row);
            // Written since the start, so it is left to the next verification.
            if let Some(seq) = seq.filter(|seq| *seq >= self.size)
                && self.records.position_exists(seq)?
            {
                expected.remove(id);
                return Ok(());
            }
            match expected.remove(id) {
                Some(expected) if is_stored_as(row, &expected) => {}
                Some(expected) => {
                    self.check.find(seq_of(&expected), None, format!("does not match its row in the table {table}"));
                }
                None => self.check.find(seq, None, format!("the table {table} has a row that no event explains")),
            }
            Ok(())
        })?;
        for row in expected.values() {
            self.check.find(seq_of(row), None, format!("is missing from the table {table}"));
        }
        Ok(())
    }

    /// Compares the table both ways with what PAYLOAD_ERASED events say.
    pub(super) fn check_erasures(&mut self) -> Result<()> {
        let mut expected = self.check.erased.clone();
        self.records.erasures(&mut |seq, by| {
            if by >= self.size && !expected.contains_key(&seq) && self.records.position_exists(by)? {
                self.check.excuse_missing_body(seq);
            } else if expected.remove(&seq) != Some(by) {
                self.check.find(Some(seq), None, "is marked as erased by an event that does not say so");
            }
            Ok(())
        })?;
        for (seq, by) in expected {
            self.check.find(Some(seq), None, format!("event {by} says that it was erased, but it is not marked so"));
        }
        Ok(())
    }
}

fn seq_of(row: &[ColumnValue<'_>]) -> Option<u64> {
    row.get(1)?.as_integer().and_then(|seq| u64::try_from(seq).ok())
}
