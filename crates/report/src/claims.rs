//! Checks a section's text against the facts, and traces its claims and sentences to the facts that support them.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, PoisonError},
};

use countersign_domain::report::FALLBACK;
use countersign_factcheck::{self as factcheck, Checked, Claim, Facts};
use countersign_ledger::{Hash, sha256};

use crate::{TracedFact, TracedSentence, writer::OwnSentences};

/// The maximum number of facts kept per sentence. A longer list would not help a reader.
const SENTENCE_FACTS_MAX: usize = 12;

/// The maximum number of texts remembered, enough for several thousand reports. Beyond it, the older half is dropped.
const LICENSED_TEXTS_MAX: usize = 32_768;

/// Texts that this process has checked and found to be licensed by their context, so that the supervisor need not repeat a check
/// that the reporter made a moment earlier. A text is identified by the hash of itself and of the context, never by its report: if
/// either changes, or in another process, the text is checked again.
#[derive(Debug, Default)]
pub struct LicensedTexts {
    /// The newer and the older half.
    halves: Mutex<(HashSet<Hash>, HashSet<Hash>)>,
}

impl LicensedTexts {
    /// The texts of the context with this hash.
    pub fn of(&self, context: Hash) -> LicensedBy<'_> {
        LicensedBy { texts: self, context }
    }
}

/// The texts that one context is known to license.
#[derive(Debug, Clone, Copy)]
pub struct LicensedBy<'a> {
    texts: &'a LicensedTexts,
    context: Hash,
}

impl LicensedBy<'_> {
    pub fn add(&self, text: &str) {
        let key = self.key(text);
        let mut halves = self.texts.halves.lock().unwrap_or_else(PoisonError::into_inner);
        if halves.0.len() >= LICENSED_TEXTS_MAX / 2 {
            halves.1 = mem::take(&mut halves.0);
        }
        halves.0.insert(key);
    }

    pub fn has(&self, text: &str) -> bool {
        let key = self.key(text);
        let halves = self.texts.halves.lock().unwrap_or_else(PoisonError::into_inner);
        halves.0.contains(&key) || halves.1.contains(&key)
    }

    fn key(&self, text: &str) -> Hash {
        sha256(&[self.context.as_bytes(), text.as_bytes()].concat())
    }
}

/// Checks a section that a model wrote, at least in part. Models use more phrasings than the rules can read, so sentences that are
/// not the built-in writer's own must consist of known wordings.
pub fn check_model_section(text: &str, facts: &Facts, writer_sentences: &OwnSentences) -> Checked {
    factcheck::check_foreign(text, facts, |sentence| writer_sentences.has(sentence))
}

/// Checks a section of the built-in writer. `FALLBACK`, the fixed notice that a fallback begins with, says nothing about the case
/// and is skipped.
pub fn check_section(text: &str, facts: &Facts) -> Checked {
    let Some(body) = text.strip_prefix(FALLBACK) else { return factcheck::check(text, facts) };
    let skipped = text.chars().count() - body.chars().count();
    let mut checked = factcheck::check(body, facts);
    for claim in &mut checked.claims {
        (claim.start, claim.end) = (claim.start + skipped, claim.end + skipped);
    }
    for refused in &mut checked.refused {
        (refused.start, refused.end) = (refused.start + skipped, refused.end + skipped);
    }
    for sentence in &mut checked.sentences {
        (sentence.start, sentence.end) = (sentence.start + skipped, sentence.end + skipped);
    }
    checked
}

/// The figures and names of a text, each with the fact that it states.
pub fn traced_facts(text: &str, claims: Vec<Claim>) -> Vec<TracedFact> {
    let mut facts = Vec::with_capacity(claims.len());
    let mut chars = text.chars();
    let mut at = 0;
    for claim in claims {
        // A name may contain a figure. Only the first of two overlapping claims is shown.
        if claim.start < at {
            continue;
        }
        let quote: String = chars.by_ref().skip(claim.start - at).take(claim.end - claim.start).collect();
        at = claim.end;
        facts.push(TracedFact { start: claim.start, end: claim.end, text: quote, path: claim.path });
    }
    facts
}

