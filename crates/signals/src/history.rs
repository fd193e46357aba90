//! One customer's earlier transactions: the newest 64 in event time, and which devices and countries were ever used.
//!
//! A history is a function of the set of transactions that were added, not of their order; adding one twice changes
//! nothing. That is what makes it safe to rebuild after a crash or an eviction. It keeps no text from outside: devices are
//! kept as a hash.

use countersign_domain::{Currency, Money, Transaction, transaction::Channel};
use serde_json::Value;

/// Transactions that are kept of one customer.
pub const ENTRIES_MAX: usize = 64;
/// Devices, and countries, that are kept of one customer. With more, a further one is no news.
pub const SEEN_MAX: usize = 32;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Sorted by time, then by seq.
    entries: Vec<Entry>,
    devices: Vec<Seen>,
    countries: Vec<Seen>,
    currencies: Vec<Currency>,
}

/// 32 bytes, as a server keeps millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
    pub(crate) at_micros: i64,
    /// In the currency's minor unit: fifteen digits and four decimals fit.
    pub(crate) minor: u64,
    packed: Packed,
}

const _: () = assert!(size_of::<Entry>() == 32);

/// When a device or country was first used. Without late arrivals there is one row per key; a late arrival that is earlier
/// in time adds another, so that "before this transaction" stays exact for both orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    key: u32,
    seq: u64,
    at_micros: i64,
}

/// A moment in the log and in time. Earlier is what has a lower seq and is not later in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) seq: u64,
    pub(crate) at_micros: i64,
}

/// Whether something had been used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Newness {
    Known,
    New,
    /// Nothing of the kind was used before, or too many were: then a first use says nothing.
    NoNews,
}

impl History {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a transaction. Adding the same seq again changes nothing; any order will do.
    pub fn add(&mut self, seq: u64, tx: &Transaction) {
        let at_micros = tx.occurred_at.micros();
        let place = Place::of(tx);
        if let Some(device) = &tx.device_fingerprint {
            see(&mut self.devices, Seen { key: device_key(device), seq, at_micros });
        }
        if let Some(place) = place {
            see(&mut self.countries, Seen { key: place.country.into(), seq, at_micros });
        }
        let place_in_order = self.entries.partition_point(|e| (e.at_micros, e.seq) < (at_micros, seq));
        let is_known = self.entries.get(place_in_order).is_some_and(|e| (e.at_micros, e.seq) == (at_micros, seq));
        let is_too_old = place_in_order == 0 && self.entries.len() == ENTRIES_MAX;
        if is_known || is_too_old {
            return;
        }
        let currency = self.currency_index(tx.amount.currency());
        let packed = Packed::new(currency, Direction::of(tx), place);
        let entry = Entry { seq, at_micros, minor: minor_of(&tx.amount), packed };
        if self.entries.len() == ENTRIES_MAX {
            self.entries.remove(0);
            self.entries.insert(place_in_order - 1, entry);
        } else {
            self.entries.insert(place_in_order, entry);
        }
    }

