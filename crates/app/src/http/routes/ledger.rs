//! The ledger: what anyone needs to check that the log was not changed.

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use countersign_ledger::{Hash, leaf_hash};
use countersign_store::{SealedEvent, StoreError};
use data_encoding::HEXLOWER;
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

/// Get the newest checkpoint
///
/// Returns a C2SP signed note: the tree's origin, size and root, with an Ed25519 signature and the cosignatures of witnesses.
#[utoipa::path(get, path = "/api/ledger/checkpoint", tag = "Ledger", responses(
    (status = 200, description = "The signed note", content_type = "text/plain", body = String),
))]
pub(super) async fn checkpoint(State(app): State<App>) -> Result<Response> {
    let note = app.store.checkpoint().ok_or(StoreError::NotFound)?;
    Ok(([(CONTENT_TYPE, TEXT)], note.to_string()).into_response())
}

/// Get the public key
///
/// Returns the key that verifies checkpoints: `<name>+<key id>+<base64>`.
#[utoipa::path(get, path = "/api/ledger/key", tag = "Ledger", responses(
    (status = 200, description = "The key in the format of signed notes", content_type = "text/plain", body = String),
))]
pub(super) async fn key(State(app): State<App>) -> Response {
    ([(CONTENT_TYPE, TEXT)], format!("{}\n", app.store.verifying_key().to_vkey())).into_response()
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Inclusion {
    index: u64,
    size: u64,
    /// In hex, like all hashes here.
    leaf_hash: String,
    root: String,
    /// The siblings, from the leaf upwards.
    proof: Vec<String>,
}

/// Prove that an event is in the log
///
/// Returns an inclusion proof. Verify it as in RFC 6962, section 2.1.1, against the root of the tree of `size` events.
#[utoipa::path(get, path = "/api/ledger/inclusion", tag = "Ledger",
    params(
        ("index" = u64, Query, description = "The event's position in the log"),
        ("size" = Option<u64>, Query, description = "Size of the tree; by default that of the newest checkpoint"),
    ),
    responses((status = 200, description = "The proof", body = Inclusion)),
)]
pub(super) async fn inclusion(State(app): State<App>, mut params: Params) -> Result<Json<Inclusion>> {
    let index = params.position("index")?.ok_or_else(|| ApiError::bad_request("index: is missing"))?;
    let size = size_or_signed(&app, params.position("size")?, "size").await?;
    params.finish()?;
    if index >= size {
        return Err(ApiError::bad_request(format!("index: must be less than the tree's size, which is {size}")));
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

/// Prove that the log has only grown
///
/// Returns a consistency proof. Verify it as in RFC 6962, section 2.1.2: the tree of `from` events is the beginning of the tree of
/// `to` events.
#[utoipa::path(get, path = "/api/ledger/consistency", tag = "Ledger",
    params(
        ("from" = u64, Query, description = "Size of the smaller tree"),
        ("to" = Option<u64>, Query, description = "Size of the larger tree; by default that of the newest checkpoint"),
    ),
    responses((status = 200, description = "The proof", body = Consistency)),
)]
pub(super) async fn consistency(State(app): State<App>, mut params: Params) -> Result<Json<Consistency>> {
    let from = params.position("from")?.ok_or_else(|| ApiError::bad_request("from: is missing"))?;
    let to = size_or_signed(&app, params.position("to")?, "to").await?;
    params.finish()?;
    if from > to {
        return Err(ApiError::bad_request(format!("from: is larger than `to`, which is {to}")));
    }
    let (proof, root_from, root_to) =
        tokio::try_join!(app.store.consistency(from, to), app.store.root_at(from), app.store.root_at(to))?;
    let (root_from, root_to) = (root_from.to_hex(), root_to.to_hex());
    Ok(Json(Consistency { from, to, root_from, root_to, proof: in_hex(&proof) }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Leaf {
    index: u64,
    /// The leaf's exact text. `leaf_hash` is the SHA-256 of a zero byte and this text.
    header: String,
    leaf_hash: String,
    /// In hex. The header's `commitment` is the SHA-256 of the salt's bytes, `payload_json` and `metadata_json`, concatenated. All
    /// three are null if the event was erased.
    salt: Option<String>,
    /// The exact stored text.
    payload_json: Option<String>,
    metadata_json: Option<String>,
}

/// Get the leaf of an event
///
/// Returns the leaf and the body that it commits to. That proves that the payload belongs to the leaf; an inclusion proof shows
/// that the leaf is in the log.
#[utoipa::path(get, path = "/api/ledger/leaf/{index}", tag = "Ledger",
    params(("index" = u64, Path, description = "The event's position in the log")),
    responses(
        (status = 200, description = "The leaf", body = Leaf),
        (status = 404, description = "The log has no event at this position", body = super::ErrorBody),
    ),
)]
pub(super) async fn leaf(State(app): State<App>, Segment(index): Segment) -> Result<Json<Leaf>> {
    let index: u64 = index.parse().map_err(|_| ApiError::bad_request("index: is not a position in the log"))?;
    let size = app.store.size().await?;
    if index >= size {
        return Err(ApiError::not_found(format!("the log has {size} events")));
    }
    let SealedEvent { header, body } = app.store.sealed(index).await?;
    let leaf_hash = leaf_hash(header.as_bytes()).to_hex();
    let (salt, payload_json, metadata_json) = match body {
        Some(body) => (Some(HEXLOWER.encode(&body.salt)), Some(body.payload), Some(body.metadata)),
        None => (None, None, None),
    };
    Ok(Json(Leaf { index, header, leaf_hash, salt, payload_json, metadata_json }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Leaves {
    items: Vec<LeafHeader>,
    /// Pass it as `from` to get the next page; `null` at the end of the log.
    next: Option<u64>,
}

#[derive(Serialize, utoipa::ToSchema)]
struct LeafHeader {
    index: u64,
    /// The leaf's exact text. Its hash is the SHA-256 of a zero byte and this text.
    header: String,
}

/// List leaves, oldest first
///
/// The leaves are enough to recompute the root of any checkpoint.
#[utoipa::path(get, path = "/api/ledger/leaves", tag = "Ledger",
    params(
        ("from" = Option<u64>, Query, description = "Index of the first leaf; 0 by default"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000, description = "Maximum number of leaves; 256 by default"),
    ),
    responses((status = 200, description = "A page of leaves", body = Leaves)),
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
    /// The number of witnesses that must cosign.
    required: usize,
    /// The number of witnesses that currently cosign.
    current: usize,
    /// `warn` or `refuse`: what happens if fewer witnesses cosign than required.
    on_missing: &'static str,
    /// What is missing, if fewer witnesses cosign than required.
    missing: Option<String>,
    items: Vec<WitnessStatus>,
    /// Where checkpoints are published; null if they aren't.
    publish: Option<PublishStatus>,
}

/// List the witnesses of the log
///
/// Their cosignatures are in the newest checkpoint, each on a line after the log's signature.
#[utoipa::path(get, path = "/api/ledger/witnesses", tag = "Ledger", responses(
    (status = 200, description = "Every configured witness and its status", body = Witnesses),
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

/// The given size of the tree, or by default the size that the newest checkpoint covers.
async fn size_or_signed(app: &App, size: Option<u64>, name: &str) -> Result<u64> {
    let size = size.unwrap_or_else(|| app.store.signed_size());
    let durable = app.store.size().await?;
    if size > durable {
        return Err(ApiError::bad_request(format!("{name}: is larger than the log, which has {durable} events")));
    }
    Ok(size)
}

fn in_hex(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(Hash::to_hex).collect()
}
