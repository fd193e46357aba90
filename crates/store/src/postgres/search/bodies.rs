//! Reads logs in batches that fit into memory. The sizes of payloads are read first, because a few may be very large.

use std::{collections::BTreeMap, ops::Range};

use super::super::{
    session::Session,
    values::{Columns as _, number, values},
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
        let limit = i64::try_from(max.logs).unwrap_or(i64::MAX);
        let values = values![number(range.start), number(range.end), limit];
        let rows = session.rows(&keys_sql(from), values).await?;
        let (mut logs, mut bytes) = (Vec::with_capacity(rows.len()), 0);
        for row in &rows {
            let payload_bytes = row.number_if_any(3)?;
            logs.push(LogKey {
                seq: row.number(0)?,
                created_at: row.column(1)?,
                score: u8::try_from(row.number(2)?).unwrap_or(u8::MAX),
                is_erased: payload_bytes.is_none(),
            });
            bytes += payload_bytes.unwrap_or(0);
            if bytes >= max.bytes {
                break;
            }
        }
        let is_all = logs.len() == rows.len() && rows.len() < max.logs;
        Ok(Self { logs, is_all })
    }
}

/// The size of a stored payload is known without reading it.
fn keys_sql(from: From) -> String {
    let order = match from {
        From::Oldest => "ASC",
        From::Newest => "DESC",
    };
    format!(
        "SELECT e.seq, e.created_at, e.risk_score, octet_length(b.payload)::bigint
         FROM (SELECT seq, created_at, risk_score FROM countersign.log_entries
               WHERE seq >= $1 AND seq < $2 ORDER BY seq {order} LIMIT $3) e
         LEFT JOIN countersign.event_bodies b ON b.seq = e.seq AND b.seq >= $1 AND b.seq < $2
         ORDER BY e.seq {order}"
    )
}

/// The payloads at these positions, without those that were erased.
pub(super) async fn payloads(session: &Session, seqs: Vec<i64>) -> Result<BTreeMap<u64, String>> {
    let sql = "SELECT seq, payload FROM countersign.event_bodies WHERE seq = ANY($1)";
    let rows = session.rows(sql, values![seqs]).await?;
    rows.iter().map(|row| Ok((row.number(0)?, row.column(1)?))).collect()
}
