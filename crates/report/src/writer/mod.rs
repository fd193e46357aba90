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
//! | `revised.rs`       | what a reviewer asked for: other lengths, facts that a section must state  |
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
mod revised;
mod say;
mod signals;
mod steps;
#[cfg(test)]
mod tests;
mod voice;

use std::collections::HashSet;

use countersign_domain::{
    Section,
    report::FALLBACK,
    revision::{Revision, Topic},
};

pub use self::revised::CannotState;
use self::{case::Case, pool::Pool};
use crate::Context;

/// Version of the sentences; it changes when the same context would read differently.
pub const TEMPLATE: &str = "builtin-4";

/// A context as it is written about, read once for all sections.
pub struct Writer<'a> {
    case: Case<'a>,
    revision: Revision,
}

impl<'a> Writer<'a> {
    pub fn of(context: &'a Context) -> Self {
        Self { case: Case::of(context), revision: Revision::default() }
    }

    /// The same writer, obeying what a reviewer asked for.
    pub fn revised(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// Whether a text states a topic's facts. `Err` if the context has none.
    pub fn states(&self, topic: Topic, text: &str) -> Result<bool, CannotState> {
        Ok(revised::statements(&self.case, topic)?.iter().all(|statement| statement.is_in(text)))
    }

    /// A section within its word range.
    pub fn section(&self, section: Section) -> String {
        self.written(section, "")
    }

    /// A section that says first that the configured model was unavailable. Those words count.
    pub fn fallback(&self, section: Section) -> String {
        self.written(section, FALLBACK)
    }

    fn written(&self, section: Section, lead: &str) -> String {
        let mut pool = self.sentences(section);
        let aim = revised::apply(&self.case, self.revision.of(section), &mut pool);
        pool.compose_aiming(lead, section.words(), aim)
    }

    /// Somebody else's text brought into the section's word range at sentence boundaries.
    ///
    /// Whole sentences are dropped from the end, never the first; what is missing is added from the writer's own
    /// sentences that say what the text does not say yet. A text that can't be kept within its range (empty, or one
    /// endless sentence) is replaced by the writer's own.
    pub fn fit(&self, text: &str, section: Section) -> String {
        fit::fit(text, section.words(), &self.sentences(section))
    }

    /// Every sentence that the writer could use about this case, in any section.
    pub fn own_sentences(&self) -> OwnSentences {
        let mut own = HashSet::new();
        for section in Section::ALL {
            let mut pool = self.sentences(section);
            revised::apply(&self.case, self.revision.of(section), &mut pool);
            for text in pool.texts() {
                own.extend(text.split_inclusive(". ").map(|sentence| sentence.trim_end().to_owned()));
                own.insert(text.to_owned());
            }
        }
        OwnSentences(own)
    }

    fn sentences(&self, section: Section) -> Pool {
        match section {
            Section::ExecutiveSummary => executive::sentences(&self.case),
            Section::FraudExplanation => explanation::sentences(&self.case),
            Section::TimelineNarrative => chronology::sentences(&self.case),
            Section::RiskJustification => justification::sentences(&self.case),
            Section::InvestigationNarrative => narrative::sentences(&self.case),
        }
    }
}

/// The sentences of the built-in writer about one case. They follow from its facts, also where a model repeats them.
#[derive(Debug)]
pub struct OwnSentences(HashSet<String>);

impl OwnSentences {
    pub fn has(&self, sentence: &str) -> bool {
        self.0.contains(sentence)
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
