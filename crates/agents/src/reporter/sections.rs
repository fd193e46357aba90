//! One section of a report: written by the built-in writer, or by a model whose every figure is checked against the facts.
//!
//! A model's text is asked for again where it is too long, too short, no prose or states what is no fact; then it is fitted,
//! and what is still no prose, or no fact, is not taken. A reader gets facts in either case.

use countersign_domain::{Section, report::count_words};
use countersign_inspect::grounding::{self, Checked, Facts};
use countersign_llm::{Attempt, Calls, Message, Models, Prompt, Purpose, Target};
use countersign_report::{
    Context, Prompt as Asked, SectionRecord, TracedFact, WrittenBy, compress, correct, expand, prompt, reword,
    writer::{self, Writer},
};
use serde::de::IgnoredAny;

use super::simulated::SimulatedPen;

/// Texts that a model is asked for: the first, and two that make good what was wrong with it.
const TEXTS_MAX: u32 = 3;
/// A section has some 1,500 characters; ten times as much is no section.
const TEXT_CHARS_MAX: usize = 16_000;
const MAX_TOKENS: u32 = 1_024;
const TEMPERATURE: f64 = 0.2;

/// Who writes: a model, if there is one for this report.
pub(crate) struct Pen<'a> {
    pub(crate) models: &'a Models,
    pub(crate) target: Option<&'a Target>,
    pub(crate) calls: &'a Calls,
    /// Set where the simulated writer takes the model's place.
    pub(crate) simulated: Option<SimulatedPen>,
}

pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) record: SectionRecord,
    pub(crate) attempts: Vec<Attempt>,
}

/// Everything that one section is written from.
pub(crate) struct Brief<'a> {
    pub(crate) context: &'a Context,
    pub(crate) writer: &'a Writer<'a>,
    pub(crate) facts: &'a Facts,
    pub(crate) section: Section,
    /// What was wrong with the version before, if this one replaces it.
    pub(crate) feedback: Option<&'a str>,
    /// Random: what is data must not be able to guess where it ends.
    pub(crate) marker: String,
}

pub(crate) async fn write(pen: &Pen<'_>, brief: &Brief<'_>) -> Written {
    match pen.target {
        None => built_in(brief),
        Some(target) => by_model(pen, target, brief).await,
    }
}

fn built_in(brief: &Brief<'_>) -> Written {
    let text = brief.writer.section(brief.section);
    let record = SectionRecord { attempts: 1, ..record(brief, &text, WrittenBy::Builtin) };
    Written { text, record, attempts: Vec::new() }
}

async fn by_model(pen: &Pen<'_>, target: &Target, brief: &Brief<'_>) -> Written {
    let first = prompt(brief.section, brief.context, &brief.marker, brief.feedback);
    let (template, template_sha256) = (first.template, first.template_sha256);
    let (mut attempts, mut refused, mut texts) = (Vec::new(), Vec::new(), 0);
    let mut asked = first;
    // The last text whose figures are all facts, though not its length.
    let mut true_text = None;
    let taken = loop {
        texts += 1;
        let called = match &pen.simulated {
            Some(simulated) => simulated.text(brief, texts),
            None => pen.models.chat(Purpose::Writer, target, &request(&asked), pen.calls).await,
        };
        attempts.extend(called.attempts);
        let text = match called.result {
            Ok(reply) => tidied(&reply.text),
            Err(error) => {
                refused.push(format!("no text: {error}"));
                break None;
            }
        };
        let Some(objection) = objection(&text, brief) else { break Some(text) };
        refused.push(objection.said);
        asked = objection.again;
        if objection.is_length {
            true_text = Some(text);
        }
        if texts >= TEXTS_MAX {
            break true_text.take().and_then(|text| fitted(&text, brief));
        }
    };
    let (text, written_by) = match taken {
        Some(text) => (text, WrittenBy::Model),
        None => (brief.writer.fallback(brief.section), WrittenBy::Fallback),
    };
    let record = SectionRecord {
        model: Some(target.to_string()),
        template: template.to_owned(),
        template_sha256: Some(template_sha256.to_owned()),
        attempts: texts,
        refused,
        ..record(brief, &text, written_by)
    };
    Written { text, record, attempts }
}

