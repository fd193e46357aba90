//! The tree as it is stored: leaf hashes in the log, inner nodes every eight levels, the right edge in the head.

use countersign_ledger::{Frontier, Hash, HashSource, ProofError, SigningKey, VerifyingKey, root_at};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{Result, StoreError};

/// The stored right edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) origin: String,
    pub(crate) root: Hash,
    pub(crate) frontier: Frontier,
    /// The signature over size and root that the commit made which wrote them. Stores from before there were seals have none.
    pub(crate) seal: Option<Vec<u8>>,
}

impl Head {
    /// Whether a holder of the log's key wrote this.
    pub(crate) fn is_sealed_by(&self, key: &VerifyingKey) -> bool {
        let seal = self.seal.as_deref();
        seal.is_some_and(|seal| key.check_seal(self.frontier.size(), &self.root, seal).is_ok())
    }
}

pub(crate) fn read_head(conn: &Connection) -> Result<Option<Head>> {
    let row = conn
        .prepare_cached("SELECT origin, size, root, frontier, seal FROM ledger_head WHERE id = 1")?
        .query_row([], |row| {
            let (root, frontier): (Vec<u8>, Vec<u8>) = (row.get(2)?, row.get(3)?);
            Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?, root, frontier, row.get::<_, Option<Vec<u8>>>(4)?))
        })
        .optional()?;
    row.map(|(origin, size, root, frontier, seal)| {
        Ok(Head { origin, root: Hash::from_slice(&root)?, frontier: Frontier::from_bytes(size, &frontier)?, seal })
    })
    .transpose()
}

pub(crate) fn create_head(conn: &Connection, key: &SigningKey) -> Result<Head> {
    let frontier = Frontier::new();
    let root = frontier.root();
    let seal = key.seal(0, &root).to_vec();
    let origin = key.verifying_key().name().to_owned();
    conn.execute(
        "INSERT INTO ledger_head (id, origin, size, root, frontier, seal) VALUES (1, ?1, 0, ?2, ?3, ?4)",
        params![origin, root.as_bytes(), frontier.to_bytes(), seal],
    )?;
    Ok(Head { origin, root, frontier, seal: Some(seal) })
}

pub(crate) fn write_head(conn: &Connection, frontier: &Frontier, key: &SigningKey) -> Result<()> {
    let (size, root) = (frontier.size(), frontier.root());
    conn.prepare_cached("UPDATE ledger_head SET size = ?1, root = ?2, frontier = ?3, seal = ?4 WHERE id = 1")?
        .execute(params![size, root.as_bytes(), frontier.to_bytes(), key.seal(size, &root)])?;
    Ok(())
}

/// Stored hashes, for proofs.
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

/// The root that the tree had at `size`, from stored hashes: logarithmic.
pub(crate) fn root_of(conn: &Connection, size: u64) -> Result<Hash> {
    root_at(&StoredHashes(conn), size).map_err(from_proof)
}

pub(crate) fn from_proof(error: ProofError<StoreError>) -> StoreError {
    match error {
        ProofError::Source(error) => error,
        other => StoreError::Corrupt(other.to_string()),
    }
}
