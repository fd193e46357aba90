//! Scores a stream of transactions offline: each is scored using the earlier transactions of the same stream.

use std::{collections::HashSet, path::PathBuf};

use countersign_domain::{Transaction, TransactionId};
use countersign_signals::{Assessment, Detector, DetectorSettings, History, HistoryCache, Rules};

use super::failure::Failure;
use crate::investigations::read_rules;

/// A stream can't be read again, so the history of every customer stays in memory.
const USERS_MAX: usize = 50_000_000;

pub(super) struct Scoring {
    detector: Detector,
    users: HistoryCache,
    seen: HashSet<TransactionId>,
    seq: u64,
}

impl Scoring {
    /// Uses the rules of the configuration, or the built-in rules.
    pub(super) fn new(rules_file: Option<&PathBuf>) -> Result<Self, Failure> {
        let rules = match rules_file {
            Some(path) => read_rules(path).map_err(|error| {
                Failure::new(error.to_string()).help("correct the file, or unset detector.rules_file")
            })?,
            None => Rules::built_in(),
        };
        let detector = Detector::new(DetectorSettings::default(), rules);
        Ok(Self { detector, users: HistoryCache::new(USERS_MAX), seen: HashSet::new(), seq: 0 })
    }

    /// `None` for a duplicate, which is not assessed again.
    pub(super) fn assess(&mut self, transaction: &Transaction) -> Option<Assessment> {
        if !self.seen.insert(transaction.transaction_id.clone()) {
            return None;
        }
        self.seq += 1;
        let history = match self.users.get(&transaction.user_id) {
            Some(history) => history,
            None => self.users.insert(transaction.user_id.clone(), History::new()),
        };
        let assessment = self.detector.assess(self.seq, transaction, history);
        history.add(self.seq, transaction);
        Some(assessment)
    }
}
