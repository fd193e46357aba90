//! Money: a decimal amount, never a float, in an ISO 4217 currency. Amounts are never converted.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::Invalid;

/// The maximum number of digits before the decimal point. With four decimals, even sums stay far inside `Decimal`'s range.
const WHOLE_DIGITS_MAX: usize = 15;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(try_from = "MoneyText", into = "MoneyText")]
pub struct Money {
    /// Decimal text, more than zero, with at most as many decimals as the currency has.
    #[schema(value_type = String, example = "1250.00", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    amount: Decimal,
    /// ISO 4217.
    #[schema(value_type = String, example = "USD", pattern = "^[A-Z]{3}$")]
    currency: Currency,
}

/// Money as it is written: `{"amount": "1250.00", "currency": "USD"}`.
#[derive(Serialize, Deserialize)]
struct MoneyText {
    amount: String,
    currency: String,
}

impl Money {
    /// Accepts only plain positive decimals with at most as many decimals as the currency has.
    pub fn new(amount: &str, currency: Currency) -> Result<Self, Invalid> {
        let invalid = |reason: &str| Invalid::new("amount", reason);
        let (whole, decimals) = amount.split_once('.').unwrap_or((amount, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            return Err(invalid("must be decimal text such as \"1250.00\""));
        }
        if whole.len() > WHOLE_DIGITS_MAX {
            return Err(invalid("has more than 15 digits before the point"));
        }
        let exponent = currency.exponent();
        if decimals.trim_end_matches('0').len() > exponent as usize {
            return Err(invalid(&format!("has more decimals than {currency} allows ({exponent})")));
        }
        let decimals = &decimals[..decimals.len().min(exponent as usize)];
        let mut value = Decimal::from_str(&format!("{whole}.{decimals}0"))
            .map_err(|_| invalid("must be decimal text such as \"1250.00\""))?;
        if value.is_zero() {
            return Err(invalid("must be more than zero"));
        }
        value.rescale(exponent);
        Ok(Self { amount: value, currency })
    }

    pub fn amount(&self) -> Decimal {
        self.amount
    }

    pub fn currency(&self) -> Currency {
        self.currency
    }
}

impl TryFrom<MoneyText> for Money {
    type Error = Invalid;
    fn try_from(text: MoneyText) -> Result<Self, Invalid> {
        Money::new(&text.amount, text.currency.parse()?)
    }
}

impl From<Money> for MoneyText {
    fn from(money: Money) -> Self {
        Self { amount: money.amount.to_string(), currency: money.currency.to_string() }
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.currency, self.amount)
    }
}

/// A currency of ISO 4217, with its number of decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

/// Active ISO 4217 codes by number of decimals. Codes without decimals of their own (precious metals, test codes) are left out.
const BY_EXPONENT: [(u32, &str); 4] = [
    (
        2,
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF \
         CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG \
         HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR \
         MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD \
         SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD \
         XCG YER ZAR ZMW ZWG",
    ),
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
];

impl Currency {
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }

    /// The number of decimals of the minor unit.
    pub fn exponent(self) -> u32 {
        let contains_code = |codes: &str| codes.as_bytes().chunks(4).any(|code| code.get(..3) == Some(&self.0));
        BY_EXPONENT.iter().find(|(_, codes)| contains_code(codes)).map_or(2, |(exponent, _)| *exponent)
    }
}

impl FromStr for Currency {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        let invalid = || Invalid::new("currency", "is not an ISO 4217 currency code such as USD");
        let code: [u8; 3] = text.as_bytes().try_into().map_err(|_| invalid())?;
        let known =
            BY_EXPONENT.iter().any(|(_, codes)| codes.as_bytes().chunks(4).any(|known| known.get(..3) == Some(&code)));
        known.then_some(Self(code)).ok_or_else(invalid)
    }
}

impl TryFrom<String> for Currency {
    type Error = Invalid;
    fn try_from(text: String) -> Result<Self, Invalid> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> String {
        currency.as_str().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(amount: &str, currency: &str, expected: Option<&str>) {
        let found = currency.parse().and_then(|currency| Money::new(amount, currency)).ok().map(|m| m.to_string());
        assert_eq!(found.as_deref(), expected, "{amount} {currency}");
    }

    #[test]
    fn money_is_written_with_its_currencys_decimals() {
        check("1250", "USD", Some("USD 1250.00"));
        check("1250.5", "USD", Some("USD 1250.50"));
        check("1250.50", "USD", Some("USD 1250.50"));
        check("1250.5000", "USD", Some("USD 1250.50"));
        check("90071992547409.93", "EUR", Some("EUR 90071992547409.93"));
        check("1250", "JPY", Some("JPY 1250"));
        check("1250.0", "JPY", Some("JPY 1250"));
        check("1.234", "KWD", Some("KWD 1.234"));
        check("0.01", "USD", Some("USD 0.01"));
    }

    #[test]
    fn only_positive_amounts_are_accepted() {
        for amount in [
            "",
            "0",
            "0.00",
            "-1",
            "+1",
            "1e3",
            "1,250.00",
            "1.",
            ".5",
            "1.2.3",
            "NaN",
            "inf",
            " 1",
            "1.234",
            "1234567890123456",
        ] {
            check(amount, "USD", None);
        }
        check("1.5", "JPY", None);
        for currency in ["usd", "US", "USDX", "XXX", "", "U D"] {
            check("1", currency, None);
        }
    }

    #[test]
    fn a_json_number_is_not_an_amount() {
        assert!(serde_json::from_str::<Money>(r#"{"amount": 12.5, "currency": "USD"}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_amount_survives_a_round_trip(whole in 0_u64..1_000_000_000_000_000, cents in 1_u8..100) {
            let text = format!(r#"{{"amount":"{whole}.{cents:02}","currency":"USD"}}"#);
            let money: Money = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(serde_json::to_string(&money).unwrap(), text);
        }
    }
}
