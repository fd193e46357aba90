//! Cleans external text: one line, nothing invisible, nothing that changes the reading direction, and no disguised letters.
//!
//! Text is cleaned before it is searched for personal data: an id with a zero-width space in it, or in full-width letters, is
//! still that id.
//!
//! The views of `inspect` undo disguises too, but a view is only searched, while cleaned text is stored and shown. So "José"
//! keeps its accent here, escapes stay as written, and this file has its own tables of digits and look-alikes: sharing the
//! larger ones of `inspect` and `countersign_text` would change reports.

use std::borrow::Cow;

use countersign_text::invisible::{is_combining_mark, is_invisible, is_private_use};

/// Turns control characters and white space into single spaces, removes invisible characters and combining marks, and
/// replaces disguised letters, digits and dashes with plain ones.
pub(crate) fn clean(text: &str) -> String {
    cleaned(text).into_owned()
}

/// Like `clean`, but borrows a text that is clean already.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut pending_space = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            pending_space = !plain.is_empty();
        } else if !is_hidden(letter) {
            if pending_space {
                plain.push(' ');
                pending_space = false;
            }
            push_plain(letter, &mut plain);
        }
    }
    if !plain.is_ascii() {
        unmask_lookalikes(&mut plain);
    }
    Cow::Owned(plain)
}

/// Whether a text is printable ASCII with single spaces between words, as most texts are.
pub(crate) fn is_clean(text: &str) -> bool {
    // Without an early exit, the compiler vectorises the loop.
    let is_printable = text.bytes().fold(true, |is_printable, byte| is_printable & matches!(byte, b' '..=b'~'));
    is_printable && !text.starts_with(' ') && !text.ends_with(' ') && !text.contains("  ")
}

/// At most `chars_max` characters, with an ellipsis at the end if something is left out.
pub(crate) fn bounded(text: String, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text,
        Some(_) => text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Characters that a reader can't see but that affect every comparison. Private-use characters are included, because
/// what a font draws for them is unknown.
fn is_hidden(letter: char) -> bool {
    is_invisible(letter) || is_private_use(letter)
}

fn push_plain(letter: char, plain: &mut String) {
    if letter.is_ascii() {
        plain.push(letter);
        return;
    }
    if is_combining(letter) {
        compose(letter, plain);
    } else if let Some(digit) = digit(letter) {
        plain.push(digit);
    } else if let Some(spelt) = ligature(letter) {
        plain.push_str(spelt);
    } else {
        plain.push(styled(letter).unwrap_or(letter));
    }
}

/// Marks that combine with the letter before them. Cyrillic marks are not included, so they are kept.
fn is_combining(letter: char) -> bool {
    is_combining_mark(letter) && !matches!(letter, '\u{483}'..='\u{489}')
}

/// Combines a mark with the letter before it if `COMPOSED` has a character for the two. Otherwise the mark is removed.
fn compose(mark: char, plain: &mut String) {
    let Some((_, composed)) = COMPOSED.iter().find(|(known, _)| *known == mark) else { return };
    let Some(base) = plain.chars().next_back() else { return };
    let pairs = composed.split(' ').filter_map(|pair| {
        let mut letters = pair.chars();
        letters.next().zip(letters.next())
    });
    if let Some((_, whole)) = pairs.into_iter().find(|(plain, _)| *plain == base) {
        plain.pop();
        plain.push(whole);
    }
}

/// For each mark, pairs of a letter and the same letter with the mark.
const COMPOSED: [(char, &str); 10] = [
    ('\u{300}', "aà eè iì oò uù AÀ EÈ IÌ OÒ UÙ"),
    ('\u{301}', "aá eé ií oó uú yý cć nń sś zź AÁ EÉ IÍ OÓ UÚ YÝ CĆ NŃ SŚ ZŹ"),
    ('\u{302}', "aâ eê iî oô uû AÂ EÊ IÎ OÔ UÛ"),
    ('\u{303}', "aã nñ oõ AÃ NÑ OÕ"),
    ('\u{307}', "zż ZŻ Iİ eė EĖ"),
    ('\u{308}', "aä eë iï oö uü yÿ AÄ EË IÏ OÖ UÜ"),
    ('\u{30a}', "aå uů AÅ UŮ"),
    ('\u{30c}', "cč dď eě nň rř sš tť zž CČ DĎ EĚ NŇ RŘ SŠ TŤ ZŽ"),
    ('\u{327}', "cç sş tţ CÇ SŞ TŢ"),
    ('\u{328}', "aą eę AĄ EĘ"),
];

/// Decimal digits of other scripts and styles. The ten digits of a script follow its zero.
///
/// `countersign_text::digits` knows more scripts. This list is not extended, because that would change how reports show a text.
fn digit(letter: char) -> Option<char> {
    const ZEROS: [u32; 20] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
        0x1040, 0x17e0, 0x1810, 0xff10, 0x1fbf0,
    ];
    let code = u32::from(letter);
    let nth = match code {
        0x1d7ce..=0x1d7ff => Some((code - 0x1d7ce) % 10),
        0x2460..=0x2468 => Some(code - 0x2460 + 1),
        0x2776..=0x277e => Some(code - 0x2776 + 1),
        0x24ea => Some(0),
        0x2070 | 0x2074..=0x2079 => Some(code - 0x2070),
        0x2080..=0x2089 => Some(code - 0x2080),
        0xb9 => Some(1),
        0xb2 | 0xb3 => Some(code - 0xb0),
        _ => ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code)).map(|zero| code - zero),
    };
    nth.and_then(|nth| char::from_digit(nth, 10))
}

