//! Which rows the rules will ask about, given a page of events. Whatever is missing here is asked for later, one by one.

use std::collections::HashMap;

use countersign_domain::{
    Event, EventId, EventType, LogId, TransactionId,
    investigation::{CaseRef, change_of},
};
use serde::Deserialize;
use tokio_postgres::Row;

use super::walk::TYPE_COLUMN;
use crate::{
    derive::{cases::EVENT_TYPES, event_row::EventTable},
    error::Result,
    postgres::values::{Columns, number},
};

/// The keys of those rows.
#[derive(Default)]
pub(super) struct Wanted {
    /// Positions and ids of the page's events.
    pub(super) events: Vec<(u64, EventId)>,
    pub(super) causes: Vec<EventId>,
    /// Positions of the events that have a row in a table. Transactions are not among them: their table has no index by position
    /// that finds single rows.
    pub(super) positions: HashMap<EventTable, Vec<i64>>,
    pub(super) transactions: Vec<String>,
    /// Positions of transactions, with and without a body.
    pub(super) transactions_at: Vec<u64>,
    pub(super) logs: Vec<String>,
    pub(super) alerts: Vec<String>,
    pub(super) reports: Vec<String>,
    pub(super) cases: Vec<String>,
}

#[derive(Deserialize)]
struct HeaderIds {
    event_id: EventId,
    causation_id: Option<EventId>,
}

#[derive(Deserialize)]
struct OfTransaction {
    transaction_id: TransactionId,
}

#[derive(Deserialize)]
struct OfLog {
    log_id: LogId,
}

impl Wanted {
    /// The rows are those that `walk.rs` reads.
    pub(super) fn of(events: &[Row]) -> Result<Self> {
        let mut wanted = Self::default();
        for row in events {
            let seq = row.number(0)?;
            if let Ok(header) = serde_json::from_str::<HeaderIds>(row.text(1)?) {
                wanted.events.push((seq, header.event_id));
                wanted.causes.extend(header.causation_id);
            }
            let event_type = row.text_if_any(TYPE_COLUMN)?.and_then(EventType::parse);
            if let Some(event_type) = event_type {
                wanted.add(seq, event_type, row.text_if_any(4)?);
            }
        }
        Ok(wanted)
    }

    fn add(&mut self, seq: u64, event_type: EventType, payload: Option<&str>) {
        match EventTable::of(event_type) {
            Some(EventTable::TransactionIds) => self.add_transaction(seq, payload),
            Some(table) => self.positions.entry(table).or_default().push(number(seq)),
            None => {}
        }
        let Some(payload) = payload else { return };
        match event_type {
            EventType::AnswerRequested | EventType::AnswerRecorded | EventType::AnswerFailed => {
                self.logs.extend(serde_json::from_str(payload).ok().map(|OfLog { log_id }| log_id.to_string()));
            }
            _ if EVENT_TYPES.contains(&event_type) => {
                if let Ok(event) = Event::from_payload(event_type, payload) {
                    self.add_case(&event);
                }
            }
            _ => {}
        }
    }

    fn add_transaction(&mut self, seq: u64, payload: Option<&str>) {
        self.transactions_at.push(seq);
        let read = payload.and_then(|payload| serde_json::from_str(payload).ok());
        self.transactions.extend(read.map(|OfTransaction { transaction_id }| transaction_id.as_str().to_owned()));
    }

    fn add_case(&mut self, event: &Event) {
        match event {
            Event::ReportGenerated(report) => {
                self.alerts.extend(report.fraud_detection_id.as_ref().map(|id| id.as_str().to_owned()));
            }
            Event::ReportNeedsReview(verdict) => self.reports.push(verdict.report_id.as_str().to_owned()),
            Event::ReviewDecided(review) => self.reports.push(review.report_id.as_str().to_owned()),
            _ => {}
        }
        if let Some((CaseRef::Investigation(id), _)) = change_of(event) {
            self.cases.push(id.to_string());
        }
    }
}
