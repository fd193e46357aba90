//! Redaction: nothing becomes part of a `Context` without going through here.
//!
//! | what                                                            | becomes                        |
//! |-----------------------------------------------------------------|--------------------------------|
//! | the user's id                                                   | `***` and its last four characters, `***` for four or fewer |
//! | network addresses and devices                                   | `[REDACTED]`                   |
//! | name, e-mail, phone, address, birth, national id, account, card | removed, by key (`key.rs`)     |
//! | the same inside free text                                       | masked by the inspectors: `[EMAIL]` |
//! | the record's own user id, address and device, anywhere          | taken out (`scrub.rs`), keys and numbers included |
//!
//! Open JSON is bounded on the way: depth, entries, length of texts, and bytes in all. What is over the bounds is left out.

mod clean;
mod key;
mod scrub;

use std::{cell::RefCell, collections::HashMap};

use countersign_domain::{Alert, Money, Transaction};
use countersign_inspect::{identifiers, mask_pii};
use serde_json::{Map, Value};

use crate::figures;

pub(crate) use clean::{bounded, clean, cleaned, is_clean};
pub(crate) use key::{Key, Meaning};
pub(crate) use scrub::REDACTED;
use scrub::Scrubber;

const DEPTH_MAX: usize = 6;
const ENTRIES_MAX: usize = 64;
const KEY_CHARS_MAX: usize = 64;
const VALUE_CHARS_MAX: usize = 512;
/// Keys beyond this are not even looked at: open JSON of a million entries must not cost a million inspections.
const KEYS_READ_MAX: usize = 4 * ENTRIES_MAX;

const SEEN_MAX: usize = 1_024;
const SEEN_BYTES_MAX: usize = 1_024;

pub(crate) struct Redactor {
    scrubber: Scrubber,
    /// A customer's shops and cities come again and again.
    seen: RefCell<HashMap<String, String>>,
}

/// What may still be taken in of open JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    bytes_left: usize,
    /// Our detector computed them: a sum that happens to hold the digits of a short id is still that sum.
    figures_are_ours: bool,
}

impl Budget {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self { bytes_left: bytes_max, figures_are_ours: false }
    }

    pub(crate) fn of_detector(&mut self, figures_are_ours: bool) -> &mut Self {
        self.figures_are_ours = figures_are_ours;
        self
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(())
    }
}

impl Redactor {
    /// Knows the identifiers of the alert, of its transaction and of the customer's earlier ones.
    pub(crate) fn new(alert: &Alert, transaction: Option<&Transaction>, history: &[Transaction]) -> Self {
        let records = || transaction.into_iter().chain(history);
        let users = std::iter::once(&alert.user_id).chain(records().map(|record| &record.user_id));
        let users = users.map(|id| (id.as_str(), mask_id(id.as_str())));
        let devices = records().flat_map(|record| [&record.ip_address, &record.device_fingerprint]).flatten();
        let devices = devices.map(|value| (value.as_str(), REDACTED.to_owned()));
        Self { scrubber: Scrubber::new(users.chain(devices)), seen: RefCell::default() }
    }

    /// Free text: clean, masked, without the record's identifiers, at most `chars_max` long.
    pub(crate) fn text(&self, text: &str, chars_max: usize) -> String {
        if let Some(known) = self.seen.borrow().get(text) {
            return bounded(known.clone(), chars_max);
        }
        let plain = clean(text);
        let masked = mask_pii(&plain, &identifiers(&plain)).text;
        let shown = self.scrubber.scrub(masked);
        let mut seen = self.seen.borrow_mut();
        if seen.len() < SEEN_MAX && text.len() <= SEEN_BYTES_MAX {
            seen.insert(text.to_owned(), shown.clone());
        }
        bounded(shown, chars_max)
    }

    /// Text whose key says more about it than it does itself: `contact: 020 7946 0958`.
    fn text_of(&self, key: &Key, text: &str) -> String {
        let plain = clean(text);
        // By itself first: a word in the key can also speak for a text's harmlessness.
        let masked = mask_pii(&plain, &identifiers(&plain)).text;
        let prefix = format!("{}: ", key.spoken());
        let together = format!("{prefix}{masked}");
        let together = mask_pii(&together, &identifiers(&together)).text;
        let value = together.strip_prefix(&prefix).map_or(masked, str::to_owned);
        bounded(self.scrubber.scrub(value), VALUE_CHARS_MAX)
    }

    pub(crate) fn object(&self, fields: &Map<String, Value>, budget: &mut Budget) -> Map<String, Value> {
        self.fields(fields, None, DEPTH_MAX, budget)
    }

    /// The fields of an object that has a name.
    pub(crate) fn object_named(
        &self,
        name: &str,
        fields: &Map<String, Value>,
        budget: &mut Budget,
    ) -> Map<String, Value> {
        self.fields(fields, Some(&Key::read(&cleaned(name))), DEPTH_MAX, budget)
    }

