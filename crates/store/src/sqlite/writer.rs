//! The only writer: a thread that commits all waiting jobs with one fsync, and then answers their callers.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use super::{checkpointer::Checkpointer, commit::Committer};
use crate::{
    error::{Result, StoreError},
    heads::Heads,
    job::{Job, JobOutcome, Priority},
    job_queue::JobQueue,
};

pub(crate) struct WriterShared {
    queue: Mutex<JobQueue>,
    wake: Condvar,
    /// Whether all jobs of the last commit failed for a reason that may pass.
    failing: AtomicBool,
}

impl WriterShared {
    fn lock(&self) -> MutexGuard<'_, JobQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How jobs are carried out.
pub(crate) enum StoreWriter {
    /// On a thread of their own, with group commit.
    Thread { shared: Arc<WriterShared>, thread: Mutex<Option<JoinHandle<()>>> },
    /// At once, on the caller's thread, with one commit per job, for tests that control the clock.
    Inline { committer: Mutex<Option<Committer>>, heads: Heads },
}

impl StoreWriter {
    pub(crate) fn thread(committer: Committer, heads: Heads, checkpointer: Checkpointer) -> Result<Self> {
        let shared =
            Arc::new(WriterShared { queue: Mutex::default(), wake: Condvar::new(), failing: AtomicBool::new(false) });
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || write_until_closed(&for_thread, committer, &heads, checkpointer))
            .map_err(StoreError::io("the writer's thread could not be started"))?;
        Ok(Self::Thread { shared, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn inline(committer: Committer, heads: Heads) -> Self {
        Self::Inline { committer: Mutex::new(Some(committer)), heads }
    }

    /// Submits a job. It is carried out even if the caller stops waiting for the answer.
    pub(crate) async fn submit(&self, job: Job, priority: Priority) -> Result<JobOutcome> {
        match self {
            Self::Thread { shared, .. } => {
                let answer = shared.lock().push(job, priority)?;
                shared.wake.notify_one();
                answer.await.map_or(Err(StoreError::Closed), |(outcome, _job)| outcome)
            }
            Self::Inline { committer, heads } => {
                let mut committer = committer.lock().unwrap_or_else(PoisonError::into_inner);
                let committer = committer.as_mut().ok_or(StoreError::Closed)?;
                let outcome = committer.commit(&[job]).pop().unwrap_or(Err(StoreError::Closed));
                heads.announce(committer.size());
                outcome
            }
        }
    }

    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Self::Thread { shared, .. } => !shared.failing.load(Ordering::Relaxed) && !shared.lock().is_closed(),
            Self::Inline { committer, .. } => committer.lock().unwrap_or_else(PoisonError::into_inner).is_some(),
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        match self {
            Self::Thread { shared, .. } => shared.lock().len(),
            Self::Inline { .. } => 0,
        }
    }

    /// Finishes the waiting jobs and closes the database. Blocks.
    pub(crate) fn close(&self) {
        match self {
            Self::Thread { shared, thread } => {
                shared.lock().close();
                shared.wake.notify_one();
                let thread = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
                if thread.is_some_and(|thread| thread.join().is_err()) {
                    tracing::error!("the writer's thread panicked");
                }
            }
            Self::Inline { committer, .. } => drop(committer.lock().unwrap_or_else(PoisonError::into_inner).take()),
        }
    }
}

/// Closes the queue when the writer's thread ends, even by a panic, so that no caller waits for it.
struct CloseQueueOnDrop<'a>(&'a WriterShared);

impl Drop for CloseQueueOnDrop<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        *queue = JobQueue::closed();
    }
}

/// The checkpointer is dropped before the committer, because the last connection to be closed checkpoints the whole write-ahead log.
fn write_until_closed(shared: &WriterShared, mut committer: Committer, heads: &Heads, mut checkpointer: Checkpointer) {
    let _close_queue = CloseQueueOnDrop(shared);
    loop {
        let batch = {
            let mut queue = shared.lock();
            loop {
                let batch = queue.next();
                if !batch.is_empty() {
                    break batch;
                }
                if queue.is_closed() {
                    return;
                }
                queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let (jobs, replies): (Vec<_>, Vec<_>) = batch.into_iter().map(|waiting| (waiting.job, waiting.reply)).unzip();
        let outcomes = committer.commit(&jobs);
        let failing = outcomes.iter().all(|outcome| outcome.as_ref().is_err_and(StoreError::is_transient));
        shared.failing.store(failing, Ordering::Relaxed);
        // Readers of the log are told first, because they have more to do than the callers.
        heads.announce(committer.size());
        for (reply, answer) in replies.into_iter().zip(outcomes.into_iter().zip(jobs)) {
            // If the caller is gone, its job was done all the same.
            let _ = reply.send(answer);
        }
        if checkpointer.committed(committer.wal_pages()) {
            committer.checkpoint_wal();
        }
    }
}
