//! What a narrative that goes to a regulator must answer: who, what, when, where, why and how, completed or attempted; in
//! sentences of its own, without attachments and without speculation.
//!
//! Each point is looked for in all five sections with the report's own facts at hand. A fact that the record does not have
//! must be said to be unavailable, and is then no fault. Cues are taken from the report's own words alone: what stands in
//! quotation marks or backticks is somebody else's text and can neither meet a point nor break one.

use countersign_domain::{
    Section, Time,
    transaction::Channel,
    validation::{Fault, Point},
};
use jiff::{civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    cues::{Cues, List},
    justification::{Called, compares, lacks_baseline, raised},
    language,
    prose::Sentence,
};
use crate::{Content, Context, TransactionFacts, TransactionStatus};

/// Of a point or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Stated; of what must not be, kept.
    Present,
    /// The record does not have it, and the text says so.
    NotAvailable,
    /// Not stated; of what must not be, broken.
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PointFinding {
    pub point: Point,
    pub state: State,
    pub parts: Vec<Part>,
    /// What is wrong, where something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Part {
    pub name: String,
    pub state: State,
    /// The sentence that meets it, or that breaks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Passage>,
}

/// A sentence's place: code points from the section's start, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Passage {
    pub section: Section,
    pub start: usize,
    pub end: usize,
}

impl Passage {
    pub(super) fn of(sentence: &Sentence<'_>) -> Self {
        Self { section: sentence.section, start: sentence.start, end: sentence.end }
    }
}

impl PointFinding {
    pub(super) fn fault(&self) -> Option<Fault> {
        let detail = self.detail.clone()?;
        let broken = self.parts.iter().find(|part| part.state == State::Missing);
        let section = broken.and_then(|part| part.evidence).map(|evidence| evidence.section);
        Some(Fault::NarrativePoint { point: self.point, detail, section })
    }

    fn of_parts(point: Point, parts: Vec<Part>) -> Self {
        let missing: Vec<&str> =
            parts.iter().filter(|part| part.state == State::Missing).map(|part| part.name.as_str()).collect();
        let detail =
            (!missing.is_empty()).then(|| format!("neither stated nor said to be unavailable: {}", missing.join(", ")));
        let state = if detail.is_some() {
            State::Missing
        } else if parts.iter().all(|part| part.state == State::NotAvailable) {
            State::NotAvailable
        } else {
            State::Present
        };
        Self { point, state, parts, detail }
    }
}

/// Every point, in the order of `Point::ALL`.
pub(super) fn narrative(content: &Content, sentences: &[Sentence<'_>]) -> Vec<PointFinding> {
    let reading = Reading { context: &content.context, sentences };
    let transaction = content.context.transaction.as_ref();
    vec![
        reading.who(),
        reading.what(transaction),
        reading.when(transaction),
        reading.r#where(transaction),
        reading.why(),
        reading.how(transaction),
        reading.completion(transaction),
        language::self_contained(sentences),
        language::narrated(sentences),
        language::factual(sentences),
    ]
}

struct Reading<'a> {
    context: &'a Context,
    sentences: &'a [Sentence<'a>],
}

