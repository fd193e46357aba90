//! Collects what the store knew about an alert's customer when the alert was raised. Later events don't change the result.

use countersign_domain::{
    Alert, Event, StoredEvent, Time, Transaction,
    payload::{Level, ReportType},
};
use countersign_report::{BySeverity, Context, ContextInputs, Correlation, EarlierAlert};
use countersign_signals::ENTRIES_MAX;
use countersign_store::{AlertRecord, RelatedAlerts, RelatedAlertsLimits, ReportEntry};

/// The name of the detector. Alerts by this producer are our own.
pub const DETECTOR: &str = "detector";
/// The number of earlier transactions in a baseline. It equals the detector's limit, so that the two agree.
pub(crate) const HISTORY_MAX: usize = ENTRIES_MAX;
pub(crate) const RELATED_ALERTS: RelatedAlertsLimits =
    RelatedAlertsLimits { newest_max: 50, similar_within_points: 10 };

/// An alert, and what was known about its customer when it was raised.
pub(crate) struct CaseFile {
    pub(crate) alert: Alert,
    pub(crate) created_at: Time,
    from_detector: bool,
    transaction: Option<Transaction>,
    history: Vec<Transaction>,
    transaction_count: u64,
    first_transaction_at: Option<Time>,
    prior_alerts: Vec<EarlierAlert>,
    correlation: Correlation,
}

pub(crate) fn correlation(related: &RelatedAlerts) -> Correlation {
    let [low, medium, high, critical] = related.prior.by_severity;
    let last_at = related.prior.newest.iter().map(|alert| alert.created_at).max();
    let by_severity = BySeverity { low, medium, high, critical };
    Correlation::new(by_severity, last_at, related.similar, RELATED_ALERTS.similar_within_points)
}

fn transaction_of(stored: &StoredEvent) -> Option<Transaction> {
    match stored.event() {
        Ok(Event::TransactionReceived(transaction)) => Some(transaction),
        _ => None,
    }
}

impl CaseFile {
    /// Builds the case file from a record. Also returns the newest report of that record.
    pub(crate) fn of(event: &StoredEvent, record: AlertRecord) -> (Self, Option<ReportEntry>) {
        let AlertRecord { alert, customer, related, current_report } = record;
        let transaction = customer.transaction.as_ref().and_then(transaction_of);
        // Exclude transactions that arrived earlier but happened later.
        let as_of = transaction.as_ref().map_or(event.occurred_at, |transaction| transaction.occurred_at);
        let history = customer.history.iter().filter_map(transaction_of);
        let prior_alerts = related.prior.newest.iter();
        let case_file = Self {
            created_at: event.occurred_at,
            from_detector: event.producer == DETECTOR,
            transaction,
            history: history.filter(|earlier| earlier.occurred_at <= as_of).collect(),
            transaction_count: customer.summary.count,
            first_transaction_at: customer.summary.first_occurred_at,
            correlation: correlation(&related),
            prior_alerts: prior_alerts
                .map(|alert| EarlierAlert {
                    created_at: alert.created_at,
                    severity: alert.severity,
                    score: alert.score,
                })
                .collect(),
            alert,
        };
        (case_file, current_report)
    }

    /// Everything that a report may say about the alert, redacted.
    pub(crate) fn context(&self, report_type: ReportType, regulatory_impact: Option<Level>) -> Context {
        Context::build(&ContextInputs {
            alert: &self.alert,
            alert_created_at: self.created_at,
            alert_from_detector: self.from_detector,
            report_type,
            regulatory_impact,
            transaction: self.transaction.as_ref(),
            history: &self.history,
            transaction_count: self.transaction_count,
            first_transaction_at: self.first_transaction_at,
            prior_alerts: &self.prior_alerts,
            correlation: self.correlation.clone(),
        })
    }
}
