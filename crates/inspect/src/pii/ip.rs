//! Finds IPv4 and IPv6 addresses. Private, reserved and documentation ranges identify nobody and score low; private
//! and documentation addresses count after words for a user.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{ends_alone, hit};
use crate::context::{ContextWords, distance_before, near, run, word_starts};
use crate::finding::Hit;

/// Four numbers with dots are often a version or a clause number.
static VERSION_WORDS: ContextWords =
    ContextWords::new(&["version", "versions", "release", "section", "clause", "chapter", "build", "ver", "rv"]);
/// How far before the numbers such a word may start.
const VERSION_BYTES: usize = 15;
/// Words that mark an address as a user's.
#[rustfmt::skip]
static USER_WORDS: ContextWords = ContextWords::new(&[
    "login", "logins", "logged in", "log in", "signed in", "sign-in", "signed up", "connected", "connecting",
    "session", "user", "user's", "visitor", "client", "customer", "his ip", "her ip", "my ip", "their ip", "anmeldung",
    "connexion", "acceso", "accesso",
]);
static ADDRESS_WORDS: ContextWords =
    ContextWords::new(&["ip", "ips", "ipv4", "ipv6", "ip-adresse", "adresse ip", "ip address"]);
const CUE_BYTES: usize = 28;
/// Well-known public DNS resolvers. They score low if a word says that they are resolvers.
const RESOLVERS: [[u8; 4]; 8] = [
    [8, 8, 8, 8],
    [8, 8, 4, 4],
    [1, 1, 1, 1],
    [1, 0, 0, 1],
    [9, 9, 9, 9],
    [208, 67, 222, 222],
    [208, 67, 220, 220],
    [4, 2, 2, 2],
];
static RESOLVER_WORDS: ContextWords =
    ContextWords::new(&["resolver", "resolvers", "dns", "nameserver", "name server", "nameservers"]);
const V4_BYTES_MAX: usize = 15;
const V6_BYTES_MAX: usize = 45;
/// Shorter matches, such as `a::b`, are usually code.
const V6_BYTES_MIN: usize = 8;

pub(super) fn v4_at(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let length = run(&bytes[start..], V4_BYTES_MAX + 1, |byte| byte.is_ascii_digit() || byte == b'.');
    let written = text[start..start + length].trim_end_matches('.');
    let range = start..start + written.len();
    let address: Ipv4Addr = written.parse().ok().or_else(|| padded(written))?;
    if !ends_alone(bytes, range.end) && bytes.get(range.end) != Some(&b'/') {
        return None;
    }
    let range_class = class_v4(address);
    let (score, class) = match () {
        () if distance_before(text, start, &VERSION_WORDS, VERSION_BYTES).is_some() => {
            (0.3, "after a word for a version or a section")
        }
        () if RESOLVERS.contains(&address.octets()) && near(text, &range, &RESOLVER_WORDS) => {
            (0.3, "of a public DNS resolver")
        }
        () => scored(text, start, range_class),
    };
    Some(hit("IP", "pii/ip", range, score, format!("four numbers from 0 to 255, {class}")))
}

/// Parses an address whose numbers all have three digits: `084.017.043.201`.
fn padded(written: &str) -> Option<Ipv4Addr> {
    let mut parts = written.split('.');
    let mut next = || parts.next().filter(|part| part.len() == 3).and_then(|part| part.parse().ok());
    let address = Ipv4Addr::new(next()?, next()?, next()?, next()?);
    parts.next().is_none().then_some(address)
}

/// What an address stands for, judged by its range.
enum Class {
    Public,
    /// A stand-in for a public address in examples.
    Documentation,
    /// A machine in a private network.
    Private,
    /// No specific machine.
    Reserved,
}

fn scored(text: &str, start: usize, class: Class) -> (f64, &'static str) {
    let is_users = || distance_before(text, start, &USER_WORDS, CUE_BYTES).is_some();
    let is_called = || is_users() || distance_before(text, start, &ADDRESS_WORDS, CUE_BYTES).is_some();
    match class {
        Class::Public => (0.8, "in a public range"),
        Class::Documentation if is_called() => {
            (0.6, "in a range for documentation, but after words for a user's address")
        }
        Class::Private if is_users() => (0.6, "in a private range, but after words for a user"),
        Class::Documentation | Class::Private | Class::Reserved => {
            (0.2, "in a private, reserved or documentation range")
        }
    }
}

