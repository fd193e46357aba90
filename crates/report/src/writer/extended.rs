//! Extended analysis of full reports: the measurement of every signal, what would have changed the severity, the extent
//! of the history, and what else is on record about the customer and similar cases.

use countersign_domain::SignalName;

use super::{
    case::CaseInWords,
    justification::edges,
    measured::{SignalInWords, plain_name},
    outside,
    phrasing::one_of,
    pool::{SentencePool, SentenceRank},
    say, signals,
};
use crate::SignalOutcome;

pub(super) const WORDS: (usize, usize) = (150, 400);

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    measurements(case, &mut pool);
    sensitivity(case, &mut pool);
    coverage(case, &mut pool);
    correlation(case, &mut pool);
    limits(case, &mut pool);
    pool
}

fn measurements(case: &CaseInWords, pool: &mut SentencePool) {
    for signal in case.signals.iter().take(SIGNALS_MAX) {
        pool.must(measurement(case, signal));
        pool.should(background(signal));
    }
    let absent: Vec<_> = signals::absent_names(case).into_iter().map(|name| plain_name(name).to_owned()).collect();
    if !absent.is_empty() {
        let absent = say::list(&absent);
        pool.must(format!("Of the built-in checks, {absent} left no result in this record."));
    }
}

const SIGNALS_MAX: usize = 8;
const FIGURES_MAX: usize = 3;

fn measurement(case: &CaseInWords, signal: &SignalInWords) -> String {
    let name = &signal.name;
    let outcome = match signal.facts.outcome {
        SignalOutcome::Fired => "fired",
        SignalOutcome::Clear => "stayed clear",
        SignalOutcome::InsufficientHistory => "lacked the history for a result",
        SignalOutcome::NotApplicable => "did not apply",
        SignalOutcome::Reported => "was reported by the sender",
    };
    let points = signal.points.map_or_else(|| "came without stated points".into(), signals::contributed);
    match (&signal.value, &signal.threshold) {
        (Some(value), Some(threshold)) => one_of!(case.phrasing.shifted(signal.at);
            "{name} {outcome} at a value of {value} with a threshold of {threshold}, and {points}.",
            "With a value of {value} and a threshold of {threshold}, {name} {outcome} and {points}.",
            "The value of {name} was {value} and its threshold {threshold}; the signal {outcome} and {points}.",
        ),
        (Some(value), None) => format!("{name} {outcome} at a value of {value}, without a threshold, and {points}."),
        (None, Some(threshold)) => format!("{name} {outcome}, left its threshold of {threshold} unused, and {points}."),
        (None, None) => format!("{name} {outcome} without a value or a threshold, and {points}."),
    }
}

/// The data that a signal's measurement is based on.
fn background(signal: &SignalInWords) -> Option<String> {
    match signal.known.filter(|_| !signal.is_reported()) {
        Some(SignalName::AmountDeviation) => {
            let held = say::count(signal.whole("transactions")?, "earlier transaction", "earlier transactions");
            let needed = signal.whole("transactions_needed")?;
            Some(format!("Its comparison drew on {held} in the same currency, where {needed} were the fewest allowed."))
        }
        Some(SignalName::VelocityAnomaly) => {
            let (hour, day) = (signal.figure("count_1h_limit")?, signal.figure("count_24h_limit")?);
            Some(format!("Its limits were {hour} transactions within 1 hour and {day} transactions within 24 hours."))
        }
        Some(SignalName::GeographicInconsistency) => {
            let located =
                say::count(signal.whole("located_transactions")?, "earlier transaction", "earlier transactions");
            Some(format!("It had {located} with a location to look back on."))
        }
        Some(SignalName::RuleFlags) => {
            let rules = say::count(signal.whole("rules")?, "rule", "rules");
            Some(format!("The set in force at that time comprised {rules}."))
        }
        None => {
            let figures = signal.plain_figures(FIGURES_MAX);
            let listed = say::list(&figures);
            (!figures.is_empty()).then(|| format!("The sender also stated {listed}."))
        }
    }
}

