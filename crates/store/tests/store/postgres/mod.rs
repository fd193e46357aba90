//! What tests need of Postgres: a database for each store. The server is the one that `COUNTERSIGN_TEST_POSTGRES` names, as
//! `make test` does after it has started one.

use std::{
    env,
    hash::{DefaultHasher, Hash, Hasher},
};

use countersign_store::{DataDir, StoreLocation};
use tokio_postgres::{Client, NoTls, error::SqlState};

const VARIABLE: &str = "COUNTERSIGN_TEST_POSTGRES";

/// The location of a store whose database has the data directory's name. The database is created if it isn't there.
pub(crate) fn location(dir: DataDir) -> StoreLocation {
    let name = name_of(&dir);
    run(&server(), async move |client: Client| {
        let created = client.batch_execute(&format!("CREATE DATABASE {name}")).await;
        let is_there = |error: &tokio_postgres::Error| error.code() == Some(&SqlState::DUPLICATE_DATABASE);
        assert!(created.is_ok() || created.as_ref().is_err_and(is_there), "{created:?}");
    });
    let address = address(&dir);
    StoreLocation::on_postgres(dir, &address).unwrap()
}

pub(crate) fn kept_checkpoints(dir: &DataDir) -> Vec<(u64, String)> {
    run(&address(dir), async |client: Client| {
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
pub(crate) fn execute(dir: &DataDir, sql: &'static str) {
    run(&address(dir), async move |client: Client| client.batch_execute(sql).await.unwrap());
}

/// Uses a connection on a thread of its own, because tests call this inside and outside a runtime.
pub(crate) fn run<T: Send + 'static>(
    address: &str,
    task: impl AsyncFnOnce(Client) -> T + Send + 'static,
) -> T {
    let address = address.to_owned();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
            tokio::spawn(connection);
            task(client).await
        })
    });
    thread.join().unwrap()
}

/// The address of the database with the data directory's name.
pub(crate) fn address(dir: &DataDir) -> String {
    let server = server();
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{}", name_of(dir))
}

fn server() -> String {
    env::var(VARIABLE).unwrap_or_else(|_| {
        panic!("{VARIABLE} is not set to the address of a Postgres server for tests; `make test` starts one")
    })
}

fn name_of(dir: &DataDir) -> String {
    let mut hasher = DefaultHasher::new();
    dir.path().hash(&mut hasher);
    format!("countersign_test_{:016x}", hasher.finish())
}
