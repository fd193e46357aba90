//! Parses dates with a year: numbers with separators, or a month's name with a year and usually a day, in some
//! twenty-five languages.
//!
//! The English months are in the same table as the others, rather than taken from `countersign_text`, because here a word
//! counts as a month if it begins like one in any of the languages.

use crate::context::run;

/// The first letters of month names. A word that begins with them is a month if the date also has a year.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "juin", "juil", "jän", "mär",
    "mai", "okt", "dez", "fév", "avr", "aoû", "déc", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set",
    "ott", "fev", "out", "maa", "mei", "maj", "des", "sty", "lut", "kwi", "cze", "lip", "sie", "wrz", "paź", "lis",
    "gru", "oca", "şub", "nis", "haz", "tem", "ağu", "eyl", "eki", "kas", "ara", "led", "úno", "bře", "dub", "kvě",
    "čer", "srp", "zář", "říj", "pro", "ian", "iun", "iul", "noi", "máj", "ápr", "jún", "júl", "szep", "tam", "hel",
    "huh", "tou", "kes", "hei", "elo", "syy", "lok", "jou", "янв", "фев", "мар", "апр", "мая", "май", "июн", "июл",
    "авг", "сен", "окт", "ноя", "дек", "січ", "лют", "бер", "кві", "тра", "чер", "лип", "сер", "вер", "жов", "лис",
    "гру", "ιαν", "φεβ", "μαρ", "απρ", "μαΐ", "ιουν", "ιουλ", "αυγ", "σεπ", "οκτ", "νοε", "δεκ", "agu",
];
/// Words that may occur inside a date, and suffixes of a day's number.
const CONNECTORS: [&str; 6] = ["of", "de", "del", "di", "den", "tháng"];
const ORDINALS: [&str; 9] = ["", "st", "nd", "rd", "th", "er", "e", "º", "ª"];
const MONTH_BYTES_MAX: usize = 20;

/// The length of the date at the start of a text.
pub(super) fn date(text: &str) -> Option<usize> {
    numeric(text.as_bytes()).or_else(|| with_signs(text)).or_else(|| with_month(text))
}

/// Whether the date contains a four-digit year before 1900.
pub(super) fn is_before_1900(date: &str) -> bool {
    date.split(|letter: char| !letter.is_ascii_digit()).any(|number| number.len() == 4 && number < "1900")
}

/// Matches `12.03.1985`, `1985-03-12`, `5. 1. 1982`.
fn numeric(bytes: &[u8]) -> Option<usize> {
    let digits = |at: usize| run(bytes.get(at..).unwrap_or_default(), 5, |byte| byte.is_ascii_digit());
    let first = digits(0);
    let mark = *bytes.get(first).filter(|byte| b"/-.".contains(byte))?;
    let space = usize::from(mark == b'.' && bytes.get(first + 1) == Some(&b' '));
    let second_start = first + 1 + space;
    let second = digits(second_start);
    let second_end = second_start + second;
    (bytes.get(second_end) == Some(&mark)).then_some(())?;
    let third_start = second_end + 1 + space;
    let third = digits(third_start);
    let formed = matches!((first, second, third), (4, 1..=2, 1..=2) | (1..=2, 1..=2, 2 | 4));
    let end = third_start + third;
    let number = |from: usize, to: usize| bytes[from..to].iter().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
    let (a, b, c) = (number(0, first), number(second_start, second_end), number(third_start, end));
    let fits = |day: u32, month: u32| (1..=31).contains(&day) && (1..=12).contains(&month);
    let real = if first == 4 { fits(c, b) || fits(b, c) } else { fits(a, b) || fits(b, a) };
    let ends = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() || *byte == b'T');
    (formed && real && ends).then_some(end)
}

/// Matches `1987年9月3日`, `1987년 9월 3일`.
fn with_signs(text: &str) -> Option<usize> {
    let mut rest = text;
    for (digits_max, signs) in [(4, ['年', '년', '년']), (2, ['月', '월', '월']), (2, ['日', '일', '号'])] {
        rest = rest.trim_start_matches(' ');
        let digits = run(rest.as_bytes(), digits_max + 1, |byte| byte.is_ascii_digit());
        if !(1..=digits_max).contains(&digits) {
            return None;
        }
        rest = rest[digits..].trim_start_matches(' ').strip_prefix(signs)?;
    }
    Some(text.len() - rest.len())
}

/// Matches `March 12, 1985`, `12. März 1985`, `23 de abril de 1968`, `05-Jan-1982`.
fn with_month(text: &str) -> Option<usize> {
    let (mut at, mut end) = (0, 0);
    let (mut month, mut day, mut year) = (false, false, false);
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|letter: char| !letter.is_alphanumeric() || is_sign(letter)).unwrap_or(rest.len());
        let word = &rest[..length];
        let digits = run(word.as_bytes(), length, |byte| byte.is_ascii_digit());
        match digits {
            0 if !month && is_month(word) => month = true,
            0 if (day || month) && CONNECTORS.contains(&word) => {}
            1 | 2 if !day && ORDINALS.contains(&&word[digits..]) => day = true,
            4 if !year && digits == length => year = true,
            _ => break,
        }
        end = at + length;
        let gap = run(&text.as_bytes()[end..], 2, |byte| b" ,.-/".contains(&byte));
        at = end + gap;
        if gap == 0 || (month && year && day) {
            break;
        }
    }
    (month && year).then_some(end)
}

/// East Asian characters; no month name contains them, so a date ends before them.
fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{D7AF}')
}

fn is_month(word: &str) -> bool {
    let may_be_one = (3..=MONTH_BYTES_MAX).contains(&word.len()) && word.chars().take(3).all(char::is_alphabetic);
    if !may_be_one {
        return false;
    }
    let lower = word.to_lowercase();
    MONTHS.iter().any(|month| lower.starts_with(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_covers_all_its_parts_and_no_more() {
        for written in [
            "1985-03-12",
            "12/03/1985",
            "3.12.85",
            "5. 1. 1982",
            "March 12, 1985",
            "12 Mar 1985",
            "12th of March 1985",
            "12. März 1985",
            "8 juin 1990",
            "1er août 1990",
            "23 de abril de 1968",
            "12 ottobre 1980",
            "2 de fevereiro de 1975",
            "5 stycznia 1982",
            "3 сентября 1987",
            "3 Eylül 1987",
            "1987年9月3日",
            "1987년 9월 3일",
            "05-Jan-1982",
            "1980. május 5",
        ] {
            for rest in ["", ".", ", in Rome", ") x"] {
                assert_eq!(date(&format!("{written}{rest}")), Some(written.len()), "{written}{rest}");
            }
        }
    }

    #[test]
    fn other_numbers_are_not_dates() {
        for text in
            ["", "12", "1985", "40.20.30", "99/99/1999", "1.2.3", "12 users", "March", "5 March", "12 1985", "1987年"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn a_year_before_1900_is_historical() {
        for (written, expected) in
            [("31.12.1899", true), ("1 January 1900", false), ("3.12.85", false), ("1756年1月27日", true)]
        {
            assert_eq!(is_before_1900(written), expected, "{written}");
        }
    }
}