fn sensitivity(case: &CaseInWords, pool: &mut SentencePool) {
    let score = &case.context.score;
    let (total, from, severity) = (case.score(), score.band_from, case.severity());
    if score.agrees_with_severity {
        pool.must(
            edges(case)
                .map(|edges| format!("The sensitivity of the result is given by its band; {}", lower_first(&edges))),
        );
    } else {
        pool.must(format!("The score of {total} did not support {severity} severity, whose band begins at {from}."));
    }
    if score.is_capped {
        let sum = say::count_in_digits(u64::from(score.sum), "point", "points");
        pool.should(format!("Because the contributions of {sum} exceeded the scale, a weaker signal would have left the score unchanged at first."));
    }
    let parts = score.contributions.iter().filter(|part| part.points > 0);
    if let [only] = parts.collect::<Vec<_>>().as_slice() {
        let points = signals::contributed(only.points);
        pool.may(format!("A single signal {points}, so the result stands or falls with its measurement."));
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn coverage(case: &CaseInWords, pool: &mut SentencePool) {
    let Some(baseline) = case.baseline() else {
        pool.must(
            "The history offered no baseline, which leaves the customer's ordinary behaviour undescribed.".to_owned(),
        );
        return;
    };
    let (held, days) = (
        say::count(baseline.transactions, "transaction", "transactions"),
        say::count_in_digits(baseline.days, "day", "days"),
    );
    let (first, last) = (say::moment(baseline.first_at), say::moment(baseline.last_at));
    pool.must(format!("The baseline reached from {first} to {last}, covering {held} in {days}."));
    let (smallest, largest, total) = (
        say::money(&baseline.smallest_amount),
        say::money(&baseline.largest_amount),
        say::money(&baseline.total_amount),
    );
    pool.must(format!("Its smallest amount was {smallest}, its largest amount {largest}, and its total {total}."));
    let median = say::money(&baseline.median_amount);
    pool.should(match case.times_median() {
        Some(times) => format!("The median was {median}, and the amount under review came to {times} that figure."),
        None => format!("The median was {median}."),
    });
    let countries: Vec<_> = baseline
        .countries
        .iter()
        .filter_map(|usual| {
            let name = outside::country(&usual.country_name)?;
            Some(format!("{name} with {}", say::count(usual.transactions, "transaction", "transactions")))
        })
        .take(3)
        .collect();
    if !countries.is_empty() {
        let countries = say::list(&countries);
        pool.should(format!("By country, the baseline was led by {countries}."));
    }
    pool.may("Only transactions in the same currency entered the baseline, and nothing was converted.".to_owned());
}

fn correlation(case: &CaseInWords, pool: &mut SentencePool) {
    let facts = &case.context.correlation;
    let prior = say::count(facts.prior_alerts, "prior alert", "prior alerts");
    let last =
        facts.last_alert_at.map_or_else(String::new, |last| format!(", the last of them on {}", say::moment(last)));
    pool.must(format!("Correlation found {prior} of the same customer{last}."));
    let similar = say::count(facts.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(facts.similar_within_points), "point", "points");
    pool.must(format!("It also found {similar} of any customer, of equal severity and within {within}."));
    let known = say::count(case.context.subject.transaction_count, "earlier transaction", "earlier transactions");
    pool.should(match case.context.subject.account_age_days {
        Some(days) => {
            let age = say::count_in_digits(days, "day", "days");
            format!("The account was {age} old and had {known} on record.")
        }
        None => format!("The age of the account was not stated; it had {known} on record."),
    });
}

fn limits(case: &CaseInWords, pool: &mut SentencePool) {
    let omitted = case.context.timeline_omitted;
    if omitted > 0 {
        let omitted = say::count(omitted, "event", "events");
        pool.should(format!("For length, the context omitted {omitted} of an older date from its timeline."));
    }
    if case.is_from_outside() {
        pool.should("The alert came from outside, so its thresholds and its score are the sender's.".to_owned());
    } else {
        pool.add(
            SentenceRank::May,
            Some("The detector measured each signal apart from the others and added up their points.".to_owned()),
        );
    }
    pool.may("Correlation describes the record and does not enter the score.".to_owned());
    if case.transaction().is_none() {
        pool.should("Without the transaction, neither its amount nor its place was analysed.".to_owned());
    } else {
        pool.may("Statements in the transaction's metadata were not verified against another source.".to_owned());
    }
    let (alert, created) = (case.alert(), say::moment(case.context.case.alert_created_at));
    pool.reserve(format!("The analysis reflects the record as it stood for {alert}, created on {created}."));
    pool.reserve(
        "Checks that had no input were left without a value, and none was estimated in their place.".to_owned(),
    );
    let (severity, band) = (case.severity(), case.band());
    pool.reserve(format!("In every part of this report, {severity} severity means scores {band}."));
    let impact = case.impact();
    pool.reserve(format!(
        "A regulatory impact of {impact} was recorded, which follows the severity unless the requester set it."
    ));
    pool.reserve(
        "No statement of the customer and no document beyond the record was available to this analysis.".to_owned(),
    );
}
