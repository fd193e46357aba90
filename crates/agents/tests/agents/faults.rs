//! Failing providers, from an alert to a verdict: real agents, a real store, real HTTP, and controlled time, so that each
//! attempt reaches the provider at a known millisecond.

mod controlled_time;
mod scene;

use std::{collections::HashSet, iter::repeat_n, sync::Arc};

use countersign_domain::{
    Section,
    report::{FALLBACK, count_words},
};
use countersign_fake_provider::{Behaviour, Received};
use countersign_llm::WireFormat;
use countersign_report::WrittenBy;
use serde_json::{Value, json};

use crate::model_requests::{ASSESSMENT, json_reply, section_of};
use controlled_time::ControlledTime;
use scene::{Arrival, Scene, in_order};

const WIRE_FORMATS: [WireFormat; 3] = [WireFormat::OpenAi, WireFormat::Gemini, WireFormat::Anthropic];
/// An upper bound for a response's size limit together with the buffers of two sockets.
const BYTES_PER_CALL_MAX: u64 = (16 + 16) * 1024 * 1024;

/// Whose calls fail. The model of the other works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failing {
    Writer,
    Judge,
    Both,
}

/// An expected attempt: when it starts, counted from its caller's start, its number, its outcome, and its duration. Times are in
/// milliseconds.
type ExpectedAttempt = (u64, u64, &'static str, u64);

/// All expected attempts of one caller. Its call ends with the last of them.
type ExpectedAttempts = &'static [ExpectedAttempt];

const SUCCESS: ExpectedAttempts = &[(0, 1, "ok", 0)];

type Script = Arc<dyn Fn(&Received) -> Behaviour + Send + Sync>;

#[derive(Clone)]
struct Fault {
    script: Script,
    /// The attempts of each section.
    writer: ExpectedAttempts,
    judge: ExpectedAttempts,
    /// The state of the assessment in the verdict when the judge fails in this way.
    judge_state: &'static str,
    /// The random number for the jitter of every wait: 0 shortens it by a fifth, 1 lengthens it by a fifth.
    jitter: f64,
}

impl Fault {
    fn new(behaviour: Behaviour, writer: ExpectedAttempts, judge: ExpectedAttempts) -> Self {
        Self { script: Arc::new(move |_| behaviour.clone()), writer, judge, judge_state: "degraded", jitter: 0.5 }
    }

    fn for_both(behaviour: Behaviour, attempts: ExpectedAttempts) -> Self {
        Self::new(behaviour, attempts, attempts)
    }
}

/// Checks a fault in every wire format: as a fault of the writer, of the supervisor's judge, and of both.
fn check(fault: &Fault) {
    let texts = Arc::new(controlled_time::run("without models", careful_texts));
    for wire_format in WIRE_FORMATS {
        for failing in [Failing::Writer, Failing::Judge, Failing::Both] {
            check_in(fault, wire_format, failing, &texts);
        }
    }
}

fn check_in(fault: &Fault, wire_format: WireFormat, failing: Failing, texts: &Arc<Texts>) {
    let (fault, texts) = (fault.clone(), Arc::clone(texts));
    controlled_time::run(&format!("{wire_format:?}, failing: {failing:?}"), move |time| async move {
        check_one(&time, &fault, wire_format, failing, texts).await
    });
}

type Texts = Vec<(Section, String)>;

/// The built-in writer's texts, used as those of a careful model.
async fn careful_texts(time: ControlledTime) -> Texts {
    let scene = Scene::without_models(&time).await;
    scene.alert("fraud-1").await;
    scene.until_settled(1).await;
    let report = scene.report("fraud-1").await;
    scene.close().await;
    Section::ALL.map(|section| (section, report.section(section).to_owned())).into()
}

async fn check_one(time: &ControlledTime, fault: &Fault, wire_format: WireFormat, failing: Failing, texts: Arc<Texts>) {
    let script = Arc::clone(&fault.script);
    let scene = Scene::open(time, wire_format, fault.jitter, move |received| match (section_of(received), failing) {
        (None, Failing::Judge | Failing::Both) | (Some(_), Failing::Writer | Failing::Both) => script(received),
        (None, Failing::Writer) => json_reply(received, ASSESSMENT),
        (Some(section), Failing::Judge) => {
            let (_, text) = texts.iter().find(|(of, _)| *of == section).unwrap();
            Behaviour::Text(text.clone())
        }
    })
    .await;
    scene.alert("fraud-1").await;
    scene.until_settled(1).await;
    let writer = if failing == Failing::Judge { SUCCESS } else { fault.writer };
    let judge = if failing == Failing::Writer { SUCCESS } else { fault.judge };
    check_attempts(&scene, writer, judge).await;
    let is_failing =
        |(_, section): &Arrival| failing == Failing::Both || (failing == Failing::Judge) == section.is_none();
    let failing_calls = scene.arrivals().iter().filter(|arrival| is_failing(arrival)).count() as u64;
    assert!(
        scene.fake.body_bytes() <= failing_calls * BYTES_PER_CALL_MAX,
        "{} bytes of bodies in {failing_calls} failing calls",
        scene.fake.body_bytes()
    );
    check_report(&scene, failing).await;
    check_verdict(&scene, fault, failing).await;
    scene.close().await;
}

async fn check_attempts(scene: &Scene, writer: ExpectedAttempts, judge: ExpectedAttempts) {
    let judge_from_ms = duration_ms(writer);
    let of_writer = writer.iter().flat_map(|(at_ms, ..)| Section::ALL.map(|section| (*at_ms, Some(section))));
    let of_judge = judge.iter().map(|(at_ms, ..)| (judge_from_ms + at_ms, None));
    let expected = in_order(of_writer.chain(of_judge).collect());
    assert_eq!(scene.arrivals(), expected, "attempts as they reached the provider");

    let recorded = |purpose: &'static str| {
        move |(_, number, outcome, took_ms): &ExpectedAttempt| {
            (purpose.to_owned(), *number, (*outcome).to_owned(), *took_ms)
        }
    };
    let of_sections = Section::ALL.iter().flat_map(|_| writer.iter().map(recorded("writer")));
    let on_record: Vec<_> = of_sections.chain(judge.iter().map(recorded("supervisor"))).collect();
    assert_eq!(scene.calls_on_record().await, on_record, "attempts as they are on record");
    assert_eq!(
        scene.elapsed_ms().await,
        i64::try_from(judge_from_ms + duration_ms(judge)).unwrap(),
        "the verdict's time"
    );
}

