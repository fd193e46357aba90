//! Stage 7, licence, first step: builds the items of a sentence from tokens and from the verdicts on figures and names.

use std::sync::LazyLock;

use super::idioms::{DETECTOR_SIGNALS, IDIOM, IDIOM_HASH, IDIOMS, Idiom, OTHER_SIGNAL_NAMES, SignalPhrase};
use super::{Item, NamedSignal};
use crate::country;
use crate::fact::FactIndex;
use crate::fold::{normalised, without_apostrophes};
use crate::lex::{Token, TokenKind};
use crate::licence::case::CaseFacts;
use crate::licence::vocabulary::{self as w, WordList, WordSense, words};
use crate::licence::{ClaimKind, ClaimVerdict, SMALL_NUMBERS};

pub(crate) struct SentenceReader<'a> {
    pub(crate) tokens: &'a [Token<'a>],
    pub(crate) index: &'a FactIndex,
    pub(crate) case: &'a CaseFacts,
    /// For each token, whether it is inside quotation marks.
    pub(crate) quoted: Vec<bool>,
    /// Verdicts on figures and names, ordered by their first token.
    pub(crate) verdicts: &'a [ClaimVerdict],
}

impl<'a> SentenceReader<'a> {
    /// The item for a figure or a name, with its verdict.
    pub(super) fn claim(&self, verdict: &'a ClaimVerdict, end: usize) -> Item<'a> {
        let token = &self.tokens[verdict.start];
        let mut item = Item { end: verdict.end.min(end), ..empty_item(verdict.start) };
        match &verdict.verdict {
            Ok(path) => {
                item.claim = Some((path, verdict.kind));
                item.figure = verdict.figure.as_ref();
                item.signal = self.signal_named(path, verdict.kind);
                // Most paths are short, like `/score/total`, and can't contain these parts.
                if path.bytes().filter(|byte| *byte == b'/').count() > 2 {
                    (item.is_detail, item.is_of_rule) = (path.contains("/details/"), path.contains("/flags/"));
                }
            }
            // The claim has already been refused. Clear the word so that no rule reads it.
            Err(_) => item.lower = "",
        }
        // The noun of a count is part of the claim, but it still tells what the clause is about.
        let is_name = matches!(verdict.kind, ClaimKind::Name | ClaimKind::Id | ClaimKind::Country);
        for token in self.tokens[verdict.start..item.end].iter().filter(|_| !is_name) {
            let known = token.sense.unwrap_or_default();
            item.topics |= known.topics & !w::VALUE;
            item.acts |= known.acts & (w::PRIOR | w::SIMILAR);
            if verdict.kind == ClaimKind::Count {
                item.acts |= known.acts & w::NO;
            }
        }
        if item.path() == Some("/transaction/merchant") {
            item.topics |= w::MERCHANT;
        }
        if verdict.kind == ClaimKind::Country {
            item.country = self.country(verdict.start, item.end);
        }
        if verdict.kind == ClaimKind::Severity {
            item.topics |= w::SEVERITY;
        }
        if item.claim.is_some() && matches!(token.kind, TokenKind::Word) {
            (item.lower, item.hash) = (token.lower.as_ref(), token.hash);
        }
        item
    }

    fn country(&self, start: usize, end: usize) -> Option<&'static str> {
        let words: Vec<_> = self.words(start, end).map(|(_, word)| without_apostrophes(word)).collect();
        let only = &self.tokens[start];
        country::code_of(&words.join(" "))
            .or_else(|| country::known_code(only.text))
            .or_else(|| country::code_of_adjective(&only.lower))
    }

    /// Whether any word of an item is in the list.
    pub(crate) fn has_word(&self, item: &Item<'_>, words: &WordList) -> bool {
        self.tokens[item.start..item.end].iter().any(|token| words.has(token.hash))
    }

    /// The whole number at the start of an item, in digits or as a small number word.
    pub(crate) fn number(&self, item: &Item<'_>) -> Option<u64> {
        let token = &self.tokens[item.start];
        let in_words = SMALL_NUMBERS.iter().position(|word| token.is_word(word)).map(|number| number as u64);
        in_words.or_else(|| token.text.replace(',', "").parse().ok())
    }

