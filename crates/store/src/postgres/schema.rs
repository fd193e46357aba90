//! Creates the schema, and compares it with the one that this version creates.
//!
//! A new database gets the schema from a role that may create it, which need not be the program's own (see `docs/postgres.md`).
//! Migrations run one at a time, under an advisory lock that ends with their transaction, and only add, so that a process of the
//! version before can go on working.

use std::collections::BTreeSet;

use super::{
    session::Session,
    values::{Columns, values},
};
use crate::error::{Result, StoreError};

/// Each migration, in order; the first creates the schema.
const MIGRATIONS: [&str; 1] = [include_str!("../../migrations/postgres/0001_schema.sql")];
const VERSION: u32 = 1;

/// Lists the objects of the schema, one per row, as text.
const CATALOG: &str = include_str!("../../migrations/postgres/catalog.sql");
/// What it lists in a schema of this version.
const OBJECTS: &str = include_str!("../../migrations/postgres/objects.txt");

/// The server's version, as `server_version_num` writes it, from which on everything that is used exists.
const POSTGRES_MIN: (i64, &str) = (140_000, "14");

/// Checks that the server can keep a store.
pub(super) async fn check_server(session: &Session) -> Result<()> {
    let sql = "SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
                 current_setting('server_encoding'), current_setting('fsync')";
    let row = session.row(sql, &[]).await?;
    if row.column::<i64>(0)? < POSTGRES_MIN.0 {
        let found = row.text(1)?.to_owned();
        let why = "lack functions that the store needs";
        return Err(StoreError::OldDatabase { database: "Postgres", found, minimum: POSTGRES_MIN.1, why });
    }
    if row.text(2)? != "UTF8" {
        return Err(StoreError::Address(format!(
            "the database's encoding is {}, but it must be UTF8; create it with ENCODING 'UTF8'",
            row.text(2)?
        )));
    }
    if row.text(3)? == "off" {
        tracing::warn!("the Postgres server runs with fsync = off: a crash of its machine loses committed events");
    }
    Ok(())
}

/// The version of the schema; 0 if there is none.
pub(super) async fn version(session: &Session) -> Result<u32> {
    // Not `to_regclass`: that needs a right, and in a transaction that waited for a lock it answers from an old cache.
    let exists = "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                  WHERE n.nspname = 'countersign' AND c.relname = 'schema_version'";
    if !session.exists(exists, &[]).await? {
        return Ok(0);
    }
    let version = session.row("SELECT coalesce(max(version), 0) FROM countersign.schema_version", &[]).await?;
    u32::try_from(version.number(0)?).map_err(super::values::corrupt)
}

/// Refuses a database that has another version. For `verify`, which reports differences in the schema as findings.
pub(super) async fn check_version(session: &Session) -> Result<()> {
    match version(session).await? {
        VERSION => Ok(()),
        0 => Err(StoreError::Corrupt("the database has no schema countersign".into())),
        found if found > VERSION => Err(StoreError::Newer { found, known: VERSION }),
        found => Err(StoreError::Older { found, known: VERSION }),
    }
}

/// Creates the schema, or brings it up to date.
pub(super) async fn migrate(session: &Session) -> Result<()> {
    if version(session).await? >= VERSION {
        return check_version(session).await;
    }
    session.run("BEGIN; SET LOCAL lock_timeout = '30s'").await?;
    let migrated = migrate_in(session).await;
    match migrated {
        Ok(()) => session.run("COMMIT").await,
        Err(error) => {
            // The first error says more.
            let _ = session.run("ROLLBACK").await;
            Err(error)
        }
    }
}

/// Creates the schema, or brings it up to date, in the transaction that is open.
pub(super) async fn migrate_in(session: &Session) -> Result<()> {
    session.rows("SELECT pg_advisory_xact_lock(hashtext('countersign.migrate'))", &[]).await?;
    // Another process may have done it while this one was waiting.
    let found = version(session).await?;
    for (number, migration) in (1_u32..).zip(MIGRATIONS).filter(|(number, _)| *number > found) {
        session.run(migration).await?;
        let sql = "INSERT INTO countersign.schema_version (version) VALUES ($1)";
        session.execute(sql, values![i64::from(number)]).await?;
    }
    Ok(())
}

/// How the stored schema differs from this version's: every object that was added, changed or is missing, and every right that
/// somebody should not have.
pub(super) async fn differences(session: &Session) -> Result<Vec<String>> {
    let rows = session.rows(CATALOG, &[]).await?;
    let found: BTreeSet<String> = rows.iter().map(|row| row.text(0).map(flattened)).collect::<Result<_>>()?;
    let expected: BTreeSet<String> = OBJECTS.lines().map(ToOwned::to_owned).collect();
    let name = |line: &String| line.split(": ").next().unwrap_or_default().to_owned();
    let (missing, added): (Vec<_>, Vec<_>) =
        (expected.difference(&found).map(name).collect(), found.difference(&expected).map(name).collect());
    let mut differences = BTreeSet::new();
    for missing in &missing {
        let how = if added.contains(missing) { "was changed" } else { "is missing" };
        differences.insert(format!("the {missing} {how}"));
    }
    for added in added.iter().filter(|added| !missing.contains(added)) {
        // The catalog lists these only if something about them is wrong.
        let how = match added.split(' ').next() {
            Some("partition") => "is not like its table",
            Some("owner") => "is not the schema's owner",
            Some("right") => "is granted",
            _ => "was added",
        };
        differences.insert(format!("the {added} {how}"));
    }
    Ok(differences.into_iter().collect())
}

/// In one line, and without differences that only concern white space.
fn flattened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Refuses a database that has another version or another schema.
pub(super) async fn check_current(session: &Session) -> Result<()> {
    check_version(session).await?;
    match differences(session).await?.as_slice() {
        [] => Ok(()),
        found => Err(StoreError::Schema(found.join("; "))),
    }
}
