//! The fields that a column can hold, under the names that `--map` and headers use.

/// A field of a transaction, or of what is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    TransactionId,
    UserId,
    /// A card's number: the user's id is made from its hash, and the number goes nowhere.
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

    /// Each with its name, and with the name that the API's objects give it where that is another.
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

    /// Every row would have the same, and that is never so.
    pub(super) fn is_each_rows_own(self) -> bool {
        matches!(
            self,
            Self::TransactionId | Self::CardNumber | Self::Amount | Self::OccurredAt | Self::Label | Self::FraudKind
        )
    }
}

/// Where a column's text goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Field(Field),
    /// Under this name in the transaction's metadata.
    Metadata(String),
}

impl Target {
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

    /// For messages.
    pub(super) fn all_names() -> String {
        let names: Vec<&str> = Field::NAMES.iter().map(|(_, name, _)| *name).collect();
        format!("{}, metadata.NAME", names.join(", "))
    }

    /// Two columns can't both fill it. A user is known by an id or by a card.
    pub(super) fn is_same_place(&self, other: &Self) -> bool {
        let place = |target: &Self| match target {
            Self::Field(Field::CardNumber) => Self::Field(Field::UserId),
            target => target.clone(),
        };
        place(self) == place(other)
    }
}
