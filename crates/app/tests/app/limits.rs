//! What happens when there is too much of something.

use crate::{
    client::{Call, Raw},
    running::{Running, transaction, until},
};

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
async fn over_the_number_of_requests_in_flight_others_are_told_to_come_back() {
    let server = Running::with(&[("limits.requests_in_flight_max", "1")]).await;
    let body = transaction("tx-1").to_string();
    let mut held = half_sent(&server, body.len()).await;
    until("the one place is taken", async || server.get("/health").await.status == 503).await;
    let refused = server.get("/health").await;
    refused.check_error(503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    held.send(&body).await;
    assert_eq!(held.receive().await.0, 202);
    until("the place is free again", async || server.get("/health").await.status == 200).await;
    server.stop().await;
}

#[tokio::test]
async fn over_the_rate_a_caller_is_told_when_to_come_back() {
    let server = Running::with(&[("limits.requests_per_minute", "5")]).await;
    let (key, _) = server.keys.create(countersign_domain::Role::Viewer, "test", None, "test").await.unwrap();
    for _ in 0..5 {
        assert_eq!(server.get("/health").await.status, 200);
    }
    let refused = server.get("/health").await;
    refused.check_error(429);
    let retry_after_s: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=12).contains(&retry_after_s));
    // A key has a bucket of its own.
    assert_eq!(server.call("GET", "/health").key(Some(key.expose())).send().await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn bodies_share_one_budget_and_give_it_back() {
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
    until("the budget is spent", async || post().await.status == 503).await;
    post().await.check_error(503);

    // Chunked bodies announce nothing and pay as they come.
    let mut chunked = Raw::open(server.address).await;
    let head =
        format!("POST /api/transactions HTTP/1.1\r\nhost: {}\r\ntransfer-encoding: chunked\r\n\r\n", server.address);
    chunked.send(head).await;
    chunked.send("1\r\n \r\n").await;
    assert_eq!(chunked.receive().await.0, 503);

    drop(held);
    until("the budget is back", async || post().await.status == 202).await;
    server.stop().await;
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_answered_all_the_same() {
    let server = Running::with(&[("limits.request_timeout_ms", "100")]).await;
    let mut held = half_sent(&server, 100).await;
    let (status, text) = held.receive().await;
    assert_eq!(status, 503);
    assert!(text.contains("\"status_code\":503") && text.contains("the answer took longer than 100 ms"), "{text}");
    server.stop().await;
}

#[tokio::test]
async fn over_the_number_of_connections_others_wait_for_one_to_close() {
    let server = Running::with(&[("limits.connections_max", "1")]).await;
    let mut first = Raw::open(server.address).await;
    let health = format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    first.send(&health).await;
    assert_eq!(first.receive().await.0, 200);
    let waiting = tokio::spawn(Call::new(server.address, "GET", "/health").send());
    // The first connection is still served while the second waits.
    first.send(&health).await;
    assert_eq!(first.receive().await.0, 200);
    assert!(!waiting.is_finished());
    drop(first);
    assert_eq!(waiting.await.unwrap().status, 200);
    server.stop().await;
}
