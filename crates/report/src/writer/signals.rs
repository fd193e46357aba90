//! Sentences about one signal for the different sections: short, in full, and with its points in the score.

use std::cmp::Ordering;

use countersign_domain::SignalName;

use super::{
    case::CaseInWords,
    measured::{SignalInWords, plain_name},
    phrasing::one_of,
    pool::SentenceRank,
    say,
};
use crate::SignalOutcome;

/// `contributed 41 points`
pub(super) fn contributed(points: u8) -> String {
    match points {
        0 => "contributed no points".into(),
        1 => "contributed 1 point".into(),
        points => format!("contributed {points} points"),
    }
}

/// The strongest fact of a fired signal in one sentence, for the executive summary.
pub(super) fn in_short(case: &CaseInWords, signal: &SignalInWords) -> String {
    if signal.is_reported() {
        return reported(case, signal);
    }
    let specific = match signal.known {
        Some(SignalName::AmountDeviation) => amount_in_short(case, signal),
        Some(SignalName::VelocityAnomaly) => velocity_in_short(case, signal),
        Some(SignalName::GeographicInconsistency) => travel_in_short(case, signal),
        Some(SignalName::RuleFlags) => rules_in_short(case, signal),
        None => None,
    };
    specific.unwrap_or_else(|| reading_in_short(case, signal))
}

fn amount_in_short(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    let times = case.times_median()?;
    let median = say::money(&case.baseline()?.median_amount);
    let (reading, against) = (signal.reading()?, signal.against_threshold()?);
    Some(one_of!(case.phrasing;
        "The amount was {times} this customer's median of {median}, and {reading} {against}.",
        "At {times} the customer's median of {median}, the amount produced {reading}, which {against}.",
        "Amount deviation fired: the amount was {times} the median of {median}, and {reading} {against}.",
    ))
}

fn velocity_in_short(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    let (hour, day) = counts(signal)?;
    Some(one_of!(case.phrasing;
        "Velocity anomaly fired after {hour} within 1 hour and {day} within 24 hours.",
        "The account showed {hour} within 1 hour and {day} within 24 hours, and velocity anomaly fired.",
        "The pace stood out: velocity anomaly counted {hour} within 1 hour and {day} within 24 hours.",
    ))
}

/// The numbers of transactions within one hour and within one day.
fn counts(signal: &SignalInWords) -> Option<(String, String)> {
    let count = |key| Some(say::count(signal.whole(key)?, "transaction", "transactions"));
    Some((count("count_1h")?, count("count_24h")?))
}

fn travel_in_short(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    if let Some(country) = new_country(case, signal) {
        return Some(one_of!(case.phrasing;
            "Geographic inconsistency fired, because {country} was new to this customer.",
            "The country was new: none of the customer's earlier transactions on record had taken place in {country}.",
        ));
    }
    let between = journey(case, signal)?;
    let distance = signal.figure("distance_km")?;
    let minutes = minutes(signal)?;
    Some(one_of!(case.phrasing;
        "Geographic inconsistency fired, because the account was used at places {distance} km apart, {between}, in {minutes}.",
        "The locations did not match: a distance of {distance} km {between} was covered in {minutes}.",
        "A distance of {distance} km {between} in {minutes} made geographic inconsistency fire.",
    ))
}

fn rules_in_short(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    let held = say::length(signal.facts.flags.len(), "rule", "rules");
    let heaviest = signal.rules(1).pop()?;
    if signal.facts.flags.len() == 1 {
        return Some(one_of!(case.phrasing;
            "The rule {heaviest} held.",
            "Rule flags fired on {heaviest}.",
        ));
    }
    Some(one_of!(case.phrasing;
        "Rule flags fired: {held} held, led by {heaviest}.",
        "In all, {held} held, the heaviest being {heaviest}.",
    ))
}

