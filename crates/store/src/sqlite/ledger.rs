//! The tree as it is stored: leaf hashes in `event_log`, every eighth level of inner nodes in `ledger_nodes`, and the right edge
//! in `ledger_head`.

use countersign_ledger::{
    Frontier, Hash, HashSource, ProofError, SigningKey, consistency_proof, inclusion_proof, root_at,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{SqliteStore, reads};
use crate::{
    error::{Result, StoreError},
    events::SealedEvent,
    ledger_head::LedgerHead,
};

impl SqliteStore {
    pub(crate) async fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>> {
        self.read(move |conn| inclusion_proof(&StoredHashes(conn), index, size).map_err(from_proof)).await
    }

    pub(crate) async fn consistency(&self, from: u64, to: u64) -> Result<Vec<Hash>> {
        self.read(move |conn| consistency_proof(&StoredHashes(conn), from, to).map_err(from_proof)).await
    }

    pub(crate) async fn root_at(&self, size: u64) -> Result<Hash> {
        self.read(move |conn| root_of(conn, size)).await
    }

    pub(crate) async fn leaf(&self, index: u64) -> Result<String> {
        self.read(move |conn| reads::header_at(conn, index)?.ok_or(StoreError::NotFound)).await
    }

    pub(crate) async fn leaves(&self, from: u64, limit: usize) -> Result<Vec<String>> {
        self.read(move |conn| reads::headers_from(conn, from, limit)).await
    }

    pub(crate) async fn sealed(&self, index: u64) -> Result<SealedEvent> {
        self.read(move |conn| reads::sealed_at(conn, index)?.ok_or(StoreError::NotFound)).await
    }
}

pub(crate) fn read_head(conn: &Connection) -> Result<Option<LedgerHead>> {
    let row = conn
        .prepare_cached("SELECT origin, size, root, frontier, seal FROM ledger_head WHERE id = 1")?
        .query_row([], |row| {
            let (root, frontier): (Vec<u8>, Vec<u8>) = (row.get(2)?, row.get(3)?);
            Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?, root, frontier, row.get::<_, Option<Vec<u8>>>(4)?))
        })
        .optional()?;
    row.map(|(origin, size, root, frontier, seal)| {
        Ok(LedgerHead {
            origin,
            root: Hash::from_slice(&root)?,
            frontier: Frontier::from_bytes(size, &frontier)?,
            seal,
        })
    })
    .transpose()
}

/// Stores the [`LedgerHead`] of a new log, or the seal that was added to the stored one.
pub(crate) fn store_head(conn: &Connection, head: &LedgerHead) -> Result<()> {
    let LedgerHead { origin, root, frontier, seal } = head;
    conn.execute(
        "INSERT INTO ledger_head (id, origin, size, root, frontier, seal) VALUES (1, ?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET seal = excluded.seal",
        params![origin, frontier.size(), root.as_bytes(), frontier.to_bytes(), seal],
    )?;
    Ok(())
}

/// Updates the stored [`LedgerHead`] in the commit that has made the tree grow, and seals it.
pub(crate) fn write_head(conn: &Connection, frontier: &Frontier, key: &SigningKey) -> Result<()> {
    let (size, root) = (frontier.size(), frontier.root());
    conn.prepare_cached("UPDATE ledger_head SET size = ?1, root = ?2, frontier = ?3, seal = ?4 WHERE id = 1")?
        .execute(params![size, root.as_bytes(), frontier.to_bytes(), key.seal(size, &root)])?;
    Ok(())
}

/// The stored hashes, from which proofs are made.
pub(crate) struct StoredHashes<'a>(pub(crate) &'a Connection);

impl HashSource for StoredHashes<'_> {
    type Error = StoreError;

    fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>> {
        let sql = match level {
            0 => "SELECT leaf_hash FROM event_log WHERE seq >= ?2 AND seq < ?3 AND ?1 = 0 ORDER BY seq",
            _ => "SELECT hash FROM ledger_nodes WHERE level = ?1 AND idx >= ?2 AND idx < ?3 ORDER BY idx",
        };
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map(params![level, from, to], |row| row.get::<_, Vec<u8>>(0))?;
        rows.map(|bytes| Ok(Hash::from_slice(&bytes?)?)).collect()
    }
}

/// The root that the tree had at `size`, computed from stored hashes in logarithmic time.
pub(crate) fn root_of(conn: &Connection, size: u64) -> Result<Hash> {
    root_at(&StoredHashes(conn), size).map_err(from_proof)
}

pub(crate) fn from_proof(error: ProofError<StoreError>) -> StoreError {
    match error {
        ProofError::Source(error) => error,
        other => StoreError::Corrupt(other.to_string()),
    }
}
