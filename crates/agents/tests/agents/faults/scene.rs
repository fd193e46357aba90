//! A run from an alert to a verdict with a scripted provider, and checks of its records.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use countersign_agents::{Agent, Orchestrator, Reporter, Runtime, Supervisor, Writers};
use countersign_domain::{
    AgentState, Alert, EventType, InvestigationId, NewEvent, ReportId, Section, payload::ReportType,
};
use countersign_fake_provider::{Behaviour, Fake, Received};
use countersign_ledger::sha256;
use countersign_llm::{CallPolicy, ModelSeams, ModelSettings, Models, Provider, Target, WireFormat};
use countersign_report::{Content, LicensedTexts, validate::Limits};
use countersign_store::{DeadLetterQuery, EventQuery, Store};
use serde_json::{Value, json};
use tokio::time::{Instant, advance, sleep};

use super::controlled_time::{ControlledTime, STEP};
use crate::{
    fixture::{SETTINGS, StoreFixture},
    model_requests::section_of,
};

/// The default settings for the calls of the writer, and of the judge below.
const WRITER: CallPolicy =
    CallPolicy { attempts_max: 3, attempt_timeout: Duration::from_secs(30), deadline: Duration::from_secs(120) };
const JUDGE: CallPolicy = CallPolicy { attempt_timeout: Duration::from_secs(20), ..WRITER };

/// The maximum time that the calls of the writer and then of the judge may take.
const GIVE_UP_AFTER: Duration = Duration::from_secs(2 * 120);

/// Longer than any call may last.
const QUIET_S: u32 = 150;

/// The time at which a call reached the provider, in milliseconds, and its section. `None` for the supervisor's calls.
pub(super) type Arrival = (u64, Option<Section>);

/// The calls that the provider received.
#[derive(Default)]
struct ReceivedCalls {
    arrivals: Mutex<Vec<Arrival>>,
    /// Calls that are scripted to hang.
    hung: AtomicU64,
}

pub(super) struct Scene {
    pub(super) store: Store,
    pub(super) fake: Arc<Fake>,
    runtime: Runtime,
    models: Models,
    received_calls: Arc<ReceivedCalls>,
    began: Instant,
    _fixture: StoreFixture,
}

impl Scene {
    /// Starts without models: the built-in writer writes reports, and rules judge them.
    pub(super) async fn without_models(time: &ControlledTime) -> Self {
        Self::start(time, None, 0.5, |_| Behaviour::Answer).await
    }

    /// Starts with a scripted provider. `jitter` is the random number, from 0 to 1, that determines the jitter of every wait.
    pub(super) async fn open(
        time: &ControlledTime,
        wire_format: WireFormat,
        jitter: f64,
        script: impl Fn(&Received) -> Behaviour + Send + Sync + 'static,
    ) -> Self {
        Self::start(time, Some(wire_format), jitter, script).await
    }

    async fn start(
        time: &ControlledTime,
        wire_format: Option<WireFormat>,
        jitter: f64,
        script: impl Fn(&Received) -> Behaviour + Send + Sync + 'static,
    ) -> Self {
        let (fixture, began, received_calls) =
            (StoreFixture::with_seed(21), Instant::now(), Arc::<ReceivedCalls>::default());
        let store = fixture.open();
        let recorder = Arc::clone(&received_calls);
        let fake = Fake::start_with(move |received| {
            let behaviour = script(received);
            recorder.record(received, &behaviour, began);
            behaviour
        });
        let fake = Arc::new(fake.await);
        let models = models(&fake, wire_format, jitter, &store);
        time.advance_when(is_quiet(&fake, &models, &received_calls));
        let target = wire_format.map(|_| Target::new("provider", "some-model"));
        let writers = Writers { default: target.clone(), by_severity: Vec::new() };
        let licensed = Arc::<LicensedTexts>::default();
        let agents: Vec<Arc<dyn Agent>> = vec![
            Orchestrator::new(store.clone()),
            Reporter::new(store.clone(), models.clone(), writers, WRITER, Arc::clone(&licensed)),
            Supervisor::new(store.clone(), models.clone(), target, JUDGE, Limits::default(), licensed),
        ];
        let runtime = Runtime::start(store.clone(), agents, SETTINGS).await.unwrap();
        Self { store, fake, runtime, models, received_calls, began, _fixture: fixture }
    }

