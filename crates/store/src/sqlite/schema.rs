//! Opening the database file: settings, version checks, migrations.

use std::{fs, path::Path, sync::OnceLock, time::Duration};

use rusqlite::{Connection, TransactionBehavior, config::DbConfig};

use super::{cases, schema_object::SchemaObject};
use crate::error::{Result, StoreError};

/// Forward only, in order, each in one transaction together with its number: an interrupted one never happened.
const MIGRATIONS: [Migration; 9] = [
    Migration::of(include_str!("../../migrations/0001_log.sql")),
    Migration::of(include_str!("../../migrations/0002_answers.sql")),
    Migration::of(include_str!("../../migrations/0003_investigations.sql")),
    Migration::of(include_str!("../../migrations/0004_no_replace.sql")),
    Migration::of(include_str!("../../migrations/0005_ranks.sql")),
    Migration::of(include_str!("../../migrations/0006_light_checks.sql")),
    Migration { sql: include_str!("../../migrations/0007_report_states.sql"), then: cases::catch_up },
    Migration { sql: include_str!("../../migrations/0008_disposed_reports.sql"), then: cases::catch_up },
    Migration::of(include_str!("../../migrations/0009_sealed_head.sql")),
];

struct Migration {
    sql: &'static str,
    /// What SQL can't: rows that are derived from events which are there already.
    then: fn(&Connection) -> Result<()>,
}

impl Migration {
    const fn of(sql: &'static str) -> Self {
        Self { sql, then: |_| Ok(()) }
    }
}

/// Marks the file as ours (`file` and `sqlite3 .dbinfo` show it).
const APPLICATION_ID: i32 = 0x4373_6c67;
/// Earlier versions can corrupt a database when its write-ahead log is reset.
const SQLITE_LEAST: (i32, &str) = (3_051_003, "3.51.3");

/// How long to wait for another process, such as a backup that begins.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Schema versions run from 1; 0 is an empty file.
pub(crate) fn newest() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

pub(crate) fn open_for_writing(path: &Path) -> Result<Connection> {
    check_sqlite(rusqlite::version_number())?;
    create_private(path)?;
    let mut conn = Connection::open(path)?;
    conn.set_prepared_statement_cache_capacity(96);
    keep_plans(&conn)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    // The log's file stays as long as it gets: one that is written over syncs in half the time of one that grows.
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
    migrate(&mut conn, &MIGRATIONS)?;
    refuse_differences(&conn)?;
    Ok(conn)
}

/// Plans are made once. Otherwise SQLite looks at what is bound to a statement and, where that is another value than last
/// time, parses and plans it anew: half the cost of a short query.
pub(crate) fn keep_plans(conn: &Connection) -> Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// SQLite would let everybody read the file; the files beside it get its permissions.
pub(crate) fn create_private(path: &Path) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(|_| ()).map_err(StoreError::io(format!("{} can't be opened", path.display())))
}

fn check_sqlite(number: i32) -> Result<()> {
    let (least, name) = SQLITE_LEAST;
    if number >= least {
        return Ok(());
    }
    let found = format!("{}.{}.{}", number / 1_000_000, number / 1_000 % 1_000, number % 1_000);
    Err(StoreError::OldSqlite { found, least: name })
}

pub(crate) fn version(conn: &Connection) -> Result<u32> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// For readers of a store that they don't own: neither older nor newer than this binary, and with its schema.
pub(crate) fn check_current(conn: &Connection) -> Result<()> {
    check_version(conn)?;
    refuse_differences(conn)
}

/// For `verify`, which reports differences in the schema as findings instead of failing on them.
pub(crate) fn check_version(conn: &Connection) -> Result<()> {
    match version(conn)? {
        found if found > newest() => Err(StoreError::Newer { found, known: newest() }),
        0 => Err(StoreError::Corrupt("this is not a countersign store".into())),
        found if found < newest() => Err(StoreError::Corrupt(format!(
            "schema {found} is older than {}; start the server once to bring it up",
            newest()
        ))),
        _ => Ok(()),
    }
}

fn refuse_differences(conn: &Connection) -> Result<()> {
    match differences(conn)?.as_slice() {
        [] => Ok(()),
        found => Err(StoreError::Schema(found.join("; "))),
    }
}

