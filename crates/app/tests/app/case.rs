//! Creates investigations through the server's agents, for other tests to use.

use countersign_domain::{InvestigationId, Role};
use serde_json::{Value, json};

use crate::{
    client::Answer,
    running::{Running, until},
};

/// An investigation whose report is waiting for a reviewer.
pub(crate) struct Case {
    pub(crate) alert: String,
    pub(crate) investigation: String,
    pub(crate) report: String,
}

pub(crate) fn investigation_of(alert: &str) -> String {
    InvestigationId::of_alert(&alert.parse().unwrap()).to_string()
}

pub(crate) fn alert(id: &str, user: &str, severity: &str, score: u8) -> Value {
    json!({
        "alert_id": id, "user_id": user, "severity": severity, "score": score,
        "metadata": {"signals": {"velocity_anomaly": {"count_1h": 14, "threshold": 5}}}
    })
}

/// An investigation of critical severity, which always needs a reviewer.
pub(crate) async fn in_review(server: &Running, id: &str) -> Case {
    assert_eq!(server.post("/api/alerts", &alert(id, "user-7731", "critical", 91)).await.status, 202);
    wait_for_review(server, id).await
}

pub(crate) async fn wait_for_review(server: &Running, alert: &str) -> Case {
    let investigation = investigation_of(alert);
    let found = until_status(server, &investigation, "in_review").await;
    let report = found["report_id"].as_str().unwrap().to_owned();
    Case { alert: alert.to_owned(), investigation, report }
}

pub(crate) async fn until_status(server: &Running, investigation: &str, status: &str) -> Value {
    let path = format!("/api/investigations/{investigation}");
    until(&format!("{path} is {status}"), async || {
        let answer = server.get(&path).await;
        answer.status == 200 && answer.json()["status"] == status && !answer.json()["report_id"].is_null()
    })
    .await;
    server.get(&path).await.json()
}

impl Case {
    pub(crate) async fn decide(&self, server: &Running, key: Option<&str>, body: Value) -> Answer {
        decide(server, &self.report, key, body).await
    }
}

pub(crate) async fn decide(server: &Running, report: &str, key: Option<&str>, body: Value) -> Answer {
    let path = format!("/api/reports/{report}/reviews");
    server.call("POST", &path).key(key).body(body.to_string()).send().await
}

/// Creates a key. Returns its text and its id.
pub(crate) async fn key(server: &Running, role: Role, name: &str) -> (String, String) {
    let (raw, key) = server.keys.create(role, name, None, "test").await.unwrap();
    (raw.expose().to_owned(), key.id.to_string())
}

pub(crate) fn items(page: &Value) -> &Vec<Value> {
    page["items"].as_array().unwrap_or_else(|| panic!("not a list: {page}"))
}

/// Reads a whole list in pages of `limit` and returns one field of each item.
pub(crate) async fn listed(server: &Running, path: &str, limit: usize, field: &str) -> Vec<String> {
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let join = if path.contains('?') { '&' } else { '?' };
        let answer = server.get(&format!("{path}{join}limit={limit}&after={after}")).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        let page = answer.json();
        assert!(items(&page).len() <= limit);
        seen.extend(items(&page).iter().map(|item| item[field].as_str().unwrap().to_owned()));
        let Some(next) = page["next"].as_str() else { return seen };
        assert!(seen.len() < 1_000, "{path} has no end");
        assert!(next.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{next}");
        assert_eq!(items(&page).len(), limit, "only the last page is short");
        after = next.to_owned();
    }
}
