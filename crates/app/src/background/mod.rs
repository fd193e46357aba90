//! The server's background tasks, in one supervised set.
//!
//! | file             | job                                              |
//! |------------------|--------------------------------------------------|
//! | `mod.rs`         | the set: starts, restarts and stops tasks        |
//! | `checkpoints.rs` | signs a checkpoint soon after the log has grown  |
//! | `search.rs`      | keeps the search index up to date                |
//!
//! The loops of the other tasks are in the rooms that they belong to. All tasks:
//!
//! | task                   | loop                        | started in        | stage       |
//! |------------------------|-----------------------------|-------------------|-------------|
//! | checkpoint signing     | `background/checkpoints.rs` | `wiring.rs`       | `Working`   |
//! | search indexing        | `background/search.rs`      | `wiring.rs`       | `Working`   |
//! | rule reloading         | `investigations/rules.rs`   | `wiring.rs`       | `Working`   |
//! | witnesses              | `witnesses/`                | `wiring.rs`       | `Working`   |
//! | demo traffic           | `demo.rs`                   | `cli/serve.rs`    | `Working`   |
//! | provider key checks    | `probe.rs` (runs once)      | `cli/serve.rs`    | `Working`   |
//! | inspector warm-up      | (runs once)                 | `cli/serve.rs`    | `Working`   |
//! | live tail              | `live.rs`                   | `server.rs`       | `Serving`   |
//! | recording of refusals  | `http/edge/denials.rs`      | `server.rs`       | `Serving`   |
//! | store watch            | `http/edge/store_watch.rs`  | `server.rs`       | `Serving`   |
//! | trace export           | `telemetry/`                | `cli/serve.rs`    | `Observing` |
//!
//! Except for the tasks that run once, a task is a loop that returns only when `stop` is cancelled. It reads where to start from
//! the store or from state that outlives it, so a task that ends or panics is started again, with back-off. No task stops the
//! server when it fails: the log is complete without them. While signing is down, events wait for the next checkpoint; while the
//! live tail is down, clients catch up later; while rules can't be reloaded, the old ones stay in force.
//!
//! The agents are not in this set. Their runtime supervises them itself.

pub(crate) mod checkpoints;
pub(crate) mod search;

use std::{future::Future, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep, timeout_at},
};
use tokio_util::sync::CancellationToken;

use crate::panics;

const RESTART_FIRST: Duration = Duration::from_secs(1);
const RESTART_MAX: Duration = Duration::from_secs(60);
/// A task that has run this long counts as healthy: if it fails later, the back-off begins from the start.
const HEALTHY_AFTER: Duration = Duration::from_secs(60);

/// When a task is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// As soon as the server is asked to stop.
    Working,
    /// When the requests in flight have finished.
    Serving,
    /// Last, so that it observes how everything else stops.
    Observing,
}

/// The set of background tasks.
pub struct Background {
    working: CancellationToken,
    serving: CancellationToken,
    observing: CancellationToken,
    tasks: Vec<BackgroundTask>,
}

struct BackgroundTask {
    name: &'static str,
    stage: Stage,
    handle: JoinHandle<()>,
}

impl Background {
    /// An empty set. When `stop` is cancelled, the tasks of [`Stage::Working`] stop by themselves.
    pub fn new(stop: &CancellationToken) -> Self {
        Self {
            working: stop.child_token(),
            serving: CancellationToken::new(),
            observing: CancellationToken::new(),
            tasks: Vec::new(),
        }
    }

    /// Starts a task that runs until its stage is stopped. If it ends or panics earlier, this is logged and `run` is called
    /// again after a back-off.
    pub fn start<F, R>(&mut self, name: &'static str, stage: Stage, run: F)
    where
        F: FnMut(CancellationToken) -> R + Send + 'static,
        R: Future<Output = ()> + Send + 'static,
    {
        let supervised = supervise(name, self.stop_token(stage).clone(), run);
        self.tasks.push(BackgroundTask { name, stage, handle: tokio::spawn(supervised) });
    }

    /// Starts a task that does one thing. If it panics, this is logged; it is not started again.
    pub fn start_once(&mut self, name: &'static str, stage: Stage, work: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop_token(stage).clone();
        let supervised = async move {
            if let Some(Err(panic)) = stop.run_until_cancelled(AssertUnwindSafe(work).catch_unwind()).await {
                tracing::error!(task = name, cause = panics::message(&*panic), "a background task panicked");
            }
        };
        self.tasks.push(BackgroundTask { name, stage, handle: tokio::spawn(supervised) });
    }

    /// Stops the tasks of a stage and waits for them. Tasks that take longer than `within` are aborted and named in the log.
    pub async fn stop(&mut self, stage: Stage, within: Duration) {
        self.stop_token(stage).cancel();
        let deadline = Instant::now() + within;
        let (stopping, others) = std::mem::take(&mut self.tasks).into_iter().partition(|task| task.stage == stage);
        self.tasks = others;
        for BackgroundTask { name, mut handle, .. } in stopping {
            if timeout_at(deadline, &mut handle).await.is_err() {
                handle.abort();
                tracing::warn!(task = name, "a background task did not stop in time and was aborted");
            }
        }
    }

    fn stop_token(&self, stage: Stage) -> &CancellationToken {
        match stage {
            Stage::Working => &self.working,
            Stage::Serving => &self.serving,
            Stage::Observing => &self.observing,
        }
    }
}

impl Drop for Background {
    /// Tasks never outlive their set.
    fn drop(&mut self) {
        self.tasks.iter().for_each(|task| task.handle.abort());
    }
}

async fn supervise<F, R>(task: &'static str, stop: CancellationToken, mut run: F)
where
    F: FnMut(CancellationToken) -> R,
    R: Future<Output = ()>,
{
    let mut wait = RESTART_FIRST;
    loop {
        let started = Instant::now();
        let ended = AssertUnwindSafe(async { run(stop.clone()).await }).catch_unwind().await;
        if started.elapsed() >= HEALTHY_AFTER {
            wait = RESTART_FIRST;
        }
        let restart_s = wait.as_secs();
        match ended {
            Err(panic) => {
                let cause = panics::message(&*panic);
                tracing::error!(task, cause, restart_s, "a background task panicked; it will be restarted");
            }
            Ok(()) if stop.is_cancelled() => return,
            Ok(()) => tracing::error!(task, restart_s, "a background task ended early; it will be restarted"),
        }
        if stop.run_until_cancelled(sleep(wait)).await.is_none() {
            return;
        }
        wait = (wait * 2).min(RESTART_MAX);
    }
}

#[cfg(test)]
mod tests;
