//! Files of rules: which are accepted, which are refused with which line and reason, and what the built-in rules match.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that can't run should fail loudly")]

use countersign_domain::{SignalName, Transaction, signal::DetectionOutcome};
use countersign_signals::{Assessment, Detector, DetectorSettings, History, Rules};
use proptest::prelude::*;
use serde_json::{Value, json};

fn file(when: &str) -> String {
    format!("[[rules]]\nname = \"a_rule\"\nweight = 10\nmessage = \"It held.\"\nwhen = '''{when}'''\n")
}

/// `minutes` after a Sunday midnight in UTC.
fn tx(minutes: i64, fields: Value) -> Transaction {
    let at = countersign_domain::Time::from_micros(1_772_323_200_000_000 + minutes * 60_000_000).unwrap();
    let mut all = json!({
        "transaction_id": "tx", "user_id": "u", "amount": {"amount": "42.50", "currency": "USD"}, "occurred_at": at
    });
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

fn assess(rules: &str, earlier: &[Transaction], tx: &Transaction) -> Assessment {
    let mut history = History::new();
    earlier.iter().enumerate().for_each(|(seq, tx)| history.add(seq as u64, tx));
    Detector::new(DetectorSettings::default(), Rules::parse(rules).unwrap()).assess(1_000, tx, &history)
}

fn names(assessment: &Assessment) -> Vec<String> {
    let [.., (SignalName::RuleFlags, signal)] = assessment.signals() else { return Vec::new() };
    signal.flags.into_iter().map(|flag| flag.name).collect()
}

fn check_refused(text: &str, line: usize, reason: &str) {
    let error = Rules::parse(text).expect_err(text);
    assert!(error.line == line && error.reason.contains(reason), "{error}\nof {text}");
}

#[test]
fn the_built_in_rules_are_accepted() {
    let rules = Rules::parse(Rules::built_in_text()).unwrap();
    assert_eq!(rules.hash(), Rules::built_in().hash());
    assert_eq!(rules.names().len(), Rules::built_in().len());
    assert!(rules.list().all(|rule| rule.weight < 40), "one rule alone must not raise a medium alert");
}

#[test]
fn the_built_in_file_documents_every_variable() {
    for variable in Rules::variables() {
        let line = format!("#   {:<17} ", variable.name);
        assert!(Rules::built_in_text().contains(&line), "{}", variable.name);
    }
}

#[test]
fn rules_may_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Detector>();
}

#[test]
fn an_expression_that_can_fail_is_refused() {
    for (when, reason) in [
        ("amont > 5.0", "there is no variable \"amont\""),
        ("amount", "the expression is a decimal, not true or false"),
        ("count_1h + 1", "a whole number, not true or false"),
        ("[true]", "the expression is a list"),
        ("amount * 2 > 5.0", "`*` does not take a decimal and a whole number"),
        ("merchant > 5", "`>` does not take text and a whole number"),
        ("amount > 5.0 && merchant", "`&&` does not take true or false and text"),
        // Operands after a short-circuit are checked too.
        ("has_ip && nothing", "there is no variable \"nothing\""),
        ("has_ip || hour.minute == 3", "there is no field \"minute\""),
        ("count_1h / count_24h > 1", "can only be divided by a number that is written out"),
        ("count_1h % 0 == 1", "can only be divided by a number that is written out"),
        ("merchant.matches('a*')", "there is no function \"matches\""),
        ("[1, 2].all(x, x > 1)", "loops"),
        ("{'a': 1}.a == 1", "there is no field"),
        ("has(amount.x)", "there is no field"),
        ("currency in ['USD', 1]", "the values of a list must be of one kind"),
        ("currency in [1]", "`in` looks for text"),
        ("amount == null", "only true, false"),
        ("1u == 1u", "only true, false"),
        ("double(meta_x) > 3.0", "fails on a transaction without optional fields"),
        ("int(amount * 10000000000.0) > 3", "fails on an extreme transaction"),
        ("", "is not a CEL expression"),
        ("amount >", "is not a CEL expression"),
        ("((((((((((((((((((amount > 1.0))))))))))))))))))", "nested deeper than 16"),
    ] {
        check_refused(&file(when), 5, reason);
    }
}

