//! Trains the name tagger on generated sentences, on Presidio's texts and on silver labels (made by a machine, not by people), and
//! measures it on templates that it was not trained on.
//!
//! | file | job |
//! |---|---|
//! | `names/corpus.rs` | reads labelled texts |
//! | `names/generate.rs`, `names/filler.rs`, `names/parts.rs` | generate sentences from templates, names and parts of names |
//! | `names/vocabulary.rs` | finds words that are usually in lower case |
//! | `names/fit.rs` | fits the model |
//! | `names/report.rs`, `names/unlabelled.rs` | measure on labelled and on unlabelled texts |

mod corpus;
mod filler;
mod fit;
mod generate;
mod parts;
mod report;
mod unlabelled;
mod vocabulary;

use std::{io, path::Path};

use countersign_inspect::training::names::{CLASSES, Example, Lists, TrialTagger};
use countersign_text::hash::SplitMix64;

use self::corpus::MarkedText;
use self::fit::{FitOptions, FittedTagger, HashedRow, fit};

const FOLDS: usize = 5;
const OPTIONS: FitOptions =
    FitOptions { classes: CLASSES, log2_buckets: 15, epochs: 5, rate: 0.08, l2: 2e-6, seed: 11 };
/// How much a silver label counts in training, compared with other labels.
const SILVER_WEIGHT: f32 = 0.2;
/// The percentage of labelled names for which the name lists are ignored.
const HIDDEN_PERCENT: usize = 45;
/// The percentage of features that are dropped at random, so that the model doesn't rely on any single one.
const DROPPED_PERCENT: usize = 10;

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let ordinary = vocabulary::ordinary(data)?;
    let lists = Lists::new(&ordinary);
    let presidio = corpus::presidio(data)?;
    let mut shared = rows(&lists, &generate::texts(), 1.0, Origin::Generated);
    shared.extend(rows(&lists, &corpus::lifebench(data)?, SILVER_WEIGHT, Origin::Silver));
    let by_text: Vec<Vec<HashedRow>> =
        presidio.iter().map(|text| rows(&lists, std::slice::from_ref(text), 1.0, Origin::Presidio)).collect();
    cross_validate(&ordinary, &shared, &presidio, &by_text)?;
    let mut report = report::SpanReport::default();
    let without_presidio = trial_tagger(&ordinary, &trained(&shared.iter().collect::<Vec<_>>()))?;
    presidio.iter().for_each(|text| report.add(text, &without_presidio.tag(&text.text)));
    report.print("trained on none of these texts");
    let all: Vec<&HashedRow> = shared.iter().chain(by_text.iter().flatten()).collect();
    let fitted = trained(&all);
    unlabelled::print(data, &trial_tagger(&ordinary, &fitted)?)?;
    let Some(out) = out else { return Ok(()) };
    std::fs::write(out.join("names_words.bin"), &ordinary)?;
    std::fs::write(out.join("names.bin"), fitted.to_bytes())
}

/// Measures the tagger on the texts of each template with weights that were fitted without them.
fn cross_validate(
    ordinary: &[u8],
    shared: &[HashedRow],
    texts: &[MarkedText],
    by_text: &[Vec<HashedRow>],
) -> io::Result<()> {
    let mut report = report::SpanReport::default();
    for fold in 0..FOLDS {
        let is_held_out = |text: &MarkedText| text.template % FOLDS == fold;
        let others = texts.iter().zip(by_text).filter(|(text, _)| !is_held_out(text)).flat_map(|(_, rows)| rows);
        let train: Vec<&HashedRow> = shared.iter().chain(others).collect();
        let tagger = trial_tagger(ordinary, &trained(&train))?;
        for text in texts.iter().filter(|text| is_held_out(text)) {
            report.add(text, &tagger.tag(&text.text));
        }
    }
    report.print("held-out templates");
    Ok(())
}

fn trial_tagger(ordinary: &[u8], fitted: &FittedTagger) -> io::Result<TrialTagger> {
    // Weights live as long as the program in the inspectors too. Training fits only a few.
    TrialTagger::new(ordinary, fitted.to_bytes().leak())
        .ok_or_else(|| io::Error::other("the fitted weights are not a valid model"))
}

#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Generated,
    Silver,
    Presidio,
}

fn rows(lists: &Lists, texts: &[MarkedText], weight: f32, origin: Origin) -> Vec<HashedRow> {
    let mut chance = SplitMix64(5);
    let mut hides_name = || origin != Origin::Silver && chance.below(100) < HIDDEN_PERCENT;
    let mut dropout = SplitMix64(7);
    let mut with_dropout = |mut features: Vec<u32>| {
        features.retain(|_| dropout.below(100) >= DROPPED_PERCENT);
        features
    };
    // Silver labels omit numbers on purpose, so words with digits are not used for training.
    let is_used = |example: &Example| origin != Origin::Silver || !example.has_digit;
    texts
        .iter()
        .flat_map(|text| lists.examples(&text.text, &text.labels, &mut hides_name))
        .filter(is_used)
        .map(|example| HashedRow { features: with_dropout(example.features), class: example.tag, weight })
        .collect()
}

fn trained(rows: &[&HashedRow]) -> FittedTagger {
    let rows: Vec<HashedRow> = rows
        .iter()
        .map(|row| HashedRow { features: row.features.clone(), class: row.class, weight: row.weight })
        .collect();
    fit(&rows, OPTIONS)
}
