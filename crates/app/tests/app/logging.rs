//! The program's log output: one line for each request, with all details of a failure.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use countersign_fake_provider::{Behaviour, Fake};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::{client::Call, program::countersign};

const CASES: u32 = 120;

/// Starts the program with `fake` as its worker, sends `requests`, and returns the program's log as JSON lines.
fn logged(fake: &Fake, runtime: &Runtime, filter: &str, requests: &[(String, String, String)]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut child = countersign()
        .env("RUST_LOG", filter)
        .env("GROQ_API_KEY", "gsk-secret")
        .env("GROQ_BASE_URL", fake.groq_url())
        .env("COUNTERSIGN_WORKER", "groq")
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data-dir"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = child.stderr.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    let mut ready = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut ready).unwrap();
    let address = ready.trim().rsplit_once("http://").unwrap().1.parse().unwrap();
    for (number, (method, path, body)) in requests.iter().enumerate() {
        let call = Call::new(address, method, path).header("x-request-id", format!("r-{number}"));
        runtime.block_on(call.body(body.clone().into_bytes()).send());
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    child.wait().unwrap();
    let text = reading.join().unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))).collect()
}

/// Runs the program with keys for three providers until it has probed them. Returns its log, and its response about providers.
fn log_of_probing(fake: &Fake, flags: &[&str], runtime: &Runtime) -> (Vec<Value>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = countersign()
        .env("GROQ_API_KEY", "gsk-very-secret")
        .env("GROQ_BASE_URL", fake.groq_url())
        .env("GEMINI_API_KEY", "gemini-very-secret")
        .env("GEMINI_BASE_URL", fake.gemini_url())
        .env("OPENAI_API_KEY", "openai-very-secret")
        .env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data-dir"])
        .arg(folder.path())
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut ready).unwrap();
    let address = ready.trim().rsplit_once("http://").unwrap().1.parse().unwrap();
    let providers = runtime.block_on(async {
        loop {
            let providers = Call::new(address, "GET", "/api/providers").send().await.json();
            let is_asked = |provider: &Value| provider["name"] != "openai" || provider["key"].is_string();
            if !flags.is_empty() || providers["items"].as_array().unwrap().iter().all(is_asked) {
                return providers;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains("very-secret") && !providers.to_string().contains("very-secret"), "{text}");
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), providers)
}

#[test]
fn a_key_that_its_provider_refuses_is_named_at_the_start_and_never_shown() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(Fake::start_with(|received| {
        if received.path.starts_with("/openai/") { Behaviour::Status(401) } else { Behaviour::Answer }
    }));
    let (lines, providers) = log_of_probing(&fake, &[], &runtime);
    let about = |name: &str| lines.iter().find(|line| line["provider"] == name);
    let refused = about("groq").unwrap();
    assert_eq!((&refused["setting"], &refused["status"]), (&json!("GROQ_API_KEY"), &json!(401)), "{refused}");
    assert_eq!(about("openai").unwrap()["setting"], "OPENAI_API_KEY");
    assert_eq!(about("gemini"), None, "gemini's key is valid");
    let key_of = |name: &str| {
        let items = providers["items"].as_array().unwrap();
        items.iter().find(|provider| provider["name"] == name).unwrap()["key"].clone()
    };
    let keys = ["groq", "gemini", "openai", "ollama"].map(key_of);
    assert_eq!(keys, [json!("refused"), json!("accepted"), json!("unreachable"), Value::Null]);
}

#[test]
fn without_probing_no_provider_is_called() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(Fake::start());
    let (lines, _) = log_of_probing(&fake, &["--no-probe"], &runtime);
    assert_eq!((fake.count(), lines.len()), (0, 0), "{lines:?}");
}

