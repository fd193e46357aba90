//! Sends personal data to the real program and searches all of its output for it: prompts, reports, exports, webhooks, traces,
//! logs.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Command, Stdio},
};

use countersign::http::ACCESS;
use countersign_domain::{Role, access::RequiredRole};
use countersign_fake_provider::Fake;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::{
    case::{investigation_of, items, key, wait_for_review},
    client::{Answer, Call},
    program::countersign,
    running::{PATIENCE, Running, until},
    telemetry::Collector,
};

/// Texts to send, and the parts of each that must not appear in any output, in lower case.
const PERSONAL_TEXTS: &[(&str, &[&str])] = &[
    ("Maria Gonzalez", &["gonzalez"]),
    ("Hans Müller", &["müller"]),
    ("Ｊｏｈｎ Ｓｍｉｔｈ", &["smith", "ｓｍｉｔｈ"]),
    ("Agnieszka Kowalska", &["kowalska"]),
    ("Giuliа Rоssi", &["rossi", "rоssi"]),
    ("山田太郎", &["山田"]),
    ("12 High Street, Leeds LS1 4AB", &["high street", "ls1 4ab"]),
    ("Hauptstraße 5, 10115 Berlin", &["hauptstra", "10115 berlin"]),
    ("12 rue de la Paix, 75002 Paris", &["rue de la", "75002 paris"]),
    ("born 12.03.1985", &["12.03.1985"]),
    ("né le 12\u{a0}mars\u{a0}1985", &["mars 1985", "mars\u{a0}1985"]),
    ("account no 1234567890", &["1234567890"]),
    ("Konto-Nr. 4821–3377–90", &["4821–3377", "4821-3377"]),
    ("GB82 WEST 1234 5698 7654 32", &["5698 7654"]),
    ("4111 1111 1111 1111", &["1111 1111"]),
    ("maria.gonzalez@mailbox.example", &["mailbox.example"]),
    ("+49 30 90182077", &["90182077"]),
    ("Kundenname: Xochitl Tlapanco", &["tlapanco"]),
];

fn personal(n: usize) -> &'static str {
    PERSONAL_TEXTS[n % PERSONAL_TEXTS.len()].0
}

fn transaction(case: usize) -> Value {
    json!({
        "transaction_id": format!("tx-{case}"), "user_id": format!("user-77{case:02}"),
        "amount": {"amount": "4200.00", "currency": "USD"}, "occurred_at": "2026-03-01T09:30:00Z",
        "merchant": personal(case), "category": personal(case + 1), "ip_address": "198.51.100.77", "device_fingerprint": "dev-0a1b2c3d4e",
        "location": {"lat": 52.5, "lon": 13.4, "country": "DE", "city": personal(case + 2)},
        "metadata": {
            "memo": personal(case + 3), "description": format!("paid to {}, thanks", personal(case + 4)), "nombre": personal(case + 5),
            "kundenname": personal(case + 6), personal(case + 7): "x", "order": {"items": [{"note": personal(case + 8)}]},
            "source_of_funds": personal(case + 9), "notes": [personal(case + 10), personal(case + 11)]
        }
    })
}

fn alert(case: usize) -> Value {
    json!({
        "alert_id": format!("ext-{case}"), "user_id": format!("user-77{case:02}"), "severity": "critical", "score": 91,
        "metadata": {
            "transaction_id": format!("tx-{case}"), "explanation": personal(case + 12), "operator": personal(case + 13),
            "signals": {
                "velocity_anomaly": {"value": 14, "threshold": 5, "explanation": personal(case + 14), "details": {"note": personal(case)}},
                "rule_flags": {"flags": [{"name": personal(case + 15), "weight": 9, "message": personal(case + 16)}]},
                "unusual_device": personal(case + 17), personal(case + 3): {"value": 2, "reason": personal(case + 5)}
            }
        }
    })
}

async fn get(address: SocketAddr, path: &str) -> Answer {
    let answer = Call::new(address, "GET", path).send().await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer
}

/// All versions of each report: every API response about them, and every exported file.
async fn reports(address: SocketAddr, alerts: &[String]) -> Vec<(String, String)> {
    let mut out = vec![("GET /api/reports".to_owned(), get(address, "/api/reports?limit=500").await.text().to_owned())];
    for alert in alerts {
        let found = get(address, &format!("/api/investigations/{}", investigation_of(alert))).await.json();
        let report = found["report_id"].as_str().unwrap().to_owned();
        let versions = get(address, &format!("/api/reports/{report}/versions")).await.json();
        for version in items(&versions) {
            let id = version["id"].as_str().unwrap();
            let parts = [
                "",
                "/versions",
                "/facts",
                "/validations",
                "/export?format=md",
                "/export?format=json",
                "/export?format=html",
            ];
            for part in parts {
                let path = format!("/api/reports/{id}{part}");
                let text = get(address, &path).await.text().to_owned();
                out.push((path, text));
            }
        }
    }
    out
}

