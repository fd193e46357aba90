//! The layer around every request. In this order: request id, limit on requests in flight, host, origin, rate limit, access, time
//! limit, the handler, and then headers, metrics and one log line.
//!
//! It is one layer rather than ten, because each layer costs time at 20,000 requests per second. The body is not read before access
//! is granted. The log never contains a body, a query or a secret.

use std::{
    net::IpAddr,
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use countersign_domain::{
    KeyId, Role,
    access::RequiredRole,
    payload::{AccessDenied, Denial},
};
use futures_util::FutureExt;

use super::{
    App, Peer,
    access::{Route, SESSION},
    body::KeptBody,
    compression,
    error::{ApiError, Category, FailureDetails, Result, in_openai_shape},
    identity::Identity,
    origin::{self, RequestOrigin},
    rate::CountedCaller,
    request_id::REQUEST_ID,
};
use crate::{keys::Caller, masking, panics};

/// Longer paths are not logged if no route matches them.
const PATH_BYTES_MAX: usize = 64;
/// The time limit of this layer for routes that have one of their own.
const NO_LIMIT: Duration = Duration::from_secs(24 * 3_600);
const CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// The route of a request, as known to the router and the access table.
#[derive(Clone, Copy)]
enum RouteMatch {
    Listed(Route),
    /// A route that is missing from the table.
    Unlisted,
    /// No route matches.
    Nowhere,
}

impl RouteMatch {
    fn of(request: &Request) -> Self {
        match request.extensions().get::<MatchedPath>() {
            None => Self::Nowhere,
            Some(matched) => Route::find(matched.as_str()).map_or(Self::Unlisted, Self::Listed),
        }
    }

    fn has_own_time_limit(self) -> bool {
        matches!(self, Self::Listed(route) if route.has_own_time_limit())
    }

    /// A route that is missing from the table is refused, so its response contains no records.
    fn shows_records(self) -> bool {
        matches!(self, Self::Listed(route) if route.shows_records())
    }

    fn required_role(self, method: &Method) -> Option<RequiredRole> {
        match self {
            Self::Listed(route) => route.required_role(method),
            Self::Unlisted | Self::Nowhere => None,
        }
    }

    fn is_probe(self) -> bool {
        matches!(self, Self::Listed(route) if route.is_probe())
    }

    fn may_be_compressed(self) -> bool {
        matches!(self, Self::Listed(route) if route.may_be_compressed())
    }

    fn label(self) -> &'static str {
        match self {
            Self::Listed(route) => route.pattern,
            Self::Unlisted => "unlisted",
            Self::Nowhere => "unknown",
        }
    }
}

pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let target = RouteMatch::of(&request);
    // This includes paths without a route: a client with a wrong path still speaks OpenAI's protocol.
    let is_gateway = request.uri().path().starts_with("/v1/");
    let mut info = RequestInfo {
        method: request.method().clone(),
        target,
        path: matches!(target, RouteMatch::Nowhere).then(|| loggable(request.uri().path()).to_owned()),
        request_id: app.request_ids.of(request.headers()),
        origin: app.origins.classify(request.headers()),
        caller: None,
        kept_body: KeptBody::default(),
        was_handled: false,
    };
    let may_be_compressed = !is_gateway && target.may_be_compressed();
    let accepts_gzip = compression::accepts(request.headers(), "gzip");
    let announces_body = announces_body(request.headers());
    // Probes are answered under any load, and don't count as requests in flight.
    let permit = (!target.is_probe()).then(|| app.in_flight.try_acquire()).transpose();
    let mut response = if permit.is_err() {
        ApiError::Overloaded("too many requests are in progress; try again").into_response()
    } else {
        let _counted = InFlightCount::new(&app);
        let answered = answer(&app, request, next, &mut info).await;
        answered.unwrap_or_else(IntoResponse::into_response)
    };
    if announces_body && !info.was_handled {
        // The body has not been read, so the connection ends with this response. Tell the caller.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    drop(permit);
    if is_gateway {
        response = in_openai_shape(response);
    }
    if may_be_compressed {
        // HEAD is compressed too, so that it has the same Content-Length as GET. The router drops the body afterwards.
        response = compression::gzipped(response, accepts_gzip).await;
    }
    add_headers(&app, &info, response.headers_mut());
    let took = started.elapsed();
    app.metrics.count_request(method_label(&info.method), target.label(), response.status().as_u16(), took);
    log(&info, &response, took);
    response
}

/// Counts a request as in flight until this is dropped, which also happens if the caller disconnects.
struct InFlightCount<'a>(&'a App);

impl<'a> InFlightCount<'a> {
    fn new(app: &'a App) -> Self {
        app.metrics.in_flight.inc();
        Self(app)
    }
}

impl Drop for InFlightCount<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_flight.dec();
    }
}

/// What is known about a request by the time it has been answered.
struct RequestInfo {
    method: Method,
    target: RouteMatch,
    /// Only set if no route matches.
    path: Option<String>,
    request_id: HeaderValue,
    origin: RequestOrigin,
    caller: Option<Caller>,
    kept_body: KeptBody,
    /// Whether a handler has answered. Otherwise the response is the guard's own, and the body has not been read.
    was_handled: bool,
}

