//! Facts license the words of a sentence, or the sentence is refused with the word that has no fact.

use countersign_factcheck::{Facts, Reason, check};
use serde_json::{Value, json};

use super::case;

pub(super) fn licensed(context: &Value, rows: &[&str]) {
    let facts = Facts::of(context);
    for text in rows {
        let checked = check(text, &facts);
        let why: Vec<_> = checked.refused.iter().map(|refused| refused.describe()).collect();
        assert!(why.is_empty(), "{text}: {why:?}");
        assert!(checked.sentences.iter().all(|sentence| sentence.is_licensed && !sentence.facts.is_empty()), "{text}");
    }
}

pub(super) fn refused(context: &Value, rows: &[&str]) {
    let facts = Facts::of(context);
    for text in rows {
        assert!(!check(text, &facts).refused.is_empty(), "passes: {text}");
    }
}

/// Checks that a text is refused, and that the refusal quotes a word.
fn refused_for(text: &str, quote: &str) {
    let checked = check(text, &Facts::of(&case()));
    let named: Vec<_> = checked.refused.iter().map(|refused| refused.describe()).collect();
    assert!(named.iter().any(|why| why.contains(&format!("\"{quote}\""))), "{text}: {named:?}");
}

#[test]
fn a_word_without_a_fact_is_refused_by_name() {
    for (text, word) in [
        ("The customer admitted the fraud.", "admitted"),
        ("A court has frozen the account.", "court"),
        ("The customer is guilty.", "guilty"),
        ("The account must be closed.", "must"),
        ("The amount was twice the income.", "income"),
        ("The transaction was suspicious.", "suspicious"),
        ("The customer probably made the transaction.", "probably"),
        ("The police were informed about the transaction.", "police"),
        ("The elderly customer made the transaction.", "elderly"),
    ] {
        refused_for(text, word);
    }
}

#[test]
fn statements_about_fired_signals_are_checked() {
    licensed(
        &case(),
        &[
            "Amount deviation fired.",
            "Amount deviation and geographic inconsistency fired.",
            "Velocity anomaly did not fire.",
            "Velocity anomaly stayed clear.",
            "Nothing unusual was measured for velocity anomaly.",
            "The alert was triggered by amount deviation.",
            "Three of the four signals fired.",
        ],
    );
    refused(
        &case(),
        &[
            "Amount deviation did not fire.",
            "Amount deviation never fired.",
            "Neither amount deviation nor geographic inconsistency fired.",
            "Velocity anomaly fired.",
            "Amount deviation stayed clear.",
            "None of the signals fired.",
            "No signal fired.",
            "All signals fired.",
            "Only amount deviation fired.",
            "Nothing unusual was measured for amount deviation.",
            "Amount deviation produced no result.",
            "It is not the case that amount deviation fired.",
        ],
    );
}

#[test]
fn comparisons_are_checked_against_the_figures() {
    licensed(
        &case(),
        &[
            "The modified z-score of 7.24 exceeded the threshold of 3.5.",
            "The threshold of 3.5 was exceeded by a modified z-score of 7.24.",
            "The amount was above the customer's median of USD 120.00.",
            "Velocity anomaly measured 3 transactions, below its threshold of 8.",
            "The risk score lay inside the band from 60 to 79.",
        ],
    );
    refused(
        &case(),
        &[
            "The modified z-score of 7.24 fell below the threshold of 3.5.",
            "The modified z-score of 7.24 did not exceed the threshold of 3.5.",
            "The modified z-score of 7.24 stayed within the threshold of 3.5.",
            "The amount was below the customer's median of USD 120.00.",
            "The amount was smaller than the largest earlier amount.",
            "Velocity anomaly exceeded its threshold of 8.",
            "The risk score lay outside the band from 60 to 79.",
            "The median exceeded USD 120.00.",
        ],
    );
}

#[test]
fn events_and_their_order_are_checked() {
    licensed(
        &case(),
        &[
            "The transaction was completed.",
            "The alert was created after the transaction.",
            "It was a card-present payment of USD 9,800.00.",
        ],
    );
    refused(
        &case(),
        &[
            "The transaction was attempted.",
            "The transaction was not completed.",
            "The alert was created before the transaction.",
            "It was a transfer of USD 9,800.00.",
            "The card was not present.",
            "The transaction took place in Portugal.",
            "The account holder was first seen with this alert.",
        ],
    );
}

#[test]
fn statements_of_absence_and_presence_are_checked() {
    licensed(&case(), &["The record did not state the source of funds.", "No device was recorded."]);
    refused(
        &case(),
        &[
            "The record did not state a location.",
            "No merchant was named.",
            "No baseline was on record.",
            "The record stated the source of funds.",
            "No transaction was on record.",
            "The transaction was not available.",
        ],
    );
}

#[test]
fn an_action_by_the_wrong_party_is_refused() {
    licensed(&case(), &["The detector raised the alert.", "The account holder made the transaction."]);
    refused(
        &case(),
        &[
            "The customer raised the alert.",
            "The merchant made the transaction.",
            "The detector made the transaction.",
            "The customer reported the transaction.",
            "The merchant was the account holder.",
            "The customer assigned the score.",
            "The transaction was held for review.",
        ],
    );
}

#[test]
fn only_causes_that_the_computation_has_are_licensed() {
    licensed(
        &case(),
        &[
            "Amount deviation fired, because the modified z-score of 7.24 exceeded the threshold of 3.5.",
            "The severity was HIGH, because the score of 75 lay in the band from 60 to 79.",
        ],
    );
    refused(
        &case(),
        &[
            "The alert was raised because the customer opened the account.",
            "Amount deviation fired because of geographic inconsistency.",
            "The customer made the transaction because the account was new.",
            "The score led amount deviation to fire.",
        ],
    );
}

#[test]
fn a_name_must_be_called_what_its_fact_is() {
    licensed(&case(), &["The merchant was \"Blue Harbor Trading\".", "The transaction took place in Lagos, Nigeria."]);
    refused(
        &case(),
        &[
            "The merchant was \"Lagos\".",
            "It took place in \"Blue Harbor Trading\".",
            "There were 14 earlier customers.",
        ],
    );
}

#[test]
fn questions_and_sentences_without_facts_are_refused() {
    refused(&case(), &["Was the transaction completed?", "It was as it was."]);
    let silent = check("It was there.", &Facts::of(&case()));
    assert!(silent.refused.iter().any(|refused| refused.reason == Reason::Silent), "{:?}", silent.refused);
}

#[test]
fn marks_and_typography_cannot_hide_a_lie() {
    refused(
        &case(),
        &[
            "The transaction was completed (the customer admitted it).",
            "The transaction was completed; the customer admitted it.",
            "Amount deviation did n\u{200b}ot fire.",
            "Amount deviation didn't fire.",
            "AMOUNT DEVIATION DID NOT FIRE.",
            "The system notes \"the customer admitted the fraud\".",
        ],
    );
}

#[test]
fn only_figures_are_checked_if_the_context_is_not_a_case() {
    let context = json!({"total": 75});
    assert!(check("Whatever this says, the total was 75.", &Facts::of(&context)).refused.is_empty());
    assert!(!check("Whatever this says, the total was 76.", &Facts::of(&context)).refused.is_empty());
}
