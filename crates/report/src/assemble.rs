//! Assembles a report: the written sections, everything that is computed, and the document made of both.

use countersign_domain::{
    AlertId, InvestigationId, ReportId, Section, Time, TransactionId,
    payload::ReportType,
    report::{FALLBACK, count_words},
    revision::Revision,
};

use crate::{
    Content, Context, ReportMeta, ReportTexts, SectionRecord, TracedSentence, evidence, markdown, mask_reference,
    structured_data,
    writer::{self, Writer},
};

/// The parts that a report is assembled from.
pub struct Assembly {
    pub id: ReportId,
    pub version: u32,
    /// The version that this one replaces.
    pub regeneration_of: Option<ReportId>,
    pub transaction_id: Option<TransactionId>,
    pub fraud_detection_id: AlertId,
    pub generated_at: Time,
    pub context: Context,
    pub revision: Option<Revision>,
    /// The text of each section of `Section::ALL`, with the record of how it came to be.
    pub sections: Vec<(String, SectionRecord)>,
}

pub fn assemble(assembly: Assembly) -> Content {
    let Assembly { context, mut sections, .. } = assembly;
    let summary = sections.iter_mut().find(|(_, record)| record.section == Section::ExecutiveSummary);
    if let (Some(notice), Some((text, record))) = (evidence::notice(&context), summary) {
        start_with_notice(notice, &context, text, record);
    }
    let report_type = context.case.report_type;
    let text = |section: Section| {
        let written = sections.iter().find(|(_, record)| record.section == section);
        written.map(|(text, _)| text.clone()).unwrap_or_default()
    };
    let parts = ReportTexts {
        executive_summary: text(Section::ExecutiveSummary),
        fraud_explanation: text(Section::FraudExplanation),
        timeline_narrative: text(Section::TimelineNarrative),
        risk_justification: text(Section::RiskJustification),
        investigation_narrative: text(Section::InvestigationNarrative),
        recommended_next_steps: writer::next_steps(&context),
        regulatory_statement: (report_type != ReportType::Internal).then(|| writer::regulatory_statement(&context)),
        extended_analysis: (report_type == ReportType::Full).then(|| writer::extended_analysis(&context)),
    };
    let records: Vec<_> = sections.into_iter().map(|(_, record)| record).collect();
    let context_sha256 = context.sha256().to_hex();
    let structured_data = structured_data(&context);
    // The sender's ids may contain personal data, so the stored report contains them masked, as its context does. The event
    // that announces the report has the original ids.
    let investigation_id = InvestigationId::of_alert(&assembly.fraud_detection_id);
    // A masked alert id may not be a valid id. The case's id then replaces it.
    let fraud_detection_id = context.case.alert_id.parse().ok().or_else(|| investigation_id.to_string().parse().ok());
    // The context's transaction is masked already. An id that came without a transaction is masked here.
    let transaction_id = match (&context.transaction, &assembly.transaction_id) {
        (Some(transaction), Some(_)) => transaction.transaction_id.parse().ok(),
        (_, named) => named.as_ref().and_then(|id| mask_reference(id.as_str()).parse().ok()),
    };
    let markdown_content = markdown(
        &context,
        &parts,
        &ReportMeta {
            report_id: &assembly.id,
            version: assembly.version,
            regeneration_of: assembly.regeneration_of.as_ref(),
            generated_at: assembly.generated_at,
            context_sha256: &context_sha256,
            sections: &records,
        },
        &structured_data,
    );
    Content {
        investigation_id,
        id: assembly.id,
        version: assembly.version,
        regeneration_of: assembly.regeneration_of,
        transaction_id,
        fraud_detection_id: fraud_detection_id.unwrap_or(assembly.fraud_detection_id),
        report_type,
        severity: context.case.severity,
        risk_score: context.case.risk_score,
        regulatory_impact: context.case.regulatory_impact,
        executive_summary: parts.executive_summary,
        fraud_explanation: parts.fraud_explanation,
        timeline_narrative: parts.timeline_narrative,
        risk_justification: parts.risk_justification,
        investigation_narrative: parts.investigation_narrative,
        recommended_next_steps: parts.recommended_next_steps,
        regulatory_statement: parts.regulatory_statement,
        extended_analysis: parts.extended_analysis,
        markdown_content,
        structured_data,
        generated_at: assembly.generated_at,
        revision: assembly.revision.filter(|revision| !revision.sections.is_empty()),
        sections: records,
        context_sha256,
        context,
    }
}

