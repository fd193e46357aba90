//! Asks an auditor model for a verdict. The texts under audit are passed as data. The reply is checked: its numbers and
//! flags are accepted as they are or not at all.

use std::sync::LazyLock;

use countersign_domain::{
    Audit, AuditFinding, FindingKind, RiskScore, Time,
    audit::{Judge, JudgeVerdict},
};
use countersign_ledger::sha256;
use countersign_llm::{Attempt, CallError, CallPolicy, Journal, Message, Models, Prompt, Purpose, Schema, Target};
use serde::Deserialize;
use serde_json::json;

use super::{
    builtin::{builtin_audit, level},
    spotlight::Spotlight,
};

/// The version of the prompt. Change it whenever the text of `prompt.md` changes.
const TEMPLATE: &str = "audit-2";
const TEMPLATE_TEXT: &str = include_str!("prompt.md");
const TEMPERATURE: f64 = 0.0;
const MAX_TOKENS: u32 = 2_048;
/// The prompt asks for at most twenty.
const FINDINGS_MAX: usize = 20;
const DETAILS_CHARS_MAX: usize = 2_000;
/// The reply is stored with the verdict, so that the verdict can be checked against it.
const RAW_REPLY_BYTES_MAX: usize = 64 * 1024;

static TEMPLATE_SHA256: LazyLock<String> = LazyLock::new(|| sha256(TEMPLATE_TEXT.as_bytes()).to_hex());

/// Audits with the built-in inspectors always, and with a model where one is configured.
#[derive(Clone)]
pub struct Auditor {
    models: Models,
    judge: Option<Target>,
    calls: CallPolicy,
}

/// An audit, and the attempts at the model call that it took.
#[derive(Debug)]
pub struct AuditWithCalls {
    pub audit: Audit,
    pub attempts: Vec<Attempt>,
}

impl Auditor {
    /// Without a `judge`, only the built-in inspectors audit.
    pub fn new(models: Models, judge: Option<Target>, calls: CallPolicy) -> Self {
        Self { models, judge, calls }
    }

    /// The same auditor, recording its model calls in `journal` too. A caller that drops an unfinished audit finds them there.
    pub fn with_journal(&self, journal: &Journal) -> Self {
        Self { models: self.models.with_journal(journal), ..self.clone() }
    }

    pub fn judge(&self) -> Option<&Target> {
        self.judge.as_ref()
    }

    /// Completes the audit of an answer that has been inspected already. `marker` must be random, so that the text under audit
    /// can't guess where it ends.
    pub async fn audit(&self, query: &str, response: &str, inspected: Audit, marker: [u8; 16]) -> AuditWithCalls {
        let Some(target) = &self.judge else { return AuditWithCalls { audit: inspected, attempts: Vec::new() } };
        let marker = crate::marker::marker(marker);
        let spotlight = Spotlight::new(&marker, &[query, response]);
        let prompt = prompt(query, response, &marker, &spotlight);
        let called = self
            .models
            .structured(Purpose::Auditor, target, &prompt, &schema(), &self.calls, |text| {
                parse_reply(text, response, &spotlight)
            })
            .await;
        let mut judge = Judge {
            provider: target.provider.to_string(),
            model: target.model.to_string(),
            temperature: TEMPERATURE,
            max_tokens: MAX_TOKENS,
            template: TEMPLATE.into(),
            template_sha256: TEMPLATE_SHA256.as_str().into(),
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
                tracing::error!(provider = %target.provider, model = %target.model, %error, "the auditor model returned no verdict");
                judge.error = Some(error.to_string());
                if let CallError::Unreadable { raw, .. } = &error {
                    judge.raw_reply = Some(bounded(raw));
                }
                inspected.unaudited(judge)
            }
        };
        AuditWithCalls { audit, attempts: called.attempts }
    }

    /// Inspects the answer, then asks the model.
    pub async fn audit_all(&self, query: &str, response: &str, at: Time, marker: [u8; 16]) -> AuditWithCalls {
        self.audit(query, response, builtin_audit(query, response, at), marker).await
    }
}

fn bounded(text: &str) -> String {
    text[..text.floor_char_boundary(RAW_REPLY_BYTES_MAX)].to_owned()
}

fn prompt(query: &str, response: &str, marker: &str, spotlight: &Spotlight) -> Prompt {
    let system = TEMPLATE_TEXT.replace("{marker}", marker).replace("{mark}", spotlight.mark());
    let (query, response) = (spotlight.marked(query), spotlight.marked(response));
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

/// The judge's reply. If a required field is missing, the reply is rejected.
///
/// `prompt_injection_detected` and `findings` are requested too, but may be missing: models that know only the six fields of
/// the original audit format leave them out. Then the inspectors' findings stand alone.
#[derive(Deserialize)]
struct JudgeReply {
    risk_score: RiskScore,
    hallucination_detected: bool,
    pii_detected: bool,
    toxic_content_detected: bool,
    details: String,
    confidence: f64,
    prompt_injection_detected: Option<bool>,
    findings: Option<Vec<QuotedFinding>>,
}

#[derive(Deserialize)]
struct QuotedFinding {
    kind: QuotedKind,
    quote: String,
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

fn parse_reply(text: &str, response: &str, spotlight: &Spotlight) -> Result<JudgeVerdict, String> {
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    let reply: JudgeReply = serde_json::from_str(text.trim()).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => "a field has a wrong type, is out of range or is missing".to_owned(),
        _ => "it is not valid JSON".to_owned(),
    })?;
    if !(0.0..=1.0).contains(&reply.confidence) {
        return Err("confidence is not from 0 to 1".to_owned());
    }
    let quoted = reply.findings.unwrap_or_default();
    let findings = quoted.iter().take(FINDINGS_MAX).filter_map(|quoted| locate(quoted, response, spotlight)).collect();
    Ok(JudgeVerdict {
        risk_score: reply.risk_score,
        hallucination_detected: reply.hallucination_detected,
        pii_detected: reply.pii_detected,
        toxic_content_detected: reply.toxic_content_detected,
        prompt_injection_detected: reply.prompt_injection_detected.unwrap_or(false),
        details: reply.details.chars().take(DETAILS_CHARS_MAX).collect(),
        confidence: reply.confidence,
        findings,
    })
}

