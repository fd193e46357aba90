//! Reading the context, for stage 7: reads the facts of a case from its context.

use std::cmp::Ordering;

use rust_decimal::Decimal;
use serde_json::Value;

use super::{SignalFact, SignalState};
use crate::fold::normalised;
use crate::licence::case_figures::find;

const SIGNALS_MAX: usize = 64;

/// A value that is below its threshold by less than this fraction may have been rounded down from a value that reached
/// it.
const ROUNDING: f64 = 0.005;

/// Larger floats are not treated as measurements.
const READABLE_MAX: f64 = 1e12;

pub(super) fn signals(context: &Value) -> Vec<SignalFact> {
    let contributed = |name: &str| {
        let all = find(context, "/score/contributions")?.as_array()?;
        let of = all.iter().find(|part| part.get("signal").and_then(Value::as_str) == Some(name))?;
        of.get("points")?.as_u64()
    };
    let read = |signal: &Value| {
        let name = signal.get("name")?.as_str()?;
        let number = |key: &str| signal.get(key).and_then(Value::as_f64);
        let readable = |value: &f64| value.is_finite() && value.abs() < READABLE_MAX;
        let (value, threshold) = (number("value").filter(readable), number("threshold").filter(readable));
        Some(SignalFact {
            name: normalised(&name.replace('_', " ")),
            outcome: match signal.get("outcome").and_then(Value::as_str) {
                Some("fired") => SignalState::Fired,
                Some("clear") => SignalState::Clear,
                Some("reported") => SignalState::Reported,
                _ => SignalState::NoResult,
            },
            order: value
                .zip(threshold)
                .and_then(|(value, threshold)| as_written(value).partial_cmp(&as_written(threshold))),
            has_value: value.is_some(),
            is_measured: number("value").is_some()
                && number("threshold").is_some()
                && signal.get("unit").and_then(Value::as_str).is_some_and(|unit| !unit.trim().is_empty()),
            is_below_threshold: number("value")
                .zip(number("threshold"))
                .is_some_and(|(value, threshold)| value < threshold - threshold.abs() * ROUNDING),
            has_threshold: threshold.is_some(),
            points: signal.get("contribution").and_then(Value::as_u64).or_else(|| contributed(name)),
            is_new_country: find(signal, "/details/is_new_country").and_then(Value::as_bool) == Some(true),
            rules_held: signal.get("flags").and_then(Value::as_array).map_or(0, Vec::len),
        })
    };
    let all = find(context, "/signals").and_then(Value::as_array);
    all.map(|all| all.iter().take(SIGNALS_MAX).filter_map(read).collect()).unwrap_or_default()
}

pub(super) fn rules(context: &Value) -> Vec<(String, u64)> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let flags = signals.iter().filter_map(|signal| signal.get("flags")?.as_array()).flatten();
    let read = |flag: &Value| Some((normalised(flag.get("name")?.as_str()?), flag.get("weight")?.as_u64()?));
    flags.take(SIGNALS_MAX).filter_map(read).collect()
}

/// The country where the account was last used, and the country of this transaction.
pub(super) fn route(context: &Value) -> Option<(String, String)> {
    let signals = find(context, "/signals")?.as_array()?;
    signals.iter().find_map(|signal| {
        let country = |key: &str| find(signal, key)?.as_str().map(str::to_owned);
        Some((country("/details/from_country")?, country("/details/to_country")?))
    })
}

/// The country that a signal calls new to the customer.
pub(super) fn new_country(context: &Value) -> Option<String> {
    let signals = find(context, "/signals")?.as_array()?;
    let signal =
        signals.iter().find(|signal| find(signal, "/details/is_new_country").and_then(Value::as_bool) == Some(true))?;
    find(signal, "/details/to_country")?.as_str().map(str::to_owned)
}

/// Whether a journey was faster than its limit, if the signal's value is in km/h.
pub(super) fn is_too_fast(context: &Value) -> bool {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_fast = |signal: &Value| {
        let number = |path: &str| find(signal, path).and_then(Value::as_f64);
        let is_speed = signal.get("unit").and_then(Value::as_str) == Some("km/h");
        let speed = if is_speed { number("/value") } else { None };
        speed.zip(number("/threshold")).is_some_and(|(speed, limit)| speed >= limit)
    };
    signals
        .iter()
        .filter(|signal| signal.get("name").and_then(Value::as_str) == Some("geographic_inconsistency"))
        .any(is_fast)
}

/// All counts of the signals, the baseline and the customer's history. Limits are left out.
pub(super) fn counts(context: &Value) -> Vec<u64> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let whole = |value: &Value| {
        value.as_f64().filter(|value| *value >= 0.0 && value.fract() == 0.0 && *value < 1e15).map(|value| value as u64)
    };
    let of_signal = |signal: &Value| {
        let details = signal.get("details").and_then(Value::as_object);
        let counted =
            details.into_iter().flatten().filter(|(key, _)| key.starts_with("count") && !key.ends_with("_limit"));
        let value = signal.get("value").and_then(whole);
        let before = signal.get("baseline").and_then(Value::as_object);
        let before = before.into_iter().flatten().filter(|(key, _)| !key.ends_with("_needed"));
        let counted = counted.chain(before);
        counted.filter_map(|(_, count)| whole(count)).chain(value).collect::<Vec<_>>()
    };
    let known = ["/baseline/transactions", "/subject/transaction_count"]
        .into_iter()
        .filter_map(|path| find(context, path)?.as_u64());
    signals.iter().take(SIGNALS_MAX).flat_map(of_signal).chain(known).collect()
}

