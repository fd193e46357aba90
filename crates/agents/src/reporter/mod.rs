//! The report agent: an alert, or somebody's request, becomes a report. It writes; it flags and blocks nothing.
//!
//! Facts are case_file from the store and redacted before a word is written. Scores, severities, facts and the timeline are
//! computed here and never asked for; language comes from a model or from the built-in writer, section by section.

mod sections;
mod simulated;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use countersign_domain::{
    AlertId, Event, EventType, ReportId, Section, Severity, StoredEvent, TransactionId,
    event::UnreadableEvent,
    payload::{Level, ReportFailed, ReportGenerated, ReportRequested, ReportSkipped, ReportType},
    revision::Revision,
};
use countersign_factcheck::Facts;
use countersign_llm::{Attempt, CallPolicy, Models, Purpose, Target};
use countersign_report::{Assembly, Content, Context, LicensedTexts, assemble, writer::Writer};
use countersign_store::{AlertQuery, Store, StoreError};
use futures_util::future::join_all;

use sections::{Brief, Pen, Written};
use simulated::SimulatedPen;
pub use simulated::{Lapse, Mistake, lapse, simulated_writer};

use crate::{
    casefile::{CaseFile, HISTORY_MAX, RELATED_ALERTS},
    marker::marker,
    model_calls::model_calls,
    observation::{ModelCalls, Observation},
    runtime::{Agent, AgentError, DecideFuture, Decision, Dispatch},
};

/// Reports that are written at one time; the provider's own limits come on top.
const CONCURRENCY: usize = 64;
/// Simulated crashes that are remembered; beyond this number there are no more.
const CRASHED_MAX: usize = 10_000;
/// Of one customer, that are looked through for the one about a transaction.
const ALERTS_MAX: usize = 500;

/// Who writes reports: a model, another for some severities, or nobody but the built-in writer.
#[derive(Debug, Clone, Default)]
pub struct Writers {
    pub default: Option<Target>,
    pub by_severity: Vec<(Severity, Target)>,
}

impl Writers {
    /// `None`: the built-in writer.
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
    /// Alerts at which the simulated writer has crashed: it does so once for each.
    crashed: Mutex<BTreeSet<AlertId>>,
}

/// What a report is to be made of.
struct Wanted {
    alert: StoredEvent,
    report_type: ReportType,
    request: Option<ReportRequested>,
}

/// Where a report stands among those before it.
struct Place {
    version: u32,
    /// The report that it replaces.
    replaced: Option<ReportId>,
    revision: Option<Revision>,
}

/// Why there is no report.
enum Without {
    Failed(ReportFailed),
    Skipped(ReportSkipped),
    Error(AgentError),
}

impl From<StoreError> for Without {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl Reporter {
    /// `licensed` is shared with the supervisor of this process.
    pub fn new(
        store: Store,
        models: Models,
        writers: Writers,
        calls: CallPolicy,
        licensed: Arc<LicensedTexts>,
    ) -> Arc<Self> {
        Arc::new(Self { store, models, writers, calls, licensed, crashed: Mutex::default() })
    }

    async fn decide(&self, event: &StoredEvent) -> Result<Vec<Decision>, AgentError> {
        match self.report(event).await {
            Ok(decisions) => Ok(decisions),
            Err(Without::Skipped(skipped)) => Ok(vec![Decision::from(skipped).observed_as(Observation::ReportSkipped)]),
            Err(Without::Failed(failed)) => {
                tracing::warn!(seq = event.seq, reason = failed.reason, "no report could be made");
                Ok(vec![Decision::from(failed).observed_as(Observation::ReportFailed)])
            }
            Err(Without::Error(error)) => Err(error),
        }
    }

