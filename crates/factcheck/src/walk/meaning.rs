//! Reading the context: what the path of a value says about the value.

use rust_decimal::Decimal;

use super::WalkPosition;
use crate::concept as c;
use crate::fact::{FactValue, NumberClass};
use crate::fold::lower_case;
use crate::key::{class_of_unit, concepts_of};

/// The concepts of a value.
pub(super) fn concepts(place: &WalkPosition<'_>, value: &FactValue) -> u64 {
    let (last, key, unit) = (place.last(), place.keys.last(), lower_case(place.enclosing.unit));
    // A unit says what a figure is measured in, not which of several figures it is. A sender's "max" makes no maximum.
    let of_unit = concepts_of(&unit) & !(c::SPECIAL | c::RATIO);
    let mut found = (key.map_or(0, |key| key.concepts) | of_unit) & !c::ONE;
    if unit.contains("z-score") {
        found |= c::VALUE;
        found &= !c::SCORE;
    }
    if place.is_under("baseline") || place.is_under("correlation") && !last.contains("similar") {
        found |= c::PRIOR;
    }
    if place.is_under("baseline") {
        found |= c::BASELINE;
    }
    if place.is_under("transaction") {
        found |= c::TRANSACTION;
    }
    let is_money = matches!(value, FactValue::Money(..));
    found |= match (place.parent(), last) {
        ("score", "total") => c::SCORE | c::POINTS,
        ("score", "sum") => c::CONTRIBUTION | c::POINTS,
        ("score", "maximum") => c::POINTS,
        ("score", "band_from" | "band_to") => c::RANGE | c::POINTS,
        ("contributions", "points") => c::CONTRIBUTION,
        ("flags", "weight") => c::CONTRIBUTION | c::RULE | c::POINTS,
        ("prior_alerts_by_severity", _) => c::ALERT | c::PRIOR,
        (_, "transaction_count") => c::PRIOR,
        (_, "contribution") => c::POINTS,
        (_, "risk_score") if place.is_under("timeline") => c::PRIOR | c::ALERT,
        (_, "first_transaction_at") => c::PRIOR,
        (_, "account_age_days") => c::AGE | c::ACCOUNT,
        (_, "last_alert_at") => c::PRIOR | c::CREATED,
        (_, "alert_created_at") => c::CREATED,
        (_, "occurred_at") => c::OCCURRED | c::TRANSACTION,
        ("baseline", "first_at" | "last_at") => c::TRANSACTION,
        (_, "timeline_omitted") => c::EVENT | c::PRIOR,
        _ => 0,
    };
    if key.is_some_and(|key| key.is_count) && found & c::NOUNS == 0 {
        found |= c::TRANSACTION;
    }
    if is_money && key.is_some_and(|key| key.is_extreme) {
        found |= c::RANGE;
    }
    if found & c::DIFFERENCE != 0 {
        found &= !c::MEDIAN;
    }
    found | event_kind(place.enclosing.event_kind)
}

/// The concepts of an event on the timeline.
pub(super) fn event_kind(name: &str) -> u64 {
    match name {
        "account_opened" => c::ACCOUNT | c::OPENED,
        "prior_transaction" => c::TRANSACTION | c::PRIOR | c::OCCURRED,
        "prior_alert" => c::ALERT | c::PRIOR | c::CREATED,
        "transaction" => c::TRANSACTION | c::OCCURRED,
        "alert_created" => c::ALERT | c::CREATED,
        "investigation_opened" => c::INVESTIGATION | c::OPENED | c::CREATED,
        _ => 0,
    }
}

/// The kind of number that a value is.
pub(super) fn class(place: &WalkPosition<'_>) -> NumberClass {
    let last = place.last();
    if let Some(class) = place.keys.last().and_then(|key| key.class) {
        return class;
    }
    if ["value", "threshold"].contains(&last) || last.contains("limit") {
        return class_of_unit(&lower_case(place.enclosing.unit));
    }
    match (place.parent(), last) {
        ("score", _) => NumberClass::Points,
        ("prior_alerts_by_severity", _) => NumberClass::Count,
        _ => NumberClass::Measure,
    }
}

pub(super) fn decimal(text: &str) -> Option<Decimal> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte));
    let exact = || text.parse::<Decimal>().ok().or_else(|| Decimal::from_scientific(text).ok());
    (is_plain && text.len() <= 40).then(exact).flatten()
}