    pub(super) async fn alert(&self, id: &str) {
        let alert = json!({"alert_id": id, "user_id": "customer-7731", "severity": "high", "score": 75});
        let alert: Alert = serde_json::from_value(alert).unwrap();
        let correlation = InvestigationId::of_alert(&alert.alert_id).into();
        let seams = self.store.seams();
        let event = NewEvent::new(seams.event_id(), alert, seams.now(), "api", correlation).unwrap();
        self.store.ingest(vec![event]).await.unwrap();
    }

    /// Waits until there are this many verdicts and all agents are idle. Then checks that nothing has failed, and that nothing
    /// else happens for [`QUIET_S`] seconds.
    pub(super) async fn until_settled(&self, verdicts: usize) {
        while self.verdicts().await.len() < verdicts || !self.is_at_rest() {
            assert!(self.began.elapsed() < GIVE_UP_AFTER, "no verdict: {:#?}", self.runtime.statuses());
            sleep(STEP).await;
        }
        let (calls, size) = (self.fake.count(), self.store.size().await.unwrap());
        for _ in 0..QUIET_S {
            advance(Duration::from_secs(1)).await;
            sleep(STEP).await;
        }
        assert_eq!(
            (self.fake.count(), self.store.size().await.unwrap()),
            (calls, size),
            "calls or events continue after the verdicts"
        );
        self.assert_done_without_failures(verdicts).await;
    }

    fn is_at_rest(&self) -> bool {
        self.runtime.statuses().iter().all(|agent| agent.lag == 0 && agent.state == AgentState::Idle)
    }

    async fn assert_done_without_failures(&self, verdicts: usize) {
        for agent in self.runtime.statuses() {
            let (lag, in_flight, last_error) = (agent.lag, agent.in_flight, &agent.last_error);
            assert_eq!((lag, in_flight, agent.dead_lettered, agent.failed), (0, 0, 0, 0), "{}", agent.name);
            assert_eq!((agent.state, last_error.as_deref()), (AgentState::Idle, None), "{}", agent.name);
        }
        let letters = self.store.dead_letters(DeadLetterQuery { limit: 10, ..DeadLetterQuery::default() });
        assert!(letters.await.unwrap().is_empty());
        assert_eq!(self.verdicts().await.len(), verdicts);
        assert_eq!((self.fake.open_calls(), self.in_flight()), (0, 0));
    }

    fn in_flight(&self) -> usize {
        self.models.health().iter().map(|provider| provider.in_flight).sum()
    }

