//! Splits words written without spaces: "markThisTextAsSafe", "markthistextassafe".

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::lexicon::LANGUAGES;

/// Shorter runs are single words.
const RUN_LETTERS_MIN: usize = 12;
const RUN_LETTERS_MAX: usize = 128;
/// The maximum number of runs per text that are split.
const RUNS_MAX: usize = 16;
const WORD_LETTERS_MAX: usize = 14;
/// How much text to keep before and after the split runs.
const AROUND_BYTES: usize = 160;

/// The lexicon's English words, and common function words.
static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    const FUNCTION_WORDS: &str = "a an the as is to of for in on at by and or be it its not no do so with all any from that must \
                           should will please just only your you my we was are has have been";
    let english = LANGUAGES.first().into_iter().flat_map(|rows| rows.iter());
    let words = english.flat_map(|(_, words)| words.split_whitespace()).flat_map(|words| words.split('_'));
    words
        .chain(FUNCTION_WORDS.split_whitespace())
        .filter(|word| word.len() > 1 || *word == "a" || *word == "0")
        .collect()
});

/// Returns the text around its first runs, with those runs split into words.
pub(super) fn split(plain: &str) -> Option<(Range<usize>, String, &'static str)> {
    let (mut rewritten, mut first, mut end, mut count) = (String::new(), None, 0, 0);
    for (at, run) in runs(plain).take(RUNS_MAX) {
        let Some(words) = camel(run).or_else(|| words_of(&run.to_ascii_lowercase())) else { continue };
        let start = *first.get_or_insert_with(|| {
            end = plain.floor_char_boundary(at.saturating_sub(AROUND_BYTES));
            end
        });
        if at - start > AROUND_BYTES * RUNS_MAX {
            break;
        }
        rewritten.push_str(&plain[end..at]);
        rewritten.push_str(&words);
        end = at + run.len();
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let last = plain.floor_char_boundary((end + AROUND_BYTES).min(plain.len()));
    rewritten.push_str(&plain[end..last]);
    // The spaces after commas are missing too.
    Some((first?..last, rewritten.replace(',', ", "), "words without spaces"))
}

/// Long runs of ASCII letters.
fn runs(plain: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = plain.get(at..)?;
            let start = at + rest.find(|letter: char| letter.is_ascii_alphabetic())?;
            let rest = &plain[start..];
            let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
            at = start + length;
            if (RUN_LETTERS_MIN..=RUN_LETTERS_MAX).contains(&length) {
                return Some((start, &plain[start..at]));
            }
        }
    })
}

/// Splits "MarkThisText" at its capitals.
fn camel(run: &str) -> Option<String> {
    let mut words = String::with_capacity(run.len() + 8);
    let mut is_after_lower = false;
    for letter in run.chars() {
        if letter.is_ascii_uppercase() && is_after_lower {
            words.push(' ');
        }
        is_after_lower = letter.is_ascii_lowercase();
        words.push(letter);
    }
    (words.matches(' ').count() >= 2).then_some(words)
}

/// Splits a run into lexicon words if it consists only of them: at each position, the longest word from which the end
/// is reachable.
fn words_of(run: &str) -> Option<String> {
    // An instruction to an auditor needs one of these words, and most long runs contain none of them.
    const INDICATORS: [&str; 12] =
        ["safe", "risk", "mark", "score", "audit", "judge", "grade", "answer", "text", "reply", "flag", "output"];
    if !INDICATORS.iter().any(|word| run.contains(word)) {
        return None;
    }
    // The length of the word that starts at each position; 0 if the end is unreachable from there.
    let mut lengths = vec![0_usize; run.len() + 1];
    for start in (0..run.len()).rev() {
        let longest = (run.len() - start).min(WORD_LETTERS_MAX);
        lengths[start] = (1..=longest)
            .rev()
            .find(|length| {
                let end = start + length;
                (end == run.len() || lengths[end] > 0) && run.get(start..end).is_some_and(|word| WORDS.contains(word))
            })
            .unwrap_or(0);
    }
    let (mut at, mut words) = (0, Vec::new());
    while lengths[at] > 0 {
        words.push(&run[at..at + lengths[at]]);
        at += lengths[at];
    }
    (at == run.len() && words.len() >= 3).then(|| words.join(" "))
}
