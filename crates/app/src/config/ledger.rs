//! Who besides this program keeps the log's checkpoints: witnesses, and where checkpoints are published.

use std::path::PathBuf;

use countersign_ledger::WitnessKey;

use super::layers::Resolved;
use super::problem::{Problem, quoted};
use super::rows::Row;
use super::url;
use super::values::{Read, refuse};

const LIST: &str = "ledger.witnesses";
/// Each cosigns every checkpoint, and a note has room for about a hundred signatures.
const WITNESSES_MAX: usize = 16;

#[derive(Clone, Debug)]
pub struct Ledger {
    pub witnesses: Vec<Witness>,
    /// How many of them must have cosigned.
    pub witnesses_required: usize,
    pub on_missing_witness: OnMissing,
    pub publish: Option<Publish>,
}

#[derive(Clone, Debug)]
pub struct Witness {
    /// The submission prefix of C2SP tlog-witness.
    pub url: String,
    pub key: WitnessKey,
}

/// What happens when fewer witnesses than required cosign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnMissing {
    Warn,
    /// The server does not start, or takes no new work while it runs.
    Refuse,
}

impl OnMissing {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        }
    }
}

/// Where every signed checkpoint goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Publish {
    Webhook(String),
    File(PathBuf),
}

pub(super) fn from_values(values: &Resolved) -> Ledger {
    let publish = values.text_if_set("ledger.publish").map(|text| match text.contains("://") {
        true => Publish::Webhook(text),
        false => Publish::File(text.into()),
    });
    Ledger {
        witnesses: values.rows(LIST).iter().filter_map(witness).collect(),
        witnesses_required: values.size("ledger.witnesses_required"),
        on_missing_witness: match values.text("ledger.on_missing_witness").as_str() {
            "refuse" => OnMissing::Refuse,
            _ => OnMissing::Warn,
        },
        publish,
    }
}

fn witness(row: &Row) -> Option<Witness> {
    let key = row.text("key").and_then(|key| WitnessKey::parse(key).ok())?;
    Some(Witness { url: row.text("url")?.to_owned(), key })
}

pub(super) fn witness_key(text: &str) -> Read<String> {
    match WitnessKey::parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => {
            let help = "write the key that the witness printed when it started, or the content of its witness.pub";
            refuse(format!("{} is not a witness's key: {error}", quoted(text)), help)
        }
    }
}

/// A web address, or else a file.
pub(super) fn publish(text: &str) -> Read<String> {
    if text.contains("://") {
        return url::target(text);
    }
    super::values::path(text).map(|path| path.display().to_string())
}

pub(super) fn check(values: &Resolved, ledger: &Ledger, problems: &mut Vec<Problem>) {
    let rows = values.rows(LIST);
    if let Some(row) = rows.get(WITNESSES_MAX) {
        let wrong = format!("is one more than the {WITNESSES_MAX} that there can be");
        problems.push(Problem::new(row.place(), wrong, "keep those that different people run"));
    }
    if ledger.witnesses_required > rows.len()
        && let Some(place) = values.place("ledger.witnesses_required").filter(|_| values.file_is_whole)
    {
        let wrong = format!("asks for {} witnesses, and {} are configured", ledger.witnesses_required, rows.len());
        problems.push(Problem::new(place, wrong, "add witnesses as [[ledger.witnesses]], or ask for fewer"));
    }
}
