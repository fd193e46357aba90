//! Time and randomness. Callers pass both in, so that tests can control the clock and repeat random bytes.

use std::sync::{Arc, Mutex, PoisonError};

use countersign_domain::{CorrelationId, DeadLetterId, EventId, Time};
use jiff::Timestamp;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// Where the time comes from: the machine, or a clock that a test sets.
pub trait Clock: Send + Sync {
    fn now(&self) -> Time;
}

/// The machine's own clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time::from_timestamp(Timestamp::now())
    }
}

/// Random bytes from a generator that is determined by its seed.
pub struct Entropy(Mutex<StdRng>);

impl Entropy {
    /// Seeded by the operating system.
    pub fn from_os() -> std::io::Result<Self> {
        let mut seed = [0; 32];
        rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut seed).map_err(std::io::Error::other)?;
        Ok(Self::from_seed(seed))
    }

    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(Mutex::new(StdRng::from_seed(seed)))
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }
}

/// Time and randomness, passed in by the code that opens a store. A *seam* is a place where a test can replace what the program
/// takes from outside: here with a clock that the test sets, and with a generator whose bytes repeat. Ids are made from both.
#[derive(Clone)]
pub struct Seams {
    pub clock: Arc<dyn Clock>,
    pub entropy: Arc<Entropy>,
}

impl Seams {
    /// The machine's clock, and a generator that the operating system has seeded.
    pub fn system() -> std::io::Result<Self> {
        Ok(Self { clock: Arc::new(SystemClock), entropy: Arc::new(Entropy::from_os()?) })
    }

    pub fn now(&self) -> Time {
        self.clock.now()
    }

    pub fn event_id(&self) -> EventId {
        EventId::v7(self.now(), self.entropy.bytes())
    }

    pub fn correlation_id(&self) -> CorrelationId {
        CorrelationId::v7(self.now(), self.entropy.bytes())
    }

    pub fn dead_letter_id(&self) -> DeadLetterId {
        DeadLetterId::v7(self.now(), self.entropy.bytes())
    }
}
