//! Reads agents' progress for the check in `derive/effects.rs`.

use countersign_domain::effects::Precondition;

use super::records::StoredRecords;
use crate::{
    check::Check,
    derive::{effects::EffectsCheck, event_row::EventTable},
    error::Result,
};

/// Reads all progress. In the snapshot that `records` read from, the log ends at `end`.
pub(super) fn read(records: &dyn StoredRecords, end: u64, check: &mut Check) -> Result<EffectsCheck> {
    let mut effects = EffectsCheck::default();
    records.marks(&mut |agent, low| {
        effects.add_mark(agent, low, end, check);
        Ok(())
    })?;
    records.finished_events(&mut |agent, seq, event_type| {
        effects.add_done(agent, seq, event_type, end, check);
        Ok(())
    })?;
    Ok(effects)
}

/// Whether something that an agent looks up is stored.
pub(super) fn exists(records: &dyn StoredRecords, precondition: &Precondition<'_>) -> Result<bool> {
    match precondition {
        Precondition::Report(id) => Ok(records.report(id)?.is_some_and(|report| report.is_rated)),
        Precondition::Alert(id) => Ok(records.position_in(EventTable::Alerts, id.as_str())?.is_some()),
    }
}
