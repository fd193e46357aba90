//! Free text against the context that it should rest on: which sentences are not supported.
//!
//! Both are read into stems, numbers and names (`token`), the context is indexed, every sentence is laid beside the passage that
//! shares its rarer words, and what the context says about each word (`evidence`) becomes numbers that small trees weigh. Lists
//! of synonyms and opposites beside this file tell a paraphrase from a change.
//!
//! | type | points at |
//! |---|---|
//! | NUMBER, DATE, NAME | one that the context does not have, or has beside something else |
//! | CONTRADICTED | words whose opposite or denial the context has |
//! | UNSUPPORTED | words, or a sentence, that nothing in the context supports |
//!
//! Refused here: knowledge of the world, arithmetic over the context, and reading it as a person would. A text that is true but
//! not in its context is unsupported.

mod alone;
mod beside;
mod evidence;
mod features;
mod index;
mod lexicon;
mod number;
mod passage;
mod sentence;
mod stem;
mod stretch;
mod tally;
mod token;
mod trees;

use std::ops::Range;
use std::sync::LazyLock;

use crate::Kind;
use crate::audit::Judged;
use crate::finding::{Hit, chars_between};
use crate::learned::probability;
use crate::risk::DECISION;
use evidence::Evidence;
use index::Index;
use passage::Passage;
use token::Token;
use trees::Trees;

/// A text read against a context.
struct Reading {
    index: Index,
    tokens: Vec<Token>,
    evidence: Vec<Evidence>,
}

fn read(text: &str, context: &str) -> Reading {
    let index = Index::new(context);
    let mut tokens = token::read(text, false);
    let sentences = sentence::split(text, &mut tokens, false);
    let mut passage = Passage::new(&index);
    let evidence = sentences
        .iter()
        .map(|sentence| {
            evidence::gather(text, &tokens[sentence.from..sentence.to], sentence.from, &index, &mut passage)
        })
        .collect();
    Reading { index, tokens, evidence }
}

/// How far one sentence of a text is supported by a context.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// Code points of the text.
    pub start: usize,
    /// Exclusive.
    pub end: usize,
    /// Risk in 0..1; 1 = unsupported.
    pub score: f64,
    /// The nearest passage: code points of the context, end exclusive.
    pub nearest: Option<(usize, usize)>,
    pub why: String,
}

/// Judges each sentence of a text by itself.
pub fn support(text: &str, context: &str) -> Vec<Sentence> {
    let Some(model) = MODEL.as_ref() else { return Vec::new() };
    let reading = read(text, context);
    let (mut here, mut there) = (Position::new(text), Position::new(context));
    let mut sentences: Vec<Sentence> = Vec::with_capacity(reading.evidence.len());
    for (n, evidence) in reading.evidence.iter().enumerate() {
        let tokens = &reading.tokens[evidence.from..evidence.to];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
        let nearest = evidence.nearest.and_then(|sentence| {
            let tokens = reading.index.tokens_of(sentence);
            Some((there.at(tokens.first()?.start as usize), there.at(tokens.last()?.end as usize)))
        });
        let score = reading.score(model, n..n + 1);
        let (start, end) = (here.at(first.start as usize), here.at(last.end as usize));
        sentences.push(Sentence { start, end, score, nearest, why: reading.why(n, score) });
    }
    sentences
}

/// Sentences of an unsupported text that are pointed at; less where none is as bad.
const POINTED: f64 = 0.75;

static MODEL: LazyLock<Option<Trees>> =
    LazyLock::new(|| Trees::from_bytes(include_bytes!("../../weights/grounding.bin")));

/// A judgement of the whole text, and the stretches that led to it.
pub(crate) fn judge(text: &str, context: Option<&str>) -> Judged {
    let Some(context) = context.filter(|context| !context.trim().is_empty()) else {
        return alone::judge(text);
    };
    MODEL.as_ref().map_or_else(Judged::default, |model| judge_with(model, text, context))
}

fn judge_with(model: &Trees, text: &str, context: &str) -> Judged {
    let reading = read(text, context);
    if reading.evidence.is_empty() {
        return Judged::default();
    }
    let score = reading.score(model, 0..reading.evidence.len());
    let hits = if score >= DECISION { reading.hits(model, score) } else { Vec::new() };
    Judged { score, hits }
}

impl Reading {
    fn score(&self, model: &Trees, sentences: Range<usize>) -> f64 {
        let values = features::features(&self.tokens, &self.evidence[sentences], &self.index);
        probability(model.score(&values))
    }

