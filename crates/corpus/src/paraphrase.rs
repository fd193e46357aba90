//! True sections in words that differ from the built-in writer's, from `texts/paraphrases.txt`.

use std::collections::BTreeMap;

use countersign_domain::{Section, report::count_words};

use crate::{case::CorpusCase, chance::Chance, template::fill};

const PARAPHRASES: &str = include_str!("../texts/paraphrases.txt");
/// A text with fewer sentences is not used as a section.
const SENTENCES_MIN: usize = 3;

/// A true section in words that differ from the built-in writer's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paraphrase {
    /// The index of its case in the corpus.
    pub case: usize,
    pub section: Section,
    pub text: String,
}

/// The templates and plans in `texts/paraphrases.txt`.
#[derive(Debug, Default)]
pub(crate) struct Phrasebook {
    /// The templates of each statement.
    templates: BTreeMap<&'static str, Vec<&'static str>>,
    plans: Vec<SectionPlan>,
}

/// The statements that a section makes.
#[derive(Debug)]
struct SectionPlan {
    section: Section,
    statements: Vec<&'static str>,
    /// Statements that are added while the section is too short.
    fillers: Vec<&'static str>,
}

impl Phrasebook {
    pub(crate) fn read() -> Self {
        let mut book = Self::default();
        let mut statement = "";
        for line in PARAPHRASES.lines().map(str::trim) {
            if let Some(plan) = line.strip_prefix("@ ").and_then(SectionPlan::read) {
                book.plans.push(plan);
            } else if let Some(name) = line.strip_prefix("== ") {
                statement = name;
            } else if let Some(template) = line.strip_prefix("- ") {
                book.templates.entry(statement).or_default().push(template);
            }
        }
        book
    }

    /// Paraphrases a section of a case. `variant` selects among the templates.
    pub(crate) fn section(&self, case: &CorpusCase, section: Section, variant: u64) -> Option<String> {
        let plan = self.plans.iter().find(|plan| plan.section == section)?;
        let mut chance = Chance::named(section.as_str(), case.number * 31 + variant);
        let (least, most) = section.word_range();
        let mut words = 0;
        let mut sentences: Vec<String> = Vec::new();
        for (is_filler, statement) in
            plan.statements.iter().map(|name| (false, name)).chain(plan.fillers.iter().map(|name| (true, name)))
        {
            if is_filler && words >= least {
                break;
            }
            let Some(sentence) = self.sentence(statement, case, &mut chance) else { continue };
            let more = count_words(&sentence);
            if words + more <= most && !sentences.contains(&sentence) {
                words += more;
                sentences.push(sentence);
            }
        }
        (sentences.len() >= SENTENCES_MIN).then(|| sentences.join(" "))
    }

    fn sentence(&self, statement: &str, case: &CorpusCase, chance: &mut Chance) -> Option<String> {
        let filled: Vec<String> =
            self.templates.get(statement)?.iter().filter_map(|template| fill(template, case)).collect();
        chance.pick(&filled).cloned()
    }

    /// All templates.
    #[cfg(test)]
    fn all_templates(&self) -> impl Iterator<Item = &'static str> {
        self.templates.values().flatten().copied()
    }
}

impl SectionPlan {
    fn read(line: &'static str) -> Option<Self> {
        let (section, rest) = line.split_once(": ")?;
        let section = Section::ALL.into_iter().find(|known| known.as_str() == section)?;
        let (statements, fillers) = rest.split_once(" | ").unwrap_or((rest, ""));
        Some(Self {
            section,
            statements: statements.split(' ').collect(),
            fillers: fillers.split_whitespace().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Corpus, case::numbers, template::names};

    #[test]
    fn every_number_of_a_paraphrase_occurs_in_its_case() {
        let corpus = Corpus::build();
        for paraphrase in &corpus.paraphrases {
            let case = &corpus.cases[paraphrase.case];
            let unknown: Vec<_> =
                numbers(&paraphrase.text).into_iter().filter(|number| !case.has_number(number)).collect();
            assert!(unknown.is_empty(), "{unknown:?} in {}", paraphrase.text);
        }
    }

    #[test]
    fn there_are_many_distinct_templates_and_a_plan_for_each_section() {
        let book = Phrasebook::read();
        let distinct: HashSet<_> = book.all_templates().collect();
        assert_eq!(distinct.len(), book.all_templates().count(), "a template occurs twice");
        assert!(distinct.len() >= 120, "{}", distinct.len());
        assert_eq!(book.plans.len(), Section::ALL.len());
    }

    #[test]
    fn every_statement_of_a_plan_is_known_and_every_known_one_is_planned() {
        let book = Phrasebook::read();
        let planned: HashSet<_> =
            book.plans.iter().flat_map(|plan| plan.statements.iter().chain(&plan.fillers)).collect();
        let known: HashSet<_> = book.templates.keys().collect();
        assert_eq!(planned, known);
    }

    #[test]
    fn every_template_can_be_filled_for_some_case() {
        let (book, cases) = (Phrasebook::read(), crate::cases());
        let known: HashSet<&str> = cases.iter().flat_map(CorpusCase::names).collect();
        let unknown: Vec<_> = book.all_templates().flat_map(names).filter(|name| !known.contains(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let is_used = |template: &&str| cases.iter().any(|case| fill(template, case).is_some());
        let unused: Vec<_> = book.all_templates().filter(|template| !is_used(template)).collect();
        assert!(unused.is_empty(), "{unused:#?}");
    }
}
