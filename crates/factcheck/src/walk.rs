//! The walk through a context that finds its facts: every leaf of the JSON document, with what its path says it is about.
//!
//! Keys decide: `{amount, currency}` is money, `*_days` a duration, `threshold` a limit. Sentences in the context (a signal's
//! explanation, a rule's message) hold facts too, read as any text is. What a sender put into `metadata` is only a fact where
//! the text names its key: a memo can't lend a score its number.

use std::borrow::Cow;
use std::collections::{HashMap, hash_map::Entry};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use crate::calendar::Moment;
use crate::concept::{self as c, stem};
use crate::country;
use crate::fact::{Class, Fact, FactWhat, Index, Level, SeverityFact, SeverityOf, Source};
use crate::finder::ID_BYTES_MIN;
use crate::fold::{Folded, small, spoken};
use crate::key::{Key, class_of_unit, concepts_of, window, words};

const DEPTH_MAX: usize = 16;
const KEY_BYTES_MAX: usize = 128;
const VERBATIM_MAX: usize = 1_000;
/// A longer text in the context is no name that a report would repeat.
const TEXT_CHARS_MAX: usize = 1_024;

/// Where the walk stands. It goes down and comes up again: nothing of it is copied for each leaf.
#[derive(Default)]
pub(crate) struct Place<'a> {
    keys: Vec<Rc<Key<'a>>>,
    path: String,
    beside: Beside<'a>,
    is_outside: bool,
    /// All keys so far, and the places in `reads` of all texts.
    known: HashMap<&'a str, Rc<Key<'a>>>,
    texts: HashMap<&'a str, usize>,
    reads: Vec<Read>,
}

/// What is known of a text, which may stand in many places of the context.
#[derive(Default, Clone, Copy)]
struct Read {
    moment: Option<Moment>,
    /// The country whose name it is.
    named: Option<&'static str>,
    /// Kept as a phrase, as a sentence, as an id.
    is_phrase: bool,
    is_sentence: bool,
    is_id: bool,
    is_redacted: bool,
    /// Nothing in it is a figure or a country.
    is_silent: bool,
}

/// What the objects around say about all that is in them.
#[derive(Default, Clone, Copy)]
struct Beside<'a> {
    signal: Option<usize>,
    country: Option<&'static str>,
    unit: &'a str,
    happening: &'a str,
    /// Of a rule.
    name: &'a str,
}

/// The texts of an object that say something about what is beside them.
#[derive(Default)]
struct Told<'a> {
    amount: Option<&'a str>,
    currency: Option<&'a str>,
    unit: Option<&'a str>,
    happening: Option<&'a str>,
    name: Option<&'a str>,
    country: Option<&'a str>,
    signal: Option<&'a str>,
}

impl<'a> Told<'a> {
    fn of(object: &'a Map<String, Value>) -> Self {
        let mut told = Self::default();
        for (key, value) in object {
            let field = match key.as_str() {
                "amount" => &mut told.amount,
                "currency" => &mut told.currency,
                "unit" => &mut told.unit,
                "happening" => &mut told.happening,
                "name" => &mut told.name,
                "country" => &mut told.country,
                "signal" => &mut told.signal,
                _ => continue,
            };
            *field = value.as_str();
        }
        told
    }
}

/// Where to come up to.
struct Above {
    path: usize,
    was_outside: bool,
    is_new_key: bool,
}

impl<'a> Place<'a> {
    /// At the top, with room for so many keys and texts.
    pub(crate) fn with_room(room: usize) -> Self {
        Self { known: HashMap::with_capacity(room), texts: HashMap::with_capacity(room), ..Self::default() }
    }

    fn last(&self) -> &str {
        self.keys.last().map_or("", |key| key.name.as_ref())
    }

    fn parent(&self) -> &str {
        self.keys.iter().rev().nth(1).map_or("", |key| key.name.as_ref())
    }

    fn is_under(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known.name == key)
    }

    fn down(&mut self, key: &'a str) -> Above {
        let entry = self.known.entry(key);
        let is_new_key = matches!(entry, Entry::Vacant(_));
        self.keys.push(Rc::clone(entry.or_insert_with(|| Rc::new(Key::of(key)))));
        let above = Above { path: self.path.len(), was_outside: self.is_outside, is_new_key };
        self.path.push('/');
        if key.contains(['~', '/']) {
            self.path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        } else {
            self.path.push_str(key);
        }
        self.is_outside |= key == "metadata";
        above
    }

    /// The place in `reads` of a text.
    fn read(&mut self, text: &'a str) -> usize {
        let next = self.reads.len();
        let at = *self.texts.entry(text).or_insert(next);
        if at == next {
            let moment = (text.len() <= 40).then(|| Moment::parse(text)).flatten();
            self.reads.push(Read { moment, ..Read::default() });
        }
        at
    }

    fn up(&mut self, above: &Above) {
        self.path.truncate(above.path);
        self.keys.pop();
        self.is_outside = above.was_outside;
    }
}

