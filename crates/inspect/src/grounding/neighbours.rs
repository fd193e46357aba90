//! Checks the places in the context where a word's neighbours occur: is there the same word, a word that excludes it,
//! or a different number?
//!
//! Example: "Profits rose in March". If "profits" occurs in the context near "fell" and never near "rose", the word
//! is wrong, even if "rose" occurs elsewhere.

use super::evidence::WordEvidence;
use super::index::Index;
use super::lexicon::LEXICON;
use super::token::{Class, Token};

/// How many places of a neighbour are examined, and how many tokens around each.
const PLACES_MAX: usize = 10;
const REACH: usize = 7;
/// The number of neighbours on each side.
const NEIGHBOURS: usize = 2;

/// What the context contains around the places of a neighbour.
#[derive(Default)]
struct FoundNearby {
    same: bool,
    excluded: bool,
    other_number: bool,
}

/// Sets `opposed_there` and `other_number_there` for the numbers and for the words that have opposites.
pub(super) fn mark(tokens: &[Token], words: &mut [WordEvidence], index: &Index) {
    let anchors: Vec<usize> = (0..tokens.len()).filter(|&at| is_anchor(&tokens[at], &words[at])).collect();
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let has_sides = LEXICON.get(token.entry).is_some_and(|entry| !entry.sides.is_empty());
        if token.class == Class::Mark || !has_sides && token.class != Class::Number {
            continue;
        }
        let mut nearby = FoundNearby::default();
        let after = anchors.partition_point(|&anchor| anchor <= at);
        let before = anchors[..after].iter().rev().filter(|&&anchor| anchor != at).take(NEIGHBOURS);
        for &anchor in before.chain(anchors[after..].iter().take(NEIGHBOURS)) {
            examine_places(token, &tokens[anchor], index, &mut nearby);
        }
        let evidence = &mut words[at];
        evidence.opposed_there = nearby.excluded && !nearby.same;
        evidence.other_number_there = token.class == Class::Number && nearby.other_number && !nearby.same;
    }
}

fn is_anchor(token: &Token, evidence: &WordEvidence) -> bool {
    token.is_content() && token.class != Class::Neutral && evidence.in_context
}

fn examine_places(token: &Token, anchor: &Token, index: &Index, nearby: &mut FoundNearby) {
    let places = index.places(anchor.stem);
    for &(_, place) in &places[..places.len().min(PLACES_MAX)] {
        let place = place as usize;
        let around = &index.tokens[place.saturating_sub(REACH)..(place + REACH + 1).min(index.tokens.len())];
        around.iter().filter(|other| other.class != Class::Mark).for_each(|other| compare(token, other, nearby));
    }
}

fn compare(token: &Token, other: &Token, nearby: &mut FoundNearby) {
    if token.stem == other.stem {
        nearby.same = true;
        return;
    }
    if token.class == Class::Number {
        nearby.other_number |= other.class == Class::Number;
        return;
    }
    if let (Some(one), Some(two)) = (LEXICON.get(token.entry), LEXICON.get(other.entry)) {
        nearby.same |= one.means(two);
        nearby.excluded |= one.excludes(two);
    }
}
