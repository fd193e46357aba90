//! The payloads of events. They are flat, keep the field names of the public API, and are only ever extended: a new
//! field must stay optional for ever.

use serde::{Deserialize, Serialize};

use crate::{
    AlertId, DeadLetterId, EventId, InvestigationId, KeyId, LogId, ReportId, RiskStatus, Role, Score, Severity,
    StoredAudit, Time, TransactionId, UserId,
    revision::{Revision, RevisionPlan},
    severity::capitals,
    validation::Strength,
};

macro_rules! payloads {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type),* })*
    };
}

macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident),* $(,)? })*) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(rename_all = "snake_case")]
        pub enum $name { $($variant),* })*
    };
}

words! {
    ReportType { Internal, Compliance, Full }
    /// How serious an issue or a regulatory impact is.
    Level { Low, Medium, High }
    IssueType { Completeness, Consistency, MissingSection, WeakJustification, Anomaly }
    Decision { Approve, SendBack, Dispose }
    /// How a disposed investigation was classified.
    Disposition { ConfirmedFraud, FalsePositive, Other }
    /// Why a request got no complete answer.
    AnswerEnd { Failed, Refused, Cancelled, Interrupted }
    KeyChange { Created, Revoked }
    DeadLetterChange { ReplayRequested, Replayed, Released }
    Denial { NoKey, WrongKey, ExpiredKey, RevokedKey, Role, Origin, Host, Csrf }
}

impl ReportType {
    pub const ALL: [Self; 3] = [Self::Internal, Self::Compliance, Self::Full];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Compliance => "compliance",
            Self::Full => "full",
        }
    }

    /// The report that is written automatically for an alert of this severity. Low severity gets none.
    pub const fn of(severity: Severity) -> Option<Self> {
        match severity {
            Severity::Low => None,
            Severity::Medium => Some(Self::Internal),
            Severity::High => Some(Self::Compliance),
            Severity::Critical => Some(Self::Full),
        }
    }
}

impl Level {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The regulatory impact of a report whose request did not state one.
    pub const fn of_impact(severity: Severity) -> Self {
        match severity {
            Severity::Low | Severity::Medium => Self::Low,
            Severity::High => Self::Medium,
            Severity::Critical => Self::High,
        }
    }
}

impl AnswerEnd {
    /// The status that a log without an answer shows in place of a risk status.
    pub const fn status(self) -> &'static str {
        match self {
            Self::Failed => "Failed",
            Self::Refused => "Refused",
            Self::Cancelled => "Cancelled",
            Self::Interrupted => "Interrupted",
        }
    }
}

