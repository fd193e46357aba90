//! The state machine of investigations: which event leads to which state, and who may decide.
//!
//! There is one state machine: the store applies it as events are appended, `verify` applies it again, and the API asks it
//! before a person may decide. It does not know how cases are stored.
//!
//! | file        | job                                                                         |
//! |-------------|-----------------------------------------------------------------------------|
//! | `state.rs`  | the states of investigations and alerts                                     |
//! | `change.rs` | what each event changes about an investigation                              |
//! | `case.rs`   | an investigation's current state, and the rules by which it changes         |

mod case;
mod change;
mod state;
#[cfg(test)]
mod tests;

pub use case::{Case, CaseReport, TransitionError, may_decide};
pub use change::{CaseRef, Change, change_of};
pub use state::{AlertState, State};
