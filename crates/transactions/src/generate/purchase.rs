//! A transaction before it has an id: who, where, what and how much.

use countersign_domain::transaction::{Channel, Location};
use countersign_domain::{Currency, Money, Time, Transaction, TransactionId, UserId};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde_json::{Map, Value};

use super::FraudKind;
use super::cities::City;

#[derive(Debug, Clone)]
pub(super) struct Purchase {
    pub(super) at: i64,
    pub(super) user_id: UserId,
    pub(super) opened_at: Time,
    pub(super) merchant: String,
    pub(super) category: &'static str,
    pub(super) channel: Channel,
    /// The city whose currency and prices apply.
    pub(super) priced_in: &'static City,
    /// The amount in dollars, before that city's price level is applied.
    pub(super) dollars: f64,
    pub(super) place: Option<PurchasePlace>,
    pub(super) online: Option<OnlineIdentity>,
    pub(super) memo: Option<&'static str>,
    pub(super) fraud: Option<FraudKind>,
}

#[derive(Debug, Clone)]
pub(super) struct PurchasePlace {
    city: &'static City,
    lat: f64,
    lon: f64,
}

/// What is known about a customer who pays remotely.
#[derive(Debug, Clone)]
pub(super) struct OnlineIdentity {
    pub(super) device: String,
    pub(super) ip_address: String,
}

impl PurchasePlace {
    /// A random place in a city.
    pub(super) fn in_town(city: &'static City, rng: &mut ChaCha8Rng) -> Self {
        let mut near = |degrees: f64| ((degrees + rng.random_range(-0.06..0.06)) * 10_000.0).round() / 10_000.0;
        Self { city, lat: near(city.lat), lon: near(city.lon) }
    }

    pub(super) fn city(&self) -> &'static City {
        self.city
    }
}

impl OnlineIdentity {
    pub(super) fn new(rng: &mut ChaCha8Rng) -> Self {
        let device = format!("dev-{:016x}", rng.random::<u64>());
        Self { device, ip_address: address(rng) }
    }
}

/// An address from the ranges reserved for documentation, so it belongs to nobody.
fn address(rng: &mut ChaCha8Rng) -> String {
    let host: u8 = rng.random_range(1..=254);
    match rng.random_range(0..4) {
        0 => format!("192.0.2.{host}"),
        1 => format!("198.51.100.{host}"),
        2 => format!("203.0.113.{host}"),
        _ => format!("2001:db8:{:x}::{host:x}", rng.random::<u16>()),
    }
}

impl Purchase {
    /// `None` beyond the range of representable times.
    pub(super) fn transaction(self, transaction_id: TransactionId) -> Option<Transaction> {
        let mut metadata = Map::new();
        if let Some(memo) = self.memo {
            metadata.insert("memo".to_owned(), Value::from(memo));
        }
        let (device_fingerprint, ip_address) =
            self.online.map_or((None, None), |online| (Some(online.device), Some(online.ip_address)));
        let transaction = Transaction {
            transaction_id,
            user_id: self.user_id,
            amount: money(self.dollars * self.priced_in.price_level, self.priced_in, self.channel)?,
            occurred_at: Time::from_micros(self.at).ok()?,
            merchant: Some(self.merchant),
            category: Some(self.category.to_owned()),
            channel: Some(self.channel),
            location: self.place.map(|PurchasePlace { city, lat, lon }| Location {
                lat,
                lon,
                country: city.country.to_owned(),
                city: Some(city.name.to_owned()),
            }),
            ip_address,
            device_fingerprint,
            account_opened_at: Some(self.opened_at),
            metadata,
        };
        transaction.validated().ok()
    }
}

/// The amount in the currency's decimals. Cash machines pay out whole notes.
fn money(amount: f64, city: &City, channel: Channel) -> Option<Money> {
    let currency: Currency = city.currency.parse().ok()?;
    let decimals = currency.exponent() as usize;
    let amount = if channel == Channel::Atm {
        // A note is worth about ten dollars.
        let note = 10_f64.powf((10.0 * city.price_level).log10().round());
        (amount / note).round().max(1.0) * note
    } else {
        amount.max(10_f64.powf(-(decimals as f64)))
    };
    Money::new(&format!("{amount:.decimals$}"), currency).ok()
}
