//! Reading the context: an index of its words and phrases, in which stage 3 looks up names, either whole or truncated.

use crate::fold::normalised;

/// Only this many characters of each text are indexed.
const PHRASE_CHARS_MAX: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct PhraseIndex {
    /// Each text with its path.
    texts: Vec<(String, String)>,
    /// Every position where a word starts, sorted by the text from that position on.
    starts: Vec<WordStart>,
    /// The words of keys, sorted.
    ordinary: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
struct WordStart {
    /// The first bytes of the text from this position on. They usually suffice to compare two positions.
    bytes: u64,
    text: u32,
    byte: u32,
    /// The first text that contains the word at this position.
    first: u32,
}

impl PhraseIndex {
    /// Adds a text, which must be normalised (`fold::normalised`).
    pub(crate) fn add(&mut self, mut text: String, path: &str) {
        if text.len() > PHRASE_CHARS_MAX
            && let Some((cut, _)) = text.char_indices().nth(PHRASE_CHARS_MAX)
        {
            text.truncate(cut);
        }
        self.texts.push((text, path.to_owned()));
    }

    /// Adds the words of a key. A text may use them without naming anything.
    pub(crate) fn add_ordinary(&mut self, key: &str) {
        let is_plain = key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if is_plain {
            self.ordinary.extend(key.split('_').map(str::to_owned));
        } else {
            self.ordinary.extend(normalised(&key.replace('_', " ")).split(' ').map(str::to_owned));
        }
    }

    pub(crate) fn finish(&mut self) {
        self.ordinary.sort_unstable();
        self.ordinary.dedup();
        for (at, (text, _)) in self.texts.iter().enumerate() {
            let Ok(at) = u32::try_from(at) else { break };
            let starts = (0..text.len()).filter(|byte| *byte == 0 || text.as_bytes()[byte - 1] == b' ');
            self.starts.extend(starts.filter_map(|byte| {
                let bytes = first_bytes(&text[byte..]);
                Some(WordStart { bytes, text: at, byte: u32::try_from(byte).ok()?, first: at })
            }));
        }
        let texts = &self.texts;
        self.starts.sort_unstable_by(|a, b| {
            let in_text = || rest(texts, a).cmp(rest(texts, b)).then((a.text, a.byte).cmp(&(b.text, b.byte)));
            a.bytes.cmp(&b.bytes).then_with(in_text)
        });
        // Positions of equal words are now adjacent.
        for same in self.starts.chunk_by_mut(|a, b| word(texts, a) == word(texts, b)) {
            let first = same.iter().map(|start| start.text).min().unwrap_or(0);
            same.iter_mut().for_each(|start| start.first = first);
        }
    }

    /// The path of a text that contains this phrase as whole words. The phrase must be normalised (`fold::normalised`).
    pub(crate) fn find(&self, phrase: &str) -> Option<&str> {
        self.find_by(phrase, |after| after.is_none_or(|next| next == ' '))
    }

    /// Like `find`, but the last word of the phrase may be truncated.
    pub(crate) fn find_cut(&self, phrase: &str) -> Option<&str> {
        self.find_by(phrase, |_| true)
    }

    fn find_by(&self, phrase: &str, ends: impl Fn(Option<char>) -> bool) -> Option<&str> {
        let start = self.start(phrase)?;
        let after = rest(&self.texts, start).strip_prefix(phrase)?;
        ends(after.chars().next()).then(|| self.texts[start.text as usize].1.as_str())
    }

    /// The first position that does not sort before a phrase. Positions where the phrase occurs are adjacent: first
    /// those where the text ends after it, then those where a space follows.
    fn start(&self, phrase: &str) -> Option<&WordStart> {
        let bytes = first_bytes(phrase);
        let is_before =
            |start: &WordStart| start.bytes < bytes || start.bytes == bytes && rest(&self.texts, start) < phrase;
        self.starts.get(self.starts.partition_point(is_before))
    }

    /// The path of the first text that contains this word, which must be in lower case.
    pub(crate) fn word(&self, wanted: &str) -> Option<&str> {
        let start = self.start(wanted)?;
        let after = rest(&self.texts, start).strip_prefix(wanted)?;
        (after.is_empty() || after.starts_with(' ')).then(|| self.texts[start.first as usize].1.as_str())
    }

    pub(crate) fn is_ordinary(&self, word: &str) -> bool {
        !word.is_empty() && self.ordinary.binary_search_by(|known| known.as_str().cmp(word)).is_ok()
    }
}

fn rest<'t>(texts: &'t [(String, String)], start: &WordStart) -> &'t str {
    &texts[start.text as usize].0[start.byte as usize..]
}

fn word<'t>(texts: &'t [(String, String)], start: &WordStart) -> &'t str {
    let rest = rest(texts, start);
    &rest[..rest.find(' ').unwrap_or(rest.len())]
}

/// The first eight bytes as a number with the sort order of the text.
fn first_bytes(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_from_word_to_word() {
        let mut phrases = PhraseIndex::default();
        phrases.add(normalised("Blue Harbor Trading, Ltd."), "/merchant");
        phrases.add(normalised("Blue Harbors"), "/other");
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
