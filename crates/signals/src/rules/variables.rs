//! What a rule may ask for: a flat set of single values, each with a default for when it is not known.

use std::borrow::Cow;

use cel::{
    common::{
        types::{CelBool, CelDouble, CelInt, CelString},
        value::CowVal,
    },
    context::VariableResolver,
};
use countersign_domain::{Transaction, transaction::Channel};
use serde_json::Value;

use crate::{
    history::{Direction, Newness},
    picture::{DAY_MICROS, HOUR_MICROS, MINUTE_MICROS, Picture},
};

/// One name of the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    pub name: &'static str,
    pub kind: Kind,
    /// What it says, and what it is when that is not known.
    pub meaning: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int,
    Double,
    Text,
}

/// `meta_channel_code` is the text of `metadata.channel_code`.
pub(super) const METADATA_PREFIX: &str = "meta_";
const METADATA_CHARS_MAX: usize = 256;

const fn variable(name: &'static str, kind: Kind, meaning: &'static str) -> Variable {
    Variable { name, kind, meaning }
}

pub(super) const ALL: &[Variable] = &[
    variable("amount", Kind::Double, "in major units: 1250.5"),
    variable("currency", Kind::Text, "ISO 4217"),
    variable("merchant", Kind::Text, "in small letters; \"\""),
    variable("category", Kind::Text, "in small letters; \"\""),
    variable("channel", Kind::Text, "card_present, card_not_present, transfer, atm, other; \"\""),
    variable("direction", Kind::Text, "in or out, as the metadata says (direction in/out, type credit/debit); \"\""),
    variable("has_location", Kind::Bool, "whether a location came with it"),
    variable("country", Kind::Text, "of the location; \"\""),
    variable("is_new_country", Kind::Bool, "whether earlier located transactions were all elsewhere"),
    variable("has_device", Kind::Bool, "whether a device fingerprint came with it"),
    variable("is_new_device", Kind::Bool, "whether earlier transactions had devices, and not this one"),
    variable("has_ip", Kind::Bool, "whether a network address came with it"),
    variable("hour", Kind::Int, "0 to 23 by the location's longitude, else UTC"),
    variable("weekday", Kind::Int, "1 Monday to 7 Sunday, by the same clock"),
    variable("is_hour_local", Kind::Bool, "whether the hour is by the location's longitude"),
    variable("account_age_days", Kind::Int, "whole days since the account was opened; -1"),
    variable("earlier", Kind::Int, "earlier transactions that are kept, at most 64"),
    variable("has_baseline", Kind::Bool, "whether there are five earlier amounts in this currency"),
    variable("median_amount", Kind::Double, "of the earlier amounts in this currency; 0"),
    variable("ratio_to_median", Kind::Double, "the amount over that median; 0"),
    variable("days_since_last", Kind::Double, "since the transaction before; -1"),
    variable("count_1h", Kind::Int, "transactions in the hour that ends with this one"),
    variable("count_24h", Kind::Int, "the same over 24 hours"),
    variable("sum_1h", Kind::Double, "amounts of that hour in this currency"),
    variable("sum_24h", Kind::Double, "the same over 24 hours"),
    variable("alike_7d", Kind::Int, "earlier amounts of seven days within a tenth of this one, in this currency"),
    variable("in_24h", Kind::Double, "money that came in during 24 hours before, in this currency; 0"),
    variable("minutes_since_in", Kind::Double, "since money last came in, within 24 hours; -1"),
];

const BASELINE_MIN: u32 = 5;

/// The hour of a transaction, and by whose clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) hour: i64,
    weekday: i64,
    is_local: bool,
}

impl Clock {
    /// Four minutes a degree: no table of time zones, and never more than a few hours off.
    fn new(tx: &Transaction) -> Self {
        let longitude = tx.location.as_ref().map(|place| place.lon).filter(|lon| (-180.0..=180.0).contains(lon));
        let shift = longitude.map_or(0, |lon| (lon * 4.0 * MINUTE_MICROS as f64) as i64);
        let local = tx.occurred_at.micros().saturating_add(shift);
        // Day 0 was a Thursday.
        let weekday = (local.div_euclid(DAY_MICROS) + 3).rem_euclid(7) + 1;
        Self { hour: local.rem_euclid(DAY_MICROS) / HOUR_MICROS, weekday, is_local: longitude.is_some() }
    }

    pub(crate) fn source(self) -> &'static str {
        if self.is_local { "the location's longitude" } else { "UTC" }
    }
}

