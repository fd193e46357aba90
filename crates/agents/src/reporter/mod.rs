//! The reporter: writes a report about an alert, either when the alert is raised or when a report is requested.
//!
//! Facts come from the store and are redacted before anything is written. Scores, severities, facts and the timeline are
//! computed here; a model is only asked for the language, section by section, or the built-in writer supplies it. The reporter
//! does not judge: validating reports is the supervisor's job.
//!
//! | file           | job                                                                             |
//! |----------------|---------------------------------------------------------------------------------|
//! | `mod.rs`       | from an event to a `REPORT_GENERATED` event with its content                    |
//! | `order.rs`     | which report an event asks for: alert, type, version                            |
//! | `sections.rs`  | the text of one section, from a model or from the built-in writer               |
//! | `simulated.rs` | a writer that makes mistakes on purpose, for the demo                           |

mod order;
mod sections;
mod simulated;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use countersign_domain::{
    AlertId, EventType, ReportId, Section, Severity, StoredEvent,
    payload::{Level, ReportFailed, ReportGenerated, ReportSkipped},
    revision::Revision,
};
use countersign_factcheck::Facts;
use countersign_llm::{Attempt, CallPolicy, Models, Purpose, Target};
use countersign_report::{Assembly, Content, Context, LicensedTexts, assemble, writer::Writer};
use countersign_store::{Store, StoreError};
use futures_util::future::join_all;

use order::{ReportOrder, ReportVersion};
use sections::{SectionBrief, SectionDraft, SectionWriter};
use simulated::SimulatedWriter;
pub use simulated::{Mistake, PlannedMistake, planned_mistake, simulated_writer};

use crate::{
    casefile::{CaseFile, HISTORY_MAX, RELATED_ALERTS},
    marker::marker,
    model_calls::model_calls,
    observation::{ModelCalls, Observation},
    runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch},
};

/// The maximum number of events handled concurrently. The provider's own limits apply as well.
const CONCURRENCY: usize = 64;
/// The maximum number of simulated crashes. After that many, the writer doesn't crash any more.
const CRASHED_MAX: usize = 10_000;

/// The models that write reports. Without one, the built-in writer does.
#[derive(Debug, Clone, Default)]
pub struct Writers {
    pub default: Option<Target>,
    pub by_severity: Vec<(Severity, Target)>,
}

impl Writers {
    /// The model for this severity. `None` means the built-in writer.
    pub fn of(&self, severity: Severity) -> Option<&Target> {
        let chosen = self.by_severity.iter().find(|(of, _)| *of == severity).map(|(_, target)| target);
        chosen.or(self.default.as_ref())
    }
}

pub struct Reporter {
    store: Store,
    models: Models,
    writers: Writers,
    calls: CallPolicy,
    licensed: Arc<LicensedTexts>,
    /// Alerts for which the simulated writer has crashed already. It crashes once per alert.
    crashed: Mutex<BTreeSet<AlertId>>,
}

impl Agent for Reporter {
    fn name(&self) -> &'static str {
        "reporter"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::FraudAlertCreated, EventType::ReportRequested]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: CONCURRENCY }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.handle(event))
    }
}

/// The reason why an event leads to no report.
enum NoReport {
    /// Recorded as `REPORT_FAILED`.
    Failed(ReportFailed),
    /// Recorded as `REPORT_SKIPPED`.
    Skipped(ReportSkipped),
    /// The runtime retries the event or makes it a dead letter.
    Error(AgentError),
}

impl From<StoreError> for NoReport {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl Reporter {
    /// `licensed` remembers texts that passed the fact check. The supervisor of this process shares it, so that it need not check
    /// them again.
    pub fn new(
        store: Store,
        models: Models,
        writers: Writers,
        calls: CallPolicy,
        licensed: Arc<LicensedTexts>,
    ) -> Arc<Self> {
        Arc::new(Self { store, models, writers, calls, licensed, crashed: Mutex::default() })
    }

    async fn handle(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        match self.report(event).await {
            Ok(decisions) => Ok(decisions),
            Err(NoReport::Skipped(skipped)) => {
                Ok(vec![AgentDecision::from(skipped).observed_as(Observation::ReportSkipped)])
            }
            Err(NoReport::Failed(failed)) => {
                tracing::warn!(seq = event.seq, reason = failed.reason, "no report could be written");
                Ok(vec![AgentDecision::from(failed).observed_as(Observation::ReportFailed)])
            }
            Err(NoReport::Error(error)) => Err(error),
        }
    }

