//! Reading the context: the position of the walk, and what the enclosing objects say about a value.

use std::collections::{HashMap, hash_map::Entry};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::calendar::Moment;
use crate::key::ContextKey;

/// The current position. It is changed on the way down and restored on the way up, so that nothing is copied for each
/// value.
#[derive(Default)]
pub(crate) struct WalkPosition<'a> {
    pub(super) keys: Vec<Rc<ContextKey<'a>>>,
    pub(super) path: String,
    pub(super) enclosing: ObjectContext<'a>,
    /// Whether the position is inside the sender's `metadata`.
    pub(super) is_outside: bool,
    /// All keys seen so far.
    pub(super) known: HashMap<&'a str, Rc<ContextKey<'a>>>,
    /// The index in `reads` of each text seen so far.
    pub(super) texts: HashMap<&'a str, usize>,
    pub(super) reads: Vec<KnownText>,
}

/// What is known about a text, which may occur in many places of the context.
#[derive(Default, Clone, Copy)]
pub(super) struct KnownText {
    pub(super) moment: Option<Moment>,
    /// The country, if the text is the name of one.
    pub(super) named: Option<&'static str>,
    /// Whether the text has already been added as a phrase, as a sentence, and as an id.
    pub(super) is_phrase: bool,
    pub(super) is_sentence: bool,
    pub(super) is_id: bool,
    pub(super) is_redacted: bool,
    /// Whether the text has no figure and no country.
    pub(super) is_without_figures: bool,
}

/// What the enclosing objects say about all values in them.
#[derive(Default, Clone, Copy)]
pub(super) struct ObjectContext<'a> {
    pub(super) signal: Option<usize>,
    pub(super) country: Option<&'static str>,
    pub(super) unit: &'a str,
    pub(super) event_kind: &'a str,
    /// The name of a rule.
    pub(super) name: &'a str,
}

/// The texts in an object that describe its other values.
#[derive(Default)]
pub(super) struct ObjectLabels<'a> {
    pub(super) amount: Option<&'a str>,
    pub(super) currency: Option<&'a str>,
    pub(super) unit: Option<&'a str>,
    pub(super) event_kind: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    pub(super) country: Option<&'a str>,
    pub(super) signal: Option<&'a str>,
}

impl<'a> ObjectLabels<'a> {
    pub(super) fn of(object: &'a Map<String, Value>) -> Self {
        let mut labels = Self::default();
        for (key, value) in object {
            let field = match key.as_str() {
                "amount" => &mut labels.amount,
                "currency" => &mut labels.currency,
                "unit" => &mut labels.unit,
                "happening" => &mut labels.event_kind,
                "name" => &mut labels.name,
                "country" => &mut labels.country,
                "signal" => &mut labels.signal,
                _ => continue,
            };
            *field = value.as_str();
        }
        labels
    }
}

/// The state to restore on the way up.
pub(super) struct ParentPosition {
    pub(super) path: usize,
    pub(super) was_outside: bool,
    pub(super) is_new_key: bool,
}

impl<'a> WalkPosition<'a> {
    /// A position at the root of the context, with capacity for this many keys and texts.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { known: HashMap::with_capacity(capacity), texts: HashMap::with_capacity(capacity), ..Self::default() }
    }

    pub(super) fn last(&self) -> &str {
        self.keys.last().map_or("", |key| key.name.as_ref())
    }

    pub(super) fn parent(&self) -> &str {
        self.keys.iter().rev().nth(1).map_or("", |key| key.name.as_ref())
    }

    pub(super) fn is_under(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known.name == key)
    }

    pub(super) fn enter(&mut self, key: &'a str) -> ParentPosition {
        let entry = self.known.entry(key);
        let is_new_key = matches!(entry, Entry::Vacant(_));
        self.keys.push(Rc::clone(entry.or_insert_with(|| Rc::new(ContextKey::of(key)))));
        let above = ParentPosition { path: self.path.len(), was_outside: self.is_outside, is_new_key };
        self.path.push('/');
        if key.contains(['~', '/']) {
            self.path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.path.push_str(key);
        }
        self.is_outside |= key == "metadata";
        above
    }

    /// The index of a text in `reads`.
    pub(super) fn read(&mut self, text: &'a str) -> usize {
        let next = self.reads.len();
        let at = *self.texts.entry(text).or_insert(next);
        if at == next {
            let moment = (text.len() <= 40).then(|| Moment::parse(text)).flatten();
            self.reads.push(KnownText { moment, ..KnownText::default() });
        }
        at
    }

    pub(super) fn leave(&mut self, above: &ParentPosition) {
        self.path.truncate(above.path);
        self.keys.pop();
        self.is_outside = above.was_outside;
    }
}
