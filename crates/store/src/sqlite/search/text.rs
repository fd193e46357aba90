//! Finding logs by their words, newest first, within a time: backwards in windows, so that a search that is broken off
//! can go on where it was.
//!
//! SQLite's own interruption does not reach into the search of words; windows do, each as wide as the last one's time
//! allows. What is not in the index yet is indexed in memory, a few logs at a time, and so found by the same rules.

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OptionalExtension};

use super::{Failed, Indexed, WORDS, fill};
use crate::{
    error::{Result, StoreError},
    logs::{Bucket, LogCursor, LogPage, LogQuery},
    sqlite::logs::{Deadline, PageOf},
};

/// Words of a query beyond these are ignored.
const WORDS_MAX: u32 = 16;
const QUERY_BYTES_MAX: usize = 1_024;

/// Positions in the first window.
const WINDOW: u64 = 65_536;
const WINDOW_LEAST: u64 = 4_096;
/// Windows grow while they take less than the first, and shrink when they take more than the second.
const WINDOW_TIMES: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(16));
/// Logs that are indexed in memory at once.
const UNINDEXED_LOGS: u64 = 512;

/// Begins the words that stand for score and status. Blanked out of texts, so that no text can have them.
const MARK: char = '\u{E000}';

pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    if text.contains(MARK) { text.replace(MARK, " ").into() } else { text.into() }
}

pub(super) fn tags(score: u8) -> String {
    let status = match score {
        0..=3 => "s",
        4..=6 => "w",
        _ => "f",
    };
    format!("{MARK}{score} {MARK}{status}")
}

/// What must be matched for a score in this range; `None` if all are.
fn tag_expression(min: u8, max: u8) -> Option<String> {
    match (min, max) {
        (0, 10..) => None,
        (0, 3) => Some(format!("\"{MARK}s\"")),
        (4, 6) => Some(format!("\"{MARK}w\"")),
        (7, 10..) => Some(format!("\"{MARK}f\"")),
        _ => {
            let each: Vec<_> = (min..=max.min(10)).map(|score| format!("\"{MARK}{score}\"")).collect();
            Some(format!("({})", each.join(" OR ")))
        }
    }
}

/// What to look for, and a small index in memory that splits texts into words as the large one does.
pub(crate) struct Words {
    memory: Connection,
    expression: String,
}

impl Words {
    /// `None` if there is no word in the query's text.
    pub(crate) fn of(query: &LogQuery) -> Result<Option<Self>> {
        let Some(text) = &query.text else { return Ok(None) };
        let memory = Connection::open_in_memory()?;
        memory.execute_batch(WORDS)?;
        memory.execute_batch("CREATE VIRTUAL TABLE words USING fts5vocab(log_words, row)")?;
        let text = without_marks(&text[..text.floor_char_boundary(QUERY_BYTES_MAX)]);
        memory.execute("INSERT INTO log_words (rowid, query) VALUES (1, ?1)", [text])?;
        let mut terms: Vec<String> = {
            let mut statement = memory.prepare("SELECT '\"' || term || '\"' FROM words LIMIT ?1")?;
            statement.query_map([WORDS_MAX], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?
        };
        if terms.is_empty() {
            return Ok(None);
        }
        terms.extend(tag_expression(query.min_score, query.max_score));
        Ok(Some(Self { memory, expression: terms.join(" AND ") }))
    }

    /// A page of what matches, from the newest position on.
    pub(crate) fn page(
        &self,
        main: &Connection,
        indexed: Option<Indexed<'_>>,
        query: &LogQuery,
        deadline: Deadline,
    ) -> Result<LogPage, Failed> {
        let mut walk = Walk { words: self, main, query, page: PageOf::new(main, query)?, deadline };
        let mark = indexed.map_or(0, |indexed| indexed.next_seq);
        let end = fill::end_of_log(main)?;
        let from = query.before.map_or(end, |before| before.seq.min(end));
        let ended = match walk.unindexed(mark, from)? {
            Ended::AtTheEnd => match indexed {
                Some(indexed) => walk.indexed(indexed, from.min(mark))?,
                None => Ended::AtTheEnd,
            },
            ended => ended,
        };
        walk.finish(ended)
    }
}

/// How a walk ended.
enum Ended {
    /// Nothing is left.
    AtTheEnd,
    /// There is one more than fits on the page.
    Full,
    /// Everything from this position on has been looked at.
    OutOfTime { from: u64 },
}

struct Walk<'a> {
    words: &'a Words,
    main: &'a Connection,
    query: &'a LogQuery,
    page: PageOf<'a>,
    deadline: Deadline,
}

