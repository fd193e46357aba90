//! Finds dates of birth: a date near a word that marks it as one. The words cover some twenty-five languages; most
//! precede the date, some follow it ("wurde am 12. November 1969 geboren", "1987年9月3日出生").
//!
//! A year before 1900 is historical: everyone born then is dead.

use std::ops::Range;

use super::calendar;
use super::label::{self, Gap};
use super::{hit, spellings};
use crate::context::{ContextWords, ahead, behind, char_before, distance_before, joins, run, word_ends};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

/// Nouns for a date of birth, as in forms and tables.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "date of birth", "birth date", "birthdate", "birth_date", "birth-date", "date_of_birth", "dateofbirth", "birthday",
    "dob", "d.o.b", "geburtsdatum", "geburtstag", "geb.", "date de naissance", "date_naissance", "fecha de nacimiento",
    "fecha_nacimiento", "fecha nac", "f. nac", "data di nascita", "data_nascita", "data de nascimento",
    "data_nascimento", "data nasc", "geboortedatum", "data urodzenia", "data_urodzenia", "födelsedatum", "födelsedag",
    "fødselsdato", "fødselsdag", "doğum tarihi", "doğum günü", "dogum tarihi", "дата рождения", "день рождения", "д.р",
    "дата народження", "день народження", "出生日期", "出生年月日", "生日", "生年月日", "誕生日", "생년월일", "생일", "datum narození",
    "dátum narodenia", "data nașterii", "születési idő", "születési dátum", "syntymäaika", "syntymäpäivä",
    "ημερομηνία γέννησης", "تاريخ الميلاد", "जन्म तिथि", "जन्मतिथि", "tanggal lahir", "ngày sinh", "datum rođenja",
];
/// Verbs and participles for being born.
#[rustfmt::skip]
const BORN: &[&str] = &[
    "born", "geboren", "né", "née", "né(e)", "nee le", "nació", "nacio el", "nacido", "nacida", "nato il", "nata il",
    "nato a", "nata a", "nato/a il", "nasceu", "nascido", "nascida", "urodzony", "urodzona", "urodził się",
    "urodziła się", "ur.", "född", "født", "родился", "родилась", "народився", "народилася", "народилась", "出生于",
    "出生於", "生于", "narozen", "narozena", "narodený", "narodená", "născut", "născută", "született", "syntynyt",
    "γεννήθηκε", "ولد", "ولدت", "lahir", "rođen", "rođena",
];
/// Words that follow the date; some of the verbs do too.
#[rustfmt::skip]
const TRAILING: &[&str] = &[
    "geboren", "出生", "日生", "生まれ", "생", "출생", "doğumlu", "doğdu", "doğmuş", "года рождения", "г.р", "г. р",
    "року народження", "р.н", "született", "születésű", "syntynyt",
];
/// Genealogical marks: `(*5.1.1982)`, `, b. 5 January 1982`.
const MARKS: [&str; 4] = ["(*", ", *", "b. ", "b.: "];

/// Things that are "born" only in a figurative sense.
#[rustfmt::skip]
static THINGS: ContextWords = ContextWords::new(&[
    "company", "firm", "startup", "start-up", "project", "idea", "band", "team", "club", "nation", "state", "republic",
    "internet", "web", "language", "movement", "brand", "product", "series", "festival", "concept", "legend", "star",
    "union", "network", "bank", "agency", "church", "game", "genre", "currency", "euro", "organisation",
    "organization", "group",
]);
const THING_BYTES: usize = 40;

const GAP: Gap = Gap { bytes_max: 64, marks_max: 12, other_words_max: 4, across_lines: true };
const DATE_BYTES_MAX: usize = 32;
const BEFORE_BYTES_MAX: usize = 72;
/// The maximum distance from a heading to the first row below it.
const COLUMN_BYTES_MAX: usize = 200;

const LABELLED_SCORE: f64 = 0.85;
/// High enough to count, but not certain: the date may be that of a public figure.
const BORN_SCORE: f64 = 0.65;
const HISTORICAL_SCORE: f64 = 0.4;
const DETECTOR: &str = "pii/date_of_birth";
/// The detector of dates near a word such as "born". Near a name they weigh less than dates with a label.
pub(super) const BORN_DETECTOR: &str = "pii/born";

pub(super) fn anchors() -> Vec<ScanAnchor> {
    type Verify = fn(&str, Range<usize>) -> Option<Hit>;
    let rows: [(&'static [&'static str], Verify); 4] =
        [(LABELS, labelled), (BORN, born), (TRAILING, trailing), (&MARKS, marked)];
    let spelt = |(names, check): (&'static [&'static str], Verify)| {
        names.iter().flat_map(|name| spellings(name)).map(move |name| (name, ScanCheck::Verify(check)))
    };
    rows.into_iter().flat_map(spelt).collect()
}