/// Makes the executive summary start with the notice that there is no evidence. This happens after any writer, because a model may omit
/// the sentence however often it is asked, and the supervisor sees a report only after it was stored. The text stays within its word
/// range by losing its last sentences. Only the fallback's own words may come before the notice.
fn start_with_notice(notice: &str, context: &Context, text: &mut String, record: &mut SectionRecord) {
    let body = text.strip_prefix(FALLBACK).unwrap_or(text).trim_start();
    if body.starts_with(notice) {
        return;
    }
    let with_notice = Writer::of(context).fit(&format!("{notice} {}", text.trim()), Section::ExecutiveSummary);
    // The notice and a space are added, and leading blanks are removed.
    let blanks = text.chars().count() - text.trim_start().chars().count();
    let moved_by = (notice.chars().count() + 1).saturating_sub(blanks);
    let letters: Vec<char> = with_notice.chars().collect();
    for fact in &mut record.facts {
        (fact.start, fact.end) = (fact.start.saturating_add(moved_by), fact.end.saturating_add(moved_by));
    }
    // Drop claims in sentences that were cut off at the end.
    record.facts.retain(|fact| {
        letters.get(fact.start..fact.end).is_some_and(|quoted| quoted.iter().copied().eq(fact.text.chars()))
    });
    for sentence in &mut record.sentences {
        (sentence.start, sentence.end) =
            (sentence.start.saturating_add(moved_by), sentence.end.saturating_add(moved_by));
    }
    record.sentences.retain(|sentence| sentence.end <= letters.len());
    let first = TracedSentence { start: 0, end: notice.chars().count(), facts: vec!["/signals".to_owned()] };
    record.sentences.insert(0, first);
    record.words = count_words(&with_notice);
    *text = with_notice;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{TracedFact, WrittenBy, testing};

    fn assembled(context: Context, summary: &str, facts: Vec<TracedFact>) -> Content {
        let sections = Section::ALL.map(|section| {
            let text = if section == Section::ExecutiveSummary {
                summary.to_owned()
            } else {
                Writer::of(&context).section(section)
            };
            let record = SectionRecord {
                section,
                words: count_words(&text),
                written_by: WrittenBy::Model,
                model: None,
                template: "t".to_owned(),
                template_sha256: None,
                attempts: 1,
                refused: Vec::new(),
                facts: if section == Section::ExecutiveSummary { facts.clone() } else { Vec::new() },
                sentences: Vec::new(),
            };
            (text, record)
        });
        assemble(Assembly {
            revision: None,
            id: "r".parse().unwrap(),
            version: 1,
            regeneration_of: None,
            transaction_id: None,
            fraud_detection_id: "a".parse().unwrap(),
            generated_at: "2026-03-01T10:00:00Z".parse().unwrap(),
            context,
            sections: sections.to_vec(),
        })
    }

    const NOTICE: &str = "The alert came without any measured evidence:";

    #[test]
    fn a_summary_with_evidence_is_not_changed() {
        let content = assembled(testing::ordinary(), "Anything that a model wrote.", Vec::new());
        assert_eq!(content.executive_summary, "Anything that a model wrote.");
    }

    #[test]
    fn claims_move_with_their_words_and_are_dropped_if_those_are_cut() {
        let (first, later) = ("The score was 55 of 100. ", "Nothing else about it was known. ".repeat(22));
        let text = format!("{first}{later}The score stayed 55.");
        let at = |start: usize| TracedFact { start, end: start + 2, text: "55".into(), path: "/score/total".into() };
        let last = text.chars().count() - 3;
        let content = assembled(testing::thinnest(), &text, vec![at(14), at(last)]);
        let record = &content.sections[0];
        let letters: Vec<char> = content.executive_summary.chars().collect();
        assert_eq!(record.facts.len(), 1, "the last sentence was cut off");
        assert_eq!(letters[record.facts[0].start..record.facts[0].end], ['5', '5']);
        assert_eq!(record.words, count_words(&content.executive_summary));
    }

    #[test]
    fn the_fallbacks_own_words_stay_first() {
        let context = testing::thinnest();
        let text = Writer::of(&context).fallback(Section::ExecutiveSummary);
        let content = assembled(context, &text, Vec::new());
        assert_eq!(content.executive_summary, text);
        assert!(text.strip_prefix(FALLBACK).unwrap().trim_start().starts_with(NOTICE), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// This holds whatever a model wrote and however long it is.
        #[test]
        fn a_summary_without_evidence_starts_with_the_notice(
            text in "([A-Z][a-z]{1,9}( [a-z]{1,9}){0,30}\\. ){0,12}|\\PC{0,300}|(x ){0,400}",
        ) {
            let content = assembled(testing::thinnest(), &text, Vec::new());
            let (fewest, most) = Section::ExecutiveSummary.word_range();
            prop_assert!(content.executive_summary.starts_with(NOTICE), "{}", content.executive_summary);
            prop_assert!((fewest..=most).contains(&count_words(&content.executive_summary)), "{}", content.executive_summary);
            prop_assert!(content.markdown_content.contains(NOTICE));
        }
    }
}
