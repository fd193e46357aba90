//! Investigation narrative: who, what, when, where, why, how, and whether it was completed. If the record lacks a fact,
//! the narrative says so. Without that, a reader would think that the point had not been examined.

use countersign_domain::{SignalName, transaction::Channel};

use super::{
    case::{CaseInWords, instrument, place},
    measured::SignalInWords,
    outside,
    phrasing::one_of,
    pool::SentencePool,
    say, signals,
};
use crate::{TransactionFacts, TransactionStatus};

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    who(case, &mut pool);
    match case.transaction() {
        Some(transaction) => {
            what(case, transaction, &mut pool);
            funds(case, transaction, &mut pool);
            place_of(case, transaction, &mut pool);
            why(case, &mut pool);
            how(case, transaction, &mut pool);
        }
        None => without_transaction(case, &mut pool),
    }
    aftermath(case, &mut pool);
    pool
}

fn who(case: &CaseInWords, pool: &mut SentencePool) {
    let holder = case.holder();
    let subject = &case.context.subject;
    let then = if case.transaction().is_some() { "transaction" } else { "alert" };
    pool.must(match (subject.account_opened_at, subject.account_age_days) {
        (Some(opened), Some(age)) => {
            let (opened, age) = (say::date(opened), say::count_in_digits(age, "day", "days"));
            one_of!(case.phrasing;
                "The subject was {holder}, whose account was opened on {opened} and was {age} old at the {then}.",
                "The investigation concerned {holder}; the account had existed for {age}, since {opened}.",
            )
        }
        (Some(opened), None) => {
            let opened = say::date(opened);
            format!("The subject was {holder}, whose account was opened on {opened}.")
        }
        (None, _) => one_of!(case.phrasing;
            "The subject was {holder}; the record did not state when the account was opened.",
            "The investigation concerned {holder}, for whom the record did not state when the account was opened.",
        ),
    });
    let known = say::count(subject.transaction_count, "earlier transaction", "earlier transactions");
    pool.should(match (subject.first_transaction_at, subject.transaction_count) {
        (Some(only), 1) => {
            format!("The record held one earlier transaction of this customer, made on {}.", say::date(only))
        }
        (Some(first), _) => {
            let first = say::date(first);
            one_of!(case.phrasing;
                "The record held {known} of this customer, the first on {first}.",
                "Since the first transaction on {first}, the record held {known} of this customer.",
            )
        }
        (None, _) => one_of!(case.phrasing;
            "The record held {known} of this customer.",
            "Of this customer the record held {known}.",
        ),
    });
}

fn what(case: &CaseInWords, transaction: &TransactionFacts, pool: &mut SentencePool) {
    let (kind, amount, at) =
        (instrument(transaction.channel), say::money(&transaction.amount), say::moment(transaction.occurred_at));
    let id = outside::id(&transaction.transaction_id).map_or_else(String::new, |id| format!(", recorded as {id}"));
    pool.must(one_of!(case.phrasing;
        "On {at}, the account holder made {kind} of {amount}{id}.",
        "The matter under review was {kind} of {amount} on {at}{id}.",
        "The record showed {kind} of {amount} on {at}{id}.",
    ));
    pool.must(match transaction.status {
        TransactionStatus::Completed => one_of!(case.phrasing;
            "The transaction was completed, as its sender stated.",
            "By its sender's statement, the transaction was completed.",
        ),
        TransactionStatus::Attempted => one_of!(case.phrasing;
            "The transaction was attempted and was not completed.",
            "By its sender's statement, the transaction was attempted and not completed.",
        ),
        TransactionStatus::NotStated => one_of!(case.phrasing;
            "The record did not state whether the transaction was completed or attempted.",
            "The record did not state whether it was completed or only attempted.",
        ),
    });
    if transaction.channel.is_none() {
        pool.may("The record did not state the instrument or the channel.".to_owned());
    }
    let merchant = transaction.merchant.as_deref().and_then(outside::quoted);
    let category = transaction.category.as_deref().and_then(outside::quoted);
    pool.should(match (merchant, category) {
        (Some(merchant), Some(category)) => {
            Some(format!("The counterparty was the merchant {merchant}, in the category {category}."))
        }
        (Some(merchant), None) => Some(format!("The counterparty was the merchant {merchant}.")),
        (None, _) => None,
    });
}

