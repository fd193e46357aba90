//! Compares the OpenAPI document with the server's responses, and checks the HTML pages.

use countersign_test_store::TestBackend;
use serde_json::Value;

use crate::{
    access::{documented, example_of},
    running::{Running, alert, transaction},
};

#[tokio::test]
async fn every_documented_path_answers_with_a_documented_status() {
    let server = Running::start().await;
    let openapi = server.get("/api/openapi.json").await.json();
    assert_eq!(openapi["info"]["title"], "Countersign");
    assert_eq!(openapi["info"]["license"]["identifier"], "Apache-2.0");
    let bodies = ["".to_owned(), "{}".to_owned(), transaction("tx-1").to_string(), alert("a-1").to_string()];
    for (method, pattern, operation) in documented(&openapi) {
        let names = [&operation["summary"], &operation["tags"][0], &operation["operationId"]];
        assert!(names.iter().all(|name| name.as_str().is_some_and(|name| !name.is_empty())), "{method} {pattern}");
        let paths = [example_of(&pattern), format!("{}?limit=0", example_of(&pattern))];
        for (path, body) in paths.iter().flat_map(|path| bodies.iter().map(move |body| (path, body))) {
            let answer = server.call(&method, path).body(body.clone()).send().await;
            let response = &operation["responses"][answer.status.to_string()];
            assert!(response.is_object(), "{method} {path} answered {} which is not documented", answer.status);
            if answer.status == 204 {
                assert!(answer.body.is_empty() && answer.header("content-type").is_none(), "{method} {path}");
                continue;
            }
            check_content_type(response, answer.header("content-type"), &format!("{method} {path} {}", answer.status));
        }
    }
    server.stop().await;
}

fn check_content_type(response: &Value, found: Option<&str>, what: &str) {
    let documented: Vec<&String> =
        response["content"].as_object().into_iter().flatten().map(|(kind, _)| kind).collect();
    let found = found.unwrap_or_default().split(';').next().unwrap_or_default();
    assert!(documented.iter().any(|kind| *kind == found), "{what}: {found} is not among {documented:?}");
}

#[tokio::test]
async fn every_operation_has_a_unique_id() {
    let server = Running::start().await;
    let openapi = server.get("/api/openapi.json").await.json();
    let mut ids: Vec<String> =
        documented(&openapi).iter().map(|(_, _, operation)| operation["operationId"].to_string()).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), count > 40), (count, true), "{ids:?}");
    server.stop().await;
}

#[tokio::test]
async fn later_versions_may_add_fields_to_an_audit() {
    let server = Running::start().await;
    let openapi = server.get("/api/openapi.json").await.json();
    for name in ["Audit", "AuditFinding", "Judge"] {
        let schema = &openapi["components"]["schemas"][name];
        assert!(schema["properties"].is_object() && schema.get("additionalProperties").is_none(), "{name}: {schema}");
    }
    server.stop().await;
}

#[tokio::test]
async fn every_reference_in_the_document_can_be_resolved() {
    let server = Running::start().await;
    let answer = server.get("/api/openapi.json").await;
    let openapi = answer.json();
    let references: Vec<&str> =
        answer.text().split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(references.len() > 20);
    for reference in references {
        assert!(openapi.pointer(reference).is_some(), "{reference}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_pages_are_html() {
    let server = Running::start().await;
    for path in ["/", "/ledger", "/api/docs"] {
        let answer = server.get(path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
        assert!(answer.text().to_lowercase().starts_with("<!doctype html>"));
    }
    assert!(!server.get("/api/docs").await.text().contains("<script"));
    assert!(server.get("/api/docs").await.text().contains("/api/transactions"));
    assert_eq!(server.get("/api/docs.css").await.header("content-type"), Some("text/css; charset=utf-8"));
    server.stop().await;
}

#[tokio::test]
async fn health_metrics_and_settings_describe_the_server() {
    let server = Running::start().await;
    server.post("/api/transactions", &transaction("tx-1")).await;
    let health = server.get("/health").await.json();
    assert_eq!(
        (&health["status"], &health["store"], &health["delivery"]),
        (&"ok".into(), &TestBackend::from_env().name().into(), &"in-process".into())
    );
    let metrics = server.get("/metrics").await;
    for line in [
        "countersign_http_requests_total{method=\"POST\",route=\"/api/transactions\",status=\"202\"} 1\n",
        "countersign_http_request_duration_seconds_count{route=\"/health\"} 1\n",
        "countersign_http_requests_in_flight 1\n",
        "countersign_live_clients 0\n",
        "countersign_events 1",
        "countersign_ledger_signed_events 0",
        "countersign_writer_waiting_jobs 0",
        "countersign_audit_dropped_total 0\n",
        "countersign_build_info{version=\"",
        "process_start_time_seconds ",
        "# EOF\n",
    ] {
        assert!(metrics.text().contains(line), "{line} is not in\n{}", metrics.text());
    }
    #[cfg(target_os = "linux")]
    assert!(metrics.text().contains("process_resident_memory_bytes "));
    let config = server.get("/api/config").await.json();
    let listen = config["settings"].as_array().unwrap().iter().find(|row| row["key"] == "listen").unwrap().clone();
    assert_eq!((&listen["value"], &listen["source"]), (&"127.0.0.1:0".into(), &"flag".into()));
    assert_eq!(server.get("/api/agents").await.json()["items"], Value::Array(Vec::new()));
    server.stop().await;
}
