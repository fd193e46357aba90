//! The contract that every backend keeps. Each rule is a function over an opened store; `for_each_way!` runs it in every
//! way that a store can be opened. A second backend only needs another way to open.

use std::{
    collections::BTreeSet,
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use countersign_domain::{AgentState, DeadLetterId, DeadLetterState, EventType, NewEvent, Time, payload::KeyChange};
use countersign_ledger::HashedText;
use countersign_store::{
    BULK_TURN, Clock, DeadLetterQuery, EventQuery, Ingested, Mode, Progress, RegistryEntry, Seams, Step, StepOutcome,
    Store, StoreError,
};

use crate::fixture::{Fixture, assert_good};

macro_rules! for_each_way {
    ($($rule:ident),* $(,)?) => {
        mod threaded {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                super::check(super::Mode::Threaded, super::$rule).await;
            })*
        }
        mod inline {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                super::check(super::Mode::Inline, super::$rule).await;
            })*
        }
    };
}

for_each_way! {
    positions_have_no_gap_and_one_callers_order_is_kept,
    what_comes_from_outside_is_taken_once,
    only_one_of_many_senders_is_accepted,
    a_failing_job_leaves_nothing_and_its_neighbours_stand,
    a_lane_step_happens_once,
    a_batch_step_needs_the_mark_where_it_begins,
    a_replay_is_claimed_once,
    a_step_that_fails_moves_nothing,
    a_mark_never_moves_back,
    attempts_are_counted_until_the_step_is_done,
    a_dead_letter_is_replayed_only_while_it_is_dead,
    dead_letters_are_paged_newest_first,
    the_registry_keeps_the_last_entry,
    a_report_commits_with_its_event_or_not_at_all,
    a_history_grows_with_the_marks_of_its_agent,
    only_one_of_many_decisions_is_taken,
    keys_are_made_and_revoked_by_events,
    events_are_found_by_type_correlation_position_and_id,
    recorded_times_never_go_back,
    the_head_shows_every_commit,
    a_closed_store_refuses_work,
    only_an_orderly_stop_counts_as_one,
    an_erased_body_is_gone_and_the_tree_is_not,
    what_others_rest_on_can_not_be_erased,
    erased_bytes_are_in_no_file,
}

async fn check<Rule>(mode: Mode, rule: impl Fn(Way) -> Rule)
where
    Rule: Future<Output = Way>,
{
    let way = rule(Way { fixture: Fixture::new(), mode }).await;
    assert_good(&way.fixture.verify());
}

/// How to open a store, again and again.
struct Way {
    fixture: Fixture,
    mode: Mode,
}

impl Way {
    fn open(&self) -> Store {
        self.fixture.open(self.mode)
    }

    fn transactions(&self, from: usize, count: usize) -> Vec<NewEvent> {
        (from..from + count).map(|n| self.fixture.transaction(&format!("tx-{n}"), "12.50")).collect()
    }
}

async fn all(store: &Store) -> Vec<countersign_domain::StoredEvent> {
    store.events(EventQuery { limit: 20_000, ..Default::default() }).await.unwrap()
}

async fn positions_have_no_gap_and_one_callers_order_is_kept(way: Way) -> Way {
    let store = way.open();
    let callers: Vec<_> = (0..64)
        .map(|caller| {
            let events: Vec<_> = (0..50).map(|n| way.fixture.started(&format!("{caller}/{n}"))).collect();
            let store = store.clone();
            tokio::spawn(async move {
                let mut seqs = Vec::new();
                for event in events {
                    seqs.push(store.append(vec![event]).await.unwrap());
                }
                seqs
            })
        })
        .collect();
    let mut seqs = BTreeSet::new();
    for caller in callers {
        let own = caller.await.unwrap();
        assert!(own.is_sorted_by(|a, b| a < b), "{own:?}");
        seqs.extend(own);
    }
    assert!(seqs.into_iter().eq(0..3200));
    assert!(all(&store).await.iter().map(|event| event.seq).eq(0..3200));
    way
}

