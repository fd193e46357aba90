//! The signs that the toxicity model weighs, the same in training and in use.
//!
//! Three kinds: events with their stance (`event`); the skeleton of a sentence, its classes in order, in ones, twos and threes;
//! counts of classes over the whole text, which are what tells a scene from a mention. Words and pairs of words add a little. Each sign counts once in a text, and long texts do not weigh more for it.

use super::class::Class;
use super::event::{Event, Stance, events};
use super::read::Token;
use crate::learned::joined;

/// Longer sentences are taken in pieces, so that what belongs together stands together.
const SENTENCE_TOKENS_MAX: usize = 60;
/// How long a group that was named can still be meant by "they".
const MEANT_TOKENS: usize = 40;
const SEEN_LOG2: u32 = 16;

/// Chosen so that no two events or counts share a weight; a test holds it to that.
const SALT: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Event(Event, Stance),
    Count,
    Skeleton,
    Word,
}

/// A sign, and the token (of all) where it is complete.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sign {
    pub(crate) part: Part,
    pub(crate) feature: u32,
    pub(crate) at: usize,
}

/// How much a sign of a part counts where a text has so many of them.
pub(crate) fn share(part: Part, count: usize) -> f32 {
    let full = match part {
        Part::Event(..) | Part::Count => return 1.0,
        Part::Skeleton => 30.0,
        Part::Word => 10.0,
    };
    (full / (count as f32).max(full)).sqrt()
}

/// Calls `found` once for every sign of a text.
pub(crate) fn signs(tokens: &[Token], found: &mut impl FnMut(Sign)) {
    let mut seen = Seen(vec![0; 1 << (SEEN_LOG2 - 6)]);
    let mut counts = [0_u16; 96];
    let mut words = 0_u32;
    let mut group_until = 0;
    let mut unders = [0_u8; SENTENCE_TOKENS_MAX];
    let mut from = 0;
    while from < tokens.len() {
        let to = from + sentence_len(&tokens[from..]);
        let sentence = &tokens[from..to];
        let counters = counters(tokens, from, to);
        events(sentence, from < group_until, counters, &mut |event, stance, at| {
            let feature = event_feature(event, stance);
            if seen.first(feature) {
                found(Sign { part: Part::Event(event, stance), feature, at: from + at });
            }
        });
        under(sentence, counters, &mut unders);
        skeleton(sentence, &unders, &mut |feature, at| {
            if seen.first(feature) {
                found(Sign { part: Part::Skeleton, feature, at: from + at });
            }
        });
        for (at, token) in sentence.iter().enumerate() {
            if token.class.is_group() {
                group_until = from + at + MEANT_TOKENS;
            }
            if token.class.is_mark() {
                continue;
            }
            words += 1;
            if seen.first(joined(0x77, token.hash)) {
                counts[token.class as usize] = counts[token.class as usize].saturating_add(1);
            }
            // No person's name earns a weight.
            if unders[at] != 0 || token.named {
                continue;
            }
            let word = word(token);
            if seen.first(joined(0x78, word)) {
                found(Sign { part: Part::Word, feature: word, at: from + at });
            }
            if let Some(next) = sentence.get(at + 1).filter(|next| !next.class.is_mark() && !next.named) {
                let pair = joined(word, self::word(next));
                if seen.first(pair) {
                    found(Sign { part: Part::Word, feature: pair, at: from + at });
                }
            }
        }
        from = to;
    }
    count_signs(&counts, words, tokens, found);
}

/// A word as the weaker table knows it. Who somebody is counts only as that: no group's name can earn a weight of its own.
fn word(token: &Token) -> u32 {
    if token.class.is_identity() { 0x1D } else { token.hash }
}

pub(crate) fn event_feature(event: Event, stance: Stance) -> u32 {
    (SALT + event as u32 * 8 + stance as u32).wrapping_mul(0x9E37_79B9)
}

/// Which signs were there before, by hash.
struct Seen(Vec<u64>);

impl Seen {
    fn first(&mut self, feature: u32) -> bool {
        let bit = feature.wrapping_mul(0x85EB_CA6B) >> (32 - SEEN_LOG2);
        let (at, mask) = ((bit >> 6) as usize, 1_u64 << (bit & 63));
        let new = self.0[at] & mask == 0;
        self.0[at] |= mask;
        new
    }
}

/// Tokens of the first sentence, its end mark among them.
pub(crate) fn sentence_len(tokens: &[Token]) -> usize {
    let ends = |token: &Token| matches!(token.class, Class::Stop | Class::Ask | Class::Cry) && !token.quoted;
    let end = tokens.iter().take(SENTENCE_TOKENS_MAX).position(ends).map_or(SENTENCE_TOKENS_MAX, |at| at + 1);
    end.min(tokens.len())
}

/// Whether this sentence, or a short one beside it, speaks against what is said.
fn counters(tokens: &[Token], from: usize, to: usize) -> bool {
    const BESIDE: usize = 14;
    let around = &tokens[from.saturating_sub(BESIDE)..tokens.len().min(to + BESIDE)];
    around.iter().any(|token| token.class == Class::Counter && !token.quoted)
        || deed_blamed(&tokens[from..to])
        || hatred_hated(&tokens[from..to])
}

