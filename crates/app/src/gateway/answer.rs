//! The text of a whole answer, and where in the JSON it stands.
//!
//! Whatever a message says in strings is text, also in fields that nobody here has heard of: what is not read can't be
//! audited.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use bytes::Bytes;
use countersign_inspect::{Finding, mask_pii};
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Between the texts of two choices.
pub(super) const BETWEEN: &str = "\n\n";

/// Strings that name things and say nothing.
pub(super) fn is_label(field: &str) -> bool {
    matches!(field, "role" | "id" | "type" | "object" | "name")
}

/// What there is to audit in an answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// False if a string in it is no text, such as one with half of a surrogate pair.
    pub(super) is_readable: bool,
    pieces: Vec<Piece>,
    /// Where tokens are repeated one by one: a mask would be of no use there.
    logprobs: Vec<Range<usize>>,
}

/// A string of the JSON that is part of the text.
#[derive(Debug)]
struct Piece {
    /// In the text, in code points.
    chars: Range<usize>,
    /// In the body, in bytes, quotes included.
    bytes: Range<usize>,
}

#[derive(Deserialize)]
struct Completion<'a> {
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow)]
    choices: &'a RawValue,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize, Default, Clone, Copy)]
pub(super) struct WireUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Self { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens }
    }
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    message: Option<HashMap<Cow<'a, str>, &'a RawValue>>,
    #[serde(borrow, default)]
    logprobs: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Audio<'a> {
    #[serde(borrow, default)]
    transcript: Option<&'a RawValue>,
}

impl Answer {
    /// `None` if the body is no chat completion.
    pub(super) fn read(body: &str) -> Option<Self> {
        let completion: Completion<'_> = serde_json::from_str(body).ok()?;
        let choices: Vec<Choice<'_>> = serde_json::from_str(completion.choices.get()).ok()?;
        let mut reader = Reader::new(body);
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                reader.add(BETWEEN);
            }
            reader.message(choice.message.iter().flatten());
            let logprobs = choice.logprobs.filter(|raw| raw.get() != "null").map(|raw| reader.at(raw));
            reader.logprobs.extend(logprobs);
        }
        // An answer that says nothing is recorded as what it is.
        if reader.text.trim().is_empty() {
            reader.text = completion.choices.get().to_owned();
            reader.pieces.clear();
        }
        let usage = completion.usage.and_then(|usage| serde_json::from_str::<WireUsage>(usage.get()).ok());
        Some(Self {
            text: reader.text,
            model: completion.model.map(Cow::into_owned),
            usage: usage.unwrap_or_default().into(),
            is_readable: reader.is_readable,
            pieces: reader.pieces,
            logprobs: reader.logprobs,
        })
    }

    /// The body with personal data masked in the strings where it stands. `None` where some of it stands elsewhere, such
    /// as in the arguments of a tool call.
    pub(super) fn masked(&self, body: &Bytes, masked: &[Finding]) -> Option<Bytes> {
        let mut changes: Vec<(Range<usize>, String)> =
            self.logprobs.iter().map(|range| (range.clone(), "null".to_owned())).collect();
        let mut covered = 0;
        for piece in &self.pieces {
            let inside = |f: &&Finding| piece.chars.start <= f.start && f.end <= piece.chars.end;
            let here: Vec<Finding> = masked.iter().filter(inside).map(|f| shifted(f, piece.chars.start)).collect();
            if here.is_empty() {
                continue;
            }
            covered += here.len();
            let literal = std::str::from_utf8(body.get(piece.bytes.clone())?).ok()?;
            let text: String = serde_json::from_str(literal).ok()?;
            changes.push((piece.bytes.clone(), serde_json::to_string(&mask_pii(&text, &here).text).ok()?));
        }
        (covered == masked.len()).then(|| spliced(body, changes).into())
    }
}

/// The bytes with some ranges replaced and every other byte as it was.
pub(super) fn spliced(body: &[u8], mut changes: Vec<(Range<usize>, String)>) -> Vec<u8> {
    changes.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::with_capacity(body.len());
    let mut done = 0;
    for (range, text) in changes {
        out.extend_from_slice(body.get(done..range.start).unwrap_or_default());
        out.extend_from_slice(text.as_bytes());
        done = range.end;
    }
    out.extend_from_slice(body.get(done..).unwrap_or_default());
    out
}

fn shifted(finding: &Finding, by: usize) -> Finding {
    let mut finding = finding.clone();
    finding.start -= by;
    finding.end -= by;
    finding
}

struct Reader<'a> {
    body: &'a str,
    text: String,
    chars: usize,
    pieces: Vec<Piece>,
    logprobs: Vec<Range<usize>>,
    is_readable: bool,
}

impl<'a> Reader<'a> {
    fn new(body: &'a str) -> Self {
        Self { body, text: String::new(), chars: 0, pieces: Vec::new(), logprobs: Vec::new(), is_readable: true }
    }

