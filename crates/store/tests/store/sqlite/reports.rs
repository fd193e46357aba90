//! Reports in their tables: read with SQL, guarded against changes, and gone after an erasure.

use std::fs;

use countersign_domain::{NewEvent, State};
use countersign_store::{Progress, Step, Threading};
use rusqlite::{Connection, types::Value};

use super::SqliteFiles;
use crate::{
    contract::reports::{closed, reviewed},
    fixture::{Fixture, assert_good, investigation_of, store_reports},
};

/// The rows that a statement returns in the `sqlite3` shell.
fn rows(fixture: &Fixture, sql: &str, parameter: &str) -> Vec<Vec<(String, Value)>> {
    let conn = Connection::open(fixture.dir().database()).unwrap();
    let mut statement = conn.prepare(sql).unwrap();
    let names: Vec<String> = statement.column_names().map(Into::into).collect();
    let read = |row: &rusqlite::Row<'_>| {
        names.iter().enumerate().map(|(n, name)| Ok((name.clone(), row.get(n)?))).collect::<rusqlite::Result<Vec<_>>>()
    };
    statement.query_map([parameter], read).unwrap().map(Result::unwrap).collect()
}

fn value<'a>(row: &'a [(String, Value)], column: &str) -> &'a Value {
    &row.iter().find(|(name, _)| name == column).unwrap_or_else(|| panic!("{column} is missing")).1
}

#[tokio::test]
async fn the_views_of_reports_and_verdicts_can_be_read_with_sql() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let (event, content) = fixture.report("fraud-123", 1);
    store_reports(&store, vec![(event, content.clone())]).await;
    store.append(vec![fixture.doubted("fraud-123", &content.report_id, true)]).await.unwrap();
    fixture.clock.move_by_seconds(1);
    store.append(vec![fixture.passed("fraud-123", &content.report_id)]).await.unwrap();

    let found = rows(&fixture, "SELECT * FROM reports WHERE fraud_detection_id = ?", "fraud-123");
    let [report] = &found[..] else { panic!("{found:?}") };
    let expected = [
        ("id", content.report_id.as_str()),
        ("transaction_id", "tx-1"),
        ("fraud_detection_id", "fraud-123"),
        ("report_type", "compliance"),
        ("severity", "HIGH"),
        ("executive_summary", "summary of fraud-123"),
        ("fraud_explanation", "it \"was\" \u{202e}odd"),
        ("timeline_narrative", "first, then"),
        ("risk_justification", "because"),
        ("investigation_narrative", "who"),
        ("markdown_content", "# Report"),
        ("structured_data", "{\"risk_score\":70,\"severity\":\"HIGH\"}"),
        ("generated_at", "2026-03-01T09:30:00.000000Z"),
    ];
    for (column, text) in expected {
        assert_eq!(value(report, column), &Value::Text(text.into()), "{column}");
    }
    assert_eq!((value(report, "risk_score"), value(report, "version")), (&Value::Integer(70), &Value::Integer(1)));
    assert_eq!(value(report, "regeneration_of"), &Value::Null);
    assert!(matches!(
        (value(report, "investigation_id"), value(report, "content_hash")),
        (Value::Text(_), Value::Text(_))
    ));

    let sql = "SELECT * FROM report_validations WHERE report_id = ? ORDER BY validated_at DESC LIMIT 1";
    let found = rows(&fixture, sql, content.report_id.as_str());
    let [verdict] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (value(verdict, "passed"), value(verdict, "validation_score")),
        (&Value::Integer(1), &Value::Integer(90))
    );
    for (column, text) in
        [("issues", "[]"), ("feedback", "well written"), ("structured_feedback", "{\"timeline_present\":true}")]
    {
        assert_eq!(value(verdict, column), &Value::Text(text.into()), "{column}");
    }
    drop(store);
    assert_good(&fixture.verify());
}

