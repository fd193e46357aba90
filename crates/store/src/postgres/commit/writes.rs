//! The rows that a commit writes, gathered by table, so that each table takes one statement however many events there are. All
//! statements are sent at once, with the COMMIT as the last.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use countersign_domain::{EventType, InvestigationId};
use countersign_ledger::{Frontier, SigningKey};

use super::pipeline::{Pipeline, Sent};
use crate::{
    derive::{cases::row as case_row, column::ColumnValue, dead_letters::DeadLetterRow, event_row::EventTable},
    investigations::CaseState,
    logs::OpenState,
    postgres::{
        copying::insert_sql,
        event_tables::columns_of,
        session::Session,
        values::{SqlValue, column_value, number, storable, text_of, typed},
    },
    tables::{ColumnBatch, ColumnKind, Table},
};

#[derive(Default, Clone)]
pub(super) struct Writes<'a> {
    pub(super) events: EventColumns<'a>,
    pub(super) nodes: NodeColumns,
    pub(super) rows: BTreeMap<&'static str, RowColumns>,
    pub(super) report_seqs: Vec<i64>,
    pub(super) report_contents: Vec<Cow<'a, str>>,
    /// Changed cases, and whether they are new.
    pub(super) cases: BTreeMap<InvestigationId, (bool, CaseState)>,
    pub(super) report_states: BTreeMap<String, ReportStateWrite>,
    pub(super) ranks: Vec<(i64, &'static str, i64, i64)>,
    /// Answers, with the newest event about each; `None` once they are audited.
    pub(super) answers: BTreeMap<String, Option<(i64, OpenState)>>,
    pub(super) letters: BTreeMap<String, LetterWrite>,
    pub(super) history: Vec<(i64, String)>,
    pub(super) done: BTreeSet<(&'static str, i64)>,
    pub(super) lows: BTreeMap<&'static str, i64>,
    /// Before which position an agent's attempts are forgotten.
    pub(super) attempts_before: BTreeMap<&'static str, i64>,
    /// Attempts at single events; `None` if they are forgotten.
    pub(super) attempts: BTreeMap<(&'static str, i64), Option<i64>>,
    /// Everything that is written too rarely to be gathered, in order.
    pub(super) statements: Vec<Statement>,
}

#[derive(Default, Clone)]
pub(super) struct EventColumns<'a> {
    pub(super) types: Vec<EventType>,
    pub(super) seqs: Vec<i64>,
    pub(super) ids: Vec<String>,
    pub(super) headers: Vec<String>,
    pub(super) leaves: Vec<Vec<u8>>,
    pub(super) salts: Vec<Vec<u8>>,
    pub(super) payloads: Vec<Cow<'a, str>>,
    pub(super) metadata: Vec<Cow<'a, str>>,
}

#[derive(Default, Clone)]
pub(super) struct NodeColumns {
    pub(super) levels: Vec<i64>,
    pub(super) indexes: Vec<i64>,
    pub(super) hashes: Vec<Vec<u8>>,
}

/// Rows of a table with one row per event, without their positions.
#[derive(Clone)]
pub(super) struct RowColumns {
    pub(super) table: &'static Table,
    pub(super) seqs: Vec<i64>,
    pub(super) values: Vec<Vec<ColumnValue<'static>>>,
}

/// A change of the row with a report's state.
#[derive(Default, Clone)]
pub(super) struct ReportStateWrite {
    /// The position of a report that was made in this commit.
    pub(super) made_at: Option<i64>,
    /// `None` if a newer version has replaced the report.
    pub(super) state: Option<&'static str>,
}

#[derive(Clone)]
pub(super) enum LetterWrite {
    Row(Box<DeadLetterRow<'static>>),
    State(&'static str),
}

/// A statement with values of its own.
#[derive(Clone)]
pub(super) struct Statement {
    pub(super) sql: &'static str,
    pub(super) values: Vec<OwnedValue>,
}

#[derive(Clone)]
pub(super) enum OwnedValue {
    Integer(i64),
    Text(String),
    TextOrNull(Option<String>),
    Integers(Vec<i64>),
}

impl OwnedValue {
    pub(super) fn text(text: impl AsRef<str>) -> Self {
        Self::Text(storable(text.as_ref()).into_owned())
    }

    fn as_sql(&self) -> SqlValue<'_> {
        match self {
            Self::Integer(value) => typed(value),
            Self::Text(value) => typed(value),
            Self::TextOrNull(value) => typed(value),
            Self::Integers(values) => typed(values),
        }
    }
}

impl From<&ColumnValue<'_>> for OwnedValue {
    fn from(value: &ColumnValue<'_>) -> Self {
        match value {
            ColumnValue::Integer(value) => Self::Integer(*value),
            value => Self::TextOrNull(text_of(value).map(Cow::into_owned)),
        }
    }
}

/// Adds events and moves the tree's head.
const EVENTS_SQL: &str =
    "SELECT countersign.add_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
     $16, $17)";

