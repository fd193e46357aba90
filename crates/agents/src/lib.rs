//! Agents and the runtime that they share.

mod status;

pub use status::AgentStatus;
