//! Verifying a store file: every leaf, node, body, link and checkpoint, and every row that people read.
//!
//! Reads only, in short transactions, so that it can run beside a live server. `agent_registry`, `agent_progress`,
//! `agent_done`, `agent_attempts` and `process_state` are bookkeeping, not record, and are not checked.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    path::Path,
};

use countersign_domain::{
    Event, EventId,
    payload::{EventDeadLettered, KeyChange, KeyChanged},
};
use countersign_ledger::{Hash, NodeId, VerifyingKey};
use rusqlite::{
    Connection, OptionalExtension,
    types::{ToSqlOutput, Value, ValueRef},
};

use super::{ledger, projection, readers::open_read_only, schema};
use crate::{
    check::{Body, Check, Report},
    error::{Result, StoreError},
};

/// Events read in one go: short enough to leave the write-ahead log alone.
const CHUNK: u64 = 2_000;

type EachRow<'a> = dyn FnMut(u64, &[u8], &[u8], Option<Body<'_>>) -> Result<()> + 'a;

/// Calls `each` with seq, header, leaf hash and body of every event before `size`, in order.
fn walk(conn: &Connection, size: u64, each: &mut EachRow<'_>) -> Result<()> {
    let mut statement = conn.prepare(
        "SELECT l.seq, l.header, l.leaf_hash, b.salt, b.payload, b.metadata
         FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq WHERE l.seq >= ?1 AND l.seq < ?2 ORDER BY l.seq",
    )?;
    for start in (0..size).step_by(CHUNK as usize) {
        let mut rows = statement.query([start, (start + CHUNK).min(size)])?;
        while let Some(row) = rows.next()? {
            let payload = row.get_ref(4)?;
            let (salt, metadata) = (bytes(row.get_ref(3)?), bytes(row.get_ref(5)?));
            let body = (payload != ValueRef::Null).then(|| Body { salt, payload: bytes(payload), metadata });
            each(row.get(0)?, bytes(row.get_ref(1)?), bytes(row.get_ref(2)?), body)?;
        }
    }
    Ok(())
}

/// The same for a store file that somebody else may be writing to.
pub(crate) fn for_each_event(
    path: &Path,
    size: u64,
    each: &mut dyn FnMut(u64, &[u8], Option<Body<'_>>) -> Result<()>,
) -> Result<()> {
    let conn = open_read_only(path)?;
    schema::check_current(&conn)?;
    walk(&conn, size, &mut |seq, header, _, body| each(seq, header, body))
}

/// Checks the database at `path`. `outside` is the note of the last checkpoint kept outside it, if there is one.
pub(crate) fn verify_database(
    path: &Path,
    key: &VerifyingKey,
    outside: Option<&str>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let conn = open_read_only(path)?;
    schema::check_current(&conn)?;
    let mut verification = Verification {
        conn: &conn,
        check: Check::new(),
        rows: HashMap::new(),
        keys: BTreeMap::new(),
        letters: BTreeMap::new(),
    };
    // The note first, then the head: the log only grows, so what was signed must be in what is read after it.
    if let Some(note) = outside {
        verification.expect_note(key, note, "the last signed checkpoint", None);
    }
    let (size, origin) = verification.expect_head(key)?;
    verification.expect_checkpoints(key, size)?;
    verification.check_file();
    verification.check_events(size, progress)?;
    verification.check_rows(size)?;
    verification.check_keys(size)?;
    verification.check_dead_letters(size)?;
    verification.check_erasures(size)?;
    Ok(verification.check.finish(origin))
}

struct Verification<'a> {
    conn: &'a Connection,
    check: Check,
    /// Expected rows per projection table.
    rows: HashMap<&'static str, u64>,
    keys: BTreeMap<String, [Value; 8]>,
    letters: BTreeMap<String, [Value; 9]>,
}

