//! Identifiers as types, parsed where they enter the program. Our own ids are UUIDs; ids from outside are bounded text.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

use crate::{Invalid, Time, payload::ReportType, text};

/// An investigation's id is derived from its alert, so that agents agree on it without waiting for each other.
const INVESTIGATION_NAMESPACE: Uuid = Uuid::from_u128(0x5b0f_3c1e_77aa_4d43_9a51_2f6c_0c5e_8d10);

/// The id of a detector's alert is derived from its transaction for the same reason.
const ALERT_NAMESPACE: Uuid = Uuid::from_u128(0x8f3d_51c7_0b64_4f0a_a5c9_6e7d_19b2_43f8);

/// A report's id is derived from its alert, type and version, so that a repeated step writes the same report.
const REPORT_NAMESPACE: Uuid = Uuid::from_u128(0x0c9d_6a11_52f8_4e0b_8f0e_31c6_bb1d_7a42);

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = String, format = Uuid)]
        pub struct $name(Uuid);

        impl $name {
            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// A UUIDv7: sortable by the time it was made.
            pub fn v7(at: Time, random: [u8; 10]) -> Self {
                let millis = u64::try_from(at.millis()).unwrap_or(0);
                Self(Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;
            fn from_str(text: &str) -> Result<Self, Invalid> {
                Uuid::try_parse(text).map(Self).map_err(|_| Invalid::new("id", "is not a UUID"))
            }
        }
    };
}

uuid_id!(
    /// One event of the log.
    EventId
);
uuid_id!(
    /// One investigation or one request, from end to end.
    CorrelationId
);
uuid_id!(InvestigationId);
uuid_id!(DeadLetterId);
uuid_id!(
    /// One audited answer. It is also the correlation id of every event of that answer.
    LogId
);

impl From<LogId> for CorrelationId {
    fn from(id: LogId) -> Self {
        Self(id.0)
    }
}

impl AlertId {
    /// The id of the detector's alert about a transaction. It is the same on every run.
    pub fn of_transaction(transaction: &TransactionId) -> Self {
        Self(Uuid::new_v5(&ALERT_NAMESPACE, transaction.as_str().as_bytes()).to_string())
    }
}

impl InvestigationId {
    pub fn of_alert(alert: &AlertId) -> Self {
        Self(Uuid::new_v5(&INVESTIGATION_NAMESPACE, alert.as_str().as_bytes()))
    }
}

impl From<InvestigationId> for CorrelationId {
    fn from(id: InvestigationId) -> Self {
        Self(id.0)
    }
}

impl ReportId {
    /// The id of one version of a report. Equal arguments give equal ids.
    pub fn of_version(alert: &AlertId, report_type: ReportType, version: u32) -> Self {
        let name = format!("{}\n{}\n{version}", alert.as_str(), report_type.as_str());
        Self(Uuid::new_v5(&REPORT_NAMESPACE, name.as_bytes()).to_string())
    }
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schema(value_type = String, max_length = 128)]
        pub struct $name(String);

        impl $name {
            pub const CHARS_MAX: usize = 128;

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = Invalid;
            /// Accepts invisible characters, because events that were stored before these were refused may contain some. New
            /// input is checked with `text::identifier` as well.
            fn try_from(text: String) -> Result<Self, Invalid> {
                text::label($field, &text, Self::CHARS_MAX)?;
                Ok(Self(text))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = Invalid;
            fn from_str(text: &str) -> Result<Self, Invalid> {
                Self::try_from(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// The sender's id of a transaction. Sending the same transaction again has no effect.
    TransactionId,
    "transaction_id"
);
text_id!(AlertId, "alert_id");
text_id!(UserId, "user_id");
text_id!(
    /// One version of a report. We make these as UUIDs, but events hold them as text and any short text is accepted.
    ReportId,
    "report_id"
);

/// The public part of an access key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct KeyId(String);

impl KeyId {
    pub const CHARS: usize = 12;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for KeyId {
    type Error = Invalid;
    fn try_from(text: String) -> Result<Self, Invalid> {
        let fits = text.len() == Self::CHARS && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        fits.then_some(Self(text)).ok_or_else(|| Invalid::new("key_id", "is not a key id (12 letters and digits)"))
    }
}

impl From<KeyId> for String {
    fn from(id: KeyId) -> String {
        id.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_investigations_id_follows_from_its_alert() {
        let id = InvestigationId::of_alert(&"fraud-123".parse().unwrap());
        assert_eq!(id, InvestigationId::of_alert(&"fraud-123".parse().unwrap()));
        assert_ne!(id, InvestigationId::of_alert(&"fraud-124".parse().unwrap()));
        // Stored ledgers depend on this value.
        assert_eq!(id.to_string(), "5bb0112c-b313-5c32-9af5-20108cf555a8");
    }

    #[test]
    fn a_reports_id_follows_from_alert_type_and_version() {
        let alert = "fraud-123".parse().unwrap();
        let id = ReportId::of_version(&alert, ReportType::Full, 1);
        assert_eq!(id, ReportId::of_version(&alert, ReportType::Full, 1));
        let others = [
            ReportId::of_version(&alert, ReportType::Full, 2),
            ReportId::of_version(&alert, ReportType::Internal, 1),
            ReportId::of_version(&"fraud-124".parse().unwrap(), ReportType::Full, 1),
        ];
        assert!(!others.contains(&id));
        // Stored ledgers depend on this value.
        assert_eq!(id.as_str(), "a76f16d3-9b0f-52b8-844d-ae2e08c0c749");
    }

    #[test]
    fn v7_ids_sort_by_time() {
        let at = |micros| Time::from_micros(micros).unwrap();
        assert!(EventId::v7(at(1_000_000), [255; 10]) < EventId::v7(at(2_000_000), [0; 10]));
        assert_eq!(EventId::v7(at(1_000_000), [7; 10]).uuid().get_version_num(), 7);
    }

    #[test]
    fn ids_from_outside_are_bounded() {
        assert!("tx-1".parse::<TransactionId>().is_ok());
        assert!("x".repeat(128).parse::<UserId>().is_ok());
        for bad in [String::new(), " ".into(), "x".repeat(129), "a\u{7}".into()] {
            assert!(bad.parse::<AlertId>().is_err(), "{bad:?}");
        }
    }
}
