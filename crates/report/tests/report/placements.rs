//! More personal facts, each planted in one field: names from many cultures, names that are also words, dates of birth,
//! addresses, numbers and ids. Also values that identify no one and must stay readable.

use countersign_domain::payload::ReportType;
use serde_json::{Map, Value, json};

use crate::cases::{Case, earlier, ordinary, read};

const PLACEMENTS: &str = include_str!("placements.tsv");
const READABLE: &str = include_str!("readable.tsv");
/// The customer's id, in the rows that plant it.
const CUSTOMER_ID: &str = "amina.wekesa61";

fn metadata(case: &mut Case, key: &str, value: Value) {
    case.transaction.as_mut().unwrap().metadata.insert(key.to_owned(), value);
}

fn signal(case: &mut Case, name: &str, value: Value) {
    case.from_detector = false;
    case.alert.metadata.signals.insert(name.to_owned(), value);
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

fn plain() -> Case {
    let mut case = ordinary(ReportType::Full);
    case.history = vec![earlier(3, "user-7731")];
    case.transaction.as_mut().unwrap().metadata = read(json!({}));
    case
}

fn plant(case: &mut Case, field: &str, text: &str) {
    let transaction = case.transaction.as_mut().unwrap();
    match field {
        "merchant" => transaction.merchant = Some(text.to_owned()),
        "category" => transaction.category = Some(text.to_owned()),
        "city" => transaction.location.as_mut().unwrap().city = Some(text.to_owned()),
        "earlier merchant" => case.history[0].merchant = Some(text.to_owned()),
        "earlier city" => case.history[0].location.as_mut().unwrap().city = Some(text.to_owned()),
        "alert_id" => case.alert.alert_id = text.parse().unwrap(),
        "transaction_id" => transaction.transaction_id = text.parse().unwrap(),
        "alertmeta:rules_hash" => {
            case.alert.metadata.more.insert("rules_hash".to_owned(), json!(text));
        }
        "sig:explanation" => signal(case, "amount_deviation", json!({"value": 5.5, "explanation": text})),
        "sig:details" => signal(case, "amount_deviation", json!({"value": 5.5, "details": {"note": text}})),
        "flagmsg" => {
            let flags = json!({"flags": [{"name": "night_hours", "weight": 5, "message": text}]});
            signal(case, "rule_flags", flags);
        }
        "signame" => signal(case, text, json!({"value": 3})),
        "metaraw" => object(text).into_iter().for_each(|(key, value)| metadata(case, &key, value)),
        "sigraw" => object(text).into_iter().for_each(|(name, value)| signal(case, &name, value)),
        "own id" => {
            transaction.user_id = CUSTOMER_ID.parse().unwrap();
            case.alert.user_id = CUSTOMER_ID.parse().unwrap();
            metadata(case, "memo", json!(text));
        }
        field => metadata(case, field.strip_prefix("meta:").unwrap(), json!(text)),
    }
}

/// The context in lower case without accents, and without the id that is derived from the alert's id.
fn seen(case: &Case) -> String {
    let mut context = serde_json::to_value(case.context()).unwrap();
    context["case"]["investigation_id"] = Value::Null;
    let text = context.to_string().to_lowercase();
    let base = |letter: char| match letter {
        'á' | 'à' | 'ä' | 'ã' | 'å' | 'ą' => 'a',
        'č' | 'ç' | 'ć' => 'c',
        'é' | 'è' | 'ė' | 'ę' => 'e',
        'í' | 'ı' => 'i',
        'ł' => 'l',
        'ó' | 'ö' | 'ø' => 'o',
        'š' | 'ş' | 'ś' => 's',
        'ū' | 'ü' | 'ú' => 'u',
        'ý' => 'y',
        'ž' | 'ź' | 'ż' => 'z',
        other => other,
    };
    text.chars().map(base).collect()
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[test]
fn no_placed_fact_reaches_a_context() {
    let usual = seen(&plain());
    let count = |text: &str, part: &str| text.matches(part).count();
    let (mut placements, mut found) = (0, Vec::new());
    for row in rows(PLACEMENTS) {
        let [field, text, parts] = row[..] else { panic!("{row:?}") };
        let mut case = plain();
        plant(&mut case, field, text);
        let out = seen(&case);
        placements += 1;
        let leaked = parts.split('|').filter(|part| count(&out, part) > count(&usual, part));
        found.extend(leaked.map(|part| format!("{field}: {part:?} of {text:?}")));
    }
    assert!(placements >= 430, "{placements}");
    assert!(found.is_empty(), "{} of {placements} got through:\n{}", found.len(), found.join("\n"));
}

#[test]
fn values_that_identify_no_one_stay_readable() {
    let mut masked = Vec::new();
    for row in rows(READABLE) {
        let [field, text] = row[..] else { panic!("{row:?}") };
        let mut case = plain();
        plant(&mut case, field, text);
        let context = serde_json::to_value(case.context()).unwrap();
        let transaction = &context["transaction"];
        let shown = match field {
            "merchant" => &transaction["merchant"],
            "city" => &transaction["location"]["city"],
            "signame" => context["signals"]
                .as_array()
                .unwrap()
                .iter()
                .map(|signal| &signal["name"])
                .find(|name| *name == text)
                .unwrap_or(&Value::Null),
            _ => &transaction["metadata"]["memo"],
        };
        if shown != text {
            masked.push(format!("{field}: {text:?} became {shown}"));
        }
    }
    assert!(masked.is_empty(), "{}", masked.join("\n"));
}
