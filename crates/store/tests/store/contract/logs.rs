//! Audit logs: pages, search, statistics, single logs, open answers, repeated requests, erasure.

use std::time::Duration;

use countersign_domain::{NewEvent, Time};
use countersign_store::{
    FoundLog, LogQuery, OpenState, Progress, SearchCheck, StatsQuery, Step, Store, StoreError, Threading, backup,
    restore, verify_search,
};

use crate::fixture::{Fixture, assert_good, log_id};

pub(crate) fn at(text: &str) -> Time {
    text.parse().unwrap()
}

pub(crate) async fn index_all(store: &Store) {
    while store.index_logs_step().await.unwrap() {}
}

/// Positions of the logs with these words.
pub(crate) async fn search(store: &Store, text: &str) -> Vec<u64> {
    let query = LogQuery { text: Some(text.into()), time_budget: Duration::from_secs(600), ..Default::default() };
    store.logs(query).await.unwrap().items.into_iter().map(|log| log.seq).collect()
}

pub(crate) async fn count(store: &Store) -> u64 {
    store.log_stats(StatsQuery::default()).await.unwrap().scores.iter().sum()
}

/// A store with this many logs, all created at the same time. Every tenth says "tenth".
pub(crate) async fn with_logs(fixture: &Fixture, logs: u64) -> Store {
    let store = fixture.open(Threading::Inline);
    let response = |n: u64| if n.is_multiple_of(10) { "the tenth" } else { "another" };
    let log = |n| fixture.log(&format!("log-{n}"), (n % 11) as u8, at("2026-03-01T09:00:00Z"), "why", response(n));
    store.append((0..logs).map(log).collect()).await.unwrap();
    store
}

/// So a caller that adds the logs from that position on counts nothing twice and misses nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statistics_count_exactly_the_logs_before_the_position_they_name() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let logs: Vec<_> = (0..2_000)
        .map(|n| fixture.log(&format!("log-{n}"), (n % 11) as u8, at("2026-03-01T09:00:00Z"), "why", "so"))
        .collect();
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for log in logs {
                store.append(vec![log]).await.unwrap();
            }
        }
    });
    let mut positions = Vec::new();
    while positions.last() != Some(&2_000) {
        for text in [None, Some("why".to_owned())] {
            let query = StatsQuery { text, time_budget: Duration::from_secs(600), ..Default::default() };
            let stats = store.log_stats(query).await.unwrap();
            assert_eq!((stats.scores.iter().sum::<u64>(), stats.partial), (stats.as_of, false));
            positions.push(stats.as_of);
        }
        store.index_logs_step().await.unwrap();
    }
    writing.await.unwrap();
    assert!(positions.is_sorted() && positions.iter().any(|at| (1..2_000).contains(at)), "{positions:?}");
}

fn with_metadata(mut event: NewEvent, metadata: &str) -> NewEvent {
    event.metadata = metadata.into();
    event
}

// Pages.

#[tokio::test]
async fn pages_of_logs_created_at_the_same_time_have_no_gaps_and_no_duplicates() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 100).await;
    for (min_score, max_score) in [(0, 10), (4, 6), (7, 7)] {
        let mut query = LogQuery { min_score, max_score, limit: 7, ..Default::default() };
        let mut seqs = Vec::new();
        loop {
            let page = store.logs(query.clone()).await.unwrap();
            seqs.extend(page.items.iter().map(|log| log.seq));
            match page.next {
                Some(next) => query.before = Some(next),
                None => break,
            }
        }
        let in_range = |seq: &u64| (u64::from(min_score)..=max_score.into()).contains(&(seq % 11));
        assert!(seqs.into_iter().eq((0..100).rev().filter(in_range)), "{min_score} to {max_score}");
    }
}

#[tokio::test]
async fn the_last_page_is_marked_as_the_last_even_if_it_is_full() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 10).await;
    let next = |limit, text: Option<&str>| {
        let query = LogQuery { limit, text: text.map(Into::into), ..Default::default() };
        async { store.logs(query).await.unwrap().next }
    };
    assert!(next(10, None).await.is_none() && next(10, Some("why")).await.is_none());
    assert!(next(9, None).await.is_some() && next(9, Some("why")).await.is_some());
}