impl Verification<'_> {
    fn expect_note(&mut self, key: &VerifyingKey, note: &str, label: &str, size: Option<u64>) {
        match key.open(note) {
            Ok(checkpoint) if size.is_some_and(|size| size != checkpoint.size) => {
                self.check.find(None, None, format!("{label} stands under another size than the one that was signed"));
            }
            Ok(checkpoint) => self.check.expect_checkpoint(&checkpoint, label),
            Err(error) => self.check.find(None, None, format!("{label} is forged or damaged: {error}")),
        }
    }

    fn expect_head(&mut self, key: &VerifyingKey) -> Result<(u64, String)> {
        let stored: Option<u64> = self.conn.query_row("SELECT max(seq) + 1 FROM event_log", [], |row| row.get(0))?;
        match ledger::read_head(self.conn) {
            Ok(Some(head)) => {
                let size = head.frontier.size();
                self.check.expect_root(size, head.root, format!("the stored root over {size} events"));
                self.check.expect_root(size, head.frontier.root(), format!("the stored tree over {size} events"));
                if head.origin != key.name() {
                    self.check.find(None, None, format!("the stored origin is not {}, the key's", key.name()));
                }
                // A live store may have grown since; a head that is ahead of its events may not.
                Ok((size.max(stored.unwrap_or(0).min(size)), key.name().to_owned()))
            }
            Ok(None) => {
                self.check.find(None, None, "the stored tree is missing");
                Ok((stored.unwrap_or(0), key.name().to_owned()))
            }
            Err(error) => {
                self.check.find(None, None, format!("the stored tree can't be read: {error}"));
                Ok((stored.unwrap_or(0), key.name().to_owned()))
            }
        }
    }

    fn expect_checkpoints(&mut self, key: &VerifyingKey, size: u64) -> Result<()> {
        let mut statement = self.conn.prepare("SELECT size, note FROM checkpoints WHERE size <= ?1 ORDER BY size")?;
        let rows = statement.query_map([size], |row| Ok((row.get::<_, u64>(0)?, text(row.get_ref(1)?))))?;
        for row in rows {
            let (size, note) = row?;
            self.expect_note(key, &note, "the checkpoint", Some(size));
        }
        // Beyond the head there can only be what the head has lost.
        let beyond: Option<u64> =
            self.conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get::<_, Option<u64>>(0))?;
        let grown: Option<u64> = self.conn.query_row("SELECT max(seq) + 1 FROM event_log", [], |row| row.get(0))?;
        if let Some(beyond) = beyond.filter(|beyond| *beyond > grown.unwrap_or(0).max(size)) {
            let seq = grown.unwrap_or(0);
            self.check.find(Some(seq), None, format!("is missing: a checkpoint was signed over {beyond} events"));
        }
        Ok(())
    }

    /// SQLite's own check: pages, and indexes against their tables.
    fn check_file(&mut self) {
        let problems = || -> Result<Vec<String>> {
            let mut statement = self.conn.prepare("PRAGMA integrity_check(10)")?;
            let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        match problems() {
            Ok(lines) if lines == ["ok"] => {}
            Ok(lines) => self.check.find(None, None, format!("the database file is damaged: {}", lines.join("; "))),
            Err(error) => self.check.find(None, None, format!("the database file can't be checked: {error}")),
        }
    }

    fn check_events(&mut self, size: u64, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let conn = self.conn;
        walk(conn, size, &mut |seq, header, leaf, body| {
            if seq % 1_000 == 0 {
                progress(seq, size);
            }
            self.check_event(seq, header, leaf, body)
        })?;
        progress(size, size);
        let (conn, check) = (self.conn, &mut self.check);
        let stray: Option<u64> = conn
            .query_row(
                "SELECT seq FROM event_bodies b WHERE seq < ?1 AND NOT EXISTS (SELECT 1 FROM event_log l WHERE l.seq = b.seq)
                 UNION ALL SELECT seq FROM event_log WHERE seq < 0 LIMIT 1",
                [size],
                |row| row.get(0),
            )
            .optional()
            .unwrap_or(Some(0));
        if let Some(seq) = stray {
            check.find(Some(seq), None, "there is a body without its event");
        }
        let nodes: u64 = conn.query_row("SELECT count(*) FROM ledger_nodes", [], |row| row.get(0))?;
        let grown: u64 = conn.query_row("SELECT coalesce(max(seq) + 1, 0) FROM event_log", [], |row| row.get(0))?;
        let expected = |size: u64| (1..8).map(|stride| size >> (8 * stride)).sum::<u64>();
        if !(expected(size)..=expected(grown)).contains(&nodes) {
            check.find(None, None, format!("the stored tree has {nodes} inner nodes instead of {}", expected(size)));
        }
        Ok(())
    }

    fn check_event(&mut self, seq: u64, header: &[u8], leaf: &[u8], body: Option<Body<'_>>) -> Result<()> {
        if leaf != countersign_ledger::leaf_hash(header).as_bytes() {
            self.check.find(Some(seq), None, "the header does not match its leaf hash");
        }
        let completed: RefCell<Vec<(NodeId, Hash)>> = RefCell::default();
        let conn = self.conn;
        let event = self.check.event(
            seq,
            header,
            body,
            |cause| position_of(conn, cause),
            |node, hash| completed.borrow_mut().push((node, hash)),
        )?;
        for (node, hash) in completed.into_inner() {
            self.check_node(node, hash)?;
        }
        let Some((id, event)) = event else { return Ok(()) };
        self.check_projection(seq, id, &event)?;
        match &event {
            Event::KeyChanged(change) => self.expect_key(seq, change),
            Event::EventDeadLettered(letter) => self.expect_dead_letter(seq, letter),
            _ => {}
        }
        Ok(())
    }

    fn check_node(&mut self, node: NodeId, hash: Hash) -> Result<()> {
        let stored: Option<Vec<u8>> = self
            .conn
            .prepare_cached("SELECT hash FROM ledger_nodes WHERE level = ?1 AND idx = ?2")?
            .query_row((node.level, node.index), |row| Ok(bytes(row.get_ref(0)?).to_vec()))
            .optional()?;
        if stored.as_deref() != Some(hash.as_bytes()) {
            let (first, last) = (node.index << node.level, ((node.index + 1) << node.level) - 1);
            self.check.find(Some(first), None, format!("the stored tree does not match the events {first} to {last}"));
        }
        Ok(())
    }

    /// A row that people read must say what its event says.
    fn check_projection(&mut self, seq: u64, id: EventId, event: &Event) -> Result<()> {
        let Some(row) = projection::row_of(event) else { return Ok(()) };
        *self.rows.entry(row.table.name).or_default() += 1;
        let same = self
            .conn
            .prepare_cached(row.table.select)?
            .query_row([seq], |stored| {
                (0..).zip(&row.values).try_fold(true, |same, (column, expected)| {
                    Ok(same && stored.get_ref(column)? == value_of(expected))
                })
            })
            .optional()?;
        if same != Some(true) {
            let how = if same.is_none() { "is missing from" } else { "reads differently in" };
            self.check.find(Some(seq), Some(id), format!("{how} the table {}", row.table.name));
        }
        Ok(())
    }

    fn check_rows(&mut self, size: u64) -> Result<()> {
        for table in projection::TABLES {
            let expected = self.rows.get(table.name).copied().unwrap_or(0);
            let erased: u64 = self.conn.query_row(
                &format!("SELECT count(*) FROM {} t JOIN erasures e ON e.seq = t.seq WHERE t.seq < ?1", table.name),
                [size],
                |row| row.get(0),
            )?;
            let stored: u64 = self.conn.query_row(table.count, [size], |row| row.get(0))?;
            if stored != expected + erased && self.check.findings.is_empty() {
                self.check.find(
                    None,
                    None,
                    format!("the table {} has {stored} rows instead of {}", table.name, expected + erased),
                );
            }
        }
        Ok(())
    }

    fn expect_key(&mut self, seq: u64, change: &KeyChanged) {
        let at = Value::Text(change.changed_at.to_string());
        let position = Value::Integer(i64::try_from(seq).unwrap_or(i64::MAX));
        match change.change {
            KeyChange::Created => {
                let row = [
                    Value::Text(change.key_id.to_string()),
                    position,
                    Value::Text(change.name.clone()),
                    Value::Text(change.role.to_string()),
                    Value::Text(change.secret_sha256.clone()),
                    at,
                    change.expires_at.map_or(Value::Null, |at| Value::Text(at.to_string())),
                    Value::Null,
                ];
                self.keys.insert(change.key_id.to_string(), row);
            }
            KeyChange::Revoked => {
                if let Some(row) = self.keys.get_mut(change.key_id.as_str()) {
                    row[1] = position;
                    row[7] = at;
                }
            }
        }
    }

    fn check_keys(&mut self, size: u64) -> Result<()> {
        let sql = "SELECT id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at FROM access_keys";
        let expected = std::mem::take(&mut self.keys);
        self.compare_by_id(sql, "access_keys", size, expected)
    }

    fn expect_dead_letter(&mut self, seq: u64, letter: &EventDeadLettered) {
        let integer = |value: u64| Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
        let row = [
            Value::Text(letter.dead_letter_id.to_string()),
            integer(seq),
            Value::Text(letter.agent.clone()),
            integer(letter.seq),
            Value::Text(letter.event_id.to_string()),
            Value::Text(letter.event_type.clone()),
            integer(letter.attempts.into()),
            Value::Text(letter.error.clone()),
            Value::Text(letter.dead_lettered_at.to_string()),
        ];
        self.letters.insert(letter.dead_letter_id.to_string(), row);
    }

    fn check_dead_letters(&mut self, size: u64) -> Result<()> {
        let sql = "SELECT id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at
                   FROM dead_letters WHERE state IN ('dead', 'replaying', 'replayed')";
        let expected = std::mem::take(&mut self.letters);
        self.compare_by_id(sql, "dead_letters", size, expected)
    }

    /// Compares a small table, row by row and both ways, with what the events make of it. The second column is the seq.
    fn compare_by_id<const N: usize>(
        &mut self,
        sql: &str,
        table: &str,
        size: u64,
        mut expected: BTreeMap<String, [Value; N]>,
    ) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let stored = (0..N).map(|column| row.get::<_, Value>(column)).collect::<rusqlite::Result<Vec<_>>>()?;
            let seq = match stored.get(1) {
                Some(Value::Integer(seq)) => u64::try_from(*seq).unwrap_or(0),
                _ => 0,
            };
            if seq >= size {
                // Written since the head was read, or moved beyond it; its event tells.
                if position_exists(self.conn, seq)? {
                    expected.retain(|_, row| Some(&row[0]) != stored.first());
                    continue;
                }
            }
            let id = match stored.first() {
                Some(Value::Text(id)) => id.clone(),
                _ => String::new(),
            };
            match expected.remove(&id) {
                Some(row) if row[..] == stored[..] => {}
                Some(row) => self.check.find(seq_of(&row), None, format!("reads differently in the table {table}")),
                None => self.check.find(Some(seq), None, format!("the table {table} has a row that no event made")),
            }
        }
        for row in expected.values() {
            self.check.find(seq_of(row), None, format!("is missing from the table {table}"));
        }
        Ok(())
    }

    fn check_erasures(&mut self, size: u64) -> Result<()> {
        let mut statement = self.conn.prepare("SELECT seq, event_seq FROM erasures WHERE seq < ?1")?;
        let rows = statement.query_map([size], |row| Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?)))?;
        for row in rows {
            let (seq, event_seq) = row?;
            let named = self
                .conn
                .prepare_cached(
                    "SELECT 1 FROM event_bodies b, json_each(b.payload, '$.seqs') named
                     WHERE b.seq = ?1 AND named.value = ?2",
                )?
                .exists([event_seq, seq])?;
            if !named {
                self.check.find(Some(seq), None, "is marked as erased by an event that does not name it");
            }
        }
        Ok(())
    }
}

fn seq_of<const N: usize>(row: &[Value; N]) -> Option<u64> {
    match row.get(1) {
        Some(Value::Integer(seq)) => u64::try_from(*seq).ok(),
        _ => None,
    }
}

fn position_of(conn: &Connection, id: EventId) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT seq FROM event_log WHERE event_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get(0)).optional()?)
}

fn position_exists(conn: &Connection, seq: u64) -> Result<bool> {
    Ok(conn.prepare_cached("SELECT 1 FROM event_log WHERE seq = ?1")?.exists([seq])?)
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    }
}

fn text(value: ValueRef<'_>) -> String {
    String::from_utf8_lossy(bytes(value)).into_owned()
}

fn value_of<'a>(value: &'a ToSqlOutput<'_>) -> ValueRef<'a> {
    match value {
        ToSqlOutput::Borrowed(value) => *value,
        ToSqlOutput::Owned(value) => ValueRef::from(value),
        _ => ValueRef::Null,
    }
}
