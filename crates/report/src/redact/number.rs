//! Finds numbers that can identify a person: accounts, cards, documents, phones, coordinates, and old dates.
//!
//! This is stricter than the public inspectors: there, a false alarm costs a reader's trust; here, it costs one word of
//! a memo. Amounts of money, short numbers and recent dates are kept.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use countersign_domain::Currency;

use super::{
    birth::RECENT_YEARS,
    span::{ADDRESS, DATE, MaskedSpan, NUMBER},
    token::{TextToken, TokenShape},
};

/// A run of at least this many digits, possibly with marks in between, may identify a person.
const DIGITS_MIN: usize = 5;
/// The minimum after a label such as `account`.
const LABELLED_DIGITS_MIN: usize = 3;
/// A number spelt in words with fewer digits is a count.
const SPELT_DIGITS_MIN: usize = 4;
/// The number of digits in the shortest date: `1/2/85`.
const DATE_DIGITS_MIN: usize = 4;
/// An ungrouped number with more digits before the decimal point is more likely an account number than an amount.
const UNGROUPED_DIGITS_MAX: usize = 7;

pub(super) fn spans(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    spelt_digits(tokens, spans);
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return;
    }
    let digit_runs = digit_runs(text);
    labelled(text, tokens, &digit_runs, spans);
    coordinates(text, tokens, spans);
    for range in digit_runs {
        let written = &text[range.clone()];
        let digits = digits(written);
        if digits >= DATE_DIGITS_MIN
            && let Some(year) = date(written)
        {
            if !RECENT_YEARS.contains(&year) {
                spans.push(MaskedSpan::new(range, DATE));
            }
            continue;
        }
        if is_hidden_in_part(text, &range, digits) {
            spans.push(MaskedSpan::new(range, NUMBER));
            continue;
        }
        if digits < DIGITS_MIN && !(digits + 1 >= DIGITS_MIN && text[..range.start].ends_with('+')) {
            continue;
        }
        let next = || tokens.iter().find(|token| token.start >= range.end);
        let before = || tokens.iter().rev().find(|token| token.end <= range.start);
        let is_short = digits <= 9;
        let is_document = is_short && before().is_some_and(is_document_label) && has_year(written);
        let is_count = is_short && is_counted(next()) && written.bytes().all(|byte| byte.is_ascii_digit());
        if !is_amount(text, &range) && !is_time_of_day(written) && !is_document && !is_count {
            spans.push(MaskedSpan::new(whole_token(text, range), NUMBER));
        }
    }
}

/// `****7731`, `xx7731`, `...7731`: the visible end, or start, of a number that the sender has already masked.
fn is_hidden_in_part(text: &str, range: &Range<usize>, digits: usize) -> bool {
    let before = &text[..range.start];
    let marks = before.chars().rev().take_while(|mark| matches!(mark, '*' | 'x' | 'X' | '•' | '#' | '…' | '.')).count();
    let trimmed = before.trim_end_matches([' ', '-']);
    let has_gap = trimmed.ends_with("**") || trimmed.ends_with('•') || trimmed.ends_with("XXX");
    let is_hidden =
        has_gap || marks >= 2 && before.ends_with(['*', 'x', 'X', '•', '#']) || marks >= 3 || before.ends_with('…');
    let is_hidden_after = text[range.end..].trim_start().starts_with("**");
    digits >= LABELLED_DIGITS_MIN && (is_hidden || is_hidden_after)
}

/// Whether a word labels the number of an invoice or an order: `Rechnung 2024-118`.
pub(super) fn is_document_label(token: &TextToken) -> bool {
    const LABELS: &[&str] = &[
        "invoice",
        "inv",
        "rechnung",
        "rechnungsnummer",
        "facture",
        "factura",
        "fattura",
        "fatura",
        "faktura",
        "factuur",
        "nr",
        "no",
        "number",
        "nummer",
        "order",
        "bestellung",
        "commande",
        "pedido",
        "ordine",
        "encomenda",
        "bestelling",
        "zamowienie",
    ];
    token.is_one_of(LABELS)
}

/// Whether a number contains a recent year, as numbers of invoices do.
fn has_year(written: &str) -> bool {
    written
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|group| group.len() == 4 && group.parse().is_ok_and(|year| RECENT_YEARS.contains(&year)))
}

/// Whether the next word is a unit or a counted thing: `15000 seconds`.
pub(super) fn is_counted(next: Option<&TextToken>) -> bool {
    const UNITS: &[&str] = &[
        "transactions",
        "transaction",
        "payments",
        "seconds",
        "second",
        "minutes",
        "hours",
        "days",
        "weeks",
        "months",
        "years",
        "km",
        "kmh",
        "points",
        "percent",
        "times",
        "events",
        "alerts",
        "customers",
        "accounts",
        "ms",
        "h",
        "s",
        "m",
        "miles",
        "metres",
        "meters",
        "items",
        "euro",
        "euros",
        "dollars",
        "pounds",
    ];
    next.is_some_and(|next| next.is_one_of(UNITS))
}

pub(super) fn is_currency(code: &str) -> bool {
    code.parse::<Currency>().is_ok()
}

