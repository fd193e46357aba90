//! The text of one event of a stream, by choice and field, and what a whole stream added up to.
//!
//! Whatever a delta says in strings is text, also in fields that nobody here has heard of: what is not read can't be
//! audited. What can't be read at all is said to be so. Under an enforced policy everything else in an event that is more than a
//! label is taken out of it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use countersign_inspect::Finding;
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    answer::{BETWEEN, WireUsage, is_label},
    split::{Split, is_identifying},
    strings::{self, Kind, Step, Token},
};

/// Labels that may have digits, and have the same value in every event.
const KNOWN_LABELS: [&str; 7] = ["id", "object", "model", "system_fingerprint", "service_tier", "provider", "role"];
/// A number of so many characters counts something.
const COUNT_DIGITS_MAX: usize = 3;

/// What becomes of a part of an event under an enforced policy.
enum Fate {
    Stays,
    /// It is removed.
    Goes,
    /// The event can't be made fit to leave.
    Unfit,
}

/// What of a chunk concerns us.
#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: Option<u32>,
    #[serde(borrow, default)]
    delta: Option<HashMap<Cow<'a, str>, &'a RawValue>>,
    /// Some servers send whole messages in events, or the text alone.
    #[serde(borrow, default)]
    message: Option<HashMap<Cow<'a, str>, &'a RawValue>>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    logprobs: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ToolDelta<'a> {
    #[serde(default)]
    index: Option<u32>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    function: Option<FunctionDelta<'a>>,
    /// Tools of other kinds, as they came.
    #[serde(borrow, flatten)]
    others: HashMap<Cow<'a, str>, Value>,
}

#[derive(Deserialize)]
struct FunctionDelta<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(default)]
    arguments: Option<Value>,
}

/// Which text of a stream: a choice's `content`, its `refusal`, and so on.
pub(super) type Voice = (u32, String);

/// A string of one event that adds to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) voice: Voice,
    pub(super) text: String,
    /// In the event's data, in bytes, quotes included.
    pub(super) bytes: Range<usize>,
}

/// What one event said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) pieces: Vec<Piece>,
    /// Something that is inspected whole, such as a part of a tool call.
    pub(super) has_more: bool,
    /// Every choice seen so far has ended.
    pub(super) is_finished: bool,
    /// The provider broke off with an error.
    pub(super) is_error: bool,
    pub(super) is_unreadable: bool,
    /// What may not leave under an enforced policy, in the event's data.
    pub(super) removed: Vec<Range<usize>>,
}

/// What a stream has said so far.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    choices: BTreeMap<u32, ChoiceText>,
    /// The pieces of all tool calls in the order in which they came: those of two calls may alternate.
    tool_calls: String,
    /// Data that could not be read, as it came.
    unread: String,
    bytes: usize,
    /// The first value of each label, by its path: one that changes from event to event could spell something out.
    labels: HashMap<String, String>,
}

#[derive(Default)]
struct ChoiceText {
    /// By field, in the order in which they first came.
    texts: Vec<(String, String)>,
    tools: BTreeMap<u32, Tool>,
    is_finished: bool,
}

#[derive(Default)]
struct Tool {
    id: String,
    name: String,
    arguments: String,
    /// Texts of tools of other kinds, by where they stand. They go on from event to event too.
    others: BTreeMap<String, String>,
}

impl Transcript {
    /// Takes an event's data in as an enforced policy wants it: whatever is neither text nor a label is to be removed.
    pub(super) fn take_strictly(&mut self, data: &str) -> Said {
        let mut said = self.take(data);
        let mut is_fit = !said.is_unreadable;
        let visited = strings::visit(data, &mut |token| match self.fate(&token) {
            Fate::Stays => {}
            Fate::Goes => said.removed.push(token.bytes),
            Fate::Unfit => is_fit = false,
        });
        if visited.is_ok() && is_fit { said } else { self.unreadable(data) }
    }

