//! How well scores and spans agree with labels. Pure arithmetic; knows nothing of texts or models.
//!
//! | measure | definition |
//! |---|---|
//! | precision, recall | right / flagged, right / labelled; none where the divisor is 0 |
//! | F1, F2 | (1 + b²) right / ((1 + b²) right + b² missed + wrong) |
//! | ROC-AUC | the chance that a positive scores above a negative, a tie counting half |
//! | PR-AUC | average precision: over the scores that occur, from the highest, the sum of (recall - recall before) x precision |
//! | calibration error | over ten bins of score, the mean distance of mean score and share of positives, by rows |
//!
//! Equal scores are one step, so that the order of the rows changes nothing.

mod decisions;
mod ranking;
mod spans;

pub use decisions::Decisions;
pub use ranking::{Bin, Ranking};
pub use spans::{Span, SpanTally, TypeTally};
