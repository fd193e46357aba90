//! The kinds of fraud, each an episode of several transactions: recognisable, but not by a single figure.

use std::ops::Range;

use countersign_domain::transaction::Channel;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::chance::exponential;
use super::cities::City;
use super::customer::Customer;
use super::purchase::{OnlineIdentity, Purchase, PurchasePlace};
use super::shops::{CASH, ShopCategory, TRANSFER};
use super::{FraudKind, SECOND, memo, seconds};

const HOUR_S: f64 = 3600.0;
/// The share of frauds whose memo tries to manipulate its reader, such as with instructions to a model.
const HOSTILE_MEMO_SHARE: f64 = 0.05;

/// Builds an episode step by step; `at` is the time of the next step.
struct EpisodeBuilder<'a> {
    customer: &'a Customer,
    rng: &'a mut ChaCha8Rng,
    at: i64,
    kind: FraudKind,
    steps: Vec<Purchase>,
}

/// The speeds at which a copied card seems to travel: faster than any airliner, so the owner can't have made both payments, but
/// not absurdly fast.
pub(super) const TRAVEL_KMH: Range<f64> = 1_100.0..2_900.0;

/// The transactions of an episode that begins at `at`, in order.
pub(super) fn steps(kind: FraudKind, customer: &Customer, at: i64, rng: &mut ChaCha8Rng) -> Vec<Purchase> {
    let mut episode = EpisodeBuilder { customer, rng, at, kind, steps: Vec::new() };
    match kind {
        FraudKind::CardTesting => episode.card_testing(),
        FraudKind::AccountTakeover => episode.account_takeover(),
        FraudKind::ImpossibleTravel => episode.impossible_travel(),
        FraudKind::Structuring => episode.structuring(),
        FraudKind::BustOut => episode.bust_out(),
    }
    episode.steps
}

/// A city where the card can be used at `at`, too soon after its owner was seen in person.
pub(super) fn out_of_reach(customer: &Customer, at: i64, rng: &mut ChaCha8Rng) -> Option<&'static City> {
    let (seen_at, seen_in) = customer.last_seen()?;
    let hours = (at - seen_at) as f64 / (HOUR_S * SECOND as f64);
    if hours <= 0.0 || seen_in != customer.home() {
        return None;
    }
    seen_in.reached_at(&TRAVEL_KMH, hours, rng)
}

/// The fraudulent purchases of an impossible trip whose first purchase has already been made.
pub(super) fn steps_in(far: &'static City, customer: &Customer, at: i64, rng: &mut ChaCha8Rng) -> Vec<Purchase> {
    let mut episode = EpisodeBuilder { customer, rng, at, kind: FraudKind::ImpossibleTravel, steps: Vec::new() };
    episode.use_card_in(far);
    episode.steps
}

/// Compresses the steps to fit into `span`, in proportion.
pub(super) fn compress(steps: &mut [Purchase], begins_at: i64, span: i64) {
    let length = steps.last().map_or(0, |last| last.at - begins_at);
    if length > span {
        let factor = span as f64 / length as f64;
        steps.iter_mut().for_each(|step| step.at = begins_at + ((step.at - begins_at) as f64 * factor) as i64);
    }
}

/// When the further purchases of a shopping spree are made, relative to the first. It is an honest look-alike of card testing.
pub(super) fn spree_offsets(rng: &mut ChaCha8Rng) -> Vec<i64> {
    let mut offset = 0;
    let count = rng.random_range(2..=4);
    std::iter::repeat_with(|| {
        offset += seconds(rng.random_range(240.0..1200.0));
        offset
    })
    .take(count)
    .collect()
}

