//! What an agent did in the last hour, minute by minute, from its counters. Looked at with each heartbeat and each time
//! somebody asks, so that work itself pays nothing for it.

use std::collections::VecDeque;

use countersign_domain::Time;
use serde::Serialize;

const MINUTES_MAX: usize = 60;
/// The rate is that of so many minutes, the current one included.
const RATE_MINUTES: usize = 5;
const MINUTE_MICROS: i64 = 60_000_000;

/// One minute of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct AgentMinute {
    /// When it began.
    pub at: Time,
    /// Events finished within it.
    pub processed: u64,
    /// Attempts failed within it.
    pub failed: u64,
    /// Events not passed yet at its end; in the current minute, now.
    pub lag: u64,
}

#[derive(Debug)]
pub(crate) struct History {
    began_at: Time,
    /// The oldest first, without gaps.
    minutes: VecDeque<AgentMinute>,
    /// The counters when they were last looked at.
    processed: u64,
    failed: u64,
}

impl History {
    pub(crate) fn new(now: Time, processed: u64, failed: u64) -> Self {
        Self { began_at: now, minutes: VecDeque::new(), processed, failed }
    }

    /// Looks at the counters. What they moved since the last look counts for this minute: the looks are seconds apart.
    pub(crate) fn look(&mut self, now: Time, processed: u64, failed: u64, lag: u64) {
        self.go_to(now);
        if let Some(minute) = self.minutes.back_mut() {
            minute.processed += processed.saturating_sub(self.processed);
            minute.failed += failed.saturating_sub(self.failed);
            minute.lag = lag;
        }
        (self.processed, self.failed) = (processed, failed);
    }

    /// Begins the minute of `now`, and those before it in which nobody looked. A clock that went back stays where it was.
    fn go_to(&mut self, now: Time) {
        let start = |micros: i64| micros - micros.rem_euclid(MINUTE_MICROS);
        let this = start(now.micros());
        let lag = self.minutes.back().map_or(0, |minute| minute.lag);
        let next = self.minutes.back().map_or(this, |minute| minute.at.micros() + MINUTE_MICROS);
        let first = next.max(this.saturating_sub((MINUTES_MAX as i64 - 1) * MINUTE_MICROS));
        for micros in (first..=this).step_by(MINUTE_MICROS as usize) {
            if let Ok(at) = Time::from_micros(micros) {
                self.minutes.push_back(AgentMinute { at, processed: 0, failed: 0, lag });
            }
        }
        while self.minutes.len() > MINUTES_MAX {
            self.minutes.pop_front();
        }
    }

    pub(crate) fn minutes(&self) -> Vec<AgentMinute> {
        self.minutes.iter().copied().collect()
    }

    /// Over the last minutes, or since it began where that is shorter; but never less than one.
    pub(crate) fn rate_per_minute(&self, now: Time) -> f64 {
        let mut newest = self.minutes.iter().rev().take(RATE_MINUTES);
        let processed: u64 = newest.clone().map(|minute| minute.processed).sum();
        let since = newest.next_back().map_or(now, |minute| minute.at).max(self.began_at);
        let minutes = (now.micros() - since.micros()) as f64 / MINUTE_MICROS as f64;
        processed as f64 / minutes.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Time {
        let base: Time = "2026-03-01T09:00:00Z".parse().unwrap();
        Time::from_micros(base.micros() + seconds * 1_000_000).unwrap()
    }

    fn shown(history: &History) -> Vec<(i64, u64, u64, u64)> {
        let minute = |minute: &AgentMinute| {
            ((minute.at.micros() - at(0).micros()) / MINUTE_MICROS, minute.processed, minute.failed, minute.lag)
        };
        history.minutes.iter().map(minute).collect()
    }

    #[test]
    fn counts_fall_into_the_minute_in_which_they_were_seen() {
        let mut history = History::new(at(10), 100, 7);
        history.look(at(20), 103, 7, 5);
        history.look(at(59), 110, 8, 2);
        history.look(at(61), 111, 8, 9);
        assert_eq!(shown(&history), [(0, 10, 1, 2), (1, 1, 0, 9)]);
        assert_eq!(history.minutes().last().unwrap().at, at(60));
    }

    #[test]
    fn minutes_in_which_nobody_looked_are_there_and_empty() {
        let mut history = History::new(at(0), 0, 0);
        history.look(at(1), 4, 0, 3);
        history.look(at(190), 6, 0, 0);
        assert_eq!(shown(&history), [(0, 4, 0, 3), (1, 0, 0, 3), (2, 0, 0, 3), (3, 2, 0, 0)]);
    }

    #[test]
    fn an_hour_is_kept_however_long_it_runs_and_however_long_nobody_looks() {
        let mut history = History::new(at(0), 0, 0);
        for minute in 0..200 {
            history.look(at(minute * 60), minute as u64 * 2, 0, 0);
        }
        assert_eq!((history.minutes.len(), history.minutes[0].at), (60, at(140 * 60)));
        assert!(history.minutes.iter().all(|minute| minute.processed == 2));
        history.look(at(1_000_000 * 60), 500, 0, 0);
        assert_eq!((history.minutes.len(), history.minutes[59].at), (60, at(1_000_000 * 60)));
        history.look(at(0), 501, 0, 0);
        assert_eq!((history.minutes.len(), history.minutes[59].processed), (60, 103));
    }

    #[test]
    fn the_rate_is_that_of_the_last_minutes() {
        let mut history = History::new(at(30), 0, 0);
        assert_eq!(history.rate_per_minute(at(30)), 0.0);
        history.look(at(40), 6, 0, 0);
        assert_eq!(history.rate_per_minute(at(40)), 6.0, "ten seconds are not made out to be a minute's worth more");
        history.look(at(150), 60, 0, 0);
        assert_eq!(history.rate_per_minute(at(150)), 30.0);
        for minute in 3..10 {
            history.look(at(minute * 60 + 59), 60 + (minute as u64 - 2) * 10, 0, 0);
        }
        assert_eq!(history.rate_per_minute(at(600)), 10.0);
    }
}
