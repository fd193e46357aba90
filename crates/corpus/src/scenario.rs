//! Cases as they come in: customers with a history, the transaction that stands out, and what the real detector and the
//! real context builder make of them. A few alerts come from outside, with signals in shapes of their own, or with none.

use countersign_domain::{Alert, AlertId, Severity, Time, Transaction, payload::ReportType};
use countersign_report::{BySeverity, Context, ContextInputs, Correlation, EarlierAlert};
use countersign_signals::{Detector, History};
use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// Of each pattern of `PATTERNS`.
const VARIANTS: u64 = 11;
const MICROS_A_MINUTE: i64 = 60_000_000;
const SIMILAR_WITHIN_POINTS: u8 = 10;

struct City {
    name: &'static str,
    country: &'static str,
    lat: f64,
    lon: f64,
}

const fn city(name: &'static str, country: &'static str, lat: f64, lon: f64) -> City {
    City { name, country, lat, lon }
}

const CITIES: [City; 16] = [
    city("Porto", "PT", 41.15, -8.61),
    city("Lyon", "FR", 45.76, 4.84),
    city("Leeds", "GB", 53.80, -1.55),
    city("Hamburg", "DE", 53.55, 9.99),
    city("Osaka", "JP", 34.69, 135.50),
    city("Toronto", "CA", 43.65, -79.38),
    city("Nairobi", "KE", -1.29, 36.82),
    city("Bogota", "CO", 4.71, -74.07),
    city("Zurich", "CH", 47.38, 8.54),
    city("Denver", "US", 39.74, -104.99),
    city("Gdansk", "PL", 54.35, 18.65),
    city("Adelaide", "AU", -34.93, 138.60),
    city("Pune", "IN", 18.52, 73.86),
    city("Valencia", "ES", 39.47, -0.38),
    city("Antalya", "TR", 36.90, 30.70),
    city("Recife", "BR", -8.05, -34.88),
];

const MERCHANTS: [(&str, &str); 14] = [
    ("Harbour Jewellers", "jewellery"),
    ("Northwind Electronics", "electronics"),
    ("Blue Lantern Travel", "travel"),
    ("Cobalt Cycles", "sporting goods"),
    ("Meridian Furniture", "furniture"),
    ("Orchard Pharmacy", "pharmacy"),
    ("Silverline Watches", "luxury goods"),
    ("Granite Tools", "hardware"),
    ("Lumen Cameras", "electronics"),
    ("Atlas Outfitters", "clothing"),
    ("Kestrel Games", "gaming"),
    ("Juniper Gift Cards", "gift cards"),
    ("Sable Audio", "electronics"),
    ("Quayside Grocers", "groceries"),
];

/// Everyday amounts in major units, by currency.
const CURRENCIES: [(&str, i64); 8] =
    [("USD", 48), ("EUR", 37), ("GBP", 29), ("CHF", 64), ("JPY", 4_300), ("CAD", 55), ("AUD", 71), ("KWD", 14)];

const MEMOS: [&str; 6] =
    ["invoice 2231", "holiday deposit", "order 88-104", "annual membership", "spare parts", "gift voucher"];
const SOURCES: [&str; 4] = ["salary", "savings", "sale of a vehicle", "business income"];
const DESTINATIONS: [&str; 4] = ["crypto exchange", "brokerage", "escrow service", "online wallet"];

/// What makes a case stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    LargeAmount,
    LargeAmountAbroad,
    ImpossibleTravel,
    Burst,
    Everything,
    Structuring,
    Dormant,
    TinyHistory,
    RapidInOut,
    LargeAndFast,
    /// The history is in another currency, so that there is no baseline.
    OtherCurrency,
    OutsideWithTransaction,
    OutsideWithSignals,
    OutsideThin,
}

const PATTERNS: [Pattern; 14] = [
    Pattern::LargeAmount,
    Pattern::LargeAmountAbroad,
    Pattern::ImpossibleTravel,
    Pattern::Burst,
    Pattern::Everything,
    Pattern::Structuring,
    Pattern::Dormant,
    Pattern::TinyHistory,
    Pattern::RapidInOut,
    Pattern::LargeAndFast,
    Pattern::OtherCurrency,
    Pattern::OutsideWithTransaction,
    Pattern::OutsideWithSignals,
    Pattern::OutsideThin,
];