payloads! {
    InvestigationCreated {
        investigation_id: InvestigationId,
        alert_id: AlertId,
        user_id: UserId,
        severity: Severity,
        risk_score: Score,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transaction_id: Option<TransactionId>,
        created_at: Time,
    }

    InvestigationAssigned {
        investigation_id: InvestigationId,
        /// `None` if the investigation was unassigned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assigned_to: Option<String>,
        assigned_by: String,
        assigned_at: Time,
    }

    ReportRequested {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transaction_id: Option<TransactionId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraud_detection_id: Option<AlertId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        investigation_id: Option<InvestigationId>,
        report_type: ReportType,
        #[serde(with = "capitals")]
        severity: Severity,
        risk_score: Score,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        regulatory_impact: Option<Level>,
        requested_at: Time,
        /// The report to be replaced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        regeneration_of: Option<ReportId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attempt: Option<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requested_by: Option<String>,
        /// What the built-in writer should do differently.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision: Option<Revision>,
    }

    /// The content is stored once, apart from the event, which has its hash.
    ReportGenerated {
        investigation_id: InvestigationId,
        report_id: ReportId,
        report_type: ReportType,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraud_detection_id: Option<AlertId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        narrative: Option<String>,
        generated_at: Time,
        generation_time_ms: u64,
        content_hash: String,
        version: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transaction_id: Option<TransactionId>,
        #[serde(default, with = "capitals::optional", skip_serializing_if = "Option::is_none")]
        severity: Option<Severity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        risk_score: Option<Score>,
        /// The version that this one replaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        regeneration_of: Option<ReportId>,
        /// The person who requested it, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requested_by: Option<String>,
    }

    ReportFailed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraud_detection_id: Option<AlertId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        investigation_id: Option<InvestigationId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report_type: Option<ReportType>,
        reason: String,
        failed_at: Time,
    }

    /// No report was written: it would be a duplicate, or the severity is too low.
    ReportSkipped {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fraud_detection_id: Option<AlertId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report_type: Option<ReportType>,
        reason: String,
        skipped_at: Time,
    }

    ReportApproved {
        report_id: ReportId,
        investigation_id: InvestigationId,
        validation_score: Score,
        validation_notes: String,
        approved_at: Time,
        /// The report's hash, equal before and after the review: the supervisor did not edit it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content_hash: Option<String>,
        /// How well the score is justified. Missing in events from before evidence was weighed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        justification_strength: Option<Strength>,
    }

    ReportNeedsReview {
        report_id: ReportId,
        investigation_id: InvestigationId,
        validation_score: Score,
        issues: Vec<Issue>,
        feedback: String,
        requires_regeneration: bool,
        flagged_at: Time,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content_hash: Option<String>,
    }

    Issue {
        #[serde(rename = "type")]
        issue_type: IssueType,
        severity: Level,
        description: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        section: Option<String>,
    }

    SupervisorReviewRequested {
        investigation_id: InvestigationId,
        requested_by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        requested_at: Time,
    }

    SupervisorReviewCompleted {
        investigation_id: InvestigationId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report_id: Option<ReportId>,
        passed: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        validation_score: Option<Score>,
        feedback: String,
        completed_at: Time,
    }

    AnomalyFlagged {
        investigation_id: InvestigationId,
        anomaly: String,
        severity: Level,
        description: String,
        flagged_at: Time,
    }

    ReviewDecided {
        report_id: ReportId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        investigation_id: Option<InvestigationId>,
        decision: Decision,
        comment: String,
        decided_by: String,
        decided_at: Time,
        /// Set for disposals only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        disposition: Option<Disposition>,
        /// Set for reports that are sent back: what the comment leads to. Missing in older events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        revision: Option<RevisionPlan>,
    }

    /// A reviewer's own words about a report. They are not checked against the facts, and never reach a model or a webhook.
    ReportAddendumAdded {
        addendum_id: EventId,
        report_id: ReportId,
        investigation_id: InvestigationId,
        text: String,
        /// SHA-256 of the text, in hex.
        text_sha256: String,
        /// The id of the key, or `local`.
        added_by: String,
        /// The key's name at that time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        added_by_name: Option<String>,
        role: Role,
        added_at: Time,
        /// The version of the report that it was added to, and the hash of that version's content.
        version: u32,
        content_hash: String,
    }

    /// Recorded before a stream sends its first byte.
    AnswerRequested {
        log_id: LogId,
        query: String,
        route: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        requested_at: Time,
    }

    /// Recorded before an answer is released.
    AnswerRecorded {
        log_id: LogId,
        query: String,
        response: String,
        worker: Worker,
        recorded_at: Time,
        /// The built-in inspectors' findings. The model's audit follows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        audit: Option<StoredAudit>,
    }

    /// The model that answered, with the tokens and the time that it took.
    #[derive(utoipa::ToSchema)]
    Worker {
        provider: String,
        model: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens_used: Option<u64>,
        latency_ms: u64,
    }

    AnswerFailed {
        log_id: LogId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        /// The text that had been released before the answer broke off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        partial_response: Option<String>,
        end: AnswerEnd,
        detail: String,
        failed_at: Time,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    }

    AuditLogCreated {
        log_id: LogId,
        query: String,
        response: String,
        audit: StoredAudit,
        status: RiskStatus,
        created_at: Time,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<Worker>,
    }

    /// One attempt to call a model. It holds no text: that is in the answer's own events.
    ModelCalled {
        purpose: String,
        provider: String,
        model: String,
        attempt: u8,
        outcome: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_tokens: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output_tokens: Option<u64>,
        /// Decimal text, in US dollars.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost_usd: Option<String>,
        latency_ms: u64,
    }

    AgentStarted {
        agent: String,
        version: String,
        started_at: Time,
    }

    AgentStopped {
        agent: String,
        reason: String,
        stopped_at: Time,
    }

    EventDeadLettered {
        dead_letter_id: DeadLetterId,
        agent: String,
        event_id: EventId,
        event_type: String,
        seq: u64,
        attempts: u32,
        error: String,
        dead_lettered_at: Time,
    }

    /// A change of a dead letter's state. The newest such event gives the current state.
    DeadLetterChanged {
        dead_letter_id: DeadLetterId,
        change: DeadLetterChange,
        /// The person who asked for it, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requested_by: Option<String>,
        changed_at: Time,
    }

    /// Refusals are counted per caller, reason and route, and written at most every ten seconds, so that a flood of refusals
    /// does not become a flood of events. If there are too many combinations, method and route are `*` and no caller is named.
    AccessDenied {
        reason: Denial,
        method: String,
        route: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key_id: Option<KeyId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
        /// Refusals since the last event with this caller, reason and route.
        count: u64,
        denied_at: Time,
    }

    KeyChanged {
        key_id: KeyId,
        change: KeyChange,
        role: Role,
        name: String,
        /// SHA-256 of the secret, in hex, so that a key inserted into the table by hand does not pass verification.
        secret_sha256: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<Time>,
        changed_by: String,
        changed_at: Time,
    }

    PayloadErased {
        /// Positions of the events whose bodies were erased.
        seqs: Vec<u64>,
        reason: String,
        requested_by: String,
        erased_at: Time,
    }

    RulesLoaded {
        rules_hash: String,
        rules: Vec<String>,
        loaded_at: Time,
    }

    /// A witness cosigned a checkpoint of this log. Recorded from time to time, not for every checkpoint.
    CheckpointWitnessed {
        /// The name of the witness's key.
        witness: String,
        /// How many events the checkpoint covers.
        size: u64,
        /// The cosignature line of the signed note.
        cosignature: String,
        /// By the witness's clock.
        cosigned_at: Time,
    }
}
