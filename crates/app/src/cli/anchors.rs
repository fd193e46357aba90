//! What `verify` compares the log with besides itself: saved notes, files of published notes, and witnesses.
//!
//! All of it is gathered before the store is read. The log only grows, so whatever was signed by then must be in it.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use countersign_ledger::{NOTE_BYTES_MAX, VerifyingKey, WitnessKey};
use countersign_store::{Anchor, Clock, SystemClock};

use super::{arguments::Verify as Flags, failure::Failure};
use crate::{config::Config, witnesses::fetch_last};

/// A file of published notes grows by one note a checkpoint; this is some years of a busy log.
const FILE_BYTES_MAX: u64 = 4 << 30;
/// A witness cosigns its answer as of now. An older answer could be one that somebody kept, from before the events that are
/// to be hidden.
const ANSWER_AGE_S_MAX: u64 = 300;

/// What was gathered.
#[derive(Default)]
pub(super) struct Anchors {
    pub(super) notes: Vec<Anchor>,
    /// What is wrong already, before the log is compared.
    pub(super) findings: Vec<String>,
    /// One line for each source, for whoever reads the result.
    pub(super) sources: Vec<String>,
}

pub(super) fn gather(flags: &Flags, config: &Config, key: &VerifyingKey) -> Result<Anchors, Failure> {
    let mut anchors = Anchors::default();
    for path in &flags.checkpoints {
        let (label, note) = read_note(path)?;
        anchors.sources.push(label.clone());
        anchors.notes.push(Anchor { label, note });
    }
    for witness in &flags.witnesses {
        if witness.contains("://") {
            anchors.ask(witness, flags, config, key)?;
        } else {
            anchors.read_file(Path::new(witness))?;
        }
    }
    Ok(anchors)
}

fn read_note(path: &Path) -> Result<(String, String), Failure> {
    let (label, read) = if path == Path::new("-") {
        ("the checkpoint from stdin".to_owned(), io::read_to_string(io::stdin().lock().take(NOTE_BYTES_MAX as u64 + 1)))
    } else {
        let open = || fs::File::open(path).and_then(|file| io::read_to_string(file.take(NOTE_BYTES_MAX as u64 + 1)));
        (format!("the checkpoint in {}", path.display()), open())
    };
    let note = read.map_err(|error| Failure::new(format!("--checkpoint {}: {error}", path.display())))?;
    Ok((label, note))
}

impl Anchors {
    /// Asks a witness what it cosigned last. Its key comes from the operator: a witness that vouches for its own key proves
    /// nothing.
    fn ask(&mut self, url: &str, flags: &Flags, config: &Config, key: &VerifyingKey) -> Result<(), Failure> {
        let url = url.trim_end_matches('/');
        let keys = witness_keys(url, flags, config)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::new(format!("the witness can't be asked: {error}")))?;
        let answer = runtime.block_on(fetch_last(url, key.name())).map_err(|why| {
            Failure::new(format!("the witness at {url} can't be asked: {why}"))
                .help("`countersign witness` can be asked; of another witness, save the cosigned checkpoint and use --checkpoint")
        })?;
        let Some(note) = answer else {
            self.findings.push(format!(
                "the witness at {url} has cosigned nothing of {}: this is not the log that it witnesses",
                key.name()
            ));
            return Ok(());
        };
        let cosignature = keys.iter().find_map(|witness| Some((witness, witness.cosignature_on(&note).ok()?)));
        let Some((witness, cosignature)) = cosignature else {
            self.findings.push(format!("the answer of the witness at {url} is not cosigned by its key"));
            return Ok(());
        };
        let now_s = u64::try_from(SystemClock.now().millis().div_euclid(1_000)).unwrap_or(0);
        if now_s.abs_diff(cosignature.time_s) > ANSWER_AGE_S_MAX {
            self.findings.push(format!(
                "the answer of the witness at {url} is {} s away from this machine's clock: it may be an old one",
                now_s.abs_diff(cosignature.time_s)
            ));
        }
        let label = format!("the checkpoint that the witness {} cosigned", witness.name());
        self.sources.push(format!("{label} ({url})"));
        self.notes.push(Anchor { label, note });
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        let fail = |error: &str| Failure::new(format!("--witness {}: {error}", path.display()));
        let mut text = String::new();
        let file = fs::File::open(path).map_err(|error| fail(&error.to_string()))?;
        let read = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
        let read = read.map_err(|error| fail(&error.to_string()))?;
        if read as u64 > FILE_BYTES_MAX {
            return Err(fail("is larger than 4 GiB; give the last part of it"));
        }
        let (notes, incomplete) = notes_in(&text);
        if notes.is_empty() {
            return Err(fail("has no signed checkpoint in it")
                .help("it is what `ledger.publish` wrote, or notes with empty lines between"));
        }
        let skipped = if incomplete == 0 { String::new() } else { format!(", {incomplete} incomplete ones skipped") };
        self.sources.push(format!("{} checkpoints in {}{skipped}", notes.len(), path.display()));
        let anchors = (1..)
            .zip(notes)
            .map(|(number, note)| Anchor { label: format!("checkpoint {number} of {}", path.display()), note });
        self.notes.extend(anchors);
        Ok(())
    }
}