#[tokio::test]
async fn a_page_has_at_least_one_log_and_no_more_than_the_maximum() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 1_100).await;
    for (limit, expected) in [(0, 1), (1, 1), (LogQuery::LIMIT_MAX, 1_000), (usize::MAX, 1_000)] {
        for text in [None, Some("why".to_owned())] {
            let query = LogQuery { limit, text, time_budget: Duration::from_secs(600), ..Default::default() };
            let page = store.logs(query).await.unwrap();
            assert_eq!((page.items.len(), page.next.is_some()), (expected, true), "{limit}");
        }
    }
}

#[tokio::test]
async fn a_log_comes_back_as_it_was_stored() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let event = fixture.log("log-1", 7, at("2026-03-01T09:00:00Z"), "why", "because");
    store.append(vec![event.clone()]).await.unwrap();
    let page = store.logs(LogQuery::default()).await.unwrap();
    let [log] = &page.items[..] else { panic!("{page:?}") };
    assert_eq!((log.seq, log.event_id, log.payload.get()), (0, event.event_id, event.payload.as_str()));
}

#[tokio::test]
async fn many_logs_are_found_across_batches_and_windows() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 9_000).await;
    let tenths: Vec<_> = (0..9_000).rev().filter(|seq| seq % 10 == 0).take(50).collect();
    assert_eq!(search(&store, "TENTH").await, tenths);
    assert!(store.index_logs_step().await.unwrap(), "one batch does not hold them all");
    assert_eq!(search(&store, "TENTH").await, tenths);
    assert_eq!(count(&store).await, 9_000);
    index_all(&store).await;
    assert_eq!(search(&store, "TENTH").await, tenths);
    assert_eq!(count(&store).await, 9_000);
    // All pages down to the oldest log, across the boundaries between batches.
    let mut query = LogQuery { text: Some("tenth".into()), limit: 400, ..Default::default() };
    let mut found = 0;
    loop {
        let page = store.logs(query.clone()).await.unwrap();
        found += page.items.len();
        match page.next {
            Some(next) => query.before = Some(next),
            None => break,
        }
    }
    assert_eq!(found, 900);
}

#[tokio::test]
async fn a_search_without_time_resumes_where_it_stopped() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 2_000).await;
    for indexed in [false, true] {
        if indexed {
            index_all(&store).await;
        }
        // Nothing matches, so each page only moves on.
        let text = Some("tenth another".into());
        let mut query = LogQuery { text, time_budget: Duration::ZERO, ..Default::default() };
        let mut pages = 0;
        while let Some(next) = store
            .logs(query.clone())
            .await
            .map(|page| {
                assert!(page.items.is_empty() && page.partial == page.next.is_some());
                page.next
            })
            .unwrap()
        {
            assert!(query.before.is_none_or(|before| next.seq < before.seq));
            query.before = Some(next);
            pages += 1;
        }
        assert_eq!(pages > 1, !indexed, "{pages}");
    }
}

#[tokio::test]
async fn words_are_found_together_however_far_apart_they_are() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 20).await;
    store.append((0..17_000).map(|_| fixture.started("x")).collect()).await.unwrap();
    let log = |n| fixture.log(&format!("late-{n}"), 5, at("2026-03-01T09:00:00Z"), "why", "the tenth");
    store.append((0..3).map(log).collect()).await.unwrap();
    index_all(&store).await;
    let expected = [17_022, 17_021, 17_020, 10, 0];
    assert_eq!(search(&store, "tenth why").await, expected);
    // Without a time budget, each page ends after one block.
    let text = Some("tenth why".into());
    let mut query = LogQuery { text, time_budget: Duration::ZERO, ..Default::default() };
    let mut found = Vec::new();
    loop {
        let page = store.logs(query.clone()).await.unwrap();
        found.extend(page.items.iter().map(|log| log.seq));
        match page.next {
            Some(next) => query.before = Some(next),
            None => break,
        }
    }
    assert_eq!(found, expected);
}

// Words.

