//! Free text from outside: everything in it that could name, locate or identify somebody is masked, whatever the field's name
//! and whatever the language.
//!
//! | file         | finds                                                            |
//! |--------------|------------------------------------------------------------------|
//! | inspectors   | everything that `audit` calls personal, in doubtful cases too    |
//! | `birth.rs`   | dates of birth and ages                                          |
//! | `number.rs`  | account, card and document numbers, coordinates                  |
//! | `address.rs` | streets and postcodes                                            |
//! | `person.rs`  | names: every word that is on no list of harmless ones            |
//! | `opaque.rs`  | handles, random ids and encoded text                             |
//! | here         | scripts that the inspectors can't read, and escapes              |
//!
//! Cities and ids are not searched but read by allow-lists: whole names of towns, and the shapes in `reference.rs`.

use countersign_inspect::{Finding, Kind, inspect_personal, inspect_pii};

use super::{
    address, birth,
    clean::clean,
    lexicon::is_town,
    number, opaque,
    person::{self, Setting},
    reference,
    span::{self, CITY, NAME, Span, TEXT},
    token::{Shape, Token, tokens},
};

/// Looked at beyond what is shown, so that nothing is cut in half before it is recognised.
const CHARS_BEYOND: usize = 128;
/// Findings that the inspectors themselves take for a hint only are masked from here on.
const SCORE_MIN: f64 = 0.3;
/// No word of any language is as long.
const WORD_CHARS_MAX: usize = 32;

/// At most `chars_max` characters of `text`, masked. `label` is what the field is called, which can say what its value is.
pub(super) fn masked(text: &str, label: Option<&str>, setting: Setting, chars_max: usize) -> String {
    masked_clean(&clean(text), label, setting, chars_max)
}

/// The same for a text that is clean already.
pub(super) fn masked_clean(text: &str, label: Option<&str>, setting: Setting, chars_max: usize) -> String {
    let text = match text.char_indices().nth(chars_max + CHARS_BEYOND) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    match setting {
        Setting::City => return city(text, chars_max),
        // "dace" in the middle of a UUID is four hexadecimal digits and nobody's name.
        Setting::Id if reference::is_random(text) => return span::masked(text, Vec::new(), chars_max),
        _ => {}
    }
    let tokens = tokens(text);
    let mut spans = Vec::new();
    if setting == Setting::Id {
        reference::spans(text, &tokens, &mut spans);
        return span::masked(text, spans, chars_max);
    }
    if is_harmless(text, &tokens, setting) {
        return span::masked(text, spans, chars_max);
    }
    if is_encoded(text) {
        return format!("[{TEXT}]");
    }
    inspected(text, &tokens, setting, &mut spans);
    if let Some(label) = label {
        inspected_as(label, text, &mut spans);
    }
    birth::spans(text, &tokens, &mut spans);
    number::spans(text, &tokens, &mut spans);
    address::spans(text, &tokens, setting == Setting::Merchant, &mut spans);
    person::spans(text, &tokens, setting, &mut spans);
    opaque::spans(text, &tokens, setting, &mut spans);
    unreadable(text, &tokens, &mut spans);
    address::house_numbers(text, &tokens, &mut spans);
    span::masked(text, spans, chars_max)
}

/// A known town, perhaps with its region and country behind commas; the mask for any other text.
fn city(text: &str, chars_max: usize) -> String {
    const PARTS_MAX: usize = 3;
    let parts = || text.split(',').map(str::trim);
    let is_known = text.is_empty() || parts().count() <= PARTS_MAX && parts().all(is_town);
    if is_known { span::masked(text, Vec::new(), chars_max) } else { format!("[{CITY}]") }
}

/// Ordinary words without a digit can't hold anything; most short texts are that.
fn is_harmless(text: &str, tokens: &[Token], setting: Setting) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphabetic() || b" _.,!?'-&".contains(&byte));
    let is_ordinary = |token: &Token| {
        let is_small = token.shape == Shape::Small;
        let known = match setting {
            Setting::Merchant => token.word.is_shop || token.lists.ordinary && (is_small || !is_called(token)),
            _ => token.lists.ordinary && is_small,
        };
        known && token.shape != Shape::Letter && !token.is_name()
    };
    let is_called_pair = |pair: &[Token]| pair[0].word.is_first_name && pair[1].word.is_last_name;
    is_plain && tokens.iter().all(is_ordinary) && !number::is_spelt(tokens) && !tokens.windows(2).any(is_called_pair)
}

