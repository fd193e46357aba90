//! Reading reports of a store that another process may be using, for commands that run while a server is running.

use countersign_domain::{ReportId, payload::ReportAddendumAdded};

use super::{StoreLocation, backend::on_database};
use crate::{
    error::Result,
    investigations::{LIST_MAX, ReportEntry, ReportQuery},
};

/// The reports of a store. It takes no lock and writes nothing. Each read sees the store as it is at that moment.
pub struct ReportReader {
    location: StoreLocation,
}

impl ReportReader {
    /// Fails if there is no store that this version can read.
    pub fn open(location: &StoreLocation) -> Result<Self> {
        on_database!(location, database => database.check_readable())?;
        Ok(Self { location: location.clone() })
    }

    /// A page of reports in their current versions, newest first, without erased ones.
    pub fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        let query = ReportQuery { limit: query.limit.min(LIST_MAX), ..query.clone() };
        on_database!(self.location, database => database.reports(&query))
    }

    /// The exact text that was stored, and the SHA-256 in hex that its event contains. `None` if the report was erased or the
    /// id is unknown.
    pub fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        on_database!(self.location, database => database.report_content(id))
    }

    /// What people added to a report and to the versions that it replaced, oldest first, without erased addenda.
    pub fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        on_database!(self.location, database => database.addenda(report_id))
    }
}
