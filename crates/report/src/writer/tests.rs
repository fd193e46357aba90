//! Properties that hold for everything that the writer writes about any case.

use std::collections::HashSet;

use countersign_domain::{
    Section,
    report::{FALLBACK, count_words},
    revision::{Length, Revision, SectionRevision, Topic},
};
use countersign_factcheck::{self as factcheck, Facts};
use proptest::{prelude::*, sample::Index};
use serde_json::Value;

use super::{fit::ends, *};
use crate::{
    check_section,
    testing::{contexts, ordinary, richest, thinnest},
};

/// Speculative words. Quoted text is ignored, because the writer did not write it. "May" within a sentence is the
/// month.
const BANNED: [&str; 14] = [
    "may",
    "might",
    "could",
    "likely",
    "unlikely",
    "suspected",
    "suspicious",
    "appears",
    "appeared",
    "possibly",
    "probably",
    "perhaps",
    "seems",
    "seemed",
];

fn split(text: &str) -> Vec<&str> {
    let mut from = 0;
    ends(text, true).into_iter().map(|end| text[std::mem::replace(&mut from, end)..end].trim()).collect()
}

fn unquoted(text: &str) -> String {
    let without = |text: &str, mark: char| text.split(mark).step_by(2).collect::<Vec<_>>().join(" ");
    without(&without(text, '"'), '`')
}

fn check_prose(text: &str, (fewest, most): (usize, usize)) {
    let words = count_words(text);
    assert!((fewest..=most).contains(&words), "{words} words, not {fewest} to {most}: {text}");
    assert!(!text.contains("  ") && !text.contains(['\n', '\r', '\t']), "white space: {text}");
    assert!(text.chars().filter(|c| *c == '"').count() % 2 == 0, "quotation marks: {text}");
    let plain = unquoted(text);
    let words: Vec<_> = plain.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphabetic())).collect();
    for (index, word) in words.iter().enumerate() {
        let is_month = *word == "May" && index > 0;
        assert!(is_month || !BANNED.contains(&word.to_lowercase().as_str()), "{word:?}: {text}");
    }
    let sentences = split(text);
    for sentence in &sentences {
        assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "no period: {sentence:?} in {text}");
        let first = sentence.chars().find(|c| c.is_alphanumeric());
        assert!(first.is_some_and(|first| !first.is_lowercase()), "no capital: {sentence:?} in {text}");
    }
    let distinct: HashSet<_> = sentences.iter().collect();
    assert_eq!(distinct.len(), sentences.len(), "a sentence twice: {text}");
}

fn check_bounded(text: &str) {
    let longest = text.split('"').skip(1).step_by(2).map(|quote| quote.chars().count()).max();
    assert!(longest.unwrap_or(0) <= 41, "a long quotation: {text}");
    for forbidden in ["Canary", "**", "<", "\u{202e}", "\u{200b}", "#", "["] {
        assert!(!text.replace("`***", "").contains(forbidden), "{forbidden:?} in {text}");
    }
}

fn check_report(context: &Context) {
    let sections = Section::ALL.map(|section| Writer::of(context).section(section));
    for (section, text) in Section::ALL.into_iter().zip(&sections) {
        check_prose(text, section.word_range());
        check_bounded(text);
    }
    let mut all: Vec<_> = sections.iter().flat_map(|text| split(text)).collect();
    let written = all.len();
    all.sort_unstable();
    all.dedup();
    assert!(written - all.len() <= 2, "{} sentences are in two sections: {sections:#?}", written - all.len());
    check_prose(&extended_analysis(context), extended::WORDS);
    check_prose(&regulatory_statement(context), regulatory::WORDS);
    let steps = next_steps(context);
    assert!((3..=7).contains(&steps.len()), "{steps:?}");
    steps.iter().for_each(|step| check_prose(step, (4, 40)));
}

/// Checks that every figure, date, name and id is in the context.
fn check_grounded(context: &Context) {
    let refused = refused_of(context);
    assert!(refused.is_empty(), "{refused:#?}");
}

/// Everything that the fact check refuses, each with its text.
fn refused_of(context: &Context) -> Vec<(String, String)> {
    let facts = Facts::of(&serde_json::to_value(context).unwrap());
    let sections = Section::ALL
        .into_iter()
        .flat_map(|section| [Writer::of(context).section(section), Writer::of(context).fallback(section)])
        .map(|text| (check_section(&text, &facts), text));
    // Advice and regulatory statements are fixed sentences. Figures are all that they state about the case.
    let others = [extended_analysis(context), regulatory_statement(context)];
    let others =
        others.into_iter().chain(next_steps(context)).map(|text| (factcheck::check_figures(&text, &facts), text));
    let refused = |(checked, text): (factcheck::Checked, String)| {
        checked.refused.iter().map(|refused| (refused.describe(), text.clone())).collect::<Vec<_>>()
    };
    sections.chain(others).flat_map(refused).collect()
}

