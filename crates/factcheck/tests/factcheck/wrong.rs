//! False figures are refused, however small the difference.

use countersign_factcheck::Reason;

use super::{case, checked, expect_all};

#[test]
fn a_figure_that_is_not_in_the_context_is_refused() {
    expect_all(&[
        ("The amount was USD 9,801.00.", &["USD 9,801.00"]),
        ("The amount was EUR 9,800.00.", &["EUR 9,800.00"]),
        ("The amount was €9,800.", &["€9,800"]),
        ("The amount was C$9,800.", &["C$9,800"]),
        ("The amount was nearly USD 9,850.", &["USD 9,850"]),
        ("The amount was twelve hundred and fifty dollars.", &["twelve hundred and fifty dollars"]),
        ("The amount was USD 9,8OO.", &["9,8OO"]),
        ("The amount was USD ½ million.", &["½", "million"]),
        ("The amount was USD ٩٩٠٠.", &["USD ٩٩٠٠"]),
        ("The amount was USD 9\u{200b}9\u{200b}00.", &["USD 9\u{200b}9\u{200b}00"]),
        ("The amount was **9,900**.", &["9,900"]),
        ("The share was 35 %.", &["35 %"]),
        ("The share was 35 percent.", &["35 percent"]),
        ("It was twice the median.", &["twice"]),
        ("It was half the usual amount.", &["half"]),
        ("Thousands of dollars were lost.", &["Thousands"]),
        ("It took place on 2 March 2026.", &["2 March 2026"]),
        ("It took place on Monday, 1 March 2026.", &["Monday, 1 March 2026"]),
        ("It took place in April 2026.", &["April 2026"]),
        ("It took place at 09:35 UTC.", &["09:35 UTC"]),
        ("It took place at 9.30 pm.", &["9.30 pm"]),
        ("It took place at 2026-03-01T09:30:13Z.", &["2026-03-01T09:30:13Z"]),
        ("The account was 400 days old.", &["400 days"]),
        ("It took 43 minutes.", &["43 minutes"]),
        ("It took one hour and 42 minutes.", &["one hour and 42 minutes"]),
        ("Six rules fired.", &["Six"]),
        ("There were a dozen alerts.", &["a dozen"]),
        ("This was the twelfth alert.", &["twelfth"]),
        ("The transaction tx-88214 was completed.", &["tx-88214"]),
        ("The user ***7732 paid.", &["***7732"]),
        ("The card ending in 7732 was used.", &["7732"]),
        ("It took place in France.", &["France"]),
        ("It took place in FR.", &["FR"]),
        ("The French merchant was paid.", &["French"]),
        ("It was paid in EUR.", &["EUR"]),
        ("The severity was CRITICAL.", &["CRITICAL"]),
        ("It was classified as critical.", &["critical"]),
        ("It was a low-risk payment.", &["low"]),
        ("The regulatory impact was high.", &["high"]),
        ("It was paid to Miguel Santos.", &["Miguel Santos"]),
        ("Miguel Santos was paid.", &["Miguel Santos"]),
        ("It was paid in Porto.", &["Porto"]),
        ("The rule `crypto_mixer` fired.", &["crypto_mixer"]),
        ("The merchant was \"Red Harbor Trading\".", &["Red"]),
        ("There were one two five alerts.", &["one two five"]),
        ("It scored 75 out of 90.", &["75 out of 90"]),
        ("The score was 1e2.", &["1e2"]),
        ("The card number was 4111 1111 1111 1111.", &["4111", "1111", "1111", "1111"]),
        ("Платёж was made.", &["Платёж"]),
    ]);
}

/// The alert of the case was created in 2026.
#[test]
fn a_year_is_not_accepted_as_another_figure() {
    expect_all(&[
        ("The case received a risk score of 2026.", &["2026"]),
        ("The risk score rose to 2026.", &["2026"]),
        ("The amount exceeded the median by 2026.", &["2026"]),
        ("The alert was created in 2026.", &[]),
        ("The alert was created at the start of 2026.", &[]),
        ("The account was held from 2024 to 2026.", &[]),
        ("The alert was created in 2025.", &["2025"]),
    ]);
}

/// An earlier alert had a score of 33. This alert has 75.
#[test]
fn an_earlier_alerts_score_is_not_accepted_as_this_alerts_score() {
    expect_all(&[
        ("The risk score was 33 out of 100.", &["33 out of 100"]),
        ("The alert stated a risk score of 33 out of 100.", &["33 out of 100"]),
        ("The detector created this alert with a score of 33 out of 100.", &["33 out of 100"]),
        ("The alert had a score of 33.", &["33"]),
        ("The alert had a score of 75.", &[]),
        ("A prior alert had a score of 33.", &[]),
        ("The earlier alert had a score of 33.", &[]),
        ("An alert with a score of 33 was raised on 14 September 2025.", &[]),
    ]);
}

