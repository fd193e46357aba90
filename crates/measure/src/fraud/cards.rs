//! Card precision@k: would a team that reviews k customers a day find those who were defrauded?

use std::collections::{BTreeMap, HashMap, HashSet};

use countersign_domain::{Score, Time, UserId};
use serde::Serialize;

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// For each day (UTC, by event time), users are ranked by their highest score of that day. Those among the first k who have
/// a fraud that day are found, and the day's precision is found / k, even if fewer than k users were active. A user who has
/// been found leaves the pool for later days. Equal scores are ranked by user id, which is unrelated to fraud and makes the
/// result reproducible.
///
/// Memory: one entry per user and day.
#[derive(Debug, Clone)]
pub struct CardPrecision {
    k: usize,
    users: HashMap<UserId, u32>,
    days: BTreeMap<i64, HashMap<u32, UserDay>>,
}

/// One user's activity on one day.
#[derive(Debug, Clone, Copy)]
struct UserDay {
    score: Score,
    fraud: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DayPrecision {
    /// The start of the day.
    pub day: Time,
    /// Users with a transaction that day who hadn't been found before.
    pub users: usize,
    pub found: usize,
    pub precision: f64,
}

impl CardPrecision {
    /// `k` users can be reviewed each day; 0 is taken as 1.
    pub fn new(k: usize) -> Self {
        Self { k: k.max(1), users: HashMap::new(), days: BTreeMap::new() }
    }

    pub fn add(&mut self, user: &UserId, at: Time, score: Score, fraud: bool) {
        let next = u32::try_from(self.users.len()).unwrap_or(u32::MAX);
        let number = match self.users.get(user) {
            Some(number) => *number,
            None => *self.users.entry(user.clone()).or_insert(next),
        };
        let users = self.days.entry(at.micros().div_euclid(MICROS_PER_DAY)).or_default();
        let day = users.entry(number).or_insert(UserDay { score, fraud });
        day.score = day.score.max(score);
        day.fraud |= fraud;
    }

    /// The mean over days; `None` if there are no days.
    pub fn mean(&self) -> Option<f64> {
        let days = self.days();
        let sum: f64 = days.iter().map(|day| day.precision).sum();
        (!days.is_empty()).then(|| sum / days.len() as f64)
    }

    pub fn days(&self) -> Vec<DayPrecision> {
        let rank = self.rank_by_id();
        let mut found_before = HashSet::new();
        let mut days = Vec::with_capacity(self.days.len());
        for (number, users) in &self.days {
            let mut pool: Vec<(u32, UserDay)> = users
                .iter()
                .map(|(user, day)| (*user, *day))
                .filter(|(user, _)| !found_before.contains(user))
                .collect();
            pool.sort_unstable_by_key(|(user, day)| (std::cmp::Reverse(day.score), rank.get(*user as usize)));
            let found: Vec<u32> =
                pool.iter().take(self.k).filter(|(_, day)| day.fraud).map(|(user, _)| *user).collect();
            // Day numbers come from valid times, so this never fails.
            let Ok(day) = Time::from_micros(number.saturating_mul(MICROS_PER_DAY)) else { continue };
            let precision = found.len() as f64 / self.k as f64;
            days.push(DayPrecision { day, users: pool.len(), found: found.len(), precision });
            found_before.extend(found);
        }
        days
    }

    /// The rank of each user's number when users are sorted by id.
    fn rank_by_id(&self) -> Vec<u32> {
        let mut by_id: Vec<_> = self.users.iter().collect();
        by_id.sort_unstable();
        let mut rank = vec![0; by_id.len()];
        for (place, (_, number)) in (0_u32..).zip(by_id) {
            if let Some(slot) = rank.get_mut(*number as usize) {
                *slot = place;
            }
        }
        rank
    }
}
