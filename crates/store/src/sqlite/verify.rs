//! Verifying a store file: every leaf, node, body, link and checkpoint, every row that people read, and that agents have
//! done what their progress says.
//!
//! Reads only, in short transactions, so that it can run beside a live server. `agent_registry` (heartbeats and counts),
//! `agent_attempts` and `process_state` are bookkeeping that no claim rests on, and are not checked. The search index is
//! checked apart, in `search/verify.rs`.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use countersign_domain::{
    AlertId, DeadLetterState, Event, EventId, EventType, InvestigationId,
    payload::{DeadLetterChanged, EventDeadLettered, KeyChange, KeyChanged},
};
use countersign_ledger::{Hash, NodeId, VerifyingKey};
use rusqlite::{
    Connection, OptionalExtension,
    types::{ToSqlOutput, Value, ValueRef},
};

use super::{
    answers::OpenAnswers,
    cases::Cases,
    erasure_record,
    history::History,
    ledger,
    projection::{self, Table},
    ranks::Ranks,
    readers::open_read_only,
    schema,
    verify_effects::Effects,
};
use crate::{
    anchor::Anchor,
    check::{Body, Check, Checked, Verification},
    error::{Result, StoreError},
    notes,
};

/// Events read in one go: short enough to leave the write-ahead log alone.
const CHUNK: u64 = 2_000;

/// An event as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) seq: u64,
    pub(crate) header: &'a [u8],
    pub(crate) leaf: &'a [u8],
    pub(crate) body: Option<Body<'a>>,
    /// The content of the report that it tells of.
    pub(crate) report: Option<&'a [u8]>,
}

type EachRow<'a> = dyn FnMut(Piece<'_>) -> Result<()> + 'a;

/// Calls `each` with every event before `size`, in order.
fn walk(conn: &Connection, size: u64, each: &mut EachRow<'_>) -> Result<()> {
    let mut statement = conn.prepare(
        "SELECT l.seq, l.header, l.leaf_hash, b.salt, b.payload, b.metadata, r.content FROM event_log l
         LEFT JOIN event_bodies b ON b.seq = l.seq LEFT JOIN report_bodies r ON r.seq = l.seq
         WHERE l.seq >= ?1 AND l.seq < ?2 ORDER BY l.seq LIMIT ?3",
    )?;
    let mut next = Some(0);
    while let Some(start) = next.take() {
        let mut rows = statement.query([start, size, CHUNK])?;
        while let Some(row) = rows.next()? {
            let seq: u64 = row.get(0)?;
            let payload = row.get_ref(4)?;
            let (salt, metadata) = (bytes(row.get_ref(3)?), bytes(row.get_ref(5)?));
            let body = (payload != ValueRef::Null).then(|| Body { salt, payload: bytes(payload), metadata });
            let content = row.get_ref(6)?;
            let report = (content != ValueRef::Null).then(|| bytes(content));
            each(Piece { seq, header: bytes(row.get_ref(1)?), leaf: bytes(row.get_ref(2)?), body, report })?;
            next = Some(seq + 1);
        }
    }
    Ok(())
}

/// The same for a store file that somebody else may be writing to.
pub(crate) fn for_each_event(path: &Path, size: u64, each: &mut EachRow<'_>) -> Result<()> {
    let conn = open_read_only(path)?;
    schema::check_current(&conn)?;
    walk(&conn, size, each)
}

/// The size of the newest checkpoint that the database keeps. `None` also where it can't be read: the check will say so.
pub(crate) fn newest_checkpoint(path: &Path) -> Result<Option<u64>> {
    let conn = open_read_only(path)?;
    Ok(conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get(0)).unwrap_or(None))
}

/// The memory of the last checkpoint outside the database.
pub(crate) enum Outside<'a> {
    Note(&'a str),
    /// It should be there, but isn't.
    Missing,
    /// A copy has none.
    None,
}

