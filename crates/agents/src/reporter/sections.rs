//! One section of a report: written by the built-in writer, or by a model whose every sentence facts must license.
//!
//! A model's text is asked for again where it is too long, too short, no prose or says what no fact licenses. After the last
//! text, sentences without a licence are replaced by the built-in writer's, and the length is fitted. A text of which too
//! little is left is not taken at all. A reader gets facts in every case.

use countersign_domain::{Section, report::count_words};
use countersign_factcheck::{Facts, Refused};
use countersign_llm::{Attempt, CallPolicy, Message, Models, Prompt, Purpose, Target};
use countersign_report::{
    Context, LicensedBy, Prompt as Asked, SectionRecord, WrittenBy, check_model_section, check_section, compress,
    correct, expand, licensed_text, prompt, reword, traced_facts, traced_sentences,
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
    pub(crate) calls: &'a CallPolicy,
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
    pub(crate) licensed: LicensedBy<'a>,
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
    // The last text of prose, and whether facts license all of it.
    let mut last = None;
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
        let Some(objection) = objection(&text, brief) else { break Some((text, WrittenBy::Model)) };
        refused.push(objection.said);
        asked = objection.again;
        match objection.fault {
            TextFault::Length => last = Some((text, true)),
            // A true text of the wrong length is better than a newer one with a lie in it.
            TextFault::Claims if !matches!(last, Some((_, true))) => last = Some((text, false)),
            TextFault::Claims | TextFault::Prose => {}
        }
        if texts >= TEXTS_MAX {
            break last.take().and_then(|(text, _)| repaired(&text, brief));
        }
    };
    let (text, written_by) = match taken {
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
    Written { text, record, attempts }
}

/// What is wrong with a text, and how it is asked for again.
struct Objection {
    said: String,
    again: Asked,
    fault: TextFault,
}

/// What is wrong with a text.
enum TextFault {
    /// Only that: what it states is true.
    Length,
    /// It says what no fact licenses.
    Claims,
    /// It is no prose at all.
    Prose,
}

fn objection(text: &str, brief: &Brief<'_>) -> Option<Objection> {
    let (section, context, marker) = (brief.section, brief.context, &brief.marker);
    let refused = check_model_section(text, brief.facts, &brief.writer.own_sentences()).refused;
    let words = count_words(text);
    let (least, most) = section.words();
    let (said, again, fault) = if is_json(text) {
        ("JSON instead of prose".to_owned(), reword(section, context, marker, text), TextFault::Prose)
    } else if !refused.is_empty() {
        let remarks: Vec<_> = refused.iter().map(Refused::describe).collect();
        (named(&refused), correct(section, context, marker, text, &remarks), TextFault::Claims)
    } else if words < least {
        // Headings alone are no words, and nothing to fill up.
        let said = format!("{} words too short", least - words);
        let fault = if words > 0 { TextFault::Length } else { TextFault::Prose };
        (said, expand(section, context, marker, text, least - words), fault)
    } else if words > most {
        let said = format!("{} words too long", words - most);
        (said, compress(section, context, marker, text, words - most), TextFault::Length)
    } else {
        return None;
    };
    Some(Objection { said, again, fault })
}

/// An object, whole or cut off, or an array: prose may begin with a bracket, and with no brace.
fn is_json(text: &str) -> bool {
    text.starts_with('{') || (text.starts_with('[') && serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// Refused claims that the record of a report names. It never holds the text itself.
const NAMED_MAX: usize = 3;

/// What a text was refused for, for the report's record: words by name where they are plain ones, the rest by kind.
fn named(refused: &[Refused]) -> String {
    let mut named: Vec<String> = Vec::new();
    for what in refused.iter().map(Refused::in_short) {
        if !named.contains(&what) {
            named.push(what);
        }
    }
    let more = named.len().saturating_sub(NAMED_MAX);
    named.truncate(NAMED_MAX);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("no fact licenses {}{more}", named.join(", "))
}

/// The sentences that facts license, filled up with the built-in writer's and fitted to the section's words, if it then holds.
fn repaired(text: &str, brief: &Brief<'_>) -> Option<(String, WrittenBy)> {
    let own = brief.writer.own_sentences();
    let checked = check_model_section(text, brief.facts, &own);
    let kept = if checked.refused.is_empty() { text.to_owned() } else { licensed_text(text, &checked) };
    // One sentence of a model among the writer's own is no text of that model.
    if count_words(&kept) * KEPT_PART < brief.section.words().0 {
        return None;
    }
    let fitted = brief.writer.fit(&kept, brief.section);
    let (least, most) = brief.section.words();
    let fits = (least..=most).contains(&count_words(&fitted))
        && check_model_section(&fitted, brief.facts, &own).refused.is_empty();
    fits.then(|| (WrittenBy::fitted(&kept, &fitted), fitted)).map(|(written_by, text)| (text, written_by))
}

/// A third of the words that a section needs.
const KEPT_PART: usize = 3;

fn record(brief: &Brief<'_>, text: &str, written_by: WrittenBy) -> SectionRecord {
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
        template: writer::TEMPLATE.to_owned(),
        template_sha256: None,
        attempts: 1,
        refused: Vec::new(),
        facts: traced_facts(text, checked.claims),
        sentences: traced_sentences(checked.sentences),
    }
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
