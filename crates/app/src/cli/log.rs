//! Log lines on their way to standard error: collected, and written by a thread of their own.
//!
//! A line a request, written where it arises, costs more than the request's own work when many come at once. Lines that
//! come while one write is under way share the next. Nothing is dropped: whoever finds the buffer full waits.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError},
};

use tracing_subscriber::fmt::MakeWriter;

use super::failure::Failure;

const BUFFER_BYTES_MAX: usize = 1024 * 1024;

static LINES: LazyLock<Arc<Shared>> = LazyLock::new(Arc::default);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Something to write.
    filled: Condvar,
    /// Something was written.
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    buffer: Vec<u8>,
    is_writing: bool,
}

/// Where the subscriber writes its lines to.
#[derive(Clone)]
pub(super) struct Lines(Arc<Shared>);

impl Lines {
    pub(super) fn start() -> Result<Self, Failure> {
        let shared = Arc::clone(&LINES);
        let writing = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || writing.write_for_ever())
            .map_err(|error| Failure::new(format!("the log's thread could not be started: {error}")))?;
        Ok(Self(shared))
    }
}

/// Waits until every line so far is written.
pub(super) fn flush() {
    let mut state = LINES.lock();
    while !state.buffer.is_empty() || state.is_writing {
        state = LINES.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_for_ever(&self) {
        let mut batch = Vec::new();
        loop {
            let mut state = self.lock();
            state.is_writing = false;
            self.emptied.notify_all();
            while state.buffer.is_empty() {
                state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            std::mem::swap(&mut state.buffer, &mut batch);
            state.is_writing = true;
            drop(state);
            // Nobody may be reading; that is no reason not to serve.
            let _ = io::stderr().lock().write_all(&batch);
            batch.clear();
        }
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        while state.buffer.len() > BUFFER_BYTES_MAX {
            state = self.0.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let was_empty = state.buffer.is_empty();
        state.buffer.extend_from_slice(line);
        drop(state);
        if was_empty {
            self.0.filled.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}
