//! The search index: the words of logs, and counts per minute, hour and day.
//!
//! It is derived and not part of the ledger. It is filled behind the log, and if its tables are emptied, it is rebuilt. Logs that
//! it doesn't have yet are read from the log instead, so searches find the same, but take longer.
//!
//! | file             | job                                                         |
//! |------------------|-------------------------------------------------------------|
//! | `vectors.rs`     | words as Postgres stores and searches them                  |
//! | `bodies.rs`      | reads logs in batches that fit into memory                  |
//! | `fill.rs`        | fills the index from the log                                |
//! | `text.rs`        | finds logs by their words                                   |
//! | `windows.rs`     | which positions a search looks at, and in which order       |
//! | `verify.rs`      | checks the index against the log, and rebuilds it           |

mod bodies;
pub(super) mod fill;
pub(super) mod text;
pub(super) mod vectors;
pub(super) mod verify;
mod windows;

use super::{
    session::Session,
    values::{Columns as _, values},
};
use crate::error::Result;

/// How far the log and the index have got.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// The position that the next event will have.
    pub(super) size: u64,
    /// The logs before this position are in the index.
    pub(super) indexed: u64,
}

impl Extent {
    pub(super) async fn read(session: &Session) -> Result<Self> {
        let sql = "SELECT coalesce((SELECT size FROM countersign.ledger_head WHERE id = 1), 0),
                          coalesce((SELECT next_seq FROM countersign.search_progress WHERE id = 1), 0)";
        let row = session.row(sql, values![]).await?;
        let size = row.number(0)?;
        Ok(Self { size, indexed: row.number(1)?.min(size) })
    }
}
