//! Live messages carry the row that lists show for an event, so that a page can insert it without another request.

use countersign_domain::{Event, EventType, InvestigationId, StoredEvent};
use countersign_store::{Store, StoreError};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{alerts, investigations, logs, reports, reviews::ReviewRow};
use crate::live::RowFuture;

/// `None` if no list has a row for the event, or if the row no longer exists.
pub(crate) fn row<'a>(store: &'a Store, event: &'a StoredEvent) -> RowFuture<'a> {
    Box::pin(row_of(store, event))
}

async fn row_of(store: &Store, event: &StoredEvent) -> Result<Option<Box<RawValue>>, StoreError> {
    // The row of an audit log is cut from its payload, which need not be parsed as a whole.
    if event.event_type == EventType::AuditLogCreated.as_str() {
        return Ok(log_row(event));
    }
    let Ok(parsed) = event.event() else { return Ok(None) };
    match parsed {
        Event::FraudAlertCreated(alert) => match store.alert(&alert.alert_id).await? {
            Some(entry) => Ok(alerts::row(&entry)?),
            None => Ok(None),
        },
        Event::InvestigationCreated(event) => of_investigation(store, event.investigation_id).await,
        Event::InvestigationAssigned(event) => of_investigation(store, event.investigation_id).await,
        Event::SupervisorReviewRequested(event) => of_investigation(store, event.investigation_id).await,
        Event::SupervisorReviewCompleted(event) => of_investigation(store, event.investigation_id).await,
        Event::ReportAddendumAdded(event) => of_investigation(store, event.investigation_id).await,
        Event::AnomalyFlagged(event) => of_investigation(store, event.investigation_id).await,
        Event::ReportGenerated(report) => {
            let entry = store.report(&report.report_id).await?;
            to_json(reports::report_rows(store, entry.into_iter().collect()).await?.pop())
        }
        Event::ReportApproved(verdict) => reports::evidence::verdict_at(store, &verdict.report_id, event.seq).await,
        Event::ReportNeedsReview(verdict) => reports::evidence::verdict_at(store, &verdict.report_id, event.seq).await,
        Event::ReviewDecided(_) => to_json(ReviewRow::without_name(event)),
        _ => Ok(None),
    }
}

fn log_row(event: &StoredEvent) -> Option<Box<RawValue>> {
    let place = Some((event.seq, event.event_id.to_string()));
    event.payload.as_deref().and_then(|payload| logs::row(payload, place).ok())
}

async fn of_investigation(store: &Store, id: InvestigationId) -> Result<Option<Box<RawValue>>, StoreError> {
    to_json(store.investigation(id).await?.as_ref().and_then(investigations::row))
}

fn to_json(row: Option<impl Serialize>) -> Result<Option<Box<RawValue>>, StoreError> {
    Ok(row.map(|row| to_raw_value(&row)).transpose()?)
}
