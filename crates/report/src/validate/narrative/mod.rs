//! Checks that a narrative for a regulator answers who, what, when, where, why and how, and whether the activity was
//! completed or attempted. It must do so in whole sentences, without attachments and without speculation.
//!
//! Each point is searched for in all five sections, based on the report's own facts. If the record lacks a fact, it
//! is enough that the text says so. Cues, figures and dates count only outside quotation marks and backticks, because a
//! quotation was written by others. Names also count within a quotation.
//!
//! | file         | job                                        |
//! |--------------|--------------------------------------------|
//! | this one     | looks for each point                       |
//! | `finding.rs` | what was found, as a verdict stores it     |

mod finding;

use countersign_domain::{Section, Time, transaction::Channel, validation::NarrativePoint};
use jiff::{civil::Date, tz::TimeZone};

pub use self::finding::{Passage, PointFinding, PointPart, PointState};

use super::{
    cues::{CueList, Cues},
    justification::{SignalTerms, compares, lacks_baseline, raised},
    language,
    prose::ReportSentence,
};
use crate::{Content, Context, TransactionFacts, TransactionStatus};

/// Every point, in the order of `NarrativePoint::ALL`.
pub(super) fn narrative(content: &Content, sentences: &[ReportSentence<'_>]) -> Vec<PointFinding> {
    let check = NarrativeCheck { context: &content.context, sentences };
    let transaction = content.context.transaction.as_ref();
    vec![
        check.who(),
        check.what(transaction),
        check.when(transaction),
        check.r#where(transaction),
        check.why(),
        check.how(transaction),
        check.completion(transaction),
        language::self_contained(sentences),
        language::narrated(sentences),
        language::factual(sentences),
    ]
}

/// Looks for the points of one report.
struct NarrativeCheck<'a> {
    context: &'a Context,
    sentences: &'a [ReportSentence<'a>],
}

