//! Formats facts for the built-in writer's sentences: money, dates, rounded numbers, counts, lists. Documents use `figures.rs` in
//! the crate's root, which shows every decimal and second.

use countersign_domain::Time;
use countersign_text::calendar::{MONTHS, month_name};
use countersign_text::numbers::{UNITS, with_thousands};
use jiff::{civil::DateTime, tz::TimeZone};

pub(super) use crate::figures::money;

/// `1 March 2026`
pub(super) fn date(at: Time) -> String {
    let day = civil(at).date();
    format!("{} {} {}", day.day(), month(day.month()), day.year())
}

/// `1 March 2026 at 09:30 UTC`
pub(super) fn moment(at: Time) -> String {
    let time = civil(at).time();
    format!("{} at {:02}:{:02} UTC", date(at), time.hour(), time.minute())
}

/// `1 March 2026 at 09:30:12 UTC`
pub(super) fn moment_exact(at: Time) -> String {
    let time = civil(at).time();
    format!("{} at {:02}:{:02}:{:02} UTC", date(at), time.hour(), time.minute(), time.second())
}

fn civil(at: Time) -> DateTime {
    TimeZone::UTC.to_datetime(at.timestamp())
}

fn month(month: i8) -> &'static str {
    // A civil date's month is always from 1 to 12.
    u8::try_from(month).ok().and_then(month_name).unwrap_or(MONTHS[0])
}

/// Larger floats are not treated as measurements.
const READABLE_MAX: f64 = 1e12;

/// A number with at most two decimals and separated thousands. `None` if it is not readable.
pub(super) fn number(number: f64) -> Option<String> {
    if !number.is_finite() || number.abs() >= READABLE_MAX {
        return None;
    }
    if number.fract() == 0.0 {
        return Some(with_thousands(&(number as i64).to_string()));
    }
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Some(with_thousands(if text == "-0" { "0" } else { text }))
}

/// `12,480`
pub(super) fn whole(number: u64) -> String {
    with_thousands(&number.to_string())
}

/// `no alerts`, `one alert`, `nine alerts`, `12 alerts`; `one` and `many` are the noun.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    match usize::try_from(number).ok().and_then(|number| UNITS[..10].get(number)) {
        Some(_) if number == 0 => format!("no {noun}"),
        Some(word) => format!("{word} {noun}"),
        None => format!("{} {noun}", whole(number)),
    }
}

/// `1 point`, `41 points`
pub(super) fn count_in_digits(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", whole(number), if number == 1 { one } else { many })
}

/// `count` of a list's length.
pub(super) fn length(length: usize, one: &str, many: &str) -> String {
    count(u64::try_from(length).unwrap_or(u64::MAX), one, many)
}

/// `a`, `a and b`, `a, b and c`
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        let at: Time = "2026-03-01T11:30:12.9+02:00".parse().unwrap();
        assert_eq!(date(at), "1 March 2026");
        assert_eq!(moment(at), "1 March 2026 at 09:30 UTC");
        assert_eq!(moment_exact(at), "1 March 2026 at 09:30:12 UTC");
    }

    #[test]
    fn numbers_have_at_most_two_decimals() {
        let rows = [(3.5, "3.5"), (7.214, "7.21"), (17_043.0, "17,043"), (-0.001, "0"), (-1234.5, "-1,234.5")];
        for (given, expected) in rows {
            assert_eq!(number(given).as_deref(), Some(expected));
        }
        for unreadable in [f64::NAN, f64::INFINITY, 1e300, -1e12] {
            assert_eq!(number(unreadable), None);
        }
    }

    #[test]
    fn small_counts_are_words() {
        let rows =
            [(0, "no alerts"), (1, "one alert"), (9, "nine alerts"), (10, "10 alerts"), (12_480, "12,480 alerts")];
        for (given, expected) in rows {
            assert_eq!(count(given, "alert", "alerts"), expected);
        }
    }

    #[test]
    fn lists_end_in_and() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(
            (list(&items[..1]), list(&items[..2]), list(&items)),
            ("a".into(), "a and b".into(), "a, b and c".into())
        );
    }
}
