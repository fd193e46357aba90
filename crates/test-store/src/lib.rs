//! Where tests keep their stores: on the backend that `COUNTERSIGN_TEST_STORE` names (`sqlite`, if it isn't set, or `postgres`).
//!
//! A test on Postgres has a database of its own, named after its data directory, on the server that `COUNTERSIGN_TEST_POSTGRES`
//! names. `make test` starts such a server and sets both variables.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
};

use countersign_store::{DataDir, StoreLocation};
use rusqlite::types::ValueRef;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage, error::SqlState};

/// Names the backend that tests run on.
pub const STORE: &str = "COUNTERSIGN_TEST_STORE";
/// Names the server for tests on Postgres: an address with a database that the role may connect to, such as
/// `postgres://postgres@127.0.0.1:5432/postgres`. The role must be allowed to create databases.
pub const POSTGRES: &str = "COUNTERSIGN_TEST_POSTGRES";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestBackend {
    Sqlite,
    Postgres,
}

impl TestBackend {
    pub const ALL: [(&'static str, Self); 2] = [("sqlite", Self::Sqlite), ("postgres", Self::Postgres)];

    /// The backend that the environment names; SQLite if it names none.
    pub fn from_env() -> Self {
        match env::var(STORE) {
            Ok(name) => Self::named(&name).unwrap_or_else(|error| panic!("{error}")),
            Err(_) => Self::Sqlite,
        }
    }

    /// The backend's name, as `/health` reports it too.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, backend)| *backend == self).map_or("", |(name, _)| name)
    }

    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, backend)| backend);
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|(known, _)| *known).collect();
            format!("{STORE} is \"{name}\", but it must be one of: {}", known.join(", "))
        })
    }
}

/// Where the store of this data directory is kept. Each data directory is a store of its own.
pub fn location(dir: DataDir) -> StoreLocation {
    match database_url(dir.path()) {
        None => StoreLocation::in_dir(dir),
        Some(address) => StoreLocation::on_postgres(dir, &address).unwrap(),
    }
}

/// The address of the database of a data directory, for a program that is run on it; `None` if tests run on SQLite. The database
/// is created if it isn't there.
pub fn database_url(dir: &Path) -> Option<String> {
    match TestBackend::from_env() {
        TestBackend::Sqlite => None,
        TestBackend::Postgres => Some(create_database(dir)),
    }
}

/// Creates the database of a data directory, unless it is there, and returns its address.
pub fn create_database(dir: &Path) -> String {
    let name = name_of(dir);
    let create = format!("CREATE DATABASE {name}");
    run(&server(), async move |client: Client| {
        let created = client.batch_execute(&create).await;
        let is_there = |error: &tokio_postgres::Error| error.code() == Some(&SqlState::DUPLICATE_DATABASE);
        assert!(created.is_ok() || created.as_ref().is_err_and(is_there), "{created:?}");
    });
    address(dir)
}

/// The address of the database of a data directory.
pub fn address(dir: &Path) -> String {
    let server = server();
    let (base, _) = server.rsplit_once('/').expect("the address of the server names a database");
    format!("{base}/{}", name_of(dir))
}

/// Runs a task with a connection, on a thread of its own, because tests call this inside and outside a runtime.
pub fn run<T: Send + 'static>(address: &str, task: impl AsyncFnOnce(Client) -> T + Send + 'static) -> T {
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

/// Saves a copy of a store that no program has open, for [`put_back`].
pub fn save(dir: &Path) {
    match TestBackend::from_env() {
        TestBackend::Sqlite => drop(fs::copy(dir.join("countersign.db"), dir.join("saved.db")).unwrap()),
        TestBackend::Postgres => {
            let name = name_of(dir);
            let sql = format!("CREATE DATABASE {name}_saved TEMPLATE {name}");
            run(&server(), async move |client: Client| client.batch_execute(&sql).await.unwrap());
        }
    }
}

/// Sets a store's database back to the copy that was saved, as somebody does who brings back an old backup behind the program's
/// back.
pub fn put_back(dir: &Path) {
    match TestBackend::from_env() {
        TestBackend::Sqlite => fs::rename(dir.join("saved.db"), dir.join("countersign.db")).unwrap(),
        TestBackend::Postgres => {
            let name = name_of(dir);
            run(&server(), async move |client: Client| {
                client.batch_execute(&format!("DROP DATABASE {name}")).await.unwrap();
                client.batch_execute(&format!("ALTER DATABASE {name}_saved RENAME TO {name}")).await.unwrap();
            });
        }
    }
}

/// The database of a data directory, for tests that look into it or change it behind the program's back.
pub enum TestDatabase {
    Sqlite(rusqlite::Connection),
    Postgres(String),
}

impl TestDatabase {
    pub fn of(dir: &Path) -> Self {
        match TestBackend::from_env() {
            TestBackend::Sqlite => Self::Sqlite(rusqlite::Connection::open(dir.join("countersign.db")).unwrap()),
            TestBackend::Postgres => Self::Postgres(address(dir)),
        }
    }

    /// Runs statements that are written once for each database.
    pub fn execute(&self, sqlite: &str, postgres: &str) {
        match self {
            Self::Sqlite(conn) => conn.execute_batch(sqlite).unwrap(),
            Self::Postgres(address) => {
                let sql = format!("SET search_path = countersign; {postgres}");
                run(address, async move |client: Client| client.batch_execute(&sql).await.unwrap());
            }
        }
    }

    /// The rows of a query, as texts; null is an empty text. The query is written for SQLite. On Postgres, `->> '$.name'` of a
    /// column means the same field of the JSON in it.
    pub fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        match self {
            Self::Sqlite(conn) => {
                let mut statement = conn.prepare(sql).unwrap();
                let columns = statement.column_count();
                let rows = statement.query_map([], |row| {
                    (0..columns)
                        .map(|at| {
                            Ok(match row.get_ref(at)? {
                                ValueRef::Null => String::new(),
                                ValueRef::Integer(number) => number.to_string(),
                                ValueRef::Real(number) => number.to_string(),
                                ValueRef::Text(text) | ValueRef::Blob(text) => {
                                    String::from_utf8_lossy(text).into_owned()
                                }
                            })
                        })
                        .collect()
                });
                rows.unwrap().map(Result::unwrap).collect()
            }
            Self::Postgres(address) => {
                let sql = sql.replace(" ->> '$.", "::json ->> '");
                run(address, async move |client: Client| {
                    client.batch_execute("SET search_path = countersign").await.unwrap();
                    let messages = client.simple_query(&sql).await.unwrap();
                    let rows = messages.iter().filter_map(|message| match message {
                        SimpleQueryMessage::Row(row) => Some(row),
                        _ => None,
                    });
                    rows.map(|row| (0..row.len()).map(|at| row.get(at).unwrap_or_default().to_owned()).collect())
                        .collect()
                })
            }
        }
    }
}

fn server() -> String {
    env::var(POSTGRES).unwrap_or_else(|_| {
        panic!("{POSTGRES} is not set to the address of a Postgres server for tests; `make test` starts one")
    })
}

/// Data directories of tests are temporary folders, so their names differ.
fn name_of(dir: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    dir.hash(&mut hasher);
    format!("countersign_test_{:016x}", hasher.finish())
}
