//! Any text is checked against any context without a panic and with offsets inside the text, even a long and hostile one.

use countersign_factcheck::{Checked, Facts, check_figures as check};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::case;

fn assert_within(text: &str, checked: &Checked) {
    let len = text.chars().count();
    let claims = checked.claims.iter().map(|claim| (claim.start, claim.end));
    let refused = checked.refused.iter().map(|refused| (refused.start, refused.end));
    for (start, end) in claims.chain(refused) {
        assert!(start < end && end <= len, "{start}..{end} of {len}: {text:?}");
    }
    for refused in &checked.refused {
        assert!(refused.describe().chars().count() < 4_000);
    }
}

/// Texts made of fragments that are hard to read.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("USD ".to_owned()),
        Just("$".to_owned()),
        Just("-".to_owned()),
        Just("***".to_owned()),
        Just("**".to_owned()),
        Just("`".to_owned()),
        Just("\"".to_owned()),
        Just(" of ".to_owned()),
        Just(" out of ".to_owned()),
        Just(" and ".to_owned()),
        Just("one ".to_owned()),
        Just("hundred ".to_owned()),
        Just(" million ".to_owned()),
        Just(" March ".to_owned()),
        Just(" hours ".to_owned()),
        Just(" percent".to_owned()),
        Just(" third alert".to_owned()),
        Just(" no prior alerts ".to_owned()),
        Just(" no two prior alerts ".to_owned()),
        Just("\u{202e}\u{200b}\n".to_owned()),
        Just("٣½Ⅳ①千".to_owned()),
        Just(".".to_owned()),
        Just(", ".to_owned()),
        "[0-9]{1,30}",
        "[0-9.,:'/-]{1,12}",
        "\\PC{0,6}",
        "[A-Z][a-z]{0,6} ",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        pieces().prop_map(Value::from),
        ("[0-9.eE+-]{1,40}", "[A-Z]{0,4}")
            .prop_map(|(amount, currency)| json!({"amount": amount, "currency": currency})),
    ];
    let keys = prop_oneof![
        Just("score".to_owned()),
        Just("signals".to_owned()),
        Just("name".to_owned()),
        Just("unit".to_owned()),
        Just("severity".to_owned()),
        Just("explanation".to_owned()),
        Just("user_id".to_owned()),
        Just("country".to_owned()),
        "[a-z0-9_~/]{0,12}",
        "\\PC{0,8}",
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(keys.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn offsets_are_inside_any_text(text in prop_oneof![pieces(), "\\PC{0,200}"]) {
        assert_within(&text, &check(&text, &Facts::of(&case())));
    }

    #[test]
    fn any_json_is_accepted_as_a_context(context in any_json(), text in pieces()) {
        assert_within(&text, &check(&text, &Facts::of(&context)));
    }
}

#[test]
fn offsets_are_inside_long_hostile_texts() {
    let facts = Facts::of(&case());
    for piece in [
        "USD 9,800.00 ",
        "one ",
        "1 000 ",
        "***",
        "\"x ",
        "`",
        "Blue ",
        "a dozen ",
        "third alert ",
        "-",
        "9",
        "March ",
        "no ",
    ] {
        let text = piece.repeat(65_536 / piece.len());
        assert_within(&text, &check(&text, &facts));
    }
}

/// Regression test: the words around a count of zero end before the next figure, which may come before the noun.
#[test]
fn a_count_of_none_may_have_another_figure_before_its_noun() {
    let facts = Facts::of(&case());
    for text in ["No two prior alerts were alike.", "There were no 5 prior alerts.", "Without two similar alerts."] {
        assert_within(text, &check(text, &facts));
    }
}

#[test]
fn a_large_context_is_indexed_whole() {
    let entry =
        |at: usize| json!({"timestamp": "2026-03-01T09:30:12.000000Z", "event": format!("USD {at}.00 at Shop {at}")});
    let context = json!({"timeline": (0..5_000).map(entry).collect::<Vec<_>>(), "signals": "x".repeat(200_000)});
    let facts = Facts::of(&context);
    assert!(check("It was USD 4,999.00 at Shop 17.", &facts).refused.is_empty());
    assert_eq!(check("It was USD 5,001.00.", &facts).refused.len(), 1);
}

#[test]
fn a_signal_with_an_ordinary_name_is_found_only_where_the_text_calls_it_a_signal() {
    let signal = |name: &str, threshold: u64| json!({"name": name, "outcome": "reported", "threshold": threshold});
    let context = json!({"signals": [signal("Too", 7), signal("A", 8), signal("geographic_inconsistency", 1_000)]});
    let facts = Facts::of(&context);
    for text in [
        "Geographic inconsistency had too little history, so its threshold of 1,000 was never applied.",
        "Geographic inconsistency had a threshold of 1,000.",
        "The sender reported signal `Too` with a threshold of 7.",
    ] {
        assert_eq!(check(text, &facts).refused, [], "{text}");
    }
    let text = "The sender reported signal `Too` with a threshold of 8.";
    assert_eq!(check(text, &facts).refused.len(), 1, "{text}");
}
