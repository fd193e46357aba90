//! From text to typed values: what each kind of setting accepts, and what it says when it does not.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use super::problem::quoted;
use super::secret::Secret;
use super::settings::Kind;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Address(SocketAddr),
    Path(PathBuf),
    Origins(Vec<String>),
    Text(String),
    Secret(Secret),
    Bytes(u64),
    Count(u64),
}

/// Why a text is not a value, without saying where it stood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) wrong: String,
    pub(super) help: String,
}

type Read<T> = Result<T, Refusal>;

pub(super) fn parse(kind: Kind, text: &str) -> Read<Value> {
    let text = text.trim();
    if text.is_empty() {
        return refuse("is empty", "give it a value or leave it out");
    }
    match kind {
        Kind::Address => address(text).map(Value::Address),
        Kind::Path => path(text).map(Value::Path),
        Kind::Choice(choices) => choice(text, choices).map(Value::Text),
        Kind::Origins => origins(text).map(Value::Origins),
        Kind::Text => Ok(Value::Text(text.to_owned())),
        Kind::Secret => secret(text).map(Value::Secret),
        Kind::Bytes { min, max } => bytes(text, min, max).map(Value::Bytes),
        Kind::Count { min, max } => count(text, min, max).map(Value::Count),
    }
}

/// The text to show for a value; a secret shows its mask.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Path(path) => path.display().fmt(f),
            Self::Origins(origins) => f.write_str(&origins.join(",")),
            Self::Text(text) => text.fmt(f),
            Self::Secret(secret) => secret.fmt(f),
            Self::Bytes(bytes) => f.write_str(&with_unit(*bytes)),
            Self::Count(count) => count.fmt(f),
        }
    }
}

fn refuse<T>(wrong: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(Refusal { wrong: wrong.into(), help: help.into() })
}

fn address(text: &str) -> Read<SocketAddr> {
    let local = text.rsplit_once(':').filter(|(host, _)| host.eq_ignore_ascii_case("localhost"));
    let parsed = match local {
        Some((_, port)) => port.parse().ok().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        None => text.parse().ok(),
    };
    parsed.map_or_else(
        || {
            let help = "write an IP address (or localhost) and a port, such as 127.0.0.1:8080 or [::1]:8080";
            refuse(format!("{} is not an address with a port", quoted(text)), help)
        },
        Ok,
    )
}

fn path(text: &str) -> Read<PathBuf> {
    if text.chars().any(char::is_control) {
        return refuse(format!("{} contains control characters", quoted(text)), "write a plain path");
    }
    if text == "~" || text.starts_with("~/") {
        // Only shells expand it; here it would make a directory called `~`.
        return refuse(format!("{} starts with ~, which only a shell expands", quoted(text)), "write the whole path");
    }
    Ok(PathBuf::from(text))
}

fn choice(text: &str, choices: &[&str]) -> Read<String> {
    if choices.contains(&text) {
        return Ok(text.to_owned());
    }
    refuse(format!("{} is not one of the choices", quoted(text)), format!("write {}", choices.join(" or ")))
}

/// Says nothing about the text but what kind of character spoils it.
fn secret(text: &str) -> Read<Secret> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return refuse("contains spaces or control characters", "give the bare secret, without quotes or line breaks");
    }
    Ok(Secret::new(text))
}

fn origins(text: &str) -> Read<Vec<String>> {
    let mut origins = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let origin = origin(part)?;
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    if origins.is_empty() {
        return refuse("names no origin", "write origins with commas between, such as https://app.example.com");
    }
    Ok(origins)
}

