//! The alert's signals. Those of our detector have a known shape. Those of an outside alert are open JSON of any shape: well-known
//! fields are read, and the rest is kept as details.
//!
//! | field          | read from an outside signal's                                       |
//! |----------------|---------------------------------------------------------------------|
//! | `outcome`      | `outcome`, or a yes/no in `fired`, `triggered`, `detected`, `flagged` |
//! | `value`        | `value`, `observed`, `actual`, `measured`, else `score`; a number by itself |
//! | `threshold`    | `threshold`, `limit`, `cutoff`, `cut_off`, `max`, `maximum`          |
//! | `unit`         | `unit`                                                              |
//! | `contribution` | `contribution`, `points`                                            |
//! | `explanation`  | `explanation`, `reason`, `message`, `description`; a text by itself  |
//! | `baseline`     | `baseline`, where it is an object                                   |
//!
//! A number may come as text: `"4.2"`.

use countersign_domain::{
    Signal, SignalName,
    signal::{DetectionOutcome, RuleFlag},
};
use serde_json::{Map, Value};

use super::ContextInputs;
use crate::{
    SignalFacts, SignalOutcome, figures,
    redact::{FieldKey, OpenJsonBudget, Redactor, cleaned, is_harmless_word},
};

/// The maximum number of bytes of open JSON in all signals together. Beyond it, a signal of our detector keeps only its
/// well-known fields, and an outside signal loses fields.
const OPEN_BYTES_MAX: usize = 64 * 1024;
/// The maximum number of signals other than the four known ones.
const OTHERS_MAX: usize = 16;
const NAME_CHARS_MAX: usize = 64;
/// Names such as `3ds_failed` and `count_24h` may have a few digits, too few for a number that identifies a person.
const NAME_DIGITS_MAX: usize = 2;
const UNNAMED: &str = "unnamed";
const UNIT_CHARS_MAX: usize = 64;
const EXPLANATION_CHARS_MAX: usize = 600;
const FLAGS_MAX: usize = 32;

/// The known signals in their order, then the others by name, and the number of fields that are withheld.
pub(super) fn facts(inputs: &ContextInputs<'_>, redactor: &Redactor) -> (Vec<SignalFacts>, u64) {
    let sent = &inputs.alert.metadata.signals;
    let mut budget = OpenJsonBudget::new(OPEN_BYTES_MAX);
    let known = SignalName::ALL.map(SignalName::as_str);
    let others = sent.keys().map(String::as_str).filter(|name| !known.contains(name)).take(OTHERS_MAX);
    let mut facts: Vec<SignalFacts> = Vec::new();
    for name in known.into_iter().chain(others) {
        let Some(value) = sent.get(name) else { continue };
        let shown = distinct(shown_signal_name(name, redactor).unwrap_or_default(), &facts);
        let detected =
            inputs.alert_from_detector.then(|| serde_json::from_value::<Signal>(value.clone()).ok()).flatten();
        facts.push(match detected {
            Some(signal) => detector_signal(shown, signal, redactor, budget.set_figures_are_ours(true)),
            None => outside_signal(shown, name, value, redactor, budget.set_figures_are_ours(false)),
        });
    }
    if let Some(others) = facts.iter().position(|signal| signal.known().is_none()) {
        facts[others..].sort_by(|a, b| a.name.cmp(&b.name));
    }
    budget.withhold(sent.len() - facts.len());
    (facts, budget.withheld())
}

/// The name as it may be shown. `None` if it contains unknown words.
pub(crate) fn shown_signal_name(name: &str, redactor: &Redactor) -> Option<String> {
    if is_known(name) {
        return Some(name.to_owned());
    }
    has_known_words(name).then(|| redactor.text(name, NAME_CHARS_MAX))
}

fn is_known(name: &str) -> bool {
    SignalName::ALL.iter().any(|known| known.as_str() == name)
}

/// Whether a name consists of words known from fraud signals or of ordinary English words.
fn has_known_words(name: &str) -> bool {
    if is_known(name) {
        return true;
    }
    let name = cleaned(name);
    let digits = name.chars().filter(|letter| letter.is_numeric()).count();
    FieldKey::read(&name).is_allowed(&name)
        || FieldKey::read(&name).words_are(is_harmless_word) && digits <= NAME_DIGITS_MAX
}

