//! Fills the index from the log, in order and in large batches. Each batch commits together with the position that it has
//! reached, so after a crash nothing is indexed twice or left out.

use countersign_domain::{EventType, payload::PayloadErased};
use rusqlite::{CachedStatement, Connection, TransactionBehavior, params_from_iter, types::Value};

use super::{IndexFailure, text};
use crate::{
    derive::{log_counts::BucketCounts, log_search::LogTexts},
    error::{Result, StoreError},
    sqlite::reads::corrupt,
};

/// The maximum number of logs in one commit. Larger batches keep the index in fewer segments, but occupy a processor for longer
/// than a caller should wait for it.
const LOGS_MAX: u64 = 512;
/// The number of logs between two yields of the processor, about a tenth of a millisecond.
const YIELDS_AFTER: u64 = 8;
/// The approximate maximum of text in one commit.
const TEXT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The position that the next event will have.
pub(crate) fn end_of_log(main: &Connection) -> Result<u64> {
    let sql = "SELECT coalesce(max(seq) + 1, 0) FROM event_log";
    Ok(main.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Indexes one batch. Returns whether there is more to do.
pub(super) fn step(conn: &Connection, main: &Connection) -> Result<bool, IndexFailure> {
    let log = main.unchecked_transaction().map_err(StoreError::from)?;
    let (from, must_forget): (u64, bool) = conn
        .prepare_cached("SELECT next_seq, must_forget FROM progress")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let end = end_of_log(&log)?;
    if from >= end {
        drop(log);
        return if must_forget { forget(conn) } else { Ok(false) };
    }
    let transaction = rusqlite::Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let to = add_logs(&transaction, &log, from, end)?;
    let erased = remove_erased(&transaction, &log, from, to)?;
    transaction
        .prepare_cached("UPDATE progress SET next_seq = ?1, must_forget = max(must_forget, ?2)")?
        .execute((to, erased))?;
    transaction.commit()?;
    Ok(to < end || erased || must_forget)
}

/// Fills an empty index with everything before `end`, in the caller's transaction.
pub(super) fn up_to(conn: &Connection, log: &Connection, end: u64) -> Result<(), IndexFailure> {
    let mut from = 0;
    while from < end {
        let to = add_logs(conn, log, from, end)?;
        remove_erased(conn, log, from, to)?;
        from = to;
    }
    Ok(())
}

/// Adds one batch of logs from position `from` on. Returns where the next batch begins.
fn add_logs(conn: &Connection, main: &Connection, from: u64, end: u64) -> Result<u64, IndexFailure> {
    let mut select = main
        .prepare_cached(
            "SELECT e.seq, e.created_at, e.risk_score, b.payload
             FROM log_entries e LEFT JOIN event_bodies b ON b.seq = e.seq
             WHERE e.seq >= ?1 AND e.seq < ?2 ORDER BY e.seq LIMIT ?3",
        )
        .map_err(StoreError::from)?;
    let mut rows = select.query([from, end, LOGS_MAX]).map_err(StoreError::from)?;
    let mut insert = WordInsert::new(conn)?;
    let (mut counts, mut logs, mut bytes) = (BucketCounts::default(), 0, 0);
    while let Some(row) = rows.next().map_err(StoreError::from)? {
        let read = || -> Result<(u64, i64, u8, Option<&str>)> {
            let payload = row.get_ref(3)?.as_str_or_null().map_err(corrupt)?;
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, payload))
        };
        let (seq, created_at, score, payload) = read()?;
        counts.add(seq, created_at, score);
        // Erased logs are counted, but can't be found.
        if let Some(payload) = payload {
            insert.log(seq, score, payload)?;
            bytes += payload.len();
        }
        logs += 1;
        // A caller may be waiting for this processor, but no caller waits for the index.
        if logs % YIELDS_AFTER == 0 {
            std::thread::yield_now();
        }
        if logs >= LOGS_MAX || bytes >= TEXT_BYTES_MAX {
            write_counts(&counts, conn)?;
            return Ok(seq + 1);
        }
    }
    write_counts(&counts, conn)?;
    Ok(end)
}

/// Adds logs to the table of words.
pub(super) struct WordInsert<'c>(CachedStatement<'c>);

impl<'c> WordInsert<'c> {
    pub(super) fn new(conn: &'c Connection) -> rusqlite::Result<Self> {
        let sql = "INSERT INTO log_words (rowid, query, response, tags) VALUES (?1, ?2, ?3, ?4)";
        conn.prepare_cached(sql).map(Self)
    }

    pub(super) fn log(&mut self, seq: u64, score: u8, payload: &str) -> Result<(), IndexFailure> {
        let LogTexts { query, response } = LogTexts::of(payload);
        self.0.execute((seq, query, response, text::tags(seq, score)))?;
        Ok(())
    }
}

fn write_counts(counts: &BucketCounts, conn: &Connection) -> rusqlite::Result<()> {
    let mut upsert = conn.prepare_cached(
        "INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (micros, start) DO UPDATE SET last_seq = excluded.last_seq, s0 = s0 + excluded.s0,
           s1 = s1 + excluded.s1, s2 = s2 + excluded.s2, s3 = s3 + excluded.s3, s4 = s4 + excluded.s4,
           s5 = s5 + excluded.s5, s6 = s6 + excluded.s6, s7 = s7 + excluded.s7, s8 = s8 + excluded.s8,
           s9 = s9 + excluded.s9, s10 = s10 + excluded.s10",
    )?;
    for ((micros, start), count) in &counts.0 {
        let seqs = [count.first_seq, count.last_seq].map(|seq| i64::try_from(seq).unwrap_or(i64::MAX));
        let scores = count.scores.map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let values = [*micros, *start].into_iter().chain(seqs).chain(scores);
        upsert.execute(params_from_iter(values.map(Value::Integer)))?;
    }
    Ok(())
}

/// Removes the words of logs that were erased by events in this range. Returns whether there were any.
fn remove_erased(conn: &Connection, main: &Connection, from: u64, to: u64) -> Result<bool, IndexFailure> {
    let mut select = main
        .prepare_cached(
            "SELECT b.payload FROM event_log l JOIN event_bodies b ON b.seq = l.seq
             WHERE l.event_type = ?1 AND l.seq >= ?2 AND l.seq < ?3",
        )
        .map_err(StoreError::from)?;
    let mut rows = select.query((EventType::PayloadErased.as_str(), from, to)).map_err(StoreError::from)?;
    let mut removed = 0;
    while let Some(row) = rows.next().map_err(StoreError::from)? {
        let payload: String = row.get(0).map_err(StoreError::from)?;
        let erased: PayloadErased = serde_json::from_str(&payload).map_err(StoreError::from)?;
        for seq in erased.seqs {
            removed += conn.prepare_cached("DELETE FROM log_words WHERE rowid = ?1")?.execute([seq])?;
        }
    }
    Ok(removed > 0)
}

/// Erases removed words for good: they are only marked as removed until their segments are rewritten. Freed pages are blanked, and
/// the write-ahead log is truncated.
fn forget(conn: &Connection) -> Result<bool, IndexFailure> {
    let transaction = rusqlite::Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    transaction.execute("INSERT INTO log_words (log_words) VALUES ('optimize')", [])?;
    transaction.execute("UPDATE progress SET must_forget = 0", [])?;
    transaction.commit()?;
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(false)
}
