//! The tables of rows and weaknesses, checked row by row.

use proptest::prelude::*;

use super::*;

fn signal(name: &str) -> MeasuredSignal {
    MeasuredSignal { name: name.into(), value: 7.2, threshold: 3.5, unit: "z".into(), baseline_transactions: None }
}

/// A transaction on record with this many signals and rules, and a long and fresh baseline.
fn evidence(signals: usize, rules: usize) -> Evidence {
    Evidence {
        signals: (0..signals).map(|at| signal(&format!("signal {at}"))).collect(),
        rules: (0..rules).map(|at| format!("rule {at}")).collect(),
        transaction_on_record: true,
        baseline: Some(BaselineSize { transactions: 40, days_since_last: Some(2) }),
        ..Evidence::default()
    }
}

#[track_caller]
fn check(evidence: Evidence, row: EvidenceRow, strength: Strength, kinds: &[WeaknessKind]) {
    let weighed = WeighedEvidence::of(evidence);
    let found: Vec<_> = weighed.weaknesses.iter().map(|weakness| weakness.kind).collect();
    assert_eq!((weighed.row, weighed.strength, &found[..]), (row, strength, kinds), "{weighed:#?}");
}

#[test]
fn the_first_row_that_applies_gives_the_strength() {
    use EvidenceRow as R;
    use Strength as S;
    use WeaknessKind::Uncorroborated;
    let without = |evidence| Evidence { transaction_on_record: false, baseline: None, ..evidence };
    check(Evidence::default(), R::NothingMeasured, S::None, &[]);
    check(evidence(0, 0), R::NothingMeasured, S::None, &[]);
    check(without(evidence(0, 3)), R::NothingMeasured, S::None, &[]);
    check(without(evidence(1, 0)), R::NoTransaction, S::Weak, &[]);
    check(without(evidence(3, 3)), R::NoTransaction, S::Weak, &[]);
    check(evidence(0, 1), R::OneRule, S::Weak, &[Uncorroborated]);
    check(evidence(0, 2), R::OneSource, S::Adequate, &[Uncorroborated]);
    check(evidence(1, 0), R::OneSource, S::Adequate, &[Uncorroborated]);
    check(evidence(1, 1), R::Corroborated, S::Strong, &[]);
    check(evidence(2, 0), R::Corroborated, S::Strong, &[]);
}

#[test]
fn a_thin_or_stale_baseline_lowers_the_strength_by_a_step() {
    use EvidenceRow::Corroborated;
    use WeaknessKind::{StaleBaseline, ThinBaseline};
    let with = |transactions, days: Option<u64>| Evidence {
        baseline: Some(BaselineSize { transactions, days_since_last: days }),
        ..evidence(2, 1)
    };
    check(with(10, Some(90)), Corroborated, Strength::Strong, &[]);
    check(with(9, Some(90)), Corroborated, Strength::Adequate, &[ThinBaseline]);
    check(with(0, None), Corroborated, Strength::Adequate, &[ThinBaseline]);
    check(with(10, Some(91)), Corroborated, Strength::Adequate, &[StaleBaseline]);
    check(with(9, Some(91)), Corroborated, Strength::Weak, &[ThinBaseline, StaleBaseline]);
}

#[test]
fn currencies_and_contradictions_lower_it_and_other_weaknesses_are_only_named() {
    use EvidenceRow::Corroborated;
    use WeaknessKind as K;
    let abroad = Evidence { transactions_in_other_currencies: 3, ..evidence(2, 0) };
    check(abroad, Corroborated, Strength::Adequate, &[K::SeveralCurrencies]);
    let contradiction = ContradictorySignal { signal: "odd".into(), contradiction: Contradiction::BelowThreshold };
    let one = Evidence { contradictions: vec![contradiction.clone()], ..evidence(2, 0) };
    check(one.clone(), Corroborated, Strength::Adequate, &[K::ContradictorySignal]);
    // Each contradiction is an issue; together they are one step.
    let two = Evidence { contradictions: vec![contradiction; 2], ..one };
    check(two, Corroborated, Strength::Adequate, &[K::ContradictorySignal, K::ContradictorySignal]);
    let named = Evidence { unmeasured: vec!["a".into()], insufficient_history: vec!["b".into()], ..evidence(2, 0) };
    check(named, Corroborated, Strength::Strong, &[K::UnmeasuredSignal, K::InsufficientHistory]);
}

