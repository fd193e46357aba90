//! Names of people, places and organisations, and what stands beside them: addresses, titles, ages, dates, nationalities.
//!
//! Alone they are no risk; beside an identifier they are part of what points to a person. Scores stay below those of identifiers,
//! so that a number with a checksum wins over a name around it. Nothing below 0.5 is handed back.

mod address;
mod again;
mod dates;
mod features;
mod gazetteer;
mod plausible;
mod reading;
mod span;
mod tagger;
#[cfg(feature = "training")]
pub mod training;

use std::sync::LazyLock;

use self::reading::Reading;
use self::tagger::Tagger;
use crate::finding::{Hit, Kind};
use crate::words::Word;

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

fn spans(tagger: &Tagger, text: &str, words: &[Word]) -> Vec<span::Span> {
    let reading = Reading::new(&tagger.gazetteer, text, words);
    let mut entities = tagger::entities(&tagger.model, &reading);
    again::add(&reading, &mut entities);
    span::spans(&reading, &entities)
}

#[cfg(test)]
mod tests;
