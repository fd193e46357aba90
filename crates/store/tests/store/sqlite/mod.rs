//! Tests that are particular to the store on SQLite: its files, its schema, and everything that somebody could change in them by
//! hand.
//!
//! | file                                                      | about                                               |
//! |-----------------------------------------------------------|-----------------------------------------------------|
//! | `data_dir.rs`                                             | the files of a data directory, and who may open them|
//! | `backup.rs`                                               | the files of backup and restore                     |
//! | `erasing.rs`                                              | erased bytes are in no file                         |
//! | `append_only.rs`                                          | triggers against changes                            |
//! | `tamper.rs`, `mutations.rs`, `progress_tampering.rs`, `history.rs` | changes by hand, which `verify` finds      |
//! | `logs.rs`, `reports.rs`                                   | views, triggers and files of logs and reports       |
//! | `search_index.rs`                                         | the search index against the log                    |
//! | `populated.rs`                                            | a store with something in every table               |

mod append_only;
mod backup;
mod data_dir;
mod erasing;
mod history;
mod logs;
mod mutations;
pub(crate) mod populated;
mod progress_tampering;
mod reports;
mod search_index;
mod tamper;

use std::path::PathBuf;

use countersign_store::{DataDir, StoreLocation};
use rusqlite::Connection;

/// What SQLite keeps in a data directory.
pub(crate) trait SqliteFiles {
    fn database(&self) -> PathBuf;
    fn search(&self) -> PathBuf;
    fn location(&self) -> StoreLocation;
    fn kept_checkpoints(&self) -> Vec<(u64, String)>;
}

impl SqliteFiles for DataDir {
    fn database(&self) -> PathBuf {
        self.path().join("countersign.db")
    }

    fn search(&self) -> PathBuf {
        self.path().join("search.db")
    }

    fn location(&self) -> StoreLocation {
        StoreLocation::in_dir(self.clone())
    }

    fn kept_checkpoints(&self) -> Vec<(u64, String)> {
        let conn = Connection::open(self.database()).unwrap();
        let mut statement = conn.prepare("SELECT size, note FROM checkpoints ORDER BY size").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    }
}
