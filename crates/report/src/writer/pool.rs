//! The sentences that a section can use, and the selection that meets its word range.

use countersign_domain::report::count_words;

/// How important a sentence is. If there are too many words, sentences of the last rank are left out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SentenceRank {
    Must,
    Should,
    May,
    /// General facts, such as which checks ran and what was not on record. They fill the sections of cases with little
    /// information.
    Reserve,
}

/// The position in its word range that a text aims for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LengthAim {
    Shortest,
    Middle,
    Longest,
}

const RANKS: [SentenceRank; 4] = [SentenceRank::Must, SentenceRank::Should, SentenceRank::May, SentenceRank::Reserve];

/// A sentence of a pool.
#[derive(Debug)]
pub(super) struct PoolSentence {
    pub(super) text: String,
    rank: SentenceRank,
    /// Whether a reviewer asked for it. It then ranks above every sentence that is not mandatory.
    is_requested: bool,
}

impl PoolSentence {
    /// Counted on demand, because half of a pool's sentences are never considered.
    pub(super) fn word_count(&self) -> usize {
        count_words(&self.text)
    }
}

/// The sentences that a section can use, in reading order.
#[derive(Debug, Default)]
pub(super) struct SentencePool(Vec<PoolSentence>);

impl SentencePool {
    pub(super) fn must(&mut self, text: impl Into<Option<String>>) {
        self.add(SentenceRank::Must, text.into());
    }

    pub(super) fn should(&mut self, text: impl Into<Option<String>>) {
        self.add(SentenceRank::Should, text.into());
    }

    pub(super) fn may(&mut self, text: impl Into<Option<String>>) {
        self.add(SentenceRank::May, text.into());
    }

    pub(super) fn reserve(&mut self, text: impl Into<Option<String>>) {
        self.add(SentenceRank::Reserve, text.into());
    }

    pub(super) fn add(&mut self, rank: SentenceRank, text: Option<String>) {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return };
        let text = capitalised(text);
        if self.0.iter().all(|known| known.text != text) {
            self.0.push(PoolSentence { text, rank, is_requested: false });
        }
    }

    /// Makes sure that a fact is stated: by the first sentence that `states` it, or else by adding `text` as a sentence.
    pub(super) fn require_fact(&mut self, text: &str, states: impl Fn(&str) -> bool) {
        match self.0.iter_mut().find(|known| states(&known.text)) {
            Some(known) => known.is_requested = true,
            None => self.0.push(PoolSentence {
                text: capitalised(text.to_owned()),
                rank: SentenceRank::Reserve,
                is_requested: true,
            }),
        }
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|sentence| sentence.text.as_str())
    }

    /// The sentences by rank and, within a rank, in reading order, each with its index.
    pub(super) fn by_rank(&self) -> impl Iterator<Item = (usize, &PoolSentence)> {
        RANKS.into_iter().flat_map(|rank| self.0.iter().enumerate().filter(move |(_, sentence)| sentence.rank == rank))
    }

    /// Composes a text within `fewest..=most` words that starts with `lead` and aims for the middle of the range.
    ///
    /// Sentences that fit are taken by rank until the text is close to the middle. No sentence is longer than the range
    /// is wide, so as long as the text is too short, every unused sentence still fits.
    pub(super) fn compose(&self, lead: &str, range: (usize, usize)) -> String {
        self.compose_towards(lead, range, LengthAim::Middle)
    }

    /// Like [`SentencePool::compose`], but aims for another position in the range.
    pub(super) fn compose_towards(&self, lead: &str, (fewest, most): (usize, usize), aim: LengthAim) -> String {
        let enough = match aim {
            LengthAim::Shortest => fewest,
            LengthAim::Middle => usize::midpoint(fewest, most).saturating_sub(NEAR_ENOUGH),
            LengthAim::Longest => most,
        };
        let mut total = count_words(lead);
        let mut is_chosen = vec![false; self.0.len()];
        let must = self.by_rank().filter(|(_, sentence)| sentence.rank == SentenceRank::Must);
        let others = || self.by_rank().filter(|(_, sentence)| sentence.rank != SentenceRank::Must);
        let requested = others().filter(|(_, sentence)| sentence.is_requested);
        let rest = others().filter(|(_, sentence)| !sentence.is_requested);
        for (index, sentence) in must.chain(requested).chain(rest) {
            let is_needed = total < enough || sentence.rank == SentenceRank::Must || sentence.is_requested;
            let with = if is_needed { total + sentence.word_count() } else { continue };
            if with <= most {
                total = with;
                if let Some(chosen) = is_chosen.get_mut(index) {
                    *chosen = true;
                }
            }
        }
        let chosen =
            self.0.iter().zip(is_chosen).filter(|(_, chosen)| *chosen).map(|(sentence, _)| sentence.text.as_str());
        let lead = Some(lead).filter(|lead| !lead.is_empty());
        lead.into_iter().chain(chosen).collect::<Vec<_>>().join(" ")
    }
}

/// A text is close to the middle if at most this many words are missing: about half a sentence.
const NEAR_ENOUGH: usize = 8;

fn capitalised(mut text: String) -> String {
    if let Some(first) = text.chars().next().filter(|first| first.is_lowercase()) {
        text.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    text
}