fn witness_keys(url: &str, flags: &Flags, config: &Config) -> Result<Vec<WitnessKey>, Failure> {
    let given = flags.witness_keys.iter().map(|given| {
        let text = if Path::new(given).exists() {
            fs::read_to_string(given).map_err(|error| Failure::new(format!("--witness-key {given}: {error}")))?
        } else {
            given.clone()
        };
        WitnessKey::parse(text.trim()).map_err(|error| Failure::new(format!("--witness-key: {error}")))
    });
    let mut keys = given.collect::<Result<Vec<_>, _>>()?;
    if keys.is_empty() {
        keys.extend(config.ledger.witnesses.iter().filter(|witness| witness.url == url).map(|one| one.key.clone()));
    }
    if keys.is_empty() {
        return Err(Failure::new(format!("the key of the witness at {url} is not known"))
            .help("give the key that the witness printed when it started: --witness-key KEY"));
    }
    Ok(keys)
}

/// The notes of a file, and how many were cut off by a crash. A file that somebody can shorten could as well lack them
/// altogether, so an incomplete note is no finding.
fn notes_in(text: &str) -> (Vec<String>, usize) {
    let (mut notes, mut incomplete) = (Vec::new(), 0);
    let mut note = String::new();
    let mut is_signed = false;
    // An empty line behind the last note, in case the file ends without one.
    for line in text.split('\n').chain([""]) {
        if line.starts_with("— ") && note.contains("\n\n") {
            is_signed = true;
        } else if is_signed {
            notes.push(std::mem::take(&mut note));
            is_signed = false;
            if line.is_empty() {
                continue;
            }
        } else if line.is_empty() && (note.is_empty() || note.ends_with("\n\n")) {
            incomplete += usize::from(!note.is_empty());
            note.clear();
            continue;
        }
        note.push_str(line);
        note.push('\n');
    }
    incomplete += usize::from(!note.trim().is_empty());
    (notes, incomplete)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "log\n1\nroot\n\n— log AAAA\n";
    const COSIGNED: &str = "log\n2\nroot\n\n— log AAAA\n— witness BBBB\n";

    fn check(text: &str, notes: &[&str], incomplete: usize) {
        let (found, cut) = notes_in(text);
        assert_eq!(
            (found.iter().map(String::as_str).collect::<Vec<_>>(), cut),
            (notes.to_vec(), incomplete),
            "{text:?}"
        );
    }

    #[test]
    fn notes_stand_one_behind_the_other_with_empty_lines_between() {
        check("", &[], 0);
        check("\n\n", &[], 0);
        check(NOTE, &[NOTE], 0);
        check(&format!("{NOTE}\n"), &[NOTE], 0);
        check(&format!("{NOTE}\n{COSIGNED}\n{NOTE}\n"), &[NOTE, COSIGNED, NOTE], 0);
        check(&format!("{NOTE}{COSIGNED}"), &[NOTE, COSIGNED], 0);
        check(&format!("{NOTE}\n\n\n{NOTE}"), &[NOTE, NOTE], 0);
    }

    #[test]
    fn a_note_that_a_crash_cut_off_is_counted_and_those_around_it_are_read() {
        check(&format!("{NOTE}\nlog\n2\nro"), &[NOTE], 1);
        check("log\n2", &[], 1);
        check(&format!("{NOTE}\nlog\n2\nroot\n\n"), &[NOTE], 1);
        let (notes, incomplete) = notes_in(&format!("{NOTE}\nlog\n2\nroot\n\n\n{NOTE}"));
        assert_eq!((notes.len(), incomplete), (2, 1));
    }
}