fn labelled(text: &str, name: Range<usize>) -> Option<Hit> {
    if !is_word(text, &name) || is_anniversary(text, name.start) {
        return None;
    }
    let date = after(text, name.end).or_else(|| in_column(text, &name))?;
    Some(birth_hit(text, date, LABELLED_SCORE, DETECTOR, "a date after words for a date of birth"))
}

fn born(text: &str, name: Range<usize>) -> Option<Hit> {
    if !is_word(text, &name) || is_of_a_thing(text, name.start) {
        return None;
    }
    let date = after(text, name.end)?;
    Some(birth_hit(text, date, BORN_SCORE, BORN_DETECTOR, "a date after a word such as 'born'"))
}

fn trailing(text: &str, name: Range<usize>) -> Option<Hit> {
    // The character for "day" is part of the date.
    let start = name.start + if text[name.clone()].starts_with('日') { '日'.len_utf8() } else { 0 };
    if !joins_nothing(text, start) || !word_ends(text, name.end) {
        return None;
    }
    let date = before(text, start)?;
    Some(birth_hit(text, date, BORN_SCORE, BORN_DETECTOR, "a date before a word such as 'born'"))
}

fn marked(text: &str, mark: Range<usize>) -> Option<Hit> {
    // A letter is a mark only after punctuation: "Grace Miller, b. 5 January 1982".
    let is_letter = text.as_bytes()[mark.start].is_ascii_alphabetic();
    if is_letter && !behind(text, mark.start, 2).trim_end().ends_with([',', '(', ';']) {
        return None;
    }
    let start = mark.end + run(&text.as_bytes()[mark.end..], 2, |byte| byte == b' ');
    let date = start..start + calendar::date(ahead(text, start, DATE_BYTES_MAX))?;
    Some(birth_hit(text, date, BORN_SCORE, BORN_DETECTOR, "a date after a mark such as '*' or 'b.'"))
}

fn birth_hit(text: &str, date: Range<usize>, score: f64, detector: &'static str, why: &str) -> Hit {
    let score = if calendar::is_before_1900(&text[date.clone()]) { HISTORICAL_SCORE } else { score };
    hit("DATE_OF_BIRTH", detector, date, score, why.into())
}

/// Whether the label is a whole word; `customer_dob` counts too.
fn is_word(text: &str, name: &Range<usize>) -> bool {
    let closes = text[name.clone()].ends_with(|last: char| !joins(last));
    joins_nothing(text, name.start) && (closes || word_ends(text, name.end) || text.as_bytes()[name.end] == b'_')
}

/// Whether no letter or digit is attached before `at`.
fn joins_nothing(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|letter| !joins(letter))
}

/// Whether the label is part of an anniversary: "Her 50th birthday", "Goethes 250. Geburtstag".
fn is_anniversary(text: &str, start: usize) -> bool {
    let word = behind(text, start, 8).trim_end().rsplit(' ').next().unwrap_or_default();
    word.starts_with(|first: char| first.is_ascii_digit()) && !word.ends_with([':', ',', ';'])
}

fn is_of_a_thing(text: &str, start: usize) -> bool {
    let Some(gap) = distance_before(text, start, &THINGS, THING_BYTES) else { return false };
    let between = text[start - gap..start].split_whitespace();
    gap > 0 && between.clone().count() <= 2 && { between }
        .all(|word| ["was", "is", "were", "been", "has", "had"].contains(&word))
}

/// The date after a label, skipping marks, small words and capitalised names: "date of birth of Olivia Johnson: …".
fn after(text: &str, from: usize) -> Option<Range<usize>> {
    let date = |at: usize| calendar::date(ahead(text, at, DATE_BYTES_MAX)).map(|length| at..at + length);
    label::over_gap(text, from, &GAP, |at| date(at).is_some()).and_then(date)
}

/// The date before a word. Only small words and names, such as a place, may be between them.
fn before(text: &str, to: usize) -> Option<Range<usize>> {
    let window = behind(text, to, BEFORE_BYTES_MAX);
    let from = to - window.len();
    let mut last_joins = char_before(text, from).is_some_and(char::is_alphanumeric);
    for (at, letter) in window.char_indices() {
        let starts = letter.is_ascii_digit() && !last_joins;
        last_joins = joins(letter);
        if let Some(length) = starts.then(|| calendar::date(ahead(window, at, DATE_BYTES_MAX))).flatten()
            && label::is_gap(&window[at + length..], &GAP)
        {
            return Some(from + at..from + at + length);
        }
    }
    None
}

