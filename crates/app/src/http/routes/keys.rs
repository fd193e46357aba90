//! Access keys over HTTP. A key's secret is returned only once, when the key is created.

use axum::{
    Extension,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use countersign_domain::{KeyId, Role, Time};
use countersign_store::AccessKey;
use serde::{Deserialize, Serialize};

use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::{self, Json},
        query::{Page, PageParams, Params, Segment},
        run_detached,
    },
    keys::{Caller, KeyError},
};

/// A key without its secret.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Key {
    id: KeyId,
    name: String,
    role: Role,
    created_at: Time,
    expires_at: Option<Time>,
    revoked_at: Option<Time>,
}

impl From<AccessKey> for Key {
    fn from(key: AccessKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            role: key.role,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
        }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewKey {
    role: Role,
    /// Whose key it is, or what it is for.
    #[schema(min_length = 1, max_length = 128, example = "Ana, reviewer")]
    name: String,
    /// Without it, the key is valid until it is revoked.
    expires_at: Option<Time>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct CreatedKey {
    /// The key itself. It is not stored, so it can't be shown again.
    #[schema(example = "cs_abcdefgh2345_...")]
    key: String,
    #[serde(flatten)]
    about: Key,
}

/// List keys, newest first
#[utoipa::path(get, path = "/api/keys", tag = "Keys", params(PageParams), responses(
    (status = 200, description = "Keys without their secrets, including revoked keys", body = Page<Key>),
))]
pub(super) async fn list(State(app): State<App>, mut params: Params) -> Result<Json<Page<Key>>> {
    let page = params.page()?;
    params.finish()?;
    let keys = app.keys.list().into_iter().map(Key::from).collect();
    Ok(Json(Page::within(keys, &page, |key: &Key| key.id.to_string())?))
}

/// Create a key
#[utoipa::path(post, path = "/api/keys", tag = "Keys", request_body = NewKey, responses(
    (status = 201, description = "The new key, which is shown only once", body = CreatedKey),
    (status = 413, description = "Too many bytes", body = super::ErrorBody),
))]
pub(super) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<CreatedKey>)> {
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let new: NewKey = json::object(&body.bytes)?;
    let keys = app.keys.clone();
    let created =
        run_detached(async move { Ok(keys.create(new.role, &new.name, new.expires_at, caller.name()).await?) });
    let (raw, key) = created.await?;
    Ok((StatusCode::CREATED, Json(CreatedKey { key: raw.expose().to_owned(), about: key.into() })))
}

/// Revoke a key
///
/// The key is invalid from the moment of the response. Revoking it again changes nothing.
#[utoipa::path(delete, path = "/api/keys/{id}", tag = "Keys",
    params(("id" = KeyId, Path, description = "The key's public id")),
    responses(
        (status = 200, description = "The revoked key", body = Key),
        (status = 404, description = "There is no such key", body = super::ErrorBody),
    ),
)]
pub(super) async fn revoke(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Segment(id): Segment,
) -> Result<Json<Key>> {
    let id = KeyId::try_from(id).map_err(|invalid| ApiError::bad_request(format!("id: {}", invalid.reason)))?;
    let keys = app.keys.clone();
    let key = run_detached(async move { Ok(keys.revoke(&id, caller.name()).await?) }).await?;
    Ok(Json(key.into()))
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Invalid(invalid) => invalid.into(),
            KeyError::Event(error) => error.into(),
            KeyError::Store(error) => error.into(),
        }
    }
}
