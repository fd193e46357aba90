//! The three weight tables, and the score of a text's features.
//!
//! Events and counts have a table of their own, so that no rare feature shares a weight with one of them by a hash
//! collision.

use std::sync::LazyLock;

use super::features::{FeatureFamily, share};
use crate::learned::Linear;

/// The base-2 logarithm of each table's number of buckets.
#[cfg(any(test, feature = "training"))]
#[cfg_attr(not(feature = "training"), expect(unreachable_pub, reason = "only training uses it outside this crate"))]
pub const LOG2: [u8; 3] = [15, 17, 17];

pub(super) struct Model {
    pub(super) events: Linear,
    pub(super) skeletons: Linear,
    pub(super) words: Linear,
}

pub(super) fn model() -> Option<&'static Model> {
    static MODEL: LazyLock<Option<Model>> = LazyLock::new(|| {
        let events = Linear::from_bytes(include_bytes!("../../weights/toxicity.bin"))?;
        let skeletons = Linear::from_bytes(include_bytes!("../../weights/toxicity_skeletons.bin"))?;
        let words = Linear::from_bytes(include_bytes!("../../weights/toxicity_words.bin"))?;
        Some(Model { events, skeletons, words })
    });
    MODEL.as_ref()
}

/// Sums of weights by table, before scaling.
#[derive(Default, Clone, Copy)]
pub(super) struct Sums {
    /// Events and counts.
    events: i32,
    skeleton: (i32, usize),
    words: (i32, usize),
}

impl Sums {
    pub(super) fn add(&mut self, model: &Model, family: FeatureFamily, hash: u32) {
        let counted = |sums: &mut (i32, usize), linear: &Linear| *sums = (sums.0 + linear.weight(hash), sums.1 + 1);
        match family {
            FeatureFamily::Event(..) | FeatureFamily::Count => self.events += model.events.weight(hash),
            FeatureFamily::Skeleton => counted(&mut self.skeleton, &model.skeletons),
            FeatureFamily::Word => counted(&mut self.words, &model.words),
        }
    }

    /// The score in log-odds.
    pub(super) fn score(&self, model: &Model) -> f32 {
        let slope = |linear: &Linear, sum: i32| linear.scaled(0, sum) - linear.scaled(0, 0);
        model.events.scaled(0, self.events)
            + slope(&model.skeletons, self.skeleton.0) * share(FeatureFamily::Skeleton, self.skeleton.1)
            + slope(&model.words, self.words.0) * share(FeatureFamily::Word, self.words.1)
    }
}
