//! Statements for the tables that have one row per event. Which event gets which row is decided in `derive/event_row.rs`.

use rusqlite::Connection;

use super::columns;
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
};

/// The statements of one table.
pub(crate) struct RowStatements {
    /// `OR FAIL` costs less than `OR ABORT` (see "Refusing a row" in the schema). If the id is taken, no row is
    /// inserted, which the caller sees from the number of rows; only for reports a trigger refuses the row with an error.
    /// Verdicts have no `ON CONFLICT`, because a row that is refused must be an error that says why, and reviews have none,
    /// because their second column need not be unique.
    pub(crate) insert: &'static str,
    /// Finds the position of the row with an id. Only run for transactions, alerts, investigations and logs.
    pub(crate) find_seq: &'static str,
    /// Reads all columns after `seq`.
    pub(crate) select: &'static str,
    /// Blanks the columns that an erasure must not leave, if there are any. `IS NOT NULL` only spares an update that would change
    /// nothing.
    pub(crate) forget: Option<&'static str>,
}

pub(crate) const fn statements(table: EventTable) -> &'static RowStatements {
    match table {
        EventTable::TransactionIds => &TRANSACTION_IDS,
        EventTable::Alerts => &ALERTS,
        EventTable::Investigations => &INVESTIGATIONS,
        EventTable::LogEntries => &LOG_ENTRIES,
        EventTable::ReportEntries => &REPORT_ENTRIES,
        EventTable::ValidationEntries => &VALIDATION_ENTRIES,
        EventTable::ReviewEntries => &REVIEW_ENTRIES,
    }
}

/// Calls `read` with the row at a position, without the position itself. Returns whether there is a row.
pub(crate) fn read_row(
    conn: &Connection,
    table: EventTable,
    seq: u64,
    read: &mut dyn FnMut(&[ColumnValue<'_>]),
) -> Result<bool> {
    let mut statement = conn.prepare_cached(statements(table).select)?;
    let columns = statement.column_count();
    let mut rows = statement.query([seq])?;
    let Some(row) = rows.next()? else { return Ok(false) };
    read(&columns::values(row, columns)?);
    Ok(true)
}

pub(crate) const TRANSACTION_IDS: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO transaction_ids (seq, transaction_id) VALUES (?1, ?2) ON CONFLICT (transaction_id) DO NOTHING",
    find_seq: "SELECT seq FROM transaction_ids WHERE transaction_id = ?1",
    select: "SELECT transaction_id FROM transaction_ids WHERE seq = ?1",
    forget: None,
};

pub(crate) const ALERTS: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO alerts (seq, alert_id, user_id, severity, score, transaction_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (alert_id) DO NOTHING",
    find_seq: "SELECT seq FROM alerts WHERE alert_id = ?1",
    select: "SELECT alert_id, user_id, severity, score, transaction_id FROM alerts WHERE seq = ?1",
    forget: Some(
        "UPDATE alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL WHERE seq = ?1",
    ),
};

pub(crate) const INVESTIGATIONS: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO investigations (seq, investigation_id, alert_id, user_id, severity, risk_score)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (investigation_id) DO NOTHING",
    find_seq: "SELECT seq FROM investigations WHERE investigation_id = ?1",
    select: "SELECT investigation_id, alert_id, user_id, severity, risk_score FROM investigations WHERE seq = ?1",
    forget: Some(
        "UPDATE investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL WHERE seq = ?1",
    ),
};

const LOG_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO log_entries (seq, id, created_at, risk_score, idempotency)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING",
    find_seq: "SELECT seq FROM log_entries WHERE id = ?1",
    select: "SELECT id, created_at, risk_score, idempotency FROM log_entries WHERE seq = ?1",
    forget: Some("UPDATE log_entries SET idempotency = NULL WHERE seq = ?1 AND idempotency IS NOT NULL"),
};

const REPORT_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO report_entries (seq, id, investigation_id, report_type, version, fraud_detection_id,
               transaction_id, severity, risk_score, content_hash, generated_at, regeneration_of)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING",
    find_seq: "SELECT seq FROM report_entries WHERE id = ?1",
    select: "SELECT id, investigation_id, report_type, version, fraud_detection_id, transaction_id, severity,
               risk_score, content_hash, generated_at, regeneration_of
             FROM report_entries WHERE seq = ?1",
    forget: Some(
        "UPDATE report_entries SET fraud_detection_id = NULL, transaction_id = NULL, severity = NULL, risk_score = NULL,
           content_hash = NULL, generated_at = NULL, regeneration_of = NULL WHERE seq = ?1 AND content_hash IS NOT NULL",
    ),
};

const VALIDATION_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO validation_entries (seq, id, report_id, passed, validation_score, validated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    find_seq: "SELECT seq FROM validation_entries WHERE id = ?1",
    select: "SELECT id, report_id, passed, validation_score, validated_at FROM validation_entries WHERE seq = ?1",
    forget: None,
};

const REVIEW_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT OR FAIL INTO review_entries (seq, report_id, investigation_id) VALUES (?1, ?2, ?3)",
    find_seq: "SELECT seq FROM review_entries WHERE report_id = ?1",
    select: "SELECT report_id, investigation_id FROM review_entries WHERE seq = ?1",
    forget: None,
};
