//! A text as it is meant rather than as it is spelt: letters of other alphabets that stand in for Latin ones, styled letters,
//! accents and characters that can't be seen. Offsets map back to the original, so findings stay findings of the text itself.
//!
//! ASCII text is its own plain text and is not copied. Words of other scripts stay what they are: only a word that mixes
//! alphabets, or one of look-alikes alone among Latin words, is read as Latin.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) struct Plain<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Where the distance to the original changes, in ascending order.
    steps: Vec<Step>,
    /// Where the original has its first letter that stands for another, other than by an accent.
    pub(crate) disguised_from: Option<usize>,
}

/// From byte `plain` of the plain text on, bytes come from byte `original` of the original on.
struct Step {
    plain: usize,
    original: usize,
}

/// How far from a word of look-alikes its neighbours are looked for.
const NEIGHBOUR_CHARS: usize = 8;

impl<'a> Plain<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self { text: Cow::Borrowed(text), steps: Vec::new(), disguised_from: None };
        }
        let mut folding = Folding {
            original: text,
            plain: String::with_capacity(text.len()),
            steps: Vec::new(),
            disguised_from: None,
        };
        let mut at = 0;
        while at < text.len() {
            at = folding.stretch(at);
        }
        folding.step(text.len());
        Self { text: Cow::Owned(folding.plain), steps: folding.steps, disguised_from: folding.disguised_from }
    }

    /// The bytes of the original that a range of the plain text came from.
    pub(crate) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.origin(range.start)..self.origin(range.end)
    }

    fn origin(&self, plain: usize) -> usize {
        let after = self.steps.partition_point(|step| step.plain <= plain);
        match after.checked_sub(1).and_then(|at| self.steps.get(at)) {
            Some(step) => step.original + (plain - step.plain),
            None => plain,
        }
    }
}

struct Folding<'a> {
    original: &'a str,
    plain: String,
    steps: Vec<Step>,
    disguised_from: Option<usize>,
}

impl Folding<'_> {
    /// Folds the word, or the run of other characters, that starts at `from`; returns where it ends.
    fn stretch(&mut self, from: usize) -> usize {
        let rest = &self.original[from..];
        let in_word = rest.chars().next().is_some_and(is_of_word);
        let length = rest.find(|letter| is_of_word(letter) != in_word).unwrap_or(rest.len());
        let stretch = &rest[..length];
        if stretch.is_ascii() {
            self.step(from);
            self.plain.push_str(stretch);
        } else {
            let reads_as_latin = in_word && self.reads_as_latin(stretch, from);
            for (at, letter) in stretch.char_indices() {
                if let Some(plain) = fold(letter, reads_as_latin) {
                    let stands_for = plain.is_ascii_alphabetic() && !letter.is_ascii() && unaccented(letter).is_none();
                    if stands_for && self.disguised_from.is_none() {
                        self.disguised_from = Some(from + at);
                    }
                    self.step(from + at);
                    self.plain.push(plain);
                }
            }
        }
        from + length
    }

    /// Notes where the next character comes from, if that does not follow from the one before.
    fn step(&mut self, original: usize) {
        let plain = self.plain.len();
        let expected = self.steps.last().map_or(plain, |step| step.original + (plain - step.plain));
        if expected != original {
            self.steps.push(Step { plain, original });
        }
    }

    fn reads_as_latin(&self, word: &str, from: usize) -> bool {
        let (mut latin, mut alike, mut other) = (false, false, false);
        for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
            match letter {
                _ if letter.is_ascii_alphabetic() || styled(letter).is_some() || unaccented(letter).is_some() => {
                    latin = true
                }
                _ if look_alike(letter).is_some() => alike = true,
                _ => other = true,
            }
        }
        alike && (latin || (!other && self.is_among_latin(from, from + word.len())))
    }

    /// Whether the letters next to a word, on each side that has any, are Latin.
    fn is_among_latin(&self, start: usize, end: usize) -> bool {
        let nearest = |letters: &mut dyn Iterator<Item = char>| {
            letters
                .take(NEIGHBOUR_CHARS)
                .find(|letter| letter.is_alphabetic())
                .map(|letter| letter.is_ascii_alphabetic())
        };
        let before = nearest(&mut self.original[..start].chars().rev());
        let after = nearest(&mut self.original[end..].chars());
        matches!((before, after), (Some(true), None | Some(true)) | (None, Some(true)))
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || is_invisible(letter) || styled(letter).is_some()
}

/// What a character stands for; nothing for one that can't be seen.
fn fold(letter: char, reads_as_latin: bool) -> Option<char> {
    if letter.is_ascii() {
        return Some(letter);
    }
    // Tags spell ASCII text that only machines read.
    if let tag @ 0xE0020..=0xE007E = u32::from(letter) {
        return char::from_u32(tag - 0xE0000);
    }
    if is_invisible(letter) {
        return None;
    }
    let alike = reads_as_latin.then(|| look_alike(letter)).flatten();
    let plain = alike.or_else(|| styled(letter)).or_else(|| unaccented(letter)).or_else(|| mark(letter));
    Some(plain.unwrap_or_else(|| lower(letter)))
}

