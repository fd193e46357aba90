//! The transcript of a stream: the text of each choice and field, accumulated event by event.
//!
//! Every string of a delta counts as text, even in unknown fields, because text that isn't read can't be audited. An event that
//! can't be read is kept unchanged, and marked.
//!
//! | file            | job                                                                                |
//! |-----------------|------------------------------------------------------------------------------------|
//! | `wire.rs`       | a chunk in its wire format                                                         |
//! | `tool_calls.rs` | tool calls, whose parts come in several events                                     |
//! | `enforced.rs`   | which parts of an event an enforced policy removes                                 |

mod enforced;
#[cfg(test)]
mod tests;
mod tool_calls;
mod wire;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use countersign_inspect::Finding;
use countersign_llm::Usage;
use serde_json::{Value, value::RawValue};

use self::{
    tool_calls::ToolCall,
    wire::{ChoiceDelta, Chunk, ToolCallDelta},
};
use super::{
    completion::{BETWEEN_CHOICES, WireUsage, is_label},
    split_identifiers::{SplitIdentifiers, is_identifying},
};
use crate::json_parts::{self, JsonStep, PartKind};

/// The text of an empty stream.
pub(super) const EMPTY: &str = "[]";

/// One text of a stream: the choice's index and the field's path, such as `content` or `refusal`.
pub(super) type TextField = (u32, String);

/// A string of one event, which continues a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextDelta {
    pub(super) field: TextField,
    pub(super) text: String,
    /// Its place in the event's data, in bytes, quotes included.
    pub(super) bytes: Range<usize>,
}

/// The text that one event adds to the transcript, and how the event must be treated.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct EventText {
    pub(super) deltas: Vec<TextDelta>,
    /// Whether it contains a part of a tool call. Tool calls are inspected as a whole.
    pub(super) has_tool_call: bool,
    /// Whether every choice seen so far has ended.
    pub(super) is_finished: bool,
    /// Whether the provider ended the stream with an error.
    pub(super) is_error: bool,
    pub(super) is_unreadable: bool,
    /// The parts of the event's data that an enforced policy removes.
    pub(super) removed: Vec<Range<usize>>,
}

/// The text of a stream so far.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) model: Option<String>,
    pub(super) usage: Usage,
    choices: BTreeMap<u32, ChoiceText>,
    /// The texts of all tool calls in order of arrival: the parts of two calls may alternate.
    tool_calls: String,
    /// Unreadable data, unchanged.
    unread: String,
    bytes: usize,
    /// The first value of each label, by its path. A label that changes from event to event could spell something out.
    labels: HashMap<String, String>,
}

#[derive(Default)]
struct ChoiceText {
    /// Each field's text, in the order in which the fields first appeared.
    texts: Vec<(String, String)>,
    tool_calls: BTreeMap<u32, ToolCall>,
    is_finished: bool,
}

impl Transcript {
    /// Adds an event's data.
    pub(super) fn add(&mut self, data: &str) -> EventText {
        let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(data) else { return self.add_unreadable(data) };
        if let Some(model) = chunk.model.filter(|_| self.model.is_none()) {
            self.model = Some(model.into_owned());
        }
        if let Some(usage) = chunk.usage.and_then(|usage| serde_json::from_str::<WireUsage>(usage.get()).ok()) {
            self.usage = usage.into();
        }
        let mut added = EventText { is_error: chunk.error.is_some_and(|e| e.get() != "null"), ..EventText::default() };
        for choice in chunk.choices.unwrap_or_default() {
            if self.add_choice(choice, data, &mut added).is_none() {
                return self.add_unreadable(data);
            }
        }
        added.is_finished = !self.choices.is_empty() && self.choices.values().all(|choice| choice.is_finished);
        added
    }

    /// Keeps data that can't be read, so that the record has it.
    pub(super) fn add_unreadable(&mut self, data: &str) -> EventText {
        self.bytes += data.len();
        self.unread.push_str(data);
        self.unread.push('\n');
        EventText { is_unreadable: true, ..EventText::default() }
    }

