//! Timeline of events: dated events in order, with their amounts, followed by sentences without a date.

use countersign_domain::Time;

use super::{
    case::{CaseInWords, instrument, place},
    outside,
    phrasing::one_of,
    pool::{SentencePool, SentenceRank},
    say,
};
use crate::{TimelineEvent, TimelineEventKind};

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    let mut dated = Vec::new();
    account(case, &mut dated);
    earlier(case, &mut dated);
    prior_alerts(case, &mut dated);
    the_case(case, &mut dated);
    // The sort is stable, so events at the same time keep the order of cause and effect.
    dated.sort_by_key(|(at, _, _)| *at);
    dated.into_iter().for_each(|(_, rank, text)| pool.add(rank, Some(text)));
    duration(case, &mut pool);
    missing(case, &mut pool);
    decisions(case, &mut pool);
    pool
}

type DatedSentence = (Time, SentenceRank, String);

fn account(case: &CaseInWords, dated: &mut Vec<DatedSentence>) {
    let Some(at) = case.context.subject.account_opened_at else { return };
    let (day, holder) = (say::date(at), case.holder());
    // Only the first event may be called the beginning of the sequence.
    let is_first = case.context.timeline.first().is_none_or(|event| event.timestamp >= at);
    let text = if is_first {
        one_of!(case.phrasing;
            "{holder} opened the account on {day}.",
            "The account was opened on {day} by {holder}.",
            "The sequence began on {day}, when {holder} opened the account.",
        )
    } else {
        format!("The account was opened on {day} by {holder}.")
    };
    dated.push((at, SentenceRank::Must, text));
}

/// The first, the largest and the latest earlier transactions. Listing all of them would be too long.
fn earlier(case: &CaseInWords, dated: &mut Vec<DatedSentence>) {
    let events: Vec<_> =
        case.context.timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorTransaction).collect();
    let Some((first, rest)) = events.split_first() else {
        let first = case.context.subject.first_transaction_at;
        dated.extend(first.map(|at| {
            (at, SentenceRank::Should, format!("The account holder was first seen on {}.", say::moment(at)))
        }));
        return;
    };
    dated.push((first.timestamp, SentenceRank::Must, first_seen(case, first)));
    let newest = rest.len().saturating_sub(NEWEST_MAX);
    let (middle, newest) = rest.split_at(newest);
    if let Some(largest) = largest(case, middle) {
        dated.push((largest.timestamp, SentenceRank::May, largest_so_far(case, largest)));
    }
    for (index, event) in newest.iter().enumerate() {
        let rank = if index + 2 >= newest.len() { SentenceRank::Should } else { SentenceRank::May };
        dated.push((event.timestamp, rank, followed(case, event, index)));
    }
}

const NEWEST_MAX: usize = 5;

/// The event with the baseline's largest amount, if it is among these.
fn largest<'a>(case: &CaseInWords, events: &[&'a TimelineEvent]) -> Option<&'a TimelineEvent> {
    let largest = case.baseline()?.largest_amount;
    events.iter().find(|event| event.amount == Some(largest)).copied()
}

fn first_seen(case: &CaseInWords, event: &TimelineEvent) -> String {
    let (what, at) = (what(event), say::moment(event.timestamp));
    if case.context.subject.first_transaction_at.is_some_and(|first| first < event.timestamp) {
        return format!("The earliest transaction shown in this timeline was {what}, on {at}.");
    }
    one_of!(case.phrasing;
        "The account holder was first seen on {at}, with {what}.",
        "The first transaction on record was {what}, on {at}.",
        "Activity was first recorded on {at}: {what}.",
    )
}

fn largest_so_far(case: &CaseInWords, event: &TimelineEvent) -> String {
    let (what, at) = (what(event), say::moment(event.timestamp));
    one_of!(case.phrasing;
        "The largest earlier amount, {what}, was recorded on {at}.",
        "On {at} came the largest earlier amount, {what}.",
    )
}

