//! The lexicon as a table from folded words to classes, with endings, masked and misspelt forms made when it is first used.
//!
//! Keys are hashes alone: a word that is not listed is taken for a listed one about once in two hundred thousand.

use std::sync::LazyLock;

use super::class::Class;
use crate::learned::joined;

const TEXT: &str = include_str!("lexicon.txt");
const SLOTS_LOG2: u32 = 16;
const SLOTS: usize = 1 << SLOTS_LOG2;
const STARTS_LOG2: u32 = 17;
/// Shorter words have too many harmless neighbours.
const SWAPPED_LETTERS_MIN: usize = 5;
const DROPPED_LETTERS_MIN: usize = 6;

#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    hash: u32,
    pub(super) class: Class,
    /// Words of the longest entry that starts with this one.
    pub(super) longest: u8,
    /// A misspelling or a masked form.
    pub(super) bent: bool,
    /// Stands in the list by itself, not only as the start of a longer entry.
    pub(super) whole: bool,
}

pub(super) struct Lexicon {
    slots: Vec<Entry>,
    /// Bits of the hashes of what words start with, so that most look-ups inside a word end after a few letters.
    starts: Vec<u64>,
}

pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(TEXT));
    &LEXICON
}

const FNV_START: u32 = 0x811c_9dc5;

pub(super) fn hash(folded: &[u8]) -> u32 {
    folded.iter().fold(FNV_START, |hash, &byte| extended(hash, byte))
}

/// The hash of a word that is longer by one letter.
pub(super) fn extended(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

pub(super) const HASH_START: u32 = FNV_START;

/// Slurs that are one word, as they are listed.
pub(super) fn slurs() -> impl Iterator<Item = &'static str> {
    entries("slur+n").filter(|entry| !entry.contains([' ', '-']))
}

/// The entries of the lines with this head, whether or not it asks for misspellings.
pub(super) fn entries(head: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = TEXT.lines().filter_map(|line| line.split_once(':'));
    let wanted = lines.filter(move |(name, _)| name.trim_end_matches('!') == head);
    wanted.flat_map(|(_, entries)| entries.split(',').map(str::trim))
}

impl Lexicon {
    /// The entry of one word, or of several whose hashes were [`joined`].
    pub(super) fn get(&self, hash: u32) -> Option<Entry> {
        let mut at = slot(hash);
        loop {
            let entry = self.slots[at];
            if entry.longest == 0 {
                return None;
            }
            if entry.hash == hash {
                return Some(entry);
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// Whether a listed word may start with the letters of this hash; wrongly yes now and then.
    pub(super) fn starts(&self, hash: u32) -> bool {
        let (at, bit) = start_bit(hash);
        self.starts[at] & bit != 0
    }

    fn read(text: &str) -> Self {
        let starts = vec![0; 1 << (STARTS_LOG2 - 6)];
        let mut lexicon = Self { slots: vec![Entry::default(); SLOTS], starts };
        let lines = || text.lines().filter_map(Line::read);
        for line in lines() {
            for form in line.entries.split(',').flat_map(|entry| line.forms(entry.trim())) {
                lexicon.put_entry(&form, line.class);
            }
        }
        // After every true word, so that no misspelling takes the place of one.
        for line in lines().filter(|line| line.bends) {
            for form in line.entries.split(',').flat_map(|entry| line.forms(entry.trim())) {
                bent(form.as_bytes(), line.class.is_masked(), &mut |bent| lexicon.put(hash(bent), line.class, true));
            }
        }
        lexicon
    }

    fn put_entry(&mut self, form: &str, class: Class) {
        let mut words = form.split([' ', '-']).filter(|word| !word.is_empty()).map(|word| hash(word.as_bytes()));
        let Some(first) = words.next() else { return };
        let (all, count) = words.fold((first, 1_u8), |(all, count), word| (joined(all, word), count + 1));
        self.put(all, class, false);
        if count == 1 {
            form.bytes().fold(HASH_START, |hash, byte| {
                let hash = extended(hash, byte);
                let (at, bit) = start_bit(hash);
                self.starts[at] |= bit;
                hash
            });
        }
        if count > 1 {
            let at = self.place(first);
            self.slots[at].hash = first;
            self.slots[at].longest = self.slots[at].longest.max(count);
        }
    }

    fn put(&mut self, hash: u32, class: Class, bent: bool) {
        let at = self.place(hash);
        let entry = &mut self.slots[at];
        let taken = entry.whole || (bent && entry.longest > 0);
        if !taken {
            *entry = Entry { hash, class, longest: entry.longest.max(1), bent, whole: true };
        }
    }

    fn place(&self, hash: u32) -> usize {
        let mut at = slot(hash);
        while self.slots[at].longest > 0 && self.slots[at].hash != hash {
            at = (at + 1) % SLOTS;
        }
        at
    }
}

fn start_bit(hash: u32) -> (usize, u64) {
    let bit = hash.wrapping_mul(0x85EB_CA6B) >> (32 - STARTS_LOG2);
    ((bit >> 6) as usize, 1 << (bit & 63))
}

fn slot(hash: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS_LOG2)) as usize
}

struct Line<'t> {
    class: Class,
    nouns: bool,
    verbs: bool,
    bends: bool,
    entries: &'t str,
}

