//! Finds web addresses with a scheme, and addresses of any kind that contain a user and a password.
//!
//! An address without a password identifies nobody by itself: it is reported as URL and has no weight.

use std::ops::Range;

use super::{hit, top_level};
use crate::context::{char_before, joins, run, run_back};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

const SCHEME_BYTES_MAX: usize = 16;
const USER_BYTES_MAX: usize = 128;
const HOST_BYTES_MAX: usize = 128;
const URL_BYTES_MAX: usize = 1024;
const WEB: [&str; 7] = ["http", "https", "ftp", "ftps", "sftp", "ws", "wss"];

pub(super) fn anchors() -> Vec<ScanAnchor> {
    vec![(b"://".to_vec(), ScanCheck::Verify(verify))]
}

fn verify(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let scheme = run_back(&bytes[..anchor.start], SCHEME_BYTES_MAX, |byte| {
        byte.is_ascii_alphanumeric() || b"+.-".contains(&byte)
    });
    let start = anchor.start - scheme;
    if scheme == 0 || !bytes[start].is_ascii_alphabetic() {
        return None;
    }
    with_password(text, start, &anchor).or_else(|| web(text, start, &anchor))
}

fn with_password(text: &str, start: usize, anchor: &Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let user_length =
        run(&bytes[anchor.end..], USER_BYTES_MAX, |byte| byte.is_ascii_graphic() && !b"/?#\"'<>@".contains(&byte));
    let sign = anchor.end + user_length;
    let (user, password) = text[anchor.end..sign].split_once(':')?;
    if bytes.get(sign) != Some(&b'@') || password.is_empty() {
        return None;
    }
    let host = run(&bytes[sign + 1..], HOST_BYTES_MAX, |byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    let is_placeholder =
        user == password || password.starts_with(['$', '{', '[', '*']) || ["password", "pass"].contains(&password);
    let (score, what) = if is_placeholder { (0.3, " that look like placeholders") } else { (0.97, "") };
    let explanation = format!("an address with a user name and a password{what}");
    Some(hit("URL_CREDENTIALS", "pii/url_credentials", start..sign + 1 + host, score, explanation))
}

fn web(text: &str, start: usize, anchor: &Range<usize>) -> Option<Hit> {
    let scheme = &text[start..anchor.start];
    let known = WEB.iter().any(|web| web.eq_ignore_ascii_case(scheme));
    let inside = char_before(text, start).is_some_and(|letter| joins(letter) || "/_".contains(letter));
    if !known || inside {
        return None;
    }
    let bytes = text.as_bytes();
    let host = run(&bytes[anchor.end..], HOST_BYTES_MAX, |byte| is_latin(byte) || matches!(byte, b'-' | b'.'));
    let name = text.get(anchor.end..anchor.end + host)?.trim_end_matches(['.', '-']);
    let (labels, top) = name.rsplit_once('.')?;
    let letters = !top.is_empty() && top.chars().all(char::is_alphabetic);
    let numbers = top.bytes().all(|byte| byte.is_ascii_digit()) && labels.matches('.').count() == 2;
    if labels.is_empty() || !(letters || numbers) {
        return None;
    }
    let end = end(text, start, anchor.end + name.len());
    let known_top = top_level::kind(&top.to_ascii_lowercase()) != top_level::Top::Unknown;
    let what = if known_top { "with a known top-level domain" } else { "with a dot" };
    Some(hit("URL", "pii/url", start..end, 0.75, format!("a scheme such as https and a host name {what}")))
}

/// The end of an address whose host ends at `host_end`: port, path, query and fragment, without the sentence's
/// punctuation.
pub(super) fn end(text: &str, start: usize, host_end: usize) -> usize {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(host_end), Some(b'/' | b'?' | b'#' | b':')) {
        return host_end;
    }
    let room = (start + URL_BYTES_MAX).saturating_sub(host_end);
    let rest = run(&bytes[host_end..], room, |byte| {
        (byte.is_ascii_graphic() && !b"\"'<>`{}|\\^".contains(&byte)) || is_latin(byte)
    });
    let mut end = host_end + rest;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let address = &bytes[host_end..end];
    let count = |mark: u8| address.iter().filter(|&&byte| byte == mark).count();
    let mut unopened =
        [(b')', count(b')').saturating_sub(count(b'('))), (b']', count(b']').saturating_sub(count(b'[')))];
    while end > host_end {
        let last = bytes[end - 1];
        match unopened.iter_mut().find(|(close, _)| *close == last) {
            Some((_, 0)) => break,
            Some((_, left)) => *left -= 1,
            None if b".,;:!?*_&".contains(&last) => {}
            None => break,
        }
        end -= 1;
    }
    end
}

/// ASCII letters and digits, and both bytes of accented Latin letters. Text in other scripts may follow an address
/// directly.
fn is_latin(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, 0x80..=0xBF | 0xC3..=0xC9)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn an_address_with_a_password_is_found() {
        check(
            "postgres://ann:s3cret@db.firm.org:5432/x",
            &[("URL_CREDENTIALS", "postgres://ann:s3cret@db.firm.org:5432")],
        );
        check("(https://bot:t0ken@host/path)", &[("URL_CREDENTIALS", "https://bot:t0ken@host")]);
    }

    #[test]
    fn a_placeholder_is_not_a_password() {
        check("postgres://postgres:postgres@localhost and https://user:pass@host", &[]);
        check("http://localhost:3000/x and file:///tmp/x and https://", &[]);
    }

    #[test]
    fn a_web_address_is_found_without_the_punctuation_around_it() {
        check("Look: https://www.FirmName.com.br/.", &[("URL", "https://www.FirmName.com.br/")]);
        check(
            "[x](https://firm.org/a_(b)?c=d#e), then http://büro.de/größe!",
            &[("URL", "https://firm.org/a_(b)?c=d#e"), ("URL", "http://büro.de/größe")],
        );
        check(
            "<http://firm.org:8080> and \"https://firm.org/@ann/x\"",
            &[("URL", "http://firm.org:8080"), ("URL", "https://firm.org/@ann/x")],
        );
        check("看https://firm.org吧", &[("URL", "https://firm.org")]);
    }

    #[test]
    fn an_identifier_inside_an_address_takes_precedence() {
        check("https://firm.org/?m=ann@firm.org", &[("EMAIL", "ann@firm.org")]);
    }
}
