//! The OpenAI-compatible gateway: what it passes on unchanged, what it records, and what it refuses.

use std::time::Duration;

use bytes::Bytes;
use countersign_domain::{EventType, payload::AnswerRequested};
use countersign_fake_provider::{Api, Behaviour, Fake};
use http_body_util::{BodyExt, Full};
use hyper::{Request, Response, body::Incoming, client::conn::http1::handshake};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::{
    client::Answer,
    running::{Running, until},
};

const PATH: &str = "/v1/chat/completions";
const CARD: &str = "The card is 4111 1111 1111 1111, enjoy.";
const MAIL: &str = "Write to jo.doe@example.com today.";

struct Gateway {
    server: Running,
    fake: Fake,
}

impl Gateway {
    /// A gateway that only observes, with the inspectors as its only judges.
    async fn observe() -> Self {
        Self::with(&[], "").await
    }

    async fn enforce(more: &[(&'static str, &str)]) -> Self {
        let mut settings = vec![("gateway.policy", "enforce")];
        settings.extend(more);
        Self::with(&settings, "").await
    }

    async fn with(more: &[(&'static str, &str)], file: &str) -> Self {
        let fake = Fake::start().await;
        let urls = [fake.groq_url(), fake.openai_url(), fake.gemini_url()];
        let mut settings = vec![
            ("worker", "groq/llama-3.3-70b-versatile"),
            ("providers.groq_api_key", "gsk-test"),
            ("providers.openai_api_key", "sk-test"),
            ("providers.gemini_api_key", "gemini-test"),
            ("providers.groq_base_url", urls[0].as_str()),
            ("providers.openai_base_url", urls[1].as_str()),
            ("providers.gemini_base_url", urls[2].as_str()),
        ];
        settings.extend(more);
        let server = Running::with_file(&settings, file).await;
        Self { server, fake }
    }

    async fn chat(&self, more: Value) -> Answer {
        self.server.post(PATH, &request(more)).await
    }

    /// Starts a stream without reading it.
    async fn open(&self, more: Value) -> Stream {
        let mut body = request(more);
        body["stream"] = json!(true);
        let stream = TcpStream::connect(self.server.address).await.unwrap();
        let (mut sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        let connection = tokio::spawn(connection);
        let request = Request::post(PATH).header("host", self.server.address.to_string());
        let response =
            sender.send_request(request.body(Full::new(Bytes::from(body.to_string()))).unwrap()).await.unwrap();
        Stream { response, connection, read: String::new() }
    }

    async fn payloads(&self, event_type: EventType) -> Vec<Value> {
        let path = format!("/api/events?type={}&limit=500", event_type.as_str());
        let events = self.server.get(&path).await.json();
        events["items"].as_array().unwrap().iter().map(|event| event["payload"].clone()).collect()
    }

    async fn log(&self, id: &str) -> Value {
        self.server.get(&format!("/api/logs/{id}")).await.json()
    }

    /// Waits until the log is no longer pending, and returns it.
    async fn settled(&self, id: &str) -> Value {
        let mut log = Value::Null;
        until("the log is no longer pending", async || {
            log = self.log(id).await;
            log["status"] != "Pending"
        })
        .await;
        log
    }
}

struct Stream {
    response: Response<Incoming>,
    connection: tokio::task::JoinHandle<hyper::Result<()>>,
    read: String,
}

impl Stream {
    fn header(&self, name: &str) -> String {
        self.response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    fn log_id(&self) -> String {
        self.header("x-countersign-log-id")
    }

    /// Reads the next frame. Returns `false` at the end.
    async fn more(&mut self) -> bool {
        let frame = tokio::time::timeout(Duration::from_secs(30), self.response.body_mut().frame())
            .await
            .expect("no frame in time");
        match frame {
            Some(Ok(frame)) => {
                self.read.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
                true
            }
            _ => false,
        }
    }

    async fn whole(mut self) -> String {
        while self.more().await {}
        std::mem::take(&mut self.read)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Closes the connection, so that the caller disconnects when the stream is dropped.
        self.connection.abort();
    }
}

fn request(more: Value) -> Value {
    let mut body = json!({
        "model": "llama-3.3-70b-versatile",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is the capital of France?"}],
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The concatenated text of a stream's deltas.
fn text_of(stream: &str) -> String {
    let chunks = stream.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    let texts = chunks.map(|data| {
        let chunk: Value = serde_json::from_str(data).unwrap();
        chunk.pointer("/choices/0/delta/content").and_then(Value::as_str).unwrap_or_default().to_owned()
    });
    texts.collect()
}

fn openai_error(body: &Value) -> (&str, &str) {
    let error = &body["error"];
    assert!(error["message"].is_string() && error.get("param").is_some() && error.get("code").is_some(), "{body}");
    (error["type"].as_str().unwrap(), error["code"].as_str().unwrap_or("null"))
}

#[tokio::test]
async fn a_request_and_its_answer_pass_unchanged() {
    let gateway = Gateway::observe().await;
    let upstream = r#"{ "id":"x", "choices":[{"index":0,"message":{"role":"assistant","content":"Paris.\u0021"},"zz":1.50}],
        "made_up": {"deep": [1e3, null]}, "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4} }"#;
    let raw = Behaviour::Raw {
        status: 200,
        content_type: "application/json".into(),
        body: Bytes::from(upstream),
        headers: vec![("openai-organization".into(), "org-1".into()), ("set-cookie".into(), "a=b".into())],
    };
    gateway.fake.push(raw);
    let body = r#"{"seed":7,"made_up_too":{"z":1.0,"a":[ ]},  "model":"llama-3.3-70b-versatile","messages":[{"role":"user","content":"hi \u00e9","name":"jo"}]}"#;
    let answer =
        gateway.server.call("POST", PATH).header("authorization", "Bearer sk-of-the-sdk").body(body).send().await;
    assert_eq!((answer.status, answer.text()), (200, upstream));
    assert_eq!(answer.header("openai-organization"), Some("org-1"));
    assert_eq!(answer.header("set-cookie"), None);
    assert_eq!(answer.header("x-countersign-status"), Some("Safe"));
    let received = gateway.fake.received().pop().unwrap();
    assert_eq!(received.body, body.as_bytes());
    assert_eq!(received.headers["authorization"], "Bearer gsk-test", "the provider gets the configured key");
    let log = gateway.log(answer.header("x-countersign-log-id").unwrap()).await;
    assert_eq!(
        (log["query"].as_str(), log["response"].as_str(), log["status"].as_str()),
        (Some("hi é"), Some("Paris.!"), Some("Safe"))
    );
    assert_eq!(log["worker"]["provider"], "groq");
    assert_eq!(log["worker"]["tokens_used"], 4);
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_provider_prefix_selects_the_provider_and_is_removed_from_the_model() {
    let gateway = Gateway::observe().await;
    let answer = gateway.chat(json!({"model": "openai/gpt-x"})).await;
    assert_eq!(answer.status, 200);
    let received = gateway.fake.received().pop().unwrap();
    assert_eq!(
        (received.path.as_str(), received.json.unwrap()["model"].as_str()),
        ("/v1/chat/completions", Some("gpt-x"))
    );
    let answer = gateway.chat(json!({"model": "gemini/gemini-2.5-flash"})).await;
    assert_eq!(answer.status, 200);
    assert_eq!(gateway.fake.received().pop().unwrap().path, "/v1beta/openai/chat/completions");
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_upstream_error_keeps_its_status_and_body_and_is_on_record() {
    let gateway = Gateway::observe().await;
    for (status, attempts) in [(400, 1), (401, 1), (404, 1), (422, 1), (500, 3), (429, 3)] {
        let body = format!(r#"{{"error":{{"message":"no {status}","type":"odd","extra":[1]}}}}"#);
        let raw = Behaviour::Raw {
            status,
            content_type: "application/json".into(),
            body: body.clone().into(),
            headers: Vec::new(),
        };
        gateway.fake.script(move |_| raw.clone());
        let before = gateway.fake.count();
        for is_stream in [false, true] {
            if is_stream && attempts == 3 {
                continue;
            }
            let answer = gateway.chat(json!({"stream": is_stream})).await;
            assert_eq!((answer.status, answer.text()), (status, body.as_str()));
            assert_eq!(
                answer.header("x-should-retry"),
                Some("false"),
                "callers need not retry what the gateway has retried"
            );
            let log = gateway.log(answer.header("x-countersign-log-id").unwrap()).await;
            assert_eq!(log["status"], "Failed");
            assert!(log["detail"].as_str().unwrap().contains(&status.to_string()));
        }
        let streams = if attempts == 1 { 2 } else { 1 };
        assert_eq!(gateway.fake.count() - before, attempts * streams, "{status}");
    }
    gateway.server.stop().await;
}

#[tokio::test]
async fn refusals_by_the_gateway_have_openais_error_shape() {
    let gateway = Gateway::observe().await;
    let server = &gateway.server;
    for (method, path, body, status, error_type) in [
        ("POST", PATH, "{", 400, "invalid_request_error"),
        ("POST", PATH, "{}", 400, "invalid_request_error"),
        ("POST", PATH, r#"{"model":"m","messages":[]}"#, 400, "invalid_request_error"),
        ("GET", PATH, "", 405, "invalid_request_error"),
        ("POST", "/v1/nothing", "{}", 404, "invalid_request_error"),
        ("POST", "/v1/chat/completions?x=1", "{}", 400, "invalid_request_error"),
    ] {
        let answer = server.call(method, path).body(body).send().await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(openai_error(&answer.json()).0, error_type);
    }
    let foreign = server.call("POST", PATH).header("origin", "https://evil.example").body("{}").send().await;
    assert_eq!((foreign.status, openai_error(&foreign.json()).0), (403, "permission_error"));
    let huge = server.call("POST", PATH).body(vec![b' '; 8 * 1024 * 1024 + 1]).send().await;
    assert_eq!((huge.status, openai_error(&huge.json()).0), (413, "invalid_request_error"));
    assert_eq!(gateway.fake.count(), 0);
    let with_keys = Running::with_keys().await;
    let stranger = with_keys.call("POST", PATH).body("{}").send().await;
    assert_eq!((stranger.status, openai_error(&stranger.json())), (401, ("invalid_request_error", "invalid_api_key")));
    with_keys.stop().await;
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_answer_that_is_not_a_completion_is_a_bad_gateway() {
    let gateway = Gateway::observe().await;
    for fault in [Behaviour::MalformedJson, Behaviour::Json(json!({"object": "list"})), Behaviour::Json(json!(7))] {
        gateway.fake.push(fault);
        let answer = gateway.chat(json!({})).await;
        assert_eq!((answer.status, openai_error(&answer.json()).0), (502, "upstream_error"));
    }
    assert_eq!(gateway.payloads(EventType::AnswerFailed).await.len(), 3);
    gateway.server.stop().await;
}

#[tokio::test]
async fn tools_choices_and_empty_answers_are_audited_for_their_text() {
    let gateway = Gateway::observe().await;
    let log_of = async |more: Value| {
        let answer = gateway.chat(more).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        gateway.log(answer.header("x-countersign-log-id").unwrap()).await
    };
    gateway.fake.push(Behaviour::ToolCall { name: "pay".into(), arguments: r#"{"to":"jo.doe@example.com"}"#.into() });
    let tool = log_of(json!({"tools": [{"type": "function", "function": {"name": "pay"}}]})).await;
    assert!(tool["response"].as_str().unwrap().starts_with('['), "{tool}");
    assert_eq!((tool["audit"]["pii_detected"].as_bool(), tool["status"].as_str()), (Some(true), Some("Warning")));
    gateway.fake.push(Behaviour::Choices(vec!["Paris.".into(), CARD.into()]));
    let two = log_of(json!({"n": 2})).await;
    assert_eq!(
        (two["response"].as_str().unwrap(), two["status"].as_str()),
        (format!("Paris.\n\n{CARD}").as_str(), Some("Flagged"))
    );
    let findings = two["audit"]["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["type"] == "CREDIT_CARD").unwrap();
    let marked: String = two["response"]
        .as_str()
        .unwrap()
        .chars()
        .skip(finding["start"].as_u64().unwrap() as usize)
        .take((finding["end"].as_u64().unwrap() - finding["start"].as_u64().unwrap()) as usize)
        .collect();
    assert_eq!(marked, "4111 1111 1111 1111");
    gateway.fake.push(Behaviour::EmptyText);
    assert!(!log_of(json!({})).await["response"].as_str().unwrap().is_empty());
    gateway.fake.push(Behaviour::Answer);
    let image = log_of(json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}]})).await;
    assert_eq!(image["query"], "What is this?\n[image_url]");
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_stream_passes_unchanged_and_is_on_record_before_its_end() {
    let gateway = Gateway::observe().await;
    let stream = gateway.open(json!({"stream_options": {"include_usage": true}})).await;
    assert_eq!((stream.response.status().as_u16(), stream.header("content-type").as_str()), (200, "text/event-stream"));
    assert_eq!(stream.header("x-countersign-status"), "Pending");
    let log_id = stream.log_id();
    let text = stream.whole().await;
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    assert_eq!(text_of(&text), countersign_fake_provider::ANSWER_TEXT);
    let log = gateway.log(&log_id).await;
    assert_eq!(
        (log["status"].as_str(), log["response"].as_str()),
        (Some("Safe"), Some(countersign_fake_provider::ANSWER_TEXT))
    );
    assert!(log["worker"]["tokens_used"].as_u64().unwrap() > 0);
    let chain: Vec<String> = gateway.server.get(&format!("/api/events?correlation_id={log_id}")).await.json()["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["event_type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(chain, ["ANSWER_REQUESTED", "MODEL_CALLED", "AUDIT_LOG_CREATED"]);
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_stream_whose_caller_disconnects_is_cancelled_upstream_and_recorded() {
    let gateway = Gateway::observe().await;
    gateway.fake.push(Behaviour::StreamHang { after_chunks: 3 });
    let mut stream = gateway.open(json!({})).await;
    let log_id = stream.log_id();
    while !stream.read.contains("content\":\"") || text_of(&stream.read).is_empty() {
        assert!(stream.more().await);
    }
    drop(stream);
    assert!(gateway.fake.wait_for(|fake| fake.cancelled() == 1).await, "the upstream call stays open");
    let log = gateway.settled(&log_id).await;
    assert_eq!(log["status"], "Cancelled");
    assert!(!log["response"].as_str().unwrap().is_empty(), "the released text is on record");
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_caller_that_disconnects_before_the_answer_cancels_the_call() {
    let gateway = Gateway::observe().await;
    for (n, is_stream) in [(1, false), (2, true)] {
        gateway.fake.push(Behaviour::Hang);
        let asking = gateway.chat(json!({"stream": is_stream}));
        assert!(tokio::time::timeout(Duration::from_millis(300), asking).await.is_err());
        assert!(gateway.fake.wait_for(|fake| fake.cancelled() == n as u64).await);
        until("the failure is on record", async || gateway.payloads(EventType::AnswerFailed).await.len() == n).await;
        assert_eq!(gateway.payloads(EventType::AnswerFailed).await[n - 1]["end"], "cancelled");
        let calls = gateway.payloads(EventType::ModelCalled).await;
        assert_eq!(calls.len(), n, "the cancelled attempt is on record too");
        assert_eq!((&calls[n - 1]["outcome"], &calls[n - 1]["attempt"]), (&json!("cancelled"), &json!(1)));
    }
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_broken_stream_ends_with_an_error_and_without_done() {
    let gateway = Gateway::observe().await;
    // The provider's own error is passed on unchanged. Without one, the gateway writes an error event.
    let faults = [
        (Behaviour::StreamBreak { after_chunks: 3 }, "upstream_error"),
        (Behaviour::StreamError { after_chunks: 3 }, "server_error"),
    ];
    for (fault, error_type) in faults {
        gateway.fake.push(fault);
        let stream = gateway.open(json!({})).await;
        let log_id = stream.log_id();
        let text = stream.whole().await;
        assert!(!text.contains("[DONE]"), "{text}");
        let last = text.trim_end().lines().last().unwrap().strip_prefix("data: ").unwrap();
        let error: Value = serde_json::from_str(last).unwrap();
        assert_eq!(error["error"]["type"], error_type, "{last}");
        assert_eq!(gateway.log(&log_id).await["status"], "Interrupted");
    }
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_stream_cut_off_by_a_crash_is_recorded_as_interrupted_at_the_next_start() {
    let gateway = Gateway::observe().await;
    let now = gateway.server.store.seams().now();
    let id = "0195e0c0-0000-7000-8000-0000000000aa";
    gateway
        .server
        .append(AnswerRequested {
            log_id: id.parse().unwrap(),
            query: "q".into(),
            route: PATH.into(),
            model: None,
            requested_at: now,
        })
        .await;
    assert_eq!(gateway.log(id).await["status"], "Pending");
    let config = countersign_config::load(&countersign_config::Inputs {
        flags: &[],
        env: &|_| None,
        variable_names: &[],
        file: None,
        defaults: &[],
    })
    .unwrap()
    .config;
    let engine = countersign::Engine::new(&config, &gateway.server.store).unwrap();
    engine.recover().await.unwrap();
    engine.recover().await.unwrap();
    let failures = gateway.payloads(EventType::AnswerFailed).await;
    assert_eq!(
        (failures.len(), failures[0]["end"].as_str(), failures[0]["log_id"].as_str()),
        (1, Some("interrupted"), Some(id))
    );
    assert_eq!(gateway.log(id).await["status"], "Interrupted");
    gateway.server.stop().await;
}

#[tokio::test]
async fn observed_answers_are_judged_by_the_model_afterwards() {
    let gateway = Gateway::with(&[("auditor", "gemini/gemini-2.5-flash")], "").await;
    let risky = json!({"risk_score": 8, "hallucination_detected": true, "pii_detected": false, "toxic_content_detected": false, "details": "Invented.", "confidence": 0.9});
    gateway.fake.script(move |received| match received.api {
        Api::Gemini => Behaviour::Text(risky.to_string()),
        _ => Behaviour::Answer,
    });
    for is_stream in [false, true] {
        let answer = gateway.chat(json!({"stream": is_stream})).await;
        assert_eq!((answer.status, answer.header("x-countersign-status")), (200, Some("Pending")));
        let log = gateway.settled(answer.header("x-countersign-log-id").unwrap()).await;
        assert_eq!((log["status"].as_str(), log["audit"]["auditor"].as_str()), (Some("Flagged"), Some("model")));
    }
    assert_eq!(gateway.payloads(EventType::AuditLogCreated).await.len(), 2);
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_enforced_policy_refuses_flagged_answers() {
    let gateway = Gateway::enforce(&[]).await;
    gateway.fake.script(|_| Behaviour::Text(CARD.into()));
    let answer = gateway.chat(json!({})).await;
    assert_eq!((answer.status, openai_error(&answer.json())), (403, ("countersign_refused", "flagged")));
    assert!(!answer.text().contains("4111"));
    let log = gateway.log(answer.header("x-countersign-log-id").unwrap()).await;
    assert_eq!((log["status"].as_str(), log["response"].as_str()), (Some("Flagged"), Some(CARD)));
    assert_eq!(gateway.payloads(EventType::AnswerFailed).await[0]["end"], "refused");
    let streamed = gateway.open(json!({})).await.whole().await;
    assert!(!streamed.contains("4111") && !streamed.contains("[DONE]"), "{streamed}");
    let last = streamed.trim_end().lines().last().unwrap().strip_prefix("data: ").unwrap();
    assert_eq!(openai_error(&serde_json::from_str(last).unwrap()), ("countersign_refused", "flagged"));
    gateway.fake.script(|_| Behaviour::Answer);
    let fine = gateway.chat(json!({})).await;
    assert_eq!((fine.status, fine.header("x-countersign-status")), (200, Some("Safe")));
    let stream = gateway.open(json!({})).await.whole().await;
    assert_eq!(
        (text_of(&stream).as_str(), stream.ends_with("[DONE]\n\n")),
        (countersign_fake_provider::ANSWER_TEXT, true)
    );
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_enforced_stream_releases_no_text_that_is_flagged_later() {
    let gateway = Gateway::enforce(&[]).await;
    let filler = "These are quite harmless words. ".repeat(30);
    let chunks: Vec<String> = format!("{filler}The card is 4111 1111 1111 1111 indeed. {filler}")
        .split_inclusive(' ')
        .map(str::to_owned)
        .collect();
    gateway.fake.push(Behaviour::StreamText { chunks });
    let stream = gateway.open(json!({})).await;
    let log_id = stream.log_id();
    let text = stream.whole().await;
    assert!(text.contains("harmless"), "text that was already checked is released");
    assert!(!text.contains("4111") && text.contains("countersign_refused"), "{text}");
    assert_eq!(gateway.log(&log_id).await["status"], "Flagged");
    gateway.server.stop().await;
}

#[tokio::test]
async fn personal_data_is_masked_if_the_policy_asks_for_it() {
    let gateway = Gateway::enforce(&[("gateway.mask_pii", "true")]).await;
    gateway.fake.script(|_| Behaviour::Text(MAIL.into()));
    let answer = gateway.chat(json!({})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json().pointer("/choices/0/message/content").unwrap(), "Write to [EMAIL] today.");
    assert_eq!(answer.header("x-countersign-status"), Some("Safe"));
    let log = gateway.log(answer.header("x-countersign-log-id").unwrap()).await;
    assert_eq!(
        (log["response"].as_str(), log["audit"]["pii_detected"].as_bool()),
        (Some("Write to [EMAIL] today."), Some(true))
    );
    assert_eq!(log["audit"]["findings"][0]["masked"], true);
    let stream = gateway.open(json!({})).await.whole().await;
    assert_eq!(text_of(&stream), "Write to [EMAIL] today.");
    gateway
        .fake
        .script(|_| Behaviour::ToolCall { name: "send".into(), arguments: r#"{"to":"jo.doe@example.com"}"#.into() });
    let tool = gateway.chat(json!({"tools": []})).await;
    assert_eq!(tool.status, 403, "an answer that can't be masked is refused");
    let stream = gateway.open(json!({"tools": []})).await.whole().await;
    assert!(!stream.contains("jo.doe") && stream.contains("countersign_refused"), "{stream}");
    gateway.server.stop().await;
}

#[tokio::test]
async fn the_policy_decides_whether_unaudited_answers_are_released() {
    for (choice, status) in [("allow", 200), ("block", 403)] {
        let gateway =
            Gateway::enforce(&[("auditor", "gemini/gemini-2.5-flash"), ("gateway.on_unaudited", choice)]).await;
        gateway.fake.script(|received| match received.api {
            Api::Gemini => Behaviour::Status(400),
            _ => Behaviour::Answer,
        });
        let answer = gateway.chat(json!({})).await;
        assert_eq!(answer.status, status, "{choice}");
        if status == 403 {
            assert_eq!(openai_error(&answer.json()), ("countersign_refused", "unaudited"));
        }
        let log = gateway.log(answer.header("x-countersign-log-id").unwrap()).await;
        assert_eq!((log["audit"]["auditor"].as_str(), log["status"].as_str()), (Some("failed"), Some("Warning")));
        let stream = gateway.open(json!({})).await.whole().await;
        assert_eq!(stream.contains("[DONE]"), status == 200, "{stream}");
        gateway.server.stop().await;
    }
}

#[tokio::test]
async fn a_policy_can_be_set_for_a_model() {
    let file = "[[gateway.policies]]\nmodel = \"strict-*\"\npolicy = \"enforce\"\n";
    let gateway = Gateway::with(&[], file).await;
    gateway.fake.script(|_| Behaviour::Text(CARD.into()));
    assert_eq!(gateway.chat(json!({"model": "strict-1"})).await.status, 403);
    assert_eq!(gateway.chat(json!({"model": "loose-1"})).await.status, 200);
    gateway.server.stop().await;
}

#[tokio::test]
async fn the_list_of_models_is_the_providers_own() {
    let gateway = Gateway::observe().await;
    let models = gateway.server.get("/v1/models").await;
    assert_eq!((models.status, models.json()["object"].as_str()), (200, Some("list")));
    gateway.server.stop().await;
    let simulated = Running::start().await;
    let models = simulated.get("/v1/models").await.json();
    assert_eq!(models["data"][0]["id"], "simulated");
    let answer = simulated.post(PATH, &request(json!({"model": "simulated"}))).await;
    assert_eq!(answer.status, 200);
    assert!(answer.json()["choices"][0]["message"]["content"].as_str().unwrap().contains("simulated"));
    simulated.stop().await;
}

/// A stream with exactly these bytes.
fn sse(body: impl Into<Bytes>) -> Behaviour {
    Behaviour::Raw { status: 200, content_type: "text/event-stream".into(), body: body.into(), headers: Vec::new() }
}

fn delta(delta: Value) -> String {
    json!({"choices": [{"index": 0, "delta": delta}]}).to_string()
}

#[tokio::test]
async fn every_part_of_an_enforced_answer_is_inspected_or_the_answer_is_refused() {
    let gateway = Gateway::enforce(&[]).await;
    let card = "4111 1111 1111 1111";
    let finish = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let filler = format!("data: {}\n\n", delta(json!({"content": "harmless words "}))).repeat(60);
    let streams = [
        format!("data: {}\n\ndata: {finish}\n\ndata: [DONE]\n\n", delta(json!({"reasoning_content": card}))),
        format!("data: {}\r\rdata: {finish}\r\rdata: [DONE]\r\r", delta(json!({"content": card}))),
        format!("data: {}\n\ndata: {finish}\n\ndata: [DONE]\n\n", delta(json!({"content": [{"text": card}]}))),
        format!(
            "data: {}\n\ndata: {finish}\n\ndata: [DONE]\n\n",
            delta(json!({"tool_calls": [{"index": 0, "custom": {"input": card}}]}))
        ),
        format!("data: not json {card}\n\ndata: {finish}\n\ndata: [DONE]\n\n"),
        format!("{{\"choices\": \"{card}\"}}\n\ndata: {finish}\n\ndata: [DONE]\n\n"),
        format!("{filler}data: {}\n\ndata: {finish}\n\ndata: [DONE]\n\n", delta(json!({"content": card}))),
    ];
    for body in streams {
        gateway.fake.push(sse(body.clone()));
        let stream = gateway.open(json!({})).await;
        let log_id = stream.log_id();
        let text = stream.whole().await;
        assert!(!text.contains("4111") && !text.contains("[DONE]"), "{body}\n->\n{text}");
        assert!(["Flagged", "Interrupted"].contains(&gateway.log(&log_id).await["status"].as_str().unwrap()), "{body}");
    }
    let late = gateway.payloads(EventType::AnswerFailed).await.pop().unwrap();
    assert!(
        late["partial_response"].as_str().unwrap().starts_with("harmless"),
        "the released text is on record: {late}"
    );
    let message = json!({"content": "fine", "reasoning": card});
    gateway.fake.push(Behaviour::Json(json!({"choices": [{"index": 0, "message": message}]})));
    assert_eq!(gateway.chat(json!({})).await.status, 403);
    let half = r#"{"choices":[{"message":{"content":"\ud800"}}]}"#;
    gateway.fake.push(Behaviour::Raw {
        status: 200,
        content_type: "application/json".into(),
        body: half.into(),
        headers: Vec::new(),
    });
    assert_eq!(gateway.chat(json!({})).await.status, 502, "an unreadable answer can't be audited");
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_observed_stream_passes_in_any_form_and_is_recorded() {
    let gateway = Gateway::observe().await;
    let body = format!(
        "\u{feff}data: {}\r\n\r\n: ping\n\ndata: odd\n\ndata: {}\n\ndata: [DONE]\n\n",
        delta(json!({"content": "Par"})),
        r#"{"choices":[{"index":0,"delta":{"content":"is"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1.5}}"#
    );
    gateway.fake.push(sse(body.clone()));
    let stream = gateway.open(json!({})).await;
    let log_id = stream.log_id();
    assert_eq!(stream.whole().await, body);
    assert_eq!(gateway.log(&log_id).await["response"], "Paris\n\nodd\n");
    let error = "event: error\ndata: {\"message\":\"overloaded\"}\n\n";
    gateway.fake.push(sse(format!("data: {}\n\n{error}", delta(json!({"content": "Par"})))));
    let stream = gateway.open(json!({})).await;
    let log_id = stream.log_id();
    assert!(stream.whole().await.ends_with(error), "the provider's own error reaches the caller");
    let log = gateway.log(&log_id).await;
    assert_eq!(log["status"], "Interrupted");
    assert!(log["detail"].as_str().unwrap().contains("overloaded"), "{log}");
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_response_in_another_format_than_requested_is_a_bad_gateway() {
    let gateway = Gateway::observe().await;
    let gzip = |content_type: &str| Behaviour::Raw {
        status: 200,
        content_type: content_type.into(),
        body: Bytes::from_static(&[0x1f, 0x8b, 8, 0]),
        headers: vec![("content-encoding".into(), "gzip".into())],
    };
    gateway.fake.push(gzip("application/json"));
    let answer = gateway.chat(json!({})).await;
    assert_eq!((answer.status, answer.header("x-should-retry")), (502, Some("false")));
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("compressed"));
    assert!(answer.header("x-countersign-log-id").is_some(), "the failure can be looked up");
    gateway.fake.push(gzip("text/event-stream"));
    assert_eq!(gateway.chat(json!({"stream": true})).await.status, 502);
    gateway.fake.push(Behaviour::Raw {
        status: 307,
        content_type: "text/plain".into(),
        body: Bytes::new(),
        headers: Vec::new(),
    });
    assert_eq!(gateway.chat(json!({})).await.status, 502);
    assert_eq!(gateway.fake.received()[0].headers["accept-encoding"], "identity");
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_policy_applies_to_a_model_under_all_of_its_names() {
    let file = "[[gateway.policies]]\nmodel = \"groq/*\"\npolicy = \"enforce\"\n\n\
        [[gateway.policies]]\nmodel = \"gpt-x\"\npolicy = \"enforce\"\nmask_pii = true\n";
    let gateway = Gateway::with(&[], file).await;
    gateway.fake.script(|_| Behaviour::Text(CARD.into()));
    for model in ["groq/llama", "llama"] {
        let refused = gateway.chat(json!({"model": model})).await;
        assert_eq!(refused.status, 403, "{model}");
        let log = gateway.log(refused.header("x-countersign-log-id").unwrap()).await;
        assert_eq!(
            (log["audit"]["withheld"].as_str(), refused.header("x-countersign-status")),
            (Some("flagged"), log["status"].as_str())
        );
    }
    assert!(gateway.chat(json!({"model": "openai/gpt-x"})).await.text().contains("[CREDIT_CARD]"));
    assert_eq!(gateway.chat(json!({"model": "openai/gpt-y"})).await.status, 200);
    let id = gateway.payloads(EventType::AuditLogCreated).await[0]["log_id"].as_str().unwrap().to_owned();
    let events = gateway.server.get(&format!("/api/events?correlation_id={id}")).await.json();
    let noted = events["items"].as_array().unwrap().iter().find_map(|event| event["metadata"].get("policy").cloned());
    assert_eq!(noted, Some(json!({"mode": "enforce", "on_unaudited": "allow", "mask_pii": false})));
    let other = gateway.chat(json!({"model": "anthropic/claude"})).await;
    assert_eq!(other.status, 404, "a model named as one provider's is not sent to another");
    assert!(other.json()["error"]["message"].as_str().unwrap().contains("anthropic"));
    gateway.server.stop().await;
}

#[tokio::test]
async fn a_stream_whose_caller_stops_reading_is_cancelled() {
    let gateway = Gateway::with(&[("calls.gateway_timeout_ms", "300")], "").await;
    let chunks = vec!["word ".repeat(2_000); 1_000];
    gateway.fake.push(Behaviour::StreamText { chunks });
    let stream = gateway.open(json!({})).await;
    let log_id = stream.log_id();
    assert_eq!(gateway.settled(&log_id).await["status"], "Cancelled");
    assert!(gateway.fake.wait_for(|fake| fake.open_calls() == 0).await);
    drop(stream);
    gateway.server.stop().await;
}
