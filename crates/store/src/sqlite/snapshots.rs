//! Reads that gather several things from one snapshot.

use countersign_domain::{AlertId, ReportId, Score, Severity, StoredEvent, TransactionId, UserId, payload::ReportType};
use countersign_ledger::{Hash, HashedText, sha256};
use rusqlite::Connection;

use super::{SqliteStore, alert_lists, history, ranks, reports};
use crate::{
    error::Result,
    investigations::{
        AlertRecord, CustomerRecord, PriorAlerts, RelatedAlerts, RelatedAlertsLimits, ReportFile, alert_of,
    },
};

impl SqliteStore {
    /// Runs several queries against one snapshot. Handing a query to another thread takes as long as a short query, so things that
    /// are needed together are read together.
    pub(super) async fn read_snapshot<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.read(move |conn| {
            conn.prepare_cached("BEGIN")?.execute([])?;
            let value = read(conn);
            let ended = conn.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
            value.and_then(|value| Ok(ended.map(|_| value)?))
        })
        .await
    }

    pub(crate) async fn alert_record(
        &self,
        alert: &StoredEvent,
        report_type: ReportType,
        history_max: usize,
        limits: RelatedAlertsLimits,
    ) -> Result<AlertRecord> {
        let (seq, alert) = (alert.seq, alert_of(alert)?);
        self.read_snapshot(move |conn| {
            let named = alert.metadata.transaction_id.as_ref();
            let customer = history::customer_record(conn, &alert.user_id, named, seq, history_max)?;
            let related = related_alerts(conn, &alert.user_id, (alert.severity, alert.score), seq, limits)?;
            let current_report = reports::current(conn, &alert.alert_id, report_type)?;
            Ok(AlertRecord { alert, customer, related, current_report })
        })
        .await
    }

    pub(crate) async fn report_file(
        &self,
        report_id: &ReportId,
        limits: RelatedAlertsLimits,
    ) -> Result<Option<ReportFile>> {
        let id = report_id.clone();
        self.read_snapshot(move |conn| {
            let Some(stored) = reports::stored(conn, &id)? else { return Ok(None) };
            // The alert is looked up by the id in the report's event, because the content has only a redacted form of it.
            let Some(entry) = alert_lists::alert(conn, &stored.alert_id)? else { return Ok(None) };
            let alert = alert_of(&entry.event)?;
            let similar_to = (alert.severity, alert.score);
            let related = related_alerts(conn, &alert.user_id, similar_to, entry.event.seq, limits)?;
            Ok(Some(ReportFile { content: stored.content, content_hash: stored.content_hash, alert, related }))
        })
        .await
    }

    pub(crate) async fn prior_alerts(
        &self,
        alert: &AlertId,
        user: &UserId,
        newest_max: usize,
    ) -> Result<Option<PriorAlerts>> {
        let (alert, user) = (alert.clone(), user.clone());
        self.read_snapshot(move |conn| {
            let entry = alert_lists::alert(conn, &alert)?;
            entry.map(|entry| alert_lists::prior_alerts(conn, &user, entry.event.seq, newest_max)).transpose()
        })
        .await
    }

    pub(crate) async fn related_alerts(
        &self,
        user: &UserId,
        similar_to: (Severity, Score),
        before_seq: u64,
        limits: RelatedAlertsLimits,
    ) -> Result<RelatedAlerts> {
        let user = user.clone();
        self.read_snapshot(move |conn| related_alerts(conn, &user, similar_to, before_seq, limits)).await
    }

    pub(crate) async fn customer_record(
        &self,
        user: &UserId,
        named: Option<&TransactionId>,
        before_seq: u64,
        limit: usize,
    ) -> Result<CustomerRecord> {
        let (user, named) = (user.clone(), named.cloned());
        self.read_snapshot(move |conn| history::customer_record(conn, &user, named.as_ref(), before_seq, limit)).await
    }

    pub(crate) async fn report_hash(&self, id: &ReportId, known: HashedText) -> Result<Option<Hash>> {
        let id = id.clone();
        let hash = move |text: &str| if text == known.text() { known.hash() } else { sha256(text.as_bytes()) };
        self.read_snapshot(move |conn| reports::with_content(conn, &id, |text, _| Ok(hash(text)))).await
    }
}

