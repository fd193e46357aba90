//! Judges a whole text: computes its score, and finds the sentences that led to it.

use super::class::Class;
use super::event::Stance;
use super::features::{Feature, FeatureFamily, features, sentence_len};
use super::model::{Model, Sums, model};
use super::read::{Token, read};
use crate::audit::Judgement;
use crate::finding::{Hit, Kind};
use crate::learned::probability;

const DECISION: f64 = 0.5;
/// The maximum score if nothing worse than profanity was found.
const MERE_PROFANITY_MAX: f64 = 0.49;
/// The maximum number of sentences that are reported.
const HITS_MAX: usize = 64;

/// Judges the text as a whole, in addition to the phrase table.
pub(crate) fn judge(text: &str) -> Judgement {
    let Some(model) = model() else { return Judgement::default() };
    let mut tokens = Vec::with_capacity(text.len() / 5);
    read(text, &mut tokens);
    let mut sums = Sums::default();
    let mut found = Vec::new();
    features(&tokens, &mut |feature| {
        sums.add(model, feature.family, feature.hash);
        if matches!(feature.family, FeatureFamily::Event(_, Stance::Asserted | Stance::Quoted)) {
            found.push(feature);
        }
    });
    let score = probability(sums.score(model));
    if score < DECISION {
        return Judgement { score, hits: Vec::new() };
    }
    let hits = hits(model, &tokens, &found, score);
    if hits.iter().all(|hit| hit.r#type == "PROFANITY") {
        // Profanity alone harms nobody, however confident the model is.
        return Judgement { score: MERE_PROFANITY_MAX, hits: Vec::new() };
    }
    Judgement { score, hits }
}

/// The sentences whose features explain the score, or the whole text if no sentence does.
fn hits(model: &Model, tokens: &[Token], found: &[Feature], score: f64) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut from = 0;
    while from < tokens.len() && hits.len() < HITS_MAX {
        let to = from + sentence_len(&tokens[from..]);
        let events = found.iter().filter(|feature| (from..to).contains(&feature.at));
        if let Some(r#type) = strongest(model, events).or_else(|| by_words(&tokens[from..to])) {
            hits.extend(hit(&tokens[from..to], r#type, score));
        }
        from = to;
    }
    if hits.is_empty() {
        hits.extend(hit(tokens, "TOXIC", score));
    }
    hits
}

fn strongest<'f>(model: &Model, events: impl Iterator<Item = &'f Feature>) -> Option<&'static str> {
    let weighed = events.filter_map(|feature| match feature.family {
        FeatureFamily::Event(event, _) => {
            let weight = model.events.weight(feature.hash);
            (weight > 0).then_some((weight, event.r#type()))
        }
        _ => None,
    });
    weighed.max_by_key(|&(weight, _)| weight).map(|(_, r#type)| r#type)
}

fn by_words(sentence: &[Token]) -> Option<&'static str> {
    let any = |class| sentence.iter().any(|token| token.class == class);
    let count = |class| sentence.iter().filter(|token| token.class == class).count();
    match () {
        () if any(Class::SexCore) || any(Class::SexHard) || count(Class::SexMild) > 2 => Some("SEXUAL"),
        () if any(Class::Slur) => Some("IDENTITY_ATTACK"),
        () if any(Class::SelfOwn) || any(Class::SelfCall) => Some("SELF_HARM"),
        () if any(Class::KillV) => Some("THREAT"),
        () if any(Class::Insult) || any(Class::Misog) => Some("INSULT"),
        () if any(Class::Prof) => Some("PROFANITY"),
        () => None,
    }
}

fn hit(sentence: &[Token], r#type: &'static str, score: f64) -> Option<Hit> {
    let explanation = match r#type {
        "INSULT" => "somebody is called or addressed as something insulting",
        "THREAT" => "violence against somebody is announced, wished or described",
        "IDENTITY_ATTACK" => "a group or its member is demeaned or wished harm",
        "SEXUAL" => "sexual content",
        "SELF_HARM" => "somebody urges self-harm or intends it",
        "PROFANITY" => "profanity in a text that is toxic as a whole",
        _ => "the text as a whole reads as toxic",
    };
    let (first, last) = (sentence.first()?, sentence.last()?);
    Some(Hit {
        kind: Kind::Toxicity,
        r#type,
        start: first.start,
        end: last.end,
        score,
        detector: "toxicity/judge",
        explanation: explanation.to_owned(),
    })
}
