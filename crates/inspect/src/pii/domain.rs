//! Finds web sites named without a scheme: `firm.org`, `www.firm.co.uk/about`. Their type is URL; `url` handles
//! addresses with a scheme.
//!
//! Many words with a dot only resemble a domain (`main.rs`, `e.g.`, a full stop without a space). If the last label is
//! also a word or a file extension, the name needs `www.`, a path, a further label or a context word about web sites.

use super::top_level::{self, Top};
use super::{hit, url};
use crate::context::{ContextWords, char_before, joins, near, run, run_back};
use crate::finding::Hit;

static WORDS: ContextWords =
    ContextWords::new(&["website", "web site", "site", "domain", "web", "homepage", "visit", "browse", "www"]);
const HOST_BYTES_MAX: usize = 128;

/// `dot` is the offset of any full stop; only the last one of a name is examined further.
pub(super) fn at(text: &str, dot: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let label = run(&bytes[dot + 1..], top_level::LENGTH_MAX + 1, |byte| byte.is_ascii_alphabetic());
    if label < 2 || !dot.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_alphanumeric()) {
        return None;
    }
    let name_end = dot + 1 + label;
    if !ends(bytes, name_end) {
        return None;
    }
    let top = kind(&bytes[dot + 1..name_end]);
    if top == Top::Unknown {
        return None;
    }
    let host =
        run_back(&bytes[..dot], HOST_BYTES_MAX + 1, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    let start = dot - host + run(&bytes[dot - host..dot], host, |byte| matches!(byte, b'-' | b'.'));
    let name = &text[start..dot];
    if host > HOST_BYTES_MAX || !begins(text, start) || !has_valid_labels(name) {
        return None;
    }
    let end = url::end(text, start, name_end);
    let www = name.get(..4).is_some_and(|opening| opening.eq_ignore_ascii_case("www."));
    let certain = www || end > name_end + 1 || second_level(name) || near(text, &(start..end), &WORDS);
    let (score, why) = match top {
        _ if www => (0.7, "a name that starts with www and ends in"),
        Top::Clear => (0.6, "a name that ends in"),
        _ if certain => (0.55, "further signs of a web address and a name that ends in"),
        _ => return None,
    };
    Some(hit("URL", "pii/url", start..end, score, format!("{why} a known top-level domain")))
}

/// The kind of a top-level domain in lower case; the oldest ones also count in capitals.
fn kind(label: &[u8]) -> Top {
    match std::str::from_utf8(label) {
        Ok(label) if label.bytes().all(|byte| byte.is_ascii_lowercase()) => top_level::kind(label),
        Ok("COM" | "ORG" | "EDU" | "GOV") => Top::Clear,
        _ => Top::Unknown,
    }
}

fn begins(text: &str, start: usize) -> bool {
    char_before(text, start).is_none_or(|letter| !joins(letter) && !"/@\\_$%~&=".contains(letter))
}

/// Whether the name ends here, instead of continuing as a longer name, a mail address or an expression in code.
fn ends(bytes: &[u8], end: usize) -> bool {
    let next_joins = bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
    match bytes.get(end) {
        None => true,
        Some(byte) if byte.is_ascii_alphanumeric() => false,
        Some(b'_' | b'@' | b'(' | b'=' | b'[') => false,
        Some(b'.' | b'-') => !next_joins,
        Some(_) => true,
    }
}

/// Whether the name ends in a second-level label, such as `firm.co` before `.uk`.
fn second_level(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, label)| matches!(label, "com" | "co" | "org" | "net" | "gov" | "edu" | "ac"))
}

fn has_valid_labels(name: &str) -> bool {
    let whole = name.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
    let last = name.rsplit('.').next().unwrap_or_default();
    whole && last.len() >= 2 && name.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn a_bare_name_is_found() {
        check(
            "See firm.org, or www.firm.co.uk/about?x=1.",
            &[("URL", "firm.org"), ("URL", "www.firm.co.uk/about?x=1")],
        );
        check("TheFirm.com.br: yes", &[("URL", "TheFirm.com.br")]);
        check("our website firm.it", &[("URL", "firm.it")]);
        check("看firm.com吧", &[("URL", "firm.com")]);
    }

    #[test]
    fn words_file_names_and_code_are_not_domains() {
        check("main.rs and setup.py, e.g. x.y, Node.js, std.in(), VB.NET; done.It is good.so be it", &[]);
        check("a.com_x and foo.com-bar and obj.net= and 3.14 and v1.2.io2 and -.com", &[]);
    }

    #[test]
    fn the_domain_of_a_mail_address_is_not_another_finding() {
        check("ann.com@firm.org", &[("EMAIL", "ann.com@firm.org")]);
    }
}
