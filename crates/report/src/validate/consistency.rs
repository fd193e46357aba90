//! The report against its context, against the stored alert, and against its hashes.

use countersign_domain::validation::Fault;

use super::Judged;

pub(super) fn faults(_judged: &Judged<'_>) -> Vec<Fault> {
    Vec::new()
}
