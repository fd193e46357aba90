//! An audit: what the built-in inspectors found in an answer, and what an auditor model said about it, joined into one verdict.
//!
//! Joining only ever adds: flags by OR, the score by maximum. A model can't talk a finding away, and a model that gives no verdict
//! never makes an answer look audited.
//!
//! Fields are declared in alphabetical order, which is the order in which audits have always been stored.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{RiskScore, RiskStatus, Time, payload::Level};

/// An answer whose audit failed is at least a Warning.
const UNAUDITED_SCORE: u8 = 4;

/// What kind of risk a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Kind, rename_all = "lowercase")]
pub enum FindingKind {
    Pii,
    Toxicity,
    Injection,
    Grounding,
}

impl FindingKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pii => "pii",
            Self::Toxicity => "toxicity",
            Self::Injection => "injection",
            Self::Grounding => "grounding",
        }
    }
}

/// Who judged the answer besides the inspectors, which always do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditedBy {
    Model,
    Builtin,
    /// A model was asked and gave no usable verdict. This is a verdict of its own, never a pass.
    Failed,
}

/// The text that a finding is in, if it is not the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditedText {
    Query,
}

/// Why a policy withheld an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Withheld {
    Flagged,
    Unaudited,
}

impl Withheld {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Flagged => "flagged",
            Self::Unaudited => "unaudited",
        }
    }
}

/// An audit as it is stored and shown
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    pub auditor: AuditedBy,
    /// From 0 to 1.
    pub confidence: f64,
    /// What was found, and how the score is made up, for people to read.
    pub details: String,
    pub findings: Vec<AuditFinding>,
    pub hallucination_detected: bool,
    /// The version of the inspectors.
    #[schema(value_type = String)]
    pub inspectors: Cow<'static, str>,
    /// The auditor model's call, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Judge>,
    /// The auditor model, or `builtin` if only the inspectors judged.
    pub model: String,
    pub pii_detected: bool,
    pub prompt_injection_detected: bool,
    /// Personal data in the query, apart from the answer's findings: it does not count in `risk_score`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query_findings: Vec<AuditFinding>,
    #[serde(default)]
    pub query_pii_detected: bool,
    /// How risky the personal data in the query is by itself.
    #[serde(default)]
    pub query_risk_score: RiskScore,
    pub risk_score: RiskScore,
    pub timestamp: Time,
    pub toxic_content_detected: bool,
    /// Why a policy withheld the answer, if one did: `flagged` or `unaudited`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub withheld: Option<Withheld>,
}

/// Something in an answer, or in its query, that an inspector or the auditor model points at
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditFinding {
    #[schema(value_type = String)]
    pub detector: Cow<'static, str>,
    /// Exclusive.
    pub end: usize,
    pub explanation: String,
    #[serde(rename = "in", default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "query")]
    pub inside: Option<AuditedText>,
    pub kind: FindingKind,
    /// Whether the words were masked before the answer was released.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub masked: bool,
    /// A name, place, organisation, date or the like that identifies nobody. It does not count in the score and never sets
    /// `pii_detected`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mention: bool,
    /// Risk from 0 to 1. From 0.5 on, an inspector counts the finding.
    pub score: f64,
    pub severity: Level,
    /// In code points of the response, or of the query if `in` says so.
    pub start: usize,
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "EMAIL")]
    pub finding_type: Cow<'static, str>,
}

/// The call of the auditor model, with everything that is needed to replay its verdict
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    pub attempts: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// A random text that enclosed the texts under audit in the prompt.
    pub marker: String,
    pub max_tokens: u32,
    pub model: String,
    pub provider: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_reply: Option<String>,
    /// Whether the model was asked once more, because its first reply was not readable JSON.
    pub repaired: bool,
    pub temperature: f64,
    /// The version of the prompt.
    #[schema(value_type = String)]
    pub template: Cow<'static, str>,
    /// The hash of the prompt's text.
    #[schema(value_type = String)]
    pub template_sha256: Cow<'static, str>,
}

/// An auditor model's reply, after it has been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeVerdict {
    pub risk_score: RiskScore,
    pub hallucination_detected: bool,
    pub pii_detected: bool,
    pub toxic_content_detected: bool,
    pub prompt_injection_detected: bool,
    pub details: String,
    pub confidence: f64,
    pub findings: Vec<AuditFinding>,
}

impl Audit {
    /// Adds a model's verdict to the inspectors' findings.
    pub fn joined(mut self, verdict: JudgeVerdict, judge: Judge) -> Self {
        let is_found = self.findings.iter().any(|finding| !finding.mention);
        let found = is_found.then(|| std::mem::take(&mut self.details));
        self.risk_score = self.risk_score.max(verdict.risk_score);
        self.hallucination_detected |= verdict.hallucination_detected;
        self.pii_detected |= verdict.pii_detected;
        self.toxic_content_detected |= verdict.toxic_content_detected;
        self.prompt_injection_detected |= verdict.prompt_injection_detected;
        self.details = match (verdict.details.is_empty(), found) {
            (true, None) => "The auditor gave no details.".to_owned(),
            (true, Some(found)) => found,
            (false, None) => verdict.details,
            (false, Some(found)) => format!("{} {found}", verdict.details),
        };
        self.confidence = verdict.confidence;
        self.model = judge.model.clone();
        self.findings.extend(verdict.findings);
        self.auditor = AuditedBy::Model;
        self.judge = Some(judge);
        self
    }