    /// What becomes of a part of an event.
    fn fate(&mut self, token: &Token<'_, '_>) -> Fate {
        let path: Vec<&str> = token.path.iter().map(Step::name).collect();
        match (token.kind, path.as_slice()) {
            // Removed as a whole.
            (Kind::Key, ["choices", _, "logprobs", _, ..]) => Fate::Stays,
            (Kind::Text | Kind::Number, ["choices", _, "logprobs", ..]) => Fate::Stays,
            (Kind::Key, _) if token.is_label() => Fate::Stays,
            (Kind::Key, _) => Fate::Unfit,
            (Kind::Number, path) => self.number(path, token),
            (Kind::Text, _) if token.is_medium() => Fate::Goes,
            (Kind::Text, ["choices", _, "text"]) => Fate::Stays,
            // What is inspected whole. Of a function only its name and arguments are.
            (Kind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "function", "name" | "arguments"])
            | (Kind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "id"])
            | (Kind::Text, ["choices", _, "delta" | "message", "function_call", "name" | "arguments"]) => Fate::Stays,
            (Kind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "function", ..])
            | (Kind::Text, ["choices", _, "delta" | "message", "function_call", ..]) => Fate::Goes,
            (Kind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "type"]) => self.label(&path, token),
            (Kind::Text, ["choices", _, "delta" | "message", "tool_calls", ..]) => Fate::Stays,
            // A text of its own, which is inspected as such.
            (Kind::Text, ["choices", _, "delta" | "message", .., field]) if !is_label(field) => Fate::Stays,
            (Kind::Text, path) => self.label(path, token),
        }
    }

    /// Only fields that are known to be numbers may hold any: others could spell something out digit by digit.
    fn number(&mut self, path: &[&str], token: &Token<'_, '_>) -> Fate {
        let is_count = token.text.len() <= COUNT_DIGITS_MAX;
        let stays = match path {
            ["created"] => {
                let first = self.labels.entry("created".to_owned()).or_insert_with(|| token.text.clone().into_owned());
                token.is_time() && *first == token.text
            }
            [.., "index"] => is_count,
            path => path.contains(&"usage") && (is_count || !token.is_long_number()),
        };
        if stays { Fate::Stays } else { Fate::Goes }
    }

    fn label(&mut self, path: &[&str], token: &Token<'_, '_>) -> Fate {
        if !token.is_label() || token.identifies_bare() {
            return Fate::Goes;
        }
        let is_known = path.last().is_some_and(|field| KNOWN_LABELS.contains(field));
        if !token.has_digits() {
            return Fate::Stays;
        }
        let first = self.labels.entry(path.join("/")).or_insert_with(|| token.text.clone().into_owned());
        if is_known && *first == token.text { Fate::Stays } else { Fate::Goes }
    }

    /// Takes an event's data in.
    pub(super) fn take(&mut self, data: &str) -> Said {
        let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(data) else { return self.unreadable(data) };
        if let Some(model) = chunk.model.filter(|_| self.model.is_none()) {
            self.model = Some(model.into_owned());
        }
        if let Some(usage) = chunk.usage.and_then(|usage| serde_json::from_str::<WireUsage>(usage.get()).ok()) {
            self.usage = usage.into();
        }
        let mut said = Said { is_error: chunk.error.is_some_and(|e| e.get() != "null"), ..Said::default() };
        for choice in chunk.choices.unwrap_or_default() {
            if self.choice(choice, data, &mut said).is_none() {
                return self.unreadable(data);
            }
        }
        said.is_finished = !self.choices.is_empty() && self.choices.values().all(|choice| choice.is_finished);
        said
    }

    /// Keeps what can't be read, so that the record has it.
    pub(super) fn unreadable(&mut self, data: &str) -> Said {
        self.bytes += data.len();
        self.unread.push_str(data);
        self.unread.push('\n');
        Said { is_unreadable: true, ..Said::default() }
    }

    /// `None` if something in it can't be read.
    fn choice(&mut self, choice: Choice<'_>, data: &str, said: &mut Said) -> Option<()> {
        let index = choice.index.unwrap_or(0);
        let known = self.choices.entry(index).or_default();
        // Some servers send an empty one with every chunk.
        known.is_finished |= choice.finish_reason.is_some_and(|reason| !reason.is_empty());
        let at = |raw: &RawValue| {
            let start = (raw.get().as_ptr() as usize).saturating_sub(data.as_ptr() as usize);
            start..start + raw.get().len()
        };
        said.removed.extend(choice.logprobs.filter(|raw| raw.get() != "null").map(at));
        let spoken = choice.delta.into_iter().chain(choice.message).flatten();
        let text = choice.text.map(|raw| (Cow::Borrowed("text"), raw));
        let mut fields: Vec<_> = spoken.chain(text).filter(|(_, raw)| raw.get() != "null").collect();
        // In the order in which they stand there.
        fields.sort_by_key(|(_, raw)| at(raw).start);
        for (field, raw) in fields {
            match (&*field, raw.get().as_bytes().first()) {
                ("tool_calls", _) => {
                    let tools: Vec<ToolDelta<'_>> = serde_json::from_str(raw.get()).ok()?;
                    said.has_more |= !tools.is_empty();
                    for tool in tools {
                        let added = known.tool(tool);
                        self.bytes += added.len();
                        self.tool_calls.push_str(&added);
                    }
                }
                ("function_call", _) => {
                    // The one call of the old interface is as good as the first of the new.
                    let function = serde_json::from_str(raw.get()).ok()?;
                    let others = HashMap::new();
                    said.has_more = true;
                    let added = known.tool(ToolDelta { index: None, id: None, function: Some(function), others });
                    self.bytes += added.len();
                    self.tool_calls.push_str(&added);
                }
                (name, Some(b'"')) if is_label(name) => {}
                (name, Some(b'"')) => {
                    let text: String = serde_json::from_str(raw.get()).ok()?;
                    if !text.is_empty() {
                        known.say(name, &text);
                        self.bytes += text.len();
                        said.pieces.push(Piece { voice: (index, name.to_owned()), text, bytes: at(raw) });
                    }
                }
                (name, Some(b'[' | b'{')) => {
                    let start = at(raw).start;
                    // Each string in it is a text of its own, which goes on from event to event.
                    strings::visit(raw.get(), &mut |token| {
                        let field = token.path.iter().rev().find(|step| !matches!(step, Step::Item));
                        let is_said = token.kind == Kind::Text && !token.is_medium_in(name) && !token.text.is_empty();
                        if !is_said || field.is_some_and(|step| is_label(step.name())) {
                            return;
                        }
                        let steps = token.path.iter().map(Step::name).filter(|name| *name != "#");
                        let voice = [name].into_iter().chain(steps).collect::<Vec<_>>().join(".");
                        known.say(&voice, &token.text);
                        self.bytes += token.text.len();
                        let bytes = start + token.bytes.start..start + token.bytes.end;
                        said.pieces.push(Piece { voice: (index, voice), text: token.text.into_owned(), bytes });
                    })
                    .ok()?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Of everything that was said.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All of it as one text, the way a whole answer has it. Never empty.
    pub(super) fn text(&self) -> String {
        let mut texts: Vec<String> = self.choices.values().map(ChoiceText::whole).collect();
        if !self.unread.is_empty() {
            texts.push(self.unread.clone());
        }
        let text = texts.join(BETWEEN);
        if text.trim().is_empty() { NOTHING.to_owned() } else { text }
    }

    /// Whether an identifier is spread over several texts and tool calls.
    pub(super) fn is_split(&self) -> bool {
        let mut split = Split::default();
        for choice in self.choices.values() {
            choice.texts.iter().for_each(|(_, text)| split.push(text));
            for tool in choice.tools.values() {
                split.push(&tool.arguments);
                tool.others.values().for_each(|text| split.push(text));
            }
        }
        split.is_found() || is_identifying(&self.tool_calls)
    }

    /// Whether a finding in the whole text stands in a string that was sent as such, not in a tool call.
    pub(super) fn covers(&self, finding: &Finding) -> bool {
        let mut at = 0;
        self.choices.values().any(|choice| {
            let (mut start, end) = (at, at + choice.whole().chars().count());
            at = end + BETWEEN.chars().count();
            choice.texts.iter().any(|(_, text)| {
                let from = start;
                start += text.chars().count() + 1;
                from <= finding.start && finding.end < start
            })
        })
    }
}

/// The text of a stream that said nothing.
pub(super) const NOTHING: &str = "[]";

impl ChoiceText {
    fn say(&mut self, field: &str, text: &str) {
        match self.texts.iter_mut().find(|(known, _)| known == field) {
            Some((_, so_far)) => so_far.push_str(text),
            None => self.texts.push((field.to_owned(), text.to_owned())),
        }
    }

    /// Returns the text that it added.
    fn tool(&mut self, tool: ToolDelta<'_>) -> String {
        let known = self.tools.entry(tool.index.unwrap_or(0)).or_default();
        known.id.push_str(tool.id.as_deref().unwrap_or_default());
        let mut added = String::new();
        if let Some(function) = tool.function {
            known.name.push_str(function.name.as_deref().unwrap_or_default());
            let arguments = match function.arguments {
                Some(Value::String(text)) => text,
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            };
            known.arguments.push_str(&arguments);
            added = arguments;
        }
        for (name, value) in tool.others.iter().filter(|(name, _)| *name != "type") {
            known.other(name.to_string(), value, &mut added);
        }
        added
    }

    fn whole(&self) -> String {
        let mut parts: Vec<String> = self.texts.iter().map(|(_, text)| text.clone()).collect();
        if !self.tools.is_empty() {
            parts.push(Value::Array(self.tools.values().map(Tool::shown).collect()).to_string());
        }
        parts.join("\n")
    }
}

impl Tool {
    fn other(&mut self, path: String, value: &Value, added: &mut String) {
        let mut say = |text: &str| {
            added.push_str(text);
            self.others.entry(path.clone()).or_default().push_str(text);
        };
        match value {
            Value::Null => {}
            Value::String(text) => say(text),
            Value::Bool(_) | Value::Number(_) => say(&format!("{value} ")),
            Value::Array(items) => items.iter().for_each(|item| self.other(path.clone(), item, added)),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| self.other(format!("{path}.{name}"), value, added));
            }
        }
    }

    fn shown(&self) -> Value {
        let mut shown = json!({
            "id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments},
        });
        if !self.others.is_empty() {
            shown["others"] = json!(self.others);
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_adds_up_to_the_text_of_its_choices() {
        let mut transcript = Transcript::default();
        let first =
            transcript.take(r#"{"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Par"}}]}"#);
        assert_eq!((first.pieces[0].text.as_str(), first.is_finished), ("Par", false));
        transcript.take(r#"{"choices":[{"index":1,"delta":{"content":"B"}},{"index":0,"delta":{"content":"is"}}]}"#);
        let one = transcript.take(r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#);
        assert!(!one.is_finished, "the other choice goes on");
        let empty = transcript.take(r#"{"choices":[{"index":1,"delta":{},"finish_reason":""}]}"#);
        assert!(!empty.is_finished, "an empty reason is none");
        let both = transcript.take(r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#);
        assert!(both.is_finished);
        transcript.take(r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#);
        assert_eq!((transcript.text().as_str(), transcript.usage.total()), ("Paris\n\nB", Some(3)));
    }

    #[test]
    fn every_string_that_is_said_is_text() {
        let mut transcript = Transcript::default();
        for delta in [r#"{"reasoning_content":"think "}"#, r#"{"reasoning_content":"hard"}"#, r#"{"content":"Paris"}"#]
        {
            let said = transcript.take(&format!(r#"{{"choices":[{{"index":null,"delta":{delta}}}]}}"#));
            assert_eq!((said.pieces.len(), said.has_more), (1, false));
        }
        for part in ["in p", "arts"] {
            let data = format!(r#"{{"choices":[{{"delta":{{"content":[{{"type":"text","text":"{part}"}}]}}}}]}}"#);
            let said = transcript.take(&data);
            assert_eq!(&data[said.pieces[0].bytes.clone()], format!("\"{part}\""));
        }
        assert_eq!(transcript.text(), "think hard\nParis\nin parts");
    }

    #[test]
    fn the_pieces_of_a_tool_call_are_put_together() {
        let mut transcript = Transcript::default();
        for delta in [
            r#"{"index":0,"id":"c1","function":{"name":"pay","arguments":"{\"a\""}}"#,
            r#"{"index":0,"function":{"arguments":":1}"}}"#,
        ] {
            let said = transcript.take(&format!(r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{delta}]}}}}]}}"#));
            assert!(said.has_more && said.pieces.is_empty());
        }
        let whole: Value = serde_json::from_str(&transcript.text()).unwrap();
        assert_eq!(whole[0]["function"], json!({"name": "pay", "arguments": "{\"a\":1}"}));
        let custom = r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"custom":{"input":"to jo"}}]}}]}"#;
        assert!(transcript.take(custom).has_more);
        let object = r#"{"choices":[{"delta":{"tool_calls":[{"index":2,"function":{"arguments":{"b":2}}}]}}]}"#;
        assert!(!transcript.take(object).is_unreadable);
        assert!(transcript.text().contains("to jo") && transcript.text().contains(r#"{\"b\":2}"#));
    }

    #[test]
    fn the_pieces_of_a_tool_of_another_kind_are_put_together() {
        let custom = |index: u32, input: &str| {
            format!(
                r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"type":"custom","custom":{{"input":"{input}"}}}}]}}}}]}}"#
            )
        };
        let mut transcript = Transcript::default();
        ["4539", " 526", "0 18", "15 9", "083"].iter().for_each(|input| drop(transcript.take(&custom(0, input))));
        assert!(transcript.text().contains("4539 5260 1815 9083"), "{}", transcript.text());
        // In turns of two calls neither holds it.
        let mut transcript = Transcript::default();
        for (n, input) in ["4539", " 526", "0 18", "15 9", "083"].iter().enumerate() {
            transcript.take(&custom(n as u32 % 2, input));
        }
        assert!(transcript.is_split() && !transcript.text().contains("4539 5260"));
    }

    #[test]
    fn what_can_not_be_read_is_said_and_kept() {
        for data in [
            "not json",
            r#"{"choices":{}}"#,
            r#"{"choices":[{"index":-1}]}"#,
            r#"{"choices":[{"delta":{"content":"\ud800"}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":"x"}}]}"#,
            r#"{"choices":[],"choices":[]}"#,
        ] {
            let mut transcript = Transcript::default();
            assert!(transcript.take(data).is_unreadable, "{data}");
            assert!(transcript.text().contains(data));
        }
        let mut transcript = Transcript::default();
        assert!(transcript.take(r#"{"error":{"message":"overloaded"}}"#).is_error);
        assert!(!transcript.take(r#"{"choices":[],"usage":{"prompt_tokens":-1.5}}"#).is_unreadable);
        assert_eq!(transcript.text(), NOTHING);
    }
}
