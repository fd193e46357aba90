//! Rewritten histories: which anchors detect each kind of rewrite, and which can't.
//!
//! Each rewrite is one that an attacker could make with write access to the data directory and knowledge of the program: it changes
//! an amount and recomputes everything that depends on it, so that the directory is consistent.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use countersign_ledger::{
    AddCheckpoint, Checkpoint, Frontier, Hash, NodeId, SigningKey, VerifyingKey, WitnessKey, WitnessSigningKey,
    body_commitment, leaf_hash, with_cosignature,
};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    client::Call,
    program::{Program, countersign, run, succeed},
    running::until,
};

/// The data directory of a server that ran twice, the copies that others kept, and its witness, which is still running.
struct Scene {
    folder: TempDir,
    witness: Program,
    /// The directory as it was after the first run.
    earlier: PathBuf,
}

impl Scene {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let (data, earlier) = (folder.path().join("data"), folder.path().join("earlier"));
        // The first start creates the log's key, which the witness must know.
        assert_eq!(Program::start(&data).terminate(), Some(0));
        let key = data.join("ledger.pub");
        let witness = Program::start_as(&["witness", "--log", key.to_str().unwrap()], &folder.path().join("witness"));
        let scene = Self { folder, witness, earlier };
        let vkey = fs::read_to_string(scene.folder.path().join("witness/witness.pub")).unwrap();
        let config = format!(
            "[ledger]\nwitnesses_required = 1\npublish = {:?}\n[[ledger.witnesses]]\nurl = \"http://{}\"\nkey = \"{}\"\n",
            scene.published(),
            scene.witness.address,
            vkey.trim()
        );
        fs::write(scene.folder.path().join("countersign.toml"), config).unwrap();
        scene.serve(&data, 0..60).await;
        copy_folder(&data, &scene.earlier);
        fs::copy(data.join("ledger.checkpoint"), scene.folder.path().join("saved.note")).unwrap();
        scene.serve(&data, 60..90).await;
        scene
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn published(&self) -> String {
        self.folder.path().join("published.txt").display().to_string()
    }

    fn start(&self, data: &Path) -> Program {
        let config = self.folder.path().join("countersign.toml");
        Program::start_as(&["serve", "--config", config.to_str().unwrap()], data)
    }

    /// Runs the server until the witness has cosigned everything.
    async fn serve(&self, data: &Path, transactions: std::ops::Range<usize>) {
        let server = self.start(data);
        let rows: Vec<Value> = transactions
            .clone()
            .map(|n| {
                json!({"transaction_id": format!("tx-{n}"), "user_id": "user-1", "occurred_at": "2026-03-01T09:30:00Z",
                       "amount": {"amount": "12.50", "currency": "USD"}})
            })
            .collect();
        let post = |path: &str, body: Value| Call::new(server.address, "POST", path).body(body.to_string()).send();
        assert_eq!(post("/api/transactions", json!(rows)).await.status, 202);
        let alert = json!({"alert_id": format!("a-{}", transactions.start), "user_id": "user-1", "severity": "high",
                           "score": 80, "metadata": {"transaction_id": format!("tx-{}", transactions.start)}});
        assert_eq!(post("/api/alerts", alert).await.status, 202);
        server.until_agents_are_done().await;
        until("the witness has cosigned everything", async || {
            let witnesses = Call::new(server.address, "GET", "/api/ledger/witnesses").send().await.json();
            let events = Call::new(server.address, "GET", "/api/ledger/checkpoint").send().await;
            let size: u64 = events.text().lines().nth(1).unwrap().parse().unwrap();
            events.text().contains("\n— countersign-witness/") && witnesses["items"][0]["size"] == size
        })
        .await;
        assert_eq!(server.terminate(), Some(0));
    }

    /// Copies the final directory, so that it can be rewritten.
    fn copy(&self) -> PathBuf {
        let copy = self.folder.path().join("copy");
        copy_folder(&self.data(), &copy);
        copy
    }

    /// The error of `verify` for a directory with one anchor. `None` if it passes.
    fn verify(&self, data: &Path, anchor: &str) -> Option<String> {
        let url = format!("http://{}", self.witness.address);
        let key = self.folder.path().join("witness/witness.pub").display().to_string();
        let saved = self.folder.path().join("saved.note").display().to_string();
        let published = self.published();
        let arguments: &[&str] = match anchor {
            "nothing" => &["verify"],
            "the witness" => &["verify", "--witness", &url, "--witness-key", &key],
            "a saved note" => &["verify", "--checkpoint", &saved],
            "published notes" => &["verify", "--witness", &published],
            other => panic!("{other}"),
        };
        let output = run(arguments, data);
        (!output.status.success()).then(|| String::from_utf8(output.stderr).unwrap())
    }

