//! Reading the context: walks through it to find its facts. They are the leaves of the JSON document, each with what its path
//! says about it.
//!
//! | file          | job                                                              |
//! |---------------|------------------------------------------------------------------|
//! | `mod.rs`      | visits every value and adds its facts to the index               |
//! | `position.rs` | where the walk is, and what the objects around a value say       |
//! | `meaning.rs`  | what a path says about a value: its concepts and kind of number |
//!
//! Keys decide what a value is: `{amount, currency}` is money, `*_days` is a duration, `threshold` is a limit.
//! Sentences in the context (a signal's explanation, a rule's message) contain facts too and are read like any other
//! text. A value in the sender's `metadata` is only accepted where the text names its key, so that a number in a memo
//! can't support a score.

mod meaning;
mod position;

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::fmt::Write;
use std::sync::Arc;

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use crate::concept::{self as c, stem};
use crate::country;
use crate::fact::{Fact, FactIndex, FactSource, FactValue, NumberClass, SeverityFact, SeverityLevel, SeverityOf};
use crate::finder::ID_BYTES_MIN;
use crate::fold::{FoldedText, lower_case, normalised};
use crate::key::{window, words};
use crate::text_check::embedded_figures;
use meaning::{class, concepts, decimal};
pub(crate) use position::WalkPosition;
use position::{KnownText, ObjectLabels};

const DEPTH_MAX: usize = 16;

const KEY_BYTES_MAX: usize = 128;

/// The maximum number of ids, and of redacted ids, that are searched for in texts.
const VERBATIM_MAX: usize = 1_000;

/// Only this many characters of a text are read. A report would not repeat a longer name.
const TEXT_CHARS_MAX: usize = 1_024;

impl FactIndex {
    pub(crate) fn walk<'a>(&mut self, value: &'a Value, place: &mut WalkPosition<'a>) {
        if place.keys.len() > DEPTH_MAX {
            return;
        }
        match value {
            Value::Object(object) => self.walk_object(object, place),
            Value::Array(items) => self.walk_array(items, place),
            Value::Number(number) => {
                let whole = number.as_i64().map(Decimal::from);
                if let Some(value) = whole.or_else(|| decimal(&number.to_string())) {
                    self.add_number(value, place);
                }
            }
            Value::String(text) => self.walk_text(text, place),
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn walk_object<'a>(&mut self, object: &'a Map<String, Value>, place: &mut WalkPosition<'a>) {
        let labels = ObjectLabels::of(object);
        if let (Some(amount), Some(currency)) = (labels.amount, labels.currency)
            && let (Some(amount), Ok(code)) = (decimal(amount), currency.as_bytes().try_into())
        {
            self.add_currency(currency, place);
            return self.add_fact(FactValue::Money(amount, code), place, 0);
        }
        let above = place.enclosing;
        (place.enclosing.unit, place.enclosing.event_kind, place.enclosing.name) =
            (labels.unit.unwrap_or(""), labels.event_kind.unwrap_or(""), labels.name.unwrap_or(""));
        if let Some(code) = labels.country.and_then(country::known_code) {
            place.enclosing.country = Some(code);
        }
        if place.last() == "signals" {
            place.enclosing.signal = labels.name.map(|name| self.signals.add(name));
        } else if let Some(name) = labels.signal {
            place.enclosing.signal = Some(self.signals.add(name));
        }
        let here = place.enclosing;
        // An external alert may have its signals in an object instead of an array.
        let is_signals = place.last() == "signals";
        for (key, value) in object.iter().filter(|(key, _)| key.len() <= KEY_BYTES_MAX) {
            let up = place.enter(key);
            if up.is_new_key {
                self.phrases.add_ordinary(key);
            }
            self.add_window_of_key(key, place, up.was_outside);
            if is_signals && value.is_object() {
                place.enclosing.signal = Some(self.signals.add(key));
            }
            self.walk(value, place);
            place.leave(&up);
            place.enclosing = here;
        }
        place.enclosing = above;
    }

    /// If a key names a window of time, adds the window as a duration: 24 hours for `count_24h`.
    fn add_window_of_key(&mut self, key: &str, place: &WalkPosition<'_>, is_outside: bool) {
        let as_written = place.keys.last().filter(|known| known.name == key);
        let Some(seconds) = as_written.map_or_else(|| window(key), |known| known.window) else { return };
        let unit = if seconds % 86_400 == 0 && key.ends_with('d') { 86_400 } else { 3_600 };
        let count = Decimal::from(seconds) / Decimal::from(unit);
        self.add_if_new(Fact {
            path: place.path.clone(),
            value: FactValue::Number(count, NumberClass::Duration(unit)),
            concepts: 0,
            signal: place.enclosing.signal,
            country: None,
            severity: None,
            window: Some(seconds),
            stems: Arc::new(["window".to_owned()]),
            from: if is_outside { FactSource::Outside } else { FactSource::Computed },
        });
    }

