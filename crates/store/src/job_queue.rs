//! Jobs that wait for the next commit. Prompt jobs go first. Bulk work goes in turns of one job per commit, so that it delays
//! prompt jobs only briefly.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use crate::{
    error::{Result, StoreError},
    job::{Job, JobOutcome, Priority},
};

/// The maximum weight of a commit's prompt jobs, in rows: enough to share an fsync, few enough to take only milliseconds. A
/// single job may weigh more.
const COMMIT_WEIGHT_MAX: usize = 1024;
/// The maximum number of waiting jobs. Callers bound their work too; this is the last limit.
const WAITING_JOBS_MAX: usize = 16_384;

/// The outcome of a job, and the job itself, so that its memory is freed by the caller and not by the writer.
pub(crate) type Answer = (Result<JobOutcome>, Job);

pub(crate) struct WaitingJob {
    pub(crate) job: Job,
    pub(crate) reply: oneshot::Sender<Answer>,
}

#[derive(Default)]
pub(crate) struct JobQueue {
    prompt: VecDeque<WaitingJob>,
    bulk: VecDeque<WaitingJob>,
    closed: bool,
}

impl JobQueue {
    /// A queue that accepts nothing.
    pub(crate) fn closed() -> Self {
        Self { closed: true, ..Self::default() }
    }

    /// Adds a job. `Closed` or `Busy` if it can't be accepted.
    pub(crate) fn push(&mut self, job: Job, priority: Priority) -> Result<oneshot::Receiver<Answer>> {
        if self.closed {
            return Err(StoreError::Closed);
        }
        if self.len() >= WAITING_JOBS_MAX {
            return Err(StoreError::Busy);
        }
        let (reply, answer) = oneshot::channel();
        let waiting = WaitingJob { job, reply };
        match priority {
            Priority::Prompt => self.prompt.push_back(waiting),
            Priority::Bulk => self.bulk.push_back(waiting),
        }
        Ok(answer)
    }

    /// The jobs of the next commit: as many prompt jobs as fit, and one turn of bulk work.
    pub(crate) fn next(&mut self) -> Vec<WaitingJob> {
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

    pub(crate) fn len(&self) -> usize {
        self.prompt.len() + self.bulk.len()
    }

    /// Accepts no more jobs. Those that are waiting can still be taken.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}
