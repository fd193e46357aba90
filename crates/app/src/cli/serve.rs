//! `countersign serve`: opens the store, starts the agents, answers requests, and stops in order.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use countersign_agents::{Runtime, RuntimeSettings};
use countersign_config::{Config, LogFormat, Profile};
use countersign_store::{DataDir, Mode, Seams, Store};
use tokio::{
    runtime::Handle,
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use super::{
    arguments::{Demo as DemoFlags, Serve as Flags},
    config::read_with,
    failure::Failure,
    log, open_files, say,
};
use crate::{KeyRing, Server, Telemetry, demo::Demo, probe, wiring::Engine};

/// Requests and agents get this long to finish; with closing the store it stays below ten seconds.
const STOP_WITHIN: Duration = Duration::from_secs(8);
/// A checkpoint is signed within a second of an append; half of that leaves room for the signing itself.
const SIGN_AFTER: Duration = Duration::from_millis(500);
/// Reads run beside each other on these; more would only queue for the same disk.
const BLOCKING_THREADS_MAX: usize = 32;
const DEMO_RATE_MAX: f64 = 1_000.0;

/// A ledger can't be cleaned afterwards, so what is made up has a directory of its own. Its writer errs on purpose, so that
/// there is something to refuse.
const DEMO_DEFAULTS: &[(&str, &str)] = &[("data_dir", "./countersign-demo"), ("writer", "simulated")];

pub(super) fn run(flags: &Flags) -> Result<(), Failure> {
    start(flags, &[], None)
}

/// `countersign demo`: the same with made-up traffic.
pub(super) fn demo(flags: &DemoFlags) -> Result<(), Failure> {
    if !(flags.rate > 0.0 && flags.rate <= DEMO_RATE_MAX) {
        return Err(Failure::new("--rate must be more than 0 and at most 1000 transactions per second"));
    }
    start(&flags.serve, DEMO_DEFAULTS, Some(Demo { seed: flags.seed, rate: flags.rate }))
}

fn start(flags: &Flags, defaults: &[(&'static str, &'static str)], demo: Option<Demo>) -> Result<(), Failure> {
    let started = Instant::now();
    let more = [
        ("listen", flags.listen.clone()),
        ("profile", flags.profile.clone()),
        ("log.format", flags.log_format.map(|format| format.as_str().to_owned())),
        ("providers.probe_keys", flags.no_probe.then(|| "false".to_owned())),
    ];
    let more: Vec<_> = more.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    let config = Arc::new(read_with(&flags.place, &more, defaults)?);
    start_logging(&config)?;
    open_files::raise_limit(&config);
    let for_requests = threads("requests")?;
    let for_agents = threads("agents")?;
    let result = for_requests.block_on(serve(config, for_agents.handle(), started, demo));
    // Whatever still blocks (a read of a huge page, say) must not hold up the exit.
    for_agents.shutdown_background();
    for_requests.shutdown_timeout(Duration::from_millis(500));
    result
}

/// Agents have their own: a report is written in one go, and nobody's request should wait on the same thread for its end.
fn threads(name: &str) -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name(name)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .build()
        .map_err(|error| Failure::new(format!("the threads for {name} could not be started: {error}")))
}