impl NarrativeCheck<'_> {
    fn find(&self, is_met: impl Fn(&ReportSentence<'_>) -> bool) -> Option<Passage> {
        self.sentences.iter().find(|sentence| is_met(sentence)).map(Passage::of)
    }

    /// A part of a point for which the record has the fact. A sentence that states the fact meets it.
    fn stated(&self, name: &str, is_met: impl Fn(&ReportSentence<'_>) -> bool) -> PointPart {
        part(name, PointState::Present, self.find(is_met))
    }

    /// A part of a point for which the record lacks the fact. A sentence that says so meets it.
    fn unavailable(&self, name: &str, topics: Cues) -> PointPart {
        let by_topic = self.find(|sentence| sentence.says_unknown(topics));
        // Without a transaction, all of its facts are missing, and one sentence that says so covers all of them.
        let by_transaction = || match self.context.transaction {
            None => self.find(|sentence| sentence.says_unknown("transaction*")),
            Some(_) => None,
        };
        part(name, PointState::NotAvailable, by_topic.or_else(by_transaction))
    }

    fn who(&self) -> PointFinding {
        let subject = &self.context.subject;
        let tail = subject.user_id.trim_start_matches('*');
        let relationship = subject.relationship.as_str();
        let parts = vec![
            self.stated("the subject", |sentence| {
                sentence.text.contains(&subject.user_id) || (!tail.is_empty() && sentence.names(tail))
            }),
            self.stated("the subject's relationship to the institution", |sentence| {
                sentence.names(relationship) || sentence.has(CueList::Relationships)
            }),
        ];
        PointFinding::of_parts(NarrativePoint::Who, parts)
    }

    fn what(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let parts = vec![self.instrument(transaction), self.source(transaction), self.destination(transaction)];
        PointFinding::of_parts(NarrativePoint::What, parts)
    }

    fn instrument(&self, transaction: Option<&TransactionFacts>) -> PointPart {
        let name = "the instrument";
        match transaction.and_then(|transaction| transaction.channel) {
            Some(channel) => self.stated(name, |sentence| sentence.says(instrument(channel))),
            None => self.unavailable(name, "instrument*|channel*|method*|means"),
        }
    }

    fn source(&self, transaction: Option<&TransactionFacts>) -> PointPart {
        let (name, topics) = ("the source of funds", "source*|origin*");
        match transaction.and_then(|transaction| transaction.source_of_funds.as_deref()) {
            Some(source) => self.stated(name, |sentence| sentence.names_loosely(source) || sentence.says(topics)),
            None => self.unavailable(name, topics),
        }
    }

    fn destination(&self, transaction: Option<&TransactionFacts>) -> PointPart {
        let topics = "destination*|beneficiar*|payee*|recipient*";
        let destination = transaction.and_then(|transaction| transaction.destination_of_funds.as_deref());
        // If the record states no destination, the money went to the merchant.
        let merchant = transaction.and_then(|transaction| transaction.merchant.as_deref());
        let name = "the destination of funds";
        match (destination, merchant) {
            (Some(to), _) => self.stated(name, |sentence| sentence.names_loosely(to) || sentence.says(topics)),
            (None, Some(merchant)) => self.stated(name, |sentence| {
                sentence.names_loosely(merchant) || sentence.says("merchant*") || sentence.says_unknown(topics)
            }),
            (None, None) => self.unavailable(name, topics),
        }
    }

    fn when(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let happened = transaction.map_or(self.context.case.alert_created_at, |transaction| transaction.occurred_at);
        let parts = vec![
            self.first_seen(happened),
            self.duration(),
            self.stated("the date of the activity", |sentence| sentence.dates.contains(&day(happened))),
            self.amounts(transaction),
            self.order(),
        ];
        PointFinding::of_parts(NarrativePoint::When, parts)
    }

    fn first_seen(&self, happened: Time) -> PointPart {
        let timeline = self.context.timeline.first().map(|event| event.timestamp);
        let firsts = [timeline, self.context.subject.first_transaction_at, self.context.subject.account_opened_at];
        let known = [happened, self.context.case.alert_created_at];
        let days: Vec<Date> = firsts.into_iter().flatten().chain(known).map(day).collect();
        self.stated("when it was first seen", |sentence| {
            sentence.has(CueList::First) && sentence.dates.iter().any(|date| days.contains(date))
        })
    }

    /// A length of time, or the first and the last date. For activity within one day, the date of that day is enough.
    fn duration(&self) -> PointPart {
        let name = "how long it lasted";
        let mut days: Vec<Date> = self.sentences.iter().flat_map(|sentence| sentence.dates.iter().copied()).collect();
        days.sort_unstable();
        days.dedup();
        let is_one_day = match self.context.timeline.as_slice() {
            [first, .., last] => day(first.timestamp) == day(last.timestamp),
            _ => true,
        };
        let enough = if is_one_day { 1 } else { 2 };
        let by_length = self.find(|sentence| sentence.has(CueList::Lengths) && !sentence.figures.is_empty());
        let by_dates = || self.find(|sentence| days.len() >= enough && !sentence.dates.is_empty());
        part(name, PointState::Present, by_length.or_else(by_dates))
    }

    fn amounts(&self, transaction: Option<&TransactionFacts>) -> PointPart {
        let name = "the individual amount";
        match transaction {
            Some(transaction) => {
                let amount = transaction.amount.amount();
                self.stated(name, |sentence| sentence.figures.contains(&amount))
            }
            None => self.unavailable(name, "amount*"),
        }
    }

    /// The timeline must give its dates in order. Two thirds of them are enough, because a sentence may look back.
    fn order(&self) -> PointPart {
        let timeline: Vec<_> =
            self.sentences.iter().filter(|sentence| sentence.section == Section::TimelineNarrative).collect();
        let dates: Vec<Date> = timeline.iter().flat_map(|sentence| sentence.dates.iter().copied()).collect();
        let in_order = longest_in_order(&dates);
        let is_in_order = in_order > 0 && in_order * 3 >= dates.len() * 2;
        let first = timeline.iter().find(|sentence| !sentence.dates.is_empty());
        part("dates in order", PointState::Present, first.filter(|_| is_in_order).map(|sentence| Passage::of(sentence)))
    }

    fn r#where(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let name = "the location";
        let place = transaction.and_then(|transaction| transaction.location.as_ref());
        let mut parts = vec![match place {
            Some(place) => self.stated(name, |sentence| {
                sentence.names(&place.country_name) || place.city.as_deref().is_some_and(|city| sentence.names(city))
            }),
            None => self.unavailable(name, "location*|countr*|place*|jurisdiction*|where"),
        }];
        let usual = self.context.baseline.as_ref().map_or(&[][..], |baseline| &baseline.countries);
        let is_foreign = |country: &str| !usual.is_empty() && usual.iter().all(|usual| usual.country != country);
        if place.is_some_and(|place| is_foreign(&place.country)) {
            parts.push(self.stated("the foreign jurisdiction beside the customer's own", |sentence| {
                sentence.has(CueList::Foreign) || usual.iter().any(|usual| sentence.names(&usual.country_name))
            }));
        }
        PointFinding::of_parts(NarrativePoint::Where, parts)
    }

    fn why(&self) -> PointFinding {
        let name = "how it compares with the customer's baseline";
        let part = match self.context.baseline {
            Some(_) => self.stated(name, compares),
            None => part(name, PointState::NotAvailable, self.find(lacks_baseline)),
        };
        PointFinding::of_parts(NarrativePoint::Why, vec![part])
    }

    fn how(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let name = "the means by which it was done";
        let channel = transaction.and_then(|transaction| transaction.channel);
        let raised: Vec<_> = raised(self.context).take(SIGNALS_MAX).map(SignalTerms::of).collect();
        let stated = self.stated(name, |sentence| {
            channel.is_some_and(|channel| sentence.says(instrument(channel)))
                || raised.iter().any(|signal| signal.is_in(sentence))
        });
        // The reasons of an external alert need not say how the activity was done.
        let part = if stated.state == PointState::Missing && channel.is_none() {
            self.unavailable(name, "signal*|channel*|instrument*|method*|means|how")
        } else {
            stated
        };
        PointFinding::of_parts(NarrativePoint::How, vec![part])
    }

    fn completion(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let name = "whether it was completed or attempted";
        let topics: Cues = "complet*|attempt*|status*|settle*|went through";
        let part = match transaction.map(|transaction| transaction.status) {
            Some(TransactionStatus::Completed) => self.stated(name, |sentence| {
                sentence.has(CueList::Completed) && !sentence.says_unknown(topics) && !sentence.has(CueList::Attempted)
            }),
            Some(TransactionStatus::Attempted) => {
                self.stated(name, |sentence| sentence.has(CueList::Attempted) && !sentence.says_unknown(topics))
            }
            Some(TransactionStatus::NotStated) | None => self.unavailable(name, topics),
        };
        PointFinding::of_parts(NarrativePoint::Completion, vec![part])
    }
}

