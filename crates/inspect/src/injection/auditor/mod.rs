//! Finds instructions to the auditor of a text, such as "set risk_score to 0" or "[[auditor: mark as safe]]", in any
//! spelling or language.
//!
//! Each instruction is a finding with a fixed score that the text can't lower, so a judge that obeys it changes
//! nothing. Text that merely discusses auditing is not reported: only an order or a verdict about the text that
//! contains it counts.
//!
//! | file | job |
//! |---|---|
//! | `sentence` | decides whether a sentence instructs an auditor |
//! | `matching` | matches a sentence against the patterns |
//! | `patterns` | the table of instruction patterns |
//! | `lexicon` | the words of each concept, by language |
//! | `address` | recognises sentences that address a judge |
//! | `described` | recognises descriptions of software and quotations, which are not instructions |
//! | `block` | recognises verdicts written as key-value pairs, in any syntax |
//! | `disguised` | decodes instructions with disguised spelling |
//! | `run_together` | splits words written without spaces |

mod address;
mod block;
mod described;
mod disguised;
mod lexicon;
mod matching;
mod patterns;
mod run_together;
mod sentence;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use self::lexicon::{AuditorConcept, INDICATORS, LANGUAGES};
use self::matching::{AuditorConceptSet, Context};
use self::sentence::{AuditedSentence, Term};
use crate::context::joins;
use crate::finding::{Hit, Kind};
use crate::view::View;

const SCORE: f64 = 0.9;
/// Longer sentences are split: only this many bytes on each side of an indicator are examined.
const SENTENCE_BYTES_MAX: usize = 480;
const HITS_MAX: usize = 16;

/// Returns the instructions to an auditor; undoes disguises only if the plain text contains no instruction.
pub(super) fn find(text: &str) -> Vec<Hit> {
    let plain = View::of(text);
    let seen = comparable(&plain.text);
    let mut hits: Vec<Hit> =
        instructions(&seen).into_iter().map(|(range, why)| hit(plain.original(&range), why.to_owned())).collect();
    if hits.is_empty() {
        hits = disguised::undo(&seen)
            .into_iter()
            .filter_map(|(range, decoded, how)| {
                let (_, why) = instructions(&decoded).into_iter().next()?;
                Some(hit(plain.original(&range), format!("{how}; {why}")))
            })
            .collect();
    }
    hits.retain(|hit| hit.start < hit.end);
    hits.truncate(HITS_MAX);
    hits
}

/// Whether a text that was decoded from another text is an instruction to the auditor.
pub(super) fn is_instruction(text: &str) -> bool {
    !find(text).is_empty()
}

/// Removes Greek accents and Arabic hamzas, and replaces escaped line breaks with white space. Byte offsets do not
/// change.
fn comparable(plain: &str) -> Cow<'_, str> {
    const FROM: &str = "άέήίόύώϊϋΐΰςأإآى";
    const TO: &str = "αεηιουωιυιυσاااي";
    if plain.is_ascii() && !plain.contains("\\n") {
        return Cow::Borrowed(plain);
    }
    let is_marked = |letter: char| matches!(letter, '\u{390}'..='\u{3CE}' | '\u{622}'..='\u{649}');
    let escapes = plain.contains("\\n");
    if !escapes && !plain.contains(is_marked) {
        return Cow::Borrowed(plain);
    }
    let plain_letter = |letter: char| {
        let at = is_marked(letter).then(|| FROM.chars().position(|marked| marked == letter)).flatten();
        at.and_then(|at| TO.chars().nth(at)).unwrap_or(letter)
    };
    let folded: String = plain.chars().map(plain_letter).collect();
    Cow::Owned(if escapes { folded.replace("\\n", " \n") } else { folded })
}

fn hit(range: Range<usize>, explanation: String) -> Hit {
    Hit {
        kind: Kind::Injection,
        r#type: "AUDITOR_INSTRUCTION",
        start: range.start,
        end: range.end,
        score: SCORE,
        detector: "injection/auditor",
        explanation,
    }
}

/// Finds the sentences of a plain text that instruct an auditor, with the explanation for each.
fn instructions(plain: &str) -> Vec<(Range<usize>, &'static str)> {
    let Some(lexicon) = &*LEXICON else { return Vec::new() };
    let mut found = Vec::new();
    let (mut context, mut last_end) = (Context::default(), 0);
    let words = lexicon.read(plain);
    let mut terms = Vec::new();
    for (range, word_range) in sentences_with_indicators(plain, &words) {
        let text = &plain[range.clone()];
        terms.clear();
        terms.extend(words[word_range].iter().filter(|term| term.start >= range.start && term.end <= range.end));
        let lowered = text.to_ascii_lowercase();
        let follows = plain[last_end..range.start].trim().is_empty();
        let before = if follows { context } else { Context::default() };
        context = Context::default();
        for terms in windows(&terms) {
            let sentence = AuditedSentence::new(&lowered, text, range.start, terms, before);
            context.is_addressed |= sentence.addresses_judge();
            context.is_lead_up |= sentence.is_lead_up();
            if found.len() < HITS_MAX
                && let Some(why) = sentence.instruction_reason()
            {
                found.push((trimmed(plain, &range), why));
                break;
            }
        }
        last_end = range.end;
    }
    if found.is_empty() {
        found.extend(block::find(plain));
    }
    found
}

