//! Requesting and reading reports, tracing them to their facts, and exporting them. No request changes a report.

use countersign_ledger::sha256;
use serde_json::{Value, json};

use crate::{
    case::{Case, alert, decide, in_review, investigation_of, items, key, listed, until_status},
    running::{Running, transaction, until},
};

async fn report_of(server: &Running, case: &Case) -> Value {
    server.get(&format!("/api/reports/{}", case.report)).await.json()
}

#[tokio::test]
async fn a_report_is_returned_exactly_as_it_was_hashed() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let report = report_of(&server, &case).await;
    for field in [
        "executive_summary",
        "fraud_explanation",
        "timeline_narrative",
        "risk_justification",
        "investigation_narrative",
        "markdown_content",
        "generated_at",
        "context_sha256",
        "content_hash",
    ] {
        assert!(report[field].as_str().is_some_and(|text| text.len() > 10), "{field}: {}", report[field]);
    }
    for (field, value) in [
        ("id", json!(case.report)),
        ("fraud_detection_id", json!("a-1")),
        ("investigation_id", json!(case.investigation)),
        ("report_type", json!("full")),
        ("severity", json!("CRITICAL")),
        ("risk_score", json!(91)),
        ("version", json!(1)),
        ("is_current", json!(true)),
        ("status", json!("in_review")),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    assert!(report["seq"].is_u64() && !report["recommended_next_steps"].as_array().unwrap().is_empty());
    assert_eq!(report["sections"].as_array().unwrap().len(), 5);
    assert_eq!(report["sections"][0]["written_by"], "builtin");
    assert!(!report.to_string().contains("user-7731"), "reports hold redacted data only");
    let text = server.get(&format!("/api/reports/{}", case.report)).await;
    let fields = text.text().matches("\"version\":").count()
        - report["structured_data"].to_string().matches("\"version\":").count();
    assert_eq!(fields, 1, "the version occurs exactly once");

    let exported = server.get(&format!("/api/reports/{}/export?format=json", case.report)).await;
    assert_eq!(report["content_hash"], sha256(&exported.body).to_hex());
    let event = server.get("/api/events?type=REPORT_GENERATED").await.json()["items"][0].clone();
    assert_eq!((&event["payload"]["content_hash"], &event["seq"]), (&report["content_hash"], &report["seq"]));
    server.stop().await;
}

