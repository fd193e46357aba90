//! Statements for the tables that have one row per event. Which event gets which row is decided in `derive/event_row.rs`.

use std::borrow::Cow;

use super::{
    session::Session,
    values::{Columns, SqlValue, number_of, text_of, typed, values},
};
use crate::{
    derive::{column::ColumnValue, event_row::EventTable},
    error::Result,
};

/// What a column holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Number,
}

/// The statements of one table.
pub(super) struct RowStatements {
    /// Inserts rows, given column by column.
    pub(super) insert: &'static str,
    /// Reads the rows at several positions.
    pub(super) select: &'static str,
    /// The kinds of the columns after the position.
    pub(super) kinds: &'static [Kind],
}

use Kind::{Number as N, Text as T};

pub(super) const fn statements(table: EventTable) -> &'static RowStatements {
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

const TRANSACTION_IDS: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.transaction_ids (seq, transaction_id) SELECT * FROM unnest($1::bigint[], $2::text[])",
    select: "SELECT seq, transaction_id FROM countersign.transaction_ids WHERE seq = ANY ($1)",
    kinds: &[T],
};

const ALERTS: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.alerts (seq, alert_id, user_id, severity, score, transaction_id)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])",
    select: "SELECT seq, alert_id, user_id, severity, score, transaction_id FROM countersign.alerts WHERE seq = ANY ($1)",
    kinds: &[T, T, T, N, T],
};

const INVESTIGATIONS: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.investigations (seq, investigation_id, alert_id, user_id, severity, risk_score)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])",
    select: "SELECT seq, investigation_id, alert_id, user_id, severity, risk_score FROM countersign.investigations
             WHERE seq = ANY ($1)",
    kinds: &[T, T, T, T, N],
};

/// Also inserts what makes the ids unique.
const LOG_ENTRIES: RowStatements = RowStatements {
    insert: "WITH entries AS (
               INSERT INTO countersign.log_entries (seq, id, created_at, risk_score, idempotency)
               SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[]) RETURNING id, seq)
             INSERT INTO countersign.log_ids (id, seq) SELECT id, seq FROM entries",
    select: "SELECT seq, id, created_at, risk_score, idempotency FROM countersign.log_entries WHERE seq = ANY ($1)",
    kinds: &[T, N, N, T],
};

const REPORT_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.report_entries (seq, id, investigation_id, report_type, version, fraud_detection_id,
               transaction_id, severity, risk_score, content_hash, generated_at, regeneration_of)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
               $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[])",
    select: "SELECT seq, id, investigation_id, report_type, version, fraud_detection_id, transaction_id, severity,
               risk_score, content_hash, generated_at, regeneration_of
             FROM countersign.report_entries WHERE seq = ANY ($1)",
    kinds: &[T, T, T, N, T, T, T, N, T, T, T],
};

const VALIDATION_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.validation_entries (seq, id, report_id, passed, validation_score, validated_at)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])",
    select: "SELECT seq, id, report_id, passed, validation_score, validated_at FROM countersign.validation_entries
             WHERE seq = ANY ($1)",
    kinds: &[T, T, N, N, T],
};

const REVIEW_ENTRIES: RowStatements = RowStatements {
    insert: "INSERT INTO countersign.review_entries (seq, report_id, investigation_id)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])",
    select: "SELECT seq, report_id, investigation_id FROM countersign.review_entries WHERE seq = ANY ($1)",
    kinds: &[T, T],
};

/// The rows of a table at these positions: the position, and the columns after it.
pub(super) async fn rows_at(
    session: &Session,
    table: EventTable,
    positions: &[i64],
) -> Result<Vec<(u64, Vec<ColumnValue<'static>>)>> {
    let RowStatements { select, kinds, .. } = statements(table);
    let rows = session.rows(select, values![positions]).await?;
    let read = |row: &tokio_postgres::Row| {
        let value = |(at, kind): (usize, &Kind)| match kind {
            Kind::Text => Ok(row.text_if_any(at)?.map(ColumnValue::owned)),
            Kind::Number => Ok(row.column::<Option<i64>>(at)?.map(ColumnValue::Integer)),
        };
        let values = (1..).zip(*kinds).map(value).map(|value| value.map(ColumnValue::or_null));
        Ok((row.number(0)?, values.collect::<Result<_>>()?))
    };
    rows.iter().map(read).collect()
}

/// The values of one column of several rows.
pub(super) enum ColumnOf {
    Texts(Vec<Option<String>>),
    Numbers(Vec<Option<i64>>),
}

impl ColumnOf {
    pub(super) fn as_sql(&self) -> SqlValue<'_> {
        match self {
            Self::Texts(texts) => typed(texts),
            Self::Numbers(numbers) => typed(numbers),
        }
    }
}

/// The columns of rows whose columns are of these kinds.
pub(super) fn columns_of(rows: &[Vec<ColumnValue<'_>>], kinds: &[Kind]) -> Vec<ColumnOf> {
    let column = |(at, kind): (usize, &Kind)| match kind {
        Kind::Text => {
            ColumnOf::Texts(rows.iter().map(|row| row.get(at).and_then(text_of).map(Cow::into_owned)).collect())
        }
        Kind::Number => ColumnOf::Numbers(rows.iter().map(|row| row.get(at).and_then(number_of)).collect()),
    };
    kinds.iter().enumerate().map(column).collect()
}
