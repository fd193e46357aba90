//! One bounded HTTP client for all providers. It follows no redirects, keeps no cookies and logs nothing.

use crate::error::CallError;
use crate::provider::SettingsError;
use crate::reach::{NoPublicAddress, Reach, Resolver};
use crate::scrub;
use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::{HeaderMap, Method, Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::ring;
use std::error::Error;
use std::io;
use std::time::Duration;

const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const IDLE_CONNECTIONS_MAX: usize = 1_024;
const HEAD_BYTES_MAX: usize = 256 * 1024;

#[derive(Clone, Debug)]
pub(crate) struct Http(Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>);

/// A request that can be sent again.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Http {
    pub(crate) fn new(reach: Reach) -> Result<Self, SettingsError> {
        let mut tcp = HttpConnector::new_with_resolver(Resolver::new(reach));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        // A machine without a certificate store still has Mozilla's roots.
        let tls = match HttpsConnectorBuilder::new().with_provider_and_native_roots(ring::default_provider()) {
            Ok(builder) => builder,
            Err(_) => HttpsConnectorBuilder::new()
                .with_provider_and_webpki_roots(ring::default_provider())
                .map_err(|error| SettingsError::Tls(error.to_string()))?,
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

    pub(crate) async fn send(&self, ask: &Ask) -> Result<Response<Incoming>, CallError> {
        let mut request = Request::new(Full::new(ask.body.clone()));
        *request.method_mut() = ask.method.clone();
        *request.uri_mut() = ask.uri.clone();
        *request.headers_mut() = ask.headers.clone();
        self.0.request(request).await.map_err(|error| connection(&error))
    }
}

/// The whole body, or an error as soon as it is known to be larger than the bound. One piece is not copied.
pub(crate) async fn read(mut body: Incoming, bytes_max: usize) -> Result<Bytes, CallError> {
    let announced = body.size_hint().lower();
    if announced > bytes_max as u64 {
        return Err(CallError::TooLarge { bytes_max });
    }
    let Some(first) = piece(&mut body).await? else { return Ok(Bytes::new()) };
    if first.len() > bytes_max {
        return Err(CallError::TooLarge { bytes_max });
    }
    let Some(second) = piece(&mut body).await? else { return Ok(first) };
    let mut whole = BytesMut::with_capacity(first.len() + usize::try_from(announced).unwrap_or(0).max(second.len()));
    whole.extend_from_slice(&first);
    let mut next = Some(second);
    while let Some(bytes) = next {
        if whole.len() + bytes.len() > bytes_max {
            return Err(CallError::TooLarge { bytes_max });
        }
        whole.extend_from_slice(&bytes);
        next = piece(&mut body).await?;
    }
    Ok(whole.freeze())
}

/// The next piece of a body that holds anything.
pub(crate) async fn piece(body: &mut Incoming) -> Result<Option<Bytes>, CallError> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(error)) => return Err(connection(&error)),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) if !data.is_empty() => return Ok(Some(data)),
                // Trailers and empty frames carry nothing for us.
                Ok(_) | Err(_) => {}
            },
        }
    }
}

fn connection(error: &dyn Error) -> CallError {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        if is_refused_address(cause) {
            return CallError::PrivateAddress;
        }
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    CallError::Connection(scrub::message(&text, None))
}

fn is_refused_address(cause: &(dyn Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<NoPublicAddress>())
}
