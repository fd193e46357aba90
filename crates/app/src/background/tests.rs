use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use super::*;

/// Collects the log of the current thread.
#[derive(Clone, Default)]
struct LogText(Arc<Mutex<Vec<u8>>>);

impl LogText {
    fn collect() -> (Self, tracing::subscriber::DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl io::Write for LogText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A task that fails a number of times and then runs until it is told to stop.
fn failing(times: u32, fail: fn()) -> (Arc<AtomicU32>, impl Fn(CancellationToken) -> BoxedTask) {
    let starts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&starts);
    let run = move |stop: CancellationToken| {
        let start = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            if start < times {
                return fail();
            }
            stop.cancelled().await;
        }
        .boxed()
    };
    (starts, run)
}

type BoxedTask = futures_util::future::BoxFuture<'static, ()>;

#[tokio::test(start_paused = true)]
async fn a_task_that_panics_is_named_in_the_log_and_restarted_with_back_off() {
    let (log, _guard) = LogText::collect();
    let mut background = Background::new(&CancellationToken::new());
    let (starts, run) = failing(3, || panic!("a bug"));
    background.start("live tail", Stage::Serving, run);
    let mut after = Vec::new();
    for seconds in [0, 1, 2, 4] {
        sleep(Duration::from_secs(seconds) + Duration::from_millis(1)).await;
        after.push(starts.load(Ordering::SeqCst));
    }
    assert_eq!(after, [1, 2, 3, 4], "restarts after 1, 2 and 4 seconds");
    let log = log.text();
    assert_eq!(log.matches("task=\"live tail\" cause=\"a bug\"").count(), 3, "{log}");
    background.stop(Stage::Serving, Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_task_that_ends_early_is_named_in_the_log_and_restarted() {
    let (log, _guard) = LogText::collect();
    let mut background = Background::new(&CancellationToken::new());
    let (starts, run) = failing(1, || {});
    background.start("rule reloading", Stage::Working, run);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(starts.load(Ordering::SeqCst), 2);
    let log = log.text();
    assert!(log.contains("a background task ended early") && log.contains("task=\"rule reloading\""), "{log}");
}

#[tokio::test(start_paused = true)]
async fn the_back_off_begins_again_after_a_healthy_minute() {
    let mut background = Background::new(&CancellationToken::new());
    let starts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&starts);
    background.start("store watch", Stage::Serving, move |_| {
        let start = counted.fetch_add(1, Ordering::SeqCst);
        // The first five runs fail at once, the sixth after a healthy minute.
        async move {
            if start == 5 {
                sleep(HEALTHY_AFTER).await;
            }
        }
    });
    sleep(Duration::from_secs(1 + 2 + 4 + 8 + 16) + HEALTHY_AFTER + Duration::from_millis(1_001)).await;
    assert_eq!(starts.load(Ordering::SeqCst), 7);
}

#[tokio::test(start_paused = true)]
async fn stopping_waits_for_the_tasks_of_its_stage_only() {
    let stop = CancellationToken::new();
    let mut background = Background::new(&stop);
    let finished = Arc::new(AtomicBool::new(false));
    let done = Arc::clone(&finished);
    background.start("recording of refusals", Stage::Serving, move |stop| {
        let done = Arc::clone(&done);
        async move {
            stop.cancelled().await;
            sleep(Duration::from_millis(400)).await;
            done.store(true, Ordering::SeqCst);
        }
    });
    let (observing, run) = failing(0, || {});
    background.start("trace export", Stage::Observing, run);
    sleep(Duration::from_millis(1)).await;
    background.stop(Stage::Serving, Duration::from_millis(500)).await;
    assert!(finished.load(Ordering::SeqCst), "the task was waited for");
    assert!(!background.tasks[0].handle.is_finished(), "a later stage goes on");
    background.stop(Stage::Observing, Duration::from_millis(500)).await;
    assert!(background.tasks.is_empty());
    assert_eq!(observing.load(Ordering::SeqCst), 1, "a task that was stopped is not restarted");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_does_not_stop_in_time_is_aborted_and_named_in_the_log() {
    let (log, _guard) = LogText::collect();
    let mut background = Background::new(&CancellationToken::new());
    background.start("search indexing", Stage::Working, |_| std::future::pending());
    let started = Instant::now();
    background.stop(Stage::Working, Duration::from_secs(1)).await;
    assert_eq!(started.elapsed().as_secs(), 1);
    let log = log.text();
    assert!(log.contains("did not stop in time") && log.contains("task=\"search indexing\""), "{log}");
}

#[tokio::test(start_paused = true)]
async fn the_servers_stop_signal_ends_the_working_stage_and_no_other() {
    let stop = CancellationToken::new();
    let mut background = Background::new(&stop);
    let (_, working) = failing(0, || {});
    let (_, serving) = failing(0, || {});
    background.start("witnesses", Stage::Working, working);
    background.start("live tail", Stage::Serving, serving);
    stop.cancel();
    sleep(Duration::from_millis(1)).await;
    let ended: Vec<_> = background.tasks.iter().map(|task| task.handle.is_finished()).collect();
    assert_eq!(ended, [true, false]);
}

#[tokio::test(start_paused = true)]
async fn work_that_is_done_once_is_not_restarted_even_if_it_panics() {
    let (log, _guard) = LogText::collect();
    let mut background = Background::new(&CancellationToken::new());
    background.start_once("provider key checks", Stage::Working, async { panic!("a bug") });
    sleep(RESTART_MAX * 2).await;
    assert!(background.tasks[0].handle.is_finished());
    assert_eq!(log.text().matches("task=\"provider key checks\" cause=\"a bug\"").count(), 1);
}
