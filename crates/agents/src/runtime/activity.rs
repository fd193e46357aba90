//! What an agent did in the last hour, minute by minute. The agent's counters are sampled at each heartbeat and at each
//! status request, so handling events costs nothing extra.

use std::collections::VecDeque;

use countersign_domain::Time;
use serde::Serialize;

const MINUTES_MAX: usize = 60;
/// The rate is averaged over this many minutes, including the current one.
const RATE_MINUTES: usize = 5;
const MINUTE_MICROS: i64 = 60_000_000;

/// One minute of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct AgentMinute {
    /// When the minute began.
    pub at: Time,
    /// Events that were finished in this minute.
    pub processed: u64,
    /// Attempts that failed in this minute.
    pub failed: u64,
    /// The lag at the end of this minute; for the current minute, the lag now.
    pub lag: u64,
}

#[derive(Debug)]
pub(crate) struct Activity {
    began_at: Time,
    /// Oldest first, without gaps.
    minutes: VecDeque<AgentMinute>,
    /// The counters at the last sample.
    processed: u64,
    failed: u64,
}

impl Activity {
    pub(crate) fn new(now: Time, processed: u64, failed: u64) -> Self {
        Self { began_at: now, minutes: VecDeque::new(), processed, failed }
    }

    /// Samples the counters. The increase since the last sample counts towards the current minute; samples are seconds apart.
    pub(crate) fn sample(&mut self, now: Time, processed: u64, failed: u64, lag: u64) {
        self.advance_to(now);
        if let Some(minute) = self.minutes.back_mut() {
            minute.processed += processed.saturating_sub(self.processed);
            minute.failed += failed.saturating_sub(self.failed);
            minute.lag = lag;
        }
        (self.processed, self.failed) = (processed, failed);
    }

    /// Starts the minute of `now`, and any skipped minutes before it. If the clock went back, nothing changes.
    fn advance_to(&mut self, now: Time) {
        let current = now.micros() - now.micros().rem_euclid(MINUTE_MICROS);
        let lag = self.minutes.back().map_or(0, |minute| minute.lag);
        let next = self.minutes.back().map_or(current, |minute| minute.at.micros() + MINUTE_MICROS);
        let first = next.max(current.saturating_sub((MINUTES_MAX as i64 - 1) * MINUTE_MICROS));
        for micros in (first..=current).step_by(MINUTE_MICROS as usize) {
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

    /// Averaged over the last minutes, or over the time since the start if that is shorter, but at least over one minute.
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

    fn rows_of(activity: &Activity) -> Vec<(i64, u64, u64, u64)> {
        let minute = |minute: &AgentMinute| {
            ((minute.at.micros() - at(0).micros()) / MINUTE_MICROS, minute.processed, minute.failed, minute.lag)
        };
        activity.minutes.iter().map(minute).collect()
    }

    #[test]
    fn counts_belong_to_the_minute_in_which_they_were_sampled() {
        let mut activity = Activity::new(at(10), 100, 7);
        activity.sample(at(20), 103, 7, 5);
        activity.sample(at(59), 110, 8, 2);
        activity.sample(at(61), 111, 8, 9);
        assert_eq!(rows_of(&activity), [(0, 10, 1, 2), (1, 1, 0, 9)]);
        assert_eq!(activity.minutes().last().unwrap().at, at(60));
    }

    #[test]
    fn minutes_without_a_sample_are_listed_as_empty() {
        let mut activity = Activity::new(at(0), 0, 0);
        activity.sample(at(1), 4, 0, 3);
        activity.sample(at(190), 6, 0, 0);
        assert_eq!(rows_of(&activity), [(0, 4, 0, 3), (1, 0, 0, 3), (2, 0, 0, 3), (3, 2, 0, 0)]);
    }

    #[test]
    fn one_hour_is_kept_however_long_the_agent_runs_and_however_rare_samples_are() {
        let mut activity = Activity::new(at(0), 0, 0);
        for minute in 0..200 {
            activity.sample(at(minute * 60), minute as u64 * 2, 0, 0);
        }
        assert_eq!((activity.minutes.len(), activity.minutes[0].at), (60, at(140 * 60)));
        assert!(activity.minutes.iter().all(|minute| minute.processed == 2));
        activity.sample(at(1_000_000 * 60), 500, 0, 0);
        assert_eq!((activity.minutes.len(), activity.minutes[59].at), (60, at(1_000_000 * 60)));
        activity.sample(at(0), 501, 0, 0);
        assert_eq!((activity.minutes.len(), activity.minutes[59].processed), (60, 103));
    }

    #[test]
    fn the_rate_covers_the_last_minutes() {
        let mut activity = Activity::new(at(30), 0, 0);
        assert_eq!(activity.rate_per_minute(at(30)), 0.0);
        activity.sample(at(40), 6, 0, 0);
        assert_eq!(activity.rate_per_minute(at(40)), 6.0, "ten seconds of work are not extrapolated to a minute");
        activity.sample(at(150), 60, 0, 0);
        assert_eq!(activity.rate_per_minute(at(150)), 30.0);
        for minute in 3..10 {
            activity.sample(at(minute * 60 + 59), 60 + (minute as u64 - 2) * 10, 0, 0);
        }
        assert_eq!(activity.rate_per_minute(at(600)), 10.0);
    }
}
