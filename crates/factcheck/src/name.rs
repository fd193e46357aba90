//! Stage 3, names: finds the names, ids and quotations of a text and looks them up in the context.

use std::{cell::LazyCell, collections::HashSet};

use crate::country;
use crate::currency;
use crate::fact::FactIndex;
use crate::fold::{FoldedText, normalised, without_apostrophes};
use crate::lex::{Token, TokenKind};
use crate::licence::CaseFacts;
use crate::{ClaimKind, Reason, ordinary_words};

/// Longer quotations are not looked up.
const QUOTE_BYTES_MAX: usize = 400;
/// The maximum length of a name.
const NAME_TOKENS_MAX: usize = 10;

/// A name, an id or a quotation (tokens `start` to `end`), and whether the context has it.
#[derive(Debug)]
pub(crate) struct NameVerdict {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: ClaimKind,
    pub(crate) verdict: Result<String, Reason>,
}

pub(crate) struct NameFinder<'a> {
    pub(crate) folded: &'a FoldedText<'a>,
    pub(crate) tokens: &'a [Token<'a>],
    pub(crate) index: &'a FactIndex,
    pub(crate) case: &'a CaseFacts,
}

impl NameFinder<'_> {
    /// Finds ids, quotations and names of several words that the context has. A figure inside one is part of the name.
    pub(crate) fn known_names(&self) -> Vec<NameVerdict> {
        let mut found = self.verbatim_ids();
        found.extend(self.quotations());
        found.extend(self.phrases());
        found.sort_by_key(|named| (named.start, std::cmp::Reverse(named.end)));
        let mut end = 0;
        found.retain(|named| {
            named.start >= end && {
                end = named.end;
                true
            }
        });
        found
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        &self.folded.text[self.tokens[start].start..self.tokens[end - 1].end]
    }

    /// The tokens inside a byte range.
    fn within(&self, start: usize, end: usize) -> (usize, usize) {
        let first = self.tokens.partition_point(|token| token.start < start);
        (first, self.tokens.partition_point(|token| token.end <= end).max(first))
    }

    fn verbatim_ids(&self) -> Vec<NameVerdict> {
        let text = self.folded.text.to_lowercase();
        // Some letters take more bytes in lower case. Offsets would then not match the text.
        if text.len() != self.folded.text.len() {
            return Vec::new();
        }
        let stands_alone = |start: usize, end: usize| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let joined = |rest: &str| {
                let mut letters = rest.chars();
                let joint = letters.next().is_some_and(|letter| "-_:/.".contains(letter));
                joint && letters.next().is_some_and(char::is_alphanumeric)
            };
            !text[..start].chars().next_back().is_some_and(is_part)
                && !text[end..].chars().next().is_some_and(is_part)
                && !joined(&text[end..])
        };
        let named = |start: usize, end: usize| {
            let (first, last) = self.within(start, end);
            let path = self.index.ids.get(&text[start..end])?;
            (first < last).then(|| NameVerdict {
                start: first,
                end: last,
                kind: ClaimKind::Id,
                verdict: Ok(path.clone()),
            })
        };
        let found = self.index.finder.find(&text).into_iter();
        found.filter(|(start, end)| stands_alone(*start, *end)).filter_map(|(start, end)| named(start, end)).collect()
    }

    fn quotations(&self) -> Vec<NameVerdict> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let TokenKind::Mark(mark @ ('"' | '`')) = self.tokens[at].kind else {
                at += 1;
                continue;
            };
            let from = self.tokens[at].end;
            let close = (at + 1..self.tokens.len())
                .take_while(|close| self.tokens[*close].start - from <= QUOTE_BYTES_MAX)
                .find(|close| self.tokens[*close].is_mark(mark));
            let Some(close) = close else {
                at += 1;
                continue;
            };
            if let Some((kind, verdict)) = self.quotation(&self.folded.text[from..self.tokens[close].start])
                && close > at + 1
            {
                found.push(NameVerdict { start: at + 1, end: close, kind, verdict });
            }
            at = close + 1;
        }
        found
    }

    /// The verdict on quoted words. `None` if the context does not have them; they are then checked like other words.
    fn quotation(&self, text: &str) -> Option<(ClaimKind, Result<String, Reason>)> {
        let text = text.trim();
        if let Some(path) = self.index.ids.get(&text.to_lowercase()) {
            let kind = if text.contains(char::is_whitespace) || !text.contains(|c: char| c.is_ascii_digit()) {
                ClaimKind::Name
            } else {
                ClaimKind::Id
            };
            return Some((kind, Ok(path.clone())));
        }
        let phrase = normalised(text);
        if !phrase.contains(char::is_alphabetic) {
            return None;
        }
        let cut = text.ends_with('…') || text.ends_with("...");
        let (names, texts) = (&self.index.phrases, &self.index.sentences);
        let whole = names.find(&phrase).or_else(|| texts.find(&phrase));
        let found =
            whole.or_else(|| cut.then(|| names.find_cut(&phrase).or_else(|| texts.find_cut(&phrase))).flatten());
        found.map(|path| (ClaimKind::Name, Ok(path.to_owned())))
    }

    /// Finds names of more than one word that start with a capitalised word and end with a capitalised word or a
    /// number.
    fn phrases(&self) -> Vec<NameVerdict> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let end = self.is_capital(at).then(|| self.longest_phrase(at)).flatten();
            match end {
                Some((end, path)) => {
                    found.push(NameVerdict { start: at, end, kind: ClaimKind::Name, verdict: Ok(path) });
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }

    fn longest_phrase(&self, at: usize) -> Option<(usize, String)> {
        // Most capitalised words can't start a phrase of the context.
        let first = without_apostrophes(&self.tokens[at].lower);
        self.index.phrases.word(&first).or_else(|| self.index.sentences.word(&first))?;
        let sentence = self.tokens[at].sentence;
        let last = (at..self.tokens.len().min(at + NAME_TOKENS_MAX)).take_while(|place| {
            let token = &self.tokens[*place];
            token.sentence == sentence
                && !matches!(token.kind, TokenKind::Mark(',' | ';' | '(' | ')' | '"' | '`' | '|'))
        });
        let last = last.last()?;
        // A part of a country's name is not a name by itself: "United Arab".
        let is_country = |place: &usize| country::code_of(&normalised(self.slice(at, *place + 1))).is_some();
        if (at + 1..=last).any(|place| self.is_capital(place) && is_country(&place)) {
            return None;
        }
        (at + 1..=last)
            .rev()
            .filter(|place| {
                self.is_capital(*place) || matches!(self.tokens[*place].kind, TokenKind::Number(_) | TokenKind::Id)
            })
            .find_map(|place| {
                let text = self.slice(at, place + 1);
                // A name that contains a figure can't start with an ordinary word: "Score 100" is not a name.
                let has_figure = self.tokens[at..=place]
                    .iter()
                    .any(|token| !matches!(token.kind, TokenKind::Word | TokenKind::Mark(_)));
                let first = &self.tokens[at];
                let is_ordinary = ordinary_words::contains(&first.lower) || currency::code(first.text).is_some();
                let phrase = normalised(text);
                let is_name = !(has_figure && is_ordinary) && country::code_of(&phrase).is_none();
                // Merchants of earlier transactions are only mentioned in the timeline's sentences.
                let earlier = || self.case.earlier_merchant(&phrase);
                let path =
                    if is_name { self.index.phrases.find(&phrase).map(str::to_owned).or_else(earlier) } else { None }?;
                Some((place + 1, path))
            })
    }

    fn is_capital(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.is_capital && matches!(token.kind, TokenKind::Word)
    }

    /// Finds ids and names among the tokens that have no verdict yet.
    pub(crate) fn other_names(&self, covered: &[bool]) -> Vec<NameVerdict> {
        // Only needed for unknown capitalised words, so it is built lazily.
        let lower_case_words = LazyCell::new(|| {
            let mut lower_case_words = HashSet::with_capacity(self.tokens.len());
            let is_lower_case = |token: &&Token<'_>| !token.is_capital && matches!(token.kind, TokenKind::Word);
            lower_case_words.extend(self.tokens.iter().filter(is_lower_case).map(|token| token.lower.as_ref()));
            lower_case_words
        });
        let mut found: Vec<NameVerdict> = Vec::new();
        for at in (0..self.tokens.len()).filter(|at| !covered[*at]) {
            let verdict = match self.tokens[at].kind {
                TokenKind::Id => Some((ClaimKind::Id, self.id(at))),
                TokenKind::SnakeCase => self.snake_case_name(at).map(|verdict| (ClaimKind::Name, verdict)),
                TokenKind::Word => self.word(at, || &lower_case_words).map(|verdict| (ClaimKind::Name, verdict)),
                _ => None,
            };
            let Some((kind, verdict)) = verdict else { continue };
            match found.last_mut() {
                // Consecutive unknown words form one unknown name.
                Some(last)
                    if last.end == at
                        && last.kind == kind
                        && last.verdict == Err(Reason::Absent)
                        && verdict == Err(Reason::Absent) =>
                {
                    last.end = at + 1
                }
                _ => found.push(NameVerdict { start: at, end: at + 1, kind, verdict }),
            }
        }
        found
    }

    fn id(&self, at: usize) -> Result<String, Reason> {
        let text = self.tokens[at].lower.as_ref();
        let text = text.strip_suffix("'s").unwrap_or(text);
        self.index.ids.get(text).cloned().ok_or(Reason::Absent)
    }

    fn snake_case_name(&self, at: usize) -> Option<Result<String, Reason>> {
        let phrase = normalised(&self.tokens[at].lower.replace('_', " "));
        if let Some(path) = self.index.phrases.find(&phrase) {
            return Some(Ok(path.to_owned()));
        }
        let known = phrase.split(' ').all(|word| self.index.phrases.is_ordinary(word));
        (!known).then_some(Err(Reason::Absent))
    }

    /// `lower_case_words` has the words that the text also uses in lower case. Such a word is not a name when it is capitalised.
    fn word<'s>(
        &self,
        at: usize,
        lower_case_words: impl FnOnce() -> &'s HashSet<&'s str>,
    ) -> Option<Result<String, Reason>> {
        let token = &self.tokens[at];
        let word: &str = token.lower.as_ref();
        let is_other_script =
            !word.is_ascii() && word.chars().any(|letter| letter.is_alphabetic() && u32::from(letter) > 0x24f);
        if !is_other_script && !self.is_capital(at) {
            return None;
        }
        let plain = without_apostrophes(word);
        if is_other_script {
            let found = self.index.phrases.word(&plain).or_else(|| self.index.sentences.word(&plain));
            return Some(found.map(str::to_owned).ok_or(Reason::Absent));
        }
        let is_letter = word.chars().count() == 1;
        if is_letter || ordinary_words::contains(word) || self.index.phrases.is_ordinary(&plain) {
            return None;
        }
        if let Some(path) = self.index.currencies.get(token.text) {
            return Some(Ok(path.clone()));
        }
        let found = self.index.phrases.word(&plain).or_else(|| self.index.sentences.word(&plain));
        if let Some(path) = found {
            return Some(Ok(path.to_owned()));
        }
        let ordinary =
            token.opens_sentence && ordinary_words::looks_ordinary(word) || lower_case_words().contains(word);
        (!ordinary).then_some(Err(Reason::Absent))
    }
}
