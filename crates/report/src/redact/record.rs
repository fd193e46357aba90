//! Masks records for API users who may follow cases but not read customers' data. Alerts, transactions, investigations and events
//! are masked by the same rules as the context for a model, and keep their shape.

use serde_json::{Map, Value};

use super::{OpenJsonBudget, REDACTED, Redactor, is_digest, mask_id};
use crate::build::shown_signal_name;

/// The name that the server uses for the detector.
const DETECTOR: &str = "detector";
const TEXT_CHARS_MAX: usize = 600;
const LABEL_CHARS_MAX: usize = 256;
/// The maximum length of a comment or addendum.
const COMMENT_CHARS_MAX: usize = 4_000;
const OPEN_BYTES_MAX: usize = 64 * 1024;
/// Fields of an alert's metadata with a known meaning, apart from the signals.
const ALERT_FIELDS: [&str; 4] = ["transaction_id", "country", "explanation", "rules_hash"];

/// Masks every record of a response, which is a record, a list of records, or a page with `items`.
pub fn mask_records(response: &mut Value) {
    match response {
        Value::Array(records) => records.iter_mut().for_each(mask_records),
        Value::Object(fields) if fields.get("items").is_some_and(Value::is_array) => {
            fields.get_mut("items").into_iter().for_each(mask_records);
        }
        Value::Object(fields) => {
            let mut identifiers = Vec::new();
            collect_identifiers(fields, &mut identifiers);
            let masking =
                RecordMasker { redactor: &Redactor::of_identifiers(&identifiers), source: SignalSource::of(fields) };
            masking.fields(fields);
        }
        _ => {}
    }
}

/// Collects the values that must not appear anywhere in the record, each with its mask.
fn collect_identifiers(fields: &Map<String, Value>, identifiers: &mut Vec<(String, String)>) {
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("user_id", Value::String(id)) => identifiers.push((id.clone(), mask_id(id))),
            ("ip_address" | "device_fingerprint", Value::String(id)) => {
                identifiers.push((id.clone(), REDACTED.to_owned()));
            }
            (_, Value::Object(fields)) => collect_identifiers(fields, identifiers),
            _ => {}
        }
    }
}

/// Who wrote the signals of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignalSource {
    /// Our own detector, in fixed sentences with figures.
    Detector,
    Sender,
    /// The record doesn't say who wrote them. Only the figures of its signals are shown.
    Unknown,
}

impl SignalSource {
    /// Reads the fields that the server sets: the producer of an event, or the source of an alert, alone or in its investigation.
    fn of(record: &Map<String, Value>) -> Self {
        let source_of = |fields: &Map<String, Value>| {
            let source = fields.get("source").or_else(|| fields.get("producer")).and_then(Value::as_str);
            source.map(|source| if source == DETECTOR { Self::Detector } else { Self::Sender })
        };
        let alert = || record.get("alert").and_then(Value::as_object).and_then(source_of);
        source_of(record).or_else(alert).unwrap_or(Self::Unknown)
    }
}

struct RecordMasker<'a> {
    redactor: &'a Redactor,
    source: SignalSource,
}

