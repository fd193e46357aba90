//! Reading reports of a store that another process may be using, for commands that run beside the server.

use countersign_domain::{ReportId, payload::ReportAddendumAdded};

use crate::{
    data_dir::DataDir,
    error::Result,
    investigations::{LIST_MAX, ReportEntry, ReportQuery},
    sqlite::SqliteSnapshot,
};

/// The reports of a store. It takes no lock and writes nothing. Each read is of the moment at which it is made.
pub struct Snapshot(SqliteSnapshot);

impl Snapshot {
    pub fn open(dir: &DataDir) -> Result<Self> {
        SqliteSnapshot::open(dir).map(Self)
    }

    /// A page of reports, in their current versions.
    pub fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        self.0.reports(&ReportQuery { limit: query.limit.min(LIST_MAX), ..query.clone() })
    }

    /// The exact text that was stored, and its SHA-256 in hex.
    pub fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        self.0.report_content(id)
    }

    /// What people added to a report and to the versions that it replaced, oldest first.
    pub fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        self.0.addenda(report_id)
    }
}
