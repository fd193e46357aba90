//! Fraud explanation: each signal with its value and threshold, the comparison with the baseline, and how the signals
//! are connected.

use super::{
    case::{CaseInWords, instrument},
    phrasing::one_of,
    pool::SentencePool,
    say, signals,
};
use crate::TransactionFacts;

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    raised(case, &mut pool);
    baseline(case, &mut pool);
    case.clear().take(SIGNALS_MAX).for_each(|signal| pool.should(signals::clear_in_full(case, signal)));
    case.without_result()
        .take(SIGNALS_MAX)
        .for_each(|signal| pool.should(signals::without_result_in_full(case, signal)));
    signals::absent(case).into_iter().for_each(|text| pool.may(text));
    connection(case, &mut pool);
    background(case, &mut pool);
    pool
}

const SIGNALS_MAX: usize = 4;

fn raised(case: &CaseInWords, pool: &mut SentencePool) {
    if case.signals.is_empty() {
        let score = case.score();
        pool.must(if case.is_from_outside() {
            one_of!(case.phrasing;
                "The alert came without a signal, and its score of {score} was the sender's own.",
                "No signal came with the alert, and its score of {score} stood without a measurement.",
            )
        } else {
            format!("No signal came with the alert, and its score of {score} stood without a measurement.")
        });
        pool.must(one_of!(case.phrasing;
            "The sender named no value and no threshold.",
            "The sender provided neither a value nor a threshold.",
        ));
    }
    for signal in case.fired().take(SIGNALS_MAX) {
        signals::in_full(case, signal).into_iter().for_each(|(rank, text)| pool.add(rank, Some(text)));
    }
    case.reported().take(SIGNALS_MAX).for_each(|signal| pool.must(signals::reported(case, signal)));
    if case.reported().next().is_some() && case.reported().all(|signal| signal.points.is_none()) {
        pool.should(one_of!(case.phrasing;
            "The sender did not state the points of each signal.",
            "The sender did not state what each signal weighed.",
        ));
    }
}

fn baseline(case: &CaseInWords, pool: &mut SentencePool) {
    let Some(baseline) = case.baseline() else { return no_baseline(case, pool) };
    let held = say::count(baseline.transactions, "transaction", "transactions");
    let (first, last) = (say::date(baseline.first_at), say::date(baseline.last_at));
    let (median, largest) = (say::money(&baseline.median_amount), say::money(&baseline.largest_amount));
    pool.must(one_of!(case.phrasing;
        "The customer's baseline held {held} from {first} to {last}, with a median of {median}.",
        "Between {first} and {last} the baseline recorded {held} with a median of {median}.",
        "The baseline consisted of {held}, made from {first} to {last}, with a median of {median}.",
    ));
    if let (Some(difference), Some(side)) = (&baseline.difference_from_median, case.side_of_median()) {
        let difference = say::money(difference);
        pool.must(one_of!(case.phrasing;
            "This transaction lay {difference} {side} that median.",
            "Its amount stood {difference} {side} that median.",
        ));
    }
    if case.is_largest() {
        pool.should(one_of!(case.phrasing;
            "It also exceeded the largest earlier amount, {largest}.",
            "Even the largest earlier amount, {largest}, was smaller.",
        ));
    } else {
        let smallest = say::money(&baseline.smallest_amount);
        pool.may(format!("Earlier amounts in the baseline ranged from {smallest} to {largest}."));
    }
    if let Some(times) = case.times_median() {
        pool.may(format!("Measured as a ratio, the amount came to {times} the median."));
    }
}

/// Sentences about facts that the record lacks, for cases with little information.
fn missing(case: &CaseInWords, pool: &mut SentencePool) {
    let transaction = case.transaction();
    let lacks = |of: fn(&TransactionFacts) -> bool| transaction.is_none_or(of);
    if lacks(|transaction| transaction.merchant.is_none() && transaction.category.is_none()) {
        pool.reserve("The record named neither a merchant nor a category.".to_owned());
    }
    if lacks(|transaction| transaction.device_fingerprint.is_none() && transaction.ip_address.is_none()) {
        pool.reserve("Neither a device nor a network address was recorded for this case.".to_owned());
    }
    if lacks(|transaction| transaction.source_of_funds.is_none() && transaction.destination_of_funds.is_none()) {
        pool.reserve("Neither a source nor a destination of the funds was recorded.".to_owned());
    }
    if case.context.subject.account_opened_at.is_none() {
        pool.reserve("The opening date of the account was not recorded.".to_owned());
    }
    if case.context.correlation.prior_alerts == 0 {
        pool.reserve("No earlier alert about this customer was on record.".to_owned());
    }
}

