//! The events that an agent must have produced once it has finished an event. `verify` checks agents' progress with these rules.
//!
//! An agent's step commits its events together with its progress, and each of those events names the agent as its producer
//! and the handled event as its cause. So progress can be checked against the log in both directions: a finished event has
//! led to an event listed here or to a dead letter, and an event that has led to another one counts as finished. External
//! effects, such as a delivered webhook, leave no trace in the log and can't be checked.

use crate::{AlertId, Event, EventType, ReportId, payload::Decision};

/// An agent, and the events that it handles. [`expected_effect`] says what must follow from them.
#[derive(Debug, PartialEq, Eq)]
pub struct AgentEffects {
    pub agent: &'static str,
    /// The event types that it handles.
    pub subscribes_to: &'static [EventType],
}

/// The agent that adds transactions to their customers' histories, in the commit of its progress.
pub const HISTORY_AGENT: &str = "detector";

pub const AGENTS: [AgentEffects; 7] = [
    AgentEffects { agent: HISTORY_AGENT, subscribes_to: &[EventType::TransactionReceived] },
    AgentEffects {
        agent: "orchestrator",
        subscribes_to: &[EventType::FraudAlertCreated, EventType::ReportNeedsReview, EventType::ReviewDecided],
    },
    AgentEffects { agent: "reporter", subscribes_to: &[EventType::FraudAlertCreated, EventType::ReportRequested] },
    AgentEffects {
        agent: "supervisor",
        subscribes_to: &[
            EventType::ReportGenerated,
            EventType::SupervisorReviewRequested,
            EventType::InvestigationCreated,
        ],
    },
    AgentEffects { agent: "auditor", subscribes_to: &[EventType::AnswerRecorded] },
    AgentEffects { agent: "mirror", subscribes_to: &[EventType::AuditLogCreated] },
    // The configuration decides which of these it handles.
    AgentEffects {
        agent: "webhooks",
        subscribes_to: &[
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
        ],
    },
];

/// The index in [`AGENTS`] of the agent with this name.
pub fn agent_named(name: &str) -> Option<usize> {
    AGENTS.iter().position(|effects| effects.agent == name)
}

/// The events that must follow from an event.
#[derive(Debug, PartialEq, Eq)]
pub struct ExpectedEffect<'a> {
    /// At least one of these must follow.
    pub one_of: &'static [EventType],
    /// If this didn't exist, there was nothing to do.
    pub precondition: Option<Precondition<'a>>,
}

/// Something that an agent looks up before it decides. It may have been erased, or may never have existed.
#[derive(Debug, PartialEq, Eq)]
pub enum Precondition<'a> {
    /// A report with its severity and score.
    Report(&'a ReportId),
    Alert(&'a AlertId),
}

/// What must follow from an event that the agent has finished. `None` if it is fine that nothing follows.
pub fn expected_effect<'a>(effects: &AgentEffects, event: &'a Event) -> Option<ExpectedEffect<'a>> {
    const WRITTEN: &[EventType] = &[EventType::ReportGenerated, EventType::ReportSkipped, EventType::ReportFailed];
    const JUDGED: &[EventType] = &[EventType::ReportApproved, EventType::ReportNeedsReview];
    let (one_of, precondition): (&'static [EventType], _) = match (effects.agent, event) {
        ("orchestrator", Event::FraudAlertCreated(alert)) if alert.severity.is_investigated() => {
            (&[EventType::InvestigationCreated], None)
        }
        ("orchestrator", Event::ReportNeedsReview(verdict)) if verdict.requires_regeneration => {
            (&[EventType::ReportRequested], Some(Precondition::Report(&verdict.report_id)))
        }
        ("orchestrator", Event::ReviewDecided(review)) if review.decision == Decision::SendBack => {
            if review.revision.as_ref().is_some_and(|plan| !plan.leads_to_a_version()) {
                return None;
            }
            (&[EventType::ReportRequested], Some(Precondition::Report(&review.report_id)))
        }
        ("reporter", Event::FraudAlertCreated(_) | Event::ReportRequested(_)) => (WRITTEN, None),
        ("supervisor", Event::ReportGenerated(report)) => {
            (JUDGED, Some(Precondition::Alert(report.fraud_detection_id.as_ref()?)))
        }
        ("supervisor", Event::SupervisorReviewRequested(_)) => (&[EventType::SupervisorReviewCompleted], None),
        ("auditor", Event::AnswerRecorded(_)) => (&[EventType::AuditLogCreated], None),
        _ => return None,
    };
    Some(ExpectedEffect { one_of, precondition })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(agent: &str, event_type: EventType, payload: Value, expected: Option<&[EventType]>) {
        let event = Event::from_payload(event_type, &payload.to_string()).unwrap();
        let effects = &AGENTS[agent_named(agent).unwrap()];
        assert_eq!(expected_effect(effects, &event).map(|effect| effect.one_of), expected, "{agent}: {payload}");
    }

    fn alert(severity: &str) -> Value {
        json!({"alert_id": "a-1", "user_id": "u-1", "severity": severity, "score": 50})
    }

    #[test]
    fn an_alert_leads_to_an_investigation_from_medium_on_and_to_a_report_or_the_reason_why_not() {
        for (severity, expected) in [("low", None), ("medium", Some(&[EventType::InvestigationCreated][..]))] {
            check("orchestrator", EventType::FraudAlertCreated, alert(severity), expected);
            let written = [EventType::ReportGenerated, EventType::ReportSkipped, EventType::ReportFailed];
            check("reporter", EventType::FraudAlertCreated, alert(severity), Some(&written));
            check("webhooks", EventType::FraudAlertCreated, alert(severity), None);
        }
    }

    #[test]
    fn a_verdict_leads_to_a_new_request_only_if_it_asks_for_one() {
        for (again, expected) in [(true, Some(&[EventType::ReportRequested][..])), (false, None)] {
            let verdict = json!({
                "report_id": "r", "investigation_id": "01956b0c-2a40-7000-8000-000000000001", "validation_score": 55,
                "issues": [], "feedback": "", "requires_regeneration": again, "flagged_at": "2026-03-01T09:30:00Z"
            });
            check("orchestrator", EventType::ReportNeedsReview, verdict, expected);
        }
    }

    #[test]
    fn every_agent_subscribes_to_events_and_is_found_by_its_name() {
        for effects in &AGENTS {
            assert!(!effects.subscribes_to.is_empty(), "{}", effects.agent);
            assert_eq!(agent_named(effects.agent).map(|at| &AGENTS[at]), Some(effects));
        }
        assert_eq!(agent_named("api"), None);
    }
}