fn reading_in_short(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    match (signal.reading(), signal.against_threshold(), signal.points) {
        (Some(reading), Some(against), _) => one_of!(case.phrasing.shifted(signal.at);
            "{name} fired: {reading} {against}.",
            "{name} fired, because {reading} {against}.",
        ),
        (Some(reading), None, _) => format!("{name} fired with {reading}; the record stated no threshold for it."),
        (None, _, Some(points)) => {
            let contributed = contributed(points);
            format!("{name} fired and {contributed} to the score.")
        }
        (None, _, None) => match figures_in_words(signal) {
            Some(figures) => format!("{name} fired with {figures}."),
            None => format!("{name} fired, and the record stated neither its value nor its points."),
        },
    }
}

/// The names of the countries of the previous location and of this one.
pub(super) fn route(case: &CaseInWords, signal: &SignalInWords) -> Option<(String, String)> {
    Some((case.country_called(signal.text("from_country")?)?, case.country_called(signal.text("to_country")?)?))
}

/// Whether the signal measured a journey that was faster than its limit.
pub(super) fn is_too_fast(signal: &SignalInWords) -> bool {
    let facts = &signal.facts;
    let exceeds = facts.value.zip(facts.threshold).is_some_and(|(speed, limit)| speed >= limit);
    signal.is(SignalName::GeographicInconsistency) && facts.unit.as_deref() == Some("km/h") && exceeds
}

/// `between Portugal and Singapore`, `within Portugal`
fn journey(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    let (from, to) = route(case, signal)?;
    Some(if from == to { format!("within {from}") } else { format!("between {from} and {to}") })
}

fn minutes(signal: &SignalInWords) -> Option<String> {
    Some(say::count_in_digits(signal.whole("minutes")?, "minute", "minutes"))
}

/// The new country, if the signal fired because of the country and not because of the speed.
pub(super) fn new_country(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    let is_about_country = signal.facts.unit.as_deref().is_some_and(|unit| unit.starts_with("countr"));
    let country =
        (is_about_country && signal.is_true("is_new_country")).then(|| signal.text("to_country")).flatten()?;
    case.country_called(country)
}

/// All measurements of a fired signal, for the fraud explanation.
pub(super) fn in_full(case: &CaseInWords, signal: &SignalInWords) -> Vec<(SentenceRank, String)> {
    let mut sentences = match signal.known {
        Some(SignalName::AmountDeviation) => amount_in_full(case, signal),
        Some(SignalName::VelocityAnomaly) => velocity_in_full(case, signal),
        Some(SignalName::GeographicInconsistency) => travel_in_full(case, signal),
        Some(SignalName::RuleFlags) => rules_in_full(case, signal),
        None => Vec::new(),
    };
    sentences.push((SentenceRank::Must, result_in_full(case, signal)));
    sentences
}

fn amount_in_full(case: &CaseInWords, signal: &SignalInWords) -> Vec<(SentenceRank, String)> {
    let (Some(transaction), Some(_), Some(_)) = (case.transaction(), signal.reading(), case.baseline()) else {
        return Vec::new();
    };
    let amount = say::money(&transaction.amount);
    let text = one_of!(case.phrasing;
        "The amount of {amount} was set against the customer's own earlier transactions, by their median and spread.",
        "To judge {amount}, the detector used the median and the spread of this customer's own earlier transactions.",
        "The amount of {amount} was compared with what this customer had spent earlier.",
    );
    vec![(SentenceRank::Should, text)]
}

fn velocity_in_full(case: &CaseInWords, signal: &SignalInWords) -> Vec<(SentenceRank, String)> {
    let mut sentences = Vec::new();
    if let Some((hour, day)) = counts(signal) {
        sentences.push((
            SentenceRank::Must,
            one_of!(case.phrasing;
                "The account reached {hour} within 1 hour and {day} within 24 hours, this one included.",
                "The account showed {hour} within 1 hour and {day} within 24 hours.",
            ),
        ));
    }
    if let Some(usual) = signal.figure("usual_per_day") {
        sentences.push((
            SentenceRank::Should,
            one_of!(case.phrasing;
                "The customer's usual rate was {usual} transactions a day.",
                "By comparison, the usual rate of this customer was {usual} transactions a day.",
            ),
        ));
    }
    if let (Some(hour), Some(day)) = (signal.money("sum_1h"), signal.money("sum_24h")) {
        sentences.push((
            SentenceRank::May,
            one_of!(case.phrasing;
                "Their sum was {hour} over 1 hour and {day} over 24 hours.",
                "In money, this meant {hour} over 1 hour and {day} over 24 hours.",
            ),
        ));
    }
    sentences
}