/// The variables' values for one transaction, computed when a rule asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    tx: &'a Transaction,
    picture: &'a Picture,
    clock: Clock,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(tx: &'a Transaction, picture: &'a Picture) -> Self {
        Self { tx, picture, clock: Clock::new(tx) }
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    fn metadata(&self, name: &str) -> Cow<'a, str> {
        let text = match self.tx.metadata.get(name) {
            Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Cow::Owned(value.to_string()),
            _ => Cow::Borrowed(""),
        };
        match text.char_indices().nth(METADATA_CHARS_MAX) {
            Some((end, _)) => Cow::Owned(text[..end].to_owned()),
            None => text,
        }
    }

    fn median(&self) -> Option<u64> {
        self.picture.baseline.filter(|baseline| baseline.transactions >= BASELINE_MIN).map(|it| it.median_minor)
    }

    fn channel(&self) -> &'static str {
        match self.tx.channel {
            Some(Channel::CardPresent) => "card_present",
            Some(Channel::CardNotPresent) => "card_not_present",
            Some(Channel::Transfer) => "transfer",
            Some(Channel::Atm) => "atm",
            Some(Channel::Other) => "other",
            None => "",
        }
    }

    fn direction(&self) -> &'static str {
        match self.picture.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::Unknown => "",
        }
    }

    fn account_age_days(&self) -> i64 {
        let age = |opened: i64| self.picture.now.at_micros.saturating_sub(opened).max(0) / DAY_MICROS;
        self.tx.account_opened_at.map_or(-1, |opened| age(opened.micros()))
    }

    /// Since then, or -1.
    fn since(&self, at: Option<i64>, unit: i64) -> f64 {
        at.map_or(-1.0, |at| self.picture.now.at_micros.saturating_sub(at) as f64 / unit as f64)
    }
}

impl VariableResolver for Facts<'_> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let (tx, picture) = (self.tx, self.picture);
        Some(match name {
            "amount" => double(picture.amount()),
            "currency" => CowVal::owned(CelString::from(tx.amount.currency().as_str().to_owned())),
            "merchant" => lower(tx.merchant.as_deref()),
            "category" => lower(tx.category.as_deref()),
            "channel" => text(self.channel()),
            "direction" => text(self.direction()),
            "has_location" => bool(tx.location.is_some()),
            "country" => text(tx.location.as_ref().map_or("", |location| &location.country)),
            "is_new_country" => bool(picture.is_new_country().is_some()),
            "has_device" => bool(tx.device_fingerprint.is_some()),
            "is_new_device" => bool(picture.device == Newness::New),
            "has_ip" => bool(tx.ip_address.is_some()),
            "hour" => int(self.clock.hour),
            "weekday" => int(self.clock.weekday),
            "is_hour_local" => bool(self.clock.is_local),
            "account_age_days" => int(self.account_age_days()),
            "earlier" => int(picture.earlier.into()),
            "has_baseline" => bool(self.median().is_some()),
            "median_amount" => double(picture.major(self.median().unwrap_or(0) as f64)),
            "ratio_to_median" => double(self.median().map_or(0.0, |median| picture.minor as f64 / median as f64)),
            "days_since_last" => double(self.since(picture.last_at, DAY_MICROS)),
            "count_1h" => int(picture.hour.count.into()),
            "count_24h" => int(picture.day.count.into()),
            "sum_1h" => double(picture.major(picture.hour.sum as f64)),
            "sum_24h" => double(picture.major(picture.day.sum as f64)),
            "alike_7d" => int(picture.alike_7d.into()),
            "in_24h" => double(picture.major(picture.incoming as f64)),
            "minutes_since_in" => double(self.since(picture.last_incoming_at, MINUTE_MICROS)),
            other => CowVal::owned(CelString::from(self.metadata(other.strip_prefix(METADATA_PREFIX)?))),
        })
    }
}

fn bool<'b>(value: bool) -> CowVal<'b, 'b> {
    CowVal::owned(CelBool::from(value))
}

fn int<'b>(value: i64) -> CowVal<'b, 'b> {
    CowVal::owned(CelInt::from(value))
}

fn double<'b>(value: f64) -> CowVal<'b, 'b> {
    CowVal::owned(CelDouble::from(value))
}

fn text(value: &str) -> CowVal<'_, '_> {
    CowVal::owned(CelString::from(value))
}

fn lower<'b>(value: Option<&str>) -> CowVal<'b, 'b> {
    CowVal::owned(CelString::from(value.unwrap_or_default().to_lowercase()))
}
