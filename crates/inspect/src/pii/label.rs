//! The gap between a label and its value: marks, small words, and a name ("account number of Ann Lee: …").

use std::sync::LazyLock;

use crate::context::{behind, run};
use crate::tokenize;

/// Small words that may occur between a label and its value, in lower case. Words for "number" have a table of their
/// own.
#[rustfmt::skip]
const SMALL: &[&str] = &[
    "is", "was", "are", "on", "the", "of", "day", "her", "his", "my", "your", "their", "our", "falls", "in", "at",
    "for", "to", "list", "with", "reads", "here", "id", "am", "den", "der", "die", "das", "dem", "ist", "war",
    "lautet", "im", "von", "vom", "le", "la", "les", "du", "de", "est", "à", "el", "en", "es", "fue", "del", "a", "il",
    "di", "è", "era", "em", "no", "na", "o", "da", "do", "é", "op", "te", "dnia", "w", "roku", "się", "r", "jest", "i",
    "på", "är", "er", "var", "d", "t", "yılı", "г", "года", "в", "у", "р", "tarihinde", "yılında", "se", "sa", "ve",
    "dne", "dňa", "la", "data", "dia", "día", "giorno", "bancaire", "bancaria", "bancária", "bancario", "corriente",
    "courant", "bankowego", "ngày", "pada", "tanggal", "为", "是", "は", "が", "在", "于", "於",
];
/// Words for "number".
#[rustfmt::skip]
pub(super) const NUMBER_WORDS: &[&str] = &[
    "number", "numbers", "num", "no", "nr", "nbr", "n", "nummer", "numéro", "número", "numero", "núm", "numer",
    "numeru", "номер", "номера", "numarası", "numarasi", "nº", "číslo", "号", "番号", "号码", "號碼", "번호", "szám", "numero",
    "broj",
];

/// Limits on the gap between a label and its value.
pub(super) struct Gap {
    pub(super) bytes_max: usize,
    /// The maximum number of marks in a row.
    pub(super) marks_max: usize,
    /// The maximum number of unlisted capitalised words: names.
    pub(super) other_words_max: usize,
    pub(super) across_lines: bool,
}

const WORD_BYTES_MAX: usize = 32;

/// Returns where the value starts: the first offset that is not part of the gap, or that `is_value` accepts.
pub(super) fn over_gap(text: &str, from: usize, gap: &Gap, is_value: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut at, mut others) = (from, 0);
    while at <= from + gap.bytes_max {
        let marks = marks(text, at, gap)?;
        let ends_sentence = at > from && ends_sentence(&text[at..at + marks]);
        at += marks;
        let word = word_at(text, at);
        if word.is_empty() || is_value(at) {
            return Some(at);
        }
        match kind(word) {
            LabelWord::Small => {}
            LabelWord::Name if others < gap.other_words_max && !ends_sentence => others += 1,
            _ => return Some(at),
        }
        at += word.len();
    }
    None
}

/// Whether a text consists only of gap words and marks, within one sentence.
pub(super) fn is_gap(text: &str, gap: &Gap) -> bool {
    let last_word_end = text.rfind(char::is_alphabetic).unwrap_or(0);
    over_gap(text, 0, gap, |_| false) == Some(text.len()) && !ends_sentence(&text[..last_word_end])
}

/// Whether a text contains a word or a mark for "number".
pub(super) fn says_number(text: &str) -> bool {
    text.contains(['#', '№', '°', 'º', ':', '='])
        || text.split(|letter: char| !letter.is_alphanumeric()).any(is_number_name)
}

/// Whether a word directly names the number at `at`: "order number 17", "Order ID: 17", "tracking number is 17".
/// `word_end` is the end of the word. A colon alone can introduce anything ("thanks for the order: 17"), so in that
/// case the word must begin its clause.
pub(super) fn names_number(text: &str, word_end: usize, at: usize) -> bool {
    let gap = &text[word_end..at];
    let (mut says_number, mut has_colon) = (false, false);
    let mut rest = gap;
    while let Some(letter) = rest.chars().next() {
        let word = word_at(rest, 0);
        if word.is_empty() {
            let is_abbreviation = says_number || gap.len() == rest.len() && is_abbreviation(&text[..word_end]);
            match letter {
                ' ' | '#' | '_' | '-' | '"' | '\'' | '№' | '°' | 'º' => {}
                ':' | '=' => has_colon = true,
                '.' if is_abbreviation => {}
                _ => return false,
            }
            rest = &rest[letter.len_utf8()..];
        } else {
            let is_name = is_number_name(word) || word.eq_ignore_ascii_case("id") || word.eq_ignore_ascii_case("code");
            if !is_name && word != "is" {
                return false;
            }
            says_number |= is_name;
            rest = &rest[word.len()..];
        }
    }
    !has_colon || says_number || begins_clause(text, word_end)
}

