//! The tagger's view of a text: each word's form and the lists that contain it.

use countersign_text::hash::fnv32;

use super::gazetteer::{self as g, Gazetteer};
use crate::tokenize::{self, Word};

/// The visual form of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum WordForm {
    /// Before the first word of the text, or after the last.
    Outside,
    Mark,
    Lower,
    Title,
    Upper,
    Initial,
    /// Lower-case letters before capitals, as in code; also names such as McKay.
    Camel,
    /// A word of letters in a text that has no usable capitalisation.
    Flat,
    Digit,
    TwoDigits,
    ThreeDigits,
    Year,
    FourDigits,
    FiveDigits,
    ManyDigits,
    /// Digits joined by hyphens.
    Joined,
    /// Digits and letters.
    Mixed,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct WordLook {
    pub(super) form: WordForm,
    pub(super) flags: u32,
    /// The word's hash if the word itself may count as evidence; otherwise a common value.
    pub(super) id: u32,
    /// Whether the tagger must score this word even outside an entity.
    pub(super) candidate: bool,
    /// Part of a web or e-mail address.
    pub(super) blocked: bool,
}

pub(super) const UNKNOWN: u32 = 7;
/// The hash of the pronoun "I".
const LONE_I: u32 = fnv32::extend(fnv32::START, 'i' as u32);
const OUTSIDE: WordLook = WordLook { form: WordForm::Outside, flags: 0, id: 3, candidate: false, blocked: false };

pub(super) struct TaggerInput<'a> {
    pub(super) text: &'a str,
    pub(super) words: &'a [Word],
    pub(super) looks: Vec<WordLook>,
}

impl<'a> TaggerInput<'a> {
    pub(super) fn new(gazetteer: &Gazetteer, text: &'a str, words: &'a [Word]) -> Self {
        let flat = is_flat(words);
        let mut looks: Vec<WordLook> = words.iter().map(|word| look(gazetteer, text, word, flat)).collect();
        block_addresses(text, words, &mut looks);
        pass_over_openers(text, words, &mut looks);
        Self { text, words, looks }
    }

    pub(super) fn look(&self, at: isize) -> WordLook {
        usize::try_from(at).ok().and_then(|at| self.looks.get(at)).copied().unwrap_or(OUTSIDE)
    }

    pub(super) fn word(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", |word| &self.text[word.start..word.end])
    }

    pub(super) fn flags(&self, at: usize) -> u32 {
        self.looks.get(at).map_or(0, |look| look.flags)
    }

    pub(super) fn is_mark(&self, at: usize, mark: &str) -> bool {
        self.words.get(at).is_some_and(|word| word.shape.is_mark) && self.word(at) == mark
    }

    /// The number of line breaks before a word: 0, 1, or 2 for more.
    pub(super) fn breaks(&self, at: usize) -> u32 {
        match self.words.get(at) {
            Some(word) if word.shape.opens_line => {
                let from = at.checked_sub(1).map_or(0, |before| self.words[before].end);
                let between = &self.text.as_bytes()[from..word.start];
                between.iter().take(64).filter(|&&byte| byte == b'\n').count().min(2) as u32
            }
            _ => 0,
        }
    }
}

/// Whether the text's case is uninformative: it has no capitals, or is mostly in all capitals.
fn is_flat(words: &[Word]) -> bool {
    let letters = || words.iter().map(|word| word.shape).filter(|shape| !shape.is_mark && !shape.has_digit);
    let upper = letters().filter(|shape| shape.starts_upper).count();
    upper == 0
        || (letters().count() > 3
            && letters().all(|shape| shape.all_upper || shape.starts_upper && upper > 3)
            && letters().filter(|shape| shape.all_upper).count() * 4 > upper * 3)
}

fn look(gazetteer: &Gazetteer, text: &str, word: &Word, flat: bool) -> WordLook {
    let shape = word.shape;
    if shape.is_mark {
        return WordLook { form: WordForm::Mark, flags: 0, id: word.hash, candidate: false, blocked: false };
    }
    let mut flags = gazetteer.flags(word.hash);
    let form = form(text, word, flat);
    let capital = matches!(form, WordForm::Title | WordForm::Upper | WordForm::Initial | WordForm::Camel);
    if flags == 0 && (capital || form == WordForm::Flat) {
        flags = flags_of_parts(gazetteer, &text[word.start..word.end]);
    }
    let ordinary = flags & g::ORDINARY != 0;
    let known = ordinary || flags & g::CLOSED != 0 || matches!(form, WordForm::Lower);
    // Fractions and numerals of other scripts are not house numbers or years.
    let digits = shape.has_digit && text.as_bytes()[word.start..word.end].iter().any(u8::is_ascii_digit);
    if shape.has_digit && !digits {
        return WordLook { form: WordForm::Mark, flags: 0, id: UNKNOWN, candidate: false, blocked: false };
    }
    let candidate = match form {
        WordForm::Lower => flags & g::NATION != 0 && !ordinary,
        WordForm::Flat if flags == 0 && is_contraction(&text[word.start..word.end]) => false,
        WordForm::Flat => !ordinary || flags & (g::NATION | g::COUNTRY | g::CALENDAR | g::TITLE | g::UNIT) != 0,
        WordForm::Initial => word.hash != LONE_I,
        WordForm::Title | WordForm::Upper => flags != 0 || !is_contraction(&text[word.start..word.end]),
        _ => true,
    };
    let id = if digits && !shape.all_digits || known { word.hash } else { UNKNOWN };
    WordLook { form, flags, id, candidate, blocked: false }
}