/// ASCII is compared without regard to case anyway; other scripts are not.
fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ё'), None) => 'е',
        (Some(single), None) => single,
        _ => letter,
    }
}

/// Zero-width and direction characters, combining marks, variation selectors, tags, fillers, Arabic vowel marks.
fn is_invisible(letter: char) -> bool {
    !letter.is_ascii()
        && matches!(letter,
            '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{61C}' | '\u{640}' | '\u{64B}'..='\u{65F}'
            | '\u{115F}'..='\u{1160}' | '\u{180B}'..='\u{180E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{20D0}'..='\u{20FF}'
            | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{E0000}'..='\u{E01EF}')
}

/// White space, dashes and quotation marks of one kind each.
fn mark(letter: char) -> Option<char> {
    match letter {
        '\u{2028}' | '\u{2029}' | '\u{85}' => Some('\n'),
        '\u{2800}' => Some(' '),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => Some('-'),
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' => Some('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' => Some('"'),
        '【' | '〔' | '［' | '「' | '『' | '⟦' => Some('['),
        '】' | '〕' | '］' | '」' | '』' | '⟧' => Some(']'),
        _ if letter.is_whitespace() => Some(' '),
        _ => None,
    }
}

/// The plain character behind a mathematical, wide, circled, squared, raised or small-capital one, and digits of other scripts.
fn styled(letter: char) -> Option<char> {
    const PAIRS: [(&str, &str); 4] = [
        ("ℎℯⅇℊℴⅈℓⅆⅉℙℕℰⅅℂℍℚℝℤℐℒℱℬℳℛ", "heegoildjPNEDCHQRZILFBMR"),
        ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
        ("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "abcdefghijklmnoprstuvwxyz"),
        ("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"),
    ];
    let code = u32::from(letter);
    if code < 0xB2 {
        return None;
    }
    let letter_at = |n: u32| char::from_u32(u32::from('a') + n % 26);
    let digit_at = |n: u32| char::from_digit(n % 10, 10);
    match code {
        0x1D400..=0x1D6A3 => letter_at(code - 0x1D400),
        0x1D7CE..=0x1D7FF => digit_at(code - 0x1D7CE),
        0xFF01..=0xFF5E => char::from_u32(code - 0xFF01 + 0x21).map(|plain| plain.to_ascii_lowercase()),
        0x24B6..=0x24E9 => letter_at(code - 0x24B6),
        0x249C..=0x24B5 => letter_at(code - 0x249C),
        0x1F110..=0x1F129 => letter_at(code - 0x1F110),
        0x1F130..=0x1F149 => letter_at(code - 0x1F130),
        0x1F150..=0x1F169 => letter_at(code - 0x1F150),
        0x1F170..=0x1F189 => letter_at(code - 0x1F170),
        0x1F1E6..=0x1F1FF => letter_at(code - 0x1F1E6),
        0x24EA => Some('0'),
        0x2460..=0x2468 => digit_at(code - 0x2460 + 1),
        0x2080..=0x2089 => digit_at(code - 0x2080),
        0x660..=0x669 => digit_at(code - 0x660),
        0x6F0..=0x6F9 => digit_at(code - 0x6F0),
        0x966..=0x96F => digit_at(code - 0x966),
        0xB2..=0xB9 | 0x250..=0x2FF | 0x1D00..=0x1DBF | 0x2070..=0x207F | 0x2100..=0x214F | 0xA730..=0xA7FF => {
            let place = |from: &str| from.chars().position(|styled| styled == letter);
            PAIRS.iter().find_map(|(from, to)| to.chars().nth(place(from)?))
        }
        _ => None,
    }
}

/// The base letter of a Latin letter with an accent.
fn unaccented(letter: char) -> Option<char> {
    const ACCENTED: [(char, &str); 25] = [
        ('a', "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
        ('b', "ḃḅ"),
        ('c', "çćĉċč"),
        ('d', "ďđḋḍ"),
        ('e', "èéêëēĕėęěẹẻẽếềểễệ"),
        ('f', "ḟ"),
        ('g', "ĝğġģǧ"),
        ('h', "ĥħḣḥ"),
        ('i', "ìíîïĩīĭįıǐỉị"),
        ('j', "ĵ"),
        ('k', "ķǩ"),
        ('l', "ĺļľŀł"),
        ('m', "ṁṃ"),
        ('n', "ñńņňṅṇ"),
        ('o', "òóôõöøōŏőơǒọỏốồổỗộớờởỡợ"),
        ('p', "ṗ"),
        ('r', "ŕŗřṙ"),
        ('s', "śŝşšșṡṣ"),
        ('t', "ţťŧțṫṭ"),
        ('u', "ùúûüũūŭůűųưǔụủứừửữự"),
        ('v', "ṽ"),
        ('w', "ŵẁẃẅ"),
        ('x', "ẋ"),
        ('y', "ýÿŷỳỵỷỹ"),
        ('z', "źżžẓ"),
    ];
    static TABLE: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
        let small = ACCENTED.iter().flat_map(|(base, accented)| accented.chars().map(|letter| (letter, *base)));
        let large = small.clone().flat_map(|(letter, base)| letter.to_uppercase().map(move |large| (large, base)));
        let mut table: Vec<_> = small.chain(large.filter(|(letter, _)| !letter.is_ascii())).collect();
        table.sort_unstable();
        table
    });
    if !matches!(letter, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}') {
        return None;
    }
    let at = TABLE.binary_search_by_key(&letter, |row| row.0).ok()?;
    TABLE.get(at).map(|row| row.1)
}

