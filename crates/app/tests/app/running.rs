//! Starts a server in this process, and waits for conditions.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use countersign::{Background, Engine, KeyRing, Server, Stage};
use countersign_agents::{Agent, Runtime, RuntimeSettings};
use countersign_config::{Config, Inputs};
use countersign_domain::{Event, NewEvent, Time, effects};
use countersign_store::{Clock, DataDir, Entropy, Seams, Store, Threading};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::client::{Answer, Call};

/// The time limit for a single step of a test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) store: Store,
    pub(crate) keys: KeyRing,
    pub(crate) clock: Arc<MovableClock>,
    pub(crate) dir: DataDir,
    stop: CancellationToken,
    task: JoinHandle<()>,
    _folder: TempDir,
}

/// The machine's clock, which a test may move forward.
#[derive(Default)]
pub(crate) struct MovableClock {
    ahead_micros: AtomicI64,
}

impl MovableClock {
    pub(crate) fn advance(&self, by: Duration) {
        self.ahead_micros.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for MovableClock {
    fn now(&self) -> Time {
        let now = countersign_store::SystemClock.now().micros();
        Time::from_micros(now + self.ahead_micros.load(Ordering::SeqCst)).unwrap()
    }
}

impl Running {
    /// Starts a server on loopback, where no key is needed.
    pub(crate) async fn start() -> Self {
        Self::with(&[]).await
    }

    pub(crate) async fn with(settings: &[(&'static str, &str)]) -> Self {
        Self::listening_on("127.0.0.1:0", settings).await
    }

    /// Starts a server on all interfaces, where every caller needs a key.
    pub(crate) async fn with_keys() -> Self {
        Self::listening_on("0.0.0.0:0", &[]).await
    }

    /// Starts a server on loopback with the usual agents.
    pub(crate) async fn with_agents(settings: &[(&'static str, &str)]) -> Self {
        Self::started("127.0.0.1:0", settings, "", true).await
    }

    async fn listening_on(listen: &str, settings: &[(&'static str, &str)]) -> Self {
        Self::started(listen, settings, "", false).await
    }

    /// Starts a server on loopback with agents and a configuration file.
    pub(crate) async fn with_file(settings: &[(&'static str, &str)], file: &str) -> Self {
        Self::started("127.0.0.1:0", settings, file, true).await
    }

    async fn started(listen: &str, settings: &[(&'static str, &str)], file: &str, has_agents: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::new(folder.path().join("data"));
        let path = folder.path().join("countersign.toml");
        std::fs::write(&path, file).unwrap();
        let config = configuration(listen, &dir, settings, &path);
        let clock = Arc::new(MovableClock::default());
        let seams = Seams { clock: Arc::clone(&clock) as _, entropy: Arc::new(Entropy::from_os().unwrap()) };
        let store = Store::open(&countersign_test_store::location(dir.clone()), Threading::Threaded, seams).unwrap();
        let settings = RuntimeSettings {
            heartbeat: config.agents.heartbeat,
            attempts_max: 1,
            backoff: config.agents.backoff,
            window_events_max: config.agents.window_events_max,
        };
        let engine = Engine::new(&config, &store).unwrap();
        engine.recover().await.unwrap();
        let mut agents = Vec::new();
        if has_agents {
            engine.record_rules().await.unwrap();
            agents = engine.agents();
        }
        agents.iter().for_each(|agent| check_subscriptions(&**agent));
        let observer = Some(engine.observer());
        let runtime = Runtime::start_observed(store.clone(), agents, settings, observer).await.unwrap();
        let keys = KeyRing::load(&store).await.unwrap();
        let server = Server::bind(Arc::new(config), store.clone(), runtime, keys.clone(), engine).await.unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], server.address.port()));
        let stop = CancellationToken::new();
        let mut background = Background::new(&stop);
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            server.run(&mut background, stopped).await;
            background.stop(Stage::Serving, PATIENCE).await;
        });
        Self { address, store, keys, clock, dir, stop, task, _folder: folder }
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        Call::new(self.address, method, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call("GET", path).send().await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path).body(body.to_string()).send().await
    }

    /// Asks the server to stop, without waiting.
    pub(crate) fn ask_to_stop(&self) {
        self.stop.cancel();
    }

    pub(crate) async fn stop(self) -> Store {
        self.stop.cancel();
        timeout(PATIENCE, self.task).await.expect("the server did not stop in time").unwrap();
        self.store
    }

    pub(crate) async fn append(&self, event: impl Into<Event>) {
        let seams = self.store.seams();
        let event = NewEvent::new(seams.event_id(), event, seams.now(), "test", seams.correlation_id()).unwrap();
        self.store.append(vec![event]).await.unwrap();
    }
}

fn configuration(listen: &str, dir: &DataDir, settings: &[(&'static str, &str)], file: &Path) -> Config {
    let mut flags = vec![("listen", listen.to_owned()), ("data_dir", dir.path().display().to_string())];
    flags.extend(settings.iter().map(|(key, value)| (*key, (*value).to_owned())));
    let inputs = Inputs { flags: &flags, env: &|_| None, variable_names: &[], file: Some(file), defaults: &[] };
    countersign_config::load(&inputs).unwrap().config
}

/// Checks that `verify` knows which events the agent subscribes to.
fn check_subscriptions(agent: &dyn Agent) {
    let known = &effects::AGENTS[effects::agent_named(agent.name()).expect("verify knows every agent")];
    // The events that webhooks subscribe to depend on the configuration.
    let is_known = agent.subscribes_to().iter().all(|event_type| known.subscribes_to.contains(event_type));
    assert!(is_known, "{}", agent.name());
    assert!(agent.name() == "webhooks" || agent.subscribes_to() == known.subscribes_to, "{}", agent.name());
}

/// Waits until a condition holds.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !holds().await {
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("{what} did not become true"));
}

pub(crate) fn transaction(id: &str) -> Value {
    json!({
        "transaction_id": id, "user_id": "user-1", "amount": {"amount": "12.50", "currency": "USD"},
        "occurred_at": "2026-03-01T09:00:00Z"
    })
}

pub(crate) fn alert(id: &str) -> Value {
    json!({
        "alert_id": id, "user_id": "user-1", "severity": "high", "score": 75,
        "metadata": {"transaction_id": "tx-1", "signals": {"velocity_anomaly": {"count_1h": 14}}}
    })
}

/// Lets all timers up to this length fire. The clock isn't left paused: then it would jump to the next timer whenever this runtime
/// waits for something outside it, such as a database.
pub(crate) async fn skip(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
