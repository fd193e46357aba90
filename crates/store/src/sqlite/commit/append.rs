//! Appending events with the rows that are derived from them.

use std::borrow::Cow;

use countersign_domain::{
    Event, NewEvent,
    payload::{KeyChange, KeyChanged},
};
use countersign_ledger::{Hash, NodeId, leaf_hash};
use rusqlite::{OptionalExtension, params, params_from_iter};

use super::Committer;
use crate::{
    derive::{
        access_keys,
        event_row::{self, EventRow, EventTable},
        reports::{check_contents, content_of},
    },
    error::{Result, StoreError},
    job::{Ingested, NewReport},
    leaf::{BodyCommitment, header_text},
    sqlite::{answers, cases, event_tables::statements, ranks, reports},
};

// OR FAIL costs less than OR ABORT: see "Refusing a row" in the schema.
pub(in crate::sqlite) const EVENT_SQL: &str =
    "INSERT OR FAIL INTO event_log (seq, header, leaf_hash) VALUES (?1, ?2, ?3)";
pub(in crate::sqlite) const BODY_SQL: &str =
    "INSERT OR FAIL INTO event_bodies (seq, salt, payload, metadata) VALUES (?1, ?2, ?3, ?4)";
pub(in crate::sqlite) const NODE_SQL: &str = "INSERT OR FAIL INTO ledger_nodes (level, idx, hash) VALUES (?1, ?2, ?3)";

impl Committer {
    /// Stores an event from outside exactly once, as the unique id of its row ensures.
    pub(super) fn ingest(&mut self, event: &NewEvent, body: &BodyCommitment) -> Result<Ingested> {
        if !matches!(event.event, Event::TransactionReceived(_) | Event::FraudAlertCreated(_)) {
            return Err(StoreError::Conflict(
                "events of this type can't be ingested; only transactions and alerts can".into(),
            ));
        }
        let row = event_row::row_of(event.event_id, &event.event, &event.metadata).ok_or(StoreError::NotFound)?;
        if self.insert_row(&row, self.frontier.size())? {
            let seq = self.insert_event(event, body)?;
            cases::apply_event(&self.conn, seq, &event.event)?;
            ranks::add_alert(&self.conn, seq, &event.event)?;
            return Ok(Ingested::Accepted { seq });
        }
        let seq: u64 = self.conn.prepare_cached(statements(row.table).find_seq)?.query_row([&row.id], |r| r.get(0))?;
        let stored: Option<String> = self
            .conn
            .prepare_cached("SELECT payload FROM event_bodies WHERE seq = ?1")?
            .query_row([seq], |r| r.get(0))
            .optional()?;
        // An erased event has no body to compare with, so any payload counts as the same.
        let same = stored.is_none_or(|stored| stored == event.payload);
        Ok(if same { Ingested::Duplicate { seq } } else { Ingested::Conflict { seq } })
    }

    pub(super) fn append_all(&mut self, events: &[NewEvent], contents: &[NewReport]) -> Result<()> {
        check_contents(events, contents)?;
        for (n, event) in (1..).zip(events) {
            let seq = self.append(event, events.get(n..).unwrap_or_default())?;
            if let Event::ReportGenerated(report) = &event.event {
                reports::store_content(&self.conn, seq, content_of(report, contents)?)?;
            }
        }
        Ok(())
    }

