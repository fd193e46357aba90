//! The command line. `arguments/` declares the commands with their flags and help texts, and the other files run them.
//!
//! Output is plain text, suitable for pipes; progress bars and colours appear only on a terminal. Errors go to standard error as
//! `error: what happened` and `  help: what to do`.
//!
//! | file            | job                                                                                    |
//! |-----------------|----------------------------------------------------------------------------------------|
//! | `arguments/`    | the commands, their flags and their help texts                                         |
//! | `serve.rs`      | `serve` and `demo`: starts everything, and stops it in order                           |
//! | `ingest.rs`     | `ingest`: loads transactions from a file                                               |
//! | `scoring.rs`    | scores a file offline, for `ingest --dry-run`, `ingest --scores` and `eval fraud`        |
//! | `audit/`        | `audit`: inspects texts without a server                                               |
//! | `eval/`         | `eval`: measures the detector, the inspectors and the supervisor on labelled data      |
//! | `report.rs`     | `report`: lists, shows and exports reports                                             |
//! | `verify.rs`, `anchors.rs` | `verify`, and what it compares the log with                                  |
//! | `witness.rs`    | `witness`: runs the witness server                                                     |
//! | `files.rs`      | `backup`, `restore` and `export`                                                       |
//! | `keys.rs`       | `keys`: creates, lists and revokes access keys                                         |
//! | `config.rs`     | `config`: shows and checks the settings                                                |
//! | `client.rs`     | calls the server that is running on the same data directory                            |
//! | `failure.rs`    | the failure of a command                                                               |
//! | `lines.rs`      | lines of bounded length from a file or a pipe                                          |
//! | `log.rs`        | the server's log lines                                                                 |
//! | `open_files.rs` | the limit on open files                                                                |
//! | `progress.rs`   | progress bars                                                                          |

mod anchors;
mod arguments;
mod audit;
mod client;
mod config;
mod eval;
mod failure;
mod files;
mod ingest;
mod keys;
mod lines;
mod log;
mod open_files;
mod progress;
mod report;
mod scoring;
mod serve;
mod verify;
mod witness;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use self::{
    arguments::{Arguments, Command},
    failure::Failure,
};

pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Serve(flags) => serve::run(&flags),
        Command::Demo(flags) => serve::demo(&flags),
        Command::Ingest(flags) => ingest::run(&flags),
        Command::Report(flags) => report::run(&flags),
        // The exit status of an audit also depends on its findings.
        Command::Audit(flags) => return audit::run(&flags),
        Command::Eval(flags) => eval::run(&flags),
        Command::Verify(flags) => verify::run(&flags),
        Command::Witness(flags) => witness::run(&flags),
        Command::Backup(flags) => files::backup(&flags),
        Command::PrepareDatabase(flags) => files::prepare_database(&flags),
        Command::Restore(flags) => files::restore(&flags),
        Command::Export(flags) => files::export(&flags),
        Command::Keys(flags) => keys::run(&flags),
        Command::Config(flags) => config::run(&flags),
    };
    log::flush();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = write!(io::stderr().lock(), "{failure}");
            failure.exit_code()
        }
    }
}

/// Prints a line to standard output. Ignores a closed pipe, as in `| head`.
fn say(text: &str) -> Result<(), Failure> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!("stdout: {error}"))),
        _ => Ok(()),
    }
}

/// Formats `1204` as `1,204`.
fn count(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_grouped_by_thousands() {
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (184_203, "184,203"), (1_000_000, "1,000,000")] {
            assert_eq!(count(n), text);
        }
    }
}
