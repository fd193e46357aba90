//! Cases for report tests: an ordinary one and a thin one.

use countersign_domain::{
    Alert, InvestigationId, ReportId, Section, Time, Transaction, payload::ReportType, report::count_words,
};
use countersign_report::{
    BySeverity, Content, Context, ContextInputs, Correlation, EarlierAlert, ReportMeta, ReportTexts, SectionRecord,
    TracedFact, WrittenBy, markdown, structured_data,
};
use serde_json::{Value, json};

/// The data that [`ContextInputs`] borrows.
pub(crate) struct Case {
    pub(crate) alert: Alert,
    pub(crate) report_type: ReportType,
    pub(crate) from_detector: bool,
    pub(crate) transaction: Option<Transaction>,
    pub(crate) history: Vec<Transaction>,
    pub(crate) prior_alerts: Vec<EarlierAlert>,
}

impl Case {
    pub(crate) fn context(&self) -> Context {
        Context::build(&self.inputs())
    }

    pub(crate) fn inputs(&self) -> ContextInputs<'_> {
        let by = BySeverity { high: self.prior_alerts.len() as u64, ..BySeverity::default() };
        ContextInputs {
            alert: &self.alert,
            alert_created_at: at("2026-03-01T09:30:05Z"),
            alert_from_detector: self.from_detector,
            report_type: self.report_type,
            regulatory_impact: None,
            transaction: self.transaction.as_ref(),
            history: &self.history,
            transaction_count: self.history.len() as u64,
            first_transaction_at: None,
            prior_alerts: &self.prior_alerts,
            correlation: Correlation::new(by, self.prior_alerts.iter().map(|alert| alert.created_at).max(), 3, 5),
        }
    }
}

