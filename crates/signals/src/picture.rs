//! What was known of a customer at the moment of a transaction, gathered in one pass over the history.
//!
//! Windows are in event time and end with the transaction, which counts in them. Sums and baselines are in the
//! transaction's own currency; counts are over all currencies.

use countersign_domain::{Currency, Transaction};

use crate::{
    history::{Country, Direction, ENTRIES_MAX, Entry, History, Moment, Newness, Place, minor_of},
    robust::{Amounts, Baseline},
};

pub(crate) const MINUTE_MICROS: i64 = 60_000_000;
pub(crate) const HOUR_MICROS: i64 = 60 * MINUTE_MICROS;
pub(crate) const DAY_MICROS: i64 = 24 * HOUR_MICROS;
/// Amounts this close to each other count as alike: structuring repeats itself.
const ALIKE: f64 = 0.1;

#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) now: Moment,
    pub(crate) minor: u64,
    pub(crate) currency: Currency,
    pub(crate) decimals: u32,
    /// Earlier transactions that are kept, in any currency.
    pub(crate) earlier: u32,
    /// When the one before took place.
    pub(crate) last_at: Option<i64>,
    pub(crate) hour: Window,
    pub(crate) day: Window,
    /// The largest amount of the 24 hours.
    pub(crate) day_largest: u64,
    /// Whether the history was too short for its windows: counts are then the least they can be.
    pub(crate) is_cut: bool,
    pub(crate) older: Older,
    /// Of the earlier amounts in this currency.
    pub(crate) same_currency: u32,
    pub(crate) baseline: Option<Baseline>,
    pub(crate) here: Option<Place>,
    /// The located transaction before.
    pub(crate) previous: Option<(Place, i64)>,
    pub(crate) located: u32,
    pub(crate) countries: u32,
    pub(crate) country: Newness,
    pub(crate) device: Newness,
    pub(crate) direction: Direction,
    /// Money that came in during the last 24 hours.
    pub(crate) incoming: u128,
    pub(crate) last_incoming_at: Option<i64>,
    /// Earlier amounts of the last seven days that are within a tenth of this one.
    pub(crate) alike_7d: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Window {
    pub(crate) count: u32,
    pub(crate) sum: u128,
}

/// Transactions of more than 24 hours before: what is usual.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Older {
    pub(crate) count: u32,
    pub(crate) sum: u128,
    pub(crate) oldest_at: Option<i64>,
}

impl Picture {
    pub(crate) fn new(seq: u64, tx: &Transaction, history: &History) -> Self {
        let now = Moment { seq, at_micros: tx.occurred_at.micros() };
        let here = Place::of(tx);
        let mut picture = Self::alone(now, tx, here);
        let currency = history.find_currency(tx.amount.currency());
        let mut amounts = Amounts::default();
        for entry in history.before(now) {
            picture.add(entry, currency == Some(entry.currency()), &mut amounts);
        }
        picture.is_cut = history.is_full() && picture.older.count == 0;
        picture.same_currency = amounts.len();
        picture.baseline = amounts.baseline();
        if let Some(place) = here {
            picture.country = history.country(now, place.country);
            if picture.country == Newness::New {
                picture.countries = history.countries(now) as u32;
            }
        }
        if let Some(device) = &tx.device_fingerprint {
            picture.device = history.device(now, device);
        }
        picture
    }

    fn alone(now: Moment, tx: &Transaction, here: Option<Place>) -> Self {
        let minor = minor_of(&tx.amount);
        let window = Window { count: 1, sum: minor.into() };
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
            older: Older::default(),
            same_currency: 0,
            baseline: None,
            here,
            previous: None,
            located: 0,
            countries: 0,
            country: Newness::NoNews,
            device: Newness::NoNews,
            direction: Direction::of(tx),
            incoming: 0,
            last_incoming_at: None,
            alike_7d: 0,
        }
    }

    /// Entries come newest first.
    fn add(&mut self, entry: &Entry, is_same_currency: bool, amounts: &mut Amounts) {
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
            self.older =
                Older { count: self.older.count + 1, sum: self.older.sum + sum, oldest_at: Some(entry.at_micros) };
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

    fn add_same_currency(&mut self, entry: &Entry, age: i64) {
        if age < DAY_MICROS {
            self.day_largest = self.day_largest.max(entry.minor);
        }
        if entry.is_in() && age < DAY_MICROS {
            self.incoming += u128::from(entry.minor);
            self.last_incoming_at.get_or_insert(entry.at_micros);
        }
        let difference = self.minor.abs_diff(entry.minor) as f64;
        if age < 7 * DAY_MICROS && difference <= ALIKE * self.minor as f64 {
            self.alike_7d += 1;
        }
    }

    /// Major units, for measuring; money that is shown is never computed from this.
    pub(crate) fn amount(&self) -> f64 {
        self.major(self.minor as f64)
    }

    pub(crate) fn major(&self, minor: f64) -> f64 {
        minor / 10_f64.powi(self.decimals as i32)
    }

    /// Days that the older transactions span, up to 24 hours ago; at least one.
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
