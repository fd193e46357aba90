//! Sends ten thousand audited requests while half of all calls to providers fail in various ways.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use countersign_domain::EventType;
use countersign_fake_provider::{Behaviour, mixed};
use countersign_store::OpenState;
use futures_util::stream::{self, StreamExt};
use serde_json::json;

use crate::properties::ScriptedServer;

const REQUESTS: u64 = 10_000;
const AT_ONCE: usize = 512;
/// Three attempts for the worker, three for the verdict and three for its repair.
const ATTEMPTS_MAX: usize = 9;

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_ends_in_an_answer_or_a_clear_error_and_is_recorded_exactly_once() {
    let scripted = Arc::new(ScriptedServer::start().await);
    scripted.fake.set_recording(false);
    scripted.fake.script(mixed(20_261_115, 0.5));
    let (answered, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let run = async |from: u64, to: u64| {
        stream::iter(from..to)
            .for_each_concurrent(AT_ONCE, |number| {
                let scripted = Arc::clone(&scripted);
                let (answered, failed) = (&answered, &failed);
                async move {
                    let is_gateway = number % 2 == 0;
                    let answer = if is_gateway {
                        let body = json!({"model": "m", "messages": [{"role": "user", "content": format!("question {number}")}]});
                        scripted.server.post("/v1/chat/completions", &body).await
                    } else {
                        scripted.ask(&format!("question {number}")).await
                    };
                    let body = answer.json();
                    match (answer.status, is_gateway) {
                        (200, true) => assert!(body["choices"][0]["message"]["content"].is_string(), "{body}"),
                        (200, false) => assert!(body["log_id"].is_string() && body["audit"]["risk_score"].is_u64(), "{body}"),
                        (429 | 500 | 502 | 503 | 504, true) => assert!(body["error"]["message"].is_string(), "{body}"),
                        (500, false) => assert_eq!(body["error"], "Worker agent failed to respond"),
                        (status, _) => panic!("{status}: {body}"),
                    }
                    let count = if answer.status == 200 { answered } else { failed };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            })
            .await;
    };
    run(0, REQUESTS / 2).await;
    let half_way_kib = resident_kib();
    run(REQUESTS / 2, REQUESTS).await;
    let (answered, failed) = (answered.into_inner(), failed.into_inner());
    assert_eq!(answered + failed, REQUESTS);
    assert!(answered > REQUESTS / 10, "only {answered} were answered");
    let grown_kib = resident_kib().saturating_sub(half_way_kib);
    assert!(grown_kib < 64 * 1024, "memory grew by {grown_kib} KiB in the second half");

    // Answers that were released before their audit are audited from the log, now that the providers work again.
    scripted.fake.script(|_| Behaviour::Answer);
    let mut waits = 0;
    while !scripted.server.store.open_answers(OpenState::Recorded, 1).await.unwrap().is_empty() {
        waits += 1;
        assert!(waits < 3_000, "some answers are never audited");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(scripted.events(&[EventType::AuditLogCreated]).await.len() as u64, answered);
    let mut on_record: HashMap<String, usize> = HashMap::new();
    for event in scripted.events(&[EventType::AuditLogCreated, EventType::AnswerFailed]).await {
        *on_record.entry(event["query"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(on_record.len() as u64, REQUESTS, "every request is on record");
    assert!(on_record.values().all(|times| *times == 1), "each request is on record exactly once");
    let log = scripted.server.store.events(countersign_store::EventQuery {
        from_seq: 0,
        types: vec![EventType::ModelCalled],
        correlation_id: None,
        limit: 1_000_000,
    });
    let mut attempts: HashMap<String, usize> = HashMap::new();
    for event in log.await.unwrap() {
        *attempts.entry(event.correlation_id.to_string()).or_default() += 1;
    }
    let most = attempts.values().max().copied().unwrap_or_default();
    assert!(most <= ATTEMPTS_MAX, "{most} attempts for one request");
}
