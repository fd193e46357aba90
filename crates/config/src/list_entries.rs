//! Entries of the file's lists, such as `[[gateway.policies]]`: each field read like a setting.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::Inputs;
use crate::file::RawListEntry;
use crate::layers;
use crate::list_fields::ListField;
use crate::problem::{Place, Problem};
use crate::secret::Secret;
use crate::settings::{Kind, SETTINGS};
use crate::value::{self, Value};

/// One entry. A field that could not be read is absent; its problem is recorded.
pub(crate) struct ListEntry {
    place: Place,
    fields: BTreeMap<&'static str, (Value, Place)>,
    /// Also the fields that could not be read.
    given: Vec<&'static str>,
}

pub(crate) fn read(known: &'static [ListField], item: &RawListEntry, problems: &mut Vec<Problem>) -> ListEntry {
    let mut fields = BTreeMap::new();
    for field in known {
        match item.fields.get(field.name) {
            Some(Some(entry)) => match value::parse(field.kind, &entry.text) {
                Ok(value) => _ = fields.insert(field.name, (value, entry.place.clone())),
                Err(refusal) => problems.push(Problem::new(entry.place.clone(), refusal.wrong, refusal.help)),
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

/// Reads the variables that entries of lists name, and returns those names.
pub(crate) fn named_variables(
    lists: &mut BTreeMap<&'static str, Vec<ListEntry>>,
    inputs: &Inputs,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    let mut named = Vec::new();
    for setting in SETTINGS {
        let (Kind::List(fields), Some(entries)) = (setting.kind, lists.get_mut(setting.key)) else { continue };
        for field in fields.iter().filter(|field| field.kind == Kind::SecretVariable) {
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
    let met = problems.len();
    let Some(text) = layers::variable(name, inputs, problems) else {
        if problems.len() == met {
            let wrong = format!("names {name}, which is not set");
            problems.push(Problem::new(entry.place_of(field.name), wrong, "set it, or leave the field out"));
        }
        return;
    };
    match value::parse(Kind::Secret, &text) {
        Ok(Value::Secret(secret)) => entry.set_secret(field.name, secret),
        Ok(_) => {}
        Err(refusal) => {
            problems.push(Problem::new(Place::Variable(name.to_owned()), refusal.wrong, refusal.help));
        }
    }
}

impl ListEntry {
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        match self.value(field) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn secret(&self, field: &str) -> Option<&Secret> {
        match self.value(field) {
            Some(Value::Secret(secret)) => Some(secret),
            _ => None,
        }
    }

    pub(crate) fn number(&self, field: &str) -> Option<u64> {
        match self.value(field) {
            Some(Value::Count(number)) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn decimal(&self, field: &str) -> Option<Decimal> {
        match self.value(field) {
            Some(Value::Decimal(decimal)) => Some(*decimal),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, field: &str) -> Option<bool> {
        match self.value(field) {
            Some(Value::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Whether the entry has the field, readable or not.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.given.contains(&field)
    }

    pub(crate) fn place(&self) -> Place {
        self.place.clone()
    }

    /// Where a field stands, or the entry if it has no such field.
    pub(crate) fn place_of(&self, field: &str) -> Place {
        self.fields.get(field).map_or(&self.place, |(_, place)| place).clone()
    }

    /// Puts the secret that a variable held in the place of the variable's name.
    fn set_secret(&mut self, field: &str, secret: Secret) {
        if let Some((value, _)) = self.fields.get_mut(field) {
            *value = Value::Secret(secret);
        }
    }

    fn value(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).map(|(value, _)| value)
    }
}
