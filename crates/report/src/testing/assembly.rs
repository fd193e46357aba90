//! Builds a consistent context from what the generator drew.

use countersign_domain::{Severity, SignalName, Time, signal::RuleFlag};
use serde_json::{Map, json};

use super::{
    generator::{DrawnEvent, DrawnFacts, DrawnSignal, DrawnTransaction},
    money, score, time,
};
use crate::{
    AlertSource, BaselineFacts, BySeverity, CaseHeader, Context, Contribution, Correlation, CountryCount, ScoreFacts,
    SignalFacts, SignalOutcome, SubjectFacts, TimelineEvent, TimelineEventKind, TransactionFacts,
};

fn starts_alike(a: &str, b: &str) -> bool {
    a.chars().take(3).eq(b.chars().take(3))
}

pub(super) fn assemble(
    facts: DrawnFacts,
    drawn: Vec<DrawnSignal>,
    paid: Option<DrawnTransaction>,
    prior: &[DrawnEvent],
    outside: Vec<SignalFacts>,
) -> Context {
    let currency = paid.as_ref().map_or("USD", |paid| paid.currency);
    let at = facts.created - paid.as_ref().map_or(0, |paid| paid.back);
    let is_external = facts.is_external || paid.is_none();
    // Only the detector measures signals, and travel needs an earlier transaction to start from.
    let is_measured = |name: SignalName| !prior.is_empty() || name != SignalName::GeographicInconsistency;
    let drawn = drawn.into_iter().filter(|(name, ..)| !is_external && is_measured(*name));
    let mut signals: Vec<_> =
        drawn.map(|(name, outcome, seed, points)| signal(name, outcome, seed, points, currency)).collect();
    let contributions = contributions(&signals);
    for signal in outside.into_iter().filter(|_| is_external) {
        // The context builder makes names distinct.
        let is_taken = |known: &SignalFacts| starts_alike(&known.name, &signal.name);
        if !signals.iter().any(is_taken) {
            signals.push(signal);
        }
    }
    let sum: u32 = contributions.iter().map(|part| u32::from(part.points)).sum();
    let computed = u8::try_from(sum.min(100)).unwrap_or(100);
    let (severity, total) = match facts.stated.filter(|_| is_external) {
        Some(stated) => stated,
        None => (Severity::of(score(computed)), computed),
    };
    let (band_from, band_to) = band(severity);
    let mut timeline = Vec::new();
    let opened_at = facts.age_days.map(|days| time(at - i64::try_from(days).unwrap_or(0) * 86_400));
    timeline.extend(opened_at.map(|at| event(at, TimelineEventKind::AccountOpened)));
    timeline.extend(prior.iter().map(|prior| earlier(prior, at, currency)));
    timeline.sort_by_key(|event| event.timestamp);
    let baseline = paid.as_ref().and_then(|paid| baseline(prior, at, paid));
    let transaction = paid.map(|paid| TransactionFacts { occurred_at: time(at), ..paid.facts });
    timeline.extend(transaction.as_ref().map(|transaction| TimelineEvent {
        amount: Some(transaction.amount),
        location: transaction.location.clone(),
        ..event(transaction.occurred_at, TimelineEventKind::Transaction)
    }));
    timeline.push(event(time(facts.created), TimelineEventKind::AlertCreated));
    timeline.extend(facts.is_opened.then(|| event(time(facts.created + 1), TimelineEventKind::InvestigationOpened)));
    let first = timeline
        .iter()
        .find(|event| event.happening == TimelineEventKind::PriorTransaction)
        .map(|event| event.timestamp);
    let past_count = timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorTransaction).count();
    let transaction_count =
        if past_count == 0 { 0 } else { u64::try_from(past_count).unwrap_or(0) + facts.omitted + facts.more_on_record };
    Context {
        case: CaseHeader {
            alert_id: facts.alert_id,
            investigation_id: dashed(facts.investigation),
            report_type: facts.report_type,
            severity,
            risk_score: score(total),
            regulatory_impact: facts.impact,
            alert_created_at: time(facts.created),
            source: if is_external { AlertSource::External } else { AlertSource::Detector },
            rules_hash: facts.has_rules_hash.then(|| "9a".repeat(32)),
        },
        subject: SubjectFacts {
            user_id: facts.user_id,
            relationship: "account holder".to_owned(),
            account_opened_at: opened_at,
            account_age_days: facts.age_days,
            transaction_count,
            transactions_in_other_currencies: 0,
            first_transaction_at: first,
        },
        transaction,
        signals,
        score: ScoreFacts {
            total: score(total),
            maximum: 100,
            contributions,
            sum,
            is_capped: sum > 100 && total == 100,
            band_from,
            band_to,
            agrees_with_severity: Severity::of(score(total)) == severity,
        },
        baseline,
        correlation: correlation(&timeline, facts.similar, facts.within),
        timeline,
        timeline_omitted: if past_count == 0 { 0 } else { facts.omitted },
        metadata_withheld: 0,
    }
}

