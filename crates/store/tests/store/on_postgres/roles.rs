//! A server whose role has only the rights that `prepare-database` grants.

use std::{env, fmt::Write};

use countersign_domain::AgentState;
use countersign_ledger::WitnessSigningKey;
use countersign_store::{
    DataDir, LogQuery, RegistryEntry, SearchCheck, StatsQuery, Store, StoreError, StoreLocation, Threading, backup,
    prepare_database, verify, verify_search,
};
use countersign_test_store::{POSTGRES, create_database};

use super::{
    copies::{StoreCopy, database_of, on_server},
    try_execute,
};
use crate::{
    fixture::{Fixture, assert_good, assert_says},
    populated::fill,
};

/// A role of one test, which is dropped with its rights. Roles belong to the whole server, so its name has that of the test's
/// database in it.
pub(super) struct TestRole {
    pub(super) name: String,
    dir: DataDir,
}

impl TestRole {
    pub(super) fn new(dir: &DataDir, name: &str) -> Self {
        let role = Self { name: format!("{}_{name}", database_of(dir)), dir: dir.clone() };
        on_server(format!("CREATE ROLE {} LOGIN", role.quoted()));
        role
    }

    pub(super) fn quoted(&self) -> String {
        format!("\"{}\"", self.name.replace('"', "\"\""))
    }

    /// The store of the role's data directory, as this role.
    fn location(&self) -> StoreLocation {
        let server = env::var(POSTGRES).unwrap();
        let (_, host) = server.rsplit_once('@').unwrap();
        let (host, _) = host.rsplit_once('/').unwrap();
        let user = self.name.bytes().fold(String::new(), |mut user, byte| {
            write!(user, "%{byte:02X}").unwrap();
            user
        });
        let address = format!("postgres://{user}@{host}/{}", database_of(&self.dir));
        StoreLocation::on_postgres(self.dir.clone(), &address).unwrap()
    }

    /// Runs a statement as this role. An error is the server's message.
    fn execute(&self, sql: &str) -> Result<(), String> {
        try_execute(
            &self.dir,
            &format!("SET SESSION AUTHORIZATION {}; SET search_path = countersign; {sql}", self.quoted()),
        )
    }
}

impl Drop for TestRole {
    fn drop(&mut self) {
        // If the database is gone, so are the role's rights in it.
        let _ = try_execute(&self.dir, &format!("REASSIGN OWNED BY {0} TO postgres; DROP OWNED BY {0}", self.quoted()));
        on_server(format!("DROP ROLE {}", self.quoted()));
    }
}

/// An empty database that belongs to one role, and a server's role without rights.
struct Roles {
    fixture: Fixture,
    owner: TestRole,
    server: TestRole,
}

impl Roles {
    fn new() -> Self {
        Self::with_server("server")
    }

    fn with_server(name: &str) -> Self {
        let fixture = Fixture::new();
        let dir = fixture.dir();
        create_database(dir.path());
        let (owner, server) = (TestRole::new(&dir, "owner"), TestRole::new(&dir, name));
        on_server(format!("ALTER DATABASE {} OWNER TO {}", database_of(&dir), owner.quoted()));
        Self { fixture, owner, server }
    }

    fn prepare(&self) {
        prepare_database(&self.owner.location(), Some(&self.server.name)).unwrap();
    }

    fn open(&self) -> Store {
        Store::open(&self.server.location(), Threading::Threaded, self.fixture.seams.clone()).unwrap()
    }

    #[track_caller]
    fn refused(&self) -> StoreError {
        match Store::open(&self.server.location(), Threading::Threaded, self.fixture.seams.clone()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error,
        }
    }

