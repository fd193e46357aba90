//! Numbers that can name somebody: accounts, documents, phones, and dates of birth in any of the ways people write them.
//!
//! Stricter than the public inspectors: there a false alarm costs a reader's trust, here it costs a report one word of a memo.
//! Amounts of money, short numbers and recent dates stay.

use std::ops::Range;

use countersign_domain::Currency;

use super::{
    span::{DATE, DATE_OF_BIRTH, NUMBER, Span},
    token::Token,
};

/// Digits that stand together, or apart by single marks, are a number of somebody's from here on.
const DIGITS_MIN: usize = 6;
/// The same after a word such as `account`.
const LABELLED_DIGITS_MIN: usize = 3;
/// A date from before is more likely somebody's birth than a payment.
const RECENT_YEARS: Range<u32> = 2016..2100;
const BIRTH_YEARS: Range<u32> = 1900..2100;

pub(super) fn spans(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    births(text, tokens, spans);
    dates_in_words(tokens, spans);
    labelled(text, tokens, spans);
    for range in stretches(text) {
        let written = &text[range.clone()];
        let digits = digits(written);
        if digits < DIGITS_MIN && !(digits + 1 >= DIGITS_MIN && text[..range.start].ends_with('+')) {
            continue;
        }
        match date(written) {
            Some(year) if RECENT_YEARS.contains(&year) => {}
            Some(_) => spans.push(Span::new(range, DATE)),
            None if is_amount(text, &range) || is_time_of_day(written) => {}
            None => spans.push(Span::new(whole_token(text, range), NUMBER)),
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Digits with at most two marks between one and the next.
fn stretches(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let mut end = at + 1;
        loop {
            let marks = bytes[end..].iter().take(3).take_while(|byte| b" .-/():_,'+".contains(byte)).count();
            match bytes.get(end + marks) {
                Some(byte) if byte.is_ascii_digit() && marks <= 2 => end += marks + 1,
                _ => break,
            }
        }
        found.push(start..end);
        at = end;
    }
    found
}

/// With the letters that the digits stand among: `X1234567L`.
fn whole_token(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text[..range.start].char_indices().rev().take_while(|(_, letter)| letter.is_alphanumeric()).last();
    let after = text[range.end..].find(|letter: char| !letter.is_alphanumeric());
    before.map_or(range.start, |(at, _)| at)..after.map_or(text.len(), |len| range.end + len)
}

/// The year of a date in figures, perhaps with a time of day behind it.
fn date(written: &str) -> Option<u32> {
    let day = written.split([' ', ':']).next().unwrap_or(written);
    let rest = &written[day.len()..];
    let is_time = rest.len() <= 10 && rest.split([' ', ':', '.']).all(|part| part.len() <= 6);
    if !is_time || rest.starts_with(' ') && !rest.contains(':') {
        return None;
    }
    let mark = day.chars().find(|letter| !letter.is_ascii_digit())?;
    let parts: Vec<u32> = day.split(mark).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let lens: Vec<usize> = day.split(mark).map(str::len).collect();
    if !matches!(mark, '-' | '/' | '.') {
        return None;
    }
    let is_day = |day: u32, month: u32| (1..=31).contains(&day) && (1..=31).contains(&month) && day.min(month) <= 12;
    match (&parts[..], &lens[..]) {
        ([year, month, day], [4, 1..=2, 1..=2]) if is_day(*day, *month) => Some(*year),
        ([day, month, year], [1..=2, 1..=2, 4]) if is_day(*day, *month) => Some(*year),
        ([day, month, year], [1..=2, 1..=2, 2]) if is_day(*day, *month) => {
            Some(if (16..40).contains(year) { 2000 + year } else { 1900 + year })
        }
        _ => None,
    }
}

/// `12:30:45`, behind the `T` of a timestamp.
fn is_time_of_day(written: &str) -> bool {
    let (clock, fraction) = written.split_once('.').unwrap_or((written, ""));
    let parts: Vec<&str> = clock.split(':').collect();
    matches!(parts.len(), 2 | 3)
        && parts.iter().all(|part| part.len() == 2)
        && fraction.len() <= 9
        && !fraction.contains(' ')
}

/// Money, a measured figure with decimals, or a count in groups of three.
fn is_amount(text: &str, range: &Range<usize>) -> bool {
    let written = &text[range.clone()];
    let is_plain = written.bytes().all(|byte| byte.is_ascii_digit() || b"., '".contains(&byte));
    let stands_alone = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    if !is_plain || digits(written) > 15 || !stands_alone(text[..range.start].chars().next_back()) {
        return false;
    }
    if has_currency(text, range) {
        return true;
    }
    if !stands_alone(text[range.end..].chars().next()) {
        return false;
    }
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = groups.clone().next().is_some() && groups.all(|group| group.len() == 3) && first.len() <= 3;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = matches!(fraction.len(), 1..=2) && is_number(whole) && (1..=7).contains(&whole.len());
    let is_ratio = is_number(whole) && whole.len() <= 3 && (whole == "0" || !whole.starts_with('0'));
    is_number(fraction)
        && digits(written) <= 12
        && (is_grouped && fraction.len() <= 2 || is_decimal || is_ratio && !fraction.is_empty())
}

fn has_currency(text: &str, range: &Range<usize>) -> bool {
    const SYMBOLS: &str = "$€£¥₹₩₽₺₫₴₦฿₱₪";
    let before = text[..range.start].trim_end_matches(' ');
    let after = text[range.end..].trim_start_matches(' ');
    let is_near = |trimmed: &str, whole: &str| whole.len() - trimmed.len() <= 1;
    let is_symbol = |letter: Option<char>| letter.is_some_and(|letter| SYMBOLS.contains(letter));
    let code = |code: Option<&str>| code.is_some_and(|code| code.parse::<Currency>().is_ok());
    is_near(before, &text[..range.start])
        && (is_symbol(before.chars().next_back())
            || code(before.len().checked_sub(3).and_then(|from| before.get(from..))))
        || is_near(after, &text[range.end..]) && (is_symbol(after.chars().next()) || code(after.get(..3)))
}

/// A date, or a year alone, after a word for a birth.
fn births(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    const REACH: usize = 6;
    for (at, label) in tokens.iter().enumerate() {
        let is_star = text[..label.start].ends_with(['*', '†']) && label.number().is_some();
        if !label.is_one_of(BIRTH_LABELS) && !is_star {
            continue;
        }
        let from = if is_star { at } else { at + 1 };
        let near = tokens.iter().skip(from).take(REACH);
        let last = near.filter(|token| is_birth_figure(token)).map(|token| token.end).max();
        let first = tokens.iter().skip(from).find(|token| token.digits() > 0).map(|token| token.start);
        if let Some((first, last)) = first.zip(last).filter(|(first, last)| first < last) {
            spans.push(Span::new(first..last, DATE_OF_BIRTH));
        }
    }
}

fn is_birth_figure(token: &Token) -> bool {
    token.number().is_some_and(|number| match token.plain.len() {
        1 | 2 => number <= 99,
        4 => BIRTH_YEARS.contains(&number),
        6 | 8 => true,
        _ => false,
    })
}

/// `12 March 1985`, `12. März 1985`, `12 de marzo de 1985`, `March 12, 1985`.
fn dates_in_words(tokens: &[Token], spans: &mut Vec<Span>) {
    for (at, month) in tokens.iter().enumerate().filter(|(_, token)| is_month(token)) {
        let is_day = |token: &&Token| {
            let day = token.plain.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            day.len() <= 2 && day.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
        };
        let small = |token: &&&Token| !token.is_one_of(&["de", "of", "del", "di", "the", "th"]);
        let before = tokens[..at].iter().rev().take(2).collect::<Vec<_>>();
        let day_before = before.iter().find(small).copied().filter(is_day);
        let after = tokens[at + 1..].iter().take(4).collect::<Vec<_>>();
        let day_after = after.iter().find(small).copied().filter(is_day);
        let year = after
            .iter()
            .filter(small)
            .take(2)
            .find_map(|token| Some((*token, token.number().filter(|year| BIRTH_YEARS.contains(year))?)));
        if let Some((year, in_full)) = year
            && !RECENT_YEARS.contains(&in_full)
            && (day_before.is_some() || day_after.is_some())
        {
            spans.push(Span::new(day_before.unwrap_or(month).start..year.end, DATE));
        }
    }
}

/// By its first letters, in the languages that the tables below cover.
fn is_month(token: &Token) -> bool {
    token.is_word() && token.plain.len() >= 3 && MONTHS.iter().any(|month| token.plain.starts_with(month))
}

/// A number after a word that says whose or what it is.
fn labelled(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    const FILLERS: &[&str] = &[
        "no", "nr", "num", "number", "nummer", "numero", "numer", "n", "id", "code", "kod", "is", "ist", "est", "es",
        "e", "jest", "de", "di", "do", "da", "du", "ending", "banque", "banco", "bancaria", "bancaire", "bankowe",
        "bank", "den",
    ];
    for (at, label) in tokens.iter().enumerate() {
        if !label.is_word() || !is_number_label(&label.plain) {
            continue;
        }
        let value = tokens.iter().skip(at + 1).take(5).find(|token| !token.is_one_of(FILLERS));
        let Some(value) = value.filter(|value| value.digits() >= LABELLED_DIGITS_MIN) else { continue };
        let gap = &text[label.end..value.start];
        // Figures that the sentence is about: "account age: 2,251 days".
        if gap.len() <= 32 && !gap.contains(['(', ';']) {
            let stretch = stretches(text).into_iter().find(|range| range.end > value.start && range.start < value.end);
            let range = stretch.filter(|range| !is_amount(text, range)).unwrap_or(value.start..value.end);
            spans.push(Span::new(whole_token(text, range.start.min(value.start)..range.end.max(value.end)), NUMBER));
        }
    }
}

fn is_number_label(word: &str) -> bool {
    NUMBER_LABELS.contains(&word)
        || NUMBER_ENDINGS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

/// `Kundennummer`, `rekeningnummer`, `Steuernr`.
const NUMBER_ENDINGS: &[&str] = &["nummer", "nr", "ausweis"];

const NUMBER_LABELS: &[&str] = &[
    "account",
    "acct",
    "acc",
    "ac",
    "konto",
    "konta",
    "compte",
    "cuenta",
    "conto",
    "conta",
    "rekening",
    "rachunek",
    "rachunku",
    "iban",
    "bban",
    "clabe",
    "cbu",
    "blz",
    "routing",
    "sortcode",
    "wallet",
    "passport",
    "pass",
    "reisepass",
    "passeport",
    "pasaporte",
    "passaporto",
    "passaporte",
    "paspoort",
    "paszport",
    "paszportu",
    "dni",
    "nie",
    "nif",
    "nino",
    "ssn",
    "sin",
    "tin",
    "itin",
    "pesel",
    "bsn",
    "cpf",
    "cnpj",
    "curp",
    "rfc",
    "nir",
    "insee",
    "steuer",
    "svnr",
    "ahv",
    "customer",
    "client",
    "cliente",
    "kunde",
    "klant",
    "klient",
    "member",
    "mitglied",
    "matricula",
    "matricule",
    "licence",
    "license",
    "permis",
    "patente",
    "rijbewijs",
    "card",
    "karte",
    "carte",
    "tarjeta",
    "carta",
    "cartao",
    "kaart",
    "karta",
    "karty",
    "pin",
    "cvv",
    "cvc",
    "otp",
    "tan",
    "phone",
    "tel",
    "telefon",
    "telefono",
    "telephone",
    "telefone",
    "telefoon",
    "mobile",
    "handy",
    "movil",
    "cell",
    "fax",
    "plate",
    "kennzeichen",
    "immatriculation",
    "targa",
    "kenteken",
    "policy",
    "versicherung",
    "patient",
    "identity",
    "ausweis",
    "identite",
    "identidad",
    "identita",
    "dowod",
    "cedula",
    "codice",
    "fiscale",
    "securite",
    "sociale",
    "seguridad",
    "social",
];

const BIRTH_LABELS: &[&str] = &[
    "born",
    "birth",
    "dob",
    "birthday",
    "birthdate",
    "geb",
    "geboren",
    "geburtsdatum",
    "geburtstag",
    "jahrgang",
    "ne",
    "nee",
    "naissance",
    "nacido",
    "nacida",
    "nacimiento",
    "nac",
    "nato",
    "nata",
    "nascita",
    "nascido",
    "nascida",
    "nascimento",
    "geboortedatum",
    "geb.dat",
    "urodzony",
    "urodzona",
    "urodzenia",
    "ur",
    "fodd",
    "fodt",
    "syntynyt",
    "narozen",
    "narozena",
    "szuletett",
    "dogum",
];

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt", "dez", "marz",
    "fev", "avr", "juin", "juil", "aout", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott", "out",
    "maart", "mei", "sty", "lut", "kwi", "maj", "cze", "lip", "sie", "wrz", "paz", "lis", "gru",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::{span::masked, token::tokens};

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        spans(text, &tokens(text), &mut found);
        assert_eq!(masked(text, found, 999), expected, "{text}");
    }

    #[test]
    fn a_date_of_birth_goes_in_any_language() {
        for (text, expected) in [
            ("born 12.03.1985", "born [DATE_OF_BIRTH]"),
            ("born on 12 March 1985 in Leeds", "born on [DATE_OF_BIRTH] in Leeds"),
            ("DOB 1985-03-12", "DOB [DATE_OF_BIRTH]"),
            ("geb. am 12.3.85", "geb. am [DATE_OF_BIRTH]"),
            ("geboren am 12. März 1985", "geboren am [DATE_OF_BIRTH]"),
            ("né le 12 mars 1985", "né le [DATE_OF_BIRTH]"),
            ("nacida el 12 de marzo de 1985", "nacida el [DATE_OF_BIRTH]"),
            ("nato il 12/03/1985", "nato il [DATE_OF_BIRTH]"),
            ("nascido em 12-03-1985", "nascido em [DATE_OF_BIRTH]"),
            ("geboren op 12 maart 1985", "geboren op [DATE_OF_BIRTH]"),
            ("ur. 12.03.1985", "ur. [DATE_OF_BIRTH]"),
            ("Jahrgang 1985", "Jahrgang [DATE_OF_BIRTH]"),
            ("*12.03.1985", "*[DATE_OF_BIRTH]"),
            ("born 19850312", "born [DATE_OF_BIRTH]"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_date_of_long_ago_goes_without_a_word_before_it() {
        check("Ann 12.03.1985", "Ann [DATE]");
        check("12 March 1985", "[DATE]");
        check("March 12, 1985", "[DATE]");
        check("12 de marzo de 1985", "[DATE]");
    }

    #[test]
    fn long_numbers_go_however_they_are_grouped() {
        for number in [
            "1234567890",
            "12 34 56 78",
            "123-456-789",
            "12.345.678-9",
            "X1234567L",
            "0123/456789",
            "12345678 Z",
            "(020) 7946 0958",
        ] {
            let mut found = Vec::new();
            let text = format!("ref {number} paid");
            spans(&text, &tokens(&text), &mut found);
            assert!(!masked(&text, found, 999).contains("345") || number.starts_with('('), "{number}");
        }
        check("account no 1234567890", "account no [NUMBER]");
        check("flat 4b, heating", "flat 4b, heating");
    }

    #[test]
    fn shorter_numbers_go_after_a_word_for_an_account() {
        check("account no 48213", "account no [NUMBER]");
        check("Konto-Nr. 48213 bei der Bank", "Konto-Nr. [NUMBER] bei der Bank");
        check("compte n° 4821", "compte n° [NUMBER]");
        check("cuenta: 4821", "cuenta: [NUMBER]");
        check("nr konta 48213", "nr konta [NUMBER]");
        check("Kundennummer 4821", "Kundennummer [NUMBER]");
        check("PIN 4821", "PIN [NUMBER]");
        check("invoice 2231", "invoice 2231");
        check("order no. 99-1845", "order no. [NUMBER]");
    }

    #[test]
    fn amounts_figures_and_recent_dates_stay() {
        for text in [
            "USD 4,200.00 was 52.5 times the median of USD 80.00.",
            "EUR 1234567 in 24 hours",
            "1 250 000 EUR",
            "€1.250.000,00",
            "1,234,567 transactions",
            "a ratio of 0.871234",
            "12.345678 standard deviations",
            "on 2026-03-01 at 12:30",
            "2026-03-01 12:30:45",
            "01.03.2026",
            "2026-03-01T07:30:00.000000Z",
            "paid 5400.25",
            "12 March 2026",
            "14 in 1 h, 22 in 24 h",
        ] {
            check(text, text);
        }
    }
}