fn funds(case: &CaseInWords, transaction: &TransactionFacts, pool: &mut SentencePool) {
    let source = transaction.source_of_funds.as_deref().and_then(outside::quoted);
    let destination = transaction.destination_of_funds.as_deref().and_then(outside::quoted);
    pool.must(match (source, destination) {
        (Some(source), Some(destination)) => one_of!(case.phrasing;
            "The source of funds was given as {source} and their destination as {destination}.",
            "The sender gave {source} as the source of funds and {destination} as their destination.",
        ),
        (Some(source), None) => {
            format!("The source of funds was given as {source}; the record did not state their destination.")
        }
        (None, Some(destination)) => {
            format!(
                "The destination of the funds was given as {destination}; the record did not state the source of funds."
            )
        }
        (None, None) => one_of!(case.phrasing;
            "The record did not state the source of funds or their destination.",
            "The record did not state the source of funds, and it did not state the destination.",
        ),
    });
}

fn place_of(case: &CaseInWords, transaction: &TransactionFacts, pool: &mut SentencePool) {
    let Some(location) = transaction.location.as_ref().and_then(place) else {
        pool.must(one_of!(case.phrasing;
            "The record did not state where it took place, so no foreign jurisdiction was identified.",
            "The record did not state a location, and no jurisdiction was identified from it.",
        ));
        return;
    };
    let country = transaction.location.as_ref().map_or("", |place| &place.country);
    pool.must(match (usual_country(case, country), case.last_country()) {
        (Some((usual, held, true)), _) => one_of!(case.phrasing;
            "It took place in {location}, in a baseline led by {usual} with {held}.",
            "The place was {location}, and the baseline was led by {usual} with {held}.",
        ),
        (Some((usual, held, false)), _) => one_of!(case.phrasing;
            "It took place in {location}, a foreign jurisdiction for a customer whose baseline was led by {usual} with {held}.",
            "The place was {location}, a foreign jurisdiction against a baseline led by {usual} with {held}.",
        ),
        (None, Some(last)) => one_of!(case.phrasing;
            "It took place in {location}; the last earlier location on record was {last}.",
            "The place was {location}, and the location before it was {last}.",
        ),
        (None, None) => one_of!(case.phrasing;
            "It took place in {location}; no earlier location was on record.",
            "The place was {location}, with no earlier location on record for comparison.",
        ),
    });
}

/// The busiest country of the baseline, its number of transactions, and whether `country` occurs in the baseline.
fn usual_country(case: &CaseInWords, country: &str) -> Option<(String, String, bool)> {
    let countries = &case.baseline()?.countries;
    let usual = countries.first()?;
    let held = say::count(usual.transactions, "transaction", "transactions");
    let is_known = countries.iter().any(|known| known.country == country);
    Some((outside::country(&usual.country_name)?.to_owned(), held, is_known))
}

fn why(case: &CaseInWords, pool: &mut SentencePool) {
    match case.baseline() {
        Some(baseline) => {
            let median = say::money(&baseline.median_amount);
            let largest = say::money(&baseline.largest_amount);
            let held = say::count(baseline.transactions, "transaction", "transactions");
            pool.must(match (case.side_of_median(), case.is_largest()) {
                (Some("above"), true) => one_of!(case.phrasing;
                    "It was unusual against this customer's baseline: above the median of {median} and above the largest earlier amount, {largest}.",
                    "Against a baseline of {held}, it stood out above the median of {median} and the largest earlier amount of {largest}.",
                ),
                (Some(side), _) if case.is_smallest() => {
                    let smallest = say::money(&baseline.smallest_amount);
                    format!("The amount lay {side} this customer's median of {median} and below the smallest earlier amount, {smallest}.")
                }
                (Some(side), _) => one_of!(case.phrasing;
                    "Against this customer's baseline of {held}, the amount lay {side} the median of {median}, within the earlier range.",
                    "The amount lay {side} this customer's median of {median} and did not exceed the largest earlier amount, {largest}.",
                ),
                (None, _) => format!("Against this customer's baseline of {held}, the amount equalled the median of {median}."),
            });
        }
        None => pool.must(one_of!(case.phrasing;
            "Whether it was unusual for this customer was not available, because no baseline was on record.",
            "No baseline was on record, so a departure from this customer's habits was not shown.",
        )),
    }
    let mut fired = case.fired();
    if let Some(first) = fired.next() {
        pool.must(reason(case, first));
    }
    fired.take(2).for_each(|signal| pool.may(reason(case, signal)));
    let reported: Vec<_> = case.reported().take(2).map(|signal| signal.name.clone()).collect();
    if !reported.is_empty() {
        let reported = say::list(&reported);
        pool.must(one_of!(case.phrasing;
            "The sender's reasons for the alert included {reported}.",
            "As a reason for the alert, the sender gave {reported}.",
        ));
    }
}

