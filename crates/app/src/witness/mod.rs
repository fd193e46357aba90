//! `countersign witness`: a small server that cosigns the checkpoints of logs it knows, and never two histories of one.
//!
//! | file         | job                                                              |
//! |--------------|------------------------------------------------------------------|
//! | `memory.rs`  | the key, the known logs and the last cosigned note of each       |
//! | `http.rs`    | the routes: C2SP tlog-witness, and reading what was last cosigned |
//!
//! It keeps no events and sees none: a checkpoint is a size and a hash.

mod http;
mod memory;

pub(crate) use http::{OVERLOAD, router};
pub(crate) use memory::Memory;
