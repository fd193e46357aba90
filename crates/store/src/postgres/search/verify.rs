//! Checks the search index against the log: the counts row by row, the words log by log. The index is derived, so a difference is
//! not damage to the record, and the index is rebuilt at once, also while a server is running.
//!
//! What Postgres's own index of the words says is not checked; `amcheck` and `REINDEX` exist for that.

use super::{
    super::{
        session::Session,
        values::{Columns as _, number, values},
    },
    Extent,
    bodies::{self, Batch, BatchMax},
    fill::{self, LogVectors, WhenLocked, end_transaction},
};
use crate::{error::Result, logs::Bucket, store::SearchCheck};

/// The maximum that is compared at once.
const BATCH_MAX: BatchMax = BatchMax { logs: 512, bytes: 8 * 1024 * 1024 };

/// The result of a comparison.
enum Comparison {
    Missing,
    Matches { events: u64 },
    Differs { why: &'static str },
}

/// Compares the index with the log, and rebuilds it if it differs.
pub(in crate::postgres) async fn verify_search(session: &Session) -> Result<SearchCheck> {
    session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let compared = compare(session).await;
    match end_transaction(session, compared).await? {
        Comparison::Missing => Ok(SearchCheck::Missing),
        Comparison::Matches { events } => Ok(SearchCheck::Matches { events }),
        Comparison::Differs { why } => {
            rebuild(session).await?;
            Ok(SearchCheck::Rebuilt { why: why.to_owned() })
        }
    }
}

/// Another process that fills the index meanwhile only takes part in the work.
async fn rebuild(session: &Session) -> Result<()> {
    tracing::warn!("the search index does not match the log; rebuilding it");
    session.run("BEGIN; SET LOCAL lock_timeout = '60s'").await?;
    let reset = fill::set_progress(session, 0).await;
    end_transaction(session, reset).await?;
    while fill::step(session, WhenLocked::Wait).await? {}
    Ok(())
}

/// Compares in the session's snapshot.
async fn compare(session: &Session) -> Result<Comparison> {
    let differs = |why| Ok(Comparison::Differs { why });
    let sql = "SELECT next_seq FROM countersign.search_progress WHERE id = 1";
    let Some(progress) = session.row_if_any(sql, values![]).await? else {
        return differs("its position in the log is missing");
    };
    let next_seq = progress.number(0)?;
    if next_seq == 0 && !has_rows(session).await? {
        return Ok(Comparison::Missing);
    }
    if next_seq > Extent::read(session).await?.size {
        return differs("it covers more events than the log has");
    }
    for bucket in [Bucket::Minute, Bucket::Hour, Bucket::Day] {
        if session.exists(&counts_sql(), values![bucket.micros(), number(next_seq)]).await? {
            return differs("its statistics don't match the log");
        }
    }
    let sql = "SELECT 1 FROM countersign.log_counts WHERE micros <> ALL($1) LIMIT 1";
    let widths: Vec<i64> = [Bucket::Minute, Bucket::Hour, Bucket::Day].map(Bucket::micros).to_vec();
    if session.exists(sql, values![widths]).await? {
        return differs("its statistics don't match the log");
    }
    let sql = "SELECT 1 FROM countersign.log_words WHERE seq >= $1 LIMIT 1";
    if session.exists(sql, values![number(next_seq)]).await? || !has_same_words(session, next_seq).await? {
        return differs("its words don't match the log");
    }
    Ok(Comparison::Matches { events: next_seq })
}

async fn has_rows(session: &Session) -> Result<bool> {
    let sql = "(SELECT 1 FROM countersign.log_words LIMIT 1) UNION ALL (SELECT 1 FROM countersign.log_counts LIMIT 1)";
    session.exists(sql, values![]).await
}

/// Selects a bucket of this width that is not what the log says.
fn counts_sql() -> String {
    let scores: Vec<_> = (0..=10).map(|score| format!("count(*) FILTER (WHERE risk_score = {score})")).collect();
    format!(
        "SELECT 1
         FROM (SELECT created_at - (created_at % $1 + $1) % $1 AS start, min(seq) AS first_seq, max(seq) AS last_seq,
                      ARRAY[{}] AS scores
               FROM countersign.log_entries WHERE seq < $2 GROUP BY 1) l
         FULL JOIN (SELECT * FROM countersign.log_counts WHERE micros = $1) c ON c.start = l.start
         WHERE (c.first_seq, c.last_seq, c.scores) IS DISTINCT FROM (l.first_seq, l.last_seq, l.scores) LIMIT 1",
        scores.join(", ")
    )
}

/// Whether the index has exactly the words of the logs before a position.
async fn has_same_words(session: &Session, next_seq: u64) -> Result<bool> {
    let mut from = 0;
    while from < next_seq {
        let batch = Batch::read(session, from..next_seq, bodies::From::Oldest, BATCH_MAX).await?;
        let to = batch.logs.last().filter(|_| !batch.is_all).map_or(next_seq, |last| last.seq + 1);
        let LogVectors { seqs, words, is_whole } = LogVectors::of(session, &batch).await?;
        let (start, end, indexed) = (number(from), number(to), number(next_seq));
        if session.exists(WORDS_SQL, values![seqs, words, is_whole, start, end, indexed]).await? {
            return Ok(false);
        }
        from = to;
    }
    Ok(true)
}

/// Selects a log whose words in the index are not those of its text. The index may still have the words of logs whose erasure it
/// hasn't reached.
const WORDS_SQL: &str = "SELECT 1
     FROM (SELECT seq, words::tsvector AS words, is_whole
           FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS n(seq, words, is_whole)) l
     FULL JOIN (SELECT seq, words, is_whole FROM countersign.log_words WHERE seq >= $4 AND seq < $5) w ON w.seq = l.seq
     WHERE (w.words, w.is_whole) IS DISTINCT FROM (l.words, l.is_whole)
       AND NOT EXISTS (SELECT 1 FROM countersign.erasures e WHERE e.seq = w.seq AND e.event_seq >= $6) LIMIT 1";
