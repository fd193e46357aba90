//! The fact check: every figure of a text about a case is found in the context that the text was written from, or refused.

mod country;
pub(crate) mod fold;

pub use country::country_name;

use serde_json::Value;

/// An index of every fact in a context.
#[derive(Debug, Default)]
pub struct Facts {}

impl Facts {
    pub fn of(_context: &Value) -> Self {
        Self {}
    }
}

/// What a text claims, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    pub claims: Vec<Claim>,
    pub refused: Vec<Refused>,
}

/// A figure that is a fact. Offsets are code points, `end` is exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    /// JSON pointer of the fact.
    pub path: String,
}

/// A figure that is no fact, or not the one that its sentence names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub start: usize,
    pub end: usize,
    pub kind: ClaimKind,
    pub reason: Reason,
    /// As it is written, bounded.
    quote: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Nowhere in the context.
    Absent,
    /// A fact, but another one than the sentence names.
    BelongsToAnother { path: String },
    /// Written so that its value can't be told.
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    Money,
    Number,
    Percentage,
    Date,
    Time,
    Duration,
    Count,
    Id,
    Country,
    Severity,
    Name,
}

impl Refused {
    /// For the writer who is asked to correct it. Quotes at most 60 characters of what was written.
    pub fn describe(&self) -> String {
        self.quote.clone()
    }
}

pub fn check(_text: &str, _facts: &Facts) -> Checked {
    Checked::default()
}
