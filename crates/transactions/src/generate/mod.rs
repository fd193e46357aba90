//! Made-up transactions for the demo and for tests: customers with habits, and labelled frauds.
//!
//! | file           | job                                                                          |
//! |----------------|------------------------------------------------------------------------------|
//! | this one       | the generator: plans purchases and episodes, emits them in order of arrival  |
//! | `customer.rs`  | a customer's habits and ordinary purchases                                   |
//! | `episode.rs`   | the kinds of fraud, each an episode of several purchases                     |
//! | `purchase.rs`  | a transaction before it has an id                                            |
//! | `shops.rs`     | categories of shops, with prices; shops' names                               |
//! | `cities.rs`    | cities with position, currency, price level and time zone                    |
//! | `memo.rs`      | payment memos, ordinary and hostile                                          |
//! | `questions.rs` | questions to an assistant, for the other half of the demo                    |
//! | `chance.rs`    | random distributions                                                         |
//!
//! The stream depends only on the seed, the start and the number of customers. Customers have a home, an income, favourite shops,
//! waking hours and trips. Ordinary life contains look-alikes of every fraud: a shopping spree, a new phone, a piano, a used car
//! paid just below the reporting threshold. Less than one transaction in a hundred is fraud, in episodes of several.
//!
//! Transactions come in order of arrival. About two in a thousand arrive up to six hours late, all others as they occur. Shops,
//! people and memos are invented, and some memos are hostile on purpose. Network addresses are from the ranges reserved for
//! documentation.

mod chance;
mod cities;
mod customer;
mod episode;
mod memo;
mod purchase;
mod questions;
mod shops;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use countersign_domain::{Time, Transaction, TransactionId, UserId};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use serde::Serialize;

use customer::Customer;
use purchase::Purchase;
pub use questions::queries;

/// The maximum number of transactions in a backfill.
pub const BACKFILL_MAX: usize = 50_000;
/// Staged episodes end within this time.
pub const STAGED_WITHIN_S: i64 = 8;

/// The number of episodes per ordinary purchase. With about 6.6 frauds per episode, 0.75 % of all transactions are fraud.
const EPISODES_PER_PURCHASE: f64 = 0.00115;
const SPREES_PER_PURCHASE: f64 = 0.006;
const LATE_SHARE: f64 = 0.002;
const LATE_S_MAX: f64 = 6.0 * 3600.0;
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Roughly how many purchases a customer of the crowd makes per day.
const CROWD_PER_DAY: f64 = 1.5;

/// The demo's customers who have a history: enough that the same one is seldom a victim twice on the same day.
const DEMO_CUSTOMERS: usize = 320;
const DEMO_HISTORY_DAYS: u32 = 30;
/// An episode has about six frauds, so there are several alerts per minute.
const DEMO_EPISODES_PER_HOUR: f64 = 54.0;
/// Steady episodes end within this time, so that somebody who watches the demo sees a whole one.
const STEADY_SPAN_S: i64 = 20 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FraudKind {
    /// Many tiny purchases to see which card works, then a large one.
    CardTesting,
    /// Purchases of resalable goods from the customer's own account with another device.
    AccountTakeover,
    /// A copied card far from where its owner just paid.
    ImpossibleTravel,
    /// Transfers that each stay just below the reporting threshold.
    Structuring,
    /// A credit line used up within days, without any intention to repay.
    BustOut,
}

impl FraudKind {
    pub const ALL: [Self; 5] =
        [Self::CardTesting, Self::AccountTakeover, Self::ImpossibleTravel, Self::Structuring, Self::BustOut];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CardTesting => "card_testing",
            Self::AccountTakeover => "account_takeover",
            Self::ImpossibleTravel => "impossible_travel",
            Self::Structuring => "structuring",
            Self::BustOut => "bust_out",
        }
    }
}

/// A generated transaction with its label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelledTransaction {
    pub transaction: Transaction,
    /// `None` if it is legitimate.
    pub fraud: Option<FraudKind>,
    /// Never before `occurred_at`, and never before the previous transaction's.
    pub arrives_at: Time,
}

/// An endless stream of transactions.
pub struct Generator {
    rng: ChaCha8Rng,
    seed: u64,
    start: Time,
    customers: Vec<Customer>,
    crowd: Option<Crowd>,
    planned: BinaryHeap<Reverse<PlannedArrival>>,
    plans: u64,
    emitted: u64,
    id_prefix: String,
    kinds_to_come: Vec<FraudKind>,
    /// Mean seconds from one steady episode to the next.
    episode_gap_s: f64,
}

/// Many customers with few purchases each. They provide the stream's rate while each one's habits stay plausible.
struct Crowd {
    gap_mean_s: f64,
    size: u64,
}