/// The date in the first row below a table heading: `name,dob` above `Ann Lee,1982-01-05`.
fn in_column(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    const QUOTES: [char; 4] = [' ', '"', '\'', '*'];
    let before = behind(text, name.start, COLUMN_BYTES_MAX);
    let heading = before.rsplit('\n').next().unwrap_or_default();
    let (rest, rows) = ahead(text, name.end, COLUMN_BYTES_MAX).split_once('\n')?;
    let separator = ['|', '\t', ';', ','].into_iter().find(|mark| heading.contains(*mark) || rest.contains(*mark))?;
    let ends = rest.trim_start_matches(QUOTES).trim_end();
    if !ends.is_empty() && !ends.starts_with(separator) {
        return None;
    }
    // The line of dashes below a heading contains neither letters nor digits.
    let mut row_at = name.end + rest.len() + 1;
    let mut lines = rows.split('\n').take(2);
    let row = loop {
        let line = lines.next()?;
        if line.contains(char::is_alphanumeric) {
            break line;
        }
        row_at += line.len() + 1;
    };
    let cells_before: usize =
        row.split(separator).take(heading.matches(separator).count()).map(|cell| cell.len() + 1).sum();
    let cell = row.get(cells_before..)?;
    let start = row_at + cells_before + cell.len() - cell.trim_start_matches(QUOTES).len();
    calendar::date(ahead(text, start, DATE_BYTES_MAX)).map(|length| start..start + length)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_date_after_its_label_is_found() {
        for date in ["1985-03-12", "12/03/1985", "3.12.85", "March 12, 1985", "12 Mar 1985", "the 12th of March 1985"] {
            let found = date.trim_start_matches("the ");
            check(&format!("Her date of birth is {date}."), &[("DATE_OF_BIRTH", found)]);
            check(&format!("DOB: {date}\n"), &[("DATE_OF_BIRTH", found)]);
        }
    }

    #[test]
    fn a_date_near_a_word_for_birth_is_found_in_many_languages() {
        for (text, date) in [
            ("She was born on 2/8/1935.", "2/8/1935"),
            ("Born in Leeds on 3 May 1961, he studied law.", "3 May 1961"),
            ("Date of birth of Ruth Ames: June 9, 1977.", "June 9, 1977"),
            ("Ruth Ames, b. 9 June 1977", "9 June 1977"),
            ("Ruth Ames (*9.6.1977 in Ulm)", "9.6.1977"),
            ("Ute Roth, geb. 14.02.1958", "14.02.1958"),
            ("Ute Roth wurde am 14. Februar 1958 in Ulm geboren.", "14. Februar 1958"),
            ("Anne Roux, née le 2 mars 1971 à Brest", "2 mars 1971"),
            ("DATE DE NAISSANCE : 02/03/1971", "02/03/1971"),
            ("Pilar Sanz nació el 4 de mayo de 1966.", "4 de mayo de 1966"),
            ("Aldo Neri, nato a Bari il 6 luglio 1949", "6 luglio 1949"),
            ("Rita Melo nasceu em 8 de junho de 1983", "8 de junho de 1983"),
            ("Daan Bos is geboren op 5 maart 1990", "5 maart 1990"),
            ("Ewa Lis, ur. 11.10.1979", "11.10.1979"),
            ("Nils Berg, född 3 maj 1955", "3 maj 1955"),
            ("Lise Holm, født den 3. maj 1955", "3. maj 1955"),
            ("Ayşe Kaya, doğum tarihi: 15.08.1992", "15.08.1992"),
            ("15 Ağustos 1992 doğumlu Ayşe Kaya", "15 Ağustos 1992"),
            ("Олег Зуев родился 7 мая 1968 года.", "7 мая 1968"),
            ("Дата рождения: 07.05.1968", "07.05.1968"),
            ("Дата народження: 07.05.1968", "07.05.1968"),
            ("张敏，1990年4月2日出生", "1990年4月2日"),
            ("出生日期：1990-04-02", "1990-04-02"),
            ("生年月日 1990年4月2日", "1990年4月2日"),
            ("1990年4月2日生まれ", "1990年4月2日"),
        ] {
            check(text, &[("DATE_OF_BIRTH", date)]);
        }
    }

    #[test]
    fn dates_in_fields_and_tables_are_found() {
        for (text, date) in [
            (r#"{"name":"Ruth Ames","birth_date":"1977-06-09"}"#, "1977-06-09"),
            (r#"{"dateOfBirth": "1977-06-09T00:00:00Z"}"#, "1977-06-09"),
            ("customer_dob = 1977-06-09", "1977-06-09"),
            ("name;dob;town\nRuth Ames;9.6.1977;Ulm", "9.6.1977"),
            ("| Name | Date of birth |\n|---|---|\n| Ruth Ames | 9 June 1977 |", "9 June 1977"),
        ] {
            check(text, &[("DATE_OF_BIRTH", date)]);
        }
    }

    #[test]
    fn historical_dates_are_uncertain_and_other_dates_are_not_found() {
        check_uncertain("Date of birth: 23 December 1863", &[("DATE_OF_BIRTH", "23 December 1863")]);
        check("My birthday is on the weekend. DOB: unknown. The date of birth is 12. Reborn 2/8/1935", &[]);
        check("The company was born on 1 April 1976. On her 50th birthday, 3 May 2024, she spoke.", &[]);
        check("Your web. 5 May 2024 is fine. NATO was founded on 4 April 1949. Our hour. 5.5.2024", &[]);
        check("name,dob,joined\nRuth Ames,,2019-06-09", &[]);
    }
}
