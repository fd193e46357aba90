//! Writes log lines to standard error from a dedicated thread.
//!
//! Under load, writing a line from the thread that logs it would cost more than the request itself. Lines that arrive during a
//! write are written together by the next one. Nothing is dropped: if the buffer is full, the thread that logs waits.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError},
};

use tracing_subscriber::fmt::MakeWriter;

use super::failure::Failure;

const BUFFER_BYTES_MAX: usize = 1024 * 1024;

static LOG_LINES: LazyLock<Arc<LogBuffer>> = LazyLock::new(Arc::default);

#[derive(Default)]
struct LogBuffer {
    state: Mutex<PendingLines>,
    /// Signals that there is something to write.
    filled: Condvar,
    /// Signals that something was written.
    emptied: Condvar,
}

#[derive(Default)]
struct PendingLines {
    buffer: Vec<u8>,
    is_writing: bool,
}

/// The writer of the tracing subscriber.
#[derive(Clone)]
pub(super) struct LogLines(Arc<LogBuffer>);

impl LogLines {
    pub(super) fn start() -> Result<Self, Failure> {
        let shared = Arc::clone(&LOG_LINES);
        let writing = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || writing.write_forever())
            .map_err(|error| Failure::new(format!("could not start the logging thread: {error}")))?;
        Ok(Self(shared))
    }
}

/// Waits until all lines logged so far are written.
pub(super) fn flush() {
    let mut state = LOG_LINES.lock();
    while !state.buffer.is_empty() || state.is_writing {
        state = LOG_LINES.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

impl LogBuffer {
    fn lock(&self) -> MutexGuard<'_, PendingLines> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_forever(&self) {
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
            // The server runs even if nothing reads its log.
            let _ = io::stderr().lock().write_all(&batch);
            batch.clear();
        }
    }
}

impl Write for LogLines {
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

impl MakeWriter<'_> for LogLines {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}
