//! Reading a store that somebody else may be using: reports, for commands beside the server.

use countersign_domain::{ReportId, payload::ReportAddendumAdded};
use rusqlite::Connection;

use super::{addenda, readers::open_read_only, reports, schema};
use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
    investigations::{ReportEntry, ReportQuery},
};

/// A store's reports. It takes no lock and writes nothing.
pub struct Snapshot(Connection);

impl Snapshot {
    pub fn open(dir: &DataDir) -> Result<Self> {
        let path = dir.database();
        if !path.exists() {
            return Err(StoreError::Io { what: path.display().to_string(), error: "there is no store here".into() });
        }
        let conn = open_read_only(&path)?;
        schema::check_current(&conn)?;
        Ok(Self(conn))
    }

    /// A page of reports, in their current versions.
    pub fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        reports::page(&self.0, query)
    }

    /// The exact text that was stored, and its SHA-256 in hex.
    pub fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        reports::content(&self.0, id)
    }

    /// What people added to a report and to those that it replaced, oldest first.
    pub fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        Ok(addenda::of_report(&self.0, report_id)?.into_iter().map(|(_, addendum)| addendum).collect())
    }
}