    async fn report(&self, event: &StoredEvent) -> Result<Vec<Decision>, Without> {
        let began = Instant::now();
        let Some(wanted) = self.wanted(event).await? else { return Ok(Vec::new()) };
        let report_type = wanted.report_type;
        let record = self.store.alert_record(&wanted.alert, report_type, HISTORY_MAX, RELATED_ALERTS).await?;
        let (case_file, current) = CaseFile::of(&wanted.alert, record);
        self.check_reportable(&wanted, &case_file)?;
        let alert_id = case_file.alert.alert_id.clone();
        let regenerates = wanted.request.as_ref().and_then(|request| request.regeneration_of.as_ref());
        let revision = wanted.request.as_ref().and_then(|request| request.revision.clone());
        let changes_type = revision.as_ref().is_some_and(|revision| revision.report_type == Some(report_type));
        let version = match (&current, regenerates) {
            (None, _) => 1,
            (Some(current), Some(of)) if current.id == *of || changes_type => current.version + 1,
            // It is there already, or was made anew since.
            (Some(_), _) => {
                return Err(self.skipped(&case_file, wanted.report_type, "a report of this type is there already"));
            }
        };
        let asked = wanted.request.as_ref().and_then(|request| request.regulatory_impact);
        // A report of another type is the first of its kind and yet replaces the one that was sent back.
        let replaced = regenerates.filter(|_| changes_type).cloned();
        let replaced = replaced.or_else(|| current.map(|report| report.id));
        let impact = match (asked, &replaced) {
            (None, Some(replaced)) => self.impact_of(replaced).await?,
            (asked, _) => asked,
        };
        let context = case_file.context(wanted.report_type, impact);
        let target = self.writers.of(context.case.severity);
        let feedback = wanted.request.as_ref().and_then(|request| request.feedback.as_deref());
        let simulated = target.and_then(|target| SimulatedPen::of(target, &alert_id));
        if simulated.is_some_and(SimulatedPen::crashes) {
            self.crash_once(&alert_id)?;
        }
        let (written, attempts) = self.write(&context, target, simulated, feedback, revision.clone()).await?;
        let place = Place { version, replaced, revision };
        let content = self.assembled(&wanted, &case_file, context, written, place);
        let sealed = content.sealed().map_err(unwritable)?;
        let took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let generated = ReportGenerated {
            investigation_id: content.investigation_id,
            report_id: content.id.clone(),
            report_type: content.report_type,
            fraud_detection_id: Some(alert_id),
            narrative: None,
            generated_at: content.generated_at,
            generation_time_ms: took_ms,
            content_hash: sealed.hash().to_hex(),
            version,
            transaction_id: case_file.alert.metadata.transaction_id.clone(),
            severity: Some(content.severity),
            risk_score: Some(content.risk_score),
            regeneration_of: content.regeneration_of.clone(),
            requested_by: wanted.request.and_then(|request| request.requested_by),
        };
        let mut decisions = model_calls(Purpose::Writer, target, &attempts);
        let observation = Some(Observation::ReportGenerated {
            report_type: content.report_type,
            sections: content.sections.iter().map(|section| section.written_by).collect(),
            model_calls: ModelCalls { target: target.cloned(), attempts },
            took_ms,
        });
        decisions.push(Decision { content: Some(sealed), observation, ..generated.into() });
        Ok(decisions)
    }

    /// The alert and the type that a trigger asks for. `None` if nothing is left to report.
    async fn wanted(&self, event: &StoredEvent) -> Result<Option<Wanted>, Without> {
        match event.event() {
            Ok(Event::FraudAlertCreated(alert)) => match ReportType::of(alert.severity) {
                Some(report_type) => Ok(Some(Wanted { alert: event.clone(), report_type, request: None })),
                None => Err(Without::Skipped(ReportSkipped {
                    fraud_detection_id: Some(alert.alert_id),
                    report_type: None,
                    reason: "low severity: recorded, and counted in later correlation".into(),
                    skipped_at: self.store.seams().now(),
                })),
            },
            Ok(Event::ReportRequested(request)) => match self.alert_of(&request).await? {
                Some(alert) => Ok(Some(Wanted { alert, report_type: request.report_type, request: Some(request) })),
                None => Err(self.failed(&request, "no alert on record is what this request is about")),
            },
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => Ok(None),
            Err(error) => Err(Without::Failed(ReportFailed {
                fraud_detection_id: None,
                investigation_id: None,
                report_type: None,
                reason: format!("the event can't be read: {error}"),
                failed_at: self.store.seams().now(),
            })),
        }
    }

    async fn alert_of(&self, request: &ReportRequested) -> Result<Option<StoredEvent>, StoreError> {
        let id = match (&request.fraud_detection_id, request.investigation_id, &request.transaction_id) {
            (Some(id), ..) => Some(id.clone()),
            (None, Some(id), _) => self.store.investigation(id).await?.and_then(|entry| alert_named_by(&entry.event)),
            (None, None, Some(id)) => self.alert_about(id).await?,
            (None, None, None) => None,
        };
        match id {
            Some(id) => Ok(self.store.alert(&id).await?.map(|entry| entry.event)),
            None => Ok(None),
        }
    }