/// Every sentence of a text that facts license, with these facts. Sentences that need no fact are left out.
pub fn traced_sentences(sentences: Vec<factcheck::CheckedSentence>) -> Vec<TracedSentence> {
    let licensed = sentences.into_iter().filter(|sentence| sentence.is_licensed && !sentence.facts.is_empty());
    let traced = licensed.map(|factcheck::CheckedSentence { start, end, mut facts, .. }| {
        facts.truncate(SENTENCE_FACTS_MAX);
        TracedSentence { start, end, facts }
    });
    traced.collect()
}

/// The sentences of a text that facts license, joined by spaces.
pub fn licensed_text(text: &str, checked: &Checked) -> String {
    let letters: Vec<char> = text.chars().collect();
    let kept = checked.sentences.iter().filter(|sentence| sentence.is_licensed && !sentence.facts.is_empty());
    let texts = kept.filter_map(|sentence| letters.get(sentence.start..sentence.end).map(|text| text.iter().collect()));
    texts.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use countersign_domain::Section;

    use super::*;
    use crate::{testing::ordinary, writer::Writer};

    fn facts() -> Facts {
        Facts::of(&serde_json::to_value(ordinary()).unwrap())
    }

    #[test]
    fn facts_license_every_sentence_of_the_built_in_writer() {
        let (context, facts) = (ordinary(), facts());
        for section in Section::ALL {
            let text = Writer::of(&context).section(section);
            let checked = check_section(&text, &facts);
            assert_eq!(licensed_text(&text, &checked), text);
            let sentences = checked.sentences.len();
            assert_eq!(traced_sentences(checked.sentences).len(), sentences, "{text}");
        }
    }

    #[test]
    fn a_licensed_text_is_known_only_with_its_own_context() {
        let texts = LicensedTexts::default();
        let context = ordinary();
        let mut other = ordinary();
        other.case.alert_id.push('x');
        texts.of(context.sha256()).add("One.");
        assert!(texts.of(context.sha256()).has("One."));
        assert!(!texts.of(context.sha256()).has("One"));
        assert!(!texts.of(other.sha256()).has("One."));
        assert!(!LicensedTexts::default().of(context.sha256()).has("One."));
    }

    #[test]
    fn the_oldest_licensed_texts_are_forgotten() {
        let texts = LicensedTexts::default();
        let context = ordinary();
        let known = texts.of(context.sha256());
        for at in 0..LICENSED_TEXTS_MAX + 1 {
            known.add(&at.to_string());
        }
        assert!(!known.has("0"));
        assert!(known.has(&(LICENSED_TEXTS_MAX / 2).to_string()));
        assert!(known.has(&LICENSED_TEXTS_MAX.to_string()));
        let halves = texts.halves.lock().unwrap();
        assert!(halves.0.len() + halves.1.len() <= LICENSED_TEXTS_MAX);
    }

    #[test]
    fn the_fallbacks_own_words_are_not_claims() {
        let (context, facts) = (ordinary(), facts());
        let text = Writer::of(&context).fallback(Section::RiskJustification);
        let checked = check_section(&text, &facts);
        assert_eq!(checked.refused, Vec::new());
        let letters: Vec<char> = text.chars().collect();
        for fact in traced_facts(&text, checked.claims) {
            assert_eq!(letters[fact.start..fact.end].iter().collect::<String>(), fact.text);
        }
    }

    #[test]
    fn a_lie_is_cut_out_and_the_rest_is_kept() {
        let (context, facts) = (ordinary(), facts());
        let text = Writer::of(&context).section(Section::ExecutiveSummary);
        let lied = format!("{text} The customer admitted the fraud.");
        let checked = check_section(&lied, &facts);
        assert!(!checked.refused.is_empty());
        assert_eq!(licensed_text(&lied, &checked), text);
    }
}