/// Whether a number is spelt in words, digit by digit.
pub(super) fn is_spelt(tokens: &[TextToken]) -> bool {
    tokens.len() >= SPELT_DIGITS_MIN && tokens.windows(SPELT_DIGITS_MIN).any(|run| run.iter().all(is_spelt_digit))
}

fn is_spelt_digit(token: &TextToken) -> bool {
    const DIGITS: &str = "zero oh one two three four five six seven eight nine double null eins zwei drei vier funf sechs sieben
        acht neun un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve due tre quattro
        cinque sei sette otto nove";
    token.shape != TokenShape::Number && DIGITS.split_whitespace().any(|digit| digit == token.plain)
}

/// `four eight two one`: digits read out in words identify an account or a person.
fn spelt_digits(tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    let mut from = 0;
    while from < tokens.len() {
        let len = tokens[from..].iter().take_while(|token| is_spelt_digit(token)).count();
        if len >= SPELT_DIGITS_MIN {
            spans.push(MaskedSpan::new(tokens[from].start..tokens[from + len - 1].end, NUMBER));
        }
        from += len.max(1);
    }
}

/// Masks two figures with three or more decimals that can be latitude and longitude, or one after a label for it.
fn coordinates(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const LABELS: &[&str] =
        &["lat", "latitude", "lon", "lng", "long", "longitude", "gps", "loc", "coords", "coordinates"];
    const DECIMALS_MIN: usize = 3;
    let figure = |at: usize| -> Option<Range<usize>> {
        let (whole, fraction) = (tokens.get(at)?, tokens.get(at + 1)?);
        let is_degree = whole
            .plain
            .trim_start_matches(|letter: char| "nswe".contains(letter))
            .parse::<u32>()
            .is_ok_and(|degrees| degrees <= 180);
        let is_fraction = fraction.plain.bytes().take_while(u8::is_ascii_digit).count() >= DECIMALS_MIN;
        (is_degree && is_fraction && &text[whole.end..fraction.start] == ".").then_some(whole.start..fraction.end)
    };
    let figures: Vec<(usize, Range<usize>)> = (0..tokens.len()).filter_map(|at| Some((at, figure(at)?))).collect();
    for (nth, (at, range)) in figures.iter().enumerate() {
        let is_close = |other: Option<&(usize, Range<usize>)>| other.is_some_and(|(there, _)| there.abs_diff(*at) <= 3);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_labelled = before.is_some_and(|before| {
            before.is_one_of(LABELS) || before.shape == TokenShape::Letter && before.is_one_of(&["n", "s", "e", "w"])
        });
        if is_close(figures.get(nth + 1))
            || nth.checked_sub(1).is_some_and(|before| is_close(figures.get(before)))
            || is_labelled
        {
            spans.push(MaskedSpan::new(range.clone(), ADDRESS));
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Runs of digits with at most three marks between any two.
pub(super) fn digit_runs(text: &str) -> Vec<Range<usize>> {
    const MARKS_MAX: usize = 3;
    let is_mark = |letter: char| " .-/():_,'+|·•*\\[]~#".contains(letter);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut marks = 0;
    for (at, letter) in text.char_indices() {
        if letter.is_ascii_digit() {
            match found.last_mut() {
                Some(last) if marks <= MARKS_MAX => last.end = at + 1,
                _ => found.push(at..at + 1),
            }
            marks = 0;
        } else if is_mark(letter) {
            marks += 1;
        } else {
            marks = MARKS_MAX + 1;
        }
    }
    found
}

/// Extends a range to the letters around the digits: `X1234567L`.
fn whole_token(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text[..range.start].char_indices().rev().take_while(|(_, letter)| letter.is_alphanumeric()).last();
    let after = text[range.end..].find(|letter: char| !letter.is_alphanumeric());
    before.map_or(range.start, |(at, _)| at)..after.map_or(text.len(), |len| range.end + len)
}

/// The year of a date in figures, which a time of day may follow.
pub(super) fn date(written: &str) -> Option<u32> {
    let day = written.split([' ', ':']).next().unwrap_or(written);
    let rest = &written[day.len()..];
    let is_time = rest.len() <= 10 && rest.split([' ', ':', '.']).all(|part| part.len() <= 6);
    if !is_time || rest.starts_with(' ') && !rest.contains(':') {
        return None;
    }
    let mark = day.chars().find(|letter| !letter.is_ascii_digit())?;
    let parts: Vec<u32> = day.split(mark).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let lens: Vec<usize> = day.split(mark).map(str::len).collect();
    if !matches!(mark, '-' | '/' | '.' | '|' | '·' | '•' | '\\' | '_') {
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

/// `12:30:45`, after the `T` of a timestamp.
fn is_time_of_day(written: &str) -> bool {
    let (clock, fraction) = written.split_once('.').unwrap_or((written, ""));
    let parts: Vec<&str> = clock.split(':').collect();
    matches!(parts.len(), 2 | 3)
        && parts.iter().all(|part| part.len() == 2)
        && fraction.len() <= 9
        && !fraction.contains(' ')
}

/// Whether a number is an amount of money, a figure with decimals, or a count in groups of three.
fn is_amount(text: &str, range: &Range<usize>) -> bool {
    let written = &text[range.clone()];
    let is_plain = written.bytes().all(|byte| byte.is_ascii_digit() || b"., '".contains(&byte));
    let stands_alone = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    if !is_plain || digits(written) > 15 || !stands_alone(text[..range.start].chars().next_back()) {
        return false;
    }
    if has_currency(text, range) {
        return !written.bytes().all(|byte| byte.is_ascii_digit()) || written.len() <= UNGROUPED_DIGITS_MAX;
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

pub(super) fn has_currency(text: &str, range: &Range<usize>) -> bool {
    const SYMBOLS: &str = "$€£¥₹₩₽₺₫₴₦฿₱₪";
    let before = text[..range.start].trim_end_matches(' ');
    let after = text[range.end..].trim_start_matches(' ');
    let is_near = |trimmed: &str, whole: &str| whole.len() - trimmed.len() <= 1;
    let is_symbol = |letter: Option<char>| letter.is_some_and(|letter| SYMBOLS.contains(letter));
    let code = |code: Option<&str>| code.is_some_and(is_currency);
    is_near(before, &text[..range.start])
        && (is_symbol(before.chars().next_back())
            || code(before.len().checked_sub(3).and_then(|from| before.get(from..))))
        || is_near(after, &text[range.end..]) && (is_symbol(after.chars().next()) || code(after.get(..3)))
}

/// Masks a number after a label that says what it is or whose it is.
fn labelled(text: &str, tokens: &[TextToken], digit_runs: &[Range<usize>], spans: &mut Vec<MaskedSpan>) {
    const FILLERS: &[&str] = &[
        "no", "nr", "num", "number", "nummer", "numero", "numer", "n", "id", "code", "kod", "is", "ist", "est", "es",
        "e", "jest", "de", "di", "do", "da", "du", "ending", "banque", "banco", "bancaria", "bancaire", "bankowe",
        "bank", "den", "in", "on", "with", "auf", "par", "en", "con", "op", "com", "digits", "ziffern", "stellen",
        "four", "vier", "4", "se", "che", "by", "the", "ref",
    ];
    for (at, label) in tokens.iter().enumerate() {
        let is_pair =
            tokens.get(at + 1).is_some_and(|next| &text[label.end..next.start] == "/" && next.is_one_of(&["c"]));
        let is_account = is_pair && label.is_one_of(&["a", "c"]);
        if !is_account && (!label.is_word() || !is_number_label(&label.plain)) {
            continue;
        }
        let at = if is_account { at + 1 } else { at };
        let value = tokens.iter().skip(at + 1).take(5).find(|token| !token.is_one_of(FILLERS));
        let Some(value) = value.filter(|value| value.digits() >= LABELLED_DIGITS_MIN) else { continue };
        let gap = &text[label.end..value.start];
        // A longer gap or a bracket means that the sentence is about figures: "account age (in days): 2,251".
        if gap.len() <= 32 && !gap.contains(['(', ';']) {
            let digit_run = digit_runs.iter().find(|range| range.end > value.start && range.start < value.end).cloned();
            let range = digit_run.filter(|range| !is_amount(text, range)).unwrap_or(value.start..value.end);
            spans.push(MaskedSpan::new(
                whole_token(text, range.start.min(value.start)..range.end.max(value.end)),
                NUMBER,
            ));
        }
    }
}

fn is_number_label(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| NUMBER_LABELS.split_whitespace().collect());
    WORDS.contains(word) || NUMBER_ENDINGS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

/// `Kundennummer`, `rekeningnummer`, `Steuernr`.
const NUMBER_ENDINGS: &[&str] = &["nummer", "nr", "ausweis"];

const NUMBER_LABELS: &str = "
    account acct acc ac konto konta compte cuenta conto conta rekening rachunek rachunku iban bban clabe cbu blz
    routing sortcode wallet passport pass reisepass passeport pasaporte passaporto passaporte paspoort paszport
    paszportu dni nie nif nino ssn sin tin itin pesel bsn cpf cnpj curp rfc nir insee steuer svnr ahv customer
    client cliente kunde klant klient member mitglied matricula matricule licence license permis patente
    rijbewijs card karte carte tarjeta carta cartao kaart karta karty pin cvv cvc otp tan phone tel telefon
    telefono telephone telefone telefoon mobile handy movil cell fax plate kennzeichen immatriculation targa
    kenteken policy versicherung patient identity ausweis identite identidad identita dowod cedula codice
    fiscale securite sociale seguridad social kto kontonr cta rek hesap hesabi cuzdan ending ends last endet
    endend letzte letzten terminant termine terminada terminado termina eindigend eindigt exp expiry expires
    loan ticket ext extension call dial serial sn imei medicare medicaid reg registration plaque nummernschild
    zip postcode plz cap kod username login";

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
    fn long_numbers_are_masked_however_they_are_grouped() {
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
    fn shorter_numbers_are_masked_after_a_label() {
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
    fn amounts_figures_and_recent_dates_are_kept() {
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
