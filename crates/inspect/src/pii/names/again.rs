//! Finds later mentions of a person by a single name: after "Faina Orlova", "Orlova" alone means the same person.

use super::gazetteer as g;
use super::tagger::{Entity, EntityKind};
use super::tagger_input::{TaggerInput, WordForm, stem};
use crate::tokenize;

/// Enough for the people in any ordinary text; the bound keeps the work on long texts linear.
const NAMES_MAX: usize = 64;
/// The minimum score of a name whose later mentions are added, and the score of such a mention.
const NAME_SCORE_MIN: f64 = 0.8;
const MENTION_SCORE: f64 = 0.7;

/// Adds words that repeat part of a person's name but were skipped, or tagged as a place or an organisation.
pub(super) fn add(input: &TaggerInput, entities: &mut Vec<Entity>) {
    let mut names: Vec<u32> = Vec::new();
    for entity in entities.iter().filter(|entity| entity.kind == EntityKind::Person && entity.score >= NAME_SCORE_MIN) {
        for hash in (entity.from..entity.to).filter_map(|at| name(input, at)) {
            if names.len() < NAMES_MAX && !names.contains(&hash) {
                names.push(hash);
            }
        }
    }
    if names.is_empty() {
        return;
    }
    let repeats = |at: usize| name(input, at).is_some_and(|hash| names.contains(&hash));
    for entity in entities.iter_mut().filter(|entity| entity.to == entity.from + 1) {
        if matches!(entity.kind, EntityKind::Location | EntityKind::Organisation) && repeats(entity.from) {
            entity.kind = EntityKind::Person;
        }
    }
    let mut tagged = entities.iter().map(|entity| (entity.from, entity.to)).peekable();
    let mut repeated = Vec::new();
    for at in 0..input.words.len() {
        while tagged.next_if(|(_, to)| *to <= at).is_some() {}
        let free = tagged.peek().is_none_or(|(from, _)| *from > at);
        if free && !input.looks[at].blocked && repeats(at) {
            repeated.push(Entity { from: at, to: at + 1, kind: EntityKind::Person, score: MENTION_SCORE });
        }
    }
    entities.extend(repeated);
    entities.sort_by_key(|entity| entity.from);
}

/// The hash of a word whose form allows it to be a name.
fn name(input: &TaggerInput, at: usize) -> Option<u32> {
    let look = input.looks[at];
    let fits = matches!(look.form, WordForm::Title | WordForm::Camel | WordForm::Flat)
        && look.flags & (g::ORDINARY | g::PARTICLE) == 0;
    let word = if fits { input.word(at) } else { "" };
    let stem = stem(word);
    let hash = if stem.len() < word.len() { tokenize::hash(stem) } else { input.words[at].hash };
    (stem.len() > 2).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::names::gazetteer::Gazetteer;

    /// The text begins with `Faina Orlova`, the only person known so far.
    fn check(rest: &str, expected: &[&str]) {
        let text = format!("Faina Orlova {rest}");
        let mut read = Vec::new();
        tokenize::tokenize(&text, &mut read);
        let gazetteer = Gazetteer::new(&[]);
        let input = TaggerInput::new(&gazetteer, &text, &read);
        let mut entities = vec![Entity { from: 0, to: 2, kind: EntityKind::Person, score: 0.9 }];
        add(&input, &mut entities);
        let found: Vec<&str> = entities.iter().skip(1).map(|entity| input.word(entity.from)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_later_mention_needs_only_one_name() {
        check("sang. Early Orlova?", &["Orlova"]);
        check("and Orlova's cat met Faina", &["Orlova's", "Faina"]);
        check("wrote Orlova@firm.org and Orlov", &[]);
    }
}
