//! Agents' progress, changed by hand: what an agent has finished must have left its effect, and the other way round.

use rusqlite::Connection;

use super::populated::StoreCopy;
use crate::fixture::assert_good;

/// Changes a copy, and expects `verify` to name the event at `seq` and to say `what`.
fn check(change: impl FnOnce(&Connection) -> u64, what: &str) {
    let copy = StoreCopy::new();
    assert_good(&copy.verify().unwrap());
    let seq = change(&copy.connection());
    let report = copy.verify().unwrap();
    let named = report.findings.iter().any(|finding| finding.seq == Some(seq) && finding.what.contains(what));
    assert!(named, "event {seq}, {what}: {:#?}", report.findings);
}

fn number(conn: &Connection, sql: &str) -> u64 {
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn execute(conn: &Connection, sql: &str) {
    assert_eq!(conn.execute(sql, []).unwrap(), 1, "{sql}");
}

/// An alert that the reporter hasn't handled yet.
fn alert_without_report(conn: &Connection) -> u64 {
    number(
        conn,
        "SELECT max(l.seq) FROM event_log l WHERE l.event_type = 'FRAUD_ALERT_CREATED' AND NOT EXISTS
         (SELECT 1 FROM event_log e WHERE e.header ->> '$.causation_id' = l.event_id AND e.header ->> '$.producer' = 'reporter')",
    )
}

/// The first event that the agent has handled.
fn handled(conn: &Connection, agent: &str) -> u64 {
    let sql = "SELECT min(c.seq) FROM event_log c JOIN event_log e ON e.header ->> '$.causation_id' = c.event_id
               WHERE e.header ->> '$.producer' = ?1";
    conn.query_row(sql, [agent], |row| row.get(0)).unwrap()
}

#[test]
fn a_mark_that_was_moved_ahead_is_found() {
    check(
        |conn| {
            let seq = alert_without_report(conn);
            execute(conn, &format!("UPDATE agent_progress SET low = {} WHERE agent = 'reporter'", seq + 1));
            seq
        },
        "counts as finished by the agent reporter",
    );
}

#[test]
fn a_mark_that_was_moved_back_is_found() {
    let was_handled = "whose progress says that it was not handled";
    let agents = ["orchestrator", "reporter", "supervisor", "auditor"].map(|agent| (agent, was_handled));
    let detector = ("detector", "is in the table user_transactions, although the detector has not handled it yet");
    for (agent, what) in agents.into_iter().chain([detector]) {
        check(
            |conn| {
                let seq = handled(conn, agent);
                conn.execute("DELETE FROM agent_done WHERE agent = ?1", [agent]).unwrap();
                conn.execute("UPDATE agent_progress SET low = ?1 WHERE agent = ?2", (seq, agent)).unwrap();
                seq
            },
            what,
        );
    }
}

#[test]
fn a_row_of_agent_done_for_an_event_that_was_not_handled_is_found() {
    check(
        |conn| {
            let seq = alert_without_report(conn);
            execute(conn, &format!("INSERT INTO agent_done (agent, seq) VALUES ('reporter', {seq})"));
            seq
        },
        "counts as finished by the agent reporter",
    );
}

#[test]
fn a_row_of_agent_done_that_keeps_a_transaction_from_the_detector_is_found() {
    check(
        |conn| {
            let newest = "SELECT max(seq) FROM event_log WHERE event_type = 'TRANSACTION_RECEIVED'";
            let seq = number(conn, newest);
            execute(conn, &format!("INSERT INTO agent_done (agent, seq) VALUES ('detector', {seq})"));
            seq
        },
        "has a row that the agent detector can't have written",
    );
}

#[test]
fn a_row_of_agent_done_that_was_removed_is_found() {
    check(
        |conn| {
            let seq = number(
                conn,
                "SELECT min(d.seq) FROM agent_done d JOIN event_log c ON c.seq = d.seq JOIN event_log e
                 ON e.header ->> '$.causation_id' = c.event_id AND e.header ->> '$.producer' = d.agent
                 WHERE d.agent = 'supervisor'",
            );
            execute(conn, &format!("DELETE FROM agent_done WHERE agent = 'supervisor' AND seq = {seq}"));
            seq
        },
        "has an effect by the agent supervisor, whose progress says that it was not handled",
    );
}

#[test]
fn a_dead_letter_whose_state_was_changed_is_found() {
    for (from, to) in [("dead", "replayed"), ("replayed", "dead"), ("replaying", "dead")] {
        check(
            |conn| {
                let seq = format!("SELECT seq FROM dead_letters WHERE state = '{from}' ORDER BY id LIMIT 1");
                let seq = number(conn, &seq);
                let sql = format!("UPDATE dead_letters SET state = '{to}' WHERE state = '{from}' AND seq = {seq}");
                execute(conn, &sql);
                seq
            },
            "dead_letters",
        );
    }
}
