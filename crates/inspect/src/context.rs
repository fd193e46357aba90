//! Looks at the text around a candidate, a bounded distance away: a stream must be able to decide with what it holds back.

use std::ops::Range;

pub(crate) const BEFORE_BYTES: usize = 64;
pub(crate) const AFTER_BYTES: usize = 32;

/// Lower-case words and phrases to look for, at most 64. Found by their first two letters, so that most of a text costs two looks.
pub(crate) struct Words {
    words: &'static [&'static str],
    /// For each letter, and at last for anything else, which of the words start with it.
    by_first: [u64; LETTERS + 1],
    /// The same for the second letter. Words of one letter may be followed by anything.
    by_second: [u64; LETTERS + 1],
}

const LETTERS: usize = 26;

impl Words {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        assert!(words.len() <= 64, "one bit each");
        let (mut by_first, mut by_second) = ([0; LETTERS + 1], [0; LETTERS + 1]);
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            by_first[letter(word[0])] |= 1 << at;
            let mut second = 0;
            while second <= LETTERS {
                if word.len() == 1 || letter(word[1]) == second {
                    by_second[second] |= 1 << at;
                }
                second += 1;
            }
            at += 1;
        }
        Self { words, by_first, by_second }
    }

    /// Where one of the words that starts here ends.
    fn end_at(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let second = bytes.get(start + 1).map_or(LETTERS, |byte| letter(*byte));
        let mut left = self.by_first[letter(bytes[start])] & self.by_second[second];
        while left != 0 {
            let word = self.words[left.trailing_zeros() as usize].as_bytes();
            left &= left - 1;
            let end = start + word.len();
            let same = bytes.get(start..end).is_some_and(|written| written.eq_ignore_ascii_case(word));
            if same && bytes.get(end).is_none_or(|next| !next.is_ascii_alphanumeric()) {
                return Some(end);
            }
        }
        None
    }
}

const fn letter(byte: u8) -> usize {
    match byte.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => (letter - b'a') as usize,
        _ => LETTERS,
    }
}

/// Whether one of these words stands near the range.
pub(crate) fn near(text: &str, range: &Range<usize>, words: &Words) -> bool {
    distance(text, range, words).is_some()
}

/// Whether one of these words stands near the range, in the same sentence, and none of the others stands nearer before it.
pub(crate) fn near_in_sentence(text: &str, range: &Range<usize>, words: &Words, others: &Words) -> bool {
    let one_sentence = |gap: &[u8]| !gap.windows(2).any(|pair| b".!?;".contains(&pair[0]) && pair[1] == b' ');
    let bytes = text.as_bytes();
    let before = distance_before(text, range.start, words, BEFORE_BYTES).is_some_and(|gap| {
        one_sentence(&bytes[range.start - gap..range.start])
            && distance_before(text, range.start, others, gap).is_none()
    });
    before
        || distance_after(text, range.end, words, AFTER_BYTES)
            .is_some_and(|gap| one_sentence(&bytes[range.end..range.end + gap]))
}

/// How many bytes lie between the range and the nearest of these words, before it or after it.
pub(crate) fn distance(text: &str, range: &Range<usize>, words: &Words) -> Option<usize> {
    let before = distance_before(text, range.start, words, BEFORE_BYTES);
    before.into_iter().chain(distance_after(text, range.end, words, AFTER_BYTES)).min()
}

/// How many bytes lie between the last of these words before `at` and `at`; the word starts at most `reach` before.
pub(crate) fn distance_before(text: &str, at: usize, words: &Words, reach: usize) -> Option<usize> {
    #[cfg(test)]
    work::add(reach);
    let bytes = text.as_bytes();
    let start = at.saturating_sub(reach);
    if !may_hold_words(&bytes[start..at]) {
        return None;
    }
    (start..at)
        .rev()
        .filter(|&start| word_could_start(bytes, start))
        .find_map(|start| words.end_at(&bytes[..at], start))
        .map(|end| at - end)
}

/// How many bytes lie between `at` and the first of these words after it; the word ends at most `reach` after.
pub(crate) fn distance_after(text: &str, at: usize, words: &Words, reach: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    #[cfg(test)]
    work::add(reach);
    let reached = bytes.len().min(at + reach);
    if !may_hold_words(&bytes[at..reached]) {
        return None;
    }
    (at..reached)
        .find(|&start| word_could_start(bytes, start) && words.end_at(bytes, start).is_some_and(|end| end <= reached))
        .map(|start| start - at)
}

/// Letters have this bit, digits and most marks don't: columns of numbers are left at once.
fn may_hold_words(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |seen, byte| seen | byte) & 0x40 != 0
}

fn word_could_start(bytes: &[u8], at: usize) -> bool {
    match CLASSES[usize::from(bytes[at])] {
        Class::Opening => true,
        Class::Letter => at == 0 || !matches!(CLASSES[usize::from(bytes[at - 1])], Class::Letter | Class::Digit),
        Class::Digit | Class::Other => false,
    }
}