#[test]
fn a_margin_is_narrow_if_no_signal_is_a_quarter_beyond_its_threshold() {
    let with = |values: &[(f64, f64)]| {
        let of =
            |(value, threshold): &(f64, f64)| MeasuredSignal { value: *value, threshold: *threshold, ..signal("s") };
        Evidence { signals: values.iter().map(of).collect(), ..evidence(0, 1) }
    };
    let narrow = &[WeaknessKind::NarrowMargin][..];
    let rows = [
        (&[(4.9, 4.0)][..], narrow),
        (&[(5.0, 4.0)], &[]),
        (&[(4.0, 4.0), (1.0, 1.0)], narrow),
        (&[(4.0, 4.0), (9.0, 1.0)], &[]),
        (&[(0.0, 0.0)], &[]),
        (&[(-1.0, -2.0)], &[]),
    ];
    for (values, kinds) in rows {
        check(with(values), EvidenceRow::Corroborated, Strength::Strong, kinds);
    }
}

#[test]
fn weaknesses_never_lower_the_strength_to_none() {
    let weakest = Evidence {
        baseline: Some(BaselineSize { transactions: 1, days_since_last: Some(400) }),
        transactions_in_other_currencies: 1,
        ..evidence(1, 0)
    };
    assert_eq!(WeighedEvidence::of(weakest).strength, Strength::Weak);
}

#[test]
fn a_reason_names_a_few_signals_and_counts_the_rest() {
    let names: Vec<String> = ('a'..='f').map(String::from).collect();
    assert_eq!(listed(&names), "a, b, c, d and 2 more");
    assert_eq!(listed(&names[..4]), "a, b, c, d");
}

#[test]
fn names_match_their_stored_form() {
    for kind in WeaknessKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
    }
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    let days = prop::option::of(0..200_u64);
    let baseline = prop::option::of((0..30_u64, days));
    ((0..4_usize, 0..4_usize, any::<bool>()), baseline, 0..3_u64, 0..3_usize).prop_map(
        |((signals, rules, on_record), baseline, others, contradictions)| Evidence {
            transaction_on_record: on_record,
            baseline: baseline.map(|(transactions, days_since_last)| BaselineSize { transactions, days_since_last }),
            transactions_in_other_currencies: others,
            contradictions: vec![
                ContradictorySignal {
                    signal: "s".into(),
                    contradiction: Contradiction::BelowThreshold
                };
                contradictions
            ],
            ..evidence(signals, rules)
        },
    )
}

proptest! {
    #[test]
    fn strength_is_none_exactly_if_nothing_was_measured(evidence in any_evidence()) {
        let is_measured = !evidence.signals.is_empty() || (evidence.transaction_on_record && !evidence.rules.is_empty());
        prop_assert_eq!(WeighedEvidence::of(evidence).strength != Strength::None, is_measured);
    }

    #[test]
    fn one_more_measured_signal_never_lowers_the_strength(evidence in any_evidence()) {
        let mut more = evidence.clone();
        more.signals.push(signal("one more"));
        prop_assert!(WeighedEvidence::of(more).strength >= WeighedEvidence::of(evidence).strength);
    }

    #[test]
    fn no_weakness_raises_the_strength(evidence in any_evidence()) {
        let weighed = WeighedEvidence::of(evidence);
        prop_assert!(weighed.strength <= weighed.base);
        let lowers = weighed.weaknesses.iter().any(|weakness| weakness.steps > 0);
        prop_assert!(!lowers || weighed.strength < weighed.base || weighed.base <= Strength::Weak);
    }
}
