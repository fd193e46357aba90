//! What was known about a customer at the moment of a transaction, gathered in one pass over the history.
//!
//! Windows are in event time; they end with the transaction and include it. Sums and baselines are in the transaction's own
//! currency; counts are over all currencies.

use countersign_domain::{Currency, Transaction};

use crate::{
    history::{AsOf, Country, Direction, ENTRIES_MAX, GeoPlace, History, HistoryEntry, Newness, minor_of},
    robust::{AmountBaseline, AmountSample},
};

pub(crate) const MINUTE_MICROS: i64 = 60_000_000;
pub(crate) const HOUR_MICROS: i64 = 60 * MINUTE_MICROS;
pub(crate) const DAY_MICROS: i64 = 24 * HOUR_MICROS;
/// Amounts that differ by at most this share count as alike. Structuring repeats similar amounts.
const ALIKE_SHARE: f64 = 0.1;

#[derive(Debug, Clone)]
pub(crate) struct CustomerSnapshot {
    pub(crate) now: AsOf,
    pub(crate) minor: u64,
    pub(crate) currency: Currency,
    pub(crate) decimals: u32,
    /// The number of earlier transactions kept, in any currency.
    pub(crate) earlier: u32,
    /// When the previous transaction took place.
    pub(crate) last_at: Option<i64>,
    pub(crate) hour: WindowTotals,
    pub(crate) day: WindowTotals,
    /// The largest amount within 24 hours.
    pub(crate) day_largest: u64,
    /// Whether the history may be too short for the windows. If so, the counts are lower bounds.
    pub(crate) is_cut: bool,
    pub(crate) older: OlderTotals,
    /// The number of earlier transactions in this currency.
    pub(crate) same_currency: u32,
    pub(crate) baseline: Option<AmountBaseline>,
    pub(crate) here: Option<GeoPlace>,
    /// Place and time of the previous located transaction.
    pub(crate) previous: Option<(GeoPlace, i64)>,
    pub(crate) located: u32,
    pub(crate) countries: u32,
    pub(crate) country: Newness,
    pub(crate) device: Newness,
    pub(crate) direction: Direction,
    /// The money that came in during the last 24 hours, in minor units.
    pub(crate) incoming: u128,
    pub(crate) last_incoming_at: Option<i64>,
    /// The number of amounts of the last seven days that are within a tenth of this one.
    pub(crate) alike_7d: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct WindowTotals {
    pub(crate) count: u32,
    pub(crate) sum: u128,
}

/// Totals of the transactions from before the last 24 hours. They show what is usual for the customer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct OlderTotals {
    pub(crate) count: u32,
    pub(crate) sum: u128,
    pub(crate) oldest_at: Option<i64>,
}

impl CustomerSnapshot {
    pub(crate) fn new(seq: u64, tx: &Transaction, history: &History) -> Self {
        let now = AsOf { seq, at_micros: tx.occurred_at.micros() };
        let here = GeoPlace::of(tx);
        let mut snapshot = Self::without_history(now, tx, here);
        let currency = history.find_currency(tx.amount.currency());
        let mut amounts = AmountSample::default();
        for entry in history.before(now) {
            snapshot.add(entry, currency == Some(entry.currency()), &mut amounts);
        }
        snapshot.is_cut = history.is_full() && snapshot.older.count == 0;
        snapshot.same_currency = amounts.len();
        snapshot.baseline = amounts.baseline();
        if let Some(place) = here {
            snapshot.country = history.country(now, place.country);
            if snapshot.country == Newness::New {
                snapshot.countries = history.countries(now) as u32;
            }
        }
        if let Some(device) = &tx.device_fingerprint {
            snapshot.device = history.device(now, device);
        }
        snapshot
    }

    fn without_history(now: AsOf, tx: &Transaction, here: Option<GeoPlace>) -> Self {
        let minor = minor_of(&tx.amount);
        let window = WindowTotals { count: 1, sum: minor.into() };
        Self {
            now,
            minor,
            currency: tx.amount.currency(),
            decimals: tx.amount.amount().scale(),
            earlier: 0,
            last_at: None,
            hour: window,
            day: window,
            day_largest: minor,
            is_cut: false,
            older: OlderTotals::default(),
            same_currency: 0,
            baseline: None,
            here,
            previous: None,
            located: 0,
            countries: 0,
            country: Newness::Undetermined,
            device: Newness::Undetermined,
            direction: Direction::of(tx),
            incoming: 0,
            last_incoming_at: None,
            alike_7d: 0,
        }
    }

    /// Adds one entry. Entries come newest first.
    fn add(&mut self, entry: &HistoryEntry, is_same_currency: bool, amounts: &mut AmountSample) {
        let age = self.now.at_micros.saturating_sub(entry.at_micros);
        let sum = if is_same_currency { u128::from(entry.minor) } else { 0 };
        self.earlier += 1;
        self.last_at.get_or_insert(entry.at_micros);
        if age < HOUR_MICROS {
            self.hour.count += 1;
            self.hour.sum += sum;
        }
        if age < DAY_MICROS {
            self.day.count += 1;
            self.day.sum += sum;
        } else {
            self.older = OlderTotals {
                count: self.older.count + 1,
                sum: self.older.sum + sum,
                oldest_at: Some(entry.at_micros),
            };
        }
        if entry.is_located() {
            self.located += 1;
            if self.previous.is_none() {
                self.previous = entry.place().map(|place| (place, entry.at_micros));
            }
        }
        if is_same_currency {
            amounts.push(entry.minor);
            self.add_same_currency(entry, age);
        }
    }

    fn add_same_currency(&mut self, entry: &HistoryEntry, age: i64) {
        if age < DAY_MICROS {
            self.day_largest = self.day_largest.max(entry.minor);
        }
        if entry.is_in() && age < DAY_MICROS {
            self.incoming += u128::from(entry.minor);
            self.last_incoming_at.get_or_insert(entry.at_micros);
        }
        let difference = self.minor.abs_diff(entry.minor) as f64;
        if age < 7 * DAY_MICROS && difference <= ALIKE_SHARE * self.minor as f64 {
            self.alike_7d += 1;
        }
    }

    /// The amount in major units, for measuring only. Money that is shown is never computed from it.
    pub(crate) fn amount(&self) -> f64 {
        self.major(self.minor as f64)
    }

    pub(crate) fn major(&self, minor: f64) -> f64 {
        minor / 10_f64.powi(self.decimals as i32)
    }

    /// The number of days from the oldest transaction to 24 hours ago, at least one.
    pub(crate) fn older_days(&self) -> f64 {
        let until = self.now.at_micros.saturating_sub(DAY_MICROS);
        let span = self.older.oldest_at.map_or(0, |oldest| until.saturating_sub(oldest));
        (span as f64 / DAY_MICROS as f64).max(1.0)
    }

    pub(crate) fn is_new_country(&self) -> Option<Country> {
        self.here.filter(|_| self.country == Newness::New).map(|place| place.country)
    }
}

const _: () = assert!(ENTRIES_MAX <= 64);
