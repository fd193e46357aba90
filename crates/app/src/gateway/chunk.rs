//! The text of one event of a stream, by choice, and what a whole stream added up to.

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use countersign_inspect::Finding;
use countersign_llm::Usage;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::answer::{BETWEEN, WireUsage};

/// What of a chunk concerns us.
#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: u32,
    #[serde(borrow, default)]
    delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<ToolDelta<'a>>>,
    #[serde(borrow, default)]
    function_call: Option<FunctionDelta<'a>>,
}

#[derive(Deserialize)]
struct ToolDelta<'a> {
    #[serde(default)]
    index: u32,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    function: Option<FunctionDelta<'a>>,
}

#[derive(Deserialize)]
struct FunctionDelta<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    arguments: Option<Cow<'a, str>>,
}

/// A string of one event that adds to a choice's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) choice: u32,
    pub(super) text: String,
    /// In the event's data, in bytes, quotes included.
    pub(super) bytes: Range<usize>,
}

/// What one event said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) pieces: Vec<Piece>,
    /// Part of a tool call, which is inspected whole.
    pub(super) has_tools: bool,
    /// Every choice seen so far has ended.
    pub(super) is_finished: bool,
    /// The provider broke off with an error.
    pub(super) is_error: bool,
}

/// What a stream has said so far.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    choices: BTreeMap<u32, ChoiceText>,
    bytes: usize,
}

#[derive(Default)]
struct ChoiceText {
    text: String,
    tools: BTreeMap<u32, Tool>,
    is_finished: bool,
}

#[derive(Default)]
struct Tool {
    id: String,
    name: String,
    arguments: String,
}

impl Transcript {
    /// Takes an event's data in. What is no chunk says nothing.
    pub(super) fn take(&mut self, data: &str) -> Said {
        let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(data) else { return Said::default() };
        if let Some(model) = chunk.model.filter(|_| self.model.is_none()) {
            self.model = Some(model.into_owned());
        }
        if let Some(usage) = chunk.usage {
            self.usage = usage.into();
        }
        let mut said = Said { is_error: chunk.error.is_some_and(|e| e.get() != "null"), ..Said::default() };
        for choice in chunk.choices.unwrap_or_default() {
            self.choice(choice, data, &mut said);
        }
        said.is_finished = !self.choices.is_empty() && self.choices.values().all(|choice| choice.is_finished);
        said
    }

    fn choice(&mut self, choice: Choice<'_>, data: &str, said: &mut Said) {
        let known = self.choices.entry(choice.index).or_default();
        if choice.finish_reason.is_some() {
            known.is_finished = true;
        }
        let Some(delta) = choice.delta else { return };
        for raw in [delta.content, delta.refusal].into_iter().flatten() {
            let Ok(text) = serde_json::from_str::<String>(raw.get()) else { continue };
            if text.is_empty() {
                continue;
            }
            known.text.push_str(&text);
            self.bytes += text.len();
            let at = (raw.get().as_ptr() as usize).saturating_sub(data.as_ptr() as usize);
            said.pieces.push(Piece { choice: choice.index, text, bytes: at..at + raw.get().len() });
        }
        // The one call of the old interface is as good as the first of the new.
        let old = delta.function_call.map(|function| ToolDelta { index: 0, id: None, function: Some(function) });
        for tool in delta.tool_calls.unwrap_or_default().into_iter().chain(old) {
            said.has_tools = true;
            let known = known.tools.entry(tool.index).or_default();
            known.id.push_str(tool.id.as_deref().unwrap_or_default());
            if let Some(function) = tool.function {
                known.name.push_str(function.name.as_deref().unwrap_or_default());
                let arguments = function.arguments.as_deref().unwrap_or_default();
                known.arguments.push_str(arguments);
                self.bytes += arguments.len();
            }
        }
    }

    /// Of everything that was said.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All of it as one text, the way a whole answer has it. Never empty.
    pub(super) fn text(&self) -> String {
        let texts: Vec<String> = self.choices.values().map(ChoiceText::whole).collect();
        let text = texts.join(BETWEEN);
        if text.trim().is_empty() { "[]".to_owned() } else { text }
    }

    /// Whether a finding in the whole text stands in what a choice said, not in a tool call.
    pub(super) fn covers(&self, finding: &Finding) -> bool {
        let mut at = 0;
        self.choices.values().any(|choice| {
            let start = at;
            at += choice.whole().chars().count() + BETWEEN.chars().count();
            start <= finding.start && finding.end <= start + choice.text.chars().count()
        })
    }
}

impl ChoiceText {
    fn whole(&self) -> String {
        if self.tools.is_empty() {
            return self.text.clone();
        }
        let tools: Vec<Value> = self
            .tools
            .values()
            .map(|tool| json!({"id": tool.id, "type": "function", "function": {"name": tool.name, "arguments": tool.arguments}}))
            .collect();
        let tools = Value::Array(tools).to_string();
        if self.text.is_empty() { tools } else { format!("{}\n{tools}", self.text) }
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
        let both = transcript.take(r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#);
        assert!(both.is_finished);
        transcript.take(r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#);
        assert_eq!((transcript.text().as_str(), transcript.usage.total()), ("Paris\n\nB", Some(3)));
    }

    #[test]
    fn the_pieces_of_a_tool_call_are_put_together() {
        let mut transcript = Transcript::default();
        for delta in [
            r#"{"index":0,"id":"c1","function":{"name":"pay","arguments":"{\"a\""}}"#,
            r#"{"index":0,"function":{"arguments":":1}"}}"#,
        ] {
            let said = transcript.take(&format!(r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{delta}]}}}}]}}"#));
            assert!(said.has_tools && said.pieces.is_empty());
        }
        let whole: Value = serde_json::from_str(&transcript.text()).unwrap();
        assert_eq!(whole[0]["function"], json!({"name": "pay", "arguments": "{\"a\":1}"}));
    }

    #[test]
    fn what_is_no_chunk_says_nothing() {
        let mut transcript = Transcript::default();
        assert_eq!(transcript.take("[DONE]"), Said::default());
        assert!(transcript.take(r#"{"error":{"message":"overloaded"}}"#).is_error);
        assert_eq!(transcript.text(), "[]");
    }
}
