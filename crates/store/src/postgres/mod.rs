//! The store on Postgres.
#![allow(dead_code, unused_imports, unused_macros, reason = "being built")]

mod address;
mod session;
mod values;

use std::{future::Future, sync::Arc};

use crate::error::Result;
use session::{Session, Sessions, Threads};

/// A store on an open Postgres database. Clones share it.
#[derive(Clone)]
pub(crate) struct PostgresStore {
    inner: Arc<Inner>,
}

struct Inner {
    threads: Threads,
    sessions: Sessions,
}

impl PostgresStore {
    /// Runs a read in a session of its own.
    async fn read<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        self.inner.threads.run(session::read(self.inner.sessions.clone(), read)).await
    }

    /// Like `read`, but everything that is read is as of one moment.
    async fn read_snapshot<T, Read>(&self, read: impl FnOnce(Session) -> Read + Send + 'static) -> Result<T>
    where
        T: Send + 'static,
        Read: Future<Output = Result<T>> + Send + 'static,
    {
        self.inner.threads.run(session::read_snapshot(self.inner.sessions.clone(), read)).await
    }
}
