//! Closing a store, what an unclean stop leaves, and what callers see of a writer that is busy or has died.

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use countersign_domain::{EventType, Time, payload::KeyChange};
use countersign_ledger::WitnessSigningKey;
use countersign_store::{Clock, Progress, Seams, Store, StoreError, Threading};

use super::{Setup, begin, for_each_threading, step};
use crate::fixture::{Fixture, investigation_of};

for_each_threading! {
    a_closed_store_refuses_work,
    closing_finishes_work_that_nobody_waits_for_any_more,
    a_store_is_writable_until_it_is_closed,
    only_an_orderly_stop_leaves_no_unfinished_work,
    recovery_is_durable_only_once_the_store_is_closed,
}

async fn a_closed_store_refuses_work(setup: Setup) -> Setup {
    let store = setup.open();
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    store.close().await.unwrap();
    let late = store.append(vec![setup.fixture.started("x")]).await;
    assert!(matches!(late, Err(StoreError::Closed)), "{late:?}");
    assert!(matches!(store.ingest(setup.transactions(0, 1)).await, Err(StoreError::Closed)));
    let (case, letter) = (investigation_of("a-1"), setup.fixture.seams.dead_letter_id());
    let witness = WitnessSigningKey::from_seed("witness.example/w", &[5; 32]).unwrap();
    let cosignature = witness.cosign(&store.checkpoint().unwrap(), 1).unwrap();
    let others = [
        store.append_if_case(case, 0, vec![setup.fixture.started("x")]).await.err(),
        store.step(step(Progress::Lane { seq: 0, low: 1 }, vec![])).await.err(),
        store.mark_low("stand-in", 1).await.err(),
        store.count_attempt("stand-in", 0).await.err(),
        store.request_replay(letter, "ana").await.err(),
        store.release_replays("stand-in").await.err(),
        store.erase(vec![0], "asked for", "ana").await.err(),
        store.add_cosignature(1, &cosignature).await.err(),
    ];
    for (n, refused) in others.into_iter().enumerate() {
        assert!(matches!(refused, Some(StoreError::Closed)), "{n}: {refused:?}");
    }
    assert!(matches!(store.close().await, Err(StoreError::Closed)));
    drop(store);
    let store = setup.open();
    assert_eq!((store.size().await.unwrap(), store.progress("stand-in").await.unwrap()), (1, (0, vec![])));
    setup
}

async fn closing_finishes_work_that_nobody_waits_for_any_more(setup: Setup) -> Setup {
    let store = setup.open();
    for n in 0..50 {
        begin(store.append(vec![setup.fixture.started(&n.to_string())])).await;
    }
    begin(store.mark_low("stand-in", 7)).await;
    store.close().await.unwrap();
    drop(store);
    let store = setup.open();
    assert_eq!((store.size().await.unwrap(), store.progress("stand-in").await.unwrap()), (50, (7, vec![])));
    setup
}

async fn a_store_is_writable_until_it_is_closed(setup: Setup) -> Setup {
    let store = setup.open();
    assert!(store.is_writable(), "nothing was tried yet");
    store.append(vec![setup.fixture.key("aaaaaaaaaaaa", KeyChange::Revoked)]).await.unwrap_err();
    assert!(store.is_writable(), "the store refused an event, but could have written another");
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    assert!(store.is_writable());
    store.close().await.unwrap();
    store.append(vec![setup.fixture.started("x")]).await.unwrap_err();
    assert!(!store.is_writable());
    setup
}

async fn only_an_orderly_stop_leaves_no_unfinished_work(setup: Setup) -> Setup {
    let store = setup.open();
    assert!(!store.has_unfinished_work().await.unwrap(), "a new store has no unfinished work");
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    drop(store);
    let store = setup.open();
    assert!(store.has_unfinished_work().await.unwrap());
    assert_eq!(store.size().await.unwrap(), 1);
    store.close().await.unwrap();
    drop(store);
    let store = setup.open();
    assert!(store.has_unfinished_work().await.unwrap(), "the work that the first stop left was not recovered");
    store.set_recovered();
    store.close().await.unwrap();
    drop(store);
    let store = setup.open();
    assert!(!store.has_unfinished_work().await.unwrap());
    drop(store);
    assert!(setup.open().has_unfinished_work().await.unwrap());
    setup
}

