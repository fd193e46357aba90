//! `countersign eval`: how good the detector and the inspectors are on labelled data.

mod fraud;
mod labelled;
mod supervisor;
mod text;

use super::{
    arguments::{Eval, EvalCommand},
    failure::Failure,
};

pub(super) fn run(flags: &Eval) -> Result<(), Failure> {
    match &flags.command {
        EvalCommand::Fraud(flags) => fraud::run(flags),
        EvalCommand::Supervisor(flags) => supervisor::run(flags),
        EvalCommand::Text(flags) => text::run(flags),
    }
}

/// A measure that may not exist.
fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}
