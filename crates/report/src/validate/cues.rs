//! The cues that every sentence is asked for, found in one pass over its words: hundreds of them, looked up one by one, would
//! read each sentence as often.

use std::sync::LazyLock;

use super::{justification, language, narrative, prose};

/// Phrases to look for, separated by `|`; one that ends in `*` also finds longer words: `median*`.
pub(super) type Cues = &'static str;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Attachments,
    Baseline,
    Completed,
    First,
    Foreign,
    Hedges,
    Lengths,
    Months,
    Numbers,
    Relationships,
    Tried,
    Unknown,
    Verbs,
}

const LISTS: [(List, Cues); 13] = [
    (List::Attachments, language::ATTACHMENTS),
    (List::Baseline, justification::BASELINE),
    (List::Completed, narrative::COMPLETED),
    (List::First, narrative::FIRST),
    (List::Foreign, narrative::FOREIGN),
    (List::Hedges, language::HEDGES),
    (List::Lengths, narrative::LENGTHS),
    (List::Months, prose::MONTH_CUES),
    (List::Numbers, prose::NUMBER_CUES),
    (List::Relationships, narrative::RELATIONSHIPS),
    (List::Tried, narrative::TRIED),
    (List::Unknown, prose::UNKNOWN),
    (List::Verbs, language::VERBS),
];

/// The lists of which a sentence has a cue, a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lists(u16);

impl Lists {
    /// Of words between single spaces, and where they start.
    pub(super) fn of(spaced: &str, words: &[usize]) -> Self {
        let mut lists = 0;
        for word in words {
            let rest = &spaced.as_bytes()[*word..];
            // A last word of one letter is no cue.
            let Some(place) = place(rest) else { continue };
            for cue in &INDEX[place] {
                if rest.starts_with(&cue.text) {
                    lists |= cue.list;
                }
            }
        }
        Self(lists)
    }

    pub(super) fn has(self, list: List) -> bool {
        self.0 & bit(list) != 0
    }
}

const PLACES: usize = 1_024;

/// As it stands in a text of words: a whole word goes on with a space.
struct Cue {
    text: Vec<u8>,
    list: u16,
}

/// By a hash of how they start.
static INDEX: LazyLock<[Vec<Cue>; PLACES]> = LazyLock::new(|| {
    let mut index = [const { Vec::new() }; PLACES];
    for (list, cues) in LISTS {
        for cue in cues.split('|') {
            let text = cue.strip_suffix('*').map_or_else(|| format!("{cue} "), str::to_owned).into_bytes();
            if let Some(place) = place(&text) {
                index[place].push(Cue { text, list: bit(list) });
            }
        }
    }
    index
});

fn bit(list: List) -> u16 {
    1 << list as u16
}

fn place(text: &[u8]) -> Option<usize> {
    let [first, second, third, ..] = *text else { return None };
    Some((u32::from_le_bytes([first, second, third, 0]).wrapping_mul(0x9e37_79b1) >> 22) as usize)
}

#[cfg(test)]
mod tests {
    use countersign_domain::Section;
    use proptest::prelude::*;

    use super::*;
    use crate::validate::prose::of_text;

    #[test]
    fn every_cue_of_a_list_is_found_by_itself() {
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
        fn one_pass_finds_what_looking_for_each_cue_finds(text in words()) {
            let sentence = &of_text(&text, Section::ExecutiveSummary)[0];
            for (list, cues) in LISTS {
                prop_assert_eq!(sentence.has(list), sentence.says(cues), "{:?}: {}", list, text);
            }
        }
    }
}
