//! Compares the report with its context, with the stored alert, and with its hashes.
//!
//! Values that a fault quotes may come from outside, so they are cleaned and bounded.

use std::fmt::Display;

use countersign_domain::{
    Score, Severity,
    payload::ReportType,
    validation::{Fault, Hashed},
};
use countersign_ledger::Hash;
use serde_json::{Map, Value};

use super::{ValidationInput, prose::clean};
use crate::{AlertSource, Content, Context, SectionRecord, SignalFacts, TEMPLATE, writer};

/// The maximum number of mismatches that are recorded for a report. Fewer already bring the score to 0.
const MISMATCHES_MAX: usize = 20;
const VALUE_CHARS_MAX: usize = 60;
const NAME_CHARS_MAX: usize = 60;

pub(super) fn faults(input: &ValidationInput<'_>, context: Hash) -> Vec<Fault> {
    let content = input.content;
    let mut found = Mismatches::default();
    against_alert(input, &mut found);
    against_context(content, &mut found);
    against_structured(content, &mut found);
    against_fixed_texts(content, &mut found);
    let mut faults = found.faults;
    if timeline(content).is_none_or(Vec::is_empty) {
        faults.push(Fault::NoTimeline);
    }
    if input.stored_hash != input.actual_hash {
        faults.push(Fault::HashDiffers(Hashed::Content));
    }
    if context.to_hex() != content.context_sha256 {
        faults.push(Fault::HashDiffers(Hashed::Context));
    }
    if Severity::of(content.risk_score) != content.severity {
        faults.push(Fault::ScoreSeverityMismatch { score: content.risk_score, severity: content.severity });
    }
    faults
}

#[derive(Default)]
struct Mismatches {
    faults: Vec<Fault>,
}

impl Mismatches {
    fn add(&mut self, field: &str, stated: impl Display, known: impl Display) {
        if self.faults.len() < MISMATCHES_MAX {
            let shown = |value: &dyn Display| match clean(&value.to_string(), VALUE_CHARS_MAX) {
                text if text.is_empty() => "empty".to_owned(),
                text => text,
            };
            let field = clean(field, NAME_CHARS_MAX * 2);
            self.faults.push(Fault::StructuredMismatch { field, stated: shown(&stated), known: shown(&known) });
        }
    }

    fn compare<T: PartialEq + Display>(&mut self, field: &str, stated: T, known: T) {
        if stated != known {
            self.add(field, stated, known);
        }
    }

    fn compare_id(&mut self, field: &str, stated: Option<&str>, known: Option<&str>) {
        let agrees = match (stated, known) {
            (Some(stated), Some(known)) => is_same_id(stated, known),
            (stated, known) => stated == known,
        };
        if !agrees {
            self.add(field, stated.unwrap_or("absent"), known.unwrap_or("absent"));
        }
    }

    fn compare_number(&mut self, field: impl Fn() -> String, stated: Option<f64>, known: Option<f64>) {
        let agrees = match (stated, known) {
            (Some(stated), Some(known)) => is_same_number(stated, known),
            (stated, known) => stated.is_none() && known.is_none(),
        };
        if !agrees {
            let shown = |number: Option<f64>| number.map_or_else(|| "absent".to_owned(), |number| number.to_string());
            self.add(&field(), shown(stated), shown(known));
        }
    }
}

fn is_same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// An id in a context may contain a masked customer's id. In that case, the text around the mask must agree.
fn is_same_id(stated: &str, known: &str) -> bool {
    let fits = |masked: &str, whole: &str| {
        let (Some((head, _)), Some((_, tail))) = (split_at_mask(masked), rsplit_at_mask(masked)) else { return false };
        whole.len() >= head.len() + tail.len() && whole.starts_with(head) && whole.ends_with(tail)
    };
    stated == known || fits(stated, known) || fits(known, stated)
}

const MASKS: [&str; 2] = ["***", "["];
const MASK_ENDS: [&str; 2] = ["***", "]"];