    /// The calls that reached the provider, in order.
    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        in_order(self.received_calls.arrivals.lock().unwrap().clone())
    }

    /// Payload and metadata of all events of a type, oldest first.
    async fn events(&self, event_type: EventType) -> Vec<(Value, Value)> {
        let query = EventQuery { types: vec![event_type], limit: 1_000, ..EventQuery::default() };
        let read = |raw: &Option<Box<serde_json::value::RawValue>>| {
            raw.as_ref().map_or(Value::Null, |raw| serde_json::from_str(raw.get()).unwrap())
        };
        let events = self.store.events(query).await.unwrap();
        events.iter().map(|event| (read(&event.payload), read(&event.metadata))).collect()
    }

    /// The recorded attempts: purpose, number, outcome and duration.
    pub(super) async fn calls_on_record(&self) -> Vec<(String, u64, String, u64)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let number = |value: &Value| value.as_u64().unwrap();
        let calls = self.events(EventType::ModelCalled).await.into_iter();
        let read = |(call, _): (Value, Value)| {
            (text(&call["purpose"]), number(&call["attempt"]), text(&call["outcome"]), number(&call["latency_ms"]))
        };
        calls.map(read).collect()
    }

    /// All verdicts in full.
    pub(super) async fn verdicts(&self) -> Vec<Value> {
        let mut verdicts = self.events(EventType::ReportApproved).await;
        verdicts.extend(self.events(EventType::ReportNeedsReview).await);
        verdicts.into_iter().map(|(_, metadata)| metadata["validation"].clone()).collect()
    }

    pub(super) async fn report(&self, alert: &str) -> Content {
        let id = ReportId::of_version(&alert.parse().unwrap(), ReportType::Compliance, 1);
        let (json, hash) = self.store.report_content(&id).await.unwrap().expect("a report");
        assert_eq!(sha256(json.as_bytes()).to_hex(), hash);
        serde_json::from_str(&json).unwrap()
    }

    /// How many milliseconds passed from the first event to the last.
    pub(super) async fn elapsed_ms(&self) -> i64 {
        let events = self.store.events(EventQuery { limit: 1_000, ..EventQuery::default() }).await.unwrap();
        let since_first = |event: &countersign_domain::StoredEvent| {
            (event.occurred_at.micros() - events[0].occurred_at.micros()) / 1_000
        };
        events.iter().map(since_first).max().unwrap()
    }

    pub(super) async fn close(self) {
        self.runtime.stop(Duration::from_secs(5)).await;
        self.store.close().await.unwrap();
    }
}

impl ReceivedCalls {
    fn record(&self, received: &Received, behaviour: &Behaviour, began: Instant) {
        let at_ms = u64::try_from(began.elapsed().as_millis()).unwrap();
        self.arrivals.lock().unwrap().push((at_ms, section_of(received)));
        if matches!(behaviour, Behaviour::Hang) {
            self.hung.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Sorts calls by time, and simultaneous ones by section with the supervisor's last, because sections run concurrently.
pub(super) fn in_order(mut arrivals: Vec<Arrival>) -> Vec<Arrival> {
    let place = |section: Option<Section>| Section::ALL.iter().position(|one| Some(*one) == section);
    arrivals.sort_by_key(|(at_ms, section)| (*at_ms, place(*section).unwrap_or(Section::ALL.len())));
    arrivals
}

fn models(fake: &Fake, wire_format: Option<WireFormat>, jitter: f64, store: &Store) -> Models {
    let key = Some("key-of-this-test-0123456789".into());
    let provider = wire_format.map(|wire_format| {
        let url = match wire_format {
            WireFormat::Gemini => fake.gemini_url(),
            WireFormat::Anthropic => fake.anthropic_url(),
            WireFormat::OpenAi | WireFormat::Simulated => fake.groq_url(),
        };
        Provider::new("provider", wire_format, url, key)
    });
    let clock = Arc::clone(&store.seams().clock);
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_micros(clock.now().micros().try_into().unwrap());
    let seams = ModelSeams { jitter: Arc::new(move || jitter), now: Arc::new(now) };
    Models::with_seams(ModelSettings::new(provider.into_iter().collect()), seams).unwrap()
}

/// Whether only hanging calls are in progress, and the caller and the provider agree on their number.
fn is_quiet(
    fake: &Arc<Fake>,
    models: &Models,
    received_calls: &Arc<ReceivedCalls>,
) -> impl Fn() -> bool + Send + 'static {
    let (fake, models, received_calls) = (Arc::clone(fake), models.clone(), Arc::clone(received_calls));
    move || {
        let hanging = received_calls.hung.load(Ordering::Relaxed).saturating_sub(fake.cancelled());
        let in_flight: usize = models.health().iter().map(|provider| provider.in_flight).sum();
        (in_flight as u64, fake.open_calls()) == (hanging, hanging)
    }
}
