//! Alerts and investigations: lists with their states, and a user's earlier alerts.

use countersign_domain::{AlertId, AlertState, InvestigationId, Score, Severity, UserId};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter, types::Value};
use serde_json::value::RawValue;

use super::{
    SqliteStore,
    cases::{self, case_columns},
    event_tables::{ALERTS, INVESTIGATIONS},
    reads::{before, corrupt, page_limit, read_event},
};
use crate::{
    error::Result,
    investigations::{
        AlertEntry, AlertQuery, CaseState, InvestigationEntry, InvestigationQuery, PriorAlert, PriorAlerts,
    },
};

impl SqliteStore {
    pub(crate) async fn alerts(&self, query: AlertQuery) -> Result<Vec<AlertEntry>> {
        self.read(move |conn| match alerts_sql(&query) {
            Some((sql, values)) => alerts(conn, &sql, values),
            None => Ok(Vec::new()),
        })
        .await
    }

    pub(crate) async fn alert(&self, id: &AlertId) -> Result<Option<AlertEntry>> {
        let id = id.clone();
        self.read(move |conn| alert(conn, &id)).await
    }

    pub(crate) async fn investigations(&self, query: InvestigationQuery) -> Result<Vec<InvestigationEntry>> {
        self.read(move |conn| {
            let (sql, values) = investigations_sql(&query);
            investigations(conn, &sql, values)
        })
        .await
    }

    pub(crate) async fn investigation(&self, id: InvestigationId) -> Result<Option<InvestigationEntry>> {
        self.read(move |conn| investigation(conn, &id.to_string())).await
    }

    pub(crate) async fn case(&self, id: InvestigationId) -> Result<Option<CaseState>> {
        self.read(move |conn| cases::find(conn, id)).await
    }
}

fn position(conn: &Connection, sql: &str, id: &str) -> Result<Option<i64>> {
    Ok(conn.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
}

pub(super) fn alert(conn: &Connection, id: &AlertId) -> Result<Option<AlertEntry>> {
    let Some(seq) = position(conn, ALERTS.find_seq, id.as_str())? else { return Ok(None) };
    let sql = format!("{ALERT_COLUMNS} WHERE l.seq = ?");
    Ok(alerts(conn, &sql, [Value::Integer(seq)])?.pop())
}

pub(super) fn investigation(conn: &Connection, id: &str) -> Result<Option<InvestigationEntry>> {
    let Some(seq) = position(conn, INVESTIGATIONS.find_seq, id)? else { return Ok(None) };
    let sql = format!("{INVESTIGATION_COLUMNS} WHERE i.seq = ?");
    Ok(investigations(conn, &sql, [Value::Integer(seq)])?.pop())
}

const ALERT_COLUMNS: &str = concat!(
    "SELECT l.header, b.payload, b.metadata, ",
    case_columns!(),
    " FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq LEFT JOIN case_states c ON c.alert_seq = l.seq"
);

const INVESTIGATION_COLUMNS: &str = concat!(
    "SELECT l.header, b.payload, b.metadata, a.payload, ",
    case_columns!(),
    " FROM investigations i CROSS JOIN event_log l ON l.seq = i.seq
     JOIN case_states c ON c.investigation_id = i.investigation_id LEFT JOIN event_bodies b ON b.seq = i.seq
     LEFT JOIN event_bodies a ON a.seq = c.alert_seq"
);

fn alerts(conn: &Connection, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<AlertEntry>> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut alerts = Vec::new();
    while let Some(row) = rows.next()? {
        let is_case = row.get::<_, Option<String>>(3)?.is_some();
        let case = is_case.then(|| cases::read(row, 3)).transpose()?;
        let state = case.as_ref().map_or(AlertState::Recorded, |state| state.case.alert_state());
        alerts.push(AlertEntry { event: read_event(row)?, state, case });
    }
    Ok(alerts)
}

fn investigations(
    conn: &Connection,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<InvestigationEntry>> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let alert: Option<String> = row.get(3)?;
        let alert = alert.map(|alert| RawValue::from_string(alert).map_err(corrupt)).transpose()?;
        entries.push(InvestigationEntry { event: read_event(row)?, case: cases::read(row, 4)?, alert });
    }
    Ok(entries)
}

