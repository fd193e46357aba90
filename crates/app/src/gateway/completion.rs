//! A chat completion: the text that is audited, and where in the JSON it is.
//!
//! Every string of a message counts as text, even in unknown fields, because text that isn't read can't be audited. An enforced
//! policy extends this to the whole completion: every string, key and long number is inspected, and parts that can't be inspected
//! (audio, and tokens that repeat the text) are removed.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use bytes::Bytes;
use countersign_inspect::{Finding, mask_pii};
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::split_identifiers::SplitIdentifiers;
use crate::json_parts::{self, JsonPart, PartKind};

/// The separator between the texts of two choices.
pub(super) const BETWEEN_CHOICES: &str = "\n\n";

/// Whether a field of a message names something instead of holding text.
pub(super) fn is_label(field: &str) -> bool {
    matches!(field, "role" | "id" | "type" | "object" | "name")
}

/// The content of a completion that can be audited.
#[derive(Debug)]
pub(super) struct Completion {
    pub(super) text: String,
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    /// False if one of its strings is not valid Unicode, such as a lone surrogate.
    pub(super) is_readable: bool,
    pieces: Vec<TextPiece>,
    /// Parts that can't be masked: log probabilities, which repeat the tokens one by one, and audio.
    removed: Vec<Range<usize>>,
    /// Whether an identifier is spread over several strings, where masking can't hide it.
    is_split: bool,
}

/// A string of the JSON that is part of the text.
#[derive(Debug)]
struct TextPiece {
    /// Its place in the text, in code points.
    chars: Range<usize>,
    /// Its place in the body, in bytes, quotes included.
    bytes: Range<usize>,
}

#[derive(Deserialize)]
struct CompletionBody<'a> {
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

/// No call uses more tokens than this. A larger number is not a count, and must not get into the log uninspected.
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
struct ContentPart<'a> {
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Audio<'a> {
    #[serde(borrow, default)]
    transcript: Option<&'a RawValue>,
}

impl Completion {
    /// `None` if the body is not a chat completion, or if an enforced policy applies and the JSON is ambiguous.
    pub(super) fn read(body: &str, is_enforced: bool) -> Option<Self> {
        let completion: CompletionBody<'_> = serde_json::from_str(body).ok()?;
        let choices: Vec<Choice<'_>> = serde_json::from_str(completion.choices.get()).ok()?;
        let mut reader = CompletionReader::new(body);
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                reader.add(BETWEEN_CHOICES);
            }
            reader.add_message(choice.message.iter().flatten());
            let logprobs = choice.logprobs.filter(|raw| raw.get() != "null").map(|raw| reader.at(raw));
            reader.removed.extend(logprobs);
        }
        // An empty answer is recorded as the JSON of its choices.
        if reader.text.trim().is_empty() {
            reader.text = completion.choices.get().to_owned();
            reader.chars = reader.text.chars().count();
            reader.pieces.clear();
            reader.whole.push(reader.at(completion.choices));
        }
        if is_enforced {
            reader.add_everything_else()?;
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

    /// The body as it may be released under an enforced policy, with personal data masked in the strings that hold it. `None`
    /// if some of it is in a place where it can't be masked, such as the arguments of a tool call.
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
            // A number has no quotes.
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
struct SortedRanges(Vec<Range<usize>>);

impl SortedRanges {
    fn new<'a>(ranges: impl Iterator<Item = &'a Range<usize>>) -> Self {
        let mut ranges: Vec<_> = ranges.cloned().collect();
        ranges.sort_unstable_by_key(|range| range.start);
        Self(ranges)
    }

    fn contains(&self, at: usize) -> bool {
        let after = self.0.partition_point(|range| range.start <= at);
        after.checked_sub(1).and_then(|last| self.0.get(last)).is_some_and(|range| range.contains(&at))
    }
}

struct CompletionReader<'a> {
    body: &'a str,
    text: String,
    chars: usize,
    pieces: Vec<TextPiece>,
    /// Parts whose JSON was added unchanged, such as tool calls.
    whole: Vec<Range<usize>>,
    removed: Vec<Range<usize>>,
    is_split: bool,
    is_readable: bool,
}

impl<'a> CompletionReader<'a> {
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

    /// Adds every string, key and number that has not been read yet and is not just a label. `None` if the body is ambiguous.
    fn add_everything_else(&mut self) -> Option<()> {
        let (body, mut split) = (self.body, SplitIdentifiers::default());
        // There may be very many strings, so the parts that have been read are looked up by binary search.
        let removed = SortedRanges::new(self.removed.iter());
        let read = SortedRanges::new(self.pieces.iter().map(|piece| &piece.bytes).chain(&self.whole));
        json_parts::visit(body, &mut |part| {
            if removed.contains(part.bytes.start) {
                return;
            }
            // Real counts are fields of objects. Numbers in a list could spell something out.
            let is_listed = part.path.iter().any(|step| matches!(step, json_parts::JsonStep::Item));
            let is_count = part.kind == PartKind::Number && !is_listed && part.path.iter().any(|step| step.is("usage"));
            if !part.is_media() && !part.is_in_label_field() && !is_count {
                split.add(&part);
            }
            if part.is_media() || !read.contains(part.bytes.start) {
                self.add_part(part);
            }
        })
        .ok()?;
        self.is_split = split.is_found();
        Some(())
    }

