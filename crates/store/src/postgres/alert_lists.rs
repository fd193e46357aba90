//! Alerts and investigations: lists with their states, and a user's earlier alerts. `reads.rs` says why statements have this form.

use countersign_domain::{AlertId, AlertState, Header, InvestigationId, Severity, UserId};
use tokio_postgres::Row;

use super::{
    PostgresStore,
    cases::{self, case_columns, case_reports},
    reads::{raw_json_if_any, read_event, score},
    session::Session,
    values::{Columns, SqlValue, before, corrupt, number, page_limit, values},
};
use crate::{
    error::Result,
    investigations::{
        AlertEntry, AlertQuery, CaseState, InvestigationEntry, InvestigationQuery, PriorAlert, PriorAlerts,
    },
};

impl PostgresStore {
    pub(crate) async fn alerts(&self, query: AlertQuery) -> Result<Vec<AlertEntry>> {
        self.read(move |session| async move { alerts_page(&session, &query).await }).await
    }

    pub(crate) async fn alert(&self, id: &AlertId) -> Result<Option<AlertEntry>> {
        let id = id.clone();
        self.read(move |session| async move { alert(&session, &id).await }).await
    }

    pub(crate) async fn investigations(&self, query: InvestigationQuery) -> Result<Vec<InvestigationEntry>> {
        self.read(move |session| async move { investigations_page(&session, &query).await }).await
    }

    pub(crate) async fn investigation(&self, id: InvestigationId) -> Result<Option<InvestigationEntry>> {
        let ids = vec![id.to_string()];
        self.read(move |session| async move { Ok(investigations_with_ids(&session, &ids).await?.pop()) }).await
    }

    pub(crate) async fn case(&self, id: InvestigationId) -> Result<Option<CaseState>> {
        self.read(move |session| async move { cases::find(&session, id).await }).await
    }
}

// Alerts.

/// The alerts at the positions that a statement selects, newest first.
macro_rules! alerts_sql {
    ($keys:literal) => {
        concat!(
            "WITH keys AS MATERIALIZED (",
            $keys,
            ") SELECT l.header, b.payload, b.metadata, ",
            case_columns!(),
            " FROM keys k JOIN countersign.event_log l ON l.seq = k.seq
              LEFT JOIN countersign.event_bodies b ON b.seq = k.seq
              LEFT JOIN countersign.case_states c ON c.alert_seq = k.seq",
            case_reports!(),
            " ORDER BY k.seq DESC"
        )
    };
}

const ALERT_SQL: &str = alerts_sql!("SELECT seq FROM countersign.alerts WHERE alert_id = $1");

const ALL_ALERTS_SQL: &str =
    alerts_sql!("SELECT seq FROM countersign.alerts WHERE seq < $1 AND user_id IS NOT NULL ORDER BY seq DESC LIMIT $2");

const ALERTS_OF_SEVERITY_SQL: &str = alerts_sql!(
    "SELECT seq FROM countersign.alerts WHERE (severity, seq) < ($3, $1) AND severity >= $3
     ORDER BY severity DESC, seq DESC LIMIT $2"
);

/// All severities in the list are wanted at once.
const ALERTS_OF_USER_SQL: &str = alerts_sql!(
    "SELECT a.seq FROM countersign.alerts a
     LEFT JOIN LATERAL (SELECT alert_state FROM countersign.case_states WHERE alert_seq = a.seq LIMIT 1) c ON true
     WHERE (a.user_id, a.seq) < ($3, $1) AND a.user_id >= $3 AND a.severity = ALL ($4)
       AND ($5 IS NULL OR c.alert_state = $5)
     ORDER BY a.user_id DESC, a.seq DESC LIMIT $2"
);

const ALERTS_IN_STATE_SQL: &str = alerts_sql!(
    "SELECT k.seq FROM unnest($4) AS s(severity)
     CROSS JOIN LATERAL (
       SELECT c.alert_seq AS seq FROM countersign.case_states c
       CROSS JOIN LATERAL (
         SELECT 1 FROM countersign.alerts WHERE seq = c.alert_seq AND user_id IS NOT NULL LIMIT 1) a
       WHERE (c.alert_state, c.severity, c.alert_seq) >= ($3, s.severity, 0)
         AND (c.alert_state, c.severity, c.alert_seq) < ($3, s.severity, $1)
       ORDER BY c.alert_state DESC, c.severity DESC, c.alert_seq DESC LIMIT $2) k
     ORDER BY k.seq DESC LIMIT $2"
);

pub(super) async fn alert(session: &Session, id: &AlertId) -> Result<Option<AlertEntry>> {
    Ok(alerts(session, ALERT_SQL, values![id.as_str()]).await?.pop())
}

