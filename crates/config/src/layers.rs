//! Flags over environment over file over defaults: finds each setting's value and remembers where it came from.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::effective::{EffectiveSetting, Source};
use crate::file::{self, FileLayer};
use crate::list_entries::{self, ListEntry};
use crate::problem::{Place, Problem};
use crate::secret::Secret;
use crate::settings::{self, Kind, SETTINGS, Setting};
use crate::suggest::nearest;
use crate::value::{self, Value};
use crate::{FILE_VARIABLE, Inputs};

/// The value of every setting that has one, and every problem met on the way.
pub(crate) struct Resolved {
    found: BTreeMap<&'static str, Found>,
    lists: BTreeMap<&'static str, Vec<ListEntry>>,
    /// False when the file has syntax errors: what it would have set is not known then.
    pub(crate) file_is_whole: bool,
    pub(crate) problems: Vec<Problem>,
}

struct Found {
    value: Value,
    source: Source,
    place: Place,
}

/// One layer's text for a setting, not yet read.
struct Candidate {
    text: String,
    source: Source,
    place: Place,
}

pub(crate) fn resolve(inputs: &Inputs, default_file: &Path) -> (Resolved, Vec<Problem>) {
    let mut problems = Vec::new();
    refuse_unknown_flags(inputs, &mut problems);
    let file = read_file(inputs, default_file, &mut problems);
    let mut found = BTreeMap::new();
    let mut lists = BTreeMap::new();
    for setting in SETTINGS {
        // The profile stands before every setting whose default it changes.
        let is_hosted =
            matches!(found.get("profile"), Some(Found { value: Value::Text(text), .. }) if text == "hosted");
        if let (Kind::List(fields), Some(items)) = (setting.kind, file.lists.get(setting.key)) {
            let entries: Vec<ListEntry> =
                items.iter().map(|item| list_entries::read(fields, item, &mut problems)).collect();
            let place = items.first().map_or(Place::Default(setting.key), |item| item.place.clone());
            found.insert(setting.key, Found { value: Value::List(entries.len()), source: Source::File, place });
            lists.insert(setting.key, entries);
        }
        for candidate in candidates(setting, is_hosted, inputs, &file, &mut problems) {
            if let Some((wrong, help)) = settings::not_in_this_version(setting.key) {
                problems.push(Problem::new(candidate.place.clone(), wrong, help));
            }
            match value::parse(setting.kind, &candidate.text) {
                Ok(value) => {
                    let Candidate { source, place, .. } = candidate;
                    // The strongest layer comes first; the weaker ones are only checked.
                    found.entry(setting.key).or_insert(Found { value, source, place });
                }
                Err(refusal) => problems.push(Problem::new(candidate.place, refusal.wrong, refusal.help)),
            }
        }
    }
    let named = list_entries::named_variables(&mut lists, inputs, &mut problems);
    (Resolved { found, lists, file_is_whole: file.is_whole, problems }, unknown_variables(inputs, &named))
}

impl Resolved {
    pub(crate) fn address(&self, key: &str) -> SocketAddr {
        match self.value(key) {
            Some(Value::Address(address)) => *address,
            _ => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        }
    }

    pub(crate) fn path(&self, key: &str) -> PathBuf {
        match self.value(key) {
            Some(Value::Path(path)) => path.clone(),
            _ => PathBuf::new(),
        }
    }

