//! Parses texts into typed values: what each kind of setting accepts, and the errors for everything else.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use rust_decimal::Decimal;

use crate::problem::quoted;
use crate::secret::Secret;
use crate::settings::ValueKind;
use crate::{ledger, names, url, webhooks};

#[derive(Clone, Debug)]
pub(crate) enum SettingValue {
    Address(SocketAddr),
    Path(PathBuf),
    Origins(Vec<String>),
    Text(String),
    Secret(Secret),
    Bytes(u64),
    Count(u64),
    Decimal(Decimal),
    Flag(bool),
    /// The number of entries.
    List(usize),
}

/// Why a text is not a valid value. The caller adds the place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ValueError {
    pub(crate) wrong: String,
    pub(crate) help: String,
}

pub(crate) type Parsed<T> = Result<T, ValueError>;

pub(crate) fn parse(kind: ValueKind, text: &str) -> Parsed<SettingValue> {
    let text = text.trim();
    if text.is_empty() {
        return invalid("is empty", "set a value or remove it");
    }
    match kind {
        ValueKind::Address => address(text).map(SettingValue::Address),
        ValueKind::Path => path(text).map(SettingValue::Path),
        ValueKind::Choice(choices) => choice(text, choices).map(SettingValue::Text),
        ValueKind::Origins => origins(text).map(SettingValue::Origins),
        ValueKind::Text => Ok(SettingValue::Text(text.to_owned())),
        ValueKind::Secret => secret(text).map(SettingValue::Secret),
        ValueKind::Bytes { min, max } => bytes(text, min, max).map(SettingValue::Bytes),
        ValueKind::Count { min, max } => count(text, min, max).map(SettingValue::Count),
        ValueKind::Decimal { max } => decimal(text, max).map(SettingValue::Decimal),
        ValueKind::Flag => flag(text).map(SettingValue::Flag),
        ValueKind::Model => names::model(text).map(SettingValue::Text),
        ValueKind::Pattern => names::pattern(text).map(SettingValue::Text),
        ValueKind::Name => names::name(text).map(SettingValue::Text),
        ValueKind::Word => names::word(text).map(SettingValue::Text),
        ValueKind::Url => url::url(text).map(SettingValue::Text),
        ValueKind::PostUrl => url::url_keeping_slash(text).map(SettingValue::Text),
        ValueKind::WitnessKey => ledger::witness_key(text).map(SettingValue::Text),
        ValueKind::Publish => ledger::publish(text).map(SettingValue::Text),
        ValueKind::Events => webhooks::events(text).map(SettingValue::Text),
        ValueKind::SecretVariable => names::secret_variable(text).map(SettingValue::Text),
        ValueKind::List(_) => invalid("has entries with several fields", "set it in the file"),
    }
}

/// The value as text. A secret shows its mask.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Path(path) => path.display().fmt(f),
            Self::Origins(origins) => f.write_str(&origins.join(",")),
            Self::Text(text) => text.fmt(f),
            Self::Secret(secret) => secret.fmt(f),
            Self::Bytes(bytes) => f.write_str(&with_unit(*bytes)),
            Self::Count(count) => count.fmt(f),
            Self::Decimal(decimal) => decimal.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::List(1) => f.write_str("1 entry"),
            Self::List(entries) => write!(f, "{entries} entries"),
        }
    }
}

pub(crate) fn invalid<T>(wrong: impl Into<String>, help: impl Into<String>) -> Parsed<T> {
    Err(ValueError { wrong: wrong.into(), help: help.into() })
}

fn address(text: &str) -> Parsed<SocketAddr> {
    let local = text.rsplit_once(':').filter(|(host, _)| host.eq_ignore_ascii_case("localhost"));
    let parsed = match local {
        Some((_, port)) => port.parse().ok().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        None => text.parse().ok(),
    };
    parsed.map_or_else(
        || {
            let help = "write an IP address (or localhost) and a port, such as 127.0.0.1:8080 or [::1]:8080";
            invalid(format!("{} is not an address with a port", quoted(text)), help)
        },
        Ok,
    )
}

pub(crate) fn path(text: &str) -> Parsed<PathBuf> {
    if text.chars().any(char::is_control) {
        return invalid(format!("{} contains control characters", quoted(text)), "write a plain path");
    }
    if text == "~" || text.starts_with("~/") {
        // Only a shell expands `~`. Without one, the path would name a directory called `~`.
        return invalid(format!("{} starts with ~, which only a shell expands", quoted(text)), "write the whole path");
    }
    Ok(PathBuf::from(text))
}