/// Finds the quoted words in the answer. A quotation that is not there is dropped.
fn locate(quoted: &QuotedFinding, response: &str, spotlight: &Spotlight) -> Option<AuditFinding> {
    let place = spotlight.find(response, &quoted.quote)?;
    let start = response[..place.start].chars().count();
    let (kind, finding_type) = match quoted.kind {
        QuotedKind::Pii => (FindingKind::Pii, "PERSONAL_DATA"),
        QuotedKind::Toxicity => (FindingKind::Toxicity, "TOXIC"),
        QuotedKind::Injection => (FindingKind::Injection, "INJECTION"),
        QuotedKind::Grounding => (FindingKind::Grounding, "UNSUPPORTED"),
    };
    const SCORE: f64 = 0.7;
    Some(AuditFinding {
        kind,
        severity: level(SCORE),
        finding_type: finding_type.into(),
        start,
        end: start + response[place].chars().count(),
        score: SCORE,
        detector: "model".into(),
        explanation: quoted.explanation.chars().take(DETAILS_CHARS_MAX).collect(),
        inside: None,
        masked: false,
        mention: false,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const MARKER: &str = "00112233445566778899aabbccddeeff";

    fn spotlight() -> Spotlight {
        Spotlight::new(MARKER, &[])
    }

    /// A whole reply, with one field changed.
    fn reply(field: &str, value: Value) -> String {
        let mut reply = json!({
            "risk_score": 3, "hallucination_detected": false, "pii_detected": true, "toxic_content_detected": false,
            "prompt_injection_detected": false, "details": "Fine.", "confidence": 0.9, "findings": [],
        });
        reply[field] = value;
        reply.to_string()
    }

    fn check_rejected(text: &str, why: &str) {
        let error = parse_reply(text, "The answer.", &spotlight()).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }

    #[test]
    fn a_score_outside_its_range_is_a_failure_and_never_clamped() {
        for score in [json!(11), json!(-1), json!(3.5), json!("3"), json!(null)] {
            check_rejected(&reply("risk_score", score), "wrong type, is out of range");
        }
        check_rejected(&reply("pii_detected", json!("no")), "wrong type");
        check_rejected(&reply("findings", json!("none")), "wrong type");
        check_rejected(&reply("confidence", json!(1.5)), "confidence");
        check_rejected("Sure! The risk is low.", "not a JSON object");
        check_rejected(r#"{"risk_score": 3"#, "not valid JSON");
    }

    #[test]
    fn a_reply_that_lacks_a_required_field_is_a_failure_and_nothing_is_filled_in() {
        let whole: Value = serde_json::from_str(&reply("risk_score", json!(0))).unwrap();
        assert!(parse_reply(&whole.to_string(), "The answer.", &spotlight()).is_ok());
        let required =
            ["risk_score", "hallucination_detected", "pii_detected", "toxic_content_detected", "details", "confidence"];
        for field in required {
            let mut lacking = whole.clone();
            lacking.as_object_mut().unwrap().remove(field);
            check_rejected(&lacking.to_string(), "missing");
            check_rejected(&reply(field, json!(null)), "wrong type");
        }
        check_rejected(&reply("findings", json!([{"kind": "pii", "quote": "answer"}])), "missing");
    }

    #[test]
    fn a_judge_that_knows_only_the_six_fields_of_an_audit_gives_a_verdict() {
        let six = r#"{"risk_score": 2, "hallucination_detected": false, "pii_detected": false,
            "toxic_content_detected": true, "details": "Rude.", "confidence": 0.8}"#;
        let verdict = parse_reply(six, "The answer.", &spotlight()).unwrap();
        assert!(verdict.toxic_content_detected && !verdict.prompt_injection_detected && verdict.findings.is_empty());
    }

    #[test]
    fn quoted_words_are_found_in_the_answer_by_code_points() {
        let findings = json!([
            {"kind": "grounding", "quote": "in 1850", "explanation": "no source"},
            // "^001" is the mark that replaces a space.
            {"kind": "grounding", "quote": "in^0011850", "explanation": "quoted with its mark"},
            {"kind": "pii", "quote": "not there", "explanation": "x"},
        ]);
        let verdict = parse_reply(&reply("findings", findings), "Größe: built in 1850.", &spotlight()).unwrap();
        let places: Vec<_> = verdict.findings.iter().map(|finding| (finding.start, finding.end)).collect();
        assert_eq!(places, [(13, 20), (13, 20)]);
    }

    #[test]
    fn the_text_under_audit_is_marked_at_every_word_between_markers_that_it_can_not_know() {
        let prompt = prompt("a query", "an answer", MARKER, &spotlight());
        let system = prompt.system.unwrap();
        assert!(system.contains(MARKER) && system.contains("^001") && !system.contains('{'));
        let data = &prompt.messages[0].text;
        assert_eq!(*data, format!("{MARKER} query\na^001query\n{MARKER} answer\nan^001answer\n{MARKER} end"));
        assert_eq!(TEMPLATE_SHA256.len(), 64);
    }
}
