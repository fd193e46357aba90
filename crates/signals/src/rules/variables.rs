//! The variables that a rule may use: a flat set of single values, each with a default in case it is not known.

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
    snapshot::{CustomerSnapshot, DAY_MICROS, HOUR_MICROS, MINUTE_MICROS},
};

/// One variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    pub name: &'static str,
    pub kind: RuleValueKind,
    /// What it says and, after the last semicolon, its default.
    pub meaning: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleValueKind {
    Bool,
    Int,
    Double,
    Text,
}

/// `meta_channel_code` is the text of `metadata.channel_code`.
pub(super) const METADATA_PREFIX: &str = "meta_";
const METADATA_CHARS_MAX: usize = 256;

const fn variable(name: &'static str, kind: RuleValueKind, meaning: &'static str) -> Variable {
    Variable { name, kind, meaning }
}

pub(super) const ALL: &[Variable] = &[
    variable("amount", RuleValueKind::Double, "in major units: 1250.5"),
    variable("currency", RuleValueKind::Text, "ISO 4217"),
    variable("merchant", RuleValueKind::Text, "in lower case; \"\""),
    variable("category", RuleValueKind::Text, "in lower case; \"\""),
    variable("channel", RuleValueKind::Text, "card_present, card_not_present, transfer, atm, other; \"\""),
    variable(
        "direction",
        RuleValueKind::Text,
        "in or out, as the metadata says (direction in/out, type credit/debit); \"\"",
    ),
    variable("has_location", RuleValueKind::Bool, "whether a location came with it"),
    variable("country", RuleValueKind::Text, "of the location; \"\""),
    variable("is_new_country", RuleValueKind::Bool, "whether earlier located transactions were all elsewhere"),
    variable("has_device", RuleValueKind::Bool, "whether a device fingerprint came with it"),
    variable("is_new_device", RuleValueKind::Bool, "whether earlier transactions had devices, and not this one"),
    variable("has_ip", RuleValueKind::Bool, "whether a network address came with it"),
    variable("hour", RuleValueKind::Int, "0 to 23 by the location's longitude, else UTC"),
    variable("weekday", RuleValueKind::Int, "1 Monday to 7 Sunday, by the same clock"),
    variable("is_hour_local", RuleValueKind::Bool, "whether the hour is by the location's longitude"),
    variable("account_age_days", RuleValueKind::Int, "whole days since the account was opened; -1"),
    variable("earlier", RuleValueKind::Int, "earlier transactions that are kept, at most 64"),
    variable("has_baseline", RuleValueKind::Bool, "whether there are five earlier amounts in this currency"),
    variable("median_amount", RuleValueKind::Double, "of the earlier amounts in this currency; 0"),
    variable("ratio_to_median", RuleValueKind::Double, "the amount over that median; 0"),
    variable("days_since_last", RuleValueKind::Double, "since the transaction before; -1"),
    variable("count_1h", RuleValueKind::Int, "transactions in the hour that ends with this one"),
    variable("count_24h", RuleValueKind::Int, "the same over 24 hours"),
    variable("sum_1h", RuleValueKind::Double, "amounts of that hour in this currency"),
    variable("sum_24h", RuleValueKind::Double, "the same over 24 hours"),
    variable(
        "alike_7d",
        RuleValueKind::Int,
        "earlier amounts of seven days within a tenth of this one, in this currency",
    ),
    variable("in_24h", RuleValueKind::Double, "money that came in during 24 hours before, in this currency; 0"),
    variable("minutes_since_in", RuleValueKind::Double, "since money last came in, within 24 hours; -1"),
];

const BASELINE_MIN: u32 = 5;

/// The hour and weekday of a transaction, by its local time or UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalClock {
    pub(crate) hour: i64,
    weekday: i64,
    is_local: bool,
}

impl LocalClock {
    /// Estimates local time by longitude, four minutes per degree. It needs no time-zone table and is at most a few hours off.
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

/// The variables' values for one transaction, each computed when a rule uses it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleVariables<'a> {
    tx: &'a Transaction,
    snapshot: &'a CustomerSnapshot,
    clock: LocalClock,
}

impl<'a> RuleVariables<'a> {
    pub(crate) fn new(tx: &'a Transaction, snapshot: &'a CustomerSnapshot) -> Self {
        Self { tx, snapshot, clock: LocalClock::new(tx) }
    }

    pub(crate) fn clock(&self) -> LocalClock {
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
        self.snapshot.baseline.filter(|baseline| baseline.transactions >= BASELINE_MIN).map(|it| it.median_minor)
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
        match self.snapshot.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::Unknown => "",
        }
    }

    fn account_age_days(&self) -> i64 {
        let age = |opened: i64| self.snapshot.now.at_micros.saturating_sub(opened).max(0) / DAY_MICROS;
        self.tx.account_opened_at.map_or(-1, |opened| age(opened.micros()))
    }

    /// The time since then in `unit`s, or -1.
    fn since(&self, at: Option<i64>, unit: i64) -> f64 {
        at.map_or(-1.0, |at| self.snapshot.now.at_micros.saturating_sub(at) as f64 / unit as f64)
    }
}

impl VariableResolver for RuleVariables<'_> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let (tx, snapshot) = (self.tx, self.snapshot);
        Some(match name {
            "amount" => double(snapshot.amount()),
            "currency" => CowVal::owned(CelString::from(tx.amount.currency().as_str().to_owned())),
            "merchant" => lower(tx.merchant.as_deref()),
            "category" => lower(tx.category.as_deref()),
            "channel" => text(self.channel()),
            "direction" => text(self.direction()),
            "has_location" => bool(tx.location.is_some()),
            "country" => text(tx.location.as_ref().map_or("", |location| &location.country)),
            "is_new_country" => bool(snapshot.is_new_country().is_some()),
            "has_device" => bool(tx.device_fingerprint.is_some()),
            "is_new_device" => bool(snapshot.device == Newness::New),
            "has_ip" => bool(tx.ip_address.is_some()),
            "hour" => int(self.clock.hour),
            "weekday" => int(self.clock.weekday),
            "is_hour_local" => bool(self.clock.is_local),
            "account_age_days" => int(self.account_age_days()),
            "earlier" => int(snapshot.earlier.into()),
            "has_baseline" => bool(self.median().is_some()),
            "median_amount" => double(snapshot.major(self.median().unwrap_or(0) as f64)),
            "ratio_to_median" => double(self.median().map_or(0.0, |median| snapshot.minor as f64 / median as f64)),
            "days_since_last" => double(self.since(snapshot.last_at, DAY_MICROS)),
            "count_1h" => int(snapshot.hour.count.into()),
            "count_24h" => int(snapshot.day.count.into()),
            "sum_1h" => double(snapshot.major(snapshot.hour.sum as f64)),
            "sum_24h" => double(snapshot.major(snapshot.day.sum as f64)),
            "alike_7d" => int(snapshot.alike_7d.into()),
            "in_24h" => double(snapshot.major(snapshot.incoming as f64)),
            "minutes_since_in" => double(self.since(snapshot.last_incoming_at, MINUTE_MICROS)),
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