fn choice(text: &str, choices: &[&str]) -> Parsed<String> {
    if choices.contains(&text) {
        return Ok(text.to_owned());
    }
    invalid(format!("{} is not one of the choices", quoted(text)), format!("write {}", choices.join(" or ")))
}

/// The error does not quote the text.
fn secret(text: &str) -> Parsed<Secret> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return invalid(
            "contains spaces or control characters",
            "write the secret only, without quotes or line breaks",
        );
    }
    Ok(Secret::new(text))
}

fn origins(text: &str) -> Parsed<Vec<String>> {
    let mut origins = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let origin = url::origin(part)?;
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    if origins.is_empty() {
        return invalid("has no origin", "write origins separated by commas, such as https://app.example.com");
    }
    Ok(origins)
}

/// Longest first, so that `MiB` does not match `B`.
const UNITS: &[(&str, u64)] = &[
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("b", 1),
    ("", 1),
];

fn bytes(text: &str, min: u64, max: u64) -> Parsed<u64> {
    let lower = text.to_ascii_lowercase();
    let parsed = UNITS.iter().find_map(|(unit, factor)| {
        let number = lower.strip_suffix(unit)?.trim_end();
        Some(digits(number).and_then(|number| number.checked_mul(*factor)))
    });
    match parsed.flatten() {
        Some(bytes) if (min..=max).contains(&bytes) => Ok(bytes),
        Some(_) => invalid(format!("{} is out of range", quoted(text)), between(&with_unit(min), &with_unit(max))),
        None => invalid(
            format!("{} is not a size", quoted(text)),
            format!(
                "{}; sizes are whole numbers, such as 65536, 16 MiB or 16 MB",
                between(&with_unit(min), &with_unit(max))
            ),
        ),
    }
}

fn count(text: &str, min: u64, max: u64) -> Parsed<u64> {
    match digits(text) {
        Some(count) if (min..=max).contains(&count) => Ok(count),
        Some(_) => invalid(format!("{} is out of range", quoted(text)), between(&min.to_string(), &max.to_string())),
        None => invalid(format!("{} is not a whole number", quoted(text)), between(&min.to_string(), &max.to_string())),
    }
}

/// Plain digits with at most one point between them. Nothing is rounded.
fn decimal(text: &str, max: u64) -> Parsed<Decimal> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_plain = [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    match is_plain.then(|| Decimal::from_str_exact(text).ok()).flatten() {
        Some(decimal) if decimal <= Decimal::from(max) => Ok(decimal.normalize()),
        Some(_) => invalid(format!("{} is out of range", quoted(text)), between("0", &max.to_string())),
        None => invalid(
            format!("{} is not a decimal number", quoted(text)),
            "write digits with a point, such as 0.59; not below zero and without an exponent",
        ),
    }
}

fn flag(text: &str) -> Parsed<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => invalid(format!("{} is neither true nor false", quoted(text)), "write true or false"),
    }
}

/// Plain digits only: `parse` alone would also take a leading plus.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

fn between(min: &str, max: &str) -> String {
    format!("use {min} to {max}")
}