/// A page, read in the order of an index. If the index begins with a column that the query doesn't restrict, there is one
/// `UNION ALL` arm for each of its values, and SQLite merges them. A plus keeps the planner from using another index. `None` if
/// nothing can match.
fn alerts_sql(query: &AlertQuery) -> Option<(String, Vec<Value>)> {
    let until = before(query.before);
    let (keys, values) = match (&query.user_id, query.status) {
        (Some(user), status) => {
            let severity = query.severity.map(|severity| ("AND +a.severity = ?", text(severity.as_str())));
            let has_status = "AND EXISTS (SELECT 1 FROM case_states c WHERE c.alert_seq = a.seq AND c.alert_state = ?)";
            let status = status.map(|status| match status {
                AlertState::Recorded => ("AND +a.severity = ?", text(Severity::Low.as_str())),
                _ => (has_status, text(status.as_str())),
            });
            let (more, values): (Vec<_>, Vec<_>) = [severity, status].into_iter().flatten().unzip();
            let sql = format!("SELECT a.seq FROM alerts a WHERE a.user_id = ? AND a.seq < ? {}", more.join(" "));
            (sql, [vec![text(user.as_str()), until], values].concat())
        }
        (None, Some(AlertState::Recorded)) => {
            if query.severity.is_some_and(Severity::is_investigated) {
                return None;
            }
            (OF_SEVERITY.to_owned(), vec![text(Severity::Low.as_str()), until])
        }
        (None, Some(status)) => {
            if query.severity.is_some_and(|severity| !severity.is_investigated()) {
                return None;
            }
            let arm = "SELECT c.alert_seq AS seq FROM case_states c CROSS JOIN alerts a ON a.seq = c.alert_seq
                       WHERE c.alert_state = ? AND c.severity = ? AND c.alert_seq < ? AND a.user_id IS NOT NULL";
            by_severity(arm, query.severity, status.as_str(), &until)
        }
        (None, None) => match query.severity {
            Some(severity) => (OF_SEVERITY.to_owned(), vec![text(severity.as_str()), until]),
            None => ("SELECT a.seq FROM alerts a WHERE a.seq < ? AND +a.user_id IS NOT NULL".into(), vec![until]),
        },
    };
    Some(page(ALERT_COLUMNS, "l.seq", &keys, values, query.limit))
}

const OF_SEVERITY: &str = "SELECT a.seq FROM alerts a INDEXED BY alerts_by_severity WHERE a.severity = ? AND a.seq < ?";

fn investigations_sql(query: &InvestigationQuery) -> (String, Vec<Value>) {
    let until = before(query.before);
    let (keys, values) = match (&query.user_id, query.status) {
        (Some(user), status) => {
            let severity = query.severity.map(|severity| ("AND +i.severity = ?", text(severity.as_str())));
            let has_status = "AND EXISTS (SELECT 1 FROM case_states c WHERE c.investigation_id = i.investigation_id
                         AND c.state = ?)";
            let status = status.map(|status| (has_status, text(status.as_str())));
            let (more, values): (Vec<_>, Vec<_>) = [severity, status].into_iter().flatten().unzip();
            let sql =
                format!("SELECT i.seq FROM investigations i WHERE i.user_id = ? AND i.seq < ? {}", more.join(" "));
            (sql, [vec![text(user.as_str()), until], values].concat())
        }
        (None, Some(status)) => {
            let arm =
                "SELECT c.opened_seq AS seq FROM case_states c CROSS JOIN investigations i ON i.seq = c.opened_seq
                       WHERE c.state = ? AND c.severity = ? AND c.opened_seq < ? AND i.user_id IS NOT NULL";
            by_severity(arm, query.severity, status.as_str(), &until)
        }
        (None, None) => match query.severity {
            Some(severity) => (
                "SELECT i.seq FROM investigations i WHERE i.severity = ? AND i.seq < ?".into(),
                vec![text(severity.as_str()), until],
            ),
            None => {
                ("SELECT i.seq FROM investigations i WHERE i.seq < ? AND +i.user_id IS NOT NULL".into(), vec![until])
            }
        },
    };
    page(INVESTIGATION_COLUMNS, "i.seq", &keys, values, query.limit)
}

/// One `UNION ALL` arm per severity, with state, severity and position as its parameters.
fn by_severity(arm: &str, wanted: Option<Severity>, state: &str, until: &Value) -> (String, Vec<Value>) {
    let severities: Vec<_> =
        Severity::ALL.into_iter().filter(|known| wanted.is_none_or(|wanted| wanted == *known)).collect();
    let values = severities.iter().flat_map(|severity| [text(state), text(severity.as_str()), until.clone()]).collect();
    (vec![arm; severities.len()].join(" UNION ALL "), values)
}

