//! Computes the stem of a word as a hash: "decides", "decided" and "decision" should have the same stem, "hopeful" and
//! "hopeless" should not.
//!
//! Rules remove endings, after a small table of irregular forms. The result need not be linguistically correct, because
//! both sides of a comparison are stemmed. A word with non-ASCII letters is its own stem.

use std::sync::LazyLock;

use countersign_text::hash::{PrehashedMap, fnv32};

use crate::tokenize;

const LETTERS_MAX: usize = 40;

/// The lower-case ASCII letters and digits of a word; rules shorten it in place.
struct Letters {
    bytes: [u8; LETTERS_MAX],
    len: usize,
}

/// The hash of the word's stem. Equal hashes are treated as equal stems.
pub(super) fn stem(word: &str) -> u32 {
    let Some(mut letters) = Letters::of(word) else {
        return tokenize::hash(word);
    };
    if let Some(&plain) = IRREGULAR.get(&letters.hash()) {
        return plain;
    }
    letters.cut();
    letters.hash()
}

static IRREGULAR: LazyLock<PrehashedMap<u32>> = LazyLock::new(|| {
    let mut forms = PrehashedMap::default();
    for line in super::lexicon::lines(include_str!("lists/irregular.txt")) {
        let mut words = line.split_whitespace();
        let Some(mut plain) = words.next().and_then(Letters::of) else { continue };
        plain.cut();
        for form in words.filter_map(Letters::of) {
            forms.entry(form.hash()).or_insert(plain.hash());
        }
    }
    forms
});

impl Letters {
    fn of(word: &str) -> Option<Self> {
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        if word.is_empty() || word.len() > LETTERS_MAX || !word.is_ascii() {
            return None;
        }
        let mut bytes = [0; LETTERS_MAX];
        bytes[..word.len()].copy_from_slice(word.as_bytes());
        bytes.make_ascii_lowercase();
        Some(Self { bytes, len: word.len() })
    }

    fn hash(&self) -> u32 {
        fnv32::hash(self.word())
    }

    fn word(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn ends(&self, ending: &[u8]) -> bool {
        self.word().ends_with(ending)
    }

    /// Removes an ending if at least `keep` letters remain before it.
    fn drop(&mut self, ending: &[u8], keep: usize) -> bool {
        let fits = self.ends(ending) && self.len >= ending.len() + keep;
        if fits {
            self.len -= ending.len();
        }
        fits
    }

    fn has_vowel(&self) -> bool {
        self.word().iter().any(|byte| b"aeiouy".contains(byte))
    }

    /// Shortens the word to its stem.
    fn cut(&mut self) {
        self.make_singular();
        self.unify_spelling();
        if self.drop(b"ing", 3) || self.drop(b"ed", 3) {
            if !self.has_vowel() {
                // "string" is not a form of "str".
                self.len += if self.bytes[self.len] == b'i' { 3 } else { 2 };
            }
        } else {
            self.drop_derivation();
        }
        self.tidy();
    }

    fn last(&self) -> u8 {
        self.word().last().copied().unwrap_or_default()
    }

    fn make_singular(&mut self) {
        if self.last() != b's' {
            return;
        }
        if self.ends(b"ies") && self.len > 4 {
            self.len -= 2;
            self.bytes[self.len - 1] = b'y';
        } else if [&b"sses"[..], b"xes", b"zes", b"ches", b"shes"].iter().any(|ending| self.ends(ending)) {
            self.len -= 2;
        } else if self.ends(b"s") && self.len > 3 && !self.ends(b"ss") && !self.ends(b"us") && !self.ends(b"is") {
            self.len -= 1;
        }
    }

    /// Maps British and American spellings to the same stem.
    fn unify_spelling(&mut self) {
        if !b"degnr".contains(&self.last()) {
            return;
        }
        for (british, shared) in
            [(&b"isation"[..], &b"ization"[..]), (b"ising", b"izing"), (b"ised", b"ized"), (b"ise", b"ize")]
        {
            if self.len > british.len() + 2 && self.ends(british) {
                let from = self.len - british.len();
                self.bytes[from..self.len].copy_from_slice(shared);
            }
        }
        if self.len > 4 && self.ends(b"our") {
            self.bytes[self.len - 2] = b'r';
            self.len -= 1;
        }
    }

    /// Removes an ending that derives one word from another: "-ation", "-ment", "-ly".
    fn drop_derivation(&mut self) {
        if !b"lnrsty".contains(&self.last()) {
            return;
        }
        if self.drop(b"ization", 3) {
            return self.push(b"iz");
        }
        if self.drop(b"ation", 5) || self.drop(b"ement", 4) || self.drop(b"ment", 4) || self.drop(b"ness", 4) {
            return;
        }
        let _ = self.drop(b"ion", 4)
            || self.drop(b"ity", 5)
            || self.drop(b"al", 5)
            || self.drop(b"er", 4)
            || self.drop(b"or", 5);
        self.drop(b"ly", 4);
    }

    fn push(&mut self, ending: &[u8]) {
        self.bytes[self.len..self.len + ending.len()].copy_from_slice(ending);
        self.len += ending.len();
    }

    fn tidy(&mut self) {
        self.drop(b"e", 3);
        self.drop(b"at", 5);
        if let [.., before, last] = *self.word()
            && before == last
            && self.len > 3
            && last != b's'
        {
            self.len -= 1;
        }
        if self.ends(b"y") && self.len > 2 {
            self.bytes[self.len - 1] = b'i';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            "decide decides decided deciding decision Decided",
            "create creates created creating creation",
            "inform informs informed information",
            "compensate compensated compensation compensating",
            "organise organize organisation organization organised",
            "colour color colours",
            "study studies studied",
            "buy bought buys",
            "travel travelled travelling traveling",
            "manage manager managers managed",
            "child children child's",
            "quick quickly",
        ] {
            let stems: Vec<u32> = forms.split(' ').map(stem).collect();
            assert!(stems.iter().all(|&other| other == stems[0]), "{forms}: {stems:?}");
        }
    }

    #[test]
    fn different_words_have_different_stems() {
        for (one, other) in
            [("hopeful", "hopeless"), ("string", "strike"), ("red", "read"), ("able", "unable"), ("in", "inn")]
        {
            assert_ne!(stem(one), stem(other), "{one} {other}");
        }
    }
}
