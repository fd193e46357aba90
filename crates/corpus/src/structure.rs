//! Faults of a report that are not in what its prose claims: each rule of the score's table, broken by itself.
//!
//! A rule of high severity must send the report to review. A rule that costs five points leaves a report that passes, as the
//! table says; then the verdict must name the fault.

use countersign_domain::{Score, Section, Severity, report::FALLBACK};
use countersign_report::{Content, WrittenBy};
use serde_json::{Value, json};

use crate::{
    chance::Chance,
    compose::sentences,
    judge::{Outcome, Record, assembled, record, report, verdict_on},
    subject::Subject,
};

/// A rule of the table, broken.
pub(crate) struct Broken {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Whether the report must fail, or only lose points.
    pub(crate) must_fail: bool,
    /// How the verdict names it: the start of a deduction's reason.
    named: &'static str,
    breaks: fn(&Subject, &mut Chance) -> Option<(Content, Record)>,
}

pub(crate) const ALL: [Broken; 18] = [
    Broken {
        name: "missing_section",
        about: "A required section is empty.",
        must_fail: true,
        named: "missing_section",
        breaks: missing_section,
    },
    Broken {
        name: "short_section",
        about: "A section is a single short sentence.",
        must_fail: false,
        named: "short_section",
        breaks: short_section,
    },
    Broken {
        name: "structured_score_differs",
        about: "The structured data state another score than the record.",
        must_fail: true,
        named: "structured_mismatch",
        breaks: structured_score,
    },
    Broken {
        name: "structured_severity_differs",
        about: "The structured data state another severity than the record.",
        must_fail: true,
        named: "structured_mismatch",
        breaks: structured_severity,
    },
    Broken {
        name: "structured_signal_differs",
        about: "A signal's value in the structured data is not the context's.",
        must_fail: true,
        named: "structured_mismatch",
        breaks: structured_signal,
    },
    Broken {
        name: "alert_score_differs",
        about: "The stored alert has another score than the report.",
        must_fail: true,
        named: "structured_mismatch",
        breaks: alert_score,
    },
    Broken {
        name: "alert_severity_differs",
        about: "The stored alert has another severity than the report.",
        must_fail: true,
        named: "structured_mismatch",
        breaks: alert_severity,
    },
    Broken {
        name: "no_timeline",
        about: "The structured data hold no timeline events.",
        must_fail: true,
        named: "no_timeline",
        breaks: no_timeline,
    },
    Broken {
        name: "content_hash_differs",
        about: "The stored report is not the one that was announced.",
        must_fail: true,
        named: "hash_differs",
        breaks: content_hash,
    },
    Broken {
        name: "context_hash_differs",
        about: "The context was changed after it was hashed.",
        must_fail: true,
        named: "hash_differs",
        breaks: context_hash,
    },
    Broken {
        name: "score_and_severity_disagree",
        about: "The score lies outside the band of the severity, in the report and in the record alike.",
        must_fail: true,
        named: "score_severity_mismatch",
        breaks: score_severity,
    },
    Broken {
        name: "weak_justification",
        about: "The risk justification asserts and states no composition.",
        must_fail: false,
        named: "weak_justification",
        breaks: weak_justification,
    },
    Broken {
        name: "word_range",
        about: "A section loses half of its sentences.",
        must_fail: false,
        named: "word_range",
        breaks: word_range,
    },
    Broken {
        name: "fallback_used",
        about: "A section was written by the built-in writer because the model's text could not be had.",
        must_fail: false,
        named: "fallback_used",
        breaks: fallback,
    },
    Broken {
        name: "fields_instead_of_prose",
        about: "A section restates fields.",
        must_fail: false,
        named: "narrative_point",
        breaks: fields,
    },
    Broken {
        name: "refers_to_attachments",
        about: "A section points to an attachment instead of saying what stands there.",
        must_fail: false,
        named: "narrative_point",
        breaks: attachments,
    },
    Broken {
        name: "speculates",
        about: "The narrative speculates; judged without the fact check.",
        must_fail: false,
        named: "narrative_point",
        breaks: speculation,
    },
    Broken {
        name: "narrative_point_missing",
        about: "No section says whether the transaction was completed.",
        must_fail: false,
        named: "narrative_point",
        breaks: point_missing,
    },
];

