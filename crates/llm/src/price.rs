//! The cost of a call, by configured prices only. A model without a price has no cost rather than a guessed one.

use crate::prompt::Usage;
use rust_decimal::Decimal;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    pub provider: String,
    /// Exact, or a prefix that ends in `*`.
    pub model: String,
    pub input_usd_per_mtok: Decimal,
    pub output_usd_per_mtok: Decimal,
}

/// The cost of `usage`. `None` if the model has no price or the usage is unknown.
pub(crate) fn cost_usd(prices: &[Price], provider: &str, model: &str, usage: Usage) -> Option<Decimal> {
    if prices.is_empty() {
        return None;
    }
    usage.total()?;
    let price = best_match(prices, provider, model)?;
    let cost_of = |tokens: Option<u64>, per_mtok: Decimal| Decimal::from(tokens.unwrap_or(0)).checked_mul(per_mtok);
    let input = cost_of(usage.input_tokens, price.input_usd_per_mtok)?;
    let output = cost_of(usage.output_tokens, price.output_usd_per_mtok)?;
    Some((input.checked_add(output)? / Decimal::from(1_000_000)).normalize())
}

/// Prefers an exact name to a prefix, and a longer prefix to a shorter one.
fn best_match<'a>(prices: &'a [Price], provider: &str, model: &str) -> Option<&'a Price> {
    prices
        .iter()
        .filter(|price| price.provider == provider)
        .filter_map(|price| match price.model.strip_suffix('*') {
            Some(prefix) => model.starts_with(prefix).then_some((prefix.len(), price)),
            None => (price.model == model).then_some((usize::MAX, price)),
        })
        .max_by_key(|(length, _)| *length)
        .map(|(_, price)| price)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(model: &str, input: i64, output: i64) -> Price {
        Price {
            provider: "groq".into(),
            model: model.into(),
            input_usd_per_mtok: Decimal::new(input, 2),
            output_usd_per_mtok: Decimal::new(output, 2),
        }
    }

    fn check(model: &str, usage: (Option<u64>, Option<u64>), expected: Option<&str>) {
        let prices = [price("llama-3*", 5, 8), price("*", 100, 100), price("llama-3.3-70b", 59, 79)];
        let usage = Usage { input_tokens: usage.0, output_tokens: usage.1 };
        let cost = cost_usd(&prices, "groq", model, usage);
        assert_eq!(cost.map(|cost| cost.to_string()).as_deref(), expected, "{model}");
        assert_eq!(cost_usd(&prices, "other", model, usage), None);
    }

    #[test]
    fn an_exact_price_wins_over_a_prefix_and_a_long_prefix_over_a_short_one() {
        check("llama-3.3-70b", (Some(1_000_000), Some(2_000_000)), Some("2.17"));
        check("llama-3.1-8b", (Some(1_000_000), Some(1_000_000)), Some("0.13"));
        check("gemma", (Some(1), Some(1)), Some("0.000002"));
    }

    #[test]
    fn unknown_usage_has_no_cost() {
        check("llama-3.3-70b", (None, None), None);
        check("llama-3.3-70b", (Some(1_000_000), None), Some("0.59"));
    }
}
