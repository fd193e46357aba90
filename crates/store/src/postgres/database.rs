//! A Postgres database as the commands see it that run while a server may be using it, and opening it for a server.

use std::sync::{Arc, atomic::AtomicBool};

use countersign_domain::{ReportId, payload::ReportAddendumAdded};
use countersign_ledger::{Hash, VerifyingKey};

use super::{
    Inner, PostgresStore, addenda,
    address::PostgresAddress,
    commit::{Committer, add_partitions},
    follower::Follower,
    lease, ledger, reads, reports, schema, search,
    session::{self, READS_MAX, Session, Sessions, Threads},
    values::{Columns, number, values},
    verify,
    writer::Writer,
};
use crate::{
    anchor::Anchor,
    check::{EachEvent, LastCheckpoint, Verification},
    data_dir::{DataDir, DirLock},
    error::{Result, StoreError},
    heads::Heads,
    investigations::{ReportEntry, ReportQuery},
    ledger_head::LedgerHead,
    newest::NewestByType,
    seams::Seams,
    store::{
        SearchCheck, Threading,
        opening::{OpenedLedger, StoredLedger},
    },
};

/// How far ahead partitions are made when a store is opened.
const PARTITIONS_AHEAD: u64 = 1_000_000;

/// The address of a store's database.
#[derive(Debug, Clone)]
pub(crate) struct PostgresDatabase {
    pub(super) address: PostgresAddress,
}

/// A database whose schema is up to date, before its ledger has been checked.
pub(crate) struct OpenPostgres {
    address: PostgresAddress,
    threads: Threads,
    /// The writer's connection.
    sessions: Sessions,
    lock: DirLock,
}

impl PostgresDatabase {
    pub(crate) fn parse(address: &str) -> Result<Self> {
        Ok(Self { address: PostgresAddress::parse(address)? })
    }

    /// Connects, creates the schema in a new database, and brings an older one up to date.
    pub(crate) fn open(&self, dir: &DataDir, threading: Threading) -> Result<OpenPostgres> {
        // The directory has the key and the newest checkpoint, which one process at a time writes.
        let lock = dir.lock()?;
        if self.address.trusts_any_certificate() {
            tracing::warn!(
                database = %self.address,
                "the connection is encrypted, but the server's certificate is not checked; add sslmode=verify-full to \
                 DATABASE_URL, and sslrootcert= if the certificate is not signed by a public authority"
            );
        }
        let threads = Threads::start(threading)?;
        let sessions = Sessions::new(&self.address, 1)?;
        let for_checks = sessions.clone();
        threads.block_on(async move {
            let session = for_checks.get().await?;
            schema::check_server(&session).await?;
            schema::migrate(&session).await?;
            schema::check_current(&session).await
        })?;
        Ok(OpenPostgres { address: self.address.clone(), threads, sessions, lock })
    }

    /// Threads and connections for a command.
    pub(super) fn connect(&self, most: usize) -> Result<(Threads, Sessions)> {
        Ok((Threads::start(Threading::Threaded)?, Sessions::new(&self.address, most)?))
    }

    /// Runs a read in a session of its own, however long it takes: whoever runs a command can interrupt it.
    fn read<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        let (threads, sessions) = self.connect(1)?;
        threads.block_on(async move { read(sessions.get().await?).await })
    }

    /// Like `read`, but refuses a database that has another schema.
    fn read_current<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        let place = self.address.to_string();
        self.read(move |session| async move {
            check_exists(&session, place).await?;
            schema::check_current(&session).await?;
            read(session).await
        })
    }

    /// Fails if the database can't be reached or has no store in it.
    pub(crate) fn check_exists(&self) -> Result<()> {
        let place = self.address.to_string();
        self.read(move |session| async move { check_exists(&session, place).await })
    }

    pub(crate) fn newest_checkpoint(&self) -> Result<Option<u64>> {
        self.read(|session| async move { Ok(newest_checkpoint(&session).await.unwrap_or(None)) })
    }

    pub(crate) fn verify(
        &self,
        key: &VerifyingKey,
        last_checkpoint: &LastCheckpoint<'_>,
        anchors: &[Anchor],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Verification> {
        let (threads, sessions) = self.connect(2)?;
        verify::verify(&threads, &sessions, key, last_checkpoint, anchors, progress)
    }

    /// Calls `each` with every event before `size`, in order.
    pub(crate) fn for_each_event(&self, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
        let (threads, sessions) = self.connect(2)?;
        verify::for_each_event(&threads, &sessions, size, each)
    }

    pub(crate) fn check_readable(&self) -> Result<()> {
        self.read_current(|_| async { Ok(()) })
    }

    pub(crate) fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        let query = query.clone();
        self.read_current(move |session| async move { reports::page(&session, &query).await })
    }

    pub(crate) fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        let id = id.clone();
        self.read_current(move |session| async move { reports::content(&session, &id).await })
    }

    pub(crate) fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        let id = report_id.clone();
        let found = self.read_current(move |session| async move { addenda::of_report(&session, &id).await })?;
        Ok(found.into_iter().map(|(_, addendum)| addendum).collect())
    }

    pub(crate) fn verify_search(&self) -> Result<SearchCheck> {
        self.read_current(|session| async move { search::verify::verify_search(&session).await })
    }
}

