//! The fields that a column can fill, by the names that `--map` and headers use.

/// A field of a transaction, its label or its kind of fraud.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    TransactionId,
    UserId,
    /// A card's number. The user's id is made from its hash, and the number itself is dropped.
    CardNumber,
    Amount,
    Currency,
    OccurredAt,
    Timezone,
    Merchant,
    Category,
    Channel,
    Lat,
    Lon,
    Country,
    City,
    IpAddress,
    DeviceFingerprint,
    AccountOpenedAt,
    Label,
    FraudKind,
}

impl Field {
    pub(super) const COUNT: usize = 19;

    /// Each field with its name and, if it differs, its path in the API's objects.
    const NAMES: [(Self, &'static str, &'static str); Self::COUNT] = [
        (Self::TransactionId, "transaction_id", ""),
        (Self::UserId, "user_id", ""),
        (Self::CardNumber, "card_number", ""),
        (Self::Amount, "amount", "amount.amount"),
        (Self::Currency, "currency", "amount.currency"),
        (Self::OccurredAt, "occurred_at", ""),
        (Self::Timezone, "timezone", ""),
        (Self::Merchant, "merchant", ""),
        (Self::Category, "category", ""),
        (Self::Channel, "channel", ""),
        (Self::Lat, "lat", "location.lat"),
        (Self::Lon, "lon", "location.lon"),
        (Self::Country, "country", "location.country"),
        (Self::City, "city", "location.city"),
        (Self::IpAddress, "ip_address", ""),
        (Self::DeviceFingerprint, "device_fingerprint", ""),
        (Self::AccountOpenedAt, "account_opened_at", ""),
        (Self::Label, "label", "is_fraud"),
        (Self::FraudKind, "fraud_kind", ""),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(field, ..)| *field == self).map_or("row", |(_, name, _)| name)
    }

    /// Whether each row must have its own value, so that a constant makes no sense.
    pub(super) fn is_given_per_row(self) -> bool {
        matches!(
            self,
            Self::TransactionId | Self::CardNumber | Self::Amount | Self::OccurredAt | Self::Label | Self::FraudKind
        )
    }
}

/// The field that a column's text fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnTarget {
    Field(Field),
    /// Under this name in the transaction's metadata.
    Metadata(String),
}

impl ColumnTarget {
    pub(super) fn named(name: &str) -> Option<Self> {
        if let Some(key) = name.strip_prefix("metadata.") {
            return (!key.is_empty()).then(|| Self::Metadata(key.to_owned()));
        }
        let named = Field::NAMES.iter().find(|(_, ours, api)| name == *ours || (!api.is_empty() && name == *api))?;
        Some(Self::Field(named.0))
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Field(field) => field.name().to_owned(),
            Self::Metadata(key) => format!("metadata.{key}"),
        }
    }

    /// All names, for error messages.
    pub(super) fn all_names() -> String {
        let names: Vec<&str> = Field::NAMES.iter().map(|(_, name, _)| *name).collect();
        format!("{}, metadata.NAME", names.join(", "))
    }

    /// Whether both fill the same field, which two columns can't. An id and a card's number both fill the user's id.
    pub(super) fn fills_same_field(&self, other: &Self) -> bool {
        let filled = |target: &Self| match target {
            Self::Field(Field::CardNumber) => Self::Field(Field::UserId),
            target => target.clone(),
        };
        filled(self) == filled(other)
    }
}
