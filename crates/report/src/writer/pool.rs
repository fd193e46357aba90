//! Sentences that a section can be made of, and the choice among them that meets its word range.

use countersign_domain::report::count_words;

/// What is left out first when words run short: the later rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Must,
    Should,
    May,
    /// Always true of a case: which checks ran, what was not on record. It fills thin cases.
    Reserve,
}

/// Which part of its word range a text aims for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Shortest,
    Middle,
    Longest,
}

const RANKS: [Rank; 4] = [Rank::Must, Rank::Should, Rank::May, Rank::Reserve];

#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    rank: Rank,
    /// Asked for by a reviewer: it goes before everything that is not a must.
    is_wanted: bool,
}

impl Sentence {
    /// Counted when it is asked for: half of a pool's sentences never are.
    pub(super) fn words(&self) -> usize {
        count_words(&self.text)
    }
}

/// In the order in which they read well.
#[derive(Debug, Default)]
pub(super) struct Pool(Vec<Sentence>);

impl Pool {
    pub(super) fn must(&mut self, text: impl Into<Option<String>>) {
        self.add(Rank::Must, text.into());
    }

    pub(super) fn should(&mut self, text: impl Into<Option<String>>) {
        self.add(Rank::Should, text.into());
    }

    pub(super) fn may(&mut self, text: impl Into<Option<String>>) {
        self.add(Rank::May, text.into());
    }

    pub(super) fn reserve(&mut self, text: impl Into<Option<String>>) {
        self.add(Rank::Reserve, text.into());
    }

    pub(super) fn add(&mut self, rank: Rank, text: Option<String>) {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return };
        let text = capitalised(text);
        if self.0.iter().all(|known| known.text != text) {
            self.0.push(Sentence { text, rank, is_wanted: false });
        }
    }

    /// Makes sure that a fact is stated: by the first sentence that `states` it, else by a sentence of its own.
    pub(super) fn want(&mut self, text: &str, states: impl Fn(&str) -> bool) {
        match self.0.iter_mut().find(|known| states(&known.text)) {
            Some(known) => known.is_wanted = true,
            None => self.0.push(Sentence { text: capitalised(text.to_owned()), rank: Rank::Reserve, is_wanted: true }),
        }
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|sentence| sentence.text.as_str())
    }

    /// By rank, and within a rank in reading order.
    pub(super) fn by_rank(&self) -> impl Iterator<Item = (usize, &Sentence)> {
        RANKS.into_iter().flat_map(|rank| self.0.iter().enumerate().filter(move |(_, sentence)| sentence.rank == rank))
    }

    /// A text within `fewest..=most` words that starts with `lead` and aims for the middle.
    ///
    /// Whatever fits is taken by rank until the middle is near. No sentence is longer than the range is wide, so that
    /// below the minimum every unused one still fits.
    pub(super) fn compose(&self, lead: &str, range: (usize, usize)) -> String {
        self.compose_aiming(lead, range, Aim::Middle)
    }

    /// `compose` with another part of the range as its aim.
    pub(super) fn compose_aiming(&self, lead: &str, (fewest, most): (usize, usize), aim: Aim) -> String {
        let enough = match aim {
            Aim::Shortest => fewest,
            Aim::Middle => usize::midpoint(fewest, most).saturating_sub(NEAR_ENOUGH),
            Aim::Longest => most,
        };
        let mut total = count_words(lead);
        let mut is_chosen = vec![false; self.0.len()];
        let must = self.by_rank().filter(|(_, sentence)| sentence.rank == Rank::Must);
        let others = || self.by_rank().filter(|(_, sentence)| sentence.rank != Rank::Must);
        let wanted = others().filter(|(_, sentence)| sentence.is_wanted);
        let rest = others().filter(|(_, sentence)| !sentence.is_wanted);
        for (index, sentence) in must.chain(wanted).chain(rest) {
            let is_needed = total < enough || sentence.rank == Rank::Must || sentence.is_wanted;
            let with = if is_needed { total + sentence.words() } else { continue };
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

/// Words that may be missing from the middle: half a sentence.
const NEAR_ENOUGH: usize = 8;

fn capitalised(mut text: String) -> String {
    if let Some(first) = text.chars().next().filter(|first| first.is_lowercase()) {
        text.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    text
}