async fn check_exists(session: &Session, place: String) -> Result<()> {
    match schema::version(session).await? {
        0 => Err(StoreError::NoStore { place }),
        _ => Ok(()),
    }
}

async fn newest_checkpoint(session: &Session) -> Result<Option<u64>> {
    session.row("SELECT max(size) FROM countersign.checkpoints", &[]).await?.number_if_any(0)
}

impl OpenPostgres {
    pub(crate) fn ledger(&self) -> Result<StoredLedger> {
        let sessions = self.sessions.clone();
        self.threads.block_on(session::read_snapshot(sessions, |session| async move {
            Ok(StoredLedger {
                newest: reads::last_recorded(&session).await?,
                head: ledger::read_head(&session).await?,
                newest_checkpoint: newest_checkpoint(&session).await?,
            })
        }))
    }

    pub(crate) fn root_at(&self, size: u64) -> Result<Hash> {
        let sessions = self.sessions.clone();
        self.threads.block_on(session::read(sessions, move |session| ledger::root_of(session, size)))
    }

    /// Starts the writer on a ledger that has been checked.
    pub(crate) fn start(self, threading: Threading, seams: &Seams, opened: &OpenedLedger) -> Result<PostgresStore> {
        let Self { address, threads, sessions, lock } = self;
        let size = opened.head.frontier.size();
        let (head, for_start) = (opened.must_store_head.then(|| opened.head.clone()), sessions.clone());
        let (had_clean_stop, partitions_end) = threads.block_on(async move {
            let session = for_start.get().await?;
            if let Some(head) = head {
                store_head(&session, &head).await?;
            }
            Ok((begin_process(&session).await?, add_partitions(&session, size + PARTITIONS_AHEAD).await?))
        })?;
        let newest = Arc::new(NewestByType::at_open(size));
        let (heads, head, watchers) = Heads::new(size, Arc::clone(&newest));
        let heads = Arc::new(heads);
        let follower = Follower::new(&heads, Arc::clone(&newest));
        let hints = (newest, Arc::clone(&heads));
        let lease = lease::Token::default();
        let committer = Committer::new(sessions.clone(), Arc::clone(&opened.key), seams.clone(), hints, partitions_end)
            .with_lease(Arc::clone(&lease));
        drop(heads);
        let writer = Writer::start(&threads, threading, committer)?;
        let (reading, for_lease) = (Sessions::new(&address, READS_MAX)?, Sessions::new(&address, 1)?);
        if threading == Threading::Threaded {
            threads.spawn(follower.run(address, reading.clone()))?;
        }
        let inner = Inner {
            threads,
            sessions: reading,
            for_lease,
            writing: sessions,
            writer,
            head,
            watchers,
            lease,
            is_recovered: AtomicBool::new(had_clean_stop),
            _lock: lock,
        };
        Ok(PostgresStore::new(inner))
    }
}

/// Stores the [`LedgerHead`] of a new log, or the seal that was added to the stored one.
async fn store_head(session: &Session, head: &LedgerHead) -> Result<()> {
    let LedgerHead { origin, root, frontier, seal } = head;
    let (root, edge, size) = (root.as_bytes().to_vec(), frontier.to_bytes(), number(frontier.size()));
    let sql = "INSERT INTO countersign.ledger_head AS h (id, origin, size, root, frontier, seal)
               VALUES (1, $1, $2, $3, $4, $5)
               ON CONFLICT (id) DO UPDATE SET seal = excluded.seal WHERE h.origin = excluded.origin AND h.size = excluded.size";
    match session.execute(sql, values![origin.as_str(), size, root, edge, *seal]).await? {
        0 => Err(StoreError::Tampered("another process has begun a log in this database at the same moment".into())),
        _ => Ok(()),
    }
}

/// Notes that a process works on the store. Returns whether the one before it had stopped in order.
async fn begin_process(session: &Session) -> Result<bool> {
    let before = session.row_if_any("SELECT clean_stop <> 0 FROM countersign.process_state", &[]).await?;
    let sql = "INSERT INTO countersign.process_state (id, clean_stop) VALUES (1, 0)
               ON CONFLICT (id) DO UPDATE SET clean_stop = 0";
    session.execute(sql, &[]).await?;
    // A missing row counts as an unclean stop.
    before.map_or(Ok(false), |row| row.column(0))
}
