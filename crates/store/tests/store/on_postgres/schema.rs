//! Creating the schema, and finding what was changed in it.

use std::{
    fs,
    sync::{Arc, Barrier},
};

use countersign_store::{DataDir, Store, StoreError, StoreLocation, Threading, backup, prepare_database, verify};
use countersign_test_store::{address, create_database, run};
use tokio_postgres::Client;

use super::{
    copies::{StoreCopy, database_of, on_server},
    execute, try_execute,
};
use crate::fixture::{Fixture, assert_good};

/// Makes each change by itself. `verify` must find it, and the store must neither be opened nor be backed up.
#[track_caller]
fn check(changes: &[(&str, &str)]) {
    let mut missed = Vec::new();
    for (change, what) in changes {
        let copy = StoreCopy::new();
        try_execute(&copy.dir, &format!("SET search_path = countersign; {change}"))
            .unwrap_or_else(|error| panic!("{change}: {error}"));
        let report = copy.verify();
        if !report.findings.iter().any(|finding| finding.seq.is_none() && finding.what.contains(what)) {
            missed.push(format!("{change}\n  expected: {what}\n  found: {:?}", report.findings));
            continue;
        }
        match copy.refused() {
            StoreError::Schema(why) => assert!(why.contains(what), "{change}: {why}"),
            other => panic!("{change}: {other:?}"),
        }
        let copied = backup(&copy.location(), &copy.dir.path().join("copy"), &mut |_, _| {});
        assert!(matches!(copied, Err(StoreError::Schema(_))), "{change}: {copied:?}");
    }
    assert!(missed.is_empty(), "{} changes were not found as expected:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_changed_trigger_or_function_is_found() {
    const TRIGGER: &str = "the trigger event_log.event_log_append_only";
    const NOTHING: &str =
        "RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS 'BEGIN RETURN coalesce(NEW, OLD); END'";
    let refuse = format!("CREATE OR REPLACE FUNCTION refuse() {NOTHING}");
    let extra = format!("CREATE FUNCTION extra() {NOTHING}");
    check(&[
        ("DROP TRIGGER event_log_append_only ON event_log", &format!("{TRIGGER} is missing")),
        ("ALTER TABLE event_log DISABLE TRIGGER event_log_append_only", &format!("{TRIGGER} was changed")),
        ("ALTER TABLE event_log ENABLE REPLICA TRIGGER event_log_append_only", &format!("{TRIGGER} was changed")),
        ("ALTER TABLE event_log DISABLE TRIGGER ALL", &format!("{TRIGGER} was changed")),
        (
            "DROP TRIGGER event_log_append_only ON event_log; CREATE TRIGGER event_log_append_only BEFORE UPDATE ON event_log
             FOR EACH ROW EXECUTE FUNCTION refuse('the event log is append-only')",
            &format!("{TRIGGER} was changed"),
        ),
        ("ALTER TABLE alerts DISABLE TRIGGER alerts_no_truncate", "the trigger alerts.alerts_no_truncate was changed"),
        (
            "CREATE TRIGGER extra BEFORE INSERT ON alerts FOR EACH ROW WHEN (NEW.user_id = 'user-1')
             EXECUTE FUNCTION refuse('no')",
            "the trigger alerts.extra was added",
        ),
        (&refuse, "the function refuse() was changed"),
        ("ALTER FUNCTION add_partitions(bigint) SECURITY INVOKER", "the function add_partitions(until bigint) was changed"),
        ("ALTER FUNCTION check_case() RESET search_path", "the function check_case() was changed"),
        ("DROP FUNCTION check_case() CASCADE", "the function check_case() is missing"),
        (&extra, "the function extra() was added"),
    ]);
}

#[test]
fn a_changed_table_is_found() {
    check(&[
        ("DROP INDEX alerts_by_user", "the index alerts.alerts_by_user is missing"),
        (
            "DROP INDEX alerts_by_user; CREATE INDEX alerts_by_user ON alerts (user_id)",
            "the index alerts.alerts_by_user was changed",
        ),
        ("DROP INDEX event_log_by_type", "the index event_log.event_log_by_type is missing"),
        ("CREATE INDEX extra ON alerts (score)", "the index alerts.extra was added"),
        ("ALTER TABLE alerts ADD COLUMN extra text", "the column alerts.extra was added"),
        ("ALTER TABLE event_log ADD COLUMN extra text", "the column event_log.extra was added"),
        ("ALTER TABLE alerts DROP COLUMN transaction_id", "the column alerts.transaction_id is missing"),
        ("ALTER TABLE alerts ALTER COLUMN score SET DEFAULT 5", "the column alerts.score was changed"),
        ("ALTER TABLE checkpoints ALTER COLUMN note DROP NOT NULL", "the column checkpoints.note was changed"),
        (
            "ALTER TABLE alert_ranks DROP CONSTRAINT alert_ranks_nth_check",
            "constraint alert_ranks.alert_ranks_nth_check is missing",
        ),
        (
            "ALTER TABLE event_log DROP CONSTRAINT event_log_seq_check",
            "constraint event_log.event_log_seq_check is missing",
        ),
        (
            "ALTER TABLE alerts DROP CONSTRAINT alerts_alert_id_key",
            "the constraint alerts.alerts_alert_id_key is missing",
        ),
        (
            "ALTER TABLE alerts ADD CONSTRAINT extra CHECK (score < 99) NOT VALID",
            "the constraint alerts.extra was added",
        ),
        ("DROP TABLE agent_attempts", "the table agent_attempts is missing"),
        ("CREATE TABLE extra (a bigint)", "the table extra was added"),
        ("CREATE VIEW extra AS SELECT 1", "the view extra was added"),
        ("CREATE MATERIALIZED VIEW extra AS SELECT 1", "the table extra was added"),
        ("CREATE SEQUENCE extra", "the table extra was added"),
        ("DROP VIEW events", "the view events is missing"),
    ]);
}

#[test]
fn rows_that_are_hidden_or_redirected_are_found() {
    check(&[
        ("ALTER TABLE alerts ENABLE ROW LEVEL SECURITY", "the table alerts was changed"),
        ("ALTER TABLE event_log FORCE ROW LEVEL SECURITY", "the table event_log was changed"),
        ("CREATE POLICY extra ON alerts USING (user_id <> 'user-1')", "the policy alerts.extra was added"),
        ("CREATE RULE extra AS ON INSERT TO alerts DO INSTEAD NOTHING", "the rule alerts.extra was added"),
        ("CREATE RULE extra AS ON DELETE TO event_bodies DO INSTEAD NOTHING", "the rule event_bodies.extra was added"),
    ]);
}

#[test]
fn a_changed_partition_is_found() {
    const PARTITION: &str = "the partition event_log_000000 is not like its table";
    check(&[
        ("ALTER TABLE event_log DETACH PARTITION event_log_000000", "the table event_log_000000 was added"),
        ("DROP TRIGGER no_truncate ON event_log_000000", PARTITION),
        ("ALTER TABLE event_log_000000 DISABLE TRIGGER no_truncate", PARTITION),
        ("ALTER TABLE event_log_000000 DISABLE TRIGGER event_log_append_only", PARTITION),
        (
            "CREATE TRIGGER extra BEFORE INSERT ON event_log_000000 FOR EACH ROW EXECUTE FUNCTION refuse('no')",
            PARTITION,
        ),
        ("CREATE INDEX extra ON event_log_000000 (leaf_hash)", PARTITION),
        ("CREATE POLICY extra ON event_log_000000 USING (false)", PARTITION),
        ("CREATE RULE extra AS ON INSERT TO event_log_000000 DO INSTEAD NOTHING", PARTITION),
        ("ALTER TABLE event_bodies_000000 RENAME TO extra", "the partition extra is not like its table"),
        (
            "CREATE TABLE log_entries_000001 PARTITION OF log_entries FOR VALUES FROM (33554432) TO (33554433)",
            "the partition log_entries_000001 is not like its table",
        ),
        ("CREATE TABLE extra PARTITION OF event_log DEFAULT", "the partition extra is not like its table"),
    ]);
}

#[test]
fn a_right_that_everybody_has_is_found() {
    check(&[
        ("GRANT TRUNCATE ON event_log TO PUBLIC", "the right to TRUNCATE of everybody on event_log is granted"),
        ("GRANT SELECT ON event_bodies TO PUBLIC", "the right to SELECT of everybody on event_bodies is granted"),
        (
            "GRANT INSERT ON event_log_000000 TO PUBLIC",
            "the right to INSERT of everybody on event_log_000000 is granted",
        ),
        ("GRANT SELECT ON events TO PUBLIC", "the right to SELECT of everybody on events is granted"),
        (
            "GRANT EXECUTE ON FUNCTION add_partitions TO PUBLIC",
            "right to EXECUTE of everybody on add_partitions is granted",
        ),
    ]);
}

#[test]
fn changes_that_get_around_the_comparison_are_found() {
    let body = "RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'";
    let truncate = format!(
        "CREATE FUNCTION public.nothing() {body}; DROP TRIGGER no_truncate ON event_log_000000;
         CREATE TRIGGER no_truncate AFTER TRUNCATE ON event_log_000000 FOR EACH STATEMENT EXECUTE FUNCTION public.nothing()"
    );
    check(&[
        ("ALTER TABLE alerts SET UNLOGGED", "the table alerts was changed"),
        ("ALTER TABLE event_log_000000 SET UNLOGGED", "event_log_000000"),
        (&truncate, "event_log_000000"),
        ("CREATE TABLE public.extra () INHERITS (countersign.alerts)", "extra"),
        ("CREATE TABLE public.extra PARTITION OF event_log FOR VALUES FROM (33554432) TO (67108864)", "extra"),
        ("ALTER TABLE alerts OWNER TO pg_monitor", "alerts"),
        ("GRANT SELECT (payload) ON event_bodies TO PUBLIC", "of everybody on event_bodies"),
        ("GRANT USAGE ON SCHEMA countersign TO PUBLIC", "of everybody"),
        ("GRANT CREATE ON SCHEMA countersign TO PUBLIC", "of everybody"),
        ("ALTER FUNCTION refuse() OWNER TO pg_monitor", "the owner of refuse is not the schema's owner"),
        ("CREATE TYPE extra AS ENUM ('a')", "extra"),
        (
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$",
            "session_replication_role",
        ),
    ]);
}

/// Somebody may look at the store, or keep statistics about it.
#[test]
fn a_role_that_may_read_is_no_difference() {
    let copy = StoreCopy::new();
    execute(
        &copy.dir,
        "GRANT USAGE ON SCHEMA countersign TO pg_monitor; GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO pg_monitor; ANALYZE",
    );
    assert_good(&copy.verify());
}

#[test]
fn a_schema_of_a_newer_version_is_refused() {
    let copy = StoreCopy::new();
    execute(&copy.dir, "INSERT INTO countersign.schema_version VALUES (2)");
    let is_newer = |error: &StoreError| matches!(error, StoreError::Newer { found: 2, known: 1 });
    let refused = verify(&copy.location(), None, &mut |_, _| {}).unwrap_err();
    assert!(is_newer(&refused), "{refused:?}");
    let refused = copy.refused();
    assert!(is_newer(&refused), "{refused:?}");
    let refused = prepare_database(&copy.location(), None).unwrap_err();
    assert!(is_newer(&refused), "{refused:?}");
    let refused = backup(&copy.location(), &copy.dir.path().join("copy"), &mut |_, _| {}).unwrap_err();
    assert!(is_newer(&refused), "{refused:?}");
}

#[test]
fn a_database_without_a_store_is_not_verified_and_gets_none_by_it() {
    let fixture = Fixture::new();
    let location = fixture.location();
    // A schema alone is no store.
    for sql in ["SELECT 1", "CREATE SCHEMA countersign"] {
        execute(&fixture.dir(), sql);
        let refused = verify(&location, None, &mut |_, _| {}).unwrap_err();
        assert!(matches!(refused, StoreError::NoStore { .. }), "{refused:?}");
        assert!(try_execute(&fixture.dir(), "SELECT FROM countersign.schema_version").is_err());
    }
    drop(fixture.open(Threading::Threaded));
    assert_good(&fixture.verify());
}

#[test]
fn a_database_with_another_encoding_is_refused() {
    let fixture = Fixture::new();
    let dir = fixture.dir();
    on_server(format!(
        "CREATE DATABASE {} ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
        database_of(&dir)
    ));
    let location = StoreLocation::on_postgres(dir.clone(), &address(dir.path())).unwrap();
    let opened = Store::open(&location, Threading::Threaded, fixture.seams.clone()).map(drop);
    for refused in [opened, prepare_database(&location, None)] {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("SQL_ASCII") && refused.contains("must be UTF8"), "{refused}");
    }
    assert!(try_execute(&dir, "SELECT FROM countersign.schema_version").is_err(), "nothing was created");
}