/// The paths of the limits in signal details, and how the limited value compares with each.
pub(super) fn limits(context: &Value) -> Vec<(String, Ordering)> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_signal = |(at, signal): (usize, &Value)| {
        let details = signal.get("details").and_then(Value::as_object)?;
        let number = |value: &Value| value.as_f64().or_else(|| value.get("amount")?.as_str()?.parse().ok());
        let of = details.iter().filter_map(|(key, limit)| {
            let value = details.get(key.strip_suffix("_limit")?)?;
            let order = number(value)?.partial_cmp(&number(limit)?)?;
            Some((format!("/signals/{at}/details/{key}"), order))
        });
        Some(of.collect::<Vec<_>>())
    };
    signals.iter().enumerate().take(SIGNALS_MAX).filter_map(of_signal).flatten().collect()
}

/// The paths of signal details that have equal values over an hour and over a day.
pub(super) fn equal_windows(context: &Value) -> Vec<String> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_signal = |(at, signal): (usize, &Value)| {
        let details = signal.get("details").and_then(Value::as_object)?;
        let same = details.iter().filter(|(key, value)| {
            let other = if key.contains("_24h") { key.replace("_24h", "_1h") } else { key.replace("_1h", "_24h") };
            other != **key && details.get(&other) == Some(value)
        });
        Some(same.map(|(key, _)| format!("/signals/{at}/details/{key}")).collect::<Vec<_>>())
    };
    signals.iter().enumerate().take(SIGNALS_MAX).filter_map(of_signal).flatten().collect()
}

/// The events of the timeline.
pub(super) fn events(context: &Value) -> &[Value] {
    find(context, "/timeline").and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

/// The time and the amount of each event of the timeline.
pub(super) fn timeline(context: &Value) -> Vec<(String, Option<String>)> {
    let text = |event: &Value, path: &str| find(event, path).and_then(Value::as_str).map(str::to_owned);
    events(context)
        .iter()
        .map(|event| (text(event, "/timestamp").unwrap_or_default(), text(event, "/amount/amount")))
        .collect()
}

/// The place of each transaction on the timeline: time, whether it was an earlier one, country, and city.
pub(super) fn places(context: &Value) -> Vec<(String, bool, String, Option<String>)> {
    let read = |event: &Value| {
        let is_earlier = event.get("happening").and_then(Value::as_str) == Some("prior_transaction");
        let at = event.get("timestamp")?.as_str()?.to_owned();
        let country = find(event, "/location/country")?.as_str()?.to_owned();
        let city = find(event, "/location/city").and_then(Value::as_str).map(normalised);
        Some((at, is_earlier, country, city))
    };
    events(context).iter().filter_map(read).collect()
}

/// The time of the first (or the last) earlier transaction on the timeline.
pub(super) fn earlier_at(context: &Value, first: bool) -> Option<String> {
    let mut earlier = events(context)
        .iter()
        .filter(|event| event.get("happening").and_then(Value::as_str) == Some("prior_transaction"));
    let event = if first { earlier.next() } else { earlier.next_back() };
    event?.get("timestamp")?.as_str().map(str::to_owned)
}

/// The countries of earlier transactions, from the timeline, the baseline and the journey.
pub(super) fn earlier_countries(context: &Value) -> Vec<String> {
    let earlier = events(context)
        .iter()
        .filter(|event| event.get("happening").and_then(Value::as_str) == Some("prior_transaction"));
    let mut countries: Vec<String> =
        earlier.filter_map(|event| find(event, "/location/country")?.as_str().map(str::to_owned)).collect();
    let usual = find(context, "/baseline/countries").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    countries.extend(usual.iter().filter_map(|one| one.get("country")?.as_str().map(str::to_owned)));
    countries.extend(route(context).map(|(from, _)| from));
    countries.sort_unstable();
    countries.dedup();
    countries
}

/// Whether a report could quote at least the beginning of a text. A text that can't be quoted counts as not stated.
pub(super) fn can_be_quoted(text: &str) -> bool {
    let is_letter = |c: char| {
        matches!(c,
            'A'..='Z' | 'a'..='z' | 'À'..='ſ' | 'Ά'..='ώ' | 'Ѐ'..='џ' | 'א'..='ת' | 'ء'..='ي' | 'ぁ'..='ヺ' | 'ー' | '一'..='鿿' | '가'..='힣')
            && c.is_alphabetic()
    };
    let is_quotable = |c: &char| is_letter(*c) || c.is_ascii_digit() || " .,'&-/+:()!?%@".contains(*c);
    let rest = text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end();
    let letters = rest.chars().take(40).take_while(is_quotable).filter(|c| c.is_alphabetic()).count();
    // A fragment of two letters would match too many words. Two letters are only enough if they are the whole text.
    let is_whole = rest.chars().count() <= 40 && rest.chars().all(|c| is_quotable(&c)) && !rest.contains("  ");
    letters > 2 || letters == 2 && is_whole
}

/// Rounds to two decimals, as reports do, so that figures that look equal compare as equal.
fn as_written(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

pub(super) fn decimal(money: &Value) -> Option<Decimal> {
    money.get("amount")?.as_str()?.parse().ok()
}