#[test]
fn a_file_is_refused_with_the_line_of_the_error() {
    let good = file("amount > 5.0");
    let second = |more: &str| format!("{good}\n{more}");
    check_refused(&second("[[rules]]\nname = 7\n"), 8, "string");
    check_refused(&second("[[rules]]\nnam = \"x\"\n"), 8, "unknown field");
    check_refused(&second(&good), 7, "another rule has this name");
    check_refused(&second("nonsense"), 7, "");
    check_refused(&good.replace("a_rule", "A rule"), 1, "lower-case letters");
    check_refused(&good.replace("10", "0"), 1, "from 1 to 100");
    check_refused(&good.replace("10", "101"), 1, "from 1 to 100");
    check_refused(&good.replace("10", "300"), 3, "");
    check_refused(&good.replace("It held.", ""), 1, "message: must not be empty");
    check_refused(&good.replace("It held.", &"x".repeat(300)), 1, "message: is longer");
    check_refused(&file(&format!("{}true", "true && ".repeat(200))), 5, "longer than 1000 bytes");
    check_refused(&file(&format!("{}true", "true && ".repeat(110))), 5, "more than 200 parts");
    check_refused(&"x".repeat(70_000), 1, "larger than");
    let many: String = (0..65).map(|n| good.replace("a_rule", &format!("rule_{n}"))).collect();
    check_refused(&many, 64 * 5 + 1, "more than 64 rules");
    let error = Rules::parse(&file("nothing")).unwrap_err();
    assert_eq!(error.to_string(), "line 5, rule \"a_rule\": there is no variable \"nothing\"");
}

#[test]
fn a_rule_sees_the_fields_of_the_transaction() {
    let thin = tx(30, json!({}));
    let rich = tx(
        30,
        json!({
            "merchant": "CORNER Shop", "category": "Food", "channel": "atm", "ip_address": "192.0.2.1",
            "device_fingerprint": "d", "account_opened_at": "2026-02-27T00:00:00Z",
            "location": {"lat": 0, "lon": 45, "country": "KE"}, "metadata": {"type": "debit", "risk": 7, "flag": true, "deep": {}}
        }),
    );
    for (when, for_thin, for_rich) in [
        ("amount == 42.5 && currency == 'USD'", true, true),
        ("merchant.contains('corner')", false, true),
        ("merchant == '' && category == '' && channel == '' && country == '' && direction == ''", true, false),
        ("category == 'food' && channel == 'atm' && country == 'KE' && direction == 'out'", false, true),
        ("has_ip || has_device || has_location || is_hour_local", false, true),
        ("account_age_days == 2", false, true),
        ("account_age_days == -1", true, false),
        ("hour == 0 && weekday == 7", true, false),
        ("hour == 3 && weekday == 7", false, true),
        ("meta_risk == '7' && meta_flag == 'true' && meta_deep == ''", false, true),
        ("earlier == 0 && days_since_last == -1.0 && minutes_since_in == -1.0 && !has_baseline", true, true),
        ("median_amount == 0.0 && ratio_to_median == 0.0 && in_24h == 0.0 && alike_7d == 0", true, true),
        ("count_1h == 1 && count_24h == 1 && sum_1h == 42.5 && sum_24h == 42.5", true, true),
        ("is_new_device || is_new_country", false, false),
        ("amount > 40 ? hour < 3 : false", true, false),
        ("currency in ['EUR', 'USD'] && size(currency) == 3", true, true),
    ] {
        let held = |tx| !names(&assess(&file(when), &[], tx)).is_empty();
        assert_eq!((held(&thin), held(&rich)), (for_thin, for_rich), "{when}");
    }
}

#[test]
fn a_rule_sees_the_history_of_the_customer() {
    let earlier: Vec<_> = (1..=6).map(|hours| tx(-hours * 60, json!({"metadata": {"direction": "in"}}))).collect();
    for when in [
        "earlier == 6 && has_baseline && median_amount == 42.5 && ratio_to_median == 2.0",
        "count_1h == 1 && count_24h == 7 && sum_24h == 340.0",
        "days_since_last > 0.04 && days_since_last < 0.05",
        "minutes_since_in == 60.0 && in_24h == 255.0",
        "alike_7d == 0",
    ] {
        let now = tx(0, json!({"amount": {"amount": "85", "currency": "USD"}}));
        assert_eq!(names(&assess(&file(when), &earlier, &now)).len(), 1, "{when}");
    }
    assert_eq!(names(&assess(&file("alike_7d == 6"), &earlier, &tx(0, json!({})))).len(), 1);
}

/// Six purchases of 42.50 in Lisbon with one device, one a day.
fn ordinary() -> Vec<Transaction> {
    let place = json!({"location": {"lat": 38.7, "lon": -9.1, "country": "PT"}, "device_fingerprint": "own"});
    (1..=6).map(|days| tx(-days * 1_440, place.clone())).collect()
}

fn check_built_in(earlier: &[Transaction], tx: &Transaction, expected: &[&str]) {
    assert_eq!(names(&assess(Rules::built_in_text(), earlier, tx)), expected, "{tx:?}");
}

