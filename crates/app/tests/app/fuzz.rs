//! Posts arbitrary bodies. The server refuses each with a 4xx in the error shape, or accepts and stores it. It never returns a 5xx
//! and never stores an event without acknowledging it.

use countersign_domain::{AlertId, InvestigationId, Score, Severity, payload::InvestigationCreated};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Map, Number, Value, json};
use tokio::runtime::Runtime;

use crate::running::{Running, alert, transaction};

const CASES: u32 = 384;
const BODILESS: [&str; 3] = ["/api/agents/x/pause", "/api/agents/x/resume", "/api/dead-letters/x/replay"];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| Number::from_f64(n).map_or(Value::Null, Value::Number)),
        ".{0,12}".prop_map(Value::String),
        "[0-9]{1,40}(\\.[0-9]{1,40})?".prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            vec((".{0,8}", inner), 0..6).prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

/// A valid body with one value replaced.
fn replaced(valid: Value) -> impl Strategy<Value = Vec<u8>> {
    let pointers = pointers(&valid);
    (proptest::sample::select(pointers), any_json()).prop_map(move |(pointer, value)| {
        let mut body = valid.clone();
        *body.pointer_mut(&pointer).unwrap() = value;
        body.to_string().into_bytes()
    })
}

fn pointers(value: &Value) -> Vec<String> {
    let fields = value.as_object().into_iter().flatten();
    let below = fields.flat_map(|(name, value)| pointers(value).into_iter().map(move |rest| format!("/{name}{rest}")));
    std::iter::once(String::new()).chain(below).collect()
}

/// A valid body with bytes removed, inserted or changed.
fn mutated(valid: Value) -> impl Strategy<Value = Vec<u8>> {
    let text = valid.to_string().into_bytes();
    (any::<prop::sample::Index>(), 0..12_usize, vec(any::<u8>(), 0..8)).prop_map(move |(at, cut, put)| {
        let at = at.index(text.len());
        let mut body = text[..at].to_vec();
        body.extend(put);
        body.extend(text.iter().skip(at + cut));
        body
    })
}

fn truncated(valid: Value) -> impl Strategy<Value = Vec<u8>> {
    let text = valid.to_string().into_bytes();
    any::<prop::sample::Index>().prop_map(move |at| text[..at.index(text.len())].to_vec())
}

/// Texts that are difficult for parsers.
fn special(valid: &Value) -> Vec<Vec<u8>> {
    let text = valid.to_string();
    let twice = format!("{{{},{}", &text[1..text.len() - 1], &text[1..]);
    let mut all: Vec<Vec<u8>> = [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("{}{}", "[".repeat(127), "]".repeat(127)),
        "1".repeat(100_000),
        "1e999999999".into(),
        "-".into(),
        "\"\\ud800\"".into(),
        "\u{feff}{}".into(),
        "{\"\":\"\"}".into(),
        "nul".into(),
        "[,]".into(),
        "[1,]".into(),
        "{} {}".into(),
        "\u{0}".into(),
        twice,
        text.replacen("user-1", "\\ud83d", 1),
        text.replacen("\"user-1\"", "1e400", 1),
        text.replacen("\"user-1\"", &"9".repeat(5000), 1),
        text.replacen("user-1", "\\u0000", 1),
        text.replacen("user-1", &"u".repeat(10_000), 1),
        text.replacen('{', "{\"extra\":[[[[]]]],", 1),
    ]
    .map(String::into_bytes)
    .into();
    all.push(
        text.replacen("user-1", "\u{1}", 1).into_bytes().into_iter().map(|b| if b == 1 { 0xff } else { b }).collect(),
    );
    all.push([b"{\"ignored\":\"\xff\xfe\",".as_slice(), &text.as_bytes()[1..]].concat());
    all
}

fn any_body(valid: Value) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        2 => vec(any::<u8>(), 0..200),
        2 => any_json().prop_map(|json| json.to_string().into_bytes()),
        2 => vec(any_json(), 0..5).prop_map(|rows| Value::Array(rows).to_string().into_bytes()),
        6 => replaced(valid.clone()),
        3 => mutated(valid.clone()),
        1 => truncated(valid.clone()),
        2 => proptest::sample::select(special(&valid)),
    ]
}

fn any_content_type() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "application/json",
        "text/plain",
        "",
        "application/json; charset=utf-16",
        "multipart/form-data",
    ])
}

