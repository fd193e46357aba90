//! Random logs against a simple model that filters and counts them: pages, searches and statistics, however far the index has
//! got. Also random events of answers, and the states that they lead to.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use countersign_domain::Time;
use countersign_store::{
    Bucket, FoundLog, LogCursor, LogEntry, LogQuery, LogStats, OpenState, StatsQuery, Store, Threading, TrendPoint,
};
use proptest::prelude::*;

use crate::fixture::{Fixture, assert_good, log_id};

/// Words as they are written, and as they are searched for.
const WORDS: [(&str, &str); 6] = [
    ("Lisbon", "lisbon"),
    ("Café,", "cafe"),
    ("naïve/", "NAIVE"),
    ("4711", "4711"),
    ("Ärger", "arger"),
    ("\u{E000}9", "9"),
];

const BASE: &str = "2026-02-28T23:58:30Z";

#[derive(Debug, Clone)]
struct Log {
    score: u8,
    /// Microseconds after [`BASE`], sometimes the same for several logs.
    at: i64,
    words: u8,
    is_erased: bool,
    /// The number of other events before it.
    others: u8,
}

fn log() -> impl Strategy<Value = Log> {
    let at = prop_oneof![0..4_i64, (0..9_i64).prop_map(|n| n * 30_000_000), 0..200_000_000_000_i64];
    (0..=10_u8, at, 0..64_u8, prop::bool::weighted(0.1), 0..3_u8)
        .prop_map(|(score, at, words, is_erased, others)| Log { score, at, words, is_erased, others })
}

#[derive(Debug, Clone)]
struct Question {
    scores: (u8, u8),
    from: Option<i64>,
    to: Option<i64>,
    words: u8,
    limit: usize,
    has_time: bool,
    bucket: u8,
}

fn question() -> impl Strategy<Value = Question> {
    let scores = prop_oneof![Just((0, 10)), Just((0, 3)), Just((4, 6)), Just((7, 10)), (0..=10_u8, 0..=10_u8)];
    let time = || {
        let some = prop_oneof![0..4_i64, (0..9_i64).prop_map(|n| n * 30_000_000), -10_i64..200_000_000_010_i64];
        prop::option::of(some)
    };
    let words = prop_oneof![3 => Just(0), 2 => (0..6_u32).prop_map(|bit| 1 << bit), 1 => 0..64_u8];
    (scores, time(), time(), words, 1..8_usize, any::<bool>(), 0..4_u8).prop_map(
        |(scores, from, to, words, limit, has_time, bucket)| Question {
            scores,
            from,
            to,
            words,
            limit,
            has_time,
            bucket,
        },
    )
}

fn time(micros: i64) -> Time {
    let base: Time = BASE.parse().unwrap();
    Time::from_micros(base.micros() + micros).unwrap()
}

fn words(bits: u8, which: impl Fn(&(&'static str, &'static str)) -> &'static str) -> String {
    let chosen = WORDS.iter().enumerate().filter(|(n, _)| bits & (1 << n) != 0);
    chosen.map(|(_, word)| which(word)).collect::<Vec<_>>().join(" ")
}

/// The logs with their positions.
struct Model(Vec<(u64, Log)>);

impl Model {
    fn in_time<'a>(&'a self, question: &'a Question) -> impl Iterator<Item = &'a (u64, Log)> {
        let (from, to) = (question.from.unwrap_or(i64::MIN), question.to.unwrap_or(i64::MAX));
        self.0.iter().filter(move |(_, log)| (from..to).contains(&log.at))
    }

    fn list(&self, question: &Question) -> Vec<u64> {
        let scores = question.scores.0..=question.scores.1;
        let mut found: Vec<_> = self
            .in_time(question)
            .filter(|(_, log)| {
                scores.contains(&log.score) && !log.is_erased && log.words & question.words == question.words
            })
            .map(|(seq, log)| (if question.words == 0 { log.at } else { 0 }, *seq))
            .collect();
        found.sort_unstable();
        found.into_iter().rev().map(|(_, seq)| seq).collect()
    }

