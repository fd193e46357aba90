//! The text of a whole answer, and where in the JSON it stands.
//!
//! Whatever a message says in strings is text, also in fields that nobody here has heard of: what is not read can't be
//! audited. Under an enforced policy that holds for the whole answer: every string, key and long number of it is inspected, and
//! what can't be inspected (sound, and tokens that repeat the text) does not leave.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use bytes::Bytes;
use countersign_inspect::{Finding, mask_pii};
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    split::Split,
    strings::{self, Kind, Token},
};

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
    /// Where tokens are repeated one by one, and sound: what no mask can help.
    removed: Vec<Range<usize>>,
    /// An identifier is spread over several strings, where no mask can hide it.
    is_split: bool,
}

/// A string of the JSON that is part of the text.
#[derive(Debug)]
struct Piece {
    /// In the text, in code points.
    chars: Range<usize>,
    /// In the body, in bytes, quotes included.
    bytes: Range<usize>,
}

/// Fields that say what something is: their values are constant words, and stand between others without joining them.
pub(super) const LABELS: [&str; 10] = [
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

/// More tokens than any model reads. A larger number is no count, and would go into logs uninspected.
const TOKENS_MAX: u64 = 99_999_999;

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        let count = |tokens: Option<u64>| tokens.filter(|tokens| *tokens <= TOKENS_MAX);
        Self { input_tokens: count(usage.prompt_tokens), output_tokens: count(usage.completion_tokens) }
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
    /// `None` if the body is no chat completion, or under an enforced policy one that can be read in two ways.
    pub(super) fn read(body: &str, is_enforced: bool) -> Option<Self> {
        let completion: Completion<'_> = serde_json::from_str(body).ok()?;
        let choices: Vec<Choice<'_>> = serde_json::from_str(completion.choices.get()).ok()?;
        let mut reader = Reader::new(body);
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                reader.add(BETWEEN);
            }
            reader.message(choice.message.iter().flatten());
            let logprobs = choice.logprobs.filter(|raw| raw.get() != "null").map(|raw| reader.at(raw));
            reader.removed.extend(logprobs);
        }
        // An answer that says nothing is recorded as what it is.
        if reader.text.trim().is_empty() {
            reader.text = completion.choices.get().to_owned();
            reader.chars = reader.text.chars().count();
            reader.pieces.clear();
            reader.whole.push(reader.at(completion.choices));
        }
        if is_enforced {
            reader.everything_else()?;
        }
        let usage = completion.usage.and_then(|usage| serde_json::from_str::<WireUsage>(usage.get()).ok());
        Some(Self {
            text: reader.text,
            model: completion.model.map(Cow::into_owned),
            usage: usage.unwrap_or_default().into(),
            is_readable: reader.is_readable,
            pieces: reader.pieces,
            removed: reader.removed,
            is_split: reader.is_split,
        })
    }

    /// The body as it may leave under an enforced policy, with personal data masked in the strings where it stands. `None` where
    /// some of it stands elsewhere, such as in the arguments of a tool call.
    pub(super) fn released(&self, body: &Bytes, masked: &[Finding]) -> Option<Bytes> {
        if self.is_split {
            return None;
        }
        let mut changes: Vec<(Range<usize>, String)> =
            self.removed.iter().map(|range| (range.clone(), "null".to_owned())).collect();
        let mut by_start: Vec<&Finding> = masked.iter().collect();
        by_start.sort_by_key(|finding| finding.start);
        let mut covered = 0;
        for piece in &self.pieces {
            let from = by_start.partition_point(|finding| finding.start < piece.chars.start);
            let near = by_start[from..].iter().take_while(|finding| finding.start < piece.chars.end);
            let inside = near.filter(|finding| finding.end <= piece.chars.end);
            let here: Vec<Finding> = inside.map(|finding| shifted(finding, piece.chars.start)).collect();
            if here.is_empty() {
                continue;
            }
            covered += here.len();
            let literal = std::str::from_utf8(body.get(piece.bytes.clone())?).ok()?;
            // A number stands there without quotes.
            let text: String = serde_json::from_str(literal).unwrap_or_else(|_| literal.to_owned());
            changes.push((piece.bytes.clone(), serde_json::to_string(&mask_pii(&text, &here).text).ok()?));
        }
        let is_changed = !changes.is_empty();
        (covered == masked.len()).then(|| if is_changed { spliced(body, changes).into() } else { body.clone() })
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

/// Ranges that don't overlap, in order.
struct Places(Vec<Range<usize>>);

impl Places {
    fn new<'a>(ranges: impl Iterator<Item = &'a Range<usize>>) -> Self {
        let mut ranges: Vec<_> = ranges.cloned().collect();
        ranges.sort_unstable_by_key(|range| range.start);
        Self(ranges)
    }

    fn contain(&self, at: usize) -> bool {
        let after = self.0.partition_point(|range| range.start <= at);
        after.checked_sub(1).and_then(|last| self.0.get(last)).is_some_and(|range| range.contains(&at))
    }
}

struct Reader<'a> {
    body: &'a str,
    text: String,
    chars: usize,
    pieces: Vec<Piece>,
    /// What was added as it stands there, such as tool calls.
    whole: Vec<Range<usize>>,
    removed: Vec<Range<usize>>,
    is_split: bool,
    is_readable: bool,
}

