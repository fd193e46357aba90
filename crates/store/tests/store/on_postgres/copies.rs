//! A closed store on Postgres with something in every table, and copies of its database for tests to change by hand.

use std::{env, fs, sync::OnceLock};

use countersign_store::{DataDir, Store, StoreError, StoreLocation, Threading, Verification, verify};
use countersign_test_store::{POSTGRES, address, run};
use tempfile::TempDir;
use tokio_postgres::Client;

use super::try_execute;
use crate::{
    fixture::{Fixture, assert_good},
    populated::fill,
};

/// Makes it once per process.
pub(super) fn populated() -> &'static Fixture {
    static MADE: OnceLock<Fixture> = OnceLock::new();
    MADE.get_or_init(|| {
        let fixture = Fixture::new();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(fill(&fixture, fixture.open(Threading::Threaded)));
        assert_good(&fixture.verify());
        fixture
    })
}

/// A copy of the populated store, which is removed when it is dropped.
pub(super) struct StoreCopy {
    pub(super) dir: DataDir,
    _folder: TempDir,
}

impl StoreCopy {
    pub(super) fn new() -> Self {
        let (from, folder) = (populated().dir(), tempfile::tempdir().unwrap());
        let dir = DataDir::new(folder.path().join("data"));
        dir.create().unwrap();
        for (source, target) in
            [(from.checkpoint(), dir.checkpoint()), (from.public_key(), dir.public_key()), (from.key(), dir.key())]
        {
            fs::copy(source, target).unwrap();
        }
        // The server waits until nobody is connected to the template.
        on_server(format!("CREATE DATABASE {} TEMPLATE {}", database_of(&dir), database_of(&from)));
        Self { dir, _folder: folder }
    }

    pub(super) fn location(&self) -> StoreLocation {
        StoreLocation::on_postgres(self.dir.clone(), &address(self.dir.path())).unwrap()
    }

    /// Changes the database as a superuser may, without triggers.
    pub(super) fn change(&self, sql: &str) {
        let sql = format!("SET search_path = countersign; SET session_replication_role = replica; {sql}");
        try_execute(&self.dir, &sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The number that an expression has in this database.
    pub(super) fn number(&self, expression: &str) -> Option<u64> {
        let sql = format!("SELECT ({expression})::bigint");
        run(&address(self.dir.path()), async move |client: Client| {
            client.batch_execute("SET search_path = countersign").await.unwrap();
            let number: Option<i64> = client.query_one(&sql, &[]).await.unwrap().get(0);
            number.map(|number| u64::try_from(number).unwrap())
        })
    }

    pub(super) fn verify(&self) -> Verification {
        verify(&self.location(), None, &mut |_, _| {}).unwrap()
    }

    /// Opens the store, which must be refused.
    #[track_caller]
    pub(super) fn refused(&self) -> StoreError {
        match Store::open(&self.location(), Threading::Inline, populated().seams.clone()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error,
        }
    }
}

impl Drop for StoreCopy {
    fn drop(&mut self) {
        on_server(format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", database_of(&self.dir)));
    }
}

/// The name of the database of a data directory.
pub(super) fn database_of(dir: &DataDir) -> String {
    let address = address(dir.path());
    address.rsplit_once('/').unwrap().1.to_owned()
}

/// Runs a statement in the server's own database.
pub(super) fn on_server(sql: String) {
    let server = env::var(POSTGRES).unwrap();
    run(&server, async move |client: Client| {
        client.batch_execute(&sql).await.unwrap_or_else(|e| panic!("{sql}: {e:?}"))
    });
}
