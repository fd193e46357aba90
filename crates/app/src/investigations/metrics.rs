//! Metrics of investigations.

use countersign_agents::Observation;
use countersign_domain::payload::ReportType;
use countersign_report::WrittenBy;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

/// From a millisecond, for the built-in writer, to two minutes, for a model with three attempts.
const REPORT_BUCKETS_S: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0, 15.0, 30.0, 60.0, 120.0];
const SCORE_BUCKETS: [f64; 10] = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SeverityLabels {
    severity: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReportLabels {
    report_type: &'static str,
    writer: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone)]
pub(crate) struct InvestigationMetrics {
    alerts: Family<SeverityLabels, Counter>,
    reports: Family<ReportLabels, Counter>,
    unreported: Family<OutcomeLabels, Counter>,
    processing: Histogram,
    generation: Histogram,
    validations: Family<OutcomeLabels, Counter>,
    scores: Histogram,
    correlations: Family<OutcomeLabels, Counter>,
}

impl Default for InvestigationMetrics {
    fn default() -> Self {
        Self {
            alerts: Family::default(),
            reports: Family::default(),
            unreported: Family::default(),
            processing: Histogram::new(REPORT_BUCKETS_S),
            generation: Histogram::new(REPORT_BUCKETS_S),
            validations: Family::default(),
            scores: Histogram::new(SCORE_BUCKETS),
            correlations: Family::default(),
        }
    }
}

impl InvestigationMetrics {
    /// Counts the alerts, the reports and the verdicts that an agent has committed.
    pub(crate) fn observe(&self, observation: &Observation) {
        let unreported = |outcome| self.unreported.get_or_create(&OutcomeLabels { outcome }).inc();
        match observation {
            Observation::AlertRaised { severity } => {
                self.alerts.get_or_create(&SeverityLabels { severity: severity.as_str() }).inc();
            }
            Observation::ReportGenerated { report_type, sections, model_calls, took_ms } => {
                let writer = sections.iter().copied().max_by_key(|by| weight(*by)).unwrap_or(WrittenBy::Builtin);
                let labels = ReportLabels { report_type: ReportType::as_str(*report_type), writer: writer.as_str() };
                self.reports.get_or_create(&labels).inc();
                self.processing.observe(*took_ms as f64 / 1e3);
                let called_ms: u64 = model_calls.attempts.iter().map(|attempt| attempt.latency_ms).sum();
                self.generation.observe(called_ms as f64 / 1e3);
            }
            Observation::ReportFailed => drop(unreported("failed")),
            Observation::ReportSkipped => drop(unreported("skipped")),
            Observation::ReportValidated { passed, validation_score, correlation_agrees, .. } => {
                let outcome = if *passed { "passed" } else { "needs_review" };
                self.validations.get_or_create(&OutcomeLabels { outcome }).inc();
                self.scores.observe(f64::from(*validation_score));
                let outcome = if *correlation_agrees { "same" } else { "different" };
                self.correlations.get_or_create(&OutcomeLabels { outcome }).inc();
            }
            Observation::AnswerAudited { .. } => {}
        }
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("countersign_alerts", "Alerts raised by the detector, by severity", self.alerts.clone());
        registry.register("countersign_reports_generated", "Reports by type and writer", self.reports.clone());
        registry.register("countersign_reports_missing", "Triggers that led to no report", self.unreported.clone());
        registry.register(
            "countersign_report_processing_seconds",
            "Time from the trigger to the report",
            self.processing.clone(),
        );
        registry.register(
            "countersign_report_generation_seconds",
            "Total time of model calls for one report, all attempts",
            self.generation.clone(),
        );
        registry.register("countersign_report_validations", "Verdicts on reports by outcome", self.validations.clone());
        registry.register("countersign_report_validation_score", "Validation scores of reports", self.scores.clone());
        registry.register(
            "countersign_report_correlations",
            "Report checks, by whether the recomputed counts of prior and similar alerts match the report's",
            self.correlations.clone(),
        );
    }
}

/// A report is counted under the worst way in which any of its sections was written.
fn weight(by: WrittenBy) -> u8 {
    match by {
        WrittenBy::Builtin => 0,
        WrittenBy::Model => 1,
        WrittenBy::ModelAndBuiltin => 2,
        WrittenBy::Fallback => 3,
    }
}