/// "I despise the idea that", "I hate people who hate": what follows is not shared.
fn hatred_hated(sentence: &[Token]) -> bool {
    let hated = sentence.iter().position(|token| token.class == Class::HateV);
    let next = hated.map_or(&[][..], |at| &sentence[at + 1..sentence.len().min(at + 4)]);
    next.iter().any(|token| matches!(token.class, Class::Word | Class::Whoever))
}

/// "Wanting to hurt them is evil": a deed is the subject and something bad is said of it.
fn deed_blamed(sentence: &[Token]) -> bool {
    let Some(be) = sentence.iter().rposition(|token| token.class == Class::Be) else { return false };
    let blamed = |token: &Token| matches!(token.class, Class::BadAdj | Class::Crime | Class::Counter | Class::Die);
    sentence.first().is_some_and(|first| first.gerund) && sentence[be..].iter().any(blamed)
}

/// What each word stands under: 0 nothing, 1 quotation marks, 2 counter-speech, 3 a negation.
fn under(sentence: &[Token], counters: bool, unders: &mut [u8; SENTENCE_TOKENS_MAX]) {
    const DENIED_TOKENS: usize = 6;
    let mut denied_until = 0;
    let mut ascribed = counters;
    for ((at, token), under) in sentence.iter().enumerate().zip(unders) {
        *under = match () {
            () if token.class.is_frame() => 0,
            () if token.quoted => 1,
            () if ascribed => 2,
            () if at < denied_until => 3,
            () => 0,
        };
        match token.class {
            Class::Neg | Class::Denial => denied_until = at + DENIED_TOKENS,
            Class::Whoever => ascribed = true,
            _ => {}
        }
    }
}

/// The classes of a sentence in order. Under a negation, in quotation marks or in counter-speech a class is another sign.
fn skeleton(sentence: &[Token], under: &[u8], found: &mut impl FnMut(u32, usize)) {
    const GAP_MAX: usize = 6;
    let (mut before, mut last) = (0, 0);
    let mut last_at = 0;
    let mut weighs = [false; 3];
    for (at, token) in sentence.iter().enumerate() {
        if matches!(token.class, Class::Other | Class::Plain | Class::Comma | Class::To) {
            continue;
        }
        if at - last_at > GAP_MAX {
            (before, last) = (0, 0);
            weighs = [false; 3];
        }
        let symbol = 0x5_0000 + (token.class as u32) * 4 + u32::from(under[at]);
        // A frame with nothing in it says nothing.
        weighs = [weighs[1], weighs[2], !token.class.is_frame()];
        if weighs[2] {
            found(symbol, at);
        }
        if last != 0 && (weighs[1] || weighs[2]) {
            found(joined(last, symbol), at);
        }
        if before != 0 && weighs.contains(&true) {
            found(joined(joined(before, last), symbol), at);
            found(joined(joined(before, 0x99), symbol), at);
        }
        (before, last, last_at) = (last, symbol, at);
    }
}

/// Steps of the counts in the order in which they are taken.
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
/// Per cent of a text's words.
const SHARES: [u32; 5] = [3, 6, 10, 16, 25];
/// Words of a text.
const LENGTHS: [u32; 6] = [6, 12, 25, 50, 100, 250];
/// Counts that mean something only together.
const PAIRS: usize = 16;

/// Counts in steps, each a sign of its own; shares of the text; and counts that mean something only together.
fn count_signs(counts: &[u16; 96], words: u32, tokens: &[Token], found: &mut impl FnMut(Sign)) {
    use Class as C;
    let mut tell =
        |name: u32, value: u32| found(Sign { part: Part::Count, feature: count_feature(name, value), at: 0 });
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
            tell(name, step);
        }
    }
    let per_cent = |count: u32| 100 * count / words.max(12);
    let shares = [per_cent(3 * hard + mild), per_cent(violent), per_cent(of(&[C::Prof]))];
    for (name, share) in (20..).zip(shares) {
        for &step in SHARES.iter().filter(|&&step| share >= step) {
            tell(name, step);
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
    for (name, _) in (100..).zip(pairs).filter(|&(_, holds)| holds) {
        tell(name, 1);
    }
    for &step in LENGTHS.iter().filter(|&&step| words >= step) {
        tell(30, step);
    }
    if tokens.iter().any(|token| token.shouted) {
        tell(31, 1);
    }
}

fn count_feature(name: u32, step: u32) -> u32 {
    (SALT + 0x1000 + name * 256 + step).wrapping_mul(0x9E37_79B9)
}

/// Log-odds that each step of a count adds before anything is learnt.
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
        // As `Linear` does it.
        let mask = (1 << super::super::model::LOG2[0]) - 1;
        let buckets: BTreeSet<u32> = all.iter().map(|f| (f.wrapping_mul(0x9E37_79B1) >> 7) & mask).collect();
        assert_eq!(buckets.len(), all.len());
    }
}