fn split_at_mask(id: &str) -> Option<(&str, &str)> {
    MASKS.iter().filter_map(|mask| id.split_once(mask)).min_by_key(|(head, _)| head.len())
}

fn rsplit_at_mask(id: &str) -> Option<(&str, &str)> {
    // A masked id consists of stars and the last four characters.
    MASK_ENDS.iter().filter_map(|mask| id.rsplit_once(mask)).min_by_key(|(_, tail)| tail.len())
}

fn against_alert(input: &ValidationInput<'_>, found: &mut Mismatches) {
    found.compare("severity", input.content.severity.in_capitals(), input.alert_severity.in_capitals());
    found.compare("risk_score", input.content.risk_score.get(), input.alert_score.get());
}

fn against_context(content: &Content, found: &mut Mismatches) {
    let Context { case, score, transaction, signals, .. } = &content.context;
    found.compare("context.case.severity", content.severity.in_capitals(), case.severity.in_capitals());
    found.compare("context.case.risk_score", content.risk_score.get(), case.risk_score.get());
    found.compare("context.score.total", content.risk_score.get(), score.total.get());
    found.compare("context.case.report_type", content.report_type.as_str(), case.report_type.as_str());
    found.compare(
        "context.case.regulatory_impact",
        content.regulatory_impact.as_str(),
        case.regulatory_impact.as_str(),
    );
    found.compare_id("context.case.alert_id", Some(content.fraud_detection_id.as_str()), Some(&case.alert_id));
    let investigation_id = content.investigation_id.to_string();
    found.compare_id("context.case.investigation_id", Some(&investigation_id), Some(&case.investigation_id));
    // A report may name a transaction that is not on record. Its context then has no transaction.
    if let Some(transaction) = transaction {
        let stated = content.transaction_id.as_ref().map(|id| id.as_str());
        found.compare_id("context.transaction.transaction_id", stated, Some(&transaction.transaction_id));
    }
    // The points of our own detector must add up to the score. Those of an external alert need not.
    if case.source == AlertSource::Detector {
        let sum: u32 = signals.iter().filter_map(|signal| signal.contribution).map(u32::from).sum();
        found.compare("context.signals contributions", sum.min(100), u32::from(case.risk_score.get()));
    }
}

fn against_structured(content: &Content, found: &mut Mismatches) {
    let Some(data) = content.structured_data.as_object() else {
        found.add("structured_data", "not an object", "an object");
        return;
    };
    let text = |key: &str| data.get(key).and_then(Value::as_str);
    let severity = text("severity").unwrap_or("absent");
    if !severity.eq_ignore_ascii_case(content.severity.as_str()) {
        found.add("structured_data.severity", severity, content.severity.in_capitals());
    }
    if score(data.get("risk_score")) != Some(content.risk_score) {
        let stated = data.get("risk_score").map_or_else(|| "absent".to_owned(), Value::to_string);
        found.add("structured_data.risk_score", stated, content.risk_score.get());
    }
    // Severity, score, signals and timeline are required. Other fields are optional but must agree.
    let investigation_id = content.investigation_id.to_string();
    let (alert_id, transaction_id) = (content.fraud_detection_id.as_str(), content.transaction_id.as_ref());
    let words: [(&[&str], Option<&str>); 9] = [
        (&["report_type"], Some(content.report_type.as_str())),
        (&["regulatory_impact"], Some(content.regulatory_impact.as_str())),
        (&["alert_id"], Some(alert_id)),
        (&["fraud_detection_id"], Some(alert_id)),
        (&["investigation_id"], Some(investigation_id.as_str())),
        (&["transaction_id"], transaction_id.map(|id| id.as_str())),
        (&["alert", "alert_id"], Some(alert_id)),
        (&["alert", "investigation_id"], Some(investigation_id.as_str())),
        (&["transaction", "transaction_id"], transaction_id.map(|id| id.as_str())),
    ];
    for (path, known) in words {
        let given = path.iter().try_fold(&content.structured_data, |value, key| value.get(key));
        if let Some(stated) = given.filter(|value| !value.is_null()) {
            let field = format!("structured_data.{}", path.join("."));
            found.compare_id(&field, Some(stated.as_str().unwrap_or("no text")), known);
        }
    }
    signals(data.get("signals").and_then(Value::as_object), &content.context.signals, found);
    events(content, found);
}

