//! Changes by somebody with a superuser's rights, who switches the triggers off, are found, and the finding names the event or the
//! table.
//!
//! Each change is made by itself, in a copy of the same populated store.

use std::fs;

use countersign_ledger::{Frontier, Hash, NodeId, leaf_hash};
use countersign_store::{StoreError, Threading};
use countersign_test_store::{address, run};
use tokio_postgres::Client;

use super::{copies::StoreCopy, execute};
use crate::fixture::{Fixture, assert_good, assert_says};

/// The position of the event that must be named, as an SQL expression (NULL if no event must be named); the change, with `$at` for that position;
/// and what must be said.
type Tampering = (&'static str, &'static str, &'static str);

/// Makes each change by itself, and fails with all that were not found.
#[track_caller]
pub(super) fn check(changes: &[Tampering]) {
    let mut missed = Vec::new();
    for (at, change, what) in changes {
        let copy = StoreCopy::new();
        let seq = copy.number(at);
        let change = change.replace("$at", &seq.map_or("NULL".into(), |seq| seq.to_string()));
        copy.change(&change);
        let report = copy.verify();
        if !report.findings.iter().any(|finding| finding.seq == seq && finding.what.contains(what)) {
            missed.push(format!("{change}\n  expected at {seq:?}: {what}\n  found: {:?}", report.findings));
        }
    }
    assert!(missed.is_empty(), "{} changes were not found as expected:\n{}", missed.len(), missed.join("\n"));
}

pub(super) const LAST: &str = "SELECT max(seq) FROM event_log";
const END: &str = "SELECT max(seq) + 1 FROM event_log";
const NONE: &str = "NULL";

#[test]
fn a_changed_or_missing_event_is_found() {
    const IS_GONE: &str = "DELETE FROM event_log WHERE seq = $at";
    const IS_GONE_WITHOUT_TRACE: &str =
        "DELETE FROM event_log WHERE seq = $at; DELETE FROM event_bodies WHERE seq = $at;
        DELETE FROM event_ids WHERE seq = $at; DELETE FROM transaction_ids WHERE seq = $at;
        DELETE FROM user_transactions WHERE seq = $at";
    const DIFFERS: &str = "the header does not match its leaf hash";
    check(&[
        (
            "100",
            r#"UPDATE event_log SET header = replace(header, '"producer":"test"', '"producer":"tesu"') WHERE seq = $at"#,
            DIFFERS,
        ),
        (
            "100",
            "UPDATE event_log SET leaf_hash = set_byte(leaf_hash, 0, get_byte(leaf_hash, 0) # 1) WHERE seq = $at",
            DIFFERS,
        ),
        ("100", "UPDATE event_log SET leaf_hash = '' WHERE seq = $at", DIFFERS),
        // The first checkpoint covers the first 200 events and a few more.
        (
            "0",
            r#"UPDATE event_log SET header = replace(header, '"producer":"test"', '"producer":"tesu"') WHERE seq = 100;
               UPDATE event_log SET leaf_hash = sha256('\x00' || convert_to(header, 'UTF8')) WHERE seq = 100"#,
            "does not match the log: one of the events 0 to 2",
        ),
        (
            "100",
            "CREATE TEMP TABLE o AS SELECT * FROM event_log WHERE seq IN (100, 103);
             UPDATE event_log l SET header = o.header, leaf_hash = o.leaf_hash FROM o
             WHERE l.seq IN (100, 103) AND o.seq = 203 - l.seq",
            "the header belongs to event 103",
        ),
        ("0", IS_GONE, "is missing"),
        ("100", IS_GONE, "is missing"),
        (LAST, IS_GONE, "is missing"),
        ("0", IS_GONE_WITHOUT_TRACE, "is missing"),
        ("100", IS_GONE_WITHOUT_TRACE, "is missing"),
        (LAST, IS_GONE_WITHOUT_TRACE, "is missing"),
        ("100", "DELETE FROM event_log WHERE seq BETWEEN $at AND $at + 10", "is missing, and so are the next 10"),
        (
            "SELECT max(seq) - 5 FROM event_log",
            "DELETE FROM event_log WHERE seq >= $at",
            "is missing: the last signed checkpoint over",
        ),
        (NONE, "DELETE FROM event_log", "the low-water mark of the agent detector lies outside the log"),
        (
            END,
            "INSERT INTO event_log (seq, header, leaf_hash) SELECT $at, header, leaf_hash FROM event_log WHERE seq = $at - 1",
            "is not in the stored tree",
        ),
        (
            END,
            "INSERT INTO event_log (seq, header, leaf_hash) SELECT 30000000, header, leaf_hash FROM event_log WHERE seq = 1",
            "is not in the stored tree",
        ),
    ]);
}

#[test]
fn a_changed_or_missing_body_is_found() {
    const DIFFERS: &str = "the body does not match the commitment in the header";
    check(&[
        ("100", "UPDATE event_bodies SET payload = replace(payload, '12.50', '92.50') WHERE seq = $at", DIFFERS),
        ("100", "UPDATE event_bodies SET payload = payload || ' ' WHERE seq = $at", DIFFERS),
        ("100", r#"UPDATE event_bodies SET metadata = '{"a":1}' WHERE seq = $at"#, DIFFERS),
        ("100", "UPDATE event_bodies SET salt = set_byte(salt, 31, get_byte(salt, 31) # 1) WHERE seq = $at", DIFFERS),
        ("100", "UPDATE event_bodies SET salt = '' WHERE seq = $at", DIFFERS),
        (
            "100",
            "UPDATE event_bodies SET metadata = right(payload, 1) || metadata, payload = left(payload, -1) WHERE seq = $at",
            "the body is not JSON",
        ),
        (
            "100",
            "DELETE FROM event_bodies WHERE seq = $at",
            "the body is missing, and no event says that it was erased",
        ),
        (LAST, "DELETE FROM event_bodies WHERE seq = $at", "the body is missing, and no event says that it was erased"),
        (
            "SELECT min(seq) FROM erasures",
            "INSERT INTO event_bodies SELECT $at, salt, payload, metadata FROM event_bodies WHERE seq = $at + 1",
            "says that the body was erased, but it is there",
        ),
        (
            "5000",
            "INSERT INTO event_bodies SELECT $at, salt, payload, metadata FROM event_bodies WHERE seq = 1",
            "the table event_bodies has a row that no event explains",
        ),
    ]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_put_back_after_its_erasure_is_found() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.ingest(vec![fixture.transaction("tx-1", "1.00"), fixture.transaction("tx-2", "1.00")]).await.unwrap();
    execute(&fixture.dir(), "CREATE TABLE public.kept AS SELECT * FROM countersign.event_bodies WHERE seq = 0");
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    execute(
        &fixture.dir(),
        "SET session_replication_role = replica; INSERT INTO countersign.event_bodies SELECT * FROM public.kept",
    );
    let report = fixture.verify();
    assert_eq!(report.first().unwrap().seq, Some(0));
    assert_says(&report, "event 2 says that the body was erased, but it is there");
    // It is found even if the mark of the erasure is removed.
    execute(&fixture.dir(), "SET session_replication_role = replica; DELETE FROM countersign.erasures");
    assert_says(&fixture.verify(), "event 2 says that it was erased, but it is not marked so");
}

#[test]
fn a_changed_tree_is_found() {
    const DIFFERS: &str = "the stored tree does not match the events 0 to 255";
    check(&[
        (NONE, "UPDATE ledger_head SET size = size - 1", "the stored tree can't be read"),
        // A tree of this size has as many parts.
        ("SELECT size - 2 FROM ledger_head", "UPDATE ledger_head SET size = $at", "is not in the stored tree"),
        (NONE, "UPDATE ledger_head SET size = size + 1", "the stored tree can't be read"),
        ("0", "UPDATE ledger_head SET size = 0, frontier = ''", "is not in the stored tree, which covers 0 events"),
        (
            NONE,
            "UPDATE ledger_head SET root = set_byte(root, 0, get_byte(root, 0) # 1)",
            "is not sealed by the log's key",
        ),
        (
            NONE,
            "UPDATE ledger_head SET seal = set_byte(seal, 9, get_byte(seal, 9) # 1)",
            "is not sealed by the log's key",
        ),
        (NONE, "UPDATE ledger_head SET seal = NULL", "is not sealed by the log's key"),
        (NONE, "UPDATE ledger_head SET origin = 'x'", "the stored origin is not"),
        (NONE, "DELETE FROM ledger_head", "the stored tree is missing"),
        ("0", "UPDATE ledger_nodes SET hash = set_byte(hash, 0, get_byte(hash, 0) # 1)", DIFFERS),
        ("0", "UPDATE ledger_nodes SET idx = 9", DIFFERS),
        ("0", "DELETE FROM ledger_nodes", DIFFERS),
        (NONE, "INSERT INTO ledger_nodes SELECT level, 9, hash FROM ledger_nodes", "inner nodes instead of"),
    ]);
}

#[test]
fn a_changed_checkpoint_is_found() {
    check(&[
        (
            NONE,
            "UPDATE checkpoints SET note = replace(note, E'\\n2', E'\\n1') WHERE size = (SELECT max(size) FROM checkpoints)",
            "the checkpoint is forged or damaged",
        ),
        (
            NONE,
            "UPDATE checkpoints SET note = '' WHERE size = (SELECT min(size) FROM checkpoints)",
            "the checkpoint is forged or damaged",
        ),
        (
            NONE,
            "UPDATE checkpoints SET note = (SELECT note FROM checkpoints ORDER BY size LIMIT 1)
             WHERE size = (SELECT max(size) FROM checkpoints)",
            "is stored under a size that differs",
        ),
        (
            END,
            "INSERT INTO checkpoints SELECT $at + 5, note FROM checkpoints LIMIT 1",
            "is missing: a checkpoint was signed over",
        ),
    ]);
}

/// The other signatures still hold, so nothing is lost.
#[test]
fn a_checkpoint_that_was_removed_from_the_database_is_still_in_the_data_directory() {
    let copy = StoreCopy::new();
    copy.change("DELETE FROM checkpoints WHERE size = (SELECT max(size) FROM checkpoints)");
    assert_good(&copy.verify());
    copy.change("DELETE FROM checkpoints");
    assert_good(&copy.verify());
    fs::remove_file(copy.dir.checkpoint()).unwrap();
    assert_says(&copy.verify(), "the last signed checkpoint, ledger.checkpoint, is missing");
    assert!(matches!(copy.refused(), StoreError::Tampered(_)));
}

#[test]
fn agents_progress_that_does_not_fit_what_they_left_in_the_log_is_found() {
    const UNREPORTED: &str =
        "SELECT max(l.seq) FROM event_log l WHERE l.event_type = 'FRAUD_ALERT_CREATED' AND NOT EXISTS (
        SELECT 1 FROM event_log e WHERE e.header::json ->> 'causation_id' = l.header::json ->> 'event_id'
        AND e.header::json ->> 'producer' = 'reporter')";
    const HANDLED: &str = "SELECT min(c.seq) FROM event_log c JOIN event_log e
        ON e.header::json ->> 'causation_id' = c.header::json ->> 'event_id' AND e.header::json ->> 'producer' = 'supervisor'";
    const DONE: &str = "SELECT min(d.seq) FROM agent_done d JOIN event_log c ON c.seq = d.seq JOIN event_log e
        ON e.header::json ->> 'causation_id' = c.header::json ->> 'event_id' AND e.header::json ->> 'producer' = d.agent
        WHERE d.agent = 'supervisor'";
    const NOT_HANDLED: &str = "has an effect by the agent supervisor, whose progress says that it was not handled";
    check(&[
        (
            UNREPORTED,
            "UPDATE agent_progress SET low = $at + 1 WHERE agent = 'reporter'",
            "counts as finished by the agent reporter",
        ),
        (
            HANDLED,
            "UPDATE agent_progress SET low = $at WHERE agent = 'supervisor'; DELETE FROM agent_done WHERE agent = 'supervisor'",
            NOT_HANDLED,
        ),
        (
            NONE,
            "UPDATE agent_progress SET low = 1000000 WHERE agent = 'reporter'",
            "the low-water mark of the agent reporter lies outside the log",
        ),
        (NONE, "UPDATE agent_progress SET low = -1 WHERE agent = 'reporter'", "lies outside the log"),
        (
            HANDLED,
            "DELETE FROM agent_progress WHERE agent = 'supervisor'; DELETE FROM agent_done WHERE agent = 'supervisor'",
            NOT_HANDLED,
        ),
        (UNREPORTED, "INSERT INTO agent_done VALUES ('reporter', $at)", "counts as finished by the agent reporter"),
        (DONE, "DELETE FROM agent_done WHERE agent = 'supervisor' AND seq = $at", NOT_HANDLED),
        (
            LAST,
            "INSERT INTO agent_done VALUES ('detector', $at)",
            "has a row that the agent detector can't have written",
        ),
        (
            NONE,
            "INSERT INTO agent_done VALUES ('auditor', 1000000)",
            "has a row that the agent auditor can't have written",
        ),
    ]);
}

// Changes with a recomputed tree.

/// Recomputes leaf hashes, nodes, frontier and root of the whole log from the headers.
fn recompute(copy: &StoreCopy) {
    run(&address(copy.dir.path()), async |client: Client| {
        client.batch_execute("SET search_path = countersign; SET session_replication_role = replica").await.unwrap();
        client.batch_execute("DELETE FROM ledger_nodes").await.unwrap();
        let mut tree = Frontier::new();
        for row in client.query("SELECT seq, header FROM event_log ORDER BY seq", &[]).await.unwrap() {
            let (seq, leaf) = (row.get::<_, i64>(0), leaf_hash(row.get::<_, String>(1).as_bytes()));
            let mut nodes: Vec<(NodeId, Hash)> = Vec::new();
            tree.push(leaf, |node, hash| nodes.push((node, hash)));
            let leaf = leaf.as_bytes().to_vec();
            client.execute("UPDATE event_log SET leaf_hash = $2 WHERE seq = $1", &[&seq, &leaf]).await.unwrap();
            for (node, hash) in nodes {
                let (level, index) = (i64::from(node.level), i64::try_from(node.index).unwrap());
                let sql = "INSERT INTO ledger_nodes VALUES ($1, $2, $3)";
                client.execute(sql, &[&level, &index, &hash.as_bytes().to_vec()]).await.unwrap();
            }
        }
        let (size, root) = (i64::try_from(tree.size()).unwrap(), tree.root().as_bytes().to_vec());
        let sql = "UPDATE ledger_head SET size = $1, root = $2, frontier = $3";
        client.execute(sql, &[&size, &root, &tree.to_bytes()]).await.unwrap();
    });
}

#[test]
fn an_event_that_was_added_without_the_key_is_found_although_everything_fits() {
    let copy = StoreCopy::new();
    let end = copy.number(END).unwrap();
    let id = "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6";
    // The event before the last one is the start of an agent, from which no row is derived.
    copy.change(&format!(
        r#"INSERT INTO event_log (seq, header, leaf_hash)
           SELECT {end}, replace(replace(header, '"seq":' || seq, '"seq":{end}'), header::json ->> 'event_id', '{id}'), ''
           FROM event_log WHERE seq = {end} - 2;
           INSERT INTO event_bodies SELECT {end}, salt, payload, metadata FROM event_bodies WHERE seq = {end} - 2;
           INSERT INTO event_ids VALUES ('{id}', {end})"#
    ));
    recompute(&copy);
    let report = copy.verify();
    assert_says(&report, "events is not sealed by the log's key");
    assert_eq!(report.findings.len(), 1, "the seal is all that gives it away: {:#?}", report.findings);
    assert!(copy.refused().to_string().contains("may have been added by somebody else"));
    copy.change("UPDATE ledger_head SET seal = NULL");
    assert_says(&copy.verify(), "events is not sealed by the log's key");
    assert!(copy.refused().to_string().contains("may have been added by somebody else"));
}

#[test]
fn a_log_that_was_cut_short_is_found_although_its_tree_was_too() {
    for also in ["", "; DELETE FROM checkpoints WHERE size > $size"] {
        let copy = StoreCopy::new();
        let end = copy.number(END).unwrap();
        let cut = "DELETE FROM event_log WHERE seq >= $size; DELETE FROM event_bodies WHERE seq >= $size;
                   DELETE FROM event_ids WHERE seq >= $size; DELETE FROM transaction_ids WHERE seq >= $size";
        copy.change(&format!("{cut}{also}").replace("$size", &(end - 2).to_string()));
        recompute(&copy);
        let report = copy.verify();
        assert_says(&report, &format!("is missing: the last signed checkpoint over {end} events"));
        assert!(report.findings.iter().any(|finding| finding.seq == Some(end - 2)), "{:#?}", report.findings);
        match copy.refused() {
            StoreError::Tampered(why) => assert!(why.contains(&end.to_string()), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_consistently_rewritten_log_does_not_match_its_checkpoints() {
    let copy = StoreCopy::new();
    copy.change(
        r#"UPDATE event_log SET header = replace(header, '"producer":"test"', '"producer":"tesu"') WHERE seq = 100"#,
    );
    recompute(&copy);
    let report = copy.verify();
    assert_eq!(report.first().unwrap().seq, Some(0));
    assert_says(&report, "does not match the log: one of the events 0 to 2");
    assert!(matches!(copy.refused(), StoreError::Tampered(_)));
}

#[test]
fn an_unchanged_copy_verifies() {
    let copy = StoreCopy::new();
    assert_good(&copy.verify());
}