fn contributions(signals: &[SignalFacts]) -> Vec<Contribution> {
    let points = |signal: &SignalFacts| signal.contribution.filter(|points| *points > 0);
    signals
        .iter()
        .filter_map(|signal| Some(Contribution { signal: signal.name.clone(), points: points(signal)? }))
        .collect()
}

/// A signal as the detector writes it. The seed determines the measurements.
fn signal(name: SignalName, outcome: SignalOutcome, seed: u32, points: u8, currency: &str) -> SignalFacts {
    let has_fired = outcome == SignalOutcome::Fired;
    let is_measured = has_fired || outcome == SignalOutcome::Clear;
    let small = f64::from(seed % 90) / 100.0;
    let (mut baseline, mut details, mut flags) = (Map::new(), Map::new(), Vec::new());
    let (value, threshold, unit) = match name {
        SignalName::AmountDeviation => {
            baseline.insert("transactions".into(), json!(seed % 64));
            baseline.insert("transactions_needed".into(), json!(5));
            (if has_fired { 3.5 + small * 10.0 } else { small }, 3.5, "modified z-score")
        }
        SignalName::VelocityAnomaly => {
            let (hour, day) = (1 + seed % 20, 20 + seed % 40);
            baseline.insert("usual_per_day".into(), json!(f64::from(seed % 300) / 100.0));
            details.insert("count_1h".into(), json!(hour));
            details.insert("count_24h".into(), json!(day));
            details.insert("sum_1h".into(), json!(money(u64::from(seed % 90_000) + 1, currency)));
            details.insert("sum_24h".into(), json!(money(u64::from(seed % 990_000) + 90_000, currency)));
            (f64::from(hour), if has_fired { 1.0 } else { 40.0 }, "transactions in 1 hour")
        }
        SignalName::GeographicInconsistency if seed.is_multiple_of(3) && has_fired => {
            details.insert("is_new_country".into(), json!(true));
            details.insert("from_country".into(), json!("DE"));
            details.insert("to_country".into(), json!("JP"));
            details.insert("countries_seen".into(), json!(1 + seed % 4));
            baseline.insert("located_transactions".into(), json!(5 + seed % 50));
            (1.0, 1.0, "countries not seen before")
        }
        SignalName::GeographicInconsistency => {
            let speed = f64::from(1_000 + seed % 20_000);
            if is_measured {
                details.insert("distance_km".into(), json!(f64::from(500 + seed % 12_000)));
                details.insert("minutes".into(), json!(seed % 1_200));
                details.insert("speed_kmh".into(), json!(speed));
                details.insert("from_country".into(), json!("GB"));
                details.insert("to_country".into(), json!(if seed.is_multiple_of(2) { "GB" } else { "BR" }));
            }
            (if has_fired { speed } else { small * 1_000.0 }, 1_000.0, "km/h")
        }
        SignalName::RuleFlags => {
            let held = if has_fired { 1 + seed % 12 } else { 0 };
            flags.extend((0..held).map(|index| RuleFlag {
                name: if seed.is_multiple_of(5) { format!("Rule # {index}\n\"x\"") } else { format!("rule_{index}") },
                weight: u8::try_from(index + 1).unwrap_or(1),
                message: "Canary in a message.".to_owned(),
            }));
            (f64::from(held), 1.0, "rules that held")
        }
    };
    SignalFacts {
        name: name.as_str().to_owned(),
        outcome,
        value: is_measured.then_some((value * 100.0).round() / 100.0),
        threshold: Some(threshold),
        unit: Some(unit.to_owned()),
        contribution: Some(if has_fired { points } else { 0 }),
        explanation: Some("Canary in an explanation.".to_owned()),
        baseline,
        details,
        flags,
    }
}

