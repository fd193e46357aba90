//! Reads what the rules are likely to ask about a page of events.

use std::{collections::HashMap, str::FromStr};

use countersign_domain::{EventId, InvestigationId};
use countersign_ledger::{Hash, NODE_STRIDE, NodeId};
use tokio_postgres::Row;

use super::{questions, wanted::Wanted};
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
    postgres::{
        event_tables,
        session::Session,
        values::{Columns, number, values},
    },
    verify::records::{CaseRow, RankRow, ReportRow, TypedPayload},
};

/// How many inner nodes are read ahead for a page.
const NODES_MAX: usize = 1_000;

/// Answers that have been read ahead, by what they are about. Everything was read in one snapshot, so they stay right. What is
/// not here has to be asked for; a `None` says that there is no row.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) rows: HashMap<(EventTable, u64), Option<Vec<ColumnValue<'static>>>>,
    pub(super) history: HashMap<u64, Option<String>>,
    pub(super) erasures: HashMap<u64, Option<u64>>,
    pub(super) payloads: HashMap<u64, Option<TypedPayload>>,
    pub(super) nodes: HashMap<NodeId, Hash>,
    /// With severity and score.
    pub(super) ranks: HashMap<u64, (String, i64, RankRow)>,
    pub(super) positions: HashMap<EventId, u64>,
    /// Positions of alerts and logs.
    pub(super) positions_in: HashMap<(EventTable, String), Option<i64>>,
    pub(super) reports: HashMap<String, Option<ReportRow>>,
    pub(super) cases: HashMap<InvestigationId, Option<CaseRow>>,
    pub(super) counts: Counts,
    /// Events, and logs, that don't agree with the table that makes their ids unique: the position and the text of a finding.
    pub(super) differing: Vec<(u64, String)>,
}

/// How many rows follow from the events.
#[derive(Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) events: u64,
    pub(super) logs: u64,
    pub(super) transactions: u64,
}

impl Answers {
    /// What can be read without knowing the events.
    pub(super) async fn in_range(session: &Session, first: i64, last: i64) -> Result<Self> {
        let range = values![first, last];
        let (nodes, erasures, history) = tokio::try_join!(
            biased;
            nodes(session, first, last),
            session.rows(ERASURES_SQL, range),
            session.rows(HISTORY_SQL, range),
        )?;
        let mut answers = Self { nodes, ..Self::default() };
        for row in &erasures {
            answers.erasures.insert(row.number(0)?, Some(row.number(1)?));
        }
        for row in &history {
            answers.history.insert(row.number(0)?, row.column(1)?);
        }
        Ok(answers)
    }

    /// Adds what the events themselves name.
    pub(super) async fn add_of_events(&mut self, session: &Session, events: &[Row]) -> Result<()> {
        let wanted = Wanted::of(events)?;
        let (positions, transactions, tables, logs, differing_logs, alerts, ranks, reports, cases) = tokio::try_join!(
            biased;
            positions_of(session, &wanted),
            rows_if_any(session, TRANSACTIONS_SQL, &wanted.transactions),
            rows_of_tables(session, &wanted),
            rows_if_any(session, LOGS_SQL, &wanted.logs),
            differing_logs(session, wanted.positions.get(&EventTable::LogEntries)),
            rows_if_any(session, ALERTS_SQL, &wanted.alerts),
            ranks(session, wanted.positions.get(&EventTable::Alerts)),
            questions::reports(session, &wanted.reports),
            questions::cases(session, &wanted.cases, &wanted.reports),
        )?;
        self.positions = positions;
        self.add_transactions(&transactions)?;
        self.add_other_transactions(session, &wanted).await?;
        for (table, positions) in &wanted.positions {
            self.rows.extend(positions.iter().map(|seq| ((*table, seq.unsigned_abs()), None)));
        }
        for (table, rows) in tables {
            self.rows.extend(rows.into_iter().map(|(seq, values)| ((table, seq), Some(values))));
        }
        self.add_positions(EventTable::LogEntries, &wanted.logs, &logs)?;
        self.add_positions(EventTable::Alerts, &wanted.alerts, &alerts)?;
        self.ranks = ranks;
        self.reports = or_none(wanted.reports.iter().cloned(), reports);
        let case_ids = wanted.cases.iter().filter_map(|id| InvestigationId::from_str(id).ok());
        self.cases = or_none(case_ids, cases);
        for seq in wanted.events.iter().map(|(seq, _)| *seq) {
            self.erasures.entry(seq).or_default();
        }
        for seq in &wanted.transactions_at {
            self.history.entry(*seq).or_default();
        }
        self.counts = Counts {
            events: events.len() as u64,
            logs: wanted.positions.get(&EventTable::LogEntries).map_or(0, Vec::len) as u64,
            transactions: wanted.transactions_at.len() as u64,
        };
        self.add_differing_ids(&wanted);
        self.differing.extend(differing_logs);
        Ok(())
    }

