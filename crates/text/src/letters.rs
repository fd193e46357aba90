//! Which plain ASCII character another character stands for: accented and styled letters, letters of other alphabets that look
//! Latin, digits, dashes and quotation marks.
//!
//! This is the only table of such characters. When to apply it is up to the caller: a detector may read every letter as the one that
//! it resembles, while a report shows accents as they were written.

use unicode_normalization::char::{compose, decompose_compatible, is_combining_mark};

use crate::digits::ascii_digit;

/// The Latin letter, in the same case, that a letter of another alphabet looks like.
#[inline]
pub const fn look_alike(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    Some(match letter {
        'а' | 'α' | 'ɑ' => 'a',
        'А' | 'Α' => 'A',
        'в' | 'β' | 'ь' | 'ʙ' => 'b',
        'В' | 'Β' | 'Ь' => 'B',
        'с' | 'ϲ' | 'ⅽ' => 'c',
        'С' | 'Ϲ' => 'C',
        'ԁ' | 'ⅾ' | 'ժ' => 'd',
        'е' | 'ё' | 'ε' | 'є' | 'ҽ' => 'e',
        'Е' | 'Ё' | 'Ε' => 'E',
        'ϝ' | 'ғ' => 'f',
        'Ғ' => 'F',
        'ɡ' | 'ց' => 'g',
        'Ԍ' => 'G',
        'н' | 'һ' | 'հ' => 'h',
        'Н' | 'Η' | 'Һ' => 'H',
        'і' | 'ι' | 'ї' | 'ɩ' => 'i',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'ј' | 'ϳ' => 'j',
        'Ј' => 'J',
        'к' | 'κ' => 'k',
        'К' | 'Κ' => 'K',
        'ӏ' | 'ⅼ' => 'l',
        'м' | 'ⅿ' => 'm',
        'М' | 'Μ' => 'M',
        'η' | 'п' | 'ո' => 'n',
        'Ν' => 'N',
        'о' | 'ο' | 'σ' | 'օ' => 'o',
        'О' | 'Ο' => 'O',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'ԛ' | 'զ' => 'q',
        'Ԛ' => 'Q',
        'г' | 'ⲅ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'Ѕ' => 'S',
        'т' | 'τ' => 't',
        'Т' | 'Τ' => 'T',
        'υ' | 'ս' => 'u',
        'Ц' => 'U',
        'ν' | 'ѵ' | 'ⅴ' => 'v',
        'Ѵ' => 'V',
        'ω' | 'ԝ' | 'ш' | 'ѡ' => 'w',
        'Ԝ' => 'W',
        'х' | 'χ' | 'ⅹ' => 'x',
        'Х' | 'Χ' => 'X',
        'у' | 'ү' | 'γ' => 'y',
        'У' | 'Υ' => 'Y',
        'ᴢ' | 'з' => 'z',
        'Ζ' | 'З' => 'Z',
        _ => return None,
    })
}

/// Whether a letter with a [`look_alike`] is common in its own alphabet and looks Latin only among Latin letters. A caller that
/// doesn't look at the letters around it should leave such a letter as it is: the Russian "пот" must not become "not", and no
/// "г" an "r".
#[inline]
pub const fn looks_latin_only_among_latin(letter: char) -> bool {
    let is_cyrillic = matches!(letter, 'г' | 'з' | 'З' | 'п' | 'ш' | 'ь' | 'Ь' | 'Ц' | 'є' | 'ї' | 'ғ' | 'Ғ' | 'ү');
    let is_greek = matches!(letter, 'γ' | 'ω');
    let is_armenian = matches!(letter, 'ժ' | 'զ' | 'հ' | 'ո' | 'ս' | 'ց' | 'օ');
    is_cyrillic || is_greek || is_armenian
}

