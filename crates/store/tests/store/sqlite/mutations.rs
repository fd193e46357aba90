//! Random changes to a populated store. Each is made by itself, and `verify` must find it.
//!
//! `TAMPER_ROUNDS` sets their number (300 by default), `TAMPER_SEED` repeats a run, `TAMPER_FIRST` begins at a later round. The
//! store is the same in every run, and a round depends only on the seed and its own number.
//!
//! These changes need not be found, because nothing relies on what they change:
//!
//! | what is changed                                  | why it isn't a finding                                            |
//! |--------------------------------------------------|-------------------------------------------------------------------|
//! | `agent_registry`, `agent_attempts`, `process_state` | heartbeats, counters and a flag: they say nothing about the record |
//! | an erased event's id in `transaction_ids`, or in `alerts` of low severity | its sender chose it, and nothing else is left of the event |
//! | the row of `open_answers` of an erased event, removed or under another id | only its position is left of the event |
//! | a removed row of `checkpoints`                   | the store keeps only some itself; the other signatures still hold|
//! | a mark or a row of `agent_done`, over events that left nothing | handling them again leaves nothing either              |
//! | rows of agents that don't exist                  | nobody reads them                                                 |
//! | bits of the file that no query returns           | free space                                                        |

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, OnceLock},
};

use countersign_domain::effects;
use countersign_store::{Entropy, Seams, Store, SystemClock, Threading, Verification};
use rusqlite::{Connection, params_from_iter, types::Value};

use super::{
    SqliteFiles,
    populated::{StoreCopy, populated},
};

const BOOKKEEPING: [&str; 3] = ["agent_registry", "agent_attempts", "process_state"];

// The original store.

struct Original {
    tables: Vec<Table>,
    dump: Vec<Dumped>,
}

fn original() -> &'static Original {
    static READ: OnceLock<Original> = OnceLock::new();
    READ.get_or_init(|| {
        let path = populated().fixture.dir().database();
        let tables = Table::all(&Connection::open(&path).unwrap());
        for table in &tables {
            assert!(!table.rows.is_empty(), "{} is empty", table.name);
        }
        let dump = dump(&path, &tables).unwrap();
        Original { tables, dump }
    })
}

struct Table {
    name: String,
    columns: Vec<String>,
    keys: Vec<usize>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    fn all(conn: &Connection) -> Vec<Self> {
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";
        let names: Vec<String> = texts(conn, names);
        let names = names.into_iter().filter(|name| !BOOKKEEPING.contains(&name.as_str()));
        names.map(|name| Self::read(conn, name)).collect()
    }

    fn read(conn: &Connection, name: String) -> Self {
        let sql = format!("SELECT name, pk FROM pragma_table_xinfo('{name}') WHERE hidden = 0");
        let mut statement = conn.prepare(&sql).unwrap();
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
        let columns: Vec<_> = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
        let keys = (0..).zip(&columns).filter(|(_, (_, key))| *key > 0).map(|(n, _)| n).collect();
        let columns: Vec<_> = columns.into_iter().map(|(name, _)| name).collect();
        let mut statement = conn.prepare(&format!("SELECT {} FROM {name}", columns.join(", "))).unwrap();
        let read = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|n| row.get(n)).collect();
        let rows = statement.query_map([], read).unwrap().map(Result::unwrap).collect();
        Self { name, columns, keys, rows }
    }

    fn key_is(&self) -> String {
        self.keys.iter().map(|key| format!("{} IS ?", self.columns[*key])).collect::<Vec<_>>().join(" AND ")
    }

    fn key_of<'a>(&'a self, row: &'a [Value]) -> impl Iterator<Item = &'a Value> {
        self.keys.iter().map(|key| &row[*key])
    }
}

fn texts(conn: &Connection, sql: &str) -> Vec<String> {
    conn.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// The name of a table, and one of its rows.
type Dumped = (String, Vec<Value>);

/// All rows of these tables and of the schema, or `None` if they can't be read.
fn dump(path: &Path, tables: &[Table]) -> Option<Vec<Dumped>> {
    let conn = Connection::open(path).ok()?;
    let mut dumped = Vec::new();
    let schema = ("sqlite_schema", "type, name, tbl_name, sql".to_owned());
    for (name, columns) in tables.iter().map(|table| (table.name.as_str(), table.columns.join(", "))).chain([schema]) {
        let mut statement = conn.prepare(&format!("SELECT {columns} FROM {name}")).ok()?;
        let count = statement.column_count();
        let mut rows = statement.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let values = (0..count).map(|n| row.get::<_, Value>(n).ok()).collect::<Option<Vec<_>>>()?;
            dumped.push((name.to_owned(), values));
        }
    }
    Some(dumped)
}

