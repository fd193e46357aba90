//! Triggers refuse changes of the log, also to the owner of its tables. The program's role lacks most of the rights, too.

use countersign_store::prepare_database;

use super::{
    copies::{StoreCopy, populated},
    roles::TestRole,
    try_execute,
};
use crate::fixture::assert_good;

/// Runs a statement that must fail, and returns the server's message. It runs as the owner or as another role, in a transaction
/// that is rolled back.
#[track_caller]
fn refused(copy: &StoreCopy, role: Option<&TestRole>, sql: &str) -> String {
    let role = role.map(|role| format!("SET ROLE {};", role.quoted())).unwrap_or_default();
    match try_execute(&copy.dir, &format!("SET search_path = countersign; {role} BEGIN; {sql}; ROLLBACK")) {
        Ok(()) => panic!("it was not refused: {sql}"),
        Err(message) => message,
    }
}

/// The owner must be refused with a trigger's message. The program's role must be refused with the same, or because it lacks the
/// right.
#[track_caller]
fn check(statements: &[(&str, &str)]) {
    let copy = StoreCopy::new();
    let role = TestRole::new(&copy.dir, "server");
    prepare_database(&copy.location(), Some(&role.name)).unwrap();
    for (sql, message) in statements {
        assert_eq!(refused(&copy, None, sql), *message, "{sql}");
        let to_role = refused(&copy, Some(&role), sql);
        assert!(to_role == *message || to_role.starts_with("permission denied for table"), "{sql}: {to_role}");
    }
    assert_good(&copy.verify());
}

const LOG: &str = "the event log is append-only";
const BODIES: &str = "event bodies are append-only";
const BODY: &str = "a body goes only by a PAYLOAD_ERASED event that names it";
const LOGS: &str = "logs are append-only";
/// To whoever empties a single partition.
const PARTITION: &str = "the log is append-only";

#[test]
fn the_log_and_its_tree_can_not_be_changed() {
    const TREE: &str = "the ledger is append-only";
    const ERASURES: &str = "erasures are append-only";
    const NAMED: &str = "an erasure needs a PAYLOAD_ERASED event that names it";
    check(&[
        ("UPDATE event_log SET leaf_hash = leaf_hash", LOG),
        ("UPDATE event_log SET seq = seq + 33554432", LOG),
        ("DELETE FROM event_log WHERE seq = 5", LOG),
        ("TRUNCATE event_log", LOG),
        (
            "INSERT INTO event_log (seq, header, leaf_hash) SELECT seq, header, '' FROM event_log
             ON CONFLICT (seq) DO UPDATE SET leaf_hash = excluded.leaf_hash",
            LOG,
        ),
        ("UPDATE event_log_000000 SET leaf_hash = leaf_hash", LOG),
        ("DELETE FROM event_log_000000 WHERE seq = 5", LOG),
        ("TRUNCATE event_log_000000", PARTITION),
        ("UPDATE event_ids SET seq = seq", LOG),
        ("DELETE FROM event_ids WHERE seq = 5", LOG),
        ("TRUNCATE event_ids", LOG),
        ("UPDATE event_bodies SET payload = payload", BODIES),
        // Not even that of an erased event.
        (
            "INSERT INTO event_bodies SELECT 7, salt, payload, metadata FROM event_bodies WHERE seq = 8;
          UPDATE event_bodies SET payload = payload WHERE seq = 7",
            BODIES,
        ),
        ("DELETE FROM event_bodies WHERE seq = 5", BODY),
        ("DELETE FROM event_bodies", BODY),
        ("TRUNCATE event_bodies", BODIES),
        ("UPDATE event_bodies_000000 SET payload = payload", BODIES),
        ("DELETE FROM event_bodies_000000 WHERE seq = 5", BODY),
        ("TRUNCATE event_bodies_000000", PARTITION),
        ("TRUNCATE event_log, event_bodies, event_ids", LOG),
        ("UPDATE erasures SET event_seq = event_seq", ERASURES),
        ("DELETE FROM erasures", ERASURES),
        ("TRUNCATE erasures", ERASURES),
        ("INSERT INTO erasures VALUES (5, 6)", NAMED),
        ("INSERT INTO erasures SELECT 5, event_seq FROM erasures LIMIT 1", NAMED),
        ("INSERT INTO erasures SELECT event_seq, event_seq FROM erasures LIMIT 1", NAMED),
        // Event 7 was erased, so its number is a part of this one.
        ("INSERT INTO erasures SELECT 77, event_seq FROM erasures LIMIT 1", NAMED),
        ("INSERT INTO erasures VALUES (8, 1000000)", NAMED),
        ("UPDATE ledger_nodes SET hash = hash", TREE),
        ("DELETE FROM ledger_nodes", TREE),
        ("TRUNCATE ledger_nodes", TREE),
    ]);
}