fn no_baseline(case: &CaseInWords, pool: &mut SentencePool) {
    pool.must(if case.transaction().is_some() {
        one_of!(case.phrasing;
            "No earlier transaction in the same currency was on record, so the case had no baseline and no median.",
            "A baseline was missing: the record held no earlier transaction in the same currency, and hence no median.",
        )
    } else {
        one_of!(case.phrasing;
            "No baseline and no median were on record, because no transaction was on record.",
            "Without a transaction no currency was given, and without a currency no baseline and no median existed.",
        )
    });
    pool.should(one_of!(case.phrasing;
        "The record therefore did not show whether the activity departed from this customer's habits.",
        "Whether the activity departed from this customer's habits was therefore not shown by the record.",
    ));
}

/// How the signals are connected, and how they lead to the assessment.
fn connection(case: &CaseInWords, pool: &mut SentencePool) {
    let fired: Vec<_> = case.fired().take(SIGNALS_MAX).map(|signal| signal.name.clone()).collect();
    let (score, severity) = (case.score(), case.severity());
    match fired.as_slice() {
        [] => {}
        [only] => pool.should(one_of!(case.phrasing;
            "No other signal fired, so the assessment rested on {only}.",
            "The assessment followed from {only} alone, because no other signal fired.",
        )),
        several => {
            let several = say::list(several);
            pool.should(one_of!(case.phrasing;
                "{several} concerned the same case, and each of them fired.",
                "{several} were measured for the same case, and each of them fired.",
            ));
        }
    }
    pool.should(if fired.is_empty() || !case.points_make_the_score() {
        one_of!(case.phrasing;
            "The alert stated a score of {score} and {severity} severity.",
            "A score of {score} and {severity} severity were stated in the alert.",
        )
    } else {
        one_of!(case.phrasing;
            "Together these readings led to a risk score of {score} and to {severity} severity.",
            "The points of the fired signals made the risk score of {score}, and that score made the severity {severity}.",
        )
    });
    let prior = say::count(case.context.correlation.prior_alerts, "prior alert", "prior alerts");
    pool.may(one_of!(case.phrasing;
        "The customer's history of alerts comprised {prior}.",
        "Before this case, the customer's record counted {prior}.",
    ));
}

/// General facts, which fill the section of a case with little information.
fn background(case: &CaseInWords, pool: &mut SentencePool) {
    if let Some(baseline) = case.baseline() {
        let held = say::count(baseline.transactions, "earlier transaction", "earlier transactions");
        let days = say::count_in_digits(baseline.days, "day", "days");
        pool.reserve(format!("The comparison rested on {held} across {days}."));
        if let Some(busiest) = baseline.countries.first() {
            let count = say::count(busiest.transactions, "transaction", "transactions");
            if let Some(country) = case.country_called(&busiest.country) {
                pool.reserve(format!("The busiest country of that baseline was {country}, with {count}."));
            }
        }
    } else {
        pool.reserve(one_of!(case.phrasing;
            "No past behaviour was on record for comparison.",
            "For comparison, no past behaviour was on record.",
        ));
    }
    if case.is_from_outside() {
        pool.reserve(one_of!(case.phrasing;
            "The sender did not state its method.",
            "The record did not state which method the sender used.",
        ));
    }
    if case.transaction().is_none() {
        pool.reserve("No transaction was on record for the checks to measure.".to_owned());
    }
    if let Some(transaction) = case.transaction() {
        let (kind, amount, day) =
            (instrument(transaction.channel), say::money(&transaction.amount), say::date(transaction.occurred_at));
        pool.reserve(format!("All of this concerned {kind} of {amount}, recorded on {day}."));
        if transaction.location.is_none() {
            pool.reserve("The transaction carried no location to compare.".to_owned());
        }
    }
    let similar = say::count(case.context.correlation.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(case.context.correlation.similar_within_points), "point", "points");
    pool.reserve(format!(
        "For scale, the record held {similar} of any customer, within {within} and of the same severity."
    ));
    let band = case.band();
    let severity = case.severity();
    pool.reserve(format!("For reference, {severity} severity covered scores {band}."));
    let (alert, created) = (case.alert(), say::moment(case.context.case.alert_created_at));
    pool.reserve(format!("This explanation belongs to {alert}, created on {created}."));
    let (holder, investigation) = (case.holder(), case.investigation());
    pool.reserve(format!("The subject of this explanation was {holder}, under {investigation}."));
    missing(case, pool);
    let known = say::count(case.context.subject.transaction_count, "earlier transaction", "earlier transactions");
    pool.reserve(format!("In all currencies together, the record held {known} of this account holder."));
    let impact = case.impact();
    pool.reserve(format!("The regulatory impact was recorded as {impact}."));
}
