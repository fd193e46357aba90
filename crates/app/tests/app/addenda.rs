//! Previews of sending a report back, and addenda.

use countersign_domain::Role;
use countersign_ledger::sha256;
use serde_json::{Value, json};

use crate::{
    case::{Case, in_review, items, key, until_status, wait_for_review},
    running::{Running, until},
};

async fn preview(server: &Running, case: &Case, comment: &str) -> Value {
    let path = format!("/api/reports/{}/reviews/preview", case.report);
    let answer = server.post(&path, &json!({"comment": comment})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn the_next_version_makes_the_previewed_changes() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let size = server.store.size().await.unwrap();
    let plan = preview(&server, &case, "Mention the regulatory impact in the timeline.").await;
    assert_eq!(plan["writer"], "builtin", "{plan}");
    assert_eq!(plan["will_change"], json!(["state the regulatory impact in the timeline of events"]));
    assert!(plan.get("cannot_act_on").is_none(), "{plan}");
    assert_eq!(server.store.size().await.unwrap(), size, "a preview records no event");
    let first = server.get(&format!("/api/reports/{}", case.report)).await.json();
    let comment = "Mention the regulatory impact in the timeline.";
    let back = case.decide(&server, None, json!({"decision": "send_back", "comment": comment})).await;
    assert_eq!((back.status, &back.json()["revision"]), (201, &plan));
    until("there is a second version", async || {
        let found = server.get(&format!("/api/investigations/{}", case.investigation)).await.json();
        found["report_id"] != case.report.as_str() && found["status"] == "in_review"
    })
    .await;
    let second = wait_for_review(&server, "a-1").await;
    let second = server.get(&format!("/api/reports/{}", second.report)).await.json();
    assert_ne!(second["timeline_narrative"], first["timeline_narrative"]);
    assert!(second["timeline_narrative"].as_str().unwrap().contains("regulatory impact"));
    assert_eq!(second["fraud_explanation"], first["fraud_explanation"]);
    server.stop().await;
}

#[tokio::test]
async fn a_comment_that_the_writer_cannot_act_on_is_recorded_and_the_case_stays_in_review() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    for comment in ["Say where it was.", "Ask the branch for the video."] {
        let plan = preview(&server, &case, comment).await;
        assert_eq!((&plan["will_change"], &plan["who_can"]), (&json!([]), &json!(["model", "addendum"])));
        let back = case.decide(&server, None, json!({"decision": "send_back", "comment": comment})).await;
        assert_eq!((back.status, &back.json()["revision"]), (201, &plan));
    }
    let found = until_status(&server, &case.investigation, "in_review").await;
    assert_eq!(
        (found["report_id"].as_str(), found["reviews"].as_array().map(Vec::len)),
        (Some(&*case.report), Some(2))
    );
    let approved = case.decide(&server, None, json!({"decision": "approve"})).await;
    assert_eq!(approved.status, 201, "{approved:?}");
    assert!(items(&server.get("/api/events?type=REPORT_REQUESTED").await.json()).is_empty());
    server.stop().await;
}

