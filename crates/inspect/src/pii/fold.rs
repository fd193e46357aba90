//! Numbers in other typography: wide digits, dashes and spaces of other kinds, invisible characters between digits. The detectors
//! read ASCII, so a text that has such a character beside a digit is scanned a second time with those characters replaced.
//!
//! Only numbers are folded. Each character is judged by its neighbours alone, so a stream sees the same text.

/// A folded text, and where its bytes come from.
pub(crate) struct Folded {
    pub(crate) text: String,
    /// From byte `.0` of the folded text on, bytes come from byte `.1` of the original on.
    steps: Vec<(usize, usize)>,
}

impl Folded {
    /// `None` where nothing is folded, as in nearly every text.
    pub(crate) fn of(original: &str) -> Option<Self> {
        if original.is_ascii() || !may_fold(original) {
            return None;
        }
        let mut folded = Self { text: String::with_capacity(original.len()), steps: Vec::new() };
        let mut before = ' ';
        let mut letters = original.char_indices().peekable();
        let mut is_changed = false;
        while let Some((at, letter)) = letters.next() {
            let after = letters.peek().map_or(' ', |(_, letter)| *letter);
            let plain = match letter {
                _ if letter.is_ascii() => Some(letter),
                _ if is_invisible(letter) && is_digit(before) && (is_digit(after) || is_dash(after)) => None,
                '\u{2014}' | '\u{2015}' if !is_digit(before) || !is_digit(after) => Some(letter),
                _ if is_wide_digit(letter) || is_dash(letter) || is_space(letter) => folded_char(letter),
                _ => Some(letter),
            };
            is_changed |= plain != Some(letter);
            if let Some(plain) = plain {
                folded.step(at);
                folded.text.push(plain);
            }
            before = letter;
        }
        folded.step(original.len());
        is_changed.then_some(folded)
    }

    /// The bytes of the original that a range of the folded text comes from.
    pub(crate) fn original(&self, start: usize, end: usize) -> (usize, usize) {
        (self.origin(start), self.origin(end))
    }

    fn origin(&self, at: usize) -> usize {
        let after = self.steps.partition_point(|(folded, _)| *folded <= at);
        match after.checked_sub(1).and_then(|n| self.steps.get(n)) {
            Some((folded, original)) => original + (at - folded),
            None => at,
        }
    }

    /// Notes where the next character comes from, if that doesn't follow from the one before.
    fn step(&mut self, original: usize) {
        let at = self.text.len();
        let expected = self.steps.last().map_or(at, |(folded, from)| from + (at - folded));
        if expected != original {
            self.steps.push((at, original));
        }
    }
}

/// A cheap look for the first bytes of the characters that are folded.
fn may_fold(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| match three {
        [0xC2, 0xA0, _] => true,
        [0xE2, 0x80, last] => (0x80..=0x95).contains(last) || *last == 0xAF,
        [0xE2, 0x81, 0xA0] | [0xE2, 0x88, 0x92] | [0xE3, 0x80, 0x80] | [0xEF, 0xBB, 0xBF] => true,
        [0xEF, 0xBC, last] => (0x8D..=0x99).contains(last) || *last == 0xA0,
        _ => false,
    })
}

fn folded_char(letter: char) -> Option<char> {
    match letter {
        _ if is_dash(letter) => Some('-'),
        _ if is_space(letter) => Some(' '),
        _ => char::from_u32(u32::from(letter) - 0xFEE0),
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || is_wide_digit(letter)
}

/// Wide digits, and the wide signs that addresses and numbers are joined with.
fn is_wide_digit(letter: char) -> bool {
    matches!(letter, '\u{FF0E}'..='\u{FF19}' | '\u{FF20}')
}

fn is_dash(letter: char) -> bool {
    matches!(letter, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}')
}

fn is_space(letter: char) -> bool {
    matches!(letter, '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}')
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::tests::check;

    #[test]
    fn nothing_is_copied_where_nothing_is_folded() {
        for text in ["", "plain 12-3", "Größe 12", "东京是日本的首都。", "“quoted” … it’s"] {
            assert!(Folded::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "é SSN\u{A0}０７８–05\u{200B}\u{2011}1120 x";
        let folded = Folded::of(text).unwrap();
        assert_eq!(folded.text, "é SSN 078-05-1120 x");
        let start = folded.text.find('0').unwrap();
        let (from, to) = folded.original(start, start + 11);
        assert_eq!(&text[from..to], "０７８–05\u{200B}\u{2011}1120");
    }

    #[test]
    fn numbers_are_found_in_any_typography() {
        for number in [
            "078–05–1120",
            "078\u{2011}05\u{2011}1120",
            "０７８－０５－１１２０",
            "078\u{A0}05\u{A0}1120",
            "0\u{200B}78-05-1120",
        ] {
            check(&format!("größer: SSN {number}!"), &[("US_SSN", number)]);
        }
        for number in [
            "４１１１ １１１１ １１１１ １１１１",
            "4111\u{A0}1111\u{A0}1111\u{A0}1111",
            "4111\u{200B}1111\u{200B}1111\u{200B}1111",
        ] {
            check(&format!("Card {number}, ok"), &[("CREDIT_CARD", number)]);
        }
        check("SSN—078\u{2011}05\u{2011}1120", &[("US_SSN", "078\u{2011}05\u{2011}1120")]);
        check("Account number １２３４５６７８", &[("BANK_ACCOUNT", "１２３４５６７８")]);
        check("pages 12–34 and 5\u{A0}000 units", &[]);
    }
}
