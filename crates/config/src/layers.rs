//! Finds each setting's value, and where it came from: flags override the environment, which overrides the file, which overrides
//! the defaults.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::effective::{EffectiveSetting, SettingSource};
use crate::file::{self, FileLayer};
use crate::list_entries::{self, ListEntry};
use crate::problem::{Problem, ProblemPlace};
use crate::secret::Secret;
use crate::settings::{self, SETTINGS, Setting, ValueKind};
use crate::suggest::nearest;
use crate::value::{self, SettingValue};
use crate::{FILE_VARIABLE, Inputs};

/// The settings that have a value, and all problems found so far.
pub(crate) struct ResolvedSettings {
    found: BTreeMap<&'static str, ResolvedValue>,
    lists: BTreeMap<&'static str, Vec<ListEntry>>,
    /// False if the file can't be read or has syntax errors, so that its settings are unknown.
    pub(crate) file_is_whole: bool,
    pub(crate) problems: Vec<Problem>,
}

/// A setting's value and its source.
struct ResolvedValue {
    value: SettingValue,
    source: SettingSource,
    place: ProblemPlace,
}

/// A layer's text for a setting, before it is parsed.
struct LayerText {
    text: String,
    source: SettingSource,
    place: ProblemPlace,
}

pub(crate) fn resolve(inputs: &Inputs, default_file: &Path) -> (ResolvedSettings, Vec<Problem>) {
    let mut problems = Vec::new();
    refuse_unknown_flags(inputs, &mut problems);
    let file = read_file(inputs, default_file, &mut problems);
    let mut found = BTreeMap::new();
    let mut lists = BTreeMap::new();
    for setting in SETTINGS {
        // In the table, the profile precedes every setting whose default it changes.
        let is_hosted = matches!(
            found.get("profile"),
            Some(ResolvedValue { value: SettingValue::Text(text), .. }) if text == "hosted"
        );
        if let (ValueKind::List(fields), Some(items)) = (setting.kind, file.lists.get(setting.key)) {
            let entries: Vec<ListEntry> =
                items.iter().map(|item| list_entries::read(fields, item, &mut problems)).collect();
            let place = items.first().map_or(ProblemPlace::Default(setting.key), |item| item.place.clone());
            found.insert(
                setting.key,
                ResolvedValue { value: SettingValue::List(entries.len()), source: SettingSource::File, place },
            );
            lists.insert(setting.key, entries);
        }
        for text in layer_texts(setting, is_hosted, inputs, &file, &mut problems) {
            if let Some((wrong, help)) = settings::not_in_this_version(setting.key) {
                problems.push(Problem::new(text.place.clone(), wrong, help));
            }
            match value::parse(setting.kind, &text.text) {
                Ok(value) => {
                    let LayerText { source, place, .. } = text;
                    // The layer with the highest precedence comes first; the others are only checked.
                    found.entry(setting.key).or_insert(ResolvedValue { value, source, place });
                }
                Err(error) => problems.push(Problem::new(text.place, error.wrong, error.help)),
            }
        }
    }
    let named = list_entries::read_named_variables(&mut lists, inputs, &mut problems);
    (ResolvedSettings { found, lists, file_is_whole: file.is_whole, problems }, unknown_variables(inputs, &named))
}

impl ResolvedSettings {
    pub(crate) fn address(&self, key: &str) -> SocketAddr {
        match self.value(key) {
            Some(SettingValue::Address(address)) => *address,
            _ => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        }
    }

    pub(crate) fn path(&self, key: &str) -> PathBuf {
        match self.value(key) {
            Some(SettingValue::Path(path)) => path.clone(),
            _ => PathBuf::new(),
        }
    }