/// Breaks the table for verdicts, submits a verdict, and returns the metadata of its event.
async fn verdict_without_a_row(sabotage: &str) -> (Fixture, serde_json::Value) {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let (event, content) = fixture.report("a-1", 1);
    let correlation_id = event.correlation_id;
    store_reports(&store, vec![(event, content.clone())]).await;
    Connection::open(fixture.dir().database()).unwrap().execute_batch(sabotage).unwrap();
    let verdict = NewEvent { correlation_id, ..fixture.passed("a-1", &content.report_id) };
    let step = Step::new("another", Progress::Lane { seq: 0, low: 1 }, vec![verdict.clone(), fixture.started("x")]);
    store.step(step).await.unwrap();
    assert_eq!((store.size().await.unwrap(), store.progress("another").await.unwrap()), (3, (1, vec![])));
    let stored = store.event(verdict.event_id).await.unwrap();
    let state = store.case(investigation_of("a-1")).await.unwrap().unwrap().case.state;
    assert_eq!(state, State::Approved, "the case moves on all the same");
    store.close().await.unwrap();
    (fixture, serde_json::from_str(stored.metadata.unwrap().get()).unwrap())
}

#[tokio::test]
async fn a_verdict_whose_row_can_not_be_stored_is_kept_with_the_reason() {
    let refusing = "CREATE TRIGGER no_verdicts BEFORE INSERT ON validation_entries
                    BEGIN SELECT RAISE(ABORT, 'not today'); END";
    let (fixture, metadata) = verdict_without_a_row(refusing).await;
    assert_eq!(metadata["validation"]["feedback"], "well written");
    Connection::open(fixture.dir().database()).unwrap().execute_batch("DROP TRIGGER no_verdicts").unwrap();
    let store = fixture.open(Threading::Inline);
    let id = fixture.report("a-1", 1).1.report_id;
    let listed = store.validations(&id).await.unwrap();
    assert_eq!((listed.len(), listed[0].feedback.as_str(), listed[0].passed), (1, "well written", true));
    store.close().await.unwrap();
    assert!(metadata["validation_not_stored"].as_str().unwrap().contains("not today"), "{metadata}");
    // The event accounts for the missing row. A row that turns up later wasn't made by it.
    assert_good(&fixture.verify());
    let slipped_in = "INSERT INTO validation_entries SELECT 1, event_id, 'r', 1, 90, 'x' FROM event_log WHERE seq = 1";
    Connection::open(fixture.dir().database()).unwrap().execute_batch(slipped_in).unwrap();
    let report = fixture.verify();
    assert_eq!(report.first().unwrap().what, "the table validation_entries has a row that no event explains");
}

#[tokio::test]
async fn a_verdict_is_kept_even_if_the_table_for_its_row_is_missing() {
    let (fixture, metadata) =
        verdict_without_a_row("DROP VIEW report_validations; DROP TABLE validation_entries").await;
    assert!(metadata["validation_not_stored"].as_str().unwrap().contains("no such table"), "{metadata}");
    let report = fixture.verify();
    let says = |what: &str| report.findings.iter().any(|finding| finding.what.contains(what));
    assert!(
        says("validation_entries is missing from the schema") && says("report_validations is missing from the schema")
    );
}

