//! The table `dead_letters`.

use countersign_domain::{DeadLetterState, payload::EventDeadLettered};

use super::column::ColumnValue;

/// The columns that [`row`] lists, with the letter's state last. [`DeadLetterState::after`] says how the state changes.
pub(crate) type DeadLetterRow<'a> = [ColumnValue<'a>; 10];

/// The row that a dead letter begins with: `id`, `seq`, `agent`, `event_seq`, `event_id`, `event_type`, `attempts`, `error`,
/// `dead_lettered_at`, `state`.
pub(crate) fn row(seq: u64, letter: &EventDeadLettered) -> DeadLetterRow<'_> {
    [
        ColumnValue::owned(letter.dead_letter_id),
        ColumnValue::number(seq),
        ColumnValue::text(&letter.agent),
        ColumnValue::number(letter.seq),
        ColumnValue::owned(letter.event_id),
        ColumnValue::text(&letter.event_type),
        ColumnValue::Integer(letter.attempts.into()),
        ColumnValue::text(&letter.error),
        ColumnValue::owned(letter.dead_lettered_at),
        ColumnValue::text(DeadLetterState::Dead.as_str()),
    ]
}
