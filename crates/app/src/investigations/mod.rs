//! Fraud investigations: their agents, the detection rules in force, and metrics.

mod metrics;
mod rules;

use std::sync::Arc;

use countersign_agents::{Agent, DetectorAgent, Orchestrator, Reporter, Supervisor, Writers};
use countersign_llm::{CallPolicy, Models, Target};
use countersign_report::{LicensedTexts, validate::Limits};
use countersign_signals::{Detector, DetectorSettings};
use countersign_store::{Store, StoreError};
use tokio_util::sync::CancellationToken;

pub(crate) use metrics::InvestigationMetrics;
use rules::LoadError;
pub(crate) use rules::{RuleBook, read as read_rules};

/// The agents and rules of fraud investigations. Clones share them.
#[derive(Clone)]
pub(crate) struct Investigations {
    pub(crate) detector: Arc<DetectorAgent>,
    pub(crate) rules: RuleBook,
    pub(crate) metrics: InvestigationMetrics,
    /// The models that write reports. Sending a report back needs them to predict what will change.
    pub(crate) writers: Writers,
    reporter: Arc<Reporter>,
    supervisor: Arc<Supervisor>,
    store: Store,
}

/// What [`Investigations`] is made of.
pub(crate) struct InvestigationsParts {
    pub(crate) store: Store,
    pub(crate) models: Models,
    pub(crate) rules: RuleBook,
    pub(crate) users_max: usize,
    pub(crate) writers: Writers,
    pub(crate) writer_calls: CallPolicy,
    pub(crate) judge: Option<Target>,
    pub(crate) judge_calls: CallPolicy,
    pub(crate) limits: Limits,
}

impl Investigations {
    pub(crate) fn new(parts: InvestigationsParts) -> Result<Self, LoadError> {
        let InvestigationsParts { store, models, rules, judge, .. } = parts;
        let metrics = InvestigationMetrics::default();
        let detector = Detector::new(DetectorSettings::default(), rules.load()?);
        let read_by_agents = store.with_inline_reads();
        let detector = DetectorAgent::new(read_by_agents.clone(), detector, parts.users_max);
        let writers = parts.writers.clone();
        let licensed = Arc::<LicensedTexts>::default();
        let reporter = Reporter::new(
            read_by_agents.clone(),
            models.clone(),
            parts.writers,
            parts.writer_calls,
            Arc::clone(&licensed),
        );
        let supervisor = Supervisor::new(read_by_agents, models, judge, parts.judge_calls, parts.limits, licensed);
        Ok(Self { detector, rules, metrics, writers, reporter, supervisor, store })
    }

    pub(crate) fn agents(&self) -> Vec<Arc<dyn Agent>> {
        vec![
            Arc::clone(&self.detector) as Arc<dyn Agent>,
            Orchestrator::new(self.store.with_inline_reads()),
            Arc::clone(&self.reporter) as Arc<dyn Agent>,
            Arc::clone(&self.supervisor) as Arc<dyn Agent>,
        ]
    }

    /// Records the rules in force. Must run before the first transaction is assessed.
    pub(crate) async fn record_rules(&self) -> Result<(), StoreError> {
        self.rules.record(&self.store, self.detector.detector().rules()).await
    }

    /// Reloads changed rules until told to stop. Ends at once if there is no rules file.
    pub(crate) async fn watch_rules(self, stop: CancellationToken) {
        self.rules.watch(self.store, self.detector, stop).await;
    }
}
