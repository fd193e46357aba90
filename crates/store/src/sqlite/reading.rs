//! Several questions in one go: what an agent has to know before it decides.

use countersign_domain::{AlertId, Score, Severity, TransactionId, UserId, payload::ReportType};
use countersign_ledger::{Hash, HashedText, sha256};
use rusqlite::Connection;

use super::{Store, history, queue, ranks, reports};
use crate::{
    error::Result,
    investigations::{AlertEntry, Correlated, CustomerRecord, PriorAlerts, ReportEntry, ReportFile},
};

/// One state of the store, whatever is committed meanwhile.
pub struct Reading<'a>(&'a Connection);

impl Store {
    /// Asks several questions of one state of the store. Handing a question to a thread and its answer back costs as much
    /// as a short answer itself, so what is needed together is asked together.
    pub async fn reading<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Reading<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.read(move |conn| {
            conn.prepare_cached("BEGIN")?.execute([])?;
            let answer = ask(&Reading(conn));
            let ended = conn.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
            answer.and_then(|answer| Ok(ended.map(|_| answer)?))
        })
        .await
    }
}

impl Reading<'_> {
    /// One alert, also when its body was erased.
    pub fn alert(&self, id: &AlertId) -> Result<Option<AlertEntry>> {
        queue::alert(self.0, id)
    }

    /// The user's alerts before this position: how many of each severity, and the newest of them.
    pub fn prior_alerts(&self, user: &UserId, before_seq: u64, limit: usize) -> Result<PriorAlerts> {
        queue::prior_alerts(self.0, user, before_seq, limit)
    }

    /// The user's alerts before this position, and how many of anybody's have the same severity and a score no further than
    /// `within` from this one.
    pub fn correlated(
        &self,
        user: &UserId,
        (severity, score): (Severity, Score),
        within: u8,
        before_seq: u64,
        newest_max: usize,
    ) -> Result<Correlated> {
        let prior = self.prior_alerts(user, before_seq, newest_max)?;
        Ok(Correlated { prior, similar: ranks::similar(self.0, severity, score, within, before_seq)? })
    }

    /// The transaction that is named, if it is this user's, and the user's transactions before it; before `before_seq` if
    /// there is none.
    pub fn customer_record(
        &self,
        user: &UserId,
        named: Option<&TransactionId>,
        before_seq: u64,
        limit: usize,
    ) -> Result<CustomerRecord> {
        history::customer_record(self.0, user, named, before_seq, limit)
    }

    /// The newest version, also when it was erased: the next one must not take its number.
    pub fn current_report(&self, alert: &AlertId, report_type: ReportType) -> Result<Option<ReportEntry>> {
        reports::current(self.0, alert, report_type)
    }

    /// `None` also when it was erased, and of a report that is about no alert.
    pub fn report_file(&self, id: &str) -> Result<Option<ReportFile>> {
        reports::file(self.0, id)
    }

    /// Of the text that is stored now, whatever the event has. It is computed only if it is another text than one that was
    /// read before.
    pub fn report_hash(&self, id: &str, before: &HashedText) -> Result<Option<Hash>> {
        let hash = |text: &str| if text == before.text() { before.hash() } else { sha256(text.as_bytes()) };
        reports::with_content(self.0, id, |text, _| Ok(hash(text)))
    }
}
