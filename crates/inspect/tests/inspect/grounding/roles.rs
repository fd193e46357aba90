//! A figure is the one that its words call it, not one that merely occurs in the case.

use serde_json::{Value, json};

use super::{
    case,
    claims::{licensed, refused},
};

#[test]
fn transactions_are_counted_over_what_the_words_name() {
    licensed(
        &case(),
        &[
            "The customer's baseline held 40 transactions over 454 days.",
            "The record held 42 earlier transactions of this customer.",
            "The account reached 2 transactions within 1 hour and 3 transactions within 24 hours.",
            "The busiest country of that baseline was Portugal, with 37 transactions.",
        ],
    );
    refused(
        &case(),
        &[
            "The customer's baseline held 42 transactions over 454 days.",
            "The customer's baseline held 40 transactions over 465 days.",
            "The account reached 3 transactions within 1 hour.",
            "The account reached 40 transactions within 24 hours.",
            "The busiest country of that baseline was Portugal, with 40 transactions.",
            "All 40 baseline transactions took place in Portugal.",
            "The customer made 40 transactions on 1 March 2026.",
            "The usual rate of this customer was 3 transactions a day.",
        ],
    );
}

#[test]
fn sums_and_differences_are_of_what_the_words_name() {
    licensed(
        &case(),
        &[
            "In money, this meant USD 9,912.50 over 1 hour and USD 10,040.00 over 24 hours.",
            "Earlier amounts in the baseline ranged from USD 4.50 to USD 640.00.",
            "In that time the customer moved USD 6,212.75 in total.",
            "Its amount stood USD 9,680.00 above the median.",
        ],
    );
    refused(
        &case(),
        &[
            "In money, this meant USD 10,040.00 over 1 hour.",
            "Earlier amounts in the baseline ranged from USD 4.50 to USD 9,800.00.",
            "Earlier amounts in the baseline ranged from USD 120.00 to USD 640.00.",
            "In that time the customer moved USD 10,040.00 in total.",
            "Its amount stood USD 9,680.00 above the largest earlier amount.",
            "The median exceeded the largest earlier amount.",
            "The largest earlier amount came to 81.7 times the median.",
            "The detector flagged a card-present payment of USD 640.00.",
        ],
    );
}

#[test]
fn what_is_said_of_a_moment_is_of_one_event() {
    licensed(
        &case(),
        &[
            "On 1 March 2026 at 08:48 UTC, the record showed USD 112.50 in Portugal.",
            "On 14 September 2025 at 17:20 UTC, a prior alert of LOW severity and with a risk score of 33 was recorded.",
            "The account had existed for 465 days, since 20 November 2024.",
            "The customer had five prior alerts, the last on 14 September 2025.",
        ],
    );
    refused(
        &case(),
        &[
            "On 1 March 2026 at 08:48 UTC, the record showed USD 9,800.00 in Nigeria.",
            "On 1 March 2026 at 09:30 UTC, the record showed USD 112.50.",
            "On 14 September 2025 at 17:20 UTC, a prior alert of HIGH severity and with a risk score of 33 was recorded.",
            "On 14 September 2025 at 17:20 UTC, a prior alert with a risk score of 75 was recorded.",
            "The account had existed for 454 days, since 20 November 2024.",
            "The account had existed for 465 days, since 2 December 2024.",
            "The customer had five prior alerts, the last on 1 March 2026.",
            "The customer had 14 prior alerts.",
            "The last prior alert came one day before the transaction.",
            "The highest prior alert had a risk score of 75.",
        ],
    );
}

#[test]
fn ids_and_names_belong_to_what_they_are_called() {
    licensed(
        &case(),
        &["The detector raised alert `fraud-2041`.", "The counterparty was the merchant \"Blue Harbor Trading\"."],
    );
    refused(
        &case(),
        &[
            "The detector raised alert `tx-88213`.",
            "The alert led to investigation `fraud-2041`.",
            "The matter under review was a card-present payment of USD 9,800.00, recorded as `fraud-2041`.",
            "The counterparty was the merchant \"Lagos\".",
            "The payment went to the detector.",
        ],
    );
}

#[test]
fn a_score_rests_on_signals_that_fired_and_on_nothing_else() {
    licensed(
        &case(),
        &[
            "The alert rested on amount deviation, at a modified z-score of 7.24.",
            "The contributions added up to 75 points, so no cap was applied.",
            "Scores below 60 or above 79 belong to another severity.",
        ],
    );
    refused(
        &case(),
        &[
            "The alert rested on velocity anomaly.",
            "The score rested on five prior alerts.",
            "The prior alerts contributed 40 points.",
            "The five prior alerts supported the score of 75.",
            "The score was computed from the five prior alerts.",
            "The contributions added up to 40 points.",
            "The cap was not applied because the sender assigned the score.",
            "The sender assigned the score.",
            "Scores below 60 belong to HIGH severity.",
            "Scores from 60 to 75 mean HIGH severity.",
            "The score of 75 out of 100 lay below the band from 60 to 79.",
            "The decision on the case was left to the merchant.",
            "The score was not available.",
            "The customer had five prior alerts. All were of HIGH severity.",
            "The amount was USD 9,800.00. That was the median.",
        ],
    );
}

#[test]
fn points_that_do_not_make_the_score_are_not_said_to() {
    let mut outside = case();
    outside["case"]["source"] = json!("external");
    outside["score"]["total"] = json!(78);
    outside["case"]["risk_score"] = json!(78);
    check_sum(&outside);
}

fn check_sum(outside: &Value) {
    refused(
        outside,
        &[
            "The risk score of 78 out of 100 was composed of these parts: amount deviation contributed 40 points.",
            "The points of the fired signals made the risk score of 78 out of 100.",
            "The score comes from the measured signals.",
            "The detector assigned the score.",
        ],
    );
}
