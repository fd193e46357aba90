//! Stage 4, figures: numbers in digits and in words, amounts of money, and multiples.

use countersign_text::numbers::{self, NumberWord, Quantity, number_word};
use rust_decimal::Decimal;

use super::{FigureReader, FigureValue, Unit};
use crate::currency;
use crate::lex::{Token, TokenKind};

impl FigureReader<'_> {
    /// Reads a number in digits or words. Returns it with the index of the token after it. The inner `None` is a number
    /// that can't be read.
    pub(super) fn quantity(&self, at: usize) -> Option<(Option<Quantity>, usize)> {
        match self.tokens.get(at)?.kind {
            TokenKind::Number(number) => Some(self.spaced(at, number)),
            TokenKind::Word => self.in_words(at),
            _ => None,
        }
    }

    /// Reads a number whose groups of three digits are separated by spaces: `1 250.00`.
    fn spaced(&self, at: usize, first: Quantity) -> (Option<Quantity>, usize) {
        let text = |at: usize| self.tokens.get(at).map_or("", |token| token.text);
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let mut end = at + 1;
        let goes_on = matches!(self.tokens.get(end), Some(Token { kind: TokenKind::Number(_), .. }));
        if !goes_on || text(at).len() > 3 || !is_digits(text(at)) {
            return (Some(first), end);
        }
        let mut written = text(at).to_owned();
        while let Some(token) = self.tokens.get(end).filter(|token| matches!(token.kind, TokenKind::Number(_))) {
            let group = text(end);
            let whole = group.split(['.', ',']).next().unwrap_or("");
            if token.start != self.tokens[end - 1].end + 1 || whole.len() != 3 || !is_digits(whole) {
                break;
            }
            written.push_str(&group.replace(',', "."));
            end += 1;
            if group.len() > 3 {
                break;
            }
        }
        (numbers::in_digits(&written), end)
    }

    /// Reads a number in words: "twelve hundred and fifty", "a dozen", "twenty-one".
    pub(super) fn in_words(&self, at: usize) -> Option<(Option<Quantity>, usize)> {
        let mut parts: Vec<NumberWord> = Vec::new();
        let mut end = at;
        let is_article = ["a", "an"].contains(&self.word(at));
        if self.word(at) == "half" && self.word(at + 1) == "a" && self.word(at + 2) == "dozen" {
            return Some((Some(Quantity::whole(6)), at + 3));
        }
        if is_article {
            let next = number_word(self.word(at + 1))?;
            if matches!(next, NumberWord::Unit(_) | NumberWord::Ten(_))
                || numbers::scale(self.word(at + 1)) == Some(1_000) && self.word(at + 1) == "k"
            {
                return None;
            }
            end += 1;
        }
        while let Some(part) = number_word(self.word(end)).filter(|_| self.word(end).len() > 2) {
            parts.push(part);
            end += 1;
            let joined = self.is_mark(end, '-') && self.tokens[end].is_glued;
            let and = self.word(end) == "and" && matches!(part, NumberWord::Hundred | NumberWord::Scale(_));
            if (joined || and) && number_word(self.word(end + 1)).is_some() {
                end += 1;
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some((numbers::in_words(&parts).map(Quantity::whole), end))
    }

    /// Multiplies a number by the "thousand", "million" or "k" after it, if there is one.
    pub(super) fn scaled(&self, quantity: Option<Quantity>, end: usize, is_money: bool) -> (Option<Quantity>, usize) {
        let word = self.word(end);
        let factor = match word {
            "m" if is_money => Some(1_000_000),
            "hundred" => Some(100),
            "dozen" => Some(12),
            _ => numbers::scale(word),
        };
        match factor {
            Some(factor) => (quantity.and_then(|quantity| quantity.times(factor)), end + 1),
            None => (quantity, end),
        }
    }

    /// Reads an amount after a currency sign: `$1,250`, `US$1.2m`.
    pub(super) fn after_sign(&mut self, at: usize, sign: char) -> usize {
        let Some((quantity, end)) = self.quantity(at + 1) else { return at + 1 };
        let has_prefix = at > 0 && self.tokens[at].is_glued && self.word_token(at - 1).is_some();
        let prefix = if has_prefix { self.tokens[at - 1].text } else { "" };
        let currencies = currency::sign(sign, prefix);
        let (quantity, end) = self.scaled(quantity, end, true);
        let start = if has_prefix { at - 1 } else { at };
        self.money(start, end, quantity, Unit::Money(currencies))
    }

    /// Reads an amount after a currency code: `USD 1,250`.
    pub(super) fn after_code(&mut self, at: usize) -> Option<usize> {
        let code = currency::code(self.tokens[at].text)?;
        let mut number_at = at + 1;
        while self.tokens.get(number_at).is_some_and(|token| matches!(token.kind, TokenKind::Mark('`' | '"' | ':'))) {
            number_at += 1;
        }
        let (quantity, end) = self.quantity(number_at)?;
        let (quantity, end) = self.scaled(quantity, end, true);
        Some(self.money(at, end, quantity, Unit::Currency(code)))
    }

    /// Reads the currency after a number: `1250 US dollars`, `40 EUR`, `40 €`. Also returns the index of the token after
    /// it.
    pub(super) fn money_after(&self, at: usize) -> Option<(Unit, usize)> {
        let token = self.tokens.get(at)?;
        if let TokenKind::Mark(sign) = token.kind {
            let is_after = currency::is_sign(sign)
                && !matches!(self.tokens.get(at + 1), Some(next) if next.is_glued && matches!(next.kind, TokenKind::Number(_)));
            return is_after.then(|| (Unit::Money(currency::sign(sign, "")), at + 1));
        }
        if let Some(code) = currency::code(token.text) {
            return Some((Unit::Currency(code), at + 1));
        }
        // The adjective has at most two words: "Hong Kong dollars".
        (0..3).find_map(|skip| {
            let adjective = if skip == 0 { "" } else { self.word(at + skip - 1) };
            let may_skip = (0..skip).all(|back| self.is_capital(at + back));
            let names = currency::name(adjective, self.word(at + skip));
            (may_skip && !names.is_empty()).then(|| {
                let sterling = usize::from(self.word(at + skip + 1) == "sterling");
                (Unit::Money(names), at + skip + 1 + sterling)
            })
        })
    }

    fn money(&mut self, start: usize, end: usize, quantity: Option<Quantity>, unit: Unit) -> usize {
        match quantity {
            Some(quantity) => self.push(start, end, FigureValue::Number(quantity, unit)),
            None => self.push(start, end, FigureValue::Unreadable),
        }
    }

    pub(super) fn multiple(&mut self, at: usize) -> Option<usize> {
        let tenths = match self.word(at) {
            "twice" | "double" | "doubled" | "doubling" | "twofold" => 20,
            "thrice" | "triple" | "tripled" | "tripling" | "treble" | "threefold" => 30,
            "quadruple" | "quadrupled" | "fourfold" => 40,
            "fivefold" => 50,
            "tenfold" => 100,
            "halved" => 5,
            "half" if ["of", "the", "that", "its", "a"].contains(&self.word(at + 1)) => 5,
            "hundreds" | "thousands" | "millions" | "billions" | "dozens" | "tens" => {
                return Some(self.push(at, at + 1, FigureValue::Unreadable));
            }
            // `a quarter of`, `two thirds`
            "quarter" | "quarters" | "thirds" | "fifths" | "tenths" | "third" | "fifth" | "tenth"
                if self.word(at + 1) == "of"
                    || self.word(at).ends_with('s') && number_word(self.word_before(at)).is_some() =>
            {
                return Some(self.push(at, at + 1, FigureValue::Unreadable));
            }
            _ => return None,
        };
        if self.is_mark(at + 1, '-') {
            return None;
        }
        let value = Quantity { value: Decimal::new(tenths, 1), decimals: 0 };
        Some(self.push(at, at + 1, FigureValue::Number(value, Unit::Times)))
    }
}