impl Broken {
    /// What becomes of the case's report with this rule broken; none where the case can't break it.
    pub(crate) fn judge(&self, subject: &Subject) -> Option<Outcome> {
        let mut chance = Chance::named(self.name, subject.number);
        let (content, record) = (self.breaks)(subject, &mut chance)?;
        let verdict = verdict_on(&content, &record)?;
        let is_named = verdict.deductions.iter().any(|deduction| deduction.reason.starts_with(self.named));
        Some(match (verdict.passed, self.must_fail, is_named) {
            (false, ..) => Outcome::Review,
            (true, false, true) => Outcome::Noted,
            (true, ..) => Outcome::Approved,
        })
    }
}

/// The verdict on the true report of a case.
pub(crate) fn judge_true(subject: &Subject) -> Option<Outcome> {
    let content = report(subject, None)?;
    let verdict = verdict_on(&content, &Record::of(&content))?;
    Some(if verdict.passed { Outcome::Approved } else { Outcome::Review })
}

/// The report with sections written anew by `text`, each with its writer.
fn rewritten(subject: &Subject, text: impl Fn(Section, &str) -> (String, WrittenBy)) -> Option<(Content, Record)> {
    let sections = Section::ALL.into_iter().map(|section| {
        let (text, by) = text(section, subject.text(section));
        let record = record(section, &text, by);
        (text, record)
    });
    let content = assembled(&subject.context, sections.collect())?;
    let record = Record::of(&content);
    Some((content, record))
}

fn one_rewritten(
    subject: &Subject,
    section: Section,
    text: impl Fn(&str) -> String,
    by: WrittenBy,
) -> Option<(Content, Record)> {
    rewritten(
        subject,
        |other, own| {
            if other == section { (text(own), by) } else { (own.to_owned(), WrittenBy::Builtin) }
        },
    )
}

/// The true report, changed after it was put together and sealed again.
fn changed(subject: &Subject, change: impl FnOnce(&mut Content) -> Option<()>) -> Option<(Content, Record)> {
    let mut content = report(subject, None)?;
    let (severity, score) = (content.severity, content.risk_score);
    change(&mut content)?;
    let record = Record { alert_severity: severity, alert_score: score, ..Record::of(&content) };
    Some((content, record))
}

fn required(chance: &mut Chance) -> Section {
    chance.pick(&Section::REQUIRED).copied().unwrap_or(Section::ExecutiveSummary)
}

fn missing_section(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    one_rewritten(subject, required(chance), |_| String::new(), WrittenBy::Model)
}

fn short_section(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    one_rewritten(subject, required(chance), |_| "The alert was raised.".to_owned(), WrittenBy::Model)
}

fn structured_score(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let by = chance.between(1, 30);
    changed(subject, |content| {
        let score = i64::from(content.risk_score.get());
        *content.structured_data.get_mut("risk_score")? = json!(if score > by { score - by } else { score + by });
        Some(())
    })
}

fn structured_severity(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    changed(subject, |content| {
        let other = if content.severity == Severity::High { "CRITICAL" } else { "HIGH" };
        *content.structured_data.get_mut("severity")? = json!(other);
        Some(())
    })
}

fn structured_signal(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    changed(subject, |content| {
        let signals = content.structured_data.get_mut("signals")?;
        let value = first_value(signals)?;
        *value = json!(value.as_f64()? * 2.0 + 1.0);
        Some(())
    })
}

/// The first measured value among signals, whether they are a list or keyed by name.
fn first_value(signals: &mut Value) -> Option<&mut Value> {
    let find = |signal: &Value| signal.get("value").is_some_and(Value::is_number);
    match signals {
        Value::Array(list) => list.iter_mut().find(|signal| find(signal))?.get_mut("value"),
        Value::Object(map) => map.values_mut().find(|signal| find(signal))?.get_mut("value"),
        _ => None,
    }
}

fn alert_score(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let content = report(subject, None)?;
    let score = i64::from(content.risk_score.get());
    let other = if score > 50 { score - chance.between(1, 40) } else { score + chance.between(1, 40) };
    let record = Record { alert_score: Score::new(u8::try_from(other).ok()?).ok()?, ..Record::of(&content) };
    Some((content, record))
}

