//! Trace export to a collector whose behaviour a test controls.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use countersign::{Telemetry, TelemetryError};
use countersign_config::{Config, Inputs};
use countersign_domain::{EventType, NewEvent, payload::ModelCalled};
use countersign_fake_provider::Behaviour;
use countersign_store::Store;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    properties::ScriptedServer,
    running::{PATIENCE, Running, until},
};

/// Every connection is closed without a response.
const AWAY: u16 = 0;
/// Requests are read and never answered.
const SILENT: u16 = 1;

struct Received {
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

/// Records the requests of exporters, and behaves as the test chooses.
#[derive(Clone)]
pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    /// The current behaviour: a status to respond with, or one of the two constants above.
    behaviour: Arc<AtomicU16>,
}

impl Collector {
    pub(crate) async fn start(behaviour: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector = Self { address, received: Arc::default(), behaviour: Arc::new(AtomicU16::new(behaviour)) };
        let serving = collector.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if serving.behaviour.load(Ordering::SeqCst) == AWAY {
                    continue;
                }
                let serving = serving.clone();
                let service = service_fn(move |request| serving.clone().answer(request));
                tokio::spawn(http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service));
            }
        });
        collector
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        self.received.lock().unwrap().push(Received { path: parts.uri.to_string(), headers: parts.headers, body });
        let behaviour = self.behaviour.load(Ordering::SeqCst);
        if behaviour == SILENT {
            std::future::pending::<()>().await;
        }
        Ok(Response::builder().status(behaviour).body(Full::from("{}")).unwrap())
    }

    /// All request bodies as text.
    pub(crate) fn bodies(&self) -> Vec<String> {
        let received = self.received.lock().unwrap();
        received.iter().map(|received| String::from_utf8_lossy(&received.body).into_owned()).collect()
    }

    fn set(&self, behaviour: u16) {
        self.behaviour.store(behaviour, Ordering::SeqCst);
    }

    fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// All received spans, in order.
    fn spans(&self) -> Vec<Span> {
        let received = self.received.lock().unwrap();
        let requests = received.iter().map(|received| serde_json::from_slice::<Value>(&received.body).unwrap());
        let spans = requests
            .flat_map(|request| request["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone());
        spans.map(Span).collect()
    }
}

struct Span(Value);

impl Span {
    fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_default()
    }

    fn attributes(&self) -> HashMap<String, Value> {
        attributes(&self.0["attributes"])
    }

    fn is_error(&self) -> bool {
        self.0["status"]["code"] == 2
    }

    fn nanos(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap()
    }
}

/// Attribute values of all types, by name.
fn attributes(list: &Value) -> HashMap<String, Value> {
    let pair = |attribute: &Value| {
        let value = attribute["value"].as_object().unwrap();
        assert_eq!(value.len(), 1);
        (attribute["key"].as_str().unwrap().to_owned(), value.values().next().unwrap().clone())
    };
    list.as_array().unwrap().iter().map(pair).collect()
}

