//! Builds a validated transaction from a record's cells.

use std::borrow::Cow;

use countersign_domain::transaction::{Channel, Location};
use countersign_domain::{Currency, Invalid, Money, Time, Transaction, UserId, text};
use data_encoding::HEXLOWER;
use jiff::tz::Offset;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::field::{ColumnTarget, Field};
use super::mapping::Mapping;
use super::time_format;

const KIND_CHARS_MAX: usize = 64;

/// The cells of one record by the field that they fill. An empty cell counts as missing.
pub(super) struct RowDraft<'a> {
    cells: [Option<Cow<'a, str>>; Field::COUNT],
    pub(super) metadata: Map<String, Value>,
}

/// A validated transaction and what else its row says.
pub(super) struct BuiltRow {
    pub(super) transaction: Transaction,
    pub(super) label: Option<bool>,
    pub(super) kind: Option<String>,
    pub(super) zoneless_times: u8,
}

/// The mapping's constants, which are used in rows that have no value of their own.
#[derive(Debug, Default)]
pub(super) struct ColumnConstants {
    texts: [Option<String>; Field::COUNT],
    metadata: Vec<(String, String)>,
}

impl ColumnConstants {
    pub(super) fn of(mapping: &Mapping) -> Self {
        let mut constants = Self::default();
        for (target, value) in &mapping.constants {
            match target {
                ColumnTarget::Field(field) => constants.texts[*field as usize] = Some(value.clone()),
                ColumnTarget::Metadata(key) => constants.metadata.push((key.clone(), value.clone())),
            }
        }
        constants
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.texts[field as usize].is_some()
    }
}

impl<'a> RowDraft<'a> {
    pub(super) fn new() -> Self {
        Self { cells: [const { None }; Field::COUNT], metadata: Map::new() }
    }

    pub(super) fn set(&mut self, target: &ColumnTarget, cell: Cow<'a, str>) {
        match target {
            ColumnTarget::Field(field) => self.cells[*field as usize] = Some(cell),
            ColumnTarget::Metadata(_) if cell.trim().is_empty() => {}
            ColumnTarget::Metadata(key) => drop(self.metadata.insert(key.clone(), Value::String(cell.into_owned()))),
        }
    }

    pub(super) fn build(mut self, constants: &ColumnConstants) -> Result<BuiltRow, Invalid> {
        let metadata = std::mem::take(&mut self.metadata);
        Builder { draft: &self, constants, metadata, zoneless_times: 0 }.build()
    }
}

struct Builder<'a> {
    draft: &'a RowDraft<'a>,
    constants: &'a ColumnConstants,
    metadata: Map<String, Value>,
    zoneless_times: u8,
}

