//! The supervisor: validates reports, and watches investigations for anomalies. It never edits a report.
//!
//! Rules judge first. A model may add findings, but never removes any. The report's hash is computed from the store before and
//! after, which shows that the report did not change.
//!
//! | file           | job                                 |
//! |----------------|-------------------------------------|
//! | `mod.rs`       | validates reports                   |
//! | `anomalies.rs` | detects anomalies of investigations |

mod anomalies;

use std::sync::Arc;

use countersign_domain::{
    Event, EventType, ReportId, StoredEvent,
    event::UnreadableEvent,
    payload::{
        ReportApproved, ReportGenerated, ReportNeedsReview, SupervisorReviewCompleted, SupervisorReviewRequested,
    },
};
use countersign_llm::{Attempt, CallError, CallPolicy, Message, Models, Prompt, Purpose, Schema, Target};
use countersign_report::{
    Content, LicensedTexts, WrittenBy, supervisor_prompt, supervisor_schema,
    validate::{self, AssessmentOutcome, Limits, ReportVerdict, ValidationInput, parse_assessment},
};
use countersign_store::{ReportFile, Store, StoreError};
use serde_json::{Value, json};

use crate::{
    casefile::{RELATED_ALERTS, correlation},
    marker::marker,
    model_calls::model_calls,
    observation::{ModelCalls, Observation},
    runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch},
};

const CONCURRENCY: usize = 64;
const TEMPERATURE: f64 = 0.0;
const MAX_TOKENS: u32 = 2_048;
const RAW_REPLY_BYTES_MAX: usize = 16 * 1024;

pub struct Supervisor {
    store: Store,
    models: Models,
    judge: Option<Target>,
    calls: CallPolicy,
    limits: Limits,
    licensed: Arc<LicensedTexts>,
}

/// A checked report: the verdict with its inputs.
struct CheckedReport {
    content: Content,
    verdict: ReportVerdict,
    metadata: Value,
    /// Whether the correlation in the report still matches the store.
    correlation_agrees: bool,
    attempts: Vec<Attempt>,
}

impl CheckedReport {
    fn observation(&self, judge: Option<&Target>) -> Observation {
        Observation::ReportValidated {
            passed: self.verdict.passed,
            validation_score: self.verdict.validation_score.get(),
            correlation_agrees: self.correlation_agrees,
            model_calls: ModelCalls { target: judge.cloned(), attempts: self.attempts.clone() },
        }
    }
}

/// A model's assessment, and the record of how it was asked.
struct ModelOpinion {
    assessment: AssessmentOutcome,
    provenance: Value,
    attempts: Vec<Attempt>,
}

impl Supervisor {
    /// `licensed` is shared with the reporter of this process.
    pub fn new(
        store: Store,
        models: Models,
        judge: Option<Target>,
        calls: CallPolicy,
        limits: Limits,
        licensed: Arc<LicensedTexts>,
    ) -> Arc<Self> {
        Arc::new(Self { store, models, judge, calls, limits, licensed })
    }

    async fn handle(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        match event.event() {
            Ok(Event::ReportGenerated(report)) => self.validate(report).await,
            Ok(Event::SupervisorReviewRequested(request)) => self.check_again(request).await,
            Ok(Event::InvestigationCreated(opened)) => anomalies::detect(&self.store, event, opened).await,
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => Ok(Vec::new()),
            Err(error) => Err(AgentError::Permanent(error.to_string())),
        }
    }

    async fn validate(&self, report: ReportGenerated) -> Result<Vec<AgentDecision>, AgentError> {
        let Some(checked) = self.check_report(&report.report_id, Some(&report.content_hash)).await? else {
            // The report was erased.
            return Ok(Vec::new());
        };
        Ok(self.decisions(checked))
    }

    fn decisions(&self, checked: CheckedReport) -> Vec<AgentDecision> {
        let observation = Some(checked.observation(self.judge.as_ref()));
        let CheckedReport { content, verdict, metadata, attempts, .. } = checked;
        let mut decisions = model_calls(Purpose::Supervisor, self.judge.as_ref(), &attempts);
        let content_hash = Some(verdict.hash_before.clone());
        let (report_id, investigation_id) = (content.id, content.investigation_id);
        let verdict_event: Event = if verdict.passed {
            ReportApproved {
                report_id,
                investigation_id,
                validation_score: verdict.validation_score,
                validation_notes: verdict.feedback,
                approved_at: verdict.validated_at,
                content_hash,
                justification_strength: Some(verdict.structured_feedback.justification_strength),
            }
            .into()
        } else {
            ReportNeedsReview {
                report_id,
                investigation_id,
                validation_score: verdict.validation_score,
                issues: verdict.issues,
                feedback: verdict.feedback,
                requires_regeneration: verdict.requires_regeneration,
                flagged_at: verdict.validated_at,
                content_hash,
            }
            .into()
        };
        let metadata = [("validation".to_owned(), metadata)].into_iter().collect();
        decisions.push(AgentDecision { metadata, observation, ..verdict_event.into() });
        decisions
    }

