//! What every request passes, in this order: request id, room, host, origin, rate, access, time limit, and at the end
//! headers, metrics and one line in the log.
//!
//! One layer instead of ten: at 20,000 requests a second each layer counts. A body is not touched before access is
//! granted. The log never holds a body, a query or a secret.

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
    access::Least,
    payload::{AccessDenied, Denial},
};
use futures_util::FutureExt;

use super::{
    App, Peer,
    access::{Route, SESSION},
    body::Payload,
    compression,
    error::{ApiError, Category, Failure, Result, in_openai_shape},
    identity::Identity,
    origin::{self, From},
    rate::Subject,
    request_id::REQUEST_ID,
};
use crate::{keys::Caller, masking, panics};

/// Longer paths of unknown routes are not logged.
const PATH_BYTES_MAX: usize = 64;
/// For routes that have deadlines of their own.
const NO_LIMIT: Duration = Duration::from_secs(24 * 3_600);
const CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Where a request goes, as far as the router and the access table know.
#[derive(Clone, Copy)]
enum Target {
    Listed(Route),
    /// A route that somebody forgot in the table.
    Unlisted,
    Nowhere,
}

impl Target {
    fn of(request: &Request) -> Self {
        match request.extensions().get::<MatchedPath>() {
            None => Self::Nowhere,
            Some(matched) => Route::find(matched.as_str()).map_or(Self::Unlisted, Self::Listed),
        }
    }

    fn keeps_its_own_time(self) -> bool {
        matches!(self, Self::Listed(route) if route.keeps_its_own_time())
    }

    /// A route that somebody forgot in the table is refused before it could show anything.
    fn shows_records(self) -> bool {
        matches!(self, Self::Listed(route) if route.shows_records())
    }

