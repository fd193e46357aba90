//! Authenticates the caller: by a key in a header, by a session's cookie, or as `local` where no key is needed.
//!
//! A browser sends its cookies whichever page makes the request. So a session's request that changes something must also carry the
//! session's token, which only its own page can read, and a WebSocket must be opened by a page of this server.

use axum::http::{
    HeaderMap, HeaderName, Method,
    header::{AUTHORIZATION, COOKIE, UPGRADE},
};
use countersign_domain::payload::Denial;

use super::{App, origin::RequestOrigin};
use crate::{
    keys::{self, Caller},
    sessions::Session,
};

pub(crate) const SESSION_COOKIE: &str = "countersign_session";
const CSRF: HeaderName = HeaderName::from_static("x-countersign-csrf");

pub(crate) struct Identity {
    pub(crate) caller: Caller,
    /// Set if a cookie identified the caller.
    pub(crate) session: Option<Session>,
}

impl Identity {
    /// A key takes precedence over a cookie. Where no key is needed, callers are `local` unless one of our keys or a session
    /// identifies them.
    pub(crate) fn of(app: &App, headers: &HeaderMap) -> Result<Self, Denial> {
        let (needs_keys, now) = (app.config.needs_keys(), app.store.seams().now());
        let bearer_token = bearer(headers).filter(|token| needs_keys || token.is_ok_and(keys::is_ours));
        if let Some(token) = bearer_token {
            return Ok(Self { caller: app.keys.authenticate(token?, now)?, session: None });
        }
        let session = cookie(headers).and_then(|token| app.sessions.find(token, now));
        let denial = match session {
            None => Denial::NoKey,
            Some(session) => match app.keys.check(&session.caller, now) {
                Ok(()) => return Ok(Self { caller: session.caller.clone(), session: Some(session) }),
                Err(denial) => {
                    app.sessions.close(&session);
                    denial
                }
            },
        };
        if needs_keys { Err(denial) } else { Ok(Self { caller: Caller::Local, session: None }) }
    }

    /// Checks that a session's request comes from its own page, as far as a browser can prove it.
    pub(crate) fn check_page(
        &self,
        method: &Method,
        headers: &HeaderMap,
        origin: &RequestOrigin,
    ) -> Result<(), Denial> {
        let Some(session) = &self.session else { return Ok(()) };
        if headers.contains_key(UPGRADE) && !matches!(origin, RequestOrigin::Allowed(_)) {
            return Err(Denial::Origin);
        }
        let has_csrf = headers.get(CSRF).is_some_and(|token| session.is_csrf(token.as_bytes()));
        if method.is_safe() || has_csrf { Ok(()) } else { Err(Denial::Csrf) }
    }
}

fn bearer(headers: &HeaderMap) -> Option<Result<&str, Denial>> {
    let value = headers.get(AUTHORIZATION)?;
    let token = value
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .and_then(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()));
    Some(token.ok_or(Denial::WrongKey))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == SESSION_COOKIE).map(|(_, v)| v)
}
