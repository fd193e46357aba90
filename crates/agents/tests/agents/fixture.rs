//! A store whose clock follows tokio's, and an agent that a test controls.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use countersign_agents::{Agent, AgentError, AgentStatus, DecideFuture, Dispatch, OrderKey, Runtime, RuntimeSettings};
use countersign_domain::{
    AgentState, Event, EventType, NewEvent, StoredEvent, Time, Transaction, payload::ReportSkipped,
};
use countersign_store::{Clock, DataDir, Entropy, EventQuery, Seams, Store, Threading};
use serde_json::json;
use tempfile::TempDir;
use tokio::time::Instant;

pub(crate) const SETTINGS: RuntimeSettings = RuntimeSettings {
    heartbeat: Duration::from_secs(30),
    attempts_max: 3,
    backoff: Duration::from_secs(1),
    window_events_max: 32,
};

/// A clock that follows tokio's, which a test may pause.
struct ControlledClock {
    start: Instant,
    at_start: Time,
}

impl Clock for ControlledClock {
    fn now(&self) -> Time {
        let passed = i64::try_from(self.start.elapsed().as_micros()).unwrap();
        Time::from_micros(self.at_start.micros() + passed).unwrap()
    }
}

/// Opens stores in one data directory, and makes events for them.
pub(crate) struct StoreFixture {
    folder: TempDir,
    seams: Seams,
}

impl StoreFixture {
    /// `seed` determines all ids and other random values.
    pub(crate) fn with_seed(seed: u8) -> Self {
        let clock =
            Arc::new(ControlledClock { start: Instant::now(), at_start: "2026-03-01T09:30:00Z".parse().unwrap() });
        let entropy = Arc::new(Entropy::from_seed([seed; 32]));
        Self { folder: tempfile::tempdir().unwrap(), seams: Seams { clock, entropy } }
    }

    pub(crate) fn open(&self) -> Store {
        self.open_in(Threading::Inline)
    }

    pub(crate) fn open_threaded(&self) -> Store {
        self.open_in(Threading::Threaded)
    }

    fn open_in(&self, threading: Threading) -> Store {
        Store::open(&countersign_test_store::location(DataDir::new(self.folder.path())), threading, self.seams.clone())
            .unwrap()
    }

    pub(crate) fn transaction(&self, id: usize, user: &str) -> NewEvent {
        let transaction: Transaction = serde_json::from_value(json!({
            "transaction_id": format!("tx-{id}"), "user_id": user, "amount": {"amount": "12.50", "currency": "USD"},
            "occurred_at": "2026-03-01T09:00:00Z"
        }))
        .unwrap();
        NewEvent::new(self.seams.event_id(), transaction, self.seams.now(), "test", self.seams.correlation_id())
            .unwrap()
    }

    /// An event of any type. `make` gets a new id that the event may contain.
    pub(crate) fn event<E: Into<Event>>(&self, make: impl FnOnce(String) -> E) -> NewEvent {
        let id = self.seams.event_id();
        NewEvent::new(id, make(id.to_string()), self.seams.now(), "test", self.seams.correlation_id()).unwrap()
    }

    /// Ingests one transaction for each entry of `users`.
    pub(crate) async fn ingest(&self, store: &Store, users: &[&str]) {
        let first = store.size().await.unwrap() as usize;
        let events = users.iter().enumerate().map(|(n, user)| self.transaction(first * 1000 + n, user)).collect();
        store.ingest(events).await.unwrap();
    }
}

pub(crate) fn transaction_of(event: &StoredEvent) -> Transaction {
    match event.event().unwrap() {
        Event::TransactionReceived(transaction) => transaction,
        other => panic!("{other:?}"),
    }
}

/// From a transaction and the number of the attempt to the time that the attempt takes and its outcome.
type Decide = dyn Fn(Transaction, u32) -> (Duration, Result<(), AgentError>) + Send + Sync;