async fn what_comes_from_outside_is_taken_once(way: Way) -> Way {
    let store = way.open();
    let first = way.transactions(0, 3);
    let accepted = store.ingest(first.clone()).await.unwrap();
    assert_eq!(accepted, [0, 1, 2].map(|seq| Ingested::Accepted { seq }));
    assert_eq!(store.ingest(first).await.unwrap(), [0, 1, 2].map(|seq| Ingested::Duplicate { seq }));
    let other = way.fixture.transaction("tx-1", "99.00");
    assert_eq!(store.ingest(vec![other]).await.unwrap(), [Ingested::Conflict { seq: 1 }]);

    let (same, differing) = (way.fixture.alert("a-1"), way.fixture.transaction("tx-9", "1.00"));
    let within =
        store.ingest(vec![same.clone(), differing, same, way.fixture.transaction("tx-9", "2.00")]).await.unwrap();
    let expected = [
        Ingested::Accepted { seq: 3 },
        Ingested::Accepted { seq: 4 },
        Ingested::Duplicate { seq: 3 },
        Ingested::Conflict { seq: 4 },
    ];
    assert_eq!(within, expected);
    assert_eq!(store.size().await.unwrap(), 5);

    let own = store.ingest(vec![way.fixture.started("a")]).await;
    assert!(matches!(own, Err(StoreError::Conflict(_))), "{own:?}");
    assert_eq!(store.ingest(vec![]).await.unwrap(), []);
    way
}

async fn only_one_of_many_senders_is_accepted(way: Way) -> Way {
    let store = way.open();
    let senders: Vec<_> = (0..32)
        .map(|_| {
            let (store, events) = (store.clone(), way.transactions(0, 5));
            tokio::spawn(async move { store.ingest(events).await.unwrap() })
        })
        .collect();
    let mut accepted = 0;
    for sender in senders {
        accepted += sender.await.unwrap().iter().filter(|taken| matches!(taken, Ingested::Accepted { .. })).count();
    }
    assert_eq!((accepted, store.size().await.unwrap()), (5, 5));
    way
}

/// Of the threaded store alone: in the other way nothing happens while a call runs.
#[tokio::test]
async fn prompt_work_overtakes_a_bulk_that_goes_in_turns() {
    let way = Way { fixture: Fixture::new(), mode: Mode::Threaded };
    let store = way.open();
    // On one thread: the prompt write is handed over when only the first turn can have been.
    let bulk = store.ingest(way.transactions(0, 10_000));
    let (taken, prompt) = tokio::join!(bulk, store.append(vec![way.fixture.started("prompt")]));
    let (taken, prompt) = (taken.unwrap(), prompt.unwrap());
    let turn = BULK_TURN as u64;
    assert!([0, turn].contains(&prompt), "the prompt event stands at {prompt}");
    // Every turn is whole and in order around it.
    let around = (0..10_001).filter(|seq| *seq != prompt).map(|seq| Ingested::Accepted { seq });
    assert!(taken.into_iter().eq(around));
    store.close().await.unwrap();
    assert_good(&way.fixture.verify());
}

/// A clock that breaks the writer.
struct Broken(AtomicBool);

impl Clock for Broken {
    fn now(&self) -> Time {
        assert!(!self.0.load(Ordering::SeqCst), "the clock is broken");
        Time::from_micros(0).unwrap()
    }
}

#[tokio::test]
async fn nobody_waits_for_a_writer_that_died() {
    let fixture = Fixture::new();
    let clock = Arc::new(Broken(AtomicBool::new(false)));
    let seams = Seams { clock: Arc::<Broken>::clone(&clock), ..fixture.seams.clone() };
    let store = Store::open(&fixture.dir(), Mode::Threaded, seams).unwrap();
    clock.0.store(true, Ordering::SeqCst);
    let append = |name| store.append(vec![fixture.started(name)]);
    let at_once = async { tokio::join!(append("x"), append("y")) };
    let answers = async { (at_once.await, append("z").await) };
    let ((first, second), third) = tokio::time::timeout(Duration::from_secs(30), answers).await.unwrap();
    for answer in [first, second, third] {
        assert!(matches!(answer, Err(StoreError::Closed)), "{answer:?}");
    }
    drop(store);
    assert_eq!(fixture.open(Mode::Threaded).size().await.unwrap(), 0);
}

