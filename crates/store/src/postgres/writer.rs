//! The writer: a task that commits all waiting jobs together, and then answers their callers.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
    mpsc,
};
use std::time::Duration;

use tokio::sync::Notify;

use super::{commit::Committer, session::Threads};
use crate::{
    error::{Result, StoreError},
    job::{Job, JobOutcome, Priority},
    job_queue::JobQueue,
    store::Threading,
};

/// How long dropping a store waits for the commit in progress.
const CLOSE_MAX: Duration = Duration::from_secs(15);

struct Shared {
    queue: Mutex<JobQueue>,
    wake: Notify,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How jobs are carried out.
pub(super) struct Writer {
    kind: Kind,
    failing: Arc<AtomicBool>,
}

enum Kind {
    /// By a task of their own, many in one commit.
    Task { shared: Arc<Shared>, ended: Mutex<Option<mpsc::Receiver<()>>> },
    /// One by one, while the caller waits.
    Inline { committer: Arc<tokio::sync::Mutex<Option<Committer>>>, is_closed: AtomicBool },
}

impl Writer {
    pub(super) fn start(threads: &Threads, threading: Threading, committer: Committer) -> Result<Self> {
        let failing = committer.failing();
        let kind = match threading {
            Threading::Threaded => {
                let shared = Arc::new(Shared { queue: Mutex::default(), wake: Notify::new() });
                let (end, ended) = mpsc::sync_channel(1);
                let for_task = Arc::clone(&shared);
                threads.spawn(async move {
                    write_until_closed(&for_task, committer).await;
                    // The store may be gone.
                    let _ = end.send(());
                })?;
                Kind::Task { shared, ended: Mutex::new(Some(ended)) }
            }
            Threading::Inline => Kind::Inline {
                committer: Arc::new(tokio::sync::Mutex::new(Some(committer))),
                is_closed: AtomicBool::new(false),
            },
        };
        Ok(Self { kind, failing })
    }

    /// Submits a job. It is carried out even if the caller stops waiting for the answer.
    pub(super) async fn submit(&self, threads: &Threads, job: Job, priority: Priority) -> Result<JobOutcome> {
        match &self.kind {
            Kind::Task { shared, .. } => {
                let answer = shared.lock().push(job, priority)?;
                shared.wake.notify_one();
                answer.await.map_or(Err(StoreError::Closed), |(outcome, _job)| outcome)
            }
            Kind::Inline { committer, .. } => {
                let committer = Arc::clone(committer);
                threads.block_on(async move {
                    let mut committer = committer.lock().await;
                    let committer = committer.as_mut().ok_or(StoreError::Closed)?;
                    committer.commit(&[job]).await.pop().unwrap_or(Err(StoreError::Closed))
                })
            }
        }
    }

    pub(super) fn is_writable(&self) -> bool {
        let is_closed = match &self.kind {
            Kind::Task { shared, .. } => shared.lock().is_closed(),
            Kind::Inline { is_closed, .. } => is_closed.load(Ordering::Relaxed),
        };
        !is_closed && !self.failing.load(Ordering::Relaxed)
    }

    pub(super) fn waiting(&self) -> usize {
        match &self.kind {
            Kind::Task { shared, .. } => shared.lock().len(),
            Kind::Inline { .. } => 0,
        }
    }

    /// Finishes the waiting jobs, and accepts no more. Blocks.
    pub(super) fn close(&self, threads: &Threads) {
        match &self.kind {
            Kind::Task { shared, ended } => {
                shared.lock().close();
                shared.wake.notify_one();
                let ended = ended.lock().unwrap_or_else(PoisonError::into_inner).take();
                if ended.is_some_and(|ended| ended.recv_timeout(CLOSE_MAX).is_err()) {
                    tracing::error!("the writer did not finish in time");
                }
            }
            Kind::Inline { committer, is_closed } => {
                is_closed.store(true, Ordering::Relaxed);
                let committer = Arc::clone(committer);
                let _ = threads.block_on(async move {
                    committer.lock().await.take();
                    Ok(())
                });
            }
        }
    }
}

/// Closes the queue when the task ends, even by a panic, so that no caller waits for it.
struct CloseQueueOnDrop<'a>(&'a Shared);

impl Drop for CloseQueueOnDrop<'_> {
    fn drop(&mut self) {
        *self.0.lock() = JobQueue::closed();
    }
}

async fn write_until_closed(shared: &Shared, mut committer: Committer) {
    let _close_queue = CloseQueueOnDrop(shared);
    loop {
        let (batch, is_closed) = {
            let mut queue = shared.lock();
            (queue.next(), queue.is_closed())
        };
        if batch.is_empty() {
            if is_closed {
                return;
            }
            shared.wake.notified().await;
            continue;
        }
        let (jobs, replies): (Vec<_>, Vec<_>) = batch.into_iter().map(|waiting| (waiting.job, waiting.reply)).unzip();
        let outcomes = committer.commit(&jobs).await;
        for (reply, answer) in replies.into_iter().zip(outcomes.into_iter().zip(jobs)) {
            // If the caller is gone, its job was done all the same.
            let _ = reply.send(answer);
        }
    }
}