    /// Appends an event with the rows that are derived from it. The events of `next` follow in the same commit.
    pub(super) fn append(&mut self, event: &NewEvent, next: &[NewEvent]) -> Result<u64> {
        let mut event = Cow::Borrowed(event);
        if let Some(row) = event_row::row_of(event.event_id, &event.event, &event.metadata) {
            if row.table == EventTable::ValidationEntries {
                let not_stored = self.try_insert_row(&row, self.frontier.size())?;
                drop(row);
                if let Some(why) = not_stored {
                    let metadata = event_row::with_reason_not_stored(&event.metadata, &why.to_string())?;
                    event.to_mut().metadata = metadata;
                }
            } else if !self.insert_row(&row, self.frontier.size())? {
                return Err(StoreError::Conflict(format!("this id already exists in the table {}", row.table.name())));
            }
        }
        let seq = self.insert_event(&event, &BodyCommitment::new(&event, &self.seams))?;
        match &event.event {
            Event::EventDeadLettered(letter) => self.store_dead_letter(seq, letter)?,
            Event::KeyChanged(change) => self.change_key(seq, change)?,
            event => {
                answers::apply_event(&self.conn, seq, event, next)?;
                cases::apply_event(&self.conn, seq, event)?;
                ranks::add_alert(&self.conn, seq, event)?;
            }
        }
        Ok(seq)
    }

    /// Inserts a row that its event can do without. Returns the error if the table is missing or refuses the row; then nothing
    /// was changed. After any other failure, such as of the disk, that isn't certain, so the job fails.
    fn try_insert_row(&self, row: &EventRow<'_>, seq: u64) -> Result<Option<StoreError>> {
        // Dropped at once, because a cached statement that is in use would be prepared a second time.
        let prepared = self.conn.prepare_cached(statements(row.table).insert).map(drop);
        let why = match prepared {
            Err(error) => StoreError::from(error),
            Ok(()) => match self.insert_row(row, seq) {
                Ok(_) => return Ok(None),
                Err(error @ StoreError::Conflict(_)) if !self.conn.is_autocommit() => error,
                Err(error) => return Err(error),
            },
        };
        tracing::error!(error = %why, seq, table = row.table.name(), "a row could not be stored; its event is kept");
        Ok(Some(why))
    }

    fn insert_row(&self, row: &EventRow<'_>, seq: u64) -> Result<bool> {
        let mut insert = self.conn.prepare_cached(statements(row.table).insert)?;
        insert.raw_bind_parameter(1, seq)?;
        for (place, value) in (2..).zip(row.values()) {
            insert.raw_bind_parameter(place, value)?;
        }
        Ok(insert.raw_execute()? == 1)
    }

    fn insert_event(&mut self, event: &NewEvent, body: &BodyCommitment) -> Result<u64> {
        let seq = self.frontier.size();
        // The clock may step back; recorded times must not.
        self.last_recorded = self.last_recorded.max(self.seams.now());
        let header = header_text(event, body, seq, self.last_recorded)?;
        let leaf = leaf_hash(header.as_bytes());
        self.conn.prepare_cached(EVENT_SQL)?.execute(params![seq, header, leaf.as_bytes()])?;
        self.conn.prepare_cached(BODY_SQL)?.execute(params![seq, body.salt, event.payload, event.metadata])?;
        self.grow_tree(leaf)?;
        self.newest.add(event.event.event_type(), seq);
        Ok(seq)
    }

    fn grow_tree(&mut self, leaf: Hash) -> Result<()> {
        let mut completed: Vec<(NodeId, Hash)> = Vec::new();
        self.frontier.push(leaf, |node, hash| completed.push((node, hash)));
        for (node, hash) in completed {
            self.conn.prepare_cached(NODE_SQL)?.execute(params![node.level, node.index, hash.as_bytes()])?;
        }
        Ok(())
    }

    fn change_key(&self, seq: u64, change: &KeyChanged) -> Result<()> {
        let changed = match change.change {
            KeyChange::Created => {
                let sql = "INSERT INTO access_keys
                             (id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                let row = access_keys::created(seq, change);
                self.conn.prepare_cached(sql)?.execute(params_from_iter(row))?
            }
            KeyChange::Revoked => {
                let sql = "UPDATE access_keys SET revoked_at = ?2, seq = ?3 WHERE id = ?1 AND revoked_at IS NULL";
                let values = params![change.key_id.as_str(), change.changed_at.to_string(), seq];
                self.conn.prepare_cached(sql)?.execute(values)?
            }
        };
        if changed == 1 { Ok(()) } else { Err(StoreError::NotFound) }
    }
}