    /// The first word of an item, as written.
    pub(crate) fn text(&self, item: &Item<'_>) -> &'a str {
        self.tokens[item.start].text
    }

    /// The words of an item, normalised like the names that they are compared with.
    pub(crate) fn normalised(&self, item: &Item<'_>) -> String {
        let words = self.tokens[item.start..item.end].iter().filter(|token| !matches!(token.kind, TokenKind::Mark(_)));
        normalised(&words.map(|token| token.text).collect::<Vec<_>>().join(" "))
    }

    /// The signal whose name the claim states (`/signals/2/name`).
    fn signal_named(&self, path: &str, kind: ClaimKind) -> Option<NamedSignal> {
        let rest = path.strip_prefix("/signals/").filter(|_| kind == ClaimKind::Name || kind == ClaimKind::Id)?;
        let (place, field) = rest.split_once('/')?;
        let place: usize = place.parse().ok()?;
        (field == "name" && place < self.case.signals.len()).then_some(NamedSignal::Known(place))
    }

    /// The item that starts at `at`, where no verdict does. It ends before `stop`.
    pub(super) fn item(&self, at: usize, stop: usize) -> Item<'a> {
        // Few words can start an item of several words.
        let token = &self.tokens[at];
        let is_plain = matches!(token.kind, TokenKind::Word) && !token.opens_multiword && !self.may_be_called(at);
        if is_plain {
            return self.word(at);
        }
        if let Some((signal, end)) = self.signal(at, stop) {
            return Item { end, topics: w::SIGNAL, signal: Some(signal), ..empty_item(at) };
        }
        if let Some((idiom, end)) = self.idiom(at, stop) {
            let is_possessive = is_possessive(&self.tokens[end - 1]);
            return Item {
                end,
                topics: idiom.topics,
                acts: idiom.acts,
                lower: IDIOM,
                hash: IDIOM_HASH,
                is_possessive,
                ..empty_item(at)
            };
        }
        let token = &self.tokens[at];
        match token.kind {
            TokenKind::Mark(mark) => Item { mark: Some(mark), ..empty_item(at) },
            TokenKind::Word => self.word(at),
            TokenKind::Signal(_) | TokenKind::SenderName => empty_item(at),
            TokenKind::SnakeCase | TokenKind::Id => {
                Item { lower: &token.lower, is_unknown: !self.is_key(at), ..empty_item(at) }
            }
            TokenKind::Number(_)
            | TokenKind::Date(_)
            | TokenKind::TimeOfDay(_)
            | TokenKind::Timestamp(..)
            | TokenKind::UnreadableNumber => Item { is_number: true, lower: token.text, ..empty_item(at) },
        }
    }