async fn a_failing_job_leaves_nothing_and_its_neighbours_stand(way: Way) -> Way {
    let store = way.open();
    let bad = || vec![way.fixture.investigation("a-1"), way.fixture.started("x"), way.fixture.investigation("a-1")];
    let jobs: Vec<_> = (0..20)
        .map(|n| {
            let events = if n % 2 == 0 { vec![way.fixture.started(&n.to_string())] } else { bad() };
            let store = store.clone();
            tokio::spawn(async move { store.append(events).await })
        })
        .collect();
    let mut seqs = BTreeSet::new();
    for (n, job) in jobs.into_iter().enumerate() {
        match job.await.unwrap() {
            Ok(seq) => assert!(n % 2 == 0 && seqs.insert(seq)),
            Err(StoreError::Conflict(why)) => assert!(n % 2 == 1 && why.contains("investigations"), "{why}"),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(seqs.into_iter().eq(0..10));
    assert!(all(&store).await.iter().all(|event| event.event_type == "AGENT_STARTED"));
    // The id that the failing jobs wanted is still free.
    assert_eq!(store.append(vec![way.fixture.investigation("a-1")]).await.unwrap(), 10);
    let again = store.append(vec![way.fixture.investigation("a-1")]).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let event = way.fixture.started("x");
    store.append(vec![event.clone()]).await.unwrap();
    let same_id = store.append(vec![event]).await;
    assert!(matches!(same_id, Err(StoreError::Conflict(_))), "{same_id:?}");
    way
}

fn step(progress: Progress, events: Vec<NewEvent>) -> Step {
    Step::new("stand-in", progress, events)
}

async fn a_lane_step_happens_once(way: Way) -> Way {
    let store = way.open();
    let lane = |seq, low| step(Progress::Lane { seq, low }, vec![way.fixture.started("x")]);
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(lane(0, 0)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.progress("stand-in").await.unwrap(), (0, vec![0, 2]));
    drop(store);
    let store = way.open();
    assert_eq!(store.step(lane(2, 0)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(lane(1, 3)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.progress("stand-in").await.unwrap(), (3, vec![]));
    // Below the mark there is no row any more; the mark itself answers.
    assert_eq!(store.step(lane(1, 3)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.size().await.unwrap(), 3);
    // Another agent's progress is its own.
    let other = Step { agent: "other", ..lane(2, 0) };
    assert_eq!(store.step(other).await.unwrap(), StepOutcome::Committed);
    way
}

async fn a_batch_step_needs_the_mark_where_it_begins(way: Way) -> Way {
    let store = way.open();
    let batch = |from, to| step(Progress::Batch { from, to }, vec![way.fixture.started("x")]);
    assert_eq!(store.step(batch(5, 9)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(0, 5)).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(batch(0, 5)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(4, 9)).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(store.step(batch(5, 9)).await.unwrap(), StepOutcome::Committed);
    assert_eq!((store.progress("stand-in").await.unwrap(), store.size().await.unwrap()), ((9, vec![]), 2));
    way
}

/// A store with one dead letter of an agent.
async fn with_dead_letter(way: &Way) -> (Store, DeadLetterId) {
    let (store, id) = (way.open(), way.fixture.seams.dead_letter_id());
    let transaction = way.fixture.transaction("tx-1", "1.00");
    let letter = way.fixture.dead_letter(id, "stand-in", 0, transaction.event_id);
    store.ingest(vec![transaction]).await.unwrap();
    store.append(vec![letter]).await.unwrap();
    (store, id)
}

async fn state_of(store: &Store, id: DeadLetterId) -> DeadLetterState {
    let query = DeadLetterQuery { limit: 100, ..Default::default() };
    store.dead_letters(query).await.unwrap().into_iter().find(|letter| letter.id == id).unwrap().state
}

async fn a_replay_is_claimed_once(way: Way) -> Way {
    let (store, id) = with_dead_letter(&way).await;
    let replay = || step(Progress::Replay { id }, vec![way.fixture.started("x")]);
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::AlreadyDone, "nobody asked for it");
    store.request_replay(id, "ana").await.unwrap();
    let others = Step { agent: "other", ..replay() };
    assert_eq!(store.step(others).await.unwrap(), StepOutcome::AlreadyDone, "it is not theirs");
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::Committed);
    assert_eq!(store.step(replay()).await.unwrap(), StepOutcome::AlreadyDone);
    assert_eq!(
        (state_of(&store, id).await, store.size().await.unwrap()),
        (DeadLetterState::Replayed, 5),
        "with the events that say so"
    );
    way
}

async fn a_step_that_fails_moves_nothing(way: Way) -> Way {
    let (store, id) = with_dead_letter(&way).await;
    store.request_replay(id, "ana").await.unwrap();
    store.append(vec![way.fixture.investigation("a-1")]).await.unwrap();
    store.count_attempt("stand-in", 0).await.unwrap();
    let before = store.size().await.unwrap();
    for progress in [Progress::Lane { seq: 0, low: 1 }, Progress::Batch { from: 0, to: 1 }, Progress::Replay { id }] {
        let events = vec![way.fixture.started("x"), way.fixture.investigation("a-1")];
        let failed = store.step(step(progress, events)).await;
        assert!(matches!(failed, Err(StoreError::Conflict(_))), "{failed:?}");
        assert_eq!((store.progress("stand-in").await.unwrap(), store.size().await.unwrap()), ((0, vec![]), before));
        assert_eq!(state_of(&store, id).await, DeadLetterState::Replaying);
    }
    assert_eq!(store.count_attempt("stand-in", 0).await.unwrap(), 2, "the attempts still count");
    let good = step(Progress::Lane { seq: 0, low: 1 }, vec![way.fixture.started("x")]);
    assert_eq!(store.step(good).await.unwrap(), StepOutcome::Committed);
    way
}

async fn a_mark_never_moves_back(way: Way) -> Way {
    let store = way.open();
    store.mark_low("stand-in", 7).await.unwrap();
    store.mark_low("stand-in", 3).await.unwrap();
    assert_eq!(store.progress("stand-in").await.unwrap(), (7, vec![]));
    store.step(step(Progress::Lane { seq: 9, low: 2 }, vec![])).await.unwrap();
    assert_eq!(store.progress("stand-in").await.unwrap(), (7, vec![9]));
    assert_eq!(store.progress("other").await.unwrap(), (0, vec![]));
    way
}

async fn attempts_are_counted_until_the_step_is_done(way: Way) -> Way {
    let store = way.open();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 1);
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 2);
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 1);
    drop(store);
    let store = way.open();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 3);
    store.step(step(Progress::Lane { seq: 4, low: 0 }, vec![])).await.unwrap();
    assert_eq!(store.count_attempt("stand-in", 4).await.unwrap(), 1);
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 2);
    store.step(step(Progress::Batch { from: 0, to: 6 }, vec![])).await.unwrap();
    assert_eq!(store.count_attempt("stand-in", 5).await.unwrap(), 1);
    way
}

