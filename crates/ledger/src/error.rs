//! Errors in bytes, proofs, notes and keys from outside.
//!
//! No variant contains the invalid input, because it may be a private key.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    #[error("expected {expected_bytes} bytes, got {actual_bytes}")]
    BadLength { expected_bytes: usize, actual_bytes: usize },
    #[error("not valid {0}")]
    BadEncoding(&'static str),
    #[error("a tree of {size} leaves is larger than any this log can hold")]
    TooLarge { size: u64 },
    #[error("the proof does not lead to the expected root")]
    BadProof,
    #[error("bad note: {0}")]
    BadNote(&'static str),
    #[error("bad request: {0}")]
    BadRequest(&'static str),
    #[error("the signature does not match the text and the key")]
    BadSignature,
    #[error("bad key: {0}")]
    BadKey(&'static str),
}
