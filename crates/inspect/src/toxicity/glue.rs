//! Words written to hide: signs for letters, letters drawn out, words written together.

use countersign_text::hash::fnv32;

use super::class::Class;
use super::fold::stood_for;
use super::lexicon::Lexicon;
use super::read::LETTERS_MAX;

const LISTED_LETTERS_MAX: usize = 16;

/// Reads signs as letters and cuts runs of three or more equal letters (of stars: any run) down to `runs`.
pub(super) fn squeeze(word: &[u8], one: u8, runs: usize, out: &mut [u8; LETTERS_MAX]) -> usize {
    let mut n = 0;
    let mut at = 0;
    while at < word.len() {
        let letter = stood_for(word[at], one);
        let run = word[at..].iter().take_while(|&&next| stood_for(next, one) == letter).count();
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

/// The lengths of the listed words that these letters are made of, as few as can be, one of them at least of weight.
pub(super) fn parted(lexicon: &Lexicon, letters: &[u8], parts: &mut [u8; LETTERS_MAX]) -> Option<usize> {
    const NONE: u8 = u8::MAX;
    let n = letters.len();
    // Per place: words so far, the length of the last one, whether one had weight.
    let mut ways = [(NONE, 0_u8, false); LETTERS_MAX + 1];
    ways[0] = (0, 0, false);
    let mut reached = 0;
    for from in 0..n {
        // Most words start with no listed one.
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
            let Some(entry) = lexicon.get(hash).filter(|entry| entry.whole && !entry.bent) else { continue };
            let short = matches!(entry.class, Class::I | Class::We | Class::Be | Class::To | Class::Me);
            if entry.class == Class::Plain || (len < 3 && !short) || (len == 1 && letters[from] != b'i') {
                continue;
            }
            let weighty = weighty || (len > 3 && entry.class.is_hidden());
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