    fn verify(&self) {
        for role in [&self.server, &self.owner] {
            assert_good(&verify(&role.location(), None, &mut |_, _| {}).unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_the_granted_rights_can_do_everything() {
    let roles = Roles::new();
    roles.prepare();
    // Ingests, appends, makes steps, writes reports, reviews, erases, replays dead letters, creates keys and signs checkpoints.
    fill(&roles.fixture, roles.open()).await;
    roles.verify();

    let (store, f) = (roles.open(), &roles.fixture);
    assert!(!store.has_unfinished_work().await.unwrap(), "it was closed in order");
    store.append(vec![f.started("again")]).await.unwrap();
    store.mark_low("mirror", 5).await.unwrap();
    assert_eq!(store.count_attempt("mirror", 6).await.unwrap(), 1);
    store.register(registered()).await.unwrap();
    assert_eq!(store.registry().await.unwrap(), [registered()]);
    store.release_replays("webhooks").await.unwrap();
    f.clock.move_by_seconds(61);
    assert!(store.sign_checkpoint().await.unwrap());
    let witness = WitnessSigningKey::from_seed("witness.example/w", &[5; 32]).unwrap();
    let cosignature = witness.cosign(&store.checkpoint().unwrap(), 100).unwrap();
    store.add_cosignature(store.signed_size(), &cosignature).await.unwrap();
    while store.index_logs_step().await.unwrap() {}
    let found = store.logs(LogQuery { text: Some("because".into()), limit: 10, ..Default::default() }).await.unwrap();
    assert_eq!(found.items.len(), 3, "of four logs, one is erased");
    assert_eq!(store.log_stats(StatsQuery::default()).await.unwrap().scores.iter().sum::<u64>(), 4);
    let size = store.size().await.unwrap();
    assert!(!store.consistency(1, size).await.unwrap().is_empty());
    store.close().await.unwrap();
    drop(store);

    roles.verify();
    assert_eq!(verify_search(&roles.server.location()).unwrap(), SearchCheck::Matches { events: size });
    backup(&roles.server.location(), &f.folder.path().join("backup"), &mut |_, _| {}).unwrap();
    roles.open().close().await.unwrap();
}

fn registered() -> RegistryEntry {
    let at = "2026-03-01T09:30:00Z".parse().unwrap();
    RegistryEntry {
        name: "mirror".into(),
        state: AgentState::Listen,
        priority: 0,
        paused: false,
        started_at: at,
        heartbeat_at: at,
        processed: 1,
        failed: 0,
        dead_lettered: 0,
        lag: 0,
        last_error: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_makes_partitions_without_the_right_to_create_tables() {
    let roles = Roles::new();
    roles.prepare();
    let store = roles.open();
    store.append(vec![roles.fixture.started("x")]).await.unwrap();
    roles.server.execute("SELECT countersign.add_partitions(2 * 33554432)").unwrap();
    let inserted =
        "INSERT INTO event_log (seq, header, leaf_hash) SELECT 33554432 + 5, header, leaf_hash FROM event_log";
    roles.server.execute(&format!("BEGIN; {inserted}; ROLLBACK")).unwrap();
    store.append(vec![roles.fixture.started("y")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    roles.verify();
    for partition in ["event_log_000001", "event_bodies_000001", "log_entries_000001"] {
        let refused = roles.server.execute(&format!("TRUNCATE {partition}")).unwrap_err();
        assert!(refused.starts_with("permission denied"), "{refused}");
        assert_eq!(roles.owner.execute(&format!("TRUNCATE {partition}")).unwrap_err(), "the log is append-only");
    }
}

#[test]
fn a_server_may_not_change_the_schema_or_switch_triggers_off() {
    let roles = Roles::new();
    roles.prepare();
    drop(roles.open());
    for sql in [
        "TRUNCATE event_log",
        "TRUNCATE log_words",
        "TRUNCATE process_state",
        "ALTER TABLE event_log DISABLE TRIGGER event_log_append_only",
        "ALTER TABLE event_log DISABLE TRIGGER ALL",
        "ALTER TABLE alerts ADD COLUMN extra text",
        "ALTER TABLE alerts OWNER TO CURRENT_USER",
        "ALTER TABLE event_log DETACH PARTITION event_log_000000",
        "ALTER SCHEMA countersign RENAME TO another",
        "DROP TRIGGER event_log_append_only ON event_log",
        "DROP TABLE log_words",
        "DROP INDEX alerts_by_user",
        "DROP FUNCTION refuse() CASCADE",
        "DROP SCHEMA countersign CASCADE",
        "CREATE TABLE extra (a bigint)",
        "CREATE INDEX extra ON alerts (score)",
        "CREATE TRIGGER extra BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION refuse('x')",
        "CREATE RULE extra AS ON INSERT TO alerts DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "CREATE TABLE public.extra (LIKE alerts)",
        "INSERT INTO schema_version VALUES (2)",
        "UPDATE schema_version SET version = 2",
        "DELETE FROM schema_version",
        "DELETE FROM ledger_head",
        "DELETE FROM access_keys",
        "DELETE FROM dead_letters",
        "DELETE FROM agent_progress",
        "UPDATE event_log SET leaf_hash = leaf_hash",
        "INSERT INTO event_log_000000 (seq, header, leaf_hash) VALUES (0, '{}', '')",
        "SET session_replication_role = replica",
    ] {
        let refused = roles.server.execute(sql).expect_err(sql);
        assert!(refused.starts_with("permission denied") || refused.starts_with("must be owner"), "{sql}: {refused}");
    }
}

#[test]
fn a_role_without_rights_is_told_to_prepare_the_database() {
    let roles = Roles::new();
    let check = || match roles.refused() {
        StoreError::Address(why) => assert!(why.contains("prepare-database"), "{why}"),
        other => panic!("{other:?}"),
    };
    // There is no schema, and the role may not create one.
    check();
    // There is one, which the role may not use.
    prepare_database(&roles.owner.location(), None).unwrap();
    check();
    // It may use it, but has no right to any table.
    roles.owner.execute(&format!("GRANT USAGE ON SCHEMA countersign TO {}", roles.server.quoted())).unwrap();
    check();
    // It may only read.
    let read = format!("GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO {}", roles.server.quoted());
    roles.owner.execute(&read).unwrap();
    check();
    roles.prepare();
    drop(roles.open());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_owns_the_database_needs_no_preparation() {
    let roles = Roles::new();
    let open = || Store::open(&roles.owner.location(), Threading::Threaded, roles.fixture.seams.clone()).unwrap();
    let store = open();
    store.append(vec![roles.fixture.started("x")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    // It can be separated from the server's role later.
    roles.prepare();
    let store = roles.open();
    assert_eq!(store.append(vec![roles.fixture.started("y")]).await.unwrap(), 1);
    store.close().await.unwrap();
    drop(store);
    roles.verify();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_must_be_quoted_is_a_role_like_any_other() {
    let roles = Roles::with_server("Ä \"x\"; DROP VIEW y; --'");
    roles.prepare();
    let store = roles.open();
    store.append(vec![roles.fixture.started("x")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    roles.verify();
}

#[test]
fn a_role_that_does_not_exist_is_refused() {
    let roles = Roles::new();
    match prepare_database(&roles.owner.location(), Some("nobody-at-all")) {
        Err(StoreError::Conflict(why)) => assert!(why.contains("there is no role nobody-at-all"), "{why}"),
        other => panic!("{other:?}"),
    }
    roles.prepare();
}

#[test]
fn a_database_may_be_prepared_again_and_rights_that_were_added_are_taken_back() {
    let roles = Roles::new();
    roles.prepare();
    drop(roles.open());
    let server = roles.server.quoted();
    for (right, refused) in [
        (format!("GRANT TRUNCATE, TRIGGER ON event_log TO {server}"), "TRUNCATE event_log"),
        (format!("GRANT UPDATE (header) ON event_log TO {server}"), "UPDATE event_log SET header = header"),
        (format!("GRANT DELETE ON access_keys TO {server}"), "DELETE FROM access_keys"),
        (format!("GRANT INSERT ON schema_version TO {server}"), "INSERT INTO schema_version VALUES (2)"),
        (format!("GRANT CREATE ON SCHEMA countersign TO {server}"), "CREATE TABLE extra (a bigint)"),
    ] {
        roles.owner.execute(&right).unwrap();
        roles.prepare();
        let message = roles.server.execute(&format!("BEGIN; {refused}; ROLLBACK")).expect_err(&right);
        assert!(message.starts_with("permission denied"), "{right}: {message}");
    }
    roles.verify();
}

#[test]
fn a_right_to_empty_a_table_is_a_finding() {
    let copy = StoreCopy::new();
    let role = TestRole::new(&copy.dir, "server");
    prepare_database(&copy.location(), Some(&role.name)).unwrap();
    assert_good(&copy.verify());
    for (right, table) in [("TRUNCATE", "event_log"), ("TRIGGER", "alerts"), ("TRUNCATE", "event_log_000000")] {
        let (on, to) = (format!("{right} ON countersign.{table}"), role.quoted());
        try_execute(&copy.dir, &format!("GRANT {on} TO {to}")).unwrap();
        assert_says(&copy.verify(), &format!("the right to {right} of {} on {table} is granted", role.name));
        assert!(matches!(copy.refused(), StoreError::Schema(_)));
        try_execute(&copy.dir, &format!("REVOKE {on} FROM {to}")).unwrap();
        assert_good(&copy.verify());
    }
}