    fn stats(&self, question: &Question) -> LogStats {
        let bucket = bucket(question);
        let width = match bucket {
            Some(Bucket::Minute) => 60_000_000,
            Some(Bucket::Hour) => 3_600_000_000,
            Some(Bucket::Day) | None => 86_400_000_000,
        };
        let mut stats = LogStats::default();
        let mut points: BTreeMap<i64, [u64; 11]> = BTreeMap::new();
        let scores = question.scores.0..=question.scores.1;
        // A search finds nothing that was erased. Statistics without a search count erased logs too.
        let is_found =
            |log: &Log| question.words == 0 || (!log.is_erased && log.words & question.words == question.words);
        for (_, log) in self.in_time(question).filter(|(_, log)| scores.contains(&log.score) && is_found(log)) {
            stats.scores[usize::from(log.score)] += 1;
            let start = time(log.at).micros().div_euclid(width) * width;
            points.entry(start).or_default()[usize::from(log.score)] += 1;
        }
        let point = |(start, scores)| TrendPoint { start: Time::from_micros(start).unwrap(), scores };
        stats.trend = if bucket.is_some() { points.into_iter().map(point).collect() } else { Vec::new() };
        stats
    }
}

fn bucket(question: &Question) -> Option<Bucket> {
    [None, Some(Bucket::Minute), Some(Bucket::Hour), Some(Bucket::Day)][usize::from(question.bucket)]
}

/// All pages, one after the other.
async fn all_pages(store: &Store, query: LogQuery) -> Vec<LogEntry> {
    let (mut found, mut before): (Vec<LogEntry>, Option<LogCursor>) = (Vec::new(), query.before);
    loop {
        let page = store.logs(LogQuery { before, ..query.clone() }).await.unwrap();
        assert!(page.items.len() <= query.limit);
        assert!(page.partial || page.next.is_none() || page.items.len() == query.limit);
        found.extend(page.items);
        match page.next {
            Some(next) => assert_ne!(before.replace(next), Some(next), "it does not move"),
            None => return found,
        }
    }
}

async fn check(store: &Store, model: &Model, question: &Question, index: &str) {
    let query = LogQuery {
        min_score: question.scores.0,
        max_score: question.scores.1,
        from: question.from.map(time),
        to: question.to.map(time),
        before: None,
        text: Some(words(question.words, |word| word.1)),
        limit: question.limit,
        time_budget: if question.has_time { Duration::from_secs(600) } else { Duration::ZERO },
    };
    let found: Vec<_> = all_pages(store, query).await.into_iter().map(|log| log.seq).collect();
    assert_eq!(found, model.list(question), "{index}: {question:?}");
    let stats = store.log_stats(StatsQuery { bucket: bucket(question), ..stats_query(question) }).await.unwrap();
    assert_eq!(stats.as_of, store.size().await.unwrap());
    let expected = LogStats { as_of: store.size().await.unwrap(), ..model.stats(question) };
    if stats.partial {
        assert!(!question.has_time && question.words != 0, "{index}: {question:?}");
        assert!(stats.scores.iter().zip(&expected.scores).all(|(found, all)| found <= all), "{index}: {question:?}");
    } else {
        assert_eq!(stats, expected, "{index}: {question:?}");
    }
}

fn stats_query(question: &Question) -> StatsQuery {
    StatsQuery {
        min_score: question.scores.0,
        max_score: question.scores.1,
        from: question.from.map(time),
        to: question.to.map(time),
        text: Some(words(question.words, |word| word.1)),
        bucket: None,
        time_budget: if question.has_time { Duration::from_secs(600) } else { Duration::ZERO },
    }
}

async fn index_all(store: &Store) {
    while store.index_logs_step().await.unwrap() {}
}

