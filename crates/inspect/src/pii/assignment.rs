//! Finds secrets by the name in front of them: `password: …`, `api_key = …`. The finding covers only the value.

use std::ops::Range;

use super::{hit, looks_random};
use crate::context::run;
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};

const PASSWORD_NAMES: [&str; 8] =
    ["password", "passwd", "passphrase", "passcode", "pwd", "passwort", "contraseña", "mot de passe"];
const KEY_NAMES: [&str; 14] = [
    "api_key",
    "api-key",
    "apikey",
    "api key",
    "access_key",
    "access key",
    "accesskey",
    "secret",
    "secret key",
    "secret_key",
    "token",
    "private_key",
    "bearer",
    "credential",
];
const PASSWORD_BYTES_MIN: usize = 6;
const KEY_BYTES_MIN: usize = 16;
const VALUE_BYTES_MAX: usize = 1024;
/// The minimum entropy in bits per character; values below it read like words.
const ENTROPY_MIN: f64 = 3.5;
const GAP_BYTES_MAX: usize = 4;

pub(super) fn anchors() -> Vec<ScanAnchor> {
    let passwords = PASSWORD_NAMES.iter().map(|name| (name.as_bytes().to_vec(), ScanCheck::Verify(password)));
    let keys = KEY_NAMES.iter().map(|name| (name.as_bytes().to_vec(), ScanCheck::Verify(key)));
    passwords.chain(keys).collect()
}

fn password(text: &str, name: Range<usize>) -> Option<Hit> {
    let (range, sign) = value(text, &name)?;
    let value = &text.as_bytes()[range.clone()];
    let letters = value.iter().any(u8::is_ascii_alphabetic);
    let digits = value.iter().any(u8::is_ascii_digit);
    let marks = value.iter().any(|byte| byte.is_ascii_punctuation() && !b"-_.'".contains(byte));
    if value.len() < PASSWORD_BYTES_MIN || !letters || !(digits || marks) {
        return None;
    }
    let explanation = format!("a word for a password, {sign}, and a value of letters with digits or symbols");
    Some(hit("PASSWORD", "pii/password", range, 0.85, explanation))
}

fn key(text: &str, name: Range<usize>) -> Option<Hit> {
    let (range, sign) = value(text, &name)?;
    let value = &text.as_bytes()[range.clone()];
    if value.len() < KEY_BYTES_MIN || !looks_random(value) || entropy(value) < ENTROPY_MIN {
        return None;
    }
    let explanation =
        format!("a word for a key, {sign}, and a random value ({:.1} bits per character)", entropy(value));
    Some(hit("API_KEY", "pii/api_key", range, 0.8, explanation))
}

/// The value that follows a name, and what separates them, in words for the explanation.
fn value(text: &str, name: &Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    if name.start.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_alphanumeric()) {
        return None;
    }
    let gap = |at: usize| at + run(&bytes[at..], GAP_BYTES_MAX, |byte| matches!(byte, b' ' | b'\t'));
    let quote = |at: usize| at + run(&bytes[at..], 2, |byte| matches!(byte, b'"' | b'\'' | b'`' | b'*'));
    let after_name = gap(quote(name.end));
    let (sign_end, sign) = match bytes[after_name..] {
        [b':' | b'=', b'=' | b'>', ..] => (after_name + 2, "a colon or an equals sign"),
        [b':' | b'=', ..] => (after_name + 1, "a colon or an equals sign"),
        [b'i', b's', b' ', ..] => (after_name + 3, "the word 'is'"),
        _ if text[name.clone()].eq_ignore_ascii_case("bearer") && after_name > name.end => (after_name, "a space"),
        _ => return None,
    };
    let start = quote(gap(quote(sign_end)));
    let length =
        run(&bytes[start..], VALUE_BYTES_MAX, |byte| byte.is_ascii_graphic() && !b"\"'`,;()<>".contains(&byte));
    let written = text[start..start + length].trim_end_matches(['.', '!', '?', '*', ':']);
    (!is_placeholder(written)).then_some((start..start + written.len(), sign))
}

fn is_placeholder(value: &str) -> bool {
    let start: String = value.chars().take(8).collect::<String>().to_ascii_lowercase();
    ["$", "{", "%", "[", "your", "xxx", "***", "example", "process.", "os.env", "http"]
        .iter()
        .any(|opening| start.starts_with(opening))
}

fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u16; 256];
    for &byte in value {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count) / length).map(|p| -p * p.log2()).sum()
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn the_value_after_its_name_is_found() {
        check("password: hunter2xyz", &[("PASSWORD", "hunter2xyz")]);
        check("My password is Tr0ub4dor&3.", &[("PASSWORD", "Tr0ub4dor&3")]);
        check("{\"db_password\": \"s3cr3t!x\"}", &[("PASSWORD", "s3cr3t!x")]);
        check("API_KEY=9f8e7d6c5b4a39281706", &[("API_KEY", "9f8e7d6c5b4a39281706")]);
        check("Authorization: Bearer 9f8e7d6c5b4a39281706", &[("API_KEY", "9f8e7d6c5b4a39281706")]);
        check("client_secret = 'Zx81-Qw72-Er63-Ty54'", &[("API_KEY", "Zx81-Qw72-Er63-Ty54")]);
    }

    #[test]
    fn a_sentence_about_a_secret_is_not_a_secret() {
        check("The password is required. Password: minimum eight characters. The secret is out.", &[]);
        check("password = ${DB_PASSWORD1} or password: <your-pass1> or password=your_password1", &[]);
        check("token = get_token_v2(request); secret: my-secret; tokens: 128000", &[]);
        check("password:", &[]);
    }
}