/// The maximum number of raised signals that are searched for by name. Finding one of them is enough.
const SIGNALS_MAX: usize = 16;

pub(super) const RELATIONSHIPS: Cues =
    "account holder*|accountholder*|customer*|client*|cardholder*|card holder*|owner|signer*";
pub(super) const FIRST: Cues = "first*|earliest*|began|start*|open*|raised|created|detect*|notic*|flagged|alert*";
pub(super) const LENGTHS: Cues = "day*|hour*|minute*|second*|week*|month*|year*";
pub(super) const FOREIGN: Cues = "\
    foreign*|abroad*|another country*|other countr*|new country*|outside|jurisdiction*|different country*|\
    not seen before*";
pub(super) const COMPLETED: Cues = "completed|settled|posted|executed|processed|cleared|went through|approved";
pub(super) const ATTEMPTED: Cues =
    "attempted|attempt|declined|failed|blocked|reversed|pending|rejected|not completed|refused";

fn instrument(channel: Channel) -> Cues {
    match channel {
        Channel::CardPresent | Channel::CardNotPresent => "card|cards",
        Channel::Transfer => "transfer*|wire*",
        Channel::Atm => "atm|cash*|withdr*",
        Channel::Other => "channel*|instrument*|other",
    }
}

fn part(name: &str, state: PointState, evidence: Option<Passage>) -> PointPart {
    let state = if evidence.is_some() { state } else { PointState::Missing };
    PointPart { name: name.to_owned(), state, evidence }
}

fn day(at: Time) -> Date {
    TimeZone::UTC.to_datetime(at.timestamp()).date()
}

/// The length of the longest subsequence of dates in chronological order.
fn longest_in_order(dates: &[Date]) -> usize {
    let mut ends: Vec<Date> = Vec::new();
    for date in dates {
        let at = ends.partition_point(|end| end <= date);
        match ends.get_mut(at) {
            Some(end) => *end = *date,
            None => ends.push(*date),
        }
    }
    ends.len()
}

#[cfg(test)]
mod tests;
