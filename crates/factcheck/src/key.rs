//! Reading the context: what a key says about the facts below it. Keys repeat, so each distinct key is read only once.

use std::borrow::Cow;
use std::sync::Arc;

use crate::concept::{self as c, stem};
use crate::fact::NumberClass;
use crate::fold::lower_case;

#[derive(Debug)]
pub(crate) struct ContextKey<'a> {
    /// The key in lower case.
    pub(crate) name: Cow<'a, str>,
    /// The concepts of the words in the key.
    pub(crate) concepts: u64,
    /// The kind of its numbers, if a word of the key says it: `account_age_days`.
    pub(crate) class: Option<NumberClass>,
    /// The window of time that the key names, in seconds: `count_24h`.
    pub(crate) window: Option<u64>,
    pub(crate) stems: Arc<[String]>,
    /// The key has the word "count" or "number".
    pub(crate) is_count: bool,
    /// The key has the word "smallest" or "largest".
    pub(crate) is_extreme: bool,
    pub(crate) is_country: bool,
    pub(crate) is_currency: bool,
    /// The key ends in "id".
    pub(crate) is_id: bool,
    pub(crate) is_hash: bool,
    pub(crate) is_sentence: bool,
}

/// Keys whose values are sentences.
const SENTENCES: [&str; 6] = ["explanation", "message", "event", "description", "reason", "unit"];

impl<'a> ContextKey<'a> {
    pub(crate) fn of(key: &'a str) -> Self {
        let name = lower_case(key);
        let words: Vec<&str> = words(&name).collect();
        let says = |known: [&str; 2]| words.iter().any(|word| known.contains(word));
        Self {
            concepts: concepts_of(&name),
            class: words.iter().rev().find_map(|word| class_of_word(word)),
            window: words.iter().find_map(|word| window_of_word(word)),
            stems: words.iter().map(|word| stem(word).to_owned()).collect(),
            is_count: says(["count", "number"]),
            is_extreme: says(["smallest", "largest"]),
            is_country: name.contains("country"),
            is_currency: name.contains("currency"),
            is_id: name.ends_with("id"),
            is_hash: name.ends_with("hash"),
            is_sentence: SENTENCES.contains(&name.as_ref()),
            name,
        }
    }
}

/// The words of a key or a unit.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The concepts of the words of a key or a unit in lower case.
pub(crate) fn concepts_of(text: &str) -> u64 {
    words(text).fold(0, |all, word| all | c::of(word))
}

/// The window of time that a key such as `count_24h` names, in seconds.
pub(crate) fn window(key: &str) -> Option<u64> {
    words(key).find_map(window_of_word)
}

fn window_of_word(word: &str) -> Option<u64> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let number: u64 = word[..digits].parse().ok().filter(|number| *number <= 10_000)?;
    let unit = match &word[digits..] {
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600,
        "d" | "day" | "days" => 86_400,
        "m" | "min" | "mins" | "minutes" => 60,
        _ => return None,
    };
    Some(number * unit)
}

fn class_of_word(word: &str) -> Option<NumberClass> {
    Some(match word {
        "seconds" => NumberClass::Duration(1),
        "minutes" => NumberClass::Duration(60),
        "hours" => NumberClass::Duration(3_600),
        "days" => NumberClass::Duration(86_400),
        "weeks" => NumberClass::Duration(604_800),
        "months" => NumberClass::Duration(2_629_746),
        "years" => NumberClass::Duration(31_556_952),
        "km" => NumberClass::Km,
        "kmh" | "kph" | "speed" => NumberClass::Kmh,
        "ratio" | "multiple" | "factor" | "times" => NumberClass::Ratio,
        "percent" | "pct" | "percentage" | "share" => NumberClass::Percent,
        "score" | "points" | "contribution" | "weight" => NumberClass::Points,
        "count" | "transactions" | "alerts" | "omitted" | "countries" | "devices" => NumberClass::Count,
        _ => return None,
    })
}

pub(crate) fn class_of_unit(unit: &str) -> NumberClass {
    match unit {
        "km/h" | "kmh" => NumberClass::Kmh,
        "km" => NumberClass::Km,
        "x" | "times" => NumberClass::Ratio,
        "%" => NumberClass::Percent,
        // A z-score is not measured in points.
        _ if unit.contains("score") => NumberClass::Measure,
        _ => words(unit).filter_map(class_of_word).next().unwrap_or(NumberClass::Measure),
    }
}
