//! A writer without a model: the built-in writer's text, now and then with a mistake of the kind that models make.
//!
//! The demo uses it to show how such mistakes are handled: the fact check refuses a text and asks again, a section falls back
//! to the built-in writer, a report needs review or is rewritten, an event becomes a dead letter. About one report in
//! eight has a mistake. It depends on the alert's id alone, so the same alert always gets the same report. Regenerated versions
//! have no mistakes. The reports are recorded as written by `simulated/writer`; `serve` uses this writer only if configured.

use countersign_domain::{AlertId, Section, report::count_words};
use countersign_ledger::sha256;
use countersign_llm::{Attempt, AttemptOutcome, CallError, CallResult, Finish, Reply, Target, Usage};

use super::sections::SectionBrief;

const PROVIDER: &str = "simulated";
const MODEL: &str = "writer";
/// Thresholds for a byte of the alert's hash. Of its 256 values, one means a crash, two thin reports, thirty other mistakes.
const THIN_BELOW: u8 = 3;
const MISTAKES_BELOW: u8 = 33;

/// The mistake in a simulated report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mistake {
    /// The text claims that a signal did not fire, although it did.
    Negated,
    /// The text claims that a value fell below its threshold, although it exceeded it.
    BelowThreshold,
    /// The text claims an event that is not on record.
    Confession,
    Guilt,
    /// An instruction about the account, which reports must not give.
    Advice,
    ChangedFigure,
    /// Two facts of the case are swapped.
    SwappedFigures,
    TooShort,
    /// The provider fails for one section.
    Outage,
    /// The provider only delivers one section, and that one does not justify the score.
    Thin,
    /// The agent gives up on the event. A replay of the dead letter writes the report.
    Crash,
}

impl Mistake {
    /// The mistakes in a single section, which a model may correct when asked again.
    const IN_A_SECTION: [Self; 9] = [
        Self::Negated,
        Self::BelowThreshold,
        Self::Confession,
        Self::Guilt,
        Self::Advice,
        Self::ChangedFigure,
        Self::SwappedFigures,
        Self::TooShort,
        Self::Outage,
    ];

    /// The section in which the mistake makes sense, or else the chosen one.
    fn section(self, chosen: Section) -> Section {
        match self {
            Self::Negated | Self::BelowThreshold => Section::FraudExplanation,
            Self::ChangedFigure => Section::ExecutiveSummary,
            Self::SwappedFigures | Self::Thin => Section::RiskJustification,
            _ => chosen,
        }
    }
}

/// A mistake, and how often the writer repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedMistake {
    pub mistake: Mistake,
    pub section: Section,
    /// The number of texts with the mistake. After one or two the writer corrects itself; after three it is not asked again.
    pub texts: u32,
}

/// The simulated writer's name as a model.
pub fn simulated_writer() -> Target {
    Target::new(PROVIDER, MODEL)
}

/// The mistake in the report about an alert. `None` for most alerts.
pub fn planned_mistake(alert_id: &AlertId) -> Option<PlannedMistake> {
    let hash = *sha256(alert_id.as_str().as_bytes()).as_bytes();
    let mistake = match hash[0] {
        0 => Mistake::Crash,
        byte if byte < THIN_BELOW => Mistake::Thin,
        byte if byte < MISTAKES_BELOW => {
            Mistake::IN_A_SECTION[usize::from(byte - THIN_BELOW) % Mistake::IN_A_SECTION.len()]
        }
        _ => return None,
    };
    let section = Section::ALL[usize::from(hash[1]) % Section::ALL.len()];
    Some(PlannedMistake { mistake, section: mistake.section(section), texts: u32::from(hash[2] % 3) + 1 })
}

/// The simulated writer for one report, with the mistake that the report gets, if any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SimulatedWriter(Option<PlannedMistake>);

impl SimulatedWriter {
    /// `None` if `target` is a real model.
    pub(super) fn of(target: &Target, alert_id: &AlertId) -> Option<Self> {
        (*target == simulated_writer()).then(|| Self(planned_mistake(alert_id)))
    }

    pub(super) fn crashes(self) -> bool {
        self.0.is_some_and(|planned| planned.mistake == Mistake::Crash)
    }

    /// The `number`th text for a section, counted from 1, in the form of a call to a model.
    pub(super) fn text(self, brief: &SectionBrief<'_>, number: u32) -> CallResult<Reply> {
        // With feedback on an earlier version, the writer makes no mistake.
        let planned = self.0.filter(|_| brief.feedback.is_none());
        let provider_fails = planned.is_some_and(|planned| match planned.mistake {
            Mistake::Outage => brief.section == planned.section,
            Mistake::Thin => brief.section != planned.section,
            _ => false,
        });
        let (result, outcome, status) = if provider_fails {
            let message = "simulated outage of the demo's writer".to_owned();
            (Err(CallError::Status { status: 503, message, retry_after: None }), AttemptOutcome::ServerError, 503)
        } else {
            let text = draft_text(planned, brief, number);
            (
                Ok(Reply { text, model: MODEL.into(), finish: Finish::Stop, usage: Usage::default() }),
                AttemptOutcome::Ok,
                200,
            )
        };
        let attempt = Attempt {
            number: 1,
            outcome,
            status: Some(status),
            input_tokens: None,
            output_tokens: None,
            cost_usd: None,
            latency_ms: 0,
        };
        CallResult { result, attempts: vec![attempt] }
    }
}

