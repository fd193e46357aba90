//! Tests of the corpus itself: it is large and varied, contains nothing twice, and is always the same.

use std::collections::{BTreeMap, HashSet};

use countersign_corpus::Corpus;
use countersign_domain::{Section, Severity, report::count_words};
use countersign_report::{AlertSource, SignalOutcome, TransactionStatus};

#[test]
fn there_are_many_kinds_with_many_different_cases() {
    let corpus = Corpus::build();
    assert!(corpus.lies.len() >= 40, "{} kinds", corpus.lies.len());
    let names: HashSet<_> = corpus.lies.iter().map(|(kind, _)| kind.name).collect();
    assert_eq!(names.len(), corpus.lies.len());
    for (kind, lies) in &corpus.lies {
        assert!(lies.len() >= 25, "{} has {} cases", kind.name, lies.len());
        let distinct: HashSet<_> = lies.iter().map(|lie| (lie.case, &lie.text)).collect();
        assert_eq!(distinct.len(), lies.len(), "{}", kind.name);
        let sections: HashSet<_> = lies.iter().map(|lie| lie.section).collect();
        assert!(sections.len() >= 3, "{} is in {sections:?} alone", kind.name);
    }
}

#[test]
fn a_lie_is_a_true_section_with_one_sentence_changed_and_fits_its_length() {
    let corpus = Corpus::build();
    let (mut all, mut fitting) = (0, 0);
    for (kind, lies) in &corpus.lies {
        for lie in lies {
            let truth = corpus.cases[lie.case].text(lie.section);
            assert_ne!(lie.text, truth, "{}", kind.name);
            assert!(lie.text.contains(&lie.sentence), "{}: {}", kind.name, lie.sentence);
            assert!(!lie.sentence.contains(['{', '}']), "{}: {}", kind.name, lie.sentence);
            let rest = lie.text.replacen(&lie.sentence, "", 1);
            let kept =
                rest.split(". ").filter(|sentence| truth.contains(sentence.trim().trim_end_matches('.'))).count();
            assert_eq!(kept, rest.split(". ").count(), "{}: {rest}", kind.name);
            let (least, most) = lie.section.word_range();
            all += 1;
            fitting += usize::from((least..=most).contains(&count_words(&lie.text)));
        }
    }
    assert!(fitting * 100 >= all * 97, "only {fitting} of {all} are within their section's length");
}

#[test]
fn there_are_a_thousand_different_true_texts() {
    let corpus = Corpus::build();
    assert!(corpus.cases.len() >= 60, "{} cases", corpus.cases.len());
    assert!(corpus.paraphrases.len() >= 300, "{} paraphrases", corpus.paraphrases.len());
    assert!(corpus.true_texts() >= 1_000, "{} true texts", corpus.true_texts());
    let builtin = corpus.cases.iter().flat_map(|case| case.texts.iter());
    let all: Vec<_> = builtin.chain(corpus.paraphrases.iter().map(|paraphrase| &paraphrase.text)).collect();
    let distinct: HashSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn paraphrases_are_whole_sections_in_other_words() {
    let corpus = Corpus::build();
    let mut short = 0;
    for paraphrase in &corpus.paraphrases {
        assert!(!paraphrase.text.contains(['{', '}']), "{}", paraphrase.text);
        let own = corpus.cases[paraphrase.case].text(paraphrase.section);
        let sentences: Vec<_> = paraphrase.text.split(". ").collect();
        assert!(sentences.len() >= 3, "{}", paraphrase.text);
        let copied = sentences.iter().filter(|sentence| own.contains(sentence.trim_end_matches('.'))).count();
        assert!(
            copied * 3 <= sentences.len(),
            "{copied} of {} are the writer's own: {}",
            sentences.len(),
            paraphrase.text
        );
        short += usize::from(count_words(&paraphrase.text) < paraphrase.section.word_range().0);
    }
    // A case about which little is known has little to say.
    assert!(short * 2 < corpus.paraphrases.len(), "{short} of {} are short", corpus.paraphrases.len());
}

#[test]
fn the_cases_cover_everything_that_a_report_can_state() {
    let corpus = Corpus::build();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for case in &corpus.cases {
        let context = &case.context;
        let mut note = |name: String| *found.entry(name).or_default() += 1;
        note(context.case.severity.in_capitals().to_owned());
        let fired = context.signals.iter().filter(|signal| signal.outcome == SignalOutcome::Fired).count();
        note(format!("{fired} fired"));
        note(format!("baseline {}", context.baseline.is_some()));
        note(format!("prior {}", context.correlation.prior_alerts > 0));
        note(format!("capped {}", context.score.is_capped));
        note(format!("outside {}", context.case.source == AlertSource::External));
        match &context.transaction {
            None => note("no transaction".to_owned()),
            Some(transaction) => {
                note(match transaction.status {
                    TransactionStatus::Completed => "completed".to_owned(),
                    TransactionStatus::Attempted => "attempted".to_owned(),
                    TransactionStatus::NotStated => "not stated".to_owned(),
                });
                note(format!("location {}", transaction.location.is_some()));
                note(format!("merchant {}", transaction.merchant.is_some()));
                note(format!("memo {}", transaction.metadata.contains_key("memo")));
                note(transaction.amount.currency().as_str().to_owned());
            }
        }
    }
    let wanted = [
        "MEDIUM",
        "HIGH",
        "CRITICAL",
        "1 fired",
        "2 fired",
        "3 fired",
        "4 fired",
        "baseline true",
        "baseline false",
        "prior true",
        "prior false",
        "capped true",
        "capped false",
        "outside true",
        "outside false",
        "no transaction",
        "completed",
        "attempted",
        "not stated",
        "location true",
        "location false",
        "merchant true",
        "merchant false",
        "memo true",
        "memo false",
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "KWD",
        "CHF",
    ];
    for name in wanted {
        assert!(found.contains_key(name), "no case is {name}: {found:#?}");
    }
    assert!(!found.contains_key(Severity::Low.in_capitals()));
}

#[test]
fn the_corpus_is_always_the_same() {
    let (one, other) = (Corpus::build(), Corpus::build());
    let texts = |corpus: &Corpus| -> Vec<String> {
        let lies = corpus.lies.iter().flat_map(|(_, lies)| lies.iter().map(|lie| lie.text.clone()));
        lies.chain(corpus.paraphrases.iter().map(|paraphrase| paraphrase.text.clone())).collect()
    };
    assert_eq!(texts(&one), texts(&other));
}

#[test]
fn every_true_section_of_every_case_fits_its_length() {
    for case in Corpus::build().cases {
        for section in Section::ALL {
            let (least, most) = section.word_range();
            assert!((least..=most).contains(&count_words(case.text(section))), "{}", case.text(section));
        }
    }
}

/// `make accuracy` regenerates the tables of the page.
#[test]
fn the_page_with_the_figures_has_a_row_for_every_kind() {
    let page = include_str!("../../../docs/accuracy/supervisor.md");
    for (kind, _) in Corpus::build().lies {
        let row = format!("| {} |", kind.name.replace('_', " "));
        assert!(page.lines().any(|line| line.starts_with(&row)), "no row for {}", kind.name);
    }
}
