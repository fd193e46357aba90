//! Opening the database file: settings, version and schema.
//!
//! There is one schema, `migrations/0001_schema.sql`. A new file gets it; any other schema is refused.

use std::{fs, path::Path, sync::OnceLock, time::Duration};

use rusqlite::{Connection, TransactionBehavior, config::DbConfig};

use super::schema_object::SchemaObject;
use crate::error::{Result, StoreError};

const SCHEMA: &str = include_str!("../../migrations/0001_schema.sql");
/// Kept in the file's `user_version`, where 0 means a new file.
const SCHEMA_VERSION: u32 = 9;

/// Marks the file as ours (`file` and `sqlite3 .dbinfo` show it).
const APPLICATION_ID: i32 = 0x4373_6c67;
/// Earlier versions can corrupt a database when its write-ahead log is reset.
const SQLITE_MIN: (i32, &str) = (3_051_003, "3.51.3");

/// How long to wait for another process, such as a backup that is starting.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn open_for_writing(path: &Path) -> Result<Connection> {
    check_sqlite(rusqlite::version_number())?;
    create_private(path)?;
    let mut conn = Connection::open(path)?;
    conn.set_prepared_statement_cache_capacity(96);
    keep_plans(&conn)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    // The write-ahead log's file keeps its size: overwriting a file syncs in half the time of growing it.
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA recursive_triggers = ON;
         PRAGMA secure_delete = ON;
         PRAGMA cache_size = -8192;
         PRAGMA temp_store = MEMORY;
         PRAGMA wal_autocheckpoint = 4000;
         PRAGMA journal_size_limit = 134217728;",
    )?;
    create_if_new(&mut conn)?;
    check_current(&conn)?;
    Ok(conn)
}

/// Statements are planned once. Otherwise SQLite plans a cached statement again for each new bound value, which is half the cost
/// of a short query.
pub(crate) fn keep_plans(conn: &Connection) -> Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Creates the file so that only its owner can read it. SQLite gives the database's other files the same permissions.
pub(crate) fn create_private(path: &Path) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(|_| ()).map_err(StoreError::io(format!("{} can't be opened", path.display())))
}

fn check_sqlite(number: i32) -> Result<()> {
    let (minimum, name) = SQLITE_MIN;
    if number >= minimum {
        return Ok(());
    }
    let found = format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
    Err(StoreError::OldDatabase { database: "SQLite", found, minimum: name, why: "can corrupt a write-ahead log" })
}

pub(crate) fn version(conn: &Connection) -> Result<u32> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Refuses a file that has another version or another schema.
pub(crate) fn check_current(conn: &Connection) -> Result<()> {
    check_version(conn)?;
    match differences(conn)?.as_slice() {
        [] => Ok(()),
        found => Err(StoreError::Schema(found.join("; "))),
    }
}

/// Refuses a file that has another version. For `verify`, which reports differences in the schema as findings.
pub(crate) fn check_version(conn: &Connection) -> Result<()> {
    match version(conn)? {
        SCHEMA_VERSION => Ok(()),
        0 => Err(StoreError::Corrupt("this is not a countersign store".into())),
        found if found > SCHEMA_VERSION => Err(StoreError::Newer { found, known: SCHEMA_VERSION }),
        found => Err(StoreError::Older { found, known: SCHEMA_VERSION }),
    }
}

/// How the stored schema differs from this version's: every object that was added, changed or is missing.
pub(crate) fn differences(conn: &Connection) -> Result<Vec<String>> {
    static EXPECTED: OnceLock<Vec<SchemaObject>> = OnceLock::new();
    let expected = match EXPECTED.get() {
        Some(expected) => expected,
        None => {
            let mut reference = Connection::open_in_memory()?;
            create(&mut reference, SCHEMA)?;
            let made = SchemaObject::all(&reference)?;
            EXPECTED.get_or_init(|| made)
        }
    };
    let mut found = SchemaObject::differences(expected, &SchemaObject::all(conn)?);
    let id: i32 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id != APPLICATION_ID {
        found.push("the application id in the file's header was changed".to_owned());
    }
    Ok(found)
}