#[tokio::test]
async fn words_are_found_in_any_case_and_without_their_accents() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let texts = ["Straße in São Paulo", "don't PANIC", "10.1.2.3", "中文 текст", "e\u{301}tude क्षत्रिय", ""];
    for (n, text) in texts.into_iter().enumerate() {
        store.append(vec![fixture.log(&n.to_string(), 5, at("2026-03-01T09:00:00Z"), text, "")]).await.unwrap();
    }
    for indexed in [false, true] {
        if indexed {
            index_all(&store).await;
        }
        for (text, expected) in [
            ("sao PAULO", &[0][..]),
            ("paulo sao", &[0]),
            ("sao panic", &[]),
            ("panic", &[1]),
            ("Don't", &[1]),
            ("10.1", &[2]),
            ("中文", &[3]),
            ("ТЕКСТ", &[3]),
            ("étude", &[4]),
            ("क्षत्रिय", &[4]),
            ("pani", &[]),
            ("\"panic\" OR sao*", &[]),
            ("NOT panic", &[]),
            // Words that stand for scores can't be searched for, and punctuation alone selects everything.
            ("\u{E000}5", &[]),
            ("\u{E000}w", &[]),
            ("?!", &[5, 4, 3, 2, 1, 0]),
            ("", &[5, 4, 3, 2, 1, 0]),
        ] {
            assert_eq!(search(&store, text).await, expected, "{text}, indexed: {indexed}");
        }
    }
}

#[tokio::test]
async fn a_very_long_query_is_truncated() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 10).await;
    let long = format!("tenth {}", "é".repeat(1_000_000));
    assert_eq!(search(&store, &long).await, Vec::<u64>::new());
    // If there are too many words, only those that are alphabetically first count.
    let many: String = (0..10_000).map(|n| format!("a{n} ")).collect();
    assert_eq!(search(&store, &many).await, Vec::<u64>::new());
}

// Single logs and open answers.

#[tokio::test]
async fn an_answer_is_open_until_its_audit() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let state = || async {
        match store.log(log_id("x")).await.unwrap() {
            Some(FoundLog::Open { state, event }) => Some((state, event.seq)),
            Some(FoundLog::Audited(log)) => panic!("{log:?}"),
            _ => None,
        }
    };
    assert_eq!(state().await, None);
    store.append(vec![fixture.answer_requested("x")]).await.unwrap();
    assert_eq!(state().await, Some((OpenState::Requested, 0)));
    store.append(vec![fixture.answer_recorded("x"), fixture.answer_requested("y")]).await.unwrap();
    assert_eq!(state().await, Some((OpenState::Recorded, 1)));
    store.append(vec![fixture.answer_failed("x")]).await.unwrap();
    assert_eq!(state().await, Some((OpenState::Failed, 3)));
    assert_good(&fixture.verify());
    // Audited in an agent's step, with a failure after it: a refused answer is audited too.
    let events = vec![fixture.log("x", 9, fixture.seams.now(), "why", "because"), fixture.answer_failed("x")];
    store.step(Step::new("stand-in", Progress::Lane { seq: 1, low: 1 }, events)).await.unwrap();
    assert!(matches!(store.log(log_id("x")).await.unwrap(), Some(FoundLog::Audited(log)) if log.seq == 4));
    for (state, expected) in [(OpenState::Requested, &[2][..]), (OpenState::Recorded, &[]), (OpenState::Failed, &[])] {
        let open: Vec<_> = store.open_answers(state, 10).await.unwrap().iter().map(|event| event.seq).collect();
        assert_eq!(open, expected, "{state:?}");
    }
    // All in one commit, as usual.
    let log = fixture.log("y", 9, fixture.seams.now(), "why", "because");
    store.append(vec![fixture.answer_recorded("y"), log]).await.unwrap();
    assert!(matches!(store.log(log_id("y")).await.unwrap(), Some(FoundLog::Audited(log)) if log.seq == 7));
    assert!(store.open_answers(OpenState::Requested, 10).await.unwrap().is_empty());
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn after_a_crash_open_answers_are_listed_oldest_first() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    store.append(["c", "b", "a"].map(|id| fixture.answer_requested(id)).to_vec()).await.unwrap();
    drop(store);
    let store = fixture.open(Threading::Inline);
    let open = store.open_answers(OpenState::Requested, 2).await.unwrap();
    assert!(open.iter().map(|event| event.seq).eq([0, 1]));
}

#[tokio::test]
async fn a_log_without_a_score_or_with_a_used_id_is_refused() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 1).await;
    let taken = fixture.log("log-0", 5, fixture.seams.now(), "a", "b");
    let mut events = vec![taken];
    for score in ["11", "-1", "\"5\"", "5.5", "null"] {
        let mut event = fixture.log("new", 5, fixture.seams.now(), "a", "b");
        event.payload = event.payload.replace("\"risk_score\":5", &format!("\"risk_score\":{score}"));
        let event_type = event.event.event_type();
        event.event = countersign_domain::Event::from_payload(event_type, &event.payload).unwrap();
        events.push(event);
    }
    for event in events {
        let refused = store.append(vec![fixture.started("x"), event.clone()]).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{}: {refused:?}", event.payload);
    }
    assert_eq!(store.size().await.unwrap(), 1);
    assert_good(&fixture.verify());
}