/// A fired signal as the reason for the alert.
fn reason(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    if signal.is(SignalName::RuleFlags) && !signal.facts.flags.is_empty() {
        let rules = say::length(signal.facts.flags.len(), "rule", "rules");
        let heaviest = signal.heaviest_rule().map_or_else(String::new, |name| format!(", with {name} the heaviest"));
        return one_of!(case.phrasing;
            "It met the conditions of {rules}{heaviest}.",
            "The conditions of {rules} were met{heaviest}.",
        );
    }
    if let Some(country) = signals::new_country(case, signal) {
        return format!("No transaction of this customer had been recorded in {country} before.");
    }
    if let (true, Some((from, to))) = (signals::is_too_fast(signal), signals::route(case, signal)) {
        return if from == to {
            format!("The distance within {from} did not fit the time between both transactions.")
        } else {
            one_of!(case.phrasing;
                "The way from {from} to {to} did not fit the time between both transactions.",
                "A previous transaction in {from} and this one in {to} lay too close in time.",
            )
        };
    }
    match (signal.reading(), signal.figure("usual_per_day")) {
        (Some(reading), Some(usual)) => one_of!(case.phrasing;
            "The alert was raised because {name} reached {reading}, against a usual rate of {usual} transactions a day.",
            "The reason for the alert was {name}: {reading}, where the usual rate was {usual} transactions a day.",
        ),
        (Some(reading), None) => one_of!(case.phrasing.shifted(signal.at);
            "The alert was raised because {name} reached {reading}.",
            "The alert rested on {name}, at {reading}.",
            "The reason for the alert was {name}, which came to {reading}.",
        ),
        (None, _) => format!("The reason for the alert was {name}."),
    }
}

fn how(case: &CaseInWords, transaction: &TransactionFacts, pool: &mut SentencePool) {
    let method = match transaction.channel {
        Some(Channel::CardPresent) => "the card was present",
        Some(Channel::CardNotPresent) => "the card was not present",
        Some(Channel::Transfer) => "the channel was a transfer",
        Some(Channel::Atm) => "a cash machine was used",
        Some(Channel::Other) => "the record did not state a known channel",
        None => "the record did not state the channel",
    };
    let traces = match (transaction.device_fingerprint.is_some(), transaction.ip_address.is_some()) {
        (true, true) => "a device and a network address were recorded and were withheld here",
        (true, false) => "a device was recorded and was withheld here",
        (false, true) => "a network address was recorded and was withheld here",
        (false, false) => "no device and no network address were recorded",
    };
    pool.must(one_of!(case.phrasing;
        "As to how it was done, {method}, and {traces}.",
        "As to the manner, {method}; {traces}.",
    ));
    let velocity = case.signals.iter().find(|signal| signal.is(SignalName::VelocityAnomaly));
    if let Some((signal, hour)) = velocity.and_then(|signal| Some((signal, signal.whole("count_1h")?))) {
        let hour = say::count(hour, "transaction", "transactions");
        let text = one_of!(case.phrasing;
            "In pace, the account reached {hour} within 1 hour.",
            "The pace was {hour} within 1 hour.",
        );
        // If the pace is the reason for the alert, it was already stated as the reason.
        if !signal.has_fired() && !signal.is_reported() {
            pool.may(text);
        }
    }
}