fn alert_severity(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let content = report(subject, None)?;
    let others: Vec<Severity> = [Severity::Low, Severity::Medium, Severity::High, Severity::Critical]
        .into_iter()
        .filter(|other| *other != content.severity)
        .collect();
    let record = Record { alert_severity: *chance.pick(&others)?, ..Record::of(&content) };
    Some((content, record))
}

fn no_timeline(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    changed(subject, |content| {
        *content.structured_data.get_mut("timeline_events")? = json!([]);
        Some(())
    })
}

fn content_hash(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let content = report(subject, None)?;
    let mut announced = content.clone();
    announced.executive_summary.push_str(if chance.below(2) == 0 { " " } else { " It was." });
    let stored_hash = announced.sealed().ok()?.hash().to_hex();
    let record = Record { stored_hash, ..Record::of(&content) };
    Some((content, record))
}

fn context_hash(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let by = u64::try_from(chance.between(1, 9)).ok()?;
    changed(subject, |content| {
        content.context.correlation.similar_alerts += by;
        Some(())
    })
}

fn score_severity(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    let mut context = subject.context.clone();
    context.case.severity = if context.case.severity == Severity::High { Severity::Medium } else { Severity::High };
    context.score.agrees_with_severity = false;
    let disagreeing = Subject::new(subject.number, context)?;
    let content = report(&disagreeing, None)?;
    let record = Record::of(&content);
    Some((content, record))
}

fn weak_justification(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    let asserted =
        "The assessment was made with care and it was found to be right. The case was looked at from all sides. "
            .repeat(9);
    one_rewritten(subject, Section::RiskJustification, |_| asserted.trim().to_owned(), WrittenBy::Model)
}

fn word_range(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let half = |text: &str| {
        let parts = sentences(text);
        parts.get(..parts.len().div_ceil(2)).unwrap_or_default().join(" ")
    };
    one_rewritten(subject, required(chance), half, WrittenBy::Model)
}

fn fallback(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    let section = required(chance);
    let text = countersign_report::writer::Writer::of(&subject.context).fallback(section);
    debug_assert!(text.starts_with(FALLBACK));
    one_rewritten(subject, section, |_| text.clone(), WrittenBy::Fallback)
}

fn fields(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    if is_internal(subject) {
        return None;
    }
    let (score, severity, holder) = (subject.slot("score")?, subject.slot("severity")?, subject.slot("holder")?);
    let rows =
        format!("Score: {score}. Severity: {severity}. Account holder: {holder}. Source: record. Unit: points. ");
    one_rewritten(subject, required(chance), |_| rows.repeat(16).trim().to_owned(), WrittenBy::Model)
}

fn attachments(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    if is_internal(subject) {
        return None;
    }
    let said = [
        "See attached spreadsheet for the individual amounts.",
        "The remaining transactions are listed in the appendix.",
        "Refer to Annex B for the timeline.",
        "For details, see the enclosed statement.",
    ];
    let sentence = *chance.pick(&said)?;
    one_rewritten(subject, Section::InvestigationNarrative, |text| format!("{text} {sentence}"), WrittenBy::Model)
}

fn speculation(subject: &Subject, chance: &mut Chance) -> Option<(Content, Record)> {
    if is_internal(subject) {
        return None;
    }
    let said = [
        "The transaction was probably made by somebody else.",
        "It appears that the card was used without permission.",
        "The account holder might have been abroad.",
        "Perhaps the merchant was at fault.",
    ];
    let sentence = *chance.pick(&said)?;
    one_rewritten(subject, Section::InvestigationNarrative, |text| format!("{text} {sentence}"), WrittenBy::Model)
}

fn point_missing(subject: &Subject, _: &mut Chance) -> Option<(Content, Record)> {
    if is_internal(subject) || !(subject.holds("completed") || subject.holds("attempted")) {
        return None;
    }
    let cues = ["complet", "attempt", "settle", "status"];
    rewritten(subject, |_, text| {
        let kept = sentences(text).into_iter().filter(|sentence| !cues.iter().any(|cue| sentence.contains(cue)));
        (kept.collect::<Vec<_>>().join(" "), WrittenBy::Model)
    })
}

/// The narrative of an internal report goes to nobody outside, and its points are not judged.
fn is_internal(subject: &Subject) -> bool {
    subject.context.case.report_type == countersign_domain::payload::ReportType::Internal
}
