//! Stopping in order.

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::{
    client::Raw,
    running::{Running, transaction, until},
};

#[tokio::test]
async fn a_request_in_flight_is_finished_before_the_server_stops() {
    let server = Running::start().await;
    let body = transaction("tx-1").to_string();
    let mut held = Raw::open(server.address).await;
    held.send(format!(
        "POST /api/transactions HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n",
        server.address,
        body.len()
    ))
    .await;
    let in_flight = "countersign_http_requests_in_flight 2\n";
    until("the request is in flight", async || server.get("/metrics").await.text().contains(in_flight)).await;
    let mut idle = Raw::open(server.address).await;
    idle.send(format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address)).await;
    assert_eq!(idle.receive().await.0, 200);

    server.ask_to_stop();
    assert!(idle.is_closed().await);
    until("nobody is let in", async || TcpStream::connect(server.address).await.is_err()).await;
    held.send(&body).await;
    let (status, text) = held.receive().await;
    assert_eq!(status, 202, "{text}");
    let store = server.stop().await;
    assert_eq!(store.size().await.unwrap(), 1);
}

#[tokio::test]
async fn a_server_that_stops_is_not_ready_for_that_reason_alone() {
    let server = Running::start().await;
    let mut probe = Raw::open(server.address).await;
    probe.send("GET /ready HTTP/1.1\r\n").await;
    // Connections are accepted in turn, so the first has been by now.
    assert_eq!(server.get("/health").await.status, 200);
    server.ask_to_stop();
    until("nobody is let in", async || TcpStream::connect(server.address).await.is_err()).await;
    probe.send(format!("host: {}\r\n\r\n", server.address)).await;
    let (status, text) = probe.receive().await;
    let body: Value = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((status, &body["reasons"]), (503, &json!(["the server is stopping"])));
    server.stop().await;
}
