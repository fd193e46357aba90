//! What `--map` says: `column=field` pairs, and constants such as `currency=USD`.
//!
//! One text serves for both, so there is a rule. A pair whose right side is a field is about a column: it must be in the
//! file, even if the left side is a field's name too (`merchant=category` takes the column `merchant` for the category). Any
//! other pair needs a field on its left, and its right side is the value of every row that has none of its own.

use countersign_domain::{Currency, Invalid};

use super::draft::channel;
use super::field::{Field, Target};
use super::moment;

const TEXT_BYTES_MAX: usize = 64 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub(super) columns: Vec<(String, Target)>,
    pub(super) constants: Vec<(Target, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    #[error("is longer than {TEXT_BYTES_MAX} bytes")]
    TooLong,
    #[error("{0:?} is no pair; write column=field, with commas between pairs")]
    NoPair(String),
    #[error("{pair:?} names no field; fields are {fields}", fields = Target::all_names())]
    NoField { pair: String },
    #[error("{0} is each row's own and can't be a constant")]
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
        // A column's name may hold `=`, a field's name never does.
        let (column, field) = pair.rsplit_once('=').ok_or_else(no_pair)?;
        if let Some(target) = Target::named(field.trim()) {
            return self.add_column(column.trim(), target);
        }
        let (field, value) = pair.split_once('=').ok_or_else(no_pair)?;
        let (field, value) = (field.trim(), value.trim());
        if value.is_empty() {
            return Err(no_pair());
        }
        let target = Target::named(field).ok_or_else(|| MappingError::NoField { pair: pair.to_owned() })?;
        self.add_constant(target, value)
    }

    fn add_column(&mut self, column: &str, target: Target) -> Result<(), MappingError> {
        if self.columns.iter().any(|(_, other)| other.is_same_place(&target)) {
            return Err(MappingError::Twice(target.name()));
        }
        if column.is_empty() || self.columns.iter().any(|(other, _)| other == column) {
            return Err(MappingError::Twice(format!("column {column:?}")));
        }
        self.columns.push((column.to_owned(), target));
        Ok(())
    }

    fn add_constant(&mut self, target: Target, value: &str) -> Result<(), MappingError> {
        if self.constants.iter().any(|(other, _)| *other == target) {
            return Err(MappingError::Twice(target.name()));
        }
        if let Target::Field(field) = target {
            check_constant(field, value)?;
        }
        self.constants.push((target, value.to_owned()));
        Ok(())
    }
}

/// What can be known wrong before the first row.
fn check_constant(field: Field, value: &str) -> Result<(), MappingError> {
    match field {
        field if field.is_each_rows_own() => return Err(MappingError::NotConstant(field.name())),
        Field::Currency => drop(value.parse::<Currency>()?),
        Field::Timezone => drop(moment::zone(value)?),
        Field::Channel => drop(channel(value)?),
        _ => {}
    }
    Ok(())
}