// The changes.

struct Dice(Entropy);

impl Dice {
    fn of(seed: u64, round: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&round.to_le_bytes());
        Self(Entropy::from_seed(bytes))
    }

    fn below(&self, end: usize) -> usize {
        usize::try_from(u64::from_le_bytes(self.0.bytes()) % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn pick<'a, T>(&self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The change that a round made.
struct Change {
    class: String,
    what: String,
}

fn changed(class: impl Into<String>, what: impl Into<String>) -> Option<Change> {
    Some(Change { class: class.into(), what: what.into() })
}

impl StoreCopy {
    fn change(&self, dice: &Dice) -> Option<Change> {
        match dice.below(100) {
            0..40 => self.change_cell(dice),
            40..75 => self.change_row(dice),
            75..87 => self.change_schema(dice),
            87..96 => self.change_note(dice),
            _ => self.flip_bit(dice),
        }
    }

    fn change_cell(&self, dice: &Dice) -> Option<Change> {
        let table = dice.pick(&original().tables);
        let (row, column) = (dice.pick(&table.rows), dice.below(table.columns.len()));
        let (how, value) = another_value(&row[column], &dice.pick(&table.rows)[column], dice);
        if value == row[column] {
            return None;
        }
        let conn = self.connection();
        if is_exempt(&conn, table, row, Some((column, &value))) {
            return None;
        }
        let sql = format!("UPDATE {} SET {} = ? WHERE {}", table.name, table.columns[column], table.key_is());
        let values = [&value].into_iter().chain(table.key_of(row));
        if !matches!(conn.execute(&sql, params_from_iter(values)), Ok(1)) {
            return None;
        }
        // The column's type may convert the value back.
        let sql = format!("SELECT count(*) FROM {} WHERE {}", table.name, has_values(table));
        let same: i64 = conn.query_row(&sql, params_from_iter(row), |row| row.get(0)).unwrap();
        if same > 0 {
            return None;
        }
        changed(format!("cell: {how}"), format!("{}.{} of {row:?} to {value:?}", table.name, table.columns[column]))
    }

    fn change_row(&self, dice: &Dice) -> Option<Change> {
        let table = dice.pick(&original().tables);
        let row = dice.pick(&table.rows);
        let conn = self.connection();
        let name = &table.name;
        match dice.below(4) {
            0 => {
                if name == "checkpoints" || is_exempt(&conn, table, row, None) {
                    return None;
                }
                let sql = format!("DELETE FROM {name} WHERE {}", table.key_is());
                assert_eq!(conn.execute(&sql, params_from_iter(table.key_of(row))).unwrap(), 1);
                changed("row: deleted", format!("{name}: {row:?}"))
            }
            1 => {
                // The same row with another value in one column of its key.
                let mut copy = row.clone();
                let key = *dice.pick(&table.keys);
                copy[key] = another_value(&row[key], &dice.pick(&table.rows)[key], dice).1;
                if is_exempt(&conn, table, &copy, None) || !insert(&conn, table, &copy) {
                    return None;
                }
                changed("row: duplicated under another key", format!("{name}: {copy:?}"))
            }
            2 => {
                // Each value from some other row.
                let made: Vec<_> = (0..row.len()).map(|n| dice.pick(&table.rows)[n].clone()).collect();
                if table.rows.contains(&made) || is_exempt(&conn, table, &made, None) || !insert(&conn, table, &made) {
                    return None;
                }
                changed("row: inserted", format!("{name}: {made:?}"))
            }
            _ => self.swap_rows(&conn, dice, table, row),
        }
    }

    /// Exchanges the contents of two rows, or their keys.
    fn swap_rows(&self, conn: &Connection, dice: &Dice, table: &Table, a: &[Value]) -> Option<Change> {
        let b = dice.pick(&table.rows).as_slice();
        let rest: Vec<_> = (0..a.len()).filter(|n| !table.keys.contains(n)).collect();
        if rest.is_empty() || rest.iter().all(|n| a[*n] == b[*n]) {
            return None;
        }
        if is_exempt(conn, table, a, None) || is_exempt(conn, table, b, None) {
            return None;
        }
        // With unique indexes the first half of the exchange would be refused.
        for row in [a, b] {
            let sql = format!("DELETE FROM {} WHERE {}", table.name, table.key_is());
            assert_eq!(conn.execute(&sql, params_from_iter(table.key_of(row))).unwrap(), 1);
        }
        for (row, from) in [(a, b), (b, a)] {
            let mixed: Vec<_> =
                (0..a.len()).map(|n| if rest.contains(&n) { &from[n] } else { &row[n] }.clone()).collect();
            assert!(insert(conn, table, &mixed), "{mixed:?}");
        }
        changed("row: two exchanged", format!("{}: {a:?} and {b:?}", table.name))
    }

    fn change_schema(&self, dice: &Dice) -> Option<Change> {
        let conn = self.connection();
        let objects: Vec<(String, String, String)> = conn
            .prepare("SELECT type, name, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let (kind, name, _) = dice.pick(&objects);
        let tables: Vec<_> = original().tables.iter().map(|table| table.name.as_str()).collect();
        let (table, like) = (*dice.pick(&tables), *dice.pick(&tables));
        let n = dice.below(1_000);
        let in_schema = |sql: String| format!("PRAGMA writable_schema = ON; {sql}; PRAGMA writable_schema = RESET");
        let body = "BEGIN SELECT RAISE(IGNORE); END";
        let (class, sql) = match dice.below(12) {
            0 if kind != "table" => ("dropped", format!("DROP {kind} {name}")),
            1 => (
                "trigger named like a table",
                format!("CREATE TRIGGER \"{like}\" BEFORE INSERT ON {table} WHEN {n} {body}"),
            ),
            2 => ("trigger added", format!("CREATE TRIGGER extra_{n} AFTER UPDATE ON {table} WHEN {n} {body}")),
            3 => ("index added", format!("CREATE INDEX extra_{n} ON {table} (1)")),
            4 => ("view added", format!("CREATE VIEW extra_{n} AS SELECT {n}")),
            5 => ("table added", format!("CREATE TABLE extra_{n} (a INTEGER PRIMARY KEY AUTOINCREMENT)")),
            6 => ("column added", format!("ALTER TABLE {table} ADD COLUMN extra_{n} TEXT")),
            7 => ("table renamed", format!("ALTER TABLE {table} RENAME TO extra_{n}")),
            8 => ("SQL changed", in_schema(format!("UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = '{name}'"))),
            9 => (
                "object renamed",
                in_schema(format!(
                    "UPDATE sqlite_schema SET name = 'sqlite_{n}' WHERE name = '{name}' AND type = 'trigger'"
                )),
            ),
            10 => ("application id", format!("PRAGMA application_id = {n}")),
            11 => ("version", format!("PRAGMA user_version = {}", n + 100)),
            _ => return None,
        };
        conn.execute_batch(&sql).ok()?;
        drop(conn);
        (dump(&self.dir.database(), &[]) != dump(&populated().fixture.dir().database(), &[])
            || class == "application id"
            || class == "version")
            .then(|| Change { class: format!("schema: {class}"), what: sql })
    }

    fn change_note(&self, dice: &Dice) -> Option<Change> {
        let path = self.dir.checkpoint();
        let note = fs::read(&path).unwrap();
        let text = String::from_utf8(note.clone()).unwrap();
        let own = text.lines().last().unwrap();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        let (class, new) = match dice.below(11) {
            0 => {
                let mut bytes = note.clone();
                bytes[dice.below(note.len())] ^= 1 << dice.below(8);
                ("byte changed", bytes)
            }
            1 => ("truncated", note[..dice.below(note.len())].to_vec()),
            2 => {
                let mut bytes = note.clone();
                bytes.insert(dice.below(note.len() + 1), *dice.pick(b" \n\t\r"));
                ("white space inserted", bytes)
            }
            3 => ("second signature in the log's name", format!("{text}{own}\n").into_bytes()),
            4 => ("signature of somebody else", format!("{text}— somebody AAAAAQIDBA==\n").into_bytes()),
            5 => {
                let at = dice.below(lines.len());
                (
                    "line removed",
                    lines
                        .iter()
                        .enumerate()
                        .filter(|(n, _)| *n != at)
                        .map(|(_, line)| *line)
                        .collect::<String>()
                        .into_bytes(),
                )
            }
            6 => {
                let size = text.lines().nth(1).unwrap();
                ("another size", text.replacen(size, &dice.below(2_000).to_string(), 1).into_bytes())
            }
            7 => (
                "case changed",
                if dice.below(2) == 0 { text.to_uppercase() } else { text.to_lowercase() }.into_bytes(),
            ),
            8 => {
                let conn = self.connection();
                let notes = texts(&conn, "SELECT note FROM checkpoints ORDER BY size");
                ("an earlier note", dice.pick(&notes).clone().into_bytes())
            }
            9 => {
                fs::remove_file(&path).unwrap();
                return changed("note: removed", "ledger.checkpoint");
            }
            _ => {
                let path = self.dir.public_key();
                let mut key = fs::read(&path).unwrap();
                // The newline at its end is not part of it.
                let at = dice.below(key.len() - 1);
                key[at] ^= 1 << dice.below(7);
                fs::write(&path, key).unwrap();
                return changed("note: public key changed", format!("byte {at}"));
            }
        };
        if new == note {
            return None;
        }
        fs::write(&path, &new).unwrap();
        changed(format!("note: {class}"), String::from_utf8_lossy(&new))
    }

    fn flip_bit(&self, dice: &Dice) -> Option<Change> {
        let mut bytes = populated().database.clone();
        let (at, bit) = (dice.below(bytes.len()), dice.below(8));
        bytes[at] ^= 1 << bit;
        fs::write(self.dir.database(), &bytes).unwrap();
        if let Some(now) = dump(&self.dir.database(), &original().tables) {
            self.restore();
            if now == original().dump || is_exempt_value(&self.connection(), &now) {
                return None;
            }
            fs::write(self.dir.database(), &bytes).unwrap();
        }
        changed("file: bit flipped", format!("bit {bit} of byte {at}"))
    }
}

fn insert(conn: &Connection, table: &Table, row: &[Value]) -> bool {
    let places = vec!["?"; row.len()].join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({places})", table.name, table.columns.join(", "));
    conn.execute(&sql, params_from_iter(row)).is_ok()
}

/// A condition that all columns have the values that are bound.
fn has_values(table: &Table) -> String {
    table.columns.iter().map(|column| format!("{column} IS ?")).collect::<Vec<_>>().join(" AND ")
}

/// Another value, and how it was made.
fn another_value(value: &Value, elsewhere: &Value, dice: &Dice) -> (&'static str, Value) {
    if dice.below(4) == 0 {
        return ("another row's", elsewhere.clone());
    }
    match value {
        Value::Integer(n) => match dice.below(4) {
            0 => ("one more", Value::Integer(n + 1)),
            1 => ("one less", Value::Integer(n - 1)),
            2 => ("another number", Value::Integer(i64::try_from(dice.below(1_000)).unwrap())),
            _ => ("another type", Value::Text("x".into())),
        },
        Value::Text(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            let at = dice.below(chars.len());
            match dice.below(6) {
                0 if !chars.is_empty() => {
                    chars[at] = if chars[at] == 'z' { 'y' } else { 'z' };
                    ("a character", Value::Text(chars.into_iter().collect()))
                }
                1 => ("upper case", Value::Text(text.to_uppercase())),
                2 => ("white space", Value::Text(format!("{text} "))),
                3 => ("cut short", Value::Text(chars.into_iter().take(at).collect())),
                4 => ("another type", Value::Blob(text.clone().into_bytes())),
                _ => ("null", Value::Null),
            }
        }
        Value::Blob(blob) => {
            let mut blob = blob.clone();
            let at = dice.below(blob.len());
            match dice.below(3) {
                0 if !blob.is_empty() => blob[at] ^= 1 << dice.below(8),
                1 => blob.truncate(at),
                _ => blob.push(0),
            }
            ("bytes", Value::Blob(blob))
        }
        _ => ("not null", if dice.below(2) == 0 { Value::Integer(7) } else { Value::Text("x".into()) }),
    }
}

// Changes that need not be found.

/// Whether a row may be changed in this way without a finding. `to` is the changed column with its new value, if only one
/// changes.
fn is_exempt(conn: &Connection, table: &Table, row: &[Value], to: Option<(usize, &Value)>) -> bool {
    match table.name.as_str() {
        "agent_progress" | "agent_done" => is_harmless_progress(conn, table, row, to),
        "transaction_ids" | "alerts" => {
            let is_id = to.is_none_or(|(column, _)| column == 1);
            is_id && is_erased(conn, &row[0]) && (table.name == "transaction_ids" || !had_case(conn, &row[0]))
        }
        "open_answers" => is_erased(conn, &row[1]) && to.is_none_or(|(column, _)| column == 0),
        _ => false,
    }
}

/// Whether a dump differs from the original in a single value, and that change may go without a finding.
fn is_exempt_value(conn: &Connection, now: &[Dumped]) -> bool {
    let before = &original().dump;
    let rows: Vec<_> = before.iter().zip(now).filter(|(before, now)| before != now).collect();
    let [((name, row), (_, new))] = rows.as_slice() else { return false };
    let values: Vec<_> = (0..).zip(row.iter().zip(new)).filter(|(_, (before, now))| before != now).collect();
    let ([(column, (_, to))], Some(table)) =
        (values.as_slice(), original().tables.iter().find(|table| table.name == *name))
    else {
        return false;
    };
    before.len() == now.len() && is_exempt(conn, table, row, Some((*column, to)))
}

fn is_erased(conn: &Connection, seq: &Value) -> bool {
    conn.prepare_cached("SELECT 1 FROM erasures WHERE seq = ?1").unwrap().exists([seq]).unwrap()
}

fn had_case(conn: &Connection, seq: &Value) -> bool {
    conn.prepare_cached("SELECT 1 FROM case_states WHERE alert_seq = ?1").unwrap().exists([seq]).unwrap()
}

/// Progress over events that left nothing, of agents that exist.
fn is_harmless_progress(conn: &Connection, table: &Table, row: &[Value], to: Option<(usize, &Value)>) -> bool {
    let mut after = row.to_vec();
    if let Some((column, value)) = to {
        after[column] = value.clone();
    }
    let all = |row: &[Value]| match (&row[0], &row[1]) {
        (Value::Text(agent), Value::Integer(seq)) => Some((agent.clone(), *seq)),
        _ => None,
    };
    let (Some((agent, before)), Some((new_agent, new))) = (all(row), all(&after)) else { return false };
    let end: i64 = conn.query_row("SELECT size FROM ledger_head", [], |row| row.get(0)).unwrap();
    let left = "SELECT 1 FROM event_log c JOIN event_log e ON e.header ->> '$.causation_id' = c.event_id
                AND e.header ->> '$.producer' = ?1 WHERE c.seq >= ?2 AND c.seq < ?3";
    let indexed = "SELECT 1 FROM user_transactions WHERE ?1 = 'detector' AND seq >= ?2 AND seq < ?3";
    let has_effects = |agent: &str, from: i64, to: i64| {
        [left, indexed].iter().any(|sql| conn.prepare_cached(sql).unwrap().exists((agent, from, to)).unwrap())
    };
    let is_known = |agent: &str| effects::agent_named(agent).is_some();
    let is_row_of = |agent: &str, seq: i64| {
        let sql = "SELECT event_type FROM event_log WHERE seq = ?1 AND seq >= coalesce((SELECT low FROM agent_progress WHERE agent = ?2), 0)";
        let found: Option<String> = conn.query_row(sql, (seq, agent), |row| row.get(0)).ok();
        let effects = effects::agent_named(agent).map(|at| &effects::AGENTS[at]);
        found.is_some_and(|found| {
            effects.is_some_and(|effects| effects.subscribes_to.iter().any(|known| known.as_str() == found))
        })
    };
    let external = |agent: &str| ["mirror", "webhooks"].contains(&agent);
    if table.name == "agent_progress" {
        let gone = !is_known(&agent) || !has_effects(&agent, 0, before);
        match to {
            Some((0, _)) => return gone && (!is_known(&new_agent) || (!has_effects(&new_agent, 0, end) && new <= end)),
            Some(_) => {
                let (from, until) = (before.min(new), before.max(new));
                return !is_known(&agent) || ((0..=end).contains(&new) && !has_effects(&agent, from, until.min(end)));
            }
            // A row that is removed or added.
            None => return !is_known(&agent) || ((0..=end).contains(&before) && !has_effects(&agent, 0, end)),
        }
    }
    // A removed row shows in its effects only; an added one also in its event's type.
    let removed_is_harmless = !is_known(&agent) || !has_effects(&agent, before, before + 1);
    let added_is_harmless = |agent: &str, seq: i64| {
        !is_known(agent) || (is_row_of(agent, seq) && (external(agent) || !is_effect_expected(conn, agent, seq)))
    };
    let is_there = conn.prepare_cached("SELECT 1 FROM agent_done WHERE agent = ?1 AND seq = ?2").unwrap();
    let is_there = {
        let mut is_there = is_there;
        is_there.exists((&agent, before)).unwrap()
    };
    match to {
        Some(_) => removed_is_harmless && added_is_harmless(&new_agent, new),
        None if is_there => removed_is_harmless,
        None => added_is_harmless(&agent, before),
    }
}

/// Whether the agent's handling of this event would have to leave an effect.
fn is_effect_expected(conn: &Connection, agent: &str, seq: i64) -> bool {
    let sql = "SELECT l.event_type, b.payload FROM event_log l JOIN event_bodies b ON b.seq = l.seq WHERE l.seq = ?1";
    let found: Option<(String, String)> = conn.query_row(sql, [seq], |row| Ok((row.get(0)?, row.get(1)?))).ok();
    let Some((event_type, payload)) = found else { return false };
    let event_type = countersign_domain::EventType::parse(&event_type).unwrap();
    let event = countersign_domain::Event::from_payload(event_type, &payload).unwrap();
    effects::agent_named(agent).is_some_and(|at| effects::expected_effect(&effects::AGENTS[at], &event).is_some())
}

// The rounds.

#[test]
fn no_random_change_of_a_populated_store_is_missed() {
    let rounds = setting("TAMPER_ROUNDS").unwrap_or(300);
    let seed = setting("TAMPER_SEED").unwrap_or(17);
    let first = setting("TAMPER_FIRST").unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64).min(4);
    println!("{rounds} rounds with TAMPER_SEED={seed}, over {} events", populated().fixture.verify().events);
    let tallies: Vec<_> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || run(seed, (first..first + rounds).filter(|n| n % threads == thread))))
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (class, count) in tallies.iter().flat_map(|tally| &tally.counts) {
        *counts.entry(class.clone()).or_default() += count;
    }
    counts.iter().for_each(|(class, count)| println!("{count:>8}  {class}"));
    println!("{:>8}  changes in all", counts.values().sum::<u64>());
    let missed: Vec<_> = tallies.iter().flat_map(|tally| &tally.missed).collect();
    missed.iter().for_each(|miss| println!("MISSED {miss}"));
    assert!(missed.is_empty(), "{} of {rounds} changes were not found", missed.len());
}

#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, u64>,
    missed: Vec<String>,
}

fn run(seed: u64, rounds: impl Iterator<Item = u64>) -> Tally {
    let (copy, mut tally) = (StoreCopy::new(), Tally::default());
    for round in rounds {
        let dice = Dice::of(seed, round);
        // If a change can't be made or need not be found, another one is tried.
        let change = loop {
            copy.restore();
            if let Some(change) = copy.change(&dice) {
                break change;
            }
        };
        if copy.verify().as_ref().is_ok_and(Verification::is_good) {
            let Change { class, what } = &change;
            tally
                .missed
                .push(format!("TAMPER_SEED={seed} TAMPER_FIRST={round} TAMPER_ROUNDS=1 ({class}): {what:.600}"));
        }
        *tally.counts.entry(change.class).or_default() += 1;
    }
    tally
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The original store itself is in order.
#[test]
fn the_populated_store_can_be_opened() {
    let copy = StoreCopy::new();
    let seams = Seams { clock: Arc::new(SystemClock), entropy: Arc::new(Entropy::from_seed([1; 32])) };
    drop(Store::open(&copy.dir.location(), Threading::Inline, seams).unwrap());
}
