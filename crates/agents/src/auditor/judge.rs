//! Asking a model for a verdict: what is under audit is data, and what comes back is checked, never clamped.

use std::sync::LazyLock;

use countersign_domain::{RiskScore, Time};
use countersign_inspect::Kind;
use countersign_ledger::sha256;
use countersign_llm::{Attempt, CallError, Calls, Journal, Message, Models, Prompt, Purpose, Schema, Target};
use serde::Deserialize;
use serde_json::json;

use super::audit::{Audit, AuditFinding, Judge, Verdict, level};

/// Changes with the text of `prompt.md`.
const TEMPLATE: &str = "audit-1";
const TEMPLATE_TEXT: &str = include_str!("prompt.md");
const TEMPERATURE: f64 = 0.0;
const MAX_TOKENS: u32 = 2_048;
/// A judge is asked for twenty at most; more is noise.
const FINDINGS_MAX: usize = 20;
const DETAILS_CHARS_MAX: usize = 2_000;
/// Kept with the verdict so that it can be replayed.
const RAW_REPLY_BYTES_MAX: usize = 64 * 1024;

static TEMPLATE_SHA256: LazyLock<String> = LazyLock::new(|| sha256(TEMPLATE_TEXT.as_bytes()).to_hex());

/// The auditor: inspectors always, and a model where one is configured.
#[derive(Clone)]
pub struct Auditor {
    models: Models,
    judge: Option<Target>,
    calls: Calls,
}

/// A verdict, and the calls that it took.
#[derive(Debug)]
pub struct Audited {
    pub audit: Audit,
    pub attempts: Vec<Attempt>,
}

impl Auditor {
    /// Without a judge the inspectors judge alone.
    pub fn new(models: Models, judge: Option<Target>, calls: Calls) -> Self {
        Self { models, judge, calls }
    }

    /// The same, with what it asks a model noted in `journal`, for whoever may drop an audit.
    pub fn noting(&self, journal: &Journal) -> Self {
        Self { models: self.models.noting(journal), ..self.clone() }
    }

    pub fn judge(&self) -> Option<&Target> {
        self.judge.as_ref()
    }

    /// The whole audit of an answer whose inspection is there already. `marker` must be random: the text under audit must
    /// not be able to guess where it ends.
    pub async fn audit(&self, query: &str, response: &str, inspected: Audit, marker: [u8; 16]) -> Audited {
        let Some(target) = &self.judge else { return Audited { audit: inspected, attempts: Vec::new() } };
        let marker = crate::marker::marker(marker);
        let prompt = prompt(query, response, &marker);
        let called = self
            .models
            .structured(Purpose::Auditor, target, &prompt, &schema(), &self.calls, |text| read(text, response))
            .await;
        let mut judge = Judge {
            provider: target.provider.to_string(),
            model: target.model.to_string(),
            temperature: TEMPERATURE,
            max_tokens: MAX_TOKENS,
            template: TEMPLATE,
            template_sha256: TEMPLATE_SHA256.as_str(),
            marker,
            raw_reply: None,
            repaired: false,
            attempts: called.attempts.len(),
            error: None,
        };
        let audit = match called.result {
            Ok(structured) => {
                judge.raw_reply = Some(bounded(&structured.reply.text));
                judge.repaired = structured.repaired;
                inspected.joined(structured.value, judge)
            }
            Err(error) => {
                tracing::error!(provider = %target.provider, model = %target.model, %error, "the auditor gave no verdict");
                judge.error = Some(error.to_string());
                if let CallError::Unreadable { raw, .. } = &error {
                    judge.raw_reply = Some(bounded(raw));
                }
                inspected.unaudited(judge)
            }
        };
        Audited { audit, attempts: called.attempts }
    }

    /// Inspection and judgement in one.
    pub async fn audit_all(&self, query: &str, response: &str, at: Time, marker: [u8; 16]) -> Audited {
        self.audit(query, response, Audit::builtin(query, response, at), marker).await
    }
}

fn bounded(text: &str) -> String {
    text[..text.floor_char_boundary(RAW_REPLY_BYTES_MAX)].to_owned()
}

fn prompt(query: &str, response: &str, marker: &str) -> Prompt {
    let system = TEMPLATE_TEXT.replace("{marker}", marker);
    let data = format!("{marker} query\n{query}\n{marker} answer\n{response}\n{marker} end");
    Prompt {
        system: Some(system),
        messages: vec![Message::user(data)],
        temperature: Some(TEMPERATURE),
        max_tokens: Some(MAX_TOKENS),
    }
}

fn schema() -> Schema {
    let flag = json!({"type": "boolean"});
    Schema {
        name: "audit",
        json: json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "risk_score": {"type": "integer", "minimum": 0, "maximum": 10},
                "hallucination_detected": flag, "pii_detected": flag,
                "toxic_content_detected": flag, "prompt_injection_detected": flag,
                "details": {"type": "string"},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "findings": {"type": "array", "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                        "kind": {"type": "string", "enum": ["pii", "toxicity", "injection", "grounding"]},
                        "quote": {"type": "string"},
                        "explanation": {"type": "string"}
                    },
                    "required": ["kind", "quote", "explanation"]
                }}
            },
            "required": ["risk_score", "hallucination_detected", "pii_detected", "toxic_content_detected",
                "prompt_injection_detected", "details", "confidence", "findings"]
        }),
    }
}