/// Makes a name unique and not empty, because masking can make two names equal or a name empty.
fn distinct(name: String, taken: &[SignalFacts]) -> String {
    let name = if name.is_empty() { UNNAMED.to_owned() } else { name };
    let is_taken = |name: &str| taken.iter().any(|signal| signal.name == name);
    if !is_taken(&name) {
        return name;
    }
    (2..).map(|n: u32| format!("{name} {n}")).find(|name| !is_taken(name)).unwrap_or(name)
}

/// A signal of our own detector.
fn detector_signal(name: String, signal: Signal, redactor: &Redactor, budget: &mut OpenJsonBudget) -> SignalFacts {
    SignalFacts {
        name,
        outcome: outcome(signal.outcome),
        value: signal.value.and_then(figures::round_trippable),
        threshold: signal.threshold.and_then(figures::round_trippable),
        unit: signal.unit.map(|unit| redactor.trusted_text(&unit, UNIT_CHARS_MAX)),
        contribution: Some(signal.contribution),
        explanation: Some(redactor.trusted_text(&signal.explanation, EXPLANATION_CHARS_MAX)),
        baseline: redactor.object(&signal.baseline, budget),
        details: redactor.object(&signal.details, budget),
        flags: signal.flags.into_iter().take(FLAGS_MAX).map(|flag| shown_flag(flag, redactor)).collect(),
    }
}

fn outcome(outcome: DetectionOutcome) -> SignalOutcome {
    match outcome {
        DetectionOutcome::Fired => SignalOutcome::Fired,
        DetectionOutcome::Clear => SignalOutcome::Clear,
        DetectionOutcome::InsufficientHistory => SignalOutcome::InsufficientHistory,
        DetectionOutcome::NotApplicable => SignalOutcome::NotApplicable,
    }
}

/// Rules come from the operator's own file, so their messages are fixed texts that don't depend on the customer.
fn shown_flag(flag: RuleFlag, redactor: &Redactor) -> RuleFlag {
    RuleFlag {
        name: redactor.reference(&flag.name, NAME_CHARS_MAX),
        weight: flag.weight,
        message: redactor.trusted_text(&flag.message, EXPLANATION_CHARS_MAX),
    }
}

/// A signal of another system. It is redacted before anything is read from it.
fn outside_signal(
    name: String,
    sent_as: &str,
    value: &Value,
    redactor: &Redactor,
    budget: &mut OpenJsonBudget,
) -> SignalFacts {
    let mut facts = SignalFacts {
        name,
        outcome: SignalOutcome::Reported,
        value: None,
        threshold: None,
        unit: None,
        contribution: None,
        explanation: None,
        baseline: Map::new(),
        details: Map::new(),
        flags: Vec::new(),
    };
    let has_known_words = has_known_words(sent_as);
    match value {
        // If the name has unknown words, don't trust the texts either: keep only figures.
        Value::Object(fields) if !has_known_words => {
            let figures = fields.iter().filter(|(_, value)| value.is_number() || value.is_boolean());
            let figures: Map<_, _> = figures.map(|(key, value)| (key.clone(), value.clone())).collect();
            budget.withhold(fields.len() - figures.len());
            read_fields(&mut facts, redactor.object(&figures, budget));
        }
        Value::String(_) | Value::Array(_) if !has_known_words => budget.withhold(1),
        Value::Object(fields) => read_fields(&mut facts, redactor.object_named(sent_as, fields, budget)),
        Value::Bool(fired) => facts.outcome = fired_or_clear(*fired),
        other => match redactor.value(sent_as, other, budget) {
            Some(Value::Number(number)) => facts.value = number.as_f64().and_then(figures::round_trippable),
            Some(Value::String(text)) => facts.explanation = Some(text),
            Some(Value::Array(items)) => facts.details = Map::from_iter([("items".to_owned(), Value::Array(items))]),
            _ => {}
        },
    }
    facts
}

