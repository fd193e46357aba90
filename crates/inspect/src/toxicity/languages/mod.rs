//! Finds threats, insults and slurs in European languages other than English, by lists of phrases: one file per
//! language.
//!
//! A phrase counts only as a whole: a threat names a speaker, a deed and the person addressed, and a mild insult is
//! addressed to somebody. Only unambiguous words are listed by themselves. As with the English phrases, quotations,
//! negations and reported speech don't count.
//!
//! Out of scope: grammar, irony, paraphrase, and spellings that hide a word. The learned model reads English only.
//!
//! | file | job |
//! |---|---|
//! | `list` | parses the phrase files |
//! | `read` | folds the words around an anchor |
//! | `matching` | matches a phrase against those words |

mod list;
mod matching;
mod read;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use crate::context::word_starts;
use crate::finding::{Hit, Kind};
use crate::scan::{ScanAnchor, ScanCheck};
use list::{Category, Lists};
use read::AnchorContext;

const FILES: &[(&str, &str)] = &[
    ("Dutch", include_str!("nl.txt")),
    ("French", include_str!("fr.txt")),
    ("German", include_str!("de.txt")),
    ("Italian", include_str!("it.txt")),
    ("Polish", include_str!("pl.txt")),
    ("Portuguese", include_str!("pt.txt")),
    ("Romanian", include_str!("ro.txt")),
    ("Russian", include_str!("ru.txt")),
    ("Spanish", include_str!("es.txt")),
    ("Ukrainian", include_str!("uk.txt")),
];

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists::read(FILES));

pub(super) fn anchors() -> impl Iterator<Item = ScanAnchor> {
    LISTS.literals().into_iter().map(|literal| (literal.into_bytes(), ScanCheck::Verify(verify)))
}

/// The highest-scoring phrase around the word that starts here; the longest among equals.
fn verify(text: &str, range: Range<usize>) -> Option<Hit> {
    if !word_starts(text, range.start) {
        return None;
    }
    let candidates = LISTS.candidates(&read::word_at(text, range.start));
    if candidates.is_empty() {
        return None;
    }
    let context = AnchorContext::around(text, range.start);
    let found = candidates.iter().filter_map(|&phrase| {
        let phrase = &LISTS.phrases[phrase];
        let (start, end) = matching::find(&LISTS, phrase, &context)?;
        Some((phrase, start, end))
    });
    let (phrase, start, end) = found
        .max_by(|a, b| a.0.category.score().total_cmp(&b.0.category.score()).then((a.2 - a.1).cmp(&(b.2 - b.1))))?;
    let language = LISTS.languages[phrase.language].name;
    Some(phrase.category.hit(language, start, end))
}

impl Category {
    /// The score of the English phrases of the same type.
    fn score(self) -> f64 {
        match self {
            Self::Threat => 0.95,
            Self::SelfHarm | Self::Attack => 0.9,
            Self::Insult => 0.85,
            Self::Doom | Self::Sexual => 0.8,
            Self::Slur | Self::Profanity => 0.45,
        }
    }

    fn hit(self, language: &str, start: usize, end: usize) -> Hit {
        let (r#type, detector, explanation) = match self {
            Self::Threat => ("THREAT", "toxicity/threat", "somebody announces violence"),
            Self::Doom => ("THREAT", "toxicity/threat", "somebody is intimidated or wished dead"),
            Self::SelfHarm => ("SELF_HARM", "toxicity/self_harm", "calls on somebody to harm themselves"),
            Self::Attack => {
                ("IDENTITY_ATTACK", "toxicity/identity_attack", "a slur at somebody, or harm wished to a group")
            }
            Self::Slur => {
                ("IDENTITY_ATTACK", "toxicity/identity_attack", "a slur; whether it is meant depends on the text")
            }
            Self::Insult => ("INSULT", "toxicity/insult", "somebody is called or addressed by an insulting name"),
            Self::Sexual => ("SEXUAL", "toxicity/sexual", "a sexual demand on somebody"),
            Self::Profanity => {
                ("PROFANITY", "toxicity/profanity", "profanity; by itself it does not make a text toxic")
            }
        };
        Hit {
            kind: Kind::Toxicity,
            r#type,
            start,
            end,
            score: self.score(),
            detector,
            explanation: format!("{explanation} ({language} phrase list)"),
        }
    }
}
