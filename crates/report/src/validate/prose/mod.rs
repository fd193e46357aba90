//! A text as the validation reads it: sentences with their positions, their words outside quotations, figures and
//! dates.
//!
//! | file          | job                                                                          |
//! |---------------|------------------------------------------------------------------------------|
//! | this one      | splits a section into sentences and blanks out quotations                    |
//! | `matching.rs` | looks for cues and names in a sentence                                       |
//! | `figures.rs`  | figures and whole dates of a sentence                                        |
//! | `clean.rs`    | cleans external text for a line of a verdict; splits text into words         |
//!
//! All functions take time linear in the text. Only the first part of a text is read, up to a limit: a section has at
//! most about 250 words, and a longer text is out of its word range anyway.

mod clean;
mod figures;
mod matching;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, ops::Range};

use countersign_domain::Section;
use jiff::civil::Date;
use rust_decimal::Decimal;

pub(super) use clean::clean;
pub(super) use figures::{MONTH_CUES, NUMBER_CUES};
pub(super) use matching::{LooseName, UNKNOWN};

use self::{
    clean::{spaced, word_starts},
    figures::{dates, figures},
    matching::WordStarts,
};
use super::cues::CueLists;
use crate::{Content, escape::byte_set};

/// The maximum number of characters of a section that are read.
const CHARS_READ_MAX: usize = 20_000;
/// A quotation mark that is not closed within this many characters does not start a quotation.
const QUOTATION_CHARS_MAX: usize = 300;

/// A sentence of a report's section.
pub(super) struct ReportSentence<'a> {
    pub(super) section: Section,
    /// Code points from the start of the section; `end` is exclusive.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: &'a str,
    /// The text with quotations blanked out.
    pub(super) unquoted: Cow<'a, str>,
    /// The words outside quotations, in lower case, separated by single spaces: ` the record did not state it `.
    pub(super) unquoted_words: String,
    /// Like `unquoted_words`, but including quotations. `None` if there are no quotations.
    all_words: Option<String>,
    /// The offsets of the words in `unquoted_words`.
    words: Vec<usize>,
    /// The letters that these words start with.
    starts: WordStarts,
    /// The lists from which the sentence contains a cue.
    lists: CueLists,
    /// Figures outside quotations, including number words up to twelve.
    pub(super) figures: Vec<Decimal>,
    /// Complete dates outside quotations.
    pub(super) dates: Vec<Date>,
}

/// The order in which sections are searched for a sentence that meets a point. The investigation narrative comes first,
/// because it is the most likely to contain one.
const ORDER: [Section; 5] = [
    Section::InvestigationNarrative,
    Section::TimelineNarrative,
    Section::ExecutiveSummary,
    Section::FraudExplanation,
    Section::RiskJustification,
];

/// The sentences of all sections in search order, read once for all checks.
pub(super) fn sentences(content: &Content) -> Vec<ReportSentence<'_>> {
    ORDER.into_iter().flat_map(|section| of_text(content.section(section), section)).collect()
}

pub(super) fn of_text(text: &str, section: Section) -> Vec<ReportSentence<'_>> {
    // A text has at least as many bytes as characters, so only a long one needs its characters counted.
    let text = if text.len() > CHARS_READ_MAX { first_chars(text, CHARS_READ_MAX) } else { text };
    let mut reader = SentenceReader { section, text, quotations: Vec::new(), bytes: 0, chars: 0 };
    let mut sentences = Vec::new();
    let mut at = 0;
    while let Some(passed) = text.as_bytes()[at..].iter().position(|byte| IS_MARK[usize::from(*byte)]) {
        at += passed;
        if let Some(end) = quotation_end(text, at) {
            reader.quotations.push(at..end);
            // A mark inside a quotation does not end the sentence.
            at = end;
        } else {
            at += 1;
            if is_end(text, at - 1) {
                sentences.extend(reader.sentence(at));
            }
        }
    }
    sentences.extend(reader.sentence(text.len()));
    sentences
}

/// The first bytes of characters that may end a sentence or start a quotation. Most letters are not among them.
const IS_MARK: [bool; 256] = byte_set(b"\n.!?\"`\xc2\xe2");

fn first_chars(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(end, _)| &text[..end])
}

/// Reads a text sentence by sentence.
struct SentenceReader<'a> {
    section: Section,
    text: &'a str,
    /// The quotations of the current sentence, including their marks.
    quotations: Vec<Range<usize>>,
    /// The number of bytes and characters read so far.
    bytes: usize,
    chars: usize,
}

impl<'a> SentenceReader<'a> {
    /// The sentence that ends at this byte. `None` if it contains no word.
    fn sentence(&mut self, end: usize) -> Option<ReportSentence<'a>> {
        let span = &self.text[self.bytes..end];
        let text = span.trim();
        let before = &span[..span.len() - span.trim_start().len()];
        let from = self.bytes + before.len();
        let start = self.chars + before.chars().count();
        let chars = text.chars().count();
        (self.bytes, self.chars) = (end, self.chars + span.chars().count());
        let unquoted = self.unquoted(from, text);
        let unquoted_words = spaced(&unquoted);
        let all_words = matches!(unquoted, Cow::Owned(_)).then(|| spaced(text));
        if all_words.as_ref().unwrap_or(&unquoted_words).len() <= 1 {
            return None;
        }
        let words = word_starts(&unquoted_words);
        let lists = CueLists::of(&unquoted_words, &words);
        Some(ReportSentence {
            section: self.section,
            start,
            end: start + chars,
            text,
            figures: figures(&unquoted, lists),
            dates: dates(&unquoted, lists),
            unquoted,
            all_words,
            starts: WordStarts::of(&unquoted_words, &words),
            unquoted_words,
            words,
            lists,
        })
    }

    /// The text of a sentence with its quotations blanked out. `from` is the sentence's first byte.
    fn unquoted(&mut self, from: usize, text: &'a str) -> Cow<'a, str> {
        if self.quotations.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut unquoted = String::with_capacity(text.len());
        let mut done = from;
        for quotation in self.quotations.drain(..) {
            unquoted.push_str(&self.text[done..quotation.start]);
            unquoted.push(' ');
            done = quotation.end;
        }
        unquoted.push_str(&self.text[done..from + text.len()]);
        Cow::Owned(unquoted)
    }
}

/// Whether the byte ends a sentence: the end of a line, or a full stop or similar mark before white space.
fn is_end(text: &str, at: usize) -> bool {
    match text.as_bytes()[at] {
        b'\n' => true,
        b'.' | b'!' | b'?' => text[at + 1..].chars().next().is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// The end of the quotation (in quotation marks or backticks) that starts at this byte, if there is one.
fn quotation_end(text: &str, at: usize) -> Option<usize> {
    let mut rest = text[at..].chars();
    let mark = closing_mark(rest.next()?)?;
    let inside = rest.as_str();
    let mut reach = inside.char_indices().take(QUOTATION_CHARS_MAX - 1).take_while(|(_, letter)| *letter != '\n');
    let (close, _) = reach.find(|(_, letter)| *letter == mark)?;
    Some(text.len() - inside.len() + close + mark.len_utf8())
}

fn closing_mark(opening: char) -> Option<char> {
    match opening {
        '"' | '`' => Some(opening),
        '“' | '„' => Some('”'),
        '«' => Some('»'),
        _ => None,
    }
}
