//! A corpus of true and false investigation reports, made from code and always the same, and the supervisor judged by it.
//!
//! It shows how many faults of each kind a report can carry past the fact check and the supervisor's rules, and how many
//! true texts they refuse. Pure: no I/O, no clock, no model.
//!
//! | file            | job                                                                           |
//! |-----------------|-------------------------------------------------------------------------------|
//! | `scenario.rs`   | cases, from transactions through the real detector and context builder         |
//! | `subject.rs`    | a case with its facts by name, for templates; `say.rs` how facts are written    |
//! | `template.rs`   | sentences with gaps and conditions                                            |
//! | `lie.rs`        | prose that is true but for one sentence, by kind, from `texts/lies.txt`        |
//! | `edit.rs`       | lies made from a true sentence: a digit, a date, another case's sentence        |
//! | `compose.rs`    | a section with a sentence added or changed                                    |
//! | `paraphrase.rs` | true sections in other words, from `texts/paraphrases.txt`                     |
//! | `structure.rs`  | every rule of the score's table, broken by itself                             |
//! | `judge.rs`      | the fact check and the supervisor's rules on one text                         |
//! | `measure.rs`    | all of it counted, by kind; `page.rs` the same as Markdown                      |

mod chance;
mod compose;
mod edit;
mod judge;
mod lie;
mod measure;
mod page;
mod paraphrase;
mod say;
mod scenario;
mod structure;
mod subject;
mod template;

use countersign_domain::Section;

pub use judge::{Outcome, is_refused, judge_text, objections};
pub use lie::{Class, Kind, Lie};
pub use measure::{KindMeasure, Measures, Shown, TextMeasure, measure};
pub use paraphrase::Paraphrase;
pub use subject::Subject;

use paraphrase::Phrasebook;

/// Paraphrases of each section of each case. More would say the same in the same ways.
const TURNS: u64 = 1;

/// Everything that is judged, but for faults of structure, which are made while judging.
pub struct Corpus {
    pub subjects: Vec<Subject>,
    pub lies: Vec<(Kind, Vec<Lie>)>,
    pub paraphrases: Vec<Paraphrase>,
}

impl Corpus {
    pub fn build() -> Self {
        let subjects = subjects();
        let lies = lie::kinds().into_iter().map(|kind| {
            let lies = lie::lies(&kind, &subjects);
            (kind, lies)
        });
        let lies = lies.collect();
        let paraphrases = paraphrases(&subjects);
        Self { subjects, lies, paraphrases }
    }

    /// Sections of the built-in writer, and paraphrases.
    pub fn true_texts(&self) -> usize {
        self.subjects.len() * Section::ALL.len() + self.paraphrases.len()
    }
}

fn subjects() -> Vec<Subject> {
    (0..).zip(scenario::contexts()).filter_map(|(number, context)| Subject::new(number, context)).collect()
}

fn paraphrases(subjects: &[Subject]) -> Vec<Paraphrase> {
    let book = Phrasebook::read();
    let mut found: Vec<Paraphrase> = Vec::new();
    for (at, subject) in subjects.iter().enumerate() {
        for section in Section::ALL {
            let texts = (0..TURNS).filter_map(|turn| book.section(subject, section, turn));
            let mut texts: Vec<String> = texts.collect();
            texts.dedup();
            found.extend(texts.into_iter().map(|text| Paraphrase { subject: at, section, text }));
        }
    }
    found
}
