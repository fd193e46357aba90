//! Checks a text without any context: two different numbers for one thing, a statement and its negation, unnamed
//! studies, and cited sources that are not listed (`citation`).
//!
//! Only two different numbers score above the decision threshold. The rest are hints and score below it.

use std::{collections::HashMap, sync::LazyLock};

use countersign_text::hash::{PrehashedMap, PrehashedSet};

use super::citation;
use super::sentence::{self, TokenRange};
use super::stem::stem;
use super::token::{self, Class, Token};
use super::unsupported_span::{CONTRADICTED, NUMBER, UNSUPPORTED};
use crate::audit::Judgement;
use crate::finding::{Hit, Kind};
use crate::learned::joined;
use crate::tokenize::{self, Word};

/// Longer texts are read only up to this size.
const BYTES_MAX: usize = 64 * 1024;
/// Shorter statements are too easily alike.
const STATEMENT_WORDS: usize = 4;

const NUMBERS_DIFFER: f64 = 0.55;
const DENIED: f64 = 0.45;
const UNNAMED: f64 = 0.3;

/// `words` are the words of the whole text.
pub(super) fn judge(text: &str, words: &[Word]) -> Judgement {
    let read = &text[..text.floor_char_boundary(BYTES_MAX)];
    let mut hits = citation::unsupported(read, words);
    if is_worth_reading(read) {
        let mut tokens = if read.len() == text.len() {
            token::outline(read, words)
        } else {
            let mut words = Vec::new();
            tokenize::tokenize(read, &mut words);
            token::outline(read, &words)
        };
        let sentences = sentence::split(read, &mut tokens, false);
        hits.extend(contradictions(read, &tokens, &sentences));
    }
    let score = hits.iter().fold(0.0, |score: f64, hit| score.max(hit.score));
    Judgement { score, hits }
}

fn contradictions(text: &str, tokens: &[Token], sentences: &[TokenRange]) -> Vec<Hit> {
    let gists: Vec<Gist> =
        sentences.iter().map(|sentence| Gist::of(text, &tokens[sentence.from..sentence.to])).collect();
    let mut openings = Openings::default();
    gists.iter().for_each(|gist| openings.add(gist));
    let mut earlier = EarlierStatements::default();
    let mut hits = Vec::new();
    for (sentence, gist) in sentences.iter().zip(&gists) {
        let tokens = &tokens[sentence.from..sentence.to];
        let (numbers, denials) = (openings.may_repeat_number(gist), openings.may_contradict(gist));
        if numbers || denials {
            let frame = frame(text, tokens);
            hits.extend(gist.number.filter(|_| numbers).and_then(|at| earlier.number(frame, &tokens[at])));
            hits.extend(if denials { earlier.denial(frame, gist.denied, tokens) } else { None });
        }
        hits.extend(unnamed_source(tokens));
    }
    hits
}

/// A quick check: most texts contain no candidates and need not be split into words.
fn is_worth_reading(text: &str) -> bool {
    let digits =
        text.as_bytes().windows(2).filter(|pair| !pair[0].is_ascii_digit() && pair[1].is_ascii_digit()).take(2).count();
    digits == 2 || [" not ", "n't ", "stud", "research", "according"].iter().any(|sign| text.contains(sign))
}

/// A summary of a sentence, computed without comparing its words.
struct Gist {
    /// The number of content words, without numbers and negations.
    words: usize,
    /// A hash of that number of words and the first of them. Only sentences with the same hash can contradict each
    /// other.
    opening: u32,
    /// The index of the only number, if nothing is negated.
    number: Option<usize>,
    denied: bool,
}

impl Gist {
    fn of(text: &str, tokens: &[Token]) -> Self {
        let (mut words, mut negators, mut numbers, mut number, mut first) = (0, 0, 0, None, None);
        for (at, token) in tokens.iter().enumerate() {
            negators += usize::from(token.negator);
            if token.class == Class::Number {
                numbers += 1;
                number = Some(at);
            } else if is_framing(token) {
                words += 1;
                first = first.or(Some(token));
            }
        }
        let first = first.filter(|_| words >= STATEMENT_WORDS - 1).map_or(0, |token| stem(token.text(text)));
        let opening = joined(first, words as u32);
        let number = number.filter(|_| numbers == 1 && negators == 0);
        Self { words, opening, number, denied: negators % 2 == 1 }
    }
}