async fn recovery_is_durable_only_once_the_store_is_closed(setup: Setup) -> Setup {
    drop(setup.open());
    let store = setup.open();
    store.set_recovered();
    assert!(!store.has_unfinished_work().await.unwrap());
    drop(store);
    assert!(setup.open().has_unfinished_work().await.unwrap(), "the process ended before it closed the store");
    setup
}

/// Runs on the threaded store only: inline, nothing ends when the store is closed.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_the_head_of_a_closed_store() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let types = [EventType::FraudAlertCreated];
    let mut heads = vec![store.head(), store.head_of(&types), store.head_of(&[])];
    let waiting = {
        let mut head = store.head_of(&types);
        tokio::spawn(async move { head.changed().await })
    };
    store.append(vec![fixture.started("x")]).await.unwrap();
    store.close().await.unwrap();
    heads.extend([store.head(), store.head_of(&types), store.head_of(&[])]);
    let ended = async {
        assert!(waiting.await.unwrap().is_err());
        for (n, mut head) in heads.into_iter().enumerate() {
            head.mark_unchanged();
            assert!(head.changed().await.is_err(), "{n}");
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.unwrap();
}

/// A clock that stops the writer while it is held.
#[derive(Default)]
struct HeldClock {
    is_held: Mutex<bool>,
    released: Condvar,
    stops_writer: AtomicBool,
}

impl HeldClock {
    fn set_held(&self, is_held: bool) {
        *self.is_held.lock().unwrap() = is_held;
        self.released.notify_all();
    }
}

impl Clock for HeldClock {
    fn now(&self) -> Time {
        let is_held = self.is_held.lock().unwrap();
        self.stops_writer.store(*is_held, Ordering::SeqCst);
        drop(self.released.wait_while(is_held, |is_held| *is_held).unwrap());
        Time::from_micros(0).unwrap()
    }
}

/// Returns whether the condition was met within half a minute.
async fn wait_until(is_met: impl Fn() -> bool) -> bool {
    let met = async {
        while !is_met() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), met).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_counted_while_they_wait() {
    let fixture = Fixture::new();
    let clock = Arc::new(HeldClock::default());
    let seams = Seams { clock: Arc::<HeldClock>::clone(&clock), ..fixture.seams.clone() };
    let store = Store::open(&fixture.location(), Threading::Threaded, seams).unwrap();
    assert_eq!(store.waiting(), 0);
    clock.set_held(true);
    let append = |name| {
        let (store, event) = (store.clone(), fixture.started(name));
        tokio::spawn(async move { store.append(vec![event]).await })
    };
    let first = append("x");
    let stopped = wait_until(|| clock.stops_writer.load(Ordering::SeqCst)).await;
    let others = ["y", "z", "w", "v"].map(append);
    let waited = wait_until(|| store.waiting() == others.len()).await;
    clock.set_held(false);
    assert!(stopped && waited, "{stopped}, {waited}: {} jobs", store.waiting());
    for job in [first].into_iter().chain(others) {
        job.await.unwrap().unwrap();
    }
    assert_eq!((store.waiting(), store.size().await.unwrap()), (0, 5));
}

/// A clock that makes the writer panic once it is broken.
struct BreakableClock(AtomicBool);

impl Clock for BreakableClock {
    fn now(&self) -> Time {
        assert!(!self.0.load(Ordering::SeqCst), "the clock is broken");
        Time::from_micros(0).unwrap()
    }
}

#[tokio::test]
async fn callers_do_not_wait_for_a_writer_that_has_died() {
    let fixture = Fixture::new();
    let clock = Arc::new(BreakableClock(AtomicBool::new(false)));
    let seams = Seams { clock: Arc::<BreakableClock>::clone(&clock), ..fixture.seams.clone() };
    let store = Store::open(&fixture.location(), Threading::Threaded, seams).unwrap();
    clock.0.store(true, Ordering::SeqCst);
    let append = |name| store.append(vec![fixture.started(name)]);
    let at_once = async { tokio::join!(append("x"), append("y")) };
    let answers = async { (at_once.await, append("z").await) };
    let ((first, second), third) = tokio::time::timeout(Duration::from_secs(30), answers).await.unwrap();
    for answer in [first, second, third] {
        assert!(matches!(answer, Err(StoreError::Closed)), "{answer:?}");
    }
    drop(store);
    assert_eq!(fixture.open(Threading::Threaded).size().await.unwrap(), 0);
}
