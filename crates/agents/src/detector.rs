//! The detector: compares each transaction with the customer's earlier ones, and raises an alert if signals or rules fire.
//!
//! Histories are derived data: those of recently active customers are kept in memory, others are read from the store. Entries
//! are keyed by their position in the log, so an event that is handled twice changes a history only once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use countersign_domain::{
    Alert, AlertId, Event, EventType, InvestigationId, StoredEvent, Transaction, UserId, alert::AlertMetadata,
    event::UnreadableEvent,
};
use countersign_signals::{Detector, ENTRIES_MAX, History, HistoryCache};
use countersign_store::{Store, StoreError};
use serde_json::Map;

use crate::{
    casefile::DETECTOR,
    observation::Observation,
    runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch, OrderKey, PrepareFuture},
};

/// The maximum number of transactions per commit.
const EVENTS_MAX: usize = 256;

pub struct DetectorAgent {
    store: Store,
    detector: RwLock<Detector>,
    users: Mutex<HistoryCache>,
}

impl DetectorAgent {
    /// Keeps the histories of `users_max` customers in memory, but never fewer than four full batches can need.
    pub fn new(store: Store, detector: Detector, users_max: usize) -> Arc<Self> {
        let users = Mutex::new(HistoryCache::new(users_max.max(4 * EVENTS_MAX)));
        Arc::new(Self { store, detector: RwLock::new(detector), users })
    }

    /// Replaces the detector from the next transaction on.
    pub fn replace(&self, detector: Detector) {
        *self.detector.write().unwrap_or_else(PoisonError::into_inner) = detector;
    }

    pub fn detector(&self) -> Detector {
        self.detector.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn users(&self) -> MutexGuard<'_, HistoryCache> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the histories of customers that are not in memory, each as of the event that needs it.
    async fn load_histories(&self, wanted: Vec<(UserId, u64)>) -> Result<(), StoreError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let stored = self.store.histories(wanted.clone(), ENTRIES_MAX).await?;
        let mut users = self.users();
        for ((user, _), events) in wanted.into_iter().zip(stored) {
            let mut history = History::new();
            // Events are stored newest first; a history is built from the oldest.
            for event in events.iter().rev() {
                if let Ok(Event::TransactionReceived(transaction)) = event.event() {
                    history.add(event.seq, &transaction);
                }
            }
            users.insert(user, history);
        }
        Ok(())
    }

    async fn assess(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        let Some(transaction) = received_transaction(event)? else { return Ok(Vec::new()) };
        let is_missing = self.users().get(&transaction.user_id).is_none();
        if is_missing {
            self.load_histories(vec![(transaction.user_id.clone(), event.seq)]).await?;
        }
        let detector = self.detector();
        let assessment = {
            let mut users = self.users();
            let history = match users.get(&transaction.user_id) {
                Some(history) => history,
                None => users.insert(transaction.user_id.clone(), History::new()),
            };
            let assessment = detector.assess(event.seq, &transaction, history);
            history.add(event.seq, &transaction);
            assessment
        };
        if !assessment.fires() {
            return Ok(Vec::new());
        }
        let mut more = Map::new();
        more.insert("rules_hash".into(), detector.rules().hash().into());
        more.insert("contributions_sum".into(), assessment.sum.into());
        more.insert("is_capped".into(), assessment.is_capped().into());
        let alert = Alert {
            alert_id: AlertId::of_transaction(&transaction.transaction_id),
            user_id: transaction.user_id,
            severity: assessment.severity,
            score: assessment.score,
            metadata: AlertMetadata {
                transaction_id: Some(transaction.transaction_id),
                signals: assessment.signals_json(),
                more,
            },
        };
        let correlation = Some(InvestigationId::of_alert(&alert.alert_id).into());
        let observation = Some(Observation::AlertRaised { severity: alert.severity });
        Ok(vec![AgentDecision { correlation, observation, ..alert.into() }])
    }

    async fn read_ahead(&self, events: &[Arc<StoredEvent>]) {
        let mut wanted = HashMap::new();
        {
            let mut users = self.users();
            for event in events {
                if let Ok(Some(transaction)) = received_transaction(event)
                    && users.get(&transaction.user_id).is_none()
                {
                    wanted.entry(transaction.user_id).or_insert(event.seq);
                }
            }
        }
        // Don't fail here: a history that is still missing is read again when it is needed, and errors are handled there.
        if let Err(error) = self.load_histories(wanted.into_iter().collect()).await {
            tracing::warn!(%error, "could not prefetch customers' histories; each is read when it is needed");
        }
    }
}

/// The transaction in an event. `None` if it was erased.
fn received_transaction(event: &StoredEvent) -> Result<Option<Transaction>, AgentError> {
    match event.event() {
        Ok(Event::TransactionReceived(transaction)) => Ok(Some(transaction)),
        Ok(_) | Err(UnreadableEvent::Erased { .. }) => Ok(None),
        Err(error) => Err(AgentError::Permanent(error.to_string())),
    }
}

impl Agent for DetectorAgent {
    fn name(&self) -> &'static str {
        DETECTOR
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::TransactionReceived]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Batches { events_max: EVENTS_MAX }
    }

    fn indexes_history(&self) -> bool {
        true
    }

    fn order_key(&self, event: &StoredEvent) -> OrderKey {
        match received_transaction(event) {
            Ok(Some(transaction)) => OrderKey::Text(transaction.user_id.into()),
            _ => OrderKey::Correlation(event.correlation_id),
        }
    }

    fn prepare<'a>(&'a self, events: &'a [Arc<StoredEvent>]) -> PrepareFuture<'a> {
        Box::pin(self.read_ahead(events))
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.assess(event))
    }
}
