//! Answers whose audit isn't finished: the table `open_answers`.

use std::collections::BTreeMap;

use countersign_domain::{Event, EventType, LogId, NewEvent};

use crate::{error::Result, logs::OpenState};

/// How far to look for the audit of an answer among the events that follow in its own commit.
const LOOK_AHEAD_EVENTS: usize = 8;

/// The effect of an event on an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerChange {
    /// The answer has reached this state. It has a row, unless it is audited already.
    Open { log_id: LogId, state: OpenState },
    /// The answer is audited, and its row is removed.
    Audited { log_id: LogId },
}

pub(crate) fn change_of(event: &Event) -> Option<AnswerChange> {
    let open = |log_id, state| Some(AnswerChange::Open { log_id, state });
    match event {
        Event::AnswerRequested(answer) => open(answer.log_id, OpenState::Requested),
        Event::AnswerRecorded(answer) => open(answer.log_id, OpenState::Recorded),
        Event::AnswerFailed(answer) => open(answer.log_id, OpenState::Failed),
        Event::AuditLogCreated(log) => Some(AnswerChange::Audited { log_id: log.log_id }),
        _ => None,
    }
}

/// Whether the answer's audit follows in the same commit. That is so for most answers, whose rows would be inserted only to be
/// deleted.
pub(crate) fn is_audited_by(next: &[NewEvent], log_id: LogId) -> bool {
    let is_audit = |next: &NewEvent| matches!(&next.event, Event::AuditLogCreated(log) if log.log_id == log_id);
    next.iter().take(LOOK_AHEAD_EVENTS).any(is_audit)
}

fn state_of(event_type: EventType) -> Option<OpenState> {
    match event_type {
        EventType::AnswerRequested => Some(OpenState::Requested),
        EventType::AnswerRecorded => Some(OpenState::Recorded),
        EventType::AnswerFailed => Some(OpenState::Failed),
        _ => None,
    }
}

/// The rows that the table should have, derived event by event. It takes memory for the answers that are open at one time.
#[derive(Default)]
pub(crate) struct ExpectedAnswers {
    pub(crate) open: BTreeMap<String, (u64, OpenState)>,
    /// Erased events. Which answers they were about isn't known any more.
    erased: BTreeMap<u64, OpenState>,
}

impl ExpectedAnswers {
    /// `audited_at` gives the position of an answer's audit.
    pub(crate) fn add(
        &mut self,
        seq: u64,
        event: &Event,
        audited_at: impl FnOnce(&str) -> Result<Option<u64>>,
    ) -> Result<()> {
        match change_of(event) {
            Some(AnswerChange::Audited { log_id }) => drop(self.open.remove(&log_id.to_string())),
            Some(AnswerChange::Open { log_id, state }) => {
                let is_audited_before = audited_at(&log_id.to_string())?.is_some_and(|audited| audited <= seq);
                if !is_audited_before {
                    self.open.insert(log_id.to_string(), (seq, state));
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Like `add`, for an event whose body was erased. `log_id` gives the id of the log at a position.
    pub(crate) fn add_erased(
        &mut self,
        seq: u64,
        event_type: Option<EventType>,
        log_id: impl FnOnce(u64) -> Result<Option<String>>,
    ) -> Result<()> {
        if let Some(state) = event_type.and_then(state_of) {
            self.erased.insert(seq, state);
        } else if event_type == Some(EventType::AuditLogCreated)
            && let Some(id) = log_id(seq)?
        {
            self.open.remove(&id);
        }
        Ok(())
    }

    /// These answers were audited, as the erasure of their logs says.
    pub(crate) fn close(&mut self, log_ids: &[String]) {
        for id in log_ids {
            self.open.remove(id);
        }
    }

    /// Whether a row with this position and state may belong to an erased event.
    pub(crate) fn may_be_erased(&self, seq: u64, state: OpenState) -> bool {
        self.erased.get(&seq) == Some(&state)
    }
}
