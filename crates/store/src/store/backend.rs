//! Which database a store is kept in.
//!
//! [`crate::Store::open`], verification, bundles, snapshots, backup and restore work on a data directory and call `sqlite/` directly, not
//! through [`on_backend`].

use crate::sqlite::SqliteStore;

/// The database behind a [`crate::Store`]. An enum instead of a trait, because every backend is known here, and callers of
/// the store need neither a type parameter nor a trait object.
#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(SqliteStore),
}

/// Makes the same call on whichever backend it is: `on_backend!(self, backend => backend.events(query).await)`.
macro_rules! on_backend {
    ($store:expr, $backend:ident => $call:expr) => {
        match &$store.backend {
            $crate::store::backend::Backend::Sqlite($backend) => $call,
        }
    };
}
pub(super) use on_backend;
