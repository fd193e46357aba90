//! A circuit breaker for one model of one provider. It counts calls in one-second slots. It never waits itself; if it refuses a
//! call, it says how long the caller should wait.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

const WINDOW: Duration = Duration::from_secs(30);
const SLOT: Duration = Duration::from_secs(1);
/// The circuit opens if at least half of the calls in the window failed, and the window has at least this many.
const CALLS_MIN: u64 = 20;
const OPEN_FOR: Duration = Duration::from_secs(5);
/// How long other calls are told to wait while a probe is running.
pub(crate) const PROBE_WAIT: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakerState {
    Closed,
    Open,
    HalfOpen,
}

/// How an admitted call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEnding {
    Success,
    Failure,
    /// The caller disconnected, which says nothing about the provider.
    Unknown,
}

/// Lets one call through. It must be given back to [`Breaker::record`] when the call has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CircuitAdmission {
    is_probe: bool,
}

#[derive(Debug)]
pub(crate) struct Breaker(Mutex<BreakerInner>);

#[derive(Debug)]
struct BreakerInner {
    phase: Phase,
    slots: VecDeque<Slot>,
}

#[derive(Debug)]
enum Phase {
    Closed,
    Open { until: Instant },
    HalfOpen { is_probing: bool },
}

#[derive(Debug)]
struct Slot {
    from: Instant,
    calls: u64,
    failures: u64,
}

