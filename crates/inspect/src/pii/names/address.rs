//! An address as one stretch, or as the parts that it is written in.
//!
//! An address inside a sentence is one thing. A block that opens a line and has flat, town and country on lines of their own, or
//! "12 High Street, Leeds" alone, is a list of parts: number, street and postal code are ADDRESS, town and country LOCATION.

use std::ops::Range;

use super::gazetteer as g;
use super::reading::Reading;

/// Bytes and whether they name a place.
pub(super) struct Part {
    pub(super) range: Range<usize>,
    pub(super) is_place: bool,
}

/// The parts of the address in words `from..to`, or `None` where it is one thing.
pub(super) fn parts(reading: &Reading, from: usize, to: usize) -> Option<Vec<Part>> {
    let lines = segments(reading, from, to);
    let starts_with_number = reading.words[from].shape.has_digit;
    let own_unit = lines.iter().skip(1).any(|line| is_unit(reading, line.start));
    let any_unit = (from..to).any(|at| is_unit(reading, at));
    let block = reading.breaks(from) > 0 || quoted(reading, from) || from == 0;
    let in_lines = lines.iter().skip(1).all(|line| opens(reading, line.start));
    let box_number =
        lines.first().is_some_and(|line| line.clone().any(|at| reading.word(at).eq_ignore_ascii_case("box")));
    let headed = from.checked_sub(1).is_some_and(|before| reading.is_mark(before, ":"));
    let coded = reading.words[to - 1].shape.has_digit;
    let plain = starts_with_number && coded && !box_number && !headed;
    if block && plain && own_unit && in_lines && lines.len() >= 3 {
        return Some(split(reading, &lines));
    }
    let ends_in_country = reading.flags(to - 1) & g::COUNTRY != 0 && lines.len() > 1;
    let ends_in_code = lines.len() > 1 && reading.words[to - 1].shape.has_digit;
    let short = starts_with_number && !any_unit && lines.len() <= 2 && !in_lines_after(reading, &lines);
    if short && !ends_in_country && !ends_in_code && has_second_number_or_town(reading, &lines) {
        return Some(split(reading, &lines));
    }
    None
}

/// A second line makes an address whole: its town and code follow on a line of their own.
fn in_lines_after(reading: &Reading, lines: &[Range<usize>]) -> bool {
    lines.iter().skip(1).any(|line| opens(reading, line.start))
}

fn has_second_number_or_town(reading: &Reading, lines: &[Range<usize>]) -> bool {
    lines.len() == 2
        || lines.first().is_some_and(|line| {
            line.len() > 2 && (line.start + 1..line.end).any(|at| reading.words[at].shape.has_digit)
        })
}

/// The stretches between commas and line breaks, without the marks at their edges.
fn segments(reading: &Reading, from: usize, to: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = from;
    let mut push = |mut start: usize, end: usize| {
        while start < end && reading.words[start].shape.is_mark {
            start += 1;
        }
        if start < end {
            lines.push(start..end);
        }
    };
    for at in from + 1..to {
        let comma = reading.is_mark(at, ",");
        if comma || reading.breaks(at) > 0 {
            push(start, at);
            start = at;
        }
    }
    push(start, to);
    lines
}

/// Whether a line begins here, marks such as `>` aside.
fn opens(reading: &Reading, at: usize) -> bool {
    let mut at = at;
    for _ in 0..4 {
        if reading.breaks(at) > 0 {
            return true;
        }
        match at.checked_sub(1) {
            Some(before) if reading.words[before].shape.is_mark && !reading.is_mark(before, ",") => at = before,
            _ => return false,
        }
    }
    false
}

fn quoted(reading: &Reading, from: usize) -> bool {
    opens(reading, from)
}

fn is_unit(reading: &Reading, at: usize) -> bool {
    let word = reading.word(at);
    reading.flags(at) & g::UNIT != 0
        && ["apt", "suite", "apartment", "unit"].iter().any(|unit| word.eq_ignore_ascii_case(unit))
}

fn split(reading: &Reading, lines: &[Range<usize>]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut put = |words: Range<usize>, is_place: bool| {
        let words = without_marks(reading, words);
        if words.start < words.end {
            let range = reading.words[words.start].start..reading.words[words.end - 1].end;
            parts.push(Part { range, is_place });
        }
    };
    for (n, line) in lines.iter().enumerate() {
        if n == 0 {
            let number = reading.words[line.start].shape.has_digit && line.len() > 2;
            let number = number && (lines.len() > 1 || second_number(reading, line));
            let street = if number { line.start + 1 } else { line.start };
            put(line.start..street, false);
            put(street..line.end, false);
        } else if is_unit(reading, line.start) {
            put(line.clone(), false);
        } else {
            let code = (line.start..line.end).find(|&at| reading.words[at].shape.has_digit).unwrap_or(line.end);
            put(line.start..code, true);
            put(code..line.end, false);
        }
    }
    parts
}

fn second_number(reading: &Reading, line: &Range<usize>) -> bool {
    (line.start + 1..line.end).any(|at| reading.words[at].shape.has_digit)
}

/// Marks at the end fall away, a bracket or a full stop that closes an abbreviation aside.
fn without_marks(reading: &Reading, words: Range<usize>) -> Range<usize> {
    let mut end = words.end;
    while end > words.start && reading.words[end - 1].shape.is_mark && !matches!(reading.word(end - 1), ")" | ".") {
        end -= 1;
    }
    words.start..end
}
