//! Text that hurts: insults, threats, attacks on a group, sexual content, self-harm, profanity.
//!
//! Naming a group or quoting abuse is not toxic; only what is said about somebody can be. So words get classes, events are read
//! from the classes of a sentence, and a linear model weighs the signs.
//!
//! | file | job |
//! |---|---|
//! | `fold.rs`, `read.rs`, `glue.rs`, `join.rs` | read English words through their disguises |
//! | `lexicon.rs`, `class.rs` | the listed words and their classes |
//! | `sentence.rs`, `event.rs` | what happens in a sentence: who says or does what to whom |
//! | `features.rs`, `counts.rs`, `model.rs`, `judge.rs` | the signs of a text, their weights, the judgement |
//! | `phrases.rs` | English phrases that are certain without the model, for texts that arrive in pieces |
//! | `languages/` | phrases of other European languages |
//!
//! Refused: judging a word by itself where it has a harmless use, and showing the matched text in a finding's explanation.

mod class;
mod counts;
mod event;
mod features;
mod fold;
mod glue;
mod join;
mod judge;
mod languages;
mod lexicon;
mod model;
mod phrases;
mod read;
mod sentence;
#[cfg(test)]
mod tests;

use crate::scan::Anchor;
pub(crate) use judge::judge;

pub(crate) fn anchors() -> Vec<Anchor> {
    phrases::anchors().into_iter().chain(languages::anchors()).collect()
}

/// What training needs: the signs of a text as the model sees them.
#[cfg(feature = "training")]
pub mod training {
    pub use super::model::LOG2;
    use super::{
        event::{Event, Stance},
        features, read,
    };

    /// The entries of the lexicon's lines with this head, so that texts to learn from need no list of their own.
    pub fn entries(head: &'static str) -> impl Iterator<Item = &'static str> {
        super::lexicon::entries(head)
    }

    /// Table (0: events and counts, 1: skeletons, 2: words), feature, value.
    pub fn signs(text: &str) -> Vec<(usize, u32, f32)> {
        let mut tokens = Vec::new();
        read::read(text, &mut tokens);
        let mut found = Vec::new();
        features::signs(&tokens, &mut |sign| found.push(sign));
        let table = |part| match part {
            features::SignFamily::Event(..) | features::SignFamily::Count => 0,
            features::SignFamily::Skeleton => 1,
            features::SignFamily::Word => 2,
        };
        let count = |part| found.iter().filter(|sign| sign.part == part).count();
        let (skeletons, words) = (count(features::SignFamily::Skeleton), count(features::SignFamily::Word));
        found
            .iter()
            .map(|sign| {
                let count = if sign.part == features::SignFamily::Word { words } else { skeletons };
                (table(sign.part), sign.feature, features::share(sign.part, count))
            })
            .collect()
    }

    /// Weights before anything is learnt, of features of the first table; all others start from 0.
    pub fn priors() -> Vec<(u32, f32)> {
        let pairs = Event::ALL.iter().flat_map(|&event| Stance::ALL.iter().map(move |&stance| (event, stance)));
        let events = pairs.map(|(event, stance)| (features::event_feature(event, stance), event.prior(stance)));
        events.chain(super::counts::count_priors()).collect()
    }
}
