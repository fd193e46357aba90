//! What is counted where investigations are made.

use countersign_agents::{Reported, Validated};
use countersign_domain::{Alert, payload::ReportType};
use countersign_report::WrittenBy;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

/// From the built-in writer to a model that was asked three times.
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
    pub(crate) fn alerted(&self, alert: &Alert) {
        self.alerts.get_or_create(&SeverityLabels { severity: alert.severity.as_str() }).inc();
    }

    pub(crate) fn reported(&self, reported: &Reported<'_>) {
        let unreported = |outcome| self.unreported.get_or_create(&OutcomeLabels { outcome }).inc();
        match reported {
            Reported::Generated { content, attempts, took_ms, .. } => {
                let writer = content.sections.iter().map(|section| section.written_by).max_by_key(|by| weight(*by));
                let writer = writer.unwrap_or(WrittenBy::Builtin).as_str();
                let report_type = ReportType::as_str(content.report_type);
                self.reports.get_or_create(&ReportLabels { report_type, writer }).inc();
                self.processing.observe(*took_ms as f64 / 1e3);
                let called_ms: u64 = attempts.iter().map(|attempt| attempt.latency_ms).sum();
                self.generation.observe(called_ms as f64 / 1e3);
            }
            Reported::Failed => drop(unreported("failed")),
            Reported::Skipped => drop(unreported("skipped")),
        }
    }

    pub(crate) fn validated(&self, validated: &Validated<'_>) {
        let outcome = if validated.verdict.passed { "passed" } else { "needs_review" };
        self.validations.get_or_create(&OutcomeLabels { outcome }).inc();
        self.scores.observe(f64::from(validated.verdict.validation_score.get()));
        let outcome = if validated.correlation_agrees { "same" } else { "different" };
        self.correlations.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register("countersign_alerts", "Alerts of the detector by severity", self.alerts.clone());
        registry.register("countersign_reports_generated", "Reports by type and writer", self.reports.clone());
        registry.register("countersign_reports_missing", "Triggers without a report", self.unreported.clone());
        registry.register(
            "countersign_report_processing_seconds",
            "From taking a trigger up to its report",
            self.processing.clone(),
        );
        registry.register(
            "countersign_report_generation_seconds",
            "Time of models for one report, all attempts added up",
            self.generation.clone(),
        );
        registry.register("countersign_report_validations", "Verdicts on reports", self.validations.clone());
        registry.register("countersign_report_validation_score", "Scores of verdicts", self.scores.clone());
        registry.register(
            "countersign_report_correlations",
            "Correlations computed again at validation: the same, or different",
            self.correlations.clone(),
        );
    }
}

/// A report counts as what is worst about it.
fn weight(by: WrittenBy) -> u8 {
    match by {
        WrittenBy::Builtin => 0,
        WrittenBy::Model => 1,
        WrittenBy::ModelAndBuiltin => 2,
        WrittenBy::Fallback => 3,
    }
}