fn travel_in_full(case: &CaseInWords, signal: &SignalInWords) -> Vec<(SentenceRank, String)> {
    let mut sentences = Vec::new();
    if let Some(country) = new_country(case, signal) {
        sentences.push((
            SentenceRank::Must,
            one_of!(case.phrasing;
                "{country} was compared with the countries of the customer's earlier transactions and was found to be new.",
                "The country was new as well: {country} was not among those of the customer's earlier transactions.",
            ),
        ));
        if let (Some(located), Some(seen)) = (signal.whole("located_transactions"), signal.whole("countries_seen")) {
            let located = say::count(located, "earlier located transaction", "earlier located transactions");
            let seen = say::count(seen, "other country", "other countries");
            sentences.push((SentenceRank::Should, format!("Until then, {located} had come from {seen}.")));
        }
        return sentences;
    }
    if let (Some(between), Some(distance)) = (journey(case, signal), signal.figure("distance_km")) {
        sentences.push((
            SentenceRank::Must,
            one_of!(case.phrasing;
                "The location was compared with the previous one, at a distance of {distance} km {between}.",
                "A distance of {distance} km {between} separated this transaction from the located one before it.",
            ),
        ));
    }
    if let (Some(minutes), Some(speed)) = (minutes(signal), signal.figure("speed_kmh")) {
        sentences.push((
            SentenceRank::May,
            one_of!(case.phrasing;
                "With {minutes} in between, that distance required a speed of {speed} km/h.",
                "Covering it in {minutes} required a speed of {speed} km/h.",
            ),
        ));
    }
    sentences
}

fn rules_in_full(case: &CaseInWords, signal: &SignalInWords) -> Vec<(SentenceRank, String)> {
    let rules = signal.rules(RULES_MAX);
    if rules.is_empty() {
        return Vec::new();
    }
    let held = say::length(signal.facts.flags.len(), "rule", "rules");
    let listed = say::list(&rules);
    let text = if rules.len() < signal.facts.flags.len() {
        one_of!(case.phrasing;
            "Of the rules in force, {held} held, among them {listed}.",
            "The conditions of {held} were met, the heaviest being {listed}.",
        )
    } else {
        one_of!(case.phrasing;
            "Of the rules in force, {held} held: {listed}.",
            "The conditions of {held} were met: {listed}.",
        )
    };
    vec![(SentenceRank::Must, text)]
}

/// The maximum number of rules that one sentence names.
const RULES_MAX: usize = 3;

/// Why a fired signal fired: its value, its threshold and its points.
fn result_in_full(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    let points = contributed(signal.points.unwrap_or(0));
    let phrasing = case.phrasing.shifted(signal.at);
    if let (Some(SignalName::RuleFlags), Some(value), Some(threshold)) =
        (signal.known, &signal.value, &signal.threshold)
    {
        return one_of!(phrasing;
            "Rule flags fired and {points}, with a value of {value} against a threshold of {threshold}.",
            "The threshold of rule flags was {threshold}; at a value of {value}, the signal fired and {points}.",
        );
    }
    match (reading_of(case, signal), signal.against_threshold(), signal.points) {
        (Some(reading), Some(against), Some(_)) => one_of!(phrasing;
            "The reading of {name}, {reading}, {against}, so the signal fired and {points}.",
            "Because {reading} {against}, {name} fired and {points}.",
            "{name} fired and {points}, since {reading} {against}.",
        ),
        (Some(reading), Some(against), None) => format!("{name} fired, because {reading} {against}."),
        (Some(reading), None, Some(_)) => {
            format!("{name} fired with {reading} and {points}; the record stated no threshold for it.")
        }
        (Some(reading), None, None) => format!("{name} fired with {reading}, without a stated threshold or points."),
        (None, _, stated) => match (figures_in_words(signal), stated) {
            (Some(figures), Some(_)) => format!("{name} fired with {figures} and {points}."),
            (Some(figures), None) => format!("{name} fired with {figures}; the record stated no points for it."),
            (None, Some(_)) => format!("{name} fired and {points}; the record stated no value for it."),
            (None, None) => format!("{name} fired; the record stated neither a value nor points for it."),
        },
    }
}

