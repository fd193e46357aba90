//! Restricts the addresses that may be connected to, for URLs that other people configure, such as webhooks.
//!
//! A host name is checked by the addresses it resolves to when a connection is made, and the connection goes to one of the
//! checked addresses, so DNS rebinding gains nothing. Numeric spellings such as `127.1` and `0x7f000001` are names too,
//! because the system's resolver parses them. Only an IP address in its plain form skips the resolver; it is checked when
//! [`crate::Endpoint`] is created.

use hyper::Uri;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::{io, vec};
use tower::Service;

/// The addresses that a client may connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressPolicy {
    Any,
    /// Only the public internet: not this machine, not its network, not a cloud's metadata service.
    PublicOnly,
}

#[derive(Debug, thiserror::Error)]
#[error("the host has no public address")]
pub(crate) struct NoPublicAddress;

impl AddressPolicy {
    fn allows(self, address: IpAddr) -> bool {
        self == Self::Any || is_public(address)
    }

    /// Whether a URL's host may be tried. A plain IP address is decided here; a name always passes, because the resolver
    /// decides it.
    pub(crate) fn allows_host(self, host: &str) -> bool {
        let without_brackets = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        without_brackets.parse().map_or(true, |address| self.allows(address))
    }
}

/// Whether a URL's host is written as a private IP address. Host names are never private here, whatever they resolve to.
pub fn has_private_ip(url: &str) -> bool {
    let host = url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    host.is_some_and(|host| !AddressPolicy::PublicOnly.allows_host(&host))
}

/// The system's resolver, without the addresses that the policy refuses.
#[derive(Clone)]
pub(crate) struct Resolver {
    system: GaiResolver,
    policy: AddressPolicy,
}

impl Resolver {
    pub(crate) fn new(policy: AddressPolicy) -> Self {
        Self { system: GaiResolver::new(), policy }
    }
}

impl Service<Name> for Resolver {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.system.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (resolving, policy) = (self.system.call(name), self.policy);
        Box::pin(async move { allowed(policy, resolving.await?) })
    }
}

fn allowed(policy: AddressPolicy, found: impl Iterator<Item = SocketAddr>) -> io::Result<vec::IntoIter<SocketAddr>> {
    let (allowed, refused): (Vec<_>, Vec<_>) = found.partition(|address| policy.allows(address.ip()));
    if allowed.is_empty() && !refused.is_empty() {
        return Err(io::Error::other(NoPublicAddress));
    }
    Ok(allowed.into_iter())
}

/// Whether an address is public by IANA's registries of special-purpose addresses. An address that is not clearly public counts
/// as private.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        // The block for "this network", a private block, loopback.
        [0 | 10 | 127, ..] => true,
        // Shared address space for carrier-grade NAT.
        [100, 64..=127, ..] => true,
        // Link-local, where cloud metadata services listen.
        [169, 254, ..] => true,
        [172, 16..=31, ..] | [192, 168, ..] => true,
        // Protocol assignments, documentation, 6to4 relays.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Benchmarking.
        [198, 18 | 19, ..] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // An embedded IPv4 address: the system (IPv4-mapped) or a NAT64 gateway connects to that address.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // Protocol assignments, Teredo, ORCHID, benchmarking; documentation; 6to4.
        [0x2001, ..0x200, ..] | [0x2001, 0xdb8, ..] | [0x3fff, ..0x1000, ..] | [0x2002, ..] => false,
        // Global unicast. Loopback, local, multicast and unassigned addresses are outside this range.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(addresses: &[&str], expected: bool) {
        for address in addresses {
            assert_eq!(AddressPolicy::PublicOnly.allows(address.parse().unwrap()), expected, "{address}");
            assert!(AddressPolicy::Any.allows(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn private_and_special_addresses_of_ipv4_are_not_public() {
        check(&["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "127.0.0.1", "127.255.255.254"], false);
        check(&["100.64.0.0", "100.100.100.200", "100.127.255.255", "169.254.0.1", "169.254.169.254"], false);
        check(&["172.16.0.0", "172.31.255.255", "192.168.0.1", "192.168.255.255"], false);
        check(&["192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255"], false);
        check(&["198.51.100.7", "203.0.113.255", "224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255"], false);
    }

    #[test]
    fn addresses_next_to_the_special_ranges_are_public() {
        check(&["1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "100.63.255.255"], true);
        check(&["100.128.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"], true);
        check(&["192.0.1.0", "192.0.3.0", "192.88.98.1", "192.167.255.255", "192.169.0.0"], true);
        check(&["198.17.255.255", "198.20.0.0", "198.51.99.1", "203.0.112.1", "223.255.255.255"], true);
    }

    #[test]
    fn only_ordinary_addresses_of_ipv6_are_public() {
        check(&["::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1"], false);
        check(&["2001:db8::1", "3fff::1", "3fff:fff::1", "100::1", "5f00::1", "2001:2::1", "2001:10::1"], false);
        check(&["64:ff9b:1::1", "4000::1", "1fff::1", "e000::1"], false);
        check(&["2606:4700:4700::1111", "2a00:1450::1", "2001:200::1", "2001:db7::1", "3fff:1000::1", "2003::1"], true);
    }

    #[test]
    fn an_embedded_ipv4_address_is_judged_by_the_address_that_is_connected_to() {
        check(&["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0"], false);
        check(&["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "::127.0.0.1", "::8.8.8.8"], false);
        check(&["2002:7f00:1::", "2002:808:808::1", "2001:0:1:2:3:4:5:6", "::ffff:0:127.0.0.1"], false);
        check(&["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"], true);
    }

    #[test]
    fn only_a_plain_ip_address_is_judged_before_the_resolver() {
        for (host, expected) in [
            ("127.0.0.1", false),
            ("[::1]", false),
            ("[::ffff:127.0.0.1]", false),
            ("::1", false),
            ("8.8.8.8", true),
            ("[2606:4700::1111]", true),
            // Names, which are judged by what they resolve to.
            ("localhost", true),
            ("127.1", true),
            ("0x7f000001", true),
            ("127.0.0.1.", true),
            ("[", true),
            ("", true),
        ] {
            assert_eq!(AddressPolicy::PublicOnly.allows_host(host), expected, "{host}");
            assert!(AddressPolicy::Any.allows_host(host), "{host}");
        }
    }

    #[test]
    fn only_the_public_addresses_of_a_name_are_kept() {
        let found = |list: &[&str]| list.iter().map(|one| one.parse().unwrap()).collect::<Vec<SocketAddr>>();
        let kept = |policy, list: &[&str]| allowed(policy, found(list).into_iter()).map(Iterator::collect::<Vec<_>>);
        let mixed = ["127.0.0.1:0", "8.8.8.8:0", "[::1]:0"];
        assert_eq!(kept(AddressPolicy::PublicOnly, &mixed).unwrap(), found(&["8.8.8.8:0"]));
        assert_eq!(kept(AddressPolicy::Any, &mixed).unwrap(), found(&mixed));
        assert!(kept(AddressPolicy::PublicOnly, &["10.0.0.1:0", "[fe80::1]:0"]).is_err());
        assert!(kept(AddressPolicy::PublicOnly, &[]).unwrap().is_empty());
    }
}
