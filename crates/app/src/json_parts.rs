//! The parts of a JSON text that can carry content: every key, string and number, with its path and its place in the text.
//!
//! The walk is written by hand, because JSON parsers don't say where in the text a value is. It only reads texts that a parser has
//! accepted.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use countersign_inspect::{Finding, inspect_pii};
use serde::de::IgnoredAny;

/// Fields that name or classify something. Their values are constant words, and don't continue the texts around them.
const LABEL_FIELDS: [&str; 10] = [
    "id",
    "object",
    "created",
    "model",
    "role",
    "type",
    "index",
    "finish_reason",
    "system_fingerprint",
    "service_tier",
];
/// A longer string is a text, not a label.
const LABEL_BYTES_MAX: usize = 64;
/// A number with at least this many digits is not a count. It may be the number of an account or a card.
const LONG_NUMBER_DIGITS: usize = 9;
/// Unix times of answers, from 2015 to 2036. Nearly all phone numbers of ten digits are larger.
const TIMES: std::ops::RangeInclusive<u64> = 1_420_000_000..=2_090_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    Key,
    Text,
    Number,
}

/// One step on the path from the whole text to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JsonStep<'a> {
    Field(Cow<'a, str>),
    Item,
}

impl JsonStep<'_> {
    /// The field's name, or `#` for an item of an array. No field that is read here has that name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Field(name) => name,
            Self::Item => "#",
        }
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        matches!(self, Self::Field(field) if field == name)
    }
}

/// One key, string or number.
pub(crate) struct JsonPart<'t, 'a> {
    pub(crate) kind: PartKind,
    /// The path to it. A key's own name is the last step of its path.
    pub(crate) path: &'t [JsonStep<'a>],
    /// Its text without quotes and escapes.
    pub(crate) text: Cow<'a, str>,
    /// Its place in the JSON, quotes included.
    pub(crate) bytes: Range<usize>,
}

impl JsonPart<'_, '_> {
    /// Whether it is the value of a field that says what something is, such as `id` or `role`.
    pub(crate) fn is_in_label_field(&self) -> bool {
        self.path.last().is_some_and(|step| LABEL_FIELDS.iter().any(|label| step.is(label)))
    }

    /// Whether it is just a label: one short word, such as an id or a kind, that identifies nobody.
    pub(crate) fn is_label(&self) -> bool {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/+-".contains(&byte);
        let identifies = || {
            self.has_digits()
                && [&*self.text, &self.with_field_name()]
                    .iter()
                    .any(|text| inspect_pii(text).iter().any(Finding::is_maskable))
        };
        self.text.len() <= LABEL_BYTES_MAX && self.text.bytes().all(is_part) && !identifies()
    }

    /// Its text after the name of its field, which tells what the value is: `ssn: 536228147`.
    pub(crate) fn with_field_name(&self) -> String {
        let field =
            self.path.iter().rev().find_map(|step| if let JsonStep::Field(name) = step { Some(&**name) } else { None });
        // These fields contain any text, and some of their names would make a number in it look like a phone number.
        let is_general = |name: &&str| matches!(*name, "text" | "content" | "contact" | "message" | "value");
        match field.filter(|name| self.kind != PartKind::Key && !is_general(name)) {
            Some(name) => format!("{}: {}", name.replace('_', " "), self.text),
            None => self.text.clone().into_owned(),
        }
    }

    pub(crate) fn digits_identify(&self) -> bool {
        digits_identify(&self.text)
    }