impl RecordMasker<'_> {
    fn fields(&self, fields: &mut Map<String, Value>) {
        let redactor = self.redactor;
        // A request for another version has the reviewer's comment as its feedback.
        let is_request = fields.contains_key("regeneration_of");
        for (key, value) in fields {
            match (key.as_str(), &mut *value) {
                ("user_id", Value::String(id)) => *id = mask_id(id),
                ("ip_address" | "device_fingerprint", Value::String(id)) => *id = REDACTED.to_owned(),
                ("alert_id" | "transaction_id", Value::String(id)) => *id = redactor.reference(id, LABEL_CHARS_MAX),
                ("rules_hash", Value::String(hash)) if !is_digest(hash) => *value = Value::Null,
                ("merchant", Value::String(text)) => *text = redactor.merchant(text, LABEL_CHARS_MAX),
                ("city", Value::String(text)) => *text = redactor.city(text, LABEL_CHARS_MAX),
                ("category" | "explanation", Value::String(text)) => *text = redactor.text(text, TEXT_CHARS_MAX),
                // Reviewers' comments and addenda are free text.
                ("comment" | "text", Value::String(text)) => *text = redactor.text(text, COMMENT_CHARS_MAX),
                ("feedback", Value::String(text)) if is_request => *text = redactor.text(text, COMMENT_CHARS_MAX),
                // The supervisor's own description of an anomaly.
                ("description", Value::String(text)) => *text = redactor.trusted_text(text, TEXT_CHARS_MAX),
                // One degree is about a hundred kilometres: precise enough to map travel, and too coarse to find a
                // house.
                ("lat" | "lon", Value::Number(_)) => *value = value.as_f64().map_or(Value::Null, |n| n.round().into()),
                ("metadata", Value::Object(fields)) => *fields = self.metadata(std::mem::take(fields)),
                ("signals", Value::Object(signals)) => *signals = self.signals(signals),
                (_, Value::Object(fields)) => self.fields(fields),
                (_, Value::Array(items)) => {
                    items.iter_mut().filter_map(Value::as_object_mut).for_each(|fields| self.fields(fields));
                }
                _ => {}
            }
        }
    }

    /// A sender's open JSON. Fields that are not known to be harmless are withheld and counted.
    fn metadata(&self, mut open: Map<String, Value>) -> Map<String, Value> {
        let is_known = |key: &str, value: &Value| match key {
            "signals" => value.is_object(),
            key => ALERT_FIELDS.contains(&key) && value.is_string(),
        };
        let keys: Vec<String> =
            open.iter().filter(|(key, value)| is_known(key, value)).map(|(key, _)| key.clone()).collect();
        let mut shown: Map<String, Value> = keys.into_iter().filter_map(|key| open.remove_entry(&key)).collect();
        self.fields(&mut shown);
        let mut budget = OpenJsonBudget::new(OPEN_BYTES_MAX);
        shown.extend(self.redactor.object(&open, &mut budget));
        if budget.withheld() > 0 {
            shown.insert("fields_withheld".to_owned(), budget.withheld().into());
        }
        shown
    }

    fn signals(&self, signals: &Map<String, Value>) -> Map<String, Value> {
        let mut budget = OpenJsonBudget::new(OPEN_BYTES_MAX);
        budget.set_figures_are_ours(self.source == SignalSource::Detector);
        let shown = signals.iter().enumerate().map(|(place, (name, signal))| {
            let Some(shown) = shown_signal_name(name, self.redactor) else {
                return (format!("unnamed {}", place + 1), Value::Null);
            };
            let figures = (self.source == SignalSource::Unknown).then(|| figures(signal));
            (shown, self.redactor.value(name, figures.as_ref().unwrap_or(signal), &mut budget).unwrap_or(Value::Null))
        });
        shown.collect()
    }
}

/// The figures of a signal, without texts.
fn figures(signal: &Value) -> Value {
    let Value::Object(fields) = signal else { return if signal.is_string() { Value::Null } else { signal.clone() } };
    let is_figure = |key: &str, value: &Value| value.is_number() || value.is_boolean() || key == "outcome";
    fields
        .iter()
        .filter(|(key, value)| is_figure(key, value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
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
    fn a_transaction_keeps_its_figures_and_loses_personal_data() {
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
    fn an_alert_keeps_its_signals_and_loses_personal_data_in_them() {
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
        check(
            json!([{"event_type": "X", "producer": "api", "payload": alert}]),
            json!([{"event_type": "X", "producer": "api", "payload": masked}]),
        );
    }

    #[test]
    fn the_detectors_sentences_are_kept_and_those_of_unknown_source_are_not() {
        let sentence = "The amount of PLN 9,642.93 was 70.5 times the median of PLN 136.79 over 54 earlier transactions of user-7731.";
        let masked = sentence.replace("user-7731", "***7731");
        let signals =
            |text: &str| json!({"amount_deviation": {"outcome": "fired", "value": 4.96, "explanation": text}});
        for (source, shown) in [
            (json!({"source": "detector"}), signals(&masked)),
            (json!({"alert": {"source": "detector"}}), signals(&masked)),
            (json!({"producer": "detector"}), signals(&masked)),
            (json!({}), json!({"amount_deviation": {"outcome": "fired", "value": 4.96}})),
        ] {
            let mut record = source.clone();
            record["user_id"] = json!("user-7731");
            record["signals"] = signals(sentence);
            mask_records(&mut record);
            assert_eq!(record["signals"], shown, "{source}");
        }
        let mut outside = json!({"source": "external", "signals": signals("Paid by Jane Roe.")});
        mask_records(&mut outside);
        assert_eq!(outside["signals"], signals("Paid by [NAME]."));
    }

    #[test]
    fn reviewers_texts_are_masked_as_free_text() {
        check(
            json!({"items": [{"text": "Stolen card of Jane Roe", "added_by_name": "Ana"}], "next": null}),
            json!({"items": [{"text": "Stolen card of [NAME]", "added_by_name": "Ana"}], "next": null}),
        );
        check(
            json!({"event_type": "REVIEW_DECIDED", "payload": {"decision": "send_back", "comment": "Call Jane Roe."}}),
            json!({"event_type": "REVIEW_DECIDED", "payload": {"decision": "send_back", "comment": "Call [NAME]."}}),
        );
        check(
            json!({"payload": {"regeneration_of": "r-1", "feedback": "Call Jane Roe."}}),
            json!({"payload": {"regeneration_of": "r-1", "feedback": "Call [NAME]."}}),
        );
    }

    #[test]
    fn masking_twice_changes_nothing() {
        let mut record = json!({"user_id": "user-7731", "merchant": "Jane Roe", "ip_address": "198.51.100.7"});
        mask_records(&mut record);
        check(record.clone(), record);
    }
}