fn duration_ms(attempts: ExpectedAttempts) -> u64 {
    attempts.last().map_or(0, |(at_ms, _, _, took_ms)| at_ms + took_ms)
}

async fn check_report(scene: &Scene, failing: Failing) {
    let report = scene.report("fraud-1").await;
    assert_eq!(report.sections.len(), Section::ALL.len());
    for record in &report.sections {
        let text = report.section(record.section);
        let (least, most) = record.section.word_range();
        assert!((least..=most).contains(&count_words(text)), "{:?}: {}", record.section, count_words(text));
        let expected = if failing == Failing::Judge { WrittenBy::Model } else { WrittenBy::Fallback };
        assert_eq!(record.written_by, expected, "{:?}: {text}", record.section);
        assert_eq!(text.starts_with(FALLBACK), failing != Failing::Judge, "{text}");
        assert_eq!(record.refused.is_empty(), failing == Failing::Judge, "{:?}", record.refused);
    }
}

async fn check_verdict(scene: &Scene, fault: &Fault, failing: Failing) {
    let verdict = scene.verdicts().await.remove(0);
    let rows = |list: &str, is: &dyn Fn(&Value) -> bool| {
        verdict[list].as_array().unwrap().iter().filter(|row| is(row)).count()
    };
    let sections = if failing == Failing::Judge { 0 } else { Section::ALL.len() };
    let is_about_fallback = |issue: &Value| issue["description"].as_str().unwrap().contains("built-in writer");
    assert_eq!(rows("issues", &is_about_fallback), sections, "{verdict}");
    assert_eq!(
        rows("deductions", &|row| row["reason"].as_str().unwrap().starts_with("fallback_used ")),
        sections,
        "{verdict}"
    );
    let (state, attempts) = match failing {
        Failing::Writer => ("model", SUCCESS.len()),
        Failing::Judge | Failing::Both => (fault.judge_state, fault.judge.len()),
    };
    assert_eq!(verdict["assessment"]["state"], state, "{verdict}");
    assert_eq!(verdict["judge"]["attempts"], attempts);
    assert_eq!(verdict["judge"]["error"].is_null(), failing == Failing::Writer);
    assert_eq!(verdict["hash_before"], verdict["hash_after"]);
    let validations = scene.store.validations(&scene.report("fraud-1").await.id).await.unwrap();
    assert_eq!(validations.len(), 1);
}