/// What is no verdict without: the score, and what it says of truth and of personal data. The rest may be missing, as
/// judges leave things out, but not be of another type.
#[derive(Deserialize)]
struct Reply {
    risk_score: RiskScore,
    hallucination_detected: bool,
    pii_detected: bool,
    #[serde(default)]
    toxic_content_detected: bool,
    #[serde(default)]
    prompt_injection_detected: bool,
    #[serde(default)]
    details: String,
    #[serde(default)]
    confidence: Option<f64>,
    #[serde(default)]
    findings: Vec<Quoted>,
}

#[derive(Deserialize)]
struct Quoted {
    kind: QuotedKind,
    quote: String,
    #[serde(default)]
    explanation: String,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum QuotedKind {
    Pii,
    Toxicity,
    Injection,
    Grounding,
}

fn read(text: &str, response: &str) -> Result<Verdict, String> {
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    let reply: Reply = serde_json::from_str(text.trim()).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => "a field has a wrong type, is out of range or is missing".to_owned(),
        _ => "it is not valid JSON".to_owned(),
    })?;
    if reply.confidence.is_some_and(|confidence| !(0.0..=1.0).contains(&confidence)) {
        return Err("confidence is not from 0 to 1".to_owned());
    }
    let findings = reply.findings.iter().take(FINDINGS_MAX).filter_map(|quoted| locate(quoted, response)).collect();
    Ok(Verdict {
        risk_score: reply.risk_score,
        hallucination_detected: reply.hallucination_detected,
        pii_detected: reply.pii_detected,
        toxic_content_detected: reply.toxic_content_detected,
        prompt_injection_detected: reply.prompt_injection_detected,
        details: reply.details.chars().take(DETAILS_CHARS_MAX).collect(),
        confidence: reply.confidence,
        findings,
    })
}

/// Words that are not in the answer mark nothing in it.
fn locate(quoted: &Quoted, response: &str) -> Option<AuditFinding> {
    let at = response.find(&quoted.quote).filter(|_| !quoted.quote.is_empty())?;
    let start = response[..at].chars().count();
    let (kind, finding_type) = match quoted.kind {
        QuotedKind::Pii => (Kind::Pii, "PERSONAL_DATA"),
        QuotedKind::Toxicity => (Kind::Toxicity, "TOXIC"),
        QuotedKind::Injection => (Kind::Injection, "INJECTION"),
        QuotedKind::Grounding => (Kind::Grounding, "UNSUPPORTED"),
    };
    const SCORE: f64 = 0.7;
    Some(AuditFinding {
        kind,
        severity: level(SCORE),
        finding_type: finding_type.to_owned(),
        start,
        end: start + quoted.quote.chars().count(),
        score: SCORE,
        detector: "model".to_owned(),
        explanation: quoted.explanation.chars().take(DETAILS_CHARS_MAX).collect(),
        inside: None,
        masked: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, why: &str) {
        let error = read(text, "The answer.").unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }

    #[test]
    fn a_score_outside_its_range_is_a_failure_and_never_clamped() {
        refused(r#"{"risk_score": 11}"#, "out of range");
        refused(r#"{"risk_score": -1}"#, "out of range");
        refused(r#"{"risk_score": 3.5}"#, "wrong type");
        refused(r#"{"risk_score": "3"}"#, "wrong type");
        refused(r#"{"risk_score": 3, "pii_detected": "no"}"#, "wrong type");
        refused(
            r#"{"risk_score": 3, "hallucination_detected": false, "pii_detected": true, "confidence": 1.5}"#,
            "confidence",
        );
        refused(r#"{"pii_detected": false}"#, "missing");
        refused(r#"{"risk_score": 0}"#, "missing");
        refused("Sure! The risk is low.", "not a JSON object");
        refused(r#"{"risk_score": 3"#, "not valid JSON");
    }

    #[test]
    fn quoted_words_are_found_in_the_answer_by_code_points() {
        let reply = r#"{"risk_score": 5, "hallucination_detected": true, "pii_detected": false, "findings": [
            {"kind": "grounding", "quote": "in 1850", "explanation": "no source"},
            {"kind": "pii", "quote": "not there", "explanation": "x"}]}"#;
        let verdict = read(reply, "Größe: built in 1850.").unwrap();
        assert_eq!(verdict.findings.len(), 1);
        assert_eq!((verdict.findings[0].start, verdict.findings[0].end), (13, 20));
    }

    #[test]
    fn the_text_under_audit_stands_between_markers_that_it_can_not_know() {
        let prompt = prompt("q", "a", "0011");
        assert!(prompt.system.unwrap().contains("0011"));
        assert_eq!(prompt.messages[0].text, "0011 query\nq\n0011 answer\na\n0011 end");
        assert_eq!(TEMPLATE_SHA256.len(), 64);
    }
}
