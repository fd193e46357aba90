//! Turns evidence into features for the model, for a sentence or for a whole text.

use super::counts::{Count, WordCounts};
use super::evidence::SentenceEvidence;
use super::index::Index;
use super::token::Token;

/// The name of each feature and its constraint for the model: risk may only rise (1) or only fall (-1) with it, or
/// either (0).
#[cfg(feature = "training")]
pub const FEATURES: [(&str, i8); COUNT] = [
    ("sentences", 0),
    ("content words", 0),
    ("context words", 0),
    ("text to context", 0),
    ("record", 0),
    ("numbers", 0),
    ("names", 0),
    ("refusals", -1),
    ("first person", 1),
    ("chat", 1),
    ("share absent", 1),
    ("share novel", 1),
    ("share not near", 1),
    ("share not in nearest", 1),
    ("share by synonym", 0),
    ("share copied", -1),
    ("copied throughout", -1),
    ("share of pairs unseen", 1),
    ("share of pairs apart", 1),
    ("pairs apart", 1),
    ("share inverted", 1),
    ("worst share novel", 1),
    ("worst weight novel", 1),
    ("worst share not near", 1),
    ("worst share far from near", 1),
    ("worst share not in nearest", 1),
    ("weight novel", 1),
    ("novel names", 1),
    ("novel numbers", 1),
    ("novel frequent", 1),
    ("novel rare", 1),
    ("novel soft", 1),
    ("novel manner", 0),
    ("novel deeds", 0),
    ("novel things", 1),
    ("novel within copy", 1),
    ("longest novel run", 1),
    ("opposed and absent", 1),
    ("opposed, said elsewhere", 1),
    ("opposed grammar", 1),
    ("opposed anywhere", 1),
    ("opposed there", 1),
    ("grammar opposed there", 1),
    ("other number there", 1),
    ("flipped", 1),
    ("negation differs", 1),
    ("hard events", 1),
    ("wrong words", 1),
    ("share wrong", 1),
    ("sentences with wrong words", 1),
];
pub const COUNT: usize = 50;

pub type Features = [f32; COUNT];

/// Aggregates over sentences, in addition to the counts.
#[derive(Default)]
struct SentenceTotals {
    sentences: f32,
    refusals: f32,
    wrong: f32,
    negation_differs: f32,
    pairs: f32,
    pairs_seen: f32,
    pairs_apart: f32,
    ordered: f32,
    inverted: f32,
    worst_novel: f32,
    worst_novel_weight: f32,
    worst_not_near: f32,
    worst_not_nearest: f32,
}

/// `all` may be the evidence of one sentence or of the whole text.
pub(super) fn features(tokens: &[Token], all: &[SentenceEvidence], index: &Index) -> Features {
    let (mut sum, mut totals) = (WordCounts::default(), SentenceTotals::default());
    totals.refusals = all.iter().filter(|evidence| evidence.is_refusal).count() as f32;
    for evidence in all.iter().filter(|evidence| !evidence.is_preamble && !evidence.is_refusal) {
        let one = WordCounts::of(&tokens[evidence.from..evidence.to], &evidence.words);
        totals.add(evidence, &one);
        sum.add(&one);
    }
    let get = |count| sum.get(count);
    let per_weight = |count| per(get(count), get(Count::Weight));
    let copied = per(get(Count::Copied), get(Count::Words));
    let context = index.content_words as f32;
    [
        totals.sentences.min(16.0),
        get(Count::Content).ln_1p(),
        context.ln_1p(),
        per(get(Count::Content), context).min(4.0),
        f32::from(index.is_record),
        get(Count::Numbers),
        get(Count::Names),
        per(totals.refusals, all.len() as f32),
        per(get(Count::FirstPerson), totals.sentences),
        per(get(Count::Chat), totals.sentences),
        above(per_weight(Count::Absent), 0.45),
        above(per_weight(Count::Novel), 0.25),
        above(per_weight(Count::NotNear), 0.5),
        above(per_weight(Count::NotNearest), 0.8),
        per_weight(Count::BySynonym),
        copied.min(0.15),
        above(copied, 0.7),
        above(1.0 - per(totals.pairs_seen, totals.pairs), 0.9),
        above(per(totals.pairs_apart, totals.pairs), 0.3),
        totals.pairs_apart,
        totals.inverted / totals.ordered.max(3.0),
        above(totals.worst_novel, 0.35),
        totals.worst_novel_weight,
        totals.worst_not_near,
        above(totals.worst_not_near, 0.6),
        above(totals.worst_not_nearest, 0.9),
        get(Count::Novel),
        get(Count::NovelNames),
        get(Count::NovelNumbers),
        get(Count::NovelFrequent),
        get(Count::NovelRare),
        get(Count::NovelSoft),
        get(Count::NovelManner),
        get(Count::NovelDeeds),
        get(Count::NovelThings),
        get(Count::NovelInCopy),
        sum.novel_run,
        get(Count::OpposedAbsent),
        get(Count::OpposedElsewhere),
        get(Count::OpposedGrammar),
        get(Count::OpposedAnywhere),
        get(Count::OpposedThere),
        get(Count::GrammarThere),
        get(Count::NumberThere),
        get(Count::Flipped),
        totals.negation_differs,
        get(Count::NovelNames) + get(Count::NovelNumbers) + get(Count::OpposedAbsent) + get(Count::Flipped),
        get(Count::Wrong),
        per(get(Count::Wrong), get(Count::Content)),
        totals.wrong,
    ]
}

impl SentenceTotals {
    fn add(&mut self, evidence: &SentenceEvidence, one: &WordCounts) {
        // The denominator has a minimum, because a share is unreliable in a short sentence.
        let share = |count| one.get(count) / one.get(Count::Weight).max(4.0);
        self.sentences += 1.0;
        self.wrong += f32::from(one.get(Count::Wrong) > 0.0);
        self.negation_differs += f32::from(evidence.negation_differs);
        self.pairs += evidence.pairs as f32;
        self.pairs_seen += evidence.pairs_seen as f32;
        self.pairs_apart += evidence.pairs_apart as f32;
        self.ordered += evidence.ordered as f32;
        self.inverted += evidence.inverted as f32;
        self.worst_novel = self.worst_novel.max(share(Count::Novel));
        self.worst_novel_weight = self.worst_novel_weight.max(one.get(Count::Novel));
        self.worst_not_near = self.worst_not_near.max(share(Count::NotNear));
        self.worst_not_nearest = self.worst_not_nearest.max(share(Count::NotNearest));
    }
}

fn per(part: f32, whole: f32) -> f32 {
    part / whole.max(1.0)
}

/// The part of a share above a floor. Low shares are not informative: how freely faithful texts paraphrase differs
/// between kinds of text.
fn above(share: f32, floor: f32) -> f32 {
    (share - floor).max(0.0)
}