#[test]
fn rows_about_transactions_alerts_and_answers_can_not_be_changed() {
    const HISTORY: &str = "the history is append-only";
    check(&[
        ("UPDATE transaction_ids SET seq = seq", "transactions are append-only"),
        ("DELETE FROM transaction_ids WHERE seq = 5", "transactions are append-only"),
        ("TRUNCATE transaction_ids", "transactions are append-only"),
        ("UPDATE user_transactions SET user_id = 'eve'", HISTORY),
        ("DELETE FROM user_transactions WHERE seq = 5", HISTORY),
        ("TRUNCATE user_transactions", HISTORY),
        ("UPDATE alerts SET score = 1 WHERE alert_id = 'a-1'", "alerts are append-only"),
        ("DELETE FROM alerts", "alerts are append-only"),
        ("TRUNCATE alerts", "alerts are append-only"),
        ("UPDATE alert_ranks SET nth = nth", "ranks are append-only"),
        ("DELETE FROM alert_ranks", "ranks are append-only"),
        ("TRUNCATE alert_ranks", "ranks are append-only"),
        ("UPDATE investigations SET risk_score = 1", "investigations are append-only"),
        ("DELETE FROM investigations", "investigations are append-only"),
        ("TRUNCATE investigations", "investigations are append-only"),
        ("UPDATE log_entries SET risk_score = 1", LOGS),
        ("UPDATE log_entries SET idempotency = NULL", LOGS),
        ("DELETE FROM log_entries", LOGS),
        ("TRUNCATE log_entries", LOGS),
        ("UPDATE log_entries_000000 SET risk_score = 1", LOGS),
        ("DELETE FROM log_entries_000000", LOGS),
        ("TRUNCATE log_entries_000000", PARTITION),
        ("UPDATE log_ids SET seq = seq", LOGS),
        ("DELETE FROM log_ids", LOGS),
        ("TRUNCATE log_ids", LOGS),
        ("UPDATE open_answers SET state = 'failed'", "an open answer only goes on"),
        ("UPDATE open_answers SET seq = seq - 1", "an open answer only goes on"),
        ("UPDATE open_answers SET log_id = 'x', seq = seq + 1", "an open answer only goes on"),
        ("DELETE FROM open_answers", "an open answer ends with its audit"),
        ("TRUNCATE open_answers", "an open answer ends with its audit"),
    ]);
}