    #[track_caller]
    fn check(&self, data: &Path, anchor: &str, expected: Option<&str>) {
        let found = self.verify(data, anchor);
        match (&found, expected) {
            (None, None) => {}
            (Some(found), Some(part)) => assert!(found.contains(part), "{anchor}: {found}"),
            _ => panic!("{anchor}: {found:?}, expected {expected:?}"),
        }
    }

    /// Sends the directory's own note to the witness.
    async fn submit(&self, data: &Path) -> u16 {
        let note = fs::read_to_string(data.join("ledger.checkpoint")).unwrap();
        let size = Checkpoint::claimed_by(&note).unwrap().size;
        let body = AddCheckpoint { old_size: size, proof: Vec::new(), note }.to_body();
        Call::new(self.witness.address, "POST", "/add-checkpoint").body(body).send().await.status
    }

    /// Starts the server, and returns the state of its witness once the witness was asked.
    async fn witness_state(&self, data: &Path) -> Value {
        let server = self.start(data);
        let mut witnesses = Value::Null;
        until("the witness was asked", async || {
            witnesses = Call::new(server.address, "GET", "/api/ledger/witnesses").send().await.json();
            witnesses["items"][0]["state"] != "waiting"
        })
        .await;
        let health = Call::new(server.address, "GET", "/health").send().await.json();
        let disagreeing = witnesses["items"][0]["state"] == "disagrees";
        assert_eq!(health["witnesses"]["disagreeing"], u64::from(disagreeing));
        server.terminate();
        witnesses["items"][0].clone()
    }

