//! Checks the search index against one that is built from the log: the table `counts` row by row, the words term by term.
//!
//! The index is derived, so a difference is not damage to the record. If no process has the store open, the index is rebuilt at
//! once. While a server is running, a difference is only reported, because the file belongs to the server.

use std::collections::BTreeSet;

use rusqlite::{Connection, OpenFlags, OptionalExtension, types::Value};

use super::{IndexFailure, SearchIndex, TABLES, WORDS, end_of_log, fill};
use crate::{
    error::{Result, StoreError},
    sqlite::{SqliteFiles, ledger, readers::open_read_only, schema_object::SchemaObject},
    store::SearchCheck,
};

impl SqliteFiles {
    pub(crate) fn verify_search(&self) -> Result<SearchCheck> {
        if !self.search().exists() {
            return Ok(SearchCheck::Missing);
        }
        let main = open_read_only(&self.database())?;
        let head = ledger::read_head(&main)?.ok_or_else(|| StoreError::Corrupt("the tree is missing".into()))?;
        let search = SearchIndex::new(self.search(), head.origin);
        let why = match difference(&search, &main) {
            Ok(Ok(events)) => return Ok(SearchCheck::Matches { events }),
            Ok(Err(why)) => why,
            Err(IndexFailure::Index(error)) => error.to_string(),
            Err(IndexFailure::Store(error)) => return Err(error),
        };
        match self.dir().lock() {
            Ok(_lock) => {
                search.rebuild(&main)?;
                Ok(SearchCheck::Rebuilt { why })
            }
            Err(StoreError::InUse { .. }) => Ok(SearchCheck::Differs { why }),
            Err(error) => Err(error),
        }
    }
}

impl SearchIndex {
    fn rebuild(&self, main: &Connection) -> Result<()> {
        self.discard(&mut None, "it does not match the log")?;
        while self.fill(main)? {}
        self.close();
        Ok(())
    }
}

/// `Ok` with the position that the index has reached, or `Err` with how it differs from the log.
fn difference(search: &SearchIndex, main: &Connection) -> Result<Result<u64, String>, IndexFailure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let index = Connection::open_with_flags(&search.path, flags)?;
    index.busy_timeout(super::BUSY_TIMEOUT)?;
    if !search.is_ours(&index)? {
        return Ok(Err("it has another schema, or belongs to another log".into()));
    }
    index.execute_batch("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, log_words, instance); BEGIN")?;
    let (next_seq, marks): (u64, u64) =
        index.query_row("SELECT ifnull(max(next_seq), 0), count(*) FROM progress", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    // Taken after the snapshot of the index, so it contains everything that was indexed.
    let log = main.unchecked_transaction().map_err(StoreError::from)?;
    if marks != 1 {
        return Ok(Err("its table progress does not have exactly one row".into()));
    }
    if next_seq > end_of_log(&log)? {
        return Ok(Err("it covers more events than the log has".into()));
    }
    // A temporary file, because the index of a long log doesn't fit into memory. SQLite removes it.
    let reference = Connection::open("")?;
    reference.execute_batch(&format!("PRAGMA synchronous = OFF; BEGIN; {TABLES} {WORDS};"))?;
    fill::up_to(&reference, &log, next_seq)?;
    reference.execute_batch("COMMIT; CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, log_words, instance)")?;
    let counts = "SELECT * FROM counts ORDER BY micros, start";
    if !is_same(&index, &reference, counts, &BTreeSet::new())? {
        return Ok(Err("its statistics don't match the log".into()));
    }
    let erased = erased_since(&log, next_seq)?;
    if !is_same(&index, &reference, "SELECT doc, term FROM temp.terms", &erased)? {
        return Ok(Err("its words don't match the log".into()));
    }
    if !can_find_each_word(&index, &reference, !erased.is_empty())? {
        return Ok(Err("not all of its words can be found".into()));
    }
    Ok(Ok(next_seq))
}

/// Whether looking up each word finds as many audit logs as it should. FTS5 looks words up through a directory, which reading them
/// in order doesn't use. If `may_have_more`, the index still has erased logs.
fn can_find_each_word(index: &Connection, reference: &Connection, may_have_more: bool) -> rusqlite::Result<bool> {
    for conn in [index, reference] {
        conn.execute_batch("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, log_words, row)")?;
    }
    let mut find = index.prepare("SELECT doc FROM temp.words WHERE term = ?1")?;
    let mut words = reference.prepare("SELECT term, doc FROM temp.words")?;
    let mut words = words.query([])?;
    while let Some(word) = words.next()? {
        let (term, logs): (String, u64) = (word.get(0)?, word.get(1)?);
        let found: u64 = find.query_row([&term], |row| row.get(0)).optional()?.unwrap_or(0);
        if found < logs || (found > logs && !may_have_more) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Logs whose erasure the index hasn't reached: it still has their words, which the log no longer has.
fn erased_since(log: &Connection, next_seq: u64) -> Result<BTreeSet<i64>, StoreError> {
    let mut statement = log.prepare("SELECT seq FROM erasures WHERE event_seq >= ?1")?;
    let rows = statement.query_map([next_seq], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether a query returns the same rows from both, apart from rows whose first column is in `except`.
fn is_same(a: &Connection, b: &Connection, sql: &str, except: &BTreeSet<i64>) -> rusqlite::Result<bool> {
    let (mut a, mut b) = (a.prepare(sql)?, b.prepare(sql)?);
    let (mut a, mut b) = (a.query([])?, b.query([])?);
    loop {
        let next = (next(&mut a, except)?, next(&mut b, except)?);
        match next {
            (None, None) => return Ok(true),
            (a, b) if a != b => return Ok(false),
            _ => {}
        }
    }
}

fn next(rows: &mut rusqlite::Rows<'_>, except: &BTreeSet<i64>) -> rusqlite::Result<Option<Vec<Value>>> {
    while let Some(row) = rows.next()? {
        let values = (0..row.as_ref().column_count()).map(|n| row.get(n)).collect::<rusqlite::Result<Vec<Value>>>()?;
        if !matches!(values.first(), Some(Value::Integer(first)) if except.contains(first)) {
            return Ok(Some(values));
        }
    }
    Ok(None)
}

/// The schema that an index of this version has.
pub(super) fn schema() -> Result<Vec<SchemaObject>> {
    let conn = Connection::open_in_memory()?;
    conn.execute_batch(&format!("{TABLES} {WORDS};"))?;
    SchemaObject::all(&conn)
}
