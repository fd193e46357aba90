//! A text that the built-in writer did not write must be made of wordings that the rules are known to read.

use countersign_factcheck::{Facts, Reason, check, check_foreign, wordings};

use super::case;

fn unfamiliar(text: &str) -> Vec<String> {
    let checked = check_foreign(text, &Facts::of(&case()), |_| false);
    let unfamiliar = checked.refused.iter().filter(|refused| refused.reason == Reason::Unfamiliar);
    unfamiliar.map(|refused| refused.describe()).collect()
}

#[test]
fn known_wordings_pass() {
    for text in [
        "Amount deviation fired, with a modified z-score of 7.24 against a threshold of 3.5.",
        "Velocity anomaly did not fire.",
        "The severity was HIGH, because the score of 75 out of 100 lay in the band from 60 to 79.",
        "The transaction was completed.",
        "The largest earlier amount was USD 640.00.",
    ] {
        let checked = check_foreign(text, &Facts::of(&case()), |_| false);
        let why: Vec<_> = checked.refused.iter().map(|refused| refused.describe()).collect();
        assert!(why.is_empty(), "{text}: {why:?}");
    }
}

/// The other rules accept all of these. Only the check of known wordings refuses them.
#[test]
fn unknown_wordings_are_refused_by_name() {
    for (text, word) in [
        ("Scores below 60 or above 79 belong to a higher severity.", "higher"),
        ("For any account holder, the record showed 14 similar alerts.", "any"),
        ("Nothing was added for velocity anomaly, which stayed out of bounds.", "out of"),
        ("The score and the severity were assigned to the detector.", "assigned"),
    ] {
        let facts = Facts::of(&case());
        let why: Vec<_> = check(text, &facts).refused.iter().map(|refused| refused.describe()).collect();
        assert!(why.is_empty(), "the other rules refuse it already: {text}: {why:?}");
        let found = unfamiliar(text);
        assert!(found.iter().any(|why| why.contains(word) && why.contains("a wording that")), "{text}: {found:?}");
    }
}

#[test]
fn only_the_built_in_writers_own_sentences_are_exempt() {
    let own = "Scores below 60 or above 79 belong to a higher severity.";
    let facts = Facts::of(&case());
    let text = format!("The transaction was completed. {own}");
    assert!(check_foreign(&text, &facts, |sentence| sentence == own).refused.is_empty());
    assert!(!check_foreign(&text, &facts, |sentence| sentence == "The transaction was completed.").refused.is_empty());
}

#[test]
fn a_wording_keeps_words_and_replaces_figures_and_names_by_their_kinds() {
    let text =
        "Amount deviation fired at 7.24 on 1 March 2026. The customer's median was USD 120.00, in all `fraud-2041`.";
    assert_eq!(
        wordings(text, &Facts::of(&case())),
        ["<signal> fired at <number> on <date> .", "the customer's median was <amount> in all <id> .",]
    );
}