impl<'a> Reader<'a> {
    fn new(body: &'a str) -> Self {
        Self {
            body,
            text: String::new(),
            chars: 0,
            pieces: Vec::new(),
            whole: Vec::new(),
            removed: Vec::new(),
            is_split: false,
            is_readable: true,
        }
    }

    /// Adds every string, key and number that has not been read and is more than a label. `None` if the body is ambiguous.
    fn everything_else(&mut self) -> Option<()> {
        let (body, mut split) = (self.body, Split::default());
        // Answers may have very many strings: what was read already is looked up, not searched for.
        let removed = Places::new(self.removed.iter());
        let read = Places::new(self.pieces.iter().map(|piece| &piece.bytes).chain(&self.whole));
        strings::visit(body, &mut |token| {
            if removed.contain(token.bytes.start) {
                return;
            }
            let is_label = token.path.last().is_some_and(|step| LABELS.iter().any(|label| step.is(label)));
            // Counts stand in objects; in a list they could spell something out.
            let is_listed = token.path.iter().any(|step| matches!(step, strings::Step::Item));
            let is_count = token.kind == Kind::Number && !is_listed && token.path.iter().any(|step| step.is("usage"));
            if !token.is_medium() && !is_label && !is_count {
                split.add(&token);
            }
            if token.is_medium() || !read.contain(token.bytes.start) {
                self.token(token);
            }
        })
        .ok()?;
        self.is_split = split.is_found();
        Some(())
    }

    fn token(&mut self, token: Token<'_, 'a>) {
        if token.is_medium() {
            return self.removed.push(token.bytes);
        }
        match token.kind {
            // A name can't be masked: what it says is judged, and there is no piece to cover it.
            Kind::Key if !token.is_label() => {
                self.add("\n");
                self.add(&token.text);
            }
            Kind::Text if !token.is_label() => self.piece(&token),
            Kind::Text if token.identifies_bare() => self.removed.push(token.bytes),
            Kind::Number if token.is_odd_number() => self.removed.push(token.bytes),
            Kind::Number if token.is_long_number() => self.piece(&token),
            _ => {}
        }
    }

    /// Adds a value with its field's name before it: the name says what the value is.
    fn piece(&mut self, token: &Token<'_, 'a>) {
        let named = token.named();
        self.add("\n");
        self.add(named.strip_suffix(&*token.text).unwrap_or_default());
        let start = self.chars;
        self.add(&token.text);
        self.pieces.push(Piece { chars: start..self.chars, bytes: token.bytes.clone() });
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
                        true => self.add_whole(raw),
                        false => texts.into_iter().for_each(|text| self.string(text)),
                    }
                }
                // Not the sound itself.
                ("audio", Some(b'{')) => {
                    let audio = serde_json::from_str::<Audio<'_>>(raw.get()).ok();
                    audio.and_then(|audio| audio.transcript).into_iter().for_each(|text| self.string(text));
                }
                (_, Some(b'[' | b'{')) => self.add_whole(raw),
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

    fn add_whole(&mut self, raw: &RawValue) {
        self.whole.push(self.at(raw));
        self.add(raw.get());
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
        let answer = Answer::read(&body, true).unwrap();
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
        assert_eq!(Answer::read(two, true).unwrap().text, "one\n\ntwo");
        assert_eq!(Answer::read(r#"{"choices":[]}"#, true).unwrap().text, "[]");
        for bad in ["", "[]", "{}", r#"{"choices":1}"#, r#"{"error":{}}"#] {
            assert!(Answer::read(bad, false).is_none(), "{bad}");
        }
        let half = completion(r#"{"content":"\ud800 4111"}"#);
        assert!(!Answer::read(&half, false).unwrap().is_readable);
    }

    #[test]
    fn masking_changes_the_string_and_not_a_byte_besides() {
        let two = |a: &str, b: &str| {
            format!(
                r#"{{ "choices":[{{"message":{{"content":"{a}"}}}},{{"message":{{"content":"{b}"}}}}], "keep":1.50 }}"#
            )
        };
        let body = two("Fine.", "Write to jo.doe@example.com \\u00e9.");
        let answer = Answer::read(&body, true).unwrap();
        let masked = answer.released(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(std::str::from_utf8(&masked).unwrap(), two("Fine.", "Write to [EMAIL] é."));
    }

    #[test]
    fn what_is_masked_does_not_stand_among_the_tokens() {
        let body = r#"{"choices":[{"logprobs":{"content":[{"token":"jo.doe@example.com"}]},"message":{"content":"To jo.doe@example.com"}}]}"#;
        let answer = Answer::read(body, true).unwrap();
        let masked = answer.released(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(masked, r#"{"choices":[{"logprobs":null,"message":{"content":"To [EMAIL]"}}]}"#);
    }

    #[test]
    fn what_stands_in_a_tool_call_can_not_be_masked() {
        let body = completion(r#"{"tool_calls":[{"function":{"arguments":"jo.doe@example.com"}}]}"#);
        let answer = Answer::read(&body, true).unwrap();
        let findings = inspect(&answer.text);
        assert!(!findings.is_empty());
        assert!(answer.released(&Bytes::from(body), &findings).is_none());
    }
}
