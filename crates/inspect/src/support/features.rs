//! Evidence as numbers that a model can weigh, for one sentence or for a whole text.

use std::sync::LazyLock;

use super::evidence::{Evidence, Seen};
use super::index::Index;
use super::lexicon;
use super::token::{Class, Ending, Token};
use crate::words;

/// Name of each feature and, for the model, whether risk may only rise (1) or only fall (-1) with it; 0: either.
pub const FEATURES: [(&str, i8); COUNT] = [
    ("sentences", 0),
    ("content words", 0),
    ("context words", 0),
    ("text to context", 0),
    ("record", 0),
    ("share absent", 1),
    ("share novel", 1),
    ("share not near", 1),
    ("share not in nearest", 1),
    ("weight novel", 1),
    ("worst share novel", 1),
    ("worst weight novel", 1),
    ("worst share not near", 1),
    ("worst share not in nearest", 1),
    ("novel names", 1),
    ("novel numbers", 1),
    ("names from elsewhere", 1),
    ("numbers from elsewhere", 1),
    ("opposed and absent", 1),
    ("opposed, said elsewhere", 1),
    ("opposed grammar", 1),
    ("flipped", 1),
    ("negation differs", 1),
    ("share of pairs unseen", 1),
    ("pairs apart", 1),
    ("share of pairs apart", 1),
    ("share copied", -1),
    ("novel within copy", 1),
    ("share inverted", 1),
    ("first person", 1),
    ("questions", 0),
    ("chat", 1),
    ("refusals", -1),
    ("longest novel run", 1),
    ("novel frequent", 1),
    ("novel rare", 1),
    ("share by synonym", 0),
    ("novel at the end", 0),
    ("numbers", 0),
    ("names", 0),
    ("novel soft", 1),
    ("novel manner", 0),
    ("novel deeds", 0),
    ("novel things", 1),
    ("novel known", 0),
    ("hard events", 1),
    ("opposed anywhere", 1),
    ("opposed there", 1),
    ("grammar opposed there", 1),
    ("other number there", 1),
    ("displaced", 1),
    ("names displaced", 1),
    ("wrong words", 1),
    ("sentences with wrong words", 1),
    ("share wrong", 1),
    ("copied throughout", -1),
    ("worst not near", 1),
];
pub const COUNT: usize = 57;

pub type Features = [f32; COUNT];

/// What is counted over sentences.
#[derive(Default)]
struct Tally {
    weight: f32,
    absent: f32,
    novel: f32,
    not_near: f32,
    not_best: f32,
    synonym: f32,
    novel_end: f32,
    novel_names: f32,
    novel_numbers: f32,
    names_elsewhere: f32,
    numbers_elsewhere: f32,
    opposed_absent: f32,
    opposed_elsewhere: f32,
    opposed_grammar: f32,
    flipped: f32,
    words: f32,
    copied: f32,
    novel_in_copy: f32,
    novel_run: f32,
    novel_frequent: f32,
    novel_rare: f32,
    numbers: f32,
    names: f32,
    first_person: f32,
    chat: f32,
    content: f32,
    novel_soft: f32,
    novel_manner: f32,
    novel_deeds: f32,
    novel_things: f32,
    novel_known: f32,
    opposed_anywhere: f32,
    opposed_there: f32,
    grammar_there: f32,
    number_there: f32,
    displaced: f32,
    names_displaced: f32,
    wrong: f32,
}