async fn answer(app: &App, mut request: Request, next: Next, info: &mut RequestInfo) -> Result<Response> {
    if !app.origins.knows_host(request.uri(), request.headers()) {
        return Err(deny(app, info, &request, Denial::Host));
    }
    if info.origin == RequestOrigin::Foreign {
        return Err(deny(app, info, &request, Denial::Origin));
    }
    if origin::is_preflight(&info.method, request.headers()) {
        return Ok((StatusCode::NO_CONTENT, origin::preflight(request.headers()), Body::empty()).into_response());
    }
    let identity = Identity::of(app, request.headers());
    info.caller = identity.as_ref().ok().map(|identity| identity.caller.clone());
    if let Err(reason @ (Denial::WrongKey | Denial::ExpiredKey | Denial::RevokedKey)) = &identity
        && let Err(limited) = check_wrong_key(app, info, &request)
    {
        deny(app, info, &request, *reason);
        return Err(limited);
    }
    if !info.target.is_probe() {
        check_rate(app, &request, info.caller.as_ref())?;
    }
    let identity = match admit(info, request.headers(), identity) {
        Ok(identity) => identity,
        Err(AdmissionError::Denied(reason)) => return Err(deny(app, info, &request, reason)),
        Err(AdmissionError::Other(error)) => return Err(error),
    };
    if !info.method.is_safe() && !is_sign_in_or_out(info) && app.witnesses.refuses_work() {
        return Err(ApiError::Overloaded(
            "too few of the ledger's required witnesses cosign, so no new work is accepted; see GET /api/ledger/witnesses",
        ));
    }
    if let Some(Identity { caller, session }) = identity {
        request.extensions_mut().insert(caller);
        session.map(|session| request.extensions_mut().insert(session));
    }
    let reads_customer_data = info.caller.as_ref().is_some_and(|caller| caller.role().reads_customer_data());
    let is_masked = info.target.shows_records() && info.method.is_safe() && !reads_customer_data;
    let limit = if info.target.has_own_time_limit() { NO_LIMIT } else { app.config.limits.request_timeout };
    let handled =
        tokio::time::timeout(limit, info.kept_body.scope(AssertUnwindSafe(next.run(request)).catch_unwind())).await;
    info.was_handled = matches!(handled, Ok(Ok(_)));
    match handled {
        Ok(Ok(response)) if is_masked => masking::masked_answer(response)
            .await
            .ok_or(ApiError::Internal { what: "a response could not be masked", source: None }),
        Ok(Ok(response)) => Ok(response),
        Ok(Err(panic)) => Err(ApiError::Panicked(panics::message(panic.as_ref()))),
        Err(_) => Err(ApiError::TimedOut(limit.as_millis())),
    }
}

fn announces_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0")
}

fn is_sign_in_or_out(info: &RequestInfo) -> bool {
    info.target.label() == SESSION
}

/// Limits wrong keys per address, like failed sign-ins. Only wrong keys are counted, so that the mistakes of others never lock
/// out a valid key. They are not counted where the response doesn't reveal whether the key was valid.
fn check_wrong_key(app: &App, info: &RequestInfo, request: &Request) -> Result<()> {
    let is_open = info.target.required_role(&info.method) == Some(RequiredRole::Open) && info.target.label() != SESSION;
    if is_open || !request.headers().contains_key(header::AUTHORIZATION) {
        return Ok(());
    }
    let address = request.extensions().get::<Peer>().map(|Peer(address)| address.ip());
    let subject = address.map_or(CountedCaller::Others, CountedCaller::address);
    let taken = app.wrong_keys.take(subject, Instant::now());
    taken.map_err(|retry_after_s| ApiError::TooManyWrongKeys { retry_after_s })
}

fn check_rate(app: &App, request: &Request, caller: Option<&Caller>) -> Result<()> {
    let Some(rate) = &app.rate else { return Ok(()) };
    let subject = match (caller, request.extensions().get::<Peer>()) {
        (Some(Caller::Key { id, .. }), _) => CountedCaller::Key(id.clone()),
        (_, Some(Peer(address))) => CountedCaller::address(address.ip()),
        _ => CountedCaller::Others,
    };
    rate.take(subject, Instant::now())
        .map_err(|retry_after_s| ApiError::RateLimited { per_minute: rate.per_minute(), retry_after_s })
}

/// Why a request is not admitted.
enum AdmissionError {
    Denied(Denial),
    Other(ApiError),
}

/// Checks that the caller may use the route. Open routes accept anonymous callers. Signing in ignores an existing session.
fn admit(
    info: &RequestInfo,
    headers: &HeaderMap,
    identity: Result<Identity, Denial>,
) -> Result<Option<Identity>, AdmissionError> {
    let is_sign_in = info.target.label() == SESSION && info.method == Method::POST;
    if let Ok(identity) = &identity
        && !is_sign_in
    {
        identity.check_page(&info.method, headers, &info.origin).map_err(AdmissionError::Denied)?;
    }
    let required = info.target.required_role(&info.method);
    if required == Some(RequiredRole::Open) {
        return Ok(identity.ok());
    }
    let identity = identity.map_err(AdmissionError::Denied)?;
    check_role(info, required, identity.caller.role())?;
    Ok(Some(identity))
}