/// One `scheme://host[:port]`, in the form in which browsers send it.
fn origin(text: &str) -> Read<String> {
    let no = |why: &str| {
        let help = "write scheme://host or scheme://host:port, such as https://app.example.com";
        refuse(format!("{} {why}", quoted(text)), help)
    };
    let lower = text.to_ascii_lowercase();
    let Some((scheme, rest)) = lower.split_once("://") else { return no("is not an origin") };
    let default_port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return no("is neither http nor https"),
    };
    if rest.contains('*') {
        return no("has a wildcard; each origin is named in full");
    }
    if rest.contains('@') {
        return no("carries a user name");
    }
    if rest.contains(['/', '?', '#', '\\']) {
        return no("has more than an origin; no path, not even a last slash");
    }
    let (host, port) = match rest.rfind(':') {
        Some(colon) if !rest[colon..].contains(']') => (&rest[..colon], Some(&rest[colon + 1..])),
        _ => (rest, None),
    };
    let Some(host) = normal_host(host) else { return no("has no valid host name") };
    let port = match port.map(|port| port.bytes().all(|b| b.is_ascii_digit()).then(|| port.parse::<u16>().ok())) {
        None => default_port,
        Some(Some(Some(port))) if port > 0 => port,
        Some(_) => return no("has no valid port"),
    };
    Ok(if port == default_port { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{port}") })
}

fn normal_host(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        return inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(|ip| format!("[{ip}]"));
    }
    let labels_valid = host.len() <= 253
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
                && !label.starts_with('-')
                && !label.ends_with('-')
        });
    // Browsers read a host that ends in a number as an IPv4 address, so anything else of that shape never matches.
    let ends_in_number = host.rsplit('.').next().is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
    (labels_valid && (!ends_in_number || host.parse::<IpAddr>().is_ok())).then(|| host.to_owned())
}

/// Longest first, so that `MiB` is not taken for `B`.
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

fn bytes(text: &str, min: u64, max: u64) -> Read<u64> {
    let lower = text.to_ascii_lowercase();
    let parsed = UNITS.iter().find_map(|(unit, factor)| {
        let number = lower.strip_suffix(unit)?.trim_end();
        Some(digits(number).and_then(|number| number.checked_mul(*factor)))
    });
    match parsed.flatten() {
        Some(bytes) if (min..=max).contains(&bytes) => Ok(bytes),
        Some(_) => refuse(format!("{} is out of range", quoted(text)), between(&with_unit(min), &with_unit(max))),
        None => refuse(
            format!("{} is not a size", quoted(text)),
            format!(
                "{}; sizes are whole numbers, such as 65536, 16 MiB or 16 MB",
                between(&with_unit(min), &with_unit(max))
            ),
        ),
    }
}

fn count(text: &str, min: u64, max: u64) -> Read<u64> {
    match digits(text) {
        Some(count) if (min..=max).contains(&count) => Ok(count),
        Some(_) => refuse(format!("{} is out of range", quoted(text)), between(&min.to_string(), &max.to_string())),
        None => refuse(format!("{} is not a whole number", quoted(text)), between(&min.to_string(), &max.to_string())),
    }
}

/// Plain digits only: `parse` alone would also take a leading plus.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

fn between(min: &str, max: &str) -> String {
    format!("use {min} to {max}")
}

