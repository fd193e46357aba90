//! Backup makes a consistent copy while the store is in use. Restore puts a copy back as a new log.

use std::path::Path;

use countersign_ledger::VerifyingKey;

use super::StoreLocation;
use crate::{error::Result, seams::Seams};

/// Copies a store, which may be in use, to the file `target`, which must not exist. Returns the number of events in the copy. If
/// copying fails, there is no file of this name. The file has the same format whatever database the store is kept in, so a store
/// can be moved to another database with it.
///
/// The copy is a snapshot of the store, with a signed checkpoint over exactly its events, so that it can be verified by itself.
pub fn backup(location: &StoreLocation, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    location.database.backup(location.dir(), target, progress)
}

/// Replaces a store with a backup, as a new log with a new key and origin, because the old log may have grown after the backup.
/// Returns the new origin.
///
/// What the old log erased since the backup is erased again, if the old store can be read. The old store and its keys are put
/// aside, not deleted. If `key`, the old log's key, is given, the backup is verified first, because the new signature would
/// make a changed copy look genuine. `InUse` if a process has the store open. If it fails before the old store is touched, the
/// old store stays as it was; a store that was left half replaced is refused when it is opened.
pub fn restore(location: &StoreLocation, file: &Path, key: Option<&VerifyingKey>, seams: &Seams) -> Result<String> {
    location.database.restore(location.dir(), file, key, seams)
}