async fn a_dead_letter_is_replayed_only_while_it_is_dead(way: Way) -> Way {
    let (store, id) = with_dead_letter(&way).await;
    let letters = store.dead_letters(DeadLetterQuery { limit: 10, ..Default::default() }).await.unwrap();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    let found = (letter.agent.as_str(), letter.event_seq, letter.attempts, letter.error.as_str());
    assert_eq!(found, ("stand-in", 0, 3, "it does not add up"));
    assert_eq!((letter.event_type.as_str(), letter.state), ("TRANSACTION_RECEIVED", DeadLetterState::Dead));
    assert_eq!(letter.event_id, all(&store).await.first().unwrap().event_id);

    store.request_replay(id, "ana").await.unwrap();
    assert_eq!(state_of(&store, id).await, DeadLetterState::Replaying);
    let again = store.request_replay(id, "ana").await;
    assert!(matches!(&again, Err(StoreError::Conflict(why)) if why.contains("replaying")), "{again:?}");
    let unknown = store.request_replay(way.fixture.seams.dead_letter_id(), "ana").await;
    assert!(matches!(unknown, Err(StoreError::NotFound)), "{unknown:?}");
    // It fails again, and is dead again under its own id.
    let again = way.fixture.dead_letter(id, "stand-in", 0, letter.event_id);
    store.append(vec![again]).await.unwrap();
    assert_eq!(state_of(&store, id).await, DeadLetterState::Dead);
    way
}

