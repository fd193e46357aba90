//! Reading all events of a database file, in order.

use std::path::Path;

use rusqlite::{Connection, types::ValueRef};

use super::bytes;
use crate::{
    check::LoggedBody,
    error::Result,
    sqlite::{readers::open_read_only, schema},
};

/// Events read in one statement: few enough that a live store's write-ahead log isn't held for long.
const EVENTS_PER_READ: u64 = 2_000;

/// An event with everything that is stored beside it.
#[derive(Clone, Copy)]
pub(crate) struct LoggedEvent<'a> {
    pub(crate) seq: u64,
    pub(crate) header: &'a [u8],
    pub(crate) leaf: &'a [u8],
    pub(crate) body: Option<LoggedBody<'a>>,
    /// The report's content, if the event made a report.
    pub(crate) report: Option<&'a [u8]>,
}

type EachEvent<'a> = dyn FnMut(LoggedEvent<'_>) -> Result<()> + 'a;

/// Calls `each` with every event before `size`, in order.
pub(super) fn walk(conn: &Connection, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
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

/// The same for a file that another process may be writing to.
pub(crate) fn for_each_event(path: &Path, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
    let conn = open_read_only(path)?;
    schema::check_current(&conn)?;
    walk(&conn, size, each)
}