fn start_logging(config: &Config) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&config.log.filter).map_err(|error| {
        Failure::new(format!("log.filter: {error}")).help("use a level such as info, or target=level,…")
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(log::Lines::start()?);
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
    let served = serve_store(&config, &store, for_agents, &stop, started, demo).await;
    let closed = store.close().await;
    served?;
    closed?;
    tracing::info!("stopped in order");
    Ok(())
}

fn open(config: &Config) -> Result<Store, Failure> {
    let seams = Seams::system().map_err(|error| Failure::new(format!("no randomness: {error}")))?;
    Ok(Store::open(&DataDir::new(&config.data_dir), Mode::Threaded, seams)?)
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
            "{} can be reached by others, and there is no access key yet",
            config.listen
        ))
        .help(format!(
            "make one first: countersign keys create --role admin --name \"…\" --data-dir {}",
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
    let checking = check_keys(config, &engine, stop).await?;
    engine.require_witnesses().await.map_err(|why| {
        Failure::new(why).help(
            "start the witnesses, or look into why they don't agree; `ledger.on_missing_witness = \"warn\"` starts without them",
        )
    })?;
    // The inspectors' tables take some milliseconds to build; the first answer should not wait for them.
    let warming = tokio::task::spawn_blocking(|| drop(countersign_inspect::audit("", None)));
    let starting =
        Runtime::start_observed(store.with_inline_reads(), engine.agents(), settings, Some(engine.observer()));
    let runtime = for_agents
        .spawn(starting)
        .await
        .map_err(|error| Failure::new(format!("the agents could not be started: {error}")))??;
    let signing = sign_checkpoints(store.clone(), stop.clone());
    let indexing = tokio::spawn(engine.index(stop.clone()));
    let witnessing = tokio::spawn(engine.follow_checkpoints(stop.clone()));
    let watching = tokio::spawn(engine.watch_rules(stop.clone()));
    // Stopped last, so that it sees what the others do at their end.
    let followed = CancellationToken::new();
    let telemetry = Telemetry::start(config, store, followed.clone())
        .map_err(|error| Failure::new(format!("telemetry: {error}")).help("see `countersign config`"))?;
    let feeding = demo.map(|demo| tokio::spawn(demo.run(store.clone(), engine.clone(), stop.clone())));
    let closing = engine.clone();
    let bound = Server::bind(Arc::clone(config), store.clone(), runtime.clone(), keys, engine).await;
    let served = match bound {
        Ok(server) => {
            // Nobody may be reading; that is no reason not to serve.
            let _ = say(&format!("Countersign is ready at http://{}", server.address));
            if demo.is_some() {
                let _ = say("Demo: every transaction, customer, answer and report here is made up (simulated).");
            }
            let ready_ms = started.elapsed().as_millis();
            tracing::info!(address = %server.address, data_dir = %config.data_dir.display(), events = store.known_size(), ready_ms, "ready");
            let stopping = async {
                stop.cancelled().await;
                runtime.stop(STOP_WITHIN).await;
            };
            tokio::join!(server.run(stop.clone()), stopping);
            Ok(())
        }
        Err(error) => {
            stop.cancel();
            runtime.stop(STOP_WITHIN).await;
            Err(Failure::new(format!("{} can't be listened on: {error}", config.listen))
                .help("another program may use the port; choose another with --listen 127.0.0.1:PORT"))
        }
    };
    if let Some(feeding) = feeding {
        let _ = feeding.await;
    }
    let _ = tokio::join!(signing, indexing, witnessing, watching, warming);
    if let Some(checking) = checking {
        let _ = checking.await;
    }
    closing.witness_the_end().await;
    followed.cancel();
    if let Some(telemetry) = telemetry {
        telemetry.stopped().await;
    }
    served
}

/// Checks the providers' keys: before the start where a refused one ends it, else beside it.
async fn check_keys(
    config: &Arc<Config>,
    engine: &Engine,
    stop: &CancellationToken,
) -> Result<Option<JoinHandle<()>>, Failure> {
    if !config.providers.probe_keys {
        return Ok(None);
    }
    if config.profile == Profile::Hosted {
        let checks = engine.check_keys(config).await;
        let help = "give the right key, or choose another provider; --no-probe starts without asking";
        probe::verdict(config.profile, &checks).map_err(|refused| Failure::new(refused).help(help))?;
        return Ok(None);
    }
    let (config, engine, stop) = (Arc::clone(config), engine.clone(), stop.clone());
    Ok(Some(tokio::spawn(async move {
        if let Some(checks) = stop.run_until_cancelled(engine.check_keys(&config)).await {
            // In this profile nothing is refused; what is wrong has been logged.
            let _ = probe::verdict(config.profile, &checks);
        }
    })))
}

/// The first signal asks for a stop in order, the second ends the process.
pub(super) fn stop_on_signals() -> Result<CancellationToken, Failure> {
    let fail = |error| Failure::new(format!("signals can't be handled: {error}"));
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let stop = CancellationToken::new();
    let asked = stop.clone();
    tokio::spawn(async move {
        for again in [false, true] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if again {
                log::flush();
                std::process::exit(130);
            }
            tracing::info!("stopping");
            asked.cancel();
        }
    });
    Ok(stop)
}

fn sign_checkpoints(store: Store, stop: CancellationToken) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut head = store.head();
        while !stop.is_cancelled() {
            if let Err(error) = store.sign_checkpoint().await {
                tracing::error!(%error, "a checkpoint could not be signed");
            }
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(SIGN_AFTER) => {}
            }
            tokio::select! {
                () = stop.cancelled() => break,
                changed = head.wait_for(|size| *size != store.signed_size()) => if changed.is_err() { break },
            }
        }
    })
}