fn draft_text(planned: Option<PlannedMistake>, brief: &SectionBrief<'_>, number: u32) -> String {
    let right = brief.writer.section(brief.section);
    match planned {
        Some(planned) if planned.section == brief.section && number <= planned.texts => {
            text_with_mistake(planned.mistake, right, brief)
        }
        _ => right,
    }
}

fn text_with_mistake(mistake: Mistake, right: String, brief: &SectionBrief<'_>) -> String {
    let score = brief.context.case.risk_score.get();
    match mistake {
        Mistake::Negated => with_last_sentence(&right, &negation(brief)),
        Mistake::BelowThreshold => with_last_sentence(&right, "The measured value fell below the threshold."),
        Mistake::Confession => with_last_sentence(&right, "The customer admitted the fraud."),
        Mistake::Guilt => with_last_sentence(&right, "The customer is guilty of fraud."),
        Mistake::Advice => with_last_sentence(&right, "The account must be closed."),
        Mistake::ChangedFigure => {
            // Far enough from the score to change the severity.
            let other = if score >= 50 { score - 37 } else { score + 41 };
            let changed = with_number(&right, score, other);
            if changed == right { with_last_sentence(&right, &format!("The risk score was {other}.")) } else { changed }
        }
        Mistake::SwappedFigures => match brief.context.score.contributions.first() {
            Some(part) if part.points != score => with_last_sentence(
                &right,
                &format!("The risk score was {} and its largest part was {score} points.", part.points),
            ),
            _ => with_last_sentence(&right, "The risk score was 0."),
        },
        Mistake::TooShort => first_sentence(&right).to_owned(),
        Mistake::Thin => without_score(brief),
        Mistake::Outage | Mistake::Crash => right,
    }
}

/// A true text that is off the subject: it names neither the score nor its components.
fn without_score(brief: &SectionBrief<'_>) -> String {
    let sections = [Section::TimelineNarrative, Section::InvestigationNarrative].map(|s| brief.writer.section(s));
    let score = brief.context.case.risk_score.get();
    let is_about_score = |sentence: &str| {
        sentence.contains("score") || sentence.contains("point") || with_number(sentence, score, 0) != sentence
    };
    let (least, most) = Section::RiskJustification.word_range();
    let (mut text, mut words) = (String::new(), 0);
    for sentence in sections.iter().flat_map(|section| section.split_inclusive(". ")) {
        let more = count_words(sentence);
        if words >= least || is_about_score(sentence) || words + more > most {
            continue;
        }
        words += more;
        text.push_str(sentence.trim_end());
        text.push(' ');
    }
    text.trim_end().to_owned()
}

fn negation(brief: &SectionBrief<'_>) -> String {
    let fired = brief.context.score.contributions.first().map(|part| part.signal.replace('_', " "));
    let name = fired.unwrap_or_else(|| "amount deviation".to_owned());
    format!("The signal {name} did not fire.")
}