/// Creates the schema in an empty file, in one transaction: an interrupted attempt leaves the file empty.
fn create_if_new(conn: &mut Connection) -> Result<()> {
    let is_empty = !conn.prepare("SELECT 1 FROM sqlite_schema")?.exists([])?;
    if is_empty && version(conn)? == 0 {
        create(conn, SCHEMA)?;
    }
    Ok(())
}

/// Creates the schema's tables in an empty file, without the rows that a new store begins with. [`complete`] adds the rest.
pub(crate) fn create_tables(conn: &Connection) -> Result<()> {
    create_objects(conn, "type = 'table'")
}

/// Adds indexes, triggers and views to tables that have been filled.
pub(crate) fn complete(conn: &Connection) -> Result<()> {
    create_objects(conn, "type <> 'table'")?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(conn.pragma_update(None, "user_version", SCHEMA_VERSION)?)
}

/// Creates the objects that a condition selects, in the order of the schema.
fn create_objects(conn: &Connection, condition: &str) -> Result<()> {
    let mut reference = Connection::open_in_memory()?;
    create(&mut reference, SCHEMA)?;
    let sql = format!("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND {condition} ORDER BY rowid");
    let mut statement = reference.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        conn.execute_batch(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
    }
    Ok(())
}

fn create(conn: &mut Connection, schema: &str) -> Result<()> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(schema)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        derive::event_row::EventTable,
        sqlite::{cases, commit, event_tables::statements, ranks, reports},
    };

    #[test]
    fn an_interrupted_creation_leaves_nothing_and_is_repeated() {
        let mut conn = Connection::open_in_memory().unwrap();
        assert!(create(&mut conn, "CREATE TABLE a (x); CREATE TABLE a (x);").is_err());
        assert_eq!((version(&conn).unwrap(), SchemaObject::all(&conn).unwrap()), (0, vec![]));
        create_if_new(&mut conn).unwrap();
        check_current(&conn).unwrap();
        create_if_new(&mut conn).unwrap();
        check_current(&conn).unwrap();
    }

    /// Every build that knows a version opens stores of that version, so the version's schema must never change.
    #[test]
    fn another_schema_needs_another_version() {
        let mut conn = Connection::open_in_memory().unwrap();
        create_if_new(&mut conn).unwrap();
        let listing = SchemaObject::listing(&SchemaObject::all(&conn).unwrap());
        let hash = countersign_ledger::sha256(listing.as_bytes()).to_hex();
        assert_eq!(
            (SCHEMA_VERSION, hash.as_str()),
            (9, "8806f59e585999aae040d1921feda2cdca94d4316dafae13479f8764f4c132b2")
        );
    }

    #[test]
    fn a_database_of_another_program_is_refused_and_left_alone() {
        let mut conn = Connection::open_in_memory().unwrap();
        conn.execute_batch("CREATE TABLE theirs (x)").unwrap();
        create_if_new(&mut conn).unwrap();
        assert_eq!(SchemaObject::all(&conn).unwrap().len(), 1);
        let refused = check_current(&conn).unwrap_err().to_string();
        assert!(refused.contains("not a countersign store"), "{refused}");
    }

    #[test]
    fn an_older_or_newer_store_is_refused() {
        let mut conn = Connection::open_in_memory().unwrap();
        create_if_new(&mut conn).unwrap();
        conn.pragma_update(None, "user_version", 8).unwrap();
        assert!(matches!(check_current(&conn), Err(StoreError::Older { found: 8, known: 9 })));
        conn.pragma_update(None, "user_version", 10).unwrap();
        assert!(matches!(check_current(&conn), Err(StoreError::Newer { found: 10, known: 9 })));
    }

    /// The conflict action, as `EXPLAIN` shows it, that undoes what the statement has changed.
    const ABORT: i64 = 2;

    const UPDATE: &str = "UPDATE case_states SET seq = ?1, state = ?2, alert_state = ?3, severity = ?4, report_id = ?5,
                            alert_seq = ?6, opened_seq = ?7, report_seq = ?8 WHERE investigation_id = ?9";

    #[test]
    fn appending_an_event_builds_no_temporary_table_and_copies_no_page_for_undoing() {
        let mut conn = Connection::open_in_memory().unwrap();
        create_if_new(&mut conn).unwrap();
        let appends = [commit::EVENT_SQL, commit::BODY_SQL, commit::NODE_SQL, reports::BODY_SQL, ranks::INSERT_SQL];
        let rows = EventTable::ALL.map(|table| statements(table).insert);
        let moves = [cases::MOVE_REPORT_SQL, cases::DROP_REPORT_SQL, UPDATE];
        let begins = [cases::INSERT_SQL, cases::INSERT_REPORT_SQL];
        for sql in appends.into_iter().chain(rows).chain(begins).chain(moves) {
            // If an update of many rows is refused, none of its changes may stay.
            let may_be_undone = moves.contains(&sql);
            let mut program = conn.prepare(&format!("EXPLAIN {sql}")).unwrap();
            let mut lines = program.raw_query();
            while let Some(line) = lines.next().unwrap() {
                let (code, refusal, action): (String, i64, i64) =
                    (line.get(1).unwrap(), line.get(2).unwrap(), line.get(3).unwrap());
                assert_ne!(code, "OpenEphemeral", "{sql}");
                let is_undone = code.starts_with("Halt") && refusal != 0 && action == ABORT;
                assert!(may_be_undone || !is_undone, "{sql}");
            }
        }
    }

    #[test]
    fn every_column_that_is_generated_from_a_header_has_an_index() {
        let mut conn = Connection::open_in_memory().unwrap();
        create_if_new(&mut conn).unwrap();
        let without = "SELECT name FROM pragma_table_xinfo('event_log') WHERE hidden <> 0 AND name NOT IN
                       (SELECT i.name FROM pragma_index_list('event_log') l, pragma_index_info(l.name) i)";
        let mut statement = conn.prepare(without).unwrap();
        let names: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(names, Vec::<String>::new());
    }

    #[test]
    fn unknown_words_are_refused_by_their_columns() {
        let mut conn = Connection::open_in_memory().unwrap();
        create_if_new(&mut conn).unwrap();
        conn.execute_batch("DROP TRIGGER case_states_by_event; DROP TRIGGER report_states_by_report").unwrap();
        let report = |kind: &str, severity: &str| {
            format!(
                "INSERT INTO report_entries VALUES (1, 'r', 'i', {kind}, 1, 'a', NULL, {severity}, 70, 'h', 't', NULL)"
            )
        };
        let case = |state: &str, alert_state: &str, severity: &str| {
            let states = format!("{state}, {alert_state}, {severity}");
            format!("INSERT INTO case_states VALUES ('i', 1, {states}, NULL, NULL, 1, NULL, NULL, NULL)")
        };
        for sql in [
            "INSERT INTO open_answers VALUES ('a', 1, 'lost')".to_owned(),
            "INSERT INTO alert_ranks VALUES (1, 'HIGH', 70, 1)".to_owned(),
            report("'short'", "'HIGH'"),
            report("'full'", "'LOW'"),
            case("'new'", "'open'", "'high'"),
            case("'open'", "'new'", "'high'"),
            case("'open'", "'open'", "'HIGH'"),
            "INSERT INTO report_states VALUES (1, 'new')".to_owned(),
        ] {
            let error = conn.execute(&sql, []).unwrap_err().to_string();
            assert!(error.starts_with("CHECK constraint failed"), "{sql}: {error}");
        }
        for sql in [
            "INSERT INTO open_answers VALUES ('a', 1, 'failed')".to_owned(),
            "INSERT INTO alert_ranks VALUES (1, 'critical', 70, 1)".to_owned(),
            report("'full'", "'CRITICAL'"),
            case("'disposed'", "'closed'", "NULL"),
            "INSERT INTO report_states VALUES (1, 'sent_back')".to_owned(),
        ] {
            conn.execute(&sql, []).unwrap();
        }
    }

    #[test]
    fn a_sqlite_that_can_corrupt_a_write_ahead_log_is_refused() {
        assert!(matches!(check_sqlite(3_050_004), Err(StoreError::OldDatabase { .. })));
        assert!(check_sqlite(rusqlite::version_number()).is_ok());
    }
}
