//! The exact form in which this log writes a signed checkpoint. A note in another form was written by somebody else.
//!
//! A note is the checkpoint's three lines, a blank line, the signature of the log's own key, and then the cosignatures of
//! witnesses. [`VerifyingKey::open`] checks the signature and accepts everything else that the C2SP form allows; here nothing
//! else is accepted. Cosignatures are not verified here.

use base64::prelude::{BASE64_STANDARD, Engine};
use countersign_ledger::{Checkpoint, LedgerError, VerifyingKey};

/// A witness's cosignature in C2SP form: a key id, a timestamp, and an Ed25519 signature.
const COSIGNATURE_BYTES: usize = 4 + 8 + 64;

/// The checkpoint in a note that the log's key signed, if the note has exactly the form in which the log writes it.
pub(crate) fn open_exactly(key: &VerifyingKey, note: &str) -> Result<Checkpoint, String> {
    let checkpoint = key.open(note).map_err(|error: LedgerError| error.to_string())?;
    let signatures = note
        .strip_prefix(&checkpoint.body())
        .and_then(|rest| rest.strip_prefix('\n'))
        .ok_or("it has lines that this log does not write")?;
    let mut signatures = signatures.split_terminator('\n');
    let own_start = format!("— {} ", key.name());
    if !signatures.next().is_some_and(|line| line.starts_with(&own_start)) {
        return Err("its first signature is not the log's".into());
    }
    for line in signatures {
        if line.starts_with(&own_start) {
            return Err("it has a second signature in the log's name".into());
        }
        if !is_cosignature(line) {
            return Err("it has a signature line that is neither the log's nor a witness's".into());
        }
    }
    Ok(checkpoint)
}

fn is_cosignature(line: &str) -> bool {
    let encoded = line.rsplit_once(' ').map(|(_, encoded)| encoded);
    encoded.and_then(|text| BASE64_STANDARD.decode(text).ok()).is_some_and(|bytes| bytes.len() == COSIGNATURE_BYTES)
}

#[cfg(test)]
mod tests {
    use countersign_ledger::{Frontier, SigningKey};

    use super::*;

    fn key() -> SigningKey {
        SigningKey::from_seed("countersign/test", &[7; 32]).unwrap()
    }

    fn note() -> String {
        let origin = "countersign/test".to_owned();
        key().sign(&Checkpoint { origin, size: 12, root: Frontier::new().root() })
    }

    fn line(name: &str, bytes: usize) -> String {
        format!("— {name} {}\n", BASE64_STANDARD.encode(vec![7; bytes]))
    }

    fn check(note: &str, expected: Option<&str>) {
        let error = open_exactly(&key().verifying_key(), note).err();
        match expected {
            None => assert_eq!(error, None, "{note}"),
            Some(part) => assert!(error.as_ref().is_some_and(|error| error.contains(part)), "{error:?}: {note}"),
        }
    }

    #[test]
    fn a_note_as_we_write_it_is_opened_with_and_without_cosignatures() {
        check(&note(), None);
        check(&(note() + &line("witness.example/w", COSIGNATURE_BYTES)), None);
    }

    #[test]
    fn a_note_that_we_would_not_have_written_is_refused() {
        let own = note().lines().last().unwrap().to_owned() + "\n";
        check(&(note() + &own), Some("a second signature in the log's name"));
        check(&(note() + &line("countersign/test", COSIGNATURE_BYTES)), Some("a second signature in the log's name"));
        check(&(note() + &line("somebody", 68)), Some("neither the log's nor a witness's"));
        let body = note().split_once("\n\n").unwrap().0.to_owned();
        check(&format!("{body}\n\n{}{own}", line("witness.example/w", 76)), Some("first signature is not the log's"));
        for changed in [
            format!("{}\n", note()),
            format!(" {}", note()),
            note().replace("\n\n", "\n \n\n"),
            note().replace('\n', "\r\n"),
        ] {
            check(&changed, Some(""));
        }
    }
}