/// In the largest binary unit that divides it, so that reading the text back gives the same number.
fn with_unit(bytes: u64) -> String {
    [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        .into_iter()
        .find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift))
        .map_or_else(|| format!("{bytes} B"), |(unit, shift)| format!("{} {unit}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(kind: Kind, text: &str, shown: &str) {
        assert_eq!(parse(kind, text).expect(text).to_string(), shown, "{text}");
    }

    fn refuses(kind: Kind, text: &str, why: &str) {
        let refusal = parse(kind, text).expect_err(text);
        assert!(refusal.wrong.contains(why), "{text}: {refusal:?}");
        assert!(!refusal.help.is_empty());
    }

    #[test]
    fn addresses_are_ip_addresses_or_localhost_with_a_port() {
        for (text, shown) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            (" 0.0.0.0:80 ", "0.0.0.0:80"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("LocalHost:0", "127.0.0.1:0"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            accepts(Kind::Address, text, shown);
        }
        for text in
            ["8080", ":8080", "localhost", "localhost:99999", "example.com:80", "http://127.0.0.1:80", "::1:80x"]
        {
            refuses(Kind::Address, text, "is not an address with a port");
        }
    }

    #[test]
    fn origins_are_normalised_the_way_browsers_send_them() {
        for (text, shown) in [
            ("http://localhost:3000", "http://localhost:3000"),
            ("HTTPS://App.Example.COM", "https://app.example.com"),
            ("https://a.example:443, http://b.example:80", "https://a.example,http://b.example"),
            ("http://a.example:443", "http://a.example:443"),
            ("https://a.example,https://A.example:443,", "https://a.example"),
            ("http://[0:0::1]:3000", "http://[::1]:3000"),
            ("http://192.168.1.7:3000", "http://192.168.1.7:3000"),
        ] {
            accepts(Kind::Origins, text, shown);
        }
    }

    #[test]
    fn anything_but_a_bare_origin_is_refused_with_its_reason() {
        for (text, why) in [
            ("localhost:3000", "is not an origin"),
            ("*", "is not an origin"),
            ("null", "is not an origin"),
            ("https://*.example.com", "wildcard"),
            ("ftp://a.example", "neither http nor https"),
            ("https://a.example/", "not even a last slash"),
            ("https://a.example/app", "no path"),
            ("https://a.example?x", "no path"),
            ("https://a.example#x", "no path"),
            ("https://", "host"),
            ("https://:80", "host"),
            ("https://-a.example", "host"),
            ("https://a..example", "host"),
            ("https://bücher.example", "host"),
            ("https://a b.example", "host"),
            ("https://999.1.1.1", "host"),
            ("https://[::1", "host"),
            ("https://[zz]", "host"),
            ("https://a.example:", "port"),
            ("https://a.example:0", "port"),
            ("https://a.example:65536", "port"),
            ("https://a.example:+80", "port"),
            ("https://a.example, nonsense", "is not an origin"),
            (",", "names no origin"),
        ] {
            refuses(Kind::Origins, text, why);
        }
    }

    #[test]
    fn a_password_in_an_origin_is_not_repeated() {
        let refusal = parse(Kind::Origins, "https://me:hunter2@a.example").expect_err("carries a user");
        assert!(!format!("{refusal:?}").contains("hunter2"));
    }

    #[test]
    fn sizes_are_numbers_of_bytes_with_or_without_a_unit() {
        let kind = Kind::Bytes { min: 1, max: 1 << 40 };
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
    fn the_text_of_any_size_reads_back_as_the_same_size() {
        let kind = Kind::Bytes { min: 0, max: u64::MAX };
        let mut bytes = 1_u64;
        for step in 0..4_000_u64 {
            bytes = bytes.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
            let bytes = bytes >> (step % 64);
            let shown = with_unit(bytes);
            assert!(matches!(parse(kind, &shown), Ok(Value::Bytes(again)) if again == bytes), "{bytes} as {shown}");
        }
    }

    #[test]
    fn counts_stay_inside_their_range() {
        let kind = Kind::Count { min: 10, max: 20 };
        for number in 0..40_u64 {
            assert_eq!(parse(kind, &number.to_string()).is_ok(), (10..=20).contains(&number), "{number}");
        }
        for text in ["-12", "+12", "12.0", "0x0c", "1e1", "12 s", "１２"] {
            refuses(kind, text, "is not a whole number");
        }
    }

    #[test]
    fn paths_that_only_a_shell_would_expand_are_refused() {
        accepts(Kind::Path, "./data", "./data");
        accepts(Kind::Path, "~data", "~data");
        refuses(Kind::Path, "~/data", "only a shell");
        refuses(Kind::Path, "a\0b", "control");
    }

    #[test]
    fn nothing_panics_and_nothing_empty_passes_for_any_kind() {
        let kinds = [
            Kind::Address,
            Kind::Path,
            Kind::Choice(&["a", "b"]),
            Kind::Origins,
            Kind::Text,
            Kind::Secret,
            Kind::Bytes { min: 0, max: u64::MAX },
            Kind::Count { min: 0, max: u64::MAX },
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
