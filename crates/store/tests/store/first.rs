use countersign_store::{EventQuery, Mode, Taken, verify};

use crate::fixture::Fixture;

#[tokio::test]
async fn what_is_taken_is_there_once_and_verifies() {
    for mode in [Mode::Threaded, Mode::Inline] {
        let fixture = Fixture::new();
        let store = fixture.open(mode);
        let events: Vec<_> = (0..1000).map(|n| fixture.transaction(&format!("tx-{n}"), "user-1", "12.50")).collect();
        let taken = store.take(events.clone()).await.unwrap();
        assert!(taken.iter().enumerate().all(|(n, taken)| *taken == Taken::Accepted { seq: n as u64 }));
        let again = store.take(events).await.unwrap();
        assert!(again.iter().enumerate().all(|(n, taken)| *taken == Taken::Duplicate { seq: n as u64 }));
        let other = store.take(vec![fixture.transaction("tx-3", "user-1", "99.00")]).await.unwrap();
        assert_eq!(other, [Taken::Conflict { seq: 3 }]);
        let read = store.events(EventQuery { limit: 2000, ..Default::default() }).await.unwrap();
        assert_eq!(read.len(), 1000);
        store.close().await.unwrap();
        drop(store);
        let report = verify(&fixture.dir(), None, &mut |_, _| {}).unwrap();
        assert!(report.is_good(), "{:?}", report.findings);
        assert_eq!((report.events, report.signed_events), (1000, 1000));
        let store = fixture.open(mode);
        assert!(store.had_clean_stop());
        assert_eq!(store.size(), 1000);
    }
}