impl Walk<'_> {
    /// Logs from `mark` to before `end` that the index does not have.
    fn unindexed(&mut self, mark: u64, mut end: u64) -> Result<Ended, Failed> {
        let memory = &self.words.memory;
        while end > mark {
            memory.execute("INSERT INTO log_words (log_words) VALUES ('delete-all')", [])?;
            let start = index_some(memory, self.main, mark, end)?;
            if let Some(ended) = self.window(memory, start, end)? {
                return Ok(ended);
            }
            end = start;
            if end > mark && self.deadline.has_passed() {
                return Ok(Ended::OutOfTime { from: end });
            }
        }
        Ok(Ended::AtTheEnd)
    }

    fn indexed(&mut self, indexed: Indexed<'_>, end: u64) -> Result<Ended, Failed> {
        let Some((first, last)) = bounds(indexed.conn, self.query)? else { return Ok(Ended::AtTheEnd) };
        let (mut end, mut width) = (end.min(last + 1), WINDOW);
        while end > first {
            let start = end.saturating_sub(width).max(first);
            let began = Instant::now();
            if let Some(ended) = self.window(indexed.conn, start, end)? {
                return Ok(ended);
            }
            end = start;
            if end > first && self.deadline.has_passed() {
                return Ok(Ended::OutOfTime { from: end });
            }
            width = match began.elapsed() {
                took if took < WINDOW_TIMES.0 => width.saturating_mul(2),
                took if took > WINDOW_TIMES.1 => (width / 2).max(WINDOW_LEAST),
                _ => width,
            };
        }
        Ok(Ended::AtTheEnd)
    }

    /// Puts what matches in one window onto the page. Returns how the walk ended, if it did.
    fn window(&mut self, conn: &Connection, start: u64, end: u64) -> Result<Option<Ended>, Failed> {
        let mut statement = conn.prepare_cached(
            "SELECT rowid FROM log_words WHERE log_words MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC",
        )?;
        let mut rows = statement.query((&self.words.expression, start, end - 1))?;
        while let Some(row) = rows.next()? {
            let seq: u64 = row.get(0)?;
            if self.page.offer(seq)? {
                return Ok(Some(Ended::Full));
            }
            // What matches but lies outside the time asked for costs time too.
            if seq > 0 && self.deadline.has_passed() {
                return Ok(Some(Ended::OutOfTime { from: seq }));
            }
        }
        Ok(None)
    }

    fn finish(self, ended: Ended) -> Result<LogPage, Failed> {
        let next = match ended {
            Ended::AtTheEnd => None,
            Ended::Full => self.page.last(),
            Ended::OutOfTime { .. } if self.page.is_full() => self.page.last(),
            Ended::OutOfTime { from } => {
                let next = LogCursor { created_at: time_at(self.main, from)?, seq: from };
                return Ok(LogPage { items: self.page.into_items(), next: Some(next), partial: true });
            }
        };
        Ok(LogPage { items: self.page.into_items(), next, partial: false })
    }
}

/// Indexes the last logs before `end`, but none before `mark`. Returns the position of the first.
fn index_some(memory: &Connection, main: &Connection, mark: u64, end: u64) -> Result<u64, Failed> {
    let mut select = main
        .prepare_cached(
            "SELECT e.seq, e.risk_score, b.payload FROM log_entries e LEFT JOIN event_bodies b ON b.seq = e.seq
             WHERE e.seq >= ?1 AND e.seq < ?2 ORDER BY e.seq DESC LIMIT ?3",
        )
        .map_err(StoreError::from)?;
    let mut rows = select.query([mark, end, UNINDEXED_LOGS]).map_err(StoreError::from)?;
    let mut insert = fill::Insert::new(memory)?;
    let (mut logs, mut start) = (0, mark);
    while let Some(row) = rows.next().map_err(StoreError::from)? {
        let read = || -> rusqlite::Result<(u64, u8, Option<String>)> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
        let (seq, score, payload) = read().map_err(StoreError::from)?;
        if let Some(payload) = payload {
            insert.log(seq, score, &payload)?;
        }
        logs += 1;
        if logs == UNINDEXED_LOGS {
            start = seq;
        }
    }
    Ok(start)
}

/// The first and last position of the hours that the query's time touches; `None` if they are empty.
fn bounds(conn: &Connection, query: &LogQuery) -> Result<Option<(u64, u64)>, Failed> {
    let from = query.from.map_or(i64::MIN, |from| from.micros().saturating_sub(Bucket::Hour.micros()));
    let to = query.to.map_or(i64::MAX, |to| to.micros());
    let sql = "SELECT min(first_seq), max(last_seq) FROM counts WHERE micros = ?1 AND start > ?2 AND start < ?3";
    let bounds: (Option<u64>, Option<u64>) =
        conn.prepare_cached(sql)?.query_row((Bucket::Hour.micros(), from, to), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(bounds.0.zip(bounds.1))
}

/// When the first log from this position on was created.
fn time_at(main: &Connection, seq: u64) -> Result<countersign_domain::Time> {
    let sql = "SELECT created_at FROM log_entries WHERE seq >= ?1 ORDER BY seq LIMIT 1";
    let micros = main.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?.unwrap_or(0);
    countersign_domain::Time::from_micros(micros).map_err(|error| StoreError::Corrupt(error.to_string()))
}
