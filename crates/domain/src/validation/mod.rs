//! The faults that a report can have, and the points that each costs. The score is a simple sum that can be checked by hand.
//!
//! | fault                                                        | issue                                       | points           |
//! |--------------------------------------------------------------|---------------------------------------------|------------------|
//! | one of the four required sections missing                    | `missing_section`, high                     | 15 and 10        |
//! | section too short                                            | `completeness`, medium                      | 5                |
//! | structured data differs, no timeline events, a hash differs  | `consistency`, high                         | 20 once, 10 each |
//! | a sentence that no fact supports                             | `consistency`, high                         | 20 once, 10 each |
//! | score and severity disagree                                  | `consistency`, high                         | 15 and 10        |
//! | justification or evidence weak                               | `weak_justification`, medium                | 15 and 5         |
//! | no evidence                                                  | `weak_justification`, high                  | 15 and 10        |
//! | a weakness of the evidence ([`crate::evidence`])             | `weak_justification`, medium or low         | 5 or 2           |
//! | word range missed, narrative point missing, fallback used    | `completeness`/`weak_justification`, medium | 5                |
//! | remark of a model                                            | its own                                     | 10, 5 or 2       |

mod fault;
mod point;
mod score;
mod strength;
#[cfg(test)]
mod tests;

pub use fault::{Fault, Hashed};
pub use point::NarrativePoint;
pub use score::{Deduction, DeductionRule, ScoreBreakdown, tally};
pub use strength::Strength;
