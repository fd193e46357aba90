//! Reads the configuration file, a TOML file. Unknown keys are errors, and every problem has its line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::list_fields::ListField;
use crate::problem::{Problem, ProblemPlace};
use crate::settings::{self, SETTINGS, Setting, ValueKind};
use crate::suggest::nearest;

/// Far above the size of any real file. Protects against reading a wrong file, such as a database, into memory.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Lists are searched for every request, so they are bounded.
const ITEMS_MAX: usize = 1_000;

pub(crate) struct FileLayer {
    pub(crate) entries: BTreeMap<&'static str, RawValue>,
    /// The entries of each list in the file, including empty lists.
    pub(crate) lists: BTreeMap<&'static str, Vec<RawListEntry>>,
    /// False if the file can't be read or has syntax errors.
    pub(crate) is_whole: bool,
}

pub(crate) struct RawValue {
    pub(crate) text: String,
    pub(crate) place: ProblemPlace,
}

/// One entry of a list.
pub(crate) struct RawListEntry {
    pub(crate) place: ProblemPlace,
    /// `None` is a value of the wrong type, whose problem is recorded.
    pub(crate) fields: BTreeMap<&'static str, Option<RawValue>>,
}

pub(crate) fn read(path: &Path, must_exist: bool, problems: &mut Vec<Problem>) -> FileLayer {
    let mut layer = FileLayer { entries: BTreeMap::new(), lists: BTreeMap::new(), is_whole: true };
    match contents(path) {
        Ok(text) => Reader { path, text: &text, layer: &mut layer, problems }.read(),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {}
        Err(error) => {
            layer.is_whole = false;
            let place = ProblemPlace::File { path: path.to_owned(), line: None, key: None };
            let help = "name a readable TOML file, or leave the name out".to_owned();
            problems.push(Problem { place, wrong: format!("can't be read: {error}"), help });
        }
    }
    layer
}

