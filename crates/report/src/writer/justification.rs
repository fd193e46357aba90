//! Risk justification: how the score is composed, how the severity follows from it, and the contribution of each
//! signal.

use super::{case::CaseInWords, outside, phrasing::one_of, pool::SentencePool, say, signals};

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    if case.phrasing.choose("justification order", 2) == 0 {
        composition(case, &mut pool);
        severity(case, &mut pool);
    } else {
        severity(case, &mut pool);
        composition(case, &mut pool);
    }
    weights(case, &mut pool);
    nothing_added(case, &mut pool);
    group(case, &mut pool);
    limits(case, &mut pool);
    pool
}

fn composition(case: &CaseInWords, pool: &mut SentencePool) {
    let facts = &case.context.score;
    let score = case.score();
    if facts.contributions.is_empty() {
        pool.must(one_of!(case.phrasing;
            "The alert stated a risk score of {score} and did not state how that score was composed.",
            "A risk score of {score} was assigned, and the record did not show of which parts it was made.",
        ));
        return;
    }
    let parts: Vec<_> = case
        .signals
        .iter()
        .filter_map(|signal| {
            let points = signal.points.filter(|points| *points > 0)?;
            Some(format!("{} {}", signal.name, signals::contributed(points)))
        })
        .take(PARTS_MAX)
        .collect();
    let is_whole = parts.len() == facts.contributions.len();
    let parts = say::list(&parts);
    let sum = say::count_in_digits(u64::from(facts.sum), "point", "points");
    if parts.is_empty() {
        pool.must(format!("The risk score was {score}, from contributions of {sum} on record."));
    } else if is_whole && case.points_make_the_score() {
        pool.must(one_of!(case.phrasing;
            "The risk score of {score} was composed of these parts: {parts}.",
            "A risk score of {score} arose because {parts}.",
            "{parts}, which gave the risk score of {score}.",
        ));
    } else if case.points_make_the_score() {
        pool.must(format!("The risk score was {score}; among its parts, {parts}."));
    } else {
        pool.must(format!("The stated risk score was {score}, and on record {parts}."));
    }
    if facts.is_capped {
        let maximum = facts.maximum;
        pool.must(one_of!(case.phrasing;
            "These contributions added up to {sum}, and the cap held the score at {maximum}.",
            "The contributions came to {sum}, and the cap held the score at {maximum}.",
        ));
    } else if facts.sum == u32::from(facts.total.get()) {
        pool.should(one_of!(case.phrasing;
            "The contributions added up to {sum}, so no cap was applied.",
            "Their sum was {sum}, and no cap was applied.",
        ));
    } else {
        pool.must(format!(
            "The contributions on record added up to {sum}, which did not equal the stated score of {score}."
        ));
    }
}

/// The maximum number of contributions that one sentence lists.
const PARTS_MAX: usize = 4;

fn severity(case: &CaseInWords, pool: &mut SentencePool) {
    let (severity, band, score) = (case.severity(), case.band(), case.score());
    if case.context.score.agrees_with_severity {
        pool.must(one_of!(case.phrasing;
            "Severity followed from the score; the band {band} is that of {severity}, and {score} lay inside it.",
            "The severity was {severity}, because the score of {score} lay in the band {band}.",
            "Scores {band} are classified as {severity}; at {score}, this case belonged to that band.",
        ));
        pool.should(edges(case));
    } else {
        pool.must(one_of!(case.phrasing;
            "The stated severity was {severity}, which means scores {band}, and the score of {score} lay outside that band.",
            "The alert stated {severity} severity, which covers scores {band}, and a score of {score}, which lay outside that band.",
        ));
        pool.must(one_of!(case.phrasing;
            "The record kept score and severity as given, and the decision was left to a reviewer.",
            "Score and severity were recorded as given, and a reviewer decides between them.",
        ));
    }
}

/// States which scores would have changed the severity.
pub(super) fn edges(case: &CaseInWords) -> Option<String> {
    let score = &case.context.score;
    let (from, to) = (score.band_from, score.band_to);
    Some(match (from > 0, to < score.maximum) {
        (true, true) => one_of!(case.phrasing;
            "Scores below {from} or above {to} belong to another severity.",
            "Another severity covers scores below {from} or above {to}.",
        ),
        (true, false) => format!("Scores below {from} belong to a lower severity."),
        (false, true) => format!("Scores above {to} belong to a higher severity."),
        (false, false) => return None,
    })
}

fn weights(case: &CaseInWords, pool: &mut SentencePool) {
    let mut weighed = case.signals.iter().filter(|signal| signal.points.is_some_and(|points| points > 0));
    let leading = weighed.next();
    let second = weighed.next();
    if let Some(leading) = leading {
        let is_leading = second.is_none_or(|second| second.points < leading.points);
        pool.must(signals::as_weight(case, leading, is_leading));
    }
    second.into_iter().chain(weighed.take(2)).for_each(|signal| pool.should(signals::as_weight(case, signal, false)));
    for signal in case.fired().filter(|signal| signal.points == Some(0)).take(2) {
        let name = &signal.name;
        pool.should(format!("{name} fired without adding points."));
    }
}

