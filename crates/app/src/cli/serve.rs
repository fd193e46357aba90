//! `countersign serve`: opens the store, starts the agents, answers requests, and stops everything in order.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use countersign_agents::{Runtime, RuntimeSettings};
use countersign_config::{Config, LogFormat, Profile};
use countersign_store::{Seams, Store, Threading};
use tokio::{
    runtime::Handle,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use super::{
    arguments::{DemoFlags, ServeFlags},
    config::{read_with, store_location},
    failure::Failure,
    log, open_files, say,
};
use crate::{
    KeyRing, Server, Telemetry,
    background::{Background, Stage},
    demo::Demo,
    probe,
    wiring::Engine,
};

/// Agents get this long to finish, like requests. The whole stop should take no longer than about ten seconds.
const STOP_WITHIN: Duration = Duration::from_secs(8);
/// Background tasks stop within milliseconds. A task that takes longer than this is stuck.
const TASKS_WITHIN: Duration = Duration::from_millis(500);
/// Trace export itself spends at most a second on sending the remaining spans.
const TRACES_WITHIN: Duration = Duration::from_millis(1_500);
/// The maximum number of threads for concurrent reads. More would only queue for the same disk.
const BLOCKING_THREADS_MAX: usize = 32;
const DEMO_RATE_MAX: f64 = 1_000.0;

/// Events can't be removed from a ledger, so made-up data gets a directory of its own. The simulated writer makes mistakes on
/// purpose, so that there are reports to refuse.
const DEMO_DEFAULTS: &[(&str, &str)] = &[("data_dir", "./countersign-demo"), ("writer", "simulated")];

pub(super) fn run(flags: &ServeFlags) -> Result<(), Failure> {
    start(flags, &[], None)
}

/// `countersign demo`: the server with made-up traffic.
pub(super) fn demo(flags: &DemoFlags) -> Result<(), Failure> {
    if !(flags.rate > 0.0 && flags.rate <= DEMO_RATE_MAX) {
        return Err(Failure::new("--rate must be more than 0 and at most 1000 transactions per second"));
    }
    start(&flags.serve, DEMO_DEFAULTS, Some(Demo { seed: flags.seed, rate: flags.rate }))
}

fn start(flags: &ServeFlags, defaults: &[(&'static str, &'static str)], demo: Option<Demo>) -> Result<(), Failure> {
    let started = Instant::now();
    let more = [
        ("listen", flags.listen.clone()),
        ("profile", flags.profile.clone()),
        ("log.format", flags.log_format.map(|format| format.as_str().to_owned())),
        ("providers.probe_keys", flags.no_probe.then(|| "false".to_owned())),
    ];
    let more: Vec<_> = more.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    let config = Arc::new(read_with(&flags.location, &more, defaults)?);
    start_logging(&config)?;
    open_files::raise_limit(&config);
    let for_requests = start_threads("requests")?;
    let for_agents = start_threads("agents")?;
    let result = for_requests.block_on(serve(config, for_agents.handle(), started, demo));
    // Blocking work that is still running, such as a large read, must not delay the exit.
    for_agents.shutdown_background();
    for_requests.shutdown_timeout(Duration::from_millis(500));
    result
}

/// Requests and agents have separate threads: writing a report occupies a thread, and no request should wait for that.
fn start_threads(name: &str) -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name(name)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .build()
        .map_err(|error| Failure::new(format!("could not start the threads for {name}: {error}")))
}

fn start_logging(config: &Config) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&config.log.filter).map_err(|error| {
        Failure::new(format!("log.filter: {error}")).help("use a level such as info, or target=level,…")
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(log::LogLines::start()?);
    match config.log.format {
        LogFormat::Json => lines.json().flatten_event(true).init(),
        LogFormat::Pretty => {
            lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).compact().init();
        }
    }
    Ok(())
}

async fn serve(config: Arc<Config>, for_agents: &Handle, started: Instant, demo: Option<Demo>) -> Result<(), Failure> {
    let stop = stop_on_signals()?;
    let store = open(&config)?;
    let lost = store.serve_alone().await?;
    let watching = tokio::spawn(stop_when_lost(lost.clone(), stop.clone()));
    let served = serve_store(&config, &store, for_agents, &stop, started, demo).await;
    watching.abort();
    let closed = store.close().await;
    if *lost.borrow() {
        return Err(Failure::new("another server has taken over this database, so this one stopped")
            .help("one server per database is supported"));
    }
    served?;
    closed?;
    tracing::info!("stopped");
    Ok(())
}

/// Stops the server when another one has taken its place: its commits would be refused.
async fn stop_when_lost(mut lost: tokio::sync::watch::Receiver<bool>, stop: CancellationToken) {
    if lost.wait_for(|lost| *lost).await.is_ok() {
        stop.cancel();
    }
}

fn open(config: &Config) -> Result<Store, Failure> {
    let seams =
        Seams::system().map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
    Ok(Store::open(&store_location(config)?, Threading::Threaded, seams)?)
}