/// The value as written in a sentence about a threshold.
fn reading_of(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    match new_country(case, signal) {
        Some(_) => Some("a country not seen before".to_owned()),
        None => signal.reading(),
    }
}

/// A signal that another system reported. Only its name and its plain figures are used.
pub(super) fn reported(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    let phrasing = case.phrasing.shifted(signal.at);
    if let Some(reading) = signal.reading() {
        let more = figures_in_words(signal);
        return match (&signal.threshold, more) {
            (Some(threshold), Some(more)) => one_of!(phrasing;
                "The sender reported {name} with {reading} against a threshold of {threshold}, and stated {more}.",
                "For {name}, the sender reported {reading}, a threshold of {threshold}, and {more}.",
            ),
            (None, Some(more)) => {
                format!("The sender reported {name} with {reading}, named no threshold, and stated {more}.")
            }
            (Some(threshold), None) => one_of!(phrasing;
                "The sender reported {name} with {reading} against a threshold of {threshold}.",
                "For {name}, the sender reported {reading} and a threshold of {threshold}.",
            ),
            (None, None) => format!("The sender reported {name} with {reading} and named no threshold."),
        };
    }
    let hour = signal.whole("count_1h").filter(|_| signal.is(SignalName::VelocityAnomaly));
    if let Some(hour) = hour {
        let hour = say::count(hour, "transaction", "transactions");
        return format!("The sender reported {name} with {hour} within 1 hour and named no threshold.");
    }
    let Some(figures) = figures_in_words(signal) else {
        return one_of!(phrasing;
            "The sender reported {name} without a value.",
            "The sender named {name} and gave no value for it.",
        );
    };
    one_of!(phrasing;
        "The sender reported {name} with {figures}.",
        "For {name}, the sender stated {figures}.",
    )
}

/// The other figures of an external signal. The detector's own signals have dedicated sentences for theirs.
fn figures_in_words(signal: &SignalInWords) -> Option<String> {
    let figures =
        if signal.known.is_some() && !signal.is_reported() { Vec::new() } else { signal.plain_figures(FIGURES_MAX) };
    (!figures.is_empty()).then(|| say::list(&figures))
}

const FIGURES_MAX: usize = 3;

/// A signal that measured nothing unusual.
pub(super) fn clear_in_full(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    let phrasing = case.phrasing.shifted(signal.at);
    if signal.is(SignalName::RuleFlags) {
        let rules = signal.figure("rules").map_or_else(|| "rules".into(), |rules| format!("{rules} rules"));
        return match &signal.threshold {
            Some(threshold) => format!(
                "Rule flags stayed clear: none of the {rules} in force held, against a threshold of {threshold}."
            ),
            None => format!("Rule flags stayed clear, because none of the {rules} in force held."),
        };
    }
    match (signal.reading(), signal.threshold.as_ref()) {
        (Some(reading), Some(threshold)) => {
            let below = if signal.order() == Some(Ordering::Less) { "below" } else { "against" };
            one_of!(phrasing;
                "{name} measured {reading}, {below} its threshold of {threshold}, and stayed clear.",
                "{name} did not fire: it measured {reading}, {below} a threshold of {threshold}.",
            )
        }
        (Some(reading), None) => format!("{name} measured {reading} and stayed clear."),
        (None, Some(threshold)) => format!("{name} stayed clear of its threshold of {threshold}."),
        (None, None) => one_of!(phrasing;
            "{name} was measured and stayed within its bounds.",
            "{name} ran and found nothing beyond its bounds.",
        ),
    }
}

/// A signal without a result, with the reason.
pub(super) fn without_result_in_full(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    match (signal.facts.outcome, signal.known) {
        (SignalOutcome::InsufficientHistory, _) => too_little_history(case, signal),
        (_, Some(SignalName::RuleFlags)) => "Rule flags did not apply, because no rule was in force.".to_owned(),
        _ => one_of!(case.phrasing.shifted(signal.at);
            "{name} did not apply to this transaction.",
            "To this transaction, {name} did not apply.",
        ),
    }
}

