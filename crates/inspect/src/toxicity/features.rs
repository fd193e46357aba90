//! The features that the toxicity model weighs, identical in training and in use.
//!
//! There are three main kinds: events with their stance (`event`); the skeleton of a sentence, which is the sequence of
//! its classes as unigrams, bigrams and trigrams; and counts of classes over the whole text, which distinguish a scene
//! from a mention. Words and pairs of words add a little. Each feature counts once per text, so a long text isn't
//! judged more harshly for its length.

use super::class::Class;
use super::counts::add_count_features;
use super::event::{SpeechEvent, Stance};
use super::read::Token;
use super::sentence::events;
use crate::learned::joined;

/// Longer sentences are split into pieces of this length.
const SENTENCE_TOKENS_MAX: usize = 60;
/// The distance up to which "they" can refer to a named group.
const GROUP_REFERENCE_TOKENS: usize = 40;
const SEEN_LOG2: u32 = 16;

/// Chosen so that no two events or counts share a weight; a test ensures this.
pub(super) const SALT: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FeatureFamily {
    Event(SpeechEvent, Stance),
    Count,
    Skeleton,
    Word,
}

/// A feature, and the index of the token that completes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Feature {
    pub(crate) family: FeatureFamily,
    pub(crate) hash: u32,
    pub(crate) at: usize,
}

/// The share of its weight with which each feature of a family counts in a text that has `count` of them.
pub(crate) fn share(family: FeatureFamily, count: usize) -> f32 {
    let full = match family {
        FeatureFamily::Event(..) | FeatureFamily::Count => return 1.0,
        FeatureFamily::Skeleton => 30.0,
        FeatureFamily::Word => 10.0,
    };
    (full / (count as f32).max(full)).sqrt()
}

/// Calls `found` once for each distinct feature of a text.
pub(crate) fn features(tokens: &[Token], found: &mut impl FnMut(Feature)) {
    let mut seen = SeenFeatureBits(vec![0; 1 << (SEEN_LOG2 - 6)]);
    let mut counts = [0_u16; 96];
    let mut words = 0_u32;
    let mut group_until = 0;
    let mut contexts = [0_u8; SENTENCE_TOKENS_MAX];
    let mut from = 0;
    // A quick check: most texts contain neither counter-speech nor hatred.
    let may_be_countered =
        tokens.iter().any(|token| matches!(token.class, Class::Counter | Class::HateV) || token.gerund);
    while from < tokens.len() {
        let to = from + sentence_len(&tokens[from..]);
        let sentence = &tokens[from..to];
        let is_countered = may_be_countered && is_countered(tokens, from, to);
        events(sentence, from < group_until, is_countered, &mut |event, stance, at| {
            let hash = event_feature(event, stance);
            if seen.add(hash) {
                found(Feature { family: FeatureFamily::Event(event, stance), hash, at: from + at });
            }
        });
        word_contexts(sentence, is_countered, &mut contexts);
        skeleton(sentence, &contexts, &mut |hash, at| {
            if seen.add(hash) {
                found(Feature { family: FeatureFamily::Skeleton, hash, at: from + at });
            }
        });
        for (at, token) in sentence.iter().enumerate() {
            if token.class.is_group() {
                group_until = from + at + GROUP_REFERENCE_TOKENS;
            }
            if token.class.is_mark() {
                continue;
            }
            words += 1;
            if seen.add(joined(0x77, token.hash)) {
                counts[token.class as usize] = counts[token.class as usize].saturating_add(1);
            }
            // A person's name must not acquire a weight.
            if contexts[at] != 0 || token.may_be_name {
                continue;
            }
            let word = word_key(token);
            if seen.add(joined(0x78, word)) {
                found(Feature { family: FeatureFamily::Word, hash: word, at: from + at });
            }
            if let Some(next) = sentence.get(at + 1).filter(|next| !next.class.is_mark() && !next.may_be_name) {
                let pair = joined(word, word_key(next));
                if seen.add(pair) {
                    found(Feature { family: FeatureFamily::Word, hash: pair, at: from + at });
                }
            }
        }
        from = to;
    }
    add_count_features(&counts, words, tokens, found);
}

