//! The API server: binding its address, running it, and stopping it in order.

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use countersign_agents::Runtime;
use countersign_config::Config;
use countersign_store::{Store, write_durably};
use serde::{Deserialize, Serialize};
use tokio::{net::TcpListener, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    answers::Answers,
    background::{Background, Stage},
    connections::{Connections, FINISH_WITHIN},
    http::{self, App, AppParts, local_url},
    keys::{KeyRing, new_local_token},
    wiring::Engine,
};

/// Exchanges get this long to finish after a stop. The rest of [`FINISH_WITHIN`] is for recording those that did not.
const ANSWERS_WITHIN: Duration = Duration::from_secs(6);
/// The time for recording the exchanges that are interrupted last. It is part of the ten seconds that a stop may take.
const LAST_RECORDS_WITHIN: Duration = Duration::from_millis(500);

/// A server that is bound to its address but does not answer requests yet.
pub struct Server {
    pub address: SocketAddr,
    listener: TcpListener,
    app: App,
    file_guard: ServerFileGuard,
}

/// How commands on the same machine reach the server. Only the data directory's owner can read the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ServerFile {
    pub pid: u32,
    pub url: String,
    pub token: String,
}

/// Removes the server file when the server ends.
struct ServerFileGuard(PathBuf);

impl Drop for ServerFileGuard {
    fn drop(&mut self) {
        // A stale file does no harm: its address doesn't answer.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Server {
    pub async fn bind(
        config: Arc<Config>,
        store: Store,
        runtime: Runtime,
        keys: KeyRing,
        engine: Engine,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(config.listen).await?;
        let address = listener.local_addr()?;
        let token = new_local_token(store.seams());
        let file = ServerFile { pid: std::process::id(), url: local_url(address), token };
        let path = store.location().dir().server();
        write_durably(&path, &serde_json::to_vec(&file)?, true).map_err(io::Error::other)?;
        let file_guard = ServerFileGuard(path);
        let keys = keys.with_local_token(&file.token);
        let is_worker_simulated = engine.is_worker_simulated();
        let Engine { answers, investigations, witnesses, is_demo, key_checks, .. } = engine;
        let app = http::app(AppParts {
            config,
            store,
            runtime,
            keys,
            answers,
            investigations,
            witnesses: witnesses.statuses,
            key_checks,
            is_demo,
            is_worker_simulated,
            bound: address,
        });
        Ok(Self { address, listener, app, file_guard })
    }

    /// Answers requests until told to stop. Then it accepts no more connections, closes live connections, lets the requests
    /// in flight finish, and returns.
    ///
    /// Its background tasks run in `background`; stop them afterwards with [`Background::stop`].
    pub async fn run(self, background: &mut Background, stop: CancellationToken) {
        let Self { listener, app, file_guard, .. } = self;
        start_tasks(&app, background);
        let router = http::router(&app);
        let connections = Connections::new(router, Arc::clone(&app.connections), http::OVERLOAD, app.stop.clone());
        tokio::select! {
            () = stop.cancelled() => {}
            () = connections.accept(listener) => {}
        }
        app.stop.cancel();
        // Live connections are no longer HTTP connections, so wait for their own permits.
        let clients_max = u32::try_from(app.config.live.clients_max).unwrap_or(u32::MAX);
        let live = timeout(FINISH_WITHIN, app.hub.permits().acquire_many(clients_max));
        let _ = tokio::join!(connections.finish(app.config.limits.connections_max), live, finish_answers(&app.answers));
        // An exchange may have begun after that, if its request's body was still arriving.
        app.answers.interrupt();
        let _ = timeout(LAST_RECORDS_WITHIN, app.answers.finished()).await;
        drop(file_guard);
    }
}

/// Starts the background tasks that belong to the API. They run until the requests in flight have finished, so that every
/// refusal is recorded.
fn start_tasks(app: &App, background: &mut Background) {
    let hub = app.hub.clone();
    background.start("live tail", Stage::Serving, move |stop| hub.clone().run(stop));
    let recording = app.clone();
    background.start("recording of refusals", Stage::Serving, move |stop| {
        let app = recording.clone();
        async move { app.denials.run(&app.store, &stop).await }
    });
    let watching = app.clone();
    background.start("store watch", Stage::Serving, move |stop| {
        let app = watching.clone();
        async move { app.store_watch.run(&app.store, &stop).await }
    });
}

/// Lets exchanges finish for a while. Those that take longer are interrupted, and their records say so.
async fn finish_answers(answers: &Answers) {
    if timeout(ANSWERS_WITHIN, answers.finished()).await.is_err() {
        answers.interrupt();
        let _ = timeout(FINISH_WITHIN.saturating_sub(ANSWERS_WITHIN), answers.finished()).await;
    }
}