fn too_little_history(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    if let (Some(held), Some(needed)) = (signal.whole("transactions"), signal.whole("transactions_needed")) {
        let held = say::count(held, "earlier transaction", "earlier transactions");
        return one_of!(case.phrasing;
            "{name} needed {needed} earlier transactions in the same currency and found {held}, so it produced no value.",
            "With {held} in the same currency where {needed} were needed, {name} produced no value.",
        );
    }
    match &signal.threshold {
        Some(threshold) => {
            format!("{name} had too little history to compare with, so its threshold of {threshold} was never applied.")
        }
        None => one_of!(case.phrasing.shifted(signal.at);
            "{name} had too little history to compare with and produced no value.",
            "Too little history existed for {name}, so it produced no value.",
        ),
    }
}

/// The detector's checks that the alert doesn't mention, with the reason if it is known.
pub(super) fn absent(case: &CaseInWords) -> Vec<String> {
    let names = absent_names(case);
    if case.transaction().is_none() {
        return names.into_iter().map(|name| absent_without_transaction(case, name)).collect();
    }
    let names: Vec<_> = names.into_iter().map(|name| plain_name(name).to_owned()).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let names = say::list(&names);
    vec![one_of!(case.phrasing;
        "The alert carried no result for {names}, so neither a value nor a threshold of theirs was on record.",
        "No result for {names} came with the alert, and neither a value nor a threshold was on record.",
    )]
}

fn absent_without_transaction(case: &CaseInWords, name: SignalName) -> String {
    match name {
        SignalName::AmountDeviation => one_of!(case.phrasing;
            "No amount deviation was measured, because no transaction was on record.",
            "Amount deviation had no amount to compare, because no transaction was on record.",
        ),
        SignalName::VelocityAnomaly => one_of!(case.phrasing;
            "Velocity anomaly was not measured, because no transaction was on record to count from.",
            "Without a transaction, velocity anomaly had no value.",
        ),
        SignalName::GeographicInconsistency => one_of!(case.phrasing;
            "Geographic inconsistency had no location to work with, so no distance and no travel speed were measured.",
            "No distance and no travel speed were measured for geographic inconsistency, because no location was on record.",
        ),
        SignalName::RuleFlags => one_of!(case.phrasing;
            "No rule was evaluated, because no transaction was on record.",
            "Rule flags had no result, because no transaction was on record.",
        ),
    }
}

/// The detector's checks that the alert doesn't mention.
pub(super) fn absent_names(case: &CaseInWords) -> Vec<SignalName> {
    SignalName::ALL.into_iter().filter(|name| case.signals.iter().all(|signal| !signal.is(*name))).collect()
}

/// The measurement behind a signal's points, for the risk justification.
pub(super) fn as_weight(case: &CaseInWords, signal: &SignalInWords, is_leading: bool) -> Option<String> {
    let name = &signal.name;
    let is_count_of_rules = signal.is(SignalName::RuleFlags);
    let reading = signal.value.as_ref().filter(|_| is_count_of_rules).map(|value| format!("a value of {value}"));
    let (Some(reading), Some(threshold)) = (reading.or_else(|| reading_of(case, signal)), &signal.threshold) else {
        return is_leading.then(|| format!("{name} carried the most weight of all signals on record."));
    };
    Some(if is_leading {
        one_of!(case.phrasing;
            "The heaviest part came from {name}, where {reading} stood against a threshold of {threshold}.",
            "{name} was the strongest signal, with {reading} against a threshold of {threshold}.",
            "The leading signal was {name}, with {reading} against a threshold of {threshold}.",
        )
    } else {
        one_of!(case.phrasing.shifted(signal.at);
            "The part of {name} rested on {reading} against a threshold of {threshold}.",
            "{name} had its points from {reading}, set against a threshold of {threshold}.",
            "For {name}, {reading} stood against a threshold of {threshold}.",
        )
    })
}
