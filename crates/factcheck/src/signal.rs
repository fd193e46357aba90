//! Stage 5, surroundings: the signals of a context, and the places where a text names them.

use crate::lex::{Token, TokenKind};
use crate::ordinary_words;

const SIGNALS_MAX: usize = 64;
const WORDS_MAX: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Signals {
    all: Vec<Signal>,
    /// For each first byte: a bit set of the lengths of words that a mention can start with.
    opening: Vec<u64>,
}

#[derive(Debug)]
struct Signal {
    words: Vec<String>,
    snake_case: String,
    /// Single words that also name this signal, if it is one of the detector's. A sender's signal is only found by its
    /// whole name.
    alias: Option<&'static [&'static str]>,
    /// Whether the name consists of ordinary words, such as "Too" or "A".
    is_ordinary: bool,
}

impl Signals {
    /// The index of the signal with this name. Adds the signal if it is new.
    pub(crate) fn add(&mut self, name: &str) -> usize {
        let normalised = crate::fold::normalised(&name.replace('_', " "));
        let is_same = |known: &Signal| known.words.iter().map(String::as_str).eq(normalised.split(' ').take(WORDS_MAX));
        self.all.iter().position(is_same).unwrap_or_else(|| {
            if self.all.len() < SIGNALS_MAX {
                self.push(normalised.split(' ').map(str::to_owned).take(WORDS_MAX).collect());
            }
            self.all.len() - 1
        })
    }

    fn push(&mut self, words: Vec<String>) {
        let alias: Option<&[&str]> = match words.first().map_or("", String::as_str) {
            "velocity" => Some(&["velocity"]),
            "geographic" => Some(&["geographic", "geographical", "geography", "geographically", "travel"]),
            "rule" => Some(&["rule", "rules"]),
            "amount" => Some(&[]),
            _ => None,
        };
        let opening = alias.unwrap_or_default().iter().copied().chain(words.first().map(String::as_str));
        self.opening.resize(256, 0);
        for word in opening {
            self.opening[usize::from(first_byte(word))] |= 1 << (word.len() % 64);
        }
        let is_ordinary = words.iter().all(|word| word.chars().count() == 1 || ordinary_words::contains(word));
        self.all.push(Signal { snake_case: words.join("_"), words, alias, is_ordinary });
    }

    fn may_open(&self, word: &str) -> bool {
        self.opening.get(usize::from(first_byte(word))).is_some_and(|lengths| lengths >> (word.len() % 64) & 1 == 1)
    }

    /// The first token and the signal of each mention, in order.
    pub(crate) fn mentions(&self, tokens: &[Token<'_>]) -> Vec<(usize, usize)> {
        let named = |at: usize, token: &Token<'_>| match token.kind {
            TokenKind::Word if self.may_open(&token.lower) => {
                self.all.iter().position(|signal| signal.is_named(tokens, at))
            }
            TokenKind::SnakeCase => self.all.iter().position(|signal| signal.snake_case == token.lower),
            TokenKind::Signal(place) => Some(place),
            _ => None,
        };
        tokens.iter().enumerate().filter_map(|(at, token)| Some((at, named(at, token)?))).collect()
    }
}

impl Signal {
    /// Whether the text names the signal at this token, by its whole name or by an alias.
    fn is_named(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let same = |(offset, word): (usize, &String)| tokens.get(at + offset).is_some_and(|token| token.is_word(word));
        let is_whole = self.words.iter().enumerate().all(same);
        match self.alias {
            Some(alias) => is_whole || self.words.len() == 2 && alias.contains(&tokens[at].lower.as_ref()),
            None => is_whole && (!self.is_ordinary || is_called(tokens, at, self.words.len())),
        }
    }
}

fn first_byte(word: &str) -> u8 {
    word.bytes().next().unwrap_or(0)
}

/// Whether a name is in quotation marks or next to the word "signal": "signal Too".
fn is_called(tokens: &[Token<'_>], at: usize, words: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_quoted = before.is_some_and(|token| matches!(token.kind, TokenKind::Mark('`' | '"')));
    let is_signal = |token: Option<&Token<'_>>| token.is_some_and(|token| token.is_word("signal"));
    is_quoted || is_signal(before) || is_signal(tokens.get(at + words))
}
