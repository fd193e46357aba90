//! Finds names of people, places and organisations, and related details: addresses, titles, ages, dates, nationalities.
//!
//! These are no risk alone, but together with an identifier they help to identify a person. Their scores stay below those of
//! identifiers, so that a number with a valid checksum wins over a name around it. Nothing below 0.5 is returned.
//!
//! | file | job |
//! |---|---|
//! | `tagger_input.rs`, `gazetteer.rs`, `features.rs`, `tagger.rs` | the learned tagger: words, lists, features, decisions |
//! | `span.rs`, `plausible.rs`, `again.rs` | turn entities into findings; drop implausible ones; find later mentions of a name |
//! | `address.rs`, `street.rs`, `dates.rs`, `han.rs` | addresses and dates recognised by their form, including Chinese and Japanese addresses |

mod address;
mod again;
mod dates;
mod features;
mod gazetteer;
mod han;
mod plausible;
mod span;
mod street;
mod tagger;
mod tagger_input;
#[cfg(feature = "training")]
pub mod training;

use std::sync::LazyLock;

use self::tagger::Tagger;
use self::tagger_input::TaggerInput;
use crate::finding::{Hit, Kind};
use crate::tokenize::Word;

static TAGGER: LazyLock<Option<Tagger>> = LazyLock::new(|| {
    let ordinary = include_bytes!("../../../weights/names_words.bin");
    Tagger::new(ordinary, include_bytes!("../../../weights/names.bin"))
});

pub(crate) fn tag(text: &str, words: &[Word], hits: &mut Vec<Hit>) {
    let Some(tagger) = &*TAGGER else { return };
    for span in spans(tagger, text, words) {
        hits.push(Hit {
            kind: Kind::Pii,
            r#type: span.r#type,
            start: span.range.start,
            end: span.range.end,
            score: span.score,
            detector: "pii/names",
            explanation: span.explanation.to_owned(),
        });
    }
}

/// The name lists that contain a word, regardless of its case. Only a hint: "Rose" is a name, a flower and a verb.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordLists {
    pub first_name: bool,
    pub last_name: bool,
    /// A town, a state or a country, or one word of its name.
    pub place: bool,
    /// Marks a company or an institution: `ltd`, `bank`.
    pub organisation: bool,
    /// A form of address before a name: `mrs`.
    pub title: bool,
    /// A small word inside names: `van`, `de la`.
    pub particle: bool,
    /// A capitalised word that is not a personal name: months, weekdays, nationalities, products.
    pub thing: bool,
    /// An English word that is usually written in lower case.
    pub ordinary: bool,
}

/// Looks up a single word in the tagger's lists.
pub fn word_lists(word: &str) -> WordLists {
    let flags = TAGGER.as_ref().map_or(0, |tagger| tagger.gazetteer.flags(crate::tokenize::hash(word)));
    let on = |lists: u32| flags & lists != 0;
    WordLists {
        first_name: on(gazetteer::FIRST),
        last_name: on(gazetteer::LAST),
        place: on(gazetteer::COUNTRY | gazetteer::CITY | gazetteer::STATE | gazetteer::PLACE_PART),
        organisation: on(gazetteer::ORG),
        title: on(gazetteer::TITLE),
        particle: on(gazetteer::PARTICLE),
        thing: on(gazetteer::CALENDAR | gazetteer::NATION | gazetteer::THING),
        ordinary: on(gazetteer::ORDINARY),
    }
}

fn spans(tagger: &Tagger, text: &str, words: &[Word]) -> Vec<span::NameSpan> {
    let input = TaggerInput::new(&tagger.gazetteer, text, words);
    let mut entities = tagger::entities(&tagger.model, &input);
    again::add(&input, &mut entities);
    let streets = span::join_streets(&input, street::streets(&input), &mut entities);
    let mut spans = span::spans(&input, &entities);
    spans.extend(streets.into_iter().map(|street| span::of_street(&input, street)));
    for found in han::addresses(text) {
        spans.retain(|span| span.range.end <= found.range.start || found.range.end <= span.range.start);
        spans.push(span::of_han(found));
    }
    spans.sort_by_key(|span| span.range.start);
    spans
}

#[cfg(test)]
mod tests;
