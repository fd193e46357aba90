//! The table `alert_ranks`. Counting the alerts before a position reads the last rank before it, so it costs the same among ten
//! alerts and ten million.

use countersign_domain::{Score, Severity};

use super::{
    session::Session,
    values::{Columns, number, values},
};
use crate::{derive::ranks::similar_scores, error::Result};

/// How many alerts before this position have this severity and a score that differs from this one by at most `within`.
pub(super) async fn similar(
    session: &Session,
    severity: Severity,
    score: Score,
    within: u8,
    before_seq: u64,
) -> Result<u64> {
    let scores = similar_scores(score, within);
    let (first, last) = (i64::from(*scores.start()), i64::from(*scores.end()));
    session.row(SIMILAR_SQL, values![severity.as_str(), first, last, number(before_seq)]).await?.number(0)
}

const SIMILAR_SQL: &str = "SELECT coalesce(sum(r.nth), 0)::bigint FROM generate_series($2, $3) AS s(score)
     CROSS JOIN LATERAL (
       SELECT nth FROM countersign.alert_ranks
       WHERE severity = $1 AND score = s.score AND seq < $4 ORDER BY seq DESC LIMIT 1) r";
