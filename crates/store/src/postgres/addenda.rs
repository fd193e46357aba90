//! Reads addenda, which people added to a report in their own words. There is no table of addenda: an investigation has few
//! events, and an index finds them.

use countersign_domain::{Event, EventType, InvestigationId, ReportId, payload::ReportAddendumAdded};

use super::{PostgresStore, reads, reports, session::Session};
use crate::{error::Result, events::EventQuery, investigations::LIST_MAX};

/// Earlier versions are followed back no further than this.
const VERSIONS_MAX: usize = 256;

impl PostgresStore {
    pub(crate) async fn addenda(&self, report_id: &ReportId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
        let id = report_id.clone();
        self.read(move |session| async move { of_report(&session, &id).await }).await
    }
}

pub(super) async fn of_report(session: &Session, id: &ReportId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
    let Some(report) = reports::find(session, id).await? else { return Ok(Vec::new()) };
    let (ids, all) =
        tokio::try_join!(earlier_versions(session, report.id), of_investigation(session, report.investigation_id))?;
    Ok(all.into_iter().filter(|(_, addendum)| ids.contains(&addendum.report_id)).collect())
}

/// The report itself and the versions that it replaced.
async fn earlier_versions(session: &Session, id: ReportId) -> Result<Vec<ReportId>> {
    let mut ids: Vec<ReportId> = Vec::new();
    let mut to_follow = vec![id];
    while let Some(id) = to_follow.pop().filter(|_| ids.len() < VERSIONS_MAX) {
        let versions = reports::versions(session, &id).await?;
        let Some(version) = versions.iter().find(|entry| entry.id == id).map(|entry| entry.version) else { continue };
        // An erased version doesn't say what it replaced, so earlier versions are found by type and number.
        for earlier in versions {
            if earlier.version <= version && !ids.contains(&earlier.id) {
                ids.push(earlier.id);
                // The report may have replaced one of another type.
                to_follow.extend(earlier.regeneration_of.filter(|id| !ids.contains(id)));
            }
        }
    }
    Ok(ids)
}

async fn of_investigation(session: &Session, id: InvestigationId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
    let types = vec![EventType::ReportAddendumAdded];
    let query = EventQuery { from_seq: 0, types, correlation_id: Some(id.into()), limit: LIST_MAX };
    let events = reads::events(session, &query).await?;
    let read = events.iter().filter_map(|stored| match stored.event() {
        Ok(Event::ReportAddendumAdded(addendum)) => Some((stored.seq, addendum)),
        _ => None,
    });
    Ok(read.collect())
}