/// Checks the database at `path`.
pub(crate) fn verify_database(
    path: &Path,
    key: &VerifyingKey,
    outside: &Outside<'_>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let conn = open_read_only(path)?;
    schema::check_version(&conn)?;
    let mut verifier = Verifier {
        conn: &conn,
        check: Check::new(),
        size: 0,
        keys: BTreeMap::new(),
        letters: BTreeMap::new(),
        answers: OpenAnswers::default(),
        history: History::default(),
        cases: Cases::default(),
        ranks: Ranks::default(),
        effects: Effects::default(),
    };
    // The note first, then the head: the log only grows, so what was signed must be in what is read after it.
    if let Outside::Note(note) = outside {
        verifier.expect_note(key, note, "the last signed checkpoint", None);
    }
    for anchor in anchors {
        anchor.expect(key, &mut verifier.check);
    }
    // Damage may break one check off; the others still have something to say.
    verifier.note(|v| v.expect_head(key));
    verifier.note(|v| v.expect_checkpoints(key, matches!(outside, Outside::Missing)));
    verifier.note(Verifier::check_schema);
    verifier.note(Verifier::check_file);
    verifier.note(|v| v.check_events(progress));
    verifier.note(Verifier::check_strays);
    verifier.note(Verifier::check_nodes);
    verifier.note(Verifier::check_erasures);
    verifier.note(Verifier::check_keys);
    verifier.note(Verifier::check_dead_letters);
    verifier.note(|v| std::mem::take(&mut v.answers).compare(v.conn, v.size, &mut v.check));
    verifier.note(|v| std::mem::take(&mut v.cases).compare(v.conn, v.size, &mut v.check));
    verifier.note(|v| v.ranks.find_strays(v.conn, &mut v.check));
    verifier.effects.compare(&mut verifier.check);
    // A live store signs what is new within a second. A file is all there is: what nobody signed, anybody may have added.
    let (signed, size) = (verifier.check.signed_events, verifier.size);
    if matches!(outside, Outside::None) && signed < size {
        verifier.check.find(
            Some(signed),
            None,
            format!("and what follows is not signed: only {signed} of {size} events are"),
        );
    }
    Ok(verifier.check.finish(key.name().to_owned()))
}

struct Verifier<'a> {
    conn: &'a Connection,
    check: Check,
    /// The events that there were at the start. A live store grows on; what it adds is the next verification's.
    size: u64,
    keys: BTreeMap<String, [Value; 8]>,
    letters: BTreeMap<String, [Value; 10]>,
    answers: OpenAnswers,
    history: History,
    cases: Cases,
    ranks: Ranks,
    effects: Effects,
}

