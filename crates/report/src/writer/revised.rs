//! A reviewer's requests: a section of another length, or a fact that a section must state.
//!
//! If one of the section's own sentences states the fact, that sentence is used, and otherwise a sentence from this
//! file. All facts come from the context, so a fact that is not on record can't be stated.

use countersign_domain::{
    SignalName,
    revision::{Length, SectionRevision, Topic},
    transaction::Channel,
};

use super::{
    case::{CaseInWords, instrument, place},
    outside,
    pool::{LengthAim, SentencePool},
    say, signals,
};
use crate::TransactionStatus;

/// Why a topic can't be stated, as a clause: `the record names no merchant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopicUnavailable(pub &'static str);

/// The maximum number of signals or rules that a topic covers.
const SIGNALS_MAX: usize = 4;

/// A sentence, and the phrases that show that a text states the same fact. A text must contain each phrase in one of
/// its forms.
pub(super) struct Statement {
    pub(super) text: String,
    phrases: Vec<Vec<String>>,
}

impl Statement {
    fn new(text: String, phrases: &[&str]) -> Self {
        Self { text, phrases: phrases.iter().map(|phrase| vec![(*phrase).to_owned()]).collect() }
    }

    /// A statement that is recognised by one phrase with several forms.
    fn in_forms(text: String, forms: Vec<String>) -> Self {
        Self { text, phrases: vec![forms] }
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.phrases.iter().all(|forms| forms.iter().any(|form| text.contains(&form.to_lowercase())))
    }
}

/// Marks the requested sentences in the pool, and returns the part of the word range to aim for.
pub(super) fn apply(case: &CaseInWords, revision: Option<&SectionRevision>, pool: &mut SentencePool) -> LengthAim {
    let Some(revision) = revision else { return LengthAim::Middle };
    for topic in &revision.mention {
        for statement in statements(case, *topic).unwrap_or_default() {
            pool.require_fact(&statement.text, |text| statement.is_in(text));
        }
    }
    match revision.length {
        None => LengthAim::Middle,
        Some(Length::Longer) => LengthAim::Longest,
        Some(Length::Shorter) => LengthAim::Shortest,
    }
}

pub(super) fn statements(case: &CaseInWords, topic: Topic) -> Result<Vec<Statement>, TopicUnavailable> {
    match topic {
        Topic::AccountAge => account_age(case),
        Topic::History => Ok(vec![history(case)]),
        Topic::Baseline => baseline(case),
        Topic::PriorAlerts => Ok(vec![prior_alerts(case)]),
        Topic::SimilarAlerts => Ok(vec![similar_alerts(case)]),
        Topic::Thresholds => thresholds(case),
        Topic::Score => score(case),
        Topic::Severity => Ok(vec![severity(case)]),
        Topic::Rules => rules(case),
        Topic::Impact => {
            let impact = case.impact();
            let text = format!("The regulatory impact was set to {impact}.");
            let forms = ["set to", "recorded as", "of"].map(|verb| format!("{verb} {impact}"));
            Ok(vec![Statement { text, phrases: vec![vec!["regulatory impact".into()], forms.to_vec()] }])
        }
        transaction_topic => transaction(case, transaction_topic).map(|statement| vec![statement]),
    }
}

fn transaction(case: &CaseInWords, topic: Topic) -> Result<Statement, TopicUnavailable> {
    let Some(transaction) = case.transaction() else {
        return Err(TopicUnavailable("the record holds no transaction for this alert"));
    };
    let quoted = |text: &Option<String>| text.as_deref().and_then(outside::quoted);
    match topic {
        Topic::Merchant => {
            let merchant = quoted(&transaction.merchant).ok_or(TopicUnavailable("the record names no merchant"))?;
            Ok(Statement::new(format!("The transaction concerned the merchant {merchant}."), &[&merchant]))
        }
        Topic::Category => {
            let category = quoted(&transaction.category).ok_or(TopicUnavailable("the record names no category"))?;
            Ok(Statement::new(format!("The transaction was of the category {category}."), &[&category]))
        }
        Topic::Channel => {
            if matches!(transaction.channel, None | Some(Channel::Other)) {
                return Err(TopicUnavailable("the record does not state the channel"));
            }
            let kind = instrument(transaction.channel);
            Ok(Statement::new(format!("The transaction under review was {kind}."), &[kind]))
        }
        Topic::Location => {
            let known = transaction.location.as_ref();
            let place = known.and_then(place).ok_or(TopicUnavailable("the record states no location"))?;
            Ok(Statement::new(format!("The transaction took place in {place}."), &[&place]))
        }
        Topic::Amount => {
            let amount = say::money(&transaction.amount);
            Ok(Statement::new(format!("The amount of the transaction was {amount}."), &[&amount]))
        }
        Topic::Time => {
            let at = say::moment(transaction.occurred_at);
            // Some sections state the time to the second.
            Ok(Statement::new(format!("The transaction was recorded on {at}."), &[at.trim_end_matches(" UTC")]))
        }
        Topic::Status => Ok(match transaction.status {
            TransactionStatus::Completed => Statement::in_forms(
                "The transaction was completed.".into(),
                vec!["was completed.".into(), "was completed,".into()],
            ),
            TransactionStatus::Attempted => {
                Statement::new("The transaction was attempted and did not complete.".into(), &["was attempted"])
            }
            TransactionStatus::NotStated => {
                return Err(TopicUnavailable("the record does not state whether the transaction was completed"));
            }
        }),
        Topic::Memo => {
            // A memo is free text from outside. Its sender must not be able to put a line into a report that others
            // sign.
            Err(TopicUnavailable("the built-in writer never quotes a memo, which is free text from outside"))
        }
        _ => {
            let (source, to) = (quoted(&transaction.source_of_funds), quoted(&transaction.destination_of_funds));
            match (source, to) {
                (Some(from), Some(to)) => Ok(Statement::new(
                    format!("The source of funds was given as {from} and their destination as {to}."),
                    &[&from, &to],
                )),
                (Some(from), None) => Ok(Statement::new(format!("The source of funds was given as {from}."), &[&from])),
                (None, Some(to)) => {
                    Ok(Statement::new(format!("The destination of the funds was given as {to}."), &[&to]))
                }
                (None, None) => {
                    Err(TopicUnavailable("the record states neither the source nor the destination of the funds"))
                }
            }
        }
    }
}