async fn serve_store(
    config: &Arc<Config>,
    store: &Store,
    for_agents: &Handle,
    stop: &CancellationToken,
    started: Instant,
    demo: Option<Demo>,
) -> Result<(), Failure> {
    let keys = KeyRing::load(store).await?;
    if config.needs_keys() && keys.active_count(store.seams().now()) == 0 {
        return Err(Failure::new(format!(
            "other machines can reach {}, and there is no access key yet",
            config.listen
        ))
        .help(format!(
            "create one first: countersign keys create --role admin --name \"…\" --data-dir {}",
            config.data_dir.display()
        )));
    }
    let settings = RuntimeSettings {
        heartbeat: config.agents.heartbeat,
        attempts_max: u32::try_from(config.agents.attempts_max).unwrap_or(u32::MAX),
        backoff: config.agents.backoff,
        window_events_max: config.agents.window_events_max,
    };
    let engine =
        Engine::new(config, store).map_err(|error| Failure::new(error.to_string()).help("see `countersign config`"))?;
    let engine = if demo.is_some() { engine.for_demo() } else { engine };
    engine.recover().await?;
    engine.record_rules().await?;
    let mut background = Background::new(stop);
    check_keys(config, &engine, &mut background).await?;
    engine.require_witnesses().await.map_err(|why| {
        Failure::new(why).help(
            "start the witnesses, or find out why they refuse; with `ledger.on_missing_witness = \"warn\"` the server starts without them",
        )
    })?;
    let telemetry = Telemetry::new(config, store)
        .map_err(|error| Failure::new(format!("telemetry: {error}")).help("see `countersign config`"))?;
    // The inspectors' tables take some milliseconds to build, which the first answer should not have to wait for.
    let warm_up = tokio::task::spawn_blocking(|| drop(countersign_inspect::audit("", None)));
    background.start_once("inspector warm-up", Stage::Working, async { drop(warm_up.await) });
    let starting =
        Runtime::start_observed(store.with_inline_reads(), engine.agents(), settings, Some(engine.observer()));
    let runtime = for_agents
        .spawn(starting)
        .await
        .map_err(|error| Failure::new(format!("could not start the agents: {error}")))??;
    engine.start_tasks(&mut background);
    if let Some(telemetry) = telemetry {
        background.start("trace export", Stage::Observing, move |stop| telemetry.clone().run(stop));
    }
    let is_demo = demo.is_some();
    if let Some(demo) = demo {
        let (store, answers) = (store.clone(), engine.answers.clone());
        background.start("demo traffic", Stage::Working, move |stop| demo.run(store.clone(), answers.clone(), stop));
    }
    let bound = Server::bind(Arc::clone(config), store.clone(), runtime.clone(), keys, engine.clone()).await;
    let served = match bound {
        Ok(server) => {
            // The server runs even if nothing reads its output.
            let _ = say(&format!("Countersign is ready at http://{}", server.address));
            if is_demo {
                let _ = say("Demo: every transaction, customer, answer and report here is made up (simulated).");
            }
            let ready_ms = started.elapsed().as_millis();
            tracing::info!(address = %server.address, data_dir = %config.data_dir.display(), events = store.known_size(), ready_ms, "ready");
            let stopping = async {
                stop.cancelled().await;
                runtime.stop(STOP_WITHIN).await;
            };
            tokio::join!(server.run(&mut background, stop.clone()), stopping);
            Ok(())
        }
        Err(error) => {
            stop.cancel();
            runtime.stop(STOP_WITHIN).await;
            Err(Failure::new(format!("cannot listen on {}: {error}", config.listen))
                .help("another program may be using the port; choose another one with --listen 127.0.0.1:PORT"))
        }
    };
    background.stop(Stage::Working, TASKS_WITHIN).await;
    background.stop(Stage::Serving, TASKS_WITHIN).await;
    engine.sign_last_checkpoint().await;
    background.stop(Stage::Observing, TRACES_WITHIN).await;
    served
}

/// Checks the providers' keys. In the hosted profile a refused key prevents the start, so the check comes first. In the
/// embedded profile it runs in the background.
async fn check_keys(config: &Arc<Config>, engine: &Engine, background: &mut Background) -> Result<(), Failure> {
    if !config.providers.probe_keys {
        return Ok(());
    }
    if config.profile == Profile::Hosted {
        let checks = engine.check_keys(config).await;
        let help = "correct the key, or choose another provider; --no-probe starts without the check";
        return probe::check_refusals(config.profile, &checks).map_err(|refused| Failure::new(refused).help(help));
    }
    let (config, engine) = (Arc::clone(config), engine.clone());
    background.start_once("provider key checks", Stage::Working, async move {
        let checks = engine.check_keys(&config).await;
        // The embedded profile refuses nothing; problems have been logged.
        let _ = probe::check_refusals(config.profile, &checks);
    });
    Ok(())
}

/// The first signal starts an orderly stop; the second ends the process at once.
pub(super) fn stop_on_signals() -> Result<CancellationToken, Failure> {
    let fail = |error| Failure::new(format!("could not set up signal handling: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    tokio::spawn(async move {
        for is_second in [false, true] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if is_second {
                log::flush();
                std::process::exit(130);
            }
            tracing::info!("stopping");
            token.cancel();
        }
    });
    Ok(stop)
}
