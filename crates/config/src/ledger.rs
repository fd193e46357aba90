//! Witnesses that cosign checkpoints, and the place where checkpoints are published.

use std::path::PathBuf;

use countersign_ledger::WitnessKey;

use crate::layers::ResolvedSettings;
use crate::list_entries::ListEntry;
use crate::problem::{Problem, quoted};
use crate::url;
use crate::value::{Parsed, invalid};

const LIST: &str = "ledger.witnesses";
/// Every witness cosigns every checkpoint, and a note has room for about a hundred signatures.
const WITNESSES_MAX: usize = 16;

#[derive(Clone, Debug)]
pub struct LedgerConfig {
    pub witnesses: Vec<WitnessConfig>,
    /// The number of witnesses that must cosign.
    pub witnesses_required: usize,
    pub on_missing_witness: OnMissingWitness,
    pub publish: Option<PublishTarget>,
}

#[derive(Clone, Debug)]
pub struct WitnessConfig {
    /// The submission prefix of C2SP tlog-witness.
    pub url: String,
    pub key: WitnessKey,
}

/// What happens if fewer witnesses cosign than required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnMissingWitness {
    Warn,
    /// The server does not start, or accepts no new work while it runs.
    Refuse,
}

impl OnMissingWitness {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        }
    }
}

/// Where signed checkpoints are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublishTarget {
    Webhook(String),
    File(PathBuf),
}

pub(crate) fn from_values(values: &ResolvedSettings) -> LedgerConfig {
    let publish = values.text_if_set("ledger.publish").map(|text| match text.contains("://") {
        true => PublishTarget::Webhook(text),
        false => PublishTarget::File(text.into()),
    });
    LedgerConfig {
        witnesses: values.entries(LIST).iter().filter_map(witness).collect(),
        witnesses_required: values.size("ledger.witnesses_required"),
        on_missing_witness: match values.text("ledger.on_missing_witness").as_str() {
            "refuse" => OnMissingWitness::Refuse,
            _ => OnMissingWitness::Warn,
        },
        publish,
    }
}

fn witness(entry: &ListEntry) -> Option<WitnessConfig> {
    let key = entry.text("key").and_then(|key| WitnessKey::parse(key).ok())?;
    Some(WitnessConfig { url: entry.text("url")?.to_owned(), key })
}

pub(crate) fn witness_key(text: &str) -> Parsed<String> {
    match WitnessKey::parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => {
            let help = "write the key that the witness printed when it started, or the content of its witness.pub";
            invalid(format!("{} is not a witness's key: {error}", quoted(text)), help)
        }
    }
}

/// A URL, or else a file.
pub(crate) fn publish(text: &str) -> Parsed<String> {
    if text.contains("://") {
        return url::url_keeping_slash(text);
    }
    crate::value::path(text).map(|path| path.display().to_string())
}

pub(crate) fn check(values: &ResolvedSettings, ledger: &LedgerConfig, problems: &mut Vec<Problem>) {
    let entries = values.entries(LIST);
    if let Some(entry) = entries.get(WITNESSES_MAX) {
        let wrong = format!("is beyond the limit of {WITNESSES_MAX} witnesses");
        problems.push(Problem::new(entry.place(), wrong, "keep those run by different people"));
    }
    if ledger.witnesses_required > entries.len()
        && let Some(place) = values.place("ledger.witnesses_required").filter(|_| values.file_is_whole)
    {
        let wrong = format!("asks for {} witnesses, but {} are configured", ledger.witnesses_required, entries.len());
        problems.push(Problem::new(place, wrong, "add witnesses as [[ledger.witnesses]], or ask for fewer"));
    }
}
