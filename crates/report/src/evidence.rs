//! Counts the evidence in a context, and provides the sentence that a report without evidence must start with.
//!
//! Only measurements count. A signal needs a value, a threshold and a unit, and its value must reach the threshold. A signal that is
//! given as a reason although its own figures contradict it is recorded as a contradiction and supports nothing.

use countersign_domain::{
    SignalName,
    evidence::{BaselineSize, Contradiction, ContradictorySignal, Evidence, MeasuredSignal, WeighedEvidence},
    validation::Strength,
};

use crate::{AlertSource, Context, SignalFacts, SignalOutcome, redact::clean};

/// How far below the threshold a rounded value may be and still count as reaching it, as a share of the threshold.
const ROUNDING: f64 = 0.005;
/// The maximum number of rules that are recorded. More would not change the weight.
const RULES_MAX: usize = 32;
/// The maximum number of signals that are counted. The context builder keeps fewer.
const SIGNALS_MAX: usize = 32;
const NAME_CHARS_MAX: usize = 64;
const MICROS_A_DAY: i64 = 86_400_000_000;

impl Context {
    /// The evidence as the supervisor weighs it.
    pub fn evidence(&self) -> WeighedEvidence {
        WeighedEvidence::of(count_evidence(self))
    }
}

/// The first sentence of an executive summary about an alert without evidence. `None` if there is evidence.
pub(crate) fn notice(context: &Context) -> Option<&'static str> {
    if context.evidence().strength != Strength::None {
        return None;
    }
    Some(if context.transaction.is_some() {
        "The alert came without any measured evidence: its transaction was on record, and no measured signal supported it."
    } else {
        "The alert came without any measured evidence: no measured signal and no transaction on record supported it."
    })
}

fn count_evidence(context: &Context) -> Evidence {
    let mut evidence = Evidence {
        transaction_on_record: context.transaction.is_some(),
        baseline: baseline(context),
        transactions_in_other_currencies: context.subject.transactions_in_other_currencies,
        ..Evidence::default()
    };
    for signal in context.signals.iter().take(SIGNALS_MAX) {
        let contradictions = contradictions(signal, context);
        let is_contradicted = !contradictions.is_empty();
        evidence.contradictions.extend(contradictions);
        match signal.outcome {
            SignalOutcome::InsufficientHistory => evidence.insufficient_history.push(name(&signal.name)),
            SignalOutcome::Fired | SignalOutcome::Reported if !is_contradicted => count_signal(signal, &mut evidence),
            _ => {}
        }
    }
    if context.score.sum.min(100) > u32::from(context.score.total.get()) {
        let signal = "score".to_owned();
        evidence.contradictions.push(ContradictorySignal { signal, contradiction: Contradiction::PointsExceedScore });
    }
    evidence
}

/// Adds a signal that is given as a reason for the alert.
fn count_signal(signal: &SignalFacts, evidence: &mut Evidence) {
    if signal.known() == Some(SignalName::RuleFlags) {
        let named = signal.flags.iter().map(|flag| name(&flag.name)).take(RULES_MAX);
        // Rules read the fields of a transaction. Without one on record, nobody can tell what they saw.
        if evidence.transaction_on_record && !signal.flags.is_empty() {
            evidence.rules.extend(named);
        } else {
            evidence.unmeasured.push(name(&signal.name));
        }
        return;
    }
    match measured(signal) {
        Some(measured) => evidence.signals.push(measured),
        None => evidence.unmeasured.push(name(&signal.name)),
    }
}

fn measured(signal: &SignalFacts) -> Option<MeasuredSignal> {
    Some(MeasuredSignal {
        name: name(&signal.name),
        value: signal.value.filter(|value| value.is_finite())?,
        threshold: signal.threshold.filter(|threshold| threshold.is_finite())?,
        unit: signal.unit.as_deref().map(name).filter(|unit| !unit.trim().is_empty())?,
        baseline_transactions: ["transactions", "located_transactions"]
            .iter()
            .find_map(|key| signal.baseline.get(*key)?.as_u64()),
    })
}