    fn add_transactions(&mut self, rows: &[Row]) -> Result<()> {
        rows.iter().try_for_each(|row| {
            let values = vec![ColumnValue::owned(row.text(1)?)];
            self.rows.insert((EventTable::TransactionIds, row.number(0)?), Some(values));
            Ok(())
        })
    }

    /// Adds the rows of transactions that weren't found by their ids: the bodies were erased, or the ids were changed.
    async fn add_other_transactions(&mut self, session: &Session, wanted: &Wanted) -> Result<()> {
        let key = |seq: &u64| (EventTable::TransactionIds, *seq);
        let others: Vec<u64> =
            wanted.transactions_at.iter().copied().filter(|seq| !self.rows.contains_key(&key(seq))).collect();
        if let (Some(first), Some(last)) = (others.first(), others.last()) {
            let found = transactions_between(session, number(*first), number(*last)).await?;
            self.add_transactions(&found)?;
        }
        for seq in &others {
            self.rows.entry(key(seq)).or_default();
        }
        Ok(())
    }

    fn add_positions(&mut self, table: EventTable, ids: &[String], found: &[Row]) -> Result<()> {
        self.positions_in.extend(ids.iter().map(|id| ((table, id.clone()), None)));
        for row in found {
            self.positions_in.insert((table, row.column(0)?), row.column(1)?);
        }
        Ok(())
    }

    fn add_differing_ids(&mut self, wanted: &Wanted) {
        for (seq, id) in &wanted.events {
            let how = match self.positions.get(id) {
                Some(found) if found == seq => continue,
                Some(_) => "does not match its row in",
                None => "is missing from",
            };
            self.differing.push((*seq, format!("{how} the table event_ids")));
        }
    }
}

/// What was found, and `None` for every key that was not.
fn or_none<K: std::hash::Hash + Eq, V>(
    keys: impl Iterator<Item = K>,
    found: impl IntoIterator<Item = (K, V)>,
) -> HashMap<K, Option<V>> {
    let mut all: HashMap<K, Option<V>> = keys.map(|key| (key, None)).collect();
    all.extend(found.into_iter().map(|(key, value)| (key, Some(value))));
    all
}

const ERASURES_SQL: &str = "SELECT seq, event_seq FROM countersign.erasures WHERE seq >= $1 AND seq <= $2";
const HISTORY_SQL: &str = "SELECT seq, user_id FROM countersign.user_transactions WHERE seq >= $1 AND seq <= $2";
/// Here and below, `LATERAL (… LIMIT 1)` looks up one row after the other through the primary key, whatever is known of the
/// table's size.
const NODES_SQL: &str = "SELECT w.level, w.idx, n.hash FROM unnest($1, $2) AS w(level, idx) CROSS JOIN LATERAL (
       SELECT n.hash FROM countersign.ledger_nodes n WHERE n.level = w.level AND n.idx = w.idx LIMIT 1) n";
const EVENT_IDS_SQL: &str = "SELECT w.id, i.seq FROM unnest($1) AS w(id) CROSS JOIN LATERAL (
       SELECT e.seq FROM countersign.event_ids e WHERE e.event_id = w.id::uuid LIMIT 1) i";
const TRANSACTIONS_SQL: &str = "SELECT i.seq, i.transaction_id FROM unnest($1) AS w(id) CROSS JOIN LATERAL (
       SELECT t.seq, t.transaction_id FROM countersign.transaction_ids t WHERE t.transaction_id = w.id LIMIT 1) i";
const TRANSACTIONS_BETWEEN_SQL: &str =
    "SELECT seq, transaction_id FROM countersign.transaction_ids WHERE seq >= $1 AND seq <= $2";
const LOGS_SQL: &str = "SELECT id, seq FROM countersign.log_ids WHERE id = ANY ($1)";
const ALERTS_SQL: &str = "SELECT alert_id, seq FROM countersign.alerts WHERE alert_id = ANY ($1)";
const DIFFERING_LOGS_SQL: &str = "SELECT e.seq, i.seq IS NULL FROM countersign.log_entries e LEFT JOIN LATERAL (
       SELECT i.seq FROM countersign.log_ids i WHERE i.id = e.id LIMIT 1) i ON true
     WHERE e.seq = ANY ($1) AND i.seq IS DISTINCT FROM e.seq";
const RANKS_SQL: &str = "SELECT a.seq, a.severity, a.score, r.nth, coalesce(p.nth, 0) FROM countersign.alerts a
     CROSS JOIN LATERAL (
       SELECT r.nth FROM countersign.alert_ranks r
       WHERE r.severity = a.severity AND r.score = a.score AND r.seq = a.seq LIMIT 1) r
     LEFT JOIN LATERAL (
       SELECT p.nth FROM countersign.alert_ranks p
       WHERE p.severity = a.severity AND p.score = a.score AND p.seq < a.seq
       ORDER BY p.severity DESC, p.score DESC, p.seq DESC LIMIT 1) p ON true
     WHERE a.seq = ANY ($1)";

