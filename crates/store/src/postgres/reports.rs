//! Reports: their contents, versions and pages. `reads.rs` says why statements have this form.

use std::cmp::Reverse;

use countersign_domain::{AlertId, InvestigationId, ReportId, Severity, StoredEvent, payload::ReportType};
use countersign_ledger::HashedText;
use tokio_postgres::Row;

use super::{
    PostgresStore,
    reads::{self, score},
    session::Session,
    values::{Columns, SqlValue, before, corrupt, page_limit, values},
};
use crate::{
    error::Result,
    investigations::{LIST_MAX, ReportEntry, ReportQuery},
};

impl PostgresStore {
    pub(crate) async fn report(&self, id: &ReportId) -> Result<Option<ReportEntry>> {
        let id = id.clone();
        self.read(move |session| async move { find(&session, &id).await }).await
    }

    pub(crate) async fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        let id = id.clone();
        self.read(move |session| async move { content(&session, &id).await }).await
    }

    pub(crate) async fn reports(&self, query: ReportQuery) -> Result<Vec<ReportEntry>> {
        self.read(move |session| async move { page(&session, &query).await }).await
    }

    pub(crate) async fn report_versions(&self, id: &ReportId) -> Result<Vec<ReportEntry>> {
        let id = id.clone();
        self.read(move |session| async move { versions(&session, &id).await }).await
    }

    pub(crate) async fn current_report(&self, alert: &AlertId, report_type: ReportType) -> Result<Option<ReportEntry>> {
        let alert = alert.clone();
        self.read(move |session| async move { current(&session, &alert, report_type).await }).await
    }

    pub(crate) async fn reports_of(&self, investigation: InvestigationId) -> Result<Vec<ReportEntry>> {
        let id = investigation.to_string();
        self.read(move |session| async move {
            let mut entries = entries(&session, CURRENT_OF_CASE_SQL, values![page_limit(LIST_MAX), id]).await?;
            entries.sort_by_key(|entry| Reverse(entry.seq));
            Ok(entries)
        })
        .await
    }

    pub(crate) async fn reviews_of(&self, investigation: InvestigationId) -> Result<Vec<StoredEvent>> {
        let id = investigation.to_string();
        self.read(move |session| async move {
            reads::events_of(&session, REVIEWS_SQL, values![id, page_limit(LIST_MAX)]).await
        })
        .await
    }
}

// Contents.

pub(super) async fn content(session: &Session, id: &ReportId) -> Result<Option<(String, String)>> {
    let row = stored_row(session, id).await?;
    row.map(|row| Ok((row.column(0)?, row.column(1)?))).transpose()
}

/// A report's text with the hash and the alert that its event names.
pub(super) struct StoredContent {
    pub(super) content: HashedText,
    pub(super) content_hash: String,
    pub(super) alert_id: AlertId,
}

/// `None` if there is no such report, if it was erased, or if it isn't about an alert.
pub(super) async fn stored(session: &Session, id: &ReportId) -> Result<Option<StoredContent>> {
    let Some(row) = stored_row(session, id).await? else { return Ok(None) };
    let Some(alert_id) = row.parsed_if_any(2)? else { return Ok(None) };
    Ok(Some(StoredContent { content: HashedText::new(row.column(0)?), content_hash: row.column(1)?, alert_id }))
}

/// A row with a report's text, the hash in its event, and its alert. `None` if there is no such report or it was erased.
async fn stored_row(session: &Session, id: &ReportId) -> Result<Option<Row>> {
    let sql = "SELECT b.content, e.content_hash, e.fraud_detection_id FROM countersign.report_entries e
               JOIN countersign.report_bodies b ON b.seq = e.seq WHERE e.id = $1";
    session.row_if_any(sql, values![id.as_str()]).await
}

// Versions.

macro_rules! columns {
    () => {
        "SELECT e.seq, e.id, e.investigation_id, e.report_type, e.version, e.fraud_detection_id,
           e.transaction_id, e.severity, e.risk_score, e.content_hash, e.generated_at, e.regeneration_of, s.state,
           EXISTS (SELECT 1 FROM countersign.report_entries n WHERE n.investigation_id = e.investigation_id
                   AND n.report_type = e.report_type AND n.version > e.version)"
    };
}

