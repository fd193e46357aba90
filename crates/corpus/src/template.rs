//! Sentence templates. `{amount}` is a placeholder for a fact of the case; `{?completed}` and `{!completed}` are conditions.
//!
//! A template makes no sentence if the case has no value for a placeholder or if a condition does not hold. The conditions
//! exclude lies that would be true of a case and paraphrases that would be false.

use crate::{case::CorpusCase, format};

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
            _ => text.push_str(case.placeholder(name)?),
        }
        rest = after;
    }
    text.push_str(rest);
    Some(format::capitalised(text.trim()))
}

/// The names between a template's braces, without `?` and `!`.
#[cfg(test)]
pub(crate) fn names(template: &str) -> Vec<&str> {
    let inner = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
    inner.map(|(name, _)| name.trim_start_matches(['?', '!'])).collect()
}
