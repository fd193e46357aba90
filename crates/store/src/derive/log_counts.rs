//! Audit logs (one per audited answer) counted by score, in buckets of time.

use std::collections::BTreeMap;

use countersign_domain::Time;

use crate::{
    error::{Result, StoreError},
    logs::{Bucket, LogStats, StatsQuery, TrendPoint},
};

/// How many logs have each score from 0 to 10.
pub(crate) type ScoreCounts = [u64; 11];

/// Counts by the start of their bucket. Without buckets there is a single entry, which starts at `i64::MIN`.
pub(crate) type CountsByStart = BTreeMap<i64, ScoreCounts>;

/// A range of times in microseconds since 1970, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeRange {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

impl TimeRange {
    pub(crate) fn new(from: Option<Time>, to: Option<Time>) -> Self {
        Self { from: from.map_or(i64::MIN, Time::micros), to: to.map_or(i64::MAX, Time::micros) }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.from >= self.to
    }

    /// The whole buckets of this width in the range.
    pub(crate) fn whole_buckets(self, width: i64) -> Self {
        Self { from: next_boundary(self.from, width), to: bucket_start(self.to, width) }
    }
}

/// The start of the bucket of this width that contains a time.
pub(crate) fn bucket_start(micros: i64, width: i64) -> i64 {
    micros.saturating_sub(micros.rem_euclid(width))
}

/// A time rounded up to the boundary of a bucket of this width.
fn next_boundary(micros: i64, width: i64) -> i64 {
    match micros.rem_euclid(width) {
        0 => micros,
        over => micros.saturating_add(width - over),
    }
}

/// A part of a time range whose logs are counted in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RangePart {
    pub(crate) range: TimeRange,
    /// The width of the buckets that the range consists of. Without it, the logs are counted one by one.
    pub(crate) width: Option<i64>,
    /// The start of the point that the logs belong to. Without it, every bucket is a point of its own.
    pub(crate) point: Option<i64>,
}

/// The widths of buckets in microseconds, from wide to narrow.
const WIDTHS: [i64; 3] = [86_400_000_000, 3_600_000_000, 60_000_000];

/// Divides a time range into whole buckets and the ends before and after them. `width` is the width of the points, if there are
/// points.
pub(crate) fn range_parts(range: TimeRange, width: Option<i64>) -> Vec<RangePart> {
    let mut parts = Vec::new();
    match width {
        Some(width) => add_points(&mut parts, range, width),
        None => add_parts(&mut parts, range, &WIDTHS, i64::MIN),
    }
    parts
}

/// The few buckets that contain a time range and begin and end at full minutes: the buckets' widths and ranges.
pub(crate) fn covering_buckets(range: TimeRange) -> Vec<(i64, TimeRange)> {
    let minute = Bucket::Minute.micros();
    let minutes = TimeRange { from: bucket_start(range.from, minute), to: next_boundary(range.to, minute) };
    let mut parts = Vec::new();
    add_parts(&mut parts, minutes, &WIDTHS, i64::MIN);
    parts.into_iter().filter_map(|part| Some((part.width?, part.range))).collect()
}

/// Adds the parts of a range that belongs to one point: whole buckets of the greatest width, and the ends in narrower ones.
fn add_parts(parts: &mut Vec<RangePart>, range: TimeRange, widths: &[i64], point: i64) {
    if range.is_empty() {
        return;
    }
    let point_part = |range, width| RangePart { range, width, point: Some(point) };
    let Some((width, narrower)) = widths.split_first() else { return parts.push(point_part(range, None)) };
    let whole = range.whole_buckets(*width);
    if whole.is_empty() {
        return add_parts(parts, range, narrower, point);
    }
    parts.push(point_part(whole, Some(*width)));
    // An open end has no partial bucket.
    if range.from != i64::MIN {
        add_parts(parts, TimeRange { from: range.from, to: whole.from }, narrower, point);
    }
    if range.to != i64::MAX {
        add_parts(parts, TimeRange { from: whole.to, to: range.to }, narrower, point);
    }
}

/// Adds the parts of a range with points of this width.
fn add_points(parts: &mut Vec<RangePart>, range: TimeRange, width: i64) {
    if range.is_empty() {
        return;
    }
    let narrower: Vec<_> = WIDTHS.into_iter().filter(|narrower| *narrower < width).collect();
    let whole = range.whole_buckets(width);
    if !whole.is_empty() {
        parts.push(RangePart { range: whole, width: Some(width), point: None });
    }
    let first = TimeRange { from: range.from, to: whole.from.min(range.to) };
    let last = TimeRange { from: whole.to.max(first.to), to: range.to };
    for partial in [first, last] {
        if !partial.is_empty() && partial.from != i64::MIN && partial.to != i64::MAX {
            add_parts(parts, partial, &narrower, bucket_start(partial.from, width));
        }
    }
}

