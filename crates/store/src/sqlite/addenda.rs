//! Reads addenda, which people added to a report in their own words. There is no table of addenda: an investigation has few
//! events, and an index finds them.

use countersign_domain::{Event, EventType, InvestigationId, ReportId, payload::ReportAddendumAdded};
use rusqlite::Connection;

use super::{SqliteStore, reads, reports};
use crate::{error::Result, events::EventQuery, investigations::LIST_MAX};

/// Earlier versions are followed back no further than this.
const VERSIONS_MAX: usize = 256;

impl SqliteStore {
    pub(crate) async fn addenda(&self, report_id: &ReportId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
        let id = report_id.clone();
        self.read(move |conn| of_report(conn, &id)).await
    }
}

pub(super) fn of_report(conn: &Connection, id: &ReportId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
    let Some(report) = reports::find(conn, id)? else { return Ok(Vec::new()) };
    let mut ids: Vec<ReportId> = Vec::new();
    let mut to_follow = vec![report.id];
    while let Some(id) = to_follow.pop().filter(|_| ids.len() < VERSIONS_MAX) {
        let Some(entry) = reports::find(conn, &id)? else { continue };
        // An erased version doesn't say what it replaced, so earlier versions are found by type and number.
        for earlier in reports::versions(conn, &id)? {
            if earlier.version <= entry.version && !ids.contains(&earlier.id) {
                ids.push(earlier.id);
                // The report may have replaced one of another type.
                to_follow.extend(earlier.regeneration_of.filter(|id| !ids.contains(id)));
            }
        }
    }
    let all = of_investigation(conn, report.investigation_id)?;
    Ok(all.into_iter().filter(|(_, addendum)| ids.contains(&addendum.report_id)).collect())
}

fn of_investigation(conn: &Connection, id: InvestigationId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
    let types = vec![EventType::ReportAddendumAdded];
    let query = EventQuery { from_seq: 0, types, correlation_id: Some(id.into()), limit: LIST_MAX };
    let events = reads::events(conn, &query)?;
    let read = events.iter().filter_map(|stored| match stored.event() {
        Ok(Event::ReportAddendumAdded(addendum)) => Some((stored.seq, addendum)),
        _ => None,
    });
    Ok(read.collect())
}