/// The inner nodes that the events of a range complete. If positions are missing, a range may be very long.
async fn nodes(session: &Session, first: i64, last: i64) -> Result<HashMap<NodeId, Hash>> {
    let levels = (1..8).map(|stride| i64::from(NODE_STRIDE) * stride);
    let completed = levels.flat_map(|level| {
        let (low, high) = (first >> level, last.saturating_add(1) >> level);
        (low..high).map(move |index| (level, index))
    });
    let (levels, indexes): (Vec<i64>, Vec<i64>) = completed.take(NODES_MAX).unzip();
    if levels.is_empty() {
        return Ok(HashMap::new());
    }
    let mut nodes = HashMap::new();
    for row in session.rows(NODES_SQL, values![levels, indexes]).await? {
        let level = u8::try_from(row.number(0)?).unwrap_or(u8::MAX);
        // Anything else is not a node.
        if let Ok(hash) = Hash::from_slice(row.column(2)?) {
            nodes.insert(NodeId { level, index: row.number(1)? }, hash);
        }
    }
    Ok(nodes)
}

async fn rows_if_any(session: &Session, sql: &str, ids: &Vec<String>) -> Result<Vec<Row>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session.rows(sql, values![*ids]).await
}

/// The positions of events and causes.
async fn positions_of(session: &Session, wanted: &Wanted) -> Result<HashMap<EventId, u64>> {
    let own: HashMap<EventId, u64> = wanted.events.iter().map(|(seq, id)| (*id, *seq)).collect();
    let causes = wanted.causes.iter().filter(|cause| !own.contains_key(cause));
    let ids: Vec<String> = own.keys().chain(causes).map(EventId::to_string).collect();
    let rows = rows_if_any(session, EVENT_IDS_SQL, &ids).await?;
    rows.iter().map(|row| Ok((row.parsed(0)?, row.number(1)?))).collect()
}

/// Transactions by their positions. Only a block range index finds them, and without statistics Postgres would rather read the
/// whole table.
async fn transactions_between(session: &Session, first: i64, last: i64) -> Result<Vec<Row>> {
    let range = values![first, last];
    let ((), rows, ()) = tokio::try_join!(
        biased;
        session.run("SET LOCAL enable_seqscan = off"),
        session.rows(TRANSACTIONS_BETWEEN_SQL, range),
        session.run("SET LOCAL enable_seqscan = on"),
    )?;
    Ok(rows)
}

type RowsOfTable = (EventTable, Vec<(u64, Vec<ColumnValue<'static>>)>);

async fn rows_of_tables(session: &Session, wanted: &Wanted) -> Result<Vec<RowsOfTable>> {
    let of_table = |(table, positions): (&EventTable, &Vec<i64>)| {
        let (table, positions) = (*table, positions.clone());
        async move { Ok((table, event_tables::rows_at(session, table, &positions).await?)) }
    };
    futures_util::future::try_join_all(wanted.positions.iter().map(of_table)).await
}

async fn differing_logs(session: &Session, positions: Option<&Vec<i64>>) -> Result<Vec<(u64, String)>> {
    let Some(positions) = positions else { return Ok(Vec::new()) };
    let rows = session.rows(DIFFERING_LOGS_SQL, values![*positions]).await?;
    let read = |row: &Row| {
        let how = if row.column(1)? { "is missing from" } else { "does not match its row in" };
        Ok((row.number(0)?, format!("{how} the table log_ids")))
    };
    rows.iter().map(read).collect()
}

async fn ranks(session: &Session, positions: Option<&Vec<i64>>) -> Result<HashMap<u64, (String, i64, RankRow)>> {
    let Some(positions) = positions else { return Ok(HashMap::new()) };
    let rows = session.rows(RANKS_SQL, values![*positions]).await?;
    let read = |row: &Row| {
        let rank = RankRow { nth: row.column(3)?, previous: row.column(4)? };
        Ok((row.number(0)?, (row.column(1)?, row.column(2)?, rank)))
    };
    rows.iter().map(read).collect()
}

/// Reads events' payloads and erasures.
pub(super) async fn payloads(session: &Session, positions: &[i64]) -> Result<Answers> {
    let sql = "SELECT w.seq, l.event_type, b.payload, x.event_seq FROM unnest($1) AS w(seq)
               LEFT JOIN LATERAL (
                 SELECT l.event_type FROM countersign.event_log l WHERE l.seq = w.seq LIMIT 1) l ON true
               LEFT JOIN LATERAL (
                 SELECT b.payload FROM countersign.event_bodies b WHERE b.seq = w.seq LIMIT 1) b ON true
               LEFT JOIN countersign.erasures x ON x.seq = w.seq";
    let mut answers = Answers::default();
    for row in session.rows(sql, values![positions]).await? {
        let seq = row.number(0)?;
        let event_type: Option<String> = row.column(1)?;
        let payload = event_type.zip(row.column(2)?);
        answers.payloads.insert(seq, payload.map(|(event_type, payload)| TypedPayload { event_type, payload }));
        answers.erasures.insert(seq, row.number_if_any(3)?);
    }
    Ok(answers)
}
