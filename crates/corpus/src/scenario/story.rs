//! A customer's history, and the transaction under suspicion.

use countersign_domain::{Time, Transaction};
use serde_json::{Map, Value, json};

use super::pools::{CITIES, CURRENCIES, City, DESTINATIONS, MEMOS, MERCHANTS, SOURCES};
use super::{MICROS_PER_MINUTE, Pattern, moment};
use crate::chance::Chance;

/// A customer's transactions, newest last, and the transaction under suspicion.
pub(super) struct Story {
    pub(super) history: Vec<Transaction>,
    pub(super) transaction: Transaction,
}

/// Makes the transactions of one customer.
struct TransactionMaker<'a> {
    chance: &'a mut Chance,
    user: String,
    key: String,
    currency: &'static str,
    /// The everyday amount in major units.
    usual: i64,
    home: &'static City,
    opened: Option<String>,
    number: usize,
}

impl TransactionMaker<'_> {
    fn transaction(&mut self, at_micros: i64, amount_cents: i64, more: Value) -> Option<Transaction> {
        self.number += 1;
        let mut sent = json!({
            "transaction_id": format!("tx-{}-{:03}", self.key, self.number),
            "user_id": self.user,
            "amount": {"amount": amount_text(amount_cents, self.currency), "currency": self.currency},
            "occurred_at": Time::from_micros(at_micros).ok()?.to_string(),
        });
        if let Some(opened) = &self.opened {
            sent["account_opened_at"] = json!(opened);
        }
        if let (Some(fields), Value::Object(more)) = (sent.as_object_mut(), more) {
            fields.extend(more);
        }
        serde_json::from_value::<Transaction>(sent).ok()?.validated().ok()
    }

    /// An amount in cents around the usual one.
    fn everyday(&mut self) -> i64 {
        self.usual * self.chance.between(45, 190)
    }

    fn history(&mut self, count: usize, last_at: i64, minutes_apart: i64, located: bool) -> Vec<Transaction> {
        let mut found = Vec::new();
        for index in 0..count {
            let back = i64::try_from(count - 1 - index).unwrap_or(0);
            let drift = self.chance.between(-minutes_apart / 5, 0);
            let at = last_at - (back * minutes_apart - if back == 0 { 0 } else { drift }) * MICROS_PER_MINUTE;
            let (merchant, category) = MERCHANTS[self.chance.below(MERCHANTS.len())];
            let mut more = json!({"merchant": merchant, "category": category, "channel": "card_present",
                "device_fingerprint": "device-of-old", "metadata": {"status": "settled"}});
            if located {
                more["location"] = place(self.home);
            }
            let amount = self.everyday();
            found.extend(self.transaction(at, amount, more));
        }
        found
    }
}

