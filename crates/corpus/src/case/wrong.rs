//! Plausible facts that are false for a case, as the placeholders of `texts/lies.txt`.

use countersign_domain::Time;
use countersign_report::{Context, TransactionFacts};

use super::facts::TemplateValues;
use super::{bare, numbers};
use crate::{chance::Chance, format};

impl TemplateValues {
    /// Adds plausible facts that are false for this case. All choices come from one generator, so changing their order
    /// changes the corpus.
    pub(super) fn add_wrong(&mut self, context: &Context, number: u64) {
        let mut chance = Chance::named("wrong", number);
        let context_json = serde_json::to_value(context).unwrap_or_default().to_string().to_lowercase();
        self.add_wrong_names(context, &context_json, &mut chance);
        self.add_wrong_numbers(context, &context_json, &mut chance);
        if let Some(transaction) = &context.transaction {
            self.add_wrong_transaction(transaction, &context_json, &mut chance);
        }
    }

    fn add_wrong_names(&mut self, context: &Context, context_json: &str, chance: &mut Chance) {
        let is_absent = |name: &str| !context_json.contains(&name.to_lowercase());
        let pools: [(&str, &[&str]); 5] = [
            ("wrong_country", &["Norway", "Vietnam", "Chile", "Morocco", "Latvia", "Thailand", "Belize", "Ghana"]),
            ("wrong_city", &["Oslo", "Marrakesh", "Riga", "Lagos", "Hanoi", "Tampa", "Dublin", "Minsk"]),
            ("wrong_merchant", &["Crown Casino", "Velvet Motors", "Pinnacle Bullion", "Redwood Arms", "Nova Exchange"]),
            ("wrong_currency", &["SEK", "NOK", "ZAR", "MXN", "THB", "HUF"]),
            ("person", &["Daniel Okafor", "Maria Lindqvist", "Tomas Herrera", "Aisha Rahman", "Peter Novak"]),
        ];
        for (placeholder, pool) in pools {
            self.put_some(placeholder, one_of(pool, is_absent, chance).map(str::to_owned));
        }
        let is_other = |name: &str| name != context.case.severity.in_capitals();
        let severity = one_of(&["LOW", "MEDIUM", "HIGH", "CRITICAL"], is_other, chance);
        self.put_some("wrong_severity", severity.map(str::to_owned));
    }

    fn add_wrong_numbers(&mut self, context: &Context, context_json: &str, chance: &mut Chance) {
        let known = numbers(context_json);
        let score = i64::from(context.case.risk_score.get());
        let scores: Vec<i64> = [score - 17, score + 9, score - 31, score + 21]
            .into_iter()
            .filter(|wrong| (1..=100).contains(wrong) && !known.contains(&wrong.to_string()))
            .collect();
        self.put_some("wrong_score", chance.pick(&scores).map(ToString::to_string));
        let pool = ["23", "31", "47", "58", "64", "86", "113", "240", "1,700"];
        let number = one_of(&pool, |number| !known.contains(&bare(number)), chance);
        self.put_some("wrong_number", number.map(str::to_owned));
    }

    fn add_wrong_transaction(&mut self, transaction: &TransactionFacts, context_json: &str, chance: &mut Chance) {
        let known = numbers(context_json);
        let currency = transaction.amount.currency();
        let pool = ["7,777.77", "312.40", "18,250.00", "96,004.15", "5,061.90", "640.25"];
        let amount = one_of(&pool, |amount| !known.contains(&bare(amount)), chance);
        self.put_some("wrong_amount", amount.map(|amount| format!("{currency} {amount}")));
        let shift = chance.between(3, 9) * 86_400_000_000;
        let shifted = Time::from_micros(transaction.occurred_at.micros() + shift).ok();
        self.put_some("wrong_date", shifted.map(format::date));
        let time = format::time_to_minute(transaction.occurred_at);
        let hour: i64 = time.get(..2).and_then(|hour| hour.parse().ok()).unwrap_or(0);
        self.put("wrong_time", format!("{:02}:{:02} UTC", (hour + chance.between(4, 18)) % 24, chance.between(1, 58)));
    }
}

/// A randomly chosen item of a pool, of those that are false for the case.
fn one_of<'p>(pool: &[&'p str], is_false: impl Fn(&str) -> bool, chance: &mut Chance) -> Option<&'p str> {
    let mut items: Vec<&str> = pool.iter().copied().filter(|item| is_false(item)).collect();
    chance.shuffle(&mut items);
    items.first().copied()
}