impl Index {
    pub(crate) fn walk<'a>(&mut self, value: &'a Value, place: &mut Place<'a>) {
        if place.keys.len() > DEPTH_MAX {
            return;
        }
        match value {
            Value::Object(object) => self.object(object, place),
            Value::Array(items) => self.array(items, place),
            Value::Number(number) => {
                let whole = number.as_i64().map(Decimal::from);
                if let Some(value) = whole.or_else(|| decimal(&number.to_string())) {
                    self.number(value, place);
                }
            }
            Value::String(text) => self.text(text, place),
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn object<'a>(&mut self, object: &'a Map<String, Value>, place: &mut Place<'a>) {
        let told = Told::of(object);
        if let (Some(amount), Some(currency)) = (told.amount, told.currency)
            && let (Some(amount), Ok(code)) = (decimal(amount), currency.as_bytes().try_into())
        {
            self.currency(currency, place);
            return self.add(FactWhat::Money(amount, code), place, 0);
        }
        let above = place.beside;
        (place.beside.unit, place.beside.happening, place.beside.name) =
            (told.unit.unwrap_or(""), told.happening.unwrap_or(""), told.name.unwrap_or(""));
        if let Some(code) = told.country.and_then(country::known_code) {
            place.beside.country = Some(code);
        }
        if place.last() == "signals" {
            place.beside.signal = told.name.map(|name| self.signals.add(name));
        } else if let Some(name) = told.signal {
            place.beside.signal = Some(self.signals.add(name));
        }
        let beside = place.beside;
        // An outside alert may bring its signals as an object.
        let is_signals = place.last() == "signals";
        for (key, value) in object.iter().filter(|(key, _)| key.len() <= KEY_BYTES_MAX) {
            let up = place.down(key);
            if up.is_new_key {
                self.phrases.add_ordinary(key);
            }
            self.key(key, place, up.was_outside);
            if is_signals && value.is_object() {
                place.beside.signal = Some(self.signals.add(key));
            }
            self.walk(value, place);
            place.up(&up);
            place.beside = beside;
        }
        place.beside = above;
    }

    /// A window in a key is a duration.
    fn key(&mut self, key: &str, place: &Place<'_>, is_outside: bool) {
        let as_written = place.keys.last().filter(|known| known.name == key);
        let Some(seconds) = as_written.map_or_else(|| window(key), |known| known.window) else { return };
        let unit = if seconds % 86_400 == 0 && key.ends_with('d') { 86_400 } else { 3_600 };
        let count = Decimal::from(seconds) / Decimal::from(unit);
        self.keep(Fact {
            path: place.path.clone(),
            what: FactWhat::Number(count, Class::Duration(unit)),
            concepts: 0,
            signal: place.beside.signal,
            country: None,
            severity: None,
            window: Some(seconds),
            stems: Arc::new(["window".to_owned()]),
            from: if is_outside { Source::Outside } else { Source::Computed },
        });
    }