    /// The detector's alert about a transaction, or somebody else's.
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
        let named = alerts.iter().filter_map(|entry| match entry.event.event() {
            Ok(Event::FraudAlertCreated(alert)) if alert.metadata.transaction_id.as_ref() == Some(id) => {
                Some(alert.alert_id)
            }
            _ => None,
        });
        Ok(named.into_iter().next())
    }

    /// Reports know no LOW, whatever is asked for.
    fn check_reportable(&self, wanted: &Wanted, case_file: &CaseFile) -> Result<(), Without> {
        match &wanted.request {
            Some(request) if !case_file.alert.severity.is_investigated() => {
                Err(self.failed(request, "alerts of low severity are not reported"))
            }
            _ => Ok(()),
        }
    }

    /// What somebody said of the version that is replaced holds for the next.
    async fn impact_of(&self, report_id: &ReportId) -> Result<Option<Level>, Without> {
        let stored = self.store.report_content(report_id).await?;
        Ok(stored.and_then(|(json, _)| serde_json::from_str::<Content>(&json).ok()).map(|old| old.regulatory_impact))
    }

    /// The simulated writer gives up on an event for good; a replay succeeds.
    fn crash_once(&self, alert_id: &AlertId) -> Result<(), Without> {
        let mut crashed = self.crashed.lock().unwrap_or_else(PoisonError::into_inner);
        if crashed.len() >= CRASHED_MAX || !crashed.insert(alert_id.clone()) {
            return Ok(());
        }
        Err(Without::Error(AgentError::Permanent(
            "simulated fault: the demo's writer gave up on this event. Replay it, and the report is written.".into(),
        )))
    }

    async fn write(
        &self,
        context: &Context,
        target: Option<&Target>,
        simulated: Option<SimulatedPen>,
        feedback: Option<&str>,
        revision: Option<Revision>,
    ) -> Result<(Vec<Written>, Vec<Attempt>), Without> {
        let facts = Facts::of(&serde_json::to_value(context).map_err(unwritable)?);
        let pen = Pen { models: &self.models, target, calls: &self.calls, simulated };
        let writer = Writer::of(context).revised(revision.unwrap_or_default());
        let licensed = self.licensed.of(context.sha256());
        let (facts, writer) = (&facts, &writer);
        let writing =
            Section::ALL.map(|section| {
                let marker = marker(self.store.seams().entropy.bytes());
                let pen = &pen;
                async move {
                    sections::write(pen, &Brief { context, writer, facts, licensed, section, feedback, marker }).await
                }
            });
        let mut written = join_all(writing).await;
        let attempts = written.iter_mut().flat_map(|written| std::mem::take(&mut written.attempts)).collect();
        Ok((written, attempts))
    }

    fn assembled(
        &self,
        wanted: &Wanted,
        case_file: &CaseFile,
        context: Context,
        written: Vec<Written>,
        place: Place,
    ) -> Content {
        assemble(Assembly {
            id: ReportId::of_version(&case_file.alert.alert_id, wanted.report_type, place.version),
            version: place.version,
            regeneration_of: place.replaced,
            revision: place.revision,
            transaction_id: case_file.alert.metadata.transaction_id.clone(),
            fraud_detection_id: case_file.alert.alert_id.clone(),
            generated_at: self.store.seams().now(),
            context,
            sections: written.into_iter().map(|written| (written.text, written.record)).collect(),
        })
    }

    fn skipped(&self, case_file: &CaseFile, report_type: ReportType, reason: &str) -> Without {
        Without::Skipped(ReportSkipped {
            fraud_detection_id: Some(case_file.alert.alert_id.clone()),
            report_type: Some(report_type),
            reason: reason.into(),
            skipped_at: self.store.seams().now(),
        })
    }

    fn failed(&self, request: &ReportRequested, reason: &str) -> Without {
        Without::Failed(ReportFailed {
            fraud_detection_id: request.fraud_detection_id.clone(),
            investigation_id: request.investigation_id,
            report_type: Some(request.report_type),
            reason: reason.into(),
            failed_at: self.store.seams().now(),
        })
    }
}

fn alert_named_by(event: &StoredEvent) -> Option<AlertId> {
    match event.event() {
        Ok(Event::InvestigationCreated(investigation)) => Some(investigation.alert_id),
        _ => None,
    }
}

fn unwritable(error: serde_json::Error) -> Without {
    Without::Error(AgentError::Permanent(format!("the report can't be written as JSON: {error}")))
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
        Box::pin(self.decide(event))
    }
}