// Repeated requests.

#[tokio::test]
async fn a_repeated_request_finds_its_newest_log_for_a_while() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let metadata = r#"{"idempotency":"ab12","body":"cd34"}"#;
    for n in 0..3 {
        let log = fixture.log(&format!("log-{n}"), 1, fixture.seams.now(), "why", "because");
        store.append(vec![with_metadata(log, if n == 2 { "{\"x\":1}" } else { metadata })]).await.unwrap();
        fixture.clock.move_by_seconds(60);
    }
    let (log, stored) =
        store.log_by_idempotency("ab12", at("2026-03-01T09:30:00Z")).await.unwrap().expect("it is there");
    assert_eq!((log.seq, stored.as_deref()), (1, Some(metadata)));
    assert!(store.log_by_idempotency("ab12", at("2026-03-01T09:31:00Z")).await.unwrap().is_some());
    assert!(store.log_by_idempotency("ab12", at("2026-03-01T09:31:01Z")).await.unwrap().is_none());
    assert!(store.log_by_idempotency("ab13", at("2026-03-01T09:30:00Z")).await.unwrap().is_none());
    store.erase(vec![1], "asked for", "ana").await.unwrap();
    let (log, _) = store.log_by_idempotency("ab12", at("2026-03-01T09:30:00Z")).await.unwrap().expect("the older");
    assert_eq!(log.seq, 0);
    assert_good(&fixture.verify());
}

// Erasure.

#[tokio::test]
async fn an_erased_log_is_still_counted_but_no_longer_found_anywhere() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 30).await;
    let secret = fixture.log("secret", 9, at("2026-03-01T09:00:00Z"), "who is Quetzalcoatlus", "Xylophonist");
    store.append(vec![with_metadata(secret, r#"{"idempotency":"ab12"}"#)]).await.unwrap();
    index_all(&store).await;
    assert_eq!(search(&store, "quetzalcoatlus").await, [30]);
    store.erase(vec![30], "asked for", "ana").await.unwrap();
    for index in ["behind", "fresh"] {
        assert_eq!(search(&store, "quetzalcoatlus").await, Vec::<u64>::new(), "{index}");
        assert_eq!(search(&store, "tenth").await, [20, 10, 0], "{index}");
        assert!(matches!(store.log(log_id("secret")).await.unwrap(), Some(FoundLog::Erased)));
        assert!(store.log_by_idempotency("ab12", at("2026-03-01T09:00:00Z")).await.unwrap().is_none());
        assert_eq!(store.logs(LogQuery::default()).await.unwrap().items.len(), 30);
        assert_eq!(count(&store).await, 31);
        index_all(&store).await;
    }
    assert_good(&fixture.verify());
}

#[tokio::test]
async fn an_erased_open_answer_is_reported_as_erased() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let events = vec![
        fixture.answer_requested("x"),
        fixture.answer_recorded("x"),
        fixture.answer_requested("y"),
        fixture.answer_requested("z"),
        fixture.log("z", 2, fixture.seams.now(), "a", "b"),
    ];
    store.append(events).await.unwrap();
    store.erase(vec![1, 2, 4], "asked for", "ana").await.unwrap();
    for id in ["x", "y", "z"] {
        assert!(matches!(store.log(log_id(id)).await.unwrap(), Some(FoundLog::Erased)), "{id}");
    }
    assert!(store.open_answers(OpenState::Recorded, 10).await.unwrap().is_empty());
    assert_good(&fixture.verify());
}

// The search index.

#[tokio::test(flavor = "multi_thread")]
async fn closing_interrupts_indexing_and_loses_nothing() {
    let fixture = Fixture::new();
    drop(with_logs(&fixture, 9_000).await);
    let store = fixture.open(Threading::Threaded);
    let filling = {
        let store = store.clone();
        tokio::spawn(async move { store.index_logs_step().await })
    };
    tokio::task::yield_now().await;
    store.close().await.unwrap();
    filling.await.unwrap().unwrap();
    drop(store);
    let store = fixture.open(Threading::Inline);
    index_all(&store).await;
    assert_eq!((count(&store).await, search(&store, "tenth").await.len()), (9_000, 50));
}

#[tokio::test]
async fn readers_see_every_log_once_while_it_is_being_indexed() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let filling = {
        let store = store.clone();
        let mut head = store.head();
        tokio::spawn(async move {
            while store.size().await.unwrap() < 1_000 {
                index_all(&store).await;
                head.changed().await.unwrap();
            }
        })
    };
    for n in 0..1_000_u64 {
        let log = fixture.log(&format!("log-{n}"), 1, fixture.seams.now(), "needle", "");
        store.append(vec![log]).await.unwrap();
        if n.is_multiple_of(50) {
            assert_eq!(count(&store).await, n + 1);
            assert!(search(&store, "needle").await.into_iter().eq((0..=n).rev().take(50)));
        }
    }
    filling.await.unwrap();
    store.close().await.unwrap();
}

