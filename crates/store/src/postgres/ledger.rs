//! The tree as it is stored: leaf hashes in `event_log`, every eighth level of inner nodes in `ledger_nodes`, and the right edge
//! in `ledger_head`.

use countersign_ledger::{Frontier, Hash, HashSource, ProofError, consistency_proof, inclusion_proof, root_at};
use tokio::{runtime::Handle, task::spawn_blocking};
use tokio_postgres::Row;

use super::{
    PostgresStore, reads,
    session::Session,
    values::{Columns, number, values},
};
use crate::{
    error::{Result, StoreError},
    events::SealedEvent,
    ledger_head::LedgerHead,
};

impl PostgresStore {
    pub(crate) async fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>> {
        self.read(move |session| with_hashes(session, move |hashes| inclusion_proof(hashes, index, size))).await
    }

    pub(crate) async fn consistency(&self, from: u64, to: u64) -> Result<Vec<Hash>> {
        self.read(move |session| with_hashes(session, move |hashes| consistency_proof(hashes, from, to))).await
    }

    pub(crate) async fn root_at(&self, size: u64) -> Result<Hash> {
        self.read(move |session| root_of(session, size)).await
    }

    pub(crate) async fn leaf(&self, index: u64) -> Result<String> {
        self.read(move |session| async move { reads::header_at(&session, index).await?.ok_or(StoreError::NotFound) })
            .await
    }

    pub(crate) async fn leaves(&self, from: u64, limit: usize) -> Result<Vec<String>> {
        self.read(move |session| async move { reads::headers_from(&session, from, limit).await }).await
    }

    pub(crate) async fn sealed(&self, index: u64) -> Result<SealedEvent> {
        self.read(move |session| async move { reads::sealed_at(&session, index).await?.ok_or(StoreError::NotFound) })
            .await
    }
}

pub(super) async fn read_head(session: &Session) -> Result<Option<LedgerHead>> {
    let sql = "SELECT origin, size, root, frontier, seal FROM countersign.ledger_head WHERE id = 1";
    session.row_if_any(sql, &[]).await?.as_ref().map(head_of).transpose()
}

/// Begins a transaction that waits until the commit in progress has ended, of whichever process, and keeps others from beginning.
pub(super) async fn begin_with_lock(session: &Session) -> Result<()> {
    const BEGIN_SQL: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '20s';
         SET LOCAL idle_in_transaction_session_timeout = '10s'";
    const LOCK_SQL: &str = "SELECT 1 FROM countersign.ledger_head WHERE id = 1 FOR UPDATE";
    session.run(BEGIN_SQL).await?;
    session.rows(LOCK_SQL, &[]).await.map(drop)
}

/// The head in a row whose first columns are `origin`, `size`, `root`, `frontier` and `seal`.
pub(super) fn head_of(row: &Row) -> Result<LedgerHead> {
    Ok(LedgerHead {
        origin: row.column(0)?,
        root: Hash::from_slice(row.column(2)?)?,
        frontier: Frontier::from_bytes(row.number(1)?, row.column(3)?)?,
        seal: row.column(4)?,
    })
}

/// The stored hashes, from which proofs are made. They never change, so they need not be read in one snapshot.
pub(super) struct StoredHashes {
    session: Session,
    runtime: Handle,
}

impl HashSource for StoredHashes {
    type Error = StoreError;

    fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>> {
        self.runtime.block_on(stored_hashes(&self.session, level, from, to))
    }
}

async fn stored_hashes(session: &Session, level: u8, from: u64, to: u64) -> Result<Vec<Hash>> {
    const LEAVES_SQL: &str = "SELECT leaf_hash FROM countersign.event_log WHERE seq >= $1 AND seq < $2 ORDER BY seq";
    const NODES_SQL: &str =
        "SELECT hash FROM countersign.ledger_nodes WHERE level = $3 AND idx >= $1 AND idx < $2 ORDER BY idx";
    let (from, to) = (number(from), number(to));
    let rows = match level {
        0 => session.rows(LEAVES_SQL, values![from, to]).await?,
        _ => session.rows(NODES_SQL, values![from, to, i64::from(level)]).await?,
    };
    rows.iter().map(|row| Ok(Hash::from_slice(row.column(0)?)?)).collect()
}

/// Computes something from stored hashes on a thread that may block, because a [`HashSource`] is synchronous.
pub(super) async fn with_hashes<T: Send + 'static>(
    session: Session,
    compute: impl FnOnce(&StoredHashes) -> Result<T, ProofError<StoreError>> + Send + 'static,
) -> Result<T> {
    let hashes = StoredHashes { session, runtime: Handle::current() };
    let done = spawn_blocking(move || compute(&hashes).map_err(from_proof)).await;
    done.unwrap_or_else(|error| Err(StoreError::Database(format!("a read was aborted: {error}"))))
}

/// The root that the tree had at `size`, computed from stored hashes in logarithmic time.
pub(super) async fn root_of(session: Session, size: u64) -> Result<Hash> {
    with_hashes(session, move |hashes| root_at(hashes, size)).await
}

fn from_proof(error: ProofError<StoreError>) -> StoreError {
    match error {
        ProofError::Source(error) => error,
        other => StoreError::Corrupt(other.to_string()),
    }
}
