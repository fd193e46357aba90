//! The one writer: a thread that takes what is waiting, commits it with one fsync, and answers everybody at once.
//!
//! Work that somebody waits for goes first; bulk goes in turns of one job per commit, so that it delays nobody for long.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

use tokio::sync::oneshot;

use super::{checkpointer::Checkpointer, commit::Core, heads::Heads};
use crate::{
    error::{Result, StoreError},
    job::{Job, JobOutcome, Lane},
};

/// Rows in one commit, roughly: enough to spread an fsync thin, few enough to keep a commit within milliseconds.
const COMMIT_WEIGHT_MAX: usize = 1024;
/// Jobs that may wait. Callers are bounded too; this is the last line.
const WAITING_JOBS_MAX: usize = 16_384;

struct Waiting {
    job: Job,
    /// The job goes back with its outcome, so that its memory is freed on the caller's time and not on the writer's.
    reply: oneshot::Sender<(Result<JobOutcome>, Job)>,
}

#[derive(Default)]
struct Queue {
    prompt: VecDeque<Waiting>,
    bulk: VecDeque<Waiting>,
    closed: bool,
}

impl Queue {
    /// The next commit's work: prompt jobs as far as they fit, and one turn of bulk.
    fn next(&mut self) -> Vec<Waiting> {
        let mut weight = 0;
        let mut batch = Vec::new();
        while let Some(next) = self.prompt.front() {
            weight += next.job.weight();
            if weight > COMMIT_WEIGHT_MAX && !batch.is_empty() {
                break;
            }
            batch.extend(self.prompt.pop_front());
        }
        batch.extend(self.bulk.pop_front());
        batch
    }
}

pub(crate) struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// The last commit failed as a whole.
    failing: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How jobs reach the core.
pub(crate) enum Writer {
    /// By a thread of its own, with group commit.
    Thread { shared: Arc<Shared>, thread: Mutex<Option<JoinHandle<()>>> },
    /// At once, on the caller's thread: one job, one commit. For tests that hold the clock.
    Inline { core: Mutex<Option<Core>>, heads: Heads },
}

impl Writer {
    pub(crate) fn thread(core: Core, heads: Heads, checkpointer: Checkpointer) -> Result<Self> {
        let shared =
            Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new(), failing: AtomicBool::new(false) });
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || write_until_closed(&theirs, core, &heads, checkpointer))
            .map_err(StoreError::io("the writer's thread could not be started"))?;
        Ok(Self::Thread { shared, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn inline(core: Core, heads: Heads) -> Self {
        Self::Inline { core: Mutex::new(Some(core)), heads }
    }

    /// Hands a job over. It is carried out even if the caller stops waiting for the answer.
    pub(crate) async fn submit(&self, job: Job, lane: Lane) -> Result<JobOutcome> {
        match self {
            Self::Thread { shared, .. } => {
                let (reply, answer) = oneshot::channel();
                {
                    let mut queue = shared.lock();
                    if queue.closed {
                        return Err(StoreError::Closed);
                    }
                    if queue.prompt.len() + queue.bulk.len() >= WAITING_JOBS_MAX {
                        return Err(StoreError::Busy);
                    }
                    let waiting = Waiting { job, reply };
                    match lane {
                        Lane::Prompt => queue.prompt.push_back(waiting),
                        Lane::Bulk => queue.bulk.push_back(waiting),
                    }
                }
                shared.wake.notify_one();
                answer.await.map_or(Err(StoreError::Closed), |(outcome, _job)| outcome)
            }
            Self::Inline { core, heads } => {
                let mut core = core.lock().unwrap_or_else(PoisonError::into_inner);
                let core = core.as_mut().ok_or(StoreError::Closed)?;
                let outcome = core.commit(&[job]).pop().unwrap_or(Err(StoreError::Closed));
                heads.show(core.size());
                outcome
            }
        }
    }

    pub(crate) fn is_writable(&self) -> bool {
        match self {
            Self::Thread { shared, .. } => !shared.failing.load(Ordering::Relaxed) && !shared.lock().closed,
            Self::Inline { core, .. } => core.lock().unwrap_or_else(PoisonError::into_inner).is_some(),
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        match self {
            Self::Thread { shared, .. } => {
                let queue = shared.lock();
                queue.prompt.len() + queue.bulk.len()
            }
            Self::Inline { .. } => 0,
        }
    }

    /// Finishes what is waiting and closes the database. Blocks.
    pub(crate) fn close(&self) {
        match self {
            Self::Thread { shared, thread } => {
                shared.lock().closed = true;
                shared.wake.notify_one();
                let thread = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
                if thread.is_some_and(|thread| thread.join().is_err()) {
                    tracing::error!("the writer's thread had panicked");
                }
            }
            Self::Inline { core, .. } => drop(core.lock().unwrap_or_else(PoisonError::into_inner).take()),
        }
    }
}

/// However the thread ends, nobody may go on waiting for it.
struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        *queue = Queue { closed: true, ..Queue::default() };
    }
}

/// The checkpointer goes before the core: whoever closes last folds everything in.
fn write_until_closed(shared: &Shared, mut core: Core, heads: &Heads, mut checkpointer: Checkpointer) {
    let _ending = Ending(shared);
    loop {
        let batch = {
            let mut queue = shared.lock();
            loop {
                let batch = queue.next();
                if !batch.is_empty() {
                    break batch;
                }
                if queue.closed {
                    return;
                }
                queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let (jobs, replies): (Vec<_>, Vec<_>) = batch.into_iter().map(|waiting| (waiting.job, waiting.reply)).unzip();
        let outcomes = core.commit(&jobs);
        let failing = outcomes.iter().all(|outcome| outcome.as_ref().is_err_and(StoreError::is_transient));
        shared.failing.store(failing, Ordering::Relaxed);
        // Consumers first: they need the time more than the callers, who only read an answer.
        heads.show(core.size());
        for (reply, answer) in replies.into_iter().zip(outcomes.into_iter().zip(jobs)) {
            // A caller that went away has its job done all the same.
            let _ = reply.send(answer);
        }
        if checkpointer.committed(core.wal_pages()) {
            core.checkpoint_wal();
        }
    }
}
