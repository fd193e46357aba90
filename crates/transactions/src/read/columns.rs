//! Decides which column fills which field: as the mapping says, otherwise by the columns' names.

use countersign_domain::Invalid;

use super::ReadError;
use super::draft::ColumnConstants;
use super::field::{ColumnTarget, Field};
use super::mapping::Mapping;

/// Public data sets that are recognised by their columns. Columns not listed here are dropped, including people's names and
/// addresses.
const DATA_SETS: [&[(&str, Field)]; 2] = [
    // The Fraud Detection Handbook's.
    &[
        ("TRANSACTION_ID", Field::TransactionId),
        ("TX_DATETIME", Field::OccurredAt),
        ("CUSTOMER_ID", Field::UserId),
        ("TERMINAL_ID", Field::Merchant),
        ("TX_AMOUNT", Field::Amount),
        ("TX_FRAUD", Field::Label),
    ],
    // Sparkov's. Its lat, long and city are the customer's home; the merchant's columns say where the card was used.
    &[
        ("trans_num", Field::TransactionId),
        ("trans_date_trans_time", Field::OccurredAt),
        ("cc_num", Field::CardNumber),
        ("merchant", Field::Merchant),
        ("category", Field::Category),
        ("amt", Field::Amount),
        ("merch_lat", Field::Lat),
        ("merch_long", Field::Lon),
        ("is_fraud", Field::Label),
    ],
];

/// Columns that a data set may have but is not recognised by.
const OPTIONAL_COLUMNS: [(&str, Field); 1] = [("TX_FRAUD_SCENARIO", Field::FraudKind)];

/// What each column of a header fills, or an error that concerns every row.
pub(super) fn targets(
    header: &[String],
    mapping: &Mapping,
    constants: &ColumnConstants,
) -> Result<Vec<Option<ColumnTarget>>, ReadError> {
    let mut targets = vec![None; header.len()];
    for (name, target) in &mapping.columns {
        let indices: Vec<usize> = (0..header.len()).filter(|index| header[*index] == *name).collect();
        match indices.as_slice() {
            [] => return Err(ReadError::NoColumn(name.clone())),
            [index] => targets[*index] = Some(target.clone()),
            _ => return Err(ReadError::SameName(name.clone())),
        }
    }
    recognise(header, &mut targets)?;
    require(&targets, constants)?;
    Ok(targets)
}

/// Sets the targets that the mapping left open.
fn recognise(header: &[String], targets: &mut [Option<ColumnTarget>]) -> Result<(), ReadError> {
    let data_set =
        DATA_SETS.iter().find(|data_set| data_set.iter().all(|(name, _)| header.iter().any(|column| column == name)));
    let mapped = targets.to_vec();
    for (index, name) in header.iter().enumerate() {
        let target = match data_set {
            Some(data_set) => {
                let named = data_set.iter().chain(&OPTIONAL_COLUMNS).find(|(column, _)| column == name);
                named.map(|(_, field)| ColumnTarget::Field(*field))
            }
            None => ColumnTarget::named(&name.to_ascii_lowercase()),
        };
        let Some(target) = target else { continue };
        if mapped[index].is_some() || mapped.iter().flatten().any(|other| other.fills_same_field(&target)) {
            continue;
        }
        if targets.iter().flatten().any(|other| other.fills_same_field(&target)) {
            return Err(ReadError::SameField(target.name()));
        }
        targets[index] = Some(target);
    }
    Ok(())
}

fn require(targets: &[Option<ColumnTarget>], constants: &ColumnConstants) -> Result<(), ReadError> {
    let has = |field: Field| {
        let column = targets.iter().flatten().any(|target| target.fills_same_field(&ColumnTarget::Field(field)));
        column || constants.has(field)
    };
    for field in [Field::TransactionId, Field::UserId, Field::Amount, Field::OccurredAt] {
        if !has(field) {
            return Err(ReadError::NoField(field.name()));
        }
    }
    if has(Field::Currency) { Ok(()) } else { Err(ReadError::NoCurrency) }
}

/// Looks up the names of JSON fields, row by row: first in the mapping, then among our own unless the mapping fills that field.
pub(super) struct JsonNames {
    mapped: Vec<(String, ColumnTarget)>,
}

impl JsonNames {
    pub(super) fn of(mapping: &Mapping) -> Self {
        Self { mapped: mapping.columns.clone() }
    }

    pub(super) fn target(&self, name: &str) -> Option<ColumnTarget> {
        if let Some((_, target)) = self.mapped.iter().find(|(column, _)| column == name) {
            return Some(target.clone());
        }
        let target = ColumnTarget::named(name)?;
        let filled = self.mapped.iter().any(|(_, other)| other.fills_same_field(&target));
        (!filled).then_some(target)
    }
}

/// An error about a whole record.
pub(super) fn row_error(reason: impl Into<String>) -> Invalid {
    Invalid::new("row", reason)
}