/// Whether a letter is Latin with an accent, a stroke or a hook: an ordinary letter of many languages, and no disguise.
#[inline]
pub const fn is_accented(letter: char) -> bool {
    matches!(letter, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

const SMALL_CAPITALS: (&str, &str) = ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz");
const STROKED: (&str, &str) = ("ðÐđĐħĦıłŁøØŧŦƀɨɉɍɏ", "dDdDhHilLoOtTbijry");

/// The first ASCII character that an accented or styled character stands for: full-width, mathematical, circled, squared,
/// superscript and subscript characters, small capitals, ligatures. [`push_styled`] writes all of them.
pub fn styled(letter: char) -> Option<char> {
    let capital_at = |n: u32| char::from_u32(u32::from('A') + n % 26);
    let among = |(from, to): (&str, &str)| to.chars().nth(from.chars().position(|styled| styled == letter)?);
    match u32::from(letter) {
        // Letters in black circles, letters in black squares, and the regional indicators that spell flags.
        code @ (0x1F150..=0x1F169) => capital_at(code - 0x1F150),
        code @ (0x1F170..=0x1F189) => capital_at(code - 0x1F170),
        code @ (0x1F1E6..=0x1F1FF) => capital_at(code - 0x1F1E6),
        0x2776..=0x277E | 0x2780..=0x2788 | 0x278A..=0x2792 | 0x24EA | 0x24FF => ascii_digit(letter),
        0xD0 | 0xD8 | 0xF0 | 0xF8 | 0x110..=0x180 | 0x268 | 0x249 | 0x24D | 0x24F if among(STROKED).is_some() => {
            among(STROKED)
        }
        0x250..=0x2AF | 0x1D00..=0x1D2B | 0xA730..=0xA7AF if among(SMALL_CAPITALS).is_some() => among(SMALL_CAPITALS),
        // Unicode has some mathematical letters elsewhere, such as ℎ, and left holes for them. Programs that style text by adding
        // a number to each letter write the holes.
        code @ 0x1D400..=0x1D6A3 if is_hole(letter) => {
            let (letters, place) =
                if (code - 0x1D400) % 52 < 26 { ('A', (code - 0x1D400) % 26) } else { ('a', (code - 0x1D400) % 26) };
            char::from_u32(u32::from(letters) + place)
        }
        0xA0..=0x24F
        | 0x2B0..=0x2FF
        | 0x1D2C..=0x1DBF
        | 0x1E00..=0x1EFF
        | 0x2000..=0x24FF
        | 0x3000..=0x303F
        | 0x3250..=0x33FF
        | 0xA7F2..=0xA7FF
        | 0xAB5C..=0xAB5F
        | 0xFB00..=0xFB06
        | 0xFE10..=0xFE6B
        | 0xFF01..=0xFF5E
        | 0x1D400..=0x1D7FF
        | 0x1F100..=0x1F14F => {
            let (mut first, mut is_ascii) = (None, true);
            decompose_compatible(letter, |part| {
                if !is_combining_mark(part) {
                    first = first.or(Some(part));
                    is_ascii &= part.is_ascii();
                }
            });
            first.filter(|first| is_ascii && *first != letter)
        }
        _ => None,
    }
}

/// Whether a code point among the mathematical letters is not assigned.
fn is_hole(letter: char) -> bool {
    matches!(letter, '\u{1D400}'..='\u{1D6A3}') && !letter.is_alphabetic()
}

/// Writes all ASCII characters that a character stands for, if [`styled`] finds a first one.
pub fn push_styled(letter: char, plain: &mut String) {
    let before = plain.len();
    decompose_compatible(letter, |part| {
        if part.is_ascii() {
            plain.push(part);
        }
    });
    if plain.len() == before {
        plain.extend(styled(letter));
    }
}

/// The ASCII letter that a single letter is a form of, in the same case: accented, full-width, mathematical, circled, a small
/// capital. `None` for digits, signs and ligatures.
pub fn plain_letter(letter: char) -> Option<char> {
    let first = styled(letter).filter(char::is_ascii_alphabetic)?;
    let mut ascii = 0;
    decompose_compatible(letter, |part| ascii += u32::from(part.is_ascii()));
    ((letter.is_alphabetic() || is_hole(letter)) && ascii <= 1).then_some(first)
}

/// The letter that a letter and the combining mark after it make, if Unicode has it as one character: `e` and U+0301 make `é`.
pub fn composed(letter: char, mark: char) -> Option<char> {
    compose(letter, mark)
}

/// The ASCII form of a dash, a quotation mark, a bracket, or another mark that is drawn like an ASCII one.
#[inline]
pub const fn ascii_mark(letter: char) -> Option<char> {
    Some(match letter {
        '\u{58A}'
        | '\u{5BE}'
        | '\u{1806}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2053}'
        | '\u{207B}'
        | '\u{208B}'
        | '\u{2212}'
        | '\u{2E17}'
        | '\u{2E1A}'
        | '\u{2E3A}'
        | '\u{2E3B}'
        | '\u{2E40}'
        | '\u{301C}'
        | '\u{3030}'
        | '\u{30A0}'
        | '\u{FE31}'
        | '\u{FE32}'
        | '\u{FE58}'
        | '\u{FE63}'
        | '\u{FF0D}' => '-',
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' | '\u{FF07}' => '\'',
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '\u{FF02}' => '"',
        '【' | '〔' | '［' | '「' | '『' | '⟦' => '[',
        '】' | '〕' | '］' | '」' | '』' | '⟧' => ']',
        '\u{2024}' | '\u{FE52}' => '.',
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => '/',
        '\u{203F}' | '\u{2040}' | '\u{FE33}' | '\u{FE34}' => '_',
        '\u{2236}' | '\u{A789}' => ':',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_letter_of_another_alphabet_looks_like_a_latin_one_of_the_same_case() {
        for (letters, plain) in [("аudіtоr", "auditor"), ("СΑRΤ", "CART"), ("ӏіոe", "line")] {
            let read: String = letters.chars().map(|letter| look_alike(letter).unwrap_or(letter)).collect();
            assert_eq!(read, plain);
        }
        assert_eq!(look_alike('ж'), None);
    }

    #[test]
    fn a_styled_character_is_written_plainly() {
        for (styled, plain) in [
            ("ｋｉｌｌ", "kill"),
            ("𝐤𝓲𝖑𝚕", "kill"),
            ("\u{1D455}\u{1D44E}ℎ\u{1D49D}", "hahB"),
            ("Ørsted, Sørensen", "Orsted, Sorensen"),
            ("ⓚⒾ🅛🄻", "kILL"),
            ("ᴋɪʟʟ", "kill"),
            ("Łódź", "Lodz"),
            ("Sigurðsson", "Sigurdsson"),
            ("oﬃce №", "office No"),
            ("x²", "x2"),
        ] {
            let mut read = String::new();
            for letter in styled.chars() {
                match super::styled(letter) {
                    Some(_) => push_styled(letter, &mut read),
                    None => read.push(letter),
                }
            }
            assert_eq!(read, plain);
        }
    }

    #[test]
    fn each_listed_letter_has_its_plain_letter() {
        for (from, to) in [SMALL_CAPITALS, STROKED] {
            assert_eq!(from.chars().count(), to.len());
            for (letter, plain) in from.chars().zip(to.chars()) {
                assert_eq!((styled(letter), plain_letter(letter)), (Some(plain), Some(plain)), "{letter}");
            }
        }
    }

    #[test]
    fn only_single_letters_have_a_plain_letter() {
        for (letter, plain) in
            [('é', Some('e')), ('Ş', Some('S')), ('𝐤', Some('k')), ('ᴋ', Some('k')), ('Ⓚ', Some('K'))]
        {
            assert_eq!(plain_letter(letter), plain, "{letter}");
        }
        for letter in ['a', '²', '①', 'ﬃ', '№', '™', 'ж', '½', '…'] {
            assert_eq!(plain_letter(letter), None, "{letter}");
        }
    }

    proptest! {
        #[test]
        fn plain_forms_are_ascii_and_ascii_is_its_own_plain_form(letter in any::<char>()) {
            let forms = [look_alike(letter), styled(letter), plain_letter(letter), ascii_mark(letter)];
            prop_assert!(forms.iter().flatten().all(char::is_ascii));
            prop_assert!(!letter.is_ascii() || forms == [None; 4]);
            if plain_letter(letter).is_some() {
                prop_assert_eq!(plain_letter(letter), styled(letter));
            }
            if let (Some(alike), Some(styled)) = (look_alike(letter), styled(letter)) {
                prop_assert_eq!(alike, styled);
            }
        }
    }
}