#[test]
fn no_personal_data_leaves_the_program() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (fake, hooks, traces) =
        runtime.block_on(async { (Fake::start().await, Collector::start(200).await, Collector::start(200).await) });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("countersign.toml");
    let hook = format!(
        "[[webhooks.targets]]\nurl = \"http://{}/hook\"\nsecret = \"0123456789abcdef0123\"\nevents = \"*\"\nallow_private = true\n",
        hooks.address
    );
    std::fs::write(&file, hook).unwrap();
    let mut child = countersign()
        .env("RUST_LOG", "debug")
        .env("GROQ_API_KEY", "gsk-test")
        .env("GROQ_BASE_URL", fake.groq_url())
        .env("GEMINI_API_KEY", "gemini-test")
        .env("GEMINI_BASE_URL", fake.gemini_url())
        .env("COUNTERSIGN_WRITER", "groq/llama-3.3-70b-versatile")
        .env("COUNTERSIGN_SUPERVISOR", "gemini/gemini-2.5-flash")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", traces.address))
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--config"])
        .arg(&file)
        .arg("--data-dir")
        .arg(folder.path().join("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = child.stderr.take().unwrap();
    let logged = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    let address: SocketAddr = ready.trim().rsplit_once("http://").unwrap().1.parse().unwrap();

    let cases = PERSONAL_TEXTS.len();
    let alerts: Vec<String> = (0..cases).map(|case| format!("ext-{case}")).collect();
    let mut out = runtime.block_on(async {
        let sent: Vec<Value> = (0..cases).map(transaction).collect();
        let answer = Call::new(address, "POST", "/api/transactions").body(json!(sent).to_string()).send().await;
        assert_eq!(answer.json()["accepted"], cases, "{answer:?}");
        for case in 0..cases {
            let answer = Call::new(address, "POST", "/api/alerts").body(alert(case).to_string()).send().await;
            assert_eq!(answer.status, 202, "{answer:?}");
        }
        // An alert whose id is a person's e-mail address.
        let odd =
            json!({"alert_id": "maria.gonzalez@mailbox.example", "user_id": "user-1", "severity": "high", "score": 75});
        assert_eq!(Call::new(address, "POST", "/api/alerts").body(odd.to_string()).send().await.status, 202);
        for alert in alerts.iter().map(String::as_str).chain(["maria.gonzalez@mailbox.example"]) {
            let path = format!("/api/investigations/{}", investigation_of(alert));
            until(&format!("{alert} is judged"), async || {
                let answer = Call::new(address, "GET", &path).send().await;
                answer.status == 200 && answer.json()["report_id"].is_string() && answer.json()["status"] != "open"
            })
            .await;
        }
        let reports_sent = || hooks.bodies().iter().filter(|body| body.contains("REPORT_GENERATED")).count();
        until("the webhook got every report", async || reports_sent() > cases).await;
        let mut alerts = alerts.clone();
        alerts.push("maria.gonzalez@mailbox.example".to_owned());
        reports(address, &alerts).await
    });
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    child.wait().unwrap();

    let prompts = fake.received();
    assert!(prompts.len() > 6 * cases, "five sections and an assessment for each report: {}", prompts.len());
    out.extend(
        prompts.iter().map(|received| (received.path.clone(), String::from_utf8_lossy(&received.body).into_owned())),
    );
    out.extend(hooks.bodies().into_iter().map(|body| ("webhook".to_owned(), body)));
    assert!(!traces.bodies().is_empty(), "no trace was exported");
    out.extend(traces.bodies().into_iter().map(|body| ("trace".to_owned(), body)));
    out.push(("log".to_owned(), logged.join().unwrap()));
    let found = leaks(&out, &[]);
    assert!(found.is_empty(), "{} times:\n{}", found.len(), found.join("\n"));
}

/// The places in the output that contain personal data: parts of [`PERSONAL_TEXTS`], or texts of `more`.
fn leaks(out: &[(String, String)], more: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (source, text) in out {
        let text = text.replace('\\', "").to_lowercase();
        let parts = PERSONAL_TEXTS.iter().flat_map(|(_, parts)| *parts).chain(more);
        for part in parts.filter(|part| text.contains(**part)) {
            let at = text.find(part).unwrap();
            let near: String = text[text.floor_char_boundary(at.saturating_sub(80))..].chars().take(160).collect();
            found.push(format!("{source}: {part} in …{near}…"));
        }
    }
    found
}

/// Reads, with this key, every route that viewers may read and every live message since the start of the log.
async fn everything_read(server: &Running, key: &str, ids: &[(&str, Vec<String>)]) -> Vec<(String, String)> {
    let is_read = |methods: &[(axum::http::Method, RequiredRole)]| {
        methods.iter().any(|(method, required)| method == "GET" && required.admits(Role::Viewer))
    };
    let mut out = Vec::new();
    for (pattern, _) in ACCESS.iter().filter(|(pattern, methods)| pattern.starts_with("/api/") && is_read(methods)) {
        let resource =
            ids.iter().find(|(resource, _)| pattern.strip_prefix(resource).is_some_and(|rest| rest.starts_with("/{")));
        let paths = match (resource, pattern.split_once('{')) {
            (Some((resource, ids)), Some((_, rest))) => {
                let rest = rest.split_once('}').unwrap().1;
                let query = if rest == "/export" { "?format=json" } else { "" };
                ids.iter().map(|id| format!("{resource}/{id}{rest}{query}")).collect()
            }
            (_, Some(_)) => vec![pattern.replace("{index}", "0").replace("{id}", "x")],
            (_, None) if *pattern == "/api/live" => continue,
            (_, None) => vec![(*pattern).to_owned()],
        };
        for path in paths {
            let answer = server.call("GET", &path).key(Some(key)).send().await;
            out.push((path, answer.text().to_owned()));
        }
    }
    out.push(("live".to_owned(), live_messages(server, key).await));
    out
}

/// The alert that is sent last, so that a live client knows when it has received everything.
const LAST_ALERT: &str = "the-last-one";

async fn live_messages(server: &Running, key: &str) -> String {
    let open = async |after: &str| {
        let mut request = format!("ws://{}/api/live{after}", server.address).into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
        connect_async(request).await.unwrap().0
    };
    let first = timeout(PATIENCE, open("").await.next()).await.unwrap().unwrap().unwrap().into_text().unwrap();
    let cursor = serde_json::from_str::<Value>(&first).unwrap()["cursor"].as_str().unwrap().to_owned();
    let mut socket = open(&format!("?after={}.0", cursor.split_once('.').unwrap().0)).await;
    let mut texts = String::new();
    while !texts.contains(LAST_ALERT) {
        let message = timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap();
        if let Message::Text(text) = message {
            texts.push_str(&text);
        }
    }
    texts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_read_cases_without_personal_data_and_investigators_with_it() {
    let server = Running::with_agents(&[]).await;
    let cases = 6;
    let transactions: Vec<Value> = (0..cases).map(transaction).collect();
    assert_eq!(server.post("/api/transactions", &json!(transactions)).await.status, 202);
    let (mut alerts, mut investigations, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    for case in 0..cases {
        assert_eq!(server.post("/api/alerts", &alert(case)).await.status, 202);
        let case = wait_for_review(&server, &format!("ext-{case}")).await;
        alerts.push(case.alert);
        investigations.push(case.investigation);
        reports.push(case.report);
    }
    let last = json!({"alert_id": LAST_ALERT, "user_id": "user-1", "severity": "low", "score": 1});
    assert_eq!(server.post("/api/alerts", &last).await.status, 202);
    let events = server.get("/api/events?limit=500").await.json();
    let events: Vec<String> =
        items(&events).iter().map(|event| event["event_id"].as_str().unwrap().to_owned()).collect();
    let ids = [
        ("/api/alerts", alerts),
        ("/api/investigations", investigations.clone()),
        ("/api/reports", reports),
        ("/api/events", events),
    ];
    let (viewer, _) = key(&server, Role::Viewer, "Ana").await;
    let (investigator, _) = key(&server, Role::Investigator, "Ben").await;
    let identifiers = ["user-77", "198.51.100.77", "dev-0a1b2c3d4e"];

    let found = leaks(&everything_read(&server, &viewer, &ids).await, &identifiers);
    assert!(found.is_empty(), "{} times:\n{}", found.len(), found.join("\n"));
    let found = leaks(&everything_read(&server, &investigator, &ids).await, &identifiers).join("\n");
    for source in ["/api/alerts", "/api/transactions", "/api/investigations", "/api/events", "/api/reviews", "live"] {
        assert!(found.lines().any(|line| line.starts_with(source)), "an investigator reads {source}");
    }

    // A viewer sees the customer's id only in masked form, but can still list the customer's other records.
    let path = format!("/api/transactions?investigation_id={}", investigations[0]);
    let listed = server.call("GET", &path).key(Some(&viewer)).send().await.json();
    assert_eq!(items(&listed).len(), 1);
    assert_eq!(items(&listed)[0]["user_id"], "***7700");
    let path = format!("/api/alerts?investigation_id={}", investigations[1]);
    let listed = server.call("GET", &path).key(Some(&viewer)).send().await.json();
    let whose: Vec<&str> = items(&listed).iter().map(|alert| alert["user_id"].as_str().unwrap()).collect();
    assert!(!whose.is_empty() && whose.iter().all(|id| *id == "***7701"), "{whose:?}");
    let both = format!("{path}&user_id=user-7701");
    server.call("GET", &both).key(Some(&viewer)).send().await.check_error(400);
}
