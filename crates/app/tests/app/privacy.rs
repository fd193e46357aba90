//! Personal facts sent into the real program, and everything that leaves it: prompts, reports, exports, webhooks, traces, logs.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Command, Stdio},
};

use countersign_fake_provider::Fake;
use serde_json::{Value, json};

use crate::{
    case::{investigation_of, items},
    client::{Answer, Call},
    program::countersign,
    running::until,
    telemetry::Collector,
};

/// What is sent, and what of it must not come out again, in small letters.
const FACTS: &[(&str, &[&str])] = &[
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

fn fact(n: usize) -> &'static str {
    FACTS[n % FACTS.len()].0
}

fn transaction(case: usize) -> Value {
    json!({
        "transaction_id": format!("tx-{case}"), "user_id": format!("user-77{case:02}"),
        "amount": {"amount": "4200.00", "currency": "USD"}, "occurred_at": "2026-03-01T09:30:00Z",
        "merchant": fact(case), "category": fact(case + 1), "ip_address": "198.51.100.77", "device_fingerprint": "dev-0a1b2c3d4e",
        "location": {"lat": 52.5, "lon": 13.4, "country": "DE", "city": fact(case + 2)},
        "metadata": {
            "memo": fact(case + 3), "description": format!("paid to {}, thanks", fact(case + 4)), "nombre": fact(case + 5),
            "kundenname": fact(case + 6), fact(case + 7): "x", "order": {"items": [{"note": fact(case + 8)}]},
            "source_of_funds": fact(case + 9), "notes": [fact(case + 10), fact(case + 11)]
        }
    })
}

fn alert(case: usize) -> Value {
    json!({
        "alert_id": format!("ext-{case}"), "user_id": format!("user-77{case:02}"), "severity": "critical", "score": 91,
        "metadata": {
            "transaction_id": format!("tx-{case}"), "explanation": fact(case + 12), "operator": fact(case + 13),
            "signals": {
                "velocity_anomaly": {"value": 14, "threshold": 5, "explanation": fact(case + 14), "details": {"note": fact(case)}},
                "rule_flags": {"flags": [{"name": fact(case + 15), "weight": 9, "message": fact(case + 16)}]},
                "unusual_device": fact(case + 17), fact(case + 3): {"value": 2, "reason": fact(case + 5)}
            }
        }
    })
}

async fn get(address: SocketAddr, path: &str) -> Answer {
    let answer = Call::new(address, "GET", path).send().await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer
}

/// Each report in every version, with all that the API shows of it and every file that it gives out.
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
fn nothing_personal_leaves_the_program() {
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

    let cases = FACTS.len();
    let alerts: Vec<String> = (0..cases).map(|case| format!("ext-{case}")).collect();
    let mut out = runtime.block_on(async {
        let sent: Vec<Value> = (0..cases).map(transaction).collect();
        let answer = Call::new(address, "POST", "/api/transactions").body(json!(sent).to_string()).send().await;
        assert_eq!(answer.json()["accepted"], cases, "{answer:?}");
        for case in 0..cases {
            let answer = Call::new(address, "POST", "/api/alerts").body(alert(case).to_string()).send().await;
            assert_eq!(answer.status, 202, "{answer:?}");
        }
        // An id that is somebody's e-mail address.
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
        let told = || hooks.bodies().iter().filter(|body| body.contains("REPORT_GENERATED")).count();
        until("the webhook was told of every report", async || told() > cases).await;
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
    assert!(!traces.bodies().is_empty(), "calls of models are traced");
    out.extend(traces.bodies().into_iter().map(|body| ("trace".to_owned(), body)));
    out.push(("log".to_owned(), logged.join().unwrap()));
    let mut found = Vec::new();
    for (whence, text) in &out {
        let text = text.replace('\\', "").to_lowercase();
        for part in FACTS.iter().flat_map(|(_, parts)| *parts).filter(|part| text.contains(**part)) {
            let at = text.find(part).unwrap();
            let near: String = text[text.floor_char_boundary(at.saturating_sub(80))..].chars().take(160).collect();
            found.push(format!("{whence}: {part} in …{near}…"));
        }
    }
    assert!(found.is_empty(), "{} times:\n{}", found.len(), found.join("\n"));
}
