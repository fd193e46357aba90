//! Counts the words of a sentence by the evidence for each of them.

use std::sync::LazyLock;

use super::evidence::WordEvidence;
use super::lexicon;
use super::token::{Class, Ending, Token};
use crate::tokenize;

/// The available counts. Those whose comment says "weight" add up the weights of words; the others are numbers of words.
#[derive(Debug, Clone, Copy)]
pub(super) enum Count {
    Words,
    /// Content words.
    Content,
    /// The weight of all content words.
    Weight,
    /// The weight of the content words that the context doesn't contain.
    Absent,
    /// The weight of the content words for which the context contains neither the word nor a synonym.
    Novel,
    /// The weight of the content words for which the nearest passage contains neither the word nor a synonym.
    NotNear,
    /// The weight of the content words that the nearest sentence doesn't contain.
    NotNearest,
    /// The weight of the content words for which the context contains only a synonym.
    BySynonym,
    Numbers,
    Names,
    /// Novel words by kind: names, numbers, frequent, rare and soft words, and by their ending.
    NovelNames,
    NovelNumbers,
    NovelFrequent,
    NovelRare,
    NovelSoft,
    NovelManner,
    NovelDeeds,
    NovelThings,
    /// Novel words close to words that are copied from the context.
    NovelInCopy,
    /// Words that the passage opposes (`WordEvidence::opposed`): content words that the context doesn't contain, content words
    /// that it contains elsewhere, and function words.
    OpposedAbsent,
    OpposedElsewhere,
    OpposedGrammar,
    /// The content words with the flag of `WordEvidence` of this name.
    OpposedAnywhere,
    OpposedThere,
    /// The function words with `WordEvidence::opposed_there`.
    GrammarThere,
    NumberThere,
    Flipped,
    /// Words that are contradicted, and novel names and numbers.
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
    pub(super) fn of(tokens: &[Token], words: &[WordEvidence]) -> Self {
        let mut counts = Self::default();
        let mut run = 0.0;
        for (at, (token, evidence)) in tokens.iter().zip(words).enumerate() {
            if token.class == Class::Mark {
                continue;
            }
            counts.count_word(token, evidence);
            if !token.is_content() {
                continue;
            }
            counts.count_content_word(token, evidence);
            let novel = evidence.is_novel() && token.class != Class::Neutral;
            run = if novel { run + 1.0 } else { 0.0 };
            counts.novel_run = counts.novel_run.max(run);
            let around = &words[at.saturating_sub(4)..(at + 4).min(words.len())];
            counts.count_if(Count::NovelInCopy, novel && around.iter().filter(|near| near.copied).count() >= 2);
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

    fn count_if(&mut self, count: Count, when: bool) {
        self.add_if(count, 1.0, when);
    }

    fn add_if(&mut self, count: Count, weight: f32, when: bool) {
        if when {
            self.sums[count as usize] += weight;
        }
    }

    fn count_word(&mut self, token: &Token, evidence: &WordEvidence) {
        let grammar = !token.is_content();
        self.count_if(Count::Words, true);
        self.count_if(Count::Copied, evidence.copied);
        self.count_if(Count::FirstPerson, SPEAKER.contains(&token.word) && !evidence.in_context);
        self.count_if(Count::Chat, CHAT.binary_search(&token.word).is_ok());
        self.count_if(Count::OpposedGrammar, grammar && evidence.opposed);
        self.count_if(Count::GrammarThere, grammar && evidence.opposed_there);
    }

    fn count_content_word(&mut self, token: &Token, evidence: &WordEvidence) {
        let weight = token.weight();
        let number = token.class == Class::Number;
        let strange = evidence.is_novel() && (token.name || number);
        self.count_if(Count::Content, true);
        self.count_if(Count::Numbers, number);
        self.count_if(Count::Names, token.name);
        self.add_if(Count::Weight, weight, true);
        self.add_if(Count::Absent, weight, !evidence.in_context);
        self.add_if(Count::BySynonym, weight, !evidence.in_context && evidence.synonym_in_context);
        self.add_if(Count::NotNear, weight, !evidence.synonym_in_passage);
        self.add_if(Count::NotNearest, weight, !evidence.in_nearest);
        self.count_if(Count::Flipped, evidence.flipped);
        self.count_if(Count::OpposedAnywhere, evidence.opposed_anywhere);
        self.count_if(Count::OpposedThere, evidence.opposed_there);
        self.count_if(Count::OpposedElsewhere, evidence.opposed && evidence.in_context);
        self.count_if(Count::OpposedAbsent, evidence.opposed && !evidence.in_context);
        self.count_if(Count::NumberThere, evidence.other_number_there);
        self.count_if(Count::Wrong, strange || evidence.is_contradicted() || evidence.other_number_there);
        if evidence.is_novel() {
            self.count_novel_word(token, weight);
        }
    }

    fn count_novel_word(&mut self, token: &Token, weight: f32) {
        let is_plain_word = matches!(token.class, Class::Rare | Class::Frequent) && !token.name;
        self.add_if(Count::Novel, weight, true);
        self.count_if(Count::NovelNames, token.name);
        self.count_if(Count::NovelNumbers, token.class == Class::Number);
        self.count_if(Count::NovelFrequent, token.class == Class::Frequent);
        self.count_if(Count::NovelRare, token.class == Class::Rare && !token.name);
        self.count_if(Count::NovelSoft, token.class == Class::Soft);
        self.count_if(Count::NovelManner, is_plain_word && token.ending == Ending::Manner);
        self.count_if(Count::NovelDeeds, is_plain_word && token.ending == Ending::Deed);
        self.count_if(Count::NovelThings, is_plain_word && token.ending == Ending::Other);
    }
}

static SPEAKER: LazyLock<[u32; 4]> = LazyLock::new(|| ["i", "my", "me", "i'm"].map(tokenize::hash));

static CHAT: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let all = lexicon::lines(include_str!("lists/chat.txt")).flat_map(str::split_whitespace);
    let mut hashes: Vec<u32> = all.map(tokenize::hash).collect();
    hashes.sort_unstable();
    hashes
});
