//! A section's sentences, and a section with one of them changed.

use countersign_domain::{Section, report::count_words};

use crate::{chance::Chance, subject::Subject};

/// The sentences of a text of the built-in writer, each with its period. It writes no abbreviations and no sentence inside
/// a quotation.
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

/// The true section with a sentence more, or, where it has no room for it, with that sentence in another's place.
pub(crate) fn with_sentence(subject: &Subject, section: Section, sentence: &str, chance: &mut Chance) -> String {
    let text = subject.text(section);
    let mut parts = sentences(text);
    let (least, most) = section.words();
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
