//! The program's commands, run as processes.

use std::{fs, path::Path};

use countersign_test_store::TestDatabase;
use serde_json::{Value, json};

use crate::{
    client::Call,
    program::{Program, countersign, countersign_on, fail, run, succeed},
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

async fn send_transactions(program: &Program, ids: std::ops::Range<usize>) {
    let transaction = |n: usize| {
        json!({
            "transaction_id": format!("tx-{n}"), "user_id": "user-1",
            "amount": {"amount": "12.50", "currency": "USD"}, "occurred_at": "2026-03-01T09:30:00Z"
        })
    };
    let body: Value = ids.map(transaction).collect();
    let answer = Call::new(program.address, "POST", "/api/transactions").body(body.to_string()).send().await;
    assert_eq!(answer.status, 202);
}

/// A stopped store with transactions in it.
async fn filled(dir: &Path, count: usize) {
    let program = Program::start(dir);
    send_transactions(&program, 0..count).await;
    assert_eq!(program.terminate(), Some(0));
}

#[test]
fn help_names_every_command() {
    let folder = folder();
    let help = countersign().arg("--help").current_dir(&folder).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for command in [
        "serve", "demo", "ingest", "report", "audit", "eval", "verify", "witness", "backup", "restore", "export",
        "keys", "config",
    ] {
        assert!(help.contains(command), "{help}");
        let output = countersign().args([command, "--help"]).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty());
    }
    let version = countersign().arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(version.stdout).unwrap().trim(), concat!("countersign ", env!("CARGO_PKG_VERSION")));
}

#[tokio::test]
async fn serve_prints_its_address_shuts_down_cleanly_and_locks_its_directory() {
    let folder = folder();
    let dir = folder.path().join("data");
    let program = Program::start(&dir);
    assert_eq!(program.ready_line, format!("Countersign is ready at http://{}\n", program.address));
    let health = Call::new(program.address, "GET", "/health").send().await;
    assert_eq!((health.status, health.json()["status"].as_str()), (200, Some("ok")));
    let refused = fail(&["serve", "--listen", "127.0.0.1:0"], &dir);
    assert!(refused.contains("in use by another countersign (process"), "{refused}");
    assert_eq!(program.terminate(), Some(0));
    assert!(!dir.join("server.json").exists());
}

#[test]
fn serve_refuses_a_public_address_without_a_key() {
    let folder = folder();
    let refused = fail(&["serve", "--listen", "0.0.0.0:0"], folder.path());
    assert!(refused.contains("no access key yet") && refused.contains("countersign keys create"), "{refused}");
}

#[test]
fn every_problem_of_the_configuration_is_reported_at_once() {
    let folder = folder();
    let file = folder.path().join("bad.toml");
    fs::write(&file, "listen = \"nowhere\"\nlisen = 3\n[limits]\nconnections_max = 0\n").unwrap();
    let file = file.to_str().unwrap();
    for arguments in [["config", "check", "--config", file], ["config", "--config", file, "check"]] {
        let problems = fail(&arguments, folder.path());
        for part in ["3 problems", "`listen`", "`lisen`", "did you mean", "`limits.connections_max`"] {
            assert!(problems.contains(part), "{part} in {problems}");
        }
    }
    assert_eq!(succeed(&["config", "check"], folder.path()), "ok: the configuration is valid\n");
}

#[test]
fn the_effective_configuration_is_shown_with_its_sources_and_without_secrets() {
    let folder = folder();
    let mut command = countersign();
    command.args(["config", "--json", "--data-dir", "/tmp/elsewhere"]).current_dir(&folder);
    let output =
        command.env("COUNTERSIGN_LISTEN", "127.0.0.1:9999").env("GROQ_API_KEY", "gsk-very-secret").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("very-secret"), "{text}");
    let settings: Vec<Value> = serde_json::from_str(&text).unwrap();
    let source = |key: &str| {
        let setting = settings.iter().find(|setting| setting["key"] == key).unwrap();
        (setting["value"].as_str().unwrap().to_owned(), setting["source"].as_str().unwrap().to_owned())
    };
    assert_eq!(source("listen"), ("127.0.0.1:9999".into(), "environment".into()));
    assert_eq!(source("data_dir"), ("/tmp/elsewhere".into(), "flag".into()));
    assert_eq!(source("profile").1, "default");
}