/// The size in the largest binary unit that divides it, so that parsing the text gives the same number.
fn with_unit(bytes: u64) -> String {
    [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        .into_iter()
        .find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift))
        .map_or_else(|| format!("{bytes} B"), |(unit, shift)| format!("{} {unit}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::values::{accepts, refuses};

    #[test]
    fn addresses_are_ip_addresses_or_localhost_with_a_port() {
        for (text, shown) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            (" 0.0.0.0:80 ", "0.0.0.0:80"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("LocalHost:0", "127.0.0.1:0"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            accepts(ValueKind::Address, text, shown);
        }
        for text in
            ["8080", ":8080", "localhost", "localhost:99999", "example.com:80", "http://127.0.0.1:80", "::1:80x"]
        {
            refuses(ValueKind::Address, text, "is not an address with a port");
        }
    }

    #[test]
    fn sizes_are_numbers_of_bytes_with_or_without_a_unit() {
        let kind = ValueKind::Bytes { min: 1, max: 1 << 40 };
        for (text, shown) in [
            ("1", "1 B"),
            ("1024", "1 KiB"),
            ("16 MiB", "16 MiB"),
            ("16mib", "16 MiB"),
            ("16MB", "15625 KiB"),
            ("3 kB", "3000 B"),
            ("2 GiB", "2 GiB"),
            ("7 b", "7 B"),
        ] {
            accepts(kind, text, shown);
        }
        for text in
            ["MiB", "1.5 MiB", "-1", "+1", "16 M", "1 TiB", "99999999999999999999", "18446744073709551615 GiB", "ten"]
        {
            refuses(kind, text, "is not a size");
        }
        refuses(kind, "0", "out of range");
        refuses(kind, "1025 GiB", "out of range");
    }

    #[test]
    fn sizes_survive_a_round_trip_through_text() {
        let kind = ValueKind::Bytes { min: 0, max: u64::MAX };
        let mut bytes = 1_u64;
        for step in 0..4_000_u64 {
            bytes = bytes.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
            let bytes = bytes >> (step % 64);
            let shown = with_unit(bytes);
            assert!(
                matches!(parse(kind, &shown), Ok(SettingValue::Bytes(again)) if again == bytes),
                "{bytes} as {shown}"
            );
        }
    }

    #[test]
    fn counts_stay_inside_their_range() {
        let kind = ValueKind::Count { min: 10, max: 20 };
        for number in 0..40_u64 {
            assert_eq!(parse(kind, &number.to_string()).is_ok(), (10..=20).contains(&number), "{number}");
        }
        for text in ["-12", "+12", "12.0", "0x0c", "1e1", "12 s", "１２"] {
            refuses(kind, text, "is not a whole number");
        }
    }

    #[test]
    fn decimals_are_plain_and_exact() {
        let kind = ValueKind::Decimal { max: 10 };
        for (text, shown) in
            [("0", "0"), ("10", "10"), ("0.590", "0.59"), ("10.0", "10"), ("0.0000000000000001", "0.0000000000000001")]
        {
            accepts(kind, text, shown);
        }
        for text in [
            "-1",
            "+1",
            "-0.0",
            "1.",
            ".5",
            "1e1",
            "1,5",
            "1.2.3",
            "nan",
            "inf",
            "0.12345678901234567890123456789",
            "１",
        ] {
            refuses(kind, text, "is not a decimal number");
        }
        refuses(kind, "10.01", "out of range");
    }

    #[test]
    fn flags_are_true_or_false_in_the_usual_words() {
        for text in ["true", "TRUE", "1", "yes"] {
            accepts(ValueKind::Flag, text, "true");
        }
        for text in ["false", "False", "0", "no"] {
            accepts(ValueKind::Flag, text, "false");
        }
        for text in ["on", "2", "y", "truee"] {
            refuses(ValueKind::Flag, text, "is neither true nor false");
        }
    }

    #[test]
    fn paths_that_only_a_shell_would_expand_are_refused() {
        accepts(ValueKind::Path, "./data", "./data");
        accepts(ValueKind::Path, "~data", "~data");
        refuses(ValueKind::Path, "~/data", "only a shell");
        refuses(ValueKind::Path, "a\0b", "control");
    }

    #[test]
    fn no_kind_panics_or_accepts_an_empty_text() {
        let kinds = [
            ValueKind::Address,
            ValueKind::Path,
            ValueKind::Choice(&["a", "b"]),
            ValueKind::Origins,
            ValueKind::Text,
            ValueKind::Secret,
            ValueKind::Bytes { min: 0, max: u64::MAX },
            ValueKind::Count { min: 0, max: u64::MAX },
            ValueKind::Decimal { max: u64::MAX },
            ValueKind::Flag,
            ValueKind::Model,
            ValueKind::Pattern,
            ValueKind::Name,
            ValueKind::Word,
            ValueKind::Url,
            ValueKind::PostUrl,
            ValueKind::Events,
            ValueKind::WitnessKey,
            ValueKind::Publish,
            ValueKind::SecretVariable,
            ValueKind::List(&[]),
        ];
        let pieces =
            ["", " ", ":", "/", "http://", "[", "]", "]:", "é", "0", "9", "MiB", "*", "@", ",", "\n", "localhost:"];
        for kind in kinds {
            assert!(parse(kind, " \t").is_err());
            for one in pieces {
                for two in pieces {
                    for three in pieces {
                        let _ = parse(kind, &format!("{one}{two}{three}"));
                    }
                }
            }
        }
    }
}
