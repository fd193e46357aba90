//! Counts of classes over a whole text, which distinguish a scene from a mention.

use super::class::Class;
use super::features::{Feature, FeatureFamily, SALT};
use super::read::Token;

/// The thresholds of each count, in the order in which `add_count_features` uses them.
const STEPS: [&[u32]; 13] = [
    &[1, 2, 3, 5, 8, 12],
    &[1, 2, 4, 6, 9, 13],
    &[1, 2, 3, 5, 8, 12],
    &[1, 2, 4],
    &[1, 2, 3],
    &[1, 2, 3],
    &[1, 2, 4],
    &[1, 2, 3],
    &[1, 2, 4],
    &[1, 2],
    &[1, 2, 4],
    &[1, 2],
    &[1, 2, 3, 5],
];
/// Percentages of a text's words.
const SHARES: [u32; 5] = [3, 6, 10, 16, 25];
/// Text lengths in words.
const LENGTHS: [u32; 6] = [6, 12, 25, 50, 100, 250];
/// The number of combined counts.
const PAIRS: usize = 16;

/// Emits a feature for each threshold that a count reaches, for shares of the text, and for combinations of counts.
pub(super) fn add_count_features(counts: &[u16; 96], words: u32, tokens: &[Token], found: &mut impl FnMut(Feature)) {
    use Class as C;
    let mut emit = |name: u32, value: u32| {
        found(Feature { family: FeatureFamily::Count, hash: count_feature(name, value), at: 0 })
    };
    let of = |classes: &[C]| classes.iter().map(|&class| u32::from(counts[class as usize])).sum::<u32>();
    let (core, hard, mild) = (of(&[C::SexCore]), of(&[C::SexCore, C::SexHard]), of(&[C::SexMild]));
    let violent = of(&[C::KillV, C::Gore, C::Weapon, C::Die, C::HarmV]);
    let self_harm = of(&[C::SelfOwn, C::SelfCall]);
    let counted = [
        hard,
        mild,
        violent,
        of(&[C::Gore]),
        self_harm,
        of(&[C::SelfWord]),
        of(&[C::Prof]),
        of(&[C::Slur, C::Misog, C::Reclaim]),
        of(&[C::Insult, C::BadAdj, C::Dehum]),
        of(&[C::Minor]),
        of(&[C::Group, C::Gender, C::Religion]),
        of(&[C::HateV]),
        core,
    ];
    for ((name, steps), count) in (0..).zip(STEPS).zip(counted) {
        for &step in steps.iter().filter(|&&step| count >= step) {
            emit(name, step);
        }
    }
    let per_cent = |count: u32| 100 * count / words.max(12);
    let shares = [per_cent(3 * hard + mild), per_cent(violent), per_cent(of(&[C::Prof]))];
    for (name, share) in (20..).zip(shares) {
        for &step in SHARES.iter().filter(|&&step| share >= step) {
            emit(name, step);
        }
    }
    let any = |classes: &[C]| of(classes) > 0;
    let asks = any(&[C::How, C::What, C::Why]) && words < 40;
    let pairs: [bool; PAIRS] = [
        hard > 0 && any(&[C::Minor]),
        hard + mild > 2 && any(&[C::Fiction]),
        hard + mild > 0 && any(&[C::Health]),
        violent > 0 && any(&[C::Tech]),
        violent > 0 && any(&[C::History]),
        violent > 1 && any(&[C::Fiction]),
        violent > 0 && asks,
        violent > 0 && any(&[C::Assist]),
        self_harm > 0 && any(&[C::Help]),
        any(&[C::SelfWord]) && any(&[C::Help]),
        hard > 0 && asks,
        hard > 0 && violent > 0,
        any(&[C::Group, C::Gender]) && any(&[C::Counter]),
        any(&[C::Slur, C::Misog, C::Reclaim]) && any(&[C::Counter]),
        any(&[C::Prof]) && !any(&[C::You, C::YouAre, C::Your, C::Group, C::He, C::HeIs, C::They]),
        any(&[C::Group, C::Gender]) && violent > 0,
    ];
    for (name, _) in (100..).zip(pairs).filter(|&(_, applies)| applies) {
        emit(name, 1);
    }
    for &step in LENGTHS.iter().filter(|&&step| words >= step) {
        emit(30, step);
    }
    if tokens.iter().any(|token| token.shouted) {
        emit(31, 1);
    }
}

fn count_feature(name: u32, step: u32) -> u32 {
    (SALT + 0x1000 + name * 256 + step).wrapping_mul(0x9E37_79B9)
}

/// The initial log-odds of each threshold, before training.
#[cfg(feature = "training")]
pub(crate) fn count_priors() -> impl Iterator<Item = (u32, f32)> {
    const PRIORS: &[(u32, &[(u32, f32)])] = &[
        (0, &[(1, 0.8), (2, 0.8), (3, 0.7), (5, 0.6), (8, 0.4)]),
        (12, &[(1, 1.5), (2, 0.8), (3, 0.4)]),
        (1, &[(4, 0.4), (6, 0.4), (9, 0.4), (13, 0.4)]),
        (2, &[(3, 0.3), (5, 0.3), (8, 0.3)]),
        (3, &[(1, 0.3), (2, 0.4), (4, 0.5)]),
        (4, &[(1, 0.5), (2, 0.5)]),
        (20, &[(3, 0.2), (6, 0.4), (10, 0.5), (16, 0.5)]),
        (21, &[(6, 0.2), (10, 0.3)]),
        (100, &[(1, 1.5)]),
        (102, &[(1, -1.0)]),
        (103, &[(1, -1.0)]),
        (104, &[(1, -0.5)]),
        (106, &[(1, -0.8)]),
        (108, &[(1, -1.0)]),
    ];
    PRIORS.iter().flat_map(|&(name, steps)| steps.iter().map(move |&(step, prior)| (count_feature(name, step), prior)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_events_or_counts_share_a_weight() {
        let events = (0..32_u32).flat_map(|event| (0..8_u32).map(move |stance| SALT + event * 8 + stance));
        let steps = (0..).zip(STEPS).flat_map(|(name, steps)| steps.iter().map(move |&step| (name, step)));
        let shares = (20..23).flat_map(|name| SHARES.iter().map(move |&step| (name, step)));
        let lengths = LENGTHS.iter().map(|&step| (30, step)).chain([(31, 1)]);
        let pairs = (100..).take(PAIRS).map(|name| (name, 1));
        let counts = steps.chain(shares).chain(lengths).chain(pairs).map(|(name, step)| count_feature(name, step));
        let all: Vec<u32> = events.map(|event| event.wrapping_mul(0x9E37_79B9)).chain(counts).collect();
        // The same bucket calculation as in `Linear`.
        let mask = (1 << crate::toxicity::model::LOG2[0]) - 1;
        let buckets: BTreeSet<u32> = all.iter().map(|f| (f.wrapping_mul(0x9E37_79B1) >> 7) & mask).collect();
        assert_eq!(buckets.len(), all.len());
    }
}