#[tokio::test]
async fn verify_passes_an_intact_store_and_names_the_first_bad_event_of_a_broken_one() {
    let folder = folder();
    let dir = folder.path().join("data");
    filled(&dir, 300).await;
    assert!(succeed(&["verify"], &dir).starts_with("ok: "));
    let report: Value = serde_json::from_str(&succeed(&["verify", "--json"], &dir)).unwrap();
    assert_eq!((&report["ok"], &report["signed_events"]), (&json!(true), &report["events"]));

    let database = TestDatabase::of(&dir);
    let rows = database.rows("SELECT seq FROM transaction_ids WHERE transaction_id = 'tx-123'");
    let seq: u64 = rows[0][0].parse().unwrap();
    let change = format!("UPDATE event_bodies SET payload = replace(payload, '12.50', '92.50') WHERE seq = {seq}");
    database.execute(
        &format!("DROP TRIGGER event_bodies_no_update; {change}"),
        &format!("SET session_replication_role = replica; {change}"),
    );
    drop(database);
    let broken = fail(&["verify"], &dir);
    assert!(broken.contains(&format!("first bad: event {seq}")), "{broken}");
    let report: Value = serde_json::from_slice(&run(&["verify", "--json"], &dir).stdout).unwrap();
    assert_eq!(report["first_bad"]["seq"], seq);
}

#[tokio::test]
async fn a_backup_of_a_running_server_verifies_and_serve_refuses_an_older_copy() {
    let folder = folder();
    let (dir, copy) = (folder.path().join("data"), folder.path().join("copy.db"));
    let program = Program::start(&dir);
    send_transactions(&program, 0..500).await;
    let printed = succeed(&["backup", copy.to_str().unwrap()], &dir);
    // Besides the transactions there are events for the rules and for five agents that started, and possibly alerts.
    let events: u64 =
        printed.split(' ').nth(2).and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{printed}"));
    assert!(printed.starts_with("Backed up ") && events >= 506, "{printed}");
    assert!(fail(&["backup", copy.to_str().unwrap()], &dir).contains("exists already"));
    assert_eq!(program.terminate(), Some(0));
    countersign_test_store::save(&dir);
    let program = Program::start(&dir);
    send_transactions(&program, 500..600).await;
    assert_eq!(program.terminate(), Some(0));
    let key = dir.join("ledger.pub");
    let verified = countersign().arg("verify").arg(&copy).arg("--key").arg(&key).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));

    // Replace the store with an older copy.
    countersign_test_store::put_back(&dir);
    let refused = fail(&["serve", "--listen", "127.0.0.1:0"], &dir);
    assert!(refused.contains("rolled back or truncated") && refused.contains("countersign restore"), "{refused}");
    assert!(fail(&["verify"], &dir).contains("does not verify"));

    // `restore` accepts the older backup, as a new log.
    let restored = succeed(&["restore", copy.to_str().unwrap()], &dir);
    assert!(restored.contains("as the new log countersign/"), "{restored}");
    let program = Program::start(&dir);
    send_transactions(&program, 500..600).await;
    assert_eq!(program.terminate(), Some(0));
    succeed(&["verify"], &dir);
}

#[tokio::test]
async fn an_export_is_verified_with_only_the_public_key() {
    let folder = folder();
    let (dir, file) = (folder.path().join("data"), folder.path().join("log.jsonl"));
    filled(&dir, 50).await;
    succeed(&["export", file.to_str().unwrap()], &dir);
    let key = fs::read_to_string(dir.join("ledger.pub")).unwrap();
    let verify = || countersign().arg("verify").arg(&file).arg("--key").arg(key.trim()).output().unwrap();
    assert!(verify().status.success());
    fs::write(&file, fs::read_to_string(&file).unwrap().replacen("12.50", "12.51", 1)).unwrap();
    let broken = verify();
    assert_eq!(broken.status.code(), Some(1));
    // The first six events are about the rules and the five agents.
    let broken = String::from_utf8(broken.stderr).unwrap();
    assert!(broken.contains("first bad: event 6"), "{broken}");
}

