//! Properties of the generated stream.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use countersign_domain::transaction::Channel;
use proptest::prelude::*;

use super::*;

fn start() -> Time {
    "2026-03-01T09:30:00Z".parse().unwrap()
}

fn after(time: Time, seconds: i64) -> Time {
    Time::from_micros(time.micros() + seconds * SECOND).unwrap()
}

fn written(seed: u64, count: usize) -> String {
    serde_json::to_string(&Generator::new(seed, start(), 20).take(count).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert_eq!(written(7, 3000), written(7, 3000));
    assert_ne!(written(7, 10), written(8, 10));
}

#[test]
fn another_start_gives_other_ids() {
    let id = |start| Generator::new(7, start, 1).next().unwrap().transaction.transaction_id;
    assert_ne!(id(start()), id(after(start(), 1)));
}

#[test]
fn every_transaction_is_valid_for_the_api_and_has_a_unique_id() {
    let mut ids = BTreeSet::new();
    for LabelledTransaction { transaction, .. } in Generator::new(1, start(), 50).take(5000) {
        let text = serde_json::to_string(&transaction).unwrap();
        let read: Transaction = serde_json::from_str(&text).unwrap();
        assert_eq!(read.validated().unwrap(), transaction);
        assert_eq!(transaction.amount.amount().scale(), transaction.amount.currency().exponent());
        assert!(transaction.account_opened_at.unwrap() < transaction.occurred_at);
        assert!(ids.insert(transaction.transaction_id));
    }
}

#[test]
fn network_addresses_are_from_ranges_for_documentation() {
    let ranges = ["192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"];
    let addresses = Generator::new(2, start(), 50).take(5000).filter_map(|labelled| labelled.transaction.ip_address);
    for address in addresses {
        assert!(ranges.iter().any(|range| address.starts_with(range)), "{address}");
        assert!(address.parse::<std::net::IpAddr>().is_ok(), "{address}");
    }
}

#[test]
fn transactions_come_as_they_arrive_and_few_arrive_late() {
    let all: Vec<LabelledTransaction> = Generator::new(3, start(), 60).take(30_000).collect();
    assert!(all.is_sorted_by_key(|labelled| labelled.arrives_at));
    let delays: Vec<i64> = all.iter().map(|l| l.arrives_at.micros() - l.transaction.occurred_at.micros()).collect();
    let late = delays.iter().filter(|delay| **delay != 0).count();
    assert!((20..150).contains(&late), "{late}");
    assert!(delays.iter().all(|delay| (0..=seconds(LATE_S_MAX)).contains(delay)));
}

#[test]
fn less_than_one_in_a_hundred_is_fraud_and_every_kind_occurs() {
    for seed in 0..4 {
        let mut kinds: BTreeMap<FraudKind, usize> = BTreeMap::new();
        let count = 40_000;
        for labelled in Generator::new(seed, start(), 200).take(count) {
            if let Some(kind) = labelled.fraud {
                *kinds.entry(kind).or_default() += 1;
            }
        }
        let share = kinds.values().sum::<usize>() as f64 / count as f64;
        assert!((0.004..0.0105).contains(&share), "seed {seed}: {share}");
        assert_eq!(kinds.len(), FraudKind::ALL.len(), "seed {seed}: {kinds:?}");
    }
}

/// The great-circle distance between the places of two transactions.
fn km(a: &Transaction, b: &Transaction) -> Option<f64> {
    let (a, b) = (a.location.as_ref()?, b.location.as_ref()?);
    let (lat_a, lat_b) = (a.lat.to_radians(), b.lat.to_radians());
    let cosine = lat_a.sin() * lat_b.sin() + lat_a.cos() * lat_b.cos() * (a.lon - b.lon).to_radians().cos();
    Some(6371.0 * cosine.clamp(-1.0, 1.0).acos())
}

#[test]
fn honest_customers_travel_no_faster_than_airliners() {
    let mut all: Vec<LabelledTransaction> = Generator::new(4, start(), 80).take(40_000).collect();
    all.retain(|labelled| labelled.fraud.is_none());
    all.sort_by_key(|labelled| labelled.transaction.occurred_at);
    let mut last: HashMap<String, Transaction> = HashMap::new();
    let mut trips = 0;
    for LabelledTransaction { transaction, .. } in all {
        let before = last.insert(transaction.user_id.to_string(), transaction.clone());
        let Some((before, km)) = before.and_then(|before| km(&before, &transaction).map(|km| (before, km))) else {
            continue;
        };
        if km > 100.0 {
            trips += 1;
            let hours = (transaction.occurred_at.micros() - before.occurred_at.micros()) as f64 / 3.6e9;
            assert!(km / hours < 800.0, "{km} km in {hours} h: {before:?} {transaction:?}");
        }
    }
    assert!(trips > 300, "{trips}");
}

#[test]
fn impossible_travel_is_faster_than_any_airliner() {
    let all: Vec<LabelledTransaction> = Generator::new(5, start(), 80).take(30_000).collect();
    let of_kind = |labelled: &&LabelledTransaction| labelled.fraud == Some(FraudKind::ImpossibleTravel);
    let mut episodes = 0;
    for fraud in all.iter().filter(of_kind) {
        let earlier = all.iter().filter(|other| other.fraud.is_none() && other.arrives_at < fraud.arrives_at);
        let by_owner = earlier.filter(|other| other.transaction.user_id == fraud.transaction.user_id);
        let fastest = by_owner.filter_map(|other| {
            let hours =
                (fraud.transaction.occurred_at.micros() - other.transaction.occurred_at.micros()) as f64 / 3.6e9;
            Some(km(&fraud.transaction, &other.transaction)? / hours)
        });
        if fastest.fold(0.0, f64::max) > 1000.0 {
            episodes += 1;
        }
    }
    assert!(episodes > 5, "{episodes}");
}

#[test]
fn transfers_of_structuring_stay_just_below_a_round_sum() {
    let structuring = |labelled: &LabelledTransaction| labelled.fraud == Some(FraudKind::Structuring);
    let frauds: Vec<LabelledTransaction> = Generator::new(6, start(), 60).take(30_000).filter(structuring).collect();
    assert!(!frauds.is_empty());
    for LabelledTransaction { transaction, .. } in frauds {
        let amount = transaction.amount.amount().to_string().parse::<f64>().unwrap();
        let share = amount / 10_f64.powf(amount.log10().ceil());
        assert!((0.85..1.0).contains(&share), "{amount}");
        assert_eq!(transaction.channel, Some(Channel::Transfer));
    }
}

#[test]
fn a_history_of_several_thousand_ends_now_and_the_stream_continues() {
    let now = start();
    let (mut generator, past) = Generator::with_history(9, now, 60, 60);
    assert!((2500..8000).contains(&past.len()), "{}", past.len());
    assert!(past.iter().all(|labelled| labelled.arrives_at <= now));
    assert_eq!(generator.next_live(now), None);
    let next_at = generator.next_at().unwrap();
    assert!(next_at > now);
    let later: Vec<LabelledTransaction> = std::iter::from_fn(|| generator.next_live(after(now, 86_400))).collect();
    assert!((20..200).contains(&later.len()), "{}", later.len());
    assert!(later[0].arrives_at >= next_at);
}

#[test]
fn a_backfill_is_bounded() {
    assert_eq!(Generator::new(9, start(), 500).backfill(10_000).len(), BACKFILL_MAX);
}

#[test]
fn staged_episodes_show_every_kind_within_seconds() {
    for seed in 0..20 {
        let now = start();
        let (mut generator, _) = Generator::with_history(seed, now, 60, 20);
        generator.stage_episodes(now);
        let soon = std::iter::from_fn(|| generator.next_live(after(now, STAGED_WITHIN_S)));
        let kinds: BTreeSet<FraudKind> = soon.filter_map(|labelled| labelled.fraud).collect();
        assert_eq!(kinds, BTreeSet::from(FraudKind::ALL), "seed {seed}");
    }
}

#[test]
fn a_crowd_meets_the_rate_and_its_members_keep_their_opening_date() {
    let now = start();
    let mut generator = Generator::new(11, now, 1);
    generator.add_crowd(now, 5.0);
    let all: Vec<LabelledTransaction> = std::iter::from_fn(|| generator.next_live(after(now, 2000))).collect();
    assert!((9000..11_000).contains(&all.len()), "{}", all.len());
    let mut opened: HashMap<String, Time> = HashMap::new();
    for LabelledTransaction { transaction, fraud, .. } in all {
        let at = transaction.account_opened_at.unwrap();
        assert_eq!(*opened.entry(transaction.user_id.to_string()).or_insert(at), at);
        assert_eq!(fraud, None);
    }
    assert!(opened.len() > 8000, "{}", opened.len());
}

#[test]
fn some_memos_are_hostile() {
    let memos: Vec<String> = Generator::new(12, start(), 60)
        .take(5000)
        .filter_map(|labelled| labelled.transaction.metadata.get("memo").map(ToString::to_string))
        .collect();
    assert!(memos.iter().any(|memo| memo.contains("ignore all instructions")));
    assert!(memos.iter().any(|memo| memo.contains("thanks!")));
}

#[test]
fn no_question_repeats_before_all_were_asked() {
    let asked: Vec<&str> = queries(1).take(130).collect();
    assert_eq!(asked[..65].iter().collect::<BTreeSet<_>>().len(), 65);
    assert_eq!(asked[65..].iter().collect::<BTreeSet<_>>().len(), 65);
    assert_eq!(asked, queries(1).take(130).collect::<Vec<_>>());
    assert_ne!(asked, queries(2).take(130).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_seed_start_and_number_of_customers_works(
        seed: u64, micros in -60_000_000_000_000_000_i64..200_000_000_000_000_000, customers in 0_usize..5, per_s: f64,
    ) {
        let start = Time::from_micros(micros).unwrap();
        let mut generator = Generator::new(seed, start, customers);
        generator.stage_episodes(start);
        generator.add_crowd(start, per_s);
        prop_assert_eq!(generator.take(200).count(), 200);
    }
}
