//! URLs: origins in the form that browsers send, and the URLs that the program sends requests to.

use std::net::{IpAddr, Ipv6Addr};

use crate::problem::quoted;
use crate::value::{Parsed, invalid};

/// Parses one `scheme://host[:port]`, normalised to the form that browsers send.
pub(crate) fn origin(text: &str) -> Parsed<String> {
    let refuse = |why: &str| {
        // `quoted` does not show a text with an `@`, which may follow a password.
        let help = "write scheme://host or scheme://host:port, such as https://app.example.com";
        invalid(format!("{} {why}", quoted(text)), help)
    };
    let Some((scheme, rest)) = text.split_once("://") else { return refuse("is not an origin") };
    if rest.contains('*') {
        return refuse("has a wildcard; write each origin in full");
    }
    if rest.contains('@') {
        return refuse("contains a user name");
    }
    if rest.contains(['/', '?', '#', '\\']) {
        return refuse("is more than an origin; leave out the path, even a trailing slash");
    }
    normal_origin(scheme, rest).or_else(refuse)
}

/// The maximum length of a URL's path.
const PATH_BYTES_MAX: usize = 2_000;

/// Parses `scheme://host[:port][/path]` and removes a trailing slash. Queries are refused, because they may contain a key.
pub(crate) fn url(text: &str) -> Parsed<String> {
    url_keeping_slash(text).map(|url| url.trim_end_matches('/').to_owned())
}

/// Like [`url`], but keeps a trailing slash, which makes a difference to some servers.
pub(crate) fn url_keeping_slash(text: &str) -> Parsed<String> {
    let refuse = |why: &str| {
        // A query may contain a key, so it is not quoted.
        let shown = if text.contains(['?', '#']) { "the value".to_owned() } else { quoted(text) };
        invalid(format!("{shown} {why}"), "write http:// or https:// and a host, such as https://api.example.com/v1")
    };
    let Some((scheme, rest)) = text.split_once("://") else { return refuse("is not a URL") };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return refuse("contains a user name");
    }
    if path.contains(['?', '#']) {
        return refuse("has a query or a fragment");
    }
    if path.len() > PATH_BYTES_MAX {
        return refuse("has a path that is too long");
    }
    if !path.bytes().all(|b| b.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&b)) {
        return refuse("has a path with characters that are not allowed in URLs");
    }
    normal_origin(scheme, authority).map(|origin| origin + path).or_else(refuse)
}

/// The origin in lower case and without the scheme's default port, or the reason why it is invalid.
fn normal_origin(scheme: &str, authority: &str) -> Result<String, &'static str> {
    let scheme = scheme.to_ascii_lowercase();
    let default_port = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return Err("is neither http nor https"),
    };
    let authority = authority.to_ascii_lowercase();
    let (host, port) = match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => (&authority[..colon], Some(&authority[colon + 1..])),
        _ => (authority.as_str(), None),
    };
    let host = normal_host(host).ok_or("has no valid host name")?;
    let port = match port {
        Some(port) => parse_port(port).ok_or("has no valid port")?,
        None => default_port,
    };
    Ok(if port == default_port { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{port}") })
}

/// Parses a port other than 0.
fn parse_port(text: &str) -> Option<u16> {
    // `parse` alone would also accept "+80".
    let has_only_digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse::<u16>().ok().filter(|port| has_only_digits && *port > 0)
}

/// The host in the form that browsers send. `None` if it is not valid.
fn normal_host(host: &str) -> Option<String> {
    if let Some(inner) = host.strip_prefix('[') {
        return inner.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(|ip| format!("[{ip}]"));
    }
    let are_labels_valid = host.len() <= 253
        && host.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
                && !label.starts_with('-')
                && !label.ends_with('-')
        });
    // Browsers parse a host that ends in a number as an IPv4 address, so it must be a valid one.
    let ends_in_number = host.rsplit('.').next().is_some_and(|label| label.bytes().all(|b| b.is_ascii_digit()));
    (are_labels_valid && (!ends_in_number || host.parse::<IpAddr>().is_ok())).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::settings::ValueKind;
    use crate::tests::values::{accepts, refuses};
    use crate::value::parse;

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
            accepts(ValueKind::Origins, text, shown);
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
            ("https://a.example/", "even a trailing slash"),
            ("https://a.example/app", "leave out the path"),
            ("https://a.example?x", "more than an origin"),
            ("https://a.example#x", "more than an origin"),
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
            (",", "has no origin"),
        ] {
            refuses(ValueKind::Origins, text, why);
        }
    }

    #[test]
    fn a_password_in_an_origin_is_not_repeated() {
        let refusal = parse(ValueKind::Origins, "https://me:hunter2@a.example").expect_err("contains a user name");
        assert!(!format!("{refusal:?}").contains("hunter2"));
    }

    #[test]
    fn base_urls_keep_their_path_and_lose_a_trailing_slash() {
        for (text, shown) in [
            ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"),
            ("HTTP://LocalHost:11434/V1/", "http://localhost:11434/V1"),
            ("https://a.example:443//", "https://a.example"),
            ("https://a.example/a%20b/@c", "https://a.example/a%20b/@c"),
            ("http://[::1]:80/v1", "http://[::1]/v1"),
        ] {
            accepts(ValueKind::Url, text, shown);
        }
        for (text, why) in [
            ("api.groq.com/v1", "is not a URL"),
            ("ftp://a.example", "neither http nor https"),
            ("https://", "host"),
            ("https:///v1", "host"),
            ("https://a b.example/v1", "host"),
            ("https://a.example:0/v1", "port"),
            ("https://me:hunter2@a.example", "contains a user name"),
            ("https://a.example/v1?key=hunter2", "has a query or a fragment"),
            ("https://a.example?key=hunter2", "has a query or a fragment"),
            ("https://a.example#hunter2", "has a query or a fragment"),
            ("https://a.example\\v1", "has a path with characters"),
            ("https://a.example/v 1", "has a path with characters"),
            ("https://a.example/é", "has a path with characters"),
            ("hunter2#", "is not a URL"),
            (&format!("https://a.example/{}", "x".repeat(3_000)), "has a path that is too long"),
        ] {
            refuses(ValueKind::Url, text, why);
            assert!(!format!("{:?}", parse(ValueKind::Url, text)).contains("hunter2"), "{text}");
        }
    }
}
