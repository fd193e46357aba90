//! A fraud alert, from our detector or from somebody else's.

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
    /// Whatever else the sender knows, kept as it came.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub more: Map<String, Value>,
}

impl Alert {
    /// Checks what types can't: the bounds of open JSON. A severity that disagrees with its score is taken as given.
    pub fn validated(self) -> Result<Self, Invalid> {
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
    fn an_alert_keeps_what_its_sender_knows() {
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
    fn oversized_signals_are_refused() {
        let sent = json!({
            "alert_id": "a", "user_id": "u", "severity": "low", "score": 1,
            "metadata": {"signals": {"k": "x".repeat(70_000)}}
        });
        assert!(serde_json::from_value::<Alert>(sent).unwrap().validated().is_err());
    }
}
