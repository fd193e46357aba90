//! Backup, restore, bundles, and who may open what.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use countersign_domain::{NewEvent, payload::KeyChange};
use countersign_ledger::{SigningKey, VerifyingKey, leaf_hash};
use countersign_store::{
    DataDir, EventQuery, Mode, Store, StoreError, Verification, backup, export, restore, verify, verify_file,
};

use crate::fixture::{Fixture, assert_good};

fn quietly(_: u64, _: u64) {}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_busy_store_is_a_whole_prefix_of_it() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    store.append((0..300).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    store.sign_checkpoint().await.unwrap();
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let events: Vec<_> = (0..40).map(|_| fixture.started("x")).collect();
            let store = store.clone();
            tokio::spawn(async move {
                for event in events {
                    store.append(vec![event]).await.unwrap();
                }
            })
        })
        .collect();
    let target = fixture.folder.path().join("copy.db");
    let (dir, to) = (fixture.dir(), target.clone());
    let copied = tokio::task::spawn_blocking(move || backup(&dir, &to, &mut quietly).unwrap()).await.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    let report = verify_file(&target, &store.verifying_key(), &mut quietly).unwrap();
    assert_good(&report);
    assert!((300..=620).contains(&copied));
    assert_eq!((report.events, report.root), (copied, store.root_at(copied).await.unwrap()));
    assert!(report.signed_events >= 300, "the copy carries what was signed");
    assert_eq!(names_in(fixture.folder.path()), ["copy.db", "data"], "one file and nothing beside it");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_verifies_while_it_is_written_to() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let letters: Vec<_> = (0..30).map(|_| fixture.seams.dead_letter_id()).collect();
    let work: Vec<_> = letters
        .into_iter()
        .enumerate()
        .map(|(n, id)| {
            let key = format!("key{n:09}");
            let transactions: Vec<_> = (0..20).map(|m| fixture.transaction(&format!("tx-{n}-{m}"), "1.00")).collect();
            let letter = fixture.dead_letter(id, "detector", 0, transactions[0].event_id);
            let (made, revoked) = (fixture.key(&key, KeyChange::Created), fixture.key(&key, KeyChange::Revoked));
            ([transactions, vec![letter, made]].concat(), revoked, id)
        })
        .collect();
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            for (events, revoked, id) in work {
                let first = store.append(events).await.unwrap();
                store.sign_checkpoint().await.unwrap();
                store.append(vec![revoked]).await.unwrap();
                store.request_replay(id, "ana").await.unwrap();
                store.erase(vec![first, first + 7], "asked for", "ana").await.unwrap();
            }
        }
    });
    while !writer.is_finished() {
        let dir = fixture.dir();
        let report = tokio::task::spawn_blocking(move || verify(&dir, None, &mut quietly).unwrap()).await.unwrap();
        assert_good(&report);
    }
    writer.await.unwrap();
    store.close().await.unwrap();
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!((report.events, report.erased), (30 * 25, 60));
}

/// A closed store with three transactions, one of them erased, and an alert.
async fn filled() -> (Fixture, VerifyingKey) {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Inline);
    let first = fixture.transaction("tx-0", "1.00");
    let mut alert = fixture.alert("a-0").caused_by(first.event_id);
    alert.metadata = r#"{"rule":"velocity"}"#.into();
    let others = ["tx-1", "tx-2"].map(|id| fixture.transaction(id, "1.00"));
    store.append([vec![first, alert], others.to_vec()].concat()).await.unwrap();
    store.erase(vec![2], "asked for", "ana").await.unwrap();
    store.append((0..4).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    store.close().await.unwrap();
    let key = store.verifying_key();
    drop(store);
    (fixture, key)
}