/// Every case of the corpus whose severity is investigated.
pub(crate) fn contexts() -> Vec<Context> {
    let detector = Detector::built_in();
    let of = |pattern: Pattern, variants: u64| (0..variants).map(move |variant| (pattern, variant));
    PATTERNS
        .into_iter()
        // Thin cases say the same little about each; a few are enough.
        .flat_map(|pattern| of(pattern, if pattern == Pattern::OutsideThin { 4 } else { VARIANTS }))
        .filter_map(|(pattern, variant)| context(pattern, variant, &detector))
        .filter(|context| context.case.severity.is_investigated())
        .collect()
}

/// Alerts from outside that carry neither a signal nor a transaction: a score without any evidence.
pub(crate) fn without_evidence(count: u64) -> Vec<Context> {
    (100..100 + count).filter_map(|variant| outside_thin(variant, &mut Chance::named("thin", variant))).collect()
}

fn context(pattern: Pattern, variant: u64, detector: &Detector) -> Option<Context> {
    let mut chance = Chance::named(&format!("{pattern:?}"), variant);
    match pattern {
        Pattern::OutsideThin => outside_thin(variant, &mut chance),
        Pattern::OutsideWithSignals => outside_with_signals(variant, &mut chance),
        _ => with_transaction(pattern, variant, detector, &mut chance),
    }
}

/// A customer's life on record, newest last, and the transaction under suspicion.
struct Story {
    history: Vec<Transaction>,
    transaction: Transaction,
}

struct Teller<'a> {
    chance: &'a mut Chance,
    user: String,
    key: String,
    currency: &'static str,
    usual: i64,
    home: &'static City,
    opened: Option<String>,
    number: usize,
}

