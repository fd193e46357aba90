//! Checks that facts license what a report says. Texts were checked when they were written, but the supervisor checks
//! the stored texts again, because it does not trust stored results. It only skips texts that this process has checked
//! itself.

use std::cell::LazyCell;

use countersign_domain::{Section, validation::Fault};
use countersign_factcheck::{Facts, Refused};

use crate::{Content, LicensedBy, check_model_section, check_section, redact::bounded, writer::Writer};

const REASON_CHARS_MAX: usize = 200;

/// `known` are the texts that are already known to be licensed by this report's context.
pub(super) fn faults(content: &Content, known: LicensedBy<'_>) -> Vec<Fault> {
    // Serialising can't fail, because a context consists of maps, texts and numbers.
    let facts = LazyCell::new(|| Facts::of(&serde_json::to_value(&content.context).unwrap_or_default()));
    let unknown = Section::ALL.into_iter().filter(|section| !known.has(content.section(*section)));
    unknown.filter_map(|section| of_section(content, section, &facts)).collect()
}

fn of_section(content: &Content, section: Section, facts: &Facts) -> Option<Fault> {
    let text = content.section(section);
    let refused = if content.is_by_model(section) {
        let writer = Writer::of(&content.context).revised(content.revision.clone().unwrap_or_default());
        check_model_section(text, facts, &writer.own_sentences()).refused
    } else {
        check_section(text, facts).refused
    };
    let first = bounded(refused.first().map(Refused::describe)?, REASON_CHARS_MAX);
    Some(Fault::Unlicensed { section, claims: refused.len(), first })
}