macro_rules! not_replaced {
    () => {
        " NOT EXISTS (SELECT 1 FROM countersign.report_entries n WHERE n.investigation_id = e.investigation_id
            AND n.report_type = e.report_type AND n.version > e.version)"
    };
}

/// The reports that match a condition. They are sorted, so it must select few, such as all versions of one report.
macro_rules! versions_sql {
    ($($which:expr),+) => {
        concat!(
            columns!(),
            " FROM countersign.report_entries e LEFT JOIN countersign.report_states s ON s.seq = e.seq WHERE ",
            $($which,)+
            " ORDER BY e.version DESC LIMIT $1"
        )
    };
}

const FIND_SQL: &str = versions_sql!("e.id = $2");
const VERSIONS_SQL: &str = versions_sql!(
    "(e.investigation_id, e.report_type) =
     (SELECT o.investigation_id, o.report_type FROM countersign.report_entries o WHERE o.id = $2)"
);
const OF_TYPE_SQL: &str = versions_sql!("e.investigation_id = $2 AND e.report_type = $3");
const CURRENT_OF_CASE_SQL: &str = versions_sql!("e.investigation_id = $2 AND", not_replaced!());

pub(super) async fn find(session: &Session, id: &ReportId) -> Result<Option<ReportEntry>> {
    Ok(entries(session, FIND_SQL, values![1_i64, id.as_str()]).await?.pop())
}

/// All versions of this report, newest first.
pub(super) async fn versions(session: &Session, id: &ReportId) -> Result<Vec<ReportEntry>> {
    entries(session, VERSIONS_SQL, values![page_limit(LIST_MAX), id.as_str()]).await
}

pub(super) async fn current(
    session: &Session,
    alert: &AlertId,
    report_type: ReportType,
) -> Result<Option<ReportEntry>> {
    let id = InvestigationId::of_alert(alert).to_string();
    Ok(entries(session, OF_TYPE_SQL, values![1_i64, id, report_type.as_str()]).await?.pop())
}

