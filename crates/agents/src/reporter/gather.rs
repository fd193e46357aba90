//! What the store knows about an alert, as of that alert: the same question later gets the same answer.

use countersign_domain::{
    Alert, Event, StoredEvent, Time, Transaction,
    payload::{Level, ReportType},
};
use countersign_report::{BySeverity, Context, Inputs, PriorAlert};
use countersign_signals::ENTRIES_MAX;
use countersign_store::{Store, StoreError};

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
    prior_alerts_by_severity: BySeverity,
    similar_alerts: u64,
}

pub(crate) async fn gather(store: &Store, event: StoredEvent) -> Result<Gathered, StoreError> {
    let alert = match event.event() {
        Ok(Event::FraudAlertCreated(alert)) => alert,
        Ok(_) => return Err(StoreError::NotFound),
        Err(error) => return Err(StoreError::Corrupt(error.to_string())),
    };
    let transaction = match &alert.metadata.transaction_id {
        Some(id) => store.transaction(id).await?,
        None => None,
    };
    // Somebody else's transaction says nothing about this customer.
    let transaction = transaction
        .and_then(|stored| Some((stored.seq, transaction_of(&stored)?)))
        .filter(|(_, transaction)| transaction.user_id == alert.user_id);
    let before = transaction.as_ref().map_or(event.seq, |(seq, _)| *seq);
    // What arrived before and happened later was not there to compare with.
    let as_of = transaction.as_ref().map_or(event.occurred_at, |(_, transaction)| transaction.occurred_at);
    let user = &alert.user_id;
    let history = store.history(user, before, HISTORY_MAX).await?;
    let summary = store.history_summary(user, before).await?;
    let prior = store.prior_alerts(user, event.seq, PRIOR_ALERTS_MAX).await?;
    let similar_alerts = store.similar_alerts(alert.severity, alert.score, SIMILAR_WITHIN_POINTS, event.seq).await?;
    let [low, medium, high, critical] = prior.by_severity;
    Ok(Gathered {
        created_at: event.occurred_at,
        from_detector: event.producer == crate::detector::NAME,
        transaction: transaction.map(|(_, transaction)| transaction),
        history: history.iter().filter_map(transaction_of).filter(|earlier| earlier.occurred_at <= as_of).collect(),
        transaction_count: summary.count,
        first_transaction_at: summary.first_occurred_at,
        prior_alerts: prior
            .newest
            .iter()
            .map(|alert| PriorAlert { created_at: alert.created_at, severity: alert.severity, score: alert.score })
            .collect(),
        prior_alerts_by_severity: BySeverity { low, medium, high, critical },
        similar_alerts,
        alert,
    })
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
            prior_alerts_by_severity: self.prior_alerts_by_severity,
            similar_alerts: self.similar_alerts,
            similar_within_points: SIMILAR_WITHIN_POINTS,
        })
    }
}
