//! The backend that the contract is tested on.

use std::fs;

use countersign_store::DataDir;
use countersign_test_store::TestBackend;

use crate::{on_postgres, sqlite::SqliteFiles};

/// Sizes and notes of the checkpoints that the database keeps, in the order of their sizes.
pub(crate) fn kept_checkpoints(dir: &DataDir) -> Vec<(u64, String)> {
    match TestBackend::from_env() {
        TestBackend::Sqlite => dir.kept_checkpoints(),
        TestBackend::Postgres => on_postgres::kept_checkpoints(dir),
    }
}

pub(crate) fn lose_search_index(dir: &DataDir) {
    match TestBackend::from_env() {
        TestBackend::Sqlite => fs::remove_file(dir.search()).unwrap(),
        TestBackend::Postgres => on_postgres::lose_search_index(dir),
    }
}

#[test]
fn every_known_backend_is_found_by_its_name() {
    for (name, backend) in TestBackend::ALL {
        assert_eq!(TestBackend::named(name), Ok(backend));
    }
}

#[test]
fn an_unknown_backend_is_refused_with_the_names_of_the_known_ones() {
    let refused = TestBackend::named("sqlight").unwrap_err();
    assert_eq!(refused, "COUNTERSIGN_TEST_STORE is \"sqlight\", but it must be one of: sqlite, postgres");
}