fn is_called(token: &Token) -> bool {
    token.word.is_first_name || token.word.is_last_name
}

/// Percent signs, entities and escapes spell out what nobody here reads.
fn is_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_percent =
        |window: &[u8]| window[0] == b'%' && window[1].is_ascii_hexdigit() && window[2].is_ascii_hexdigit();
    bytes.windows(3).any(is_percent) || text.contains("&#") || text.contains("\\u") || text.contains("\\x")
}

fn inspected(text: &str, tokens: &[Token], setting: Setting, spans: &mut Vec<Span>) {
    let findings = inspect_personal(text);
    if findings.is_empty() {
        return;
    }
    let bytes = ByteOffsets::of(text);
    let tells_age = setting == Setting::Prose && tokens.iter().any(|token| token.is_one_of(AGES));
    for finding in findings.iter().filter(|finding| is_masked(finding, setting)) {
        if finding.r#type == "AGE" && !tells_age {
            continue;
        }
        let (start, end) = (bytes.at(finding.start), bytes.at(finding.end));
        let mut inside = tokens.iter().filter(|token| token.start < end && token.end > start);
        if finding.r#type == "NRP" && inside.all(|token| token.word.is_ordinary) {
            continue;
        }
        if finding.r#type != "PERSON" {
            spans.push(Span::new(start..end, finding.r#type));
        } else if person::is_plausible(tokens, start, end, setting) {
            spans.push(Span::new(start..end, NAME));
        }
    }
}

/// Without one of these a number beside a name is a figure.
const AGES: &[&str] =
    &["age", "aged", "old", "years", "year", "yo", "alt", "jahre", "ans", "anos", "anni", "jaar", "lat"];

