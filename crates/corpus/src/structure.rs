//! Faults that are not claims of the prose. Each report here breaks one rule of the report check, from the table of points in
//! `docs/supervisor.md`.
//!
//! Breaking a rule of high severity must send the report to review. Breaking a rule that costs five points still lets
//! the report pass, as the table says, but the verdict must name the fault.

use countersign_domain::{Score, Section, Severity, report::FALLBACK};
use countersign_report::{Content, WrittenBy};
use serde_json::{Value, json};

use crate::{
    case::CorpusCase,
    chance::Chance,
    compose::sentences,
    outcome::{FaultOutcome, StoredRecord, assembled, record, report, verdict_on},
};

/// A rule of the report check and a way to break it.
pub(crate) struct BrokenRule {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether a report that breaks the rule must fail. Otherwise it only loses points.
    pub(crate) must_fail: bool,
    /// How the reason of the deduction in the verdict starts.
    reason_prefix: &'static str,
    breaks: fn(&CorpusCase, &mut Chance) -> Option<(Content, StoredRecord)>,
}

pub(crate) const ALL: [BrokenRule; 18] = [
    BrokenRule {
        name: "missing_section",
        about: "A required section is empty.",
        must_fail: true,
        reason_prefix: "missing_section",
        breaks: missing_section,
    },
    BrokenRule {
        name: "short_section",
        about: "A section is a single short sentence.",
        must_fail: false,
        reason_prefix: "short_section",
        breaks: short_section,
    },
    BrokenRule {
        name: "structured_score_differs",
        about: "The score in the structured data differs from the record's.",
        must_fail: true,
        reason_prefix: "structured_mismatch",
        breaks: structured_score,
    },
    BrokenRule {
        name: "structured_severity_differs",
        about: "The severity in the structured data differs from the record's.",
        must_fail: true,
        reason_prefix: "structured_mismatch",
        breaks: structured_severity,
    },
    BrokenRule {
        name: "structured_signal_differs",
        about: "A signal's value in the structured data differs from the context's.",
        must_fail: true,
        reason_prefix: "structured_mismatch",
        breaks: structured_signal,
    },
    BrokenRule {
        name: "alert_score_differs",
        about: "The stored alert's score differs from the report's.",
        must_fail: true,
        reason_prefix: "structured_mismatch",
        breaks: alert_score,
    },
    BrokenRule {
        name: "alert_severity_differs",
        about: "The stored alert's severity differs from the report's.",
        must_fail: true,
        reason_prefix: "structured_mismatch",
        breaks: alert_severity,
    },
    BrokenRule {
        name: "no_timeline",
        about: "The structured data contain no timeline events.",
        must_fail: true,
        reason_prefix: "no_timeline",
        breaks: no_timeline,
    },
    BrokenRule {
        name: "content_hash_differs",
        about: "The stored report is not the one that was announced.",
        must_fail: true,
        reason_prefix: "hash_differs",
        breaks: content_hash,
    },
    BrokenRule {
        name: "context_hash_differs",
        about: "The context was changed after it was hashed.",
        must_fail: true,
        reason_prefix: "hash_differs",
        breaks: context_hash,
    },
    BrokenRule {
        name: "score_and_severity_disagree",
        about: "The score lies outside the band of the severity, both in the report and in the record.",
        must_fail: true,
        reason_prefix: "score_severity_mismatch",
        breaks: score_severity,
    },
    BrokenRule {
        name: "weak_justification",
        about: "The risk justification makes assertions and does not say what the score is composed of.",
        must_fail: false,
        reason_prefix: "weak_justification",
        breaks: weak_justification,
    },
    BrokenRule {
        name: "word_range",
        about: "A section loses half of its sentences.",
        must_fail: false,
        reason_prefix: "word_range",
        breaks: word_range,
    },
    BrokenRule {
        name: "fallback_used",
        about: "The built-in writer wrote a section because the model's text could not be used.",
        must_fail: false,
        reason_prefix: "fallback_used",
        breaks: fallback,
    },
    BrokenRule {
        name: "fields_instead_of_prose",
        about: "A section lists fields instead of using sentences.",
        must_fail: false,
        reason_prefix: "narrative_point",
        breaks: fields,
    },
    BrokenRule {
        name: "refers_to_attachments",
        about: "A section points to an attachment instead of stating what it contains.",
        must_fail: false,
        reason_prefix: "narrative_point",
        breaks: attachments,
    },
    BrokenRule {
        name: "speculates",
        about: "The narrative speculates; judged without the fact check.",
        must_fail: false,
        reason_prefix: "narrative_point",
        breaks: speculation,
    },
    BrokenRule {
        name: "narrative_point_missing",
        about: "No section says whether the transaction was completed.",
        must_fail: false,
        reason_prefix: "narrative_point",
        breaks: point_missing,
    },
];

