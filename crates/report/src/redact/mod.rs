//! Redaction. Every value passes through this module before it becomes part of a `Context`.
//!
//! | what                                                            | becomes                        |
//! |-----------------------------------------------------------------|--------------------------------|
//! | the user's id                                                   | `***` and its last four characters, `***` for four or fewer |
//! | network addresses and devices                                   | `[REDACTED]`                   |
//! | fields of open JSON whose key is not on the allow-list          | withheld and counted (`key/`)  |
//! | name, e-mail, phone, address, birth, national id, account, card | removed, by key, and counted   |
//! | free text in any field                                          | masked (`free_text/`): `[NAME]`, `[EMAIL]` |
//! | the record's own user id, address and device, anywhere          | masked (`scrub.rs`), also in keys and numbers |
//!
//! | file           | job                                                                           |
//! |----------------|-------------------------------------------------------------------------------|
//! | this one       | the redactor: texts, ids and open JSON of one case                            |
//! | `record.rs`    | masks whole records of the API for viewers                                    |
//! | `clean.rs`     | one line of plain characters: nothing invisible, nothing disguised            |
//! | `scrub.rs`     | finds the record's own identifiers in any text                                |
//! | `key/`         | what the key of a field says about its value                                  |
//! | `free_text/`   | masks free text with all of the following                                     |
//! | `birth.rs`     | dates of birth and ages                                                       |
//! | `number.rs`    | numbers of accounts, cards and documents; coordinates                         |
//! | `address/`     | streets and postcodes                                                         |
//! | `person.rs`    | names of people                                                               |
//! | `opaque.rs`    | handles, random ids, encoded text                                             |
//! | `reference.rs` | ids from outside: which parts of them are harmless                            |
//! | `token.rs`     | a text as words and numbers; `lexicon.rs` knows the words, from `lists/`      |
//! | `span.rs`      | spans to mask, and the masked text                                            |
//!
//! Open JSON is bounded in depth, number of entries, length of texts and total bytes. What exceeds the bounds is withheld.

mod address;
mod birth;
mod clean;
mod free_text;
mod key;
mod lexicon;
mod number;
mod opaque;
mod person;
mod record;
mod reference;
mod scrub;
mod span;
mod token;

use std::{cell::RefCell, collections::HashMap};

use countersign_domain::{Alert, Money, Transaction};
use countersign_inspect::{identifiers, mask_pii};
use serde_json::{Map, Value};

use crate::figures;

pub(crate) use clean::{bounded, clean, cleaned, is_clean};
pub(crate) use key::{FieldKey, KeyMeaning};
use person::FieldKind;
pub use record::mask_records;
pub(crate) use reference::{is_digest, is_harmless_word};
pub(crate) use scrub::REDACTED;
use scrub::Scrubber;

const DEPTH_MAX: usize = 6;
const ENTRIES_MAX: usize = 64;
const KEY_CHARS_MAX: usize = 64;
const VALUE_CHARS_MAX: usize = 512;
/// The maximum number of keys of an object that are read. Further keys are not inspected at all, so that open JSON with a million
/// entries doesn't cost a million inspections.
const KEYS_READ_MAX: usize = 4 * ENTRIES_MAX;

/// The maximum number of texts that a redactor caches per kind, and the maximum length of each.
const CACHED_TEXTS_MAX: usize = 1_024;
const CACHED_TEXT_BYTES_MAX: usize = 1_024;

/// The maximum length of a free text in a context.
const TEXT_CHARS_MAX: usize = 600;

/// Removes the parts of an external id that could name a person. Some senders use e-mail addresses as ids.
pub fn mask_reference(id: &str) -> String {
    free_text::masked(id, None, FieldKind::Id, TEXT_CHARS_MAX)
}

/// Masks free text that people wrote, by the rules for memos.
pub fn mask_text(text: &str, chars_max: usize) -> String {
    free_text::masked(text, None, FieldKind::Prose, chars_max)
}

/// Redacts the texts of one case.
pub(crate) struct Redactor {
    scrubber: Scrubber,
    /// Cached results by text, one map per `FieldKind`: a customer's shops and cities occur many times.
    cache: RefCell<[HashMap<String, String>; 4]>,
}

