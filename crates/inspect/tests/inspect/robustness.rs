//! The inspectors handle any bytes, any language and any size.

use countersign_inspect::{Finding, Kind, Window, inspect, inspect_pii, mask_pii, risk_score};
use proptest::prelude::*;

use crate::texts::mixture;

/// Each language with a plain sentence in it.
const LANGUAGES: &str = include_str!("languages.txt");

const IDENTIFIERS: [(&str, &str); 6] = [
    ("EMAIL", "ann.lee@firm.org"),
    ("PHONE", "+44 20 7946 0958"),
    ("CREDIT_CARD", "4111 1111 1111 1111"),
    ("IBAN", "GB82 WEST 1234 5698 7654 32"),
    ("US_SSN", "536-90-4399"),
    ("IP", "81.2.69.160"),
];

fn sentences() -> impl Iterator<Item = (&'static str, &'static str)> {
    LANGUAGES.lines().map(|line| line.split_once('|').expect("a language and a sentence"))
}

fn certain(text: &str) -> Vec<(&'static str, String)> {
    let letters: Vec<char> = text.chars().collect();
    let counts = |finding: &Finding| finding.kind == Kind::Pii && finding.score >= 0.5;
    inspect(text)
        .into_iter()
        .filter(counts)
        .map(|finding| (finding.r#type, letters[finding.start..finding.end].iter().collect()))
        .collect()
}

#[test]
fn a_sentence_in_any_of_64_languages_is_clean() {
    assert_eq!(sentences().count(), 64);
    for (language, sentence) in sentences() {
        assert_eq!(certain(sentence), [], "{language}");
    }
}

#[test]
fn an_identifier_is_found_between_the_words_of_any_language() {
    for (language, sentence) in sentences() {
        for (kind, value) in IDENTIFIERS {
            for text in [format!("{sentence} {value} {sentence}"), format!("{sentence} ({value}){sentence}")] {
                assert_eq!(certain(&text), [(kind, value.to_owned())], "{language}");
            }
        }
    }
}

#[test]
fn scripts_without_spaces_may_touch_an_identifier() {
    for (language, sentence) in sentences() {
        if ["Chinese", "Japanese", "Thai", "Khmer", "Lao", "Burmese", "Korean"].contains(&language) {
            for (kind, value) in IDENTIFIERS {
                let words = sentence.trim_end_matches(['。', '။', '។', '.']);
                assert_eq!(certain(&format!("{words}{value}{words}")), [(kind, value.to_owned())], "{language}");
            }
        }
    }
}

#[test]
fn a_stream_in_all_languages_gives_the_same_findings_as_the_whole_text() {
    let text: String = sentences()
        .zip(IDENTIFIERS.iter().cycle())
        .map(|((_, words), (_, value))| format!("{words} {value}\n"))
        .collect();
    let whole = inspect(&text);
    assert_eq!(whole.iter().filter(|finding| finding.identifies()).count(), 64);
    for size in [1, 7, 100, 1000] {
        let letters: Vec<char> = text.chars().collect();
        let mut window = Window::new();
        let mut found = Vec::new();
        for piece in letters.chunks(size) {
            window.push(&piece.iter().collect::<String>());
            found.extend(window.take_findings());
        }
        found.extend(window.finish());
        assert_eq!(found, whole, "{size}");
    }
}

#[test]
fn ten_megabytes_are_read_to_the_end() {
    let unit = "Plain words and 12 numbers, a.b c:d e-f; nothing else is here to be found, not even at 14:30. ";
    let mut text = unit.repeat(10_000_000 / unit.len());
    text.push_str("ann@firm.org");
    let found = inspect_pii(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].end, text.chars().count());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_can_be_inspected(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let findings = inspect(&text);
        risk_score(&findings);
        mask_pii(&text, &findings);
    }

    #[test]
    fn the_pii_inspector_gives_the_same_findings_alone_and_among_all(text in mixture(12)) {
        let mut among_all = inspect(&text);
        among_all.retain(|finding| finding.kind == Kind::Pii);
        prop_assert_eq!(inspect_pii(&text), among_all);
    }
}