impl Reading<'_> {
    fn find(&self, is_met: impl Fn(&Sentence<'_>) -> bool) -> Option<Passage> {
        self.sentences.iter().find(|sentence| is_met(sentence)).map(Passage::of)
    }

    /// A fact that the record has.
    fn stated(&self, name: &str, is_met: impl Fn(&Sentence<'_>) -> bool) -> Part {
        part(name, State::Present, self.find(is_met))
    }

    /// A fact that the record does not have.
    fn unavailable(&self, name: &str, topics: Cues) -> Part {
        let by_name = self.find(|sentence| sentence.denies(topics));
        // Without a transaction there is nothing that its facts could be, and one sentence says so for all.
        let without = || match self.context.transaction {
            None => self.find(|sentence| sentence.denies("transaction*")),
            Some(_) => None,
        };
        part(name, State::NotAvailable, by_name.or_else(without))
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
                sentence.names(relationship) || sentence.has(List::Relationships)
            }),
        ];
        PointFinding::of_parts(Point::Who, parts)
    }

    fn what(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let parts = vec![self.instrument(transaction), self.source(transaction), self.destination(transaction)];
        PointFinding::of_parts(Point::What, parts)
    }

    fn instrument(&self, transaction: Option<&TransactionFacts>) -> Part {
        let name = "the instrument";
        match transaction.and_then(|transaction| transaction.channel) {
            Some(channel) => self.stated(name, |sentence| sentence.says(instrument(channel))),
            None => self.unavailable(name, "instrument*|channel*|method*|means"),
        }
    }

    fn source(&self, transaction: Option<&TransactionFacts>) -> Part {
        let (name, topics) = ("the source of funds", "source*|origin*");
        match transaction.and_then(|transaction| transaction.source_of_funds.as_deref()) {
            Some(source) => self.stated(name, |sentence| sentence.names_loosely(source) || sentence.says(topics)),
            None => self.unavailable(name, topics),
        }
    }

    fn destination(&self, transaction: Option<&TransactionFacts>) -> Part {
        let topics = "destination*|beneficiar*|payee*|recipient*";
        let destination = transaction.and_then(|transaction| transaction.destination_of_funds.as_deref());
        // Where a record has no destination, money that went to a merchant went there.
        let merchant = transaction.and_then(|transaction| transaction.merchant.as_deref());
        let name = "the destination of funds";
        match (destination, merchant) {
            (Some(to), _) => self.stated(name, |sentence| sentence.names_loosely(to) || sentence.says(topics)),
            (None, Some(merchant)) => self.stated(name, |sentence| {
                sentence.names_loosely(merchant) || sentence.says("merchant*") || sentence.denies(topics)
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
        PointFinding::of_parts(Point::When, parts)
    }

    fn first_seen(&self, happened: Time) -> Part {
        let timeline = self.context.timeline.first().map(|event| event.timestamp);
        let firsts = [timeline, self.context.subject.first_transaction_at, self.context.subject.account_opened_at];
        let known = [happened, self.context.case.alert_created_at];
        let days: Vec<Date> = firsts.into_iter().flatten().chain(known).map(day).collect();
        self.stated("when it was first seen", |sentence| {
            sentence.has(List::First) && sentence.dates.iter().any(|date| days.contains(date))
        })
    }

    /// A length of time, or the dates from which to which; activity of one day lasts as long as that day.
    fn duration(&self) -> Part {
        let name = "how long it lasted";
        let mut days: Vec<Date> = self.sentences.iter().flat_map(|sentence| sentence.dates.iter().copied()).collect();
        days.sort_unstable();
        days.dedup();
        let is_one_day = match self.context.timeline.as_slice() {
            [first, .., last] => day(first.timestamp) == day(last.timestamp),
            _ => true,
        };
        let enough = if is_one_day { 1 } else { 2 };
        let by_length = self.find(|sentence| sentence.has(List::Lengths) && !sentence.figures.is_empty());
        let by_dates = || self.find(|sentence| days.len() >= enough && !sentence.dates.is_empty());
        part(name, State::Present, by_length.or_else(by_dates))
    }

    fn amounts(&self, transaction: Option<&TransactionFacts>) -> Part {
        let name = "the individual amount";
        match transaction {
            Some(transaction) => {
                let amount = transaction.amount.amount();
                self.stated(name, |sentence| sentence.figures.contains(&amount))
            }
            None => self.unavailable(name, "amount*"),
        }
    }

    /// The timeline tells its dates in order. Most of them: a sentence may look back.
    fn order(&self) -> Part {
        let timeline: Vec<_> =
            self.sentences.iter().filter(|sentence| sentence.section == Section::TimelineNarrative).collect();
        let dates: Vec<Date> = timeline.iter().flat_map(|sentence| sentence.dates.iter().copied()).collect();
        let in_order = longest_in_order(&dates);
        let is_told = in_order > 0 && in_order * 3 >= dates.len() * 2;
        let first = timeline.iter().find(|sentence| !sentence.dates.is_empty());
        part("dates in order", State::Present, first.filter(|_| is_told).map(|sentence| Passage::of(sentence)))
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
                sentence.has(List::Foreign) || usual.iter().any(|usual| sentence.names(&usual.country_name))
            }));
        }
        PointFinding::of_parts(Point::Where, parts)
    }

    fn why(&self) -> PointFinding {
        let name = "how it compares with the customer's baseline";
        let part = match self.context.baseline {
            Some(_) => self.stated(name, compares),
            None => part(name, State::NotAvailable, self.find(lacks_baseline)),
        };
        PointFinding::of_parts(Point::Why, vec![part])
    }

    fn how(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let name = "the means by which it was done";
        let channel = transaction.and_then(|transaction| transaction.channel);
        let raised: Vec<_> = raised(self.context).take(SIGNALS_MAX).map(Called::of).collect();
        let told = self.stated(name, |sentence| {
            channel.is_some_and(|channel| sentence.says(instrument(channel)))
                || raised.iter().any(|signal| signal.is_in(sentence))
        });
        // What an outside alert gives as its reasons need not say how it was done.
        let part = if told.state == State::Missing && channel.is_none() {
            self.unavailable(name, "signal*|channel*|instrument*|method*|means|how")
        } else {
            told
        };
        PointFinding::of_parts(Point::How, vec![part])
    }

    fn completion(&self, transaction: Option<&TransactionFacts>) -> PointFinding {
        let name = "whether it was completed or attempted";
        let topics: Cues = "complet*|attempt*|status*|settle*|went through";
        let part = match transaction.map(|transaction| transaction.status) {
            Some(TransactionStatus::Completed) => self.stated(name, |sentence| {
                sentence.has(List::Completed) && !sentence.denies(topics) && !sentence.has(List::Tried)
            }),
            Some(TransactionStatus::Attempted) => {
                self.stated(name, |sentence| sentence.has(List::Tried) && !sentence.denies(topics))
            }
            Some(TransactionStatus::NotStated) | None => self.unavailable(name, topics),
        };
        PointFinding::of_parts(Point::Completion, vec![part])
    }
}

