//! Looks at the text around a candidate. The distance is bounded, so that a stream can decide with the text it holds back.

use std::ops::Range;

pub(crate) const BEFORE_BYTES: usize = 64;
pub(crate) const AFTER_BYTES: usize = 32;

/// Lower-case words and phrases to look for, at most 64. They are found by their first three letters, so most words of a text cost
/// three look-ups and no comparison.
///
/// Hand-written, because the text around every number is searched for such words: an Aho-Corasick automaton, which reads every byte,
/// took 52 % more instructions on columns of numbers (see the benchmarks' notes).
pub(crate) struct ContextWords {
    words: &'static [&'static str],
    /// For each of the first three positions and each letter, the set of words with that letter there. The last column is for all other
    /// characters. A word that is shorter than a position is in every set of that position.
    by_letter: [[u64; LETTERS + 1]; PREFIX_LETTERS],
}

/// The number of letters in the alphabet.
const LETTERS: usize = 26;
/// The number of letters at the start of a word by which it is found.
const PREFIX_LETTERS: usize = 3;

impl ContextWords {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        assert!(words.len() <= 64, "one bit each");
        let mut by_letter = [[0; LETTERS + 1]; PREFIX_LETTERS];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            let mut position = 0;
            while position < PREFIX_LETTERS {
                let mut letter = 0;
                while letter <= LETTERS {
                    if word.len() <= position || LETTER_OF[word[position] as usize] as usize == letter {
                        by_letter[position][letter] |= 1 << at;
                    }
                    letter += 1;
                }
                position += 1;
            }
            at += 1;
        }
        Self { words, by_letter }
    }

    /// The length of the listed word that `written` starts with, or `None` if it starts with none of them.
    fn leading_word(&self, written: &[u8]) -> Option<usize> {
        let mut candidates = match written {
            [first, second, third, ..] => self.fitting(0, *first) & self.fitting(1, *second) & self.fitting(2, *third),
            [first, second] => self.fitting(0, *first) & self.fitting(1, *second),
            [first] => self.fitting(0, *first),
            [] => 0,
        };
        while candidates != 0 {
            let word = self.words[candidates.trailing_zeros() as usize].as_bytes();
            candidates &= candidates - 1;
            let is_same = written.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            if is_same && written.get(word.len()).is_none_or(|next| !next.is_ascii_alphanumeric()) {
                return Some(word.len());
            }
        }
        None
    }

    /// The set of words that may have this byte at this position.
    fn fitting(&self, position: usize, byte: u8) -> u64 {
        self.by_letter[position][usize::from(LETTER_OF[usize::from(byte)])]
    }
}

/// The position of a letter in the alphabet, in either case; `LETTERS` for other characters.
const LETTER_OF: [u8; 256] = {
    let mut table = [LETTERS as u8; 256];
    let mut letter = 0;
    while letter < LETTERS as u8 {
        table[(b'a' + letter) as usize] = letter;
        table[(b'A' + letter) as usize] = letter;
        letter += 1;
    }
    table
};

/// Whether one of these words is near the range.
pub(crate) fn near(text: &str, range: &Range<usize>, words: &ContextWords) -> bool {
    distance(text, range, words).is_some()
}

/// Whether one of `words` is near the range, in the same sentence. One before the range counts only if none of `others` is between
/// it and the range.
pub(crate) fn near_in_sentence(text: &str, range: &Range<usize>, words: &ContextWords, others: &ContextWords) -> bool {
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

/// The number of bytes between the range and the nearest of these words, before or after it.
pub(crate) fn distance(text: &str, range: &Range<usize>, words: &ContextWords) -> Option<usize> {
    let before = distance_before(text, range.start, words, BEFORE_BYTES);
    before.into_iter().chain(distance_after(text, range.end, words, AFTER_BYTES)).min()
}

/// The number of bytes between `at` and the last of these words before it, which starts at most `reach` bytes before.
pub(crate) fn distance_before(text: &str, at: usize, words: &ContextWords, reach: usize) -> Option<usize> {
    #[cfg(test)]
    work::add(reach);
    let before = &text.as_bytes()[..at];
    let from = at - reach.min(WINDOW_BYTES_MAX).min(at);
    let mut starts = word_starts_in(before, from);
    while starts != 0 {
        let last = starts.ilog2();
        starts ^= 1 << last;
        let start = from + last as usize;
        if let Some(length) = words.leading_word(&before[start..]) {
            return Some(at - start - length);
        }
    }
    None
}

/// The number of bytes between `at` and the first of these words after it, which ends at most `reach` bytes after.
pub(crate) fn distance_after(text: &str, at: usize, words: &ContextWords, reach: usize) -> Option<usize> {
    #[cfg(test)]
    work::add(reach);
    let bytes = text.as_bytes();
    let reached = bytes.len().min(at + reach.min(WINDOW_BYTES_MAX));
    let mut starts = word_starts_in(&bytes[..reached], at);
    while starts != 0 {
        let start = at + starts.trailing_zeros() as usize;
        starts &= starts - 1;
        if words.leading_word(&bytes[start..]).is_some_and(|length| start + length <= reached) {
            return Some(start - at);
        }
    }
    None
}

/// The longest text that is searched at once: its bytes are the bits of a `u64`.
const WINDOW_BYTES_MAX: usize = 64;

/// A bit for each of the first bytes from `from` on, set where a word could start: at a letter that follows neither a letter nor a
/// digit, and at any character beyond ASCII, because many scripts have no spaces. Every number's surroundings are searched, so eight
/// bytes are handled at once, as the bytes of a `u64`.
fn word_starts_in(bytes: &[u8], from: usize) -> u64 {
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // Letters have this bit, digits and most marks don't, so columns of numbers return here.
    if bytes[from..].iter().fold(0, |seen, byte| seen | byte) & 0x40 == 0 {
        return 0;
    }
    // The high bit of each byte of the result says whether the byte is from `first` to `last`; the other bits mean nothing. The bytes
    // are ASCII, so no sum carries into the next byte.
    let within = |ascii: u64, first: u8, last: u8| (ascii + each(128 - first)) & !(ascii + each(127 - last));
    let (blocks, rest) = bytes[from..].as_chunks::<8>();
    let mut padded = [0; 8];
    padded[..rest.len()].copy_from_slice(rest);
    // Whether the byte before the block is a letter or a digit.
    let mut after_word = u64::from(from.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric()));
    let mut starts = 0;
    for (n, block) in blocks.iter().chain([&padded]).take(WINDOW_BYTES_MAX / 8).enumerate() {
        let bytes = u64::from_le_bytes(*block);
        let (ascii, is_ascii) = (bytes & each(0x7F), !bytes & each(0x80));
        let letters = within(ascii | each(0x20), b'a', b'z') & is_ascii;
        let alphanumeric = (letters | within(ascii, b'0', b'9') & is_ascii) >> 7;
        // The first byte of a character beyond ASCII has its two highest bits set.
        let leading = bytes & (bytes << 1) & each(0x80);
        // The lowest bit of each byte, set where a word could start.
        let block_starts = ((leading >> 7) | (letters >> 7) & !(alphanumeric << 8 | after_word)) & each(1);
        after_word = alphanumeric >> 56;
        // Gathers the lowest bit of each byte in the highest byte.
        starts |= (block_starts.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * n);
    }
    starts
}

