//! Records as the API shows them to people who may follow cases but not read customers' data. Alerts, transactions,
//! investigations and events are masked by the same rules as what goes to a model, and keep their shape.

use serde_json::{Map, Value};

use super::{Budget, REDACTED, Redactor, is_digest, mask_id};
use crate::build::shown_signal_name;

const TEXT_CHARS_MAX: usize = 600;
const LABEL_CHARS_MAX: usize = 256;
const OPEN_BYTES_MAX: usize = 64 * 1024;
/// Fields of an alert's metadata that have a meaning of their own, beside the signals.
const ALERT_FIELDS: [&str; 4] = ["transaction_id", "country", "explanation", "rules_hash"];

/// Masks every record in an answer: a record, a list of them, or a page with `items`.
pub fn mask_records(answer: &mut Value) {
    match answer {
        Value::Array(records) => records.iter_mut().for_each(mask_records),
        Value::Object(fields) if fields.get("items").is_some_and(Value::is_array) => {
            fields.get_mut("items").into_iter().for_each(mask_records);
        }
        Value::Object(fields) => {
            let mut identifiers = Vec::new();
            collect(fields, &mut identifiers);
            let redactor = Redactor::of_identifiers(&identifiers);
            mask_fields(fields, &redactor);
        }
        _ => {}
    }
}

/// The values that must not stand anywhere in the record, each with its mask.
fn collect(fields: &Map<String, Value>, identifiers: &mut Vec<(String, String)>) {
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("user_id", Value::String(id)) => identifiers.push((id.clone(), mask_id(id))),
            ("ip_address" | "device_fingerprint", Value::String(id)) => {
                identifiers.push((id.clone(), REDACTED.to_owned()));
            }
            (_, Value::Object(fields)) => collect(fields, identifiers),
            _ => {}
        }
    }
}

fn mask_fields(fields: &mut Map<String, Value>, redactor: &Redactor) {
    for (key, value) in fields {
        match (key.as_str(), &mut *value) {
            ("user_id", Value::String(id)) => *id = mask_id(id),
            ("ip_address" | "device_fingerprint", Value::String(id)) => *id = REDACTED.to_owned(),
            ("alert_id" | "transaction_id", Value::String(id)) => *id = redactor.reference(id, LABEL_CHARS_MAX),
            ("rules_hash", Value::String(hash)) if !is_digest(hash) => *value = Value::Null,
            ("merchant", Value::String(text)) => *text = redactor.merchant(text, LABEL_CHARS_MAX),
            ("city", Value::String(text)) => *text = redactor.city(text, LABEL_CHARS_MAX),
            ("category" | "explanation" | "description", Value::String(text)) => {
                *text = redactor.text(text, TEXT_CHARS_MAX);
            }
            // A degree is about a hundred kilometres: enough for a map of travel, too little to find a house.
            ("lat" | "lon", Value::Number(_)) => *value = value.as_f64().map_or(Value::Null, |n| n.round().into()),
            ("metadata", Value::Object(fields)) => *fields = metadata(std::mem::take(fields), redactor),
            ("signals", Value::Object(signals)) => *signals = masked_signals(signals, redactor),
            (_, Value::Object(fields)) => mask_fields(fields, redactor),
            (_, Value::Array(items)) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(|fields| mask_fields(fields, redactor));
            }
            _ => {}
        }
    }
}

/// Open JSON of a sender: what is not known to be harmless is withheld and counted.
fn metadata(mut open: Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    let is_known = |key: &str, value: &Value| match key {
        "signals" => value.is_object(),
        key => ALERT_FIELDS.contains(&key) && value.is_string(),
    };
    let keys: Vec<String> =
        open.iter().filter(|(key, value)| is_known(key, value)).map(|(key, _)| key.clone()).collect();
    let mut shown: Map<String, Value> = keys.into_iter().filter_map(|key| open.remove_entry(&key)).collect();
    mask_fields(&mut shown, redactor);
    let mut budget = Budget::new(OPEN_BYTES_MAX);
    shown.extend(redactor.object(&open, &mut budget));
    if budget.withheld() > 0 {
        shown.insert("fields_withheld".to_owned(), budget.withheld().into());
    }
    shown
}

fn masked_signals(signals: &Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    let mut budget = Budget::new(OPEN_BYTES_MAX);
    let shown = signals.iter().enumerate().map(|(place, (name, signal))| {
        let Some(shown) = shown_signal_name(name, redactor) else {
            return (format!("unnamed {}", place + 1), Value::Null);
        };
        (shown, redactor.value(name, signal, &mut budget).unwrap_or(Value::Null))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(mut record: Value, expected: Value) {
        mask_records(&mut record);
        assert_eq!(record, expected);
    }

    #[test]
    fn a_transaction_keeps_its_figures_and_loses_its_person() {
        let sent = json!({
            "transaction_id": "tx-1", "user_id": "user-7731", "amount": {"amount": "1250.00", "currency": "USD"},
            "occurred_at": "2026-03-01T09:30:00Z", "merchant": "Maria Lopez Garcia", "category": "jewellery",
            "location": {"lat": 38.7223, "lon": -9.1393, "country": "PT", "city": "Lisbon"}, "seq": 7,
            "ip_address": "198.51.100.7", "device_fingerprint": "d-1",
            "metadata": {"memo": "from user-7731, born 12.03.1985", "nombre": "Maria Lopez", "status": "settled"}
        });
        check(
            json!({"items": [sent], "next": null}),
            json!({"items": [{
                "transaction_id": "tx-1", "user_id": "***7731", "amount": {"amount": "1250.00", "currency": "USD"},
                "occurred_at": "2026-03-01T09:30:00Z", "merchant": "[NAME]", "category": "jewellery",
                "location": {"lat": 39.0, "lon": -9.0, "country": "PT", "city": "Lisbon"}, "seq": 7,
                "ip_address": "[REDACTED]", "device_fingerprint": "[REDACTED]",
                "metadata": {"memo": "from ***7731, born [DATE_OF_BIRTH]", "status": "settled", "fields_withheld": 1}
            }], "next": null}),
        );
    }

    #[test]
    fn an_alert_keeps_its_signals_and_loses_what_they_say_about_people() {
        let signals = json!({
            "amount_deviation": {"outcome": "fired", "value": 7.2, "threshold": 3.5, "explanation": "Paid by Jane Roe."},
            "jane_roe": {"value": 1},
        });
        let alert = json!({
            "alert_id": "fraud-1", "user_id": "user-7731", "severity": "high", "score": 75,
            "metadata": {"transaction_id": "tx-1", "country": "PT", "explanation": "Call Jane Roe.", "signals": signals,
                "phone": "020 7946 0958"}
        });
        let masked = json!({
            "alert_id": "fraud-1", "user_id": "***7731", "severity": "high", "score": 75,
            "metadata": {"transaction_id": "tx-1", "country": "PT", "explanation": "Call [NAME].", "fields_withheld": 1,
                "signals": {
                    "amount_deviation": {
                        "outcome": "fired", "value": 7.2, "threshold": 3.5, "explanation": "Paid by [NAME]."
                    },
                    "unnamed 2": null
                }}
        });
        check(json!({"investigation_id": "i", "alert": alert}), json!({"investigation_id": "i", "alert": masked}));
        check(json!([{"event_type": "X", "payload": alert}]), json!([{"event_type": "X", "payload": masked}]));
    }

    #[test]
    fn a_masked_record_is_masked_already() {
        let mut record = json!({"user_id": "user-7731", "merchant": "Jane Roe", "ip_address": "198.51.100.7"});
        mask_records(&mut record);
        check(record.clone(), record);
    }
}
