//! Watches for a provider's key that a stream spells out over several events, or that a whole body hides. One that stands plainly in
//! the bytes has been removed from them already.

use std::{borrow::Cow, collections::HashMap};

use countersign_inspect::{plain, readings};
use countersign_llm::{Secrets, Tail};

use super::{
    answer::LABELS,
    strings::{self, Kind, Step, Token},
};

/// The most fields that are followed from event to event. No real stream has more.
const FIELDS_MAX: usize = 1_024;
/// All texts together, in the order in which they come.
const TOGETHER: &str = "";

pub(super) struct KeyWatch {
    secrets: Secrets,
    /// The end of each field's text so far, by the field's path.
    tails: HashMap<String, Tail>,
}

impl KeyWatch {
    pub(super) fn new(secrets: Secrets) -> Self {
        Self { secrets, tails: HashMap::new() }
    }

    /// Takes an event's data. `true` if it completes a part of a key, in one field or in all of them together.
    pub(super) fn take(&mut self, data: &str) -> bool {
        if self.secrets.is_empty() {
            return false;
        }
        let mut is_found = self.secrets.are_escaped_in(data) || self.secrets.are_traced_in(data);
        let visited = strings::visit(data, &mut |token| {
            if token.kind == Kind::Text {
                let field = token.path.iter().map(Step::name).collect::<Vec<_>>().join("/");
                is_found |=
                    self.follow(field, &token.text) || !is_label(&token) && self.follow(TOGETHER.into(), &token.text);
            }
        });
        if visited.is_err() {
            is_found |= self.follow(TOGETHER.into(), data);
        }
        is_found
    }

    /// Whether a text ends in so much of a key that it has to wait for what follows.
    pub(super) fn is_open(&self) -> bool {
        self.tails.values().any(|tail| self.secrets.may_have_begun(tail))
    }

    fn follow(&mut self, field: String, text: &str) -> bool {
        if self.tails.len() >= FIELDS_MAX {
            self.tails.clear();
        }
        self.secrets.follow(self.tails.entry(field).or_default(), &folded(text))
    }
}

/// Whether a whole body holds a key that its bytes don't show: in another code, in a disguise, encoded twice, or in parts over
/// several strings.
pub(crate) fn is_hidden_in(body: &str, secrets: &Secrets) -> bool {
    if secrets.is_empty() {
        return false;
    }
    let mut strung = String::new();
    // A body that isn't JSON, such as an error page, is read as it stands.
    let _ = strings::visit(body, &mut |token| {
        if token.kind == Kind::Text && (!is_label(&token) || token.has_digits()) {
            strung.push_str(&token.text);
        }
    });
    let text = if strung.is_empty() { body } else { &strung };
    let is_seen = |text: &str| secrets.are_in(text) || secrets.are_traced_in(text);
    secrets.are_escaped_in(body)
        || secrets.are_traced_in(body)
        || is_seen(&folded(text))
        || readings(text).iter().any(|text| is_seen(text))
}

/// Letters as they are meant, where some of them are not ASCII.
fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { plain(text) }
}

fn is_label(token: &Token<'_, '_>) -> bool {
    token.path.last().is_some_and(|step| LABELS.iter().any(|label| step.is(label)))
}
