//! Rate limits per minute, exact over any sixty seconds. A call waits for room, but never past its deadline.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

const MINUTE: Duration = Duration::from_secs(60);
/// Uses closer together than this share an entry with the later time. This bounds memory and is slightly stricter than the limit.
const GRAIN: Duration = Duration::from_millis(50);

/// At most `limit` units in any sixty seconds.
#[derive(Debug)]
pub(crate) struct CallRate {
    limit: u64,
    used: Mutex<UsageWindow>,
}

#[derive(Debug, Default)]
struct UsageWindow {
    entries: VecDeque<UsedUnits>,
    sum: u64,
}

#[derive(Debug)]
struct UsedUnits {
    first: Instant,
    last: Instant,
    units: u64,
}

/// There was no room before the deadline.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoRoom;

impl CallRate {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit: limit.max(1), used: Mutex::default() }
    }

    /// Takes `units` as soon as they fit. More units than the whole limit are taken once the window is empty.
    pub(crate) async fn take(&self, units: u64, deadline: Instant) -> Result<(), NoRoom> {
        loop {
            match self.try_take(units, Instant::now()) {
                None => return Ok(()),
                Some(at) if at >= deadline => return Err(NoRoom),
                Some(at) => sleep_until(at).await,
            }
        }
    }

    /// Adds the units that a call used beyond those it took.
    pub(crate) fn add(&self, units: u64) {
        if units > 0 {
            self.used.lock().unwrap_or_else(PoisonError::into_inner).push(units, Instant::now());
        }
    }

    /// Takes the units if they fit. Otherwise returns when to try again.
    fn try_take(&self, units: u64, now: Instant) -> Option<Instant> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.expire(now);
        let room = self.limit.saturating_sub(units.min(self.limit));
        if used.sum <= room {
            used.push(units, now);
            return None;
        }
        let mut left = used.sum;
        for entry in &used.entries {
            left = left.saturating_sub(entry.units);
            if left <= room {
                return Some(entry.last + MINUTE);
            }
        }
        Some(now + MINUTE)
    }
}

impl UsageWindow {
    fn push(&mut self, units: u64, now: Instant) {
        self.sum = self.sum.saturating_add(units);
        match self.entries.back_mut().filter(|entry| now.duration_since(entry.first) < GRAIN) {
            Some(entry) => (entry.last, entry.units) = (now, entry.units.saturating_add(units)),
            None => self.entries.push_back(UsedUnits { first: now, last: now, units }),
        }
    }

    fn expire(&mut self, now: Instant) {
        while self.entries.front().is_some_and(|entry| now.duration_since(entry.last) >= MINUTE) {
            let gone = self.entries.pop_front().map_or(0, |entry| entry.units);
            self.sum = self.sum.saturating_sub(gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_secs(seconds: u64) -> Instant {
        Instant::now() + Duration::from_secs(seconds)
    }

    #[tokio::test(start_paused = true)]
    async fn a_use_beyond_the_limit_waits_until_the_oldest_is_a_minute_old() {
        let (rate, start) = (CallRate::new(2), Instant::now());
        for _ in 0..2 {
            rate.take(1, in_secs(1)).await.unwrap();
            tokio::time::advance(Duration::from_secs(10)).await;
        }
        rate.take(1, in_secs(300)).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 60);
        rate.take(1, in_secs(300)).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 70);
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_before_there_is_room_fails_at_once() {
        let (rate, start) = (CallRate::new(1), Instant::now());
        rate.take(1, in_secs(1)).await.unwrap();
        assert_eq!(rate.take(1, in_secs(59)).await, Err(NoRoom));
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn more_than_the_whole_limit_needs_an_empty_window() {
        let (rate, start) = (CallRate::new(100), Instant::now());
        rate.take(10, in_secs(1)).await.unwrap();
        rate.take(1_000, in_secs(300)).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 60);
        rate.take(1, in_secs(300)).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 120);
    }

    #[tokio::test(start_paused = true)]
    async fn units_used_beyond_those_taken_count() {
        let (rate, start) = (CallRate::new(100), Instant::now());
        rate.take(10, in_secs(1)).await.unwrap();
        rate.add(90);
        rate.take(1, in_secs(300)).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 60);
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_keeps_few_entries() {
        let rate = CallRate::new(1_000_000);
        for _ in 0..10_000 {
            rate.take(1, in_secs(1)).await.unwrap();
        }
        assert_eq!(rate.used.lock().unwrap().entries.len(), 1);
    }
}