/// Raised signals that are looked for by name; one of them is enough.
const SIGNALS_MAX: usize = 16;

pub(super) const RELATIONSHIPS: Cues =
    "account holder*|accountholder*|customer*|client*|cardholder*|card holder*|owner|signer*";
pub(super) const FIRST: Cues = "first*|earliest*|began|start*|open*|raised|created|detect*|notic*|flagged|alert*";
pub(super) const LENGTHS: Cues = "day*|hour*|minute*|second*|week*|month*|year*";
pub(super) const FOREIGN: Cues = "\
    foreign*|abroad*|another country*|other countr*|new country*|outside|jurisdiction*|different country*|\
    not seen before*";
pub(super) const COMPLETED: Cues = "completed|settled|posted|executed|processed|cleared|went through|approved";
pub(super) const TRIED: Cues =
    "attempted|attempt|declined|failed|blocked|reversed|pending|rejected|not completed|refused";

fn instrument(channel: Channel) -> Cues {
    match channel {
        Channel::CardPresent | Channel::CardNotPresent => "card|cards",
        Channel::Transfer => "transfer*|wire*",
        Channel::Atm => "atm|cash*|withdr*",
        Channel::Other => "channel*|instrument*|other",
    }
}

fn part(name: &str, state: State, evidence: Option<Passage>) -> Part {
    let state = if evidence.is_some() { state } else { State::Missing };
    Part { name: name.to_owned(), state, evidence }
}

fn day(at: Time) -> Date {
    TimeZone::UTC.to_datetime(at.timestamp()).date()
}

