//! Reads for reviewers: what is waiting and since when, who requested a report, and earlier decisions. `reads.rs` says why
//! statements have this form.

use std::collections::{BTreeSet, HashMap};

use countersign_domain::{EventType, InvestigationId, ReportId, StoredEvent};
use tokio_postgres::Row;

use super::{
    PostgresStore,
    alert_lists::{self, severities},
    json_fields, reads,
    session::Session,
    values::{Columns, before, page_limit, values},
};
use crate::{
    derive::{self, cases::EVENT_TYPES},
    error::Result,
    investigations::{InvestigationEntry, LIST_MAX, OpenReview},
};

impl PostgresStore {
    pub(crate) async fn report_authors(&self, id: &ReportId) -> Result<Vec<String>> {
        let id = id.clone();
        self.read(move |session| async move { authors(&session, AUTHORS_SQL, id.as_str()).await }).await
    }

    pub(crate) async fn case_authors(&self, id: InvestigationId) -> Result<Vec<String>> {
        let id = id.to_string();
        self.read(move |session| async move { authors(&session, CASE_AUTHORS_SQL, &id).await }).await
    }

    pub(crate) async fn open_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<OpenReview>> {
        self.read(move |session| async move { open_reviews(&session, before_seq, limit).await }).await
    }

    pub(crate) async fn decided_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
        self.read(move |session| async move {
            reads::events_of(&session, DECIDED_SQL, values![before(before_seq), page_limit(limit)]).await
        })
        .await
    }
}

// Authors.

/// Selects JSON texts, and for each of them the field that names an author. If a report type is given, the text counts only if it
/// is about a report of this type. A report may replace one of another type, whose authors are its authors too. The API records
/// who posted an alert in the metadata of its event.
macro_rules! authors_sql {
    (of: $reports:literal, in: $case:literal $(, and: $more:literal)?) => {
        concat!(
            "WITH RECURSIVE replaced(id) AS (",
            $reports,
            " UNION SELECT r.regeneration_of FROM replaced JOIN countersign.report_entries r ON r.id = replaced.id
               WHERE r.regeneration_of IS NOT NULL)
             SELECT 'requested_by' AS field, b.payload AS json, NULL AS report_type FROM replaced
             JOIN countersign.report_entries o ON o.id = replaced.id
             JOIN countersign.report_entries e ON e.investigation_id = o.investigation_id
               AND e.report_type = o.report_type AND e.version <= o.version
             JOIN countersign.event_bodies b ON b.seq = e.seq
             UNION ALL SELECT 'requested_by', b.payload, o.report_type FROM replaced
             JOIN countersign.report_entries o ON o.id = replaced.id
             JOIN countersign.event_log l ON l.correlation_id = o.investigation_id::uuid
               AND l.event_type || '' = 'REPORT_REQUESTED'
             JOIN countersign.event_bodies b ON b.seq = l.seq
             UNION ALL SELECT 'posted_by', b.metadata, NULL FROM countersign.case_states c
             JOIN countersign.event_bodies b ON b.seq = c.alert_seq
             WHERE c.investigation_id = ",
            $case
            $(, $more)?
        )
    };
}

const AUTHORS_SQL: &str = authors_sql!(
    of: "SELECT $1 COLLATE \"C\"",
    in: "(SELECT investigation_id FROM countersign.report_entries WHERE id = $1)"
);

/// The last part selects the requests for reports that are still open.
const CASE_AUTHORS_SQL: &str = authors_sql!(
    of: "SELECT e.id FROM countersign.report_entries e JOIN countersign.report_states s ON s.seq = e.seq
         WHERE e.investigation_id = $1 AND s.state = 'in_review'",
    in: "$1",
    and: " UNION ALL SELECT 'requested_by', b.payload, NULL FROM countersign.event_log l
         JOIN countersign.event_bodies b ON b.seq = l.seq
         WHERE l.correlation_id = $1::uuid AND l.event_type || '' = 'REPORT_REQUESTED'
           AND NOT EXISTS (
             SELECT 1 FROM countersign.event_log a
             WHERE a.correlation_id = $1::uuid
               AND a.event_type || '' IN ('REPORT_GENERATED', 'REPORT_SKIPPED', 'REPORT_FAILED')
               AND a.header::json ->> 'causation_id' = l.header::json ->> 'event_id')"
);

async fn authors(session: &Session, sql: &str, id: &str) -> Result<Vec<String>> {
    let rows = session.rows(sql, values![id]).await?;
    let authors = rows.iter().filter_map(|row| author(row).transpose()).collect::<Result<BTreeSet<_>>>()?;
    Ok(authors.into_iter().collect())
}

fn author(row: &Row) -> Result<Option<String>> {
    let (name, json, report_type) = (row.text(0)?, row.text(1)?, row.text_if_any(2)?);
    let is_of_type = match report_type {
        Some(wanted) => json_fields::text(json, &["report_type"])?.as_deref() == Some(wanted),
        None => true,
    };
    if is_of_type { json_fields::text(json, &[name]) } else { Ok(None) }
}

// Decisions.

