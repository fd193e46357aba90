//! Stage 2, tokens: recognises a date, a time, a number or a unit by its shape.

use std::borrow::Cow;

use super::TokenKind;
use crate::calendar::{Date, Moment, TimeOfDay};
use crate::currency;
use crate::fold::lower_case;

/// Whether a mark between two characters joins them into one chunk.
pub(super) fn joins(previous: char, letter: char, next: char) -> bool {
    let between = |test: fn(&char) -> bool| test(&previous) && test(&next);
    match letter {
        ',' | ':' => between(char::is_ascii_digit),
        '-' | '_' | '.' | '/' | '\'' | '@' | '#' | '&' | '+' => previous.is_alphanumeric() && next.is_alphanumeric(),
        _ => false,
    }
}

pub(super) fn is_number(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b".,'".contains(&byte);
    text.as_bytes().first().is_some_and(u8::is_ascii_digit) && text.bytes().all(is_part)
}

/// Whether a text may be a unit directly after a number.
pub(super) fn is_unit(text: &str) -> bool {
    const UNITS: [&str; 30] = [
        "st", "nd", "rd", "th", "s", "sec", "m", "min", "mins", "h", "hr", "hrs", "d", "km", "kmh", "kph", "km/h", "x",
        "k", "mn", "bn", "pct", "am", "pm", "pts", "days", "hours", "minutes", "years", "points",
    ];
    UNITS.contains(&text.to_lowercase().as_str()) || currency::code(text).is_some()
}

/// A word in lower case, without a possessive `'s`.
pub(super) fn word_of(text: &str) -> Cow<'_, str> {
    let lower = lower_case(text);
    let owner_len = if lower.ends_with('s') { lower.strip_suffix("'s").map(str::len) } else { None };
    match (lower, owner_len) {
        (lower, None) => lower,
        (Cow::Borrowed(lower), Some(len)) => Cow::Borrowed(&lower[..len]),
        (Cow::Owned(mut lower), Some(len)) => {
            lower.truncate(len);
            Cow::Owned(lower)
        }
    }
}

/// Reads `2026-03-01`, `2026/3/1`, `1.3.2026`, `01/03/2026` and `2026-03`.
pub(super) fn date(chunk: &str) -> Option<TokenKind> {
    let separator = chunk.chars().find(|letter| !letter.is_ascii_digit())?;
    if !['-', '/', '.'].contains(&separator) {
        return None;
    }
    let mut parts = chunk.split(separator);
    let number = |text: &str, len: std::ops::RangeInclusive<usize>| {
        (len.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u16>().ok())?
    };
    let day_or_month = |text: &str| u8::try_from(number(text, 1..=2)?).ok();
    let date = match (parts.next()?, parts.next()?, parts.next(), parts.next()) {
        (year, month, Some(day), None) if year.len() == 4 => Date {
            year: number(year, 4..=4),
            month: Some(day_or_month(month)?),
            day: Some(day_or_month(day)?),
            ..Date::default()
        },
        (day, month, Some(year), None) if year.len() == 4 => Date {
            year: Some(number(year, 4..=4)?),
            month: Some(day_or_month(month)?),
            day: Some(day_or_month(day)?),
            either_order: true,
            ..Date::default()
        },
        (year, month, None, _) if separator == '-' && year.len() == 4 && month.len() == 2 => {
            Date { year: number(year, 4..=4), month: Some(day_or_month(month)?), ..Date::default() }
        }
        _ => return None,
    };
    let in_month = |value: Option<u8>, last: u8| value.is_none_or(|value| (1..=last).contains(&value));
    let is_valid = in_month(date.month, 12) || date.either_order && in_month(date.day, 12);
    (date.year.is_some() && is_valid && in_month(date.day, 31)).then_some(TokenKind::Date(date))
}

/// Reads a full RFC 3339 time, with or without seconds and zone.
pub(super) fn timestamp(chunk: &str) -> Option<TokenKind> {
    let (day, rest) = (chunk.get(..10)?, chunk.get(10..)?);
    if !rest.starts_with(['T', 't']) {
        return None;
    }
    let upper = rest.to_uppercase();
    let zone = upper.find(['Z', '+', '-']).unwrap_or(upper.len());
    let given = TimeOfDay::parse(&upper[1..zone])?;
    let seconds = if given.second.is_some() { "" } else { ":00" };
    let written = format!("{day}{}{seconds}{}", &upper[..zone], if zone < upper.len() { &upper[zone..] } else { "Z" });
    let moment = Moment::parse(&written)?;
    let clock = TimeOfDay { hour: moment.hour, minute: given.minute.map(|_| moment.minute), ..given };
    let date = Date { year: Some(moment.year), month: Some(moment.month), day: Some(moment.day), ..Date::default() };
    Some(TokenKind::Timestamp(date, clock))
}

/// Reads a time of day. Returns its length without any suffix: `09:30`, `9:30am`, `09:30:00Z`.
pub(super) fn clock(chunk: &str) -> Option<(TimeOfDay, usize)> {
    let len = chunk.bytes().take_while(|byte| byte.is_ascii_digit() || b":.".contains(byte)).count();
    let (text, rest) = chunk.split_at(len);
    let mut parts = text.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let shaped = (1..=2).contains(&hour.len()) && minute.len() == 2;
    let rest_is_known = ["", "am", "pm", "z", "utc", "h", "hrs"].contains(&rest.to_lowercase().as_str());
    (shaped && rest_is_known).then(|| TimeOfDay::parse(text).map(|clock| (clock, len)))?
}
