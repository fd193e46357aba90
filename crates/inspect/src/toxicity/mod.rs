//! Detects hurtful text: insults, threats, attacks on groups, sexual content, self-harm, profanity.
//!
//! Naming a group or quoting abuse is not toxic; only a statement about somebody can be. Therefore words get classes,
//! events are derived from the classes of a sentence, and a linear model weighs the features.
//!
//! | file | job |
//! |---|---|
//! | `fold.rs`, `read.rs`, `glue.rs`, `join.rs` | read English words through their disguises |
//! | `lexicon.rs`, `class.rs` | the listed words and their classes |
//! | `sentence.rs`, `event.rs` | the events of a sentence: who says or does what to whom |
//! | `features.rs`, `counts.rs`, `model.rs`, `judge.rs` | the features of a text, their weights, the judgement |
//! | `phrases.rs` | English phrases that are unambiguous without the model, for texts that arrive in pieces |
//! | `languages/` | phrases of other European languages |
//!
//! Out of scope: judging a single word that also has a harmless use, and showing the matched text in a finding's
//! explanation.

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

use crate::scan::ScanAnchor;
pub(crate) use judge::judge;

pub(crate) fn anchors() -> Vec<ScanAnchor> {
    phrases::anchors().into_iter().chain(languages::anchors()).collect()
}

/// Training's view of this module: the features of a text as the model sees them.
#[cfg(feature = "training")]
pub mod training {
    pub use super::model::LOG2;
    use super::{
        event::{SpeechEvent, Stance},
        features, read,
    };

    /// The lexicon entries with this head, so that training texts need no word list of their own.
    pub fn entries(head: &'static str) -> impl Iterator<Item = &'static str> {
        super::lexicon::entries(head)
    }

    /// The features of a text, each as its table (0: events and counts, 1: skeletons, 2: words), its hash and its value.
    pub fn features(text: &str) -> Vec<(usize, u32, f32)> {
        let mut tokens = Vec::new();
        read::read(text, &mut tokens);
        let mut found = Vec::new();
        features::features(&tokens, &mut |feature| found.push(feature));
        let table = |family| match family {
            features::FeatureFamily::Event(..) | features::FeatureFamily::Count => 0,
            features::FeatureFamily::Skeleton => 1,
            features::FeatureFamily::Word => 2,
        };
        let count = |family| found.iter().filter(|feature| feature.family == family).count();
        let (skeletons, words) = (count(features::FeatureFamily::Skeleton), count(features::FeatureFamily::Word));
        found
            .iter()
            .map(|feature| {
                let count = if feature.family == features::FeatureFamily::Word { words } else { skeletons };
                (table(feature.family), feature.hash, features::share(feature.family, count))
            })
            .collect()
    }

    /// The initial weights of features of the first table, before training; all others start at 0.
    pub fn priors() -> Vec<(u32, f32)> {
        let pairs = SpeechEvent::ALL.iter().flat_map(|&event| Stance::ALL.iter().map(move |&stance| (event, stance)));
        let events = pairs.map(|(event, stance)| (features::event_feature(event, stance), event.prior(stance)));
        events.chain(super::counts::count_priors()).collect()
    }
}
