//! Decides which data identifies somebody only in combination: a name with a street address, a name with a date of
//! birth, a town near a person who is known by an identifier. All other data of this kind is a mention, which has no
//! weight.
//!
//! This needs the whole text, so a stream can decide it only at its end.

use super::birth;
use crate::finding::{Finding, Hit, Kind};
use crate::risk::DECISION;
use crate::types::{self, Identification};

/// The detector of findings that count only because of a combination.
pub(crate) const COMBINATION_DETECTOR: &str = "pii/together";

/// Types that win over a date, an age, a postal code or an address that was read from the same words.
const STRONGER_TYPES: [&str; 6] = ["DATE_OF_BIRTH", "IP", "BANK_ACCOUNT", "NATIONAL_ID", "HEALTH_ID", "PASSPORT"];
/// The maximum distance between a name and its date of birth.
const BIRTH_GAP_BYTES: usize = 120;
/// The maximum distance between a name and its street address.
const ADDRESS_GAP_CHARS: usize = 200;
/// The maximum distance between a person and a town, an age or an employer that describes them.
const DESCRIPTION_GAP_CHARS: usize = 100;

/// Drops findings that are too uncertain to count, so that every listed finding either counts or is a mention, and
/// decides which dates of birth belong to a name near them.
pub(crate) fn decide(hits: &mut Vec<Hit>) {
    hits.retain(|hit| hit.kind != Kind::Pii || hit.score >= DECISION);
    births(hits);
}

