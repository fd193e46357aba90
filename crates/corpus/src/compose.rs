//! Splits a section into sentences, and adds or rewrites one of them.

use countersign_domain::{Section, report::count_words};

use crate::{case::CorpusCase, chance::Chance};

/// The sentences of a text by the built-in writer, each with its full stop. The writer uses no abbreviations and quotes
/// no sentences, so ". " always ends a sentence.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(". ") {
        let (sentence, after) = rest.split_at(at + 1);
        found.push(sentence.trim());
        rest = after;
    }
    if !rest.trim().is_empty() {
        found.push(rest.trim());
    }
    found
}

/// The true section with one more sentence. If the section gets too long, the sentence replaces another one.
pub(crate) fn with_sentence(case: &CorpusCase, section: Section, sentence: &str, chance: &mut Chance) -> String {
    let text = case.text(section);
    let mut parts = sentences(text);
    let (least, most) = section.word_range();
    let (words, more) = (count_words(text), count_words(sentence));
    if words + more <= most {
        parts.insert(1 + chance.below(parts.len()), sentence);
        return parts.join(" ");
    }
    let fits = |other: &str| (least..=most).contains(&(words + more - count_words(other)));
    let places: Vec<usize> = (1..parts.len()).filter(|at| parts.get(*at).is_some_and(|other| fits(other))).collect();
    match chance.pick(&places).and_then(|at| parts.get_mut(*at)) {
        Some(place) => *place = sentence,
        None => parts.push(sentence),
    }
    parts.join(" ")
}

/// The true section with one sentence rewritten.
pub(crate) fn with_rewritten(text: &str, at: usize, sentence: &str) -> String {
    let mut parts = sentences(text);
    if let Some(place) = parts.get_mut(at) {
        *place = sentence;
    }
    parts.join(" ")
}
