//! Live clients see every event exactly once, even if they disconnect and reconnect.

use std::{collections::HashMap, sync::Arc, time::Duration};

use countersign_domain::payload::{AgentStarted, AgentStopped};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest, protocol::frame::coding::CloseCode},
};

use crate::running::{PATIENCE, Running, alert, skip, transaction, until};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Client(Socket);

impl Client {
    async fn open(server: &Running, after: &str) -> Self {
        let query = if after.is_empty() { String::new() } else { format!("?after={after}") };
        let (socket, _) = connect_async(format!("ws://{}/api/live{query}", server.address)).await.unwrap();
        Self(socket)
    }

    async fn next(&mut self) -> Value {
        loop {
            match timeout(PATIENCE, self.0.next()).await.expect("no message in time").unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("unexpected {other:?}"),
            }
        }
    }

    /// The next message that is about an event.
    async fn next_event(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message["type"] != "cursor" && message["type"] != "ledger" {
                return message;
            }
        }
    }
}

/// Reads until the server closes the connection, and returns its reason.
pub(crate) async fn closed(socket: &mut Socket) -> CloseCode {
    loop {
        let message =
            timeout(PATIENCE, socket.next()).await.expect("the connection was not closed in time").unwrap().unwrap();
        if let Message::Close(frame) = message {
            return frame.unwrap().code;
        }
    }
}

/// A cursor at the start of the server's log.
async fn beginning(server: &Running) -> String {
    let cursor = Client::open(server, "").await.next().await["cursor"].as_str().unwrap().to_owned();
    format!("{}.0", cursor.split_once('.').unwrap().0)
}

async fn send_alerts(server: &Running, names: impl Iterator<Item = String>) {
    for name in names {
        assert_eq!(server.post("/api/alerts", &alert(&name)).await.status, 202);
    }
}