impl Builder<'_> {
    fn build(mut self) -> Result<BuiltRow, Invalid> {
        let label = self.get(Field::Label).map(label).transpose()?;
        let kind = self.kind()?;
        for (key, value) in &self.constants.metadata {
            self.metadata.entry(key.as_str()).or_insert_with(|| Value::String(value.clone()));
        }
        let transaction = Transaction {
            transaction_id: self.required(Field::TransactionId)?.parse()?,
            user_id: self.user()?,
            amount: self.money()?,
            occurred_at: self.time(Field::OccurredAt)?.ok_or_else(|| missing(Field::OccurredAt))?,
            merchant: self.owned(Field::Merchant),
            category: self.owned(Field::Category),
            channel: self.get(Field::Channel).map(channel).transpose()?,
            location: self.location()?,
            ip_address: self.owned(Field::IpAddress),
            device_fingerprint: self.owned(Field::DeviceFingerprint),
            account_opened_at: self.time(Field::AccountOpenedAt)?,
            metadata: self.metadata,
        };
        Ok(BuiltRow { transaction: transaction.validated()?, label, kind, zoneless_times: self.zoneless_times })
    }

    fn get(&self, field: Field) -> Option<&str> {
        let cell = self.draft.cells[field as usize].as_deref().map(str::trim).filter(|cell| !cell.is_empty());
        cell.or(self.constants.texts[field as usize].as_deref())
    }

    fn required(&self, field: Field) -> Result<&str, Invalid> {
        self.get(field).ok_or_else(|| missing(field))
    }

    fn owned(&self, field: Field) -> Option<String> {
        self.get(field).map(str::to_owned)
    }

    fn user(&self) -> Result<UserId, Invalid> {
        match (self.get(Field::UserId), self.get(Field::CardNumber)) {
            (Some(id), _) => id.parse(),
            (None, Some(card)) => user_of_card(card),
            (None, None) => Err(missing(Field::UserId)),
        }
    }

    fn money(&self) -> Result<Money, Invalid> {
        let amount = self.required(Field::Amount)?;
        let currency: Currency = self.required(Field::Currency)?.parse()?;
        if amount.contains([',', '\'', ' ', '_']) {
            return Err(Invalid::new("amount", "has separators; write it plainly, such as 1250.00"));
        }
        if amount.starts_with('-') {
            return Err(Invalid::new("amount", "is negative; amounts must be more than zero"));
        }
        Money::new(amount, currency)
    }

    fn time(&mut self, field: Field) -> Result<Option<Time>, Invalid> {
        let Some(text) = self.get(field) else { return Ok(None) };
        let zone: Option<Offset> = self.get(Field::Timezone).map(time_format::zone).transpose()?;
        let found = time_format::parse_time(field.name(), text, zone)?;
        self.zoneless_times += u8::from(found.zoneless);
        Ok(Some(found.time))
    }

    /// A location needs latitude, longitude and country. The parts of an incomplete one go into the metadata under their names.
    fn location(&mut self) -> Result<Option<Location>, Invalid> {
        let lat = self.get(Field::Lat).map(|text| degrees("lat", text, 90.0)).transpose()?;
        let lon = self.get(Field::Lon).map(|text| degrees("lon", text, 180.0)).transpose()?;
        let (country, city) = (self.owned(Field::Country), self.owned(Field::City));
        if let (Some(lat), Some(lon), Some(country)) = (lat, lon, &country) {
            return Ok(Some(Location { lat, lon, country: country.clone(), city }));
        }
        let parts =
            [("lat", lat.map(Value::from)), ("lon", lon.map(Value::from)), ("country", country.map(Value::from))];
        for (name, part) in parts.into_iter().chain([("city", city.map(Value::from))]) {
            if let Some(part) = part {
                self.metadata.entry(name).or_insert(part);
            }
        }
        Ok(None)
    }

    /// The kind of fraud. Files write `0` or `none` for legitimate rows.
    fn kind(&self) -> Result<Option<String>, Invalid> {
        let kind = self.get(Field::FraudKind).filter(|kind| *kind != "0" && !kind.eq_ignore_ascii_case("none"));
        kind.map(|kind| text::label("fraud_kind", kind, KIND_CHARS_MAX).map(|()| kind.to_owned())).transpose()
    }
}

fn missing(field: Field) -> Invalid {
    Invalid::new(field.name(), "is missing")
}

/// A card's number is personal data, so the user's id is `card-` and the first 12 hex digits of the number's SHA-256. This keeps
/// the number hidden and cards distinct. It is a pseudonym only: anybody who can try all numbers can reverse it.
fn user_of_card(text: &str) -> Result<UserId, Invalid> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    if !(8..=19).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Invalid::new("card_number", "must be 8 to 19 digits"));
    }
    let hash = Sha256::digest(digits.as_bytes());
    let start = HEXLOWER.encode(&hash[..6]);
    format!("card-{start}").parse()
}

fn label(text: &str) -> Result<bool, Invalid> {
    let is_one_of = |words: [&str; 5]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_one_of(["1", "true", "yes", "1.0", "fraud"]) {
        return Ok(true);
    }
    let no = is_one_of(["0", "false", "no", "0.0", "legitimate"]);
    if no { Ok(false) } else { Err(Invalid::new("label", "must be 1 or 0, true or false, yes or no")) }
}

pub(super) fn channel(text: &str) -> Result<Channel, Invalid> {
    let channels = [
        ("card_present", Channel::CardPresent),
        ("card_not_present", Channel::CardNotPresent),
        ("transfer", Channel::Transfer),
        ("atm", Channel::Atm),
        ("other", Channel::Other),
    ];
    let found = channels.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    let refused = || Invalid::new("channel", "must be card_present, card_not_present, transfer, atm or other");
    found.map(|(_, channel)| *channel).ok_or_else(refused)
}

fn degrees(field: &'static str, text: &str, max: f64) -> Result<f64, Invalid> {
    let number = text.parse::<f64>().ok().filter(|number| number.abs() <= max);
    number.ok_or_else(|| Invalid::new(field, format!("must be a number from -{max} to {max}")))
}