/// Finds the first byte of a class from `at` on. Reads eight bytes at a time, because most bytes of a text are in no class.
pub(crate) fn find_class(bytes: &[u8], at: usize, class: &[bool; 256]) -> Option<usize> {
    let is_one = |byte: &u8| class[usize::from(*byte)];
    let rest = bytes.get(at..)?;
    let (blocks, tail) = rest.as_chunks::<8>();
    let block = blocks.iter().position(|block| block.iter().fold(false, |found, byte| found | is_one(byte)));
    let from = block.map_or(rest.len() - tail.len(), |block| block * 8);
    rest[from..].iter().position(is_one).map(|found| at + from + found)
}

/// The character before `at`.
pub(crate) fn char_before(text: &str, at: usize) -> Option<char> {
    match *text.as_bytes().get(at.wrapping_sub(1))? {
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => text[..at].chars().next_back(),
    }
}

/// Whether a character belongs to the same word as a letter or digit next to it. Characters of scripts without spaces don't, because a
/// number or a name in Latin letters may follow them directly; neither do Korean ones, because particles follow numbers directly.
pub(crate) fn joins(letter: char) -> bool {
    match letter {
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric(),
        // Thai and Lao, Burmese, Khmer, Chinese and Japanese.
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{A4CF}' => false,
        // Korean, compatibility ideographs, full-width forms, rare ideographs.
        '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}' => {
            false
        }
        _ => letter.is_alphanumeric(),
    }
}

/// Whether a word could start here: the character before belongs to no word.
pub(crate) fn word_starts(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|letter| !joins(letter) && letter != '_')
}

/// Whether a word could end here: the character after belongs to no word.
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

/// The end of `text[..at]`, at most `bytes_max` long, cut on a character boundary.
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

/// Counts the bytes that detectors read around candidates, so that a test can tell linear from quadratic without a clock.
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

    static CARD: ContextWords = ContextWords::new(&["card", "card no", "电话"]);

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
        static SHORT: ContextWords = ContextWords::new(&["t", "tel"]);
        for text in ["t", "T: 1", "tel", "a tel", "a t"] {
            assert!(distance_before(text, text.len(), &SHORT, 64).is_some(), "{text}");
        }
        assert_eq!(distance_before("te", 2, &SHORT, 64), None);
    }

    #[test]
    fn a_word_starts_after_a_character_that_belongs_to_no_word() {
        let check = |text: &str, from: usize, expected: &[usize]| {
            let starts = word_starts_in(text.as_bytes(), from);
            let found: Vec<usize> = (0..64).filter(|at| starts >> at & 1 != 0).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", 0, &[]);
        check("ab 12 c3 4d @e{f", 0, &[0, 6, 13, 15]);
        check("1a, a", 1, &[3]);
        check("é电a Z[z`A@", 0, &[0, 2, 5, 7, 9, 11]);
        check(&"a ".repeat(32), 0, &(0..64).step_by(2).collect::<Vec<_>>());
        check(&"abcdefg a".repeat(8), 8, &(0..64).step_by(9).collect::<Vec<_>>());
    }

    proptest::proptest! {
        #[test]
        fn word_starts_are_those_that_a_byte_by_byte_search_finds(text in "([a-zA-Z0-9 @\\[`{./:-]|\\PC){0,40}") {
            let bytes = &text.as_bytes()[..text.len().min(64)];
            let joins = |at: usize| at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric());
            let starts = |at: usize| bytes[at] >= 0xC0 || bytes[at].is_ascii_alphabetic() && !joins(at);
            let expected = (0..bytes.len()).filter(|at| starts(*at)).fold(0_u64, |bits, at| bits | 1 << at);
            proptest::prop_assert_eq!(word_starts_in(bytes, 0), expected);
        }
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
