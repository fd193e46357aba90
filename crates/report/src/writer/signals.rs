//! Sentences about one signal, from the four sides that the sections ask for: in short, in full, as weight, as reason.

use std::cmp::Ordering;

use countersign_domain::SignalName;

use super::{
    case::Case,
    measured::{Measured, plain_name},
    outside,
    pool::Rank,
    say,
    voice::one_of,
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

/// The strongest fact of a raised signal in one sentence, for the executive summary.
pub(super) fn in_short(case: &Case, signal: &Measured) -> String {
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

fn amount_in_short(case: &Case, signal: &Measured) -> Option<String> {
    let times = case.times_median()?;
    let median = say::money(&case.baseline()?.median_amount);
    let (reading, against) = (signal.reading()?, signal.against_threshold()?);
    Some(one_of!(case.voice;
        "The amount was {times} this customer's median of {median}, and {reading} {against}.",
        "At {times} the customer's median of {median}, the amount produced {reading}, which {against}.",
        "Amount deviation fired: the amount was {times} the median of {median}, and {reading} {against}.",
    ))
}

fn velocity_in_short(case: &Case, signal: &Measured) -> Option<String> {
    let hour = say::count(signal.whole("count_1h")?, "transaction", "transactions");
    let day = say::count(signal.whole("count_24h")?, "transaction", "transactions");
    Some(one_of!(case.voice;
        "Velocity anomaly fired after {hour} within 1 hour and {day} within 24 hours.",
        "The account showed {hour} within 1 hour and {day} within 24 hours, and velocity anomaly fired.",
        "Frequency stood out: velocity anomaly counted {hour} within 1 hour and {day} within 24 hours.",
    ))
}

fn travel_in_short(case: &Case, signal: &Measured) -> Option<String> {
    let (from, to) = route(case, signal)?;
    let distance = signal.figure("distance_km")?;
    let minutes = signal.figure("minutes")?;
    Some(one_of!(case.voice;
        "Geographic inconsistency fired, because {distance} km separated {from} from {to} and only {minutes} minutes lay between.",
        "The locations did not fit together: {distance} km lay between {from} and {to}, crossed in {minutes} minutes.",
        "The location moved {distance} km, from {from} to {to}, in {minutes} minutes, and geographic inconsistency fired.",
    ))
}

fn rules_in_short(case: &Case, signal: &Measured) -> Option<String> {
    let held = say::length(signal.facts.flags.len(), "rule", "rules");
    let heaviest = signal.rules(1).pop()?;
    if signal.facts.flags.len() == 1 {
        return Some(one_of!(case.voice;
            "The rule {heaviest} held for this transaction.",
            "Rule flags fired on {heaviest}.",
        ));
    }
    Some(one_of!(case.voice;
        "Rule flags fired: {held} held, led by {heaviest}.",
        "A total of {held} held for this transaction, the heaviest being {heaviest}.",
    ))
}

fn reading_in_short(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    match (signal.reading(), signal.against_threshold(), signal.points) {
        (Some(reading), Some(against), _) => one_of!(case.voice;
            "{name} fired: {reading} {against}.",
            "{name} fired, because {reading} {against}.",
        ),
        (Some(reading), None, _) => format!("{name} fired with {reading}; the record stated no threshold for it."),
        (None, _, Some(points)) => {
            let contributed = contributed(points);
            format!("{name} fired and {contributed} to the score.")
        }
        (None, _, None) => format!("{name} fired, and the record stated neither its value nor its points."),
    }
}

/// Where the previous location was and where this one is, by name.
pub(super) fn route(case: &Case, signal: &Measured) -> Option<(String, String)> {
    Some((case.country_called(signal.text("from_country")?)?, case.country_called(signal.text("to_country")?)?))
}

/// Everything a raised signal measured, for the fraud explanation.
pub(super) fn in_full(case: &Case, signal: &Measured) -> Vec<(Rank, String)> {
    if signal.is_reported() {
        return vec![(Rank::Must, reported(case, signal)), (Rank::Should, reported_standing(case, signal))];
    }
    let mut sentences = match signal.known {
        Some(SignalName::AmountDeviation) => amount_in_full(case, signal),
        Some(SignalName::VelocityAnomaly) => velocity_in_full(case, signal),
        Some(SignalName::GeographicInconsistency) => travel_in_full(case, signal),
        Some(SignalName::RuleFlags) => rules_in_full(case, signal),
        None => Vec::new(),
    };
    sentences.push((Rank::Must, standing_in_full(case, signal)));
    sentences
}

fn amount_in_full(case: &Case, signal: &Measured) -> Vec<(Rank, String)> {
    let (Some(transaction), Some(_)) = (case.transaction(), signal.reading()) else { return Vec::new() };
    let amount = say::money(&transaction.amount);
    let text = one_of!(case.voice;
        "Amount deviation set {amount} against the customer's own earlier transactions, by their median and spread.",
        "To judge {amount}, amount deviation used the median and the spread of this customer's own earlier transactions.",
        "Amount deviation asked how far {amount} stood from what this customer had spent before.",
    );
    vec![(Rank::Should, text)]
}

fn velocity_in_full(case: &Case, signal: &Measured) -> Vec<(Rank, String)> {
    let mut sentences = Vec::new();
    if let (Some(hour), Some(day)) = (signal.whole("count_1h"), signal.whole("count_24h")) {
        let (hour, day) =
            (say::count(hour, "transaction", "transactions"), say::count(day, "transaction", "transactions"));
        sentences.push((
            Rank::Must,
            one_of!(case.voice;
                "Velocity anomaly counted {hour} within 1 hour and {day} within 24 hours, this one included.",
                "Counting back from this transaction, velocity anomaly found {hour} within 1 hour and {day} within 24 hours.",
            ),
        ));
    }
    if let (Some(hour), Some(day)) = (signal.money("sum_1h"), signal.money("sum_24h")) {
        sentences.push((
            Rank::Should,
            one_of!(case.voice;
                "Their sum was {hour} over 1 hour and {day} over 24 hours.",
                "In money, the windows held {hour} for 1 hour and {day} for 24 hours.",
            ),
        ));
    }
    sentences
}

fn travel_in_full(case: &Case, signal: &Measured) -> Vec<(Rank, String)> {
    let mut sentences = Vec::new();
    let route = route(case, signal);
    if let (Some((from, to)), Some(distance)) = (&route, signal.figure("distance_km")) {
        sentences.push((
            Rank::Must,
            one_of!(case.voice;
                "Geographic inconsistency compared this location with the previous one: {from} and {to} lay {distance} km apart.",
                "The previous located transaction was in {from} and this one in {to}, a distance of {distance} km.",
            ),
        ));
    }
    if let (Some(minutes), Some(speed)) = (signal.figure("minutes"), signal.figure("speed_kmh")) {
        sentences.push((
            Rank::Should,
            one_of!(case.voice;
                "With {minutes} minutes between them, that distance required a speed of {speed} km/h.",
                "The {minutes} minutes between both transactions meant a speed of {speed} km/h.",
            ),
        ));
    }
    sentences
}

fn rules_in_full(case: &Case, signal: &Measured) -> Vec<(Rank, String)> {
    let rules = signal.rules(RULES_MAX);
    if rules.is_empty() {
        return Vec::new();
    }
    let held = say::length(signal.facts.flags.len(), "rule", "rules");
    let listed = say::list(&rules);
    let text = if rules.len() < signal.facts.flags.len() {
        one_of!(case.voice;
            "Of the rules in force, {held} held, among them {listed}.",
            "Rule flags listed {held} that held, the heaviest being {listed}.",
        )
    } else {
        one_of!(case.voice;
            "Of the rules in force, {held} held: {listed}.",
            "Rule flags recorded that {held} held for this transaction: {listed}.",
        )
    };
    vec![(Rank::Must, text)]
}

/// Rules that one sentence names.
const RULES_MAX: usize = 3;

fn standing_in_full(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    let points = contributed(signal.points.unwrap_or(0));
    match (signal.reading(), signal.against_threshold(), signal.points) {
        (Some(reading), Some(against), Some(_)) => one_of!(case.voice;
            "The reading of {name}, {reading}, {against}, so the signal fired and {points}.",
            "Because {reading} {against}, {name} fired and {points}.",
            "{name} fired and {points}, since {reading} {against}.",
        ),
        (Some(reading), Some(against), None) => format!("{name} fired, because {reading} {against}."),
        (Some(reading), None, Some(_)) => {
            format!("{name} fired with {reading} and {points}; the record stated no threshold for it.")
        }
        (Some(reading), None, None) => format!("{name} fired with {reading}, without a stated threshold or points."),
        (None, _, Some(_)) => format!("{name} fired and {points}; the record stated no value for it."),
        (None, _, None) => format!("{name} fired; the record stated neither a value nor points for it."),
    }
}

/// What somebody else's system said, by name and plain figures alone.
fn reported(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    if let Some(reading) = signal.reading() {
        return match &signal.threshold {
            Some(threshold) => one_of!(case.voice;
                "The sender reported {name} with {reading} against a threshold of {threshold}.",
                "For {name}, the sender reported {reading} and a threshold of {threshold}.",
            ),
            None => format!("The sender reported {name} with {reading} and named no threshold."),
        };
    }
    let figures = signal.plain_figures(FIGURES_MAX);
    if figures.is_empty() {
        return one_of!(case.voice;
            "The sender reported {name} without a plain figure.",
            "The sender named {name} and gave no figure for it.",
        );
    }
    let figures = say::list(&figures);
    one_of!(case.voice;
        "The sender reported {name} with {figures}.",
        "For {name}, the sender stated {figures}.",
    )
}

const FIGURES_MAX: usize = 3;

fn reported_standing(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    match signal.points {
        Some(points) => format!("By the sender's own account, {name} {}.", contributed(points)),
        None => one_of!(case.voice;
            "The sender did not state how many points {name} brought.",
            "How many points {name} brought was not stated.",
        ),
    }
}

/// A signal that measured nothing unusual.
pub(super) fn clear_in_full(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    match (signal.reading(), signal.threshold.as_ref()) {
        (Some(reading), Some(threshold)) => {
            let below = if signal.order() == Some(Ordering::Less) { "below" } else { "against" };
            one_of!(case.voice;
                "{name} measured {reading}, {below} its threshold of {threshold}, and stayed clear.",
                "{name} did not fire: it measured {reading}, {below} a threshold of {threshold}.",
            )
        }
        (Some(reading), None) => format!("{name} measured {reading} and stayed clear."),
        (None, Some(threshold)) => format!("{name} stayed clear of its threshold of {threshold}."),
        (None, None) => one_of!(case.voice;
            "{name} was measured and stayed within its bounds.",
            "{name} ran and found nothing beyond its bounds.",
        ),
    }
}

/// A signal that ran to no result, with the reason.
pub(super) fn without_result_in_full(case: &Case, signal: &Measured) -> String {
    let name = &signal.name;
    match signal.facts.outcome {
        SignalOutcome::InsufficientHistory => match &signal.threshold {
            Some(threshold) => format!(
                "{name} had too few earlier transactions to compare with, so its threshold of {threshold} was never applied."
            ),
            None => one_of!(case.voice;
                "{name} had too few earlier transactions to compare with and produced no value.",
                "Too little history existed for {name}, so it produced no value.",
            ),
        },
        _ => one_of!(case.voice;
            "{name} did not apply, because the transaction lacked the facts that it measures.",
            "The transaction lacked the facts that {name} measures, so it did not apply.",
        ),
    }
}

/// A check of ours that the alert says nothing about.
pub(super) fn absent(case: &Case, name: SignalName) -> String {
    if case.transaction().is_some() {
        let name = plain_name(name);
        return format!(
            "The alert carried no result for {name}, so neither a value nor a threshold of it was on record."
        );
    }
    match name {
        SignalName::AmountDeviation => one_of!(case.voice;
            "No amount deviation was measured, because the record held no transaction and therefore no amount to compare.",
            "Amount deviation needed an amount, and the record held no transaction that supplied it.",
        ),
        SignalName::VelocityAnomaly => one_of!(case.voice;
            "Velocity anomaly was not measured, because a counting window ends at a transaction and none was on record.",
            "Without a transaction there was no moment at which a counting window ended, so velocity anomaly had no value.",
        ),
        SignalName::GeographicInconsistency => one_of!(case.voice;
            "Geographic inconsistency had no location to work with, so no distance and no travel speed were measured.",
            "No distance and no travel speed were measured for geographic inconsistency, because no location was on record.",
        ),
        SignalName::RuleFlags => one_of!(case.voice;
            "No rule was evaluated, because rule flags read the fields of a transaction and none was on record.",
            "Rule flags stayed without a result: rules read the fields of a transaction, and the record held none.",
        ),
    }
    .to_owned()
}

/// Known checks that the alert does not mention.
pub(super) fn absent_names(case: &Case) -> impl Iterator<Item = SignalName> {
    SignalName::ALL.into_iter().filter(|name| case.signals.iter().all(|signal| !signal.is(*name)))
}

/// How a signal bears on the score, for the risk justification.
pub(super) fn as_weight(case: &Case, signal: &Measured, is_leading: bool) -> Option<String> {
    let name = &signal.name;
    let points = signal.points?;
    let share = contributed(points);
    Some(match (signal.value.as_ref(), signal.threshold.as_ref()) {
        (Some(value), Some(threshold)) if is_leading => one_of!(case.voice;
            "The largest part came from {name}, whose value of {value} stood against a threshold of {threshold}.",
            "No other signal weighed as much as {name}, with a value of {value} against a threshold of {threshold}.",
            "{name} carried the most weight: its value was {value} and its threshold {threshold}.",
        ),
        (Some(value), Some(threshold)) => one_of!(case.voice;
            "{name} {share} for a value of {value} against a threshold of {threshold}.",
            "A value of {value} against a threshold of {threshold} meant that {name} {share}.",
        ),
        _ if is_leading => format!("{name} carried the most weight of all signals on record."),
        _ => one_of!(case.voice;
            "{name} {share} of its own.",
            "On its own terms, {name} {share}.",
        ),
    })
}

/// Names of `country` values in details: codes and names both occur.
impl Case<'_> {
    pub(super) fn country_called(&self, given: &str) -> Option<String> {
        let places = self.context.timeline.iter().rev().filter_map(|event| event.location.as_ref());
        let here = self.transaction().and_then(|transaction| transaction.location.as_ref());
        let named = here.into_iter().chain(places.take(PLACES_MAX)).find(|place| place.country == given);
        let usual = || {
            let countries = self.baseline().map_or(&[][..], |baseline| &baseline.countries);
            countries.iter().find(|usual| usual.country == given).map(|usual| usual.country_name.as_str())
        };
        let name = named.map(|place| place.country_name.as_str()).or_else(usual).unwrap_or(given);
        outside::country(name).map(str::to_owned)
    }
}

/// The newest places are the ones that a signal speaks of.
const PLACES_MAX: usize = 32;