/// Ordered by `arrives_at`, then by `number`, which is unique.
struct PlannedArrival {
    arrives_at: i64,
    number: u64,
    action: PlannedAction,
}

enum PlannedAction {
    /// This customer makes an ordinary purchase.
    Purchase(usize),
    /// Somebody of the crowd makes a purchase.
    Visit,
    /// The next steady episode begins.
    Episode,
    /// A purchase that was decided earlier arrives.
    Ready(Box<Purchase>),
}

impl Generator {
    /// The first transactions occur soon after `start`. There is at least one customer.
    pub fn new(seed: u64, start: Time, customers: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let id_prefix = format!("tx-{:08x}", id_number(seed, start));
        let customers = (0..customers.max(1)).map(|number| Customer::new(number as u64, start, &mut rng)).collect();
        let mut generator = Self {
            rng,
            seed,
            start,
            customers,
            crowd: None,
            planned: BinaryHeap::new(),
            plans: 0,
            emitted: 0,
            id_prefix,
            kinds_to_come: Vec::new(),
            episode_gap_s: 0.0,
        };
        for customer in 0..generator.customers.len() {
            generator.plan_next_purchase(customer, start.micros());
        }
        generator
    }

    /// The demo's customers and their history up to `now`. Call [`Generator::begin_demo`] once the history is stored.
    pub fn demo(seed: u64, now: Time) -> (Self, Vec<LabelledTransaction>) {
        Self::with_history(seed, now, DEMO_CUSTOMERS, DEMO_HISTORY_DAYS)
    }

    /// The demo's customers if their history is already stored. Pass each one's newest transaction to [`Generator::remember`].
    pub fn demo_again(seed: u64, now: Time) -> Self {
        Self::new(seed, now, DEMO_CUSTOMERS)
    }

    /// From `now` on, a crowd provides the rate, one episode of each kind happens at once, and more follow in a steady flow.
    pub fn begin_demo(&mut self, now: Time, per_s: f64) {
        self.add_crowd(now, per_s);
        self.stage_episodes(now);
        self.add_episodes(now, DEMO_EPISODES_PER_HOUR);
    }

    /// The customers with habits, without the crowd.
    pub fn customer_ids(&self) -> impl Iterator<Item = &UserId> {
        self.customers.iter().map(Customer::user_id)
    }

    /// Notes where a customer was last seen, so that nobody travels impossibly fast after a restart.
    pub fn remember(&mut self, transaction: &Transaction) {
        if let Some(customer) = self.customers.iter_mut().find(|c| *c.user_id() == transaction.user_id) {
            customer.remember(transaction);
        }
    }

    /// A history of `days` that ends `now`, and the generator that continues from there.
    pub fn with_history(seed: u64, now: Time, customers: usize, days: u32) -> (Self, Vec<LabelledTransaction>) {
        let start = Time::from_micros(now.micros().saturating_sub(i64::from(days) * DAY)).unwrap_or(now);
        let mut generator = Self::new(seed, start, customers);
        let past = generator.backfill(days);
        (generator, past)
    }

    /// The transactions that arrive in the first `days` after the start, about 1.3 per customer and day, at most [`BACKFILL_MAX`].
    pub fn backfill(&mut self, days: u32) -> Vec<LabelledTransaction> {
        let until = self.start.micros().saturating_add(i64::from(days) * DAY);
        std::iter::from_fn(|| self.due(until)).take(BACKFILL_MAX).collect()
    }

    /// The next transaction that has arrived by `now`. Call it until it returns `None`.
    pub fn next_live(&mut self, now: Time) -> Option<LabelledTransaction> {
        self.due(now.micros())
    }

    /// When to call [`Generator::next_live`] next. There may be no transaction yet at that time.
    pub fn next_at(&self) -> Option<Time> {
        self.planned.peek().and_then(|Reverse(planned)| Time::from_micros(planned.arrives_at).ok())
    }

    /// From `now` on, a crowd adds about `per_s` legitimate transactions per second.
    pub fn add_crowd(&mut self, now: Time, per_s: f64) {
        let per_s = per_s.clamp(0.001, 1000.0);
        let size = (per_s * 86_400.0 / CROWD_PER_DAY).ceil() as u64;
        self.crowd = Some(Crowd { gap_mean_s: 1.0 / per_s, size });
        self.plan(now.micros(), PlannedAction::Visit);
    }

    /// From `now` on, about `per_hour` episodes begin at roughly even intervals. Each ends within [`STEADY_SPAN_S`].
    pub fn add_episodes(&mut self, now: Time, per_hour: f64) {
        self.episode_gap_s = 3600.0 / per_hour.clamp(0.1, 3600.0);
        self.plan(now.micros(), PlannedAction::Episode);
    }