    /// Of the sentences that don't hold by themselves, or else of the worst.
    fn hits(&self, model: &Trees, score: f64) -> Vec<Hit> {
        let scores: Vec<f64> = (0..self.evidence.len()).map(|n| self.score(model, n..n + 1)).collect();
        let worst = scores.iter().copied().fold(0.0, f64::max);
        let chosen = scores.iter().enumerate().filter(|&(_, &one)| one >= POINTED.min(worst));
        chosen
            .flat_map(|(n, &one)| {
                let certainty = one.clamp(DECISION, score);
                stretch::stretches(&self.tokens, &self.evidence[n]).into_iter().map(move |stretch| (stretch, certainty))
            })
            .map(|(stretch, score)| Hit {
                kind: Kind::Grounding,
                r#type: stretch.r#type,
                start: stretch.start,
                end: stretch.end,
                score,
                detector: "grounding/support",
                explanation: stretch::why(stretch.r#type).to_owned(),
            })
            .collect()
    }

    fn why(&self, sentence: usize, score: f64) -> String {
        if score < DECISION {
            return "the nearest passage has what it says".to_owned();
        }
        let mut reasons: Vec<&str> =
            stretch::stretches(&self.tokens, &self.evidence[sentence]).iter().map(|s| stretch::why(s.r#type)).collect();
        reasons.dedup();
        reasons.truncate(3);
        reasons.join("; ")
    }
}

/// Code points at byte offsets that mostly ascend.
struct Position<'a> {
    text: &'a str,
    bytes: usize,
    chars: usize,
}

impl<'a> Position<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, bytes: 0, chars: 0 }
    }

    fn at(&mut self, byte: usize) -> usize {
        if byte >= self.bytes {
            self.chars += chars_between(self.text, self.bytes, byte);
        } else {
            self.chars -= chars_between(self.text, byte, self.bytes);
        }
        self.bytes = byte;
        self.chars
    }
}

/// What training needs: the features that judging uses.
#[cfg(feature = "training")]
pub mod training {
    pub use super::features::{COUNT, FEATURES, Features};
    pub use super::trees::{LEAVES, SPLITS, Tree, Trees};

    pub fn of_text(text: &str, context: &str) -> Features {
        let reading = super::read(text, context);
        super::features::features(&reading.tokens, &reading.evidence, &reading.index)
    }

