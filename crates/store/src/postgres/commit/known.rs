//! The state of the database on which a commit is planned: read under the lock of the tree's head, and kept up to date as jobs
//! are applied. No other process can change it before the commit ends.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use countersign_domain::{CorrelationId, DeadLetterState, EventId, Header, InvestigationId, Severity, Time};
use countersign_ledger::Frontier;
use tokio_postgres::Row;

use super::needs::Needs;
use crate::{
    derive::event_row::EventTable,
    error::{Result, StoreError},
    investigations::CaseState,
    ledger_head::LedgerHead,
    postgres::{
        cases, ledger,
        session::Session,
        values::{Columns, corrupt, number, storable, values},
    },
};

#[derive(Clone)]
pub(super) struct Known {
    pub(super) frontier: Frontier,
    pub(super) last_recorded: Time,
    /// The positions of the rows with these ids.
    pub(super) rows: HashMap<(EventTable, String), u64>,
    /// The payloads behind the rows whose ids new transactions and alerts have too. `None` if the body was erased.
    pub(super) payloads: HashMap<u64, Option<String>>,
    pub(super) report_cases: HashMap<String, InvestigationId>,
    pub(super) cases: HashMap<InvestigationId, CaseState>,
    /// The rank of the last alert with this severity and score.
    pub(super) ranks: HashMap<(&'static str, i64), i64>,
    pub(super) lows: HashMap<&'static str, u64>,
    pub(super) done: HashSet<(&'static str, i64)>,
    pub(super) attempts: HashMap<(&'static str, i64), i64>,
    pub(super) letters: HashMap<String, KnownLetter>,
    /// Keys, and whether they were revoked.
    pub(super) keys: HashMap<String, bool>,
    pub(super) notes: HashMap<i64, String>,
}

#[derive(Clone)]
pub(super) struct KnownLetter {
    pub(super) agent: String,
    pub(super) state: DeadLetterState,
    /// The event that recorded the letter.
    pub(super) event_id: EventId,
    pub(super) correlation_id: CorrelationId,
}

/// The tree's head as the lock on its row shows it.
pub(super) struct LockedHead {
    pub(super) head: LedgerHead,
    /// The transaction's id, by which its outcome can be asked for later.
    pub(super) transaction: String,
}

/// Locks the head, and reads what every commit needs.
const BEGIN_SQL: &str = "SELECT origin, size, root, frontier, seal, transaction, newest_header, lease_token, known_ids,
     known_seqs FROM countersign.begin_commit($1)";

/// Begins a transaction, locks the head, and reads what the jobs need, in one round trip.
pub(super) async fn begin(session: &Session, needs: &Needs<'_>) -> Result<(LockedHead, Known)> {
    let (_, begun, rows, reports, cases, ranks, lows, attempts, letters, keys, notes) = tokio::try_join!(
        biased;
        session.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
        lock(session, needs),
        rows(session, needs),
        reports(session, needs),
        cases(session, needs),
        ranks(session, needs),
        lows(session, needs),
        attempts(session, needs),
        letters(session, needs),
        keys(session, needs),
        notes(session, needs),
    )?;
    let row = begun.first().ok_or(StoreError::NotFound)?;
    if row.text_if_any(0)?.is_none() {
        return Err(StoreError::Tampered("the stored tree is missing".into()));
    }
    check_lease(needs.lease, row.column(7)?)?;
    let last_recorded = match row.text_if_any(6)? {
        Some(header) => serde_json::from_str::<Header<'_>>(header)?.recorded_at,
        None => Time::from_micros(0).map_err(corrupt)?,
    };
    let transaction = row.text(5)?.to_owned();
    let head = LockedHead { head: ledger::head_of(row)?, transaction };
    let mut known = Known {
        frontier: head.head.frontier.clone(),
        last_recorded,
        rows,
        payloads: HashMap::new(),
        report_cases: HashMap::new(),
        cases: cases.into_iter().map(|case| (case.investigation_id, case)).collect(),
        ranks,
        lows,
        done: HashSet::new(),
        attempts: HashMap::new(),
        letters,
        keys,
        notes,
    };
    let (ids, seqs): (Option<Vec<String>>, Option<Vec<i64>>) = (row.column(8)?, row.column(9)?);
    for (id, seq) in ids.unwrap_or_default().into_iter().zip(seqs.unwrap_or_default()) {
        known.rows.insert((EventTable::TransactionIds, id), u64::try_from(seq).map_err(corrupt)?);
    }
    for (id, seq, investigation) in reports {
        known.report_cases.insert(id.clone(), investigation);
        known.rows.insert((EventTable::ReportEntries, id), seq);
    }
    for (key, is_done, count) in attempts {
        if is_done {
            known.done.insert(key);
        }
        known.attempts.extend(count.map(|count| (key, count)));
    }
    read_payloads(session, &mut known).await?;
    Ok((head, known))
}

async fn lock(session: &Session, needs: &Needs<'_>) -> Result<Vec<Row>> {
    let transactions: Vec<String> = needs.transactions.iter().map(|id| storable(id).into_owned()).collect();
    session.rows(BEGIN_SQL, values![transactions]).await
}

/// Another process may have become the server since this one was last able to ask.
fn check_lease(held: i64, token: Option<i64>) -> Result<()> {
    if held == 0 || token == Some(held) { Ok(()) } else { Err(StoreError::ServedElsewhere) }
}

/// The positions of all rows whose ids are to be used, except those of transactions.
async fn rows(session: &Session, needs: &Needs<'_>) -> Result<HashMap<(EventTable, String), u64>> {
    let of = |table: EventTable, sql: &'static str, ids: &[Cow<'_, str>]| {
        let ids: Vec<String> = ids.iter().map(|id| storable(id).into_owned()).collect();
        async move {
            if ids.is_empty() {
                return Ok(Vec::new());
            }
            let rows = session.rows(sql, values![ids]).await?;
            rows.iter().map(|row| Ok(((table, row.text(0)?.to_owned()), row.number(1)?))).collect::<Result<Vec<_>>>()
        }
    };
    let (alerts, investigations, logs) = tokio::try_join!(
        biased;
        of(EventTable::Alerts, ALERTS_SQL, &needs.alerts),
        of(EventTable::Investigations, INVESTIGATIONS_SQL, &needs.investigations),
        of(EventTable::LogEntries, LOGS_SQL, &needs.logs),
    )?;
    Ok([alerts, investigations, logs].into_iter().flatten().collect())
}

const ALERTS_SQL: &str = "SELECT alert_id, seq FROM countersign.alerts WHERE alert_id = ANY ($1)";
const INVESTIGATIONS_SQL: &str =
    "SELECT investigation_id, seq FROM countersign.investigations WHERE investigation_id = ANY ($1)";
const LOGS_SQL: &str = "SELECT id, seq FROM countersign.log_ids WHERE id = ANY ($1)";

/// Reads the bodies of transactions and alerts that are there already, to compare them. There are hardly ever any.
async fn read_payloads(session: &Session, known: &mut Known) -> Result<()> {
    let from_outside = |table: EventTable| matches!(table, EventTable::TransactionIds | EventTable::Alerts);
    let seqs: Vec<i64> =
        known.rows.iter().filter(|((table, _), _)| from_outside(*table)).map(|(_, seq)| number(*seq)).collect();
    if seqs.is_empty() {
        return Ok(());
    }
    let sql = "SELECT seq, payload FROM countersign.event_bodies WHERE seq = ANY ($1)";
    let rows = session.rows(sql, values![seqs]).await?;
    known.payloads = seqs.into_iter().filter_map(|seq| Some((u64::try_from(seq).ok()?, None))).collect();
    for row in rows {
        known.payloads.insert(row.number(0)?, Some(row.text(1)?.to_owned()));
    }
    Ok(())
}

async fn reports(session: &Session, needs: &Needs<'_>) -> Result<Vec<(String, u64, InvestigationId)>> {
    if needs.reports.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = needs.reports.iter().map(AsRef::as_ref).collect();
    let sql = "SELECT id, seq, investigation_id FROM countersign.report_entries WHERE id = ANY ($1)";
    let rows = session.rows(sql, values![ids]).await?;
    rows.iter().map(|row| Ok((row.text(0)?.to_owned(), row.number(1)?, row.parsed(2)?))).collect()
}

async fn cases(session: &Session, needs: &Needs<'_>) -> Result<Vec<CaseState>> {
    if needs.cases.is_empty() && needs.reports.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = needs.cases.iter().map(AsRef::as_ref).collect();
    let reports: Vec<&str> = needs.reports.iter().map(AsRef::as_ref).collect();
    cases::of_ids_and_reports(session, &ids, &reports).await
}

async fn ranks(session: &Session, needs: &Needs<'_>) -> Result<HashMap<(&'static str, i64), i64>> {
    if needs.ranks.is_empty() {
        return Ok(HashMap::new());
    }
    let (severities, scores): (Vec<&str>, Vec<i64>) = needs.ranks.iter().copied().unzip();
    let sql = "SELECT n.severity, n.score,
                 (SELECT r.nth FROM countersign.alert_ranks r WHERE r.severity = n.severity AND r.score = n.score
                  ORDER BY r.seq DESC LIMIT 1)
               FROM unnest($1::text[], $2::bigint[]) AS n(severity, score)";
    let rows = session.rows(sql, values![severities, scores]).await?;
    let mut ranks = HashMap::new();
    for row in rows {
        let severity: Severity = row.parsed(0)?;
        ranks.insert((severity.as_str(), row.column(1)?), row.column::<Option<i64>>(2)?.unwrap_or(0));
    }
    Ok(ranks)
}

async fn lows(session: &Session, needs: &Needs<'_>) -> Result<HashMap<&'static str, u64>> {
    if needs.agents.is_empty() {
        return Ok(HashMap::new());
    }
    let agents = needs.agents.clone();
    let sql = "SELECT agent, low FROM countersign.agent_progress WHERE agent = ANY ($1)";
    let rows = session.rows(sql, values![agents]).await?;
    let mut lows = HashMap::new();
    for row in rows {
        let stored = row.text(0)?;
        let agent = needs.agents.iter().find(|agent| **agent == stored);
        lows.extend(agent.map(|agent| Ok::<_, StoreError>((*agent, row.number(1)?))).transpose()?);
    }
    Ok(lows)
}

type Attempts = Vec<((&'static str, i64), bool, Option<i64>)>;

/// Whether each event is finished, and how often it was tried.
async fn attempts(session: &Session, needs: &Needs<'_>) -> Result<Attempts> {
    if needs.attempts.is_empty() {
        return Ok(Vec::new());
    }
    let (agents, seqs): (Vec<&str>, Vec<i64>) = needs.attempts.iter().copied().unzip();
    let sql = "SELECT n.place, d.seq IS NOT NULL, a.attempts
               FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS n(agent, seq, place)
               LEFT JOIN countersign.agent_done d ON d.agent = n.agent AND d.seq = n.seq
               LEFT JOIN countersign.agent_attempts a ON a.agent = n.agent AND a.seq = n.seq";
    let rows = session.rows(sql, values![agents, seqs]).await?;
    let read = |row: &Row| -> Result<_> {
        let place = usize::try_from(row.number(0)?).ok().and_then(|place| place.checked_sub(1));
        let key = place.and_then(|place| needs.attempts.get(place)).ok_or(StoreError::NotFound)?;
        Ok((*key, row.column(1)?, row.column(2)?))
    };
    rows.iter().map(read).collect()
}

async fn letters(session: &Session, needs: &Needs<'_>) -> Result<HashMap<String, KnownLetter>> {
    if needs.letters.is_empty() && needs.letters_of.is_empty() {
        return Ok(HashMap::new());
    }
    let (ids, agents) = (&needs.letters[..], needs.letters_of.clone());
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let sql = "SELECT d.id, d.agent, d.state, l.header
               FROM countersign.dead_letters d JOIN countersign.event_log l ON l.seq = d.seq
               WHERE d.id = ANY ($1) OR d.agent = ANY ($2) AND d.state = 'replaying'";
    let rows = session.rows(sql, values![ids, agents]).await?;
    let read = |row: &Row| -> Result<_> {
        let header: Header<'_> = serde_json::from_str(row.text(3)?)?;
        let letter = KnownLetter {
            agent: row.text(1)?.to_owned(),
            state: row.parsed(2)?,
            event_id: header.event_id,
            correlation_id: header.correlation_id,
        };
        Ok((row.text(0)?.to_owned(), letter))
    };
    rows.iter().map(read).collect()
}

async fn keys(session: &Session, needs: &Needs<'_>) -> Result<HashMap<String, bool>> {
    if needs.keys.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = needs.keys.clone();
    let sql = "SELECT id, revoked_at IS NOT NULL FROM countersign.access_keys WHERE id = ANY ($1)";
    let rows = session.rows(sql, values![ids]).await?;
    rows.iter().map(|row| Ok((row.text(0)?.to_owned(), row.column(1)?))).collect()
}

async fn notes(session: &Session, needs: &Needs<'_>) -> Result<HashMap<i64, String>> {
    if needs.checkpoints.is_empty() {
        return Ok(HashMap::new());
    }
    let sizes = needs.checkpoints.clone();
    let sql = "SELECT size, note FROM countersign.checkpoints WHERE size = ANY ($1)";
    let rows = session.rows(sql, values![sizes]).await?;
    rows.iter().map(|row| Ok((row.column(0)?, row.text(1)?.to_owned()))).collect()
}
