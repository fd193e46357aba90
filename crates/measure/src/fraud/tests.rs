//! Measures against calculations by hand and by brute force.

use countersign_domain::{Time, UserId};
use proptest::prelude::*;

use super::*;

fn score(score: u8) -> Score {
    Score::new(score).unwrap()
}

fn tally(pairs: &[(u8, bool)]) -> FraudTally {
    let mut tally = FraudTally::default();
    pairs.iter().for_each(|(value, fraud)| tally.add(score(*value), *fraud, None));
    tally
}

fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

/// Scores with whether they are fraud, highest first. The measures that the tests expect were calculated by hand.
const SIX: [(u8, bool); 6] = [(90, true), (80, false), (80, true), (50, false), (30, true), (0, false)];

#[test]
fn precision_recall_and_f1_match_a_calculation_by_hand() {
    let measures = tally(&SIX).measures();
    assert_eq!((measures.transactions, measures.frauds), (6, 3));
    let [medium, high, critical] = measures.at.as_slice() else { panic!("expected three thresholds") };
    assert_eq!((medium.score, medium.alerts, medium.caught), (40, 4, 2));
    near(medium.precision, 0.5);
    near(medium.recall, 2.0 / 3.0);
    near(medium.f1, 4.0 / 7.0);
    near(medium.alerts_per_1000, 4000.0 / 6.0);
    assert_eq!((high.alerts, critical.alerts, critical.caught), (3, 3, 2));
}

#[test]
fn equal_scores_are_one_step() {
    let measures = tally(&SIX).measures();
    // Steps of recall 1/3 at precision 1, 1/3 at 2/3 (two tied at 80), 1/3 at 3/5.
    near(measures.average_precision, (1.0 + 2.0 / 3.0 + 3.0 / 5.0) / 3.0);
    // Pairs won: 90 beats 3; 80 beats 2 and ties 1; 30 beats 1.
    near(measures.roc_auc, (3.0 + 2.5 + 1.0) / 9.0);
    near(tally(&[(50, true), (50, false), (50, false), (50, false)]).measures().average_precision, 0.25);
    near(tally(&[(50, true), (50, false)]).measures().roc_auc, 0.5);
}

#[test]
fn a_measure_whose_divisor_is_zero_is_none() {
    let nothing = FraudTally::default().measures();
    assert_eq!((nothing.average_precision, nothing.roc_auc), (None, None));
    assert_eq!(nothing.at[0].precision.or(nothing.at[0].recall).or(nothing.at[0].f1), None);
    let no_fraud = tally(&[(90, false)]).measures();
    assert_eq!((no_fraud.at[0].precision, no_fraud.at[0].recall, no_fraud.roc_auc), (Some(0.0), None, None));
    let no_alert = tally(&[(10, true)]).measures();
    assert_eq!((no_alert.at[0].precision, no_alert.at[0].recall, no_alert.at[0].f1), (None, Some(0.0), Some(0.0)));
}

#[test]
fn recall_is_reported_for_each_known_kind() {
    let mut tally = FraudTally::default();
    tally.add(score(85), true, Some("structuring"));
    tally.add(score(45), true, Some("structuring"));
    tally.add(score(10), true, None);
    tally.add(score(99), false, Some("structuring"));
    let kinds = tally.measures().kinds;
    assert_eq!(kinds.len(), 1);
    assert_eq!(kinds["structuring"], KindRecall { frauds: 2, recall: vec![Some(1.0), Some(0.5), Some(0.5)] });
}

#[test]
fn the_number_of_kinds_is_bounded() {
    let mut tally = FraudTally::default();
    (0..1000).for_each(|n| tally.add(score(50), true, Some(&n.to_string())));
    let kinds = tally.measures().kinds;
    assert_eq!(kinds.len(), KINDS_MAX + 1);
    assert_eq!(kinds[OTHER_KINDS].frauds, 1000 - KINDS_MAX as u64);
}

/// Rows are (user, day, score, fraud).
fn cards(k: usize, rows: &[(&str, i64, u8, bool)]) -> CardPrecision {
    let mut cards = CardPrecision::new(k);
    for (user, day, value, fraud) in rows {
        let at = Time::from_micros(day * 86_400_000_000 + 1).unwrap();
        cards.add(&user.parse().unwrap(), at, score(*value), *fraud);
    }
    cards
}

fn check_cards(k: usize, rows: &[(&str, i64, u8, bool)], found_by_day: &[usize]) {
    let days = cards(k, rows).days();
    assert_eq!(days.iter().map(|day| day.found).collect::<Vec<_>>(), found_by_day);
}

