//! Plausible facts that are false for a case, used in lies.

use countersign_domain::{SignalName, Time};
use countersign_report::{Context, SignalOutcome};

use super::facts::{CaseNames, plain};
use super::{bare, numbers};
use crate::{chance::Chance, say};

impl CaseNames {
    /// Adds plausible facts that are false for this case, under names that lies use.
    pub(super) fn add_wrong(&mut self, context: &Context, number: u64) {
        let mut chance = Chance::named("wrong", number);
        let known = serde_json::to_value(context).unwrap_or_default().to_string().to_lowercase();
        let absent = |chance: &mut Chance, pool: &[&str]| {
            let mut pool: Vec<&str> =
                pool.iter().copied().filter(|item| !known.contains(&item.to_lowercase())).collect();
            chance.shuffle(&mut pool);
            pool.first().map(|item| (*item).to_owned())
        };
        self.put_some(
            "wrong_country",
            absent(&mut chance, &["Norway", "Vietnam", "Chile", "Morocco", "Latvia", "Thailand", "Belize", "Ghana"]),
        );
        self.put_some(
            "wrong_city",
            absent(&mut chance, &["Oslo", "Marrakesh", "Riga", "Lagos", "Hanoi", "Tampa", "Dublin", "Minsk"]),
        );
        self.put_some(
            "wrong_merchant",
            absent(
                &mut chance,
                &["Crown Casino", "Velvet Motors", "Pinnacle Bullion", "Redwood Arms", "Nova Exchange"],
            ),
        );
        self.put_some("wrong_currency", absent(&mut chance, &["SEK", "NOK", "ZAR", "MXN", "THB", "HUF"]));
        self.put_some(
            "person",
            absent(&mut chance, &["Daniel Okafor", "Maria Lindqvist", "Tomas Herrera", "Aisha Rahman", "Peter Novak"]),
        );
        self.put_some("wrong_severity", {
            let own = context.case.severity;
            let mut others: Vec<&str> =
                ["LOW", "MEDIUM", "HIGH", "CRITICAL"].into_iter().filter(|name| *name != own.in_capitals()).collect();
            chance.shuffle(&mut others);
            others.first().map(|name| (*name).to_owned())
        });
        let score = i64::from(context.case.risk_score.get());
        let wrong =
            [score - 17, score + 9, score - 31, score + 21].into_iter().filter(|wrong| (1..=100).contains(wrong));
        let wrong: Vec<i64> = wrong.filter(|wrong| !numbers(&known).contains(&wrong.to_string())).collect();
        self.put_some("wrong_score", chance.pick(&wrong).map(ToString::to_string));
        let pool = ["23", "31", "47", "58", "64", "86", "113", "240", "1,700"];
        self.put_some("wrong_number", {
            let numbers = numbers(&known);
            let mut pool: Vec<&str> = pool.into_iter().filter(|number| !numbers.contains(&bare(number))).collect();
            chance.shuffle(&mut pool);
            pool.first().map(|number| (*number).to_owned())
        });
        if let Some(transaction) = &context.transaction {
            let currency = transaction.amount.currency();
            let pool = ["7,777.77", "312.40", "18,250.00", "96,004.15", "5,061.90", "640.25"];
            let numbers = numbers(&known);
            let mut pool: Vec<&str> = pool.into_iter().filter(|amount| !numbers.contains(&bare(amount))).collect();
            chance.shuffle(&mut pool);
            self.put_some("wrong_amount", pool.first().map(|amount| format!("{currency} {amount}")));
            let shift = chance.between(3, 9) * 86_400_000_000;
            let wrong = Time::from_micros(transaction.occurred_at.micros() + shift).ok();
            self.put_some("wrong_date", wrong.map(say::date));
            let time = say::time(transaction.occurred_at);
            let hour: i64 = time.get(..2).and_then(|hour| hour.parse().ok()).unwrap_or(0);
            self.put(
                "wrong_time",
                format!("{:02}:{:02} UTC", (hour + chance.between(4, 18)) % 24, chance.between(1, 58)),
            );
        }
        for (slot, name) in ["idle", "idle2"].into_iter().zip(
            SignalName::ALL
                .into_iter()
                .filter(|name| {
                    let found = context.signals.iter().find(|signal| signal.known() == Some(*name));
                    found.is_none_or(|signal| !matches!(signal.outcome, SignalOutcome::Fired | SignalOutcome::Reported))
                })
                .map(plain),
        ) {
            self.put(slot, name);
        }
    }
}
