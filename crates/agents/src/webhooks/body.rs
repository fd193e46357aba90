//! The body of a notice: what happened, our ids, and how severe it is. Receivers get everything else from the API, which
//! checks what they may read. A notice never contains queries, answers, reports, reasons or people's names; customers' ids are
//! masked. It doesn't contain a report's type or a case's outcome either, because these could reveal a regulatory filing.

use countersign_domain::{CorrelationId, Event, EventId, EventType, StoredEvent, Time, UserId, event::UnreadableEvent};
use countersign_report::{mask_id, mask_reference};
use serde::Serialize;
use serde_json::{Value, json};

/// The types of event that targets can subscribe to.
pub(super) const EVENTS: &[EventType] = &[
    EventType::FraudAlertCreated,
    EventType::InvestigationCreated,
    EventType::InvestigationAssigned,
    EventType::ReportGenerated,
    EventType::ReportFailed,
    EventType::ReportApproved,
    EventType::ReportNeedsReview,
    EventType::SupervisorReviewCompleted,
    EventType::AnomalyFlagged,
    EventType::ReviewDecided,
    EventType::AuditLogCreated,
    EventType::EventDeadLettered,
];

#[derive(Serialize)]
struct Body<'a> {
    id: EventId,
    #[serde(rename = "type")]
    event_type: &'a str,
    occurred_at: Time,
    correlation_id: CorrelationId,
    seq: u64,
    data: Value,
}