impl EpisodeBuilder<'_> {
    fn card_testing(&mut self) {
        let online = OnlineIdentity::new(self.rng);
        for _ in 0..self.rng.random_range(6..=12) {
            self.advance(45.0);
            let dollars = self.rng.random_range(0.5..4.0);
            let category = ShopCategory::usual(self.rng);
            self.buy_online(category, dollars, &online, None);
        }
        for _ in 0..self.rng.random_range(1..=2) {
            self.advance(600.0);
            let category = ShopCategory::resalable(self.rng);
            self.buy_online(category, category.median * self.customer.income(), &online, None);
        }
    }

    fn account_takeover(&mut self) {
        let online = OnlineIdentity::new(self.rng);
        let from = if self.rng.random_bool(0.5) { Some(City::any(self.rng)) } else { None };
        for _ in 0..self.rng.random_range(3..=6) {
            self.advance(0.4 * HOUR_S);
            let category = ShopCategory::resalable(self.rng);
            let dollars = category.median * self.customer.income() * self.rng.random_range(0.7..2.0);
            self.buy_online(category, dollars, &online, from);
        }
    }

    fn impossible_travel(&mut self) {
        // First, the owner pays at home. That purchase is legitimate.
        let mut legitimate = self.customer.purchase_at_shops(self.at, self.rng);
        legitimate.channel = Channel::CardPresent;
        legitimate.place = Some(PurchasePlace::in_town(self.customer.home(), self.rng));
        legitimate.online = None;
        self.steps.push(legitimate);
        let far = self.customer.home().far_away(self.rng);
        let hours = self.customer.home().distance_km(far) / self.rng.random_range(TRAVEL_KMH);
        self.at += seconds(hours * HOUR_S);
        self.use_card_in(far);
    }

    fn use_card_in(&mut self, far: &'static City) {
        for _ in 0..self.rng.random_range(2..=4) {
            let cash = self.rng.random_bool(0.4);
            let category = if cash { &CASH } else { ShopCategory::resalable(self.rng) };
            let channel = if cash { Channel::Atm } else { Channel::CardPresent };
            let dollars = category.median * self.rng.random_range(0.6..2.5);
            let mut step = self.customer.blank_purchase(self.at, &category.shop(self.rng), channel, dollars);
            step.priced_in = far;
            step.place = Some(PurchasePlace::in_town(far, self.rng));
            self.push(step);
            self.advance(0.3 * HOUR_S);
        }
    }

    fn structuring(&mut self) {
        for _ in 0..self.rng.random_range(4..=7) {
            self.advance(5.0 * HOUR_S);
            let dollars = self.customer.reporting_threshold_dollars() * self.rng.random_range(0.86..0.995);
            let shop = TRANSFER.shop(self.rng);
            let mut step = self.customer.blank_purchase(self.at, &shop, Channel::Transfer, dollars);
            step.place = Some(PurchasePlace::in_town(self.customer.home(), self.rng));
            step.online = Some(self.customer.online().clone());
            step.memo = Some(memo::plain(self.rng));
            self.push(step);
        }
    }

    fn bust_out(&mut self) {
        let mut factor = 2.5;
        for _ in 0..self.rng.random_range(7..=12) {
            self.advance(4.0 * HOUR_S);
            let category = ShopCategory::resalable(self.rng);
            let dollars = category.median * self.customer.income() * factor * self.rng.random_range(0.6..1.2);
            let channel = if self.rng.random_bool(0.6) { Channel::CardPresent } else { Channel::CardNotPresent };
            let shop = category.shop(self.rng);
            let mut step = self.customer.blank_purchase(self.at, &shop, channel, dollars);
            step.place = Some(PurchasePlace::in_town(self.customer.home(), self.rng));
            step.online = (channel == Channel::CardNotPresent).then(|| self.customer.online().clone());
            self.push(step);
            factor += 0.35;
        }
    }

    fn buy_online(
        &mut self,
        category: &'static ShopCategory,
        dollars: f64,
        online: &OnlineIdentity,
        from: Option<&'static City>,
    ) {
        let shop = category.shop(self.rng);
        let mut step = self.customer.blank_purchase(self.at, &shop, Channel::CardNotPresent, dollars);
        step.place = from.map(|city| PurchasePlace::in_town(city, self.rng));
        step.online = Some(online.clone());
        self.push(step);
    }

    fn push(&mut self, mut step: Purchase) {
        step.fraud = Some(self.kind);
        if self.rng.random_bool(HOSTILE_MEMO_SHARE) {
            step.memo = Some(memo::hostile(self.rng));
        }
        self.steps.push(step);
    }

    /// Advances the time by about this many seconds.
    fn advance(&mut self, mean_s: f64) {
        self.at += seconds(exponential(self.rng, mean_s).max(1.0));
    }
}