    /// Adds one episode of each kind within [`STAGED_WITHIN_S`] of `now`, so that there is something to see at once.
    pub fn stage_episodes(&mut self, now: Time) {
        for (index, kind) in (0_i64..).zip(FraudKind::ALL) {
            let begins_at = now.micros() + index * SECOND / 2;
            let span = STAGED_WITHIN_S * SECOND - index * SECOND / 2;
            self.begin_episode(kind, begins_at, Some(span));
        }
    }

    /// Carries out the plans that are due by `until`, up to the first that emits a transaction.
    fn due(&mut self, until: i64) -> Option<LabelledTransaction> {
        while self.planned.peek().is_some_and(|Reverse(planned)| planned.arrives_at <= until) {
            let Some(Reverse(PlannedArrival { arrives_at, action, .. })) = self.planned.pop() else { break };
            let purchase = match action {
                PlannedAction::Ready(purchase) => Some(*purchase),
                PlannedAction::Purchase(customer) => self.shop(customer, arrives_at),
                PlannedAction::Visit => Some(self.visit(arrives_at)),
                PlannedAction::Episode => {
                    self.steady_episode(arrives_at);
                    None
                }
            };
            if let Some(labelled) = purchase.and_then(|purchase| self.emit(purchase, arrives_at)) {
                return Some(labelled);
            }
        }
        None
    }

    /// Makes an ordinary purchase and plans what follows: the next purchase, and perhaps a spree or an episode. `None` if the
    /// purchase is put off or will arrive late.
    fn shop(&mut self, customer: usize, at: i64) -> Option<Purchase> {
        let quiet_until = self.customers[customer].quiet_until();
        if at < quiet_until {
            self.plan_next_purchase(customer, quiet_until);
            return None;
        }
        let purchase = self.customers[customer].purchase(at, &mut self.rng);
        self.customers[customer].note(&purchase);
        if self.rng.random_bool(SPREES_PER_PURCHASE) {
            for offset in episode::spree_offsets(&mut self.rng) {
                let more = self.customers[customer].purchase_at_shops(at + offset, &mut self.rng);
                self.customers[customer].note(&more);
                self.plan(at + offset, PlannedAction::Ready(Box::new(more)));
            }
        }
        self.plan_next_purchase(customer, at);
        if self.rng.random_bool(EPISODES_PER_PURCHASE) {
            let kind = self.next_kind();
            let delay = chance::exponential(&mut self.rng, 1800.0);
            self.begin_episode(kind, at + seconds(delay), None);
        }
        if self.rng.random_bool(LATE_SHARE) {
            let late = seconds(self.rng.random_range(60.0..LATE_S_MAX));
            self.plan(at + late, PlannedAction::Ready(Box::new(purchase)));
            return None;
        }
        Some(purchase)
    }

    fn visit(&mut self, at: i64) -> Purchase {
        let (gap_mean_s, size) = self.crowd.as_ref().map_or((1.0, 1), |crowd| (crowd.gap_mean_s, crowd.size));
        let gap = chance::exponential(&mut self.rng, gap_mean_s);
        self.plan(at + seconds(gap).max(1), PlannedAction::Visit);
        let mut visitor = self.visitor(size);
        // Prefer somebody who is awake, with a bounded number of tries.
        for _ in 0..8 {
            if visitor.is_awake(at) {
                break;
            }
            visitor = self.visitor(size);
        }
        visitor.purchase(at, &mut self.rng)
    }

    /// Somebody of the crowd. Visitors are generated from their number each time, so they stay the same without being stored.
    fn visitor(&mut self, size: u64) -> Customer {
        let number = self.customers.len() as u64 + self.rng.random_range(0..size.max(1));
        let mut visitor_rng = ChaCha8Rng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Customer::new(number, self.start, &mut visitor_rng)
    }

    /// All kinds take turns, in a new random order each round.
    fn next_kind(&mut self) -> FraudKind {
        if self.kinds_to_come.is_empty() {
            self.kinds_to_come = FraudKind::ALL.to_vec();
            self.kinds_to_come.shuffle(&mut self.rng);
        }
        self.kinds_to_come.pop().unwrap_or(FraudKind::CardTesting)
    }

    fn steady_episode(&mut self, at: i64) {
        let gap = self.episode_gap_s * self.rng.random_range(0.6..1.4);
        self.plan(at + seconds(gap).max(1), PlannedAction::Episode);
        let kind = self.next_kind();
        self.begin_episode(kind, at, Some(STEADY_SPAN_S * SECOND));
    }