async fn dead_letters_are_paged_newest_first(way: Way) -> Way {
    let store = way.open();
    let mut ids = Vec::new();
    for n in 0..10 {
        way.fixture.clock.move_by_seconds(1);
        ids.push(way.fixture.seams.dead_letter_id());
        let agent = if n % 2 == 0 { "even" } else { "odd" };
        let event_id = way.fixture.seams.event_id();
        store.append(vec![way.fixture.dead_letter(ids[n], agent, n as u64, event_id)]).await.unwrap();
    }
    store.request_replay(ids[4], "ana").await.unwrap();
    let page = async |agent: Option<&str>, state: Option<DeadLetterState>, before: Option<usize>, limit| -> Vec<u64> {
        let before = before.map(|n| ids[n]);
        let query = DeadLetterQuery { before, agent: agent.map(Into::into), state, limit };
        store.dead_letters(query).await.unwrap().iter().map(|letter| letter.event_seq).collect()
    };
    assert_eq!(page(None, None, None, 3).await, [9, 8, 7]);
    assert_eq!(page(None, None, Some(7), 3).await, [6, 5, 4]);
    assert_eq!(page(Some("even"), None, None, 3).await, [8, 6, 4]);
    assert_eq!(page(Some("even"), Some(DeadLetterState::Dead), None, 3).await, [8, 6, 2]);
    assert_eq!(page(Some("even"), Some(DeadLetterState::Dead), Some(6), 3).await, [2, 0]);
    assert_eq!(page(None, Some(DeadLetterState::Replaying), None, 3).await, [4]);
    way
}

async fn the_registry_keeps_the_last_entry(way: Way) -> Way {
    let store = way.open();
    let at = way.fixture.seams.now();
    let entry = |name: &str, processed, last_error| RegistryEntry {
        name: name.into(),
        state: AgentState::Listen,
        priority: -3,
        paused: true,
        started_at: at,
        heartbeat_at: at,
        processed,
        failed: 1,
        dead_lettered: 2,
        lag: 3,
        last_error,
    };
    store.register(entry("b", 1, None)).await.unwrap();
    store.register(entry("a", 7, Some("why".into()))).await.unwrap();
    store.register(entry("b", 2, Some("late".into()))).await.unwrap();
    let expected = [entry("a", 7, Some("why".into())), entry("b", 2, Some("late".into()))];
    assert_eq!(store.registry().await.unwrap(), expected);
    way
}

async fn a_report_commits_with_its_event_or_not_at_all(way: Way) -> Way {
    let store = way.open();
    let tried: Vec<_> = (0..20)
        .map(|n| {
            let (event, mut report) = way.fixture.report(&format!("a-{n}"), 1);
            if n % 2 == 1 {
                report.content = HashedText::new(format!("{} ", report.content.text()));
            }
            let (store, step) = (store.clone(), step(Progress::Lane { seq: n, low: 0 }, vec![event]));
            tokio::spawn(async move {
                let id = report.report_id.clone();
                (id, store.step(Step { reports: vec![report], ..step }).await)
            })
        })
        .collect();
    for (n, tried) in tried.into_iter().enumerate() {
        let (id, outcome) = tried.await.unwrap();
        assert_eq!(outcome.is_ok(), n % 2 == 0, "{outcome:?}");
        assert_eq!(store.report(&id).await.unwrap().is_some(), n % 2 == 0);
        assert_eq!(store.report_content(&id).await.unwrap().is_some(), n % 2 == 0);
    }
    assert_eq!((store.size().await.unwrap(), store.progress("stand-in").await.unwrap().1.len()), (10, 10));
    way
}