#[tokio::test]
async fn every_traced_figure_equals_the_value_at_its_path() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let report = report_of(&server, &case).await;
    let facts = server.get(&format!("/api/reports/{}/facts", case.report)).await.json();
    assert_eq!(facts["context_sha256"], report["context_sha256"]);
    assert!(items(&facts).len() > 5, "{facts}");
    for fact in items(&facts) {
        let text: Vec<char> = report[fact["section"].as_str().unwrap()].as_str().unwrap().chars().collect();
        let (start, end) = (fact["start"].as_u64().unwrap() as usize, fact["end"].as_u64().unwrap() as usize);
        assert_eq!(fact["text"], text[start..end].iter().collect::<String>(), "{fact}");
        let value = report["context"].pointer(fact["path"].as_str().unwrap());
        assert_eq!(Some(&fact["value"]), value, "{fact}");
        assert_ne!(fact["value"], Value::Null, "{fact}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_verdict_has_its_deductions_and_the_hashes_of_the_judged_report() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let report = report_of(&server, &case).await;
    let verdicts = server.get(&format!("/api/reports/{}/validations", case.report)).await.json();
    assert_eq!((items(&verdicts).len(), &verdicts["next"]), (1, &json!(null)));
    let verdict = &verdicts["items"][0];
    assert_eq!((&verdict["report_id"], &verdict["passed"]), (&json!(case.report), &report["passed"]));
    assert_eq!(verdict["validation_score"], report["validation_score"]);
    assert_eq!((&verdict["hash_before"], &verdict["hash_after"]), (&report["content_hash"], &report["content_hash"]));
    let deducted: u64 =
        verdict["deductions"].as_array().unwrap().iter().map(|row| row["points"].as_u64().unwrap()).sum();
    assert_eq!(verdict["validation_score"].as_u64().unwrap(), 100_u64.saturating_sub(deducted));
    assert_eq!((&verdict["pass_mark"], &verdict["requires_regeneration"]), (&json!(70), &json!(false)));
    assert!(verdict["issues"].is_array() && verdict["feedback"].is_string() && verdict["validated_at"].is_string());
    assert!(verdict["structured_feedback"]["sections_present"].is_array());
    assert!(verdict["assessment"].is_object() && verdict["id"].is_string());
    server.stop().await;
}

#[tokio::test]
async fn verdicts_in_older_formats_are_listed_with_the_fields_they_have() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let seams = server.store.seams();
    for metadata in ["{}", r#"{"validation": null}"#, r#"{"validation": {"deductions": 7, "pass_mark": 70}}"#] {
        let verdict: countersign_domain::payload::ReportNeedsReview = serde_json::from_value(json!({
            "report_id": case.report, "investigation_id": case.investigation, "validation_score": 55,
            "issues": [{"type": "completeness", "severity": "medium", "description": "Too short."}],
            "feedback": "Say more.", "requires_regeneration": false, "flagged_at": "2027-01-01T00:00:00Z",
        }))
        .unwrap();
        let correlation = case.investigation.parse::<countersign_domain::InvestigationId>().unwrap().into();
        let mut event =
            countersign_domain::NewEvent::new(seams.event_id(), verdict, seams.now(), "supervisor", correlation)
                .unwrap();
        event.metadata = metadata.to_owned();
        server.store.append(vec![event]).await.unwrap();
    }
    let verdicts = server.get(&format!("/api/reports/{}/validations", case.report)).await;
    assert_eq!(verdicts.status, 200, "{}", verdicts.text());
    let verdicts = items(&verdicts.json()).clone();
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
    for verdict in &verdicts[..3] {
        assert_eq!((&verdict["feedback"], &verdict["validation_score"]), (&json!("Say more."), &json!(55)));
        assert_eq!(
            (&verdict["issues"][0]["description"], &verdict["structured_feedback"]),
            (&json!("Too short."), &json!(null))
        );
        assert_eq!(verdict["requires_regeneration"], false);
    }
    assert_eq!(verdicts[0]["pass_mark"], 70);
    server.stop().await;
}

#[tokio::test]
async fn a_report_is_exported_in_all_formats() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let report = report_of(&server, &case).await;
    let export = async |format: &str| server.get(&format!("/api/reports/{}/export?format={format}", case.report)).await;
    for (format, kind, place) in [
        ("md", "text/markdown; charset=utf-8", "attachment"),
        ("json", "application/json", "attachment"),
        ("html", "text/html; charset=utf-8", "inline"),
    ] {
        let answer = export(format).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{format}");
        let expected = format!("{place}; filename=\"report-{}-v1.{format}\"", case.report);
        assert_eq!(answer.header("content-disposition"), Some(expected.as_str()));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
    assert_eq!(report["markdown_content"], export("md").await.text());
    let page = export("html").await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline';") && !policy.contains("script"));
    assert!(page.text().starts_with("<!doctype html>") && !page.text().contains("<script"));
    assert_eq!(export("pdf").await.check_error(400), "format: pdf is not supported; use html and print the page");
    assert!(export("docx").await.check_error(400).starts_with("format: must be md, json"));
    assert!(export("").await.check_error(400).starts_with("format: is missing"));
    server.stop().await;
}

