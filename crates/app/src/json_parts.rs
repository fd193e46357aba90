//! Every key, string and number of a JSON text, and where it stands.
//!
//! Written by hand because no parser tells where in the text a value stands. It walks only what a parser has accepted.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use countersign_inspect::inspect_pii;
use serde::de::IgnoredAny;

use crate::answers::is_masked;

/// A label longer than this is a text.
const LABEL_BYTES_MAX: usize = 64;
/// No count has so many digits, but an account or a card has.
const LONG_NUMBER_DIGITS: usize = 9;
/// Unix times of answers, 2015 to 2036. Phone numbers of ten digits lie beyond.
const TIMES: std::ops::RangeInclusive<u64> = 1_420_000_000..=2_090_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Key,
    Text,
    Number,
}

/// One step on the way from the whole to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Field(Cow<'a, str>),
    Item,
}

impl Step<'_> {
    /// The field's name; `#` for an item of an array, which is no field's name of anything that is read here.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Field(name) => name,
            Self::Item => "#",
        }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        matches!(self, Self::Field(field) if field == name)
    }
}

/// A part of the text that says something.
pub(super) struct Token<'t, 'a> {
    pub(super) kind: Kind,
    /// Where it belongs; of a key, its own name is the last step.
    pub(super) path: &'t [Step<'a>],
    /// As it is meant: without quotes and escapes.
    pub(super) text: Cow<'a, str>,
    /// In the JSON, quotes included.
    pub(super) bytes: Range<usize>,
}

impl Token<'_, '_> {
    /// Whether it only names something: one short word, as ids and kinds are, and nothing that identifies anybody.
    pub(super) fn is_label(&self) -> bool {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/+-".contains(&byte);
        let identifies = || {
            self.has_digits() && [&*self.text, &self.named()].iter().any(|text| inspect_pii(text).iter().any(is_masked))
        };
        self.text.len() <= LABEL_BYTES_MAX && self.text.bytes().all(is_part) && !identifies()
    }

    /// With the name of its field before it: what `536228147` is shows in `"ssn": "536228147"`.
    pub(super) fn named(&self) -> String {
        let field =
            self.path.iter().rev().find_map(|step| if let Step::Field(name) = step { Some(&**name) } else { None });
        // These hold any text, and some of them are also words for a phone.
        let is_general = |name: &&str| matches!(*name, "text" | "content" | "contact" | "message" | "value");
        match field.filter(|name| self.kind != Kind::Key && !is_general(name)) {
            Some(name) => format!("{}: {}", name.replace('_', " "), self.text),
            None => self.text.clone().into_owned(),
        }
    }

    pub(super) fn identifies_bare(&self) -> bool {
        identifies_bare(&self.text)
    }

    pub(super) fn has_digits(&self) -> bool {
        self.text.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether a number has more digits than any count, and is no time.
    pub(super) fn is_long_number(&self) -> bool {
        let digits = self.text.bytes().filter(u8::is_ascii_digit).count();
        self.kind == Kind::Number && digits >= LONG_NUMBER_DIGITS && !self.is_time()
    }

    /// Whether a number can't be masked in place: a `created` that is no time, or an identifier written as a decimal or with an exponent.
    pub(super) fn is_odd_number(&self) -> bool {
        let is_false_time = self.path.last().is_some_and(|step| step.is("created")) && self.is_long_number();
        let (mantissa, _) = self.text.split_once(['e', 'E']).unwrap_or((&self.text, ""));
        let whole = mantissa.strip_suffix(".0").unwrap_or(mantissa).replace('.', "");
        is_false_time || (whole != self.text && self.is_long_number() && identifies_bare(&whole))
    }

    /// Whether it is when an answer was made, in seconds.
    pub(super) fn is_time(&self) -> bool {
        self.path.last().is_some_and(|step| step.is("created"))
            && self.text.parse().is_ok_and(|seconds: u64| TIMES.contains(&seconds))
    }

    /// Whether it is sound or a picture in base64, or the address of one. Nobody here can hear or see it.
    pub(super) fn is_medium(&self) -> bool {
        self.is_medium_in("")
    }

    /// The same for a part of something that stands in the field `root`.
    pub(super) fn is_medium_in(&self, root: &str) -> bool {
        let is_any = |step: &Step<'_>, names: &[&str]| names.iter().any(|name| step.is(name));
        let is_content = self.path.last().is_some_and(|step| is_any(step, &["data", "b64_json", "url", "image_url"]));
        let media = ["audio", "input_audio", "image", "images", "image_url"];
        let is_in_medium = media.contains(&root) || self.path.iter().any(|step| is_any(step, &media));
        self.kind == Kind::Text && is_content && is_in_medium
    }
}

/// Whether a word identifies somebody once letters don't run into its number: an id may be called `card-4111…`.
pub(super) fn identifies_bare(word: &str) -> bool {
    let spaced: String = word.chars().map(|letter| if letter.is_ascii_digit() { letter } else { ' ' }).collect();
    !spaced.trim().is_empty() && inspect_pii(spaced.trim()).iter().any(is_masked)
}

/// It is no JSON, holds a string that is no text, or gives one name two values: two readers may read it differently.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ambiguous;

/// Calls `each` with every key, string and number, in order.
pub(super) fn visit<'a>(json: &'a str, each: &mut dyn FnMut(Token<'_, 'a>)) -> Result<(), Ambiguous> {
    serde_json::from_str::<IgnoredAny>(json).map_err(|_| Ambiguous)?;
    let mut walk = Walk { json, path: Vec::new(), each };
    let start = walk.blank(0);
    walk.value(start).map(|_| ())
}

