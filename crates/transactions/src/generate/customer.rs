//! A customer: home, income, favourite shops, waking hours, device and occasional trips.

use countersign_domain::transaction::Channel;
use countersign_domain::{Time, Transaction, UserId};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::chance::{exponential, log_normal, pick};
use super::cities::City;
use super::purchase::{OnlineIdentity, Purchase, PurchasePlace};
use super::shops::{CASH, Shop, ShopCategory, TRANSFER};
use super::{DAY, SECOND, memo, seconds};

const FAVOURITES: usize = 9;
const CRUISING_KM_PER_H: f64 = 750.0;
/// Hours for getting to, through and from the airports.
const AIRPORTS_H: f64 = 4.0;
const TRIPS_PER_PURCHASE: f64 = 0.012;
const MEMO_SHARE: f64 = 0.06;
const HOSTILE_MEMO_SHARE: f64 = 0.003;
/// The time after an episode before its victim can be a victim again.
const VICTIM_PAUSE: i64 = 3 * 3600 * SECOND;
/// An upper bound on the factor by which hour and weekday multiply a customer's mean rate.
const ACTIVITY_MAX: f64 = 3.2;

pub(super) struct Customer {
    user_id: UserId,
    home: &'static City,
    /// A factor on median prices.
    income: f64,
    per_day: f64,
    /// The number of hours by which their day is later than others'.
    late_riser_h: i64,
    shops: Vec<Shop>,
    online: OnlineIdentity,
    opened_at: Time,
    trip: Option<Trip>,
    /// When they are back home from their current or last trip.
    away_until: i64,
    /// The end of the last episode in which they were the victim.
    victim_until: i64,
    /// When and where they last used the card in person, as a detector of impossible travel sees it.
    last_seen: Option<(i64, &'static City)>,
    /// They buy nothing before this time.
    quiet_until: i64,
}

struct Trip {
    city: &'static City,
    ends_at: i64,
}

impl Customer {
    pub(super) fn new(number: u64, start: Time, rng: &mut ChaCha8Rng) -> Self {
        let opened_at = start.micros() - seconds(86_400.0 * log_normal(rng, 900.0, 1.2).clamp(15.0, 9000.0));
        Self {
            user_id: user_id(number),
            home: City::any(rng),
            income: log_normal(rng, 1.0, 0.35),
            per_day: log_normal(rng, 1.2, 0.4).clamp(0.3, 4.0),
            late_riser_h: rng.random_range(-1..=3),
            shops: (0..FAVOURITES).map(|_| ShopCategory::usual(rng).shop(rng)).collect(),
            online: OnlineIdentity::new(rng),
            opened_at: Time::from_micros(opened_at).unwrap_or(start),
            trip: None,
            away_until: i64::MIN,
            victim_until: i64::MIN,
            last_seen: None,
            quiet_until: i64::MIN,
        }
    }

    pub(super) fn user_id(&self) -> &UserId {
        &self.user_id
    }

    pub(super) fn opened_at(&self) -> Time {
        self.opened_at
    }

    pub(super) fn home(&self) -> &'static City {
        self.home
    }

    pub(super) fn income(&self) -> f64 {
        self.income
    }

    /// The reporting threshold of their home country, in dollars.
    pub(super) fn reporting_threshold_dollars(&self) -> f64 {
        self.home.reporting_threshold() / self.home.price_level
    }

    pub(super) fn online(&self) -> &OnlineIdentity {
        &self.online
    }

    pub(super) fn can_be_victim(&self, at: i64) -> bool {
        let free_from = self.away_until.max(self.victim_until.saturating_add(VICTIM_PAUSE)).max(self.quiet_until);
        self.trip.is_none() && free_from < at && self.last_seen.is_none_or(|(seen_at, _)| seen_at <= at)
    }

    pub(super) fn set_victim_until(&mut self, at: i64) {
        self.victim_until = at;
    }

    /// When and where they were last seen in person. The time is in the future if the purchase is only planned.
    pub(super) fn last_seen(&self) -> Option<(i64, &'static City)> {
        self.last_seen
    }

