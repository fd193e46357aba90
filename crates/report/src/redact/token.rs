//! A text as words and numbers, the way redaction looks at it: words end at a change from small to capital letters, and each
//! is known by its letters without accents.

use countersign_inspect::{WordLists, word_lists};

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    /// In small letters without accents.
    pub(super) plain: String,
    pub(super) shape: Shape,
    pub(super) lists: WordLists,
    /// An apostrophe and an `s` follow.
    pub(super) is_possessive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One letter.
    Letter,
    Capitalised,
    Capitals,
    Small,
    Number,
    /// Letters and digits.
    Mixed,
}

impl Token {
    pub(super) fn is_word(&self) -> bool {
        !matches!(self.shape, Shape::Number | Shape::Mixed)
    }

    pub(super) fn is_capitalised(&self) -> bool {
        matches!(self.shape, Shape::Capitalised | Shape::Capitals)
    }

    pub(super) fn digits(&self) -> usize {
        self.plain.bytes().filter(u8::is_ascii_digit).count()
    }

    pub(super) fn number(&self) -> Option<u32> {
        if self.shape == Shape::Number { self.plain.parse().ok() } else { None }
    }

    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        words.contains(&self.plain.as_str())
    }
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
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

/// `MariaGonzalez` is two words.
fn split(text: &str, start: usize, end: usize, tokens: &mut Vec<Token>) {
    let run = &text[start..end];
    let mut from = start;
    if run.chars().all(char::is_alphabetic) {
        let mut before_is_small = false;
        for (at, letter) in run.char_indices() {
            let is_prefix = matches!(&run[from - start..at], "Mc" | "Mac");
            if before_is_small && letter.is_uppercase() && !is_prefix {
                tokens.push(token(text, from, start + at));
                from = start + at;
            }
            before_is_small = letter.is_lowercase();
        }
    }
    tokens.push(token(text, from, end));
}

fn token(text: &str, start: usize, end: usize) -> Token {
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
        (0, _) => Shape::Number,
        (_, 1..) => Shape::Mixed,
        (1, _) => Shape::Letter,
        _ if capitals == letters => Shape::Capitals,
        _ if starts_upper => Shape::Capitalised,
        _ => Shape::Small,
    };
    let mut lists = if digits == 0 { word_lists(word) } else { WordLists::default() };
    if digits == 0 && !word.is_ascii() {
        let without_accents = word_lists(&plain);
        lists.first_name |= without_accents.first_name;
        lists.last_name |= without_accents.last_name;
        lists.place |= without_accents.place;
        lists.organisation |= without_accents.organisation;
    }
    Token { start, end, plain, shape, lists, is_possessive: false }
}

fn push_base(letter: char, plain: &mut String) {
    if letter.is_ascii() {
        plain.push(letter.to_ascii_lowercase());
        return;
    }
    for letter in letter.to_lowercase() {
        match letter {
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => plain.push('c'),
            'ď' | 'đ' | 'ð' => plain.push('d'),
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => plain.push('e'),
            'ğ' | 'ĝ' | 'ġ' | 'ģ' => plain.push('g'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => plain.push('i'),
            'ķ' => plain.push('k'),
            'ł' | 'ľ' | 'ĺ' | 'ļ' => plain.push('l'),
            'ñ' | 'ń' | 'ň' | 'ņ' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => plain.push('o'),
            'ř' | 'ŕ' => plain.push('r'),
            'ś' | 'š' | 'ş' | 'ș' | 'ŝ' => plain.push('s'),
            'ť' | 'ţ' | 'ț' => plain.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ź' | 'ż' | 'ž' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'þ' => plain.push_str("th"),
            '\u{307}' => {}
            other => plain.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_numbers_and_split_at_capitals() {
        let text = "MariaGonzález, McDonald, Wendy's 12b 1985 J. MÜLLER straße";
        let found: Vec<_> = tokens(text).into_iter().map(|token| (token.plain, token.shape)).collect();
        let expected = [
            ("maria", Shape::Capitalised),
            ("gonzalez", Shape::Capitalised),
            ("mcdonald", Shape::Capitalised),
            ("wendy", Shape::Capitalised),
            ("12b", Shape::Mixed),
            ("1985", Shape::Number),
            ("j", Shape::Letter),
            ("muller", Shape::Capitals),
            ("strasse", Shape::Small),
        ];
        assert_eq!(found, expected.map(|(plain, shape)| (plain.to_owned(), shape)));
    }
}