/// A model never writes the next steps, the regulatory statement and the extended analysis: they must follow from the
/// context word for word. In reports by an earlier version of the writer they are not compared, because its wording
/// differed.
fn against_fixed_texts(content: &Content, found: &mut Mismatches) {
    let is_ours = |record: &SectionRecord| [writer::WRITER_VERSION, TEMPLATE].contains(&record.template.as_str());
    if !content.sections.iter().any(is_ours) {
        return;
    }
    let context = &content.context;
    let report_type = context.case.report_type;
    let steps = writer::next_steps(context);
    let regulatory = (report_type != ReportType::Internal).then(|| writer::regulatory_statement(context));
    let extended = (report_type == ReportType::Full).then(|| writer::extended_analysis(context));
    for (field, agrees) in [
        ("recommended_next_steps", content.recommended_next_steps == steps),
        ("regulatory_statement", content.regulatory_statement == regulatory),
        ("extended_analysis", content.extended_analysis == extended),
    ] {
        if !agrees {
            found.add(field, "other words", "the words that follow from the context");
        }
    }
}

fn score(value: Option<&Value>) -> Option<Score> {
    serde_json::from_value(value?.clone()).ok()
}

fn signals(stated: Option<&Map<String, Value>>, known: &[SignalFacts], found: &mut Mismatches) {
    let none = Map::new();
    let stated = stated.unwrap_or(&none);
    for signal in known {
        let name = clean(&signal.name, NAME_CHARS_MAX);
        let Some(fields) = stated.get(&signal.name).and_then(Value::as_object) else {
            found.add(&format!("structured_data.signals.{name}"), "absent", "present");
            continue;
        };
        let number = |key: &str| fields.get(key).and_then(Value::as_f64);
        for (key, known) in [
            ("value", signal.value),
            ("threshold", signal.threshold),
            ("contribution", signal.contribution.map(f64::from)),
        ] {
            found.compare_number(|| format!("structured_data.signals.{name}.{key}"), number(key), known);
        }
    }
    // A set, because the number of signals on both sides is bounded only by the size of the context.
    let known: std::collections::HashSet<&str> = known.iter().map(|signal| signal.name.as_str()).collect();
    // The four known signals are always listed. One that the alert lacks is null.
    let is_empty = |value: &Value| value.is_null() || value.as_object().is_some_and(Map::is_empty);
    for (name, value) in stated {
        if !known.contains(name.as_str()) && !is_empty(value) {
            let name = clean(name, NAME_CHARS_MAX);
            found.add(&format!("structured_data.signals.{name}"), "present", "absent");
        }
    }
}

fn timeline(content: &Content) -> Option<&Vec<Value>> {
    content.structured_data.get("timeline_events").and_then(Value::as_array)
}

/// Compares each event with the context. Having no events at all is a fault of its own.
fn events(content: &Content, found: &mut Mismatches) {
    let Some(stated) = timeline(content).filter(|events| !events.is_empty()) else { return };
    let known = &content.context.timeline;
    found.compare("structured_data.timeline_events", stated.len(), known.len());
    for (index, (stated, known)) in stated.iter().zip(known).enumerate() {
        let text = |key: &str| stated.get(key).and_then(Value::as_str).unwrap_or("absent");
        let at = known.timestamp.to_string();
        for (key, known) in [("timestamp", &at), ("event", &known.event)] {
            if text(key) != known {
                found.add(&format!("structured_data.timeline_events.{index}.{key}"), text(key), known);
            }
        }
    }
}
