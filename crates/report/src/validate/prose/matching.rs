//! Searches a sentence for cues and names.

use super::{
    ReportSentence,
    clean::{folded, spaced},
};
use crate::validate::cues::{CueList, Cues};

/// The first two letters of all words of a text, as a bit set of 256 hashes. It rules out nine of ten cues at once.
#[derive(Default)]
pub(super) struct WordStarts([u64; 4]);

impl WordStarts {
    pub(super) fn of(spaced: &str, words: &[usize]) -> Self {
        let mut starts = Self::default();
        for word in words {
            let (part, bit) = Self::place(spaced.as_bytes()[*word], spaced.as_bytes()[*word + 1]);
            starts.0[part] |= bit;
        }
        starts
    }

    fn may_have(&self, cue: &str) -> bool {
        match *cue.as_bytes() {
            [first, second, ..] if second != b'*' => {
                let (part, bit) = Self::place(first, second);
                self.0[part] & bit != 0
            }
            _ => true,
        }
    }

    fn place(first: u8, second: u8) -> (usize, u64) {
        let hash = first.wrapping_mul(37) ^ second.wrapping_mul(101);
        (usize::from(hash >> 6), 1 << (hash & 63))
    }
}

/// Whether a spaced text starts with this cue.
fn is_at(text: &[u8], cue: &str) -> bool {
    match cue.strip_suffix('*') {
        Some(stem) => text.starts_with(stem.as_bytes()),
        None => text.strip_prefix(cue.as_bytes()).is_some_and(|rest| rest.starts_with(b" ")),
    }
}

impl ReportSentence<'_> {
    /// Whether the sentence contains one of these cues outside quotations.
    pub(in crate::validate) fn says(&self, cues: Cues) -> bool {
        let unquoted_words = self.unquoted_words.as_bytes();
        let is_said = |cue: &str| self.words.iter().any(|word| is_at(&unquoted_words[*word..], cue));
        cues.split('|').any(|cue| self.starts.may_have(cue) && is_said(cue))
    }

    /// Whether the sentence contains a cue of this list outside quotations.
    pub(in crate::validate) fn has(&self, list: CueList) -> bool {
        self.lists.has(list)
    }

    /// Whether the sentence says, outside quotations, that one of these topics is unknown.
    pub(in crate::validate) fn says_unknown(&self, topics: Cues) -> bool {
        let no_such = || {
            self.unquoted_words.match_indices(" no ").any(|(at, no)| {
                let rest = &self.unquoted_words[at + no.len()..];
                let nouns = rest.match_indices(' ').map(|(at, _)| at + 1).take(NO_SUCH_WORDS - 1);
                [0].into_iter()
                    .chain(nouns)
                    .any(|at| topics.split('|').any(|topic| is_at(&rest.as_bytes()[at..], topic)))
            })
        };
        self.says(topics) && (self.has(CueList::Unknown) || no_such())
    }

    /// Whether the sentence contains the whole name, quoted or not.
    pub(in crate::validate) fn names(&self, name: &str) -> bool {
        let name = spaced(name);
        name.len() > 1 && self.all_words.as_ref().unwrap_or(&self.unquoted_words).contains(&name)
    }

    /// Whether the sentence contains a name, even without its punctuation. The start of a long name is enough.
    pub(in crate::validate) fn names_loosely(&self, name: &str) -> bool {
        self.contains_name(&LooseName::of(name))
    }

    /// Like `names_loosely`, for a name that is searched for in many sentences.
    pub(in crate::validate) fn contains_name(&self, name: &LooseName) -> bool {
        let all_words = self.all_words.as_ref().unwrap_or(&self.unquoted_words).as_bytes();
        let starts_here = |from: usize| {
            let mut letters = all_words[from..].iter().filter(|byte| **byte != b' ');
            name.0.bytes().all(|byte| letters.next() == Some(&byte))
        };
        let first = name.0.as_bytes().first();
        (0..all_words.len()).any(|at| Some(&all_words[at]) == first && starts_here(at))
    }
}

/// A name without its punctuation, for a loose search.
pub(in crate::validate) struct LooseName(String);

impl LooseName {
    pub(in crate::validate) fn of(name: &str) -> Self {
        let whole = folded(name, NAME_CHARS_WHOLE + 1);
        let is_long = whole.chars().count() > NAME_CHARS_WHOLE;
        Self(if is_long { folded(&whole, NAME_CHARS_START) } else { whole })
    }
}

/// Names up to this length must occur in full. For a longer name, its first `NAME_CHARS_START` characters are enough.
const NAME_CHARS_WHOLE: usize = 24;
const NAME_CHARS_START: usize = 6;

/// The noun that a "no" negates is among this many words after it.
const NO_SUCH_WORDS: usize = 5;

/// Cues that a sentence uses to say that something is unknown.
pub(in crate::validate) const UNKNOWN: Cues = "\
    not state*|not available*|unavailable|not on record*|not on file*|not record*|not known*|unknown|not provide*|\
    not give*|not includ*|not contain*|not hold*|not held|not name*|not identif*|not specif*|not report*|\
    not carry*|not carried|not suppl*|not disclos*|not show*|not say*|not said|not establish*|not measured|\
    not determin*|not present*|not tested|not compared|not describe*|not document*|could not be|cannot be|\
    stated no|states no|held no|holds no|had no|has no|gave no|gives no|named no|carried no|carries no|withheld|\
    missing|absent|absence|lacked|lacks|lacking|without|none|neither|nor|insufficient|too few|too little|\
    never stated|unstated|undisclosed|unrecorded";
