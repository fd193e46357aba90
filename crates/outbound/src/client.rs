//! One bounded HTTP/1 client. It follows no redirects, keeps no cookies and logs nothing.

use crate::address::{AddressPolicy, Resolver};
use crate::error::{RequestError, SetupError};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use std::time::Duration;

const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const IDLE_CONNECTIONS_MAX: usize = 1_024;
const HEAD_BYTES_MAX: usize = 256 * 1024;

/// Sends requests over pooled connections. Clones share the pool. It has no time-out of its own: callers set one.
#[derive(Clone, Debug)]
pub struct HttpClient(Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>);

/// A request whose whole body is in memory, so that it can be sent again.
#[derive(Debug)]
pub struct OutboundRequest {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpClient {
    pub fn new(policy: AddressPolicy) -> Result<Self, SetupError> {
        let mut tcp = HttpConnector::new_with_resolver(Resolver::new(policy));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        // On a machine without a certificate store, fall back to Mozilla's root certificates.
        let tls = match HttpsConnectorBuilder::new().with_provider_and_native_roots(ring::default_provider()) {
            Ok(builder) => builder,
            Err(_) => HttpsConnectorBuilder::new()
                .with_provider_and_webpki_roots(ring::default_provider())
                .map_err(|error| SetupError::Tls(error.to_string()))?,
        };
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
            .pool_timer(TokioTimer::new())
            .http1_max_buf_size(HEAD_BYTES_MAX)
            .build(connector);
        Ok(Self(client))
    }

    /// Sends the request once and returns as soon as the response's head has arrived. Dropping the response's body closes
    /// the connection.
    pub async fn send(&self, request: &OutboundRequest) -> Result<Response<Incoming>, RequestError> {
        let mut sent = Request::new(Full::new(request.body.clone()));
        *sent.method_mut() = request.method.clone();
        *sent.uri_mut() = request.uri.clone();
        *sent.headers_mut() = request.headers.clone();
        self.0.request(sent).await.map_err(|error| RequestError::from_connection(&error))
    }
}
