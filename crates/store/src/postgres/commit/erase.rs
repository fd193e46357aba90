//! Erasing bodies and what was derived from them.

use std::collections::HashMap;

use countersign_domain::{
    Alert, Event, EventType, InvestigationId, NewEvent,
    investigation::{CaseRef, Change, change_of},
};
use serde_json::Value;
use std::borrow::Cow;

use super::{
    corrupt, number,
    plan::Plan,
    values,
    writes::OwnedValue,
};
use crate::{
    derive::{
        cases::case_event_type,
        erasure::{ErasureRecord, KeptChange, KeptLog, KeptRank, KeptRow},
        event_row::EventTable,
    },
    error::{Result, StoreError},
    job::JobOutcome,
    postgres::{session::Session, values::Columns},
};

/// Statements that erase, in the order in which triggers accept them. The first three values are the positions, their number, and
/// that of the event which names them.
const ERASURES_SQL: &str = "INSERT INTO countersign.erasures (seq, event_seq)
     SELECT seq, $2 FROM unnest($1::bigint[]) AS n(seq) ON CONFLICT (seq) DO NOTHING";
const FORGET_SQL: [&str; 7] = [
    "DELETE FROM countersign.event_bodies WHERE seq = ANY ($1)",
    "UPDATE countersign.alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL
     WHERE seq = ANY ($1)",
    "UPDATE countersign.investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL
     WHERE seq = ANY ($1)",
    "UPDATE countersign.log_entries SET idempotency = NULL WHERE seq = ANY ($1) AND idempotency IS NOT NULL",
    "UPDATE countersign.report_entries SET fraud_detection_id = NULL, transaction_id = NULL, severity = NULL,
       risk_score = NULL, content_hash = NULL, generated_at = NULL, regeneration_of = NULL
     WHERE seq = ANY ($1) AND content_hash IS NOT NULL",
    "DELETE FROM countersign.user_transactions WHERE seq = ANY ($1)",
    "DELETE FROM countersign.report_bodies WHERE seq = ANY ($1)",
];
const FORGET_ASSIGNEE_SQL: &str = "UPDATE countersign.case_states SET assigned_to = NULL
     WHERE investigation_id = $1 AND assigned_seq = $2 AND assigned_to IS NOT NULL";

impl<'a> Plan<'a> {
    /// Erases the bodies at these positions. What must be kept of them is read in the transaction that erases them.
    pub(super) async fn erase(&mut self, session: &Session, seqs: &[u64], event: &'a NewEvent) -> Result<JobOutcome> {
        if let Some(seq) = seqs.iter().find(|seq| **seq >= self.known.frontier.size()) {
            return Err(StoreError::Conflict(format!("there is no event {seq}")));
        }
        let positions: Vec<i64> = seqs.iter().copied().map(number).collect();
        let erased = ErasedEvents::read(session, &positions).await?;
        // Triggers refuse the other types of events that may not be erased.
        if erased.0.values().any(|event| event.event_type == EventType::DeadLetterChanged.as_str()) {
            return Err(StoreError::Conflict("the record of a dead letter can't be erased".into()));
        }
        let kept = erased.record(session, seqs).await?;
        let event = NewEvent { metadata: kept.metadata()?, ..event.clone() };
        let event_seq = self.append(Cow::Owned(event), &[])?;
        let list = || OwnedValue::Integers(positions.clone());
        self.statement(ERASURES_SQL, vec![list(), OwnedValue::Integer(number(event_seq))]);
        for sql in FORGET_SQL {
            self.statement(sql, vec![list()]);
        }
        for change in &kept.kept_changes {
            if let Change::Assigned { .. } = change.change {
                let id = OwnedValue::text(change.investigation_id.to_string());
                self.statement(FORGET_ASSIGNEE_SQL, vec![id, OwnedValue::Integer(number(change.seq))]);
            }
        }
        Ok(JobOutcome::Done)
    }
}

/// The events that are to be erased, by position.
struct ErasedEvents(HashMap<u64, ErasedEvent>);

struct ErasedEvent {
    event_type: String,
    payload: Option<String>,
}

impl ErasedEvents {
    async fn read(session: &Session, positions: &Vec<i64>) -> Result<Self> {
        let sql = "SELECT l.seq, l.event_type, b.payload FROM countersign.event_log l
                   LEFT JOIN countersign.event_bodies b ON b.seq = l.seq AND b.seq = ANY ($1) WHERE l.seq = ANY ($1)";
        let rows = session.rows(sql, values![*positions]).await?;
        let read = |row: &tokio_postgres::Row| -> Result<_> {
            let payload = row.text_if_any(2)?.map(ToOwned::to_owned);
            Ok((row.number(0)?, ErasedEvent { event_type: row.text(1)?.to_owned(), payload }))
        };
        Ok(Self(rows.iter().map(read).collect::<Result<_>>()?))
    }

