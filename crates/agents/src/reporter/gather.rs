//! What the store knows about an alert, as of that alert: the same question later gets the same answer.

use countersign_domain::{
    Alert, Event, StoredEvent, Time, Transaction,
    payload::{Level, ReportType},
};
use countersign_report::{BySeverity, Context, Correlation, Inputs, PriorAlert};
use countersign_signals::ENTRIES_MAX;
use countersign_store::{Correlated, Reading, StoreError};

/// Earlier transactions that a baseline is made of: those that the detector compares with, so that the two agree.
const HISTORY_MAX: usize = ENTRIES_MAX;
const PRIOR_ALERTS_MAX: usize = 50;
/// How near a score must be to call another alert similar.
const SIMILAR_WITHIN_POINTS: u8 = 10;

/// An alert, and what is known about its customer from before it.
pub(crate) struct Gathered {
    pub(crate) alert: Alert,
    pub(crate) created_at: Time,
    from_detector: bool,
    transaction: Option<Transaction>,
    history: Vec<Transaction>,
    transaction_count: u64,
    first_transaction_at: Option<Time>,
    prior_alerts: Vec<PriorAlert>,
    correlation: Correlation,
}

pub(crate) fn gather(reading: &Reading<'_>, event: &StoredEvent) -> Result<Gathered, StoreError> {
    let alert = alert_of(event)?;
    let named = alert.metadata.transaction_id.as_ref();
    let record = reading.customer_record(&alert.user_id, named, event.seq, HISTORY_MAX)?;
    let correlated = correlated(reading, &alert, event.seq)?;
    let transaction = record.transaction.as_ref().and_then(transaction_of);
    // What arrived before and happened later was not there to compare with.
    let as_of = transaction.as_ref().map_or(event.occurred_at, |transaction| transaction.occurred_at);
    let history = record.history.iter().filter_map(transaction_of);
    Ok(Gathered {
        created_at: event.occurred_at,
        from_detector: event.producer == crate::detector::NAME,
        transaction,
        history: history.filter(|earlier| earlier.occurred_at <= as_of).collect(),
        transaction_count: record.summary.count,
        first_transaction_at: record.summary.first_occurred_at,
        correlation: correlation(&correlated),
        prior_alerts: correlated
            .prior
            .newest
            .iter()
            .map(|alert| PriorAlert { created_at: alert.created_at, severity: alert.severity, score: alert.score })
            .collect(),
        alert,
    })
}

/// An alert with what else happened before it: as much as it takes to see whether a report counted right.
pub(crate) fn correlate(reading: &Reading<'_>, event: &StoredEvent) -> Result<(Alert, Correlation), StoreError> {
    let alert = alert_of(event)?;
    let correlated = correlated(reading, &alert, event.seq)?;
    Ok((alert, correlation(&correlated)))
}

fn alert_of(event: &StoredEvent) -> Result<Alert, StoreError> {
    match event.event() {
        Ok(Event::FraudAlertCreated(alert)) => Ok(alert),
        Ok(_) => Err(StoreError::NotFound),
        Err(error) => Err(StoreError::Corrupt(error.to_string())),
    }
}

fn correlated(reading: &Reading<'_>, alert: &Alert, before_seq: u64) -> Result<Correlated, StoreError> {
    let near = (alert.severity, alert.score);
    reading.correlated(&alert.user_id, near, SIMILAR_WITHIN_POINTS, before_seq, PRIOR_ALERTS_MAX)
}

fn correlation(correlated: &Correlated) -> Correlation {
    let [low, medium, high, critical] = correlated.prior.by_severity;
    let last_at = correlated.prior.newest.iter().map(|alert| alert.created_at).max();
    let by_severity = BySeverity { low, medium, high, critical };
    Correlation::new(by_severity, last_at, correlated.similar, SIMILAR_WITHIN_POINTS)
}

fn transaction_of(stored: &StoredEvent) -> Option<Transaction> {
    match stored.event() {
        Ok(Event::TransactionReceived(transaction)) => Some(transaction),
        _ => None,
    }
}

impl Gathered {
    /// Everything that a report may say about it, redacted.
    pub(crate) fn context(&self, report_type: ReportType, regulatory_impact: Option<Level>) -> Context {
        Context::build(&Inputs {
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
