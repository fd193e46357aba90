//! Looks at the text around a candidate, a bounded distance away: a stream must be able to decide with what it holds back.

use std::ops::Range;

const BEFORE_BYTES: usize = 64;
const AFTER_BYTES: usize = 32;

/// Whether one of these lower-case words stands near the range.
pub(crate) fn near(text: &str, range: &Range<usize>, words: &[&str]) -> bool {
    let bytes = text.as_bytes();
    let before = &bytes[range.start.saturating_sub(BEFORE_BYTES)..range.start];
    let after = &bytes[range.end..bytes.len().min(range.end + AFTER_BYTES)];
    words.iter().any(|word| holds_word(before, word.as_bytes()) || holds_word(after, word.as_bytes()))
}

fn holds_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).enumerate().any(|(at, window)| {
        window.eq_ignore_ascii_case(word)
            && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
            && bytes.get(at + word.len()).is_none_or(|next| !next.is_ascii_alphanumeric())
    })
}

/// The last character before `at`.
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Whether a word could start here: nothing that belongs to a word stands before.
pub(crate) fn word_starts(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
}

/// `text[at..]`, at most `bytes_max` long, cut on a character boundary.
pub(crate) fn ahead(text: &str, at: usize, bytes_max: usize) -> &str {
    let mut end = text.len().min(at + bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[at..end]
}

/// `text[..at]`, at most its last `bytes_max`, cut on a character boundary.
pub(crate) fn behind(text: &str, at: usize, bytes_max: usize) -> &str {
    let mut start = at.saturating_sub(bytes_max);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..at]
}

/// The length of the leading run of bytes that `keep` accepts, at most `bytes_max`.
pub(crate) fn run(bytes: &[u8], bytes_max: usize, keep: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take(bytes_max).take_while(|&&byte| keep(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_word_is_whole_and_close() {
        let check = |text: &str, expected| {
            let at = text.find('#').unwrap();
            assert_eq!(near(text, &(at..at + 1), &["card"]), expected, "{text}");
        };
        check("Card: #", true);
        check("# is my card", true);
        check("discard #", false);
        check("# is cardinal", false);
        check(&format!("card {} #", "x".repeat(80)), false);
    }

    #[test]
    fn slices_keep_to_character_boundaries() {
        assert_eq!(ahead("aé€", 0, 2), "a");
        assert_eq!(behind("é€a", 6, 2), "a");
        assert_eq!(behind("a", 1, 9), "a");
    }
}
