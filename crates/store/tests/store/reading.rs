//! Several questions in one go.

use std::sync::{
    Arc, Barrier,
    atomic::{AtomicUsize, Ordering},
    mpsc,
};

use countersign_store::{Mode, Reading, Store, StoreError};

use crate::fixture::Fixture;

fn alerts(store: &Reading<'_>) -> Result<u64, StoreError> {
    Ok(store.prior_alerts(&"u".parse().unwrap(), u64::MAX, 1)?.count())
}

async fn raise(fixture: &Fixture, store: &Store, id: &str) {
    store.append(vec![fixture.alert_of("u", id, "high", 70)]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_committed_between_two_questions_is_seen_by_neither() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    raise(&fixture, &store, "a-1").await;
    let (asked, was_asked) = tokio::sync::oneshot::channel();
    let (committed, was_committed) = mpsc::channel();
    let theirs = store.clone();
    let reading = tokio::spawn(async move {
        let ask = move |store: &Reading<'_>| {
            let first = alerts(store)?;
            asked.send(()).unwrap();
            was_committed.recv().unwrap();
            Ok((first, alerts(store)?))
        };
        theirs.reading(ask).await
    });
    was_asked.await.unwrap();
    raise(&fixture, &store, "a-2").await;
    committed.send(()).unwrap();
    assert_eq!(reading.await.unwrap().unwrap(), (1, 1));
    assert_eq!(store.reading(alerts).await.unwrap(), 2);
}

#[tokio::test]
async fn a_reading_that_fails_leaves_the_next_one_alone() {
    let fixture = Fixture::new();
    for mode in [Mode::Inline, Mode::Threaded] {
        let store = fixture.open(mode);
        raise(&fixture, &store, &format!("{mode:?}")).await;
        let seen = store.reading(alerts).await.unwrap();
        let failed = store.reading(|store| alerts(store).and(Err::<(), _>(StoreError::NotFound))).await;
        assert!(matches!(failed, Err(StoreError::NotFound)));
        raise(&fixture, &store, &format!("{mode:?} again")).await;
        assert_eq!(store.reading(alerts).await.unwrap(), seen + 1);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn only_threads_that_serve_nobody_else_read_by_themselves() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let (here, thread) = (std::thread::current().id(), |_: &Reading<'_>| Ok(std::thread::current().id()));
    assert_eq!(store.reading_here().reading(thread).await.unwrap(), here);
    assert_ne!(store.reading(thread).await.unwrap(), here);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_than_sixteen_readings_go_on_at_one_time() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
    let (within, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    // Each waits for fifteen others, so sixteen must be possible too.
    let together = Arc::new(Barrier::new(16));
    let readings = (0..48).map(|_| {
        let (store, within, most, together) = (store.clone(), within.clone(), most.clone(), together.clone());
        tokio::spawn(async move {
            let ask = move |_: &Reading<'_>| {
                most.fetch_max(within.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                together.wait();
                within.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            };
            store.reading(ask).await
        })
    });
    for reading in readings.collect::<Vec<_>>() {
        reading.await.unwrap().unwrap();
    }
    assert_eq!(most.load(Ordering::SeqCst), 16);
}