/// Marks a date near a word such as "born" as part of a combination with the name near it, so that the name doesn't
/// count a second time.
fn births(hits: &mut Vec<Hit>) {
    let mut people: Vec<(usize, usize)> = spans(hits, |hit| hit.r#type == "PERSON");
    people.sort_unstable();
    for hit in hits.iter_mut().filter(|hit| hit.detector == birth::BORN_DETECTOR) {
        if is_near(&people, (hit.start, hit.end), BIRTH_GAP_BYTES) {
            hit.detector = COMBINATION_DETECTOR;
            hit.explanation = "a date beside a word such as 'born', near a person's name".to_owned();
        }
    }
    // Drop plain dates and postal codes that were read from the same words: their higher score would win.
    let mut stronger = spans(hits, |hit| STRONGER_TYPES.contains(&hit.r#type));
    stronger.sort_unstable();
    hits.retain(|hit| {
        let is_plain = matches!(hit.r#type, "DATE_TIME" | "AGE" | "ZIP_CODE" | "ADDRESS");
        !is_plain || hit.kind != Kind::Pii || !is_near(&stronger, (hit.start, hit.end), 0)
    });
}

/// Decides which names, places, dates and so on are more than mentions. `findings` must be sorted and belong to one
/// text.
pub(crate) fn mentions(findings: &mut [Finding]) {
    let has_identifier = findings.iter().any(|finding| finding.identifies() && finding.score >= DECISION);
    let addresses = places(findings, |finding| finding.r#type == "ADDRESS");
    let people = places(findings, |finding| finding.r#type == "PERSON");
    for finding in findings.iter_mut().filter(|finding| identification(finding) == Some(Identification::WithAnother)) {
        let counterparts = if finding.r#type == "PERSON" { &addresses } else { &people };
        let place = (finding.start, finding.end);
        finding.mention = !has_identifier && !is_near(counterparts, place, ADDRESS_GAP_CHARS);
    }
    let known = places(findings, |finding| finding.r#type == "PERSON" && !finding.mention);
    for finding in findings.iter_mut().filter(|finding| describes_a_person(finding)) {
        finding.mention = !is_near(&known, (finding.start, finding.end), DESCRIPTION_GAP_CHARS);
    }
}

fn identification(finding: &Finding) -> Option<Identification> {
    (finding.kind == Kind::Pii).then(|| types::of(finding.kind, finding.r#type).identification)
}

/// Whether a finding near a person describes that person. Dates and web addresses don't: "write to Ann by Friday".
fn describes_a_person(finding: &Finding) -> bool {
    identification(finding) == Some(Identification::Describes) && !matches!(finding.r#type, "DATE_TIME" | "URL")
}

fn spans(hits: &[Hit], keep: impl Fn(&Hit) -> bool) -> Vec<(usize, usize)> {
    hits.iter().filter(|hit| hit.kind == Kind::Pii && keep(hit)).map(|hit| (hit.start, hit.end)).collect()
}

fn places(findings: &[Finding], keep: impl Fn(&Finding) -> bool) -> Vec<(usize, usize)> {
    let decided = findings.iter().filter(|f| f.kind == Kind::Pii && f.score >= DECISION && keep(f));
    decided.map(|finding| (finding.start, finding.end)).collect()
}

/// Whether one of these places is at most `gap` away. They must be sorted and must not overlap.
fn is_near(places: &[(usize, usize)], (start, end): (usize, usize), gap: usize) -> bool {
    let after = places.partition_point(|place| place.1 + gap < start);
    places.get(after).is_some_and(|place| place.0 <= end + gap)
}

#[cfg(test)]
mod tests {
    use crate::{Kind, audit, detected, risk_score};

    /// Checks the PII findings of a text (type, and whether it is a mention) and the risk.
    fn check(text: &str, expected: &[(&str, bool)], risk: u8) {
        let findings = audit(text, None).findings;
        let found: Vec<(&str, bool)> =
            findings.iter().filter(|f| f.kind == Kind::Pii).map(|f| (f.r#type, f.mention)).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(risk_score(&findings).get(), risk, "{text}");
        let counted = expected.iter().any(|(_, mention)| !mention);
        assert_eq!(detected(&findings, Kind::Pii), counted, "{text}");
    }

    #[test]
    fn names_places_and_dates_alone_are_mentions() {
        check("The capital of France is Paris.", &[("LOCATION", true), ("LOCATION", true)], 0);
        check("My name is Katarina Lindqvist.", &[("PERSON", true)], 0);
        check("The band was founded in 1987.", &[("DATE_TIME", true)], 0);
        check("Send it to 4402 Lindenstrasse 17, Marburg, Germany 35037.", &[("ADDRESS", true)], 0);
    }

    #[test]
    fn a_name_with_a_street_address_identifies_somebody() {
        let findings = &[("PERSON", false), ("ADDRESS", false)];
        check("Maria Gonzalez lives at 482 Oak Street, Springfield, IL 62704.", findings, 5);
    }

    #[test]
    fn a_name_far_from_an_address_does_not_identify_anybody() {
        let between = "The weather was fine that day, and nobody had much to do. ".repeat(5);
        let text = format!("Maria Gonzalez called. {between}The office is at 482 Oak Street, Springfield, IL 62704.");
        check(&text, &[("PERSON", true), ("ADDRESS", true)], 0);
    }

    #[test]
    fn a_name_with_a_birth_date_identifies_somebody() {
        check("John Carter was born on March 12, 1985.", &[("PERSON", false), ("DATE_OF_BIRTH", false)], 5);
        check("She was born on March 12, 1985.", &[("DATE_OF_BIRTH", false)], 5);
        check("Ada Lovelace was born on 10 December 1815.", &[("PERSON", true), ("DATE_TIME", true)], 0);
    }

    #[test]
    fn with_an_identifier_a_name_and_its_descriptions_count() {
        check("Katarina Lindqvist, katarina@firm.org", &[("PERSON", false), ("EMAIL", false)], 7);
        check(
            "Katarina Lindqvist (katarina@firm.org) moved to Norway.",
            &[("PERSON", false), ("EMAIL", false), ("LOCATION", false)],
            7,
        );
        check("Write to katarina@firm.org in Norway.", &[("EMAIL", false), ("LOCATION", true)], 5);
    }
}
