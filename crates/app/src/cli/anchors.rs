//! What `verify` compares the log with: saved checkpoints, files of published checkpoints, and witnesses.
//!
//! All of them are collected before the store is read. The log only grows, so everything that was signed by then must be in it.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use countersign_config::Config;
use countersign_ledger::{Checkpoint, NOTE_BYTES_MAX, VerifyingKey, WitnessKey};
use countersign_store::{Anchor, Clock, SystemClock};

use super::{arguments::VerifyFlags, failure::Failure};
use crate::witnesses::{COSIGNATURE_AGE_S_MAX, fetch_last};

/// A file of published checkpoints grows by one note per checkpoint. This is enough for some years of a busy log.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// Checkpoints from elsewhere.
#[derive(Default)]
pub(super) struct Anchors {
    pub(super) notes: Vec<Anchor>,
    /// Problems found before the log is compared.
    pub(super) findings: Vec<String>,
    /// One line for each source, shown in the result.
    pub(super) sources: Vec<String>,
}

pub(super) fn gather(flags: &VerifyFlags, config: &Config, key: &VerifyingKey) -> Result<Anchors, Failure> {
    let mut anchors = Anchors::default();
    if !flags.witness_keys.is_empty() && flags.checkpoints.is_empty() && flags.witnesses.is_empty() {
        return Err(Failure::misuse("--witness-key says whose cosignatures to check, but no checkpoint is given")
            .help("give --witness URL, --witness FILE or --checkpoint NOTE with it"));
    }
    for path in &flags.checkpoints {
        let (label, note) = read_note(path)?;
        anchors.sources.push(label.clone());
        anchors.notes.push(Anchor { label, note });
    }
    for witness in &flags.witnesses {
        if witness.starts_with("http://") || witness.starts_with("https://") {
            anchors.ask_witness(witness, flags, config, key)?;
        } else if witness.contains("://") {
            return Err(Failure::misuse(format!(
                "--witness {witness}: only http and https addresses or a file are accepted"
            )));
        } else {
            anchors.read_file(Path::new(witness))?;
        }
    }
    // Saved notes have cosignatures too. They can be checked if the witness's key is given.
    for witness in given_witness_keys(flags)? {
        anchors.check_cosignatures(&witness);
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
    if let Err(error) = Checkpoint::claimed_by(&note) {
        return Err(Failure::misuse(format!("--checkpoint {}: is not a checkpoint: {error}", path.display()))
            .help("save one with `curl …/api/ledger/checkpoint`, or copy ledger.checkpoint"));
    }
    Ok((label, note))
}

impl Anchors {
    /// Checks that a witness cosigned at least one of the notes, and that none of its cosignatures is wrong.
    fn check_cosignatures(&mut self, witness: &WitnessKey) {
        let mut count = 0;
        for Anchor { label, note } in &self.notes {
            let is_named = note.lines().any(|line| line.starts_with(&format!("— {} ", witness.name())));
            match witness.cosignature_on(note) {
                Ok(_) => count += 1,
                Err(_) if !is_named => {}
                Err(error) => {
                    self.findings.push(format!("{label}: the cosignature of {} is invalid: {error}", witness.name()));
                }
            }
        }
        match count {
            0 => self.findings.push(format!("none of the given checkpoints is cosigned by {}", witness.name())),
            count => self.sources.push(format!("{count} of these cosigned by {}", witness.name())),
        }
    }

    /// Asks a witness for the last checkpoint that it cosigned. Its key comes from the operator, because a witness that vouches
    /// for its own key proves nothing.
    fn ask_witness(
        &mut self,
        url: &str,
        flags: &VerifyFlags,
        config: &Config,
        key: &VerifyingKey,
    ) -> Result<(), Failure> {
        let url = url.trim_end_matches('/');
        let keys = witness_keys(url, flags, config)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::new(format!("could not ask the witness: {error}")))?;
        let answer = runtime.block_on(fetch_last(url, key.name())).map_err(|why| {
            Failure::new(format!("could not ask the witness at {url}: {why}"))
                .help("only a `countersign witness` can be asked; for another witness, save its cosigned checkpoint and use --checkpoint")
        })?;
        let Some(note) = answer else {
            self.findings.push(format!(
                "the witness at {url} has not cosigned any checkpoint of {}; it may not be a witness of this log",
                key.name()
            ));
            return Ok(());
        };
        let cosignature = keys.iter().find_map(|witness| Some((witness, witness.cosignature_on(&note).ok()?)));
        let Some((witness, cosignature)) = cosignature else {
            self.findings.push(format!("the checkpoint returned by the witness at {url} is not cosigned with its key"));
            return Ok(());
        };
        let now_s = u64::try_from(SystemClock.now().millis().div_euclid(1_000)).unwrap_or(0);
        if now_s.abs_diff(cosignature.time_s) > COSIGNATURE_AGE_S_MAX {
            self.findings.push(format!(
                "the time of the cosignature returned by the witness at {url} differs from this machine's clock by {} s: it may be stale",
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
        let mut bytes = Vec::new();
        let file = fs::File::open(path).map_err(|error| fail(&error.to_string()))?;
        let read = file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| fail(&error.to_string()))?;
        if read as u64 > FILE_BYTES_MAX {
            return Err(fail("is larger than 4 GiB; pass only its last part"));
        }
        // A crash may have cut a character in half.
        let (notes, incomplete) = notes_in(&String::from_utf8_lossy(&bytes));
        if notes.is_empty() {
            return Err(fail("contains no signed checkpoint")
                .help("the file must be one that `ledger.publish` wrote, or notes separated by empty lines"));
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

fn given_witness_keys(flags: &VerifyFlags) -> Result<Vec<WitnessKey>, Failure> {
    let given = flags.witness_keys.iter().map(|given| {
        let text = if Path::new(given).exists() {
            fs::read_to_string(given).map_err(|error| Failure::new(format!("--witness-key {given}: {error}")))?
        } else {
            given.clone()
        };
        WitnessKey::parse(text.trim()).map_err(|error| Failure::new(format!("--witness-key: {error}")))
    });
    given.collect()
}

fn witness_keys(url: &str, flags: &VerifyFlags, config: &Config) -> Result<Vec<WitnessKey>, Failure> {
    let mut keys = given_witness_keys(flags)?;
    if keys.is_empty() {
        keys.extend(config.ledger.witnesses.iter().filter(|witness| witness.url == url).map(|one| one.key.clone()));
    }
    if keys.is_empty() {
        return Err(Failure::new(format!("the key of the witness at {url} is unknown"))
            .help("pass the key that the witness printed at its start: --witness-key KEY"));
    }
    Ok(keys)
}

/// The notes in a file, and how many are incomplete because of a crash. Someone who could shorten a note could also remove it, so
/// an incomplete note is not a finding. A note is three lines, an empty line and signatures; any other lines before it belong
/// to an incomplete note.
fn notes_in(text: &str) -> (Vec<String>, usize) {
    let (mut notes, mut incomplete) = (Vec::new(), 0);
    let mut before: Vec<&str> = Vec::new();
    let mut note: Option<String> = None;
    // Add an empty line after the last note, in case the file ends without one.
    for line in text.split('\n').chain([""]) {
        let is_signing = line.starts_with("— ");
        if let Some(signed) = note.as_mut().filter(|_| is_signing) {
            // An incomplete cosignature doesn't affect the log's own signature.
            if is_signature(line) {
                signed.push_str(line);
                signed.push('\n');
            }
            continue;
        }
        if let Some(signed) = note.take() {
            if signed.lines().any(is_signature) { notes.push(signed) } else { incomplete += 1 }
        }
        match before.as_slice() {
            [cut @ .., origin, size, root, ""] if is_signing => {
                incomplete += usize::from(cut.iter().any(|line| !line.is_empty()));
                note = Some(format!("{origin}\n{size}\n{root}\n\n{line}\n"));
                before.clear();
            }
            _ => before.push(line),
        }
    }
    incomplete += usize::from(before.iter().any(|line| !line.is_empty()));
    (notes, incomplete)
}

/// Whether a line is a complete signature: a name, and in base64 four bytes of the key's hash and 64 bytes of signature, or 72
/// with a witness's time.
fn is_signature(line: &str) -> bool {
    let encoded = line.strip_prefix("— ").and_then(|rest| rest.split_once(' ')).map(|(_, encoded)| encoded);
    let decoded = encoded.and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
    decoded.is_some_and(|bytes| matches!(bytes.len(), 68 | 76))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "log\n1\nroot\n\n— log AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    const COSIGNED: &str = "log\n2\nroot\n\n— log AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n— witness AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n";

    fn check(text: &str, notes: &[&str], incomplete: usize) {
        let (found, cut) = notes_in(text);
        assert_eq!(
            (found.iter().map(String::as_str).collect::<Vec<_>>(), cut),
            (notes.to_vec(), incomplete),
            "{text:?}"
        );
    }

    #[test]
    fn notes_are_separated_by_empty_lines() {
        check("", &[], 0);
        check("\n\n", &[], 0);
        check(NOTE, &[NOTE], 0);
        check(&format!("{NOTE}\n"), &[NOTE], 0);
        check(&format!("{NOTE}\n{COSIGNED}\n{NOTE}\n"), &[NOTE, COSIGNED, NOTE], 0);
        check(&format!("{NOTE}{COSIGNED}"), &[NOTE, COSIGNED], 0);
        check(&format!("{NOTE}\n\n\n{NOTE}"), &[NOTE, NOTE], 0);
    }

    #[test]
    fn an_incomplete_note_is_counted_and_the_notes_around_it_are_read() {
        check(&format!("{NOTE}\nlog\n2\nro"), &[NOTE], 1);
        check("log\n2", &[], 1);
        check(&format!("{NOTE}\nlog\n2\nroot\n\n"), &[NOTE], 1);
        check(&format!("{NOTE}\nlog\n2\nroot\n\n\n{NOTE}"), &[NOTE, NOTE], 1);
    }

    #[test]
    fn a_note_cut_anywhere_is_skipped_and_notes_after_it_are_read() {
        for cut in 1..NOTE.len() - 1 {
            let half = String::from_utf8_lossy(&NOTE.as_bytes()[..cut]).into_owned();
            check(&format!("\n{NOTE}\n\n{half}"), &[NOTE], 1);
            check(&format!("\n{NOTE}\n\n{half}\n{COSIGNED}\n"), &[NOTE, COSIGNED], 1);
        }
        let cut = COSIGNED.trim_end_matches('=').len() - 20;
        let not_cosigned = &COSIGNED[..=COSIGNED.find("\n— witness").unwrap()];
        check(&format!("{}\n{NOTE}", &COSIGNED[..cut]), &[not_cosigned, NOTE], 0);
    }
}
