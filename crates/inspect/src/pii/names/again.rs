//! A person named once in full is meant again by one of those names: "Faina Orlova … early Orlova".

use super::gazetteer as g;
use super::reading::{Form, Reading};
use super::tagger::{Entity, Found};

/// Enough for any letter; keeps long texts linear.
const NAMES_MAX: usize = 64;
const SCORE: f64 = 0.7;

/// Adds the words that were passed over although they repeat a part of a person's name.
pub(super) fn add(reading: &Reading, entities: &mut Vec<Entity>) {
    let mut names: Vec<u32> = Vec::new();
    for entity in entities.iter().filter(|entity| entity.found == Found::Person && entity.score >= 0.8) {
        let named = (entity.from..entity.to).filter(|&at| is_name(reading, at)).map(|at| reading.words[at].hash);
        names.extend(named.filter(|hash| !names.contains(hash)).take(NAMES_MAX.saturating_sub(names.len())).collect::<Vec<_>>());
    }
    if names.is_empty() {
        return;
    }
    let mut tagged = entities.iter().map(|entity| (entity.from, entity.to)).peekable();
    let mut repeated = Vec::new();
    for at in 0..reading.words.len() {
        while tagged.next_if(|(_, to)| *to <= at).is_some() {}
        let free = tagged.peek().is_none_or(|(from, _)| *from > at);
        if free && is_name(reading, at) && !reading.looks[at].blocked && names.contains(&reading.words[at].hash) {
            repeated.push(Entity { from: at, to: at + 1, found: Found::Person, score: SCORE });
        }
    }
    entities.extend(repeated);
    entities.sort_by_key(|entity| entity.from);
}

fn is_name(reading: &Reading, at: usize) -> bool {
    let look = reading.looks[at];
    matches!(look.form, Form::Title | Form::Flat) && look.flags & (g::ORDINARY | g::PARTICLE) == 0 && reading.word(at).len() > 2
}
