//! A fraud alert, from our detector or from an outside one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{AlertId, Invalid, Score, Severity, TransactionId, UserId, text};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Alert {
    pub alert_id: AlertId,
    pub user_id: UserId,
    pub severity: Severity,
    pub score: Score,
    #[serde(default)]
    pub metadata: AlertMetadata,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AlertMetadata {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<TransactionId>,
    /// `amount_deviation`, `velocity_anomaly`, `geographic_inconsistency`, `rule_flags`; open JSON.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub signals: Map<String, Value>,
    /// Anything else that the sender knows, kept unchanged. `country` must be an ISO 3166 code of two capitals, and
    /// `explanation` a text of at most 2,000 characters.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub more: Map<String, Value>,
}

/// Room for a few paragraphs.
pub const EXPLANATION_CHARS_MAX: usize = 2_000;

impl Alert {
    /// Checks what the types can't express: the bounds of open JSON, and those of its fields that people see. A severity that
    /// does not match the score is accepted.
    ///
    /// `country` and `explanation` are open JSON in the type, so that alerts from before they were checked stay readable.
    pub fn validated(self) -> Result<Self, Invalid> {
        text::identifier("alert_id", self.alert_id.as_str(), AlertId::CHARS_MAX)?;
        text::identifier("user_id", self.user_id.as_str(), UserId::CHARS_MAX)?;
        if let Some(transaction) = &self.metadata.transaction_id {
            text::identifier("metadata.transaction_id", transaction.as_str(), TransactionId::CHARS_MAX)?;
        }
        if let Some(country) = self.metadata.more.get("country") {
            let is_code = |code: &str| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
            if !country.as_str().is_some_and(is_code) {
                return Err(Invalid::new("metadata.country", "must be an ISO 3166 code of two capitals such as PT"));
            }
        }
        if let Some(explanation) = self.metadata.more.get("explanation") {
            let text = explanation.as_str().ok_or_else(|| Invalid::new("metadata.explanation", "must be a text"))?;
            text::prose("metadata.explanation", text, EXPLANATION_CHARS_MAX)?;
        }
        text::open_json_object("metadata.signals", &self.metadata.signals)?;
        text::open_json_object("metadata", &self.metadata.more)?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_alert_keeps_everything_that_was_sent() {
        let sent = json!({
            "alert_id": "fraud-123", "user_id": "u-1", "severity": "high", "score": 75,
            "metadata": {"transaction_id": "tx-1", "signals": {"velocity_anomaly": {"count_1h": 14}}, "source": "core"}
        });
        let alert: Alert = serde_json::from_value(sent.clone()).unwrap();
        assert_eq!(serde_json::to_value(alert.validated().unwrap()).unwrap(), sent);
    }

    #[test]
    fn each_required_field_is_required() {
        let sent = json!({"alert_id": "fraud-123", "user_id": "u-1", "severity": "high", "score": 75});
        assert!(serde_json::from_value::<Alert>(sent.clone()).is_ok());
        for field in ["alert_id", "user_id", "severity", "score"] {
            let mut without = sent.clone();
            without.as_object_mut().unwrap().remove(field);
            let error = serde_json::from_value::<Alert>(without).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }

    #[test]
    fn country_and_explanation_are_checked_because_they_are_shown() {
        let read = |field: &str, value: Value| {
            let mut sent = json!({"alert_id": "a", "user_id": "u", "severity": "low", "score": 1, "metadata": {}});
            sent["metadata"][field] = value;
            serde_json::from_value::<Alert>(sent).unwrap().validated().map_err(|wrong| wrong.to_string())
        };
        let rows = [
            ("country", json!("PT"), true),
            ("country", json!("pt"), false),
            ("country", json!("Portugal"), false),
            ("country", json!(""), false),
            ("country", json!(351), false),
            ("country", json!(null), false),
            ("explanation", json!("Two cards,\none device."), true),
            ("explanation", json!("x".repeat(EXPLANATION_CHARS_MAX)), true),
            ("explanation", json!("x".repeat(EXPLANATION_CHARS_MAX + 1)), false),
            ("explanation", json!("  "), false),
            ("explanation", json!("a\u{0}b"), false),
            ("explanation", json!("a\u{202e}b"), false),
            ("explanation", json!({"text": "x"}), false),
        ];
        for (field, value, is_accepted) in rows {
            assert_eq!(read(field, value.clone()).is_ok(), is_accepted, "{field}: {value}");
        }
        let wrong = read("country", json!("Portugal")).unwrap_err();
        assert!(wrong.contains("metadata.country") && !wrong.contains("Portugal"), "{wrong}");
    }

    #[test]
    fn oversized_signals_are_refused() {
        let sent = json!({
            "alert_id": "a", "user_id": "u", "severity": "low", "score": 1,
            "metadata": {"signals": {"k": "x".repeat(70_000)}}
        });
        assert!(serde_json::from_value::<Alert>(sent).unwrap().validated().is_err());
    }
}
