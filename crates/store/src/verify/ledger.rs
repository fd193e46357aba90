//! Checks the stored tree and the checkpoints.

use countersign_ledger::VerifyingKey;

use super::{Verifier, effects, history::HistoryCheck, records::Positions};
use crate::{error::Result, ledger_head::LedgerHead, notes};

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

    /// Reads the `LedgerHead`, agents' progress and the log in one snapshot, where they must agree.
    pub(super) fn expect_head(&mut self, key: &VerifyingKey) -> Result<()> {
        let records = self.records;
        records.in_snapshot(&mut || {
            let Positions { first, end } = records.positions()?;
            self.size = end;
            self.effects = effects::read(records, end, &mut self.check)?;
            self.history = HistoryCheck::until(self.effects.history_end());
            if first.is_some_and(|first| first < 0) {
                self.check.find(None, None, "there is an event with a negative position");
            }
            let heads = records.heads()?;
            if heads > 1 {
                self.check.find(None, None, format!("the table ledger_head has {heads} rows instead of one"));
            }
            match records.head() {
                Ok(Some(head)) => self.check_head(&head, end, key),
                Ok(None) => self.check.find(None, None, "the stored tree is missing"),
                Err(error) => self.check.find(None, None, format!("the stored tree can't be read: {error}")),
            }
            Ok(())
        })
    }

    /// `end` is the position after the last event in the log.
    fn check_head(&mut self, head: &LedgerHead, end: u64, key: &VerifyingKey) {
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
    }

    pub(super) fn expect_checkpoints(&mut self, key: &VerifyingKey, last_is_missing: bool) -> Result<()> {
        let records = self.records;
        // It means that `ledger_head` was moved back.
        if let Some(beyond) = records.checkpoint_beyond_head()? {
            let what = format!("is missing: a checkpoint was signed over {beyond} events");
            self.check.find(Some(self.size), None, what);
        }
        records.checkpoints(self.size, &mut |size, note| {
            self.expect_note(key, note, "the checkpoint", Some(size));
            Ok(())
        })?;
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
        let stored = self.records.node_count()?;
        let expected: u64 = (1..8).map(|stride| stored.tree_size >> (8 * stride)).sum();
        if stored.nodes != expected {
            let what = format!("the stored tree has {} inner nodes instead of {expected}", stored.nodes);
            self.check.find(None, None, what);
        }
        Ok(())
    }
}
