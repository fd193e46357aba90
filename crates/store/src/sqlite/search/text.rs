//! Finds logs by their words, newest first and within a time budget. The search goes backwards in windows of positions, so that
//! it can stop when time runs out and be resumed there.
//!
//! A search for words that never occur together would read the whole index before SQLite could be asked to stop. So every log is
//! also indexed under an extra word (a *tag*) for each block of positions that it is in, and a search that includes such a tag
//! ends with the block. Logs that aren't in the index yet are indexed in memory, a few at a time, so the same rules find them.

use std::time::{Duration, Instant};

use countersign_domain::Time;
use rusqlite::{Connection, OptionalExtension};

use super::{IndexFailure, IndexSnapshot, WORDS, fill};
use crate::{
    derive::{
        log_counts::{TimeRange, bucket_start},
        log_search::{self, WORDS_MAX, block_tag},
    },
    error::{Result, StoreError},
    logs::{Bucket, Deadline, LogCursor, LogPage, LogQuery},
    sqlite::logs::{PageBuilder, times},
};

/// Sizes of blocks of positions, as exponents of two. A search goes on to larger blocks if one took less than the first time, and
/// to smaller blocks if one took more than the second.
const BLOCKS: [u32; 3] = [14, 17, 20];
const BLOCK_TIMES: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(16));
/// The maximum number of logs that are indexed in memory at once, and approximately of their bytes.
const UNINDEXED_LOGS: u64 = 512;
const UNINDEXED_BYTES: usize = 2 * 1024 * 1024;

/// The tags under which a log is indexed in addition to the words of its texts.
pub(super) fn tags(seq: u64, score: u8) -> String {
    log_search::tags(seq, score, &BLOCKS).join(" ")
}

/// An expression that matches the scores in this range. `None` if it wouldn't help.
fn score_expression(min: u8, max: u8) -> Option<String> {
    let tags = log_search::score_tags(min, max)?;
    let quoted: Vec<_> = tags.into_iter().map(|tag| format!("\"{tag}\"")).collect();
    Some(format!("({})", quoted.join(" OR ")))
}

/// The words of a search, and a small index in memory that splits texts into words like the one in the file.
pub(crate) struct SearchWords {
    memory: Connection,
    expression: String,
    /// Whether the expression is a single word. SQLite then returns match by match, so the search can be stopped at each.
    is_one: bool,
}

impl SearchWords {
    /// `None` if there is no word in the query's text.
    pub(crate) fn of(query: &LogQuery) -> Result<Option<Self>> {
        let Some(text) = log_search::query_text(query) else { return Ok(None) };
        let memory = Connection::open_in_memory()?;
        memory.execute_batch(WORDS)?;
        memory.execute_batch("CREATE VIRTUAL TABLE words USING fts5vocab(log_words, row)")?;
        memory.execute("INSERT INTO log_words (rowid, query) VALUES (1, ?1)", [text])?;
        let mut terms: Vec<String> = {
            let mut statement = memory.prepare("SELECT '\"' || term || '\"' FROM words LIMIT ?1")?;
            statement.query_map([WORDS_MAX], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?
        };
        if terms.is_empty() {
            return Ok(None);
        }
        terms.extend(score_expression(query.min_score, query.max_score));
        Ok(Some(Self { memory, expression: terms.join(" AND "), is_one: terms.len() == 1 }))
    }

    /// A page of matching logs, newest position first.
    pub(crate) fn page(
        &self,
        main: &Connection,
        indexed: Option<IndexSnapshot<'_>>,
        query: &LogQuery,
        deadline: Deadline,
    ) -> Result<LogPage, IndexFailure> {
        let mut page = PageBuilder::new(main, query)?;
        let search = BackwardSearch { words: self, main, query, on_match: |seq| page.add_if_matching(seq), deadline };
        let ended = search.run(indexed)?;
        finish(page, ended, main)
    }

    /// Calls `each` with the time of creation and score of every matching log. Returns whether there was time for all.
    pub(crate) fn each(
        &self,
        main: &Connection,
        indexed: Option<IndexSnapshot<'_>>,
        query: &LogQuery,
        deadline: Deadline,
        mut each: impl FnMut(i64, usize),
    ) -> Result<bool, IndexFailure> {
        let sql = "SELECT created_at, risk_score FROM log_entries e WHERE seq = ?1 AND +created_at >= ?2
                   AND +created_at < ?3 AND EXISTS (SELECT 1 FROM event_bodies b WHERE b.seq = e.seq)";
        let mut select = main.prepare_cached(sql).map_err(StoreError::from)?;
        let (from, to) = times(query);
        let on_match = |seq: u64| -> Result<bool> {
            let found = select.query_row((seq, from, to), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            if let Some((created_at, score)) = found {
                each(created_at, score);
            }
            Ok(false)
        };
        let ended = BackwardSearch { words: self, main, query, on_match, deadline }.run(indexed)?;
        Ok(matches!(ended, SearchEnd::AtTheEnd))
    }
}

/// How a search ended.
enum SearchEnd {
    /// All logs were searched.
    AtTheEnd,
    /// There are more matches than wanted.
    Full,
    /// Only the logs from this position on were searched.
    OutOfTime { from: u64 },
}

struct BackwardSearch<'a, T> {
    words: &'a SearchWords,
    main: &'a Connection,
    query: &'a LogQuery,
    /// Called with each matching position. Returns true to stop.
    on_match: T,
    deadline: Deadline,
}

impl<T: FnMut(u64) -> Result<bool>> BackwardSearch<'_, T> {
    fn run(mut self, indexed: Option<IndexSnapshot<'_>>) -> Result<SearchEnd, IndexFailure> {
        let mark = indexed.map_or(0, |indexed| indexed.next_seq);
        let end = fill::end_of_log(self.main)?;
        let from = self.query.before.map_or(end, |before| before.seq.min(end));
        match (self.unindexed(mark, from)?, indexed) {
            (SearchEnd::AtTheEnd, Some(indexed)) => self.indexed(indexed, from.min(mark)),
            (ended, _) => Ok(ended),
        }
    }

