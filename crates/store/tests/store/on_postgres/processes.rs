//! Several processes with stores on one database. Each has a data directory of its own, with a copy of the log's key.

use std::{collections::BTreeSet, fs, time::Duration};

use countersign_domain::NewEvent;
use countersign_store::{
    DataDir, EventQuery, Ingested, Progress, Step, StepOutcome, Store, StoreError, StoreLocation, Threading,
};

use super::execute;
use crate::fixture::{Fixture, assert_good};

/// Opens stores on the database of the fixture's own store.
pub(super) fn open_several(fixture: &Fixture, count: usize) -> Vec<Store> {
    let mut stores = vec![fixture.open(Threading::Threaded)];
    for n in 1..count {
        let dir = DataDir::new(fixture.folder.path().join(format!("process-{n}")));
        dir.create().unwrap();
        let first = fixture.dir();
        for (from, to) in
            [(first.key(), dir.key()), (first.public_key(), dir.public_key()), (first.checkpoint(), dir.checkpoint())]
        {
            fs::copy(from, to).unwrap();
        }
        let address = countersign_test_store::address(first.path());
        let location = StoreLocation::on_postgres(dir, &address).unwrap();
        stores.push(Store::open(&location, Threading::Threaded, fixture.seams.clone()).unwrap());
    }
    stores
}

