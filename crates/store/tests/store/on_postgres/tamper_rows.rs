//! Changes of the tables that are derived from the log, by somebody with a superuser's rights, are found. Every table has rows here
//! for a changed, a missing and an added row.

use super::tamper::{LAST, check};

#[test]
fn a_changed_missing_or_added_id_is_found() {
    const LOG: &str = "SELECT min(seq) FROM log_entries";
    check(&[
        ("100", "UPDATE event_ids SET seq = seq + 1 WHERE seq = $at", "does not match its row in the table event_ids"),
        (
            "100",
            "UPDATE event_ids SET event_id = gen_random_uuid() WHERE seq = $at",
            "is missing from the table event_ids",
        ),
        ("100", "DELETE FROM event_ids WHERE seq = $at", "is missing from the table event_ids"),
        (
            "100",
            "INSERT INTO event_ids VALUES (gen_random_uuid(), $at)",
            "the table event_ids has a row that no event explains",
        ),
        (
            "1000000",
            "INSERT INTO event_ids VALUES (gen_random_uuid(), $at)",
            "the table event_ids has a row that no event explains",
        ),
        (LOG, "UPDATE log_ids SET seq = seq + 1 WHERE seq = $at", "does not match its row in the table log_ids"),
        (LOG, "UPDATE log_ids SET id = 'x' WHERE seq = $at", "is missing from the table log_ids"),
        (LOG, "DELETE FROM log_ids WHERE seq = $at", "is missing from the table log_ids"),
        (LOG, "INSERT INTO log_ids VALUES ('x', $at)", "the table log_ids has a row that no event explains"),
        ("1000000", "INSERT INTO log_ids VALUES ('x', $at)", "the table log_ids has a row that no event explains"),
        (
            "100",
            "UPDATE transaction_ids SET transaction_id = 'x' WHERE seq = $at",
            "does not match its row in the table transaction_ids",
        ),
        (
            "100",
            "UPDATE transaction_ids SET seq = 1000000 WHERE seq = $at",
            "is missing from the table transaction_ids",
        ),
        ("100", "DELETE FROM transaction_ids WHERE seq = $at", "is missing from the table transaction_ids"),
        ("7", "DELETE FROM transaction_ids WHERE seq = $at", "is missing from the table transaction_ids"),
        (
            "100",
            "INSERT INTO transaction_ids VALUES ($at, 'x')",
            "the table transaction_ids has a row that no event explains",
        ),
        (
            LAST,
            "INSERT INTO transaction_ids VALUES ($at - 1, 'x'); DELETE FROM transaction_ids WHERE seq = $at",
            "is missing from the table transaction_ids",
        ),
        (
            "1000000",
            "INSERT INTO transaction_ids VALUES ($at, 'x')",
            "the table transaction_ids has a row that no event explains",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_row_about_an_alert_is_found() {
    const ALERT: &str = "SELECT min(seq) FROM alerts WHERE alert_id = 'a-3'";
    const OPENED: &str = "SELECT min(seq) FROM investigations";
    check(&[
        (ALERT, "UPDATE alerts SET score = 71 WHERE seq = $at", "does not match its row in the table alerts"),
        (ALERT, "UPDATE alerts SET user_id = NULL WHERE seq = $at", "does not match its row in the table alerts"),
        (ALERT, "UPDATE alerts SET alert_id = 'x' WHERE seq = $at", "does not match its row in the table alerts"),
        (ALERT, "DELETE FROM alerts WHERE seq = $at", "is missing from the table alerts"),
        (
            "0",
            "INSERT INTO alerts (seq, alert_id) VALUES ($at, 'x')",
            "the table alerts has a row that no event explains",
        ),
        (
            "SELECT min(seq) FROM alerts WHERE user_id IS NULL",
            "UPDATE alerts SET user_id = 'user-1' WHERE seq = $at",
            "has no body, but its data is still in the table alerts",
        ),
        (
            ALERT,
            "UPDATE alert_ranks SET nth = nth + 1 WHERE seq = $at",
            "does not match its row in the table alert_ranks",
        ),
        (ALERT, "DELETE FROM alert_ranks WHERE seq = $at", "is missing from the table alert_ranks"),
        (ALERT, "UPDATE alert_ranks SET score = score - 1 WHERE seq = $at", "is missing from the table alert_ranks"),
        (
            "2",
            "INSERT INTO alert_ranks VALUES ($at, 'high', 1, 1)",
            "the table alert_ranks has a row that no event explains",
        ),
        (
            ALERT,
            "INSERT INTO alert_ranks VALUES ($at, 'high', 1, 1)",
            "the table alert_ranks has a row that no event explains",
        ),
        (
            OPENED,
            "UPDATE investigations SET risk_score = 1 WHERE seq = $at",
            "does not match its row in the table investigations",
        ),
        (OPENED, "DELETE FROM investigations WHERE seq = $at", "is missing from the table investigations"),
        (
            "0",
            "INSERT INTO investigations (seq, investigation_id) VALUES ($at, 'x')",
            "the table investigations has a row that no event explains",
        ),
        (
            "100",
            "UPDATE user_transactions SET user_id = 'eve' WHERE seq = $at",
            "does not match its row in the table user_transactions",
        ),
        ("100", "DELETE FROM user_transactions WHERE seq = $at", "is missing from the table user_transactions"),
        (LAST, "INSERT INTO user_transactions VALUES ($at, 'user-4')", "although the detector has not handled it yet"),
        (
            "7",
            "INSERT INTO user_transactions VALUES ($at, 'user-1')",
            "has no body, but its data is still in the table user_transactions",
        ),
        (
            "1000000",
            "INSERT INTO user_transactions VALUES ($at, 'user-1')",
            "the table user_transactions has a row that no event explains",
        ),
        (
            ALERT,
            "INSERT INTO user_transactions VALUES ($at, 'user-1')",
            "the table user_transactions has a row that no event explains",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_row_about_an_answer_is_found() {
    const LOG: &str = "SELECT min(seq) FROM log_entries WHERE idempotency IS NOT NULL";
    const ERASED: &str = "SELECT l.seq FROM log_entries l JOIN erasures e ON e.seq = l.seq";
    const OPEN: &str = "SELECT seq FROM open_answers WHERE state = 'requested'";
    check(&[
        (
            LOG,
            "UPDATE log_entries SET risk_score = 10 WHERE seq = $at",
            "does not match its row in the table log_entries",
        ),
        (
            LOG,
            "UPDATE log_entries SET created_at = created_at + 1 WHERE seq = $at",
            "does not match its row in the table log_entries",
        ),
        (
            LOG,
            "UPDATE log_entries SET idempotency = NULL WHERE seq = $at",
            "does not match its row in the table log_entries",
        ),
        (LOG, "DELETE FROM log_entries WHERE seq = $at", "is missing from the table log_entries"),
        (
            "1",
            "INSERT INTO log_entries VALUES ($at, 'x', 0, 0, NULL)",
            "the table log_entries has a row that no event explains",
        ),
        (
            ERASED,
            "UPDATE log_entries SET risk_score = 10 WHERE seq = $at",
            "does not match its row in the table log_entries",
        ),
        (ERASED, "DELETE FROM log_entries WHERE seq = $at", "is missing from the table log_entries"),
        (
            ERASED,
            "UPDATE log_entries SET idempotency = 'ab' WHERE seq = $at",
            "has no body, but its data is still in the table log_entries",
        ),
        (
            OPEN,
            "UPDATE open_answers SET state = 'failed' WHERE seq = $at",
            "does not match its row in the table open_answers",
        ),
        (OPEN, "UPDATE open_answers SET log_id = 'x' WHERE seq = $at", "is missing from the table open_answers"),
        (OPEN, "DELETE FROM open_answers WHERE seq = $at", "is missing from the table open_answers"),
        (
            "5",
            "INSERT INTO open_answers VALUES ('x', $at, 'failed')",
            "the table open_answers has a row that no event explains",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_row_about_a_report_is_found() {
    const REPORT: &str = "SELECT min(seq) FROM report_entries";
    const VERDICT: &str = "SELECT min(seq) FROM validation_entries";
    const REVIEW: &str = "SELECT min(seq) FROM review_entries";
    const ERASED: &str = "SELECT r.seq FROM report_entries r JOIN erasures e ON e.seq = r.seq";
    check(&[
        (REPORT, "UPDATE report_entries SET risk_score = 1 WHERE seq = $at", "does not match its row in the table report_entries"),
        (REPORT, "UPDATE report_entries SET version = 9 WHERE seq = $at", "does not match its row in the table report_entries"),
        (REPORT, "DELETE FROM report_entries WHERE seq = $at", "is missing from the table report_entries"),
        (
            "1",
            "INSERT INTO report_entries SELECT $at, 'x', 'y', report_type, 1, 'z', NULL, severity, risk_score, content_hash,
             generated_at, NULL FROM report_entries ORDER BY seq LIMIT 1",
            "the table report_entries has a row that no event explains",
        ),
        (ERASED, "UPDATE report_entries SET version = 9 WHERE seq = $at", "does not match its row in the table report_entries"),
        (ERASED, "DELETE FROM report_entries WHERE seq = $at", "is missing from the table report_entries"),
        (
            REPORT,
            "UPDATE report_bodies SET content = replace(content, 'odd', 'fine') WHERE seq = $at",
            "the stored report does not match the hash in its event",
        ),
        (REPORT, "DELETE FROM report_bodies WHERE seq = $at", "the report's content is missing"),
        ("1", "INSERT INTO report_bodies VALUES ($at, '{}')", "has a stored report that does not belong to it"),
        ("1000000", "INSERT INTO report_bodies VALUES ($at, '{}')", "the table report_bodies has a row that no event explains"),
        (ERASED, "INSERT INTO report_bodies VALUES ($at, '{}')", "has no body, but its report is still stored"),
        (
            VERDICT,
            "UPDATE validation_entries SET passed = 1 - passed WHERE seq = $at",
            "does not match its row in the table validation_entries",
        ),
        (VERDICT, "DELETE FROM validation_entries WHERE seq = $at", "is missing from the table validation_entries"),
        (
            "1",
            "INSERT INTO validation_entries VALUES ($at, 'x', 'y', 1, 100, 'z')",
            "the table validation_entries has a row that no event explains",
        ),
        (REVIEW, "UPDATE review_entries SET report_id = 'x' WHERE seq = $at", "does not match its row in the table review_entries"),
        (REVIEW, "DELETE FROM review_entries WHERE seq = $at", "is missing from the table review_entries"),
        (
            "1",
            "INSERT INTO review_entries VALUES ($at, 'x', NULL)",
            "the table review_entries has a row that no event explains",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_state_is_found() {
    const CASE: &str = "SELECT min(seq) FROM case_states WHERE report_seq IS NOT NULL";
    const REPORT: &str = "SELECT min(seq) FROM report_states WHERE state <> 'disposed'";
    check(&[
        (
            CASE,
            "UPDATE case_states SET state = 'disposed' WHERE seq = $at",
            "does not match its row in the table case_states",
        ),
        (
            CASE,
            "UPDATE case_states SET assigned_to = 'eve' WHERE seq = $at",
            "does not match its row in the table case_states",
        ),
        (
            CASE,
            "UPDATE case_states SET alert_seq = 1 WHERE seq = $at",
            "does not match its row in the table case_states",
        ),
        (CASE, "UPDATE case_states SET seq = 1 WHERE seq = $at", "does not match its row in the table case_states"),
        (CASE, "DELETE FROM case_states WHERE seq = $at", "is missing from the table case_states"),
        (
            "2",
            "INSERT INTO case_states VALUES ('x', $at, 'approved', 'closed', 'high')",
            "the table case_states has a row that no event explains",
        ),
        (
            "2",
            "INSERT INTO case_states VALUES ('0e7e9ac4-2a9b-5bd0-b47c-52ac0ea1a0d4', $at, 'approved', 'closed', 'high')",
            "the table case_states has a row that no event explains",
        ),
        (
            REPORT,
            "UPDATE report_states SET state = 'disposed' WHERE seq = $at",
            "does not match its row in the table report_states",
        ),
        (REPORT, "DELETE FROM report_states WHERE seq = $at", "does not match its row in the table report_states"),
        (
            "2",
            "INSERT INTO report_states VALUES ($at, 'approved')",
            "the table report_states has a row that no event explains",
        ),
        (
            "SELECT o.seq FROM report_entries o JOIN report_entries n USING (investigation_id) WHERE n.seq > o.seq LIMIT 1",
            "INSERT INTO report_states VALUES ($at, 'approved')",
            "does not match its row in the table report_states",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_dead_letter_or_key_is_found() {
    const LETTER: &str = "SELECT min(seq) FROM dead_letters";
    const KEY: &str = "SELECT seq FROM access_keys WHERE id = 'aaaaaaaaaaaa'";
    const REVOKED: &str = "SELECT seq FROM access_keys WHERE revoked_at IS NOT NULL";
    const DIFFERS: &str = "does not match its row in the table access_keys";
    check(&[
        (LETTER, "UPDATE dead_letters SET error = 'x' WHERE seq = $at", "does not match its row in the table dead_letters"),
        (LETTER, "UPDATE dead_letters SET state = 'replayed' WHERE seq = $at", "does not match its row in the table dead_letters"),
        (LETTER, "DELETE FROM dead_letters WHERE seq = $at", "is missing from the table dead_letters"),
        (
            LETTER,
            "INSERT INTO dead_letters SELECT 'x', $at, agent, event_seq, event_id, event_type, attempts, error,
             dead_lettered_at, state FROM dead_letters WHERE seq = $at",
            "the table dead_letters has a row that no event explains",
        ),
        (KEY, "UPDATE access_keys SET role = 'admin' WHERE seq = $at", DIFFERS),
        (KEY, "UPDATE access_keys SET secret_sha256 = 'x' WHERE seq = $at", DIFFERS),
        (REVOKED, "UPDATE access_keys SET revoked_at = NULL WHERE seq = $at", DIFFERS),
        (KEY, "DELETE FROM access_keys WHERE seq = $at", "is missing from the table access_keys"),
        (
            "0",
            "INSERT INTO access_keys SELECT 'x', $at, name, 'admin', secret_sha256, created_at, NULL, NULL FROM access_keys
             WHERE id = 'aaaaaaaaaaaa'",
            "the table access_keys has a row that no event explains",
        ),
    ]);
}

#[test]
fn a_changed_missing_or_added_mark_of_an_erasure_is_found() {
    const ERASED: &str = "SELECT min(seq) FROM erasures";
    const OTHER: &str = "is marked as erased by an event that does not say so";
    check(&[
        (ERASED, "UPDATE erasures SET event_seq = event_seq - 1 WHERE seq = $at", OTHER),
        (ERASED, "DELETE FROM erasures WHERE seq = $at", "says that it was erased, but it is not marked so"),
        ("100", "INSERT INTO erasures SELECT $at, event_seq FROM erasures LIMIT 1", OTHER),
        // As if a body had been erased in order.
        (
            "100",
            "INSERT INTO erasures SELECT $at, event_seq FROM erasures LIMIT 1; DELETE FROM event_bodies WHERE seq = $at;
             DELETE FROM user_transactions WHERE seq = $at",
            OTHER,
        ),
    ]);
}