pub(crate) fn add_counts(sum: &mut ScoreCounts, more: &ScoreCounts) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Counts one log. `width` is the buckets' width, if there are buckets.
pub(crate) fn count_log(counts: &mut CountsByStart, created_at: i64, score: usize, width: Option<i64>) {
    let start = width.map_or(i64::MIN, |width| bucket_start(created_at, width));
    if let Some(count) = counts.entry(start).or_default().get_mut(score) {
        *count += 1;
    }
}

/// Adds a number of logs to a point, which begins at `start`.
pub(crate) fn add_count(counts: &mut CountsByStart, start: i64, score: u64, logs: u64) {
    let scores = counts.entry(start).or_default();
    let score = usize::try_from(score).ok().and_then(|score| scores.get_mut(score));
    score.into_iter().for_each(|count| *count += logs);
}

/// The statistics of these counts, without the scores that the query leaves out.
pub(crate) fn stats(mut counts: CountsByStart, query: &StatsQuery, as_of: u64, partial: bool) -> Result<LogStats> {
    let wanted = query.min_score..=query.max_score;
    for point in counts.values_mut() {
        let unwanted = (0..).zip(point).filter(|(score, _)| !wanted.contains(score));
        unwanted.for_each(|(_, count)| *count = 0);
    }
    let mut scores = [0; 11];
    counts.values().for_each(|point| add_counts(&mut scores, point));
    let trend = if query.bucket.is_some() { trend(counts)? } else { Vec::new() };
    Ok(LogStats { scores, trend, as_of, partial })
}

fn trend(counts: CountsByStart) -> Result<Vec<TrendPoint>> {
    let points: Vec<_> = counts.into_iter().filter(|(_, scores)| scores.iter().any(|count| *count > 0)).collect();
    if points.len() > LogStats::TREND_POINTS_MAX {
        let most = LogStats::TREND_POINTS_MAX;
        return Err(StoreError::Conflict(format!("the trend has more than {most} points; use a wider bucket")));
    }
    let point = |(start, scores)| {
        let start = Time::from_micros(start).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(TrendPoint { start, scores })
    };
    points.into_iter().map(point).collect()
}

/// What a batch of logs adds to the stored counts: one entry per minute, hour and day, by the width and the start of the bucket.
#[derive(Default)]
pub(crate) struct BucketCounts(pub(crate) BTreeMap<(i64, i64), BucketCount>);

/// The logs of one bucket.
pub(crate) struct BucketCount {
    pub(crate) first_seq: u64,
    pub(crate) last_seq: u64,
    pub(crate) scores: ScoreCounts,
}

impl BucketCounts {
    pub(crate) fn add(&mut self, seq: u64, created_at: i64, score: u8) {
        for bucket in [Bucket::Minute, Bucket::Hour, Bucket::Day] {
            let width = bucket.micros();
            let key = (width, bucket_start(created_at, width));
            let count = self.0.entry(key).or_insert(BucketCount { first_seq: seq, last_seq: seq, scores: [0; 11] });
            count.last_seq = seq;
            if let Some(of_score) = count.scores.get_mut(usize::from(score)) {
                *of_score += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;

    #[test]
    fn the_parts_of_a_range_cover_it_once() {
        let times = [-DAY - 1, -1, 0, 1, MINUTE, HOUR - 1, HOUR, DAY + 7 * MINUTE, 40 * DAY, 40 * DAY + 5];
        for (from, to) in times.iter().flat_map(|from| times.map(|to| (*from, to))).filter(|(from, to)| from < to) {
            for width in [None, Some(MINUTE), Some(HOUR), Some(DAY)] {
                let mut parts = range_parts(TimeRange { from, to }, width);
                parts.sort_by_key(|part| part.range.from);
                let mut end = from;
                for part in parts {
                    assert_eq!(part.range.from, end, "{from} to {to}, {width:?}");
                    end = part.range.to;
                    let is_whole = |width: i64| part.range.from % width == 0 && end % width == 0;
                    assert!(part.width.is_none_or(is_whole), "{part:?}");
                    let point = width.map_or(i64::MIN, |width| bucket_start(part.range.from, width));
                    assert!(part.point.map_or(part.width == width, |of| of == point), "{part:?}");
                }
                assert_eq!(end, to, "{from} to {to}, {width:?}");
            }
        }
    }

    #[test]
    fn an_open_range_consists_of_few_buckets() {
        let open = TimeRange::new(None, None);
        let parts = range_parts(open, None);
        assert!(matches!(&parts[..], [part] if part.width == Some(DAY)), "{parts:?}");
        assert!(matches!(&covering_buckets(open)[..], [(DAY, _)]));
        let from = TimeRange { from: 5, to: i64::MAX };
        let covering = covering_buckets(from);
        assert_eq!(covering.iter().map(|(_, range)| range.from).min(), Some(0), "{covering:?}");
    }
}
