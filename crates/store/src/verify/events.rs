//! Checks each event, and the rows that follow from a single event.

use std::cell::RefCell;

use countersign_domain::{
    AlertId, DeadLetterState, Event, EventId, InvestigationId,
    payload::{DeadLetterChanged, EventDeadLettered, KeyChange, KeyChanged},
};
use countersign_ledger::{Hash, NodeId};

use super::{
    Verifier, answers, effects, erasures,
    records::{find_row, is_stored_as},
};
use crate::{
    check::{CheckedEvent, LoggedEvent},
    derive::{
        access_keys,
        column::ColumnValue,
        dead_letters,
        event_row::{EventTable, row_of},
    },
    error::Result,
};

impl Verifier<'_> {
    pub(super) fn check_events(&mut self, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let (records, size) = (self.records, self.size);
        records.walk(size, &mut |event| {
            if event.seq.is_multiple_of(1_000) {
                progress(event.seq, size);
            }
            self.check_event(event)
        })?;
        progress(size, size);
        Ok(())
    }

    fn check_event(&mut self, event: LoggedEvent<'_>) -> Result<()> {
        let LoggedEvent { seq, header, leaf, body, report } = event;
        let completed: RefCell<Vec<(NodeId, Hash)>> = RefCell::default();
        let records = self.records;
        if self.check.next_seq() != seq {
            self.effects.add_gap();
        }
        self.cases.skip(self.check.next_seq()..seq);
        let checked = self.check.event(
            seq,
            header,
            leaf,
            body,
            |cause| records.position_of(cause),
            |node, hash| completed.borrow_mut().push((node, hash)),
        )?;
        for (node, hash) in completed.into_inner() {
            self.check_node(node, hash)?;
        }
        let Some(checked) = checked else {
            self.cases.skip(seq..seq + 1);
            self.effects.add_gap();
            return Ok(());
        };
        self.effects.add_event(
            seq,
            &checked,
            |precondition| effects::exists(records, precondition),
            &mut self.check,
        )?;
        self.check.report(seq, &checked, report);
        match &checked.event {
            Some(Event::KeyChanged(change)) => self.expect_key(seq, change),
            Some(Event::EventDeadLettered(letter)) => self.expect_dead_letter(seq, letter),
            Some(Event::DeadLetterChanged(changed)) => self.change_dead_letter(changed),
            Some(event) => {
                let metadata = body.and_then(|body| std::str::from_utf8(body.metadata).ok()).unwrap_or_default();
                self.check_row(seq, checked.id, event, metadata)?;
                self.answers.add(seq, event, |log_id| answers::audited_at(records, log_id))?;
                self.cases.check(records, seq, event, &mut self.check)?;
                self.ranks.check(records, seq, event, &mut self.check)?;
                if let Event::TransactionReceived(transaction) = event {
                    self.history.check(records, seq, checked.id, transaction, &mut self.check)?;
                }
                if matches!(event, Event::PayloadErased(_)) {
                    self.answers.close(&erasures::check(records, metadata, &mut self.check)?);
                }
            }
            None if !checked.has_body => {
                self.check_erased_row(seq, &checked)?;
                self.answers.add_erased(seq, checked.event_type, |seq| answers::log_id_at(records, seq))?;
                self.cases.check_erased(records, seq, checked.event_type, &mut self.check)?;
                self.ranks.check_erased(records, seq, checked.event_type, &mut self.check)?;
                self.history.check_erased(records, seq, checked.event_type, &mut self.check)?;
            }
            None => self.cases.skip(seq..seq + 1),
        }
        Ok(())
    }

    fn check_node(&mut self, node: NodeId, hash: Hash) -> Result<()> {
        if self.records.node(node)? != Some(hash) {
            let (first, last) = (node.index << node.level, ((node.index + 1) << node.level) - 1);
            self.check.find_from(first, format!("the stored tree does not match the events {first} to {last}"));
        }
        Ok(())
    }

    /// A derived row must say what its event says.
    fn check_row(&mut self, seq: u64, id: EventId, event: &Event, metadata: &str) -> Result<()> {
        let Some(row) = row_of(id, event, metadata) else {
            return self.check_no_row(seq, id, event);
        };
        let same = find_row(self.records, row.table, seq, |stored| is_stored_as(stored, row.values()))?;
        if same != Some(true) {
            let how = if same.is_none() { "is missing from" } else { "does not match its row in" };
            self.check.find(Some(seq), Some(id), format!("{how} the table {}", row.table.name()));
        }
        Ok(())
    }

    /// A verdict that says that its row could not be stored must not have one.
    fn check_no_row(&mut self, seq: u64, id: EventId, event: &Event) -> Result<()> {
        let Some(table) = EventTable::of(event.event_type()) else { return Ok(()) };
        if find_row(self.records, table, seq, |_| ())?.is_some() {
            self.check.find(
                Some(seq),
                Some(id),
                format!("the table {} has a row that no event explains", table.name()),
            );
        }
        Ok(())
    }

    /// The row of an erased event may keep only its id and the columns that say nothing about a person.
    fn check_erased_row(&mut self, seq: u64, checked: &CheckedEvent) -> Result<()> {
        let Some(table) = checked.event_type.and_then(EventTable::of) else { return Ok(()) };
        let is_blanked = find_row(self.records, table, seq, |stored| {
            stored.iter().skip(table.columns_kept()).all(|value| *value == ColumnValue::Null)
        })?;
        if is_blanked != Some(true) {
            let how = if is_blanked.is_none() { "is missing from" } else { "has no body, but its data is still in" };
            self.check.find(Some(seq), Some(checked.id), format!("{how} the table {}", table.name()));
        }
        self.check_kept_id(seq, checked.id, table)
    }

    /// The erasure says which investigation an alert or its opening was about, and so which id the row must have kept.
    fn check_kept_id(&mut self, seq: u64, event_id: EventId, table: EventTable) -> Result<()> {
        let is_alert = table == EventTable::Alerts;
        if !is_alert && table != EventTable::Investigations {
            return Ok(());
        }
        let Some(kept) = self.cases.kept_id(self.records, seq)? else { return Ok(()) };
        let id = find_row(self.records, table, seq, |stored| {
            stored.first().and_then(ColumnValue::as_text).unwrap_or_default().to_owned()
        })?;
        let is_kept = |id: String| match is_alert {
            true => id.parse().is_ok_and(|id: AlertId| InvestigationId::of_alert(&id) == kept),
            false => id == kept.to_string(),
        };
        if id.is_some_and(|id| !is_kept(id)) {
            self.check.find(Some(seq), Some(event_id), format!("has another id in the table {}", table.name()));
        }
        Ok(())
    }

    fn expect_key(&mut self, seq: u64, change: &KeyChanged) {
        match change.change {
            KeyChange::Created => {
                let row = access_keys::created(seq, change).map(ColumnValue::into_owned);
                self.keys.insert(change.key_id.to_string(), row);
            }
            KeyChange::Revoked => {
                if let Some(row) = self.keys.get_mut(change.key_id.as_str()) {
                    access_keys::revoke(row, seq, change);
                }
            }
        }
    }

    fn expect_dead_letter(&mut self, seq: u64, letter: &EventDeadLettered) {
        let row = dead_letters::row(seq, letter).map(ColumnValue::into_owned);
        self.letters.insert(letter.dead_letter_id.to_string(), row);
    }

    fn change_dead_letter(&mut self, changed: &DeadLetterChanged) {
        if let Some([.., state]) = self.letters.get_mut(&changed.dead_letter_id.to_string()) {
            *state = ColumnValue::text(DeadLetterState::after(changed.change).as_str());
        }
    }
}
