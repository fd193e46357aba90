//! The lexicon: a map from folded words to classes. Inflected, masked and misspelt forms are added when it is first
//! used.
//!
//! Keys are 32-bit hashes without the words, so about one in two hundred thousand unlisted words is mistaken for a
//! listed one.

use std::sync::LazyLock;

use countersign_text::hash::{PrehashedMap, PrehashedSet, fnv32};

use super::class::Class;
use crate::learned::joined;

const TEXT: &str = include_str!("lexicon.txt");
/// Shorter words would resemble too many harmless words.
const SWAPPED_LETTERS_MIN: usize = 5;
const DROPPED_LETTERS_MIN: usize = 6;

#[derive(Clone, Copy, Default)]
pub(super) struct ListedWord {
    pub(super) class: Class,
    /// The number of words in the longest entry that starts with this one.
    pub(super) longest: u8,
    /// A misspelling or a masked form.
    pub(super) is_misspelt: bool,
    /// Listed on its own, not only as the start of a longer entry.
    pub(super) is_entry: bool,
}

pub(super) struct Lexicon {
    /// Entries by the hash of their word; an entry of several words by their [`joined`] hashes.
    entries: PrehashedMap<ListedWord>,
    /// Hashes of all prefixes of listed words, so that most look-ups inside a word end after a few letters.
    starts: PrehashedSet,
}

pub(super) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(TEXT));
    &LEXICON
}

/// Single-word slurs, as they are listed.
pub(super) fn slurs() -> impl Iterator<Item = &'static str> {
    entries("slur+n").filter(|entry| !entry.contains([' ', '-']))
}

/// The entries of the lines with this head, whether or not the line asks for misspellings.
pub(super) fn entries(head: &'static str) -> impl Iterator<Item = &'static str> {
    let lines = TEXT.lines().filter_map(|line| line.split_once(':'));
    let wanted = lines.filter(move |(name, _)| name.trim_end_matches('!') == head);
    wanted.flat_map(|(_, entries)| entries.split(',').map(str::trim))
}

impl Lexicon {
    /// The entry of a single word, or of several words whose hashes were [`joined`].
    pub(super) fn get(&self, hash: u32) -> Option<ListedWord> {
        self.entries.get(&hash).copied()
    }

    /// Whether a listed word starts with the letters of this hash.
    pub(super) fn starts(&self, hash: u32) -> bool {
        self.starts.contains(&hash)
    }

    fn read(text: &str) -> Self {
        let mut lexicon = Self { entries: PrehashedMap::default(), starts: PrehashedSet::default() };
        let lines = || text.lines().filter_map(LexiconLine::read);
        for line in lines() {
            for form in line.entries.split(',').flat_map(|entry| line.forms(entry.trim())) {
                lexicon.put_entry(&form, line.class);
            }
        }
        // Misspellings are added after all real words, so that they never replace one.
        for line in lines().filter(|line| line.adds_misspellings) {
            for form in line.entries.split(',').flat_map(|entry| line.forms(entry.trim())) {
                misspellings(form.as_bytes(), line.class.is_masked(), &mut |misspelt| {
                    lexicon.put(fnv32::hash(misspelt), line.class, true)
                });
            }
        }
        lexicon
    }

    fn put_entry(&mut self, form: &str, class: Class) {
        let mut words = form.split([' ', '-']).filter(|word| !word.is_empty()).map(|word| fnv32::hash(word.as_bytes()));
        let Some(first) = words.next() else { return };
        let (all, count) = words.fold((first, 1_u8), |(all, count), word| (joined(all, word), count + 1));
        self.put(all, class, false);
        if count == 1 {
            form.bytes().fold(fnv32::START, |hash, byte| {
                let hash = fnv32::extend(hash, u32::from(byte));
                self.starts.insert(hash);
                hash
            });
        }
        if count > 1 {
            let listed = self.entries.entry(first).or_default();
            listed.longest = listed.longest.max(count);
        }
    }

    fn put(&mut self, hash: u32, class: Class, is_misspelt: bool) {
        let listed = self.entries.entry(hash).or_default();
        let is_taken = listed.is_entry || (is_misspelt && listed.longest > 0);
        if !is_taken {
            *listed = ListedWord { class, longest: listed.longest.max(1), is_misspelt, is_entry: true };
        }
    }
}

struct LexiconLine<'t> {
    class: Class,
    has_nouns: bool,
    has_verbs: bool,
    adds_misspellings: bool,
    entries: &'t str,
}

impl<'t> LexiconLine<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let (head, entries) = line.split_once(':').filter(|_| !line.starts_with('#'))?;
        let (head, adds_misspellings) = head.strip_suffix('!').map_or((head, false), |head| (head, true));
        let (name, endings) = head.split_once('+').unwrap_or((head, ""));
        Some(Self {
            class: Class::named(name)?,
            has_nouns: endings == "n",
            has_verbs: endings == "v",
            adds_misspellings,
            entries,
        })
    }

    fn forms(&self, entry: &str) -> Vec<String> {
        let mut forms = vec![entry.to_owned()];
        if self.has_nouns {
            forms.push(plural(entry));
        }
        if self.has_verbs {
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

/// Calls `put` with variants of a word: two letters swapped, one omitted, or letters masked by an asterisk (runs of
/// asterisks count as one).
fn misspellings(word: &[u8], is_masked: bool, put: &mut dyn FnMut(&[u8])) {
    let n = word.len();
    if word.contains(&b' ') || n < 4 {
        return;
    }
    for at in 1..n - 1 {
        if is_masked && b"aeiou".contains(&word[at]) {
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
    if !is_masked {
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
        lexicon().get(fnv32::hash(word.as_bytes())).map(|entry| entry.class)
    }

    #[test]
    fn every_line_of_the_list_names_a_class() {
        for line in TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            assert!(LexiconLine::read(line).is_some(), "{}", line.split(':').next().unwrap_or_default());
        }
    }

    #[test]
    fn inflected_masked_and_misspelt_forms_are_known() {
        for word in ["idiots", "idoit", "idots", "id*ot", "i*t"] {
            assert_eq!(class(word), Some(Class::Insult), "{word}");
        }
        for word in ["stabbed", "killing", "murders"] {
            assert_eq!(class(word), Some(Class::KillV), "{word}");
        }
        assert_eq!(class("regression"), None);
    }
}
