//! The Merkle tree, proofs and signed checkpoints of an append-only event log.
//!
//! An outside verifier needs this crate and nothing else. It is pure: no I/O, no clock and no randomness of its own.
//! Hashes are read through [`HashSource`], key seeds are passed as bytes, and storage is up to the caller.
//!
//! | file            | job                                                            | specification           |
//! |-----------------|----------------------------------------------------------------|-------------------------|
//! | `hash.rs`       | leaf, node and body hashes                                     | RFC 6962 section 2.1    |
//! | `frontier.rs`   | the right edge of the tree: append and root                    | RFC 6962 section 2.1    |
//! | `proof.rs`      | roots and proofs from stored hashes                            | RFC 6962 section 2.1    |
//! | `verify.rs`     | the checks an outsider runs                                    | RFC 9162 section 2.1    |
//! | `checkpoint.rs` | a tree head as text                                            | C2SP tlog-checkpoint    |
//! | `note.rs`       | a text with signature lines                                    | C2SP signed-note        |
//! | `named_key.rs`  | names, ids and text forms of keys                              | C2SP signed-note        |
//! | `key.rs`        | the Ed25519 keys that sign and open notes                      | C2SP signed-note        |
//! | `cosignature.rs`| the keys that cosign checkpoints                               | C2SP tlog-cosignature   |
//! | `witness.rs`    | requests to witnesses, and when they may cosign                 | C2SP tlog-witness       |
//!
//! What a verifier does, from the key it trusts to the leaf it asks about:
//!
//! ```
//! use countersign_ledger::{Checkpoint, LedgerError, SigningKey, VerifyingKey, leaf_hash, node_hash, verify_inclusion};
//!
//! # fn main() -> Result<(), LedgerError> {
//! let (first, second) = (leaf_hash(b"first event"), leaf_hash(b"second event"));
//! let key = SigningKey::from_seed("log.example/events", &[7; 32])?;
//! let head = Checkpoint { origin: "log.example/events".into(), size: 2, root: node_hash(&first, &second) };
//! let (note, vkey) = (key.sign(&head), key.verifying_key().to_vkey());
//!
//! let opened = VerifyingKey::parse(&vkey)?.open(&note)?;
//! verify_inclusion(&second, 1, opened.size, &[first], &opened.root)?;
//! # Ok(())
//! # }
//! ```

mod checkpoint;
mod cosignature;
mod error;
mod frontier;
mod hash;
mod key;
mod named_key;
mod note;
mod proof;
mod verify;
mod witness;

pub use checkpoint::Checkpoint;
pub use cosignature::{Cosignature, WitnessKey, WitnessSigningKey, with_cosignature};
pub use error::LedgerError;
pub use frontier::{Frontier, NODE_STRIDE, NodeId, TREE_SIZE_MAX};
pub use hash::{Hash, HashedText, body_commitment, empty_root, leaf_hash, node_hash, sha256};
pub use key::{SigningKey, VerifyingKey};
pub use named_key::KEY_NAME_BYTES_MAX;
pub use note::{NOTE_BYTES_MAX, NOTE_SIGNATURES_MAX};
pub use proof::{HashSource, ProofError, consistency_proof, inclusion_proof, root_at};
pub use verify::{verify_consistency, verify_inclusion};
pub use witness::{AddCheckpoint, PROOF_LINES_MAX, REQUEST_BYTES_MAX, Refusal};
