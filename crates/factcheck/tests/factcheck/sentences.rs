//! True figures are accepted in all formats that people and models use.

use countersign_factcheck::ClaimKind;

use super::{case, checked, expect_all};

/// Checks that no row is refused and that each row makes a claim.
fn accepted(rows: &[&str]) {
    expect_all(&rows.iter().map(|text| (*text, &[][..])).collect::<Vec<_>>());
    for text in rows {
        assert!(!checked(text, &case()).claims.is_empty(), "claims nothing: {text}");
    }
}

#[test]
fn a_fact_is_accepted_in_every_usual_format() {
    accepted(&[
        "The amount was USD 9,800.00.",
        "The amount was USD 9800.",
        "The amount was $9,800.00.",
        "The amount was 9 800.00 USD.",
        "The amount was 9.800,00 USD.",
        "The amount was 9,800 US dollars.",
        "The amount was USD 9.8 thousand.",
        "The amount was USD9800.",
        "The amount was **USD 9,800.00**.",
        "The amount was US$9,800.",
        "The amount was 9,800.00.",
        "The amount was nine thousand eight hundred dollars.",
        "The amount was USD ٩٨٠٠.",
        "The amount was USD ９，８００.",
        "The median was USD 120 and the largest amount USD 640.",
        "The risk score was 75 out of 100.",
        "The risk score was 75/100.",
        "Risk score: 75.",
        "| Risk score | 75 |",
        "It scored seventy-five.",
        "On 2026-03-01 the transaction took place.",
        "The transaction took place on 1 March 2026.",
        "The transaction took place on March 1, 2026.",
        "The transaction took place on the 1st of March.",
        "The transaction took place on 01/03/2026.",
        "The transaction took place on 03/01/2026.",
        "The transaction took place on Sunday, 1 March 2026 at 09:30 UTC.",
        "The transaction took place at 2026-03-01T09:30:12Z.",
        "The transaction took place at 9.30 am.",
        "The transaction took place at 09:30:12 UTC in March 2026.",
        "The distance was 5,400.2 km.",
        "The distance was 5,400 km.",
        "The distance was about 5,380 km.",
        "The speed was 7,714.3 km/h.",
        "The speed was 7714 kilometres per hour.",
        "It was 81.7 times the median.",
        "It was 81.7x the median amount.",
        "It was some 82 times the median.",
        "The account was 465 days old.",
        "Only 42 minutes lay between them.",
        "The customer made two transactions in one hour and three within 24 hours.",
        "In the 24-hour window there were 3 transactions.",
        "There were 2 transactions in 1 h.",
        "Two rules fired.",
        "Three of the four signals fired.",
        "One signal did not fire.",
        "The user ***7731 made the transaction `tx-88213`.",
        "Alert fraud-2041 belongs to investigation 6f9b1c1e-52f8-5e0b-8f0e-31c6bb1d7a42.",
        "The account ending in 7731 was used.",
        "The transaction took place in Lagos, Nigeria.",
        "The transaction took place in NG.",
        "The severity was HIGH.",
        "The alert was classified as high.",
        "It is a high-severity alert.",
        "The regulatory impact was medium.",
        "The merchant was \"Blue Harbor Trading\".",
        "The merchant was Blue Harbor Trading.",
        "The merchant was \"Blue Harbor Tra…\".",
        "The rule `new_device` added 6 points.",
        "The plan had 12 installments.",
    ]);
}

