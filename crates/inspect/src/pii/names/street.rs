//! Finds street addresses by rule: a street word, a name and a house number, in the order of each country. Covers forms
//! that the tagger was not trained on: compound street names, trailing numbers, and labels in capitals.

use std::ops::Range;

use super::gazetteer as g;
use super::tagger_input::{TaggerInput, WordForm};

/// Street words that follow the name, as in English; they have no other meaning in that position.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "street", "st", "road", "rd", "avenue", "ave", "lane", "ln", "boulevard", "blvd", "crescent", "cres", "terrace",
    "mews", "parkway", "pkwy", "highway", "hwy", "nagar", "marg", "chowk", "sarani", "salai", "galli",
];
/// Street words that are also ordinary words: the words before the number must indicate an address.
#[rustfmt::skip]
const DOUBTFUL_TYPES: &[&str] = &[
    "way", "court", "ct", "place", "pl", "drive", "dr", "hill", "square", "sq", "close", "walk", "row", "circle",
    "view", "gardens", "green", "grove", "rise", "parade", "quay", "wharf", "trail", "loop", "path", "plaza", "colony",
    "layout", "estate", "heights", "park",
];
/// Street words before the name. Those in the first table may follow a number ("12 rue …"); those in the second may
/// precede one ("calle … 12").
#[rustfmt::skip]
const LEADING_AFTER_NUMBER: &[&str] = &[
    "rue", "avenue", "av", "boulevard", "bd", "bld", "allée", "allées", "chemin", "impasse", "quai", "cours", "route",
    "square", "passage", "cité", "ruelle", "sentier", "faubourg", "place",
];
#[rustfmt::skip]
const LEADING: &[&str] = &[
    "calle", "avenida", "avda", "plaza", "pza", "paseo", "carrera", "camino", "carrer", "ronda", "glorieta", "via",
    "viale", "corso", "piazza", "piazzale", "vicolo", "largo", "rua", "travessa", "praça", "praca", "alameda",
    "estrada", "ulica", "ulicy", "ul", "aleja", "aleje", "alei", "osiedle", "plac", "улица", "улице", "ул", "проспект",
    "пр-т", "пр-кт", "просп", "переулок", "пер", "шоссе", "бульвар", "площадь", "набережная", "наб", "вул", "вулиця",
    "вулиці", "strada", "bulevardul", "calea", "jalan", "jl", "jln", "rruga", "rue", "avenue", "boulevard", "chemin",
    "οδός", "λεωφόρος", "jirón", "jiron",
];
/// Abbreviations that count only with their full stop or slash.
const SHORT_LEADING: &[&str] = &["c", "av", "al", "os", "pl", "r", "bd", "str", "ш", "пр", "пл"];
/// Street words that follow the name as separate words, before the number.
#[rustfmt::skip]
const TRAILING: &[&str] = &[
    "straße", "strasse", "str", "allee", "weg", "gasse", "platz", "damm", "ufer", "chaussee", "straat", "laan",
    "plein", "kade", "gracht", "gata", "gatan", "gate", "gaten", "vägen", "väg", "vei", "veien", "vej", "gade", "allé",
    "plads", "caddesi", "cad", "cd", "sokak", "sokağı", "sok", "sk", "bulvarı", "utca", "út", "tér", "körút", "katu",
    "street", "road", "avenue", "lane", "ulice", "třída", "náměstí", "cesta", "iela", "проспект", "улица", "переулок",
    "шоссе", "бульвар", "площадь", "набережная", "проезд", "вулиця",
];
/// Endings of compound street names.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "straße", "strasse", "str", "allee", "weg", "gasse", "platz", "damm", "ufer", "chaussee", "steig", "stieg",
    "straat", "laan", "plein", "kade", "gracht", "singel", "dijk", "gatan", "gata", "gaten", "vägen", "gränd", "vej",
    "vejen", "gade", "gaden", "veien", "vegen", "katu", "kuja",
];
const KOREAN_ENDINGS: [&str; 4] = ["-ro", "-gil", "-daero", "-dong"];
/// Words for "number" between a street and its number.
const NUMBER_WORDS: &[&str] =
    &["no", "nº", "n", "nr", "num", "número", "numero", "д", "дом", "буд", "будинок", "č", "km"];