    pub(crate) fn has_digits(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether it is a number with more digits than any count has, but not a time.
    pub(crate) fn is_long_number(&self) -> bool {
        let digits = self.text.bytes().filter(u8::is_ascii_digit).count();
        self.kind == PartKind::Number && digits >= LONG_NUMBER_DIGITS && !self.is_time()
    }

    /// Whether it is a number that can't be masked in place: a `created` that is not a time, or an identifier written as a
    /// decimal or with an exponent.
    pub(crate) fn is_unmaskable_number(&self) -> bool {
        let is_false_time = self.path.last().is_some_and(|step| step.is("created")) && self.is_long_number();
        let (mantissa, _) = self.text.split_once(['e', 'E']).unwrap_or((&self.text, ""));
        let whole = mantissa.strip_suffix(".0").unwrap_or(mantissa).replace('.', "");
        is_false_time || (whole != self.text && self.is_long_number() && digits_identify(&whole))
    }

    /// Whether it is the time when an answer was made, in seconds.
    pub(crate) fn is_time(&self) -> bool {
        self.path.last().is_some_and(|step| step.is("created"))
            && self.text.parse().is_ok_and(|seconds: u64| TIMES.contains(&seconds))
    }

    /// Whether it is audio or an image, in base64 or by URL. The inspectors can't read those.
    pub(crate) fn is_media(&self) -> bool {
        self.is_media_in("")
    }

    /// The same for a part of a value in the field `root`.
    pub(crate) fn is_media_in(&self, root: &str) -> bool {
        let is_any = |step: &JsonStep<'_>, names: &[&str]| names.iter().any(|name| step.is(name));
        let is_content = self.path.last().is_some_and(|step| is_any(step, &["data", "b64_json", "url", "image_url"]));
        let media = ["audio", "input_audio", "image", "images", "image_url"];
        let is_in_media = media.contains(&root) || self.path.iter().any(|step| is_any(step, &media));
        self.kind == PartKind::Text && is_content && is_in_media
    }
}

/// Whether the digits of a word identify somebody by themselves, as in the id `card-4111…`.
pub(crate) fn digits_identify(word: &str) -> bool {
    let spaced: String = word.chars().map(|letter| if letter.is_ascii_digit() { letter } else { ' ' }).collect();
    !spaced.trim().is_empty() && inspect_pii(spaced.trim()).iter().any(Finding::is_maskable)
}

/// The text is not JSON, or parsers may disagree about it: a string is not valid Unicode, or one name has two values.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ambiguous;

/// Calls `each` with every key, string and number, in order.
pub(crate) fn visit<'a>(json: &'a str, each: &mut dyn FnMut(JsonPart<'_, 'a>)) -> Result<(), Ambiguous> {
    serde_json::from_str::<IgnoredAny>(json).map_err(|_| Ambiguous)?;
    let mut walk = Walk { json, path: Vec::new(), each };
    let start = walk.skip_blank(0);
    walk.walk_value(start).map(|_| ())
}

struct Walk<'a, 'e> {
    json: &'a str,
    path: Vec<JsonStep<'a>>,
    each: &'e mut dyn FnMut(JsonPart<'_, 'a>),
}

