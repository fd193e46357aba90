//! Appending: order, exactly once, all or nothing, erasing.

use std::collections::BTreeSet;

use countersign_domain::{EventType, payload::KeyChange};
use countersign_ledger::HashedText;
use countersign_store::{BULK_EVENTS_PER_COMMIT, Ingested, Progress, Step, StoreError, Threading};

use super::{Setup, all, begin, for_each_threading, step, with_dead_letter};
use crate::fixture::{Fixture, assert_good};

for_each_threading! {
    positions_have_no_gaps_and_keep_each_callers_order,
    events_from_outside_are_ingested_once,
    the_same_events_from_many_senders_are_accepted_once,
    a_failing_job_leaves_nothing_and_does_not_affect_others,
    only_one_of_many_simultaneous_decisions_is_accepted,
    recorded_times_never_go_back,
    the_head_shows_every_commit,
    a_head_of_types_changes_only_with_its_types,
    a_long_ingest_commits_in_turns,
    an_erased_body_is_gone_and_the_tree_stays_the_same,
    events_that_other_records_are_checked_against_can_not_be_erased,
    a_report_commits_with_its_event_or_not_at_all,
}

async fn positions_have_no_gaps_and_keep_each_callers_order(setup: Setup) -> Setup {
    let store = setup.open();
    let callers: Vec<_> = (0..64)
        .map(|caller| {
            let events: Vec<_> = (0..50).map(|n| setup.fixture.started(&format!("{caller}/{n}"))).collect();
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
        let callers_seqs = caller.await.unwrap();
        assert!(callers_seqs.is_sorted_by(|a, b| a < b), "{callers_seqs:?}");
        seqs.extend(callers_seqs);
    }
    assert!(seqs.into_iter().eq(0..3200));
    assert!(all(&store).await.iter().map(|event| event.seq).eq(0..3200));
    setup
}

async fn events_from_outside_are_ingested_once(setup: Setup) -> Setup {
    let store = setup.open();
    let first = setup.transactions(0, 3);
    let accepted = store.ingest(first.clone()).await.unwrap();
    assert_eq!(accepted, [0, 1, 2].map(|seq| Ingested::Accepted { seq }));
    assert_eq!(store.ingest(first).await.unwrap(), [0, 1, 2].map(|seq| Ingested::Duplicate { seq }));
    let other = setup.fixture.transaction("tx-1", "99.00");
    assert_eq!(store.ingest(vec![other]).await.unwrap(), [Ingested::Conflict { seq: 1 }]);

    let (same, differing) = (setup.fixture.alert("a-1"), setup.fixture.transaction("tx-9", "1.00"));
    let within =
        store.ingest(vec![same.clone(), differing, same, setup.fixture.transaction("tx-9", "2.00")]).await.unwrap();
    let expected = [
        Ingested::Accepted { seq: 3 },
        Ingested::Accepted { seq: 4 },
        Ingested::Duplicate { seq: 3 },
        Ingested::Conflict { seq: 4 },
    ];
    assert_eq!(within, expected);
    assert_eq!(store.size().await.unwrap(), 5);

    let other_type = store.ingest(vec![setup.fixture.started("a")]).await;
    assert!(matches!(other_type, Err(StoreError::Conflict(_))), "{other_type:?}");
    assert_eq!(store.ingest(vec![]).await.unwrap(), []);
    setup
}

async fn the_same_events_from_many_senders_are_accepted_once(setup: Setup) -> Setup {
    let store = setup.open();
    let senders: Vec<_> = (0..32)
        .map(|_| {
            let (store, events) = (store.clone(), setup.transactions(0, 5));
            tokio::spawn(async move { store.ingest(events).await.unwrap() })
        })
        .collect();
    let mut accepted = 0;
    for sender in senders {
        accepted += sender.await.unwrap().iter().filter(|one| matches!(one, Ingested::Accepted { .. })).count();
    }
    assert_eq!((accepted, store.size().await.unwrap()), (5, 5));
    setup
}

async fn a_failing_job_leaves_nothing_and_does_not_affect_others(setup: Setup) -> Setup {
    let store = setup.open();
    let bad =
        || vec![setup.fixture.investigation("a-1"), setup.fixture.started("x"), setup.fixture.investigation("a-1")];
    let jobs: Vec<_> = (0..20)
        .map(|n| {
            let events = if n % 2 == 0 { vec![setup.fixture.started(&n.to_string())] } else { bad() };
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
    // The id that the failing jobs used is still free.
    assert_eq!(store.append(vec![setup.fixture.investigation("a-1")]).await.unwrap(), 10);
    let again = store.append(vec![setup.fixture.investigation("a-1")]).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let event = setup.fixture.started("x");
    store.append(vec![event.clone()]).await.unwrap();
    let same_id = store.append(vec![event]).await;
    assert!(matches!(same_id, Err(StoreError::Conflict(_))), "{same_id:?}");
    setup
}

async fn only_one_of_many_simultaneous_decisions_is_accepted(setup: Setup) -> Setup {
    let store = setup.open();
    let (event, report) = setup.fixture.report("a-1", 1);
    let id = report.report_id.clone();
    store.ingest(vec![setup.fixture.alert("a-1")]).await.unwrap();
    store.step(Step { reports: vec![report], ..step(Progress::Lane { seq: 0, low: 0 }, vec![event]) }).await.unwrap();
    store.append(vec![setup.fixture.doubted("a-1", &id, false)]).await.unwrap();
    let people: Vec<_> = (0..16)
        .map(|n| {
            let decision = setup.fixture.decided("a-1", &id, if n % 2 == 0 { "approve" } else { "send_back" });
            let store = store.clone();
            tokio::spawn(async move { store.append(vec![decision]).await })
        })
        .collect();
    let mut accepted = 0;
    for person in people {
        match person.await.unwrap() {
            Ok(_) => accepted += 1,
            Err(error) => assert!(matches!(error, StoreError::Conflict(_)), "{error:?}"),
        }
    }
    assert_eq!((accepted, store.size().await.unwrap()), (1, 4));
    setup
}

async fn recorded_times_never_go_back(setup: Setup) -> Setup {
    let store = setup.open();
    let first = setup.fixture.seams.now();
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    setup.fixture.clock.move_by_seconds(-3600);
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    drop(store);
    let store = setup.open();
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    setup.fixture.clock.move_by_seconds(7200);
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    let recorded: Vec<_> = all(&store).await.iter().map(|event| event.recorded_at).collect();
    assert_eq!(recorded, [first, first, first, setup.fixture.seams.now()]);
    setup
}

async fn the_head_shows_every_commit(setup: Setup) -> Setup {
    let store = setup.open();
    let mut head = store.head();
    head.mark_unchanged();
    for size in 1..4 {
        let seq = store.append(vec![setup.fixture.started("x")]).await.unwrap();
        assert!(head.has_changed().unwrap());
        assert_eq!((*head.borrow_and_update(), seq + 1), (size, size));
    }
    store.mark_low("stand-in", 1).await.unwrap();
    assert!(store.append(vec![setup.fixture.key("aaaaaaaaaaaa", KeyChange::Revoked)]).await.is_err());
    assert!(!head.has_changed().unwrap(), "nothing was added");
    setup
}

async fn a_long_ingest_commits_in_turns(setup: Setup) -> Setup {
    let store = setup.open();
    let turn = BULK_EVENTS_PER_COMMIT as u64;
    let good = setup.transactions(0, 3 * BULK_EVENTS_PER_COMMIT);
    let mut bad = good.clone();
    bad[BULK_EVENTS_PER_COMMIT + 7] = setup.fixture.started("x");
    let failed = store.ingest(bad).await;
    assert!(matches!(failed, Err(StoreError::Conflict(_))), "{failed:?}");
    assert_eq!(store.size().await.unwrap(), turn, "the turn before the one that failed stays");
    // Ids from one turn are known in the next, and the outcomes are in the order of the events.
    let again = [good, setup.transactions(0, 1)].concat();
    let outcomes = (0..turn).map(|seq| Ingested::Duplicate { seq });
    let outcomes = outcomes.chain((turn..3 * turn).map(|seq| Ingested::Accepted { seq }));
    assert!(store.ingest(again).await.unwrap().into_iter().eq(outcomes.chain([Ingested::Duplicate { seq: 0 }])));
    setup
}

async fn a_head_of_types_changes_only_with_its_types(setup: Setup) -> Setup {
    let store = setup.open();
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    let types = [EventType::FraudAlertCreated, EventType::TransactionReceived];
    let (mut typed, mut any) = (store.head_of(&types), store.head_of(&[]));
    assert_eq!((*typed.borrow_and_update(), *any.borrow_and_update()), (1, 1), "they begin with the present size");
    store.append(vec![setup.fixture.started("x")]).await.unwrap();
    store.mark_low("stand-in", 1).await.unwrap();
    assert!(!typed.has_changed().unwrap());
    assert_eq!((any.has_changed().unwrap(), *any.borrow_and_update()), (true, 2));
    for (size, event) in [(3, setup.fixture.alert("a-1")), (4, setup.fixture.transaction("tx-1", "1.00"))] {
        store.ingest(vec![event]).await.unwrap();
        assert_eq!((typed.has_changed().unwrap(), *typed.borrow_and_update()), (true, size));
        assert_eq!((any.has_changed().unwrap(), *any.borrow_and_update()), (true, size));
    }
    setup
}

async fn an_erased_body_is_gone_and_the_tree_stays_the_same(setup: Setup) -> Setup {
    let store = setup.open();
    let transactions = setup.transactions(0, 4);
    store.ingest(transactions.clone()).await.unwrap();
    store.append(vec![setup.fixture.alert("a-1"), setup.fixture.investigation("a-1")]).await.unwrap();
    let root = store.root_at(6).await.unwrap();
    store.erase(vec![1, 4, 5], "asked for", "ana").await.unwrap();
    store.erase(vec![1, 2], "asked for again", "ana").await.unwrap();

    let bodies: Vec<_> = all(&store).await.iter().map(|event| event.payload.is_some()).collect();
    assert_eq!(bodies, [true, false, false, true, false, false, true, true]);
    let named = all(&store).await.get(6).unwrap().payload.as_ref().unwrap().get().to_owned();
    assert!(named.contains("[1,4,5]") && named.contains("asked for"), "{named}");
    assert_eq!(store.root_at(6).await.unwrap(), root);
    let again = store.ingest(vec![transactions[1].clone(), setup.fixture.transaction("tx-2", "77.00")]).await.unwrap();
    assert_eq!(again, [Ingested::Duplicate { seq: 1 }, Ingested::Duplicate { seq: 2 }]);
    store.close().await.unwrap();
    assert_eq!(setup.fixture.verify().erased, 4);
    setup
}

async fn events_that_other_records_are_checked_against_can_not_be_erased(setup: Setup) -> Setup {
    let (store, _) = with_dead_letter(&setup).await;
    store.append(vec![setup.fixture.key("aaaaaaaaaaaa", KeyChange::Created)]).await.unwrap();
    store.erase(vec![0], "asked for", "ana").await.unwrap();
    let size = store.size().await.unwrap();
    // A dead letter, a key, an erasure, the event of this erasure itself, one that does not exist, and a valid one with an
    // invalid one.
    for seqs in [vec![1], vec![2], vec![3], vec![size], vec![1_000], vec![0, 1_000]] {
        let refused = store.erase(seqs.clone(), "why", "ana").await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{seqs:?}: {refused:?}");
        assert_eq!(store.size().await.unwrap(), size);
    }
    setup
}

async fn a_report_commits_with_its_event_or_not_at_all(setup: Setup) -> Setup {
    let store = setup.open();
    let tried: Vec<_> = (0..20)
        .map(|n| {
            let (event, mut report) = setup.fixture.report(&format!("a-{n}"), 1);
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
    setup
}

/// Runs on the threaded store only: inline, nothing else happens while a call runs.
#[tokio::test]
async fn prompt_work_overtakes_bulk_work_between_its_turns() {
    let setup = Setup { fixture: Fixture::new(), threading: Threading::Threaded };
    let store = setup.open();
    // On one thread, so the prompt write is submitted when at most the first turn was.
    let bulk = store.ingest(setup.transactions(0, 10_000));
    let (ingested, prompt) = tokio::join!(bulk, store.append(vec![setup.fixture.started("prompt")]));
    let (ingested, prompt) = (ingested.unwrap(), prompt.unwrap());
    let turn = BULK_EVENTS_PER_COMMIT as u64;
    assert!([0, turn].contains(&prompt), "the prompt event stands at {prompt}");
    // The turns are complete and in order around it.
    let around = (0..10_001).filter(|seq| *seq != prompt).map(|seq| Ingested::Accepted { seq });
    assert!(ingested.into_iter().eq(around));
    store.close().await.unwrap();
    assert_good(&setup.fixture.verify());
}

/// Runs on the threaded store only: inline, a call never waits.
#[tokio::test]
async fn an_ingest_that_nobody_waits_for_begins_no_further_turn() {
    let setup = Setup { fixture: Fixture::new(), threading: Threading::Threaded };
    let store = setup.open();
    begin(store.ingest(setup.transactions(0, 40 * BULK_EVENTS_PER_COMMIT))).await;
    store.close().await.unwrap();
    let size = store.size().await.unwrap() as usize;
    assert!(size.is_multiple_of(BULK_EVENTS_PER_COMMIT) && size < 40 * BULK_EVENTS_PER_COMMIT, "{size}");
    assert_good(&setup.fixture.verify());
}
