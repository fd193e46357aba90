//! Reads an event under an enforced policy: every part that is neither inspected text nor a harmless label is removed.

use super::{EventText, Transcript};
use crate::{
    gateway::completion::is_label,
    json_parts::{self, JsonPart, JsonStep, PartKind},
};

/// Labels whose values may hold digits, if the value is the same in every event.
const KNOWN_LABELS: [&str; 7] = ["id", "object", "model", "system_fingerprint", "service_tier", "provider", "role"];
/// A number with at most this many digits is a count.
const COUNT_DIGITS_MAX: usize = 3;

/// Whether a part of an event is kept.
enum PartFate {
    Keep,
    Remove,
    /// The part can't be removed, so the event counts as unreadable.
    Unreadable,
}

impl Transcript {
    /// Adds an event's data, and marks for removal every part that is neither text nor a label.
    pub(in crate::gateway) fn add_enforced(&mut self, data: &str) -> EventText {
        let mut text = self.add(data);
        let mut is_readable = !text.is_unreadable;
        let visited = json_parts::visit(data, &mut |part| match self.fate_of(&part) {
            PartFate::Keep => {}
            PartFate::Remove => text.removed.push(part.bytes),
            PartFate::Unreadable => is_readable = false,
        });
        if visited.is_ok() && is_readable { text } else { self.add_unreadable(data) }
    }

    fn fate_of(&mut self, part: &JsonPart<'_, '_>) -> PartFate {
        let path: Vec<&str> = part.path.iter().map(JsonStep::name).collect();
        match (part.kind, path.as_slice()) {
            // The log probabilities are removed as a whole.
            (PartKind::Key, ["choices", _, "logprobs", _, ..]) => PartFate::Keep,
            (PartKind::Text | PartKind::Number, ["choices", _, "logprobs", ..]) => PartFate::Keep,
            (PartKind::Key, _) if part.is_label() => PartFate::Keep,
            (PartKind::Key, _) => PartFate::Unreadable,
            (PartKind::Number, path) => self.fate_of_number(path, part),
            (PartKind::Text, _) if part.is_media() => PartFate::Remove,
            (PartKind::Text, ["choices", _, "text"]) => PartFate::Keep,
            // Tool calls are inspected as a whole. A function keeps only its name and its arguments.
            (
                PartKind::Text,
                ["choices", _, "delta" | "message", "tool_calls", _, "function", "name" | "arguments"],
            )
            | (PartKind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "id"])
            | (PartKind::Text, ["choices", _, "delta" | "message", "function_call", "name" | "arguments"]) => {
                PartFate::Keep
            }
            (PartKind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "function", ..])
            | (PartKind::Text, ["choices", _, "delta" | "message", "function_call", ..]) => PartFate::Remove,
            (PartKind::Text, ["choices", _, "delta" | "message", "tool_calls", _, "type"]) => {
                self.fate_of_label(&path, part)
            }
            (PartKind::Text, ["choices", _, "delta" | "message", "tool_calls", ..]) => PartFate::Keep,
            // A text field, which is inspected on its own.
            (PartKind::Text, ["choices", _, "delta" | "message", .., field]) if !is_label(field) => PartFate::Keep,
            (PartKind::Text, path) => self.fate_of_label(path, part),
        }
    }

    /// Only fields that are known to be numbers may hold numbers: others could spell something out digit by digit.
    fn fate_of_number(&mut self, path: &[&str], part: &JsonPart<'_, '_>) -> PartFate {
        let is_count = part.text.len() <= COUNT_DIGITS_MAX;
        let is_kept = match path {
            ["created"] => {
                let first = self.labels.entry("created".to_owned()).or_insert_with(|| part.text.clone().into_owned());
                part.is_time() && *first == part.text
            }
            [.., "index"] => is_count,
            path => path.contains(&"usage") && (is_count || !part.is_long_number()),
        };
        if is_kept { PartFate::Keep } else { PartFate::Remove }
    }

    fn fate_of_label(&mut self, path: &[&str], part: &JsonPart<'_, '_>) -> PartFate {
        if !part.is_label() || part.digits_identify() {
            return PartFate::Remove;
        }
        let is_known = path.last().is_some_and(|field| KNOWN_LABELS.contains(field));
        if !part.has_digits() {
            return PartFate::Keep;
        }
        let first = self.labels.entry(path.join("/")).or_insert_with(|| part.text.clone().into_owned());
        if is_known && *first == part.text { PartFate::Keep } else { PartFate::Remove }
    }
}