fn page(columns: &str, seq: &str, keys: &str, mut values: Vec<Value>, limit: usize) -> (String, Vec<Value>) {
    values.push(page_limit(limit));
    let keys = format!("SELECT seq FROM ({keys} ORDER BY seq DESC LIMIT ?)");
    (format!("{columns} WHERE {seq} IN ({keys}) ORDER BY {seq} DESC"), values)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Counts by severity, from low to critical.
const PRIOR_SQL: &str = "SELECT count(*) FILTER (WHERE severity = 'low'), count(*) FILTER (WHERE severity = 'medium'),
       count(*) FILTER (WHERE severity = 'high'), count(*) FILTER (WHERE severity = 'critical')
     FROM alerts WHERE user_id = ? AND seq < ?";

const NEWEST_SQL: &str = "SELECT a.seq, a.alert_id, l.header ->> '$.occurred_at', a.severity, a.score
     FROM alerts a CROSS JOIN event_log l ON l.seq = a.seq
     WHERE a.user_id = ? AND a.seq < ? ORDER BY a.seq DESC LIMIT ?";

pub(super) fn prior_alerts(conn: &Connection, user: &UserId, before_seq: u64, limit: usize) -> Result<PriorAlerts> {
    let until = before(Some(before_seq));
    let by_severity = conn
        .prepare_cached(PRIOR_SQL)?
        .query_row(params![user.as_str(), until], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    let mut prior = PriorAlerts { by_severity, newest: Vec::new() };
    let mut statement = conn.prepare_cached(NEWEST_SQL)?;
    let mut rows = statement.query(params![user.as_str(), until, page_limit(limit)])?;
    while let Some(row) = rows.next()? {
        prior.newest.push(PriorAlert {
            seq: row.get(0)?,
            alert_id: row.get::<_, String>(1)?.try_into().map_err(corrupt)?,
            created_at: super::reads::time(row, 2)?,
            severity: row.get_ref(3)?.as_str().map_err(corrupt)?.parse().map_err(corrupt)?,
            score: Score::new(row.get(4)?).map_err(corrupt)?,
        });
    }
    Ok(prior)
}

#[cfg(test)]
mod tests {
    use countersign_domain::State;

    use super::*;
    use crate::sqlite::reads::tests::check_plan;

    #[test]
    fn a_page_of_alerts_is_read_through_an_index() {
        let (severity, user_id) = (Some(Severity::High), Some("u".parse().unwrap()));
        let any = AlertQuery::default;
        for (query, index) in [
            (any(), "INTEGER PRIMARY KEY (rowid<?)"),
            (AlertQuery { severity, ..any() }, "alerts_by_severity (severity=? AND rowid<?)"),
            (AlertQuery { user_id: user_id.clone(), ..any() }, "alerts_by_user (user_id=? AND seq<?)"),
            (
                AlertQuery { user_id, severity, status: Some(AlertState::Open), ..any() },
                "alerts_by_user (user_id=? AND seq<?)",
            ),
            (AlertQuery { status: Some(AlertState::Recorded), ..any() }, "alerts_by_severity (severity=? AND rowid<?)"),
            (
                AlertQuery { status: Some(AlertState::Open), ..any() },
                "case_states_by_alert_state (alert_state=? AND severity=? AND alert_seq<?)",
            ),
        ] {
            let (sql, values) = alerts_sql(&query).unwrap();
            check_plan(&sql, values, &[index, "case_states_by_alert (alert_seq=?)"]);
        }
    }

    #[test]
    fn a_page_of_investigations_is_read_through_an_index() {
        let (severity, user_id) = (Some(Severity::High), Some("u".parse().unwrap()));
        let any = InvestigationQuery::default;
        for (query, index) in [
            (any(), "INTEGER PRIMARY KEY (rowid<?)"),
            (InvestigationQuery { severity, ..any() }, "investigations_by_severity (severity=? AND rowid<?)"),
            (
                InvestigationQuery { user_id, severity, status: Some(State::Open), ..any() },
                "investigations_by_user (user_id=? AND rowid<?)",
            ),
            (
                InvestigationQuery { status: Some(State::InReview), ..any() },
                "case_states_by_state (state=? AND severity=? AND opened_seq<?)",
            ),
        ] {
            let (sql, values) = investigations_sql(&query);
            check_plan(&sql, values, &[index]);
        }
    }

    #[test]
    fn a_users_earlier_alerts_are_read_through_an_index() {
        let (one, user) = (|| Value::Integer(1), text("u"));
        check_plan(PRIOR_SQL, [user.clone(), one()], &["COVERING INDEX alerts_by_user (user_id=? AND seq<?)"]);
        check_plan(NEWEST_SQL, [user, one(), one()], &["alerts_by_user (user_id=? AND seq<?)"]);
    }
}
