//! Finds the cues of all lists in one pass over a sentence's words. Searching for hundreds of cues one by one would
//! read each sentence hundreds of times.

use std::sync::LazyLock;

use countersign_text::hash::PrehashedMap;

use super::{justification, language, narrative, prose};

/// Phrases to look for, separated by `|`. A phrase that ends in `*` also matches longer words: `median*`.
pub(super) type Cues = &'static str;

/// A list of cues that the index finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CueList {
    Attachments,
    Attempted,
    Baseline,
    Completed,
    First,
    Foreign,
    Hedges,
    Lengths,
    Months,
    Numbers,
    Relationships,
    Unknown,
    Verbs,
}

const LISTS: [(CueList, Cues); 13] = [
    (CueList::Attachments, language::ATTACHMENTS),
    (CueList::Attempted, narrative::ATTEMPTED),
    (CueList::Baseline, justification::BASELINE),
    (CueList::Completed, narrative::COMPLETED),
    (CueList::First, narrative::FIRST),
    (CueList::Foreign, narrative::FOREIGN),
    (CueList::Hedges, language::HEDGES),
    (CueList::Lengths, narrative::LENGTHS),
    (CueList::Months, prose::MONTH_CUES),
    (CueList::Numbers, prose::NUMBER_CUES),
    (CueList::Relationships, narrative::RELATIONSHIPS),
    (CueList::Unknown, prose::UNKNOWN),
    (CueList::Verbs, language::VERBS),
];

/// The lists from which a sentence contains a cue, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CueLists(u16);

impl CueLists {
    /// The lists from which a text contains a cue. `spaced` is its words between single spaces, and `words` their offsets.
    pub(super) fn of(spaced: &str, words: &[usize]) -> Self {
        let mut lists = 0;
        for word in words {
            let rest = &spaced.as_bytes()[*word..];
            // A last word of one letter can't be a cue.
            let Some(cues) = start_of(rest).and_then(|start| INDEX.get(&start)) else { continue };
            for cue in cues {
                if rest.starts_with(&cue.text) {
                    lists |= cue.list;
                }
            }
        }
        Self(lists)
    }

    pub(super) fn has(self, list: CueList) -> bool {
        self.0 & bit(list) != 0
    }
}

/// A cue as it occurs in a spaced text: a whole word ends in a space.
struct Cue {
    text: Vec<u8>,
    list: u16,
}

/// The cues by their first three bytes.
static INDEX: LazyLock<PrehashedMap<Vec<Cue>>> = LazyLock::new(|| {
    let mut index = PrehashedMap::<Vec<Cue>>::default();
    for (list, cues) in LISTS {
        for cue in cues.split('|') {
            let text = cue.strip_suffix('*').map_or_else(|| format!("{cue} "), str::to_owned).into_bytes();
            if let Some(start) = start_of(&text) {
                index.entry(start).or_default().push(Cue { text, list: bit(list) });
            }
        }
    }
    index
});

fn bit(list: CueList) -> u16 {
    1 << list as u16
}

/// The first three bytes of a text, as a number.
fn start_of(text: &[u8]) -> Option<u32> {
    let [first, second, third, ..] = *text else { return None };
    Some(u32::from_le_bytes([first, second, third, 0]))
}

#[cfg(test)]
mod tests {
    use countersign_domain::Section;
    use proptest::prelude::*;

    use super::*;
    use crate::validate::prose::of_text;

    #[test]
    fn every_cue_of_every_list_is_found() {
        for (list, cues) in LISTS {
            for cue in cues.split('|') {
                let text = format!("So {}", cue.replace('*', "ing"));
                assert!(of_text(&text, Section::ExecutiveSummary)[0].has(list), "{list:?}: {cue}");
            }
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let cues: Vec<&str> = LISTS.iter().flat_map(|(_, cues)| cues.split('|')).collect();
        let cue = prop::sample::select(cues).prop_flat_map(|cue| {
            prop::sample::select(vec![
                cue.replace('*', ""),
                cue.replace('*', "s"),
                format!("{cue}x"),
                format!("x{cue}"),
            ])
        });
        prop::collection::vec(prop_oneof![cue, "[a-z]{1,4}"], 1..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn one_pass_finds_the_same_as_a_search_for_each_cue(text in words()) {
            let sentence = &of_text(&text, Section::ExecutiveSummary)[0];
            for (list, cues) in LISTS {
                prop_assert_eq!(sentence.has(list), sentence.says(cues), "{:?}: {}", list, text);
            }
        }
    }
}
