//! Addresses with a user and a password in them. Addresses without are no PII.

use std::ops::Range;

use super::hit;
use crate::context::run;
use crate::finding::Hit;
use crate::scan::{Anchor, Check};

const SCHEME_BYTES_MAX: usize = 16;
const USER_BYTES_MAX: usize = 128;
const HOST_BYTES_MAX: usize = 64;

pub(super) fn anchors() -> Vec<Anchor> {
    vec![(b"://".to_vec(), Check::Verify(verify))]
}

fn verify(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let bytes = text.as_bytes();
    let scheme = bytes[..anchor.start]
        .iter()
        .rev()
        .take(SCHEME_BYTES_MAX)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte))
        .count();
    let user_length =
        run(&bytes[anchor.end..], USER_BYTES_MAX, |byte| byte.is_ascii_graphic() && !b"/?#\"'<>@".contains(&byte));
    let sign = anchor.end + user_length;
    let (user, password) = text[anchor.end..sign].split_once(':')?;
    if scheme == 0 || bytes.get(sign) != Some(&b'@') || password.is_empty() {
        return None;
    }
    let host = run(&bytes[sign + 1..], HOST_BYTES_MAX, |byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    let stand_in =
        user == password || password.starts_with(['$', '{', '[', '*']) || ["password", "pass"].contains(&password);
    let (score, what) = if stand_in { (0.3, "that look like stand-ins") } else { (0.97, "before the host") };
    let range = anchor.start - scheme..sign + 1 + host;
    Some(hit(
        "URL_CREDENTIALS",
        "pii/url_credentials",
        range,
        score,
        format!("an address with user and password {what}"),
    ))
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
    fn other_addresses_are_none() {
        check("https://firm.org:8080/a?b=c and http://localhost and https://medium.com/@ann/x", &[]);
        check("postgres://postgres:postgres@localhost and https://user:pass@host", &[]);
    }
}
