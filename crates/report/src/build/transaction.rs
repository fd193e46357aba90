//! The transaction that the alert is about, including what the sender's metadata says about status and funds.

use countersign_domain::Transaction;
use serde_json::Value;

use super::{ID_CHARS_MAX, LABEL_CHARS_MAX, place};
use crate::{
    TransactionFacts, TransactionStatus,
    redact::{FieldKey, OpenJsonBudget, REDACTED, Redactor, clean},
};

const METADATA_BYTES_MAX: usize = 24 * 1024;
const CITY_CHARS_MAX: usize = 128;
/// Replaces the name of an account or person; the report may state only that one was given.
const WITHHELD: &str = "withheld";
/// A run of at least this many digits may be an account's number.
const ACCOUNT_DIGITS_MIN: usize = 6;

/// Keys that say where funds came from or went to: keys with a description, and keys with an account or a person, whose
/// values are withheld.
struct FundsKeys {
    described: &'static [&'static str],
    withheld: &'static [&'static str],
}

const SOURCE: FundsKeys = FundsKeys {
    described: &["source_of_funds", "funds_source", "funding_source", "source"],
    withheld: &[
        "from_account",
        "source_account",
        "sender_account",
        "sender_name",
        "sender",
        "originator",
        "remitter",
        "payer",
        "debtor",
        "from",
    ],
};
const DESTINATION: FundsKeys = FundsKeys {
    described: &["destination_of_funds", "funds_destination", "destination"],
    withheld: &[
        "to_account",
        "destination_account",
        "beneficiary_account",
        "beneficiary_name",
        "beneficiary",
        "recipient_account",
        "recipient_name",
        "recipient",
        "receiver",
        "payee",
        "creditor",
        "counterparty",
        "to",
    ],
};

/// The facts, and the number of metadata fields that are withheld.
pub(super) fn facts(transaction: &Transaction, redactor: &Redactor) -> (TransactionFacts, u64) {
    let fields: Vec<_> =
        transaction.metadata.iter().map(|(key, value)| (FieldKey::read(key).joined(), value)).collect();
    let shown = |text: Option<String>| text.filter(|text| !text.is_empty());
    let merchant = transaction.merchant.as_ref().map(|merchant| redactor.merchant(merchant, LABEL_CHARS_MAX));
    let category = transaction.category.as_ref().map(|category| redactor.text(category, LABEL_CHARS_MAX));
    let redacted = |value: &Option<String>| value.as_ref().map(|_| REDACTED.to_owned());
    // The source and the destination of funds become fields of their own. They are removed from the metadata, which would
    // otherwise show what those fields withhold.
    let mut others = transaction.metadata.clone();
    others.retain(|key, value| !is_text_or_number(value) || !SOURCE.contains(key) && !DESTINATION.contains(key));
    let mut budget = OpenJsonBudget::new(METADATA_BYTES_MAX);
    let facts = TransactionFacts {
        transaction_id: redactor.reference(transaction.transaction_id.as_str(), ID_CHARS_MAX),
        amount: transaction.amount,
        occurred_at: transaction.occurred_at,
        status: status(&fields),
        channel: transaction.channel,
        merchant: shown(merchant),
        category: shown(category),
        location: place(transaction, redactor, CITY_CHARS_MAX),
        ip_address: redacted(&transaction.ip_address),
        device_fingerprint: redacted(&transaction.device_fingerprint),
        source_of_funds: SOURCE.read(&fields, redactor),
        destination_of_funds: DESTINATION.read(&fields, redactor),
        metadata: redactor.object(&others, &mut budget),
    };
    (facts, budget.withheld())
}

/// Fields of the metadata, each key as lower-case words joined by underscores.
type MetadataFields<'a> = [(String, &'a Value)];

fn status(fields: &MetadataFields<'_>) -> TransactionStatus {
    let is_status = |key: &str| matches!(key, "status" | "transaction_status");
    let stated = fields.iter().find(|(key, _)| is_status(key)).and_then(|(_, value)| value.as_str());
    match stated.map(|text| clean(text).to_lowercase()).as_deref() {
        Some("completed" | "complete" | "settled" | "approved" | "posted" | "succeeded" | "success") => {
            TransactionStatus::Completed
        }
        Some("declined" | "attempted" | "pending" | "failed" | "blocked" | "reversed" | "rejected" | "cancelled") => {
            TransactionStatus::Attempted
        }
        _ => TransactionStatus::NotStated,
    }
}

/// Only a text or a number can name a source or a destination.
fn is_text_or_number(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_))
}