#[tokio::test]
async fn a_backup_touches_nothing_that_is_there_and_leaves_no_part_of_itself() {
    let (fixture, _) = filled().await;
    let target = fixture.folder.path().join("copy.db");
    fs::write(&target, "mine").unwrap();
    let refused = backup(&fixture.dir(), &target, &mut quietly);
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    assert_eq!(fs::read(&target).unwrap(), b"mine");
    assert!(matches!(export(&fixture.dir(), &target, &mut quietly), Err(StoreError::Conflict(_))));
    assert_eq!(fs::read(&target).unwrap(), b"mine");

    let nowhere = fixture.folder.path().join("no-such-folder/copy.db");
    assert!(matches!(backup(&fixture.dir(), &nowhere, &mut quietly), Err(StoreError::Io { .. })));
    let missing = DataDir::new(fixture.folder.path().join("no-such-store"));
    assert!(backup(&missing, &fixture.folder.path().join("b.db"), &mut quietly).is_err());
    // The source breaks off in the middle of the copy.
    let whole = fs::read(fixture.dir().database()).unwrap();
    fs::write(fixture.dir().database(), &whole[..whole.len() / 2]).unwrap();
    let other = fixture.folder.path().join("other.db");
    assert!(backup(&fixture.dir(), &other, &mut quietly).is_err());
    assert_eq!(names_in(fixture.folder.path()), ["copy.db", "data"]);
}

#[tokio::test]
async fn a_restored_backup_is_a_new_log_and_the_old_files_are_kept() {
    let (fixture, old_key) = filled().await;
    let (dir, copy) = (fixture.dir(), fixture.folder.path().join("copy.db"));
    backup(&dir, &copy, &mut quietly).unwrap();
    // The old log goes on, and stops without folding its write-ahead log in.
    let store = fixture.open(Mode::Inline);
    store.append(vec![fixture.started("later")]).await.unwrap();
    let in_use = restore(&dir, &copy, None, &fixture.seams);
    assert!(matches!(in_use, Err(StoreError::InUse { .. })), "{in_use:?}");
    store.close().await.unwrap();
    drop(store);

    let origin = restore(&dir, &copy, None, &fixture.seams).unwrap();
    assert_ne!(origin, old_key.name());
    let aside: Vec<_> = names_in(dir.path()).into_iter().filter(|name| name.starts_with("before-restore-")).collect();
    let [aside] = aside.as_slice() else { panic!("{aside:?}") };
    let aside = DataDir::new(dir.path().join(aside));
    assert_eq!(names_in(aside.path()), ["countersign.db", "ledger.checkpoint", "ledger.key", "ledger.pub"]);
    assert_good(&verify(&aside, Some(&old_key), &mut quietly).unwrap());
    assert!(fs::read_to_string(dir.checkpoint()).unwrap().starts_with(&format!("{origin}\n9\n")));
    assert!(!dir.path().join("restoring").exists());
    assert_eq!(fs::metadata(dir.database()).unwrap().permissions().mode() & 0o777, 0o600);

    let store = fixture.open(Mode::Threaded);
    assert_eq!((store.size().await.unwrap(), store.verifying_key().name()), (9, origin.as_str()));
    assert_eq!(store.append(vec![fixture.started("new")]).await.unwrap(), 9);
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    let by_the_old_key = verify(&dir, Some(&old_key), &mut quietly).unwrap();
    assert!(!by_the_old_key.is_good());

    // At the very same moment once more: what lies aside is not overwritten, and nothing is lost.
    assert!(restore(&dir, &copy, None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    fixture.clock.move_by_seconds(1);
    assert_ne!(restore(&dir, &copy, None, &fixture.seams).unwrap(), origin);
}

#[tokio::test]
async fn a_failed_restore_leaves_the_store_as_it_was() {
    let (fixture, _) = filled().await;
    let no_backup = fixture.folder.path().join("no-backup.db");
    fs::write(&no_backup, "SQLite format 3\0 but nothing more").unwrap();
    assert!(restore(&fixture.dir(), &no_backup, None, &fixture.seams).is_err());
    fs::write(&no_backup, "nothing of the kind").unwrap();
    assert!(restore(&fixture.dir(), &no_backup, None, &fixture.seams).is_err());
    assert!(restore(&fixture.dir(), &fixture.folder.path().join("missing"), None, &fixture.seams).is_err());
    assert_good(&fixture.verify());
    // From the very database that it replaces.
    restore(&fixture.dir(), &fixture.dir().database(), None, &fixture.seams).unwrap();
    assert_eq!(fixture.open(Mode::Inline).size().await.unwrap(), 9);
}

#[tokio::test]
async fn a_changed_backup_is_not_restored_where_its_key_is_known() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Inline);
    store.append(vec![fixture.started("x"), fixture.started("y")]).await.unwrap();
    let (key, copy) = (store.verifying_key(), fixture.folder.path().join("copy.db"));
    backup(&fixture.dir(), &copy, &mut quietly).unwrap();
    store.close().await.unwrap();
    drop(store);
    let conn = rusqlite::Connection::open(&copy).unwrap();
    let guard = "SELECT sql FROM sqlite_schema WHERE name = 'event_bodies_no_update'";
    let guard: String = conn.query_row(guard, [], |row| row.get(0)).unwrap();
    let change = "UPDATE event_bodies SET payload = '{}' WHERE seq = 1";
    conn.execute_batch(&format!("DROP TRIGGER event_bodies_no_update; {change}; {guard}")).unwrap();
    drop(conn);
    let refused = restore(&fixture.dir(), &copy, Some(&key), &fixture.seams);
    assert!(matches!(refused, Err(StoreError::Tampered(_))), "{refused:?}");
    assert_eq!(fixture.open(Mode::Inline).verifying_key(), key, "nothing was touched");
}

