//! Erased bytes are left in no file.

use std::fs;

use countersign_store::{Ingested, Threading};

use super::SqliteFiles;
use crate::fixture::{Fixture, assert_good};

#[tokio::test(flavor = "multi_thread")]
async fn erased_bytes_are_in_no_file_of_a_threaded_store() {
    check_that_erased_bytes_are_in_no_file(Threading::Threaded).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_bytes_are_in_no_file_of_an_inline_store() {
    check_that_erased_bytes_are_in_no_file(Threading::Inline).await;
}

async fn check_that_erased_bytes_are_in_no_file(threading: Threading) {
    let fixture = Fixture::new();
    let store = fixture.open(threading);
    let marker = "marker-of-somebody-who-left";
    let mut event = fixture.transaction("tx-1", "1.00");
    // Long enough for overflow pages.
    event.metadata = format!(r#"{{"note":"{}"}}"#, format!("{marker} ").repeat(1_000));
    store.ingest(vec![event]).await.unwrap();
    store.ingest((10..60).map(|n| fixture.transaction(&format!("tx-{n}"), "12.50")).collect()).await.unwrap();
    assert!(contains(&fixture, marker), "the search works");
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    assert!(!contains(&fixture, marker), "gone at once");
    // While a reader uses the write-ahead log, it can't be truncated; the next commit does it.
    let mut late = fixture.transaction("tx-2", "1.00");
    late.metadata = format!(r#"{{"note":"{marker}"}}"#);
    let [Ingested::Accepted { seq }] = store.ingest(vec![late]).await.unwrap()[..] else { panic!() };
    let reader = rusqlite::Connection::open(fixture.dir().database()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM event_log;").unwrap();
    store.erase(vec![seq], "asked for", "ana").await.unwrap();
    reader.execute_batch("COMMIT").unwrap();
    drop(reader);
    store.mark_low("stand-in", 1).await.unwrap();
    assert!(!contains(&fixture, marker), "gone with the next commit");
    store.close().await.unwrap();
    assert!(!contains(&fixture, marker));
    let log = fixture.dir().path().join("countersign.db-wal");
    assert!(!log.exists(), "the write-ahead log was copied into the database and removed");
    drop(store);
    assert_good(&fixture.verify());
}

fn contains(fixture: &Fixture, marker: &str) -> bool {
    let database = fixture.dir().database();
    let log = database.with_extension("db-wal");
    [database, log].iter().any(|path| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(marker.len()).any(|window| window == marker.as_bytes())
    })
}
