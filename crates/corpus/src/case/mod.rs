//! A case with everything that a template may use: placeholders for its facts and for false facts, and conditions.
//!
//! | file       | job                                                     |
//! |------------|---------------------------------------------------------|
//! | `mod.rs`   | the case, its conditions and its numbers                |
//! | `facts.rs` | the placeholders for the facts of a case                |
//! | `wrong.rs` | the placeholders for plausible facts that are false     |

mod facts;
mod wrong;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use countersign_domain::Section;
use countersign_factcheck::Facts;
use countersign_report::{
    Context,
    writer::{OwnSentences, Writer},
};

use facts::TemplateValues;

/// A case, its facts as the fact check indexes them, and its report as the built-in writer writes it.
pub struct CorpusCase {
    pub context: Context,
    pub facts: Facts,
    /// The true text of each section of `Section::ALL`.
    pub texts: Vec<String>,
    /// Every sentence that the built-in writer can write about this case.
    pub(crate) own: OwnSentences,
    pub(crate) number: u64,
    placeholders: BTreeMap<&'static str, String>,
    conditions: BTreeSet<&'static str>,
    /// Every number that occurs in the context or in the true texts.
    numbers: HashSet<String>,
    /// The context's JSON in lower case.
    context_json: String,
}

impl CorpusCase {
    pub(crate) fn new(number: u64, context: Context) -> Option<Self> {
        let value = serde_json::to_value(&context).ok()?;
        let writer = Writer::of(&context);
        let texts: Vec<String> = Section::ALL.into_iter().map(|section| writer.section(section)).collect();
        let json = value.to_string();
        let mut numbers: HashSet<String> = numbers(&json);
        texts.iter().for_each(|text| numbers.extend(self::numbers(text)));
        let mut values = TemplateValues { placeholders: BTreeMap::new(), conditions: BTreeSet::new() };
        values.add_case(&context);
        values.add_transaction(&context);
        values.add_baseline(&context);
        values.add_signals(&context);
        values.add_history(&context);
        values.add_wrong(&context, number);
        Some(Self {
            facts: Facts::of(&value),
            own: writer.own_sentences(),
            texts,
            number,
            placeholders: values.placeholders,
            conditions: values.conditions,
            numbers,
            context_json: json.to_lowercase(),
            context,
        })
    }

    pub fn text(&self, section: Section) -> &str {
        let at = Section::ALL.iter().position(|other| *other == section).unwrap_or(0);
        self.texts.get(at).map_or("", String::as_str)
    }

    /// The value of a placeholder in this case.
    pub(crate) fn placeholder(&self, name: &str) -> Option<&str> {
        self.placeholders.get(name).map(String::as_str)
    }

    /// Whether a condition holds, or the case has a value for a placeholder of this name.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.conditions.contains(name) || self.placeholders.contains_key(name)
    }

    /// Whether a number, written without separators, occurs anywhere in the case.
    pub(crate) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(&bare(number))
    }

    /// Whether a text occurs in the context, in upper or lower case.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.context_json.contains(&text.to_lowercase())
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.placeholders.keys().copied().chain(self.conditions.iter().copied())
    }
}

/// The numbers in a text, without their thousands separators.
pub(crate) fn numbers(text: &str) -> HashSet<String> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    text.split(|c: char| !is_part(c)).filter(|run| run.contains(|c: char| c.is_ascii_digit())).map(bare).collect()
}

/// A number without thousands separators and without zeros that change nothing.
pub(crate) fn bare(number: &str) -> String {
    let plain = number.replace(',', "");
    let plain = plain.trim_matches('.');
    let plain = if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { plain };
    let plain = plain.trim_start_matches('0');
    if plain.is_empty() || plain.starts_with('.') { format!("0{plain}") } else { plain.to_owned() }
}
