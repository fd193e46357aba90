//! Bundles: the log as a file that anybody can check.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use countersign_ledger::{SigningKey, VerifyingKey, leaf_hash};
use countersign_store::{StoreError, Threading, Verification, backup, export, verify_file};

use super::{ledger::grow, reports::closed};
use crate::fixture::{Fixture, assert_good};

fn quietly(_: u64, _: u64) {}

/// A closed store with three transactions, one of them erased, and an alert.
pub(crate) async fn filled() -> (Fixture, VerifyingKey) {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
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
        assert_eq!(export(&fixture.location(), &path, &mut quietly).unwrap(), 9);
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
    let commitment = "does not match the commitment in the header";
    bundle.check(replace(2, r#"\"test\""#, r#"\"tesu\""#), Some(1), "does not match its leaf hash");
    bundle.check(replace(2, r#""leaf":""#, r#""leaf":"0"#), Some(1), "does not match its leaf hash");
    bundle.check(replace(2, r#"\"seq\":1"#, r#"\"seq\":2"#), Some(1), "is missing");
    bundle.check(replace(2, r#"\"commitment\":\""#, r#"\"commitment\":\"0"#), Some(1), commitment);
    bundle.check(replace(2, r#"{\"seq\""#, r#"[\"seq\""#), Some(1), "the header can't be read");
    bundle.check(replace(2, "user-1", "user-2"), Some(1), commitment);
    bundle.check(replace(2, "velocity", "velocitz"), Some(1), commitment);
    for (digit, other) in [('0', '1'), ('0', 'A'), ('0', '+'), ('0', 'g')] {
        let flip = |lines: &mut Vec<String>| {
            let at = lines[2].find(r#""salt":""#).unwrap() + 8;
            let with = if lines[2][at..].starts_with(digit) { '2' } else { other };
            lines[2].replace_range(at..=at, &with.to_string());
        };
        bundle.check(flip, Some(1), commitment);
    }
    bundle.check(replace(2, r#""body""#, r#""bodx""#), Some(1), "no event says that it was erased");
    bundle.check(|lines| lines[2].truncate(40), Some(1), "the line can't be read");
    bundle.check(|lines| drop(lines.remove(2)), Some(1), "is missing");
    bundle.check(|lines| drop(lines.drain(2..5)), Some(1), "is missing, and so are the next 2");
    bundle.check(|lines| drop(lines.pop()), Some(8), "is missing");
    bundle.check(|lines| lines.truncate(1), Some(0), "is missing");
    bundle.check(|lines| lines.swap(2, 3), Some(1), "is missing");
    bundle.check(|lines| lines.insert(3, lines[2].clone()), Some(1), "occurs twice");
    let extra = |lines: &mut Vec<String>| {
        let event = lines[9].replacen(r#"\"seq\":8"#, r#"\"seq\":9"#, 1);
        lines.push(event);
    };
    bundle.check(extra, Some(9), "is not covered by the signed checkpoint");
    // With a matching leaf hash, only the signed root still shows it.
    let rewrite = |lines: &mut Vec<String>| {
        let line: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
        let header = line["header"].as_str().unwrap().replacen("test", "tesu", 1);
        let (leaf, changed) = (line["leaf"].as_str().unwrap(), leaf_hash(header.as_bytes()).to_hex());
        lines[2] = lines[2].replacen(r#"\"test\""#, r#"\"tesu\""#, 1).replace(leaf, &changed);
    };
    bundle.check(rewrite, Some(0), "one of the events 0 to 8 was changed");
    // Somebody puts a body back for an erased event.
    let put_back = |lines: &mut Vec<String>| {
        let body = lines[4][lines[4].find(r#","body""#).unwrap()..].to_owned();
        lines[3].pop();
        lines[3].push_str(&body);
    };
    bundle.check(put_back, Some(2), commitment);
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

/// A lenient reader would take each of these bundles for the original.
#[tokio::test]
async fn a_bundle_in_any_other_form_is_found() {
    let bundle = Bundle::new().await;
    let form = "not in the exact format of an export";
    let upper = |name: &'static str| {
        move |lines: &mut Vec<String>| {
            let line: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
            let hex = line[name].as_str().or(line["body"][name].as_str()).unwrap();
            lines[2] = lines[2].replace(hex, &hex.to_uppercase());
        }
    };
    bundle.check(upper("leaf"), Some(1), "does not match its leaf hash");
    bundle.check(upper("salt"), Some(1), "does not match the commitment in the header");
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

#[tokio::test]
async fn reports_travel_in_backups_and_bundles() {
    let fixture = closed().await;
    let key = fixture.open(Threading::Inline).verifying_key();
    let (copy, bundle) = (fixture.folder.path().join("backup"), fixture.folder.path().join("log.jsonl"));
    backup(&fixture.location(), &copy, &mut quietly).unwrap();
    assert_good(&verify_file(&copy, &key, &mut quietly).unwrap());
    export(&fixture.location(), &bundle, &mut quietly).unwrap();
    assert_good(&verify_file(&bundle, &key, &mut quietly).unwrap());
    let text = fs::read_to_string(&bundle).unwrap();
    assert_eq!(text.matches("summary of a-1").count(), 2);
    let other = text.replacen("summary of a-1", "summary of a-2", 1);
    let lines: Vec<_> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains("summary of a-1")).unwrap();
    let (line, report) = lines[at].split_at(lines[at].find(r#","report":"#).unwrap());
    let without = text.replace(lines[at], &format!("{line}}}"));
    let elsewhere = text.replace(lines[1], &format!("{}{report}", lines[1].strip_suffix('}').unwrap()));
    for (changed, seq, what) in [
        (other, at as u64 - 1, "the stored report does not match the hash in its event"),
        (without, at as u64 - 1, "the report's content is missing"),
        (elsewhere, 0, "has a stored report that does not belong to it"),
    ] {
        fs::write(&bundle, changed).unwrap();
        let report = verify_file(&bundle, &key, &mut quietly).unwrap();
        let finding = report.first().unwrap();
        assert_eq!((finding.seq, finding.what.as_str()), (Some(seq), what));
    }
}

#[tokio::test]
async fn a_bundle_of_a_store_in_use_has_exactly_the_events_that_are_signed() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let bundle = |name| fixture.folder.path().join(name);
    assert_eq!(export(&fixture.location(), &bundle("empty"), &mut quietly).unwrap(), 0);
    grow(&fixture, &store, 5).await;
    store.sign_checkpoint().await.unwrap();
    grow(&fixture, &store, 7).await;
    assert_eq!(export(&fixture.location(), &bundle("signed"), &mut quietly).unwrap(), 5);
    for (name, events) in [("empty", 0), ("signed", 5)] {
        let report = verify_file(&bundle(name), &store.verifying_key(), &mut quietly).unwrap();
        assert_good(&report);
        assert_eq!((report.events, report.root), (events, store.root_at(events).await.unwrap()));
    }
}