/// The case has all of these numbers, but as minutes, as a ratio, as a count or as a signal's points.
#[test]
fn other_numbers_are_not_accepted_as_band_edges_or_score_distances() {
    expect_all(&[
        ("Scores from 60 to 82 mean HIGH severity.", &["82"]),
        ("Scores below 42 would have led to a lower severity.", &["42"]),
        ("Only scores below 60 or above 14 would have changed that severity.", &["14"]),
        ("Scores from 60 to 79 mean HIGH severity.", &[]),
        ("Scores below 60 or above 79 would have led to another severity.", &[]),
        ("The record held 14 similar alerts within 25 points of this score.", &["25 points"]),
        ("The record held 14 similar alerts within 9 points of this score.", &[]),
    ]);
}

/// The case has these numbers and these months, but no date combines them.
#[test]
fn an_impossible_date_is_refused() {
    expect_all(&[
        ("It took place on 40 March 2026.", &["40 March 2026"]),
        ("It took place on 0 March 2026.", &["0 March 2026"]),
        ("It took place on 100 March 2026.", &["100 March 2026"]),
        ("It took place on the 42nd of March 2026.", &["42nd of March 2026"]),
        ("It took place on Sunday, 60 March 2026.", &["Sunday, 60 March 2026"]),
        ("It took place on March 40, 2026.", &["March 40, 2026"]),
        ("It took place on March 42nd, 2026.", &["March 42nd, 2026"]),
        ("On 75 March a payment was made.", &["75 March"]),
        ("It took place on 2026-03-40.", &["2026-03-40"]),
    ]);
}

#[test]
fn a_fact_under_another_name_is_refused() {
    expect_all(&[
        ("The median amount was USD 640.00.", &["USD 640.00"]),
        ("The median amount, at USD 640.00, was low.", &["USD 640.00"]),
        ("The average amount was USD 120.00.", &["USD 120.00"]),
        ("The largest earlier amount was USD 9,800.00.", &["USD 9,800.00"]),
        ("The transaction amount was USD 120.00.", &["USD 120.00"]),
        ("A transaction of USD 6,212.75 was made.", &["USD 6,212.75"]),
        ("It exceeded the median by USD 640.00.", &["USD 640.00"]),
        ("It was USD 9,800.00 above the median.", &["USD 9,800.00"]),
        ("An earlier transaction of USD 9,800.00 was made.", &["USD 9,800.00"]),
        ("The total was USD 640.00.", &["USD 640.00"]),
        ("There were 42 prior alerts.", &["42"]),
        ("There were 14 prior alerts.", &["14"]),
        ("There were 5 similar alerts.", &["5"]),
        ("There were 5 earlier transactions.", &["5"]),
        ("There were 5 HIGH prior alerts.", &["5"]),
        ("There were two prior alerts.", &["two"]),
        ("There were no prior alerts.", &["no"]),
        ("There were three transactions in one hour.", &["three"]),
        ("There were two transactions within 24 hours.", &["two"]),
        ("There were 3 transactions in Portugal.", &["3"]),
        ("There were 40 transactions in Portugal.", &["40"]),
        ("Four signals fired.", &["Four"]),
        ("Three signals did not fire.", &["Three"]),
        ("The risk score was 60.", &["60"]),
        ("The risk score was 40.", &["40"]),
        ("The risk score was 100.", &["100"]),
        ("The risk score was 33.", &["33"]),
        ("The score was 60 out of 100.", &["60 out of 100"]),
        ("The threshold was 7.24.", &["7.24"]),
        ("The z-score was 3.5.", &["3.5"]),
        ("The speed was 1,000 km/h.", &["1,000 km/h"]),
        ("The threshold was 7,714.3 km/h.", &["7,714.3 km/h"]),
        ("The distance was 7,714.3 km.", &["7,714.3 km"]),
        ("Amount deviation contributed 25 points.", &["25 points"]),
        ("Velocity contributed 40 points.", &["40 points"]),
        ("Geographic inconsistency contributed 75 points.", &["75 points"]),
        ("40 points came from geographic inconsistency.", &["40 points"]),
        ("The amount was 75.", &["75"]),
        ("The amount was USD 75.", &["USD 75"]),
        ("The account was 454 days old.", &["454 days"]),
        ("The history covered 465 days.", &["465 days"]),
        ("The account was opened on 1 March 2026.", &["1 March 2026"]),
        ("The transaction took place on 20 November 2024.", &["20 November 2024"]),
        ("The first transaction took place on 14 September 2025.", &["14 September 2025"]),
        ("The alert was created on 2 December 2024.", &["2 December 2024"]),
        ("It was 20 November 2024 at 09:30.", &["09:30"]),
        ("The severity was LOW.", &["LOW"]),
        ("It was 81.7 times the average.", &["81.7 times"]),
        ("It was 81.7 times the largest amount.", &["81.7 times"]),
        ("There were 75 transactions.", &["75"]),
        ("3 devices were used.", &["3"]),
    ]);
}

