//! Tests that are particular to the store on Postgres, and what the contract needs of it.

mod append_only;
mod backup;
mod copies;
mod faults;
mod processes;
mod roles;
mod schema;
mod tamper;
mod tamper_rows;

use countersign_store::DataDir;
use countersign_test_store::{address, run};
use tokio_postgres::Client;

pub(crate) fn kept_checkpoints(dir: &DataDir) -> Vec<(u64, String)> {
    run(&address(dir.path()), async |client: Client| {
        let rows = client.query("SELECT size, note FROM countersign.checkpoints ORDER BY size", &[]).await.unwrap();
        rows.iter().map(|row| (u64::try_from(row.get::<_, i64>(0)).unwrap(), row.get(1))).collect()
    })
}

pub(crate) fn lose_search_index(dir: &DataDir) {
    execute(
        dir,
        "DELETE FROM countersign.log_words; DELETE FROM countersign.log_counts;
         UPDATE countersign.search_progress SET next_seq = 0",
    );
}

/// Runs statements as the database's owner.
pub(crate) fn execute(dir: &DataDir, sql: &str) {
    try_execute(dir, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Like [`execute`]. An error is the server's message.
fn try_execute(dir: &DataDir, sql: &str) -> Result<(), String> {
    let sql = sql.to_owned();
    run(&address(dir.path()), async move |client: Client| {
        client.batch_execute(&sql).await.map_err(|error| match error.as_db_error() {
            Some(cause) => cause.message().to_owned(),
            None => error.to_string(),
        })
    })
}
