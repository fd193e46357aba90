//! `countersign witness`: runs the witness server until it is told to stop.

use std::{fmt::Display, path::Path, sync::Arc};

use countersign_domain::text;
use countersign_ledger::{VerifyingKey, WitnessSigningKey};
use countersign_store::Seams;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::{arguments::WitnessFlags, config, failure::Failure, log, say, serve::stop_on_signals};
use crate::{
    connections,
    witness::{self, WitnessMemory},
};

const CONNECTIONS_MAX: usize = 256;
const NAME_CHARS_MAX: usize = 128;

pub(super) fn run(flags: &WitnessFlags) -> Result<(), Failure> {
    let filter = config::variable("RUST_LOG").and_then(|filter| EnvFilter::try_new(filter).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new("info"));
    let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(log::LogLines::start()?)
        .with_ansi(colours)
        .compact()
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()
        .map_err(|error| Failure::new(format!("could not start the threads: {error}")))?;
    runtime.block_on(serve(flags))
}

async fn serve(flags: &WitnessFlags) -> Result<(), Failure> {
    let stop = stop_on_signals()?;
    let seams =
        Seams::system().map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
    // Check all arguments before writing anything.
    flags.name.as_deref().map_or(Ok(()), check_name)?;
    let logs = flags.logs.iter().map(|given| log_key(given)).collect::<Result<Vec<_>, _>>()?;
    let memory = WitnessMemory::open(&flags.data_dir, flags.name.as_deref(), &logs, &seams)
        .map_err(|error| Failure::new(error.to_string()))?;
    let listener = TcpListener::bind(&flags.listen).await.map_err(|error| {
        Failure::new(format!("cannot listen on {}: {error}", flags.listen))
            .help("another program may be using the port; choose another one with --listen 127.0.0.1:PORT")
    })?;
    let address = listener.local_addr().map_err(|error| Failure::new(error.to_string()))?;
    // The server runs even if nothing reads its output.
    let _ = say(&format!("Countersign witness is ready at http://{address}"));
    let _ = say(&format!("Its key is {}", memory.key().to_vkey()));
    if memory.origins().next().is_none() {
        let _ = say("It has no logs to cosign yet: restart it with --log and the log's ledger.pub");
    }
    for origin in memory.origins() {
        let _ = say(&format!("It cosigns checkpoints of {origin}"));
    }
    let router = witness::router(Arc::new(memory));
    connections::serve_router(listener, router, CONNECTIONS_MAX, witness::OVERLOAD, stop).await;
    Ok(())
}

fn check_name(name: &str) -> Result<(), Failure> {
    let bad = |error: &dyn Display| {
        Failure::new(format!("--name {name:?}: {error}")).help("use a name such as witness.example/w1")
    };
    text::identifier("name", name, NAME_CHARS_MAX).map_err(|error| bad(&error.reason))?;
    // The remaining rules apply to all keys.
    WitnessSigningKey::from_seed(name, &[0; 32]).map(drop).map_err(|error| bad(&error))
}

/// Reads a log's key, given as a file name or as text. Every key contains a `+`.
fn log_key(given: &str) -> Result<VerifyingKey, Failure> {
    let bad = |why: String| {
        Failure::new(format!("--log {given}: {why}"))
            .help("--log takes the content of the log's ledger.pub, or that file's name")
    };
    let text = match Path::new(given).exists() {
        true => std::fs::read_to_string(given).map_err(|error| bad(error.to_string()))?,
        false if given.contains('+') => given.to_owned(),
        false => return Err(bad("there is no such file".into())),
    };
    VerifyingKey::parse(text.trim()).map_err(|error| bad(format!("not a log's public key: {error}")))
}
