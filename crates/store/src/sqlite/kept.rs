//! What an erasure leaves of a log, said in the erasure's own event: the body that could confirm it is gone, and so the
//! counts of what was erased would be anybody's to change.

use countersign_domain::NewEvent;
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use crate::{check::Check, error::Result};

/// The metadata of a PAYLOAD_ERASED.
#[derive(Serialize, Deserialize)]
struct Kept {
    kept_logs: Vec<KeptLog>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct KeptLog {
    seq: u64,
    id: String,
    /// Microseconds, as in the table.
    created_at: i64,
    risk_score: i64,
}

/// The metadata for an erasure of these events.
pub(crate) fn metadata(conn: &Connection, seqs: &[u64]) -> Result<String> {
    let rows = seqs.iter().map(|seq| row(conn, *seq)).collect::<Result<Vec<_>>>()?;
    let kept_logs: Vec<_> = rows.into_iter().flatten().collect();
    if kept_logs.is_empty() {
        return Ok(NewEvent::NO_METADATA.to_owned());
    }
    Ok(serde_json::to_string(&Kept { kept_logs })?)
}

/// Compares the rows with what was said of them. Returns the ids of the logs.
pub(crate) fn check(conn: &Connection, metadata: &str, check: &mut Check) -> Result<Vec<String>> {
    let Ok(said) = serde_json::from_str::<Kept>(metadata) else { return Ok(Vec::new()) };
    for log in &said.kept_logs {
        if row(conn, log.seq)?.is_some_and(|stored| stored != *log) {
            check.find(Some(log.seq), None, "reads differently in the table log_entries");
        }
    }
    Ok(said.kept_logs.into_iter().map(|log| log.id).collect())
}

fn row(conn: &Connection, seq: u64) -> Result<Option<KeptLog>> {
    let mut select = conn.prepare_cached("SELECT id, created_at, risk_score FROM log_entries WHERE seq = ?1")?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(KeptLog { seq, id: row.get(0)?, created_at: row.get(1)?, risk_score: row.get(2)? })
    };
    Ok(select.query_row([seq], read).optional()?)
}
