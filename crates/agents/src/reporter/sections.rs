//! Writes one section of a report, with the built-in writer or with a model. Facts must support every sentence of a model.
//!
//! The model is asked again if its text is too long or too short, is not prose, or makes a claim that no fact supports. After
//! the last attempt, the built-in writer's sentences replace unsupported ones, and the text is fitted to the section's length.
//! If too little of the model's text is left, the built-in writer writes the whole section. Readers get facts in any case.

use countersign_domain::{Section, report::count_words};
use countersign_factcheck::{Facts, Refused};
use countersign_llm::{Attempt, CallPolicy, Message, Models, Prompt, Purpose, Target};
use countersign_report::{
    Context, LicensedBy, ReportPrompt, SectionRecord, WrittenBy, check_model_section, check_section, compress, correct,
    expand, licensed_text, prompt, reword, traced_facts, traced_sentences,
    writer::{self, Writer},
};
use serde::de::IgnoredAny;

use super::simulated::SimulatedWriter;

/// The maximum number of texts requested from a model: the first, and two corrections.
const TEXTS_MAX: u32 = 3;
/// A section has about 1,500 characters; this is ten times as much.
const TEXT_CHARS_MAX: usize = 16_000;
const MAX_TOKENS: u32 = 1_024;
const TEMPERATURE: f64 = 0.2;

/// The writer of a report's sections: a model if `target` is set, or else the built-in writer.
pub(crate) struct SectionWriter<'a> {
    pub(crate) models: &'a Models,
    pub(crate) target: Option<&'a Target>,
    pub(crate) calls: &'a CallPolicy,
    /// Set if the simulated writer replaces a model.
    pub(crate) simulated: Option<SimulatedWriter>,
}

pub(crate) struct SectionDraft {
    pub(crate) text: String,
    pub(crate) record: SectionRecord,
    pub(crate) attempts: Vec<Attempt>,
}

/// The input for writing a section.
pub(crate) struct SectionBrief<'a> {
    pub(crate) context: &'a Context,
    pub(crate) writer: &'a Writer<'a>,
    pub(crate) facts: &'a Facts,
    pub(crate) licensed: LicensedBy<'a>,
    pub(crate) section: Section,
    /// Feedback on the version that this one replaces.
    pub(crate) feedback: Option<&'a str>,
    /// Random, so that data in the prompt can't imitate the end of its block.
    pub(crate) marker: String,
}

pub(crate) async fn write(writer: &SectionWriter<'_>, brief: &SectionBrief<'_>) -> SectionDraft {
    match writer.target {
        None => write_built_in(brief),
        Some(target) => write_by_model(writer, target, brief).await,
    }
}

fn write_built_in(brief: &SectionBrief<'_>) -> SectionDraft {
    let text = brief.writer.section(brief.section);
    let record = SectionRecord { attempts: 1, ..record(brief, &text, WrittenBy::Builtin) };
    SectionDraft { text, record, attempts: Vec::new() }
}