/// How much more open JSON may be included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenJsonBudget {
    bytes_left: usize,
    /// The number of fields and entries that were left out.
    withheld: u64,
    /// Whether our own detector computed the figures. Its sums are kept even if they contain the digits of a short id.
    figures_are_ours: bool,
}

impl OpenJsonBudget {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self { bytes_left: bytes_max, withheld: 0, figures_are_ours: false }
    }

    pub(crate) fn set_figures_are_ours(&mut self, figures_are_ours: bool) -> &mut Self {
        self.figures_are_ours = figures_are_ours;
        self
    }

    pub(crate) fn withheld(&self) -> u64 {
        self.withheld
    }

    pub(crate) fn withhold(&mut self, fields: usize) {
        self.withheld = self.withheld.saturating_add(fields as u64);
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(())
    }
}

impl Redactor {
    /// A redactor that knows the identifiers of the alert, its transaction and the customer's earlier transactions.
    pub(crate) fn new(alert: &Alert, transaction: Option<&Transaction>, history: &[Transaction]) -> Self {
        let records = || transaction.into_iter().chain(history);
        let users = std::iter::once(&alert.user_id).chain(records().map(|record| &record.user_id));
        let users = users.map(|id| (id.as_str(), mask_id(id.as_str())));
        let devices = records().flat_map(|record| [&record.ip_address, &record.device_fingerprint]).flatten();
        let devices = devices.map(|value| (value.as_str(), REDACTED.to_owned()));
        Self { scrubber: Scrubber::new(users.chain(devices)), cache: RefCell::default() }
    }

    /// A redactor that knows these identifiers, each with its mask.
    fn of_identifiers(identifiers: &[(String, String)]) -> Self {
        let known = identifiers.iter().map(|(id, mask)| (id.as_str(), mask.clone()));
        Self { scrubber: Scrubber::new(known), cache: RefCell::default() }
    }

    /// Free text: memos, explanations, categories.
    pub(crate) fn text(&self, text: &str, chars_max: usize) -> String {
        self.masked(text, FieldKind::Prose, chars_max)
    }

    /// A shop's name. Names that read like a person's are masked.
    pub(crate) fn merchant(&self, text: &str, chars_max: usize) -> String {
        self.masked(text, FieldKind::Merchant, chars_max)
    }

    pub(crate) fn city(&self, text: &str, chars_max: usize) -> String {
        self.masked(text, FieldKind::City, chars_max)
    }

    /// An id that an external system made.
    pub(crate) fn reference(&self, id: &str, chars_max: usize) -> String {
        self.masked(id, FieldKind::Id, chars_max)
    }

    /// A two-letter country code. Any other text is treated like an id.
    pub(crate) fn country(&self, code: &str, chars_max: usize) -> String {
        let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_code { code.to_owned() } else { self.reference(code, chars_max) }
    }

    /// A text of our detector, our supervisor or the operator's rules: fixed sentences with figures and country codes. Only
    /// identifiers are masked in it.
    pub(crate) fn trusted_text(&self, text: &str, chars_max: usize) -> String {
        let plain = clean(text);
        let masked = mask_pii(&plain, &identifiers(&plain)).text;
        bounded(self.scrubber.scrub(masked), chars_max)
    }

    fn masked(&self, text: &str, field_kind: FieldKind, chars_max: usize) -> String {
        let kind_index = field_kind as usize;
        if let Some(known) = self.cache.borrow()[kind_index].get(text) {
            return bounded(known.clone(), chars_max);
        }
        let shown = self.masked_around_identifiers(text, None, field_kind, TEXT_CHARS_MAX);
        let cache = &mut self.cache.borrow_mut()[kind_index];
        if cache.len() < CACHED_TEXTS_MAX && text.len() <= CACHED_TEXT_BYTES_MAX {
            cache.insert(text.to_owned(), shown.clone());
        }
        bounded(shown, chars_max)
    }

    /// The record's own identifiers are hidden first, because masking could leave parts of them visible.
    fn masked_around_identifiers(
        &self,
        text: &str,
        label: Option<&str>,
        field_kind: FieldKind,
        chars_max: usize,
    ) -> String {
        let plain = cleaned(text);
        let masked = match self.scrubber.hide(&plain) {
            Some(hidden) => self.scrubber.show(&free_text::masked_clean(&hidden, label, field_kind, chars_max)),
            None => free_text::masked_clean(&plain, label, field_kind, chars_max),
        };
        self.scrubber.scrub(masked)
    }