/// How the stored schema differs from this version's: every object that was added, changed or is missing.
pub(crate) fn differences(conn: &Connection) -> Result<Vec<String>> {
    static EXPECTED: OnceLock<Vec<SchemaObject>> = OnceLock::new();
    let expected = match EXPECTED.get() {
        Some(expected) => expected,
        None => {
            let mut reference = Connection::open_in_memory()?;
            migrate(&mut reference, &MIGRATIONS)?;
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

fn migrate(conn: &mut Connection, migrations: &[Migration]) -> Result<()> {
    let found = version(conn)?;
    let known = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for (number, migration) in (1_u32..).zip(migrations).skip(found as usize) {
        let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(migration.sql)?;
        (migration.then)(&transaction)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{core, projection::TABLES, ranks, reports};

    #[test]
    fn a_migration_that_breaks_off_leaves_nothing_and_is_run_again() {
        let mut conn = Connection::open_in_memory().unwrap();
        let first = || Migration::of("CREATE TABLE a (x); INSERT INTO a VALUES (1);");
        let half_done = Migration::of("CREATE TABLE b (x); CREATE TABLE a (x);");
        assert!(migrate(&mut conn, &[first(), half_done]).is_err());
        assert_eq!(version(&conn).unwrap(), 1);
        let no_rows = Migration { sql: "CREATE TABLE b (x);", then: |_| Err(StoreError::Closed) };
        assert!(migrate(&mut conn, &[first(), no_rows]).is_err());
        assert_eq!(version(&conn).unwrap(), 1);
        migrate(&mut conn, &[first(), Migration::of("CREATE TABLE b (x);")]).unwrap();
        assert_eq!(version(&conn).unwrap(), 2);
        assert_eq!(conn.query_row("SELECT count(*) FROM a", [], |r| r.get::<_, i64>(0)).unwrap(), 1);
    }

    /// Of a refusal, as `EXPLAIN` shows it: what was changed is undone.
    const ABORT: i64 = 2;

    const UPDATE: &str = "UPDATE case_states SET seq = ?1, state = ?2, alert_state = ?3, severity = ?4, report_id = ?5,
                            alert_seq = ?6, opened_seq = ?7, report_seq = ?8 WHERE investigation_id = ?9";

    #[test]
    fn nothing_on_the_way_of_an_event_builds_a_table_or_has_to_be_undone() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn, &MIGRATIONS).unwrap();
        let statements = [core::EVENT_SQL, core::BODY_SQL, core::NODE_SQL, reports::BODY_SQL, ranks::INSERT_SQL];
        let rows = TABLES.map(|table| table.insert);
        let moves = [cases::MOVE_REPORT_SQL, cases::DROP_REPORT_SQL, UPDATE];
        let begins = [cases::INSERT_SQL, cases::INSERT_REPORT_SQL];
        for sql in statements.into_iter().chain(rows).chain(begins).chain(moves) {
            // Of an update of many rows none may stay.
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
    fn nothing_is_generated_from_a_header_that_has_no_index() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn, &MIGRATIONS).unwrap();
        let without = "SELECT name FROM pragma_table_xinfo('event_log') WHERE hidden <> 0 AND name NOT IN
                       (SELECT i.name FROM pragma_index_list('event_log') l, pragma_index_info(l.name) i)";
        let mut statement = conn.prepare(without).unwrap();
        let names: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(names, Vec::<String>::new());
    }

    #[test]
    fn words_that_are_none_of_the_known_ones_are_refused() {
        let mut conn = Connection::open_in_memory().unwrap();
        migrate(&mut conn, &MIGRATIONS).unwrap();
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
    fn a_newer_store_is_refused() {
        let mut conn = Connection::open_in_memory().unwrap();
        conn.pragma_update(None, "user_version", 7).unwrap();
        assert!(matches!(
            migrate(&mut conn, &[Migration::of("SELECT 1;")]),
            Err(StoreError::Newer { found: 7, known: 1 })
        ));
    }

    #[test]
    fn a_sqlite_that_can_corrupt_its_log_is_refused() {
        assert!(matches!(check_sqlite(3_050_004), Err(StoreError::OldSqlite { .. })));
        assert!(check_sqlite(rusqlite::version_number()).is_ok());
    }
}
