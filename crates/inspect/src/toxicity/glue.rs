//! Reads disguised words: signs for letters, repeated letters, words written together.

use countersign_text::hash::fnv32;

use super::class::Class;
use super::fold::letter_for_sign;
use super::lexicon::Lexicon;
use super::read::LETTERS_MAX;

const LISTED_LETTERS_MAX: usize = 16;

/// Replaces signs with letters and shortens runs of three or more equal letters (for asterisks: any run) to `runs`.
pub(super) fn squeeze(word: &[u8], one: u8, runs: usize, out: &mut [u8; LETTERS_MAX]) -> usize {
    let mut n = 0;
    let mut at = 0;
    while at < word.len() {
        let letter = letter_for_sign(word[at], one);
        let run = word[at..].iter().take_while(|&&next| letter_for_sign(next, one) == letter).count();
        let kept = if letter == b'*' {
            1
        } else if run > 2 {
            runs
        } else {
            run
        };
        for slot in out.iter_mut().skip(n).take(kept) {
            *slot = letter;
            n += 1;
        }
        at += run;
    }
    n
}

/// Splits letters into as few listed words as possible; at least one of them must carry weight. Returns their number and
/// puts their lengths into `parts`.
pub(super) fn split_into_listed(lexicon: &Lexicon, letters: &[u8], parts: &mut [u8; LETTERS_MAX]) -> Option<usize> {
    const NONE: u8 = u8::MAX;
    let n = letters.len();
    // For each position: the number of words so far, the length of the last one, and whether any of them carries
    // weight.
    let mut ways = [(NONE, 0_u8, false); LETTERS_MAX + 1];
    ways[0] = (0, 0, false);
    let mut reached = 0;
    for from in 0..n {
        // Most words don't start with a listed word.
        if from > reached {
            return None;
        }
        let (count, _, weighty) = ways[from];
        if count == NONE {
            continue;
        }
        let mut hash = fnv32::START;
        for to in from + 1..=n.min(from + LISTED_LETTERS_MAX) {
            hash = fnv32::extend(hash, u32::from(letters[to - 1]));
            if !lexicon.starts(hash) {
                break;
            }
            let len = to - from;
            let Some(entry) = lexicon.get(hash).filter(|entry| entry.is_entry && !entry.is_misspelt) else { continue };
            let short = matches!(entry.class, Class::I | Class::We | Class::Be | Class::To | Class::Me);
            if entry.class == Class::Plain || (len < 3 && !short) || (len == 1 && letters[from] != b'i') {
                continue;
            }
            let weighty = weighty || (len > 3 && entry.class.is_sought_in_glued_words());
            if count + 1 < ways[to].0 || (count + 1 == ways[to].0 && weighty) {
                ways[to] = (count + 1, len as u8, weighty);
                reached = reached.max(to);
            }
        }
    }
    let (count, _, weighty) = ways[n];
    if count == NONE || count < 2 || !weighty {
        return None;
    }
    let mut end = n;
    for at in (0..usize::from(count)).rev() {
        parts[at] = ways[end].1;
        end -= usize::from(ways[end].1);
    }
    Some(usize::from(count))
}