#[test]
fn a_call_without_a_response_is_attempted_three_times_with_the_full_time_out() {
    check(&Fault::new(
        Behaviour::Hang,
        &[(0, 1, "timeout", 30_000), (31_000, 2, "timeout", 30_000), (63_000, 3, "timeout", 30_000)],
        &[(0, 1, "timeout", 20_000), (21_000, 2, "timeout", 20_000), (43_000, 3, "timeout", 20_000)],
    ));
}

#[test]
fn a_wait_requested_by_the_provider_is_respected() {
    const ATTEMPTS: ExpectedAttempts =
        &[(0, 1, "rate_limited", 0), (7_000, 2, "rate_limited", 0), (14_000, 3, "rate_limited", 0)];
    check(&Fault::for_both(Behaviour::StatusRetryAfter(429, 7.0), ATTEMPTS));
}

#[test]
fn a_server_error_is_retried_twice_after_one_and_two_seconds() {
    const ATTEMPTS: ExpectedAttempts =
        &[(0, 1, "server_error", 0), (1_000, 2, "server_error", 0), (3_000, 3, "server_error", 0)];
    check(&Fault::for_both(Behaviour::Status(500), ATTEMPTS));
}

#[test]
fn a_truncated_response_is_retried() {
    const ATTEMPTS: ExpectedAttempts =
        &[(0, 1, "connection", 0), (1_000, 2, "connection", 0), (3_000, 3, "connection", 0)];
    check(&Fault::for_both(Behaviour::Truncated, ATTEMPTS));
}

#[test]
fn malformed_json_is_not_retried() {
    check(&Fault::for_both(Behaviour::MalformedJson, &[(0, 1, "malformed", 0)]));
}

#[test]
fn a_body_of_another_shape_is_not_retried() {
    check(&Fault::for_both(Behaviour::Json(json!({"unexpected": true})), &[(0, 1, "malformed", 0)]));
}

#[test]
fn an_empty_text_is_not_retried() {
    check(&Fault::for_both(Behaviour::EmptyText, &[(0, 1, "empty", 0)]));
}

#[test]
fn a_body_of_100_mb_is_cut_off_and_not_retried() {
    check(&Fault::for_both(Behaviour::HugeBody(100_000_000), &[(0, 1, "too_large", 0)]));
}

