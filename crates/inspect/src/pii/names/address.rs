//! Decides whether an address is reported as one finding or as its parts.
//!
//! An address inside a sentence is one finding. A block that opens a line and has flat, town and country on separate
//! lines, or "12 High Street, Leeds" on its own, is reported in parts: number, street and postal code as ADDRESS, town
//! and country as LOCATION.

use std::ops::Range;

use super::gazetteer as g;
use super::tagger_input::TaggerInput;

/// A part of an address: its byte range, and whether it names a place.
pub(super) struct AddressPart {
    pub(super) range: Range<usize>,
    pub(super) is_place: bool,
}

/// The parts of the address in words `from..to`, or `None` if it should be one finding.
pub(super) fn parts(input: &TaggerInput, from: usize, to: usize) -> Option<Vec<AddressPart>> {
    let lines = segments(input, from, to);
    let starts_with_number = input.words[from].shape.has_digit;
    let unit_on_its_own = lines.iter().skip(1).any(|line| is_unit(input, line.start));
    let any_unit = (from..to).any(|at| is_unit(input, at));
    let block = input.breaks(from) > 0 || quoted(input, from) || from == 0;
    let in_lines = lines.iter().skip(1).all(|line| opens(input, line.start));
    let box_number =
        lines.first().is_some_and(|line| line.clone().any(|at| input.word(at).eq_ignore_ascii_case("box")));
    let headed = from.checked_sub(1).is_some_and(|before| input.is_mark(before, ":"));
    let ends_in_number = input.words[to - 1].shape.has_digit;
    let plain = starts_with_number && ends_in_number && !box_number && !headed;
    if block && plain && unit_on_its_own && in_lines && lines.len() >= 3 {
        return Some(split(input, &lines));
    }
    let ends_in_country = input.flags(to - 1) & g::COUNTRY != 0 && lines.len() > 1;
    let ends_in_code = lines.len() > 1 && input.words[to - 1].shape.has_digit;
    let short = starts_with_number && !any_unit && lines.len() <= 2 && !any_later_opens_line(input, &lines);
    if short && !ends_in_country && !ends_in_code && has_second_number_or_town(input, &lines) {
        return Some(split(input, &lines));
    }
    None
}

/// Whether a later segment opens a line of its own, as the town and postal code of an address block do.
fn any_later_opens_line(input: &TaggerInput, lines: &[Range<usize>]) -> bool {
    lines.iter().skip(1).any(|line| opens(input, line.start))
}

fn has_second_number_or_town(input: &TaggerInput, lines: &[Range<usize>]) -> bool {
    lines.len() == 2
        || lines
            .first()
            .is_some_and(|line| line.len() > 2 && (line.start + 1..line.end).any(|at| input.words[at].shape.has_digit))
}

/// Splits the words at commas and line breaks, and removes the punctuation at the start of each segment.
fn segments(input: &TaggerInput, from: usize, to: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = from;
    let mut push = |mut start: usize, end: usize| {
        while start < end && input.words[start].shape.is_mark {
            start += 1;
        }
        if start < end {
            lines.push(start..end);
        }
    };
    for at in from + 1..to {
        let comma = input.is_mark(at, ",");
        if comma || input.breaks(at) > 0 {
            push(start, at);
            start = at;
        }
    }
    push(start, to);
    lines
}

/// Whether a line begins here, apart from marks such as `>`.
fn opens(input: &TaggerInput, at: usize) -> bool {
    let mut at = at;
    for _ in 0..4 {
        if input.breaks(at) > 0 {
            return true;
        }
        match at.checked_sub(1) {
            Some(before) if input.words[before].shape.is_mark && !input.is_mark(before, ",") => at = before,
            _ => return false,
        }
    }
    false
}

/// Whether an address opens its line here, apart from the marks of a quoted mail.
fn quoted(input: &TaggerInput, from: usize) -> bool {
    opens(input, from)
}

fn is_unit(input: &TaggerInput, at: usize) -> bool {
    let word = input.word(at);
    input.flags(at) & g::UNIT != 0
        && ["apt", "suite", "apartment", "unit"].iter().any(|unit| word.eq_ignore_ascii_case(unit))
}

fn split(input: &TaggerInput, lines: &[Range<usize>]) -> Vec<AddressPart> {
    let mut parts = Vec::new();
    let mut put = |words: Range<usize>, is_place: bool| {
        let words = without_marks(input, words);
        if words.start < words.end {
            let range = input.words[words.start].start..input.words[words.end - 1].end;
            parts.push(AddressPart { range, is_place });
        }
    };
    for (n, line) in lines.iter().enumerate() {
        if n == 0 {
            let number = input.words[line.start].shape.has_digit && line.len() > 2;
            let number = number && (lines.len() > 1 || second_number(input, line));
            let street = if number { line.start + 1 } else { line.start };
            put(line.start..street, false);
            put(street..line.end, false);
        } else if is_unit(input, line.start) {
            put(line.clone(), false);
        } else {
            let code = (line.start..line.end).find(|&at| input.words[at].shape.has_digit).unwrap_or(line.end);
            put(line.start..code, true);
            put(code..line.end, false);
        }
    }
    parts
}

fn second_number(input: &TaggerInput, line: &Range<usize>) -> bool {
    (line.start + 1..line.end).any(|at| input.words[at].shape.has_digit)
}

/// Removes marks from the end, except a closing bracket or the full stop of an abbreviation.
fn without_marks(input: &TaggerInput, words: Range<usize>) -> Range<usize> {
    let mut end = words.end;
    while end > words.start && input.words[end - 1].shape.is_mark && !matches!(input.word(end - 1), ")" | ".") {
        end -= 1;
    }
    words.start..end
}
