//! `countersign witness`: a small server that cosigns the checkpoints of the logs it knows, but never two histories of one log.
//!
//! | file         | job                                                               |
//! |--------------|-------------------------------------------------------------------|
//! | `memory.rs`  | the key, the known logs and the last cosigned note of each        |
//! | `http.rs`    | the routes: C2SP tlog-witness, and reading what was last cosigned |
//!
//! A witness never sees events, because a checkpoint only contains a size and a hash.

mod http;
mod memory;

pub(crate) use http::{OVERLOAD, router};
pub(crate) use memory::WitnessMemory;
