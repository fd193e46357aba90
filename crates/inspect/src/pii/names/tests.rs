//! Tests which entities are found, by kind, and properties that hold for any text.

use proptest::prelude::*;

use super::{TAGGER, tag};
use crate::{audit, finding::Hit, tokenize};

fn hits(text: &str) -> Vec<Hit> {
    let (mut read, mut hits) = (Vec::new(), Vec::new());
    tokenize::tokenize(text, &mut read);
    tag(text, &read, &mut hits);
    hits
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> = hits(text).iter().map(|hit| (hit.r#type, &text[hit.start..hit.end])).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn the_weights_fit_the_tags() {
    assert!(TAGGER.is_some());
}

#[test]
fn people_are_found_without_their_titles_and_possessives() {
    check("My name is Katarina Lindqvist.", &[("PERSON", "Katarina Lindqvist")]);
    check("Dr. Osei will call you back.", &[("TITLE", "Dr."), ("PERSON", "Osei")]);
    check("This is Ferenc's phone.", &[("PERSON", "Ferenc")]);
    check("Please ask Tomás B. Ibáñez about it.", &[("PERSON", "Tomás B. Ibáñez")]);
    check("my name is daniel kowalski", &[("PERSON", "daniel kowalski")]);
}

#[test]
fn a_word_for_a_contact_is_not_part_of_a_name_or_place() {
    check("Jane Doe's Mail is known.", &[("PERSON", "Jane Doe")]);
    check("Jane lives in Mail.", &[("PERSON", "Jane")]);
    check("by E-mail from Oslo", &[("LOCATION", "Oslo")]);
    check("in mails form", &[]);
}

#[test]
fn a_town_that_is_also_a_first_name_is_a_place_after_words_that_indicate_one() {
    check("The capital of France is Paris.", &[("LOCATION", "France"), ("LOCATION", "Paris")]);
    check("Please send it to Paris.", &[("LOCATION", "Paris")]);
    check("My name is Paris.", &[("PERSON", "Paris")]);
}

#[test]
fn a_person_named_in_full_is_later_found_by_one_name() {
    check(
        "Ludmila Petrenko sang first. Better than early Petrenko?",
        &[("PERSON", "Ludmila Petrenko"), ("PERSON", "Petrenko")],
    );
}

#[test]
fn places_organisations_and_nations_are_found() {
    check("We moved from Norway to Brisbane.", &[("LOCATION", "Norway"), ("LOCATION", "Brisbane")]);
    check("I work at Hartmann, Bell and Ruiz.", &[("ORGANIZATION", "Hartmann, Bell and Ruiz")]);
    check(
        "She works for Nordwind Logistics GmbH in Kiel.",
        &[("ORGANIZATION", "Nordwind Logistics GmbH"), ("LOCATION", "Kiel")],
    );
    check("They serve good Ethiopian food.", &[("NRP", "Ethiopian")]);
}

#[test]
fn an_address_in_a_sentence_is_one_finding() {
    let address = "4402 Lindenstrasse 17 Apt. 210, Marburg, Germany 35037";
    check(&format!("Please send it to {address}."), &[("ADDRESS", address)]);
    let two_lines = "812 Rua das Flores 44 Suite 300\nLisbon, LX 11022";
    check(&format!("Meet me at {two_lines} after work."), &[("ADDRESS", two_lines)]);
}

#[test]
fn an_address_ends_with_its_sentence() {
    check(
        "Neu: Bahnhofstr. 5, 80335 München.\nHerr Klaus Neumann ist da.",
        &[("ADDRESS", "Bahnhofstr. 5, 80335 München"), ("PERSON", "Klaus Neumann")],
    );
}

#[test]
fn an_address_on_separate_lines_is_reported_in_parts() {
    check(
        "Ingrid Solheim\n\n3021 Storgata 12\n Apt. 110\n Lillehammer\n Norway 26100",
        &[
            ("PERSON", "Ingrid Solheim"),
            ("ADDRESS", "3021"),
            ("ADDRESS", "Storgata 12"),
            ("ADDRESS", "Apt. 110"),
            ("LOCATION", "Lillehammer"),
            ("LOCATION", "Norway"),
            ("ADDRESS", "26100"),
        ],
    );
}

#[test]
fn dates_and_times_are_found_by_their_form() {
    for date in [
        "2/8/1935",
        "2000-04-16 11:34:35",
        "2024-05-06T10:15:00Z",
        "March 5th, 2018",
        "19 July 1912",
        "Tuesday",
        "10:30 pm",
    ] {
        check(&format!("It happened on {date}, she said."), &[("DATE_TIME", date)]);
    }
    check("The band was founded in 1987.", &[("DATE_TIME", "1987")]);
    check("DOB: 2/8/1935", &[("DATE_OF_BIRTH", "2/8/1935")]);
    check("It may rain, so march on. The ratio is 10/20 or 1.2.3.4.", &[]);
}

#[test]
fn an_age_covers_only_its_number() {
    check("He just turned 69 years old", &[("AGE", "69")]);
    check("A 62-year-old woman was found.", &[("AGE", "62")]);
    check("Give me 5 tips in 20 minutes, 16% off.", &[]);
}

#[test]
fn postal_codes_are_found_near_a_label() {
    check("My zip code is 35350", &[("ZIP_CODE", "35350")]);
    check("Error 35350 again", &[]);
}

#[test]
fn ordinary_sentences_are_left_alone() {
    for text in [
        "Please cancel my order. Yes, now!",
        "How do I check the balance of my card?",
        "CAN I SPEAK TO A REAL PERSON?!",
        "The report shows that costs rose. However, sales did too.",
        "i want to close my account and get my money back",
        "May I ask why? Will it work? Hope so.",
        "See https://www.AnnaSmith.com/Paris or mail Anna.Smith@Paris.org",
        "GET /a%20b%3A30",
        "I’ve had enough, and you Didn't ask. C'mon!",
        "½ cup of sugar",
        "",
    ] {
        check(text, &[]);
    }
}

#[test]
fn explanations_never_contain_the_matched_text() {
    for hit in hits("Dr. Anna Novak, 42 years old, lives in Prague and works at Skoda Inc since 1999.") {
        assert!(!["Anna", "Novak", "42", "Prague", "Skoda"].iter().any(|value| hit.explanation.contains(value)));
    }
}

#[test]
fn an_identifier_wins_over_a_name() {
    let found = audit("Anna Novak ann.novak@firm.org", None).findings;
    let types: Vec<&str> = found.iter().map(|finding| finding.r#type).collect();
    assert_eq!(types, ["PERSON", "EMAIL"]);
}

#[test]
fn long_texts_of_one_kind_take_linear_time() {
    // There is no timer: a quadratic step would make the test run far too long.
    for part in [
        "Anna Novak ",
        "12 High Street\n",
        "ul. Mira 5, ",
        "Kantstr. 4, 10623 Berlin ",
        "1 A. ",
        "路1号",
        "王1-",
        "anna@",
        "12:",
        "May ",
        "> ",
        "Ä",
        "the corner of ",
        "1/2/",
        "X. ",
    ] {
        let text = part.repeat(100_000 / part.len());
        hits(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn findings_in_any_text_are_ordered_and_on_character_boundaries(text in any::<String>()) {
        check_sound(&text)?;
    }

    #[test]
    fn findings_in_mixes_of_significant_words_are_sound(
        parts in prop::collection::vec(prop::sample::select(PARTS.as_slice()), 0..60),
    ) {
        check_sound(&parts.concat())?;
    }
}

const PARTS: [&str; 40] = [
    "Anna",
    "'s",
    "’s",
    " ",
    "\n",
    ", ",
    ".",
    "12",
    "1987",
    "35037",
    "High Street",
    "Apt.",
    "Suite 1",
    "Box",
    "the corner of ",
    "and",
    "Norway",
    "Cyprus (Greek)",
    "st",
    "St.",
    "May",
    "3rd",
    "of",
    ":",
    "/",
    "-",
    "am",
    "T",
    "@",
    "://",
    "%",
    "½",
    "é",
    "😀",
    "ΠΑΦΟΣ",
    "DOB",
    "birth",
    "is",
    "year-old",
    "zip",
];

fn check_sound(text: &str) -> Result<(), TestCaseError> {
    let mut last = 0;
    for hit in hits(text) {
        prop_assert!(text.get(hit.start..hit.end).is_some());
        prop_assert!(last <= hit.start && hit.start < hit.end, "{}..{} after {last}", hit.start, hit.end);
        prop_assert!((0.5..0.9).contains(&hit.score));
        let name = ["PERSON", "ORGANIZATION", "LOCATION"].contains(&hit.r#type);
        prop_assert!(!name || !text[hit.start..hit.end].contains('\n'), "a name spans two lines");
        last = hit.end;
    }
    Ok(())
}