/// `contact: 020 7946 0958` says more than the number alone.
fn inspected_as(label: &str, text: &str, spans: &mut Vec<Span>) {
    let prefix = format!("{label}: ");
    let together = format!("{prefix}{text}");
    let findings = inspect_pii(&together);
    if findings.is_empty() {
        return;
    }
    let bytes = ByteOffsets::of(&together);
    for finding in findings.iter().filter(|finding| finding.kind == Kind::Pii && finding.score >= SCORE_MIN) {
        let (start, end) = (bytes.at(finding.start), bytes.at(finding.end));
        if end > prefix.len() && !is_described(finding) {
            spans.push(Span::new(start.saturating_sub(prefix.len())..end - prefix.len(), finding.r#type));
        }
    }
}

fn is_masked(finding: &Finding, setting: Setting) -> bool {
    let in_prose = setting == Setting::Prose || !matches!(finding.r#type, "NRP" | "AGE");
    finding.kind == Kind::Pii && finding.score >= SCORE_MIN && !is_described(finding) && in_prose
}

/// Places, organisations, dates and titles say nothing about who somebody is; dates of birth are looked for apart.
fn is_described(finding: &Finding) -> bool {
    matches!(finding.r#type, "LOCATION" | "ORGANIZATION" | "DATE_TIME" | "TITLE")
}

/// Words in scripts that no list here covers, with the digits among them, and words of no human length.
fn unreadable(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    for token in tokens {
        let word = &text[token.start..token.end];
        let is_long = word.len() > WORD_CHARS_MAX && word.chars().count() > WORD_CHARS_MAX;
        if is_long && !is_hex(word) || word.chars().any(|letter| letter.is_alphabetic() && !person::is_latin(letter)) {
            spans.push(Span::new(token.start..token.end, TEXT));
        }
    }
}

fn is_hex(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Findings count characters; spans count bytes.
struct ByteOffsets(Option<Vec<usize>>, usize);

impl ByteOffsets {
    fn of(text: &str) -> Self {
        let offsets = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self(offsets, text.len())
    }

    fn at(&self, chars: usize) -> usize {
        match &self.0 {
            None => chars.min(self.1),
            Some(offsets) => offsets.get(chars).copied().unwrap_or(self.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(setting: Setting, rows: &[(&str, &str)]) {
        let wrong: Vec<_> = rows
            .iter()
            .map(|(text, expected)| (*text, masked(text, None, setting, 256), *expected))
            .filter(|(_, found, expected)| found != expected)
            .collect();
        assert!(wrong.is_empty(), "text, found, expected: {wrong:#?}");
    }

    fn stay(setting: Setting, texts: &[&str]) {
        let rows: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
        check(setting, &rows);
    }

    fn names(setting: Setting, texts: &[&str]) {
        let rows: Vec<_> = texts.iter().map(|text| (*text, "[NAME]")).collect();
        check(setting, &rows);
    }

    #[test]
    fn merchants_that_read_like_a_person_are_masked() {
        names(
            Setting::Merchant,
            &[
                "Maria Gonzalez",
                "J. Smith",
                "Hans Müller",
                "Hans Mueller",
                "MARIA GONZALEZ",
                "maria gonzalez",
                "María González",
                "Gonzalez, Maria",
                "John Smith",
                "Anna-Lena Schmidt",
                "Jean Dupont",
                "Jean-Pierre Lefèvre",
                "Giulia Rossi",
                "João da Silva",
                "Ana Pereira",
                "Jan de Vries",
                "Piotr Kowalski",
                "Agnieszka Nowak",
                "Mohammed Al-Farsi",
                "Nguyen Van Anh",
                "Priya Sharma",
                "Olga Ivanova",
                "Lars Eriksson",
                "Xochitl Tlapanco",
                "Mark Baker",
                "Dr. Weber",
                "Mrs Dalloway",
                "Herr Schneider",
                "R. Okonkwo",
                "MariaGonzalez",
                "Maria_Gonzalez",
                "maria.gonzalez",
                "mariagonzalez",
                "Maria",
                "Gonzalez",
                "Wei Zhang",
                "Fatima Zahra",
            ],
        );
    }

    #[test]
    fn ordinary_shops_stay_readable() {
        stay(
            Setting::Merchant,
            &[
                "Corner Bakery",
                "Corner Shop",
                "Lidl",
                "Harrods",
                "Marks & Spencer",
                "Café Central",
                "Orchard Electronics",
                "Wren & Co Bakery",
                "Albert Heijn",
                "Carrefour Market",
                "Deutsche Bahn",
                "Zalando",
                "Zalando Lounge",
                "H&M",
                "C&A",
                "McDonald's",
                "Wendy's",
                "Trader Joe's",
                "Macy's",
                "Sainsbury's",
                "John Lewis",
                "Tiffany & Co.",
                "Calvin Klein",
                "Louis Vuitton",
                "Hugo Boss",
                "El Corte Inglés",
                "Mercadona",
                "Biedronka",
                "Starbucks Coffee",
                "Shell Service Station",
                "Amazon",
                "Amazon Marketplace",
                "PayPal",
                "Netflix",
                "Uber Eats",
                "British Airways",
                "Blue Door Bistro",
                "Old Mill Kitchen",
                "Velvet Fox Depot Online",
                "Kestrel Noodles",
                "Saffron Bistro",
                "Juniper Roasters",
                "Quillon Apothecary",
                "Ash & Ember Gift Cards",
                "Savings Bank ATM",
                "Stadtbäckerei",
                "Apotheke am Markt",
                "Boulangerie Centrale",
                "Farmacia Central",
                "Restaurante El Faro",
                "Müller Drogerie",
                "7-Eleven",
                "Best Buy",
                "Home Depot",
                "Whole Foods Market",
                "Tesco Express",
                "Crypto Exchange",
                "Western Union",
                "Thalia Buchhandlung",
                "IKEA",
                "ALDI SUED GmbH",
                "Foo GmbH",
                "Luxury Watches",
            ],
        );
    }

    #[test]
    fn a_shop_with_a_full_name_in_it_loses_the_name() {
        check(
            Setting::Merchant,
            &[
                ("Maria Gonzalez Bakery", "[NAME] Bakery"),
                ("J. Gonzalez Plumbing", "[NAME] Plumbing"),
                ("PAYPAL *maria.gonzalez", "PAYPAL *[NAME]"),
                ("Bakery, Hauptstraße 5, 10115 Berlin", "[ADDRESS]"),
                ("Maria's Kitchen", "[NAME]'s Kitchen"),
                ("Joe's Diner", "[NAME]'s Diner"),
                ("Oyelaran GmbH", "[NAME] GmbH"),
                ("Shop 1234567890", "Shop [NUMBER]"),
                ("ann@firm.org", "[EMAIL]"),
            ],
        );
    }

    #[test]
    fn towns_stay_and_people_do_not() {
        stay(
            Setting::City,
            &[
                "Lisbon",
                "Singapore",
                "São Paulo",
                "New York",
                "San Francisco",
                "Los Angeles",
                "Paris",
                "Berlin",
                "Zürich",
                "Kraków",
                "Florence",
                "Sofia",
                "Santiago",
                "Buenos Aires",
                "Rio de Janeiro",
                "The Hague",
                "Mexico City",
                "Braga",
                "Santa Maria",
            ],
        );
        check(
            Setting::City,
            &[
                ("Maria Gonzalez", "[CITY]"),
                ("Hans Müller", "[CITY]"),
                ("João Pereira da Silva", "[CITY]"),
                ("Jan de Vries", "[CITY]"),
                ("Hauptstraße 5, 10115 Berlin", "[CITY]"),
                ("ann@firm.org", "[CITY]"),
                ("Oyelaran", "[CITY]"),
                ("Porto (Nomvula)", "[CITY]"),
                ("Alderney Crescent", "[CITY]"),
            ],
        );
    }

    #[test]
    fn what_says_nothing_about_anybody_stays_in_prose() {
        stay(
            Setting::Prose,
            &[
                "rent for March",
                "two cameras",
                "thanks!",
                "dinner on Friday",
                "my half of the tickets",
                "garden tools",
                "deposit for the boat",
                "invoice 2231",
                "electronics",
                "gift_cards",
                "online_retail",
                "salary",
                "crypto exchange",
                "fourteen in an hour",
                "USD 4,200.00 was 52.5 times the median of USD 80.00.",
                "The card was used in Lisbon and Singapore within two hours.",
                "Two transactions took place within one hour.",
                "The device had not been seen before.",
                "It was night at the location.",
                "High.",
                "credit line",
                "two lenses",
                "5732",
                "savings account",
                "transactions in 1 h",
                "modified z-score",
                "At night.",
                "One rule held.",
            ],
        );
    }

    #[test]
    fn what_names_somebody_goes_from_prose() {
        check(
            Setting::Prose,
            &[
                ("rent from Maria Gonzalez", "rent from [NAME]"),
                ("gift for Maria", "gift for [NAME]"),
                ("gift for maria gonzalez", "gift for [NAME]"),
                ("present pour Inès Dubois", "present pour [NAME]"),
                ("kundenname: xochitl tlapanco", "kundenname: [NAME]"),
                ("nombre=Xochitl, memo", "nombre=[NAME], memo"),
                ("an Frau Schneider", "an [NAME]"),
                ("M a r i a", "[TEXT]"),
                ("Maria%20Gonzalez", "[TEXT]"),
                ("привет Мария Иванова", "[NAME]"),
                ("山田太郎 paid", "[TEXT] paid"),
                ("1985年3月12日", "[TEXT]"),
                ("born 12.03.1985", "born [DATE_OF_BIRTH]"),
                ("she is 41 years old", "she is [AGE] years old"),
                ("JAN DE VRIES", "[NAME]"),
                ("account no 1234567890", "account no [BANK_ACCOUNT]"),
                ("call +44 20 7946 0958", "call [PHONE]"),
                ("Ｍａｒｉａ Gοnzаlez", "[NAME]"),
            ],
        );
    }

    #[test]
    fn ids_keep_what_is_no_name() {
        stay(
            Setting::Id,
            &[
                "tx-1",
                "alert-2026-0301",
                "ext-1",
                "0190ce6a-0000-7000-8000-000000000001",
                "order_99-1845",
                "core:7731/x",
                "pi_3MtwBwLkdIwHu7ix28a3tqPC",
                "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            ],
        );
        check(
            Setting::Id,
            &[
                ("alert-maria-gonzalez-7", "alert-[NAME]-7"),
                ("ann@firm.org", "[EMAIL]"),
                ("Maria Gonzalez", "[NAME]"),
                ("Мaria-7", "[NAME]-7"),
            ],
        );
    }
}
