//! The correctness properties of the audited worker, each checked with at least a hundred generated inputs.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use countersign_domain::{EventType, RiskScore};
use countersign_fake_provider::{Api, Behaviour, Fake, Received};
use countersign_store::EventQuery;
use countersign_test_store::TestDatabase;
use futures_util::future::join_all;
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{
    client::Answer,
    running::{PATIENCE, Running},
};

const CASES: u32 = 128;

/// Captures the log of this process as JSON, from the call of `start` on.
#[derive(Clone, Default)]
struct CapturedLog(Arc<Mutex<Vec<u8>>>);

impl CapturedLog {
    fn start() -> Self {
        static LOG: OnceLock<CapturedLog> = OnceLock::new();
        let log = LOG.get_or_init(|| {
            let log = Self::default();
            let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(log.clone()).finish();
            tracing::subscriber::set_global_default(subscriber).unwrap();
            log
        });
        log.clone()
    }

    /// The lines that were written since the last call.
    fn take(&self) -> Vec<Value> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl std::io::Write for CapturedLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for CapturedLog {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// A server whose worker and auditor are scripted by the test.
pub(crate) struct ScriptedServer {
    pub(crate) server: Running,
    pub(crate) fake: Fake,
}

impl ScriptedServer {
    pub(crate) async fn start() -> Self {
        Self::with(&[]).await
    }

    pub(crate) async fn with(more: &[(&'static str, &str)]) -> Self {
        let fake = Fake::start().await;
        let (worker, auditor) = (fake.groq_url(), fake.gemini_url());
        let mut settings = vec![
            ("worker", "groq/llama-3.3-70b-versatile"),
            ("auditor", "gemini/gemini-2.5-flash"),
            ("providers.groq_api_key", "gsk-test"),
            ("providers.gemini_api_key", "gemini-test"),
            ("providers.groq_base_url", worker.as_str()),
            ("providers.gemini_base_url", auditor.as_str()),
        ];
        settings.extend(more);
        let server = Running::with_agents(&settings).await;
        Self { server, fake }
    }

    pub(crate) async fn ask(&self, query: &str) -> Answer {
        self.server.post("/process-agent", &json!({"user_query": query})).await
    }

    pub(crate) async fn events(&self, types: &[EventType]) -> Vec<Value> {
        let types = types.to_vec();
        let query = EventQuery { from_seq: 0, types, correlation_id: None, limit: 100_000 };
        let events = self.server.store.events(query).await.unwrap();
        events.iter().map(|event| serde_json::from_str(event.payload.as_ref().unwrap().get()).unwrap()).collect()
    }
}

/// Runs `check` on generated values, one at a time, with one server.
fn for_any<V: std::fmt::Debug>(
    strategy: impl Strategy<Value = V>,
    settings: &[(&'static str, &str)],
    check: impl AsyncFn(&ScriptedServer, V),
) {
    let runtime = Runtime::new().unwrap();
    let scripted = runtime.block_on(ScriptedServer::with(settings));
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    runner
        .run(&strategy, |value| {
            runtime.block_on(check(&scripted, value));
            Ok(())
        })
        .unwrap();
    runtime.block_on(scripted.server.stop());
}

fn is_audit(received: &Received) -> bool {
    received.api == Api::Gemini
}

/// Texts that people and programs might send: short and long, in many scripts, with control characters and quotes.
fn any_query() -> impl Strategy<Value = String> {
    let visible = |text: &String| !text.trim().is_empty();
    prop_oneof![
        "\\PC{1,60}".prop_filter("has something to say", visible),
        any::<String>().prop_filter("has something to say", visible),
        "[a-zA-Z ,.?]{1,400}".prop_filter("has something to say", visible),
    ]
}

/// Possible answers of the worker, which are never empty.
fn any_answer() -> impl Strategy<Value = String> {
    any_query()
}

fn audit_reply(score: u8, flags: [bool; 3]) -> Behaviour {
    let [hallucination, pii, toxic] = flags;
    let audit = json!({
        "risk_score": score, "hallucination_detected": hallucination, "pii_detected": pii,
        "toxic_content_detected": toxic, "prompt_injection_detected": false, "details": "As judged.",
        "confidence": 0.9, "findings": []
    });
    Behaviour::Text(audit.to_string())
}

// Feature: agent-audit, Property 1: Empty query rejection
#[test]
fn a_query_of_only_white_space_is_refused_without_any_effect() {
    let white = prop::collection::vec(
        prop::sample::select(vec![
            ' ', '\t', '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2003}', '\u{3000}', '\u{2028}',
        ]),
        0..40,
    );
    for_any(white, &[], async |scripted, white| {
        let query: String = white.into_iter().collect();
        let size = scripted.server.store.size().await.unwrap();
        let answer = scripted.ask(&query).await;
        answer.check_error(400);
        assert!(answer.json()["detail"].as_str().unwrap().contains("user_query"), "{answer:?}");
        assert_eq!((scripted.fake.count(), scripted.server.store.size().await.unwrap()), (0, size));
    });
}

// Feature: agent-audit, Property 2: Worker agent error handling
// Feature: agent-audit, Property 18: Error response structure
#[test]
fn a_worker_that_fails_is_a_500_in_the_error_shape_and_leaves_no_answer() {
    let fault = prop_oneof![
        prop::sample::select(vec![400_u16, 401, 403, 404, 413, 422]).prop_map(Behaviour::Status),
        Just(Behaviour::MalformedJson),
        Just(Behaviour::Empty),
        Just(Behaviour::EmptyText),
        Just(Behaviour::Safety),
        Just(Behaviour::HugeBody(3 * 1024 * 1024)),
        Just(Behaviour::Json(json!({"choices": "none"}))),
        Just(Behaviour::Json(json!([]))),
    ];
    for_any((any_query(), fault), &[("providers.answer_bytes_max", "1 MiB")], async |scripted, (query, fault)| {
        let failed = scripted.events(&[EventType::AnswerFailed]).await.len();
        scripted.fake.push(fault.clone());
        let answer = scripted.ask(&query).await;
        answer.check_error(500);
        assert_eq!(answer.json()["error"], "Worker agent failed to respond", "{fault:?}");
        assert!(!answer.json()["detail"].as_str().unwrap().is_empty());
        let failures = scripted.events(&[EventType::AnswerFailed]).await;
        assert_eq!(failures.len(), failed + 1, "the failure is on record");
        assert_eq!(failures.last().unwrap()["query"], query);
        assert!(
            scripted.events(&[EventType::AuditLogCreated]).await.is_empty(),
            "a failure must not be recorded as an answer"
        );
    });
}

/// Transient faults are retried, which takes seconds, so all of them run concurrently. They are too few to open the circuit.
#[tokio::test]
async fn a_worker_with_a_lasting_transient_fault_is_a_500_after_three_attempts() {
    let scripted = ScriptedServer::with(&[("calls.worker_timeout_ms", "300")]).await;
    let faults = [
        Behaviour::Status(500),
        Behaviour::Status(503),
        Behaviour::Status(408),
        Behaviour::Reset,
        Behaviour::Hang,
        Behaviour::StatusRetryAfter(429, 1.0),
    ];
    let by_query = faults.clone();
    scripted.fake.script(move |received| {
        let text = String::from_utf8_lossy(&received.body).into_owned();
        let index = (0..by_query.len()).find(|index| text.contains(&format!("fault number {index}!")));
        index.map_or(Behaviour::Answer, |index| by_query[index].clone())
    });
    let asked = join_all((0..faults.len()).map(|index| {
        let scripted = &scripted;
        async move { scripted.ask(&format!("fault number {index}!")).await }
    }))
    .await;
    for (answer, fault) in asked.iter().zip(&faults) {
        answer.check_error(500);
        assert_eq!(answer.json()["error"], "Worker agent failed to respond", "{fault:?}");
    }
    assert_eq!(scripted.fake.count(), 3 * faults.len() as u64, "exactly three attempts each");
    assert_eq!(scripted.events(&[EventType::ModelCalled]).await.len(), 3 * faults.len(), "every attempt is on record");
    scripted.server.stop().await;
}

// Feature: agent-audit, Property 3: Audit trigger completeness
#[test]
fn every_answer_is_audited_exactly_once() {
    for_any((any_query(), any_answer()), &[], async |scripted, (query, text)| {
        let before = scripted.fake.received().iter().filter(|received| is_audit(received)).count();
        scripted.fake.push(Behaviour::Text(text.clone()));
        let answer = scripted.ask(&query).await;
        assert_eq!((answer.status, answer.json()["worker_response"].as_str()), (200, Some(text.as_str())));
        let audits: Vec<_> = scripted.fake.received().into_iter().filter(is_audit).skip(before).collect();
        assert_eq!(audits.len(), 1);
        let prompt =
            audits[0].json.as_ref().unwrap().pointer("/contents/0/parts/0/text").unwrap().as_str().unwrap().to_owned();
        // The prompt replaces every run of white space with a mark, which the system prompt names.
        let whole = audits[0].json.as_ref().unwrap().to_string();
        let mark = whole.split_once("replaced by ").unwrap().1.split_once(',').unwrap().0.to_owned();
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        let judged = dense(&prompt.replace(&mark, ""));
        let is_judged = judged.contains(&dense(&text)) && judged.contains(&dense(&query));
        assert!(is_judged, "the auditor judges the query and its answer");
    });
}

// Feature: agent-audit, Property 4: Risk score validity
#[test]
fn a_stored_score_is_a_whole_number_from_0_to_10_and_any_other_reply_is_a_failure_of_the_auditor() {
    let score = prop_oneof![
        (0..=10_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        Just(json!("7")),
        Just(Value::Null),
        Just(json!([3])),
        Just(json!(true)),
    ];
    for_any(score, &[], async |scripted, score| {
        let reply = json!({
            "risk_score": score, "hallucination_detected": false, "pii_detected": false, "toxic_content_detected": false,
            "details": "As judged.", "confidence": 0.9
        });
        let reply = Behaviour::Text(reply.to_string());
        scripted.fake.push(Behaviour::Text("Paris.".into()));
        // One reply for the verdict and, if it can't be read, one for the repair.
        scripted.fake.push(reply.clone());
        let is_valid = score.as_u64().is_some_and(|score| score <= 10);
        if !is_valid {
            scripted.fake.push(reply);
        }
        let answer = scripted.ask("What is the capital of France?").await.json();
        let stored = answer["audit"]["risk_score"].as_u64().expect("a whole number");
        assert!(stored <= 10);
        let expected = if is_valid { (score.as_u64().unwrap(), "model") } else { (4, "failed") };
        assert_eq!((stored, answer["audit"]["auditor"].as_str().unwrap()), expected, "{score}");
    });
}

// Feature: agent-audit, Property 5: Risk status classification
// Feature: agent-audit, Property 11: Audit JSON structure
// Feature: agent-audit, Property 7: Audit log completeness
#[test]
fn a_stored_log_is_complete_and_its_status_is_that_of_its_score() {
    let case = (any_query(), any_answer(), 0..=10_u8, any::<[bool; 3]>());
    for_any(case, &[], async |scripted, (query, text, score, flags)| {
        scripted.fake.push(Behaviour::Text(text.clone()));
        scripted.fake.push(audit_reply(score, flags));
        let answer = scripted.ask(&query).await.json();
        let log = scripted.server.get(&format!("/api/logs/{}", answer["log_id"].as_str().unwrap())).await.json();
        for (name, value) in [
            ("id", &answer["log_id"]),
            ("query", &json!(query)),
            ("response", &json!(text)),
            ("audit", &answer["audit"]),
            ("status", &answer["status"]),
            ("created_at", &answer["created_at"]),
        ] {
            assert_eq!(&log[name], value, "{name}");
            assert!(value.as_str().is_none_or(|text| !text.is_empty()), "{name} is not empty");
        }
        let audit = log["audit"].as_object().unwrap();
        let stored = u8::try_from(audit["risk_score"].as_u64().unwrap()).unwrap();
        assert!(stored >= score, "inspectors never lower the score");
        let expected = match stored {
            0..=3 => "Safe",
            4..=6 => "Warning",
            _ => "Flagged",
        };
        assert_eq!(log["status"], expected);
        assert_eq!(RiskScore::try_from(stored).unwrap().status().as_str(), expected);
        for (name, judged) in ["hallucination_detected", "pii_detected", "toxic_content_detected"].iter().zip(flags) {
            assert!(audit[*name].as_bool().unwrap() >= judged, "inspectors never clear the auditor's {name}");
        }
        for name in ["details", "confidence", "model", "timestamp", "findings", "auditor", "prompt_injection_detected"]
        {
            assert!(audit.contains_key(name), "{name}");
        }
        let judge = &audit["judge"];
        assert_eq!((judge["provider"].as_str(), judge["model"].as_str()), (Some("gemini"), Some("gemini-2.5-flash")));
        assert_eq!(judge["template_sha256"].as_str().unwrap().len(), 64);
        assert!(judge["raw_reply"].as_str().unwrap().contains("As judged."));
    });
}

// Feature: agent-audit, Property 6: Auditor failure fallback
#[test]
fn a_failing_auditor_leaves_at_least_a_warning_and_is_logged() {
    let log = CapturedLog::start();
    let fault = prop_oneof![
        prop::sample::select(vec![400_u16, 401, 403, 404]).prop_map(|status| vec![Behaviour::Status(status)]),
        Just(vec![Behaviour::MalformedJson]),
        Just(vec![Behaviour::Empty]),
        Just(vec![Behaviour::Safety]),
        Just(vec![Behaviour::Blocked]),
        "[a-z][a-z ]{0,39}".prop_map(|text| vec![Behaviour::Text(text.clone()), Behaviour::Text(text)]),
    ];
    for_any((any_query(), fault), &[], async |scripted, (query, faults)| {
        scripted.fake.push(Behaviour::Text("The capital of France is Paris.".into()));
        faults.iter().cloned().for_each(|fault| scripted.fake.push(fault));
        let answer = scripted.ask(&query).await;
        assert_eq!(answer.status, 200, "the answer is still returned: {faults:?}");
        let answer = answer.json();
        assert_eq!(answer["audit"]["auditor"], "failed", "{faults:?}");
        assert!(answer["audit"]["risk_score"].as_u64().unwrap() >= 4);
        assert_ne!(answer["status"], "Safe");
        assert!(!answer["audit"]["judge"]["error"].as_str().unwrap().is_empty(), "the failure is on record");
        let is_failure =
            |line: &Value| line["message"] == "the auditor model returned no verdict" && line["level"] == "ERROR";
        let logged: Vec<Value> = log.take().into_iter().filter(is_failure).collect();
        assert_eq!(logged.len(), 1, "the failure is logged once: {faults:?}");
        assert_eq!((&logged[0]["provider"], &logged[0]["model"]), (&json!("gemini"), &json!("gemini-2.5-flash")));
        assert!(logged[0]["error"].as_str().is_some_and(|error| !error.is_empty()), "{logged:?}");
    });
}

// Feature: agent-audit, Property 8: Unique log identifiers
// Feature: agent-audit, Property 9: Automatic timestamp generation
// Feature: agent-audit, Property 17: Concurrent request handling
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_all_succeed_each_with_its_own_id_and_time() {
    let scripted = Arc::new(ScriptedServer::start().await);
    let mut ids = HashSet::new();
    for concurrent in [1, 2, 7, 32, 120] {
        let now = || countersign_store::Clock::now(&countersign_store::SystemClock);
        let asked = (0..concurrent).map(|number| {
            let scripted = Arc::clone(&scripted);
            async move {
                let before = now();
                let answer = scripted.ask(&format!("question {concurrent} {number}")).await;
                (answer, before..=now())
            }
        });
        let answers = tokio::time::timeout(PATIENCE, join_all(asked)).await.expect("the requests block each other");
        for (answer, while_asked) in answers {
            assert_eq!(answer.status, 200, "{answer:?}");
            let answer = answer.json();
            let id: countersign_domain::LogId = answer["log_id"].as_str().unwrap().parse().expect("a UUID");
            assert!(ids.insert(id), "{id} occurs twice");
            let created: countersign_domain::Time = answer["created_at"].as_str().unwrap().parse().unwrap();
            // An answer's time must lie between its request and its response.
            assert!(while_asked.contains(&created), "{created} is not within {while_asked:?}");
        }
    }
    assert_eq!(scripted.events(&[EventType::AuditLogCreated]).await.len(), ids.len());
}

/// A slow answer must not delay other answers.
#[tokio::test]
async fn a_slow_answer_delays_only_its_own_caller() {
    let scripted = ScriptedServer::start().await;
    scripted.fake.script(|received| {
        let is_slow = String::from_utf8_lossy(&received.body).contains("take your time");
        if is_slow && !is_audit(received) { Behaviour::Hang } else { Behaviour::Answer }
    });
    let slow = scripted.ask("take your time");
    let quick = join_all((0..20).map(|_| scripted.ask("quick")));
    tokio::select! {
        _ = slow => panic!("the hanging worker answered"),
        answers = tokio::time::timeout(Duration::from_secs(20), quick) => {
            assert!(answers.expect("the other requests wait for the slow one").iter().all(|answer| answer.status == 200));
        }
    }
}

// Feature: agent-audit, Property 10: Database error handling
#[test]
fn an_answer_that_cannot_be_stored_is_a_500_is_logged_and_is_withheld() {
    let log = CapturedLog::start();
    let number = std::sync::atomic::AtomicU64::new(0);
    for_any(any_query(), &[], async |scripted, query| {
        // Makes every insert fail, as a full disk would.
        let database = TestDatabase::of(scripted.server.dir.path());
        database.execute(
            "CREATE TRIGGER IF NOT EXISTS refuse BEFORE INSERT ON event_log BEGIN SELECT RAISE(ABORT, 'no room'); END",
            "CREATE TRIGGER refuse BEFORE INSERT ON event_log FOR EACH STATEMENT EXECUTE FUNCTION refuse('no room')",
        );
        let id = format!("unstored-{}", number.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let body = json!({"user_query": query}).to_string().into_bytes();
        let call = scripted.server.call("POST", "/process-agent").header("x-request-id", id.clone());
        let answer = call.body(body.clone()).send().await;
        database.execute("DROP TRIGGER refuse", "DROP TRIGGER refuse ON event_log");
        answer.check_error(500);
        let lines = log.take();
        let logged: Vec<&Value> = lines.iter().filter(|line| line["request_id"] == id.as_str()).collect();
        assert_eq!(logged.len(), 1, "one line: {lines:?}");
        assert_eq!(
            (&logged[0]["level"], &logged[0]["status"], &logged[0]["category"]),
            (&json!("ERROR"), &json!(500), &json!("store"))
        );
        assert!(logged[0]["cause"].as_str().is_some_and(|cause| cause.contains("no room")), "{logged:?}");
        assert_eq!(logged[0]["payload_bytes"], body.len(), "{logged:?}");
        assert_eq!(logged[0]["payload_sha256"], countersign_ledger::sha256(&body).to_hex(), "{logged:?}");
        assert!(
            !answer.text().contains(countersign_fake_provider::ANSWER_TEXT),
            "an answer that is not stored must be withheld"
        );
        assert_eq!(scripted.ask(&query).await.status, 200, "requests succeed again once the store accepts writes");
    });
}

// Feature: agent-audit, Property 19: Error classification
#[test]
fn a_callers_error_is_a_4xx_and_a_server_error_is_a_5xx() {
    let mistake = prop_oneof![
        Just(("POST", "/process-agent", Vec::from(*b"{}"))),
        Just(("POST", "/process-agent", Vec::from(*b"[\"x\"]"))),
        Just(("POST", "/process-agent", Vec::from(*b"{\"user_query\": 7}"))),
        Just(("POST", "/process-agent", Vec::from(*b"{\"user_query\": \" \"}"))),
        prop::collection::vec(any::<u8>(), 0..60)
            .prop_filter("is not a question", |body| serde_json::from_slice::<Value>(body)
                .map_or(true, |v| !v["user_query"].is_string()))
            .prop_map(|body| ("POST", "/process-agent", body)),
        Just(("GET", "/process-agent", Vec::new())),
        Just(("DELETE", "/api/logs", Vec::new())),
        Just(("GET", "/api/logs?status=Unsafe", Vec::new())),
        Just(("GET", "/api/logs?min_score=11", Vec::new())),
        Just(("GET", "/api/logs/nonsense", Vec::new())),
        Just(("GET", "/api/logs/0195e0c0-0000-7000-8000-000000000000", Vec::new())),
        Just(("GET", "/api/logs/stats?bucket=year", Vec::new())),
        "[a-z]{1,12}".prop_map(|name| (
            "GET",
            Box::leak(format!("/api/logs?{name}z=1").into_boxed_str()) as &str,
            Vec::new()
        )),
    ];
    for_any(mistake, &[], async |scripted, (method, path, body)| {
        let answer = scripted.server.call(method, path).body(body).send().await;
        assert!((400..500).contains(&answer.status), "{method} {path}: {answer:?}");
        answer.check_error(answer.status);
        scripted.fake.push(Behaviour::Status(401));
        scripted.ask("x").await.check_error(500);
    });
}
