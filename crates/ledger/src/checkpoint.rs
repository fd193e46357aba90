//! A tree head as text, in the C2SP tlog-checkpoint form.
//!
//! It has no signatures; `note.rs` adds them. Extension lines of other logs are accepted and dropped. We never write any, because
//! nobody could audit them.

use crate::note::Note;
use crate::{Hash, LedgerError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

impl Checkpoint {
    /// The text that is signed: origin, size and root, each on a line of its own.
    pub fn body(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, self.root.to_base64())
    }

    /// The checkpoint of a note whose signatures have not been checked. Only use it to find the key to check them with.
    pub fn claimed_by(note: &str) -> Result<Self, LedgerError> {
        Self::parse_body(Note::parse(note)?.text)
    }

    pub fn parse_body(body: &str) -> Result<Self, LedgerError> {
        let text = body.strip_suffix('\n').ok_or(LedgerError::BadNote("the text does not end in a newline"))?;
        let mut lines = text.split('\n');
        let origin = lines.next().filter(|line| !line.is_empty()).ok_or(LedgerError::BadNote("no origin line"))?;
        let size = lines.next().and_then(parse_size).ok_or(LedgerError::BadNote("no tree size on the second line"))?;
        let root = lines.next().and_then(|line| Hash::from_base64(line).ok());
        let root = root.ok_or(LedgerError::BadNote("no root hash on the third line"))?;
        if lines.any(str::is_empty) {
            return Err(LedgerError::BadNote("an extension line is empty"));
        }
        Ok(Self { origin: origin.to_owned(), size, root })
    }
}

/// Accepts no sign and no leading zero, so that each size has exactly one text.
pub(crate) fn parse_size(line: &str) -> Option<u64> {
    let size: u64 = line.parse().ok()?;
    (size.to_string() == line).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";

    #[test]
    fn the_published_example_is_read_and_written_back_unchanged() {
        let body = format!("example.com/behind-the-sofa\n20852163\n{ROOT}\n");
        let checkpoint = Checkpoint::parse_body(&body).unwrap();
        assert_eq!((checkpoint.origin.as_str(), checkpoint.size), ("example.com/behind-the-sofa", 20_852_163));
        assert_eq!(checkpoint.body(), body);
    }

    fn check_size(size: &str, expected: Option<u64>) {
        let parsed = Checkpoint::parse_body(&format!("log\n{size}\n{ROOT}\n"));
        assert_eq!(parsed.ok().map(|checkpoint| checkpoint.size), expected, "{size:?}");
    }

    #[test]
    fn a_size_is_plain_decimal_without_leading_zeros() {
        check_size("0", Some(0));
        check_size("18446744073709551615", Some(u64::MAX));
        for refused in ["", "00", "01", "+1", "-1", " 1", "1 ", "1.0", "0x1", "١", "18446744073709551616"] {
            check_size(refused, None);
        }
    }

    fn check_refused(body: &str, expected: &'static str) {
        assert_eq!(Checkpoint::parse_body(body), Err(LedgerError::BadNote(expected)), "{body:?}");
    }

    #[test]
    fn a_body_with_a_broken_line_is_refused() {
        check_refused("", "the text does not end in a newline");
        check_refused(&format!("log\n1\n{ROOT}"), "the text does not end in a newline");
        check_refused("\n", "no origin line");
        check_refused(&format!("\n1\n{ROOT}\n"), "no origin line");
        check_refused("log\n", "no tree size on the second line");
        check_refused("log\n1\n", "no root hash on the third line");
        check_refused("log\n1\nAAAA\n", "no root hash on the third line");
        check_refused(&format!("log\n1\n{ROOT}\n\n"), "an extension line is empty");
        check_refused(&format!("log\n1\n{ROOT}\nmore\n\nmore\n"), "an extension line is empty");
    }

    #[test]
    fn extension_lines_are_ignored() {
        let plain = Checkpoint::parse_body(&format!("log\n1\n{ROOT}\n")).unwrap();
        assert_eq!(Checkpoint::parse_body(&format!("log\n1\n{ROOT}\nanything\nat all\n")), Ok(plain));
    }
}