/// `all` may be one sentence's evidence or the whole text's.
pub(super) fn features(tokens: &[Token], all: &[Evidence], index: &Index) -> Features {
    let claims = all.iter().filter(|evidence| !evidence.preamble && !evidence.refusal);
    let mut sum = Tally::default();
    let mut worst = [0_f32; 4];
    let (mut count, mut wrong_sentences) = (0.0_f32, 0.0);
    let (mut pairs, mut pairs_seen, mut pairs_apart, mut ordered, mut inverted) = (0, 0, 0, 0, 0);
    let (mut differs, mut questions) = (0.0, 0.0);
    for evidence in claims {
        let mut one = Tally::default();
        one.take(&tokens[evidence.from..evidence.to], &evidence.seen);
        count += 1.0;
        let share = |part: f32| part / one.weight.max(4.0);
        for (worst, value) in worst.iter_mut().zip([share(one.novel), one.novel, share(one.not_near), share(one.not_best)]) {
            *worst = worst.max(value);
        }
        wrong_sentences += f32::from(one.wrong > 0.0);
        pairs += evidence.pairs;
        pairs_seen += evidence.pairs_seen;
        pairs_apart += evidence.pairs_apart;
        ordered += evidence.ordered;
        inverted += evidence.inverted;
        differs += f32::from(evidence.negation_differs);
        questions += f32::from(evidence.question);
        sum.add(&one);
    }
    let refusals = all.iter().filter(|evidence| evidence.refusal).count() as f32;
    let per = |part: f32, whole: f32| part / whole.max(1.0);
    let of_pairs = |part: usize| part as f32 / pairs.max(1) as f32;
    [
        count.min(16.0),
        sum.content.ln_1p(),
        (index.content as f32).ln_1p(),
        per(sum.content, index.content as f32).min(4.0),
        f32::from(index.record),
        above(per(sum.absent, sum.weight), 0.45),
        above(per(sum.novel, sum.weight), 0.25),
        above(per(sum.not_near, sum.weight), 0.5),
        above(per(sum.not_best, sum.weight), 0.8),
        sum.novel,
        above(worst[0], 0.35),
        worst[1],
        above(worst[2], 0.6),
        above(worst[3], 0.9),
        sum.novel_names,
        sum.novel_numbers,
        sum.names_elsewhere,
        sum.numbers_elsewhere,
        sum.opposed_absent,
        sum.opposed_elsewhere,
        sum.opposed_grammar,
        sum.flipped,
        differs,
        above(1.0 - of_pairs(pairs_seen), 0.9),
        pairs_apart as f32,
        above(of_pairs(pairs_apart), 0.3),
        per(sum.copied, sum.words).min(0.15),
        sum.novel_in_copy,
        inverted as f32 / ordered.max(3) as f32,
        per(sum.first_person, count),
        per(questions, count),
        per(sum.chat, count),
        per(refusals, all.len() as f32),
        sum.novel_run,
        sum.novel_frequent,
        sum.novel_rare,
        per(sum.synonym, sum.weight),
        per(sum.novel_end, sum.novel),
        sum.numbers,
        sum.names,
        sum.novel_soft,
        sum.novel_manner,
        sum.novel_deeds,
        sum.novel_things,
        sum.novel_known,
        sum.novel_names + sum.novel_numbers + sum.opposed_absent + sum.flipped,
        sum.opposed_anywhere,
        sum.opposed_there,
        sum.grammar_there,
        sum.number_there,
        sum.displaced,
        sum.names_displaced,
        sum.wrong,
        wrong_sentences,
        per(sum.wrong, sum.content),
        above(per(sum.copied, sum.words), 0.7),
        worst[2],
    ]
}

/// A share tells something only where it is high: how freely a faithful text words things differs from one kind to the next.
fn above(share: f32, floor: f32) -> f32 {
    (share - floor).max(0.0)
}

impl Tally {
    fn take(&mut self, tokens: &[Token], seen: &[Seen]) {
        let mut novel_run = 0.0;
        for (at, (token, of)) in tokens.iter().zip(seen).enumerate() {
            if token.class == Class::Mark {
                continue;
            }
            self.words += 1.0;
            self.copied += f32::from(of.copied);
            self.first_person += f32::from(SPEAKER.contains(&token.word) && !of.in_context);
            self.chat += f32::from(CHAT.binary_search(&token.word).is_ok());
            if !token.is_content() {
                self.opposed_grammar += f32::from(of.opposed);
                self.grammar_there += f32::from(of.opposed_there);
                continue;
            }
            self.content_word(token, of, at * 3 > tokens.len() * 2);
            if of.is_novel() && token.class != Class::Neutral {
                novel_run += 1.0;
                let around = &seen[at.saturating_sub(4)..(at + 4).min(seen.len())];
                let copied = around.iter().filter(|near| near.copied).count();
                self.novel_in_copy += f32::from(copied >= 2);
            } else {
                novel_run = 0.0;
            }
            self.novel_run = self.novel_run.max(novel_run);
        }
    }

