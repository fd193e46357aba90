//! Reads logs in batches that fit into memory. The sizes of payloads are read first, because a few may be very large.

use std::{collections::BTreeMap, ops::Range};

use tokio_postgres::Row;

use super::super::{
    session::Session,
    values::{Columns as _, corrupt, number, page_limit, values},
};
use crate::error::Result;

/// A log without its texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogKey {
    pub(super) seq: u64,
    /// In microseconds.
    pub(super) created_at: i64,
    pub(super) score: u8,
    pub(super) is_erased: bool,
}

/// The maximum of a batch: of its logs, and approximately of their payloads' bytes.
#[derive(Clone, Copy)]
pub(super) struct BatchMax {
    pub(super) logs: usize,
    pub(super) bytes: u64,
}

impl LogKey {
    /// The log in a row that begins with position, time of creation and score. Its body is stored.
    pub(super) fn of_stored(row: &Row) -> Result<Self> {
        let score = u8::try_from(row.number(2)?).map_err(corrupt)?;
        Ok(Self { seq: row.number(0)?, created_at: row.column(1)?, score, is_erased: false })
    }
}

/// From which end of a range a batch is taken.
#[derive(Clone, Copy)]
pub(super) enum From {
    Oldest,
    Newest,
}

/// Logs from one end of a range, beginning there.
pub(super) struct Batch {
    pub(super) logs: Vec<LogKey>,
    /// Whether these are all logs of the range.
    pub(super) is_all: bool,
}

impl Batch {
    pub(super) async fn read(session: &Session, range: Range<u64>, from: From, max: BatchMax) -> Result<Self> {
        let (start, end, limit) = (number(range.start), number(range.end), page_limit(max.logs));
        let rows = session.rows(&keys_sql(from), values![start, end, limit]).await?;
        let found = rows.iter().map(LogKey::of_stored).collect::<Result<Vec<_>>>()?;
        let sizes = payload_bytes(session, found.iter().map(|log| number(log.seq)).collect()).await?;
        let (mut logs, mut bytes) = (Vec::with_capacity(found.len()), 0);
        for log in &found {
            let size = sizes.get(&log.seq);
            logs.push(LogKey { is_erased: size.is_none(), ..*log });
            bytes += size.unwrap_or(&0);
            if bytes >= max.bytes {
                break;
            }
        }
        let is_all = logs.len() == found.len() && found.len() < max.logs;
        Ok(Self { logs, is_all })
    }
}

fn keys_sql(from: From) -> String {
    let order = match from {
        From::Oldest => "ASC",
        From::Newest => "DESC",
    };
    format!(
        "SELECT seq, created_at, risk_score FROM countersign.log_entries
         WHERE seq >= $1 AND seq < $2 ORDER BY seq {order} LIMIT $3"
    )
}

/// The sizes of the payloads at these positions, without those that were erased. Postgres knows them without reading long payloads.
async fn payload_bytes(session: &Session, seqs: Vec<i64>) -> Result<BTreeMap<u64, u64>> {
    if seqs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sql = "SELECT seq, octet_length(payload)::bigint FROM countersign.event_bodies WHERE seq = ANY($1)";
    let rows = session.rows(sql, values![seqs]).await?;
    rows.iter().map(|row| Ok((row.number(0)?, row.number(1)?))).collect()
}

/// The payloads at these positions, without those that were erased.
pub(super) async fn payloads(session: &Session, seqs: Vec<i64>) -> Result<BTreeMap<u64, String>> {
    if seqs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sql = "SELECT seq, payload FROM countersign.event_bodies WHERE seq = ANY($1)";
    let rows = session.rows(sql, values![seqs]).await?;
    rows.iter().map(|row| Ok((row.number(0)?, row.column(1)?))).collect()
}
