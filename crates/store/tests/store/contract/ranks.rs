//! The number of similar alerts: exact as of every position, and the same whenever it is asked for.

use countersign_domain::{Score, Severity};
use countersign_store::{LIST_MAX, RelatedAlertsLimits, Store, Threading, backup, restore};

use crate::fixture::{Fixture, assert_good};

async fn similar(store: &Store, severity: Severity, score: u8, within: u8, before: u64) -> u64 {
    let similar_to = (severity, Score::new(score).unwrap());
    let limits = RelatedAlertsLimits { newest_max: 1, similar_within_points: within };
    store.related_alerts(&"u".parse().unwrap(), similar_to, before, limits).await.unwrap().similar
}

async fn alert(fixture: &Fixture, store: &Store, severity: &str, score: u8) -> u64 {
    let id = format!("a-{}", store.size().await.unwrap());
    store.append(vec![fixture.alert_of("u", &id, severity, score)]).await.unwrap()
}

async fn close(store: Store) {
    store.close().await.unwrap();
}

/// Alerts of all severities, with scores at both ends and in the middle. The scores don't have to fit the severities here.
async fn mixed(fixture: &Fixture, store: &Store) -> Vec<(u64, Severity, u8)> {
    let mut alerts = Vec::new();
    for n in 0..120_usize {
        let severity = Severity::ALL[n * 7 % 11 % 4];
        let score = [0, 1, 10, 11, 65, 70, 75, 89, 90, 99, 100][n * 5 % 11];
        alerts.push((alert(fixture, store, severity.as_str(), score).await, severity, score));
        if n % 3 == 0 {
            store.append(vec![fixture.started("x")]).await.unwrap();
        }
    }
    alerts
}

/// Compares the counts for all severities and some scores and distances, at every eighth position.
async fn check_all(store: &Store, alerts: &[(u64, Severity, u8)]) {
    for before in (0..=store.size().await.unwrap()).step_by(8).chain([u64::MAX]) {
        for (severity, score) in Severity::ALL.into_iter().flat_map(|s| [0, 1, 70, 99, 100].map(|score| (s, score))) {
            for within in [0, 1, 10, 255] {
                let is_similar = |(seq, of, at): &&(u64, Severity, u8)| {
                    *seq < before && *of == severity && at.abs_diff(score) <= within
                };
                let expected = alerts.iter().filter(is_similar).count() as u64;
                let found = similar(store, severity, score, within, before).await;
                assert_eq!(found, expected, "{severity} {score} within {within} before {before}");
            }
        }
    }
}

#[tokio::test]
async fn similar_alerts_are_counted_by_severity_and_distance_as_of_a_position() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    check_all(&store, &[]).await;
    let alerts = mixed(&fixture, &store).await;
    check_all(&store, &alerts).await;
    close(store).await;
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn counting_similar_alerts_has_no_upper_limit() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let many = |from: u32| (from..from + 10_100).map(|n| fixture.alert_of("u", &format!("m-{n}"), "high", 70));
    store.ingest(many(0).collect()).await.unwrap();
    store.append(many(20_000).collect()).await.unwrap();
    assert_eq!(similar(&store, Severity::High, 65, 5, u64::MAX).await, 20_200);
    assert_eq!(similar(&store, Severity::High, 70, 0, 15_000).await, 15_000);
    let limits = RelatedAlertsLimits { newest_max: usize::MAX, similar_within_points: 0 };
    let similar_to = (Severity::High, Score::new(70).unwrap());
    let prior = store.related_alerts(&"u".parse().unwrap(), similar_to, u64::MAX, limits).await.unwrap().prior;
    assert_eq!((prior.by_severity, prior.newest.len()), ([0, 0, 20_200, 0], LIST_MAX));
}

#[tokio::test]
async fn alerts_that_were_not_committed_are_not_counted() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    alert(&fixture, &store, "high", 70).await;
    let again = ["b-1", "b-2", "a-0"].map(|id| fixture.alert_of("u", id, "high", 70));
    store.append(again.to_vec()).await.unwrap_err();
    let taken = ["c-1", "a-0", "c-1"].map(|id| fixture.alert_of("u", id, "high", 70));
    store.ingest(taken.to_vec()).await.unwrap();
    assert_eq!(similar(&store, Severity::High, 70, 0, u64::MAX).await, 2);
    close(store).await;
    assert_good(&fixture.verify());
}

// Erasing and restoring.

#[tokio::test]
async fn the_count_stays_the_same_after_an_erasure_and_after_a_restore() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let mut alerts = mixed(&fixture, &store).await;
    let seqs: Vec<_> = alerts.iter().map(|(seq, ..)| *seq).collect();
    // The first, some in the middle, the last; one of them twice.
    for erased in [vec![seqs[0], seqs[40], seqs[41]], vec![seqs[40], seqs[119]], vec![seqs[60]]] {
        store.erase(erased, "asked for", "ana").await.unwrap();
    }
    check_all(&store, &alerts).await;
    let key = store.verifying_key();
    close(store).await;
    assert_good(&fixture.verify());

    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut |_, _| {}).unwrap();
    let store = fixture.open(Threading::Inline);
    alert(&fixture, &store, "high", 70).await;
    store.erase(vec![seqs[61]], "asked for", "ana").await.unwrap();
    close(store).await;
    restore(&fixture.location(), &copy, Some(&key), &fixture.seams).unwrap();
    let store = fixture.open(Threading::Inline);
    alerts.push((alert(&fixture, &store, "high", 70).await, Severity::High, 70));
    check_all(&store, &alerts).await;
    close(store).await;
    assert_good(&fixture.verify());
}
