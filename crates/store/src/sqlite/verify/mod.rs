//! Verifies a database file: answers what the rules of verification (`crate::verify`) ask about it.
//!
//! It only reads, in short transactions, so that it can run while a server is using the store. The search index is checked in
//! `search/verify.rs`.
//!
//! | file         | job                                  |
//! |--------------|--------------------------------------|
//! | `walk.rs`    | reads the events in order            |
//! | `records.rs` | answers what the rules ask           |

mod records;
mod walk;

use std::path::Path;

use countersign_ledger::VerifyingKey;
use rusqlite::types::ValueRef;

use self::records::SqliteRecords;
use super::{readers::open_read_only, schema};
use crate::{
    anchor::Anchor,
    check::{LastCheckpoint, Verification},
    error::Result,
    verify::verify_records,
};

pub(super) use walk::walk;

/// The size of the newest checkpoint in the database. `None` if there is none or it can't be read, which the check will find.
pub(crate) fn newest_checkpoint(path: &Path) -> Result<Option<u64>> {
    let conn = open_read_only(path)?;
    Ok(conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get(0)).unwrap_or(None))
}

/// Checks the database at `path`.
pub(crate) fn verify_database(
    path: &Path,
    key: &VerifyingKey,
    last_checkpoint: &LastCheckpoint<'_>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let conn = open_read_only(path)?;
    schema::check_version(&conn)?;
    Ok(verify_records(&SqliteRecords { conn: &conn }, key, last_checkpoint, anchors, progress))
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    }
}
