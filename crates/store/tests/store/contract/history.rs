//! Users' histories: filled behind the log by one agent, read newest first, and erased.

use countersign_domain::StoredEvent;
use countersign_store::{HistorySummary, Progress, Step, StepOutcome, Store, Threading, TransactionQuery};

use crate::fixture::{Fixture, assert_good};

fn seqs(events: &[StoredEvent]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}

pub(crate) async fn index(store: &Store, from: u64, to: u64) -> StepOutcome {
    let step = Step::new("detector", Progress::Batch { from, to }, Vec::new());
    store.step(Step { indexes_history: true, ..step }).await.unwrap()
}

async fn history(store: &Store, user: &str, before: u64, limit: usize) -> Vec<u64> {
    seqs(&store.history(&user.parse().unwrap(), before, limit).await.unwrap())
}

/// Two users' transactions in turn, with other events in between: positions 0, 3, 6, … are ana's, 1, 4, 7, … ben's.
pub(crate) async fn filled(fixture: &Fixture) -> Store {
    let store = fixture.open(Threading::Inline);
    for n in 0..10 {
        let events = vec![
            fixture.transaction_of("ana", &format!("a-{n}"), "1.00"),
            fixture.transaction_of("ben \u{1f600} \"quoted\"", &format!("b-{n}"), "1.00"),
            fixture.started("x"),
        ];
        store.append(events).await.unwrap();
    }
    store
}

#[tokio::test]
async fn a_history_reaches_as_far_as_its_agents_mark() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    assert!(history(&store, "ana", 100, 50).await.is_empty());
    assert_eq!(index(&store, 0, 10).await, StepOutcome::Committed);
    assert_eq!(history(&store, "ana", 100, 50).await, [9, 6, 3, 0]);
    assert_eq!(index(&store, 0, 30).await, StepOutcome::AlreadyDone);
    assert_eq!(history(&store, "ana", 100, 50).await, [9, 6, 3, 0]);
    assert_eq!(index(&store, 10, 30).await, StepOutcome::Committed);
    assert_eq!(history(&store, "ana", 100, 3).await, [27, 24, 21]);
    assert_eq!(history(&store, "ana", 21, 3).await, [18, 15, 12], "before excludes the position itself");
    assert_eq!(history(&store, "ben \u{1f600} \"quoted\"", u64::MAX, 2).await, [28, 25]);
    assert!(history(&store, "nobody", 100, 3).await.is_empty());
    drop(store);
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn a_step_that_does_not_index_leaves_the_history_alone() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    store.step(Step::new("detector", Progress::Batch { from: 0, to: 30 }, Vec::new())).await.unwrap();
    let lane = Step::new("other", Progress::Lane { seq: 3, low: 4 }, Vec::new());
    store.step(Step { indexes_history: true, ..lane }).await.unwrap();
    assert!(history(&store, "ana", 100, 50).await.is_empty());
}

#[tokio::test]
async fn a_step_that_fails_indexes_nothing() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    let twice = vec![fixture.alert("x"), fixture.alert("x")];
    let step = Step::new("detector", Progress::Batch { from: 0, to: 30 }, twice);
    assert!(store.step(Step { indexes_history: true, ..step }).await.is_err());
    assert!(history(&store, "ana", 100, 50).await.is_empty());
}

#[tokio::test]
async fn several_histories_are_returned_in_the_order_asked_for() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    index(&store, 0, 30).await;
    let of = vec![("nobody".parse().unwrap(), 9), ("ana".parse().unwrap(), 9), ("ana".parse().unwrap(), 4)];
    let found = store.histories(of, 2).await.unwrap();
    assert_eq!(found.iter().map(|events| seqs(events)).collect::<Vec<_>>(), [vec![], vec![6, 3], vec![3, 0]]);
}

#[tokio::test]
async fn a_summary_counts_earlier_transactions() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    index(&store, 0, 30).await;
    let record = async |before| store.customer_record(&"ana".parse().unwrap(), None, before, 1).await.unwrap();
    let summary = record(9).await.summary;
    assert_eq!(summary.count, 3);
    assert_eq!(summary.first_occurred_at, Some("2026-03-01T09:00:00Z".parse().unwrap()));
    let none = record(0).await;
    assert_eq!((none.summary, none.history.len()), (HistorySummary::default(), 0));
}

#[tokio::test]
async fn a_record_ends_at_the_transaction_that_is_named_if_it_is_the_customers_own() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    index(&store, 0, 30).await;
    let record = async |named: &str| {
        let (ana, named) = ("ana".parse().unwrap(), named.parse().unwrap());
        let record = store.customer_record(&ana, Some(&named), 29, 2).await.unwrap();
        (record.transaction.map(|stored| stored.seq), seqs(&record.history), record.summary.count)
    };
    assert_eq!(record("a-5").await, (Some(15), vec![12, 9], 5));
    assert_eq!(record("b-5").await, (None, vec![27, 24], 10), "the transaction is another customer's");
    assert_eq!(record("unknown").await, (None, vec![27, 24], 10));
}

#[tokio::test]
async fn transactions_are_listed_with_and_without_their_user() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    index(&store, 0, 30).await;
    store.erase(vec![25, 27], "asked for", "ana").await.unwrap();
    let page = async |user: Option<&str>, before| {
        let user_id = user.map(|user| user.parse().unwrap());
        seqs(&store.transactions(TransactionQuery { user_id, before, limit: 3 }).await.unwrap())
    };
    assert_eq!(page(None, None).await, [28, 24, 22]);
    assert_eq!(page(None, Some(22)).await, [21, 19, 18]);
    assert_eq!(page(Some("ana"), None).await, [24, 21, 18]);
    assert_eq!(page(Some("ana"), Some(3)).await, [0]);
    let found = store.transaction(&"a-3".parse().unwrap()).await.unwrap().unwrap();
    assert!(found.seq == 9 && found.payload.unwrap().get().contains("\"a-3\""));
    let erased = store.transaction(&"a-9".parse().unwrap()).await.unwrap().unwrap();
    assert!(erased.seq == 27 && erased.payload.is_none());
    assert!(store.transaction(&"a-99".parse().unwrap()).await.unwrap().is_none());
    assert!(store.transactions(TransactionQuery::default()).await.unwrap().is_empty(), "a page of length 0 is empty");
}

#[tokio::test]
async fn erased_transactions_leave_the_history_whether_or_not_they_were_indexed() {
    let fixture = Fixture::new();
    let store = filled(&fixture).await;
    store.erase(vec![3], "asked for", "ana").await.unwrap();
    index(&store, 0, 30).await;
    store.erase(vec![6, 3], "asked for", "ana").await.unwrap();
    assert_eq!(history(&store, "ana", 10, 50).await, [9, 0]);
    drop(store);
    assert_good(&fixture.verify());
}
