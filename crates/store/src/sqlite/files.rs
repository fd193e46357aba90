//! The files of a store on SQLite, and what can be done with them while another process may have the store open.

use std::path::PathBuf;

use countersign_domain::{ReportId, payload::ReportAddendumAdded};
use countersign_ledger::VerifyingKey;
use rusqlite::Connection;

use super::{addenda, readers::open_read_only, reports, schema, verify};
use crate::{
    anchor::Anchor,
    check::{EachEvent, LastCheckpoint, Verification},
    data_dir::DataDir,
    error::{Result, StoreError},
    investigations::{ReportEntry, ReportQuery},
};

#[derive(Debug, Clone)]
pub(crate) struct SqliteFiles {
    dir: DataDir,
}

impl SqliteFiles {
    pub(crate) fn of(dir: &DataDir) -> Self {
        Self { dir: dir.clone() }
    }

    /// The directory that the files are in. Its lock protects the database too.
    pub(super) fn dir(&self) -> &DataDir {
        &self.dir
    }

    pub(super) fn database(&self) -> PathBuf {
        self.dir.path().join("countersign.db")
    }

    /// The search index: derived from the database, and rebuilt if it is missing.
    pub(super) fn search(&self) -> PathBuf {
        self.dir.path().join("search.db")
    }

    pub(crate) fn place(&self) -> String {
        self.database().display().to_string()
    }

    /// A file needs nothing before it is opened, and has no roles.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "databases on a server have something to do here"
    )]
    pub(crate) fn prepare(&self, _grant_to: Option<&str>) -> Result<()> {
        Ok(())
    }

    pub(crate) fn check_exists(&self) -> Result<()> {
        let path = self.database();
        if path.exists() {
            return Ok(());
        }
        Err(StoreError::NoStore { place: path.display().to_string() })
    }

    /// A connection that sees the log as it is now, and changes nothing.
    pub(super) fn read_only(&self) -> Result<Connection> {
        self.check_exists()?;
        let conn = open_read_only(&self.database())?;
        schema::check_current(&conn)?;
        Ok(conn)
    }

    pub(crate) fn newest_checkpoint(&self) -> Result<Option<u64>> {
        verify::newest_checkpoint(&self.database())
    }

    pub(crate) fn verify(
        &self,
        key: &VerifyingKey,
        last_checkpoint: &LastCheckpoint<'_>,
        anchors: &[Anchor],
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Verification> {
        verify::verify_database(&self.database(), key, last_checkpoint, anchors, progress)
    }

    /// Calls `each` with every event before `size`, in order.
    pub(crate) fn for_each_event(&self, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
        verify::walk(&self.read_only()?, size, each)
    }

    pub(crate) fn check_readable(&self) -> Result<()> {
        self.read_only().map(drop)
    }

    pub(crate) fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        reports::page(&self.read_only()?, query)
    }

    pub(crate) fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        reports::content(&self.read_only()?, id)
    }

    pub(crate) fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        Ok(addenda::of_report(&self.read_only()?, report_id)?.into_iter().map(|(_, addendum)| addendum).collect())
    }
}
