//! Reviewers' decisions: four-eyes review, one decision at a time, and a record of each.

use std::sync::Arc;

use countersign_domain::Role;
use serde_json::json;

use crate::{
    case::{Case, alert, decide, in_review, investigation_of, items, key, until_status, wait_for_review},
    running::{Running, until},
};

const FOUR_EYES: &str = "four eyes: you requested a report that is under review here or posted its alert, so somebody else \
                         must approve or close it";

async fn approve(server: &Running, case: &Case, key: &str) -> crate::client::Answer {
    case.decide(server, Some(key), json!({"decision": "approve"})).await
}

async fn dispose(server: &Running, case: &Case, key: &str) -> crate::client::Answer {
    case.decide(server, Some(key), json!({"decision": "dispose", "comment": "A false alarm."})).await
}

/// A critical alert with two reports in review: the full report that agents wrote, and a requested compliance report. The returned
/// case is about the requested report.
async fn with_requested_report(server: &Running, id: &str, key: &str) -> Case {
    let mut case = in_review(server, id).await;
    let first = case.report.clone();
    case.report = request_report(server, id, key, "compliance").await;
    until_report(server, &case.report, "in_review").await;
    until_report(server, &first, "in_review").await;
    case
}

/// Requests a report of this type, and waits until it is written.
async fn request_report(server: &Running, alert: &str, key: &str, report_type: &str) -> String {
    let body = json!({"fraud_detection_id": alert, "report_type": report_type}).to_string();
    assert_eq!(server.call("POST", "/api/reports").key(Some(key)).body(body).send().await.status, 202);
    let path = format!("/api/investigations/{}", investigation_of(alert));
    let mut id = None;
    until("the requested report is written", async || {
        let found = server.get(&path).await.json();
        let reports = found["reports"].as_array().unwrap();
        let of_type = reports.iter().find(|report| report["report_type"] == report_type);
        id = of_type.map(|report| report["id"].as_str().unwrap().to_owned());
        id.is_some()
    })
    .await;
    id.unwrap()
}

async fn until_report(server: &Running, id: &str, status: &str) {
    let path = format!("/api/reports/{id}");
    until(&format!("{path} is {status}"), async || server.get(&path).await.json()["status"] == status).await;
}

#[tokio::test]
async fn each_report_has_its_own_review_in_the_queue() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let (ben, _) = key(&server, Role::Reviewer, "Ben").await;
    let second = with_requested_report(&server, "a-1", &ana).await;
    let queue = server.get("/api/reviews").await.json();
    let waiting: Vec<_> = items(&queue).iter().map(|row| row["report"]["report_type"].as_str().unwrap()).collect();
    assert_eq!(waiting, ["compliance", "full"]);
    let first_page = server.get("/api/reviews?limit=1").await.json();
    let rest = format!("/api/reviews?limit=1&after={}", first_page["next"].as_str().unwrap());
    assert_eq!(server.get(&rest).await.json()["items"][0], queue["items"][1]);
    assert_eq!(items(&server.get("/api/reports?status=in_review").await.json()).len(), 2);
    assert_eq!(approve(&server, &second, &ben).await.status, 201);
    let left = server.get("/api/reviews").await.json();
    assert_eq!(items(&left).len(), 1);
    assert_eq!(left["items"][0]["report"], queue["items"][1]["report"]);
    assert_eq!(
        server.get(&format!("/api/investigations/{}", second.investigation)).await.json()["status"],
        "in_review"
    );
    server.stop().await;
}

