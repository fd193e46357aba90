//! The report's structured data. It is computed from the context alone, never by a model.
//!
//! Readers of reports rely on `severity`, `risk_score`, `signals` and `timeline_events`. The other fields are additions.

use countersign_domain::SignalName;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Context;

pub fn structured_data(context: &Context) -> Value {
    let case = &context.case;
    let mut data = json!({
        "severity": case.severity.in_capitals(),
        "risk_score": case.risk_score,
        "report_type": case.report_type,
        "regulatory_impact": case.regulatory_impact,
        "alert": {
            "alert_id": case.alert_id,
            "investigation_id": case.investigation_id,
            "created_at": case.alert_created_at,
            "source": case.source,
            "rules_hash": case.rules_hash,
        },
        "subject": context.subject,
        "transaction": context.transaction,
        "score": context.score,
        "baseline": context.baseline,
        "correlation": context.correlation,
        "timeline_events": context.timeline,
        "timeline_omitted": context.timeline_omitted,
        "metadata_withheld": context.metadata_withheld,
    });
    // Set separately, because `json!` would copy a value that is already JSON field by field.
    data["signals"] = signals(context).into();
    data
}

/// The four known signals are always present; a signal that the alert didn't bring is null.
fn signals(context: &Context) -> Map<String, Value> {
    let known = SignalName::ALL.into_iter().map(|name| (name.as_str().to_owned(), Value::Null));
    let mut signals: Map<_, _> = known.collect();
    for signal in &context.signals {
        let mut facts = value(signal);
        if let Some(fields) = facts.as_object_mut() {
            fields.remove("name");
        }
        signals.insert(signal.name.clone(), facts);
    }
    signals
}

/// The types of a context can always be written as JSON.
fn value(facts: &impl Serialize) -> Value {
    serde_json::to_value(facts).unwrap_or_default()
}
