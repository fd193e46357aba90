//! The C2SP signed-note envelope: a text, a blank line, and signature lines.
//!
//! It only parses notes and writes signature lines. `key.rs` checks signatures, and no text may be trusted before that.

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::LedgerError;

pub const NOTE_BYTES_MAX: usize = 64 * 1024;
pub const NOTE_SIGNATURES_MAX: usize = 100;

pub(crate) type NoteKeyId = [u8; 4];

#[derive(Debug)]
pub(crate) struct Note<'a> {
    /// Includes its final newline, and is what signatures cover.
    pub(crate) text: &'a str,
    pub(crate) signatures: Vec<NoteSignature<'a>>,
}

#[derive(Debug)]
pub(crate) struct NoteSignature<'a> {
    pub(crate) name: &'a str,
    pub(crate) key_id: NoteKeyId,
    pub(crate) bytes: Vec<u8>,
}

impl<'a> Note<'a> {
    pub(crate) fn parse(note: &'a str) -> Result<Self, LedgerError> {
        if note.len() > NOTE_BYTES_MAX {
            return Err(LedgerError::BadNote("it is too long"));
        }
        if note.chars().any(|c| c < ' ' && c != '\n') {
            return Err(LedgerError::BadNote("it contains a control character"));
        }
        // The text may contain blank lines, so the last one is the separator.
        let (text, lines) = note
            .rfind("\n\n")
            .and_then(|end| Some((note.get(..=end)?, note.get(end + 2..)?)))
            .ok_or(LedgerError::BadNote("no blank line before the signatures"))?;
        let lines = lines.strip_suffix('\n').ok_or(LedgerError::BadNote("the last signature line has no newline"))?;
        if lines.split('\n').count() > NOTE_SIGNATURES_MAX {
            return Err(LedgerError::BadNote("it has too many signatures"));
        }
        let signatures: Option<Vec<_>> = lines.split('\n').map(NoteSignature::parse).collect();
        let signatures = signatures.ok_or(LedgerError::BadNote("a signature line is malformed"))?;
        Ok(Self { text, signatures })
    }
}

impl<'a> NoteSignature<'a> {
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix("— ")?.split_once(' ')?;
        let decoded = BASE64_STANDARD.decode(encoded).ok()?;
        let (key_id, bytes) = decoded.split_first_chunk()?;
        (is_key_name(name) && !bytes.is_empty()).then(|| Self { name, key_id: *key_id, bytes: bytes.to_vec() })
    }
}

/// A signature line, with its newline.
pub(crate) fn signature_line(name: &str, key_id: NoteKeyId, signature: &[u8]) -> String {
    format!("— {name} {}\n", BASE64_STANDARD.encode([&key_id[..], signature].concat()))
}

pub(crate) fn is_key_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_blank_line_separates_text_from_signatures() {
        let note = Note::parse("one\n\ntwo\n\n— a AAAAAQI=\n— b/c AAAAAgM=\n").unwrap();
        assert_eq!(note.text, "one\n\ntwo\n");
        let signatures: Vec<_> = note.signatures.iter().map(|s| (s.name, s.key_id, s.bytes.as_slice())).collect();
        assert_eq!(signatures, [("a", [0, 0, 0, 1], &[2][..]), ("b/c", [0, 0, 0, 2], &[3])]);
    }

    fn check_refused(note: &str, expected: &'static str) {
        assert_eq!(Note::parse(note).err(), Some(LedgerError::BadNote(expected)), "{:.80}", note);
    }

    #[test]
    fn a_malformed_note_is_refused() {
        check_refused("", "no blank line before the signatures");
        check_refused("text\n", "no blank line before the signatures");
        check_refused("text\n— a AAAAAQI=\n", "no blank line before the signatures");
        check_refused("text\n\n", "the last signature line has no newline");
        check_refused("text\n\n— a AAAAAQI=", "the last signature line has no newline");
        check_refused("te\txt\n\n— a AAAAAQI=\n", "it contains a control character");
        check_refused("text\r\n\n— a AAAAAQI=\n", "it contains a control character");
        check_refused(&"x".repeat(NOTE_BYTES_MAX + 1), "it is too long");
        check_refused(&format!("text\n\n{}", "— a AAAAAQI=\n".repeat(101)), "it has too many signatures");
    }

    #[test]
    fn a_malformed_signature_line_is_refused() {
        for line in [
            "- a AAAAAQI=",
            "—a AAAAAQI=",
            "— AAAAAQI=",
            "—  AAAAAQI=",
            "— a+b AAAAAQI=",
            "— a\u{a0}b AAAAAQI=",
            "— a",
            "— a ",
            "— a AAAAAQ==",
            "— a AAAAAQI",
            "— a AAAAAQI= ",
            "— a b AAAAAQI=",
            "— a AAAAAQI=\ntrailing",
        ] {
            check_refused(&format!("text\n\n{line}\n"), "a signature line is malformed");
        }
    }
}
