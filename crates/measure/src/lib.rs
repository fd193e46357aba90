//! Compares scores, spans and alerts with labels. Pure arithmetic: it knows nothing about texts, models or the detector.
//!
//! | file           | compares with labels                                                       |
//! |----------------|----------------------------------------------------------------------------|
//! | `decisions.rs` | yes-or-no decisions: a confusion matrix and what follows from it           |
//! | `ranking.rs`   | scores from 0 to 1: areas under curves, calibration, decisions at a threshold |
//! | `curve.rs`     | ROC-AUC and average precision, shared by `ranking.rs` and `fraud/`         |
//! | `spans.rs`     | marked spans of text                                                       |
//! | `fraud/`       | detector scores from 0 to 100: by threshold, by kind of fraud, card precision |
//!
//! | measure | definition |
//! |---|---|
//! | precision | true positives / flagged |
//! | recall | true positives / labelled |
//! | F1, F2 | (1 + b²) TP / ((1 + b²) TP + b² FN + FP), with b = 1 or 2 |
//! | alerts per 1,000 | 1,000 x flagged / all |
//! | ROC-AUC | the probability that a positive scores above a negative, with ties counting one half |
//! | PR-AUC | average precision: over the distinct scores, from the highest, the sum of (recall - previous recall) x precision |
//! | calibration error | over ten score bins, the mean gap between average score and share of positives, weighted by rows |
//! | card precision@k | see [`CardPrecision`] |
//!
//! A measure whose divisor is 0 is `None`. Equal scores are one step of a curve, so the order of rows doesn't matter.

mod curve;
mod decisions;
mod fraud;
mod ranking;
mod spans;

pub use decisions::ConfusionMatrix;
pub use fraud::{CardPrecision, DayPrecision, FraudMeasures, FraudTally, KindRecall, THRESHOLDS, ThresholdMeasures};
pub use ranking::{CalibrationBin, Ranking};
pub use spans::{SpanTally, TypeTally, TypedSpan};
