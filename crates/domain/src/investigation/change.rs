//! What each event changes about an investigation.

use serde::{Deserialize, Serialize};

use crate::{Event, InvestigationId, ReportId, Severity, payload::Decision, validation::Strength};

/// What an event changes about an investigation. Only `Assigned` names a person, so the other changes may be kept when the
/// event's body is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    Alerted {
        severity: Severity,
    },
    Opened {
        severity: Severity,
    },
    Reported {
        report_id: ReportId,
        severity: Option<Severity>,
        /// The earlier version of this report.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaces: Option<ReportId>,
    },
    /// The supervisor approved the report.
    Passed {
        report_id: ReportId,
        /// How well the score is justified. Missing in verdicts from before evidence was weighed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        strength: Option<Strength>,
    },
    /// The supervisor did not approve the report. `is_rewritten` if a new version was requested.
    Doubted {
        report_id: ReportId,
        is_rewritten: bool,
    },
    ReviewRequested,
    Decided {
        report_id: ReportId,
        decision: Decision,
        /// Whether the comment leads to no new version, so that a person still has to decide.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_version: bool,
    },
    Assigned {
        to: Option<String>,
    },
}

/// How an event refers to its investigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseRef<'a> {
    Investigation(InvestigationId),
    /// The investigation that this report belongs to.
    ReportOf(&'a ReportId),
}

impl Change {
    /// Whether this change creates a case that doesn't exist yet. Agents work in parallel, so any of these may come first.
    /// Verdicts on an unknown investigation and its assignments are ignored.
    pub const fn begins(&self) -> bool {
        matches!(self, Self::Alerted { .. } | Self::Opened { .. } | Self::Reported { .. })
    }

    /// The part that may be kept when the event's body is erased.
    pub fn without_names(self) -> Self {
        if let Self::Assigned { .. } = self { Self::Assigned { to: None } } else { self }
    }
}

/// What an event changes, and about which investigation. `None` for events that don't affect the state of one.
pub fn change_of(event: &Event) -> Option<(CaseRef<'_>, Change)> {
    let of = CaseRef::Investigation;
    match event {
        Event::FraudAlertCreated(alert) if alert.severity.is_investigated() => {
            let severity = alert.severity;
            Some((of(InvestigationId::of_alert(&alert.alert_id)), Change::Alerted { severity }))
        }
        Event::InvestigationCreated(new) => Some((of(new.investigation_id), Change::Opened { severity: new.severity })),
        Event::ReportGenerated(report) => {
            let change = Change::Reported {
                report_id: report.report_id.clone(),
                severity: report.severity,
                replaces: report.regeneration_of.clone(),
            };
            Some((of(report.investigation_id), change))
        }
        Event::ReportApproved(verdict) => {
            let (report_id, strength) = (verdict.report_id.clone(), verdict.justification_strength);
            Some((of(verdict.investigation_id), Change::Passed { report_id, strength }))
        }
        Event::ReportNeedsReview(verdict) => {
            let (report_id, is_rewritten) = (verdict.report_id.clone(), verdict.requires_regeneration);
            Some((of(verdict.investigation_id), Change::Doubted { report_id, is_rewritten }))
        }
        Event::SupervisorReviewRequested(request) => Some((of(request.investigation_id), Change::ReviewRequested)),
        Event::ReviewDecided(review) => {
            let is_sent_back = review.decision == Decision::SendBack;
            let leads_nowhere = review.revision.as_ref().is_some_and(|plan| !plan.leads_to_a_version());
            let change = Change::Decided {
                report_id: review.report_id.clone(),
                decision: review.decision,
                without_version: is_sent_back && leads_nowhere,
            };
            Some((review.investigation_id.map_or(CaseRef::ReportOf(&review.report_id), of), change))
        }
        Event::InvestigationAssigned(assignment) => {
            Some((of(assignment.investigation_id), Change::Assigned { to: assignment.assigned_to.clone() }))
        }
        _ => None,
    }
}
