//! Trains and cross-validates the model that judges whether a context supports a text.
//!
//! | file | job |
//! |---|---|
//! | `examples.rs` | reads or generates labelled texts, and weights them |
//! | `business.rs` | generates records of businesses with descriptions |
//! | `corrupt.rs` | plants mistakes in supported texts |
//! | `boost.rs` | fits the trees |
//! | `figures.rs` | measures on held-out data |

mod boost;
mod business;
mod corrupt;
mod examples;
mod figures;

use std::{io, path::Path};

use boost::{BoostOptions, boost};
use countersign_inspect::training::grounding::FEATURES;
use examples::Example;

const OPTIONS: BoostOptions = BoostOptions {
    trees: 320,
    rate: 0.04,
    l2: 4.0,
    leaf_weight_min: 40.0,
    rows_percent: 70,
    features_percent: 25,
    seed: 11,
};

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    let examples = examples::read(data)?;
    let monotone: Vec<i8> = FEATURES.iter().map(|(_, direction)| *direction).collect();
    let train = |kept: &dyn Fn(&Example) -> bool| {
        boost(&examples::weighted(examples.iter().filter(|e| e.trains && kept(e))), &monotone, OPTIONS)
    };
    figures::held_out(&examples, &train);
    let model = train(&|_| true);
    figures::importance(&model);
    if let Some(out) = out {
        std::fs::write(out.join("grounding.bin"), model.to_bytes())?;
    }
    Ok(())
}
