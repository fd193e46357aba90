//! What a backend answers about its stored records, so that the rules of verification can compare them with the events.
//!
//! The rules decide what is asked, and in which order: first about the tree's head and progress, then about each event while
//! [`StoredRecords::walk`] is running, then about whole tables. Almost every question during the walk is about rows at the position
//! of the current event, so a backend that reads over a network can fetch the rows of a page of events at once and answer from
//! that page. The exceptions name an id that is in the event (of its cause, its case, a report, an alert or a log), or lead from
//! an erased event to its erasure and back.

use std::collections::BTreeSet;

use countersign_domain::{EventId, EventType, InvestigationId, ReportId, Score, Severity};
use countersign_ledger::{Hash, NodeId};

use crate::{
    check::EachEvent,
    derive::{
        column::{ColumnValue, is_stored_text},
        event_row::EventTable,
    },
    error::Result,
    ledger_head::LedgerHead,
};

/// The stored records of one database. They may have been changed by hand, so values can have any type, and positions can be
/// negative. If a value doesn't have the type that a method returns, the method fails; only a [`ColumnValue`] can hold every
/// value.
///
/// A method with a callback calls it for each row, so that no table has to fit into memory, and stops at the callback's first
/// error. The callback may ask the same records other questions while the method is running.
pub(crate) trait StoredRecords {
    // The database itself.

    /// How the schema differs from the one that this version creates. Each difference is the text of a finding.
    fn schema_differences(&self) -> Result<Vec<String>>;

    /// What the database's own check of its storage finds, if it has one. Each line is the text of a finding.
    fn damage(&self, each: &mut dyn FnMut(String) -> Result<()>) -> Result<()>;
    /// Runs `read`, and answers all its questions as of the same moment. Other questions may be answered as of later and later
    /// moments, or all as of one.
    fn in_snapshot(&self, read: &mut dyn FnMut() -> Result<()>) -> Result<()>;

    // The log.

    fn positions(&self) -> Result<Positions>;

