//! Determines which report an event asks for: its alert, its type and its next version.

use countersign_domain::{
    AlertId, Event, ReportId, StoredEvent, TransactionId,
    event::UnreadableEvent,
    payload::{ReportFailed, ReportRequested, ReportSkipped, ReportType},
    revision::Revision,
};
use countersign_store::{AlertQuery, ReportEntry, StoreError};

use super::{NoReport, Reporter};
use crate::casefile::CaseFile;

/// The maximum number of a customer's alerts that are searched for the one about a transaction.
const ALERTS_MAX: usize = 500;

/// The report that an event asks for.
pub(super) struct ReportOrder {
    pub(super) alert: StoredEvent,
    pub(super) report_type: ReportType,
    /// `None` if the alert itself is the event.
    pub(super) request: Option<ReportRequested>,
}

/// The next version of a report.
pub(super) struct ReportVersion {
    pub(super) number: u32,
    pub(super) replaces: Option<ReportId>,
    pub(super) revision: Option<Revision>,
}

impl Reporter {
    /// The report that an event asks for. `None` if its body was erased.
    pub(super) async fn order(&self, event: &StoredEvent) -> Result<Option<ReportOrder>, NoReport> {
        match event.event() {
            Ok(Event::FraudAlertCreated(alert)) => match ReportType::of(alert.severity) {
                Some(report_type) => Ok(Some(ReportOrder { alert: event.clone(), report_type, request: None })),
                None => Err(NoReport::Skipped(ReportSkipped {
                    fraud_detection_id: Some(alert.alert_id),
                    report_type: None,
                    reason: "low severity: the alert is recorded and counts in later alerts, but gets no report".into(),
                    skipped_at: self.store.seams().now(),
                })),
            },
            Ok(Event::ReportRequested(request)) => match self.alert_of(&request).await? {
                Some(alert) => {
                    Ok(Some(ReportOrder { alert, report_type: request.report_type, request: Some(request) }))
                }
                None => Err(self.failed(&request, "there is no alert on record for this request")),
            },
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => Ok(None),
            Err(error) => Err(NoReport::Failed(ReportFailed {
                fraud_detection_id: None,
                investigation_id: None,
                report_type: None,
                reason: format!("the event can't be read: {error}"),
                failed_at: self.store.seams().now(),
            })),
        }
    }

    /// A request about an alert of low severity fails, because such alerts get no reports. The alert itself is skipped in `order`.
    pub(super) fn check_reportable(&self, order: &ReportOrder, case_file: &CaseFile) -> Result<(), NoReport> {
        match &order.request {
            Some(request) if !case_file.alert.severity.is_investigated() => {
                Err(self.failed(request, "alerts of low severity get no report"))
            }
            _ => Ok(()),
        }
    }

    /// The version to write. Skips orders for a report that exists already, or that a newer version has replaced. `current` is the
    /// newest report of this alert and type.
    pub(super) fn next_version(
        &self,
        order: &ReportOrder,
        case_file: &CaseFile,
        current: Option<ReportEntry>,
    ) -> Result<ReportVersion, NoReport> {
        let request = order.request.as_ref();
        let regenerates = request.and_then(|request| request.regeneration_of.as_ref());
        let revision = request.and_then(|request| request.revision.clone());
        // The orchestrator copies the type that a revision asks for into the request.
        let is_retyped = revision.as_ref().is_some_and(|revision| revision.report_type == Some(order.report_type));
        let number = match (&current, regenerates) {
            (None, _) => 1,
            (Some(current), Some(of)) if current.id == *of || is_retyped => current.version + 1,
            (Some(_), regenerates) => {
                let reason = match regenerates {
                    Some(_) => "a newer version has already replaced the report that this request is about",
                    None => "a report of this type exists already",
                };
                return Err(self.skipped(case_file, order.report_type, reason));
            }
        };
        // If the revision changes the type, the report replaces the one that was sent back, which has another type.
        let sent_back = regenerates.filter(|_| is_retyped).cloned();
        let replaces = sent_back.or_else(|| current.map(|report| report.id));
        Ok(ReportVersion { number, replaces, revision })
    }

    async fn alert_of(&self, request: &ReportRequested) -> Result<Option<StoredEvent>, StoreError> {
        let id = match (&request.fraud_detection_id, request.investigation_id, &request.transaction_id) {
            (Some(id), ..) => Some(id.clone()),
            (None, Some(id), _) => {
                self.store.investigation(id).await?.and_then(|entry| investigated_alert(&entry.event))
            }
            (None, None, Some(id)) => self.alert_about(id).await?,
            (None, None, None) => None,
        };
        match id {
            Some(id) => Ok(self.store.alert(&id).await?.map(|entry| entry.event)),
            None => Ok(None),
        }
    }

    /// The detector's alert about a transaction, or else one from outside.
    async fn alert_about(&self, id: &TransactionId) -> Result<Option<AlertId>, StoreError> {
        let ours = AlertId::of_transaction(id);
        if self.store.alert(&ours).await?.is_some() {
            return Ok(Some(ours));
        }
        let Some(Ok(Event::TransactionReceived(transaction))) =
            self.store.transaction(id).await?.map(|stored| stored.event())
        else {
            return Ok(None);
        };
        let user_id = Some(transaction.user_id);
        let alerts = self.store.alerts(AlertQuery { user_id, limit: ALERTS_MAX, ..AlertQuery::default() }).await?;
        Ok(alerts.iter().find_map(|entry| match entry.event.event() {
            Ok(Event::FraudAlertCreated(alert)) if alert.metadata.transaction_id.as_ref() == Some(id) => {
                Some(alert.alert_id)
            }
            _ => None,
        }))
    }

    fn skipped(&self, case_file: &CaseFile, report_type: ReportType, reason: &str) -> NoReport {
        NoReport::Skipped(ReportSkipped {
            fraud_detection_id: Some(case_file.alert.alert_id.clone()),
            report_type: Some(report_type),
            reason: reason.into(),
            skipped_at: self.store.seams().now(),
        })
    }

    fn failed(&self, request: &ReportRequested, reason: &str) -> NoReport {
        NoReport::Failed(ReportFailed {
            fraud_detection_id: request.fraud_detection_id.clone(),
            investigation_id: request.investigation_id,
            report_type: Some(request.report_type),
            reason: reason.into(),
            failed_at: self.store.seams().now(),
        })
    }
}

fn investigated_alert(event: &StoredEvent) -> Option<AlertId> {
    match event.event() {
        Ok(Event::InvestigationCreated(investigation)) => Some(investigation.alert_id),
        _ => None,
    }
}
