//! Formats facts as reports do: `USD 1,250.00`, `1 March 2026`, `nine`.

use countersign_domain::{Money, Time};
use countersign_text::{
    calendar::MONTHS,
    numbers::{UNITS, with_thousands},
};
use jiff::{civil::DateTime, tz::TimeZone};

pub(crate) fn money(money: &Money) -> String {
    format!("{} {}", money.currency(), with_thousands(&money.amount().to_string()))
}

fn civil(at: Time) -> DateTime {
    TimeZone::UTC.to_datetime(at.timestamp())
}

/// A date: `1 March 2026`.
pub(crate) fn date(at: Time) -> String {
    let day = civil(at).date();
    let month = usize::try_from(day.month() - 1).ok().and_then(|index| MONTHS.get(index));
    // Every month of a date is in the table, so the fallback is never used.
    format!("{} {} {}", day.day(), month.unwrap_or(&MONTHS[0]), day.year())
}

/// A time of day: `09:30 UTC`.
pub(crate) fn time_to_minute(at: Time) -> String {
    let time = civil(at).time();
    format!("{:02}:{:02} UTC", time.hour(), time.minute())
}

/// A time of day with seconds: `09:30:12 UTC`.
pub(crate) fn time_to_second(at: Time) -> String {
    let time = civil(at).time();
    format!("{:02}:{:02}:{:02} UTC", time.hour(), time.minute(), time.second())
}

/// The index of a month's name; January is 0.
pub(crate) fn month_index(text: &str) -> Option<usize> {
    MONTHS.iter().position(|month| *month == text)
}

/// The name of a month. Indexes beyond 11 start again with January.
pub(crate) fn month_name(index: usize) -> &'static str {
    // The remainder is always in the table, so the fallback is never used.
    MONTHS.get(index % 12).copied().unwrap_or(MONTHS[0])
}

/// A number with at most two decimals.
pub(crate) fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        return with_thousands(&format!("{value:.0}"));
    }
    let text = format!("{value:.2}");
    with_thousands(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A count, in words below ten: `no`, `nine`, `12`.
pub(crate) fn count(number: u64) -> String {
    match usize::try_from(number).ok().and_then(|number| UNITS[..10].get(number)) {
        Some(_) if number == 0 => "no".to_owned(),
        Some(word) => (*word).to_owned(),
        None => with_thousands(&number.to_string()),
    }
}

/// The plural ending of a noun after this number.
pub(crate) fn plural_ending(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