/// The openings of all sentences. Only the few sentences that share an opening are compared word by word.
#[derive(Default)]
struct Openings {
    /// How many sentences with a single number have each opening.
    numbers: PrehashedMap<u32>,
    denied: PrehashedSet,
    stated: PrehashedSet,
}

impl Openings {
    fn add(&mut self, gist: &Gist) {
        if gist.number.is_some() && gist.words >= STATEMENT_WORDS - 1 {
            *self.numbers.entry(gist.opening).or_default() += 1;
        }
        if gist.words >= STATEMENT_WORDS {
            let statements = if gist.denied { &mut self.denied } else { &mut self.stated };
            statements.insert(gist.opening);
        }
    }

    /// Whether another sentence with a single number has the same opening.
    fn may_repeat_number(&self, gist: &Gist) -> bool {
        gist.number.is_some()
            && gist.words >= STATEMENT_WORDS - 1
            && self.numbers.get(&gist.opening).is_some_and(|count| *count > 1)
    }

    /// Whether statements with this opening occur both with and without a negation.
    fn may_contradict(&self, gist: &Gist) -> bool {
        gist.words >= STATEMENT_WORDS && self.denied.contains(&gist.opening) && self.stated.contains(&gist.opening)
    }
}

/// The statements of earlier sentences.
#[derive(Default)]
struct EarlierStatements {
    /// The value of a number, by the hash of the surrounding words.
    numbers: HashMap<u32, f64>,
    /// Whether a statement was negated, by the hash of its words.
    statements: HashMap<u32, bool>,
}

impl EarlierStatements {
    /// Finds a sentence with one number that repeats an earlier one with a different number.
    fn number(&mut self, frame: u32, number: &Token) -> Option<Hit> {
        let before = *self.numbers.entry(frame).or_insert(number.value);
        (before.to_bits() != number.value.to_bits()).then(|| {
            hit(number, number, NUMBER, NUMBERS_DIFFER, "the text gives another number for the same thing elsewhere")
        })
    }

    /// Finds a statement that occurs both with and without a negation.
    fn denial(&mut self, frame: u32, denied: bool, tokens: &[Token]) -> Option<Hit> {
        let before = *self.statements.entry(frame).or_insert(denied);
        let (first, last) = (tokens.first()?, tokens.last()?);
        (before != denied).then(|| hit(first, last, CONTRADICTED, DENIED, "the text says the opposite elsewhere"))
    }
}

/// Whether a word belongs to the statement itself, apart from its number and negation.
fn is_framing(token: &Token) -> bool {
    token.is_content() && token.class != Class::Number && !token.negator
}

/// The stems of these words in order, combined into one hash.
fn frame(text: &str, tokens: &[Token]) -> u32 {
    let framing = tokens.iter().filter(|token| is_framing(token));
    framing.fold(0, |hash, token| joined(hash, stem(token.text(text))))
}

static STUDIES: LazyLock<[u32; 6]> =
    LazyLock::new(|| ["study", "studies", "research", "survey", "researchers", "scientists"].map(tokenize::hash));
static SAYING: LazyLock<[u32; 10]> = LazyLock::new(|| {
    ["show", "shows", "suggest", "suggests", "found", "finds", "prove", "proves", "say", "according"]
        .map(tokenize::hash)
});

/// Finds "According to a 2021 study" or "studies show" in a sentence without a name.
fn unnamed_source(tokens: &[Token]) -> Option<Hit> {
    let studies = &*STUDIES;
    let study = tokens.iter().position(|token| studies.contains(&token.word))?;
    let says = |token: &Token| SAYING.contains(&token.word);
    let around = &tokens[study.saturating_sub(5)..(study + 5).min(tokens.len())];
    let named = tokens.iter().skip(1).any(|token| token.name);
    let saying = around.iter().find(|token| says(token)).filter(|_| !named)?;
    let (first, last) =
        if saying.start < tokens[study].start { (saying, &tokens[study]) } else { (&tokens[study], saying) };
    Some(hit(first, last, UNSUPPORTED, UNNAMED, "a source is claimed but not named"))
}

