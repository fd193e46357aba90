//! Sentences by language: threats and insults that must be found, and harmless sentences that must not be.

use proptest::prelude::*;

use super::*;
use crate::{Finding, Window, inspect, risk_score};

struct Cases {
    language: &'static str,
    text: &'static str,
}

const fn cases(language: &'static str, text: &'static str) -> Cases {
    Cases { language, text }
}

const CASES: &[Cases] = &[
    cases("Dutch", include_str!("cases/nl.txt")),
    cases("French", include_str!("cases/fr.txt")),
    cases("German", include_str!("cases/de.txt")),
    cases("Italian", include_str!("cases/it.txt")),
    cases("Polish", include_str!("cases/pl.txt")),
    cases("Portuguese", include_str!("cases/pt.txt")),
    cases("Romanian", include_str!("cases/ro.txt")),
    cases("Russian", include_str!("cases/ru.txt")),
    cases("Spanish", include_str!("cases/es.txt")),
    cases("Ukrainian", include_str!("cases/uk.txt")),
];

impl Cases {
    fn section(&self, name: &'static str) -> impl Iterator<Item = &'static str> {
        let lines = self.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut section = "";
        lines.filter(move |line| {
            if let Some(head) = line.strip_prefix('[') {
                section = head.trim_end_matches(']');
                return false;
            }
            section == name
        })
    }
}

/// The types of the toxicity findings that count in a text.
fn decided(text: &str) -> Vec<&'static str> {
    let found = inspect(text).into_iter();
    found.filter(|finding| finding.kind == Kind::Toxicity && finding.counts()).map(|finding| finding.r#type).collect()
}

fn check(section: &'static str, least: usize, is_right: impl Fn(&str) -> bool) {
    let mut failed = Vec::new();
    for cases in CASES {
        assert!(cases.section(section).count() >= least, "{}: too few sentences", cases.language);
        let wrong = cases.section(section).filter(|text| !is_right(text));
        failed.extend(wrong.map(|text| format!("{}: {text} {:?}", cases.language, decided(text))));
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn threats_in_ten_languages_are_flagged() {
    check("threat", 12, |text| decided(text).contains(&"THREAT") && risk_score(&inspect(text)).get() >= 7);
}

#[test]
fn insults_in_ten_languages_are_found() {
    check("insult", 12, |text| decided(text).iter().any(|name| matches!(*name, "INSULT" | "IDENTITY_ATTACK")));
}

#[test]
fn harmless_sentences_in_ten_languages_are_not_found() {
    check("harmless", 25, |text| decided(text).is_empty());
}

#[test]
fn ordinary_english_is_left_alone() {
    let english = include_str!("cases/english.txt").lines().filter(|line| !line.starts_with('#'));
    let is_listed = |finding: &Finding| finding.counts() && finding.explanation.ends_with("phrase list)");
    let wrong: Vec<&str> = english.filter(|text| inspect(text).iter().any(is_listed)).collect();
    assert_eq!(wrong, [""; 0]);
}

/// Counts the sentences of a file that are found: threats, insults, and harmless ones that are wrongly found.
fn measured(text: &'static str, each: usize) -> [usize; 3] {
    let file = cases("all", text);
    let hostile = ["THREAT", "INSULT", "IDENTITY_ATTACK", "SELF_HARM", "SEXUAL"];
    [("threat", &hostile[..1]), ("insult", &hostile[..]), ("harmless", &hostile[..])].map(|(section, wanted)| {
        let is_found = |text: &&str| decided(text).iter().any(|name| wanted.contains(name));
        let (found, missed): (Vec<&str>, Vec<&str>) = file.section(section).partition(is_found);
        assert_eq!(found.len() + missed.len(), each, "{section}");
        found.len()
    })
}

#[test]
fn most_additional_wordings_are_found() {
    let [threats, insults, alarms] = measured(include_str!("cases/more.txt"), 120);
    assert!(threats >= 111 && insults >= 119 && alarms == 0, "{threats} {insults} {alarms}");
}

/// The lists were not tuned on these sentences, so the result shows what to expect for unknown wordings.
#[test]
fn unknown_wordings_are_found_as_often_as_documented() {
    let [threats, insults, alarms] = measured(include_str!("cases/blind.txt"), 60);
    assert!(threats >= 34 && insults >= 48 && alarms == 0, "{threats} {insults} {alarms}");
}

#[test]
fn denied_quoted_and_reported_phrases_do_not_count() {
    for text in [
        "Ich werde dich nicht töten.",
        "Er schrie: „Ich töte dich!“",
        "Elle n'est pas idiote et tu n'es pas un connard.",
        "On lui a crié « sale con » dans la rue.",
        "Никто тебя не убьёт. Он кричал: «Убью тебя!»",
        "Il a dit : je vais te tuer.",
    ] {
        assert_eq!(decided(text), [""; 0], "{text}");
    }
}

#[test]
fn spelling_and_case_do_not_matter() {
    for text in [
        "ICH WERDE DICH TÖTEN!",
        "ich werde dich toeten",
        "ich werde dich toten",
        "Я ТЕБЯ УБЬЮ",
        "Мы знаем где ты живешь",
        "МЫ ЗНАЕМ, ГДЕ ТЫ ЖИВЁШЬ",
        "zabije cie",
        "ZABIJĘ CIĘ",
        "je vais t’egorger",
        "stim unde locuiesti",
        "УБ'Ю ТЕБЕ",
        "te voy\na matar",
    ] {
        assert!(decided(text).contains(&"THREAT"), "{text} {:?}", decided(text));
    }
}

/// Odd, so that pieces end at every position in a word; not 1, because that takes too long.
const PIECE_CHARS: usize = 7;

fn streamed(text: &str, piece_chars: usize) -> Vec<Finding> {
    let mut window = Window::new();
    let mut found = Vec::new();
    for piece in text.chars().collect::<Vec<char>>().chunks(piece_chars) {
        window.push(&piece.iter().collect::<String>());
        found.extend(window.take_findings());
    }
    found.extend(window.finish());
    found
}

#[test]
fn a_stream_gives_the_same_findings_as_the_whole_text() {
    for cases in CASES {
        let sentences: Vec<&str> = cases.section("threat").chain(cases.section("harmless")).collect();
        let text = sentences.join(" ");
        assert_eq!(streamed(&text, PIECE_CHARS), inspect(&text), "{}", cases.language);
    }
}

/// Every ASCII literal enlarges the search table, and a short one would match in every other word.
#[test]
fn anchors_stay_few_and_long_enough() {
    let literals = LISTS.literals();
    let (ascii, others): (Vec<&String>, Vec<&String>) = literals.iter().partition(|literal| literal.is_ascii());
    assert!(ascii.len() <= 2_000 && others.len() <= 3_000, "{} {}", ascii.len(), others.len());
    assert!(ascii.iter().all(|literal| literal.len() >= 3), "{ascii:?}");
}

#[test]
fn repeated_anchors_do_not_break_the_scan() {
    for unit in ["töte ", "ты ", "du bist ", "stupid ", "je te ", "\"", "вб'", "ich werde dich, "] {
        let text = unit.repeat(20_000 / unit.len());
        assert!(inspect(&text).iter().all(|finding| finding.end <= text.chars().count()), "{unit}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_of_listed_words_gives_the_same_findings_as_the_whole_text(
        words in proptest::collection::vec(
            "(ich|werde|dich|töten|nicht|\"|,|[.]|\n|ты|идиот|я|тебя|убью|je|vais|te|tuer|tu|es|con|«|ti|ammazzo|sei|x)", 0..120
        ),
        size in 1_usize..40,
    ) {
        let text = words.join(" ");
        prop_assert_eq!(streamed(&text, size), inspect(&text));
    }
}