/// A section in JSON is refused, so it is requested three times. An assessment with a wrong schema is repaired once.
#[test]
fn a_text_of_another_schema_is_corrected_or_repaired_and_then_refused() {
    let script: Script = Arc::new(|received| match section_of(received) {
        None => json_reply(received, r#"{"verdict": "fine", "score": 100}"#),
        Some(_) => Behaviour::Text(r#"{"summary": "All is well with this customer."}"#.into()),
    });
    let writer: ExpectedAttempts = &[(0, 1, "ok", 0), (0, 1, "ok", 0), (0, 1, "ok", 0)];
    let judge: ExpectedAttempts = &[(0, 1, "malformed", 0), (0, 2, "malformed", 0)];
    check(&Fault { script, writer, judge, judge_state: "unparseable", jitter: 0.5 });
}

/// Three replies in a row that are only a heading.
#[test]
fn a_text_without_words_is_replaced_by_the_built_in_writers() {
    let fault = Fault::for_both(Behaviour::Text("## Executive Summary\n```\n```".into()), &[]);
    let writer: ExpectedAttempts = &[(0, 1, "ok", 0), (0, 1, "ok", 0), (0, 1, "ok", 0)];
    check_in(&Fault { writer, ..fault }, WireFormat::OpenAi, Failing::Writer, &Arc::default());
}

#[test]
fn waits_have_a_jitter_of_up_to_a_fifth() {
    let early: ExpectedAttempts =
        &[(0, 1, "server_error", 0), (800, 2, "server_error", 0), (2_400, 3, "server_error", 0)];
    let late: ExpectedAttempts =
        &[(0, 1, "server_error", 0), (1_200, 2, "server_error", 0), (3_600, 3, "server_error", 0)];
    for (jitter, attempts) in [(0.0, early), (1.0, late)] {
        let fault = Fault { jitter, ..Fault::for_both(Behaviour::Status(503), attempts) };
        check_in(&fault, WireFormat::OpenAi, Failing::Both, &Arc::default());
    }
}

/// The deadline over all attempts is two minutes.
#[test]
fn a_call_is_not_retried_if_the_wait_would_pass_the_deadline() {
    let rows: [(f64, ExpectedAttempts); 4] = [
        (100.0, &[(0, 1, "rate_limited", 0), (100_000, 2, "rate_limited", 0)]),
        (119.0, &[(0, 1, "rate_limited", 0), (119_000, 2, "rate_limited", 0)]),
        (120.0, &[(0, 1, "rate_limited", 0)]),
        (86_400.0, &[(0, 1, "rate_limited", 0)]),
    ];
    for (after_s, attempts) in rows {
        let fault = Fault::for_both(Behaviour::StatusRetryAfter(429, after_s), attempts);
        check_in(&fault, WireFormat::Gemini, Failing::Both, &Arc::default());
    }
}

#[test]
fn a_retry_after_header_may_be_a_date() {
    let (content_type, body) = ("text/plain".to_owned(), "later".into());
    let headers = vec![("retry-after".to_owned(), "Sun, 01 Mar 2026 09:30:09 GMT".to_owned())];
    let later = Behaviour::Raw { status: 429, content_type, body, headers };
    // The date has passed at the second attempt, so the usual wait applies.
    let attempts: ExpectedAttempts =
        &[(0, 1, "rate_limited", 0), (9_000, 2, "rate_limited", 0), (11_000, 3, "rate_limited", 0)];
    check_in(&Fault::for_both(later, attempts), WireFormat::OpenAi, Failing::Writer, &Arc::default());
}

/// Two reports at once cause twenty failures within a second, which opens the circuit for five seconds.
#[test]
fn an_open_circuit_stops_calls_to_a_failing_model_and_reports_fall_back() {
    controlled_time::run("two reports", |time| async move {
        let scene = Scene::open(&time, WireFormat::OpenAi, 0.5, |_| Behaviour::Status(500)).await;
        scene.alert("fraud-1").await;
        scene.alert("fraud-2").await;
        scene.until_settled(2).await;
        let of_one = [0, 1_000].into_iter().flat_map(|at_ms| Section::ALL.map(|section| (at_ms, Some(section))));
        assert_eq!(scene.arrivals(), in_order(of_one.clone().chain(of_one).collect()));
        assert_eq!(scene.elapsed_ms().await, 3_000, "calls don't wait for an open circuit");
        let mut on_record = scene.calls_on_record().await;
        on_record.sort_unstable();
        let call = |purpose: &str, number, outcome: &str| (purpose.to_owned(), number, outcome.to_owned(), 0);
        let of_writer = [(1, "server_error"), (2, "server_error"), (3, "circuit_open")];
        let expected =
            [(1, "circuit_open"); 2].map(|(number, outcome)| call("supervisor", number, outcome)).into_iter();
        let expected = expected.chain(
            of_writer
                .iter()
                .flat_map(|(number, outcome)| repeat_n(call("writer", *number, outcome), 2 * Section::ALL.len())),
        );
        assert_eq!(on_record, expected.collect::<Vec<_>>());
        for alert in ["fraud-1", "fraud-2"] {
            let report = scene.report(alert).await;
            assert!(report.sections.iter().all(|record| record.written_by == WrittenBy::Fallback));
        }
        for verdict in scene.verdicts().await {
            let reason = verdict["assessment"]["reason"].as_str().unwrap();
            assert!(reason.starts_with("the circuit breaker is open"), "{reason}");
        }
        scene.close().await;
    });
}

/// The first call probes the model, and the others wait for the result, so that no report falls back after an outage has ended.
#[test]
fn a_recovered_model_is_called_for_every_section() {
    controlled_time::run("a recovered model", |time| async move {
        let scene = Scene::open(&time, WireFormat::OpenAi, 0.5, |_| Behaviour::Status(500)).await;
        scene.alert("fraud-1").await;
        scene.alert("fraud-2").await;
        // Settling takes longer than the circuit stays open, so the next call may probe the model.
        scene.until_settled(2).await;
        scene.fake.script(|_| Behaviour::Text("The customer paid.".into()));
        let calls = scene.fake.count() as usize;
        scene.alert("fraud-3").await;
        scene.until_settled(3).await;
        let later = scene.fake.received()[calls..].iter().filter_map(section_of).collect::<HashSet<_>>();
        assert_eq!(later.len(), Section::ALL.len(), "{later:?}");
        for record in &scene.report("fraud-3").await.sections {
            assert!(!record.refused.iter().any(|why| why.contains("circuit")), "{:?}", record.refused);
        }
        scene.close().await;
    });
}