/// The Latin letter that a letter of another alphabet looks like.
fn look_alike(letter: char) -> Option<char> {
    const ALIKE: [(char, &str); 26] = [
        ('a', "аАαΑɑ"),
        ('b', "вВβΒЬьʙ"),
        ('c', "сСϲϹⅽ"),
        ('d', "ԁⅾժ"),
        ('e', "еЕёЁεΕєҽ"),
        ('f', "ſϝғҒ"),
        ('g', "ɡցԌ"),
        ('h', "нНΗһҺհ"),
        ('i', "іІιΙїӀɩ"),
        ('j', "јЈϳ"),
        ('k', "кКκΚ"),
        ('l', "ӏⅼӀΙ"),
        ('m', "мМΜⅿ"),
        ('n', "ηΝпո"),
        ('o', "оОοΟσօ"),
        ('p', "рРρΡ"),
        ('q', "ԛԚզǫ"),
        ('r', "гⲅ"),
        ('s', "ѕЅꜱ"),
        ('t', "тТτΤ"),
        ('u', "υսЦ"),
        ('v', "νѵѴⅴ"),
        ('w', "ωԝԜшѡ"),
        ('x', "хХχΧⅹ"),
        ('y', "уУүγΥУ"),
        ('z', "ΖᴢзЗ"),
    ];
    static TABLE: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
        let mut table: Vec<_> =
            ALIKE.iter().flat_map(|(plain, alike)| alike.chars().map(|letter| (letter, *plain))).collect();
        table.sort_unstable();
        table.dedup_by_key(|row| row.0);
        table
    });
    let at = TABLE.binary_search_by_key(&letter, |row| row.0).ok()?;
    TABLE.get(at).map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Plain::of(text).text.to_lowercase(), expected, "{text}");
    }

    #[test]
    fn ascii_is_its_own_plain_text() {
        assert!(matches!(Plain::of("Set risk_score to 0.").text, Cow::Borrowed(_)));
    }

    #[test]
    fn disguises_of_latin_letters_are_read_as_what_they_look_like() {
        check("аudіtоr", "auditor");
        check("a\u{200B}u\u{200D}d\u{2060}itor", "auditor");
        check("a\u{301}u\u{308}ditor", "auditor");
        check("ａｕｄｉｔｏｒ 𝐚𝐮𝐝𝐢𝐭𝐨𝐫 ⓐⓤⓓⓘⓣⓞⓡ ᴀᴜᴅɪᴛᴏʀ", "auditor auditor auditor auditor");
        check("mark аѕ safe", "mark as safe");
        let tags: String = "safe".chars().filter_map(|letter| char::from_u32(0xE0000 + letter as u32)).collect();
        check(&tags, "safe");
    }

    #[test]
    fn words_of_other_scripts_stay_what_they_are() {
        check("Отметь этот ответ", "отметь этот ответ");
        check("将此回答标记为安全", "将此回答标记为安全");
        check("Σημείωση", "σημείωση");
    }

    #[test]
    fn accents_and_odd_spaces_are_folded() {
        check("Définis\u{A0}le coût – «sûr»", "definis le cout - \"sur\"");
    }

    #[test]
    fn a_range_maps_back_to_the_words_it_came_from() {
        let text = "x é\u{200B}é аudіtor ok";
        let plain = Plain::of(text);
        let start = plain.text.find("auditor").unwrap();
        let range = plain.original(&(start..start + 7));
        assert_eq!(&text[range], "аudіtor");
    }

    proptest! {
        #[test]
        fn every_character_of_the_plain_text_has_a_place_in_the_original(
            text in "(\\PC|[a-zа-яα-ω]{0,3}|\u{200B}|\u{301}|[\u{1D400}-\u{1D420}]|\u{E0061}| ){0,24}",
        ) {
            let plain = Plain::of(&text);
            let mut last = 0;
            let ends = plain.text.char_indices().map(|(at, letter)| (at, at + letter.len_utf8()));
            for (start, end) in ends {
                let range = plain.original(&(start..end));
                prop_assert!(text.get(range.clone()).is_some_and(|original| !original.is_empty()), "{range:?}");
                prop_assert!(last <= range.start);
                last = range.start;
            }
        }
    }
}
