//! Checks what a narrative must not do: refer to an attachment, list bare fields, or speculate.

use countersign_domain::{Section, validation::NarrativePoint};

use super::{
    cues::{CueList, Cues},
    narrative::{Passage, PointFinding, PointPart, PointState},
    prose::ReportSentence,
};

/// The maximum number of words that a finding quotes.
const WORDS_NAMED_MAX: usize = 5;
/// Sections with fewer sentences are too short for this check.
const SENTENCES_MIN: usize = 3;

fn kept(point: NarrativePoint) -> PointFinding {
    finding(point, PointState::Present, None, None)
}

fn broken(point: NarrativePoint, by: &ReportSentence<'_>, detail: String) -> PointFinding {
    finding(point, PointState::Missing, Some(Passage::of(by)), Some(detail))
}

fn finding(
    point: NarrativePoint,
    state: PointState,
    evidence: Option<Passage>,
    detail: Option<String>,
) -> PointFinding {
    let name = match point {
        NarrativePoint::SelfContained => "no reference to an attachment",
        NarrativePoint::Narrated => "sentences, not fields",
        _ => "no speculation",
    };
    PointFinding { point, state, parts: vec![PointPart { name: name.to_owned(), state, evidence }], detail }
}

pub(super) fn self_contained(sentences: &[ReportSentence<'_>]) -> PointFinding {
    match sentences.iter().find(|sentence| sentence.has(CueList::Attachments)) {
        Some(sentence) => broken(
            NarrativePoint::SelfContained,
            sentence,
            "it refers to an attachment instead of stating its content".into(),
        ),
        None => kept(NarrativePoint::SelfContained),
    }
}

pub(super) const ATTACHMENTS: Cues = "\
    see attach*|see the attach*|see append*|see the append*|see enclos*|see the enclos*|see exhibit*|\
    see the exhibit*|see annex*|see the annex*|see supporting|refer to attach*|refer to the attach*|\
    refer to append*|refer to the append*|refer to annex*|refer to the annex*|refer to exhibit*|find attached|\
    as attached|attached hereto|attached spreadsheet*|attached document*|attached file*|attached report*|\
    attached table*|in the attach*|in the append*|in append*|in the annex*|is attached|are attached|is enclosed|\
    are enclosed";

/// Broken if more than a third of a section's sentences are bare fields, such as `Amount: 1,250.00`.
pub(super) fn narrated(sentences: &[ReportSentence<'_>]) -> PointFinding {
    for section in Section::ALL {
        let all: Vec<_> = sentences.iter().filter(|sentence| sentence.section == section).collect();
        let verbless: Vec<_> = all.iter().filter(|sentence| !has_verb(sentence)).collect();
        let (count, of) = (verbless.len(), all.len());
        if let Some(first) = verbless.first().filter(|_| of >= SENTENCES_MIN && count * 3 > of) {
            let detail = format!("{count} of {of} sentences in {} only restate fields", section.heading());
            return broken(NarrativePoint::Narrated, first, detail);
        }
    }
    kept(NarrativePoint::Narrated)
}

/// Whether a sentence has a common verb or a regular past tense. This suffices to distinguish prose from fields.
fn has_verb(sentence: &ReportSentence<'_>) -> bool {
    let is_past = |word: &str| word.len() > 4 && word.ends_with("ed");
    sentence.has(CueList::Verbs) || sentence.unquoted_words.split(' ').any(is_past)
}

pub(super) const VERBS: Cues = "\
    was|were|is|are|had|held|has|have|be|been|being|does|do|did|will|would|can|could|came|comes|went|goes|made|makes|\
    took|takes|gave|gives|holds|stood|stands|lay|lies|rose|fell|brought|brings|showed|shows|said|says|sent|\
    sends|paid|pays|spent|left|led|met|ran|runs|set|saw|kept|began|grew|meant|means|found|finds|drew|wrote|bought|\
    sold|arose|exceeds|belongs|belong|contributes|indicates|includes|covers|reached|add|adds|used|uses|give|read|\
    reads|bore|put|withdrew|became|states|follows|remains|leaves|requires|applies";

/// Broken by speculation: a narrative states what is, not what may be.
pub(super) fn factual(sentences: &[ReportSentence<'_>]) -> PointFinding {
    let mut first = None;
    let mut words: Vec<&str> = Vec::new();
    let mut count = 0_usize;
    for sentence in sentences.iter().filter(|sentence| sentence.has(CueList::Hedges)) {
        for word in speculation(sentence) {
            first = first.or(Some(sentence));
            count += 1;
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    let Some(first) = first else { return kept(NarrativePoint::Factual) };
    let named: Vec<String> = words.iter().take(WORDS_NAMED_MAX).map(|word| format!("\"{word}\"")).collect();
    let detail = format!("it speculates with {} ({count} in all)", named.join(", "));
    broken(NarrativePoint::Factual, first, detail)
}

/// Every speculation contains one of these words, so sentences without them are skipped.
pub(super) const HEDGES: Cues = "\
    might|maybe|likely|unlikely|possibly|probably|perhaps|presumably|apparently|seemingly|potentially|conceivably|\
    supposedly|suspected|seem|seems|seemed|appear|appears|appeared|could|may";
const SPECULATIVE: [&str; 17] = [
    "might",
    "maybe",
    "likely",
    "unlikely",
    "possibly",
    "probably",
    "perhaps",
    "presumably",
    "apparently",
    "seemingly",
    "potentially",
    "conceivably",
    "supposedly",
    "suspected",
    "seem",
    "seems",
    "seemed",
];
const APPEARANCE: [&str; 3] = ["appear", "appears", "appeared"];
/// Words after which "appear" is not speculation: to appear in a record is to be there.
const PLACES: [&str; 10] = ["in", "on", "at", "under", "among", "once", "twice", "again", "only", "first"];
const COULD: [&str; 8] = ["be", "have", "indicate", "suggest", "point", "reflect", "represent", "mean"];

fn among(words: &[&'static str], word: &str) -> Option<&'static str> {
    words.iter().find(|listed| **listed == word).copied()
}

/// The speculative words of a sentence.
fn speculation(sentence: &ReportSentence<'_>) -> Vec<&'static str> {
    let words: Vec<&str> = sentence.unquoted_words.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let appears = || among(&APPEARANCE, word).filter(|_| among(&PLACES, next).is_none());
        // "Could not be determined" is not speculation.
        let could = || (*word == "could" && among(&COULD, next).is_some()).then_some("could");
        found.extend(among(&SPECULATIVE, word).or_else(appears).or_else(could));
    }
    if sentence.says("may") {
        found.extend(std::iter::repeat_n("may", count_may(sentence)));
    }
    found
}

/// How often a sentence says "may" other than as the month, which is capitalised within a sentence or next to a figure.
fn count_may(sentence: &ReportSentence<'_>) -> usize {
    let words: Vec<&str> =
        sentence.unquoted.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_figure =
        |word: Option<&&str>| word.is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
    let is_month = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        words[at] == "May" && (at > 0 || is_figure(words.get(1)) || is_figure(before))
    };
    (0..words.len()).filter(|at| words[*at].eq_ignore_ascii_case("may") && !is_month(*at)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::prose::of_text;

    fn check(point: fn(&[ReportSentence<'_>]) -> PointFinding, text: &str, is_kept: bool) {
        let found = point(&of_text(text, Section::TimelineNarrative));
        assert_eq!(found.state == PointState::Present, is_kept, "{text}: {:?}", found.detail);
        assert_eq!(found.detail.is_none(), is_kept);
    }

    #[test]
    fn speculation_is_found_outside_quotations_only() {
        for text in [
            "The payment may have been stolen.",
            "May it have been stolen?",
            "The payment MAY be a fraud.",
            "It might be so.",
            "Fraud is likely.",
            "The card was possibly lost.",
            "The customer probably knew.",
            "Perhaps the card was lost.",
            "He is suspected of fraud.",
            "The amount appears to be too high.",
            "The pattern seems odd.",
            "This could be fraud.",
            "It was, apparently, lost.",
        ] {
            check(factual, text, false);
        }
        for text in [
            "The payment was made in May 2026.",
            "May 2026 was the first month.",
            "On 1 May 2026 the card was used, and again on May 3, 2026.",
            "The rule \"may be fraud\" held.",
            "The rule `likely_fraud` held at “Perhaps Shop”.",
            "The location could not be determined.",
            "The merchant appears in the record twice.",
            "Its likelihood was not measured.",
            "The suspect amount was mayhem to read.",
        ] {
            check(factual, text, true);
        }
    }

    #[test]
    fn every_speculative_word_is_among_the_hedges() {
        let hedges: Vec<&str> = HEDGES.split('|').collect();
        for word in SPECULATIVE.iter().chain(&APPEARANCE).chain(&["could", "may"]) {
            assert!(hedges.contains(word), "{word}");
        }
    }

    #[test]
    fn a_finding_names_the_words_and_the_sentence() {
        let text = "It was paid. It may be so, likely. It may not.";
        let found = factual(&of_text(text, Section::FraudExplanation));
        assert_eq!(found.detail.as_deref(), Some("it speculates with \"likely\", \"may\" (3 in all)"));
        let evidence = Passage { section: Section::FraudExplanation, start: 13, end: 34 };
        assert_eq!(found.parts[0].evidence, Some(evidence));
    }

    #[test]
    fn references_to_attachments_are_found() {
        for text in ["See attached.", "For details see the appendix.", "The list is attached.", "Refer to Annex 2."] {
            check(self_contained, text, false);
        }
        for text in
            ["The merchant \"See Attached Ltd\" was paid.", "No conditions were attached to it.", "We see a list."]
        {
            check(self_contained, text, true);
        }
    }

    #[test]
    fn bare_fields_are_not_a_narrative() {
        check(narrated, "Amount: 1,250.00\nCountry: PT\nScore: 75", false);
        check(narrated, "The card was used.\nAmount: 1,250.00\nCountry: PT", false);
        check(narrated, "The card was used. It paid USD 5.00. Score: 75.", true);
        check(narrated, "Time: the card was used.\nAmount: it exceeded the limit.\nPlace: it lay in Peru.", true);
        // Too short for the check of its shape.
        check(narrated, "Amount: 1,250.00", true);
    }
}