    /// The number of requests of a kind that the witness kept as evidence.
    fn evidence(&self, kind: &str) -> usize {
        fs::read_dir(self.folder.path().join("witness/evidence").join(kind)).map_or(0, Iterator::count)
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

fn key_of(data: &Path) -> SigningKey {
    SigningKey::from_text(fs::read_to_string(data.join("ledger.key")).unwrap().trim()).unwrap()
}

fn replace_public_key(data: &Path, key: &VerifyingKey) {
    fs::write(data.join("ledger.pub"), format!("{}\n", key.to_vkey())).unwrap();
}

fn replace_private_key(data: &Path, key: &SigningKey) {
    fs::write(data.join("ledger.key"), format!("{}\n", key.to_text())).unwrap();
    fs::set_permissions(data.join("ledger.key"), fs::Permissions::from_mode(0o600)).unwrap();
}

/// Changes an amount, recomputes the whole tree, and signs it with `key` under the key's own name.
fn rewrite(data: &Path, key: &SigningKey) {
    let conn = Connection::open(data.join("countersign.db")).unwrap();
    let triggers: Vec<(String, String)> = conn
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    triggers.iter().for_each(|(name, _)| conn.execute_batch(&format!("DROP TRIGGER \"{name}\"")).unwrap());
    change_amount(&conn);
    let [earlier, head] = recompute(&conn, key);
    let note = key.sign(&head);
    conn.execute("DELETE FROM checkpoints", []).unwrap();
    for (size, note) in [(earlier.size, key.sign(&earlier)), (head.size, note.clone())] {
        conn.execute("INSERT INTO checkpoints (size, note) VALUES (?1, ?2)", params![size, note]).unwrap();
    }
    triggers.iter().for_each(|(_, sql)| conn.execute_batch(sql).unwrap());
    fs::write(data.join("ledger.checkpoint"), note).unwrap();
}

fn change_amount(conn: &Connection) {
    let sql = "SELECT b.seq, b.salt, b.payload, b.metadata FROM event_bodies b JOIN transaction_ids t ON t.seq = b.seq
               WHERE t.transaction_id = 'tx-5'";
    let (seq, salt, payload, metadata): (u64, Vec<u8>, String, String) =
        conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    let forged = payload.replace("12.50", "92.50");
    assert_ne!(forged, payload);
    let salt: [u8; 32] = salt.try_into().unwrap();
    let commitment = |payload: &str| body_commitment(&salt, payload.as_bytes(), metadata.as_bytes()).to_hex();
    conn.execute("UPDATE event_bodies SET payload = ?2 WHERE seq = ?1", params![seq, forged]).unwrap();
    let sql = "UPDATE event_log SET header = replace(header, ?2, ?3) WHERE seq = ?1";
    conn.execute(sql, params![seq, commitment(&payload), commitment(&forged)]).unwrap();
}

/// Recomputes all hashes. Returns the new head and the head one event earlier, because a careful attacker signs several.
fn recompute(conn: &Connection, key: &SigningKey) -> [Checkpoint; 2] {
    let origin = key.verifying_key().name().to_owned();
    let headers: Vec<String> = conn
        .prepare("SELECT header FROM event_log ORDER BY seq")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut tree = Frontier::new();
    let mut nodes: Vec<(NodeId, Hash)> = Vec::new();
    let mut earlier = tree.root();
    for (seq, header) in headers.iter().enumerate() {
        earlier = tree.root();
        let leaf = leaf_hash(header.as_bytes());
        conn.execute("UPDATE event_log SET leaf_hash = ?2 WHERE seq = ?1", params![seq, leaf.as_bytes()]).unwrap();
        tree.push(leaf, |node, hash| nodes.push((node, hash)));
    }
    for (node, hash) in nodes {
        let sql = "UPDATE ledger_nodes SET hash = ?3 WHERE level = ?1 AND idx = ?2";
        conn.execute(sql, params![node.level, node.index, hash.as_bytes()]).unwrap();
    }
    let sql = "UPDATE ledger_head SET origin = ?1, root = ?2, frontier = ?3, seal = ?4";
    let seal = key.seal(tree.size(), &tree.root());
    conn.execute(sql, params![origin, tree.root().as_bytes(), tree.to_bytes(), seal]).unwrap();
    [(tree.size() - 1, earlier), (tree.size(), tree.root())].map(|(size, root)| Checkpoint {
        origin: origin.clone(),
        size,
        root,
    })
}

const WITHOUT_ANCHOR: &str = "nothing";
const ANCHORS: [&str; 3] = ["the witness", "a saved note", "published notes"];

#[tokio::test]
async fn an_unchanged_log_verifies_with_every_anchor_and_its_notes_are_cosigned() {
    let scene = Scene::new().await;
    for anchor in [WITHOUT_ANCHOR].iter().chain(&ANCHORS) {
        scene.check(&scene.data(), anchor, None);
    }
    let note = fs::read_to_string(scene.data().join("ledger.checkpoint")).unwrap();
    assert_eq!(note.matches("\n— ").count(), 2, "{note}");
    let conn = Connection::open(scene.data().join("countersign.db")).unwrap();
    let row: String = conn.query_row("SELECT note FROM checkpoints ORDER BY size DESC", [], |row| row.get(0)).unwrap();
    assert_eq!(row, note);
    // The log has one event about a cosignature for each run, although every new event led to another cosigned checkpoint.
    let witnessed: Vec<Value> = conn
        .prepare("SELECT payload FROM events WHERE event_type = 'CHECKPOINT_WITNESSED' ORDER BY seq")
        .unwrap()
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap()
        .map(|payload| serde_json::from_str(&payload.unwrap()).unwrap())
        .collect();
    let name = WitnessKey::parse(fs::read_to_string(scene.folder.path().join("witness/witness.pub")).unwrap().trim());
    let name = name.unwrap().name().to_owned();
    assert_eq!(witnessed.len(), 2, "{witnessed:?}");
    for payload in &witnessed {
        assert_eq!(payload["witness"], name);
        assert!(payload["cosignature"].as_str().unwrap().starts_with(&format!("— {name} ")), "{payload}");
    }
    assert!(witnessed[0]["size"].as_u64() < witnessed[1]["size"].as_u64());
    drop(conn);
    // Backups and exports contain the cosignatures too, and can be verified with the same anchors.
    let (backup, bundle) = (scene.folder.path().join("backup.db"), scene.folder.path().join("bundle.jsonl"));
    succeed(&["backup", backup.to_str().unwrap()], &scene.data());
    succeed(&["export", bundle.to_str().unwrap()], &scene.data());
    let key = scene.data().join("ledger.pub");
    for file in [&backup, &bundle] {
        let mut verify = countersign();
        let verified = verify.arg("verify").arg(file).arg("--key").arg(&key).args(["--witness", &scene.published()]);
        let verified = verified.output().unwrap();
        let ok = String::from_utf8(verified.stdout).unwrap();
        assert!(verified.status.success() && ok.contains("checkpoints in"), "{ok}");
    }
    assert!(fs::read_to_string(&bundle).unwrap().contains("— countersign-witness/"));
    assert_eq!(scene.witness_state(&scene.data()).await["state"], "current");
    assert_eq!((scene.evidence("fork"), scene.evidence("unproven")), (0, 0));
}

#[tokio::test]
async fn a_rewrite_with_a_new_key_of_the_same_name_is_detected_without_an_anchor() {
    let scene = Scene::new().await;
    let name = key_of(&scene.data()).verifying_key().name().to_owned();
    let fresh = SigningKey::from_seed(&name, &[9; 32]).unwrap();
    let data = scene.copy();
    // The private key is left as it was.
    rewrite(&data, &fresh);
    replace_public_key(&data, &fresh.verifying_key());
    scene.check(&data, WITHOUT_ANCHOR, Some("ledger.key does not belong to the public key"));
    scene.check(&data, WITHOUT_ANCHOR, Some("does not belong to this key, whose fingerprint is"));
    for anchor in ANCHORS {
        scene.check(&data, anchor, Some("was not signed by this log's key"));
    }
    assert_eq!(scene.submit(&data).await, 403);
    // The private key is replaced too.
    replace_private_key(&data, &fresh);
    scene.check(&data, WITHOUT_ANCHOR, Some("does not belong to this key, whose fingerprint is"));
    for anchor in ANCHORS {
        scene.check(&data, anchor, Some("was not signed by this log's key"));
    }
    assert_eq!(scene.submit(&data).await, 403);
    let refused = run(&["serve", "--listen", "127.0.0.1:0"], &data);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("which is the name of another key"));
}

#[tokio::test]
async fn a_rewrite_with_a_new_key_and_its_name_is_only_detected_with_an_anchor() {
    let scene = Scene::new().await;
    let unnamed = SigningKey::from_seed("unnamed", &[9; 32]).unwrap();
    let name = format!("countersign/{}", &unnamed.verifying_key().fingerprint().to_hex()[..32]);
    let fresh = unnamed.named(&name).unwrap();
    let data = scene.copy();
    rewrite(&data, &fresh);
    replace_public_key(&data, &fresh.verifying_key());
    replace_private_key(&data, &fresh);
    scene.check(&data, WITHOUT_ANCHOR, None);
    scene.check(&data, "the witness", Some("it may not be a witness of this log"));
    scene.check(&data, "a saved note", Some("was not signed by this log's key"));
    scene.check(&data, "published notes", Some("was not signed by this log's key"));
    assert_eq!(scene.submit(&data).await, 404);
    // The true public key alone is enough to detect this rewrite.
    let key = scene.data().join("ledger.pub");
    let output = run(&["verify", "--key", key.to_str().unwrap()], &data);
    assert!(String::from_utf8(output.stderr).unwrap().contains("ledger.pub is not the key that was given"));
    assert_eq!(scene.witness_state(&data).await["state"], "refused");
}

#[tokio::test]
async fn a_rewrite_signed_with_the_true_key_is_only_detected_with_an_anchor() {
    let scene = Scene::new().await;
    let data = scene.copy();
    rewrite(&data, &key_of(&data));
    scene.check(&data, WITHOUT_ANCHOR, None);
    for anchor in ANCHORS {
        scene.check(&data, anchor, Some("does not match the log: one of the events"));
    }
    // The attacker signed the log's own checkpoints again, so they can't narrow down where the change begins.
    scene.check(&data, "the witness", Some("does not match the log: one of the events 0 to"));
    // The witness reports a conflict with the history that it cosigned, and keeps the conflicting checkpoint as evidence.
    assert_eq!(scene.submit(&data).await, 409);
    assert_eq!(scene.evidence("fork"), 1);
    assert_eq!(scene.witness_state(&data).await["state"], "disagrees");
    // It still cosigns the true log.
    assert_eq!(scene.witness_state(&scene.data()).await["state"], "current");
}

#[tokio::test]
async fn an_old_database_with_its_old_note_is_only_detected_with_a_newer_anchor() {
    let scene = Scene::new().await;
    scene.check(&scene.earlier, WITHOUT_ANCHOR, None);
    scene.check(&scene.earlier, "the witness", Some("is missing: the checkpoint that the witness"));
    scene.check(&scene.earlier, "published notes", Some("but the log ends before it"));
    // A note as old as the database can't show that later events are missing.
    scene.check(&scene.earlier, "a saved note", None);
    assert_eq!(scene.submit(&scene.earlier).await, 409);
    let state = scene.witness_state(&scene.earlier).await;
    assert_eq!(state["state"], "disagrees");
    assert!(state["detail"].as_str().unwrap().contains("events are missing here"), "{state}");
    // The rollback is still detected after the old database has grown beyond the size that the witness knows.
    let server = scene.start(&scene.earlier);
    let rows: Vec<Value> = (500..700).map(|n| crate::running::transaction(&format!("tx-{n}"))).collect();
    let post = Call::new(server.address, "POST", "/api/transactions").body(json!(rows).to_string()).send().await;
    assert_eq!(post.status, 202);
    assert_eq!(server.terminate(), Some(0));
    scene.check(&scene.earlier, WITHOUT_ANCHOR, None);
    scene.check(&scene.earlier, "the witness", Some("does not match the log: one of the events"));
    assert!(scene.witness_state(&scene.earlier).await["detail"].as_str().unwrap().contains("another history"));
    assert_ne!(scene.evidence("unproven"), 0);
}

#[tokio::test]
async fn cosignatures_on_saved_notes_are_checked_with_the_key_of_the_witness() {
    let scene = Scene::new().await;
    let data = scene.data();
    let key = scene.folder.path().join("witness/witness.pub").display().to_string();
    let note = fs::read_to_string(data.join("ledger.checkpoint")).unwrap();
    let kept = scene.folder.path().join("kept.note");
    let check = |note: &str, key: &str| {
        fs::write(&kept, note).unwrap();
        let output = run(&["verify", "--checkpoint", kept.to_str().unwrap(), "--witness-key", key], &data);
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (output.status.success(), text)
    };
    let (is_good, text) = check(&note, &key);
    assert!(is_good && text.contains("1 of these cosigned by countersign-witness/"), "{text}");
    let (before, after) = note.split_at(note.len() - 24);
    let wrong = format!("{before}{}{}", if after.starts_with('A') { 'B' } else { 'A' }, &after[1..]);
    let (is_good, text) = check(&wrong, &key);
    assert!(!is_good && text.contains("of countersign-witness/") && text.contains("is invalid"), "{text}");
    let alone: String = note.split_inclusive('\n').take(5).collect();
    let (is_good, text) = check(&alone, &key);
    assert!(!is_good && text.contains("none of the given checkpoints is cosigned by"), "{text}");
    // A witness's key without an anchor is a usage error.
    assert_eq!(run(&["verify", "--witness-key", &key], &data).status.code(), Some(2));
}

#[tokio::test]
async fn a_witness_with_another_key_than_the_given_one_is_not_trusted() {
    let scene = Scene::new().await;
    let other = WitnessSigningKey::from_seed("countersign-witness/x", &[3; 32]).unwrap();
    let url = format!("http://{}", scene.witness.address);
    let ask = |arguments: &[&str]| {
        let output = run(&[&["verify", "--witness", &url], arguments].concat(), &scene.data());
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(ask(&[]).contains("is unknown"));
    assert!(ask(&["--witness-key", &other.witness_key().to_vkey()]).contains("is not cosigned with its key"));
    let key = fs::read_to_string(scene.folder.path().join("witness/witness.pub")).unwrap();
    let output = run(&["verify", "--witness", "http://127.0.0.1:9", "--witness-key", key.trim()], &scene.data());
    assert!(String::from_utf8(output.stderr).unwrap().contains("could not ask the witness"));
    // A replayed old response is recognised by its time.
    let kept = fs::read_to_string(scene.data().join("ledger.checkpoint")).unwrap();
    let old = with_cosignature(&kept, &other.cosign(&kept, 1_700_000_000).unwrap()).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let replayed = format!("http://{}", listener.local_addr().unwrap());
    let answer = axum::routing::get(move || std::future::ready(old.clone()));
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/checkpoint", answer)).await });
    let (data, key) = (scene.data(), other.witness_key().to_vkey());
    let output =
        tokio::task::spawn_blocking(move || run(&["verify", "--witness", &replayed, "--witness-key", &key], &data));
    let error = String::from_utf8(output.await.unwrap().stderr).unwrap();
    assert!(error.contains("it may be stale"), "{error}");
    // The witness's key may also come from the configuration.
    let config = scene.folder.path().join("countersign.toml");
    succeed(&["verify", "--witness", &url, "--config", config.to_str().unwrap()], &scene.data());
}
