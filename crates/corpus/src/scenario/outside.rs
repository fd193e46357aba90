//! External alerts in the formats of other systems, and their contexts.

use countersign_domain::{Alert, Severity, Time};
use countersign_report::{Context, ContextInputs};
use serde_json::json;

use super::{earlier_alerts, moment, report_type};
use crate::chance::Chance;

/// An external alert in one of the formats that other systems use.
pub(super) fn outside_alert(variant: u64, user: &str, transaction: Option<&str>) -> Option<Alert> {
    let signals = match variant % 5 {
        0 => json!({"velocity_anomaly": {"count_1h": 14, "limit": 6, "triggered": true}, "device_risk": 0.87}),
        1 => json!({"amount_deviation": {"value": 6.4, "threshold": 3.5, "unit": "modified z-score", "points": 44,
            "fired": true}, "merchant_risk": {"score": 0.71, "flagged": true}}),
        2 => json!({"geographic_inconsistency": {"value": 2210.0, "threshold": 900.0, "unit": "km/h", "fired": true},
            "rule_flags": {"fired": false}}),
        3 => json!({"chargeback_history": {"chargebacks_30d": 4, "limit": 2, "detected": true}}),
        _ => json!({"velocity_anomaly": {"value": 11, "threshold": 5, "unit": "transactions in 1 hour", "fired": true,
            "points": 38}, "amount_deviation": {"value": 2.1, "threshold": 3.5, "fired": false}}),
    };
    let score = 41 + (variant * 13) % 59;
    let score = countersign_domain::Score::new(u8::try_from(score).ok()?).ok()?;
    let mut metadata = json!({"signals": signals, "source": "core banking"});
    if let Some(transaction) = transaction {
        metadata["transaction_id"] = json!(transaction);
    }
    serde_json::from_value(json!({
        "alert_id": format!("ext-{}", 7_301 + 41 * variant), "user_id": user,
        "severity": Severity::of(score), "score": score, "metadata": metadata
    }))
    .ok()
}

/// The context of an external alert with signals and without a transaction.
pub(super) fn outside_with_signals(variant: u64, chance: &mut Chance) -> Option<Context> {
    let alert = outside_alert(variant + 50, &format!("client-{}", 9_020 + 7 * variant), None)?;
    without_transaction(&alert, variant, chance)
}

/// The context of an external alert with neither signals nor a transaction.
pub(super) fn outside_thin(variant: u64, chance: &mut Chance) -> Option<Context> {
    let mut alert = outside_alert(variant + 200, &format!("client-{}", 3_010 + 11 * variant), None)?;
    alert.metadata.signals.clear();
    without_transaction(&alert, variant, chance)
}

fn without_transaction(alert: &Alert, variant: u64, chance: &mut Chance) -> Option<Context> {
    let created = Time::from_micros(moment(chance)).ok()?;
    let (prior, correlation) = earlier_alerts(variant, created, chance)?;
    Some(Context::build(&ContextInputs {
        alert,
        alert_created_at: created,
        alert_from_detector: false,
        report_type: report_type(variant),
        regulatory_impact: None,
        transaction: None,
        history: &[],
        transaction_count: 0,
        first_transaction_at: None,
        prior_alerts: &prior,
        correlation,
    }))
}