    pub(crate) fn text(&self, key: &str) -> String {
        match self.value(key) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// For a setting without a default.
    pub(crate) fn text_if_set(&self, key: &str) -> Option<String> {
        Some(self.text(key)).filter(|text| !text.is_empty())
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        matches!(self.value(key), Some(Value::Flag(true)))
    }

    pub(crate) fn milliseconds(&self, key: &str) -> Duration {
        Duration::from_millis(self.number(key))
    }

    pub(crate) fn entries(&self, key: &str) -> &[ListEntry] {
        self.lists.get(key).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn origins(&self, key: &str) -> Vec<String> {
        match self.value(key) {
            Some(Value::Origins(origins)) => origins.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn secret(&self, key: &str) -> Option<Secret> {
        match self.value(key) {
            Some(Value::Secret(secret)) => Some(secret.clone()),
            _ => None,
        }
    }

    pub(crate) fn number(&self, key: &str) -> u64 {
        self.number_if_set(key).unwrap_or(0)
    }

    pub(crate) fn number_if_set(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Some(Value::Bytes(number) | Value::Count(number)) => Some(*number),
            _ => None,
        }
    }

    /// A number of things in memory. A machine that cannot address that many has no use for the exact limit.
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
                    source: found.map_or(Source::Default, |found| found.source),
                    variable: setting.variable,
                    description: setting.description,
                }
            })
            .collect()
    }

    /// Nobody gave it. A value that was refused is reported already, and one from a broken file is not known to be missing.
    pub(crate) fn is_missing(&self, setting: &Setting) -> bool {
        let is_given = self.found.get(setting.key).is_some_and(|found| found.source != Source::Default);
        let is_refused = self.problems.iter().any(|problem| problem.place.concerns(setting));
        self.file_is_whole && !is_given && !is_refused
    }

    /// Where the value in force was said, if there is one.
    pub(crate) fn place(&self, key: &str) -> Option<Place> {
        self.found.get(key).map(|found| found.place.clone())
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.found.get(key).map(|found| &found.value)
    }
}

/// Every layer that has something to say about a setting, the strongest first.
fn candidates(
    setting: &Setting,
    is_hosted: bool,
    inputs: &Inputs,
    file: &FileLayer,
    problems: &mut Vec<Problem>,
) -> Vec<Candidate> {
    let key = setting.key;
    let flag = inputs.flags.iter().rev().find(|(flag, _)| *flag == key).map(|(_, text)| Candidate {
        text: text.clone(),
        source: Source::Flag,
        place: Place::Flag(key),
    });
    let variable = setting.variable.and_then(|name| {
        let text = variable(name, inputs, problems)?;
        Some(Candidate { text, source: Source::Environment(name), place: Place::Variable(name.to_owned()) })
    });
    let entry = file.entries.get(key).map(|entry| Candidate {
        text: entry.text.clone(),
        source: Source::File,
        place: entry.place.clone(),
    });
    let replaced = inputs.defaults.iter().find(|(default, _)| *default == key).map(|(_, text)| *text);
    let hosted = setting.hosted_default.filter(|_| is_hosted);
    let default = replaced.or(hosted).or(setting.default).map(|text| Candidate {
        text: text.to_owned(),
        source: Source::Default,
        place: Place::Default(key),
    });
    [flag, variable, entry, default].into_iter().flatten().collect()
}

/// Empty is not set: container tools pass on variables that nobody filled in.
pub(crate) fn variable(name: &str, inputs: &Inputs, problems: &mut Vec<Problem>) -> Option<String> {
    let text = (inputs.env)(name);
    if text.is_none() && inputs.variable_names.iter().any(|known| known == name) {
        problems.push(Problem::new(Place::Variable(name.to_owned()), "is not valid UTF-8", "give it plain text"));
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

/// Only a mistake in the program can cause it, but a flag without effect should not pass unseen.
fn refuse_unknown_flags(inputs: &Inputs, problems: &mut Vec<Problem>) {
    for (key, _) in inputs.flags.iter().filter(|(key, _)| settings::find(key).is_none()) {
        let wrong = format!("sets `{key}`, which is not a setting");
        problems.push(Problem::new(Place::Flag(key), wrong, "leave it out"));
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
                || "`countersign config` lists what can be set".to_owned(),
                |known| format!("did you mean {known}?"),
            );
            Problem::new(Place::Variable(name.escape_debug().to_string()), "is not known and changes nothing", help)
        })
        .collect()
}

impl Place {
    fn concerns(&self, setting: &Setting) -> bool {
        match self {
            Self::Flag(key) | Self::Default(key) => *key == setting.key,
            Self::Variable(name) => Some(name.as_str()) == setting.variable,
            Self::File { key, .. } => key.as_deref() == Some(setting.key),
        }
    }
}