/// Covers the points of an external alert without a transaction on record, by saying that each is missing.
fn without_transaction(case: &CaseInWords, pool: &mut SentencePool) {
    let (alert, at) = (case.alert(), say::moment(case.context.case.alert_created_at));
    let who = case.detector();
    pool.must(one_of!(case.phrasing;
        "{who} raised {alert} on {at}; the record held no transaction for it.",
        "On {at}, {who} raised {alert}, for which no transaction was on record.",
    ));
    pool.must(one_of!(case.phrasing;
        "The record did not state the instrument, the amount, the source of funds or their destination.",
        "Instrument, amount, source of funds and destination were not available.",
    ));
    pool.must("The record did not state whether a transaction was completed or attempted.".to_owned());
    pool.must(one_of!(case.phrasing;
        "The record did not state where the activity took place, so no foreign jurisdiction was identified.",
        "A location was not on record, so the narrative names no jurisdiction, domestic or foreign.",
    ));
    pool.must(one_of!(case.phrasing;
        "The record did not state when the activity was first seen or how long it lasted.",
        "First occurrence and duration of the activity were not stated in the record.",
    ));
    pool.must(one_of!(case.phrasing;
        "Why it was unusual against this customer's baseline was not available, because no baseline was on record.",
        "No baseline was on record, so a departure from this customer's habits was not established.",
    ));
    pool.must(one_of!(case.phrasing;
        "The record did not state how the activity was carried out, by which channel or from which device.",
        "How the activity was carried out was not available; the record did not state a channel or a device.",
    ));
    let reasons: Vec<_> = case.fired().chain(case.reported()).take(3).map(|signal| signal.name.clone()).collect();
    if !reasons.is_empty() {
        let reasons = say::list(&reasons);
        pool.should(format!("What the sender gave as a reason was {reasons}."));
    }
}

fn aftermath(case: &CaseInWords, pool: &mut SentencePool) {
    let correlation = &case.context.correlation;
    let prior = say::count(correlation.prior_alerts, "prior alert", "prior alerts");
    pool.should(match correlation.last_alert_at {
        Some(last) if correlation.prior_alerts > 0 => {
            let last = say::date(last);
            one_of!(case.phrasing;
                "The customer had {prior}, the last on {last}.",
                "With {prior} behind it, the account had last drawn an alert on {last}.",
            )
        }
        _ => one_of!(case.phrasing;
            "The customer's record showed {prior} before this case.",
            "Before this case, the customer had drawn {prior}.",
        ),
    });
    let (score, severity, investigation) = (case.score(), case.severity(), case.investigation());
    pool.should(one_of!(case.phrasing;
        "Assessed at {score} and {severity} severity, the case was taken up as {investigation}.",
        "{investigation} took up the case at a score of {score} and {severity} severity.",
    ));
    if case.transaction().is_some() {
        let created = say::moment(case.context.case.alert_created_at);
        let alert = case.alert();
        pool.may(format!("{alert} was raised on {created}."));
    }
    if let Some(baseline) = case.baseline() {
        let (days, held) = (
            say::count_in_digits(baseline.days, "day", "days"),
            say::count(baseline.transactions, "transaction", "transactions"),
        );
        pool.may(format!("The earlier activity in the same currency lasted {days} and counted {held}."));
    }
    case.clear().take(2).for_each(|signal| {
        let name = &signal.name;
        pool.reserve(format!("The check of {name} found nothing unusual."));
    });
    if case.is_from_outside() {
        pool.reserve("The sender's own evidence was not part of the record.".to_owned());
        pool.reserve("Score and severity were those of the sender.".to_owned());
    } else {
        pool.reserve("The alert rested on the detector's signals.".to_owned());
    }
    let impact = case.impact();
    pool.reserve(format!("Its regulatory impact was recorded as {impact}."));
    let similar = say::count(correlation.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(correlation.similar_within_points), "point", "points");
    pool.reserve(format!(
        "Among all customers, {similar} of the same severity had come within {within} of this case before."
    ));
    pool.reserve("No contact with the customer and no statement by the customer was on record.".to_owned());
    pool.reserve("The decision on the case was left to a person.".to_owned());
}
