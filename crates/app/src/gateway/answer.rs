//! The text of a whole answer, and where in the JSON it stands.

use std::{borrow::Cow, ops::Range};

use bytes::Bytes;
use countersign_inspect::{Finding, mask_pii};
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Between the texts of two choices.
pub(super) const BETWEEN: &str = "\n\n";

/// What there is to audit in an answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    pieces: Vec<Piece>,
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
    #[serde(default)]
    usage: Option<WireUsage>,
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
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_calls: Option<&'a RawValue>,
    #[serde(borrow, default)]
    function_call: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

impl Answer {
    /// `None` if the body is no chat completion.
    pub(super) fn read(body: &str) -> Option<Self> {
        let completion: Completion<'_> = serde_json::from_str(body).ok()?;
        let choices: Vec<Choice<'_>> = serde_json::from_str(completion.choices.get()).ok()?;
        let mut reader = Reader { body, text: String::new(), chars: 0, pieces: Vec::new() };
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                reader.add(BETWEEN);
            }
            if let Some(message) = &choice.message {
                reader.message(message);
            }
        }
        // An answer that says nothing is recorded as what it is.
        if reader.text.trim().is_empty() {
            reader.text = completion.choices.get().to_owned();
            reader.pieces.clear();
        }
        let usage = completion.usage.unwrap_or_default().into();
        Some(Self { text: reader.text, model: completion.model.map(Cow::into_owned), usage, pieces: reader.pieces })
    }

    /// The body with personal data masked in the strings where it stands. `None` where some of it stands elsewhere, such
    /// as in the arguments of a tool call.
    pub(super) fn masked(&self, body: &Bytes, masked: &[Finding]) -> Option<Bytes> {
        let mut out = Vec::with_capacity(body.len());
        let mut done = 0;
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
            out.extend_from_slice(body.get(done..piece.bytes.start)?);
            out.extend_from_slice(serde_json::to_string(&mask_pii(&text, &here).text).ok()?.as_bytes());
            done = piece.bytes.end;
        }
        out.extend_from_slice(body.get(done..)?);
        (covered == masked.len()).then(|| out.into())
    }
}

pub(super) fn shifted(finding: &Finding, by: usize) -> Finding {
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
}

impl Reader<'_> {
    fn message(&mut self, message: &Message<'_>) {
        let before = self.chars;
        for raw in [message.content, message.refusal].into_iter().flatten() {
            match raw.get().as_bytes().first() {
                Some(b'"') => self.string(raw),
                Some(b'[') => {
                    let parts: Vec<Part<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
                    parts.iter().filter_map(|part| part.text).for_each(|text| self.string(text));
                }
                _ => {}
            }
        }
        for raw in [message.tool_calls, message.function_call].into_iter().flatten() {
            if matches!(raw.get(), "null" | "[]") {
                continue;
            }
            if self.chars > before {
                self.add("\n");
            }
            self.add(raw.get());
        }
    }

    /// A string of the JSON; `raw` points into the body.
    fn string(&mut self, raw: &RawValue) {
        let Ok(text) = serde_json::from_str::<Cow<'_, str>>(raw.get()) else { return };
        let start = self.chars;
        self.add(&text);
        let at = (raw.get().as_ptr() as usize).saturating_sub(self.body.as_ptr() as usize);
        self.pieces.push(Piece { chars: start..self.chars, bytes: at..at + raw.get().len() });
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
        check(r#"{"content":"Calling.","tool_calls":[1],"function_call":null}"#, "Calling.\n[1]");
    }

    #[test]
    fn choices_are_audited_together_and_nothing_said_is_recorded_as_it_is() {
        let two = r#"{"choices":[{"message":{"content":"one"}},{"message":{"content":"two"}}]}"#;
        assert_eq!(Answer::read(two).unwrap().text, "one\n\ntwo");
        assert_eq!(Answer::read(r#"{"choices":[]}"#).unwrap().text, "[]");
        for bad in ["", "[]", "{}", r#"{"choices":1}"#, r#"{"error":{}}"#] {
            assert!(Answer::read(bad).is_none(), "{bad}");
        }
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
    fn what_stands_in_a_tool_call_can_not_be_masked() {
        let body = completion(r#"{"tool_calls":[{"function":{"arguments":"jo.doe@example.com"}}]}"#);
        let answer = Answer::read(&body).unwrap();
        let findings = inspect(&answer.text);
        assert!(!findings.is_empty());
        assert!(answer.masked(&Bytes::from(body), &findings).is_none());
    }
}