    pub(crate) fn text(&self, key: &str) -> String {
        match self.value(key) {
            Some(SettingValue::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// The text of a setting without a default.
    pub(crate) fn text_if_set(&self, key: &str) -> Option<String> {
        Some(self.text(key)).filter(|text| !text.is_empty())
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        matches!(self.value(key), Some(SettingValue::Flag(true)))
    }

    pub(crate) fn milliseconds(&self, key: &str) -> Duration {
        Duration::from_millis(self.number(key))
    }

    pub(crate) fn entries(&self, key: &str) -> &[ListEntry] {
        self.lists.get(key).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn origins(&self, key: &str) -> Vec<String> {
        match self.value(key) {
            Some(SettingValue::Origins(origins)) => origins.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn secret(&self, key: &str) -> Option<Secret> {
        match self.value(key) {
            Some(SettingValue::Secret(secret)) => Some(secret.clone()),
            _ => None,
        }
    }

    pub(crate) fn number(&self, key: &str) -> u64 {
        self.number_if_set(key).unwrap_or(0)
    }

    pub(crate) fn number_if_set(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Some(SettingValue::Bytes(number) | SettingValue::Count(number)) => Some(*number),
            _ => None,
        }
    }

    /// A number of things in memory, capped at what this machine can address.
    pub(crate) fn size(&self, key: &str) -> usize {
        usize::try_from(self.number(key)).unwrap_or(usize::MAX)
    }

    pub(crate) fn effective(&self) -> Vec<EffectiveSetting> {
        SETTINGS
            .iter()
            .map(|setting| {
                let found = self.found.get(setting.key);
                EffectiveSetting {
                    key: setting.key,
                    value: found.map_or_else(|| "(not set)".to_owned(), |found| found.value.to_string()),
                    source: found.map_or(SettingSource::Default, |found| found.source),
                    variable: setting.variable,
                    description: setting.description,
                }
            })
            .collect()
    }

    /// Whether the setting was not given. If its value was refused, or the file has syntax errors, it does not count as missing.
    pub(crate) fn is_missing(&self, setting: &Setting) -> bool {
        let is_given = self.found.get(setting.key).is_some_and(|found| found.source != SettingSource::Default);
        let is_refused = self.problems.iter().any(|problem| problem.place.concerns(setting));
        self.file_is_whole && !is_given && !is_refused
    }

    /// Where the value in force was set, if there is one.
    pub(crate) fn place(&self, key: &str) -> Option<ProblemPlace> {
        self.found.get(key).map(|found| found.place.clone())
    }

    fn value(&self, key: &str) -> Option<&SettingValue> {
        self.found.get(key).map(|found| &found.value)
    }
}

/// The layers that set a setting, in order of precedence.
fn layer_texts(
    setting: &Setting,
    is_hosted: bool,
    inputs: &Inputs,
    file: &FileLayer,
    problems: &mut Vec<Problem>,
) -> Vec<LayerText> {
    let key = setting.key;
    let flag = inputs.flags.iter().rev().find(|(flag, _)| *flag == key).map(|(_, text)| LayerText {
        text: text.clone(),
        source: SettingSource::Flag,
        place: ProblemPlace::Flag(key),
    });
    let variable = setting.variable.and_then(|name| {
        let text = variable(name, inputs, problems)?;
        Some(LayerText {
            text,
            source: SettingSource::Environment(name),
            place: ProblemPlace::Variable(name.to_owned()),
        })
    });
    let entry = file.entries.get(key).map(|entry| LayerText {
        text: entry.text.clone(),
        source: SettingSource::File,
        place: entry.place.clone(),
    });
    let replaced = inputs.defaults.iter().find(|(default, _)| *default == key).map(|(_, text)| *text);
    let hosted = setting.hosted_default.filter(|_| is_hosted);
    let default = replaced.or(hosted).or(setting.default).map(|text| LayerText {
        text: text.to_owned(),
        source: SettingSource::Default,
        place: ProblemPlace::Default(key),
    });
    [flag, variable, entry, default].into_iter().flatten().collect()
}

/// A variable's text. Empty variables count as not set, because container tools pass on variables without a value.
pub(crate) fn variable(name: &str, inputs: &Inputs, problems: &mut Vec<Problem>) -> Option<String> {
    let text = (inputs.env)(name);
    if text.is_none() && inputs.variable_names.iter().any(|known| known == name) {
        problems.push(Problem::new(ProblemPlace::Variable(name.to_owned()), "is not valid UTF-8", "use plain text"));
    }
    text.filter(|text| !text.trim().is_empty())
}

fn read_file(inputs: &Inputs, default_file: &Path, problems: &mut Vec<Problem>) -> FileLayer {
    let from_variable = || variable(FILE_VARIABLE, inputs, problems).map(PathBuf::from);
    match inputs.file.map(Path::to_owned).or_else(from_variable) {
        Some(named) => file::read(&named, true, problems),
        None => file::read(default_file, false, problems),
    }
}

/// Refuses flags without a setting. Only a programming error can cause this, but a flag must not be ignored silently.
fn refuse_unknown_flags(inputs: &Inputs, problems: &mut Vec<Problem>) {
    for (key, _) in inputs.flags.iter().filter(|(key, _)| settings::find(key).is_none()) {
        let wrong = format!("sets `{key}`, which is not a setting");
        problems.push(Problem::new(ProblemPlace::Flag(key), wrong, "leave it out"));
    }
}

fn unknown_variables(inputs: &Inputs, named: &[String]) -> Vec<Problem> {
    let ours = || SETTINGS.iter().filter_map(|setting| setting.variable).chain([FILE_VARIABLE]);
    let mut unknown: Vec<&String> = inputs
        .variable_names
        .iter()
        .filter(|name| name.starts_with("COUNTERSIGN_") && !ours().any(|known| known == *name) && !named.contains(name))
        .collect();
    unknown.sort();
    unknown
        .into_iter()
        .map(|name| {
            let help = nearest(name, ours()).map_or_else(
                || "`countersign config` lists all settings".to_owned(),
                |known| format!("did you mean {known}?"),
            );
            Problem::new(ProblemPlace::Variable(name.escape_debug().to_string()), "is unknown and has no effect", help)
        })
        .collect()
}

impl ProblemPlace {
    fn concerns(&self, setting: &Setting) -> bool {
        match self {
            Self::Flag(key) | Self::Default(key) => *key == setting.key,
            Self::Variable(name) => Some(name.as_str()) == setting.variable,
            Self::File { key, .. } => key.as_deref() == Some(setting.key),
        }
    }
}
