//! Recognises dates and times by their form alone. A year by itself is left to the tagger, and "last night" is not a
//! date.

use super::gazetteer as g;
use super::tagger_input::TaggerInput;

/// If a date or time starts at word `at`, returns the index after its last word.
pub(super) fn at(input: &TaggerInput, at: usize) -> Option<usize> {
    let word = input.words.get(at)?;
    if input.flags(at) & g::CALENDAR != 0 {
        return weekday(input, at).or_else(|| month_first(input, at));
    }
    if !word.shape.has_digit {
        return None;
    }
    let end = iso(input, at).or_else(|| with_marks(input, at)).or_else(|| day_first(input, at));
    end.map(|end| time(input, past_joint(input, end)).unwrap_or(end)).or_else(|| time(input, at))
}

/// Skips a comma or "at" between a date and its time.
fn past_joint(input: &TaggerInput, end: usize) -> usize {
    if input.is_mark(end, ",") || input.word(end).eq_ignore_ascii_case("at") { end + 1 } else { end }
}

fn number(input: &TaggerInput, at: usize, least: u32, most: u32) -> Option<u32> {
    let word = input.words.get(at)?;
    let value = (word.shape.all_digits && word.end - word.start <= 4).then(|| input.word(at).parse::<u32>().ok())??;
    (least..=most).contains(&value).then_some(value)
}

fn is_year(input: &TaggerInput, at: usize) -> bool {
    number(input, at, 1000, 2100).is_some()
}

/// Whether no white space precedes a word.
fn is_attached(input: &TaggerInput, at: usize) -> bool {
    input.words.get(at).is_some_and(|word| !word.shape.spaced)
}

/// Matches `2000-04-16`, `16-04-2000`, and the first form followed by `T` and an hour.
fn iso(input: &TaggerInput, at: usize) -> Option<usize> {
    let word = input.word(at);
    let date = word.split(['T', 't']).next()?;
    let mut parts = date.split('-');
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = parts.next().is_none() && [a, b, c].into_iter().all(digits);
    let up_to = |part: &str, most: u32| part.len() <= 2 && part.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n));
    let fits = (a.len() == 4 && up_to(b, 12) && up_to(c, 31)) || (c.len() == 4 && up_to(a, 31) && up_to(b, 31));
    if !whole || !fits {
        return None;
    }
    let hour = date.len() < word.len();
    Some(if hour { minutes(input, at + 1).unwrap_or(at + 1) } else { at + 1 })
}

/// Matches `2/8/1935`, `2.8.35`, `1935/8/2`.
fn with_marks(input: &TaggerInput, at: usize) -> Option<usize> {
    let mark = input.word(at + 1);
    if !matches!(mark, "/" | ".") || !input.is_mark(at + 3, mark) {
        return None;
    }
    if !(1..5).all(|step| is_attached(input, at + step)) {
        return None;
    }
    let is_day = |step| number(input, at + step, 1, 31).is_some();
    let short = |step| input.word(at + step).len() == 2;
    let last = is_year(input, at + 4) || (mark == "/" && short(4) && number(input, at + 4, 0, 99).is_some());
    let fits = (is_day(0) && is_day(2) && last) || (is_year(input, at) && is_day(2) && is_day(4));
    let goes_on = input.is_mark(at + 5, mark) && is_attached(input, at + 6) && is_attached(input, at + 5);
    (fits && !goes_on).then_some(at + 5)
}

/// Matches `10:30`, `10:30:45 pm`, `5 pm`, `5pm`.
fn time(input: &TaggerInput, at: usize) -> Option<usize> {
    let am_or_pm = |at: usize| {
        let word = input.word(at).to_ascii_lowercase();
        match word.as_str() {
            "am" | "pm" => Some(at + 1),
            "a" | "p" if input.is_mark(at + 1, ".") && input.word(at + 2).eq_ignore_ascii_case("m") => {
                Some(at + if input.is_mark(at + 3, ".") { 4 } else { 3 })
            }
            _ => None,
        }
    };
    let word = input.word(at);
    if let Some(digits) = word.strip_suffix("am").or_else(|| word.strip_suffix("pm"))
        && digits.parse::<u32>().is_ok_and(|hour| (1..=12).contains(&hour))
    {
        return Some(at + 1);
    }
    number(input, at, 0, 24)?;
    if word.len() > 2 {
        return None;
    }
    match minutes(input, at + 1) {
        Some(end) => Some(am_or_pm(end).unwrap_or(end)),
        None => am_or_pm(at + 1),
    }
}

