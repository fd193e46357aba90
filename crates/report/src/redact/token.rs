//! Splits a text into words and numbers for redaction. A change from lower to upper case starts a new word. Words are looked up
//! without accents.
//!
//! The folding of accents differs from that in `inspect`: it spells out letters as European languages do (`ß` as `ss`,
//! `æ` as `ae`), because the word lists in this folder are written that way.

use countersign_inspect::{WordLists, word_lists};
use countersign_text::letters::plain_letter;

use super::lexicon::{self, OwnLists};

/// A word or a number.
#[derive(Debug, Clone)]
pub(super) struct TextToken {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The word in lower case without accents.
    pub(super) plain: String,
    pub(super) shape: TokenShape,
    /// What the inspectors' lists say. `ordinary` also covers this crate's words and simple inflections.
    pub(super) lists: WordLists,
    /// What this crate's own lists say.
    pub(super) own_lists: OwnLists,
    /// Whether an apostrophe and an `s` follow.
    pub(super) is_possessive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenShape {
    /// One letter.
    Letter,
    Capitalised,
    UpperCase,
    LowerCase,
    Number,
    /// Letters and digits.
    Mixed,
}

impl TextToken {
    pub(super) fn is_word(&self) -> bool {
        !matches!(self.shape, TokenShape::Number | TokenShape::Mixed)
    }

    pub(super) fn is_capitalised(&self) -> bool {
        matches!(self.shape, TokenShape::Capitalised | TokenShape::UpperCase)
    }

    pub(super) fn digits(&self) -> usize {
        self.plain.bytes().filter(u8::is_ascii_digit).count()
    }

    pub(super) fn number(&self) -> Option<u32> {
        if self.shape == TokenShape::Number { self.plain.parse().ok() } else { None }
    }

    /// Whether it is on a list of names.
    pub(super) fn is_name(&self) -> bool {
        self.lists.first_name || self.lists.last_name
    }

    /// Whether it is on a list of words that are not names.
    pub(super) fn is_known(&self) -> bool {
        let lists = self.lists;
        // "SEO" is an abbreviation, and "Seo" is a name.
        let is_thing =
            lists.thing && (self.own_lists.is_ordinary || self.plain.len() > 3 || self.shape == TokenShape::UpperCase);
        let is_listed = lists.ordinary || lists.place || is_thing || lists.organisation || lists.title;
        is_listed || self.own_lists.is_shop
    }

    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.plain.as_str())
    }
}

pub(super) fn tokens(text: &str) -> Vec<TextToken> {
    let mut tokens: Vec<TextToken> = Vec::new();
    let mut at = 0;
    while let Some(skipped) = text[at..].find(char::is_alphanumeric) {
        let start = at + skipped;
        let end = text[start..].find(|letter: char| !letter.is_alphanumeric()).map_or(text.len(), |len| start + len);
        let is_s = matches!(&text[start..end], "s" | "S") && ends_in_apostrophe(&text[at..start]);
        match tokens.last_mut() {
            Some(last) if is_s && last.end == at => last.is_possessive = true,
            _ => split(text, start, end, &mut tokens),
        }
        at = end;
    }
    tokens
}

fn ends_in_apostrophe(gap: &str) -> bool {
    matches!(gap, "'" | "’" | "`")
}

/// Splits `MariaGonzalez` into two words, but not `mArIa`, which is a disguised word.
fn split(text: &str, start: usize, end: usize, tokens: &mut Vec<TextToken>) {
    const PART_MIN: usize = 3;
    let run = &text[start..end];
    let mut cuts = Vec::new();
    if run.chars().all(char::is_alphabetic) {
        let (mut before_is_lower_case, mut from) = (false, 0);
        for (at, letter) in run.char_indices() {
            if before_is_lower_case && letter.is_uppercase() && !matches!(&run[from..at], "Mc" | "Mac") {
                cuts.push(start + at);
                from = at;
            }
            before_is_lower_case = letter.is_lowercase();
        }
    }
    let bounds = || std::iter::once(start).chain(cuts.iter().copied()).chain([end]);
    let has_short_part = bounds().zip(bounds().skip(1)).any(|(from, to)| to - from < PART_MIN);
    if !cuts.is_empty() && (has_short_part || lexicon::is_brand(&plain(run))) {
        cuts.clear();
    }
    let mut from = start;
    for cut in cuts.into_iter().chain([end]) {
        tokens.push(token(text, from, cut));
        from = cut;
    }
}

