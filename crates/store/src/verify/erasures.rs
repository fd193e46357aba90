//! Checks and looks up what erasures keep (`derive/erasure.rs`).

use countersign_domain::Event;

use super::records::{StoredRecords, find_row};
use crate::{
    check::Check,
    derive::{
        cases::case_event,
        erasure::{ErasureRecord, KeptByPosition, KeptChange, KeptRank, change_to_keep, kept_log, kept_row},
        event_row::EventTable,
    },
    error::Result,
};

/// Compares the rows of erased events with what their erasure says. Returns the ids of the erased logs.
pub(super) fn check(records: &dyn StoredRecords, metadata: &str, check: &mut Check) -> Result<Vec<String>> {
    let record = ErasureRecord::from_metadata(metadata);
    for kept in &record.kept_logs {
        let stored = find_row(records, EventTable::LogEntries, kept.seq, |values| kept_log(kept.seq, values))?;
        if stored.is_some_and(|stored| stored.as_ref() != Some(kept)) {
            check.find(Some(kept.seq), None, "does not match its row in the table log_entries");
        }
    }
    for kept in &record.kept_rows {
        let Some(table) = EventTable::ALL.into_iter().find(|table| table.name() == kept.table) else { continue };
        let stored = find_row(records, table, kept.seq, |values| kept_row(table, kept.seq, values))?;
        if stored.is_some_and(|stored| stored != *kept) {
            check.find(Some(kept.seq), None, format!("does not match its row in the table {}", kept.table));
        }
    }
    Ok(record.kept_logs.into_iter().map(|log| log.id).collect())
}

/// How the event at a position changed its case. `None` if it can't be read or changed none.
pub(super) fn change_at(records: &dyn StoredRecords, seq: u64) -> Result<Option<KeptChange>> {
    match event_at(records, seq)? {
        Some(event) => {
            change_to_keep(seq, &event, |report| Ok(records.report(report)?.map(|report| report.investigation_id)))
        }
        None => Ok(None),
    }
}

/// The event at a position, if its type changes cases and it can be read.
pub(super) fn event_at(records: &dyn StoredRecords, seq: u64) -> Result<Option<Event>> {
    Ok(records.payload(seq)?.and_then(|stored| case_event(&stored.event_type, &stored.payload)))
}

/// Looks up what erasures have kept. The last record is cached, because consecutive erased events often share an erasure.
#[derive(Default)]
pub(super) struct Erasures {
    last: Option<(u64, KeptByPosition)>,
}

impl Erasures {
    /// The effect of an erased event on its investigation.
    pub(super) fn change_of(&mut self, records: &dyn StoredRecords, seq: u64) -> Result<Option<KeptChange>> {
        Ok(self.of(records, seq)?.and_then(|kept| kept.change_of(seq)).cloned())
    }

    /// What an erased alert is ranked by.
    pub(super) fn rank_of(&mut self, records: &dyn StoredRecords, seq: u64) -> Result<Option<KeptRank>> {
        Ok(self.of(records, seq)?.and_then(|kept| kept.rank_of(seq)))
    }

    /// Everything that the erasure of this event has kept.
    fn of(&mut self, records: &dyn StoredRecords, seq: u64) -> Result<Option<&KeptByPosition>> {
        let Some(erasure) = records.erased_by(seq)? else { return Ok(None) };
        if self.last.as_ref().is_none_or(|(last, _)| *last != erasure) {
            let metadata = records.metadata(erasure)?.unwrap_or_default();
            self.last = Some((erasure, KeptByPosition::new(ErasureRecord::from_metadata(&metadata))));
        }
        Ok(self.last.as_ref().map(|(_, kept)| kept))
    }
}