fn contradictions(signal: &SignalFacts, context: &Context) -> Vec<ContradictorySignal> {
    let is_raised = matches!(signal.outcome, SignalOutcome::Fired | SignalOutcome::Reported);
    let reaches = signal.value.zip(signal.threshold).map(|(value, threshold)| reaches(value, threshold));
    let is_clear_beyond = signal.outcome == SignalOutcome::Clear
        && context.case.source == AlertSource::External
        && signal.value >= signal.threshold
        && reaches.is_some();
    let is_known = |name: SignalName| is_raised && signal.known() == Some(name);
    let found = [
        (is_raised && reaches == Some(false), Contradiction::BelowThreshold),
        (is_clear_beyond, Contradiction::ClearBeyondThreshold),
        (is_known(SignalName::AmountDeviation) && is_not_above_median(context), Contradiction::AmountNotAboveMedian),
        (
            is_known(SignalName::GeographicInconsistency) && lacks_location(context),
            Contradiction::TravelWithoutLocation,
        ),
    ];
    let of_signal = |contradiction| ContradictorySignal { signal: name(&signal.name), contradiction };
    found.into_iter().filter(|(is_found, _)| *is_found).map(|(_, contradiction)| of_signal(contradiction)).collect()
}

/// Cleans and bounds a name, because it reaches the verdict's sentences. This context was read from a stored report, which may have
/// been tampered with.
fn name(text: &str) -> String {
    clean(text).chars().take(NAME_CHARS_MAX).collect()
}

fn reaches(value: f64, threshold: f64) -> bool {
    value >= threshold - threshold.abs() * ROUNDING
}

fn is_not_above_median(context: &Context) -> bool {
    context.transaction.as_ref().zip(context.baseline.as_ref()).is_some_and(|(transaction, baseline)| {
        let (amount, median) = (transaction.amount, baseline.median_amount);
        amount.currency() == median.currency() && amount.amount() <= median.amount()
    })
}

fn lacks_location(context: &Context) -> bool {
    context.transaction.as_ref().is_some_and(|transaction| transaction.location.is_none())
}

fn baseline(context: &Context) -> Option<BaselineSize> {
    let transaction = context.transaction.as_ref()?;
    let Some(baseline) = &context.baseline else {
        return Some(BaselineSize { transactions: 0, days_since_last: None });
    };
    let micros = transaction.occurred_at.micros().saturating_sub(baseline.last_at.micros()).max(0);
    let days_since_last = u64::try_from(micros / MICROS_A_DAY).ok();
    Some(BaselineSize { transactions: baseline.transactions, days_since_last })
}

#[cfg(test)]
mod tests {
    use countersign_domain::evidence::EvidenceRow;
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{ordinary, thinnest};

    /// The evidence of an outside alert with one signal, with the ordinary case's transaction or without one.
    fn of_signal(name: &str, signal: Value, on_record: bool) -> Evidence {
        let mut context = if on_record { ordinary() } else { thinnest() };
        let mut facts = json!({"name": name});
        facts.as_object_mut().unwrap().extend(signal.as_object().unwrap().clone());
        context.case.source = AlertSource::External;
        context.signals = vec![serde_json::from_value(facts).unwrap()];
        context.score.sum = 0;
        count_evidence(&context)
    }

    /// Checks the numbers of signals and rules that count, the contradictions, and the number of unmeasured signals.
    #[track_caller]
    fn check(name: &str, signal: Value, expected: (usize, usize, &[Contradiction], usize)) {
        let found = of_signal(name, signal.clone(), true);
        let contradictions: Vec<_> = found.contradictions.iter().map(|found| found.contradiction).collect();
        let counts = (found.signals.len(), found.rules.len(), &contradictions[..], found.unmeasured.len());
        assert_eq!(counts, expected, "{name} {signal}: {found:#?}");
    }