    /// Validates a stored report. `None` if it doesn't exist or was erased. `announced` is the hash in the report's event.
    async fn check_report(
        &self,
        report_id: &ReportId,
        announced: Option<&str>,
    ) -> Result<Option<CheckedReport>, AgentError> {
        let file = self.store.report_file(report_id, RELATED_ALERTS).await?;
        let Some(ReportFile { content: json, content_hash: stored_hash, alert, related }) = file else {
            return Ok(None);
        };
        let content: Content = serde_json::from_str(json.text())
            .map_err(|error| StoreError::Corrupt(format!("the content of report {report_id}: {error}")))?;
        let before = json.hash().to_hex();
        let input = ValidationInput {
            content: &content,
            stored_hash: announced.unwrap_or(&stored_hash),
            actual_hash: &before,
            alert_severity: alert.severity,
            alert_score: alert.score,
            regenerations_so_far: u8::try_from(content.version.saturating_sub(1)).unwrap_or(u8::MAX),
            a_model_was_asked: content.sections.iter().any(|section| section.written_by != WrittenBy::Builtin),
            licensed: &self.licensed,
        };
        let findings = validate::examine(&input, &self.limits);
        let opinion = self.opinion(&content).await;
        let after = self.store.report_hash(report_id, json).await?;
        let hash_after = after.map(|hash| hash.to_hex()).unwrap_or_default();
        let now = self.store.seams().now();
        let verdict = validate::verdict(&input, &self.limits, findings, &opinion.assessment, hash_after, now);
        let correlation_agrees = correlation(&related) == content.context.correlation;
        let mut metadata = serde_json::to_value(&verdict).map_err(|error| AgentError::Permanent(error.to_string()))?;
        metadata["judge"] = opinion.provenance;
        metadata["correlation_agrees"] = correlation_agrees.into();
        Ok(Some(CheckedReport { content, verdict, metadata, correlation_agrees, attempts: opinion.attempts }))
    }

    async fn opinion(&self, content: &Content) -> ModelOpinion {
        let Some(target) = &self.judge else {
            return ModelOpinion { assessment: AssessmentOutcome::None, provenance: Value::Null, attempts: Vec::new() };
        };
        let marker = marker(self.store.seams().entropy.bytes());
        let request = supervisor_prompt(content, &marker);
        let prompt = Prompt {
            system: Some(request.system),
            messages: vec![Message::user(request.user)],
            temperature: Some(TEMPERATURE),
            max_tokens: Some(MAX_TOKENS),
        };
        let schema = Schema { name: "assessment", json: supervisor_schema() };
        let read = |text: &str| match parse_assessment(text) {
            AssessmentOutcome::Unparseable(_) => Err("it is not the JSON object that was asked for".to_owned()),
            assessment => Ok(assessment),
        };
        let called = self.models.structured(Purpose::Supervisor, target, &prompt, &schema, &self.calls, read).await;
        let (assessment, raw_reply, error) = match called.result {
            Ok(structured) => (structured.value, Some(structured.reply.text), None),
            Err(CallError::Unreadable { what, raw }) => (parse_assessment(&raw), Some(raw), Some(what)),
            Err(error) => (AssessmentOutcome::Degraded(error.to_string()), None, Some(error.to_string())),
        };
        let raw_reply = raw_reply.map(|raw| raw[..raw.floor_char_boundary(RAW_REPLY_BYTES_MAX)].to_owned());
        let provenance = json!({
            "provider": &*target.provider, "model": &*target.model, "temperature": TEMPERATURE, "max_tokens": MAX_TOKENS,
            "template": request.template, "template_sha256": request.template_sha256, "marker": marker,
            "raw_reply": raw_reply, "error": error, "attempts": called.attempts.len(),
        });
        ModelOpinion { assessment, provenance, attempts: called.attempts }
    }

    /// Validates an investigation's newest report again, because a person asked for it.
    async fn check_again(&self, request: SupervisorReviewRequested) -> Result<Vec<AgentDecision>, AgentError> {
        let case = self.store.case(request.investigation_id).await?;
        let current = case.and_then(|mut case| case.case.reports.pop()).map(|report| report.report_id);
        let checked = match &current {
            Some(report_id) => self.check_report(report_id, None).await?,
            None => None,
        };
        let mut decisions = checked
            .as_ref()
            .map(|checked| model_calls(Purpose::Supervisor, self.judge.as_ref(), &checked.attempts))
            .unwrap_or_default();
        let observation = checked.as_ref().map(|checked| checked.observation(self.judge.as_ref()));
        let metadata = checked.as_ref().map(|checked| ("validation".to_owned(), checked.metadata.clone()));
        let completed = SupervisorReviewCompleted {
            investigation_id: request.investigation_id,
            report_id: current,
            passed: checked.as_ref().is_some_and(|checked| checked.verdict.passed),
            validation_score: checked.as_ref().map(|checked| checked.verdict.validation_score),
            feedback: match checked {
                Some(checked) => checked.verdict.feedback,
                None => "This investigation has no report to review.".into(),
            },
            completed_at: self.store.seams().now(),
        };
        decisions.push(AgentDecision { metadata: metadata.into_iter().collect(), observation, ..completed.into() });
        Ok(decisions)
    }
}

impl Agent for Supervisor {
    fn name(&self) -> &'static str {
        "supervisor"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::ReportGenerated, EventType::SupervisorReviewRequested, EventType::InvestigationCreated]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: CONCURRENCY }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.handle(event))
    }
}
