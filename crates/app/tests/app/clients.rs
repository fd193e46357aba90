//! Runs OpenAI's unmodified clients against the gateway. The scripts in `tests/clients` check what a caller sees; this file
//! checks what the provider received and what is on record.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use countersign_domain::{EventType, Role};
use countersign_fake_provider::{Behaviour, Fake, Received};
use serde_json::{Value, json};

use crate::running::{Running, until};

/// A text that the policy for `strict-…` models refuses.
const CARD: &str = "The card is 4111 1111 1111 1111, enjoy.";
const STRICT: &str = "[[gateway.policies]]\nmodel = \"strict-*\"\npolicy = \"enforce\"\n";
/// A stream that closes cleanly in the middle of an answer.
const EARLY_END: &str =
    "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The \"},\"finish_reason\":null}]}\n\n";
const HANGS: [&str; 2] = ["hang", "hang midway"];
/// The number of requests that the provider receives for each prompt, from clients with and without retries.
const ASKED: [(&str, usize); 8] = [
    ("status 400", 2),
    ("status 401", 2),
    ("status 404", 2),
    ("status 429", 2 * 3),
    ("status 500", 2 * 3),
    ("status 500, retried", 2 * 3),
    ("reset, retried", 2 * 3),
    ("card number", 3),
];

#[tokio::test]
async fn the_client_from_npm_works_unchanged() {
    let modules = scripts().join("node_modules/openai");
    assert!(modules.exists(), "OpenAI's client is not installed: run `make clients`");
    let mut node = Command::new("node");
    node.arg("openai.mjs");
    check(node).await;
}

#[tokio::test]
async fn the_client_from_pypi_works_unchanged() {
    if !is_on_path("python3") {
        eprintln!("skipped: there is no python3 here");
        return;
    }
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients-venv/bin/python");
    assert!(python.exists(), "OpenAI's client is not installed: run `make clients`");
    let mut python = Command::new(python);
    python.arg("openai_client.py").env("PYTHONUTF8", "1");
    check(python).await;
}

async fn check(script: Command) {
    let fake = Fake::start_with(behaviour).await;
    let url = fake.groq_url();
    let settings = [
        ("worker", "groq/llama-3.3-70b-versatile"),
        ("providers.groq_api_key", "gsk-test"),
        ("providers.groq_base_url", url.as_str()),
    ];
    let server = Running::with_file(&settings, STRICT).await;
    let printed = run(script, &server).await;
    check_record(&server, &printed).await;
    assert!(fake.wait_for(|fake| fake.open_calls() == 0).await, "calls to the provider stay open");
    let hung = HANGS.iter().map(|prompt| requests_with(&fake, prompt)).sum::<usize>();
    assert_eq!(hung, abandoned_calls(&printed), "clients don't retry calls that they abandoned");
    check_upstream(&fake);
    server.stop().await;
}

/// Runs a script and returns what it printed. Fails if the script fails.
async fn run(mut script: Command, server: &Running) -> String {
    let keyed = Running::with_keys().await;
    let (key, _) = keyed.keys.create(Role::Agent, "client", None, "test").await.unwrap();
    let url = |server: &Running| format!("http://{}/v1", server.address);
    script.args([url(server), url(&keyed), key.expose().to_owned()]).current_dir(scripts());
    // Proxies and keys from the machine's environment must not affect the test.
    for name in std::env::vars().map(|(name, _)| name) {
        if name.starts_with("OPENAI_") || name.to_ascii_lowercase().ends_with("_proxy") {
            script.env_remove(name);
        }
    }
    let output =
        tokio::task::spawn_blocking(move || script.output()).await.unwrap().expect("the script can be started");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    keyed.stop().await;
    printed
}

fn check_upstream(fake: &Fake) {
    let found = ASKED.map(|(prompt, _)| (prompt, requests_with(fake, prompt)));
    assert_eq!(found, ASKED, "requests that the provider received");
    let made_up = json!({"deep": [1.5, null, "é"]});
    let received = fake.received().into_iter().filter(|received| prompt(received) == "unknown fields");
    let sent: Vec<Value> = received.map(|received| received.json.unwrap()["made_up"].clone()).collect();
    assert_eq!(sent, [made_up.clone(), made_up], "unknown fields reach the provider");
}

async fn check_record(server: &Running, printed: &str) {
    let logs = printed.lines().filter_map(|line| line.strip_prefix("log ")?.split_once(' '));
    for (id, status) in logs.clone() {
        let mut found = Value::Null;
        until("the log is no longer pending", async || {
            found = server.get(&format!("/api/logs/{id}")).await.json()["status"].clone();
            found != "Pending"
        })
        .await;
        assert_eq!(found, status, "{id}");
    }
    let expected = abandoned_calls(printed);
    until("the abandoned calls are on record", async || cancelled(server).await.len() >= expected).await;
    let cancelled = cancelled(server).await;
    assert_eq!(cancelled.len(), expected, "once each");
    for (id, _) in logs.filter(|(_, status)| *status == "Cancelled") {
        assert_eq!(cancelled.iter().filter(|log_id| *log_id == id).count(), 1, "{id}");
    }
}

/// The ids of logs whose recorded failure is that the caller disconnected.
async fn cancelled(server: &Running) -> Vec<Value> {
    let path = format!("/api/events?type={}&limit=500", EventType::AnswerFailed.as_str());
    let events = server.get(&path).await.json();
    let payloads = events["items"].as_array().unwrap().iter().map(|event| &event["payload"]);
    payloads.filter(|payload| payload["end"] == "cancelled").map(|payload| payload["log_id"].clone()).collect()
}

/// The number of calls that the script abandoned, before or during the answer.
fn abandoned_calls(printed: &str) -> usize {
    printed.lines().filter(|line| *line == "gave up" || line.ends_with(" Cancelled")).count()
}

fn requests_with(fake: &Fake, content: &str) -> usize {
    fake.received().iter().filter(|received| prompt(received) == content).count()
}

/// The fake provider's behaviour, which the prompt names.
fn behaviour(received: &Received) -> Behaviour {
    let prompt = prompt(received);
    if let Some(text) = prompt.strip_prefix("repeat: ") {
        return Behaviour::Text(text.to_owned());
    }
    if let Some(status) = prompt.strip_prefix("status ") {
        return Behaviour::Status(status[..3].parse().unwrap());
    }
    match prompt.as_str() {
        "two choices" => Behaviour::Choices(vec!["One or so.".into(), "Two of them.".into()]),
        "card number" => Behaviour::Text(CARD.into()),
        "reset, retried" => Behaviour::Reset,
        "hang" => Behaviour::Hang,
        "hang midway" => Behaviour::StreamHang { after_chunks: 3 },
        "break the stream" => Behaviour::StreamBreak { after_chunks: 3 },
        "fail within the stream" => Behaviour::StreamError { after_chunks: 3 },
        "end the stream early" => Behaviour::Raw {
            status: 200,
            content_type: "text/event-stream".into(),
            body: EARLY_END.into(),
            headers: Vec::new(),
        },
        _ => Behaviour::Answer,
    }
}

/// The last message of the user.
fn prompt(received: &Received) -> String {
    let messages = received.json.as_ref().and_then(|json| json["messages"].as_array());
    let user = messages.and_then(|messages| messages.iter().rfind(|message| message["role"] == "user"));
    user.and_then(|message| message["content"].as_str()).unwrap_or_default().to_owned()
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).exists()))
}
