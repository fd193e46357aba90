//! Answers what the rules of verification ask about a Postgres database.

use std::{cell::RefCell, collections::BTreeSet, sync::Arc};

use countersign_domain::{EventId, EventType, InvestigationId, ReportId, Score, Severity};
use countersign_ledger::{Hash, NodeId};
use tokio_postgres::Row;

use super::{
    answers::{self, Answers},
    own_tables::OwnTables,
    questions,
    snapshot::Snapshot,
    walk::{self, PageContent},
};
use crate::{
    check::EachEvent,
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
    ledger_head::LedgerHead,
    postgres::{
        event_tables, ledger, schema,
        values::{Columns, number, values},
    },
    verify::records::{
        CaseRow, EachFinishedEvent, EachRow, NodeCount, Positions, RankRow, ReportRow, StoredRecords, TypedPayload,
    },
};

/// How many rows of a scan are answered at once if each needs a payload.
const PAYLOADS_PER_READ: usize = 250;

/// A database, read in one snapshot.
pub(super) struct PostgresRecords<'a> {
    snapshot: Snapshot<'a>,
    /// What has been read about the events that are being checked.
    read_ahead: RefCell<Option<Arc<Answers>>>,
    own_tables: OwnTables,
}

impl<'a> PostgresRecords<'a> {
    pub(super) fn new(snapshot: Snapshot<'a>) -> Self {
        Self { snapshot, read_ahead: RefCell::default(), own_tables: OwnTables::default() }
    }

    /// An answer that has been read ahead.
    fn known<T>(&self, find: impl FnOnce(&Answers) -> Option<T>) -> Option<T> {
        self.read_ahead.borrow().as_deref().and_then(find)
    }

    /// The first row of a statement with one value.
    fn row_at<T: Send + 'static>(
        &self,
        sql: &'static str,
        value: i64,
        read: impl FnOnce(&Row) -> Result<T> + Send + 'static,
    ) -> Result<Option<T>> {
        self.snapshot.ask(move |session| async move {
            session.row_if_any(sql, values![value]).await?.as_ref().map(read).transpose()
        })
    }

    /// The row of a statement that always has one.
    fn single<T: Send + 'static>(
        &self,
        sql: &'static str,
        read: impl FnOnce(&Row) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.snapshot.ask(move |session| async move { read(&session.row(sql, &[]).await?) })
    }

    fn each(&self, sql: &str, mut each: impl FnMut(&Row) -> Result<()>) -> Result<()> {
        self.snapshot.scan(sql, &mut |rows| rows.iter().try_for_each(&mut each))
    }

    /// Calls `each` with the values of every row that a statement selects.
    fn each_row(&self, sql: &str, each: &mut EachRow<'_>) -> Result<()> {
        self.each(sql, |row| each(&questions::columns(row)?))
    }

    /// Like `each`, for a callback that asks for the payload at the row's position, which is the first column.
    fn each_with_payload(&self, sql: &str, mut each: impl FnMut(&Row) -> Result<()>) -> Result<()> {
        let done = self.snapshot.scan(sql, &mut |rows| {
            rows.chunks(PAYLOADS_PER_READ).try_for_each(|rows| {
                let positions: Vec<i64> = rows.iter().map(|row| row.column(0)).collect::<Result<_>>()?;
                let answers =
                    self.snapshot.ask(|session| async move { answers::payloads(&session, &positions).await })?;
                self.read_ahead.replace(Some(Arc::new(answers)));
                rows.iter().try_for_each(&mut each)
            })
        });
        self.read_ahead.take();
        done
    }
}

