//! Users' histories, changed by hand.

use rusqlite::Connection;

use super::SqliteFiles;
use crate::{
    contract::history::{filled, index},
    fixture::{Fixture, assert_good},
};

#[tokio::test]
async fn a_row_that_was_removed_from_a_history_is_found() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    index(&store, 0, 20).await;
    store.close().await.unwrap();
    drop(store);
    let conn = Connection::open(fixture.dir().database()).unwrap();
    let refused = conn.execute("DELETE FROM user_transactions WHERE seq = 6", []).unwrap_err().to_string();
    assert!(refused.contains("append-only"), "{refused}");
    conn.execute("INSERT OR REPLACE INTO user_transactions VALUES (6, 'eve')", []).unwrap();
    drop(conn);
    assert_good(&fixture.verify());
    let conn = Connection::open(fixture.dir().database()).unwrap();
    let guard = "CREATE TRIGGER user_transactions_no_delete BEFORE DELETE ON user_transactions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END";
    let delete =
        format!("DROP TRIGGER user_transactions_no_delete; DELETE FROM user_transactions WHERE seq = 6; {guard};");
    conn.execute_batch(&delete).unwrap();
    drop(conn);
    let report = fixture.verify();
    let finding = report.first().unwrap();
    assert_eq!((finding.seq, finding.what.as_str()), (Some(6), "is missing from the table user_transactions"));
    assert_eq!(report.findings_total, 1, "{:#?}", report.findings);
}
