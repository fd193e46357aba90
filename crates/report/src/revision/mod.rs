//! Plans what the built-in writer will do about the comment with which a reviewer sends a report back: which parts it will act
//! on, and which it can't, with the reason.
//!
//! This is a small grammar, not a guess. It knows three kinds of requested changes:
//!
//! | request          | for example                                | can be made if                                      |
//! |------------------|--------------------------------------------|-----------------------------------------------------|
//! | length           | "Make the timeline longer."                | the section gets longer or shorter within its range |
//! | a fact           | "Mention the merchant in the summary."     | it is on record, and the section does not state it  |
//! | the report type  | "Make this a compliance report."           | the report has another type                         |
//!
//! | file         | job                                                                   |
//! |--------------|-----------------------------------------------------------------------|
//! | `phrases.rs` | the words and phrases that a comment may consist of                   |
//! | `parse.rs`   | parses a comment into requested changes                               |
//! | this one     | decides which changes can be made, by writing trial drafts            |

mod parse;
mod phrases;

use countersign_domain::{
    Section,
    report::count_words,
    revision::{CannotAct, Length, Revision, RevisionPlan, RevisionWriter, Topic, WhoCan},
};
use countersign_factcheck::{self as factcheck, Facts};

use self::parse::{CommentPart, RequestedChange, parse};
use crate::{Content, redact::clean, writer::Writer};

/// The smallest change in the number of words that makes a section longer or shorter.
const WORDS_DIFFERENCE_MIN: usize = 5;
/// The maximum number of characters quoted from one part of a comment.
const PART_CHARS_MAX: usize = 120;
/// The maximum number of parts that are quoted. Further ones are counted.
const PARTS_MAX: usize = 8;

const NOT_UNDERSTOOD: &str = "The built-in writer can only make a section longer or shorter, state a fact that is on record, or change the report \
     type.";

/// The plan for a comment on a report, if the built-in writer writes the next version.
pub fn plan(comment: &str, content: &Content) -> RevisionPlan {
    let mut trial = Trial::of(content);
    let mut cannot_act_on = Vec::new();
    for part in parse(comment) {
        if let Err(reason) = trial.accept_part(&part) {
            cannot_act_on.push(CannotAct { part: quoted(part.text), reason });
        }
    }
    if cannot_act_on.is_empty() && trial.will_change.is_empty() {
        cannot_act_on.push(CannotAct { part: quoted(comment.trim()), reason: NOT_UNDERSTOOD.to_owned() });
    }
    bound_parts(&mut cannot_act_on);
    let who_can = if cannot_act_on.is_empty() { Vec::new() } else { vec![WhoCan::Model, WhoCan::Addendum] };
    let instructions = if trial.will_change.is_empty() { Revision::default() } else { trial.revision };
    RevisionPlan {
        writer: RevisionWriter::Builtin,
        will_change: trial.will_change,
        cannot_act_on,
        who_can,
        instructions,
    }
}

/// The plan for a comment if a model writes the next version. What the model will change is not known in advance; only the type
/// of the report is decided here.
pub fn plan_for_model(comment: &str, content: &Content, model: &str) -> RevisionPlan {
    let requests = parse(comment).into_iter().flat_map(|part| part.requests);
    let report_type = requests.into_iter().find_map(|request| match request {
        RequestedChange::ReportType(to) if to != content.report_type => Some(to),
        _ => None,
    });
    let mut will_change = vec![format!("ask {model} to write the report again, with your comment as feedback")];
    will_change.extend(report_type.map(type_change));
    RevisionPlan {
        writer: RevisionWriter::Model,
        will_change,
        cannot_act_on: Vec::new(),
        who_can: Vec::new(),
        instructions: Revision { report_type, sections: Vec::new() },
    }
}

fn type_change(to: countersign_domain::payload::ReportType) -> String {
    let article = if to.as_str().starts_with('i') { "an" } else { "a" };
    format!("make this {article} {} report", to.as_str())
}