/// Words that may follow a house number in a sentence. Any other lower-case word is what the number counts, as in
/// "via Paris 3 times".
#[rustfmt::skip]
const AFTER: &[&str] = &[
    "in", "im", "a", "à", "w", "we", "en", "i", "bei", "em", "at", "and", "und", "y", "et", "e", "op", "te", "is",
    "was", "on", "kv", "кв", "в", "у", "bis", "ter", "apt", "ist", "wohnt", "lebt", "near", "ve", "og", "och", "ja",
    "eller", "oder", "or", "for", "since", "seit", "by",
];
/// `CUES` before a doubtful street word indicate an address; `COUNTS` indicate a count or a year.
const CUES: &[&str] = &["at", "of", "to", "address", "is", "near", "flat", "from", "lives", "live", "on", "visit"];
const COUNTS: &[&str] = &[
    "in", "since", "by", "until", "during", "the", "top", "these", "those", "over", "about", "than", "before", "after",
    "chapter", "section", "page", "all", "some",
];
const ARTICLES: &[&str] =
    &["der", "die", "das", "den", "dem", "ein", "eine", "the", "auf", "vom", "zum", "erster", "auch"];

const NAME_WORDS_MAX: usize = 6;

/// The word range of each street address, in text order.
pub(super) fn streets(input: &TaggerInput) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in 0..input.words.len() {
        if !is_house_number(input, at) || input.looks[at].blocked {
            continue;
        }
        let street = number_last(input, at).or_else(|| number_first(input, at)).or_else(|| before_postcode(input, at));
        let Some(street) = street.map(|street| street.start..with_town(input, street.end)) else { continue };
        if found.last().is_none_or(|last| last.end <= street.start) {
            found.push(street);
        }
    }
    found
}

fn is_house_number(input: &TaggerInput, at: usize) -> bool {
    let word = input.word(at);
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let is_range = rest
        .strip_prefix('-')
        .is_some_and(|to| !to.is_empty() && to.len() <= 4 && to.bytes().all(|byte| byte.is_ascii_digit()));
    let is_joined = at.checked_sub(1).is_some_and(|before| {
        !input.words[at].shape.spaced && !matches!(input.word(before), "." | "," | ":" | "(" | "/" | "\"" | "#")
    });
    let is_part = at >= 2
        && input.words[at - 2].shape.has_digit
        && !input.words[at].shape.spaced
        && !input.words[at - 1].shape.spaced;
    (1..=5).contains(&digits)
        && (rest.is_empty() || rest.len() == 1 && rest.is_ascii() || is_range)
        && !is_joined
        && !is_part
}

/// Matches "12 Elm Street", "12 bis rue de Rivoli".
fn number_first(input: &TaggerInput, at: usize) -> Option<Range<usize>> {
    let before = at.checked_sub(1).map(|before| input.word(before).to_lowercase()).unwrap_or_default();
    let opens = at == 0
        || input.breaks(at) > 0
        || input.words[at - 1].shape.is_mark && !matches!(before.as_str(), "§" | "$" | "%" | "=");
    if COUNTS.contains(&before.as_str()) && input.breaks(at) == 0 || before == "§" {
        return None;
    }
    let mut next = at + 1;
    while matches!(input.word(next), "," | "bis" | "ter" | "quater") && next < at + 3 {
        next += 1;
    }
    if is_in(input, next, LEADING_AFTER_NUMBER) {
        return named(input, next + 1).map(|end| at..end);
    }
    for end in at + 1..at + 2 + NAME_WORDS_MAX {
        if input.breaks(end) > 0 || !is_name_word(input, end) && input.word(end) != "." {
            return None;
        }
        let is_type =
            is_in(input, end, TYPES) || (opens || CUES.contains(&before.as_str())) && is_in(input, end, DOUBTFUL_TYPES);
        let korean = KOREAN_ENDINGS.iter().any(|ending| input.word(end).ends_with(ending));
        if korean || is_type && end > at + 1 {
            return Some(at..end + 1);
        }
    }
    None
}

