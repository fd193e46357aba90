//! Tests sentences that meet, miss or break each point.

use countersign_domain::validation::Fault;
use serde_json::{Value, json};

use super::*;
use crate::validate::{prose::sentences, samples};

/// A report that has all of its text in the narrative.
fn with_narrative_only(content: &Content, text: &str) -> Content {
    let mut content = content.clone();
    for section in Section::ALL {
        samples::section_mut(&mut content, section).clear();
    }
    content.investigation_narrative = text.to_owned();
    content
}

fn points(content: &Content) -> Vec<PointFinding> {
    narrative(content, &sentences(content))
}

fn state(content: &Content, point: NarrativePoint, part: usize) -> PointState {
    let found = points(content).into_iter().find(|finding| finding.point == point).unwrap();
    found.parts[part].state
}

fn check(context: &[(&str, Value)], point: NarrativePoint, part: usize, rows: &[(&str, PointState)]) {
    let mut content = samples::ordinary();
    let mut json = serde_json::to_value(&content.context).unwrap();
    for (path, value) in context {
        *json.pointer_mut(path).unwrap() = value.clone();
    }
    content.context = serde_json::from_value(json).unwrap();
    for (text, expected) in rows {
        assert_eq!(state(&with_narrative_only(&content, text), point, part), *expected, "{point:?} {part}: {text}");
    }
}

#[test]
fn points_are_in_order_and_show_where_they_are_met() {
    let content = samples::ordinary();
    let found = points(&content);
    assert_eq!(found.iter().map(|finding| finding.point).collect::<Vec<_>>(), NarrativePoint::ALL);
    assert!(found.iter().all(|finding| finding.fault().is_none()), "{found:#?}");
    let Passage { section, start, end } = found[0].parts[0].evidence.unwrap();
    let text: String = content.section(section).chars().skip(start).take(end - start).collect();
    assert_eq!(text, "The subject was account holder `***4821`, whose account was opened on 12 June 2024.");
}

#[test]
fn the_text_must_say_what_the_record_lacks() {
    let content = samples::thin();
    let found = points(&content);
    let state = |point: NarrativePoint| found.iter().find(|finding| finding.point == point).unwrap().state;
    for point in [
        NarrativePoint::What,
        NarrativePoint::Where,
        NarrativePoint::Why,
        NarrativePoint::How,
        NarrativePoint::Completion,
    ] {
        assert_eq!(state(point), PointState::NotAvailable, "{point:?}");
    }
    let incomplete =
        with_narrative_only(&content, "The account holder ***0007 was named on 2 May 2026, and the alert was created.");
    for finding in points(&incomplete) {
        let is_missing = matches!(
            finding.point,
            NarrativePoint::What
                | NarrativePoint::When
                | NarrativePoint::Where
                | NarrativePoint::Why
                | NarrativePoint::How
                | NarrativePoint::Completion
        );
        assert_eq!(finding.fault().is_some(), is_missing, "{finding:?}");
    }
}

#[test]
fn who() {
    let rows = [
        ("***4821 paid.", PointState::Present),
        ("User 4821 paid.", PointState::Present),
        ("Someone paid.", PointState::Missing),
    ];
    check(&[], NarrativePoint::Who, 0, &rows);
    let rows = [("The account holder paid.", PointState::Present), ("***4821 paid.", PointState::Missing)];
    check(&[], NarrativePoint::Who, 1, &rows);
}

#[test]
fn what() {
    let rows = [
        ("A card payment was made.", PointState::Present),
        ("The cardholder made a transfer.", PointState::Missing),
        ("The instrument was not stated.", PointState::Missing),
    ];
    check(&[], NarrativePoint::What, 0, &rows);
    let none = [("/transaction/channel", json!(null))];
    let rows =
        [("A card payment was made.", PointState::Missing), ("The channel was not stated.", PointState::NotAvailable)];
    check(&none, NarrativePoint::What, 0, &rows);
    let rows = [
        ("The record did not state the source of funds.", PointState::NotAvailable),
        ("The source of funds was a loan.", PointState::Missing),
        ("The merchant \"no source of funds\" was paid.", PointState::Missing),
    ];
    check(&[], NarrativePoint::What, 1, &rows);
    let rows = [
        ("It went to \"Nordlicht-Elektronik\".", PointState::Present),
        ("The destination was not stated.", PointState::Present),
        ("It went away.", PointState::Missing),
    ];
    check(&[], NarrativePoint::What, 2, &rows);
}