    /// Searches the logs from `mark` to before `end`, which the index doesn't have.
    fn unindexed(&mut self, mark: u64, mut end: u64) -> Result<SearchEnd, IndexFailure> {
        let memory = &self.words.memory;
        while end > mark {
            memory.execute("INSERT INTO log_words (log_words) VALUES ('delete-all')", [])?;
            let start = index_some(memory, self.main, mark, end)?;
            if let Some(ended) = self.window(memory, &self.words.expression, start, end)? {
                return Ok(ended);
            }
            end = start;
            if end > mark && self.deadline.has_passed() {
                return Ok(SearchEnd::OutOfTime { from: end });
            }
        }
        Ok(SearchEnd::AtTheEnd)
    }

    fn indexed(&mut self, indexed: IndexSnapshot<'_>, end: u64) -> Result<SearchEnd, IndexFailure> {
        let Some((first, last)) = bounds(indexed.conn, self.query)? else { return Ok(SearchEnd::AtTheEnd) };
        let mut end = end.min(last + 1);
        if self.words.is_one && end > first {
            let ended = self.window(indexed.conn, &self.words.expression, first, end)?;
            return Ok(ended.unwrap_or(SearchEnd::AtTheEnd));
        }
        let mut level = 0;
        while end > first {
            let block = BLOCKS.get(level).copied().unwrap_or_default();
            let start = (((end - 1) >> block) << block).max(first);
            let began = Instant::now();
            let expression = format!("{} AND \"{}\"", self.words.expression, block_tag(end - 1, block));
            if let Some(ended) = self.window(indexed.conn, &expression, start, end)? {
                return Ok(ended);
            }
            end = start;
            if end > first && self.deadline.has_passed() {
                return Ok(SearchEnd::OutOfTime { from: end });
            }
            level = match began.elapsed() {
                took if took < BLOCK_TIMES.0 => (level + 1).min(BLOCKS.len() - 1),
                took if took > BLOCK_TIMES.1 => level.saturating_sub(1),
                _ => level,
            };
        }
        Ok(SearchEnd::AtTheEnd)
    }

    /// Searches one window. Returns how the search ended, if it did.
    fn window(
        &mut self,
        conn: &Connection,
        expression: &str,
        start: u64,
        end: u64,
    ) -> Result<Option<SearchEnd>, IndexFailure> {
        let mut statement = conn.prepare_cached(
            "SELECT rowid FROM log_words WHERE log_words MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC",
        )?;
        let mut rows = statement.query((expression, start, end - 1))?;
        while let Some(row) = rows.next()? {
            let seq: u64 = row.get(0)?;
            if (self.on_match)(seq)? {
                return Ok(Some(SearchEnd::Full));
            }
            // Matches outside the query's time and scores take time too.
            if seq > 0 && self.deadline.has_passed() {
                return Ok(Some(SearchEnd::OutOfTime { from: seq }));
            }
        }
        Ok(None)
    }
}

