//! The baseline: the customer's earlier transactions in the same currency. Sums and medians are computed with decimals, never floats.

use std::{cmp::Reverse, collections::BTreeMap};

use countersign_domain::{Currency, Money, Transaction};
use rust_decimal::{Decimal, RoundingStrategy};

use super::{days_between, place};
use crate::{BaselineFacts, CountryCount, redact::Redactor};

const COUNTRIES_MAX: usize = 5;
const ROUNDING: RoundingStrategy = RoundingStrategy::MidpointAwayFromZero;

/// `earlier` must be sorted by time. `None` if a sum is too large for `Money`: a wrong figure would be worse than none.
pub(super) fn facts(this: &Transaction, earlier: &[&Transaction], redactor: &Redactor) -> Option<BaselineFacts> {
    let currency = this.amount.currency();
    let same: Vec<_> = earlier.iter().copied().filter(|other| other.amount.currency() == currency).collect();
    let (first_at, last_at) = (same.first()?.occurred_at, same.last()?.occurred_at);
    let mut amounts: Vec<Decimal> = same.iter().map(|other| other.amount.amount()).collect();
    amounts.sort_unstable();
    let median = median(&amounts, currency)?;
    let total = amounts.iter().try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(*amount))?;
    let amount = this.amount.amount();
    Some(BaselineFacts {
        transactions: same.len() as u64,
        first_at,
        last_at,
        days: days_between(first_at, last_at)?,
        median_amount: money(median, currency)?,
        smallest_amount: money(*amounts.first()?, currency)?,
        largest_amount: money(*amounts.last()?, currency)?,
        total_amount: money(total, currency)?,
        ratio_to_median: ratio(amount, median),
        difference_from_median: money((amount - median).abs(), currency),
        countries: countries(&same, redactor),
    })
}

/// The median of sorted amounts. With two middle amounts, it is their mean, rounded to the currency's decimals.
fn median(amounts: &[Decimal], currency: Currency) -> Option<Decimal> {
    let middle = amounts.len() / 2;
    let upper = *amounts.get(middle)?;
    if !amounts.len().is_multiple_of(2) {
        return Some(upper);
    }
    let lower = *amounts.get(middle.checked_sub(1)?)?;
    let mean = lower.checked_add(upper)?.checked_div(Decimal::TWO)?;
    Some(mean.round_dp_with_strategy(currency.exponent(), ROUNDING))
}

/// The ratio to one decimal, the only float here, parsed from decimal text. `None` if it has more than twelve digits, the
/// precision of the context's floats.
fn ratio(amount: Decimal, median: Decimal) -> Option<f64> {
    let ratio = amount.checked_div(median)?.round_dp_with_strategy(1, ROUNDING);
    (ratio < Decimal::from(100_000_000_000_u64)).then(|| ratio.to_string().parse().ok()).flatten()
}

/// `None` for zero and for amounts too large for `Money`.
fn money(amount: Decimal, currency: Currency) -> Option<Money> {
    Money::new(&amount.to_string(), currency).ok()
}

fn countries(transactions: &[&Transaction], redactor: &Redactor) -> Vec<CountryCount> {
    let mut by_code: BTreeMap<String, CountryCount> = BTreeMap::new();
    for place in transactions.iter().filter_map(|transaction| place(transaction, redactor, 0)) {
        let empty = CountryCount { country: place.country.clone(), country_name: place.country_name, transactions: 0 };
        by_code.entry(place.country).or_insert(empty).transactions += 1;
    }
    let mut countries: Vec<_> = by_code.into_values().collect();
    countries.sort_by_key(|country| Reverse(country.transactions));
    countries.truncate(COUNTRIES_MAX);
    countries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(amounts: &[&str], currency: &str, expected: &str) {
        let mut amounts: Vec<Decimal> = amounts.iter().map(|amount| amount.parse().unwrap()).collect();
        amounts.sort_unstable();
        assert_eq!(median(&amounts, currency.parse().unwrap()).unwrap().to_string(), expected, "{amounts:?}");
    }

    #[test]
    fn the_median_of_an_even_count_is_rounded_to_the_currencys_decimals() {
        check(&["3", "1", "2"], "USD", "2");
        check(&["1.00", "1.01"], "USD", "1.01");
        check(&["1.00", "1.02"], "USD", "1.01");
        check(&["1", "2"], "JPY", "2");
        check(&["1.001", "1.002", "9", "0.5"], "KWD", "1.002");
        check(&["0.10", "0.20"], "USD", "0.15");
    }

    #[test]
    fn a_ratio_has_one_decimal() {
        for (amount, median, expected) in
            [("4200", "80", 52.5), ("100", "3", 33.3), ("1", "1", 1.0), ("0.25", "1", 0.3)]
        {
            assert_eq!(ratio(amount.parse().unwrap(), median.parse().unwrap()), Some(expected));
        }
    }

    #[test]
    fn zero_and_too_large_amounts_are_not_money() {
        let usd = "USD".parse().unwrap();
        assert_eq!(money(Decimal::ZERO, usd), None);
        assert_eq!(money("9999999999999999".parse().unwrap(), usd), None);
    }
}
