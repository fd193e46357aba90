//! Access control, checked for every route, role and kind of invalid key.

use std::{collections::BTreeSet, time::Duration};

use countersign::http::ACCESS;
use countersign_domain::{EventType, Role};
use countersign_store::EventQuery;
use serde_json::Value;

use crate::{client::Answer, running::Running};

/// The expected table. It repeats the table in the code on purpose, so that every change to that table is intentional.
const EXPECTED: [(&str, &str, &[Role]); 60] = [
    ("GET", "/", EVERYBODY),
    ("GET", "/health", EVERYBODY),
    ("GET", "/ready", EVERYBODY),
    ("GET", "/metrics", PEOPLE),
    ("GET", "/api/agents", PEOPLE),
    ("POST", "/api/agents/{name}/pause", ADMINS),
    ("POST", "/api/agents/{name}/resume", ADMINS),
    ("GET", "/api/alerts", PEOPLE),
    ("POST", "/api/alerts", SENDERS),
    ("GET", "/api/alerts/{id}", PEOPLE),
    ("POST", "/api/audit", SENDERS),
    ("GET", "/api/config", ADMINS),
    ("GET", "/api/dead-letters", PEOPLE),
    ("POST", "/api/dead-letters/{id}/replay", ADMINS),
    ("GET", "/api/docs", PEOPLE),
    ("GET", "/api/docs.css", EVERYBODY),
    ("GET", "/api/events", PEOPLE),
    ("GET", "/api/events/{id}", PEOPLE),
    ("GET", "/api/events/{id}/chain", PEOPLE),
    ("GET", "/api/investigations", PEOPLE),
    ("GET", "/api/investigations/{id}", PEOPLE),
    ("POST", "/api/investigations/{id}/assign", INVESTIGATORS),
    ("POST", "/api/investigations/{id}/supervisor-review", INVESTIGATORS),
    ("DELETE", "/api/keys/{id}", ADMINS),
    ("GET", "/api/keys", ADMINS),
    ("POST", "/api/keys", ADMINS),
    ("GET", "/api/ledger/checkpoint", PEOPLE),
    ("GET", "/api/ledger/consistency", PEOPLE),
    ("GET", "/api/ledger/inclusion", PEOPLE),
    ("GET", "/api/ledger/key", PEOPLE),
    ("GET", "/api/ledger/leaf/{index}", PEOPLE),
    ("GET", "/api/ledger/leaves", PEOPLE),
    ("GET", "/api/ledger/witnesses", PEOPLE),
    ("GET", "/api/live", PEOPLE),
    ("GET", "/api/logs", PEOPLE),
    ("GET", "/api/logs/stats", PEOPLE),
    ("GET", "/api/logs/{id}", PEOPLE),
    ("GET", "/api/openapi.json", PEOPLE),
    ("GET", "/api/providers", PEOPLE),
    ("GET", "/api/reports", PEOPLE),
    ("POST", "/api/reports", INVESTIGATORS),
    ("GET", "/api/reports/{id}", PEOPLE),
    ("GET", "/api/reports/{id}/addenda", PEOPLE),
    ("POST", "/api/reports/{id}/addenda", REVIEWERS),
    ("GET", "/api/reports/{id}/export", PEOPLE),
    ("GET", "/api/reports/{id}/facts", PEOPLE),
    ("POST", "/api/reports/{id}/reviews", REVIEWERS),
    ("POST", "/api/reports/{id}/reviews/preview", REVIEWERS),
    ("GET", "/api/reports/{id}/validations", PEOPLE),
    ("GET", "/api/reports/{id}/versions", PEOPLE),
    ("GET", "/api/reviews", PEOPLE),
    ("GET", "/api/rules", PEOPLE),
    ("DELETE", "/api/session", EVERYBODY),
    ("GET", "/api/session", EVERYBODY),
    ("POST", "/api/session", EVERYBODY),
    ("GET", "/api/transactions", PEOPLE),
    ("POST", "/api/transactions", SENDERS),
    ("POST", "/process-agent", SENDERS),
    ("POST", "/v1/chat/completions", SENDERS),
    ("GET", "/v1/models", SENDERS),
];

/// Routes that are not part of the API's document. The last two return 404 in a build without the dashboard.
const DASHBOARD: [&str; 9] = [
    "/agents",
    "/investigations",
    "/investigations/{id}",
    "/ledger",
    "/ledger/{id}",
    "/reports/{id}",
    "/settings",
    "/assets/{*path}",
    "/favicon.svg",
];