    async fn report(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, NoReport> {
        let began = Instant::now();
        let Some(order) = self.order(event).await? else { return Ok(Vec::new()) };
        let record = self.store.alert_record(&order.alert, order.report_type, HISTORY_MAX, RELATED_ALERTS).await?;
        let (case_file, current_report) = CaseFile::of(&order.alert, record);
        self.check_reportable(&order, &case_file)?;
        let version = self.next_version(&order, &case_file, current_report)?;
        let impact = self.regulatory_impact(&order, version.replaces.as_ref()).await?;
        let context = case_file.context(order.report_type, impact);

        let alert_id = &case_file.alert.alert_id;
        let target = self.writers.of(context.case.severity);
        let simulated = target.and_then(|target| SimulatedWriter::of(target, alert_id));
        if simulated.is_some_and(SimulatedWriter::crashes) {
            self.crash_once(alert_id)?;
        }
        let feedback = order.request.as_ref().and_then(|request| request.feedback.as_deref());
        let (drafts, attempts) = self.write(&context, target, simulated, feedback, version.revision.clone()).await?;
        let content = self.assemble_content(&order, &case_file, context, drafts, version);
        self.decisions(order, &case_file, content, target, attempts, began)
    }

    /// The regulatory impact that the request states. Without one, a new version keeps that of the report it replaces.
    async fn regulatory_impact(
        &self,
        order: &ReportOrder,
        replaces: Option<&ReportId>,
    ) -> Result<Option<Level>, NoReport> {
        let requested = order.request.as_ref().and_then(|request| request.regulatory_impact);
        let (None, Some(replaces)) = (requested, replaces) else { return Ok(requested) };
        let stored = self.store.report_content(replaces).await?;
        Ok(stored.and_then(|(json, _)| serde_json::from_str::<Content>(&json).ok()).map(|old| old.regulatory_impact))
    }

    /// Fails permanently the first time, so that the demo shows a dead letter. A replay succeeds.
    fn crash_once(&self, alert_id: &AlertId) -> Result<(), NoReport> {
        let mut crashed = self.crashed.lock().unwrap_or_else(PoisonError::into_inner);
        if crashed.len() >= CRASHED_MAX || !crashed.insert(alert_id.clone()) {
            return Ok(());
        }
        Err(NoReport::Error(AgentError::Permanent(
            "simulated fault: the demo's writer gave up on this event. Replay it, and the report is written.".into(),
        )))
    }

    /// Writes all sections concurrently.
    async fn write(
        &self,
        context: &Context,
        target: Option<&Target>,
        simulated: Option<SimulatedWriter>,
        feedback: Option<&str>,
        revision: Option<Revision>,
    ) -> Result<(Vec<SectionDraft>, Vec<Attempt>), NoReport> {
        let facts = Facts::of(&serde_json::to_value(context).map_err(not_serializable)?);
        let section_writer = SectionWriter { models: &self.models, target, calls: &self.calls, simulated };
        let writer = Writer::of(context).revised(revision.unwrap_or_default());
        let licensed = self.licensed.of(context.sha256());
        let (facts, writer) = (&facts, &writer);
        let writing = Section::ALL.map(|section| {
            // Random, so that data in the prompt can't imitate the end of its block.
            let marker = marker(self.store.seams().entropy.bytes());
            let section_writer = &section_writer;
            async move {
                let brief = SectionBrief { context, writer, facts, licensed, section, feedback, marker };
                sections::write(section_writer, &brief).await
            }
        });
        let mut drafts = join_all(writing).await;
        let attempts = drafts.iter_mut().flat_map(|draft| std::mem::take(&mut draft.attempts)).collect();
        Ok((drafts, attempts))
    }

    fn assemble_content(
        &self,
        order: &ReportOrder,
        case_file: &CaseFile,
        context: Context,
        drafts: Vec<SectionDraft>,
        version: ReportVersion,
    ) -> Content {
        assemble(Assembly {
            id: ReportId::of_version(&case_file.alert.alert_id, order.report_type, version.number),
            version: version.number,
            regeneration_of: version.replaces,
            revision: version.revision,
            transaction_id: case_file.alert.metadata.transaction_id.clone(),
            fraud_detection_id: case_file.alert.alert_id.clone(),
            generated_at: self.store.seams().now(),
            context,
            sections: drafts.into_iter().map(|draft| (draft.text, draft.record)).collect(),
        })
    }

    /// The decisions that record a finished report and the model calls that it took.
    fn decisions(
        &self,
        order: ReportOrder,
        case_file: &CaseFile,
        content: Content,
        target: Option<&Target>,
        attempts: Vec<Attempt>,
        began: Instant,
    ) -> Result<Vec<AgentDecision>, NoReport> {
        let sealed = content.sealed().map_err(not_serializable)?;
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let generated = ReportGenerated {
            investigation_id: content.investigation_id,
            report_id: content.id,
            report_type: content.report_type,
            // The stored content has redacted forms of the sender's ids; the event has the ids themselves.
            fraud_detection_id: Some(case_file.alert.alert_id.clone()),
            narrative: None,
            generated_at: content.generated_at,
            generation_time_ms: took_ms,
            content_hash: sealed.hash().to_hex(),
            version: content.version,
            transaction_id: case_file.alert.metadata.transaction_id.clone(),
            severity: Some(content.severity),
            risk_score: Some(content.risk_score),
            regeneration_of: content.regeneration_of,
            requested_by: order.request.and_then(|request| request.requested_by),
        };
        let mut decisions = model_calls(Purpose::Writer, target, &attempts);
        let observation = Some(Observation::ReportGenerated {
            report_type: content.report_type,
            sections: content.sections.iter().map(|section| section.written_by).collect(),
            model_calls: ModelCalls { target: target.cloned(), attempts },
            took_ms,
        });
        decisions.push(AgentDecision { content: Some(sealed), observation, ..generated.into() });
        Ok(decisions)
    }
}

fn not_serializable(error: serde_json::Error) -> NoReport {
    NoReport::Error(AgentError::Permanent(format!("the report can't be written as JSON: {error}")))
}
