//! The search index, changed by hand: differences from the log are found, and the index is rebuilt if no server has it open.

use countersign_store::{LogQuery, SearchCheck, Threading, verify_search};
use rusqlite::Connection;

use super::SqliteFiles;
use crate::{contract::logs::indexed, fixture::Fixture};

fn change(fixture: &Fixture, sql: &str) {
    Connection::open(fixture.dir().search()).unwrap().execute_batch(sql).unwrap();
}

#[tokio::test]
async fn a_changed_index_is_rebuilt_and_then_matches() {
    let fixture = Fixture::new();
    let store = indexed(&fixture).await;
    store.close().await.unwrap();
    drop(store);
    let (statistics, words) = ("its statistics don't match the log", "its words don't match the log");
    let not_ours = "it has another schema, or belongs to another log";
    let trigger = "CREATE TRIGGER counts BEFORE UPDATE ON progress BEGIN SELECT RAISE(IGNORE); END";
    // `micros` is the width of a bucket, here a minute or an hour; `s0` to `s10` count its logs with each score.
    for (sql, expected) in [
        ("UPDATE counts SET s9 = s9 + 1 WHERE micros = 60000000 AND s9 = 1", statistics),
        ("UPDATE counts SET s0 = 7", statistics),
        ("DELETE FROM counts WHERE micros = 3600000000", statistics),
        ("INSERT INTO counts VALUES (60000000, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)", statistics),
        ("DELETE FROM log_words WHERE rowid = 9", words),
        ("INSERT INTO log_words (rowid, query, response, tags) VALUES (77, 'forged', '', '')", words),
        ("UPDATE progress SET next_seq = 20", statistics),
        ("UPDATE progress SET next_seq = 2000", "it covers more events than the log has"),
        ("UPDATE progress SET origin = 'somebody'", not_ours),
        (trigger, not_ours),
        ("CREATE TABLE more (a)", not_ours),
    ] {
        change(&fixture, sql);
        match verify_search(&fixture.location()).unwrap() {
            SearchCheck::Rebuilt { why } => assert_eq!(why, expected, "{sql}"),
            other => panic!("{sql}: {other:?}"),
        }
        assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 41 }, "{sql}");
    }
    std::fs::remove_file(fixture.dir().search()).unwrap();
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Missing);
}

/// Every word is still in the index, but a search finds only those on its first pages.
#[tokio::test]
async fn an_index_that_finds_only_some_of_its_words_is_rebuilt() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    // Different words in no order, enough of them to fill several pages of the index.
    for n in 0..40 {
        let words: Vec<String> =
            (0..60).map(|word| format!("w{:x}", (n * 60 + word) * 2_654_435_761_u64 % 999_983)).collect();
        let log = fixture.log(&format!("l-{n}"), 0, fixture.seams.now(), &words.join(" "), "fine");
        store.append(vec![log]).await.unwrap();
    }
    while store.index_logs_step().await.unwrap() {}
    store.close().await.unwrap();
    drop(store);
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 40 });
    let conn = Connection::open(fixture.dir().search()).unwrap();
    // FTS5 finds the page of a word through this table.
    assert!(conn.execute("DELETE FROM log_words_idx WHERE pgno > 3", []).unwrap() > 0);
    drop(conn);
    match verify_search(&fixture.location()).unwrap() {
        SearchCheck::Rebuilt { why } => assert_eq!(why, "not all of its words can be found"),
        other => panic!("{other:?}"),
    }
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 40 });
}

#[tokio::test]
async fn while_a_server_is_running_a_changed_index_is_reported_but_not_rebuilt() {
    let fixture = Fixture::new();
    let store = indexed(&fixture).await;
    change(&fixture, "UPDATE counts SET s0 = 7");
    for _ in 0..2 {
        let differs = SearchCheck::Differs { why: "its statistics don't match the log".into() };
        assert_eq!(verify_search(&fixture.location()).unwrap(), differs);
    }
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_server_rebuilds_an_index_to_which_a_trigger_was_added() {
    let fixture = Fixture::new();
    let store = indexed(&fixture).await;
    store.close().await.unwrap();
    drop(store);
    change(&fixture, "CREATE TRIGGER counts BEFORE UPDATE ON progress BEGIN SELECT RAISE(IGNORE); END");
    let store = fixture.open(Threading::Inline);
    let found = store.logs(LogQuery { text: Some("question9".into()), limit: 10, ..Default::default() }).await.unwrap();
    assert_eq!(found.items.len(), 1);
    while store.index_logs_step().await.unwrap() {}
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 41 });
    store.close().await.unwrap();
}
