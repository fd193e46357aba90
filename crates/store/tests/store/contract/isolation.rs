//! Isolation: a read sees whole commits, and every commit whose call had returned before the read began. A method that promises
//! one snapshot answers as of one moment.
//!
//! These tests read while other tasks write, so a store that breaks a promise fails most runs, but not every one.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use countersign_domain::Score;
use countersign_store::{EventQuery, FoundLog, LIST_MAX, Progress, RelatedAlertsLimits, Step, Store, Threading};

use crate::fixture::{Fixture, assert_good, log_id, store_reports};

const LIMITS: RelatedAlertsLimits = RelatedAlertsLimits { newest_max: LIST_MAX, similar_within_points: 0 };

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_read_sees_whole_commits_and_all_whose_calls_had_returned() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let returned = Arc::new(AtomicU64::new(0));
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let work: Vec<_> = (0..40).map(|_| ["x", "y", "z"].map(|agent| fixture.started(agent)).to_vec()).collect();
            let (store, returned) = (store.clone(), Arc::clone(&returned));
            tokio::spawn(async move {
                for events in work {
                    let last = events[2].event_id;
                    let end = store.append(events).await.unwrap() + 3;
                    returned.fetch_max(end, Ordering::SeqCst);
                    assert!(store.known_size() >= end && store.size().await.unwrap() >= end);
                    assert_eq!(store.event(last).await.unwrap().seq, end - 1);
                }
            })
        })
        .collect();
    let (mut seen, mut is_last) = (0, false);
    while !is_last {
        is_last = writers.iter().all(tokio::task::JoinHandle::is_finished);
        let least = returned.load(Ordering::SeqCst);
        let announced = *store.head().borrow();
        let events = store.events(EventQuery { limit: LIST_MAX, ..Default::default() }).await.unwrap();
        seen = events.len() as u64;
        assert!(events.iter().map(|event| event.seq).eq(0..seen), "no event is missing before one that is there");
        // Each commit has three events.
        let is_right = seen.is_multiple_of(3) && seen >= least && seen >= announced;
        assert!(is_right, "{seen} events; {least} had returned, {announced} were announced");
        assert!(events.is_sorted_by_key(|event| event.recorded_at));
        assert!(store.size().await.unwrap() >= announced);
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(seen, 4 * 40 * 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn counts_and_lists_that_are_read_together_agree() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let work: Vec<_> = (0..400)
        .map(|n| vec![fixture.transaction(&format!("tx-{n}"), "1.00"), fixture.alert(&format!("a-{n}"))])
        .collect();
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for (n, events) in (0..).zip(work) {
                store.append(events).await.unwrap();
                let step = Step::new("detector", Progress::Batch { from: 2 * n, to: 2 * n + 2 }, Vec::new());
                store.step(Step { indexes_history: true, ..step }).await.unwrap();
            }
        }
    });
    let (user, similar_to) = ("user-1".parse().unwrap(), ("high".parse().unwrap(), Score::new(70).unwrap()));
    while !writing.is_finished() {
        let related = store.related_alerts(&user, similar_to, u64::MAX, LIMITS).await.unwrap();
        // All alerts are one user's and alike in severity and score, so every one is both earlier and similar.
        let counts = (related.prior.count(), related.prior.newest.len() as u64);
        assert_eq!(counts, (related.similar, related.similar));
        let record = store.customer_record(&user, None, u64::MAX, LIST_MAX).await.unwrap();
        assert_eq!(record.summary.count, record.history.len() as u64);
    }
    writing.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_known_answer_is_found_while_its_audit_is_stored() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    for n in 0..200 {
        let name = format!("a{n}");
        store.append(vec![fixture.answer_requested(&name), fixture.answer_recorded(&name)]).await.unwrap();
        let id = log_id(&name);
        let reading = tokio::spawn({
            let store = store.clone();
            async move { while !matches!(store.log(id).await.unwrap().expect("it was recorded"), FoundLog::Audited(_)) {} }
        });
        let log = fixture.log(&name, 1, fixture.seams.now(), "query", "response");
        store.append(vec![log]).await.unwrap();
        reading.await.unwrap();
    }
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_report_file_is_whole_or_not_there_while_it_is_erased() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let mut reports = Vec::new();
    for n in 0..60 {
        let alert = format!("a-{n}");
        let (seq, report) = (store.append(vec![fixture.alert(&alert)]).await.unwrap(), fixture.report(&alert, 1));
        reports.push((seq, report.1.report_id.clone()));
        store_reports(&store, vec![report]).await;
    }
    for (seq, id) in &reports {
        // The alert and its report are erased in one commit.
        let reading = tokio::spawn(read_until_it_is_gone(store.clone(), id.clone()));
        store.erase(vec![*seq, seq + 1], "asked for", "ana").await.unwrap();
        reading.await.unwrap();
    }
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

async fn read_until_it_is_gone(store: Store, id: countersign_domain::ReportId) {
    while let Some(file) = store.report_file(&id, LIMITS).await.unwrap() {
        assert_eq!(file.content.hash().to_hex(), file.content_hash);
    }
}