async fn a_history_grows_with_the_marks_of_its_agent(way: Way) -> Way {
    let store = way.open();
    store.ingest(way.transactions(0, 30)).await.unwrap();
    let batch =
        |from, to| Step { agent: "detector", indexes_history: true, ..step(Progress::Batch { from, to }, vec![]) };
    let user = "user-1".parse().unwrap();
    for (from, to, reached) in [(0, 10, 10), (0, 10, 10), (5, 20, 10), (10, 30, 30)] {
        store.step(batch(from, to)).await.unwrap();
        let record = store.customer_record(&user, None, 100, 1).await;
        assert_eq!(record.unwrap().summary.count, reached);
    }
    let newest = store.history(&user, 25, 3).await.unwrap();
    assert_eq!(newest.iter().map(|event| event.seq).collect::<Vec<_>>(), [24, 23, 22]);
    way
}

async fn only_one_of_many_decisions_is_taken(way: Way) -> Way {
    let store = way.open();
    let (event, report) = way.fixture.report("a-1", 1);
    let id = report.report_id.clone();
    store.ingest(vec![way.fixture.alert("a-1")]).await.unwrap();
    store.step(Step { reports: vec![report], ..step(Progress::Lane { seq: 0, low: 0 }, vec![event]) }).await.unwrap();
    store.append(vec![way.fixture.doubted("a-1", &id, false)]).await.unwrap();
    let people: Vec<_> = (0..16)
        .map(|n| {
            let decision = way.fixture.decided("a-1", &id, if n % 2 == 0 { "approve" } else { "send_back" });
            let store = store.clone();
            tokio::spawn(async move { store.append(vec![decision]).await })
        })
        .collect();
    let mut taken = 0;
    for person in people {
        match person.await.unwrap() {
            Ok(_) => taken += 1,
            Err(error) => assert!(matches!(error, StoreError::Conflict(_)), "{error:?}"),
        }
    }
    assert_eq!((taken, store.size().await.unwrap()), (1, 4));
    way
}

async fn keys_are_made_and_revoked_by_events(way: Way) -> Way {
    let store = way.open();
    let made_at = way.fixture.seams.now();
    store.append(vec![way.fixture.key("aaaaaaaaaaaa", KeyChange::Created)]).await.unwrap();
    way.fixture.clock.move_by_seconds(5);
    store.append(vec![way.fixture.key("bbbbbbbbbbbb", KeyChange::Created)]).await.unwrap();
    store.append(vec![way.fixture.key("aaaaaaaaaaaa", KeyChange::Revoked)]).await.unwrap();
    let keys = store.access_keys().await.unwrap();
    let found: Vec<_> = keys.iter().map(|key| (key.id.as_str(), key.created_at, key.revoked_at)).collect();
    let now = way.fixture.seams.now();
    assert_eq!(found, [("aaaaaaaaaaaa", made_at, Some(now)), ("bbbbbbbbbbbb", now, None)]);
    assert_eq!((keys[0].name.as_str(), keys[0].secret_sha256.as_str()), ("ana", "ab".repeat(32).as_str()));

    let twice = store.append(vec![way.fixture.key("bbbbbbbbbbbb", KeyChange::Created)]).await;
    assert!(matches!(twice, Err(StoreError::Conflict(_))), "{twice:?}");
    for id in ["aaaaaaaaaaaa", "cccccccccccc"] {
        let gone = store.append(vec![way.fixture.key(id, KeyChange::Revoked)]).await;
        assert!(matches!(gone, Err(StoreError::NotFound)), "{gone:?}");
    }
    assert_eq!(store.size().await.unwrap(), 3);
    way
}