    fn least(self, method: &Method) -> Option<Least> {
        match self {
            Self::Listed(route) => route.least(method),
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
    let target = Target::of(&request);
    // Also what is nowhere: a client with a wrong path still speaks OpenAI's protocol.
    let is_gateway = request.uri().path().starts_with("/v1/");
    let mut seen = Seen {
        method: request.method().clone(),
        target,
        path: matches!(target, Target::Nowhere).then(|| loggable(request.uri().path()).to_owned()),
        request_id: app.request_ids.of(request.headers()),
        from: app.origins.from(request.headers()),
        caller: None,
        payload: Payload::default(),
        is_handled: false,
    };
    let may_be_compressed = !is_gateway && target.may_be_compressed();
    let takes_gzip = compression::takes(request.headers(), "gzip");
    let announces_body = announces_body(request.headers());
    // Probes are answered also where there is no room for anything else, and take none themselves.
    let room = (!target.is_probe()).then(|| app.in_flight.try_acquire()).transpose();
    let mut response = if room.is_err() {
        ApiError::Overloaded("too many requests are being answered; try again").into_response()
    } else {
        let _counted = InFlight::new(&app);
        let answer = answer(&app, request, next, &mut seen).await;
        answer.unwrap_or_else(IntoResponse::into_response)
    };
    if announces_body && !seen.is_handled {
        // The connection ends with this answer, because the body is still to come. The caller has to know.
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    drop(room);
    if is_gateway {
        response = in_openai_shape(response);
    }
    if may_be_compressed {
        // HEAD is compressed too, so that its Content-Length is that of GET. The router drops the body afterwards.
        response = compression::gzipped(response, takes_gzip).await;
    }
    mark(&app, &seen, response.headers_mut());
    let took = started.elapsed();
    app.metrics.answered(method_label(&seen.method), target.label(), response.status().as_u16(), took);
    log(&seen, &response, took);
    response
}

/// Counts down also when the caller goes away in between.
struct InFlight<'a>(&'a App);

impl<'a> InFlight<'a> {
    fn new(app: &'a App) -> Self {
        app.metrics.in_flight.inc();
        Self(app)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_flight.dec();
    }
}

/// What is known about a request when it has been answered.
struct Seen {
    method: Method,
    target: Target,
    /// Only where no pattern says it.
    path: Option<String>,
    request_id: HeaderValue,
    from: From,
    caller: Option<Caller>,
    payload: Payload,
    /// Whether a handler has answered. Otherwise the answer is the guard's own, and the body has not been read.
    is_handled: bool,
}

async fn answer(app: &App, mut request: Request, next: Next, seen: &mut Seen) -> Result<Response> {
    if !app.origins.knows_host(request.uri(), request.headers()) {
        return Err(deny(app, seen, &request, Denial::Host));
    }
    if seen.from == From::Foreign {
        return Err(deny(app, seen, &request, Denial::Origin));
    }
    if origin::is_preflight(&seen.method, request.headers()) {
        return Ok((StatusCode::NO_CONTENT, origin::preflight(request.headers()), Body::empty()).into_response());
    }
    let identity = Identity::of(app, request.headers());
    seen.caller = identity.as_ref().ok().map(|identity| identity.caller.clone());
    if let Err(reason @ (Denial::WrongKey | Denial::ExpiredKey | Denial::RevokedKey)) = &identity
        && let Err(limited) = check_wrong_key(app, seen, &request)
    {
        deny(app, seen, &request, *reason);
        return Err(limited);
    }
    if !seen.target.is_probe() {
        check_rate(app, &request, seen.caller.as_ref())?;
    }
    let identity = match admit(seen, request.headers(), identity) {
        Ok(identity) => identity,
        Err(Refusal::Denied(reason)) => return Err(deny(app, seen, &request, reason)),
        Err(Refusal::Other(error)) => return Err(error),
    };
    if !seen.method.is_safe() && !is_sign_in_or_out(seen) && app.witnesses.refuse_work() {
        return Err(ApiError::Overloaded(
            "the ledger's required witnesses don't cosign, so no new work is taken; GET /api/ledger/witnesses says why",
        ));
    }
    if let Some(Identity { caller, session }) = identity {
        request.extensions_mut().insert(caller);
        session.map(|session| request.extensions_mut().insert(session));
    }
    let reads_customer_data = seen.caller.as_ref().is_some_and(|caller| caller.role().reads_customer_data());
    let is_masked = seen.target.shows_records() && seen.method.is_safe() && !reads_customer_data;
    let limit = if seen.target.keeps_its_own_time() { NO_LIMIT } else { app.config.limits.request_timeout };
    let handled =
        tokio::time::timeout(limit, seen.payload.scope(AssertUnwindSafe(next.run(request)).catch_unwind())).await;
    seen.is_handled = matches!(handled, Ok(Ok(_)));
    match handled {
        Ok(Ok(response)) if is_masked => masking::masked_answer(response)
            .await
            .ok_or(ApiError::Internal { what: "an answer could not be masked", source: None }),
        Ok(Ok(response)) => Ok(response),
        Ok(Err(panic)) => Err(ApiError::Panicked(panics::message(panic.as_ref()))),
        Err(_) => Err(ApiError::TimedOut(limit.as_millis())),
    }
}

fn announces_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0")
}

fn is_sign_in_or_out(seen: &Seen) -> bool {
    seen.target.label() == SESSION
}

/// Wrong keys are limited for each address, like attempts to sign in. Only wrong ones are counted, so nobody else's mistakes
/// lock a right key out. Nor are they where the answer doesn't tell whether the key was right.
fn check_wrong_key(app: &App, seen: &Seen, request: &Request) -> Result<()> {
    let is_open = seen.target.least(&seen.method) == Some(Least::Open) && seen.target.label() != SESSION;
    if is_open || !request.headers().contains_key(header::AUTHORIZATION) {
        return Ok(());
    }
    let address = request.extensions().get::<Peer>().map(|Peer(address)| address.ip());
    let subject = address.map_or(Subject::Others, Subject::address);
    let taken = app.wrong_keys.take(subject, Instant::now());
    taken.map_err(|retry_after_s| ApiError::TooManyWrongKeys { retry_after_s })
}

fn check_rate(app: &App, request: &Request, caller: Option<&Caller>) -> Result<()> {
    let Some(rate) = &app.rate else { return Ok(()) };
    let subject = match (caller, request.extensions().get::<Peer>()) {
        (Some(Caller::Key { id, .. }), _) => Subject::Key(id.clone()),
        (_, Some(Peer(address))) => Subject::address(address.ip()),
        _ => Subject::Others,
    };
    rate.take(subject, Instant::now())
        .map_err(|retry_after_s| ApiError::RateLimited { per_minute: rate.per_minute(), retry_after_s })
}

enum Refusal {
    Denied(Denial),
    Other(ApiError),
}

/// Lets a request in as somebody, or as nobody where that is enough. A page signs in with a key, not with what it has.
fn admit(seen: &Seen, headers: &HeaderMap, identity: Result<Identity, Denial>) -> Result<Option<Identity>, Refusal> {
    let is_sign_in = seen.target.label() == SESSION && seen.method == Method::POST;
    if let Ok(identity) = &identity
        && !is_sign_in
    {
        identity.check_page(&seen.method, headers, &seen.from).map_err(Refusal::Denied)?;
    }
    let least = seen.target.least(&seen.method);
    if least == Some(Least::Open) {
        return Ok(identity.ok());
    }
    let identity = identity.map_err(Refusal::Denied)?;
    check_role(seen, least, identity.caller.role())?;
    Ok(Some(identity))
}

/// Strangers learn nothing, not even which paths exist.
fn check_role(seen: &Seen, least: Option<Least>, role: Role) -> Result<(), Refusal> {
    match (seen.target, least) {
        (_, Some(least)) if least.admits(role) => Ok(()),
        (_, Some(_)) => Err(Refusal::Denied(Denial::Role)),
        (Target::Listed(route), None) => {
            Err(Refusal::Other(ApiError::MethodNotAllowed { allow: route.allow().into() }))
        }
        (Target::Unlisted, None) => Err(Refusal::Denied(Denial::Role)),
        (Target::Nowhere, None) => Ok(()),
    }
}

/// Counts a refusal and says why.
fn deny(app: &App, seen: &Seen, request: &Request, reason: Denial) -> ApiError {
    let key_id = seen.caller.as_ref().and_then(key_id);
    let address = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    denied(app, reason, &seen.method, seen.target.label(), key_id, address)
}

/// The same for what is found out later.
pub(crate) fn denied(
    app: &App,
    reason: Denial,
    method: &Method,
    route: &'static str,
    key_id: Option<KeyId>,
    address: Option<IpAddr>,
) -> ApiError {
    app.metrics.denied(reason);
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
        Denial::WrongKey => ApiError::Unauthorized("the key is not known"),
        Denial::ExpiredKey => ApiError::Unauthorized("the key has expired"),
        Denial::RevokedKey => ApiError::Unauthorized("the key has been revoked"),
        Denial::Role => ApiError::Forbidden("the key's role does not allow this".into()),
        Denial::Origin => ApiError::Forbidden(
            "pages of this origin may not call the server; start it with FRONTEND_URL set to the address that the \
             browser shows, such as FRONTEND_URL=http://192.0.2.7:8080, several with commas between"
                .into(),
        ),
        Denial::Csrf => ApiError::Forbidden(
            "with a session's cookie this needs the header x-countersign-csrf; GET /api/session has its value".into(),
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

fn mark(app: &App, seen: &Seen, headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(header::CACHE_CONTROL).or_insert(const { HeaderValue::from_static("no-store") });
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(const { HeaderValue::from_static(CONTENT_POLICY) });
    headers.insert(REQUEST_ID, seen.request_id.clone());
    app.origins.mark(&seen.from, headers);
}

/// A path that matches no route, as the log may show it. Somebody may have put a key into it: a random key has a digit or a
/// capital in every encoding.
fn loggable(path: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || b"/-_.".contains(&byte);
    if path.len() <= PATH_BYTES_MAX && path.bytes().all(is_plain) { path } else { "withheld" }
}

fn log(seen: &Seen, response: &Response, took: Duration) {
    macro_rules! line {
        ($level:ident $(, $($more:tt)*)?) => {
            tracing::$level!(
                method = method_label(&seen.method),
                path = seen.path.as_deref().unwrap_or(seen.target.label()),
                status = response.status().as_u16(),
                ms = took.as_micros() as f64 / 1e3,
                request_id = seen.request_id.to_str().unwrap_or_default(),
                caller = seen.caller.as_ref().map_or("anonymous", Caller::name),
                $($($more)*,)?
                "request"
            )
        };
    }
    match response.status().as_u16() {
        500.. => {
            let failure = response.extensions().get::<Failure>();
            let (payload_bytes, payload_sha256) = seen.payload.digest().unzip();
            line!(
                error,
                category = Category::of(response),
                cause = failure.map(Failure::chain),
                payload_bytes = payload_bytes.unwrap_or(0),
                payload_sha256 = payload_sha256,
                backtrace = failure.and_then(Failure::backtrace_text)
            );
        }
        400.. => line!(info, category = Category::of(response)),
        _ => line!(info),
    }
}

/// Methods that nobody knows are counted as one: a caller can't make the metrics grow.
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