#[test]
fn a_models_text_that_keeps_to_the_facts_is_accepted() {
    accepted(&[
        "On 1 March 2026 at 09:30 UTC, the account holder ***7731 completed a payment of USD 9,800.00 to Blue Harbor Trading in Lagos, Nigeria.",
        "This amount was 81.7 times the customer's median of USD 120.00, and exceeded it by USD 9,680.00.",
        "The amount deviation signal measured a modified z-score of 7.24 against a threshold of 3.5 and contributed 40 points to the score.",
        "Forty-two minutes earlier, the same card had been used in Lisbon, Portugal, approximately 5,400 km away.",
        "The implied travel speed of 7,714.3 km/h far exceeds the threshold of 1,000 km/h, which makes physical travel impossible.",
        "The total risk score of 75 out of 100 places the case in the HIGH severity band, which ranges from 60 to 79.",
        "Of the 75 points, 40 came from amount deviation, 25 from geographic inconsistency and 10 from rule flags.",
        "Velocity remained within limits, with two transactions in the last hour and three in the last 24 hours.",
        "The customer's history comprises 40 earlier transactions over 454 days, with amounts between USD 4.50 and USD 640.00.",
        "The customer had five prior alerts, of which two were HIGH and three were LOW.",
        "Fourteen similar alerts within 9 points were recorded across the institution.",
        "Of the customer's earlier transactions, 37 took place in Portugal and three in Spain.",
        "The account was opened on 20 November 2024 and the first transaction followed on 2 December 2024.",
        "The most recent prior alert was raised on 14 September 2025 at 17:20 UTC.",
        "However, no single signal would have been decisive on its own; it is the combination that justifies the HIGH severity.",
        "The earlier transaction of USD 112.50 took place in Lisbon at 08:48:12 UTC.",
        "Two rules were triggered: round_amount, with a weight of 4 points, and new_device, with a weight of 6 points.",
        "The alert was created at 09:31:04 UTC, less than a minute after the transaction.",
        "Taken together, the contributions add up to 75 points, and the score was not capped.",
        "In the hour before the alert, the account spent a combined USD 9,912.50.",
        "Over 24 hours, the sum reached USD 10,040.00, spread over 3 transactions.",
        "The largest earlier amount was USD 640.00, so the present transaction of USD 9,800.00 stands out.",
        "All earlier transactions together totalled USD 6,212.75.",
        "The deviation of 7.2 is more than the threshold of 3.5.",
        "The account was 465 days old at the time, and 42 earlier transactions were on record.",
        "Three transactions in Spain aside, activity centred on Portugal; on the one hand this is typical, on the other it is new.",
        "A score between 60 and 79 corresponds to HIGH severity.",
        "An earlier alert, rated LOW with a score of 33, dates from September 2025.",
        "The merchant category was electronics, and the payment was a card-present transaction that was completed at 09:30.",
        "No rule about the time of day fired, and velocity contributed 0 points.",
        "The speed of roughly 7,700 km/h would require faster-than-sound travel.",
        "Thirty-eight earlier events are omitted from the timeline.",
    ]);
}

#[test]
fn figures_of_speech_are_not_claims() {
    for text in [
        "On the one hand, no one of the first reviewers doubted it; both saw one of the signs.",
        "It was a one-off, a first-time event for a third party.",
        "These two factors matter for one reason or another.",
        "Second, the high amount and the critical role of timing matter.",
        "The risk justification rests on the first signal and, second, on the geography.",
        "The system did not automatically block the account; both the alert and the report await a compliance officer's review.",
        "Several, many and a few; multiple and numerous.",
        "However, Countersign recommends that the Compliance Officer review the Executive Summary.",
        "1. The first step.\n2. The next step.",
    ] {
        let found = checked(text, &case());
        assert_eq!((found.claims.len(), found.refused.len()), (0, 0), "{text} {found:?}");
    }
}

#[test]
fn each_claim_has_the_path_of_the_fact_that_its_sentence_names() {
    for (text, kind, path) in [
        ("The risk score was 75.", ClaimKind::Number, "/case/risk_score"),
        ("The median was USD 120.00.", ClaimKind::Money, "/baseline/median_amount"),
        ("The transaction amount was USD 9,800.", ClaimKind::Money, "/transaction/amount"),
        ("There were five prior alerts.", ClaimKind::Count, "/correlation/prior_alerts"),
        ("There were 2 HIGH prior alerts.", ClaimKind::Count, "/correlation/prior_alerts_by_severity/high"),
        ("The threshold was 1,000 km/h.", ClaimKind::Number, "/signals/2/threshold"),
        ("Amount deviation contributed 40 points.", ClaimKind::Number, "/signals/0/contribution"),
        ("Two rules fired.", ClaimKind::Count, "/signals/3/flags"),
        ("It took 42 minutes.", ClaimKind::Duration, "/signals/2/details/minutes"),
        ("The account was opened on 20 November 2024.", ClaimKind::Date, "/subject/account_opened_at"),
        ("The alert was created at 09:31:04.", ClaimKind::Time, "/case/alert_created_at"),
        ("The user was ***7731.", ClaimKind::Id, "/subject/user_id"),
        ("Severity: HIGH.", ClaimKind::Severity, "/case/severity"),
        ("It happened in Lagos.", ClaimKind::Name, "/timeline/3/location/city"),
        ("There were four signals.", ClaimKind::Count, "/signals"),
    ] {
        let found = checked(text, &case());
        let claim = found.claims.first().map(|claim| (claim.kind, claim.path.as_str()));
        assert_eq!(claim, Some((kind, path)), "{text} {found:?}");
    }
}

#[test]
fn offsets_are_code_points_of_the_original_text() {
    let text = "é😀 **USD 9,\u{200b}800.00** 😀 75 points.";
    let found = checked(text, &case());
    let letters: Vec<char> = text.chars().collect();
    let texts: Vec<String> =
        found.claims.iter().map(|claim| letters[claim.start..claim.end].iter().collect()).collect();
    assert_eq!(texts, ["USD 9,\u{200b}800.00", "75 points"]);
}
