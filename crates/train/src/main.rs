//! Trains the inspectors' weights from labelled data, and measures them on rows that they were not trained on.
//!
//! ```text
//! countersign-train TASK DATA [--out FOLDER]
//! ```
//! Without `--out`, nothing is written and only the cross-validation figures are printed. The same data gives the same
//! weights.
//!
//! | file or folder | job |
//! |---|---|
//! | `grounding/`, `injection.rs`, `names.rs`, `toxicity/` | one task each: read the data, fit, measure |
//! | `data.rs` | reads labelled rows |

mod data;
mod grounding;
mod injection;
mod names;
mod toxicity;

use std::{io, path::PathBuf, process::ExitCode};

const HELP: &str = "usage: countersign-train TASK DATA [--out FOLDER]\n\ntasks:\n";

type Task = fn(&std::path::Path, Option<&std::path::Path>) -> io::Result<()>;

/// Each task: its name, what it detects, its function.
const TASKS: &[(&str, &str, Task)] = &[
    ("grounding", "sentences that their context does not support", grounding::run),
    ("injection", "text that tries to steer a model", injection::run),
    ("names", "people, places, organisations, addresses and dates", names::run),
    ("toxicity", "insults, threats and attacks", toxicity::run),
];

#[expect(clippy::print_stderr, reason = "a command for developers")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (task, data) = (arguments.next().unwrap_or_default(), arguments.next().map(PathBuf::from));
    let out = (arguments.next().as_deref() == Some("--out")).then(|| arguments.next().map(PathBuf::from)).flatten();
    let known = TASKS.iter().find(|(name, ..)| *name == task);
    let (Some((.., run)), Some(data)) = (known, data) else {
        let tasks: String = TASKS.iter().map(|(name, what, _)| format!("  {name:<12} {what}\n")).collect();
        eprint!("{HELP}{tasks}");
        return ExitCode::FAILURE;
    };
    match run(&data, out.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
