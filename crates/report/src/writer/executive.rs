//! Executive summary: which signals fired, why the case was flagged, and its risk and severity.

use super::{
    case::{CaseInWords, instrument, place},
    outside,
    phrasing::one_of,
    pool::SentencePool,
    say, signals,
};
use crate::{AlertSource, TransactionStatus};

pub(super) fn sentences(case: &CaseInWords) -> SentencePool {
    let mut pool = SentencePool::default();
    // The lack of evidence is the most important fact for a reader, so it comes first.
    pool.must(crate::evidence::notice(case.context).map(str::to_owned));
    let leads_with_signal = case.phrasing.choose("summary order", 2) == 1 && case.fired().next().is_some();
    if leads_with_signal {
        signals_in_short(case, &mut pool);
        pool.must(flagged(case));
    } else {
        pool.must(flagged(case));
        signals_in_short(case, &mut pool);
    }
    verdict(case, &mut pool);
    rest_of_the_signals(case, &mut pool);
    setting(case, &mut pool);
    limits(case, &mut pool);
    pool
}

/// What was flagged, by whom and when.
fn flagged(case: &CaseInWords) -> String {
    let (holder, alert) = (case.holder(), case.alert());
    let Some(transaction) = case.transaction() else {
        let at = say::moment(case.context.case.alert_created_at);
        let who = case.detector();
        return one_of!(case.phrasing;
            "{who} reported {holder} in {alert} on {at}.",
            "On {at}, {who} raised {alert} about {holder}.",
            "{alert} about {holder} came from {who} on {at}.",
        );
    };
    let what = instrument(transaction.channel);
    let amount = say::money(&transaction.amount);
    let at = say::moment(transaction.occurred_at);
    let who = case.detector();
    one_of!(case.phrasing;
        "{who} flagged {what} of {amount} by {holder} on {at}.",
        "On {at}, {what} of {amount} by {holder} was flagged by {who}.",
        "{what} of {amount}, made by {holder} on {at}, led {who} to raise {alert}.",
    )
}

fn signals_in_short(case: &CaseInWords, pool: &mut SentencePool) {
    let mut raised = case.fired().chain(case.reported());
    if let Some(strongest) = raised.next() {
        pool.must(signals::in_short(case, strongest));
    }
    if let Some(second) = raised.next() {
        pool.should(signals::in_short(case, second));
    }
    raised.take(2).for_each(|signal| pool.may(signals::in_short(case, signal)));
}

fn verdict(case: &CaseInWords, pool: &mut SentencePool) {
    let (score, severity, band) = (case.score(), case.severity(), case.band());
    if case.context.score.agrees_with_severity {
        pool.must(one_of!(case.phrasing;
            "The case scored {score}, inside the band {band} of {severity} severity.",
            "With a risk score of {score}, the case fell into the band {band} and was classified as {severity}.",
            "The risk score was {score}; scores {band} mean {severity} severity.",
        ));
    } else {
        pool.must(one_of!(case.phrasing;
            "The alert stated {severity} severity and a risk score of {score}, which lay outside the band {band} of that severity.",
            "The risk score of {score} and the stated {severity} severity disagreed, because that severity means scores {band}.",
        ));
    }
    let leading = case.fired().next().and_then(|signal| Some((signal, signal.points?)));
    if let Some((signal, points)) = leading.filter(|(_, points)| *points > 0) {
        let (name, contributed) = (&signal.name, signals::contributed(points));
        pool.should(one_of!(case.phrasing;
            "{name} {contributed} to that score.",
            "Of that score, {name} {contributed}.",
        ));
    }
}