impl Breaker {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(BreakerInner { phase: Phase::Closed, slots: VecDeque::new() }))
    }

    /// How long a call would have to wait, or `None` if it would be admitted. Unlike [`Self::admit`], this starts no probe.
    pub(crate) fn open_for(&self, now: Instant) -> Option<Duration> {
        self.lock().open_for(now)
    }

    /// Admits a call, as a probe if the circuit is half open. If it refuses, it returns how long to wait.
    pub(crate) fn admit(&self, now: Instant) -> Result<CircuitAdmission, Duration> {
        let mut inner = self.lock();
        if let Some(wait) = inner.open_for(now) {
            return Err(wait);
        }
        let is_probe = !matches!(inner.phase, Phase::Closed);
        if is_probe {
            inner.phase = Phase::HalfOpen { is_probing: true };
        }
        Ok(CircuitAdmission { is_probe })
    }

    pub(crate) fn record(&self, admission: CircuitAdmission, ending: CallEnding, now: Instant) {
        let mut inner = self.lock();
        match (admission.is_probe, &inner.phase, ending) {
            (true, _, CallEnding::Success) => *inner = BreakerInner { phase: Phase::Closed, slots: VecDeque::new() },
            (true, _, CallEnding::Failure) => inner.phase = Phase::Open { until: now + OPEN_FOR },
            (true, _, CallEnding::Unknown) => inner.phase = Phase::HalfOpen { is_probing: false },
            (false, Phase::Closed, CallEnding::Success | CallEnding::Failure) => {
                inner.count(ending == CallEnding::Failure, now);
            }
            // The call began before the circuit opened, so its result is outdated.
            (false, _, _) => {}
        }
    }

    pub(crate) fn state(&self, now: Instant) -> BreakerState {
        match self.lock().phase {
            Phase::Closed => BreakerState::Closed,
            Phase::Open { until } if now < until => BreakerState::Open,
            Phase::Open { .. } | Phase::HalfOpen { .. } => BreakerState::HalfOpen,
        }
    }

    /// Whether it is closed and has no calls in the window, so that dropping it loses nothing.
    pub(crate) fn is_idle(&self, now: Instant) -> bool {
        let mut inner = self.lock();
        inner.expire(now);
        matches!(inner.phase, Phase::Closed) && inner.slots.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, BreakerInner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BreakerInner {
    fn open_for(&self, now: Instant) -> Option<Duration> {
        match self.phase {
            Phase::Open { until } if now < until => Some(until - now),
            Phase::HalfOpen { is_probing: true } => Some(PROBE_WAIT),
            Phase::Closed | Phase::Open { .. } | Phase::HalfOpen { is_probing: false } => None,
        }
    }

    fn count(&mut self, is_failure: bool, now: Instant) {
        self.expire(now);
        let failure = u64::from(is_failure);
        match self.slots.back_mut().filter(|slot| now.duration_since(slot.from) < SLOT) {
            Some(slot) => (slot.calls, slot.failures) = (slot.calls + 1, slot.failures + failure),
            None => self.slots.push_back(Slot { from: now, calls: 1, failures: failure }),
        }
        if !is_failure {
            return;
        }
        let (calls, failures) =
            self.slots.iter().fold((0, 0), |(calls, failures), slot| (calls + slot.calls, failures + slot.failures));
        if calls >= CALLS_MIN && failures * 2 >= calls {
            self.phase = Phase::Open { until: now + OPEN_FOR };
        }
    }

    fn expire(&mut self, now: Instant) {
        while self.slots.front().is_some_and(|slot| now.duration_since(slot.from) >= WINDOW) {
            self.slots.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bench {
        breaker: Breaker,
        now: Instant,
    }

    impl Bench {
        fn new() -> Self {
            Self { breaker: Breaker::new(), now: Instant::now() }
        }

        fn calls(&self, count: usize, ending: CallEnding) -> &Self {
            for _ in 0..count {
                let admission = self.breaker.admit(self.now).unwrap();
                self.breaker.record(admission, ending, self.now);
            }
            self
        }

        fn pass(&mut self, seconds: f64) -> &Self {
            self.now += Duration::from_secs_f64(seconds);
            self
        }

        fn expect(&self, state: BreakerState) {
            assert_eq!(self.breaker.state(self.now), state);
        }
    }

    #[test]
    fn nineteen_failures_do_not_open_it_and_the_twentieth_does() {
        let bench = Bench::new();
        bench.calls(19, CallEnding::Failure).expect(BreakerState::Closed);
        bench.calls(1, CallEnding::Failure).expect(BreakerState::Open);
        assert_eq!(bench.breaker.admit(bench.now), Err(OPEN_FOR));
    }

    #[test]
    fn it_opens_when_half_of_the_calls_fail() {
        let bench = Bench::new();
        bench.calls(11, CallEnding::Success).calls(10, CallEnding::Failure).expect(BreakerState::Closed);
        bench.calls(1, CallEnding::Failure).expect(BreakerState::Open);
    }

    #[test]
    fn calls_older_than_the_window_do_not_count() {
        let mut bench = Bench::new();
        bench.calls(19, CallEnding::Failure);
        bench.pass(30.0).calls(1, CallEnding::Failure).expect(BreakerState::Closed);
        bench.calls(19, CallEnding::Failure).expect(BreakerState::Open);
    }

    #[test]
    fn after_five_seconds_one_probe_at_a_time_is_let_through() {
        let mut bench = Bench::new();
        bench.calls(20, CallEnding::Failure);
        bench.pass(4.9).expect(BreakerState::Open);
        bench.pass(0.1).expect(BreakerState::HalfOpen);
        let probe = bench.breaker.admit(bench.now).unwrap();
        assert_eq!(bench.breaker.admit(bench.now), Err(PROBE_WAIT));
        bench.breaker.record(probe, CallEnding::Success, bench.now);
        bench.expect(BreakerState::Closed);
        bench.calls(19, CallEnding::Failure).expect(BreakerState::Closed);
    }

    #[test]
    fn a_probe_that_fails_opens_it_for_five_seconds_again() {
        let mut bench = Bench::new();
        bench.calls(20, CallEnding::Failure);
        bench.pass(5.0).calls(1, CallEnding::Failure).expect(BreakerState::Open);
        bench.pass(4.9).expect(BreakerState::Open);
        bench.pass(0.1).expect(BreakerState::HalfOpen);
    }

    #[test]
    fn a_cancelled_probe_makes_room_for_another() {
        let mut bench = Bench::new();
        bench.calls(20, CallEnding::Failure);
        bench.pass(5.0).calls(1, CallEnding::Unknown).expect(BreakerState::HalfOpen);
        bench.calls(1, CallEnding::Success).expect(BreakerState::Closed);
    }

    #[test]
    fn a_late_answer_does_not_close_an_open_circuit() {
        let bench = Bench::new();
        let early = bench.breaker.admit(bench.now).unwrap();
        bench.calls(20, CallEnding::Failure);
        bench.breaker.record(early, CallEnding::Success, bench.now);
        bench.expect(BreakerState::Open);
    }
}
