//! Sentence templates. `{amount}` inserts a fact of the case; `{?completed}` and `{!completed}` are conditions.
//!
//! A template makes no sentence if one of its facts is missing or a condition does not hold. The conditions exclude
//! lies that would be true of a case and paraphrases that would be false.

use crate::{case::CorpusCase, say};

/// The sentence that a template makes for a case.
pub(crate) fn fill(template: &str, case: &CorpusCase) -> Option<String> {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        text.push_str(before);
        match name.as_bytes().first() {
            Some(b'?') => case.holds(&name[1..]).then_some(())?,
            Some(b'!') => (!case.holds(&name[1..])).then_some(())?,
            _ => text.push_str(case.slot(name)?),
        }
        rest = after;
    }
    text.push_str(rest);
    Some(say::capitalised(text.trim()))
}

/// The names between a template's braces, without `?` and `!`.
#[cfg(test)]
pub(crate) fn names(template: &str) -> Vec<&str> {
    let inner = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
    inner.map(|(name, _)| name.trim_start_matches(['?', '!'])).collect()
}
