//! A figure must be the one that the words call it. It is not enough that it occurs in the case.

use serde_json::{Value, json};

use super::{
    case,
    claims::{licensed, refused},
};

#[test]
fn a_transaction_count_matches_the_window_that_the_words_name() {
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
            "The account reached 2 transactions in USD within 1 hour.",
            "Velocity anomaly produced no value, where 40 were needed.",
        ],
    );
}

#[test]
fn sums_and_differences_match_what_the_words_name() {
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
fn a_date_and_its_details_belong_to_one_event() {
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
fn ids_and_names_must_be_called_what_they_are() {
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
fn points_that_do_not_add_up_to_the_score_may_not_be_said_to_explain_it() {
    let mut external = case();
    external["case"]["source"] = json!("external");
    external["score"]["total"] = json!(78);
    external["case"]["risk_score"] = json!(78);
    refused(
        &external,
        &[
            "The risk score of 78 out of 100 was composed of these parts: amount deviation contributed 40 points.",
            "The points of the fired signals made the risk score of 78 out of 100.",
            "The score comes from the measured signals.",
            "The detector assigned the score.",
        ],
    );
}

/// The case with merchants in its timeline, as real contexts have them.
fn with_merchants() -> Value {
    let mut context = case();
    let timeline = context["timeline"].as_array_mut().unwrap();
    timeline[2]["event"] = json!("Earlier transaction: USD 112.50 at Old Mill Cards in Lisbon, Portugal.");
    timeline[3]["event"] = json!("The transaction: USD 9,800.00 at Blue Harbor Trading in Lagos, Nigeria.");
    context["timeline"] = json!(timeline);
    context
}

#[test]
fn a_merchant_belongs_to_the_transaction_whose_date_or_amount_is_given() {
    licensed(
        &with_merchants(),
        &[
            "On 1 March 2026 at 08:48 UTC, the record showed USD 112.50 at Old Mill Cards.",
            "On 1 March 2026 at 08:48 UTC, the record showed USD 112.50 at \"Old Mill Cards\" in Portugal.",
            "On 1 March 2026 at 09:30 UTC, the customer paid USD 9,800.00 at \"Blue Harbor Trading\".",
            "The merchant was \"Blue Harbor Trading\".",
        ],
    );
    refused(
        &with_merchants(),
        &[
            "On 1 March 2026 at 08:48 UTC, the record showed USD 112.50 at \"Blue Harbor Trading\".",
            "The account moved USD 112.50 to \"Blue Harbor Trading\" on 1 March 2026 at 08:48 UTC.",
            "The customer paid USD 9,800.00 at Old Mill Cards.",
            "The transaction took place at Old Mill Cards.",
        ],
    );
}

#[test]
fn reasons_of_earlier_alerts_and_channels_of_earlier_payments_are_refused() {
    licensed(&case(), &["The customer had five prior alerts.", "The card was present."]);
    refused(
        &case(),
        &[
            "A prior alert was raised by velocity anomaly.",
            "Each of the five prior alerts rested on geographic inconsistency.",
            "All five prior alerts concerned transactions in Portugal.",
            "The prior alert of 14 September 2025 rested on `new_device`.",
            "All 42 earlier transactions were made at a cash machine.",
            "The 42 earlier transactions were made with the card present.",
        ],
    );
}

#[test]
fn the_first_prior_alert_is_the_oldest_if_all_are_on_record() {
    let sentence =
        "The first prior alert, of LOW severity and with a risk score of 33, was raised on 14 September 2025.";
    refused(&case(), &[sentence]);
    refused(&case(), &["The first of the five prior alerts was raised on 14 September 2025."]);
    let mut whole = case();
    whole["correlation"]["prior_alerts"] = json!(1);
    licensed(&whole, &[sentence]);
}

#[test]
fn the_points_of_a_signal_are_never_in_a_severity_band() {
    licensed(&case(), &["The score of 75 out of 100 lay in the band from 60 to 79."]);
    refused(&case(), &["With 25 points, the contributions lay in the band from 60 to 79."]);
}

#[test]
fn only_what_the_record_lacks_may_be_called_missing() {
    let mut context = case();
    let transaction = context["transaction"].as_object_mut().unwrap();
    transaction.remove("location");
    transaction.remove("category");
    licensed(
        &context,
        &[
            "The record did not state a location for the transaction.",
            "The record did not state a category for the merchant.",
            "The record did not state the merchant category.",
        ],
    );
    refused(
        &context,
        &[
            "The record did not state the merchant of the transaction.",
            "The record did not state an amount for the transaction.",
        ],
    );
    refused(&case(), &["The record did not state a location for the transaction."]);
}