fn related_alerts(
    conn: &Connection,
    user: &UserId,
    (severity, score): (Severity, Score),
    before_seq: u64,
    limits: RelatedAlertsLimits,
) -> Result<RelatedAlerts> {
    let prior = alert_lists::prior_alerts(conn, user, before_seq, limits.newest_max)?;
    Ok(RelatedAlerts {
        prior,
        similar: ranks::similar(conn, severity, score, limits.similar_within_points, before_seq)?,
    })
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc, Barrier,
            atomic::{AtomicUsize, Ordering},
            mpsc,
        },
        thread,
    };

    use countersign_domain::{NewEvent, payload::AgentStarted};
    use tempfile::TempDir;

    use super::*;
    use crate::{
        data_dir::DataDir,
        error::StoreError,
        seams::Seams,
        sqlite::search::end_of_log,
        store::{Store, StoreLocation, Threading},
    };

    fn open(folder: &TempDir, threading: Threading) -> Store {
        Store::open(&StoreLocation::in_dir(DataDir::new(folder.path())), threading, Seams::system().unwrap()).unwrap()
    }

    async fn append(store: &Store) {
        let (seams, at) = (store.seams(), store.seams().now());
        let started = AgentStarted { agent: "x".into(), version: "1".into(), started_at: at };
        let event = NewEvent::new(seams.event_id(), started, at, "test", seams.correlation_id()).unwrap();
        store.append(vec![event]).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_commit_between_two_queries_is_seen_by_neither() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder, Threading::Threaded);
        append(&store).await;
        let (asked, was_asked) = tokio::sync::oneshot::channel();
        let (committed, was_committed) = mpsc::channel();
        let reader = store.clone();
        let reading = tokio::spawn(async move {
            let read = move |conn: &Connection| {
                let first = end_of_log(conn)?;
                asked.send(()).unwrap();
                was_committed.recv().unwrap();
                Ok((first, end_of_log(conn)?))
            };
            reader.sqlite().read_snapshot(read).await
        });
        was_asked.await.unwrap();
        append(&store).await;
        committed.send(()).unwrap();
        assert_eq!(reading.await.unwrap().unwrap(), (1, 1));
        assert_eq!(store.sqlite().read_snapshot(end_of_log).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_read_that_fails_does_not_affect_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        for threading in [Threading::Inline, Threading::Threaded] {
            let store = open(&folder, threading);
            append(&store).await;
            let seen = store.sqlite().read_snapshot(end_of_log).await.unwrap();
            let failed =
                store.sqlite().read_snapshot(|conn| end_of_log(conn).and(Err::<(), _>(StoreError::NotFound))).await;
            assert!(matches!(failed, Err(StoreError::NotFound)));
            append(&store).await;
            assert_eq!(store.sqlite().read_snapshot(end_of_log).await.unwrap(), seen + 1);
            store.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn only_a_store_with_inline_reads_reads_on_the_callers_thread() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder, Threading::Threaded);
        let (here, current) = (thread::current().id(), |_: &Connection| Ok(thread::current().id()));
        assert_eq!(store.with_inline_reads().sqlite().read_snapshot(current).await.unwrap(), here);
        assert_ne!(store.sqlite().read_snapshot(current).await.unwrap(), here);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn at_most_sixteen_reads_run_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder, Threading::Threaded);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        // Each read waits for fifteen others, so the test hangs if sixteen can't run at once.
        let barrier = Arc::new(Barrier::new(16));
        let reads = (0..48).map(|_| {
            let (store, running, most, barrier) = (store.clone(), running.clone(), most.clone(), barrier.clone());
            tokio::spawn(async move {
                let read = move |_: &Connection| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    barrier.wait();
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                store.sqlite().read_snapshot(read).await
            })
        });
        for read in reads.collect::<Vec<_>>() {
            read.await.unwrap().unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), 16);
    }
}