    /// Notes where a purchase was made, unless the card was not present.
    pub(super) fn note(&mut self, purchase: &Purchase) {
        let Some(place) = purchase.place.as_ref().filter(|_| purchase.channel != Channel::CardNotPresent) else {
            return;
        };
        if self.last_seen.is_none_or(|(seen_at, _)| seen_at <= purchase.at) {
            self.last_seen = Some((purchase.at, place.city()));
        }
    }

    /// Notes where a stored transaction was made. A customer seen far from home needs time to travel back.
    pub(super) fn remember(&mut self, transaction: &Transaction) {
        let location = transaction.location.as_ref().filter(|_| transaction.channel != Some(Channel::CardNotPresent));
        let Some(city) = location.and_then(|location| City::named(location.city.as_deref()?)) else { return };
        let at = transaction.occurred_at.micros();
        self.last_seen = Some((at, city));
        self.stay_quiet_until(at.saturating_add(self.journey_home(city)));
    }

    pub(super) fn stay_quiet_until(&mut self, at: i64) {
        self.quiet_until = self.quiet_until.max(at);
    }

    pub(super) fn quiet_until(&self) -> i64 {
        self.quiet_until
    }

    /// How long an honest traveller takes to get home from there.
    pub(super) fn journey_home(&self, from: &City) -> i64 {
        match self.home.distance_km(from) {
            km if km < 50.0 => 0,
            km => seconds((AIRPORTS_H + km / CRUISING_KM_PER_H) * 3600.0),
        }
    }

    pub(super) fn is_awake(&self, at: i64) -> bool {
        self.activity(at) > 0.2
    }

    /// When they buy next, given their hours and where they are then.
    pub(super) fn next_purchase_at(&mut self, after: i64, rng: &mut ChaCha8Rng) -> i64 {
        let mut at = after;
        if self.trip.is_none() && rng.random_bool(TRIPS_PER_PURCHASE) && self.victim_until < after {
            at = self.depart(after, rng);
        }
        let mean_s = 86_400.0 / (self.per_day * ACTIVITY_MAX);
        // Bounds the loop.
        for _ in 0..400 {
            at += seconds(exponential(rng, mean_s)).max(SECOND);
            if self.trip.take_if(|trip| at > trip.ends_at).is_some() {
                at = at.max(self.away_until);
            }
            if rng.random::<f64>() * ACTIVITY_MAX < self.activity(at) {
                break;
            }
        }
        at
    }

    /// Begins a trip of several days. Returns the time of arrival.
    fn depart(&mut self, now: i64, rng: &mut ChaCha8Rng) -> i64 {
        let city = self.home.pick_destination(rng);
        let journey = seconds((AIRPORTS_H + self.home.distance_km(city) / CRUISING_KM_PER_H) * 3600.0);
        let ends_at = now + journey + seconds(86_400.0 * rng.random_range(2.0..9.0));
        self.away_until = ends_at + journey;
        self.trip = Some(Trip { city, ends_at });
        now + journey
    }

    /// The customer's purchase rate at this time, relative to a weekly mean of about 1.
    fn activity(&self, at: i64) -> f64 {
        let local = at + (self.city().utc_hours - self.late_riser_h) * 3600 * SECOND;
        let hour = local.rem_euclid(DAY) / (3600 * SECOND);
        let of_hour = match hour {
            0..6 => 0.04,
            6..8 => 0.6,
            8..11 => 1.2,
            11..14 => 2.0,
            14..17 => 1.2,
            17..20 => 2.2,
            20..22 => 1.1,
            _ => 0.3,
        };
        // 1970 began on a Thursday.
        let of_weekday = match local.div_euclid(DAY).rem_euclid(7) {
            2 => 1.4,
            3 => 0.8,
            _ => 0.96,
        };
        of_hour * of_weekday
    }

