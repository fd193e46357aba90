//! Tests how sentences, quotations, cues, names, figures and dates are read from texts.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Vec<ReportSentence<'_>> {
    of_text(text, Section::ExecutiveSummary)
}

#[test]
fn sentences_keep_their_places_in_code_points() {
    let text = " Ünder \u{1f600} USD 1,250.00 was paid.  He said \"No. Not I.\" then left! \nThe e-mail\n\n ?";
    let found: Vec<_> = read(text).iter().map(|sentence| (sentence.text, sentence.start, sentence.end)).collect();
    assert_eq!(
        found,
        [
            ("Ünder \u{1f600} USD 1,250.00 was paid.", 1, 31),
            ("He said \"No. Not I.\" then left!", 33, 64),
            ("The e-mail", 66, 76),
        ]
    );
    let letters: Vec<char> = text.chars().collect();
    for (text, start, end) in found {
        assert_eq!(letters[start..end].iter().collect::<String>(), text);
    }
    assert!(read("").is_empty() && read(" . \n… ").is_empty());
}

#[test]
fn unquoted_words_exclude_quotations() {
    for (text, unquoted_words) in [
        ("The shop \"may be\" sold.", " the shop sold "),
        ("Rule `likely_fraud` held.", " rule held "),
        ("A “may” b «may» c.", " a b c "),
        ("An open \" mark may stand.", " an open mark may stand "),
        ("An open \" mark\nmay \" stand.", " an open mark "),
    ] {
        assert_eq!(read(text)[0].unquoted_words, unquoted_words, "{text}");
    }
    let far = format!("A \"{}\" b.", "may ".repeat(QUOTATION_CHARS_MAX));
    assert!(read(&far)[0].says("may"));
}

#[test]
fn cues_are_whole_words_unless_they_end_in_a_star() {
    let sentence = &read("The card-holder's medians were not stated; Oman was.")[0];
    for (cues, is_said) in [
        ("card", true),
        ("card holder", true),
        ("hold*", true),
        ("hold", false),
        ("median*", true),
        ("median", false),
        ("not state*", true),
        ("oman", true),
        ("man", false),
        ("roman|was", true),
        ("was stated", false),
    ] {
        assert_eq!(sentence.says(cues), is_said, "{cues}");
    }
}

proptest! {
    #[test]
    fn every_cue_made_of_a_sentences_words_is_found(
        words in prop::collection::vec("[a-zä0-9]{1,8}", 1..12),
        from in any::<prop::sample::Index>(),
        count in 1_usize..4,
        stem_chars in 1_usize..9,
    ) {
        let text = words.join(" ");
        let sentence = &read(&text)[0];
        let from = from.index(words.len());
        let cue = words[from..words.len().min(from + count)].join(" ");
        let stem: String = cue.chars().take(stem_chars).collect();
        for cue in [cue, format!("{}*", stem.trim_end())] {
            prop_assert!(sentence.says(cue.clone().leak()), "{text}: {cue}");
        }
    }
}

#[test]
fn a_sentence_says_which_topics_are_unknown() {
    for (text, is_unknown) in [
        ("The record did not state the source of funds.", true),
        ("No source of funds was on record.", true),
        ("The source of funds was unknown.", true),
        ("No rule fired, and after a while the source of funds was a loan.", false),
        ("The source of funds was a loan.", false),
        ("\"The record did not state\" the source of funds.", false),
    ] {
        assert_eq!(read(text)[0].says_unknown("source*"), is_unknown, "{text}");
    }
}

#[test]
fn a_name_is_found_without_its_punctuation_and_a_long_one_by_its_start() {
    let sentence = &read("It paid \"Nordlicht Elektronik\" and \"A long name of a m…\".")[0];
    for (name, is_named) in [
        ("Nordlicht-*Elektronik*", true),
        ("Nordlicht Elektro AG", false),
        ("A long name of a merchant with many words", true),
        ("An other name of a merchant with many words", false),
        ("\u{1f600}", false),
    ] {
        assert_eq!(sentence.names_loosely(name), is_named, "{name}");
    }
}

#[test]
fn figures_are_read_in_the_formats_of_reports() {
    let expected = |figures: &[&str]| figures.iter().map(|figure| figure.parse().unwrap()).collect::<Vec<Decimal>>();
    for (text, figures) in [
        ("USD 1,250.00, then 1250.", &["1250.00", "1250"][..]),
        ("Two rules held; 1'000 and 3.5x were named.", &["2", "1000", "3.5"]),
        ("***4821 paid $9,900", &["4821", "9900"]),
        ("1.2.3 and 99999999999999999999999999999999999999", &[]),
        ("The id `17` and \"18\" are quoted.", &[]),
    ] {
        assert_eq!(read(text)[0].figures, expected(figures), "{text}");
    }
}

#[test]
fn only_complete_dates_are_read() {
    let (first, last) = (Date::constant(2026, 3, 1), Date::constant(2026, 5, 31));
    for (text, dates) in [
        ("On 1 March 2026 at 09:30 UTC, and 31 May 2026.", &[first, last][..]),
        ("March 1, 2026 to May 31st, 2026", &[first, last]),
        ("2026-03-01T09:30:00Z (2026-05-31)", &[first, last]),
        ("1 Mar 2026", &[first]),
        ("In March 2026, on 31 February 2026, it may 2026 be.", &[]),
    ] {
        assert_eq!(read(text)[0].dates, dates, "{text}");
    }
}

#[test]
fn clean_text_is_bounded_and_has_no_control_characters() {
    assert_eq!(clean(" a\u{0}\n\n b\u{202e}c\u{200b} ", 10), "a bc");
    assert_eq!(clean(&"x".repeat(100), 10), "x".repeat(10));
    assert_eq!(clean("abc def", 4), "abc");
    assert_eq!(clean(&"\u{0}".repeat(1_000), 4), "");
}
