//! Finds identifiers that are spread over several strings, fields or choices, so that no string contains one by itself.

use countersign_inspect::{Finding, inspect_pii};

use crate::json_parts::{self, JsonPart, PartKind};

/// The types to look for across strings. Their form or their check digits rarely occur by chance.
const TYPES: [&str; 5] = ["CREDIT_CARD", "IBAN", "US_SSN", "EMAIL", "API_KEY"];
/// Shorter lists of numbers are not read as character codes.
const CODES_MIN: usize = 9;
/// The maximum depth to which JSON inside JSON strings is read, such as the arguments of a tool call.
const DEPTH_MAX: usize = 3;

/// The strings and numbers of an answer, in the order of the JSON.
#[derive(Default)]
pub(super) struct SplitIdentifiers(Vec<(PartKind, String)>);

impl SplitIdentifiers {
    /// Adds a part. Keys are left out unless they hold digits.
    pub(super) fn add(&mut self, part: &JsonPart<'_, '_>) {
        self.add_nested(part, 0);
    }

    fn add_nested(&mut self, part: &JsonPart<'_, '_>, depth: usize) {
        if part.kind != PartKind::Key || part.has_digits() {
            self.push_nested(part.kind, &part.text, depth);
        }
    }

    /// Adds a string. If it is itself JSON, its parts are added instead.
    pub(super) fn push(&mut self, text: &str) {
        self.push_nested(PartKind::Text, text, 0);
    }

    fn push_nested(&mut self, kind: PartKind, text: &str, depth: usize) {
        let is_json = depth < DEPTH_MAX && text.trim_start().starts_with(['{', '[']);
        let before = self.0.len();
        let visited = is_json.then(|| json_parts::visit(text, &mut |part| self.add_nested(&part, depth + 1)));
        if !matches!(visited, Some(Ok(()))) {
            self.0.truncate(before);
            self.0.push((kind, text.to_owned()));
        }
    }

    /// Reads lists of numbers as character codes: `[52, 49, 49, …]`. Shorter lists are sizes and positions.
    fn spelt_by_numbers(&self) -> String {
        let letter = |(kind, text): &(PartKind, String)| match (kind, text.parse::<u8>()) {
            (PartKind::Number, Ok(code @ (b' '..=b'~'))) => Some(char::from(code)),
            _ => None,
        };
        let rows = self.0.chunk_by(|one, next| letter(one).is_some() == letter(next).is_some());
        let spelt =
            rows.filter(|row| row.len() >= CODES_MIN).map(|row| row.iter().filter_map(letter).collect::<String>());
        spelt.collect::<Vec<_>>().join("\n")
    }

    /// Whether the strings together contain an identifier, or numbers spell one as character codes. All strings are joined,
    /// directly and with spaces. Then only those with digits are joined, because other words may be between them: directly, with
    /// spaces and, except for numbers, with hyphens. Numbers next to each other are mostly sizes and positions.
    pub(super) fn is_found(&self) -> bool {
        let texts = |is_read: &dyn Fn(PartKind, &str) -> bool| -> Vec<&str> {
            self.0.iter().filter(|(kind, text)| is_read(*kind, text)).map(|(_, text)| text.as_str()).collect()
        };
        let has_digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        let (all, numbers) = (texts(&|_, _| true), texts(&|_, text| has_digits(text)));
        let groups = texts(&|kind, text| kind != PartKind::Number && has_digits(text));
        if is_identifying(&self.spelt_by_numbers()) {
            return true;
        }
        [(&all, ""), (&all, " "), (&numbers, ""), (&numbers, " "), (&groups, "-")]
            .iter()
            .any(|(texts, between)| is_found_joined(texts, between))
    }
}

fn is_found_joined(texts: &[&str], between: &str) -> bool {
    let mut at = 0;
    let boundaries = texts.iter().map(|text| {
        at += text.chars().count() + between.len();
        at
    });
    let boundaries: Vec<usize> = boundaries.collect();
    texts.len() > 1 && inspect_pii(&texts.join(between)).iter().any(|finding| is_across(finding, &boundaries))
}

/// Whether a text contains an identifier of one of these types.
pub(super) fn is_identifying(text: &str) -> bool {
    inspect_pii(text).iter().any(|finding| TYPES.contains(&finding.r#type) && finding.is_maskable())
}

/// Whether a finding in joined strings extends over more than one of them.
pub(super) fn is_across(finding: &Finding, boundaries: &[usize]) -> bool {
    let next = boundaries.partition_point(|boundary| *boundary <= finding.start);
    TYPES.contains(&finding.r#type)
        && finding.is_maskable()
        && boundaries.get(next).is_some_and(|boundary| *boundary < finding.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: bool) {
        let mut split = SplitIdentifiers::default();
        texts.iter().for_each(|text| split.push(text));
        assert_eq!(split.is_found(), expected, "{texts:?}");
    }

    #[test]
    fn an_identifier_is_found_in_several_strings_and_not_in_a_single_one() {
        check(&["The card is 4111 1111", " 1111 1111."], true);
        check(&["4111", "1111", "1111", "1111"], true);
        check(&["Fine.", "4111", "1111", "1111", "1111"], true);
        check(&["jo.doe@exam", "ple.com"], true);
        check(&["4111 1111 1111 1111"], false);
        check(&["The card is 4111 1111 1111 1111.", "Harmless."], false);
        check(&["In 2024", "1234 people came"], false);
        check(&["Value ghp_9aB3cD4eF5gH6iJ7", "kL8mN9oP0qR1sT2uV3wX"], true);
        check(&[r#"{"bytes":[52,53,51,57,53,50,54,48,49,56,49,53,57,48,56,51]}"#], true);
        check(&[r#"{"sizes":[52,53,51,57,53,50,54,48,49,56,49,53,57,48,56,52]}"#], false);
    }

    #[test]
    fn names_words_and_json_in_between_hide_nothing() {
        check(&["41111111", "pay", "11111111"], true);
        check(&[r#"{"a":"41111111","b":"11111111"}"#], true);
        check(&[r#"{"41111111":"11111111"}"#, "x"], true);
        check(&[r#"{"a":"{\"b\":\"41111111\"}"}"#, r#"{"a":"11111111"}"#], true);
        check(&["536", "22", "8147"], true);
        check(&[r#"{"city":"Ghent","year":2024,"visitors":"1234"}"#, r#"{"n":[1,2,3]}"#], false);
        check(&[r#"{"width":640,"height":48,"at":1024}"#, "x"], false);
    }
}
