//! The word lists that the tagger uses; one look-up per word returns all the lists that contain it.
//!
//! Membership is only a hint: "Rose" is a name, a flower and a verb, and most names are in no list.

use countersign_text::hash::PrehashedMap;

use crate::tokenize;

pub(super) const FIRST: u32 = 1;
pub(super) const LAST: u32 = 1 << 1;
pub(super) const COUNTRY: u32 = 1 << 2;
pub(super) const CITY: u32 = 1 << 3;
/// A word of a multi-word place name, such as "New" or "Kingdom".
pub(super) const PLACE_PART: u32 = 1 << 4;
pub(super) const STATE: u32 = 1 << 5;
pub(super) const NATION: u32 = 1 << 6;
pub(super) const STREET: u32 = 1 << 7;
pub(super) const ORG: u32 = 1 << 8;
pub(super) const TITLE: u32 = 1 << 9;
pub(super) const SUFFIX: u32 = 1 << 10;
pub(super) const PARTICLE: u32 = 1 << 11;
pub(super) const JOB: u32 = 1 << 12;
pub(super) const JOB_WORD: u32 = 1 << 13;
pub(super) const CALENDAR: u32 = 1 << 14;
pub(super) const UNIT: u32 = 1 << 15;
/// A word that is usually written in lower case.
pub(super) const ORDINARY: u32 = 1 << 16;
/// A capitalised word that is not a name of any kind that the tagger looks for.
pub(super) const THING: u32 = 1 << 17;
/// Set for hyphenated words of a text; no list contains it.
pub(super) const HYPHENATED: u32 = 1 << 18;

/// The lists that would not contain an unseen name. Training hides them at random, so that the model doesn't rely on
/// them alone.
#[cfg(feature = "training")]
pub(super) const NAMES: u32 = FIRST | LAST | CITY;

/// Lists small enough that each of their words gets its own weight.
pub(super) const CLOSED: u32 =
    COUNTRY | STATE | NATION | STREET | ORG | TITLE | SUFFIX | PARTICLE | JOB | CALENDAR | UNIT | THING;

pub(super) const LISTS: [(&str, u32, &str); 16] = [
    ("first", FIRST, include_str!("lists/first.txt")),
    ("last", LAST, include_str!("lists/last.txt")),
    ("countries", COUNTRY, include_str!("lists/countries.txt")),
    ("cities", CITY, include_str!("lists/cities.txt")),
    ("states", STATE, include_str!("lists/states.txt")),
    ("nations", NATION, include_str!("lists/nations.txt")),
    ("streets", STREET, include_str!("lists/streets.txt")),
    ("orgs", ORG, include_str!("lists/orgs.txt")),
    ("titles", TITLE, include_str!("lists/titles.txt")),
    ("suffixes", SUFFIX, include_str!("lists/suffixes.txt")),
    ("particles", PARTICLE, include_str!("lists/particles.txt")),
    ("jobs", JOB, include_str!("lists/jobs.txt")),
    ("job_words", JOB_WORD, include_str!("lists/job_words.txt")),
    ("calendar", CALENDAR, include_str!("lists/calendar.txt")),
    ("units", UNIT, include_str!("lists/units.txt")),
    ("things", THING, include_str!("lists/things.txt")),
];

/// The entries of a list; an underscore represents the space inside a name.
pub(super) fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

/// The list flags of each word, keyed by the hash that `tokenize` has already computed.
pub(super) struct Gazetteer {
    flags: PrehashedMap<u32>,
}

impl Gazetteer {
    /// `ordinary` contains little-endian hashes of words that are usually written in lower case.
    pub(super) fn new(ordinary: &[u8]) -> Self {
        let mut gazetteer = Self { flags: PrehashedMap::default() };
        for (_, flag, list) in LISTS {
            for entry in entries(list) {
                gazetteer.add_entry(entry, flag);
            }
        }
        for hash in ordinary.as_chunks::<4>().0 {
            gazetteer.add(u32::from_le_bytes(*hash), ORDINARY);
        }
        gazetteer
    }

    fn add_entry(&mut self, entry: &str, flag: u32) {
        let place = flag & (COUNTRY | CITY | STATE) != 0;
        if !entry.contains('_') {
            self.add(tokenize::hash(entry), flag);
            if flag == NATION {
                self.add(tokenize::hash(&format!("{entry}s")), flag);
            }
            return;
        }
        for part in entry.split('_') {
            self.add(tokenize::hash(part), if place { PLACE_PART } else { flag });
        }
    }

    fn add(&mut self, hash: u32, flag: u32) {
        *self.flags.entry(hash).or_default() |= flag;
    }

    pub(super) fn flags(&self, hash: u32) -> u32 {
        self.flags.get(&hash).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_several_lists_has_all_their_flags() {
        let gazetteer = Gazetteer::new(&tokenize::hash("rose").to_le_bytes());
        let of = |word| gazetteer.flags(tokenize::hash(word));
        assert_eq!(of("rose"), FIRST | LAST | ORDINARY);
        assert_eq!(of("cambodians"), NATION);
        assert_eq!(of("kingdom"), PLACE_PART);
        assert_eq!(of("qwertz"), 0);
    }
}
