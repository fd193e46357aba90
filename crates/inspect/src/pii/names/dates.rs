//! Dates and times that their form alone gives away. A year by itself is left to the tagger, and "last night" is no date.

use super::gazetteer as g;
use super::reading::Reading;

/// The words that a date or time starting at `at` takes, as the end of their range.
pub(super) fn at(reading: &Reading, at: usize) -> Option<usize> {
    let word = reading.words.get(at)?;
    if reading.flags(at) & g::CALENDAR != 0 {
        return weekday(reading, at).or_else(|| month_first(reading, at));
    }
    if !word.shape.has_digit {
        return None;
    }
    let end = iso(reading, at).or_else(|| with_marks(reading, at)).or_else(|| day_first(reading, at));
    end.map(|end| time(reading, past_joint(reading, end)).unwrap_or(end)).or_else(|| time(reading, at))
}

/// Over a comma, a hyphen or "at" between a date and its time.
fn past_joint(reading: &Reading, end: usize) -> usize {
    if reading.is_mark(end, ",") || reading.word(end).eq_ignore_ascii_case("at") { end + 1 } else { end }
}

fn number(reading: &Reading, at: usize, least: u32, most: u32) -> Option<u32> {
    let word = reading.words.get(at)?;
    let value =
        (word.shape.all_digits && word.end - word.start <= 4).then(|| reading.word(at).parse::<u32>().ok())??;
    (least..=most).contains(&value).then_some(value)
}

fn is_year(reading: &Reading, at: usize) -> bool {
    number(reading, at, 1000, 2100).is_some()
}

fn joined_to_last(reading: &Reading, at: usize) -> bool {
    reading.words.get(at).is_some_and(|word| !word.shape.spaced)
}

/// `2000-04-16`, `16-04-2000`, and the first with a `T` and an hour.
fn iso(reading: &Reading, at: usize) -> Option<usize> {
    let word = reading.word(at);
    let date = word.split(['T', 't']).next()?;
    let mut parts = date.split('-');
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = parts.next().is_none() && [a, b, c].into_iter().all(digits);
    let small = |part: &str, most: u32| part.len() <= 2 && part.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n));
    let fits = (a.len() == 4 && small(b, 12) && small(c, 31)) || (c.len() == 4 && small(a, 31) && small(b, 31));
    if !whole || !fits {
        return None;
    }
    let hour = date.len() < word.len();
    Some(if hour { minutes(reading, at + 1).unwrap_or(at + 1) } else { at + 1 })
}

/// `2/8/1935`, `2.8.35`, `1935/8/2`.
fn with_marks(reading: &Reading, at: usize) -> Option<usize> {
    let mark = reading.word(at + 1);
    if !matches!(mark, "/" | ".") || !reading.is_mark(at + 3, mark) {
        return None;
    }
    if !(1..5).all(|step| joined_to_last(reading, at + step)) {
        return None;
    }
    let small = |step| number(reading, at + step, 1, 31).is_some();
    let short = |step| reading.word(at + step).len() == 2;
    let last = is_year(reading, at + 4) || (mark == "/" && short(4) && number(reading, at + 4, 0, 99).is_some());
    let fits = (small(0) && small(2) && last) || (is_year(reading, at) && small(2) && small(4));
    let goes_on = reading.is_mark(at + 5, mark) && joined_to_last(reading, at + 6) && joined_to_last(reading, at + 5);
    (fits && !goes_on).then_some(at + 5)
}

/// `10:30`, `10:30:45 pm`, `5 pm`, `5pm`.
fn time(reading: &Reading, at: usize) -> Option<usize> {
    let half = |at: usize| {
        let word = reading.word(at).to_ascii_lowercase();
        match word.as_str() {
            "am" | "pm" => Some(at + 1),
            "a" | "p" if reading.is_mark(at + 1, ".") && reading.word(at + 2).eq_ignore_ascii_case("m") => {
                Some(at + if reading.is_mark(at + 3, ".") { 4 } else { 3 })
            }
            _ => None,
        }
    };
    let word = reading.word(at);
    if let Some(digits) = word.strip_suffix("am").or_else(|| word.strip_suffix("pm"))
        && digits.parse::<u32>().is_ok_and(|hour| (1..=12).contains(&hour))
    {
        return Some(at + 1);
    }
    number(reading, at, 0, 24)?;
    if word.len() > 2 {
        return None;
    }
    match minutes(reading, at + 1) {
        Some(end) => Some(half(end).unwrap_or(end)),
        None => half(at + 1),
    }
}

