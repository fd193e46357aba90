//! The report's structured data: computed from the context alone, never by a model, the same for the same context.
//!
//! `severity`, `risk_score`, `signals` and `timeline_events` are what anybody who reads reports expects; what else was
//! computed stands beside them.

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
    // Not in there: what is JSON already would be copied field by field.
    data["signals"] = signals(context).into();
    data
}

/// The four that we know are always there, null where the alert brought none.
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

/// These types hold nothing that JSON can't.
fn value(facts: &impl Serialize) -> Value {
    serde_json::to_value(facts).unwrap_or_default()
}
