//! Fills the index from the log, in order and in large batches. Each batch commits together with the position that it has
//! reached, so after a crash nothing is indexed twice or left out. A lock of the row with that position makes sure that one
//! process at a time fills the index.

use std::ops::Range;

use super::{
    super::{
        session::Session,
        values::{Columns as _, number, values},
    },
    bodies::{self, Batch, BatchMax},
    vectors::LogVector,
};
use crate::{derive::log_counts::BucketCounts, error::Result};

/// The maximum of one commit. Larger batches cost less per log, but the newest logs wait longer for the index.
const BATCH_MAX: BatchMax = BatchMax { logs: 512, bytes: 8 * 1024 * 1024 };
/// Rows of an old index that are deleted in one commit.
const DELETED_MAX: i64 = 50_000;

/// The commit need not be on disk when the step returns, because losing it does no harm: the position it reached is lost with it.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = off;
                     SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '50s'";

/// What a step does while another process fills the index.
#[derive(Clone, Copy)]
pub(in crate::postgres) enum WhenLocked {
    /// Leaves the work to the other process.
    Return,
    Wait,
}

/// Indexes one batch. Returns whether there is more to do.
pub(in crate::postgres) async fn step(session: &Session, when_locked: WhenLocked) -> Result<bool> {
    session.run(BEGIN).await?;
    let done = step_in_transaction(session, when_locked).await;
    end_transaction(session, done).await
}

/// Commits, or rolls back after an error, so that the session goes back to the pool without an open transaction.
pub(super) async fn end_transaction<T>(session: &Session, done: Result<T>) -> Result<T> {
    match done {
        Ok(value) => session.run("COMMIT").await.map(|()| value),
        Err(error) => {
            // The first error says more.
            let _ = session.run("ROLLBACK").await;
            Err(error)
        }
    }
}

async fn step_in_transaction(session: &Session, when_locked: WhenLocked) -> Result<bool> {
    let lock = match when_locked {
        WhenLocked::Return => "FOR UPDATE SKIP LOCKED",
        WhenLocked::Wait => "FOR UPDATE",
    };
    let sql = format!("SELECT next_seq FROM countersign.search_progress WHERE id = 1 {lock}");
    let Some(row) = session.row_if_any(&sql, values![]).await? else { return Ok(false) };
    let (from, end) = (row.number(0)?, size(session).await?);
    if from == 0 && delete_some(session).await? {
        return Ok(true);
    }
    if from == end {
        return Ok(false);
    }
    if from > end {
        // The index is of another log.
        set_progress(session, 0).await?;
        return Ok(true);
    }
    let to = add_logs(session, from..end).await?;
    remove_erased(session, from..to).await?;
    set_progress(session, to).await?;
    // Events that were committed meanwhile may have been announced to a process that left the work to this one.
    Ok(to < size(session).await?)
}

/// The position that the next event will have. Every event before it is committed.
async fn size(session: &Session) -> Result<u64> {
    let row = session.row_if_any("SELECT size FROM countersign.ledger_head WHERE id = 1", values![]).await?;
    row.map_or(Ok(0), |row| row.number(0))
}

/// Moves to another position. Zero means that the index is to be rebuilt.
pub(super) async fn set_progress(session: &Session, next_seq: u64) -> Result<()> {
    let sql = "INSERT INTO countersign.search_progress (id, next_seq) VALUES (1, $1)
               ON CONFLICT (id) DO UPDATE SET next_seq = excluded.next_seq";
    session.execute(sql, values![number(next_seq)]).await.map(|_| ())
}

/// Deletes rows of an old index before the first log is indexed. Returns whether there were any.
async fn delete_some(session: &Session) -> Result<bool> {
    let words = "DELETE FROM countersign.log_words
                 WHERE seq IN (SELECT seq FROM countersign.log_words ORDER BY seq LIMIT $1)";
    let counts = "DELETE FROM countersign.log_counts WHERE (micros, start) IN
                  (SELECT micros, start FROM countersign.log_counts ORDER BY micros, start LIMIT $1)";
    let deleted = session.execute(words, values![DELETED_MAX]).await?;
    Ok(deleted + session.execute(counts, values![DELETED_MAX]).await? > 0)
}

