//! Lies by kind, from `texts/lies.txt`. Each one is a true section with one sentence added or changed.

use std::collections::HashSet;

use countersign_domain::Section;
use serde::Serialize;

use crate::{
    case::CorpusCase,
    chance::Chance,
    compose::{sentences, with_rewritten, with_sentence},
    edit::edit,
    format,
    template::fill,
};

const LIES: &str = include_str!("../texts/lies.txt");
/// The approximate number of lies of each kind, spread evenly over its templates.
const LIES_PER_KIND: usize = 60;
/// The maximum number of lies per template, so that a kind with few templates does not repeat itself.
const LIES_PER_TEMPLATE_MAX: usize = 60;
const LIES_PER_TEMPLATE_MIN: usize = 3;

/// The class of a kind of fault. It decides how many of them may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultClass {
    Figures,
    Polarity,
    Swapped,
    Invented,
    Other,
    /// A fault in the record or in the document's structure, not in its prose.
    Structure,
}

impl FaultClass {
    /// The maximum share of a kind's cases that may be approved, in percent.
    pub const fn approved_percent_max(self) -> f64 {
        match self {
            Self::Figures | Self::Polarity | Self::Swapped | Self::Invented => 0.5,
            Self::Other | Self::Structure => 5.0,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Figures => "figures",
            Self::Polarity => "polarity",
            Self::Swapped => "swapped",
            Self::Invented => "invented",
            Self::Other => "other",
            Self::Structure => "structure",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Figures, Self::Polarity, Self::Swapped, Self::Invented, Self::Other]
            .into_iter()
            .find(|class| class.as_str() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LieKind {
    pub name: &'static str,
    pub about: &'static str,
    pub class: FaultClass,
    recipes: Vec<Recipe>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recipe {
    /// A template of a false sentence.
    Say(&'static str),
    /// Conditions, the words to replace, and their replacement.
    Replace(&'static str, &'static str, &'static str),
    /// The name of an edit in `edit.rs`.
    Edit(&'static str),
}

/// A lie: a section in which one sentence is false.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lie {
    /// The index of its case in the corpus.
    pub case: usize,
    pub section: Section,
    /// The false sentence.
    pub sentence: String,
    /// The whole section.
    pub text: String,
}

/// The kinds in `texts/lies.txt`, in the order of the file.
pub(crate) fn kinds() -> Vec<LieKind> {
    let mut kinds: Vec<LieKind> = Vec::new();
    for line in LIES.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(heading) = line.strip_prefix("== ") {
            let (name, class) = heading.split_once(" | ").unwrap_or((heading, ""));
            let class = FaultClass::named(class).unwrap_or(FaultClass::Other);
            kinds.push(LieKind { name, about: "", class, recipes: Vec::new() });
            continue;
        }
        let Some(kind) = kinds.last_mut() else { continue };
        if let Some(template) = line.strip_prefix("- ") {
            kind.recipes.push(Recipe::Say(template));
        } else if let Some((from, to)) = line.strip_prefix("~ ").and_then(|line| line.split_once(" => ")) {
            let (conditions, from) = from.split_at(from.rfind('}').map_or(0, |at| at + 1));
            kind.recipes.push(Recipe::Replace(conditions, from, to));
        } else if let Some(name) = line.strip_prefix("* ") {
            kind.recipes.push(Recipe::Edit(name));
        } else {
            kind.about = line;
        }
    }
    kinds
}

/// Distinct lies of one kind.
pub(crate) fn lies(kind: &LieKind, cases: &[CorpusCase]) -> Vec<Lie> {
    let share = LIES_PER_KIND.div_ceil(kind.recipes.len().max(1));
    let share = share.clamp(LIES_PER_TEMPLATE_MIN, LIES_PER_TEMPLATE_MAX);
    let mut seen = HashSet::new();
    let mut lies = Vec::new();
    for (number, recipe) in (0_u64..).zip(&kind.recipes) {
        let mut chance = Chance::named(kind.name, number);
        let mut order: Vec<usize> = (0..cases.len()).collect();
        chance.shuffle(&mut order);
        let found = order.iter().filter_map(|at| {
            let lie = lie(*recipe, *at, cases, &mut chance)?;
            seen.insert((lie.case, lie.text.clone())).then_some(lie)
        });
        lies.extend(found.take(share));
    }
    lies
}

fn lie(recipe: Recipe, at: usize, cases: &[CorpusCase], chance: &mut Chance) -> Option<Lie> {
    let case = cases.get(at)?;
    let mut sections = Section::ALL;
    chance.shuffle(&mut sections);
    match recipe {
        Recipe::Say(template) => {
            let sentence = fill(template, case)?;
            let section = *sections.first()?;
            // A sentence that occurs in the true text is not a lie. The conditions of the template should have excluded
            // it.
            if case.texts.iter().any(|text| sentences(text).contains(&sentence.as_str())) {
                return None;
            }
            let text = with_sentence(case, section, &sentence, chance);
            Some(Lie { case: at, section, sentence, text })
        }
        Recipe::Replace(conditions, from, to) => sections.into_iter().find_map(|section| {
            fill(conditions, case)?;
            let parts = sentences(case.text(section));
            let found = parts.iter().position(|sentence| contains_words(sentence, from))?;
            let sentence = format::capitalised(&parts.get(found)?.replacen(from, to, 1));
            let text = with_rewritten(case.text(section), found, &sentence);
            Some(Lie { case: at, section, sentence, text })
        }),
        Recipe::Edit(name) => {
            let other = cases.get((at + 1 + chance.below(cases.len().saturating_sub(2))) % cases.len().max(1))?;
            if other.number == case.number {
                return None;
            }
            sections.into_iter().find_map(|section| {
                let edited = edit(name, case, other, section, chance)?;
                let text = with_rewritten(case.text(section), edited.at, &edited.sentence);
                Some(Lie { case: at, section, sentence: edited.sentence, text })
            })
        }
    }
}

/// Whether a sentence contains the words as whole words.
fn contains_words(sentence: &str, words: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    sentence.find(words).is_some_and(|at| {
        let before = sentence[..at].chars().next_back().is_some_and(is_word);
        let after = sentence[at + words.len()..].chars().next().is_some_and(is_word);
        !before && !after
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::names;

    impl Recipe {
        fn template(self) -> Option<&'static str> {
            if let Self::Say(template) = self { Some(template) } else { None }
        }
    }

    #[test]
    fn every_kind_in_the_list_is_read_completely() {
        let lines = LIES.lines().filter(|line| ["- ", "~ ", "* "].iter().any(|mark| line.starts_with(mark))).count();
        let kinds = kinds();
        assert_eq!(kinds.iter().map(|kind| kind.recipes.len()).sum::<usize>(), lines);
        assert!(kinds.iter().all(|kind| !kind.about.is_empty()), "{kinds:#?}");
        let classes = LIES.lines().filter_map(|line| line.strip_prefix("== ")?.split_once(" | "));
        assert!(classes.clone().all(|(_, class)| FaultClass::named(class).is_some()), "a class is misspelt");
        assert_eq!(classes.count(), kinds.len());
    }

    #[test]
    fn every_name_in_a_template_is_a_fact_or_a_condition_of_some_case() {
        let cases = crate::cases();
        let known: HashSet<&str> = cases.iter().flat_map(CorpusCase::names).collect();
        let templates = kinds().into_iter().flat_map(|kind| kind.recipes).filter_map(Recipe::template);
        let unknown: Vec<_> = templates.flat_map(names).filter(|name| !known.contains(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn every_template_makes_a_lie_for_some_case() {
        let cases = crate::cases();
        let is_used = |template: &&str| cases.iter().any(|case| fill(template, case).is_some());
        let templates = kinds().into_iter().flat_map(|kind| kind.recipes).filter_map(Recipe::template);
        let unused: Vec<_> = templates.filter(|template| !is_used(template)).collect();
        assert!(unused.is_empty(), "{unused:#?}");
    }
}
