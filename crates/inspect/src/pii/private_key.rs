//! Finds PEM blocks with a private key, on separate lines or escaped into one. A header without a body is probably only
//! talk about keys, so it scores low.

use std::ops::Range;

use super::hit;
use crate::context::run;
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};
use crate::window::OPEN_BYTES_MAX;

const LABEL_BYTES_MAX: usize = 40;
/// Body lines have 64 or 76 characters; only the last one is shorter.
const LINE_BYTES_MIN: usize = 40;
const GAP_BYTES_MAX: usize = 8;

pub(super) fn anchors() -> Vec<ScanAnchor> {
    vec![(b"-----BEGIN ".to_vec(), ScanCheck::Verify(verify))]
}

fn verify(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let label = run(&bytes[anchor.end..], LABEL_BYTES_MAX, |byte| byte.is_ascii_uppercase() || byte == b' ');
    let body = anchor.end + label;
    if !text[anchor.end..body].ends_with("PRIVATE KEY") || !bytes[body..].starts_with(b"-----") {
        return None;
    }
    let header_end = body + 5;
    let end = body_end(&bytes[..bytes.len().min(anchor.start + OPEN_BYTES_MAX)], header_end);
    let (score, what) = if end > header_end { (0.99, "with key data") } else { (0.3, "without key data") };
    Some(hit("PRIVATE_KEY", "pii/private_key", anchor.start..end, score, format!("the header of a private key {what}")))
}

/// The end of the base64 lines and the footer, if there is one.
fn body_end(bytes: &[u8], header_end: usize) -> usize {
    let mut end = header_end;
    loop {
        let line = end + gap(&bytes[end..]);
        if bytes[line..].starts_with(b"-----END ") {
            let label = line + 9 + run(&bytes[line + 9..], LABEL_BYTES_MAX, |byte| byte != b'-' && byte.is_ascii());
            return label + run(&bytes[label..], 5, |byte| byte == b'-');
        }
        let length = run(&bytes[line..], bytes.len(), |byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        let line_end = line + length;
        let last = bytes[line_end + gap(&bytes[line_end..])..].starts_with(b"-----END ");
        let open = line_end == bytes.len() && end > header_end;
        if length == 0 || (length < LINE_BYTES_MIN && !last && !open) {
            return end;
        }
        end = line_end;
    }
}

/// The length of white space between lines, real or escaped.
fn gap(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < GAP_BYTES_MAX {
        match bytes.get(at..) {
            Some([b'\\', b'n' | b'r', ..]) => at += 2,
            Some([byte, ..]) if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    fn lines(count: usize, joint: &str) -> String {
        format!("{}{joint}", "Ab1+".repeat(16)).repeat(count)
    }

    #[test]
    fn a_whole_block_is_found() {
        for joint in ["\n", "\r\n", "\\n"] {
            let key = format!(
                "-----BEGIN RSA PRIVATE KEY-----{joint}{}Zz9={joint}-----END RSA PRIVATE KEY-----",
                lines(8, joint)
            );
            check(&format!("key = \"{key}\" and more words"), &[("PRIVATE_KEY", &key)]);
        }
    }

    #[test]
    fn a_truncated_block_is_found_up_to_its_end() {
        let key = format!("-----BEGIN PRIVATE KEY-----\n{}", lines(3, "\n"));
        check(&format!("{key}That was all."), &[("PRIVATE_KEY", key.trim_end())]);
    }

    #[test]
    fn a_mention_or_a_public_key_is_not_a_secret() {
        check_uncertain(
            "It starts with -----BEGIN PRIVATE KEY----- and then base64.",
            &[("PRIVATE_KEY", "-----BEGIN PRIVATE KEY-----")],
        );
        check(&format!("-----BEGIN PUBLIC KEY-----\n{}", lines(3, "\n")), &[]);
    }
}
