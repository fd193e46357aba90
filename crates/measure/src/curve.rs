//! Areas under curves, from counts of positives and negatives at each distinct score.

/// Positives and negatives that share one score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CurveStep {
    pub(crate) positives: u64,
    pub(crate) negatives: u64,
}

/// The area under the ROC curve. Takes the steps from the highest score down; none may be empty.
pub(crate) fn roc_auc(steps: impl IntoIterator<Item = CurveStep>) -> Option<f64> {
    let (mut positives, mut negatives, mut won) = (0.0, 0.0, 0.0);
    for step in steps {
        won += step.negatives as f64 * (positives + step.positives as f64 / 2.0);
        positives += step.positives as f64;
        negatives += step.negatives as f64;
    }
    let pairs = positives * negatives;
    (pairs > 0.0).then(|| won / pairs)
}

/// The area under the precision-recall curve. Takes the steps from the highest score down; none may be empty.
pub(crate) fn average_precision(steps: impl IntoIterator<Item = CurveStep>) -> Option<f64> {
    let (mut positives, mut flagged, mut sum) = (0, 0, 0.0);
    for step in steps {
        positives += step.positives;
        flagged += step.positives + step.negatives;
        sum += step.positives as f64 * positives as f64 / flagged as f64;
    }
    (positives > 0).then(|| sum / positives as f64)
}
