//! The built-in writer: prose from a context, without a model. The same context always gives the same words.
//!
//! Every sentence states facts of the context or says that a fact is missing. The writer computes no figure of its own,
//! so that whatever it writes passes the fact check; and it never repeats outside text beyond a bounded quotation.
//!
//! | file               | job                                                                        |
//! |--------------------|----------------------------------------------------------------------------|
//! | `executive.rs` ... | one section each: an ordered pool of sentences                             |
//! | `signals.rs`       | sentences about one signal, shared by the sections                         |
//! | `pool.rs`          | which sentences make a text of the right length                            |
//! | `voice.rs`         | which of several phrasings a case gets                                     |
//! | `case.rs`, `measured.rs`, `say.rs`, `outside.rs` | facts as phrases                             |
//! | `fit.rs`           | somebody else's text brought into its range                                |

mod case;
mod chronology;
mod executive;
mod explanation;
mod extended;
mod fit;
mod justification;
mod measured;
mod narrative;
mod outside;
mod pool;
mod regulatory;
mod say;
mod signals;
mod steps;
#[cfg(test)]
mod tests;
mod voice;

use countersign_domain::{Section, report::FALLBACK};

use self::{case::Case, pool::Pool};
use crate::Context;

/// Version of the sentences; it changes when the same context would read differently.
pub const TEMPLATE: &str = "builtin-3";

/// A context as it is written about, read once for all sections.
pub struct Writer<'a>(Case<'a>);

impl<'a> Writer<'a> {
    pub fn of(context: &'a Context) -> Self {
        Self(Case::of(context))
    }

    /// A section within its word range.
    pub fn section(&self, section: Section) -> String {
        self.sentences(section).compose("", section.words())
    }

    /// A section that says first that the configured model was unavailable. Those words count.
    pub fn fallback(&self, section: Section) -> String {
        self.sentences(section).compose(FALLBACK, section.words())
    }

    /// Somebody else's text brought into the section's word range at sentence boundaries.
    ///
    /// Whole sentences are dropped from the end, never the first; what is missing is added from the writer's own
    /// sentences that say what the text does not say yet. A text that can't be kept within its range (empty, or one
    /// endless sentence) is replaced by the writer's own.
    pub fn fit(&self, text: &str, section: Section) -> String {
        fit::fit(text, section.words(), &self.sentences(section))
    }

    fn sentences(&self, section: Section) -> Pool {
        match section {
            Section::ExecutiveSummary => executive::sentences(&self.0),
            Section::FraudExplanation => explanation::sentences(&self.0),
            Section::TimelineNarrative => chronology::sentences(&self.0),
            Section::RiskJustification => justification::sentences(&self.0),
            Section::InvestigationNarrative => narrative::sentences(&self.0),
        }
    }
}

/// What people are asked to do next, for the audit trail: three to seven steps, none of which touches an account.
pub fn next_steps(context: &Context) -> Vec<String> {
    steps::steps(&Case::of(context))
}

/// Of full reports, 150 to 400 words.
pub fn extended_analysis(context: &Context) -> String {
    extended::sentences(&Case::of(context)).compose("", extended::WORDS)
}

/// Of compliance and full reports, 60 to 160 words.
pub fn regulatory_statement(context: &Context) -> String {
    regulatory::sentences(&Case::of(context)).compose("", regulatory::WORDS)
}
