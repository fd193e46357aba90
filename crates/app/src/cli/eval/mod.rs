//! `countersign eval`: measures the detector, the inspectors and the supervisor on labelled data.

mod fraud;
mod labelled;
mod supervisor;
mod text;

use super::{
    arguments::{EvalCommand, EvalFlags},
    failure::Failure,
};

pub(super) fn run(flags: &EvalFlags) -> Result<(), Failure> {
    match &flags.command {
        EvalCommand::Fraud(flags) => fraud::run(flags),
        EvalCommand::Supervisor(flags) => supervisor::run(flags),
        EvalCommand::Text(flags) => text::run(flags),
    }
}

/// A figure, or `-` if it is undefined.
fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}