fn is_abbreviation(before: &str) -> bool {
    ["ref", "no", "nr"].iter().any(|short| {
        before
            .len()
            .checked_sub(short.len())
            .and_then(|from| before.get(from..))
            .is_some_and(|end| end.eq_ignore_ascii_case(short))
    })
}

/// Whether the word that ends here, or the one before it ("product code"), is the first after punctuation or a line
/// break.
fn begins_clause(text: &str, word_end: usize) -> bool {
    let before = behind(text, word_end, WORD_BYTES_MAX);
    let mut words = before.rsplit(' ');
    let is_marked = |word: &str| word.contains(|letter: char| !letter.is_alphanumeric());
    let reaches_start = |words: usize| before.len() == word_end && before.split(' ').count() <= words;
    let last = words.next().unwrap_or_default();
    let first = words.next();
    is_marked(last) || reaches_start(2) || first.is_some_and(|word| is_marked(word) && !word.ends_with('\''))
}

static SMALL_HASHES: LazyLock<Vec<u32>> = LazyLock::new(|| hashes(SMALL));
static NUMBER_HASHES: LazyLock<Vec<u32>> = LazyLock::new(|| hashes(NUMBER_WORDS));

/// Sorted hashes, so that a word is found without a lower-case copy of it.
fn hashes(words: &[&str]) -> Vec<u32> {
    let mut hashes: Vec<u32> = words.iter().map(|word| tokenize::hash(word)).collect();
    hashes.sort_unstable();
    hashes
}

fn is_in(hashes: &[u32], word: &str) -> bool {
    hashes.binary_search(&tokenize::hash(word)).is_ok()
}

fn is_number_name(word: &str) -> bool {
    is_in(&NUMBER_HASHES, word)
}

enum LabelWord {
    Small,
    Name,
    Other,
}

fn kind(word: &str) -> LabelWord {
    if is_in(&SMALL_HASHES, word) || is_number_name(word) {
        LabelWord::Small
    } else if word.starts_with(char::is_uppercase) {
        LabelWord::Name
    } else {
        LabelWord::Other
    }
}

/// The length of the marks and spaces at `at`; `None` if there are too many.
fn marks(text: &str, at: usize, gap: &Gap) -> Option<usize> {
    let is_mark = |letter: char| {
        letter.is_whitespace() && (gap.across_lines || letter != '\n')
            || " :=#\"'’*()[].,-–—|?°º№：、，（）/_`>".contains(letter)
    };
    let mut length = 0;
    for letter in text[at..].chars().take(gap.marks_max) {
        if !is_mark(letter) {
            return Some(length);
        }
        length += letter.len_utf8();
    }
    (at + length == text.len()).then_some(length)
}

/// The word at `at`, cut off after a maximum length; empty if no letter is there.
fn word_at(text: &str, at: usize) -> &str {
    let ascii = run(&text.as_bytes()[at..], WORD_BYTES_MAX, |byte| byte.is_ascii_alphabetic());
    let rest = &text[at + ascii..];
    if rest.as_bytes().first().is_none_or(u8::is_ascii) {
        return &text[at..at + ascii];
    }
    let more = rest.chars().take(WORD_BYTES_MAX).take_while(|letter| letter.is_alphabetic() && *letter != 'º');
    &text[at..at + ascii + more.map(char::len_utf8).sum::<usize>()]
}

/// Whether a full stop, an exclamation mark or a question mark is followed by white space.
fn ends_sentence(marks: &str) -> bool {
    marks.as_bytes().windows(2).any(|pair| b".!?".contains(&pair[0]) && pair[1].is_ascii_whitespace())
}