#[test]
fn a_subtle_lie_in_a_long_sentence_is_refused() {
    expect_all(&[
        (
            "On 1 March 2026 at 09:30 UTC, the account holder completed a payment of USD 9,080.00 in Lagos, Nigeria.",
            &["USD 9,080.00"],
        ),
        (
            "On 3 January 2026 at 09:30 UTC, the account holder completed a payment of USD 9,800.00.",
            &["3 January 2026", "09:30 UTC"],
        ),
        ("The amount was 81.7 times the customer's median of USD 640.00.", &["USD 640.00"]),
        ("The amount was 8.17 times the customer's median of USD 120.00.", &["8.17 times"]),
        ("The modified z-score of 3.5 exceeded the threshold of 7.24.", &["3.5", "7.24"]),
        (
            "Velocity remained within limits, with three transactions in the last hour and two in the last 24 hours.",
            &["three", "two"],
        ),
        ("The risk score of 75 out of 100 falls in the HIGH band, from 60 to 80.", &["80"]),
        (
            "Of the 75 points, 25 came from amount deviation, 40 from geographic inconsistency and 10 from rule flags.",
            &["25", "40"],
        ),
        ("The customer's history comprises 42 earlier transactions over 465 days.", &["465 days"]),
        ("The customer had five prior alerts, of which three were HIGH.", &["three"]),
        ("Fourteen prior alerts were recorded for this customer.", &["Fourteen"]),
        ("The distance between Lisbon and Lagos is 3,830 km.", &["3,830 km"]),
        ("Travel from Portugal to Ghana in 42 minutes is impossible.", &["Ghana"]),
        ("The case was rated CRITICAL, since the score of 75 exceeds 70.", &["CRITICAL", "70"]),
        ("The amount was USD 9,800.00, roughly 82 % above the median.", &["82 %"]),
        ("A confidence of 95 % supports this.", &["95 %"]),
        ("The payment of USD 9,800.00 was made to Blue Harbour Trading.", &["Harbour"]),
        ("The account was opened in 2023.", &["2023"]),
        ("The cardholder, John Smith, denied it.", &["John Smith"]),
        ("Under Regulation 2015/849 the report must be filed within 30 days.", &["2015/849", "30 days"]),
        ("The median of USD 120.00 rests on 42 earlier transactions and 454 minutes.", &["454 minutes"]),
        ("Rule flags contributed 6 points.", &["6 points"]),
        ("The combined sum in one hour was USD 10,040.00.", &["USD 10,040.00"]),
        ("The smallest earlier amount was USD 4.05.", &["USD 4.05"]),
        ("The last prior alert was raised on 1 March 2026.", &["1 March 2026"]),
        ("The threshold of 100 km/h was exceeded.", &["100 km/h"]),
        ("It was completed at 09:31 UTC on 28 February 2026.", &["28 February 2026"]),
        ("Two of the rules, round_amount and night_hours, held.", &["night_hours"]),
        ("The payment equals 10,000 USD when rounded.", &["10,000 USD"]),
        ("The similar alerts lie within 14 points.", &["14 points"]),
    ]);
}

#[test]
fn a_refusal_gives_its_reason_and_a_short_quotation() {
    let found = checked("There were 14 prior alerts.", &case());
    assert_eq!(found.refused[0].reason, Reason::BelongsToAnother { path: "/correlation/similar_alerts".to_owned() });
    assert_eq!(
        found.refused[0].describe(),
        "The count \"14\" is not what its sentence calls it; in the context it belongs to /correlation/similar_alerts."
    );
    let long = format!("The id was x1{}.", "y".repeat(5_000));
    let found = checked(&long, &case());
    assert!(found.refused[0].describe().chars().count() < 120);
}
