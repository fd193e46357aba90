//! No input can make a context, a prompt or a document too large.

use countersign_domain::{Section, payload::ReportType};
use countersign_report::{CONTEXT_BYTES_MAX, PROMPT_CONTEXT_BYTES_MAX, TimelineEventKind, prompt, supervisor_prompt};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::cases::{Case, at, content, earlier, ordinary, parts, read};

fn check(case: &Case) {
    let context = case.context();
    let written = serde_json::to_string(&context).unwrap();
    assert!(written.len() <= CONTEXT_BYTES_MAX, "{} bytes", written.len());
    assert!(context.timeline.len() <= 200, "{} events", context.timeline.len());
    for section in Section::ALL {
        let asked = prompt(section, &context, "m4rk", None);
        let bytes = asked.user.len();
        assert!(bytes <= PROMPT_CONTEXT_BYTES_MAX + 4_096, "{section:?}: {bytes} bytes");
    }
}

fn wide(entries: usize, text: &str) -> Map<String, Value> {
    (0..entries).map(|n| (format!("k{n}"), json!({"text": text, "list": vec![text; 80]}))).collect()
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!("x"), |inner, n| if n % 2 == 0 { json!([inner]) } else { json!({ "k": inner }) })
}

/// A case larger than any that a sender can create.
fn largest() -> Case {
    let mut case = ordinary(ReportType::Full);
    let wide = wide(300, &"\"😀\\".repeat(300));
    case.alert.metadata.signals = wide.clone();
    case.alert
        .metadata
        .signals
        .insert("rule_flags".to_owned(), json!({"details": wide.clone(), "explanation": "ü".repeat(99_999)}));
    case.alert.metadata.signals.insert("deep".to_owned(), deep(100));
    case.from_detector = false;
    let transaction = case.transaction.as_mut().unwrap();
    transaction.metadata = wide;
    transaction.merchant = Some("😀".repeat(5_000));
    case.history = (0..500).map(|n| earlier(n % 56, "user-7731")).collect();
    for transaction in &mut case.history {
        transaction.merchant = Some("\"😀".repeat(200));
        transaction.location.as_mut().unwrap().city = Some("\\😀".repeat(100));
    }
    case.prior_alerts = vec![case.prior_alerts[0]; 300];
    case
}

#[test]
fn the_largest_case_is_bounded() {
    let case = largest();
    check(&case);
    let asked = supervisor_prompt(&content(&case, &parts(&"long ".repeat(50_000))), "m4rk");
    assert!(asked.user.len() <= PROMPT_CONTEXT_BYTES_MAX + 64 * 1024, "{} bytes", asked.user.len());
}

#[test]
fn the_newest_earlier_events_are_kept_and_the_rest_is_counted() {
    let mut case = ordinary(ReportType::Full);
    case.history = (0..500)
        .map(|n| {
            let mut transaction = earlier(0, "user-7731");
            transaction.transaction_id = format!("tx-{n}").parse().unwrap();
            transaction.occurred_at =
                countersign_domain::Time::from_micros(1_700_000_000_000_000 + n * 60_000_000).unwrap();
            transaction
        })
        .collect();
    let context = case.context();
    assert_eq!(context.timeline.len(), 200);
    // Other events: account opened, the transaction, alert, investigation, one earlier alert. 195 of 500 transactions
    // remain.
    let shown = context.timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorTransaction).count();
    assert_eq!((shown, context.timeline_omitted), (195, 305));
    assert!(context.timeline.is_sorted_by_key(|event| event.timestamp));
    let oldest = context.timeline.iter().find(|event| event.happening == TimelineEventKind::PriorTransaction).unwrap();
    assert_eq!(oldest.timestamp.micros(), 1_700_000_000_000_000 + 305 * 60_000_000);
    let mut inputs = case.inputs();
    inputs.transaction_count = 10_000;
    assert_eq!(countersign_report::Context::build(&inputs).timeline_omitted, 9_805);
}

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![".{0,40}", "[\\x00-\\x7f]{0,40}", "\\PC{0,200}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 200, 20, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..20).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_open_json_is_accepted_and_bounded(metadata in json(), signals in json(), name in "\\PC{1,60}") {
        let mut case = ordinary(ReportType::Compliance);
        case.from_detector = false;
        case.alert.metadata.signals = read(json!({"amount_deviation": signals, "rule_flags": metadata}));
        case.alert.metadata.signals.insert(name, signals);
        case.transaction.as_mut().unwrap().metadata = read(json!({"x": metadata}));
        check(&case);
        let context = case.context();
        let written = serde_json::to_string(&context).unwrap();
        let read: countersign_report::Context = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), written);
    }
}

#[test]
fn a_case_without_anything_has_a_timeline_of_what_is_known() {
    let context = crate::cases::thin().context();
    let happened: Vec<_> = context.timeline.iter().map(|event| (event.happening, event.timestamp)).collect();
    let created = at("2026-03-01T09:30:05Z");
    assert_eq!(
        happened,
        [(TimelineEventKind::AlertCreated, created), (TimelineEventKind::InvestigationOpened, created)]
    );
    assert_eq!(context.timeline_omitted, 0);
}
