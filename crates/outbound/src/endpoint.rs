//! One fixed URL on another server, with its headers and its time-out. Used by everything except calls to models. Each
//! request is sent once, and header values never appear in `Debug` or in an error.

use crate::address::AddressPolicy;
use crate::base_url::check_base_url;
use crate::body::read_body;
use crate::client::{HttpClient, OutboundRequest};
use crate::error::{RequestError, SetupError};
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use hyper::{HeaderMap, Method, Response, Uri};
use std::fmt;
use std::time::Duration;

/// A URL to post to or to get, with everything that a request needs except its body.
pub struct Endpoint {
    http: HttpClient,
    uri: Uri,
    headers: HeaderMap,
    timeout: Duration,
    response_bytes_max: usize,
}

impl Endpoint {
    /// The largest response body that is read.
    pub const RESPONSE_BYTES_MAX: usize = 64 * 1024;

    /// `name` identifies it in errors; `path` is appended to the base URL and may contain a query.
    pub fn new(
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SetupError> {
        Self::with_policy(AddressPolicy::Any, name, base_url, path, headers, timeout)
    }

    /// Like [`Endpoint::new`], but never connects to a private address, so that the person who configured the URL can't use
    /// this server to reach its own network. A private IP address is refused here; a host name is checked at each connection.
    pub fn new_public(
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SetupError> {
        Self::with_policy(AddressPolicy::PublicOnly, name, base_url, path, headers, timeout)
    }

    fn with_policy(
        policy: AddressPolicy,
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SetupError> {
        let bad_url = |problem| SetupError::BaseUrl { name: name.to_owned(), problem };
        let base_url = check_base_url(name, base_url)?;
        let uri: Uri = format!("{base_url}{path}").parse().map_err(|_| bad_url("is not a URL"))?;
        if !uri.host().is_some_and(|host| policy.allows_host(host)) {
            return Err(bad_url("is a private address"));
        }
        let bad_key = || SetupError::Key { name: name.to_owned() };
        let mut all_headers = HeaderMap::new();
        all_headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        all_headers.insert(USER_AGENT, HeaderValue::from_static(crate::USER_AGENT));
        for (name, value) in headers {
            let (name, value) = header(name, value).ok_or_else(bad_key)?;
            all_headers.insert(name, value);
        }
        Ok(Self {
            http: HttpClient::new(policy)?,
            uri,
            headers: all_headers,
            timeout,
            response_bytes_max: Self::RESPONSE_BYTES_MAX,
        })
    }

    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// The response's status and body. A body over the limit is dropped and returned as empty: the status still counts.
    pub async fn post_json(&self, body: impl Into<Bytes>) -> Result<(u16, Bytes), RequestError> {
        self.within_timeout(async {
            let response = self.send(body, &[]).await?;
            let status = response.status().as_u16();
            match read_body(response.into_body(), self.response_bytes_max).await {
                Err(RequestError::TooLarge { .. }) => Ok((status, Bytes::new())),
                body => Ok((status, body?)),
            }
        })
        .await
    }

    /// The response's status and body. A body over the limit is an error.
    pub async fn get(&self) -> Result<(u16, Bytes), RequestError> {
        self.within_timeout(async {
            let (uri, headers) = (self.uri.clone(), self.headers.clone());
            let response =
                self.http.send(&OutboundRequest { method: Method::GET, uri, headers, body: Bytes::new() }).await?;
            let status = response.status().as_u16();
            Ok((status, read_body(response.into_body(), self.response_bytes_max).await?))
        })
        .await
    }

    /// The response's status alone, as soon as it has arrived: a slow body can't delay it. `extra_headers` apply to
    /// this request only.
    pub async fn post_for_status(
        &self,
        body: impl Into<Bytes>,
        extra_headers: &[(&str, &str)],
    ) -> Result<u16, RequestError> {
        self.within_timeout(async { Ok(self.send(body, extra_headers).await?.status().as_u16()) }).await
    }

    async fn send(
        &self,
        body: impl Into<Bytes>,
        extra_headers: &[(&str, &str)],
    ) -> Result<Response<Incoming>, RequestError> {
        let mut headers = self.headers.clone();
        for (name, value) in extra_headers {
            let bad_header = || {
                RequestError::Connection(format!(
                    "the name or the value of header {name} contains characters that are not allowed"
                ))
            };
            let (name, value) = header(name, value).ok_or_else(bad_header)?;
            headers.insert(name, value);
        }
        self.http
            .send(&OutboundRequest { method: Method::POST, uri: self.uri.clone(), headers, body: body.into() })
            .await
    }

    async fn within_timeout<T>(&self, call: impl Future<Output = Result<T, RequestError>>) -> Result<T, RequestError> {
        let after_ms = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        tokio::time::timeout(self.timeout, call).await.unwrap_or(Err(RequestError::Timeout { after_ms }))
    }
}

fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some((HeaderName::from_bytes(name.as_bytes()).ok()?, value))
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("host", &self.uri.host()).finish_non_exhaustive()
    }
}
