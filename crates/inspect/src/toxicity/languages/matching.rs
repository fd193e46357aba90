//! Decides whether a phrase occurs in the words around its anchor, and whether it is meant.

use super::list::{ListedPhrase, Lists, PhrasePart, WordPattern};
use super::read::{AnchorContext, Break, FoldedWord};

/// The maximum number of words that ".." matches.
const GAP_WORDS_MAX: usize = 4;
/// How many words before a phrase a negation or a word such as "said" may be.
const NOT_WORDS: usize = 3;
const SAID_WORDS: usize = 2;
/// How many words before a phrase its quotation may open.
const QUOTED_WORDS: usize = 2;
/// How many words after a phrase a word may be that makes it a figure of speech.
const HARMLESS_WORDS: usize = 3;

/// The byte range of the phrase, if it matches and includes the anchor.
pub(super) fn find(lists: &Lists, phrase: &ListedPhrase, context: &AnchorContext) -> Option<(usize, usize)> {
    let search = Search { lists, phrase, context };
    let (start, end) = (context.first_start..=context.anchor).find_map(|start| {
        let end = search.forward(0, start, Lead::Opens)?;
        (end > context.anchor).then_some((start, end))
    })?;
    search.is_meant(start, end).then(|| (context.words[start].start, context.words[end - 1].end))
}

/// What precedes a word of the phrase; it decides which marks may come between them.
#[derive(Clone, Copy)]
enum Lead {
    Opens,
    Follows,
    EndsGap,
}

impl Lead {
    fn allows(self, before: Break) -> bool {
        match self {
            Self::Opens => true,
            Self::Follows => before < Break::Quote,
            Self::EndsGap => before == Break::None,
        }
    }
}

struct Search<'a> {
    lists: &'a Lists,
    phrase: &'a ListedPhrase,
    context: &'a AnchorContext,
}

impl Search<'_> {
    /// The index after the phrase's last word, if its parts from `part` on match the words from `at` on.
    fn forward(&self, part: usize, at: usize, lead: Lead) -> Option<usize> {
        let Some(next) = self.phrase.parts.get(part) else { return Some(at) };
        match next {
            PhrasePart::One(choice) => self.one(*choice, part, at, lead),
            PhrasePart::Optional(choice) => {
                self.one(*choice, part, at, lead).or_else(|| self.forward(part + 1, at, lead))
            }
            PhrasePart::Gap => self.gap(part, at),
            PhrasePart::ClauseEnd if !self.ends(at, Break::Comma) => None,
            PhrasePart::SentenceEnd if !self.ends(at, Break::Quote) => None,
            PhrasePart::ClauseEnd | PhrasePart::SentenceEnd => self.forward(part + 1, at, lead),
        }
    }

    fn one(&self, choice: usize, part: usize, at: usize, lead: Lead) -> Option<usize> {
        self.lists.choices[choice].entries.iter().find_map(|entry| {
            let words = self.context.words.get(at..at + entry.len())?;
            let joined = lead.allows(words.first()?.before) && words[1..].iter().all(|word| word.before < Break::Quote);
            let same = || entry.iter().zip(words).all(|(pattern, word)| pattern.matches(word));
            (joined && same()).then(|| self.forward(part + 1, at + entry.len(), Lead::Follows)).flatten()
        })
    }

    fn gap(&self, part: usize, at: usize) -> Option<usize> {
        let not = self.entries(self.language().not);
        for skipped in 0..=GAP_WORDS_MAX {
            if let Some(end) = self.forward(part + 1, at + skipped, Lead::EndsGap) {
                return Some(end);
            }
            let word = self.context.words.get(at + skipped)?;
            if word.before != Break::None || starts_with_any(not, &self.context.words[at + skipped..]) {
                return None;
            }
        }
        None
    }

    /// Whether a mark of at least this strength precedes the word at `at`.
    fn ends(&self, at: usize, mark: Break) -> bool {
        self.context.break_before(at) >= mark
    }

    /// Whether the phrase is neither quoted, denied or reported, nor a figure of speech.
    fn is_meant(&self, start: usize, end: usize) -> bool {
        let words = &self.context.words;
        if self.is_quoted(start) {
            return false;
        }
        let (not, said) = (self.entries(self.language().not), self.entries(self.language().said));
        let mut at = start;
        while at > 0 && start - at < NOT_WORDS && words[at].before == Break::None {
            at -= 1;
            if starts_with_any(not, &words[at..start]) {
                return false;
            }
        }
        let mut at = start;
        while at > 0 && start - at < SAID_WORDS && words[at].before <= Break::Comma {
            at -= 1;
            if starts_with_any(said, &words[at..start]) {
                return false;
            }
        }
        let harmless = self.entries(self.language().harmless);
        let mut until = end;
        while until < words.len() && until - end < HARMLESS_WORDS && words[until].before == Break::None {
            until += 1;
        }
        !(start..until).any(|at| starts_with_any(harmless, &words[at..until]))
    }

    /// Whether a quotation opens directly before the phrase or a few words earlier.
    fn is_quoted(&self, start: usize) -> bool {
        let earliest = start.saturating_sub(QUOTED_WORDS);
        let words = &self.context.words[earliest..=start];
        let since = words.iter().rposition(|word| word.quoted).unwrap_or(words.len());
        words.iter().skip(since + 1).all(|word| word.before <= Break::Comma) && since < words.len()
    }

    fn language(&self) -> &super::list::Language {
        &self.lists.languages[self.phrase.language]
    }

    fn entries(&self, choice: Option<usize>) -> &[Vec<WordPattern>] {
        choice.map_or(&[], |choice| &self.lists.choices[choice].entries)
    }
}

fn starts_with_any(entries: &[Vec<WordPattern>], words: &[FoldedWord]) -> bool {
    entries
        .iter()
        .any(|entry| words.len() >= entry.len() && entry.iter().zip(words).all(|(pattern, word)| pattern.matches(word)))
}
