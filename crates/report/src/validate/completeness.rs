//! Checks that sections are present, long enough, within their word ranges, and not fallbacks.

use countersign_domain::{
    Section,
    report::{FALLBACK, count_words},
    validation::Fault,
};

use super::Limits;
use crate::{Content, WrittenBy};

pub(super) fn faults(content: &Content, limits: &Limits) -> Vec<Fault> {
    Section::ALL.into_iter().flat_map(|section| of_section(content, section, limits)).collect()
}

/// Whether a section contains any word. If not, it counts as missing, not as too short.
pub(super) fn is_present(content: &Content, section: Section) -> bool {
    content.section(section).chars().any(char::is_alphanumeric)
}

fn of_section(content: &Content, section: Section, limits: &Limits) -> Vec<Fault> {
    if !is_present(content, section) && Section::REQUIRED.contains(&section) {
        return vec![Fault::MissingSection(section)];
    }
    let text = content.section(section).trim();
    let (chars, words, range) = (text.chars().count(), count_words(text), section.word_range());
    let mut faults = Vec::new();
    if let Some(minimum) = limits.min_chars.of(section).filter(|minimum| chars <= *minimum) {
        faults.push(Fault::ShortSection { section, chars, minimum });
    }
    if !(range.0..=range.1).contains(&words) {
        faults.push(Fault::WordRange { section, words, range });
    }
    if is_fallback(content, section) {
        faults.push(Fault::FallbackUsed { section });
    }
    faults
}

/// A fallback is recognised by its record or by its first words, so that changing one of them can't hide it.
fn is_fallback(content: &Content, section: Section) -> bool {
    let is_recorded =
        content.sections.iter().any(|record| record.section == section && record.written_by == WrittenBy::Fallback);
    is_recorded || content.section(section).trim_start().starts_with(FALLBACK)
}
