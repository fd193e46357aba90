//! A signal: one thing that the detector measured about a transaction, and what it was compared with.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignalName {
    AmountDeviation,
    VelocityAnomaly,
    GeographicInconsistency,
    RuleFlags,
}

impl SignalName {
    pub const ALL: [Self; 4] =
        [Self::AmountDeviation, Self::VelocityAnomaly, Self::GeographicInconsistency, Self::RuleFlags];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AmountDeviation => "amount_deviation",
            Self::VelocityAnomaly => "velocity_anomaly",
            Self::GeographicInconsistency => "geographic_inconsistency",
            Self::RuleFlags => "rule_flags",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DetectionOutcome {
    /// At or beyond its threshold.
    Fired,
    /// Measured, and within bounds.
    Clear,
    /// Too few earlier transactions to compare with.
    InsufficientHistory,
    /// The transaction lacks the data that the signal needs.
    NotApplicable,
}

/// An entry of an alert's `metadata.signals`. Values are rounded for display.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Signal {
    pub outcome: DetectionOutcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The unit of `value` and `threshold`, such as `modified z-score` or `km/h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Points that it adds to the score.
    pub contribution: u8,
    /// One sentence.
    pub explanation: String,
    /// What the value was compared with.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub baseline: Map<String, Value>,
    /// What else was measured.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub details: Map<String, Value>,
    /// The rules that held. Only `rule_flags` has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<RuleFlag>,
}

/// A rule that held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RuleFlag {
    pub name: String,
    pub weight: u8,
    pub message: String,
}
