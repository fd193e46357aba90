//! Tests the plans for comments, and that the next version follows them.

use countersign_domain::{ReportId, Severity, payload::ReportType};
use proptest::prelude::*;

use super::*;
use crate::{
    Assembly, Context, SectionRecord, WrittenBy, assemble,
    testing::{contexts, ordinary, richest, thinnest},
};

/// A report as the built-in writer writes it.
fn written(context: &Context, revision: Option<Revision>, version: u32) -> Content {
    let writer = Writer::of(context).revised(revision.clone().unwrap_or_default());
    let record = |section: Section, text: &str| SectionRecord {
        section,
        words: count_words(text),
        written_by: WrittenBy::Builtin,
        model: None,
        template: crate::writer::WRITER_VERSION.to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: Vec::new(),
        sentences: Vec::new(),
    };
    let alert = "fraud-1".parse().unwrap();
    assemble(Assembly {
        id: ReportId::of_version(&alert, context.case.report_type, version),
        version,
        regeneration_of: None,
        transaction_id: None,
        fraud_detection_id: alert,
        generated_at: "2026-05-02T15:00:00Z".parse().unwrap(),
        context: context.clone(),
        revision,
        sections: Section::ALL
            .map(|section| {
                let text = writer.section(section);
                let record = record(section, &text);
                (text, record)
            })
            .to_vec(),
    })
}

/// The next version, after a send-back with this comment.
fn sent_back(content: &Content, comment: &str) -> (RevisionPlan, Content) {
    let plan = plan(comment, content);
    let next = written(&content.context, Some(plan.instructions.clone()), content.version + 1);
    (plan, next)
}

fn check(context: &Context, comment: &str, will_change: &[&str], reasons: &[&str]) {
    let plan = plan(comment, &written(context, None, 1));
    assert_eq!(plan.will_change, will_change, "{comment}");
    let found: Vec<_> = plan.cannot_act_on.iter().map(|part| part.reason.as_str()).collect();
    assert_eq!(found, reasons, "{comment}");
    assert_eq!(plan.who_can.is_empty(), reasons.is_empty());
    assert_eq!(plan.instructions.is_empty(), will_change.is_empty());
}

#[test]
fn a_comment_that_can_be_followed_says_what_will_change() {
    let context = ordinary();
    check(
        &context,
        "Mention the age of the account in the summary.",
        &["state the age of the account in the executive summary"],
        &[],
    );
    let plan = plan("Make the timeline longer.", &written(&context, None, 1));
    assert!(plan.will_change[0].starts_with("make the timeline of events longer, from "), "{plan:?}");
    assert_eq!(
        plan.instructions.of(Section::TimelineNarrative).and_then(|section| section.length),
        Some(Length::Longer)
    );
}

#[test]
fn a_comment_that_cannot_be_followed_says_why_and_who_can() {
    let context = ordinary();
    assert_eq!((context.case.severity, context.case.report_type), (Severity::High, ReportType::Compliance));
    check(&context, "Make this a compliance report.", &[], &["The report is already of the type \"compliance\"."]);
    check(&context, "Add the amount to the summary.", &[], &["The executive summary already states the amount."]);
    check(&context, "Call the customer.", &[], &[NOT_UNDERSTOOD]);
    check(&context, "Thanks!", &[], &[NOT_UNDERSTOOD]);
    check(&thinnest(), "Name the merchant.", &[], &["The record holds no transaction for this alert."]);
    let memo = "The built-in writer never quotes a memo, which is free text from outside.";
    check(&context, "Quote the memo.", &[], &[memo]);
}

#[test]
fn the_part_that_can_be_followed_is_followed_and_the_other_is_named() {
    let (plan, next) =
        sent_back(&written(&ordinary(), None, 1), "Make this a full report. Ask the branch for the video.");
    assert_eq!(plan.will_change, ["make this a full report"]);
    assert_eq!(plan.instructions.report_type, Some(ReportType::Full));
    assert_eq!(plan.cannot_act_on[0].part, "Ask the branch for the video");
    assert_eq!(plan.who_can, [WhoCan::Model, WhoCan::Addendum]);
    assert_eq!(next.revision, None, "another type doesn't change the texts");
}

#[test]
fn contradictory_requests_are_not_both_promised() {
    let plan = plan("Make the timeline longer and shorter.", &written(&ordinary(), None, 1));
    assert_eq!((plan.will_change.len(), plan.cannot_act_on.len()), (1, 1), "{plan:?}");
}