fn configuration(settings: &[(&'static str, String)]) -> Config {
    let file = tempfile::NamedTempFile::new().unwrap();
    let file = Some(file.path());
    countersign_config::load(&Inputs { flags: settings, env: &|_| None, variable_names: &[], file, defaults: &[] })
        .unwrap()
        .config
}

struct Export {
    telemetry: Telemetry,
    task: JoinHandle<()>,
    stop: CancellationToken,
}

impl Export {
    fn start(collector: &Collector, store: &Store) -> Self {
        let stop = CancellationToken::new();
        let config = configuration(&[
            ("telemetry.otlp_endpoint", format!("http://{}/base/", collector.address)),
            ("telemetry.otlp_headers", "authorization=Bearer%20t0ken,x-tenant=bank".to_owned()),
            ("telemetry.service_name", "bank-countersign".to_owned()),
        ]);
        let telemetry = Telemetry::new(&config, store).unwrap().expect("an endpoint is configured");
        let task = tokio::spawn(telemetry.clone().run(stop.clone()));
        Self { telemetry, task, stop }
    }

    fn exported(&self) -> u64 {
        self.telemetry.counts().exported()
    }

    fn dropped(&self) -> u64 {
        self.telemetry.counts().dropped()
    }

    /// Stops the export, which first sends the remaining spans. Returns the numbers of exported and dropped spans.
    async fn stop(self) -> (u64, u64) {
        self.stop.cancel();
        timeout(PATIENCE, self.task).await.expect("the export did not stop in time").unwrap();
        let counts = self.telemetry.counts();
        (counts.exported(), counts.dropped())
    }
}

async fn ask(server: &Running) {
    let answer = server.post("/process-agent", &json!({"user_query": "What is the capital of France?"})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

fn verdict(score: u8) -> Behaviour {
    let audit = json!({
        "risk_score": score, "hallucination_detected": true, "pii_detected": false, "toxic_content_detected": false,
        "prompt_injection_detected": false, "details": "Xylograph quoted.", "confidence": 0.9, "findings": []
    });
    Behaviour::Text(audit.to_string())
}

#[tokio::test]
async fn an_exchange_is_a_trace_with_its_calls_and_its_verdict_and_without_its_text() {
    let collector = Collector::start(200).await;
    let scripted = ScriptedServer::start().await;
    scripted.ask("Said before anybody followed.").await;
    let export = Export::start(&collector, &scripted.server.store);
    scripted.fake.push(Behaviour::Text("The zeppelin answer.".into()));
    scripted.fake.push(verdict(8));
    let answer = scripted.ask("Where is the quicksilver?").await.json();
    assert_eq!(answer["status"], "Flagged");
    assert_eq!(export.stop().await, (3, 0));

    let spans = collector.spans();
    let [worker, auditor, root] = spans.as_slice() else { panic!("{} spans", spans.len()) };
    let log_id = answer["log_id"].as_str().unwrap();
    for span in &spans {
        assert_eq!(span.text("traceId"), log_id.replace('-', ""));
        assert_eq!(span.text("spanId").len(), 16);
        assert!(span.nanos("startTimeUnixNano") <= span.nanos("endTimeUnixNano") && !span.is_error());
        assert!(root.nanos("startTimeUnixNano") <= span.nanos("startTimeUnixNano"));
        assert!(root.nanos("endTimeUnixNano") >= span.nanos("endTimeUnixNano"));
    }
    assert_eq!((worker.text("parentSpanId"), auditor.text("parentSpanId")), (root.text("spanId"), root.text("spanId")));
    assert_ne!(worker.text("spanId"), auditor.text("spanId"));
    assert_eq!((root.text("parentSpanId"), root.text("name")), ("", "countersign.answer"));

    let recorded = scripted.events(&[EventType::ModelCalled]).await;
    let [.., worker_call, auditor_call] = recorded.as_slice() else { panic!("{recorded:?}") };
    for (span, call, provider) in [(worker, worker_call, "groq"), (auditor, auditor_call, "gcp.gemini")] {
        let span_attributes = span.attributes();
        assert_eq!(span.text("name"), format!("chat {}", call["model"].as_str().unwrap()));
        assert_eq!(span.0["kind"], 3);
        assert_eq!(span_attributes["gen_ai.operation.name"], "chat");
        assert_eq!(span_attributes["gen_ai.provider.name"], provider);
        assert_eq!(span_attributes["gen_ai.request.model"], call["model"]);
        assert_eq!(span_attributes["gen_ai.usage.input_tokens"], call["input_tokens"].to_string());
        assert_eq!(span_attributes["gen_ai.usage.output_tokens"], call["output_tokens"].to_string());
        assert_eq!(span_attributes["countersign.purpose"], call["purpose"]);
        assert_eq!(span_attributes["countersign.attempt"], "1");
        let cost = call["cost_usd"].as_str().map(|cost| cost.parse::<f64>().unwrap());
        assert_eq!(span_attributes.get("countersign.cost_usd").and_then(Value::as_f64), cost);
        assert!(!span_attributes.contains_key("error.type"));
    }
    let span_attributes = root.attributes();
    assert_eq!(root.0["kind"], 1);
    assert_eq!(span_attributes["countersign.log_id"], log_id);
    assert_eq!(span_attributes["countersign.status"], "Flagged");
    let log = scripted.server.get(&format!("/api/logs/{log_id}")).await.json();
    assert_eq!(span_attributes["gen_ai.response.model"], log["worker"]["model"]);
    let [result] = root.0["events"].as_array().unwrap().as_slice() else { panic!("{}", root.0) };
    assert_eq!(result["name"], "gen_ai.evaluation.result");
    let result = attributes(&result["attributes"]);
    assert_eq!(result.len(), 3);
    assert_eq!(result["gen_ai.evaluation.name"], "risk");
    assert_eq!(result["gen_ai.evaluation.score.value"], 8.0);
    assert_eq!(result["gen_ai.evaluation.score.label"], "Flagged");

    let received = collector.received.lock().unwrap();
    let [request] = received.as_slice() else { panic!("{} requests", received.len()) };
    assert_eq!(request.path, "/base/v1/traces");
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(request.headers["authorization"], "Bearer t0ken");
    assert_eq!(request.headers["x-tenant"], "bank");
    let text = String::from_utf8(request.body.to_vec()).unwrap();
    assert!(text.contains("bank-countersign"));
    for word in ["quicksilver", "zeppelin", "Xylograph"] {
        assert!(!text.contains(word), "{text}");
    }
}

#[tokio::test]
async fn a_failing_worker_has_spans_with_its_errors() {
    let collector = Collector::start(200).await;
    let scripted = ScriptedServer::start().await;
    let export = Export::start(&collector, &scripted.server.store);
    scripted.fake.push(Behaviour::Status(401));
    scripted.ask("Where is the quicksilver?").await.check_error(500);
    assert_eq!(export.stop().await, (2, 0));
    let spans = collector.spans();
    let [call, root] = spans.as_slice() else { panic!("{} spans", spans.len()) };
    assert!(call.is_error() && root.is_error());
    assert_eq!(call.attributes()["error.type"], "refused");
    assert_eq!(root.attributes()["error.type"], "failed");
    assert_eq!(root.attributes()["gen_ai.request.model"], "llama-3.3-70b-versatile");
    assert_eq!(call.text("parentSpanId"), root.text("spanId"));
    assert!(root.0.get("events").is_none(), "without an answer there is no evaluation");
}

#[tokio::test]
async fn an_unreachable_collector_only_loses_spans() {
    let collector = Collector::start(AWAY).await;
    let server = Running::start().await;
    let export = Export::start(&collector, &server.store);
    ask(&server).await;
    until("the spans are dropped", async || export.dropped() == 2).await;
    assert_eq!((export.exported(), collector.count()), (0, 0));
    collector.set(200);
    ask(&server).await;
    assert_eq!(export.stop().await, (2, 2), "the spans of the second answer are exported");
    assert_eq!(collector.spans().len(), 2);
    server.stop().await;
}

#[tokio::test]
async fn a_batch_is_retried_once_after_a_transient_error() {
    for (status, requests) in [(503, 2), (429, 2), (400, 1), (500, 1), (301, 1)] {
        let collector = Collector::start(status).await;
        let server = Running::start().await;
        let export = Export::start(&collector, &server.store);
        ask(&server).await;
        assert_eq!(export.stop().await, (0, 2), "{status}");
        assert_eq!(collector.count(), requests, "{status}");
        server.stop().await;
    }
}

#[tokio::test]
async fn a_batch_is_sent_without_a_stop_and_the_retry_can_succeed() {
    let collector = Collector::start(503).await;
    let server = Running::start().await;
    let export = Export::start(&collector, &server.store);
    ask(&server).await;
    until("the batch was sent once", async || collector.count() == 1).await;
    collector.set(200);
    until("the retried batch was accepted", async || export.exported() == 2).await;
    assert_eq!((export.stop().await, collector.count()), ((2, 0), 2));
    server.stop().await;
}

#[tokio::test]
async fn a_collector_that_never_answers_does_not_delay_the_stop() {
    let collector = Collector::start(SILENT).await;
    let server = Running::start().await;
    let export = Export::start(&collector, &server.store);
    ask(&server).await;
    until("the batch was sent", async || collector.count() == 1).await;
    ask(&server).await;
    // Two attempts alone would take ten seconds.
    let counts = timeout(Duration::from_secs(8), export.stop()).await.expect("the export did not stop in time");
    assert_eq!(counts, (0, 4));
    server.stop().await;
}

#[tokio::test]
async fn more_spans_than_fit_into_a_page_or_a_batch_each_arrive_once() {
    let collector = Collector::start(200).await;
    let server = Running::start().await;
    let export = Export::start(&collector, &server.store);
    let seams = server.store.seams();
    let call: ModelCalled = serde_json::from_value(json!({
        "purpose": "worker", "provider": "groq", "model": "llama", "attempt": 1, "outcome": "ok", "latency_ms": 7
    }))
    .unwrap();
    let events = (0..100).flat_map(|_| {
        let log = seams.correlation_id();
        [(); 7].map(|()| NewEvent::new(seams.event_id(), call.clone(), seams.now(), "test", log).unwrap())
    });
    server.store.append(events.collect()).await.unwrap();
    assert_eq!(export.stop().await, (700, 0));
    let ids: HashSet<_> = collector.spans().iter().map(|span| span.text("spanId").to_owned()).collect();
    assert_eq!((ids.len(), collector.count()), (700, 2), "a batch has at most 512");
    server.stop().await;
}

#[tokio::test]
async fn without_an_endpoint_nothing_runs() {
    let server = Running::start().await;
    let config = configuration(&[("telemetry.otlp_headers", "authorization=t0ken".to_owned())]);
    assert!(Telemetry::new(&config, &server.store).unwrap().is_none());
    server.stop().await;
}

#[tokio::test]
async fn unusable_headers_are_refused_without_showing_them() {
    let server = Running::start().await;
    for headers in ["t0ken", "authorization=t0ken%0a", "author%20ization=t0ken", "a=%ff"] {
        let config = configuration(&[
            ("telemetry.otlp_endpoint", "http://127.0.0.1:9".to_owned()),
            ("telemetry.otlp_headers", headers.to_owned()),
        ]);
        let refused = Telemetry::new(&config, &server.store);
        let error: TelemetryError = refused.err().expect("unusable headers must be refused");
        assert!(!format!("{error} {error:?}").contains("t0ken"), "{error}");
    }
    server.stop().await;
}
