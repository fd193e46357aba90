//! Limits on requests, connections, bodies, rates and time.

use std::time::Duration;

use countersign_domain::Role;
use serde_json::json;
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, client::IntoClientRequest},
};

use crate::{
    client::Raw,
    running::{Running, transaction, until},
};

/// Half of the time that 400 half-sent requests would occupy the reserve if all of them had to time out, 64 at a time for 2 s each.
const PROBED_WITHIN: Duration = Duration::from_secs(6);

/// A request whose headers have arrived and whose body has not.
async fn half_sent(server: &Running, length: usize) -> Raw {
    let mut raw = Raw::open(server.address).await;
    raw.send(format!(
        "POST /api/transactions HTTP/1.1\r\nhost: {}\r\ncontent-length: {length}\r\n\r\n",
        server.address
    ))
    .await;
    raw
}

#[tokio::test]
async fn requests_beyond_the_limit_in_flight_are_refused_with_retry_after() {
    let server = Running::with(&[("limits.requests_in_flight_max", "1")]).await;
    let body = transaction("tx-1").to_string();
    let mut held = half_sent(&server, body.len()).await;
    until("the only request slot is taken", async || server.get("/api/agents").await.status == 503).await;
    let refused = server.get("/api/agents").await;
    refused.check_error(503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    // Probes are still answered.
    assert_eq!(server.get("/health").await.status, 200);
    let not_ready = server.get("/ready").await;
    assert_eq!((not_ready.status, not_ready.header("retry-after")), (503, Some("1")));
    assert_eq!(not_ready.json()["reasons"], json!(["the limit on requests in flight is reached"]));
    held.send(&body).await;
    assert_eq!(held.receive().await.0, 202);
    until("the request slot is free again", async || server.get("/api/agents").await.status == 200).await;
    assert_eq!(server.get("/ready").await.json(), json!({"status": "ready"}));
    server.stop().await;
}

#[tokio::test]
async fn requests_beyond_the_rate_limit_are_refused_with_retry_after() {
    let server = Running::with(&[("limits.requests_per_minute", "5")]).await;
    let (key, _) = server.keys.create(Role::Viewer, "test", None, "test").await.unwrap();
    for _ in 0..5 {
        assert_eq!(server.get("/api/agents").await.status, 200);
    }
    let refused = server.get("/api/agents").await;
    refused.check_error(429);
    let retry_after_s: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=12).contains(&retry_after_s));
    // Each key has its own rate limit, and probes are not limited.
    assert_eq!(server.get("/health").await.status, 200);
    assert_eq!(server.call("GET", "/api/agents").key(Some(key.expose())).send().await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn bodies_share_one_memory_budget_and_release_it() {
    let mib = 1 << 20;
    let server = Running::with(&[
        ("limits.body_bytes_in_flight_max", "1 MiB"),
        ("limits.transactions_bytes_max", "1 MiB"),
        ("limits.query_bytes_max", "1 MiB"),
        ("limits.gateway_bytes_max", "1 MiB"),
    ])
    .await;
    let post = async || server.post("/api/transactions", &transaction("tx-1")).await;
    assert_eq!(post().await.status, 202);
    let held = half_sent(&server, mib).await;
    until("the memory budget is used up", async || post().await.status == 503).await;
    post().await.check_error(503);

    // Chunked bodies have no announced length, so their memory is reserved as they arrive.
    let mut chunked = Raw::open(server.address).await;
    let head =
        format!("POST /api/transactions HTTP/1.1\r\nhost: {}\r\ntransfer-encoding: chunked\r\n\r\n", server.address);
    chunked.send(head).await;
    chunked.send("1\r\n \r\n").await;
    assert_eq!(chunked.receive().await.0, 503);

    drop(held);
    until("the memory budget is released", async || post().await.status == 202).await;
    server.stop().await;
}

#[tokio::test]
async fn a_request_that_takes_too_long_gets_a_503() {
    let server = Running::with(&[("limits.request_timeout_ms", "100")]).await;
    let mut held = half_sent(&server, 100).await;
    let (status, text) = held.receive().await;
    assert_eq!(status, 503);
    assert!(text.contains("\"status_code\":503") && text.contains("the request took longer than 100 ms"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn while_all_connections_are_in_use_only_probes_are_answered() {
    let server = Running::with(&[("limits.connections_max", "2")]).await;
    let health = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let (mut first, mut second) = (Raw::open(server.address).await, Raw::open(server.address).await);
    for held in [&mut first, &mut second] {
        held.send(&health).await;
        assert_eq!(held.receive().await.0, 200);
    }
    for _ in 0..3 {
        let refused = server.get("/api/agents").await;
        refused.check_error(503);
        assert_eq!(refused.header("retry-after"), Some("1"));
        assert_eq!(server.get("/health").await.status, 200);
        let not_ready = server.get("/ready").await;
        assert_eq!((not_ready.status, &not_ready.json()["reasons"]), (503, &json!(["all connections are in use"])));
    }
    let refused = server.get("/v1/models").await;
    assert_eq!((refused.status, refused.json()["error"]["type"].as_str()), (503, Some("server_error")));
    // Half-sent requests fill the reserve, but are dropped in favour of newer connections.
    let mut half_sent = Vec::new();
    let probed = tokio::time::timeout(PROBED_WITHIN, async {
        for _ in 0..400 {
            let mut raw = Raw::open(server.address).await;
            raw.send("GET /health HTTP/1.1\r\n").await;
            half_sent.push(raw);
        }
        server.get("/health").await.status
    });
    assert_eq!(probed.await, Ok(200), "half-sent requests don't keep probes out");
    // The connections that were already open still work.
    first.send(&health).await;
    assert_eq!(first.receive().await.0, 200);
    drop((first, half_sent));
    until("a connection is free again", async || server.get("/api/agents").await.status == 200).await;
    server.stop().await;
}

#[tokio::test]
async fn live_clients_are_limited_in_total_and_per_caller() {
    let settings = [("live.clients_max", "3"), ("live.clients_per_caller_max", "2")];
    let server = Running::with(&settings).await;
    let (key, _) = server.keys.create(Role::Viewer, "test", None, "test").await.unwrap();
    let (other, _) = server.keys.create(Role::Viewer, "other", None, "test").await.unwrap();
    let open = async |key: Option<&str>| {
        let mut request = format!("ws://{}/api/live", server.address).into_client_request().unwrap();
        if let Some(key) = key {
            request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
        }
        connect_async(request).await.map(|(socket, _)| socket).map_err(|error| match error {
            Error::Http(answer) => (answer.status().as_u16(), answer.headers().contains_key("retry-after")),
            other => panic!("{other}"),
        })
    };
    let first = open(None).await.unwrap();
    let _second = open(None).await.unwrap();
    assert_eq!(open(None).await.unwrap_err(), (503, true), "the caller already has two clients");
    let _third = open(Some(key.expose())).await.unwrap();
    assert_eq!(open(Some(other.expose())).await.unwrap_err(), (503, true), "there are already three clients in total");
    drop(first);
    until("a live client's slot is free", async || open(Some(other.expose())).await.is_ok()).await;
    server.stop().await;
}

#[tokio::test]
async fn wrong_keys_are_rate_limited_per_address_and_a_valid_key_is_not_locked_out() {
    let server = Running::with_keys().await;
    let (key, _) = server.keys.create(Role::Viewer, "test", None, "test").await.unwrap();
    let ask = async |key: &str, path: &str| server.call("GET", path).key(Some(key)).send().await;
    let wrong = format!("{}x", key.expose());
    for _ in 0..10 {
        ask(&wrong, "/api/agents").await.check_error(401);
    }
    for path in ["/api/agents", "/api/session", "/api/nothing"] {
        let refused = ask(&wrong, path).await;
        refused.check_error(429);
        let retry_after_s: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=6).contains(&retry_after_s));
    }
    assert_eq!(ask(key.expose(), "/api/agents").await.status, 200);
    assert_eq!(ask(&wrong, "/health").await.status, 200, "probes need no key");
    assert_eq!(server.get("/api/agents").await.status, 401, "a request without a key does not count as a wrong key");
    // Signing in has a separate limit.
    let sign_in = json!({"key": key.expose()});
    assert_eq!(server.post("/api/session", &sign_in).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn responses_are_compressed_for_callers_that_accept_it_unless_they_contain_secrets() {
    let server = Running::start().await;
    server.keys.create(Role::Viewer, &"long ".repeat(25), None, "test").await.unwrap();
    let transactions: Vec<_> = (0..20).map(|n| transaction(&format!("tx-{n}"))).collect();
    assert_eq!(server.post("/api/transactions", &json!(transactions)).await.status, 202);
    let coding = async |path: &str, accepted: &str| {
        let answer = server.call("GET", path).header("accept-encoding", accepted).send().await;
        assert_eq!(answer.status, 200, "{path}");
        answer
    };
    let plain = server.get("/api/events").await;
    assert_eq!((plain.header("content-encoding"), plain.body.len() > 1_024), (None, true));
    let packed = coding("/api/events", "br, gzip").await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.len() * 2 < plain.body.len());
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed.body[..]), &mut text).unwrap();
    assert_eq!(text, plain.text());
    let head = server.call("HEAD", "/api/events").header("accept-encoding", "gzip").send().await;
    let same = ["content-length", "content-encoding", "vary"];
    assert_eq!(same.map(|name| head.header(name)), same.map(|name| packed.header(name)), "{head:?}");
    let head = server.call("HEAD", "/api/events").send().await;
    assert_eq!(head.header("content-length"), Some(plain.body.len().to_string().as_str()));
    assert_eq!(coding("/api/events", "gzip;q=0").await.header("content-encoding"), None);
    assert_eq!(coding("/api/events?limit=1", "gzip").await.header("content-encoding"), None, "too small");
    for _ in 0..10 {
        server.keys.create(Role::Viewer, &"long ".repeat(25), None, "test").await.unwrap();
    }
    for path in ["/api/keys", "/api/session", "/api/config", "/v1/models"] {
        let answer = coding(path, "gzip").await;
        assert_eq!(answer.header("content-encoding"), None, "{path}");
    }
    assert!(server.get("/api/keys").await.body.len() > 1_024);
    server.stop().await;
}