fn quoted(text: &str) -> String {
    let text = clean(text);
    let mut short: String = text.chars().take(PART_CHARS_MAX).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn bound_parts(parts: &mut Vec<CannotAct>) {
    if parts.len() > PARTS_MAX {
        let more = parts.len() - PARTS_MAX;
        parts.truncate(PARTS_MAX);
        parts.push(CannotAct { part: format!("{more} more"), reason: NOT_UNDERSTOOD.to_owned() });
    }
}

/// A requested change of one section. A text can be checked for it.
#[derive(Debug, Clone, Copy)]
enum SectionRequest {
    Length(Section, Length),
    Mention(Section, Topic),
}

/// Writes each requested change as a trial draft. A change is accepted if it can be made together with all those accepted before.
struct Trial<'a> {
    content: &'a Content,
    facts: Facts,
    revision: Revision,
    accepted: Vec<SectionRequest>,
    will_change: Vec<String>,
}

impl<'a> Trial<'a> {
    fn of(content: &'a Content) -> Self {
        Self {
            content,
            facts: Facts::of(&serde_json::to_value(&content.context).unwrap_or_default()),
            // Requests about earlier versions still apply.
            revision: Revision { report_type: None, ..content.revision.clone().unwrap_or_default() },
            accepted: Vec::new(),
            will_change: Vec::new(),
        }
    }

    /// Accepts the requests of a part. `Err` says why it can't be acted on, or not completely.
    fn accept_part(&mut self, part: &CommentPart<'_>) -> Result<(), String> {
        if part.requests.is_empty() {
            return Err(NOT_UNDERSTOOD.to_owned());
        }
        let reasons: Vec<_> = part.requests.iter().filter_map(|request| self.accept(request).err()).collect();
        if reasons.is_empty() { Ok(()) } else { Err(reasons.join(" ")) }
    }

    fn accept(&mut self, request: &RequestedChange) -> Result<(), String> {
        match request {
            RequestedChange::ReportType(to) if *to == self.content.report_type => {
                Err(format!("The report is already of the type \"{}\".", to.as_str()))
            }
            RequestedChange::ReportType(to) => {
                self.revision.report_type = Some(*to);
                let promise = type_change(*to);
                if !self.will_change.contains(&promise) {
                    self.will_change.push(promise);
                }
                Ok(())
            }
            RequestedChange::Length(length, sections) if sections.is_empty() => self.accept_length_anywhere(*length),
            RequestedChange::Length(length, sections) => collect_reasons(
                sections.iter().map(|section| self.accept_in_section(SectionRequest::Length(*section, *length))),
            ),
            RequestedChange::Mention(topic, sections) if sections.is_empty() => self.accept_topic_anywhere(*topic),
            RequestedChange::Mention(topic, sections) => collect_reasons(
                sections.iter().map(|section| self.accept_in_section(SectionRequest::Mention(*section, *topic))),
            ),
        }
    }

    /// A length for the whole report. It is accepted if at least one section can have it.
    fn accept_length_anywhere(&mut self, length: Length) -> Result<(), String> {
        let changed = Section::ALL
            .into_iter()
            .filter(|section| self.accept_in_section(SectionRequest::Length(*section, length)).is_ok())
            .count();
        let word = if length == Length::Longer { "long" } else { "short" };
        if changed > 0 {
            Ok(())
        } else {
            Err(format!("Every section is as {word} as its word range and its facts allow."))
        }
    }

    /// A topic for any section: the first that doesn't state it yet, starting with the one where readers expect it.
    fn accept_topic_anywhere(&mut self, topic: Topic) -> Result<(), String> {
        let first = usual_section(topic);
        let others = Section::ALL.into_iter().filter(|section| *section != first);
        let mut reason = None;
        for section in std::iter::once(first).chain(others) {
            match self.accept_in_section(SectionRequest::Mention(section, topic)) {
                Ok(()) => return Ok(()),
                Err(why) => drop(reason.get_or_insert(why)),
            }
        }
        Err(reason.unwrap_or_default())
    }