/// Matches `:30` or `:30:45`.
fn minutes(input: &TaggerInput, at: usize) -> Option<usize> {
    let part = |at: usize| {
        let fits = input.is_mark(at, ":")
            && is_attached(input, at)
            && is_attached(input, at + 1)
            && input.word(at + 1).get(..2).is_some_and(|start| start.bytes().all(|byte| byte.is_ascii_digit()))
            && input.word(at + 1).len() <= 4;
        fits.then_some(at + 2)
    };
    let end = part(at)?;
    Some(part(end).unwrap_or(end))
}

fn weekday(input: &TaggerInput, at: usize) -> Option<usize> {
    let word = input.word(at);
    let fits = word.len() >= 6 && word.to_ascii_lowercase().ends_with("day");
    fits.then_some(at + 1)
}

fn is_month(input: &TaggerInput, at: usize) -> bool {
    input.flags(at) & g::CALENDAR != 0 && !input.word(at).to_ascii_lowercase().ends_with("day") && {
        let word = input.word(at).to_ascii_lowercase();
        !matches!(word.as_str(), "mon" | "tue" | "tues" | "wed" | "thu" | "thur" | "thurs" | "fri" | "sat" | "sun")
    }
}

/// Matches a day of the month: `3`, `3rd`.
fn day(input: &TaggerInput, at: usize) -> Option<usize> {
    let word = input.word(at);
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    let fits = digits.len() <= 2 && digits.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day));
    fits.then_some(at + 1)
}

/// Matches `May 3`, `May 3rd, 1990`, `May 1990`, and a month alone if the word has no other meaning.
fn month_first(input: &TaggerInput, at: usize) -> Option<usize> {
    if !is_month(input, at) {
        return None;
    }
    let next = if input.is_mark(at + 1, ".") { at + 2 } else { at + 1 };
    if is_year(input, next) {
        return Some(next + 1);
    }
    if let Some(end) = day(input, next) {
        let year = if input.is_mark(end, ",") { end + 1 } else { end };
        let end = if is_year(input, year) { year + 1 } else { end };
        return Some(time(input, past_joint(input, end)).unwrap_or(end));
    }
    let word = input.word(at);
    let is_ambiguous = ["may", "march", "august", "april", "june"].iter().any(|verb| word.eq_ignore_ascii_case(verb));
    let capital = input.words[at].shape.starts_upper && word.len() > 3;
    let follows_time_word = ["in", "since", "until", "last", "next", "by", "of"]
        .iter()
        .any(|before| at.checked_sub(1).is_some_and(|at| input.word(at).eq_ignore_ascii_case(before)));
    (capital && (!is_ambiguous || follows_time_word)).then_some(at + 1)
}

/// Matches `3 May`, `3rd of May 1990`.
fn day_first(input: &TaggerInput, at: usize) -> Option<usize> {
    let mut next = day(input, at)?;
    if input.word(next).eq_ignore_ascii_case("of") {
        next += 1;
    }
    if !is_month(input, next) {
        return None;
    }
    let year = if input.is_mark(next + 1, ",") { next + 2 } else { next + 1 };
    if is_year(input, year) {
        return Some(year + 1);
    }
    // In "3 may ...", "may" is usually the verb.
    let verb = ["may", "march"].contains(&input.word(next));
    (!verb).then_some(next + 1)
}

#[cfg(test)]
mod tests {
    use crate::pii::names::{gazetteer::Gazetteer, tagger_input::TaggerInput};
    use crate::tokenize;

    /// Checks which date the text starts with.
    fn check(text: &str, expected: Option<&str>) {
        let mut read = Vec::new();
        tokenize::tokenize(text, &mut read);
        let gazetteer = Gazetteer::new(&[]);
        let input = TaggerInput::new(&gazetteer, text, &read);
        let found = super::at(&input, 0).map(|end| &text[..read[end - 1].end]);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_date_covers_all_its_words_and_no_more() {
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
    fn numbers_and_verbs_that_look_like_dates_are_ignored() {
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