// Several processes at once.

/// Opens stores of several data directories on the first one's database at the same moment.
fn open_at_once(fixture: &Fixture, dirs: &[DataDir]) -> Vec<Result<Store, StoreError>> {
    let address = create_database(dirs[0].path());
    let barrier = Arc::new(Barrier::new(dirs.len()));
    let opening: Vec<_> = dirs
        .iter()
        .map(|dir| {
            let location = StoreLocation::on_postgres(dir.clone(), &address).unwrap();
            let (barrier, seams) = (Arc::clone(&barrier), fixture.seams.clone());
            std::thread::spawn(move || {
                barrier.wait();
                Store::open(&location, Threading::Threaded, seams)
            })
        })
        .collect();
    opening.into_iter().map(|thread| thread.join().unwrap()).collect()
}

fn dirs(fixture: &Fixture, round: usize) -> Vec<DataDir> {
    (0..3).map(|n| DataDir::new(fixture.folder.path().join(format!("{round}-{n}")))).collect()
}

fn good_at(dir: &DataDir, database: &DataDir) {
    let location = StoreLocation::on_postgres(dir.clone(), &address(database.path())).unwrap();
    assert_good(&verify(&location, None, &mut |_, _| {}).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_new_logs_in_one_database_exactly_one_begins() {
    let fixture = Fixture::new();
    for round in 0..5 {
        let dirs = dirs(&fixture, round);
        let opened = open_at_once(&fixture, &dirs);
        for refused in opened.iter().filter_map(|opened| opened.as_ref().err()) {
            assert!(matches!(refused, StoreError::Tampered(_)), "{refused:?}");
            let why = refused.to_string();
            assert!(why.contains("another process has begun a log") || why.contains("belongs to the log"), "{why}");
        }
        let opened: Vec<_> =
            opened.into_iter().zip(&dirs).filter_map(|(store, dir)| Some((store.ok()?, dir))).collect();
        let [(store, dir)] = opened.as_slice() else { panic!("{} stores were opened", opened.len()) };
        assert_eq!(store.append(vec![fixture.started("x")]).await.unwrap(), 0);
        store.close().await.unwrap();
        good_at(dir, &dirs[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_with_the_same_key_create_the_schema_once() {
    let fixture = Fixture::new();
    // A log elsewhere, which is still empty, has the key.
    drop(fixture.open(Threading::Threaded));
    let from = fixture.dir();
    for round in 0..5 {
        let dirs = dirs(&fixture, round);
        for dir in &dirs {
            dir.create().unwrap();
            for (source, target) in
                [(from.checkpoint(), dir.checkpoint()), (from.public_key(), dir.public_key()), (from.key(), dir.key())]
            {
                fs::copy(source, target).unwrap();
            }
        }
        let stores: Vec<_> = open_at_once(&fixture, &dirs).into_iter().map(Result::unwrap).collect();
        for (n, store) in (0..).zip(&stores) {
            assert_eq!(store.append(vec![fixture.started("x")]).await.unwrap(), n);
        }
        for store in &stores {
            store.sign_checkpoint().await.unwrap();
        }
        for store in stores {
            store.close().await.unwrap();
        }
        dirs.iter().for_each(|dir| good_at(dir, &dirs[0]));
    }
}

/// The other process's schema appears while this one waits for its turn to create it. It is a small schema here: a large one makes
/// the server tell the waiting session to look again.
#[test]
fn a_process_that_waited_for_another_ones_migration_does_not_migrate_again() {
    let fixture = Fixture::new();
    let location = fixture.location();
    let preparing = run(&address(fixture.dir().path()), async move |client: Client| {
        let begin = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('countersign.migrate')); CREATE SCHEMA countersign;
                     CREATE TABLE countersign.schema_version (version bigint);
                     INSERT INTO countersign.schema_version VALUES (1)";
        client.batch_execute(begin).await.unwrap();
        let preparing = std::thread::spawn(move || prepare_database(&location, None));
        let is_waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";
        while !client.query_one(is_waiting, &[]).await.unwrap().get::<_, bool>(0) {
            tokio::task::yield_now().await;
        }
        client.batch_execute("COMMIT").await.unwrap();
        preparing
    });
    preparing.join().unwrap().unwrap();
}

#[test]
fn a_database_can_be_prepared_several_times_at_once() {
    let fixture = Fixture::new();
    let location = fixture.location();
    let preparing: Vec<_> = (0..4)
        .map(|_| {
            let location = location.clone();
            std::thread::spawn(move || prepare_database(&location, None))
        })
        .collect();
    for thread in preparing {
        thread.join().unwrap().unwrap();
    }
    drop(fixture.open(Threading::Threaded));
    assert_good(&fixture.verify());
}
