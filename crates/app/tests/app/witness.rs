//! `countersign witness` over HTTP, and servers with witnesses.

use std::{
    fs,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use countersign_ledger::{
    AddCheckpoint, Checkpoint, Frontier, Hash, SigningKey, VerifyingKey, WitnessKey, WitnessSigningKey,
    consistency_proof, leaf_hash,
};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    client::{Answer, Call},
    program::{Program, countersign, fail},
    running::{Running, transaction, until},
};

const ORIGIN: &str = "log.example/events";

/// A log in memory, from whose leaves tests compute heads and proofs.
struct MemoryLog(Vec<Hash>);

impl countersign_ledger::HashSource for MemoryLog {
    type Error = ();

    fn hashes(&self, level: u8, from: u64, to: u64) -> Result<Vec<Hash>, ()> {
        assert_eq!(level, 0, "small trees have leaves only");
        Ok(self.0[usize::try_from(from).unwrap()..usize::try_from(to).unwrap()].to_vec())
    }
}

impl MemoryLog {
    /// Logs of different branches have the same first ten leaves.
    fn new(branch: &str) -> Self {
        Self((0..200).map(|n| leaf_hash(format!("{}{n}", if n < 10 { "" } else { branch }).as_bytes())).collect())
    }

    fn request(&self, old_size: u64, size: u64) -> AddCheckpoint {
        let mut tree = Frontier::new();
        self.0.iter().take(usize::try_from(size).unwrap()).for_each(|leaf| tree.push(*leaf, |_, _| {}));
        let head = Checkpoint { origin: ORIGIN.into(), size, root: tree.root() };
        let proof = if old_size <= size { consistency_proof(self, old_size, size).unwrap() } else { Vec::new() };
        AddCheckpoint { old_size, proof, note: key().sign(&head) }
    }
}

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[1; 32]).unwrap()
}

fn start(dir: &Path) -> Program {
    Program::start_as(&["witness", "--log", &key().verifying_key().to_vkey()], dir)
}

fn witness_key(dir: &Path) -> WitnessKey {
    WitnessKey::parse(fs::read_to_string(dir.join("witness.pub")).unwrap().trim()).unwrap()
}

async fn add(address: SocketAddr, body: impl Into<String>) -> Answer {
    Call::new(address, "POST", "/add-checkpoint").body(body.into()).send().await
}

async fn check(address: SocketAddr, request: &AddCheckpoint, status: u16, body: Option<&str>) {
    let answer = add(address, request.to_body()).await;
    assert_eq!(answer.status, status, "{answer:?}");
    if let Some(body) = body {
        assert_eq!((answer.text(), answer.header("content-type")), (body, Some("text/x.tlog.size")));
    }
}