const DECIDED_SQL: &str = "SELECT l.header, b.payload, b.metadata FROM countersign.review_entries r
     CROSS JOIN LATERAL (SELECT header FROM countersign.event_log WHERE seq = r.seq LIMIT 1) l
     CROSS JOIN LATERAL (SELECT payload, metadata FROM countersign.event_bodies WHERE seq = r.seq LIMIT 1) b
     WHERE r.seq < $1 ORDER BY r.seq DESC LIMIT $2";

// What is waiting.

/// Reads reports in review through the index of their states, and cases without a report through the index of theirs.
const OPEN_SQL: &str = "WITH reports AS MATERIALIZED (
       SELECT s.seq, e.investigation_id AS case_id, e.id AS report_id FROM countersign.report_states s
       CROSS JOIN LATERAL (
         SELECT e.id, e.investigation_id FROM countersign.report_entries e
         JOIN countersign.investigations i ON i.investigation_id = e.investigation_id
         WHERE e.seq = s.seq AND i.user_id IS NOT NULL LIMIT 1) e
       WHERE (s.state, s.seq) < ('in_review', $1) AND s.state >= 'in_review'
       ORDER BY s.state DESC, s.seq DESC LIMIT $2),
     cases AS MATERIALIZED (
       SELECT k.seq, k.case_id, NULL AS report_id FROM unnest($3) AS v(severity)
       CROSS JOIN LATERAL (
         SELECT c.opened_seq AS seq, c.investigation_id AS case_id FROM countersign.case_states c
         CROSS JOIN LATERAL (
           SELECT 1 FROM countersign.investigations WHERE seq = c.opened_seq AND user_id IS NOT NULL LIMIT 1) i
         WHERE (c.state, c.severity, c.opened_seq) >= ('in_review', v.severity, 0)
           AND (c.state, c.severity, c.opened_seq) < ('in_review', v.severity, $1) AND c.report_id IS NULL
         ORDER BY c.state DESC, c.severity DESC, c.opened_seq DESC LIMIT $2) k)
     SELECT seq, case_id, report_id FROM reports UNION ALL SELECT seq, case_id, report_id FROM cases
     ORDER BY seq DESC LIMIT $2";

/// Cases are read in groups of this size, because all events of a group are in memory at once.
const CASES_PER_GROUP: usize = 100;

async fn open_reviews(session: &Session, before_seq: Option<u64>, limit: usize) -> Result<Vec<OpenReview>> {
    let (until, limit, severities) = (before(before_seq), page_limit(limit), severities(None));
    let rows = session.rows(OPEN_SQL, values![until, limit, severities]).await?;
    let mut reviews = Vec::with_capacity(rows.len());
    for rows in rows.chunks(CASES_PER_GROUP) {
        let ids = rows.iter().map(|row| row.text(1)).collect::<Result<BTreeSet<_>>>()?;
        let cases = Cases::read(session, ids.into_iter().map(str::to_owned).collect()).await?;
        for row in rows {
            reviews.extend(cases.review(row.number(0)?, row.parsed(1)?, row.parsed_if_any(2)?));
        }
    }
    Ok(reviews)
}

/// Some investigations, with the events that changed their state.
struct Cases {
    investigations: HashMap<InvestigationId, InvestigationEntry>,
    events: HashMap<InvestigationId, Vec<StoredEvent>>,
}

impl Cases {
    async fn read(session: &Session, ids: Vec<String>) -> Result<Self> {
        let (investigations, events) =
            tokio::try_join!(alert_lists::investigations_with_ids(session, &ids), events_of_cases(session, &ids))?;
        let by_id = |entry: InvestigationEntry| (entry.case.investigation_id, entry);
        Ok(Self { investigations: investigations.into_iter().map(by_id).collect(), events })
    }

    fn review(&self, seq: u64, id: InvestigationId, report_id: Option<ReportId>) -> Option<OpenReview> {
        let investigation = self.investigations.get(&id)?.clone();
        let events = self.events.get(&id).map_or(&[][..], Vec::as_slice);
        let waiting_since = derive::reviews::waiting_since(events, report_id.as_ref());
        let waiting_since = waiting_since.unwrap_or(investigation.event.recorded_at);
        Some(OpenReview { seq, investigation, report_id, waiting_since })
    }
}

/// Only what is needed to derive states: metadata may be large, and is left out.
const EVENTS_OF_CASES_SQL: &str = "SELECT k.header, b.payload, NULL AS metadata, c.id FROM unnest($1) AS c(id)
     CROSS JOIN LATERAL (
       SELECT seq, header FROM countersign.event_log
       WHERE (correlation_id, seq) >= (c.id::uuid, 0) AND correlation_id <= c.id::uuid AND event_type || '' = ANY ($2)
       ORDER BY correlation_id, seq LIMIT $3) k
     LEFT JOIN countersign.event_bodies b ON b.seq = k.seq ORDER BY k.seq";

/// The events that changed these cases, oldest first.
async fn events_of_cases(session: &Session, ids: &[String]) -> Result<HashMap<InvestigationId, Vec<StoredEvent>>> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let types = EVENT_TYPES.map(EventType::as_str).to_vec();
    let mut events: HashMap<InvestigationId, Vec<StoredEvent>> = HashMap::new();
    for row in session.rows(EVENTS_OF_CASES_SQL, values![ids, types, page_limit(LIST_MAX)]).await? {
        events.entry(row.parsed(3)?).or_default().push(reads::read_event(&row)?);
    }
    Ok(events)
}