async fn alerts_page(session: &Session, query: &AlertQuery) -> Result<Vec<AlertEntry>> {
    let (until, limit) = (before(query.before), page_limit(query.limit));
    let low = Severity::Low.as_str();
    match (&query.user_id, query.status) {
        (Some(user), status) => {
            // Alerts that are only recorded have no case. They are those with a low severity.
            let is_recorded = status == Some(AlertState::Recorded);
            let severities: Vec<&str> =
                query.severity.map(Severity::as_str).into_iter().chain(is_recorded.then_some(low)).collect();
            let state = status.filter(|_| !is_recorded).map(AlertState::as_str);
            alerts(session, ALERTS_OF_USER_SQL, values![until, limit, user.as_str(), severities, state]).await
        }
        (None, Some(AlertState::Recorded)) if query.severity.is_some_and(Severity::is_investigated) => Ok(Vec::new()),
        (None, Some(AlertState::Recorded)) => alerts(session, ALERTS_OF_SEVERITY_SQL, values![until, limit, low]).await,
        (None, Some(_)) if query.severity.is_some_and(|severity| !severity.is_investigated()) => Ok(Vec::new()),
        (None, Some(status)) => {
            let severities = severities(query.severity);
            alerts(session, ALERTS_IN_STATE_SQL, values![until, limit, status.as_str(), severities]).await
        }
        (None, None) => match query.severity {
            Some(severity) => alerts(session, ALERTS_OF_SEVERITY_SQL, values![until, limit, severity.as_str()]).await,
            None => alerts(session, ALL_ALERTS_SQL, values![until, limit]).await,
        },
    }
}

async fn alerts(session: &Session, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<AlertEntry>> {
    let read = |row: &Row| {
        let is_case = row.text_if_any(3)?.is_some();
        let case = is_case.then(|| cases::read(row, 3)).transpose()?;
        let state = case.as_ref().map_or(AlertState::Recorded, |state| state.case.alert_state());
        Ok(AlertEntry { event: read_event(row)?, state, case })
    };
    session.rows(sql, values).await?.iter().map(read).collect()
}

/// The names of the wanted severity, or of all.
pub(super) fn severities(wanted: Option<Severity>) -> Vec<&'static str> {
    let wanted = Severity::ALL.into_iter().filter(|known| wanted.is_none_or(|wanted| wanted == *known));
    wanted.map(Severity::as_str).collect()
}

// Investigations.

/// The investigations at the positions that a statement selects, newest first.
macro_rules! investigations_sql {
    ($keys:literal) => {
        concat!(
            "WITH keys AS MATERIALIZED (",
            $keys,
            ") SELECT l.header, b.payload, b.metadata, a.payload, ",
            case_columns!(),
            " FROM keys k JOIN countersign.investigations i ON i.seq = k.seq
              JOIN countersign.event_log l ON l.seq = k.seq
              JOIN countersign.case_states c ON c.investigation_id = i.investigation_id
              LEFT JOIN countersign.event_bodies b ON b.seq = k.seq
              LEFT JOIN countersign.event_bodies a ON a.seq = c.alert_seq",
            case_reports!(),
            " ORDER BY k.seq DESC"
        )
    };
}

const WITH_IDS_SQL: &str =
    investigations_sql!("SELECT seq FROM countersign.investigations WHERE investigation_id = ANY ($1)");

const ALL_INVESTIGATIONS_SQL: &str = investigations_sql!(
    "SELECT seq FROM countersign.investigations WHERE seq < $1 AND user_id IS NOT NULL ORDER BY seq DESC LIMIT $2"
);

const INVESTIGATIONS_OF_SEVERITY_SQL: &str = investigations_sql!(
    "SELECT seq FROM countersign.investigations WHERE (severity, seq) < ($3, $1) AND severity >= $3
     ORDER BY severity DESC, seq DESC LIMIT $2"
);

const INVESTIGATIONS_OF_USER_SQL: &str = investigations_sql!(
    "SELECT i.seq FROM countersign.investigations i
     LEFT JOIN LATERAL (
       SELECT state FROM countersign.case_states WHERE investigation_id = i.investigation_id LIMIT 1) c ON true
     WHERE (i.user_id, i.seq) < ($3, $1) AND i.user_id >= $3 AND ($4 IS NULL OR i.severity = $4)
       AND ($5 IS NULL OR c.state = $5)
     ORDER BY i.user_id DESC, i.seq DESC LIMIT $2"
);