fn finish(page: PageBuilder<'_>, ended: SearchEnd, main: &Connection) -> Result<LogPage, IndexFailure> {
    let next = match ended {
        SearchEnd::AtTheEnd => None,
        SearchEnd::Full => page.last(),
        SearchEnd::OutOfTime { .. } if page.is_full() => page.last(),
        SearchEnd::OutOfTime { from } => {
            let next = LogCursor { created_at: time_at(main, from)?, seq: from };
            return Ok(LogPage { items: page.into_items(), next: Some(next), partial: true });
        }
    };
    Ok(LogPage { items: page.into_items(), next, partial: false })
}

/// Indexes as many of the last logs before `end` as fit in memory, but none before `mark`. Returns the position from which on
/// all logs before `end` are indexed.
fn index_some(memory: &Connection, main: &Connection, mark: u64, end: u64) -> Result<u64, IndexFailure> {
    let mut select = main
        .prepare_cached(
            "SELECT e.seq, e.risk_score, b.payload FROM log_entries e LEFT JOIN event_bodies b ON b.seq = e.seq
             WHERE e.seq >= ?1 AND e.seq < ?2 ORDER BY e.seq DESC LIMIT ?3",
        )
        .map_err(StoreError::from)?;
    let mut rows = select.query([mark, end, UNINDEXED_LOGS]).map_err(StoreError::from)?;
    let mut insert = fill::WordInsert::new(memory)?;
    let (mut logs, mut bytes) = (0, 0);
    while let Some(row) = rows.next().map_err(StoreError::from)? {
        let read = || -> rusqlite::Result<(u64, u8, Option<String>)> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
        let (seq, score, payload) = read().map_err(StoreError::from)?;
        if let Some(payload) = payload {
            insert.log(seq, score, &payload)?;
            bytes += payload.len();
        }
        logs += 1;
        if logs == UNINDEXED_LOGS || bytes >= UNINDEXED_BYTES {
            return Ok(seq);
        }
    }
    Ok(mark)
}

/// The first and last position of the logs in the query's time range, to the minute; `None` if there are none.
fn bounds(conn: &Connection, query: &LogQuery) -> Result<Option<(u64, u64)>, IndexFailure> {
    let from = query.from.map_or(i64::MIN, Time::micros);
    let to = query.to.map_or(i64::MAX, Time::micros);
    let (minute, hour) = (Bucket::Minute.micros(), Bucket::Hour.micros());
    let (first, whole) = (bucket_start(from, minute), TimeRange { from, to }.whole_buckets(hour));
    // Whole hours are read by the hour, because there may be years of minutes.
    let spans = if !whole.is_empty() {
        vec![(minute, first, whole.from), (hour, whole.from, whole.to), (minute, whole.to, to)]
    } else {
        vec![(minute, first, to)]
    };
    let sql = "SELECT min(first_seq), max(last_seq) FROM counts WHERE micros = ?1 AND start >= ?2 AND start < ?3";
    let mut select = conn.prepare_cached(sql)?;
    let mut bounds: Option<(u64, u64)> = None;
    for span in spans {
        let found: (Option<u64>, Option<u64>) = select.query_row(span, |row| Ok((row.get(0)?, row.get(1)?)))?;
        if let Some((first, last)) = found.0.zip(found.1) {
            bounds = bounds.map_or(Some((first, last)), |known| Some((known.0.min(first), known.1.max(last))));
        }
    }
    Ok(bounds)
}

/// When the first log from this position on was created.
fn time_at(main: &Connection, seq: u64) -> Result<Time> {
    let sql = "SELECT created_at FROM log_entries WHERE seq >= ?1 ORDER BY seq LIMIT 1";
    let micros = main.prepare_cached(sql)?.query_row([seq], |row| row.get(0)).optional()?.unwrap_or(0);
    Time::from_micros(micros).map_err(|error| StoreError::Corrupt(error.to_string()))
}