/// `:30` or `:30:45`.
fn minutes(reading: &Reading, at: usize) -> Option<usize> {
    let part = |at: usize| {
        let fits = reading.is_mark(at, ":")
            && joined_to_last(reading, at)
            && joined_to_last(reading, at + 1)
            && reading.word(at + 1).get(..2).is_some_and(|start| start.bytes().all(|byte| byte.is_ascii_digit()))
            && reading.word(at + 1).len() <= 4;
        fits.then_some(at + 2)
    };
    let end = part(at)?;
    Some(part(end).unwrap_or(end))
}

fn weekday(reading: &Reading, at: usize) -> Option<usize> {
    let word = reading.word(at);
    let fits = word.len() >= 6 && word.to_ascii_lowercase().ends_with("day");
    fits.then_some(at + 1)
}

fn is_month(reading: &Reading, at: usize) -> bool {
    reading.flags(at) & g::CALENDAR != 0 && !reading.word(at).to_ascii_lowercase().ends_with("day") && {
        let word = reading.word(at).to_ascii_lowercase();
        !matches!(word.as_str(), "mon" | "tue" | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" | "sat" | "sun")
    }
}

/// A day of the month: `3`, `3rd`.
fn day(reading: &Reading, at: usize) -> Option<usize> {
    let word = reading.word(at);
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    let fits = digits.len() <= 2 && digits.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day));
    fits.then_some(at + 1)
}

/// `May 3`, `May 3rd, 1990`, `May 1990`, and a month alone that is no other word.
fn month_first(reading: &Reading, at: usize) -> Option<usize> {
    if !is_month(reading, at) {
        return None;
    }
    let next = if reading.is_mark(at + 1, ".") { at + 2 } else { at + 1 };
    if is_year(reading, next) {
        return Some(next + 1);
    }
    if let Some(end) = day(reading, next) {
        let year = if reading.is_mark(end, ",") { end + 1 } else { end };
        let end = if is_year(reading, year) { year + 1 } else { end };
        return Some(time(reading, past_joint(reading, end)).unwrap_or(end));
    }
    let word = reading.word(at);
    let other = ["may", "march", "august", "april", "june"].iter().any(|verb| word.eq_ignore_ascii_case(verb));
    let capital = reading.words[at].shape.starts_upper && word.len() > 3;
    let in_time = ["in", "since", "until", "last", "next", "by", "of"]
        .iter()
        .any(|before| at.checked_sub(1).is_some_and(|at| reading.word(at).eq_ignore_ascii_case(before)));
    (capital && (!other || in_time)).then_some(at + 1)
}

/// `3 May`, `3rd of May 1990`.
fn day_first(reading: &Reading, at: usize) -> Option<usize> {
    let mut next = day(reading, at)?;
    if reading.word(next).eq_ignore_ascii_case("of") {
        next += 1;
    }
    if !is_month(reading, next) {
        return None;
    }
    let year = if reading.is_mark(next + 1, ",") { next + 2 } else { next + 1 };
    if is_year(reading, year) {
        return Some(year + 1);
    }
    // "3 may ..." is more often the verb.
    let verb = ["may", "march"].contains(&reading.word(next));
    (!verb).then_some(next + 1)
}

#[cfg(test)]
mod tests {
    use crate::pii::names::{gazetteer::Gazetteer, reading::Reading};
    use crate::words;

    /// The date that the text starts with.
    fn check(text: &str, expected: Option<&str>) {
        let mut read = Vec::new();
        words::words(text, &mut read);
        let gazetteer = Gazetteer::new(&[]);
        let reading = Reading::new(&gazetteer, text, &read);
        let found = super::at(&reading, 0).map(|end| &text[..read[end - 1].end]);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn dates_end_where_they_end() {
        for date in [
            "1/23/1984",
            "1.2.1984",
            "1984/1/23",
            "23-01-1984",
            "12 May 1990",
            "3rd of June",
            "Sept. 4",
            "5pm",
            "7:05",
            "7:05 a.m.",
        ] {
            check(date, Some(date));
            check(&format!("{date}, they said"), Some(date));
        }
        check("2000-04-16 11:34:35 and more", Some("2000-04-16 11:34:35"));
        check("June 11, 2023 at 10:15", Some("June 11, 2023 at 10:15"));
        check("Monday morning", Some("Monday"));
    }

    #[test]
    fn numbers_and_verbs_that_look_alike_are_no_dates() {
        for text in [
            "1/2/2003/4",
            "1.2.3",
            "13:5",
            "99/99/1999",
            "2000-13-40",
            "12 may come",
            "may",
            "march on",
            "1984",
            "25:00",
            "1:2",
        ] {
            check(text, None);
        }
    }
}
