//! A report put together: what was written, what is computed, and the document of both.

use countersign_domain::{
    AlertId, InvestigationId, Section, Time, TransactionId, payload::ReportType, revision::Revision,
};
use countersign_ledger::sha256;

use crate::{Content, Context, Meta, Parts, SectionRecord, markdown, structured_data, writer};

/// What a report is made of.
pub struct Assembly {
    pub id: String,
    pub version: u32,
    /// The version that this one replaces.
    pub regeneration_of: Option<String>,
    pub transaction_id: Option<TransactionId>,
    pub fraud_detection_id: AlertId,
    pub generated_at: Time,
    pub context: Context,
    pub revision: Option<Revision>,
    /// The text of each section of `Section::ALL`, with the record of how it came to be.
    pub sections: Vec<(String, SectionRecord)>,
}

pub fn assemble(assembly: Assembly) -> Content {
    let Assembly { context, sections, .. } = assembly;
    let report_type = context.case.report_type;
    let text = |section: Section| {
        let written = sections.iter().find(|(_, record)| record.section == section);
        written.map(|(text, _)| text.clone()).unwrap_or_default()
    };
    let parts = Parts {
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
    // A context is made of maps, texts and numbers: it has a JSON form, always.
    let context_sha256 = sha256(serde_json::to_string(&context).unwrap_or_default().as_bytes()).to_hex();
    let structured_data = structured_data(&context);
    let markdown_content = markdown(
        &context,
        &parts,
        &Meta {
            report_id: &assembly.id,
            version: assembly.version,
            regeneration_of: assembly.regeneration_of.as_deref(),
            generated_at: assembly.generated_at,
            context_sha256: &context_sha256,
            sections: &records,
        },
        &structured_data,
    );
    Content {
        investigation_id: InvestigationId::of_alert(&assembly.fraud_detection_id),
        id: assembly.id,
        version: assembly.version,
        regeneration_of: assembly.regeneration_of,
        transaction_id: assembly.transaction_id,
        fraud_detection_id: assembly.fraud_detection_id,
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
