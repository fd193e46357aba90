//! Which addresses may be connected to, for what is posted to places that other people name.
//!
//! A name is judged by the addresses that it resolves to when a connection is made, and the connection goes to one of
//! those: a name that changes its mind in between (DNS rebinding) gains nothing. What looks like a number (`127.1`,
//! `0x7f000001`) is a name too, since the system's resolver reads it. Only an address in its plain form skips the
//! resolver, so that is judged when the endpoint is made.

use hyper::Uri;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::{io, vec};
use tower::Service;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Anywhere,
    /// The public internet: not this machine, not its network, not a cloud's metadata.
    PublicOnly,
}

#[derive(Debug, thiserror::Error)]
#[error("the name stands for no public address")]
pub(crate) struct NoPublicAddress;

impl Reach {
    pub(crate) fn allows(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }

    /// Whether a URL's host is let through to the resolver or, as an address, to the connection.
    pub(crate) fn allows_host(self, host: &str) -> bool {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        bare.parse().map_or(true, |address| self.allows(address))
    }
}

/// Whether a URL names a private address outright. A name is none, whatever it stands for.
pub fn is_private_url(url: &str) -> bool {
    let host = url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    host.is_some_and(|host| !Reach::PublicOnly.allows_host(&host))
}

/// The system's resolver, without the addresses that may not be reached.
#[derive(Clone)]
pub(crate) struct Resolver {
    system: GaiResolver,
    reach: Reach,
}

impl Resolver {
    pub(crate) fn new(reach: Reach) -> Self {
        Self { system: GaiResolver::new(), reach }
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
        let (resolving, reach) = (self.system.call(name), self.reach);
        Box::pin(async move { allowed(reach, resolving.await?) })
    }
}

fn allowed(reach: Reach, found: impl Iterator<Item = SocketAddr>) -> io::Result<vec::IntoIter<SocketAddr>> {
    let (allowed, refused): (Vec<_>, Vec<_>) = found.partition(|address| reach.allows(address.ip()));
    if allowed.is_empty() && !refused.is_empty() {
        return Err(io::Error::other(NoPublicAddress));
    }
    Ok(allowed.into_iter())
}

/// By IANA's registries of special addresses. What is not clearly public is not.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        // This network, private, loopback.
        [0 | 10 | 127, ..] => true,
        // Carriers' shared space.
        [100, 64..=127, ..] => true,
        // Link-local, where clouds keep their metadata.
        [169, 254, ..] => true,
        [172, 16..=31, ..] | [192, 168, ..] => true,
        // Protocol assignments, documentation, relays of 6to4.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Benchmarks.
        [198, 18 | 19, ..] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // An IPv4 address in the clothes of IPv6, as the system connects to it or as a gateway (NAT64) does.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(v4(high, low)),
        // Protocol assignments, Teredo, ORCHID, benchmarks; documentation; 6to4.
        [0x2001, ..0x200, ..] | [0x2001, 0xdb8, ..] | [0x3fff, ..0x1000, ..] | [0x2002, ..] => false,
        // Global unicast. Loopback, local, multicast and what nobody has been given lie outside.
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
            assert_eq!(Reach::PublicOnly.allows(address.parse().unwrap()), expected, "{address}");
            assert!(Reach::Anywhere.allows(address.parse().unwrap()), "{address}");
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
    fn their_neighbours_are_public() {
        check(&["1.1.1.1", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "100.63.255.255"], true);
        check(&["100.128.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"], true);
        check(&["192.0.1.0", "192.0.3.0", "192.88.98.1", "192.167.255.255", "192.169.0.0"], true);
        check(&["198.17.255.255", "198.20.0.0", "198.51.99.1", "203.0.112.1", "223.255.255.255"], true);
    }

    #[test]
    fn private_and_special_addresses_of_ipv6_are_not_public() {
        check(&["::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1"], false);
        check(&["2001:db8::1", "3fff::1", "3fff:fff::1", "100::1", "5f00::1", "2001:2::1", "2001:10::1"], false);
        check(&["64:ff9b:1::1", "4000::1", "1fff::1", "e000::1"], false);
        check(&["2606:4700:4700::1111", "2a00:1450::1", "2001:200::1", "2001:db7::1", "3fff:1000::1", "2003::1"], true);
    }

    #[test]
    fn an_address_inside_another_is_judged_by_what_is_connected_to() {
        check(&["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0.0.0.0"], false);
        check(&["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "::127.0.0.1", "::8.8.8.8"], false);
        check(&["2002:7f00:1::", "2002:808:808::1", "2001:0:1:2:3:4:5:6", "::ffff:0:127.0.0.1"], false);
        check(&["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"], true);
    }

    #[test]
    fn a_host_is_judged_before_the_resolver_only_if_it_is_a_plain_address() {
        for (host, expected) in [
            ("127.0.0.1", false),
            ("[::1]", false),
            ("[::ffff:127.0.0.1]", false),
            ("::1", false),
            ("8.8.8.8", true),
            ("[2606:4700::1111]", true),
            // Names, to be judged by what they stand for.
            ("localhost", true),
            ("127.1", true),
            ("0x7f000001", true),
            ("127.0.0.1.", true),
            ("[", true),
            ("", true),
        ] {
            assert_eq!(Reach::PublicOnly.allows_host(host), expected, "{host}");
            assert!(Reach::Anywhere.allows_host(host), "{host}");
        }
    }

    #[test]
    fn of_a_name_with_several_addresses_the_public_ones_are_left() {
        let found = |list: &[&str]| list.iter().map(|one| one.parse().unwrap()).collect::<Vec<SocketAddr>>();
        let left = |reach, list: &[&str]| allowed(reach, found(list).into_iter()).map(Iterator::collect::<Vec<_>>);
        let mixed = ["127.0.0.1:0", "8.8.8.8:0", "[::1]:0"];
        assert_eq!(left(Reach::PublicOnly, &mixed).unwrap(), found(&["8.8.8.8:0"]));
        assert_eq!(left(Reach::Anywhere, &mixed).unwrap(), found(&mixed));
        assert!(left(Reach::PublicOnly, &["10.0.0.1:0", "[fe80::1]:0"]).is_err());
        assert!(left(Reach::PublicOnly, &[]).unwrap().is_empty());
    }
}
