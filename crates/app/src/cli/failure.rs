//! The failure of a command: what happened, and what to do about it.

use std::{fmt, process::ExitCode};

use countersign_config::ConfigErrors;
use countersign_store::StoreError;

#[derive(Debug)]
pub(super) struct Failure {
    what: String,
    help: Option<String>,
    /// Whether the arguments were wrong, which has its own exit status.
    is_misuse: bool,
}

impl Failure {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), help: None, is_misuse: false }
    }

    /// A failure because of invalid arguments.
    pub(super) fn misuse(what: impl Into<String>) -> Self {
        Self { is_misuse: true, ..Self::new(what) }
    }

    /// 2 for invalid arguments, as when clap can't parse them.
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.is_misuse { 2 } else { 1 })
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.what)?;
        self.help.as_ref().map_or(Ok(()), |help| writeln!(f, "  help: {help}"))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let help = match &error {
            StoreError::Tampered(_) => Some("nothing was written; run `countersign verify` to see what is wrong"),
            StoreError::Newer { .. } => Some(
                "a store can't be used by an older version than the one that wrote it; install the newer countersign",
            ),
            StoreError::NoStore { .. } => Some("name the data directory with --data-dir, or start the server once"),
            StoreError::DiskFull => Some("free some space and try again; acknowledged data is safe"),
            _ => None,
        };
        let failure = Self::new(error.to_string());
        match help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

impl From<ConfigErrors> for Failure {
    fn from(errors: ConfigErrors) -> Self {
        let count = errors.0.len();
        let lines: String = errors.0.iter().map(|problem| format!("\n  {problem}")).collect();
        let noun = if count == 1 { "problem" } else { "problems" };
        Self::new(format!("{count} {noun} in the configuration{lines}"))
            .help("run `countersign config check`; `countersign config --config /dev/null --json` lists every setting with its meaning")
    }
}