fn read_fields(facts: &mut SignalFacts, mut fields: Map<String, Value>) {
    facts.value = number(&mut fields, &["value", "observed", "actual", "measured"]);
    if facts.value.is_none() {
        facts.value = number(&mut fields, &["score"]);
        facts.unit = facts.value.map(|_| "score".to_owned());
    }
    facts.threshold = number(&mut fields, &["threshold", "limit", "cutoff", "cut_off", "max", "maximum"]);
    facts.unit = text(&mut fields, &["unit"]).or(facts.unit.take());
    facts.contribution = points(&mut fields);
    facts.explanation = text(&mut fields, &["explanation", "reason", "message", "description"]);
    if let Some(Value::Object(baseline)) = take_if(&mut fields, "baseline", Value::is_object) {
        facts.baseline = baseline;
    }
    if let Some(Value::Array(flags)) = take_if(&mut fields, "flags", is_flags) {
        let flags = flags.into_iter().filter_map(|flag| serde_json::from_value::<RuleFlag>(flag).ok());
        let named = |flag: RuleFlag| RuleFlag {
            name: if has_known_words(&flag.name) { flag.name } else { UNNAMED.to_owned() },
            ..flag
        };
        facts.flags = flags.take(FLAGS_MAX).map(named).collect();
    }
    if let Some(outcome) = stated_outcome(&mut fields) {
        facts.outcome = outcome;
    }
    facts.details = fields;
}

fn stated_outcome(fields: &mut Map<String, Value>) -> Option<SignalOutcome> {
    let read = |value: &Value| serde_json::from_value::<DetectionOutcome>(value.clone()).ok();
    if let Some(value) = take_if(fields, "outcome", |value| read(value).is_some()) {
        return read(&value).map(outcome);
    }
    let fired =
        ["fired", "triggered", "detected", "flagged"].iter().find_map(|key| take_if(fields, key, Value::is_boolean));
    fired.and_then(|fired| fired.as_bool()).map(fired_or_clear)
}

fn fired_or_clear(fired: bool) -> SignalOutcome {
    if fired { SignalOutcome::Fired } else { SignalOutcome::Clear }
}

fn is_flags(value: &Value) -> bool {
    let is_flag = |flag: &Value| serde_json::from_value::<RuleFlag>(flag.clone()).is_ok();
    value.as_array().is_some_and(|flags| !flags.is_empty() && flags.iter().all(is_flag))
}

fn number(fields: &mut Map<String, Value>, keys: &[&str]) -> Option<f64> {
    let found = keys.iter().find_map(|key| take_if(fields, key, |value| numeric(value).is_some()));
    found.as_ref().and_then(numeric).and_then(figures::round_trippable)
}

/// A number, or a text that consists of a number only.
fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => {
            let is_plain = text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
            text.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
        }
        _ => None,
    }
}

fn text(fields: &mut Map<String, Value>, keys: &[&str]) -> Option<String> {
    let found = keys.iter().find_map(|key| take_if(fields, key, Value::is_string));
    found.and_then(|value| value.as_str().map(str::to_owned)).filter(|text| !text.is_empty())
}

fn points(fields: &mut Map<String, Value>) -> Option<u8> {
    let read =
        |value: &Value| value.as_u64().and_then(|points| u8::try_from(points).ok()).filter(|points| *points <= 100);
    let found = ["contribution", "points"].iter().find_map(|key| take_if(fields, key, |value| read(value).is_some()));
    found.as_ref().and_then(read)
}

fn take_if(fields: &mut Map<String, Value>, key: &str, is_wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    if fields.get(key).is_some_and(is_wanted) { fields.remove(key) } else { None }
}

#[cfg(test)]
mod tests {
    use countersign_domain::{Alert, payload::ReportType};
    use serde_json::json;

    use super::*;
    use crate::{BySeverity, Correlation};

    fn read(signals: Value, from_detector: bool) -> Vec<SignalFacts> {
        let alert: Alert = serde_json::from_value(json!({
            "alert_id": "a", "user_id": "12345678", "severity": "high", "score": 75, "metadata": {"signals": signals}
        }))
        .unwrap();
        let inputs = ContextInputs {
            alert: &alert,
            alert_created_at: "2026-03-01T09:30:00Z".parse().unwrap(),
            alert_from_detector: from_detector,
            report_type: ReportType::Compliance,
            regulatory_impact: None,
            transaction: None,
            history: &[],
            transaction_count: 0,
            first_transaction_at: None,
            prior_alerts: &[],
            correlation: Correlation::new(BySeverity::default(), None, 0, 5),
        };
        facts(&inputs, &Redactor::new(&alert, None, &[])).0
    }