/// Makes the ids of logs unique.
const LOG_IDS_SQL: &str = "INSERT INTO countersign.log_ids (id, seq) SELECT * FROM unnest($1::text[], $2::bigint[])";
const REPORT_BODIES_SQL: &str = "INSERT INTO countersign.report_bodies (seq, content)
     SELECT * FROM unnest($1::bigint[], $2::text[])";
const RANKS_SQL: &str = "INSERT INTO countersign.alert_ranks (seq, severity, score, nth)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])";

macro_rules! case_values {
    () => {
        "unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
           $9::bigint[], $10::bigint[], $11::bigint[])"
    };
}
const NEW_CASES_SQL: &str = concat!(
    "INSERT INTO countersign.case_states (investigation_id, seq, state, alert_state, severity, assigned_to, report_id,
       alert_seq, opened_seq, report_seq, assigned_seq) SELECT * FROM ",
    case_values!()
);
const CASES_SQL: &str = concat!(
    "UPDATE countersign.case_states c SET seq = n.seq, state = n.state, alert_state = n.alert_state,
       severity = n.severity, assigned_to = n.assigned_to, report_id = n.report_id, alert_seq = n.alert_seq,
       opened_seq = n.opened_seq, report_seq = n.report_seq, assigned_seq = n.assigned_seq FROM ",
    case_values!(),
    " AS n(investigation_id, seq, state, alert_state, severity, assigned_to, report_id, alert_seq, opened_seq,
       report_seq, assigned_seq) WHERE c.investigation_id = n.investigation_id"
);
const CASE_KINDS: [ColumnKind; 11] = [
    ColumnKind::Text,
    ColumnKind::Integer,
    ColumnKind::Text,
    ColumnKind::Text,
    ColumnKind::Text,
    ColumnKind::Text,
    ColumnKind::Text,
    ColumnKind::Integer,
    ColumnKind::Integer,
    ColumnKind::Integer,
    ColumnKind::Integer,
];

const NEW_REPORT_STATES_SQL: &str =
    "INSERT INTO countersign.report_states (seq, state) SELECT * FROM unnest($1::bigint[], $2::text[])";
const REPORT_STATES_SQL: &str = "UPDATE countersign.report_states s SET state = n.state
     FROM unnest($1::text[], $2::text[]) AS n(id, state) JOIN countersign.report_entries e ON e.id = n.id
     WHERE s.seq = e.seq";
const DROP_REPORT_STATES_SQL: &str = "DELETE FROM countersign.report_states
     WHERE seq IN (SELECT seq FROM countersign.report_entries WHERE id = ANY ($1))";

const ANSWERS_SQL: &str = "INSERT INTO countersign.open_answers (log_id, seq, state)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
     ON CONFLICT (log_id) DO UPDATE SET seq = excluded.seq, state = excluded.state";
const AUDITED_SQL: &str = "DELETE FROM countersign.open_answers WHERE log_id = ANY ($1)";