#[tokio::test]
async fn indexing_resumes_after_a_restart_and_counts_nothing_twice() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 40).await;
    index_all(&store).await;
    store.close().await.unwrap();
    drop(store);
    let store = fixture.open(Threading::Inline);
    assert!(!store.index_logs_step().await.unwrap());
    store.append(vec![fixture.log("new", 3, fixture.seams.now(), "tenth", "")]).await.unwrap();
    index_all(&store).await;
    assert_eq!((count(&store).await, search(&store, "tenth").await), (41, vec![40, 30, 20, 10, 0]));
}

#[tokio::test]
async fn a_lost_index_changes_no_answer_and_is_built_again() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 40).await;
    index_all(&store).await;
    store.close().await.unwrap();
    drop(store);
    fixture.lose_search_index();
    let store = fixture.open(Threading::Inline);
    for _ in 0..2 {
        assert_eq!((count(&store).await, search(&store, "tenth").await), (40, vec![30, 20, 10, 0]));
        index_all(&store).await;
    }
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 40 });
}

#[tokio::test]
async fn a_restored_store_has_its_logs_and_an_index_of_its_own() {
    let fixture = Fixture::new();
    let store = with_logs(&fixture, 20).await;
    index_all(&store).await;
    let copy = fixture.folder.path().join("backup");
    backup(&fixture.location(), &copy, &mut |_, _| {}).unwrap();
    store.append(vec![fixture.log("later", 3, fixture.seams.now(), "tenth", "")]).await.unwrap();
    index_all(&store).await;
    store.close().await.unwrap();
    drop(store);
    restore(&fixture.location(), &copy, None, &fixture.seams).unwrap();
    let store = fixture.open(Threading::Inline);
    for _ in 0..2 {
        assert_eq!((count(&store).await, search(&store, "tenth").await), (20, vec![10, 0]));
        index_all(&store).await;
    }
    let payload: serde_json::Value = match store.log(log_id("log-3")).await.unwrap() {
        Some(FoundLog::Audited(log)) => serde_json::from_str(log.payload.get()).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(payload["audit"]["risk_score"], 3);
}

/// Logs with different words and scores, one of them erased, all of them indexed.
pub(crate) async fn indexed(fixture: &Fixture) -> Store {
    let store = fixture.open(Threading::Inline);
    for n in 0..40_u8 {
        fixture.clock.move_by_seconds(400);
        let (query, response) = (format!("question{n} shared"), format!("answer{} shared", n % 7));
        store
            .append(vec![fixture.log(&format!("l-{n}"), n % 11, fixture.seams.now(), &query, &response)])
            .await
            .unwrap();
        if n == 20 {
            index_all(&store).await;
        }
    }
    store.erase(vec![5, 30], "asked for", "ana").await.unwrap();
    index_all(&store).await;
    store
}

#[tokio::test]
async fn an_unchanged_index_matches_even_if_it_is_behind_the_log() {
    let fixture = Fixture::new();
    drop(fixture.open(Threading::Inline));
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Missing);
    let store = indexed(&fixture).await;
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 41 });
    // While a server is running that hasn't indexed these yet.
    store.append(vec![fixture.log("later", 3, fixture.seams.now(), "later", "later")]).await.unwrap();
    store.erase(vec![7], "asked for", "ana").await.unwrap();
    assert_eq!(verify_search(&fixture.location()).unwrap(), SearchCheck::Matches { events: 41 });
    store.close().await.unwrap();
}
