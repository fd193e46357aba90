//! One customer's earlier transactions: the newest 64 by event time, and when each device and country was first used.
//!
//! A history depends only on the set of transactions that were added, not on their order, and adding one twice changes nothing.
//! This makes it safe to rebuild after a crash or an eviction. It holds no text from outside: devices are stored as hashes.

use countersign_domain::{Currency, Money, Transaction, transaction::Channel};
use countersign_text::hash::fnv32;
use serde_json::Value;

/// The maximum number of transactions kept per customer.
pub const ENTRIES_MAX: usize = 64;
/// The maximum number of devices, and of countries, kept per customer. Beyond it, a new one can't be told from a known one.
pub const FIRST_USES_MAX: usize = 32;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Sorted by time, then by seq.
    entries: Vec<HistoryEntry>,
    devices: Vec<FirstUse>,
    countries: Vec<FirstUse>,
    currencies: Vec<Currency>,
}

/// One transaction. It takes 32 bytes, because a server keeps millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HistoryEntry {
    pub(crate) seq: u64,
    pub(crate) at_micros: i64,
    /// The amount in the currency's minor unit. Fifteen digits and four decimals fit.
    pub(crate) minor: u64,
    packed: Packed,
}

const _: () = assert!(size_of::<HistoryEntry>() == 32);

/// When a device or country was first used. There is one per key, unless a transaction arrives late: if it is earlier in time it
/// adds a second one, so that "before this transaction" stays exact both by seq and by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FirstUse {
    key: u32,
    seq: u64,
    at_micros: i64,
}

/// A point in the log and in time. A transaction is earlier if its seq is lower and it did not happen later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AsOf {
    pub(crate) seq: u64,
    pub(crate) at_micros: i64,
}

/// Whether a device or country had been used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newness {
    Known,
    New,
    /// The customer had used none before, or too many to keep. In both cases, a first use means nothing.
    Undetermined,
}

impl History {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a transaction. Transactions may come in any order, and adding the same seq again changes nothing.
    pub fn add(&mut self, seq: u64, tx: &Transaction) {
        let at_micros = tx.occurred_at.micros();
        let place = GeoPlace::of(tx);
        if let Some(device) = &tx.device_fingerprint {
            note_use(&mut self.devices, FirstUse { key: device_key(device), seq, at_micros });
        }
        if let Some(place) = place {
            note_use(&mut self.countries, FirstUse { key: place.country.into(), seq, at_micros });
        }
        let place_in_order = self.entries.partition_point(|e| (e.at_micros, e.seq) < (at_micros, seq));
        let is_known = self.entries.get(place_in_order).is_some_and(|e| (e.at_micros, e.seq) == (at_micros, seq));
        let is_too_old = place_in_order == 0 && self.entries.len() == ENTRIES_MAX;
        if is_known || is_too_old {
            return;
        }
        let currency = self.currency_index(tx.amount.currency());
        let packed = Packed::new(currency, Direction::of(tx), place);
        let entry = HistoryEntry { seq, at_micros, minor: minor_of(&tx.amount), packed };
        if self.entries.len() == ENTRIES_MAX {
            self.entries.remove(0);
            self.entries.insert(place_in_order - 1, entry);
        } else {
            self.entries.insert(place_in_order, entry);
        }
    }

    /// The number of transactions kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The heap memory in use.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<HistoryEntry>()
            + (self.devices.capacity() + self.countries.capacity()) * size_of::<FirstUse>()
            + self.currencies.capacity() * size_of::<Currency>()
    }

    /// The transactions before `now`, newest first.
    pub(crate) fn before(&self, now: AsOf) -> impl Iterator<Item = &HistoryEntry> {
        let end = self.entries.partition_point(|e| e.at_micros <= now.at_micros);
        self.entries.get(..end).unwrap_or_default().iter().rev().filter(move |e| e.seq < now.seq)
    }

    /// Whether older transactions may have been dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() == ENTRIES_MAX
    }

    pub(crate) fn device(&self, now: AsOf, device: &str) -> Newness {
        newness(&self.devices, now, device_key(device))
    }

    pub(crate) fn country(&self, now: AsOf, country: Country) -> Newness {
        newness(&self.countries, now, country.into())
    }

    /// The number of countries of earlier located transactions.
    pub(crate) fn countries(&self, now: AsOf) -> usize {
        let known = |seen: &&FirstUse| seen.seq < now.seq && seen.at_micros <= now.at_micros;
        let mut keys: Vec<u32> = self.countries.iter().filter(known).map(|seen| seen.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// The index that stands for this currency in the entries. `None` if no transaction in it was ever added.
    pub(crate) fn find_currency(&self, currency: Currency) -> Option<u8> {
        self.currencies.iter().position(|known| *known == currency).and_then(|index| u8::try_from(index).ok())
    }

    /// A byte is enough: ISO 4217 has fewer currencies.
    fn currency_index(&mut self, currency: Currency) -> u8 {
        self.find_currency(currency).unwrap_or_else(|| {
            self.currencies.push(currency);
            u8::try_from(self.currencies.len() - 1).unwrap_or(u8::MAX)
        })
    }
}

fn note_use(all: &mut Vec<FirstUse>, new: FirstUse) {
    let covers = |a: &FirstUse, b: &FirstUse| a.key == b.key && a.seq <= b.seq && a.at_micros <= b.at_micros;
    if all.iter().any(|known| covers(known, &new)) {
        return;
    }
    all.retain(|known| !covers(&new, known));
    if all.len() < FIRST_USES_MAX {
        all.push(new);
    }
}

fn newness(all: &[FirstUse], now: AsOf, key: u32) -> Newness {
    let mut earlier = all.iter().filter(|seen| seen.seq < now.seq && seen.at_micros <= now.at_micros).peekable();
    if earlier.peek().is_none() || all.len() == FIRST_USES_MAX {
        return Newness::Undetermined;
    }
    if earlier.any(|seen| seen.key == key) { Newness::Known } else { Newness::New }
}

/// FNV-1a, because it is the same in every process: a history that is rebuilt must be equal.
fn device_key(device: &str) -> u32 {
    fnv32::hash(device.as_bytes())
}

/// An amount in minor units. `Money` always has its currency's number of decimals.
pub(crate) fn minor_of(money: &Money) -> u64 {
    u64::try_from(money.amount().mantissa()).unwrap_or(u64::MAX)
}

/// Which way the money went, if the sender says so: `metadata.direction` is `in` or `out`, or `metadata.type` is `credit` or
/// `debit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Unknown = 0,
    In = 1,
    Out = 2,
}