/// The recursion is bounded, because the parser limits how deeply values nest.
impl<'a> Walk<'a, '_> {
    /// Walks the value that starts at `at` and returns where it ends.
    fn walk_value(&mut self, at: usize) -> Result<usize, Ambiguous> {
        match self.byte(at) {
            Some(b'{') => self.walk_object(at + 1),
            Some(b'[') => self.walk_array(at + 1),
            Some(b'"') => {
                let (end, text) = self.string_at(at)?;
                self.report(PartKind::Text, text, at..end);
                Ok(end)
            }
            Some(b'-' | b'0'..=b'9') => {
                let end =
                    at + self.run_length(at, |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
                self.report(PartKind::Number, Cow::Borrowed(self.json.get(at..end).ok_or(Ambiguous)?), at..end);
                Ok(end)
            }
            Some(_) => Ok(at + self.run_length(at, |byte| byte.is_ascii_alphabetic()).max(1)),
            None => Err(Ambiguous),
        }
    }

    fn walk_object(&mut self, mut at: usize) -> Result<usize, Ambiguous> {
        let mut names: HashSet<Cow<'a, str>> = HashSet::new();
        loop {
            at = self.skip_blank(at);
            match self.byte(at) {
                Some(b'}') => return Ok(at + 1),
                Some(b',') => at += 1,
                _ => {
                    let (end, name) = self.string_at(at)?;
                    if !names.insert(name.clone()) {
                        return Err(Ambiguous);
                    }
                    self.path.push(JsonStep::Field(name.clone()));
                    self.report(PartKind::Key, name, at..end);
                    let colon = self.skip_blank(end);
                    let value = self.skip_blank(colon + 1);
                    at = self.walk_value(value)?;
                    self.path.pop();
                }
            }
        }
    }

    fn walk_array(&mut self, mut at: usize) -> Result<usize, Ambiguous> {
        loop {
            at = self.skip_blank(at);
            match self.byte(at) {
                Some(b']') => return Ok(at + 1),
                Some(b',') => at += 1,
                _ => {
                    self.path.push(JsonStep::Item);
                    at = self.walk_value(at)?;
                    self.path.pop();
                }
            }
        }
    }

    fn string_at(&self, at: usize) -> Result<(usize, Cow<'a, str>), Ambiguous> {
        let bytes = self.json.as_bytes();
        let mut end = at + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let literal = self.json.get(at..end + 1).ok_or(Ambiguous)?;
        let text = match literal.contains('\\') {
            true => Cow::Owned(serde_json::from_str::<String>(literal).map_err(|_| Ambiguous)?),
            false => Cow::Borrowed(literal.get(1..literal.len() - 1).ok_or(Ambiguous)?),
        };
        Ok((end + 1, text))
    }

    fn report(&mut self, kind: PartKind, text: Cow<'a, str>, bytes: Range<usize>) {
        (self.each)(JsonPart { kind, path: &self.path, text, bytes });
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.json.as_bytes().get(at).copied()
    }

    fn skip_blank(&self, at: usize) -> usize {
        at + self.run_length(at, |byte| byte.is_ascii_whitespace())
    }

    fn run_length(&self, at: usize, is_in: impl Fn(u8) -> bool) -> usize {
        self.json.as_bytes().get(at..).unwrap_or_default().iter().take_while(|byte| is_in(**byte)).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn parts(json: &str) -> Result<Vec<(PartKind, String, String)>, Ambiguous> {
        let mut found = Vec::new();
        visit(json, &mut |part| {
            let path: Vec<&str> =
                part.path.iter().map(|step| if let JsonStep::Field(name) = step { name } else { "#" }).collect();
            found.push((part.kind, path.join("."), part.text.into_owned()));
        })?;
        Ok(found)
    }

    #[test]
    fn every_key_string_and_number_is_visited_with_its_place() {
        let json = r#" {"a" : [1.5e3, "x\u00e9\"", {"b\n": null}], "c": true, "d": {}} "#;
        let expected = [
            (PartKind::Key, "a", "a"),
            (PartKind::Number, "a.#", "1.5e3"),
            (PartKind::Text, "a.#", "xé\""),
            (PartKind::Key, "a.#.b\n", "b\n"),
            (PartKind::Key, "c", "c"),
            (PartKind::Key, "d", "d"),
        ];
        assert_eq!(parts(json).unwrap(), expected.map(|(kind, path, text)| (kind, path.to_owned(), text.to_owned())));
    }

    #[test]
    fn json_that_parsers_may_read_differently_is_ambiguous() {
        for json in [r#"{"a":1,"a":2}"#, r#"{"x":{"a":1,"\u0061":2}}"#, r#"["\ud800"]"#, "{", "", "[1] 2"] {
            assert_eq!(parts(json), Err(Ambiguous), "{json}");
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_range_holds_the_part_that_was_visited(value in json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let mut places = Vec::new();
            visit(&text, &mut |part| places.push((part.kind, part.text.into_owned(), part.bytes))).unwrap();
            let mut visited = 0;
            for (kind, parsed, bytes) in places {
                let literal = &text[bytes];
                match kind {
                    PartKind::Number => prop_assert_eq!(literal, parsed),
                    _ => prop_assert_eq!(serde_json::from_str::<String>(literal).unwrap(), parsed),
                }
                visited += 1;
            }
            fn count(value: &Value) -> usize {
                match value {
                    Value::String(_) | Value::Number(_) => 1,
                    Value::Array(items) => items.iter().map(count).sum(),
                    Value::Object(fields) => fields.values().map(|value| 1 + count(value)).sum(),
                    _ => 0,
                }
            }
            prop_assert_eq!(visited, count(&value));
        }
    }
}