/// Of the longest run, with gaps, that never goes back.
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
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::validate::{prose::sentences, samples};

    /// A report whose whole text is in its narrative.
    fn telling(content: &Content, text: &str) -> Content {
        let mut content = content.clone();
        for section in Section::ALL {
            samples::section_mut(&mut content, section).clear();
        }
        content.investigation_narrative = text.to_owned();
        content
    }

    fn points(content: &Content) -> Vec<PointFinding> {
        narrative(content, &sentences(content))
    }

    fn state(content: &Content, point: Point, part: usize) -> State {
        let found = points(content).into_iter().find(|finding| finding.point == point).unwrap();
        found.parts[part].state
    }

    fn check(context: &[(&str, Value)], point: Point, part: usize, rows: &[(&str, State)]) {
        let mut content = samples::ordinary();
        let mut json = serde_json::to_value(&content.context).unwrap();
        for (path, value) in context {
            *json.pointer_mut(path).unwrap() = value.clone();
        }
        content.context = serde_json::from_value(json).unwrap();
        for (text, expected) in rows {
            assert_eq!(state(&telling(&content, text), point, part), *expected, "{point:?} {part}: {text}");
        }
    }

    #[test]
    fn points_come_in_their_order_and_show_where_they_are_met() {
        let content = samples::ordinary();
        let found = points(&content);
        assert_eq!(found.iter().map(|finding| finding.point).collect::<Vec<_>>(), Point::ALL);
        assert!(found.iter().all(|finding| finding.fault().is_none()), "{found:#?}");
        let Passage { section, start, end } = found[0].parts[0].evidence.unwrap();
        let text: String = content.section(section).chars().skip(start).take(end - start).collect();
        assert_eq!(text, "The subject was account holder `***4821`, whose account was opened on 12 June 2024.");
    }

    #[test]
    fn what_the_record_lacks_must_be_said_to_be_unavailable() {
        let content = samples::thin();
        let found = points(&content);
        let state = |point: Point| found.iter().find(|finding| finding.point == point).unwrap().state;
        for point in [Point::What, Point::Where, Point::Why, Point::How, Point::Completion] {
            assert_eq!(state(point), State::NotAvailable, "{point:?}");
        }
        let silent =
            telling(&content, "The account holder ***0007 was named on 2 May 2026, and the alert was created.");
        for finding in points(&silent) {
            let is_missing = matches!(
                finding.point,
                Point::What | Point::When | Point::Where | Point::Why | Point::How | Point::Completion
            );
            assert_eq!(finding.fault().is_some(), is_missing, "{finding:?}");
        }
    }

    #[test]
    fn who() {
        let rows =
            [("***4821 paid.", State::Present), ("User 4821 paid.", State::Present), ("Someone paid.", State::Missing)];
        check(&[], Point::Who, 0, &rows);
        let rows = [("The account holder paid.", State::Present), ("***4821 paid.", State::Missing)];
        check(&[], Point::Who, 1, &rows);
    }

    #[test]
    fn what() {
        let rows = [
            ("A card payment was made.", State::Present),
            ("The cardholder made a transfer.", State::Missing),
            ("The instrument was not stated.", State::Missing),
        ];
        check(&[], Point::What, 0, &rows);
        let none = [("/transaction/channel", json!(null))];
        let rows = [("A card payment was made.", State::Missing), ("The channel was not stated.", State::NotAvailable)];
        check(&none, Point::What, 0, &rows);
        let rows = [
            ("The record did not state the source of funds.", State::NotAvailable),
            ("The source of funds was a loan.", State::Missing),
            ("The merchant \"no source of funds\" was paid.", State::Missing),
        ];
        check(&[], Point::What, 1, &rows);
        let rows = [
            ("It went to \"Nordlicht-Elektronik\".", State::Present),
            ("The destination was not stated.", State::Present),
            ("It went away.", State::Missing),
        ];
        check(&[], Point::What, 2, &rows);
    }

    #[test]
    fn when() {
        let rows = [
            ("It was first seen on 1 March 2026.", State::Present),
            ("It was first seen on 2 March 2026.", State::Missing),
            ("It was first seen in spring.", State::Missing),
        ];
        check(&[], Point::When, 0, &rows);
        let rows = [
            ("It lasted 177 days.", State::Present),
            ("It went on from 12 June 2024 to 1 March 2026.", State::Present),
            ("It happened on 1 March 2026.", State::Missing),
        ];
        check(&[], Point::When, 1, &rows);
        let rows = [("USD 4850 was paid.", State::Present), ("USD 4,851.00 was paid.", State::Missing)];
        check(&[], Point::When, 3, &rows);
    }

    #[test]
    fn a_timeline_goes_forward() {
        let mut content = samples::ordinary();
        for (text, expected) in [
            ("On 1 May 2026 a. On 2 May 2026 b. On 3 May 2026 c.", State::Present),
            ("On 1 May 2026 a. On 3 May 2026 b, as on 2 May 2026.", State::Present),
            ("On 3 May 2026 a. On 2 May 2026 b. On 1 May 2026 c.", State::Missing),
            ("Nothing is dated.", State::Missing),
        ] {
            content.timeline_narrative = text.to_owned();
            assert_eq!(state(&content, Point::When, 4), expected, "{text}");
        }
    }

    #[test]
    fn r#where() {
        let rows = [("It was in Germany.", State::Present), ("In Berlin.", State::Present), ("There.", State::Missing)];
        check(&[], Point::Where, 0, &rows);
        let rows = [("Earlier ones were in Portugal.", State::Present), ("It was in Germany.", State::Missing)];
        check(&[], Point::Where, 1, &rows);
        let oman = json!({"country": "OM", "country_name": "Oman"});
        check(&[("/transaction/location", oman)], Point::Where, 0, &[("It was in Romania.", State::Missing)]);
    }

    #[test]
    fn why_and_how() {
        let rows = [
            ("The median was USD 62.50.", State::Present),
            ("It was far above the baseline.", State::Missing),
            ("The baseline was not available.", State::Missing),
        ];
        check(&[], Point::Why, 0, &rows);
        let rows = [("Amount deviation fired.", State::Present), ("By card.", State::Present), ("So.", State::Missing)];
        check(&[], Point::How, 0, &rows);
    }

    #[test]
    fn completed_or_attempted() {
        let rows = [
            ("It was completed.", State::Present),
            ("It was attempted.", State::Missing),
            ("The record did not state whether it was completed.", State::Missing),
        ];
        check(&[], Point::Completion, 0, &rows);
        let rows = [("It was declined.", State::Present), ("It was completed.", State::Missing)];
        check(&[("/transaction/status", json!("attempted"))], Point::Completion, 0, &rows);
        let rows = [
            ("The record did not state whether it was completed or attempted.", State::NotAvailable),
            ("It was completed.", State::Missing),
        ];
        check(&[("/transaction/status", json!("not_stated"))], Point::Completion, 0, &rows);
    }

    #[test]
    fn a_fault_lists_what_is_missing() {
        let content = telling(&samples::ordinary(), "A card was used.");
        let fault = points(&content)[1].fault().unwrap();
        let detail = "neither stated nor said to be unavailable: the source of funds, the destination of funds";
        assert_eq!(fault, Fault::NarrativePoint { point: Point::What, detail: detail.to_owned(), section: None });
    }
}
