//! Reading the log over HTTP: filters, pages, causal chains and dead letters.

use countersign_domain::{
    DeadLetterId, NewEvent,
    payload::{AgentStarted, EventDeadLettered},
};
use serde_json::Value;

use crate::running::{Running, alert, transaction};

fn ids(page: &Value) -> Vec<u64> {
    page["items"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn events_are_listed_oldest_first_in_pages() {
    let server = Running::start().await;
    for n in 0..7 {
        server.post("/api/transactions", &transaction(&format!("tx-{n}"))).await;
        server.post("/api/alerts", &alert(&format!("a-{n}"))).await;
    }
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("/api/events?limit=4&after={after}")).await.json();
        seen.extend(ids(&page));
        let Some(next) = page["next"].as_str() else { break };
        assert!(next.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
        after = next.to_owned();
    }
    assert_eq!(seen, (0..14).collect::<Vec<u64>>());
    let alerts = server.get("/api/events?type=FRAUD_ALERT_CREATED").await.json();
    assert_eq!(ids(&alerts), [1, 3, 5, 7, 9, 11, 13]);
    for both in ["type=FRAUD_ALERT_CREATED,TRANSACTION_RECEIVED", "type=FRAUD_ALERT_CREATED&type=TRANSACTION_RECEIVED"]
    {
        assert_eq!(ids(&server.get(&format!("/api/events?{both}")).await.json()).len(), 14);
    }
    assert_eq!(ids(&server.get("/api/events?type=NOT_YET_INVENTED").await.json()), [0; 0]);
    let event = &alerts["items"][0];
    let same = server.get(&format!("/api/events/{}", event["event_id"].as_str().unwrap())).await.json();
    assert_eq!(&same, event);
    assert_eq!(same["payload"], alert("a-0"));
    server.stop().await;
}

#[tokio::test]
async fn a_chain_contains_all_events_of_a_correlation_and_their_causes() {
    let server = Running::start().await;
    server.post("/api/transactions", &transaction("tx-1")).await;
    server.post("/api/transactions", &transaction("tx-2")).await;
    let transaction = server.get("/api/events?limit=1").await.json()["items"][0].clone();
    let seams = server.store.seams();
    let started = AgentStarted { agent: "a".into(), version: "1".into(), started_at: seams.now() };
    let correlation = seams.correlation_id();
    let caused = NewEvent::new(seams.event_id(), started.clone(), seams.now(), "test", correlation).unwrap();
    let caused = caused.caused_by(transaction["event_id"].as_str().unwrap().parse().unwrap());
    let then = NewEvent::new(seams.event_id(), started, seams.now(), "test", correlation).unwrap();
    let then = then.caused_by(caused.event_id);
    let last = then.event_id;
    server.store.append(vec![caused, then]).await.unwrap();
    let chain = server.get(&format!("/api/events/{last}/chain")).await.json();
    assert_eq!(
        (ids(&chain), &chain["root"], &chain["truncated"]),
        (vec![0, 2, 3], &transaction["event_id"], &false.into())
    );
    server.stop().await;
}

#[tokio::test]
async fn dead_letters_are_listed_newest_first_and_replayed_once() {
    let server = Running::start().await;
    server.post("/api/transactions", &transaction("tx-1")).await;
    let event = server.get("/api/events?limit=1").await.json()["items"][0].clone();
    let mut letters = Vec::new();
    for n in 0..3_u8 {
        let dead_letter_id = DeadLetterId::v7(server.store.seams().now(), [n; 10]);
        server.clock.advance(std::time::Duration::from_millis(5));
        letters.push(dead_letter_id.to_string());
        server
            .append(EventDeadLettered {
                dead_letter_id,
                agent: if n == 0 { "first" } else { "second" }.into(),
                event_id: event["event_id"].as_str().unwrap().parse().unwrap(),
                event_type: "TRANSACTION_RECEIVED".into(),
                seq: 0,
                attempts: 5,
                error: "no model".into(),
                dead_lettered_at: server.store.seams().now(),
            })
            .await;
    }
    let listed = async |query: &str| -> Vec<String> {
        let page = server.get(&format!("/api/dead-letters?{query}")).await.json();
        page["items"].as_array().unwrap().iter().map(|letter| letter["id"].as_str().unwrap().to_owned()).collect()
    };
    let newest_first: Vec<String> = letters.iter().rev().cloned().collect();
    assert_eq!(listed("").await, newest_first);
    assert_eq!(listed("agent=first").await, newest_first[2..]);
    let page = server.get("/api/dead-letters?limit=2").await.json();
    assert_eq!(listed(&format!("limit=2&after={}", page["next"].as_str().unwrap())).await, newest_first[2..]);

    let path = format!("/api/dead-letters/{}/replay", letters[1]);
    let replayed = server.call("POST", &path).send().await;
    assert_eq!((replayed.status, replayed.json()["state"].clone()), (202, "replaying".into()));
    server.call("POST", &path).send().await.check_error(409);
    assert_eq!(listed("state=replaying").await, letters[1..2]);
    server.stop().await;
}