const EVERYBODY: &[Role] = &Role::ALL;
const PEOPLE: &[Role] = &[Role::Viewer, Role::Investigator, Role::Reviewer, Role::Admin];
const SENDERS: &[Role] = &[Role::Agent, Role::Investigator, Role::Reviewer, Role::Admin];
const INVESTIGATORS: &[Role] = &[Role::Investigator, Role::Reviewer, Role::Admin];
const REVIEWERS: &[Role] = &[Role::Reviewer, Role::Admin];
const ADMINS: &[Role] = &[Role::Admin];

/// A path that matches the pattern and identifies no existing resource.
pub(crate) fn example_of(pattern: &str) -> String {
    let id = if pattern.starts_with("/api/keys") { "aaaaaaaaaaaa" } else { "0195e0c0-0000-7000-8000-000000000000" };
    pattern.replace("{id}", id).replace("{name}", "nobody").replace("{index}", "4000000000")
}

/// Every method and path of the OpenAPI document.
pub(crate) fn documented(openapi: &Value) -> Vec<(String, String, Value)> {
    let paths = openapi["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(|(method, operation)| (method.to_uppercase(), path.clone(), operation.clone()))
    });
    operations.collect()
}

struct Keys {
    good: Vec<(Role, String)>,
    bad: Vec<(&'static str, Option<String>)>,
}

impl Keys {
    async fn make(server: &Running) -> Self {
        let make = async |role, expires_at| {
            let (raw, key) = server.keys.create(role, "test", expires_at, "test").await.unwrap();
            (raw.expose().to_owned(), key)
        };
        let soon = server.store.seams().now().micros() + 3_600_000_000;
        let (expired, _) = make(Role::Admin, Some(countersign_domain::Time::from_micros(soon).unwrap())).await;
        server.clock.advance(Duration::from_secs(7200));
        let (revoked, key) = make(Role::Admin, None).await;
        server.keys.revoke(&key.id, "test").await.unwrap();
        let mut good = Vec::new();
        for role in Role::ALL {
            good.push((role, make(role, None).await.0));
        }
        let (_, admin) = good.last().unwrap();
        let wrong = format!("{}{}", &admin[..admin.len() - 2], if admin.ends_with("AA") { "BB" } else { "AA" });
        let bad = vec![
            ("none", None),
            ("wrong", Some(wrong)),
            ("malformed", Some("cs_".to_owned())),
            ("foreign", Some("sk-1234".to_owned())),
            ("expired", Some(expired)),
            ("revoked", Some(revoked)),
        ];
        Self { good, bad }
    }

    fn of(&self, role: Role) -> &str {
        &self.good.iter().find(|(found, _)| *found == role).unwrap().1
    }
}

#[tokio::test]
async fn every_route_admits_exactly_the_roles_it_should() {
    let server = Running::with_keys().await;
    let keys = Keys::make(&server).await;
    for (method, pattern, roles) in EXPECTED {
        let call = |key: Option<&str>| server.call(method, &example_of(pattern)).key(key).send();
        for (kind, key) in &keys.bad {
            let answer = call(key.as_deref()).await;
            // After ten wrong keys, requests from the address are rate-limited, which also counts as a refusal.
            let is_limited = answer.status == 429 && key.is_some();
            if roles == EVERYBODY {
                let is_answered = [200, 204, 400].contains(&answer.status) || is_limited && pattern == "/api/session";
                assert!(is_answered, "{method} {pattern} with key: {kind}: {answer:?}");
            } else if is_limited {
                check_refusal(&answer, pattern, 429);
            } else {
                check_refusal(&answer, pattern, 401);
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{method} {pattern} with key: {kind}");
            }
        }
        for (role, key) in &keys.good {
            let answer = call(Some(key)).await;
            if roles.contains(role) {
                assert!(![401, 403].contains(&answer.status), "{method} {pattern} as {role}: {answer:?}");
            } else {
                check_refusal(&answer, pattern, 403);
            }
        }
    }
    server.stop().await;
}

/// Checks the error's shape: OpenAI's on the gateway's routes, and ours everywhere else.
fn check_refusal(answer: &Answer, pattern: &str, status: u16) {
    if !pattern.starts_with("/v1/") {
        answer.check_error(status);
        return;
    }
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.json()["error"]["message"].is_string(), "{answer:?}");
}

