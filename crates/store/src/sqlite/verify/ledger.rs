//! Checks the stored tree and the checkpoints.

use countersign_ledger::VerifyingKey;

use super::{Verifier, effects, history::HistoryCheck, text};
use crate::{error::Result, notes, sqlite::ledger};

impl Verifier<'_> {
    pub(super) fn expect_note(&mut self, key: &VerifyingKey, note: &str, label: &str, size: Option<u64>) {
        match notes::open_exactly(key, note) {
            Ok(checkpoint) if size.is_some_and(|size| size != checkpoint.size) => {
                self.check.find(None, None, format!("{label} is stored under a size that differs from the signed one"));
            }
            Ok(checkpoint) => self.check.expect_checkpoint(&checkpoint, label),
            Err(error) => self.check.find(None, None, format!("{label} is forged or damaged: {error}")),
        }
    }

    /// Reads the `LedgerHead` and the log in one snapshot, where they must agree.
    pub(super) fn expect_head(&mut self, key: &VerifyingKey) -> Result<()> {
        let snapshot = self.conn.unchecked_transaction()?;
        let (first, end): (Option<i64>, u64) =
            snapshot.query_row("SELECT min(seq), coalesce(max(seq) + 1, 0) FROM event_log", [], |row| {
                Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0)))
            })?;
        self.size = end;
        self.effects = effects::read(&snapshot, end, &mut self.check)?;
        self.history = HistoryCheck::until(self.effects.history_end());
        if first.is_some_and(|first| first < 0) {
            self.check.find(None, None, "there is an event with a negative position");
        }
        let heads: u64 = snapshot.query_row("SELECT count(*) FROM ledger_head", [], |row| row.get(0))?;
        if heads > 1 {
            self.check.find(None, None, format!("the table ledger_head has {heads} rows instead of one"));
        }
        let head = match ledger::read_head(&snapshot) {
            Ok(Some(head)) => head,
            Ok(None) => {
                self.check.find(None, None, "the stored tree is missing");
                return Ok(());
            }
            Err(error) => {
                self.check.find(None, None, format!("the stored tree can't be read: {error}"));
                return Ok(());
            }
        };
        let size = head.frontier.size();
        self.size = end.min(size);
        if end > size {
            self.check.find(Some(size), None, format!("is not in the stored tree, which covers {size} events"));
        }
        self.check.expect_root(size, head.root, format!("the stored root over {size} events"));
        self.check.expect_root(size, head.frontier.root(), format!("the stored tree over {size} events"));
        if !head.is_sealed_by(key) {
            self.check.find(None, None, format!("the stored tree of {size} events is not sealed by the log's key"));
        }
        if head.origin != key.name() {
            self.check.find(None, None, format!("the stored origin is not {}, the key's", key.name()));
        }
        Ok(())
    }

    pub(super) fn expect_checkpoints(&mut self, key: &VerifyingKey, last_is_missing: bool) -> Result<()> {
        // One statement, so one snapshot: a checkpoint over more events than `ledger_head` means that `ledger_head` was moved
        // back.
        let beyond: Option<u64> = self.conn.query_row(
            "SELECT max(size) FROM checkpoints WHERE size > (SELECT size FROM ledger_head)",
            [],
            |row| row.get(0),
        )?;
        if let Some(beyond) = beyond {
            let what = format!("is missing: a checkpoint was signed over {beyond} events");
            self.check.find(Some(self.size), None, what);
        }
        let mut statement = self.conn.prepare("SELECT size, note FROM checkpoints WHERE size <= ?1 ORDER BY size")?;
        let mut rows = statement.query([self.size])?;
        while let Some(row) = rows.next()? {
            self.expect_note(key, &text(row.get_ref(1)?), "the checkpoint", Some(row.get(0)?));
        }
        if last_is_missing {
            self.check.find(
                None,
                None,
                "the last signed checkpoint, ledger.checkpoint, is missing from the data directory",
            );
        }
        Ok(())
    }

    pub(super) fn check_nodes(&mut self) -> Result<()> {
        let (nodes, size): (u64, u64) = self.conn.query_row(
            "SELECT (SELECT count(*) FROM ledger_nodes), coalesce((SELECT size FROM ledger_head), 0)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let expected: u64 = (1..8).map(|stride| size >> (8 * stride)).sum();
        if nodes != expected {
            self.check.find(None, None, format!("the stored tree has {nodes} inner nodes instead of {expected}"));
        }
        Ok(())
    }
}
