//! The context's words and phrases, so that a name in a text can be found again, whole or cut off at its end.

use std::collections::{HashMap, HashSet};

use super::fold::spoken;

/// Of a text in the context, so much can be found again word for word.
const PHRASE_CHARS_MAX: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Phrases {
    texts: Vec<(String, String)>,
    /// Text and byte at which each of its words starts, in the order of what follows.
    starts: Vec<(u32, u32)>,
    words: HashMap<String, usize>,
    ordinary: HashSet<String>,
}

impl Phrases {
    /// Adds a text that is `spoken`.
    pub(super) fn add(&mut self, mut text: String, path: &str) {
        if let Some((cut, _)) = text.char_indices().nth(PHRASE_CHARS_MAX) {
            text.truncate(cut);
        }
        let at = self.texts.len();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if !self.words.contains_key(word) {
                self.words.insert(word.to_owned(), at);
            }
        }
        self.texts.push((text, path.to_owned()));
    }

    /// Words that may be used without being anybody's name.
    pub(super) fn add_ordinary(&mut self, text: &str) {
        for word in spoken(&text.replace('_', " ")).split(' ') {
            if !self.ordinary.contains(word) {
                self.ordinary.insert(word.to_owned());
            }
        }
    }

    pub(super) fn finish(&mut self) {
        for (at, (text, _)) in self.texts.iter().enumerate() {
            let starts = text.char_indices().filter(|(byte, _)| *byte == 0 || text.as_bytes()[byte - 1] == b' ');
            self.starts
                .extend(starts.filter_map(|(byte, _)| Some((u32::try_from(at).ok()?, u32::try_from(byte).ok()?))));
        }
        let texts = &self.texts;
        self.starts.sort_by(|a, b| rest(texts, *a).cmp(rest(texts, *b)));
    }

    /// The path of a text that holds this phrase, which is `spoken`, from one word's start to another's end.
    pub(super) fn find(&self, phrase: &str) -> Option<&str> {
        self.find_by(phrase, |after| after.is_none_or(|next| next == ' '))
    }

    /// The same, where the phrase's last word may be cut off.
    pub(super) fn find_cut(&self, phrase: &str) -> Option<&str> {
        self.find_by(phrase, |_| true)
    }

    fn find_by(&self, phrase: &str, ends: impl Fn(Option<char>) -> bool) -> Option<&str> {
        let texts = &self.texts;
        let from = self.starts.partition_point(|start| rest(texts, *start) < phrase);
        // Those that start with the phrase stand together; one that ends right there stands first, then those with a space.
        let start = self.starts.get(from)?;
        let after = rest(texts, *start).strip_prefix(phrase)?;
        ends(after.chars().next()).then(|| texts[start.0 as usize].1.as_str())
    }

    /// The path of a text that holds this word, in small letters.
    pub(super) fn word(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(|at| self.texts[*at].1.as_str())
    }

    pub(super) fn is_ordinary(&self, word: &str) -> bool {
        self.ordinary.contains(word)
    }
}

fn rest(texts: &[(String, String)], start: (u32, u32)) -> &str {
    &texts[start.0 as usize].0[start.1 as usize..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_from_word_to_word() {
        let mut phrases = Phrases::default();
        phrases.add(spoken("Blue Harbor Trading, Ltd."), "/merchant");
        phrases.add(spoken("Blue Harbors"), "/other");
        phrases.finish();
        for (phrase, path) in [
            ("blue harbor", Some("/merchant")),
            ("harbor trading ltd", Some("/merchant")),
            ("blue harbors", Some("/other")),
            ("blue harb", None),
            ("arbor", None),
        ] {
            assert_eq!(phrases.find(phrase), path, "{phrase}");
        }
        assert_eq!(phrases.find_cut("blue harbor tra"), Some("/merchant"));
        assert_eq!(phrases.word("trading"), Some("/merchant"));
    }
}