pub(super) async fn close_all(stores: Vec<Store>) {
    for store in &stores {
        store.sign_checkpoint().await.unwrap();
    }
    for store in stores {
        store.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_have_no_gaps_and_keep_each_callers_order_over_three_processes() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 3);
    let writers: Vec<_> = (0..24)
        .map(|writer| {
            let store = stores[writer % 3].clone();
            let events: Vec<NewEvent> = (0..25).map(|n| fixture.started(&format!("{writer}/{n}"))).collect();
            tokio::spawn(async move {
                let mut seqs = Vec::new();
                for event in events {
                    seqs.push(store.append(vec![event]).await.unwrap());
                }
                seqs
            })
        })
        .collect();
    let mut all = BTreeSet::new();
    for writer in writers {
        let seqs = writer.await.unwrap();
        assert!(seqs.is_sorted(), "{seqs:?}");
        all.extend(seqs);
    }
    assert!(all.iter().copied().eq(0..600));
    close_all(stores).await;
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!(report.events, 600);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_all_processes_ingest_is_accepted_once() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 3);
    let events: Vec<NewEvent> =
        (0..40).map(|n| fixture.transaction(&format!("tx-{n}"), "12.50")).chain([fixture.alert("a-1")]).collect();
    let calls: Vec<_> = stores
        .iter()
        .map(|store| {
            let (store, events) = (store.clone(), events.clone());
            tokio::spawn(async move { store.ingest(events).await.unwrap() })
        })
        .collect();
    let mut accepted = BTreeSet::new();
    for call in calls {
        for outcome in call.await.unwrap() {
            match outcome {
                Ingested::Accepted { seq } => assert!(accepted.insert(seq), "{seq} was accepted twice"),
                Ingested::Duplicate { .. } => {}
                Ingested::Conflict { seq } => panic!("{seq} conflicts"),
            }
        }
    }
    assert_eq!(accepted.len(), 41);
    close_all(stores).await;
    assert_good(&fixture.verify());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_several_processes_submit_takes_effect_once() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 3);
    stores[0].append((0..20).map(|n| fixture.started(&n.to_string())).collect()).await.unwrap();
    let mut calls = Vec::new();
    for seq in 0..20 {
        for store in &stores {
            let (store, event) = (store.clone(), fixture.started(&format!("effect of {seq}")));
            let step = Step::new("stand-in", Progress::Lane { seq, low: 0 }, vec![event]);
            calls.push(tokio::spawn(async move { (seq, store.step(step).await.unwrap()) }));
        }
    }
    let mut committed = Vec::new();
    for call in calls {
        let (seq, outcome) = call.await.unwrap();
        committed.extend((outcome == StepOutcome::Committed).then_some(seq));
    }
    committed.sort_unstable();
    assert!(committed.into_iter().eq(0..20));
    assert_eq!(stores[1].size().await.unwrap(), 40);
    close_all(stores).await;
    assert_good(&fixture.verify());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_hears_of_what_another_one_appends() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 2);
    let mut head = stores[1].head();
    stores[0].append(vec![fixture.started("x")]).await.unwrap();
    let heard = tokio::time::timeout(Duration::from_secs(20), head.wait_for(|size| *size == 1)).await;
    assert_eq!(heard.unwrap().map(|size| *size).unwrap(), 1);
    let query = EventQuery { limit: 10, ..Default::default() };
    assert_eq!(stores[1].events(query).await.unwrap().len(), 1);
    close_all(stores).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_with_another_logs_key_is_refused() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.append(vec![fixture.started("x")]).await.unwrap();
    let dir = DataDir::new(fixture.folder.path().join("stranger"));
    let address = countersign_test_store::address(fixture.dir().path());
    let location = StoreLocation::on_postgres(dir, &address).unwrap();
    let refused = Store::open(&location, Threading::Threaded, fixture.seams.clone());
    assert!(refused.is_err());
    store.append(vec![fixture.started("y")]).await.unwrap();
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_process_at_a_time_is_the_server() {
    let fixture = Fixture::new();
    let mut stores = open_several(&fixture, 2);
    let (second, first) = (stores.pop().unwrap(), stores.pop().unwrap());
    let lost = first.serve_alone().await.unwrap();
    first.append(vec![fixture.started("a")]).await.unwrap();
    assert!(matches!(second.serve_alone().await, Err(StoreError::ServedElsewhere)));
    assert!(!*lost.borrow());
    // The next process need not wait if the first one stops in order.
    first.close().await.unwrap();
    second.serve_alone().await.unwrap();
    second.append(vec![fixture.started("b")]).await.unwrap();
    second.sign_checkpoint().await.unwrap();
    second.close().await.unwrap();
    drop((first, second));
    let report = fixture.verify();
    assert_eq!(report.events, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_place_another_one_has_taken_can_change_nothing() {
    let fixture = Fixture::new();
    let mut stores = open_several(&fixture, 2);
    let (second, first) = (stores.pop().unwrap(), stores.pop().unwrap());
    let mut lost = first.serve_alone().await.unwrap();
    first.append(vec![fixture.started("a")]).await.unwrap();
    // As if the first process had stood still for longer than a lease lasts.
    execute(
        &fixture.dir(),
        "UPDATE countersign.leases SET holder = 'nobody', renewed_at = '-infinity', token = token + 1",
    );
    second.serve_alone().await.unwrap();
    let refused = first.append(vec![fixture.started("late")]).await;
    assert!(matches!(refused, Err(StoreError::ServedElsewhere)), "{refused:?}");
    let told = tokio::time::timeout(Duration::from_secs(20), lost.wait_for(|lost| *lost)).await;
    assert!(*told.unwrap().unwrap());
    assert_eq!(second.append(vec![fixture.started("b")]).await.unwrap(), 1);
    second.close().await.unwrap();
    assert_eq!(first.size().await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_gets_its_place_back_at_once() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.serve_alone().await.unwrap();
    // Dropped without being closed.
    drop(store);
    let store = fixture.open(Threading::Threaded);
    store.serve_alone().await.unwrap();
    store.append(vec![fixture.started("a")]).await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_whose_work_was_refused_does_not_block_the_others() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 2);
    let event = fixture.transaction("tx-1", "1.00");
    stores[0].append(vec![event.clone()]).await.unwrap();
    assert!(matches!(stores[0].append(vec![event]).await, Err(StoreError::Conflict(_))));
    stores[1].append(vec![fixture.started("b")]).await.unwrap();
    assert_eq!(stores[0].size().await.unwrap(), 2);
    close_all(stores).await;
    assert_good(&fixture.verify());
}
