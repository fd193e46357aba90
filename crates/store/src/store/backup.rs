//! Backup: a consistent copy while the store is in use. Restore: a copy put back as a new log.

use std::path::Path;

use countersign_ledger::VerifyingKey;

use super::{Location, backend::on_database};
use crate::{error::Result, seams::Seams};

/// Copies a store to `target`, which must not exist. Returns the number of events in the copy.
///
/// The copy has a signed checkpoint over exactly its events, so that it can be verified by itself.
pub fn backup(location: &Location, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    on_database!(location, database => database.backup(target, progress))
}

/// Puts a backup into a store as a new log, with a new key and origin, because the old log may have gone on after the backup.
/// What the old log erased since then is erased again. The old files are kept in a folder of the data directory. If `key`, the
/// old log's key, is given, the backup is verified first, because the new signature would make a changed copy look genuine.
/// Returns the new origin.
pub fn restore(location: &Location, file: &Path, key: Option<&VerifyingKey>, seams: &Seams) -> Result<String> {
    on_database!(location, database => database.restore(file, key, seams))
}