    /// Calls `each` with every event before `size`, in order.
    fn walk(&self, size: u64, each: &mut EachEvent<'_>) -> Result<()>;

    /// Whether there is an event at this position.
    fn position_exists(&self, seq: u64) -> Result<bool>;

    /// The position of an event.
    fn position_of(&self, id: EventId) -> Result<Option<u64>>;

    /// The type and payload of the event at a position. `None` if there is no event, or it has no body.
    fn payload(&self, seq: u64) -> Result<Option<TypedPayload>>;

    /// The metadata of the event at a position. `None` if there is no event, or it has no body.
    fn metadata(&self, seq: u64) -> Result<Option<String>>;

    // The tree and its checkpoints.

    /// How many rows the table `ledger_head` has.
    fn heads(&self) -> Result<u64>;

    fn head(&self) -> Result<Option<LedgerHead>>;

    /// A stored inner node. `None` if it isn't stored, or what is stored is not a hash.
    fn node(&self, node: NodeId) -> Result<Option<Hash>>;

    /// As of one moment.
    fn node_count(&self) -> Result<NodeCount>;

    /// The largest size over which a checkpoint is stored, if that is more than the size of the tree's head. As of one moment.
    fn checkpoint_beyond_head(&self) -> Result<Option<u64>>;

    /// Calls `each` with size and note of every checkpoint up to a size, smallest first.
    fn checkpoints(&self, until: u64, each: &mut dyn FnMut(u64, &str) -> Result<()>) -> Result<()>;

    // Agents' progress.

    /// Calls `each` with every agent's name and mark.
    fn marks(&self, each: &mut dyn FnMut(&str, i64) -> Result<()>) -> Result<()>;

    /// One agent's mark.
    fn mark_of(&self, agent: &str) -> Result<Option<i64>>;

    /// Calls `each` with every event that is stored as finished above its agent's mark.
    fn finished_events(&self, each: &mut EachFinishedEvent<'_>) -> Result<()>;

    // The tables that have one row per event.

    /// Calls `read` with the row at a position, without the position itself. Returns whether there is a row. [`find_row`] is
    /// easier to call.
    fn row(&self, table: EventTable, seq: u64, read: &mut dyn FnMut(&[ColumnValue<'_>])) -> Result<bool>;

    /// The position of the row with this id. Asked about alerts and logs.
    fn position_in(&self, table: EventTable, id: &str) -> Result<Option<i64>>;

    fn report(&self, id: &ReportId) -> Result<Option<ReportRow>>;

    /// Calls `each` with the positions of rows for which the log has no event of these types, or no event at all if the list is
    /// empty. The first ten are enough.
    fn strays(&self, table: &str, types: &[EventType], each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()>;

    /// Calls `each` with every difference between the log and the tables that only this database has: the position, if it is
    /// known, and the text of a finding. Asked after the walk.
    fn own_differences(&self, _each: &mut dyn FnMut(Option<u64>, String) -> Result<()>) -> Result<()> {
        Ok(())
    }

    // The tables whose rows depend on several events.

    /// The user in whose history the transaction at a position is.
    fn history_user(&self, seq: u64) -> Result<Option<String>>;

    /// The row of `alert_ranks` with this severity, score and position.
    fn rank(&self, severity: Severity, score: Score, seq: u64) -> Result<Option<RankRow>>;

    /// Calls `each` with position, severity and score of every row of `alert_ranks` that differs from the row of its alert, in
    /// the order of the log.
    fn differing_ranks(&self, each: &mut dyn FnMut(i64, &str, i64) -> Result<()>) -> Result<()>;

    /// Calls `each` with log id, position and state of every row of `open_answers`.
    fn open_answers(&self, each: &mut dyn FnMut(&str, i64, &str) -> Result<()>) -> Result<()>;

    fn case(&self, id: InvestigationId) -> Result<Option<CaseRow>>;

    /// Calls `each` with id and position of every row of `case_states`. The id is `None` if it is not an investigation's. The
    /// callback asks for the payload at the position.
    fn cases(&self, each: &mut dyn FnMut(Option<InvestigationId>, i64) -> Result<()>) -> Result<()>;

    /// Calls `each` with the positions of rows of `report_states` for which there is no report.
    fn report_states_without_report(&self, each: &mut dyn FnMut(i64) -> Result<()>) -> Result<()>;

    // Erasures, dead letters and keys.

    /// The position of the event that erased the event at a position.
    fn erased_by(&self, seq: u64) -> Result<Option<u64>>;

    /// Calls `each` with the position of every erased event and that of the event that erased it, in the order of the log.
    fn erasures(&self, each: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()>;

    /// Calls `each` with every row, with the columns of [`crate::derive::dead_letters::DeadLetterRow`].
    fn dead_letters(&self, each: &mut EachRow<'_>) -> Result<()>;

    /// The ids of dead letters that events from this position on have changed.
    fn dead_letters_changed_since(&self, seq: u64) -> Result<BTreeSet<String>>;

    /// Calls `each` with every row, with the columns of [`crate::derive::access_keys::AccessKeyRow`].
    fn access_keys(&self, each: &mut EachRow<'_>) -> Result<()>;
}

/// A callback for each finished event: with the agent's name, the position, and the type of the event that is there, if there is
/// one.
pub(crate) type EachFinishedEvent<'a> = dyn FnMut(&str, i64, Option<&str>) -> Result<()> + 'a;

/// A callback for each row of a table.
pub(crate) type EachRow<'a> = dyn FnMut(&[ColumnValue<'_>]) -> Result<()> + 'a;

/// The positions that a log takes.
pub(crate) struct Positions {
    pub(crate) first: Option<i64>,
    /// The position after the last event; 0 if there is no event.
    pub(crate) end: u64,
}

/// An event's payload with the name of its type, both as they are stored.
#[derive(Clone)]
pub(crate) struct TypedPayload {
    pub(crate) event_type: String,
    pub(crate) payload: String,
}

pub(crate) struct NodeCount {
    /// The number of stored inner nodes.
    pub(crate) nodes: u64,
    /// The size of the tree's head; 0 without a head.
    pub(crate) tree_size: u64,
}

/// What rules ask about a report that they know by its id.
#[derive(Clone)]
pub(crate) struct ReportRow {
    pub(crate) seq: i64,
    /// Any text, if what is stored is not an id.
    pub(crate) investigation_id: String,
    /// Whether severity and risk score are stored.
    pub(crate) is_rated: bool,
}

/// An alert's rank, and that of the alert before it with the same severity and score.
#[derive(Clone)]
pub(crate) struct RankRow {
    pub(crate) nth: i64,
    /// 0 if there is none.
    pub(crate) previous: i64,
}

/// A row of `case_states` with the states of the case's reports, as of one moment.
#[derive(Clone)]
pub(crate) struct CaseRow {
    pub(crate) seq: i64,
    /// All columns, in the order of [`crate::derive::cases::COLUMNS`].
    pub(crate) values: Vec<ColumnValue<'static>>,
    /// Oldest first.
    pub(crate) reports: Vec<ReportStateRow>,
}

/// A report that has a row in `report_states`.
#[derive(Clone)]
pub(crate) struct ReportStateRow {
    pub(crate) seq: i64,
    pub(crate) report_id: String,
    pub(crate) state: String,
}

/// Reads the row at a position, without the position itself.
pub(super) fn find_row<T>(
    records: &dyn StoredRecords,
    table: EventTable,
    seq: u64,
    read: impl FnOnce(&[ColumnValue<'_>]) -> T,
) -> Result<Option<T>> {
    let (mut read, mut found) = (Some(read), None);
    records.row(table, seq, &mut |values| found = read.take().map(|read| read(values)))?;
    Ok(found)
}

/// Whether a row stores these values, which follow from an event.
pub(super) fn is_stored_as<'e, 'v: 'e>(
    stored: &[ColumnValue<'_>],
    expected: impl IntoIterator<Item = &'e ColumnValue<'v>>,
) -> bool {
    let mut stored = stored.iter();
    let is_next = |expected: &ColumnValue<'_>| match (stored.next(), expected) {
        (Some(ColumnValue::Text(stored)), ColumnValue::Text(expected)) => is_stored_text(stored, expected),
        (stored, expected) => stored == Some(expected),
    };
    expected.into_iter().all(is_next) && stored.next().is_none()
}
