//! Reads all events of a database, in order.

use rusqlite::{Connection, types::ValueRef};

use super::bytes;
use crate::{
    check::{EachEvent, LoggedBody, LoggedEvent},
    error::Result,
};

/// The number of events that are read in one statement: few enough that a live store's write-ahead log isn't held for long.
const EVENTS_PER_READ: u64 = 2_000;

/// Calls `each` with every event before `size`, in order.
pub(in crate::sqlite) fn walk(conn: &Connection, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
    let mut statement = conn.prepare(
        "SELECT l.seq, l.header, l.leaf_hash, b.salt, b.payload, b.metadata, r.content FROM event_log l
         LEFT JOIN event_bodies b ON b.seq = l.seq LEFT JOIN report_bodies r ON r.seq = l.seq
         WHERE l.seq >= ?1 AND l.seq < ?2 ORDER BY l.seq LIMIT ?3",
    )?;
    let mut next = Some(0);
    while let Some(start) = next.take() {
        let mut rows = statement.query([start, size, EVENTS_PER_READ])?;
        while let Some(row) = rows.next()? {
            let seq: u64 = row.get(0)?;
            let payload = row.get_ref(4)?;
            let (salt, metadata) = (bytes(row.get_ref(3)?), bytes(row.get_ref(5)?));
            let body = (payload != ValueRef::Null).then(|| LoggedBody { salt, payload: bytes(payload), metadata });
            let content = row.get_ref(6)?;
            let report = (content != ValueRef::Null).then(|| bytes(content));
            each(LoggedEvent { seq, header: bytes(row.get_ref(1)?), leaf: bytes(row.get_ref(2)?), body, report })?;
            next = Some(seq + 1);
        }
    }
    Ok(())
}