fn followed(case: &CaseInWords, event: &TimelineEvent, index: usize) -> String {
    let (what, at) = (what(event), say::moment(event.timestamp));
    // The case determines the first phrasing, and each following sentence takes the next one.
    match (case.phrasing.choose("followed", 4) + index) % 4 {
        0 => format!("On {at}, the record showed {what}."),
        1 => format!("{what} followed on {at}."),
        2 => format!("The account moved {what} on {at}."),
        _ => format!("The record continued on {at} with {what}."),
    }
}

/// `USD 20.00 in Portugal`. The city is left out to keep the focus on the amounts.
fn what(event: &TimelineEvent) -> String {
    let amount = event.amount.as_ref().map_or_else(|| "an amount that was not stated".into(), say::money);
    match event.location.as_ref().and_then(|place| outside::country(&place.country_name)) {
        Some(country) => format!("{amount} in {country}"),
        None => amount,
    }
}

fn prior_alerts(case: &CaseInWords, dated: &mut Vec<DatedSentence>) {
    let alerts: Vec<_> =
        case.context.timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorAlert).collect();
    let newest = alerts.len().saturating_sub(ALERTS_MAX);
    for (index, event) in alerts.iter().skip(newest).enumerate() {
        let at = say::moment(event.timestamp);
        let severity =
            event.severity.map_or_else(String::new, |severity| format!(" of {} severity", severity.in_capitals()));
        let score =
            event.risk_score.map_or_else(String::new, |score| format!(" and with a risk score of {}", score.get()));
        let text = match (case.phrasing.choose("prior alert", 2) + index) % 2 {
            0 => format!("A prior alert{severity}{score} was raised on {at}."),
            _ => format!("On {at}, a prior alert{severity}{score} was recorded."),
        };
        dated.push((event.timestamp, if index == 0 { SentenceRank::Should } else { SentenceRank::May }, text));
    }
}

const ALERTS_MAX: usize = 3;

/// The transaction, the alert and the investigation.
fn the_case(case: &CaseInWords, dated: &mut Vec<DatedSentence>) {
    if let Some(transaction) = case.transaction() {
        let (kind, amount) = (instrument(transaction.channel), say::money(&transaction.amount));
        let at = say::moment_exact(transaction.occurred_at);
        let place =
            transaction.location.as_ref().and_then(place).map_or_else(String::new, |place| format!(" in {place}"));
        let text = one_of!(case.phrasing;
            "On {at}, the account holder made {kind} of {amount}{place}, which this case concerns.",
            "The transaction under review, {kind} of {amount}{place}, was recorded on {at}.",
            "Then came the transaction under review: {kind} of {amount}{place}, on {at}.",
        );
        dated.push((transaction.occurred_at, SentenceRank::Must, text));
    }
    let created = case.context.case.alert_created_at;
    let (alert, at, score, severity) = (case.alert(), say::moment_exact(created), case.score(), case.severity());
    let who = case.detector();
    let text = if case.transaction().is_some() {
        one_of!(case.phrasing;
            "On {at}, {who} created {alert} with a score of {score} and {severity} severity.",
            "{who} created {alert} on {at}; its score was {score} and its severity {severity}.",
            "{alert} followed on {at}, created by {who} with a score of {score} and {severity} severity.",
        )
    } else {
        one_of!(case.phrasing;
            "{alert} entered the record on {at}, created by {who} with a score of {score} and {severity} severity.",
            "On {at}, {who} created {alert} with a score of {score} and {severity} severity.",
        )
    };
    dated.push((created, SentenceRank::Must, text));
    let opened = case.context.timeline.iter().rfind(|event| event.happening == TimelineEventKind::InvestigationOpened);
    if let Some(opened) = opened {
        let (investigation, at) = (case.investigation(), say::moment_exact(opened.timestamp));
        let text = one_of!(case.phrasing;
            "{investigation} was opened on {at}.",
            "On {at}, {investigation} was opened from that alert.",
            "That alert led to {investigation}, opened on {at}.",
        );
        // Clamp the time so that an event is never before its cause, even if clocks disagreed.
        dated.push((opened.timestamp.max(created), SentenceRank::Must, text));
    }
}