#[derive(Clone, Copy)]
enum Class {
    /// The first byte of a character beyond ASCII.
    Opening,
    Letter,
    Digit,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0xC0.. => Class::Opening,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Where the first byte of a class stands, from `at` on. Reads eight at a time, because most bytes of a text are of none.
pub(crate) fn find_class(bytes: &[u8], at: usize, class: &[bool; 256]) -> Option<usize> {
    let is_one = |byte: &u8| class[usize::from(*byte)];
    let rest = bytes.get(at..)?;
    let (blocks, tail) = rest.as_chunks::<8>();
    let block = blocks.iter().position(|block| block.iter().fold(false, |found, byte| found | is_one(byte)));
    let from = block.map_or(rest.len() - tail.len(), |block| block * 8);
    rest[from..].iter().position(is_one).map(|found| at + from + found)
}

/// The last character before `at`.
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    match *text.as_bytes().get(at.wrapping_sub(1))? {
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => text[..at].chars().next_back(),
    }
}

/// Whether a character is part of a word that another one beside it belongs to. Scripts that write without spaces don't join:
/// a number or a name in Latin letters may stand right between them.
pub(crate) fn joins(letter: char) -> bool {
    match letter {
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric(),
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{A4CF}' => false,
        '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}' => {
            false
        }
        _ => letter.is_alphanumeric(),
    }
}

/// Whether a word could start here: nothing that belongs to a word stands before.
pub(crate) fn word_starts(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|letter| !joins(letter) && letter != '_')
}

/// Whether a word could end here: nothing that belongs to a word follows.
pub(crate) fn word_ends(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        None => true,
        Some(byte) if byte.is_ascii() => !byte.is_ascii_alphanumeric() && *byte != b'_',
        Some(_) => text[at..].chars().next().is_none_or(|letter| !joins(letter)),
    }
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
    let length = bytes.iter().take(bytes_max).take_while(|&&byte| keep(byte)).count();
    #[cfg(test)]
    work::add(length + 1);
    length
}

/// The length of the trailing run of bytes that `keep` accepts, at most `bytes_max`.
pub(crate) fn run_back(bytes: &[u8], bytes_max: usize, keep: impl Fn(u8) -> bool) -> usize {
    let length = bytes.iter().rev().take(bytes_max).take_while(|&&byte| keep(byte)).count();
    #[cfg(test)]
    work::add(length + 1);
    length
}

/// Counts the bytes that verification reads, so that a test can tell linear from quadratic without a clock.
#[cfg(test)]
pub(crate) mod work {
    use std::cell::Cell;

    thread_local!(static BYTES: Cell<usize> = const { Cell::new(0) });

    pub(crate) fn add(bytes: usize) {
        BYTES.set(BYTES.get() + bytes);
    }

    pub(crate) fn take() -> usize {
        BYTES.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static CARD: Words = Words::new(&["card", "card no", "电话"]);

    #[test]
    fn a_context_word_is_whole_and_close() {
        let check = |text: &str, expected| {
            let at = text.find('#').unwrap();
            assert_eq!(near(text, &(at..at + 1), &CARD), expected, "{text}");
        };
        check("Card: #", true);
        check("Card No. #", true);
        check("# is my card", true);
        check("discard #", false);
        check("# is cardinal", false);
        check(&format!("card {} #", "x".repeat(80)), false);
        check(&format!("{}card #", "x".repeat(60)), false);
    }

    #[test]
    fn a_word_of_one_letter_may_stand_at_the_end() {
        static SHORT: Words = Words::new(&["t", "tel"]);
        for text in ["t", "T: 1", "tel", "a tel", "a t"] {
            assert!(distance_before(text, text.len(), &SHORT, 64).is_some(), "{text}");
        }
        assert_eq!(distance_before("te", 2, &SHORT, 64), None);
    }

    #[test]
    fn the_nearest_word_counts() {
        assert_eq!(distance_before("card and card: 12", 15, &CARD, 64), Some(2));
        assert_eq!(distance_after("12 (card) card", 2, &CARD, 32), Some(2));
        assert_eq!(distance_before("电话12", 6, &CARD, 64), Some(0));
    }

    #[test]
    fn scripts_without_spaces_do_not_join() {
        assert!(word_starts("电话12", 6) && word_ends("12です", 2) && word_starts("เบอร์12", "เบอร์".len()));
        assert!(!word_starts("ä12", 2) && !word_ends("12ж", 2) && !word_ends("12_", 2));
    }

    #[test]
    fn slices_keep_to_character_boundaries() {
        assert_eq!(ahead("aé€", 0, 2), "a");
        assert_eq!(behind("é€a", 6, 2), "a");
        assert_eq!(behind("a", 1, 9), "a");
    }
}