#[test]
fn requests_still_apply_in_the_version_after_next() {
    let first = written(&ordinary(), None, 1);
    let (_, second) = sent_back(&first, "Make the timeline longer.");
    let (plan, third) = sent_back(&second, "Add the age of the account to the summary.");
    assert_eq!(plan.will_change.len(), 1);
    assert_eq!(third.timeline_narrative, second.timeline_narrative);
    assert_ne!(third.executive_summary, second.executive_summary);
    assert_ne!(second.timeline_narrative, first.timeline_narrative);
}

#[test]
fn a_report_without_revision_is_stored_without_that_field() {
    let json = written(&ordinary(), None, 1).sealed().unwrap().into_text();
    assert!(!json.contains("\"revision\""), "{json}");
}

#[test]
fn a_long_part_is_cut_and_many_parts_are_counted() {
    let plan = plan(&format!("{}. ", "word ".repeat(200)).repeat(40), &written(&ordinary(), None, 1));
    assert_eq!(plan.cannot_act_on.len(), PARTS_MAX + 1);
    assert_eq!(plan.cannot_act_on[0].part.chars().count(), PART_CHARS_MAX + 1);
    assert_eq!(plan.cannot_act_on[PARTS_MAX].part, "32 more");
}

#[test]
fn a_models_plan_promises_nothing_but_the_type() {
    let content = written(&ordinary(), None, 1);
    let plan = plan_for_model("Make this a full report and say why.", &content, "gemini/flash");
    assert_eq!(plan.will_change.len(), 1);
    let plan = plan_for_model("Make this a full report.", &content, "gemini/flash");
    assert_eq!(plan.will_change[1], "make this a full report");
    assert_eq!((plan.writer, plan.who_can.len()), (RevisionWriter::Model, 0));
}

const COMMENTS: [&str; 12] = [
    "Make the timeline longer.",
    "Shorten the executive summary.",
    "Make it longer.",
    "The report is too long.",
    "Add the merchant.",
    "Mention the merchant and the country in the summary and make the narrative longer.",
    "Name the thresholds in the timeline.",
    "Say how the score is composed in the executive summary.",
    "Add the prior alerts and the baseline to the justification, and shorten the timeline.",
    "Explain the severity band in the narrative. Make this a full report.",
    "Add the age of the account to the explanation; add the rules to the summary.",
    "Mention the similar alerts, the regulatory impact and the earlier transactions in the narrative.",
];

/// Checks that the next version differs where the plan says so, and nowhere else.
fn check_followed(context: &Context, comment: &str) {
    let first = written(context, None, 1);
    let (plan, next) = sent_back(&first, comment);
    let facts = Facts::of(&serde_json::to_value(context).unwrap());
    for section in Section::ALL {
        let (before, after) = (first.section(section), next.section(section));
        let is_promised = plan.will_change.iter().any(|promise| promise.contains(phrase(section)));
        assert_eq!(before != after, is_promised, "{comment}: {section:?} in {plan:?}\n{before}\n{after}");
        let (fewest, most) = section.word_range();
        assert!((fewest..=most).contains(&count_words(after)), "{comment}: {after}");
        let refused = factcheck::check(after, &facts).refused;
        assert!(refused.is_empty(), "{comment}: {refused:?} in {after}");
        for topic in plan.instructions.of(section).map_or(&[][..], |section| &section.mention) {
            assert_eq!(Writer::of(context).states(*topic, after), Ok(true), "{comment}: {topic:?} in {after}");
        }
    }
}

#[test]
fn the_plan_for_a_report_is_followed() {
    for context in [thinnest(), ordinary(), richest()] {
        for comment in COMMENTS {
            check_followed(&context, comment);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_for_any_report_is_followed(context in contexts(), which in 0..COMMENTS.len()) {
        check_followed(&context, COMMENTS[which]);
    }

    #[test]
    fn any_comment_leads_to_changes_or_to_a_reason(comment in "\\PC{0,300}") {
        let plan = plan(&comment, &written(&ordinary(), None, 1));
        prop_assert!(!plan.will_change.is_empty() || !plan.cannot_act_on.is_empty());
        prop_assert!(plan.cannot_act_on.iter().all(|part| part.part.chars().count() <= PART_CHARS_MAX + 1));
    }
}