fn contents(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(FILE_BYTES_MAX + 1).read_to_string(&mut text)? as u64;
    if read > FILE_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 1 MiB"));
    }
    Ok(text)
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    layer: &'a mut FileLayer,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn read(mut self) {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        if errors.is_empty() {
            return self.read_table("", table.get_ref());
        }
        // Don't report unknown keys of a file with syntax errors: they may be a consequence.
        self.layer.is_whole = false;
        for error in errors {
            // The error's full text quotes the line, which may contain a secret.
            let wrong = error.message().trim_end_matches(", expected nothing").to_owned();
            let help = "write `key = \"text\"`, `key = 123` or `[section]`, each key once";
            self.add_problem(error.span().map(|span| span.start), None, wrong, help);
        }
    }

    fn read_table(&mut self, section: &str, table: &DeTable) {
        for (name, value) in in_file_order(table) {
            let key =
                if section.is_empty() { name.get_ref().to_string() } else { format!("{section}.{}", name.get_ref()) };
            // A quoted name with a dot is not a key in a section.
            let setting = settings::find(&key).filter(|_| !name.get_ref().contains('.'));
            match (setting, value.get_ref()) {
                (Some(&Setting { key, kind: ValueKind::List(fields), .. }), value_ref) => {
                    self.read_list(key, fields, value.span().start, value_ref);
                }
                (Some(setting), value_ref) => self.read_setting(setting, value.span().start, value_ref),
                (None, DeValue::Table(inner)) if settings::is_section(&key) => self.read_table(&key, inner),
                (None, _) if settings::is_section(&key) => {
                    let wrong = format!("is {}", type_of(value.get_ref()));
                    self.add_problem(
                        Some(name.span().start),
                        Some(&key),
                        wrong,
                        &format!("write it as a section, [{key}]"),
                    );
                }
                (None, _) => self.add_unknown_key(name, &key),
            }
        }
    }

    fn read_setting(&mut self, setting: &'static Setting, offset: usize, value: &DeValue) {
        if let Some(entry) = self.read_value(setting.kind, setting.key, offset, value) {
            self.layer.entries.insert(setting.key, entry);
        }
    }

    /// Reads a list, written as `[[section.list]]` or as an array of inline tables.
    fn read_list(&mut self, key: &'static str, fields: &'static [ListField], offset: usize, value: &DeValue) {
        let help = format!("write each entry as [[{key}]]");
        let Some(items) = value.as_array() else {
            return self.add_problem(Some(offset), Some(key), format!("is {}", type_of(value)), &help);
        };
        if items.len() > ITEMS_MAX {
            let wrong = format!("has {} entries", items.len());
            return self.add_problem(Some(offset), Some(key), wrong, &format!("write at most {ITEMS_MAX}"));
        }
        let mut read = Vec::new();
        for (index, item) in items.iter().enumerate() {
            // People count entries from one.
            let (offset, item_key) = (item.span().start, format!("{key}[{}]", index + 1));
            match item.get_ref() {
                DeValue::Table(table) => read.push(self.read_list_entry(&item_key, fields, offset, table)),
                other => self.add_problem(Some(offset), Some(&item_key), format!("is {}", type_of(other)), &help),
            }
        }
        self.layer.lists.insert(key, read);
    }

    fn read_list_entry(
        &mut self,
        item_key: &str,
        known: &'static [ListField],
        offset: usize,
        table: &DeTable,
    ) -> RawListEntry {
        let mut fields = BTreeMap::new();
        for (name, value) in in_file_order(table) {
            let key = format!("{item_key}.{}", name.get_ref());
            if let Some(field) = known.iter().find(|field| field.name == name.get_ref().as_ref()) {
                let entry = self.read_value(field.kind, &key, value.span().start, value.get_ref());
                fields.insert(field.name, entry);
            } else {
                let names = known.iter().map(|field| field.name);
                let help = nearest(name.get_ref(), names.clone()).map_or_else(
                    || format!("an entry has {}", names.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.add_problem(Some(name.span().start), Some(&key), "is not a known field".to_owned(), &help);
            }
        }
        RawListEntry { place: self.place(Some(offset), Some(item_key)), fields }
    }

    fn read_value(&mut self, kind: ValueKind, key: &str, offset: usize, value: &DeValue) -> Option<RawValue> {
        let text = as_text(kind, value);
        if text.is_none() {
            self.add_problem(Some(offset), Some(key), format!("is {}", type_of(value)), type_help(kind));
        }
        text.map(|text| RawValue { text: text.into_owned(), place: self.place(Some(offset), Some(key)) })
    }

    fn add_unknown_key(&mut self, name: &Spanned<Cow<'_, str>>, key: &str) {
        let help = suggestion(key).map_or_else(
            || "`countersign config --config /dev/null` lists all settings".to_owned(),
            |known| format!("did you mean `{known}`?"),
        );
        self.add_problem(Some(name.span().start), Some(key), "is not a known key".to_owned(), &help);
    }

    fn add_problem(&mut self, offset: Option<usize>, key: Option<&str>, wrong: String, help: &str) {
        let place = self.place(offset, key);
        self.problems.push(Problem { place, wrong, help: help.to_owned() });
    }

    fn place(&self, offset: Option<usize>, key: Option<&str>) -> ProblemPlace {
        let line = offset.map(|offset| 1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count());
        ProblemPlace::File { path: self.path.to_owned(), line, key: key.map(|key| key.escape_debug().to_string()) }
    }
}

/// The entries in the order of the file. The parser sorts them by name.
fn in_file_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Spanned<Cow<'i, str>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The text that a flag or variable would have for this value, if the kind allows the value's type.
fn as_text<'v>(kind: ValueKind, value: &'v DeValue<'_>) -> Option<Cow<'v, str>> {
    match (kind, value) {
        (ValueKind::Count { .. } | ValueKind::Bytes { .. } | ValueKind::Decimal { .. }, DeValue::Integer(number)) => {
            // Numbers that are negative or too large keep their text, which `value::parse` then refuses.
            let parsed = u64::from_str_radix(number.as_str(), number.radix());
            Some(Cow::Owned(parsed.map_or_else(|_| number.to_string(), |number| number.to_string())))
        }
        (ValueKind::Decimal { .. }, DeValue::Float(number)) => Some(Cow::Borrowed(number.as_str())),
        (ValueKind::Flag, DeValue::Boolean(flag)) => Some(Cow::Borrowed(if *flag { "true" } else { "false" })),
        (ValueKind::Count { .. } | ValueKind::Flag, _) => None,
        (ValueKind::Origins | ValueKind::Events, DeValue::Array(items)) => {
            let items: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            items.map(|items| Cow::Owned(items.join(",")))
        }
        (_, value) => value.as_str().map(Cow::Borrowed),
    }
}

fn type_help(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Count { .. } => "write a whole number without quotes",
        ValueKind::Bytes { .. } => "write a number of bytes, or a size in quotes such as \"16 MiB\"",
        ValueKind::Decimal { .. } => "write a number, such as 0.59",
        ValueKind::Flag => "write true or false without quotes",
        ValueKind::Origins | ValueKind::Events => "write text in quotes, or a list of texts",
        _ => "write text in quotes",
    }
}

/// Names a value's type. The value itself may be a secret.
fn type_of(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}

/// The key that was probably meant: misspelt, without its section, or by the name of its variable.
fn suggestion(key: &str) -> Option<&'static str> {
    let by_variable = || SETTINGS.iter().find(|s| s.variable.is_some_and(|name| name.eq_ignore_ascii_case(key)));
    let without_section = || {
        let last = key.rsplit('.').next()?;
        SETTINGS.iter().find(|s| s.key.rsplit('.').next() == Some(last))
    };
    by_variable()
        .or_else(without_section)
        .map(|setting| setting.key)
        .or_else(|| nearest(key, SETTINGS.iter().map(|setting| setting.key).chain(settings::sections())))
}
