//! Formats money, numbers and times for documents and the context: `USD 1,250.00`, `1 March 2026 at 09:30:05 UTC`. Nothing is
//! rounded for reading. The built-in writer's sentences use `writer/say.rs` instead, which rounds.

use countersign_domain::{Money, Time};
use countersign_text::numbers::with_thousands;

pub(crate) fn money(money: &Money) -> String {
    format!("{} {}", money.currency(), with_thousands(&money.amount().to_string()))
}

/// A measurement with all its decimals and thousands separators: `5,400` or `1,234.5`.
pub(crate) fn number(value: f64) -> String {
    with_thousands(&value.to_string())
}

/// Rounds a measurement to twelve significant digits, so that it survives being written and read again and a stored context keeps
/// its hash. `None` if even the rounded value doesn't round-trip.
pub(crate) fn round_trippable(value: f64) -> Option<f64> {
    let rounded: f64 = format!("{value:.11e}").parse().ok()?;
    let written = serde_json::to_string(&rounded).ok()?;
    serde_json::from_str::<f64>(&written).ok().filter(|read| *read == rounded)
}

/// A time for tables: `2026-03-01 09:30:05 UTC`.
pub(crate) fn table_time(at: Time) -> String {
    at.timestamp().strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A time for prose, to the second: `1 March 2026 at 09:30:05 UTC`.
pub(crate) fn prose_time(at: Time) -> String {
    at.timestamp().strftime("%-d %B %Y at %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_with_thousands_separators_and_its_own_decimals() {
        for (amount, currency, expected) in [
            ("1250", "USD", "USD 1,250.00"),
            ("80.5", "EUR", "EUR 80.50"),
            ("999", "JPY", "JPY 999"),
            ("1234567", "JPY", "JPY 1,234,567"),
            ("1000.123", "KWD", "KWD 1,000.123"),
            ("0.5", "EUR", "EUR 0.50"),
            ("999", "GBP", "GBP 999.00"),
            ("1000.5", "KWD", "KWD 1,000.500"),
        ] {
            assert_eq!(money(&Money::new(amount, currency.parse().unwrap()).unwrap()), expected);
        }
    }

    #[test]
    fn a_measurement_keeps_twelve_digits() {
        for (value, expected) in [
            (7.2, Some(7.2)),
            (0.1 + 0.2, Some(0.3)),
            (1.234_567_890_123_456_7, Some(1.234_567_890_12)),
            (1e300, Some(1e300)),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(round_trippable(value), expected, "{value}");
        }
    }

    #[test]
    fn measurements_have_thousands_separators() {
        for (value, expected) in
            [(7.2, "7.2"), (5400.0, "5,400"), (-1_234.5, "-1,234.5"), (0.0, "0"), (1e15, "1,000,000,000,000,000")]
        {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(prose_time("2026-03-01T09:30:05.25Z".parse().unwrap()), "1 March 2026 at 09:30:05 UTC");
        assert_eq!(table_time("2026-03-01T09:30:05.25Z".parse().unwrap()), "2026-03-01 09:30:05 UTC");
    }
}