impl<'t> Line<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let (head, entries) = line.split_once(':').filter(|_| !line.starts_with('#'))?;
        let (head, bends) = head.strip_suffix('!').map_or((head, false), |head| (head, true));
        let (name, endings) = head.split_once('+').unwrap_or((head, ""));
        Some(Self { class: Class::named(name)?, nouns: endings == "n", verbs: endings == "v", bends, entries })
    }

    fn forms(&self, entry: &str) -> Vec<String> {
        let mut forms = vec![entry.to_owned()];
        if self.nouns {
            forms.push(plural(entry));
        }
        if self.verbs {
            let (first, rest) = entry.split_at(entry.find(' ').unwrap_or(entry.len()));
            forms.extend(verb(first).map(|form| form + rest));
        }
        forms
    }
}

fn plural(noun: &str) -> String {
    match noun.as_bytes() {
        [.., b'y'] if !noun.ends_with(['a', 'e', 'o']) && !noun.ends_with("ey") && !noun.ends_with("ay") => {
            format!("{}ies", &noun[..noun.len() - 1])
        }
        [.., b's' | b'x'] | [.., b'c' | b's', b'h'] => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

fn verb(first: &str) -> [String; 5] {
    let stem = first.strip_suffix('e').unwrap_or(first);
    let doubled = match first.as_bytes() {
        [.., a, b'b' | b'g' | b'p' | b't' | b'n' | b'm'] if b"aiou".contains(a) && first.len() < 5 => {
            format!("{first}{}", &first[first.len() - 1..])
        }
        _ => stem.to_owned(),
    };
    [
        plural(first).replace("ies", "ys"),
        format!("{doubled}ed"),
        format!("{doubled}ing"),
        format!("{doubled}in"),
        format!("{doubled}er"),
    ]
}

/// A word with two letters swapped, one left out, or letters masked by a star (runs of stars count as one).
fn bent(word: &[u8], masked: bool, put: &mut dyn FnMut(&[u8])) {
    let n = word.len();
    if word.contains(&b' ') || n < 4 {
        return;
    }
    for at in 1..n - 1 {
        if masked && b"aeiou".contains(&word[at]) {
            put(&[&word[..at], b"*", &word[at + 1..]].concat());
        }
        if n >= DROPPED_LETTERS_MIN {
            put(&[&word[..at], &word[at + 1..]].concat());
        }
        if n >= SWAPPED_LETTERS_MIN && at + 1 < n && word[at] != word[at + 1] {
            let mut swapped = word.to_vec();
            swapped.swap(at, at + 1);
            put(&swapped);
        }
    }
    if !masked {
        return;
    }
    put(&[&word[..1], b"*", &word[n - 1..]].concat());
    if let Some(rest) = word.strip_suffix(b"ing") {
        put(&[&rest[..1], b"*ing"].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(word: &str) -> Option<Class> {
        lexicon().get(hash(word.as_bytes())).map(|entry| entry.class)
    }

    #[test]
    fn every_line_of_the_list_names_a_class() {
        for line in TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            assert!(Line::read(line).is_some(), "{}", line.split(':').next().unwrap_or_default());
        }
    }

    #[test]
    fn there_is_room_in_the_table() {
        let used = lexicon().slots.iter().filter(|entry| entry.longest > 0).count();
        assert!(used * 2 < SLOTS, "{used}");
    }

    #[test]
    fn endings_masks_and_misspellings_are_known() {
        for word in ["idiots", "idoit", "idots", "id*ot", "i*t"] {
            assert_eq!(class(word), Some(Class::Insult), "{word}");
        }
        for word in ["stabbed", "killing", "murders"] {
            assert_eq!(class(word), Some(Class::KillV), "{word}");
        }
        assert_eq!(class("regression"), None);
    }
}
