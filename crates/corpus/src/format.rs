//! Formats facts as reports do: `USD 1,250.00`, `1 March 2026`, `nine`.

use countersign_domain::{Money, Time};
use countersign_text::calendar::MONTHS;
use jiff::{civil::DateTime, tz::TimeZone};

/// The words for small counts. Zero is "no", as in "no alerts".
const NUMBER_WORDS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

pub(crate) fn money(money: &Money) -> String {
    format!("{} {}", money.currency(), grouped(&money.amount().to_string()))
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
        return grouped(&format!("{value:.0}"));
    }
    let text = format!("{value:.2}");
    grouped(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A count, in words if it is small: `nine`, `12`.
pub(crate) fn count(number: u64) -> String {
    usize::try_from(number)
        .ok()
        .and_then(|number| NUMBER_WORDS.get(number))
        .map_or_else(|| grouped(&number.to_string()), |word| (*word).to_owned())
}

/// The plural ending of a noun after this number.
pub(crate) fn plural_ending(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// A number, given as text, with commas between groups of three digits.
pub(crate) fn grouped(text: &str) -> String {
    let (whole, decimals) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |rest| ("-", rest));
    let mut grouped = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    decimals.map_or(grouped.clone(), |decimals| format!("{grouped}.{decimals}"))
}

pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
