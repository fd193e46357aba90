//! Browser sessions: random tokens, kept in memory as hashes.
//!
//! A session stands for a key. Every request checks with the key ring that the key is still valid. A restart ends all sessions.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use countersign_domain::Time;
use countersign_ledger::{Hash, sha256};
use countersign_store::Seams;
use subtle::ConstantTimeEq;

use crate::keys::Caller;

/// The maximum age of a session, however often it is used.
pub(crate) const LIFETIME: Duration = Duration::from_secs(12 * 3_600);
/// The maximum time without use. A live connection counts as use, so a page on a wall display stays signed in.
const IDLE_MAX: Duration = Duration::from_secs(2 * 3_600);
/// Beyond this number, the least recently used session ends.
const SESSIONS_MAX: usize = 4_096;

/// All sessions. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Sessions(Arc<Mutex<HashMap<Hash, OpenSession>>>);

struct OpenSession {
    session: Session,
    opened_at: Time,
    used_at: Time,
}

/// A session. It has no `Debug`, because its CSRF token must not get into a log.
#[derive(Clone)]
pub(crate) struct Session {
    id: Hash,
    pub(crate) caller: Caller,
    csrf: Arc<str>,
}

impl Session {
    /// The CSRF token, which a page must send with every change. Another site can make a browser send the cookie, but it can't
    /// read this token.
    pub(crate) fn csrf(&self) -> &str {
        &self.csrf
    }

    /// Compares in constant time.
    pub(crate) fn is_csrf(&self, shown: &[u8]) -> bool {
        self.csrf.as_bytes().ct_eq(shown).into()
    }
}

impl Sessions {
    /// Opens a session. Returns it with its token, which is not kept.
    pub(crate) fn open(&self, caller: Caller, seams: &Seams) -> (Session, String) {
        let token = random(seams);
        let session = Session { id: sha256(token.as_bytes()), caller, csrf: random(seams).into() };
        let now = seams.now();
        let mut all = self.lock();
        if all.len() >= SESSIONS_MAX {
            make_room(&mut all, now);
        }
        all.insert(session.id, OpenSession { session: session.clone(), opened_at: now, used_at: now });
        (session, token)
    }

    /// The session with this token. Counts as use.
    pub(crate) fn find(&self, token: &str, now: Time) -> Option<Session> {
        self.touch(sha256(token.as_bytes()), now)
    }

    /// Whether a session is still open. Counts as use.
    pub(crate) fn is_open(&self, session: &Session, now: Time) -> bool {
        self.touch(session.id, now).is_some()
    }

    pub(crate) fn close(&self, session: &Session) {
        self.lock().remove(&session.id);
    }

    /// The session with this id, if it is open. Counts as use.
    fn touch(&self, id: Hash, now: Time) -> Option<Session> {
        let mut all = self.lock();
        let open = all.get_mut(&id)?;
        if open.is_over(now) {
            all.remove(&id);
            return None;
        }
        open.used_at = now.max(open.used_at);
        Some(open.session.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Hash, OpenSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenSession {
    fn is_over(&self, now: Time) -> bool {
        elapsed(self.opened_at, now) >= LIFETIME || elapsed(self.used_at, now) >= IDLE_MAX
    }
}

fn elapsed(since: Time, now: Time) -> Duration {
    Duration::from_micros(u64::try_from(now.micros().saturating_sub(since.micros())).unwrap_or(0))
}

fn make_room(all: &mut HashMap<Hash, OpenSession>, now: Time) {
    all.retain(|_, open| !open.is_over(now));
    if all.len() >= SESSIONS_MAX
        && let Some(oldest) = all.iter().min_by_key(|(_, open)| open.used_at).map(|(id, _)| *id)
    {
        all.remove(&oldest);
    }
}

fn random(seams: &Seams) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(seams.entropy.bytes::<32>())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use countersign_store::{Clock, Entropy};

    use super::*;

    #[derive(Default)]
    struct ManualClock(AtomicI64);

    impl Clock for ManualClock {
        fn now(&self) -> Time {
            Time::from_micros(self.0.load(Ordering::Relaxed)).unwrap()
        }
    }

    fn manual_clock() -> (Arc<ManualClock>, Seams) {
        let clock = Arc::new(ManualClock(AtomicI64::new(1_800_000_000_000_000)));
        let seams = Seams { clock: Arc::clone(&clock) as _, entropy: Arc::new(Entropy::from_seed([7; 32])) };
        (clock, seams)
    }

    fn advance_minutes(clock: &ManualClock, minutes: i64) {
        clock.0.fetch_add(minutes * 60_000_000, Ordering::Relaxed);
    }

    #[test]
    fn a_used_session_lasts_twelve_hours_and_an_unused_one_two() {
        let (clock, seams) = manual_clock();
        let sessions = Sessions::default();
        let (_, used) = sessions.open(Caller::Local, &seams);
        let (_, idle) = sessions.open(Caller::Local, &seams);
        for _ in 0..7 {
            advance_minutes(&clock, 100);
            assert!(sessions.find(&used, seams.now()).is_some());
        }
        assert!(sessions.find(&idle, seams.now()).is_none());
        advance_minutes(&clock, 19);
        assert!(sessions.find(&used, seams.now()).is_some());
        advance_minutes(&clock, 1);
        assert!(sessions.find(&used, seams.now()).is_none());
        assert!(sessions.lock().is_empty(), "an expired session is removed when it is looked up");
    }

    #[test]
    fn a_session_ends_when_it_is_closed() {
        let (_, seams) = manual_clock();
        let sessions = Sessions::default();
        let (session, token) = sessions.open(Caller::Local, &seams);
        assert!(sessions.is_open(&session, seams.now()));
        sessions.close(&session);
        assert!(sessions.find(&token, seams.now()).is_none() && !sessions.is_open(&session, seams.now()));
    }

    #[test]
    fn tokens_are_random_and_only_their_hashes_are_kept() {
        let (_, seams) = manual_clock();
        let sessions = Sessions::default();
        let (one, token) = sessions.open(Caller::Local, &seams);
        let (other, another) = sessions.open(Caller::Local, &seams);
        assert!(token != another && one.csrf() != other.csrf() && token != one.csrf());
        assert_eq!((token.len(), one.csrf().len()), (43, 43));
        assert!(sessions.lock().contains_key(&sha256(token.as_bytes())));
        assert!(one.is_csrf(one.csrf().as_bytes()) && !one.is_csrf(other.csrf().as_bytes()) && !one.is_csrf(b""));
    }

    #[test]
    fn the_least_recently_used_session_makes_room_for_a_new_one() {
        let (clock, seams) = manual_clock();
        let sessions = Sessions::default();
        let (_, first) = sessions.open(Caller::Local, &seams);
        let (_, second) = sessions.open(Caller::Local, &seams);
        advance_minutes(&clock, 1);
        sessions.find(&first, seams.now());
        for _ in 2..=SESSIONS_MAX {
            sessions.open(Caller::Local, &seams);
        }
        assert_eq!(sessions.lock().len(), SESSIONS_MAX);
        assert!(sessions.find(&first, seams.now()).is_some() && sessions.find(&second, seams.now()).is_none());
    }
}
