//! Counts over the words of a sentence, based on the evidence for each word.

use std::sync::LazyLock;

use super::evidence::WordEvidence;
use super::lexicon;
use super::token::{Class, Ending, Token};
use crate::tokenize;

/// The available counts. Those with "weight" in their comment add up weights of words; the others are numbers of words.
#[derive(Debug, Clone, Copy)]
pub(super) enum Count {
    Words,
    Content,
    /// The weight of all content words, and of those missing from the context, its nearest passage or its nearest
    /// sentence.
    Weight,
    Absent,
    Novel,
    NotNear,
    NotNearest,
    BySynonym,
    Numbers,
    Names,
    NovelNames,
    NovelNumbers,
    NovelFrequent,
    NovelRare,
    NovelSoft,
    NovelManner,
    NovelDeeds,
    NovelThings,
    NovelInCopy,
    OpposedAbsent,
    OpposedElsewhere,
    OpposedGrammar,
    OpposedAnywhere,
    OpposedThere,
    GrammarThere,
    NumberThere,
    Flipped,
    Wrong,
    Copied,
    FirstPerson,
    Chat,
}

const COUNTS: usize = Count::Chat as usize + 1;

#[derive(Debug, Clone, Copy)]
pub(super) struct WordCounts {
    sums: [f32; COUNTS],
    /// The largest number of consecutive novel words.
    pub(super) novel_run: f32,
}

impl Default for WordCounts {
    fn default() -> Self {
        Self { sums: [0.0; COUNTS], novel_run: 0.0 }
    }
}

impl WordCounts {
    pub(super) fn of(tokens: &[Token], seen: &[WordEvidence]) -> Self {
        let mut counts = Self::default();
        let mut run = 0.0;
        for (at, (token, of)) in tokens.iter().zip(seen).enumerate() {
            if token.class == Class::Mark {
                continue;
            }
            counts.any_word(token, of);
            if !token.is_content() {
                continue;
            }
            counts.content_word(token, of);
            let novel = of.is_novel() && token.class != Class::Neutral;
            run = if novel { run + 1.0 } else { 0.0 };
            counts.novel_run = counts.novel_run.max(run);
            let around = &seen[at.saturating_sub(4)..(at + 4).min(seen.len())];
            counts.one(Count::NovelInCopy, novel && around.iter().filter(|near| near.copied).count() >= 2);
        }
        counts
    }

    pub(super) fn get(&self, count: Count) -> f32 {
        self.sums[count as usize]
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, one)| *sum += one);
        self.novel_run = self.novel_run.max(other.novel_run);
    }

    fn one(&mut self, count: Count, when: bool) {
        self.some(count, 1.0, when);
    }

    fn some(&mut self, count: Count, weight: f32, when: bool) {
        if when {
            self.sums[count as usize] += weight;
        }
    }

    fn any_word(&mut self, token: &Token, of: &WordEvidence) {
        let grammar = !token.is_content();
        self.one(Count::Words, true);
        self.one(Count::Copied, of.copied);
        self.one(Count::FirstPerson, SPEAKER.contains(&token.word) && !of.in_context);
        self.one(Count::Chat, CHAT.binary_search(&token.word).is_ok());
        self.one(Count::OpposedGrammar, grammar && of.opposed);
        self.one(Count::GrammarThere, grammar && of.opposed_there);
    }

    fn content_word(&mut self, token: &Token, of: &WordEvidence) {
        let weight = token.weight();
        let number = token.class == Class::Number;
        let strange = of.is_novel() && (token.name || number);
        self.one(Count::Content, true);
        self.one(Count::Numbers, number);
        self.one(Count::Names, token.name);
        self.some(Count::Weight, weight, true);
        self.some(Count::Absent, weight, !of.in_context);
        self.some(Count::BySynonym, weight, !of.in_context && of.synonym);
        self.some(Count::NotNear, weight, !of.synonym_near);
        self.some(Count::NotNearest, weight, !of.in_nearest);
        self.one(Count::Flipped, of.flipped);
        self.one(Count::OpposedAnywhere, of.opposed_anywhere);
        self.one(Count::OpposedThere, of.opposed_there);
        self.one(Count::OpposedElsewhere, of.opposed && of.in_context);
        self.one(Count::OpposedAbsent, of.opposed && !of.in_context);
        self.one(Count::NumberThere, of.number_there);
        self.one(Count::Wrong, strange || of.is_contradicted() || of.number_there);
        if of.is_novel() {
            self.novel_word(token, weight);
        }
    }

    fn novel_word(&mut self, token: &Token, weight: f32) {
        let matter = matches!(token.class, Class::Rare | Class::Frequent) && !token.name;
        self.some(Count::Novel, weight, true);
        self.one(Count::NovelNames, token.name);
        self.one(Count::NovelNumbers, token.class == Class::Number);
        self.one(Count::NovelFrequent, token.class == Class::Frequent);
        self.one(Count::NovelRare, token.class == Class::Rare && !token.name);
        self.one(Count::NovelSoft, token.class == Class::Soft);
        self.one(Count::NovelManner, matter && token.ending == Ending::Manner);
        self.one(Count::NovelDeeds, matter && token.ending == Ending::Deed);
        self.one(Count::NovelThings, matter && token.ending == Ending::Other);
    }
}

static SPEAKER: LazyLock<[u32; 4]> = LazyLock::new(|| ["i", "my", "me", "i'm"].map(tokenize::hash));

static CHAT: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let all = lexicon::lines(include_str!("lists/chat.txt")).flat_map(str::split_whitespace);
    let mut hashes: Vec<u32> = all.map(tokenize::hash).collect();
    hashes.sort_unstable();
    hashes
});
