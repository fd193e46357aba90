//! Parses times as files write them: RFC 3339, also with a space or without a zone, and Unix seconds or milliseconds.

use countersign_domain::{Invalid, Time};
use jiff::{civil, tz::Offset};

/// The years 0000 to 9999 in UTC, because years are written with four digits.
const SECONDS: std::ops::Range<i64> = -62_167_219_200..253_402_300_800;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParsedTime {
    pub(super) time: Time,
    /// Whether UTC was assumed, because neither the text nor the mapping names a zone.
    pub(super) zoneless: bool,
}

pub(super) fn parse_time(field: &'static str, text: &str, zone: Option<Offset>) -> Result<ParsedTime, Invalid> {
    let invalid = || {
        Invalid::new(
            field,
            "is not a time such as 2026-03-01T09:30:00Z, 2026-03-01 09:30:00 or Unix seconds; see timezone=",
        )
    };
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return unix(text).map(|time| ParsedTime { time, zoneless: false }).ok_or_else(invalid);
    }
    let (clock, own_zone) = civil(text).ok_or_else(invalid)?;
    let offset = own_zone.or(zone).unwrap_or(Offset::UTC);
    let at = offset.to_timestamp(clock).map_err(|_| invalid())?;
    if !SECONDS.contains(&at.as_second()) {
        return Err(invalid());
    }
    Ok(ParsedTime { time: Time::from_timestamp(at), zoneless: own_zone.or(zone).is_none() })
}

/// Parses `UTC` or a fixed offset such as `+02:00`.
pub(super) fn zone(text: &str) -> Result<Offset, Invalid> {
    let offset = if text.eq_ignore_ascii_case("utc") { Some(Offset::UTC) } else { offset(text.as_bytes()) };
    offset.ok_or_else(|| Invalid::new("timezone", "must be UTC or an offset such as +02:00"))
}

/// 9 or 10 digits are seconds, 12 or 13 milliseconds; all are from 1973 to 2286. Other lengths may be dates without hyphens.
fn unix(digits: &str) -> Option<Time> {
    let number: i64 = digits.parse().ok()?;
    match digits.len() {
        9 | 10 => Time::from_micros(number * 1_000_000).ok(),
        12 | 13 => Time::from_micros(number * 1_000).ok(),
        _ => None,
    }
}

/// Parses `YYYY-MM-DD HH:MM:SS` with a `T` or a space, with or without decimals, with or without a zone.
fn civil(text: &str) -> Option<(civil::DateTime, Option<Offset>)> {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    if separators.iter().any(|(place, byte)| bytes.get(*place) != Some(byte)) {
        return None;
    }
    if !matches!(bytes.get(10), Some(b'T' | b't' | b' ')) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| digits(bytes.get(range)?);
    let (nanos, zone) = decimals(bytes.get(19..)?)?;
    let part = |range| number(range).and_then(|number| i8::try_from(number).ok());
    let year = i16::try_from(number(0..4)?).ok()?;
    let clock =
        civil::DateTime::new(year, part(5..7)?, part(8..10)?, part(11..13)?, part(14..16)?, part(17..19)?, nanos);
    let zone = if zone.is_empty() { None } else { Some(offset(zone)?) };
    Some((clock.ok()?, zone))
}

/// The fraction in nanoseconds, and what follows it.
fn decimals(bytes: &[u8]) -> Option<(i32, &[u8])> {
    let Some(rest) = bytes.strip_prefix(b".") else { return Some((0, bytes)) };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits_found, rest) = rest.split_at(count);
    if !(1..=9).contains(&count) {
        return None;
    }
    let scale = 10_i32.pow(u32::try_from(9 - count).ok()?);
    Some((digits(digits_found)? * scale, rest))
}

/// `Z`, `+HH:MM` or `-HH:MM`.
fn offset(bytes: &[u8]) -> Option<Offset> {
    let (sign, hours, minutes) = match bytes {
        b"Z" | b"z" => return Some(Offset::UTC),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            (if *sign == b'-' { -1 } else { 1 }, digits(&[*h1, *h2])?, digits(&[*m1, *m2])?)
        }
        _ => return None,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// Parses digits. Callers pass at most nine, so the number can't overflow.
fn digits(bytes: &[u8]) -> Option<i32> {
    bytes.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, zone_text: Option<&str>, expected: Option<(&str, bool)>) {
        let found = parse_time("occurred_at", text, zone_text.map(|text| zone(text).unwrap())).ok();
        let expected = expected.map(|(time, zoneless)| ParsedTime { time: time.parse().unwrap(), zoneless });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn times_are_read_in_the_formats_that_files_use() {
        for (text, expected) in [
            ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"),
            ("2026-03-01t09:30:00.5+02:00", "2026-03-01T07:30:00.5Z"),
            ("2026-03-01 09:30:00-03:30", "2026-03-01T13:00:00Z"),
            ("1325376018", "2012-01-01T00:00:18Z"),
            ("1325376018123", "2012-01-01T00:00:18.123Z"),
            ("2026-03-01T09:30:00.123456789Z", "2026-03-01T09:30:00.123456Z"),
        ] {
            check(text, None, Some((expected, false)));
        }
    }

    #[test]
    fn a_time_without_a_zone_is_in_the_mappings_zone_or_marked_as_assumed() {
        check("2018-04-01T00:00:31", None, Some(("2018-04-01T00:00:31Z", true)));
        check("2018-04-01 00:00:31.25", None, Some(("2018-04-01T00:00:31.25Z", true)));
        check("2018-04-01 00:00:31", Some("UTC"), Some(("2018-04-01T00:00:31Z", false)));
        check("2018-04-01 00:00:31", Some("+02:00"), Some(("2018-03-31T22:00:31Z", false)));
        check("2018-04-01 00:00:31Z", Some("+02:00"), Some(("2018-04-01T00:00:31Z", false)));
        check("1325376018", Some("+02:00"), Some(("2012-01-01T00:00:18Z", false)));
    }

    #[test]
    fn ambiguous_and_invalid_times_are_refused() {
        for text in [
            "",
            "yesterday",
            "2026-03-01",
            "20260301",
            "20260301093000",
            "01/03/2026 09:30",
            "2026-02-30T00:00:00Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T09:30Z",
            "2026-03-01T09:30:00.Z",
            "2026-03-01T09:30:00.1234567890Z",
            "2026-03-01T09:30:00+2:00",
            "2026-03-01T09:30:00+24:00",
            "2026-03-01T09:30:00Zx",
            "2026-03-01_09:30:00",
            "2026-03-01T09:3\u{e9}:0",
            "0000-01-01T00:00:00+02:00",
            "9999-12-31T23:59:59-02:00",
            "-132537601",
            "99999999999999999999",
        ] {
            check(text, None, None);
        }
        for text in ["Europe/Lisbon", "+2", "utc+1", "", "+99:00"] {
            assert!(zone(text).is_err(), "{text}");
        }
    }
}
