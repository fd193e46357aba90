//! The orchestrator: opens an investigation for every alert of medium severity and above.

use countersign_domain::{
    Event, EventType, InvestigationId, StoredEvent, event::UnreadableEvent, payload::InvestigationCreated,
};

use crate::agent::{Agent, AgentError, Deciding, Work};

pub struct Orchestrator;

impl Agent for Orchestrator {
    fn name(&self) -> &'static str {
        "orchestrator"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::FraudAlertCreated]
    }

    fn work(&self) -> Work {
        Work::Lanes { concurrency: 8 }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> Deciding<'a> {
        Box::pin(async { decide(event) })
    }
}

fn decide(event: &StoredEvent) -> Result<Vec<Event>, AgentError> {
    let alert = match event.event() {
        Ok(Event::FraudAlertCreated(alert)) => alert,
        // Nothing is left to investigate.
        Ok(_) | Err(UnreadableEvent::Erased { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(AgentError::Permanent(error.to_string())),
    };
    if !alert.severity.is_investigated() {
        return Ok(Vec::new());
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
    Ok(vec![investigation.into()])
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::to_raw_value};

    use super::*;

    fn alert(severity: &str) -> StoredEvent {
        let payload = json!({"alert_id": "fraud-1", "user_id": "u-1", "severity": severity, "score": 50});
        let header = json!({
            "seq": 4, "event_id": "01956b0c-2a40-7000-8000-000000000001", "event_type": "FRAUD_ALERT_CREATED",
            "occurred_at": "2026-03-01T09:30:00Z", "recorded_at": "2026-03-01T09:30:00Z", "producer": "api",
            "correlation_id": "01956b0c-2a40-7000-8000-000000000002", "causation_id": null, "schema_version": 1,
            "commitment": ""
        })
        .to_string();
        StoredEvent::from_parts(serde_json::from_str(&header).unwrap(), Some(to_raw_value(&payload).unwrap()), None)
    }

    #[test]
    fn medium_and_above_are_investigated_and_low_is_not() {
        for (severity, opened) in [("low", 0), ("medium", 1), ("high", 1), ("critical", 1)] {
            let events = decide(&alert(severity)).unwrap();
            assert_eq!(events.len(), opened, "{severity}");
            assert!(events.iter().all(|event| event.event_type() == EventType::InvestigationCreated));
        }
    }

    #[test]
    fn an_erased_alert_is_passed_over() {
        let mut event = alert("high");
        event.payload = None;
        assert_eq!(decide(&event), Ok(Vec::new()));
    }
}