const LETTER_SQL: &str = "INSERT INTO countersign.dead_letters
       (id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, agent = excluded.agent, event_seq = excluded.event_seq,
       event_id = excluded.event_id, event_type = excluded.event_type, attempts = excluded.attempts,
       error = excluded.error, dead_lettered_at = excluded.dead_lettered_at, state = excluded.state";
const LETTER_STATE_SQL: &str = "UPDATE countersign.dead_letters SET state = $2 WHERE id = $1";

/// Only bodies that are still there count, because they were read before the lock was taken.
const HISTORY_SQL: &str = "INSERT INTO countersign.user_transactions (seq, user_id)
     SELECT n.seq, n.user_id FROM unnest($1::bigint[], $2::text[]) AS n(seq, user_id)
     WHERE EXISTS (SELECT 1 FROM countersign.event_bodies b WHERE b.seq = n.seq) ON CONFLICT (seq) DO NOTHING";

const DONE_SQL: &str = "INSERT INTO countersign.agent_done (agent, seq) SELECT * FROM unnest($1::text[], $2::bigint[])";
const LOWS_SQL: &str =
    "INSERT INTO countersign.agent_progress (agent, low) SELECT * FROM unnest($1::text[], $2::bigint[])
     ON CONFLICT (agent) DO UPDATE SET low = greatest(agent_progress.low, excluded.low)";
const PASSED_SQL: &str = "DELETE FROM countersign.agent_done d USING unnest($1::text[], $2::bigint[]) AS n(agent, low)
     WHERE d.agent = n.agent AND d.seq < n.low";
const ATTEMPTS_BEFORE_SQL: &str = "DELETE FROM countersign.agent_attempts a
     USING unnest($1::text[], $2::bigint[]) AS n(agent, until) WHERE a.agent = n.agent AND a.seq < n.until";
const ATTEMPTS_SQL: &str = "INSERT INTO countersign.agent_attempts (agent, seq, attempts)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
     ON CONFLICT (agent, seq) DO UPDATE SET attempts = excluded.attempts";
const NO_ATTEMPTS_SQL: &str = "DELETE FROM countersign.agent_attempts a
     USING unnest($1::text[], $2::bigint[]) AS n(agent, seq) WHERE a.agent = n.agent AND a.seq = n.seq";

impl Writes<'_> {
    pub(super) fn has_events(&self) -> bool {
        !self.events.seqs.is_empty()
    }

    /// Writes everything and commits, in one round trip. `announcement` tells other processes what was added.
    pub(super) async fn commit(
        &self,
        session: &Session,
        frontier: &Frontier,
        key: &SigningKey,
        announcement: &str,
    ) -> Sent {
        let columns = AllColumns::of(self, frontier, key, announcement);
        let mut pipeline = Pipeline::new(session);
        let verdicts = columns.send(self, &mut pipeline);
        pipeline.commit(verdicts).await
    }
}

