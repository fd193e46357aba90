//! Identifiers that are spread over several strings, fields or choices, so that no string holds one by itself.

use countersign_inspect::{Finding, inspect_pii};

use crate::answers::is_masked;

/// What counts when it stands across two strings: types whose form or check digits are no chance.
const TYPES: [&str; 4] = ["CREDIT_CARD", "IBAN", "US_SSN", "EMAIL"];

/// The strings of an answer, in the order in which they stand there.
#[derive(Default)]
pub(super) struct Split(Vec<String>);

impl Split {
    pub(super) fn push(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }

    /// Whether they hold an identifier together, read one right after the other or word by word.
    pub(super) fn is_found(&self) -> bool {
        self.0.len() > 1 && ["", " "].iter().any(|between| self.is_found_joined(between))
    }

    fn is_found_joined(&self, between: &str) -> bool {
        let mut at = 0;
        let seams = self.0.iter().map(|text| {
            at += text.chars().count() + between.len();
            at
        });
        let seams: Vec<usize> = seams.collect();
        inspect_pii(&self.0.join(between)).iter().any(|finding| is_across(finding, &seams))
    }
}

/// Whether a finding in strings that were put together stands in more than one of them.
pub(super) fn is_across(finding: &Finding, seams: &[usize]) -> bool {
    let next = seams.partition_point(|seam| *seam <= finding.start);
    TYPES.contains(&finding.r#type) && is_masked(finding) && seams.get(next).is_some_and(|seam| *seam < finding.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: bool) {
        let mut split = Split::default();
        texts.iter().for_each(|text| split.push(text));
        assert_eq!(split.is_found(), expected, "{texts:?}");
    }

    #[test]
    fn an_identifier_in_parts_is_found_and_one_in_a_single_string_is_not_its_business() {
        check(&["The card is 4111 1111", " 1111 1111."], true);
        check(&["4111", "1111", "1111", "1111"], true);
        check(&["Fine.", "4111", "1111", "1111", "1111"], true);
        check(&["jo.doe@exam", "ple.com"], true);
        check(&["4111 1111 1111 1111"], false);
        check(&["The card is 4111 1111 1111 1111.", "Harmless."], false);
        check(&["In 2024", "1234 people came"], false);
    }
}
