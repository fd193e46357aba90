//! Alert records, from which reports are written (an alert and what came before it), and report files, by which they are judged
//! (a stored report and its alert).

use countersign_domain::{ReportId, payload::ReportType};
use countersign_ledger::{HashedText, sha256};
use countersign_store::{AlertRecord, EventQuery, RelatedAlerts, RelatedAlertsLimits, Store, StoreError, Threading};

use super::history::index;
use crate::fixture::{Fixture, assert_good, store_reports};

const LIMITS: RelatedAlertsLimits = RelatedAlertsLimits { newest_max: 10, similar_within_points: 10 };

/// Three transactions of user-1 and four alerts, the last of which, at position 6, is about the second transaction, `tx-1`.
async fn filled(fixture: &Fixture) -> Store {
    let store = fixture.open(Threading::Inline);
    store.append(["tx-0", "tx-1", "tx-2"].map(|id| fixture.transaction(id, "1.00")).to_vec()).await.unwrap();
    index(&store, 0, 3).await;
    let alerts = [
        fixture.alert_of("user-1", "a-0", "high", 75),
        fixture.alert_of("user-2", "b-0", "high", 60),
        fixture.alert_of("user-1", "c-0", "low", 70),
        fixture.alert("a-1"),
    ];
    store.append(alerts.to_vec()).await.unwrap();
    store
}

async fn record(store: &Store, limits: RelatedAlertsLimits) -> Result<AlertRecord, StoreError> {
    record_at(store, 6, limits).await
}

async fn record_at(store: &Store, seq: u64, limits: RelatedAlertsLimits) -> Result<AlertRecord, StoreError> {
    let alert = store.events(EventQuery { from_seq: seq, limit: 1, ..Default::default() }).await.unwrap().remove(0);
    store.alert_record(&alert, ReportType::Compliance, 10, limits).await
}

fn ids(related: &RelatedAlerts) -> Vec<&str> {
    related.prior.newest.iter().map(|alert| alert.alert_id.as_str()).collect()
}

/// Appends events that would change the record if it weren't as of the alert's position.
async fn add_later_events(fixture: &Fixture, store: &Store) {
    let size = store.size().await.unwrap();
    let later =
        vec![fixture.transaction("tx-3", "1.00"), fixture.alert("a-2"), fixture.alert_of("user-1", "c-1", "low", 70)];
    store.append(later).await.unwrap();
    index(store, 3, size + 1).await;
}

#[tokio::test]
async fn an_alerts_record_is_as_of_its_position_whenever_it_is_read() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    for round in ["at once", "later"] {
        if round == "later" {
            add_later_events(&fixture, &store).await;
        }
        let AlertRecord { alert, customer, related, current_report } = record(&store, LIMITS).await.unwrap();
        assert_eq!((alert.alert_id.as_str(), current_report), ("a-1", None), "{round}");
        let named = customer.transaction.unwrap();
        assert!(named.seq == 1 && named.payload.unwrap().get().contains("\"tx-1\""), "{round}");
        assert!(
            customer.history.iter().map(|event| event.seq).eq([0]),
            "{round}: before the transaction that is named"
        );
        assert_eq!(customer.summary.count, 1, "{round}");
        assert_eq!((ids(&related), related.prior.by_severity), (vec!["c-0", "a-0"], [1, 0, 1, 0]), "{round}");
        assert_eq!(related.similar, 2, "{round}: of any user, with this severity and a score from 60 to 80");
    }
    let narrow = RelatedAlertsLimits { newest_max: 1, similar_within_points: 5 };
    let related = record(&store, narrow).await.unwrap().related;
    assert_eq!((ids(&related), related.prior.count(), related.similar), (vec!["c-0"], 2, 1));
    store.close().await.unwrap();
}

#[tokio::test]
async fn an_alerts_record_has_the_newest_report_of_the_type_even_if_it_was_erased() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    let full = fixture.report_of("a-1", ReportType::Full, "HIGH", 1);
    store_reports(&store, vec![fixture.report("a-1", 1), fixture.report("a-1", 2), full]).await;
    let current = record(&store, LIMITS).await.unwrap().current_report.unwrap();
    assert_eq!((current.version, current.report_type, current.is_erased()), (2, ReportType::Compliance, false));
    store.erase(vec![current.seq], "asked for", "ana").await.unwrap();
    let current = record(&store, LIMITS).await.unwrap().current_report.unwrap();
    assert_eq!((current.version, current.is_erased()), (2, true));
}

#[tokio::test]
async fn there_is_no_record_of_another_event_or_of_an_erased_alert() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    let other = record_at(&store, 1, LIMITS).await;
    assert!(matches!(other, Err(StoreError::NotFound)), "{other:?}");
    store.erase(vec![6], "asked for", "ana").await.unwrap();
    let erased = record(&store, LIMITS).await;
    assert!(matches!(erased, Err(StoreError::Corrupt(_))), "{erased:?}");
}

#[tokio::test]
async fn a_report_file_has_the_report_its_alert_and_what_came_before() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    let (event, content) = fixture.report("a-1", 1);
    let id = content.report_id.clone();
    store_reports(&store, vec![(event, content.clone())]).await;
    add_later_events(&fixture, &store).await;
    let file = store.report_file(&id, LIMITS).await.unwrap().unwrap();
    assert_eq!((file.content.text(), &file.content_hash), (content.content.text(), &content.content.hash().to_hex()));
    assert_eq!(file.content.hash(), content.content.hash());
    let record = record(&store, LIMITS).await.unwrap();
    assert_eq!((file.alert, file.related), (record.alert, record.related));
    let narrow = RelatedAlertsLimits { newest_max: 1, similar_within_points: 0 };
    let related = store.report_file(&id, narrow).await.unwrap().unwrap().related;
    assert_eq!((ids(&related), related.prior.count(), related.similar), (vec!["c-0"], 2, 0));
}

#[tokio::test]
async fn there_is_no_report_file_without_the_report_or_its_alert() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    let reports = ["a-0", "a-1", "unknown"].map(|alert| fixture.report(alert, 1));
    let [first, second, without_alert] = reports.each_ref().map(|(_, content)| content.report_id.clone());
    store_reports(&store, reports.to_vec()).await;
    let unknown: ReportId = "x".parse().unwrap();
    for id in [&without_alert, &unknown] {
        assert!(store.report_file(id, LIMITS).await.unwrap().is_none(), "{id}");
    }
    let report_seq = store.report(&first).await.unwrap().unwrap().seq;
    store.erase(vec![report_seq, 6], "asked for", "ana").await.unwrap();
    assert!(store.report_file(&first, LIMITS).await.unwrap().is_none(), "the report was erased");
    let erased_alert = store.report_file(&second, LIMITS).await;
    assert!(matches!(erased_alert, Err(StoreError::Corrupt(_))), "{erased_alert:?}");
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_reports_hash_is_that_of_the_stored_text_whatever_text_the_caller_knows() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let (event, content) = fixture.report("a-1", 1);
    store_reports(&store, vec![(event, content.clone())]).await;
    let expected = sha256(content.content.text().as_bytes());
    for known in [content.content, HashedText::new("another text".into())] {
        assert_eq!(store.report_hash(&content.report_id, known.clone()).await.unwrap(), Some(expected));
        assert_eq!(store.report_hash(&"x".parse().unwrap(), known).await.unwrap(), None);
    }
}
