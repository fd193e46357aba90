//! Replaces identifiers and secrets by their type: `[EMAIL]`. Only PII; a threat or an injection is not masked.

use crate::{Finding, Kind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    pub text: String,
    /// Index of the finding, then start and end of its mask in the new text, in code points.
    pub spans: Vec<(usize, usize, usize)>,
}

/// Masks the PII findings with a score of at least 0.5. `findings` must be of this text, sorted by start; a finding
/// outside the text or over an earlier mask is left out.
pub fn mask_pii(text: &str, findings: &[Finding]) -> Masked {
    let mut masked = Masked { text: String::with_capacity(text.len()), spans: Vec::new() };
    let mut rest = text.char_indices();
    let (mut read_chars, mut read_bytes, mut written_chars) = (0, 0, 0);
    let mut byte_at = |chars: usize, read_chars: &mut usize, read_bytes: &mut usize| -> Option<usize> {
        while *read_chars < chars {
            let (at, letter) = rest.next()?;
            *read_bytes = at + letter.len_utf8();
            *read_chars += 1;
        }
        Some(*read_bytes)
    };
    for (index, finding) in findings.iter().enumerate() {
        let counts = finding.kind == Kind::Pii && finding.score >= 0.5 && finding.start < finding.end;
        if !counts || finding.start < read_chars {
            continue;
        }
        let (copied_bytes, copied_chars) = (read_bytes, read_chars);
        let Some(start) = byte_at(finding.start, &mut read_chars, &mut read_bytes) else {
            read_bytes = copied_bytes;
            break;
        };
        masked.text.push_str(&text[copied_bytes..start]);
        written_chars += finding.start - copied_chars;
        byte_at(finding.end, &mut read_chars, &mut read_bytes);
        let mask_chars = finding.r#type.chars().count() + 2;
        masked.text.push('[');
        masked.text.push_str(finding.r#type);
        masked.text.push(']');
        masked.spans.push((index, written_chars, written_chars + mask_chars));
        written_chars += mask_chars;
    }
    masked.text.push_str(&text[read_bytes..]);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect;

    #[test]
    fn pii_becomes_its_type_and_the_rest_stays() {
        let text = "Größe: schreib an ann@firm.org oder bob@firm.org!";
        let masked = mask_pii(text, &inspect(text));
        assert_eq!(masked.text, "Größe: schreib an [EMAIL] oder [EMAIL]!");
        assert_eq!(masked.spans, [(0, 18, 25), (1, 31, 38)]);
    }

    #[test]
    fn what_is_uncertain_or_not_pii_stays() {
        for text in ["ping 127.0.0.1", "you are an idiot", "", "größer"] {
            assert_eq!(mask_pii(text, &inspect(text)), Masked { text: text.into(), spans: vec![] });
        }
    }

    #[test]
    fn findings_of_another_text_do_no_harm() {
        let findings = inspect("a long way to ann@firm.org and bob@firm.org");
        assert_eq!(mask_pii("short ü", &findings).text, "short ü");
        assert_eq!(mask_pii("a long way to ann", &findings).text, "a long way to [EMAIL]");
    }
}