async fn events_are_found_by_type_correlation_position_and_id(way: Way) -> Way {
    let store = way.open();
    let cause = way.fixture.transaction("tx-1", "1.00");
    let (cause_id, correlation_id) = (cause.event_id, cause.correlation_id);
    let mut alert = way.fixture.alert("a-1").caused_by(cause_id);
    alert.correlation_id = correlation_id;
    alert.metadata = r#"{"rule":"velocity"}"#.into();
    let alert_id = alert.event_id;
    let (other, started) = (way.fixture.alert("a-2"), way.fixture.started("x"));
    store.append(vec![cause, started, other, alert]).await.unwrap();

    let find = async |types: &[EventType], correlation_id, from_seq, limit| -> Vec<u64> {
        let types = types.to_vec();
        let query = EventQuery { from_seq, types, correlation_id, limit };
        store.events(query).await.unwrap().iter().map(|event| event.seq).collect()
    };
    let (alerts, transactions) = (EventType::FraudAlertCreated, EventType::TransactionReceived);
    assert_eq!(find(&[], None, 0, 10).await, [0, 1, 2, 3]);
    assert_eq!(find(&[], None, 1, 2).await, [1, 2]);
    assert_eq!(find(&[alerts], None, 0, 10).await, [2, 3]);
    assert_eq!(find(&[alerts], None, 3, 10).await, [3]);
    assert_eq!(find(&[alerts, transactions], None, 0, 10).await, [0, 2, 3]);
    assert_eq!(find(&[alerts, transactions], None, 0, 2).await, [0, 2]);
    assert_eq!(find(&[alerts, alerts], None, 0, 10).await, [2, 3]);
    assert_eq!(find(&[EventType::KeyChanged], None, 0, 10).await, [0; 0]);
    assert_eq!(find(&[], Some(correlation_id), 0, 10).await, [0, 3]);
    assert_eq!(find(&[], Some(correlation_id), 1, 10).await, [3]);
    assert_eq!(find(&[alerts], Some(correlation_id), 0, 10).await, [3]);
    assert_eq!(find(&[], None, 0, 0).await, [0; 0]);

    let found = store.event(alert_id).await.unwrap();
    assert_eq!((found.seq, found.causation_id), (3, Some(cause_id)));
    assert_eq!(found.metadata.unwrap().get(), r#"{"rule":"velocity"}"#);
    let unknown = store.event(way.fixture.seams.event_id()).await;
    assert!(matches!(unknown, Err(StoreError::NotFound)), "{unknown:?}");
    way
}

async fn recorded_times_never_go_back(way: Way) -> Way {
    let store = way.open();
    let first = way.fixture.seams.now();
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    way.fixture.clock.move_by_seconds(-3600);
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    drop(store);
    let store = way.open();
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    way.fixture.clock.move_by_seconds(7200);
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    let recorded: Vec<_> = all(&store).await.iter().map(|event| event.recorded_at).collect();
    assert_eq!(recorded, [first, first, first, way.fixture.seams.now()]);
    way
}

async fn the_head_shows_every_commit(way: Way) -> Way {
    let store = way.open();
    let mut head = store.head();
    head.mark_unchanged();
    for size in 1..4 {
        let seq = store.append(vec![way.fixture.started("x")]).await.unwrap();
        assert!(head.has_changed().unwrap());
        assert_eq!((*head.borrow_and_update(), seq + 1), (size, size));
    }
    store.mark_low("stand-in", 1).await.unwrap();
    assert!(store.append(vec![way.fixture.key("aaaaaaaaaaaa", KeyChange::Revoked)]).await.is_err());
    assert!(!head.has_changed().unwrap(), "nothing was added");
    way
}

async fn a_closed_store_refuses_work(way: Way) -> Way {
    let store = way.open();
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    store.close().await.unwrap();
    let late = store.append(vec![way.fixture.started("x")]).await;
    assert!(matches!(late, Err(StoreError::Closed)), "{late:?}");
    assert!(matches!(store.ingest(way.transactions(0, 1)).await, Err(StoreError::Closed)));
    assert!(matches!(store.close().await, Err(StoreError::Closed)));
    drop(store);
    assert_eq!(way.open().size().await.unwrap(), 1);
    way
}

async fn only_an_orderly_stop_counts_as_one(way: Way) -> Way {
    let store = way.open();
    assert!(!store.has_unfinished_work().await.unwrap(), "a new store has nothing in anybody's hands");
    store.append(vec![way.fixture.started("x")]).await.unwrap();
    drop(store);
    let store = way.open();
    assert!(store.has_unfinished_work().await.unwrap());
    assert_eq!(store.size().await.unwrap(), 1);
    store.close().await.unwrap();
    drop(store);
    let store = way.open();
    assert!(store.has_unfinished_work().await.unwrap(), "nobody has dealt with what the first stop left");
    store.set_recovered();
    store.close().await.unwrap();
    drop(store);
    let store = way.open();
    assert!(!store.has_unfinished_work().await.unwrap());
    drop(store);
    assert!(way.open().has_unfinished_work().await.unwrap());
    way
}

async fn an_erased_body_is_gone_and_the_tree_is_not(way: Way) -> Way {
    let store = way.open();
    let transactions = way.transactions(0, 4);
    store.ingest(transactions.clone()).await.unwrap();
    store.append(vec![way.fixture.alert("a-1"), way.fixture.investigation("a-1")]).await.unwrap();
    let root = store.root_at(6).await.unwrap();
    store.erase(vec![1, 4, 5], "asked for", "ana").await.unwrap();
    store.erase(vec![1, 2], "asked for again", "ana").await.unwrap();

    let bodies: Vec<_> = all(&store).await.iter().map(|event| event.payload.is_some()).collect();
    assert_eq!(bodies, [true, false, false, true, false, false, true, true]);
    let named = all(&store).await.get(6).unwrap().payload.as_ref().unwrap().get().to_owned();
    assert!(named.contains("[1,4,5]") && named.contains("asked for"), "{named}");
    assert_eq!(store.root_at(6).await.unwrap(), root);
    let again = store.ingest(vec![transactions[1].clone(), way.fixture.transaction("tx-2", "77.00")]).await.unwrap();
    assert_eq!(again, [Ingested::Duplicate { seq: 1 }, Ingested::Duplicate { seq: 2 }]);
    store.close().await.unwrap();
    assert_eq!(way.fixture.verify().erased, 4);
    way
}

async fn what_others_rest_on_can_not_be_erased(way: Way) -> Way {
    let (store, _) = with_dead_letter(&way).await;
    store.append(vec![way.fixture.key("aaaaaaaaaaaa", KeyChange::Created)]).await.unwrap();
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    let size = store.size().await.unwrap();
    // A dead letter, a key, an erasure, the erasing event itself, one that does not exist, and a good one with a bad.
    for seqs in [vec![1], vec![2], vec![3], vec![size], vec![1_000], vec![0, 1_000]] {
        let refused = store.erase(seqs.clone(), "why", "ana").await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{seqs:?}: {refused:?}");
        assert_eq!(store.size().await.unwrap(), size);
    }
    way
}

async fn erased_bytes_are_in_no_file(way: Way) -> Way {
    let store = way.open();
    let marker = "marker-of-somebody-who-left";
    let mut event = way.fixture.transaction("tx-1", "1.00");
    // Long enough for overflow pages.
    event.metadata = format!(r#"{{"note":"{}"}}"#, format!("{marker} ").repeat(1_000));
    store.ingest(vec![event]).await.unwrap();
    store.ingest(way.transactions(10, 50)).await.unwrap();
    assert!(contains(&way, marker), "the search works");
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    assert!(!contains(&way, marker), "gone at once");
    // With a reader in its way, the log is emptied as soon as it can be.
    let mut late = way.fixture.transaction("tx-2", "1.00");
    late.metadata = format!(r#"{{"note":"{marker}"}}"#);
    let [Ingested::Accepted { seq }] = store.ingest(vec![late]).await.unwrap()[..] else { panic!() };
    let reader = rusqlite::Connection::open(way.fixture.dir().database()).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM event_log;").unwrap();
    store.erase(vec![seq], "asked for", "ana").await.unwrap();
    reader.execute_batch("COMMIT").unwrap();
    drop(reader);
    store.mark_low("stand-in", 1).await.unwrap();
    assert!(!contains(&way, marker), "gone with the next commit");
    store.close().await.unwrap();
    assert!(!contains(&way, marker));
    let log = way.fixture.dir().path().join("countersign.db-wal");
    assert!(!log.exists(), "the write-ahead log is folded in");
    way
}

fn contains(way: &Way, marker: &str) -> bool {
    let database = way.fixture.dir().database();
    let log = database.with_extension("db-wal");
    [database, log].iter().any(|path| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.windows(marker.len()).any(|window| window == marker.as_bytes())
    })
}
