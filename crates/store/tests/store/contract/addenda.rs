//! Addenda: what people added to a report, found for it and for the versions that replaced it.

use countersign_domain::{
    Event, ReportId,
    payload::{ReportAddendumAdded, ReportType},
};
use countersign_store::{Store, Threading};

use crate::fixture::{Fixture, assert_good, store_reports};

async fn report(fixture: &Fixture, store: &Store, report_type: ReportType, version: u32) -> ReportId {
    let report = fixture.report_of("a-1", report_type, "HIGH", version);
    let id = report.1.report_id.clone();
    store_reports(store, vec![report]).await;
    id
}

async fn add(fixture: &Fixture, store: &Store, report: &ReportId) -> (u64, ReportAddendumAdded) {
    let event = fixture.addendum("a-1", report);
    let Event::ReportAddendumAdded(addendum) = event.event.clone() else { panic!("{event:?}") };
    (store.append(vec![event]).await.unwrap(), addendum)
}

async fn positions(store: &Store, report: &ReportId) -> Vec<u64> {
    store.addenda(report).await.unwrap().into_iter().map(|(seq, _)| seq).collect()
}

#[tokio::test]
async fn addenda_are_found_for_their_version_and_for_later_ones_oldest_first() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let one = report(&fixture, &store, ReportType::Compliance, 1).await;
    let two = report(&fixture, &store, ReportType::Compliance, 2).await;
    let other = report(&fixture, &store, ReportType::Internal, 1).await;
    let [second, first, third] =
        [add(&fixture, &store, &two).await, add(&fixture, &store, &one).await, add(&fixture, &store, &two).await];
    assert_eq!(positions(&store, &one).await, [first.0]);
    assert_eq!(store.addenda(&two).await.unwrap(), [second.clone(), first.clone(), third.clone()]);
    assert!(store.addenda(&other).await.unwrap().is_empty());
    assert!(store.addenda(&"x".parse().unwrap()).await.unwrap().is_empty());
    store.erase(vec![first.0], "asked for", "ana").await.unwrap();
    assert!(store.addenda(&one).await.unwrap().is_empty());
    assert_eq!(store.addenda(&two).await.unwrap(), [second, third]);
    store.close().await.unwrap();
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn addenda_follow_a_report_that_was_replaced_by_one_of_another_type() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let one = report(&fixture, &store, ReportType::Compliance, 1).await;
    let two = report(&fixture, &store, ReportType::Compliance, 2).await;
    let later = report(&fixture, &store, ReportType::Compliance, 3).await;
    let (event, content) = fixture.report_of("a-1", ReportType::Full, "HIGH", 1);
    let Event::ReportGenerated(mut generated) = event.event else { panic!() };
    generated.regeneration_of = Some(two.clone());
    let full = content.report_id.clone();
    store_reports(&store, vec![(fixture.event(generated), content)]).await;
    let (first, _) = add(&fixture, &store, &one).await;
    add(&fixture, &store, &later).await;
    assert_eq!(positions(&store, &full).await, [first]);
    // An erased version doesn't say what it replaced, but its number does.
    let erased = store.report(&two).await.unwrap().unwrap().seq;
    store.erase(vec![erased], "asked for", "ana").await.unwrap();
    assert_eq!(positions(&store, &full).await, [first]);
}