fn baseline(prior: &[DrawnEvent], at: i64, paid: &DrawnTransaction) -> Option<BaselineFacts> {
    let mut earlier: Vec<_> = prior.iter().filter(|prior| prior.alert.is_none()).collect();
    earlier.sort_by_key(|prior| prior.before);
    let (last, first) = (earlier.first()?.before, earlier.last()?.before);
    let mut cents: Vec<_> = earlier.iter().map(|prior| prior.cents).collect();
    cents.sort_unstable();
    let median = *cents.get(cents.len() / 2)?;
    let mut countries: Vec<CountryCount> = Vec::new();
    for place in earlier.iter().filter_map(|prior| prior.place.as_ref()) {
        match countries.iter_mut().find(|known| known.country == place.country) {
            Some(known) => known.transactions += 1,
            None => countries.push(CountryCount {
                country: place.country.clone(),
                country_name: place.country_name.clone(),
                transactions: 1,
            }),
        }
    }
    countries.sort_by_key(|country| std::cmp::Reverse(country.transactions));
    countries.truncate(5);
    let ratio = paid.cents as f64 / median as f64;
    Some(BaselineFacts {
        transactions: u64::try_from(cents.len()).ok()?,
        first_at: time(at - first),
        last_at: time(at - last),
        days: u64::try_from((first - last) / 86_400).ok()?,
        median_amount: money(median, paid.currency),
        smallest_amount: money(*cents.first()?, paid.currency),
        largest_amount: money(*cents.last()?, paid.currency),
        total_amount: money(cents.iter().sum(), paid.currency),
        ratio_to_median: Some((ratio * 10.0).round() / 10.0),
        difference_from_median: Some(paid.cents.abs_diff(median))
            .filter(|cents| *cents > 0)
            .map(|cents| money(cents, paid.currency)),
        countries,
    })
}

fn earlier(prior: &DrawnEvent, at: i64, currency: &str) -> TimelineEvent {
    let at = time(at - prior.before);
    match prior.alert {
        Some((severity, points)) => TimelineEvent {
            severity: Some(severity),
            risk_score: Some(score(points)),
            ..event(at, TimelineEventKind::PriorAlert)
        },
        None => TimelineEvent {
            amount: Some(money(prior.cents, currency)),
            location: prior.place.clone(),
            ..event(at, TimelineEventKind::PriorTransaction)
        },
    }
}

fn event(timestamp: Time, happening: TimelineEventKind) -> TimelineEvent {
    TimelineEvent {
        timestamp,
        happening,
        event: "It happened.".to_owned(),
        amount: None,
        location: None,
        severity: None,
        risk_score: None,
    }
}

fn correlation(timeline: &[TimelineEvent], similar_alerts: u64, similar_within_points: u8) -> Correlation {
    let mut by = BySeverity::default();
    for severity in timeline.iter().filter_map(|event| event.severity) {
        let count = match severity {
            Severity::Low => &mut by.low,
            Severity::Medium => &mut by.medium,
            Severity::High => &mut by.high,
            Severity::Critical => &mut by.critical,
        };
        *count += 1;
    }
    Correlation {
        prior_alerts: by.low + by.medium + by.high + by.critical,
        prior_alerts_by_severity: by,
        last_alert_at: timeline
            .iter()
            .rfind(|event| event.happening == TimelineEventKind::PriorAlert)
            .map(|event| event.timestamp),
        similar_alerts,
        similar_within_points,
    }
}

fn band(severity: Severity) -> (u8, u8) {
    match severity {
        Severity::Low => (0, 39),
        Severity::Medium => (40, 59),
        Severity::High => (60, 79),
        Severity::Critical => (80, 100),
    }
}

fn dashed(id: u128) -> String {
    let hex = format!("{id:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
