//! Records as the API shows them to people who may follow cases but not read customers' data. Alerts, transactions,
//! investigations and events are masked by the same rules as what goes to a model, and keep their shape.

use serde_json::{Map, Value};

use super::{Budget, REDACTED, Redactor, is_digest, mask_id};
use crate::build::shown_signal_name;

/// How the server names the detector.
const DETECTOR: &str = "detector";
const TEXT_CHARS_MAX: usize = 600;
const LABEL_CHARS_MAX: usize = 256;
/// As long as a comment or an addendum may be.
const WORDS_CHARS_MAX: usize = 4_000;
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
            let masking = Masking { redactor: &Redactor::of_identifiers(&identifiers), source: Source::of(fields) };
            masking.fields(fields);
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

/// Whose words a record's signals are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Fixed sentences with figures, written by our own detector.
    Detector,
    Sender,
    /// The record doesn't say; only the figures of its signals are shown.
    Unknown,
}

impl Source {
    /// By fields that the server sets: the producer of an event, the source of an alert, by itself or in its investigation.
    fn of(record: &Map<String, Value>) -> Self {
        let said = |fields: &Map<String, Value>| {
            let said = fields.get("source").or_else(|| fields.get("producer")).and_then(Value::as_str);
            said.map(|said| if said == DETECTOR { Self::Detector } else { Self::Sender })
        };
        let alert = || record.get("alert").and_then(Value::as_object).and_then(said);
        said(record).or_else(alert).unwrap_or(Self::Unknown)
    }
}

struct Masking<'a> {
    redactor: &'a Redactor,
    source: Source,
}

impl Masking<'_> {
    fn fields(&self, fields: &mut Map<String, Value>) {
        let redactor = self.redactor;
        // A request for another version carries the reviewer's comment as its feedback.
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
                ("comment" | "text", Value::String(text)) => *text = redactor.text(text, WORDS_CHARS_MAX),
                ("feedback", Value::String(text)) if is_request => *text = redactor.text(text, WORDS_CHARS_MAX),
                // The supervisor's own words about an anomaly.
                ("description", Value::String(text)) => *text = redactor.own_text(text, TEXT_CHARS_MAX),
                // A degree is about a hundred kilometres: enough for a map of travel, too little to find a house.
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

    /// Open JSON of a sender: what is not known to be harmless is withheld and counted.
    fn metadata(&self, mut open: Map<String, Value>) -> Map<String, Value> {
        let is_known = |key: &str, value: &Value| match key {
            "signals" => value.is_object(),
            key => ALERT_FIELDS.contains(&key) && value.is_string(),
        };
        let keys: Vec<String> =
            open.iter().filter(|(key, value)| is_known(key, value)).map(|(key, _)| key.clone()).collect();
        let mut shown: Map<String, Value> = keys.into_iter().filter_map(|key| open.remove_entry(&key)).collect();
        self.fields(&mut shown);
        let mut budget = Budget::new(OPEN_BYTES_MAX);
        shown.extend(self.redactor.object(&open, &mut budget));
        if budget.withheld() > 0 {
            shown.insert("fields_withheld".to_owned(), budget.withheld().into());
        }
        shown
    }

    fn signals(&self, signals: &Map<String, Value>) -> Map<String, Value> {
        let mut budget = Budget::new(OPEN_BYTES_MAX);
        budget.of_detector(self.source == Source::Detector);
        let shown = signals.iter().enumerate().map(|(place, (name, signal))| {
            let Some(shown) = shown_signal_name(name, self.redactor) else {
                return (format!("unnamed {}", place + 1), Value::Null);
            };
            let figures = (self.source == Source::Unknown).then(|| figures(signal));
            (shown, self.redactor.value(name, figures.as_ref().unwrap_or(signal), &mut budget).unwrap_or(Value::Null))
        });
        shown.collect()
    }
}

/// What a signal says without words.
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
        check(
            json!([{"event_type": "X", "producer": "api", "payload": alert}]),
            json!([{"event_type": "X", "producer": "api", "payload": masked}]),
        );
    }

    #[test]
    fn the_detectors_own_words_are_kept_and_words_of_unknown_source_are_not() {
        let said = "The amount of PLN 9,642.93 was 70.5 times the median of PLN 136.79 over 54 earlier transactions of user-7731.";
        let own = said.replace("user-7731", "***7731");
        let signals =
            |said: &str| json!({"amount_deviation": {"outcome": "fired", "value": 4.96, "explanation": said}});
        for (source, shown) in [
            (json!({"source": "detector"}), signals(&own)),
            (json!({"alert": {"source": "detector"}}), signals(&own)),
            (json!({"producer": "detector"}), signals(&own)),
            (json!({}), json!({"amount_deviation": {"outcome": "fired", "value": 4.96}})),
        ] {
            let mut record = source.clone();
            record["user_id"] = json!("user-7731");
            record["signals"] = signals(said);
            mask_records(&mut record);
            assert_eq!(record["signals"], shown, "{source}");
        }
        let mut outside = json!({"source": "external", "signals": signals("Paid by Jane Roe.")});
        mask_records(&mut outside);
        assert_eq!(outside["signals"], signals("Paid by [NAME]."));
    }

    #[test]
    fn what_reviewers_write_is_masked_as_free_text() {
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
    fn a_masked_record_is_masked_already() {
        let mut record = json!({"user_id": "user-7731", "merchant": "Jane Roe", "ip_address": "198.51.100.7"});
        mask_records(&mut record);
        check(record.clone(), record);
    }
}