/// The body as JSON. `None` for events that lead to no notice.
pub(super) fn of(event: &StoredEvent, own_name: &str) -> Result<Option<Vec<u8>>, String> {
    let happened = match event.event() {
        Ok(happened) => happened,
        // The event was erased, so there is no notice.
        Err(UnreadableEvent::Erased { .. }) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    // A notice about a failed delivery could fail too, and so cause an endless series of notices.
    if matches!(&happened, Event::EventDeadLettered(letter) if letter.agent == own_name) {
        return Ok(None);
    }
    let Some(data) = summary(&happened) else { return Ok(None) };
    let body = Body {
        id: event.event_id,
        event_type: &event.event_type,
        occurred_at: event.occurred_at,
        correlation_id: event.correlation_id,
        seq: event.seq,
        data,
    };
    serde_json::to_vec(&body).map(Some).map_err(|error| error.to_string())
}

fn summary(event: &Event) -> Option<Value> {
    Some(match event {
        Event::FraudAlertCreated(alert) => json!({
            "alert_id": mask_alert_id(alert.alert_id.as_str(), &alert.user_id),
            "user_id": mask_id(alert.user_id.as_str()),
            "severity": alert.severity,
            "score": alert.score,
        }),
        Event::InvestigationCreated(opened) => json!({
            "investigation_id": opened.investigation_id,
            "alert_id": mask_alert_id(opened.alert_id.as_str(), &opened.user_id),
            "user_id": mask_id(opened.user_id.as_str()),
            "severity": opened.severity,
            "score": opened.risk_score,
        }),
        Event::InvestigationAssigned(assigned) => json!({
            "investigation_id": assigned.investigation_id,
            "assigned": assigned.assigned_to.is_some(),
        }),
        Event::ReportGenerated(report) => json!({
            "report_id": truncated(report.report_id.as_str()),
            "investigation_id": report.investigation_id,
            "version": report.version,
            "severity": report.severity,
            "score": report.risk_score,
        }),
        Event::ReportFailed(failed) => json!({ "investigation_id": failed.investigation_id }),
        Event::ReportApproved(approved) => json!({
            "report_id": truncated(approved.report_id.as_str()),
            "investigation_id": approved.investigation_id,
            "validation_score": approved.validation_score,
        }),
        Event::ReportNeedsReview(flagged) => json!({
            "report_id": truncated(flagged.report_id.as_str()),
            "investigation_id": flagged.investigation_id,
            "validation_score": flagged.validation_score,
            "issues": flagged.issues.len(),
            "requires_regeneration": flagged.requires_regeneration,
        }),
        Event::SupervisorReviewCompleted(review) => json!({
            "report_id": review.report_id.as_ref().map(|id| truncated(id.as_str())),
            "investigation_id": review.investigation_id,
            "passed": review.passed,
            "validation_score": review.validation_score,
        }),
        Event::AnomalyFlagged(flagged) => json!({
            "investigation_id": flagged.investigation_id,
            "anomaly": code(&flagged.anomaly),
            "severity": flagged.severity,
        }),
        Event::ReviewDecided(decided) => json!({
            "report_id": truncated(decided.report_id.as_str()),
            "investigation_id": decided.investigation_id,
            "decision": decided.decision,
        }),
        Event::AuditLogCreated(log) => json!({
            "log_id": log.log_id,
            "status": log.status,
            "risk_score": log.audit.risk_score(),
        }),
        Event::EventDeadLettered(letter) => json!({
            "dead_letter_id": letter.dead_letter_id,
            "agent": code(&letter.agent),
            "event_id": letter.event_id,
            "event_type": truncated(&letter.event_type),
            "seq": letter.seq,
            "attempts": letter.attempts,
        }),
        _ => return None,
    })
}

/// Masks an alert's id. The sender may have built it from the customer's id or from an e-mail address.
fn mask_alert_id(id: &str, user: &UserId) -> String {
    // Shorter ids reveal nothing inside another id, and masking them would destroy that id.
    const CHARS_MIN: usize = 5;
    let user = user.as_str();
    let id = if user.chars().count() < CHARS_MIN { id.to_owned() } else { id.replace(user, &mask_id(user)) };
    mask_reference(&id)
}

/// Bounds a text. Our own ids are UUIDs, but stored events may hold other texts in their place.
fn truncated(id: &str) -> String {
    id.chars().take(128).collect()
}

/// A code from our own vocabulary. `None` for any other text, which may quote somebody.
fn code(word: &str) -> Option<&str> {
    let is_code = word.len() <= 64 && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    is_code.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "019ce6a1-0000-7000-8000-000000000001";
    const AT: &str = "2026-03-01T09:30:00Z";

    /// Checks the data of an event's notice. In the payloads, private values contain `hunter2`.
    fn check(event_type: EventType, payload: Value, expected: Value) {
        let event = Event::from_payload(event_type, &payload.to_string()).unwrap();
        assert_eq!(event.event_type(), event_type);
        let data = summary(&event).unwrap();
        assert_eq!(data, expected, "{event_type:?}");
        assert!(payload.to_string().contains("hunter2") && !data.to_string().contains("hunter2"), "{data}");
    }

    #[test]
    fn notices_of_all_events_leave_out_private_values() {
        let report = "r-1";
        check(
            EventType::FraudAlertCreated,
            json!({"alert_id": "fraud-hunter2-1", "user_id": "hunter2", "severity": "high", "score": 75,
                   "metadata": {"transaction_id": "tx-hunter2", "signals": {"a": "hunter2"}, "memo": "hunter2"}}),
            json!({"alert_id": "fraud-***ter2-1", "user_id": "***ter2", "severity": "high", "score": 75}),
        );
        check(
            EventType::InvestigationCreated,
            json!({"investigation_id": UUID, "alert_id": "hunter2", "user_id": "hunter2", "severity": "critical",
                   "risk_score": 93, "transaction_id": "hunter2", "created_at": AT}),
            json!({"investigation_id": UUID, "alert_id": "***ter2", "user_id": "***ter2", "severity": "critical",
                   "score": 93}),
        );
        check(
            EventType::InvestigationAssigned,
            json!({"investigation_id": UUID, "assigned_to": "hunter2", "assigned_by": "hunter2", "assigned_at": AT}),
            json!({"investigation_id": UUID, "assigned": true}),
        );
        check(
            EventType::ReportGenerated,
            json!({"investigation_id": UUID, "report_id": report, "report_type": "compliance",
                   "fraud_detection_id": "hunter2", "narrative": "hunter2", "generated_at": AT, "generation_time_ms": 1,
                   "content_hash": "hunter2", "version": 2, "transaction_id": "hunter2", "severity": "HIGH",
                   "risk_score": 75, "requested_by": "hunter2"}),
            json!({"report_id": report, "investigation_id": UUID, "version": 2, "severity": "high", "score": 75}),
        );
        check(
            EventType::ReportFailed,
            json!({"investigation_id": UUID, "fraud_detection_id": "hunter2", "report_type": "full",
                   "reason": "hunter2", "failed_at": AT}),
            json!({"investigation_id": UUID}),
        );
        check(
            EventType::ReportApproved,
            json!({"report_id": report, "investigation_id": UUID, "validation_score": 95,
                   "validation_notes": "hunter2", "approved_at": AT}),
            json!({"report_id": report, "investigation_id": UUID, "validation_score": 95}),
        );
        check(
            EventType::ReportNeedsReview,
            json!({"report_id": report, "investigation_id": UUID, "validation_score": 40, "feedback": "hunter2",
                   "issues": [{"type": "anomaly", "severity": "low", "description": "hunter2"}],
                   "requires_regeneration": true, "flagged_at": AT}),
            json!({"report_id": report, "investigation_id": UUID, "validation_score": 40, "issues": 1,
                   "requires_regeneration": true}),
        );
        check(
            EventType::SupervisorReviewCompleted,
            json!({"investigation_id": UUID, "passed": false, "feedback": "hunter2", "completed_at": AT}),
            json!({"report_id": null, "investigation_id": UUID, "passed": false, "validation_score": null}),
        );
        check(
            EventType::AnomalyFlagged,
            json!({"investigation_id": UUID, "anomaly": "alert_burst", "severity": "medium",
                   "description": "hunter2", "flagged_at": AT}),
            json!({"investigation_id": UUID, "anomaly": "alert_burst", "severity": "medium"}),
        );
        check(
            EventType::ReviewDecided,
            json!({"report_id": report, "investigation_id": UUID, "decision": "dispose", "comment": "hunter2",
                   "decided_by": "hunter2", "decided_at": AT, "disposition": "confirmed_fraud"}),
            json!({"report_id": report, "investigation_id": UUID, "decision": "dispose"}),
        );
        check(
            EventType::AuditLogCreated,
            json!({"log_id": UUID, "query": "hunter2", "response": "hunter2", "status": "Flagged", "created_at": AT,
                   "audit": {"risk_score": 9, "reason": "hunter2"}}),
            json!({"log_id": UUID, "status": "Flagged", "risk_score": 9}),
        );
        check(
            EventType::EventDeadLettered,
            json!({"dead_letter_id": UUID, "agent": "reporter", "event_id": UUID, "event_type": "REPORT_REQUESTED",
                   "seq": 7, "attempts": 5, "error": "hunter2", "dead_lettered_at": AT}),
            json!({"dead_letter_id": UUID, "agent": "reporter", "event_id": UUID, "event_type": "REPORT_REQUESTED",
                   "seq": 7, "attempts": 5}),
        );
    }

    #[test]
    fn addenda_lead_to_no_notice() {
        assert!(!EVENTS.contains(&EventType::ReportAddendumAdded));
        let payload = json!({"addendum_id": UUID, "report_id": "r-1", "investigation_id": UUID, "text": "hunter2",
                             "text_sha256": "00", "added_by": "hunter2", "role": "reviewer", "added_at": AT,
                             "version": 1, "content_hash": "00"});
        let event = Event::from_payload(EventType::ReportAddendumAdded, &payload.to_string()).unwrap();
        assert_eq!(summary(&event), None);
    }

    #[test]
    fn texts_in_place_of_our_codes_and_ids_are_left_out_or_cut() {
        assert_eq!(code("score_far_from_history"), Some("score_far_from_history"));
        for text in ["The customer hunter2", "Hunter", "a\u{202e}b", "a-b", &"a".repeat(65)] {
            assert_eq!(code(text), None, "{text}");
        }
        assert_eq!(truncated(&"é".repeat(10_000)).chars().count(), 128);
    }

    #[test]
    fn a_customers_id_that_is_too_short_is_not_masked_inside_other_ids() {
        let check = |id, user: &str, expected| assert_eq!(mask_alert_id(id, &user.parse().unwrap()), expected);
        check("fraud-1231", "1", "fraud-1231");
        check("fraud-12312", "12312", "fraud-***2312");
        check("12312-12312", "12312", "***2312-***2312");
    }
}
