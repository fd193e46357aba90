//! The audited worker's API: `/process-agent`, `/api/logs`, `/api/audit`, `/api/providers` and the metrics.

use std::time::Duration;

use countersign_domain::EventType;
use countersign_fake_provider::Behaviour;
use serde_json::{Value, json};

use crate::{
    properties::ScriptedServer,
    running::{Running, until},
};

#[tokio::test]
async fn with_default_settings_the_answer_is_simulated_and_says_so() {
    let server = Running::start().await;
    let answer = server.post("/process-agent", &json!({"user_query": "What is the capital of France?"})).await;
    assert_eq!(answer.status, 200);
    let body = answer.json();
    let mut fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["audit", "created_at", "log_id", "query", "status", "worker_response"]);
    assert!(body["worker_response"].as_str().unwrap().to_lowercase().contains("simulated"));
    assert_eq!(
        (body["status"].as_str(), body["audit"]["risk_score"].as_u64(), body["audit"]["auditor"].as_str()),
        (Some("Safe"), Some(0), Some("builtin"))
    );
    assert_eq!(answer.header("x-countersign-log-id"), body["log_id"].as_str());
    let log = server.get(&format!("/api/logs/{}", body["log_id"].as_str().unwrap())).await.json();
    assert_eq!(
        (log["worker"]["provider"].as_str(), log["worker"]["model"].as_str()),
        (Some("simulated"), Some("simulated"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_card_number_is_flagged_with_its_position_even_if_the_auditor_reports_no_issue() {
    let scripted = ScriptedServer::start().await;
    scripted.fake.push(Behaviour::Text("Señor, the card is 4111 1111 1111 1111.".into()));
    let answer = scripted.ask("Which card?").await.json();
    assert_eq!((answer["status"].as_str(), answer["audit"]["pii_detected"].as_bool()), (Some("Flagged"), Some(true)));
    let finding = &answer["audit"]["findings"][0];
    assert_eq!(
        (finding["kind"].as_str(), finding["type"].as_str(), finding["start"].as_u64(), finding["end"].as_u64()),
        (Some("pii"), Some("CREDIT_CARD"), Some(19), Some(38))
    );
    assert!(!finding["explanation"].as_str().unwrap().contains("4111"));
    scripted.server.stop().await;
}

#[tokio::test]
async fn the_same_idempotency_key_is_answered_once() {
    let scripted = ScriptedServer::start().await;
    let post = async |key: &str, query: &str| {
        let body = json!({"user_query": query}).to_string();
        scripted.server.call("POST", "/process-agent").header("idempotency-key", key).body(body).send().await
    };
    let first = post("k-1", "one").await;
    let again = post("k-1", "one").await;
    assert_eq!((first.status, again.status), (200, 200));
    assert_eq!(first.json(), again.json());
    assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), (None, Some("true")));
    assert_eq!(scripted.fake.count(), 2, "one worker call and one audit");
    assert_eq!(post("k-1", "two").await.json()["status_code"], 422);
    assert_ne!(post("k-2", "one").await.json()["log_id"], first.json()["log_id"]);
    scripted.server.clock.advance(Duration::from_secs(24 * 3600 + 1));
    assert_ne!(post("k-1", "one").await.json()["log_id"], first.json()["log_id"], "a key expires after a day");
    for bad in ["", " ", "a b", &"x".repeat(256)] {
        assert_eq!(post(bad, "one").await.status, 400, "{bad:?}");
    }
    scripted.server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_replays_of_an_answered_key_all_get_the_stored_answer() {
    let scripted = std::sync::Arc::new(ScriptedServer::start().await);
    let post = async |scripted: &ScriptedServer| {
        let body = json!({"user_query": "one"}).to_string();
        scripted.server.call("POST", "/process-agent").header("idempotency-key", "k-1").body(body).send().await
    };
    let first = post(&scripted).await;
    assert_eq!(first.status, 200);
    for _ in 0..4 {
        let replays: Vec<_> = (0..32)
            .map(|_| {
                let scripted = std::sync::Arc::clone(&scripted);
                tokio::spawn(async move { post(&scripted).await })
            })
            .collect();
        for replay in replays {
            let replay = replay.await.unwrap();
            assert_eq!((replay.status, replay.header("idempotent-replayed")), (200, Some("true")), "{replay:?}");
            assert_eq!(replay.json(), first.json());
        }
    }
    assert_eq!(scripted.fake.count(), 2, "one worker call and one audit");
    std::sync::Arc::into_inner(scripted).unwrap().server.stop().await;
}

#[tokio::test]
async fn a_key_in_use_is_a_conflict_and_a_failure_releases_it() {
    let scripted = ScriptedServer::start().await;
    let call = || {
        scripted
            .server
            .call("POST", "/process-agent")
            .header("idempotency-key", "k")
            .body(json!({"user_query": "q"}).to_string())
    };
    scripted.fake.push(Behaviour::Delay(Duration::from_secs(5), Box::new(Behaviour::Status(401))));
    let first = call().send();
    let second = async {
        assert!(scripted.fake.wait_for(|fake| fake.count() == 1).await);
        call().send().await
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!((first.status, second.status), (500, 409));
    assert_eq!(second.header("retry-after"), Some("1"));
    assert_eq!(call().send().await.status, 200, "a failure releases the key");
    scripted.server.stop().await;
}

#[tokio::test]
async fn a_question_whose_caller_disconnects_is_still_answered_and_recorded() {
    let scripted = ScriptedServer::start().await;
    scripted.fake.push(Behaviour::Delay(Duration::from_millis(300), Box::new(Behaviour::Text("Late.".into()))));
    assert!(tokio::time::timeout(Duration::from_millis(50), scripted.ask("q")).await.is_err());
    until("the answer is on record", async || scripted.events(&[EventType::AuditLogCreated]).await.len() == 1).await;
    scripted.server.stop().await;
}

#[tokio::test]
async fn logs_are_listed_filtered_searched_and_summarised() {
    let scripted = ScriptedServer::start().await;
    for (number, (score, word)) in
        [(0, "apple"), (3, "pear"), (4, "apple"), (6, "plum"), (7, "apple"), (10, "pear")].iter().enumerate()
    {
        scripted.fake.push(Behaviour::Text(format!("Number {number} is about {word}s.")));
        scripted.fake.push(Behaviour::Text(
            json!({
                "risk_score": score, "hallucination_detected": false, "pii_detected": false, "toxic_content_detected": false,
                "details": "As judged.", "confidence": 0.9,
            })
            .to_string(),
        ));
        assert_eq!(scripted.ask(&format!("Tell me about the {word}")).await.status, 200);
    }
    let scores = async |query: &str| -> Vec<u64> {
        let list = scripted.server.get(&format!("/api/logs{query}")).await;
        assert_eq!(list.status, 200, "{list:?}");
        list.json()["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|log| log["audit"]["risk_score"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(scores("").await, [10, 7, 6, 4, 3, 0], "newest first");
    assert_eq!(scores("?status=Warning").await, [6, 4]);
    assert_eq!(scores("?status=Safe&min_score=1").await, [3]);
    assert_eq!(scores("?status=Safe&min_score=4").await, [0_u64; 0]);
    assert_eq!(scores("?min_score=3&max_score=7").await, [7, 6, 4, 3]);
    assert_eq!(scores("?q=apple").await, [7, 4, 0]);
    assert_eq!(scores("?q=apple&status=Flagged").await, [7]);
    assert_eq!(scores("?q=nothing+like+it").await, [0_u64; 0]);
    assert_eq!(scores("?from=2999-01-01T00:00:00Z").await, [0_u64; 0]);
    let first = scripted.server.get("/api/logs?limit=4").await.json();
    let next = first["next"].as_str().unwrap();
    assert_eq!(scores(&format!("?limit=4&after={next}")).await, [3, 0]);
    let stats = scripted.server.get("/api/logs/stats?bucket=hour").await.json();
    assert_eq!(stats["by_status"], json!({"Safe": 2, "Warning": 2, "Flagged": 2}));
    assert_eq!((stats["total"].as_u64(), stats["average_risk"].as_f64()), (Some(6), Some(5.0)));
    let trend: u64 = stats["trend"].as_array().unwrap().iter().map(|point| point["total"].as_u64().unwrap()).sum();
    assert_eq!(trend, 6);
    for (query, total, average) in [
        ("?status=Warning", 2, 5.0),
        ("?min_score=3&max_score=7&bucket=day", 4, 5.0),
        ("?q=apple", 3, 11.0 / 3.0),
        ("?q=apple&status=Flagged&bucket=minute", 1, 7.0),
        ("?q=nothing+like+it", 0, 0.0),
        ("?status=Safe&min_score=4", 0, 0.0),
    ] {
        let stats = scripted.server.get(&format!("/api/logs/stats{query}")).await.json();
        let found = (stats["total"].as_u64(), stats["average_risk"].as_f64());
        assert_eq!(found, (Some(total), Some(average)), "{query}");
        assert_eq!(
            (&stats["as_of"], &stats["partial"]),
            (&scripted.server.store.size().await.unwrap().into(), &false.into()),
            "{query}"
        );
        let trend: u64 = stats["trend"].as_array().unwrap().iter().map(|point| point["total"].as_u64().unwrap()).sum();
        assert_eq!(trend, if query.contains("bucket") { total } else { 0 }, "{query}");
    }
    let none = scripted.server.get("/api/logs/stats?from=2999-01-01T00:00:00Z").await.json();
    assert_eq!((none["total"].as_u64(), none["average_risk"].as_f64()), (Some(0), Some(0.0)));
    scripted.server.stop().await;
}

#[tokio::test]
async fn an_inspected_text_is_stored_only_on_request() {
    let server = Running::start().await;
    let size = server.store.size().await.unwrap();
    let inspected = server.post("/api/audit", &json!({"text": "Write to jo.doe@example.com"})).await.json();
    assert_eq!(
        (inspected["risk_score"].as_u64().unwrap() >= 4, inspected["findings"][0]["type"].as_str()),
        (true, Some("EMAIL"))
    );
    assert_eq!((inspected.get("log_id"), server.store.size().await.unwrap()), (None, size));
    let stored = server.post("/api/audit?store=true", &json!({"text": "All is well."})).await.json();
    let log = server.get(&format!("/api/logs/{}", stored["log_id"].as_str().unwrap())).await.json();
    assert_eq!((log["response"].as_str(), log["status"].as_str()), (Some("All is well."), Some("Safe")));
    for bad in [json!({}), json!({"text": " "}), json!([1])] {
        assert_eq!(server.post("/api/audit", &bad).await.status, 400, "{bad}");
    }
    server.stop().await;
}

#[tokio::test]
async fn each_sentence_of_a_text_is_checked_against_the_given_context() {
    let server = Running::start().await;
    let context = "The bridge was built in 1932 by Dorman Long and is 503 metres long. It carries eight lanes.";
    let text = "The bridge was built in 1932 by Dorman Long. Siemens closed it to all traffic in 1987.";
    let held = server.post("/api/audit", &json!({"text": text, "context": context})).await.json();
    let sentences = held["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 2, "{held}");
    let score = |n: usize| sentences[n]["score"].as_f64().unwrap();
    assert!(score(0) < 0.5 && score(1) >= 0.5, "{held}");
    assert_eq!((&sentences[0]["start"], &sentences[0]["nearest"][0]), (&json!(0), &json!(0)));
    assert!(held["findings"].as_array().unwrap().iter().any(|finding| finding["kind"] == "grounding"), "{held}");
    assert_eq!(held["audit"]["hallucination_detected"], true);
    let without = server.post("/api/audit", &json!({"text": text})).await.json();
    assert_eq!((without.get("sentences"), &without["audit"]["hallucination_detected"]), (None, &json!(false)));
    server.stop().await;
}

#[tokio::test]
async fn providers_and_metrics_count_the_calls() {
    let scripted = ScriptedServer::start().await;
    scripted.ask("q").await;
    let providers = scripted.server.get("/api/providers").await.json();
    assert_eq!(
        (providers["worker"].as_str(), providers["auditor"].as_str()),
        (Some("groq/llama-3.3-70b-versatile"), Some("gemini/gemini-2.5-flash"))
    );
    let groq = providers["items"].as_array().unwrap().iter().find(|item| item["name"] == "groq").unwrap().clone();
    assert_eq!((groq["calls"].as_u64(), groq["failures"].as_u64()), (Some(1), Some(0)));
    assert!(!providers.to_string().contains("gsk-test"));
    let metrics = scripted.server.get("/metrics").await;
    for line in [
        "countersign_answers_total{route=\"/process-agent\",status=\"Safe\"} 1",
        "countersign_model_calls_total{provider=\"groq\",purpose=\"worker\",outcome=\"ok\"} 1",
        "countersign_model_calls_total{provider=\"gemini\",purpose=\"auditor\",outcome=\"ok\"} 1",
        "countersign_audit_dropped_total 0",
    ] {
        assert!(metrics.text().contains(line), "{line} in {}", metrics.text());
    }
    scripted.server.stop().await;
}

#[tokio::test]
async fn live_clients_receive_logs_in_the_format_of_the_list() {
    let server = Running::start().await;
    let asked = server.post("/process-agent", &json!({"user_query": "q"})).await.json();
    let listed = server.get("/api/logs").await.json()["items"][0].clone();
    assert_eq!(listed["id"], asked["log_id"]);
    let event: Value = server.get("/api/events?type=AUDIT_LOG_CREATED").await.json()["items"][0].clone();
    assert_eq!((listed["seq"].clone(), listed["event_id"].clone()), (event["seq"].clone(), event["event_id"].clone()));
    server.stop().await;
}