/// Matches "calle Mayor 15", "Schillerallee 7", "ул. Ленина, д. 15".
fn number_last(input: &TaggerInput, at: usize) -> Option<Range<usize>> {
    let next = input.word(at + 1);
    let counted = input.looks.get(at + 1).is_some_and(|look| look.form == WordForm::Lower) && input.breaks(at + 1) == 0;
    if counted && !AFTER.contains(&next) || matches!(next, "%" | "€" | "$") {
        return None;
    }
    let mut last = at;
    for _ in 0..4 {
        let before = last.checked_sub(1)?;
        let skipped = matches!(input.word(before), "." | ":" | ",") || is_in(input, before, NUMBER_WORDS);
        // A number may open the line below its street's name, but it must not belong to the next sentence.
        if !skipped || input.breaks(last) > 0 {
            break;
        }
        last = before;
    }
    let has_stop = last < at && input.is_mark(last, ".");
    let last = last.checked_sub(1).filter(|_| input.breaks(last) == 0)?;
    if is_compound(input, last) || is_in(input, last, TRAILING) && has_name_before(input, last) {
        let abbreviated = !has_stop || input.word(last).to_lowercase().ends_with("str") || input.word(last).len() <= 4;
        let from = if is_compound(input, last) { last } else { name_start(input, last) };
        return abbreviated.then_some(from..at + 1);
    }
    let mut name = last;
    for _ in 0..=NAME_WORDS_MAX {
        let stop = input.is_mark(name, ".") || input.is_mark(name, "/");
        let word = if stop { name.checked_sub(1)? } else { name };
        let is_abbreviated = stop && is_in(input, word, SHORT_LEADING) && !is_initial(input, word);
        let is_leading = is_abbreviated || is_in(input, word, LEADING);
        if is_leading && word < last {
            let named = (word + 1..=last).any(|at| input.words[at].shape.starts_upper);
            return named.then_some(word..at + 1);
        }
        if stop && word + 1 == last
            || !(is_name_word(input, word) || is_particle(input, word))
            || input.breaks(name) > 0
        {
            return None;
        }
        name = word.checked_sub(1)?;
    }
    None
}

/// Matches "Am Markt 3, 99084 Erfurt": there is no street word, but only a postal code and a town can follow like this.
fn before_postcode(input: &TaggerInput, at: usize) -> Option<Range<usize>> {
    let separated = input.is_mark(at + 1, ",") || input.breaks(at + 1) > 0;
    let end = with_town(input, at + 1);
    if !separated || end == at + 1 || at == 0 || input.breaks(at) > 0 {
        return None;
    }
    let mut from = at;
    while from > 0
        && at - from < 4
        && input.breaks(from) == 0
        && (is_name_word(input, from - 1) || is_particle(input, from - 1))
    {
        from -= 1;
    }
    let named = (from..at).any(|at| input.words[at].shape.starts_upper);
    (from < at && named).then_some(from..end)
}

/// Extends an address past `, 99084 Erfurt`.
fn with_town(input: &TaggerInput, end: usize) -> usize {
    let code = if input.is_mark(end, ",") { end + 1 } else { end };
    if code == end && input.breaks(end) == 0 {
        return end;
    }
    let digits = |at: usize, count: Range<usize>| {
        input.words.get(at).is_some_and(|word| word.shape.all_digits && count.contains(&(word.end - word.start)))
    };
    let joined = |at: usize| {
        let word = input.word(at);
        word.len() >= 6 && word.contains('-') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let town = match () {
        () if digits(code, 3..4) && digits(code + 1, 2..3) => code + 2,
        () if digits(code, 4..5)
            && input.words.get(code + 1).is_some_and(|word| word.shape.all_upper && word.end - word.start == 2) =>
        {
            code + 2
        }
        () if digits(code, 4..7) || joined(code) => code + 1,
        () => return end,
    };
    let is_town = input.words.get(town).is_some_and(|word| word.shape.starts_upper) && input.breaks(town) == 0;
    if is_town { town + 1 } else { end }
}

fn is_in(input: &TaggerInput, at: usize, words: &[&str]) -> bool {
    let word = input.word(at);
    !word.is_empty() && word.len() <= 24 && words.contains(&word.to_lowercase().as_str())
}

/// Whether a word can be part of a street's name: capitalised, or an ordinal ("5th").
fn is_name_word(input: &TaggerInput, at: usize) -> bool {
    let Some(word) = input.words.get(at) else { return false };
    let ordinal =
        word.shape.has_digit && ["st", "nd", "rd", "th"].iter().any(|ending| input.word(at).ends_with(ending));
    !word.shape.is_mark
        && (word.shape.starts_upper && !word.shape.has_digit && input.flags(at) & g::CALENDAR == 0 || ordinal)
}

fn is_particle(input: &TaggerInput, at: usize) -> bool {
    input.flags(at) & g::PARTICLE != 0
}

/// Distinguishes initials ("Mr. R. Osei", "C. Miller") from street abbreviations ("R. do Sol", "c/ Mayor").
fn is_initial(input: &TaggerInput, at: usize) -> bool {
    let is_single = input.word(at).chars().nth(1).is_none();
    let is_titled = at.checked_sub(1).is_some_and(|before| {
        let before = if input.is_mark(before, ".") { before.saturating_sub(1) } else { before };
        input.flags(before) & g::TITLE != 0
    });
    is_single && (is_titled || input.word(at).eq_ignore_ascii_case("c") && !input.is_mark(at + 1, "/"))
}

fn is_compound(input: &TaggerInput, at: usize) -> bool {
    let word = input.word(at);
    if !input.words[at].shape.starts_upper || word.len() < 6 {
        return false;
    }
    let lower = word.to_lowercase();
    ENDINGS.iter().any(|ending| lower.len() > ending.len() + 2 && lower.ends_with(ending))
}

fn has_name_before(input: &TaggerInput, at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|before| input.breaks(at) == 0 && is_name_word(input, before) && !is_in(input, before, ARTICLES))
}