    fn array<'a>(&mut self, items: &'a [Value], place: &mut Place<'a>) {
        let length = FactWhat::Number(Decimal::from(items.len()), Class::Count);
        let extra = match place.last() {
            "contributions" => c::SIGNAL | c::FIRED,
            "flags" => c::RULE | c::FIRED,
            _ => 0,
        };
        self.add(length, place, extra);
        self.outcomes(items, place);
        let above = place.path.len();
        for (at, item) in items.iter().enumerate() {
            // Writing to a string can't fail.
            let _ = write!(place.path, "/{at}");
            self.walk(item, place);
            place.path.truncate(above);
        }
    }

    /// How many of an array's elements had each outcome: `two signals fired`.
    fn outcomes(&mut self, items: &[Value], place: &Place<'_>) {
        let outcomes: Vec<&str> = items.iter().filter_map(|item| item.get("outcome").and_then(Value::as_str)).collect();
        let fired = outcomes.iter().filter(|outcome| **outcome == "fired").count();
        if outcomes.is_empty() {
            return;
        }
        self.add(FactWhat::Number(Decimal::from(fired), Class::Count), place, c::FIRED);
        self.add(FactWhat::Number(Decimal::from(outcomes.len() - fired), Class::Count), place, c::OMITTED);
    }

    fn text<'a>(&mut self, text: &'a str, place: &mut Place<'a>) {
        let cut = if text.len() > TEXT_CHARS_MAX { text.char_indices().nth(TEXT_CHARS_MAX) } else { None };
        let text = cut.map_or(text, |(cut, _)| &text[..cut]);
        let at = place.read(text);
        let mut read = place.reads[at];
        self.leaf(text, place, &mut read);
        place.reads[at] = read;
    }

    fn leaf(&mut self, text: &str, place: &Place<'_>, read: &mut Read) {
        let key = place.keys.last();
        let is_sentence = key.is_some_and(|key| key.is_sentence);
        self.phrase(text, place, is_sentence || place.is_outside, read);
        if let Some(moment) = read.moment {
            return self.add(FactWhat::Moment(moment), place, 0);
        }
        self.severity(text, place);
        let code = if key.is_some_and(|key| key.is_country) { country::known_code(text) } else { None };
        if let Some(code) = code.or(read.named) {
            self.countries.entry(code).or_insert_with(|| place.path.clone());
        }
        if key.is_some_and(|key| key.is_currency) {
            self.currency(text, place);
        }
        if let Some(number) = decimal(text).filter(|_| text.len() <= 24 && !key.is_some_and(|key| key.is_id)) {
            self.number(number, place);
        }
        self.id(text, place, read);
        if is_sentence && !place.is_outside && !read.is_silent {
            read.is_silent = !self.sentence(text, place);
        }
    }

    /// Of a text that stands in several places, the first is found.
    fn phrase(&mut self, text: &str, place: &Place<'_>, is_sentence: bool, read: &mut Read) {
        let (phrases, is_kept) = if is_sentence {
            (&mut self.sentences, &mut read.is_sentence)
        } else {
            (&mut self.phrases, &mut read.is_phrase)
        };
        if !std::mem::replace(is_kept, true) {
            let phrase = spoken(text);
            read.named = country::code_of(&phrase);
            phrases.add(phrase, &place.path);
        }
    }

    fn currency(&mut self, code: &str, place: &Place<'_>) {
        if !self.currencies.contains_key(code) {
            self.currencies.insert(code.to_owned(), place.path.clone());
        }
    }

    /// A text may be an id as a whole, hold some, or be one that a text has in any surroundings.
    fn id(&mut self, text: &str, place: &Place<'_>, read: &mut Read) {
        let is_called = place.keys.last().is_some_and(|key| key.is_id || key.is_hash);
        if read.is_id && !read.is_redacted && !is_called {
            return;
        }
        let folded = Folded::of(text).text;
        let folded = small(&folded);
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
            // A memo may repeat the id of its own transaction.
            Entry::Occupied(mut known) if is_called && !known.get().ends_with("_id") => {
                known.insert(place.path.clone());
            }
            Entry::Occupied(_) => {}
        }
    }

    fn severity(&mut self, text: &str, place: &Place<'_>) {
        let of = match place.last() {
            "severity" if place.is_under("timeline") => SeverityOf::Prior,
            "severity" if !place.is_outside && place.beside.signal.is_none() => SeverityOf::Case,
            "regulatory_impact" => SeverityOf::Impact,
            _ => return,
        };
        if let Some(level) = Level::of(&text.to_lowercase()) {
            self.severities.push(SeverityFact { level, path: place.path.clone(), of });
        }
    }

    /// The figures of a sentence are facts that are called as the sentence calls them. Whether it has any, or a country.
    fn sentence(&mut self, text: &str, place: &Place<'_>) -> bool {
        let (figures, countries) = crate::embedded(text);
        let says_any = !figures.is_empty() || !countries.is_empty();
        if !figures.is_empty() {
            let stems: Arc<[String]> = spoken(text).split(' ').map(|word| stem(word).to_owned()).take(40).collect();
            for (what, concepts, window) in figures {
                let mut fact = self.fact(what, place, 0);
                // Nobody's sentence speaks of the case's score.
                (fact.concepts, fact.window, fact.from) = (concepts & !c::SCORE, window, Source::Sentence);
                fact.stems = Arc::clone(&stems);
                self.keep(fact);
            }
        }
        for code in countries {
            self.countries.entry(code).or_insert_with(|| place.path.clone());
        }
        says_any
    }

    fn number(&mut self, value: Decimal, place: &Place<'_>) {
        if place.parent() == "prior_alerts_by_severity" {
            let Some(level) = Level::of(place.last()) else { return };
            if !value.is_zero() {
                self.severities.push(SeverityFact { level, path: place.path.clone(), of: SeverityOf::Prior });
            }
        }
        self.add(FactWhat::Number(value, class(place)), place, 0);
    }

    fn add(&mut self, what: FactWhat, place: &Place<'_>, extra: u64) {
        let fact = self.fact(what, place, extra);
        self.keep(fact);
    }

    fn fact(&self, what: FactWhat, place: &Place<'_>, extra: u64) -> Fact {
        let from = if place.is_outside { Source::Outside } else { Source::Computed };
        let mut concepts = concepts(place, &what) | extra;
        if place.beside.signal.is_some() && place.is_under("details") {
            concepts &= !c::SCORE;
        }
        if from == Source::Outside {
            concepts &= !(c::STRONG | c::NOUNS);
        }
        let severity = (place.parent() == "prior_alerts_by_severity").then(|| Level::of(place.last())).flatten();
        let country = place.beside.country.filter(|_| place.is_under("countries"));
        let rule = if place.parent() == "flags" { small(place.beside.name) } else { Cow::Borrowed("") };
        let unit = small(place.beside.unit);
        let key = place.keys.last();
        let mut stems = key.map_or_else(|| Arc::new([]) as Arc<[String]>, |key| Arc::clone(&key.stems));
        if !unit.is_empty() || !rule.is_empty() {
            let more = words(&unit).chain(words(&rule)).map(|word| stem(word).to_owned());
            stems = stems.iter().cloned().chain(more).collect();
        }
        let window = key.and_then(|key| key.window);
        let signal = place.beside.signal;
        Fact { path: place.path.clone(), what, concepts, signal, country, severity, window, stems, from }
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte));
    let exact = || text.parse::<Decimal>().ok().or_else(|| Decimal::from_scientific(text).ok());
    (is_plain && text.len() <= 40).then(exact).flatten()
}

