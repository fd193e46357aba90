//! Text that tries to steer a model: overrides, role play, prompt extraction, forged delimiters, hidden and encoded text,
//! links that carry data out.
//!
//! A word alone is never enough: "the ignition ignores previous settings" is about a car.
//!
//! | file | job |
//! |---|---|
//! | `rules.rs` | phrases that are attacks by themselves |
//! | `hidden.rs`, `encoded.rs`, `exfiltration.rs` | invisible text, encoded text, links that carry data out |
//! | `lexicon.rs`, `concept.rs`, `features.rs`, `sums.rs`, `judge.rs` | the learned judgement of a whole text |
//! | `disguise.rs` | undoes disguises for the learned judgement |
//! | `auditor/` | instructions to the auditor of the text |

mod auditor;
mod concept;
mod disguise;
mod encoded;
mod exfiltration;
mod features;
pub(crate) mod hidden;
mod judge;
mod lexicon;
mod rules;
#[cfg(test)]
mod suite;
mod sums;

pub(crate) use judge::JUDGED;
#[cfg(feature = "training")]
pub use judge::training;

use std::sync::LazyLock;

use crate::audit::Judgement;
use crate::phrase::{self, Phrase};
use crate::scan::{ScanAnchor, Scanner};
use crate::tokenize::Word;

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| rules::RULES.iter().filter_map(Phrase::new).collect());

pub(crate) fn anchors() -> Vec<ScanAnchor> {
    let mut anchors: Vec<ScanAnchor> = phrase::anchors(&PHRASES).collect();
    anchors.extend(hidden::anchors());
    anchors.extend(encoded::anchors());
    anchors.extend(exfiltration::anchors());
    anchors
}

/// Whether the text contains a phrase of the table.
fn holds_phrase(text: &str) -> bool {
    static SCANNER: LazyLock<Option<Scanner>> = LazyLock::new(|| Scanner::new(phrase::anchors(&PHRASES)));
    let mut hits = Vec::new();
    if let Some(scanner) = &*SCANNER {
        scanner.run(text, &mut hits);
    }
    !hits.is_empty()
}

/// Judges the text as a whole, beyond the phrases of the table: by the learned model, and by its instructions to the auditor.
pub(crate) fn judge(text: &str, words: &[Word]) -> Judgement {
    let mut judged = judge::judge(text, words);
    for hit in auditor::find(text) {
        // An instruction to the auditor replaces what the model found in the same place.
        judged.hits.retain(|other| other.end <= hit.start || hit.end <= other.start);
        judged.score = judged.score.max(hit.score);
        judged.hits.push(hit);
    }
    judged
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::inspect;

    /// Checks the type and the matched text of the injections that are found without the model, with a score of at least 0.5.
    pub(crate) fn check(text: &str, expected: &[(&str, &str)]) {
        let letters: Vec<char> = text.chars().collect();
        let found: Vec<(&str, String)> = inspect(text)
            .iter()
            .filter(|finding| finding.kind == crate::Kind::Injection && finding.score >= 0.5)
            .map(|finding| (finding.r#type, letters[finding.start..finding.end].iter().collect()))
            .collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_rule_is_a_regular_expression() {
        assert_eq!(PHRASES.len(), rules::RULES.len());
    }
}