// Feature: agent-audit, Property 20: Request logging
// Feature: agent-audit, Property 21: Error detail logging
#[test]
fn every_request_is_logged_with_its_outcome_and_every_failure_with_its_cause_and_trace() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(Fake::start_with(|received| {
        let asked = String::from_utf8_lossy(&received.body).into_owned();
        if asked.contains("please fail") { Behaviour::Status(401) } else { Behaviour::Answer }
    }));
    let paths = [
        ("GET", "/health", ""),
        ("GET", "/metrics", ""),
        ("GET", "/api/logs", ""),
        ("GET", "/api/logs/stats", ""),
        ("GET", "/api/nothing", ""),
        ("PUT", "/api/logs", ""),
        ("POST", "/process-agent", "{"),
        ("POST", "/process-agent", r#"{"user_query": " "}"#),
        ("POST", "/process-agent", r#"{"user_query": "What about Jane Secret?"}"#),
        ("POST", "/process-agent", r#"{"user_query": "please fail, Jane Secret"}"#),
        ("POST", "/v1/chat/completions", r#"{"model": "m", "messages": [{"role": "user", "content": "Jane Secret"}]}"#),
    ];
    let owned = paths.map(|(method, path, body)| (method.to_owned(), path.to_owned(), body.to_owned()));
    let strategy = prop::collection::vec(prop::sample::select(owned.to_vec()), CASES as usize);
    let mut runner = TestRunner::new(Config { cases: 1, failure_persistence: None, ..Config::default() });
    runner
        .run(&strategy, |requests| {
            let lines = logged(&fake, &runtime, "info", &requests);
            for (number, (method, path, body)) in requests.iter().enumerate() {
                let id = format!("r-{number}");
                let of_request: Vec<&Value> = lines.iter().filter(|line| line["request_id"] == json!(id)).collect();
                prop_assert_eq!(of_request.len(), 1, "one line for {} {}", method, path);
                let line = of_request[0];
                prop_assert_eq!(&line["method"], &json!(method));
                prop_assert!(line["path"].as_str().is_some_and(|logged| path.starts_with(logged)), "{}", line);
                prop_assert!(line["status"].is_u64() && line["ms"].is_number() && line["timestamp"].is_string());
                let fails = body.contains("please fail");
                prop_assert_eq!(line["level"] == "ERROR", fails, "{}", line);
                let expected = match line["status"].as_u64() {
                    Some(400) => Some("validation"),
                    Some(404) => Some("not_found"),
                    Some(405) => Some("method"),
                    Some(500) => Some("worker"),
                    _ => None,
                };
                prop_assert_eq!(line["category"].as_str(), expected, "{}", line);
                if fails {
                    prop_assert_eq!((&line["status"], &line["category"]), (&json!(500), &json!("worker")));
                    prop_assert_eq!(&line["payload_bytes"], &json!(body.len()));
                    prop_assert_eq!(
                        &line["payload_sha256"],
                        &json!(countersign_ledger::sha256(body.as_bytes()).to_hex())
                    );
                    prop_assert!(line["cause"].as_str().is_some_and(|cause| cause.contains("401")), "{}", line);
                    prop_assert!(line["backtrace"].as_str().is_some_and(|trace| !trace.is_empty()), "{}", line);
                }
            }
            let all: String = lines.iter().map(Value::to_string).collect();
            prop_assert!(
                !all.contains("Jane Secret") && !all.contains("gsk-secret"),
                "the text of a query must not be logged"
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_key_in_a_path_or_a_query_is_never_logged() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(Fake::start());
    let key = "cs_abcdefgh2345_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy";
    let encoded: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let twice = encoded.replace('%', "%25");
    let secret = &key[16..];
    let base64 = BASE64_URL_SAFE_NO_PAD.encode(key);
    let hex: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
    let base32 = "mnzv6ylcmnsgkztuna3tgnbvl5ng2olwlfwuul3vnrqw4zlson3xk5dfon2hk3td";
    let reversed: String = key.chars().rev().collect();
    let split: String = key.chars().flat_map(|letter| [letter, '/']).collect();
    let malformed = format!("%{}", key.replace('_', "%_%"));
    let secrets = [key, secret, &encoded, &twice, &base64, &hex, base32, &reversed, &split, &malformed];
    let long = "x".repeat(120);
    let mut paths = Vec::new();
    for shown in secrets {
        paths.extend([
            format!("/{shown}"),
            format!("/{long}{shown}"),
            format!("/api/nothing/{shown}?key={shown}"),
            format!("/api/events/{shown}"),
            format!("/api/alerts/{shown}"),
            format!("/api/logs?q={shown}"),
            format!("/api/logs?{shown}=1"),
            format!("/api/live?after={shown}"),
            format!("/assets/{shown}"),
            format!("/v1/{shown}"),
        ]);
    }
    let requests: Vec<_> = paths.into_iter().map(|path| ("GET".to_owned(), path, String::new())).collect();
    let lines = logged(&fake, &runtime, "trace", &requests);
    assert!(lines.iter().filter(|line| line["message"] == "request").count() >= requests.len());
    for line in lines {
        let line = line.to_string();
        // Half of a key must not be logged either.
        assert!(!secrets.iter().any(|secret| line.contains(&secret[..secret.len() / 2])), "{line}");
    }
}