fn rest_of_the_signals(case: &CaseInWords, pool: &mut SentencePool) {
    let clear: Vec<_> = case.clear().take(NAMES_MAX).map(|signal| signal.name.clone()).collect();
    if !clear.is_empty() {
        let clear = say::list(&clear);
        pool.should(one_of!(case.phrasing;
            "{clear} did not fire.",
            "Nothing unusual was measured for {clear}.",
        ));
    }
    let open: Vec<_> = case.without_result().take(NAMES_MAX).map(|signal| signal.name.clone()).collect();
    if !open.is_empty() {
        let open = say::list(&open);
        pool.should(one_of!(case.phrasing;
            "{open} produced no result, because the record lacked the history or the facts.",
            "No result existed for {open}, because the record lacked the history or the facts.",
        ));
    }
    if case.signals.is_empty() {
        pool.must(if case.is_from_outside() {
            one_of!(case.phrasing;
                "The alert carried no signal, and its score was the sender's own.",
                "No signal came with the alert, and its score was the sender's own.",
            )
        } else {
            "The alert carried no signal, and its score stood without a measurement.".to_owned()
        });
    }
}

const NAMES_MAX: usize = 4;

fn setting(case: &CaseInWords, pool: &mut SentencePool) {
    if let Some(transaction) = case.transaction() {
        pool.should(match transaction.status {
            TransactionStatus::Completed => "The transaction was completed.".to_owned(),
            TransactionStatus::Attempted => "The transaction was attempted and did not complete.".to_owned(),
            TransactionStatus::NotStated => {
                "The record did not state whether the transaction was completed.".to_owned()
            }
        });
        let merchant = transaction.merchant.as_deref().and_then(outside::quoted);
        let location = transaction.location.as_ref().and_then(place);
        pool.may(match (merchant, location) {
            (Some(merchant), Some(location)) => {
                Some(format!("It concerned the merchant {merchant} and took place in {location}."))
            }
            (Some(merchant), None) => {
                Some(format!("It concerned the merchant {merchant}; the record did not state a location."))
            }
            (None, Some(location)) => Some(format!("It took place in {location}; the record named no merchant.")),
            (None, None) => None,
        });
    } else {
        pool.must(one_of!(case.phrasing;
            "The record held no transaction for this alert, so no amount, location or channel was available.",
            "No transaction was on record for the alert; amount, channel and location were therefore not available.",
        ));
    }
    history(case, pool);
}

fn history(case: &CaseInWords, pool: &mut SentencePool) {
    if let Some(baseline) = case.baseline() {
        let (held, days) =
            (say::count(baseline.transactions, "earlier transaction", "earlier transactions"), baseline.days);
        let days = say::count_in_digits(days, "day", "days");
        pool.should(one_of!(case.phrasing;
            "The customer's baseline comprised {held} over {days}.",
            "For comparison the record held {held} in the same currency, spread over {days}.",
        ));
    } else {
        pool.should(one_of!(case.phrasing;
            "The record held no baseline for this customer, so the case was not compared with earlier spending.",
            "No baseline existed for this customer, and no comparison with earlier spending was made.",
        ));
    }
    let alerts = case.context.correlation.prior_alerts;
    let prior = say::count(alerts, "prior alert", "prior alerts");
    pool.may(one_of!(case.phrasing;
        "The same account holder had {prior} on record.",
        "For the same account holder, the record showed {prior}.",
    ));
}

fn limits(case: &CaseInWords, pool: &mut SentencePool) {
    if case.context.case.source == AlertSource::External {
        pool.reserve(one_of!(case.phrasing;
            "Score and severity came from the sender and were recorded as given.",
            "The sender set both score and severity, and the record kept them unchanged.",
        ));
    }
    let investigation = case.investigation();
    pool.reserve(one_of!(case.phrasing;
        "Review continued under {investigation}.",
        "The case was filed as {investigation}.",
    ));
    let similar = say::count(case.context.correlation.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(case.context.correlation.similar_within_points), "point", "points");
    pool.reserve(format!("Across all customers, {similar} had the same severity and lay within {within} of this one."));
    let known = say::count(case.context.subject.transaction_count, "earlier transaction", "earlier transactions");
    pool.reserve(format!("The account holder had {known} on record before this case."));
    if case.context.subject.account_opened_at.is_none() {
        pool.reserve("The record did not state how long the account had existed.".to_owned());
    }
    pool.reserve("No decision by a person was on record for this case.".to_owned());
}