    /// Adds one choice of an event. `None` if something in it can't be read.
    fn add_choice(&mut self, choice: ChoiceDelta<'_>, data: &str, added: &mut EventText) -> Option<()> {
        let index = choice.index.unwrap_or(0);
        let choice_text = self.choices.entry(index).or_default();
        // Some servers send an empty reason with every chunk.
        choice_text.is_finished |= choice.finish_reason.is_some_and(|reason| !reason.is_empty());
        let at = |raw: &RawValue| {
            let start = (raw.get().as_ptr() as usize).saturating_sub(data.as_ptr() as usize);
            start..start + raw.get().len()
        };
        added.removed.extend(choice.logprobs.filter(|raw| raw.get() != "null").map(at));
        let delta = choice.delta.into_iter().chain(choice.message).flatten();
        let text = choice.text.map(|raw| (Cow::Borrowed("text"), raw));
        let mut fields: Vec<_> = delta.chain(text).filter(|(_, raw)| raw.get() != "null").collect();
        // Restore the order of the JSON.
        fields.sort_by_key(|(_, raw)| at(raw).start);
        for (field, raw) in fields {
            match (&*field, raw.get().as_bytes().first()) {
                ("tool_calls", _) => {
                    let tools: Vec<ToolCallDelta<'_>> = serde_json::from_str(raw.get()).ok()?;
                    added.has_tool_call |= !tools.is_empty();
                    for tool in tools {
                        let text = choice_text.add_tool_call(tool);
                        self.bytes += text.len();
                        self.tool_calls.push_str(&text);
                    }
                }
                ("function_call", _) => {
                    // The legacy interface has a single call, which is treated as the first tool call.
                    let function = serde_json::from_str(raw.get()).ok()?;
                    let others = HashMap::new();
                    added.has_tool_call = true;
                    let call = ToolCallDelta { index: None, id: None, function: Some(function), others };
                    let text = choice_text.add_tool_call(call);
                    self.bytes += text.len();
                    self.tool_calls.push_str(&text);
                }
                (name, Some(b'"')) if is_label(name) => {}
                (name, Some(b'"')) => {
                    let text: String = serde_json::from_str(raw.get()).ok()?;
                    if !text.is_empty() {
                        choice_text.append(name, &text);
                        self.bytes += text.len();
                        added.deltas.push(TextDelta { field: (index, name.to_owned()), text, bytes: at(raw) });
                    }
                }
                (name, Some(b'[' | b'{')) => {
                    let start = at(raw).start;
                    // Each string in it is a text of its own, continued from event to event.
                    json_parts::visit(raw.get(), &mut |part| {
                        let field = part.path.iter().rev().find(|step| !matches!(step, JsonStep::Item));
                        let is_text = part.kind == PartKind::Text && !part.is_media_in(name) && !part.text.is_empty();
                        if !is_text || field.is_some_and(|step| is_label(step.name())) {
                            return;
                        }
                        let steps = part.path.iter().map(JsonStep::name).filter(|name| *name != "#");
                        let field = [name].into_iter().chain(steps).collect::<Vec<_>>().join(".");
                        choice_text.append(&field, &part.text);
                        self.bytes += part.text.len();
                        let bytes = start + part.bytes.start..start + part.bytes.end;
                        added.deltas.push(TextDelta { field: (index, field), text: part.text.into_owned(), bytes });
                    })
                    .ok()?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// The size of the whole text, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The whole transcript as one text, as for an answer in one piece. Never empty.
    pub(super) fn text(&self) -> String {
        let mut texts: Vec<String> = self.choices.values().map(ChoiceText::whole).collect();
        if !self.unread.is_empty() {
            texts.push(self.unread.clone());
        }
        let text = texts.join(BETWEEN_CHOICES);
        if text.trim().is_empty() { EMPTY.to_owned() } else { text }
    }

    /// Whether an identifier is spread over several texts and tool calls.
    pub(super) fn is_split(&self) -> bool {
        let mut split = SplitIdentifiers::default();
        for choice in self.choices.values() {
            choice.texts.iter().for_each(|(_, text)| split.push(text));
            for tool in choice.tool_calls.values() {
                split.push(&tool.arguments);
                tool.others.values().for_each(|text| split.push(text));
            }
        }
        split.is_found() || is_identifying(&self.tool_calls)
    }

    /// Whether a finding in the whole text is in a text field, where it can be masked, and not in a tool call.
    pub(super) fn covers(&self, finding: &Finding) -> bool {
        let mut at = 0;
        self.choices.values().any(|choice| {
            let (mut start, end) = (at, at + choice.whole().chars().count());
            at = end + BETWEEN_CHOICES.chars().count();
            choice.texts.iter().any(|(_, text)| {
                let from = start;
                start += text.chars().count() + 1;
                from <= finding.start && finding.end < start
            })
        })
    }
}

impl ChoiceText {
    fn append(&mut self, field: &str, text: &str) {
        match self.texts.iter_mut().find(|(known, _)| known == field) {
            Some((_, so_far)) => so_far.push_str(text),
            None => self.texts.push((field.to_owned(), text.to_owned())),
        }
    }

    /// Adds a part of a tool call. Returns the text that it added.
    fn add_tool_call(&mut self, delta: ToolCallDelta<'_>) -> String {
        self.tool_calls.entry(delta.index.unwrap_or(0)).or_default().add(delta)
    }

    fn whole(&self) -> String {
        let mut parts: Vec<String> = self.texts.iter().map(|(_, text)| text.clone()).collect();
        if !self.tool_calls.is_empty() {
            parts.push(Value::Array(self.tool_calls.values().map(ToolCall::to_json).collect()).to_string());
        }
        parts.join("\n")
    }
}
