//! Reads what an erasure must keep. What that is, is decided in `derive/erasure.rs`.

use rusqlite::Connection;

use super::{cases, event_tables::read_row, reads};
use crate::{
    derive::{cases::case_event, erasure::ErasureRecord, event_row::EventTable},
    error::Result,
};

/// What the erasure of these events will keep.
pub(crate) fn record(conn: &Connection, seqs: &[u64]) -> Result<ErasureRecord> {
    let mut record = ErasureRecord::default();
    for seq in seqs {
        for table in EventTable::ALL {
            let mut kept = Ok(());
            read_row(conn, table, *seq, &mut |values| kept = record.keep_row(table, *seq, values))?;
            kept?;
        }
        let stored = reads::payload(conn, *seq)?;
        if let Some(event) = stored.and_then(|stored| case_event(&stored.event_type, &stored.payload)) {
            record.keep_event(*seq, &event, |report| cases::investigation_of_report(conn, report))?;
        }
    }
    Ok(record)
}