impl FundsKeys {
    fn contains(&self, key: &str) -> bool {
        let key = FieldKey::read(key).joined();
        self.described.iter().chain(self.withheld).any(|known| *known == key)
    }

    fn read(&self, fields: &MetadataFields<'_>, redactor: &Redactor) -> Option<String> {
        let find = |wanted: &str| fields.iter().find(|(key, value)| key == wanted && is_text_or_number(value));
        if let Some((_, value)) = self.described.iter().find_map(|key| find(key)) {
            return Some(described(value, redactor));
        }
        self.withheld.iter().any(|key| find(key).is_some()).then(|| WITHHELD.to_owned())
    }
}

fn described(value: &Value, redactor: &Redactor) -> String {
    let Value::String(text) = value else { return WITHHELD.to_owned() };
    let plain = clean(text);
    let shown = redactor.text(&plain, LABEL_CHARS_MAX);
    let is_masked = shown != crate::redact::bounded(plain, LABEL_CHARS_MAX);
    if is_masked || shown.is_empty() || has_account_number(&shown) { WITHHELD.to_owned() } else { shown }
}

/// Whether a text contains a run of digits, possibly separated by single spaces, hyphens or dots.
fn has_account_number(text: &str) -> bool {
    let mut digits = 0;
    let mut is_after_separator = true;
    for letter in text.chars() {
        match letter {
            letter if letter.is_numeric() => (digits, is_after_separator) = (digits + 1, false),
            ' ' | '-' | '.' if !is_after_separator => is_after_separator = true,
            _ => (digits, is_after_separator) = (0, true),
        }
        if digits >= ACCOUNT_DIGITS_MIN {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use countersign_domain::Alert;
    use serde_json::json;

    use super::*;

    fn with(metadata: Value) -> TransactionFacts {
        let transaction: Transaction = serde_json::from_value(json!({
            "transaction_id": "tx-1", "user_id": "user-7731", "amount": {"amount": "1250.00", "currency": "USD"},
            "occurred_at": "2026-03-01T09:30:00Z", "ip_address": "198.51.100.7", "metadata": metadata
        }))
        .unwrap();
        let alert: Alert =
            serde_json::from_value(json!({"alert_id": "a", "user_id": "user-7731", "severity": "high", "score": 75}))
                .unwrap();
        facts(&transaction, &Redactor::new(&alert, Some(&transaction), &[])).0
    }

    #[test]
    fn the_status_is_read_from_the_metadata() {
        for (stated, expected) in [
            ("settled", TransactionStatus::Completed),
            (" APPROVED ", TransactionStatus::Completed),
            ("declined", TransactionStatus::Attempted),
            ("Reversed", TransactionStatus::Attempted),
            ("odd", TransactionStatus::NotStated),
        ] {
            assert_eq!(with(json!({"status": stated})).status, expected, "{stated}");
        }
        assert_eq!(with(json!({"transactionStatus": "posted"})).status, TransactionStatus::Completed);
        assert_eq!(with(json!({"status": 7})).status, TransactionStatus::NotStated);
    }

    #[test]
    fn funds_are_described_or_withheld() {
        for (metadata, source, destination) in [
            (json!({}), None, None),
            (
                json!({"source_of_funds": "salary", "destination": "crypto exchange"}),
                Some("salary"),
                Some("crypto exchange"),
            ),
            (json!({"sourceOfFunds": "savings account 12 34 56 78"}), Some("withheld"), None),
            (json!({"destination": "GB82 WEST 1234 5698 7654 32"}), None, Some("withheld")),
            (json!({"source": 12345678, "to": "Jane Roe"}), Some("withheld"), Some("withheld")),
            (json!({"from_account": "x", "beneficiary": "Jane Roe"}), Some("withheld"), Some("withheld")),
            (json!({"destination": "user-7731"}), None, Some("withheld")),
            (json!({"destination": {"country": "PT"}}), None, None),
        ] {
            let facts = with(metadata.clone());
            assert_eq!(facts.source_of_funds.as_deref(), source, "{metadata}");
            assert_eq!(facts.destination_of_funds.as_deref(), destination, "{metadata}");
            let written = serde_json::to_string(&facts).unwrap();
            assert!(!written.contains("Jane") && !written.contains("5698"), "{written}");
        }
    }

    #[test]
    fn funds_are_removed_from_the_metadata_and_the_status_stays() {
        let facts = with(json!({"source_of_funds": "salary", "memo": "rent", "status": "settled"}));
        assert_eq!(Value::Object(facts.metadata), json!({"memo": "rent", "status": "settled"}));
        assert_eq!(facts.ip_address.as_deref(), Some("[REDACTED]"));
    }
}
