//! Reading reports of a store that another process may be using, for commands that run beside the server.

use countersign_domain::{ReportId, payload::ReportAddendumAdded};

use super::{Location, backend::on_database};
use crate::{
    error::Result,
    investigations::{LIST_MAX, ReportEntry, ReportQuery},
};

/// The reports of a store. It takes no lock and writes nothing. Each read shows the moment at which it is made.
pub struct ReportReader {
    location: Location,
}

impl ReportReader {
    /// Fails if there is no store that this version can read.
    pub fn open(location: &Location) -> Result<Self> {
        on_database!(location, database => database.check_readable())?;
        Ok(Self { location: location.clone() })
    }

    /// A page of reports, in their current versions.
    pub fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        let query = ReportQuery { limit: query.limit.min(LIST_MAX), ..query.clone() };
        on_database!(self.location, database => database.reports(&query))
    }

    /// The exact text that was stored, and its SHA-256 in hex.
    pub fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        on_database!(self.location, database => database.report_content(id))
    }

    /// What people added to a report and to the versions that it replaced, oldest first.
    pub fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        on_database!(self.location, database => database.addenda(report_id))
    }
}