#[tokio::test]
async fn keys_are_created_listed_and_revoked_with_and_without_a_running_server() {
    let folder = folder();
    let dir = folder.path().join("data");
    let offline = succeed(&["keys", "create", "--role", "admin", "--name", "Ana"], &dir);
    assert!(offline.starts_with("cs_"), "{offline}");
    let program = Program::start(&dir);
    let made: Value = serde_json::from_str(&succeed(
        &["keys", "create", "--role", "viewer", "--name", "Wall", "--expires", "90d", "--json"],
        &dir,
    ))
    .unwrap();
    let (key, id) = (made["key"].as_str().unwrap().to_owned(), made["about"]["id"].as_str().unwrap().to_owned());
    let status = |key: String| Call::new(program.address, "GET", "/api/agents").key(Some(&key)).send();
    assert_eq!(status(key.clone()).await.status, 200);
    let list = succeed(&["keys", "list"], &dir);
    assert!(list.contains("Ana") && list.contains("Wall") && !list.contains(&key), "{list}");
    succeed(&["keys", "revoke", &id], &dir);
    assert_eq!(status(key).await.status, 401);
    assert!(fail(&["keys", "revoke", "aaaaaaaaaaaa"], &dir).contains("error:"));
    assert!(fail(&["keys", "create", "--role", "king", "--name", "x"], &dir).contains("must be agent, viewer"));
    assert_eq!(program.terminate(), Some(0));
    assert!(succeed(&["keys", "list"], &dir).contains("revoked"));
    succeed(&["verify"], &dir);
}

/// Every non-empty subset of these variables.
fn non_empty_subsets(names: &[&'static str]) -> Vec<Vec<&'static str>> {
    let chosen =
        |mask: usize| names.iter().enumerate().filter(move |(at, _)| mask & (1 << at) != 0).map(|(_, name)| *name);
    (1..1 << names.len()).map(|mask| chosen(mask).collect()).collect()
}

// Feature: agent-audit, Property 14: Environment variable configuration
#[test]
fn a_start_without_required_variables_fails_and_names_all_of_them() {
    let keys = ["GROQ_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];
    let roles = ["WORKER", "AUDITOR", "WRITER", "SUPERVISOR"].map(|role| format!("COUNTERSIGN_{role}"));
    let chosen: Vec<(&str, &str)> =
        roles.iter().map(String::as_str).zip(["groq", "gemini", "openai", "anthropic"]).collect();
    let hosted = ["GROQ_API_KEY", "GEMINI_API_KEY", "DATABASE_URL", "FRONTEND_URL"];
    for (names, more) in [(keys, chosen), (hosted, vec![("COUNTERSIGN_PROFILE", "hosted")])] {
        for missing in non_empty_subsets(&names) {
            let folder = tempfile::tempdir().unwrap();
            let dir = folder.path().join("data");
            let given = names.iter().filter(|name| !missing.contains(name));
            let value = |name: &str| match name {
                "FRONTEND_URL" => "https://app.example.com",
                "DATABASE_URL" => "postgres://me:k-secret@127.0.0.1:1/x",
                _ => "k-secret",
            };
            let output = countersign()
                .envs(given.clone().map(|name| (*name, value(name))))
                .envs(more.iter().copied())
                .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
                .arg(&dir)
                .output()
                .unwrap();
            let printed = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{missing:?}: {printed}");
            for name in names {
                let is_named = printed.contains(&format!("{name}: is not set"));
                assert_eq!(is_named, missing.contains(&name), "{name}, without {missing:?}: {printed}");
            }
            assert!(!printed.contains("k-secret"), "{printed}");
            assert!(!dir.exists(), "a failed start creates no directory");
        }
    }
}

#[tokio::test]
async fn arguments_are_checked_before_the_log_is_read() {
    let folder = folder();
    let dir = folder.path().join("data");
    let listed = fail(&["keys", "list"], &dir);
    assert!(listed.contains("there is no such directory") && !dir.exists(), "{listed}");
    filled(&dir, 1).await;
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (empty, words) = (file("empty.note", ""), file("words.note", "no checkpoint\n"));
    let (bundle, data) = (file("bundle.jsonl", "{}\n"), dir.to_str().unwrap());
    for (arguments, code, part) in [
        (&["verify", "nowhere.jsonl"][..], 1, "nowhere.jsonl: there is no such file"),
        (&["verify", &bundle], 2, "--key"),
        (&["verify", &bundle, "--key", "k", "--data-dir", data], 2, "cannot be used with"),
        (&["verify", "--data-dir", data, "--checkpoint", &empty], 2, "empty.note: is not a checkpoint"),
        (&["verify", "--data-dir", data, "--checkpoint", &words], 2, "words.note: is not a checkpoint"),
        (&["verify", "--data-dir", data, "--witness", "ftp://x"], 2, "only http and https addresses or a file"),
    ] {
        let output = countersign_on(&dir).args(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(code) && error.contains(part), "{arguments:?}: {error}");
        assert!(!error.contains("does not verify"), "{error}");
    }
}
