//! Requests to witnesses, and the rule by which a witness may cosign (C2SP tlog-witness).
//!
//! The rule is pure. The caller must lock the log's state from the check until the new state is durable. Otherwise, two
//! concurrent requests could make a witness sign two inconsistent tree heads.

use crate::note::NOTE_BYTES_MAX;
use crate::{Checkpoint, Hash, LedgerError, empty_root, verify_consistency};

/// The specification's limit.
pub const PROOF_LINES_MAX: usize = 63;
/// Enough for a note and 63 proof lines.
pub const REQUEST_BYTES_MAX: usize = NOTE_BYTES_MAX + 4 * 1024;

/// A request to cosign a checkpoint: the body of `POST <prefix>/add-checkpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size that the witness last cosigned, as far as the sender knows.
    pub old_size: u64,
    /// The consistency proof from that size to the submitted one.
    pub proof: Vec<Hash>,
    /// The signed checkpoint.
    pub note: String,
}

/// Why a witness does not cosign a checkpoint with a valid signature of its log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the old size is larger than the checkpoint's")]
    OldSizeTooLarge,
    /// The sender must start from the size that was cosigned last.
    #[error("the last cosigned checkpoint has {known_size} events")]
    OtherSize { known_size: u64 },
    /// The log has two tree heads of the same size, and so two histories.
    #[error("another checkpoint of {known_size} events was cosigned")]
    Fork { known_size: u64 },
    #[error("the consistency proof does not hold")]
    BadProof,
}

impl AddCheckpoint {
    pub fn to_body(&self) -> String {
        let proof: String = self.proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
        format!("old {}\n{proof}\n{}", self.old_size, self.note)
    }

    pub fn parse(body: &str) -> Result<Self, LedgerError> {
        if body.len() > REQUEST_BYTES_MAX {
            return Err(LedgerError::BadRequest("it is too long"));
        }
        // The proof lines are base64, so the first empty line ends them.
        let (head, note) = body.split_once("\n\n").ok_or(LedgerError::BadRequest("no empty line before the note"))?;
        let mut lines = head.split('\n');
        let size = lines.next().and_then(|line| line.strip_prefix("old "));
        let old_size = size.and_then(crate::checkpoint::parse_size).ok_or(LedgerError::BadRequest("no old size"))?;
        let proof: Result<Vec<_>, _> = lines.map(Hash::from_base64).collect();
        let proof = proof.map_err(|_| LedgerError::BadRequest("a proof line is not a hash"))?;
        if proof.len() > PROOF_LINES_MAX {
            return Err(LedgerError::BadRequest("it has too many proof lines"));
        }
        Ok(Self { old_size, proof, note: note.to_owned() })
    }

    /// Whether `submitted`, the checkpoint of this request's note, may be cosigned after `known`, the last one that was.
    pub fn review(&self, submitted: &Checkpoint, known: Option<&Checkpoint>) -> Result<(), Refusal> {
        if self.old_size > submitted.size {
            return Err(Refusal::OldSizeTooLarge);
        }
        let (known_size, known_root) = known.map_or((0, empty_root()), |known| (known.size, known.root));
        if self.old_size != known_size {
            return Err(Refusal::OtherSize { known_size });
        }
        if submitted.size == known_size && submitted.root != known_root {
            return Err(Refusal::Fork { known_size });
        }
        let proven = verify_consistency(known_size, submitted.size, &self.proof, &known_root, &submitted.root);
        proven.map_err(|_| Refusal::BadProof)
    }
}