    fn word(&self, at: usize) -> Item<'a> {
        let token = &self.tokens[at];
        let lower: &str = &token.lower;
        let known = token.sense;
        let is_letter = lower == "a" || self.quoted[at] && lower.chars().count() == 1;
        let is_quoted = self.is_category(at);
        let WordSense { topics, acts } = known.filter(|_| !is_quoted).unwrap_or_default();
        Item {
            lower,
            hash: token.hash,
            topics,
            acts,
            is_unknown: known.is_none() && !is_letter && !self.is_key(at) && !is_quoted,
            is_possessive: is_possessive(token),
            ..empty_item(at)
        }
    }

    /// Whether a word is part of the quoted name of a sender's field: `"chargebacks 30d"`.
    fn is_key(&self, at: usize) -> bool {
        self.quoted[at] && self.tokens[at].lower.split('_').all(|part| self.index.phrases.is_ordinary(part))
    }

    /// Whether a word is part of the category or of the source or destination of funds, in the sender's words and after
    /// its label: "in the category sporting goods".
    fn is_category(&self, at: usize) -> bool {
        const LABELS: [(u64, &str); 3] =
            [(w::CATEGORY, "category"), (w::SOURCE, "source"), (w::DESTINATION, "destination")];
        let token = &self.tokens[at];
        if !self.case.texts.iter().any(|(_, text)| text.split(' ').any(|word| token.is_word(word))) {
            return false;
        }
        let before = &self.tokens[at.saturating_sub(10)..at];
        let Some(label) = before.iter().rev().find_map(|token| LABELS.iter().find(|(_, label)| token.is_word(label)))
        else {
            return false;
        };
        let mut texts = self.case.texts.iter().filter(|(topic, _)| *topic == label.0);
        texts.any(|(_, text)| text.split(' ').any(|word| token.is_word(word)))
    }

    fn words(&self, at: usize, stop: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let is_joint = |token: &Token<'_>| matches!(token.kind, TokenKind::Mark('-')) && token.is_glued;
        (at..stop).filter(move |at| !is_joint(&self.tokens[*at])).map(|at| {
            (at, if matches!(self.tokens[at].kind, TokenKind::Word) { self.tokens[at].lower.as_ref() } else { "" })
        })
    }

    /// Where these words end, if they are all there from `at` on. Hyphens are skipped.
    fn run_end(&self, at: usize, stop: usize, wanted: &[&str]) -> Option<usize> {
        let mut words = self.words(at, stop);
        let mut end = at;
        for want in wanted {
            let (place, found) = words.next()?;
            if found != *want {
                return None;
            }
            end = place + 1;
        }
        Some(end)
    }

    /// Whether a sender's signal may be named here: inside quotation marks or after "signal".
    fn may_be_called(&self, at: usize) -> bool {
        at > 0
            && (matches!(self.tokens[at - 1].kind, TokenKind::Mark('"' | '`'))
                || words!["signal", "indicator", "check"].has(self.tokens[at - 1].hash))
    }

    pub(super) fn signal(&self, at: usize, stop: usize) -> Option<(NamedSignal, usize)> {
        let token = &self.tokens[at];
        if matches!(token.kind, TokenKind::SnakeCase) {
            let name = token.lower.replace('_', " ");
            if let Some(known) = self.case.signal(&name) {
                return Some((NamedSignal::Known(known), at + 1));
            }
            return DETECTOR_SIGNALS.contains(&name.as_str()).then_some((NamedSignal::Missing, at + 1));
        }
        if !matches!(token.kind, TokenKind::Word) {
            return None;
        }
        if let Some((name, end)) = self.detector_signal(at, stop) {
            return Some((self.case.signal(name).map_or(NamedSignal::Missing, NamedSignal::Known), end));
        }
        let is_quoted = at > 0 && matches!(self.tokens[at - 1].kind, TokenKind::Mark('"' | '`'));
        let is_called = at > 0 && words!["signal", "indicator", "check"].has(self.tokens[at - 1].hash);
        if !is_quoted && !is_called {
            return None;
        }
        self.case.signals.iter().enumerate().find_map(|(place, signal)| {
            (!signal.name.is_empty()).then_some(())?;
            Some((NamedSignal::Known(place), self.run_end(at, stop, &signal.name.split(' ').collect::<Vec<_>>())?))
        })
    }

    /// The detector signal whose name starts at `at`, and where the name ends.
    fn detector_signal(&self, at: usize, stop: usize) -> Option<(&'static str, usize)> {
        static NAMES: LazyLock<Vec<SignalPhrase>> = LazyLock::new(|| {
            let names = DETECTOR_SIGNALS.iter().map(|name| (*name, *name)).chain(OTHER_SIGNAL_NAMES.iter().copied());
            names.map(|(phrase, name)| SignalPhrase::of(phrase, name)).collect()
        });
        let first = self.tokens[at].hash;
        let mut named = NAMES.iter().filter(|name| name.first == first);
        named.find_map(|name| Some((name.name, self.run_end(at, stop, &name.words)?)))
    }

    fn idiom(&self, at: usize, stop: usize) -> Option<(WordSense, usize)> {
        if !matches!(self.tokens[at].kind, TokenKind::Word) {
            return None;
        }
        // Sorted by the hash of the first word, so that a lookup only compares the idioms that can match.
        static SORTED: LazyLock<Vec<Idiom>> = LazyLock::new(|| {
            let mut idioms: Vec<Idiom> = IDIOMS.iter().map(Idiom::of).collect();
            idioms.sort_by_key(|idiom| idiom.first);
            idioms
        });
        let first = self.tokens[at].hash;
        let from = SORTED.partition_point(|idiom| idiom.first < first);
        SORTED[from..]
            .iter()
            .take_while(|idiom| idiom.first == first)
            .filter_map(|idiom| Some((idiom.sense, self.run_end(at, stop, &idiom.words)?)))
            .max_by_key(|(_, end)| *end)
    }
}

pub(super) fn is_possessive(token: &Token<'_>) -> bool {
    matches!(token.text.as_bytes(), [.., b'\'', b's'] | [.., b's', b'\''])
}

fn empty_item<'a>(at: usize) -> Item<'a> {
    Item {
        start: at,
        end: at + 1,
        lower: "",
        hash: 0,
        topics: 0,
        acts: 0,
        claim: None,
        figure: None,
        signal: None,
        mark: None,
        is_unknown: false,
        is_number: false,
        country: None,
        is_possessive: false,
        is_detail: false,
        is_of_rule: false,
    }
}