    /// Records that the model gave no verdict, so that the answer can't be mistaken for an audited one.
    pub fn unaudited(mut self, judge: Judge) -> Self {
        let minimum = RiskScore::try_from(UNAUDITED_SCORE).unwrap_or(self.risk_score);
        self.risk_score = self.risk_score.max(minimum);
        let why = judge.error.as_deref().unwrap_or("it gave no verdict");
        self.details =
            format!("The auditor model failed ({why}); only the built-in inspectors judged. {}", self.details);
        self.model = judge.model.clone();
        self.auditor = AuditedBy::Failed;
        self.judge = Some(judge);
        self
    }

    pub fn status(&self) -> RiskStatus {
        self.risk_score.status()
    }
}

/// The audit in the payload of an event. An audit that another version wrote may lack fields or have others; it is kept unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredAudit {
    Known(Box<Audit>),
    Other(Map<String, Value>),
}

impl StoredAudit {
    /// `None` if the audit of another version has no score from 0 to 10.
    pub fn risk_score(&self) -> Option<RiskScore> {
        match self {
            Self::Known(audit) => Some(audit.risk_score),
            Self::Other(fields) => {
                let score = fields.get("risk_score").and_then(Value::as_u64)?;
                RiskScore::try_from(u8::try_from(score).ok()?).ok()
            }
        }
    }
}

impl From<Audit> for StoredAudit {
    fn from(audit: Audit) -> Self {
        Self::Known(Box::new(audit))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn inspected(score: u8, pii: bool) -> Audit {
        Audit {
            auditor: AuditedBy::Builtin,
            confidence: 0.6,
            details: "The built-in inspectors found nothing risky.".to_owned(),
            findings: Vec::new(),
            hallucination_detected: false,
            inspectors: "test".into(),
            judge: None,
            model: "builtin".to_owned(),
            pii_detected: pii,
            prompt_injection_detected: false,
            query_findings: Vec::new(),
            query_pii_detected: false,
            query_risk_score: RiskScore::default(),
            risk_score: RiskScore::try_from(score).unwrap(),
            timestamp: Time::from_micros(1_700_000_000_000_000).unwrap(),
            toxic_content_detected: false,
            withheld: None,
        }
    }

    fn judge() -> Judge {
        Judge {
            attempts: 1,
            error: None,
            marker: "m".into(),
            max_tokens: 1,
            model: "gemini-2.5-flash".into(),
            provider: "gemini".into(),
            raw_reply: None,
            repaired: false,
            temperature: 0.0,
            template: "t".into(),
            template_sha256: "h".into(),
        }
    }

    fn verdict(score: u8, pii: bool) -> JudgeVerdict {
        JudgeVerdict {
            risk_score: RiskScore::try_from(score).unwrap(),
            hallucination_detected: false,
            pii_detected: pii,
            toxic_content_detected: false,
            prompt_injection_detected: false,
            details: "Fine.".into(),
            confidence: 0.9,
            findings: Vec::new(),
        }
    }

    #[test]
    fn a_model_can_raise_a_score_but_never_lower_it() {
        let lower = inspected(9, true).joined(verdict(0, false), judge());
        assert_eq!((lower.risk_score.get(), lower.pii_detected), (9, true));
        let higher = inspected(0, false).joined(verdict(9, true), judge());
        assert_eq!((higher.risk_score.get(), higher.pii_detected, higher.auditor), (9, true, AuditedBy::Model));
        assert_eq!(higher.status(), RiskStatus::Flagged);
    }

    #[test]
    fn an_answer_without_its_audit_is_at_least_a_warning() {
        let audit = inspected(0, false).unaudited(judge());
        assert_eq!((audit.risk_score.get(), audit.status()), (4, RiskStatus::Warning));
        assert_eq!(audit.auditor, AuditedBy::Failed);
        assert_eq!(inspected(9, true).unaudited(judge()).status(), RiskStatus::Flagged);
    }

    #[test]
    fn an_audit_is_stored_with_its_fields_in_alphabetical_order_and_read_again() {
        let mut audit = inspected(5, true).joined(verdict(6, true), judge());
        audit.withheld = Some(Withheld::Unaudited);
        audit.findings.push(AuditFinding {
            detector: "pii/email".into(),
            end: 9,
            explanation: "a pattern".into(),
            inside: Some(AuditedText::Query),
            kind: FindingKind::Pii,
            masked: true,
            mention: true,
            score: 0.75,
            severity: Level::Medium,
            start: 1,
            finding_type: "EMAIL".into(),
        });
        let stored = serde_json::to_string(&StoredAudit::from(audit.clone())).unwrap();
        let sorted: Value = serde_json::from_str(&stored).unwrap();
        assert_eq!(stored, sorted.to_string(), "a map of serde_json is sorted");
        assert_eq!(serde_json::from_str::<StoredAudit>(&stored).unwrap(), StoredAudit::from(audit));
    }

    #[test]
    fn an_audit_of_another_version_is_kept_unchanged() {
        for (fields, score) in [
            (json!({"risk_score": 3, "pii_detected": true}), Some(3)),
            (json!({"risk_score": 11}), None),
            (json!({"risk_score": "3"}), None),
            (json!({}), None),
        ] {
            let audit: StoredAudit = serde_json::from_value(fields.clone()).unwrap();
            assert_eq!(audit.risk_score().map(RiskScore::get), score, "{fields}");
            assert_eq!(serde_json::to_value(&audit).unwrap(), fields);
        }
        let mut newer = serde_json::to_value(inspected(2, false)).unwrap();
        newer["added_later"] = json!([1]);
        let audit: StoredAudit = serde_json::from_value(newer.clone()).unwrap();
        assert_eq!(serde_json::to_value(&audit).unwrap(), newer);
    }
}