#[tokio::test]
async fn a_report_is_requested_once_and_then_returned() {
    let server = Running::with_agents(&[]).await;
    let (ana, ana_id) = key(&server, countersign_domain::Role::Investigator, "Ana").await;
    server.post("/api/transactions", &transaction("tx-1")).await;
    let mut sent = alert("a-1", "user-1", "high", 75);
    sent["metadata"]["transaction_id"] = json!("tx-1");
    server.post("/api/alerts", &sent).await;
    server.post("/api/alerts", &alert("a-low", "user-1", "low", 12)).await;
    let investigation = investigation_of("a-1");
    until("the agents have written their report", async || {
        items(&server.get("/api/reports?report_type=compliance").await.json()).len() == 1
    })
    .await;
    // The severity and score of the request are ignored; the alert's are used.
    let wanted = json!({"transaction_id": "tx-1", "report_type": "internal", "severity": "CRITICAL", "risk_score": 99,
        "regulatory_impact": "high", "requested_at": "2026-03-01T09:00:00Z"});
    let asked = server.call("POST", "/api/reports").key(Some(&ana)).body(wanted.to_string()).send().await;
    assert_eq!(asked.status, 202, "{asked:?}");
    let event = server.get(&format!("/api/events/{}", asked.json()["request_id"].as_str().unwrap())).await.json();
    for (field, value) in [
        ("fraud_detection_id", json!("a-1")),
        ("investigation_id", json!(investigation)),
        ("transaction_id", json!("tx-1")),
        ("severity", json!("HIGH")),
        ("risk_score", json!(75)),
        ("regulatory_impact", json!("high")),
        ("requested_by", json!(ana_id)),
    ] {
        assert_eq!(event["payload"][field], value, "{field}");
    }
    assert_eq!(event["correlation_id"], investigation.as_str());
    until("the requested report is written", async || {
        items(&server.get("/api/reports?report_type=internal").await.json()).len() == 1
    })
    .await;
    let size = server.store.size().await.unwrap();
    for ids in [
        json!({"fraud_detection_id": "a-1"}),
        json!({"investigation_id": investigation}),
        json!({"transaction_id": "tx-1"}),
    ] {
        let mut again = ids.clone();
        again["report_type"] = json!("internal");
        let answer = server.post("/api/reports", &again).await;
        let report = answer.json();
        assert_eq!(
            (answer.status, &report["report_type"], &report["severity"]),
            (200, &json!("internal"), &json!("HIGH"))
        );
        assert_eq!(report["regulatory_impact"], "high", "the report has the impact of the stored request");
    }
    let generated = server.get("/api/events?type=REPORT_GENERATED").await.json();
    assert_eq!(items(&generated).len(), 2);
    assert!(server.store.size().await.unwrap() >= size);
    for (body, status, detail) in [
        (json!({"report_type": "full"}), 400, "one of fraud_detection_id, investigation_id and transaction_id"),
        (json!({"fraud_detection_id": "a-1"}), 400, "missing field `report_type`"),
        (json!({"fraud_detection_id": "a-1", "report_type": "short"}), 400, "report_type: unknown variant"),
        (json!({"fraud_detection_id": "a-1", "report_type": "full", "risk_score": 101}), 400, "risk_score: "),
        (
            json!({"fraud_detection_id": "a-1", "report_type": "full", "severity": "LOW"}),
            400,
            "severity: must be MEDIUM",
        ),
        (json!({"fraud_detection_id": "a-1", "report_type": "full", "regeneration_of": "x"}), 400, "unknown field"),
        (json!({"fraud_detection_id": "a-1", "report_type": "full", "requested_by": "Ben"}), 400, "unknown field"),
        (
            json!({"fraud_detection_id": "a-1", "report_type": "full", "investigation_id": investigation_of("b")}),
            400,
            "investigation_id: belongs to another alert",
        ),
        (
            json!({"fraud_detection_id": "a-1", "report_type": "full", "transaction_id": "tx-2"}),
            400,
            "transaction_id: belongs to another alert",
        ),
        (json!({"fraud_detection_id": "a-low", "report_type": "full"}), 400, "the alert has low severity"),
        (json!({"fraud_detection_id": "a-2", "report_type": "full"}), 404, "no alert matches the given ids"),
        (
            json!({"investigation_id": investigation_of("b"), "report_type": "full"}),
            404,
            "no alert matches the given ids",
        ),
        (json!({"transaction_id": "tx-9", "report_type": "full"}), 404, "no alert matches the given ids"),
    ] {
        let found = server.post("/api/reports", &body).await.check_error(status);
        assert!(found.starts_with(detail), "{body}: {found}");
    }
    assert_eq!(items(&server.get("/api/events?type=REPORT_REQUESTED").await.json()).len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn no_method_on_any_path_of_a_report_changes_it() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let stored = server.store.report_content(&case.report.parse().unwrap()).await.unwrap().unwrap();
    let before = server.store.size().await.unwrap();
    let body = json!({"executive_summary": "Nothing happened.", "risk_score": 1}).to_string();
    for path in ["", "/versions", "/facts", "/validations", "/export?format=json", "/reviews"] {
        for method in ["PUT", "PATCH", "DELETE", "POST", "COPY", "MOVE", "PURGE"] {
            let answer =
                server.call(method, &format!("/api/reports/{}{path}", case.report)).body(body.clone()).send().await;
            let expected = if (method, path) == ("POST", "/reviews") { 400 } else { 405 };
            assert_eq!(answer.status, expected, "{method} {path}: {answer:?}");
        }
    }
    for method in ["PUT", "PATCH", "DELETE"] {
        server.call(method, "/api/reports").body(body.clone()).send().await.check_error(405);
    }
    assert_eq!(server.store.report_content(&case.report.parse().unwrap()).await.unwrap().unwrap(), stored);
    assert_eq!(server.store.size().await.unwrap(), before);
    server.stop().await;
}

#[tokio::test]
async fn reports_are_filtered_and_paged_without_gaps_or_repeats() {
    let server = Running::with_agents(&[]).await;
    let bands = [("medium", 50, "internal"), ("high", 70, "compliance"), ("critical", 90, "full")];
    let rows: Vec<_> = (0..11).map(|n| (format!("a-{n:02}"), format!("user-{}", n % 2), bands[n % 3])).collect();
    for (id, user, (severity, score, _)) in &rows {
        server.post("/api/alerts", &alert(id, user, severity, *score)).await;
    }
    until("all reports are written", async || items(&server.get("/api/reports").await.json()).len() == rows.len())
        .await;
    until("all reports are judged", async || items(&server.get("/api/reports?status=open").await.json()).is_empty())
        .await;
    // Write one report again: lists show only its second version.
    let sent_back = until_status(&server, &investigation_of("a-02"), "in_review").await;
    let first = sent_back["report_id"].as_str().unwrap();
    let answer =
        decide(&server, first, None, json!({"decision": "send_back", "comment": "Make the timeline longer."})).await;
    assert_eq!(answer.status, 201);
    until("the report is rewritten", async || {
        let found = server.get(&format!("/api/investigations/{}", investigation_of("a-02"))).await.json();
        found["report_id"] != first && found["status"] == "in_review"
    })
    .await;
    for severity in ["", "medium", "HIGH", "critical"] {
        for report_type in ["", "internal", "compliance", "full"] {
            for user in ["", "user-0", "user-1", "user-2"] {
                let matching = |row: &&(String, String, (&str, u8, &str))| {
                    (severity.is_empty() || row.2.0.eq_ignore_ascii_case(severity))
                        && (report_type.is_empty() || row.2.2 == report_type)
                        && (user.is_empty() || row.1 == user)
                };
                let expected: Vec<_> = rows.iter().filter(matching).map(|row| row.0.clone()).collect();
                let query = format!("/api/reports?severity={severity}&report_type={report_type}&user_id={user}");
                for limit in [1, 4] {
                    let mut found = listed(&server, &query, limit, "fraud_detection_id").await;
                    found.sort();
                    assert_eq!(found, expected, "{query} {limit}");
                }
                let mut by_status = Vec::new();
                for status in ["open", "in_review", "approved", "sent_back", "disposed"] {
                    by_status
                        .extend(listed(&server, &format!("{query}&status={status}"), 2, "fraud_detection_id").await);
                }
                by_status.sort();
                assert_eq!(by_status, expected, "{query}");
            }
        }
    }
    let row = server.get("/api/reports?limit=1").await.json()["items"][0].clone();
    assert_eq!(
        (&row["version"], &row["regeneration_of"], &row["severity"]),
        (&json!(2), &json!(first), &json!("CRITICAL"))
    );
    assert!(row.get("executive_summary").is_none() && row.get("markdown_content").is_none());
    assert!(row["passed"].is_boolean() && row["validation_score"].is_u64(), "{row}");
    server.stop().await;
}
