//! Reports that are sent back with a comment: rewritten as requested, rewritten as another type, or left to people.

use countersign_domain::{
    EventType, InvestigationId, NewEvent, ReportId, Section, State,
    payload::{Decision, ReportType, ReviewDecided},
    report::count_words,
};
use countersign_factcheck::{self as factcheck, Facts};
use countersign_report::{Content, revision};
use serde_json::json;

use crate::investigations::{Pipeline, external_alert, month_with_outlier};

/// A person's decision about the current report, with the plan that the API would record.
async fn send_back(pipeline: &Pipeline, content: &Content, comment: &str) {
    let seams = pipeline.store.seams();
    let review = ReviewDecided {
        report_id: content.id.clone(),
        investigation_id: Some(content.investigation_id),
        decision: Decision::SendBack,
        comment: comment.into(),
        decided_by: "ana".into(),
        decided_at: seams.now(),
        disposition: None,
        revision: Some(revision::plan(comment, content)),
    };
    let event = NewEvent::new(seams.event_id(), review, seams.now(), "api", content.investigation_id.into()).unwrap();
    pipeline.store.append(vec![event]).await.unwrap();
}

async fn state(pipeline: &Pipeline, id: InvestigationId) -> State {
    pipeline.store.case(id).await.unwrap().unwrap().case.state
}

/// The newest report.
async fn newest(pipeline: &Pipeline) -> Content {
    let generated = pipeline.payloads(EventType::ReportGenerated).await;
    pipeline.content(&generated.last().unwrap()["report_id"].as_str().unwrap().parse().unwrap()).await
}

fn check_facts(content: &Content) {
    let facts = Facts::of(&serde_json::to_value(&content.context).unwrap());
    for section in Section::ALL {
        let (text, (fewest, most)) = (content.section(section), section.word_range());
        assert!((fewest..=most).contains(&count_words(text)), "{section:?}: {text}");
        assert!(factcheck::check(text, &facts).refused.is_empty(), "{section:?}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_writer_makes_only_the_requested_changes() {
    let pipeline = Pipeline::builtin().await;
    pipeline.ingest(&month_with_outlier("customer-7731", None)).await;
    pipeline.until_verdicts(1).await;
    let first = newest(&pipeline).await;
    send_back(&pipeline, &first, "Make the timeline longer. Name the merchant in the risk justification.").await;
    pipeline.until_verdicts(2).await;
    let second = newest(&pipeline).await;
    assert_eq!((second.version, second.regeneration_of.as_ref()), (2, Some(&first.id)));
    assert!(count_words(&second.timeline_narrative) > count_words(&first.timeline_narrative));
    assert!(
        second.risk_justification.contains("\"Harbour Jewellers\"")
            && !first.risk_justification.contains("Harbour Jewellers")
    );
    for section in [Section::ExecutiveSummary, Section::FraudExplanation, Section::InvestigationNarrative] {
        assert_eq!(second.section(section), first.section(section));
    }
    check_facts(&second);
    assert_eq!(state(&pipeline, second.investigation_id).await, State::InReview);
    // The next version still follows the earlier comments.
    send_back(&pipeline, &second, "Shorten the executive summary.").await;
    pipeline.until_verdicts(3).await;
    let third = newest(&pipeline).await;
    assert_eq!(third.timeline_narrative, second.timeline_narrative);
    assert!(count_words(&third.executive_summary) < count_words(&second.executive_summary));
    check_facts(&third);
    pipeline.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_that_cannot_be_acted_on_leads_to_no_version_and_leaves_the_case_in_review() {
    let pipeline = Pipeline::builtin().await;
    pipeline.alert(external_alert("fraud-1", "critical", 90)).await;
    pipeline.until_verdicts(1).await;
    let first = newest(&pipeline).await;
    for comment in ["Say where it was.", "Ask the customer whether she travelled."] {
        send_back(&pipeline, &first, comment).await;
    }
    // Once the orchestrator has handled a later event, it has handled both decisions.
    pipeline.alert(external_alert("fraud-2", "critical", 90)).await;
    pipeline.until_verdicts(2).await;
    pipeline
        .until("the second investigation is opened", async |pipeline| {
            pipeline.events(EventType::InvestigationCreated).await.len() == 2
        })
        .await;
    assert!(pipeline.events(EventType::ReportRequested).await.is_empty());
    assert_eq!(state(&pipeline, first.investigation_id).await, State::InReview);
    pipeline.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_another_type_replaces_the_one_that_was_sent_back() {
    let pipeline = Pipeline::builtin().await;
    pipeline.alert(external_alert("fraud-1", "critical", 90)).await;
    pipeline.until_verdicts(1).await;
    let full = newest(&pipeline).await;
    assert_eq!(full.report_type, ReportType::Full);
    send_back(&pipeline, &full, "Make this a compliance report.").await;
    pipeline.until_verdicts(2).await;
    let compliance = newest(&pipeline).await;
    assert_eq!((compliance.report_type, compliance.version), (ReportType::Compliance, 1));
    assert_eq!(compliance.regeneration_of.as_ref(), Some(&full.id));
    assert!(full.extended_analysis.is_some() && compliance.extended_analysis.is_none());
    check_facts(&compliance);
    let found = pipeline.store.case(full.investigation_id).await.unwrap().unwrap().case;
    assert_eq!((found.state, found.report_id.as_ref()), (State::InReview, Some(&compliance.id)));
    // Ask for the first type again: this creates the type's next version, not a second report with the same version.
    send_back(&pipeline, &compliance, "Make this a full report.").await;
    pipeline.until_verdicts(3).await;
    let again = newest(&pipeline).await;
    assert_eq!(again.id, ReportId::of_version(&"fraud-1".parse().unwrap(), ReportType::Full, 2));
    let requested = pipeline.payloads(EventType::ReportRequested).await;
    assert_eq!(requested[1]["revision"], json!({"report_type": "full"}));
    pipeline.stop().await;
}
