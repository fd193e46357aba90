//! Recommended next steps: reviews and questions for people. No step acts on an account.

use countersign_domain::{Severity, SignalName, payload::ReportType};

use super::{case::CaseInWords, measured::SignalInWords, outside, phrasing::one_of, say, signals};

const STEPS_MAX: usize = 7;

/// The recommended steps, the most important first. The last three apply to every case.
pub(super) fn steps(case: &CaseInWords) -> Vec<String> {
    let mut steps = Vec::new();
    steps.extend(mismatch(case));
    steps.extend(record(case));
    case.fired().filter_map(|signal| for_signal(case, signal)).take(3).for_each(|step| steps.push(step));
    steps.extend(history(case));
    steps.truncate(STEPS_MAX - 3);
    steps.push(filing(case));
    steps.push(funds(case));
    steps.push(decision(case));
    steps
}

fn mismatch(case: &CaseInWords) -> Option<String> {
    let (score, severity, band) = (case.score(), case.severity(), case.band());
    (!case.context.score.agrees_with_severity).then(|| {
        format!("Check whether the score of {score} or the {severity} severity holds, since that severity covers scores {band}.")
    })
}

/// Asks for the transaction if there is none on record.
fn record(case: &CaseInWords) -> Option<String> {
    let alert = case.alert();
    case.transaction().is_none().then(|| {
        one_of!(case.phrasing;
            "Request the transaction behind {alert} from its sender, with amount, time, channel and location.",
            "Request from the sender of {alert} the transaction behind it, so that the checks have an input.",
        )
    })
}

fn for_signal(case: &CaseInWords, signal: &SignalInWords) -> Option<String> {
    match signal.known? {
        SignalName::AmountDeviation => {
            let transaction = case.transaction()?;
            let (amount, day) = (say::money(&transaction.amount), say::date(transaction.occurred_at));
            Some(one_of!(case.phrasing;
                "Contact the account holder about the {amount} of {day}, and record whether it was authorised.",
                "Check the purpose of the {amount} of {day} with the account holder.",
            ))
        }
        SignalName::VelocityAnomaly => Some(match signal.whole("count_1h") {
            Some(count) => {
                let count = say::count(count, "transaction", "transactions");
                format!("Review the run of {count} within 1 hour for a common merchant, device or amount.")
            }
            None => "Review the transactions around this one for a common merchant, device or amount.".into(),
        }),
        SignalName::GeographicInconsistency if signals::new_country(case, signal).is_some() => {
            let country = signals::new_country(case, signal)?;
            Some(format!("Contact the account holder about a stay in {country}, and record the answer."))
        }
        SignalName::GeographicInconsistency => Some(match signals::route(case, signal) {
            Some((from, to)) if from != to => format!("Check who used the account in {from} and in {to}."),
            _ => "Check who used the account at the recorded locations.".into(),
        }),
        SignalName::RuleFlags => {
            let heaviest = signal.heaviest_rule()?;
            Some(format!("Check the transaction against the rules that held, starting with {heaviest}."))
        }
    }
}

fn history(case: &CaseInWords) -> Option<String> {
    let prior = case.context.correlation.prior_alerts;
    if prior > 0 {
        let prior = say::count(prior, "prior alert", "prior alerts");
        return Some(format!("Compare the case with the customer's {prior} and their outcomes."));
    }
    case.baseline().is_none().then(|| {
        one_of!(case.phrasing;
            "Look for activity of this customer outside the record, because no baseline was available here.",
            "Request earlier statements of the account, because the record held no baseline.",
        )
    })
}

fn filing(case: &CaseInWords) -> String {
    match case.context.case.report_type {
        ReportType::Internal => {
            "Note any correction to this report as a new version, and leave this one unchanged.".into()
        }
        ReportType::Compliance | ReportType::Full => {
            let impact = case.impact();
            format!("Have a compliance officer decide whether a filing is due, given a regulatory impact of {impact}.")
        }
    }
}

fn funds(case: &CaseInWords) -> String {
    let given = |text: Option<&String>| text.is_some_and(|text| outside::quoted(text).is_some());
    let transaction = case.transaction();
    let source = given(transaction.and_then(|transaction| transaction.source_of_funds.as_ref()));
    let destination = given(transaction.and_then(|transaction| transaction.destination_of_funds.as_ref()));
    match (source, destination) {
        (true, true) => "Check the stated source of funds and their destination against documents.",
        (true, false) => "Request the destination of the funds, which the record did not state.",
        (false, true) => "Request the source of funds, which the record did not state.",
        (false, false) => "Request the source of funds and their destination, which the record did not state.",
    }
    .into()
}

fn decision(case: &CaseInWords) -> String {
    let investigation = case.investigation();
    match case.context.case.severity {
        Severity::Critical => {
            format!(
                "Have a person other than the requester decide on {investigation}, as CRITICAL severity requires, and record the reason."
            )
        }
        _ => one_of!(case.phrasing;
            "Record a decision on {investigation} with its reason.",
            "Document the decision on {investigation} together with its reason.",
        ),
    }
}