fn duration(case: &CaseInWords, pool: &mut SentencePool) {
    if let Some(baseline) = case.baseline() {
        let (held, days) = (
            say::count(baseline.transactions, "transaction", "transactions"),
            say::count_in_digits(baseline.days, "day", "days"),
        );
        pool.should(one_of!(case.phrasing;
            "The duration of the baseline was {days}, in which the customer made {held} in the same currency.",
            "From first to last, the baseline lasted {days} and comprised {held}.",
        ));
        let total = say::money(&baseline.total_amount);
        pool.may(format!("In that time the customer moved {total} in total."));
    }
    if let Some(days) = case.context.subject.account_age_days {
        let age = say::count_in_digits(days, "day", "days");
        let then = if case.transaction().is_some() { "transaction" } else { "alert" };
        pool.may(one_of!(case.phrasing;
            "The account was {age} old at the time of the {then}.",
            "At the time of the {then}, the account had existed for {age}.",
        ));
    }
    let omitted = case.context.timeline_omitted;
    if omitted > 0 {
        let omitted = say::count(omitted, "event", "events");
        pool.should(format!("For length, this timeline omitted {omitted}."));
    }
}

/// Sentences about facts that a reader would expect but that the record lacks.
fn missing(case: &CaseInWords, pool: &mut SentencePool) {
    let subject = &case.context.subject;
    if subject.account_opened_at.is_none() {
        pool.may(one_of!(case.phrasing;
            "The record did not state when the account was opened.",
            "When the account was opened, the record did not state.",
        ));
    }
    let has_earlier = case.context.timeline.iter().any(|event| event.happening == TimelineEventKind::PriorTransaction);
    if !has_earlier {
        if subject.first_transaction_at.is_none() {
            pool.should(one_of!(case.phrasing;
                "No earlier transaction was on record, so the date on which the account holder was first seen was not available.",
                "When the account holder was first seen was not available, because no earlier transaction was on record.",
            ));
        }
        pool.should(one_of!(case.phrasing;
            "The record did not state when the activity began or how long it lasted.",
            "Neither the beginning nor the duration of the activity was stated in the record.",
        ));
    }
    if case.transaction().is_none() {
        pool.should(one_of!(case.phrasing;
            "No transaction was on record, so the sequence carried no amount of its own.",
            "The sequence held no amount for this case, because the record held no transaction.",
        ));
    }
    if case.context.correlation.prior_alerts == 0 {
        pool.may(one_of!(case.phrasing;
            "No prior alert about the same account holder preceded these events.",
            "Before these events, no alert about the same account holder was on record.",
        ));
    }
}

fn decisions(case: &CaseInWords, pool: &mut SentencePool) {
    pool.may(if case.is_from_outside() {
        one_of!(case.phrasing;
            "The sender assigned score and severity to the alert.",
            "Score and severity were assigned by the sender.",
        )
    } else {
        one_of!(case.phrasing;
            "The measured signals were turned into a score and a severity with the alert.",
            "The detector scored the transaction and raised the alert from it.",
        )
    });
    pool.reserve("Nothing in the timeline changed the score or the severity.".to_owned());
    if case.context.timeline_omitted == 0 {
        pool.reserve("No event was left out of this timeline for length.".to_owned());
    }
    let alert = case.alert();
    pool.reserve(format!("The times of {alert} and of these events are given in UTC."));
    let investigation = case.investigation();
    pool.reserve(format!("The case was recorded under {investigation}."));
    let similar = say::count(case.context.correlation.similar_alerts, "similar alert", "similar alerts");
    pool.reserve(format!("By that time, {similar} of the same severity had been raised for any customer."));
    pool.reserve("No decision by a person was on record for these events.".to_owned());
    if case.is_from_outside() {
        pool.reserve("The sender did not state when the activity was observed.".to_owned());
    }
}