impl Direction {
    pub(crate) fn of(tx: &Transaction) -> Self {
        if tx.metadata.is_empty() {
            return Self::Unknown;
        }
        let field = |name: &str| tx.metadata.get(name).and_then(Value::as_str);
        match (field("direction"), field("type")) {
            (Some("in"), _) => Self::In,
            (Some("out"), _) => Self::Out,
            (None, Some("credit")) => Self::In,
            (None, Some("debit")) => Self::Out,
            _ => Self::Unknown,
        }
    }
}

/// Where a transaction took place. Card-not-present transactions have no place: a card's number can be used from anywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GeoPlace {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
    pub(crate) country: Country,
}

impl GeoPlace {
    pub(crate) fn of(tx: &Transaction) -> Option<Self> {
        if tx.channel == Some(Channel::CardNotPresent) {
            return None;
        }
        let location = tx.location.as_ref()?;
        let is_on_earth = (-90.0..=90.0).contains(&location.lat) && (-180.0..=180.0).contains(&location.lon);
        let country = Country::new(&location.country)?;
        // Rounded through the packed form, so that the place is the same now as it will be in the history.
        is_on_earth.then(|| {
            Packed::new(0, Direction::Unknown, Some(Self { lat: location.lat, lon: location.lon, country })).place()
        })?
    }
}

/// A two-letter country code as a number from 1 to 676.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Country(u16);

impl Country {
    pub(crate) fn new(code: &str) -> Option<Self> {
        match code.as_bytes() {
            [a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => Some(Self(u16::from(a - b'A') * 26 + u16::from(b - b'A') + 1)),
            _ => None,
        }
    }
}

impl From<Country> for u32 {
    fn from(country: Country) -> u32 {
        country.0.into()
    }
}

impl std::fmt::Display for Country {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = |n: u16| char::from(b'A' + (n % 26) as u8);
        write!(f, "{}{}", letter((self.0 - 1) / 26), letter(self.0 - 1))
    }
}

/// Latitude and longitude in 22 bits each (within 5 m), country in 10, currency in 8, direction in 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

const DEGREE_STEPS: f64 = ((1 << 22) - 1) as f64;

impl Packed {
    fn new(currency: u8, direction: Direction, place: Option<GeoPlace>) -> Self {
        let steps = |share: f64| ((share * DEGREE_STEPS).round() as u64).min((1 << 22) - 1);
        let place = place.map_or(0, |place| {
            steps((place.lat + 90.0) / 180.0) << 42
                | steps((place.lon + 180.0) / 360.0) << 20
                | u64::from(place.country.0) << 10
        });
        Self(place | u64::from(currency) << 2 | direction as u64)
    }

    fn place(self) -> Option<GeoPlace> {
        let country = (self.0 >> 10 & 0x3ff) as u16;
        let share = |shift: u32| (self.0 >> shift & 0x3f_ffff) as f64 / DEGREE_STEPS;
        (country != 0).then(|| GeoPlace {
            lat: share(42) * 180.0 - 90.0,
            lon: share(20) * 360.0 - 180.0,
            country: Country(country),
        })
    }
}

impl HistoryEntry {
    pub(crate) fn currency(&self) -> u8 {
        (self.packed.0 >> 2) as u8
    }

    pub(crate) fn is_in(&self) -> bool {
        self.packed.0 & 3 == Direction::In as u64
    }

    pub(crate) fn is_located(&self) -> bool {
        self.packed.0 >> 10 & 0x3ff != 0
    }

