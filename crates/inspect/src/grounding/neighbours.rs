//! Checks the places in the context where a word's neighbours occur: is there the same word, a word that excludes it,
//! or a different number?
//!
//! Example: "Profits rose in March". If "profits" occurs in the context beside "fell" and never beside "rose", the word
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

#[derive(Default)]
struct There {
    same: bool,
    excluded: bool,
    other_number: bool,
}

pub(super) fn mark(tokens: &[Token], seen: &mut [WordEvidence], index: &Index) {
    let anchors: Vec<usize> = (0..tokens.len()).filter(|&at| is_anchor(&tokens[at], &seen[at])).collect();
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let has_sides = LEXICON.get(token.entry).is_some_and(|entry| !entry.sides.is_empty());
        if token.class == Class::Mark || !has_sides && token.class != Class::Number {
            continue;
        }
        let mut there = There::default();
        let after = anchors.partition_point(|&anchor| anchor <= at);
        let before = anchors[..after].iter().rev().filter(|&&anchor| anchor != at).take(NEIGHBOURS);
        for &anchor in before.chain(anchors[after..].iter().take(NEIGHBOURS)) {
            look(token, &tokens[anchor], index, &mut there);
        }
        let of = &mut seen[at];
        of.opposed_there = there.excluded && !there.same;
        of.number_there = token.class == Class::Number && there.other_number && !there.same;
    }
}

fn is_anchor(token: &Token, seen: &WordEvidence) -> bool {
    token.is_content() && token.class != Class::Neutral && seen.in_context
}

fn look(token: &Token, anchor: &Token, index: &Index, there: &mut There) {
    let places = index.places(anchor.stem);
    for &(_, place) in &places[..places.len().min(PLACES_MAX)] {
        let place = place as usize;
        let around = &index.tokens[place.saturating_sub(REACH)..(place + REACH + 1).min(index.tokens.len())];
        around.iter().filter(|other| other.class != Class::Mark).for_each(|other| compare(token, other, there));
    }
}

fn compare(token: &Token, other: &Token, there: &mut There) {
    if token.stem == other.stem {
        there.same = true;
        return;
    }
    if token.class == Class::Number {
        there.other_number |= other.class == Class::Number;
        return;
    }
    if let (Some(one), Some(two)) = (LEXICON.get(token.entry), LEXICON.get(other.entry)) {
        there.same |= one.means(two);
        there.excluded |= one.excludes(two);
    }
}
