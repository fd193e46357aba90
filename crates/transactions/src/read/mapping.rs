//! Parses `--map`: `column=field` pairs, and constants such as `currency=USD`.
//!
//! Both have the same syntax, so a rule tells them apart. If the right side is a field's name, the left side is a column, which
//! must be in the file, even if it is a field's name too: `merchant=category` reads the category from the column `merchant`. In
//! any other pair the left side must be a field, and the right side is its value in rows without one.

use countersign_domain::{Currency, Invalid};

use super::draft::channel;
use super::field::{ColumnTarget, Field};
use super::time_format;

const TEXT_BYTES_MAX: usize = 64 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub(super) columns: Vec<(String, ColumnTarget)>,
    pub(super) constants: Vec<(ColumnTarget, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    #[error("is longer than {TEXT_BYTES_MAX} bytes")]
    TooLong,
    #[error("{0:?} is not a pair; write column=field, with commas between pairs")]
    NoPair(String),
    #[error("{pair:?} names no field; fields are {fields}", fields = ColumnTarget::all_names())]
    NoField { pair: String },
    #[error("{0} must be given in each row and can't be a constant")]
    NotConstant(&'static str),
    #[error("{0} is given twice")]
    Twice(String),
    #[error(transparent)]
    Value(#[from] Invalid),
}

impl Mapping {
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        if text.len() > TEXT_BYTES_MAX {
            return Err(MappingError::TooLong);
        }
        let mut mapping = Self::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            mapping.add(pair)?;
        }
        Ok(mapping)
    }

    fn add(&mut self, pair: &str) -> Result<(), MappingError> {
        let no_pair = || MappingError::NoPair(pair.to_owned());
        // A column's name may contain `=`, but a field's name never does.
        let (column, field) = pair.rsplit_once('=').ok_or_else(no_pair)?;
        if let Some(target) = ColumnTarget::named(field.trim()) {
            return self.add_column(column.trim(), target);
        }
        let (field, value) = pair.split_once('=').ok_or_else(no_pair)?;
        let (field, value) = (field.trim(), value.trim());
        if value.is_empty() {
            return Err(no_pair());
        }
        let target = ColumnTarget::named(field).ok_or_else(|| MappingError::NoField { pair: pair.to_owned() })?;
        self.add_constant(target, value)
    }

    fn add_column(&mut self, column: &str, target: ColumnTarget) -> Result<(), MappingError> {
        if self.columns.iter().any(|(_, other)| other.fills_same_field(&target)) {
            return Err(MappingError::Twice(target.name()));
        }
        if column.is_empty() || self.columns.iter().any(|(other, _)| other == column) {
            return Err(MappingError::Twice(format!("column {column:?}")));
        }
        self.columns.push((column.to_owned(), target));
        Ok(())
    }

    fn add_constant(&mut self, target: ColumnTarget, value: &str) -> Result<(), MappingError> {
        if self.constants.iter().any(|(other, _)| *other == target) {
            return Err(MappingError::Twice(target.name()));
        }
        if let ColumnTarget::Field(field) = target {
            check_constant(field, value)?;
        }
        self.constants.push((target, value.to_owned()));
        Ok(())
    }
}

/// Rejects constants that would fail in every row.
fn check_constant(field: Field, value: &str) -> Result<(), MappingError> {
    match field {
        field if field.is_given_per_row() => return Err(MappingError::NotConstant(field.name())),
        Field::Currency => drop(value.parse::<Currency>()?),
        Field::Timezone => drop(time_format::zone(value)?),
        Field::Channel => drop(channel(value)?),
        _ => {}
    }
    Ok(())
}
