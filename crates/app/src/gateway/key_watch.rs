//! Watches for a provider's key that a stream spells out over several events. One that stands in a single event has been removed
//! from its bytes already.

use std::collections::BTreeMap;

use countersign_inspect::readings;
use countersign_llm::Secrets;

use super::{
    answer::LABELS,
    chunk::{Said, Voice},
    strings::{self, Kind},
};

/// Fewer letters of a key tell nothing about it, and begin many words.
const START_BYTES_MIN: usize = 4;

pub(super) struct KeyWatch {
    secrets: Secrets,
    /// Per voice, the end of its text that may be the start of a key.
    open: BTreeMap<Voice, String>,
}

impl KeyWatch {
    pub(super) fn new(secrets: Secrets) -> Self {
        Self { secrets, open: BTreeMap::new() }
    }

    /// Takes what an event said. `true` if a key is complete, in one voice or in all of them together.
    pub(super) fn take(&mut self, said: &Said) -> bool {
        let pieces = said.pieces.iter().map(|piece| (&piece.voice, &piece.text));
        let tools = said.tools.iter().map(|(voice, text)| (voice, text));
        let all: Voice = (u32::MAX, String::new());
        pieces.chain(tools).any(|(voice, text)| self.is_spelt_by(voice, text) || self.is_spelt_by(&all, text))
    }

    /// Whether an event's data holds a key behind escapes, in whatever field.
    pub(super) fn are_escaped_in(&self, data: &str) -> bool {
        self.secrets.are_escaped_in(data)
    }

    /// Whether a text ends in so much of a key that it has to wait for what follows.
    pub(super) fn is_open(&self) -> bool {
        self.open.values().any(|start| start.len() >= START_BYTES_MIN)
    }

    fn is_spelt_by(&mut self, voice: &Voice, text: &str) -> bool {
        let mut text = match self.open.remove(voice) {
            Some(before) => before + text,
            None => text.to_owned(),
        };
        if self.secrets.are_in(&text) {
            return true;
        }
        let start = text.len() - self.secrets.started(&text);
        if start < text.len() {
            self.open.insert(voice.clone(), text.split_off(start));
        }
        false
    }
}

/// Whether a whole body holds a key that its bytes don't show: behind escapes, in a disguise, encoded, or in halves over several
/// strings.
pub(super) fn is_hidden_in(body: &str, secrets: &Secrets) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let mut strung = String::new();
    // A body that isn't JSON, such as an error page, is read as it stands.
    let _ = strings::visit(body, &mut |token| {
        let is_label = token.path.last().is_some_and(|step| LABELS.iter().any(|label| step.is(label)));
        if token.kind == Kind::Text && (!is_label || token.has_digits()) {
            strung.push_str(&token.text);
        }
    });
    secrets.are_escaped_in(body)
        || secrets.are_spread_in(&strung)
        || readings(if strung.is_empty() { body } else { &strung }).iter().any(|text| secrets.are_in(text))
}