/// A word's key in the word tables. Identity words share one key, so that no group's name can acquire a weight of its
/// own.
fn word_key(token: &Token) -> u32 {
    if token.class.is_identity() { 0x1D } else { token.hash }
}

pub(crate) fn event_feature(event: SpeechEvent, stance: Stance) -> u32 {
    (SALT + event as u32 * 8 + stance as u32).wrapping_mul(0x9E37_79B9)
}

/// Records which features were seen, with one bit per hash. A set of full hashes would be exact, but the weights were
/// trained with these collisions, so scores would change; it also needed 2.6 % more instructions (see the benchmark
/// notes).
struct SeenFeatureBits(Vec<u64>);

impl SeenFeatureBits {
    /// Adds a feature; returns whether it is new.
    fn add(&mut self, hash: u32) -> bool {
        let bit = hash.wrapping_mul(0x85EB_CA6B) >> (32 - SEEN_LOG2);
        let (at, mask) = ((bit >> 6) as usize, 1_u64 << (bit & 63));
        let new = self.0[at] & mask == 0;
        self.0[at] |= mask;
        new
    }
}

/// The number of tokens in the first sentence, including its end mark.
pub(crate) fn sentence_len(tokens: &[Token]) -> usize {
    let ends = |token: &Token| matches!(token.class, Class::Stop | Class::Ask | Class::Cry) && !token.quoted;
    let end = tokens.iter().take(SENTENCE_TOKENS_MAX).position(ends).map_or(SENTENCE_TOKENS_MAX, |at| at + 1);
    end.min(tokens.len())
}

/// Whether this sentence, or the text shortly before or after it, argues against the statement.
fn is_countered(tokens: &[Token], from: usize, to: usize) -> bool {
    const AROUND_TOKENS: usize = 14;
    let around = &tokens[from.saturating_sub(AROUND_TOKENS)..tokens.len().min(to + AROUND_TOKENS)];
    around.iter().any(|token| token.class == Class::Counter && !token.quoted)
        || condemns_deed(&tokens[from..to])
        || rejects_hatred(&tokens[from..to])
}

/// "I despise the idea that", "I hate people who hate": the speaker does not share what follows.
fn rejects_hatred(sentence: &[Token]) -> bool {
    let hated = sentence.iter().position(|token| token.class == Class::HateV);
    let next = hated.map_or(&[][..], |at| &sentence[at + 1..sentence.len().min(at + 4)]);
    next.iter().any(|token| matches!(token.class, Class::Word | Class::Whoever))
}

/// "Wanting to hurt them is evil": the subject is a deed, and the sentence condemns it.
fn condemns_deed(sentence: &[Token]) -> bool {
    let Some(be) = sentence.iter().rposition(|token| token.class == Class::Be) else { return false };
    let blamed = |token: &Token| matches!(token.class, Class::BadAdj | Class::Crime | Class::Counter | Class::Die);
    sentence.first().is_some_and(|first| first.gerund) && sentence[be..].iter().any(blamed)
}

/// The context of each word: 0 nothing, 1 quotation marks, 2 counter-speech, 3 a negation.
fn word_contexts(sentence: &[Token], is_countered: bool, contexts: &mut [u8; SENTENCE_TOKENS_MAX]) {
    const DENIED_TOKENS: usize = 6;
    let mut denied_until = 0;
    let mut is_ascribed = is_countered;
    for ((at, token), context) in sentence.iter().enumerate().zip(contexts) {
        *context = match () {
            () if token.class.is_frame() => 0,
            () if token.quoted => 1,
            () if is_ascribed => 2,
            () if at < denied_until => 3,
            () => 0,
        };
        match token.class {
            Class::Neg | Class::Denial => denied_until = at + DENIED_TOKENS,
            Class::Whoever => is_ascribed = true,
            _ => {}
        }
    }
}

/// Emits the classes of a sentence in order. In quotation marks, counter-speech or a negation, a class is a different
/// feature.
fn skeleton(sentence: &[Token], contexts: &[u8], found: &mut impl FnMut(u32, usize)) {
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
        let symbol = 0x5_0000 + (token.class as u32) * 4 + u32::from(contexts[at]);
        // Skip n-grams that consist only of frame words.
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
