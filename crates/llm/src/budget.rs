//! Daily budgets of tokens and money, by UTC day. Calls are refused once the limit is reached; running calls may exceed it.

use crate::provider::CallLimits;
use rust_decimal::Decimal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY_S: u64 = 24 * 60 * 60;

#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(crate) tokens_max: Option<u64>,
    pub(crate) usd_max: Option<Decimal>,
    today: Mutex<Today>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Today {
    day: u64,
    pub(crate) tokens: u64,
    pub(crate) usd: Decimal,
}

impl Budget {
    pub(crate) fn new(limits: &CallLimits) -> Self {
        Self { tokens_max: limits.tokens_per_day, usd_max: limits.usd_per_day, today: Mutex::default() }
    }

    /// The limit that is used up, if any.
    pub(crate) fn exceeded(&self, now: SystemTime) -> Option<&'static str> {
        if self.tokens_max.is_none() && self.usd_max.is_none() {
            return None;
        }
        let today = self.lock_today(now);
        if self.tokens_max.is_some_and(|max| today.tokens >= max) {
            return Some("tokens per day");
        }
        self.usd_max.is_some_and(|max| today.usd >= max).then_some("USD per day")
    }

    pub(crate) fn add(&self, tokens: u64, usd: Decimal, now: SystemTime) {
        let mut today = self.lock_today(now);
        today.tokens = today.tokens.saturating_add(tokens);
        today.usd = today.usd.saturating_add(usd);
    }

    pub(crate) fn today(&self, now: SystemTime) -> Today {
        *self.lock_today(now)
    }

    /// Today's use, reset on a new day. If the clock goes back, the day stays the same, so that no budget is spent twice.
    fn lock_today(&self, now: SystemTime) -> MutexGuard<'_, Today> {
        let day = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs() / DAY_S;
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        if day > today.day {
            *today = Today { day, ..Today::default() };
        }
        today
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn a_day_ends_at_midnight_utc() {
        let budget = Budget::new(&CallLimits { tokens_per_day: Some(100), ..CallLimits::default() });
        budget.add(99, Decimal::ZERO, at(10 * DAY_S));
        assert_eq!(budget.exceeded(at(10 * DAY_S + 5)), None);
        budget.add(1, Decimal::ZERO, at(10 * DAY_S + 5));
        assert_eq!(budget.exceeded(at(11 * DAY_S - 1)), Some("tokens per day"));
        assert_eq!(budget.exceeded(at(11 * DAY_S)), None);
        assert_eq!(budget.today(at(11 * DAY_S)).tokens, 0);
    }

    #[test]
    fn money_is_counted_apart_from_tokens() {
        let budget = Budget::new(&CallLimits { usd_per_day: Some(Decimal::new(150, 2)), ..CallLimits::default() });
        budget.add(1_000_000, Decimal::new(149, 2), at(DAY_S));
        assert_eq!(budget.exceeded(at(DAY_S)), None);
        budget.add(0, Decimal::new(1, 2), at(DAY_S));
        assert_eq!(budget.exceeded(at(DAY_S)), Some("USD per day"));
    }

    #[test]
    fn a_clock_that_goes_back_frees_no_budget() {
        let budget = Budget::new(&CallLimits { tokens_per_day: Some(1), ..CallLimits::default() });
        budget.add(1, Decimal::ZERO, at(2 * DAY_S));
        assert_eq!(budget.exceeded(at(2 * DAY_S - 1)), Some("tokens per day"));
    }
}