async fn write_by_model(writer: &SectionWriter<'_>, target: &Target, brief: &SectionBrief<'_>) -> SectionDraft {
    let first = prompt(brief.section, brief.context, &brief.marker, brief.feedback);
    let (template, template_sha256) = (first.template, first.template_sha256);
    let (mut attempts, mut refused, mut texts) = (Vec::new(), Vec::new(), 0);
    let mut next_prompt = first;
    // The best text so far, and whether the facts support all of it.
    let mut best = None;
    let accepted = loop {
        texts += 1;
        let called = match &writer.simulated {
            Some(simulated) => simulated.text(brief, texts),
            None => writer.models.chat(Purpose::Writer, target, &model_request(&next_prompt), writer.calls).await,
        };
        attempts.extend(called.attempts);
        let text = match called.result {
            Ok(reply) => tidied(&reply.text),
            Err(error) => {
                refused.push(format!("no text: {error}"));
                break None;
            }
        };
        let Some(objection) = objection(&text, brief) else { break Some((text, WrittenBy::Model)) };
        refused.push(objection.reason);
        next_prompt = objection.next_prompt;
        match objection.fault {
            TextFault::Length => best = Some((text, true)),
            // Prefer a true text of the wrong length to a newer one with an unsupported claim.
            TextFault::Claims if !matches!(best, Some((_, true))) => best = Some((text, false)),
            TextFault::Claims | TextFault::Prose => {}
        }
        if texts >= TEXTS_MAX {
            break best.take().and_then(|(text, _)| repaired(&text, brief));
        }
    };
    let (text, written_by) = match accepted {
        Some((text, written_by)) => (text, written_by),
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
    SectionDraft { text, record, attempts }
}

/// Why a text was not accepted, and the prompt that asks the model for a better one.
struct Objection {
    reason: String,
    next_prompt: ReportPrompt,
    fault: TextFault,
}

/// The kind of fault in a text.
enum TextFault {
    /// Only its length is wrong; its claims are supported.
    Length,
    /// It makes a claim that no fact supports.
    Claims,
    /// It is not prose.
    Prose,
}

fn objection(text: &str, brief: &SectionBrief<'_>) -> Option<Objection> {
    let (section, context, marker) = (brief.section, brief.context, &brief.marker);
    let refused = check_model_section(text, brief.facts, &brief.writer.own_sentences()).refused;
    let words = count_words(text);
    let (least, most) = section.word_range();
    let (reason, next_prompt, fault) = if is_json(text) {
        ("JSON instead of prose".to_owned(), reword(section, context, marker, text), TextFault::Prose)
    } else if !refused.is_empty() {
        let remarks: Vec<_> = refused.iter().map(Refused::describe).collect();
        (refusal_summary(&refused), correct(section, context, marker, text, &remarks), TextFault::Claims)
    } else if words < least {
        // A text that had only headings has no words to build on.
        let reason = format!("{} words too short", least - words);
        let fault = if words > 0 { TextFault::Length } else { TextFault::Prose };
        (reason, expand(section, context, marker, text, least - words), fault)
    } else if words > most {
        let reason = format!("{} words too long", words - most);
        (reason, compress(section, context, marker, text, words - most), TextFault::Length)
    } else {
        return None;
    };
    Some(Objection { reason, next_prompt, fault })
}

/// Whether a text is a JSON object, possibly cut off, or an array. Prose may start with a bracket, but not with a brace.
fn is_json(text: &str) -> bool {
    text.starts_with('{') || (text.starts_with('[') && serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// The maximum number of refused claims that a report's record names. The record never contains the refused text.
const NAMED_MAX: usize = 3;

/// Why a text was refused, for the report's record. Plain words are named; other claims only by their kind.
fn refusal_summary(refused: &[Refused]) -> String {
    let mut named: Vec<String> = Vec::new();
    for what in refused.iter().map(Refused::in_short) {
        if !named.contains(&what) {
            named.push(what);
        }
    }
    let more = named.len().saturating_sub(NAMED_MAX);
    named.truncate(NAMED_MAX);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("no fact supports {}{more}", named.join(", "))
}

/// The supported sentences of a text, completed with the built-in writer's and fitted to the section's length. `None` if too
/// little of the text is supported, or if the result does not pass the checks.
fn repaired(text: &str, brief: &SectionBrief<'_>) -> Option<(String, WrittenBy)> {
    let own_sentences = brief.writer.own_sentences();
    let checked = check_model_section(text, brief.facts, &own_sentences);
    let kept = if checked.refused.is_empty() { text.to_owned() } else { licensed_text(text, &checked) };
    // If only a sentence or two of the model's text is left, the section can't be attributed to the model.
    if count_words(&kept) * KEPT_PART < brief.section.word_range().0 {
        return None;
    }
    let fitted = brief.writer.fit(&kept, brief.section);
    let (least, most) = brief.section.word_range();
    let fits = (least..=most).contains(&count_words(&fitted))
        && check_model_section(&fitted, brief.facts, &own_sentences).refused.is_empty();
    fits.then(|| (WrittenBy::fitted(&kept, &fitted), fitted)).map(|(written_by, text)| (text, written_by))
}

/// At least one third (1 / `KEPT_PART`) of a section's minimum length must be the model's words.
const KEPT_PART: usize = 3;

fn record(brief: &SectionBrief<'_>, text: &str, written_by: WrittenBy) -> SectionRecord {
    let checked = if written_by.is_by_model() {
        check_model_section(text, brief.facts, &brief.writer.own_sentences())
    } else {
        check_section(text, brief.facts)
    };
    if checked.refused.is_empty() {
        brief.licensed.add(text);
    }
    SectionRecord {
        section: brief.section,
        words: count_words(text),
        written_by,
        model: None,
        template: writer::WRITER_VERSION.to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: traced_facts(text, checked.claims),
        sentences: traced_sentences(checked.sentences),
    }
}

fn model_request(prompt: &ReportPrompt) -> Prompt {
    Prompt {
        system: Some(prompt.system.clone()),
        messages: vec![Message::user(prompt.user.clone())],
        temperature: Some(TEMPERATURE),
        max_tokens: Some(MAX_TOKENS),
    }
}

/// Reduces a text to one paragraph of plain text, without headings, code fences, line breaks and control characters.
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
    fn json_is_distinguished_from_prose_that_starts_with_a_bracket() {
        for text in [r#"{"summary": "Well."}"#, r#"{"summary": "We"#, "{}", "[]", r#"["One.", "Two."]"#] {
            assert!(is_json(text), "{text}");
        }
        for text in ["", "The customer paid.", "[REDACTED] was used.", "\"Quoted.\"", "Paid {sic} twice."] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn headings_fences_and_control_characters_are_removed() {
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