fn cursor_position(message: &Value) -> u64 {
    message["cursor"].as_str().unwrap().split_once('.').unwrap().1.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_connect_at_any_time_see_every_event_once_and_in_order() {
    const WRITERS: usize = 4;
    const EACH: usize = 150;
    let server = Arc::new(Running::with(&[("live.queue_messages_max", "16")]).await);
    let start = beginning(&server).await;
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                for n in 0..EACH {
                    send_alerts(&server, [format!("a-{writer}-{n}")].into_iter()).await;
                    // Transactions have no messages, so they leave gaps between the alerts' cursors.
                    server.post("/api/transactions", &transaction(&format!("tx-{writer}-{n}"))).await;
                }
            })
        })
        .collect();
    // Each client joins at a different time, and every third one disconnects and reconnects.
    let readers: Vec<_> = (0..9)
        .map(|reader: u64| {
            let (server, start) = (Arc::clone(&server), start.clone());
            tokio::spawn(async move {
                server.store.head().wait_for(|size| *size >= reader * 120).await.unwrap();
                let mut client = Client::open(&server, &start).await;
                let (mut seen, mut last) = (Vec::new(), 0);
                while seen.len() < WRITERS * EACH {
                    let message = client.next_event().await;
                    assert_eq!(message["type"], "alert");
                    assert!(cursor_position(&message) > last, "in order");
                    last = cursor_position(&message);
                    seen.push(message["data"]["alert_id"].as_str().unwrap().to_owned());
                    if reader.is_multiple_of(3) && seen.len().is_multiple_of(97) {
                        client = Client::open(&server, message["cursor"].as_str().unwrap()).await;
                    }
                }
                seen
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    for reader in readers {
        let seen = reader.await.unwrap();
        let mut counts: HashMap<String, usize> = HashMap::new();
        seen.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        assert!(counts.len() == WRITERS * EACH && counts.values().all(|count| *count == 1));
    }
    Arc::into_inner(server).unwrap().stop().await;
}

#[tokio::test]
async fn without_a_cursor_a_client_starts_at_the_current_end() {
    let server = Running::start().await;
    send_alerts(&server, ["before".to_owned()].into_iter()).await;
    let mut client = Client::open(&server, "").await;
    send_alerts(&server, ["after".to_owned()].into_iter()).await;
    let first = client.next().await;
    assert_eq!((&first["type"], cursor_position(&first)), (&json!("cursor"), 1));
    let second = client.next().await;
    assert_eq!((&second["type"], cursor_position(&second)), (&json!("alert"), 2));
    for (field, value) in alert("after").as_object().unwrap() {
        assert_eq!(&second["data"][field], value, "{field}");
    }
    assert_eq!((&second["data"]["status"], &second["event_type"]), (&json!("open"), &json!("FRAUD_ALERT_CREATED")));
    server.stop().await;
}

#[tokio::test]
async fn an_idle_clients_cursor_passes_events_without_messages() {
    let server = Running::start().await;
    let mut client = Client::open(&server, "").await;
    client.next().await;
    for n in 0..3 {
        server.post("/api/transactions", &transaction(&format!("tx-{n}"))).await;
    }
    // The server tells an idle client its cursor every 15 seconds, whether or not it has read the new events by then.
    let mut position = 0;
    for _ in 0..20 {
        skip(Duration::from_secs(15)).await;
        let idle = client.next().await;
        assert_eq!(idle["type"], "cursor");
        position = cursor_position(&idle);
        if position == 3 {
            break;
        }
    }
    assert_eq!(position, 3);
    server.stop().await;
}

#[tokio::test]
async fn a_client_whose_cursor_cannot_be_replayed_must_resync() {
    let server = Running::with(&[("live.replay_events_max", "10")]).await;
    let start = beginning(&server).await;
    let log = start.trim_end_matches(".0").to_owned();
    send_alerts(&server, (0..11).map(|n| format!("a-{n}"))).await;
    for (cursor, expected) in [
        (start.clone(), "resync"),
        (format!("{log}.12"), "resync"),
        ("0000000000000000.5".to_owned(), "resync"),
        (format!("{log}.1"), "alert"),
    ] {
        let mut client = Client::open(&server, &cursor).await;
        let message = client.next().await;
        assert_eq!(message["type"], expected, "{cursor}");
        assert_eq!(cursor_position(&message), if expected == "resync" { 11 } else { 2 });
    }
    let mut client = Client::open(&server, &start).await;
    let fresh = client.next().await;
    send_alerts(&server, ["next".to_owned()].into_iter()).await;
    assert_eq!(client.next().await["data"]["alert_id"], "next");
    // A client can reconnect with the new cursor.
    let mut again = Client::open(&server, fresh["cursor"].as_str().unwrap()).await;
    assert_eq!(again.next().await["data"]["alert_id"], "next");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_catches_up_or_must_resync() {
    for (replay_max, is_resynced) in [("100000", false), ("500", true)] {
        let server = Running::with(&[("live.queue_messages_max", "16"), ("live.replay_events_max", replay_max)]).await;
        let mut client = Client::open(&server, "").await;
        client.next().await;
        // Send more than the sockets can buffer, so that the server can't send anything further to this client.
        let mut big = alert("x");
        big["metadata"]["note"] = json!("x".repeat(16_000));
        for n in 0..1200 {
            big["alert_id"] = json!(format!("a-{n}"));
            assert_eq!(server.post("/api/alerts", &big).await.status, 202);
        }
        let (mut last, mut count, mut resynced) = (0, 0, false);
        while last < 1200 {
            let message = client.next().await;
            assert!(cursor_position(&message) > last);
            last = cursor_position(&message);
            resynced |= message["type"] == "resync";
            count += usize::from(message["type"] == "alert");
        }
        assert_eq!((resynced, count == 1200), (is_resynced, !is_resynced));
        server.stop().await;
    }
}

#[tokio::test]
async fn agents_and_checkpoints_have_messages_too() {
    let server = Running::start().await;
    let mut client = Client::open(&server, "").await;
    client.next().await;
    let now = server.store.seams().now();
    server.append(AgentStarted { agent: "detector".into(), version: "1".into(), started_at: now }).await;
    let started = client.next().await;
    assert_eq!((&started["type"], &started["data"]["agent"]), (&json!("agent"), &json!("detector")));
    server.append(AgentStopped { agent: "detector".into(), reason: "stop".into(), stopped_at: now }).await;
    assert_eq!(client.next().await["data"]["reason"], "stop");

    server.store.sign_checkpoint().await.unwrap();
    let ledger = client.next().await;
    assert_eq!((&ledger["type"], cursor_position(&ledger)), (&json!("ledger"), 2), "without an event the cursor stays");
    assert_eq!(ledger["data"]["size"], 2);
    let note = ledger["data"]["checkpoint"].as_str().unwrap();
    let opened = server.store.verifying_key().open(note).unwrap();
    assert_eq!(ledger["data"]["root"], opened.root.to_hex());
    server.stop().await;
}

#[tokio::test]
async fn every_step_of_an_investigation_sends_a_message_with_the_changed_row() {
    let server = Running::with_agents(&[]).await;
    let start = beginning(&server).await;
    let case = crate::case::in_review(&server, "a-1").await;
    let path = format!("/api/investigations/{}", case.investigation);
    server.post(&format!("{path}/assign"), &json!({"to": "Ana"})).await;
    assert_eq!(case.decide(&server, None, json!({"decision": "approve"})).await.status, 201);
    server.post(&format!("{path}/supervisor-review"), &json!({})).await;
    let row = async |path: &str| server.get(path).await.json()["items"][0].clone();
    let (mut client, mut messages) = (Client::open(&server, &start).await, HashMap::new());
    while messages.len() < 8 {
        let message = client.next_event().await;
        if message["type"] != "agent" {
            messages.insert(message["event_type"].as_str().unwrap().to_owned(), message);
        }
    }
    let verdict = if messages.contains_key("REPORT_APPROVED") { "REPORT_APPROVED" } else { "REPORT_NEEDS_REVIEW" };
    let investigation = row("/api/investigations").await;
    for (event_type, kind, expected) in [
        ("FRAUD_ALERT_CREATED", "alert", row("/api/alerts").await),
        ("INVESTIGATION_CREATED", "investigation", investigation.clone()),
        ("INVESTIGATION_ASSIGNED", "investigation", investigation.clone()),
        ("SUPERVISOR_REVIEW_REQUESTED", "investigation", investigation.clone()),
        ("SUPERVISOR_REVIEW_COMPLETED", "investigation", investigation),
        ("REPORT_GENERATED", "report", row("/api/reports").await),
        (verdict, "validation", row(&format!("/api/reports/{}/validations", case.report)).await),
        ("REVIEW_DECIDED", "review", row("/api/reviews?status=decided").await["review"].clone()),
    ] {
        let message =
            messages.get(event_type).unwrap_or_else(|| panic!("{event_type} is not among {:?}", messages.keys()));
        assert_eq!((&message["type"], &message["data"]), (&json!(kind), &expected), "{event_type}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_busy_client_that_only_listens_stays_connected() {
    let server = Running::start().await;
    let mut client = Client::open(&server, "").await;
    client.next().await;
    // The client gets a message every few seconds for two minutes, and sends nothing but pongs.
    for n in 0..24 {
        send_alerts(&server, std::iter::once(format!("a-{n}"))).await;
        assert_eq!(client.next_event().await["data"]["alert_id"], format!("a-{n}"));
        skip(Duration::from_secs(5)).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn revoking_a_key_closes_its_live_connections() {
    let server = Running::with_keys().await;
    let (raw, key) = server.keys.create(countersign_domain::Role::Viewer, "Wall", None, "test").await.unwrap();
    let mut request = format!("ws://127.0.0.1:{}/api/live", server.address.port()).into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {}", raw.expose()).parse().unwrap());
    let (mut socket, _) = connect_async(request).await.unwrap();
    server.keys.revoke(&key.id, "test").await.unwrap();
    skip(Duration::from_secs(15)).await;
    assert_eq!(closed(&mut socket).await, CloseCode::Policy);
    server.stop().await;
}

async fn refusal(server: &Running, query: &str, origin: Option<&str>) -> u16 {
    let mut request = format!("ws://{}/api/live{query}", server.address).into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    match connect_async(request).await {
        Ok(_) => 101,
        Err(Error::Http(response)) => {
            let body: Value = serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap();
            assert_eq!(body["status_code"], response.status().as_u16());
            response.status().as_u16()
        }
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn refusals_are_sent_before_the_upgrade() {
    let server = Running::start().await;
    let own = format!("http://localhost:{}", server.address.port());
    for (query, origin, status) in [
        ("", None, 101),
        ("", Some(own.as_str()), 101),
        ("", Some("http://localhost:3000"), 101),
        ("", Some("https://evil.example"), 403),
        ("", Some("null"), 403),
        ("?after=nonsense", None, 400),
        ("?after=a.b", None, 400),
        ("?afetr=a.1", None, 400),
    ] {
        assert_eq!(refusal(&server, query, origin).await, status, "{query} {origin:?}");
    }
    server.stop().await;
    let server = Running::with_keys().await;
    assert_eq!(refusal(&server, "", None).await, 401);
    server.stop().await;
}

#[tokio::test]
async fn the_number_of_clients_is_limited_and_a_permit_is_released() {
    let server = Running::with(&[("live.clients_max", "64")]).await;
    let mut clients = Vec::new();
    for _ in 0..64 {
        clients.push(Client::open(&server, "").await);
    }
    assert_eq!(refusal(&server, "", None).await, 503);
    assert!(server.get("/metrics").await.text().contains("countersign_live_clients 64\n"));
    clients.pop();
    until("the live client's slot is free", async || refusal(&server, "", None).await == 101).await;
    server.stop().await;
}

#[tokio::test]
async fn clients_are_told_that_the_server_is_stopping() {
    let server = Running::start().await;
    let mut client = Client::open(&server, "").await;
    client.next().await;
    server.ask_to_stop();
    let Message::Close(Some(close)) = timeout(PATIENCE, client.0.next()).await.unwrap().unwrap().unwrap() else {
        panic!("it should be closed with a reason");
    };
    assert_eq!(close.code, CloseCode::Away);
    server.stop().await;
}

#[tokio::test]
async fn messages_from_clients_are_ignored_and_limited_in_size() {
    use futures_util::SinkExt;
    let server = Running::start().await;
    let mut client = Client::open(&server, "").await;
    client.next().await;
    client.0.send(Message::text("hello")).await.unwrap();
    send_alerts(&server, ["a-1".to_owned()].into_iter()).await;
    assert_eq!(client.next().await["type"], "alert");
    client.0.send(Message::text("x".repeat(5000))).await.unwrap();
    until("the live client is disconnected", async || {
        server.get("/metrics").await.text().contains("countersign_live_clients 0\n")
    })
    .await;
    server.stop().await;
}