    fn content_word(&mut self, token: &Token, of: &Seen, at_end: bool) {
        let weight = token.weight();
        let number = token.class == Class::Number;
        self.content += 1.0;
        self.weight += weight;
        self.numbers += f32::from(number);
        self.names += f32::from(token.name);
        self.absent += if of.in_context { 0.0 } else { weight };
        self.synonym += if !of.in_context && of.synonym { weight } else { 0.0 };
        self.not_near += if of.synonym_near { 0.0 } else { weight };
        self.not_best += if of.in_best { 0.0 } else { weight };
        self.flipped += f32::from(of.flipped);
        let strange = of.is_novel() && (token.name || number);
        self.wrong += f32::from(strange || of.is_contradicted() || of.number_there);
        self.opposed_anywhere += f32::from(of.opposed_anywhere);
        self.opposed_there += f32::from(of.opposed_there);
        self.number_there += f32::from(of.number_there);
        self.displaced += if of.displaced { weight } else { 0.0 };
        self.names_displaced += f32::from(of.displaced && token.name);
        if of.is_novel() {
            self.novel += weight;
            self.novel_end += if at_end { weight } else { 0.0 };
            self.novel_names += f32::from(token.name);
            self.novel_numbers += f32::from(number);
            self.novel_frequent += f32::from(token.class == Class::Frequent);
            self.novel_rare += f32::from(token.class == Class::Rare && !token.name);
            self.novel_soft += f32::from(token.class == Class::Soft);
            let matter = matches!(token.class, Class::Rare | Class::Frequent) && !token.name;
            self.novel_manner += f32::from(matter && token.ending == Ending::Manner);
            self.novel_deeds += f32::from(matter && token.ending == Ending::Deed);
            self.novel_things += f32::from(matter && token.ending == Ending::Other);
            self.novel_known += f32::from(matter && lexicon::LEXICON.get(token.entry).is_some_and(|e| !e.groups.is_empty()));
        } else if !of.near {
            self.names_elsewhere += f32::from(token.name);
            self.numbers_elsewhere += f32::from(number);
        }
        if of.opposed {
            if of.in_context {
                self.opposed_elsewhere += 1.0;
            } else {
                self.opposed_absent += 1.0;
            }
        }
    }

    fn add(&mut self, one: &Self) {
        self.weight += one.weight;
        self.absent += one.absent;
        self.novel += one.novel;
        self.not_near += one.not_near;
        self.not_best += one.not_best;
        self.synonym += one.synonym;
        self.novel_end += one.novel_end;
        self.novel_names += one.novel_names;
        self.novel_numbers += one.novel_numbers;
        self.names_elsewhere += one.names_elsewhere;
        self.numbers_elsewhere += one.numbers_elsewhere;
        self.opposed_absent += one.opposed_absent;
        self.opposed_elsewhere += one.opposed_elsewhere;
        self.opposed_grammar += one.opposed_grammar;
        self.flipped += one.flipped;
        self.words += one.words;
        self.copied += one.copied;
        self.novel_in_copy += one.novel_in_copy;
        self.novel_run = self.novel_run.max(one.novel_run);
        self.novel_frequent += one.novel_frequent;
        self.novel_rare += one.novel_rare;
        self.numbers += one.numbers;
        self.names += one.names;
        self.first_person += one.first_person;
        self.chat += one.chat;
        self.content += one.content;
        self.novel_known += one.novel_known;
        self.novel_things += one.novel_things;
        self.novel_deeds += one.novel_deeds;
        self.novel_manner += one.novel_manner;
        self.opposed_anywhere += one.opposed_anywhere;
        self.opposed_there += one.opposed_there;
        self.grammar_there += one.grammar_there;
        self.number_there += one.number_there;
        self.displaced += one.displaced;
        self.names_displaced += one.names_displaced;
        self.wrong += one.wrong;
        self.novel_soft += one.novel_soft;
    }
}

static SPEAKER: LazyLock<[u32; 4]> = LazyLock::new(|| ["i", "my", "me", "i'm"].map(words::hash));

static CHAT: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let all = lexicon::lines(include_str!("lists/chat.txt")).flat_map(str::split_whitespace);
    let mut hashes: Vec<u32> = all.map(words::hash).collect();
    hashes.sort_unstable();
    hashes
});
