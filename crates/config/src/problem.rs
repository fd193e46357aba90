//! A configuration problem: where it is, what is wrong, and how to fix it. Each check words its own problems.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct ConfigErrors(pub Vec<Problem>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub place: ProblemPlace,
    pub wrong: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemPlace {
    /// A flag, by its setting's key.
    Flag(&'static str),
    Variable(String),
    File {
        path: PathBuf,
        line: Option<usize>,
        key: Option<String>,
    },
    /// A default that a command overrides, by its setting's key.
    Default(&'static str),
}

impl Problem {
    pub(crate) fn new(place: ProblemPlace, wrong: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, wrong: wrong.into(), help: help.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.wrong, self.help)
    }
}

impl fmt::Display for ProblemPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(key) => write!(f, "flag --{}", key.replace(['_', '.'], "-")),
            Self::Variable(name) => write!(f, "variable {name}"),
            Self::Default(key) => write!(f, "default of `{key}`"),
            Self::File { path, line, key } => {
                write!(f, "{}", path.display())?;
                // Terminals and editors turn `path:line` into a link.
                line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
                key.as_ref().map_or(Ok(()), |key| write!(f, ": `{key}`"))
            }
        }
    }
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

const QUOTED_CHARS_MAX: usize = 60;

/// A value as errors quote it: short, on one line, and omitted if it could contain a password.
pub(crate) fn quoted(value: &str) -> String {
    if value.contains('@') {
        return "the value".to_owned();
    }
    let shown: String = value.chars().take(QUOTED_CHARS_MAX).flat_map(char::escape_debug).collect();
    let rest = if value.chars().nth(QUOTED_CHARS_MAX).is_some() { "…" } else { "" };
    format!("\"{shown}{rest}\"")
}