#[tokio::test]
async fn sql_can_not_change_what_is_stored() {
    let fixture = closed().await;
    let before = fs::read(fixture.dir().database()).unwrap();
    let tables = [
        ("report_entries", "version", "99"),
        ("report_entries", "content_hash", "'x'"),
        ("report_entries", "severity", "NULL"),
        ("report_bodies", "content", "'{}'"),
        ("report_bodies", "seq", "seq + 1000"),
        ("validation_entries", "validation_score", "100"),
        ("review_entries", "report_id", "'x'"),
        ("user_transactions", "user_id", "'x'"),
        ("case_states", "state", "'approved'"),
        ("case_states", "seq", "seq - 1"),
        ("case_states", "assigned_to", "NULL"),
        ("case_states", "investigation_id", "'x'"),
        ("alert_ranks", "nth", "nth + 1"),
        ("alert_ranks", "seq", "seq + 1000"),
    ];
    let mut attempts = Vec::new();
    for (table, column, to) in tables {
        for how in ["", "OR IGNORE ", "OR REPLACE ", "OR ROLLBACK ", "OR FAIL "] {
            attempts.push(format!("UPDATE {how}{table} SET {column} = {to}"));
        }
        attempts.push(format!("DELETE FROM {table}"));
        attempts.push(format!("REPLACE INTO {table} SELECT * FROM {table}"));
        attempts.push(format!("INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1"));
    }
    attempts.extend(
        [
            "UPDATE reports SET severity = 'MEDIUM'",
            "DELETE FROM reports",
            "UPDATE report_validations SET passed = 1",
            "INSERT INTO erasures VALUES (3, 5)",
            "INSERT INTO erasures VALUES (3, 3)",
            "INSERT INTO case_states SELECT 'x', 7, 'approved', 'closed', 'high', NULL, NULL, NULL, NULL, NULL, NULL",
            "UPDATE case_states SET seq = 5000, state = 'approved'",
            "UPDATE case_states SET seq = seq + 1",
            "INSERT OR REPLACE INTO alert_ranks SELECT seq, severity, score, nth + 1 FROM alert_ranks",
            "INSERT INTO report_bodies VALUES (900, '[]')",
            "INSERT INTO report_entries (seq, id, investigation_id, report_type, version) VALUES (900, 'x', 'y', 'full', 1)",
        ]
        .map(String::from),
    );
    // Also on connections with less careful settings.
    for settings in ["", "PRAGMA recursive_triggers = ON", "PRAGMA recursive_triggers = OFF; PRAGMA foreign_keys = ON"]
    {
        for attempt in &attempts {
            let conn = Connection::open(fixture.dir().database()).unwrap();
            conn.execute_batch(settings).unwrap();
            let tried = conn.execute(attempt, []);
            assert!(matches!(tried, Err(_) | Ok(0)), "{settings}; {attempt}: {tried:?}");
        }
    }
    assert!(fs::read(fixture.dir().database()).unwrap() == before, "something was written");
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_dropped_trigger_view_or_index_is_found() {
    let guards = {
        let fixture = closed().await;
        let conn = Connection::open(fixture.dir().database()).unwrap();
        let sql = "SELECT name, type FROM sqlite_schema WHERE type IN ('trigger', 'view', 'index') AND sql IS NOT NULL";
        let mut statement = conn.prepare(sql).unwrap();
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        statement.query_map([], read).unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    let ours = |name: &&(String, String)| {
        ["report", "validation", "review", "case", "user_transactions"].iter().any(|part| name.0.starts_with(part))
    };
    let guards: Vec<_> = guards.iter().filter(ours).collect();
    assert!(guards.len() > 25, "{guards:?}");
    let fixture = closed().await;
    let drops: Vec<_> = guards.iter().map(|(name, kind)| format!("DROP {kind} {name};")).collect();
    Connection::open(fixture.dir().database()).unwrap().execute_batch(&drops.concat()).unwrap();
    let report = fixture.verify();
    for (name, kind) in guards {
        let what = format!("the {kind} {name} ");
        let is_said = |what: &str| report.findings.iter().any(|finding| finding.what.starts_with(what));
        assert!(is_said(&what), "{what}");
    }
}

#[tokio::test]
async fn an_erased_report_leaves_no_bytes() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let id = reviewed(&fixture, &store).await;
    store.erase(vec![0, 1, 2, 3], "asked for", "ana").await.unwrap();
    assert!(store.report_content(&id).await.unwrap().is_none());
    store_reports(&store, vec![fixture.report("a-1", 2)]).await;
    store.close().await.unwrap();
    drop(store);
    let bytes = fs::read(fixture.dir().database()).unwrap();
    let times = |needle: &[u8]| bytes.windows(needle.len()).filter(|window| *window == needle).count();
    assert_eq!(times(b"summary of a-1"), 1, "the second version is there, and the first is not");
    assert_eq!((times(b"too short"), times(b"\"comment\":\"seen\"")), (0, 0));
}