    fn city(&self) -> &'static City {
        self.trip.as_ref().map_or(self.home, |trip| trip.city)
    }

    pub(super) fn purchase(&mut self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        if rng.random_bool(0.002) {
            // A new phone.
            self.online.device = OnlineIdentity::new(rng).device;
        }
        match rng.random_range(0..1000) {
            0..4 => self.large_purchase(at, rng),
            4 => self.used_car(at, rng),
            5..50 => self.withdrawal(at, rng),
            50..110 => self.transfer(at, rng),
            _ => self.purchase_at_shops(at, rng),
        }
    }

    pub(super) fn purchase_at_shops(&self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        let abroad = self.trip.is_some();
        let is_favourite = !abroad && rng.random_bool(0.8);
        let shop = if is_favourite { pick(rng, &self.shops).clone() } else { ShopCategory::usual(rng).shop(rng) };
        let holiday = if abroad { 1.3 } else { 1.0 };
        let dollars = log_normal(rng, shop.category.median * self.income * holiday, shop.category.spread);
        let channel = shop.category.channel(rng);
        self.at_shop(at, &shop, channel, dollars, rng)
    }

    /// A piano, a holiday, a new kitchen.
    fn large_purchase(&self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        let shop = ShopCategory::of_large_things(rng).shop(rng);
        let dollars = shop.category.median * self.income * rng.random_range(5.0..14.0);
        let channel = shop.category.channel(rng);
        self.at_shop(at, &shop, channel, dollars, rng)
    }

    fn used_car(&self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        let dollars = self.reporting_threshold_dollars() * rng.random_range(0.65..0.99);
        self.at_shop(at, &TRANSFER.shop(rng), Channel::Transfer, dollars, rng)
    }

    fn withdrawal(&self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        let dollars = log_normal(rng, CASH.median * self.income, CASH.spread);
        self.at_shop(at, &CASH.shop(rng), Channel::Atm, dollars, rng)
    }

    fn transfer(&self, at: i64, rng: &mut ChaCha8Rng) -> Purchase {
        let dollars = log_normal(rng, TRANSFER.median * self.income, TRANSFER.spread);
        self.at_shop(at, &TRANSFER.shop(rng), Channel::Transfer, dollars, rng)
    }

    fn at_shop(&self, at: i64, shop: &Shop, channel: Channel, dollars: f64, rng: &mut ChaCha8Rng) -> Purchase {
        let from_afar = matches!(channel, Channel::CardNotPresent | Channel::Transfer);
        let priced_in = if from_afar { self.home } else { self.city() };
        // The place of a remote payment is not always known.
        let place_is_known = !from_afar || rng.random_bool(0.8);
        Purchase {
            at,
            user_id: self.user_id.clone(),
            opened_at: self.opened_at,
            merchant: shop.name.clone(),
            category: shop.category.name,
            channel,
            priced_in,
            dollars,
            place: place_is_known.then(|| PurchasePlace::in_town(self.city(), rng)),
            online: from_afar.then(|| self.online.clone()),
            memo: self.memo(channel, rng),
            fraud: None,
        }
    }

    fn memo(&self, channel: Channel, rng: &mut ChaCha8Rng) -> Option<&'static str> {
        if rng.random_bool(HOSTILE_MEMO_SHARE) {
            return Some(memo::hostile(rng));
        }
        (channel == Channel::Transfer || rng.random_bool(MEMO_SHARE)).then(|| memo::plain(rng))
    }

    /// A purchase without place, device and memo, for an episode to fill in.
    pub(super) fn blank_purchase(&self, at: i64, shop: &Shop, channel: Channel, dollars: f64) -> Purchase {
        Purchase {
            at,
            user_id: self.user_id.clone(),
            opened_at: self.opened_at,
            merchant: shop.name.clone(),
            category: shop.category.name,
            channel,
            priced_in: self.home,
            dollars,
            place: None,
            online: None,
            memo: None,
            fraud: None,
        }
    }
}

/// Ids that reveal nothing about the order in which customers were generated.
fn user_id(number: u64) -> UserId {
    let mixed = 10_000_000 + number.wrapping_mul(7_368_787) % 90_000_000;
    match format!("user-{mixed}").parse() {
        Ok(id) => id,
        // Unreachable: every such text is a valid id.
        Err(_) => user_id(number.wrapping_add(1)),
    }
}