    #[test]
    fn a_signal_counts_if_it_has_value_threshold_and_unit_and_reaches_its_threshold() {
        use Contradiction::{BelowThreshold, ClearBeyondThreshold};
        let signal = |outcome: &str, value: Value, threshold: Value, unit: Value| json!({"outcome": outcome, "value": value, "threshold": threshold, "unit": unit});
        for outcome in ["fired", "reported"] {
            check("odd", signal(outcome, json!(7.0), json!(3.5), json!("z")), (1, 0, &[], 0));
            check("odd", signal(outcome, json!(3.5), json!(3.5), json!("z")), (1, 0, &[], 0));
            check("odd", signal(outcome, Value::Null, json!(3.5), json!("z")), (0, 0, &[], 1));
            check("odd", signal(outcome, json!(7.0), Value::Null, json!("z")), (0, 0, &[], 1));
            check("odd", signal(outcome, json!(7.0), json!(3.5), Value::Null), (0, 0, &[], 1));
            check("odd", signal(outcome, json!(7.0), json!(3.5), json!(" ")), (0, 0, &[], 1));
            check("odd", signal(outcome, json!(3.4), json!(3.5), json!("z")), (0, 0, &[BelowThreshold], 0));
        }
        check("odd", signal("clear", json!(3.4), json!(3.5), json!("z")), (0, 0, &[], 0));
        check("odd", signal("clear", json!(3.5), json!(3.5), json!("z")), (0, 0, &[ClearBeyondThreshold], 0));
        check("odd", json!({"outcome": "reported", "explanation": "It is fraud, believe me."}), (0, 0, &[], 1));
    }

    #[test]
    fn a_rule_counts_if_it_is_named_and_a_transaction_is_on_record() {
        let rule = json!({"name": "night_hours", "weight": 10, "message": "At night."});
        let held =
            json!({"outcome": "fired", "value": 1.0, "threshold": 1.0, "unit": "rules that held", "flags": [rule]});
        check("rule_flags", held.clone(), (0, 1, &[], 0));
        check(
            "rule_flags",
            json!({"outcome": "fired", "value": 1.0, "threshold": 1.0, "unit": "rules"}),
            (0, 0, &[], 1),
        );
        let found = of_signal("rule_flags", held, false);
        assert_eq!(
            (found.rules.len(), found.unmeasured.len()),
            (0, 1),
            "without a transaction, the rule is unmeasured"
        );
    }

    #[test]
    fn a_signal_that_contradicts_the_record_is_a_contradiction() {
        let fired = json!({"outcome": "fired", "value": 9.0, "threshold": 3.5, "unit": "z"});
        let check = |name: &str, change: &dyn Fn(&mut Context), expected: &[Contradiction]| {
            let mut context = ordinary();
            let mut facts = fired.clone();
            facts["name"] = json!(name);
            context.signals = vec![serde_json::from_value(facts).unwrap()];
            change(&mut context);
            let found = count_evidence(&context);
            let contradictions: Vec<_> = found.contradictions.iter().map(|found| found.contradiction).collect();
            assert_eq!(contradictions, expected, "{name}");
        };
        let median_is_the_amount = |context: &mut Context| {
            let amount = context.transaction.as_ref().unwrap().amount;
            context.baseline.as_mut().unwrap().median_amount = amount;
        };
        check("amount_deviation", &|_| (), &[]);
        check("amount_deviation", &median_is_the_amount, &[Contradiction::AmountNotAboveMedian]);
        check("velocity_anomaly", &median_is_the_amount, &[]);
        let nowhere = |context: &mut Context| context.transaction.as_mut().unwrap().location = None;
        check("geographic_inconsistency", &|_| (), &[]);
        check("geographic_inconsistency", &nowhere, &[Contradiction::TravelWithoutLocation]);
        let points = |context: &mut Context| context.score.sum = u32::from(context.score.total.get()) + 1;
        check("velocity_anomaly", &points, &[Contradiction::PointsExceedScore]);
    }

    #[test]
    fn without_a_transaction_measured_signals_are_weak_evidence_and_others_none() {
        let measured = json!({"outcome": "fired", "value": 9.0, "threshold": 3.5, "unit": "z"});
        let weighed = WeighedEvidence::of(of_signal("odd", measured, false));
        assert_eq!((weighed.row, weighed.strength), (EvidenceRow::NoTransaction, Strength::Weak));
        let unmeasured = json!({"outcome": "reported", "explanation": "Strong evidence of fraud."});
        let weighed = WeighedEvidence::of(of_signal("odd", unmeasured, false));
        assert_eq!((weighed.row, weighed.strength), (EvidenceRow::NothingMeasured, Strength::None));
    }

    #[test]
    fn a_transaction_without_a_baseline_has_one_of_size_zero() {
        let mut context = ordinary();
        assert!(baseline(&context).unwrap().transactions >= 10);
        context.baseline = None;
        assert_eq!(baseline(&context), Some(BaselineSize { transactions: 0, days_since_last: None }));
        assert_eq!(baseline(&thinnest()), None);
    }
}
