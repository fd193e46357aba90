//! A clock that is paused while anything is in progress, and advances when all tasks wait for it.
//!
//! Tokio's paused clock jumps to the next timer as soon as no task can run. That is also so while a request is in the kernel,
//! so a time-out would fire before the response is read. Here, a task of our own runs whenever the runtime is about to park:
//! while calls are in progress it only lets the sockets be polled again, and otherwise it advances the clock by one step.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{runtime::Builder, sync::Notify, task::yield_now, time::advance};

/// The clock's step. Events between two steps are seen at the later one.
pub(crate) const STEP: Duration = Duration::from_millis(10);
/// The limit in real time, for a test that would never end.
const GIVE_UP_AFTER: Duration = Duration::from_secs(120);

type IsQuiet = Box<dyn Fn() -> bool + Send>;

/// A clock that only advances while `is_quiet` returns true.
#[derive(Clone, Default)]
pub(crate) struct ControlledTime(Arc<Mutex<Option<IsQuiet>>>);

impl ControlledTime {
    /// `is_quiet` returns whether everything is waiting for time to pass.
    pub(crate) fn advance_when(&self, is_quiet: impl Fn() -> bool + Send + 'static) {
        *self.0.lock().unwrap() = Some(Box::new(is_quiet));
    }

    fn may_advance(&self) -> bool {
        self.0.lock().unwrap().as_ref().is_some_and(|is_quiet| is_quiet())
    }
}

/// Runs a test on a runtime with controlled time. `name` identifies it in failures.
pub(crate) fn run<F>(name: &str, test: impl FnOnce(ControlledTime) -> F) -> F::Output
where
    F: Future<Output: Send> + Send + 'static,
{
    let idle = Arc::new(Notify::new());
    let parking = Arc::clone(&idle);
    let mut builder = Builder::new_current_thread();
    builder.enable_all().start_paused(true).on_thread_park(move || parking.notify_one());
    let time = ControlledTime::default();
    builder.build().unwrap().block_on(async {
        // Both are tasks, so that a runnable one is never mistaken for a waiting one.
        let clock = tokio::spawn(advance_when_idle(idle, time.clone()));
        let test = tokio::spawn(test(time));
        tokio::select! {
            result = test => result.unwrap_or_else(|error| panic!("{name}: {error}")),
            _ = clock => panic!("{name}: the test does not end"),
        }
    })
}

async fn advance_when_idle(idle: Arc<Notify>, time: ControlledTime) {
    let started = std::time::Instant::now();
    while started.elapsed() < GIVE_UP_AFTER {
        idle.notified().await;
        if time.may_advance() {
            advance(STEP).await;
        } else {
            yield_now().await;
        }
    }
}