#[test]
fn when() {
    let rows = [
        ("It was first seen on 1 March 2026.", PointState::Present),
        ("It was first seen on 2 March 2026.", PointState::Missing),
        ("It was first seen in spring.", PointState::Missing),
    ];
    check(&[], NarrativePoint::When, 0, &rows);
    let rows = [
        ("It lasted 177 days.", PointState::Present),
        ("It went on from 12 June 2024 to 1 March 2026.", PointState::Present),
        ("It happened on 1 March 2026.", PointState::Missing),
    ];
    check(&[], NarrativePoint::When, 1, &rows);
    let rows = [("USD 4850 was paid.", PointState::Present), ("USD 4,851.00 was paid.", PointState::Missing)];
    check(&[], NarrativePoint::When, 3, &rows);
}

#[test]
fn a_timeline_goes_forward() {
    let mut content = samples::ordinary();
    for (text, expected) in [
        ("On 1 May 2026 a. On 2 May 2026 b. On 3 May 2026 c.", PointState::Present),
        ("On 1 May 2026 a. On 3 May 2026 b, as on 2 May 2026.", PointState::Present),
        ("On 3 May 2026 a. On 2 May 2026 b. On 1 May 2026 c.", PointState::Missing),
        ("Nothing is dated.", PointState::Missing),
    ] {
        content.timeline_narrative = text.to_owned();
        assert_eq!(state(&content, NarrativePoint::When, 4), expected, "{text}");
    }
}

#[test]
fn r#where() {
    let rows = [
        ("It was in Germany.", PointState::Present),
        ("In Berlin.", PointState::Present),
        ("There.", PointState::Missing),
    ];
    check(&[], NarrativePoint::Where, 0, &rows);
    let rows = [("Earlier ones were in Portugal.", PointState::Present), ("It was in Germany.", PointState::Missing)];
    check(&[], NarrativePoint::Where, 1, &rows);
    let oman = json!({"country": "OM", "country_name": "Oman"});
    check(&[("/transaction/location", oman)], NarrativePoint::Where, 0, &[("It was in Romania.", PointState::Missing)]);
}

#[test]
fn why_and_how() {
    let rows = [
        ("The median was USD 62.50.", PointState::Present),
        ("It was far above the baseline.", PointState::Missing),
        ("The baseline was not available.", PointState::Missing),
    ];
    check(&[], NarrativePoint::Why, 0, &rows);
    let rows = [
        ("Amount deviation fired.", PointState::Present),
        ("By card.", PointState::Present),
        ("So.", PointState::Missing),
    ];
    check(&[], NarrativePoint::How, 0, &rows);
}

#[test]
fn completed_or_attempted() {
    let rows = [
        ("It was completed.", PointState::Present),
        ("It was attempted.", PointState::Missing),
        ("The record did not state whether it was completed.", PointState::Missing),
    ];
    check(&[], NarrativePoint::Completion, 0, &rows);
    let rows = [("It was declined.", PointState::Present), ("It was completed.", PointState::Missing)];
    check(&[("/transaction/status", json!("attempted"))], NarrativePoint::Completion, 0, &rows);
    let rows = [
        ("The record did not state whether it was completed or attempted.", PointState::NotAvailable),
        ("It was completed.", PointState::Missing),
    ];
    check(&[("/transaction/status", json!("not_stated"))], NarrativePoint::Completion, 0, &rows);
}

#[test]
fn a_fault_lists_what_is_missing() {
    let content = with_narrative_only(&samples::ordinary(), "A card was used.");
    let fault = points(&content)[1].fault().unwrap();
    let detail = "neither stated nor said to be unavailable: the source of funds, the destination of funds";
    assert_eq!(fault, Fault::NarrativePoint { point: NarrativePoint::What, detail: detail.to_owned(), section: None });
}