    fn message<'m>(&mut self, message: impl Iterator<Item = (&'m Cow<'m, str>, &'m &'m RawValue)>) {
        let nothing = |raw: &RawValue| matches!(raw.get(), "null" | "[]" | "{}" | "\"\"");
        let mut fields: Vec<_> = message.filter(|(name, raw)| !is_label(name) && !nothing(raw)).collect();
        // In the order in which they stand there.
        fields.sort_by_key(|(_, raw)| self.at(raw).start);
        let before = self.chars;
        for (name, raw) in fields {
            if self.chars > before {
                self.add("\n");
            }
            match (&**name, raw.get().as_bytes().first()) {
                (_, Some(b'"')) => self.string(raw),
                ("content", Some(b'[')) => {
                    let parts: Vec<Part<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
                    let texts: Vec<_> = parts.iter().filter_map(|part| part.text).collect();
                    match texts.is_empty() {
                        true => self.add(raw.get()),
                        false => texts.into_iter().for_each(|text| self.string(text)),
                    }
                }
                // Not the sound itself.
                ("audio", Some(b'{')) => {
                    let audio = serde_json::from_str::<Audio<'_>>(raw.get()).ok();
                    audio.and_then(|audio| audio.transcript).into_iter().for_each(|text| self.string(text));
                }
                (_, Some(b'[' | b'{')) => self.add(raw.get()),
                _ => {}
            }
        }
    }

    /// A string of the JSON; `raw` points into the body.
    fn string(&mut self, raw: &RawValue) {
        match serde_json::from_str::<Cow<'_, str>>(raw.get()) {
            Ok(text) => {
                let start = self.chars;
                self.add(&text);
                self.pieces.push(Piece { chars: start..self.chars, bytes: self.at(raw) });
            }
            Err(_) => {
                self.is_readable = false;
                self.add(raw.get());
            }
        }
    }

    fn at(&self, raw: &RawValue) -> Range<usize> {
        let start = (raw.get().as_ptr() as usize).saturating_sub(self.body.as_ptr() as usize);
        start..start + raw.get().len()
    }

    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        self.chars += text.chars().count();
    }
}

#[cfg(test)]
mod tests {
    use countersign_inspect::inspect;

    use super::*;

    fn completion(message: &str) -> String {
        format!(
            r#"{{"id":"x","model":"m-1","choices":[{{"index":0,"message":{message},"odd":1}}],"usage":{{"prompt_tokens":3,"completion_tokens":4,"z":{{}}}}}}"#
        )
    }

    fn check(message: &str, text: &str) {
        let body = completion(message);
        let answer = Answer::read(&body).unwrap();
        assert_eq!(answer.text, text);
        assert_eq!((answer.usage.total(), answer.model.as_deref()), (Some(7), Some("m-1")));
    }

    #[test]
    fn all_the_text_of_an_answer_is_audited() {
        check(r#"{"role":"assistant","content":"Par\u00eds \"x\""}"#, "París \"x\"");
        check(r#"{"content":[{"type":"text","text":"a"},{"type":"other"},{"text":"b"}]}"#, "ab");
        check(r#"{"content":null,"refusal":"I can't."}"#, "I can't.");
        check(
            r#"{"content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}"#,
            r#"[{"id":"1","function":{"name":"f","arguments":"{}"}}]"#,
        );
        check(r#"{"content":"Calling.","tool_calls":[1],"function_call":null,"annotations":[]}"#, "Calling.\n[1]");
        check(r#"{"content":"Paris.","reasoning_content":"Hm."}"#, "Paris.\nHm.");
        check(r#"{"content":null,"audio":{"id":"a","data":"AAAA","transcript":"Hello."}}"#, "Hello.");
    }

    #[test]
    fn choices_are_audited_together_and_nothing_said_is_recorded_as_it_is() {
        let two = r#"{"choices":[{"message":{"content":"one"}},{"message":{"content":"two"}}]}"#;
        assert_eq!(Answer::read(two).unwrap().text, "one\n\ntwo");
        assert_eq!(Answer::read(r#"{"choices":[]}"#).unwrap().text, "[]");
        for bad in ["", "[]", "{}", r#"{"choices":1}"#, r#"{"error":{}}"#] {
            assert!(Answer::read(bad).is_none(), "{bad}");
        }
        let half = completion(r#"{"content":"\ud800 4111"}"#);
        assert!(!Answer::read(&half).unwrap().is_readable);
    }

    #[test]
    fn masking_changes_the_string_and_not_a_byte_besides() {
        let two = |a: &str, b: &str| {
            format!(
                r#"{{ "choices":[{{"message":{{"content":"{a}"}}}},{{"message":{{"content":"{b}"}}}}], "keep":1.50 }}"#
            )
        };
        let body = two("Fine.", "Write to jo.doe@example.com \\u00e9.");
        let answer = Answer::read(&body).unwrap();
        let masked = answer.masked(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(std::str::from_utf8(&masked).unwrap(), two("Fine.", "Write to [EMAIL] é."));
    }

    #[test]
    fn what_is_masked_does_not_stand_among_the_tokens() {
        let body = r#"{"choices":[{"logprobs":{"content":[{"token":"jo.doe@example.com"}]},"message":{"content":"To jo.doe@example.com"}}]}"#;
        let answer = Answer::read(body).unwrap();
        let masked = answer.masked(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(masked, r#"{"choices":[{"logprobs":null,"message":{"content":"To [EMAIL]"}}]}"#);
    }

    #[test]
    fn what_stands_in_a_tool_call_can_not_be_masked() {
        let body = completion(r#"{"tool_calls":[{"function":{"arguments":"jo.doe@example.com"}}]}"#);
        let answer = Answer::read(&body).unwrap();
        let findings = inspect(&answer.text);
        assert!(!findings.is_empty());
        assert!(answer.masked(&Bytes::from(body), &findings).is_none());
    }
}
