//! What training needs: features of labelled words, the lists, and tagging with weights that are not built in.

use std::ops::Range;

use super::features::{self, History};
use super::gazetteer::{self as g, Gazetteer};
use super::tagger::{self, ENTITY_KINDS, EntityKind, Step, TAGS, Tagger};
use super::tagger_input::{TaggerInput, UNKNOWN};
use crate::tokenize;

pub const CLASSES: usize = TAGS;

/// A labelled range of bytes, and its type as findings name it.
pub type Label = (Range<usize>, &'static str);

/// One word's features and tag.
pub struct Example {
    pub features: Vec<u32>,
    pub tag: usize,
    pub has_digit: bool,
}

pub struct Lists(Gazetteer);

impl Lists {
    pub fn new(ordinary: &[u8]) -> Self {
        Self(Gazetteer::new(ordinary))
    }

    /// The words that tagging would score, with the true tags as their history. `hides` is called for each labelled
    /// word that is in a name list; if it returns true, the name lists are ignored for that word.
    pub fn examples(&self, text: &str, labels: &[Label], mut hides: impl FnMut() -> bool) -> Vec<Example> {
        let mut read = Vec::new();
        tokenize::tokenize(text, &mut read);
        let mut input = TaggerInput::new(&self.0, text, &read);
        let tags = tags(&input, labels);
        for (look, tag) in input.looks.iter_mut().zip(&tags) {
            if *tag != 0 && look.flags & g::NAMES != 0 && hides() {
                look.flags &= !(g::NAMES | g::PLACE_PART);
                if look.flags & (g::CLOSED | g::ORDINARY) == 0 {
                    look.id = UNKNOWN;
                }
            }
        }
        walk(&input, &tags)
    }
}

fn walk(input: &TaggerInput, tags: &[usize]) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut history = History::default();
    let mut at = 0;
    while at < tags.len() {
        match tagger::step(input, at, history) {
            Step::Skip => history = History { before: history.last, ..History::default() },
            Step::Date(to) => {
                history =
                    History { last: tagger::first_tag(EntityKind::Date), before: 0, length: 1, ..History::default() };
                at = to;
                continue;
            }
            Step::Judge => {
                let mut features = Vec::with_capacity(80);
                features::each(input, at, history, |feature| features.push(feature));
                let has_digit = input.words[at].shape.has_digit;
                let tag = tags[at];
                examples.push(Example { features, tag, has_digit });
                history = history.then(input, at, tag);
            }
        }
        at += 1;
    }
    examples
}

fn tags(input: &TaggerInput, labels: &[Label]) -> Vec<usize> {
    let mut tags = vec![0; input.words.len()];
    for (range, r#type) in labels {
        let Some(kind) = ENTITY_KINDS.into_iter().find(|kind| super::span::type_of(*kind) == *r#type) else { continue };
        let mut tag = tagger::first_tag(kind);
        for (word, slot) in input.words.iter().zip(&mut tags) {
            if range.start <= word.start && word.start < range.end {
                *slot = tag;
                tag = tagger::further_tag(kind).unwrap_or(tag);
            }
        }
    }
    tags
}

/// A tagger with the given weights.
pub struct TrialTagger(Tagger);

impl TrialTagger {
    pub fn new(ordinary: &[u8], weights: &'static [u8]) -> Option<Self> {
        Tagger::new(ordinary, weights).map(Self)
    }

    pub fn tag(&self, text: &str) -> Vec<Label> {
        let mut read = Vec::new();
        tokenize::tokenize(text, &mut read);
        super::spans(&self.0, text, &read).into_iter().map(|span| (span.range, span.r#type)).collect()
    }
}

/// The entries of a list by its file name, with spaces restored.
pub fn list(name: &str) -> Vec<String> {
    let found = g::LISTS.iter().find(|(list, ..)| *list == name);
    found.map(|(.., list)| g::entries(list).map(|entry| entry.replace('_', " ")).collect()).unwrap_or_default()
}