    /// Transactions that are kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it takes on the heap.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + (self.devices.capacity() + self.countries.capacity()) * size_of::<Seen>()
            + self.currencies.capacity() * size_of::<Currency>()
    }

    /// Newest first.
    pub(crate) fn before(&self, now: Moment) -> impl Iterator<Item = &Entry> {
        let end = self.entries.partition_point(|e| e.at_micros <= now.at_micros);
        self.entries.get(..end).unwrap_or_default().iter().rev().filter(move |e| e.seq < now.seq)
    }

    /// Whether older transactions may have been dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() == ENTRIES_MAX
    }

    pub(crate) fn device(&self, now: Moment, device: &str) -> Newness {
        newness(&self.devices, now, device_key(device))
    }

    pub(crate) fn country(&self, now: Moment, country: Country) -> Newness {
        newness(&self.countries, now, country.into())
    }

    /// Countries of earlier located transactions.
    pub(crate) fn countries(&self, now: Moment) -> usize {
        let known = |seen: &&Seen| seen.seq < now.seq && seen.at_micros <= now.at_micros;
        let mut keys: Vec<u32> = self.countries.iter().filter(known).map(|seen| seen.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// The index by which entries name a currency, if any does.
    pub(crate) fn find_currency(&self, currency: Currency) -> Option<u8> {
        self.currencies.iter().position(|known| *known == currency).and_then(|index| u8::try_from(index).ok())
    }

    /// There are fewer currencies in ISO 4217 than a byte holds.
    fn currency_index(&mut self, currency: Currency) -> u8 {
        self.find_currency(currency).unwrap_or_else(|| {
            self.currencies.push(currency);
            u8::try_from(self.currencies.len() - 1).unwrap_or(u8::MAX)
        })
    }
}

fn see(all: &mut Vec<Seen>, new: Seen) {
    let covers = |a: &Seen, b: &Seen| a.key == b.key && a.seq <= b.seq && a.at_micros <= b.at_micros;
    if all.iter().any(|known| covers(known, &new)) {
        return;
    }
    all.retain(|known| !covers(&new, known));
    if all.len() < SEEN_MAX {
        all.push(new);
    }
}

fn newness(all: &[Seen], now: Moment, key: u32) -> Newness {
    let mut earlier = all.iter().filter(|seen| seen.seq < now.seq && seen.at_micros <= now.at_micros).peekable();
    if earlier.peek().is_none() || all.len() == SEEN_MAX {
        return Newness::NoNews;
    }
    if earlier.any(|seen| seen.key == key) { Newness::Known } else { Newness::New }
}

/// FNV-1a: the same in every process, as a history that is rebuilt must be equal.
fn device_key(device: &str) -> u32 {
    device.bytes().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Minor units: money's decimals are always its currency's.
pub(crate) fn minor_of(money: &Money) -> u64 {
    u64::try_from(money.amount().mantissa()).unwrap_or(u64::MAX)
}

/// Which way money went, where the sender says so: `metadata.direction` is `in` or `out`, or `metadata.type` is `credit`
/// or `debit`. A transaction without either has no direction.
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

/// Where a transaction took place. Those with the card not present have none: a card's number travels by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) lat: f64,
    pub(crate) lon: f64,
    pub(crate) country: Country,
}

impl Place {
    pub(crate) fn of(tx: &Transaction) -> Option<Self> {
        if tx.channel == Some(Channel::CardNotPresent) {
            return None;
        }
        let location = tx.location.as_ref()?;
        let is_on_earth = (-90.0..=90.0).contains(&location.lat) && (-180.0..=180.0).contains(&location.lon);
        let country = Country::new(&location.country)?;
        // Through the packed form, so that a place is the same now as it will be in the history.
        is_on_earth.then(|| {
            Packed::new(0, Direction::Unknown, Some(Self { lat: location.lat, lon: location.lon, country })).place()
        })?
    }
}

/// Two capitals as a number from 1 to 676.
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
    fn new(currency: u8, direction: Direction, place: Option<Place>) -> Self {
        let steps = |share: f64| ((share * DEGREE_STEPS).round() as u64).min((1 << 22) - 1);
        let place = place.map_or(0, |place| {
            steps((place.lat + 90.0) / 180.0) << 42
                | steps((place.lon + 180.0) / 360.0) << 20
                | u64::from(place.country.0) << 10
        });
        Self(place | u64::from(currency) << 2 | direction as u64)
    }

    fn place(self) -> Option<Place> {
        let country = (self.0 >> 10 & 0x3ff) as u16;
        let share = |shift: u32| (self.0 >> shift & 0x3f_ffff) as f64 / DEGREE_STEPS;
        (country != 0).then(|| Place {
            lat: share(42) * 180.0 - 90.0,
            lon: share(20) * 360.0 - 180.0,
            country: Country(country),
        })
    }
}

impl Entry {
    pub(crate) fn currency(&self) -> u8 {
        (self.packed.0 >> 2) as u8
    }

    pub(crate) fn is_in(&self) -> bool {
        self.packed.0 & 3 == Direction::In as u64
    }

    pub(crate) fn is_located(&self) -> bool {
        self.packed.0 >> 10 & 0x3ff != 0
    }

    pub(crate) fn place(&self) -> Option<Place> {
        self.packed.place()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample::{at, history, tx};

    const NOW: Moment = Moment { seq: u64::MAX, at_micros: i64::MAX };

    #[test]
    fn the_newest_64_in_time_are_kept_in_whatever_order_they_come() {
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
        let found =
            |seq, at| history.before(Moment { seq, at_micros: minutes(at) }).map(|e| e.minor).collect::<Vec<_>>();
        assert_eq!(found(9, 9), [200, 300, 100]);
        assert_eq!(found(9, 3), [300, 100]);
        assert_eq!(found(2, 9), [200, 100]);
        assert_eq!(found(0, 9), [0; 0]);
    }

    #[test]
    fn a_place_survives_to_within_ten_metres() {
        for (lat, lon) in [(38.7223, -9.1393), (-90.0, -180.0), (90.0, 180.0), (0.0, 0.0), (-33.8688, 151.2093)] {
            let place = Place::of(&tx(0, at(lat, lon, "PT"))).unwrap();
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
    fn a_place_that_is_none_is_left_out() {
        let mut nowhere = tx(0, at(0.0, 0.0, "PT"));
        for (lat, lon, country) in [(f64::NAN, 0.0, "PT"), (0.0, f64::INFINITY, "PT"), (0.0, 0.0, "Portugal")] {
            nowhere.location.as_mut().unwrap().lat = lat;
            nowhere.location.as_mut().unwrap().lon = lon;
            nowhere.location.as_mut().unwrap().country = country.into();
            assert_eq!(Place::of(&nowhere), None);
        }
    }

    #[test]
    fn a_device_is_new_only_beside_others() {
        let used = |device: &str| tx(0, json!({ "device_fingerprint": device }));
        let mut history = History::new();
        assert_eq!(history.device(NOW, "a"), Newness::NoNews);
        history.add(0, &used("a"));
        assert_eq!((history.device(NOW, "a"), history.device(NOW, "b")), (Newness::Known, Newness::New));
        // As it was before the first.
        assert_eq!(history.device(Moment { seq: 0, ..NOW }, "a"), Newness::NoNews);
        (1..200).for_each(|n| history.add(n, &used(&n.to_string())));
        assert_eq!((history.devices.len(), history.device(NOW, "b")), (SEEN_MAX, Newness::NoNews));
    }

    #[test]
    fn memory_has_an_end() {
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
