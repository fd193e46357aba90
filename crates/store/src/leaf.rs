//! How an event becomes a leaf of the tree: its body's commitment, and the header whose exact bytes are hashed.
//!
//! Every backend must write the same bytes, so they are made here and nowhere else.

use std::borrow::Cow;

use countersign_domain::{Header, NewEvent, Time};
use countersign_ledger::body_commitment;

use crate::{error::Result, seams::Seams};

/// The commitment to an event's body, and the salt it was made with. It doesn't depend on the event's position, so callers
/// of [`crate::Store::ingest`] make it on their own threads, outside the transaction.
#[derive(Debug)]
pub(crate) struct BodyCommitment {
    pub(crate) salt: [u8; 32],
    /// SHA-256 in hex.
    pub(crate) hash: String,
}

impl BodyCommitment {
    pub(crate) fn new(event: &NewEvent, seams: &Seams) -> Self {
        let salt = seams.entropy.bytes();
        let hash = body_commitment(&salt, event.payload.as_bytes(), event.metadata.as_bytes());
        Self { salt, hash: hash.to_hex() }
    }
}

/// The header of an event at its position: the leaf's bytes.
pub(crate) fn header_text(event: &NewEvent, body: &BodyCommitment, seq: u64, recorded_at: Time) -> Result<String> {
    let event_type = event.event.event_type();
    let header = Header {
        seq,
        event_id: event.event_id,
        event_type: Cow::Borrowed(event_type.as_str()),
        occurred_at: event.occurred_at,
        recorded_at,
        producer: Cow::Borrowed(&event.producer),
        correlation_id: event.correlation_id,
        causation_id: event.causation_id,
        schema_version: event_type.schema_version(),
        commitment: Cow::Borrowed(&body.hash),
    };
    Ok(serde_json::to_string(&header)?)
}
