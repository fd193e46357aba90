//! Audit logs: their tables read and changed by hand, and the file of the search index, damaged and searched for erased words.

use std::fs;

use countersign_store::Threading;
use rusqlite::Connection;

use super::SqliteFiles;
use crate::{
    contract::logs::{at, count, index_all, search, with_logs},
    fixture::{Fixture, assert_good, log_id},
};

#[tokio::test]
async fn the_words_of_an_erased_log_are_in_no_file() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 30).await;
    let secret = fixture.log("secret", 9, at("2026-03-01T09:00:00Z"), "who is Quetzalcoatlus", "Xylophonist");
    store.append(vec![secret]).await.unwrap();
    index_all(&store).await;
    // The index keeps words in lower case, without the beginning that they share with the word before.
    let files_contain = |needle: &str| {
        fs::read_dir(fixture.dir().path()).unwrap().any(|entry| {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            bytes.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
        })
    };
    assert!(files_contain("uetzalcoatlus") && files_contain("ylophonist"), "the search works");
    store.erase(vec![30], "asked for", "ana").await.unwrap();
    assert!(files_contain("uetzalcoatlus") && files_contain("ylophonist"), "the index is behind");
    index_all(&store).await;
    assert!(!files_contain("uetzalcoatlus") && !files_contain("ylophonist"));
}

#[tokio::test]
async fn rows_of_logs_can_not_be_changed_or_removed_by_hand() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 2).await;
    store.append(vec![fixture.answer_requested("x")]).await.unwrap();
    store.erase(vec![1], "asked for", "ana").await.unwrap();
    let conn = Connection::open(fixture.dir().database()).unwrap();
    for sql in [
        "UPDATE log_entries SET idempotency = NULL WHERE seq = 0",
        "UPDATE log_entries SET risk_score = 0 WHERE seq = 1",
        "UPDATE log_entries SET idempotency = 'x' WHERE seq = 1",
        "DELETE FROM log_entries WHERE seq = 1",
        "UPDATE open_answers SET state = 'failed'",
        "UPDATE open_answers SET log_id = 'y', seq = 9",
        "DELETE FROM open_answers",
    ] {
        assert!(conn.execute_batch(&format!("PRAGMA recursive_triggers = ON; {sql}")).is_err(), "{sql}");
    }
}

#[tokio::test]
async fn the_view_of_logs_can_be_read_with_sql() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 22).await;
    store.erase(vec![9], "asked for", "ana").await.unwrap();
    let conn = Connection::open(fixture.dir().database()).unwrap();
    let sql = "SELECT id, created_at, query, response, audit, status, seq, risk_score, worker ->> '$.provider'
               FROM logs WHERE status = 'Flagged' AND audit->>'risk_score' > 7 ORDER BY seq";
    let mut statement = conn.prepare(sql).unwrap();
    let read = |row: &rusqlite::Row<'_>| (0..9).map(|n| row.get::<_, rusqlite::types::Value>(n)).collect();
    let rows: Vec<Vec<_>> = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
    let text = |text: &str| rusqlite::types::Value::Text(text.into());
    let integer = rusqlite::types::Value::Integer;
    assert_eq!(rows.len(), 5, "8 and 10, 19, 20 and 21, but not 9, which is erased");
    let first = [
        text(&log_id("log-8").to_string()),
        text("2026-03-01T09:00:00.000000Z"),
        text("why"),
        text("another"),
        text(r#"{"risk_score":8}"#),
        text("Flagged"),
        integer(8),
        integer(8),
        text("simulated"),
    ];
    assert_eq!(rows[0], first);
}

async fn check_rebuilt(damage: impl FnOnce(&Fixture)) {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 40).await;
    index_all(&store).await;
    store.close().await.unwrap();
    drop(store);
    damage(&fixture);
    let store = fixture.open(Threading::Inline);
    let expected = (40, vec![30, 20, 10, 0]);
    assert_eq!((count(&store).await, search(&store, "tenth").await), expected, "before it is rebuilt");
    index_all(&store).await;
    assert_eq!((count(&store).await, search(&store, "tenth").await), expected, "after");
    let conn = Connection::open(fixture.dir().search()).unwrap();
    let end: u64 = conn.query_row("SELECT next_seq FROM progress", [], |row| row.get(0)).unwrap();
    assert_eq!(end, store.size().await.unwrap());
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_damaged_index_is_rebuilt() {
    let path = |fixture: &Fixture| fixture.dir().search();
    check_rebuilt(|fixture| fs::write(path(fixture), "not a database, but long enough to be looked at").unwrap()).await;
    check_rebuilt(|fixture| fs::write(path(fixture), "").unwrap()).await;
    check_rebuilt(|fixture| {
        let mut bytes = fs::read(path(fixture)).unwrap();
        bytes[4096..].fill(0xa5);
        fs::write(path(fixture), bytes).unwrap();
    })
    .await;
    for sql in [
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 1",
        "UPDATE progress SET origin = 'countersign/another'",
        "UPDATE progress SET next_seq = 1000",
        "DROP TABLE counts",
        "DROP TABLE log_words",
        "DELETE FROM progress",
    ] {
        check_rebuilt(|fixture| Connection::open(path(fixture)).unwrap().execute_batch(sql).unwrap()).await;
    }
}