#[tokio::test]
async fn the_person_who_posted_the_alert_cannot_approve_reports_about_it() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let (anas_new_key, _) = key(&server, Role::Admin, "Ana").await;
    let (ben, _) = key(&server, Role::Reviewer, "Ben").await;
    let body = alert("a-1", "user-7731", "critical", 91).to_string();
    assert_eq!(server.call("POST", "/api/alerts").key(Some(&ana)).body(body.clone()).send().await.status, 202);
    // Another person posts the same alert. The first sender still counts as the person who posted it.
    assert_eq!(server.call("POST", "/api/alerts").key(Some(&ben)).body(body).send().await.status, 202);
    let case = wait_for_review(&server, "a-1").await;
    for key in [&ana, &anas_new_key] {
        let detail = approve(&server, &case, key).await.check_error(409);
        assert_eq!(detail, FOUR_EYES);
    }
    assert_eq!(approve(&server, &case, &ben).await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn the_person_who_requested_a_report_cannot_approve_it() {
    let server = Running::with_agents(&[]).await;
    let (ana, ana_id) = key(&server, Role::Reviewer, "Ana").await;
    let (anas_new_key, _) = key(&server, Role::Admin, "Ana").await;
    let (ben, ben_id) = key(&server, Role::Reviewer, "Ben").await;
    let case = with_requested_report(&server, "a-1", &ana).await;
    for key in [&ana, &anas_new_key] {
        let detail = approve(&server, &case, key).await.check_error(409);
        assert_eq!(detail, FOUR_EYES);
    }
    let path = format!("/api/investigations/{}", case.investigation);
    assert_eq!(server.get(&path).await.json()["status"], "in_review");
    let approved = approve(&server, &case, &ben).await;
    assert_eq!(approved.status, 201, "{approved:?}");
    let review = approved.json();
    for (field, value) in [
        ("report_id", json!(case.report)),
        ("investigation_id", json!(case.investigation)),
        ("decision", json!("approve")),
        ("comment", json!("")),
        ("decided_by", json!(ben_id)),
        ("decided_by_name", json!("Ben")),
        ("disposition", json!(null)),
    ] {
        assert_eq!(review[field], value, "{field}");
    }
    assert_eq!(server.get(&path).await.json()["reviews"], json!([review]));
    assert_ne!(ana_id, ben_id);
    // A report that is already approved can't be approved again.
    let detail = approve(&server, &case, &ben).await.check_error(409);
    assert_eq!(detail, "the report is approved, but this decision requires a report that is in_review");
    server.stop().await;
}

#[tokio::test]
async fn the_person_who_posted_the_alert_or_requested_a_report_cannot_close_the_case() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let (ben, _) = key(&server, Role::Reviewer, "Ben").await;
    let (cleo, _) = key(&server, Role::Reviewer, "Cleo").await;
    let body = alert("a-1", "user-7731", "critical", 91).to_string();
    assert_eq!(server.call("POST", "/api/alerts").key(Some(&ana)).body(body).send().await.status, 202);
    let first = wait_for_review(&server, "a-1").await;
    let report = request_report(&server, "a-1", &ben, "compliance").await;
    until_report(&server, &report, "in_review").await;
    let second = Case { report, alert: first.alert.clone(), investigation: first.investigation.clone() };
    // Closing the case ends the review of both reports, so the decision may name either.
    for case in [&first, &second] {
        for key in [&ana, &ben] {
            assert_eq!(dispose(&server, case, key).await.check_error(409), FOUR_EYES);
        }
    }
    for report in [&first.report, &second.report] {
        assert_eq!(server.get(&format!("/api/reports/{report}")).await.json()["status"], "in_review");
    }
    // After another person has approved Ben's report, Ben may close the case. Ana may not, because she posted the alert.
    assert_eq!(approve(&server, &second, &cleo).await.status, 201);
    assert_eq!(dispose(&server, &first, &ana).await.check_error(409), FOUR_EYES);
    assert_eq!(dispose(&server, &first, &ben).await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn a_second_request_for_an_unwritten_report_counts_as_a_request_too() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let (ben, _) = key(&server, Role::Reviewer, "Ben").await;
    let (cleo, _) = key(&server, Role::Reviewer, "Cleo").await;
    let first = in_review(&server, "a-1").await;
    let reporter = async |what: &str| {
        assert_eq!(server.call("POST", &format!("/api/agents/reporter/{what}")).send().await.status, 200);
    };
    reporter("pause").await;
    let body = json!({"fraud_detection_id": "a-1", "report_type": "compliance"}).to_string();
    for key in [&ana, &ben] {
        let asked = server.call("POST", "/api/reports").key(Some(key)).body(body.clone()).send().await;
        assert_eq!(asked.status, 202, "{asked:?}");
        assert_eq!(dispose(&server, &first, key).await.check_error(409), FOUR_EYES);
    }
    reporter("resume").await;
    let mut report = String::new();
    until("the report is written and both requests are handled", async || {
        let found = server.get(&format!("/api/investigations/{}", first.investigation)).await.json();
        let reports = found["reports"].as_array().unwrap();
        let of_type = reports.iter().find(|report| report["report_type"] == "compliance");
        report = of_type.map_or_else(String::new, |report| report["id"].as_str().unwrap().to_owned());
        !report.is_empty() && !items(&server.get("/api/events?type=REPORT_SKIPPED").await.json()).is_empty()
    })
    .await;
    until_report(&server, &report, "in_review").await;
    assert_eq!(
        server.get(&format!("/api/reports/{report}")).await.json()["requesters"],
        json!(["Ana", "Ben", "local"])
    );
    let second = Case { report, alert: first.alert.clone(), investigation: first.investigation.clone() };
    for key in [&ana, &ben] {
        assert_eq!(approve(&server, &second, key).await.check_error(409), FOUR_EYES);
    }
    assert_eq!(approve(&server, &second, &cleo).await.status, 201);
    server.stop().await;
}

/// A month of small payments, a few in a row and then a larger one, about which the detector raises a medium alert. Returns
/// the alert's id.
async fn detected_alert(server: &Running) -> String {
    let payment = |id: String, amount: u32, at: String| json!({"transaction_id": id, "user_id": "user-1", "amount": {"amount": amount.to_string(), "currency": "EUR"}, "occurred_at": at});
    let mut payments: Vec<_> =
        (1..=28).map(|day| payment(format!("t-{day}"), 20 + day % 9, format!("2026-02-{day:02}T10:00:00Z"))).collect();
    payments.extend((0..4).map(|n| payment(format!("r-{n}"), 21, format!("2026-03-01T09:5{n}:00Z"))));
    payments.push(payment("odd".into(), 60, "2026-03-01T10:00:00Z".into()));
    assert_eq!(server.post("/api/transactions", &json!(payments)).await.status, 202);
    let mut alert = None;
    until("the detector has raised an alert", async || {
        alert = server.get("/api/alerts").await.json()["items"][0]["alert_id"].as_str().map(str::to_owned);
        alert.is_some()
    })
    .await;
    alert.unwrap()
}

#[tokio::test]
async fn an_automatic_approval_leaves_another_report_of_the_case_in_review() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let alert = detected_alert(&server).await;
    let investigation = investigation_of(&alert);
    let first = until_status(&server, &investigation, "approved").await["report_id"].as_str().unwrap().to_owned();
    let path = format!("/api/investigations/{investigation}/supervisor-review");
    assert_eq!(server.post(&path, &json!({"reason": "A second look."})).await.status, 202);
    until_report(&server, &first, "in_review").await;
    let second = request_report(&server, &alert, &ana, "compliance").await;
    until_report(&server, &second, "approved").await;
    until_report(&server, &first, "in_review").await;
    let found = server.get(&format!("/api/investigations/{investigation}")).await.json();
    assert_eq!((&found["status"], &found["report_id"]), (&json!("in_review"), &json!(first)));
    assert_eq!(items(&server.get("/api/reviews").await.json()).len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn the_person_who_sent_a_report_back_may_approve_its_next_version_and_the_requester_may_not() {
    let server = Running::with_agents(&[]).await;
    let (ana, _) = key(&server, Role::Reviewer, "Ana").await;
    let (ben, _) = key(&server, Role::Reviewer, "Ben").await;
    let case = with_requested_report(&server, "a-1", &ana).await;
    let back = case
        .decide(&server, Some(&ben), json!({"decision": "send_back", "comment": "Make the timeline longer."}))
        .await;
    assert_eq!(back.status, 201);
    let versions = format!("/api/reports/{}/versions", case.report);
    until("the second version is in review", async || {
        let newest = server.get(&versions).await.json()["items"][0].clone();
        newest["version"] == 2 && newest["status"] == "in_review"
    })
    .await;
    let report = server.get(&versions).await.json()["items"][0]["id"].as_str().unwrap().to_owned();
    let second = Case { report, ..case };
    approve(&server, &second, &ana).await.check_error(409);
    assert_eq!(approve(&server, &second, &ben).await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn without_keys_all_callers_are_local_and_may_approve_reports() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let review = case.decide(&server, None, json!({"decision": "approve", "comment": "Seen."})).await;
    assert_eq!((review.status, &review.json()["decided_by"]), (201, &json!("local")));
    assert!(review.json().get("decided_by_name").is_none());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_one_of_ten_concurrent_decisions_is_accepted() {
    let server = Arc::new(Running::with_agents(&[]).await);
    for round in 0..4 {
        let case = in_review(&server, &format!("a-{round}")).await;
        let mut calls = Vec::new();
        for n in 0..10 {
            let (key, _) = key(&server, Role::Reviewer, &format!("reviewer {n}")).await;
            let (server, report) = (Arc::clone(&server), case.report.clone());
            let decision = if n % 2 == 0 { "approve" } else { "send_back" };
            // The writer can act on this comment, so sending back is accepted and any later decision comes too late.
            let body = json!({"decision": decision, "comment": "Make the timeline longer."});
            calls.push(tokio::spawn(async move { decide(&server, &report, Some(&key), body).await }));
        }
        let mut decided = 0;
        for call in calls {
            let answer = call.await.unwrap();
            match answer.status {
                201 => decided += 1,
                _ => drop(answer.check_error(409)),
            }
        }
        assert_eq!(decided, 1);
        let path = format!("/api/investigations/{}", case.investigation);
        assert_eq!(server.get(&path).await.json()["reviews"].as_array().unwrap().len(), 1);
    }
    Arc::into_inner(server).unwrap().stop().await;
}

#[tokio::test]
async fn a_report_that_is_sent_back_is_rewritten_and_the_old_version_stays() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let path = format!("/api/reports/{}", case.report);
    let first = server.get(&path).await.json();
    let back =
        case.decide(&server, None, json!({"decision": "send_back", "comment": "Make the timeline longer."})).await;
    assert_eq!(back.status, 201);
    // Wait for the verdict as well, so that the fields compared below no longer change.
    until("there is a second version, with its verdict", async || {
        let versions = server.get(&format!("{path}/versions")).await.json();
        items(&versions).len() == 2 && versions["items"][0]["status"] == "in_review"
    })
    .await;
    let versions = server.get(&format!("{path}/versions")).await.json();
    let (newest, oldest) = (&versions["items"][0], &versions["items"][1]);
    assert_eq!(
        (&newest["version"], &newest["is_current"], &newest["regeneration_of"]),
        (&json!(2), &json!(true), &json!(case.report))
    );
    assert_eq!(
        (&oldest["version"], &oldest["is_current"], &oldest["id"]),
        (&json!(1), &json!(false), &json!(case.report))
    );
    assert_eq!(oldest["content_hash"], first["content_hash"]);
    let versions_of_newest =
        server.get(&format!("/api/reports/{}/versions?limit=1", newest["id"].as_str().unwrap())).await.json();
    assert_eq!(versions_of_newest["items"][0], *newest);
    let rest = format!("{path}/versions?limit=1&after={}", versions_of_newest["next"].as_str().unwrap());
    assert_eq!(server.get(&rest).await.json()["items"][0], *oldest);

    let still = server.get(&path).await.json();
    for field in ["executive_summary", "markdown_content", "content_hash", "context", "sections"] {
        assert_eq!(still[field], first[field], "{field}");
    }
    assert_eq!((&still["is_current"], &still["status"]), (&json!(false), &json!(null)));
    let requested = server.get("/api/events?type=REPORT_REQUESTED").await.json();
    assert_eq!(requested["items"][0]["payload"]["feedback"], "Make the timeline longer.");
    // The old version is no longer in review, so every decision about it is refused.
    until_status(&server, &case.investigation, "in_review").await;
    for decision in ["approve", "send_back", "dispose"] {
        let answer = case.decide(&server, None, json!({"decision": decision, "comment": "late"})).await;
        let detail = "the report is not under review in this investigation; a newer version may have replaced it";
        assert_eq!(answer.check_error(409), detail);
    }
    server.stop().await;
}

#[tokio::test]
async fn the_queue_lists_open_reviews_and_decided_ones() {
    let server = Running::with_agents(&[]).await;
    let (first, second) = (in_review(&server, "a-1").await, in_review(&server, "a-2").await);
    server.post(&format!("/api/investigations/{}/assign", first.investigation), &json!({"to": "Ana"})).await;
    let queue = server.get("/api/reviews").await.json();
    assert_eq!(queue, server.get("/api/reviews?status=open").await.json());
    let alerts: Vec<_> = items(&queue).iter().map(|row| row["investigation"]["alert_id"].as_str().unwrap()).collect();
    assert_eq!(alerts, ["a-2", "a-1"]);
    let row = &queue["items"][1];
    let verdict = server.get(&format!("/api/reports/{}/validations", first.report)).await.json()["items"][0].clone();
    assert_eq!(
        (&row["investigation"]["severity"], &row["investigation"]["risk_score"], &row["investigation"]["assigned_to"]),
        (&json!("critical"), &json!(91), &json!("Ana"))
    );
    assert_eq!(
        (&row["report"]["id"], &row["report"]["report_type"], &row["report"]["version"]),
        (&json!(first.report), &json!("full"), &json!(1))
    );
    assert_eq!(row["report"]["validation_score"], verdict["validation_score"]);
    assert_eq!(row["issues_count"], verdict["issues"].as_array().unwrap().len());
    let judged = server.get(&format!("/api/events/{}", verdict["id"].as_str().unwrap())).await.json();
    assert_eq!((&row["waiting_since"], &row["review"]), (&judged["recorded_at"], &json!(null)));
    let page = server.get("/api/reviews?limit=1").await.json();
    let rest = server.get(&format!("/api/reviews?limit=1&after={}", page["next"].as_str().unwrap())).await.json();
    assert_eq!((&rest["items"], &rest["next"]), (&json!([row]), &json!(null)));

    let closed =
        json!({"decision": "dispose", "comment": "The customer was travelling.", "disposition": "false_positive"});
    assert_eq!(second.decide(&server, None, closed).await.status, 201);
    assert_eq!(items(&server.get("/api/reviews").await.json()).len(), 1);
    let decided = server.get("/api/reviews?status=decided").await.json();
    let row = &decided["items"][0];
    assert_eq!(
        (&row["review"]["decision"], &row["review"]["disposition"], &row["investigation"]["status"]),
        (&json!("dispose"), &json!("false_positive"), &json!("disposed"))
    );
    assert_eq!((&row["report"]["id"], &row["waiting_since"]), (&json!(second.report), &json!(null)));
    assert_eq!(server.get("/api/alerts/a-2").await.json()["status"], "closed");
    for decision in ["approve", "send_back", "dispose"] {
        let answer = second.decide(&server, None, json!({"decision": decision, "comment": "late"})).await;
        assert_eq!(answer.check_error(409), "the investigation is closed, and that is final");
    }
    server.get("/api/reviews?status=all").await.check_error(400);
    server.stop().await;
}

#[tokio::test]
async fn a_decision_needs_a_comment_of_limited_length() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let size = server.store.size().await.unwrap();
    for (body, detail) in [
        (json!({}), "missing field `decision`"),
        (json!({"decision": "maybe"}), "decision: unknown variant"),
        (json!({"decision": "send_back"}), "comment: must say why"),
        (json!({"decision": "dispose", "comment": " \n\t"}), "comment: must say why"),
        (json!({"decision": "approve", "comment": "x".repeat(4_001)}), "comment: is longer than 4000 characters"),
        (
            json!({"decision": "approve", "comment": "\u{1F469}".repeat(4_001)}),
            "comment: is longer than 4000 characters",
        ),
        (json!({"decision": "approve", "comment": "a\u{0}b"}), "comment: contains a control character"),
        (json!({"decision": "approve", "disposition": "other"}), "disposition: is only allowed when closing the case"),
        (json!({"decision": "dispose", "comment": "x", "disposition": "guilty"}), "disposition: unknown variant"),
        (json!({"decision": "approve", "decided_by": "Ben"}), "unknown field"),
    ] {
        let found = case.decide(&server, None, body.clone()).await.check_error(400);
        assert!(found.starts_with(detail), "{body}: {found}");
    }
    decide(&server, &investigation_of("x"), None, json!({"decision": "approve"})).await.check_error(404);
    decide(&server, "r-1", None, json!({"decision": "approve"})).await.check_error(400);
    assert_eq!(server.store.size().await.unwrap(), size);
    let long = json!({"decision": "approve", "comment": "\u{1F469}\n".repeat(2_000)});
    assert_eq!(case.decide(&server, None, long).await.status, 201);
    server.stop().await;
}
