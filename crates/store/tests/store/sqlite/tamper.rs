//! Changes that bypass the store are found, and the finding names the event.
//!
//! Each change is made by itself, on a copy of the same closed store. Triggers are removed for it and put back, as somebody who
//! knows the schema would do.

use std::{
    fs,
    path::Path,
    sync::{Arc, OnceLock},
};

use countersign_domain::{Event, NewEvent, ReportId, payload::KeyChange};
use countersign_ledger::{Checkpoint, Frontier, Hash, NodeId, SigningKey, VerifyingKey, leaf_hash};
use countersign_store::{
    DataDir, Entropy, NewReport, Progress, Seams, Step, Store, StoreError, SystemClock, Threading, Verification,
    verify, verify_file,
};
use rusqlite::{Connection, params, types::Value};
use serde::Deserialize;
use tempfile::TempDir;

use super::SqliteFiles;
use crate::fixture::{Fixture, assert_good, assert_says, investigation_of, log_id};

/// Bookkeeping, which is checked elsewhere or not at all. Everything else in the schema is covered, including tables added later.
const NOT_COVERED: [&str; 5] = ["agent_registry", "agent_progress", "agent_done", "agent_attempts", "process_state"];

const EVENTS: u64 = 613;

/// The store that is copied for each change. It is made once.
fn original() -> &'static Fixture {
    static MADE: OnceLock<Fixture> = OnceLock::new();
    MADE.get_or_init(|| {
        let fixture = Fixture::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(fill(&fixture));
        assert_good(&fixture.verify());
        fixture
    })
}

async fn fill(fixture: &Fixture) {
    let store = fixture.open(Threading::Inline);
    let (mut events, mut contents) = (Vec::new(), Vec::new());
    for n in 0..200 {
        if (170..180).contains(&n) {
            events.extend(answers(fixture, n));
            continue;
        }
        if (180..190).contains(&n) {
            events.extend(investigated(fixture, n, &mut contents));
            continue;
        }
        let transaction = fixture.transaction(&format!("tx-{n}"), "12.50");
        let alert = fixture.alert(&format!("a-{n}")).caused_by(transaction.event_id);
        let investigation = fixture.investigation(&format!("a-{n}")).caused_by(alert.event_id);
        events.extend([transaction, alert, investigation]);
    }
    let first = events.first().unwrap().event_id;
    for (n, part) in (0..).zip(events.chunks(100)) {
        let is_here = |report: &&NewReport| part.iter().any(|event| generated_report(event) == Some(&report.report_id));
        let reports = contents.iter().filter(is_here).cloned().collect();
        let step = Step::new("stand-in", Progress::Lane { seq: n, low: 0 }, part.to_vec());
        store.step(Step { reports, ..step }).await.unwrap();
        fixture.clock.move_by_seconds(60);
        store.sign_checkpoint().await.unwrap();
    }
    for agent in ["detector", "detector", "reporter"] {
        let id = fixture.seams.dead_letter_id();
        store.append(vec![fixture.dead_letter(id, agent, 0, first)]).await.unwrap();
    }
    for id in ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"] {
        store.append(vec![fixture.key(id, KeyChange::Created)]).await.unwrap();
    }
    store.append(vec![fixture.key("bbbbbbbbbbbb", KeyChange::Revoked)]).await.unwrap();
    let step = Step::new("detector", Progress::Batch { from: 0, to: 600 }, Vec::new());
    store.step(Step { indexes_history: true, ..step }).await.unwrap();
    // A transaction, an alert, an investigation, a log, an open answer, and a report with its verdict and decision: in the middle
    // of the log, not at its ends.
    store.erase(vec![30], "asked for", "ana").await.unwrap();
    store.erase(vec![301, 302, 518, 526, 556, 557, 558, 559], "asked for", "ana").await.unwrap();
    store.erase(vec![400], "asked for", "ana").await.unwrap();
    store.append((0..3).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    assert_eq!(store.size().await.unwrap(), EVENTS);
    store.close().await.unwrap();
}

