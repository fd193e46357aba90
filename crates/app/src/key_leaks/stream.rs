//! Watches a stream for a provider's key that is spelt out over several events.

use std::collections::HashMap;

use countersign_llm::{Secrets, Tail};

use super::without_disguise;
use crate::json_parts::{self, JsonStep, PartKind};

/// The maximum number of fields that are followed from event to event. No real stream has more.
const FIELDS_MAX: usize = 1_024;
/// The name under which all texts together are followed, in order of arrival.
const ALL_FIELDS: &str = "";

pub(crate) struct StreamKeyWatch {
    secrets: Secrets,
    /// The end of each field's text so far, by the field's path.
    tails: HashMap<String, Tail>,
}

impl StreamKeyWatch {
    pub(crate) fn new(secrets: Secrets) -> Self {
        Self { secrets, tails: HashMap::new() }
    }

    /// Reads an event's data. `true` if it completes a short key or a part of a longer one, in one field or in all fields
    /// together.
    pub(crate) fn completes_key(&mut self, data: &str) -> bool {
        if self.secrets.is_empty() {
            return false;
        }
        let mut is_found = self.secrets.are_escaped_in(data) || self.secrets.are_traced_in(data);
        let visited = json_parts::visit(data, &mut |part| {
            if part.kind == PartKind::Text {
                let field = part.path.iter().map(JsonStep::name).collect::<Vec<_>>().join("/");
                is_found |= self.follow(field, &part.text)
                    || !part.is_in_label_field() && self.follow(ALL_FIELDS.into(), &part.text);
            }
        });
        if visited.is_err() {
            is_found |= self.follow(ALL_FIELDS.into(), data);
        }
        is_found
    }

    /// Whether a text ends in what may be the beginning of a key, so that its events must wait for the text that follows.
    pub(crate) fn is_open(&self) -> bool {
        self.tails.values().any(|tail| self.secrets.may_have_begun(tail))
    }

    fn follow(&mut self, field: String, text: &str) -> bool {
        if self.tails.len() >= FIELDS_MAX {
            self.tails.clear();
        }
        self.secrets.follow(self.tails.entry(field).or_default(), &without_disguise(text))
    }
}