async fn entries(session: &Session, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<ReportEntry>> {
    session.rows(sql, values).await?.iter().map(entry).collect()
}

fn entry(row: &Row) -> Result<ReportEntry> {
    let type_name = row.text(3)?;
    let report_type = ReportType::ALL.into_iter().find(|known| known.as_str() == type_name);
    let risk_score = row.column::<Option<i64>>(8)?.map(|_| score(row, 8)).transpose()?;
    Ok(ReportEntry {
        seq: row.number(0)?,
        id: row.parsed(1)?,
        investigation_id: row.parsed(2)?,
        report_type: report_type.ok_or_else(|| corrupt("a report has an unknown type"))?,
        version: u32::try_from(row.number(4)?).map_err(corrupt)?,
        fraud_detection_id: row.parsed_if_any(5)?,
        transaction_id: row.parsed_if_any(6)?,
        severity: row.parsed_if_any(7)?,
        risk_score,
        content_hash: row.column(9)?,
        generated_at: row.parsed_if_any(10)?,
        regeneration_of: row.parsed_if_any(11)?,
        state: row.parsed_if_any(12)?,
        is_current: !row.column::<bool>(13)?,
    })
}

// Pages.

/// The reports at the positions that a statement selects, newest first.
macro_rules! page_sql {
    ($($keys:expr),+) => {
        concat!(
            "WITH keys AS MATERIALIZED (",
            $($keys,)+
            ") ",
            columns!(),
            " FROM keys k JOIN countersign.report_entries e ON e.seq = k.seq
              LEFT JOIN countersign.report_states s ON s.seq = e.seq ORDER BY e.seq DESC"
        )
    };
}

const ALL_SQL: &str = page_sql!(
    "SELECT e.seq FROM countersign.report_entries e WHERE e.seq < $1 AND e.content_hash IS NOT NULL AND",
    not_replaced!(),
    " ORDER BY e.seq DESC LIMIT $2"
);

/// One user's reports are few, so all of them are read and sorted.
const OF_USER_SQL: &str = page_sql!(
    "WITH found AS MATERIALIZED (
       SELECT e.seq FROM countersign.alerts a
       JOIN countersign.report_entries e ON e.fraud_detection_id = a.alert_id
       LEFT JOIN countersign.report_states s ON s.seq = e.seq
       WHERE a.user_id = $3 AND e.seq < $1 AND ($4 IS NULL OR e.severity = $4) AND ($5 IS NULL OR e.report_type = $5)
         AND ($6 IS NULL OR s.state = $6) AND",
    not_replaced!(),
    ") SELECT seq FROM found ORDER BY seq DESC LIMIT $2"
);

const IN_STATE_SQL: &str = page_sql!(
    "SELECT s.seq FROM countersign.report_states s
     CROSS JOIN LATERAL (
       SELECT 1 FROM countersign.report_entries e
       WHERE e.seq = s.seq AND e.content_hash IS NOT NULL AND ($4 IS NULL OR e.severity = $4)
         AND ($5 IS NULL OR e.report_type = $5) AND",
    not_replaced!(),
    " LIMIT 1) e
     WHERE (s.state, s.seq) < ($3, $1) AND s.state >= $3 ORDER BY s.state DESC, s.seq DESC LIMIT $2"
);

const OF_SEVERITIES_SQL: &str = page_sql!(
    "SELECT k.seq FROM unnest($3) AS v(severity) CROSS JOIN unnest($4) AS t(report_type)
     CROSS JOIN LATERAL (
       SELECT e.seq FROM countersign.report_entries e
       WHERE (e.severity, e.report_type, e.seq) >= (v.severity, t.report_type, 0)
         AND (e.severity, e.report_type, e.seq) < (v.severity, t.report_type, $1) AND",
    not_replaced!(),
    " ORDER BY e.severity DESC, e.report_type DESC, e.seq DESC LIMIT $2) k
     ORDER BY k.seq DESC LIMIT $2"
);

/// A page, read in the order of an index: that of states, that of severities and types, or the primary key.
pub(super) async fn page(session: &Session, query: &ReportQuery) -> Result<Vec<ReportEntry>> {
    let (until, limit) = (before(query.before), page_limit(query.limit));
    let severity = query.severity.map(Severity::in_capitals);
    let report_type = query.report_type.map(ReportType::as_str);
    let state = query.status.map(|state| state.as_str());
    if let Some(user) = query.user_id.as_ref().map(|user| user.as_str()) {
        entries(session, OF_USER_SQL, values![until, limit, user, severity, report_type, state]).await
    } else if let Some(state) = state {
        entries(session, IN_STATE_SQL, values![until, limit, state, severity, report_type]).await
    } else if severity.is_none() && report_type.is_none() {
        entries(session, ALL_SQL, values![until, limit]).await
    } else {
        let severities = Severity::ALL.into_iter().filter(|severity| severity.is_investigated());
        let severities = severities.map(Severity::in_capitals).filter(|name| severity.is_none_or(|it| it == *name));
        let types = ReportType::ALL.into_iter().map(ReportType::as_str);
        let types = types.filter(|name| report_type.is_none_or(|it| it == *name));
        let (severities, types): (Vec<_>, Vec<_>) = (severities.collect(), types.collect());
        entries(session, OF_SEVERITIES_SQL, values![until, limit, severities, types]).await
    }
}

/// Some decisions name their investigation, others only its report.
const REVIEWS_SQL: &str = "WITH found AS MATERIALIZED (
       SELECT seq FROM countersign.review_entries WHERE investigation_id = $1
       UNION ALL SELECT r.seq FROM countersign.report_entries e
       JOIN countersign.review_entries r ON r.report_id = e.id
       WHERE e.investigation_id = $1 AND r.investigation_id IS NULL),
     keys AS MATERIALIZED (SELECT seq FROM found ORDER BY seq DESC LIMIT $2)
     SELECT l.header, b.payload, b.metadata FROM keys k JOIN countersign.event_log l ON l.seq = k.seq
     LEFT JOIN countersign.event_bodies b ON b.seq = k.seq ORDER BY k.seq DESC";
