//! Transactions and alerts from outside are stored exactly once, and acknowledged only after that.

use serde_json::{Value, json};

use crate::running::{Running, alert, transaction};

#[tokio::test]
async fn a_transaction_is_stored_once() {
    let server = Running::start().await;
    let first = server.post("/api/transactions", &transaction("tx-1")).await;
    assert_eq!((first.status, first.json()), (202, json!({"accepted": 1, "duplicates": 0, "rejected": []})));
    let again = server.post("/api/transactions", &transaction("tx-1")).await;
    assert_eq!((again.status, again.json()), (202, json!({"accepted": 0, "duplicates": 1, "rejected": []})));
    let mut other = transaction("tx-1");
    other["amount"]["amount"] = json!("99.00");
    let detail = server.post("/api/transactions", &other).await.check_error(409);
    assert_eq!(detail, "transaction_id: already exists with different content");
    assert_eq!(server.store.size().await.unwrap(), 1);
    server.stop().await;
}

#[tokio::test]
async fn an_alert_is_stored_once() {
    let server = Running::start().await;
    for _ in 0..2 {
        let taken = server.post("/api/alerts", &alert("a-1")).await;
        assert_eq!((taken.status, taken.json()), (202, json!({"alert_id": "a-1"})));
    }
    let mut other = alert("a-1");
    other["score"] = json!(76);
    server.post("/api/alerts", &other).await.check_error(409);
    for (field, value) in
        [("alert_id", json!("")), ("severity", json!("worse")), ("score", json!(101)), ("user_id", json!(null))]
    {
        let mut bad = alert("a-2");
        bad[field] = value;
        let detail = server.post("/api/alerts", &bad).await.check_error(400);
        assert!(detail.starts_with(&format!("{field}: ")), "{detail}");
    }
    let mut deep = alert("a-3");
    deep["metadata"]["signals"] = (0..40).fold(json!({}), |inner, _| json!({ "k": inner }));
    let detail = server.post("/api/alerts", &deep).await.check_error(400);
    assert!(detail.starts_with("metadata.signals: is nested deeper"), "{detail}");
    assert_eq!(server.store.size().await.unwrap(), 1);
    server.stop().await;
}

#[tokio::test]
async fn the_valid_rows_of_an_array_are_stored_and_the_invalid_ones_reported() {
    let server = Running::start().await;
    server.post("/api/transactions", &transaction("tx-0")).await;
    let mut conflicting = transaction("tx-0");
    conflicting["user_id"] = json!("somebody else");
    let mut negative = transaction("tx-3");
    negative["amount"]["amount"] = json!("-5");
    let rows = json!([
        transaction("tx-1"), {"transaction_id": "tx-2"}, negative, transaction("tx-0"), conflicting, 17, transaction("tx-1"),
        null, ["tx-5", "user-1", {"amount": "1.00", "currency": "USD"}, "2026-03-01T09:00:00Z"], transaction("tx-4"),
    ]);
    let answer = server.post("/api/transactions", &rows).await;
    assert_eq!(answer.status, 202);
    let intake = answer.json();
    assert_eq!((&intake["accepted"], &intake["duplicates"]), (&json!(2), &json!(2)));
    let rejected: Vec<(u64, &str)> = intake["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["index"].as_u64().unwrap(), row["detail"].as_str().unwrap()))
        .collect();
    let expected = [
        (1, "missing field `user_id`"),
        (2, "amount: "),
        (4, "transaction_id: already exists with different content"),
        (5, "must be a JSON object"),
        (7, "must be a JSON object"),
        (8, "must be a JSON object"),
    ];
    assert_eq!(rejected.len(), expected.len(), "{rejected:?}");
    for ((index, detail), (expected_index, begin)) in rejected.iter().zip(expected) {
        assert!(*index == expected_index && detail.starts_with(begin), "{index}: {detail}");
    }
    assert_eq!(server.store.size().await.unwrap(), 3);
    server.stop().await;
}

#[tokio::test]
async fn ten_thousand_rows_are_accepted_at_once_and_one_more_is_too_many() {
    let server = Running::start().await;
    let rows: Vec<Value> = (0..10_001).map(|n| transaction(&format!("tx-{n}"))).collect();
    let detail = server.post("/api/transactions", &json!(rows)).await.check_error(413);
    assert_eq!(detail, "the array holds more than 10000 transactions; send it in parts");
    assert_eq!(server.store.size().await.unwrap(), 0);
    let answer = server.post("/api/transactions", &json!(rows[..10_000])).await.json();
    assert_eq!(answer, json!({"accepted": 10_000, "duplicates": 0, "rejected": []}));
    assert_eq!(server.store.size().await.unwrap(), 10_000);
    let again = server.post("/api/transactions", &json!(rows[..10_000])).await.json();
    assert_eq!(again, json!({"accepted": 0, "duplicates": 10_000, "rejected": []}));
    let none = server.post("/api/transactions", &json!([])).await;
    assert_eq!((none.status, none.json()["accepted"].clone()), (202, json!(0)));
    server.stop().await;
}

#[tokio::test]
async fn a_body_of_too_many_tiny_rows_is_refused_before_it_fills_memory() {
    let server = Running::start().await;
    let zeros = format!("[{}0]", "0,".repeat(4_000_000));
    server.call("POST", "/api/transactions").body(zeros).send().await.check_error(413);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_one_of_sixteen_concurrent_senders_of_the_same_id_is_accepted() {
    let server = Running::start().await;
    for round in 0..8 {
        let body = transaction(&format!("tx-{round}")).to_string();
        let calls: Vec<_> =
            (0..16).map(|_| tokio::spawn(server.call("POST", "/api/transactions").body(body.clone()).send())).collect();
        let mut sums = (0, 0);
        for call in calls {
            let answer = call.await.unwrap();
            assert_eq!(answer.status, 202);
            let intake = answer.json();
            sums.0 += intake["accepted"].as_u64().unwrap();
            sums.1 += intake["duplicates"].as_u64().unwrap();
        }
        assert_eq!(sums, (1, 15));
        assert_eq!(server.store.size().await.unwrap(), round + 1);
    }
    server.stop().await;
}

#[tokio::test]
async fn an_alerts_country_and_explanation_are_bounded_and_shown() {
    let server = Running::start().await;
    let alert = |metadata: Value| json!({"alert_id": "a-1", "user_id": "u-1", "severity": "high", "score": 70, "metadata": metadata});
    for (metadata, field) in [
        (json!({"country": "Portugal"}), "metadata.country"),
        (json!({"country": {"code": "PT"}}), "metadata.country"),
        (json!({"explanation": "x".repeat(2_001)}), "metadata.explanation"),
        (json!({"explanation": 7}), "metadata.explanation"),
    ] {
        let detail = server.post("/api/alerts", &alert(metadata)).await.check_error(400);
        assert!(detail.starts_with(field), "{detail}");
    }
    assert_eq!(server.store.size().await.unwrap(), 0);
    let sent = json!({"country": "PT", "explanation": "Two cards, one device."});
    assert_eq!(server.post("/api/alerts", &alert(sent.clone())).await.status, 202);
    assert_eq!(server.get("/api/alerts/a-1").await.json()["metadata"], sent);
    server.stop().await;
}