    fn check(sent: Value, expected: Value) {
        let found = read(json!({"odd": sent}), false).remove(0);
        let mut expected = expected;
        expected["name"] = json!("odd");
        assert_eq!(serde_json::to_value(found).unwrap(), expected);
    }

    #[test]
    fn an_outside_signal_of_any_shape_is_accepted() {
        check(json!(7.5), json!({"outcome": "reported", "value": 7.5}));
        check(json!(true), json!({"outcome": "fired"}));
        check(json!(false), json!({"outcome": "clear"}));
        check(json!(null), json!({"outcome": "reported"}));
        check(json!("fourteen in an hour"), json!({"outcome": "reported", "explanation": "fourteen in an hour"}));
        check(json!(["a", 1]), json!({"outcome": "reported", "details": {"items": ["a", 1]}}));
        check(json!({"count_1h": 14}), json!({"outcome": "reported", "details": {"count_1h": 14}}));
    }

    #[test]
    fn well_known_fields_of_an_outside_signal_are_read() {
        check(
            json!({"value": 7.2, "threshold": 3.5, "unit": "z", "points": 41, "reason": "High.", "triggered": true,
                "counts": [1], "x": [1]}),
            json!({"outcome": "fired", "value": 7.2, "threshold": 3.5, "unit": "z", "contribution": 41,
                "explanation": "High.", "details": {"counts": [1]}}),
        );
        check(json!({"score": 0.87}), json!({"outcome": "reported", "value": 0.87, "unit": "score"}));
        check(json!({"contribution": 300}), json!({"outcome": "reported", "details": {"contribution": 300}}));
        check(json!({"value": "12"}), json!({"outcome": "reported", "value": 12.0}));
        check(
            json!({"measured": "-4.25", "cutoff": "1", "unit": "percent"}),
            json!({"outcome": "reported", "value": -4.25, "threshold": 1.0, "unit": "percent"}),
        );
        for text in ["1e9", "12 km", "", "0x10"] {
            check(json!({"value": text}), json!({"outcome": "reported", "details": {"value": text}}));
        }
    }

    #[test]
    fn the_customers_id_is_not_a_value() {
        check(json!({"value": 12345678}), json!({"outcome": "reported", "details": {"value": "***5678"}}));
        check(json!(12345678), json!({"outcome": "reported", "explanation": "***5678"}));
    }

    #[test]
    fn known_signals_come_first_and_in_their_order() {
        let found =
            read(json!({"zeta": 1, "rule_flags": 1, "amount_deviation": 1, "alpha": 1, "ann@firm.org": 1}), false);
        let names: Vec<_> = found.iter().map(|signal| signal.name.as_str()).collect();
        assert_eq!(names, ["amount_deviation", "rule_flags", "alpha", "unnamed", "unnamed 2"]);
    }

    #[test]
    fn the_detectors_signals_are_kept_completely() {
        let sent = json!({
            "outcome": "fired", "value": 7.2, "threshold": 3.5, "unit": "modified z-score", "contribution": 41,
            "explanation": "The amount was far above the median.", "baseline": {"transactions": 40},
            "details": {
                "ratio_to_median": 52.5, "sum_24h": {"amount": "1234567890.00", "currency": "USD"}, "speed_kmh": 5400.25,
                "previous_at": "2026-03-01T07:30:00.000000Z", "from_country": "PT", "count_1h": 14
            }
        });
        let flags = json!({
            "outcome": "fired", "contribution": 10, "explanation": "One rule held.",
            "flags": [{"name": "night_hours", "weight": 10, "message": "At night."}]
        });
        let found = read(json!({"amount_deviation": sent, "rule_flags": flags}), true);
        for (found, sent) in found.iter().zip([sent, flags]) {
            let mut written = serde_json::to_value(found).unwrap();
            written.as_object_mut().unwrap().remove("name");
            assert_eq!(written, sent);
        }
        // The same from outside.
        let outside = read(
            json!({"rule_flags": {"flags": [{"name": "night_hours", "weight": 10, "message": "At night."}]}}),
            false,
        );
        assert_eq!(outside[0].flags.len(), 1);
    }
}