/// Posts a body and checks the answer against what was stored.
async fn check(server: &Running, path: &str, kind: &str, body: Vec<u8>) {
    let before = server.store.size().await.unwrap();
    let answer = server.call("POST", path).header("content-type", kind).body(body.clone()).send().await;
    let stored = server.store.size().await.unwrap() - before;
    let shown = String::from_utf8_lossy(&body[..body.len().min(400)]).into_owned();
    match answer.status {
        202 if path == "/api/transactions" => {
            assert_eq!(answer.json()["accepted"], stored, "{shown}");
            serde_json::from_slice::<Value>(&body).expect("only JSON is accepted");
        }
        202 if path.ends_with("/supervisor-review") => assert_eq!(stored, 1, "{shown}"),
        202 => {
            assert!(stored <= 1, "{shown}");
            let sent: Value = serde_json::from_slice(&body).expect("only JSON is accepted");
            assert_eq!(answer.json()["alert_id"], sent["alert_id"]);
        }
        201 => assert_eq!(stored, 1, "{shown}"),
        200 if path.ends_with("/assign") => assert_eq!(stored, 1, "{shown}"),
        status => {
            assert!((400..500).contains(&status), "{status} for {shown}");
            answer.check_error(status);
            assert_eq!(stored, 0, "{status} for {shown}");
        }
    }
}

fn fuzz(path: &str, valid: Value) {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start());
    fuzz_on(&runtime, server, path, valid);
}

fn fuzz_on(runtime: &Runtime, server: Running, path: &str, valid: Value) {
    for body in special(&valid) {
        runtime.block_on(check(&server, path, "application/json", body));
    }
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    runner
        .run(&(any_body(valid), any_content_type()), |(body, kind)| {
            runtime.block_on(check(&server, path, kind, body));
            Ok(())
        })
        .unwrap();
    // The server is still healthy.
    assert_eq!(runtime.block_on(server.get("/health")).status, 200);
    runtime.block_on(server.stop());
}

#[test]
fn any_body_posted_as_transactions_is_refused_or_stored() {
    let mut valid = transaction("tx-1");
    valid["location"] = json!({"lat": 38.7, "lon": -9.1, "country": "PT", "city": "Lisbon"});
    valid["channel"] = json!("atm");
    valid["metadata"] = json!({"k": [1, {"deep": null}]});
    fuzz("/api/transactions", valid);
}

#[test]
fn any_body_posted_as_an_alert_is_refused_or_stored() {
    fuzz("/api/alerts", alert("a-1"));
}

#[test]
fn any_body_posted_as_a_key_is_refused_or_stored() {
    fuzz("/api/keys", json!({"role": "viewer", "name": "user-1", "expires_at": "2999-01-01T00:00:00Z"}));
}

/// A server with one investigation and without agents, so that only posted events are stored.
async fn investigated() -> Running {
    let server = Running::start().await;
    server.post("/api/alerts", &alert("a-1")).await;
    let alert_id: AlertId = "a-1".parse().unwrap();
    server
        .append(InvestigationCreated {
            investigation_id: InvestigationId::of_alert(&alert_id),
            alert_id,
            user_id: "user-1".parse().unwrap(),
            severity: Severity::High,
            risk_score: Score::new(75).unwrap(),
            transaction_id: None,
            created_at: server.store.seams().now(),
        })
        .await;
    server
}

#[test]
fn any_body_posted_to_an_investigation_is_refused_or_stored() {
    let investigation = InvestigationId::of_alert(&"a-1".parse().unwrap());
    for (what, valid) in [("assign", json!({"to": "user-1"})), ("supervisor-review", json!({"reason": "user-1"}))] {
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(investigated());
        fuzz_on(&runtime, server, &format!("/api/investigations/{investigation}/{what}"), valid);
    }
}

#[test]
fn any_body_posted_to_a_route_without_a_body_is_refused() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Running::start());
    let mut runner = TestRunner::new(Config { cases: 256, failure_persistence: None, ..Config::default() });
    runner
        .run(&(proptest::sample::select(&BODILESS[..]), "[!-~]{1,30}", any_body(alert("a-1"))), |(path, name, body)| {
            let encoded: String = name.bytes().map(|b| format!("%{b:02x}")).collect();
            let path = path.replace("/x/", &format!("/{encoded}/"));
            runtime.block_on(check(&server, &path, "application/json", body));
            Ok(())
        })
        .unwrap();
    runtime.block_on(server.stop());
}
