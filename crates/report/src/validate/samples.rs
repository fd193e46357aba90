//! Sample reports for tests, written by the built-in writer: an ordinary one, a rich one, and a thin one (an external
//! alert with nothing else on record).

use std::sync::LazyLock;

use countersign_domain::{InvestigationId, ReportId, Section, Time};
use countersign_ledger::sha256;
use serde_json::{Value, json};

use super::ValidationInput;
use crate::{Content, Context, LicensedTexts, SectionRecord, WrittenBy, structured_data, writer::Writer};

pub(super) fn now() -> Time {
    "2026-05-02T15:00:00Z".parse().unwrap()
}

pub(super) fn ordinary() -> Content {
    content(ordinary_context())
}

/// A full report, not an internal one, so that the narrative is checked too.
pub(super) fn thin() -> Content {
    content(thin_context())
}

/// The ordinary case with a long history and every signal beyond its threshold.
pub(super) fn rich() -> Content {
    let mut context = serde_json::to_value(ordinary_context()).unwrap();
    let earlier = context["timeline"][1].clone();
    let events = context["timeline"].as_array_mut().unwrap();
    for _ in 0..190 {
        events.insert(1, earlier.clone());
    }
    context["timeline_omitted"] = json!(4_000);
    context["signals"][3]["flags"] = json!(vec![json!({"name": "r", "weight": 1, "message": "may be fraud"}); 60]);
    content(serde_json::from_value(context).unwrap())
}

/// No texts are known to be licensed, so every text is checked.
static UNKNOWN: LazyLock<LicensedTexts> = LazyLock::new(LicensedTexts::default);

/// The report with a matching alert and hash.
pub(super) fn input<'a>(content: &'a Content, hash: &'a str) -> ValidationInput<'a> {
    ValidationInput {
        content,
        stored_hash: hash,
        actual_hash: hash,
        alert_severity: content.severity,
        alert_score: content.risk_score,
        regenerations_so_far: 0,
        a_model_was_asked: true,
        licensed: &UNKNOWN,
    }
}

pub(super) fn section_mut(content: &mut Content, section: Section) -> &mut String {
    match section {
        Section::ExecutiveSummary => &mut content.executive_summary,
        Section::FraudExplanation => &mut content.fraud_explanation,
        Section::TimelineNarrative => &mut content.timeline_narrative,
        Section::RiskJustification => &mut content.risk_justification,
        Section::InvestigationNarrative => &mut content.investigation_narrative,
    }
}

/// Updates the values that are derived from a changed context.
pub(super) fn rederive(content: &mut Content) {
    content.structured_data = structured_data(&content.context);
    content.context_sha256 = sha256(serde_json::to_string(&content.context).unwrap().as_bytes()).to_hex();
}

fn content(context: Context) -> Content {
    let writer = Writer::of(&context);
    let texts = Section::ALL.map(|section| writer.section(section));
    let [executive_summary, fraud_explanation, timeline_narrative, risk_justification, investigation_narrative] = texts;
    let alert = context.case.alert_id.parse().unwrap();
    let record = |section| SectionRecord {
        section,
        words: 0,
        written_by: WrittenBy::Model,
        model: Some("provider/model".to_owned()),
        template: "report-1".to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: Vec::new(),
        sentences: Vec::new(),
    };
    let mut content = Content {
        id: ReportId::of_version(&alert, context.case.report_type, 1),
        version: 1,
        regeneration_of: None,
        transaction_id: context.transaction.as_ref().map(|transaction| transaction.transaction_id.parse().unwrap()),
        investigation_id: InvestigationId::of_alert(&alert),
        fraud_detection_id: alert,
        report_type: context.case.report_type,
        severity: context.case.severity,
        risk_score: context.case.risk_score,
        regulatory_impact: context.case.regulatory_impact,
        executive_summary,
        fraud_explanation,
        timeline_narrative,
        risk_justification,
        investigation_narrative,
        recommended_next_steps: Vec::new(),
        regulatory_statement: None,
        extended_analysis: None,
        markdown_content: String::new(),
        structured_data: Value::Null,
        generated_at: now(),
        revision: None,
        sections: Section::ALL.map(record).to_vec(),
        context,
        context_sha256: String::new(),
    };
    rederive(&mut content);
    content
}