/// The first of up to three capitalised words before `at`.
fn name_start(input: &TaggerInput, at: usize) -> usize {
    let mut from = at;
    while from > 0 && at - from < 3 && input.breaks(from) == 0 && is_name_word(input, from - 1) {
        from -= 1;
    }
    from
}

/// The end of a name that starts at `at`: particles, then capitalised words.
fn named(input: &TaggerInput, at: usize) -> Option<usize> {
    let mut end = if input.is_mark(at, ".") { at + 1 } else { at };
    let mut last = None;
    for _ in 0..NAME_WORDS_MAX {
        let is_short = input.word(end).len() <= 3 && !input.words.get(end).is_some_and(|word| word.shape.is_mark);
        if input.breaks(end) > 0 || !(is_name_word(input, end) || is_particle(input, end) || is_short) {
            break;
        }
        let upper =
            input.words.get(end).is_some_and(|word| word.shape.starts_upper || input.word(end).contains(['\'', '’']));
        end += 1;
        if upper {
            last = Some(end);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::names::gazetteer::Gazetteer;
    use crate::tokenize;

    fn check(text: &str, expected: &[&str]) {
        let mut read = Vec::new();
        tokenize::tokenize(text, &mut read);
        let gazetteer = Gazetteer::new(&[]);
        let input = TaggerInput::new(&gazetteer, text, &read);
        let found: Vec<&str> =
            streets(&input).iter().map(|street| &text[read[street.start].start..read[street.end - 1].end]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn streets_are_found_in_the_word_order_of_each_country() {
        for (text, street) in [
            ("Mrs Joy Penn, 61, of 14 Albert Road, Hull", "14 Albert Road"),
            ("JOY PENN\n14 ALBERT RD\nHULL", "14 ALBERT RD"),
            ("Rao, 9 KH Road, Mysuru", "9 KH Road"),
            ("Anne Roux, 3 ter boulevard de la Marne, Reims", "3 ter boulevard de la Marne"),
            ("Ute Roth wohnt in der Buchenallee 9 in Ulm.", "Buchenallee 9"),
            ("Ute Roth, Kantstr. 4b, 10623 Berlin", "Kantstr. 4b, 10623 Berlin"),
            ("Ute Roth, Lange Straße 8", "Lange Straße 8"),
            ("Ute Roth, Am Anger 6, 99084 Erfurt", "Am Anger 6, 99084 Erfurt"),
            ("Pilar Sanz, Avenida de la Paz 7, Cádiz", "Avenida de la Paz 7"),
            ("Aldo Neri, Corso Re Umberto 33, Bari", "Corso Re Umberto 33"),
            ("Rita Melo, Rua do Sol, 55, Faro", "Rua do Sol, 55"),
            ("Ewa Lis, ul. Długa 12/4, 31-147 Kraków", "ul. Długa 12"),
            ("Nils Berg, Kungsgatan 8, 411 19 Göteborg", "Kungsgatan 8, 411 19 Göteborg"),
            ("Ayşe Kaya, Bağdat Caddesi No: 210, Kadıköy", "Bağdat Caddesi No: 210"),
            ("Олег Зуев, ул. Мира, д. 4, кв. 2, Тверь", "ул. Мира, д. 4"),
            ("Kim Ji-ho, 45 Sejong-daero, Seoul", "45 Sejong-daero"),
        ] {
            check(text, &[street]);
        }
    }

    #[test]
    fn counts_years_and_clauses_are_not_streets() {
        for text in [
            "In 2020 Wall Street fell.",
            "We flew via Paris 3 times.",
            "§ 823 Abs. 1 BGB",
            "The top 10 Supreme Court cases",
            "Sie belegte Platz 1.",
            "On 3 May Dr. Smith called.",
            "Chapter 5 Main Road",
            "Highway 101 runs along the coast.",
            "Engineering 101 and Room 12",
            "1 2 3 4 5",
            "Smith v. Jones, No. 20-1234",
            "",
        ] {
            check(text, &[]);
        }
    }
}
