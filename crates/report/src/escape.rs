//! Escapes text from outside for documents, so that it can't become structure, a link, an image or markup.

use countersign_domain::json::to_string_pretty;

use crate::redact::{cleaned, is_clean};

/// One line of Markdown that shows exactly this text, in a paragraph, a list item or a table cell.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    escape_into(&mut escaped, text);
    escaped
}

/// Like [`escape_markdown`], but appends to a document.
pub(crate) fn escape_into(escaped: &mut String, text: &str) {
    escape_part(escaped, &cleaned(text), true);
}

/// Escapes a part of a clean line. At the beginning of a line, more characters have a meaning, such as those of lists.
fn escape_part(escaped: &mut String, text: &str, is_beginning: bool) {
    let mut done = 0;
    // Only ASCII punctuation can have a meaning in Markdown; everything else is copied unchanged.
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| MAY_NEED_ESCAPE[usize::from(*byte)]) {
        // Entities rather than backslashes, because they work in every renderer.
        let (replacement, next) = match byte {
            b'<' => ("&lt;", at + 1),
            b'>' => ("&gt;", at + 1),
            b'&' => ("&amp;", at + 1),
            _ if needs_backslash(text, at, is_beginning) => ("\\", at),
            _ => continue,
        };
        escaped.push_str(&text[done..at]);
        escaped.push_str(replacement);
        done = next;
    }
    escaped.push_str(&text[done..]);
}

/// Characters that can have a meaning in some position. `!` has one only before `[`, which is always escaped.
const MAY_NEED_ESCAPE: [bool; 256] = byte_set(b"<>&\\`*[]|~@$_/.)#+-=:");

/// A table that says for each byte whether it is one of these.
pub(crate) const fn byte_set(bytes: &[u8]) -> [bool; 256] {
    let mut is_in = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        is_in[bytes[at] as usize] = true;
        at += 1;
    }
    is_in
}

/// Whether the punctuation at this byte needs a backslash.
fn needs_backslash(text: &str, at: usize, is_beginning: bool) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    match text.as_bytes()[at] {
        b'\\' | b'`' | b'*' | b'[' | b']' | b'|' | b'~' | b'@' | b'$' => true,
        // Between letters it doesn't emphasise, and `amount_deviation` stays readable.
        b'_' => !(before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)),
        // Bare web addresses become links.
        b'/' => before.ends_with(':') && after.starts_with('/'),
        b'.' | b')' if before.ends_with(|letter: char| letter.is_ascii_digit()) => {
            is_beginning && at <= LIST_DIGITS_MAX && before.bytes().all(|byte| byte.is_ascii_digit())
        }
        b'.' => ends_in_www(before),
        b'#' | b'+' | b'-' | b'=' | b':' => is_beginning && at == 0,
        _ => false,
    }
}

/// A number with more digits doesn't start a list item.
const LIST_DIGITS_MAX: usize = 9;

fn ends_in_www(text: &str) -> bool {
    text.len() >= 3 && text.as_bytes()[text.len() - 3..].eq_ignore_ascii_case(b"www")
}

/// Escapes prose like `escape_markdown`, but keeps ids in backticks as code.
pub(crate) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let is_code = |part: &str| !part.trim().is_empty() && cleaned(part) == part && !part.contains(['<', '>', '&', '|']);
    let is_balanced = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(|part| is_code(part));
    if !is_balanced || parts.len() == 1 {
        return escape_markdown(text);
    }
    let codes = parts.iter().skip(1).step_by(2);
    if is_clean(text) {
        return joined(parts.iter().step_by(2).copied(), codes);
    }
    let around = parts.iter().step_by(2).map(|part| part.replace(STAND_IN, "")).collect::<Vec<_>>().join(STAND_IN);
    joined(cleaned(&around).split(STAND_IN), codes)
}

/// Stands for an id while the text around it is cleaned as one line. Clean text never contains private-use characters.
const STAND_IN: &str = "\u{f8ff}";

/// Escapes the texts around ids, and puts the ids between them as code.
fn joined<'a>(around: impl Iterator<Item = &'a str>, mut codes: impl Iterator<Item = &'a &'a str>) -> String {
    let mut written = String::new();
    for (at, part) in around.enumerate() {
        if at > 0
            && let Some(code) = codes.next()
        {
            written.extend(["`", code, "`"]);
        }
        escape_part(&mut written, part, at == 0);
    }
    written
}

const JSON_BLOCK_BYTES_USUAL: usize = 8 * 1024;

/// A fenced block of JSON. The fence is longer than any run of backticks inside, and markup is escaped in case a reader doesn't know
/// fences.
pub(crate) fn json_block(value: &impl serde::Serialize) -> String {
    let mut json = to_string_pretty(value, JSON_BLOCK_BYTES_USUAL).unwrap_or_default();
    if json.bytes().any(|byte| matches!(byte, b'<' | b'>' | b'&')) {
        json = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    }
    let (longest, _) = json.bytes().fold((0, 0), |(longest, run), byte| {
        let run = if byte == b'`' { run + 1 } else { 0 };
        (run.max(longest), run)
    });
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}json\n{json}\n{fence}\n")
}

/// Escapes text and attribute values of HTML.
pub(crate) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() && letter != '\n' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_character_that_can_need_a_backslash() {
        for sign in (0..=127_u8).map(char::from).filter(|sign| !MAY_NEED_ESCAPE[*sign as usize]) {
            for (before, after) in [("", ""), ("", " x"), ("1", " x"), ("a", "b"), ("a ", " b"), (":", "/"), ("", "1")]
            {
                let text = format!("{before}{sign}{after}");
                for is_beginning in [true, false] {
                    assert!(!needs_backslash(&text, before.len(), is_beginning), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn outside_text_makes_no_markdown_structure() {
        for (text, expected) in [
            ("Corner Shop", "Corner Shop"),
            ("USD 1,250.00 (paid)", "USD 1,250.00 (paid)"),
            ("# Approved", "\\# Approved"),
            ("a\n\n# Approved", "a # Approved"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("=== ", "\\==="),
            ("[x](http://evil)", "\\[x\\](http:\\//evil)"),
            ("![x](y)", "!\\[x\\](y)"),
            ("<script>", "&lt;script&gt;"),
            ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
            ("**bold** _it_ amount_deviation", "\\*\\*bold\\*\\* \\_it\\_ amount_deviation"),
            ("```\nx", "\\`\\`\\` x"),
            ("a|b", "a\\|b"),
            ("see WWW.evil.com", "see WWW\\.evil.com"),
        ] {
            assert_eq!(escape_markdown(text), expected, "{text}");
        }
    }

    #[test]
    fn ids_in_prose_are_kept_as_code() {
        for (text, expected) in [
            ("User `***7731` paid.", "User `***7731` paid."),
            ("`a` and `b`", "`a` and `b`"),
            ("odd ` tick", "odd \\` tick"),
            ("``x``", "\\`\\`x\\`\\`"),
            ("# `a`", "\\# `a`"),
            ("`<b>`", "\\`&lt;b&gt;\\`"),
        ] {
            assert_eq!(prose(text), expected, "{text}");
        }
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let block = json_block(&serde_json::json!({"memo": "````\n# x <b>"}));
        assert!(block.starts_with("`````json\n") && block.ends_with("\n`````\n"), "{block}");
        assert!(!block.contains("<b>"));
    }

    #[test]
    fn html_text_is_escaped() {
        assert_eq!(html("\" onload='x' <b>&\u{0}"), "&quot; onload=&#39;x&#39; &lt;b&gt;&amp; ");
    }
}