#[tokio::test]
async fn an_erasure_since_the_backup_is_repeated_by_a_restore() {
    let (fixture, _) = filled().await;
    let copy = fixture.folder.path().join("copy.db");
    backup(&fixture.dir(), &copy, &mut quietly).unwrap();
    let store = fixture.open(Mode::Inline);
    store.append(vec![fixture.transaction("tx-later", "1.00")]).await.unwrap();
    store.erase(vec![0, 9], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    restore(&fixture.dir(), &copy, None, &fixture.seams).unwrap();
    let store = fixture.open(Mode::Inline);
    let events = store.events(EventQuery { limit: 100, ..Default::default() }).await.unwrap();
    assert!(events.first().unwrap().payload.is_none(), "it stays erased");
    assert_eq!((events.len(), events[9].event_type.as_str()), (10, "PAYLOAD_ERASED"));
    store.close().await.unwrap();
    drop(store);
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!(report.erased, 2);
}

// Bundles.

struct Bundle {
    path: PathBuf,
    key: VerifyingKey,
    lines: Vec<String>,
    _fixture: Fixture,
}

impl Bundle {
    async fn new() -> Self {
        let (fixture, key) = filled().await;
        let path = fixture.folder.path().join("bundle.jsonl");
        assert_eq!(export(&fixture.dir(), &path, &mut quietly).unwrap(), 9);
        let lines = fs::read_to_string(&path).unwrap().lines().map(ToOwned::to_owned).collect();
        Self { path, key, lines, _fixture: fixture }
    }

    fn verify(&self, lines: &[String]) -> Verification {
        fs::write(&self.path, lines.join("\n") + "\n").unwrap();
        verify_file(&self.path, &self.key, &mut quietly).unwrap()
    }

    /// Changes the lines and expects the finding about this event.
    #[track_caller]
    fn check(&self, change: impl FnOnce(&mut Vec<String>), seq: Option<u64>, what: &str) {
        let mut lines = self.lines.clone();
        change(&mut lines);
        assert_ne!(lines, self.lines, "nothing was changed");
        let report = self.verify(&lines);
        assert_eq!(report.first().map(|finding| finding.seq), Some(seq), "{:#?}", report.findings);
        assert!(report.findings.iter().any(|finding| finding.what.contains(what)), "{:#?}", report.findings);
    }
}

#[tokio::test]
async fn a_bundle_verifies_with_the_key_alone() {
    let bundle = Bundle::new().await;
    assert_eq!(fs::metadata(&bundle.path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(bundle.lines.len(), 10);
    assert!(!bundle.lines[3].contains("body"), "an erased body is left out");
    let report = bundle.verify(&bundle.lines);
    assert_good(&report);
    assert_eq!((report.events, report.signed_events, report.erased), (9, 9, 1));
    let other = SigningKey::from_seed(bundle.key.name(), &[9; 32]).unwrap().verifying_key();
    assert!(!verify_file(&bundle.path, &other, &mut quietly).unwrap().is_good());
    fs::write(&bundle.path, "something else\n").unwrap();
    assert!(matches!(verify_file(&bundle.path, &bundle.key, &mut quietly), Err(StoreError::Corrupt(_))));
}

#[tokio::test]
async fn every_change_of_a_bundle_is_found_and_its_event_named() {
    let bundle = Bundle::new().await;
    // Line 2 is event 1, the alert.
    let replace = |line: usize, from: &'static str, to: &'static str| {
        move |lines: &mut Vec<String>| lines[line] = lines[line].replacen(from, to, 1)
    };
    let escaped = |name: &str| format!(r#"\"{name}\":"#);
    assert!(bundle.lines[2].contains(&escaped("producer")));
    let commits = "that the header commits to";
    bundle.check(replace(2, r#"\"test\""#, r#"\"tesu\""#), Some(1), "does not match its leaf hash");
    bundle.check(replace(2, r#""leaf":""#, r#""leaf":"0"#), Some(1), "does not match its leaf hash");
    bundle.check(replace(2, r#"\"seq\":1"#, r#"\"seq\":2"#), Some(1), "is missing");
    bundle.check(replace(2, r#"\"commitment\":\""#, r#"\"commitment\":\"0"#), Some(1), commits);
    bundle.check(replace(2, r#"{\"seq\""#, r#"[\"seq\""#), Some(1), "the header can't be read");
    bundle.check(replace(2, "user-1", "user-2"), Some(1), commits);
    bundle.check(replace(2, "velocity", "velocitz"), Some(1), commits);
    for (digit, other) in [('0', '1'), ('0', 'A'), ('0', '+'), ('0', 'g')] {
        let flip = |lines: &mut Vec<String>| {
            let at = lines[2].find(r#""salt":""#).unwrap() + 8;
            let with = if lines[2][at..].starts_with(digit) { '2' } else { other };
            lines[2].replace_range(at..=at, &with.to_string());
        };
        bundle.check(flip, Some(1), commits);
    }
    bundle.check(replace(2, r#""body""#, r#""bodx""#), Some(1), "no event says that it was erased");
    bundle.check(|lines| lines[2].truncate(40), Some(1), "the line can't be read");
    bundle.check(|lines| drop(lines.remove(2)), Some(1), "is missing");
    bundle.check(|lines| drop(lines.drain(2..5)), Some(1), "and the next 2 are missing");
    bundle.check(|lines| drop(lines.pop()), Some(8), "is missing");
    bundle.check(|lines| lines.truncate(1), Some(0), "is missing");
    bundle.check(|lines| lines.swap(2, 3), Some(1), "is missing");
    bundle.check(|lines| lines.insert(3, lines[2].clone()), Some(1), "stands twice");
    let extra = |lines: &mut Vec<String>| {
        let event = lines[9].replacen(r#"\"seq\":8"#, r#"\"seq\":9"#, 1);
        lines.push(event);
    };
    bundle.check(extra, Some(9), "stands after the end of what was signed");
    // With its hash made to fit, only the signed root still tells.
    let rewrite = |lines: &mut Vec<String>| {
        let line: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
        let header = line["header"].as_str().unwrap().replacen("test", "tesu", 1);
        let (leaf, changed) = (line["leaf"].as_str().unwrap(), leaf_hash(header.as_bytes()).to_hex());
        lines[2] = lines[2].replacen(r#"\"test\""#, r#"\"tesu\""#, 1).replace(leaf, &changed);
    };
    bundle.check(rewrite, Some(0), "one of the events 0 to 8 was changed");
    // The body of an erased event comes back from somewhere.
    let put_back = |lines: &mut Vec<String>| {
        let body = lines[4][lines[4].find(r#","body""#).unwrap()..].to_owned();
        lines[3].pop();
        lines[3].push_str(&body);
    };
    bundle.check(put_back, Some(2), commits);
}

#[tokio::test]
async fn a_forged_checkpoint_in_a_bundle_is_found() {
    let bundle = Bundle::new().await;
    bundle.check(|lines| lines[0] = lines[0].replacen(r"\n9\n", r"\n8\n", 1), None, "forged or damaged");
    let first: serde_json::Value = serde_json::from_str(&bundle.lines[0]).unwrap();
    let signed = bundle.key.open(first["checkpoint"].as_str().unwrap()).unwrap();
    let note = SigningKey::from_seed(bundle.key.name(), &[9; 32]).unwrap().sign(&signed);
    let line = serde_json::json!({"format": first["format"], "checkpoint": note}).to_string();
    bundle.check(|lines| lines[0] = line, None, "forged or damaged");
}

/// Each of these says the same as before to a lenient reader.
#[tokio::test]
async fn a_bundle_in_any_other_form_than_ours_is_found() {
    let bundle = Bundle::new().await;
    let form = "not in the form in which it was written";
    let upper = |name: &'static str| {
        move |lines: &mut Vec<String>| {
            let line: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
            let hex = line[name].as_str().or(line["body"][name].as_str()).unwrap();
            lines[2] = lines[2].replace(hex, &hex.to_uppercase());
        }
    };
    bundle.check(upper("leaf"), Some(1), "does not match its leaf hash");
    bundle.check(upper("salt"), Some(1), "the header commits to");
    let replace = |n: usize, from: &'static str, to: &'static str| {
        move |lines: &mut Vec<String>| lines[n] = lines[n].replacen(from, to, 1)
    };
    bundle.check(replace(2, "{", "{ "), Some(1), form);
    bundle.check(replace(2, "{", r#"{"note":"trust me","#), Some(1), form);
    bundle.check(replace(2, r#""body":{"#, r#""body":{"extra":null,"#), Some(1), form);
    bundle.check(replace(2, r#""leaf""#, r#""\u006ceaf""#), Some(1), form);
    bundle.check(|lines| lines[2].push('\r'), Some(1), form);
    bundle.check(|lines| lines[2].push(' '), Some(1), form);
    bundle.check(|lines| lines.insert(3, String::new()), Some(2), "the line can't be read");
    bundle.check(|lines| lines.push(String::new()), Some(9), "the line can't be read");
    bundle.check(replace(0, "{", r#"{"by":"us","#), None, form);
    // More signatures, or text between them.
    let more = |line: &'static str| replace(0, r#"\n"}"#, line);
    bundle.check(more(r#"\n— somebody AAAAAQIDBA==\n"}"#), None, "neither the log's nor a witness's");
    bundle.check(more(r#"\n\n"}"#), None, "forged or damaged");
    bundle.check(more(r#"\n "}"#), None, "forged or damaged");
    let twice = |lines: &mut Vec<String>| {
        let mut first: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        let note = first["checkpoint"].as_str().unwrap();
        let own = note.lines().last().unwrap();
        first["checkpoint"] = format!("{note}{own}\n").into();
        lines[0] = format!(r#"{{"format":{},"checkpoint":{}}}"#, first["format"], first["checkpoint"]);
    };
    bundle.check(twice, None, "a second signature in the log's name");
    let unended = bundle.lines.join("\n");
    fs::write(&bundle.path, unended).unwrap();
    let report = verify_file(&bundle.path, &bundle.key, &mut quietly).unwrap();
    assert_eq!(report.findings_total, 1, "{:#?}", report.findings);
}

// Who may open what.

#[test]
fn a_store_that_is_open_is_not_opened_again() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let Err(error) = Store::open(&fixture.dir(), Mode::Inline, fixture.seams.clone()) else { panic!("it opened") };
    assert!(matches!(&error, StoreError::InUse { .. }), "{error:?}");
    let said = error.to_string();
    let pid = format!("(process {})", std::process::id());
    assert!(said.contains("is in use by another countersign") && said.contains(&pid), "{said}");
    drop(store);
    drop(fixture.open(Mode::Inline));
}

#[test]
fn an_older_binary_leaves_a_newer_store_alone() {
    let fixture = Fixture::new();
    drop(fixture.open(Mode::Inline));
    let conn = rusqlite::Connection::open(fixture.dir().database()).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    drop(conn);
    let Err(error) = Store::open(&fixture.dir(), Mode::Inline, fixture.seams.clone()) else { panic!("it opened") };
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
    assert!(matches!(verify(&fixture.dir(), None, &mut quietly), Err(StoreError::Newer { .. })));
    let copy = fixture.folder.path().join("copy.db");
    assert!(matches!(backup(&fixture.dir(), &copy, &mut quietly), Err(StoreError::Newer { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_write_ahead_log_starts_over_while_events_keep_coming() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let metadata = format!(r#"{{"note":"{}"}}"#, "long ".repeat(3_000));
    for round in 0..220 {
        let long = |n| NewEvent { metadata: metadata.clone(), ..fixture.started(&format!("{round}-{n}")) };
        store.append((0..60).map(long).collect()).await.unwrap();
    }
    let mut log = fixture.dir().database().into_os_string();
    log.push("-wal");
    let bytes = fs::metadata(log).unwrap().len();
    // Without folding it would be more than twice as much.
    assert!(bytes < 100 * 1024 * 1024, "{bytes} bytes are waiting to be folded in");
    store.close().await.unwrap();
}