    /// A value under a name, as `object` would take it.
    pub(crate) fn value(&self, name: &str, value: &Value, budget: &mut Budget) -> Option<Value> {
        self.entry(&Key::read(&cleaned(name)), None, value, DEPTH_MAX, budget)
    }

    fn fields(
        &self,
        fields: &Map<String, Value>,
        parent: Option<&Key>,
        depth_left: usize,
        budget: &mut Budget,
    ) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, value) in fields.iter().take(KEYS_READ_MAX) {
            if kept.len() >= ENTRIES_MAX {
                break;
            }
            let key = Key::read(&cleaned(name));
            let name = unused(self.text(name, KEY_CHARS_MAX), &kept);
            if budget.take(written_len(&name) + 2).is_none() {
                break;
            }
            if let Some(value) = self.entry(&key, parent, value, depth_left, budget) {
                kept.insert(name, value);
            }
        }
        kept
    }

    fn entry(
        &self,
        key: &Key,
        parent: Option<&Key>,
        value: &Value,
        depth_left: usize,
        budget: &mut Budget,
    ) -> Option<Value> {
        // Yes, no and nothing identify nobody.
        if matches!(value, Value::Bool(_) | Value::Null) {
            budget.take(6)?;
            return Some(value.clone());
        }
        let is_scalar = matches!(value, Value::String(_) | Value::Number(_));
        match key.meaning(parent) {
            Meaning::Removed => None,
            Meaning::Account if is_scalar => None,
            Meaning::Network => self.written(REDACTED.to_owned(), budget),
            // Four characters that are left of one id can be all of another.
            Meaning::PersonId if is_scalar => self.written(self.scrubber.scrub(mask_id(&clean(&plain(value)))), budget),
            Meaning::Person if is_scalar => self.person(value, budget),
            _ => self.plain(key, parent, value, depth_left, budget),
        }
    }

    fn plain(
        &self,
        key: &Key,
        parent: Option<&Key>,
        value: &Value,
        depth_left: usize,
        budget: &mut Budget,
    ) -> Option<Value> {
        match value {
            Value::Null | Value::Bool(_) => Some(value.clone()),
            Value::Number(number) => self.number(key, number, budget),
            Value::String(text) => self.written(self.text_of(key, text), budget),
            Value::Array(items) => {
                let depth_left = depth_left.checked_sub(1)?;
                budget.take(2)?;
                let items = items.iter().take(ENTRIES_MAX);
                Some(items.filter_map(|item| self.entry(key, parent, item, depth_left, budget)).collect())
            }
            Value::Object(fields) if budget.figures_are_ours && is_money(value) => {
                budget.take(fields.values().map(|text| text.to_string().len() + 12).sum())?;
                Some(value.clone())
            }
            Value::Object(fields) => {
                let depth_left = depth_left.checked_sub(1)?;
                budget.take(2)?;
                Some(Value::Object(self.fields(fields, Some(key), depth_left, budget)))
            }
        }
    }

    /// A number can be the customer's id, or a card's.
    fn number(&self, key: &Key, number: &serde_json::Number, budget: &mut Budget) -> Option<Value> {
        let text = number.to_string();
        if !budget.figures_are_ours && self.scrubber.is_identifier(number) {
            return self.written(mask_id(&text), budget);
        }
        let masked = self.text_of(key, &text);
        if masked.starts_with('[') {
            return self.written(masked, budget);
        }
        budget.take(text.len() + 1)?;
        if !number.is_f64() {
            return Some(Value::Number(number.clone()));
        }
        let steady = number.as_f64().and_then(figures::steady).and_then(serde_json::Number::from_f64);
        Some(steady.map_or(Value::String(text), Value::Number))
    }

    /// The record's own customer is shown as everywhere; anybody else goes.
    fn person(&self, value: &Value, budget: &mut Budget) -> Option<Value> {
        let text = clean(&plain(value));
        let scrubbed = self.scrubber.scrub(text.clone());
        let is_own = scrubbed == mask_id(&text);
        if is_own { self.written(scrubbed, budget) } else { None }
    }

    fn written(&self, text: String, budget: &mut Budget) -> Option<Value> {
        budget.take(written_len(&text) + 1)?;
        Some(Value::String(text))
    }
}

/// `***` and the last four characters; of four or fewer, nothing.
pub fn mask_id(id: &str) -> String {
    let chars = id.chars().count();
    let tail: String = if chars > 4 { id.chars().skip(chars - 4).collect() } else { String::new() };
    format!("***{tail}")
}

fn is_money(value: &Value) -> bool {
    serde_json::from_value::<Money>(value.clone())
        .is_ok_and(|money| serde_json::to_value(money).is_ok_and(|read| read == *value))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Length as JSON text; control characters are gone already.
fn written_len(text: &str) -> usize {
    text.len() + 2 + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// Two keys can become one when they are masked.
fn unused(name: String, taken: &Map<String, Value>) -> String {
    if !taken.contains_key(&name) {
        return name;
    }
    (2..).map(|n: u32| format!("{name} {n}")).find(|name| !taken.contains_key(name)).unwrap_or(name)
}