/// Three events of answers: an audited one, or three open ones.
fn answers(fixture: &Fixture, n: u32) -> [NewEvent; 3] {
    if n % 2 == 1 {
        let (requested, recorded) =
            (fixture.answer_requested(&format!("r-{n}")), fixture.answer_recorded(&format!("c-{n}")));
        return [requested, recorded, fixture.answer_failed(&format!("f-{n}"))];
    }
    let id = format!("l-{n}");
    let mut log = fixture.log(&id, (n % 11) as u8, fixture.seams.now(), "why", "because");
    log.metadata = if n == 178 { "{}".into() } else { format!(r#"{{"idempotency":"ab{n}","body":"cd"}}"#) };
    [fixture.answer_requested(&id), fixture.answer_recorded(&id), log]
}

/// Three events of investigations: reports, verdicts and decisions.
fn investigated(fixture: &Fixture, n: u32, contents: &mut Vec<NewReport>) -> [NewEvent; 3] {
    let mut report = |alert: &str, version| {
        let (event, content) = fixture.report(alert, version);
        contents.push(content);
        event
    };
    let alert = format!("a-{n}");
    let id = |alert: &str| fixture.report(alert, 1).1.report_id;
    match n {
        181 | 185 => {
            let report = report(&alert, 1);
            [fixture.alert(&alert), report, fixture.doubted(&alert, id(&alert), false)]
        }
        182 => [
            fixture.decided("a-181", id("a-181"), "approve"),
            fixture.assigned("a-181", Some("ana")),
            fixture.review_requested("a-180"),
        ],
        184 => [
            fixture.decided("a-183", id("a-183"), "send_back"),
            fixture.assigned("a-183", Some("ben")),
            report("a-183", 2),
        ],
        187 => [
            fixture.assigned("a-unknown", Some("eve")),
            fixture.review_requested("a-180"),
            fixture.assigned("a-180", None),
        ],
        186 => [
            fixture.decided("a-185", id("a-185"), "dispose"),
            fixture.assigned("a-185", Some("eve")),
            fixture.review_requested("a-185"),
        ],
        _ => {
            let (severity, report) = (if n == 183 { "critical" } else { "high" }, report(&alert, 1));
            [fixture.alert_of("user-2", &alert, severity, 80), report, fixture.passed(&alert, id(&alert))]
        }
    }
}

/// The report that an event says was generated.
fn generated_report(event: &NewEvent) -> Option<&ReportId> {
    match &event.event {
        Event::ReportGenerated(report) => Some(&report.report_id),
        _ => None,
    }
}

/// A copy of the store, for one change.
struct Copied {
    _folder: TempDir,
    dir: DataDir,
}

impl Copied {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let from = original().dir();
        for entry in fs::read_dir(from.path()).unwrap() {
            let path = entry.unwrap().path();
            // Other tests read the original, and SQLite's own files come and go with them.
            if path.to_string_lossy().ends_with("-wal") || path.to_string_lossy().ends_with("-shm") {
                continue;
            }
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        Self { dir: DataDir::new(folder.path()), _folder: folder }
    }

    /// Changes the database with the triggers out of the way.
    fn change(&self, change: impl FnOnce(&Connection)) {
        let conn = Connection::open(self.dir.database()).unwrap();
        conn.execute_batch("PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF; BEGIN").unwrap();
        let triggers = column::<(String, String)>(&conn, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
        triggers.iter().for_each(|(name, _)| conn.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
        change(&conn);
        triggers.iter().for_each(|(_, sql)| conn.execute_batch(sql).unwrap());
        conn.execute_batch("COMMIT").unwrap();
    }

    fn verify(&self) -> Verification {
        verify(&self.dir.location(), None, &mut |_, _| {}).unwrap()
    }

    /// Opens it for writing, which must not succeed.
    #[track_caller]
    fn refused(&self) -> StoreError {
        match Store::open(&self.dir.location(), Threading::Inline, seams()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error,
        }
    }
}

fn seams() -> Seams {
    Seams { clock: Arc::new(SystemClock), entropy: Arc::new(Entropy::from_seed([1; 32])) }
}

trait Columns: Sized {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self>;
}

impl Columns for (String, String) {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok((row.get(0)?, row.get(1)?))
    }
}

impl Columns for (i64, String) {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok((row.get(0)?, row.get(1)?))
    }
}

fn column<T: Columns>(conn: &Connection, sql: &str) -> Vec<T> {
    conn.prepare(sql).unwrap().query_map([], T::read).unwrap().map(Result::unwrap).collect()
}

#[track_caller]
fn assert_names(report: &Verification, seq: u64) {
    assert_eq!(report.first().and_then(|finding| finding.seq), Some(seq), "{:#?}", report.findings);
}

// One value.

struct Table {
    name: String,
    columns: Vec<String>,
    keys: Vec<String>,
}

/// Every stored table and column, read from the schema.
fn tables(conn: &Connection) -> Vec<Table> {
    let names = column::<(i64, String)>(conn, "SELECT 0, name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    let names = names.into_iter().map(|(_, name)| name);
    let covered = names.filter(|name| !name.starts_with("sqlite_") && !NOT_COVERED.contains(&name.as_str()));
    covered
        .map(|name| {
            // `hidden` marks generated columns, which can't be written.
            let sql = format!("SELECT pk, name FROM pragma_table_xinfo('{name}') WHERE hidden = 0");
            let columns = column::<(i64, String)>(conn, &sql);
            let keys = columns.iter().filter(|(key, _)| *key > 0).map(|(_, name)| name.clone()).collect();
            Table { name, columns: columns.into_iter().map(|(_, name)| name).collect(), keys }
        })
        .collect()
}

/// All columns of the first, middle and last row of a table, and of the rows of erased events.
fn rows(conn: &Connection, table: &Table) -> Vec<Vec<Value>> {
    let sql = format!("SELECT {} FROM {} ORDER BY {}", table.columns.join(", "), table.name, table.keys.join(", "));
    let mut statement = conn.prepare(&sql).unwrap();
    let read = |row: &rusqlite::Row<'_>| (0..table.columns.len()).map(|n| row.get(n)).collect();
    let all: Vec<Vec<Value>> = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
    assert!(!all.is_empty(), "{} is empty", table.name);
    let erased = |row: &Vec<Value>| is_erased(table, row);
    let mut picked = vec![0, all.len() / 2, all.len() - 1];
    picked.extend(all.iter().position(erased));
    picked.sort_unstable();
    picked.dedup();
    picked.into_iter().map(|n| all[n].clone()).collect()
}

const ERASED: [i64; 8] = [30, 301, 302, 400, 518, 556, 557, 558];

fn is_erased(table: &Table, row: &[Value]) -> bool {
    table.columns[0] == "seq" && matches!(row[0], Value::Integer(seq) if ERASED.contains(&seq))
}

/// Values that differ from this one by a small change.
fn changes(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(n) => vec![Value::Integer(n + 1), Value::Integer(n ^ (1 << 20))],
        Value::Text(text) => {
            let flip = |at: usize| {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = if bytes[at].is_ascii_digit() { b'0' + (bytes[at] - b'0' + 1) % 10 } else { bytes[at] ^ 1 };
                Value::Text(String::from_utf8(bytes).unwrap())
            };
            let last = text.len() - 1;
            match text.ends_with('\n') {
                // A note: the origin, the root, the signature and the end.
                true => [0, last / 3, last / 2, last - 1, last].map(flip).to_vec(),
                false => vec![flip(last / 2)],
            }
        }
        Value::Blob(blob) => {
            let mut blob = blob.clone();
            *blob.last_mut().unwrap() ^= 0x10;
            vec![Value::Blob(blob)]
        }
        Value::Null => vec![Value::Integer(7), Value::Text("2026-03-01T09:30:00.000000Z".into())],
        Value::Real(_) => panic!("there are no reals"),
    }
}

/// An erased row keeps its id so that the same id can't be sent again, but the body that could confirm the id is gone.
fn is_beyond_proof(table: &Table, column: &str, row: &[Value]) -> bool {
    let ids = ["transaction_id", "alert_id", "investigation_id"];
    let projections = ["transaction_ids", "alerts", "investigations"];
    projections.contains(&table.name.as_str())
        && column == table.columns[1]
        && ids.contains(&column)
        && is_erased(table, row)
}

#[test]
fn a_change_of_any_value_in_any_column_is_found_and_its_event_named() {
    let conn = Connection::open(original().dir().database()).unwrap();
    let tables: Vec<_> = tables(&conn).into_iter().map(|table| (rows(&conn, &table), table)).collect();
    let values = tables.iter().flat_map(|(rows, table)| rows.iter().map(move |row| (table, row)));
    let values: Vec<_> = values.flat_map(|(table, row)| (0..row.len()).map(move |at| (table, row, at))).collect();
    let tried: usize = std::thread::scope(|scope| {
        let halves: Vec<_> =
            values.chunks(values.len().div_ceil(2)).map(|half| scope.spawn(|| change_each(half))).collect();
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(tried > 200, "{tried}");
}

fn change_each(values: &[(&Table, &Vec<Value>, usize)]) -> usize {
    let copied = Copied::new();
    let pristine = fs::read(copied.dir.database()).unwrap();
    let mut tried = 0;
    for (table, row, at) in values {
        let name = &table.columns[*at];
        if is_beyond_proof(table, name, row) {
            continue;
        }
        let mut made = 0;
        for change in changes(&row[*at]) {
            fs::write(copied.dir.database(), &pristine).unwrap();
            let mut fits = false;
            copied.change(|conn| fits = update(conn, table, row, name, &change));
            if fits {
                made += 1;
                let context = format!("{}.{name} of {row:?} to {change:?}", table.name);
                check_change(&copied.verify(), name, event_of(table, row), &context);
            }
        }
        assert!(made > 0, "{}.{name} of {row:?} was not changed", table.name);
        tried += made;
    }
    tried
}

fn check_change(report: &Verification, column: &str, event: Option<u64>, context: &str) {
    assert!(!report.is_good(), "{context}");
    let Some(seq) = event else { return };
    // A row that was moved is missing at one position and extra at another, and either may be found first.
    let named = report.findings.iter().any(|finding| finding.seq == Some(seq));
    let is_first = report.first().unwrap().seq == Some(seq);
    assert!(is_first || (column == "seq" && named), "{context}: {:#?}", report.findings);
}

/// Makes the change, unless a type or a unique key forbids it. Returns whether it did.
fn update(conn: &Connection, table: &Table, row: &[Value], name: &str, change: &Value) -> bool {
    let keys: Vec<_> = table.keys.iter().map(|key| format!("{key} = ?")).collect();
    let sql = format!("UPDATE {} SET {name} = ? WHERE {}", table.name, keys.join(" AND "));
    let key = table.keys.iter().map(|key| &row[table.columns.iter().position(|column| column == key).unwrap()]);
    let values = [change].into_iter().chain(key);
    matches!(conn.execute(&sql, rusqlite::params_from_iter(values)), Ok(1))
}

fn event_of(table: &Table, row: &[Value]) -> Option<u64> {
    let at = table.columns.iter().position(|column| column == "seq")?;
    match row[at] {
        Value::Integer(seq) => u64::try_from(seq).ok(),
        _ => None,
    }
}

// One byte of the file.

/// Everything that is covered, or `None` if it can't be read.
fn dump(path: &Path) -> Option<Vec<String>> {
    let conn = Connection::open(path).ok()?;
    let mut lines = Vec::new();
    for table in tables(&Connection::open(original().dir().database()).unwrap()) {
        let sql = format!("SELECT {} FROM {} ORDER BY {}", table.columns.join(", "), table.name, table.keys.join(", "));
        let mut statement = conn.prepare(&sql).ok()?;
        let mut rows = statement.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let values = (0..table.columns.len()).map(|n| row.get::<_, Value>(n).ok()).collect::<Option<Vec<_>>>()?;
            lines.push(format!("{} {values:?}", table.name));
        }
    }
    Some(lines)
}

#[test]
fn a_flipped_bit_of_the_file_is_found_wherever_it_changes_what_is_read() {
    let copied = Copied::new();
    let pristine = fs::read(copied.dir.database()).unwrap();
    let before = dump(&copied.dir.database()).unwrap();
    // The seed is fixed, so that a failure can be repeated.
    let random = Entropy::from_seed([3; 32]);
    let mut found = 0;
    for round in 0..150 {
        let at = u64::from_le_bytes(random.bytes()) as usize % pristine.len();
        let [bit] = random.bytes::<1>();
        let mut spoiled = pristine.clone();
        spoiled[at] ^= 1 << (bit % 8);
        fs::write(copied.dir.database(), &spoiled).unwrap();
        let result = verify(&copied.dir.location(), None, &mut |_, _| {});
        let is_good = result.as_ref().is_ok_and(Verification::is_good);
        found += usize::from(!is_good);
        let changed = dump(&copied.dir.database()).as_ref() != Some(&before);
        assert!(!(is_good && changed), "round {round}: bit {} of byte {at} was not found", bit % 8);
    }
    assert!(found > 75, "only {found} were found");
}

#[test]
fn a_header_that_is_not_json_is_a_finding_and_not_an_error() {
    let copied = Copied::new();
    let mut bytes = fs::read(copied.dir.database()).unwrap();
    let needle = br#"{"seq":500,"#;
    let at = bytes.windows(needle.len()).position(|window| window == needle).unwrap();
    bytes[at] = b'[';
    fs::write(copied.dir.database(), bytes).unwrap();
    let report = copied.verify();
    assert_names(&report, 500);
    assert_says(&report, "the header can't be read");
}

#[test]
fn an_index_that_disagrees_with_its_table_is_found() {
    let copied = Copied::new();
    let mut bytes = fs::read(copied.dir.database()).unwrap();
    // In the body a quote follows and in the table the user does, so this is the index.
    let is_entry = |window: &[u8]| window.starts_with(b"tx-150") && window[6] != b'"' && window[6] != b'u';
    let at = bytes.windows(7).position(is_entry).unwrap();
    bytes[at + 5] = b'x';
    fs::write(copied.dir.database(), bytes).unwrap();
    assert_says(&copied.verify(), "the database file is damaged");
}

// Whole rows.

fn check(change: &str, seq: u64, what: &str) {
    let copied = Copied::new();
    copied.change(|conn| conn.execute_batch(change).unwrap());
    let report = copied.verify();
    assert_names(&report, seq);
    assert_says(&report, what);
}

#[test]
fn a_deleted_row_is_found_missing() {
    check("DELETE FROM event_log WHERE seq = 300", 300, "is missing");
    check("DELETE FROM event_log WHERE seq = 0", 0, "is missing");
    check("DELETE FROM event_log WHERE seq BETWEEN 300 AND 310", 300, "is missing, and so are the next 10");
    check("DELETE FROM event_log WHERE seq = 612", 612, "is missing");
    check("DELETE FROM event_bodies WHERE seq = 300", 300, "no event says that it was erased");
    check("DELETE FROM transaction_ids WHERE seq = 300", 300, "is missing from the table transaction_ids");
    check("DELETE FROM transaction_ids WHERE seq = 30", 30, "is missing from the table transaction_ids");
    check("DELETE FROM alerts WHERE seq = 304", 304, "is missing from the table alerts");
    check("DELETE FROM investigations WHERE seq = 305", 305, "is missing from the table investigations");
    check("DELETE FROM log_entries WHERE seq = 512", 512, "is missing from the table log_entries");
    check("DELETE FROM log_entries WHERE seq = 518", 518, "is missing from the table log_entries");
    check(
        &format!("DELETE FROM open_answers WHERE log_id = '{}'", log_id("r-171")),
        513,
        "is missing from the table open_answers",
    );
    check("DELETE FROM user_transactions WHERE seq = 300", 300, "is missing from the table user_transactions");
    check("DELETE FROM report_entries WHERE seq = 541", 541, "is missing from the table report_entries");
    check("DELETE FROM report_entries WHERE seq = 556", 556, "is missing from the table report_entries");
    check("DELETE FROM report_bodies WHERE seq = 541", 541, "the report's content is missing");
    check("DELETE FROM validation_entries WHERE seq = 542", 542, "is missing from the table validation_entries");
    check("DELETE FROM validation_entries WHERE seq = 557", 557, "is missing from the table validation_entries");
    check("DELETE FROM review_entries WHERE seq = 546", 546, "is missing from the table review_entries");
    check("DELETE FROM case_states WHERE seq = 563", 563, "is missing from the table case_states");
    check("DELETE FROM case_states WHERE seq = 560", 560, "is missing from the table case_states");
    check("DELETE FROM alert_ranks WHERE seq = 1", 1, "is missing from the table alert_ranks");
    check("DELETE FROM alert_ranks WHERE seq = 304", 304, "is missing from the table alert_ranks");
    check("DELETE FROM alert_ranks WHERE seq = 301", 301, "is missing from the table alert_ranks");
    check("DELETE FROM alert_ranks WHERE seq = 598", 598, "is missing from the table alert_ranks");
    check("DELETE FROM alert_ranks", 1, "is missing from the table alert_ranks");
    check("DELETE FROM event_log WHERE seq = 548", 548, "is missing");
    check("DELETE FROM event_bodies WHERE seq = 548", 548, "no event says that it was erased");
    check("DELETE FROM dead_letters WHERE seq = 601", 601, "is missing from the table dead_letters");
    check("DELETE FROM access_keys WHERE id = 'aaaaaaaaaaaa'", 603, "is missing from the table access_keys");
    check("DELETE FROM erasures WHERE seq = 30", 30, "it is not marked so");
    check("DELETE FROM ledger_nodes WHERE idx = 1", 256, "does not match the events 256 to 511");
}

#[test]
fn exchanged_rows_are_both_found() {
    let exchange = |columns: &[&str], table: &str, a: u64, b: u64| -> String {
        let sets: Vec<_> = columns
            .iter()
            .map(|c| format!("{c} = (SELECT o.{c} FROM o WHERE o.seq = {a} + {b} - {table}.seq)"))
            .collect();
        let copy = format!("CREATE TEMP TABLE o AS SELECT * FROM {table} WHERE seq IN ({a}, {b})");
        format!("{copy}; UPDATE {table} SET {} WHERE seq IN ({a}, {b})", sets.join(", "))
    };
    let copied = Copied::new();
    // With the index of ids the first half of the exchange would be refused.
    let headers = exchange(&["header", "leaf_hash"], "event_log", 100, 103);
    let index = "CREATE UNIQUE INDEX event_log_by_id ON event_log (event_id)";
    copied.change(|conn| conn.execute_batch(&format!("DROP INDEX event_log_by_id; {headers}; {index};")).unwrap());
    let report = copied.verify();
    assert_names(&report, 100);
    assert_says(&report, "the header belongs to event 103");
    assert_says(&report, "the header belongs to event 100");

    check(
        &exchange(&["salt", "payload", "metadata"], "event_bodies", 100, 103),
        100,
        "does not match the commitment in the header",
    );
    check(&exchange(&["user_id", "risk_score", "alert_id"], "investigations", 101, 104), 101, "does not match its row");
}

#[test]
fn a_row_that_no_event_made_is_found() {
    let letter = "INSERT INTO dead_letters SELECT 'x', 599, agent, event_seq, event_id, event_type, attempts, error,
                  dead_lettered_at, state FROM dead_letters WHERE seq = 601";
    let unknown = format!(
        "INSERT INTO case_states VALUES ('{}', 561, 'open', 'open', 'high', 'eve', NULL, NULL, NULL, NULL, 561)",
        investigation_of("a-unknown")
    );
    for (insert, seq, what) in [
        ("INSERT INTO transaction_ids (seq, transaction_id) VALUES (1000000, 'x')", 1_000_000, "transaction_ids"),
        ("INSERT INTO transaction_ids (seq, transaction_id) VALUES (1, 'x')", 1, "transaction_ids"),
        ("INSERT INTO alerts (seq, alert_id) VALUES (0, 'x')", 0, "alerts"),
        ("INSERT INTO investigations (seq, investigation_id) VALUES (612, 'x')", 612, "investigations"),
        ("INSERT INTO event_bodies SELECT 5000, salt, payload, metadata FROM event_bodies WHERE seq = 1", 5000, "bodies"),
        ("INSERT INTO access_keys SELECT 'x', 0, name, 'admin', secret_sha256, created_at, NULL, NULL FROM access_keys
          WHERE id = 'aaaaaaaaaaaa'", 0, "access_keys"),
        (letter, 599, "dead_letters"),
        ("INSERT INTO log_entries VALUES (1000000, 'x', 0, 0, NULL)", 1_000_000, "log_entries"),
        ("INSERT INTO log_entries VALUES (511, 'x', 0, 0, NULL)", 511, "log_entries"),
        ("INSERT INTO open_answers VALUES ('x', 5, 'failed')", 5, "open_answers"),
        ("INSERT INTO open_answers VALUES ('x', 5000, 'failed')", 5000, "open_answers"),
        ("INSERT INTO open_answers VALUES ('l-170', 511, 'recorded')", 511, "open_answers"),
        ("UPDATE open_answers SET state = 'failed' WHERE seq = 526", 526, "open_answers"),
        ("INSERT INTO user_transactions VALUES (1000000, 'x')", 1_000_000, "user_transactions"),
        ("INSERT INTO user_transactions VALUES (1, 'x')", 1, "user_transactions"),
        ("INSERT INTO report_entries SELECT 1, 'x', 'y', report_type, 1, 'z', NULL, severity, risk_score, content_hash,
          generated_at, NULL FROM report_entries WHERE seq = 541", 1, "report_entries"),
        ("INSERT INTO report_bodies VALUES (1000000, '{}')", 1_000_000, "report_bodies"),
        ("INSERT INTO validation_entries VALUES (1, 'x', 'y', 1, 100, 'z')", 1, "validation_entries"),
        ("INSERT INTO review_entries VALUES (1, 'x', NULL)", 1, "review_entries"),
        ("INSERT INTO case_states VALUES ('x', 2, 'approved', 'closed', 'high', NULL, NULL, NULL, NULL, NULL, NULL)", 2,
         "case_states"),
        ("INSERT INTO case_states VALUES ('0e7e9ac4-2a9b-5bd0-b47c-52ac0ea1a0d4', 2, 'approved', 'closed', 'high', NULL,
          NULL, NULL, NULL, NULL, NULL)", 2, "case_states"),
        (&unknown, 561, "case_states"),
        ("INSERT INTO alert_ranks VALUES (1000000, 'high', 70, 190)", 1_000_000, "alert_ranks"),
        ("INSERT INTO alert_ranks VALUES (2, 'high', 70, 2)", 2, "alert_ranks"),
        ("INSERT INTO alert_ranks VALUES (304, 'high', 71, 1)", 304, "alert_ranks"),
        ("INSERT INTO alert_ranks VALUES (301, 'high', 71, 1)", 301, "alert_ranks"),
        ("INSERT INTO case_states VALUES ('x', 5000, 'open', 'open', 'high', NULL, NULL, NULL, NULL, NULL, NULL)", 5000,
         "case_states"),
    ] {
        check(insert, seq, &format!("{what} has a row that no event explains"));
    }
    check("INSERT INTO report_bodies VALUES (1, '{}')", 1, "has a stored report that does not belong to it");
    check("INSERT INTO erasures VALUES (3, 608)", 3, "marked as erased by an event that does not say so");
    check("INSERT INTO erasures VALUES (3, 5000)", 3, "marked as erased by an event that does not say so");
    let beyond = "INSERT INTO event_log (seq, header, leaf_hash)
                  SELECT 613, replace(replace(header, '612', '613'), 'event_id\":\"0', 'event_id\":\"1'), leaf_hash
                  FROM event_log WHERE seq = 612";
    check(beyond, 613, "is not in the stored tree");
    let before = beyond.replace("SELECT 613", "SELECT -1");
    let copied = Copied::new();
    copied.change(|conn| conn.execute_batch(&before).unwrap());
    assert_says(&copied.verify(), "there is an event with a negative position");
    let copied = Copied::new();
    copied.change(|conn| conn.execute_batch("INSERT INTO ledger_nodes VALUES (8, 77, x'00')").unwrap());
    assert_says(&copied.verify(), "3 inner nodes instead of 2");
}

#[test]
fn a_body_put_back_after_its_erasure_is_found() {
    check(
        "INSERT INTO event_bodies SELECT 30, salt, payload, metadata FROM event_bodies WHERE seq = 33",
        30,
        "event 607 says that the body was erased, but it is there",
    );
    check("UPDATE alerts SET user_id = 'user-1' WHERE seq = 301", 301, "has no body, but its data is still in");
    check("UPDATE log_entries SET idempotency = 'ab172' WHERE seq = 518", 518, "has no body, but its data is still in");
    check("UPDATE report_entries SET severity = 'HIGH' WHERE seq = 556", 556, "has no body, but its data is still in");
    check("INSERT INTO report_bodies VALUES (556, '{}')", 556, "has no body, but its report is still stored");
    check("INSERT INTO user_transactions VALUES (30, 'user-1')", 30, "has no body, but its data is still in");
    check("UPDATE case_states SET assigned_to = 'eve' WHERE seq = 560", 560, "does not match its row");
}

/// A state that the case had earlier is wrong now, even if it is consistent in itself.
#[test]
fn a_case_that_was_set_back_to_an_earlier_state_is_found() {
    // Approved by its supervisor, and then somebody asked for a review.
    check(
        "UPDATE case_states SET seq = 542, state = 'approved', alert_state = 'closed', assigned_seq = NULL WHERE seq = 563",
        548,
        "does not match its row",
    );
    // Sent back and rewritten, and now set back to before both.
    check(
        "UPDATE case_states SET seq = 551, state = 'in_review', alert_state = 'reported', assigned_to = NULL,
           assigned_seq = NULL, report_seq = 550,
           report_id = (SELECT report_id FROM validation_entries WHERE seq = 551) WHERE seq = 554",
        552,
        "does not match its row",
    );
    check(
        "UPDATE case_states SET state = 'approved', alert_state = 'closed' WHERE seq = 560",
        560,
        "does not match its row",
    );
}

/// As if an alert had not been counted, or had been counted twice.
#[test]
fn alerts_that_were_renumbered_are_found() {
    let renumber =
        |by: &str, seqs: &str| format!("UPDATE alert_ranks SET nth = nth {by} WHERE score = 70 AND seq {seqs}");
    check(&renumber("+ 1", ">= 301"), 301, "does not match its row in the table alert_ranks");
    check(&renumber("- 1", ">= 304"), 304, "does not match its row in the table alert_ranks");
    check(&renumber("+ 10000", ">= 0"), 1, "does not match its row in the table alert_ranks");
    check("UPDATE alert_ranks SET score = 71 WHERE score = 70", 1, "is missing from the table alert_ranks");
}

/// The damaged alert is found, and the ranks after it are still right.
#[test]
fn a_damaged_alert_does_not_make_later_ranks_look_wrong() {
    for change in ["DELETE FROM event_log WHERE seq = 304", "UPDATE event_bodies SET payload = '{}' WHERE seq = 304"] {
        let copied = Copied::new();
        copied.change(|conn| conn.execute_batch(change).unwrap());
        let report = copied.verify();
        assert_names(&report, 304);
        let about_ranks = report.findings.iter().filter(|finding| finding.what.contains("alert_ranks"));
        assert_eq!(about_ranks.count(), 0, "{:#?}", report.findings);
    }
}

#[test]
fn a_moved_boundary_between_payload_and_metadata_is_found() {
    check(
        "UPDATE event_bodies SET metadata = substr(payload, -1) || metadata,
         payload = substr(payload, 1, length(payload) - 1) WHERE seq = 303",
        303,
        "the body is not JSON",
    );
}

#[test]
fn a_schema_without_its_guards_is_found() {
    let copied = Copied::new();
    let conn = Connection::open(copied.dir.database()).unwrap();
    conn.execute_batch("DROP TRIGGER event_log_no_delete; DROP INDEX event_log_by_correlation").unwrap();
    drop(conn);
    let report = copied.verify();
    assert_says(&report, "the trigger event_log_no_delete on event_log is missing from the schema");
    assert_says(&report, "the index event_log_by_correlation on event_log is missing from the schema");
}

// Changes with a recomputed tree.

/// Recomputes leaf hashes, nodes, frontier and root of the first `size` events from their headers.
fn recompute(conn: &Connection, size: u64) {
    let headers = column::<(i64, String)>(conn, "SELECT seq, header FROM event_log ORDER BY seq");
    let mut tree = Frontier::new();
    let mut nodes: Vec<(NodeId, Hash)> = Vec::new();
    for (seq, header) in headers.iter().take(size as usize) {
        let leaf = leaf_hash(header.as_bytes());
        conn.execute("UPDATE event_log SET leaf_hash = ?2 WHERE seq = ?1", params![seq, leaf.as_bytes()]).unwrap();
        tree.push(leaf, |node, hash| nodes.push((node, hash)));
    }
    conn.execute("DELETE FROM ledger_nodes", []).unwrap();
    for (node, hash) in nodes {
        let sql = "INSERT INTO ledger_nodes VALUES (?1, ?2, ?3)";
        conn.execute(sql, params![node.level, node.index, hash.as_bytes()]).unwrap();
    }
    let sql = "UPDATE ledger_head SET size = ?1, root = ?2, frontier = ?3";
    conn.execute(sql, params![size, tree.root().as_bytes(), tree.to_bytes()]).unwrap();
}

/// Events that aren't signed yet are sealed by the commit that wrote them.
#[test]
fn an_event_that_was_added_after_the_last_checkpoint_without_the_key_is_found() {
    let copied = Copied::new();
    copied.change(|conn| {
        let sql = "SELECT seq, header FROM event_log WHERE event_type = 'AGENT_STARTED' ORDER BY seq DESC";
        let (copy, header): (i64, String) = conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let end: i64 = conn.query_row("SELECT size FROM ledger_head", [], |row| row.get(0)).unwrap();
        let mut header: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&header).unwrap();
        let newest: String = conn
            .query_row("SELECT header ->> '$.recorded_at' FROM event_log ORDER BY seq DESC", [], |row| row.get(0))
            .unwrap();
        header.insert("seq".into(), end.into());
        header.insert("recorded_at".into(), newest.into());
        header.insert("event_id".into(), "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6".into());
        let header = countersign_domain::Header::deserialize(&header).unwrap();
        let header = serde_json::to_string(&header).unwrap();
        conn.execute("INSERT INTO event_log VALUES (?1, ?2, x'')", params![end, header]).unwrap();
        let body = "INSERT INTO event_bodies SELECT ?1, salt, payload, metadata FROM event_bodies WHERE seq = ?2";
        conn.execute(body, [end, copy]).unwrap();
        recompute(conn, end as u64 + 1);
    });
    let report = copied.verify();
    assert_says(&report, "events is not sealed by the log's key");
    assert_eq!(report.findings.len(), 1, "the seal is all that gives it away: {:#?}", report.findings);
    assert!(copied.refused().to_string().contains("may have been added by somebody else"));
    // Without any seal it isn't mistaken for an older store either.
    copied.change(|conn| assert_eq!(conn.execute("UPDATE ledger_head SET seal = NULL", []).unwrap(), 1));
    assert_says(&copied.verify(), "events is not sealed by the log's key");
    assert!(copied.refused().to_string().contains("may have been added by somebody else"));
}

#[test]
fn a_store_without_a_seal_gets_one_if_all_its_events_are_signed() {
    let copied = Copied::new();
    copied.change(|conn| assert_eq!(conn.execute("UPDATE ledger_head SET seal = NULL", []).unwrap(), 1));
    drop(Store::open(&copied.dir.location(), Threading::Inline, seams()).unwrap());
    assert_eq!(copied.verify().findings, []);
}

#[test]
fn a_truncated_log_is_found_even_if_its_tree_was_truncated_to_match() {
    let cut = |also: &str| {
        let copied = Copied::new();
        copied.change(|conn| {
            conn.execute_batch("DELETE FROM event_log WHERE seq >= 608; DELETE FROM event_bodies WHERE seq >= 608")
                .unwrap();
            conn.execute_batch("DELETE FROM erasures WHERE event_seq >= 608").unwrap();
            conn.execute_batch(also).unwrap();
            recompute(conn, 608);
        });
        copied
    };
    for also in ["", "DELETE FROM checkpoints WHERE size > 608"] {
        let copied = cut(also);
        let report = copied.verify();
        assert_says(&report, "is missing: the last signed checkpoint over 613 events");
        assert!(report.findings.iter().any(|finding| finding.seq == Some(608)), "{:#?}", report.findings);
        match copied.refused() {
            StoreError::Tampered(why) => assert!(why.contains("613") && why.contains("608"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    // Without the checkpoint in the directory, the ones in the database still show it.
    let copied = cut("");
    fs::remove_file(copied.dir.checkpoint()).unwrap();
    let report = copied.verify();
    assert_says(&report, "is missing: a checkpoint was signed over 613 events");
    assert_says(&report, "the last signed checkpoint, ledger.checkpoint, is missing");
    assert!(matches!(copied.refused(), StoreError::Tampered(_)));
}

#[test]
fn a_log_without_any_signature_is_refused() {
    let copied = Copied::new();
    copied.change(|conn| conn.execute_batch("DELETE FROM checkpoints").unwrap());
    // For a single file there is no other signature.
    let key = VerifyingKey::parse(fs::read_to_string(copied.dir.public_key()).unwrap().trim()).unwrap();
    let report = verify_file(&copied.dir.database(), &key, &mut |_, _| {}).unwrap();
    assert_names(&report, 0);
    assert_says(&report, "is not signed, nor is any event after it: only the first 0 of 613 are");
    // In a data directory, the missing checkpoint outside the database is found too.
    fs::remove_file(copied.dir.checkpoint()).unwrap();
    assert_says(&copied.verify(), "the last signed checkpoint, ledger.checkpoint, is missing");
    assert!(matches!(copied.refused(), StoreError::Tampered(_)));
}

#[test]
fn a_trigger_that_was_added_is_found() {
    let copied = Copied::new();
    let sql = "CREATE TRIGGER extra AFTER INSERT ON event_log BEGIN UPDATE agent_progress SET low = NEW.seq; END";
    copied.change(|conn| conn.execute_batch(sql).unwrap());
    assert_says(&copied.verify(), "the trigger extra on event_log was added to the schema");
}

/// Each change comes with the words that name it. It must be found, and the store must not be opened.
#[test]
fn a_store_with_another_schema_is_refused_whatever_differs() {
    let hides = "BEFORE INSERT ON alerts WHEN NEW.user_id = 'user-1' BEGIN SELECT RAISE(IGNORE); END";
    let in_schema = |sql: &str| format!("PRAGMA writable_schema = ON; {sql}; PRAGMA writable_schema = RESET");
    let table = "sql = replace(sql, 'TEXT NOT NULL', 'TEXT') WHERE name = 'alerts' AND type = 'table'";
    let row = "INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_hidden', 'alerts', 0,
               'CREATE TRIGGER sqlite_hidden BEFORE DELETE ON alerts BEGIN SELECT 1; END')";
    for (change, what) in [
        (format!("CREATE TRIGGER \"alerts\" {hides}"), "the trigger alerts on alerts was added"),
        (format!("CREATE TRIGGER event_bodies {hides}"), "the trigger event_bodies on alerts was added"),
        (format!("CREATE TRIGGER sqlxte_alerts {hides}"), "the trigger sqlxte_alerts on alerts was added"),
        ("CREATE VIEW more AS SELECT 1".into(), "the view more was added"),
        ("CREATE INDEX more ON alerts (score)".into(), "the index more on alerts was added"),
        ("CREATE TABLE more (a)".into(), "the table more was added"),
        ("ANALYZE".into(), "the table sqlite_stat1 was added"),
        ("CREATE TABLE more (a INTEGER PRIMARY KEY AUTOINCREMENT)".into(), "the table sqlite_sequence was added"),
        ("DROP VIEW logs".into(), "the view logs is missing"),
        (
            "DROP INDEX alerts_by_user; CREATE INDEX alerts_by_user ON alerts (user_id)".into(),
            "alerts_by_user on alerts was changed",
        ),
        (in_schema(&format!("UPDATE sqlite_schema SET {table}")), "the table alerts was changed"),
        (in_schema(row), "the trigger sqlite_hidden on alerts was added"),
        ("PRAGMA application_id = 7".into(), "the application id"),
    ] {
        let copied = Copied::new();
        let conn = Connection::open(copied.dir.database()).unwrap();
        conn.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).unwrap();
        conn.execute_batch(&change).unwrap();
        drop(conn);
        assert_says(&copied.verify(), what);
        match copied.refused() {
            StoreError::Schema(why) => assert!(why.contains(what), "{change}: {why}"),
            other => panic!("{change}: {other:?}"),
        }
        let backup = countersign_store::backup(&copied.dir.location(), &copied.dir.path().join("copy"), &mut |_, _| {});
        assert!(matches!(backup, Err(StoreError::Schema(_))), "{change}: {backup:?}");
    }
}

#[tokio::test]
async fn an_older_copy_of_the_database_is_refused() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.started("x"), fixture.started("y")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let older = fs::read(fixture.dir().database()).unwrap();
    let store = fixture.open(Threading::Inline);
    store.append(vec![fixture.started("z")]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    fs::write(fixture.dir().database(), older).unwrap();
    assert_names(&fixture.verify(), 2);
    let opened = Store::open(&fixture.location(), Threading::Inline, fixture.seams.clone());
    assert!(matches!(opened.err(), Some(StoreError::Tampered(_))));
}

#[test]
fn a_consistently_rewritten_log_does_not_match_its_checkpoints() {
    let copied = Copied::new();
    copied.change(|conn| {
        let sql = "UPDATE event_log SET header = replace(header, '\"producer\":\"test\"', '\"producer\":\"tesu\"') WHERE seq = 345";
        assert_eq!(conn.execute(sql, []).unwrap(), 1);
        recompute(conn, EVENTS);
    });
    let report = copied.verify();
    assert_names(&report, 300);
    assert_says(
        &report,
        "the checkpoint over 400 events does not match the log: one of the events 300 to 399 was changed",
    );
    assert_says(&report, "the stored tree of 613 events is not sealed by the log's key");
    assert_eq!(report.findings_total, 2, "the first that differs is enough: {:#?}", report.findings);
    match copied.refused() {
        StoreError::Tampered(why) => assert!(why.contains("not those that were signed"), "{why}"),
        other => panic!("{other:?}"),
    }
}

// Signatures.

fn key_of(copied: &Copied) -> SigningKey {
    SigningKey::from_text(fs::read_to_string(copied.dir.key()).unwrap().trim()).unwrap()
}

#[test]
fn a_forged_checkpoint_is_found_in_the_table() {
    let copied = Copied::new();
    let name = key_of(&copied).verifying_key().name().to_owned();
    let note = fs::read_to_string(copied.dir.checkpoint()).unwrap();
    let signed = key_of(&copied).verifying_key().open(&note).unwrap();
    // With another key anybody can sign anything, even under our name.
    let theirs = SigningKey::from_seed(&name, &[9; 32]).unwrap().sign(&signed);
    let shorter = note.replacen("\n613\n", "\n612\n", 1);
    assert_ne!(shorter, note);
    for forged in [theirs.as_str(), shorter.as_str(), "", "no note at all"] {
        let copied = Copied::new();
        copied.change(|conn| {
            conn.execute("UPDATE checkpoints SET note = ?1 WHERE size = 400", [forged]).unwrap();
        });
        assert_says(&copied.verify(), "the checkpoint is forged or damaged");
    }
    // A genuine note, stored under another size.
    let copied = Copied::new();
    copied.change(|conn| {
        conn.execute_batch(
            "UPDATE checkpoints SET note = (SELECT note FROM checkpoints WHERE size = 300) WHERE size = 400",
        )
        .unwrap();
    });
    assert_says(&copied.verify(), "is stored under a size that differs");
}

/// The checkpoints in the database say which events were still the same.
#[test]
fn a_checkpoint_of_our_key_over_another_root_is_found_and_its_events_named() {
    let copied = Copied::new();
    let signed = key_of(&copied).verifying_key().open(&fs::read_to_string(copied.dir.checkpoint()).unwrap()).unwrap();
    let lie = Checkpoint { root: leaf_hash(b"another"), ..signed };
    fs::write(copied.dir.checkpoint(), key_of(&copied).sign(&lie)).unwrap();
    assert_names(&copied.verify(), 500);
    assert!(matches!(copied.refused(), StoreError::Tampered(_)));
}
