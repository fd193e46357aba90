//! A transaction, checked once as it comes in.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Invalid, Money, Time, TransactionId, UserId, object, text};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Transaction {
    /// The sender's id. Sending the same transaction again has no effect.
    pub transaction_id: TransactionId,
    pub user_id: UserId,
    #[serde(deserialize_with = "object::required")]
    pub amount: Money,
    pub occurred_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merchant: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    #[serde(default, deserialize_with = "object::optional", skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_fingerprint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_opened_at: Option<Time>,
    /// Open JSON, at most 64 kB and 16 levels.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    CardPresent,
    CardNotPresent,
    Transfer,
    Atm,
    Other,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Location {
    #[schema(minimum = -90, maximum = 90)]
    pub lat: f64,
    #[schema(minimum = -180, maximum = 180)]
    pub lon: f64,
    /// ISO 3166 alpha-2.
    #[schema(example = "PT", pattern = "^[A-Z]{2}$")]
    pub country: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

impl Transaction {
    /// Checks what the types can't express: lengths, ranges, and the bounds of open JSON.
    pub fn validated(self) -> Result<Self, Invalid> {
        text::identifier("transaction_id", self.transaction_id.as_str(), TransactionId::CHARS_MAX)?;
        text::identifier("user_id", self.user_id.as_str(), UserId::CHARS_MAX)?;
        if let Some(device) = &self.device_fingerprint {
            text::identifier("device_fingerprint", device, 256)?;
        }
        let optional = [
            ("merchant", &self.merchant, 256),
            ("category", &self.category, 128),
            ("ip_address", &self.ip_address, 64),
        ];
        for (field, value, chars_max) in optional {
            value.as_deref().map_or(Ok(()), |value| text::label(field, value, chars_max))?;
        }
        if let Some(location) = &self.location {
            location.check()?;
        }
        if !self.metadata.is_empty() {
            text::open_json_object("metadata", &self.metadata)?;
        }
        Ok(self)
    }
}

impl Location {
    fn check(&self) -> Result<(), Invalid> {
        if !(-90.0..=90.0).contains(&self.lat) {
            return Err(Invalid::new("location.lat", "must be from -90 to 90"));
        }
        if !(-180.0..=180.0).contains(&self.lon) {
            return Err(Invalid::new("location.lon", "must be from -180 to 180"));
        }
        if self.country.len() != 2 || !self.country.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(Invalid::new("location.country", "must be an ISO 3166 code of two capitals such as PT"));
        }
        self.city.as_deref().map_or(Ok(()), |city| text::label("location.city", city, 128))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn example() -> Value {
        json!({
            "transaction_id": "tx-1", "user_id": "user-7731",
            "amount": {"amount": "1250.00", "currency": "USD"}, "occurred_at": "2026-03-01T09:30:00Z"
        })
    }

    fn read(value: Value) -> Result<Transaction, String> {
        serde_json::from_value::<Transaction>(value).map_err(|e| e.to_string())?.validated().map_err(|e| e.to_string())
    }

    fn check_refused(pointer: &str, value: Value, reason: &str) {
        let mut transaction = example();
        transaction["location"] = json!({"lat": 38.7, "lon": -9.1, "country": "PT"});
        let (parent, field) = pointer.rsplit_once('/').unwrap();
        transaction.pointer_mut(parent).unwrap()[field] = value;
        let error = read(transaction).expect_err(pointer);
        assert!(error.contains(reason), "{pointer}: {error}");
    }

    #[test]
    fn a_transaction_with_only_required_fields_is_accepted() {
        assert_eq!(read(example()).unwrap().amount.to_string(), "USD 1250.00");
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let mut transaction = example();
        transaction["added_in_2031"] = json!(true);
        assert!(read(transaction).is_ok());
    }

    #[test]
    fn errors_name_the_invalid_field() {
        check_refused("/transaction_id", json!(""), "transaction_id: must not be empty");
        check_refused("/user_id", json!(7), "invalid type");
        check_refused("/amount/amount", json!("-5"), "amount: must be decimal text");
        check_refused("/amount/currency", json!("QQQ"), "currency: is not an ISO 4217");
        check_refused("/occurred_at", json!("yesterday"), "RFC 3339");
        check_refused("/amount", json!(["5", "USD"]), "expected an object");
        check_refused("/location", json!([38.7, -9.1, "PT"]), "expected an object");
        check_refused("/location/lat", json!(90.1), "location.lat");
        check_refused("/location/lon", json!(-181), "location.lon");
        check_refused("/location/country", json!("Portugal"), "location.country");
        check_refused("/merchant", json!("x".repeat(257)), "merchant: is longer");
        check_refused("/channel", json!("pigeon"), "unknown variant");
        check_refused("/metadata", json!({"k": "x".repeat(70_000)}), "metadata: is larger");
    }

    #[test]
    fn errors_do_not_repeat_the_input() {
        let mut transaction = example();
        transaction["occurred_at"] = json!("4111 1111 1111 1111");
        assert!(!read(transaction).unwrap_err().contains("4111"));
    }
}