async fn run(logs: Vec<Log>, questions: Vec<Question>, behind_from: usize) {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let mut model = Model(Vec::new());
    for (n, log) in logs.into_iter().enumerate() {
        if n == behind_from {
            index_all(&store).await;
        }
        let [query, response] = [0b101_010, 0b010_101].map(|part| words(log.words & part, |word| word.0));
        let mut events: Vec<_> = (0..log.others).map(|_| fixture.started("a")).collect();
        events.push(fixture.log(&format!("log-{n}"), log.score, time(log.at), &query, &response));
        let seq = store.append(events).await.unwrap() + u64::from(log.others);
        model.0.push((seq, log));
    }
    let erased: Vec<_> = model.0.iter().filter(|(_, log)| log.is_erased).map(|(seq, _)| *seq).collect();
    store.erase(erased, "asked for", "ana").await.unwrap();
    for question in &questions {
        check(&store, &model, question, "behind").await;
    }
    index_all(&store).await;
    for question in &questions {
        check(&store, &model, question, "fresh").await;
    }
    store.close().await.unwrap();
    drop(store);
    fixture.lose_search_index();
    let store = fixture.open(Threading::Inline);
    for question in &questions {
        check(&store, &model, question, "absent").await;
    }
    assert_good(&fixture.verify());
}

/// The state of an answer, and the event that led to it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Answer {
    Open(OpenState, u64),
    Audited(u64),
}

/// Events of a few answers, as `(kind, answer)`, in one commit, and a position to erase after it.
type Commit = (Vec<(u8, u8)>, Option<u64>);

async fn run_answers(commits: Vec<Commit>) {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    let (mut model, mut erased, mut size) = (BTreeMap::new(), BTreeSet::new(), 0);
    for (events, erase) in commits {
        let mut new = Vec::new();
        for (kind, answer) in events {
            let (id, seq) = (answer.to_string(), size);
            let audited = matches!(model.get(&answer), Some(Answer::Audited(_)));
            let (event, state) = match kind {
                0 => (fixture.answer_requested(&id), Answer::Open(OpenState::Requested, seq)),
                1 => (fixture.answer_recorded(&id), Answer::Open(OpenState::Recorded, seq)),
                2 => (fixture.answer_failed(&id), Answer::Open(OpenState::Failed, seq)),
                _ if audited => continue,
                _ => (fixture.log(&id, 5, fixture.seams.now(), "a", "b"), Answer::Audited(seq)),
            };
            if !audited {
                model.insert(answer, state);
            }
            new.push(event);
            size += 1;
        }
        store.append(new).await.unwrap();
        if let Some(seq) = erase
            && store.erase(vec![seq], "asked for", "ana").await.is_ok()
        {
            erased.insert(seq);
            size += 1;
        }
        assert_eq!(store.size().await.unwrap(), size);
    }
    for answer in 0..4 {
        let found = match store.log(log_id(&answer.to_string())).await.unwrap() {
            None => None,
            Some(FoundLog::Audited(log)) => Some(Some(Answer::Audited(log.seq))),
            Some(FoundLog::Open { state, event }) => Some(Some(Answer::Open(state, event.seq))),
            Some(FoundLog::Erased) => Some(None),
        };
        let is_there = |answer: &Answer| match answer {
            Answer::Open(_, seq) | Answer::Audited(seq) => !erased.contains(seq),
        };
        assert_eq!(found, model.get(&answer).map(|known| Some(*known).filter(is_there)), "{answer}");
    }
    assert_good(&fixture.verify());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_and_statistics_agree_with_the_model(
        logs in prop::collection::vec(log(), 1..40),
        questions in prop::collection::vec(question(), 1..30),
        behind_from in 0..40_usize,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run(logs, questions, behind_from));
    }

    #[test]
    fn answers_have_the_state_that_their_events_say_and_verify(
        commits in prop::collection::vec(
            (prop::collection::vec((0..4_u8, 0..4_u8), 1..4), prop::option::weighted(0.3, 0..20_u64)),
            1..12,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run_answers(commits));
    }
}
