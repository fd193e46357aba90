//! Signing in and out with a browser, and what the dashboard needs to know first.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{ORIGIN, SET_COOKIE},
    },
};
use countersign_domain::{KeyId, Role};
use serde::{Deserialize, Serialize};

use crate::{
    http::edge::{
        App, Peer,
        access::SESSION,
        error::{ApiError, Result},
        guard,
        identity::SESSION_COOKIE,
        json::{self, Json},
        query::Params,
        rate::CountedCaller,
    },
    keys::Caller,
    sessions::{self, Session},
};

const SIGN_IN_BYTES_MAX: usize = 4 * 1024;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    #[schema(example = "cs_abcdefgh2345_...")]
    key: String,
}

/// The caller and the server.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct SessionInfo {
    /// Whether the caller is authenticated: by a session, by a key, or as `local` where no key is needed.
    signed_in: bool,
    /// Whether this server requires keys.
    keys_required: bool,
    /// The name of the key, or `local`; null for anonymous callers.
    #[schema(example = "Ana, reviewer")]
    name: Option<String>,
    /// The id of the key, which decisions and requests are recorded with; null without a key.
    key_id: Option<KeyId>,
    role: Option<Role>,
    /// Must be sent as `x-countersign-csrf` with every request that changes something. Null without a session.
    csrf: Option<String>,
    /// The worker, as `provider/model`; null for anonymous callers.
    #[schema(example = "simulated/simulated")]
    worker: Option<String>,
    /// Whether the worker's answers are made up.
    is_simulated: bool,
    /// Whether the transactions are made up.
    is_demo: bool,
    version: &'static str,
}

impl SessionInfo {
    fn of(app: &App, caller: Option<&Caller>, session: Option<&Session>) -> Self {
        let worker = &app.answers.worker;
        let name = |caller: &Caller| match caller {
            Caller::Local => caller.name().to_owned(),
            Caller::Key { id, .. } => app.keys.name_of(id).unwrap_or_else(|| id.to_string()),
        };
        Self {
            signed_in: caller.is_some(),
            keys_required: app.config.needs_keys(),
            name: caller.map(name),
            key_id: caller.and_then(|caller| match caller {
                Caller::Local => None,
                Caller::Key { id, .. } => Some(id.clone()),
            }),
            role: caller.map(Caller::role),
            csrf: session.map(|session| session.csrf().to_owned()),
            worker: caller.is_some().then(|| worker.to_string()),
            is_simulated: app.is_worker_simulated,
            is_demo: app.is_demo,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Show the session
///
/// Needs no key. The dashboard calls this first, to find out whether the user must sign in.
#[utoipa::path(get, path = "/api/session", tag = "Keys", responses(
    (status = 200, description = "The caller and the server", body = SessionInfo),
))]
pub(super) async fn show(
    State(app): State<App>,
    caller: Option<Extension<Caller>>,
    session: Option<Extension<Session>>,
    params: Params,
) -> Result<Json<SessionInfo>> {
    params.finish()?;
    let (caller, session) = (caller.map(|Extension(caller)| caller), session.map(|Extension(session)| session));
    Ok(Json(SessionInfo::of(&app, caller.as_ref(), session.as_ref())))
}

/// Sign in
///
/// Exchanges a key for a cookie: `HttpOnly`, `SameSite=Strict`, valid for twelve hours, or two hours without use. The session ends
/// when its key becomes invalid or the server is restarted. Requests with the cookie that change something must carry
/// `x-countersign-csrf`.
#[utoipa::path(post, path = "/api/session", tag = "Keys", request_body = SignIn, responses(
    (status = 200, description = "Signed in; `Set-Cookie` sets the session's cookie", body = SessionInfo),
    (status = 413, description = "Too many bytes", body = super::ErrorBody),
    (status = 429, description = "Too many failed attempts (ten per minute and address); `Retry-After` says when to try again", body = super::ErrorBody),
))]
pub(super) async fn sign_in(
    State(app): State<App>,
    peer: Option<Extension<Peer>>,
    earlier: Option<Extension<Session>>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<([(HeaderName, HeaderValue); 1], Json<SessionInfo>)> {
    params.finish()?;
    let body = app.bodies.read(&headers, body, SIGN_IN_BYTES_MAX).await?;
    let SignIn { key } = json::object(&body.bytes)?;
    let caller = authenticate(&app, key.trim(), peer.map(|Extension(peer)| peer))?;
    if let Some(Extension(earlier)) = earlier {
        app.sessions.close(&earlier);
    }
    let (session, token) = app.sessions.open(caller, app.store.seams());
    let cookie = cookie(&token, sessions::LIFETIME.as_secs(), &headers)?;
    Ok(([cookie], Json(SessionInfo::of(&app, Some(&session.caller), Some(&session)))))
}

/// Sign out
///
/// The session has ended by the time of the response. Without a session, nothing happens.
#[utoipa::path(delete, path = "/api/session", tag = "Keys", responses(
    (status = 204, description = "Signed out; the cookie is removed"),
))]
pub(super) async fn sign_out(
    State(app): State<App>,
    session: Option<Extension<Session>>,
    params: Params,
    headers: HeaderMap,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1])> {
    params.finish()?;
    if let Some(Extension(session)) = session {
        app.sessions.close(&session);
    }
    Ok((StatusCode::NO_CONTENT, [cookie("", 0, &headers)?]))
}

/// Only attempts with a wrong key are limited: the mistakes of others at the same address must not lock out a valid key.
fn authenticate(app: &App, key: &str, peer: Option<Peer>) -> Result<Caller> {
    let address = peer.map(|Peer(address)| address.ip());
    app.keys.authenticate(key, app.store.seams().now()).map_err(|reason| {
        let denied = guard::record_denial(app, reason, &Method::POST, SESSION, None, address);
        let subject = address.map_or(CountedCaller::Others, CountedCaller::address);
        let taken = app.sign_ins.take(subject, std::time::Instant::now());
        taken.map_or_else(|retry_after_s| ApiError::TooManySignIns { retry_after_s }, |()| denied)
    })
}

/// Sets `Secure` only if the page was loaded over HTTPS: over plain HTTP, browsers discard such cookies.
fn cookie(token: &str, max_age_s: u64, headers: &HeaderMap) -> Result<(HeaderName, HeaderValue)> {
    let is_https = headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let secure = if is_https { "; Secure" } else { "" };
    let text = format!("{SESSION_COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={max_age_s}{secure}");
    let value = HeaderValue::try_from(text);
    let value = value.map_err(|_| ApiError::Internal { what: "a cookie could not be written", source: None })?;
    Ok((SET_COOKIE, value))
}