impl Teller<'_> {
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

    /// Cents around the usual amount.
    fn everyday(&mut self) -> i64 {
        self.usual * self.chance.between(45, 190)
    }

    fn history(&mut self, count: usize, last_at: i64, minutes_apart: i64, located: bool) -> Vec<Transaction> {
        let mut found = Vec::new();
        for index in 0..count {
            let back = i64::try_from(count - 1 - index).unwrap_or(0);
            let drift = self.chance.between(-minutes_apart / 5, 0);
            let at = last_at - (back * minutes_apart - if back == 0 { 0 } else { drift }) * MICROS_A_MINUTE;
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

/// From January 2025 on, at any minute.
fn moment(chance: &mut Chance) -> i64 {
    1_735_700_000_000_000
        + chance.between(40 * 1_440, 520 * 1_440) * MICROS_A_MINUTE
        + chance.between(0, 59) * 1_000_000
}

fn status(chance: &mut Chance) -> Option<&'static str> {
    *chance.pick(&[Some("settled"), Some("approved"), Some("declined"), Some("blocked"), None, Some("completed")])?
}

fn story(pattern: Pattern, variant: u64, chance: &mut Chance) -> Option<Story> {
    let number = usize::try_from(variant).unwrap_or(0);
    let home = &CITIES[chance.below(CITIES.len())];
    let away = CITIES.iter().filter(|city| city.country != home.country).nth(chance.below(CITIES.len() - 1))?;
    let (currency, usual) = CURRENCIES[(number + pattern as usize) % CURRENCIES.len()];
    let at = moment(chance);
    let opened_days = chance.between(30, 2_600);
    let opened = (!variant.is_multiple_of(4))
        .then(|| Time::from_micros(at - opened_days * 1_440 * MICROS_A_MINUTE).ok().map(|at| at.to_string()))
        .flatten();
    let key = format!("{}{:02}", pattern as u8, variant);
    let user = format!("customer-{}", 4_100 + 97 * variant + 13 * pattern as u64);
    let status = status(chance);
    let mut teller = Teller { chance, user, key, currency, usual, home, opened, number: 0 };
    let mut metadata = Map::new();
    if let Some(status) = status {
        metadata.insert("status".into(), json!(status));
    }
    if variant % 3 == 1 {
        metadata.insert("memo".into(), json!(MEMOS[teller.chance.below(MEMOS.len())]));
    }
    let count = usize::try_from(teller.chance.between(9, 46)).unwrap_or(9);
    let (merchant, category) = MERCHANTS[teller.chance.below(MERCHANTS.len())];
    let mut more = json!({"channel": if variant.is_multiple_of(2) { "card_present" } else { "card_not_present" },
        "merchant": merchant, "device_fingerprint": "device-of-old"});
    if !variant.is_multiple_of(3) {
        more["category"] = json!(category);
    }
    if variant.is_multiple_of(2) {
        more["ip_address"] = json!("198.51.100.7");
    }
    let large = |teller: &mut Teller<'_>, least: i64, most: i64| {
        teller.usual * teller.chance.between(least, most) * 100 + teller.chance.between(1, 99)
    };
    let hours = |hours: i64| hours * 60 * MICROS_A_MINUTE;
    let (history, amount) = match pattern {
        Pattern::LargeAmount => {
            let apart = teller.chance.between(300, 3_000);
            let history = teller.history(count, at - hours(9), apart, !variant.is_multiple_of(3));
            if !variant.is_multiple_of(3) {
                more["location"] = place(home);
            }
            (history, large(&mut teller, 14, 60))
        }
        Pattern::LargeAmountAbroad => {
            let apart = teller.chance.between(400, 2_400);
            let history = teller.history(count, at - hours(70), apart, true);
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            (history, large(&mut teller, 8, 40))
        }
        Pattern::ImpossibleTravel => {
            let apart = teller.chance.between(300, 2_000);
            let minutes = teller.chance.between(25, 150);
            let history = teller.history(count, at - minutes * MICROS_A_MINUTE, apart, true);
            more["channel"] = json!(if variant.is_multiple_of(2) { "card_present" } else { "atm" });
            more["location"] = place(away);
            (history, teller.everyday() * 2)
        }
        Pattern::Burst => {
            let apart = teller.chance.between(700, 2_900);
            let mut history = teller.history(count, at - hours(40), apart, false);
            // Some within an hour, some over a day.
            let (count, first, apart) =
                if variant % 3 == 2 { (17, 1_400, 80) } else { (teller.chance.between(9, 15), 50, 3) };
            for n in 0..count {
                let amount = teller.everyday() / 2;
                let more = json!({"merchant": "Kestrel Games", "channel": "card_not_present",
                    "device_fingerprint": "device-unseen"});
                history.extend(teller.transaction(at - (first - apart * n) * MICROS_A_MINUTE, amount, more));
            }
            more["channel"] = json!("card_not_present");
            more["device_fingerprint"] = json!("device-unseen-2");
            (history, teller.everyday() / 4)
        }
        Pattern::Everything => {
            let apart = teller.chance.between(500, 2_000);
            let mut history = teller.history(count, at - hours(30), apart, true);
            for n in 0..teller.chance.between(7, 11) {
                let amount = teller.everyday();
                history.extend(teller.transaction(
                    at - (55 - 3 * n) * MICROS_A_MINUTE,
                    amount,
                    json!({"channel": "card_present", "location": place(home), "device_fingerprint": "device-of-old"}),
                ));
            }
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            more["device_fingerprint"] = json!("device-unseen");
            (history, large(&mut teller, 20, 90))
        }
        Pattern::Structuring => {
            teller.currency = ["USD", "EUR", "GBP", "CHF"][number % 4];
            teller.usual = 900;
            let mut history = teller.history(count, at - hours(24 * 9), 1_500, false);
            for n in 1..=3 {
                let amount = 942_000 + 3_100 * n;
                let more = json!({"channel": "transfer", "metadata": {"direction": "out"}});
                history.extend(teller.transaction(at - hours(22 * n), amount, more));
            }
            more["channel"] = json!("transfer");
            metadata.insert("source_of_funds".into(), json!(SOURCES[number % SOURCES.len()]));
            if variant.is_multiple_of(2) {
                metadata.insert("destination".into(), json!(DESTINATIONS[number % DESTINATIONS.len()]));
            }
            (history, 948_750 + 100 * teller.chance.between(0, 200))
        }
        Pattern::Dormant => {
            let history = teller.history(count, at - hours(24 * teller_days(variant)), 1_200, true);
            more["device_fingerprint"] = json!("device-unseen");
            more["channel"] = json!(if variant.is_multiple_of(2) { "other" } else { "atm" });
            more["location"] = place(home);
            (history, large(&mut teller, 7, 20))
        }
        Pattern::TinyHistory => {
            let minutes = teller.chance.between(30, 180);
            let history = teller.history(2 + number % 3, at - minutes * MICROS_A_MINUTE, 2_000, true);
            more["channel"] = json!("card_present");
            more["location"] = place(away);
            (history, teller.everyday())
        }
        Pattern::RapidInOut => {
            let mut history = teller.history(count, at - hours(50), 1_300, false);
            let came = large(&mut teller, 30, 50);
            let in_more = json!({"channel": "transfer", "metadata": {"direction": "in"}});
            history.extend(teller.transaction(at - hours(3), came, in_more));
            metadata.insert("direction".into(), json!("out"));
            metadata.insert("destination_of_funds".into(), json!(DESTINATIONS[(number + 1) % DESTINATIONS.len()]));
            more["channel"] = json!("transfer");
            (history, came * 93 / 100)
        }
        Pattern::LargeAndFast | Pattern::OutsideWithTransaction => {
            let apart = teller.chance.between(800, 2_600);
            let mut history = teller.history(count, at - hours(33), apart, variant.is_multiple_of(2));
            for n in 0..teller.chance.between(5, 10) {
                let amount = teller.everyday();
                history.extend(teller.transaction(at - (44 - 4 * n) * MICROS_A_MINUTE, amount, json!({})));
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
            (history, large(&mut teller, 9, 25))
        }
        Pattern::OtherCurrency => {
            let mut history = teller.history(count, at - hours(30), 1_600, false);
            for n in 0..teller.chance.between(17, 21) {
                let amount = teller.everyday();
                let more = json!({"channel": "card_not_present", "device_fingerprint": "device-of-old"});
                history.extend(teller.transaction(at - (52 - 2 * n) * MICROS_A_MINUTE, amount, more));
            }
            teller.currency = if currency == "USD" { "EUR" } else { "USD" };
            more["device_fingerprint"] = json!("device-unseen");
            more["channel"] = json!("card_not_present");
            (history, 9_000 + teller.chance.between(100, 90_000))
        }
        Pattern::OutsideWithSignals | Pattern::OutsideThin => return None,
    };
    more["metadata"] = Value::Object(metadata);
    let transaction = teller.transaction(at, amount, more)?;
    Some(Story { history, transaction })
}

/// How long a dormant account slept.
fn teller_days(variant: u64) -> i64 {
    190 + 17 * i64::try_from(variant).unwrap_or(0)
}

fn with_transaction(pattern: Pattern, variant: u64, detector: &Detector, chance: &mut Chance) -> Option<Context> {
    let Story { history, transaction } = story(pattern, variant, chance)?;
    let mut known = History::new();
    for (seq, earlier) in (1..).zip(&history) {
        known.add(seq, earlier);
    }
    let seq = u64::try_from(history.len()).unwrap_or(0) + 1;
    let assessment = detector.assess(seq, &transaction, &known);
    let is_outside = pattern == Pattern::OutsideWithTransaction;
    let alert = if is_outside {
        outside_alert(variant, transaction.user_id.as_str(), Some(transaction.transaction_id.as_str()))?
    } else {
        if !assessment.fires() {
            return None;
        }
        let mut alert: Alert = serde_json::from_value(json!({
            "alert_id": AlertId::of_transaction(&transaction.transaction_id),
            "user_id": transaction.user_id, "severity": assessment.severity, "score": assessment.score,
            "metadata": {"transaction_id": transaction.transaction_id}
        }))
        .ok()?;
        alert.metadata.signals = assessment.signals_json();
        alert.metadata.more.insert("rules_hash".into(), detector.rules().hash().into());
        alert
    };
    let created = Time::from_micros(transaction.occurred_at.micros() + chance.between(1, 40) * 1_000_000).ok()?;
    let (prior, correlation) = earlier_alerts(variant, created, chance)?;
    Some(Context::build(&ContextInputs {
        alert: &alert,
        alert_created_at: created,
        alert_from_detector: !is_outside,
        report_type: report_type(variant),
        regulatory_impact: None,
        transaction: Some(&transaction),
        history: &history,
        transaction_count: u64::try_from(history.len()).unwrap_or(0),
        first_transaction_at: history.iter().map(|earlier| earlier.occurred_at).min(),
        prior_alerts: &prior,
        correlation,
    }))
}

fn report_type(variant: u64) -> ReportType {
    match variant % 4 {
        0 => ReportType::Full,
        3 => ReportType::Internal,
        _ => ReportType::Compliance,
    }
}

/// Half of the customers have been alerted on before.
fn earlier_alerts(variant: u64, before: Time, chance: &mut Chance) -> Option<(Vec<EarlierAlert>, Correlation)> {
    let mut by = BySeverity::default();
    let mut prior = Vec::new();
    let count = if variant.is_multiple_of(2) { 0 } else { 1 + variant % 5 };
    for n in 0..count {
        let score = countersign_domain::Score::new(u8::try_from(chance.between(18, 96)).ok()?).ok()?;
        let severity = Severity::of(score);
        match severity {
            Severity::Low => by.low += 1,
            Severity::Medium => by.medium += 1,
            Severity::High => by.high += 1,
            Severity::Critical => by.critical += 1,
        }
        let days = 3 + 11 * i64::try_from(n).ok()? + chance.between(0, 4);
        let created_at = Time::from_micros(before.micros() - days * 1_440 * MICROS_A_MINUTE).ok()?;
        prior.push(EarlierAlert { created_at, severity, score });
    }
    let last = prior.iter().map(|alert| alert.created_at).max();
    let similar = u64::try_from(chance.between(0, 23)).ok()?;
    Some((prior, Correlation::new(by, last, similar, SIMILAR_WITHIN_POINTS)))
}

/// As other systems send them.
fn outside_alert(variant: u64, user: &str, transaction: Option<&str>) -> Option<Alert> {
    let signals = match variant % 5 {
        0 => json!({"velocity_anomaly": {"count_1h": 14, "limit": 6, "triggered": true}, "device_risk": 0.87}),
        1 => json!({"amount_deviation": {"value": 6.4, "threshold": 3.5, "unit": "modified z-score", "points": 44,
            "fired": true}, "merchant_risk": {"score": 0.71, "flagged": true}}),
        2 => json!({"geographic_inconsistency": {"value": 2210.0, "threshold": 900.0, "unit": "km/h", "fired": true},
            "rule_flags": {"fired": false}}),
        3 => json!({"chargeback_history": {"chargebacks_30d": 4, "limit": 2, "detected": true}}),
        _ => json!({"velocity_anomaly": {"value": 11, "threshold": 5, "unit": "transactions in 1 hour", "fired": true,
            "points": 38}, "amount_deviation": {"value": 2.1, "threshold": 3.5, "fired": false}}),
    };
    let score = 41 + (variant * 13) % 59;
    let score = countersign_domain::Score::new(u8::try_from(score).ok()?).ok()?;
    let mut metadata = json!({"signals": signals, "source": "core banking"});
    if let Some(transaction) = transaction {
        metadata["transaction_id"] = json!(transaction);
    }
    serde_json::from_value(json!({
        "alert_id": format!("ext-{}", 7_301 + 41 * variant), "user_id": user,
        "severity": Severity::of(score), "score": score, "metadata": metadata
    }))
    .ok()
}

fn outside_with_signals(variant: u64, chance: &mut Chance) -> Option<Context> {
    let alert = outside_alert(variant + 50, &format!("client-{}", 9_020 + 7 * variant), None)?;
    without_transaction(&alert, variant, chance)
}

fn outside_thin(variant: u64, chance: &mut Chance) -> Option<Context> {
    let mut alert = outside_alert(variant + 200, &format!("client-{}", 3_010 + 11 * variant), None)?;
    alert.metadata.signals.clear();
    without_transaction(&alert, variant, chance)
}

fn without_transaction(alert: &Alert, variant: u64, chance: &mut Chance) -> Option<Context> {
    let created = Time::from_micros(moment(chance)).ok()?;
    let (prior, correlation) = earlier_alerts(variant, created, chance)?;
    Some(Context::build(&ContextInputs {
        alert,
        alert_created_at: created,
        alert_from_detector: false,
        report_type: report_type(variant),
        regulatory_impact: None,
        transaction: None,
        history: &[],
        transaction_count: 0,
        first_transaction_at: None,
        prior_alerts: &prior,
        correlation,
    }))
}
