//! Tests of the crate's public API: published vectors, independent implementations, and every kind of tampering.
//!
//! | file              | job                                                    |
//! |-------------------|--------------------------------------------------------|
//! | `log.rs`          | a log in memory, for the other tests                   |
//! | `naive.rs`        | a literal implementation of RFC 6962                   |
//! | `trees.rs`        | small trees, compared with the naive implementation    |
//! | `oracles.rs`      | large trees, compared with independent implementations |
//! | `vectors.rs`      | published test vectors                                 |
//! | `tampering.rs`    | changed proofs                                         |
//! | `notes.rs`        | checkpoints and keys as text                           |
//! | `cosignatures.rs` | witnesses' cosignatures                                |
//! | `witness.rs`      | what a witness accepts                                 |

#[cfg(test)]
mod cosignatures;
#[cfg(test)]
mod log;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod oracles;
#[cfg(test)]
mod tampering;
#[cfg(test)]
mod trees;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod witness;
