//! Identifiers that are spread over several strings, fields or choices, so that no string holds one by itself.

use countersign_inspect::{Finding, inspect_pii};

use super::strings::{self, Kind, Token};
use crate::answers::is_masked;

/// What counts when it stands across two strings: types whose form or check digits are no chance.
const TYPES: [&str; 5] = ["CREDIT_CARD", "IBAN", "US_SSN", "EMAIL", "API_KEY"];
const SPELT_MIN: usize = 9;
/// JSON inside of JSON strings, such as the arguments of a tool call, is read to this depth.
const DEPTH_MAX: usize = 3;

/// The strings and numbers of an answer, in the order in which they stand there.
#[derive(Default)]
pub(super) struct Split(Vec<(Kind, String)>);

impl Split {
    /// Names of fields say something only where they are numbers.
    pub(super) fn add(&mut self, token: &Token<'_, '_>) {
        self.add_nested(token, 0);
    }

    fn add_nested(&mut self, token: &Token<'_, '_>, depth: usize) {
        if token.kind != Kind::Key || token.has_digits() {
            self.push_nested(token.kind, &token.text, depth);
        }
    }

    /// A string that is itself JSON is taken apart.
    pub(super) fn push(&mut self, text: &str) {
        self.push_nested(Kind::Text, text, 0);
    }

    fn push_nested(&mut self, kind: Kind, text: &str, depth: usize) {
        let is_json = depth < DEPTH_MAX && text.trim_start().starts_with(['{', '[']);
        let before = self.0.len();
        let visited = is_json.then(|| strings::visit(text, &mut |token| self.add_nested(&token, depth + 1)));
        if !matches!(visited, Some(Ok(()))) {
            self.0.truncate(before);
            self.0.push((kind, text.to_owned()));
        }
    }

    /// Numbers as the characters that they stand for: `[52, 49, 49, …]`. Shorter rows are sizes and places.
    fn spelt_by_numbers(&self) -> String {
        let letter = |(kind, text): &(Kind, String)| match (kind, text.parse::<u8>()) {
            (Kind::Number, Ok(code @ (b' '..=b'~'))) => Some(char::from(code)),
            _ => None,
        };
        let rows = self.0.chunk_by(|one, next| letter(one).is_some() == letter(next).is_some());
        let spelt =
            rows.filter(|row| row.len() >= SPELT_MIN).map(|row| row.iter().filter_map(letter).collect::<String>());
        spelt.collect::<Vec<_>>().join("\n")
    }

    /// Whether they hold an identifier together: read one right after the other or word by word, and the same for those with
    /// digits alone, between which names and other words may stand. Strings are read group by group too; numbers that stand beside
    /// each other are mostly sizes and places.
    pub(super) fn is_found(&self) -> bool {
        let texts = |is_read: &dyn Fn(Kind, &str) -> bool| -> Vec<&str> {
            self.0.iter().filter(|(kind, text)| is_read(*kind, text)).map(|(_, text)| text.as_str()).collect()
        };
        let has_digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        let (all, numbers) = (texts(&|_, _| true), texts(&|_, text| has_digits(text)));
        let groups = texts(&|kind, text| kind != Kind::Number && has_digits(text));
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
    let seams = texts.iter().map(|text| {
        at += text.chars().count() + between.len();
        at
    });
    let seams: Vec<usize> = seams.collect();
    texts.len() > 1 && inspect_pii(&texts.join(between)).iter().any(|finding| is_across(finding, &seams))
}

/// Whether a text holds an identifier whose form or check digits are no chance.
pub(super) fn is_identifying(text: &str) -> bool {
    inspect_pii(text).iter().any(|finding| TYPES.contains(&finding.r#type) && is_masked(finding))
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