fn ordinary_context() -> Context {
    let investigation = InvestigationId::of_alert(&"fraud-123".parse().unwrap());
    let usd = |amount: &str| json!({"amount": amount, "currency": "USD"});
    let lisbon = json!({"country": "PT", "country_name": "Portugal", "city": "Lisbon"});
    let berlin = json!({"country": "DE", "country_name": "Germany", "city": "Berlin"});
    let flag = json!({"name": "new_country_high_amount", "weight": 12, "message": "A high amount in a new country."});
    let context = json!({
        "case": {"alert_id": "fraud-123", "investigation_id": investigation, "report_type": "compliance",
            "severity": "HIGH", "risk_score": 75, "regulatory_impact": "medium",
            "alert_created_at": "2026-03-01T09:30:01Z", "source": "detector"},
        "subject": {"user_id": "***4821", "relationship": "account holder", "transaction_count": 41,
            "account_opened_at": "2024-06-12T00:00:00Z", "first_transaction_at": "2025-09-03T10:00:00Z"},
        "transaction": {"transaction_id": "tx-771", "amount": usd("4850.00"), "occurred_at": "2026-03-01T09:30:00Z",
            "status": "completed", "channel": "card_not_present", "merchant": "Nordlicht Elektronik", "location": berlin},
        "signals": [
            {"name": "amount_deviation", "outcome": "fired", "value": 9.41, "threshold": 3.5,
                "unit": "modified z-score", "contribution": 41},
            {"name": "velocity_anomaly", "outcome": "clear", "value": 2.0, "threshold": 5.0,
                "unit": "transactions in 1 hour", "contribution": 0},
            {"name": "geographic_inconsistency", "outcome": "fired", "value": 1240.0, "threshold": 900.0,
                "unit": "km/h", "contribution": 22},
            {"name": "rule_flags", "outcome": "fired", "value": 1.0, "contribution": 12, "flags": [flag]},
        ],
        "score": {"total": 75, "maximum": 100, "sum": 75, "is_capped": false, "band_from": 60, "band_to": 79,
            "agrees_with_severity": true, "contributions": [
                {"signal": "amount_deviation", "points": 41}, {"signal": "geographic_inconsistency", "points": 22},
                {"signal": "rule_flags", "points": 12}]},
        "baseline": {"transactions": 40, "first_at": "2025-09-03T10:00:00Z", "last_at": "2026-02-27T18:00:00Z",
            "days": 177, "median_amount": usd("62.50"), "smallest_amount": usd("3.20"),
            "largest_amount": usd("310.00"), "total_amount": usd("2710.00"), "ratio_to_median": 77.6,
            "countries": [{"country": "PT", "country_name": "Portugal", "transactions": 40}]},
        "correlation": correlation(),
        "timeline": [
            {"timestamp": "2024-06-12T00:00:00Z", "happening": "account_opened", "event": "The account was opened."},
            {"timestamp": "2026-03-01T08:15:00Z", "happening": "prior_transaction", "event": "USD 58.20 in Portugal.",
                "amount": usd("58.20"), "location": lisbon},
            {"timestamp": "2026-03-01T09:30:00Z", "happening": "transaction", "event": "USD 4850.00 in Germany.",
                "amount": usd("4850.00"), "location": berlin},
            {"timestamp": "2026-03-01T09:30:01Z", "happening": "alert_created", "event": "The alert was created."},
        ],
        "timeline_omitted": 39,
    });
    serde_json::from_value(context).unwrap()
}

fn thin_context() -> Context {
    let investigation = InvestigationId::of_alert(&"ext-9".parse().unwrap());
    let context = json!({
        "case": {"alert_id": "ext-9", "investigation_id": investigation, "report_type": "full",
            "severity": "MEDIUM", "risk_score": 55, "regulatory_impact": "low",
            "alert_created_at": "2026-05-02T14:00:00Z", "source": "external"},
        "subject": {"user_id": "***0007", "relationship": "account holder", "transaction_count": 0},
        "signals": [],
        "score": {"total": 55, "maximum": 100, "contributions": [], "sum": 0, "is_capped": false,
            "band_from": 40, "band_to": 59, "agrees_with_severity": true},
        "correlation": correlation(),
        "timeline": [
            {"timestamp": "2026-05-02T14:00:00Z", "happening": "alert_created", "event": "The alert was created."},
            {"timestamp": "2026-05-02T14:00:00Z", "happening": "investigation_opened",
                "event": "The investigation was opened."},
        ],
        "timeline_omitted": 0,
    });
    serde_json::from_value(context).unwrap()
}

fn correlation() -> Value {
    let none = json!({"low": 0, "medium": 0, "high": 0, "critical": 0});
    json!({"prior_alerts": 0, "prior_alerts_by_severity": none, "similar_alerts": 0, "similar_within_points": 10})
}
