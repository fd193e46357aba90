//! Merges tokens that belong together: spaced-out letters, entries of several words, groups named by an adjective.

use countersign_text::hash::fnv32;

use super::class::Class;
use super::glue::split_into_listed;
use super::lexicon::{Lexicon, lexicon};
use super::read::{LETTERS_MAX, Token};
use crate::learned::joined;

const SPELT_MIN: usize = 3;

/// Merges single letters in a row into the words that they spell.
pub(super) fn join_spelt(tokens: &mut Vec<Token>) {
    if !tokens.windows(SPELT_MIN).any(|some| some.iter().all(|token| token.letter != 0)) {
        return;
    }
    let lexicon = lexicon();
    let mut joined_tokens = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let run = tokens[at..].iter().take_while(|token| token.letter != 0).take(LETTERS_MAX).count();
        if run < SPELT_MIN || !spelt(lexicon, &tokens[at..at + run], &mut joined_tokens) {
            joined_tokens.extend_from_slice(&tokens[at..at + run.max(1)]);
        }
        at += run.max(1);
    }
    *tokens = joined_tokens;
}

/// Adds the words that single letters in a row spell; returns whether they spell any.
fn spelt(lexicon: &Lexicon, run: &[Token], out: &mut Vec<Token>) -> bool {
    let mut letters = [0; LETTERS_MAX];
    for (slot, token) in letters.iter_mut().zip(run) {
        *slot = token.letter;
    }
    let word = &letters[..run.len()];
    let mut parts = [0; LETTERS_MAX];
    let whole = lexicon.get(fnv32::hash(word)).filter(|entry| entry.is_entry && !entry.is_misspelt);
    let count = match whole {
        Some(_) => {
            parts[0] = run.len() as u8;
            1
        }
        None => match split_into_listed(lexicon, word, &mut parts) {
            Some(count) => count,
            None => return false,
        },
    };
    let mut from = 0;
    for &len in &parts[..count] {
        let to = from + usize::from(len);
        let hash = fnv32::hash(&word[from..to]);
        let entry = lexicon.get(hash).unwrap_or_default();
        let (start, end) = (run[from].start, run[to - 1].end);
        out.push(Token { start, end, hash, class: entry.class, longest: entry.longest, letter: 0, ..run[from] });
        from = to;
    }
    true
}

/// Merges the words of a multi-word entry into one token.
pub(super) fn join_entries(tokens: &mut Vec<Token>) {
    let lexicon = lexicon();
    let (mut from, mut to) = (0, 0);
    while from < tokens.len() {
        if tokens[from].longest < 2 {
            // Most words don't start a longer entry.
            if to < from {
                tokens[to] = tokens[from];
            }
            (from, to) = (from + 1, to + 1);
            continue;
        }
        let mut token = tokens[from];
        let mut taken = 1;
        let mut all = token.hash;
        for more in 1..usize::from(token.longest) {
            let Some(next) = tokens.get(from + more).filter(|next| !next.class.is_mark()) else { break };
            all = joined(all, next.hash);
            if let Some(entry) = lexicon.get(all).filter(|entry| entry.is_entry) {
                token.hash = all;
                token.class = entry.class;
                token.end = next.end;
                taken = more + 1;
            }
        }
        tokens[to] = token;
        to += 1;
        from += taken;
    }
    tokens.truncate(to);
}

/// In "gay people" or "a disabled man", gives the word for a person the class of a group.
pub(super) fn name_groups(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let person = matches!(tokens[at].class, Class::Person | Class::Woman | Class::Gender);
        if person && tokens[at - 1].class == Class::IdAdj {
            tokens[at].class = Class::Group;
        }
    }
}