pub(super) fn story(pattern: Pattern, variant: u64, chance: &mut Chance) -> Option<Story> {
    let number = usize::try_from(variant).unwrap_or(0);
    let home = &CITIES[chance.below(CITIES.len())];
    let away = CITIES.iter().filter(|city| city.country != home.country).nth(chance.below(CITIES.len() - 1))?;
    let (currency, usual) = CURRENCIES[(number + pattern as usize) % CURRENCIES.len()];
    let at = moment(chance);
    let opened_days = chance.between(30, 2_600);
    let opened = (!variant.is_multiple_of(4))
        .then(|| Time::from_micros(at - opened_days * 1_440 * MICROS_PER_MINUTE).ok().map(|at| at.to_string()))
        .flatten();
    let key = format!("{}{:02}", pattern as u8, variant);
    let user = format!("customer-{}", 4_100 + 97 * variant + 13 * pattern as u64);
    let status = status(chance);
    let mut maker = TransactionMaker { chance, user, key, currency, usual, home, opened, number: 0 };
    let mut metadata = Map::new();
    if let Some(status) = status {
        metadata.insert("status".into(), json!(status));
    }
    if variant % 3 == 1 {
        metadata.insert("memo".into(), json!(MEMOS[maker.chance.below(MEMOS.len())]));
    }
    let count = usize::try_from(maker.chance.between(9, 46)).unwrap_or(9);
    let (merchant, category) = MERCHANTS[maker.chance.below(MERCHANTS.len())];
    let mut more = json!({"channel": if variant.is_multiple_of(2) { "card_present" } else { "card_not_present" },
        "merchant": merchant, "device_fingerprint": "device-of-old"});
    if !variant.is_multiple_of(3) {
        more["category"] = json!(category);
    }
    if variant.is_multiple_of(2) {
        more["ip_address"] = json!("198.51.100.7");
    }
    let large = |maker: &mut TransactionMaker<'_>, least: i64, most: i64| {
        maker.usual * maker.chance.between(least, most) * 100 + maker.chance.between(1, 99)
    };
    let hours = |hours: i64| hours * 60 * MICROS_PER_MINUTE;
    let (history, amount) = match pattern {
        Pattern::LargeAmount => {
            let apart = maker.chance.between(300, 3_000);
            let history = maker.history(count, at - hours(9), apart, !variant.is_multiple_of(3));
            if !variant.is_multiple_of(3) {
                more["location"] = place(home);
            }
            (history, large(&mut maker, 14, 60))
        }
        Pattern::LargeAmountAbroad => {
            let apart = maker.chance.between(400, 2_400);
            let history = maker.history(count, at - hours(70), apart, true);
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            (history, large(&mut maker, 8, 40))
        }
        Pattern::ImpossibleTravel => {
            let apart = maker.chance.between(300, 2_000);
            let minutes = maker.chance.between(25, 150);
            let history = maker.history(count, at - minutes * MICROS_PER_MINUTE, apart, true);
            more["channel"] = json!(if variant.is_multiple_of(2) { "card_present" } else { "atm" });
            more["location"] = place(away);
            (history, maker.everyday() * 2)
        }
        Pattern::Burst => {
            let apart = maker.chance.between(700, 2_900);
            let mut history = maker.history(count, at - hours(40), apart, false);
            // Some are within an hour, others over a day.
            let (count, first, apart) =
                if variant % 3 == 2 { (17, 1_400, 80) } else { (maker.chance.between(9, 15), 50, 3) };
            for n in 0..count {
                let amount = maker.everyday() / 2;
                let more = json!({"merchant": "Kestrel Games", "channel": "card_not_present",
                    "device_fingerprint": "device-unseen"});
                history.extend(maker.transaction(at - (first - apart * n) * MICROS_PER_MINUTE, amount, more));
            }
            more["channel"] = json!("card_not_present");
            more["device_fingerprint"] = json!("device-unseen-2");
            (history, maker.everyday() / 4)
        }
        Pattern::Everything => {
            let apart = maker.chance.between(500, 2_000);
            let mut history = maker.history(count, at - hours(30), apart, true);
            for n in 0..maker.chance.between(7, 11) {
                let amount = maker.everyday();
                history.extend(maker.transaction(
                    at - (55 - 3 * n) * MICROS_PER_MINUTE,
                    amount,
                    json!({"channel": "card_present", "location": place(home), "device_fingerprint": "device-of-old"}),
                ));
            }
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            more["device_fingerprint"] = json!("device-unseen");
            (history, large(&mut maker, 20, 90))
        }
        Pattern::Structuring => {
            maker.currency = ["USD", "EUR", "GBP", "CHF"][number % 4];
            maker.usual = 900;
            let mut history = maker.history(count, at - hours(24 * 9), 1_500, false);
            for n in 1..=3 {
                let amount = 942_000 + 3_100 * n;
                let more = json!({"channel": "transfer", "metadata": {"direction": "out"}});
                history.extend(maker.transaction(at - hours(22 * n), amount, more));
            }
            more["channel"] = json!("transfer");
            metadata.insert("source_of_funds".into(), json!(SOURCES[number % SOURCES.len()]));
            if variant.is_multiple_of(2) {
                metadata.insert("destination".into(), json!(DESTINATIONS[number % DESTINATIONS.len()]));
            }
            (history, 948_750 + 100 * maker.chance.between(0, 200))
        }
        Pattern::Dormant => {
            let history = maker.history(count, at - hours(24 * dormant_days(variant)), 1_200, true);
            more["device_fingerprint"] = json!("device-unseen");
            more["channel"] = json!(if variant.is_multiple_of(2) { "other" } else { "atm" });
            more["location"] = place(home);
            (history, large(&mut maker, 7, 20))
        }
        Pattern::TinyHistory => {
            let minutes = maker.chance.between(30, 180);
            let history = maker.history(2 + number % 3, at - minutes * MICROS_PER_MINUTE, 2_000, true);
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            (history, maker.everyday())
        }
        Pattern::RapidInOut => {
            let mut history = maker.history(count, at - hours(50), 1_300, false);
            let received = large(&mut maker, 30, 50);
            let in_more = json!({"channel": "transfer", "metadata": {"direction": "in"}});
            history.extend(maker.transaction(at - hours(3), received, in_more));
            metadata.insert("direction".into(), json!("out"));
            metadata.insert("destination_of_funds".into(), json!(DESTINATIONS[(number + 1) % DESTINATIONS.len()]));
            more["channel"] = json!("transfer");
            (history, received * 93 / 100)
        }
        Pattern::LargeAndFast | Pattern::OutsideWithTransaction => {
            let apart = maker.chance.between(800, 2_600);
            let mut history = maker.history(count, at - hours(33), apart, variant.is_multiple_of(2));
            for n in 0..maker.chance.between(5, 10) {
                let amount = maker.everyday();
                history.extend(maker.transaction(at - (44 - 4 * n) * MICROS_PER_MINUTE, amount, json!({})));
            }
            if variant.is_multiple_of(5) {
                more["merchant"] = Value::Null;
            }
            if variant % 4 == 1 {
                more["channel"] = Value::Null;
                more["device_fingerprint"] = Value::Null;
            }
            if variant.is_multiple_of(2) {
                more["location"] = place(home);
            }
            (history, large(&mut maker, 9, 25))
        }
        Pattern::OtherCurrency => {
            let mut history = maker.history(count, at - hours(30), 1_600, false);
            for n in 0..maker.chance.between(17, 21) {
                let amount = maker.everyday();
                let more = json!({"channel": "card_not_present", "device_fingerprint": "device-of-old"});
                history.extend(maker.transaction(at - (52 - 2 * n) * MICROS_PER_MINUTE, amount, more));
            }
            maker.currency = if currency == "USD" { "EUR" } else { "USD" };
            more["device_fingerprint"] = json!("device-unseen");
            more["channel"] = json!("card_not_present");
            (history, 9_000 + maker.chance.between(100, 90_000))
        }
        Pattern::OutsideWithSignals | Pattern::OutsideThin => return None,
    };
    more["metadata"] = Value::Object(metadata);
    let transaction = maker.transaction(at, amount, more)?;
    Some(Story { history, transaction })
}

fn amount_text(cents: i64, currency: &str) -> String {
    match currency {
        "JPY" => (cents / 100).max(1).to_string(),
        "KWD" => format!("{}.{:03}", cents / 100, (cents % 100) * 10),
        _ => format!("{}.{:02}", cents / 100, cents % 100),
    }
}

fn place(city: &City) -> Value {
    json!({"lat": city.lat, "lon": city.lon, "country": city.country, "city": city.name})
}

fn status(chance: &mut Chance) -> Option<&'static str> {
    *chance.pick(&[Some("settled"), Some("approved"), Some("declined"), Some("blocked"), None, Some("completed")])?
}

/// How many days a dormant account had no transactions.
fn dormant_days(variant: u64) -> i64 {
    190 + 17 * i64::try_from(variant).unwrap_or(0)
}
