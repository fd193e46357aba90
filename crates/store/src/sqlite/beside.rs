//! Reading a store that another process may have open.

use countersign_domain::{ReportId, payload::ReportAddendumAdded};
use rusqlite::Connection;

use super::{addenda, readers::open_read_only, reports, schema};
use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
    investigations::{ReportEntry, ReportQuery},
};

pub(crate) struct SqliteSnapshot(Connection);

impl SqliteSnapshot {
    pub(crate) fn open(dir: &DataDir) -> Result<Self> {
        let path = dir.database();
        if !path.exists() {
            return Err(StoreError::Io { what: path.display().to_string(), error: "there is no store here".into() });
        }
        let conn = open_read_only(&path)?;
        schema::check_current(&conn)?;
        Ok(Self(conn))
    }

    pub(crate) fn reports(&self, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
        reports::page(&self.0, query)
    }

    pub(crate) fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        reports::content(&self.0, id)
    }

    pub(crate) fn addenda(&self, report_id: &ReportId) -> Result<Vec<ReportAddendumAdded>> {
        Ok(addenda::of_report(&self.0, report_id)?.into_iter().map(|(_, addendum)| addendum).collect())
    }
}
