//! Which host names the server answers to, and which web pages may call it.
//!
//! On loopback there are no keys, so a foreign page must not reach the server through its visitor's browser. Foreign `Host`
//! headers (DNS rebinding) and foreign `Origin` headers (cross-site requests, WebSockets) are refused. The server's own address
//! is never derived from what a request claims.

use std::net::{IpAddr, SocketAddr};

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Uri,
    header::{self, ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HOST, ORIGIN},
};
use countersign_config::Config;

pub(crate) struct Origins {
    /// Accepted host names without the port. Empty if any name is accepted.
    hosts: Vec<String>,
    port: u16,
    allowed: Vec<HeaderValue>,
    /// The first configured origin, which CORS headers name if the request has none.
    first: Option<HeaderValue>,
}

/// The origin of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RequestOrigin {
    /// No `Origin` header: not a browser, or a page of this server.
    Unnamed,
    Allowed(HeaderValue),
    Foreign,
}

impl Origins {
    pub(crate) fn new(config: &Config, bound: SocketAddr) -> Self {
        let (ip, port) = (config.listen.ip(), bound.port());
        let local = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        let own = if ip.is_unspecified() { Vec::new() } else { vec![host_text(ip)] };
        let is_local = ip.is_loopback() || ip.is_unspecified();
        let names: Vec<String> = local.into_iter().filter(|_| is_local).chain(own).collect();
        let own_origins = names.iter().map(|host| match port {
            80 => format!("http://{host}"),
            port => format!("http://{host}:{port}"),
        });
        let configured: Vec<HeaderValue> = config.frontend_origins.iter().filter_map(|o| o.parse().ok()).collect();
        let first = configured.first().cloned();
        let allowed = configured.into_iter().chain(own_origins.filter_map(|origin| origin.parse().ok())).collect();
        Self { hosts: if ip.is_loopback() { names } else { Vec::new() }, port, allowed, first }
    }

    /// Whether the request is addressed to this server. If both the target and the `Host` header name a host, both must match.
    pub(crate) fn knows_host(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        if self.hosts.is_empty() {
            return true;
        }
        let mut named = headers.get_all(HOST).iter();
        let only_one = match (named.next(), named.next()) {
            (Some(host), None) => host.to_str().is_ok_and(|host| self.is_own(host)),
            _ => false,
        };
        only_one && uri.authority().is_none_or(|authority| self.is_own(authority.as_str()))
    }

    fn is_own(&self, host: &str) -> bool {
        // A colon after an IPv6 address's bracket, or after a name, starts the port.
        let (name, port) = match host.rfind(':') {
            Some(at) if !host[at..].contains(']') => (&host[..at], Some(&host[at + 1..])),
            _ => (host, None),
        };
        let port_fits = port.is_none_or(|port| port.parse() == Ok(self.port));
        port_fits && self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    pub(crate) fn classify(&self, headers: &HeaderMap) -> RequestOrigin {
        let mut named = headers.get_all(ORIGIN).iter();
        match (named.next(), named.next()) {
            (None, _) => RequestOrigin::Unnamed,
            (Some(origin), None) if self.allowed.contains(origin) => RequestOrigin::Allowed(origin.clone()),
            _ => RequestOrigin::Foreign,
        }
    }

    /// Adds the CORS headers, to errors too, so that a browser lets the page read the response.
    pub(crate) fn add_cors_headers(&self, from: &RequestOrigin, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let origin = match from {
            RequestOrigin::Allowed(origin) => Some(origin),
            RequestOrigin::Unnamed => self.first.as_ref(),
            RequestOrigin::Foreign => None,
        };
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
    }
}

/// A wildcard has no effect when credentials are allowed, so the names are listed.
const EXPOSED: &str = "idempotent-replayed, retry-after, x-countersign-log-id, x-countersign-status, x-request-id";

/// Whether this is a browser's preflight request.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The response headers to a preflight request. Its origin has been checked, so all headers that it asks for are allowed: clients
/// of OpenAI's protocol send many of their own.
pub(crate) fn preflight(headers: &HeaderMap) -> [(HeaderName, HeaderValue); 3] {
    const USUAL: HeaderValue =
        HeaderValue::from_static("authorization, content-type, idempotency-key, x-countersign-csrf, x-request-id");
    let requested =
        headers.get(ACCESS_CONTROL_REQUEST_HEADERS).filter(|names| names.len() <= REQUEST_HEADERS_BYTES_MAX);
    [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST, DELETE")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, requested.cloned().unwrap_or(USUAL)),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
    ]
}

const REQUEST_HEADERS_BYTES_MAX: usize = 2_048;

fn host_text(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => format!("[{v6}]"),
    }
}

/// The URL at which programs on this machine reach a server that is bound to `bound`.
pub(crate) fn local_url(bound: SocketAddr) -> String {
    let ip = match bound.ip() {
        IpAddr::V4(v4) if v4.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(v6) if v6.is_unspecified() => "[::1]".to_owned(),
        other => host_text(other),
    };
    format!("http://{ip}:{}", bound.port())
}