impl StoredRecords for PostgresRecords<'_> {
    fn schema_differences(&self) -> Result<Vec<String>> {
        self.snapshot.ask(|session| async move { schema::differences(&session).await })
    }

    /// Postgres has no such check that every role may run. Its pages may have checksums, and reading a damaged page fails.
    fn damage(&self, _each: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
        Ok(())
    }
    /// Everything is read in one snapshot anyway.
    fn in_snapshot(&self, read: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        read()
    }

    fn positions(&self) -> Result<Positions> {
        self.single("SELECT min(seq), max(seq) FROM countersign.event_log", |row| {
            let last: Option<i64> = row.column(1)?;
            let end = last.and_then(|last| u64::try_from(last).ok()).map_or(0, |last| last.saturating_add(1));
            Ok(Positions { first: row.column(0)?, end })
        })
    }

    fn walk(&self, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
        self.own_tables.clear();
        let done = walk::walk(&self.snapshot, size, PageContent::EventsAndAnswers, &mut |page| {
            self.own_tables.add(&page.answers);
            self.read_ahead.replace(Some(Arc::clone(&page.answers)));
            walk::for_each_in(page, each)
        });
        self.read_ahead.take();
        done
    }

    fn position_exists(&self, seq: u64) -> Result<bool> {
        let sql = "SELECT 1 FROM countersign.event_log WHERE seq = $1";
        Ok(self.row_at(sql, number(seq), |_| Ok(()))?.is_some())
    }

    fn position_of(&self, id: EventId) -> Result<Option<u64>> {
        if let Some(seq) = self.known(|answers| answers.positions.get(&id).copied()) {
            return Ok(Some(seq));
        }
        let sql = "SELECT seq FROM countersign.event_ids WHERE event_id = $1::uuid";
        let id = id.to_string();
        self.snapshot.ask(|session| async move {
            session.row_if_any(sql, values![id]).await?.map(|row| row.number(0)).transpose()
        })
    }

    fn payload(&self, seq: u64) -> Result<Option<TypedPayload>> {
        match self.known(|answers| answers.payloads.get(&seq).cloned()) {
            Some(payload) => Ok(payload),
            None => self.snapshot.ask(|session| async move { questions::payload(&session, seq).await }),
        }
    }

    fn metadata(&self, seq: u64) -> Result<Option<String>> {
        let sql = "SELECT metadata FROM countersign.event_bodies WHERE seq = $1";
        self.row_at(sql, number(seq), |row| row.column(0))
    }

    fn heads(&self) -> Result<u64> {
        self.single("SELECT count(*) FROM countersign.ledger_head", |row| row.number(0))
    }

    fn head(&self) -> Result<Option<LedgerHead>> {
        self.snapshot.ask(|session| async move { ledger::read_head(&session).await })
    }

    fn node(&self, node: NodeId) -> Result<Option<Hash>> {
        if let Some(hash) = self.known(|answers| answers.nodes.get(&node).copied()) {
            return Ok(Some(hash));
        }
        let sql = "SELECT hash FROM countersign.ledger_nodes WHERE level = $1 AND idx = $2";
        let (level, index) = (i64::from(node.level), number(node.index));
        let stored =
            self.snapshot.ask(|session| async move { session.row_if_any(sql, values![level, index]).await })?;
        Ok(stored.and_then(|row| Hash::from_slice(row.column(0).ok()?).ok()))
    }

    fn node_count(&self) -> Result<NodeCount> {
        let sql = "SELECT (SELECT count(*) FROM countersign.ledger_nodes),
                     coalesce((SELECT size FROM countersign.ledger_head WHERE id = 1), 0)";
        self.single(sql, |row| Ok(NodeCount { nodes: row.number(0)?, tree_size: row.number(1)? }))
    }

    fn checkpoint_beyond_head(&self) -> Result<Option<u64>> {
        let sql = "SELECT max(size) FROM countersign.checkpoints
                   WHERE size > (SELECT size FROM countersign.ledger_head WHERE id = 1)";
        self.single(sql, |row| row.number_if_any(0))
    }

    fn checkpoints(&self, until: u64, each: &mut dyn FnMut(u64, &str) -> Result<()>) -> Result<()> {
        let until = number(until);
        let sql = format!("SELECT size, note FROM countersign.checkpoints WHERE size <= {until} ORDER BY size");
        self.each(&sql, |row| each(row.number(0)?, row.text(1)?))
    }

    fn marks(&self, each: &mut dyn FnMut(&str, i64) -> Result<()>) -> Result<()> {
        self.each("SELECT agent, low FROM countersign.agent_progress", |row| each(row.text(0)?, row.column(1)?))
    }

    fn mark_of(&self, agent: &str) -> Result<Option<i64>> {
        let sql = "SELECT low FROM countersign.agent_progress WHERE agent = $1";
        let agent = agent.to_owned();
        self.snapshot.ask(|session| async move {
            session.row_if_any(sql, values![agent]).await?.map(|row| row.column(0)).transpose()
        })
    }

    fn finished_events(&self, each: &mut EachFinishedEvent<'_>) -> Result<()> {
        let sql = "SELECT d.agent, d.seq, l.event_type FROM countersign.agent_done d LEFT JOIN LATERAL (
                     SELECT l.event_type FROM countersign.event_log l WHERE l.seq = d.seq LIMIT 1) l ON true";
        self.each(sql, |row| each(row.text(0)?, row.column(1)?, row.text_if_any(2)?))
    }

    fn row(&self, table: EventTable, seq: u64, read: &mut dyn FnMut(&[ColumnValue<'_>])) -> Result<bool> {
        let mut of_row = |row: &Option<Vec<ColumnValue<'static>>>| row.as_deref().map(&mut *read).is_some();
        if let Some(exists) = self.known(|answers| answers.rows.get(&(table, seq)).map(&mut of_row)) {
            return Ok(exists);
        }
        let rows =
            self.snapshot.ask(|session| async move { event_tables::rows_at(&session, table, &[number(seq)]).await })?;
        Ok(rows.first().map(|(_, values)| read(values)).is_some())
    }

    fn position_in(&self, table: EventTable, id: &str) -> Result<Option<i64>> {
        let id = id.to_owned();
        if let Some(seq) = self.known(|answers| answers.positions_in.get(&(table, id.clone())).copied()) {
            return Ok(seq);
        }
        self.snapshot.ask(|session| async move { questions::position_in(&session, table, &id).await })
    }

    fn report(&self, id: &ReportId) -> Result<Option<ReportRow>> {
        if let Some(report) = self.known(|answers| answers.reports.get(id.as_str()).cloned()) {
            return Ok(report);
        }
        let id = id.as_str().to_owned();
        let found = self.snapshot.ask(|session| async move { questions::reports(&session, &[id]).await })?;
        Ok(found.into_iter().next().map(|(_, report)| report))
    }

    fn strays(&self, table: &str, types: &[EventType], each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()> {
        let types: Vec<_> = types.iter().map(|event_type| format!("'{}'", event_type.as_str())).collect();
        let of_types =
            if types.is_empty() { String::new() } else { format!("l.event_type IN ({}) AND", types.join(", ")) };
        let sql = format!(
            "SELECT t.seq FROM countersign.{table} t
             WHERE NOT EXISTS (SELECT 1 FROM countersign.event_log l WHERE {of_types} l.seq = t.seq) LIMIT 10"
        );
        self.each(&sql, |row| each(row.column(0)?))
    }

    fn own_differences(&self, each: &mut dyn FnMut(Option<u64>, String) -> Result<()>) -> Result<()> {
        self.own_tables.compare(&self.snapshot, each)
    }

    fn history_user(&self, seq: u64) -> Result<Option<String>> {
        if let Some(user) = self.known(|answers| answers.history.get(&seq).cloned()) {
            return Ok(user);
        }
        let sql = "SELECT user_id FROM countersign.user_transactions WHERE seq = $1";
        self.row_at(sql, number(seq), |row| row.column(0))
    }

    fn rank(&self, severity: Severity, score: Score, seq: u64) -> Result<Option<RankRow>> {
        let (severity, score) = (severity.as_str(), i64::from(score.get()));
        let of_key = |answers: &Answers| {
            let (found_severity, found_score, rank) = answers.ranks.get(&seq)?;
            (found_severity == severity && *found_score == score).then(|| rank.clone())
        };
        match self.known(of_key) {
            Some(rank) => Ok(Some(rank)),
            None => self.snapshot.ask(|session| async move { questions::rank(&session, severity, score, seq).await }),
        }
    }

    fn differing_ranks(&self, each: &mut dyn FnMut(i64, &str, i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT r.seq, r.severity, r.score FROM countersign.alert_ranks r
                   LEFT JOIN countersign.alerts a ON a.seq = r.seq
                   WHERE a.severity IS DISTINCT FROM r.severity OR a.score IS DISTINCT FROM r.score ORDER BY r.seq";
        self.each_with_payload(sql, |row| each(row.column(0)?, row.text(1)?, row.column(2)?))
    }

    fn open_answers(&self, each: &mut dyn FnMut(&str, i64, &str) -> Result<()>) -> Result<()> {
        let sql = "SELECT log_id, seq, state FROM countersign.open_answers";
        self.each(sql, |row| each(row.text(0)?, row.column(1)?, row.text(2)?))
    }

    fn case(&self, id: InvestigationId) -> Result<Option<CaseRow>> {
        if let Some(case) = self.known(|answers| answers.cases.get(&id).cloned()) {
            return Ok(case);
        }
        let ids = [id.to_string()];
        let found = self.snapshot.ask(|session| async move { questions::cases(&session, &ids, &[]).await })?;
        Ok(found.into_iter().next().map(|(_, case)| case))
    }

    fn cases(&self, each: &mut dyn FnMut(Option<InvestigationId>, i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT seq, investigation_id FROM countersign.case_states";
        self.each_with_payload(sql, |row| each(row.text(1)?.parse().ok(), row.column(0)?))
    }

    fn report_states_without_report(&self, each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT s.seq FROM countersign.report_states s
                   WHERE NOT EXISTS (SELECT 1 FROM countersign.report_entries e WHERE e.seq = s.seq)";
        self.each(sql, |row| each(row.column(0)?))
    }

    fn erased_by(&self, seq: u64) -> Result<Option<u64>> {
        match self.known(|answers| answers.erasures.get(&seq).copied()) {
            Some(erasure) => Ok(erasure),
            None => {
                let sql = "SELECT event_seq FROM countersign.erasures WHERE seq = $1";
                self.row_at(sql, number(seq), |row| row.number(0))
            }
        }
    }

    fn erasures(&self, each: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        let sql = "SELECT seq, event_seq FROM countersign.erasures ORDER BY seq";
        self.each(sql, |row| each(row.number(0)?, row.number(1)?))
    }

    fn dead_letters(&self, each: &mut EachRow<'_>) -> Result<()> {
        let sql = "SELECT id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
                   FROM countersign.dead_letters";
        self.each_row(sql, each)
    }

    fn dead_letters_changed_since(&self, seq: u64) -> Result<BTreeSet<String>> {
        let (event_type, seq) = (EventType::DeadLetterChanged.as_str(), number(seq));
        let sql = format!(
            "SELECT b.payload FROM countersign.event_log l JOIN countersign.event_bodies b ON b.seq = l.seq
             WHERE (l.event_type, l.seq) >= ('{event_type}', {seq}) AND l.event_type <= '{event_type}'
               AND l.seq >= {seq} AND b.seq >= {seq}"
        );
        let mut changed = BTreeSet::new();
        self.each(&sql, |row| {
            // A payload that can't be read is a finding already.
            let payload: Option<ChangedLetter> = serde_json::from_str(row.text(0)?).ok();
            changed.extend(payload.map(|payload| payload.dead_letter_id));
            Ok(())
        })?;
        Ok(changed)
    }

    fn access_keys(&self, each: &mut EachRow<'_>) -> Result<()> {
        let sql = "SELECT id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at
                   FROM countersign.access_keys";
        self.each_row(sql, each)
    }
}

#[derive(serde::Deserialize)]
struct ChangedLetter {
    dead_letter_id: String,
}