impl BrokenRule {
    /// The outcome for the case's report with this rule broken. `None` if the rule can't be broken for this case.
    pub(crate) fn outcome(&self, case: &CorpusCase) -> Option<FaultOutcome> {
        let mut chance = Chance::named(self.name, case.number);
        let (content, record) = (self.breaks)(case, &mut chance)?;
        let verdict = verdict_on(&content, &record)?;
        let is_named = verdict.deductions.iter().any(|deduction| deduction.reason.starts_with(self.reason_prefix));
        Some(match (verdict.passed, self.must_fail, is_named) {
            (false, ..) => FaultOutcome::Review,
            (true, false, true) => FaultOutcome::Noted,
            (true, ..) => FaultOutcome::Approved,
        })
    }
}

/// The outcome for the true report of a case.
pub(crate) fn outcome_of_true_report(case: &CorpusCase) -> Option<FaultOutcome> {
    let content = report(case, None)?;
    let verdict = verdict_on(&content, &StoredRecord::of(&content))?;
    Some(if verdict.passed { FaultOutcome::Approved } else { FaultOutcome::Review })
}

/// The report with its sections rewritten by `text`, which also returns who wrote each section.
fn rewritten(
    case: &CorpusCase,
    text: impl Fn(Section, &str) -> (String, WrittenBy),
) -> Option<(Content, StoredRecord)> {
    let sections = Section::ALL.into_iter().map(|section| {
        let (text, written_by) = text(section, case.text(section));
        let record = record(section, &text, written_by);
        (text, record)
    });
    let content = assembled(&case.context, sections.collect())?;
    let record = StoredRecord::of(&content);
    Some((content, record))
}

/// The report with one section rewritten by `text`.
fn one_rewritten(
    case: &CorpusCase,
    section: Section,
    text: impl Fn(&str) -> String,
    written_by: WrittenBy,
) -> Option<(Content, StoredRecord)> {
    rewritten(case, |other, builtin| {
        if other == section { (text(builtin), written_by) } else { (builtin.to_owned(), WrittenBy::Builtin) }
    })
}

/// The true report, changed after it was assembled and then sealed again.
fn changed(case: &CorpusCase, change: impl FnOnce(&mut Content) -> Option<()>) -> Option<(Content, StoredRecord)> {
    let mut content = report(case, None)?;
    let (severity, score) = (content.severity, content.risk_score);
    change(&mut content)?;
    let record = StoredRecord { alert_severity: severity, alert_score: score, ..StoredRecord::of(&content) };
    Some((content, record))
}

/// A randomly chosen section that every report must have.
fn required_section(chance: &mut Chance) -> Section {
    chance.pick(&Section::REQUIRED).copied().unwrap_or(Section::ExecutiveSummary)
}

fn missing_section(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    one_rewritten(case, required_section(chance), |_| String::new(), WrittenBy::Model)
}

fn short_section(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    one_rewritten(case, required_section(chance), |_| "The alert was raised.".to_owned(), WrittenBy::Model)
}

fn structured_score(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let by = chance.between(1, 30);
    changed(case, |content| {
        let score = i64::from(content.risk_score.get());
        *content.structured_data.get_mut("risk_score")? = json!(if score > by { score - by } else { score + by });
        Some(())
    })
}

fn structured_severity(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    changed(case, |content| {
        let other = if content.severity == Severity::High { "CRITICAL" } else { "HIGH" };
        *content.structured_data.get_mut("severity")? = json!(other);
        Some(())
    })
}

fn structured_signal(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    changed(case, |content| {
        let signals = content.structured_data.get_mut("signals")?;
        let value = first_value(signals)?;
        *value = json!(value.as_f64()? * 2.0 + 1.0);
        Some(())
    })
}

/// The first measured value of a signal. The signals may be a list or an object with their names as keys.
fn first_value(signals: &mut Value) -> Option<&mut Value> {
    let is_measured = |signal: &Value| signal.get("value").is_some_and(Value::is_number);
    match signals {
        Value::Array(list) => list.iter_mut().find(|signal| is_measured(signal))?.get_mut("value"),
        Value::Object(map) => map.values_mut().find(|signal| is_measured(signal))?.get_mut("value"),
        _ => None,
    }
}

fn alert_score(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let content = report(case, None)?;
    let score = i64::from(content.risk_score.get());
    let other = if score > 50 { score - chance.between(1, 40) } else { score + chance.between(1, 40) };
    let record =
        StoredRecord { alert_score: Score::new(u8::try_from(other).ok()?).ok()?, ..StoredRecord::of(&content) };
    Some((content, record))
}

