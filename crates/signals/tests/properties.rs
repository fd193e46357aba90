//! Properties that hold for every customer and every transaction.
#![allow(clippy::unwrap_used, reason = "a test that can't run should fail loudly")]

use countersign_domain::{
    Severity, Time, Transaction,
    transaction::{Channel, Location},
};
use countersign_signals::{Assessment, Detector, History};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Amounts from the smallest that any currency has to the largest.
fn amounts() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0_u64..1_000_000_000_000_000, 1_u32..10_000)
            .prop_map(|(whole, decimals)| (format!("{whole}.{decimals:04}"), "CLF")),
        Just(("0.0001".to_owned(), "CLF")),
        (1_u64..5_000).prop_map(|whole| (whole.to_string(), "USD")),
        (1_u64..5_000).prop_map(|whole| (whole.to_string(), "JPY")),
        Just(("999999999999999".to_owned(), "USD")),
    ]
    .prop_map(|(amount, currency)| json!({"amount": amount, "currency": currency}))
}

fn places() -> impl Strategy<Value = Option<Location>> {
    let lat = prop_oneof![Just(90.0), Just(-90.0), Just(0.0), -90.0..=90.0, Just(f64::NAN)];
    let lon = prop_oneof![Just(180.0), Just(-180.0), Just(0.0), -180.0..=180.0, Just(f64::INFINITY)];
    let country = prop::sample::select(vec!["PT", "SG", "ZZ", "AA", "nowhere"]);
    prop::option::of((lat, lon, country).prop_map(|(lat, lon, country)| Location {
        lat,
        lon,
        country: country.into(),
        city: None,
    }))
}

fn transactions() -> impl Strategy<Value = Transaction> {
    let minutes = prop_oneof![Just(0_i64), -60..60_i64, -20_000..20_000_i64, -500_000..500_000_i64];
    let channel =
        prop::option::of(prop::sample::select(vec![Channel::CardPresent, Channel::CardNotPresent, Channel::Atm]));
    let device = prop::option::of(prop::sample::select(vec!["a", "b", "c", "\u{202e}🦓"]));
    let metadata = prop::sample::select(vec![
        json!({}),
        json!({"direction": "in"}),
        json!({"direction": "out"}),
        json!({"type": "credit", "x": [1, {}]}),
    ]);
    (amounts(), minutes, places(), channel, device, metadata).prop_map(
        |(amount, minutes, location, channel, device, metadata)| Transaction {
            transaction_id: "tx".parse().unwrap(),
            user_id: "a-customers-name".parse().unwrap(),
            amount: serde_json::from_value(amount).unwrap(),
            occurred_at: Time::from_micros(1_772_366_400_000_000 + minutes * 60_000_000).unwrap(),
            merchant: None,
            category: None,
            channel,
            location,
            ip_address: Some("192.0.2.77".into()),
            device_fingerprint: device.map(|device| format!("fingerprint-{device}")),
            account_opened_at: None,
            metadata: metadata.as_object().unwrap().clone(),
        },
    )
}

fn history(all: &[Transaction], order: impl Iterator<Item = usize>) -> History {
    let mut history = History::new();
    order.for_each(|index| history.add(index as u64, &all[index]));
    history
}

fn text(assessment: &Assessment) -> String {
    serde_json::to_string(&assessment.signals_json()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn contributions_add_up_to_the_score(all in prop::collection::vec(transactions(), 1..90)) {
        let detector = Detector::built_in();
        let mut history = History::new();
        for (seq, tx) in all.iter().enumerate() {
            let found = detector.assess(seq as u64, tx, &history);
            let sum: u32 = found.signals().iter().map(|(_, signal)| u32::from(signal.contribution)).sum();
            prop_assert_eq!(sum, found.sum);
            prop_assert_eq!(u32::from(found.score.get()), sum.min(100));
            prop_assert_eq!(found.is_capped(), sum > 100);
            prop_assert_eq!(found.severity, Severity::of(found.score));
            prop_assert_eq!(found.failed_rules().len(), 0);
            history.add(seq as u64, tx);
        }
    }

    #[test]
    fn every_figure_is_finite_and_every_sentence_is_complete(all in prop::collection::vec(transactions(), 1..40)) {
        let (last, earlier) = all.split_last().unwrap();
        let found = Detector::built_in().assess(99, last, &history(earlier, 0..earlier.len()));
        for (name, signal) in found.signals() {
            let finite = |value: Option<f64>| value.is_none_or(f64::is_finite);
            prop_assert!(finite(signal.value) && finite(signal.threshold), "{name:?} {signal:?}");
            prop_assert!(signal.explanation.ends_with('.') && signal.explanation.len() < 600);
            // JSON writes a number that is not finite as null.
            let json = serde_json::to_string(&signal).unwrap();
            prop_assert!(!json.contains("null") && !json.contains("NaN"), "{json}");
            for private in ["a-customers-name", "192.0.2.77", "fingerprint"] {
                prop_assert!(!json.contains(private), "{json}");
            }
        }
    }

    #[test]
    fn adding_twice_and_in_any_order_changes_nothing(
        all in prop::collection::vec(transactions(), 1..64), shift in 0_usize..64
    ) {
        let once = history(&all, 0..all.len());
        let again = history(&all, (0..all.len()).chain(0..all.len()));
        let rotated = history(&all, (0..all.len()).map(|n| (n + shift) % all.len()).rev());
        let detector = Detector::built_in();
        let found = |history: &History| text(&detector.assess(1_000, &all[0], history));
        prop_assert_eq!(found(&once), found(&again));
        prop_assert_eq!(found(&once), found(&rotated));
    }

    #[test]
    fn later_transactions_do_not_change_the_assessment_of_an_earlier_one(all in prop::collection::vec(transactions(), 1..64)) {
        let detector = Detector::built_in();
        for (seq, tx) in all.iter().enumerate() {
            let before = detector.assess(seq as u64, tx, &history(&all, 0..seq));
            let after = detector.assess(seq as u64, tx, &history(&all, (0..all.len()).rev()));
            prop_assert_eq!(text(&before), text(&after));
        }
    }
}
