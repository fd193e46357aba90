//! Parses the reply of a supervisor model: JSON that fits the schema strictly, or else plain text.

use countersign_domain::{
    Section,
    payload::{Issue, IssueType, Level},
    validation::Strength,
};
use serde::Deserialize;

use super::prose::clean;

const REPLY_BYTES_MAX: usize = 64 * 1024;
/// The maximum number of issues that are kept. The most severe ones come first.
const ISSUES_MAX: usize = 20;
const DESCRIPTION_CHARS_MAX: usize = 500;
const FEEDBACK_CHARS_MAX: usize = 1_500;

/// How a model took part in a validation.
#[derive(Debug, Clone, PartialEq)]
pub enum AssessmentOutcome {
    /// No model is configured.
    None,
    /// A model is configured but gave no reply, for this reason.
    Degraded(String),
    Model(ModelAssessment),
    /// The model's reply was not an assessment. Holds its text, bounded and without control characters.
    Unparseable(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelAssessment {
    pub issues: Vec<Issue>,
    pub feedback: String,
    pub justification_strength: Strength,
}

/// Parses a reply strictly by its schema. Nothing is guessed or repaired: any other reply counts as text.
pub fn parse_assessment(reply: &str) -> AssessmentOutcome {
    read(reply)
        .map_or_else(|| AssessmentOutcome::Unparseable(clean(reply, FEEDBACK_CHARS_MAX)), AssessmentOutcome::Model)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelReply {
    issues: Vec<Remark>,
    feedback: String,
    justification_strength: Strength,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remark {
    #[serde(rename = "type")]
    issue_type: IssueType,
    severity: Level,
    description: String,
    #[serde(default)]
    section: Option<Section>,
}

fn read(reply: &str) -> Option<ModelAssessment> {
    let reply = reply.trim();
    // serde would also accept a JSON array for a struct, but the schema does not.
    if reply.len() > REPLY_BYTES_MAX || !reply.starts_with('{') {
        return None;
    }
    let ModelReply { issues, feedback, justification_strength } = serde_json::from_str(reply).ok()?;
    let mut issues = issues.into_iter().map(Remark::issue).collect::<Option<Vec<_>>>()?;
    issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity as u8));
    issues.truncate(ISSUES_MAX);
    Some(ModelAssessment { issues, feedback: clean(&feedback, FEEDBACK_CHARS_MAX), justification_strength })
}

impl Remark {
    /// `None` for an empty remark.
    fn issue(self) -> Option<Issue> {
        let description = clean(&self.description, DESCRIPTION_CHARS_MAX);
        let section = self.section.map(|section| section.as_str().to_owned());
        (!description.is_empty()).then_some(Issue {
            issue_type: self.issue_type,
            severity: self.severity,
            description,
            section,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn whole() -> Value {
        json!({
            "issues": [{"type": "anomaly", "severity": "low", "description": "A gap.", "section": "timeline_narrative"}],
            "feedback": "Reads well.",
            "justification_strength": "adequate"
        })
    }

    fn check(change: impl FnOnce(&mut Value), is_read: bool) {
        let mut reply = whole();
        change(&mut reply);
        let read = matches!(parse_assessment(&reply.to_string()), AssessmentOutcome::Model(_));
        assert_eq!(read, is_read, "{reply}");
    }

    #[test]
    fn a_reply_that_fits_the_schema_is_read() {
        let AssessmentOutcome::Model(read) = parse_assessment(&whole().to_string()) else { panic!("not read") };
        let issue = Issue {
            issue_type: IssueType::Anomaly,
            severity: Level::Low,
            description: "A gap.".to_owned(),
            section: Some("timeline_narrative".to_owned()),
        };
        let expected = ModelAssessment {
            issues: vec![issue],
            feedback: "Reads well.".to_owned(),
            justification_strength: Strength::Adequate,
        };
        assert_eq!(read, expected);
        check(|reply| reply["issues"] = json!([]), true);
        check(|reply| reply["issues"][0]["section"] = json!(null), true);
        check(|reply| drop(reply["issues"][0].as_object_mut().unwrap().remove("section")), true);
    }

    #[test]
    fn a_reply_that_does_not_fit_the_schema_is_not_an_assessment() {
        for field in ["issues", "feedback", "justification_strength"] {
            check(|reply| drop(reply.as_object_mut().unwrap().remove(field)), false);
            check(|reply| reply[field] = json!(null), false);
            check(|reply| reply[field] = json!(7), false);
        }
        check(|reply| reply["justification_strength"] = json!("excellent"), false);
        check(|reply| reply["validation_score"] = json!(100), false);
        check(|reply| reply["issues"][0]["type"] = json!("praise"), false);
        check(|reply| reply["issues"][0]["severity"] = json!("none"), false);
        check(|reply| reply["issues"][0]["section"] = json!("appendix"), false);
        check(|reply| reply["issues"][0]["description"] = json!(" \u{7} "), false);
        check(|reply| reply["issues"][0]["fix"] = json!("rewrite"), false);
        check(|reply| *reply = json!([reply["issues"], "ok", "strong"]), false);
    }

    #[test]
    fn a_reply_that_is_not_json_is_kept_bounded_and_without_control_characters() {
        for reply in
            ["", "Looks fine to me.", "```json\n{}\n```", "{\"issues\":[", "{\"feedback\":\"a\",\"feedback\":\"b\"}"]
        {
            assert!(matches!(parse_assessment(reply), AssessmentOutcome::Unparseable(_)), "{reply}");
        }
        let hostile = format!("\u{1b}[31mApproved\u{0}\u{202e}\n{}", "x".repeat(1_000_000));
        let AssessmentOutcome::Unparseable(text) = parse_assessment(&hostile) else { panic!("read") };
        assert!(text.starts_with("[31mApproved x"), "{}", &text[..30]);
        assert_eq!(text.chars().count(), FEEDBACK_CHARS_MAX);
    }

    #[test]
    fn the_most_severe_of_too_many_remarks_are_kept() {
        let remark = |severity| json!({"type": "anomaly", "severity": severity, "description": "x".repeat(9_000)});
        let mut issues = vec![remark("low"); 30];
        issues.push(remark("high"));
        let AssessmentOutcome::Model(read) = parse_assessment(
            &json!({"issues": [remark("low"), remark("high")],
            "feedback": "f".repeat(9_000), "justification_strength": "weak"})
            .to_string(),
        ) else {
            panic!("not read")
        };
        assert_eq!(read.issues[0].severity, Level::High);
        assert_eq!(read.issues[0].description.chars().count(), DESCRIPTION_CHARS_MAX);
        assert_eq!(read.feedback.chars().count(), FEEDBACK_CHARS_MAX);
        // Together they would exceed the maximum size of a reply.
        let reply = json!({"issues": issues, "feedback": "", "justification_strength": "weak"});
        assert!(matches!(parse_assessment(&reply.to_string()), AssessmentOutcome::Unparseable(_)));
        let short: Vec<Value> = (0..40)
            .map(|n| json!({"type": "anomaly", "severity": if n == 39 { "high" } else { "low" }, "description": "x"}))
            .collect();
        let reply = json!({"issues": short, "feedback": "", "justification_strength": "weak"});
        let AssessmentOutcome::Model(read) = parse_assessment(&reply.to_string()) else { panic!("not read") };
        assert_eq!((read.issues.len(), read.issues[0].severity), (ISSUES_MAX, Level::High));
    }

    proptest! {
        #[test]
        fn any_reply_gives_bounded_text(reply in "\\PC{0,200}|[\\x00-\\x{2fff}]{0,3000}") {
            if let AssessmentOutcome::Unparseable(text) = parse_assessment(&reply) {
                prop_assert!(text.chars().count() <= FEEDBACK_CHARS_MAX);
                prop_assert!(!text.chars().any(char::is_control));
            }
        }
    }
}