fn account_age(case: &CaseInWords) -> Result<Vec<Statement>, TopicUnavailable> {
    let days =
        case.context.subject.account_age_days.ok_or(TopicUnavailable("the record does not state the account's age"))?;
    let age = say::count_in_digits(days, "day", "days");
    let then = if case.transaction().is_some() { "transaction" } else { "alert" };
    let text = format!("The account was {age} old at the time of the {then}.");
    Ok(vec![Statement::in_forms(text, vec![format!("{age} old"), format!("existed for {age}")])])
}

fn history(case: &CaseInWords) -> Statement {
    let known = say::count(case.context.subject.transaction_count, "earlier transaction", "earlier transactions");
    Statement::new(format!("The account holder had {known} on record before this case."), &[&known])
}

fn baseline(case: &CaseInWords) -> Result<Vec<Statement>, TopicUnavailable> {
    let baseline = case.baseline().ok_or(TopicUnavailable("the record holds no baseline for this customer"))?;
    let held = say::count(baseline.transactions, "transaction", "transactions");
    let (first, last) = (say::date(baseline.first_at), say::date(baseline.last_at));
    let median = say::money(&baseline.median_amount);
    let text = format!("The customer's baseline held {held} from {first} to {last}, with a median of {median}.");
    Ok(vec![Statement::new(text, &["baseline", &median])])
}

fn prior_alerts(case: &CaseInWords) -> Statement {
    let alerts = case.context.correlation.prior_alerts;
    let prior = say::count(alerts, "prior alert", "prior alerts");
    let mut forms = vec![prior.clone()];
    if alerts == 0 {
        forms.extend(["no prior alert".to_owned(), "no alert about the same account holder".to_owned()]);
    }
    Statement::in_forms(format!("The same account holder had {prior} on record."), forms)
}

fn similar_alerts(case: &CaseInWords) -> Statement {
    let correlation = &case.context.correlation;
    let similar = say::count(correlation.similar_alerts, "similar alert", "similar alerts");
    let within = say::count(u64::from(correlation.similar_within_points), "point", "points");
    Statement::in_forms(
        format!("Across all customers, {similar} had the same severity and lay within {within} of this one."),
        vec![similar],
    )
}

fn thresholds(case: &CaseInWords) -> Result<Vec<Statement>, TopicUnavailable> {
    let statements: Vec<_> = case
        .fired()
        .chain(case.reported())
        .filter_map(|signal| {
            let threshold = format!("threshold of {}", signal.threshold.as_ref()?);
            let text = if signal.is_reported() {
                signals::reported(case, signal)
            } else {
                signals::as_weight(case, signal, false)?
            };
            text.contains(&threshold).then(|| Statement::new(text, &[&threshold]))
        })
        .take(SIGNALS_MAX)
        .collect();
    if statements.is_empty() {
        Err(TopicUnavailable("no raised signal has a threshold on record"))
    } else {
        Ok(statements)
    }
}

fn score(case: &CaseInWords) -> Result<Vec<Statement>, TopicUnavailable> {
    let parts: Vec<_> = case
        .signals
        .iter()
        .filter_map(|signal| {
            let points = signal.points.filter(|points| *points > 0)?;
            Some(format!("{} {}", signal.name, signals::contributed(points)))
        })
        .take(SIGNALS_MAX)
        .collect();
    if parts.is_empty() {
        return Err(TopicUnavailable("the record does not state how the score is composed"));
    }
    let phrases: Vec<_> = parts.iter().map(String::as_str).collect();
    let (score, listed) = (case.score(), say::list(&parts));
    let text = if !case.points_make_the_score() {
        format!("The stated risk score was {score}, and on record {listed}.")
    } else if parts.len() == case.context.score.contributions.len() {
        format!("The risk score of {score} was composed of these parts: {listed}.")
    } else {
        format!("The risk score was {score}; among its parts, {listed}.")
    };
    Ok(vec![Statement::new(text, &phrases)])
}

fn severity(case: &CaseInWords) -> Statement {
    let (severity, band) = (case.severity(), case.band());
    Statement::new(format!("For reference, {severity} severity covered scores {band}."), &[severity, &band])
}

fn rules(case: &CaseInWords) -> Result<Vec<Statement>, TopicUnavailable> {
    let fired = case.fired().find(|signal| signal.is(SignalName::RuleFlags));
    let rules = fired.map_or_else(Vec::new, |signal| signal.rules(SIGNALS_MAX - 1));
    let Some(signal) = fired.filter(|_| !rules.is_empty()) else {
        return Err(TopicUnavailable("no rule that held is on record"));
    };
    let phrases: Vec<_> = rules.iter().map(String::as_str).collect();
    let held = say::length(signal.facts.flags.len(), "rule", "rules");
    let listed = say::list(&rules);
    let text = if rules.len() < signal.facts.flags.len() {
        format!("Of the rules in force, {held} held, among them {listed}.")
    } else {
        format!("Of the rules in force, {held} held: {listed}.")
    };
    Ok(vec![Statement::new(text, &phrases)])
}