const INVESTIGATIONS_IN_STATE_SQL: &str = investigations_sql!(
    "SELECT k.seq FROM unnest($4) AS s(severity)
     CROSS JOIN LATERAL (
       SELECT c.opened_seq AS seq FROM countersign.case_states c
       CROSS JOIN LATERAL (
         SELECT 1 FROM countersign.investigations WHERE seq = c.opened_seq AND user_id IS NOT NULL LIMIT 1) i
       WHERE (c.state, c.severity, c.opened_seq) >= ($3, s.severity, 0)
         AND (c.state, c.severity, c.opened_seq) < ($3, s.severity, $1)
       ORDER BY c.state DESC, c.severity DESC, c.opened_seq DESC LIMIT $2) k
     ORDER BY k.seq DESC LIMIT $2"
);

/// The investigations with these ids, newest first. Ids without an investigation are left out.
pub(super) async fn investigations_with_ids(session: &Session, ids: &[String]) -> Result<Vec<InvestigationEntry>> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    investigations(session, WITH_IDS_SQL, values![ids]).await
}

async fn investigations_page(session: &Session, query: &InvestigationQuery) -> Result<Vec<InvestigationEntry>> {
    let (until, limit) = (before(query.before), page_limit(query.limit));
    let state = query.status.map(|state| state.as_str());
    let severity = query.severity.map(Severity::as_str);
    match (&query.user_id, state, severity) {
        (Some(user), ..) => {
            let user = user.as_str();
            investigations(session, INVESTIGATIONS_OF_USER_SQL, values![until, limit, user, severity, state]).await
        }
        (None, Some(state), _) => {
            let severities = severities(query.severity);
            investigations(session, INVESTIGATIONS_IN_STATE_SQL, values![until, limit, state, severities]).await
        }
        (None, None, Some(severity)) => {
            investigations(session, INVESTIGATIONS_OF_SEVERITY_SQL, values![until, limit, severity]).await
        }
        (None, None, None) => investigations(session, ALL_INVESTIGATIONS_SQL, values![until, limit]).await,
    }
}

async fn investigations(session: &Session, sql: &str, values: &[SqlValue<'_>]) -> Result<Vec<InvestigationEntry>> {
    let read = |row: &Row| {
        Ok(InvestigationEntry { event: read_event(row)?, case: cases::read(row, 4)?, alert: raw_json_if_any(row, 3)? })
    };
    session.rows(sql, values).await?.iter().map(read).collect()
}

// A user's earlier alerts.

pub(super) async fn prior_alerts(
    session: &Session,
    user: &UserId,
    before_seq: u64,
    limit: usize,
) -> Result<PriorAlerts> {
    let (by_severity, newest) = tokio::try_join!(
        counts_by_severity(session, user, before_seq),
        newest_alerts(session, user, before_seq, limit)
    )?;
    Ok(PriorAlerts { by_severity, newest })
}

/// Counts by severity, from low to critical.
async fn counts_by_severity(session: &Session, user: &UserId, before_seq: u64) -> Result<[u64; 4]> {
    let sql = "SELECT count(*) FILTER (WHERE severity = 'low'), count(*) FILTER (WHERE severity = 'medium'),
                 count(*) FILTER (WHERE severity = 'high'), count(*) FILTER (WHERE severity = 'critical')
               FROM countersign.alerts WHERE user_id = $1 AND seq < $2";
    let row = session.row(sql, values![user.as_str(), number(before_seq)]).await?;
    Ok([row.number(0)?, row.number(1)?, row.number(2)?, row.number(3)?])
}

const NEWEST_SQL: &str = "SELECT a.seq, a.alert_id, l.header, a.severity, a.score FROM countersign.alerts a
     CROSS JOIN LATERAL (SELECT header FROM countersign.event_log WHERE seq = a.seq LIMIT 1) l
     WHERE (a.user_id, a.seq) < ($1, $2) AND a.user_id >= $1 ORDER BY a.user_id DESC, a.seq DESC LIMIT $3";

async fn newest_alerts(session: &Session, user: &UserId, before_seq: u64, limit: usize) -> Result<Vec<PriorAlert>> {
    let read = |row: &Row| {
        let header: Header<'_> = serde_json::from_str(row.text(2)?)?;
        Ok(PriorAlert {
            seq: row.number(0)?,
            alert_id: row.column::<String>(1)?.try_into().map_err(corrupt)?,
            created_at: header.occurred_at,
            severity: row.parsed(3)?,
            score: score(row, 4)?,
        })
    };
    let (until, limit) = (number(before_seq), page_limit(limit));
    session.rows(NEWEST_SQL, values![user.as_str(), until, limit]).await?.iter().map(read).collect()
}
