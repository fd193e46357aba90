//! The built-in writer: prose from a context, without a model. The same context always gives the same words.
//!
//! Every sentence states facts of the context or says that a fact is missing. The writer invents no figures, so
//! everything it writes passes the fact check. It repeats external text only in short quotations.
//!
//! | file               | job                                                                        |
//! |--------------------|----------------------------------------------------------------------------|
//! | `executive.rs`     | executive summary                                                          |
//! | `explanation.rs`   | fraud explanation                                                          |
//! | `chronology.rs`    | timeline of events                                                         |
//! | `justification.rs` | risk justification                                                         |
//! | `narrative.rs`     | investigation narrative                                                    |
//! | `extended.rs`      | extended analysis of full reports                                          |
//! | `regulatory.rs`    | regulatory statement, for compliance and full reports                      |
//! | `steps.rs`         | recommended next steps                                                     |
//! | `signals.rs`       | sentences about one signal, shared by the sections                         |
//! | `pool.rs`          | sentences that a section can use, and the choice within its word range     |
//! | `phrasing.rs`      | which of several phrasings a case gets                                     |
//! | `case.rs`          | the context as noun phrases                                                |
//! | `measured.rs`      | a signal as noun phrases                                                   |
//! | `say.rs`           | money, dates, rounded numbers and lists, as its sentences write them       |
//! | `outside.rs`       | quotes text from outside                                                   |
//! | `revised.rs`       | a reviewer's requests: other lengths, facts that a section must state      |
//! | `fit.rs`           | brings a model's text into its word range                                  |

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
mod phrasing;
mod pool;
mod regulatory;
mod revised;
mod say;
mod signals;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use countersign_domain::{
    Section,
    report::FALLBACK,
    revision::{Revision, Topic},
};

pub use self::revised::TopicUnavailable;
use self::{case::CaseInWords, pool::SentencePool};
use crate::Context;

/// The version of the sentences. Change it with every change of wording.
pub const WRITER_VERSION: &str = "builtin-4";

/// Writes about one context, which is read once for all sections.
pub struct Writer<'a> {
    case: CaseInWords<'a>,
    revision: Revision,
}

impl<'a> Writer<'a> {
    pub fn of(context: &'a Context) -> Self {
        Self { case: CaseInWords::of(context), revision: Revision::default() }
    }

    /// The same writer with a reviewer's requests.
    pub fn revised(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// Whether a text states the facts of a topic. `Err` if the context has no such fact.
    pub fn states(&self, topic: Topic, text: &str) -> Result<bool, TopicUnavailable> {
        Ok(revised::statements(&self.case, topic)?.iter().all(|statement| statement.is_in(text)))
    }

    /// A section within its word range.
    pub fn section(&self, section: Section) -> String {
        self.written(section, "")
    }

    /// A section that starts with a note that the configured model was unavailable. The note counts towards the word range.
    pub fn fallback(&self, section: Section) -> String {
        self.written(section, FALLBACK)
    }

    fn written(&self, section: Section, lead: &str) -> String {
        let mut pool = self.sentences(section);
        let aim = revised::apply(&self.case, self.revision.of(section), &mut pool);
        pool.compose_towards(lead, section.word_range(), aim)
    }

    /// Brings a text that the built-in writer did not write into the section's word range at sentence boundaries.
    ///
    /// Whole sentences are dropped from the end, but the first one is always kept. If the text is too short, sentences
    /// of the writer that say something new are added. If the text can't be fitted, because it is empty or one endless
    /// sentence, the writer's own section replaces it.
    pub fn fit(&self, text: &str, section: Section) -> String {
        fit::fit(text, section.word_range(), &self.sentences(section))
    }

    /// All sentences that the writer could use about this case in any section.
    pub fn own_sentences(&self) -> OwnSentences {
        let mut all = HashSet::new();
        for section in Section::ALL {
            let mut pool = self.sentences(section);
            revised::apply(&self.case, self.revision.of(section), &mut pool);
            for text in pool.texts() {
                all.extend(text.split_inclusive(". ").map(|sentence| sentence.trim_end().to_owned()));
                all.insert(text.to_owned());
            }
        }
        OwnSentences(all)
    }

    fn sentences(&self, section: Section) -> SentencePool {
        match section {
            Section::ExecutiveSummary => executive::sentences(&self.case),
            Section::FraudExplanation => explanation::sentences(&self.case),
            Section::TimelineNarrative => chronology::sentences(&self.case),
            Section::RiskJustification => justification::sentences(&self.case),
            Section::InvestigationNarrative => narrative::sentences(&self.case),
        }
    }
}

/// All sentences of the built-in writer about one case. The fact check accepts them from a model too, even where they
/// aren't known wordings.
#[derive(Debug)]
pub struct OwnSentences(HashSet<String>);

impl OwnSentences {
    pub fn has(&self, sentence: &str) -> bool {
        self.0.contains(sentence)
    }
}

/// Three to seven recommended next steps. No step acts on an account.
pub fn next_steps(context: &Context) -> Vec<String> {
    steps::steps(&CaseInWords::of(context))
}

/// The extended analysis of full reports, 150 to 400 words.
pub fn extended_analysis(context: &Context) -> String {
    extended::sentences(&CaseInWords::of(context)).compose("", extended::WORDS)
}

/// The regulatory statement, for compliance and full reports, 60 to 160 words.
pub fn regulatory_statement(context: &Context) -> String {
    regulatory::sentences(&CaseInWords::of(context)).compose("", regulatory::WORDS)
}