/// For each transaction, waits as long as `decide` says, and then records the transaction's id or fails.
pub(crate) struct Echo {
    dispatch: Dispatch,
    decide: Box<Decide>,
    attempts: Mutex<HashMap<String, u32>>,
    /// The transaction's id and the virtual time of each attempt, in the order in which attempts started.
    pub(crate) started: Mutex<Vec<(String, Instant)>>,
    /// The number of events that the runtime has put into lanes. It asks for the order key of each.
    pub(crate) put_into_lanes: AtomicUsize,
}

impl Echo {
    pub(crate) fn new(
        dispatch: Dispatch,
        decide: impl Fn(Transaction, u32) -> (Duration, Result<(), AgentError>) + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            dispatch,
            decide: Box::new(decide),
            attempts: Mutex::default(),
            started: Mutex::default(),
            put_into_lanes: AtomicUsize::default(),
        })
    }

    pub(crate) fn quick(dispatch: Dispatch) -> Arc<Self> {
        Self::new(dispatch, |_, _| (Duration::ZERO, Ok(())))
    }
}

impl Agent for Echo {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::TransactionReceived]
    }

    fn dispatch(&self) -> Dispatch {
        self.dispatch
    }

    fn order_key(&self, event: &StoredEvent) -> OrderKey {
        self.put_into_lanes.fetch_add(1, Ordering::Relaxed);
        OrderKey::Text(transaction_of(event).user_id.to_string())
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(async move {
            let transaction = transaction_of(event);
            let id = transaction.transaction_id.to_string();
            self.started.lock().unwrap().push((id.clone(), Instant::now()));
            let attempt = {
                let mut attempts = self.attempts.lock().unwrap();
                *attempts.entry(id.clone()).and_modify(|n| *n += 1).or_insert(1)
            };
            let (delay, outcome) = (self.decide)(transaction, attempt);
            if delay > Duration::ZERO {
                tokio::time::sleep(delay).await;
            }
            outcome?;
            let echo = ReportSkipped {
                fraud_detection_id: None,
                report_type: None,
                reason: id,
                skipped_at: event.recorded_at,
            };
            Ok(vec![echo.into()])
        })
    }
}

/// The ids of the transactions that the echo agent recorded, in the order of the log.
pub(crate) async fn echoes(store: &Store) -> Vec<String> {
    let query = EventQuery { types: vec![EventType::ReportSkipped], limit: 100_000, ..Default::default() };
    let id_of = |event: StoredEvent| match event.event().unwrap() {
        Event::ReportSkipped(skipped) => skipped.reason,
        other => panic!("{other:?}"),
    };
    store.events(query).await.unwrap().into_iter().map(id_of).collect()
}

pub(crate) async fn start(store: &Store, agent: &Arc<Echo>) -> Runtime {
    start_with(store, agent, SETTINGS).await
}

pub(crate) async fn start_with(store: &Store, agent: &Arc<Echo>, settings: RuntimeSettings) -> Runtime {
    Runtime::start(store.clone(), vec![Arc::clone(agent) as Arc<dyn Agent>], settings).await.unwrap()
}

/// Aborts everything, as a crash would, and drops the store without closing it.
pub(crate) async fn crash(runtime: Runtime, store: Store) {
    runtime.stop(Duration::ZERO).await;
    drop((runtime, store));
    // The scheduler drops aborted tasks when it next runs them.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn status(runtime: &Runtime) -> AgentStatus {
    runtime.statuses().pop().unwrap()
}

/// Lets virtual time pass until `holds`. Fails after an hour of virtual time.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    for _ in 0..3_600_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("the condition did not hold within an hour of virtual time");
}

/// Waits until all events have been handled.
pub(crate) async fn until_idle(runtime: &Runtime) {
    until(|| status(runtime).lag == 0 && status(runtime).state == AgentState::Idle).await;
}

pub(crate) async fn until_handled(runtime: &Runtime, count: u64) {
    until(|| status(runtime).processed + status(runtime).dead_lettered >= count && status(runtime).lag == 0).await;
}
