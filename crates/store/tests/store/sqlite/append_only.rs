//! Appended rows can't be replaced, whatever the statement and the connection.

use std::fs;

use countersign_store::Threading;
use rusqlite::Connection;

use super::SqliteFiles;
use crate::fixture::{Fixture, assert_good};

/// A closed store with at least one row in every table that only grows.
async fn closed() -> Fixture {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    // Enough for the tree to have an inner node.
    let transactions = (0..256).map(|n| fixture.transaction(&format!("tx-{n}"), "1.00"));
    store.ingest(transactions.collect()).await.unwrap();
    store.ingest(vec![fixture.alert("a-1")]).await.unwrap();
    let log = fixture.log("log-1", 3, fixture.seams.now(), "Why?", "Because.");
    store.append(vec![fixture.investigation("a-1"), log]).await.unwrap();
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    fixture
}

#[tokio::test]
async fn a_row_is_not_replaced_by_another_with_the_same_position_or_id() {
    let fixture = closed().await;
    let before = fs::read(fixture.dir().database()).unwrap();
    let rows = [
        ("event_log", "seq, header, leaf_hash", "seq, json_set(header, '$.producer', 'x'), leaf_hash"),
        ("event_log", "seq, header, leaf_hash", "seq + 1000, header, leaf_hash"),
        ("event_bodies", "seq, salt, payload, metadata", "seq, salt, '{}', metadata"),
        ("erasures", "seq, event_seq", "seq, event_seq"),
        ("ledger_nodes", "level, idx, hash", "level, idx, zeroblob(32)"),
        ("transaction_ids", "seq, transaction_id", "seq, 'x'"),
        ("transaction_ids", "seq, transaction_id", "seq + 1000, transaction_id"),
        ("alerts", "seq, alert_id, severity, score", "seq, 'x', 'medium', 41"),
        ("alerts", "seq, alert_id, severity, score", "seq + 1000, alert_id, 'medium', 41"),
        ("investigations", "seq, investigation_id, risk_score", "seq, 'x', 41"),
        ("investigations", "seq, investigation_id, risk_score", "seq + 1000, investigation_id, 41"),
        ("log_entries", "seq, id, created_at, risk_score", "seq, 'x', created_at, 0"),
        ("log_entries", "seq, id, created_at, risk_score", "seq + 1000, id, created_at, 0"),
    ];
    for recursive in ["ON", "OFF"] {
        for (table, columns, values) in rows {
            let conn = Connection::open(fixture.dir().database()).unwrap();
            conn.execute_batch(&format!("PRAGMA recursive_triggers = {recursive}")).unwrap();
            let is_empty: bool =
                conn.query_row(&format!("SELECT NOT EXISTS (SELECT 1 FROM {table})"), [], |row| row.get(0)).unwrap();
            assert!(!is_empty, "{table} has nothing to lose");
            for statement in ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"] {
                let tried =
                    conn.execute(&format!("{statement} INTO {table} ({columns}) SELECT {values} FROM {table}"), []);
                assert!(matches!(tried, Err(_) | Ok(0)), "{statement} {table} ({values}), {recursive}: {tried:?}");
            }
        }
    }
    assert!(fs::read(fixture.dir().database()).unwrap() == before, "something was written");
    assert_good(&fixture.verify());
}