impl Verifier<'_> {
    /// Damage that keeps a check from its work is a finding too.
    fn note(&mut self, check: impl FnOnce(&mut Self) -> Result<()>) {
        if let Err(error) = check(self) {
            self.check.find(None, None, format!("the store can't be read to the end: {error}"));
        }
    }

    fn expect_note(&mut self, key: &VerifyingKey, note: &str, label: &str, size: Option<u64>) {
        match notes::open_exactly(key, note) {
            Ok(checkpoint) if size.is_some_and(|size| size != checkpoint.size) => {
                self.check.find(None, None, format!("{label} stands under another size than the one that was signed"));
            }
            Ok(checkpoint) => self.check.expect_checkpoint(&checkpoint, label),
            Err(error) => self.check.find(None, None, format!("{label} is forged or damaged: {error}")),
        }
    }

    /// Head and log are read in one snapshot, in which they must agree.
    fn expect_head(&mut self, key: &VerifyingKey) -> Result<()> {
        let snapshot = self.conn.unchecked_transaction()?;
        let (first, end): (Option<i64>, u64) =
            snapshot.query_row("SELECT min(seq), coalesce(max(seq) + 1, 0) FROM event_log", [], |row| {
                Ok((row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0)))
            })?;
        self.size = end;
        self.effects = Effects::read(&snapshot, end, &mut self.check)?;
        self.history = History::to(self.effects.history_end());
        if first.is_some_and(|first| first < 0) {
            self.check.find(None, None, "an event stands before the first");
        }
        let heads: u64 = snapshot.query_row("SELECT count(*) FROM ledger_head", [], |row| row.get(0))?;
        if heads > 1 {
            self.check.find(None, None, format!("the table ledger_head has {heads} rows instead of one"));
        }
        let head = match ledger::read_head(&snapshot) {
            Ok(Some(head)) => head,
            Ok(None) => {
                self.check.find(None, None, "the stored tree is missing");
                return Ok(());
            }
            Err(error) => {
                self.check.find(None, None, format!("the stored tree can't be read: {error}"));
                return Ok(());
            }
        };
        let size = head.frontier.size();
        self.size = end.min(size);
        if end > size {
            self.check.find(Some(size), None, format!("stands after the end of the stored tree of {size} events"));
        }
        self.check.expect_root(size, head.root, format!("the stored root over {size} events"));
        self.check.expect_root(size, head.frontier.root(), format!("the stored tree over {size} events"));
        if !head.is_sealed_by(key) {
            self.check.find(None, None, format!("the stored tree of {size} events is not sealed by the log's key"));
        }
        if head.origin != key.name() {
            self.check.find(None, None, format!("the stored origin is not {}, the key's", key.name()));
        }
        Ok(())
    }

    fn expect_checkpoints(&mut self, key: &VerifyingKey, last_is_missing: bool) -> Result<()> {
        // In one statement, and so in one snapshot: beyond the head there can only be what the head has lost.
        let beyond: Option<u64> = self.conn.query_row(
            "SELECT max(size) FROM checkpoints WHERE size > (SELECT size FROM ledger_head)",
            [],
            |row| row.get(0),
        )?;
        if let Some(beyond) = beyond {
            let what = format!("is missing: a checkpoint was signed over {beyond} events");
            self.check.find(Some(self.size), None, what);
        }
        let mut statement = self.conn.prepare("SELECT size, note FROM checkpoints WHERE size <= ?1 ORDER BY size")?;
        let mut rows = statement.query([self.size])?;
        while let Some(row) = rows.next()? {
            self.expect_note(key, &text(row.get_ref(1)?), "the checkpoint", Some(row.get(0)?));
        }
        if last_is_missing {
            self.check.find(None, None, "the last signed checkpoint is missing beside the database");
        }
        Ok(())
    }

    /// Everything in the schema must be what this version makes, and there must be nothing else.
    fn check_schema(&mut self) -> Result<()> {
        for difference in schema::differences(self.conn)? {
            self.check.find(None, None, difference);
        }
        Ok(())
    }

    /// SQLite's own check: pages, and indexes against their tables.
    fn check_file(&mut self) -> Result<()> {
        let mut statement = self.conn.prepare("PRAGMA integrity_check(10)")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let line = text(row.get_ref(0)?);
            if line != "ok" {
                self.check.find(None, None, format!("the database file is damaged: {line}"));
            }
        }
        Ok(())
    }

    fn check_events(&mut self, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let (conn, size) = (self.conn, self.size);
        walk(conn, size, &mut |piece| {
            if piece.seq.is_multiple_of(1_000) {
                progress(piece.seq, size);
            }
            self.check_event(piece)
        })?;
        progress(size, size);
        Ok(())
    }

    /// Rows that belong to no event. Each statement is a snapshot of its own.
    fn check_strays(&mut self) -> Result<()> {
        for table in ["event_bodies", "report_bodies"] {
            let sql = format!(
                "SELECT seq FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM event_log l WHERE l.seq = t.seq) LIMIT 10"
            );
            self.find_strays(&sql, table)?;
        }
        let transactions = ("user_transactions", projection::TRANSACTION_IDS.event_types);
        for (table, types) in
            projection::TABLES.map(|table| (table.name, table.event_types)).into_iter().chain([transactions])
        {
            // Through the index: it need not read the headers.
            let types: Vec<_> = types.iter().map(|event_type| format!("'{}'", event_type.as_str())).collect();
            let sql = format!(
                "SELECT seq FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM event_log l INDEXED BY event_log_by_type
                 WHERE l.event_type IN ({}) AND l.seq = t.seq) LIMIT 10",
                types.join(", ")
            );
            self.find_strays(&sql, table)?;
        }
        Ok(())
    }

    fn find_strays(&mut self, sql: &str, table: &str) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let seq: i64 = row.get(0)?;
            self.check.find(u64::try_from(seq).ok(), None, format!("the table {table} has a row that no event made"));
        }
        Ok(())
    }

    fn check_nodes(&mut self) -> Result<()> {
        let (nodes, size): (u64, u64) = self.conn.query_row(
            "SELECT (SELECT count(*) FROM ledger_nodes), coalesce((SELECT size FROM ledger_head), 0)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let expected: u64 = (1..8).map(|stride| size >> (8 * stride)).sum();
        if nodes != expected {
            self.check.find(None, None, format!("the stored tree has {nodes} inner nodes instead of {expected}"));
        }
        Ok(())
    }

    fn check_event(&mut self, piece: Piece<'_>) -> Result<()> {
        let Piece { seq, header, leaf, body, report } = piece;
        let completed: RefCell<Vec<(NodeId, Hash)>> = RefCell::default();
        let conn = self.conn;
        if self.check.next_seq() != seq {
            self.effects.skip();
        }
        self.cases.skip(self.check.next_seq()..seq);
        let checked = self.check.event(
            seq,
            header,
            leaf,
            body,
            |cause| position_of(conn, cause),
            |node, hash| completed.borrow_mut().push((node, hash)),
        )?;
        for (node, hash) in completed.into_inner() {
            self.check_node(node, hash)?;
        }
        let Some(checked) = checked else {
            self.cases.skip(seq..seq + 1);
            self.effects.skip();
            return Ok(());
        };
        self.effects.follow(self.conn, seq, &checked, &mut self.check)?;
        self.check.report(seq, &checked, report);
        match &checked.event {
            Some(Event::KeyChanged(change)) => self.expect_key(seq, change),
            Some(Event::EventDeadLettered(letter)) => self.expect_dead_letter(seq, letter),
            Some(Event::DeadLetterChanged(changed)) => self.follow_dead_letter(changed),
            Some(event) => {
                let metadata = body.and_then(|body| std::str::from_utf8(body.metadata).ok()).unwrap_or_default();
                self.check_projection(seq, checked.id, event, metadata)?;
                self.answers.expect(self.conn, seq, event)?;
                self.cases.expect(self.conn, seq, event, &mut self.check)?;
                self.ranks.expect(self.conn, seq, event, &mut self.check)?;
                if let Event::TransactionReceived(transaction) = event {
                    self.history.check(self.conn, seq, checked.id, transaction, &mut self.check)?;
                }
                if matches!(event, Event::PayloadErased(_)) {
                    self.answers.close(&erasure_record::check(self.conn, metadata, &mut self.check)?);
                }
            }
            None if !checked.has_body => {
                self.check_forgotten(seq, &checked)?;
                self.answers.expect_forgotten(self.conn, seq, checked.event_type)?;
                self.cases.expect_forgotten(self.conn, seq, checked.event_type, &mut self.check)?;
                self.ranks.expect_forgotten(self.conn, seq, checked.event_type, &mut self.check)?;
                self.history.check_forgotten(self.conn, seq, checked.event_type, &mut self.check)?;
            }
            None => self.cases.skip(seq..seq + 1),
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
            self.check.find_from(first, format!("the stored tree does not match the events {first} to {last}"));
        }
        Ok(())
    }

    /// A row that people read must say what its event says.
    fn check_projection(&mut self, seq: u64, id: EventId, event: &Event, metadata: &str) -> Result<()> {
        let Some(row) = projection::row_of(id, event, metadata) else {
            return self.check_no_projection(seq, id, event);
        };
        let same = self
            .conn
            .prepare_cached(row.table.select)?
            .query_row([seq], |stored| {
                (0..).zip(row.values()).try_fold(true, |same, (column, expected)| {
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

    /// A verdict that says that its row could not be stored must not have one.
    fn check_no_projection(&mut self, seq: u64, id: EventId, event: &Event) -> Result<()> {
        let Some(table) = projection::table_of(event.event_type()) else { return Ok(()) };
        if self.conn.prepare_cached(table.select)?.exists([seq])? {
            self.check.find(Some(seq), Some(id), format!("the table {} has a row that no event made", table.name));
        }
        Ok(())
    }

    /// Where the body is gone, the row may keep its id and what says nothing about a person.
    fn check_forgotten(&mut self, seq: u64, checked: &Checked) -> Result<()> {
        let Some(table) = checked.event_type.and_then(projection::table_of) else { return Ok(()) };
        let forgotten = self
            .conn
            .prepare_cached(table.select)?
            .query_row([seq], |row| {
                let columns = row.as_ref().column_count();
                (table.kept..columns).try_fold(true, |all, column| Ok(all && row.get_ref(column)? == ValueRef::Null))
            })
            .optional()?;
        if forgotten != Some(true) {
            let how = if forgotten.is_none() { "is missing from" } else { "has no body, but can be read in" };
            self.check.find(Some(seq), Some(checked.id), format!("{how} the table {}", table.name));
        }
        self.check_kept_id(seq, checked.id, table)
    }

    /// The erasure says which investigation an alert or its opening was about, and so which id the row must have kept.
    fn check_kept_id(&mut self, seq: u64, event_id: EventId, table: &Table) -> Result<()> {
        let is_alert = *table == projection::ALERTS;
        if !is_alert && *table != projection::INVESTIGATIONS {
            return Ok(());
        }
        let Some(kept) = self.cases.kept_id(self.conn, seq)? else { return Ok(()) };
        let id =
            self.conn.prepare_cached(table.select)?.query_row([seq], |row| Ok(text(row.get_ref(0)?))).optional()?;
        let is_kept = |id: String| match is_alert {
            true => id.parse().is_ok_and(|id: AlertId| InvestigationId::of_alert(&id) == kept),
            false => id == kept.to_string(),
        };
        if id.is_some_and(|id| !is_kept(id)) {
            self.check.find(Some(seq), Some(event_id), format!("has another id in the table {}", table.name));
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

    fn check_keys(&mut self) -> Result<()> {
        let sql = "SELECT id, seq, name, role, secret_sha256, created_at, expires_at, revoked_at FROM access_keys";
        let expected = std::mem::take(&mut self.keys);
        self.compare_by_id(sql, "access_keys", expected, &BTreeSet::new())
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
            Value::Text(DeadLetterState::Dead.as_str().to_owned()),
        ];
        self.letters.insert(letter.dead_letter_id.to_string(), row);
    }

    fn follow_dead_letter(&mut self, changed: &DeadLetterChanged) {
        if let Some([.., state]) = self.letters.get_mut(&changed.dead_letter_id.to_string()) {
            *state = Value::Text(DeadLetterState::after(changed.change).as_str().to_owned());
        }
    }

    fn check_dead_letters(&mut self) -> Result<()> {
        let sql = "SELECT id, seq, agent, event_seq, event_id, event_type, attempts, error, dead_lettered_at, state
                   FROM dead_letters";
        let mut expected = std::mem::take(&mut self.letters);
        let snapshot = self.conn.unchecked_transaction()?;
        // What has changed since the start is the next verification's.
        let since = "SELECT b.payload ->> '$.dead_letter_id' FROM event_log l JOIN event_bodies b ON b.seq = l.seq
                     WHERE l.event_type = ?1 AND l.seq >= ?2";
        let mut statement = snapshot.prepare(since)?;
        let mut rows = statement.query((EventType::DeadLetterChanged.as_str(), self.size))?;
        let mut changed = BTreeSet::new();
        while let Some(row) = rows.next()? {
            changed.insert(text(row.get_ref(0)?));
        }
        expected.retain(|id, _| !changed.contains(id));
        self.compare_by_id(sql, "dead_letters", expected, &changed)
    }

    /// Compares a small table, row by row and both ways, with what the events make of it, but for the rows of `except`. The
    /// second column is the seq.
    fn compare_by_id<const N: usize>(
        &mut self,
        sql: &str,
        table: &str,
        mut expected: BTreeMap<String, [Value; N]>,
        except: &BTreeSet<String>,
    ) -> Result<()> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let stored = (0..N).map(|column| Ok(owned(row.get_ref(column)?))).collect::<Result<Vec<_>>>()?;
            let id = match stored.first() {
                Some(Value::Text(id)) => id.as_str(),
                _ => "",
            };
            if except.contains(id) {
                continue;
            }
            let seq = seq_of(&stored);
            // Written since the start: its event is the next verification's.
            if let Some(seq) = seq.filter(|seq| *seq >= self.size)
                && position_exists(self.conn, seq)?
            {
                expected.remove(id);
                continue;
            }
            match expected.remove(id) {
                Some(row) if row[..] == stored[..] => {}
                Some(row) => self.check.find(seq_of(&row), None, format!("reads differently in the table {table}")),
                None => self.check.find(seq, None, format!("the table {table} has a row that no event made")),
            }
        }
        for row in expected.values() {
            self.check.find(seq_of(row), None, format!("is missing from the table {table}"));
        }
        Ok(())
    }

    /// Compares the table both ways with what PAYLOAD_ERASED events say.
    fn check_erasures(&mut self) -> Result<()> {
        let mut expected = self.check.erased.clone();
        let mut statement = self.conn.prepare("SELECT seq, event_seq FROM erasures ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (seq, by): (u64, u64) = (row.get(0)?, row.get(1)?);
            if by >= self.size && !expected.contains_key(&seq) && position_exists(self.conn, by)? {
                self.check.excuse_missing_body(seq);
            } else if expected.remove(&seq) != Some(by) {
                self.check.find(Some(seq), None, "is marked as erased by an event that does not say so");
            }
        }
        for (seq, by) in expected {
            self.check.find(Some(seq), None, format!("event {by} says that it was erased, but it is not marked so"));
        }
        Ok(())
    }
}

fn seq_of(row: &[Value]) -> Option<u64> {
    match row.get(1) {
        Some(Value::Integer(seq)) => u64::try_from(*seq).ok(),
        _ => None,
    }
}

fn position_of(conn: &Connection, id: EventId) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT seq FROM event_log WHERE event_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([id.to_string()], |row| row.get(0)).optional()?)
}

pub(super) fn position_exists(conn: &Connection, seq: u64) -> Result<bool> {
    Ok(conn.prepare_cached("SELECT 1 FROM event_log WHERE seq = ?1")?.exists([seq])?)
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    }
}

fn owned(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Integer(value),
        ValueRef::Real(value) => Value::Real(value),
        ValueRef::Text(_) => Value::Text(text(value)),
        ValueRef::Blob(value) => Value::Blob(value.to_vec()),
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
