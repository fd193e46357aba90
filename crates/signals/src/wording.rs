//! Figures as the signals' sentences write them. Every figure of a sentence is also in the signal's data, rounded the same way.

use countersign_domain::Currency;
use countersign_text::numbers::with_thousands;
use serde_json::{Value, json};

/// An amount of any size: a sum can be larger than `Money` allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoneySum {
    pub(crate) minor: u128,
    pub(crate) currency: Currency,
    pub(crate) decimals: u32,
}

impl MoneySum {
    /// The wire format of money.
    pub(crate) fn json(self) -> Value {
        json!({"amount": self.decimal(|whole| whole.to_string()), "currency": self.currency.as_str()})
    }

    /// `USD 1,250.00`.
    pub(crate) fn text(self) -> String {
        format!("{} {}", self.currency, self.decimal(|whole| with_thousands(&whole.to_string())))
    }

    fn decimal(self, write: impl Fn(u128) -> String) -> String {
        let unit = 10_u128.pow(self.decimals.min(28));
        let whole = write(self.minor / unit);
        match self.decimals {
            0 => whole,
            decimals => format!("{whole}.{:0width$}", self.minor % unit, width = decimals as usize),
        }
    }
}

/// Rounds a figure for readers: to a whole number from 100 on, to one decimal from 10 on, and otherwise to two.
pub(crate) fn rounded(value: f64) -> f64 {
    let unit = match value.abs() {
        100.0.. => 1.0,
        10.0.. => 10.0,
        _ => 100.0,
    };
    let rounded = (value * unit).round() / unit;
    // Adding 0.0 turns minus zero into zero. Infinity can't be written as JSON.
    if rounded.is_finite() { rounded + 0.0 } else { f64::MAX.copysign(value) }
}

/// A rounded number with separated thousands: `7,731` or `3.5`.
pub(crate) fn number(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    format!("{sign}{}", with_thousands(&value.abs().to_string()))
}

/// `1 transaction`, `14 transactions`.
pub(crate) fn counted(count: u32, one: &str, many: &str) -> String {
    format!("{} {}", with_thousands(&count.to_string()), if count == 1 { one } else { many })
}

/// A number of minutes in the largest unit that gives at least two: `42 minutes`, `5 hours`, `12 days`.
pub(crate) fn duration(minutes: u64) -> String {
    let (count, one, many) = match minutes {
        0..120 => (minutes, "minute", "minutes"),
        120..2_880 => (minutes / 60, "hour", "hours"),
        _ => (minutes / 1_440, "day", "days"),
    };
    counted(u32::try_from(count).unwrap_or(u32::MAX), one, many)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_money(minor: u128, currency: &str, decimals: u32, text: &str, amount: &str) {
        let sum = MoneySum { minor, currency: currency.parse().unwrap(), decimals };
        assert_eq!(sum.text(), text);
        assert_eq!(sum.json(), json!({"amount": amount, "currency": currency}));
    }

    #[test]
    fn money_is_written_with_its_decimals() {
        check_money(125_000, "USD", 2, "USD 1,250.00", "1250.00");
        check_money(5, "USD", 2, "USD 0.05", "0.05");
        check_money(1_250, "JPY", 0, "JPY 1,250", "1250");
        check_money(1_234, "KWD", 3, "KWD 1.234", "1.234");
        check_money(65 * u128::from(u64::MAX), "CLF", 4, "CLF 119,903,836,479,112,085.4975", "119903836479112085.4975");
    }

    #[test]
    fn numbers_are_rounded_for_reading() {
        let rows = [
            (8.3149, "8.31"),
            (25.04, "25"),
            (25.06, "25.1"),
            (7_731.4, "7,731"),
            (-0.321, "-0.32"),
            (-0.001, "0"),
            (0.0, "0"),
            (999_999.6, "1,000,000"),
        ];
        for (value, text) in rows {
            assert_eq!(number(rounded(value)), text, "{value}");
        }
        assert!(rounded(f64::INFINITY).is_finite() && rounded(f64::MAX).is_finite());
    }

    #[test]
    fn durations_are_written_in_a_unit_that_fits() {
        for (minutes, text) in
            [(0, "0 minutes"), (1, "1 minute"), (119, "119 minutes"), (120, "2 hours"), (2_880, "2 days")]
        {
            assert_eq!(duration(minutes), text);
        }
    }
}
