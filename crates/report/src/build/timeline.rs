//! The timeline, oldest event first. The case's own events are always included; earlier ones are dropped, oldest first,
//! if there are too many.

use std::io;

use countersign_domain::{Severity, Time, Transaction};

use super::{ContextInputs, place};
use crate::{TimelineEvent, TimelineEventKind, figures, redact::Redactor};

pub(super) const EVENTS_MAX: usize = 200;
const MERCHANT_CHARS_MAX: usize = 48;
const CITY_CHARS_MAX: usize = 32;

/// The events, and the number of earlier events that are left out.
pub(super) fn facts(
    inputs: &ContextInputs<'_>,
    earlier: &[&Transaction],
    redactor: &Redactor,
    mut bytes_left: usize,
) -> (Vec<TimelineEvent>, u64) {
    let mut events = case_events(inputs, earlier, redactor);
    bytes_left = bytes_left.saturating_sub(events.iter().map(|event| bytes(event) + 1).sum());
    let on_record = inputs
        .transaction_count
        .max(earlier.len() as u64)
        .saturating_add(inputs.correlation.prior_alerts.max(inputs.prior_alerts.len() as u64));
    let mut shown = 0;
    for event in newest_earlier_events(inputs, earlier, redactor, EVENTS_MAX - events.len()) {
        let Some(left) = bytes_left.checked_sub(bytes(&event) + 1) else { break };
        bytes_left = left;
        shown += 1;
        events.push(event);
    }
    events.sort_by(|a, b| (a.timestamp, a.happening, &a.event).cmp(&(b.timestamp, b.happening, &b.event)));
    (events, on_record.saturating_sub(shown))
}

/// The length of a value as JSON.
pub(super) fn bytes(value: &impl serde::Serialize) -> usize {
    let mut length = ByteCount(0);
    serde_json::to_writer(&mut length, value).map_or(0, |()| length.0)
}

/// Counts the bytes that are written and discards them.
struct ByteCount(usize);

impl io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The events of this case, and the opening of the account.
fn case_events(inputs: &ContextInputs<'_>, earlier: &[&Transaction], redactor: &Redactor) -> Vec<TimelineEvent> {
    let alert = inputs.alert;
    let newest_first = inputs.transaction.into_iter().chain(earlier.iter().rev().copied());
    let opened_at = newest_first.filter_map(|transaction| transaction.account_opened_at).next();
    let opened = opened_at.map(|at| bare_event(at, TimelineEventKind::AccountOpened, "Account opened."));
    let transaction = inputs.transaction.map(|this| transaction(this, TimelineEventKind::Transaction, redactor));
    let created = TimelineEvent {
        event: format!("Fraud alert created: {}.", severity_and_score(alert.severity, alert.score.get())),
        severity: Some(alert.severity),
        risk_score: Some(alert.score),
        ..bare_event(inputs.alert_created_at, TimelineEventKind::AlertCreated, "")
    };
    let investigation =
        bare_event(inputs.alert_created_at, TimelineEventKind::InvestigationOpened, "Investigation opened.");
    [opened, transaction, Some(created), Some(investigation)].into_iter().flatten().collect()
}

fn newest_earlier_events(
    inputs: &ContextInputs<'_>,
    earlier: &[&Transaction],
    redactor: &Redactor,
    events_max: usize,
) -> Vec<TimelineEvent> {
    let mut alerts: Vec<_> = inputs.prior_alerts.iter().collect();
    alerts.sort_by_key(|alert| (alert.created_at, alert.score));
    let mut transactions = earlier.iter().rev().peekable();
    let mut alerts = alerts.into_iter().rev().peekable();
    let mut events = Vec::new();
    while events.len() < events_max {
        let transaction_at = transactions.peek().map(|transaction| transaction.occurred_at);
        let alert_at = alerts.peek().map(|alert| alert.created_at);
        if alert_at >= transaction_at {
            let Some(alert) = alerts.next() else { break };
            events.push(TimelineEvent {
                event: format!("Earlier alert: {}.", severity_and_score(alert.severity, alert.score.get())),
                severity: Some(alert.severity),
                risk_score: Some(alert.score),
                ..bare_event(alert.created_at, TimelineEventKind::PriorAlert, "")
            });
        } else if let Some(earlier) = transactions.next() {
            events.push(transaction(earlier, TimelineEventKind::PriorTransaction, redactor));
        }
    }
    events
}

fn transaction(transaction: &Transaction, happening: TimelineEventKind, redactor: &Redactor) -> TimelineEvent {
    let location = place(transaction, redactor, CITY_CHARS_MAX);
    let merchant = transaction.merchant.as_ref().map(|merchant| redactor.merchant(merchant, MERCHANT_CHARS_MAX));
    let subject = if happening == TimelineEventKind::Transaction { "The transaction" } else { "Earlier transaction" };
    let at = merchant.filter(|merchant| !merchant.is_empty()).map(|merchant| format!(" at {merchant}"));
    let place = location.as_ref().map(|place| match &place.city {
        Some(city) => format!(" in {city}, {}", place.country_name),
        None => format!(" in {}", place.country_name),
    });
    let amount = figures::money(&transaction.amount);
    TimelineEvent {
        event: format!("{subject}: {amount}{}{}.", at.unwrap_or_default(), place.unwrap_or_default()),
        amount: Some(transaction.amount),
        location,
        ..bare_event(transaction.occurred_at, happening, "")
    }
}

fn severity_and_score(severity: Severity, score: u8) -> String {
    format!("severity {}, risk score {score} out of 100", severity.in_capitals())
}

fn bare_event(timestamp: Time, happening: TimelineEventKind, event: &str) -> TimelineEvent {
    TimelineEvent {
        timestamp,
        happening,
        event: event.to_owned(),
        amount: None,
        location: None,
        severity: None,
        risk_score: None,
    }
}
