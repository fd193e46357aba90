//! An answer that the built-in inspectors have read: the text that may be released, and what they found.

use countersign_agents::{audit_finding, audit_of_findings, builtin_audit};
use countersign_domain::{Audit, AuditFinding, Time};
use countersign_inspect::{Finding, audit_answer, mask_pii};

use super::{inspection_threads::run_inspection, terms::ReleaseTerms};

pub(crate) struct InspectedAnswer {
    /// The text that is recorded, audited and released. Personal data is masked in it if the terms ask for that.
    pub(crate) text: String,
    pub(crate) audit: Audit,
    /// The personal data that was masked, in code points of the original text.
    pub(crate) masked: Vec<Finding>,
}

impl InspectedAnswer {
    pub(crate) async fn of(terms: ReleaseTerms, query: &str, original: String, at: Time) -> Self {
        let query = query.to_owned();
        run_inspection(original.len() + query.len(), move || Self::inspect(terms, &query, original, at)).await
    }

    fn inspect(terms: ReleaseTerms, query: &str, original: String, at: Time) -> Self {
        let findings = audit_answer(&original).findings;
        let masked: Vec<Finding> = match terms.masks() {
            true => findings.iter().filter(|finding| finding.is_maskable()).cloned().collect(),
            false => Vec::new(),
        };
        if masked.is_empty() {
            let audit = audit_of_findings(query, &findings, at);
            return Self { text: original, audit, masked };
        }
        let released = mask_pii(&original, &masked);
        // Audit the text that the caller will read. The masked findings stay on record.
        let mut audit = builtin_audit(query, &released.text, at);
        audit.pii_detected = true;
        let hidden = released.spans.iter().filter_map(|(index, start, end)| {
            let finding = audit_finding(masked.get(*index)?, None);
            Some(AuditFinding { start: *start, end: *end, masked: true, ..finding })
        });
        audit.findings.extend(hidden);
        audit.details = format!("{} pieces of personal data were masked. {}", masked.len(), audit.details);
        Self { text: released.text, audit, masked }
    }
}