#[tokio::test]
async fn the_openapi_document_and_the_access_table_list_the_expected_routes() {
    let server = Running::start().await;
    let openapi = server.get("/api/openapi.json").await.json();
    let documented = documented(&openapi);
    let named: BTreeSet<_> = documented.iter().map(|(method, path, _)| (method.as_str(), path.as_str())).collect();
    let listed: BTreeSet<_> = ACCESS
        .iter()
        .flat_map(|(path, methods)| methods.iter().map(move |(method, _)| (method.as_str(), *path)))
        .collect();
    let expected: BTreeSet<_> = EXPECTED.iter().map(|(method, path, _)| (*method, *path)).collect();
    assert_eq!(named, expected);
    let dashboard = DASHBOARD.iter().map(|path| ("GET", *path));
    assert_eq!(listed, expected.into_iter().chain(dashboard).collect());
    for (method, path, operation) in &documented {
        let (_, _, roles) = EXPECTED.iter().find(|row| (row.0, row.1) == (method.as_str(), path.as_str())).unwrap();
        let least = match *roles {
            EVERYBODY => "none",
            SENDERS => "agent",
            PEOPLE => "viewer",
            INVESTIGATORS => "investigator",
            REVIEWERS => "reviewer",
            _ => "admin",
        };
        assert_eq!(operation["x-least-role"], least, "{method} {path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn anonymous_callers_may_read_the_dashboard_and_nothing_else() {
    let server = Running::with_keys().await;
    for path in DASHBOARD {
        for method in ["GET", "HEAD"] {
            let answer = server.call(method, &example_of(path)).send().await;
            let is_page = !path.starts_with("/assets") && path != "/favicon.svg";
            assert!(answer.status == 200 || (answer.status == 404 && !is_page), "{method} {path}: {answer:?}");
        }
        server.call("POST", &example_of(path)).send().await.check_error(401);
    }
    for path in ["/assets/", "/assets", "/index.html", "/reports", "/settings/keys", "/agents/x", "/ledger/x/y"] {
        server.call("GET", path).send().await.check_error(401);
    }
    for path in ["/assets/none.js", "/assets/..%2f..%2f..%2fCargo.toml", "/assets/%2fetc%2fpasswd", "/assets/a%00.js"] {
        server.call("GET", path).send().await.check_error(404);
    }
    server.stop().await;
}

#[tokio::test]
async fn anonymous_callers_do_not_learn_which_paths_exist() {
    let server = Running::with_keys().await;
    let keys = Keys::make(&server).await;
    for (method, path) in [("GET", "/api/secrets"), ("GET", "/api/keys"), ("PUT", "/api/events"), ("BREW", "/")] {
        let detail = server.call(method, path).send().await.check_error(401);
        assert!(detail.starts_with("this path needs a key"), "{detail}");
    }
    let viewer = keys.of(Role::Viewer);
    server.call("GET", "/api/secrets").key(Some(viewer)).send().await.check_error(404);
    server.call("PUT", "/api/events").key(Some(viewer)).send().await.check_error(405);
    server.stop().await;
}

#[tokio::test]
async fn head_requires_the_same_role_as_get() {
    let server = Running::with_keys().await;
    let keys = Keys::make(&server).await;
    let head = |role| server.call("HEAD", "/api/config").key(Some(keys.of(role))).send();
    assert_eq!(head(Role::Viewer).await.status, 403);
    let answer = head(Role::Admin).await;
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    server.stop().await;
}

#[tokio::test]
async fn on_loopback_callers_without_a_key_are_local() {
    let server = Running::start().await;
    let keys = Keys::make(&server).await;
    let config = |key: Option<&str>| server.call("GET", "/api/config").key(key).send();
    assert_eq!(config(None).await.status, 200);
    assert_eq!(config(Some("sk-from-an-sdk")).await.status, 200);
    assert_eq!(config(Some(keys.of(Role::Admin))).await.status, 200);
    config(Some(keys.of(Role::Viewer))).await.check_error(403);
    for (kind, key) in &keys.bad[1..] {
        let expected = if *kind == "foreign" { 200 } else { 401 };
        assert_eq!(config(key.as_deref()).await.status, expected, "{kind}");
    }
    let basic = server.call("GET", "/api/config").header("authorization", "Basic Y3NfOmNz").send().await;
    assert_eq!(basic.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn refusals_are_counted_and_recorded_in_batches() {
    let server = Running::with_keys().await;
    for _ in 0..25 {
        let answer = server.call("GET", "/api/events?limit=1").key(Some("cs_wrong")).send().await;
        assert!([401, 429].contains(&answer.status), "{answer:?}");
    }
    let store = server.stop().await;
    let types = vec![EventType::AccessDenied];
    let events = store.events(EventQuery { types, limit: 100, ..Default::default() }).await.unwrap();
    let counts: Vec<u64> = events
        .iter()
        .map(|event| {
            let payload: Value = serde_json::from_str(event.payload.as_ref().unwrap().get()).unwrap();
            assert_eq!((&payload["reason"], &payload["route"]), (&"wrong_key".into(), &"/api/events".into()));
            payload["count"].as_u64().unwrap()
        })
        .collect();
    assert_eq!(counts.iter().sum::<u64>(), 25);
    // One batch is written immediately and one at the stop. There are more only if the test took longer than ten seconds.
    assert!(counts.len() <= 4, "{counts:?}");
}