fn ligature(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        '\u{2116}' => "No",
        _ => return None,
    })
}

/// The plain form of full-width, mathematical and encircled letters, and of every dash.
fn styled(letter: char) -> Option<char> {
    let code = u32::from(letter);
    let from = |first: u32, upper: bool| {
        let start = if upper { u32::from(b'A') } else { u32::from(b'a') };
        char::from_u32(start + (code - first) % 26)
    };
    match code {
        0xff01..=0xff5e => char::from_u32(code - 0xfee0),
        // Alphabets of 26 capitals and 26 small letters, one after the other.
        0x1d400..=0x1d6a3 => {
            from(if (code - 0x1d400) % 52 < 26 { 0x1d400 } else { 0x1d41a }, (code - 0x1d400) % 52 < 26)
        }
        0x24b6..=0x24cf => from(0x24b6, true),
        0x24d0..=0x24e9 => from(0x24d0, false),
        0x1f130..=0x1f149 => from(0x1f130, true),
        0x1f150..=0x1f169 => from(0x1f150, true),
        0x1f170..=0x1f189 => from(0x1f170, true),
        0x2010..=0x2015 | 0x2043 | 0x2212 | 0xfe58 | 0xfe63 => Some('-'),
        0x2024 => Some('.'),
        0x2044 | 0x2215 => Some('/'),
        _ => None,
    }
}

/// Replaces Cyrillic and Greek look-alikes in words that contain Latin letters too: mixing scripts is a disguise.
fn unmask_lookalikes(text: &mut String) {
    if !text.chars().any(|letter| lookalike(letter).is_some()) {
        return;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let (run, after) = rest.split_at(word);
        let is_mixed = run.chars().any(|letter| letter.is_ascii_alphabetic());
        plain.extend(run.chars().map(|letter| lookalike(letter).filter(|_| is_mixed).unwrap_or(letter)));
        let between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        plain.push_str(&after[..between]);
        rest = &after[between..];
    }
    *text = plain;
}

/// The Latin letter that a letter resembles.
fn lookalike(letter: char) -> Option<char> {
    /// Each look-alike, followed by the letter that it resembles.
    const LOOKALIKES: &str = "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwвbкkмmнhтtгrпnиuзz\
        АAВBЕEЗZІIЈJКKМMНHОOРPСCЅSТTУYХXѴV\
        αaεeιiκkνvοoρpτtυuχxηnωw\
        ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX\
        ıiɑaɡgɩiʏyԌGᴀaᴇeɪiᴏoᴜu";
    if letter.is_ascii() {
        return None;
    }
    let mut letters = LOOKALIKES.chars();
    while let (Some(disguise), Some(plain)) = (letters.next(), letters.next()) {
        if disguise == letter {
            return Some(plain);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_and_disguises_are_removed() {
        for (text, expected) in [
            ("Corner Shop", "Corner Shop"),
            ("  a\r\n\tb\u{0}c  ", "a b c"),
            ("us\u{200b}er\u{202e}-7731", "user-7731"),
            ("１２３４", "1234"),
            ("٤٢ ４２ 𝟒𝟐 ④② ⁴²", "42 42 42 42 42"),
            ("𝐌𝐚𝐫𝐢𝐚 Ｍａｒｉａ Ⓜⓐⓡⓘⓐ", "Maria Maria Maria"),
            ("𝗔𝗻𝗻 𝔸𝕟𝕟 𝙰𝚗𝚗", "Ann Ann Ann"),
            ("Mu\u{308}ller Jose\u{301} M\u{334}a\u{335}x", "Müller José Max"),
            ("Мaria Mаriа Gοnzalez", "Maria Maria Gonzalez"),
            ("12–34—56−78", "12-34-56-78"),
            ("Москва Αθήνα", "Москва Αθήνα"),
            ("oﬃce № 7", "office No 7"),
            ("Größe 😀", "Größe 😀"),
            ("\u{202e}\u{2066}", ""),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_cut_is_marked() {
        for (text, chars_max, expected) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("éàü€", 2, "é…"), ("", 0, "")]
        {
            assert_eq!(bounded(text.to_owned(), chars_max), expected);
        }
    }
}
