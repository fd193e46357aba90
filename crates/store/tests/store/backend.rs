//! The backend that the contract is tested on.

use std::{env, fs};

use countersign_store::{DataDir, StoreLocation};

use crate::{postgres, sqlite::SqliteFiles};

const VARIABLE: &str = "COUNTERSIGN_TEST_STORE";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestBackend {
    Sqlite,
    Postgres,
}

impl TestBackend {
    const ALL: [(&'static str, Self); 2] = [("sqlite", Self::Sqlite), ("postgres", Self::Postgres)];

    /// The backend that `COUNTERSIGN_TEST_STORE` names; SQLite if it isn't set.
    pub(crate) fn from_env() -> Self {
        match env::var(VARIABLE) {
            Ok(name) => Self::named(&name).unwrap_or_else(|error| panic!("{error}")),
            Err(_) => Self::Sqlite,
        }
    }

    fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, backend)| backend);
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|(known, _)| *known).collect();
            format!("{VARIABLE} is \"{name}\", but it must be one of: {}", known.join(", "))
        })
    }

    /// Where the backend keeps the store of a test. Each data directory is a store of its own.
    pub(crate) fn location(self, dir: DataDir) -> StoreLocation {
        match self {
            Self::Sqlite => StoreLocation::in_dir(dir),
            Self::Postgres => postgres::location(dir),
        }
    }

    /// Sizes and notes of the checkpoints that the database keeps, in the order of their sizes.
    pub(crate) fn kept_checkpoints(self, dir: &DataDir) -> Vec<(u64, String)> {
        match self {
            Self::Sqlite => dir.kept_checkpoints(),
            Self::Postgres => postgres::kept_checkpoints(dir),
        }
    }

    pub(crate) fn lose_search_index(self, dir: &DataDir) {
        match self {
            Self::Sqlite => fs::remove_file(dir.search()).unwrap(),
            Self::Postgres => postgres::lose_search_index(dir),
        }
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