fn nothing_added(case: &CaseInWords, pool: &mut SentencePool) {
    let without_points = case.clear().filter(|signal| signal.points.unwrap_or(0) == 0);
    let clear: Vec<_> = without_points.take(PARTS_MAX).map(|signal| signal.name.clone()).collect();
    if !clear.is_empty() {
        let names = say::list(&clear);
        pool.should(one_of!(case.phrasing;
            "{names} stayed within bounds and added nothing to the score.",
            "Nothing was added for {names}, which stayed within bounds.",
        ));
    }
    let open: Vec<_> = case.without_result().take(PARTS_MAX).map(|signal| signal.name.clone()).collect();
    if !open.is_empty() {
        let names = say::list(&open);
        pool.should(one_of!(case.phrasing;
            "No result was on record for {names}, and no points were added for it.",
            "{names} brought no points, because no result was on record.",
        ));
    }
    if case.signals.is_empty() {
        pool.should(one_of!(case.phrasing;
            "This assessment rested on no signal.",
            "No signal was on record for this assessment.",
        ));
    }
    let reasons: Vec<_> =
        case.reported().filter(|signal| signal.points.is_none()).take(2).map(|signal| signal.name.clone()).collect();
    if !reasons.is_empty() {
        let reasons = say::list(&reasons);
        pool.should(one_of!(case.phrasing;
            "The sender gave {reasons} as a reason and did not state its share of the score.",
            "The sender did not state what share of the score came from {reasons}.",
        ));
    }
}

/// Compares the case with others.
fn group(case: &CaseInWords, pool: &mut SentencePool) {
    let correlation = &case.context.correlation;
    if let Some(baseline) = case.baseline() {
        let held = say::count(baseline.transactions, "transaction", "transactions");
        let median = say::money(&baseline.median_amount);
        pool.should(if case.is_from_outside() {
            format!("For comparison, the record held a baseline of {held} with a median of {median}.")
        } else {
            one_of!(case.phrasing;
                "The comparison behind the score used a baseline of {held} with a median of {median}.",
                "Behind these points stood a baseline of {held}, whose median was {median}.",
            )
        });
    } else {
        pool.should(one_of!(case.phrasing;
            "No baseline was on record for this score.",
            "The score was not tested against a baseline, because none was on record.",
        ));
    }
    let similar = say::count(correlation.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(correlation.similar_within_points), "point", "points");
    pool.may(one_of!(case.phrasing;
        "Among the alerts of all customers, {similar} had the same severity and lay within {within} of this score.",
        "For scale, the record held {similar} of the same severity, within {within} of this score.",
    ));
    let by = correlation.prior_alerts_by_severity;
    let steps = [("CRITICAL", by.critical), ("HIGH", by.high), ("MEDIUM", by.medium), ("LOW", by.low)];
    let steps: Vec<_> = steps
        .into_iter()
        .filter(|(_, count)| *count > 0)
        // Only the two most severe levels. The structured data has all of them.
        .take(2)
        .map(|(severity, count)| format!("{} of {severity} severity", say::whole(count)))
        .collect();
    let prior = say::count(correlation.prior_alerts, "prior alert", "prior alerts");
    pool.may(if steps.is_empty() {
        one_of!(case.phrasing;
            "Of the same customer, the record held {prior}; prior alerts do not enter the score.",
            "Earlier alerts do not enter the score, and this customer had {prior} on record.",
        )
    } else {
        let steps = say::list(&steps);
        one_of!(case.phrasing;
            "The customer's {prior}, among them {steps}, did not enter the score.",
            "Outside the score stood {prior}, among them {steps}.",
        )
    });
}

fn limits(case: &CaseInWords, pool: &mut SentencePool) {
    if case.is_from_outside() {
        pool.reserve(one_of!(case.phrasing;
            "The alert came from outside, and its score was recorded as received.",
            "The score was the sender's and was recorded as received.",
        ));
    } else {
        pool.reserve("The score was computed from this transaction and from the history on record.".to_owned());
    }
    let impact = case.impact();
    pool.reserve(format!("The regulatory impact was set to {impact}."));
    if let Some(hash) = case.context.case.rules_hash.as_deref().and_then(outside::id) {
        pool.reserve(format!("The rules in force were those with the hash {hash}."));
    } else {
        pool.reserve("The record did not state which version of the rules was in force.".to_owned());
    }
    let known = say::count(case.context.subject.transaction_count, "earlier transaction", "earlier transactions");
    pool.reserve(format!("The assessment was made with {known} of the account holder on record."));
    if case.transaction().is_none() {
        pool.reserve(
            "No amount and no location entered the assessment, because no transaction was on record.".to_owned(),
        );
    }
    let maximum = case.context.score.maximum;
    pool.reserve(format!("The scale ran to {maximum}."));
    pool.reserve(if case.points_make_the_score() {
        "The score comes from the measured signals, and the decision on the case was left to a person.".to_owned()
    } else {
        "The decision on the case was left to a person.".to_owned()
    });
    if case.signals.is_empty() {
        pool.reserve("Values and thresholds were not available, because the alert carried no signal.".to_owned());
    }
}