fn class_v4(address: Ipv4Addr) -> Class {
    let reserved = address.is_loopback()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
        || address.octets()[0] == 0
        || address.octets()[0] >= 240;
    match () {
        () if reserved => Class::Reserved,
        () if address.is_private() || address.is_link_local() => Class::Private,
        () if address.is_documentation() => Class::Documentation,
        () => Class::Public,
    }
}

/// `colon` is the offset of any colon; only the first one of an address is examined further.
pub(super) fn v6_at(text: &str, colon: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let before = bytes[..colon].iter().rev().take(5).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let start = colon - before;
    let follows = start.checked_sub(1).is_some_and(|at| matches!(bytes[at], b':' | b'.'));
    if before > 4 || follows || !word_starts(text, start) {
        return None;
    }
    let length = run(&bytes[start..], V6_BYTES_MAX + 1, |byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'));
    let mut written = text[start..start + length].trim_end_matches('.');
    if written.ends_with(':') && !written.ends_with("::") {
        written = &written[..written.len() - 1];
    }
    let range = start..start + written.len();
    let address: Ipv6Addr = written.parse().ok()?;
    let ends = text[range.end..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_');
    if !ends || written.len() < V6_BYTES_MIN || !written.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (score, class) = scored(text, range.start, class_v6(address));
    Some(hit("IP", "pii/ip", range, score, format!("groups of hexadecimal digits, {class}")))
}

fn class_v6(address: Ipv6Addr) -> Class {
    match () {
        () if address.is_loopback() || address.is_unspecified() || address.is_multicast() => Class::Reserved,
        () if address.is_unique_local() || address.is_unicast_link_local() => Class::Private,
        () if address.segments()[..2] == [0x2001, 0x0db8] => Class::Documentation,
        () => Class::Public,
    }
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn a_public_address_is_found() {
        check("from 8.8.4.4, then", &[("IP", "8.8.4.4")]);
        check("The build server is 81.2.69.160.", &[("IP", "81.2.69.160")]);
        check("81.2.69.160:443", &[("IP", "81.2.69.160")]);
        check("084.017.043.201", &[("IP", "084.017.043.201")]);
        check("81.2.69.0/24.", &[("IP", "81.2.69.0")]);
        check("[2a00:1450:4001:81b::200e]", &[("IP", "2a00:1450:4001:81b::200e")]);
        check("at 2606:4700:4700::1111: yes", &[("IP", "2606:4700:4700::1111")]);
    }

    #[test]
    fn an_address_that_identifies_nobody_is_uncertain() {
        for address in ["127.0.0.1", "192.168.1.20", "10.0.0.1", "203.0.113.7", "2001:db8::8a2e:370", "fe80::1ff:fe23"]
        {
            check_uncertain(&format!("at {address} now"), &[("IP", address)]);
        }
        check_uncertain("version 4.5.6.7", &[("IP", "4.5.6.7")]);
        check_uncertain("8.8.8.8 is a public resolver", &[("IP", "8.8.8.8")]);
        check_uncertain("The gateway's IP is 192.168.0.1", &[("IP", "192.168.0.1")]);
    }

    #[test]
    fn an_address_described_as_a_users_is_found_in_any_range() {
        for (text, address) in [
            ("Login from 203.0.113.9 at night", "203.0.113.9"),
            ("The user's IP address is 2001:db8::8a2e:370.", "2001:db8::8a2e:370"),
            ("IP: 198.51.100.4", "198.51.100.4"),
            ("She logged in from 10.20.0.7", "10.20.0.7"),
            ("client fe80::1ff:fe23", "fe80::1ff:fe23"),
        ] {
            check(text, &[("IP", address)]);
        }
    }

    #[test]
    fn text_that_only_resembles_an_address_is_not_found() {
        check("1.2.3 and 256.1.1.1 and 1.2.3.4.5 and v1.2.3.4 and 12:30:45 and std::fmt::add and a::b", &[]);
        check("face::cafe", &[]);
    }
}
