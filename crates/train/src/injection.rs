//! Trains and cross-validates the injection model, and measures it on collections whose licences don't allow training.
//!
//! | file | job |
//! |---|---|
//! | `injection/corpus.rs` | collects and generates the training texts |
//! | `injection/texts.rs` | expands text patterns |
//! | `injection/fit.rs` | fits the model |
//! | `injection/figures.rs` | measures on held-out data |

mod corpus;
mod figures;
mod fit;
mod texts;

use std::{fs, io, path::Path};

use countersign_inspect::learned::Linear;
use countersign_inspect::training::injection::features;
use fit::{WeightedFeatures, fit};

pub(crate) const ATTACKS: &str = include_str!("../texts/injection/attacks.txt");
pub(crate) const BENIGN: &str = include_str!("../texts/injection/benign.txt");

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let texts = corpus::texts(data)?;
    let rows: Vec<WeightedFeatures> = texts
        .iter()
        .map(|text| WeightedFeatures {
            features: features(&text.text),
            is_attack: text.is_attack,
            weight: text.weight,
            group: text.group,
        })
        .collect();
    figures::cross_validate(&texts, &rows)?;
    let bytes = fit(&rows, &(0..rows.len()).collect::<Vec<_>>());
    let path = out.map(|out| out.join("injection.bin"));
    if let Some(path) = &path {
        fs::write(path, &bytes)?;
    }
    figures::measure(data, &model(bytes)?)
}

fn model(bytes: Vec<u8>) -> io::Result<Linear> {
    Linear::from_bytes(bytes.leak()).ok_or_else(|| io::Error::other("the fitted weights are not a valid model"))
}