/// Adds one batch of logs. Returns where the next batch begins.
async fn add_logs(session: &Session, range: Range<u64>) -> Result<u64> {
    let batch = Batch::read(session, range.clone(), bodies::From::Oldest, BATCH_MAX).await?;
    let mut counts = BucketCounts::default();
    batch.logs.iter().for_each(|log| counts.add(log.seq, log.created_at, log.score));
    add_counts(session, &counts).await?;
    let vectors = LogVectors::of(session, &batch).await?;
    // Rows that are there already are what an interrupted deletion left.
    let sql = "INSERT INTO countersign.log_words (seq, words, is_whole)
               SELECT n.seq, n.words::tsvector, n.is_whole
               FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS n(seq, words, is_whole)
               ON CONFLICT (seq) DO UPDATE SET words = excluded.words, is_whole = excluded.is_whole";
    session.execute(sql, values![vectors.seqs, vectors.words, vectors.is_whole]).await?;
    let last = batch.logs.last().filter(|_| !batch.is_all);
    Ok(last.map_or(range.end, |last| last.seq + 1))
}

/// What the index has of several logs, by column.
pub(super) struct LogVectors {
    pub(super) seqs: Vec<i64>,
    pub(super) words: Vec<String>,
    pub(super) is_whole: Vec<bool>,
}

impl LogVectors {
    /// Reads the payloads of a batch. Erased logs are counted, but can't be found.
    pub(super) async fn of(session: &Session, batch: &Batch) -> Result<Self> {
        let stored = batch.logs.iter().filter(|log| !log.is_erased);
        let payloads = bodies::payloads(session, stored.map(|log| number(log.seq)).collect()).await?;
        let mut vectors = Self { seqs: Vec::new(), words: Vec::new(), is_whole: Vec::new() };
        for log in &batch.logs {
            let Some(payload) = payloads.get(&log.seq) else { continue };
            let LogVector { words, is_whole } = LogVector::of(log.seq, log.score, payload);
            vectors.seqs.push(number(log.seq));
            vectors.words.push(words);
            vectors.is_whole.push(is_whole);
            // Splitting texts takes long, and the store has few threads.
            tokio::task::yield_now().await;
        }
        Ok(vectors)
    }
}

async fn add_counts(session: &Session, counts: &BucketCounts) -> Result<()> {
    let buckets = || counts.0.iter();
    let micros: Vec<i64> = buckets().map(|((micros, _), _)| *micros).collect();
    let starts: Vec<i64> = buckets().map(|((_, start), _)| *start).collect();
    let first: Vec<i64> = buckets().map(|(_, count)| number(count.first_seq)).collect();
    let last: Vec<i64> = buckets().map(|(_, count)| number(count.last_seq)).collect();
    // All buckets' scores, one after the other.
    let scores: Vec<i64> = buckets().flat_map(|(_, count)| count.scores.map(number)).collect();
    let sql = "INSERT INTO countersign.log_counts AS c (micros, start, first_seq, last_seq, scores)
               SELECT n.micros, n.start, n.first_seq, n.last_seq, ($5::bigint[])[(11 * n.nth - 10)::int : (11 * n.nth)::int]
               FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                    WITH ORDINALITY AS n(micros, start, first_seq, last_seq, nth)
               ON CONFLICT (micros, start) DO UPDATE SET last_seq = excluded.last_seq, scores = ARRAY(
                 SELECT s.old + s.new FROM unnest(c.scores, excluded.scores) WITH ORDINALITY AS s(old, new, nth)
                 ORDER BY s.nth)";
    session.execute(sql, values![micros, starts, first, last, scores]).await.map(|_| ())
}

/// Removes the words of logs that were erased by events in this range.
async fn remove_erased(session: &Session, range: Range<u64>) -> Result<()> {
    let sql = "DELETE FROM countersign.log_words WHERE seq IN
               (SELECT seq FROM countersign.erasures WHERE event_seq >= $1 AND event_seq < $2)";
    session.execute(sql, values![number(range.start), number(range.end)]).await.map(|_| ())
}