/// The text with its last sentence replaced, so that its length stays about the same.
fn with_last_sentence(text: &str, sentence: &str) -> String {
    match text.trim_end_matches('.').rfind(". ") {
        Some(end) => format!("{} {sentence}", &text[..=end]),
        None => format!("{text} {sentence}"),
    }
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// The text with one whole number replaced by another.
fn with_number(text: &str, from: u8, to: u8) -> String {
    let from = from.to_string();
    let is_part_of_figure = |c: char| c.is_alphanumeric() || ".,:-/%".contains(c);
    for (at, _) in text.match_indices(&from) {
        let end = at + from.len();
        let before = text[..at].chars().next_back();
        let mut after = text[end..].chars();
        let next = after.next();
        // A comma or a full stop may end the clause.
        let goes_on = next.is_some_and(|c| {
            is_part_of_figure(c) && !(matches!(c, '.' | ',') && after.next().is_none_or(char::is_whitespace))
        });
        if !before.is_some_and(is_part_of_figure) && !goes_on {
            return format!("{}{to}{}", &text[..at], &text[end..]);
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use countersign_factcheck::{self as factcheck, Facts};
    use countersign_report::{LicensedTexts, testing, writer::Writer};

    use super::*;

    fn alert(number: u32) -> AlertId {
        format!("alert-{number}").parse().unwrap()
    }

    #[test]
    fn about_one_report_in_eight_has_a_mistake_and_every_kind_occurs() {
        let mut counts: BTreeMap<Mistake, u32> = BTreeMap::new();
        let mistakes: Vec<PlannedMistake> = (0..8_000).filter_map(|number| planned_mistake(&alert(number))).collect();
        mistakes.iter().for_each(|planned| *counts.entry(planned.mistake).or_default() += 1);
        assert!((900..1_150).contains(&mistakes.len()), "{}", mistakes.len());
        assert_eq!(counts.len(), Mistake::IN_A_SECTION.len() + 2, "{counts:?}");
        for texts in 1..=3 {
            assert!(mistakes.iter().any(|planned| planned.texts == texts));
        }
    }

    #[test]
    fn the_same_alert_always_has_the_same_mistake() {
        assert!((0..500).all(|number| planned_mistake(&alert(number)) == planned_mistake(&alert(number))));
    }

    fn draft(mistake: Mistake, section: Section, number: u32, feedback: Option<&str>) -> CallResult<Reply> {
        let context = testing::ordinary();
        let facts = Facts::of(&serde_json::to_value(&context).unwrap());
        let writer = Writer::of(&context);
        let texts = LicensedTexts::default();
        let licensed = texts.of(context.sha256());
        let brief = SectionBrief {
            context: &context,
            writer: &writer,
            facts: &facts,
            licensed,
            section,
            feedback,
            marker: "m".into(),
        };
        let planned = PlannedMistake { mistake, section: mistake.section(section), texts: 2 };
        SimulatedWriter(Some(planned)).text(&brief, number)
    }

    #[test]
    fn a_mistake_is_made_until_it_is_corrected_and_never_again_after_feedback() {
        let right = |section| draft(Mistake::Crash, section, 1, None).result.unwrap().text;
        for mistake in Mistake::IN_A_SECTION.into_iter().filter(|mistake| *mistake != Mistake::Outage) {
            let section = mistake.section(Section::InvestigationNarrative);
            let written = |number, feedback| draft(mistake, section, number, feedback).result.unwrap().text;
            assert_ne!(written(1, None), right(section), "{mistake:?}");
            assert_ne!(written(2, None), right(section), "{mistake:?}");
            assert_eq!(written(3, None), right(section), "{mistake:?}");
            assert_eq!(written(1, Some("Say it better.")), right(section), "{mistake:?}");
        }
    }

    #[test]
    fn an_outage_is_an_error_that_says_it_is_simulated() {
        for (mistake, section) in
            [(Mistake::Outage, Section::TimelineNarrative), (Mistake::Thin, Section::TimelineNarrative)]
        {
            let called = draft(mistake, section, 1, None);
            assert!(called.result.unwrap_err().to_string().contains("simulated"));
            assert_eq!(called.attempts[0].status, Some(503));
        }
        assert!(draft(Mistake::Thin, Section::RiskJustification, 1, None).result.is_ok());
    }

    #[test]
    fn a_changed_figure_and_swapped_facts_do_not_pass_the_fact_check() {
        let facts = Facts::of(&serde_json::to_value(testing::ordinary()).unwrap());
        for (mistake, section) in
            [(Mistake::ChangedFigure, Section::ExecutiveSummary), (Mistake::SwappedFigures, Section::RiskJustification)]
        {
            let text = draft(mistake, section, 1, None).result.unwrap().text;
            assert!(!factcheck::check(&text, &facts).refused.is_empty(), "{text}");
        }
    }

    #[test]
    fn the_too_short_text_has_fewer_words_than_its_section_needs() {
        let text = draft(Mistake::TooShort, Section::FraudExplanation, 1, None).result.unwrap().text;
        assert!(count_words(&text) < Section::FraudExplanation.word_range().0);
    }

    #[test]
    fn a_thin_justification_is_true_and_within_its_range_but_does_not_name_the_score() {
        let context = testing::ordinary();
        let facts = Facts::of(&serde_json::to_value(&context).unwrap());
        let text = draft(Mistake::Thin, Section::RiskJustification, 1, None).result.unwrap().text;
        assert!(factcheck::check(&text, &facts).refused.is_empty(), "{text}");
        let (least, most) = Section::RiskJustification.word_range();
        assert!((least..=most).contains(&count_words(&text)), "{} words: {text}", count_words(&text));
        assert_eq!(with_number(&text, context.case.risk_score.get(), 0), text);
    }

    #[test]
    fn only_a_whole_number_is_replaced() {
        for (text, expected) in [
            ("A score of 87 was given.", "A score of 50 was given."),
            ("It was 87, which is high.", "It was 50, which is high."),
            ("It was 87.", "It was 50."),
            ("EUR 187 and 87.50 and 1,087 and tx-87", "EUR 187 and 87.50 and 1,087 and tx-87"),
        ] {
            assert_eq!(with_number(text, 87, 50), expected);
        }
    }
}