fn concepts(place: &Place<'_>, what: &FactWhat) -> u64 {
    let (last, key, unit) = (place.last(), place.keys.last(), small(place.beside.unit));
    let mut found = (key.map_or(0, |key| key.concepts) | concepts_of(&unit)) & !c::ONE;
    if unit.contains("z-score") {
        found |= c::VALUE;
        found &= !c::SCORE;
    }
    if place.is_under("baseline") || place.is_under("correlation") && !last.contains("similar") {
        found |= c::PRIOR;
    }
    if place.is_under("baseline") {
        found |= c::BASELINE;
    }
    if place.is_under("transaction") {
        found |= c::TRANSACTION;
    }
    let is_money = matches!(what, FactWhat::Money(..));
    found |= match (place.parent(), last) {
        ("score", "total") => c::SCORE | c::POINTS,
        ("score", "sum") => c::CONTRIBUTION | c::POINTS,
        ("score", "maximum") => c::POINTS,
        ("score", "band_from" | "band_to") => c::RANGE | c::POINTS,
        ("contributions", "points") => c::CONTRIBUTION,
        ("flags", "weight") => c::CONTRIBUTION | c::RULE | c::POINTS,
        ("prior_alerts_by_severity", _) => c::ALERT | c::PRIOR,
        (_, "transaction_count") => c::PRIOR,
        (_, "contribution") => c::POINTS,
        (_, "risk_score") if place.is_under("timeline") => c::PRIOR | c::ALERT,
        (_, "first_transaction_at") => c::PRIOR,
        (_, "account_age_days") => c::AGE | c::ACCOUNT,
        (_, "last_alert_at") => c::PRIOR | c::CREATED,
        (_, "alert_created_at") => c::CREATED,
        (_, "occurred_at") => c::OCCURRED | c::TRANSACTION,
        ("baseline", "first_at" | "last_at") => c::TRANSACTION,
        (_, "timeline_omitted") => c::EVENT | c::PRIOR,
        _ => 0,
    };
    if key.is_some_and(|key| key.counts) && found & c::NOUNS == 0 {
        found |= c::TRANSACTION;
    }
    if is_money && key.is_some_and(|key| key.is_extreme) {
        found |= c::RANGE;
    }
    if found & c::DIFFERENCE != 0 {
        found &= !c::MEDIAN;
    }
    found | happening(place.beside.happening)
}

fn happening(name: &str) -> u64 {
    match name {
        "account_opened" => c::ACCOUNT | c::OPENED,
        "prior_transaction" => c::TRANSACTION | c::PRIOR | c::OCCURRED,
        "prior_alert" => c::ALERT | c::PRIOR | c::CREATED,
        "transaction" => c::TRANSACTION | c::OCCURRED,
        "alert_created" => c::ALERT | c::CREATED,
        "investigation_opened" => c::INVESTIGATION | c::OPENED | c::CREATED,
        _ => 0,
    }
}

fn class(place: &Place<'_>) -> Class {
    let last = place.last();
    if let Some(class) = place.keys.last().and_then(|key| key.class) {
        return class;
    }
    if ["value", "threshold"].contains(&last) || last.contains("limit") {
        return class_of_unit(&small(place.beside.unit));
    }
    match (place.parent(), last) {
        ("score", _) => Class::Points,
        ("prior_alerts_by_severity", _) => Class::Count,
        _ => Class::Measure,
    }
}