fn alert_severity(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let content = report(case, None)?;
    let others: Vec<Severity> = [Severity::Low, Severity::Medium, Severity::High, Severity::Critical]
        .into_iter()
        .filter(|other| *other != content.severity)
        .collect();
    let record = StoredRecord { alert_severity: *chance.pick(&others)?, ..StoredRecord::of(&content) };
    Some((content, record))
}

fn no_timeline(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    changed(case, |content| {
        *content.structured_data.get_mut("timeline_events")? = json!([]);
        Some(())
    })
}

fn content_hash(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let content = report(case, None)?;
    let mut announced = content.clone();
    announced.executive_summary.push_str(if chance.below(2) == 0 { " " } else { " It was." });
    let stored_hash = announced.sealed().ok()?.hash().to_hex();
    let record = StoredRecord { stored_hash, ..StoredRecord::of(&content) };
    Some((content, record))
}

fn context_hash(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let by = u64::try_from(chance.between(1, 9)).ok()?;
    changed(case, |content| {
        content.context.correlation.similar_alerts += by;
        Some(())
    })
}

fn score_severity(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    let mut context = case.context.clone();
    context.case.severity = if context.case.severity == Severity::High { Severity::Medium } else { Severity::High };
    context.score.agrees_with_severity = false;
    let disagreeing = CorpusCase::new(case.number, context)?;
    let content = report(&disagreeing, None)?;
    let record = StoredRecord::of(&content);
    Some((content, record))
}

fn weak_justification(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    let asserted =
        "The assessment was made with care and it was found to be right. The case was looked at from all sides. "
            .repeat(9);
    one_rewritten(case, Section::RiskJustification, |_| asserted.trim().to_owned(), WrittenBy::Model)
}

fn word_range(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let half = |text: &str| {
        let parts = sentences(text);
        parts.get(..parts.len().div_ceil(2)).unwrap_or_default().join(" ")
    };
    one_rewritten(case, required_section(chance), half, WrittenBy::Model)
}

fn fallback(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    let section = required_section(chance);
    let text = countersign_report::writer::Writer::of(&case.context).fallback(section);
    debug_assert!(text.starts_with(FALLBACK));
    one_rewritten(case, section, |_| text.clone(), WrittenBy::Fallback)
}

fn fields(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    if is_internal(case) {
        return None;
    }
    let (score, severity, holder) =
        (case.placeholder("score")?, case.placeholder("severity")?, case.placeholder("holder")?);
    let rows =
        format!("Score: {score}. Severity: {severity}. Account holder: {holder}. Source: record. Unit: points. ");
    one_rewritten(case, required_section(chance), |_| rows.repeat(16).trim().to_owned(), WrittenBy::Model)
}

fn attachments(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    if is_internal(case) {
        return None;
    }
    let examples = [
        "See attached spreadsheet for the individual amounts.",
        "The remaining transactions are listed in the appendix.",
        "Refer to Annex B for the timeline.",
        "For details, see the enclosed statement.",
    ];
    let sentence = *chance.pick(&examples)?;
    one_rewritten(case, Section::InvestigationNarrative, |text| format!("{text} {sentence}"), WrittenBy::Model)
}

fn speculation(case: &CorpusCase, chance: &mut Chance) -> Option<(Content, StoredRecord)> {
    if is_internal(case) {
        return None;
    }
    let examples = [
        "The transaction was probably made by somebody else.",
        "It appears that the card was used without permission.",
        "The account holder might have been abroad.",
        "Perhaps the merchant was at fault.",
    ];
    let sentence = *chance.pick(&examples)?;
    one_rewritten(case, Section::InvestigationNarrative, |text| format!("{text} {sentence}"), WrittenBy::Model)
}

fn point_missing(case: &CorpusCase, _: &mut Chance) -> Option<(Content, StoredRecord)> {
    if is_internal(case) || !(case.holds("completed") || case.holds("attempted")) {
        return None;
    }
    let cues = ["complet", "attempt", "settle", "status"];
    rewritten(case, |_, text| {
        let kept = sentences(text).into_iter().filter(|sentence| !cues.iter().any(|cue| sentence.contains(cue)));
        (kept.collect::<Vec<_>>().join(" "), WrittenBy::Model)
    })
}

/// The narrative of an internal report is not sent outside, so the points that it must cover are not checked.
fn is_internal(case: &CorpusCase) -> bool {
    case.context.case.report_type == countersign_domain::payload::ReportType::Internal
}