#[tokio::test]
async fn an_addendum_is_signed_listed_and_exported_separately_from_the_report() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let (ana, ana_id) = key(&server, Role::Reviewer, "Ana").await;
    let path = format!("/api/reports/{}/addenda", case.report);
    let before = server.get(&format!("/api/reports/{}", case.report)).await.json();
    let text = "The branch says:\n# <b>stolen</b> card of Jane Roe";
    let body = json!({"text": text}).to_string();
    let added = server.call("POST", &path).key(Some(&ana)).body(body).send().await;
    assert_eq!(added.status, 201, "{added:?}");
    let addendum = added.json();
    for (field, value) in [
        ("text", json!(text)),
        ("text_sha256", json!(sha256(text.as_bytes()).to_hex())),
        ("added_by", json!(ana_id)),
        ("added_by_name", json!("Ana")),
        ("role", json!("reviewer")),
        ("report_id", json!(case.report)),
        ("version", json!(1)),
    ] {
        assert_eq!(addendum[field], value, "{field}");
    }
    assert_eq!(server.get(&path).await.json(), json!({"items": [addendum], "next": null}));
    // Neither the report nor the case's status has changed.
    assert_eq!(server.get(&format!("/api/reports/{}", case.report)).await.json(), before);
    let events = server.get(&format!("/api/investigations/{}", case.investigation)).await.json()["events"].clone();
    let types: Vec<_> = events.as_array().unwrap().iter().map(|event| event["event_type"].as_str().unwrap()).collect();
    assert!(types.contains(&"REPORT_ADDENDUM_ADDED"), "{types:?}");
    let event = server.get(&format!("/api/events/{}", addendum["addendum_id"].as_str().unwrap())).await.json();
    assert_eq!(event["payload"]["content_hash"], before["content_hash"]);

    let export = async |format: &str| server.get(&format!("/api/reports/{}/export?format={format}", case.report)).await;
    let markdown = export("md").await.text().to_owned();
    assert!(markdown.contains("## Addenda: people's own words, not checked against the facts"), "{markdown}");
    assert!(markdown.contains("> \\# &lt;b&gt;stolen"), "{markdown}");
    let page = export("html").await.text().to_owned();
    assert!(page.contains("&lt;b&gt;stolen&lt;/b&gt; card") && !page.contains("<b>stolen"), "{page}");
    let exported = export("json").await.json();
    assert_eq!(exported["addenda"][0]["text"], text);

    // The list, the event and the export all mask the name in the addendum for viewers.
    let (viewer, _) = key(&server, Role::Viewer, "Vic").await;
    let event = format!("/api/events/{}", addendum["addendum_id"].as_str().unwrap());
    let file = format!("/api/reports/{}/export?format=json", case.report);
    for (place, text) in [(&path, "/items/0/text"), (&event, "/payload/text"), (&file, "/addenda/0/text")] {
        let shown = server.call("GET", place).key(Some(&viewer)).send().await;
        assert!(!shown.text().contains("Jane Roe"), "{place}: {}", shown.text());
        let text = shown.json().pointer(text).and_then(|text| text.as_str().map(str::to_owned));
        assert!(text.is_some_and(|text| text.contains("[NAME]")), "{place}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_invalid_addendum_is_refused() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let path = format!("/api/reports/{}/addenda", case.report);
    let size = server.store.size().await.unwrap();
    for body in [json!({}), json!({"text": " \n"}), json!({"text": "a\u{7}"}), json!({"text": "x".repeat(4_001)})] {
        server.post(&path, &body).await.check_error(400);
    }
    server
        .post("/api/reports/00000000-0000-4000-8000-000000000000/addenda", &json!({"text": "x"}))
        .await
        .check_error(404);
    let preview = format!("/api/reports/{}/reviews/preview", case.report);
    for body in [json!({}), json!({"comment": ""}), json!({"comment": "x".repeat(4_001)})] {
        server.post(&preview, &body).await.check_error(400);
    }
    assert_eq!(server.store.size().await.unwrap(), size);
    server.stop().await;
}

#[tokio::test]
async fn an_addendum_stays_with_the_next_version_and_can_be_erased() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let path = format!("/api/reports/{}/addenda", case.report);
    let seq = server.post(&path, &json!({"text": "Seen by the branch."})).await.json()["seq"].as_u64().unwrap();
    case.decide(&server, None, json!({"decision": "send_back", "comment": "Make this a compliance report."})).await;
    until("there is a report of the other type", async || {
        let found = server.get(&format!("/api/investigations/{}", case.investigation)).await.json();
        found["report_id"] != case.report.as_str() && found["status"] == "in_review"
    })
    .await;
    let next = wait_for_review(&server, "a-1").await;
    let listed = server.get(&format!("/api/reports/{}/addenda", next.report)).await.json();
    assert_eq!(listed["items"][0]["text"], "Seen by the branch.");
    server.store.erase(vec![seq], "asked for", "test").await.unwrap();
    for report in [&case.report, &next.report] {
        assert!(items(&server.get(&format!("/api/reports/{report}/addenda")).await.json()).is_empty());
    }
    server.stop().await;
}