/// What is wrong with a text, and how it is asked for again.
struct Objection {
    said: String,
    again: Asked,
    /// Only that: what it states is true.
    is_length: bool,
}

fn objection(text: &str, brief: &Brief<'_>) -> Option<Objection> {
    let (section, context, marker) = (brief.section, brief.context, &brief.marker);
    let refused = grounding::check(text, brief.facts).refused;
    let words = count_words(text);
    let (least, most) = section.words();
    let (said, again, is_length) = if is_json(text) {
        ("JSON instead of prose".to_owned(), reword(section, context, marker, text), false)
    } else if !refused.is_empty() {
        let remarks: Vec<_> = refused.iter().map(grounding::Refused::describe).collect();
        let said = format!("{} figures are no facts of this case", remarks.len());
        (said, correct(section, context, marker, text, &remarks), false)
    } else if words < least {
        // Headings alone are no words, and nothing to fill up.
        let said = format!("{} words too short", least - words);
        (said, expand(section, context, marker, text, least - words), words > 0)
    } else if words > most {
        let said = format!("{} words too long", words - most);
        (said, compress(section, context, marker, text, words - most), true)
    } else {
        return None;
    };
    Some(Objection { said, again, is_length })
}

/// An object, whole or cut off, or an array: prose may begin with a bracket, and with no brace.
fn is_json(text: &str) -> bool {
    text.starts_with('{') || (text.starts_with('[') && serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// Cut or filled up at sentence boundaries, if it then holds.
fn fitted(text: &str, brief: &Brief<'_>) -> Option<String> {
    let text = brief.writer.fit(text, brief.section);
    let (least, most) = brief.section.words();
    let fits = (least..=most).contains(&count_words(&text)) && grounding::check(&text, brief.facts).refused.is_empty();
    fits.then_some(text)
}

fn record(brief: &Brief<'_>, text: &str, written_by: WrittenBy) -> SectionRecord {
    SectionRecord {
        section: brief.section,
        words: count_words(text),
        written_by,
        model: None,
        template: writer::TEMPLATE.to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: traced(text, grounding::check(text, brief.facts)),
    }
}

fn traced(text: &str, checked: Checked) -> Vec<TracedFact> {
    let mut facts = Vec::with_capacity(checked.claims.len());
    let mut chars = text.chars();
    let mut at = 0;
    for claim in checked.claims {
        if claim.start < at {
            continue;
        }
        let quote: String = chars.by_ref().skip(claim.start - at).take(claim.end - claim.start).collect();
        at = claim.end;
        facts.push(TracedFact { start: claim.start, end: claim.end, text: quote, path: claim.path });
    }
    facts
}

fn request(asked: &Asked) -> Prompt {
    Prompt {
        system: Some(asked.system.clone()),
        messages: vec![Message::user(asked.user.clone())],
        temperature: Some(TEMPERATURE),
        max_tokens: Some(MAX_TOKENS),
    }
}

/// A section is one paragraph of plain text: no heading, no fence, no line breaks, no control characters.
fn tidied(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#') && !line.starts_with("```"));
    let joined = lines.collect::<Vec<_>>().join(" ");
    let visible: String =
        joined.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(TEXT_CHARS_MAX).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_from_prose_that_begins_with_a_bracket() {
        for text in [r#"{"summary": "Well."}"#, r#"{"summary": "We"#, "{}", "[]", r#"["One.", "Two."]"#] {
            assert!(is_json(text), "{text}");
        }
        for text in ["", "The customer paid.", "[REDACTED] was used.", "\"Quoted.\"", "Paid {sic} twice."] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn what_a_model_wraps_around_its_text_is_left_out() {
        let rows = [
            ("## Executive Summary\n\nThe customer paid.\n", "The customer paid."),
            ("```\nOne.\nTwo.\n```", "One. Two."),
            ("One.\u{7}\u{1b}[31m Two.", "One.[31m Two."),
            ("", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(tidied(text), expected, "{text:?}");
        }
        assert_eq!(tidied(&"x".repeat(100_000)).len(), TEXT_CHARS_MAX);
    }
}