fn hit(first: &Token, last: &Token, r#type: &'static str, score: f64, explanation: &str) -> Hit {
    Hit {
        kind: Kind::Grounding,
        r#type,
        start: first.start as usize,
        end: last.end as usize,
        score,
        detector: "grounding/alone",
        explanation: explanation.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judge(text: &str) -> Judgement {
        let mut words = Vec::new();
        tokenize::tokenize(text, &mut words);
        super::judge(text, &words)
    }

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> =
            judge(text).hits.iter().map(|hit| format!("{} {}", hit.r#type, &text[hit.start..hit.end])).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn two_numbers_for_one_thing_reach_the_threshold() {
        let text = "The tower in Lund has 12 floors. It is old. The tower in Lund has 14 floors.";
        check(text, &["NUMBER 14"]);
        assert!(judge(text).score >= 0.5);
        check("The tower in Lund has 12 floors. The tower in Bern has 14 floors.", &[]);
        check("The tower in Lund has 12 floors. The tower in Lund has twelve floors.", &[]);
    }

    #[test]
    fn a_denial_and_an_unnamed_source_are_hints() {
        let text = "The museum opens on Sunday mornings. The museum does not open on Sunday mornings.";
        check(text, &["CONTRADICTED The museum does not open on Sunday mornings."]);
        check("According to a 2021 study, tea helps.", &["UNSUPPORTED According to a 2021 study"]);
        check("According to a study by Ann Weaver, tea helps.", &[]);
        assert!(judge(text).score < 0.5);
    }

    #[test]
    fn a_text_is_read_only_up_to_the_limit() {
        let (one, other) = ("The tower in Lund has 12 floors. ", "The tower in Lund has 14 floors.");
        let rest = "A plain sentence follows here. ";
        let near = one.to_owned() + &rest.repeat(10) + other + " " + &rest.repeat(BYTES_MAX / rest.len());
        assert_eq!(judge(&near).hits.len(), 1);
        let far = one.to_owned() + &rest.repeat(BYTES_MAX / rest.len()) + other;
        assert!(judge(&far).hits.is_empty());
    }

    /// The reference implementation: compares every sentence with every other, with all words stemmed.
    fn compared_at_length(text: &str) -> Vec<(usize, usize)> {
        let mut tokens = token::read(text, false);
        let sentences = sentence::split(text, &mut tokens, false);
        let (mut numbers, mut statements) = (HashMap::new(), HashMap::new());
        let mut found = Vec::new();
        for sentence in sentences {
            let tokens = &tokens[sentence.from..sentence.to];
            let stems: Vec<u32> = tokens.iter().filter(|token| is_framing(token)).map(|token| token.stem).collect();
            let negators = tokens.iter().filter(|token| token.negator).count();
            let of_numbers: Vec<&Token> = tokens.iter().filter(|token| token.class == Class::Number).collect();
            if let [number] = of_numbers[..]
                && negators == 0
                && stems.len() >= STATEMENT_WORDS - 1
                && *numbers.entry(stems.clone()).or_insert(number.value) != number.value
            {
                found.push((number.start as usize, number.end as usize));
            }
            let denied = negators % 2 == 1;
            if stems.len() >= STATEMENT_WORDS && *statements.entry(stems).or_insert(denied) != denied {
                found.push((tokens[0].start as usize, tokens[tokens.len() - 1].end as usize));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn comparing_fewer_sentences_gives_the_same_findings(
            text in "((The |the |)towers? (never |not |)(sees|saw) (old |12 |14 |two |)(well-kept |)ships?( in Lund| 12|)(\\. |\n)){2,12}",
        ) {
            let compared = [NUMBER, CONTRADICTED];
            let hits = judge(&text).hits.into_iter().filter(|hit| compared.contains(&hit.r#type));
            let found: Vec<(usize, usize)> = hits.map(|hit| (hit.start, hit.end)).collect();
            let expected = if is_worth_reading(&text) { compared_at_length(&text) } else { Vec::new() };
            prop_assert_eq!(found, expected);
        }
    }
}
