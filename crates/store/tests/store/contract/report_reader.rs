//! Reading reports while another process has the store open.

use countersign_domain::ReportId;
use countersign_store::{ReportQuery, ReportReader, Store, StoreError, Threading, export, verify};

use super::reports::closed;
use crate::fixture::{Fixture, store_reports};

fn any() -> ReportQuery {
    ReportQuery { limit: 10, ..Default::default() }
}

/// Compares everything that a reader reads with what the store reads.
async fn check(reader: &ReportReader, store: &Store, ids: &[&ReportId]) {
    for query in [any(), ReportQuery { limit: 1, ..any() }, ReportQuery { before: Some(0), ..any() }] {
        assert_eq!(reader.reports(&query).unwrap(), store.reports(query).await.unwrap());
    }
    for id in ids {
        assert_eq!(reader.report_content(id).unwrap(), store.report_content(id).await.unwrap(), "{id}");
        let addenda = store.addenda(id).await.unwrap().into_iter().map(|(_, addendum)| addendum);
        assert!(reader.addenda(id).unwrap().into_iter().eq(addenda), "{id}");
    }
}

#[tokio::test]
async fn a_reader_sees_what_a_running_server_sees() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let reader = ReportReader::open(&fixture.location()).unwrap();
    let (one, two) = (fixture.report("a-1", 1), fixture.report("a-1", 2));
    let [first, second] = [&one, &two].map(|(_, content)| content.report_id.clone());
    let unknown = "x".parse().unwrap();
    let ids = [&first, &second, &unknown];
    check(&reader, &store, &ids).await;
    assert!(reader.reports(&any()).unwrap().is_empty());
    store_reports(&store, vec![one]).await;
    store.append(vec![fixture.addendum("a-1", &first)]).await.unwrap();
    check(&reader, &store, &ids).await;
    assert_eq!((reader.reports(&any()).unwrap()[0].version, reader.addenda(&first).unwrap().len()), (1, 1));
    store_reports(&store, vec![two]).await;
    check(&reader, &store, &ids).await;
    assert_eq!((reader.reports(&any()).unwrap()[0].version, reader.addenda(&second).unwrap().len()), (2, 1));
    let seq = store.report(&first).await.unwrap().unwrap().seq;
    store.erase(vec![seq], "asked for", "ana").await.unwrap();
    check(&reader, &store, &ids).await;
    assert!(reader.report_content(&first).unwrap().is_none());
}

#[tokio::test]
async fn a_reader_does_not_keep_a_server_from_opening_the_store() {
    let fixture = closed().await;
    let reader = ReportReader::open(&fixture.location()).unwrap();
    assert_eq!(reader.reports(&any()).unwrap()[0].version, 2);
    let store = fixture.open(Threading::Inline);
    store_reports(&store, vec![fixture.report("a-1", 3)]).await;
    assert_eq!(reader.reports(&any()).unwrap()[0].version, 3);
}

#[test]
fn nothing_is_read_or_created_if_there_is_no_store() {
    let fixture = Fixture::new();
    let (location, bundle) = (fixture.location(), fixture.folder.path().join("bundle"));
    assert!(location.check_exists().is_err());
    assert!(ReportReader::open(&location).is_err());
    assert!(verify(&location, None, &mut |_, _| {}).is_err());
    let exported = export(&location, &bundle, &mut |_, _| {});
    assert!(matches!(exported, Err(StoreError::NoStore { .. })), "{exported:?}");
    assert!(!location.dir().path().exists() && !bundle.exists());
    drop(fixture.open(Threading::Inline));
    location.check_exists().unwrap();
}