    /// Begins an episode that ends within `span`, or that keeps its kind's own pace.
    fn begin_episode(&mut self, kind: FraudKind, at: i64, span: Option<i64>) {
        let steps = match (kind, span) {
            (FraudKind::ImpossibleTravel, Some(span)) => self.trip_under_way(at, span),
            _ => self.steps_of(kind, at, span),
        };
        let Some((victim, steps)) = steps else { return };
        let customer = &mut self.customers[victim];
        for step in &steps {
            customer.note(step);
            let journey = step.place.as_ref().map_or(0, |place| customer.journey_home(place.city()));
            // Otherwise the owner's next purchase at home would make an impossible trip back.
            if journey > 0 {
                customer.stay_quiet_until(step.at.saturating_add(journey));
            }
        }
        customer.set_victim_until(steps.last().map_or(at, |last| last.at));
        for step in steps {
            self.plan(step.at.max(at), PlannedAction::Ready(Box::new(step)));
        }
    }

    fn steps_of(&mut self, kind: FraudKind, at: i64, span: Option<i64>) -> Option<(usize, Vec<Purchase>)> {
        let victim = self.victim(kind, at)?;
        let mut steps = episode::steps(kind, &self.customers[victim], at, &mut self.rng);
        if let Some(span) = span {
            episode::compress(&mut steps, at, span);
        }
        Some((victim, steps))
    }

    /// An impossible trip that becomes visible within `span`. The time of a trip can't be compressed, so its first payment is in
    /// the past: either a payment that was already made, or one that arrives late.
    fn trip_under_way(&mut self, at: i64, span: i64) -> Option<(usize, Vec<Purchase>)> {
        let begin = self.rng.random_range(0..self.customers.len());
        for offset in 0..self.customers.len() {
            let victim = (begin + offset) % self.customers.len();
            let customer = &self.customers[victim];
            let far = customer.can_be_victim(at).then(|| episode::out_of_reach(customer, at, &mut self.rng)).flatten();
            if let Some(far) = far {
                let mut steps = episode::steps_in(far, customer, at, &mut self.rng);
                episode::compress(&mut steps, at, span);
                return Some((victim, steps));
            }
        }
        let victim = self.victim(FraudKind::ImpossibleTravel, at)?;
        let mut steps = episode::steps(FraudKind::ImpossibleTravel, &self.customers[victim], at, &mut self.rng);
        let first_far = steps.get(1)?.at;
        // Move all steps back by the same time, so that the card is abroad now.
        steps.iter_mut().for_each(|step| step.at -= first_far - at);
        let seen_since = self.customers[victim].last_seen().is_some_and(|(seen_at, _)| seen_at > steps[0].at);
        if seen_since || at - steps[0].at > seconds(LATE_S_MAX) {
            return None;
        }
        episode::compress(&mut steps[1..], at, span);
        Some((victim, steps))
    }

    /// A customer who is at home and in no other episode. For a bust-out, the one of three with the youngest account.
    fn victim(&mut self, kind: FraudKind, at: i64) -> Option<usize> {
        let tries = 16.min(4 * self.customers.len());
        let found: Vec<usize> = (0..tries).map(|_| self.rng.random_range(0..self.customers.len())).collect();
        // If random tries find nobody, go through all customers.
        let found = found.into_iter().chain(0..self.customers.len());
        let mut free = found.filter(|customer| self.customers[*customer].can_be_victim(at));
        match kind {
            FraudKind::BustOut => free.take(3).max_by_key(|customer| self.customers[*customer].opened_at()),
            _ => free.next(),
        }
    }

    fn plan_next_purchase(&mut self, customer: usize, after: i64) {
        let at = self.customers[customer].next_purchase_at(after, &mut self.rng);
        self.plan(at, PlannedAction::Purchase(customer));
    }

    fn plan(&mut self, arrives_at: i64, action: PlannedAction) {
        self.plans += 1;
        self.planned.push(Reverse(PlannedArrival { arrives_at, number: self.plans, action }));
    }

    /// `None` only beyond the range of representable times.
    fn emit(&mut self, purchase: Purchase, arrives_at: i64) -> Option<LabelledTransaction> {
        self.emitted += 1;
        let id: TransactionId = format!("{}-{:07}", self.id_prefix, self.emitted).parse().ok()?;
        let fraud = purchase.fraud;
        let transaction = purchase.transaction(id)?;
        Some(LabelledTransaction { transaction, fraud, arrives_at: Time::from_micros(arrives_at).ok()? })
    }
}

impl Iterator for Generator {
    type Item = LabelledTransaction;

    fn next(&mut self) -> Option<LabelledTransaction> {
        self.due(i64::MAX)
    }
}

/// Depends on the start too: the same demo started at another time must not reuse its earlier transaction ids.
fn id_number(seed: u64, start: Time) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ start.micros().unsigned_abs().rotate_left(32));
    rng.next_u32()
}

fn seconds(seconds: f64) -> i64 {
    (seconds * SECOND as f64) as i64
}

impl PartialEq for PlannedArrival {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PlannedArrival {}

impl PartialOrd for PlannedArrival {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PlannedArrival {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.arrives_at, self.number).cmp(&(other.arrives_at, other.number))
    }
}