/// The numbers in a context: exact, rounded, and the lengths of its lists.
fn numbers_of(value: &Value, known: &mut HashSet<String>) {
    let mut number = |text: &str| {
        known.insert(bare(text));
        if let Ok(number) = text.parse::<f64>() {
            known.extend([0, 1, 2].map(|decimals| bare(&format!("{number:.decimals$}"))));
        }
    };
    match value {
        Value::Number(found) => number(&found.to_string()),
        Value::String(text) => text.split(|c: char| !c.is_ascii_digit() && c != '.').for_each(number),
        Value::Array(items) => {
            number(&items.len().to_string());
            items.iter().for_each(|item| numbers_of(item, known));
        }
        Value::Object(fields) => fields.values().for_each(|field| numbers_of(field, known)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A number without separators and insignificant zeros.
fn bare(number: &str) -> String {
    let plain = number.replace(',', "");
    let plain = plain.trim_matches('.');
    let plain = if plain.contains('.') { plain.trim_end_matches('0').trim_end_matches('.') } else { plain };
    plain.trim_start_matches('0').to_owned()
}

/// Alters a digit of a text. The result must be refused, unless the altered number also occurs in the context. In that
/// case, the result depends on the sentence.
fn check_altered(context: &Context, text: &str, which: Index, by: u8) {
    let digits: Vec<_> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
    let Some((at, digit)) = (!digits.is_empty()).then(|| *which.get(&digits)) else { return };
    let digit = char::from(b'0' + (digit as u8 - b'0' + by) % 10);
    let altered = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
    let value = serde_json::to_value(context).unwrap();
    if !factcheck::check(&altered, &Facts::of(&value)).refused.is_empty() {
        return;
    }
    let is_part = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let from = altered[..at].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    let to = altered[at..].find(|c| !is_part(c)).map_or(altered.len(), |after| at + after);
    let mut known = HashSet::new();
    numbers_of(&value, &mut known);
    assert!(known.contains(&bare(altered[from..to].trim_end_matches(','))), "{} in {altered}", &altered[from..to]);
}

#[test]
fn the_thinnest_the_ordinary_and_the_richest_report_state_only_facts() {
    [thinnest(), ordinary(), richest()].iter().for_each(check_grounded);
}

#[test]
fn the_thinnest_case_fills_every_section() {
    check_report(&thinnest());
}

/// With a transaction and a location, little is missing, and the single check has no result: there is little to write about.
#[test]
fn a_case_with_one_check_that_did_not_apply_fills_every_section() {
    let (mut context, ordinary) = (thinnest(), ordinary());
    context.case.source = ordinary.case.source;
    context.transaction = ordinary.transaction;
    context.signals = ordinary.signals.into_iter().take(1).collect();
    let signal = context.signals.first_mut().unwrap();
    (signal.outcome, signal.value, signal.contribution) = (crate::SignalOutcome::NotApplicable, None, Some(0));
    signal.details.clear();
    // Each id selects other phrasings, and even the shortest ones must fill the sections.
    for number in 0..200 {
        context.case.alert_id = format!("a-{number}");
        check_report(&context);
    }
}

#[test]
fn an_ordinary_case_fills_every_section() {
    check_report(&ordinary());
}

#[test]
fn the_richest_case_stays_within_every_section() {
    check_report(&richest());
}

#[test]
fn a_fallback_starts_with_its_note_and_keeps_its_range() {
    for context in [thinnest(), ordinary(), richest()] {
        for section in Section::ALL {
            let text = Writer::of(&context).fallback(section);
            let rest = text.strip_prefix(FALLBACK).unwrap();
            let (fewest, most) = section.word_range();
            check_prose(rest.trim(), (fewest - 17, most - 17));
        }
    }
}

/// The most important facts must be in the report, whatever else is left out.
#[test]
fn the_most_important_facts_are_stated() {
    let context = ordinary();
    let rows: [(Section, &[&str]); 5] = [
        (Section::ExecutiveSummary, &["USD 1,250.00", "75 out of 100", "HIGH", "7.21", "3.5"]),
        (
            Section::FraudExplanation,
            &["7.21", "3.5", "contributed 41 points", "11,866 km", "contributed 34 points", "median of USD 49.50"],
        ),
        (Section::TimelineNarrative, &["17 May 2024", "4 January 2026", "1 March 2026 at 09:30:12 UTC", "alert-7f3a"]),
        (
            Section::RiskJustification,
            &["contributed 41 points", "contributed 34 points", "75 out of 100", "from 60 to 79"],
        ),
        (
            Section::InvestigationNarrative,
            &[
                "account holder `***7731`",
                "was completed",
                "source of funds",
                "destination",
                "Singapore",
                "Portugal",
                "baseline",
                "median",
            ],
        ),
    ];
    for (section, facts) in rows {
        let text = Writer::of(&context).section(section);
        facts.iter().for_each(|fact| assert!(text.contains(fact), "{fact} is not in {text}"));
    }
}

/// All moments such as `1 March 2026 at 09:30` in a text, as year, month, day and time.
fn moments(text: &str) -> Vec<(u16, usize, u8, &str)> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<_> = text.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let moment =
        |words: &[&'_ str]| Some((words[2].parse().ok()?, MONTHS.find(words[1].get(..3)?)?, words[0].parse().ok()?));
    let dated = words.windows(5).filter(|words| words[3] == "at");
    dated.filter_map(|words| moment(words).map(|(year, month, day)| (year, month, day, &words[4][..5]))).collect()
}

fn check_order(context: &Context) {
    let text = Writer::of(context).section(Section::TimelineNarrative);
    assert!(moments(&text).is_sorted(), "{text}");
}

#[test]
fn dates_of_a_timeline_are_in_order() {
    let text = Writer::of(&ordinary()).section(Section::TimelineNarrative);
    assert!(moments(&text).len() >= 6, "{text}");
    [thinnest(), ordinary(), richest()].iter().for_each(check_order);
}

#[test]
fn a_point_without_facts_is_said_to_be_missing() {
    let text = Writer::of(&thinnest()).section(Section::InvestigationNarrative);
    for point in [
        "account holder",
        "source of funds",
        "destination",
        "completed or attempted",
        "jurisdiction",
        "baseline",
        "channel",
    ] {
        assert!(text.contains(point), "{point} is not in {text}");
    }
}

#[test]
fn cases_that_differ_only_in_their_ids_are_worded_differently() {
    let texts = |alert: &str| {
        let mut context = ordinary();
        context.case.alert_id = alert.to_owned();
        Section::ALL.map(|section| Writer::of(&context).section(section)).join(" ").replace(alert, "")
    };
    let (one, other) = (texts("alert-1"), texts("alert-2"));
    let known: HashSet<_> = split(&one).into_iter().collect();
    let new = split(&other).into_iter().filter(|sentence| !known.contains(sentence)).count();
    assert!(new >= 15, "only {new} sentences differ");
}

#[test]
fn a_text_within_its_range_is_unchanged() {
    let text = "An account holder paid. ".repeat(30);
    assert_eq!(Writer::of(&ordinary()).fit(&text, Section::ExecutiveSummary), text.trim());
}

#[test]
fn a_long_text_loses_its_last_sentences() {
    let text: String = (0..80).map(|index| format!("This is sentence number {index}. ")).collect();
    let fitted = Writer::of(&ordinary()).fit(&text, Section::ExecutiveSummary);
    assert!(
        fitted.starts_with("This is sentence number 0.") && fitted.ends_with("This is sentence number 29."),
        "{fitted}"
    );
}

#[test]
fn a_short_text_keeps_its_start_and_gains_what_it_did_not_say() {
    let context = ordinary();
    let text = "The case scored 75 out of 100, from 60 to 79";
    let fitted = Writer::of(&context).fit(text, Section::ExecutiveSummary);
    let rest = fitted.strip_prefix(text).unwrap().strip_prefix(". ").unwrap();
    assert!(rest.contains("USD 1,250.00") && !rest.contains("75 out of 100"), "{fitted}");
    assert!(count_words(&fitted) >= 100);
}

#[test]
fn a_text_that_cannot_be_cut_is_replaced() {
    let context = ordinary();
    for text in ["", " \n", "…", &"endless ".repeat(1_000)] {
        assert_eq!(
            Writer::of(&context).fit(text, Section::ExecutiveSummary),
            Writer::of(&context).section(Section::ExecutiveSummary)
        );
    }
    assert!(
        Writer::of(&context)
            .fit(&format!("An open \" mark. {}", "Words of it. ".repeat(100)), Section::ExecutiveSummary)
            .starts_with("An open")
    );
}

#[test]
fn no_step_acts_on_an_account() {
    for context in [thinnest(), ordinary(), richest()] {
        for step in next_steps(&context) {
            let step = step.to_lowercase();
            for action in ["block", "freeze", "suspend", "close the account", "terminate", "seize"] {
                assert!(!step.contains(action), "{step}");
            }
        }
    }
}

/// Words with a meaning of their own in the fact check: numbers, levels, months, units, negations, comparisons.
const MEANING_WORDS: [&str; 81] = [
    "six",
    "ten",
    "two",
    "one",
    "zero",
    "dozen",
    "hundred",
    "thousand",
    "million",
    "twenty",
    "third",
    "tenth",
    "first",
    "second",
    "half",
    "quarter",
    "once",
    "twice",
    "double",
    "triple",
    "several",
    "many",
    "none",
    "not",
    "never",
    "low",
    "medium",
    "high",
    "critical",
    "may",
    "march",
    "april",
    "monday",
    "today",
    "usd",
    "eur",
    "euro",
    "dollars",
    "percent",
    "days",
    "hours",
    "points",
    "times",
    "score",
    "threshold",
    "above",
    "below",
    "exceeded",
    "fired",
    "fraud",
    "guilty",
    "customer",
    "amount",
    "alerts",
    "transactions",
    "portugal",
    "cleared",
    "last",
    "age",
    "sum",
    "value",
    "limit",
    "band",
    "median",
    "month",
    "week",
    "minutes",
    "country",
    "distance",
    "speed",
    "rule",
    "severity",
    "min",
    "max",
    "smallest",
    "largest",
    "average",
    "mean",
    "total",
    "weight",
    "difference",
];

#[test]
fn senders_may_use_meaningful_words_as_names_of_figures_and_units() {
    let mut failed = Vec::new();
    for word in MEANING_WORDS {
        for (name, unit, key) in [
            (word, "percent", "count"),
            ("other", word, "count"),
            ("other", "percent", word),
            ("other", "percent", &*format!("{word}_count")),
            ("other", "percent", &*format!("count_{word}")),
            ("other", &*format!("{} Unquotable", word.to_uppercase()), "count"),
        ] {
            let mut context = thinnest();
            context.signals.push(
                serde_json::from_value(serde_json::json!({
                    "name": name, "outcome": "reported", "value": 31.5, "threshold": 10.2, "unit": unit,
                    "details": {key: 31_653}
                }))
                .unwrap(),
            );
            let refused =
                refused_of(&context).into_iter().map(|(why, text)| format!("{name} {unit} {key}: {why} in {text}"));
            failed.extend(refused);
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_case_fills_every_section(context in contexts()) {
        check_report(&context);
    }

    #[test]
    fn every_report_states_only_facts(context in contexts()) {
        check_grounded(&context);
    }

    #[test]
    fn one_altered_digit_of_any_case_is_refused(context in contexts(), which in any::<Index>(), by in 1..10_u8) {
        for section in Section::ALL {
            check_altered(&context, &Writer::of(&context).section(section), which, by);
        }
    }

    #[test]
    fn every_timeline_is_in_order(context in contexts()) {
        check_order(&context);
    }

    #[test]
    fn every_fallback_keeps_its_range(context in contexts()) {
        for section in Section::ALL {
            let (fewest, most) = section.word_range();
            let words = count_words(&Writer::of(&context).fallback(section));
            prop_assert!((fewest..=most).contains(&words), "{} words", words);
        }
    }

    #[test]
    fn any_text_is_fitted(context in contexts(), text in "(\\PC{0,40}[.!?\"`\n ]{0,3}){0,60}", words in 0..400_usize) {
        for section in Section::ALL {
            let (fewest, most) = section.word_range();
            for text in [&text, &"Some words of a model. ".repeat(words)] {
                let words = count_words(&Writer::of(&context).fit(text, section));
                prop_assert!((fewest..=most).contains(&words), "{} words", words);
            }
        }
    }

    #[test]
    fn a_case_always_gets_the_same_text(context in contexts()) {
        let again: Context = serde_json::from_str(&serde_json::to_string(&context).unwrap()).unwrap();
        for section in Section::ALL {
            prop_assert_eq!(Writer::of(&context).section(section), Writer::of(&again).section(section));
        }
    }

    #[test]
    fn different_cases_differ(one in contexts(), other in contexts()) {
        for section in Section::ALL {
            let (one, other) = (Writer::of(&one).section(section), Writer::of(&other).section(section));
            let known: HashSet<_> = split(&one).into_iter().collect();
            let new = split(&other).into_iter().filter(|sentence| !known.contains(sentence)).count();
            prop_assert!(new >= 3, "{:?}: {}\n{}", section, one, other);
        }
    }
}

#[test]
fn a_signal_from_outside_is_explained_with_the_figures_that_it_has() {
    let rows = [
        (
            serde_json::json!({"name": "chargeback_ratio", "outcome": "reported", "value": 4.2, "threshold": 1.0,
                "unit": "percent", "details": {"chargebacks_30d": 9}}),
            &["4.2 in \"percent\"", "threshold of 1", "\"chargebacks 30d\" of 9"][..],
        ),
        (
            serde_json::json!({"name": "mule_network", "outcome": "reported",
                "details": {"linked_accounts": 6, "graph": {"hops_max": 2}}}),
            &["\"linked accounts\" of 6", "\"graph hops max\" of 2"][..],
        ),
        (
            serde_json::json!({"name": "device_reputation", "outcome": "fired", "details": {"reports_90d": 17}}),
            &["fired with \"reports 90d\" of 17"][..],
        ),
        (serde_json::json!({"name": "model", "outcome": "reported", "value": 0.91, "unit": "score"}), &["0.91"][..]),
    ];
    for (signal, expected) in rows {
        let mut context = thinnest();
        context.signals = vec![serde_json::from_value(signal.clone()).unwrap()];
        let facts = Facts::of(&serde_json::to_value(&context).unwrap());
        let writer = Writer::of(&context);
        let explained = writer.section(Section::FraudExplanation);
        for words in expected {
            assert!(explained.contains(words), "{words}: {explained}");
        }
        for section in Section::ALL {
            let text = writer.section(section);
            assert!(factcheck::check(&text, &facts).refused.is_empty(), "{signal}: {text}");
        }
    }
}

fn of_section(section: Section, length: Option<Length>, mention: &[Topic]) -> Revision {
    Revision { report_type: None, sections: vec![SectionRevision { section, length, mention: mention.to_vec() }] }
}

/// Checks word ranges, facts and repetitions of a revised report.
fn check_revised(context: &Context, length: Option<Length>, topic: Topic) {
    let facts = Facts::of(&serde_json::to_value(context).unwrap());
    for section in Section::ALL {
        let writer = Writer::of(context).revised(of_section(section, length, &[topic]));
        let text = writer.section(section);
        check_prose(&text, section.word_range());
        check_bounded(&text);
        let refused: Vec<_> =
            factcheck::check(&text, &facts).refused.iter().map(factcheck::Refused::describe).collect();
        assert!(refused.is_empty(), "{topic:?} in {section:?}: {refused:#?} in {text}");
    }
}

#[test]
fn every_topic_in_every_section_stays_within_the_facts_and_the_word_range() {
    for context in [thinnest(), ordinary(), richest()] {
        for topic in Topic::ALL {
            for length in [None, Some(Length::Longer), Some(Length::Shorter)] {
                check_revised(&context, length, *topic);
            }
        }
    }
}

#[test]
fn a_requested_topic_is_stated_if_the_case_has_its_facts() {
    let context = ordinary();
    for topic in Topic::ALL {
        let section = Section::ExecutiveSummary;
        let writer = Writer::of(&context).revised(of_section(section, None, &[*topic]));
        let Ok(states) = writer.states(*topic, &writer.section(section)) else { continue };
        assert!(states, "{topic:?} is not in {}", writer.section(section));
    }
    let missing = Writer::of(&thinnest()).states(Topic::Merchant, "");
    assert_eq!(missing, Err(TopicUnavailable("the record holds no transaction for this alert")));
}

#[test]
fn a_longer_section_is_longer_and_a_shorter_one_shorter() {
    let context = ordinary();
    for section in Section::ALL {
        let words =
            |length| count_words(&Writer::of(&context).revised(of_section(section, length, &[])).section(section));
        let (shorter, usual, longer) = (words(Some(Length::Shorter)), words(None), words(Some(Length::Longer)));
        assert!(shorter <= usual && usual < longer, "{section:?}: {shorter}, {usual}, {longer}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_revision_of_every_case_states_only_facts_within_range(
        context in contexts(), topic in any::<Index>(), length in any::<Index>(),
    ) {
        let lengths = [None, Some(Length::Longer), Some(Length::Shorter)];
        check_revised(&context, *length.get(&lengths), *topic.get(Topic::ALL));
    }
}