    /// What the erasure keeps, as `derive/erasure.rs` describes it.
    async fn record(&self, session: &Session, seqs: &[u64]) -> Result<ErasureRecord> {
        let positions: Vec<i64> = seqs.iter().copied().map(number).collect();
        let (mut logs, mut rows, cases) =
            tokio::try_join!(logs(session, &positions), rows(session, &positions), self.cases(session))?;
        let mut record = ErasureRecord::default();
        for seq in seqs {
            record.kept_logs.extend(logs.remove(seq));
            record.kept_rows.extend(rows.remove(seq).into_iter().flatten());
            record.kept_changes.extend(self.change(*seq, &cases));
            record.kept_ranks.extend(self.rank(*seq));
        }
        Ok(record)
    }

    /// The investigations of the reports that erased events name.
    async fn cases(&self, session: &Session) -> Result<HashMap<String, InvestigationId>> {
        let events: Vec<Event> = self.0.values().filter_map(ErasedEvent::case_event).collect();
        let reports: Vec<&str> = events
            .iter()
            .filter_map(|event| match change_of(event) {
                Some((CaseRef::ReportOf(report), _)) => Some(report.as_str()),
                _ => None,
            })
            .collect();
        if reports.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = "SELECT id, investigation_id FROM countersign.report_entries WHERE id = ANY ($1)";
        let rows = session.rows(sql, values![reports]).await?;
        rows.iter().map(|row| Ok((row.text(0)?.to_owned(), row.parsed(1)?))).collect()
    }

    fn change(&self, seq: u64, cases: &HashMap<String, InvestigationId>) -> Option<KeptChange> {
        // An event that can't be read has changed no case, so it may be erased too.
        let event = self.0.get(&seq)?.case_event()?;
        let (case_ref, change) = change_of(&event)?;
        let investigation_id = match case_ref {
            CaseRef::Investigation(id) => id,
            CaseRef::ReportOf(report) => *cases.get(report.as_str())?,
        };
        Some(KeptChange { seq, investigation_id, change: change.without_names() })
    }

    fn rank(&self, seq: u64) -> Option<KeptRank> {
        let event = self.0.get(&seq)?;
        if event.event_type != EventType::FraudAlertCreated.as_str() {
            return None;
        }
        let alert: Alert = serde_json::from_str(event.payload.as_deref()?).ok()?;
        Some(KeptRank { seq, severity: alert.severity, score: alert.score })
    }
}

impl ErasedEvent {
    /// The event, if events of its type change cases and it can be read.
    fn case_event(&self) -> Option<Event> {
        let event_type = case_event_type(&self.event_type)?;
        Event::from_payload(event_type, self.payload.as_deref()?).ok()
    }
}

async fn logs(session: &Session, positions: &Vec<i64>) -> Result<HashMap<u64, KeptLog>> {
    let sql = "SELECT seq, id, created_at, risk_score FROM countersign.log_entries WHERE seq = ANY ($1)";
    let rows = session.rows(sql, values![*positions]).await?;
    let read = |row: &tokio_postgres::Row| -> Result<_> {
        let seq = row.number(0)?;
        let log =
            KeptLog { seq, id: row.text(1)?.to_owned(), created_at: row.column(2)?, risk_score: row.column(3)? };
        Ok((seq, log))
    };
    rows.iter().map(read).collect()
}

/// The columns that erasures repeat, as JSON, by table in the order of [`EventTable::ALL`].
async fn rows(session: &Session, positions: &Vec<i64>) -> Result<HashMap<u64, Vec<KeptRow>>> {
    let mut kept: HashMap<u64, Vec<KeptRow>> = HashMap::new();
    for table in EventTable::ALL.into_iter().filter(|table| table.is_repeated_by_erasures()) {
        let (sql, numbers): (_, &[usize]) = match table {
            EventTable::ReportEntries => {
                ("SELECT seq, id, investigation_id, report_type, version FROM countersign.report_entries WHERE seq = ANY ($1)", &[4])
            }
            EventTable::ValidationEntries => (
                "SELECT seq, id, report_id, passed, validation_score, validated_at FROM countersign.validation_entries
                 WHERE seq = ANY ($1)",
                &[3, 4],
            ),
            EventTable::ReviewEntries => {
                ("SELECT seq, report_id, investigation_id FROM countersign.review_entries WHERE seq = ANY ($1)", &[])
            }
            _ => return Err(corrupt(format!("erasures repeat nothing of the table {}", table.name()))),
        };
        for row in session.rows(sql, values![*positions]).await? {
            let value = |at: usize| -> Result<Value> {
                if numbers.contains(&at) {
                    return Ok(row.column::<i64>(at)?.into());
                }
                Ok(row.text_if_any(at)?.map_or(Value::Null, Into::into))
            };
            let values = (1..=table.columns_kept()).map(value).collect::<Result<_>>()?;
            let seq = row.number(0)?;
            kept.entry(seq).or_default().push(KeptRow { table: table.name().to_owned(), seq, values });
        }
    }
    Ok(kept)
}
