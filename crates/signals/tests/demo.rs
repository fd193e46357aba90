//! The demo's stream through the detector: a steady flow of alerts, and impossible trips at believable speeds.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use countersign_domain::{SignalName, Time, UserId, signal::DetectionOutcome};
use countersign_signals::{Detector, HistoryCache};
use countersign_transactions::{FraudKind, Generator, LabelledTransaction};

const MINUTE: i64 = 60_000_000;
const RATE_PER_S: f64 = 2.0;

struct FiredAlert {
    at: i64,
    user: UserId,
    is_medium_or_above: bool,
    fraud: Option<FraudKind>,
    /// The speed of an impossible trip.
    speed_kmh: Option<f64>,
}

/// The start of the demo, and the alerts of its past and of the first `minutes` after the start.
fn fired(seed: u64, rate_per_s: f64, minutes: i64) -> (i64, Vec<FiredAlert>) {
    let now: Time = "2026-03-01T22:00:00Z".parse().unwrap();
    let (mut generator, past) = Generator::demo(seed, now);
    generator.begin_demo(now, rate_per_s);
    let until = Time::from_micros(now.micros() + minutes * MINUTE).unwrap();
    let live = std::iter::from_fn(move || generator.next_live(until));
    (now.micros(), assessed(past.into_iter().chain(live)))
}

fn assessed(stream: impl Iterator<Item = LabelledTransaction>) -> Vec<FiredAlert> {
    let (detector, mut cache) = (Detector::built_in(), HistoryCache::new(400_000));
    let mut seen = Vec::new();
    for (seq, LabelledTransaction { transaction, fraud, arrives_at }) in stream.enumerate() {
        let seq = seq as u64;
        let history = match cache.get(&transaction.user_id) {
            Some(history) => history,
            None => cache.insert(transaction.user_id.clone(), Default::default()),
        };
        let assessment = detector.assess(seq, &transaction, history);
        history.add(seq, &transaction);
        if !assessment.fires() {
            continue;
        }
        let travel = assessment.signals().into_iter().find(|(name, _)| *name == SignalName::GeographicInconsistency);
        let is_trip = |unit: &Option<String>| unit.as_deref() == Some("km/h");
        let speed_kmh = travel
            .filter(|(_, signal)| signal.outcome == DetectionOutcome::Fired && is_trip(&signal.unit))
            .and_then(|(_, signal)| signal.value);
        let is_medium_or_above = assessment.score.get() >= 40;
        seen.push(FiredAlert {
            at: arrives_at.micros(),
            user: transaction.user_id,
            is_medium_or_above,
            fraud,
            speed_kmh,
        });
    }
    seen
}

#[test]
fn a_day_of_the_demo_has_no_quiet_quarter_of_an_hour_and_no_flood() {
    let (start, seen) = fired(1, RATE_PER_S, 24 * 60);
    let live: Vec<&FiredAlert> = seen.iter().filter(|seen| seen.at > start).collect();
    let per_minute = live.len() as f64 / (24.0 * 60.0);
    assert!((3.0..9.0).contains(&per_minute), "{per_minute} alerts per minute");
    for quarter in 0..96 {
        let from = start + quarter * 15 * MINUTE;
        let within: Vec<_> = live.iter().filter(|seen| (from..from + 15 * MINUTE).contains(&seen.at)).collect();
        let frauds = within.iter().filter(|seen| seen.fraud.is_some() && seen.is_medium_or_above).count();
        assert!(frauds >= 5, "quarter {quarter}: {frauds} alerts about fraud, {} in all", within.len());
        assert!(within.len() <= 200, "quarter {quarter}: {} alerts", within.len());
    }
    let victims: BTreeSet<&UserId> = live.iter().filter(|seen| seen.fraud.is_some()).map(|seen| &seen.user).collect();
    assert!(victims.len() > 200, "{} victims", victims.len());
}

#[test]
fn impossible_trips_of_the_demo_are_fast_and_still_believable() {
    for seed in 1..=4 {
        // The crowd never travels; a low rate of it makes the test faster.
        let (start, seen) = fired(seed, 0.001, 8 * 60);
        let speeds: Vec<f64> = seen.iter().filter_map(|seen| seen.speed_kmh).collect();
        assert!(speeds.iter().all(|kmh| (1_000.0..=5_000.0).contains(kmh)), "seed {seed}: {speeds:?}");
        let soon =
            seen.iter().filter(|seen| seen.speed_kmh.is_some() && seen.at <= start + 10_000_000 && seen.at > start);
        assert!(soon.count() > 0, "seed {seed}: no impossible trip right after the start");
        assert!(speeds.len() > 20, "seed {seed}: {}", speeds.len());
    }
}
