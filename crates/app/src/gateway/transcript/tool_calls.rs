//! Tool calls, whose parts come in several events.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::wire::ToolCallDelta;

#[derive(Default)]
pub(super) struct ToolCall {
    id: String,
    name: String,
    pub(super) arguments: String,
    /// The texts of other kinds of tools, by their path. They too may come in several events.
    pub(super) others: BTreeMap<String, String>,
}

impl ToolCall {
    /// Adds an event's part of this call. Returns the text that it added.
    pub(super) fn add(&mut self, delta: ToolCallDelta<'_>) -> String {
        self.id.push_str(delta.id.as_deref().unwrap_or_default());
        let mut added = String::new();
        if let Some(function) = delta.function {
            self.name.push_str(function.name.as_deref().unwrap_or_default());
            let arguments = match function.arguments {
                Some(Value::String(text)) => text,
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            };
            self.arguments.push_str(&arguments);
            added = arguments;
        }
        for (name, value) in delta.others.iter().filter(|(name, _)| *name != "type") {
            self.add_other(name.to_string(), value, &mut added);
        }
        added
    }

    fn add_other(&mut self, path: String, value: &Value, added: &mut String) {
        let mut append = |text: &str| {
            added.push_str(text);
            self.others.entry(path.clone()).or_default().push_str(text);
        };
        match value {
            Value::Null => {}
            Value::String(text) => append(text),
            Value::Bool(_) | Value::Number(_) => append(&format!("{value} ")),
            Value::Array(items) => items.iter().for_each(|item| self.add_other(path.clone(), item, added)),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| self.add_other(format!("{path}.{name}"), value, added));
            }
        }
    }

    /// The call as an answer in one piece would contain it.
    pub(super) fn to_json(&self) -> Value {
        let mut call = json!({
            "id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments},
        });
        if !self.others.is_empty() {
            call["others"] = json!(self.others);
        }
        call
    }
}