    /// The stretches that this model points at, in bytes of the text.
    pub fn stretches(model: &Trees, text: &str, context: &str) -> Vec<(usize, usize)> {
        super::judge_with(model, text, context).hits.iter().map(|hit| (hit.start, hit.end)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CONTEXT: &str = "The Harbour Museum in Malmo opened in 1987 and shows 340 model ships. Entry costs 12 euros, children \
        pay nothing. It is closed on Mondays. Last year visitor numbers fell by nine percent, said its director, Karin Holm.";
    const RECORD: &str = r#"{"name": "Blue Door", "city": "Reno", "attributes": {"WiFi": "no", "OutdoorSeating": true, "HasTV": false},
        "hours": {"Monday": "9:0-22:0", "Tuesday": "9:0-22:0"}, "stars": 4.5, "reviews": [{"text": "Lovely tacos and friendly waiters."}]}"#;

    fn score(text: &str, context: &str) -> f64 {
        judge(text, Some(context)).score
    }

    /// The first must be riskier than the second.
    fn check(wrong: &str, right: &str, context: &str) {
        let (wrong_score, right_score) = (score(wrong, context), score(right, context));
        assert!(wrong_score > right_score + 0.05, "{wrong_score:.3} for {wrong}\n{right_score:.3} for {right}");
    }

    #[test]
    fn the_model_reads_as_a_model_of_these_features() {
        assert_eq!(MODEL.as_ref().map(|model| model.features), Some(features::COUNT));
    }

    #[test]
    fn what_was_changed_is_riskier_than_what_was_said() {
        check("The museum opened in 1978.", "The museum opened in 1987.", CONTEXT);
        check(
            "The Harbour Museum in Oslo shows 340 model ships.",
            "The Harbour Museum in Malmo shows 340 model ships.",
            CONTEXT,
        );
        check(
            "Visitor numbers rose by nine percent last year.",
            "Visitor numbers fell by nine percent last year.",
            CONTEXT,
        );
        check("The museum is not closed on Mondays.", "The museum is closed on Mondays.", CONTEXT);
        check("Its director, Karin Holm, is a retired sailor from Bergen.", "Its director is Karin Holm.", CONTEXT);
        check("Visitor numbers increased, said the director.", "Visitor numbers declined, said the director.", CONTEXT);
    }

    #[test]
    fn a_record_is_read_field_by_field() {
        check("Blue Door in Reno offers WiFi and televisions.", "Blue Door in Reno offers outdoor seating.", RECORD);
        check("Blue Door in Reno has 3.5 stars.", "Blue Door in Reno has 4.5 stars.", RECORD);
        check("It is open on Monday until 11 PM.", "It is open on Monday until 10 PM.", RECORD);
    }

    #[test]
    fn a_refusal_claims_nothing() {
        assert!(score("The passages do not provide information about this.", CONTEXT) < DECISION);
    }

    #[test]
    fn the_wrong_words_are_pointed_at() {
        let text = "The Harbour Museum in Malmo opened in 1978 and shows 340 model ships.";
        let found = crate::audit(text, Some(CONTEXT));
        let grounding: Vec<_> = found.findings.iter().filter(|finding| finding.kind == Kind::Grounding).collect();
        assert_eq!(grounding.iter().map(|f| (f.r#type, &text[f.start..f.end])).collect::<Vec<_>>(), [("DATE", "1978")]);
        assert!(found.scores.grounding >= DECISION && !grounding[0].explanation.contains("1978"));
    }

    #[test]
    fn every_sentence_has_its_nearest_passage() {
        let text = "Entry costs 12 euros. It is closed on Mondays. Über alles.";
        let found = support(text, CONTEXT);
        let nearest: Vec<Option<&str>> = found.iter().map(|s| s.nearest.map(|(from, to)| &CONTEXT[from..to])).collect();
        assert_eq!(
            nearest,
            [Some("Entry costs 12 euros, children pay nothing."), Some("It is closed on Mondays."), None]
        );
        assert_eq!((found[2].start, found[2].end), (47, 58));
        assert!(found[0].score < DECISION && found[2].score > found[0].score);
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        for (text, context) in [("", CONTEXT), ("  ", CONTEXT), ("!!!", CONTEXT), ("", "")] {
            assert!(support(text, context).iter().all(|sentence| sentence.score.is_finite()));
            assert!(judge(text, Some(context)).score.is_finite());
        }
        assert_eq!(judge("A plain text.", Some(" ")).score, 0.0);
    }

    #[test]
    fn long_inputs_of_one_kind_are_read_to_their_end() {
        for piece in ["a ", "not ", "1,", "1.", "the the. ", "\"a\": ", "A\n", "-", "un", "increase fall ", "é’"] {
            let long = piece.repeat(200_000 / piece.len());
            let short = piece.repeat(20);
            assert!(judge(&short, Some(&long)).score.is_finite());
            assert!(judge(&long, Some(&short)).score.is_finite());
            assert!(judge(&long, None).score.is_finite());
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "rise",
            "fell",
            "not",
            "12",
            "3.5",
            "million",
            "Ann",
            "Malmo.",
            "\n",
            "\"x\":",
            "false",
            "don't",
            "well-kept",
            "é",
            "?",
            "may",
            "the",
            "of",
            "study",
            "{",
            "museum",
            "ships",
            "1987",
        ]);
        prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
    }

    fn holds(text: &str, context: &str) -> Result<(), TestCaseError> {
        let judged = judge(text, Some(context));
        prop_assert!((0.0..=1.0).contains(&judged.score));
        for hit in &judged.hits {
            prop_assert!(text.get(hit.start..hit.end).is_some_and(|piece| !piece.is_empty()));
            prop_assert!(hit.score >= DECISION && hit.score <= judged.score);
        }
        let (text_chars, context_chars) = (text.chars().count(), context.chars().count());
        let mut last = 0;
        for sentence in support(text, context) {
            prop_assert!(last <= sentence.start && sentence.start < sentence.end && sentence.end <= text_chars);
            prop_assert!(sentence.nearest.is_none_or(|(from, to)| from < to && to <= context_chars));
            last = sentence.end;
        }
        for hit in judge(text, None).hits {
            prop_assert!(text.get(hit.start..hit.end).is_some());
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn any_text_and_context_can_be_judged(text in any::<String>(), context in any::<String>()) {
            holds(&text, &context)?;
        }

        #[test]
        fn words_in_any_order_can_be_judged(text in words(), context in words()) {
            holds(&text, &context)?;
        }
    }
}