    pub(crate) fn place(&self) -> Option<GeoPlace> {
        self.packed.place()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample::{at, history, tx};

    const NOW: AsOf = AsOf { seq: u64::MAX, at_micros: i64::MAX };

    #[test]
    fn the_newest_64_by_time_are_kept_whatever_their_order() {
        let all: Vec<_> = (0..100).map(|n| tx(n, json!({"amount": n + 1}))).collect();
        let mut backwards = History::new();
        (0..100).rev().for_each(|n| backwards.add(n as u64, &all[n]));
        assert_eq!(backwards, history(&all));
        let kept: Vec<_> = backwards.before(NOW).map(|entry| entry.minor).collect();
        assert_eq!(kept, (37..=100).rev().map(|n| n * 100).collect::<Vec<_>>());
    }

    #[test]
    fn adding_a_transaction_again_changes_nothing() {
        let all: Vec<_> = (0..100).map(|n| tx(n, json!({}))).collect();
        let mut again = history(&all);
        all.iter().enumerate().for_each(|(seq, tx)| again.add(seq as u64, tx));
        assert_eq!(again, history(&all));
    }

    #[test]
    fn earlier_is_a_lower_seq_and_not_later_in_time() {
        let history = history(&[tx(0, json!({"amount": 1})), tx(5, json!({"amount": 2})), tx(3, json!({"amount": 3}))]);
        let minutes = |minutes| tx(minutes, json!({})).occurred_at.micros();
        let found = |seq, at| history.before(AsOf { seq, at_micros: minutes(at) }).map(|e| e.minor).collect::<Vec<_>>();
        assert_eq!(found(9, 9), [200, 300, 100]);
        assert_eq!(found(9, 3), [300, 100]);
        assert_eq!(found(2, 9), [200, 100]);
        assert_eq!(found(0, 9), [0; 0]);
    }

    #[test]
    fn a_place_survives_to_within_ten_metres() {
        for (lat, lon) in [(38.7223, -9.1393), (-90.0, -180.0), (90.0, 180.0), (0.0, 0.0), (-33.8688, 151.2093)] {
            let place = GeoPlace::of(&tx(0, at(lat, lon, "PT"))).unwrap();
            assert!((place.lat - lat).abs() < 1e-4 && (place.lon - lon).abs() < 1e-4, "{lat} {lon}: {place:?}");
            assert_eq!(place.country.to_string(), "PT");
        }
    }

    #[test]
    fn every_country_has_a_number_and_keeps_its_name() {
        for code in ["AA", "AZ", "BA", "PT", "ZZ"] {
            assert_eq!(Country::new(code).unwrap().to_string(), code);
        }
        assert_eq!(Country::new("pt").or(Country::new("PRT")).or(Country::new("")), None);
    }

    #[test]
    fn an_invalid_place_is_left_out() {
        let mut nowhere = tx(0, at(0.0, 0.0, "PT"));
        for (lat, lon, country) in [(f64::NAN, 0.0, "PT"), (0.0, f64::INFINITY, "PT"), (0.0, 0.0, "Portugal")] {
            nowhere.location.as_mut().unwrap().lat = lat;
            nowhere.location.as_mut().unwrap().lon = lon;
            nowhere.location.as_mut().unwrap().country = country.into();
            assert_eq!(GeoPlace::of(&nowhere), None);
        }
    }

    #[test]
    fn a_device_is_new_only_if_another_was_used_before() {
        let used = |device: &str| tx(0, json!({ "device_fingerprint": device }));
        let mut history = History::new();
        assert_eq!(history.device(NOW, "a"), Newness::Undetermined);
        history.add(0, &used("a"));
        assert_eq!((history.device(NOW, "a"), history.device(NOW, "b")), (Newness::Known, Newness::New));
        // Before the first use, nothing was known.
        assert_eq!(history.device(AsOf { seq: 0, ..NOW }, "a"), Newness::Undetermined);
        (1..200).for_each(|n| history.add(n, &used(&n.to_string())));
        assert_eq!((history.devices.len(), history.device(NOW, "b")), (FIRST_USES_MAX, Newness::Undetermined));
    }

    #[test]
    fn memory_is_bounded() {
        let many =
            |n: i64| json!({"device_fingerprint": n.to_string(), "location": {"lat": 0, "lon": 0, "country": "PT"}});
        let mut history = History::new();
        (0..10_000).for_each(|n| history.add(n as u64, &tx(n, many(n))));
        assert!(history.bytes() < 4_096, "{}", history.bytes());
    }

    #[test]
    fn direction_is_what_the_metadata_says() {
        let rows = [
            (json!({}), Direction::Unknown),
            (json!({"direction": "in"}), Direction::In),
            (json!({"direction": "out", "type": "credit"}), Direction::Out),
            (json!({"type": "credit"}), Direction::In),
            (json!({"type": "debit"}), Direction::Out),
            (json!({"type": ["debit"], "direction": 7}), Direction::Unknown),
        ];
        for (metadata, direction) in rows {
            assert_eq!(Direction::of(&tx(0, json!({ "metadata": metadata }))), direction, "{metadata}");
        }
    }
}
