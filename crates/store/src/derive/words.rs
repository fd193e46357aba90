//! Splits texts into words exactly as the tokenizer of SQLite's index does (FTS5's `unicode61 remove_diacritics 2`), so that a
//! search finds the same logs on every database.
//!
//! A word is a run of letters, digits and private-use characters. Case and accents are removed. Combining accents inside a word
//! are dropped; other marks and all other characters end the word.

use std::{iter, str::Chars, sync::LazyLock};

use super::word_tables::{BOUNDARIES, DROPPED_MARKS, LATIN, PAIRS};

/// The words of a text, in their order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text.chars();
    iter::from_fn(move || next_word(&mut rest))
}

fn next_word(rest: &mut Chars<'_>) -> Option<String> {
    let mut word = String::new();
    for character in rest {
        match folded(character) {
            Some(letter) => word.push(letter),
            None if word.is_empty() || is_dropped(character) => {}
            None => break,
        }
    }
    (!word.is_empty()).then_some(word)
}

/// A character of a word in lower case and without accents. `None` if it can't be part of a word.
fn folded(character: char) -> Option<char> {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric().then(|| character.to_ascii_lowercase());
    }
    let code = u32::from(character);
    // Before the first boundary, and after every second one, are characters that can't be part of a word.
    if BOUNDARIES.partition_point(|boundary| *boundary <= code).is_multiple_of(2) {
        return None;
    }
    let at = FOLDED.binary_search_by_key(&character, |(from, _)| *from).ok();
    Some(at.and_then(|at| FOLDED.get(at)).map_or(character, |(_, to)| *to))
}

fn is_dropped(character: char) -> bool {
    DROPPED_MARKS.binary_search(&u32::from(character)).is_ok()
}

/// Characters that are replaced in words, and by what, in the characters' order.
static FOLDED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let latin = LATIN.iter().flat_map(|(to, from)| from.chars().map(|from| (from, *to)));
    let mut pairs = PAIRS.chars();
    let others = iter::from_fn(|| pairs.next().zip(pairs.next()));
    let mut folded: Vec<_> = latin.chain(others).collect();
    folded.sort_unstable();
    folded
});

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        check("", &[]);
        check("?! -", &[]);
        check("don't PANIC", &["don", "t", "panic"]);
        check("10.1.2.3 and snake_case", &["10", "1", "2", "3", "and", "snake", "case"]);
        check("中文 текст", &["中文", "текст"]);
        check("a\0b", &["a", "b"]);
    }

    #[test]
    fn case_and_accents_are_removed() {
        check("Straße in São Paulo", &["straße", "in", "sao", "paulo"]);
        check("e\u{301}tude Ærø ΣΊΣΥΦΟΣ", &["etude", "ærø", "σίσυφοσ"]);
    }

    #[test]
    fn a_mark_outside_a_word_begins_no_word() {
        check("\u{301}a \u{301} b", &["a", "b"]);
    }
}