fn form(text: &str, word: &Word, flat: bool) -> WordForm {
    let (shape, length) = (word.shape, word.end - word.start);
    if shape.all_digits {
        let bytes = &text.as_bytes()[word.start..word.end];
        return match length {
            1 => WordForm::Digit,
            2 => WordForm::TwoDigits,
            3 => WordForm::ThreeDigits,
            4 if bytes.starts_with(b"19") || bytes.starts_with(b"20") => WordForm::Year,
            4 => WordForm::FourDigits,
            5 => WordForm::FiveDigits,
            _ => WordForm::ManyDigits,
        };
    }
    if shape.has_digit {
        let joined = text.as_bytes()[word.start..word.end].iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
        return if joined { WordForm::Joined } else { WordForm::Mixed };
    }
    match (flat, shape.starts_upper) {
        (true, _) => WordForm::Flat,
        (_, false) => WordForm::Lower,
        _ if shape.all_upper => WordForm::Upper,
        _ if text[word.start..word.end].chars().nth(1).is_none() => WordForm::Initial,
        _ if is_camel(&text[word.start..word.end]) => WordForm::Camel,
        _ => WordForm::Title,
    }
}

fn is_camel(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// The word without a possessive ending.
pub(super) fn stem(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// Contractions such as "I've", "Don’t" and "C'mon" are not names, whatever their case.
fn is_contraction(word: &str) -> bool {
    let Some((start, end)) = word.split_once(['\'', '’']) else { return false };
    let ends = ["m", "ve", "ll", "d", "re", "t", "mon", "all"].iter().any(|ending| end.eq_ignore_ascii_case(ending));
    ends && start.len() < 7
}

/// "Anna's" has the flags of "Anna"; "Mayo-Walters" has the flags of its parts.
fn flags_of_parts(gazetteer: &Gazetteer, word: &str) -> u32 {
    let stem = stem(word);
    if stem.len() < word.len() {
        return gazetteer.flags(tokenize::hash(stem));
    }
    if !word.contains('-') {
        return 0;
    }
    word.split('-').fold(g::HYPHENATED, |flags, part| flags | gazetteer.flags(tokenize::hash(part)) & !g::ORDINARY)
}

/// Skips ordinary words that open a sentence and precede a lower-case word: only their position explains the capital.
/// Most capitals in a text are of this kind.
fn pass_over_openers(text: &str, words: &[Word], looks: &mut [WordLook]) {
    for at in 0..looks.len() {
        if looks[at].flags != g::ORDINARY || looks[at].form != WordForm::Title {
            continue;
        }
        let opens =
            words[at].shape.opens_line || at.checked_sub(1).is_some_and(|before| ends_sentence(text, &words[before]));
        let goes_on = looks.get(at + 1).is_some_and(|next| next.form == WordForm::Lower);
        looks[at].candidate &= !(opens && goes_on);
    }
}

fn ends_sentence(text: &str, word: &Word) -> bool {
    word.shape.is_mark
        && matches!(text.as_bytes()[word.start], b'.' | b'!' | b'?' | b':' | b'"' | b'\'' | b'(' | b'-' | b'*' | b'>')
}

/// Blocks the words of web and e-mail addresses, which other detectors handle: runs without white space that contain an `@`, `://`,
/// `www.` or percent encoding.
fn block_addresses(text: &str, words: &[Word], looks: &mut [WordLook]) {
    let mut from = 0;
    let mut inside = false;
    for at in 0..=words.len() {
        let ends = at == words.len() || words[at].shape.spaced;
        if ends {
            if inside {
                looks[from..at].iter_mut().for_each(|look| look.blocked = true);
            }
            (from, inside) = (at, false);
        }
        let Some(word) = words.get(at) else { break };
        let bytes = text.as_bytes();
        inside |= match bytes[word.start] {
            b'@' => true,
            b':' => bytes[word.start..].starts_with(b"://"),
            // Percent-encoded.
            b'%' => bytes.get(word.start + 1).is_some_and(u8::is_ascii_digit),
            b'w' | b'W' => text[word.start..].get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")),
            _ => false,
        };
    }
}
