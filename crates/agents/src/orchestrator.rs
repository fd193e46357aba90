//! The orchestrator: opens investigations, and requests new versions of reports that failed the report check or that
//! a reviewer sent back.
//!
//! | event                 | what follows                                                                           |
//! |-----------------------|----------------------------------------------------------------------------------------|
//! | `FRAUD_ALERT_CREATED` | an investigation, for medium severity and above                                        |
//! | `REPORT_NEEDS_REVIEW` | a new version is requested with the feedback, up to version 3; later ones only by      |
//! |                       | reviewers                                                                              |
//! | `REVIEW_DECIDED`      | if sent back, a new version is requested with the reviewer's comment, unless the       |
//! |                       | decision's plan shows that the comment changes nothing                                 |

use std::sync::Arc;

use countersign_domain::{
    Alert, Event, EventType, InvestigationId, ReportId, StoredEvent,
    event::UnreadableEvent,
    payload::{Decision, InvestigationCreated, ReportNeedsReview, ReportRequested, ReviewDecided},
};
use countersign_report::validate::REGENERATIONS_MAX;
use countersign_store::{Store, StoreError};

use crate::runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch};

pub struct Orchestrator {
    store: Store,
}

impl Orchestrator {
    pub fn new(store: Store) -> Arc<Self> {
        Arc::new(Self { store })
    }

    async fn handle(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        match event.event() {
            Ok(Event::FraudAlertCreated(alert)) => Ok(open_investigation(event, alert)),
            Ok(Event::ReportNeedsReview(verdict)) => self.request_regeneration(verdict).await,
            Ok(Event::ReviewDecided(review)) => self.request_revision(review).await,
            // The event was erased, so there is nothing to do.
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => Ok(Vec::new()),
            Err(error) => Err(AgentError::Permanent(error.to_string())),
        }
    }

    async fn request_regeneration(&self, verdict: ReportNeedsReview) -> Result<Vec<AgentDecision>, AgentError> {
        if !verdict.requires_regeneration {
            return Ok(Vec::new());
        }
        let request = self.next_version(&verdict.report_id, verdict.feedback).await?;
        // `attempt` is the version to replace, so versions that a reviewer requested use up the automatic ones. Reviewers' own
        // requests are not limited.
        let is_allowed =
            |request: &ReportRequested| request.attempt.is_some_and(|attempt| attempt <= REGENERATIONS_MAX);
        Ok(request.filter(is_allowed).map(AgentDecision::from).into_iter().collect())
    }

    async fn request_revision(&self, review: ReviewDecided) -> Result<Vec<AgentDecision>, AgentError> {
        if review.decision != Decision::SendBack {
            return Ok(Vec::new());
        }
        // An identical new version would suggest that the comment was followed.
        if review.revision.as_ref().is_some_and(|plan| !plan.leads_to_a_version()) {
            return Ok(Vec::new());
        }
        let mut request = self.next_version(&review.report_id, review.comment).await?;
        if let (Some(request), Some(plan)) = (&mut request, review.revision) {
            request.report_type = plan.instructions.report_type.unwrap_or(request.report_type);
            request.revision = Some(plan.instructions).filter(|instructions| !instructions.is_empty());
        }
        Ok(request.map(AgentDecision::from).into_iter().collect())
    }

    /// The request for the next version of a report. `None` if the report was erased.
    async fn next_version(
        &self,
        report_id: &ReportId,
        feedback: String,
    ) -> Result<Option<ReportRequested>, StoreError> {
        let Some(report) = self.store.report(report_id).await? else { return Ok(None) };
        let (Some(severity), Some(risk_score)) = (report.severity, report.risk_score) else { return Ok(None) };
        Ok(Some(ReportRequested {
            transaction_id: report.transaction_id,
            fraud_detection_id: report.fraud_detection_id,
            investigation_id: Some(report.investigation_id),
            report_type: report.report_type,
            severity,
            risk_score,
            regulatory_impact: None,
            requested_at: self.store.seams().now(),
            regeneration_of: Some(report.id),
            feedback: Some(feedback),
            attempt: Some(u8::try_from(report.version).unwrap_or(u8::MAX)),
            requested_by: None,
            revision: None,
        }))
    }
}

fn open_investigation(event: &StoredEvent, alert: Alert) -> Vec<AgentDecision> {
    if !alert.severity.is_investigated() {
        return Vec::new();
    }
    let investigation = InvestigationCreated {
        investigation_id: InvestigationId::of_alert(&alert.alert_id),
        alert_id: alert.alert_id,
        user_id: alert.user_id,
        severity: alert.severity,
        risk_score: alert.score,
        transaction_id: alert.metadata.transaction_id,
        created_at: event.recorded_at,
    };
    vec![investigation.into()]
}

impl Agent for Orchestrator {
    fn name(&self) -> &'static str {
        "orchestrator"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::FraudAlertCreated, EventType::ReportNeedsReview, EventType::ReviewDecided]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: 8 }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.handle(event))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::to_raw_value};

    use super::*;

    fn alert(severity: &str) -> (StoredEvent, Alert) {
        let payload = json!({"alert_id": "fraud-1", "user_id": "u-1", "severity": severity, "score": 50});
        let header = json!({
            "seq": 4, "event_id": "01956b0c-2a40-7000-8000-000000000001", "event_type": "FRAUD_ALERT_CREATED",
            "occurred_at": "2026-03-01T09:30:00Z", "recorded_at": "2026-03-01T09:30:00Z", "producer": "api",
            "correlation_id": "01956b0c-2a40-7000-8000-000000000002", "causation_id": null, "schema_version": 1,
            "commitment": ""
        })
        .to_string();
        let raw = Some(to_raw_value(&payload).unwrap());
        let event = StoredEvent::from_parts(serde_json::from_str(&header).unwrap(), raw, None);
        (event, serde_json::from_value(payload).unwrap())
    }

    #[test]
    fn medium_and_above_are_investigated_and_low_is_not() {
        for (severity, expected) in [("low", 0), ("medium", 1), ("high", 1), ("critical", 1)] {
            let (event, alert) = alert(severity);
            let decisions = open_investigation(&event, alert);
            assert_eq!(decisions.len(), expected, "{severity}");
            assert!(decisions.iter().all(|decision| decision.event.event_type() == EventType::InvestigationCreated));
        }
    }
}
