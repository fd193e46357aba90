//! The ledger: what an outsider needs to check that nothing was changed.

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use countersign_ledger::{Hash, leaf_hash};
use countersign_store::{SealedEvent, StoreError};
use serde::Serialize;

use crate::{
    http::edge::{
        App,
        error::{ApiError, Result},
        json::Json,
        query::{Params, Segment},
    },
    witnesses::{PublishStatus, WitnessStatus},
};

const LEAVES_DEFAULT: usize = 256;
const LEAVES_MAX: usize = 1_000;
const TEXT: &str = "text/plain; charset=utf-8";

/// The newest checkpoint
///
/// A C2SP signed note: origin, size and root of the tree, with an Ed25519 signature and the cosignatures of witnesses.
#[utoipa::path(get, path = "/api/ledger/checkpoint", tag = "Ledger", responses(
    (status = 200, description = "The signed note", content_type = "text/plain", body = String),
))]
pub(super) async fn checkpoint(State(app): State<App>) -> Result<Response> {
    let note = app.store.checkpoint().ok_or(StoreError::NotFound)?;
    Ok(([(CONTENT_TYPE, TEXT)], note.to_string()).into_response())
}

/// The public key
///
/// Opens checkpoints: `<name>+<key id>+<base64>`.
#[utoipa::path(get, path = "/api/ledger/key", tag = "Ledger", responses(
    (status = 200, description = "The key in signed-note form", content_type = "text/plain", body = String),
))]
pub(super) async fn key(State(app): State<App>) -> Response {
    ([(CONTENT_TYPE, TEXT)], format!("{}\n", app.store.verifying_key().to_vkey())).into_response()
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Inclusion {
    index: u64,
    size: u64,
    /// Hex, as all hashes here.
    leaf_hash: String,
    root: String,
    /// The lowest sibling first.
    proof: Vec<String>,
}

/// Proof that an event is in the log
///
/// Verifies as in RFC 6962 section 2.1.1 against the root of the tree of `size` events.
#[utoipa::path(get, path = "/api/ledger/inclusion", tag = "Ledger",
    params(
        ("index" = u64, Query, description = "The event's position in the log"),
        ("size" = Option<u64>, Query, description = "Size of the tree; that of the newest checkpoint unless given"),
    ),
    responses((status = 200, description = "The proof", body = Inclusion)),
)]
pub(super) async fn inclusion(State(app): State<App>, mut params: Params) -> Result<Json<Inclusion>> {
    let index = params.position("index")?.ok_or_else(|| ApiError::bad_request("index: is missing"))?;
    let size = size_or_signed(&app, params.position("size")?, "size").await?;
    params.finish()?;
    if index >= size {
        return Err(ApiError::bad_request(format!("index: lies outside a tree of {size} events")));
    }
    let (proof, root, leaf) =
        tokio::try_join!(app.store.inclusion(index, size), app.store.root_at(size), app.store.leaf(index))?;
    let leaf_hash = leaf_hash(leaf.as_bytes()).to_hex();
    Ok(Json(Inclusion { index, size, leaf_hash, root: root.to_hex(), proof: in_hex(&proof) }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Consistency {
    from: u64,
    to: u64,
    root_from: String,
    root_to: String,
    proof: Vec<String>,
}

/// Proof that the log only grew
///
/// Verifies as in RFC 6962 section 2.1.2: the tree of `from` events is the beginning of the tree of `to`.
#[utoipa::path(get, path = "/api/ledger/consistency", tag = "Ledger",
    params(
        ("from" = u64, Query, description = "Size of the smaller tree"),
        ("to" = Option<u64>, Query, description = "Size of the larger; that of the newest checkpoint unless given"),
    ),
    responses((status = 200, description = "The proof", body = Consistency)),
)]
pub(super) async fn consistency(State(app): State<App>, mut params: Params) -> Result<Json<Consistency>> {
    let from = params.position("from")?.ok_or_else(|| ApiError::bad_request("from: is missing"))?;
    let to = size_or_signed(&app, params.position("to")?, "to").await?;
    params.finish()?;
    if from > to {
        return Err(ApiError::bad_request(format!("from: is larger than the other size, {to}")));
    }
    let (proof, root_from, root_to) =
        tokio::try_join!(app.store.consistency(from, to), app.store.root_at(from), app.store.root_at(to))?;
    let (root_from, root_to) = (root_from.to_hex(), root_to.to_hex());
    Ok(Json(Consistency { from, to, root_from, root_to, proof: in_hex(&proof) }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Leaf {
    index: u64,
    /// The leaf's exact text: `leaf_hash` is SHA-256 of a zero byte and this.
    header: String,
    leaf_hash: String,
    /// Hex. The header's `commitment` is SHA-256 of these bytes, `payload_json` and `metadata_json`, one after the other.
    /// Null, as those two, if the event was erased.
    salt: Option<String>,
    /// The exact text that was stored.
    payload_json: Option<String>,
    metadata_json: Option<String>,
}

/// What the ledger holds of an event
///
/// With the body that it commits to: enough to prove that this payload is in this leaf, and with an inclusion proof that
/// the leaf is in the log.
#[utoipa::path(get, path = "/api/ledger/leaf/{index}", tag = "Ledger",
    params(("index" = u64, Path, description = "The event's position in the log")),
    responses(
        (status = 200, description = "The leaf", body = Leaf),
        (status = 404, description = "The log is shorter", body = super::ErrorBody),
    ),
)]
pub(super) async fn leaf(State(app): State<App>, Segment(index): Segment) -> Result<Json<Leaf>> {
    let index: u64 = index.parse().map_err(|_| ApiError::bad_request("index: is not a position in the log"))?;
    let size = app.store.size().await?;
    if index >= size {
        return Err(ApiError::not_found(format!("the log holds {size} events")));
    }
    let SealedEvent { header, body } = app.store.sealed(index).await?;
    let leaf_hash = leaf_hash(header.as_bytes()).to_hex();
    let (salt, payload_json, metadata_json) = match body {
        Some(body) => (Some(hex(&body.salt)), Some(body.payload), Some(body.metadata)),
        None => (None, None, None),
    };
    Ok(Json(Leaf { index, header, leaf_hash, salt, payload_json, metadata_json }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Leaves {
    items: Vec<LeafHeader>,
    /// Pass it as `from` to go on; `null` at the current end.
    next: Option<u64>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct LeafHeader {
    index: u64,
    /// The leaf's exact text: its hash is SHA-256 of a zero byte and this.
    header: String,
}

/// The leaves, the oldest first
///
/// All that it takes to compute the root of any checkpoint anew.
#[utoipa::path(get, path = "/api/ledger/leaves", tag = "Ledger",
    params(
        ("from" = Option<u64>, Query, description = "The first leaf's index; 0 unless given"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000, description = "256 unless given"),
    ),
    responses((status = 200, description = "One page", body = Leaves)),
)]
pub(super) async fn leaves(State(app): State<App>, mut params: Params) -> Result<Json<Leaves>> {
    let from = params.position("from")?.unwrap_or(0);
    let limit = params.parsed::<usize>("limit", "a number from 1 to 1000")?.unwrap_or(LEAVES_DEFAULT);
    params.finish()?;
    if !(1..=LEAVES_MAX).contains(&limit) {
        return Err(ApiError::bad_request(format!("limit: must be from 1 to {LEAVES_MAX}")));
    }
    let mut headers = app.store.leaves(from, limit + 1).await?;
    let next = (headers.len() > limit).then(|| from + limit as u64);
    headers.truncate(limit);
    let items = (from..).zip(headers).map(|(index, header)| LeafHeader { index, header }).collect();
    Ok(Json(Leaves { items, next }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Witnesses {
    /// How many must cosign.
    required: usize,
    /// How many do.
    current: usize,
    /// `warn` or `refuse`: what happens where fewer cosign than must.
    on_missing: &'static str,
    /// What is missing, where something is.
    missing: Option<String>,
    items: Vec<WitnessStatus>,
    /// Where checkpoints are published besides; null if nowhere.
    publish: Option<PublishStatus>,
}

/// Who cosigns the log's checkpoints
///
/// Their cosignatures stand in the newest checkpoint, each on a line of its own behind the log's signature.
#[utoipa::path(get, path = "/api/ledger/witnesses", tag = "Ledger", responses(
    (status = 200, description = "Every configured witness and how it stands", body = Witnesses),
))]
pub(super) async fn witnesses(State(app): State<App>) -> Json<Witnesses> {
    let witnesses = &app.witnesses;
    Json(Witnesses {
        required: witnesses.required(),
        current: witnesses.current(),
        on_missing: witnesses.on_missing().as_str(),
        missing: witnesses.missing(),
        items: witnesses.all(),
        publish: witnesses.publish(),
    })
}

async fn size_or_signed(app: &App, size: Option<u64>, name: &str) -> Result<u64> {
    let size = size.unwrap_or_else(|| app.store.signed_size());
    let durable = app.store.size().await?;
    if size > durable {
        return Err(ApiError::bad_request(format!("{name}: is larger than the log, which holds {durable} events")));
    }
    Ok(size)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn in_hex(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(Hash::to_hex).collect()
}