pub(crate) fn at(text: &str) -> Time {
    text.parse().unwrap()
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// One transaction far above forty earlier ones, with four signals.
pub(crate) fn ordinary(report_type: ReportType) -> Case {
    let history = (0..40).map(|n| earlier(n, "user-7731")).collect();
    let alert = |severity| EarlierAlert { created_at: at("2026-02-20T11:00:00Z"), severity, score: read(json!(71)) };
    Case {
        alert: read(json!({
            "alert_id": "alert-2026-0301", "user_id": "user-7731", "severity": "critical", "score": 93,
            "metadata": {"transaction_id": "tx-1", "rules_hash": "a".repeat(64), "signals": {
                "amount_deviation": {"outcome": "fired", "value": 7.2, "threshold": 3.5, "unit": "modified z-score",
                    "contribution": 41, "explanation": "USD 4,200.00 was 52.5 times the median of USD 80.00.",
                    "baseline": {"transactions": 40}, "details": {"ratio_to_median": 52.5}},
                "velocity_anomaly": {"outcome": "clear", "value": 2, "threshold": 8, "unit": "transactions in 1 h",
                    "contribution": 0, "explanation": "Two transactions took place within one hour."},
                "geographic_inconsistency": {"outcome": "fired", "value": 5400, "threshold": 1000, "unit": "km/h",
                    "contribution": 37, "explanation": "The card was used in Lisbon and Singapore within two hours."},
                "rule_flags": {"outcome": "fired", "contribution": 15, "explanation": "Two rules held.", "flags": [
                    {"name": "new_device", "weight": 10, "message": "The device had not been seen before."},
                    {"name": "night_hours", "weight": 5, "message": "It was night at the location."}]}
            }}
        })),
        report_type,
        from_detector: true,
        transaction: Some(read(json!({
            "transaction_id": "tx-1", "user_id": "user-7731", "amount": {"amount": "4200.00", "currency": "USD"},
            "occurred_at": "2026-03-01T09:30:00Z", "merchant": "Orchard Electronics", "category": "electronics",
            "channel": "card_present", "location": {"lat": 1.35, "lon": 103.8, "country": "SG", "city": "Singapore"},
            "ip_address": "198.51.100.7", "device_fingerprint": "d-99887766", "account_opened_at": "2020-01-01T00:00:00Z",
            "metadata": {"status": "settled", "memo": "two cameras", "source_of_funds": "credit line", "terminal": {"id": 7}}
        }))),
        history,
        prior_alerts: vec![alert(countersign_domain::Severity::High)],
    }
}

pub(crate) fn earlier(n: usize, user: &str) -> Transaction {
    read(json!({
        "transaction_id": format!("tx-old-{n}"), "user_id": user,
        "amount": {"amount": format!("{}.00", 60 + n), "currency": "USD"},
        "occurred_at": format!("2026-{:02}-{:02}T12:{:02}:00Z", 1 + n / 28, 1 + n % 28, n % 60),
        "merchant": "Corner Shop", "location": {"lat": 38.7, "lon": -9.1, "country": "PT", "city": "Lisbon"}
    }))
}

/// An external alert with nothing else on record.
pub(crate) fn thin() -> Case {
    Case {
        alert: read(json!({"alert_id": "ext-1", "user_id": "user-7731", "severity": "medium", "score": 44})),
        report_type: ReportType::Internal,
        from_detector: false,
        transaction: None,
        history: Vec::new(),
        prior_alerts: Vec::new(),
    }
}

/// A complete report about a case. Its prose is short, because the tests check everything else in the report.
pub(crate) fn content(case: &Case, parts: &ReportTexts) -> Content {
    let context = case.context();
    let report_type = context.case.report_type;
    let context_sha256 = "c".repeat(64);
    let texts = [
        &parts.executive_summary,
        &parts.fraud_explanation,
        &parts.timeline_narrative,
        &parts.risk_justification,
        &parts.investigation_narrative,
    ];
    let sections: Vec<_> =
        Section::ALL.into_iter().zip(texts).map(|(section, text)| record(section, text, &context)).collect();
    let generated_at = at("2026-03-01T09:30:09Z");
    let id = ReportId::of_version(&case.alert.alert_id, report_type, 1);
    let meta = ReportMeta {
        report_id: &id,
        version: 1,
        regeneration_of: None,
        generated_at,
        context_sha256: &context_sha256,
        sections: &sections,
    };
    Content {
        version: 1,
        regeneration_of: None,
        transaction_id: case.alert.metadata.transaction_id.clone(),
        fraud_detection_id: case.alert.alert_id.clone(),
        investigation_id: InvestigationId::of_alert(&case.alert.alert_id),
        report_type,
        severity: context.case.severity,
        risk_score: context.case.risk_score,
        regulatory_impact: context.case.regulatory_impact,
        executive_summary: parts.executive_summary.clone(),
        fraud_explanation: parts.fraud_explanation.clone(),
        timeline_narrative: parts.timeline_narrative.clone(),
        risk_justification: parts.risk_justification.clone(),
        investigation_narrative: parts.investigation_narrative.clone(),
        recommended_next_steps: parts.recommended_next_steps.clone(),
        regulatory_statement: parts.regulatory_statement.clone(),
        extended_analysis: parts.extended_analysis.clone(),
        markdown_content: markdown(&context, parts, &meta, &structured_data(&context)),
        structured_data: structured_data(&context),
        generated_at,
        revision: None,
        sections: sections.clone(),
        context,
        context_sha256: context_sha256.clone(),
        id: id.clone(),
    }
}

/// Traces the amount to its fact, if the text states the amount.
fn record(section: Section, text: &str, context: &Context) -> SectionRecord {
    let figure = "USD 4,200.00";
    let start = text.find(figure).filter(|_| context.transaction.is_some()).map(|at| text[..at].chars().count());
    let facts = start.map(|start| TracedFact {
        start,
        end: start + figure.chars().count(),
        text: figure.to_owned(),
        path: "/transaction/amount".to_owned(),
    });
    SectionRecord {
        section,
        words: count_words(text),
        written_by: WrittenBy::Model,
        model: Some("gemini/flash".to_owned()),
        template: "report-1".to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: facts.into_iter().collect(),
        sentences: Vec::new(),
    }
}

pub(crate) fn parts(text: &str) -> ReportTexts {
    ReportTexts {
        executive_summary: format!("Summary: {text}"),
        fraud_explanation: format!("Explanation: {text}"),
        timeline_narrative: format!("Timeline: {text}"),
        risk_justification: format!("Justification: {text}"),
        investigation_narrative: format!("Narrative: {text}"),
        recommended_next_steps: vec![format!("Review {text}"), "Ask the account holder.".to_owned()],
        regulatory_statement: Some(format!("Statement: {text}")),
        extended_analysis: Some(format!("Analysis: {text}")),
    }
}