fn token(text: &str, start: usize, end: usize) -> TextToken {
    let word = &text[start..end];
    let mut plain = String::with_capacity(word.len());
    let (mut letters, mut digits, mut capitals) = (0, 0, 0);
    for letter in word.chars() {
        letters += usize::from(letter.is_alphabetic());
        digits += usize::from(letter.is_numeric());
        capitals += usize::from(letter.is_uppercase());
        push_base(letter, &mut plain);
    }
    let starts_upper = word.chars().next().is_some_and(char::is_uppercase);
    let shape = match (letters, digits) {
        (0, _) => TokenShape::Number,
        (_, 1..) => TokenShape::Mixed,
        (1, _) => TokenShape::Letter,
        _ if capitals == letters => TokenShape::UpperCase,
        _ if starts_upper => TokenShape::Capitalised,
        _ => TokenShape::LowerCase,
    };
    let mut lists = if digits == 0 { word_lists(word) } else { WordLists::default() };
    if digits == 0 && !word.is_ascii() {
        let without_accents = word_lists(&plain);
        lists.first_name |= without_accents.first_name;
        lists.last_name |= without_accents.last_name;
        lists.place |= without_accents.place;
        lists.organisation |= without_accents.organisation;
    }
    let own_lists = if digits == 0 { lexicon::own_lists(&plain) } else { OwnLists::default() };
    lists.ordinary |= own_lists.is_ordinary;
    if letters > 0 && digits == 0 && !lists.ordinary && !lists.first_name && !lists.last_name {
        lists.ordinary = has_ordinary_stem(&plain) || is_compound(&plain);
    }
    TextToken { start, end, plain, shape, lists, own_lists, is_possessive: false }
}

/// Whether a word is an inflected form of a listed English word: `payments`, `cancelling`, `flagged`.
fn has_ordinary_stem(word: &str) -> bool {
    const STEM_MIN: usize = 3;
    let is_ordinary = |stem: &str| {
        let lists = word_lists(stem);
        stem.len() >= STEM_MIN && lists.ordinary && !lists.first_name && !lists.last_name
    };
    let stem_of = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= STEM_MIN);
    if ["s", "es"].iter().filter_map(|ending| stem_of(ending)).any(is_ordinary) {
        return true;
    }
    if stem_of("ies").is_some_and(|stem| is_ordinary(&format!("{stem}y"))) {
        return true;
    }
    let endings = ["ed", "d", "ing", "ly", "able", "ness", "ment", "er", "ers"];
    endings.iter().filter_map(|ending| stem_of(ending)).any(|stem| {
        let doubled = stem.get(..stem.len() - 1).filter(|short| short.as_bytes().last() == stem.as_bytes().last());
        stem.len() > STEM_MIN
            && (is_ordinary(stem) || is_ordinary(&format!("{stem}e")) || doubled.is_some_and(is_ordinary))
    })
}

/// Whether a word is a German or Dutch compound of two listed words: `Stromrechnung`. The second word must be long,
/// because names often end in short words.
fn is_compound(word: &str) -> bool {
    const FIRST_MIN: usize = 4;
    const SECOND_MIN: usize = 6;
    let is_listed = |part: &str| {
        let listed = lexicon::own_lists(part);
        listed.is_ordinary && !listed.is_first_name && !listed.is_last_name
    };
    let is_split = |at: usize| {
        let Some((first, second)) = word.split_at_checked(at) else { return false };
        is_listed(second)
            && (is_listed(first)
                || first.strip_suffix('s').is_some_and(|first| first.len() >= FIRST_MIN && is_listed(first)))
    };
    word.len() >= FIRST_MIN + SECOND_MIN && (FIRST_MIN..=word.len() - SECOND_MIN).any(is_split)
}

/// The text in lower case without accents.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    text.chars().for_each(|letter| push_base(letter, &mut plain));
    plain
}

fn push_base(letter: char, plain: &mut String) {
    if letter.is_ascii() {
        plain.push(letter.to_ascii_lowercase());
        return;
    }
    for letter in letter.to_lowercase() {
        match letter {
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            '\u{307}' => {}
            other => plain.push(plain_letter(other).unwrap_or(other).to_ascii_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_separated_and_words_split_at_upper_case() {
        let text = "MariaGonzález, McDonald, Wendy's 12b 1985 J. MÜLLER straße";
        let found: Vec<_> = tokens(text).into_iter().map(|token| (token.plain, token.shape)).collect();
        let expected = [
            ("maria", TokenShape::Capitalised),
            ("gonzalez", TokenShape::Capitalised),
            ("mcdonald", TokenShape::Capitalised),
            ("wendy", TokenShape::Capitalised),
            ("12b", TokenShape::Mixed),
            ("1985", TokenShape::Number),
            ("j", TokenShape::Letter),
            ("muller", TokenShape::UpperCase),
            ("strasse", TokenShape::LowerCase),
        ];
        assert_eq!(found, expected.map(|(plain, shape)| (plain.to_owned(), shape)));
    }
}