struct Walk<'a, 'e> {
    json: &'a str,
    path: Vec<Step<'a>>,
    each: &'e mut dyn FnMut(Token<'_, 'a>),
}

/// The parser has bounded how deep values nest.
impl<'a> Walk<'a, '_> {
    /// Returns where the value ends that starts at `at`.
    fn value(&mut self, at: usize) -> Result<usize, Ambiguous> {
        match self.byte(at) {
            Some(b'{') => self.object(at + 1),
            Some(b'[') => self.array(at + 1),
            Some(b'"') => {
                let (end, text) = self.string_at(at)?;
                self.found(Kind::Text, text, at..end);
                Ok(end)
            }
            Some(b'-' | b'0'..=b'9') => {
                let end = at + self.run(at, |byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
                self.found(Kind::Number, Cow::Borrowed(self.json.get(at..end).ok_or(Ambiguous)?), at..end);
                Ok(end)
            }
            Some(_) => Ok(at + self.run(at, |byte| byte.is_ascii_alphabetic()).max(1)),
            None => Err(Ambiguous),
        }
    }

    fn object(&mut self, mut at: usize) -> Result<usize, Ambiguous> {
        let mut names: HashSet<Cow<'a, str>> = HashSet::new();
        loop {
            at = self.blank(at);
            match self.byte(at) {
                Some(b'}') => return Ok(at + 1),
                Some(b',') => at += 1,
                _ => {
                    let (end, name) = self.string_at(at)?;
                    if !names.insert(name.clone()) {
                        return Err(Ambiguous);
                    }
                    self.path.push(Step::Field(name.clone()));
                    self.found(Kind::Key, name, at..end);
                    let colon = self.blank(end);
                    let value = self.blank(colon + 1);
                    at = self.value(value)?;
                    self.path.pop();
                }
            }
        }
    }

    fn array(&mut self, mut at: usize) -> Result<usize, Ambiguous> {
        loop {
            at = self.blank(at);
            match self.byte(at) {
                Some(b']') => return Ok(at + 1),
                Some(b',') => at += 1,
                _ => {
                    self.path.push(Step::Item);
                    at = self.value(at)?;
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

    fn found(&mut self, kind: Kind, text: Cow<'a, str>, bytes: Range<usize>) {
        (self.each)(Token { kind, path: &self.path, text, bytes });
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.json.as_bytes().get(at).copied()
    }

    fn blank(&self, at: usize) -> usize {
        at + self.run(at, |byte| byte.is_ascii_whitespace())
    }

    fn run(&self, at: usize, is_in: impl Fn(u8) -> bool) -> usize {
        self.json.as_bytes().get(at..).unwrap_or_default().iter().take_while(|byte| is_in(**byte)).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn tokens(json: &str) -> Result<Vec<(Kind, String, String)>, Ambiguous> {
        let mut found = Vec::new();
        visit(json, &mut |token| {
            let path: Vec<&str> =
                token.path.iter().map(|step| if let Step::Field(name) = step { name } else { "#" }).collect();
            found.push((token.kind, path.join("."), token.text.into_owned()));
        })?;
        Ok(found)
    }

    #[test]
    fn every_key_string_and_number_is_visited_with_its_place() {
        let json = r#" {"a" : [1.5e3, "x\u00e9\"", {"b\n": null}], "c": true, "d": {}} "#;
        let expected = [
            (Kind::Key, "a", "a"),
            (Kind::Number, "a.#", "1.5e3"),
            (Kind::Text, "a.#", "xé\""),
            (Kind::Key, "a.#.b\n", "b\n"),
            (Kind::Key, "c", "c"),
            (Kind::Key, "d", "d"),
        ];
        assert_eq!(tokens(json).unwrap(), expected.map(|(kind, path, text)| (kind, path.to_owned(), text.to_owned())));
    }

    #[test]
    fn what_two_readers_may_read_differently_is_ambiguous() {
        for json in [r#"{"a":1,"a":2}"#, r#"{"x":{"a":1,"\u0061":2}}"#, r#"["\ud800"]"#, "{", "", "[1] 2"] {
            assert_eq!(tokens(json), Err(Ambiguous), "{json}");
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
        fn every_place_holds_what_was_visited_there(value in json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let mut places = Vec::new();
            visit(&text, &mut |token| places.push((token.kind, token.text.into_owned(), token.bytes))).unwrap();
            let mut strings = 0;
            for (kind, said, bytes) in places {
                let literal = &text[bytes];
                match kind {
                    Kind::Number => prop_assert_eq!(literal, said),
                    _ => prop_assert_eq!(serde_json::from_str::<String>(literal).unwrap(), said),
                }
                strings += 1;
            }
            fn count(value: &Value) -> usize {
                match value {
                    Value::String(_) | Value::Number(_) => 1,
                    Value::Array(items) => items.iter().map(count).sum(),
                    Value::Object(fields) => fields.values().map(|value| 1 + count(value)).sum(),
                    _ => 0,
                }
            }
            prop_assert_eq!(strings, count(&value));
        }
    }
}
