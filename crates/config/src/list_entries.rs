//! Entries of the file's lists, such as `[[gateway.policies]]`. Their fields are parsed like settings.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::Inputs;
use crate::file::RawListEntry;
use crate::layers;
use crate::list_fields::ListField;
use crate::problem::{Problem, ProblemPlace};
use crate::secret::Secret;
use crate::settings::{SETTINGS, ValueKind};
use crate::value::{self, SettingValue};

/// One entry. Fields with an invalid value are missing; their problems are recorded.
pub(crate) struct ListEntry {
    place: ProblemPlace,
    fields: BTreeMap<&'static str, (SettingValue, ProblemPlace)>,
    /// The names of all fields that the entry has, including those with an invalid value.
    given: Vec<&'static str>,
}

pub(crate) fn read(known: &'static [ListField], item: &RawListEntry, problems: &mut Vec<Problem>) -> ListEntry {
    let mut fields = BTreeMap::new();
    for field in known {
        match item.fields.get(field.name) {
            Some(Some(entry)) => match value::parse(field.kind, &entry.text) {
                Ok(value) => _ = fields.insert(field.name, (value, entry.place.clone())),
                Err(error) => problems.push(Problem::new(entry.place.clone(), error.wrong, error.help)),
            },
            None if field.is_required => {
                let wrong = format!("has no `{}`", field.name);
                problems.push(Problem::new(item.place.clone(), wrong, "every entry needs one"));
            }
            Some(None) | None => {}
        }
    }
    ListEntry { place: item.place.clone(), fields, given: item.fields.keys().copied().collect() }
}

/// Reads the variables that list entries refer to, and returns their names.
pub(crate) fn read_named_variables(
    lists: &mut BTreeMap<&'static str, Vec<ListEntry>>,
    inputs: &Inputs,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let mut named = Vec::new();
    for setting in SETTINGS {
        let (ValueKind::List(fields), Some(entries)) = (setting.kind, lists.get_mut(setting.key)) else { continue };
        for field in fields.iter().filter(|field| field.kind == ValueKind::SecretVariable) {
            for entry in entries.iter_mut() {
                let Some(name) = entry.text(field.name).map(str::to_owned) else { continue };
                read_secret_variable(entry, field, &name, inputs, problems);
                named.push(name);
            }
        }
    }
    named
}

fn read_secret_variable(
    entry: &mut ListEntry,
    field: &ListField,
    name: &str,
    inputs: &Inputs,
    problems: &mut Vec<Problem>,
) {
    let problems_before = problems.len();
    let Some(text) = layers::variable(name, inputs, problems) else {
        if problems.len() == problems_before {
            let wrong = format!("names {name}, which is not set");
            problems.push(Problem::new(entry.place_of(field.name), wrong, "set it, or remove the field"));
        }
        return;
    };
    match value::parse(ValueKind::Secret, &text) {
        Ok(SettingValue::Secret(secret)) => entry.set_secret(field.name, secret),
        Ok(_) => {}
        Err(error) => {
            problems.push(Problem::new(ProblemPlace::Variable(name.to_owned()), error.wrong, error.help));
        }
    }
}

impl ListEntry {
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        match self.value(field) {
            Some(SettingValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn secret(&self, field: &str) -> Option<&Secret> {
        match self.value(field) {
            Some(SettingValue::Secret(secret)) => Some(secret),
            _ => None,
        }
    }

    pub(crate) fn number(&self, field: &str) -> Option<u64> {
        match self.value(field) {
            Some(SettingValue::Count(number)) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn decimal(&self, field: &str) -> Option<Decimal> {
        match self.value(field) {
            Some(SettingValue::Decimal(decimal)) => Some(*decimal),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, field: &str) -> Option<bool> {
        match self.value(field) {
            Some(SettingValue::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Whether the entry has the field, even with an invalid value.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.given.contains(&field)
    }

    pub(crate) fn place(&self) -> ProblemPlace {
        self.place.clone()
    }

    /// The place of a field, or of the entry if it has no such field.
    pub(crate) fn place_of(&self, field: &str) -> ProblemPlace {
        self.fields.get(field).map_or(&self.place, |(_, place)| place).clone()
    }

    /// Replaces the name of a variable by the secret in it.
    fn set_secret(&mut self, field: &str, secret: Secret) {
        if let Some((value, _)) = self.fields.get_mut(field) {
            *value = SettingValue::Secret(secret);
        }
    }

    fn value(&self, field: &str) -> Option<&SettingValue> {
        self.fields.get(field).map(|(value, _)| value)
    }
}
