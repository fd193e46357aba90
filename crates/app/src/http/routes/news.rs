//! An event as live clients are told of it: the row that the lists would show for it now, so that a page can put it in
//! place without asking again.

use countersign_domain::{Event, InvestigationId, StoredEvent};
use countersign_store::{Store, StoreError};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{alerts, investigations, reports, reviews::ReviewRow};

/// `None` where no list has a row for it, or has none any more.
pub(crate) async fn row(store: &Store, event: &StoredEvent) -> Result<Option<Box<RawValue>>, StoreError> {
    let Ok(told) = event.event() else { return Ok(None) };
    match told {
        Event::FraudAlertCreated(alert) => match store.alert(&alert.alert_id).await? {
            Some(entry) => Ok(alerts::row(&entry)?),
            None => Ok(None),
        },
        Event::InvestigationCreated(about) => of_investigation(store, about.investigation_id).await,
        Event::InvestigationAssigned(about) => of_investigation(store, about.investigation_id).await,
        Event::SupervisorReviewRequested(about) => of_investigation(store, about.investigation_id).await,
        Event::SupervisorReviewCompleted(about) => of_investigation(store, about.investigation_id).await,
        Event::ReportAddendumAdded(about) => of_investigation(store, about.investigation_id).await,
        Event::AnomalyFlagged(about) => of_investigation(store, about.investigation_id).await,
        Event::ReportGenerated(report) => {
            let entry = store.report(&report.report_id).await?;
            written(reports::rows(store, entry.into_iter().collect()).await?.pop())
        }
        Event::ReportApproved(verdict) => reports::evidence::verdict_at(store, &verdict.report_id, event.seq).await,
        Event::ReportNeedsReview(verdict) => reports::evidence::verdict_at(store, &verdict.report_id, event.seq).await,
        Event::ReviewDecided(_) => written(ReviewRow::without_name(event)),
        _ => Ok(None),
    }
}

async fn of_investigation(store: &Store, id: InvestigationId) -> Result<Option<Box<RawValue>>, StoreError> {
    written(store.investigation(id).await?.as_ref().and_then(investigations::row))
}

fn written(row: Option<impl Serialize>) -> Result<Option<Box<RawValue>>, StoreError> {
    Ok(row.map(|row| to_raw_value(&row)).transpose()?)
}