#[tokio::test]
async fn a_witness_responds_as_specified() {
    let folder = TempDir::new().unwrap();
    let witness = start(folder.path());
    let (address, log, fork) = (witness.address, MemoryLog::new("a"), MemoryLog::new("b"));
    let none = Call::new(address, "GET", "/checkpoint?origin=log.example%2Fevents").send().await;
    assert_eq!(none.status, 404);

    let first = log.request(0, 20);
    let answer = add(address, first.to_body()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    witness_key(folder.path()).cosignature_in(&first.note, answer.text()).unwrap();
    check(address, &log.request(20, 20), 200, None).await;
    check(address, &log.request(20, 50), 200, None).await;

    check(address, &log.request(0, 60), 409, Some("50\n")).await;
    check(address, &log.request(20, 20), 409, Some("50\n")).await;
    check(address, &log.request(50, 20), 400, None).await;
    check(address, &fork.request(50, 50), 409, Some("50\n")).await;
    check(address, &fork.request(50, 60), 422, None).await;
    let mut with_wrong_proof = log.request(50, 60);
    with_wrong_proof.proof.reverse();
    check(address, &with_wrong_proof, 422, None).await;

    let mut by_another = log.request(50, 60);
    let head = Checkpoint::claimed_by(&by_another.note).unwrap();
    by_another.note = SigningKey::from_seed(ORIGIN, &[2; 32]).unwrap().sign(&head);
    check(address, &by_another, 403, None).await;
    by_another.note =
        SigningKey::from_seed("other", &[2; 32]).unwrap().sign(&Checkpoint { origin: "other".into(), ..head });
    check(address, &by_another, 404, None).await;

    for malformed in ["", "old 50\n", "old 050\n\nx", "old 50\n\nno note", &"x".repeat(60_000)] {
        assert_eq!(add(address, malformed).await.status, 400, "{malformed:.20}");
    }
    assert_eq!(add(address, "x".repeat(80_000)).await.status, 413);

    // The refused requests left its state unchanged. The two histories signed with one key were kept as evidence.
    let note = Call::new(address, "GET", "/checkpoint?origin=log.example%2Fevents").send().await;
    assert_eq!(key().verifying_key().open(note.text()).unwrap().size, 50);
    witness_key(folder.path()).cosignature_on(note.text()).unwrap();
    let evidence = |kind| fs::read_dir(folder.path().join("evidence").join(kind)).unwrap().count();
    assert_eq!((evidence("fork"), evidence("unproven")), (1, 2));
    check(address, &log.request(50, 60), 200, None).await;
    assert_eq!(witness.terminate(), Some(0));
}

#[tokio::test]
async fn wrong_proofs_cannot_crowd_out_evidence() {
    let folder = TempDir::new().unwrap();
    let witness = start(folder.path());
    let (address, log, fork) = (witness.address, MemoryLog::new("a"), MemoryLog::new("b"));
    let evidence = |kind: &str| -> Vec<String> {
        let folder = folder.path().join("evidence").join(kind);
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    check(address, &log.request(0, 50), 200, None).await;
    // Anyone can send the cosigned checkpoint again with a wrong proof.
    let mut again = log.request(50, 50);
    again.proof = log.request(50, 60).proof;
    check(address, &again, 422, None).await;
    assert_eq!((evidence("fork").len(), evidence("unproven").len()), (0, 0));

    check(address, &fork.request(50, 50), 409, Some("50\n")).await;
    for size in 51..=199 {
        let mut unproven = log.request(50, size);
        unproven.proof.reverse();
        unproven.proof.push(Hash::from_bytes([7; 32]));
        check(address, &unproven, 422, None).await;
    }
    let (forks, unproven) = (evidence("fork"), evidence("unproven"));
    assert_eq!((forks.len(), unproven.len()), (1, 100));
    let is_kept = |size: u64| unproven.iter().any(|name| name.split('-').nth(1) == Some(&size.to_string()));
    assert!(is_kept(199) && !is_kept(51), "the newest replaces the oldest: {unproven:?}");
    assert_eq!(witness.terminate(), Some(0));
}

#[tokio::test]
async fn a_killed_witness_remembers_every_checkpoint_that_it_cosigned() {
    let folder = TempDir::new().unwrap();
    let (log, fork) = (MemoryLog::new("a"), MemoryLog::new("b"));
    let mut size = 0;
    for step in 1..=5 {
        let witness = start(folder.path());
        let next = size + 7 * step;
        check(witness.address, &log.request(size, next), 200, None).await;
        witness.kill();
        size = next;
    }
    let witness = start(folder.path());
    check(witness.address, &fork.request(size, size), 409, None).await;
    check(witness.address, &fork.request(size, size + 1), 422, None).await;
    check(witness.address, &log.request(0, size), 409, Some(&format!("{size}\n"))).await;
    check(witness.address, &log.request(size, size + 1), 200, None).await;
}

#[tokio::test]
async fn a_witness_cosigns_one_history_under_concurrent_requests() {
    let folder = TempDir::new().unwrap();
    let witness = start(folder.path());
    let logs = [MemoryLog::new("a"), MemoryLog::new("b")];
    let requests: Vec<_> = (0..40).map(|n| logs[n % 2].request(0, 11 + n as u64 / 2).to_body()).collect();
    let asking = requests.into_iter().map(|body| add(witness.address, body));
    let answers = futures_util::future::join_all(asking).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert!(answers.iter().all(|answer| [200, 409].contains(&answer.status)));
}

#[test]
fn a_witness_never_starts_over_with_a_key_that_has_cosigned() {
    let folder = TempDir::new().unwrap();
    let dir = folder.path();
    assert_eq!(start(dir).terminate(), Some(0));
    let mode = fs::metadata(dir.join("witness.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let refused = |args: &[&str], part: &str| {
        // The address is not available on this machine, so that a witness that passes the checks ends too.
        let error = fail(&[&["witness", "--listen", "192.0.2.1:1"], args].concat(), dir);
        assert!(error.contains(part), "{error}");
    };
    let other = SigningKey::from_seed(ORIGIN, &[2; 32]).unwrap().verifying_key().to_vkey();
    refused(&["--log", &other], "has two keys");
    let logs = fs::read_to_string(dir.join("logs")).unwrap();
    let (page, file) = (dir.join("page.md"), dir.join("key.pub"));
    fs::write(&page, "# A page\n\nSome words.\n").unwrap();
    fs::write(&file, format!("# a comment\n{other}\n")).unwrap();
    for given in [&page, &file] {
        let given = given.to_str().unwrap();
        refused(&["--log", given], &format!("--log {given}: not a log's public key: "));
    }
    refused(&["--log", "nowhere.pub"], "--log nowhere.pub: there is no such file");
    refused(&["--log", "no+such+key"], "--log no+such+key: not a log's public key: ");
    refused(&["--log", "# a comment"], "there is no such file");
    refused(&["--log", ""], "there is no such file");
    assert_eq!(fs::read_to_string(dir.join("logs")).unwrap(), logs, "refused keys are not stored");
    refused(&["--name", "another.example/w"], "a key can't be renamed");
    fs::rename(dir.join("state"), dir.join("aside")).unwrap();
    refused(&[], "no longer knows what it cosigned");
    fs::rename(dir.join("aside"), dir.join("state")).unwrap();
    let name = countersign_ledger::sha256(ORIGIN.as_bytes()).to_hex();
    let by_another = WitnessSigningKey::from_seed("w", &[3; 32]).unwrap();
    let note = MemoryLog::new("a").request(0, 5).note;
    let line = by_another.cosign(&note, 1).unwrap();
    for content in ["", "damaged", &note, &countersign_ledger::with_cosignature(&note, &line).unwrap()] {
        fs::write(dir.join("state").join(&name), content).unwrap();
        refused(&[], "is not a note that this witness cosigned");
    }
}

#[test]
fn a_witness_needs_a_readable_name_which_is_checked_before_anything_is_written() {
    let folder = TempDir::new().unwrap();
    let dir = folder.path().join("witness");
    for name in ["", "w\u{202e}1", "w\u{200b}1", "w\u{7}", "two words", "a+b"] {
        let error = fail(&["witness", "--listen", "192.0.2.1:1", "--name", name], &dir);
        assert!(error.contains("--name ") && !error.contains("--log"), "{error}");
        assert!(!dir.exists(), "{name:?}");
    }
    let error = fail(&["witness", "--listen", "192.0.2.1:1", "--log", "nowhere.pub"], &dir);
    assert!(error.contains("there is no such file") && !dir.exists(), "{error}");
}

#[test]
fn a_witness_prints_its_key_and_the_logs_it_cosigns() {
    let folder = TempDir::new().unwrap();
    let help = countersign().args(["witness", "--help"]).output().unwrap();
    assert!(String::from_utf8(help.stdout).unwrap().contains("tlog-witness"));
    let witness = Program::start_as(
        &["witness", "--name", "witness.example/w1", "--log", &key().verifying_key().to_vkey()],
        folder.path(),
    );
    assert!(witness.ready_line.starts_with("Countersign witness is ready at http://"));
    assert_eq!(witness_key(folder.path()).name(), "witness.example/w1");
    let logs = fs::read_to_string(folder.path().join("logs")).unwrap();
    assert!(logs.starts_with('#') && logs.contains(&key().verifying_key().to_vkey()), "{logs}");
    assert_eq!(witness.terminate(), Some(0));
    // It has stored the log, so later starts need no `--log`.
    let again = Program::start_as(&["witness"], folder.path());
    assert_eq!(fs::read_to_string(folder.path().join("logs")).unwrap(), logs);
    assert_eq!(again.terminate(), Some(0));
}

const UNREACHABLE: &str = "http://127.0.0.1:9";

fn required(url: &str, on_missing: &str) -> String {
    let key = WitnessSigningKey::from_seed("w.example", &[7; 32]).unwrap().witness_key().to_vkey();
    format!(
        "[ledger]\nwitnesses_required = 1\non_missing_witness = \"{on_missing}\"\n\
         [[ledger.witnesses]]\nurl = \"{url}\"\nkey = \"{key}\"\n"
    )
}

#[tokio::test]
async fn a_server_without_its_required_witnesses_refuses_work_if_configured() {
    let server = Running::with_file(&[], &required(UNREACHABLE, "refuse")).await;
    let refused = server.post("/api/transactions", &transaction("tx-1")).await.check_error(503);
    assert!(refused.contains("too few of the ledger's required witnesses cosign"), "{refused}");
    let witnesses = server.get("/api/ledger/witnesses").await.json();
    assert_eq!(
        (&witnesses["required"], &witnesses["current"], &witnesses["on_missing"]),
        (&json!(1), &json!(0), &json!("refuse"))
    );
    assert_eq!(
        (&witnesses["items"][0]["state"], &witnesses["items"][0]["url"]),
        (&json!("waiting"), &json!(UNREACHABLE))
    );
    assert_eq!(
        server.get("/health").await.json()["witnesses"],
        json!({"configured": 1, "required": 1, "current": 0, "disagreeing": 0})
    );
    server.stop().await;

    let server = Running::with_file(&[], &required(UNREACHABLE, "warn")).await;
    assert_eq!(server.post("/api/transactions", &transaction("tx-1")).await.status, 202);
    assert!(
        server.get("/api/ledger/witnesses").await.json()["missing"].as_str().unwrap().starts_with("0 of 1 required")
    );
    server.stop().await;
}

#[tokio::test]
async fn a_server_starts_without_a_required_witness_only_if_configured_to_warn() {
    let folder = TempDir::new().unwrap();
    // The witness only knows another log, so it refuses this one immediately.
    let witness = start(&folder.path().join("witness"));
    let file = folder.path().join("countersign.toml");
    let url = format!("http://{}", witness.address);
    let data = folder.path().join("data");
    fs::write(&file, required(&url, "refuse")).unwrap();
    let refused = fail(&["serve", "--listen", "127.0.0.1:0", "--config", file.to_str().unwrap()], &data);
    assert!(
        refused.contains("0 of 1 required witnesses cosign") && refused.contains("does not know this log"),
        "{refused}"
    );
    fs::write(&file, required(&url, "warn")).unwrap();
    let program = Program::start_as(&["serve", "--config", file.to_str().unwrap()], &data);
    assert_eq!(program.terminate(), Some(0));
}

#[tokio::test]
async fn every_checkpoint_is_published_to_a_file() {
    let folder = TempDir::new().unwrap();
    let (file, data) = (folder.path().join("countersign.toml"), folder.path().join("data"));
    let notes = folder.path().join("notes.txt");
    fs::write(&file, format!("[ledger]\npublish = {:?}\n", notes.to_str().unwrap())).unwrap();
    let program = Program::start_as(&["serve", "--config", file.to_str().unwrap()], &data);
    let sent =
        Call::new(program.address, "POST", "/api/transactions").body(transaction("tx-1").to_string()).send().await;
    assert_eq!(sent.status, 202);
    until("a published note covers every event", async || {
        let status = Call::new(program.address, "GET", "/api/ledger/witnesses").send().await.json();
        let note = Call::new(program.address, "GET", "/api/ledger/checkpoint").send().await;
        let size: u64 = note.text().lines().nth(1).unwrap().parse().unwrap();
        size > 1 && status["publish"]["size"] == size
    })
    .await;
    assert_eq!(program.terminate(), Some(0));
    let file_arg = notes.to_str().unwrap();
    let ok = crate::program::succeed(&["verify", "--witness", file_arg], &data);
    assert!(ok.contains("checkpoints in") && ok.contains("SHA-256"), "{ok}");
    // An incomplete note after a crash is skipped, and the server appends after it. A changed note is an error.
    let published = fs::read_to_string(&notes).unwrap();
    fs::write(&notes, format!("{published}countersign/")).unwrap();
    let count = |verified: &str| -> usize {
        let line = verified.lines().find(|line| line.contains("1 incomplete ones skipped")).unwrap();
        line.split_whitespace().find_map(|word| word.parse().ok()).unwrap()
    };
    let before = count(&crate::program::succeed(&["verify", "--witness", file_arg], &data));
    assert_eq!(Program::start_as(&["serve", "--config", file.to_str().unwrap()], &data).terminate(), Some(0));
    assert!(count(&crate::program::succeed(&["verify", "--witness", file_arg], &data)) > before);
    let size = published.lines().nth(1).unwrap();
    fs::write(&notes, published.replacen(&format!("\n{size}\n"), "\n99999\n", 1)).unwrap();
    assert!(fail(&["verify", "--witness", file_arg], &data).contains("checkpoint 1 of"));
}

#[tokio::test]
async fn checkpoints_are_posted_to_a_url_until_it_accepts_them() {
    let (seen, mut received) = tokio::sync::mpsc::unbounded_channel();
    let is_accepting = Arc::new(AtomicBool::new(false));
    let accepts = Arc::clone(&is_accepting);
    let receiver = axum::routing::post(move |note: String| async move {
        if !accepts.load(Ordering::SeqCst) {
            return axum::http::StatusCode::SERVICE_UNAVAILABLE;
        }
        let _ = seen.send(note);
        axum::http::StatusCode::OK
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/notes", receiver)).await });
    let folder = TempDir::new().unwrap();
    let (file, data) = (folder.path().join("countersign.toml"), folder.path().join("data"));
    fs::write(&file, format!("[ledger]\npublish = \"http://{address}/notes\"\n")).unwrap();
    let program = Program::start_as(&["serve", "--config", file.to_str().unwrap()], &data);
    let key = VerifyingKey::parse(fs::read_to_string(data.join("ledger.pub")).unwrap().trim()).unwrap();
    let status = async || {
        let witnesses = Call::new(program.address, "GET", "/api/ledger/witnesses").send().await.json();
        // The status omits the path, which may be a secret.
        assert_eq!(witnesses["publish"]["target"], format!("http://{address}"));
        witnesses["publish"].clone()
    };
    until("the refusal is shown", async || status().await["detail"] == "it answers with status 503").await;
    assert!(status().await["size"].is_null());
    is_accepting.store(true, Ordering::SeqCst);
    let size = key.open(&received.recv().await.unwrap()).unwrap().size;
    until("the newest checkpoint is published", async || {
        let status = status().await;
        status["size"].as_u64().is_some_and(|published| published >= size) && status["detail"].is_null()
    })
    .await;
    assert_eq!(program.terminate(), Some(0));
}