    /// A text value. Its key can reveal more about it than the text itself: `contact: 020 7946 0958`.
    fn text_of(&self, key: &FieldKey, text: &str) -> String {
        let masked = self.masked_around_identifiers(text, Some(&key.spoken()), key.field_kind(), VALUE_CHARS_MAX);
        bounded(masked, VALUE_CHARS_MAX)
    }

    pub(crate) fn object(&self, fields: &Map<String, Value>, budget: &mut OpenJsonBudget) -> Map<String, Value> {
        self.fields(fields, None, DEPTH_MAX, budget)
    }

    /// The fields of an object with this name.
    pub(crate) fn object_named(
        &self,
        name: &str,
        fields: &Map<String, Value>,
        budget: &mut OpenJsonBudget,
    ) -> Map<String, Value> {
        self.fields(fields, Some(&FieldKey::read(&cleaned(name))), DEPTH_MAX, budget)
    }

    /// Redacts a value with this name like a field of `object`.
    pub(crate) fn value(&self, name: &str, value: &Value, budget: &mut OpenJsonBudget) -> Option<Value> {
        self.entry(&FieldKey::read(&cleaned(name)), None, value, DEPTH_MAX, budget)
    }

    fn fields(
        &self,
        fields: &Map<String, Value>,
        parent: Option<&FieldKey>,
        depth_left: usize,
        budget: &mut OpenJsonBudget,
    ) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, value) in fields.iter().take(KEYS_READ_MAX) {
            if kept.len() >= ENTRIES_MAX {
                break;
            }
            let name = cleaned(name);
            let key = FieldKey::read(&name);
            // An unknown key can itself be personal data.
            if !budget.figures_are_ours && !key.is_allowed(&name) {
                continue;
            }
            let name = distinct(bounded(self.scrubber.scrub(name.into_owned()), KEY_CHARS_MAX), &kept);
            if budget.take(written_len(&name) + 2).is_none() {
                break;
            }
            if let Some(value) = self.entry(&key, parent, value, depth_left, budget) {
                kept.insert(name, value);
            }
        }
        budget.withhold(fields.len() - kept.len());
        kept
    }

    fn entry(
        &self,
        key: &FieldKey,
        parent: Option<&FieldKey>,
        value: &Value,
        depth_left: usize,
        budget: &mut OpenJsonBudget,
    ) -> Option<Value> {
        // Booleans and null identify no one.
        if matches!(value, Value::Bool(_) | Value::Null) {
            budget.take(6)?;
            return Some(value.clone());
        }
        let is_scalar = matches!(value, Value::String(_) | Value::Number(_));
        match key.meaning(parent) {
            KeyMeaning::Removed => None,
            KeyMeaning::Account if is_scalar => None,
            KeyMeaning::Network => self.within_budget(REDACTED.to_owned(), budget),
            KeyMeaning::PersonId if is_scalar => self.person_id(value, budget),
            KeyMeaning::Person if is_scalar => self.person(value, budget),
            _ => self.plain_value(key, parent, value, depth_left, budget),
        }
    }

    /// A value whose key says nothing about it.
    fn plain_value(
        &self,
        key: &FieldKey,
        parent: Option<&FieldKey>,
        value: &Value,
        depth_left: usize,
        budget: &mut OpenJsonBudget,
    ) -> Option<Value> {
        match value {
            Value::Null | Value::Bool(_) => Some(value.clone()),
            Value::Number(number) => self.number(key, number, budget),
            Value::String(text) if budget.figures_are_ours => {
                self.within_budget(self.trusted_text(text, VALUE_CHARS_MAX), budget)
            }
            Value::String(text) if !key.accepts(&cleaned(text)) => None,
            Value::String(text) => self.within_budget(self.text_of(key, text), budget),
            Value::Array(items) if !budget.figures_are_ours && self.splits_a_name(key, items) => None,
            Value::Array(items) => {
                let depth_left = depth_left.checked_sub(1)?;
                budget.take(2)?;
                let shown = items.iter().take(ENTRIES_MAX);
                let shown: Vec<_> =
                    shown.filter_map(|item| self.entry(key, parent, item, depth_left, budget)).collect();
                budget.withhold(items.len() - shown.len());
                Some(Value::Array(shown))
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

    /// Whether the texts of a list form a person's name together but not alone: `["Grace", "Park"]`.
    fn splits_a_name(&self, key: &FieldKey, items: &[Value]) -> bool {
        let texts: Vec<&str> = items.iter().take(ENTRIES_MAX).filter_map(Value::as_str).collect();
        let is_short = texts.iter().map(|text| text.len()).sum::<usize>() <= VALUE_CHARS_MAX;
        let masks = |text: &str| text.matches('[').count();
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphabetic()).count();
        if texts.len() < 2 || !is_short {
            return false;
        }
        let apart: Vec<String> = texts.iter().map(|text| self.text_of(key, text)).collect();
        let together = self.text_of(key, &texts.join(" "));
        apart.iter().all(|text| masks(text) == 0) && masks(&together) > 0 && letters(&texts.join("")) > 0
    }

    /// A number may be the customer's id or a card number.
    fn number(&self, key: &FieldKey, number: &serde_json::Number, budget: &mut OpenJsonBudget) -> Option<Value> {
        let text = number.to_string();
        if !budget.figures_are_ours {
            if self.scrubber.is_identifier(number) {
                return self.within_budget(mask_id(&text), budget);
            }
            let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
            if whole.bytes().filter(u8::is_ascii_digit).count() > key.digits_max() {
                return self.within_budget(format!("[{}]", span::NUMBER), budget);
            }
        }
        let labelled = format!("{}: {text}", key.spoken());
        if !identifiers(&labelled).is_empty() || !identifiers(&text).is_empty() {
            return self.within_budget(format!("[{}]", span::NUMBER), budget);
        }
        budget.take(text.len() + 1)?;
        if !number.is_f64() {
            return Some(Value::Number(number.clone()));
        }
        let round_trippable = number.as_f64().and_then(figures::round_trippable).and_then(serde_json::Number::from_f64);
        Some(round_trippable.map_or(Value::String(text), Value::Number))
    }

    /// The id of a person, shown by its last four characters only if they contain a digit: four letters could be a name.
    fn person_id(&self, value: &Value, budget: &mut OpenJsonBudget) -> Option<Value> {
        let masked = mask_id(&clean(&scalar_text(value)));
        let shown = if masked.contains(|letter: char| letter.is_ascii_digit()) { masked } else { mask_id("") };
        // The last four characters of one id may be another id in full.
        self.within_budget(self.scrubber.scrub(shown), budget)
    }

    /// A person. The record's own customer is shown as the masked id, and any other person is removed.
    fn person(&self, value: &Value, budget: &mut OpenJsonBudget) -> Option<Value> {
        let text = clean(&scalar_text(value));
        let scrubbed = self.scrubber.scrub(text.clone());
        let is_customer = scrubbed == mask_id(&text);
        if is_customer { self.within_budget(scrubbed, budget) } else { None }
    }

    /// The text as a value, if the budget allows it.
    fn within_budget(&self, text: String, budget: &mut OpenJsonBudget) -> Option<Value> {
        budget.take(written_len(&text) + 1)?;
        Some(Value::String(text))
    }
}

/// `***` and the last four characters; just `***` for an id of four or fewer.
pub fn mask_id(id: &str) -> String {
    let chars = id.chars().count();
    let tail: String = if chars > 4 { id.chars().skip(chars - 4).collect() } else { String::new() };
    format!("***{tail}")
}

fn is_money(value: &Value) -> bool {
    serde_json::from_value::<Money>(value.clone())
        .is_ok_and(|money| serde_json::to_value(money).is_ok_and(|read| read == *value))
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The length when written as JSON. The text contains no control characters.
fn written_len(text: &str) -> usize {
    text.len() + 2 + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count()
}

/// Makes a key unique, because masking can make two keys equal.
fn distinct(name: String, taken: &Map<String, Value>) -> String {
    if !taken.contains_key(&name) {
        return name;
    }
    (2..).map(|n: u32| format!("{name} {n}")).find(|name| !taken.contains_key(name)).unwrap_or(name)
}
