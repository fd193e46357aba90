//! Words as Postgres stores and searches them: the text of a `tsvector` and of a `tsquery`. Both are made here, without
//! Postgres's own parser, whose rules depend on settings.

use std::collections::BTreeSet;

use countersign_ledger::sha256;

use crate::{
    derive::{
        log_search::{self, LogTexts, MARK, WORDS_MAX, block_tag},
        words::words,
    },
    logs::LogQuery,
};

/// Sizes of blocks of positions, as exponents of two. Changing them makes an existing index useless.
pub(super) const BLOCKS: [u32; 4] = [10, 14, 17, 20];

/// A longer word is indexed by its hash. Postgres allows 2,046 bytes, but short words keep the index small.
const WORD_BYTES_MAX: usize = 100;
/// A log with more words is found by reading its text. Postgres allows 1 MiB.
const VECTOR_BYTES_MAX: usize = 256 * 1024;

/// What the index has of a log.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LogVector {
    /// The text of a `tsvector`.
    pub(super) words: String,
    /// Whether all words are in it. Otherwise only the tags are.
    pub(super) is_whole: bool,
}

impl LogVector {
    pub(super) fn of(seq: u64, score: u8, payload: &str) -> Self {
        let tags = log_search::tags(seq, score, &BLOCKS).into_iter();
        match lexemes(&LogTexts::of(payload)) {
            Some(words) => Self { words: joined(tags.chain(words), " "), is_whole: true },
            None => Self { words: joined(tags, " "), is_whole: false },
        }
    }
}

/// The different words of these texts, unless they are too many.
fn lexemes(texts: &LogTexts<'_>) -> Option<BTreeSet<String>> {
    let (mut lexemes, mut bytes) = (BTreeSet::new(), 0);
    for word in words_of(texts).map(lexeme) {
        let length = word.len();
        if lexemes.insert(word) {
            bytes += length;
        }
        if bytes > VECTOR_BYTES_MAX {
            return None;
        }
    }
    Some(lexemes)
}

fn words_of(texts: &LogTexts<'_>) -> impl Iterator<Item = String> {
    words(&texts.query).chain(words(&texts.response))
}

/// A word as it is indexed. No word contains the mark, so none equals a hash.
fn lexeme(word: String) -> String {
    if word.len() <= WORD_BYTES_MAX { word } else { format!("{MARK}h{}", sha256(word.as_bytes())) }
}

/// A word of a search's text, quoted so that Postgres takes it literally.
fn quoted(lexeme: &str) -> String {
    format!("'{}'", lexeme.replace('\\', "\\\\").replace('\'', "''"))
}

fn joined(lexemes: impl Iterator<Item = String>, separator: &str) -> String {
    lexemes.map(|lexeme| quoted(&lexeme)).collect::<Vec<_>>().join(separator)
}

/// The words of a search, all of which must occur.
pub(in crate::postgres) struct SearchWords {
    words: BTreeSet<String>,
    /// The text of a `tsquery` for the words and the scores.
    expression: String,
}

impl SearchWords {
    /// `None` if there is no word in the query's text.
    pub(in crate::postgres) fn of(query: &LogQuery) -> Option<Self> {
        let found: BTreeSet<String> = words(&log_search::query_text(query)?).collect();
        let words: BTreeSet<String> = found.into_iter().take(WORDS_MAX).collect();
        if words.is_empty() {
            return None;
        }
        let mut expression = joined(words.iter().cloned().map(lexeme), " & ");
        if let Some(tags) = log_search::score_tags(query.min_score, query.max_score) {
            expression = format!("{expression} & ({})", joined(tags.into_iter(), " | "));
        }
        Some(Self { words, expression })
    }

    /// The text of a `tsquery` that finds these words in the block that contains a position.
    pub(super) fn in_block(&self, seq: u64, block: u32) -> String {
        format!("{} & {}", self.expression, quoted(&block_tag(seq, block)))
    }

    /// Whether all words occur in the texts of this payload.
    pub(super) fn are_in(&self, payload: &str) -> bool {
        let texts = LogTexts::of(payload);
        let mut missing: BTreeSet<&str> = self.words.iter().map(String::as_str).collect();
        words_of(&texts).any(|word| {
            missing.remove(word.as_str());
            missing.is_empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(query: &str) -> String {
        serde_json::json!({ "query": query, "response": "" }).to_string()
    }

    #[test]
    fn a_log_is_indexed_under_its_tags_and_words() {
        let vector = LogVector::of(5_000, 5, &payload("It isn't \u{E000}9"));
        let tags = "'\u{E000}5' '\u{E000}w' '\u{E000}10x4' '\u{E000}14x0' '\u{E000}17x0' '\u{E000}20x0'";
        assert_eq!(vector, LogVector { words: format!("{tags} '9' 'isn' 'it' 't'"), is_whole: true });
    }

    #[test]
    fn a_log_with_too_many_words_has_only_its_tags() {
        let many: String = (0..60_000).map(|n| format!("a{n} ")).collect();
        let vector = LogVector::of(0, 5, &payload(&many));
        assert!(!vector.is_whole && vector.words.len() < 100, "{vector:?}");
        assert!(LogVector::of(0, 5, &payload(&"again ".repeat(100_000))).is_whole);
    }

    #[test]
    fn a_long_word_is_hashed_in_the_index_and_in_searches() {
        let long = "é".repeat(200);
        let vector = LogVector::of(0, 5, &payload(&long));
        let query = LogQuery { text: Some(long.clone()), ..LogQuery::default() };
        let words = SearchWords::of(&query).unwrap();
        assert_eq!(words.expression, quoted(&lexeme("e".repeat(200))));
        assert!(vector.words.ends_with(&words.expression) && vector.words.len() < 200, "{vector:?}");
        assert!(words.are_in(&payload(&long)) && !words.are_in(&payload("e")));
    }

    #[test]
    fn a_search_names_its_words_scores_and_block() {
        let query = LogQuery { text: Some("Don't".into()), min_score: 3, max_score: 6, ..LogQuery::default() };
        let expression = SearchWords::of(&query).unwrap().in_block(1_024, 10);
        assert_eq!(expression, "'don' & 't' & ('\u{E000}w' | '\u{E000}3') & '\u{E000}10x1'");
        assert!(SearchWords::of(&LogQuery { text: Some("?!".into()), ..LogQuery::default() }).is_none());
        assert!(SearchWords::of(&LogQuery::default()).is_none());
    }

    #[test]
    fn all_words_must_occur() {
        let words = SearchWords::of(&LogQuery { text: Some("b a".into()), ..LogQuery::default() }).unwrap();
        assert!(words.are_in(r#"{"query":"A","response":"B"}"#));
        assert!(!words.are_in(r#"{"query":"A","response":"c"}"#));
        assert!(!words.are_in("damaged"));
    }
}