#[test]
fn users_are_ranked_by_their_highest_score_of_the_day() {
    check_cards(1, &[("a", 0, 10, true), ("a", 0, 90, false), ("b", 0, 80, false)], &[1]);
    check_cards(1, &[("a", 0, 10, true), ("b", 0, 80, false)], &[0]);
    check_cards(2, &[("a", 0, 10, true), ("b", 0, 80, false)], &[1]);
}

#[test]
fn users_once_found_leave_the_pool() {
    let rows = [("a", 0, 90, true), ("a", 1, 90, false), ("b", 1, 50, true), ("b", -1, 50, false)];
    check_cards(1, &rows, &[0, 1, 1]);
}

#[test]
fn a_day_with_few_users_is_still_divided_by_k() {
    near(cards(4, &[("a", 0, 90, true), ("b", 1, 90, false)]).mean(), 0.125);
    assert_eq!(CardPrecision::new(3).mean(), None);
}

/// Average precision by its definition: one threshold after another.
fn average_precision_by_force(pairs: &[(u8, bool)]) -> f64 {
    let frauds = pairs.iter().filter(|(_, fraud)| *fraud).count() as f64;
    let (mut sum, mut recall_before) = (0.0, 0.0);
    for threshold in (0..=100).rev() {
        let alerts: Vec<_> = pairs.iter().filter(|(score, _)| *score >= threshold).collect();
        let caught = alerts.iter().filter(|(_, fraud)| *fraud).count() as f64;
        if !alerts.is_empty() {
            sum += (caught / frauds - recall_before) * (caught / alerts.len() as f64);
            recall_before = caught / frauds;
        }
    }
    sum
}

fn roc_auc_by_force(pairs: &[(u8, bool)]) -> f64 {
    let (mut won, mut all) = (0.0, 0.0);
    for (fraud, _) in pairs.iter().filter(|(_, fraud)| *fraud) {
        for (legitimate, _) in pairs.iter().filter(|(_, fraud)| !*fraud) {
            all += 1.0;
            won += match fraud.cmp(legitimate) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    won / all
}

type CardRow = (u8, i64, u8, bool);

fn found_by_force(k: usize, rows: &[CardRow]) -> Vec<usize> {
    let mut days: Vec<i64> = rows.iter().map(|row| row.1).collect();
    days.sort_unstable();
    days.dedup();
    let mut gone = Vec::new();
    let of_day = |day: i64, gone: &[u8]| {
        let mut users: Vec<u8> = rows.iter().filter(|row| row.1 == day).map(|row| row.0).collect();
        users.sort_unstable();
        users.dedup();
        users.retain(|user| !gone.contains(user));
        let best = |user: u8| rows.iter().filter(|row| (row.0, row.1) == (user, day)).map(|row| row.2).max();
        // Stable: equal scores stay in the order of ids.
        users.sort_by_key(|user| std::cmp::Reverse(best(*user)));
        users.truncate(k);
        users.retain(|user| rows.iter().any(|row| (row.0, row.1) == (*user, day) && row.3));
        users
    };
    let mut found = Vec::new();
    for day in days {
        let users = of_day(day, &gone);
        found.push(users.len());
        gone.extend(users);
    }
    found
}

proptest! {
    #[test]
    fn areas_match_brute_force(mut pairs in prop::collection::vec((0_u8..=100, any::<bool>()), 0..60)) {
        pairs.extend([(40, true), (40, false)]);
        let measures = tally(&pairs).measures();
        near(measures.average_precision, average_precision_by_force(&pairs));
        near(measures.roc_auc, roc_auc_by_force(&pairs));
    }

    #[test]
    fn the_order_of_rows_changes_nothing(
        (pairs, shuffled) in prop::collection::vec((0_u8..=100, any::<bool>()), 0..40)
            .prop_flat_map(|pairs| (Just(pairs.clone()), Just(pairs).prop_shuffle()))
    ) {
        prop_assert_eq!(tally(&pairs).measures(), tally(&shuffled).measures());
    }

    #[test]
    fn card_precision_matches_brute_force(
        k in 1_usize..5,
        rows in prop::collection::vec((0_u8..9, 0_i64..5, 0_u8..=100, any::<bool>()), 0..60),
    ) {
        let mut cards = CardPrecision::new(k);
        for (user, day, value, fraud) in &rows {
            let user: UserId = user.to_string().parse().unwrap();
            cards.add(&user, Time::from_micros(day * 86_400_000_000).unwrap(), score(*value), *fraud);
        }
        let found: Vec<usize> = cards.days().iter().map(|day| day.found).collect();
        prop_assert_eq!(found, found_by_force(k, &rows));
    }
}