    fn walk_array<'a>(&mut self, items: &'a [Value], place: &mut WalkPosition<'a>) {
        let length = FactValue::Number(Decimal::from(items.len()), NumberClass::Count);
        let extra = match place.last() {
            "contributions" => c::SIGNAL | c::FIRED,
            "flags" => c::RULE | c::FIRED,
            _ => 0,
        };
        self.add_fact(length, place, extra);
        self.add_outcomes(items, place);
        let above = place.path.len();
        for (at, item) in items.iter().enumerate() {
            // Writing to a string can't fail.
            let _ = write!(place.path, "/{at}");
            self.walk(item, place);
            place.path.truncate(above);
        }
    }

    /// Adds the number of elements that fired and the number of those that did not, to check "two signals fired".
    fn add_outcomes(&mut self, items: &[Value], place: &WalkPosition<'_>) {
        let outcomes: Vec<&str> = items.iter().filter_map(|item| item.get("outcome").and_then(Value::as_str)).collect();
        let fired = outcomes.iter().filter(|outcome| **outcome == "fired").count();
        if outcomes.is_empty() {
            return;
        }
        self.add_fact(FactValue::Number(Decimal::from(fired), NumberClass::Count), place, c::FIRED);
        self.add_fact(FactValue::Number(Decimal::from(outcomes.len() - fired), NumberClass::Count), place, c::OMITTED);
    }

    fn walk_text<'a>(&mut self, text: &'a str, place: &mut WalkPosition<'a>) {
        let cut = if text.len() > TEXT_CHARS_MAX { text.char_indices().nth(TEXT_CHARS_MAX) } else { None };
        let text = cut.map_or(text, |(cut, _)| &text[..cut]);
        let at = place.read(text);
        let mut read = place.reads[at];
        self.add_text(text, place, &mut read);
        place.reads[at] = read;
    }

    /// Adds everything that a text states: a point in time, a severity, a country, a number, an id, the figures of a sentence.
    fn add_text(&mut self, text: &str, place: &WalkPosition<'_>, read: &mut KnownText) {
        let key = place.keys.last();
        let is_sentence = key.is_some_and(|key| key.is_sentence);
        self.add_phrase(text, place, is_sentence || place.is_outside, read);
        if let Some(moment) = read.moment {
            return self.add_fact(FactValue::Moment(moment), place, 0);
        }
        self.add_severity(text, place);
        let code = if key.is_some_and(|key| key.is_country) { country::known_code(text) } else { None };
        if let Some(code) = code.or(read.named) {
            self.countries.entry(code).or_insert_with(|| place.path.clone());
        }
        if key.is_some_and(|key| key.is_currency) {
            self.add_currency(text, place);
        }
        if let Some(number) = decimal(text).filter(|_| text.len() <= 24 && !key.is_some_and(|key| key.is_id)) {
            self.add_number(number, place);
        }
        self.add_id(text, place, read);
        if is_sentence && !place.is_outside && !read.is_without_figures {
            read.is_without_figures = !self.add_sentence(text, place);
        }
    }

    /// Adds a text as a phrase. If the text occurs more than once, its first path counts.
    fn add_phrase(&mut self, text: &str, place: &WalkPosition<'_>, is_sentence: bool, read: &mut KnownText) {
        let (phrases, is_added) = if is_sentence {
            (&mut self.sentences, &mut read.is_sentence)
        } else {
            (&mut self.phrases, &mut read.is_phrase)
        };
        if !std::mem::replace(is_added, true) {
            let phrase = normalised(text);
            read.named = country::code_of(&phrase);
            phrases.add(phrase, &place.path);
        }
    }

    fn add_currency(&mut self, code: &str, place: &WalkPosition<'_>) {
        if !self.currencies.contains_key(code) {
            self.currencies.insert(code.to_owned(), place.path.clone());
        }
    }

    /// Adds a text as an id, and the ids inside it. A value of an id key is also searched for in texts as a whole (`verbatim`),
    /// whatever tokens it consists of.
    fn add_id(&mut self, text: &str, place: &WalkPosition<'_>, read: &mut KnownText) {
        let is_called = place.keys.last().is_some_and(|key| key.is_id || key.is_hash);
        if read.is_id && !read.is_redacted && !is_called {
            return;
        }
        let folded = FoldedText::of(text).text;
        let folded = lower_case(&folded);
        for token in folded.split_whitespace().map(|token| token.trim_matches(|c: char| !c.is_alphanumeric())) {
            if token.len() < folded.len()
                && token.bytes().any(|byte| byte.is_ascii_digit())
                && token.bytes().any(|byte| byte.is_ascii_alphabetic())
            {
                self.ids.entry(token.to_owned()).or_insert_with(|| place.path.clone());
            }
        }
        (read.is_id, read.is_redacted) = (true, folded.starts_with("***"));
        if read.is_redacted && self.redacted.len() < VERBATIM_MAX {
            self.redacted.push(folded.clone().into_owned());
        }
        if is_called && (ID_BYTES_MIN..=256).contains(&folded.len()) && self.verbatim.len() < VERBATIM_MAX {
            self.verbatim.push(folded.clone().into_owned());
        }
        match self.ids.entry(folded.into_owned()) {
            Entry::Vacant(free) => {
                free.insert(place.path.clone());
            }
            // The path of an id key replaces that of a memo that repeats the id.
            Entry::Occupied(mut known) if is_called && !known.get().ends_with("_id") => {
                known.insert(place.path.clone());
            }
            Entry::Occupied(_) => {}
        }
    }

    fn add_severity(&mut self, text: &str, place: &WalkPosition<'_>) {
        let of = match place.last() {
            "severity" if place.is_under("timeline") => SeverityOf::Prior,
            "severity" if !place.is_outside && place.enclosing.signal.is_none() => SeverityOf::Case,
            "regulatory_impact" => SeverityOf::Impact,
            _ => return,
        };
        if let Some(level) = SeverityLevel::of(&text.to_lowercase()) {
            self.severities.push(SeverityFact { level, path: place.path.clone(), of });
        }
    }

    /// Adds the figures of a sentence as facts, with the concepts of the words around them. Returns whether the
    /// sentence has a figure or a country.
    fn add_sentence(&mut self, text: &str, place: &WalkPosition<'_>) -> bool {
        let (figures, countries) = embedded_figures(text);
        let says_any = !figures.is_empty() || !countries.is_empty();
        if !figures.is_empty() {
            let stems: Arc<[String]> = normalised(text).split(' ').map(|word| stem(word).to_owned()).take(40).collect();
            for (value, concepts, window) in figures {
                let mut fact = self.new_fact(value, place, 0);
                // The context's sentences never state the case's score.
                (fact.concepts, fact.window, fact.from) = (concepts & !c::SCORE, window, FactSource::Sentence);
                fact.stems = Arc::clone(&stems);
                self.add_if_new(fact);
            }
        }
        for code in countries {
            self.countries.entry(code).or_insert_with(|| place.path.clone());
        }
        says_any
    }

    fn add_number(&mut self, value: Decimal, place: &WalkPosition<'_>) {
        if place.parent() == "prior_alerts_by_severity" {
            let Some(level) = SeverityLevel::of(place.last()) else { return };
            if !value.is_zero() {
                self.severities.push(SeverityFact { level, path: place.path.clone(), of: SeverityOf::Prior });
            }
        }
        self.add_fact(FactValue::Number(value, class(place)), place, 0);
    }

    fn add_fact(&mut self, value: FactValue, place: &WalkPosition<'_>, extra: u64) {
        let fact = self.new_fact(value, place, extra);
        self.add_if_new(fact);
    }

    fn new_fact(&self, value: FactValue, place: &WalkPosition<'_>, extra: u64) -> Fact {
        let from = if place.is_outside { FactSource::Outside } else { FactSource::Computed };
        let mut concepts = concepts(place, &value) | extra;
        if place.enclosing.signal.is_some() && place.is_under("details") {
            concepts &= !c::SCORE;
        }
        if from == FactSource::Outside {
            concepts &= !(c::STRONG | c::NOUNS);
        }
        let severity =
            (place.parent() == "prior_alerts_by_severity").then(|| SeverityLevel::of(place.last())).flatten();
        let country = place.enclosing.country.filter(|_| place.is_under("countries"));
        let rule = if place.parent() == "flags" { lower_case(place.enclosing.name) } else { Cow::Borrowed("") };
        let unit = lower_case(place.enclosing.unit);
        let key = place.keys.last();
        let mut stems = key.map_or_else(|| Arc::new([]) as Arc<[String]>, |key| Arc::clone(&key.stems));
        if !unit.is_empty() || !rule.is_empty() {
            let more = words(&unit).chain(words(&rule)).map(|word| stem(word).to_owned());
            stems = stems.iter().cloned().chain(more).collect();
        }
        let window = key.and_then(|key| key.window);
        let signal = place.enclosing.signal;
        Fact { path: place.path.clone(), value, concepts, signal, country, severity, window, stems, from }
    }
}
