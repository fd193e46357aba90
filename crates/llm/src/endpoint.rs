//! One address outside that takes JSON, for what is no provider of models. Bounded and silent like the client it uses;
//! it tries once, and what its headers hold never shows.

use crate::error::CallError;
use crate::http::{Ask, Http, read};
use crate::provider::{Provider, SettingsError, Shape, checked_base};
use crate::reach::Reach;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use hyper::{HeaderMap, Method, Response, Uri};
use std::fmt;
use std::time::Duration;

pub struct Endpoint {
    http: Http,
    uri: Uri,
    headers: HeaderMap,
    timeout: Duration,
    answer_bytes_max: usize,
}

impl Endpoint {
    pub const ANSWER_BYTES_MAX: usize = 64 * 1024;

    /// `name` is what errors call it; `path` goes behind the base URL and may hold a query.
    pub fn new(
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SettingsError> {
        Self::within(Reach::Anywhere, name, base_url, path, headers, timeout)
    }

    /// One that is never reached at a private address: whoever named it must not get at this machine's own network
    /// through us. An address that is private by its spelling is refused here, a name whenever it is connected to.
    pub fn new_public(
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SettingsError> {
        Self::within(Reach::PublicOnly, name, base_url, path, headers, timeout)
    }

    fn within(
        reach: Reach,
        name: &str,
        base_url: &str,
        path: &str,
        headers: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Self, SettingsError> {
        let provider = Provider::new(name, Shape::OpenAi, base_url, None);
        let bad_url = |_| SettingsError::BaseUrl { provider: name.to_owned(), problem: "is not a URL" };
        let uri: Uri = format!("{}{path}", checked_base(&provider)?).parse().map_err(bad_url)?;
        if !uri.host().is_some_and(|host| reach.allows_host(host)) {
            return Err(SettingsError::BaseUrl { provider: provider.name, problem: "is a private address" });
        }
        let bad_key = || SettingsError::Key { provider: name.to_owned() };
        let mut all = HeaderMap::new();
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        all.insert(USER_AGENT, HeaderValue::from_static(concat!("countersign/", env!("CARGO_PKG_VERSION"))));
        for (name, value) in headers {
            let (name, value) = header(name, value).ok_or_else(bad_key)?;
            all.insert(name, value);
        }
        Ok(Self { http: Http::new(reach)?, uri, headers: all, timeout, answer_bytes_max: Self::ANSWER_BYTES_MAX })
    }

    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// The answer's status and body. A body over the bound is left unread and comes back empty: the status stands.
    pub async fn post_json(&self, body: impl Into<Bytes>) -> Result<(u16, Bytes), CallError> {
        self.in_time(async {
            let answer = self.send(body, &[]).await?;
            let status = answer.status().as_u16();
            match read(answer.into_body(), self.answer_bytes_max).await {
                Err(CallError::TooLarge { .. }) => Ok((status, Bytes::new())),
                body => Ok((status, body?)),
            }
        })
        .await
    }

    /// The same for what is only read.
    pub async fn get(&self) -> Result<(u16, Bytes), CallError> {
        self.in_time(async {
            let (uri, headers) = (self.uri.clone(), self.headers.clone());
            let answer = self.http.send(&Ask { method: Method::GET, uri, headers, body: Bytes::new() }).await?;
            let status = answer.status().as_u16();
            Ok((status, read(answer.into_body(), self.answer_bytes_max).await?))
        })
        .await
    }

    /// The answer's status alone: it stands as soon as it is there, however slowly the rest would come. `more` are
    /// headers that belong to this body.
    pub async fn post_for_status(&self, body: impl Into<Bytes>, more: &[(&str, &str)]) -> Result<u16, CallError> {
        self.in_time(async { Ok(self.send(body, more).await?.status().as_u16()) }).await
    }

    async fn send(&self, body: impl Into<Bytes>, more: &[(&str, &str)]) -> Result<Response<Incoming>, CallError> {
        let mut headers = self.headers.clone();
        for (name, value) in more {
            let bad_header = || CallError::Connection(format!("the header {name} can't carry its value"));
            let (name, value) = header(name, value).ok_or_else(bad_header)?;
            headers.insert(name, value);
        }
        self.http.send(&Ask { method: Method::POST, uri: self.uri.clone(), headers, body: body.into() }).await
    }

    async fn in_time<T>(&self, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        let after_ms = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        tokio::time::timeout(self.timeout, call).await.unwrap_or(Err(CallError::Timeout { after_ms }))
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