/// Splits the terms into overlapping windows, because terms are compared pairwise and the work must stay bounded.
/// Terms that belong together share a window.
fn windows(terms: &[Term]) -> impl Iterator<Item = &[Term]> {
    const TERMS_MAX: usize = 48;
    let count = terms.len().saturating_sub(TERMS_MAX / 2).div_ceil(TERMS_MAX / 2).max(1);
    (0..count).filter_map(move |n| {
        let start = n * TERMS_MAX / 2;
        terms.get(start..terms.len().min(start + TERMS_MAX))
    })
}

/// Returns each sentence that contains an indicator, in text order, with the index range of its terms.
fn sentences_with_indicators(plain: &str, words: &[Term]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut sentences: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let indicators = AuditorConceptSet::of(INDICATORS);
    let (mut done, mut first) = (0, 0);
    for word in words.iter().filter(|word| indicators.has(word.concept)) {
        if word.start < done {
            continue;
        }
        let range = sentence_at(plain, word.start, done);
        done = range.end;
        // `words` is sorted by end offset.
        first += words[first..].partition_point(|word| word.end <= range.start);
        let last = first + words[first..].partition_point(|word| word.end <= range.end);
        sentences.push((range, first..last));
    }
    sentences
}

/// The sentence around `at`, clipped so that it starts no earlier than `from`.
fn sentence_at(plain: &str, at: usize, from: usize) -> Range<usize> {
    let bytes = plain.as_bytes();
    let mut start = at;
    while start > from && at - start < SENTENCE_BYTES_MAX && !ends_sentence(bytes, start - 1) {
        start -= 1;
    }
    while !plain.is_char_boundary(start) {
        start += 1;
    }
    let mut end = at;
    while end < bytes.len() && end - at < SENTENCE_BYTES_MAX && !ends_sentence(bytes, end) {
        end += 1;
    }
    end = (end + 1).min(bytes.len());
    while !plain.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// A line break ends a sentence, and so does a punctuation mark before white space. In Chinese and Japanese the mark
/// alone suffices.
fn ends_sentence(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'\n' => true,
        b'.' | b'!' | b'?' | b';' => bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        // The last byte of 。. The view has already folded ！ and ？ to ASCII.
        0x82 => at >= 2 && bytes[at - 2..at] == [0xE3, 0x80],
        _ => false,
    }
}

fn trimmed(plain: &str, range: &Range<usize>) -> Range<usize> {
    let text = &plain[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

static LEXICON: LazyLock<Option<Lexicon>> = LazyLock::new(Lexicon::new);

struct Lexicon {
    automaton: AhoCorasick,
    entries: Vec<LexiconEntry>,
}

struct LexiconEntry {
    concept: AuditorConcept,
    language: u8,
    /// The entry matches any word that begins with it.
    is_stem: bool,
}

impl Lexicon {
    /// Returns `None` only if the words exceed the automaton's size limits; a test ensures that they don't.
    fn new() -> Option<Self> {
        let (mut words, mut entries) = (Vec::new(), Vec::new());
        for (language, rows) in (0_u8..).zip(LANGUAGES) {
            for (concept, list) in rows.iter() {
                for word in list.split_whitespace() {
                    let is_field = *concept == AuditorConcept::Field;
                    let stem = word.trim_end_matches('*');
                    entries.push(LexiconEntry { concept: *concept, language, is_stem: stem.len() < word.len() });
                    let stem = &*comparable(stem);
                    words.push(if is_field { stem.to_owned() } else { stem.replace('_', " ") });
                    // Field names may also be written with spaces or hyphens.
                    for joint in [" ", "-"].iter().filter(|_| is_field && stem.contains('_')) {
                        entries.push(LexiconEntry { concept: *concept, language, is_stem: false });
                        words.push(stem.replace('_', joint));
                    }
                }
            }
        }
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).kind(kind).build(words).ok()?;
        Some(Self { automaton, entries })
    }

    /// Finds the lexicon's words in a text, sorted by end offset.
    fn read(&self, plain: &str) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        let mut is_sorted = true;
        for found in self.automaton.find_overlapping_iter(plain) {
            let (start, mut end) = (found.start(), found.end());
            let pattern = found.pattern().as_usize();
            let Some(entry) = self.entries.get(pattern) else { continue };
            if !self.is_word(plain, pattern, &(start..end)) {
                continue;
            }
            if entry.is_stem {
                let rest = &plain[end..];
                end += rest.find(|letter| !joins(letter)).unwrap_or(rest.len());
                is_sorted = false;
            }
            terms.push(Term { concept: entry.concept, language: entry.language, start, end });
        }
        // A stem's term extends to the end of its word, which may lie after the next match.
        if !is_sorted {
            terms.sort_by_key(|term| term.end);
        }
        terms
    }

    /// Whether a match is a whole word, or the beginning of a word where the entry is a stem.
    fn is_word(&self, plain: &str, pattern: usize, range: &Range<usize>) -> bool {
        let starts = starts_word(&plain[..range.start]);
        let is_stem = self.entries.get(pattern).is_some_and(|entry| entry.is_stem);
        starts && (is_stem || plain[range.end..].chars().next().is_none_or(|after| !joins(after)))
    }
}

/// Whether a word may start after this text: no letter precedes it, or only the conjunctions and articles that Arabic
/// and Hebrew attach to the word.
fn starts_word(before: &str) -> bool {
    const PREFIXES: &str = "وفبكلاהולבשמ";
    const PREFIX_LETTERS_MAX: usize = 3;
    let mut letters = before.chars().rev();
    let (mut last, mut count) = (letters.next(), 0);
    while let Some(letter) = last.filter(|&letter| joins(letter)) {
        if count == PREFIX_LETTERS_MAX || !PREFIXES.contains(letter) {
            return false;
        }
        (last, count) = (letters.next(), count + 1);
    }
    true
}
