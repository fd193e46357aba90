//! Rate limits: a token bucket for each key or address, in a table of bounded size.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use countersign_domain::KeyId;

/// The number of callers with a bucket of their own. Further callers share one bucket until others have been idle.
const CALLERS_MAX: usize = 16_384;
/// Limits wrong keys from one address, both in sign-ins and in headers.
pub(crate) const WRONG_KEYS_PER_MINUTE: u64 = 10;
/// The minimum time between two sweeps of the table.
const SWEEP_INTERVAL_MIN: Duration = Duration::from_secs(1);

/// The caller that a request is counted for. `Others` are all callers without a bucket of their own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum CountedCaller {
    Key(KeyId),
    Address(IpAddr),
    Others,
}

impl CountedCaller {
    /// A household or host has a whole /64 of IPv6 addresses, so limiting single addresses would have no effect.
    pub(crate) fn address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(v6) => Self::Address(IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into())),
            v4 => Self::Address(v4),
        }
    }
}

pub(crate) struct RateLimit {
    per_minute: u64,
    buckets: Mutex<BucketTable>,
}

#[derive(Default)]
struct BucketTable {
    buckets: HashMap<CountedCaller, Bucket>,
    swept_at: Option<Instant>,
}

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl BucketTable {
    fn has_room_for(&self, subject: &CountedCaller) -> bool {
        self.buckets.len() < CALLERS_MAX || self.buckets.contains_key(subject)
    }
}

impl RateLimit {
    pub(crate) fn new(per_minute: u64) -> Self {
        Self { per_minute, buckets: Mutex::default() }
    }

    pub(crate) fn per_minute(&self) -> u64 {
        self.per_minute
    }

    /// Takes one token, or returns the seconds until the next is available.
    pub(crate) fn take(&self, subject: CountedCaller, now: Instant) -> Result<(), u64> {
        let mut table = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let subject = if table.has_room_for(&subject) { subject } else { self.sweep(&mut table, subject, now) };
        let bucket = table.buckets.entry(subject).or_insert(Bucket { tokens: self.capacity(), at: now });
        let tokens = self.refilled(bucket, now);
        let is_enough = tokens >= 1.0;
        *bucket = Bucket { tokens: if is_enough { tokens - 1.0 } else { tokens }, at: now };
        if is_enough { Ok(()) } else { Err(((1.0 - tokens) / self.per_second()).ceil() as u64) }
    }

    /// Makes room by removing callers whose bucket is full again, which is the same as having none. This happens at most once a
    /// second: a flood of callers must not make every request scan the table.
    fn sweep(&self, table: &mut BucketTable, subject: CountedCaller, now: Instant) -> CountedCaller {
        if table.swept_at.is_none_or(|at| now.saturating_duration_since(at) >= SWEEP_INTERVAL_MIN) {
            table.swept_at = Some(now);
            table.buckets.retain(|_, bucket| self.refilled(bucket, now) < self.capacity());
        }
        if table.has_room_for(&subject) { subject } else { CountedCaller::Others }
    }

    fn capacity(&self) -> f64 {
        self.per_minute as f64
    }

    fn per_second(&self) -> f64 {
        self.capacity() / 60.0
    }

    fn refilled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let waited_s = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.tokens + waited_s * self.per_second()).min(self.capacity())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn subject(n: u32) -> CountedCaller {
        CountedCaller::address(Ipv4Addr::from_bits(n).into())
    }

    #[test]
    fn a_minutes_worth_may_be_used_at_once_and_then_refills() {
        let limit = RateLimit::new(30);
        let start = Instant::now();
        assert!((0..30).all(|_| limit.take(subject(1), start).is_ok()));
        assert_eq!(limit.take(subject(1), start), Err(2));
        assert!(limit.take(subject(2), start).is_ok());
        assert!(limit.take(subject(1), start + Duration::from_secs(2)).is_ok());
        assert!(limit.take(subject(1), start + Duration::from_secs(3)).is_err());
    }

    #[test]
    fn the_table_is_bounded() {
        let limit = RateLimit::new(1);
        let start = Instant::now();
        for n in 0..40_000 {
            let _ = limit.take(subject(n), start);
        }
        assert!(limit.buckets.lock().unwrap().buckets.len() <= CALLERS_MAX + 1);
        // A minute later, idle callers make room.
        assert!(limit.take(subject(50_000), start + Duration::from_secs(60)).is_ok());
        assert_eq!(limit.buckets.lock().unwrap().buckets.len(), 1);
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let address = |text: &str| CountedCaller::address(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