    fn add_part(&mut self, part: JsonPart<'_, 'a>) {
        if part.is_media() {
            return self.removed.push(part.bytes);
        }
        match part.kind {
            // A key can't be masked. It is added without a piece, so a finding in it makes the answer unmaskable.
            PartKind::Key if !part.is_label() => {
                self.add("\n");
                self.add(&part.text);
            }
            PartKind::Text if !part.is_label() => self.add_piece(&part),
            PartKind::Text if part.digits_identify() => self.removed.push(part.bytes),
            PartKind::Number if part.is_unmaskable_number() => self.removed.push(part.bytes),
            PartKind::Number if part.is_long_number() => self.add_piece(&part),
            _ => {}
        }
    }

    /// Adds a value after the name of its field, because the name tells the inspectors what the value is.
    fn add_piece(&mut self, part: &JsonPart<'_, 'a>) {
        let named = part.with_field_name();
        self.add("\n");
        self.add(named.strip_suffix(&*part.text).unwrap_or_default());
        let start = self.chars;
        self.add(&part.text);
        self.pieces.push(TextPiece { chars: start..self.chars, bytes: part.bytes.clone() });
    }

    fn add_message<'m>(&mut self, message: impl Iterator<Item = (&'m Cow<'m, str>, &'m &'m RawValue)>) {
        let is_blank = |raw: &RawValue| matches!(raw.get(), "null" | "[]" | "{}" | "\"\"");
        let mut fields: Vec<_> = message.filter(|(name, raw)| !is_label(name) && !is_blank(raw)).collect();
        // Restore the order of the JSON.
        fields.sort_by_key(|(_, raw)| self.at(raw).start);
        let before = self.chars;
        for (name, raw) in fields {
            if self.chars > before {
                self.add("\n");
            }
            match (&**name, raw.get().as_bytes().first()) {
                (_, Some(b'"')) => self.add_string(raw),
                ("content", Some(b'[')) => {
                    let parts: Vec<ContentPart<'_>> = serde_json::from_str(raw.get()).unwrap_or_default();
                    let texts: Vec<_> = parts.iter().filter_map(|part| part.text).collect();
                    match texts.is_empty() {
                        true => self.add_whole(raw),
                        false => texts.into_iter().for_each(|text| self.add_string(text)),
                    }
                }
                // Only the transcript, not the audio itself.
                ("audio", Some(b'{')) => {
                    let audio = serde_json::from_str::<Audio<'_>>(raw.get()).ok();
                    audio.and_then(|audio| audio.transcript).into_iter().for_each(|text| self.add_string(text));
                }
                (_, Some(b'[' | b'{')) => self.add_whole(raw),
                _ => {}
            }
        }
    }

    /// Adds a JSON string. `raw` points into the body.
    fn add_string(&mut self, raw: &RawValue) {
        match serde_json::from_str::<Cow<'_, str>>(raw.get()) {
            Ok(text) => {
                let start = self.chars;
                self.add(&text);
                self.pieces.push(TextPiece { chars: start..self.chars, bytes: self.at(raw) });
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

    /// The place of `raw` in the body, in bytes.
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
        let answer = Completion::read(&body, true).unwrap();
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
    fn choices_are_audited_together_and_an_empty_answer_is_recorded_as_its_json() {
        let two = r#"{"choices":[{"message":{"content":"one"}},{"message":{"content":"two"}}]}"#;
        assert_eq!(Completion::read(two, true).unwrap().text, "one\n\ntwo");
        assert_eq!(Completion::read(r#"{"choices":[]}"#, true).unwrap().text, "[]");
        for bad in ["", "[]", "{}", r#"{"choices":1}"#, r#"{"error":{}}"#] {
            assert!(Completion::read(bad, false).is_none(), "{bad}");
        }
        let half = completion(r#"{"content":"\ud800 4111"}"#);
        assert!(!Completion::read(&half, false).unwrap().is_readable);
    }

    #[test]
    fn masking_changes_only_the_string() {
        let two = |a: &str, b: &str| {
            format!(
                r#"{{ "choices":[{{"message":{{"content":"{a}"}}}},{{"message":{{"content":"{b}"}}}}], "keep":1.50 }}"#
            )
        };
        let body = two("Fine.", "Write to jo.doe@example.com \\u00e9.");
        let answer = Completion::read(&body, true).unwrap();
        let masked = answer.released(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(std::str::from_utf8(&masked).unwrap(), two("Fine.", "Write to [EMAIL] é."));
    }

    #[test]
    fn log_probabilities_which_repeat_the_text_are_removed() {
        let body = r#"{"choices":[{"logprobs":{"content":[{"part":"jo.doe@example.com"}]},"message":{"content":"To jo.doe@example.com"}}]}"#;
        let answer = Completion::read(body, true).unwrap();
        let masked = answer.released(&Bytes::from(body), &inspect(&answer.text)).unwrap();
        assert_eq!(masked, r#"{"choices":[{"logprobs":null,"message":{"content":"To [EMAIL]"}}]}"#);
    }

    #[test]
    fn personal_data_in_a_tool_call_cannot_be_masked() {
        let body = completion(r#"{"tool_calls":[{"function":{"arguments":"jo.doe@example.com"}}]}"#);
        let answer = Completion::read(&body, true).unwrap();
        let findings = inspect(&answer.text);
        assert!(!findings.is_empty());
        assert!(answer.released(&Bytes::from(body), &findings).is_none());
    }
}
