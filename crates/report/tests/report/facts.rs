//! Computed values: the figures of a context and the structured data.

use countersign_domain::{
    Section,
    payload::{Level, ReportType},
};
use countersign_factcheck::{Facts, check};
use countersign_report::{AlertSource, TransactionStatus, structured_data, writer};
use serde_json::json;

use crate::cases::{ordinary, read, thin};

#[test]
fn an_ordinary_case_is_computed_exactly() {
    let context = ordinary(ReportType::Full).context();
    let case = &context.case;
    assert_eq!((case.alert_id.as_str(), case.source), ("alert-2026-0301", AlertSource::Detector));
    assert_eq!((case.regulatory_impact, case.rules_hash.as_deref()), (Level::High, Some("a".repeat(64).as_str())));
    let subject = &context.subject;
    assert_eq!((subject.user_id.as_str(), subject.account_age_days), ("***7731", Some(2251)));
    assert_eq!(subject.first_transaction_at.unwrap().to_string(), "2026-01-01T12:00:00.000000Z");
    let transaction = context.transaction.as_ref().unwrap();
    assert_eq!(transaction.status, TransactionStatus::Completed);
    assert_eq!(transaction.source_of_funds.as_deref(), Some("credit line"));
    assert_eq!(transaction.location.as_ref().unwrap().country_name, "Singapore");
    let baseline = serde_json::to_value(context.baseline.as_ref().unwrap()).unwrap();
    let usd = |amount: &str| json!({"amount": amount, "currency": "USD"});
    // Forty amounts from 60.00 to 99.00: the median lies between 79 and 80, the sum is 40 times 79.50.
    let expected = json!({
        "transactions": 40, "first_at": "2026-01-01T12:00:00.000000Z", "last_at": "2026-02-12T12:39:00.000000Z", "days": 42,
        "median_amount": usd("79.50"), "smallest_amount": usd("60.00"), "largest_amount": usd("99.00"),
        "total_amount": usd("3180.00"), "ratio_to_median": 52.8, "difference_from_median": usd("4120.50"),
        "countries": [{"country": "PT", "country_name": "Portugal", "transactions": 40}]
    });
    assert_eq!(baseline, expected);
    let score = serde_json::to_value(&context.score).unwrap();
    let expected = json!({
        "total": 93, "maximum": 100, "sum": 93, "is_capped": false, "band_from": 80, "band_to": 100,
        "agrees_with_severity": true, "contributions": [
            {"signal": "amount_deviation", "points": 41}, {"signal": "geographic_inconsistency", "points": 37},
            {"signal": "rule_flags", "points": 15}]
    });
    assert_eq!(score, expected);
    assert_eq!((context.correlation.prior_alerts, context.correlation.prior_alerts_by_severity.high), (1, 1));
}

#[test]
fn other_currencies_give_no_baseline_and_an_equal_amount_gives_no_difference() {
    let mut case = ordinary(ReportType::Internal);
    case.transaction.as_mut().unwrap().amount = read(json!({"amount": "100", "currency": "EUR"}));
    assert!(case.context().baseline.is_none());
    case.transaction.as_mut().unwrap().amount = read(json!({"amount": "79.50", "currency": "USD"}));
    let baseline = case.context().baseline.unwrap();
    assert_eq!((baseline.difference_from_median, baseline.ratio_to_median), (None, Some(1.0)));
}

#[test]
fn a_later_transaction_is_not_history() {
    let mut case = ordinary(ReportType::Internal);
    case.history.iter_mut().for_each(|transaction| transaction.occurred_at = "2026-03-02T00:00:00Z".parse().unwrap());
    assert!(case.context().baseline.is_none());
}

#[test]
fn a_severity_that_disagrees_with_its_score_is_kept_and_shown() {
    let mut case = thin();
    case.alert = read(json!({"alert_id": "ext-1", "user_id": "u", "severity": "critical", "score": 44}));
    let score = case.context().score;
    assert_eq!((score.agrees_with_severity, score.band_from, score.band_to), (false, 80, 100));
}

#[test]
fn the_order_of_the_history_changes_nothing() {
    let mut case = ordinary(ReportType::Full);
    let before = case.context();
    case.history.reverse();
    assert_eq!(case.context(), before);
}

#[test]
fn structured_data_has_the_names_that_readers_expect() {
    let data = structured_data(&ordinary(ReportType::Full).context());
    assert_eq!((&data["severity"], &data["risk_score"]), (&json!("CRITICAL"), &json!(93)));
    assert_eq!(data["signals"]["amount_deviation"]["value"], json!(7.2));
    assert_eq!(data["signals"]["rule_flags"]["flags"][0]["name"], json!("new_device"));
    let event = &data["timeline_events"][0];
    assert_eq!(
        (&event["timestamp"], &event["event"]),
        (&json!("2020-01-01T00:00:00.000000Z"), &json!("Account opened."))
    );
    assert_eq!(data["subject"]["user_id"], json!("***7731"));
    let data = structured_data(&thin().context());
    for signal in ["amount_deviation", "velocity_anomaly", "geographic_inconsistency", "rule_flags"] {
        assert!(data["signals"].get(signal).unwrap().is_null());
    }
    assert_eq!(data["timeline_events"].as_array().unwrap().len(), 2);
}

#[test]
fn the_built_in_writers_text_is_grounded_in_a_built_context() {
    for case in [ordinary(ReportType::Full), ordinary(ReportType::Compliance), thin()] {
        let context = case.context();
        let facts = Facts::of(&serde_json::to_value(&context).unwrap());
        for section in Section::ALL {
            let text = writer::Writer::of(&context).section(section);
            let refused = check(&text, &facts).refused;
            let refused: Vec<_> = refused.iter().map(|refused| refused.describe()).collect();
            assert!(refused.is_empty(), "{section:?}: {refused:?}\n{text}");
        }
    }
}