    /// Writes the section with the change, and accepts the change if the text makes it and all earlier ones.
    fn accept_in_section(&mut self, request: SectionRequest) -> Result<(), String> {
        let (section, context) = match request {
            SectionRequest::Length(section, _) | SectionRequest::Mention(section, _) => {
                (section, &self.content.context)
            }
        };
        if let SectionRequest::Mention(_, topic) = request {
            let is_stated = Writer::of(context).states(topic, self.content.section(section));
            match is_stated {
                Err(why) => return Err(format!("{}.", capitalised(why.0))),
                Ok(true) => {
                    return Err(format!("{} already states {}.", capitalised(phrase(section)), topic.phrase()));
                }
                Ok(false) => {}
            }
        }
        let mut revision = self.revision.clone();
        let entry = revision.of_mut(section);
        match request {
            SectionRequest::Length(_, length) => entry.length = Some(length),
            SectionRequest::Mention(_, topic) if !entry.mention.contains(&topic) => entry.mention.push(topic),
            SectionRequest::Mention(..) => {}
        }
        let writer = Writer::of(context).revised(revision.clone());
        let text = writer.section(section);
        let is_made = |request: &SectionRequest| self.is_made(*request, &writer);
        if !is_made(&request)
            || !self.accepted.iter().all(is_made)
            || !factcheck::check(&text, &self.facts).refused.is_empty()
        {
            return Err(self.why_not(request));
        }
        let (before, after) = (count_words(self.content.section(section)), count_words(&text));
        let promise = match request {
            SectionRequest::Length(_, Length::Longer) => {
                format!("make {} longer, from {before} to {after} words", phrase(section))
            }
            SectionRequest::Length(_, Length::Shorter) => {
                format!("make {} shorter, from {before} to {after} words", phrase(section))
            }
            SectionRequest::Mention(_, topic) => format!("state {} in {}", topic.phrase(), phrase(section)),
        };
        if !self.accepted.iter().any(|accepted| accepted.is_same(request)) {
            self.will_change.push(promise);
            self.accepted.push(request);
        }
        self.revision = revision;
        Ok(())
    }

    /// Whether the writer's text makes the change.
    fn is_made(&self, request: SectionRequest, writer: &Writer<'_>) -> bool {
        match request {
            SectionRequest::Length(section, length) => {
                let words = (count_words(self.content.section(section)), count_words(&writer.section(section)));
                match length {
                    Length::Longer => words.1 >= words.0 + WORDS_DIFFERENCE_MIN,
                    Length::Shorter => words.1 + WORDS_DIFFERENCE_MIN <= words.0,
                }
            }
            SectionRequest::Mention(section, topic) => writer.states(topic, &writer.section(section)) == Ok(true),
        }
    }

    /// Why a change can't be made.
    fn why_not(&self, request: SectionRequest) -> String {
        match request {
            SectionRequest::Length(section, length) => {
                let ((fewest, most), words) = (section.word_range(), count_words(self.content.section(section)));
                let how = if length == Length::Longer { "longer" } else { "shorter" };
                let name = capitalised(phrase(section));
                format!(
                    "{name} has {words} words, its range is {fewest} to {most}, and its facts don't allow a {how} text."
                )
            }
            SectionRequest::Mention(section, topic) => {
                let most = section.word_range().1;
                let name = capitalised(phrase(section));
                format!("{name} has no room for {} within its {most} words.", topic.phrase())
            }
        }
    }
}

impl SectionRequest {
    fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Length(one, length), Self::Length(two, other)) => one == two && length == other,
            (Self::Mention(one, topic), Self::Mention(two, other)) => one == two && topic == other,
            _ => false,
        }
    }
}

/// Tries every request. `Err` contains the joined reasons of those that failed.
fn collect_reasons(tried: impl Iterator<Item = Result<(), String>>) -> Result<(), String> {
    let reasons: Vec<_> = tried.filter_map(Result::err).collect();
    if reasons.is_empty() { Ok(()) } else { Err(reasons.join(" ")) }
}

/// The section where readers expect a topic.
const fn usual_section(topic: Topic) -> Section {
    match topic {
        Topic::Merchant
        | Topic::Location
        | Topic::Amount
        | Topic::PriorAlerts
        | Topic::SimilarAlerts
        | Topic::History => Section::ExecutiveSummary,
        Topic::Category | Topic::Channel | Topic::Status | Topic::Funds | Topic::Memo | Topic::AccountAge => {
            Section::InvestigationNarrative
        }
        Topic::Time => Section::TimelineNarrative,
        Topic::Baseline | Topic::Thresholds | Topic::Rules => Section::FraudExplanation,
        Topic::Score | Topic::Severity | Topic::Impact => Section::RiskJustification,
    }
}

const fn phrase(section: Section) -> &'static str {
    match section {
        Section::ExecutiveSummary => "the executive summary",
        Section::FraudExplanation => "the fraud explanation",
        Section::TimelineNarrative => "the timeline of events",
        Section::RiskJustification => "the risk justification",
        Section::InvestigationNarrative => "the investigation narrative",
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
