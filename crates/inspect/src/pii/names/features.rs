//! The tagger's features of one word: its form, list memberships and endings, its neighbours, the surrounding lines,
//! and the tags of the preceding words. Training and tagging share `each`, so both see the same features.

use countersign_text::hash::fnv32;

use super::gazetteer as g;
use super::tagger_input::{TaggerInput, UNKNOWN, WordForm, WordLook};
use crate::learned::joined;

/// The tags of the preceding words and the state of the open entity.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct History {
    /// The tag of the previous word.
    pub(super) last: usize,
    /// The tag of the word before that.
    pub(super) before: usize,
    /// The number of words in the open entity.
    pub(super) length: u32,
    /// The number of line breaks in it.
    pub(super) breaks: u32,
    /// Whether it contains a country.
    pub(super) country: bool,
    /// Whether it contains a digit, or a word that introduces one. Not a feature: it lets an address continue after a line break.
    pub(super) numbered: bool,
}

/// Calls `emit` with each feature of the word at `at`.
pub(super) fn each(input: &TaggerInput, at: usize, history: History, mut emit: impl FnMut(u32)) {
    let here = at as isize;
    // b: words before; a: words after.
    let [b3, b2, b1, now, a1, a2, a3] = [-3, -2, -1, 0, 1, 2, 3].map(|step| input.look(here + step));
    let mut put = |template: u32, value: u32| emit(joined(template.wrapping_mul(0x9E37_79B1), value));
    let form = now.form as u32;
    let listed = now.flags & !g::ORDINARY;
    put(1, form);
    put(2, now.id);
    put(3, joined(listed, form));
    for (template, look) in [(10, now), (11, b1), (12, a1), (13, a2), (14, b2)] {
        let mut flags = look.flags;
        while flags != 0 {
            put(template, flags.trailing_zeros());
            flags &= flags - 1;
        }
    }
    for (template, look) in [(20, b1), (21, b2), (22, b3), (23, a1), (24, a2), (25, a3)] {
        put(template, look.id);
        put(template + 10, look.form as u32);
    }
    put(40, joined(b2.id, b1.id));
    put(41, joined(b1.id, form));
    put(42, joined(a1.id, form));
    put(43, joined(b1.id, a1.id));
    put(44, joined(a1.id, a2.id));
    put(45, joined(joined(b1.form as u32, form), a1.form as u32));
    put(46, joined(joined(form, a1.form as u32), a2.form as u32));
    put(47, joined(b1.id, listed));
    put(48, joined(a1.id, listed));
    put(49, joined(joined(b3.id, b2.id), b1.id));
    letters(input, at, now, &mut put);
    layout(input, at, history, [form, a1.form as u32], &mut put);
    let last = history.last as u32;
    put(60, last);
    put(61, joined(last, history.before as u32));
    put(62, joined(last, form));
    put(63, joined(last, now.id));
    put(64, joined(last, listed));
    put(65, joined(last, b1.id));
    put(66, joined(joined(last, form), a1.form as u32));
    put(67, joined(joined(last, b1.form as u32), form));
    if last != 0 {
        put(68, joined(last, history.length.min(6)));
        put(69, joined(last, joined(history.breaks.min(4), u32::from(history.country))));
        put(70, joined(joined(last, u32::from(history.country)), form));
    }
    put(71, joined(ahead(input, at), form));
    put(72, joined(ahead(input, at), last));
}

/// Beginnings and endings of words indicate the language and the kind of name: "-dóttir", "-ville", "-katu".
fn letters(input: &TaggerInput, at: usize, now: WordLook, put: &mut impl FnMut(u32, u32)) {
    if !matches!(now.form, WordForm::Title | WordForm::Upper | WordForm::Camel | WordForm::Flat) {
        return;
    }
    let word = input.word(at);
    let word = word.strip_suffix("'s").unwrap_or(word);
    let mut hash = fnv32::START;
    for (count, letter) in word.chars().rev().take(5).enumerate() {
        hash = joined(hash, lower(letter));
        if count > 0 {
            put(80 + count as u32, hash);
        }
    }
    let mut hash = fnv32::START;
    for (count, letter) in word.chars().take(3).enumerate() {
        hash = joined(hash, lower(letter));
        if count > 0 {
            put(90 + count as u32, hash);
        }
    }
    put(93, word.len().min(12) as u32);
    put(94, u32::from(word.is_ascii()));
    if now.id == UNKNOWN && now.flags == 0 {
        put(95, input.look(at as isize - 1).id);
    }
}

fn lower(letter: char) -> u32 {
    if letter.is_ascii() {
        letter.to_ascii_lowercase() as u32
    } else {
        letter.to_lowercase().next().unwrap_or(letter) as u32
    }
}

fn layout(input: &TaggerInput, at: usize, history: History, forms: [u32; 2], put: &mut impl FnMut(u32, u32)) {
    let breaks = input.breaks(at);
    let after = input.breaks(at + 1);
    let spaced = u32::from(input.words.get(at).is_some_and(|word| word.shape.spaced));
    let ends = u32::from(at + 1 == input.words.len());
    put(50, joined(breaks, u32::from(at == 0)));
    put(51, joined(after, ends));
    put(52, joined(breaks, history.last as u32));
    put(53, joined(joined(breaks, forms[0]), forms[1]));
    put(54, joined(spaced, forms[0]));
    put(55, joined(joined(breaks, after), forms[0]));
}

/// Which of these follow within six words, up to the first ordinary lower-case word: the text's end, a short number, five digits, a
/// word for a street, a word for a flat, a country.
fn ahead(input: &TaggerInput, at: usize) -> u32 {
    let mut seen = 0;
    for step in 1..=6 {
        let look = input.look((at + step) as isize);
        seen |= match look.form {
            WordForm::Outside => 1,
            WordForm::Lower if look.flags & (g::PARTICLE | g::STREET) == 0 => break,
            WordForm::Digit | WordForm::TwoDigits | WordForm::ThreeDigits | WordForm::Year | WordForm::FourDigits => 2,
            WordForm::FiveDigits => 4,
            _ => 0,
        };
        if look.flags & g::STREET != 0 && look.flags & g::ORDINARY == 0 {
            seen |= 8;
        }
        if look.flags & g::UNIT != 0 {
            seen |= 16;
        }
        if look.flags & g::COUNTRY != 0 {
            seen |= 32;
        }
    }
    seen
}
