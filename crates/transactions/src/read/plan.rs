//! Which column holds what: as the mapping says, else as the names say.

use countersign_domain::Invalid;

use super::ReadError;
use super::draft::Constants;
use super::field::{Field, Target};
use super::mapping::Mapping;

/// Public data sets that are known by their columns. Columns not named here are left out, names and addresses of people
/// among them.
const SHAPES: [&[(&str, Field)]; 2] = [
    // The Fraud Detection Handbook's.
    &[
        ("TRANSACTION_ID", Field::TransactionId),
        ("TX_DATETIME", Field::OccurredAt),
        ("CUSTOMER_ID", Field::UserId),
        ("TERMINAL_ID", Field::Merchant),
        ("TX_AMOUNT", Field::Amount),
        ("TX_FRAUD", Field::Label),
    ],
    // Sparkov's. Its lat, long and city are the customer's home; where the card was used are the merchant's.
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

/// In a shape if it is there, but not what it is known by.
const SHAPES_MAY_HAVE: [(&str, Field); 1] = [("TX_FRAUD_SCENARIO", Field::FraudKind)];

/// Where each column of a header goes, or an error that concerns every row.
pub(super) fn columns(
    header: &[String],
    mapping: &Mapping,
    constants: &Constants,
) -> Result<Vec<Option<Target>>, ReadError> {
    let mut targets = vec![None; header.len()];
    for (name, target) in &mapping.columns {
        let places: Vec<usize> = (0..header.len()).filter(|place| header[*place] == *name).collect();
        match places.as_slice() {
            [] => return Err(ReadError::NoColumn(name.clone())),
            [place] => targets[*place] = Some(target.clone()),
            _ => return Err(ReadError::SameName(name.clone())),
        }
    }
    recognise(header, &mut targets)?;
    require(&targets, constants)?;
    Ok(targets)
}

/// Fills what the mapping left open.
fn recognise(header: &[String], targets: &mut [Option<Target>]) -> Result<(), ReadError> {
    let shape = SHAPES.iter().find(|shape| shape.iter().all(|(name, _)| header.iter().any(|column| column == name)));
    let mapped = targets.to_vec();
    for (place, name) in header.iter().enumerate() {
        let target = match shape {
            Some(shape) => {
                let named = shape.iter().chain(&SHAPES_MAY_HAVE).find(|(column, _)| column == name);
                named.map(|(_, field)| Target::Field(*field))
            }
            None => Target::named(&name.to_ascii_lowercase()),
        };
        let Some(target) = target else { continue };
        if mapped[place].is_some() || mapped.iter().flatten().any(|other| other.is_same_place(&target)) {
            continue;
        }
        if targets.iter().flatten().any(|other| other.is_same_place(&target)) {
            return Err(ReadError::SameField(target.name()));
        }
        targets[place] = Some(target);
    }
    Ok(())
}

fn require(targets: &[Option<Target>], constants: &Constants) -> Result<(), ReadError> {
    let has = |field: Field| {
        let column = targets.iter().flatten().any(|target| target.is_same_place(&Target::Field(field)));
        column || constants.has(field)
    };
    for field in [Field::TransactionId, Field::UserId, Field::Amount, Field::OccurredAt] {
        if !has(field) {
            return Err(ReadError::NoField(field.name()));
        }
    }
    if has(Field::Currency) { Ok(()) } else { Err(ReadError::NoCurrency) }
}

/// Names in JSON are looked up row by row: the mapping's first, then ours unless the mapping filled their field.
pub(super) struct Names {
    mapped: Vec<(String, Target)>,
}

impl Names {
    pub(super) fn of(mapping: &Mapping) -> Self {
        Self { mapped: mapping.columns.clone() }
    }

    pub(super) fn target(&self, name: &str) -> Option<Target> {
        if let Some((_, target)) = self.mapped.iter().find(|(column, _)| column == name) {
            return Some(target.clone());
        }
        let target = Target::named(name)?;
        let filled = self.mapped.iter().any(|(_, other)| other.is_same_place(&target));
        (!filled).then_some(target)
    }
}

/// For a record of either format.
pub(super) fn row(reason: impl Into<String>) -> Invalid {
    Invalid::new("row", reason)
}