/// Checks the caller's role. Anonymous callers don't get this far, so they don't learn which paths exist.
fn check_role(info: &RequestInfo, required: Option<RequiredRole>, role: Role) -> Result<(), AdmissionError> {
    match (info.target, required) {
        (_, Some(required)) if required.admits(role) => Ok(()),
        (_, Some(_)) => Err(AdmissionError::Denied(Denial::Role)),
        (RouteMatch::Listed(route), None) => {
            Err(AdmissionError::Other(ApiError::MethodNotAllowed { allow: route.allow().into() }))
        }
        (RouteMatch::Unlisted, None) => Err(AdmissionError::Denied(Denial::Role)),
        (RouteMatch::Nowhere, None) => Ok(()),
    }
}

/// Records a refusal and returns its error.
fn deny(app: &App, info: &RequestInfo, request: &Request, reason: Denial) -> ApiError {
    let key_id = info.caller.as_ref().and_then(key_id);
    let address = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    record_denial(app, reason, &info.method, info.target.label(), key_id, address)
}

/// Records a refusal decided by a handler, and returns its error.
pub(crate) fn record_denial(
    app: &App,
    reason: Denial,
    method: &Method,
    route: &'static str,
    key_id: Option<KeyId>,
    address: Option<IpAddr>,
) -> ApiError {
    app.metrics.count_denial(reason);
    app.denials.add(AccessDenied {
        reason,
        method: method_label(method).to_owned(),
        route: route.to_owned(),
        key_id,
        address: address.map(|address| address.to_string()),
        count: 1,
        denied_at: app.store.seams().now(),
    });
    match reason {
        Denial::NoKey => ApiError::Unauthorized("this path needs a key: Authorization: Bearer cs_..."),
        Denial::WrongKey => ApiError::Unauthorized("the key is unknown"),
        Denial::ExpiredKey => ApiError::Unauthorized("the key has expired"),
        Denial::RevokedKey => ApiError::Unauthorized("the key has been revoked"),
        Denial::Role => ApiError::Forbidden("the key's role does not allow this".into()),
        Denial::Origin => ApiError::Forbidden(
            "pages of this origin may not call the server; start it with FRONTEND_URL set to the address that the \
             browser shows, such as FRONTEND_URL=http://192.0.2.7:8080; separate several with commas"
                .into(),
        ),
        Denial::Csrf => ApiError::Forbidden(
            "a request with a session's cookie needs the header x-countersign-csrf; GET /api/session returns its value"
                .into(),
        ),
        Denial::Host => ApiError::Forbidden("the host header does not name this server".into()),
    }
}

fn key_id(caller: &Caller) -> Option<KeyId> {
    match caller {
        Caller::Local => None,
        Caller::Key { id, .. } => Some(id.clone()),
    }
}

fn add_headers(app: &App, info: &RequestInfo, headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(const { HeaderValue::from_static("no-store") });
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(const { HeaderValue::from_static(CONTENT_POLICY) });
    headers.insert(REQUEST_ID, info.request_id.clone());
    app.origins.add_cors_headers(&info.origin, headers);
}

/// The path for the log, if no route matches it. It may contain a key by mistake, so only lower-case letters are logged: a random
/// key has a digit or a capital letter in every encoding.
fn loggable(path: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || b"/-_.".contains(&byte);
    if path.len() <= PATH_BYTES_MAX && path.bytes().all(is_plain) { path } else { "withheld" }
}

fn log(info: &RequestInfo, response: &Response, took: Duration) {
    macro_rules! line {
        ($level:ident $(, $($more:tt)*)?) => {
            tracing::$level!(
                method = method_label(&info.method),
                path = info.path.as_deref().unwrap_or(info.target.label()),
                status = response.status().as_u16(),
                ms = took.as_micros() as f64 / 1e3,
                request_id = info.request_id.to_str().unwrap_or_default(),
                caller = info.caller.as_ref().map_or("anonymous", Caller::name),
                $($($more)*,)?
                "request"
            )
        };
    }
    match response.status().as_u16() {
        500.. => {
            let failure = response.extensions().get::<FailureDetails>();
            let (payload_bytes, payload_sha256) = info.kept_body.digest().unzip();
            line!(
                error,
                category = Category::of(response),
                cause = failure.map(FailureDetails::chain),
                payload_bytes = payload_bytes.unwrap_or(0),
                payload_sha256 = payload_sha256,
                backtrace = failure.and_then(FailureDetails::backtrace_text)
            );
        }
        400.. => line!(info, category = Category::of(response)),
        _ => line!(info),
    }
}

/// Unknown methods share one label, so that callers can't create metrics without bound.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

#[cfg(test)]
mod tests;