/// The values of all statements of a commit, column by column, as they are sent.
struct AllColumns<'w> {
    announcement: &'w str,
    head: (i64, Vec<u8>, Vec<u8>, Vec<u8>),
    transactions: (Vec<i64>, Vec<Cow<'w, str>>),
    /// The rows of the other tables, with the statements that insert them.
    rows: Vec<(&'static Table, String, Vec<ColumnBatch>)>,
    ranks: (Vec<i64>, Vec<&'static str>, Vec<i64>, Vec<i64>),
    cases: [(&'static str, Vec<ColumnBatch>); 2],
    report_states: ReportStateColumns<'w>,
    open: OpenAnswerColumns<'w>,
    audited: Vec<&'w str>,
    history: (Vec<i64>, Vec<&'w str>),
    progress: ProgressColumns,
    statements: Vec<Statement>,
}

impl<'w> AllColumns<'w> {
    fn of(writes: &'w Writes<'_>, frontier: &Frontier, key: &SigningKey, announcement: &'w str) -> Self {
        let (size, root) = (frontier.size(), frontier.root());
        let seal = key.seal(size, &root).to_vec();
        let (open, audited) = writes.answer_columns();
        Self {
            announcement,
            head: (number(size), root.as_bytes().to_vec(), frontier.to_bytes(), seal),
            transactions: writes.transaction_columns(),
            rows: writes.other_rows().map(|rows| (rows.table, insert_sql(rows.table), rows.columns())).collect(),
            ranks: writes.rank_columns(),
            cases: [(NEW_CASES_SQL, writes.case_columns(true)), (CASES_SQL, writes.case_columns(false))],
            report_states: writes.report_state_columns(),
            open,
            audited,
            history: writes.history.iter().map(|(seq, user)| (*seq, user.as_str())).unzip(),
            progress: writes.progress_columns(),
            statements: writes.all_statements(),
        }
    }

    /// Sends the statements in an order that the triggers accept: an event before the rows that follow from it. Returns the place
    /// of the one that inserts verdicts.
    fn send<'s>(&'s self, writes: &'s Writes<'_>, pipeline: &mut Pipeline<'s>) -> Option<usize> {
        let EventColumns { types: _, seqs, ids, headers, leaves, salts, payloads, metadata } = &writes.events;
        let NodeColumns { levels, indexes, hashes } = &writes.nodes;
        let (transaction_seqs, transaction_ids) = &self.transactions;
        let (size, root, edge, seal) = &self.head;
        let events = || {
            vec![
                typed(seqs),
                typed(ids),
                typed(headers),
                typed(leaves),
                typed(salts),
                typed(payloads),
                typed(metadata),
                typed(levels),
                typed(indexes),
                typed(hashes),
                typed(transaction_seqs),
                typed(transaction_ids),
                typed(size),
                typed(root),
                typed(edge),
                typed(seal),
                typed(&self.announcement),
            ]
        };
        pipeline.add_if(writes.has_events(), EVENTS_SQL, events);
        let mut verdicts = None;
        for (table, sql, columns) in &self.rows {
            if table.name == EventTable::ValidationEntries.name() {
                verdicts = Some(pipeline.len());
            }
            pipeline.add(sql, columns.iter().map(column_value).collect());
            if let (true, [seqs, ids, ..]) = (table.name == EventTable::LogEntries.name(), &columns[..]) {
                pipeline.add(LOG_IDS_SQL, vec![column_value(ids), column_value(seqs)]);
            }
        }
        let (contents, report_seqs) = (&writes.report_contents, &writes.report_seqs);
        pipeline.add_if(!report_seqs.is_empty(), REPORT_BODIES_SQL, || vec![typed(report_seqs), typed(contents)]);
        let (seqs, severities, scores, nths) = &self.ranks;
        let ranks = || vec![typed(seqs), typed(severities), typed(scores), typed(nths)];
        pipeline.add_if(!seqs.is_empty(), RANKS_SQL, ranks);
        for (sql, columns) in &self.cases {
            pipeline.add_if(!columns.is_empty(), sql, || columns.iter().map(column_value).collect());
        }
        let ReportStateColumns { made, moved, ended } = &self.report_states;
        pipeline.add_if(!made.0.is_empty(), NEW_REPORT_STATES_SQL, || vec![typed(&made.0), typed(&made.1)]);
        pipeline.add_if(!moved.0.is_empty(), REPORT_STATES_SQL, || vec![typed(&moved.0), typed(&moved.1)]);
        pipeline.add_if(!ended.is_empty(), DROP_REPORT_STATES_SQL, || vec![typed(ended)]);
        let (ids, seqs, states) = &self.open;
        pipeline.add_if(!ids.is_empty(), ANSWERS_SQL, || vec![typed(ids), typed(seqs), typed(states)]);
        pipeline.add_if(!self.audited.is_empty(), AUDITED_SQL, || vec![typed(&self.audited)]);
        let (seqs, users) = &self.history;
        pipeline.add_if(!seqs.is_empty(), HISTORY_SQL, || vec![typed(seqs), typed(users)]);
        self.progress.send(pipeline);
        for statement in &self.statements {
            pipeline.add(statement.sql, statement.values.iter().map(OwnedValue::as_sql).collect());
        }
        verdicts
    }
}

struct ReportStateColumns<'a> {
    made: (Vec<i64>, Vec<&'static str>),
    moved: (Vec<&'a str>, Vec<&'static str>),
    ended: Vec<&'a str>,
}

struct ProgressColumns {
    done: (Vec<&'static str>, Vec<i64>),
    lows: (Vec<&'static str>, Vec<i64>),
    attempts_before: (Vec<&'static str>, Vec<i64>),
    attempts: (Vec<&'static str>, Vec<i64>, Vec<i64>),
    no_attempts: (Vec<&'static str>, Vec<i64>),
}

impl ProgressColumns {
    fn send<'s>(&'s self, pipeline: &mut Pipeline<'s>) {
        let pairs = [
            (DONE_SQL, &self.done),
            (LOWS_SQL, &self.lows),
            (PASSED_SQL, &self.lows),
            (ATTEMPTS_BEFORE_SQL, &self.attempts_before),
            (NO_ATTEMPTS_SQL, &self.no_attempts),
        ];
        for (sql, (agents, numbers)) in pairs {
            pipeline.add_if(!agents.is_empty(), sql, || vec![typed(agents), typed(numbers)]);
        }
        let (agents, seqs, counts) = &self.attempts;
        pipeline.add_if(!agents.is_empty(), ATTEMPTS_SQL, || vec![typed(agents), typed(seqs), typed(counts)]);
    }
}

type OpenAnswerColumns<'a> = (Vec<&'a str>, Vec<i64>, Vec<&'static str>);

impl Writes<'_> {
    fn transaction_columns(&self) -> (Vec<i64>, Vec<Cow<'_, str>>) {
        let rows = self.rows.get(EventTable::TransactionIds.name());
        let seqs = rows.map(|rows| rows.seqs.clone()).unwrap_or_default();
        let ids = rows.into_iter().flat_map(|rows| &rows.values).filter_map(|row| row.first().and_then(text_of));
        (seqs, ids.collect())
    }

    fn other_rows(&self) -> impl Iterator<Item = &RowColumns> {
        self.rows.values().filter(|rows| rows.table.name != EventTable::TransactionIds.name())
    }

    fn rank_columns(&self) -> (Vec<i64>, Vec<&'static str>, Vec<i64>, Vec<i64>) {
        let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (seq, severity, score, nth) in &self.ranks {
            columns.0.push(*seq);
            columns.1.push(*severity);
            columns.2.push(*score);
            columns.3.push(*nth);
        }
        columns
    }

    /// The columns of the cases that are new, or of those that are not. Empty if there are none.
    fn case_columns(&self, are_new: bool) -> Vec<ColumnBatch> {
        let cases = self.cases.values().filter(|(is_new, _)| *is_new == are_new);
        let rows: Vec<Vec<ColumnValue<'static>>> =
            cases.map(|(_, case)| case_row(case).map(ColumnValue::into_owned).into()).collect();
        if rows.is_empty() { Vec::new() } else { columns_of(&rows, CASE_KINDS.iter()) }
    }

    fn report_state_columns(&self) -> ReportStateColumns<'_> {
        let mut columns = ReportStateColumns { made: Default::default(), moved: Default::default(), ended: Vec::new() };
        for (id, write) in &self.report_states {
            match (write.made_at, write.state) {
                (Some(seq), Some(state)) => {
                    columns.made.0.push(seq);
                    columns.made.1.push(state);
                }
                // Made and replaced in one commit.
                (Some(_), None) => {}
                (None, Some(state)) => {
                    columns.moved.0.push(id);
                    columns.moved.1.push(state);
                }
                (None, None) => columns.ended.push(id),
            }
        }
        columns
    }

    fn answer_columns(&self) -> (OpenAnswerColumns<'_>, Vec<&str>) {
        let (mut open, mut audited) = ((Vec::new(), Vec::new(), Vec::new()), Vec::new());
        for (id, answer) in &self.answers {
            match answer {
                Some((seq, state)) => {
                    open.0.push(id.as_str());
                    open.1.push(*seq);
                    open.2.push(state.as_str());
                }
                None => audited.push(id.as_str()),
            }
        }
        (open, audited)
    }

    fn progress_columns(&self) -> ProgressColumns {
        let is_passed = |(agent, seq): &&(&'static str, i64)| self.lows.get(agent).is_some_and(|low| seq < low);
        let mut attempts = (Vec::new(), Vec::new(), Vec::new());
        let mut no_attempts = (Vec::new(), Vec::new());
        for ((agent, seq), count) in &self.attempts {
            match count {
                Some(count) => {
                    attempts.0.push(*agent);
                    attempts.1.push(*seq);
                    attempts.2.push(*count);
                }
                None => {
                    no_attempts.0.push(*agent);
                    no_attempts.1.push(*seq);
                }
            }
        }
        ProgressColumns {
            done: self.done.iter().filter(|done| !is_passed(done)).copied().unzip(),
            lows: self.lows.iter().map(|(agent, low)| (*agent, *low)).unzip(),
            attempts_before: self.attempts_before.iter().map(|(agent, until)| (*agent, *until)).unzip(),
            attempts,
            no_attempts,
        }
    }

    /// The statements with values of their own. Dead letters come first.
    fn all_statements(&self) -> Vec<Statement> {
        let letters = self.letters.iter().map(|(id, write)| match write {
            LetterWrite::Row(row) => Statement { sql: LETTER_SQL, values: row.iter().map(Into::into).collect() },
            LetterWrite::State(state) => {
                Statement { sql: LETTER_STATE_SQL, values: vec![OwnedValue::text(id), OwnedValue::text(state)] }
            }
        });
        letters.chain(self.statements.iter().cloned()).collect()
    }
}

impl RowColumns {
    /// All columns, the position first.
    fn columns(&self) -> Vec<ColumnBatch> {
        let seqs = ColumnBatch::Integers(self.seqs.iter().copied().map(Some).collect());
        let kinds = self.table.columns.iter().skip(1).map(|(_, kind)| kind);
        std::iter::once(seqs).chain(columns_of(&self.values, kinds)).collect()
    }
}
