//! Splits a text into sentences, and marks the words that a negation applies to.

use super::token::{Class, Token};

/// Longer sentences are split, so that the cost per sentence is bounded.
const TOKENS_MAX: usize = 120;
/// How many content words after a negation it applies to.
const NEGATION_REACH: usize = 3;

/// A range of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TokenRange {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Assigns a sentence number to each token and marks negated tokens. In a record, every field is a sentence.
pub(super) fn split(text: &str, tokens: &mut [Token], record: bool) -> Vec<TokenRange> {
    let mut sentences = Vec::new();
    let mut from = 0;
    for at in 0..tokens.len() {
        let ends = at + 1 == tokens.len()
            || at + 1 - from >= TOKENS_MAX
            // Only a punctuation mark or the end of a line ends a sentence.
            || (tokens[at].class == Class::Mark || tokens[at + 1].opens_line) && ends_sentence(text, tokens, at)
            || record && field_starts(text, tokens, at + 1);
        if ends {
            let sentence = TokenRange { from, to: at + 1 };
            let number = sentences.len() as u32;
            mark_sentence(text, &mut tokens[from..=at], number, record);
            sentences.push(sentence);
            from = at + 1;
        }
    }
    sentences
}

/// The first byte of a punctuation mark; 0 for a word.
fn mark(text: &str, token: &Token) -> u8 {
    if token.class == Class::Mark { token.text(text).as_bytes().first().copied().unwrap_or(0) } else { 0 }
}

/// Whether a sentence ends with the token `at`, which must not be the last.
fn ends_sentence(text: &str, tokens: &[Token], at: usize) -> bool {
    let (this, next) = (&tokens[at], &tokens[at + 1]);
    let here = mark(text, this);
    if next.opens_line {
        let between = &text[this.end as usize..next.start as usize];
        let blank = between.bytes().filter(|&byte| byte == b'\n').count() > 1;
        return blank
            || here == b':'
            || next.upper
            || next.class == Class::Mark
            || next.class == Class::Number
            || is_end_mark(here);
    }
    if here == b'"' || here == b')' {
        return at > 0 && next.spaced && next.upper && is_end_mark(mark(text, &tokens[at - 1]));
    }
    if !is_end_mark(here) || !next.spaced || mark(text, next) == b'.' {
        return false;
    }
    if here != b'.' || next.upper || matches!(next.class, Class::Mark | Class::Number) {
        return !is_abbreviation(text, tokens, at) || this.spaced;
    }
    this.spaced || at > 0 && tokens[at - 1].end - tokens[at - 1].start > 3
}

fn is_end_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b'!' | b'?')
}

fn is_abbreviation(text: &str, tokens: &[Token], at: usize) -> bool {
    const KNOWN: [&str; 14] =
        ["mr", "mrs", "ms", "dr", "st", "jr", "sr", "vs", "no", "inc", "prof", "gen", "sen", "rep"];
    let Some(before) = at.checked_sub(1).map(|before| tokens[before].text(text)) else {
        return false;
    };
    before.len() == 1 && before.starts_with(char::is_alphabetic)
        || KNOWN.iter().any(|known| before.eq_ignore_ascii_case(known))
}

/// Whether a field `"name":` or `'name':` begins here.
fn field_starts(text: &str, tokens: &[Token], at: usize) -> bool {
    let quote = mark(text, &tokens[at]);
    if quote != b'"' && quote != b'\'' {
        return false;
    }
    let close = tokens[at + 1..].iter().take(8).position(|token| mark(text, token) == quote);
    close.is_some_and(|n| n > 0 && tokens.get(at + n + 2).is_some_and(|token| mark(text, token) == b':'))
}

/// Sets the sentence's number, its names and its negated words.
fn mark_sentence(text: &str, tokens: &mut [Token], number: u32, record: bool) {
    let mut reach = 0;
    let mut has_begun = false;
    for token in tokens.iter_mut() {
        token.sentence = number;
        if token.class == Class::Mark {
            if matches!(mark(text, token), b',' | b';' | b':' | b'.' | b'(') {
                reach = 0;
            }
            continue;
        }
        token.name = token.upper
            && token.is_content()
            && token.class != Class::Number
            && (has_begun || token.class == Class::Rare);
        has_begun = true;
        if token.negator {
            reach = NEGATION_REACH;
        } else if reach > 0 && token.is_content() {
            token.negated = true;
            reach -= 1;
        }
    }
    if record && is_negative_field(text, tokens) {
        tokens.iter_mut().for_each(|token| token.negated = true);
    }
}

/// Whether the field's value is negative, such as `false`.
fn is_negative_field(text: &str, tokens: &[Token]) -> bool {
    let Some(colon) = tokens.iter().position(|token| mark(text, token) == b':') else { return false };
    let mut values =
        tokens[colon + 1..].iter().filter(|token| token.class != Class::Mark).map(|token| token.text(text));
    let first = loop {
        match values.next() {
            // The prefix of Python's u'...' strings.
            Some("u") => {}
            other => break other.unwrap_or_default(),
        }
    };
    ["false", "no", "none", "null"].iter().any(|no| first.eq_ignore_ascii_case(no)) && values.next().is_none()
}

/// Whether a context is a record (JSON, or a printed Python object) rather than prose.
pub(super) fn is_record(context: &str) -> bool {
    let start = context.trim_start();
    let fields = |text: &str| text.matches("\":").count() + text.matches("':").count();
    let head = &start[..start.floor_char_boundary(4096)];
    (start.starts_with(['{', '[']) && fields(head) > 0) || fields(head) * 120 > head.len().max(480)
}

#[cfg(test)]
mod tests {
    use super::super::token::read;
    use super::*;

    fn sentences(text: &str, record: bool) -> Vec<String> {
        let mut tokens = read(text, record);
        let found = split(text, &mut tokens, record);
        found.iter().map(|s| text[tokens[s.from].start as usize..tokens[s.to - 1].end as usize].to_owned()).collect()
    }

    #[test]
    fn sentences_end_at_punctuation_and_lines() {
        let text = "Dr. Ann came at 5.30 p.m. today. She left! did she? yes , she did . and so on\n- one\n- two";
        assert_eq!(
            sentences(text, false),
            [
                "Dr. Ann came at 5.30 p.m. today.",
                "She left!",
                "did she?",
                "yes , she did .",
                "and so on",
                "- one",
                "- two"
            ]
        );
    }

    #[test]
    fn fields_of_a_record_are_sentences() {
        let text = r#"{"name": "Blue Door", "OutdoorSeating": false, 'WiFi': u'no', "stars": 4.5}"#;
        assert_eq!(sentences(text, true).len(), 5);
        assert!(is_record(text) && !is_record("He said: \"no\"."));
    }

    #[test]
    fn a_negation_applies_to_a_few_words_and_a_false_field_negates_its_name() {
        let negated = |text: &str, record| {
            let mut tokens = read(text, record);
            split(text, &mut tokens, record);
            tokens.iter().filter(|t| t.negated && t.is_content()).map(|t| t.text(text).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(negated("It does not serve cold beer, only wine", false), ["serve", "cold", "beer"]);
        assert_eq!(negated(r#"{"OutdoorSeating": false, "Music": true}"#, true)[..2], ["Outdoor", "Seating"]);
    }
}