#[test]
fn each_built_in_rule_holds_within_its_limits_only() {
    let of = |amount: &str| json!({"amount": {"amount": amount, "currency": "USD"}});
    check_built_in(&[], &tx(720, of("42.50")), &[]);
    check_built_in(&[], &tx(720, of("600")), &["round_amount"]);
    check_built_in(&[], &tx(720, of("600.50")), &[]);
    check_built_in(&[], &tx(720, of("400")), &[]);
    check_built_in(&[], &tx(720, of("9500.10")), &["just_below_threshold"]);
    check_built_in(&[], &tx(720, of("10000.10")), &[]);
    check_built_in(&[], &tx(720, json!({"amount": {"amount": "9500", "currency": "JPY"}})), &["round_amount"]);
    let twice = [tx(-100, of("9400.10")), tx(-5_000, of("9600.10"))];
    check_built_in(&twice, &tx(720, of("9500.10")), &["just_below_threshold", "repeated_below_threshold"]);
    check_built_in(&ordinary(), &tx(120, of("42.50")), &[]);
    check_built_in(&ordinary(), &tx(120, of("90.50")), &["night_hours"]);
    check_built_in(&ordinary(), &tx(720, of("90.50")), &[]);
    check_built_in(&ordinary(), &tx(720, json!({"device_fingerprint": "other"})), &["new_device"]);
    check_built_in(&ordinary()[..4], &tx(720, json!({"device_fingerprint": "other"})), &[]);
    let abroad = json!({"device_fingerprint": "other", "location": {"lat": 41.4, "lon": 2.2, "country": "ES"}});
    check_built_in(&ordinary(), &tx(720, abroad), &["new_device", "new_device_and_country"]);
    check_built_in(&[tx(-180 * 1_440, json!({}))], &tx(0, json!({})), &["dormant_account"]);
    check_built_in(&[tx(-179 * 1_440, json!({}))], &tx(0, json!({})), &[]);
    let way = |way: &str| json!({"metadata": {"direction": way}});
    check_built_in(&[tx(-30, way("in"))], &tx(0, way("out")), &["rapid_in_out"]);
    check_built_in(&[tx(-1_440, way("in"))], &tx(0, way("out")), &[]);
    check_built_in(&[tx(-30, way("in"))], &tx(0, way("in")), &[]);
    let tries: Vec<_> = ordinary().into_iter().chain((1..=4).map(|n| tx(-n, of("1.00")))).collect();
    check_built_in(&tries, &tx(0, of("1.00")), &["card_testing"]);
}

#[test]
fn the_signal_says_by_which_clock_the_hour_was_read() {
    let night = |place: Value| {
        let mut earlier = ordinary();
        earlier.iter_mut().for_each(|tx| tx.location = None);
        let mut fields = json!({"amount": {"amount": "90.50", "currency": "USD"}});
        fields.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        let [.., (_, signal)] = assess(Rules::built_in_text(), &earlier, &tx(120, fields)).signals();
        signal
    };
    let utc = night(json!({}));
    assert_eq!(utc.explanation, "1 of 9 rules held: night_hours (10 points); the hour was 2 by UTC.");
    let local = night(json!({"location": {"lat": 0, "lon": 15, "country": "GA"}}));
    assert_eq!(
        local.explanation,
        "1 of 9 rules held: night_hours (10 points); the hour was 3 by the location's longitude."
    );
    assert_eq!(local.details["hour_by"], json!("the location's longitude"));
}

#[test]
fn without_rules_the_signal_does_not_apply() {
    let [.., (_, signal)] = assess("", &[], &tx(0, json!({}))).signals();
    assert_eq!(
        (signal.outcome, signal.explanation.as_str()),
        (DetectionOutcome::NotApplicable, "No rules were in force.")
    );
}

#[test]
fn a_rule_that_overflows_counts_as_not_held_and_is_named() {
    let rules = file("count_1h * 1000000000000000000 > 0");
    let earlier: Vec<_> = (0..9).map(|_| tx(0, json!({}))).collect();
    let assessment = assess(&rules, &earlier, &tx(1, json!({})));
    assert_eq!((assessment.failed_rules(), assessment.contributions()[3]), (vec!["a_rule"], 0));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        let _ = Rules::parse(&text);
        let _ = Rules::parse(&file(&text));
    }

    #[test]
    fn nothing_that_looks_like_cel_makes_the_reader_panic(
        parts in prop::collection::vec(prop::sample::select(vec![
            "amount", "count_1h", "merchant", "true", "1", "2.5", "'x'", "&&", "||", "==", ">", "+", "%", "/", "(", ")", "[", "]",
            "{", "}", "?", ":", ",", ".", "!", "-", " in ", "size(", "has(", ".all(x, ", "meta_x", "r'\\", "\"\"\"", "b'", "u", "`",
            "1e999", "9223372036854775808", "\u{202e}", "🦓", "\\u", "//",
        ]), 0..40)
    ) {
        if let Ok(rules) = Rules::parse(&file(&parts.concat())) {
            // Accepted rules can be run.
            Detector::new(DetectorSettings::default(), rules).assess(1, &tx(0, json!({})), &History::new()).signals_json();
        }
    }
}