#[test]
fn rows_about_reports_and_cases_can_not_be_changed() {
    const REPORTS: &str = "reports are append-only";
    const CONTENT: &str = "a report's content is never changed";
    const CASE: &str = "a case only goes on, by an event about it";
    const STATE: &str = "a report's state goes only with a newer version";
    check(&[
        ("UPDATE report_entries SET risk_score = 1", REPORTS),
        ("DELETE FROM report_entries", REPORTS),
        ("TRUNCATE report_entries", REPORTS),
        (
            "INSERT INTO report_entries (seq, id, investigation_id, report_type, version) VALUES (5, 'x', 'y', 'full', 1)",
            "a report needs its alert, severity, score, hash and time",
        ),
        ("UPDATE report_bodies SET content = content", CONTENT),
        ("DELETE FROM report_bodies", "a report's content goes only by a PAYLOAD_ERASED event that names it"),
        ("TRUNCATE report_bodies", CONTENT),
        ("UPDATE validation_entries SET passed = 1", "validations are append-only"),
        ("DELETE FROM validation_entries", "validations are append-only"),
        ("TRUNCATE validation_entries", "validations are append-only"),
        ("UPDATE review_entries SET report_id = 'x'", "reviews are append-only"),
        ("DELETE FROM review_entries", "reviews are append-only"),
        ("TRUNCATE review_entries", "reviews are append-only"),
        ("UPDATE case_states SET state = 'disposed'", CASE),
        ("UPDATE case_states SET state = 'disposed', seq = seq - 1", CASE),
        // The events at the end are about no case.
        ("UPDATE case_states SET state = 'disposed', seq = (SELECT max(seq) FROM event_log)", CASE),
        ("UPDATE case_states SET assigned_to = NULL WHERE assigned_to IS NOT NULL", CASE),
        ("INSERT INTO case_states VALUES ('x', 5, 'open', 'open')", CASE),
        ("DELETE FROM case_states", "a case is never removed"),
        ("TRUNCATE case_states", "a case is never removed"),
        ("INSERT INTO report_states VALUES (5, 'open')", "a report's state begins with the report"),
        ("UPDATE report_states SET seq = seq + 1000", "only the state of a report that is not disposed of moves"),
        ("DELETE FROM report_states", STATE),
        ("TRUNCATE report_states", STATE),
    ]);
}

/// What is left of an erased event may be blanked again, and nothing else.
#[test]
fn rows_of_erased_events_can_be_blanked_but_not_filled() {
    const ERASED: &str = "IN (SELECT seq FROM erasures)";
    let copy = StoreCopy::new();
    let role = TestRole::new(&copy.dir, "server");
    prepare_database(&copy.location(), Some(&role.name)).unwrap();
    for sql in [
        "INSERT INTO event_bodies SELECT 7, salt, payload, metadata FROM event_bodies WHERE seq = 8;
         DELETE FROM event_bodies WHERE seq",
        "INSERT INTO user_transactions VALUES (7, 'user-1'); DELETE FROM user_transactions WHERE seq",
        "INSERT INTO report_bodies SELECT seq, '{}' FROM erasures; DELETE FROM report_bodies WHERE seq",
        "UPDATE alerts SET user_id = NULL, severity = NULL, score = NULL, transaction_id = NULL WHERE seq",
        "UPDATE investigations SET alert_id = NULL, user_id = NULL, severity = NULL, risk_score = NULL WHERE seq",
        "UPDATE log_entries SET idempotency = NULL WHERE seq",
        "UPDATE report_entries SET severity = NULL WHERE seq",
    ] {
        let sql = format!("{sql} {ERASED}");
        let as_role = format!("SET search_path = countersign; SET ROLE {}; BEGIN; {sql}; COMMIT", role.quoted());
        try_execute(&copy.dir, &as_role).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    for (sql, message) in [
        ("UPDATE log_entries SET idempotency = 'x' WHERE seq", LOGS),
        ("UPDATE log_entries SET risk_score = 1 WHERE seq", LOGS),
        ("UPDATE log_entries SET id = 'x' WHERE seq", LOGS),
        ("UPDATE report_entries SET severity = 'HIGH' WHERE seq", "reports are append-only"),
        ("UPDATE report_entries SET version = 7 WHERE seq", "reports are append-only"),
        ("DELETE FROM alerts WHERE seq", "alerts are append-only"),
        ("DELETE FROM log_entries WHERE seq", LOGS),
    ] {
        let sql = format!("{sql} {ERASED}");
        assert_eq!(refused(&copy, None, &sql), message, "{sql}");
    }
    let report = copy.verify();
    assert_good(&report);
    assert_eq!(report.erased, populated().verify().erased);
}
