//! Graceful shutdown.

use countersign_domain::{EventType, StoredEvent};
use countersign_fake_provider::{Api, Behaviour, Fake};
use countersign_store::EventQuery;
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
    until("new connections are refused", async || TcpStream::connect(server.address).await.is_err()).await;
    held.send(&body).await;
    let (status, text) = held.receive().await;
    assert_eq!(status, 202, "{text}");
    let store = server.stop().await;
    assert_eq!(store.size().await.unwrap(), 1);
}

#[tokio::test]
async fn a_stopping_server_is_not_ready_and_gives_only_that_reason() {
    let server = Running::start().await;
    let mut probe = Raw::open(server.address).await;
    probe.send("GET /ready HTTP/1.1\r\n").await;
    // Connections are accepted in order, so the probe's connection was accepted before this one.
    assert_eq!(server.get("/health").await.status, 200);
    server.ask_to_stop();
    until("new connections are refused", async || TcpStream::connect(server.address).await.is_err()).await;
    probe.send(format!("host: {}\r\n\r\n", server.address)).await;
    let (status, text) = probe.receive().await;
    let body: Value = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((status, &body["reasons"]), (503, &json!(["the server is stopping"])));
    server.stop().await;
}

#[tokio::test]
async fn an_audit_interrupted_by_a_stop_leaves_its_model_call_on_record() {
    // The worker answers, and the auditor never does.
    let fake = Fake::start_with(|received| match received.api {
        Api::Gemini => Behaviour::Hang,
        _ => Behaviour::Answer,
    })
    .await;
    let urls = [fake.groq_url(), fake.gemini_url()];
    let server = Running::with(&[
        ("worker", "groq/llama-3.3-70b-versatile"),
        ("auditor", "gemini/gemini-2.5-flash"),
        ("gateway.policy", "enforce"),
        ("providers.groq_api_key", "gsk-test"),
        ("providers.gemini_api_key", "gemini-test"),
        ("providers.groq_base_url", &urls[0]),
        ("providers.gemini_base_url", &urls[1]),
    ])
    .await;
    let chat = |stream: bool| json!({"model": "m", "stream": stream, "messages": [{"role": "user", "content": "Hi?"}]});
    let (question, whole, streamed) = (json!({"user_query": "Hi?"}), chat(false), chat(true));
    let asked = async {
        tokio::join!(
            server.post("/process-agent", &question),
            server.post("/v1/chat/completions", &whole),
            server.post("/v1/chat/completions", &streamed),
        )
    };
    let stop = async {
        assert!(fake.wait_for(|fake| fake.received().iter().filter(|call| call.api == Api::Gemini).count() == 3).await);
        server.ask_to_stop();
    };
    let ((question, whole, streamed), ()) = tokio::join!(asked, stop);
    assert_eq!((question.status, whole.status, streamed.status), (503, 503, 200));
    assert!(streamed.text().contains("the server is stopping") && !streamed.text().contains("[DONE]"));
    let store = server.stop().await;
    let types = vec![EventType::ModelCalled, EventType::AnswerFailed];
    let events = store.events(EventQuery { from_seq: 0, types, correlation_id: None, limit: 50 }).await.unwrap();
    let payload =
        |event: &StoredEvent| -> Value { serde_json::from_str(event.payload.as_ref().unwrap().get()).unwrap() };
    for failure in events.iter().filter(|event| event.event_type == "ANSWER_FAILED") {
        let exchange = events.iter().filter(|event| event.correlation_id == failure.correlation_id);
        let calls: Vec<_> = exchange.filter(|event| event.event_type == "MODEL_CALLED").map(payload).collect();
        let auditor: Vec<_> = calls.iter().filter(|call| call["purpose"] == "auditor").collect();
        assert_eq!((calls.len(), auditor.len()), (2, 1), "{calls:?}");
        assert_eq!(auditor[0]["outcome"], "cancelled");
        assert_eq!(payload(failure)["end"], "interrupted");
    }
    assert_eq!(events.len(), 9);
}
